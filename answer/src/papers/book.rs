//! Cache of the Papers view's evaluations, for the lifetime of the page.

use super::row::EvidenceRow;
use super::{cases, curves};
use crate::chart::Chart;
use model_core::permalink::PaperCurve;
use papers::Desk;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// Table rows and figure curves evaluated so far.
#[derive(Debug, Default)]
pub struct Book {
    desk: Desk,
    rows: RefCell<Vec<EvidenceRow>>,
    curves: RefCell<HashMap<&'static str, Option<Arc<Chart>>>>,
}

impl Book {
    /// Evaluates table rows one by one, and stops early if `rest` returns true. Returns true once all rows are done.
    pub fn advance(&self, mut rest: impl FnMut() -> bool) -> bool {
        let begun = self.rows.borrow().len();
        for (paper, case) in cases().skip(begun) {
            let row = match case.simulated() {
                Some(_) => EvidenceRow::waiting(paper, case),
                None => EvidenceRow::of(paper, &self.desk.judge(case)),
            };
            self.rows.borrow_mut().push(row);
            if rest() {
                return false;
            }
        }
        true
    }

    /// Returns all rows, after evaluating those that are not evaluated yet. Rows that need a simulation wait until
    /// [`super::with_simulated`] completes them.
    pub fn rows(&self) -> Vec<EvidenceRow> {
        self.advance(|| false);
        self.rows.borrow().clone()
    }

    /// Returns a paper's figure with the curves computed by Ridgepoint. The figure is drawn once and then cached.
    pub fn curve(&self, id: PaperCurve) -> Option<Arc<Chart>> {
        let known = self.curves.borrow().get(id.id()).cloned();
        known.unwrap_or_else(|| {
            let found = curves::chart(id, &self.desk).map(Arc::new);
            self.curves.borrow_mut().insert(id.id(), found.clone());
            found
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_come_to_the_same_and_nothing_is_searched_twice() {
        let (whole, sliced) = (Book::default(), Book::default());
        let rows = whole.rows();
        let searched = whole.desk.searched();
        while !sliced.advance(|| true) {}
        assert_eq!(sliced.rows.borrow().len(), rows.len());
        for (one, other) in sliced.rows().iter().zip(&rows) {
            assert_eq!((&one.what, &one.computed), (&other.what, &other.computed));
        }
        assert_eq!(sliced.desk.searched(), searched);
        let curve = |id| whole.curve(PaperCurve::of_id(id).unwrap());
        // The frontiers in [H]'s figures reuse the searches of its table rows.
        curve("h-figure-5");
        curve("h-figure-6");
        assert_eq!(whole.desk.searched(), searched);
        let drawn = curve("a-figure-10");
        assert!(Arc::ptr_eq(&drawn.unwrap(), &curve("a-figure-10").unwrap()));
    }
}
