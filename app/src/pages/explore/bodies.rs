//! Controls above and rows below charts of this view.

use crate::answer::overlay;
use crate::format;
use crate::pages::figure::Chart;
use crate::pages::figure::plot::plot;
use crate::state::App;
use leptos::prelude::*;
use model_core::compare::Quantity;
use model_core::permalink;

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

/// The timeline with the switch of its layers.
pub fn timeline(app: App, chart: Chart) -> AnyView {
    view! {
        {layer_switch(app)}
        {plot(app, chart)}
    }
    .into_any()
}

/// The waterfall with the switch of its quantity.
pub fn waterfall(app: App, chart: Chart) -> AnyView {
    let chosen = Memo::new(move |_| app.link.with(|link| link.shown.change));
    let choice = move |quantity: Quantity| {
        let name = match quantity {
            Quantity::Step => "step time",
            Quantity::Memory => "memory",
            Quantity::Cost => "cost",
        };
        view! {
            <button
                type="button"
                class="switch-choice"
                aria-pressed=move || (chosen.get() == quantity).to_string()
                on:click=move |_| app.change(|link| link.shown.change = quantity)
            >
                {name}
            </button>
        }
    };
    view! {
        <div class="switch switch-right" role="group" aria-label="Changes of what">
            {Quantity::ALL.map(choice).collect_view()}
        </div>
        {plot(app, chart)}
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

/// Choice of the timeline's layer, if there are several.
fn layer_switch(app: App) -> AnyView {
    let choices = Memo::new(move |_| {
        app.answer
            .with(|answer| answer.as_ref().map(|answer| answer.timelines.choices()))
            .unwrap_or_default()
    });
    let chosen = Memo::new(move |_| {
        let layer = app.link.with(|link| link.shown.layer);
        choices.with(|choices| {
            let exists = choices.iter().any(|(choice, ..)| Some(*choice) == layer);
            let first = choices.first().map(|(choice, ..)| *choice);
            if exists { layer } else { first }
        })
    });
    let choice = move |(index, (layer, name, often)): (
        usize,
        (permalink::Layer, String, String),
    )| {
        view! {
            <button
                type="button"
                class="switch-choice"
                aria-pressed=move || (chosen.get() == Some(layer)).to_string()
                on:click=move |_| app.change(|link| link.shown.layer = (index > 0).then_some(layer))
            >
                {name}
                <span class="switch-often">{often}</span>
            </button>
        }
    };
    view! {
        <div class="switch" role="group" aria-label="Whose timeline" hidden=move || choices.with(Vec::len) < 2>
            {move || choices.get().into_iter().enumerate().map(choice).collect_view()}
        </div>
    }
    .into_any()
}
