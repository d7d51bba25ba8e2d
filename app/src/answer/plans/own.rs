//! The best on the visitor's own GPUs: what a search is asked for first.

use super::Searched;
use crate::answer::sentence::{Sentence, Tone};
use crate::answer::split::short_name;
use crate::answer::{advice, sharding};
use crate::format;
use model_core::advice::{most, works};
use model_core::evaluate::{Evaluation, evaluate};
use model_core::scenario::{Inputs, Number, Scenario};

/// The best use of one's own GPUs.
#[derive(Debug, Clone, PartialEq)]
pub struct Own {
    /// The inputs that state it.
    pub inputs: Inputs,
    /// The same, complete.
    pub scenario: Scenario,
    /// What it comes to.
    pub evaluation: Evaluation,
    /// Throughput over the plan that there is now; `None` where that one does not work.
    pub gain: Option<f64>,
    /// Whether it is the plan that there is now.
    pub is_now: bool,
}

/// The best of the present plan, of every plan on the same GPUs at the largest batch that works, to the whole
/// sequence, and of the candidates that were found on as many.
pub fn own(searched: &Searched, now: &Inputs) -> Option<Own> {
    let slo = now.get(Number::Slo);
    let of = |inputs: Inputs| {
        let scenario = inputs.scenario().ok()?;
        let evaluation = evaluate(&scenario).ok()?;
        works(&scenario, &evaluation).then_some((inputs, scenario, evaluation))
    };
    let present = of(*now);
    let gpus = now.get(Number::Gpus)?;
    let candidates = searched.candidates.as_ref();
    let found = searched
        .answer
        .found
        .frontiers
        .iter()
        .filter_map(|frontier| frontier.at_least(slo.unwrap_or(0.0)))
        .filter_map(|point| candidates.inputs(point.index))
        .map(|(_, inputs)| inputs)
        .filter(|inputs| {
            inputs.get(Number::Gpus) == Some(gpus)
                && inputs.gpu == now.gpu
                && inputs.precision == now.precision
        })
        .filter_map(of);
    let refined = most(now).and_then(|free| of(free.inputs));
    let others = refined.into_iter().chain(found);
    let better = others.fold(present, |best, next| match &best {
        Some((_, _, evaluation)) if evaluation.tokens >= next.2.tokens => best,
        _ => Some(next),
    });
    let (inputs, scenario, evaluation) = better?;
    let before = present.as_ref().map(|(_, _, evaluation)| evaluation.tokens);
    Some(Own {
        is_now: present.is_some_and(|(_, now, _)| now == scenario),
        gain: before.map(|before| evaluation.tokens / before),
        inputs,
        scenario,
        evaluation,
    })
}

impl Own {
    /// "DP 32 · EP 32, no overlap, batch 1,223".
    pub fn detail(&self) -> String {
        let spec = self.scenario.plan.spec();
        let schedule = match sharding::schedule(spec.overlap) {
            "" => "no overlap",
            schedule => schedule,
        };
        format!(
            "{}, {schedule}, batch {}",
            sharding::words(spec, &self.scenario.arch),
            format::count(self.scenario.workload.batch)
        )
    }

    /// "32 H200".
    pub fn gpus(&self) -> String {
        let count = f64::from(self.scenario.cluster.gpus);
        format!(
            "{} {}",
            format::count(count),
            short_name(self.inputs.gpu.name())
        )
    }

    /// "Your 32 H200 keep 30 tok/s per user with DP 32 · EP 32, no overlap, batch 1,223: 1.15k tok/s per GPU,
    /// 12.7× your plan."
    pub fn sentence(&self, slo: Option<f64>) -> Sentence {
        let rate = format!(
            "{} tok/s per GPU",
            format::si(self.evaluation.tokens_per_gpu)
        );
        let lead = match slo {
            Some(slo) => format!(
                "Your {} keep {} tok/s per user ",
                self.gpus(),
                format::printed(slo)
            ),
            None => format!("Your {} serve most ", self.gpus()),
        };
        let said = Sentence::default().say(lead);
        if self.is_now {
            return said
                .then(Tone::Strong, "as they are")
                .say(format!(
                    ", at batch {}: ",
                    format::count(self.scenario.workload.batch)
                ))
                .then(Tone::Strong, rate)
                .say(". ");
        }
        let said = said
            .say("with ")
            .then(Tone::Strong, self.detail())
            .say(": ")
            .then(Tone::Strong, rate);
        match self.gain {
            Some(gain) => said
                .say(", ")
                .then(Tone::Help, format::factor(gain))
                .say(" your plan. "),
            None if slo.is_some() => said.say("; your plan misses it. "),
            None => said.say("; your plan does not fit. "),
        }
    }
}

/// "DP + EP on 256 H200 serves 1.66× that." for plans on other GPUs.
pub fn beyond(searched: &Searched, own: &Own, said: Sentence) -> Sentence {
    let Some(best) = searched.answer.found.best.first else {
        return said.trimmed();
    };
    let ratio = best.tokens_per_gpu / own.evaluation.tokens_per_gpu;
    if ratio < 1.01 {
        return said.trimmed();
    }
    let plan = searched.plan(&best);
    said.then(Tone::Strong, plan.short())
        .say(" serves ")
        .then(Tone::Help, format::factor(ratio))
        .say(" that per GPU.")
}

/// A count of GPUs as a choice of the search: "on my 32 GPUs".
pub fn choice(now: &Inputs) -> String {
    let count = now.get(Number::Gpus).unwrap_or(1.0);
    format!("on my {}", advice::gpus(count))
}
