//! The row of four key figures, with their differences from the pinned scenario.

use super::Evaluated;
use crate::around::{Around, Range};
use crate::words::format;
use crate::words::sentence::Tone;
use model_core::engine_memory::MemoryModel;
use model_core::evaluate;

/// One of the four key figures.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureCell {
    /// Name of the figure: "Time per output token".
    pub name: String,
    /// Value of the figure, without unit: "79.8".
    pub value: String,
    /// Unit of the figure, shown in lighter type: "ms".
    pub unit: String,
    /// Meaning and formula of the figure, for the tooltip and screen readers.
    pub help: &'static str,
    /// Difference from the pinned scenario, if there is one.
    pub versus: Option<Versus>,
    /// Note below the value: "out of memory: 1.16×", "set a price".
    pub state: Option<(String, Tone)>,
    /// Error band of the figure's value.
    pub around: Option<Range>,
}

/// Difference of a figure from the pinned scenario, shown as "41% less" and "was 25.3".
#[derive(Debug, Clone, PartialEq)]
pub struct Versus {
    /// Relative change: "44% more", "31% less", "22× as long", "same".
    pub change: String,
    /// Tone of the change: better, worse or neutral.
    pub tone: Tone,
    /// Value in the pinned scenario: "25.3".
    pub pinned: String,
}

/// Direction in which a key figure improves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// A smaller value is better, as for cost.
    Less,
    /// A shorter time is better, as for TPOT.
    Sooner,
    /// A larger value is better, as for throughput.
    More,
    /// Neither a smaller nor a larger value is better in general.
    Neither,
}

/// Returns the four key figures: TPOT (with interactivity and TTFT), throughput per GPU, cost and memory.
pub fn cells(case: &Evaluated, pinned: Option<&Evaluated>) -> [FigureCell; 4] {
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
                Better::Less | Better::Sooner => around.time(value, text),
                _ => around.rate(value, text),
            }),
        }
    };
    let now = &case.evaluation;
    let then = pinned.map(|case| &case.evaluation);
    let time = FigureCell {
        state: pinned
            .is_none()
            .then(|| (speed(case).join(" · "), Tone::Muted)),
        ..quantity(
            "Time per output token",
            "ms",
            "TPOT: step time ÷ tokens per sequence in a step, plus prefill time of other requests. TTFT: prefill \
                of one prompt, without concurrent decode or queueing; measured prefill takes 1.05–2.3× as long",
            Better::Sooner,
            now.tpot.as_millis(),
            then.map(|e| e.tpot.as_millis()),
            format::figure,
        )
    };
    [
        time,
        FigureCell {
            state: then.is_none().then(|| {
                let all = format!("{} tok/s total", format::si(now.tokens));
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
        cost(case, pinned, around.as_ref()),
        memory(case, pinned),
    ]
}

/// Compares a value with the pinned scenario's value.
pub fn versus(now: f64, then: f64, better: Better, text: fn(f64) -> String) -> Versus {
    let times = match better {
        Better::Sooner => " as long",
        _ => " as much",
    };
    let tone = match better {
        _ if !format::changes(now, then) => Tone::Muted,
        Better::Neither => Tone::Muted,
        Better::More if now > then => Tone::Help,
        Better::Less | Better::Sooner if now < then => Tone::Help,
        _ => Tone::Bad,
    };
    Versus {
        change: format::change(now, then, times),
        tone,
        pinned: text(then),
    }
}

/// Returns the comparison with a pinned scenario that does not fit in memory. Its value is shown, but the difference
/// is marked neither better nor worse.
fn unfit(then: f64, text: fn(f64) -> String) -> Versus {
    Versus {
        change: String::new(),
        tone: Tone::Muted,
        pinned: format!("{} if it fit in memory", text(then)),
    }
}

/// Returns the latency figures shown below TPOT: "10.4 tok/s/user" and "TTFT 464 ms". Adds the part of TPOT spent on
/// prefill of other requests, if any. Otherwise, if a step yields several tokens, adds the step time.
fn speed(case: &Evaluated) -> Vec<String> {
    let now = &case.evaluation;
    let user = match case.scenario.workload.slo {
        Some(slo) if now.tokens_per_user < slo => format::below(now.tokens_per_user, slo),
        _ => format::si(now.tokens_per_user),
    };
    let first = evaluate::first_token(&case.inputs, &case.scenario);
    let first = first.map(|time| format!("TTFT {}", format::duration(time.get())));
    let prompts = now.prefills.map(|prefills| {
        let each = format::millis(prefills.per_token.get());
        format!("incl. {each} prefill of other requests")
    });
    let yielded = case.scenario.workload.speculation.yielded();
    let steps = (yielded > 1.0 && prompts.is_none()).then(|| {
        let step = format::millis(now.step.get());
        format!("{step} step ÷ {} tokens", format::sig3(yielded))
    });
    [Some(format!("{user} tok/s/user")), first, prompts, steps]
        .into_iter()
        .flatten()
        .collect()
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
        help: "Price of all GPUs for the time to generate 1M output tokens",
        versus: now.zip(then).map(|(now, then)| {
            let fits = pinned.is_none_or(|pinned| pinned.evaluation.memory.fits());
            match fits {
                true => versus(now, then, Better::Less, format::dollars),
                false => unfit(then, format::dollars),
            }
        }),
        state: now.is_none().then(|| ("set a price".into(), Tone::Muted)),
        around: now
            .zip(around)
            .map(|(cost, around)| around.time(cost, format::dollars)),
    }
}

/// Formats a price per GPU-hour; cents are omitted from whole dollars: "$2", "$1.30".
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
        help: match case.scenario.memory_model {
            MemoryModel::Model => "Weights, KV cache and activations on the most loaded GPU",
            MemoryModel::Engine(_) => "Weights, engine memory and KV cache on the most loaded GPU",
        },
        versus: pinned.map(|case| {
            let theirs = &case.evaluation.memory;
            let said = |better| versus(total, theirs.most().as_gib(), better, format::figure);
            match memory.usable == theirs.usable {
                true => said(Better::Less),
                // If capacities differ, more memory use is not worse; show how full both are.
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
                format!("out of memory: {}", format::factor(excess)),
                Tone::Bad,
            )
        }),
        around: None,
    }
}
