//! One chart of a view: a question, its finding, its tools, and the picture or its table.

use super::chart_tools::chart_tools;
use super::plot::plot;
use super::toast::Toast;
use crate::answer::Answer;
use crate::charts::{Figure, LatencyData, MemoryData, ParetoData, RooflineData, Table};
use crate::format;
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink;

/// Where a chart's data is in an answer.
pub type Select<F> = fn(&Answer) -> &F;

/// A chart of the Explore view.
pub struct Chart<F: 'static> {
    /// Its identifier in links.
    pub figure: permalink::Figure,
    /// What it answers.
    pub question: &'static str,
    /// Its data.
    pub select: Select<F>,
}

impl<F> Clone for Chart<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Chart<F> {}

/// "Compute or memory?"
pub const ROOFLINE: Chart<RooflineData> = Chart {
    figure: permalink::Figure::Roofline,
    question: "Compute or memory?",
    select: |answer| &answer.roofline,
};

/// "Where does a step go?"
pub const LATENCY: Chart<LatencyData> = Chart {
    figure: permalink::Figure::Breakdown,
    question: "Where does a step go?",
    select: |answer| &answer.latency,
};

/// "Is the batch right?"
pub const PARETO: Chart<ParetoData> = Chart {
    figure: permalink::Figure::Pareto,
    question: "Is the batch right?",
    select: |answer| &answer.pareto,
};

/// "Does it fit?"
pub const MEMORY: Chart<MemoryData> = Chart {
    figure: permalink::Figure::Memory,
    question: "Does it fit?",
    select: |answer| &answer.memory,
};

impl<F: Figure> Chart<F> {
    /// Something of the data, `None` while there is none.
    pub fn of<T>(self, app: App, look: impl FnOnce(&F) -> T) -> Option<T> {
        app.answer
            .with(|answer| answer.as_ref().map(|answer| look((self.select)(answer))))
    }

    /// The same without following later changes.
    pub fn of_untracked<T>(self, app: App, look: impl FnOnce(&F) -> T) -> Option<T> {
        app.answer
            .with_untracked(|answer| answer.as_ref().map(|answer| look((self.select)(answer))))
    }
}

/// The chart with everything around it.
pub fn chart<F: Figure + Send + Sync + 'static>(
    app: App,
    toast: Toast,
    chart: Chart<F>,
) -> AnyView {
    let id = chart.figure.id();
    let finding = Memo::new(move |_| chart.of(app, Figure::finding).unwrap_or_default());
    let as_table = RwSignal::new(false);
    view! {
        <section class=format!("chart chart-{id}") id=id aria-labelledby=format!("{id}-title")>
            <div class="chart-head">
                <h2 id=format!("{id}-title")>
                    <span class="chart-question">{chart.question}</span>
                    " "
                    <span class="chart-finding" title=move || finding.get()>{move || finding.get()}</span>
                </h2>
                {chart_tools(app, toast, chart, as_table)}
            </div>
            <div class="chart-body" class:tabular=move || as_table.get()>
                {plot(app, chart)}
                {(chart.figure == permalink::Figure::Memory).then(|| memory_rows(app))}
                {move || {
                    as_table
                        .get()
                        .then(|| chart.of(app, |data| table(chart.question, &data.table())))
                        .flatten()
                }}
            </div>
        </section>
    }
    .into_any()
}

/// A chart's numbers as a table.
pub fn table(caption: &'static str, table: &Table) -> AnyView {
    let numeric = |column: usize| {
        table
            .rows
            .iter()
            .any(|row| matches!(row.get(column), Some(crate::charts::Cell::Number(_))))
    };
    let headings = table
        .columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            view! { <th scope="col" class:numeric=numeric(index)>{column.heading()}</th> }
        })
        .collect_view();
    let rows = table
        .rows
        .iter()
        .map(|row| {
            let cells = row
                .iter()
                .enumerate()
                .map(|(index, cell)| {
                    let text = cell.shown();
                    if index == 0 {
                        view! { <th scope="row" class:numeric=numeric(0)>{text}</th> }.into_any()
                    } else {
                        view! { <td class:numeric=numeric(index)>{text}</td> }.into_any()
                    }
                })
                .collect_view();
            view! { <tr>{cells}</tr> }
        })
        .collect_view();
    view! {
        <div class="chart-table" tabindex="0" role="region" aria-label=format!("{caption} As table")>
            <table>
                <caption class="hidden">{caption}</caption>
                <thead>
                    <tr>{headings}</tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// What the memory holds, part by part, under its bar.
fn memory_rows(app: App) -> AnyView {
    let parts = Memo::new(move |_| {
        MEMORY
            .of(app, |memory| memory.parts.clone())
            .unwrap_or_default()
    });
    view! {
        <ul class="memory-rows">
            {move || {
                parts
                    .get()
                    .into_iter()
                    .map(|part| {
                        let swatch = format!("background: var(--{}-fill)", part.role.name());
                        view! {
                            <li>
                                <span class="swatch" style=swatch></span>
                                <span class="memory-name">{part.name}</span>
                                <span class="memory-size">{format::gib(part.bytes).value}</span>
                                <span class="memory-note" title=part.note.clone()>{part.note.clone()}</span>
                            </li>
                        }
                    })
                    .collect_view()
            }}
        </ul>
    }
    .into_any()
}
