//! What a model's maker released it in and with.

use crate::precision::NamedPrecision;
use crate::scenario::Model;

/// The precision of the weights that the model's maker published, where it is one of the named ones and
/// narrower than two bytes: what serving it in costs nothing, not even a doubt.
pub fn released(model: &Model) -> Option<NamedPrecision> {
    match model {
        Model::Catalog(entry) if entry.released.has_fp8() => Some(NamedPrecision::DeepseekFp8),
        Model::Catalog(_) | Model::Custom(_) => None,
    }
}

/// Whether the model comes with a head that drafts tokens: using it costs no other weights.
pub fn drafts(model: &Model) -> bool {
    matches!(model, Model::Catalog(entry) if entry.drafts)
}
