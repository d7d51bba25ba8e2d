//! The view's own controls, which stand in the panel under the first sliders while the view is shown.

use super::split::SplitHalf;
use super::{Half, half_of};
use crate::controls::choice::choice_row;
use crate::controls::picker::side_picker;
use crate::controls::row::{Place, slider_row};
use crate::state::App;
use leptos::prelude::*;
use model_core::disagg::split::Side;
use model_core::scenario::Number;

const STEP_COSTS: [Number; 6] = [
    Number::AttentionSlopeMicros,
    Number::FfnSlopeMicros,
    Number::MessageSlopeMicros,
    Number::AttentionInterceptMicros,
    Number::FfnInterceptMicros,
    Number::MessageInterceptMicros,
];

/// The group of the half that is shown.
pub fn panel_group(app: App) -> AnyView {
    let half = Memo::new(move |_| app.current.with(half_of));
    view! {
        <section class="group open half-group" aria-label="Disaggregation">
            <h3 class="half-group-head">"Disaggregation"</h3>
            <div class="group-body">
                {move || match half.get() {
                    Half::Ratio => ratio(app),
                    Half::Split => split(app),
                }}
            </div>
        </section>
    }
    .into_any()
}

fn rows(app: App, numbers: &[Number]) -> AnyView {
    numbers
        .iter()
        .map(|number| slider_row(app, *number, Place::Panel))
        .collect_view()
        .into_any()
}

/// Controls that are opened when they are needed, or already say something.
fn fold(app: App, name: &'static str, numbers: &'static [Number], more: AnyView) -> AnyView {
    let stated = app.current.with_untracked(|inputs| {
        numbers
            .iter()
            .any(|number| inputs.stated(*number).is_some())
    });
    view! {
        <details class="half-fold" open=stated>
            <summary>{name}</summary>
            {more}
            {rows(app, numbers)}
        </details>
    }
    .into_any()
}

fn ratio(app: App) -> AnyView {
    const ASKED: [Number; 4] = [
        Number::Ratio,
        Number::Slots,
        Number::MeanPrompt,
        Number::MeanOutput,
    ];
    const SIMULATION: [Number; 3] = [Number::FfnInstances, Number::Requests, Number::Seed];
    let costs = view! {
        {choice_row(app, "latencies")}
        <p class="row-note">
            "A step of each half is slope × load + intercept, over all layers. An entered number takes the place of the derived one."
        </p>
    };
    view! {
        {rows(app, &ASKED)}
        {choice_row(app, "lengths")}
        {fold(app, "Simulation", &SIMULATION, ().into_any())}
        {fold(app, "Step costs", &STEP_COSTS, costs.into_any())}
    }
    .into_any()
}

fn split(app: App) -> AnyView {
    const MORE: [Number; 4] = [
        Number::NetMicros,
        Number::SlowDown,
        Number::ComputePrice,
        Number::MemoryPrice,
    ];
    let half = SplitHalf::shared(app);
    let row = move |number: Number| {
        view! {
            {slider_row(app, number, Place::Panel)}
            {half.trouble(number.spec().key)}
        }
        .into_any()
    };
    let more = view! {
        {choice_row(app, "q_early")}
        {choice_row(app, "partition")}
    };
    view! {
        {side_picker(app, Side::Compute)}
        {half.trouble("compute_gpu")}
        {row(Number::ComputeGpus)}
        {side_picker(app, Side::Memory)}
        {half.trouble("memory_gpu")}
        {row(Number::MemoryGpus)}
        {row(Number::Net)}
        {row(Number::Batches)}
        {choice_row(app, "trace")}
        {row(Number::Budget)}
        {fold(app, "Prices, round trip, order", &MORE, more.into_any())}
    }
    .into_any()
}
