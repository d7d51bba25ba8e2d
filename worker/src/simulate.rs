//! Simulations at several ratios in slices, and their answer as numbers.

use crate::numbers::Reader;
use crate::steps::Steps;
use model_core::disagg::decision::Decision;
use model_core::disagg::simulate::{
    Setup, SimulatedStep, Simulation, SimulationEnd, StepInterval as Interval,
};
use model_core::disagg::swept::RecordedSteps;
use model_core::permalink;
use model_core::units::Seconds;

/// Work between two checks of the clock: about a tenth of a millisecond.
const STRIDE: u32 = 16_384;

/// Running simulations, one after another.
#[derive(Debug)]
pub struct SimulateJob {
    setups: Vec<Setup>,
    too_long: usize,
    running: Option<Simulation>,
    outcomes: Vec<SimulationEnd>,
}

impl SimulateJob {
    /// Starts the simulations of the link's own GPUs, else of the unit it states; none for an impossible scenario.
    pub fn new(link: &str) -> Self {
        let inputs = permalink::read(link).current;
        let (setups, too_long) = match (Decision::of(&inputs), inputs.bundle()) {
            (Some(decision), _) => decision.swept(&inputs),
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

    /// Share of the work done.
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

    /// For [`SimulateAnswer::read`].
    fn answer(&self, _: bool, seconds: f64) -> Vec<f64> {
        let mut numbers = vec![
            seconds,
            self.progress(),
            self.setups.len() as f64,
            self.too_long as f64,
            self.outcomes.len() as f64,
        ];
        for (outcome, setup) in self.outcomes.iter().zip(&self.setups) {
            numbers.extend([f64::from(setup.attention_instances), outcome.ratio]);
            numbers.extend(outcome.means());
            numbers.extend([outcome.completed as f64, outcome.steps as f64]);
        }
        let shown = self.outcomes.first().map(|outcome| outcome.shown());
        numbers.push(f64::from(u8::from(shown.is_some())));
        if let Some(shown) = shown {
            push_timeline(&mut numbers, &shown);
        }
        numbers
    }
}

fn push_timeline(numbers: &mut Vec<f64>, shown: &RecordedSteps) {
    numbers.push(shown.steps.len() as f64);
    for step in &shown.steps {
        numbers.push(step.batch as f64);
        for interval in [&step.out, &step.ffn, &step.back] {
            numbers.extend([interval.start.get(), interval.end.get()]);
        }
        numbers.push(step.attention.len() as f64);
        for interval in &step.attention {
            numbers.extend([interval.start.get(), interval.end.get()]);
        }
    }
}

/// A simulated ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Simulated {
    /// Attention ranks, x.
    pub attention_instances: f64,
    /// r = x/y.
    pub ratio: f64,
    /// Tokens per second and rank over the first 80 % of completions.
    pub per_instance: f64,
    /// Tokens per second and rank, requests still running included.
    pub per_instance_generated: f64,
    /// Mean time per output token.
    pub tpot_s: f64,
    /// Share of time that attention is idle.
    pub idle_attention: f64,
    /// Share of time that the feed-forward is idle.
    pub idle_ffn: f64,
    /// Time of the slowest over the mean attention rank.
    pub straggling: f64,
    /// Requests completed.
    pub completed: f64,
    /// Steps of both micro-batches.
    pub steps: f64,
}

/// Results of the simulations so far.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulateAnswer {
    /// Seconds spent.
    pub seconds: f64,
    /// Share of the work done.
    pub progress: f64,
    /// Ratios to simulate.
    pub wanted: usize,
    /// Ratios left out because they would take too long.
    pub too_long: usize,
    /// Finished ratios, the one in question first.
    pub points: Vec<Simulated>,
    /// A few steps at the ratio in question.
    pub timeline: Option<RecordedSteps>,
}

impl SimulateAnswer {
    /// Reads numbers of [`SimulateJob`]; `None` if they are invalid.
    pub fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            seconds: reader.number()?,
            progress: reader.number()?,
            wanted: reader.count()?,
            too_long: reader.count()?,
            points: reader.many(simulated)?,
            timeline: reader.many(timeline)?.pop(),
        })
    }
}

fn simulated(reader: &mut Reader<'_>) -> Option<Simulated> {
    Some(Simulated {
        attention_instances: reader.number()?,
        ratio: reader.number()?,
        per_instance: reader.number()?,
        per_instance_generated: reader.number()?,
        tpot_s: reader.number()?,
        idle_attention: reader.number()?,
        idle_ffn: reader.number()?,
        straggling: reader.number()?,
        completed: reader.number()?,
        steps: reader.number()?,
    })
}

fn timeline(reader: &mut Reader<'_>) -> Option<RecordedSteps> {
    Some(RecordedSteps {
        steps: reader.many(|reader| {
            Some(SimulatedStep {
                batch: reader.count()?,
                out: interval(reader)?,
                ffn: interval(reader)?,
                back: interval(reader)?,
                attention: reader.many(interval)?,
            })
        })?,
    })
}

fn interval(reader: &mut Reader<'_>) -> Option<Interval> {
    Some(Interval {
        start: Seconds::new(reader.number()?),
        end: Seconds::new(reader.number()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::whole;
    use crate::message::{Answer, Request};

    const LINK: &str = "v=1&latencies=table2&requests=200&slots=16&r=3";

    fn read(numbers: &[f64]) -> Option<SimulateAnswer> {
        let request = Request::Simulate { link: LINK.into() };
        match Answer::read(&request, numbers)? {
            Answer::Simulate(answer) => Some(answer),
            _ => None,
        }
    }

    #[test]
    fn answer_round_trip() {
        let mut job = SimulateJob::new(LINK);
        let mut progress = 0.0;
        let mut steps = 1;
        while job.step() {
            assert!(job.progress() >= progress);
            progress = job.progress();
            steps += 1;
        }
        assert!(steps > job.setups.len());
        let answer = read(&job.answer(true, 0.5)).expect("an answer");
        assert_eq!(answer.points.len(), answer.wanted);
        assert!((answer.progress - 1.0).abs() < 1e-12);
        let direct = Simulation::run(job.setups[0]).expect("it ends");
        assert_eq!(answer.timeline, Some(direct.shown()));
        assert!((answer.points[0].per_instance / direct.per_instance - 1.0).abs() < 1e-15);
    }

    #[test]
    fn cut_and_impossible_answers() {
        let numbers = whole(&Request::Simulate { link: LINK.into() });
        for end in [0, 3, 20, numbers.len() - 1] {
            assert!(read(&numbers[..end]).is_none(), "{end}");
        }
        assert!(!SimulateJob::new("v=1&tp=5").step());
    }
}
