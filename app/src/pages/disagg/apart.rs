//! The Pareto that both modes of the view have.

use crate::charts::apart::Mark;
use crate::pages::figure::Made;
use crate::state::App;
use leptos::prelude::*;
use model_core::inputs::Mode;
use model_core::permalink::FigureId;

/// Pareto of colocated and disaggregated: of the surrounding mode, else of the link's.
pub fn made(app: App, id: FigureId) -> Made {
    let asked = app.current.with_untracked(|inputs| match inputs.mode {
        Mode::Split => Mark::Split,
        Mode::Colocated | Mode::Ratio | Mode::Simulate => Mark::Ratio,
    });
    match use_context::<Mark>().unwrap_or(asked) {
        Mark::Split => super::split::made(app, id),
        Mark::Ratio | Mark::Colocated => super::ratio::made(app, id),
    }
}
