//! The views. Each is loaded when first shown, except Explore, which is part of the first load.
//!
//! Views are reached only through this file: any other use of a view's function would pull that view into the first
//! load.

use super::shell::toast::Toast;
use super::{
    apart, benchmark, candidates, explain, explore, limits, papers, plans, service, turns,
};
use crate::listen::on_window;
use crate::pages::figure::catalog::FigureTable;
use crate::part::{NotLoaded, Part, PartLoader, now};
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink::{FigureId, View};
use wasm_bindgen::JsCast;
use web_sys::Element;

/// A request to a view.
#[derive(Clone, Copy)]
pub enum ViewRequest {
    /// Draw the view itself.
    View,
    /// Draw one of the view's figures.
    Figure(FigureId),
    /// Draw the view's group of controls in the scenario panel.
    Panel,
    /// Prepare the view in advance, because the user will probably open it.
    Ahead,
}

part!(below, below_part, load_below, of_below(app: App, toast: Toast, only: Option<FigureId>) -> AnyView);
part!(benchmark, benchmark_part, load_benchmark, of_benchmark(app: App, toast: Toast, only: Option<FigureId>) -> AnyView);
part!(candidates, candidates_part, load_candidates, of_candidates(app: App, toast: Toast, only: Option<FigureId>) -> AnyView);
part!(explain, explain_part, load_explain, of_explanation(app: App, toast: Toast, only: Option<FigureId>) -> AnyView);
part!(turns, turns_part, load_turns, of_turns(app: App, contest: turns::Judged) -> AnyView);
part!(limits, limits_part, load_limits, of_limits(app: App, toast: Toast, ask: ViewRequest) -> AnyView);
part!(plans, plans_part, load_plans, of_plans(app: App, toast: Toast, ask: ViewRequest) -> AnyView);
part!(service, service_part, load_service, of_service(app: App, toast: Toast, ask: ViewRequest) -> AnyView);
part!(apart, apart_part, load_apart, of_apart(app: App, toast: Toast, ask: ViewRequest) -> AnyView);
part!(papers, papers_part, load_papers, of_papers(app: App, toast: Toast, ask: ViewRequest) -> AnyView);

impl FigureTable {
    /// Draws the view itself or one of its figures.
    fn asked(
        &self,
        app: App,
        toast: Toast,
        ask: ViewRequest,
        view: impl Fn(App, Toast) -> AnyView,
    ) -> AnyView {
        match ask {
            ViewRequest::View => view(app, toast),
            ViewRequest::Figure(id) => self.figure(app, toast, id),
            ViewRequest::Panel | ViewRequest::Ahead => ().into_any(),
        }
    }
}

fn of_limits(app: App, toast: Toast, ask: ViewRequest) -> AnyView {
    limits::FIGURES.asked(app, toast, ask, limits::limits)
}

fn of_plans(app: App, toast: Toast, ask: ViewRequest) -> AnyView {
    let view = |app, toast| plans::plans(app, toast, compared(app, toast, None));
    plans::FIGURES.asked(app, toast, ask, view)
}

fn of_service(app: App, toast: Toast, ask: ViewRequest) -> AnyView {
    if let ViewRequest::Figure(FigureId::Candidates) = ask {
        return compared(app, toast, Some(FigureId::Candidates));
    }
    let view = |app, toast| service::service(app, toast, compared(app, toast, None));
    service::FIGURES.asked(app, toast, ask, view)
}

fn of_apart(app: App, toast: Toast, ask: ViewRequest) -> AnyView {
    match ask {
        ViewRequest::Panel => apart::panel_group(app),
        ask => apart::FIGURES.asked(app, toast, ask, apart::disaggregation),
    }
}

fn of_papers(app: App, toast: Toast, ask: ViewRequest) -> AnyView {
    match ask {
        ViewRequest::View => papers::papers(app, toast),
        ViewRequest::Figure(id) => papers::figure(app, toast, id),
        ViewRequest::Panel => ().into_any(),
        ViewRequest::Ahead => {
            papers::ahead(app);
            ().into_any()
        }
    }
}

fn of_explore(app: App, toast: Toast, ask: ViewRequest) -> AnyView {
    match ask {
        ViewRequest::View => view! {
            {measured(app, toast)}
            {explore::answer(app, toast, move || further(app, toast, None))}
        }
        .into_any(),
        ViewRequest::Figure(FigureId::Benchmark) => {
            benchmark(app, toast, Some(FigureId::Benchmark))
        }
        ViewRequest::Figure(FigureId::Explain) => account(app, toast, Some(FigureId::Explain)),
        ViewRequest::Figure(id) if explore::FIGURES.row(id).is_none() => {
            further(app, toast, Some(id))
        }
        ViewRequest::Figure(id) => explore::FIGURES.figure(app, toast, id),
        ViewRequest::Panel | ViewRequest::Ahead => ().into_any(),
    }
}

/// Draws the lower charts of Explore, or only one of them. These charts are a program part that loads after the first
/// load.
fn further(app: App, toast: Toast, only: Option<FigureId>) -> AnyView {
    let part = Part {
        name: "More charts",
        styles: &["levers", "below"],
        load: Some(|| Box::pin(load_below())),
    };
    part.shown(true, move || below_part(app, toast, only))
}

fn of_below(app: App, toast: Toast, only: Option<FigureId>) -> AnyView {
    match only {
        Some(id) => explore::below::FIGURES.figure(app, toast, id),
        None => explore::below::below(app, toast),
    }
}

/// Draws the section for the user's measurements while it is open or the scenario has measurements.
fn measured(app: App, toast: Toast) -> AnyView {
    let wanted = Memo::new(move |_| {
        let stated = app.current.with(|inputs| !inputs.measured.is_empty());
        stated || app.measuring.with(|measuring| measuring.open)
    });
    view! { {move || wanted.get().then(|| benchmark(app, toast, None))} }.into_any()
}

fn benchmark(app: App, toast: Toast, only: Option<FigureId>) -> AnyView {
    let part = Part {
        name: "The benchmark reader",
        styles: &["benchmark"],
        load: Some(|| Box::pin(load_benchmark())),
    };
    part.shown(true, move || benchmark_part(app, toast, only))
}

/// Draws the turning points between two alternatives below a headline. The code for turning points is loaded once
/// there are two alternatives.
pub fn turns(app: App, contest: turns::Judged) -> AnyView {
    let wanted = Memo::new(move |_| contest.is_some() || app.link.with(turns::has_two));
    let part = Part {
        name: "Turning points",
        styles: &[],
        load: Some(|| Box::pin(load_turns())),
    };
    view! {
        {move || wanted.get().then(|| part.shown(false, move || turns_part(app, contest)))}
    }
    .into_any()
}

fn of_turns(app: App, contest: turns::Judged) -> AnyView {
    turns::line(app, contest)
}

/// Draws the comparison of candidates, or only its figure. The Plans and Service views share this comparison.
fn compared(app: App, toast: Toast, only: Option<FigureId>) -> AnyView {
    let part = Part {
        name: "The comparison of candidates",
        styles: &["plans"],
        load: Some(|| Box::pin(load_candidates())),
    };
    part.shown(only.is_some(), move || candidates_part(app, toast, only))
}

fn of_candidates(app: App, toast: Toast, only: Option<FigureId>) -> AnyView {
    match only {
        Some(id) => candidates::FIGURES.figure(app, toast, id),
        None => candidates::section(app, toast),
    }
}

/// Draws the panel with the derivation of the number that the permalink opens; draws nothing if it opens none.
pub fn explanation(app: App, toast: Toast) -> AnyView {
    let opened = Memo::new(move |_| app.link.with(|link| link.shown.explain.is_some()));
    // The panel's code is loaded while the page is idle. Browsers without idle callbacks load the code when the pointer
    // is over a number that opens a derivation.
    let page = Owner::current();
    let ahead = move || {
        if let Some(page) = &page {
            page.with(|| ACCOUNT.prefetch(|| ()));
        }
    };
    request_idle_callback(ahead.clone());
    on_window("pointerover", move |event| {
        let target = event.target();
        let element = target.and_then(|target| target.dyn_into::<Element>().ok());
        let opens = element.and_then(|element| element.closest(OPENS).ok().flatten());
        if opens.is_some() {
            ahead();
        }
    });
    view! { {move || opened.get().then(|| account(app, toast, None))} }.into_any()
}

/// CSS selector of elements that open the derivation of a number.
const OPENS: &str = ".opens, .cell-opens";
const ACCOUNT: Part = Part {
    name: "The derivation of a number",
    styles: &["explain"],
    load: Some(|| Box::pin(load_explain())),
};

fn account(app: App, toast: Toast, only: Option<FigureId>) -> AnyView {
    ACCOUNT.shown(only.is_some(), move || explain_part(app, toast, only))
}

fn of_explanation(app: App, toast: Toast, only: Option<FigureId>) -> AnyView {
    match only {
        Some(id) => explain::FIGURES.figure(app, toast, id),
        None => explain::panel(app, toast),
    }
}

fn of_benchmark(app: App, toast: Toast, only: Option<FigureId>) -> AnyView {
    match only {
        Some(id) => benchmark::FIGURES.figure(app, toast, id),
        None => benchmark::section(app, toast),
    }
}

async fn make(app: App, toast: Toast, view: View, ask: ViewRequest) -> Result<AnyView, NotLoaded> {
    match view {
        View::Explore => Ok(of_explore(app, toast, ask)),
        View::Limits => limits_part(app, toast, ask).await,
        View::Plans => plans_part(app, toast, ask).await,
        View::Service => service_part(app, toast, ask).await,
        View::Disaggregation => apart_part(app, toast, ask).await,
        View::Papers => papers_part(app, toast, ask).await,
    }
}

fn part_of(view: View) -> Part {
    let (load, styles): (Option<PartLoader>, &[&str]) = match view {
        View::Explore => (None, &[]),
        View::Limits => (Some(|| Box::pin(load_limits())), &["limits"]),
        View::Plans => (Some(|| Box::pin(load_plans())), &["below", "plans"]),
        View::Service => (Some(|| Box::pin(load_service())), &["levers", "service"]),
        View::Disaggregation => (Some(|| Box::pin(load_apart())), &["apart"]),
        // Papers uses the table styles of Disaggregation.
        View::Papers => (Some(|| Box::pin(load_papers())), &["apart", "papers"]),
    };
    Part {
        name: view.name(),
        styles,
        load,
    }
}

/// Returns the view, figure or controls that `ask` requests. They appear once the view's program part has loaded.
pub fn of_view(app: App, toast: Toast, view: View, ask: ViewRequest) -> AnyView {
    let seen = matches!(ask, ViewRequest::View | ViewRequest::Figure(_));
    part_of(view).shown(seen, move || make(app, toast, view, ask))
}

/// Loads the program part of a view that the user will probably open, and lets the view prepare itself.
pub fn prefetch(app: App, toast: Toast, view: View) {
    part_of(view).prefetch(move || drop(now(make(app, toast, view, ViewRequest::Ahead))));
}
