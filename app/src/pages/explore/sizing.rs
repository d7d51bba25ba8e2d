//! Data of the batch-size charts: the largest batch that fits in memory, and the best batch.

use crate::part::kept;
use crate::state::App;
use crate::state::lasting::Lasting;
use answer::{Sizing, overlay};
use leptos::prelude::*;
use std::sync::Arc;

/// Batch-size charts; while the scenario is invalid, the last valid charts.
#[derive(Clone, Copy)]
pub struct ShownSizing(pub Lasting<Memo<Option<Arc<Sizing>>>>);

impl ShownSizing {
    /// Returns the batch-size charts; all callers share one copy.
    pub fn of_page(app: App) -> Self {
        kept(|| {
            let overlaid = Lasting::memo(move |_| app.link.with(|link| link.shown.overlay));
            Self(Lasting::memo(
                move |earlier: Option<&Option<Arc<Sizing>>>| {
                    let current = app.current.get();
                    let measured = match overlaid.get() {
                        true => overlay::marks(&current),
                        false => Vec::new(),
                    };
                    let sizing = answer::sizing(&current, app.pinned.get().as_ref(), &measured);
                    sizing.map(Arc::new).or_else(|| earlier.cloned().flatten())
                },
            ))
        })
    }
}
