//! Series of measured runs: one deployment at several loads.

use super::run::Run;

/// Keys in which the runs of a series agree.
const SAME: [&str; 10] = [
    "model", "gpu", "gpus", "dp", "tp", "kvp", "pp", "ep", "ffn_tp", "mtp",
];

impl Run {
    /// Properties that runs of a series share: publication, engine, model, accelerator, plan and draft tokens.
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
