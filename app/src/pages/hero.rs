//! The headline of a view, and the strip of what helps under it.

use crate::answer::headline::Headline;
use crate::answer::{self, Sentence, overlay};
use crate::format;
use crate::pages::helps::helps;
use crate::pages::shell::words::sentence;
use crate::state::App;
use leptos::prelude::*;
use model_core::disagg::derive::entered_whole;
use model_core::inputs::Mode;
use model_core::permalink::View;

/// A view's headline, unless the scenario is impossible, and what helps.
pub fn hero(app: App, said: Signal<Option<Sentence>>) -> AnyView {
    let entered = entered(app);
    view! {
        {headline(app, said)}
        {move || (!entered.get()).then(|| helps(app))}
    }
    .into_any()
}

/// True where entered latencies are shown, of which the scenario's levers and measured runs say nothing.
fn entered(app: App) -> Memo<bool> {
    Memo::new(move |_| {
        app.link.with(|link| {
            let ratio = link.shown.view == View::Disaggregation && link.current.mode != Mode::Split;
            ratio && entered_whole(&link.current)
        })
    })
}

/// The headline alone.
pub fn headline(app: App, said: Signal<Option<Sentence>>) -> AnyView {
    view! {
        <div class="headline">
            <h1 aria-live="polite" aria-atomic="true">
                {move || {
                    let problems = app.problems.get();
                    match (problems.first(), said.get()) {
                        (Some(problem), _) => sentence(&Headline::impossible(&problem.rule).sentence()),
                        (None, Some(said)) => sentence(&said),
                        (None, None) => ().into_any(),
                    }
                }}
            </h1>
            {move || {
                let facts = app.problems.with(|problems| Some(problems.first()?.facts.clone()));
                facts.map(|facts| view! { <p class="headline-facts">{facts} "."</p> })
            }}
            {beyond(app)}
            {biased(app)}
            {nearest(app)}
        </div>
    }
    .into_any()
}

/// Mark on extrapolated scenarios; opened, it names the extrapolated parts.
fn beyond(app: App) -> AnyView {
    let named = Memo::new(move |_| app.current.with(answer::extrapolated));
    let some = Memo::new(move |_| named.with(|named| !named.is_empty()));
    view! {
        {move || some.get().then(|| view! {
            <details class="beyond">
                <summary>"extrapolated"</summary>
                <div>
                    <p>"Beyond the measurements of the calibration:"</p>
                    <ul>{move || named.get().into_iter().map(|words| view! { <li>{words}</li> }).collect_view()}</ul>
                </div>
            </details>
        })}
    }
    .into_any()
}

/// Mark on scenarios whose figures lie outside their error bands; opened, it gives the reason.
fn biased(app: App) -> AnyView {
    let why = Memo::new(move |_| app.current.with(answer::biased));
    view! {
        {move || why.get().map(|why| view! {
            <details class="beyond">
                <summary>"outside its band"</summary>
                <div>
                    <p>{format::capital(why)} "."</p>
                </div>
            </details>
        })}
    }
    .into_any()
}

/// Error of the nearest measured run; opened, it names the run and what differs.
fn nearest(app: App) -> AnyView {
    let entered = entered(app);
    let run = Memo::new(move |_| {
        let run = app.current.with(overlay::nearest);
        run.filter(|_| !entered.get() && app.problems.with(|problems| problems.is_empty()))
    });
    view! {
        {move || run.get().map(|run| {
            let error = format::percent_change(1.0 + run.error, 1.0);
            let differs = match run.differs.is_empty() {
                true => "It ran as the scenario does.".to_owned(),
                false => format!("It differs: {}.", run.differs.join(", ")),
            };
            view! {
                <details class="beyond nearest">
                    <summary>"nearest run: " {error.clone()}</summary>
                    <div>
                        <p>{run.hardware} ": the computed time per token is " {error} " against the measured one."</p>
                        <p>{differs}</p>
                        <p>{run.source}</p>
                    </div>
                </details>
            }
        })}
    }
    .into_any()
}
