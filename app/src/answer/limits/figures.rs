//! The row of limits, each with its meaning.

use super::Reach;
use crate::answer::figures::{Better, FigureCell, versus};
use crate::answer::{Case, Tone};
use crate::format;

/// B_attn, B_MoE, B_RP, B_cap, B_SLO, and the batch now.
pub fn cells(case: &Case, reach: &Reach, pinned: Option<&Case>) -> [FigureCell; 6] {
    let limits = &case.limits;
    let then = pinned.map(|case| case.limits);
    let cell =
        |name: &str, help, value: Option<f64>, then: Option<f64>, meaning: &str| FigureCell {
            name: name.to_owned(),
            value: value.map_or_else(|| format::NONE.to_owned(), batch),
            unit: "seq".to_owned(),
            help,
            versus: value
                .zip(then)
                .map(|(now, then)| versus(now, then, Better::Neither, batch)),
            state: Some((meaning.to_owned(), Tone::Muted)),
        };
    let stops = |limit: f64| limit <= reach.batch && limit < limits.b_rp;
    let mut cells = [
        cell(
            "B_attn",
            "Batch that saturates the arithmetic of attention's projections: ridge point × bytes per weight ÷ 2 × DP, [B] eq 10",
            Some(limits.b_attn),
            then.map(|then| then.b_attn),
            "attention saturates",
        ),
        cell(
            "B_MoE",
            "Batch that saturates the arithmetic of the experts: ridge point × bytes per weight ÷ 2 × experts ÷ experts per token, [B] eq 10",
            limits.b_moe,
            then.and_then(|then| then.b_moe),
            if limits.b_moe.is_some() {
                "experts saturate"
            } else {
                "there are no experts"
            },
        ),
        cell(
            "B_RP",
            "The larger of the two: from there on every GEMM is at the ridge point",
            Some(limits.b_rp),
            then.map(|then| then.b_rp),
            "everything saturates",
        ),
        cell(
            "B_cap",
            "Largest batch that fits the memory, [B] eq 11",
            Some(limits.b_cap),
            then.map(|then| then.b_cap),
            if limits.b_cap >= 1.0 {
                "memory is full"
            } else {
                "nothing fits"
            },
        ),
        cell(
            "B_SLO",
            "Largest batch whose least possible step meets the SLO: bytes at full bandwidth and messages, no arithmetic, [B] eqs 12–13",
            limits.b_slo,
            then.and_then(|then| then.b_slo),
            match limits.b_slo {
                Some(batch) if batch >= 1.0 => "the SLO is lost",
                Some(_) => "no batch meets it",
                None => "no SLO is set",
            },
        ),
        cell(
            "Batch now",
            "Sequences decoded at once over the whole deployment",
            Some(case.scenario.workload.batch),
            pinned.map(|case| case.scenario.workload.batch),
            "",
        ),
    ];
    let bad = |cell: &mut FigureCell, bad: bool| {
        if let (true, Some((_, tone))) = (bad, &mut cell.state) {
            *tone = Tone::Bad;
        }
    };
    bad(&mut cells[3], stops(limits.b_cap));
    bad(&mut cells[4], limits.b_slo.is_some_and(stops));
    cells[5].state = Some(now(case, reach));
    // A difference from the pinned scenario says more than a meaning, which the name's help has.
    for cell in &mut cells {
        let bad = matches!(cell.state, Some((_, Tone::Bad)));
        if cell.versus.is_some() && !bad {
            cell.state = None;
        }
    }
    cells
}

/// Where the batch stands among the limits.
fn now(case: &Case, reach: &Reach) -> (String, Tone) {
    let batch = case.scenario.workload.batch;
    if batch > case.limits.b_cap {
        ("does not fit".to_owned(), Tone::Bad)
    } else if reach.meets_slo.is_some_and(|most| batch > most) {
        ("misses the SLO".to_owned(), Tone::Bad)
    } else {
        (
            format!("{} of B_RP", format::factor(batch / case.limits.b_rp)),
            Tone::Muted,
        )
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
