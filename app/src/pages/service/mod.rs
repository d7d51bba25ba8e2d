//! The Service view: the GPUs that whole requests need.

mod levers;
mod pays;
mod prices;
mod run;

use super::explore::figures::six;
use super::explore::nothing_yet;
use super::figure::Made;
use super::figure::catalog::{FigureTable, plain};
use super::shell::rest::undragged;
use super::shell::toast::Toast;
use super::shell::words::sentence;
use crate::answer::Sentence;
use crate::answer::service::{FoundReplicas, ServiceAnswer, limit};
use crate::charts::{PaysData, PoolsData, RequestData, StairsData};
use crate::compute::{Compute, ComputeState};
use crate::part::kept;
use crate::state::App;
use crate::state::lasting::Lasting;
use leptos::prelude::*;
use levers::levers;
use model_core::permalink::{FigureId, write_inputs};
use prices::prices;
use run::run_it;
use std::sync::Arc;
use worker::{Answer, Request, Stage};

/// Figures of Service.
pub static FIGURES: FigureTable = FigureTable(&[
    plain::<StairsData>(FigureId::Stairs, made).growing(0.4),
    plain::<RequestData>(FigureId::Request, made),
    plain::<PoolsData>(FigureId::Binds, made),
    plain::<PaysData>(FigureId::Pays, pays::made),
]);

/// A chart of the view's answer.
fn made(app: App, id: FigureId) -> Made {
    let answer = Answered::of_page(app).followed(app).answer;
    Made::of(move || answer.with(|answer| answer.figure(id)))
}

/// The answer to the current scenario, by the replicas that the worker found last.
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
                // Without a worker they are the best there is.
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

    /// Asks the worker as long as the calling view lives; a figure alone on a page asks for itself.
    fn followed(self, app: App) -> Self {
        let asked = undragged(app, Memo::new(move |_| app.current.with(write_inputs)));
        Effect::new(move |_| self.compute.run(Request::Replicas { link: asked.get() }));
        self
    }

    /// The limit of the first token at which the cheaper way changes, once it is found.
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

/// The view.
pub fn service(app: App, toast: Toast) -> AnyView {
    let answered = Answered::of_page(app).followed(app);
    let (answer, limit) = (answered.answer, answered.limit());
    let said = Memo::new(move |_| answer.with(|answer| answer.headline.clone()));
    let empty = Memo::new(move |_| answer.with(|answer| answer.shown.is_none()));
    view! {
        <div class="headline">
            <h1 aria-live="polite" aria-atomic="true">{move || said.with(sentence)}</h1>
        </div>
        {levers(app)}
        <div class="answer">
            {move || if empty.get() {
                nothing_yet()
            } else {
                view! {
                    {figures(answer)}
                    <p class="service-limit" role="status">{move || limit.get().as_ref().map(sentence)}</p>
                    {prices(app)}
                    <div class="charts charts-first">
                        {FIGURES.figures(app, toast, &[
                            FigureId::Stairs,
                            FigureId::Request,
                            FigureId::Binds,
                            FigureId::Pays,
                        ])}
                    </div>
                    {run_it(app, toast)}
                }.into_any()
            }}
            {unknown()}
        </div>
    }
    .into_any()
}

/// The row of figures.
fn figures(answer: Lasting<Memo<Arc<ServiceAnswer>>>) -> AnyView {
    let of = move |index: usize| {
        answer.with(|answer| answer.shown.as_ref()?.figures.get(index).cloned())
    };
    six("Service", of, |_| false)
}

/// The limits of the answer, in words.
fn unknown() -> AnyView {
    view! {
        <p class="service-unknown tone-muted">
            "Not known here: bursts, percentiles, and what a prefix cache will contain. Arrivals are Poisson, \
             times are means, every request has the same lengths, and the share in the cache is as stated."
        </p>
    }
    .into_any()
}
