//! Charts further down in Explore: levers, timeline, waterfall and targets, a part of their own.

use super::levers;
use super::takes::takes;
use crate::answer::{self, Below};
use crate::charts::{AnyFigure, LeversData, TimelineData, WaterfallData};
use crate::pages::figure::catalog::{FigureRow, FigureTable, plain};
use crate::pages::figure::plot::plot;
use crate::pages::figure::{Chart, Made};
use crate::pages::shell::toast::Toast;
use crate::part::kept;
use crate::state::App;
use crate::state::lasting::Lasting;
use leptos::prelude::*;
use model_core::compare::Quantity;
use model_core::permalink::{self, FigureId};
use std::sync::Arc;

/// Figures of the part.
pub static FIGURES: FigureTable = FigureTable(&[
    FigureRow {
        body: levers::body,
        ..plain::<LeversData>(FigureId::Levers, levers::made)
    },
    FigureRow {
        body: waterfall,
        ..plain::<WaterfallData>(FigureId::Waterfall, waterfall_made)
    },
    FigureRow {
        body: timeline,
        ..plain::<TimelineData>(FigureId::Timeline, timeline_made).growing(0.27)
    },
]);

/// Their data, or the last while the scenario is impossible.
#[derive(Clone, Copy)]
struct Shown(Lasting<Memo<Option<Arc<Below>>>>);

impl Shown {
    fn of_page(app: App) -> Self {
        kept(|| {
            Self(Lasting::memo(
                move |earlier: Option<&Option<Arc<Below>>>| {
                    let below = answer::below(&app.current.get(), app.pinned.get().as_ref());
                    below.map(Arc::new).or_else(|| earlier.cloned().flatten())
                },
            ))
        })
    }
}

/// The waterfall from the pinned scenario, of the chosen quantity.
fn waterfall_made(app: App, _: FigureId) -> Made {
    let all = Shown::of_page(app).0;
    Made::of(move || {
        let chosen = app.link.with(|link| link.shown.change);
        all.with(|all| {
            let changed = &all.as_ref()?.changed;
            let place = Quantity::ALL.iter().position(|it| *it == chosen)?;
            changed.get(place).map(AnyFigure::of)
        })
    })
}

/// The timeline of the layer that is chosen.
fn timeline_made(app: App, _: FigureId) -> Made {
    let all = Shown::of_page(app).0;
    Made::of(move || {
        let chosen = app.link.with(|link| link.shown.layer);
        all.with(|all| {
            let timelines = &all.as_ref()?.timelines;
            timelines.pick(chosen).map(AnyFigure::of)
        })
    })
}

/// The charts.
pub fn below(app: App, toast: Toast) -> AnyView {
    let compares = Memo::new(move |_| app.link.with(|link| link.pinned.is_some()));
    view! {
        <div class="charts wide">{FIGURES.figures(app, toast, &[FigureId::Levers])}</div>
        <div class="charts">
            {FIGURES.figures(app, toast, &[FigureId::Timeline])}
            {move || compares.get().then(|| FIGURES.figure(app, toast, FigureId::Waterfall))}
            {takes(app)}
        </div>
    }
    .into_any()
}

/// The timeline with the switch of its layers.
fn timeline(app: App, chart: Chart) -> AnyView {
    view! {
        {layer_switch(app)}
        {plot(app, chart)}
    }
    .into_any()
}

/// The waterfall with the switch of its quantity.
fn waterfall(app: App, chart: Chart) -> AnyView {
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

/// Choice of the timeline's layer, if there are several.
fn layer_switch(app: App) -> AnyView {
    let all = Shown::of_page(app).0;
    let choices = Memo::new(move |_| {
        all.with(|all| all.as_ref().map(|all| all.timelines.choices()))
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
        (permalink::TimelineLayer, String, String),
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
