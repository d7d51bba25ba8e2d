//! Permalink keys for the settings of the plan search.

use super::choice::pick;
use super::list::{EMPTY, entries};
use super::number::{read_number, write_number};
use crate::hardware::catalog;
use crate::inputs::{Gpu, Inputs, Number};
use crate::named::named;
use crate::order::sort_by_key;
use crate::precision::NamedPrecision;
use crate::search::Search;
use crate::sweep::Strategy;
use std::fmt;

/// Permalink value for an empty list, and for a search without two-batch overlap.
const NONE: &str = "none";
const CUSTOM: &str = "custom";
/// Permalink value of the GPU list for searching replicas of every sensible size.
const ANY: &str = "any";
/// Permalink value for searching plans both with and without two-batch overlap.
const BOTH: &str = "two-batch";
const DEFAULT: &str = "using the default";

named! {
    /// Permalink keys of the plan search, in the order in which a permalink lists them.
    #[allow(missing_docs, reason = "named as in permalinks")]
    pub enum SearchKey {
        Families = "families", Gpus = "search_gpus", Accelerators = "accelerators", Precisions = "precisions",
        Batch = "search_batch", Steps = "batch_steps", Overlap = "search_overlap",
    }
}

/// A part of a permalink value that could not be read, and the fallback that is used instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchFault {
    /// Description of the fault, such as `“x” is not a number (options: …)`.
    pub what: String,
    /// Description of the fallback that is used, such as "using the default".
    pub instead: &'static str,
}

impl SearchFault {
    const fn new(what: String, instead: &'static str) -> Self {
        Self { what, instead }
    }
}

impl fmt::Display for SearchFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}; {}", self.what, self.instead)
    }
}

impl SearchKey {
    /// Sets the search from this key's value and returns the parts of the value that could not be read.
    pub fn read(self, search: &mut Search, value: &str) -> Vec<SearchFault> {
        let default = Search::default();
        let mut faults = Vec::new();
        match self {
            Self::Families => {
                let find = |id: &str| pick(Strategy::ALL, Strategy::id, id).ok_or_else(unknown);
                let offers = Strategy::ALL.map(Strategy::id).join(", ");
                search.strategies = match value.trim() {
                    NONE => Vec::new(),
                    _ => {
                        let found = list(value, &offers, find, &mut faults);
                        let chosen = |strategy: &Strategy| found.contains(strategy);
                        match found.is_empty() {
                            true => default.strategies,
                            false => Strategy::ALL.into_iter().filter(chosen).collect(),
                        }
                    }
                };
            }
            Self::Gpus if value == ANY => (search.gpus, search.any_gpus) = (None, true),
            Self::Gpus => {
                let find = |text: &str| {
                    read_number(Number::Gpus, text)
                        .map(|gpus| gpus as u32)
                        .map_err(|error| error.to_string())
                };
                let mut found = list(value, "GPU counts", find, &mut faults);
                sort_by_key(&mut found, |count| *count);
                found.dedup();
                if found.len() > Search::MOST_GPU_COUNTS {
                    found.truncate(Search::MOST_GPU_COUNTS);
                    let what = format!("has more than {} values", Search::MOST_GPU_COUNTS);
                    faults.push(SearchFault::new(what, "using the smallest values"));
                }
                search.gpus = (!found.is_empty()).then_some(found);
                search.any_gpus = false;
            }
            Self::Accelerators => {
                let find = |id: &str| match id {
                    CUSTOM => Ok(Gpu::Custom),
                    _ => catalog::find(id).map(Gpu::Catalog).ok_or_else(unknown),
                };
                let found = list(value, "catalog ids", find, &mut faults);
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
                    faults.push(SearchFault::new(error.to_string(), DEFAULT));
                }
            },
            Self::Steps => {
                let steps = value.trim().parse().ok();
                match steps.filter(|steps| Search::ALL_STEPS.contains(steps)) {
                    Some(steps) => search.steps = steps,
                    None => {
                        search.steps = default.steps;
                        faults.push(SearchFault::new("options: 1, 2, 4".to_owned(), DEFAULT));
                    }
                }
            }
            Self::Overlap => match value.trim() {
                NONE => search.two_batch = false,
                BOTH => search.two_batch = true,
                _ => {
                    search.two_batch = default.two_batch;
                    let what = format!("options: {NONE}, {BOTH}");
                    faults.push(SearchFault::new(what, DEFAULT));
                }
            },
        }
        faults
    }

    /// Returns this search key's value as written in a permalink; `None` if it equals the default for these inputs.
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

/// Returns the identifier of an accelerator in permalinks.
pub const fn id(gpu: Gpu) -> &'static str {
    match gpu {
        Gpu::Catalog(entry) => entry.id,
        Gpu::Custom => CUSTOM,
    }
}

/// Returns the accelerators in catalog order without duplicates; a custom accelerator comes last.
pub fn in_order(gpus: &[Gpu]) -> Vec<Gpu> {
    catalog::CATALOG
        .iter()
        .map(Gpu::Catalog)
        .chain([Gpu::Custom])
        .filter(|gpu| gpus.contains(gpu))
        .collect()
}

fn unknown() -> String {
    "is unknown".to_owned()
}

/// Returns the valid entries of a list. Reports a fault for the first invalid entry, or if the list has no entries.
fn list<T>(
    value: &str,
    offers: &str,
    read: impl Fn(&str) -> Result<T, String>,
    faults: &mut Vec<SearchFault>,
) -> Vec<T> {
    let mut found = Vec::new();
    let mut strange: Option<(String, String)> = None;
    for entry in entries(value) {
        match read(entry) {
            Ok(value) => found.push(value),
            Err(why) if strange.is_none() => strange = Some((super::quote::quote(entry), why)),
            Err(_) => {}
        }
    }
    let instead = if found.is_empty() { DEFAULT } else { "ignored" };
    match strange {
        Some((entry, why)) => {
            let what = format!("“{entry}” {why} (options: {offers})");
            faults.push(SearchFault::new(what, instead));
        }
        None if found.is_empty() => {
            let what = format!("{EMPTY} (options: {offers})");
            faults.push(SearchFault::new(what, DEFAULT));
        }
        None => {}
    }
    found
}
