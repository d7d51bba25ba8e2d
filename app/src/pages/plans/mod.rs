//! The Plans view: the best plans, the visitor's own GPUs first.

mod bar;
pub mod instances;
mod legend;
mod status;
mod switches;

use super::figure::{Chart, Made, plot::plot};
use super::hero::hero;
use super::shell::rest::undragged;
use super::shell::toast::Toast;
use crate::answer::headline::Headline;
use crate::answer::plans::{Look, PlansAnswer, Searched, asked, asks_for_replicas, lay_out, leads};
use crate::answer::{Sentence, Tone};
use crate::charts::{AnyFigure, InstancesData, PlansData};
use crate::compute::{Compute, ComputeState};
use crate::pages::figure::catalog::{FigureRow, FigureTable, plain};
use crate::part::kept;
use crate::state::App;
use crate::state::lasting::Lasting;
use leptos::prelude::*;
use model_core::inputs::Inputs;
use model_core::permalink::{FigureId, View};
use std::sync::Arc;
use worker::{Answer, Request};

/// Which plan is best.
pub static FIGURES: FigureTable = FigureTable(&[
    FigureRow {
        body,
        ..plain::<PlansData>(FigureId::Plans, made).growing(0.62)
    },
    FigureRow {
        body: instances::body,
        ..plain::<InstancesData>(FigureId::Instances, instances::made).growing(0.4)
    },
]);

/// The search and what it has found; it lives as long as the page, so that coming back to the view
/// finds it as it was.
#[derive(Clone, Copy)]
pub struct PlansSearch {
    /// The computation.
    pub compute: Compute,
    /// The search that the link asks for now.
    pub asked: Lasting<Memo<String>>,
    /// The newest search, be it of an earlier link.
    pub searched: Lasting<Memo<Option<Arc<Searched>>>>,
    /// Headline, tables and chart of it.
    pub said: Lasting<Memo<Option<Arc<PlansAnswer>>>>,
    /// The chart with the lines that the reader lights and hides.
    pub data: Lasting<Memo<Option<Arc<PlansData>>>>,
    /// Names of lines that a click has hidden.
    pub hidden: Lasting<RwSignal<Vec<String>>>,
    /// The line that is pointed at in the legend.
    pub lit: Lasting<RwSignal<Option<usize>>>,
    /// A search was cancelled because the reader left the view.
    left: StoredValue<bool>,
}

impl PlansSearch {
    /// A search at rest until a view follows the link.
    pub fn new(app: App) -> Self {
        let compute = Compute::new();
        let asked = Lasting::memo(move |_| app.link.with(asked));
        let searched: Lasting<Memo<_>> = ArcMemo::new_with_compare(
            move |earlier: Option<&Option<Arc<Searched>>>| {
                let outcome = compute.outcome.get()?;
                let (Request::Search { link: text }, Answer::Search(answer)) =
                    (&outcome.request, &outcome.answer)
                else {
                    return None;
                };
                // Answers of one search share their candidates.
                let same = earlier
                    .and_then(Option::as_ref)
                    .filter(|earlier| earlier.text == *text);
                let (link, candidates) = match same {
                    Some(earlier) => (earlier.link.clone(), Arc::clone(&earlier.candidates)),
                    None => {
                        let (link, candidates) = lay_out(text);
                        (link, Arc::new(candidates))
                    }
                };
                let searched = Searched::new(text, link, candidates, answer.clone(), outcome.stage);
                Some(Arc::new(searched))
            },
            |one, other| !same_arc(one, other),
        )
        .into();
        // During a drag the results before it are shown with their own scenario.
        let look = Memo::new(move |earlier: Option<&Look>| {
            let now = app.link.with(Look::of);
            let found = searched.with(|searched| {
                let searched = searched.as_ref()?;
                Some(asked.with(|asked| searched.text == *asked))
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
            let mut data = said.with(|said| Some((*said.as_ref()?.chart).clone()))?;
            hidden.with(|hidden| {
                for line in &mut data.lines {
                    line.hidden = hidden.contains(&line.name);
                }
            });
            data.finding = leads::finding(&data);
            data.lit = lit.get();
            Some(Arc::new(data))
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

    /// Follows the link with searches, as long as the calling view lives. Leaving the view cancels a search, which
    /// starts again on return.
    fn follow(self, app: App) {
        let compute = self.compute;
        let asked = undragged(app, self.asked);
        Effect::new(move |_| {
            let request = Request::Search { link: asked.get() };
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

    /// The inputs that a hit of the chart opens.
    fn inputs(self, hit: usize) -> Option<Inputs> {
        let place = self.data.with_untracked(|data| data.as_ref()?.place(hit));
        let (line, point) = place?;
        self.said.with_untracked(|said| {
            let plan = said.as_ref()?.plans.get(line)?.get(point)?;
            Some(plan.inputs)
        })
    }

    /// Hides a line, or shows it again.
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

/// The page's search.
fn plans_of_page(app: App) -> PlansSearch {
    kept(|| PlansSearch::new(app))
}

/// Opens a hit in Explore, as one entry of the history; the search stays in the link.
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

/// The frontiers; a click on a plan opens it, except in an embedded figure.
pub fn made(app: App, _: FigureId) -> Made {
    let plans = plans_of_page(app);
    plans.follow(app);
    let made = Made::of(move || plans.data.with(|data| data.as_ref().map(AnyFigure::of)));
    if app.link.with_untracked(|link| link.shown.embed.is_some()) {
        return made;
    }
    made.acting(" opens it in Explore.", move |hit| open(app, plans, hit))
}

/// The chart under its switches.
pub fn body(app: App, chart: Chart) -> AnyView {
    view! {
        {switches::switches(app, plans_of_page(app))}
        {switches::measured(app, plot(app, chart))}
    }
    .into_any()
}

/// The view.
pub fn plans(app: App, toast: Toast) -> AnyView {
    let plans = plans_of_page(app);
    // The chart of an earlier search fades until the new one is there.
    let stale = Memo::new(move |_| {
        let searched = plans.searched.with(|searched| {
            let searched = searched.as_ref()?;
            Some(searched.text.clone())
        });
        searched.is_some_and(|text| text != plans.asked.get())
    });
    let replicas = Memo::new(move |_| app.link.with(asks_for_replicas));
    view! {
        {hero(app, Signal::derive(move || headline(plans)))}
        {bar::bar(app)}
        <div class="plans" class:stale=move || stale.get()>
            {FIGURES.figure(app, toast, FigureId::Plans)}
            {legend::tables(app, plans)}
            {move || replicas.get().then(|| FIGURES.figure(app, toast, FigureId::Instances))}
        </div>
        {status::status(app, plans)}
    }
    .into_any()
}

fn headline(plans: PlansSearch) -> Option<Sentence> {
    if let ComputeState::Failed(_) = plans.compute.state.get() {
        return Some(Sentence::default().then(Tone::Bad, "The search broke off."));
    }
    plans.said.get()?.headline.as_ref().map(Headline::sentence)
}
