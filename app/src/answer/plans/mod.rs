//! "Which plan?": what a search found, as words, tables, chart data and ways on.

mod gains;
mod instances;
pub mod leads;
mod lines;
mod others;
mod own;
mod rows;
mod trouble;
mod verdict;

pub use instances::{
    compared as instances_of, data as instances_data, grown, impossible as impossible_instances,
    in_one_domain,
};
pub use lines::{Plan, default_lines};
pub use others::{OtherRow, OtherTable, rivals};
pub use own::Own;
pub use rows::{BestRow, BestTable, Mark};
pub use trouble::{Edit, Trouble, WayOut};

use super::advice::{self, Levers, Offer};
use super::around::Around;
use super::sentence::Sentence;
use super::sharding;
use crate::charts::PlansData;
use crate::format;
use model_core::order::sort_by_key;
use model_core::permalink::{self, Lines, Link, Shown};
use model_core::scenario::{Inputs, Number};
use model_core::search::{Candidates, Search};
use model_core::sweep::{Exclusion, Exclusions, Family};
use std::sync::Arc;
use worker::Stage;
use worker::search::SearchAnswer;

/// A search and what it has come to.
#[derive(Debug, Clone)]
pub struct Searched {
    /// The link that was searched, as it was asked.
    pub text: String,
    /// The same, read.
    pub link: Link,
    /// What there was to find.
    pub candidates: Arc<Candidates>,
    /// What is found.
    pub answer: SearchAnswer,
    /// How far the search is.
    pub stage: Stage,
    /// The best that each base does on the visitor's own number of GPUs, to the whole sequence; once the
    /// search is over.
    refined: Arc<Vec<Option<Plan>>>,
}

/// What the page says of a search, beside the scenario that is edited.
#[derive(Debug, Clone, PartialEq)]
pub struct PlansAnswer {
    /// The finding in one or two sentences.
    pub verdict: Sentence,
    /// The same for a narrow screen.
    pub short: Sentence,
    /// The plan that the verdict is about, where it is another than now.
    pub open: Option<Inputs>,
    /// The best on the visitor's own GPUs.
    pub own: Option<Own>,
    /// What the verdict tells of beside the plan: levers, or how many GPUs would do.
    pub offers: Vec<Offer>,
    /// What Helix gains over the baselines.
    pub gains: Vec<Sentence>,
    /// Why there is no plan, and what would give one.
    pub trouble: Option<Trouble>,
    /// What became of the candidates, in one line.
    pub counts: String,
    /// The chart.
    pub chart: Arc<PlansData>,
    /// The plans that its hits stand for, hidden lines' included, line by line.
    pub plans: Vec<Vec<Plan>>,
    /// What each line reaches: the chart's legend.
    pub best: BestTable,
    /// The families, or where the chart has a line for each, the accelerators or precisions.
    pub others: Option<OtherTable>,
}

/// What of the page's link decides how a search is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// The scenario that is edited.
    pub now: Inputs,
    /// The pinned one.
    pub pinned: Option<Inputs>,
    /// Lines, axes, and what stands up.
    pub shown: Shown,
    /// Whether plans on the visitor's own number of GPUs alone are shown.
    pub own_gpus: bool,
}

impl Look {
    /// What a link asks for.
    pub fn of(link: &Link) -> Self {
        Self {
            now: link.current,
            pinned: link.pinned,
            shown: link.shown,
            own_gpus: link.search.shows_own(&link.current),
        }
    }

    /// What the chart has a line for.
    pub fn lines(&self, searched: &Searched) -> Lines {
        let default = || default_lines(&searched.link.search, &searched.link.current);
        self.shown.lines.unwrap_or_else(default)
    }
}

/// What to keep in mind of every speed that is shown.
pub fn caution(link: &Link) -> Vec<String> {
    let mut said = Vec::new();
    match link.current.get(Number::LatencyMicros) {
        Some(0.0) => said.push(
            "No start-up latency of collectives: the fast ends are faster than any network."
                .to_owned(),
        ),
        Some(micros) => said.push(format!(
            "Start-up latency {} µs per collective.",
            format::printed(micros)
        )),
        None => {}
    }
    if let Some(why) = Around::bias(&link.current) {
        said.push(format!("{}.", format::capital(why)));
    }
    if !link.search.two_batch {
        said.push("Two-batch overlap is not searched.".to_owned());
    }
    said
}

/// Rules that are named in the counts.
const MOST_RULES: usize = 3;

/// The link of a search: what of the page's link decides what is found, and nothing else, so that a
/// change of anything else searches nothing again.
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

/// The family of a scenario's plan; `None` where it is impossible.
fn scenario_family(inputs: &Inputs) -> Option<Family> {
    let scenario = inputs.scenario().ok()?;
    Some(sharding::family_of(scenario.plan.spec()))
}

/// Whether nothing is left out of a search that the same GPUs could do: its best is then the page's.
pub fn is_whole(search: &Search) -> bool {
    let default = Search::default();
    search.families == default.families
        && search.most_batch >= default.most_batch
        && search.two_batch
}

impl Searched {
    /// What `answer` says about the candidates of a link.
    pub fn new(
        text: &str,
        link: Link,
        candidates: Arc<Candidates>,
        answer: SearchAnswer,
        stage: Stage,
    ) -> Self {
        let refined = match stage {
            Stage::Done if is_whole(&link.search) => lines::refined(&candidates, &link.current),
            _ => Vec::new(),
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

    /// Everything that is said and drawn.
    pub fn say(&self, look: &Look) -> PlansAnswer {
        let now = &look.now;
        let own = own::own(self, now);
        // What advice knows beside what was searched on one's own number of GPUs is no trouble.
        let count = now.get(Number::Gpus).map(|gpus| gpus as u32);
        let counts = self.link.search.gpus(&self.link.current);
        let searched = count.is_some_and(|count| counts.contains(&count));
        let trouble = match &own {
            Some(own) if searched && (!own.is_now || is_whole(&self.link.search)) => None,
            _ => trouble::trouble(self),
        };
        let lines = lines::assemble(self, look, own.as_ref());
        let chart = lines::chart(self, look, &lines, own.as_ref());
        let best = rows::best(self, look, &lines, own.as_ref());
        let others = others::others(self, look, own.as_ref());
        // A preset that asks something else is answered, whatever the search finds.
        let answered = super::asked::in_plans(now, self.link.search.two_batch);
        let answered = answered.map(|said| (said, None)).or_else(|| {
            let asks = super::asked::for_helix(now);
            asks.then(|| gains::verdict(self)).flatten()
        });
        let open = match &answered {
            // The button beside a sentence opens the plan that the sentence is about.
            Some((_, plan)) => *plan,
            None => { own.as_ref() }
                .filter(|own| !own.is_now)
                .map(|own| own.inputs),
        };
        let answered = answered.map(|(said, _)| said);
        let beside = match &own {
            Some(own) => verdict::beside(look, own),
            None => Levers {
                smaller: Levers::of(now).smaller,
                ..Levers::default()
            },
        };
        let told = answered.is_none() && trouble.is_none();
        let (verdict, short) = match (answered, &trouble) {
            (Some(said), _) => (said.clone(), said),
            (None, Some(trouble)) => (trouble.sentence.clone(), trouble.sentence.clone()),
            (None, None) => verdict::sentences(self, look, own.as_ref(), &beside),
        };
        let levers = beside.iter().map(advice::offer);
        let levers = levers.chain(beside.smaller.as_ref().map(advice::offer_of));
        let enough = match (&own, &beside.smaller) {
            (None, None) => advice::more_gpus(now),
            _ => None,
        };
        PlansAnswer {
            offers: levers.chain(enough).filter(|_| told).collect(),
            verdict,
            short,
            open,
            own,
            gains: match scenario_family(now) {
                Some(Family::Helix | Family::HelixHopB) => gains::gains(self),
                _ => Vec::new(),
            },
            trouble,
            counts: self.counts(),
            chart: Arc::new(chart),
            plans: lines.into_iter().map(|line| line.plans).collect(),
            best,
            others,
        }
    }

    /// Everything that fell out, before it was evaluated and after.
    fn excluded(&self) -> Exclusions {
        let mut excluded = Exclusions::default();
        for rule in Exclusion::ALL {
            let before = self.candidates.excluded().of(rule);
            excluded.add(rule, before + self.answer.found.excluded.of(rule));
        }
        excluded
    }

    /// How many plans a search is about: those that no rule of sharding lets run included.
    pub fn plans(&self) -> usize {
        self.answer.candidates + self.candidates.excluded().total()
    }

    /// "13,514 fit, 8,382 out of memory".
    fn counts(&self) -> String {
        let found = &self.answer.found;
        let met = match self.link.current.get(Number::Slo) {
            Some(_) => "meet the SLO",
            None => "fit",
        };
        let mut parts = vec![format!("{} {met}", format::count(found.fitting as f64))];
        let excluded = self.excluded();
        let mut others: Vec<(Exclusion, usize)> = Exclusion::ALL
            .map(|rule| (rule, excluded.of(rule)))
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .collect();
        sort_by_key(&mut others, |(_, count)| std::cmp::Reverse(*count));
        // The rules that fell most; what the rest fell by would be a list.
        let rest = others.split_off(others.len().min(MOST_RULES));
        parts.extend(others.into_iter().map(|(rule, count)| {
            format!("{} {}", format::count(count as f64), trouble::short(rule))
        }));
        let rest: usize = rest.into_iter().map(|(_, count)| count).sum();
        if rest > 0 {
            parts.push(format!("{} by other rules", format::count(rest as f64)));
        }
        parts.join(", ")
    }
}

#[cfg(test)]
mod instances_tests;
#[cfg(test)]
mod tests;
