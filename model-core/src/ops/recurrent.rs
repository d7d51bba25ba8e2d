//! Operators of recurrent mixers, which have a recurrent state instead of a KV cache.

use super::product::projection;
use super::{KernelClass, Kind, Load, Operator, Operators, PerToken, Subject};
use crate::arch::{GatedDelta, Lightning, Mamba2, Mixer};
use crate::units::{Bytes, Flop};

/// Dimensions of a recurrent mixer on a GPU that holds 1/tp of the heads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecurrentState {
    /// Number I of columns of the mixer's input projection.
    pub columns: f64,
    /// Number X of channels that enter the recurrence (and the convolution, if there is one).
    pub channels: f64,
    /// Number O of rows of the mixer's output projection.
    pub rows: f64,
    /// Number Z of elements of the recurrent state.
    pub elements: f64,
    /// FLOP per token and element of the recurrent state, φ. It covers decay, product with the key, update, and
    /// product with the query.
    pub flop: f64,
    /// Width of the mixer's convolution, ω; `None` if there is no convolution.
    pub conv: Option<f64>,
    /// Bytes per element of the recurrent state.
    pub state_bytes: f64,
    /// Number of low-rank gates, m, and their rank. Each gate adds a second projection.
    pub gates: Option<(f64, f64)>,
}

impl RecurrentState {
    /// Returns the dimensions of a recurrent mixer; `None` if the mixer has no recurrent state.
    pub fn of(mixer: &Mixer, tp: u32) -> Option<Self> {
        let tp_f = f64::from(tp);
        Some(match *mixer {
            Mixer::GatedDelta(GatedDelta {
                key_heads,
                value_heads,
                key_dim,
                value_dim,
                conv,
                state_bytes,
            }) => {
                let heads = f64::from(value_heads) / tp_f;
                let keys = f64::from(key_heads) * f64::from(key_dim) / tp_f;
                let values = heads * f64::from(value_dim);
                Self {
                    columns: 2.0 * keys + 2.0 * values + 2.0 * heads,
                    channels: 2.0 * keys + values,
                    rows: values,
                    elements: values * f64::from(key_dim),
                    flop: 7.0,
                    conv: Some(f64::from(conv)),
                    state_bytes: f64::from(state_bytes),
                    gates: None,
                }
            }
            Mixer::Kda(shape) => {
                let heads = f64::from(shape.heads) / tp_f;
                let rank = f64::from(shape.head_dim);
                let width = heads * rank;
                let (gates, whole) = shape.gates();
                Self {
                    columns: 3.0 * width + heads + gates * rank + whole * width,
                    channels: 3.0 * width,
                    rows: width,
                    elements: width * rank,
                    flop: 7.0,
                    conv: Some(f64::from(shape.conv)),
                    state_bytes: f64::from(shape.state_bytes),
                    gates: Some((gates, rank)).filter(|_| gates > 0.0),
                }
            }
            Mixer::Lightning(Lightning {
                heads,
                head_dim,
                state_bytes,
            }) => {
                let width = f64::from(heads) / tp_f * f64::from(head_dim);
                Self {
                    columns: 4.0 * width,
                    channels: 3.0 * width,
                    rows: width,
                    elements: width * f64::from(head_dim),
                    flop: 5.0,
                    conv: None,
                    state_bytes: f64::from(state_bytes),
                    gates: None,
                }
            }
            Mixer::Mamba2(Mamba2 {
                heads,
                head_dim,
                groups,
                state_dim,
                conv,
                state_bytes,
            }) => {
                let heads = f64::from(heads) / tp_f;
                let width = heads * f64::from(head_dim);
                let keys = f64::from(groups.div_ceil(tp)) * f64::from(state_dim);
                Self {
                    columns: 2.0 * width + 2.0 * keys + heads,
                    channels: width + 2.0 * keys,
                    rows: width,
                    elements: width * f64::from(state_dim),
                    flop: 5.0,
                    conv: Some(f64::from(conv)),
                    state_bytes: f64::from(state_bytes),
                    gates: None,
                }
            }
            Mixer::Grouped(_) | Mixer::Latent(_) | Mixer::Compressed(_) => return None,
        })
    }

    /// Returns the bytes of a sequence's convolution state. It holds the last ω − 1 tokens, with two bytes per
    /// element; ω is the convolution's width.
    fn conv_bytes(&self) -> f64 {
        self.conv
            .map_or(0.0, |width| (width - 1.0) * self.channels * 2.0)
    }

    /// Returns the bytes of one saved recurrent state of a sequence.
    pub fn bytes(&self) -> f64 {
        self.elements * self.state_bytes + self.conv_bytes()
    }
}

/// Appends the operators of a recurrent mixer. The state is replicated on every kvp rank. The work is replicated too,
/// except for the output projection.
///
/// Source: `transformers` modular_qwen3_next, modular_minimax; flash-linear-attention; aiconfigurator
/// operators/mamba.
pub(super) fn push(list: &mut Operators, mixer: &Mixer, subject: &Subject<'_>, load: &Load) {
    let (arch, plan, precision) = subject.parts();
    let Some(state) = RecurrentState::of(mixer, plan.spec().tp) else {
        return;
    };
    let d = f64::from(arch.hidden);
    let (t, x) = (load.group_tokens, precision.activations);
    let touches = load.state_touches();
    let columns = state.columns;
    let ends = d + columns;
    list.push(projection(Kind::InProj, d * columns, ends, precision, t));
    if let Some((gates, rank)) = state.gates {
        let (elements, ends) = (gates * rank * state.rows, gates * (rank + state.rows));
        list.push(projection(Kind::GateUp, elements, ends, precision, t));
    }
    if let Some(width) = state.conv {
        list.push(Operator {
            kind: Kind::Conv,
            kernel: KernelClass::Conv,
            flop: Flop::new(2.0 * width * t * state.channels),
            weights: Bytes::new(width * state.channels * precision.attention_weights),
            kv: Bytes::new(touches * state.conv_bytes()),
            activations: Bytes::new(2.0 * t * state.channels * x),
            rows: f64::INFINITY,
            per_context_token: PerToken::NONE,
        });
    }
    list.push(Operator {
        kind: Kind::Recurrence,
        kernel: KernelClass::Recurrence,
        flop: Flop::new(state.flop * t * state.elements),
        weights: Bytes::ZERO,
        kv: Bytes::new(touches * state.elements * state.state_bytes),
        activations: Bytes::new(t * (state.channels + state.rows) * x),
        rows: f64::INFINITY,
        per_context_token: PerToken::NONE,
    });
    let rows = state.rows * f64::from(plan.spec().tp) / f64::from(plan.group());
    list.push(projection(Kind::Out, rows * d, rows + d, precision, t));
}
