//! The rules a shape keeps. Shapes from outside (links, config files) pass here before anything is
//! computed.

use std::fmt;

use super::{Arch, Ffn, Index, Mixer, Span};

/// A shape no model has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeError {
    /// A number out of its bounds.
    Bound {
        /// The field of the architecture.
        field: &'static str,
        /// Its value.
        value: u32,
        /// The least it can be.
        least: u32,
        /// The most it can be.
        most: u32,
    },
    /// A broken rule.
    Rule {
        /// The field of the architecture that breaks it.
        field: &'static str,
        /// The rule, as the end of a sentence.
        rule: &'static str,
    },
}

impl ShapeError {
    /// The field that is wrong.
    pub const fn field(&self) -> &'static str {
        match self {
            Self::Bound { field, .. } | Self::Rule { field, .. } => field,
        }
    }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bound {
                field,
                value,
                least,
                most,
            } => write!(out, "{field} = {value}, it takes {least} to {most}"),
            Self::Rule { field, rule } => write!(out, "{field}: {rule}"),
        }
    }
}

/// Room for different layers is all taken.
pub(super) const TOO_MANY: ShapeError = ShapeError::Rule {
    field: "layers",
    rule: "at most 8 different mixers, 8 feed-forwards and 16 kinds of layers are modelled",
};

const HEADS: u32 = 1 << 14;
const DIM: u32 = 1 << 14;
const RANK: u32 = 1 << 18;
const WIDTH: u32 = 1 << 24;
const TOKENS: u32 = 1 << 24;

type Checked = Result<(), ShapeError>;

fn within(field: &'static str, value: u32, least: u32, most: u32) -> Checked {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(ShapeError::Bound {
            field,
            value,
            least,
            most,
        })
    }
}

fn rule(holds: bool, field: &'static str, rule: &'static str) -> Checked {
    if holds {
        Ok(())
    } else {
        Err(ShapeError::Rule { field, rule })
    }
}

impl Arch {
    /// The first number or rule that makes no sense, if there is one.
    pub fn check(&self) -> Checked {
        within("hidden", self.hidden, 1, 1 << 20)?;
        within("vocab", self.vocab, 1, 1 << 24)?;
        within("residual_streams", self.residual_streams, 1, 16)?;
        for group in self.groups() {
            within("count", group.count, 1, 10_000)?;
            let parts = (group.mixer.is_some(), group.ffn.is_some());
            rule(
                parts.0 || parts.1,
                "mixer",
                "a layer has a mixer or a feed-forward",
            )?;
            rule(
                self.residual_streams == 1 || (parts.0 && parts.1),
                "residual_streams",
                "more than one needs a mixer and a feed-forward in every layer",
            )?;
        }
        within("layers", self.layers(), 1, 10_000)?;
        self.mixers()
            .iter()
            .try_for_each(|part| mixer(&part.shape))?;
        self.ffns().iter().try_for_each(|part| ffn(&part.shape))
    }
}

fn mixer(mixer: &Mixer) -> Checked {
    match mixer {
        Mixer::Grouped(shape) => {
            within("heads", shape.heads, 1, HEADS)?;
            within("kv_heads", shape.kv_heads, 1, shape.heads)?;
            within("head_dim", shape.head_dim, 1, DIM)?;
            within("value_dim", shape.value_dim, 1, DIM)?;
            rule(
                !shape.key_is_value || shape.value_dim == shape.head_dim,
                "key_is_value",
                "it needs value_dim equal to head_dim",
            )?;
            match shape.span {
                Span::Full => Ok(()),
                Span::Window(window) => within("window", window, 1, TOKENS),
                Span::Chunk(chunk) => within("chunk", chunk, 1, TOKENS),
                Span::Index(shape) => index(&shape),
            }
        }
        Mixer::Latent(shape) => {
            within("heads", shape.heads, 1, HEADS)?;
            within("q_rank", shape.q_rank.unwrap_or(1), 1, RANK)?;
            within("kv_rank", shape.kv_rank, 1, RANK)?;
            within("head_dim", shape.head_dim, 1, DIM)?;
            within("rope_dim", shape.rope_dim, 0, DIM)?;
            within("value_dim", shape.value_dim, 1, DIM)?;
            shape.index.iter().try_for_each(|shape| {
                index(shape)?;
                rule(
                    !shape.per_kv_head,
                    "per_kv_head",
                    "only grouped attention has key/value heads to select for",
                )
            })
        }
        Mixer::Compressed(shape) => {
            within("heads", shape.heads, 1, HEADS)?;
            within("head_dim", shape.head_dim, 1, DIM)?;
            within("q_rank", shape.q_rank, 1, RANK)?;
            within("window", shape.window, 1, TOKENS)?;
            within("out_groups", shape.out_groups, 1, HEADS)?;
            within("out_rank", shape.out_rank, 1, RANK)?;
            within("ratio", shape.ratio.unwrap_or(1), 1, TOKENS)?;
            shape.index.iter().try_for_each(|selects| {
                index(selects)?;
                rule(shape.ratio.is_some(), "index", "it needs a ratio")?;
                rule(selects.pool == 1, "pool", "it stays 1 under compressed")?;
                rule(selects.block == 1, "block", "it stays 1 under compressed")?;
                rule(
                    !selects.per_kv_head,
                    "per_kv_head",
                    "only grouped attention has key/value heads to select for",
                )
            })
        }
        Mixer::GatedDelta(shape) => {
            within("key_heads", shape.key_heads, 1, HEADS)?;
            within("value_heads", shape.value_heads, 1, HEADS)?;
            within("key_dim", shape.key_dim, 1, DIM)?;
            within("value_dim", shape.value_dim, 1, DIM)?;
            state(shape.state_bytes, shape.conv)
        }
        Mixer::Kda(shape) => {
            within("heads", shape.heads, 1, HEADS)?;
            within("head_dim", shape.head_dim, 1, DIM)?;
            state(shape.state_bytes, shape.conv)
        }
        Mixer::Lightning(shape) => {
            within("heads", shape.heads, 1, HEADS)?;
            within("head_dim", shape.head_dim, 1, DIM)?;
            state(shape.state_bytes, 1)
        }
        Mixer::Mamba2(shape) => {
            within("heads", shape.heads, 1, HEADS)?;
            within("head_dim", shape.head_dim, 1, DIM)?;
            within("groups", shape.groups, 1, HEADS)?;
            within("state_dim", shape.state_dim, 1, DIM)?;
            state(shape.state_bytes, shape.conv)
        }
    }
}

fn state(bytes: u32, conv: u32) -> Checked {
    within("conv", conv, 1, 64)?;
    within("state_bytes", bytes, 1, 8)
}

fn index(index: &Index) -> Checked {
    within("heads", index.heads, 1, HEADS)?;
    within("head_dim", index.head_dim, 1, DIM)?;
    within("top_k", index.top_k, 1, TOKENS)?;
    within("pool", index.pool, 1, TOKENS)?;
    within("block", index.block, 1, TOKENS)
}

fn ffn(ffn: &Ffn) -> Checked {
    match ffn {
        Ffn::Dense(shape) => {
            within("width", shape.width, 0, WIDTH)?;
            within("matrices", shape.matrices, 2, 3)
        }
        Ffn::Moe(shape) => {
            within("experts", shape.experts, 1, 1 << 16)?;
            within(
                "experts_per_token",
                shape.experts_per_token,
                1,
                shape.experts,
            )?;
            within("shared_experts", shape.shared_experts, 0, 1 << 10)?;
            within("expert_width", shape.expert_width, 1, WIDTH)?;
            within("shared_width", shape.shared_width, 1, WIDTH)?;
            within("matrices", shape.matrices, 2, 3)?;
            within("latent", shape.latent.unwrap_or(1), 1, WIDTH)
        }
    }
}
