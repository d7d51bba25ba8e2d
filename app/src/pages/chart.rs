//! One chart of a view: a question, its finding, its tools, and the picture or its table.

use super::chart_tools::chart_tools;
use super::plot::plot;
use super::toast::Toast;
use crate::answer::{Answer, opened};
use crate::charts::{
    Figure, LatencyData, MemoryData, ParetoData, RooflineData, SensitivityData, Table, TimelineData,
};
use crate::format;
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink;
use std::sync::Arc;

/// A chart of a view.
pub struct Chart<F: Figure> {
    /// Its identifier in links.
    pub figure: permalink::Figure,
    /// What it answers.
    pub question: &'static str,
    /// Its data; `None` while there is none.
    pub data: Signal<Option<Arc<F>>>,
    /// What a click or Enter on a hit does; without it, they pin the tooltip.
    pub act: Option<Act>,
}

/// What acting on a hit of a chart does.
#[derive(Clone, Copy)]
pub struct Act {
    /// Said at the tooltip's foot after "Click" or "Tap": " opens it in Explore.".
    pub says: &'static str,
    /// Runs with the index of the hit.
    pub run: Callback<usize>,
}

impl<F: Figure> Clone for Chart<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Figure> Copy for Chart<F> {}

/// "Compute or memory?"
pub fn roofline(app: App) -> Chart<RooflineData> {
    of_answer(
        app,
        permalink::Figure::Roofline,
        "Compute or memory?",
        |answer| &answer.roofline,
    )
}

/// "Where does a step go?"
pub fn latency(app: App) -> Chart<LatencyData> {
    of_answer(
        app,
        permalink::Figure::Breakdown,
        "Where does a step go?",
        |answer| &answer.latency,
    )
}

/// "Is the batch right?"
pub fn pareto(app: App) -> Chart<ParetoData> {
    of_answer(
        app,
        permalink::Figure::Pareto,
        "Is the batch right?",
        |answer| &answer.pareto,
    )
}

/// "Does it fit?"
pub fn memory(app: App) -> Chart<MemoryData> {
    of_answer(app, permalink::Figure::Memory, "Does it fit?", |answer| {
        &answer.memory
    })
}

/// "What runs when?"
pub fn timeline(app: App) -> Chart<TimelineData> {
    let data = move || {
        let chosen = app.link.with(|link| link.shown.layer);
        app.answer.with(|answer| {
            let timelines = &answer.as_ref()?.timelines;
            timelines.pick(chosen).map(Arc::clone)
        })
    };
    Chart {
        figure: permalink::Figure::Timeline,
        question: "What runs when?",
        data: Signal::derive(data),
        act: None,
    }
}

/// "What to buy?": a click on a bar makes it so.
pub fn sensitivity(app: App, toast: Toast) -> Chart<SensitivityData> {
    let figure = permalink::Figure::Sensitivity;
    let chart = of_answer(app, figure, "What to buy?", |answer| &answer.sensitivity);
    let open = move |index: usize| {
        let Some(inputs) = opened(&app.current.get_untracked(), index) else {
            toast.say("That is not possible here");
            return;
        };
        let named = chart.of_untracked(|data| {
            let (row, swing) = data.swing(index)?;
            Some(format!("{} {}", row.name, swing.change))
        });
        app.edit(|current| *current = inputs);
        let named = named.flatten().unwrap_or_default();
        toast.say(format!("{named}: back undoes it"));
    };
    Chart {
        act: Some(Act {
            says: " makes it so.",
            run: Callback::new(open),
        }),
        ..chart
    }
}

/// A chart of the Explore view's answer.
fn of_answer<F: Figure>(
    app: App,
    figure: permalink::Figure,
    question: &'static str,
    select: fn(&Answer) -> &Arc<F>,
) -> Chart<F> {
    let data = move || {
        app.answer
            .with(|answer| answer.as_ref().map(|answer| Arc::clone(select(answer))))
    };
    Chart {
        figure,
        question,
        data: Signal::derive(data),
        act: None,
    }
}

impl<F: Figure> Chart<F> {
    /// Something of the data, `None` while there is none.
    pub fn of<T>(self, look: impl FnOnce(&F) -> T) -> Option<T> {
        self.data.with(|data| data.as_deref().map(look))
    }

    /// The same without following later changes.
    pub fn of_untracked<T>(self, look: impl FnOnce(&F) -> T) -> Option<T> {
        self.data.with_untracked(|data| data.as_deref().map(look))
    }
}

/// The chart with everything around it.
pub fn chart<F: Figure>(app: App, toast: Toast, chart: Chart<F>) -> AnyView {
    let picture = view! {
        {(chart.figure == permalink::Figure::Timeline).then(|| layer_switch(app))}
        {plot(app, chart)}
        {(chart.figure == permalink::Figure::Memory).then(|| memory_rows(app))}
    };
    framed(app, toast, chart, picture.into_any())
}

/// A chart's question, finding and tools around `picture`, or its table instead.
pub fn framed<F: Figure>(app: App, toast: Toast, chart: Chart<F>, picture: AnyView) -> AnyView {
    let id = chart.figure.id();
    let finding = Memo::new(move |_| chart.of(Figure::finding).unwrap_or_default());
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
                {picture}
                {move || {
                    as_table
                        .get()
                        .then(|| chart.of(|data| table(chart.question, &data.table())))
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
        app.answer
            .with(|answer| answer.as_ref().map(|answer| answer.memory.parts.clone()))
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

/// Whose timeline is drawn, where there is a choice.
fn layer_switch(app: App) -> AnyView {
    let choices = Memo::new(move |_| {
        app.answer
            .with(|answer| answer.as_ref().map(|answer| answer.timelines.choices()))
            .unwrap_or_default()
    });
    let chosen = Memo::new(move |_| {
        let layer = app.link.with(|link| link.shown.layer);
        choices.with(|choices| {
            let exists = choices.iter().any(|(choice, ..)| Some(*choice) == layer);
            let first = choices.first().map(|(choice, ..)| *choice);
            if exists { layer } else { first }
        })
    });
    let choice = move |(index, (layer, name, often)): (
        usize,
        (permalink::Layer, String, String),
    )| {
        view! {
            <button
                type="button"
                class="switch-choice"
                aria-pressed=move || (chosen.get() == Some(layer)).to_string()
                on:click=move |_| app.change(|link| link.shown.layer = (index > 0).then_some(layer))
            >
                {name}
                <span class="switch-often">{often}</span>
            </button>
        }
    };
    view! {
        <div class="switch" role="group" aria-label="Whose timeline" hidden=move || choices.with(Vec::len) < 2>
            {move || choices.get().into_iter().enumerate().map(choice).collect_view()}
        </div>
    }
    .into_any()
}
