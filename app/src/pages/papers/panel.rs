//! What is listed: in place of the scenario's panel, above the list on narrow screens.

use super::{Papers, papers_of_page};
use crate::answer::papers::measured::{MeasuredRow, Only, Runs, choices};
use crate::answer::papers::{Order, PAPERS, Row, Tally, Which};
use crate::format;
use crate::state::App;
use leptos::prelude::*;
use model_core::cost::calibration::NamedCalibration;
use model_core::permalink::{Evidence, Paper};

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
    match app.link.with(|link| link.shown.evidence) {
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

/// Everything that can be chosen.
fn filters(app: App) -> AnyView {
    view! {
        {halves(app)}
        {chosen(app)}
    }
    .into_any()
}

/// The same above the list, folded but for what it is held against: a phone shows rows first.
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
    let half = Memo::new(move |_| app.link.with(|link| link.shown.evidence));
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
    let half = Memo::new(move |_| app.link.with(|link| link.shown.evidence));
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
                    move || app.change(|link| link.shown.evidence = evidence),
                )
            }).collect_view()}
        </div>
    }
    .into_any()
}

/// A choice that is made by a click: its name, and a count.
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
    let only = Memo::new(move |_| app.link.with(|link| link.shown.paper));
    let tally = move |holds: &dyn Fn(&Row) -> bool| {
        page.rows
            .with(|rows| Tally::of(rows.iter().filter(|row| holds(row))))
    };
    let paper = move |name: &str, letter: &str, id: Option<Paper>| {
        let tally = tally(&|row: &Row| id.is_none_or(|id| row.paper == id));
        let name = format!("{letter} {name}");
        button(
            name.trim().to_owned(),
            tally.words(),
            move || only.get() == id,
            move || app.change(|link| link.shown.paper = id),
        )
    };
    view! {
        <div class="papers-group" role="group" aria-label="Papers">
            <h3>"Papers"</h3>
            {paper("All five", "", None)}
            {PAPERS.iter().map(|text| paper(text.name, text.letter, Some(text.id))).collect_view()}
        </div>
        <div class="papers-group papers-row" role="group" aria-label="State">
            <h3>"State"</h3>
            {Which::ALL.map(|which| button(
                which.name().to_owned(),
                tally(&|row: &Row| which.holds(row)).rows.to_string(),
                move || page.which.get() == which,
                move || page.which.set(which),
            )).collect_view()}
        </div>
        <div class="papers-group papers-row" role="group" aria-label="Order in a paper">
            <h3>"Order in a paper"</h3>
            {Order::ALL.map(|order| button(
                order.name().to_owned(),
                String::new(),
                move || page.order.get() == order,
                move || page.order.set(order),
            )).collect_view()}
        </div>
    }
    .into_any()
}

fn measured(app: App, page: Papers) -> AnyView {
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
            {Runs::choices().map(|runs| button(
                runs.name().to_owned(),
                runs.count().to_string(),
                move || page.runs.get() == runs,
                move || {
                    page.runs.set(runs);
                    page.only.set(Only::default());
                },
            )).collect_view()}
        </div>
        {narrowed(page, "Hardware", |row| row.gpu, |only| only.gpu, |only, value| only.gpu = value)}
        {narrowed(page, "Measured with", |row| row.by, |only| only.system, |only, value| only.system = value)}
    }
    .into_any()
}

/// One value of a column alone, chosen by a click, and all again by another.
fn narrowed(
    page: Papers,
    title: &'static str,
    of: fn(&MeasuredRow) -> &'static str,
    get: fn(&Only) -> Option<&'static str>,
    set: fn(&mut Only, Option<&'static str>),
) -> AnyView {
    let found = Memo::new(move |_| page.every.with(|rows| choices(rows, of)));
    view! {
        <div class="papers-group papers-row" role="group" aria-label=title>
            <h3>{title}</h3>
            {button(
                "all".to_owned(),
                String::new(),
                move || page.only.with(|only| get(only).is_none()),
                move || page.only.update(|only| set(only, None)),
            )}
            {move || found.get().into_iter().map(|(name, count)| button(
                name.to_owned(),
                count.to_string(),
                move || page.only.with(|only| get(only) == Some(name)),
                move || page.only.update(|only| set(only, Some(name))),
            )).collect_view()}
        </div>
    }
    .into_any()
}
