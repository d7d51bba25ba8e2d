//! Settings of an engine as a command, a file or a configuration states them.

use crate::hardware::catalog::Entry as GpuEntry;
use crate::named::named;

use super::names::{ModelName, Weights};
use super::said::{At, Said};
use super::stated::Stated;

named! {
    /// Serving engines whose settings are read.
    pub enum Server {
        /// vLLM.
        Vllm = "vllm",
        /// SGLang.
        Sglang = "sglang",
        /// TensorRT-LLM.
        Trtllm = "trtllm",
    }
}

/// Width of the cache.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cache {
    /// Bytes per element.
    Bytes(f64),
    /// vLLM's FP8 rows of MLA.
    Fp8DsMla,
}

/// Role of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Reads prompts and decodes.
    Both,
    /// Decodes only.
    Decode,
    /// Reads prompts only.
    Prefill,
}

/// Settings of an engine; `None` if not in the text.
#[derive(Debug, Clone, Default)]
pub struct Launch {
    /// The engine.
    pub server: Option<Server>,
    /// The command that starts it.
    pub program: Option<At<()>>,
    /// TP size, as the engine counts it.
    pub tp: Said,
    /// DP size, as the engine counts it.
    pub dp: Said,
    /// Pipeline stages.
    pub pp: Said,
    /// Decode context parallelism.
    pub dcp: Said,
    /// EP size; of vLLM, with experts spread over all ranks, none.
    pub ep: Said,
    /// Experts spread over all ranks.
    pub spread: Option<At<bool>>,
    /// Attention replicated over ranks.
    pub attention_dp: Option<At<bool>>,
    /// Redundant experts.
    pub redundant: Said,
    /// Two-batch overlap.
    pub two_batch: Option<At<bool>>,
    /// Cache.
    pub cache: Option<At<Cache>>,
    /// Draft tokens.
    pub drafts: Said,
    /// Steps of the drafter, where draft tokens are not stated.
    pub draft_steps: Said,
    /// Candidates of a draft step; above 1 a tree.
    pub draft_width: Said,
    /// Drafter other than a layer of the model.
    pub drafter: Option<At<&'static str>>,
    /// Tokens of a pass.
    pub chunk: Said,
    /// Share of the memory that the engine takes.
    pub utilization: Said,
    /// Limit of running sequences, as the engine counts it.
    pub limit: Said,
    /// Role.
    pub role: Option<At<Role>>,
    /// Weights that a flag states.
    pub weights: Option<At<Weights>>,
    /// CUDA graphs are off.
    pub graph_off: Option<At<bool>>,
    /// Largest batch with CUDA graphs.
    pub graph_max: Said,
    /// Transfers between GPUs of a node do not go directly.
    pub p2p_off: Option<At<bool>>,
    /// Share of memory that does not translate: SGLang's static one, TensorRT-LLM's of free memory.
    pub share: Option<At<Server>>,
    /// True where `tp` counts all GPUs of a stage, and `ep` and attention DP divide it, whatever the engine.
    pub world: bool,
    /// Drafts are on, and their number is not stated.
    pub drafts_open: Option<At<()>>,
    /// DP ranks whose log lines were read.
    pub ranks: Said,
    /// Copies of the deployment.
    pub replicas: Said,
    /// GPUs, counted by a sentence.
    pub gpus: Said,
    /// Model.
    pub model: Option<At<ModelName>>,
    /// Accelerator.
    pub gpu: Option<At<&'static GpuEntry>>,
    /// Flags that are not mapped.
    pub unread: Vec<At<String>>,
}

/// A run and the settings of its engine, from one object.
#[derive(Debug, Default)]
pub struct Object {
    /// Runs that it states.
    pub runs: Vec<Stated>,
    /// Settings of the engine.
    pub launch: Launch,
}

/// Takes a later statement only where there is none yet.
fn fill<T>(slot: &mut Option<T>, other: Option<T>) {
    if slot.is_none() {
        *slot = other;
    }
}

impl Launch {
    /// True if the sharding is known.
    pub const fn is_sharded(&self) -> bool {
        self.tp.is_some() || self.dp.is_some() || self.pp.is_some() || self.ep.is_some()
    }

    /// Lines that state a setting; flags that are not mapped have none.
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

    /// Fills what is not stated from settings of lower rank: a command is above a file.
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
