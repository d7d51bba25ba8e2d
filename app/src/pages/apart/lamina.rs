//! The *Lamina* mode: attention runs on memory devices, everything else on compute devices.

use super::{FIGURES, opening};
use crate::controls::field::field;
use crate::controls::row::broken_rules;
use crate::icons;
use crate::pages::explore::figures::range;
use crate::pages::explore::opening as marks_open;
use crate::pages::figure::Made;
use crate::pages::hero::{hero, of_pinned};
use crate::pages::shell::rest::rested;
use crate::pages::shell::toast::Toast;
use crate::pages::shell::words::tone_class;
use crate::pages::views::turns;
use crate::part::kept;
use crate::state::App;
use crate::state::lasting::Lasting;
use answer::Sentence;
use answer::apart::Disaggregated;
use answer::chart::Chart;
use answer::lamina::{
    COLUMNS, COMPUTE, MEMORY, SplitAnswer, SplitOutcome, SplitProblem, SplitRemedy, SplitRow,
    compute_gpu, degrees, impossible, split_answer,
};
use answer::words::names::short_name;
use leptos::prelude::*;
use model_core::inputs::Number;
use model_core::permalink::FigureId;
use std::sync::Arc;

/// Draws the Lamina mode.
pub fn split(app: App, toast: Toast) -> AnyView {
    let half = SplitHalf::shared(app);
    provide_context(Disaggregated::Lamina);
    let stale = Memo::new(move |_| half.problems.with(|problems| !problems.is_empty()));
    let empty = Memo::new(move |_| half.answer.with(Option::is_none));
    let priced = Memo::new(move |_| {
        half.answer
            .with(|answer| answer.as_ref().is_none_or(|answer| answer.prices.is_some()))
    });
    let idle = move |answer: &SplitAnswer| answer.rotation.chart.finding.clone();
    view! {
        {hero(app, Signal::derive(move || half.said()))}
        {of_pinned(move || half.answer.with(|answer| answer.as_ref()?.pinned.clone()))}
        {turns(app, None)}
        <div class="answer split-answer" class:stale=move || stale.get()>
            {move || if empty.get() {
                view! {
                    <div class="empty">
                        <p>"These settings are not a valid Lamina deployment, so there is nothing to plot."</p>
                    </div>
                }.into_any()
            } else {
                view! {
                    {half.table()}
                    {unpriced(half)}
                    <div class="charts">
                        {move || FIGURES.figures(app, toast, &[
                            FigureId::Apart,
                            FigureId::SplitTime,
                            FigureId::SplitBandwidth,
                            // Without prices, there is no budget for the chart across degrees.
                            if priced.get() { FigureId::SplitDegrees } else { FigureId::SplitRotation },
                        ])}
                    </div>
                    {move || half.answer.with(|answer| answer.as_ref()?.prices.clone())
                        .map(|basis| view! { <p class="price-basis">{basis}</p> })}
                    <div class="charts chart-folds">
                        {move || priced.get().then(|| {
                            half.fold(toast, FigureId::SplitRotation, idle)
                        })}
                    </div>
                }.into_any()
            }}
        </div>
    }
    .into_any()
}

/// Shared state of the Lamina mode.
#[derive(Clone, Copy)]
pub struct SplitHalf {
    app: App,
    /// Results of the Lamina mode; while the Lamina deployment is invalid, the last valid results.
    answer: Lasting<Memo<Option<Arc<SplitAnswer>>>>,
    problems: Lasting<Memo<Vec<SplitProblem>>>,
}

/// Returns the chart with this id, with data from the Lamina mode's results.
pub fn made(app: App, id: FigureId) -> Made {
    let answer = SplitHalf::shared(app).answer;
    let made = Made::of(move || answer.with(|answer| answer.as_deref()?.figure(id)));
    marks_open(app, made, move |hit| {
        answer.with_untracked(|answer| answer.as_deref()?.opens(id, hit))
    })
}

/// Returns the chart across degrees of parallelism (DOP); a click on a point applies its degrees.
pub fn made_taking(app: App, _: FigureId) -> Made {
    // Searches all degrees, and therefore waits until the inputs are at rest.
    let asked = rested(app.current);
    let data = Memo::new(move |_| asked.with(degrees).map(Arc::new));
    let take = move |hit: usize| {
        let devices = data.with_untracked(|data: &Option<Arc<Chart>>| {
            let chart = data.as_ref()?;
            let row = chart.row(hit)?;
            let devices = |column| chart.rows.number(column, row);
            devices(COMPUTE).zip(devices(MEMORY))
        });
        if let Some((compute, memory)) = devices {
            app.edit(|inputs| {
                inputs.state(Number::ComputeGpus, Some(compute));
                inputs.state(Number::MemoryGpus, Some(memory));
            });
        }
    };
    Made::of(move || data.get()).acting(" selects this deployment.", take)
}

/// If the price of either accelerator is unknown, draws fields for both prices.
fn unpriced(half: SplitHalf) -> AnyView {
    let missing = Memo::new(move |_| {
        half.answer.with(|answer| {
            answer
                .as_ref()
                .is_some_and(|answer| answer.prices.is_none())
        })
    });
    let names = Memo::new(move |_| {
        half.app
            .current
            .with(|inputs| [compute_gpu(inputs).name(), inputs.memory_gpu.name].map(short_name))
    });
    let wrong = RwSignal::new(None::<String>);
    let price = move |number: Number, id: &'static str| {
        field(
            half.app,
            number,
            id.to_owned(),
            "unpriced-help".to_owned(),
            wrong,
        )
    };
    (move || {
        missing.get().then(|| {
            view! {
                <p class="price-basis price-fields">
                    {move || format!("Prices: {} $", names.get()[0])}
                    {price(Number::ComputePrice, "unpriced-compute")}
                    {move || format!("and {} $", names.get()[1])}
                    {price(Number::MemoryPrice, "unpriced-memory")}
                    "per hour"
                    <span class="hidden" id="unpriced-help">"US dollars per GPU-hour."</span>
                    {move || wrong.get().map(|reason| view! { " " <span class="tone-bad" role="alert">{reason}</span> })}
                </p>
            }
        })
    })
    .into_any()
}

impl SplitHalf {
    /// Returns the shared state of the Lamina mode, for its view and for its controls in the panel.
    pub(super) fn shared(app: App) -> Self {
        kept(|| Self::new(app))
    }

    fn new(app: App) -> Self {
        let outcome = Memo::new(move |_| {
            let pinned = app.pinned.get();
            app.current
                .with(|inputs| split_answer(inputs, pinned.as_ref()))
        });
        let answer = Lasting::memo(move |earlier: Option<&Option<Arc<SplitAnswer>>>| {
            outcome.with(|outcome| match outcome {
                SplitOutcome::Possible(answer) => Some(Arc::new((**answer).clone())),
                SplitOutcome::Impossible(_) => earlier.cloned().flatten(),
            })
        });
        let problems = Lasting::memo(move |_| {
            outcome.with(|outcome| match outcome {
                SplitOutcome::Possible(_) => Vec::new(),
                SplitOutcome::Impossible(problems) => problems.clone(),
            })
        });
        Self {
            app,
            answer,
            problems,
        }
    }

    /// Returns the headline: the first error, or else the verdict of the results.
    fn said(self) -> Option<Sentence> {
        let refused = self
            .problems
            .with(|problems| problems.first().map(impossible));
        let headline = refused.or_else(|| {
            self.answer
                .with(|answer| Some(answer.as_ref()?.headline.clone()))
        });
        headline.map(|headline| headline.sentence())
    }

    fn buttons(self, choices: Vec<SplitRemedy>) -> AnyView {
        choices
            .into_iter()
            .map(|SplitRemedy { label, inputs }| {
                view! {
                    <button
                        type="button"
                        class="act"
                        on:click=move |_| self.app.edit(|current| *current = inputs)
                    >
                        {label}
                    </button>
                }
            })
            .collect_view()
            .into_any()
    }

    /// Draws the table that compares colocated serving with Lamina and shows the ratio of each metric.
    fn table(self) -> AnyView {
        let rows = Memo::new(move |_| {
            self.answer
                .with(|answer| {
                    answer
                        .as_ref()
                        .map(|answer| (answer.rows.clone(), answer.fits))
                })
                .unwrap_or_default()
        });
        // In narrow tables, the heading shows the unit.
        let unit = move |index: usize| {
            let cell = |row: &SplitRow| row.cells.get(index).map_or("", |cell| cell.unit);
            rows.with(|(rows, _)| rows.first().map_or("", cell))
        };
        let columns = COLUMNS.into_iter().enumerate().map(|(index, name)| {
            view! {
                <th scope="col" class="numeric">
                    {name}
                    <span class="unit" aria-hidden="true">{move || unit(index)}</span>
                </th>
            }
        });
        let columns = columns.collect_view();
        let app = self.app;
        let row = move |row: SplitRow, fits: bool| {
            let hypothetical = !fits && row.id == "split";
            let cells = row.cells.into_iter().zip(COLUMNS).map(|(cell, column)| {
                view! {
                    <td class="numeric" data-column=column>
                        <span class=tone_class(cell.tone)>
                            {opening(app, cell.value, column, cell.opens)}
                            {cell.second.map(|(value, opens)| view! {
                                " · "
                                {opening(app, value, column, Some(opens))}
                            })}
                        </span>
                        {(!cell.unit.is_empty()).then(|| view! { <span class="unit">{cell.unit}</span> })}
                        {cell.around.as_ref().map(range)}
                    </td>
                }
            });
            let cells = cells.collect_view();
            view! {
                <tr class=row.id class:hypothetical=hypothetical class:missed=row.misses>
                    <th scope="row">
                        <b>{row.name}</b>
                        " "
                        {row.detail}
                        {hypothetical.then_some(", if it fit in memory")}
                        {row.misses.then_some(", misses the SLO")}
                    </th>
                    {cells}
                </tr>
            }
        };
        view! {
            <div class="half-table split-table">
                <div class="half-scroll" tabindex="0" role="region" aria-label="Colocated and Lamina">
                    <table>
                        <thead>
                            <tr>
                                <td></td>
                                {columns}
                            </tr>
                        </thead>
                        <tbody>
                            {move || {
                                let (rows, fits) = rows.get();
                                rows.into_iter().map(|of| row(of, fits)).collect_view()
                            }}
                        </tbody>
                    </table>
                </div>
            </div>
        }
        .into_any()
    }

    /// Draws a collapsible chart whose heading shows the finding (the sentence under the chart's title).
    fn fold(
        self,
        toast: Toast,
        figure: FigureId,
        says: impl Fn(&SplitAnswer) -> String + Send + Sync + 'static,
    ) -> AnyView {
        let open = RwSignal::new(false);
        let app = self.app;
        let says = Memo::new(move |_| {
            self.answer
                .with(|answer| answer.as_deref().map(&says))
                .unwrap_or_default()
        });
        view! {
            <div class="chart-fold" class:open=move || open.get() data-figure=figure.id()>
                <button
                    type="button"
                    aria-expanded=move || open.get().to_string()
                    on:click=move |_| open.update(|open| *open = !*open)
                >
                    {icons::chevron()}
                    <b>{figure.question()}</b>
                    <span class="chart-finding" title=move || says.get()>{move || says.get()}</span>
                </button>
                {move || open.get().then(|| FIGURES.figures(app, toast, &[figure]))}
            </div>
        }
        .into_any()
    }

    /// Draws the errors caused by the control with this key, with buttons for the nearest valid changes.
    pub(super) fn trouble(self, key: &'static str) -> AnyView {
        let here = move || {
            let of_it = |problems: &Vec<SplitProblem>| {
                let here = problems.iter().filter(|problem| problem.key == key);
                here.cloned().collect()
            };
            self.problems.with(of_it)
        };
        broken_rules(here, move |problem| {
            let ways = self.buttons(problem.choices).into_any();
            (problem.rule, problem.facts, ways)
        })
    }
}
