//! Controls above and rows below charts of this view.

use super::sizing::ShownSizing;
use crate::pages::figure::Chart;
use crate::pages::figure::plot::plot;
use crate::state::App;
use answer::overlay;
use answer::words::format;
use leptos::prelude::*;

/// The memory bar with its parts listed.
pub fn memory(app: App, chart: Chart) -> AnyView {
    view! {
        {plot(app, chart)}
        {memory_rows(app)}
        {memory_band(app)}
    }
    .into_any()
}

/// The Pareto with the switch of measured runs, where there are any of this model and accelerator.
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

/// The switch of measured runs, with their count.
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

/// Band of the KV cache pool and of the batch that fits, below the parts.
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

/// The parts of memory, under its bar.
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
