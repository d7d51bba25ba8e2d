//! "Which plan?": what a search found, as words, chart data and ways on.

mod awards;
mod chart;
mod gains;
mod instances;
mod own;
mod trouble;

pub use awards::{Award, Runner};
pub use chart::style;
pub use instances::data as instances_data;
pub use own::{Own, choice};
pub use trouble::{Edit, Trouble, WayOut};

use super::sentence::{Sentence, Tone};
use super::sharding;
use crate::charts::PlansData;
use crate::charts::plans::{FaintPlan, PlanCurve};
use crate::format;
use model_core::permalink::{self, Link};
use model_core::scenario::{Inputs, Number};
use model_core::search::Candidates;
use model_core::sweep::{Exclusion, Point};
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
    curves: Arc<Vec<PlanCurve>>,
    faint: Arc<Vec<FaintPlan>>,
}

/// What the page says of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct PlansAnswer {
    /// The finding in one sentence.
    pub verdict: Sentence,
    /// The best on the visitor's own GPUs.
    pub own: Option<Own>,
    /// The best and the cheapest plan.
    pub awards: Vec<Award>,
    /// What Helix gains over the baselines.
    pub gains: Vec<Sentence>,
    /// Why there is no plan, and what would give one.
    pub trouble: Option<Trouble>,
    /// What became of the candidates, in one line.
    pub counts: String,
}

/// The link of a search: what of the page's link decides what is found, and nothing else, so that a
/// change of anything else searches nothing again.
pub fn asked(link: &Link) -> String {
    let mut asked = Link::to(link.current);
    asked.search = link.search.clone();
    asked.search.gpus = Some(link.search.gpus(&link.current));
    for number in [
        Number::Gpus,
        Number::Batch,
        Number::Dp,
        Number::Tp,
        Number::Kvp,
        Number::FfnTp,
        Number::Ep,
        Number::Pp,
        Number::Instances,
        Number::Interconnect,
    ] {
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

impl Searched {
    /// What `answer` says about the candidates of a link.
    pub fn new(
        text: &str,
        link: Link,
        candidates: Arc<Candidates>,
        answer: SearchAnswer,
        stage: Stage,
    ) -> Self {
        let curves = Arc::new(chart::curves(&candidates, &answer.found));
        let faint = Arc::new(chart::faint(&answer.found));
        Self {
            text: text.to_owned(),
            link,
            candidates,
            answer,
            stage,
            curves,
            faint,
        }
    }

    /// The chart, with the scenario that is being edited on it.
    pub fn chart(&self, now: &Inputs) -> PlansData {
        chart::data(self, now)
    }

    /// The candidate of a hit of the chart.
    pub fn candidate(&self, hit: usize) -> Option<usize> {
        chart::candidate(&self.answer.found, hit)
    }

    /// The link that shows a candidate by itself; the search stays in it.
    pub fn opened(&self, index: usize) -> Option<Inputs> {
        self.candidates.inputs(index).map(|(_, inputs)| inputs)
    }

    /// Everything that is said, beside the scenario that is being edited.
    pub fn say(&self, now: &Inputs) -> PlansAnswer {
        let trouble = trouble::trouble(self);
        let own = own::own(self, now);
        let slo = now.get(Number::Slo);
        // A preset that asks something else is answered, whatever the search finds.
        let asked = super::asked::in_plans(now);
        let verdict = match (&trouble, &own, self.answer.found.best.first) {
            (Some(trouble), ..) => trouble.sentence.clone(),
            (None, Some(own), _) => own::beyond(self, own, own.sentence(slo)),
            (None, None, Some(best)) => self.verdict(now, &best),
            (None, None, None) => Sentence::default().say("Nothing that fits so far."),
        };
        let verdict = asked.unwrap_or(verdict);
        PlansAnswer {
            verdict,
            own: own.clone(),
            awards: awards::awards(self, own.as_ref()),
            gains: gains::gains(self),
            trouble,
            counts: self.counts(),
        }
    }

    /// "DP + EP on 128 GPUs serves most: 3.21k tok/s per GPU at 21.0 tok/s per user."
    fn verdict(&self, now: &Inputs, best: &Point) -> Sentence {
        let plan = self.plan(best);
        let gpus = super::advice::gpus(now.get(Number::Gpus).unwrap_or(1.0));
        let under = match self.link.current.get(Number::Slo) {
            Some(slo) => format!(
                " serves most at {} tok/s per user or faster: ",
                format::sig3(slo)
            ),
            None => " serves most: ".to_owned(),
        };
        let gpu = format::si(best.tokens_per_gpu);
        let user = format::sig3(best.tokens_per_user);
        Sentence::default()
            .say(format!("No plan on your {gpus} works. "))
            .then(Tone::Strong, plan.short())
            .say(under)
            .say(format!("{gpu} tok/s per GPU, {user} per user."))
    }

    /// "12,424 of 23,112 plans fit · 7,496 out of memory · 3,192 with too few sequences".
    fn counts(&self) -> String {
        let found = &self.answer.found;
        let met = if self.has_slo() {
            "fit and meet the SLO"
        } else {
            "fit"
        };
        let mut parts = vec![format!(
            "{} of {} {met}",
            format::count(found.fitting as f64),
            format::count(found.evaluated as f64)
        )];
        let mut others: Vec<(Exclusion, usize)> = Exclusion::ALL
            .map(|rule| (rule, found.excluded.of(rule)))
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .collect();
        others.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        parts.extend(others.into_iter().map(|(rule, count)| {
            format!("{} {}", format::count(count as f64), trouble::short(rule))
        }));
        parts.join(" · ")
    }

    fn has_slo(&self) -> bool {
        self.link.current.get(Number::Slo).is_some()
    }

    /// A candidate in words.
    fn plan(&self, point: &Point) -> PlanWords {
        let (gpu, precision) = self
            .candidates
            .setting(point.index)
            .map_or(("", ""), |(gpu, precision)| (gpu.name(), precision.id()));
        let candidate = self.candidates.space.scenario(point.index);
        let (gpus, batch, factors, schedule) = candidate.map_or_else(
            || (0.0, 0.0, String::new(), ""),
            |(_, scenario)| {
                let spec = scenario.plan.spec();
                (
                    f64::from(scenario.cluster.gpus),
                    scenario.workload.batch,
                    sharding::words(spec, &scenario.arch),
                    sharding::schedule(spec.overlap),
                )
            },
        );
        PlanWords {
            family: sharding::family(point.family),
            gpus,
            batch,
            factors,
            schedule,
            accelerator: gpu,
            precision,
            precision_named: self.many_precisions(),
        }
    }

    fn many_precisions(&self) -> bool {
        self.link.search.precisions(&self.link.current).len() > 1
    }
}

/// A candidate in words.
struct PlanWords {
    family: &'static str,
    gpus: f64,
    batch: f64,
    factors: String,
    schedule: &'static str,
    accelerator: &'static str,
    precision: &'static str,
    precision_named: bool,
}

impl PlanWords {
    /// "DP + EP on 128 H100".
    fn short(&self) -> String {
        let precision = if self.precision_named {
            format!(" in {}", self.precision)
        } else {
            String::new()
        };
        format!(
            "{} on {} {}{precision}",
            self.family,
            format::count(self.gpus),
            self.accelerator
        )
    }

    /// "DP 128 · EP 128 · batch 36,864 · two half batches".
    fn detail(&self) -> String {
        // HOP-B is in its family's name already.
        let schedule = match self.schedule {
            "" | "HOP-B" => String::new(),
            schedule => format!(" · {schedule}"),
        };
        format!(
            "{} · batch {}{schedule}",
            self.factors,
            format::count(self.batch)
        )
    }
}

#[cfg(test)]
mod instances_tests;
#[cfg(test)]
mod tests;
