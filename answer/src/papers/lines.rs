//! Lines of the table of evidence: the rows that match a search, ordered by the sort column.

use super::row::{EvidenceRow, Reproduction};
use super::texts::PAPERS;
use model_core::order::sort_by;
use model_core::permalink::Paper;
use std::cmp::Ordering;

/// Number of rows listed for each paper while the user has neither selected a paper nor searched.
const FIRST: usize = 8;

/// A column by which the table of evidence can be sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceColumn {
    /// Sorts by [`EvidenceRow::what`].
    What,
    /// Sorts by [`EvidenceRow::place`].
    Place,
    /// Sorts by the value in [`EvidenceRow::published`].
    Published,
    /// Sorts by the value in [`EvidenceRow::computed`].
    Computed,
    /// Sorts by the size of [`EvidenceRow::error`].
    Error,
    /// Sorts by [`EvidenceRow::word`], with gaps first.
    Reason,
}

impl EvidenceColumn {
    /// Orders two rows by this column: text alphabetically, values and errors in descending order, gaps before other
    /// reasons.
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

/// The sort column, and a flag that is true if the order is reversed.
pub type Sort = (EvidenceColumn, bool);

/// A line of the table of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EvidenceLine {
    /// Heading of a paper, given by the paper's index in [`PAPERS`].
    Paper(usize),
    /// An evidence row: its index, and the bit pattern of its computed value.
    Row(usize, u64),
    /// Line below the first rows of a paper, which offers to show all rows. Holds the paper's index in [`PAPERS`] and
    /// its total number of rows.
    All(usize, usize),
}

/// Returns the table lines for the rows that contain every search word; if `paper` is given, only rows of that paper.
/// Without `sort`, rows are in the order of the papers, grouped by paper. With `sort`, they are ordered by that
/// column.
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
