//! The Plans view: the best plans, with those for the user's GPU count first.

mod bar;
mod legend;
mod status;
mod switches;

use super::figure::{Chart, Made, plot::plot};
use super::hero::{Cheapest, hero};
use super::shell::rest::undragged;
use super::shell::toast::Toast;
use super::shell::words::sentence;
use crate::compute::{Compute, ComputeState};
use crate::pages::figure::catalog::{FigureRow, FigureTable, drawn};
use crate::part::kept;
use crate::state::App;
use crate::state::lasting::Lasting;
use answer::chart::Chart as ChartValue;
use answer::plans::{LINE, Look, PLACE, PLANS_SHAPE, PlansAnswer, Searched, asked};
use answer::words::headline::Headline;
use answer::{Sentence, Tone};
use leptos::prelude::*;
use model_core::inputs::{Inputs, Number};
use model_core::permalink::{FigureId, View};
use model_core::search::{Candidates, Search};
use std::sync::Arc;
use worker::{Answer, Request};

/// The figure that shows which plan is best.
pub static FIGURES: FigureTable = FigureTable(&[FigureRow {
    body,
    shape: PLANS_SHAPE,
    ..drawn(FigureId::Plans, made).filling(0.6)
}]);

/// The plan search and its results. They last as long as the page, so a user who returns to the view finds it
/// unchanged.
#[derive(Clone, Copy)]
pub struct PlansSearch {
    /// The computation that runs the search.
    pub compute: Compute,
    /// The search that the current permalink asks for.
    pub asked: Lasting<Memo<(Inputs, Search)>>,
    /// Results of the newest search, which may belong to an earlier permalink.
    pub searched: Lasting<Memo<Option<Arc<Searched>>>>,
    /// Headline, tables and chart of the newest results.
    pub said: Lasting<Memo<Option<Arc<PlansAnswer>>>>,
    /// The plans chart. The line under the pointer is highlighted, and lines turned off by the user are left out.
    pub data: Lasting<Memo<Option<Arc<ChartValue>>>>,
    /// Names of the lines turned off by a click.
    pub hidden: Lasting<RwSignal<Vec<String>>>,
    /// Index of the line that is highlighted because the pointer is over its row in the legend.
    pub lit: Lasting<RwSignal<Option<usize>>>,
    /// True if a search was canceled because the user left the view.
    left: StoredValue<bool>,
}

impl PlansSearch {
    /// Creates an idle plan search; the search starts when a view follows the permalink.
    pub fn new(app: App) -> Self {
        let compute = Compute::new();
        let asked = Lasting::memo(move |_| app.link.with(asked));
        let searched: Lasting<Memo<_>> = ArcMemo::new_with_compare(
            move |earlier: Option<&Option<Arc<Searched>>>| {
                let outcome = compute.outcome.get()?;
                let (Request::Search(inputs, search), Answer::Search(answer)) =
                    (&outcome.request, &outcome.answer)
                else {
                    return None;
                };
                let asked = (*inputs, search.clone());
                // All answers to one search share one candidate list.
                let same = earlier
                    .and_then(Option::as_ref)
                    .filter(|earlier| earlier.is_of(&asked));
                let candidates = match same {
                    Some(earlier) => Arc::clone(&earlier.candidates),
                    None => Arc::new(Candidates::new(inputs, search)),
                };
                let searched = Searched::new(asked, candidates, answer.clone(), outcome.stage);
                Some(Arc::new(searched))
            },
            |one, other| !same_arc(one, other),
        )
        .into();
        // During a drag, the previous results remain, shown with their own scenario.
        let look = Memo::new(move |earlier: Option<&Look>| {
            let now = app.link.with(Look::of);
            let found = searched.with(|searched| {
                let searched = searched.as_ref()?;
                Some(asked.with(|asked| searched.is_of(asked)))
            });
            match earlier {
                Some(earlier) if found == Some(false) && app.moving.get() => *earlier,
                _ => now,
            }
        });
        let said: Lasting<Memo<_>> = ArcMemo::new_with_compare(
            move |_| {
                let searched = searched.get()?;
                Some(Arc::new(look.with(|look| searched.say(look))))
            },
            |one, other| !same_arc(one, other),
        )
        .into();
        let hidden = Lasting::signal(Vec::<String>::new());
        let lit = Lasting::signal(None);
        let data = Lasting::memo(move |_| {
            let frontiers = said.with(|said| Some(Arc::clone(&said.as_ref()?.frontiers)))?;
            Some(Arc::new(
                hidden.with(|hidden| frontiers.chart(hidden, lit.get())),
            ))
        });
        Self {
            compute,
            asked,
            searched,
            said,
            data,
            hidden,
            lit,
            left: StoredValue::new(false),
        }
    }

    /// Searches whenever the permalink changes, for as long as the calling view exists. Leaving the view cancels a
    /// running search; returning restarts it.
    fn follow(self, app: App) {
        let compute = self.compute;
        let asked = undragged(app, self.asked);
        Effect::new(move |_| {
            let (inputs, search) = asked.get();
            let request = Request::Search(inputs, search);
            if self.left.try_update_value(std::mem::take) == Some(true) {
                compute.run_again(request);
            } else {
                compute.run(request);
            }
        });
        on_cleanup(move || {
            if compute.state.try_get_untracked() == Some(ComputeState::Running) {
                self.left.set_value(true);
                compute.cancel();
            }
        });
    }

    /// Returns the inputs of the plan that a click on a hit area (click target) of the chart opens.
    fn inputs(self, hit: usize) -> Option<Inputs> {
        let place = self.data.with_untracked(|chart| {
            let chart = chart.as_ref()?;
            let row = chart.row(hit)?;
            let number = |column| chart.rows.number(column, row);
            number(LINE).zip(number(PLACE))
        });
        let (line, place) = place?;
        self.said.with_untracked(|said| {
            let line = said.as_ref()?.frontiers.lines.get(line as usize)?;
            Some(line.plans.get(place as usize)?.inputs)
        })
    }

    /// Turns a line of the plans chart on if it is off, and off if it is on.
    fn turn(self, name: &str) {
        self.hidden.update(
            |hidden| match hidden.iter().position(|other| other == name) {
                Some(at) => drop(hidden.remove(at)),
                None => hidden.push(name.to_owned()),
            },
        );
    }
}

fn same_arc<T>(one: Option<&Option<Arc<T>>>, other: Option<&Option<Arc<T>>>) -> bool {
    match (one, other) {
        (Some(Some(one)), Some(Some(other))) => Arc::ptr_eq(one, other),
        (Some(None), Some(None)) | (None, None) => true,
        _ => false,
    }
}

fn plans_of_page(app: App) -> PlansSearch {
    kept(|| PlansSearch::new(app))
}

/// Opens the plan of a clicked chart mark in Explore as one undo step; the permalink retains the search.
fn open(app: App, plans: PlansSearch, hit: usize) {
    if let Some(inputs) = plans.inputs(hit) {
        open_inputs(app, inputs);
    }
}

/// Opens a plan in Explore.
fn open_inputs(app: App, inputs: Inputs) {
    app.change(|link| {
        link.current = inputs.normalized();
        link.shown.view = View::Explore;
    });
    window().scroll_to_with_x_and_y(0.0, 0.0);
}

/// Returns the chart of throughput frontiers. A click on a plan opens that plan, except in an embedded figure.
pub fn made(app: App, _: FigureId) -> Made {
    let plans = plans_of_page(app);
    plans.follow(app);
    let made = Made::of(move || plans.data.get());
    if app.link.with_untracked(|link| link.shown.embed.is_some()) {
        return made;
    }
    made.acting(" opens this plan in Bottleneck.", move |hit| {
        open(app, plans, hit)
    })
}

/// Draws the plans chart below its switches.
pub fn body(app: App, chart: Chart) -> AnyView {
    view! {
        {switches::switches(app, plans_of_page(app))}
        {switches::measured(app, plot(app, chart))}
    }
    .into_any()
}

/// Draws the view, with the comparison of candidates below.
pub fn plans(app: App, toast: Toast, candidates: AnyView) -> AnyView {
    let plans = plans_of_page(app);
    // The chart of an earlier search is dimmed until the new results arrive.
    let stale = Memo::new(move |_| {
        plans.searched.with(|searched| {
            let searched = searched.as_ref();
            searched.is_some_and(|searched| !plans.asked.with(|asked| searched.is_of(asked)))
        })
    });
    // If the permalink names candidates, the headline is about the cheapest candidate, and the second line is about the
    // best plan. Otherwise the two are swapped.
    let compares = Memo::new(move |_| app.link.with(|link| !link.candidates.is_empty()));
    // If the scenario has no price, the second line says nothing about costs.
    let priced = Memo::new(move |_| app.current.with(|now| now.get(Number::Price).is_some()));
    let cheapest = Cheapest::of_page();
    let said = move |asked: bool| match compares.get() == asked {
        true => cheapest.get().filter(|_| asked || priced.get()),
        false => headline(plans),
    };
    view! {
        {hero(app, Signal::derive(move || said(true)))}
        <p class="second-line headline-facts">{move || said(false).map(|said| sentence(&said))}</p>
        {bar::bar(app)}
        <div class="plans" class:stale=move || stale.get()>
            {FIGURES.figure(app, toast, FigureId::Plans)}
            {legend::tables(app, plans)}
        </div>
        {status::status(app, plans)}
        {candidates}
    }
    .into_any()
}

fn headline(plans: PlansSearch) -> Option<Sentence> {
    if let ComputeState::Failed(_) = plans.compute.state.get() {
        return Some(Sentence::default().then(Tone::Bad, "The search failed."));
    }
    plans.said.get()?.headline.as_ref().map(Headline::sentence)
}
