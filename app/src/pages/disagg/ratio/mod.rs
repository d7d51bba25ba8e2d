//! The Ratio half: how many attention instances for each feed-forward instance.

mod simulation;
mod tables;

use super::apart::per_switch;
use crate::answer::ratio::{RatioView, ratio_view, simulated_link};
use crate::charts::apart::Mark;
use crate::compute::Compute;
use crate::pages::explore::headline::one_figure;
use crate::pages::figure::catalog::DISAGGREGATION;
use crate::pages::figure::{AnyFigure, Made};
use crate::pages::shell::toast::Toast;
use crate::pages::shell::words::sentence;
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink::Figure;
use model_core::scenario::Number;
use std::sync::Arc;
use worker::{Answer, Request};

/// The half's own state: what it says, and the simulation beside the page.
#[derive(Clone, Copy)]
pub struct Half {
    app: App,
    /// What it says of the current scenario, or the last it said while that is impossible.
    view: Memo<Option<Arc<RatioView>>>,
    compute: Compute,
}

impl Half {
    /// The half of this view, made where it is first asked for.
    fn shared(app: App) -> Self {
        let shared =
            use_context::<Self>().filter(|half| half.view.try_with_untracked(|_| ()).is_some());
        shared.unwrap_or_else(|| {
            let half = Self::new(app);
            provide_context(half);
            half
        })
    }

    /// Simulates whatever is current, the newest first.
    pub fn new(app: App) -> Self {
        let compute = Compute::new();
        Effect::new(move |_| {
            let inputs = app.current.get();
            if inputs.bundle().is_ok() {
                compute.run(Request::Simulate {
                    link: simulated_link(&inputs),
                });
            }
        });
        let view = Memo::new(move |earlier: Option<&Option<Arc<RatioView>>>| {
            let inputs = app.current.get();
            let outcome = compute.outcome.get();
            let request = Request::Simulate {
                link: simulated_link(&inputs),
            };
            let simulated = outcome
                .as_ref()
                .filter(|outcome| outcome.request == request)
                .and_then(|outcome| match &outcome.answer {
                    Answer::Simulate(answer) => Some(answer),
                    Answer::Search(_) | Answer::Quantity(_) => None,
                });
            match ratio_view(&inputs, simulated) {
                Ok(view) => Some(Arc::new(view)),
                Err(_) => earlier.cloned().flatten(),
            }
        });
        Self { app, view, compute }
    }

    fn of<T: Clone + PartialEq + Send + Sync + 'static>(
        self,
        look: impl Fn(&RatioView) -> T + Send + Sync + 'static,
    ) -> Memo<Option<T>> {
        Memo::new(move |_| {
            self.view
                .with(|view| view.as_ref().map(|view| look(view.as_ref())))
        })
    }

    /// Asks about a ratio, in three digits; about the best one by forgetting what was asked.
    fn ask(self, ratio: f64) {
        let best = self.view.with_untracked(|view| {
            view.as_ref().is_some_and(|view| {
                let best = view.ratio.marks.iter().find(|mark| mark.best);
                best.is_some_and(|best| (best.ratio / ratio - 1.0).abs() < 0.002)
            })
        });
        let asked = (!best).then(|| three_digits(ratio));
        self.app.edit(|inputs| {
            inputs.state(Number::Ratio, asked);
        });
    }
}

/// A chart of the half's answer.
pub fn made(app: App, select: fn(&RatioView) -> AnyFigure) -> Made {
    let view = Half::shared(app).view;
    Made::of(move || view.with(|view| view.as_deref().map(select)))
}

/// A chart over r; a click asks about its ratio.
pub fn made_asking(app: App, select: fn(&RatioView) -> AnyFigure) -> Made {
    let half = Half::shared(app);
    made(app, select).acting(" asks about this ratio.", move |index| {
        let ratio = half
            .view
            .with_untracked(|view| Some(view.as_ref()?.ratio.curve.get(index)?.ratio));
        if let Some(ratio) = ratio {
            half.ask(ratio);
        }
    })
}

/// A ratio as a person would type it.
fn three_digits(ratio: f64) -> f64 {
    format!("{ratio:.2e}").parse().unwrap_or(ratio)
}

/// The half.
pub fn ratio(app: App, toast: Toast) -> AnyView {
    let half = Half::shared(app);
    provide_context(Mark::Ratio);
    let stale = Memo::new(move |_| !app.possible());
    let empty = Memo::new(move |_| half.view.with(Option::is_none));
    view! {
        {headline(half)}
        <div class="answer" class:stale=move || stale.get()>
            {move || (!empty.get()).then(|| view! {
                {figures(half)}
                {per_switch(app)}
                <div class="charts">
                    {DISAGGREGATION.figures(app, toast, &[Figure::Apart, Figure::Ratio, Figure::Waits, Figure::Steps])}
                </div>
                {simulation::simulation(half)}
                <details class="half-details">
                    <summary>"Whole instances, step costs and memory of the open bundle"</summary>
                    <div class="charts">
                        {tables::topologies(half)}
                        {tables::latencies(half)}
                        {tables::memory(half)}
                    </div>
                </details>
            })}
        </div>
    }
    .into_any()
}

/// The verdict, what to do, and a way out.
fn headline(half: Half) -> AnyView {
    let app = half.app;
    let verdict = half.of(|view| view.verdict.clone());
    let advice = half.of(|view| view.advice.clone());
    let way_out = half.of(|view| view.way_out.clone());
    let possible = Memo::new(move |_| app.possible());
    view! {
        {move || if possible.get() {
            view! {
                <div class="verdict">
                    <h1 aria-live="polite" aria-atomic="true">
                        {move || verdict.get().map(|verdict| sentence(&verdict))}
                    </h1>
                    <p class="verdict-advice">
                        {move || advice.get().map(|advice| sentence(&advice))}
                        " "
                        {move || way_out.get().flatten().map(|way_out| {
                            view! {
                                <button
                                    type="button"
                                    class="act"
                                    on:click=move |_| app.edit(|inputs| {
                                        inputs.state(way_out.number, way_out.value);
                                    })
                                >
                                    {way_out.words.clone()}
                                </button>
                            }
                        })}
                    </p>
                </div>
            }
            .into_any()
        } else {
            crate::pages::explore::headline::verdict(app)
        }}
    }
    .into_any()
}

fn figures(half: Half) -> AnyView {
    let cell = move |index: usize| {
        let figure = half.of(move |view| view.figures.get(index).cloned());
        let fits = half.of(|view| view.fits);
        let hypothetical = move || fits.get() == Some(false) && index != 0;
        view! {
            <div class="figure" class:hypothetical=hypothetical>
                {move || figure.get().flatten().map(|figure| one_figure(&figure, hypothetical()))}
            </div>
        }
    };
    view! {
        <div class="figures" role="group" aria-label="Figures">
            {(0..6).map(cell).collect_view()}
        </div>
    }
    .into_any()
}
