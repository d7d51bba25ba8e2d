//! The Papers view: compares the model with published numbers and measured runs.

mod curves;
mod list;
pub mod measured;
mod tools;

use super::shell::toast::Toast;
use super::shell::words::sentence;
use crate::compute::Compute;
use crate::pages::figure::Made;
use crate::pages::figure::catalog::{FigureTable, drawn};
use crate::part::kept;
use crate::state::App;
use crate::state::address::now_ms;
use crate::state::lasting::Lasting;
use answer::chart::Chart;
use answer::charts::MeasuredData;
use answer::papers::measured::{MeasuredRow, Score, found, measured_rows, scores};
use answer::papers::{
    Book, CURVE_SHAPE, EvidenceRow, Sort, about, simulations, title, verdict, with_simulated,
};
use leptos::ev;
use leptos::prelude::*;
use model_core::permalink::{self, Evidence, FigureId, Listed, PaperCurve};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use worker::{Answer, Request};

/// Figures of the Papers view other than those reproduced from the papers.
pub static FIGURES: FigureTable = FigureTable(&[drawn(FigureId::Measured, measured::made)
    .shaped(MeasuredData::SHAPE)
    .filling(0.74)]);

/// Draws a figure of the Papers view by its identifier.
pub fn figure(app: App, toast: Toast, id: FigureId) -> AnyView {
    match id {
        FigureId::Curve(curve) => {
            let row = drawn(id, curve_made).shaped(CURVE_SHAPE);
            row.shown(app, toast, title(curve), curve_made(app, id))
        }
        id => FIGURES.figure(app, toast, id),
    }
}

/// State of the Papers view: evaluated rows, filters and figures. It is created when the view is first shown, and
/// cached for the life of the page.
#[derive(Clone, Copy)]
pub struct Papers {
    compute: Compute,
    book: StoredValue<Book, LocalStorage>,
    /// Small multiples as SVG, by figure id and color theme (true if dark).
    drawn: StoredValue<HashMap<(&'static str, bool), String>>,
    /// Table rows that compare published with computed numbers.
    rows: Lasting<Memo<Arc<Vec<EvidenceRow>>>>,
    /// Filters stated in the permalink.
    listed: Lasting<Memo<Listed>>,
    /// The enlarged figure, if any.
    figure: Lasting<Memo<Option<PaperCurve>>>,
    /// The figure named in the URL fragment; it applies until the user chooses another figure.
    asked: Lasting<RwSignal<Option<PaperCurve>>>,
    /// The search text.
    words: Lasting<RwSignal<String>>,
    sort: Lasting<RwSignal<Option<Sort>>>,
    /// The measured runs, evaluated with the scenario's calibration.
    runs: Lasting<Memo<Arc<Vec<MeasuredRow>>>>,
    /// The runs selected by the search, used by the chart, the table of systems and the verdict.
    measured: Lasting<Memo<Arc<Vec<MeasuredRow>>>>,
    /// Error of each calibration over the runs that count toward the accuracy score.
    scores: Lasting<Memo<Vec<Score>>>,
}

impl Papers {
    /// Creates the state of the Papers view; nothing is evaluated until the view needs it.
    pub fn new(app: App) -> Self {
        let compute = Compute::new();
        let book = StoredValue::new_local(Book::default());
        let evaluated = Memo::new(move |_| Arc::new(book.with_value(Book::rows)));
        let rows = Lasting::memo(move |_| {
            let evaluated = evaluated.get();
            let outcome = compute.outcome.get();
            match outcome.as_ref().map(|outcome| &outcome.answer) {
                Some(Answer::Quantity(found)) => Arc::new(with_simulated(&evaluated, found)),
                _ => evaluated,
            }
        });
        let listed = Lasting::memo(move |_| app.link.with(|link| link.shown.listed));
        let asked = Lasting::signal(curves::asked());
        let words = Lasting::signal(String::new());
        let calibration = Memo::new(move |_| app.current.with(|inputs| inputs.calibration));
        let runs = Lasting::memo(move |_| Arc::new(measured_rows(calibration.get().id())));
        Self {
            compute,
            book,
            drawn: StoredValue::default(),
            rows,
            listed,
            figure: Lasting::memo(move |_| listed.with(|listed| listed.figure).or(asked.get())),
            asked,
            words,
            sort: Lasting::signal(None),
            runs,
            measured: Lasting::memo(move |_| Arc::new(found(&runs.get(), &words.read()))),
            scores: Lasting::memo(|_| scores()),
        }
    }

    fn curve(self, id: PaperCurve) -> Option<Arc<Chart>> {
        self.book.with_value(|book| book.curve(id))
    }

    /// Returns a paper's figure as a small multiple, drawn on first use.
    fn drawn(self, app: App, id: PaperCurve) -> Option<String> {
        let key = (id.id(), app.dark.get());
        let known = self.drawn.with_value(|drawn| drawn.get(&key).cloned());
        known.or_else(|| {
            let drawn = curves::draw(&*self.curve(id)?, app.theme());
            self.drawn.update_value(|all| {
                all.insert(key, drawn.clone());
            });
            Some(drawn)
        })
    }

    /// Returns true if the initially shown figures are already drawn.
    fn prepared(self, app: App) -> bool {
        let dark = app.dark.get_untracked();
        self.drawn.with_value(|drawn| {
            let has = |id: PaperCurve| drawn.contains_key(&(id.id(), dark));
            curves::first().all(has)
        })
    }

    /// Changes the filters as one undo step.
    fn list(self, app: App, edit: impl FnOnce(&mut Listed)) {
        app.change(|link| edit(&mut link.shown.listed));
    }

    /// Enlarges a figure; `None` closes the enlarged figure.
    fn enlarge(self, app: App, figure: Option<PaperCurve>) {
        self.asked.set(None);
        self.words.set(String::new());
        self.list(app, |listed| listed.figure = figure);
    }

    /// Evaluates all rows, then draws the initially shown figures, in slices between frames, before the user opens
    /// the view.
    fn ahead(self, app: App) {
        let begun = now_ms();
        let done = self.book.try_with_value(|book| {
            let rest = || now_ms() - begun > SLICE_MS;
            book.advance(rest)
                && curves::first().all(|id| {
                    untrack(|| self.drawn(app, id));
                    !rest()
                })
        });
        if done == Some(false) {
            set_timeout(move || self.ahead(app), Duration::ZERO);
        }
    }
}

/// Max length, in ms, of one time slice of [`Papers::ahead`].
const SLICE_MS: f64 = 6.0;

/// Prepares the Papers view in advance, because the user will probably open it.
pub fn ahead(app: App) {
    papers_of_page(app).ahead(app);
}

fn papers_of_page(app: App) -> Papers {
    kept(|| Papers::new(app))
}

/// Draws the Papers view.
pub fn papers(app: App, toast: Toast) -> AnyView {
    let half = Memo::new(move |_| app.link.with(|link| link.shown.listed.evidence));
    view! {
        {move || match half.get() {
            Evidence::Published => published(app, toast),
            Evidence::Measured => measured::measured(app, toast),
        }}
    }
    .into_any()
}

/// Returns the data of a paper's figure, which does not depend on the scenario.
fn curve_made(app: App, id: FigureId) -> Made {
    let page = papers_of_page(app);
    let data = match id {
        FigureId::Curve(curve) => page.curve(curve),
        _ => None,
    };
    Made::of(move || data.clone())
}

fn published(app: App, toast: Toast) -> AnyView {
    let page = papers_of_page(app);
    // Simulations take about a second, so they are requested once and run in the background.
    Effect::new(move |_| page.compute.run(Request::Quantity(simulations())));
    // Show the rows first; curves that are not drawn yet follow in the next frame.
    let curves = RwSignal::new(page.prepared(app));
    request_animation_frame(move || {
        let _ = curves.try_set(true);
    });
    view! {
        <div class="headline">
            <h1 aria-live="polite" aria-atomic="true">
                {move || match page.figure.get().and_then(about) {
                    Some(about) => about.claim.into_any(),
                    None => page.rows.with(|rows| sentence(&verdict(rows))),
                }}
            </h1>
            {move || page.figure.get().and_then(|figure| Some((title(figure), about(figure)?.outcome))).map(|(title, outcome)| view! {
                <p class="headline-facts">{title} ". " {outcome}</p>
            })}
        </div>
        {tools::tools(app, page)}
        {move || curves.get().then(|| curves::strip(app, toast, page))}
        {list::list(app, page, Memo::new(move |_| page.rows.get()))}
        {list::errata()}
    }
    .into_any()
}

/// Draws a link to a row's scenario; a plain click opens the scenario in this page.
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
            link.search = wanted.search.clone();
        });
        window().scroll_to_with_x_and_y(0.0, 0.0);
    };
    view! { <a class="papers-open" href=href on:click=follow>"open"</a> }.into_any()
}
