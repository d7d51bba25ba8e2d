//! The Service view: the GPUs needed to serve complete requests, prefill and decode.

mod levers;
mod pays;
mod prices;
mod run;

use super::explore::figures::six;
use super::explore::nothing_yet;
use super::figure::Made;
use super::figure::catalog::{FigureTable, drawn};
use super::hero::of_pinned;
use super::shell::rest::undragged;
use super::shell::toast::Toast;
use super::shell::words::sentence;
use super::views::turns;
use crate::compute::{Compute, ComputeState};
use crate::part::kept;
use crate::state::App;
use crate::state::lasting::Lasting;
use answer::Sentence;
use answer::controls::shown::{shown, words_of};
use answer::service::{FoundReplicas, ServiceAnswer, limit, pools, replica_as_set, request};
use leptos::prelude::*;
use levers::levers;
use model_core::account::Quantity;
use model_core::inputs::Number;
use model_core::permalink::FigureId;
use model_core::service::levers::searched;
use prices::prices;
use run::run_it;
use std::sync::Arc;
use worker::{Answer, Request, Stage};

/// Figures of the Service view.
pub static FIGURES: FigureTable = FigureTable(&[
    drawn(FigureId::Stairs, made).shaped(request::SHAPE),
    drawn(FigureId::Request, made).shaped(request::SHAPE),
    drawn(FigureId::Binds, made).shaped(pools::SHAPE),
    drawn(FigureId::Pays, pays::made).shaped(answer::service::pays::SHAPE),
]);

fn made(app: App, id: FigureId) -> Made {
    let answer = Answered::of_page(app).followed(app).answer;
    Made::of(move || answer.with(|answer| answer.figure(id)))
}

/// Results for the current scenario, based on the replicas that the worker found last.
#[derive(Clone, Copy)]
struct Answered {
    compute: Compute,
    answer: Lasting<Memo<Arc<ServiceAnswer>>>,
}

impl Answered {
    fn of_page(app: App) -> Self {
        kept(|| {
            let compute = Compute::new();
            let found = StoredValue::new(FoundReplicas::default());
            let answer = Lasting::memo(move |earlier: Option<&Arc<ServiceAnswer>>| {
                let (inputs, pinned) = (app.current.get(), app.pinned.get());
                let mut found = found.write_value();
                let newest = compute.outcome.get();
                if let Some(Answer::Replicas(newest)) = newest.as_ref().map(|of| &of.answer)
                    && newest.known.is_near(&inputs)
                {
                    found.take(newest);
                }
                // If the worker has failed, show the last replicas, as during a drag.
                let broken = matches!(compute.state.get(), ComputeState::Failed(_));
                let moving = app.moving.get() || broken;
                let answer = found.answer(&inputs, pinned.as_ref(), moving);
                answer
                    .map(Arc::new)
                    .or_else(|| earlier.cloned())
                    .unwrap_or_default()
            });
            Self { compute, answer }
        })
    }

    /// Requests replicas from the worker for as long as the calling view exists. Each chart calls this too, because
    /// an embedded chart has no view around it; equal requests are sent once.
    fn followed(self, app: App) -> Self {
        let asked = undragged(app, Memo::new(move |_| app.current.get().normalized()));
        Effect::new(move |_| self.compute.run(Request::Replicas(asked.get())));
        self
    }

    /// Returns a sentence on the TTFT limit at which the cheaper kind of replica changes between aggregated and
    /// disaggregated. `None` until that limit is found.
    fn limit(self) -> Memo<Option<Sentence>> {
        Memo::new(move |earlier: Option<&Option<Sentence>>| {
            let done = self.compute.outcome.get();
            let done = done.filter(|outcome| outcome.stage == Stage::Done);
            match done.as_ref().map(|outcome| &outcome.answer) {
                Some(Answer::Replicas(found)) => found.limit.as_ref().map(limit),
                _ => earlier.cloned().flatten(),
            }
        })
    }
}

/// Draws the Service view, with the comparison of candidates below.
pub fn service(app: App, toast: Toast, candidates: AnyView) -> AnyView {
    let answered = Answered::of_page(app).followed(app);
    let (answer, limit) = (answered.answer, answered.limit());
    let said = Memo::new(move |_| answer.with(|answer| answer.headline.clone()));
    let empty = Memo::new(move |_| answer.with(|answer| answer.shown.is_none()));
    let missed = Memo::new(move |_| answer.with(|answer| answer.missed));
    view! {
        <div class="headline">
            <h1 aria-live="polite" aria-atomic="true">{move || said.with(sentence)}</h1>
        </div>
        {of_pinned(move || answer.with(|answer| answer.pinned.clone()))}
        {turns(app, None)}
        <div class="answer">
            {move || if empty.get() {
                nothing_yet()
            } else if let Some(remedy) = missed.get() {
                nothing_serves(app, remedy)
            } else {
                view! {
                    {figures(app, answer)}
                    <div class="service-lines">
                        <p class="service-limit" role="status">{move || limit.get().as_ref().map(sentence)}</p>
                        {prices(app)}
                    </div>
                    {as_set(app)}
                    <div class="charts charts-first">
                        {FIGURES.figures(app, toast, &[
                            FigureId::Stairs,
                            FigureId::Request,
                        ])}
                    </div>
                    <div class="across">{levers(app)}</div>
                    <div class="charts">{FIGURES.figures(app, toast, &[FigureId::Binds, FigureId::Pays])}</div>
                    {run_it(app, toast)}
                }.into_any()
            }}
            {candidates}
            {unknown()}
        </div>
    }
    .into_any()
}

/// If the user has set the replica's size or plan, draws a note with a button that searches all replicas.
fn as_set(app: App) -> impl IntoView {
    let set = Memo::new(move |_| app.current.with(replica_as_set));
    move || {
        set.get().map(|set| {
            view! {
                <p class="service-limit">{set} " " {search_all(app, "quiet")}</p>
            }
        })
    }
}

/// Draws a button that searches replicas of any size and plan, instead of using the replica set by the user.
fn search_all(app: App, class: &'static str) -> impl IntoView {
    view! {
        <button type="button" class=class on:click=move |_| app.edit(|inputs| *inputs = searched(inputs).without(Number::Replicas))>
            "Search all sizes and plans"
        </button>
    }
}

/// Draws a message in place of metrics and charts while no replica meets the limits, with a button for a limit that
/// can be met.
fn nothing_serves(app: App, remedy: Option<(Number, f64)>) -> AnyView {
    let button = remedy.map(|(number, value)| {
        let words = words_of(number);
        let text = format!(
            "Use {} {} {}",
            words.short,
            shown(number, value),
            words.unit
        );
        view! {
            <button type="button" class="act" on:click=move |_| app.edit(|inputs| {
                inputs.state(number, Some(value));
            })>
                {text}
            </button>
        }
    });
    let set = move || app.current.with(replica_as_set);
    view! {
        <div class="empty">
            {move || match set() {
                Some(set) => view! {
                    <p>{set} " This replica does not meet these limits, so there is nothing to plot."</p>
                    {search_all(app, "act")}
                    " "
                }.into_any(),
                None => view! { <p>"No replica meets these limits, so there is nothing to plot."</p> }.into_any(),
            }}
            {button}
        </div>
    }
    .into_any()
}

fn figures(app: App, answer: Lasting<Memo<Arc<ServiceAnswer>>>) -> AnyView {
    let of = move |index: usize| {
        answer.with(|answer| answer.shown.as_ref()?.figures.get(index).cloned())
    };
    let opens = [
        Some(Quantity::ServiceGpus),
        Some(Quantity::ServiceCost),
        Some(Quantity::ServiceOutputCost),
        Some(Quantity::ServiceTtft),
        Some(Quantity::ServicePerUser),
        None,
    ];
    six(app, "Key metrics", opens, of, |_| false)
}

/// Draws a note on the effects that the Service view does not model.
fn unknown() -> AnyView {
    view! {
        <p class="service-unknown tone-muted">
            "Not modeled: bursts, percentiles and prefix-cache contents. Arrivals are Poisson, \
             times are means, all requests have equal lengths, and the cache hit rate is as set."
        </p>
    }
    .into_any()
}
