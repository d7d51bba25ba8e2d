//! The table below the legend: strategies where the chart has a line per accelerator, and the other way round.

use super::lines::{LineKey, PlanCandidate, fuller, plans};
use super::rows::why;
use super::{Look, Searched, ShownPlan};
use crate::answer::names::{gpus, own_gpus, short_name};
use crate::answer::sharding;
use crate::format;
use model_core::inputs::{Gpu, Inputs, Number};
use model_core::order::sort_by;
use model_core::permalink::PlanLines;

/// A strategy, an accelerator or a precision that the chart has no line for.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherRow {
    /// "DP + EP".
    pub name: &'static str,
    /// "DP 32 · EP 32, batch 1,139".
    pub detail: String,
    /// Its bar, of the longest.
    pub bar: f64,
    /// Tokens per second and GPU.
    pub rate: f64,
    /// US dollars per million tokens.
    pub dollars: Option<f64>,
    /// The inputs that opening it opens.
    pub inputs: Inputs,
}

/// The plans by another key than the chart's.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherTable {
    /// "By strategy".
    pub title: &'static str,
    /// "on your 32 H200, at 30 tok/s".
    pub caption: String,
    /// The rows, most throughput first.
    pub rows: Vec<OtherRow>,
    /// Searched without a plan that meets the SLO, each with the rule.
    pub absent: Vec<(&'static str, &'static str)>,
}

/// Strategies on the visitor's own accelerator, or where the chart has a line for each of them, accelerators or
/// precisions, if there are several.
pub fn others(searched: &Searched, look: &Look) -> Option<OtherTable> {
    let link = &searched.link;
    let slo = look.now.get(Number::Slo);
    let accelerators = link.search.accelerators(&link.current);
    let precisions = link.search.precisions(&link.current);
    let own = (look.now.gpu, look.now.precision);
    let (title, keys): (_, Vec<LineKey>) = match look.lines(searched) {
        PlanLines::Accelerator | PlanLines::Precision => {
            let strategies = link.search.strategies.iter();
            (
                "By strategy",
                strategies.copied().map(LineKey::Strategy).collect(),
            )
        }
        PlanLines::Strategy if accelerators.len() > 1 => {
            let keys = accelerators.into_iter().map(LineKey::Accelerator);
            ("By accelerator", keys.collect())
        }
        PlanLines::Strategy if precisions.len() > 1 => {
            let keys = precisions.into_iter().map(LineKey::Precision);
            ("By precision", keys.collect())
        }
        PlanLines::Strategy => return None,
    };
    let is = |key: LineKey, plan: &PlanCandidate<'_>| match key {
        LineKey::Strategy(strategy) => plan.strategy() == strategy && plan.base() == own,
        LineKey::Accelerator(gpu) => plan.base().0 == gpu,
        LineKey::Precision(precision) => plan.base().1 == precision,
    };
    let best = |key: LineKey| -> Option<ShownPlan> {
        let of_key = plans(searched, look).filter(|plan| is(key, plan) && plan.meets(slo));
        of_key.reduce(fuller)?.plan()
    };
    let mut found = Vec::new();
    let mut absent = Vec::new();
    for key in keys {
        let name = key.names().0;
        match best(key) {
            Some(plan) => found.push((name, plan)),
            None => absent.push((name, why(searched, look, key))),
        }
    }
    sort_by(&mut found, |(_, one), (_, other)| {
        other.point.per_gpu.total_cmp(&one.point.per_gpu)
    });
    let longest = found.first().map_or(1.0, |(_, plan)| plan.point.per_gpu);
    let rows = found.into_iter().map(|(name, plan)| {
        let batch = format!("batch {}", format::count(plan.point.batch));
        let mut detail = vec![sharding::brief(&plan.spec), batch];
        if !look.own_gpus {
            detail.insert(0, gpus(plan.point.gpus));
        }
        OtherRow {
            name,
            detail: detail.join(", "),
            bar: plan.point.per_gpu / longest,
            rate: plan.point.per_gpu,
            dollars: plan.dollars,
            inputs: plan.inputs,
        }
    });
    let on = match (look.lines(searched), look.own_gpus) {
        (PlanLines::Strategy, _) => None,
        (_, true) => Some(format!("on your {}", own_gpus(&look.now))),
        (_, false) => {
            let name = short_name(look.now.gpu.name());
            Some(format!("on any number of {name}"))
        }
    };
    let at = slo.map(|slo| format!("at {} tok/s", format::printed(slo)));
    Some(OtherTable {
        title,
        caption: on.into_iter().chain(at).collect::<Vec<_>>().join(", "),
        rows: rows.collect(),
        absent,
    })
}

/// Accelerators that a comparison begins with, beside the visitor's own.
const RIVALS: [&str; 3] = ["b200", "gb200", "mi300x"];

/// Others to compare with, where only one accelerator is searched.
pub fn rivals(inputs: &Inputs) -> Vec<Gpu> {
    let own = inputs.gpu;
    let rivals = RIVALS
        .into_iter()
        .filter_map(model_core::hardware::catalog::find);
    let rivals = rivals.map(Gpu::Catalog).filter(|gpu| *gpu != own);
    std::iter::once(own).chain(rivals).collect()
}
