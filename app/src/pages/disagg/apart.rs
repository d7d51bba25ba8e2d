//! What both halves of the view share: one Pareto of everything, and what it is compared by.

use crate::charts::apart::Mark;
use crate::pages::figure::{AnyFigure, Made};
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink::Per;
use model_core::scenario::Mode;
use std::sync::Arc;

/// One Pareto of everything, about the deployment that the link asks about or, in a half, about the half's own.
pub fn made(app: App) -> Made {
    let asked = app.current.with_untracked(|inputs| match inputs.mode {
        Mode::Split => Mark::Split,
        Mode::Ratio | Mode::Simulate => Mark::Ratio,
        Mode::Colocated => Mark::Colocated,
    });
    let shown = use_context::<Mark>().unwrap_or(asked);
    Made::of(move || {
        let per_dollar = app.link.with(|link| link.shown.per) == Per::Dollar;
        let data = app
            .current
            .with(|inputs| crate::answer::apart::data(inputs, shown, per_dollar));
        Some(AnyFigure::of(&Arc::new(data)))
    })
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
