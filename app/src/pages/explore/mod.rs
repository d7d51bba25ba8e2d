//! The Explore view: verdict, figures and charts of one scenario.

pub mod below;
pub mod bodies;
pub mod figures;
mod levers;
mod takes;

use super::figure::Made;
use super::shell::toast::Toast;
use crate::answer::overlay;
use crate::charts::{AnyFigure, LatencyData, MemoryData, ParetoData, RooflineData};
use crate::pages::figure::catalog::{FigureRow, FigureTable, plain};
use crate::pages::hero::{headline, hero};
use crate::state::App;
use figures::figures;
use leptos::prelude::*;
use model_core::inputs::Number;
use model_core::permalink::FigureId;
use std::sync::Arc;

/// The first figures of Explore.
pub static FIGURES: FigureTable = FigureTable(&[
    plain::<RooflineData>(FigureId::Roofline, made).growing(0.4),
    plain::<LatencyData>(FigureId::Breakdown, made).growing(0.4),
    FigureRow {
        body: bodies::pareto,
        ..plain::<ParetoData>(FigureId::Pareto, pareto).growing(0.4)
    },
    FigureRow {
        body: bodies::memory,
        ..plain::<MemoryData>(FigureId::Memory, made)
    },
]);

/// A chart of the view's answer.
pub fn made(app: App, id: FigureId) -> Made {
    Made::of(move || app.answer.with(|answer| answer.as_deref()?.figure(id)))
}

/// Throughput against speed, with measured systems over it where they are asked for.
pub fn pareto(app: App, _: FigureId) -> Made {
    let marks = Memo::new(move |_| {
        if app.link.with(|link| link.shown.overlay) {
            app.current.with(overlay::marks)
        } else {
            Vec::new()
        }
    });
    Made::of(move || {
        let data = app
            .answer
            .with(|answer| answer.as_ref().map(|answer| Arc::clone(&answer.pareto)))?;
        Some(marks.with(|marks| match marks.as_slice() {
            [] => AnyFigure::of(&data),
            marks => AnyFigure::of(&Arc::new(ParetoData {
                measured: marks.to_vec(),
                ..data.as_ref().clone()
            })),
        }))
    })
    .acting(" takes this batch.", move |hit| {
        let batch = app
            .answer
            .with_untracked(|answer| answer.as_ref()?.pareto.batch_at(hit));
        if let Some(batch) = batch {
            app.edit(|inputs| {
                inputs.state(Number::Batch, Some(batch));
            });
        }
    })
}

/// Headline, levers, figures and charts: the view, and what `embed=explore` shows; `below` makes the charts further
/// down.
pub fn answer(app: App, toast: Toast, below: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    let said = Signal::derive(move || {
        app.answer
            .with(|answer| answer.as_ref().map(|answer| answer.headline.sentence()))
    });
    let embedded = app.link.with_untracked(|link| link.shown.embed.is_some());
    let content = move || {
        view! {
            {figures(app)}
            <div class="charts charts-first explore-charts">
                {FIGURES.figures(app, toast, &[
                    FigureId::Roofline,
                    FigureId::Breakdown,
                    FigureId::Pareto,
                    FigureId::Memory,
                ])}
            </div>
            {below()}
        }
        .into_any()
    };
    view! {
        {if embedded { headline(app, said) } else { hero(app, said) }}
        {answered(app, move || app.answer.with(Option::is_none), content)}
    }
    .into_any()
}

/// A view's answer below its headline: stale while the scenario is impossible, a placeholder where there is none yet.
pub fn answered(
    app: App,
    empty: impl Fn() -> bool + Send + Sync + 'static,
    content: impl Fn() -> AnyView + Send + 'static,
) -> AnyView {
    let empty = Memo::new(move |_| empty());
    let stale = Memo::new(move |_| !app.possible());
    view! {
        <div class="answer" class:stale=move || stale.get()>
            {move || if empty.get() { nothing_yet() } else { content() }}
        </div>
    }
    .into_any()
}

/// Placeholder for the charts, when a link opens on an invalid scenario.
pub fn nothing_yet() -> AnyView {
    view! {
        <div class="empty">
            <p>"No plan obeys these numbers, so there is nothing to draw yet."</p>
            <p class="tone-muted">
                "Take one of the choices above, change the control that is marked in the scenario, or "
                <a href="?">"start from the default scenario"</a>
                "."
            </p>
        </div>
    }
    .into_any()
}
