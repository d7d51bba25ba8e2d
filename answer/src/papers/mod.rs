//! Answers of the Papers view: published numbers and measured runs vs. the model's.
//!
//! Rows are the golden cases themselves, evaluated from their scenarios when the view opens; no number of a row is
//! written here.

mod book;
mod curves;
pub mod errata;
mod lines;
pub mod measured;
mod row;
mod sweep;
#[cfg(test)]
mod tests;
mod texts;

pub use book::Book;
pub use curves::{About, SHAPE as CURVE_SHAPE, about, title};
pub use errata::{ERRATA, Erratum};
pub use lines::{EvidenceColumn, EvidenceLine, Sort, lines};
pub use row::{ErrorMark, EvidenceRow, Reproduction};
pub use texts::{PAPERS, PaperText, cited};

use crate::words::format;
use crate::words::sentence::{Sentence, Tone};
use model_core::inputs::Inputs;
use model_core::permalink::{self, Paper};
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

/// Simulated quantities with the inputs of their cases, in the order of the rows.
pub fn simulations() -> Vec<(String, Inputs)> {
    let waiting = cases().filter_map(|(_, case)| Some((case.simulated()?, case.link)));
    waiting
        .map(|(name, link)| (name.into(), permalink::read(link).current))
        .collect()
}

/// The rows with the simulated quantities so far.
pub fn with_simulated(rows: &[EvidenceRow], quantities: &[Option<f64>]) -> Vec<EvidenceRow> {
    let mut values = quantities.iter();
    rows.iter()
        .zip(cases())
        .map(|(row, (paper, case))| {
            let value = case.simulated().and_then(|_| values.next());
            value.map_or_else(
                || row.clone(),
                |value| {
                    EvidenceRow::of(
                        paper,
                        &papers::judge_quantity(case, value.unwrap_or(f64::NAN)),
                    )
                },
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

/// Relative error of close numbers in the headline.
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
    Sentence::default()
        .then(Tone::Strong, format!("{met} of {judged}"))
        .say(" published claims reproduced")
        .say(if waiting > 0 { " so far; " } else { "; " })
        .then(
            Tone::Strong,
            format!("{close} of {}", format::count(numbers as f64)),
        )
        .say(" numbers within 15%.")
}
