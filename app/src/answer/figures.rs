//! The row of six figures, with their differences from the pinned scenario.

use super::Evaluated;
use super::around::{Around, Range};
use super::sentence::Tone;
use crate::format;
use model_core::evaluate;
use model_core::inputs::Number;

/// One figure of the figures row.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureCell {
    /// "Time per output token".
    pub name: String,
    /// Its value: "79.8".
    pub value: String,
    /// Its unit, set lighter: "ms".
    pub unit: String,
    /// Meaning and formula, for a tooltip and screen readers.
    pub help: &'static str,
    /// Its difference from the pinned scenario.
    pub versus: Option<Versus>,
    /// Note under the value: "does not fit: 1.16×", "no price known".
    pub state: Option<(String, Tone)>,
    /// Error band of the value.
    pub around: Option<Range>,
}

/// "+44% worse  A 55.3".
#[derive(Debug, Clone, PartialEq)]
pub struct Versus {
    /// "+44% worse", "−31% better", "same".
    pub change: String,
    /// Good, bad or neither.
    pub tone: Tone,
    /// The pinned scenario's value: "55.3".
    pub pinned: String,
}

/// Direction of improvement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// Less of it.
    Less,
    /// More of it.
    More,
    /// It depends.
    Neither,
}

/// TPOT, interactivity, throughput per GPU, TTFT, cost and memory.
pub fn cells(case: &Evaluated, pinned: Option<&Evaluated>) -> [FigureCell; 6] {
    let around = Around::of(&case.inputs, &case.scenario, &case.evaluation);
    let pinned_fits = pinned.is_none_or(|pinned| pinned.evaluation.memory.fits());
    let quantity = |name: &str,
                    unit: &str,
                    help,
                    better,
                    value: f64,
                    then: Option<f64>,
                    text: fn(f64) -> String| {
        FigureCell {
            name: name.into(),
            value: text(value),
            unit: unit.into(),
            help,
            versus: then.map(|then| match pinned_fits {
                true => versus(value, then, better, text),
                false => unfit(then, text),
            }),
            state: None,
            around: around.as_ref().map(|around| match better {
                Better::Less => around.time(value, text),
                _ => around.rate(value, text),
            }),
        }
    };
    let now = &case.evaluation;
    let then = pinned.map(|case| &case.evaluation);
    // Prefill of other requests is no part of a step, but of the time between tokens.
    let prompts = now.prefills.map(|prefills| {
        let each = format::millis(prefills.per_token.get());
        (format!("{each} of it prefill of others"), Tone::Muted)
    });
    let yielded = case.scenario.workload.speculation.yielded();
    let steps = (yielded > 1.0 && pinned.is_none()).then(|| {
        let step = format::millis(now.step.get());
        let tokens = format::sig3(yielded);
        (format!("{step} step ÷ {tokens} tokens"), Tone::Muted)
    });
    let time = FigureCell {
        state: prompts.or(steps),
        ..quantity(
            "Time per output token",
            "ms",
            "TPOT: one step divided by the tokens it yields per sequence, plus the wait for aggregated prefill",
            Better::Less,
            now.tpot.as_millis(),
            then.map(|e| e.tpot.as_millis()),
            format::figure,
        )
    };
    [
        time,
        FigureCell {
            value: match case.scenario.workload.slo {
                Some(slo) if now.tokens_per_user < slo => format::below(now.tokens_per_user, slo),
                _ => format::si(now.tokens_per_user),
            },
            ..quantity(
                "Interactivity",
                "tok/s/user",
                "Tokens per second that one user sees: 1 ÷ TPOT",
                Better::More,
                now.tokens_per_user,
                then.map(|e| e.tokens_per_user),
                format::si,
            )
        },
        FigureCell {
            state: then.is_none().then(|| {
                let all = format!("{} tok/s in all", format::si(now.tokens));
                (all, Tone::Muted)
            }),
            ..quantity(
                "Throughput per GPU",
                "tok/s/GPU",
                "Output tokens per second ÷ GPUs",
                Better::More,
                now.tokens_per_gpu,
                then.map(|e| e.tokens_per_gpu),
                format::si,
            )
        },
        first_token(case, pinned),
        cost(case, pinned, around.as_ref()),
        memory(case, pinned),
    ]
}

/// Difference of a value from the pinned scenario's.
pub fn versus(now: f64, then: f64, better: Better, text: fn(f64) -> String) -> Versus {
    let change = format::percent_change(now, then);
    let (change, tone) = if change == "same" || change == format::NONE || better == Better::Neither
    {
        (change, Tone::Muted)
    } else if (now < then) == (better == Better::Less) {
        (format!("{change} better"), Tone::Help)
    } else {
        (format!("{change} worse"), Tone::Bad)
    };
    Versus {
        change,
        tone,
        pinned: text(then),
    }
}

/// Value of a pinned scenario that does not fit, without a judgement.
fn unfit(then: f64, text: fn(f64) -> String) -> Versus {
    Versus {
        change: String::new(),
        tone: Tone::Muted,
        pinned: format!("{} if it fit", text(then)),
    }
}

/// TTFT of one prompt with nothing decoding beside it: the stated one, else one as long as the context.
fn first_token(case: &Evaluated, pinned: Option<&Evaluated>) -> FigureCell {
    let of = |case: &Evaluated| evaluate::first_token(&case.inputs, &case.scenario);
    let prompt = case.inputs.stated(Number::MeanPrompt);
    let prompt = prompt.unwrap_or(case.scenario.workload.context);
    let seconds = |seconds: f64| format::duration(seconds).to_string();
    let time = of(case).map(|time| format::duration(time.get()));
    let then = pinned.and_then(of);
    FigureCell {
        name: "Time to first token".into(),
        value: time
            .as_ref()
            .map_or_else(|| format::NONE.to_owned(), |time| time.value.clone()),
        unit: time.map_or_else(String::new, |time| time.unit.to_owned()),
        help: "TTFT: prefill of one prompt in each attention group, with nothing decoding beside it and no queue. \
             Measured prefill took 1.05 to 2.3 times as long",
        versus: of(case)
            .zip(then)
            .map(|(now, then)| versus(now.get(), then.get(), Better::Less, seconds)),
        state: then.is_none().then(|| match of(case) {
            Some(_) => (
                format!("{}-token prompt", format::count(prompt)),
                Tone::Muted,
            ),
            None => ("not modelled with PP or KVP".to_owned(), Tone::Muted),
        }),
        around: None,
    }
}

fn cost(case: &Evaluated, pinned: Option<&Evaluated>, around: Option<&Around>) -> FigureCell {
    let price = case.scenario.dollars_per_hour;
    let name = price.map_or_else(
        || "Cost".to_owned(),
        |price| format!("Cost at {}/GPU·h", price_text(price)),
    );
    let now = case.evaluation.dollars_per_mtok;
    let then = pinned.and_then(|case| case.evaluation.dollars_per_mtok);
    FigureCell {
        name,
        value: now.map_or_else(|| format::NONE.to_owned(), format::dollars),
        unit: now.map_or("", |_| "/M tok").into(),
        help: "Price of all GPUs for the time a million output tokens take",
        versus: now.zip(then).map(|(now, then)| {
            let fits = pinned.is_none_or(|pinned| pinned.evaluation.memory.fits());
            match fits {
                true => versus(now, then, Better::Less, format::dollars),
                false => unfit(then, format::dollars),
            }
        }),
        state: now
            .is_none()
            .then(|| ("no price known: set one".into(), Tone::Muted)),
        around: now
            .zip(around)
            .map(|(cost, around)| around.time(cost, format::dollars)),
    }
}

/// A price list's dollars: "$2", "$1.30".
pub fn price_text(price: f64) -> String {
    if price.fract() == 0.0 {
        format!("${}", format::count(price))
    } else {
        format!("${price:.2}")
    }
}

fn memory(case: &Evaluated, pinned: Option<&Evaluated>) -> FigureCell {
    let memory = &case.evaluation.memory;
    let (total, usable) = (memory.most().as_gib(), memory.usable.as_gib());
    let excess = memory.most() / memory.usable;
    FigureCell {
        name: "Memory per GPU".into(),
        value: format::within(total, usable),
        unit: format!("of {} GiB", format::printed(usable)),
        help: "Weights, KV cache and activations of the fullest GPU",
        versus: pinned.map(|case| {
            let theirs = &case.evaluation.memory;
            let said = |better| versus(total, theirs.most().as_gib(), better, format::figure);
            match memory.usable == theirs.usable {
                true => said(Better::Less),
                // With another capacity more is not worse, so both show how full they are.
                false => Versus {
                    pinned: format!(
                        "{} of {}",
                        format::figure(theirs.most().as_gib()),
                        format::printed(theirs.usable.as_gib())
                    ),
                    ..said(Better::Neither)
                },
            }
        }),
        state: (!memory.fits()).then(|| {
            (
                format!("does not fit: {}", format::factor(excess)),
                Tone::Bad,
            )
        }),
        around: None,
    }
}
