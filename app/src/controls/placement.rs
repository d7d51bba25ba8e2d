//! Note on the placement of experts on GPUs.

use crate::state::App;
use answer::controls::placement::placement_hint;
use leptos::prelude::*;

/// Draws a note on expert placement, shown for MoE models whose experts do not divide evenly among the GPUs.
pub fn placement_note(app: App) -> AnyView {
    let is_moe = Memo::new(move |_| app.current.with(|inputs| inputs.model.arch().is_moe()));
    let placement = Memo::new(move |_| app.current.with(placement_hint));
    view! {
        {move || is_moe.get().then(|| view! { <p class="row-note">{move || placement.get()}</p> })}
    }
    .into_any()
}
