//! Controls above, and rows below, the charts of the Explore view.

use super::sizing::ShownSizing;
use crate::pages::figure::Chart;
use crate::pages::figure::plot::plot;
use crate::state::App;
use answer::overlay;
use answer::words::format;
use leptos::prelude::*;

/// Draws the memory bar, with a list of its parts below.
pub fn memory(app: App, chart: Chart) -> AnyView {
    view! {
        {plot(app, chart)}
        {memory_rows(app)}
        {memory_band(app)}
    }
    .into_any()
}

/// Draws the Pareto chart. A toggle for measured runs is shown if there are runs of this model and accelerator.
pub fn pareto(app: App, chart: Chart) -> AnyView {
    let count = Memo::new(move |_| app.current.with(overlay::count));
    view! {
        <div class="switch switch-right" role="group" aria-label="Overlay" hidden=move || count.get() == 0>
            {laid_over(app, count)}
        </div>
        {plot(app, chart)}
    }
    .into_any()
}

/// Draws the toggle for measured runs, with the number of runs.
pub fn laid_over(app: App, count: Memo<usize>) -> AnyView {
    let on = Memo::new(move |_| app.link.with(|link| link.shown.overlay));
    view! {
        <button
            type="button"
            class="switch-choice"
            aria-pressed=move || on.get().to_string()
            on:click=move |_| app.change(|link| link.shown.overlay = !link.shown.overlay)
        >
            "measured runs"
            <span class="switch-often">{move || format!(" {}", count.get())}</span>
        </button>
    }
    .into_any()
}

/// Draws a note below the list of memory parts: the error band of the KV cache pool and of the largest batch that
/// fits.
fn memory_band(app: App) -> AnyView {
    let band = Memo::new(move |_| {
        let all = ShownSizing::of_page(app).0;
        all.with(|all| all.as_ref().and_then(|all| all.memory.band.clone()))
    });
    view! {
        {move || band.get().map(|band| view! { <p class="memory-note">{format!("{band}.")}</p> })}
    }
    .into_any()
}

fn memory_rows(app: App) -> AnyView {
    let parts = Memo::new(move |_| {
        ShownSizing::of_page(app)
            .0
            .with(|all| all.as_ref().map(|all| all.memory.parts.clone()))
            .unwrap_or_default()
    });
    view! {
        <ul class="memory-rows">
            {move || {
                let parts = parts.get();
                let sizes: Vec<f64> = parts.iter().map(|part| part.bytes).collect();
                parts
                    .into_iter()
                    .zip(format::gib_column(&sizes))
                    .map(|(part, size)| {
                        let swatch = format!("var(--{}-fill)", part.role.name());
                        view! {
                            <li>
                                <span class="swatch" style:background=swatch></span>
                                <span class="memory-name">{part.name}</span>
                                <span class="memory-size">{size}</span>
                                <span class="memory-note" title=part.note.clone()>{part.note.clone()}</span>
                            </li>
                        }
                    })
                    .collect_view()
            }}
        </ul>
    }
    .into_any()
}
