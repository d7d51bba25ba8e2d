//! The sliders at the top of the panel; in the Service view, these set the requests, their latency limits, and the
//! pools that serve them.

use super::choice::choice_row;
use super::groups::folding;
use super::row::{RowPlace, slider_row};
use crate::state::App;
use answer::controls::table::TRAFFIC;
use answer::words::format;
use leptos::prelude::*;
use model_core::inputs::{Inputs, Number};

/// Sliders for the prefill and decode pools, shown below the traffic sliders.
const POOLS: [Number; 6] = [
    Number::Util,
    Number::PrefillGpus,
    Number::PrefillTp,
    Number::PrefillPrice,
    Number::ScaleOut,
    Number::Beta,
];

/// Draws sliders at the top of the panel.
pub fn first_rows(app: App, numbers: &[Number]) -> AnyView {
    let rows = numbers
        .iter()
        .map(|number| slider_row(app, *number, RowPlace::Panel));
    view! { <div class="first-rows">{rows.collect_view()}</div> }.into_any()
}

/// Draws the sliders for the requests, and a group of controls for the pools that serve them.
pub fn traffic(app: App) -> AnyView {
    let open = RwSignal::new(false);
    let summary = move || {
        app.current.with(|inputs| {
            let most = inputs.get(Number::Util).unwrap_or(1.0);
            format!(
                "{}, max {} utilized",
                inputs.pools.id(),
                format::share(most)
            )
        })
    };
    let rows = move || {
        view! {
            {choice_row(app, "pools")}
            {stated(app)}
            {POOLS.map(|number| slider_row(app, number, RowPlace::Panel)).collect_view()}
        }
        .into_any()
    };
    let summary = view! { <span class="group-summary">{summary}</span> };
    view! {
        {first_rows(app, &TRAFFIC)}
        {folding("Pools", || "", open, (summary.into_any(), ().into_any()), rows)}
    }
    .into_any()
}

/// If the permalink sets the replica's plan or GPU count, draws a note with a button that searches all plans instead.
fn stated(app: App) -> AnyView {
    let plan = Memo::new(move |_| app.current.with(Inputs::is_planned));
    let gpus = Memo::new(move |_| app.current.with(|inputs| inputs.stated(Number::Gpus)));
    let search = move |_| {
        app.edit(|inputs| {
            inputs.unshard();
            inputs.state(Number::Gpus, None);
            inputs.state(Number::Batch, None);
        });
    };
    let note = move || {
        let what = match (plan.get(), gpus.get()) {
            (true, _) => "Replicas use this scenario’s plan. ".to_owned(),
            (false, Some(gpus)) => format!("Using {} GPUs per replica. ", format::count(gpus)),
            (false, None) => return None,
        };
        Some(view! {
            <p class="row-note">
                {what}
                <button type="button" class="quiet" on:click=search>"search all plans"</button>
            </p>
        })
    };
    view! { {note} }.into_any()
}
