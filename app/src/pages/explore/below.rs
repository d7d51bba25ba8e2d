//! Charts further down in the Explore view, in a separate program part.

use super::sizing::ShownSizing;
use super::{bodies, levers, opening};
use crate::pages::figure::catalog::{FigureRow, FigureTable, drawn};
use crate::pages::figure::plot::plot;
use crate::pages::figure::{Chart, Made};
use crate::pages::shell::rest::rested;
use crate::pages::shell::toast::Toast;
use crate::part::kept;
use crate::state::App;
use crate::state::lasting::Lasting;
use answer::charts::MemoryData;
use answer::explore::{timeline, waterfall};
use answer::levers::LeversData;
use answer::{self, BATCH, Below};
use leptos::prelude::*;
use model_core::compare::Quantity;
use model_core::inputs::Number;
use model_core::permalink::{self, FigureId};
use model_core::plan::Overlap;
use std::sync::Arc;

/// Figures of the lower half of Explore; their code is a separate module, loaded after the page.
pub static FIGURES: FigureTable = FigureTable(&[
    FigureRow {
        body: bodies::pareto,
        ..drawn(FigureId::Pareto, pareto_made).growing(0.4)
    },
    FigureRow {
        body: bodies::memory,
        shape: MemoryData::SHAPE,
        ..drawn(FigureId::Memory, memory_made)
    },
    FigureRow {
        body: levers::body,
        shape: LeversData::SHAPE,
        ..drawn(FigureId::Levers, levers::made)
    },
    FigureRow {
        body: quantities,
        shape: waterfall::SHAPE,
        ..drawn(FigureId::Waterfall, waterfall_made)
    },
    drawn(FigureId::Roofline, roofline_made).growing(0.4),
    drawn(FigureId::Drafts, drafts_made).growing(0.4),
    drawn(FigureId::Bandwidth, bandwidth_made).growing(0.27),
    FigureRow {
        body: timelines,
        shape: timeline::SHAPE,
        ..drawn(FigureId::Timeline, timeline_made).growing(0.27)
    },
]);

/// Data of the lower charts of Explore; while the scenario is invalid, the last valid data.
#[derive(Clone, Copy)]
struct Shown(Lasting<Memo<Option<Arc<Below>>>>);

impl Shown {
    fn of_page(app: App) -> Self {
        kept(|| {
            Self(Lasting::memo(
                move |earlier: Option<&Option<Arc<Below>>>| {
                    let below = answer::below(&app.current.get(), app.pinned.get().as_ref());
                    below.map(Arc::new).or_else(|| earlier.cloned().flatten())
                },
            ))
        })
    }
}

/// Returns the chart of throughput vs. interactivity, with an optional overlay of measured runs.
fn pareto_made(app: App, _: FigureId) -> Made {
    let all = ShownSizing::of_page(app).0;
    let made = Made::of(move || all.with(|all| Some(Arc::clone(&all.as_ref()?.pareto))));
    made.acting(" selects this batch.", move |hit| {
        let batch = all.with_untracked(|all| {
            let chart = &all.as_ref()?.pareto;
            chart.rows.number(BATCH, chart.row(hit)?)
        });
        if let Some(batch) = batch {
            app.edit(|inputs| {
                inputs.state(Number::Batch, Some(batch.round().max(1.0)));
            });
        }
    })
}

fn memory_made(app: App, _: FigureId) -> Made {
    let all = ShownSizing::of_page(app).0;
    Made::of(move || all.with(|all| Some(all.as_ref()?.memory.chart())))
}

fn roofline_made(app: App, _: FigureId) -> Made {
    let all = ShownSizing::of_page(app).0;
    let made = Made::of(move || all.with(|all| Some(all.as_ref()?.roofline.chart())));
    opening(app, made, move |hit| {
        all.with_untracked(|all| all.as_ref()?.opens(hit))
    })
}

/// Returns the waterfall chart of the chosen quantity, from the pinned to the current scenario.
fn waterfall_made(app: App, _: FigureId) -> Made {
    let all = Shown::of_page(app).0;
    Made::of(move || {
        let chosen = app.link.with(|link| link.shown.change);
        all.with(|all| {
            let changed = &all.as_ref()?.changed;
            let place = Quantity::ALL.iter().position(|it| *it == chosen)?;
            changed.get(place).cloned()
        })
    })
}

fn timeline_made(app: App, _: FigureId) -> Made {
    let all = Shown::of_page(app).0;
    Made::of(move || {
        let chosen = app.link.with(|link| link.shown.layer);
        all.with(|all| {
            let timelines = &all.as_ref()?.timelines;
            let layer = timelines.pick(chosen)?;
            Some(Arc::clone(&layer.chart))
        })
    })
}

/// Data of the draft-token chart; while the scenario is invalid, the last valid data.
#[derive(Clone, Copy)]
struct Drafts(Lasting<Memo<Option<Arc<answer::chart::Chart>>>>);

/// Returns the chart of draft length vs. batch size; a click sets both.
fn drafts_made(app: App, _: FigureId) -> Made {
    let data = kept(|| {
        Drafts(Lasting::memo(
            move |earlier: Option<&Option<Arc<answer::chart::Chart>>>| {
                app.runs.track();
                let drafts = answer::drafts(&app.current.get(), app.pinned.get().as_ref());
                drafts.map(Arc::new).or_else(|| earlier.cloned().flatten())
            },
        ))
    })
    .0;
    let set = move |hit| {
        let chosen = data.with_untracked(|chart| {
            let chart = chart.as_ref()?;
            let row = chart.row(hit)?;
            let number = |column| chart.rows.number(column, row);
            Some((number(answer::DRAFT_BATCH)?, number(answer::DRAFTS)?))
        });
        if let Some((batch, drafts)) = chosen {
            app.edit(|inputs| {
                inputs.state(Number::Batch, Some(batch.round().max(1.0)));
                inputs.state(Number::SpeculationDepth, Some(drafts));
            });
        }
    };
    Made::of(move || data.with(|chart| chart.clone()))
        .acting(" selects this draft length and batch.", set)
}

/// Data of the chart of TPOT vs. bandwidth. It is computed only after a drag has ended, because it takes over a
/// hundred evaluations.
#[derive(Clone, Copy)]
struct Bandwidths(Lasting<Memo<Option<Arc<answer::chart::Chart>>>>);

/// Returns the chart of TPOT vs. each bandwidth; a click sets that bandwidth.
fn bandwidth_made(app: App, _: FigureId) -> Made {
    let data = kept(|| {
        let asked = Memo::new(move |_| (app.current.get(), app.pinned.get()));
        let asked = rested(asked);
        Bandwidths(Lasting::memo(
            move |earlier: Option<&Option<Arc<answer::chart::Chart>>>| {
                let chart = asked.with(|(current, pinned)| {
                    answer::bandwidth::chart(current, pinned.as_ref()).map(Arc::new)
                });
                chart.or_else(|| earlier.cloned().flatten())
            },
        ))
    })
    .0;
    let set = move |hit| {
        let chosen = data.with_untracked(|chart| {
            let current = app.current.get_untracked();
            answer::bandwidth::chosen(chart.as_ref()?, &current, hit)
        });
        if let Some((number, value)) = chosen {
            app.edit(|inputs| {
                inputs.state(number, Some(value));
            });
        }
    };
    Made::of(move || data.get()).acting(" selects this bandwidth.", set)
}

/// Draws the lower charts of Explore. A layer's timeline is shown only if communication overlaps with compute; the
/// waterfall chart, only if a scenario is pinned.
pub fn below(app: App, toast: Toast) -> AnyView {
    let compares = Memo::new(move |_| app.link.with(|link| link.pinned.is_some()));
    let overlaps = Memo::new(move |_| {
        app.current
            .with(|inputs| inputs.schedule() != Overlap::Sequential)
    });
    view! {
        <div class="charts">
            {FIGURES.figures(app, toast, &[
                FigureId::Pareto,
                FigureId::Roofline,
                FigureId::Memory,
                FigureId::Drafts,
                FigureId::Bandwidth,
            ])}
        </div>
        <div class="charts" class:wide=move || !compares.get() || !overlaps.get()>
            {move || overlaps.get().then(|| FIGURES.figure(app, toast, FigureId::Timeline))}
            {move || compares.get().then(|| FIGURES.figure(app, toast, FigureId::Waterfall))}
        </div>
        // Last, because the number of suggested changes varies with the scenario.
        <div class="charts wide">{FIGURES.figures(app, toast, &[FigureId::Levers])}</div>
    }
    .into_any()
}

fn timelines(app: App, chart: Chart) -> AnyView {
    view! {
        {layer_switch(app)}
        {plot(app, chart)}
    }
    .into_any()
}

/// Draws the waterfall chart with buttons that choose the quantity.
fn quantities(app: App, chart: Chart) -> AnyView {
    let chosen = Memo::new(move |_| app.link.with(|link| link.shown.change));
    let choice = move |quantity: Quantity| {
        let name = match quantity {
            Quantity::Step => "step time",
            Quantity::Memory => "memory",
            Quantity::Cost => "cost",
        };
        view! {
            <button
                type="button"
                class="switch-choice"
                aria-pressed=move || (chosen.get() == quantity).to_string()
                on:click=move |_| app.change(|link| link.shown.change = quantity)
            >
                {name}
            </button>
        }
    };
    view! {
        <div class="switch switch-right" role="group" aria-label="Quantity compared">
            {Quantity::ALL.map(choice).collect_view()}
        </div>
        {plot(app, chart)}
    }
    .into_any()
}

/// If there are several layers to choose from, draws buttons that choose the timeline's layer.
fn layer_switch(app: App) -> AnyView {
    let all = Shown::of_page(app).0;
    let choices = Memo::new(move |_| {
        all.with(|all| all.as_ref().map(|all| all.timelines.choices()))
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
        (permalink::TimelineLayer, String, String),
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
        <div class="switch" role="group" aria-label="Layer shown" hidden=move || choices.with(Vec::len) < 2>
            {move || choices.get().into_iter().enumerate().map(choice).collect_view()}
        </div>
    }
    .into_any()
}
