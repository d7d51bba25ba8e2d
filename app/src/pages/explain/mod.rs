//! “Why this number?”: a panel on top of the page that derives a number step by step from its inputs and their
//! sources.

mod tree;

use super::shell::clipboard::copy;
use super::shell::toast::Toast;
use crate::compute::Compute;
use crate::controls::reveal::reveal;
use crate::icons;
use crate::listen::on_key;
use crate::pages::figure::Made;
use crate::pages::figure::catalog::{FigureTable, drawn};
use crate::part::kept;
use crate::state::App;
use crate::state::address::beside;
use crate::state::lasting::Lasting;
use answer::chart::Chart;
use answer::controls::shown::{shown, words_of};
use answer::explain::chart::{SHAPE, chart};
use answer::explain::{ExplainLine, explained, first_line};
use answer::words::format;
use leptos::prelude::*;
use model_core::account::{
    Account, Explained, Move, Quantity, Run, Subject, account_of_simulated, moved as moved_by, open,
};
use model_core::afd::decision::ShownUnit;
use model_core::inputs::Mode;
use model_core::permalink::{self, FigureId};
use std::sync::Arc;
use std::time::Duration;
use worker::{Answer, Request};

/// The derivation of a number, as a figure.
pub static FIGURES: FigureTable = FigureTable(&[drawn(FigureId::Explain, made).shaped(SHAPE)]);

/// Lines of the derivation of a number; while the scenario is invalid, the last valid lines.
#[derive(Clone, Copy)]
struct Shown(Lasting<Memo<Option<Arc<Chart>>>>);

/// Returns the derivation of the number that the permalink opens. If the permalink opens none, returns the derivation
/// of TPOT.
fn made(app: App, _: FigureId) -> Made {
    let data = kept(|| {
        Shown(Lasting::memo(
            move |earlier: Option<&Option<Arc<Chart>>>| {
                let chart = app.link.with(chart);
                chart.map(Arc::new).or_else(|| earlier.cloned().flatten())
            },
        ))
    })
    .0;
    Made::of(move || data.get())
}

/// The only number whose derivation needs a simulation.
const SIMULATED: Explained = Explained::Quantity(Quantity::AfdSimulated);

/// Max number of inputs listed as most influential for a number.
const MOVES: usize = 8;

/// Smallest effect listed: the relative change in the number caused by a 1% change in an input.
const LEAST: f64 = 5e-5;

#[derive(Debug, Clone, PartialEq)]
struct Opened {
    title: String,
    account: Arc<Account>,
}

fn opened(account: Account) -> Opened {
    let line = first_line(&account);
    Opened {
        title: format!("Why is {} {}?", line.name, line.value),
        account: Arc::new(account),
    }
}

/// Returns the derivation of the simulated throughput, computed by the worker; `None` until the simulation has a
/// result.
fn simulated(app: App, what: Memo<Option<Explained>>) -> Memo<Option<Opened>> {
    let compute = Compute::new();
    let asked = Memo::new(move |_| {
        let wanted = what.get() == Some(SIMULATED) && !app.moving.get();
        let inputs = || {
            app.current
                .with(|inputs| inputs.in_mode(Mode::Simulate).normalized())
        };
        wanted.then(inputs)
    });
    Effect::new(move |_| {
        if let Some(inputs) = asked.get() {
            compute.run(Request::Simulate(inputs));
        }
    });
    Memo::new(move |_| {
        let inputs = asked.get()?;
        let outcome = compute.outcome.get()?;
        let Answer::Simulate(answer) = &outcome.answer else {
            return None;
        };
        if outcome.request != Request::Simulate(inputs) {
            return None;
        }
        let point = answer.points.first()?;
        let run = Run {
            per_instance: point.per_instance_generated,
            straggling: point.straggling,
        };
        let shown = ShownUnit::of(&inputs).ok()?;
        Some(opened(account_of_simulated(&inputs, &shown, &run)?))
    })
}

/// Draws the panel with the derivation of the number that the permalink opens; draws nothing if it opens none.
pub fn panel(app: App, toast: Toast) -> AnyView {
    let what = Memo::new(move |_| app.link.with(|link| link.shown.explain));
    let simulated = simulated(app, what);
    let found = Memo::new(move |earlier: Option<&Option<Opened>>| {
        let what = what.get()?;
        // Numbers that need a search are updated only when a drag ends.
        let searched = match what {
            Explained::Quantity(quantity) => quantity.subject() != Subject::Scenario,
            Explained::Operator(_) => false,
        };
        if searched && app.moving.get() {
            return earlier.cloned().flatten();
        }
        match what {
            SIMULATED => simulated.get(),
            _ => app.current.with(|inputs| Some(opened(open(inputs, what)?))),
        }
    });
    // Paint the number and its direct parts first, so that a click is answered within a few frames.
    let painted = RwSignal::new(false);
    Effect::new(move |_| match what.get() {
        Some(_) => request_animation_frame(move || {
            let paint = move || {
                let _closed = painted.try_set(true);
            };
            set_timeout(paint, Duration::ZERO);
        }),
        None => painted.set(false),
    });
    let close = move || app.change(|link| link.shown.explain = None);
    on_key("Escape", move || {
        if what.get_untracked().is_some() {
            close();
        }
    });
    let figure = move || {
        app.link.with(|link| {
            let mut link = link.clone();
            link.shown.embed = Some(FigureId::Explain);
            format!("?{}", permalink::write(&link))
        })
    };
    let copies = move |words: &'static str, of: fn(&ExplainLine) -> String| {
        let run = move |_| {
            if let Some(found) = found.get_untracked() {
                copy(of(&explained(&found.account)), toast, "Copied");
            }
        };
        view! { <button type="button" class="quiet" on:click=run>{words}</button> }
    };
    view! {
        <aside class="explain" aria-labelledby="explain-title">
            <div class="explain-head">
                <h2 id="explain-title" tabindex="-1">
                    {move || found.with(|found| found.as_ref().map_or_else(
                        || match what.get() {
                            Some(SIMULATED) => "Simulating…".to_owned(),
                            _ => "This number does not apply to this scenario".to_owned(),
                        },
                        |found| found.title.clone(),
                    ))}
                </h2>
                <button type="button" class="icon-button" aria-label="Close" title="Close" on:click=move |_| close()>
                    {icons::close()}
                </button>
            </div>
            {move || found.get().map(|found| tree::tree(&found.account, painted))}
            {move || what.get().map(|what| moved(app, what, painted))}
            <p class="explain-tools">
                {copies("Copy as text", ExplainLine::text)}
                " "
                {copies("Copy as Markdown", |line| line.markdown(&beside("")))}
                " "
                <a href=figure target="_blank" rel="noopener">"Open as figure"</a>
            </p>
        </aside>
    }
    .into_any()
}

/// Formats a relative change, for example "−0.98%".
fn elasticity(change: f64) -> String {
    let sign = if change < 0.0 { format::MINUS } else { '+' };
    format!("{sign}{:.2}%", 100.0 * change.abs())
}

/// Draws the list of the most influential inputs: how much the number changes if an input is 1% larger. For inputs
/// that cannot be larger, the change for a 1% smaller value is shown.
fn moved(app: App, what: Explained, painted: RwSignal<bool>) -> AnyView {
    // Evaluates the scenario twice per input, and therefore waits for the first paint and for the end of a drag.
    let all = Memo::new(move |earlier: Option<&Vec<Move>>| {
        if app.moving.get() || !painted.get() {
            return earlier.cloned().unwrap_or_default();
        }
        let all = app.current.with(|inputs| moved_by(inputs, what));
        let listed = all.into_iter().filter(|one| one.size() > LEAST);
        listed.take(MOVES).collect()
    });
    let row = |one: Move| {
        let key = one.number.spec().key;
        let words = words_of(one.number);
        let [less, more] = one.change;
        let (by, change) = match more {
            Some(more) => ("+1%".to_owned(), more),
            // At the upper end of the input's range, show both values, such as "1 → 0.99".
            None => (
                format!(
                    "{} → {}",
                    shown(one.number, one.now),
                    shown(one.number, 0.99 * one.now)
                ),
                less.unwrap_or(0.0),
            ),
        };
        let width = format!("{:.1}%", 50.0 * (change.abs() / 0.01).min(1.0));
        view! {
            <tr>
                <th scope="row">
                    <button type="button" class="quiet" on:click=move |_| reveal(key)>{words.name}</button>
                    " "
                    <span class="tone-muted">{shown(one.number, one.now)} " " {words.unit}</span>
                </th>
                <td class="explain-bar" aria-hidden="true">
                    <i class:less=change < 0.0 style:width=width></i>
                </td>
                <td class="numeric">
                    {elasticity(change)}
                    <span class="tone-muted">" for " {by}</span>
                </td>
            </tr>
        }
    };
    view! {
        {move || {
            let all = all.get();
            (!all.is_empty()).then(|| view! {
                <h3>"What moves it most"</h3>
                <table class="explain-moves">
                    <tbody>{all.into_iter().map(row).collect_view()}</tbody>
                </table>
            })
        }}
    }
    .into_any()
}
