//! The table below the legend: strategies, where the chart has a line per accelerator or precision.

use super::lines::{LineKey, PlanCandidate, fuller, plans};
use super::rows::why;
use super::{Look, Searched, ShownPlan};
use crate::sharding;
use crate::words::format;
use crate::words::names::{all_gpus, gpus, short_name};
use model_core::inputs::{Inputs, Number};
use model_core::order::sort_by;
use model_core::permalink::PlanLines;

/// A strategy.
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

/// The plans by strategy.
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

/// Strategies on the user’s accelerator, where the chart has a line for each accelerator or precision.
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
        false => format!("on any {} count", short_name(look.now.gpu.name())),
    };
    let at = slo.map(|slo| format!("at {} tok/s/user", format::printed(slo)));
    Some(OtherTable {
        title: "By strategy",
        caption: std::iter::once(on).chain(at).collect::<Vec<_>>().join(", "),
        rows: rows.collect(),
        absent,
    })
}
