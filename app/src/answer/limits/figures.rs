//! The row of limits in words, each with its symbol and meaning.

use super::Reach;
use crate::answer::around::{Around, Range};
use crate::answer::figures::{Better, FigureCell, price_text, versus};
use crate::answer::{Evaluated, Tone};
use crate::format;
use model_core::evaluate::with_batch;
use model_core::limits::best_batch;
use model_core::limits::saturation::saturation;

/// The batch, the largest that works, where either half saturates, where memory is full, and what the
/// largest costs.
pub fn cells(case: &Evaluated, reach: &Reach, pinned: Option<&Evaluated>) -> [FigureCell; 6] {
    let limits = &case.limits;
    let theirs = pinned.map(|pinned| saturation(&pinned.scenario));
    let cell =
        |name: &str, help, value: Option<f64>, then: Option<f64>, below: String| FigureCell {
            name: name.to_owned(),
            value: value.map_or_else(|| "never".to_owned(), batch),
            unit: if value.is_some() { "seq" } else { "" }.to_owned(),
            help,
            versus: value
                .zip(then)
                .map(|(now, then)| versus(now, then, Better::Neither, batch)),
            state: Some((below, Tone::Muted)),
            around: None,
        };
    let slo = case.scenario.workload.slo;
    let last = |own: Option<f64>, other: Option<f64>| match (own, other) {
        (Some(own), Some(other)) if own > other => " · the last",
        (Some(own), Some(other)) if own < other => " · the first",
        (Some(_), Some(_)) => " · both at once",
        (Some(_), None) => " · the first",
        (None, _) => "",
    };
    let (attention, ffn) = (reach.saturation.attention, reach.saturation.ffn);
    let paper = limits.b_moe.map_or_else(
        || "of a dense model".to_owned(),
        |b_moe| format!("B_MoE {}", batch(b_moe)),
    );
    let mut cells = [
        FigureCell {
            state: Some(now(case)),
            ..cell(
                "Your batch",
                "Sequences decoded at once over the whole deployment",
                Some(case.scenario.workload.batch),
                pinned.map(|case| case.scenario.workload.batch),
                String::new(),
            )
        },
        largest(case, reach, pinned),
        cell(
            "Attention saturates at",
            "Batch from which attention's largest projection computes longer than it reads, under this schedule and calibration. Below it B_attn, of one batch at full speed: ridge point × bytes per weight ÷ 2 × DP, [B] eq 10",
            attention,
            theirs.and_then(|theirs| theirs.attention),
            format!("B_attn {}{}", batch(limits.b_attn), last(attention, ffn)),
        ),
        cell(
            if limits.b_moe.is_some() {
                "Experts saturate at"
            } else {
                "Feed-forward saturates at"
            },
            "Batch from which the feed-forward's largest matrices compute longer than they are read, under this schedule and calibration. Below it B_MoE, of one batch at full speed: ridge point × bytes per weight ÷ 2 × experts ÷ experts per token, [B] eq 10",
            ffn,
            theirs.and_then(|theirs| theirs.ffn),
            format!("{paper}{}", last(ffn, attention)),
        ),
        cell(
            "Memory is full at",
            "B_cap, the largest batch that fits the memory, [B] eq 11",
            Some(limits.b_cap),
            pinned.map(|case| case.limits.b_cap),
            format!("B_cap{}", each(case, limits.b_cap)),
        ),
        cost(case, reach, pinned),
    ];
    if slo.is_none() {
        cells[1].help = "Without an SLO every batch that fits is fast enough";
    }
    // Beside a pinned scenario the difference says more than what only explains.
    for cell in &mut cells {
        let muted = cell
            .state
            .as_ref()
            .is_some_and(|(_, tone)| *tone == Tone::Muted);
        if cell.versus.is_some() && muted {
            cell.state = None;
        }
    }
    cells
}

/// " · 263 per GPU", where that is a whole number.
fn each(case: &Evaluated, sequences: f64) -> String {
    let text = case.sequences(sequences);
    if text.ends_with("per GPU") {
        format!(" · {text}")
    } else {
        String::new()
    }
}

/// "Keeps 30 tok/s per user up to 1,139".
fn largest(case: &Evaluated, reach: &Reach, pinned: Option<&Evaluated>) -> FigureCell {
    const HELP: &str = "The largest whole batch that fits and whose step, as evaluated, meets the SLO. B_SLO, of [B] eqs 12–13, is a bound without arithmetic that no step can beat";
    let Some(slo) = case.scenario.workload.slo else {
        return FigureCell {
            name: "Keeps the SLO up to".to_owned(),
            value: "none".to_owned(),
            unit: String::new(),
            help: HELP,
            versus: None,
            state: Some(("no SLO is set".to_owned(), Tone::Muted)),
            around: None,
        };
    };
    let then = pinned
        .and_then(|pinned| pinned.largest.ok())
        .map(|largest| largest.batch);
    let rate = with_batch(&case.scenario, reach.batch).map_or_else(
        |_| String::new(),
        |full| format!("{} tok/s/GPU", format::si(full.tokens_per_gpu)),
    );
    let each = each(case, reach.batch);
    let below = match each.strip_prefix(" · ") {
        Some(each) => format!("{each} · {rate}"),
        None => rate,
    };
    FigureCell {
        name: format!("Keeps {} tok/s per user up to", format::printed(slo)),
        value: batch(reach.batch),
        unit: "seq".to_owned(),
        help: HELP,
        versus: (reach.batch >= 1.0)
            .then_some(then)
            .flatten()
            .map(|then| versus(reach.batch, then, Better::More, batch)),
        state: Some(if reach.batch < 1.0 {
            ("no batch does".to_owned(), Tone::Bad)
        } else {
            (below, Tone::Muted)
        }),
        around: around(case, reach).map(|around| {
            let at = |slo: f64| {
                let mut asked = case.scenario;
                asked.workload.slo = Some(slo);
                best_batch(&asked)
            };
            let range = around.keeping(slo, at, format::si);
            Range {
                text: format!("{} seq", range.text),
                ..range
            }
        }),
    }
}

/// What measurements say of the largest batch that works.
fn around(case: &Evaluated, reach: &Reach) -> Option<Around> {
    let mut full = case.scenario;
    full.workload.batch = reach.batch;
    let evaluation = with_batch(&case.scenario, reach.batch).ok()?;
    Around::of(&case.inputs, &full, &evaluation)
}

/// What the largest batch that works costs.
fn cost(case: &Evaluated, reach: &Reach, pinned: Option<&Evaluated>) -> FigureCell {
    let at = |case: &Evaluated, batch: f64| {
        (batch >= 1.0)
            .then(|| with_batch(&case.scenario, batch).ok()?.dollars_per_mtok)
            .flatten()
    };
    let now = at(case, reach.batch);
    let then = pinned.and_then(|pinned| at(pinned, pinned.largest.ok()?.batch));
    let yours = case.scenario.workload.batch;
    let slow = case.scenario.workload.slo;
    let slow = slow.is_some_and(|slo| case.evaluation.tokens_per_user < slo);
    let below = match case.evaluation.dollars_per_mtok {
        None => "no price known: set one".to_owned(),
        Some(_) if !case.evaluation.memory.fits() => "yours does not fit".to_owned(),
        Some(_) if yours.to_bits() == reach.batch.to_bits() => "yours".to_owned(),
        Some(cost) => format!(
            "your {}: {}{}",
            format::count(yours),
            format::dollars(cost),
            if slow { ", too slow" } else { "" }
        ),
    };
    let price = case.scenario.dollars_per_hour;
    let at_price = price.map_or_else(String::new, |price| {
        format!(" · {}/GPU·h", price_text(price))
    });
    FigureCell {
        name: if reach.batch >= 1.0 {
            format!("Cost at {}{at_price}", format::sequences(reach.batch))
        } else {
            format!("Cost{at_price}")
        },
        value: now.map_or_else(|| format::NONE.to_owned(), format::dollars),
        unit: now.map_or("", |_| "/M tok").to_owned(),
        help: "Price of all GPUs for the time a million output tokens take, with the largest batch that works",
        versus: now
            .zip(then)
            .map(|(now, then)| versus(now, then, Better::Less, format::dollars)),
        state: Some((below, Tone::Muted)),
        around: now
            .zip(around(case, reach))
            .map(|(cost, around)| around.time(cost, format::dollars)),
    }
}

/// Where the batch stands among the limits.
fn now(case: &Evaluated) -> (String, Tone) {
    let memory = &case.evaluation.memory;
    if !memory.fits() {
        let excess = memory.most() / memory.usable;
        return (
            format!("does not fit: {}", format::factor(excess)),
            Tone::Bad,
        );
    }
    let reached = case.evaluation.tokens_per_user;
    match case.scenario.workload.slo {
        Some(slo) if reached < slo => (
            format!(
                "misses the SLO: {} of {} tok/s",
                format::below(reached, slo),
                format::printed(slo)
            ),
            Tone::Bad,
        ),
        Some(_) => (
            format!("meets the SLO, at {} tok/s", format::sig3(reached)),
            Tone::Muted,
        ),
        None => (
            format!(
                "{} of what fits",
                format::share(case.scenario.workload.batch / case.limits.b_cap)
            ),
            Tone::Muted,
        ),
    }
}

/// A limit, 0 where nothing fits.
fn batch(value: f64) -> String {
    if value < 1.0 {
        "0".to_owned()
    } else {
        format::sequences(value)
    }
}
