//! Series of measured runs: runs of one deployment at several loads.

use super::run::Run;

/// Permalink keys with the same value in every run of a series.
const SAME: [&str; 10] = [
    "model", "gpu", "gpus", "dp", "tp", "kvp", "pp", "ep", "ffn_tp", "mtp",
];

impl Run {
    /// Returns the properties that define a series, which all its runs have in common: publication, engine, model,
    /// accelerator, plan and draft tokens.
    pub fn series(&self) -> Vec<&'static str> {
        let value = |key: &str| {
            let mut pairs = self.link.split('&').filter_map(|pair| pair.split_once('='));
            let found = pairs.find(|(name, _)| *name == key);
            found.map_or("", |(_, value)| value)
        };
        let keys = SAME.into_iter().map(value);
        [self.source.title, self.engine]
            .into_iter()
            .chain(keys)
            .collect()
    }
}
