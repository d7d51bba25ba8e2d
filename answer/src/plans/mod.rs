//! "Which plan?": headline, tables and chart data of what a search found.

mod axes;
mod best;
mod chart;
mod frontiers;
mod headline;
mod leads;
mod lines;
mod others;
mod rows;

pub use chart::{LINE, PLACE, SHAPE as PLANS_SHAPE};
pub use frontiers::Frontiers;
pub use lines::ShownPlan;
use lines::default_lines;
pub use others::{OtherRow, OtherTable};
pub use rows::{BestRow, BestTable, RowMark};

use super::around::Around;
use crate::words::format;
use crate::words::headline::Headline;
use model_core::inputs::{Inputs, Number};
use model_core::permalink::{Link, PlanLines, Shown};
use model_core::search::{Candidates, Search, own_gpus};
use model_core::sweep::{Exclusion, Exclusions};
use model_core::workload::Engine;
use std::sync::Arc;
use worker::Stage;
use worker::search::SearchAnswer;

/// A search with its answer so far.
#[derive(Debug, Clone)]
pub struct Searched {
    /// The scenario whose plans were searched.
    pub inputs: Inputs,
    /// The search.
    pub search: Search,
    /// The plans tried.
    pub candidates: Arc<Candidates>,
    /// Frontiers, bests and counts.
    pub answer: SearchAnswer,
    /// Running or done.
    pub stage: Stage,
    /// Best plan of each base on the user’s GPU count, to the exact batch, after the search.
    refined: Arc<Vec<Option<ShownPlan>>>,
}

/// Content of the page for a search and the edited scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct PlansAnswer {
    /// The best plan on the user’s GPUs, or why there is none; `None` while nothing is found yet.
    pub headline: Option<Headline>,
    /// The best on the user’s GPUs, accelerator and precision that meets the SLO.
    pub own: Option<ShownPlan>,
    /// The frontiers that the chart shows.
    pub frontiers: Arc<Frontiers>,
    /// The best plan of each line: the chart's legend.
    pub best: BestTable,
    /// The strategies, where the chart has a line for each accelerator or precision.
    pub others: Option<OtherTable>,
}

/// The part of the page's link for showing a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// The scenario that is edited.
    pub now: Inputs,
    /// The pinned one.
    pub pinned: Option<Inputs>,
    /// Lines, axes and value.
    pub shown: Shown,
    /// Only plans on all of the user’s GPUs are shown.
    pub own_gpus: bool,
}

impl Look {
    /// The look of a link.
    pub fn of(link: &Link) -> Self {
        Self {
            now: link.search.compared(&link.current),
            pinned: link.pinned.map(|pinned| link.search.compared(&pinned)),
            shown: link.shown,
            own_gpus: link.search.shows_own(&link.current),
        }
    }

    /// Strategies, accelerators or precisions.
    pub fn lines(&self, searched: &Searched) -> PlanLines {
        let default = || default_lines(&searched.search, &searched.inputs);
        self.shown.lines.unwrap_or_else(default)
    }
}

/// Reservations about every speed that is shown.
pub fn caution(link: &Link) -> Vec<String> {
    let mut said = Vec::new();
    match link.current.get(Number::LatencyMicros) {
        Some(0.0) => said.push(
            "Collective latency is 0: the high-interactivity ends are unrealistic.".to_owned(),
        ),
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
        said.push("Decode only; Traffic adds prefill.".to_owned());
    }
    if !link.search.two_batch {
        said.push("Two-batch overlap is not searched.".to_owned());
    }
    said
}

/// The part of the page's link that a search depends on, so that other changes do not search again.
pub fn asked(link: &Link) -> (Inputs, Search) {
    let mut inputs = link.current;
    let search = Search {
        gpus: Some(link.search.gpus(&inputs)),
        any_gpus: false,
        ..link.search.clone()
    };
    inputs.overlap = None;
    inputs.unshard();
    // Replicas are searched: only the total counts.
    let all = f64::from(own_gpus(&inputs));
    if Number::Gpus.allows(all) {
        inputs = inputs.with(Number::Gpus, all).without(Number::Replicas);
    }
    for number in [Number::Batch, Number::Instances, Number::Interconnect] {
        inputs.state(number, None);
    }
    (inputs.normalized(), search)
}

/// True if the search leaves out no strategy, schedule or batch.
pub fn is_whole(search: &Search) -> bool {
    let default = Search::default();
    search.strategies == default.strategies
        && search.most_batch >= default.most_batch
        && search.two_batch
}

impl Searched {
    /// The answer about what was asked.
    pub fn new(
        (inputs, search): (Inputs, Search),
        candidates: Arc<Candidates>,
        answer: SearchAnswer,
        stage: Stage,
    ) -> Self {
        let refined = answer.best.iter();
        let refined = refined.map(|best| best.as_ref().and_then(lines::stated));
        let refined = refined.collect();
        Self {
            inputs,
            search,
            candidates,
            answer,
            stage,
            refined: Arc::new(refined),
        }
    }

    /// True if it answers what is asked.
    pub fn is_of(&self, (inputs, search): &(Inputs, Search)) -> bool {
        self.inputs == *inputs && self.search == *search
    }

    /// Everything that is shown.
    pub fn say(&self, look: &Look) -> PlansAnswer {
        let around = best::around_now(self, look);
        let own = best::own(self, look, &around);
        let headline = headline::headline(self, look, own.as_ref());
        let lines = lines::assemble(self, look, &around);
        let best = rows::best(self, look, &lines, own.as_ref());
        PlansAnswer {
            headline,
            frontiers: Arc::new(Frontiers::of(self, look, lines, own.as_ref())),
            best,
            others: others::others(self, look),
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
mod tests;
