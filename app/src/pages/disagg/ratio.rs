//! The Ratio half: how many attention instances for each feed-forward instance.

mod controls;
mod simulation;
mod tables;

use super::apart::{apart, per_switch};
use crate::answer::ratio::{RatioView, ratio_view, simulated_link};
use crate::charts::apart::Mark;
use crate::charts::{Figure, RatioData, StepsData, WaitsData};
use crate::compute::Compute;
use crate::pages::chart::{Act, Chart, chart};
use crate::pages::headline::one_figure;
use crate::pages::toast::Toast;
use crate::pages::words::sentence;
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink;
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
                    Answer::Search(_) => None,
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

    /// "How many for each?"
    pub fn ratio(self) -> Chart<RatioData> {
        let data = self.of(|view| Arc::clone(&view.ratio));
        self.charted(
            permalink::Figure::Ratio,
            "How many for each?",
            data.into(),
            move |index| data.with(|data| Some(data.as_ref()?.curve.get(index)?.ratio)),
        )
    }

    /// "Who waits?"
    pub fn waits(self) -> Chart<WaitsData> {
        let data = self.of(|view| Arc::clone(&view.waits));
        self.charted(
            permalink::Figure::Waits,
            "Who waits?",
            data.into(),
            move |index| data.with(|data| Some(data.as_ref()?.curve.get(index)?.ratio)),
        )
    }

    /// "What happens in a step?"
    pub fn steps(self) -> Chart<StepsData> {
        Chart {
            figure: permalink::Figure::Steps,
            question: "What happens in a step?",
            data: self.of(|view| Arc::clone(&view.steps)).into(),
            act: None,
        }
    }

    /// A chart over r; a click asks about its ratio.
    fn charted<F: Figure>(
        self,
        figure: permalink::Figure,
        question: &'static str,
        data: Signal<Option<Arc<F>>>,
        ratio: impl Fn(usize) -> Option<f64> + Send + Sync + 'static,
    ) -> Chart<F> {
        Chart {
            figure,
            question,
            data,
            act: Some(Act {
                says: " asks about this ratio.",
                run: Callback::new(move |index| {
                    if let Some(ratio) = ratio(index) {
                        self.ask(ratio);
                    }
                }),
            }),
        }
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

/// A ratio as a person would type it.
fn three_digits(ratio: f64) -> f64 {
    format!("{ratio:.2e}").parse().unwrap_or(ratio)
}

/// The half.
pub fn ratio(app: App, toast: Toast) -> AnyView {
    let half = Half::new(app);
    let stale = Memo::new(move |_| !app.possible());
    let empty = Memo::new(move |_| half.view.with(Option::is_none));
    view! {
        {headline(half)}
        {controls::controls(app)}
        <div class="answer" class:stale=move || stale.get()>
            {move || (!empty.get()).then(|| view! {
                {figures(half)}
                {simulation::simulation(half)}
                {per_switch(app)}
                <div class="charts">
                    {chart(app, toast, half.ratio())}
                    {chart(app, toast, half.waits())}
                    {chart(app, toast, half.steps())}
                    {chart(app, toast, apart(app, Mark::Ratio))}
                    {tables::topologies(half)}
                    {tables::latencies(half)}
                    {tables::memory(half)}
                </div>
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
            crate::pages::headline::verdict(app)
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
