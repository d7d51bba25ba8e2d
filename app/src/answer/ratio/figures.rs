//! The five figures.

use super::Evaluated;
use super::decision::{self, Decision};
use crate::answer::advice;
use crate::answer::around::Around;
use crate::answer::figures::{FigureCell, price_text};
use crate::answer::sentence::Tone;
use crate::format;
use model_core::disagg::own::{How, Way};
use model_core::evaluate::evaluate;
use model_core::scenario::{Mode, Number};
use worker::simulate::SimulateAnswer;

/// The comparison on one's own GPUs, or, of entered latencies, the bundle alone.
pub(super) fn figures(case: &Evaluated, simulated: Option<&SimulateAnswer>) -> [FigureCell; 5] {
    let [throughput, other, bundle] = match &case.decision {
        Some(decision) => compared(case, decision),
        None => of_bundle(case),
    };
    let simulated = simulated.and_then(|answer| answer.points.first());
    let waits = |name: &str, share: f64, measured: Option<f64>, help| {
        let said = measured
            .filter(|_| case.reached())
            .map(|share| format!("simulated: {}", format::share(share)));
        cell(
            (name, help),
            match case.reached() {
                true => format::share(share),
                false => format::NONE.to_owned(),
            },
            if case.reached() { "of its time" } else { "" },
            said.map(|said| (said, Tone::Muted)),
        )
    };
    [
        throughput,
        other,
        bundle,
        waits(
            "Attention waits",
            case.asked.idle_attention,
            simulated.map(|point| point.idle_attention),
            "Share of time that an attention instance stands idle in the division that is shown, derived",
        ),
        waits(
            "Feed-forward waits",
            case.asked.idle_ffn,
            simulated.map(|point| point.idle_ffn),
            "Share of time that the feed-forward stands idle in the division that is shown, derived",
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

/// What measurements say of a way together; nothing like the other side was measured.
fn around(case: &Evaluated, way: &Way) -> Option<Around> {
    let How::Together(spec) = way.how else {
        return None;
    };
    let mut inputs = case.inputs;
    inputs.mode = Mode::Colocated;
    inputs = inputs.planned(&spec);
    inputs.state(Number::Batch, Some(way.batch));
    inputs.state(Number::Context, Some(case.open.lengths.context()));
    let scenario = inputs.scenario().ok()?;
    Around::of(&inputs, &scenario, &evaluate(&scenario).ok()?)
}

/// Both sides at one speed, and how the GPUs divide.
fn compared(case: &Evaluated, decision: &Decision) -> [FigureCell; 3] {
    let muted = |text: String| Some((text, Tone::Muted));
    let prompts = match case.prompts {
        true => ", prompts elsewhere",
        false => "",
    };
    let speed = |users: f64| format!("at {} tok/s/user{prompts}", format::sig3(users));
    let rate = |way: &Option<Way>| {
        let counted = way.map(|way| case.counted(way.per_gpu));
        counted.map_or_else(|| format::NONE.to_owned(), format::figure)
    };
    let unit = match case.price {
        Some(_) => "tok/$",
        None => "tok/s/GPU",
    };
    let (together, apart) = (&decision.together, &decision.apart);
    let name = together.map_or_else(
        || "Together".to_owned(),
        |way| format!("Together, {}", decision::schedule(&way)),
    );
    let too_slow = || format!("none reaches {} tok/s/user", format::sig3(decision.users));
    let gpus = decision.duel.gpus;
    // What is too slow is no best bundle.
    let parts = decision.parts();
    let basis = case.price.map_or_else(String::new, |price| {
        format!(", {}/h each", price_text(price))
    });
    [
        FigureCell {
            around: together.and_then(|way| {
                Some(around(case, &way)?.rate(case.counted(way.per_gpu), format::figure))
            }),
            ..cell(
                (
                    &name,
                    "The most that the same GPUs serve together at this speed or faster; of shardings within 3% of each other it may be any",
                ),
                rate(together),
                unit,
                muted(
                    together.map_or_else(too_slow, |_| format!("{}{basis}", speed(decision.users))),
                ),
            )
        },
        cell(
            (
                "Apart, best bundle",
                "The most that they serve with attention and feed-forward on GPUs of their own, two batches in flight, at this speed or faster; derived, simulated points are in the charts",
            ),
            rate(apart),
            unit,
            match (decision.factor(), apart) {
                (Some(factor), Some(way)) => {
                    let (word, tone) = match decision::winner(factor) {
                        decision::Winner::Together => (" worse", Tone::Bad),
                        decision::Winner::Apart => (" better", Tone::Help),
                        decision::Winner::Neither => (", level", Tone::Muted),
                    };
                    let change = format::percent_change(factor, 1.0);
                    let users = format::sig3(way.users);
                    Some((format!("{change}{word} at {users} tok/s"), tone))
                }
                (None, Some(way)) => muted(speed(way.users)),
                (_, None) => muted(too_slow()),
            },
        ),
        cell(
            (
                "Best bundle",
                "How many of the GPUs run attention, and how many the feed-forward",
            ),
            parts.map_or_else(|| format::NONE.to_owned(), |parts| decision::name(&parts)),
            "GPUs",
            parts.and_then(|parts| {
                muted(format!(
                    "{} of {} to 1 of {}",
                    if parts.instances == 1 {
                        "1 instance".to_owned()
                    } else {
                        format!("{} instances", format::count(f64::from(parts.instances)))
                    },
                    advice::gpus(f64::from(parts.attention / parts.instances.max(1))),
                    gpus - parts.attention
                ))
            }),
        ),
    ]
}

/// The bundle of entered latencies, as [R] counts it.
fn of_bundle(case: &Evaluated) -> [FigureCell; 3] {
    let (asked, best) = (&case.asked, &case.answer().best);
    let (unit, rate, reached) = if case.per_gpu() {
        ("tok/s/GPU", asked.per_weight, asked.per_weight_in_flight)
    } else {
        (
            "tok/s/instance",
            asked.per_instance,
            asked.per_instance_in_flight,
        )
    };
    let muted = |text: String| Some((text, Tone::Muted));
    let short_of_best = (!case.at_best()).then(|| {
        let change = format::percent_change(asked.per_weight, best.per_weight);
        (format!("{change} of the best"), Tone::Bad)
    });
    let with_two = (reached < 0.995 * rate).then(|| {
        (
            format!("{} with two batches", format::figure(reached)),
            Tone::Muted,
        )
    });
    let tpot = format::duration(asked.tpot.get());
    [
        cell(
            (
                "Best ratio",
                "Attention instances for each feed-forward instance with the most throughput, over the horizon of requests",
            ),
            format::sig3(best.ratio),
            "to 1",
            muted(format!(
                "{} in the long run",
                format::sig3(case.answer().limit.ratio)
            )),
        ),
        cell(
            (
                "Throughput",
                "Output tokens per second over everything in the bundle in closed form, where other batches hide messages",
            ),
            format::figure(rate),
            unit,
            short_of_best.or(with_two),
        ),
        cell(
            (
                "Time per output token",
                "Two batches in flight: twice the slowest part, or one's own way round where that is longer",
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
