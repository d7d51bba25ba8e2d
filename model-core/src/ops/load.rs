//! Load of one pass through the model: its sequences and tokens.

use crate::plan::Plan;
use crate::workload::Workload;

/// Tokens of a prompt, and the number of chunks in which it is prefilled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PromptTokens {
    /// Number of tokens to prefill, n.
    pub new: f64,
    /// Number of tokens found in the prefix cache, c.
    pub cached: f64,
    /// Number of chunks, J.
    pub chunks: f64,
}

impl PromptTokens {
    /// Returns the number of key/value rows to which a chunk attends, averaged over the chunks: R = c + n (J+1)/(2J).
    pub fn rows(&self) -> f64 {
        self.cached + self.new * (self.chunks + 1.0) / (2.0 * self.chunks)
    }

    /// Returns the number of query–key pairs of a chunk, averaged over the chunks: P = (n c + n²/2)/J.
    pub fn pairs(&self) -> f64 {
        (self.new * self.cached + self.new * self.new / 2.0) / self.chunks
    }
}

/// Sequences and tokens of one pass, as means that are never rounded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Tokens of the pass in the whole deployment: sequences × tokens per sequence.
    pub tokens: f64,
    /// Sequences per attention group, b.
    pub sequences: f64,
    /// Tokens per attention group.
    pub group_tokens: f64,
    /// Query tokens per sequence. In decode, this is 1 + δ, with δ draft tokens; in prefill, the whole prompt or one
    /// chunk.
    pub queries: f64,
    /// Context tokens per sequence, S, over all GPUs of its attention group. In prefill, this is the prompt length.
    pub context: f64,
    /// Tokens of a prompt that were found in the prefix cache, c; 0 in decode.
    pub prefix: f64,
    /// Number of prefill chunks per prompt, J; 1 in decode.
    pub chunks: f64,
    /// Number of GPUs over which a context is sharded, kvp.
    pub shards: f64,
    /// Tokens per attention group that the output head projects.
    pub head_tokens: f64,
    /// True for prefill, in which attention is causal.
    pub prompt: bool,
}

impl Load {
    /// Returns the load of a decode pass over `batch` sequences, in which every token attends to the whole context of
    /// its sequence.
    ///
    /// With speculation by δ draft tokens, every operator processes 1 + δ tokens per sequence. The cache of a
    /// sequence is still read only once, and decompressed once.
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

    /// Returns the load of a prefill pass with one prompt of `prompt` tokens in every attention group.
    ///
    /// Attention is causal, so a token attends to half the prompt on average, which gives T²/2 pairs. Keys and values
    /// are decompressed once per token, and only the last token needs the head.
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

    /// Returns the load of a prefill pass of T = m n/J tokens per attention group: m = `together` prompts, or one chunk
    /// of each. A prompt has n new tokens in J chunks. The work of a chunk is averaged over the chunks of a prompt. If
    /// `head` is true, the output head is included, for one row per prompt.
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

    /// Returns the load of the same sequences with one token each, as in the passes of a drafter after its first one.
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
