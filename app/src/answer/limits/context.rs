//! Data of "What does context cost?": the same batch at other contexts.

use model_core::cost::memory::sequence_bytes;
use model_core::evaluate::evaluate;
use model_core::math::pow;

use crate::answer::{Case, compare};
use crate::charts::{ContextData, ContextPoint};

/// Contexts that are drawn in any case: 2⁸ … 2²⁰ tokens.
const CONTEXTS: (f64, f64) = (256.0, 1_048_576.0);
/// Quarters of a doubling.
const POINTS: i32 = 48;

/// The scenario's curve, and the pinned one's.
pub fn data(case: &Case, pinned: Option<&Case>) -> ContextData {
    ContextData {
        curve: curve(case),
        now: at(case, case.scenario.workload.context).unwrap_or(ContextPoint {
            context: 0.0,
            tpot_s: 0.0,
            cache_bytes: 0.0,
            fits: false,
        }),
        pinned: pinned.map(|pinned| {
            let name = if pinned.inputs.model == case.inputs.model {
                compare::difference(&case.inputs, &pinned.inputs)
            } else {
                None
            };
            let name = name.unwrap_or_else(|| pinned.inputs.model.name().into());
            (curve(pinned), name)
        }),
        layers: compare::layers(&case.scenario.arch),
        source: "this batch at other contexts, a sequence's cache whole".into(),
    }
}

fn at(case: &Case, context: f64) -> Option<ContextPoint> {
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

fn curve(case: &Case) -> Vec<ContextPoint> {
    let (first, last) = CONTEXTS;
    let step = |index: i32| first * pow(last / first, f64::from(index) / f64::from(POINTS));
    let mut contexts: Vec<f64> = (0..=POINTS).map(step).map(f64::round).collect();
    contexts.push(case.scenario.workload.context);
    contexts.sort_by(f64::total_cmp);
    contexts.dedup();
    contexts
        .into_iter()
        .filter_map(|context| at(case, context))
        .collect()
}
