//! One large deployment or many: a chart with two numbers of its own.

use crate::answer::plans::instances_data;
use crate::charts::InstancesData;
use crate::controls::row::{Place, slider_row};
use crate::pages::figure::{AnyFigure, Made};
use crate::state::App;
use leptos::prelude::*;
use model_core::scenario::Number;
use std::sync::Arc;

/// The chart's data; the last ones while the scenario is impossible.
pub fn made(app: App) -> Made {
    let inputs = Memo::new(move |_| app.current.with(|inputs| inputs.without(Number::Batch)));
    let data = Memo::new(move |earlier: Option<&Option<Arc<InstancesData>>>| {
        let data = instances_data(&inputs.get()).map(Arc::new);
        data.or_else(|| earlier.cloned().flatten())
    });
    Made::of(move || data.get().as_ref().map(AnyFigure::of))
}

/// The chart with the sliders that only it has.
pub fn beside(app: App, figure: AnyView) -> AnyView {
    view! {
        <div class="chart-with-rows">
            {figure}
            <div class="chart-rows">
                {slider_row(app, Number::Interconnect, Place::Panel)}
                {slider_row(app, Number::Instances, Place::Panel)}
            </div>
        </div>
    }
    .into_any()
}
