//! Data of "What does context cost?": the same batch at other contexts.

use model_core::cost::memory::sequence_bytes;
use model_core::evaluate::evaluate;
use model_core::math::pow;
use model_core::order::sort_numbers;

use crate::answer::{Evaluated, compare, names};
use crate::charts::context::worth;
use crate::charts::{Beside, ContextData, ContextPoint};
use crate::format;
use model_core::arch::catalog;

/// Range of contexts, at least: 2⁸ … 2²⁰ tokens.
const CONTEXTS: (f64, f64) = (256.0, 1_048_576.0);
/// Points of a curve, four per doubling.
const POINTS: i32 = 48;

/// The scenario's curve beside that of the model it is set against, or else the pinned scenario's.
pub fn data(case: &Evaluated, pinned: Option<&Evaluated>, against: Option<&str>) -> ContextData {
    let other = against
        .and_then(catalog::find)
        .map(|entry| another(case, entry));
    let mut data = ContextData {
        curve: curve(case),
        now: at(case, case.scenario.workload.context).unwrap_or(ContextPoint {
            context: 0.0,
            tpot_s: 0.0,
            cache_bytes: 0.0,
            fits: false,
        }),
        beside: other.or_else(|| pinned.and_then(|pinned| beside(case, pinned))),
        layers: names::layers(&case.scenario.arch),
        source: "this batch at other contexts, a sequence's cache whole".into(),
        finding: String::new(),
    };
    data.finding = finding(&data);
    data
}

/// Another model in the same deployment, in the format it was released in where the scenario's is.
fn another(case: &Evaluated, entry: &'static catalog::Entry) -> Beside {
    let mut inputs = case.inputs;
    inputs.choose_model(entry);
    let curve = Evaluated::new(&inputs).map(|other| curve(&other));
    Beside {
        curve: curve.unwrap_or_default(),
        long: entry.name.into(),
        short: entry.name.into(),
        now: None,
    }
}

/// `None` where it is the same deployment at the same context.
fn beside(case: &Evaluated, pinned: &Evaluated) -> Option<Beside> {
    let (context, theirs) = (
        case.scenario.workload.context,
        pinned.scenario.workload.context,
    );
    let here = at(pinned, context);
    let same = here.is_some() && here == at(case, context);
    if same && context.to_bits() == theirs.to_bits() {
        return None;
    }
    let alike = pinned.inputs.model == case.inputs.model;
    let name = alike.then(|| compare::difference(&case.inputs, &pinned.inputs));
    let name = name.flatten();
    let name = name.unwrap_or_else(|| pinned.inputs.model.name().into());
    Some(Beside {
        curve: curve(pinned),
        long: format!("A ({name})"),
        short: "A".into(),
        now: same.then(|| at(pinned, theirs)).flatten(),
    })
}

fn at(case: &Evaluated, context: f64) -> Option<ContextPoint> {
    let mut scenario = case.scenario;
    scenario.workload.context = context;
    let evaluation = evaluate(&scenario).ok()?;
    Some(ContextPoint {
        context,
        tpot_s: evaluation.tpot.get(),
        cache_bytes: sequence_bytes(&scenario).total.get(),
        fits: evaluation.memory.fits(),
    })
}

fn curve(case: &Evaluated) -> Vec<ContextPoint> {
    let (first, last) = CONTEXTS;
    let step = |index: i32| first * pow(last / first, f64::from(index) / f64::from(POINTS));
    let mut contexts: Vec<f64> = (0..=POINTS).map(step).map(f64::round).collect();
    contexts.push(case.scenario.workload.context);
    sort_numbers(&mut contexts);
    contexts.dedup();
    contexts
        .into_iter()
        .filter_map(|context| at(case, context))
        .collect()
}

/// The finding, next to the question.
fn finding(data: &ContextData) -> String {
    let drawn = data.drawn();
    let (Some(first), true) = (drawn.first(), worth(&data.now)) else {
        return "Nothing to compare".to_owned();
    };
    let context = format::tokens(data.now.context);
    if let Some(Beside { short, now, .. }) = &data.beside {
        let there = now.filter(worth);
        let Some(theirs) = there.or_else(|| near(&data.now, &data.theirs())) else {
            return format!("{short} cannot run like this");
        };
        let time = format::factor(data.now.tpot_s / theirs.tpot_s);
        let cache = format::factor(data.now.cache_bytes / theirs.cache_bytes);
        let tokens = format::tokens(theirs.context);
        return match there {
            Some(_) => {
                format!("{context}: {time} the time of {short}'s {tokens}, {cache} the cache")
            }
            None => format!("At {context}: {time} {short}'s time, {cache} its cache"),
        };
    }
    let time = format::factor(data.now.tpot_s / first.tpot_s);
    let least = format::tokens(first.context);
    format!("{context}: {time} the time of {least} tokens")
}

/// The point of a curve that is nearest the scenario's context.
fn near(now: &ContextPoint, curve: &[ContextPoint]) -> Option<ContextPoint> {
    let off = |point: &ContextPoint| libm::fabs(libm::log(point.context / now.context));
    curve
        .iter()
        .copied()
        .min_by(|one, other| off(one).total_cmp(&off(other)))
}
