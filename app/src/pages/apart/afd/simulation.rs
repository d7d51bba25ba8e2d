//! Shows the state of the simulation: running with progress, done, canceled or failed.

use super::{RatioHalf, asked, is_of, simulation_of};
use crate::compute::ComputeState;
use answer::afd::progress::{Tally, said};
use leptos::prelude::*;
use worker::Request;

/// Draws the state of the simulation and its assumptions.
pub fn simulation(half: RatioHalf) -> AnyView {
    let compute = half.compute;
    // During a drag, the newest answer belongs to an earlier scenario.
    let stale = Memo::new(move |_| {
        half.asked.with(|asked| {
            compute.outcome.with(|outcome| {
                outcome
                    .as_ref()
                    .is_some_and(|outcome| !is_of(outcome, asked))
            })
        })
    });
    let state = Memo::new(move |_| match compute.state.get() {
        ComputeState::Done if stale.get() && half.app.possible() => ComputeState::Running,
        state => state,
    });
    let found = Memo::new(move |_| {
        if stale.get() {
            return None;
        }
        compute
            .outcome
            .with(|outcome| simulation_of(outcome.as_ref()?).map(Tally::of))
    });
    let words = move || said(&state.get(), found.get().as_ref());
    let lengths = half.of(|view| view.lengths.clone());
    let gap = half.of(|view| view.gap.clone());
    view! {
        <div class="simulation">
            <p class="simulation-state" role="status" title=move || gap.get()>
                {words}
                " "
                {move || button(half, &state.get())}
            </p>
            <p class="simulation-lengths tone-muted">{move || lengths.get()}</p>
        </div>
    }
    .into_any()
}

fn button(half: RatioHalf, state: &ComputeState) -> AnyView {
    let compute = half.compute;
    let app = half.app;
    let again = move || {
        compute.run_again(Request::Simulate(app.current.with_untracked(asked)));
    };
    match state {
        ComputeState::Running => view! {
            <button type="button" class="act" on:click=move |_| compute.cancel()>"Cancel"</button>
        }
        .into_any(),
        ComputeState::Cancelled => view! {
            <button type="button" class="act" on:click=move |_| again()>"Simulate again"</button>
        }
        .into_any(),
        ComputeState::Failed(_) => view! {
            <button type="button" class="act" on:click=move |_| compute.try_again()>"Try again"</button>
        }
        .into_any(),
        ComputeState::Idle | ComputeState::Done => ().into_any(),
    }
}
