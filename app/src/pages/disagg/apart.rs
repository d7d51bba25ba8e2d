//! What both halves of the view share: one Pareto of everything, and what it is compared by.

use crate::charts::apart::Mark;
use crate::pages::figure::{AnyFigure, Made};
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink::Per;
use model_core::scenario::Mode;

/// One Pareto of both sides, of the half that is asked about, or, in a half, of the half's own.
pub fn made(app: App) -> Made {
    let asked = app.current.with_untracked(|inputs| match inputs.mode {
        Mode::Split => Mark::Split,
        Mode::Colocated | Mode::Ratio | Mode::Simulate => Mark::Ratio,
    });
    match use_context::<Mark>().unwrap_or(asked) {
        Mark::Split => super::split::made(app, |answer| AnyFigure::of(&answer.apart)),
        Mark::Ratio | Mark::Colocated => super::ratio::made(app, |view| AnyFigure::of(&view.apart)),
    }
}

/// "by tokens/s | tokens/$".
pub fn per_switch(app: App) -> AnyView {
    let chosen = Memo::new(move |_| app.link.with(|link| link.shown.per));
    let option = move |per: Per, label: &'static str, full: &'static str| {
        view! {
            <label class="choice" class:chosen=move || chosen.get() == per title=full>
                <input
                    type="radio"
                    name="per"
                    value=per.id()
                    aria-label=full
                    prop:checked=move || chosen.get() == per
                    on:change=move |_| app.change(|link| link.shown.per = per)
                />
                {label}
            </label>
        }
    };
    view! {
        <fieldset class="per-switch">
            <legend>"by"</legend>
            {option(Per::Gpu, "tokens/s", "tokens per second")}
            {option(Per::Dollar, "tokens/$", "tokens per dollar")}
        </fieldset>
    }
    .into_any()
}
