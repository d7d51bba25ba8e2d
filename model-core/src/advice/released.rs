//! What a model's maker released beside its weights.

use crate::scenario::Model;

/// Whether the model comes with a head that drafts tokens: using it costs no other weights.
pub fn drafts(model: &Model) -> bool {
    matches!(model, Model::Catalog(entry) if entry.drafts)
}
