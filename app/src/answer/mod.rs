//! What the page says about a scenario: words and chart data made from the model's results.
//!
//! Pure and native: the page draws an [`Answer`], it never calls the model itself.

pub mod sentence;

use crate::charts::{LatencyData, MemoryData, ParetoData, RooflineData};
pub use sentence::{Sentence, Span, Tone};

use model_core::scenario::Inputs;
use model_core::scenario::refusal::Refusal;
use model_core::scenario::remedy::Remedy;

/// What the page says about the current inputs, pinned scenario included.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The scenario is possible.
    Possible(Box<Answer>),
    /// It is not; said beside the control that caused it.
    Impossible(Vec<Problem>),
}

/// A broken rule, where it belongs, and what would repair it.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The link key of the control that caused it.
    pub key: &'static str,
    /// The rule with its facts.
    pub refusal: Refusal,
    /// The rule in words: "EP × FFN TP × PP must equal GPUs".
    pub rule: String,
    /// What it comes to: "64 × 1 × 1 = 64, not 72".
    pub facts: String,
    /// Single changes that make it possible, nearest first.
    pub remedies: Vec<Remedy>,
}

/// Everything the first screen says.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The verdict in one or two sentences.
    pub verdict: Sentence,
    /// What doubling each resource brings, largest first, the binding one always among them.
    pub gains: Vec<GainRow>,
    /// The six figures.
    pub figures: [FigureCell; 6],
    /// Whether everything fits the memory; if not, every figure but memory is "if it fit".
    pub fits: bool,
    /// The largest batch that fits, as a value of the batch control, where the current one does not.
    pub batch_that_fits: Option<f64>,
    /// Chart data.
    pub roofline: RooflineData,
    /// Chart data.
    pub latency: LatencyData,
    /// Chart data.
    pub pareto: ParetoData,
    /// Chart data.
    pub memory: MemoryData,
}

/// "2× scale-out link ▬▬ 1.44×".
#[derive(Debug, Clone, PartialEq)]
pub struct GainRow {
    /// What is improved: "2× scale-out link", "β_eb 0.8 → 1".
    pub label: String,
    /// The same, shorter, for a phone: "2× scale-out".
    pub short: String,
    /// Throughput then over throughput now.
    pub factor: f64,
    /// Length of its bar, 0 to 1 (doubling the throughput fills it).
    pub bar: f64,
}

/// One figure of the figures row.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureCell {
    /// "Time per output token".
    pub name: String,
    /// Value and unit: "79.8", "ms".
    pub value: String,
    /// See `value`.
    pub unit: String,
    /// What the value means and how it is computed, for a hover and screen readers.
    pub help: &'static str,
    /// Its difference from the pinned scenario.
    pub versus: Option<Versus>,
    /// A state of its own under the value, such as "does not fit: 1.16×", or "price not known".
    pub state: Option<(String, Tone)>,
}

/// "+44 % worse  A 55.3".
#[derive(Debug, Clone, PartialEq)]
pub struct Versus {
    /// "+44 % worse", "−31 % better", "same".
    pub change: String,
    /// Good, bad or neither.
    pub tone: Tone,
    /// The pinned scenario's value: "55.3".
    pub pinned: String,
}

/// Answers for `inputs`, compared with `pinned` if there is one (an impossible pinned scenario
/// compares as none).
pub fn answer(inputs: &Inputs, pinned: Option<&Inputs>) -> Outcome {
    let _ = (inputs, pinned);
    Outcome::Impossible(Vec::new())
}
