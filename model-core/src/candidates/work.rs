//! The comparison of candidate accelerators, computed in steps.

use super::Candidate;
use super::find::{planned, served};
use super::row::CandidateRow;
use super::turn::{Priced, RatePoint, RateScan, Turns};
use crate::inputs::{Inputs, Number};
use crate::order::sort_by;
use crate::search::Search;

/// Results that a comparison of candidates has computed so far.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct CandidatesFound {
    /// One row per candidate; the cheapest candidate comes first, infeasible ones last.
    pub rows: Vec<CandidateRow>,
    /// Costs as a function of request rate; empty without a request rate, or if fewer than two candidates have a
    /// cost.
    pub curve: Vec<RatePoint>,
    /// Changes of the cheapest candidate: first at rates below the current rate, then at rates above it.
    pub turns: [Turns; 2],
}

/// A comparison of candidates in progress. The first steps evaluate one candidate each; later steps evaluate one
/// request rate each.
#[derive(Debug, Clone)]
pub struct CandidatesInProgress {
    inputs: Inputs,
    search: Search,
    candidates: Vec<Candidate>,
    planners: Vec<Priced>,
    scan: Option<RateScan>,
    /// Results computed so far.
    pub found: CandidatesFound,
}

impl CandidatesInProgress {
    /// Creates a comparison before its first step.
    pub fn new(inputs: &Inputs, search: &Search, candidates: &[Candidate]) -> Self {
        Self {
            inputs: *inputs,
            search: search.clone(),
            candidates: candidates.to_vec(),
            planners: Vec::new(),
            scan: inputs.get(Number::Rate).map(RateScan::around),
            found: CandidatesFound::default(),
        }
    }

    /// Evaluates the next candidate or request rate; returns false once all are evaluated.
    pub fn step(&mut self) -> bool {
        let place = self.planners.len();
        if let Some(candidate) = self.candidates.get(place) {
            self.candidate(place, &candidate.clone());
            return true;
        }
        // The cheapest candidate can change only if at least two candidates have a price.
        let costs = self
            .found
            .rows
            .iter()
            .filter_map(|row| row.found.as_ref().ok());
        let priced = costs.filter(|best| best.dollars_per_mtok.is_some()).count();
        let Some(scan) = self.scan.as_mut().filter(|_| priced > 1) else {
            return false;
        };
        let more = scan.step(&mut self.planners);
        self.found.curve.clone_from(&scan.curve);
        self.found.turns = scan.turns;
        more
    }

    fn candidate(&mut self, place: usize, candidate: &Candidate) {
        let (row, planner) = match self.scan {
            Some(_) => served(candidate, &self.inputs),
            None => (planned(candidate, &self.inputs, &self.search), None),
        };
        let available = candidate.available(row.price).ok().flatten();
        self.planners
            .push(planner.map(|(planner, demand)| (planner, demand, row.inputs, available)));
        self.found.rows.push(CandidateRow { place, ..row });
        sort_by(&mut self.found.rows, |one, other| {
            let (one, other) = (one.rank(), other.rank());
            let states = (one.0, one.1).cmp(&(other.0, other.1));
            states.then(one.2.total_cmp(&other.2))
        });
    }
}
