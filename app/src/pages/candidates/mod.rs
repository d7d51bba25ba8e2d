//! The “Which accelerator is cheapest?” section: an editable table of candidates, and a figure of their costs.

mod edit;
mod table;

use super::figure::Made;
use super::figure::catalog::{FigureTable, drawn};
use super::hero::Cheapest;
use super::shell::rest::rested;
use super::shell::toast::Toast;
use crate::compute::Compute;
use crate::part::kept;
use crate::state::App;
use crate::state::lasting::Lasting;
use answer::candidates::{CandidatesAnswer, asked};
use leptos::prelude::*;
use model_core::permalink::FigureId;
use std::sync::Arc;
use worker::{Answer, Request};

/// The figure of the candidates' costs.
pub static FIGURES: FigureTable = FigureTable(&[drawn(FigureId::Candidates, made).growing(0.4)]);

/// The comparison of the permalink's candidates, computed by the worker.
#[derive(Clone, Copy)]
struct Compared {
    compute: Compute,
    answer: Lasting<Memo<Option<Arc<CandidatesAnswer>>>>,
}

impl Compared {
    fn of_page() -> Self {
        kept(|| {
            let compute = Compute::new();
            // Uses the candidates of the answered request, because the user may have edited the list since.
            let answer = Lasting::memo(move |_| {
                let outcome = compute.outcome.get()?;
                match (&outcome.request, &outcome.answer) {
                    (Request::Candidates(inputs, _, candidates), Answer::Candidates(found)) => {
                        let answer = CandidatesAnswer::of(found, candidates, inputs);
                        Some(Arc::new(answer))
                    }
                    _ => None,
                }
            });
            Self { compute, answer }
        })
    }

    /// Requests comparisons from the worker for as long as the calling view exists.
    fn followed(self, app: App) -> Self {
        let asked = rested(Memo::new(move |_| app.link.with(asked)));
        Effect::new(move |_| {
            let (inputs, search, candidates) = asked.get();
            self.compute
                .run(Request::Candidates(inputs, search, candidates));
        });
        let answer = self.answer;
        Cheapest::of_page()
            .follow(move || answer.with(|answer| Some(answer.as_ref()?.headline.clone())));
        self
    }
}

fn made(app: App, _: FigureId) -> Made {
    let answer = Compared::of_page().followed(app).answer;
    Made::of(move || answer.with(|answer| Some(Arc::clone(&answer.as_ref()?.chart))))
}

/// Draws the section: the table of candidates, then the figure of their costs.
pub fn section(app: App, toast: Toast) -> AnyView {
    let answer = Compared::of_page().answer;
    view! {
        <section class="candidates" aria-label="Candidates">
            {table::table(app, answer)}
            <div class="charts wide">{FIGURES.figures(app, toast, &[FigureId::Candidates])}</div>
        </section>
    }
    .into_any()
}
