//! The Pareto that both modes of the view have.

use crate::charts::apart::DeploymentKind;
use crate::pages::figure::Made;
use crate::state::App;
use leptos::prelude::*;
use model_core::inputs::Mode;
use model_core::permalink::FigureId;

/// Pareto of colocated and disaggregated: of the surrounding mode, else of the link's.
pub fn made(app: App, id: FigureId) -> Made {
    let asked = app.current.with_untracked(|inputs| match inputs.mode {
        Mode::Split => DeploymentKind::Split,
        Mode::Colocated | Mode::Ratio | Mode::Simulate => DeploymentKind::Ratio,
    });
    match use_context::<DeploymentKind>().unwrap_or(asked) {
        DeploymentKind::Split => super::split::made(app, id),
        DeploymentKind::Ratio | DeploymentKind::Colocated => super::ratio::made(app, id),
    }
}
