//! Engine settings stated by a launch command, a result file or a configuration file.

use crate::hardware::catalog::Entry as GpuEntry;
use crate::named::named;

use super::names::{ModelName, Weights};
use super::said::{At, Said};
use super::stated::Stated;

named! {
    /// Serving engines whose settings can be read.
    pub enum Server {
        /// vLLM.
        Vllm = "vllm",
        /// SGLang.
        Sglang = "sglang",
        /// TensorRT-LLM.
        Trtllm = "trtllm",
    }
}

/// Storage format of the KV cache.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cache {
    /// KV cache with this number of bytes per element.
    Bytes(f64),
    /// vLLM's `fp8_ds_mla` layout for MLA.
    Fp8DsMla,
}

/// Role of an engine process in disaggregated serving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The engine process runs both prefill and decode.
    Both,
    /// The engine process runs decode only.
    Decode,
    /// The engine process runs prefill only.
    Prefill,
}

/// Engine settings; a setting is `None` if the text does not state it.
#[derive(Debug, Clone, Default)]
pub struct Launch {
    /// Serving engine.
    pub server: Option<Server>,
    /// Line of the launch command, if there is one.
    pub program: Option<At<()>>,
    /// TP size, as defined by the engine.
    pub tp: Said,
    /// DP size, as defined by the engine.
    pub dp: Said,
    /// Number of pipeline-parallel stages (PP size).
    pub pp: Said,
    /// Decode context parallelism size (DCP).
    pub dcp: Said,
    /// EP size; not used for vLLM, whose EP flag has no size and spreads the experts over all ranks.
    pub ep: Said,
    /// True if experts are spread over all ranks.
    pub spread: Option<At<bool>>,
    /// True if attention is data-parallel (attention DP).
    pub attention_dp: Option<At<bool>>,
    /// Number of redundant experts.
    pub redundant: Said,
    /// True if two-batch overlap is on.
    pub two_batch: Option<At<bool>>,
    /// Storage format of the KV cache.
    pub cache: Option<At<Cache>>,
    /// Draft tokens per step.
    pub drafts: Said,
    /// Number of drafter steps, used if the number of draft tokens is not stated.
    pub draft_steps: Said,
    /// Candidate tokens per draft step; if above 1, the draft tokens form a tree.
    pub draft_width: Said,
    /// Name of the drafter, if the drafter is not a layer of the LLM itself.
    pub drafter: Option<At<&'static str>>,
    /// Max tokens per prefill pass.
    pub chunk: Said,
    /// Fraction of GPU memory that the engine may use.
    pub utilization: Said,
    /// Max running sequences, as defined by the engine.
    pub limit: Said,
    /// Role of the engine process: prefill, decode or both.
    pub role: Option<At<Role>>,
    /// Weight format stated by a flag.
    pub weights: Option<At<Weights>>,
    /// True if CUDA graphs are disabled.
    pub graph_off: Option<At<bool>>,
    /// Largest batch that is run with CUDA graphs.
    pub graph_max: Said,
    /// True if direct (P2P) transfers between GPUs of a node, or the custom all-reduce, are disabled.
    pub p2p_off: Option<At<bool>>,
    /// Engine whose memory-fraction flag is set but cannot be converted to a fraction of total GPU memory. This
    /// applies to SGLang's static fraction and TensorRT-LLM's fraction of free memory.
    pub share: Option<At<Server>>,
    /// True if `tp` counts all GPUs of a pipeline stage, even for engines that define it differently; `ep` and
    /// attention DP then divide those GPUs.
    pub world: bool,
    /// Line that turns speculative decoding on without stating the number of draft tokens.
    pub drafts_open: Option<At<()>>,
    /// Number of DP ranks that printed log lines.
    pub ranks: Said,
    /// Number of replicas of the deployment.
    pub replicas: Said,
    /// Number of GPUs mentioned in a sentence of the text.
    pub gpus: Said,
    /// Name of the model.
    pub model: Option<At<ModelName>>,
    /// Catalog entry of the accelerator.
    pub gpu: Option<At<&'static GpuEntry>>,
    /// Flags that were not recognized.
    pub unread: Vec<At<String>>,
}

/// Runs and engine settings read from one JSON or YAML result object.
#[derive(Debug, Default)]
pub struct Object {
    /// Runs that the object states.
    pub runs: Vec<Stated>,
    /// Engine settings that the object states.
    pub launch: Launch,
}

fn fill<T>(slot: &mut Option<T>, other: Option<T>) {
    if slot.is_none() {
        *slot = other;
    }
}

impl Launch {
    /// True if the text states a TP, DP, PP or EP size.
    pub const fn is_sharded(&self) -> bool {
        self.tp.is_some() || self.dp.is_some() || self.pp.is_some() || self.ep.is_some()
    }

    /// Returns the lines that state a recognized setting; lines of unrecognized flags are not included.
    pub fn lines(&self) -> Vec<u32> {
        let numbers = [
            self.tp,
            self.dp,
            self.pp,
            self.dcp,
            self.ep,
            self.redundant,
            self.drafts,
            self.draft_steps,
            self.draft_width,
            self.chunk,
            self.utilization,
            self.limit,
            self.graph_max,
            self.ranks,
            self.replicas,
            self.gpus,
        ];
        let flags = [
            self.spread,
            self.attention_dp,
            self.two_batch,
            self.graph_off,
            self.p2p_off,
        ];
        let others = [
            self.program.map(|at| at.line),
            self.cache.map(|at| at.line),
            self.drafter.map(|at| at.line),
            self.role.map(|at| at.line),
            self.weights.map(|at| at.line),
            self.share.map(|at| at.line),
            self.drafts_open.map(|at| at.line),
            self.model.as_ref().map(|at| at.line),
            self.gpu.map(|at| at.line),
        ];
        let numbers = numbers.into_iter().flatten().map(|at| at.line);
        let flags = flags.into_iter().flatten().map(|at| at.line);
        numbers
            .chain(flags)
            .chain(others.into_iter().flatten())
            .collect()
    }

    /// Fills in missing settings with those of `other`, a source of lower precedence. For example, a file fills in what
    /// a launch command omits.
    pub fn fill(&mut self, other: Self) {
        fill(&mut self.server, other.server);
        fill(&mut self.model, other.model);
        fill(&mut self.gpu, other.gpu);
        for (slot, said) in [
            (&mut self.tp, other.tp),
            (&mut self.dp, other.dp),
            (&mut self.pp, other.pp),
            (&mut self.dcp, other.dcp),
            (&mut self.ep, other.ep),
            (&mut self.redundant, other.redundant),
            (&mut self.drafts, other.drafts),
            (&mut self.draft_steps, other.draft_steps),
            (&mut self.draft_width, other.draft_width),
            (&mut self.chunk, other.chunk),
            (&mut self.utilization, other.utilization),
            (&mut self.limit, other.limit),
            (&mut self.graph_max, other.graph_max),
            (&mut self.replicas, other.replicas),
            (&mut self.gpus, other.gpus),
            (&mut self.ranks, other.ranks),
        ] {
            fill(slot, said);
        }
        for (slot, said) in [
            (&mut self.spread, other.spread),
            (&mut self.attention_dp, other.attention_dp),
            (&mut self.two_batch, other.two_batch),
            (&mut self.graph_off, other.graph_off),
            (&mut self.p2p_off, other.p2p_off),
        ] {
            fill(slot, said);
        }
        fill(&mut self.cache, other.cache);
        fill(&mut self.drafter, other.drafter);
        fill(&mut self.role, other.role);
        fill(&mut self.weights, other.weights);
        fill(&mut self.share, other.share);
        fill(&mut self.drafts_open, other.drafts_open);
        fill(&mut self.program, other.program);
        self.world |= other.world;
        self.unread.extend(other.unread);
    }
}
