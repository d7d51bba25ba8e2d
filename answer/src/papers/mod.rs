//! Content of the Papers view: published numbers and measured runs vs. Ridgepoint's results.
//!
//! Each row is a golden case, evaluated from its scenario when the view opens. No number of a row is hard-coded here.

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

/// Returns every golden case of the five papers, grouped by paper, in the order of the case files.
fn cases() -> impl Iterator<Item = (Paper, &'static Case)> {
    OF_PAPERS.iter().flat_map(|file| {
        let paper = Paper::ALL
            .into_iter()
            .find(|paper| file.path.starts_with(paper.id()))
            .unwrap_or(Paper::A);
        file.cases.iter().map(move |case| (paper, case))
    })
}

/// Returns the number of table rows that have a published number or claim.
pub fn published() -> usize {
    cases().count()
}

/// Returns the name and the inputs of every simulated quantity, in row order.
pub fn simulations() -> Vec<(String, Inputs)> {
    let waiting = cases().filter_map(|(_, case)| Some((case.simulated()?, case.link)));
    waiting
        .map(|(name, link)| (name.into(), permalink::read(link).current))
        .collect()
}

/// Fills the simulated `quantities`, given in row order, into the rows. Rows without a quantity are still waiting.
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

/// Number of rows with each outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutcomeCounts {
    /// Total number of rows.
    pub rows: usize,
    /// Number of rows whose computed value is within the tolerance.
    pub met: usize,
    /// Number of rows whose computed value is outside the tolerance for a declared reason.
    pub gaps: usize,
    /// Number of rows whose value is still being simulated.
    pub waiting: usize,
    /// Number of rows that compare a number; the other rows compare a bound or a direction.
    pub numbers: usize,
}

impl OutcomeCounts {
    /// Counts the given table rows by outcome.
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

/// Largest relative error at which the headline calls a number close.
const CLOSE: f64 = 0.15;

/// Returns the verdict on the rows: how many claims are reproduced, and how many numbers are within 15%.
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
