//! Filters of the view, in place of the scenario panel; above the list on narrow screens.

use super::{Papers, papers_of_page};
use crate::answer::papers::measured::choices;
use crate::answer::papers::{PAPERS, Row, Tally, of_kind, of_state};
use crate::format;
use crate::state::App;
use leptos::prelude::*;
use model_core::calibration::NamedCalibration;
use model_core::measured::Runs;
use model_core::permalink::{Evidence, Order, Paper, State, Stated};

/// The panel beside the view.
pub fn panel(app: App) -> AnyView {
    view! {
        <div class="panel-scroll">
            <div class="panel-head"><h2>"Filter"</h2></div>
            <div class="papers-panel">{filters(app)}</div>
        </div>
        <div class="panel-foot">
            <p class="panel-help">{move || help(app)}</p>
            <p class="panel-link">{move || format!("?{}", app.text.get())}</p>
        </div>
    }
    .into_any()
}

fn help(app: App) -> AnyView {
    match app.link.with(|link| link.shown.listed.evidence) {
        Evidence::Published => view! {
            <b>"Error."</b>
            " Computed over published, on a log axis. The grey band is the row's tolerance; its reason stands beside it. An open \
             dot is a declared gap."
        }
        .into_any(),
        Evidence::Measured => view! {
            <b>"Range."</b>
            " What a publication leaves open is varied between its ends, one unknown at a time. Grey points do not count for \
             accuracy: whole runs, and runs of which something that decides is not stated."
        }
        .into_any(),
    }
}

/// All filters.
fn filters(app: App) -> AnyView {
    view! {
        {halves(app)}
        {chosen(app)}
    }
    .into_any()
}

/// The filters above the list, folded except the choice of papers or measurements, so that a phone shows rows first.
pub fn folded(app: App) -> AnyView {
    view! {
        {halves(app)}
        <details class="papers-fold">
            <summary>"Filter and order"</summary>
            {chosen(app)}
        </details>
    }
    .into_any()
}

fn chosen(app: App) -> AnyView {
    let page = papers_of_page(app);
    let half = Memo::new(move |_| app.link.with(|link| link.shown.listed.evidence));
    view! {
        {move || match half.get() {
            Evidence::Published => published(app, page),
            Evidence::Measured => measured(app, page),
        }}
    }
    .into_any()
}

fn halves(app: App) -> AnyView {
    let page = papers_of_page(app);
    let half = Memo::new(move |_| app.link.with(|link| link.shown.listed.evidence));
    view! {
        <div class="papers-halves" role="group" aria-label="Against what">
            {Evidence::ALL.map(|evidence| {
                let (name, count) = match evidence {
                    Evidence::Published => {
                        ("Published numbers", page.rows.with_untracked(|rows| rows.len()))
                    }
                    Evidence::Measured => ("Measured systems", Runs::All.count()),
                };
                button(
                    name.to_owned(),
                    format::count(count as f64),
                    move || half.get() == evidence,
                    move || page.list(app, |listed| listed.evidence = evidence),
                )
            }).collect_view()}
        </div>
    }
    .into_any()
}

/// A filter button with name and count.
fn button(
    name: String,
    count: String,
    chosen: impl Fn() -> bool + Copy + Send + Sync + 'static,
    choose: impl Fn() + 'static,
) -> AnyView {
    view! {
        <button
            type="button"
            class="papers-choice"
            aria-pressed=move || chosen().to_string()
            on:click=move |_| choose()
        >
            <span>{name}</span>
            <span class="papers-count">{count}</span>
        </button>
    }
    .into_any()
}

fn published(app: App, page: Papers) -> AnyView {
    let listed = page.listed;
    let tally = move |holds: &dyn Fn(&Row) -> bool| {
        page.rows
            .with(|rows| Tally::of(rows.iter().filter(|row| holds(row))))
    };
    let paper = move |name: &str, letter: &str, id: Option<Paper>| {
        let tally = tally(&|row: &Row| id.is_none_or(|id| row.paper == id));
        let name = format!("{letter} {name}");
        let share = |count: usize| format!("flex-grow:{count}");
        view! {
            <div class="papers-paper">
                {button(
                    name.trim().to_owned(),
                    tally.words(),
                    move || listed.with(|listed| listed.paper == id),
                    move || page.list(app, |listed| listed.paper = id),
                )}
                <span class="papers-share" aria-hidden="true">
                    <i style=share(tally.rows - tally.gaps)></i>
                    <i class="gap" style=share(tally.gaps)></i>
                </span>
            </div>
        }
    };
    view! {
        <div class="papers-group" role="group" aria-label="Papers">
            <h3>"Papers"</h3>
            {paper("All five", "", None)}
            {PAPERS.iter().map(|text| paper(text.name, text.letter, Some(text.id))).collect_view()}
        </div>
        <div class="papers-group papers-row" role="group" aria-label="State">
            <h3>"State"</h3>
            {State::ALL.map(|state| button(
                state_name(state).to_owned(),
                tally(&|row: &Row| of_state(state, row)).rows.to_string(),
                move || listed.with(|listed| listed.state == state),
                move || page.list(app, |listed| listed.state = state),
            )).collect_view()}
        </div>
        <div class="papers-group papers-row" role="group" aria-label="Kind">
            <h3>"Kind"</h3>
            {Stated::ALL.map(|kind| button(
                kind.id().to_owned(),
                tally(&|row: &Row| of_kind(kind, row)).rows.to_string(),
                move || listed.with(|listed| listed.kind == kind),
                move || page.list(app, |listed| listed.kind = kind),
            )).collect_view()}
        </div>
        <div class="papers-group papers-row" role="group" aria-label="Order in a paper">
            <h3>"Order in a paper"</h3>
            {Order::ALL.map(|order| button(
                order_name(order).to_owned(),
                String::new(),
                move || listed.with(|listed| listed.order == order),
                move || page.list(app, |listed| listed.order = order),
            )).collect_view()}
        </div>
    }
    .into_any()
}

const fn state_name(state: State) -> &'static str {
    match state {
        State::All => "all",
        State::Met => "within tolerance",
        State::Gaps => "gaps",
    }
}

const fn order_name(order: Order) -> &'static str {
    match order {
        Order::Largest => "largest error",
        Order::Printed => "as printed",
    }
}

fn measured(app: App, page: Papers) -> AnyView {
    let listed = page.listed;
    let now = Memo::new(move |_| app.current.with(|inputs| inputs.calibration));
    view! {
        <div class="papers-group" role="group" aria-label="Calibration">
            <h3>"Calibration" <span class="papers-count">"within 1.2×, 2×, mean error"</span></h3>
            {move || {
                page.scores
                    .get()
                    .into_iter()
                    .zip(NamedCalibration::ALL)
                    .map(|(score, calibration)| button(
                        score.id.to_owned(),
                        format!("{} · {} · {}", score.near, score.far, format::share(score.mean)),
                        move || now.get() == calibration,
                        move || app.edit(|inputs| inputs.calibration = calibration),
                    ))
                    .collect_view()
            }}
        </div>
        <div class="papers-group" role="group" aria-label="Kind of run">
            <h3>"Kind of run"</h3>
            {Runs::ALL.map(|runs| button(
                runs.name().to_owned(),
                runs.count().to_string(),
                move || listed.with(|listed| listed.runs == runs),
                move || page.list(app, |listed| {
                    (listed.runs, listed.hardware, listed.system) = (runs, None, None);
                }),
            )).collect_view()}
        </div>
        <div class="papers-group papers-row" role="group" aria-label="Hardware">
            <h3>"Hardware"</h3>
            {button(
                "all".to_owned(),
                String::new(),
                move || listed.with(|listed| listed.hardware.is_none()),
                move || page.list(app, |listed| listed.hardware = None),
            )}
            {move || page.every.with(|rows| choices(rows, |row| (row.hardware, row.gpu)))
                .into_iter()
                .map(|((id, name), count)| button(
                    name.to_owned(),
                    count.to_string(),
                    move || listed.with(|listed| listed.hardware == Some(id)),
                    move || page.list(app, |listed| listed.hardware = Some(id)),
                ))
                .collect_view()}
        </div>
        <div class="papers-group papers-row" role="group" aria-label="Measured with">
            <h3>"Measured with"</h3>
            {button(
                "all".to_owned(),
                String::new(),
                move || listed.with(|listed| listed.system.is_none()),
                move || page.list(app, |listed| listed.system = None),
            )}
            {move || page.every.with(|rows| choices(rows, |row| row.by))
                .into_iter()
                .map(|(system, count)| button(
                    system.name().to_owned(),
                    count.to_string(),
                    move || listed.with(|listed| listed.system == Some(system)),
                    move || page.list(app, |listed| listed.system = Some(system)),
                ))
                .collect_view()}
        </div>
    }
    .into_any()
}
