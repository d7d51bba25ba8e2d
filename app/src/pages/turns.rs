//! The line of turning points below the headline: input values at which the order of two alternatives changes. A
//! click on a value applies it.

use crate::compute::Compute;
use crate::pages::shell::rest::rested;
use crate::state::App;
use answer::turning::{self, TurnLine, TurnValue};
use leptos::prelude::*;
use model_core::inputs::{Mode, Number};
use model_core::permalink::{Link, View};
use model_core::turning::Contest;
use worker::{Answer, Request};

/// The two alternatives that a view compares. `None` means that the permalink defines them: pinned scenario,
/// replicas, pools or Lamina.
pub type Judged = Option<Signal<Option<Contest>>>;

/// Returns true if the permalink itself defines the two alternatives that its view compares.
pub fn has_two(link: &Link) -> bool {
    let replicas = || link.current.stated(Number::Replicas).is_some();
    match link.shown.view {
        View::Service => true,
        View::Disaggregation => link.current.mode == Mode::Split,
        View::Explore => link.pinned.is_some() || replicas(),
        _ => false,
    }
}

/// Draws the line of turning points. The line is empty if there is no verdict, and until the first turning points are
/// computed.
pub fn line(app: App, judged: Judged) -> AnyView {
    let compute = Compute::new();
    let contest = Memo::new(move |_| match judged {
        Some(judged) => judged.get(),
        None => app.link.with(turning::contest),
    });
    let asked = rested(contest);
    Effect::new(move |_| {
        if let Some(contest) = asked.get() {
            compute.run(Request::Turns(contest));
        }
    });
    // Keep the last line until another search has found something.
    let said = Memo::new(move |earlier: Option<&Option<(Contest, TurnLine)>>| {
        let outcome = compute.outcome.get();
        let found = outcome.and_then(|outcome| match (&outcome.request, &outcome.answer) {
            (Request::Turns(of), Answer::Turns(answer)) => {
                let pinned = judged.is_none() && app.pinned.with_untracked(Option::is_some);
                Some((*of, turning::line(of, answer, pinned)?))
            }
            _ => None,
        });
        found.or_else(|| earlier.cloned().flatten())
    });
    let current = Memo::new(move |_| {
        let contest = contest.get();
        said.with(|said| said.as_ref().map(|(of, _)| Some(*of) == contest))
    });
    let shown = Memo::new(move |_| {
        contest
            .with(Option::is_some)
            .then(|| said.with(|said| said.as_ref().map(|(_, line)| line.clone())))
            .flatten()
    });
    view! {
        // The height is fixed from the start, so that the page does not shift when the line appears or disappears.
        <p class="second-line headline-facts" class:stale=move || current.get() != Some(true)>
            {move || shown.get().map(|line| {
                let none = (!line.none.is_empty()).then(|| format!(" at any {} in range", line.none));
                view! {
                    {line.verdict}
                    {none.map(|none| view! { <span class="second-line-none">{none}</span> })}
                    {(!line.values.is_empty()).then_some(", except")}
                    {values(app, line.values)}
                    "."
                }
            })}
        </p>
    }
    .into_any()
}

fn values(app: App, values: Vec<TurnValue>) -> AnyView {
    let last = values.len().saturating_sub(1);
    let one = |(place, value): (usize, TurnValue)| {
        let TurnValue {
            above,
            name,
            text,
            unfit,
            help,
            then,
        } = value;
        view! {
            {match place {
                0 => "",
                _ if place == last => " or ",
                _ => ", ",
            }}
            {name}
            {if above { " above " } else { " below " }}
            <button
                type="button"
                class="quiet"
                title=help
                on:click=move |_| set(app, &then)
            >
                {text}
            </button>
            {unfit.then_some(" (out of memory)")}
        }
    };
    values
        .into_iter()
        .enumerate()
        .map(one)
        .collect_view()
        .into_any()
}

/// Applies a turning point: replaces the current scenario and, if there is one, the pinned scenario A.
fn set(app: App, then: &Contest) {
    let (current, pinned) = turning::shown(then);
    app.change(|link| {
        link.current = current;
        if link.pinned.is_some() && pinned.is_some() {
            link.pinned = pinned;
        }
    });
}
