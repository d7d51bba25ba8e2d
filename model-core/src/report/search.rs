//! The result of a permalink's plan search, as `ridgepoint --search` prints it: see `docs/links.md`.

use crate::fields::fields;
use crate::permalink;
use crate::search::{Candidates, Found, own_gpus};
use crate::sweep::{Strategy, SweepPoint};

fields! {
    /// Number of searched plans, and the frontier of throughput per GPU vs. interactivity.
    SearchFields(candidates: &Candidates, found: &Found) {
        evaluated: usize = found.evaluated,
        fitting: usize = found.fitting,
        frontier: Vec<FrontierFields> = found
            .frontier(&Strategy::ALL)
            .points()
            .iter()
            .map(|point| FrontierFields::of(candidates, point))
            .collect(),
    }
}

fields! {
    /// A plan on the throughput–interactivity frontier.
    FrontierFields(candidates: &Candidates, point: &SweepPoint) {
        link: Option<String> =
            candidates.inputs_of(point).map(|inputs| permalink::write_inputs(&inputs)),
        tok_s_gpu: f64 = point.tokens_per_gpu,
        tok_s_user: f64 = point.tokens_per_user,
    }
}

/// Searches for plans with the settings in a permalink, as the Plans view does.
pub fn search(link: &str) -> SearchFields {
    let link = permalink::read(link);
    let search = link.search.printed(&link.current);
    let candidates = Candidates::new(&link.current, &search);
    let found = Found::all(&candidates.space, own_gpus(&link.current));
    SearchFields::of(&candidates, &found)
}
