//! The mode *Lamina*: attention on memory devices, everything else on compute devices.

use super::FIGURES;
use crate::answer::Sentence;
use crate::answer::names::short_name;
use crate::answer::split::{
    COLUMNS, SplitAnswer, SplitOutcome, SplitProblem, SplitRemedy, SplitRow, compute_gpu, degrees,
    impossible, split_answer,
};
use crate::charts::AnyFigure;
use crate::charts::apart::DeploymentKind;
use crate::controls::field::field;
use crate::controls::row::broken_rules;
use crate::icons;
use crate::pages::explore::figures::{first, range};
use crate::pages::figure::Made;
use crate::pages::hero::hero;
use crate::pages::shell::rest::rested;
use crate::pages::shell::toast::Toast;
use crate::pages::shell::words::tone_class;
use crate::part::kept;
use crate::state::App;
use crate::state::lasting::Lasting;
use leptos::prelude::*;
use model_core::inputs::Number;
use model_core::permalink::FigureId;
use std::sync::Arc;

/// The mode.
pub fn split(app: App, toast: Toast) -> AnyView {
    let half = SplitHalf::shared(app);
    provide_context(DeploymentKind::Split);
    let stale = Memo::new(move |_| half.problems.with(|problems| !problems.is_empty()));
    let empty = Memo::new(move |_| half.answer.with(Option::is_none));
    let priced = Memo::new(move |_| {
        half.answer
            .with(|answer| answer.as_ref().is_none_or(|answer| answer.prices.is_some()))
    });
    let idle = move |answer: &SplitAnswer| answer.rotation.finding.clone();
    view! {
        {hero(app, Signal::derive(move || half.said()))}
        <div class="answer split-answer" class:stale=move || stale.get()>
            {move || if empty.get() {
                view! {
                    <div class="empty">
                        <p>"No split obeys these numbers, so there is nothing to draw yet."</p>
                    </div>
                }.into_any()
            } else {
                view! {
                    {half.table()}
                    {move || half.answer.with(|answer| answer.as_ref()?.prices.clone())
                        .map(|basis| view! { <p class="price-basis">{basis}</p> })}
                    {unpriced(half)}
                    <div class="charts">
                        {move || FIGURES.figures(app, toast, &[
                            FigureId::Apart,
                            FigureId::SplitTime,
                            FigureId::SplitBandwidth,
                            // Without prices there is no budget to look at.
                            if priced.get() { FigureId::SplitDegrees } else { FigureId::SplitRotation },
                        ])}
                    </div>
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

/// Shared state of the mode.
#[derive(Clone, Copy)]
pub struct SplitHalf {
    app: App,
    /// The answer, or the last one while the split is invalid.
    answer: Lasting<Memo<Option<Arc<SplitAnswer>>>>,
    /// Errors of the split.
    problems: Lasting<Memo<Vec<SplitProblem>>>,
}

/// A chart of the mode's answer.
pub fn made(app: App, id: FigureId) -> Made {
    let answer = SplitHalf::shared(app).answer;
    Made::of(move || answer.with(|answer| answer.as_deref()?.figure(id)))
}

/// Data of the degrees of parallelism; a click applies one.
pub fn made_taking(app: App, _: FigureId) -> Made {
    // A search of every degree: for values that stay, whoever moves them.
    let asked = rested(app.current);
    let data = Memo::new(move |_| asked.with(degrees).map(Arc::new));
    let take = move |hit: usize| {
        let degree = data.with_untracked(|data| data.as_ref()?.drawn().get(hit)?.split);
        if let Some((compute, memory)) = degree {
            app.edit(|inputs| {
                inputs.state(Number::ComputeGpus, Some(f64::from(compute)));
                inputs.state(Number::MemoryGpus, Some(f64::from(memory)));
            });
        }
    };
    Made::of(move || data.with(|data| data.as_ref().map(AnyFigure::of)))
        .acting(" takes a split.", take)
}

/// Fields for prices, where no source has both.
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
                    {move || format!("Prices to compare by: {} $", names.get()[0])}
                    {price(Number::ComputePrice, "unpriced-compute")}
                    {move || format!("and {} $", names.get()[1])}
                    {price(Number::MemoryPrice, "unpriced-memory")}
                    "an hour"
                    <span class="hidden" id="unpriced-help">"US dollars per accelerator and hour."</span>
                    {move || wrong.get().map(|reason| view! { " " <span class="tone-bad" role="alert">{reason}</span> })}
                </p>
            }
        })
    })
    .into_any()
}

impl SplitHalf {
    /// The mode's shared state, for the view and its controls in the panel.
    pub(super) fn shared(app: App) -> Self {
        kept(|| Self::new(app))
    }

    /// Follows the link.
    fn new(app: App) -> Self {
        let outcome = Memo::new(move |_| app.current.with(split_answer));
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

    /// The headline.
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

    /// The table of colocated, Lamina, and their ratio.
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
        // In a narrow table the heading has the unit.
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
        let row = |row: SplitRow, fits: bool| {
            let hypothetical = !fits && row.id == "split";
            let cells = row.cells.into_iter().zip(COLUMNS).map(|(cell, column)| {
                view! {
                    <td class="numeric" data-column=column>
                        <span class=tone_class(cell.tone)>{first(&cell.value, cell.around.as_ref()).0}</span>
                        {(!cell.unit.is_empty()).then(|| view! { <span class="unit">{cell.unit}</span> })}
                        {cell.around.as_ref().map(|around| range(&cell.value, around))}
                    </td>
                }
            });
            let cells = cells.collect_view();
            view! {
                <tr class=row.id class:hypothetical=hypothetical>
                    <th scope="row">
                        <b>{row.name}</b>
                        " "
                        {row.detail}
                        {hypothetical.then_some(", if it fit")}
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

    /// A chart that opens, with its finding on the fold.
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

    /// Errors caused by the control with this key, with the nearest valid changes.
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
