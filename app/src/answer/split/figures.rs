//! The six figures of a split, each beside the homogeneous cluster's.

use model_core::disagg::split::Side;
use model_core::disagg::split::memory::SideMemory;

use super::Case;
use crate::answer::figures::FigureCell;
use crate::answer::sentence::Tone;
use crate::format;

/// Time, interactivity, throughput, cost, and memory of either side.
pub fn cells(case: &Case) -> [FigureCell; 6] {
    let split = &case.split;
    let other = case.other.as_ref();
    let name = case.other_name();
    let beside = |value: Option<String>| {
        let (name, value) = (name.as_ref()?, value?);
        Some((format!("{name}: {value}"), Tone::Muted))
    };
    let cell = |name: &str, value: String, unit: &str, help: &'static str, state| FigureCell {
        name: name.into(),
        value,
        unit: unit.into(),
        help,
        versus: None,
        state,
    };
    let cost = |tokens_per_dollar: f64| format::dollars(1e6 / tokens_per_dollar);
    [
        cell(
            "Time per output token",
            format::figure(split.tpot.as_millis()),
            "ms",
            "A step of a batch, divided by the tokens it yields per sequence",
            beside(other.map(|other| format::figure(other.evaluation.tpot.as_millis()))),
        ),
        cell(
            "Interactivity",
            format::si(split.tokens_per_user),
            "tok/s/user",
            "Tokens per second that one user sees: 1 ÷ TPOT",
            beside(other.map(|other| format::si(other.evaluation.tokens_per_user))),
        ),
        cell(
            "Throughput",
            format::si(split.tokens),
            "tok/s",
            "Output tokens per second of all batches: sequences ÷ TPOT",
            beside(other.map(|other| format::si(other.evaluation.tokens))),
        ),
        cell(
            "Cost",
            split
                .tokens_per_dollar
                .map_or_else(|| format::NONE.to_owned(), cost),
            "/M tok",
            "Price of all devices for the time a million output tokens take",
            match other {
                Some(other) => beside(Some(cost(other.tokens_per_dollar()))),
                None => Some(("no price of one source".into(), Tone::Muted)),
            },
        ),
        memory(
            &format!("Memory, {}", case.compute_name()),
            &split.memory[Side::Compute as usize],
            "Weights and activations of a compute device",
        ),
        memory(
            &format!("Memory, {}", case.memory_name()),
            &split.memory[Side::Memory as usize],
            "Cache and activations of a memory device",
        ),
    ]
}

fn memory(name: &str, memory: &SideMemory, help: &'static str) -> FigureCell {
    let over = !memory.fits();
    FigureCell {
        name: name.into(),
        value: format::figure(memory.total().as_gib()),
        unit: format!("of {} GiB", format::printed(memory.usable.as_gib())),
        help,
        versus: None,
        state: over.then(|| {
            let excess = memory.total() / memory.usable;
            (
                format!("does not fit: {}", format::factor(excess)),
                Tone::Bad,
            )
        }),
    }
}
