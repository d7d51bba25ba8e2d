//! The charts' data.

use super::Case;
use crate::charts::{
    Barrier, RatioData, RatioMark, RatioPoint, RegimeSpan, SimulatedPoint, StepBar, StepLane,
    StepsData, WaitsData,
};
use crate::format;
use crate::theme::Role;
use model_core::disagg::ratio::{Point, Regime};
use model_core::disagg::simulate::{Interval, Step};
use model_core::disagg::swept::Shown;
use worker::simulate::{SimulateAnswer, Simulated};

/// The half's charts.
pub struct Charts {
    pub ratio: RatioData,
    pub waits: WaitsData,
    pub steps: StepsData,
}

/// Points of a curve.
const SAMPLES: u32 = 96;
const SOURCE: &str = "[R] eqs 5, 6 and 19; simulation as [R] 5.1";

/// All charts; `simulated` belongs to the same inputs.
pub fn charts(case: &Case, simulated: Option<&SimulateAnswer>) -> Charts {
    let curve = curve(case, simulated);
    let regimes = regimes(&curve);
    Charts {
        ratio: RatioData {
            regimes: regimes.clone(),
            marks: marks(case, &curve),
            now: point_at(case, &case.asked, simulated),
            per_gpu: case.per_gpu(),
            finding: format!("{} is best", to_one(case.answer.best.ratio)),
            nothing: "no ratio can be evaluated".to_owned(),
            source: SOURCE.to_owned(),
            curve: curve.clone(),
        },
        waits: WaitsData {
            finding: waits_finding(case),
            now: case.asked.ratio,
            per_gpu: case.per_gpu(),
            nothing: "no ratio can be evaluated".to_owned(),
            source: SOURCE.to_owned(),
            curve,
            regimes,
        },
        steps: steps(simulated),
    }
}

/// `9.32 to 1`.
pub fn to_one(ratio: f64) -> String {
    format!("{} to 1", format::sig3(ratio))
}

/// The part that sets the pace, as a role of the charts.
pub const fn pace(regime: Regime) -> Role {
    match regime {
        Regime::Attention => Role::Attention,
        Regime::Communication | Regime::FeedForwardLinks => Role::Messages,
        Regime::FeedForward => Role::Experts,
    }
}

/// Ratios from below the least to beyond the greatest that matters, evenly in their logarithm, with
/// everything that has a name or was simulated among them.
fn curve(case: &Case, simulated: Option<&SimulateAnswer>) -> Vec<RatioPoint> {
    let bundle = &case.bundle;
    let (setups, _) = bundle.swept();
    let least_of = |ratios: &[f64]| ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most_of = |ratios: &[f64]| ratios.iter().copied().fold(0.0, f64::max);
    let mut named: Vec<f64> = setups.iter().map(|setup| setup.ratio()).collect();
    named.extend([case.asked.ratio, case.answer.best.ratio]);
    let (least, most) = (least_of(&named) / 1.15, most_of(&named) * 1.15);
    named.extend([case.answer.r_attention, case.answer.r_communication]);
    named.extend(case.answer.r_links);
    named.push(case.answer.r_peak);
    let edge = bundle.ratio_within_domain(bundle.ffn_instances);
    named.extend([edge, edge * (1.0 + 1e-9)]);
    let span = libm::log(most / least);
    let step = |index: u32| least * libm::exp(span * f64::from(index) / f64::from(SAMPLES));
    let mut ratios: Vec<f64> = (0..=SAMPLES)
        .map(step)
        .chain(named)
        .filter(|ratio| (least * 0.999..=most * 1.001).contains(ratio))
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios.dedup_by(|a, b| (*a / *b - 1.0).abs() < 1e-12);
    ratios
        .into_iter()
        .map(|ratio| point_at(case, &bundle.at(ratio), simulated))
        .collect()
}

fn point_at(case: &Case, point: &Point, simulated: Option<&SimulateAnswer>) -> RatioPoint {
    let found = simulated.and_then(|answer| {
        answer
            .points
            .iter()
            .find(|simulated| (simulated.ratio / point.ratio - 1.0).abs() < 1e-9)
    });
    RatioPoint {
        ratio: point.ratio,
        tokens_per_s: if case.per_gpu() {
            point.per_weight
        } else {
            point.per_instance
        },
        tpot_s: point.tpot.get(),
        idle_attention: point.idle_attention,
        idle_ffn: point.idle_ffn,
        pace: pace(point.regime),
        simulated: found.map(|found| simulated_point(case, found)),
    }
}

fn simulated_point(case: &Case, simulated: &Simulated) -> SimulatedPoint {
    let (w_a, w_f) = case.bundle.weights();
    let weight =
        |per_instance: f64| per_instance * (simulated.ratio + 1.0) / (simulated.ratio * w_a + w_f);
    SimulatedPoint {
        tokens_per_s: weight(simulated.per_instance),
        generated_per_s: weight(simulated.per_instance_generated),
        tpot_s: simulated.tpot_s,
        idle_attention: simulated.idle_attention,
        idle_ffn: simulated.idle_ffn,
        straggling: simulated.straggling,
    }
}

fn regimes(curve: &[RatioPoint]) -> Vec<RegimeSpan> {
    let mut spans: Vec<RegimeSpan> = Vec::new();
    for point in curve {
        match spans.last_mut() {
            Some(last) if last.pace == point.pace => last.to = point.ratio,
            Some(last) => {
                // The change lies between two samples; the crossing itself is a sample.
                let from = last.to;
                spans.push(RegimeSpan {
                    from,
                    to: point.ratio,
                    pace: point.pace,
                });
            }
            None => spans.push(RegimeSpan {
                from: point.ratio,
                to: point.ratio,
                pace: point.pace,
            }),
        }
    }
    spans
}

/// r*, and the bounds of the theorem that lie within the curve; what coincides shares a rule.
fn marks(case: &Case, curve: &[RatioPoint]) -> Vec<RatioMark> {
    let answer = &case.answer;
    let mut marks = vec![RatioMark {
        ratio: answer.best.ratio,
        name: "r*".to_owned(),
        best: true,
    }];
    let bounds = [
        (Some(answer.r_attention), "r_A"),
        (Some(answer.r_communication), "r_C"),
        (answer.r_links, "r_L"),
        (Some(answer.r_peak), "r_peak"),
    ];
    let least = curve.first().map_or(0.0, |point| point.ratio);
    let most = curve.last().map_or(0.0, |point| point.ratio);
    for (ratio, name) in bounds {
        let Some(ratio) = ratio.filter(|ratio| (least..=most).contains(ratio)) else {
            continue;
        };
        match marks
            .iter_mut()
            .find(|mark| (mark.ratio / ratio - 1.0).abs() < 1e-6)
        {
            Some(known) => known.name.push_str(&format!(" = {name}")),
            None => marks.push(RatioMark {
                ratio,
                name: name.to_owned(),
                best: false,
            }),
        }
    }
    marks
}

fn waits_finding(case: &Case) -> String {
    let Point {
        idle_attention,
        idle_ffn,
        ratio,
        ..
    } = case.asked;
    let at = to_one(ratio);
    if idle_attention < 0.01 && idle_ffn < 0.01 {
        format!("Nobody at {at}, but for stragglers")
    } else if idle_attention > idle_ffn {
        format!(
            "Attention, {} of the time at {at}",
            format::share(idle_attention)
        )
    } else {
        format!("The feed-forward, {} at {at}", format::share(idle_ffn))
    }
}

/// The simulated steps at the ratio that is asked about.
fn steps(simulated: Option<&SimulateAnswer>) -> StepsData {
    let shown =
        simulated.and_then(|answer| Some((answer.timeline.as_ref()?, answer.points.first()?)));
    let Some((shown, point)) = shown.filter(|(shown, _)| !shown.steps.is_empty()) else {
        return StepsData {
            lanes: Vec::new(),
            barriers: Vec::new(),
            span_s: 0.0,
            finding: "Not simulated yet".to_owned(),
            nothing: "nothing simulated yet".to_owned(),
            source: String::new(),
        };
    };
    let begin = shown
        .steps
        .iter()
        .flat_map(|step| &step.attention)
        .map(|interval| interval.start.get())
        .fold(f64::INFINITY, f64::min);
    let end = shown
        .steps
        .iter()
        .map(|step| step.back.end.get())
        .fold(begin, f64::max);
    let finding = if point.attention_instances < 1.5 {
        "One attention instance waits for nobody".to_owned()
    } else {
        format!(
            "The slowest of {} takes {} the mean",
            format::count(point.attention_instances),
            format::factor(point.straggling)
        )
    };
    StepsData {
        lanes: lanes(shown, begin),
        barriers: shown
            .steps
            .iter()
            .map(|step| Barrier {
                at_s: barrier(step) - begin,
            })
            .collect(),
        span_s: end - begin,
        finding,
        nothing: String::new(),
        source: format!("simulated, {} requests in all", format::si(point.completed)),
    }
}

fn barrier(step: &Step) -> f64 {
    step.attention
        .iter()
        .map(|interval| interval.end.get())
        .fold(0.0, f64::max)
}

fn lanes(shown: &Shown, begin: f64) -> Vec<StepLane> {
    let attention = shown.instances.iter().enumerate().map(|(lane, instance)| {
        let bars = shown.steps.iter().filter_map(|step| {
            let interval = step.attention.get(lane)?;
            let last = barrier(step);
            Some(StepBar {
                start_s: interval.start.get() - begin,
                end_s: interval.end.get() - begin,
                batch: step.batch,
                last: shown.instances.len() > 1 && interval.end.get() >= last,
            })
        });
        StepLane {
            name: format!("A {}", instance + 1),
            full_name: format!("attention instance {}", instance + 1),
            role: Role::Attention,
            bars: bars.collect(),
        }
    });
    let shared = |of: fn(&Step) -> Interval| {
        let bar = |step: &Step| StepBar {
            start_s: of(step).start.get() - begin,
            end_s: of(step).end.get() - begin,
            batch: step.batch,
            last: false,
        };
        let bars = shown.steps.iter().map(bar);
        bars.filter(|bar| bar.end_s > bar.start_s).collect()
    };
    attention
        .chain([
            StepLane {
                name: "out".to_owned(),
                full_name: "messages to the feed-forward".to_owned(),
                role: Role::Messages,
                bars: shared(|step| step.out),
            },
            StepLane {
                name: "FFN".to_owned(),
                full_name: "feed-forward".to_owned(),
                role: Role::Experts,
                bars: shared(|step| step.ffn),
            },
            StepLane {
                name: "back".to_owned(),
                full_name: "messages back to attention".to_owned(),
                role: Role::Messages,
                bars: shared(|step| step.back),
            },
        ])
        .collect()
}
