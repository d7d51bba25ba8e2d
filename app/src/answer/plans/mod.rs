//! "Which plan?": headline, tables and chart data of what a search found.

mod best;
mod headline;
mod instances;
pub mod leads;
mod lines;
mod others;
mod rows;

pub use instances::{
    asks_for_replicas, compared as instances_of, data as instances_data,
    impossible as impossible_instances, in_one_domain, one_or_many,
};
pub use lines::ShownPlan;
use lines::default_lines;
pub use others::{OtherRow, OtherTable, rivals};
pub use rows::{BestRow, BestTable, RowMark};

use super::around::Around;
use super::headline::Headline;
use super::sharding;
use crate::charts::PlansData;
use crate::format;
use model_core::inputs::{Inputs, Number};
use model_core::permalink::{self, Link, PlanLines, Shown};
use model_core::search::{Candidates, Search};
use model_core::sweep::{Exclusion, Exclusions};
use model_core::workload::Engine;
use std::sync::Arc;
use worker::Stage;
use worker::search::SearchAnswer;

/// A search with its answer so far.
#[derive(Debug, Clone)]
pub struct Searched {
    /// The link that was searched, as it was asked.
    pub text: String,
    /// The same, read.
    pub link: Link,
    /// The plans tried.
    pub candidates: Arc<Candidates>,
    /// Frontiers, bests and counts.
    pub answer: SearchAnswer,
    /// Running or done.
    pub stage: Stage,
    /// Best plan of each base on the visitor's own number of GPUs, to the exact batch, after the search.
    refined: Arc<Vec<Option<ShownPlan>>>,
}

/// Everything that the page shows of a search, beside the scenario that is edited.
#[derive(Debug, Clone, PartialEq)]
pub struct PlansAnswer {
    /// The best plan on the visitor's own GPUs, a preset's answer, or the reason for which there is no plan; `None`
    /// while nothing is found yet.
    pub headline: Option<Headline>,
    /// The best on the visitor's own GPUs, accelerator and precision that meets the SLO.
    pub own: Option<ShownPlan>,
    /// The chart.
    pub chart: Arc<PlansData>,
    /// The plans that its hits stand for, hidden lines' included, line by line.
    pub plans: Vec<Vec<ShownPlan>>,
    /// The best plan of each line: the chart's legend.
    pub best: BestTable,
    /// The strategies, or where the chart has a line for each, the accelerators or precisions.
    pub others: Option<OtherTable>,
}

/// The part of the page's link that decides how a search is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// The scenario that is edited.
    pub now: Inputs,
    /// The pinned one.
    pub pinned: Option<Inputs>,
    /// Lines, axes and value.
    pub shown: Shown,
    /// Plans on the visitor's own number of GPUs alone are shown.
    pub own_gpus: bool,
}

impl Look {
    /// The look of a link.
    pub fn of(link: &Link) -> Self {
        Self {
            now: link.current,
            pinned: link.pinned,
            shown: link.shown,
            own_gpus: link.search.shows_own(&link.current),
        }
    }

    /// Strategies, accelerators or precisions.
    pub fn lines(&self, searched: &Searched) -> PlanLines {
        let default = || default_lines(&searched.link.search, &searched.link.current);
        self.shown.lines.unwrap_or_else(default)
    }
}

/// Reservations about every speed that is shown.
pub fn caution(link: &Link) -> Vec<String> {
    let mut said = Vec::new();
    match link.current.get(Number::LatencyMicros) {
        Some(0.0) => {
            said.push("Collective latency 0: the fast ends are faster than any network.".to_owned())
        }
        Some(micros) => said.push(format!(
            "Collective latency {} µs.",
            format::printed(micros)
        )),
        None => {}
    }
    if let Some(why) = Around::bias(&link.current) {
        said.push(format!("{}.", format::capital(why)));
    }
    if link.current.engine == Engine::Decode {
        said.push("Decode alone: Service adds prefill.".to_owned());
    }
    if !link.search.two_batch {
        said.push("Two-batch overlap is not searched.".to_owned());
    }
    said
}

/// The part of the page's link that a search depends on, so that other changes do not search again.
pub fn asked(link: &Link) -> String {
    let mut asked = Link::to(link.current);
    asked.search = link.search.clone();
    asked.search.gpus = Some(link.search.gpus(&link.current));
    asked.search.any_gpus = false;
    asked.current.overlap = Inputs::DEFAULT.overlap;
    asked.current.unshard();
    for number in [Number::Batch, Number::Instances, Number::Interconnect] {
        asked.current.state(number, None);
    }
    permalink::write(&asked)
}

/// Lays out the candidates of a request's link.
pub fn lay_out(link: &str) -> (Link, Candidates) {
    let link = permalink::read(link);
    let candidates = Candidates::new(&link.current, &link.search);
    (link, candidates)
}

/// True if the search leaves out no strategy, schedule or batch.
pub fn is_whole(search: &Search) -> bool {
    let default = Search::default();
    search.strategies == default.strategies
        && search.most_batch >= default.most_batch
        && search.two_batch
}

impl Searched {
    /// The answer about the candidates of a link.
    pub fn new(
        text: &str,
        link: Link,
        candidates: Arc<Candidates>,
        answer: SearchAnswer,
        stage: Stage,
    ) -> Self {
        let refined = match stage {
            Stage::Done => best::refined(&candidates, &link.search, &link.current),
            Stage::Running | Stage::Cancelled => Vec::new(),
        };
        Self {
            text: text.to_owned(),
            link,
            candidates,
            answer,
            stage,
            refined: Arc::new(refined),
        }
    }

    /// Everything that is shown.
    pub fn say(&self, look: &Look) -> PlansAnswer {
        let around = best::around_now(self, look);
        let own = best::own(self, look, &around);
        let (headline, told) = headline::headline(self, look, own.as_ref());
        let lines = lines::assemble(self, look, &around);
        let chart = lines::chart(self, look, &lines, (own.as_ref(), told.as_ref()));
        PlansAnswer {
            headline,
            chart: Arc::new(chart),
            best: rows::best(self, look, &lines, own.as_ref()),
            others: others::others(self, look),
            plans: lines.into_iter().map(|line| line.plans).collect(),
            own,
        }
    }

    /// Excluded plans, before evaluation and after.
    fn excluded(&self) -> Exclusions {
        let mut excluded = Exclusions::default();
        for rule in Exclusion::ALL {
            let before = self.candidates.excluded().of(rule);
            excluded.add(rule, before + self.answer.found.excluded.of(rule));
        }
        excluded
    }

    /// Number of plans of a search, those excluded before evaluation included.
    pub fn plans(&self) -> usize {
        self.answer.candidates + self.candidates.excluded().total()
    }
}

#[cfg(test)]
mod instances_tests;
#[cfg(test)]
mod tests;
