//! The footnote of a plan search: progress and a cancel button during the search, then the number of plans and
//! caveats.

use super::PlansSearch;
use std::time::Duration;

use crate::compute::ComputeState;
use crate::state::App;
use crate::state::lasting::Lasting;
use answer::plans::caution;
use answer::words::format;
use leptos::prelude::*;
use worker::Request;

/// Progress is shown only after a search has run for this long.
const PATIENCE: Duration = Duration::from_millis(250);

/// Draws the footnote of the plan search.
pub fn status(app: App, plans: PlansSearch) -> AnyView {
    let state = plans.compute.state;
    let slow = slowly(state);
    let share = Memo::new(move |_| {
        plans.searched.with(|searched| {
            searched.as_ref().map_or(0.0, |searched| {
                let all = searched.answer.candidates.max(1) as f64;
                searched.answer.found.evaluated as f64 / all
            })
        })
    });
    // During a drag, the next search starts only when the slider is at rest.
    let follows = Memo::new(move |_| {
        app.moving.get()
            && plans.searched.with(|searched| {
                let searched = searched.as_ref();
                searched.is_some_and(|searched| !plans.asked.with(|asked| searched.is_of(asked)))
            })
    });
    let again = move |_| {
        let (inputs, search) = plans.asked.get_untracked();
        plans.compute.run_again(Request::Search(inputs, search));
    };
    // A memo, so that the button is not rebuilt at every answer.
    let offered = Memo::new(move |_| (state.get(), slow.get()));
    let button = move || match offered.get().0 {
        ComputeState::Running if offered.get().1 => Some(
            view! {
                <button type="button" class="act" on:click=move |_| plans.compute.cancel()>
                    "Cancel"
                </button>
            }
            .into_any(),
        ),
        ComputeState::Cancelled => Some(
            view! {
                <button type="button" class="act" on:click=again>
                    "Search again"
                </button>
            }
            .into_any(),
        ),
        ComputeState::Failed(_) => Some(try_again(plans)),
        _ => None,
    };
    view! {
        <div class="plans-status" data-state=move || state_name(&state.get(), slow.get())>
            <div
                class="progress"
                role="progressbar"
                aria-label="Search"
                aria-valuemin="0"
                aria-valuemax="100"
                aria-valuenow=move || format!("{:.0}", share.get() * 100.0)
                class:shown=move || slow.get() || state.get() == ComputeState::Cancelled
            >
                <span style:width=move || format!("{:.1}%", share.get() * 100.0)></span>
            </div>
            <p>
                <span role="status" title=move || time(plans)>{move || match follows.get() {
                    true => "Updates when you release the slider; showing previous results. ".to_owned(),
                    false => words(plans, &state.get(), slow.get()),
                }}</span>
                " "
                {move || app.link.with(caution).join(" ")}
            </p>
            {button}
            {move || in_page(plans)}
        </div>
    }
    .into_any()
}

/// Returns a signal that is true once the search has run for longer than [`PATIENCE`].
fn slowly(state: Lasting<RwSignal<ComputeState>>) -> ReadSignal<bool> {
    let (slow, set_slow) = signal(false);
    let run = StoredValue::new(0_u32);
    Effect::new(move |_| {
        let running = state.get() == ComputeState::Running;
        let this = run.get_value().wrapping_add(1);
        run.set_value(this);
        if !running {
            set_slow.set(false);
            return;
        }
        let look = move || {
            if run.try_get_value() == Some(this) {
                set_slow.set(true);
            }
        };
        set_timeout(look, PATIENCE);
    });
    slow
}

const fn state_name(state: &ComputeState, slow: bool) -> &'static str {
    match state {
        ComputeState::Idle => "idle",
        ComputeState::Running if slow => "running",
        ComputeState::Running | ComputeState::Done => "done",
        ComputeState::Cancelled => "cancelled",
        ComputeState::Failed(_) => "failed",
    }
}

/// Describes the state of the search, for example "23,112 plans searched."
fn words(plans: PlansSearch, state: &ComputeState, slow: bool) -> String {
    if let ComputeState::Failed(why) = state {
        return format!("Search worker stopped: {why}");
    }
    let Some(searched) = plans.searched.get() else {
        return "Starting search…".to_owned();
    };
    let answer = &searched.answer;
    let done = format::count(answer.found.evaluated as f64);
    let all = format::count(answer.candidates as f64);
    match state {
        ComputeState::Running if slow => format!("Searching: {done} of {all} plans"),
        ComputeState::Cancelled => format!("Canceled after {done} of {all} plans"),
        _ => {
            let plans = format::count(searched.plans() as f64);
            format!("{plans} plans searched.")
        }
    }
}

/// Describes the duration of the search, for example "searched in 96.2 ms".
fn time(plans: PlansSearch) -> Option<String> {
    let seconds = plans.searched.get()?.answer.seconds;
    Some(format!("searched in {}", format::duration(seconds)))
}

fn try_again(plans: PlansSearch) -> AnyView {
    view! {
        <button type="button" class="act" on:click=move |_| plans.compute.try_again()>
            "Try again"
        </button>
    }
    .into_any()
}

/// Draws a note while the page searches without a worker.
fn in_page(plans: PlansSearch) -> Option<AnyView> {
    let why = plans.compute.in_page.get()?;
    Some(
        view! {
            <p class="plans-fallback">
                {format!("Could not start a worker ({why}); searching on the main thread.")}
                " "
                {try_again(plans)}
            </p>
        }
        .into_any(),
    )
}
