//! The Papers view: what papers print and systems measured, beside what the model computes.

mod curves;
mod list;
pub mod measured;
mod panel;

use super::part::kept;
use super::shell::toast::Toast;
use super::shell::words::sentence;
use crate::answer::papers::measured::{MeasuredRow, Only, Runs, Score, measured_rows, scores};
use crate::answer::papers::{Order, Row, Which, curve, rows, simulations, verdict, with_simulated};
use crate::compute::Compute;
use crate::pages::figure::{AnyFigure, Made};
use crate::state::App;
use leptos::ev;
use leptos::prelude::*;
use model_core::permalink::{self, Curve, Evidence};
use std::sync::Arc;
use worker::{Answer, Request};

pub use panel::panel;

/// What the view has evaluated and how it is listed; it lives as long as the page, evaluated when first shown.
#[derive(Clone, Copy)]
pub struct Papers {
    compute: Compute,
    /// The published rows.
    rows: Memo<Arc<Vec<Row>>>,
    /// Which of them are listed.
    which: RwSignal<Which>,
    /// In which order.
    order: RwSignal<Order>,
    /// The figure that is enlarged.
    figure: RwSignal<Option<Curve>>,
    /// Whether every figure is listed.
    all_figures: RwSignal<bool>,
    /// Which measured runs are shown.
    runs: RwSignal<Runs>,
    /// Which accelerator's and system's.
    only: RwSignal<Only>,
    /// The measured runs of that kind under the scenario's calibration, of every accelerator and system.
    every: Memo<Arc<Vec<MeasuredRow>>>,
    /// Those that are shown.
    measured: Memo<Arc<Vec<MeasuredRow>>>,
    /// Every calibration over them.
    scores: Memo<Vec<Score>>,
}

impl Papers {
    /// Nothing is evaluated before the view asks for it.
    pub fn new(app: App) -> Self {
        let compute = Compute::new();
        let evaluated = Memo::new(|_| Arc::new(rows()));
        let rows = Memo::new(move |_| {
            let evaluated = evaluated.get();
            let outcome = compute.outcome.get();
            match outcome.as_ref().map(|outcome| &outcome.answer) {
                Some(Answer::Quantity(found)) => Arc::new(with_simulated(&evaluated, &found.0)),
                _ => evaluated,
            }
        });
        let calibration = Memo::new(move |_| app.current.with(|inputs| inputs.calibration));
        let runs = RwSignal::new(Runs::default());
        let all = Memo::new(move |_| Arc::new(measured_rows(calibration.get().id())));
        let only = RwSignal::new(Only::default());
        let every = Memo::new(move |_| {
            let runs = runs.get();
            let all = all.get();
            let held = all.iter().filter(|row| runs.hold(row.row));
            Arc::new(held.cloned().collect::<Vec<_>>())
        });
        let measured = Memo::new(move |_| {
            let (every, only) = (every.get(), only.get());
            let held = every.iter().filter(|row| only.holds(row));
            Arc::new(held.cloned().collect())
        });
        Self {
            compute,
            rows,
            which: RwSignal::new(Which::default()),
            order: RwSignal::new(Order::default()),
            figure: RwSignal::new(curves::asked()),
            all_figures: RwSignal::new(false),
            runs,
            only,
            every,
            measured,
            scores: Memo::new(move |_| scores(runs.get())),
        }
    }
}

/// The page's evidence.
fn papers_of_page(app: App) -> Papers {
    kept(|| Papers::new(app))
}

/// The view.
pub fn papers(app: App, toast: Toast) -> AnyView {
    let half = Memo::new(move |_| app.link.with(|link| link.shown.evidence));
    view! {
        {move || match half.get() {
            Evidence::Published => published(app, toast),
            Evidence::Measured => measured::measured(app, toast),
        }}
    }
    .into_any()
}

/// A figure of a paper; nothing of the scenario changes it.
pub fn curve_made(id: Curve) -> Made {
    let data = curve(id).map(Arc::new);
    Made::of(move || data.as_ref().map(AnyFigure::of))
}

fn published(app: App, toast: Toast) -> AnyView {
    let page = papers_of_page(app);
    // Simulations take a second: beside the page, asked for once.
    Effect::new(move |_| {
        page.compute.run(Request::Quantity {
            link: simulations(),
        })
    });
    // The rows first: curves are drawn in the frame after.
    let shown = RwSignal::new(false);
    request_animation_frame(move || {
        let _ = shown.try_set(true);
    });
    view! {
        <div class="verdict">
            <h1 aria-live="polite" aria-atomic="true">
                {move || page.rows.with(|rows| sentence(&verdict(rows)))}
            </h1>
        </div>
        <div class="papers-filters">{panel::folded(app)}</div>
        {move || shown.get().then(|| curves::strip(app, toast, page))}
        {list::list(app, page)}
        {list::errata()}
    }
    .into_any()
}

/// A link to a row's scenario, which opens in this page.
fn open(app: App, text: String) -> AnyView {
    let href = format!("?{text}");
    let follow = move |event: ev::MouseEvent| {
        let elsewhere = event.ctrl_key() || event.meta_key() || event.shift_key();
        if elsewhere {
            return;
        }
        event.prevent_default();
        let wanted = permalink::read(&text);
        app.notes.set(Vec::new());
        app.change(|link| {
            link.current = wanted.current;
            link.pinned = wanted.pinned;
            link.shown.view = wanted.shown.view;
        });
        window().scroll_to_with_x_and_y(0.0, 0.0);
    };
    view! { <a class="papers-open" href=href on:click=follow>"open"</a> }.into_any()
}
