//! The charts' data.

use super::decision::{self, Decision};
use super::{EvaluatedUnit, Stated};
use crate::charts::{
    Across, Rate, RatioData, RatioMark, RatioPace, SimulatedPoint, StepBar, StepLane, StepsData,
};
use crate::format;
use crate::theme::Role;
use model_core::apart::Scatter;
use model_core::disagg::latency::LatencyLine as Line;
use model_core::disagg::lengths::LengthModel;
use model_core::disagg::own::AfdUnit;
use model_core::disagg::ratio::{RatioPoint as Point, Regime};
use model_core::disagg::simulate::{Setup, SimulatedStep, Simulation, StepInterval as Interval};
use model_core::inputs::{Inputs, Number};
use model_core::order::sort_numbers;
use model_core::units::Seconds;
use worker::simulate::{SimulateAnswer, Simulated};

/// The half's charts.
pub struct Charts {
    pub ratio: RatioData,
    pub steps: StepsData,
    pub asks: Asks,
}

/// Request of a click on a point.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ask {
    /// The best division.
    Best,
    /// GPUs of attention, and of the feed-forward.
    Divided(u32, u32),
    /// Ratio of an xAyF unit with entered latencies.
    Ratio(f64),
}

/// Inputs set by clicks on points of a curve, computed when one is clicked.
#[derive(Debug, Clone, PartialEq)]
pub struct Asks {
    inputs: Inputs,
    points: Vec<Ask>,
}

impl Asks {
    const fn of(inputs: Inputs, points: Vec<Ask>) -> Self {
        Self { inputs, points }
    }

    /// Inputs set by a click on the n-th point.
    pub fn get(&self, index: usize) -> Option<Stated> {
        self.points.get(index).map(|ask| stated(&self.inputs, *ask))
    }
}

fn stated(inputs: &Inputs, ask: Ask) -> Stated {
    let ratio = match ask {
        Ask::Best => None,
        Ask::Divided(attention, ffn) => decision::ratio_of(inputs, attention, ffn).map(four_digits),
        Ask::Ratio(ratio) => Some(three_digits(ratio)),
    };
    vec![(Number::Ratio, ratio)]
}

/// Points of a curve over the ratio of entered latencies.
const SAMPLES: u32 = 96;
const SOURCE: &str = "[R] eqs 5, 6 and 19; simulation as [R] 5.1";
const OWN_SOURCE: &str = "two micro-batches in flight, each division in the sequences per micro-batch and rank that serve most; simulation as [R] 5.1";

/// All charts; `simulated` belongs to the same inputs.
pub fn charts(case: &EvaluatedUnit, simulated: Option<&SimulateAnswer>) -> Charts {
    let (ratio, asks) = match &case.decision {
        Some(decision) if decision.asked.is_some() => own(case, decision, simulated),
        _ => open(case, simulated),
    };
    Charts {
        ratio,
        steps: steps(case, simulated),
        asks: Asks::of(case.inputs, asks),
    }
}

const fn pace_of(regime: Regime) -> RatioPace {
    match regime {
        Regime::Attention => RatioPace::Attention,
        Regime::Communication => RatioPace::AttentionLinks,
        Regime::FeedForwardLinks => RatioPace::FfnLinks,
        Regime::FeedForward => RatioPace::FeedForward,
    }
}

/// Divisions of the visitor's own GPUs.
fn own(
    case: &EvaluatedUnit,
    decision: &Decision,
    simulated: Option<&SimulateAnswer>,
) -> (RatioData, Vec<Ask>) {
    let gpus = f64::from(decision.sides.gpus);
    let point = |parts: &AfdUnit| {
        let found = simulated.and_then(|answer| {
            let near = |found: &&Simulated| {
                (found.attention_instances - f64::from(parts.instances)).abs() < 0.5
            };
            answer.points.iter().find(near)
        });
        let per_gpu = |per_instance: f64| per_instance * (f64::from(parts.instances) + 1.0) / gpus;
        RatioMark {
            at: f64::from(parts.attention),
            ffn: f64::from(parts.ffn),
            slots: parts.slots,
            rate: parts.point.per_weight_in_flight,
            tpot_s: parts.point.tpot.get(),
            idle_attention: parts.point.idle_attention,
            idle_ffn: parts.point.idle_ffn,
            pace: pace_of(parts.point.regime),
            simulated: found.map(|found| SimulatedPoint {
                rate: per_gpu(found.per_instance_generated),
                completed_rate: per_gpu(found.per_instance),
                idle_attention: found.idle_attention,
                idle_ffn: found.idle_ffn,
                straggling: found.straggling,
            }),
        }
    };
    let asked = decision.asked.unwrap_or(AfdUnit {
        attention: 0,
        instances: 0,
        ffn: 0,
        slots: 0.0,
        point: case.asked,
    });
    // The curve of a division may differ from the point shown, where sequences are stated.
    let curve = decision.divisions.iter().map(|parts| {
        if parts.attention == asked.attention {
            &asked
        } else {
            parts
        }
    });
    let data = RatioData {
        curve: curve.clone().map(point).collect(),
        now: point(&asked),
        across: Across::Gpus {
            of: decision.sides.gpus,
            domain: case.inputs.get(Number::Domain).unwrap_or(1.0) as u32,
        },
        rate: Rate::PerGpu,
        finding: own_finding(decision, &asked),
        nothing: match decision.divisions.len() {
            1 => format!("{} is their only division", decision::name(&asked)),
            _ => "no division can be evaluated".to_owned(),
        },
        source: OWN_SOURCE.to_owned(),
    };
    (
        data,
        curve.map(|parts| ask(case, decision, parts)).collect(),
    )
}

/// Inputs that show this division; none for the best.
pub fn states(case: &EvaluatedUnit, decision: &Decision, parts: &AfdUnit) -> Stated {
    stated(&case.inputs, ask(case, decision, parts))
}

fn ask(case: &EvaluatedUnit, decision: &Decision, parts: &AfdUnit) -> Ask {
    let best = decision.best.or(decision.asked);
    let slots_stated = case.inputs.stated(Number::Slots).is_some();
    if best.is_some_and(|best| best.attention == parts.attention) && !slots_stated {
        return Ask::Best;
    }
    Ask::Divided(parts.attention, parts.ffn)
}

/// A ratio with four digits, enough to identify its division.
fn four_digits(ratio: f64) -> f64 {
    format!("{ratio:.3e}").parse().unwrap_or(ratio)
}

/// "32 of the 72 to attention; 36 would lose 10%", "2,368 to attention; 2,688 would lose 39%".
fn own_finding(decision: &Decision, asked: &AfdUnit) -> String {
    let gpus = decision.sides.gpus;
    if decision.afd.is_none() {
        return format!(
            "Too slow: below {} tok/s/user",
            format::sig3(decision.users)
        );
    }
    let best = decision.best.or(decision.asked);
    let count = |gpus: u32| format::count(f64::from(gpus));
    // The total is left out where numbers are long.
    let of = match gpus < 1000 {
        true => format!(" of the {gpus}"),
        false => String::new(),
    };
    let lead = format!("{}{of} to attention", count(asked.attention));
    let Some(best) = best else {
        return lead;
    };
    let rate = |parts: &AfdUnit| parts.point.per_weight_in_flight;
    if asked.attention != best.attention {
        let change = format::percent_change(rate(asked), rate(&best));
        return format!("{lead}: {change} of {}", count(best.attention));
    }
    let more = f64::from(best.attention) * 1.125;
    let away = |parts: &&AfdUnit| (f64::from(parts.attention) - more).abs();
    let other = decision
        .divisions
        .iter()
        .filter(|parts| parts.attention > best.attention)
        .min_by(|a, b| away(a).total_cmp(&away(b)));
    match other {
        Some(other) if rate(other) < 0.995 * rate(&best) => format!(
            "{lead}; {} would lose {}",
            count(other.attention),
            format::share(1.0 - rate(other) / rate(&best))
        ),
        _ => lead,
    }
}

/// The xAyF unit of entered latencies over its ratio.
fn open(case: &EvaluatedUnit, simulated: Option<&SimulateAnswer>) -> (RatioData, Vec<Ask>) {
    let curve = open_curve(case, simulated);
    let asks = curve
        .iter()
        .map(|point| {
            let best = (point.at / case.answer().best.ratio - 1.0).abs() < 0.002;
            if best {
                Ask::Best
            } else {
                Ask::Ratio(point.at)
            }
        })
        .collect();
    let data = RatioData {
        now: point_at(case, &case.asked, simulated),
        across: Across::Ratio,
        rate: if case.per_gpu() {
            Rate::PerGpu
        } else {
            Rate::PerRank
        },
        finding: format!("{} : 1 is best", format::sig3(case.answer().best.ratio)),
        nothing: "no ratio can be evaluated".to_owned(),
        source: SOURCE.to_owned(),
        curve,
    };
    (data, asks)
}

/// A ratio with three digits.
fn three_digits(ratio: f64) -> f64 {
    format!("{ratio:.2e}").parse().unwrap_or(ratio)
}

/// Ratios from below the least to beyond the greatest of interest, evenly in their logarithm, including all named and
/// simulated ones.
fn open_curve(case: &EvaluatedUnit, simulated: Option<&SimulateAnswer>) -> Vec<RatioMark> {
    let bundle = &case.bundle;
    let (setups, _) = bundle.swept();
    let least_of = |ratios: &[f64]| ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most_of = |ratios: &[f64]| ratios.iter().copied().fold(0.0, f64::max);
    let mut named: Vec<f64> = setups.iter().map(|setup| setup.ratio()).collect();
    named.extend([case.asked.ratio, case.answer().best.ratio]);
    let (least, most) = (least_of(&named) / 1.15, most_of(&named) * 1.15);
    named.extend([case.answer().r_attention, case.answer().r_communication]);
    named.extend(case.answer().r_links);
    named.push(case.answer().r_peak);
    let edge = bundle.ratio_within_domain(bundle.ffn_instances);
    named.extend([edge, edge * (1.0 + 1e-9)]);
    let span = libm::log(most / least);
    let step = |index: u32| least * libm::exp(span * f64::from(index) / f64::from(SAMPLES));
    let mut ratios: Vec<f64> = (0..=SAMPLES)
        .map(step)
        .chain(named)
        .filter(|ratio| (least * 0.999..=most * 1.001).contains(ratio))
        .collect();
    sort_numbers(&mut ratios);
    ratios.dedup_by(|a, b| (*a / *b - 1.0).abs() < 1e-12);
    ratios
        .into_iter()
        .map(|ratio| point_at(case, &bundle.at(ratio), simulated))
        .collect()
}

fn point_at(case: &EvaluatedUnit, point: &Point, simulated: Option<&SimulateAnswer>) -> RatioMark {
    let found = simulated.and_then(|answer| {
        answer
            .points
            .iter()
            .find(|simulated| (simulated.ratio / point.ratio - 1.0).abs() < 1e-9)
    });
    let (w_a, w_f) = case.bundle.weights();
    let simulated_point = |found: &Simulated| {
        let weight =
            |per_instance: f64| per_instance * (found.ratio + 1.0) / (found.ratio * w_a + w_f);
        SimulatedPoint {
            rate: weight(found.per_instance_generated),
            completed_rate: weight(found.per_instance),
            idle_attention: found.idle_attention,
            idle_ffn: found.idle_ffn,
            straggling: found.straggling,
        }
    };
    RatioMark {
        at: point.ratio,
        ffn: 1.0,
        slots: case.bundle.slots,
        rate: if case.per_gpu() {
            point.per_weight
        } else {
            point.per_instance
        },
        tpot_s: point.tpot.get(),
        idle_attention: point.idle_attention,
        idle_ffn: point.idle_ffn,
        pace: pace_of(point.regime),
        simulated: found.map(simulated_point),
    }
}

/// Simulated steps with derived times.
const DERIVED: u32 = 40;

/// Two periods of the division shown with derived times, and beside them the simulated time.
fn steps(case: &EvaluatedUnit, simulated: Option<&SimulateAnswer>) -> StepsData {
    let Point {
        attention,
        messages,
        ffn,
        ..
    } = case.asked;
    let fixed = LengthModel::of(Scatter::Fixed, 1.0, 1.0);
    let outcome = Simulation::run(Setup {
        attention_instances: 1,
        ffn_instances: 1,
        slots: 1,
        attention: Line {
            slope: Seconds::ZERO,
            intercept: attention,
        },
        ffn,
        messages,
        lengths: fixed,
        requests: DERIVED,
        seed: 1,
    });
    let outcome = outcome.filter(|_| case.has_division());
    let window = outcome.as_ref().and_then(|of| Window::of(&of.timeline));
    let (Some(outcome), Some(window)) = (&outcome, window) else {
        return StepsData {
            lanes: Vec::new(),
            periods_s: Vec::new(),
            finding: "No division".to_owned(),
            nothing: "no division to draw".to_owned(),
            source: String::new(),
        };
    };
    let derived = format::duration(case.asked.tpot.get());
    let finding = match simulated.and_then(|answer| answer.points.first()) {
        Some(point) => format!("{derived}; simulated {}", format::duration(point.tpot_s)),
        None => format!("{derived} for a token of every sequence"),
    };
    StepsData {
        lanes: lanes(&outcome.timeline, &window),
        periods_s: window.ends.iter().map(|end| end - window.begin).collect(),
        finding,
        nothing: String::new(),
        source: "derived, every attention rank alike".to_owned(),
    }
}

/// Window of two periods, from the step whose batch counts as the first.
struct Window {
    begin: f64,
    ends: [f64; 2],
    first: usize,
}

impl Window {
    fn of(steps: &[SimulatedStep]) -> Option<Self> {
        let begins = |index: usize| Some(steps.get(index)?.attention.first()?.start.get());
        // The step before the first is still running at the window's start.
        let (begin, middle, end) = (begins(1)?, begins(3)?, begins(5)?);
        let ascending = begin < middle && middle < end && (end - begin).is_finite();
        ascending.then(|| Self {
            begin,
            ends: [middle, end],
            first: steps[1].batch,
        })
    }

    /// An interval inside the window, cut to it.
    fn bar(&self, step: &SimulatedStep, interval: Interval) -> Option<StepBar> {
        let (start, end) = (interval.start.get(), interval.end.get());
        let (from, to) = (start.max(self.begin), end.min(self.ends[1]));
        (to > from).then(|| StepBar {
            start_s: from - self.begin,
            end_s: to - self.begin,
            batch: usize::from(step.batch != self.first),
            takes_s: end - start,
        })
    }
}

fn lanes(steps: &[SimulatedStep], window: &Window) -> Vec<StepLane> {
    type Of = fn(&SimulatedStep) -> Option<Interval>;
    let lanes: [(&str, &'static str, Role, Of); 4] = [
        ("attention", "attn", Role::Attention, |step| {
            step.attention.first().copied()
        }),
        ("links, out", "out", Role::Messages, |step| Some(step.out)),
        ("FFN", "FFN", Role::Experts, |step| Some(step.ffn)),
        ("links, back", "back", Role::Messages, |step| {
            Some(step.back)
        }),
    ];
    lanes
        .into_iter()
        .map(|(name, short, role, of)| StepLane {
            name: name.to_owned(),
            short,
            role,
            bars: steps
                .iter()
                .filter_map(|step| window.bar(step, of(step)?))
                .collect(),
        })
        .collect()
}
