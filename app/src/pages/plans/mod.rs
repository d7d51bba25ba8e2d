//! The Plans view: which plan is best.

mod awards;
pub mod instances;
mod space;
mod status;
mod table;

use super::figure::catalog::PLANS;
use super::figure::{AnyFigure, Made};
use super::part::kept;
use super::shell::toast::Toast;
use super::shell::words::sentence;
use crate::answer::plans::{PlansAnswer, Searched, asked, lay_out};
use crate::charts::PlansData;
use crate::compute::{Compute, State};
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink::{self, View};
use model_core::scenario::Inputs;
use std::sync::Arc;
use worker::{Answer, Request};

/// The search and what it has found; it lives as long as the page, so that coming back to the view
/// finds it as it was.
#[derive(Clone, Copy)]
pub struct Plans {
    /// The computation.
    pub compute: Compute,
    /// What is asked by the link now.
    pub asked: Memo<String>,
    /// What there is, be it of an earlier link.
    pub searched: Memo<Option<Arc<Searched>>>,
    /// What is said about it.
    pub said: Memo<Option<Arc<PlansAnswer>>>,
    /// The chart.
    pub data: Memo<Option<Arc<PlansData>>>,
    /// Whether a search was broken off because the reader went elsewhere.
    left: StoredValue<bool>,
}

impl Plans {
    /// Nothing is searched before a view asks for it.
    pub fn new(app: App) -> Self {
        let compute = Compute::new();
        let asked = Memo::new(move |_| app.link.with(asked));
        let searched = Memo::new_with_compare(
            move |earlier: Option<&Option<Arc<Searched>>>| {
                let outcome = compute.outcome.get()?;
                let (Request::Search { link: text }, Answer::Search(answer)) =
                    (&outcome.request, &outcome.answer)
                else {
                    return None;
                };
                // Answers of one search share what there is to find.
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
        );
        let said = Memo::new(move |_| {
            let searched = searched.get()?;
            Some(Arc::new(app.current.with(|now| searched.say(now))))
        });
        let data = Memo::new_with_compare(
            move |_| {
                let searched = searched.get()?;
                Some(Arc::new(app.current.with(|now| searched.chart(now))))
            },
            |one, other| !same_arc(one, other),
        );
        Self {
            compute,
            asked,
            searched,
            said,
            data,
            left: StoredValue::new(false),
        }
    }

    /// Searches whatever the link asks, as long as the view that calls this is there. A search that
    /// its reader leaves stops, and begins again when they are back.
    fn follow(self) {
        let compute = self.compute;
        Effect::new(move |_| {
            let request = Request::Search {
                link: self.asked.get(),
            };
            if self.left.try_update_value(std::mem::take) == Some(true) {
                compute.run_again(request);
            } else {
                compute.run(request);
            }
        });
        on_cleanup(move || {
            if compute.state.try_get_untracked() == Some(State::Running) {
                self.left.set_value(true);
                compute.cancel();
            }
        });
    }

    /// What a candidate is when it is opened by itself.
    fn inputs(self, index: usize) -> Option<Inputs> {
        self.searched
            .with_untracked(|searched| searched.as_ref()?.opened(index))
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
fn plans_of_page(app: App) -> Plans {
    kept(|| Plans::new(app))
}

/// Opens a candidate in Explore, as one entry of the history; the search stays in the link.
fn open(app: App, plans: Plans, index: usize) {
    if let Some(inputs) = plans.inputs(index) {
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

/// The frontiers, searched wherever they are shown; a click on a plan opens it, but not out of other people's pages.
pub fn made(app: App) -> Made {
    let plans = plans_of_page(app);
    plans.follow();
    let made = Made::of(move || plans.data.with(|data| data.as_ref().map(AnyFigure::of)));
    if app.link.with_untracked(|link| link.shown.embed.is_some()) {
        return made;
    }
    made.acting(" opens it in Explore.", move |hit| {
        let index = plans
            .searched
            .with_untracked(|searched| searched.as_ref()?.candidate(hit));
        if let Some(index) = index {
            open(app, plans, index);
        }
    })
}

/// The view.
pub fn plans(app: App, toast: Toast) -> AnyView {
    let plans = plans_of_page(app);
    let found = Memo::new(move |_| {
        plans
            .said
            .with(|said| said.as_ref().is_some_and(|said| said.trouble.is_none()))
    });
    view! {
        <div class="verdict plans-verdict">
            <h1 aria-live="polite" aria-atomic="true">{move || headline(plans)}</h1>
            // An em space, which a line may end with but never begin with.
            "\u{2003}"
            {move || ways_out(app, plans)}
            {move || best_of_own(app, plans)}
        </div>
        {status::status(plans)}
        {space::space(app, plans)}
        <div class="plans" class:stale=move || !found.get()>
            {PLANS.figure(app, toast, permalink::Figure::Plans)}
            {awards::awards(app, plans)}
        </div>
        {table::table(app, toast, plans)}
        {PLANS.figure(app, toast, permalink::Figure::Instances)}
    }
    .into_any()
}

fn headline(plans: Plans) -> AnyView {
    if let State::Failed(_) = plans.compute.state.get() {
        return view! { <b class="tone-bad">"The search broke off."</b> " What it had found is below." }
            .into_any();
    }
    match plans.said.get() {
        Some(said) => sentence(&said.verdict),
        None => view! { "Searching …" }.into_any(),
    }
}

/// The best on one's own GPUs, opened.
fn best_of_own(app: App, plans: Plans) -> Option<AnyView> {
    let own = plans.said.get()?.own.clone().filter(|own| !own.is_now)?;
    let inputs = own.inputs;
    Some(
        view! {
            <p class="verdict-repairs">
                <button type="button" class="act" on:click=move |_| open_inputs(app, inputs)>"Open"</button>
            </p>
        }
        .into_any(),
    )
}

/// One-click ways out of a search that finds nothing.
fn ways_out(app: App, plans: Plans) -> Option<AnyView> {
    let said = plans.said.get()?;
    let ways = said.trouble.as_ref()?.ways.clone();
    let buttons = ways
        .into_iter()
        .map(|way| {
            let label = way.label.clone();
            view! {
                <button type="button" class="act" on:click=move |_| app.change(|link| way.edit.make(link))>
                    {label}
                </button>
            }
        })
        .collect_view();
    Some(view! { <p class="verdict-repairs">{buttons}</p> }.into_any())
}
