//! Operators of the mixers in prefill, as engines compute them. MLA without an index decompresses keys and values for
//! all heads. Scores stay on chip, and recurrent states are read and written once.

use super::attention::{
    Latent, grouped_projection, key_absorb, latent_projections, out, residual, value_absorb,
};
use super::product::{core, projection};
use super::reach::{grouped_row, latent_row};
use super::{
    KernelClass, Kind, Load, Operator, Operators, PerToken, Subject, compressed, index, recurrent,
};
use crate::arch::{ContextSpan, Mixer};
use crate::units::{Bytes, Flop};

/// Appends the operators of one layer's mixer for the prefill of T tokens.
///
/// MLA over all tokens up-projects keys and values for all heads. Its attention kernel takes 2 h (d_h + d_r + d_v)
/// FLOP per query–key pair. It reads and writes (T + R) h (d_h + d_r + d_v) elements, where R is the number of key
/// rows. With a sparse-attention index, MLA is absorbed and attends only to the selected rows, but cache traffic is T
/// rows. For GQA, the attention kernel takes 2 h (d_k + d_v) FLOP per pair. It reads and writes T h (d_k + d_v) + R e
/// elements, with e cache elements per token and GPU. Attention is causal, so a token of a whole prompt attends to
/// half of the prompt on average.
///
/// Assumes: one GPU group per prompt, no context parallelism, full tiles. Not modeled: chunked forms of recurrences,
/// which take more compute.
pub fn push_mixer(list: &mut Operators, mixer: &Mixer, subject: &Subject<'_>, load: &Load) {
    let (arch, plan, precision) = subject.parts();
    let tp = plan.spec().tp;
    let t = load.group_tokens;
    let (c, x) = (precision.kv, precision.activations);
    match mixer {
        Mixer::Grouped(shape) => {
            let h = f64::from(shape.heads) / f64::from(tp);
            let widths = f64::from(shape.head_dim) + f64::from(shape.value_dim);
            grouped_projection(list, shape, subject, load);
            index::push(list, mixer, subject, load);
            let width = f64::from(shape.heads) * f64::from(shape.value_dim);
            list.push(out(width, subject, load));
            let pairs = load.grouped(&shape.span).pairs;
            let each = if t > 0.0 { load.key_rows() / t } else { 1.0 };
            let keys = grouped_row(shape, tp) * each;
            let elements = t * (h * widths + keys);
            let flop = 2.0 * h * widths * pairs;
            list.push(Operator {
                per_context_token: match shape.span {
                    ContextSpan::Full => added(2.0 * h * widths, load),
                    _ => PerToken::NONE,
                },
                ..core(Kind::Attention, flop, 0.0, elements * x)
            });
        }
        Mixer::Latent(shape) => {
            let sizes = Latent::of(shape, arch.hidden, tp);
            let Latent {
                h,
                r_kv,
                d_h,
                d_r,
                d_v,
                ..
            } = sizes;
            latent_projections(list, &sizes, precision, load);
            let width = f64::from(shape.heads) * f64::from(shape.value_dim);
            match &shape.index {
                None => {
                    let keys = load.key_rows();
                    let up = |kind, width: f64| {
                        projection(kind, r_kv * width, r_kv + width, precision, keys)
                    };
                    list.push(up(Kind::KeyUp, h * d_h));
                    list.push(up(Kind::ValueUp, h * d_v));
                    list.push(out(width, subject, load));
                    let columns = h * (d_h + d_r + d_v);
                    let flop = 2.0 * load.full().pairs * columns;
                    let moved = (t + keys) * columns * x;
                    list.push(Operator {
                        kernel: KernelClass::LatentCore,
                        per_context_token: added(2.0 * columns, load),
                        ..core(Kind::Attention, flop, 0.0, moved)
                    });
                }
                Some(selects) => {
                    index::push(list, mixer, subject, load);
                    list.push(key_absorb(&sizes, precision, t));
                    list.push(value_absorb(&sizes, precision, t));
                    list.push(out(width, subject, load));
                    let columns = h * (2.0 * r_kv + d_r);
                    let flop = 2.0 * load.selected(selects).pairs * columns;
                    let cache = t * latent_row(shape) * c;
                    list.push(Operator {
                        kernel: KernelClass::SparsePrefill,
                        rows: h,
                        ..core(Kind::Attention, flop, cache, t * columns * x)
                    });
                }
            }
        }
        Mixer::Compressed(shape) => {
            let h = f64::from(shape.heads) / f64::from(tp);
            let d_k = f64::from(shape.head_dim);
            compressed::push_projections(list, shape, subject, load);
            index::push(list, mixer, subject, load);
            compressed::out(list, shape, subject, load);
            let rows = shape.ratio.map_or(t, |ratio| t + t / f64::from(ratio));
            let flop = 4.0 * load.compressed(shape).pairs * h * d_k;
            let moved = 2.0 * t * h * d_k * x;
            list.push(Operator {
                kernel: KernelClass::SparsePrefill,
                rows: h,
                ..core(Kind::Attention, flop, rows * d_k * c, moved)
            });
        }
        Mixer::GatedDelta(_) | Mixer::Kda(_) | Mixer::Lightning(_) | Mixer::Mamba2(_) => {
            recurrent::push(list, mixer, subject, load);
        }
    }
    residual(list, subject, load);
}

/// Returns the added compute if each token attends to one more key, for attention to the full context. The kernel
/// takes `flop` per query–key pair.
fn added(flop: f64, load: &Load) -> PerToken {
    PerToken {
        flop: Flop::new(load.group_tokens * flop),
        kv: Bytes::ZERO,
    }
}
