//! The status line below the user's measurements: states the correction of computed times, and the next measurement
//! to take.

use crate::state::App;
use answer::benchmark::anchored_line;
use leptos::prelude::*;
use model_core::inputs::{Anchoring, Measurements};

/// Draws the status line on the measurements, with a switch that turns the correction on or off.
pub fn line(app: App, open: Memo<bool>) -> AnyView {
    let line = Memo::new(move |_| {
        app.runs.track();
        app.current.with(anchored_line)
    });
    let on = Memo::new(move |_| app.current.with(|inputs| inputs.anchor == Anchoring::On));
    let turn = move |_| {
        app.edit(|inputs| {
            inputs.anchor = match inputs.anchor {
                Anchoring::On => Anchoring::Off,
                Anchoring::Off => Anchoring::On,
            };
        });
    };
    let remove = move |words: &'static str| {
        let click = move |_| app.edit(|inputs| inputs.measured = Measurements::NONE);
        view! { <button type="button" class="quiet" on:click=click>{words}</button> }
    };
    view! {
        <div class="anchored">
            <button
                type="button"
                role="switch"
                class="anchored-switch"
                aria-checked=move || on.get().to_string()
                on:click=turn
            >
                <i aria-hidden="true"></i>
                "Anchor what-ifs to this"
            </button>
            <div class="anchored-words" aria-live="polite">
                {move || app.strayed.get().then(|| view! {
                    <p>
                        <b class="tone-bad">"These measurements are of another deployment."</b>
                        " Model, accelerator, precision, GPUs or parallelism have changed since. "
                        <button type="button" class="quiet" on:click=move |_| app.strayed.set(false)>"Use them anyway"</button>
                        " "
                        {remove("Remove them")}
                    </p>
                })}
                {move || line.get().map(|line| view! {
                    <p>
                        <b>{line.lead}</b>
                        " "
                        {line.change}
                    </p>
                    {line.advice.into_iter().map(|advice| view! { <p class="tone-muted">{advice}</p> }).collect_view()}
                })}
                <p>
                    {move || (!open.get()).then(|| view! {
                        <button type="button" class="quiet" on:click=move |_| app.measure(None)>"Show the comparison"</button>
                        " "
                    })}
                    {remove("Remove measurements")}
                </p>
            </div>
        </div>
    }
    .into_any()
}
