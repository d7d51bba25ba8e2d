//! What the page says about attention and feed-forward on GPUs of their own.

mod charts;
mod decided;
pub mod decision;
mod rows;
mod verdict;

pub use rows::{LatencyRow, MemoryRow, TopologyRow};

use super::Problem;
use super::advice::gpus as gpus_of;
use super::figures::FigureCell;
use super::problems::problems;
use super::sentence::{Sentence, Tone};
use crate::charts::{RatioData, StepsData, WaitsData};
use crate::format;
use decision::Decision;
use model_core::disagg::bundle::Bundle;
use model_core::disagg::latency::LatencySource;
use model_core::disagg::own::Way;
use model_core::disagg::ratio::{Answer, Point};
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
    /// The same GPUs together or apart, where latencies are theirs.
    decision: Option<Decision>,
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
        let decision = bundle.derived.and_then(|_| Decision::of(inputs));
        Ok(Self {
            inputs: *inputs,
            bundle,
            answer,
            asked,
            decision,
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

/// The comparison on one's own GPUs, or, of entered latencies, the bundle alone.
fn figures(case: &Case) -> [FigureCell; 6] {
    match &case.decision {
        Some(decision) => compared(case, decision),
        None => of_bundle(case),
    }
}

/// Both sides at one speed, how the GPUs divide, the open bundle, and who waits.
fn compared(case: &Case, decision: &Decision) -> [FigureCell; 6] {
    let cell =
        |name: &str, value: String, unit: &str, help, state: Option<(String, Tone)>| FigureCell {
            name: name.into(),
            value,
            unit: unit.into(),
            help,
            versus: None,
            state,
        };
    let none = || format::NONE.to_owned();
    let muted = |text: String| Some((text, Tone::Muted));
    let speed = |users: f64| format!("at {} tok/s per user", format::sig3(users));
    let rate = |way: &Option<Way>| way.map_or_else(none, |way| format::figure(way.per_gpu));
    let (together, apart) = (&decision.together, &decision.apart);
    let name = together.map_or_else(
        || "Together".to_owned(),
        |way| format!("Together, {}", decision::schedule(&way)),
    );
    let parts = decision.parts();
    let gpus = f64::from(decision.duel.gpus);
    let (each, feed_forward) = case.bundle.gpus();
    let best = &case.answer.best;
    let open = best.ratio * each / feed_forward;
    let asked = parts.map_or(case.asked, |parts| parts.point);
    let too_slow = || {
        format!(
            "none reaches {} tok/s per user",
            format::sig3(decision.users)
        )
    };
    [
        cell(
            &name,
            rate(together),
            "tok/s/GPU",
            "The most that the same GPUs serve together at this speed or faster, in the better of its schedules",
            muted(together.map_or_else(too_slow, |way| speed(way.users))),
        ),
        cell(
            "Apart, best parts",
            rate(apart),
            "tok/s/GPU",
            "The most that they serve with attention and feed-forward on GPUs of their own, two batches in flight, at this speed or faster",
            match (decision.factor(), apart) {
                (Some(factor), Some(way)) => {
                    let better = if factor < 1.0 { "worse" } else { "better" };
                    let tone = if factor < 1.0 { Tone::Bad } else { Tone::Help };
                    let change = format::percent_change(factor, 1.0);
                    let users = format::sig3(way.users);
                    Some((format!("{change} {better} at {users} tok/s"), tone))
                }
                (None, Some(way)) => muted(speed(way.users)),
                (_, None) => muted(too_slow()),
            },
        ),
        cell(
            &format!("Best parts of {}", gpus_of(gpus)),
            parts.map_or_else(none, |parts| decision::name(&parts)),
            "",
            "GPUs for attention and for the feed-forward",
            parts.and_then(|parts| {
                muted(format!(
                    "{} : 1, {} slots each",
                    format::count(f64::from(parts.instances)),
                    format::count(parts.slots)
                ))
            }),
        ),
        cell(
            "Best open ratio",
            format::sig3(open),
            ": 1 in GPUs",
            "GPUs of attention for each GPU of a feed-forward instance as the scenario shards it, with the most throughput and as many GPUs as it takes",
            muted(format!(
                "{} A + {} F GPUs",
                format::count((best.ratio * each).ceil()),
                format::count(feed_forward)
            )),
        ),
        cell(
            "Attention waits",
            format::share(asked.idle_attention),
            "",
            "Share of time that an attention instance stands idle in the best parts, in closed form",
            None,
        ),
        cell(
            "Feed-forward waits",
            format::share(asked.idle_ffn),
            "",
            "Share of time that the feed-forward stands idle in the best parts, in closed form",
            None,
        ),
    ]
}

fn of_bundle(case: &Case) -> [FigureCell; 6] {
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
    let short_of_closed = (reached < 0.995 * closed).then(|| {
        (
            format!("{} if messages hid", format::si(closed)),
            Tone::Muted,
        )
    });
    let short_of_best = (!case.at_best()).then(|| {
        let change = format::percent_change(asked.per_weight, best.per_weight);
        (format!("{change} of the best"), Tone::Bad)
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
            short_of_best.or(short_of_closed),
        ),
        cell(
            "Time per output token",
            format::duration(asked.tpot.get()).value,
            format::duration(asked.tpot.get()).unit,
            "Two batches in flight: twice the slowest part, or one's own way round where that is longer",
            None,
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
