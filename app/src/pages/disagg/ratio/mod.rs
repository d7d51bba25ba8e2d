//! The Ratio half: whether attention and feed-forward live apart, and how the GPUs divide.

mod simulation;
mod tables;

use crate::answer::ratio::{Advice, Evaluated, RatioView, Stated, simulated_link};
use crate::charts::apart::Mark;
use crate::compute::{Answered, Compute};
use crate::pages::disagg::words;
use crate::pages::explore::headline::{one_figure, one_offer};
use crate::pages::explore::nothing_yet;
use crate::pages::figure::catalog::DISAGGREGATION;
use crate::pages::figure::{AnyFigure, Made, Tall};
use crate::pages::shell::rest::undragged;
use crate::pages::shell::toast::Toast;
use crate::pages::shell::words::sentence;
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink::{FigureId, Per};
use std::sync::Arc;
use worker::simulate::SimulateAnswer;
use worker::{Answer, Request};

/// The half's own state: what it says, and the simulation beside the page.
#[derive(Clone, Copy)]
pub struct Half {
    app: App,
    /// What it says of the current scenario, or the last it said while that is impossible.
    view: Memo<Option<Arc<RatioView>>>,
    /// The link whose simulation belongs to it.
    asked: Memo<String>,
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

    /// Simulates what is current once that rests.
    pub fn new(app: App) -> Self {
        let compute = Compute::new();
        let per = Memo::new(move |_| app.link.with(|link| link.shown.per));
        let case = Memo::new(move |_| {
            let per_dollar = per.get() == Per::Dollar;
            let case = app
                .current
                .with(|inputs| Evaluated::new(inputs, per_dollar));
            case.ok().map(Arc::new)
        });
        let asked = Memo::new(move |_| app.current.with(simulated_link));
        let rests = undragged(app, asked);
        // A drag would leave every simulation behind that it asked for, and take the time of its own frames.
        Effect::new(move |_| {
            let link = rests.get();
            if case.with_untracked(Option::is_some) {
                compute.run(Request::Simulate { link });
            }
        });
        let simulated = Memo::new(move |_| {
            let outcome = compute.outcome.get()?;
            let own = asked.with(|link| is_of(&outcome, link));
            own.then(|| simulation_of(&outcome).cloned()).flatten()
        });
        let view = Memo::new(move |earlier: Option<&Option<Arc<RatioView>>>| {
            let view = case.with(|case| {
                let case = case.as_ref()?;
                Some(simulated.with(|simulated| case.view(simulated.as_ref())))
            });
            view.map(Arc::new).or_else(|| earlier.cloned().flatten())
        });
        Self {
            app,
            view,
            asked,
            compute,
        }
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
}

/// Whether something has come of a link's simulation.
fn is_of(outcome: &Answered, link: &str) -> bool {
    matches!(&outcome.request, Request::Simulate { link: of } if of == link)
}

/// The simulation that has come.
fn simulation_of(outcome: &Answered) -> Option<&SimulateAnswer> {
    match &outcome.answer {
        Answer::Simulate(answer) => Some(answer),
        Answer::Search(_) | Answer::Quantity(_) => None,
    }
}

/// A chart of the half's answer.
pub fn made(app: App, select: fn(&RatioView) -> AnyFigure) -> Made {
    let view = Half::shared(app).view;
    Made::of(move || view.with(|view| view.as_deref().map(select)))
}

/// A chart over divisions; a click asks about one.
pub fn made_asking(app: App, select: fn(&RatioView) -> AnyFigure) -> Made {
    let half = Half::shared(app);
    made(app, select).acting(" asks about this one.", move |index| {
        let stated = half
            .view
            .with_untracked(|view| view.as_ref()?.asks.get(index));
        if let Some(stated) = stated {
            state(app, &stated);
        }
    })
}

/// States numbers in one step of the history.
fn state(app: App, numbers: &Stated) {
    app.edit(|inputs| {
        for (number, value) in numbers {
            inputs.state(*number, *value);
        }
    });
}

/// The step costs in force, in rows.
pub fn costs(app: App) -> AnyView {
    tables::latencies(Half::shared(app))
}

/// The half.
pub fn ratio(app: App, toast: Toast) -> AnyView {
    let half = Half::shared(app);
    provide_context(Mark::Ratio);
    let stale = Memo::new(move |_| !app.possible());
    let parts = half.of(|view| (view.own, view.reached));
    view! {
        {headline(half)}
        <div class="answer ratio-answer" class:stale=move || stale.get()>
            {move || parts.get().map_or_else(|| nothing_yet().into_any(), |(own, reached)| {
                if !own {
                    provide_context(Tall(0.6));
                }
                let charts = |id| DISAGGREGATION.figures(app, toast, &[id]);
                let rows = || reached.then(|| tables::bundles(half));
                view! {
                    {figures(half)}
                    <div class="charts">
                        {own.then(|| charts(FigureId::Apart))}
                        {reached.then(|| charts(FigureId::Ratio))}
                        // Beside one tall chart the other has the rows below it.
                        {(!own).then(|| view! {
                            <div class="chart-column">{charts(FigureId::Steps)} {rows()}</div>
                        })}
                    </div>
                    {(own && reached).then(|| view! { <div class="charts wide">{charts(FigureId::Steps)}</div> })}
                    {own.then(rows)}
                    {reached.then(|| simulation::simulation(half))}
                }
                .into_any()
            })}
        </div>
    }
    .into_any()
}

/// The verdict, why, what helps, and a way out.
fn headline(half: Half) -> AnyView {
    let app = half.app;
    let verdict = half.of(|view| view.verdict.clone());
    let advice = half.of(|view| view.advice.clone());
    let way_out = half.of(|view| view.way_out.clone());
    let offers = half.of(|view| view.offers.clone());
    let possible = Memo::new(move |_| app.possible());
    let piece = |advice: Advice| view! { <span class:wide-only=advice.wide>{sentence(&advice.says)}</span> };
    view! {
        {move || if possible.get() {
            view! {
                <div class="verdict">
                    {words(move || verdict.get().map(|verdict| sentence(&verdict)))}
                    <p class="verdict-advice">
                        {move || advice.get().unwrap_or_default().into_iter().map(piece).collect_view()}
                        " "
                        {move || way_out.get().flatten().map(|way_out| {
                            view! {
                                <button
                                    type="button"
                                    class="act"
                                    on:click=move |_| state(app, &way_out.numbers)
                                >
                                    {way_out.words.clone()}
                                </button>
                            }
                        })}
                        " "
                        {move || {
                            let offers = offers.get().unwrap_or_default().into_iter();
                            offers.map(|offer| view! { {one_offer(app, offer)} " " }).collect_view()
                        }}
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
        // Both sides are the best that fits; who waits is of what is asked about.
        let compared = half.of(|view| !view.apart.curves.is_empty());
        let hypothetical =
            move || fits.get() == Some(false) && (index >= 3 || compared.get() == Some(false));
        view! {
            <div class="figure" class:hypothetical=hypothetical>
                {move || figure.get().flatten().map(|figure| one_figure(&figure, hypothetical()))}
            </div>
        }
    };
    view! {
        <div class="figures five" role="group" aria-label="Figures">
            {(0..5).map(cell).collect_view()}
        </div>
    }
    .into_any()
}
