//! The table below the legend: the best plan of each strategy. It is shown if the chart's lines are accelerators or
//! precisions.

use super::lines::{LineKey, PlanCandidate, fuller, plans};
use super::rows::why;
use super::{Look, Searched, ShownPlan};
use crate::sharding;
use crate::words::format;
use crate::words::names::{all_gpus, gpus, short_name};
use model_core::inputs::{Inputs, Number};
use model_core::order::sort_by;
use model_core::permalink::PlanLines;

/// The best plan of one strategy.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherRow {
    /// Name of the strategy: "DP + EP".
    pub name: &'static str,
    /// Parallelism factors and batch: "DP 32 · EP 32, batch 1,139".
    pub detail: String,
    /// Length of the row's bar, as a fraction of the longest bar.
    pub bar: f64,
    /// Throughput of the plan, in tok/s/GPU.
    pub rate: f64,
    /// Cost of the plan in US dollars per million tokens; `None` without a price.
    pub dollars: Option<f64>,
    /// Inputs of the scenario that a click on the row opens.
    pub inputs: Inputs,
}

/// Table of the best plan of each strategy.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherTable {
    /// Title of the table: "By strategy".
    pub title: &'static str,
    /// Caption of the table: "on your 32 H200, at 30 tok/s/user".
    pub caption: String,
    /// Rows, in descending order of throughput.
    pub rows: Vec<OtherRow>,
    /// Searched strategies without a plan that meets the SLO, each with the rule that excludes most of its plans.
    pub absent: Vec<(&'static str, &'static str)>,
}

/// Builds the table of strategies for the user’s accelerator; `None` if the chart's lines are strategies.
pub fn others(searched: &Searched, look: &Look) -> Option<OtherTable> {
    let search = &searched.search;
    let slo = look.now.get(Number::Slo);
    let own = (look.now.gpu, look.now.precision);
    if look.lines(searched) == PlanLines::Strategy {
        return None;
    }
    let keys = search.strategies.iter().copied().map(LineKey::Strategy);
    let is = |key: LineKey, plan: &PlanCandidate<'_>| {
        LineKey::Strategy(plan.strategy()) == key && plan.base() == own
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
        let any = || (!look.own_gpus).then(|| gpus(plan.point.gpus));
        if let Some(gpus) = plan.split().or_else(any) {
            detail.insert(0, gpus);
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
    let on = match look.own_gpus {
        true => format!("on your {}", all_gpus(&look.now)),
        false => format!("at any {} count", short_name(look.now.gpu.name())),
    };
    let at = slo.map(|slo| format!("at {} tok/s/user", format::printed(slo)));
    Some(OtherTable {
        title: "By strategy",
        caption: std::iter::once(on).chain(at).collect::<Vec<_>>().join(", "),
        rows: rows.collect(),
        absent,
    })
}
