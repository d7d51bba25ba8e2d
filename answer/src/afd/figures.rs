//! The five key figures of the mode *AFD ratio*.

use super::decision::{self, Decision};
use super::{EvaluatedUnit, SimulatedSide};
use crate::apart;
use crate::around::Around;
use crate::figures::{Better, FigureCell, versus};
use crate::words::format;
use crate::words::sentence::Tone;
use model_core::afd::own::{How, Way};
use model_core::evaluate::evaluate;
use model_core::inputs::{Mode, Number};
use worker::simulate::Simulated;

/// Returns the key figures: colocated vs. AFD on the user’s GPUs or, with entered latencies, the xAyF unit alone.
/// `simulated` must be the simulation of the inputs shown.
pub(super) fn figures(
    case: &EvaluatedUnit,
    pinned: Option<&EvaluatedUnit>,
    simulated: Option<&Simulated>,
    side: Option<&SimulatedSide>,
    rate: Option<f64>,
) -> [FigureCell; 5] {
    let mut cells = alone(case, simulated, side, rate);
    if let Some(pinned) = pinned.filter(|pinned| pinned.per_gpu() == case.per_gpu()) {
        compare(&mut cells, case, pinned, side);
    }
    cells
}

/// Adds the difference from the pinned scenario to each key figure. A simulated value is not compared with a
/// closed-form one.
fn compare(
    cells: &mut [FigureCell; 5],
    case: &EvaluatedUnit,
    pinned: &EvaluatedUnit,
    side: Option<&SimulatedSide>,
) {
    let both = [case, pinned].map(|of| of.decision.as_ref());
    let rates = |of: fn(&Decision) -> Option<f64>| {
        let [now, then] = both.map(|decision| of(decision?));
        Some(versus(now?, then?, Better::More, format::figure))
    };
    let idle = |of: fn(&EvaluatedUnit) -> f64| {
        let shown = case.has_division() && pinned.has_division();
        shown.then(|| versus(of(case), of(pinned), Better::Less, format::share))
    };
    let found = [
        rates(|decision| Some(decision.colocated?.per_gpu)),
        rates(|decision| Some(decision.afd?.per_gpu)).filter(|_| side.is_none()),
        None,
        idle(|of| of.asked.idle_attention),
        idle(|of| of.asked.idle_ffn),
    ];
    for (cell, versus) in cells.iter_mut().zip(found) {
        cell.versus = versus;
    }
}

/// Returns the key figures without a comparison to a pinned scenario.
fn alone(
    case: &EvaluatedUnit,
    simulated: Option<&Simulated>,
    side: Option<&SimulatedSide>,
    rate: Option<f64>,
) -> [FigureCell; 5] {
    let [first, second, third] = match &case.decision {
        Some(decision) => compared(case, decision, side, rate),
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
            if shown { "of step time" } else { "" },
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
            "Fraction of the step in which an attention rank is idle, for this A:F split; analytical",
        ),
        idle(
            "FFN idle",
            case.asked.idle_ffn,
            simulated.map(|point| point.idle_ffn),
            "Fraction of the step in which FFN ranks are idle, for this A:F split; analytical",
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

/// Returns the error band of a colocated plan; AFD has none, since no AFD system was measured.
fn around(case: &EvaluatedUnit, way: &Way) -> Option<Around> {
    let How::Colocated(spec) = way.how else {
        return None;
    };
    let mut inputs = case.inputs.with_anchored(None);
    inputs.mode = Mode::Colocated;
    inputs = inputs.planned(&spec);
    inputs.state(Number::Batch, Some(way.batch));
    inputs.state(Number::Context, Some(case.bundle.lengths.context()));
    let scenario = inputs.scenario().ok()?;
    Around::of(&inputs, &scenario, &evaluate(&scenario).ok()?)
}

/// Returns the first three key figures for the user’s GPUs: the throughputs of colocated and AFD at equal
/// interactivity, and the A:F split.
fn compared(
    case: &EvaluatedUnit,
    decision: &Decision,
    side: Option<&SimulatedSide>,
    simulated: Option<f64>,
) -> [FigureCell; 3] {
    let muted = |text: String| Some((text, Tone::Muted));
    let speed = |users: f64| format!("{} tok/s/user", format::sig3(users));
    let rate = |way: &Option<Way>| {
        way.map_or_else(
            || format::NONE.to_owned(),
            |way| format::figure(way.per_gpu),
        )
    };
    let too_slow = || match decision.users > 0.0 {
        true => format!("no batch reaches {}", speed(decision.users)),
        false => "no batch fits".to_owned(),
    };
    let (colocated, afd) = (&decision.colocated, &decision.afd);
    let name = colocated.map_or_else(
        || "Colocated".to_owned(),
        |way| format!("Colocated, {}", decision::schedule(&way)),
    );
    let of_colocated = colocated.map_or_else(too_slow, |way| {
        let prefill = match case.prompts {
            true => ", disaggregated prefill",
            false => "",
        };
        format!("at {}{prefill}", speed(way.users))
    });
    let factor = decision.factor();
    let of_afd = match (factor, colocated, afd) {
        _ if side.is_some() => side.map(|side| of_simulation(decision, side)),
        (Some(factor), Some(colocated), Some(way)) => {
            let tone = apart::tone([Some(colocated.per_gpu), Some(way.per_gpu)]);
            let simulated = simulated.map_or_else(String::new, |rate| {
                format!(", simulated {}", format::factor(rate / colocated.per_gpu))
            });
            let factor = format::factor(factor);
            Some((format!("{factor}{simulated}"), tone))
        }
        (_, _, Some(way)) => muted(format!("at {}", speed(way.users))),
        (_, _, None) => muted(match decision.asked {
            Some(_) => too_slow(),
            None => "out of memory".to_owned(),
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
                    "Best colocated throughput on these GPUs at the same tok/s/user; uses the current plan unless \
                        another is clearly better",
                ),
                rate(colocated),
                "tok/s/GPU",
                muted(of_colocated),
            )
        },
        match side {
            Some(side) => cell(
                (
                    "AFD, simulated",
                    "AFD throughput on the same GPUs, simulated request by request; differs from the closed form \
                        by more than 10%",
                ),
                format::figure(side.per_gpu),
                "tok/s/GPU",
                of_afd,
            ),
            None => cell(
                (
                    "AFD",
                    "Best AFD throughput on the same GPUs at the same tok/s/user, two micro-batches in flight; analytical",
                ),
                rate(afd),
                "tok/s/GPU",
                of_afd,
            ),
        },
        cell(
            ("Attention : FFN", "GPUs for attention : GPUs for FFN"),
            parts.map_or_else(|| format::NONE.to_owned(), |parts| decision::name(&parts)),
            "GPUs",
            parts.and_then(|parts| {
                muted(format!(
                    "{}, {} seq/micro-batch",
                    decision::unit(&parts),
                    format::count(parts.slots)
                ))
            }),
        ),
    ]
}

/// Compares simulated AFD with colocated: "54% less; closed form 18% less", or "misses: 17.2 of 25.0 tok/s/user" if
/// AFD is too slow.
fn of_simulation(decision: &Decision, side: &SimulatedSide) -> (String, Tone) {
    if !side.meets {
        let (users, least) = (
            format::below(side.users, decision.users),
            format::sig3(decision.users),
        );
        return (format!("misses: {users} of {least} tok/s/user"), Tone::Bad);
    }
    let users = format::sig3(side.users);
    let Some(colocated) = decision.colocated.map(|way| way.per_gpu) else {
        return (format!("at {users} tok/s/user"), Tone::Muted);
    };
    let over = format::factor(side.per_gpu / colocated);
    let closed = decision.factor().map_or_else(String::new, |factor| {
        format!("; closed form {}", format::factor(factor))
    });
    let tone = apart::tone([Some(colocated), Some(side.per_gpu)]);
    (format!("{over}{closed}"), tone)
}

/// Returns the first three key figures of an xAyF unit with entered latencies. Tokens are counted toward throughput as
/// in [R].
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
        (format!("{change} vs. the best"), Tone::Muted)
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
                "Attention ranks per FFN rank at peak throughput, averaged over the simulated requests",
            ),
            format::sig3(best.ratio),
            ": 1",
            muted(format!(
                "{} in steady state",
                format::sig3(case.answer().limit.ratio)
            )),
        ),
        cell(
            (
                "Throughput",
                "Output throughput averaged over all ranks; closed form, with communication overlapped",
            ),
            format::figure(rate),
            unit,
            short_of_best.or(with_two),
        ),
        cell(
            (
                "Time per output token",
                "Two micro-batches in flight: 2 × the slowest stage, or one full round trip if longer",
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
