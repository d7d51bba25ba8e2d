//! Operators of the index that selects tokens for sparse attention.

use super::product::projection;
use super::{KernelClass, Kind, Load, Operator, Operators, PerToken, Subject};
use crate::arch::{Index, Mixer};
use crate::units::{Bytes, Flop};

/// Dimensions of a layer's sparse-attention index on one GPU.
struct Shape {
    /// Number H of index heads on this GPU.
    heads: f64,
    /// Number H' of key selections per token on this GPU.
    selections: f64,
    /// Head dimension of the index, d_I.
    dim: f64,
    /// Bytes of one index key, e_I.
    key_bytes: f64,
    /// Number p of tokens that one index key covers.
    pool: f64,
    /// Number u of tokens that are selected as one unit.
    unit: f64,
    /// Maximum number of units selected for a token.
    most: f64,
}

impl Shape {
    fn of(index: &Index, mixer: &Mixer, tp: u32, kv_index: f64) -> Self {
        let heads = if index.per_kv_head {
            index.heads.div_ceil(tp)
        } else {
            index.heads
        };
        let top_k = f64::from(index.top_k);
        let (pool, unit, most) = match mixer {
            Mixer::Compressed(shape) => {
                let ratio = f64::from(shape.ratio.unwrap_or(1));
                (ratio, ratio, top_k)
            }
            _ => {
                let unit = f64::from(index.pool.max(index.block));
                (f64::from(index.pool), unit, top_k / unit)
            }
        };
        let dim = f64::from(index.head_dim);
        Self {
            heads: f64::from(heads),
            selections: if index.per_kv_head {
                f64::from(heads)
            } else {
                1.0
            },
            dim,
            key_bytes: dim * kv_index,
            pool,
            unit,
            most,
        }
    }

    /// Returns the number of units of a context on this GPU, U, and the number of units selected from it, K.
    fn chosen(&self, load: &Load) -> (f64, f64) {
        let units = load.local() / self.unit;
        (units, self.most.min(units))
    }
}

/// Appends the operators of a layer's sparse-attention index: queries, keys with per-head weights, scores, and
/// selection. Every tp rank holds the whole index, but index heads that select per KV head are sharded over tp.
///
/// Source: DeepSeek-V3.2-Exp inference/model.py, class Indexer; aiconfigurator perf_database/dsa.
pub(super) fn push(list: &mut Operators, mixer: &Mixer, subject: &Subject<'_>, load: &Load) {
    let (arch, plan, precision) = subject.parts();
    let Some(index) = mixer.index().filter(|index| !index.shared) else {
        return;
    };
    let shape = Shape::of(&index, mixer, plan.spec().tp, precision.kv_index);
    let d = f64::from(arch.hidden);
    let (source, keys) = match mixer {
        Mixer::Latent(latent) => (latent.q_rank.map_or(d, f64::from), shape.dim + shape.heads),
        Mixer::Compressed(compressed) => (
            f64::from(compressed.q_rank),
            2.0 * f64::from(compressed.copies()) * shape.dim + shape.heads,
        ),
        _ => (d, shape.dim),
    };
    let t = load.group_tokens;
    let queries = shape.heads * shape.dim;
    let ends = source + queries;
    list.push(projection(
        Kind::IndexQuery,
        source * queries,
        ends,
        precision,
        t,
    ));
    list.push(projection(Kind::IndexKey, d * keys, d + keys, precision, t));

    let (units, chosen) = shape.chosen(load);
    let (scored, ranked, taken) = if load.prompt {
        (
            load.causal(shape.pool, f64::INFINITY),
            load.causal(shape.unit, f64::INFINITY),
            load.causal(shape.unit, shape.most),
        )
    } else {
        (t * (load.local() / shape.pool), t * units, t * chosen)
    };
    let scores = 4.0 * shape.selections * ranked;
    list.push(Operator {
        kind: Kind::IndexScore,
        kernel: KernelClass::IndexScore,
        flop: Flop::new(2.0 * queries * scored),
        weights: Bytes::ZERO,
        kv: Bytes::new(load.keyed() / shape.pool * shape.key_bytes),
        activations: Bytes::new(t * queries * precision.activations + scores),
        rows: f64::INFINITY,
        per_context_token: PerToken::NONE,
    });
    list.push(Operator {
        kind: Kind::TopK,
        kernel: KernelClass::TopK,
        flop: Flop::ZERO,
        weights: Bytes::ZERO,
        kv: Bytes::ZERO,
        activations: Bytes::new(scores + 4.0 * shape.selections * taken),
        rows: f64::INFINITY,
        per_context_token: PerToken::NONE,
    });
}

/// Returns the bytes that a GPU receives when the ranks of a KVP-sharded context agree on a top-k selection. Each
/// candidate of the other ranks takes 8 bytes: a score and an id. `None` if no agreement is necessary.
///
/// This exchange is derived, not observed: no engine is known to divide a selection.
pub fn exchanged(mixer: &Mixer, subject: &Subject<'_>, load: &Load) -> Option<Bytes> {
    let index = mixer.index().filter(|index| !index.shared)?;
    let spec = subject.plan.spec();
    if spec.kvp == 1 {
        return None;
    }
    let shape = Shape::of(&index, mixer, spec.tp, subject.precision.kv_index);
    let (_, chosen) = shape.chosen(load);
    let others = f64::from(spec.kvp) - 1.0;
    let candidates = load.group_tokens * shape.selections * chosen;
    Some(Bytes::new(8.0 * candidates * others))
}
