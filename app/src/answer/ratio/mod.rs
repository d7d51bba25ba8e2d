//! What the page says about attention and feed-forward on GPUs of their own.

mod charts;
mod rows;
mod verdict;

pub use rows::{LatencyRow, MemoryRow, TopologyRow};

use super::Problem;
use super::figures::FigureCell;
use super::problems::problems;
use super::sentence::{Sentence, Tone};
use crate::charts::{RatioData, StepsData, WaitsData};
use crate::format;
use model_core::disagg::bundle::Bundle;
use model_core::disagg::latency::LatencySource;
use model_core::disagg::ratio::{Answer, Point};
use model_core::evaluate::{Evaluation, evaluate};
use model_core::scenario::refusal::Refusal;
use model_core::scenario::{Inputs, Mode, Number};
use std::sync::Arc;
use worker::simulate::SimulateAnswer;

/// Everything the Ratio half says.
#[derive(Debug, Clone, PartialEq)]
pub struct RatioView {
    /// The verdict: the best ratio and why, what is asked about, and whether apart beats together.
    pub verdict: Sentence,
    /// What to do about it.
    pub advice: Sentence,
    /// A number that would help, as a button: fewer slots, the best ratio.
    pub way_out: Option<WayOut>,
    /// The six figures, at the ratio that is asked about.
    pub figures: [FigureCell; 6],
    /// Whether both halves have room.
    pub fits: bool,
    /// "How many for each?"
    pub ratio: Arc<RatioData>,
    /// "Who waits?"
    pub waits: Arc<WaitsData>,
    /// "What happens in a step?"
    pub steps: Arc<StepsData>,
    /// The three latencies in words.
    pub latencies: Vec<LatencyRow>,
    /// What the latencies are.
    pub latencies_are: &'static str,
    /// Whole instances near the best ratio.
    pub topologies: Vec<TopologyRow>,
    /// What lies in a GPU of either half.
    pub memory: [MemoryRow; 2],
    /// What is assumed of the lengths, where it needs saying.
    pub lengths: String,
    /// Why the simulation lies below the closed form; empty until there is one.
    pub gap: String,
}

/// A single change that helps.
#[derive(Debug, Clone, PartialEq)]
pub struct WayOut {
    /// The number to state.
    pub number: Number,
    /// Its value; `None` for its default.
    pub value: Option<f64>,
    /// On the button.
    pub words: String,
}

/// A bundle with everything the half asks of the model once.
struct Case {
    inputs: Inputs,
    bundle: Bundle,
    answer: Answer,
    asked: Point,
    /// The same scenario with every GPU doing everything.
    together: Option<Evaluation>,
}

impl Case {
    fn new(inputs: &Inputs) -> Result<Self, Vec<Refusal>> {
        let bundle = inputs.bundle()?;
        let answer = bundle.answer();
        let asked = bundle.asked();
        let finite = |point: &Point| {
            point.per_weight.is_finite() && point.per_weight > 0.0 && point.tpot.get().is_finite()
        };
        if !(finite(&answer.best) && finite(&asked)) {
            return Err(vec![Refusal::NotFinite]);
        }
        let together = inputs.scenario().ok().and_then(|all| evaluate(&all).ok());
        Ok(Self {
            inputs: *inputs,
            bundle,
            answer,
            asked,
            together,
        })
    }

    /// Whether instances are counted in GPUs.
    const fn per_gpu(&self) -> bool {
        self.bundle.derived.is_some()
    }

    /// Whether what is asked about is the best ratio, to a percent.
    fn at_best(&self) -> bool {
        (self.asked.ratio / self.answer.best.ratio - 1.0).abs() < 0.01
    }
}

/// The link whose simulation belongs to these inputs.
pub fn simulated_link(inputs: &Inputs) -> String {
    let mut asked = *inputs;
    asked.mode = Mode::Simulate;
    model_core::permalink::write_inputs(&asked)
}

/// What the half says about `inputs`, with what has been simulated of exactly these inputs.
pub fn ratio_view(
    inputs: &Inputs,
    simulated: Option<&SimulateAnswer>,
) -> Result<RatioView, Vec<Problem>> {
    let case = Case::new(inputs).map_err(|refusals| problems(inputs, &refusals))?;
    let memory = rows::memory(&case);
    let charts = charts::charts(&case, simulated);
    Ok(RatioView {
        verdict: verdict::sentence(&case, &memory),
        advice: verdict::advice(&case, &memory),
        way_out: verdict::way_out(&case, &memory),
        figures: figures(&case),
        fits: memory.iter().all(|half| half.fits),
        ratio: Arc::new(charts.ratio),
        waits: Arc::new(charts.waits),
        steps: Arc::new(charts.steps),
        latencies: rows::latencies(&case),
        latencies_are: match inputs.latencies {
            LatencySource::Derived => "Slope × load + intercept, all layers",
            LatencySource::Table2 => "[R]'s cycles, of undisclosed length, read as µs",
        },
        topologies: rows::topologies(&case),
        memory,
        lengths: rows::lengths(&case),
        gap: simulated.map_or_else(String::new, rows::gap),
    })
}

fn figures(case: &Case) -> [FigureCell; 6] {
    let asked = &case.asked;
    let best = &case.answer.best;
    let cell =
        |name: &str, value: String, unit: &str, help, state: Option<(String, Tone)>| FigureCell {
            name: name.into(),
            value,
            unit: unit.into(),
            help,
            versus: None,
            state,
        };
    let limit = format!("{} in the long run", format::sig3(case.answer.limit.ratio));
    // What two batches in flight reach; the curve shows the closed form, in which messages hide.
    let (unit, reached, closed) = if case.per_gpu() {
        ("tok/s/GPU", asked.per_weight_in_flight, asked.per_weight)
    } else {
        (
            "tok/s/instance",
            asked.per_instance_in_flight,
            asked.per_instance,
        )
    };
    let short_of_closed =
        (reached < 0.995 * closed).then(|| format!("{} if messages hid", format::si(closed)));
    let together = case
        .together
        .filter(|_| case.per_gpu())
        .map(|together| format!("{} together", format::si(together.tokens_per_gpu)));
    let beside: Vec<String> = short_of_closed.into_iter().chain(together).collect();
    let beside = (!beside.is_empty()).then(|| (beside.join(" · "), Tone::Muted));
    let short_of_best = (!case.at_best()).then(|| {
        let change = format::percent_change(asked.per_weight, best.per_weight);
        (format!("{change} of the best"), Tone::Bad)
    });
    let step = case.together.filter(|_| case.per_gpu()).map(|together| {
        (
            format!("{} together", format::duration(together.tpot.get())),
            Tone::Muted,
        )
    });
    [
        cell(
            "Best ratio",
            format::sig3(best.ratio),
            "to 1",
            "Attention instances for each feed-forward instance with the most throughput, over the horizon of requests",
            Some((limit, Tone::Muted)),
        ),
        cell(
            "Throughput",
            format::figure(reached),
            unit,
            "Output tokens per second that two batches in flight reach at the ratio asked about, over everything in the bundle",
            short_of_best.or(beside),
        ),
        cell(
            "Time per output token",
            format::duration(asked.tpot.get()).value,
            format::duration(asked.tpot.get()).unit,
            "Two batches in flight: twice the slowest part, or one's own way round where that is longer",
            step,
        ),
        cell(
            "Interactivity",
            format::figure(1.0 / asked.tpot.get()),
            "tok/s/user",
            "Output tokens per second that one user receives",
            None,
        ),
        cell(
            "Attention waits",
            format::share(asked.idle_attention),
            "",
            "Share of time that an attention instance stands idle, in closed form",
            None,
        ),
        cell(
            "Feed-forward waits",
            format::share(asked.idle_ffn),
            "",
            "Share of time that the feed-forward stands idle, in closed form",
            None,
        ),
    ]
}
