//! The headline of a view, and the known accuracy of its numbers.

use crate::controls::row::ways_out;
use crate::pages::helps::plain;
use crate::pages::shell::words::sentence;
use crate::part::kept;
use crate::part::runs::start_from;
use crate::state::lasting::Lasting;
use crate::state::{App, address};
use answer::around::accuracy_short;
use answer::corrected::corrected;
use answer::words::format;
use answer::{self, Sentence, runs};
use leptos::ev;
use leptos::prelude::*;
use model_core::afd::derive::entered_whole;
use model_core::inputs::Mode;
use model_core::permalink::{self, Evidence, View};

/// The verdict on which candidate is cheapest, shown in the headline of the Plans view. It is set by the candidates'
/// program part, which loads later.
#[derive(Clone, Copy)]
pub struct Cheapest(Lasting<RwSignal<Option<Sentence>>>);

impl Cheapest {
    /// Returns the page's shared verdict on the cheapest candidate.
    pub fn of_page() -> Self {
        kept(|| Self(Lasting::signal(None)))
    }

    /// Returns the verdict on the cheapest candidate; `None` until it is computed.
    pub fn get(self) -> Option<Sentence> {
        self.0.get()
    }

    /// Updates the verdict on the cheapest candidate from an answer, for as long as the calling view exists.
    pub fn follow(self, said: impl Fn() -> Option<Sentence> + 'static) {
        Effect::new(move |_| self.0.set(said()));
    }
}

/// Draws a view's headline, the known accuracy of its numbers, and changes that would make an invalid scenario valid.
pub fn hero(app: App, said: Signal<Option<Sentence>>) -> AnyView {
    view! {
        <div class="headline">{title(app, said)}</div>
        <div class="marks">{marks(app)}</div>
        {remedies(app)}
    }
    .into_any()
}

/// Draws the sentence on the pinned scenario, below the headline.
pub fn of_pinned(said: impl Fn() -> Option<Sentence> + Send + Sync + 'static) -> AnyView {
    let said = Memo::new(move |_| said());
    view! { {move || said.get().map(|said| view! { <p class="headline-facts">{sentence(&said)}</p> })} }
        .into_any()
}

/// Draws only the headline.
pub fn headline(app: App, said: Signal<Option<Sentence>>) -> AnyView {
    view! { <div class="headline">{title(app, said)}</div> }.into_any()
}

fn title(app: App, said: Signal<Option<Sentence>>) -> AnyView {
    view! {
        <h1 aria-live="polite" aria-atomic="true">
            {move || {
                let problems = app.problems.get();
                match (problems.first(), said.get()) {
                    (Some(problem), _) => sentence(&problem.headline().sentence()),
                    (None, Some(said)) => sentence(&said),
                    (None, None) => ().into_any(),
                }
            }}
        </h1>
        {move || {
            let facts = app.problems.with(|problems| Some(problems.first()?.facts.clone()));
            facts.map(|facts| view! { <p class="headline-facts">{facts} "."</p> })
        }}
    }
    .into_any()
}

fn remedies(app: App) -> AnyView {
    let first = Memo::new(move |_| app.problems.with(|problems| problems.first().cloned()));
    view! {
        {move || first.get().map(|problem| view! {
            <p class="headline-remedies">{ways_out(app, &problem, REMEDIES)}</p>
        })}
    }
    .into_any()
}

/// Max number of remedies (changes that make the scenario valid) below a headline. Next to the control, all remedies
/// are shown.
const REMEDIES: usize = 4;

/// Draws the line about the accuracy of the numbers. It shows the user's measurements, extrapolated parts, metrics at
/// the edge of their error band, the nearest measured run, and the mean error.
pub fn how_sure(app: App) -> AnyView {
    let accuracy = move || {
        app.runs.track();
        accuracy_short()
    };
    let evidence = move || {
        app.link.with(|link| {
            let mut to = link.clone();
            to.shown.view = View::Papers;
            to.shown.listed.evidence = Evidence::Measured;
            to
        })
    };
    let address = move || address::absolute(&permalink::write(&evidence()));
    let follow = move |event: ev::MouseEvent| {
        if plain(&event) {
            event.prevent_default();
            app.change(|link| *link = evidence());
            window().scroll_to_with_x_and_y(0.0, 0.0);
        }
    };
    view! {
        <div class="how-sure">
            <b>"How sure?"</b>
            {marks(app)}
            <span class="how-sure-line">{accuracy}</span>
            <a class="act" href=address on:click=follow>"Evidence"</a>
        </div>
    }
    .into_any()
}

fn marks(app: App) -> AnyView {
    view! {
        {anchored(app)}
        {beyond(app)}
        {biased(app)}
        {nearest(app)}
    }
    .into_any()
}

/// Draws an expandable note if the user's measurements correct the numbers. Expanded, it shows how the correction is
/// divided among the terms.
fn anchored(app: App) -> AnyView {
    let named = Memo::new(move |_| {
        app.link
            .with(|link| corrected(&link.current, link.shown.view))
    });
    view! {
        {move || named.get().map(|(lead, meaning)| view! {
            <details class="beyond">
                <summary>{lead}</summary>
                <div><p>{meaning}</p></div>
            </details>
        })}
    }
    .into_any()
}

/// Draws an expandable note if the scenario is extrapolated. Expanded, it lists the extrapolated parts.
fn beyond(app: App) -> AnyView {
    let named = Memo::new(move |_| app.current.with(answer::extrapolated));
    let some = Memo::new(move |_| named.with(|named| !named.is_empty()));
    let unmeasured = Memo::new(move |_| {
        app.runs.track();
        app.current.with(answer::unmeasured)
    });
    let chip = move || match unmeasured.get() {
        true => "kernels not measured: widest error band",
        false => "extrapolated",
    };
    view! {
        {move || some.get().then(|| view! {
            <details class="beyond">
                <summary title="Not covered by measurements">{chip}</summary>
                <div>
                    <p>"Not covered by the calibration's measurements:"</p>
                    <ul>{move || named.get().into_iter().map(|words| view! { <li>{words}</li> }).collect_view()}</ul>
                </div>
            </details>
        })}
    }
    .into_any()
}

/// Draws an expandable note if the metrics are at one end of their error bands. Expanded, it shows the reason.
fn biased(app: App) -> AnyView {
    let why = Memo::new(move |_| {
        app.runs.track();
        app.current.with(answer::biased)
    });
    view! {
        {move || why.get().map(|why| view! {
            <details class="beyond">
                <summary>"edge of band"</summary>
                <div>
                    <p>{format::capital(why)} "."</p>
                </div>
            </details>
        })}
    }
    .into_any()
}

/// Returns a memo that is true if the view uses latencies entered by the user. Levers and measured runs do not cover
/// such latencies.
fn entered(app: App) -> Memo<bool> {
    Memo::new(move |_| {
        app.link.with(|link| {
            let ratio = link.shown.view == View::Disaggregation && link.current.mode != Mode::Split;
            ratio && entered_whole(&link.current)
        })
    })
}

/// Draws an expandable note with Ridgepoint's prediction error at the nearest measured run. Expanded, it names the run
/// and the differences in its settings.
fn nearest(app: App) -> AnyView {
    let entered = entered(app);
    let run = Memo::new(move |_| {
        app.runs.track();
        let run = app.current.with(|inputs| runs::known()?.nearest(inputs));
        run.filter(|_| !entered.get() && app.problems.with(|problems| problems.is_empty()))
    });
    view! {
        {move || run.get().map(|run| {
            let error = format::percent_change(1.0 + run.error, 1.0);
            let size = format::tenths_of_percent(run.error.abs());
            let than = if run.error < 0.0 { "faster" } else { "slower" };
            // Only a run with exactly these settings measured this scenario.
            let (chip, differs) = match run.differs.is_empty() {
                true => (
                    format!("{size} {than} than measured"),
                    "This run used these settings.".to_owned(),
                ),
                false => (
                    format!("vs. nearest: {size} {than}"),
                    format!("Differences: {}.", run.differs.join(", ")),
                ),
            };
            view! {
                <details class="beyond nearest">
                    <summary title="Computed TPOT vs. the nearest measured run">{chip}</summary>
                    <div>
                        <p>{run.hardware} ": computed TPOT is " {error} " vs. measured."</p>
                        <p>{differs}</p>
                        <p>{run.source}</p>
                        <button type="button" class="quiet" on:click=move |_| start_from(app, run.run)>
                            "Start from this run"
                        </button>
                    </div>
                </details>
            }
        })}
    }
    .into_any()
}
