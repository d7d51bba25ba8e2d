//! Answers of the Papers view: published numbers and measured systems, beside the model's.
//!
//! Rows are the golden cases themselves, evaluated from their scenarios when the view opens; no number of a row is
//! written here.

mod book;
mod curves;
pub mod errata;
pub mod measured;
mod row;
#[cfg(test)]
mod tests;
mod texts;

pub use book::Book;
pub use curves::{About, about};
pub use errata::{ERRATA, Erratum};
pub use row::{Mark, Row, State};
pub use texts::{PAPERS, PaperText, cited};

use crate::answer::sentence::{Sentence, Tone};
use crate::charts::curve::CurveData;
use crate::format;
use model_core::permalink::{Listed, Order, Paper, State as Which, Stated};
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

/// Simulations of the rows, in their order, as the worker's request.
pub fn simulations() -> String {
    let waiting = cases().filter_map(|(_, case)| Some((case.simulated()?, case.link)));
    worker::quantity::text(waiting)
}

/// The rows with the simulated quantities so far.
pub fn with_simulated(rows: &[Row], quantities: &[f64]) -> Vec<Row> {
    let mut values = quantities.iter();
    rows.iter()
        .zip(cases())
        .map(|(row, (paper, case))| {
            let value = case.simulated().and_then(|_| values.next());
            value.map_or_else(
                || row.clone(),
                |value| Row::of(paper, &papers::judge_quantity(case, *value)),
            )
        })
        .collect()
}

/// Row counts by outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
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

impl Tally {
    /// Counts rows.
    pub fn of<'a>(rows: impl Iterator<Item = &'a Row>) -> Self {
        let mut tally = Self::default();
        for row in rows {
            tally.rows += 1;
            tally.met += usize::from(row.state == State::Met);
            tally.gaps += usize::from(row.state == State::Gap);
            tally.waiting += usize::from(row.state == State::Waiting);
            tally.numbers += usize::from(!row.claim);
        }
        tally
    }

    /// "126 rows, 13 gaps".
    pub fn words(&self) -> String {
        format!("{} rows, {}", self.rows, gaps(self.gaps))
    }
}

fn gaps(count: usize) -> String {
    match count {
        0 => "no gaps".to_owned(),
        1 => "1 gap".to_owned(),
        _ => format!("{count} gaps"),
    }
}

/// Relative error below which numbers count as close in the headline.
const CLOSE: f64 = 0.15;

/// The verdict over rows.
pub fn verdict(rows: &[Row]) -> Sentence {
    let Tally {
        rows: all,
        met,
        waiting,
        numbers,
        ..
    } = Tally::of(rows.iter());
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

/// True if a row passes the filter by outcome.
pub fn of_state(which: Which, row: &Row) -> bool {
    match which {
        Which::All => true,
        Which::Met => row.state == State::Met,
        Which::Gaps => row.state == State::Gap,
    }
}

/// True if a row passes the filter by kind.
pub const fn of_kind(kind: Stated, row: &Row) -> bool {
    match kind {
        Stated::All => true,
        Stated::Numbers => !row.claim,
        Stated::Claims => row.claim,
    }
}

/// Rows of one paper.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// The paper.
    pub paper: &'static PaperText,
    /// Its claim and the outcome.
    pub claim: String,
    /// Rows shown at once.
    pub first: Vec<Row>,
    /// Rows that a click unfolds.
    pub rest: Vec<Row>,
    /// "33 more: 1 gap, within 7%".
    pub more: String,
}

/// Rows of a paper shown at once, at least.
const FIRST: usize = 6;

/// The rows of the papers that are listed.
pub fn sections(rows: &[Row], listed: &Listed) -> Vec<Section> {
    let Listed {
        paper: only, order, ..
    } = *listed;
    let holds = |row: &&Row| of_state(listed.state, row) && of_kind(listed.kind, row);
    let papers = PAPERS.iter();
    let shown = papers.filter(|paper| only.is_none_or(|only| only == paper.id));
    shown
        .map(|paper| {
            let of_paper = rows.iter().filter(|row| row.paper == paper.id);
            let tally = Tally::of(of_paper.clone());
            let mut listed: Vec<Row> = of_paper.filter(holds).cloned().collect();
            if order == Order::Largest {
                listed.sort_by(|one, other| other.size().total_cmp(&one.size()));
            }
            let gaps = listed.iter().filter(|row| row.state == State::Gap).count();
            let at_once = match order {
                Order::Largest => gaps.clamp(FIRST, 2 * FIRST),
                Order::Printed => 2 * FIRST,
            };
            let rest = listed.split_off(at_once.min(listed.len()));
            Section {
                paper,
                claim: format!("{} {} Here: {}.", paper.claim, paper.outcome, tally.words()),
                more: more(&rest),
                first: listed,
                rest,
            }
        })
        .collect()
}

fn more(rest: &[Row]) -> String {
    let tally = Tally::of(rest.iter());
    let most = rest.iter().map(Row::size).fold(0.0, f64::max);
    let within = format::percent_change(model_core::math::exp(most), 1.0);
    let within = within.trim_start_matches('+');
    let mut text = format!("{} more", tally.rows);
    if tally.gaps > 0 {
        text += &format!(", {}", gaps(tally.gaps));
    } else if within == "same" {
        text += ", as printed";
    } else {
        text += &format!(", all within {within}");
    }
    text
}
