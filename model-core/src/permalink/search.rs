//! Link keys of the search for plans.

use super::choice::pick;
use super::number::{read_number, write_number};
use crate::hardware::catalog;
use crate::inputs::{Gpu, Inputs, Number};
use crate::named::named;
use crate::order::sort_by_key;
use crate::precision::NamedPrecision;
use crate::search::Search;
use crate::sweep::Strategy;

/// Value of an empty list.
const NONE: &str = "none";
const CUSTOM: &str = "custom";
/// Value of the GPU list for all default numbers.
const ANY: &str = "any";
/// Plans with two-batch overlap and without.
const BOTH: &str = "two-batch";

named! {
    /// A link key of the search, in the order a link writes them.
    #[allow(missing_docs, reason = "named as in links")]
    pub enum SearchKey {
        Families = "families", Gpus = "search_gpus", Accelerators = "accelerators", Precisions = "precisions",
        Batch = "search_batch", Steps = "batch_steps", Overlap = "search_overlap",
    }
}

impl SearchKey {
    /// Reads the key's value into a search and returns notes on unreadable parts, which keep their default.
    pub fn read(self, search: &mut Search, value: &str) -> Vec<String> {
        let default = Search::default();
        let mut faults = Vec::new();
        match self {
            Self::Families => {
                let find = |id: &str| pick(Strategy::ALL, Strategy::id, id).ok_or_else(unknown);
                let offers = Strategy::ALL.map(Strategy::id).join(", ");
                let found = list(value, &offers, find, &mut faults);
                let chosen = |strategy: &Strategy| found.contains(strategy);
                search.strategies = if found.is_empty() && value != NONE {
                    default.strategies
                } else {
                    Strategy::ALL.into_iter().filter(chosen).collect()
                };
            }
            Self::Gpus if value == ANY => (search.gpus, search.any_gpus) = (None, true),
            Self::Gpus => {
                let find = |text: &str| {
                    read_number(Number::Gpus, text)
                        .map(|gpus| gpus as u32)
                        .map_err(|error| error.to_string())
                };
                let mut found = list(value, "numbers of GPUs", find, &mut faults);
                sort_by_key(&mut found, |count| *count);
                found.dedup();
                if found.len() > Search::MOST_GPU_COUNTS {
                    found.truncate(Search::MOST_GPU_COUNTS);
                    faults.push(format!(
                        "holds more than {} numbers; the smallest are searched",
                        Search::MOST_GPU_COUNTS
                    ));
                }
                search.gpus = (!found.is_empty()).then_some(found);
                search.any_gpus = false;
            }
            Self::Accelerators => {
                let find = |id: &str| match id {
                    CUSTOM => Ok(Gpu::Custom),
                    _ => catalog::find(id).map(Gpu::Catalog).ok_or_else(unknown),
                };
                let found = list(value, "ids of the catalogue", find, &mut faults);
                search.accelerators = in_order(&found);
            }
            Self::Precisions => {
                let find = |id: &str| {
                    pick(NamedPrecision::ALL, NamedPrecision::id, id).ok_or_else(unknown)
                };
                let offers = NamedPrecision::ALL.map(NamedPrecision::id).join(", ");
                let found = list(value, &offers, find, &mut faults);
                let chosen = |precision: &NamedPrecision| found.contains(precision);
                search.precisions = NamedPrecision::ALL.into_iter().filter(chosen).collect();
            }
            Self::Batch => match read_number(Number::Batch, value) {
                Ok(most) => search.most_batch = most,
                Err(error) => {
                    search.most_batch = default.most_batch;
                    faults.push(format!("{error}; the default holds"));
                }
            },
            Self::Steps => {
                let steps = value.trim().parse().ok();
                match steps.filter(|steps| Search::ALL_STEPS.contains(steps)) {
                    Some(steps) => search.steps = steps,
                    None => {
                        search.steps = default.steps;
                        faults.push("takes 1, 2 or 4; the default holds".to_owned());
                    }
                }
            }
            Self::Overlap => match value.trim() {
                NONE => search.two_batch = false,
                BOTH => search.two_batch = true,
                _ => {
                    search.two_batch = default.two_batch;
                    faults.push(format!("takes {NONE} or {BOTH}; the default holds"));
                }
            },
        }
        faults
    }

    /// The value as a link writes it; `None` where it is the default for these inputs.
    pub fn stated(self, search: &Search, inputs: &Inputs) -> Option<String> {
        let default = Search::default();
        let search = search.clone().normalized(inputs);
        let join = |ids: Vec<String>| (!ids.is_empty()).then(|| ids.join(","));
        match self {
            Self::Families if search.strategies == default.strategies => None,
            Self::Families if search.strategies.is_empty() => Some(NONE.to_owned()),
            Self::Families => join(
                search
                    .strategies
                    .iter()
                    .map(|each| each.id().into())
                    .collect(),
            ),
            Self::Gpus if search.any_gpus => Some(ANY.to_owned()),
            Self::Gpus => join(
                search
                    .gpus
                    .unwrap_or_default()
                    .iter()
                    .map(u32::to_string)
                    .collect(),
            ),
            Self::Accelerators => join(
                search
                    .accelerators
                    .iter()
                    .map(|gpu| id(*gpu).into())
                    .collect(),
            ),
            Self::Precisions => join(
                search
                    .precisions
                    .iter()
                    .map(|each| each.id().into())
                    .collect(),
            ),
            Self::Batch => (search.most_batch.to_bits() != default.most_batch.to_bits())
                .then(|| write_number(Number::Batch, search.most_batch)),
            Self::Steps => (search.steps != default.steps).then(|| search.steps.to_string()),
            Self::Overlap => (!search.two_batch).then(|| NONE.to_owned()),
        }
    }
}

/// The identifier of an accelerator in links.
pub const fn id(gpu: Gpu) -> &'static str {
    match gpu {
        Gpu::Catalog(entry) => entry.id,
        Gpu::Custom => CUSTOM,
    }
}

/// Accelerators in the order of the catalogue, without duplicates, the custom one last.
pub fn in_order(gpus: &[Gpu]) -> Vec<Gpu> {
    catalog::CATALOG
        .iter()
        .map(Gpu::Catalog)
        .chain([Gpu::Custom])
        .filter(|gpu| gpus.contains(gpu))
        .collect()
}

fn unknown() -> String {
    "is not known".to_owned()
}

/// Reads the valid entries of a list; notes the first invalid one.
fn list<T>(
    value: &str,
    offers: &str,
    read: impl Fn(&str) -> Result<T, String>,
    faults: &mut Vec<String>,
) -> Vec<T> {
    let mut found = Vec::new();
    let mut strange: Option<(String, String)> = None;
    let entries = value.split(',').map(str::trim);
    for entry in entries.filter(|entry| !entry.is_empty() && *entry != NONE) {
        match read(entry) {
            Ok(value) => found.push(value),
            Err(why) if strange.is_none() => strange = Some((super::quote::quote(entry), why)),
            Err(_) => {}
        }
    }
    match strange {
        Some((entry, why)) if found.is_empty() => faults.push(format!(
            "“{entry}” {why} (it takes {offers}); the default holds"
        )),
        Some((entry, why)) => faults.push(format!(
            "“{entry}” {why} (it takes {offers}); the rest is kept"
        )),
        None => {}
    }
    found
}
