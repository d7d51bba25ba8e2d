//! Load of one pass.

use crate::plan::Plan;
use crate::workload::Workload;

/// Tokens of a prompt, and its chunks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PromptTokens {
    /// Tokens to prefill, n.
    pub new: f64,
    /// Tokens in the prefix cache, c.
    pub cached: f64,
    /// Chunks, J.
    pub chunks: f64,
}

impl PromptTokens {
    /// Rows of keys and values that a chunk attends to, the mean over chunks: R = c + n (J+1)/(2J).
    pub fn rows(&self) -> f64 {
        self.cached + self.new * (self.chunks + 1.0) / (2.0 * self.chunks)
    }

    /// Pairs of queries and keys in a chunk, the mean over chunks: P = (n c + n²/2)/J.
    pub fn pairs(&self) -> f64 {
        (self.new * self.cached + self.new * self.new / 2.0) / self.chunks
    }
}

/// Sequences and tokens of one pass; means, never rounded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Tokens of the pass over the deployment: sequences × tokens per sequence.
    pub tokens: f64,
    /// Sequences in one attention group, b.
    pub sequences: f64,
    /// Tokens in one attention group.
    pub group_tokens: f64,
    /// Query tokens of a sequence in one attention group: 1 + δ; in prefill, the whole prompt.
    pub queries: f64,
    /// Tokens of a sequence's context over all GPUs of its group, S; in prefill, the prompt.
    pub context: f64,
    /// Tokens of a prompt that were in the prefix cache, c; 0 in decode.
    pub prefix: f64,
    /// Prefill chunks per prompt, J; 1 in decode.
    pub chunks: f64,
    /// GPUs that a context is split over, kvp.
    pub shards: f64,
    /// Tokens of a group that the output head projects.
    pub head_tokens: f64,
    /// True for prefill, where attention is causal.
    pub prompt: bool,
}

impl Load {
    /// A decode pass over `batch` sequences: every token attends to its sequence's whole context.
    ///
    /// With speculation a sequence carries 1 + δ tokens through every operator, while its cache is read,
    /// and decompressed, once.
    pub fn decode(batch: f64, plan: &Plan, workload: &Workload) -> Self {
        let spec = plan.spec();
        let carried = workload.speculation.carried();
        let sequences = batch / f64::from(spec.dp);
        let group_tokens = sequences * carried;
        Self {
            tokens: batch * carried,
            sequences,
            group_tokens,
            queries: carried,
            context: workload.context,
            prefix: 0.0,
            chunks: 1.0,
            shards: f64::from(spec.kvp),
            head_tokens: group_tokens,
            prompt: false,
        }
    }

    /// A prefill pass: one prompt of `prompt` tokens in every attention group.
    ///
    /// Attention is causal, so a token attends to half the prompt on average: T²/2 pairs. Keys and values are
    /// decompressed once per token, and only the last token needs the head.
    ///
    /// Source: [A] eqs 1–7, 15–16, 18, 20–24, 29–32, 37.
    pub fn prefill(prompt: f64, plan: &Plan) -> Self {
        let spec = plan.spec();
        Self {
            tokens: prompt * f64::from(spec.dp),
            sequences: 1.0,
            group_tokens: prompt,
            queries: prompt,
            context: prompt,
            prefix: 0.0,
            chunks: 1.0,
            shards: f64::from(spec.kvp),
            head_tokens: 1.0,
            prompt: true,
        }
    }

    /// A prefill pass of `together` prompts per attention group, or of one chunk of each: T = m n/J tokens. Work of a
    /// chunk is the mean over a prompt's chunks. `head` counts the output head, for one row per prompt.
    pub fn chunk(prompt: &PromptTokens, together: f64, head: bool, plan: &Plan) -> Self {
        let each = prompt.new / prompt.chunks;
        let group_tokens = together * each;
        let spec = plan.spec();
        Self {
            tokens: group_tokens * f64::from(spec.dp),
            sequences: together,
            group_tokens,
            queries: each,
            context: prompt.cached + prompt.new,
            prefix: prompt.cached,
            chunks: prompt.chunks,
            shards: f64::from(spec.kvp),
            head_tokens: if head { together } else { 0.0 },
            prompt: true,
        }
    }

    /// The same sequences with one token each, as in later drafter passes.
    #[must_use]
    pub fn one_token_each(&self) -> Self {
        let carried = self.queries;
        Self {
            tokens: self.tokens / carried,
            group_tokens: self.sequences,
            queries: 1.0,
            head_tokens: self.sequences,
            ..*self
        }
    }
}
