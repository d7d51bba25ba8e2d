//! The best and the cheapest plan in words, and what Helix gains.

use super::{Plans, open, open_inputs};
use crate::answer::plans::{Award, Runner};
use crate::controls::field::field;
use crate::pages::shell::words::sentence;
use crate::state::App;
use leptos::prelude::*;
use model_core::scenario::Number;

/// The column beside the chart.
pub fn awards(app: App, plans: Plans) -> AnyView {
    let wrong = RwSignal::new(None::<String>);
    let list = move || {
        plans.said.get().map(|said| {
            said.awards
                .iter()
                .map(|award| one(app, plans, award))
                .collect_view()
        })
    };
    let gains = move || {
        plans.said.get().map(|said| {
            said.gains
                .iter()
                .map(|gain| view! { <p class="plans-gain">{sentence(gain)}</p> })
                .collect_view()
        })
    };
    view! {
        <div class="plans-awards">
            <div class="plans-slo" data-row="plans-slo">
                <span class="row-name">"SLO"</span>
                <span class="row-hint">"least tokens/s for a user"</span>
                {field(app, Number::Slo, "plans-slo".to_owned(), "plans-slo-help".to_owned(), wrong)}
                <span class="hidden" id="plans-slo-help">
                    "The least tokens per second that a user accepts; plans below it are not offered."
                </span>
            </div>
            {move || wrong.get().map(|reason| view! { <p class="row-wrong" role="alert">{reason}</p> })}
            {list}
            {gains}
        </div>
    }
    .into_any()
}

fn one(app: App, plans: Plans, award: &Award) -> AnyView {
    let inputs = award.inputs;
    view! {
        <section class="award" aria-label=award.title>
            <h3>{award.title}</h3>
            <p class="award-value">
                <span class="figure-number">{award.value.clone()}</span>
                " "
                <span class="figure-unit">{award.unit}</span>
            </p>
            <p class="award-plan">
                <b>{award.plan.clone()}</b>
                " "
                <button
                    type="button"
                    class="act"
                    aria-label=format!("Open in Explore: {}", award.title)
                    on:click=move |_| open_inputs(app, inputs)
                >
                    "Open"
                </button>
            </p>
            <p>{award.detail.clone()}</p>
            <p class="tone-muted">{award.others.clone()}</p>
            {match &award.runner {
                Some(runner) => self::runner(app, plans, award.title, runner),
                None => view! { <p class="tone-muted">"No other sharding fits."</p> }.into_any(),
            }}
        </section>
    }
    .into_any()
}

fn runner(app: App, plans: Plans, title: &'static str, runner: &Runner) -> AnyView {
    let index = runner.index;
    view! {
        <p class="award-runner">
            {capital(&runner.margin)}
            ", "
            {runner.plan.clone()}
            " "
            <button
                type="button"
                class="quiet"
                aria-label=format!("Open in Explore: runner-up, {title}")
                on:click=move |_| open(app, plans, index)
            >
                "Open"
            </button>
        </p>
    }
    .into_any()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
