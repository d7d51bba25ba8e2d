//! The AFD view, with two modes: attention–FFN disaggregation at an A:F ratio, and model–attention disaggregation as in
//! Lamina.

pub mod afd;
pub mod lamina;
mod panel;
mod pareto;

pub use panel::panel_group;

use super::shell::toast::Toast;
use crate::pages::figure::catalog::{FigureTable, drawn};
use crate::state::App;
use answer::afd::steps;
use answer::lamina::{rotation, time};
use leptos::prelude::*;
use model_core::account::{Explained, Quantity};
use model_core::inputs::Mode;
use model_core::permalink::FigureId;

/// Figures of attention–FFN and model–attention disaggregation.
pub static FIGURES: FigureTable = FigureTable(&[
    drawn(FigureId::Ratio, afd::made_asking).filling(0.38),
    drawn(FigureId::Steps, afd::made)
        .shaped(steps::SHAPE)
        .filling(0.24),
    drawn(FigureId::Apart, pareto::made).filling(0.38),
    drawn(FigureId::SplitTime, lamina::made)
        .shaped(time::SHAPE)
        .growing(0.27),
    drawn(FigureId::SplitRotation, lamina::made).shaped(rotation::SHAPE),
    drawn(FigureId::SplitBandwidth, lamina::made).growing(0.32),
    drawn(FigureId::SplitDegrees, lamina::made_taking).growing(0.32),
]);

/// Draws a value. If `opens` names a quantity, a click on the value opens its derivation.
fn opening(app: App, value: String, name: &'static str, opens: Option<Quantity>) -> AnyView {
    let Some(quantity) = opens else {
        return value.into_any();
    };
    let what = Explained::Quantity(quantity);
    let opened = move || app.link.with(|link| link.shown.explain == Some(what));
    view! {
        <button
            type="button"
            class="cell-opens"
            title="Why this number?"
            aria-expanded=move || opened().to_string()
            aria-label=format!("Why is {name} {value}?")
            on:click=move |_| app.explain(what)
        >
            {value.clone()}
        </button>
    }
    .into_any()
}

/// Draws the AFD view in the mode set by the permalink's `mode`.
pub fn disaggregation(app: App, toast: Toast) -> AnyView {
    let split = Memo::new(move |_| app.current.with(|inputs| inputs.mode == Mode::Split));
    view! {
        {move || match split.get() {
            false => afd::ratio(app, toast),
            true => lamina::split(app, toast),
        }}
    }
    .into_any()
}
