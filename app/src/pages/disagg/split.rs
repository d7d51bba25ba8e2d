//! The Split half: attention on memory devices, everything else on compute devices.

use crate::answer::split::{Repair, SplitAnswer, SplitOutcome, SplitProblem, split_answer};
use crate::charts::apart::Mark;
use crate::pages::explore::headline::{one_figure, one_offer};
use crate::pages::figure::catalog::DISAGGREGATION;
use crate::pages::figure::{AnyFigure, Made};
use crate::pages::part::kept;
use crate::pages::shell::toast::Toast;
use crate::pages::shell::words::sentence;
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink::{Figure, Per};
use model_core::scenario::Number;
use std::sync::Arc;

/// The half.
pub fn split(app: App, toast: Toast) -> AnyView {
    let half = SplitHalf::shared(app);
    provide_context(Mark::Split);
    let stale = Memo::new(move |_| half.problems.with(|problems| !problems.is_empty()));
    let empty = Memo::new(move |_| half.answer.with(Option::is_none));
    view! {
        {half.verdict()}
        <div class="answer split-answer" class:stale=move || stale.get()>
            {move || (!empty.get()).then(|| half.figures())}
            {move || if empty.get() {
                view! {
                    <div class="empty">
                        <p>"No split obeys these numbers, so there is nothing to draw yet."</p>
                    </div>
                }.into_any()
            } else {
                view! {
                    <div class="charts">
                        {DISAGGREGATION.figures(app, toast, &[
                            Figure::SplitTraces,
                            Figure::SplitTime,
                            Figure::SplitBandwidth,
                            Figure::SplitDegrees,
                        ])}
                    </div>
                    <div class="charts">
                        {DISAGGREGATION.figures(app, toast, &[Figure::Apart, Figure::SplitRotation])}
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
        let repairs = Memo::new(move |_| {
            self.problems.with(|problems| match problems.first() {
                Some(problem) => problem.repairs.clone(),
                None => self
                    .answer
                    .with(|answer| answer.as_ref().map(|answer| answer.repairs.clone()))
                    .unwrap_or_default(),
            })
        });
        view! {
            <div class="verdict">
                <h1 aria-live="polite" aria-atomic="true">
                    {move || {
                        let problems = self.problems.get();
                        match (problems.first(), self.answer.get()) {
                            (Some(problem), _) => view! {
                                <b class="tone-bad">"Impossible. "</b>
                                {problem.rule.clone()}
                                ": "
                                {problem.facts.clone()}
                                "."
                            }.into_any(),
                            (None, Some(answer)) => sentence(&answer.verdict),
                            (None, None) => ().into_any(),
                        }
                    }}
                </h1>
                // An em space, which a line may end with but never begin with.
                "\u{2003}"
                {move || prices(self)}
                {move || {
                    let repairs = repairs.get();
                    (!repairs.is_empty()).then(|| view! {
                        <p class="verdict-repairs">{self.buttons(repairs)}</p>
                    })
                }}
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

    fn figures(self) -> AnyView {
        let fits = Memo::new(move |_| {
            self.answer
                .with(|answer| answer.as_ref().is_none_or(|answer| answer.fits))
        });
        let cell = move |index: usize| {
            let figure = Memo::new(move |_| {
                self.answer.with(|answer| {
                    answer
                        .as_ref()
                        .and_then(|answer| answer.figures.get(index).cloned())
                })
            });
            // The two memories are true even where they do not fit.
            let hypothetical = move || index < 4 && !fits.get();
            let over = move || {
                index >= 4
                    && figure.with(|figure| figure.as_ref().is_some_and(|f| f.state.is_some()))
            };
            view! {
                <div class="figure" class:hypothetical=hypothetical class:over=over>
                    {move || figure.get().map(|figure| one_figure(&figure, hypothetical()))}
                </div>
            }
        };
        view! {
            <div class="figures" role="group" aria-label="Figures of the split">
                {(0..6).map(cell).collect_view()}
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
