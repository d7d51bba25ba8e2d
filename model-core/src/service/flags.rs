//! Command-line flags that start the replicas of a service in a serving engine.
//!
//! Each flag was read in the engine's source code or reference, at the location cited by [`Software::source`]. Parts
//! of a plan for which an engine has no flag are listed rather than guessed.

use super::aggregated::AggregatedReplica;
use super::decode::DecodeReplica;
use super::miss::ReplicaWork;
use super::prefill::PrefillReplica;
use crate::inputs::{Inputs, Number};
use crate::named::named;
use crate::plan::{Overlap, PlanSpec, Shared, least_experts_placed};
use crate::source::Source;

named! {
    /// Serving engines for which flags are generated.
    pub enum Software {
        /// The vLLM engine.
        Vllm = "vllm",
        /// The SGLang engine.
        Sglang = "sglang",
    }
}

impl Software {
    /// Returns the source code or reference in which this engine's flags were read.
    pub const fn source(self) -> Source {
        match self {
            Self::Vllm => Source::new(
                "vllm-project/vllm",
                "config/parallel.py at 00193b8; docs/serving/data_parallel_deployment.md at 01e4fce, expert_parallel_deployment.md at 0170256; docs/features/speculative_decoding/mtp.md at 1ae6abe",
            ),
            Self::Sglang => Source::new(
                "sgl-project/sglang",
                "docs/advanced_features/server_arguments.md at 004813e, pd_disaggregation.md at 08edc50",
            ),
        }
    }

    /// Returns the start of the launch command, up to the model name.
    pub const fn program(self) -> &'static str {
        match self {
            Self::Vllm => "vllm serve",
            Self::Sglang => "python3 -m sglang.launch_server --model-path",
        }
    }

    /// Returns the additional flags that are needed if a replica spans several hosts. Their values depend on the
    /// hosts.
    pub const fn of_hosts(self) -> &'static [&'static str] {
        match self {
            Self::Vllm => &[
                "--data-parallel-size-local",
                "--data-parallel-start-rank",
                "--data-parallel-address",
                "--headless",
            ],
            Self::Sglang => &["--nnodes", "--node-rank", "--dist-init-addr"],
        }
    }
}

/// A replica, described by the settings that can be expressed as engine flags.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EngineReplica {
    /// Sharding and schedule of the replica.
    pub spec: PlanSpec,
    /// Work of the replica: prefill, decode or both.
    pub work: ReplicaWork,
    /// Number of routed and redundant experts of one layer, which engines divide over the EP ranks; 0 for a dense
    /// model.
    pub experts: u32,
    /// Concurrent sequences of the replica (its batch); `None` for a prefill replica.
    pub batch: Option<f64>,
    /// Tokens per prefill pass and attention group; `None` for a decode or aggregated replica.
    pub chunk: Option<f64>,
    /// Number of draft tokens per decode step.
    pub drafts: u32,
    /// True if the KV cache uses at most one byte per element.
    pub narrow_cache: bool,
}

impl EngineReplica {
    fn of(inputs: &Inputs, spec: PlanSpec, work: ReplicaWork) -> Self {
        let number = |number| inputs.get(number).unwrap_or(0.0);
        let experts = least_experts_placed(inputs.model.arch(), Shared::Replicated, spec.redundant);
        Self {
            spec,
            work,
            experts: experts.unwrap_or(0),
            batch: None,
            chunk: None,
            drafts: number(Number::SpeculationDepth) as u32,
            narrow_cache: number(Number::KvBytes) <= 1.0,
        }
    }

    /// Describes a prefill replica for flag generation; `inputs` are the inputs of the service.
    pub fn prefill(inputs: &Inputs, replica: &PrefillReplica) -> Self {
        let pass = &replica.passes.pass;
        let overlaps = pass.two_batch.is_some_and(|two| two < pass.sequence());
        let spec = PlanSpec {
            overlap: if overlaps {
                Overlap::TwoBatch
            } else {
                Overlap::Sequential
            },
            ..replica.spec
        };
        Self {
            chunk: inputs.get(Number::Chunk),
            drafts: 0,
            ..Self::of(inputs, spec, ReplicaWork::Prefill)
        }
    }

    /// Describes a decode replica for flag generation; `inputs` are the inputs of the service.
    pub fn decode(inputs: &Inputs, replica: &DecodeReplica) -> Self {
        Self {
            batch: Some(replica.batch),
            ..Self::of(inputs, replica.spec, ReplicaWork::Decode)
        }
    }

    /// Describes an aggregated replica for flag generation; `inputs` are the inputs of the service.
    pub fn aggregated(inputs: &Inputs, replica: &AggregatedReplica) -> Self {
        Self {
            batch: Some(replica.batch),
            ..Self::of(inputs, replica.spec, ReplicaWork::Aggregated)
        }
    }

    /// Returns the number of GPUs in one pipeline stage.
    const fn stage(&self) -> u32 {
        self.spec.dp * self.spec.tp * self.spec.kvp
    }

    const fn is_moe(&self) -> bool {
        self.experts > 0
    }
}

/// A part of a plan for which an engine has no flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unexpressed {
    /// The context of a sequence is split over GPUs (KV parallelism).
    ContextSplit,
    /// The plan uses HOP-B overlap.
    HopB,
    /// Experts use both EP and TP.
    ExpertGrid,
    /// Two-batch overlap is used without an expert all-to-all.
    Overlap,
    /// Redundant experts are used, but EP does not divide the total number of experts.
    Redundant,
    /// A dense FFN has a different TP degree than attention.
    DenseShards,
}

impl Unexpressed {
    /// Describes the part without a flag in a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::ContextSplit => "no decode context parallelism (KVP/DCP)",
            Self::HopB => "HOP-B overlap not supported",
            Self::ExpertGrid => "experts: pure EP or pure TP only",
            Self::Overlap => "two-batch overlap only with expert all-to-all",
            Self::Redundant => "redundant experts only if EP divides the expert total",
            Self::DenseShards => "dense FFN uses attention’s TP",
        }
    }
}

/// A command-line flag and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    /// Name of the flag, including its dashes.
    pub name: &'static str,
    /// Value of the flag; `None` if it is a switch.
    pub value: Option<String>,
}

/// Launch command of one replica in a serving engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The serving engine that the command starts.
    pub software: Software,
    /// Flags, which follow the program and the model in the command.
    pub flags: Vec<Flag>,
    /// Number of engine processes to start for the replica, each with these flags. Only a dense model in vLLM needs
    /// more than one, because its data-parallel groups share nothing.
    pub engines: u32,
    /// Parts of the replica's plan for which the engine has no flag.
    pub unexpressed: Vec<Unexpressed>,
}

impl Command {
    fn switch(&mut self, name: &'static str) {
        self.flags.push(Flag { name, value: None });
    }

    fn set(&mut self, name: &'static str, value: impl ToString) {
        let value = Some(value.to_string());
        self.flags.push(Flag { name, value });
    }

    fn set_above_one(&mut self, name: &'static str, value: u32) {
        if value > 1 {
            self.set(name, value);
        }
    }

    fn cannot(&mut self, what: Unexpressed, is_so: bool) {
        if is_so {
            self.unexpressed.push(what);
        }
    }

    /// Returns the launch command on one line, for a model given by name or path.
    pub fn text(&self, model: &str) -> String {
        let mut text = format!("{} {model}", self.software.program());
        for flag in &self.flags {
            text.push(' ');
            text.push_str(flag.name);
            if let Some(value) = &flag.value {
                text.push(' ');
                text.push_str(value);
            }
        }
        text
    }
}

/// Returns the command that starts a replica in a serving engine.
pub fn command(software: Software, setup: &EngineReplica) -> Command {
    let mut command = Command {
        software,
        flags: Vec::new(),
        engines: 1,
        unexpressed: Vec::new(),
    };
    let spec = &setup.spec;
    command.cannot(Unexpressed::HopB, spec.overlap == Overlap::HopB);
    let dense_apart = !setup.is_moe() && spec.ffn_tp != spec.tp * spec.kvp;
    command.cannot(Unexpressed::DenseShards, dense_apart);
    let uneven = setup.is_moe() && spec.redundant > 0 && !setup.experts.is_multiple_of(spec.ep);
    command.cannot(Unexpressed::Redundant, uneven);
    match software {
        Software::Vllm => vllm(&mut command, setup),
        Software::Sglang => sglang(&mut command, setup),
    }
    command
}

/// Adds vLLM's flags to the command. Experts form one group of all TP × DP ranks, sharded by either EP or TP. KVP is
/// vLLM's decode context parallelism, which reuses TP ranks. Batch and token limits apply to each DP rank.
fn vllm(command: &mut Command, setup: &EngineReplica) {
    let spec = &setup.spec;
    command.set("--tensor-parallel-size", spec.tp * spec.kvp);
    command.set_above_one("--decode-context-parallel-size", spec.kvp);
    command.set_above_one("--pipeline-parallel-size", spec.pp);
    if setup.is_moe() {
        command.set_above_one("--data-parallel-size", spec.dp);
        let spread = spec.ep > 1 && spec.ep == setup.stage();
        command.cannot(
            Unexpressed::ExpertGrid,
            !spread && spec.ffn_tp != setup.stage(),
        );
        if spread {
            command.switch("--enable-expert-parallel");
        }
        let dispatches = spread && spec.dp > 1;
        if dispatches && setup.work != ReplicaWork::Aggregated {
            command.set(
                "--all2all-backend",
                match setup.work {
                    ReplicaWork::Prefill => "deepep_high_throughput",
                    _ => "deepep_low_latency",
                },
            );
        }
        let overlaps = spec.overlap == Overlap::TwoBatch;
        command.cannot(Unexpressed::Overlap, overlaps && !dispatches);
        if overlaps && dispatches {
            command.switch("--enable-dbo");
        }
        if spread && spec.redundant > 0 {
            command.switch("--enable-eplb");
            let count = spec.redundant;
            command.set(
                "--eplb-config",
                format!("'{{\"num_redundant_experts\":{count}}}'"),
            );
        }
    } else {
        command.engines = spec.dp;
        command.cannot(Unexpressed::Overlap, spec.overlap == Overlap::TwoBatch);
    }
    if let Some(batch) = setup.batch {
        command.set("--max-num-seqs", (batch / f64::from(spec.dp)).ceil());
    }
    if let Some(chunk) = setup.chunk {
        command.set("--max-num-batched-tokens", chunk);
    }
    if setup.drafts > 0 {
        let count = setup.drafts;
        let method = format!("'{{\"method\":\"mtp\",\"num_speculative_tokens\":{count}}}'");
        command.set("--speculative-config", method);
    }
    if setup.narrow_cache {
        command.set("--kv-cache-dtype", "fp8");
    }
    if setup.work != ReplicaWork::Aggregated {
        let connector = "'{\"kv_connector\":\"NixlConnector\",\"kv_role\":\"kv_both\"}'";
        command.set("--kv-transfer-config", connector);
    }
}

/// Adds SGLang's flags to the command. With DP attention, the TP size is the GPU count of a stage, and limits apply
/// to the whole replica. Without DP attention, DP groups share nothing.
fn sglang(command: &mut Command, setup: &EngineReplica) {
    let spec = &setup.spec;
    command.cannot(Unexpressed::ContextSplit, spec.kvp > 1);
    if setup.is_moe() {
        command.set("--tp-size", setup.stage());
        if spec.dp > 1 {
            command.set("--dp-size", spec.dp);
            command.switch("--enable-dp-attention");
        }
        command.set_above_one("--ep-size", spec.ep);
        let dispatches = spec.dp > 1 && spec.ep == setup.stage();
        if dispatches {
            command.set("--moe-a2a-backend", "deepep");
            if setup.work != ReplicaWork::Aggregated {
                command.set(
                    "--deepep-mode",
                    match setup.work {
                        ReplicaWork::Prefill => "normal",
                        _ => "low_latency",
                    },
                );
            }
        }
        let overlaps = spec.overlap == Overlap::TwoBatch;
        command.cannot(Unexpressed::Overlap, overlaps && !dispatches);
        if overlaps && dispatches {
            command.switch("--enable-two-batch-overlap");
        }
        if spec.ep > 1 && spec.redundant > 0 {
            command.switch("--enable-eplb");
            command.set("--ep-num-redundant-experts", spec.redundant);
        }
    } else {
        command.set("--tp-size", spec.tp);
        command.set_above_one("--dp-size", spec.dp);
        command.cannot(Unexpressed::Overlap, spec.overlap == Overlap::TwoBatch);
    }
    command.set_above_one("--pp-size", spec.pp);
    if let Some(batch) = setup.batch {
        command.set("--max-running-requests", batch);
    }
    if let Some(chunk) = setup.chunk {
        let shared = setup.is_moe() && spec.dp > 1;
        let groups = if shared { f64::from(spec.dp) } else { 1.0 };
        command.set("--chunked-prefill-size", chunk * groups);
    }
    if setup.drafts > 0 {
        command.set("--speculative-algorithm", "NEXTN");
        command.set("--speculative-num-steps", setup.drafts);
        command.set("--speculative-eagle-topk", 1);
        command.set("--speculative-num-draft-tokens", setup.drafts + 1);
    }
    if setup.narrow_cache {
        command.set("--kv-cache-dtype", "fp8_e4m3");
    }
    match setup.work {
        ReplicaWork::Prefill => command.set("--disaggregation-mode", "prefill"),
        ReplicaWork::Decode => command.set("--disaggregation-mode", "decode"),
        ReplicaWork::Aggregated => {}
    }
}
