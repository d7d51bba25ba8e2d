//! Colocated beside disaggregated, the same in both modes.

use model_core::disagg::decision::{Winner, winner};

use super::sentence::Tone;
use crate::format;

/// "At 8.51 tok/s per user: AFD 0.753×".
pub fn finding(users: f64, colocated: Option<f64>, other: Option<f64>, name: &str) -> String {
    let says = match (colocated, other) {
        (Some(colocated), Some(rate)) => format!("{name} {}", format::factor(rate / colocated)),
        (Some(_), None) => "only colocated".to_owned(),
        (None, Some(_)) => format!("only {name}"),
        (None, None) => "neither".to_owned(),
    };
    format!("At {} tok/s per user: {says}", format::sig3(users))
}

/// Colour of the disaggregated side beside the other, the same in every figure.
pub fn tone(compared: [Option<f64>; 2]) -> Tone {
    match compared {
        [Some(colocated), Some(other)] => match winner(other / colocated) {
            Winner::Disaggregated => Tone::Help,
            Winner::Colocated => Tone::Bad,
            Winner::Neither => Tone::Muted,
        },
        _ => Tone::Muted,
    }
}
