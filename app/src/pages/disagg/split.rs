//! The Split half: attention on memory devices, everything else on compute devices.

use crate::answer::split::{
    COLUMNS, Repair, SplitAnswer, SplitOutcome, SplitProblem, SplitRow, compute_gpu, short_name,
    split_answer,
};
use crate::charts::apart::Mark;
use crate::controls::field::field;
use crate::pages::disagg::words;
use crate::pages::explore::headline::{first, one_offer, range};
use crate::pages::figure::catalog::DISAGGREGATION;
use crate::pages::figure::{AnyFigure, Made};
use crate::pages::part::kept;
use crate::pages::shell::icons;
use crate::pages::shell::toast::Toast;
use crate::pages::shell::words::{sentence, tone_class};
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink::{FigureId, Per};
use model_core::scenario::Number;
use std::sync::Arc;

/// The half.
pub fn split(app: App, toast: Toast) -> AnyView {
    let half = SplitHalf::shared(app);
    provide_context(Mark::Split);
    let stale = Memo::new(move |_| half.problems.with(|problems| !problems.is_empty()));
    let empty = Memo::new(move |_| half.answer.with(Option::is_none));
    let priced = Memo::new(move |_| {
        half.answer
            .with(|answer| answer.as_ref().is_none_or(|answer| answer.prices.is_some()))
    });
    let waits = move |answer: &SplitAnswer| answer.rotation.finding.clone();
    let latency = move |answer: &SplitAnswer| answer.apart.finding.clone();
    view! {
        {half.verdict()}
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
                    <div class="charts">
                        {move || DISAGGREGATION.figures(app, toast, &[
                            FigureId::SplitTraces,
                            FigureId::SplitTime,
                            FigureId::SplitBandwidth,
                            // Without prices there is no budget to look at.
                            if priced.get() { FigureId::SplitDegrees } else { FigureId::SplitRotation },
                        ])}
                    </div>
                    <div class="charts chart-folds">
                        {move || priced.get().then(|| {
                            half.fold(toast, FigureId::SplitRotation, "Who waits for whom?", waits)
                        })}
                        {half.fold(toast, FigureId::Apart, "Latency against throughput", latency)}
                    </div>
                }.into_any()
            }}
        </div>
    }
    .into_any()
}

/// What the half's parts share.
#[derive(Clone, Copy)]
pub struct SplitHalf {
    app: App,
    /// The answer, or the last one there was while the split is impossible.
    answer: Memo<Option<Arc<SplitAnswer>>>,
    /// What makes it impossible.
    problems: Memo<Vec<SplitProblem>>,
}

/// A chart of the half's answer.
pub fn made(app: App, select: fn(&SplitAnswer) -> AnyFigure) -> Made {
    let answer = SplitHalf::shared(app).answer;
    Made::of(move || answer.with(|answer| answer.as_deref().map(select)))
}

/// Every degree of parallelism; a split that is clicked is taken.
pub fn made_taking(app: App) -> Made {
    let answer = SplitHalf::shared(app).answer;
    let take = move |hit: usize| {
        let degree = answer.with_untracked(|answer| {
            let degrees = &answer.as_ref()?.degrees;
            degrees.drawn().get(hit)?.split
        });
        if let Some((compute, memory)) = degree {
            app.edit(|inputs| {
                inputs.state(Number::ComputeGpus, Some(f64::from(compute)));
                inputs.state(Number::MemoryGpus, Some(f64::from(memory)));
            });
        }
    };
    made(app, |answer| AnyFigure::of(&answer.degrees)).acting(" takes a split.", take)
}

/// "H100 $11.06, H20 $4.63 an hour, [L] Table 1; Explore counts $1.30. Use $11.06 there".
fn prices(half: SplitHalf) -> Option<AnyView> {
    let basis = half.answer.get()?.prices.clone()?;
    let offer = basis.offer.map(|offer| one_offer(half.app, offer));
    Some(
        view! {
            <p class="price-basis">{basis.words} " " {offer}</p>
        }
        .into_any(),
    )
}

/// Where no source prices both sides: fields for what they cost.
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
                    {move || format!("With prices both sides are compared: {} $", names.get()[0])}
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
    /// The one half: the view and its controls in the panel speak of one split.
    pub(super) fn shared(app: App) -> Self {
        kept(|| Self::new(app))
    }

    /// Follows the link.
    fn new(app: App) -> Self {
        let per = Memo::new(move |_| app.link.with(|link| link.shown.per));
        let outcome = Memo::new(move |_| {
            let per_dollar = per.get() == Per::Dollar;
            app.current.with(|inputs| split_answer(inputs, per_dollar))
        });
        let answer = Memo::new(move |earlier: Option<&Option<Arc<SplitAnswer>>>| {
            outcome.with(|outcome| match outcome {
                SplitOutcome::Possible(answer) => Some(Arc::new((**answer).clone())),
                SplitOutcome::Impossible(_) => earlier.cloned().flatten(),
            })
        });
        let problems = Memo::new(move |_| {
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

    fn verdict(self) -> AnyView {
        let advice = Memo::new(move |_| {
            self.answer
                .with(|answer| answer.as_ref().map(|answer| answer.advice.clone()))
        });
        let repairs = Memo::new(move |_| {
            self.problems.with(|problems| match problems.first() {
                Some(problem) => problem.repairs.clone(),
                None => self
                    .answer
                    .with(|answer| answer.as_ref().map(|answer| answer.repairs.clone()))
                    .unwrap_or_default(),
            })
        });
        let said = move || {
            let problems = self.problems.get();
            match problems.first() {
                Some(problem) => Some(
                    view! {
                        <b class="tone-bad">"Impossible. "</b>
                        {format!("{}: {}.", problem.rule, problem.facts)}
                    }
                    .into_any(),
                ),
                None => self.answer.get().map(|answer| sentence(&answer.verdict)),
            }
        };
        view! {
            <div class="verdict">
                {words(said)}
                <p class="verdict-advice">
                    {move || {
                        let possible = self.problems.with(Vec::is_empty);
                        possible.then(|| advice.get().map(|advice| sentence(&advice)))
                    }}
                    " "
                    {move || self.buttons(repairs.get())}
                </p>
                {move || prices(self)}
                {unpriced(self)}
            </div>
        }
        .into_any()
    }

    fn buttons(self, repairs: Vec<Repair>) -> AnyView {
        repairs
            .into_iter()
            .map(|repair| {
                let label = repair.label.clone();
                view! {
                    <button
                        type="button"
                        class="act"
                        on:click=move |_| self.app.edit(|inputs| repair.apply(inputs))
                    >
                        {label}
                    </button>
                }
            })
            .collect_view()
            .into_any()
    }

    /// Together, split, and how they compare.
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
        // Down the side of a narrow table it is the head that says the unit.
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
                <div class="half-scroll" tabindex="0" role="region" aria-label="Together and split">
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
        question: &'static str,
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
                    <b>{question}</b>
                    <span class="chart-finding" title=move || says.get()>{move || says.get()}</span>
                </button>
                {move || open.get().then(|| DISAGGREGATION.figures(app, toast, &[figure]))}
            </div>
        }
        .into_any()
    }

    /// What is impossible because of the control with this key, and the nearest changes.
    pub(super) fn trouble(self, key: &'static str) -> AnyView {
        let here = Memo::new(move |_| {
            self.problems.with(|problems| {
                problems
                    .iter()
                    .filter(|problem| problem.key == key)
                    .cloned()
                    .collect::<Vec<_>>()
            })
        });
        view! {
            <div class="trouble" aria-live="polite">
                {move || {
                    here.get()
                        .into_iter()
                        .map(|problem| {
                            view! {
                                <p class="trouble-rule">{format!("{}.", problem.rule)}</p>
                                <p class="trouble-facts">{problem.facts.clone()}</p>
                                <p class="trouble-choices">{self.buttons(problem.repairs)}</p>
                            }
                        })
                        .collect_view()
                }}
            </div>
        }
        .into_any()
    }
}
