//! The Plans view, "Which plan?": headline, tables and chart data for the plans that a search found.

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

/// A plan search: the request, and the answer so far.
#[derive(Debug, Clone)]
pub struct Searched {
    /// The scenario whose plans were searched.
    pub inputs: Inputs,
    /// Settings of the search.
    pub search: Search,
    /// The plans that the search tries.
    pub candidates: Arc<Candidates>,
    /// Frontiers, best plans and counts found so far.
    pub answer: SearchAnswer,
    /// Stage of the search: running or done.
    pub stage: Stage,
    /// Best plans on the user’s GPU count, one for each searched accelerator and precision. They are refined to the
    /// exact batch after the search.
    refined: Arc<Vec<Option<ShownPlan>>>,
}

/// Content of the Plans view, given a search and the current scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct PlansAnswer {
    /// The best plan on the user’s GPUs, or the reason why there is none. `None` while nothing is found yet.
    pub headline: Option<Headline>,
    /// The best plan that meets the SLO on the user’s GPUs, accelerator and precision.
    pub own: Option<ShownPlan>,
    /// The frontiers that the chart shows.
    pub frontiers: Arc<Frontiers>,
    /// Table of the best plan of each line, which is also the chart's legend.
    pub best: BestTable,
    /// Table of the best plan of each strategy; `None` if the chart's lines are strategies.
    pub others: Option<OtherTable>,
}

/// The part of a permalink that determines how the result of a search is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// The current scenario.
    pub now: Inputs,
    /// The pinned scenario.
    pub pinned: Option<Inputs>,
    /// Chart settings: lines, axes and y value.
    pub shown: Shown,
    /// True if only plans that use all of the user’s GPUs are shown.
    pub own_gpus: bool,
}

impl Look {
    /// Reads the display settings from a permalink.
    pub fn of(link: &Link) -> Self {
        Self {
            now: link.search.compared(&link.current),
            pinned: link.pinned.map(|pinned| link.search.compared(&pinned)),
            shown: link.shown,
            own_gpus: link.search.shows_own(&link.current),
        }
    }

    /// Returns what the chart's lines show: strategies, accelerators or precisions.
    pub fn lines(&self, searched: &Searched) -> PlanLines {
        let default = || default_lines(&searched.search, &searched.inputs);
        self.shown.lines.unwrap_or_else(default)
    }
}

/// Returns the caveats that apply to every speed shown in the Plans view.
pub fn caution(link: &Link) -> Vec<String> {
    let mut said = Vec::new();
    match link.current.get(Number::LatencyMicros) {
        Some(0.0) => said.push(
            "Collective latency is 0, so the curves’ high-interactivity ends are unrealistic."
                .to_owned(),
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

/// Returns the part of a permalink on which a search depends. A change elsewhere in the permalink starts no new
/// search.
pub fn asked(link: &Link) -> (Inputs, Search) {
    let mut inputs = link.current;
    let search = Search {
        gpus: Some(link.search.gpus(&inputs)),
        any_gpus: false,
        ..link.search.clone()
    };
    inputs.overlap = None;
    inputs.unshard();
    // Replica counts are searched, so only the total GPU count matters.
    let all = f64::from(own_gpus(&inputs));
    if Number::Gpus.allows(all) {
        inputs = inputs.with(Number::Gpus, all).without(Number::Replicas);
    }
    for number in [Number::Batch, Number::Instances, Number::Interconnect] {
        inputs.state(number, None);
    }
    (inputs.normalized(), search)
}

/// True if the search includes every strategy, schedule and batch.
pub fn is_whole(search: &Search) -> bool {
    let default = Search::default();
    search.strategies == default.strategies
        && search.most_batch >= default.most_batch
        && search.two_batch
}

impl Searched {
    /// Creates the search result from a request and its answer so far.
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

    /// True if this result answers the given request, which consists of inputs and search settings.
    pub fn is_of(&self, (inputs, search): &(Inputs, Search)) -> bool {
        self.inputs == *inputs && self.search == *search
    }

    /// Returns the content of the Plans view.
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

    /// Counts, for each rule, the plans that it excluded before and after evaluation.
    fn excluded(&self) -> Exclusions {
        let mut excluded = Exclusions::default();
        for rule in Exclusion::ALL {
            let before = self.candidates.excluded().of(rule);
            excluded.add(rule, before + self.answer.found.excluded.of(rule));
        }
        excluded
    }

    /// Returns the total number of plans of the search, including those excluded before evaluation.
    pub fn plans(&self) -> usize {
        self.answer.candidates + self.candidates.excluded().total()
    }
}

#[cfg(test)]
mod tests;
