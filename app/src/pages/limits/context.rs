//! The chart of the cost of longer context, with a choice of a second model for comparison.

use crate::pages::figure::Chart;
use crate::pages::figure::plot::plot;
use crate::state::App;
use leptos::prelude::*;
use model_core::arch::catalog::CATALOG;

/// Value of the option that means “no second model”.
const NONE: &str = "";

/// Draws the choice of a second model, and the chart below it.
pub fn body(app: App, chart: Chart) -> AnyView {
    view! {
        {choice(app)}
        {plot(app, chart)}
    }
    .into_any()
}

fn choice(app: App) -> AnyView {
    let chosen = Memo::new(move |_| app.link.with(|link| link.shown.against.unwrap_or(NONE)));
    let nothing = move || match app.pinned.with(Option::is_some) {
        true => "A (pinned)",
        false => "no other model",
    };
    let families = CATALOG.chunk_by(|one, next| one.family == next.family);
    view! {
        <label class="switch switch-right against">
            <span class="switch-often">"against"</span>
            <select
                class="select"
                prop:value=move || chosen.get()
                on:change=move |event| {
                    let id = event_target_value(&event);
                    let model = CATALOG.iter().find(|entry| entry.id == id).map(|entry| entry.id);
                    app.change(|link| link.shown.against = model);
                }
            >
                <option value=NONE selected=move || chosen.get() == NONE>{nothing}</option>
                {families
                    .map(|family| {
                        let rows = family
                            .iter()
                            .map(|entry| {
                                let id = entry.id;
                                view! { <option value=id selected=move || chosen.get() == id>{entry.name}</option> }
                            })
                            .collect_view();
                        view! { <optgroup label=family[0].family>{rows}</optgroup> }
                    })
                    .collect_view()}
            </select>
        </label>
    }
    .into_any()
}
