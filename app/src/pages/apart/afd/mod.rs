//! The *AFD ratio* mode: compares colocated serving with attention–FFN disaggregation, and splits the GPUs between
//! attention and FFN.

mod simulation;
mod tables;

use super::FIGURES;
use crate::compute::{Answered, Compute};
use crate::pages::explore::figures::opening;
use crate::pages::explore::{nothing_yet, opening as marks_open};
use crate::pages::figure::{Made, Tall};
use crate::pages::hero::{hero, of_pinned};
use crate::pages::shell::rest::undragged;
use crate::pages::shell::toast::Toast;
use crate::pages::views::turns;
use crate::state::App;
use answer::afd::{EvaluatedUnit, RatioView, Stated};
use answer::apart::Disaggregated;
use leptos::prelude::*;
use model_core::inputs::{Inputs, Mode};
use model_core::permalink::FigureId;
use std::sync::Arc;
use worker::simulate::SimulateAnswer;
use worker::{Answer, Request};

/// State of the AFD ratio mode: its results, and the simulation in the worker.
#[derive(Clone, Copy)]
pub struct RatioHalf {
    app: App,
    /// Results of the AFD ratio mode; while the scenario is invalid, the last valid results.
    view: Memo<Option<Arc<RatioView>>>,
    /// Inputs of the simulation that matches the current scenario.
    asked: Memo<Inputs>,
    compute: Compute,
}

impl RatioHalf {
    /// Returns the shared state of the AFD ratio mode, creating it on first use.
    fn shared(app: App) -> Self {
        let shared =
            use_context::<Self>().filter(|half| half.view.try_with_untracked(|_| ()).is_some());
        shared.unwrap_or_else(|| {
            let half = Self::new(app);
            provide_context(half);
            half
        })
    }

    /// Creates a state that follows the current scenario and runs its simulation; during drags, the simulation is
    /// debounced.
    pub fn new(app: App) -> Self {
        let compute = Compute::new();
        let case = Memo::new(move |_| app.current.with(EvaluatedUnit::new).ok().map(Arc::new));
        let pinned = Memo::new(move |_| {
            let pinned = app.pinned.get()?;
            EvaluatedUnit::new(&pinned).ok().map(Arc::new)
        });
        let asked = Memo::new(move |_| app.current.with(asked));
        let rests = undragged(app, asked);
        // Debounced, because simulations during a drag would be stale at once and would delay the drag's frames.
        Effect::new(move |_| {
            let inputs = rests.get();
            if case.with_untracked(Option::is_some) {
                compute.run(Request::Simulate(inputs));
            }
        });
        let simulated = Memo::new(move |_| {
            let outcome = compute.outcome.get()?;
            let own = asked.with(|asked| is_of(&outcome, asked));
            own.then(|| simulation_of(&outcome).cloned()).flatten()
        });
        let view = Memo::new(move |earlier: Option<&Option<Arc<RatioView>>>| {
            let view = case.with(|case| {
                let case = case.as_ref()?;
                let pinned = pinned.get();
                let view = |simulated: &Option<SimulateAnswer>| {
                    case.view(simulated.as_ref(), pinned.as_deref())
                };
                Some(simulated.with(view))
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

/// Returns true if a worker's answer belongs to the simulation of these inputs.
fn is_of(outcome: &Answered, asked: &Inputs) -> bool {
    matches!(&outcome.request, Request::Simulate(of) if of == asked)
}

/// Returns the inputs of the simulation that matches this scenario.
fn asked(inputs: &Inputs) -> Inputs {
    inputs.in_mode(Mode::Simulate).normalized()
}

fn simulation_of(outcome: &Answered) -> Option<&SimulateAnswer> {
    match &outcome.answer {
        Answer::Simulate(answer) => Some(answer),
        _ => None,
    }
}

/// Returns the chart with this id, with data from the AFD ratio mode's results.
pub fn made(app: App, id: FigureId) -> Made {
    let view = RatioHalf::shared(app).view;
    let made = Made::of(move || view.with(|view| view.as_deref()?.figure(id)));
    marks_open(app, made, move |hit| {
        view.with_untracked(|view| view.as_deref()?.opens(id, hit))
    })
}

/// Returns a chart across A:F (attention-to-FFN) splits; a click on a split applies it.
pub fn made_asking(app: App, id: FigureId) -> Made {
    let half = RatioHalf::shared(app);
    made(app, id).acting(" selects this ratio.", move |index| {
        let stated = half.view.with_untracked(|view| {
            let view = view.as_ref()?;
            view.asks.get(view.ratio.row(index)?)
        });
        if let Some(stated) = stated {
            state(app, &stated);
        }
    })
}

/// Sets several numeric inputs of the scenario as one undo step.
fn state(app: App, numbers: &Stated) {
    app.edit(|inputs| {
        for (number, value) in numbers {
            inputs.state(*number, *value);
        }
    });
}

/// Draws the step costs currently in use: slope and intercept of the attention, communication and FFN latencies.
pub fn costs(app: App) -> AnyView {
    tables::latencies(RatioHalf::shared(app))
}

/// Draws the AFD ratio mode.
pub fn ratio(app: App, toast: Toast) -> AnyView {
    let half = RatioHalf::shared(app);
    provide_context(Disaggregated::Afd);
    let stale = Memo::new(move |_| !app.possible());
    let said = half.of(|view| view.headline.sentence());
    let parts = half.of(|view| (view.own, view.divided));
    let simulated = half.of(|view| view.simulated.clone());
    let pinned = half.of(|view| view.pinned.clone());
    let contest = half.of(|view| view.contest);
    let contest = Signal::derive(move || contest.get().flatten());
    view! {
        {hero(app, Signal::derive(move || said.get()))}
        {move || simulated.get().flatten().map(|why| view! { <p class="headline-facts">{why} "."</p> })}
        {of_pinned(move || pinned.get().flatten())}
        {turns(app, Some(contest))}
        <div class="answer ratio-answer" class:stale=move || stale.get()>
            {move || parts.get().map_or_else(|| nothing_yet().into_any(), |(own, divided)| {
                if !own {
                    provide_context(Tall(0.6));
                }
                let charts = |id| FIGURES.figures(app, toast, &[id]);
                let rows = || divided.then(|| tables::bundles(half));
                view! {
                    {figures(half)}
                    <div class="charts">
                        {own.then(|| charts(FigureId::Apart))}
                        {divided.then(|| charts(FigureId::Ratio))}
                        // Next to the one tall chart: the chart of step times, with the table of splits below it.
                        {(!own).then(|| view! {
                            <div class="chart-column">{charts(FigureId::Steps)} {rows()}</div>
                        })}
                    </div>
                    {(own && divided).then(|| view! { <div class="charts wide">{charts(FigureId::Steps)}</div> })}
                    {own.then(rows)}
                    {divided.then(|| simulation::simulation(half))}
                }
                .into_any()
            })}
        </div>
    }
    .into_any()
}

fn figures(half: RatioHalf) -> AnyView {
    let cell = move |index: usize| {
        let of = half.of(move |view| view.figures.get(index).cloned());
        let opens = half.of(move |view| view.figure_opens.get(index).copied().flatten());
        let figure = Memo::new(move |_| of.get().flatten());
        let opens = Signal::derive(move || opens.get().flatten());
        opening(half.app, figure, opens, || false)
    };
    view! {
        <div class="figures five" role="group" aria-label="Key metrics">
            {(0..5).map(cell).collect_view()}
        </div>
    }
    .into_any()
}
