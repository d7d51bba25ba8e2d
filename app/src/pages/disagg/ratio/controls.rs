//! What is asked of a bundle: its workload, its instances, its latencies.

use crate::controls::choice::choice_row;
use crate::controls::row::{Place, slider_row};
use crate::state::App;
use leptos::prelude::*;
use model_core::scenario::Number;

const ASKED: [Number; 7] = [
    Number::Ratio,
    Number::Slots,
    Number::MeanPrompt,
    Number::MeanOutput,
    Number::FfnInstances,
    Number::Requests,
    Number::Seed,
];

const LATENCIES: [Number; 6] = [
    Number::AttentionSlopeMicros,
    Number::FfnSlopeMicros,
    Number::MessageSlopeMicros,
    Number::AttentionInterceptMicros,
    Number::FfnInterceptMicros,
    Number::MessageInterceptMicros,
];

/// The half's own controls; everything else is the scenario's.
pub fn controls(app: App) -> AnyView {
    let rows = move |numbers: &[Number]| {
        numbers
            .iter()
            .map(|number| slider_row(app, *number, Place::Panel))
            .collect_view()
    };
    let stated = Memo::new(move |_| {
        app.current.with(|inputs| {
            LATENCIES
                .iter()
                .any(|number| inputs.stated(*number).is_some())
        })
    });
    view! {
        <section class="half-controls" aria-label="Bundle">
            <div class="half-choices">
                {choice_row(app, "latencies")}
                {choice_row(app, "lengths")}
            </div>
            <div class="half-rows">{rows(&ASKED)}</div>
            <details class="half-more" open=stated.get_untracked()>
                <summary>"Latencies one by one"</summary>
                <p class="row-note">
                    "A step of each half is slope × load + intercept, over all layers. An entered number takes the place of the derived one."
                </p>
                <div class="half-rows">{rows(&LATENCIES)}</div>
            </details>
        </section>
    }
    .into_any()
}
