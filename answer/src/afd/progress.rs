//! The status line of the AFD simulation.

use crate::words::format;
use worker::queue::ComputeState;
use worker::simulate::SimulateAnswer;

/// Progress and totals of an AFD simulation, for its status line.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// Fraction of the simulation that is done.
    pub progress: f64,
    /// Number of A:F splits simulated so far.
    pub done: usize,
    /// Number of A:F splits to simulate.
    pub wanted: usize,
    /// Number of A:F splits skipped because they would take too long.
    pub too_long: usize,
    /// Number of simulated requests that are complete.
    pub requests: f64,
    /// Time that the simulation has taken, in seconds.
    pub seconds: f64,
}

impl Tally {
    /// Collects the totals of a simulation so far.
    pub fn of(answer: &SimulateAnswer) -> Self {
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

/// Returns the status line: the progress, the totals, or the reason why nothing was simulated.
pub fn said(state: &ComputeState, found: Option<&Tally>) -> String {
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
