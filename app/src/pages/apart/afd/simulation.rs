//! State of the simulation: running with progress, done, canceled, broken.

use super::{RatioHalf, asked, is_of, simulation_of};
use crate::compute::ComputeState;
use answer::words::format;
use leptos::prelude::*;
use worker::Request;
use worker::simulate::SimulateAnswer;

/// State of the simulation, and what it assumes.
pub fn simulation(half: RatioHalf) -> AnyView {
    let compute = half.compute;
    // During a drag the answer is of an earlier scenario.
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

/// Numbers of an answer for the line.
#[derive(Debug, Clone, PartialEq)]
struct Tally {
    progress: f64,
    done: usize,
    wanted: usize,
    too_long: usize,
    requests: f64,
    seconds: f64,
}

impl Tally {
    fn of(answer: &SimulateAnswer) -> Self {
        Self {
            progress: answer.progress,
            done: answer.points.len(),
            wanted: answer.wanted,
            too_long: answer.too_long,
            requests: answer.points.iter().map(|point| point.completed).sum(),
            seconds: answer.seconds,
        }
    }
}

fn said(state: &ComputeState, found: Option<&Tally>) -> String {
    let ratios = |count: usize| {
        let word = if count == 1 { "split" } else { "splits" };
        format!("{} {word}", format::in_words(count))
    };
    let left_out = found
        .filter(|tally| tally.too_long > 0)
        .map_or_else(String::new, |tally| {
            format!(
                " {} skipped (too long to simulate).",
                format::capital(&ratios(tally.too_long))
            )
        });
    match (state, found) {
        (ComputeState::Idle, _) => String::new(),
        (ComputeState::Running, Some(tally)) if tally.progress < 1.0 => format!(
            "Simulating: {} of {} done.",
            format::in_words(tally.done),
            ratios(tally.wanted)
        ),
        (ComputeState::Running, _) => "Simulating…".to_owned(),
        (ComputeState::Done, Some(tally)) if tally.wanted == 0 => {
            format!("Nothing simulated.{left_out}")
        }
        (ComputeState::Done, Some(tally)) => format!(
            "{} simulated, {} requests in {}.{left_out}",
            format::capital(&ratios(tally.done)),
            format::si(tally.requests),
            format::duration(tally.seconds)
        ),
        (ComputeState::Cancelled, tally) => format!(
            "Canceled; {} simulated.",
            ratios(tally.map_or(0, |tally| tally.done))
        ),
        (ComputeState::Failed(why), _) => format!("Simulation failed: {why}."),
        (ComputeState::Done, None) => "Nothing simulated.".to_owned(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_says_how_it_is() {
        let tally = Tally {
            progress: 0.5,
            done: 3,
            wanted: 8,
            too_long: 0,
            requests: 1_060_000.0,
            seconds: 0.0912,
        };
        let says = |state: ComputeState| said(&state, Some(&tally));
        assert_eq!(
            says(ComputeState::Running),
            "Simulating: three of eight splits done."
        );
        assert_eq!(
            says(ComputeState::Cancelled),
            "Canceled; three splits simulated."
        );
        assert_eq!(
            says(ComputeState::Done),
            "Three splits simulated, 1.06M requests in 91.2 ms."
        );
        let long = Tally {
            wanted: 0,
            done: 0,
            too_long: 1,
            ..tally.clone()
        };
        assert_eq!(
            said(&ComputeState::Done, Some(&long)),
            "Nothing simulated. One split skipped (too long to simulate)."
        );
        assert_eq!(said(&ComputeState::Running, None), "Simulating…");
    }
}
