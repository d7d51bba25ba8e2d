//! Key figures of the Limits view: one limit on the batch per figure, with the limit's symbol below the value.

use crate::around::{Around, Range};
use crate::figures::{Better, FigureCell, price_text, versus};
use crate::words::format;
use crate::words::names::resource;
use crate::{Evaluated, Tone};
use model_core::bottleneck::Bottleneck;
use model_core::evaluate::with_batch;
use model_core::limits::best_batch;
use model_core::limits::saturation::saturation;

/// Returns the six figures: the current batch, four limits, and the cost at the largest feasible batch. The limits
/// are the SLO, the saturation of attention and of FFN, and the memory capacity.
pub fn cells(case: &Evaluated, pinned: Option<&Evaluated>) -> [FigureCell; 6] {
    let (own, theirs) = (
        saturation(&case.scenario),
        pinned.map(|pinned| saturation(&pinned.scenario)),
    );
    let moe = case.limits.b_moe.is_some();
    let mut cells = [
        your_batch(case, pinned),
        under_slo(case, pinned),
        FigureCell {
            name: "Attn GEMMs saturate at".into(),
            help: reason(own.attention).unwrap_or("Batch at which the largest attention projection turns compute-bound, with this schedule and calibration. [B] eq 10 gives B_attn at peak: (ridge point × bytes per weight ÷ 2) × DP"),
            ..saturates(case, Some(("B_attn", case.limits.b_attn)), own.attention, theirs.and_then(|theirs| theirs.attention))
        },
        FigureCell {
            name: if moe { "Experts saturate at" } else { "FFN saturates at" }.into(),
            help: reason(own.ffn).unwrap_or("Batch at which the largest expert (or dense FFN) GEMM turns compute-bound, with this schedule and calibration. [B] eq 10 gives B_MoE at peak: (ridge point × bytes per weight ÷ 2) × (experts ÷ experts per token)"),
            ..saturates(case, case.limits.b_moe.map(|ideal| ("B_MoE", ideal)), own.ffn, theirs.and_then(|theirs| theirs.ffn))
        },
        memory_full(case, pinned),
        cost(case, pinned),
    ];
    // With a pinned scenario, the difference replaces the muted note below the value.
    for cell in &mut cells {
        let muted = |(_, tone): &(String, Tone)| *tone == Tone::Muted;
        if cell.versus.is_some() && cell.state.as_ref().is_some_and(muted) {
            cell.state = None;
        }
    }
    cells
}

/// Returns the figure that shows a limit of the batch, in sequences; "–" if the limit does not apply.
fn limit(value: Option<f64>, then: Option<f64>, better: Better) -> FigureCell {
    FigureCell {
        name: String::new(),
        value: value.map_or_else(|| format::NONE.to_owned(), format::sequences),
        unit: if value.is_some() { "seq" } else { "" }.to_owned(),
        help: "",
        versus: value
            .zip(then)
            .map(|(now, then)| versus(now, then, better, format::sequences)),
        state: None,
        around: None,
    }
}

fn your_batch(case: &Evaluated, pinned: Option<&Evaluated>) -> FigureCell {
    let batch = |case: &Evaluated| case.scenario.workload.batch;
    FigureCell {
        name: "Your batch".into(),
        help: "Concurrent sequences per replica",
        state: Some(now(case)),
        ..limit(Some(batch(case)), pinned.map(batch), Better::Neither)
    }
}

/// Returns a note that compares the current batch with the memory limit and the SLO, and the note's tone.
fn now(case: &Evaluated) -> (String, Tone) {
    let memory = &case.evaluation.memory;
    if !memory.fits() {
        let excess = memory.most() / memory.usable;
        return (
            format!("out of memory: {}", format::factor(excess)),
            Tone::Bad,
        );
    }
    let reached = case.evaluation.tokens_per_user;
    match case.scenario.workload.slo {
        Some(slo) if reached < slo => (
            format!(
                "misses the SLO: {} of {} tok/s/user, {}",
                format::below(reached, slo),
                format::printed(slo),
                resource(Bottleneck::of(&case.scenario, &case.evaluation).largest())
            ),
            Tone::Bad,
        ),
        Some(_) => (
            format!("meets the SLO at {} tok/s/user", format::sig3(reached)),
            Tone::Muted,
        ),
        None => {
            let share = case.scenario.workload.batch / case.limits.b_cap;
            (
                format!("{} of the maximum", format::share(share)),
                Tone::Muted,
            )
        }
    }
}

fn under_slo(case: &Evaluated, pinned: Option<&Evaluated>) -> FigureCell {
    let slo = case.scenario.workload.slo;
    let largest = |case: &Evaluated| case.largest.ok().map(|largest| largest.batch);
    let batch = slo.and(largest(case));
    FigureCell {
        name: "Max batch under SLO".into(),
        help: match (slo, batch) {
            (None, _) => "No SLO set, so every batch that fits is feasible",
            (Some(_), None) => "No batch of this plan fits and meets the SLO",
            (Some(_), Some(_)) => {
                "Largest batch that fits and meets the SLO in the full model. B_SLO of [B] eqs 12–13 ignores \
                    compute, so it is only an upper bound"
            }
        },
        state: Some(match (slo, batch) {
            (None, _) => ("no SLO set".to_owned(), Tone::Muted),
            (_, Some(batch)) => (per_gpu(case, batch, "B_SLO"), Tone::Muted),
            (_, None) => ("no batch meets the SLO".to_owned(), Tone::Bad),
        }),
        around: batch.and_then(|batch| range(case, slo?, batch)),
        ..limit(batch, pinned.and_then(largest), Better::More)
    }
}

/// Returns the error band of the largest batch that meets the SLO.
fn range(case: &Evaluated, slo: f64, batch: f64) -> Option<Range> {
    let at = |slo: f64| {
        let mut asked = case.scenario;
        asked.workload.slo = Some(slo);
        best_batch(&asked)
    };
    let range = around(case, batch)?.keeping(slo, at, format::si);
    Some(Range {
        text: format!("{} seq", range.text),
        ..range
    })
}

fn around(case: &Evaluated, batch: f64) -> Option<Around> {
    let mut full = case.scenario;
    full.workload.batch = batch;
    let evaluation = with_batch(&case.scenario, batch).ok()?;
    Around::of(&case.inputs, &full, &evaluation)
}

/// Returns the reason why there is no saturation batch to show; `None` if there is one.
fn reason(batch: Option<f64>) -> Option<&'static str> {
    match batch {
        None => Some("Memory-bound at every batch in range"),
        Some(batch) if batch <= 1.0 => Some("Compute-bound even at batch 1"),
        Some(_) => None,
    }
}

/// Returns the figure of a saturation batch, which depends on the calibration. The note below it has [B]'s saturation
/// batch at peak rates.
fn saturates(
    case: &Evaluated,
    ideal: Option<(&str, f64)>,
    batch: Option<f64>,
    then: Option<f64>,
) -> FigureCell {
    let batch = batch.filter(|batch| *batch > 1.0);
    let beyond = batch.is_some_and(|batch| batch > case.limits.b_cap);
    // Keep the note on one line, so that the layout does not shift with the batch.
    let ends = if beyond { " · > memory" } else { " at peak" };
    let ideal = ideal.map(|(symbol, ideal)| format!("{symbol} {}{ends}", format::count(ideal)));
    let below = ideal.unwrap_or_default();
    FigureCell {
        state: (batch.is_some() && !below.is_empty()).then_some((below, Tone::Muted)),
        ..limit(batch, then, Better::Neither)
    }
}

fn memory_full(case: &Evaluated, pinned: Option<&Evaluated>) -> FigureCell {
    let room = |case: &Evaluated| Some(case.limits.b_cap).filter(|room| *room >= 1.0);
    let own = room(case);
    FigureCell {
        name: "Memory full at".into(),
        help: match own {
            Some(_) => "Largest batch that fits in GPU memory, in whole sequences, [B] eq 11",
            None => "The weights leave no room for one sequence per attention rank",
        },
        state: own.map(|room| (per_gpu(case, room, "B_cap"), Tone::Muted)),
        ..limit(own, pinned.and_then(room), Better::Neither)
    }
}

/// Returns a limit's symbol, followed by the limit in sequences per GPU if that is a whole number: "B_cap · 415 per
/// GPU".
fn per_gpu(case: &Evaluated, batch: f64, symbol: &str) -> String {
    match case.whole_per_gpu(batch) {
        Some(each) => format!("{symbol} · {} per GPU", format::count(each)),
        None => symbol.to_owned(),
    }
}

/// Returns the figure of the cost at the largest feasible batch.
fn cost(case: &Evaluated, pinned: Option<&Evaluated>) -> FigureCell {
    let largest = |case: &Evaluated| case.largest.ok().map(|largest| largest.batch);
    let dollars = |case: &Evaluated| {
        with_batch(&case.scenario, largest(case)?)
            .ok()?
            .dollars_per_mtok
    };
    let (batch, now) = (largest(case), dollars(case));
    let (yours, slo) = (&case.evaluation, case.scenario.workload.slo);
    let slow = slo.is_some_and(|slo| yours.tokens_per_user < slo);
    let own = case.scenario.workload.batch;
    let below = match yours.dollars_per_mtok {
        None => "set a price".to_owned(),
        Some(_) if !yours.memory.fits() => "your batch is out of memory".to_owned(),
        Some(_) if batch == Some(own) => "your batch".to_owned(),
        Some(cost) => format!(
            "your batch {}: {}{}",
            format::count(own),
            format::dollars(cost),
            if slow { ", too slow" } else { "" }
        ),
    };
    let at_batch = batch.map(|batch| format!("at {}", format::sequences(batch)));
    let price = case.scenario.dollars_per_hour;
    let at_price = price.map(|price| format!("· {}/GPU·h", price_text(price)));
    let name = [Some("Cost".to_owned()), at_batch, at_price];
    FigureCell {
        name: name.into_iter().flatten().collect::<Vec<_>>().join(" "),
        value: now.map_or_else(|| format::NONE.to_owned(), format::dollars),
        unit: now.map_or("", |_| "/M tok").to_owned(),
        help: match (batch, price) {
            (None, _) => "No batch of this plan is feasible",
            (_, None) => "No list price for this GPU; set one",
            _ => {
                "Price of all GPUs for the time to generate 1M output tokens at the largest feasible batch"
            }
        },
        versus: now
            .zip(pinned.and_then(dollars))
            .map(|(now, then)| versus(now, then, Better::Less, format::dollars)),
        state: Some((below, Tone::Muted)),
        around: now
            .zip(batch.and_then(|batch| around(case, batch)))
            .map(|(cost, around)| around.time(cost, format::dollars)),
    }
}
