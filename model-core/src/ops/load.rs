//! What a pass carries.

use super::ffn;
use crate::arch::{Arch, Ffn};
use crate::plan::Plan;
use crate::workload::Workload;

/// What one pass carries, in sequences and tokens; means, never rounded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Tokens of the pass over the deployment: sequences times those each of them carries.
    pub tokens: f64,
    /// Sequences in one attention group, b.
    pub sequences: f64,
    /// Tokens in one attention group.
    pub group_tokens: f64,
    /// Cached tokens that attention reads on one GPU: b·s with s = S/kvp.
    pub cached: f64,
    /// Pairs of a query and a cached token that attention computes on one GPU.
    pub pairs: f64,
    /// Query tokens of a sequence in one attention group: 1 + δ; a whole prompt.
    pub queries: f64,
    /// Tokens whose keys and values are decompressed on one GPU, where they are at all.
    pub decompressed: f64,
    /// Tokens of a group that the output head projects.
    pub head_tokens: f64,
    /// Tokens computed on the busiest GPU's experts, t = B k'/(ep β); 0 for dense models.
    pub expert_tokens: f64,
}

impl Load {
    /// A decode pass over `batch` sequences: every token meets its sequence's whole context.
    ///
    /// With speculation a sequence carries 1 + δ tokens through every operator, while its cache is read,
    /// and decompressed, once.
    pub fn decode(batch: f64, arch: &Arch, plan: &Plan, workload: &Workload) -> Self {
        let spec = plan.spec();
        let carried = workload.speculation.carried();
        let sequences = batch / f64::from(spec.dp);
        let group_tokens = sequences * carried;
        let context = workload.context / f64::from(spec.kvp);
        Self {
            tokens: batch * carried,
            sequences,
            group_tokens,
            cached: sequences * context,
            pairs: group_tokens * context,
            queries: carried,
            decompressed: sequences * context,
            head_tokens: group_tokens,
            expert_tokens: expert_tokens(batch * carried, arch, plan),
        }
    }

    /// A prefill pass: every attention group reads one prompt of `prompt` tokens.
    ///
    /// Attention is causal, so a token meets half the prompt on average: T²/2 pairs. Keys and values
    /// are decompressed once per token, and only the last token needs the head.
    ///
    /// Source: [A] eqs 1–7, 15–16, 18, 20–24, 29–32, 37.
    pub fn prefill(prompt: f64, arch: &Arch, plan: &Plan) -> Self {
        let spec = plan.spec();
        let kvp = f64::from(spec.kvp);
        let tokens = prompt * f64::from(spec.dp);
        Self {
            tokens,
            sequences: 1.0,
            group_tokens: prompt,
            cached: prompt / kvp,
            pairs: prompt * prompt / 2.0 / kvp,
            queries: prompt,
            decompressed: prompt / kvp,
            head_tokens: 1.0,
            expert_tokens: expert_tokens(tokens, arch, plan),
        }
    }
}

/// Tokens on the busiest GPU's experts: t = B k'/(ep β). Source: [A] 3.4.
fn expert_tokens(tokens: f64, arch: &Arch, plan: &Plan) -> f64 {
    match arch.ffn {
        Ffn::Dense { .. } => 0.0,
        Ffn::Moe { .. } => {
            let groups = f64::from(plan.spec().ep);
            tokens * ffn::experts_per_token(arch, plan) / (groups * plan.beta())
        }
    }
}
