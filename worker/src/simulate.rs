//! Simulates an xAyF unit at several attention-to-FFN ratios, in time slices.

use crate::steps::Steps;
use model_core::afd::decision::Decision;
use model_core::afd::simulate::{Setup, Simulation, SimulationEnd};
use model_core::afd::swept::RecordedSteps;
use model_core::inputs::Inputs;
use serde::{Deserialize, Serialize};

/// Simulation work between two checks of the clock, in steps × attention ranks; takes about 0.1 ms.
const STRIDE: u32 = 16_384;

/// A job of AFD simulations that run one after another.
#[derive(Debug)]
pub struct SimulateJob {
    setups: Vec<Setup>,
    too_long: usize,
    running: Option<Simulation>,
    outcomes: Vec<SimulationEnd>,
}

impl SimulateJob {
    /// Starts simulations across A:F splits of the scenario's GPUs or, if there are no splits, across ratios of the
    /// xAyF unit. An invalid scenario has no simulations.
    pub fn new(inputs: &Inputs) -> Self {
        let (setups, too_long) = match (Decision::of(inputs), inputs.bundle()) {
            (Some(decision), _) => decision.swept(inputs),
            (None, Ok(bundle)) => bundle.swept(),
            (None, Err(_)) => (Vec::new(), 0),
        };
        Self {
            running: setups.first().copied().map(Simulation::new),
            setups,
            too_long,
            outcomes: Vec::new(),
        }
    }

    /// Returns the share of the work that is done.
    fn progress(&self) -> f64 {
        let all: f64 = self.setups.iter().map(Setup::work).sum();
        let done: f64 = self
            .setups
            .iter()
            .take(self.outcomes.len())
            .map(Setup::work)
            .sum();
        let under_way = self.running.as_ref().map_or(0.0, |simulation| {
            simulation.progress() * simulation.setup().work()
        });
        if all > 0.0 {
            (done + under_way) / all
        } else {
            1.0
        }
    }
}

impl Steps for SimulateJob {
    type Answer = SimulateAnswer;

    fn step(&mut self) -> bool {
        if let Some(simulation) = &mut self.running {
            let steps = (STRIDE / simulation.setup().attention_instances).max(1);
            if simulation.advance(steps) {
                self.outcomes.extend(simulation.outcome());
                let next = self.setups.get(self.outcomes.len()).copied();
                self.running = next.map(Simulation::new);
            }
        }
        self.running.is_some()
    }

    fn answer(&self, _: bool, seconds: f64) -> Option<SimulateAnswer> {
        let points = self.outcomes.iter().zip(&self.setups);
        Some(SimulateAnswer {
            seconds,
            progress: self.progress(),
            wanted: self.setups.len(),
            too_long: self.too_long,
            points: points
                .map(|(end, setup)| Simulated::of(end, setup))
                .collect(),
            timeline: self.outcomes.first().map(SimulationEnd::shown),
        })
    }
}

/// Simulation result at one attention-to-FFN ratio.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Simulated {
    /// Number of attention ranks, x.
    pub attention_instances: f64,
    /// Attention-to-FFN ratio, r = x/y.
    pub ratio: f64,
    /// Throughput, in tokens/s/rank, until 80% of the requests have completed, counting only tokens of completed
    /// requests.
    pub per_instance: f64,
    /// Throughput, in tokens/s/rank, until 80% of the requests have completed, counting every generated token.
    pub per_instance_generated: f64,
    /// Mean time per output token, in seconds.
    pub tpot_s: f64,
    /// Share of the time during which the attention ranks are idle.
    pub idle_attention: f64,
    /// Share of the time during which the FFN ranks are idle.
    pub idle_ffn: f64,
    /// Attention time of the slowest rank in each step ÷ mean attention time of all ranks, each summed over all
    /// steps.
    pub straggling: f64,
    /// Number of completed requests in the simulation.
    pub completed: f64,
    /// Number of simulated steps, counting both micro-batches.
    pub steps: f64,
}

impl Simulated {
    fn of(end: &SimulationEnd, setup: &Setup) -> Self {
        Self {
            attention_instances: f64::from(setup.attention_instances),
            ratio: end.ratio,
            per_instance: end.per_instance,
            per_instance_generated: end.per_instance_generated,
            tpot_s: end.tpot.get(),
            idle_attention: end.idle_attention,
            idle_ffn: end.idle_ffn,
            straggling: end.straggling,
            completed: end.completed as f64,
            steps: end.steps as f64,
        }
    }
}

/// Results of the simulations so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SimulateAnswer {
    /// Time spent on the simulations, in seconds.
    pub seconds: f64,
    /// Share of the work that is done.
    pub progress: f64,
    /// Number of ratios to simulate.
    pub wanted: usize,
    /// Number of ratios left out because their simulation would take too long.
    pub too_long: usize,
    /// Results at the finished ratios; the scenario's ratio comes first.
    pub points: Vec<Simulated>,
    /// A few recorded steps at the scenario's ratio.
    pub timeline: Option<RecordedSteps>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink;

    fn job(link: &str) -> SimulateJob {
        SimulateJob::new(&permalink::read(link).current)
    }

    #[test]
    fn every_ratio_is_simulated() {
        let mut job = job("v=1&latencies=table2&requests=200&slots=16&r=3");
        let mut progress = 0.0;
        let mut steps = 1;
        while job.step() {
            assert!(job.progress() >= progress);
            progress = job.progress();
            steps += 1;
        }
        assert!(steps > job.setups.len());
        let Some(answer) = job.answer(true, 0.5) else {
            panic!("no answer");
        };
        assert_eq!(answer.points.len(), answer.wanted);
        assert!((answer.progress - 1.0).abs() < 1e-12);
        let direct = Simulation::run(job.setups[0]).expect("it ends");
        assert_eq!(answer.timeline, Some(direct.shown()));
        assert_eq!(answer.points[0], Simulated::of(&direct, &job.setups[0]));
    }

    #[test]
    fn an_invalid_scenario_has_no_steps() {
        assert!(!job("v=1&tp=5").step());
    }
}
