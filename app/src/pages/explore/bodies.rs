//! Controls above and rows below charts of this view.

use crate::answer::overlay;
use crate::format;
use crate::pages::figure::Chart;
use crate::pages::figure::plot::plot;
use crate::state::App;
use leptos::prelude::*;

/// The memory bar with its parts listed.
pub fn memory(app: App, chart: Chart) -> AnyView {
    view! {
        {plot(app, chart)}
        {memory_rows(app)}
    }
    .into_any()
}

/// The Pareto with the switch of measured systems, where there are any of this model and accelerator.
pub fn pareto(app: App, chart: Chart) -> AnyView {
    let count = Memo::new(move |_| app.current.with(overlay::count));
    view! {
        <div class="switch switch-right" role="group" aria-label="Laid over" hidden=move || count.get() == 0>
            {laid_over(app, count)}
        </div>
        {plot(app, chart)}
    }
    .into_any()
}

/// The switch of measured systems, with their count.
pub fn laid_over(app: App, count: Memo<usize>) -> AnyView {
    let on = Memo::new(move |_| app.link.with(|link| link.shown.overlay));
    view! {
        <button
            type="button"
            class="switch-choice"
            aria-pressed=move || on.get().to_string()
            on:click=move |_| app.change(|link| link.shown.overlay = !link.shown.overlay)
        >
            "measured systems"
            <span class="switch-often">{move || format!(" {}", count.get())}</span>
        </button>
    }
    .into_any()
}

/// The parts of memory, under its bar.
fn memory_rows(app: App) -> AnyView {
    let parts = Memo::new(move |_| {
        app.answer
            .with(|answer| answer.as_ref().map(|answer| answer.memory.parts.clone()))
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
