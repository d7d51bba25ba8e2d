//! The Explore view: verdict, key metrics and charts of one scenario.

pub mod below;
pub mod bodies;
pub mod figures;
mod levers;
mod sizing;

use super::figure::Made;
use super::shell::toast::Toast;
use super::views::turns;
use crate::pages::figure::catalog::{FigureTable, drawn};
use crate::pages::helps::Helps;
use crate::pages::hero::{headline, how_sure};
use crate::pages::strip::helps;
use crate::state::App;
use answer::charts::LatencyData;
use answer::previewed_step;
use figures::figures;
use leptos::prelude::*;
use model_core::account::Explained;
use model_core::permalink::FigureId;

/// The first figure of Explore: the chart that supports the headline.
pub static FIGURES: FigureTable = FigureTable(&[drawn(FigureId::Breakdown, made)
    .shaped(LatencyData::SHAPE)
    .filling(0.36)]);

/// Returns a chart of the Explore view; a click on a part of the step time opens the derivation of that part.
pub fn made(app: App, id: FigureId) -> Made {
    let made = if app.link.with_untracked(|link| link.shown.embed.is_some()) {
        Made::of(move || app.answer.with(|answer| answer.as_deref()?.figure(id)))
    } else {
        let preview = Helps::of_page(app).preview;
        let ghost = Memo::new(move |_| {
            let then = preview.get()?;
            app.current.with(|now| previewed_step(now, &then))
        });
        Made::of(move || {
            let shown = || app.answer.with(|answer| answer.as_deref()?.figure(id));
            ghost.get().or_else(shown)
        })
    };
    opening(app, made, move |hit| {
        app.answer
            .with_untracked(|answer| answer.as_deref()?.opens(hit))
    })
}

/// Makes a click on a hit area (clickable mark) open the derivation that `opens` returns for it, if any. An embedded
/// figure stays unchanged, because it has no panel for derivations.
pub fn opening(
    app: App,
    made: Made,
    opens: impl Fn(usize) -> Option<Explained> + Copy + Send + Sync + 'static,
) -> Made {
    if app.link.with_untracked(|link| link.shown.embed.is_some()) {
        return made;
    }
    made.acting_on(
        " explains this number.",
        move |hit| opens(hit).is_some(),
        move |hit| {
            if let Some(what) = opens(hit) {
                app.explain(what);
            }
        },
    )
}

/// Draws the whole view: headline, suggested changes, metrics and charts. `embed=explore` shows the same. `below` draws
/// the charts further down.
pub fn answer(app: App, toast: Toast, below: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    let said = Signal::derive(move || {
        app.answer
            .with(|answer| answer.as_ref().map(|answer| answer.headline.sentence()))
    });
    let embedded = app.link.with_untracked(|link| link.shown.embed.is_some());
    // For an invalid scenario, the levers (suggested changes) make it valid.
    let repairs = move || {
        view! {
            <div class="explore-first">
                {nothing_yet()}
                {(!embedded).then(|| helps(app))}
            </div>
        }
        .into_any()
    };
    let content = move || {
        view! {
            {figures(app)}
            <div class="explore-first">
                <div class="charts charts-first wide">{FIGURES.figure(app, toast, FigureId::Breakdown)}</div>
                {(!embedded).then(|| helps(app))}
            </div>
            {(!embedded).then(|| how_sure(app))}
            {below()}
        }
        .into_any()
    };
    view! {
        {headline(app, said)}
        {(!embedded).then(|| turns(app, None))}
        {answered(app, move || app.answer.with(Option::is_none), repairs, content)}
    }
    .into_any()
}

/// Draws the part of a view below its headline. This part is marked stale while the scenario is invalid; `absent` is
/// drawn until there are results.
pub fn answered(
    app: App,
    empty: impl Fn() -> bool + Send + Sync + 'static,
    absent: impl Fn() -> AnyView + Send + 'static,
    content: impl Fn() -> AnyView + Send + 'static,
) -> AnyView {
    let empty = Memo::new(move |_| empty());
    let stale = Memo::new(move |_| !app.possible());
    view! {
        <div class="answer" class:stale=move || stale.get()>
            {move || if empty.get() { absent() } else { content() }}
        </div>
    }
    .into_any()
}

/// Draws a placeholder for the charts, shown if the permalink that opened the page has an invalid scenario.
pub fn nothing_yet() -> AnyView {
    view! {
        <div class="empty">
            <p>"These settings are not a valid plan, so there is nothing to plot."</p>
            <p class="tone-muted">
                "Pick a fix above, change the highlighted control, or "
                <a href="?">"reset to the default scenario"</a>
                "."
            </p>
        </div>
    }
    .into_any()
}
