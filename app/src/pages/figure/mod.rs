//! A chart in a view: its question, its finding (the sentence under the question), its tools, and the picture or its
//! table.

pub mod catalog;
pub mod export;
pub mod live;
pub mod plot;
mod table;
pub mod tools;
pub mod tooltip;

use super::shell::toast::Toast;
use crate::state::App;
use answer::chart::{self, Shape};
use leptos::prelude::*;
use model_core::permalink::FigureId;
use std::sync::Arc;

/// Data of a figure, and the action of its hit areas (click targets). Created by `make` in the figure catalog.
pub struct Made {
    data: Memo<Option<Arc<chart::Chart>>>,
    act: Option<Act>,
}

impl Made {
    /// Creates a figure from reactive data; `data` returns `None` if there is no chart. Data equal to the previous
    /// data are not redrawn.
    pub fn of(data: impl Fn() -> Option<Arc<chart::Chart>> + Send + Sync + 'static) -> Self {
        Self {
            data: Memo::new(move |_| data()),
            act: None,
        }
    }

    /// Adds an action, which a click or Enter on a hit area runs. Without an action, a click or Enter pins the
    /// tooltip.
    #[must_use]
    pub fn acting(self, says: &'static str, run: impl Fn(usize) + Send + Sync + 'static) -> Self {
        self.acting_on(says, |_| true, run)
    }

    /// Like [`Self::acting`], but only for the hit areas for which `on` returns true.
    #[must_use]
    pub fn acting_on(
        self,
        says: &'static str,
        on: impl Fn(usize) -> bool + Send + Sync + 'static,
        run: impl Fn(usize) + Send + Sync + 'static,
    ) -> Self {
        let (on, run) = (Callback::new(on), Callback::new(run));
        Self {
            act: Some(Act { says, on, run }),
            ..self
        }
    }
}

/// A chart on the page.
#[derive(Clone, Copy)]
pub struct Chart {
    /// Identifier of the chart in permalinks.
    pub id: FigureId,
    /// Question that the chart answers.
    pub question: &'static str,
    /// Height of the chart as a function of its width.
    pub shape: Shape,
    /// Max height of the chart, as a share of the height of a tall screen.
    pub of_screen: f64,
    /// True if the chart's height is the share `of_screen` of the screen height. Exceptions: its usual height is
    /// larger, or the charts are stacked.
    pub fills: bool,
    /// The chart's data; `None` if there are none.
    pub data: Memo<Option<Arc<chart::Chart>>>,
    /// Action of a click or Enter on a hit area (click target) of the chart.
    pub act: Option<Act>,
}

/// Action of a click or Enter on a hit area (click target) of a chart.
#[derive(Clone, Copy)]
pub struct Act {
    /// Sentence end shown at the bottom of the tooltip after "Click" or "Tap", for example " opens it in Explore.".
    pub says: &'static str,
    /// Tests whether the hit area (click target) with this index has the action.
    pub on: Callback<usize, bool>,
    /// Runs the action with the index of the hit area (click target).
    pub run: Callback<usize>,
}

/// Leptos context that sets the max height of a view's growing charts, as a share of the height of a tall screen.
#[derive(Clone, Copy)]
pub struct Tall(pub f64);

impl Chart {
    /// Returns the action of a hit area (click target), if it has one.
    pub fn act_on(self, hit: usize) -> Option<Act> {
        self.act.filter(|act| act.on.run(hit))
    }

    /// Returns the result of `look`, which reads the chart's data; `None` if there are no data.
    pub fn of<T>(self, look: impl FnOnce(&chart::Chart) -> T) -> Option<T> {
        self.data.with(|data| data.as_deref().map(look))
    }

    /// Like [`Self::of`], but without reactive tracking.
    pub fn of_untracked<T>(self, look: impl FnOnce(&chart::Chart) -> T) -> Option<T> {
        self.data.with_untracked(|data| data.as_deref().map(look))
    }
}

impl catalog::FigureTable {
    /// Draws the view's figures with these identifiers side by side.
    pub fn figures(&self, app: App, toast: Toast, ids: &[FigureId]) -> AnyView {
        ids.iter()
            .map(|id| self.figure(app, toast, *id))
            .collect_view()
            .into_any()
    }

    /// Draws a figure of the view with its title, tools and controls.
    pub fn figure(&self, app: App, toast: Toast, id: FigureId) -> AnyView {
        let Some(row) = self.row(id) else {
            return ().into_any();
        };
        row.shown(app, toast, id.question(), (row.make)(app, id))
    }
}

impl catalog::FigureRow {
    /// Draws the figure with its title, tools and controls.
    pub fn shown(&self, app: App, toast: Toast, question: &'static str, made: Made) -> AnyView {
        let Made { data, act } = made;
        let row = self;
        let tall = use_context::<Tall>().filter(|_| row.of_screen > 0.0);
        let chart = Chart {
            id: row.id,
            question,
            shape: row.shape,
            of_screen: tall.map_or(row.of_screen, |Tall(share)| share),
            fills: row.fills,
            data,
            act,
        };
        let panel = panel(app, toast, chart, (row.body)(app, chart));
        match row.beside {
            Some(beside) => beside(app, panel),
            None => panel,
        }
    }
}

/// Draws a chart's question, finding (the sentence under the question) and tools, above either the chart or its
/// table.
fn panel(app: App, toast: Toast, chart: Chart, body: AnyView) -> AnyView {
    let id = chart.id.id();
    let finding = Memo::new(move |_| chart.of(|data| data.finding.clone()).unwrap_or_default());
    let as_table = RwSignal::new(false);
    view! {
        <section class=format!("chart chart-{id}") id=id aria-labelledby=format!("{id}-title")>
            <div class="chart-head">
                <h2 id=format!("{id}-title")>
                    <span class="chart-question">{chart.question}</span>
                    " "
                    <span class="chart-finding" title=move || finding.get()>{move || finding.get()}</span>
                </h2>
                {tools::tools(app, toast, chart, as_table)}
            </div>
            <div class="chart-body" class:tabular=move || as_table.get()>
                {body}
                {move || {
                    as_table
                        .get()
                        .then(|| chart.of(|data| table::table(chart.question, &data.table())))
                        .flatten()
                }}
            </div>
        </section>
    }
    .into_any()
}
