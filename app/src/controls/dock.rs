//! A dock for phones. The selected slider stays at the bottom of the screen, so that the verdict remains in view
//! while the user drags.

use super::row::{RowPlace, slider_row};
use crate::icons;
use crate::state::App;
use answer::controls::shown::words_of;
use answer::controls::table::FIRST;
use leptos::ev;
use leptos::prelude::*;
use model_core::inputs::{Mode, Number};
use model_core::permalink::{Link, View};

/// Draws the dock; `open_panel` opens the whole scenario panel.
pub fn dock(app: App, open_panel: impl Fn() + Copy + Send + Sync + 'static) -> AnyView {
    let shown = RwSignal::new(Number::ScaleOut);
    let offered = Memo::new(move |_| app.link.with(docked));
    let asks_slo = Memo::new(move |_| app.link.with(|link| link.shown.view == View::Plans));
    // The docked slider must be one of the view's five; entering Plans selects the SLO.
    Effect::new(move |_| {
        let offered = offered.get();
        if asks_slo.get() || !offered.contains(&shown.get_untracked()) {
            shown.set(offered[0]);
        }
    });
    let tab = move |number: Number| {
        let label = match number {
            Number::Beta => {
                view! { <span class="hidden">"Balancedness "</span> "β" <sub>"eb"</sub> }.into_any()
            }
            // Short names, because five tabs share a phone's width.
            Number::ComputeGpus => "Compute".into_any(),
            Number::MemoryGpus => "Memory".into_any(),
            other => words_of(other).name.into_any(),
        };
        let key = number.spec().key;
        view! {
            <button
                type="button"
                role="tab"
                id=format!("dock-tab-{key}")
                class="dock-tab"
                aria-controls="dock-row"
                aria-selected=move || (shown.get() == number).to_string()
                tabindex=move || if shown.get() == number { "0" } else { "-1" }
                class:troubled=move || app.problems.with(|problems| problems.iter().any(|problem| problem.key == key))
                on:click=move |_| shown.set(number)
            >
                {label}
            </button>
        }
    };
    let walk = move |event: ev::KeyboardEvent| {
        let by = match event.key().as_str() {
            "ArrowRight" => 1,
            "ArrowLeft" => offered.get_untracked().len() - 1,
            _ => return,
        };
        event.prevent_default();
        let offered = offered.get_untracked();
        let at = offered
            .iter()
            .position(|number| *number == shown.get_untracked())
            .unwrap_or(0);
        let next = offered[(at + by) % offered.len()];
        shown.set(next);
        focus(&format!("dock-tab-{}", next.spec().key));
    };
    view! {
        <section class="dock" aria-label="Sliders">
            <div class="dock-tabs">
                <div role="tablist" aria-label="Sliders" on:keydown=walk>{move || offered.get().map(tab).collect_view()}</div>
                <button
                    type="button"
                    class="icon-button"
                    aria-label="Full scenario"
                    title="Full scenario"
                    class:troubled=move || !app.possible()
                    on:click=move |_| open_panel()
                >
                    {icons::sliders()}
                </button>
            </div>
            <div id="dock-row" role="tabpanel">
                {move || slider_row(app, shown.get(), RowPlace::Dock)}
            </div>
        </section>
    }
    .into_any()
}

/// Returns the five most used sliders of the permalink's view.
fn docked(link: &Link) -> [Number; 5] {
    use Number::{
        Batch, ComputeGpus, Context, Gpus, MeanOutput, MeanPrompt, MemoryGpus, Net, Rate, Ratio,
        ScaleOut, Slo, Slots, Ttft,
    };
    match (link.shown.view, link.current.mode) {
        (View::Explore, _) => FIRST,
        (View::Limits, _) => [Batch, Slo, Context, Gpus, ScaleOut],
        (View::Plans, _) => [Slo, Gpus, ScaleOut, Batch, Context],
        (View::Service, _) => [Rate, MeanPrompt, MeanOutput, Ttft, Slo],
        (View::Disaggregation, Mode::Split) => [ComputeGpus, MemoryGpus, Net, Batch, Context],
        (View::Disaggregation, _) => [Ratio, Slots, MeanPrompt, MeanOutput, Gpus],
        // The Papers view has no dock: each of its rows has its own scenario.
        (View::Papers, _) => FIRST,
    }
}

/// Moves the keyboard focus to the element with this id.
pub fn focus(id: &str) {
    use wasm_bindgen::JsCast;
    if let Some(element) = document()
        .get_element_by_id(id)
        .and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok())
    {
        let _ = element.focus();
    }
}
