//! Names of what is compared: the comparison itself is the model's.

use model_core::disagg::own::{How, Parts, Way};

pub use model_core::disagg::own::Standing;
use model_core::plan::Overlap;

pub use model_core::disagg::decision::{
    Decision, SAME, Winner, divided, parts, ratio_of, ratios, winner,
};

/// "32 : 40", attention to feed-forward; "A" stands for what is pinned.
pub fn name(parts: &Parts) -> String {
    format!("{} : {}", parts.attention, parts.ffn)
}

/// A schedule together, after its name.
pub const fn schedule(way: &Way) -> &'static str {
    match way.how {
        How::Together(Overlap::TwoBatch) => "overlapped",
        How::Together(Overlap::HopB) => "HOP-B",
        How::Together(Overlap::Sequential) | How::Apart(_) => "one at a time",
    }
}
