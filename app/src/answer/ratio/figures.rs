//! The five figures of the mode.

use super::EvaluatedUnit;
use super::decision::{self, Decision};
use crate::answer::apart;
use crate::answer::around::Around;
use crate::answer::figures::FigureCell;
use crate::answer::sentence::Tone;
use crate::charts::SimulatedPoint;
use crate::format;
use model_core::disagg::own::{How, Way};
use model_core::evaluate::evaluate;
use model_core::inputs::{Mode, Number};
use worker::simulate::Simulated;

/// The comparison on the visitor's GPUs, or, with entered latencies, the xAyF unit alone; `simulated` is of the
/// inputs shown.
pub(super) fn figures(
    case: &EvaluatedUnit,
    simulated: Option<&Simulated>,
    rate: Option<&SimulatedPoint>,
) -> [FigureCell; 5] {
    let [first, second, third] = match &case.decision {
        Some(decision) => compared(case, decision, rate),
        None => of_bundle(case),
    };
    let idle = |name: &str, share: f64, measured: Option<f64>, help| {
        let shown = case.has_division();
        let state = measured
            .filter(|_| shown)
            .map(|share| (format!("simulated {}", format::share(share)), Tone::Muted));
        cell(
            (name, help),
            match shown {
                true => format::share(share),
                false => format::NONE.to_owned(),
            },
            if shown { "of its time" } else { "" },
            state,
        )
    };
    [
        first,
        second,
        third,
        idle(
            "Attention idle",
            case.asked.idle_attention,
            simulated.map(|point| point.idle_attention),
            "Share of time that an attention rank is idle in the division shown, derived",
        ),
        idle(
            "FFN idle",
            case.asked.idle_ffn,
            simulated.map(|point| point.idle_ffn),
            "Share of time that FFN ranks are idle in the division shown, derived",
        ),
    ]
}

fn cell(
    (name, help): (&str, &'static str),
    value: String,
    unit: &str,
    state: Option<(String, Tone)>,
) -> FigureCell {
    FigureCell {
        name: name.into(),
        value,
        unit: unit.into(),
        help,
        versus: None,
        state,
        around: None,
    }
}

/// Error band of a colocated plan; no AFD system was measured.
fn around(case: &EvaluatedUnit, way: &Way) -> Option<Around> {
    let How::Colocated(spec) = way.how else {
        return None;
    };
    let mut inputs = case.inputs;
    inputs.mode = Mode::Colocated;
    inputs = inputs.planned(&spec);
    inputs.state(Number::Batch, Some(way.batch));
    inputs.state(Number::Context, Some(case.bundle.lengths.context()));
    let scenario = inputs.scenario().ok()?;
    Around::of(&inputs, &scenario, &evaluate(&scenario).ok()?)
}

/// Both sides at one user speed, and the division of the GPUs.
fn compared(
    case: &EvaluatedUnit,
    decision: &Decision,
    simulated: Option<&SimulatedPoint>,
) -> [FigureCell; 3] {
    let muted = |text: String| Some((text, Tone::Muted));
    let speed = |users: f64| format!("{} tok/s/user", format::sig3(users));
    let rate = |way: &Option<Way>| {
        way.map_or_else(
            || format::NONE.to_owned(),
            |way| format::figure(way.per_gpu),
        )
    };
    let too_slow = || format!("none reaches {}", speed(decision.users));
    let (colocated, afd) = (&decision.colocated, &decision.afd);
    let name = colocated.map_or_else(
        || "Colocated".to_owned(),
        |way| format!("Colocated, {}", decision::schedule(&way)),
    );
    let of_colocated = colocated.map_or_else(too_slow, |way| {
        let change = decision::change(&case.inputs, &way);
        let change = change.map_or_else(String::new, |change| format!(" as {change}"));
        let prefill = match case.prompts {
            true => ", disaggregated prefill",
            false => "",
        };
        format!("at {}{change}{prefill}", speed(way.users))
    });
    let factor = decision.factor();
    let of_afd = match (factor, colocated, afd) {
        (Some(factor), Some(colocated), Some(way)) => {
            let tone = apart::tone([Some(colocated.per_gpu), Some(way.per_gpu)]);
            let simulated = simulated.map_or_else(String::new, |of| {
                format!(
                    ", simulated {}",
                    format::factor(of.rate / colocated.per_gpu)
                )
            });
            let factor = format::factor(factor);
            Some((format!("{factor} at {}{simulated}", speed(way.users)), tone))
        }
        (_, _, Some(way)) => muted(format!("at {}", speed(way.users))),
        (_, _, None) => muted(match decision.asked {
            Some(_) => too_slow(),
            None => "does not fit".to_owned(),
        }),
    };
    let parts = decision.asked;
    [
        FigureCell {
            around: colocated
                .and_then(|way| Some(around(case, &way)?.rate(way.per_gpu, format::figure))),
            ..cell(
                (
                    &name,
                    "The most that these GPUs serve colocated at equal user speed, as the scenario is or in the plan and batch that serve clearly more",
                ),
                rate(colocated),
                "tok/s/GPU",
                muted(of_colocated),
            )
        },
        cell(
            (
                "AFD",
                "The most that the same GPUs serve with attention and FFN on ranks of their own, two micro-batches in flight, at equal user speed; derived",
            ),
            rate(afd),
            "tok/s/GPU",
            of_afd,
        ),
        cell(
            (
                "Attention : FFN",
                "GPUs that run attention, and those that run the FFN",
            ),
            parts.map_or_else(|| format::NONE.to_owned(), |parts| decision::name(&parts)),
            "GPUs",
            parts.and_then(|parts| {
                muted(format!(
                    "{}, {} seq per micro-batch and rank",
                    decision::unit(&parts),
                    format::count(parts.slots)
                ))
            }),
        ),
    ]
}

/// Figures of the xAyF unit of entered latencies, as [R] counts them.
fn of_bundle(case: &EvaluatedUnit) -> [FigureCell; 3] {
    let (asked, best) = (&case.asked, &case.answer().best);
    let (unit, rate, reached) = if case.per_gpu() {
        ("tok/s/GPU", asked.per_weight, asked.per_weight_in_flight)
    } else {
        (
            "tok/s/rank",
            asked.per_instance,
            asked.per_instance_in_flight,
        )
    };
    let muted = |text: String| Some((text, Tone::Muted));
    let short_of_best = (!case.at_best()).then(|| {
        let change = format::percent_change(asked.per_weight, best.per_weight);
        (format!("{change} of the best"), Tone::Muted)
    });
    let with_two = (reached < 0.995 * rate).then(|| {
        (
            format!("{} with two micro-batches", format::figure(reached)),
            Tone::Muted,
        )
    });
    let tpot = format::duration(asked.tpot.get());
    [
        cell(
            (
                "Best ratio",
                "Attention ranks for each FFN rank with the most throughput, over the horizon of requests",
            ),
            format::sig3(best.ratio),
            ": 1",
            muted(format!(
                "{} in the long run",
                format::sig3(case.answer().limit.ratio)
            )),
        ),
        cell(
            (
                "Throughput",
                "Output tokens per second over all ranks in closed form, where other batches overlap communication",
            ),
            format::figure(rate),
            unit,
            short_of_best.or(with_two),
        ),
        cell(
            (
                "Time per output token",
                "Two micro-batches in flight: twice the slowest part, or one round where that is longer",
            ),
            tpot.value,
            tpot.unit,
            muted(format!(
                "{} tok/s/user",
                format::figure(1.0 / asked.tpot.get())
            )),
        ),
    ]
}
