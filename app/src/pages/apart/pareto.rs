//! The Pareto chart that both modes of the AFD view share.

use crate::pages::figure::Made;
use crate::state::App;
use answer::apart::Disaggregated;
use leptos::prelude::*;
use model_core::inputs::Mode;
use model_core::permalink::FigureId;

/// Returns the Pareto chart of colocated and disaggregated deployments. The mode (AFD or Lamina) is that of the
/// enclosing view, or else the permalink's mode.
pub fn made(app: App, id: FigureId) -> Made {
    let asked = app.current.with_untracked(|inputs| match inputs.mode {
        Mode::Split => Disaggregated::Lamina,
        Mode::Colocated | Mode::Ratio | Mode::Simulate => Disaggregated::Afd,
    });
    match use_context::<Disaggregated>().unwrap_or(asked) {
        Disaggregated::Lamina => super::lamina::made(app, id),
        Disaggregated::Afd => super::afd::made(app, id),
    }
}
