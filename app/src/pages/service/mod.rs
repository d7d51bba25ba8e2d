//! The Service view: the GPUs that whole requests need.

mod levers;
mod pays;
mod prices;
mod run;

use super::explore::figures::one_figure;
use super::explore::nothing_yet;
use super::figure::Made;
use super::figure::catalog::{FigureTable, plain};
use super::shell::rest::rested;
use super::shell::toast::Toast;
use super::shell::words::sentence;
use crate::answer::Sentence;
use crate::answer::service::{Found, ServiceAnswer};
use crate::charts::{PaysData, PoolsData, RequestData, StairsData};
use crate::part::kept;
use crate::state::App;
use crate::state::lasting::Lasting;
use leptos::prelude::*;
use levers::levers;
use model_core::inputs::Inputs;
use model_core::permalink::FigureId;
use prices::prices;
use run::run_it;
use std::sync::Arc;

/// Figures of Service.
pub static FIGURES: FigureTable = FigureTable(&[
    plain::<StairsData>(FigureId::Stairs, made).growing(0.4),
    plain::<RequestData>(FigureId::Request, made),
    plain::<PoolsData>(FigureId::Binds, made),
    plain::<PaysData>(FigureId::Pays, pays::made),
]);

/// A chart of the view's answer.
fn made(app: App, id: FigureId) -> Made {
    let answer = Answered::of_page(app).answer;
    Made::of(move || answer.with(|answer| answer.figure(id)))
}

/// The answer to the current scenario, with the replicas found for it.
#[derive(Clone, Copy)]
struct Answered {
    answer: Lasting<Memo<Arc<ServiceAnswer>>>,
    found: StoredValue<Found>,
    /// The scenario once its numbers stay.
    rests: Lasting<ReadSignal<Inputs>>,
}

impl Answered {
    fn of_page(app: App) -> Self {
        kept(|| {
            let found = StoredValue::new(Found::default());
            let rests = Lasting::from(rested(app.current));
            let answer = Lasting::memo(move |_| {
                let (inputs, pinned) = (app.current.get(), app.pinned.get());
                let mut kept = found.write_value();
                // Replicas are searched for numbers that stay.
                let moves = rests.get() != inputs;
                let quick = moves.then(|| kept.at_once(&inputs, pinned.as_ref()));
                let answer = quick.flatten();
                Arc::new(answer.unwrap_or_else(|| kept.answer(&inputs, pinned.as_ref())))
            });
            Self {
                answer,
                found,
                rests,
            }
        })
    }

    /// The limit of the first token at which the cheaper way changes: a dozen demands, asked once numbers stay.
    fn limit(self) -> Memo<Option<Sentence>> {
        Memo::new(move |_| {
            let inputs = self.rests.get();
            // The answer finds the replicas.
            self.answer.with_untracked(|_| ());
            self.found.write_value().limit(&inputs)
        })
    }
}

/// The view.
pub fn service(app: App, toast: Toast) -> AnyView {
    let answered = Answered::of_page(app);
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
    let cell = move |index: usize| {
        let figure = Memo::new(move |_| {
            answer.with(|answer| {
                let shown = answer.shown.as_ref()?;
                shown.figures.get(index).cloned()
            })
        });
        view! { <div class="figure">{move || figure.get().map(|figure| one_figure(&figure, false))}</div> }
    };
    view! {
        <div class="figures limit-figures" role="group" aria-label="Service">
            {(0..6).map(cell).collect_view()}
        </div>
    }
    .into_any()
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
