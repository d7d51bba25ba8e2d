//! Controls of the AFD view; while that view is shown, they are in the panel below the first sliders.

use super::lamina::SplitHalf;
use crate::controls::choice::{choice_row, select_row};
use crate::controls::groups::folding;
use crate::controls::picker::side_select;
use crate::controls::row::{RowPlace, field_row, slider_row};
use crate::icons;
use crate::state::App;
use answer::lamina::compute_gpu;
use answer::price_text;
use answer::words::format;
use answer::words::names::short_name;
use leptos::prelude::*;
use model_core::apart::LatencySource;
use model_core::apart::QEarly;
use model_core::inputs::{Mode, Number};
use model_core::lamina::SplitSide;

const STEP_COSTS: [Number; 6] = [
    Number::AttentionSlopeMicros,
    Number::FfnSlopeMicros,
    Number::MessageSlopeMicros,
    Number::AttentionInterceptMicros,
    Number::FfnInterceptMicros,
    Number::MessageInterceptMicros,
];

/// Draws the controls of the AFD view's current mode.
pub fn panel_group(app: App) -> AnyView {
    let split_shown = Memo::new(move |_| app.current.with(|inputs| inputs.mode == Mode::Split));
    let open = RwSignal::new(true);
    let group = move |name, content: fn(App) -> AnyView| {
        let summary = view! {
            <span class="group-summary">{move || (!split_shown.get()).then(|| summary(app))}</span>
        };
        let around = (summary.into_any(), ().into_any());
        folding(name, || "half-group", open, around, move || content(app))
    };
    (move || match split_shown.get() {
        false => group("AFD", ratio),
        true => group("Lamina", split),
    })
    .into_any()
}

fn summary(app: App) -> AnyView {
    let best = Memo::new(move |_| {
        let asked = [Number::Ratio, Number::Slots];
        app.current
            .with(|inputs| asked.iter().all(|number| inputs.stated(*number).is_none()))
    });
    (move || best.get().then_some("best")).into_any()
}

fn rows(app: App, numbers: &[Number]) -> AnyView {
    numbers
        .iter()
        .map(|number| slider_row(app, *number, RowPlace::Panel))
        .collect_view()
        .into_any()
}

/// Draws a collapsible section of controls; it starts open if the user has set one of its numeric inputs.
fn fold(
    app: App,
    name: &'static str,
    says: impl Fn() -> String + Send + Sync + 'static,
    numbers: &'static [Number],
    more: AnyView,
) -> AnyView {
    let stated = app.current.with_untracked(|inputs| {
        numbers
            .iter()
            .any(|number| inputs.stated(*number).is_some())
    });
    view! {
        <details class="half-fold" open=stated>
            <summary>
                {icons::chevron()}
                <span>{name}</span>
                <span class="half-fold-says">{says}</span>
            </summary>
            {more}
            {rows(app, numbers)}
        </details>
    }
    .into_any()
}

fn ratio(app: App) -> AnyView {
    const ASKED: [Number; 2] = [Number::Ratio, Number::Slots];
    const SIMULATION: [Number; 3] = [Number::Requests, Number::Seed, Number::FfnInstances];
    let costs = view! {
        {choice_row(app, "latencies")}
        {super::afd::costs(app)}
        <p class="row-note">
            "Step time = slope × load + intercept, over all layers. Entered values override derived ones."
        </p>
    };
    let simulation = Memo::new(move |_| {
        app.current.with(|inputs| {
            let text = |number| inputs.get(number).map_or_else(String::new, format::count);
            format!(
                "{} requests · seed {}",
                text(Number::Requests),
                text(Number::Seed)
            )
        })
    });
    let of = Memo::new(move |_| {
        app.current.with(|inputs| match inputs.latencies {
            LatencySource::Table2 => "[R] Table 2".to_owned(),
            LatencySource::Derived if STEP_COSTS.iter().any(|n| inputs.stated(*n).is_some()) => {
                "edited".to_owned()
            }
            LatencySource::Derived => "derived".to_owned(),
        })
    });
    view! {
        {rows(app, &ASKED)}
        <div class="paired-rows">
            {field_row(app, Number::MeanPrompt, ("Prompt", ""), view! { <span class="unit">"tok"</span> }.into_any())}
            {field_row(app, Number::MeanOutput, ("Output", ""), view! { <span class="unit">"tok"</span> }.into_any())}
        </div>
        {select_row(app, "lengths", "Lengths")}
        {fold(app, "Simulation", move || simulation.get(), &SIMULATION, ().into_any())}
        {fold(app, "Step costs", move || of.get(), &STEP_COSTS, costs.into_any())}
    }
    .into_any()
}

fn split(app: App) -> AnyView {
    const PRICES: [Number; 2] = [Number::ComputePrice, Number::MemoryPrice];
    const ORDER: [Number; 2] = [Number::NetMicros, Number::SlowDown];
    let half = SplitHalf::shared(app);
    let with_trouble = move |number: Number, row: AnyView| {
        view! {
            {row}
            {half.trouble(number.spec().key)}
        }
        .into_any()
    };
    let field = move |number: Number, name: &'static str, hint: &'static str| {
        let row = field_row(app, number, (name, hint), ().into_any());
        with_trouble(number, row)
    };
    let side = move |number: Number, name: &'static str, side: SplitSide| {
        let list = view! {
            <span class="times">"×"</span>
            {side_select(app, side)}
        };
        with_trouble(number, field_row(app, number, (name, ""), list.into_any()))
    };
    let prices = Memo::new(move |_| {
        app.current.with(|inputs| {
            let price = |number| {
                inputs
                    .get(number)
                    .map_or_else(|| "none".to_owned(), price_text)
            };
            format!(
                "{} {} · {} {}",
                short_name(compute_gpu(inputs).name()),
                price(Number::ComputePrice),
                short_name(inputs.memory_gpu.name),
                price(Number::MemoryPrice)
            )
        })
    });
    let order = Memo::new(move |_| {
        app.current.with(|inputs| {
            let micros = inputs.get(Number::NetMicros).unwrap_or(0.0);
            let queries = match inputs.q_early {
                QEarly::On => "early query",
                QEarly::Off => "no early query",
            };
            format!("{} µs · {queries}", format::printed(micros))
        })
    });
    let choices = view! {
        {choice_row(app, "q_early")}
        {choice_row(app, "partition")}
    };
    view! {
        {side(Number::ComputeGpus, "Compute", SplitSide::Compute)}
        {half.trouble("compute_gpu")}
        {side(Number::MemoryGpus, "Memory", SplitSide::Memory)}
        {half.trouble("memory_gpu")}
        {with_trouble(Number::Net, slider_row(app, Number::Net, RowPlace::Panel))}
        {field(Number::Batches, "Batches in flight", "one replica")}
        {select_row(app, "trace", "Requests")}
        {field(Number::Budget, "Budget", "default: equal price")}
        {fold(app, "Prices", move || prices.get(), &PRICES, ().into_any())}
        {fold(app, "Round trip, overlap", move || order.get(), &ORDER, choices.into_any())}
    }
    .into_any()
}
