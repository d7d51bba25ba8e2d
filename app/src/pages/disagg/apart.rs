//! What both halves of the view share: one Pareto of everything, and what it is compared by.

use crate::charts::apart::{ApartData, Mark};
use crate::pages::chart::Chart;
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink::{Figure, Per};
use std::sync::Arc;

/// "Together or apart?", which both halves share; `shown` is the half's own deployment.
pub fn apart(app: App, shown: Mark) -> Chart<ApartData> {
    let per = Memo::new(move |_| app.link.with(|link| link.shown.per));
    let data = Memo::new(move |_| {
        let per_dollar = per.get() == Per::Dollar;
        app.current
            .with(|inputs| Arc::new(crate::answer::apart::data(inputs, shown, per_dollar)))
    });
    Chart {
        figure: Figure::Apart,
        question: "Together or apart?",
        data: Signal::derive(move || Some(data.get())),
        act: None,
    }
}

/// "Compare by: tokens per second | tokens per dollar".
pub fn per_switch(app: App) -> AnyView {
    let chosen = Memo::new(move |_| app.link.with(|link| link.shown.per));
    let option = move |per: Per, label: &'static str| {
        view! {
            <label class="choice" class:chosen=move || chosen.get() == per>
                <input
                    type="radio"
                    name="per"
                    value=per.id()
                    prop:checked=move || chosen.get() == per
                    on:change=move |_| app.change(|link| link.shown.per = per)
                />
                {label}
            </label>
        }
    };
    view! {
        <fieldset class="per-switch">
            <legend>"Compare by"</legend>
            {option(Per::Gpu, "tokens per second")}
            {option(Per::Dollar, "tokens per dollar")}
        </fieldset>
    }
    .into_any()
}
