//! Answers of the Papers view: published numbers and measured systems, beside the model's.
//!
//! Rows are the golden cases themselves, evaluated from their scenarios when the view opens; no number of a row is
//! written here.

mod book;
mod curves;
pub mod errata;
mod lines;
pub mod measured;
mod row;
#[cfg(test)]
mod tests;
mod texts;

pub use book::Book;
pub use curves::{About, about, title};
pub use errata::{ERRATA, Erratum};
pub use lines::{EvidenceColumn, EvidenceLine, Sort, lines};
pub use row::{ErrorMark, EvidenceRow, Reproduction};
pub use texts::{PAPERS, PaperText, cited};

use crate::answer::sentence::{Sentence, Tone};
use crate::charts::curve::CurveData;
use crate::format;
use model_core::permalink::Paper;
use papers::{Case, OF_PAPERS};

/// Every golden case of the five papers, paper by paper, as printed.
fn cases() -> impl Iterator<Item = (Paper, &'static Case)> {
    OF_PAPERS.iter().flat_map(|file| {
        let paper = Paper::ALL
            .into_iter()
            .find(|paper| file.path.starts_with(paper.id()))
            .unwrap_or(Paper::A);
        file.cases.iter().map(move |case| (paper, case))
    })
}

/// Number of published rows.
pub fn published() -> usize {
    cases().count()
}

/// Cases that need a simulation, in the order of the rows, as the worker takes them.
pub fn simulations() -> String {
    let waiting = cases().filter_map(|(_, case)| Some((case.simulated()?, case.link)));
    worker::quantity::text(waiting)
}

/// The rows with the simulated quantities so far.
pub fn with_simulated(rows: &[EvidenceRow], quantities: &[f64]) -> Vec<EvidenceRow> {
    let mut values = quantities.iter();
    rows.iter()
        .zip(cases())
        .map(|(row, (paper, case))| {
            let value = case.simulated().and_then(|_| values.next());
            value.map_or_else(
                || row.clone(),
                |value| EvidenceRow::of(paper, &papers::judge_quantity(case, *value)),
            )
        })
        .collect()
}

/// Counts of rows by outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutcomeCounts {
    /// All of them.
    pub rows: usize,
    /// Within their tolerance.
    pub met: usize,
    /// Declared gaps.
    pub gaps: usize,
    /// Still being simulated.
    pub waiting: usize,
    /// Numbers, not bounds or directions.
    pub numbers: usize,
}

impl OutcomeCounts {
    /// Counts rows.
    pub fn of<'a>(rows: impl Iterator<Item = &'a EvidenceRow>) -> Self {
        let mut tally = Self::default();
        for row in rows {
            tally.rows += 1;
            tally.met += usize::from(row.state == Reproduction::Met);
            tally.gaps += usize::from(row.state == Reproduction::Gap);
            tally.waiting += usize::from(row.state == Reproduction::Waiting);
            tally.numbers += usize::from(!row.claim);
        }
        tally
    }
}

/// Relative error below which numbers count as close in the headline.
const CLOSE: f64 = 0.15;

/// The verdict over rows.
pub fn verdict(rows: &[EvidenceRow]) -> Sentence {
    let OutcomeCounts {
        rows: all,
        met,
        waiting,
        numbers,
        ..
    } = OutcomeCounts::of(rows.iter());
    let judged = all - waiting;
    let close = rows
        .iter()
        .filter(|row| !row.claim && row.size() <= model_core::math::ln(1.0 + CLOSE))
        .count();
    let mut sentence = Sentence::default()
        .then(Tone::Strong, format!("{met} of {judged}"))
        .say(if waiting > 0 { " so far:" } else { "" })
        .say(" published numbers and claims are within their tolerance; ");
    let missed = judged - met;
    sentence = match missed {
        0 => sentence.say("none is a gap. "),
        1 => sentence
            .then(Tone::Strong, "the other one")
            .say(" has a reason. "),
        _ => sentence
            .say("the ")
            .then(Tone::Strong, format!("{missed} others"))
            .say(" have a reason. "),
    };
    sentence
        .say(format!(
            "Of {} plain numbers ",
            format::count(numbers as f64)
        ))
        .then(Tone::Strong, close.to_string())
        .say(" lie within 15%.")
}
