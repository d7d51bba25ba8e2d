//! What the other accelerators of a search would do, and which ones are worth asking of.

use super::lines::{Candidate, fullest, plans};
use super::rows::{dollars, misses, same_plan, why};
use super::{Look, Own, Plan, Searched};
use crate::answer::split::short_name;
use crate::answer::{advice, sharding};
use crate::format;
use model_core::order::sort_by;
use model_core::permalink::Lines;
use model_core::scenario::{Gpu, Inputs, Number};

/// One of those that the chart has no line for each.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherRow {
    /// "DP + EP".
    pub name: &'static str,
    /// "DP 32 · EP 32, batch 1,139", or why there is nothing.
    pub detail: String,
    /// Its bar, of the longest; `None` where there is nothing.
    pub bar: Option<f64>,
    /// "1.07k".
    pub value: String,
    /// "$0.416".
    pub cost: String,
    /// What opening it opens.
    pub inputs: Option<Inputs>,
}

/// The other way to look at the plans.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherTable {
    /// "By family".
    pub title: &'static str,
    /// "on your 32 H200, at 30 tok/s".
    pub caption: String,
    /// The rows.
    pub rows: Vec<OtherRow>,
}

/// The other table: families on the visitor's own accelerator, or where the chart has a line for each of
/// them, accelerators or precisions, if there are several.
pub fn others(searched: &Searched, look: &Look, own: Option<&Own>) -> Option<OtherTable> {
    let link = &searched.link;
    let slo = look.now.get(Number::Slo);
    let mine = own.map(Plan::of_own);
    let all = || {
        let mine = mine.as_ref().map(Candidate::Ready);
        plans(searched, look)
            .chain(mine)
            .filter(|plan| plan.meets(slo))
    };
    let best = |of: &dyn Fn(&Candidate<'_>) -> bool| {
        fullest(all().filter(|plan| of(plan))).and_then(|best| best.plan())
    };
    let accelerators = link.search.accelerators(&link.current);
    let precisions = link.search.precisions(&link.current);
    let at = slo.map_or_else(String::new, |slo| {
        format!("at {} tok/s", format::printed(slo))
    });
    let (title, caption, found): (_, _, Vec<(&'static str, Option<Plan>, String)>) = match look
        .lines(searched)
    {
        Lines::Accelerator | Lines::Precision => {
            let mine = |plan: &Candidate<'_>| plan.base() == (look.now.gpu, look.now.precision);
            let rows = link.search.families.iter().map(|family| {
                let found = best(&|plan: &Candidate<'_>| mine(plan) && plan.family() == *family);
                let reason = || {
                    let of =
                        plans(searched, look).filter(|plan| mine(plan) && plan.family() == *family);
                    let fastest = of.map(|plan| plan.speed()).reduce(f64::max);
                    match fastest {
                        Some(fastest) => misses(Some(fastest), slo),
                        None => why(searched, look, *family),
                    }
                };
                let reason = if found.is_some() {
                    String::new()
                } else {
                    reason()
                };
                (sharding::family(*family), found, reason)
            });
            let name = short_name(look.now.gpu.name());
            let on = match look.own_gpus {
                true => {
                    let count = look.now.get(Number::Gpus).unwrap_or(1.0);
                    format!("on your {} {name}", format::count(count))
                }
                false => format!("on any number of {name}"),
            };
            ("By family", on, rows.collect())
        }
        Lines::Family if accelerators.len() > 1 => {
            let rows = accelerators.iter().map(|gpu| {
                let found = best(&|plan: &Candidate<'_>| plan.base().0 == *gpu);
                (gpu.name(), found, "no plan works".to_owned())
            });
            ("By accelerator", String::new(), rows.collect())
        }
        Lines::Family if precisions.len() > 1 => {
            let rows = precisions.iter().map(|precision| {
                let found = best(&|plan: &Candidate<'_>| plan.base().1 == *precision);
                (precision.id(), found, "no plan works".to_owned())
            });
            ("By precision", String::new(), rows.collect())
        }
        Lines::Family => return None,
    };
    let twin = |index: usize| {
        let plan: &Plan = found[index].1.as_ref()?;
        let mut earlier = found[..index].iter();
        let twin = earlier
            .find(|(_, other, _)| other.as_ref().is_some_and(|other| same_plan(other, plan)))?;
        Some(twin.0)
    };
    let twins: Vec<Option<&'static str>> = (0..found.len()).map(twin).collect();
    let found: Vec<_> = found
        .into_iter()
        .zip(twins)
        .map(|(row, twin)| match twin {
            Some(of) => (row.0, None, format!("the same plan as {of}")),
            None => row,
        })
        .collect();
    let longest = found
        .iter()
        .filter_map(|(_, plan, _)| Some(plan.as_ref()?.point.per_gpu))
        .fold(f64::MIN_POSITIVE, f64::max);
    let mut rows: Vec<(f64, OtherRow)> = found
        .into_iter()
        .map(|(name, plan, why)| {
            let plan = plan.as_ref();
            let value = plan.map_or(-1.0, |plan| plan.point.per_gpu);
            let row = OtherRow {
                name,
                detail: plan.map_or(why, |plan| {
                    let gpus = match look.own_gpus {
                        true => String::new(),
                        false => format!("{}, ", advice::gpus(plan.point.gpus)),
                    };
                    let batch = format::count(plan.point.batch);
                    format!("{gpus}{}, batch {batch}", sharding::brief(&plan.spec))
                }),
                bar: plan.map(|plan| plan.point.per_gpu / longest),
                value: plan.map_or_else(String::new, |plan| format::si(plan.point.per_gpu)),
                cost: plan.map_or_else(String::new, |plan| dollars(plan.dollars)),
                inputs: plan.map(|plan| plan.inputs),
            };
            (value, row)
        })
        .collect();
    sort_by(&mut rows, |(one, _), (other, _)| other.total_cmp(one));
    let caption = [caption, at];
    let caption = caption.into_iter().filter(|part| !part.is_empty());
    Some(OtherTable {
        title,
        caption: caption.collect::<Vec<_>>().join(", "),
        rows: rows.into_iter().map(|(_, row)| row).collect(),
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
