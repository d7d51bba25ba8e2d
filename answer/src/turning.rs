//! Turning points, shown as one line under the headline: the values of inputs at which the better of two alternatives
//! changes.

use crate::words::format;
use crate::words::names::schedule;
use model_core::evaluate::evaluate;
use model_core::inputs::{Inputs, Mode, Number};
use model_core::permalink::{Link, View};
use model_core::turning::{Contest, Side};
use worker::turns::TurnsAnswer;

/// The line under the headline: the current verdict on two alternatives, and the input values at which it changes.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnLine {
    /// The current verdict on the two alternatives: "Costs less per token than A".
    pub verdict: &'static str,
    /// Input values at which the verdict changes, in the order in which the inputs are searched.
    pub values: Vec<TurnValue>,
    /// Inputs for which no value in their range changes the verdict: "context or batch". Empty if every input has
    /// such a value.
    pub none: String,
}

/// A value of an input at which the verdict changes.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnValue {
    /// True if this value is above the current one, so the verdict changes when the input rises to it. False if this
    /// value is below the current one.
    pub above: bool,
    /// Name of the input, or empty if the unit in `text` suffices: "context".
    pub name: &'static str,
    /// The input's value with its unit: "212 req/s", "41k".
    pub text: String,
    /// True if the alternative that is currently better is out of memory at this value.
    pub unfit: bool,
    /// Tooltip of a button that sets the input to this value.
    pub help: String,
    /// The two alternatives with the input set to this value.
    pub then: Contest,
}

/// Returns the two alternatives that a view compares; `None` if there is no second one. AFD is not included, because
/// its verdict depends on a simulation. The plans of a search are not included either, because each plan has its best
/// batch.
pub fn contest(link: &Link) -> Option<Contest> {
    let current = link.current;
    match (link.shown.view, link.pinned) {
        (View::Disaggregation, _) if current.mode == Mode::Split => Some(Contest::Lamina(current)),
        (View::Service, Some(pinned)) => Some(Contest::Services(current, pinned)),
        (View::Service, None) => Some(Contest::Pools(current)),
        (View::Explore, Some(pinned)) => Some(Contest::Scenarios(current, pinned)),
        (View::Explore, None) => Contest::replicas(&current),
        _ => None,
    }
    .filter(differ)
}

fn differ(contest: &Contest) -> bool {
    match contest {
        Contest::Scenarios(one, other) | Contest::Services(one, other) => {
            one.normalized() != other.normalized()
        }
        Contest::Pools(_) | Contest::Afd { .. } | Contest::Lamina(_) => true,
    }
}

/// Returns the current and the pinned inputs for which the page shows the two alternatives.
pub const fn shown(contest: &Contest) -> (Inputs, Option<Inputs>) {
    match contest {
        Contest::Scenarios(current, pinned) | Contest::Services(current, pinned) => {
            (*current, Some(*pinned))
        }
        Contest::Pools(inputs) | Contest::Lamina(inputs) | Contest::Afd { inputs, .. } => {
            (*inputs, None)
        }
    }
}

/// Returns the line of turning points under the headline; `None` if neither alternative is feasible.
pub fn line(contest: &Contest, answer: &TurnsAnswer, pinned: bool) -> Option<TurnLine> {
    let verdict = verdict(contest, answer.now?, pinned);
    let values = answer.found.iter().filter_map(|found| {
        let turn = found.turn?;
        let number = found.axis.number;
        let [now, at] = [found.axis.range.now, turn.at].map(|of| value(number, of));
        let then = contest.at(&found.axis, turn.at)?;
        // A default schedule may depend on the batch.
        let [before, after] = [contest, &then].map(|of| shown(of).0.schedule());
        let also = matches!(contest, Contest::Scenarios(..)) && before != after;
        let also = also.then(|| format!(" with {}", schedule(after)));
        let text = format!("{at}{}", also.unwrap_or_default());
        let name = named(number);
        let set = |text: &str| format!("{name} {text}").trim_start().to_owned();
        Some(TurnValue {
            unfit: is_unfit(&then, answer.now?),
            above: turn.at > found.axis.range.now,
            help: format!(
                "Sets {} instead of {now}: the nearest value that changes the verdict",
                set(&text)
            ),
            name,
            text,
            then,
        })
    });
    let none = answer.found.iter().filter(|found| found.turn.is_none());
    let none: Vec<&str> = none.map(|found| name(found.axis.number)).collect();
    Some(TurnLine {
        verdict,
        values: values.collect(),
        none: match none.split_last() {
            None => String::new(),
            Some((last, [])) => (*last).to_owned(),
            Some((last, first)) => format!("{} or {last}", first.join(", ")),
        },
    })
}

fn is_unfit(contest: &Contest, side: Side) -> bool {
    let Contest::Scenarios(one, other) = contest else {
        return false;
    };
    let inputs = match side {
        Side::First => one,
        Side::Second => other,
    };
    let evaluation = inputs.scenario().map(|scenario| evaluate(&scenario));
    matches!(evaluation, Ok(Ok(evaluation)) if !evaluation.memory.fits())
}

fn verdict(contest: &Contest, now: Side, pinned: bool) -> &'static str {
    let priced = |inputs: &Inputs| inputs.get(Number::Price).is_some_and(|price| price > 0.0);
    match (contest, now) {
        (Contest::Scenarios(one, other), _) => match (now, priced(one) && priced(other), pinned) {
            (Side::First, true, true) => "Costs less per token than A",
            (Side::Second, true, true) => "Costs no less per token than A",
            (Side::First, false, true) => "More tok/s/GPU than A",
            (Side::Second, false, true) => "No more tok/s/GPU than A",
            (Side::First, _, false) => "Several replicas serve more than a single one",
            (Side::Second, _, false) => "A single replica on all GPUs serves as much or more",
        },
        (Contest::Services(one, other), _) => match (now, priced(one) && priced(other)) {
            (Side::First, true) => "Costs less per request than A",
            (Side::Second, true) => "Costs no less per request than A",
            (Side::First, false) => "Fewer GPUs than A",
            (Side::Second, false) => "No fewer GPUs than A",
        },
        (Contest::Pools(_), Side::First) => "Disaggregated costs less",
        (Contest::Pools(_), Side::Second) => "Aggregated costs no more",
        (Contest::Afd { interactivity, .. }, Side::First) if *interactivity < 1.0 => {
            "With the simulated loss, AFD serves more at micro-batches that meet the target"
        }
        (Contest::Lamina(_), Side::First) => "Lamina serves more per dollar",
        (Contest::Lamina(_), Side::Second) => "Colocated serves as much or more per dollar",
        (Contest::Afd { .. }, Side::First) => "AFD serves more",
        (Contest::Afd { .. }, Side::Second) => "Colocated serves as much or more",
    }
}

const fn name(number: Number) -> &'static str {
    match number {
        Number::Rate => "rate",
        Number::Context => "context",
        Number::MeanPrompt => "prompt",
        Number::Batch => "batch",
        Number::Price => "price",
        Number::MemoryPrice => "memory device price",
        Number::Net => "network",
        Number::ScaleOut => "scale-out",
        _ => "scale-up",
    }
}

/// Returns the name of an input for its value; empty if the value's unit suffices.
const fn named(number: Number) -> &'static str {
    match number {
        Number::Rate | Number::Price => "",
        Number::MemoryPrice => "memory device",
        number => name(number),
    }
}

/// Formats an input's value with its unit: "212 req/s", "41k", "9,216", "$3.90/GPU·h", "100 GB/s".
fn value(number: Number, value: f64) -> String {
    match number {
        Number::Rate => format!("{} req/s", format::sig3(value)),
        Number::Context | Number::MeanPrompt => format::tokens(value),
        Number::Batch => format::count(value),
        Number::Price => format!("{}/GPU·h", format::dollars(value)),
        Number::MemoryPrice => format!("{}/h", format::dollars(value)),
        _ => format!("{} GB/s", format::sig3(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink::read;
    use model_core::turning::Turns;

    fn said(link: &str) -> Option<TurnLine> {
        let link = read(link);
        let contest = contest(&link)?;
        let Turns { now, found, .. } = Turns::of(&contest);
        line(&contest, &TurnsAnswer { now, found }, link.pinned.is_some())
    }

    #[test]
    fn a_line_for_each_verdict() {
        let compared = said("v=2&gpu=gb200&gpus=72&price=5&a.v=2&a.gpu=h200&a.price=2.3").unwrap();
        assert!(compared.verdict.contains("than A"), "{compared:?}");
        let price = |of: &&TurnValue| of.text.starts_with('$');
        let price = compared.values.iter().find(price).unwrap();
        let (then, pinned) = shown(&price.then);
        assert_eq!(pinned.unwrap().get(Number::Price), Some(2.3));
        assert_ne!(then.get(Number::Price), Some(5.0));
        let pools = said("v=2&view=service&model=qwen3-30b-a3b&gpu=h200&rate=50&slo=25").unwrap();
        assert!(pools.verdict.contains("aggregated") || pools.verdict.contains("Aggregated"));
        assert!(said("v=2&gpus=24&replicas=3&batch=4096").is_some());
        let lamina = said("v=3&gpus=72&batch=9216&context=2000&mode=split&view=disagg").unwrap();
        assert!(lamina.verdict.contains("per dollar"), "{lamina:?}");
        let searched = lamina.values.len() + lamina.none.replace(" or ", ",").split(',').count();
        assert!(searched >= 3, "{lamina:?}");
        for none in ["v=2", "v=2&a.v=2", "v=2&view=papers&a.v=2&a.batch=9"] {
            assert_eq!(said(none), None, "{none}");
        }
    }
}
