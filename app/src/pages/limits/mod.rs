//! The Limits view: the largest batch and the longest context that fit.

pub mod context;
pub mod map;

use super::explore::figures::six;
use super::explore::{answered, nothing_yet};
use super::figure::Made;
use super::hero::hero;
use super::shell::rest::rested;
use super::shell::toast::Toast;
use crate::pages::figure::catalog::{FigureRow, FigureTable, drawn};
use crate::state::App;
use answer::chart::Shape;
use answer::charts::MapData;
use answer::limits::{
    LimitsAnswer, LimitsCharts, Plane, Resolution, field, limits_answer, limits_charts, map_data,
};
use leptos::prelude::*;
use model_core::account::Quantity;
use model_core::permalink::FigureId;
use std::sync::Arc;

/// Figures of the Limits view.
pub static FIGURES: FigureTable = FigureTable(&[
    FigureRow {
        body: map::body,
        shape: MapData::SHAPE,
        ..drawn(FigureId::Map, map_made).growing(0.72)
    },
    FigureRow {
        body: context::body,
        shape: Shape::Pair,
        ..drawn(FigureId::Context, made).growing(0.35)
    },
    drawn(FigureId::Growth, made).growing(0.35),
]);

/// Returns the headline and metrics of the Limits view; while the scenario is invalid, the last valid ones.
fn answer(app: App) -> Memo<Option<Arc<LimitsAnswer>>> {
    kept(move || limits_answer(&app.current.get(), app.pinned.get().as_ref()).map(Arc::new))
}

/// Returns a memo of the data from `make`; while `make` returns `None`, the memo holds the last data.
fn kept<T: PartialEq + Send + Sync + 'static>(
    make: impl Fn() -> Option<Arc<T>> + Send + Sync + 'static,
) -> Memo<Option<Arc<T>>> {
    Memo::new(move |earlier: Option<&Option<Arc<T>>>| make().or_else(|| earlier.cloned().flatten()))
}

/// Returns the data of the map across batch and context.
pub fn map_made(app: App, _: FigureId) -> Made {
    // The plane is evaluated again only when an input other than batch and context changes.
    let plane = Memo::new(move |_| app.current.with(Plane::of));
    let rests = rested(plane);
    // Coarse while the plane is changing, fine when it is at rest.
    let resolution = Memo::new(move |_| {
        if rests.get() == plane.get() {
            Resolution::FINE
        } else {
            Resolution::COARSE
        }
    });
    let field = Memo::new(move |_| field(&plane.get(), resolution.get()).map(Arc::new));
    let metric = Memo::new(move |_| app.link.with(|link| link.shown.metric));
    let data = kept(move || {
        let pinned = app.pinned.get();
        let data = map_data(
            field.get()?,
            &app.current.get(),
            pinned.as_ref(),
            metric.get(),
        )?;
        Some(Arc::new(data))
    });
    Made::of(move || data.with(|data| data.as_ref().map(MapData::chart)))
}

/// The charts of the Limits view that are computed in one pass.
#[derive(Clone, Copy)]
struct SharedCharts(Memo<Option<Arc<LimitsCharts>>>);

/// Returns one of the Limits charts that are computed in one pass.
pub fn made(app: App, id: FigureId) -> Made {
    let shared = use_context::<SharedCharts>()
        .filter(|shared| shared.0.try_with_untracked(|_| ()).is_some());
    let SharedCharts(charts) = shared.unwrap_or_else(|| {
        let make = move || {
            let against = app.link.with(|link| link.shown.against);
            limits_charts(&app.current.get(), app.pinned.get().as_ref(), against)
        };
        let shared = SharedCharts(kept(move || make().map(Arc::new)));
        provide_context(shared);
        shared
    });
    Made::of(move || charts.with(|charts| charts.as_deref()?.figure(id)))
}

/// Draws the Limits view.
pub fn limits(app: App, toast: Toast) -> AnyView {
    let answer = answer(app);
    let said = move || answer.with(|answer| answer.as_ref().map(|answer| answer.headline.clone()));
    let content = move || {
        view! {
            {figures(app, answer)}
            <div class="charts charts-first limit-charts">
                {FIGURES.figures(app, toast, &[
                    FigureId::Map,
                    FigureId::Growth,
                    FigureId::Context,
                ])}
            </div>
        }
        .into_any()
    };
    view! {
        {hero(app, Signal::derive(said))}
        {answered(app, move || answer.with(Option::is_none), nothing_yet, content)}
    }
    .into_any()
}

fn figures(app: App, answer: Memo<Option<Arc<LimitsAnswer>>>) -> AnyView {
    let of = move |index: usize| answer.with(|answer| answer.as_ref()?.figures.get(index).cloned());
    let fits = move || answer.with(|answer| answer.as_ref().is_none_or(|answer| answer.fits));
    let opens = [None, None, None, None, Some(Quantity::Capacity), None];
    // The first metric is the scenario's batch.
    six(app, "Limits on the batch", opens, of, move |index| {
        index == 0 && !fits()
    })
}
