//! The table of evidence: the rows that a search finds, in the order of a column.

use super::row::{EvidenceRow, Reproduction};
use super::texts::PAPERS;
use model_core::order::sort_by;
use model_core::permalink::Paper;
use std::cmp::Ordering;

/// Initially listed rows per paper.
const FIRST: usize = 8;

/// A column that sorts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceColumn {
    /// [`EvidenceRow::what`].
    What,
    /// [`EvidenceRow::place`].
    Place,
    /// [`EvidenceRow::published`].
    Published,
    /// [`EvidenceRow::computed`].
    Computed,
    /// [`EvidenceRow::error`].
    Error,
    /// [`EvidenceRow::word`].
    Reason,
}

impl EvidenceColumn {
    /// Names by their letters, amounts and errors from the largest, gaps before other reasons.
    fn order(self, one: &EvidenceRow, other: &EvidenceRow) -> Ordering {
        match self {
            Self::What => one.what.cmp(&other.what),
            Self::Place => one.place.cmp(&other.place),
            Self::Published => other.amounts.0.total_cmp(&one.amounts.0),
            Self::Computed => other.amounts.1.total_cmp(&one.amounts.1),
            Self::Error => other.size().total_cmp(&one.size()),
            Self::Reason => {
                let key = |row: &EvidenceRow| (row.state != Reproduction::Gap, row.word.clone());
                key(one).cmp(&key(other))
            }
        }
    }
}

/// A column, and true if it sorts backwards.
pub type Sort = (EvidenceColumn, bool);

/// A line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EvidenceLine {
    /// Heading of a paper, by its place in [`PAPERS`].
    Paper(usize),
    /// A row by its index, with the bits of its computed amount.
    Row(usize, u64),
    /// Total rows of a paper; the first are listed.
    All(usize, usize),
}

/// The lines of the rows in which every word occurs: as printed and paper by paper, or in the order of a column.
pub fn lines(
    rows: &[EvidenceRow],
    paper: Option<Paper>,
    words: &str,
    sort: Option<Sort>,
) -> Vec<EvidenceLine> {
    let line =
        |(index, row): (usize, &EvidenceRow)| EvidenceLine::Row(index, row.amounts.1.to_bits());
    let chosen = |row: &EvidenceRow| paper.is_none() || row.paper == paper;
    let found = rows.iter().enumerate();
    let found = found.filter(|(_, row)| chosen(row) && row.holds(words));
    let mut found: Vec<(usize, &EvidenceRow)> = found.collect();
    if let Some((column, backwards)) = sort {
        sort_by(&mut found, |(_, one), (_, other)| {
            let order = column.order(one, other);
            if backwards { order.reverse() } else { order }
        });
    }
    let by_paper = sort.is_none() && rows.iter().any(|row| row.paper.is_some());
    if !by_paper {
        return found.into_iter().map(line).collect();
    }
    let first = if paper.is_none() && words.trim().is_empty() {
        FIRST
    } else {
        usize::MAX
    };
    let mut listed = Vec::new();
    for (place, text) in PAPERS.iter().enumerate() {
        let of_paper = found.iter().filter(|(_, row)| row.paper == Some(text.id));
        let count = of_paper.clone().count();
        if count > 0 {
            listed.push(EvidenceLine::Paper(place));
        }
        listed.extend(of_paper.copied().take(first).map(line));
        if count > first {
            listed.push(EvidenceLine::All(place, count));
        }
    }
    listed
}
