//! A:F ratios to simulate, and the plotted steps of a simulation.

use super::bundle::Bundle;
use super::simulate::{Setup, SimulatedStep, SimulationEnd, StepInterval};
use crate::units::Seconds;

impl Bundle {
    /// Returns the xAyF units to simulate, starting with the one shown. The other units have 1/8 to 4 times P attention
    /// ranks. P is the largest power of two up to the best number of attention ranks. For the unit in [R], these are
    /// the ratios of [R]: r = 1, 2, 4, 8, 16, 24, 32.
    ///
    /// The second value counts the units omitted because they would need too much time or memory.
    pub fn swept(&self) -> (Vec<Setup>, usize) {
        const FACTORS: [f64; 7] = [1.0, 2.0, 0.5, 3.0, 0.25, 4.0, 0.125];
        let per_ffn = f64::from(self.ffn_instances);
        let best = (self.answer().best.ratio * per_ffn).clamp(1.0, 1e6);
        let mut power = 1.0;
        while power * 2.0 <= best {
            power *= 2.0;
        }
        let asked = self.asked().ratio;
        let ratios = FACTORS.map(|factor| power * factor / per_ffn);
        let mut setups: Vec<Setup> = Vec::new();
        let mut too_long = 0;
        for ratio in std::iter::once(asked).chain(ratios) {
            if ratio * per_ffn < 0.5 && !setups.is_empty() {
                continue;
            }
            let setup = self.setup(ratio);
            let known = setups
                .iter()
                .any(|other| other.attention_instances == setup.attention_instances);
            if setup.refusal().is_some() {
                too_long += 1;
            } else if !known {
                setups.push(setup);
            }
        }
        (setups, too_long)
    }
}

/// Recorded steps of a simulation, reduced to the slowest and the mean attention rank.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RecordedSteps {
    /// Steps in the order they started. In each step, `attention` has two intervals: that of the slowest rank, then
    /// the mean over ranks.
    pub steps: Vec<SimulatedStep>,
}

impl SimulationEnd {
    /// Returns the recorded steps, reduced to the slowest and the mean attention rank.
    pub fn shown(&self) -> RecordedSteps {
        let steps = self.timeline.iter().map(|step| SimulatedStep {
            attention: slowest(step).into_iter().chain(mean(step)).collect(),
            ..step.clone()
        });
        RecordedSteps {
            steps: steps.collect(),
        }
    }
}

fn slowest(step: &SimulatedStep) -> Option<StepInterval> {
    let length = |interval: &StepInterval| (interval.end - interval.start).get();
    step.attention.iter().copied().reduce(|most, next| {
        if length(&next) > length(&most) {
            next
        } else {
            most
        }
    })
}

fn mean(step: &SimulatedStep) -> Option<StepInterval> {
    let count = step.attention.len() as f64;
    let of = |time: fn(&StepInterval) -> Seconds| {
        step.attention
            .iter()
            .map(|interval| time(interval).get())
            .sum::<f64>()
            / count
    };
    (count > 0.0).then(|| StepInterval {
        start: Seconds::new(of(|interval| interval.start)),
        end: Seconds::new(of(|interval| interval.end)),
    })
}

#[cfg(test)]
mod tests {
    use crate::afd::simulate::Simulation;
    use crate::permalink;

    #[test]
    fn paper_r_sweep() {
        let link = "v=1&latencies=table2&r=10";
        let bundle = permalink::read(link).current.bundle().unwrap();
        let (setups, too_long) = bundle.swept();
        let mut tried: Vec<u32> = setups
            .iter()
            .map(|setup| setup.attention_instances)
            .collect();
        assert_eq!(tried.remove(0), 10, "what is asked about comes first");
        tried.sort_unstable();
        assert_eq!(tried, [1, 2, 4, 8, 16, 24, 32]);
        assert_eq!(too_long, 0);
    }

    #[test]
    fn shown_slowest_and_mean_rank() {
        let link = "v=1&latencies=table2&requests=300&slots=16&r=24";
        let bundle = permalink::read(link).current.bundle().unwrap();
        let outcome = Simulation::run(bundle.setup(24.0)).unwrap();
        let shown = outcome.shown();
        assert_eq!(shown.steps.len(), outcome.timeline.len());
        for (step, all) in shown.steps.iter().zip(&outcome.timeline) {
            let length = |interval: &crate::afd::simulate::StepInterval| {
                (interval.end - interval.start).get()
            };
            let lengths: Vec<f64> = all.attention.iter().map(length).collect();
            let longest = lengths.iter().copied().fold(0.0, f64::max);
            let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
            let [slowest, middle] = [length(&step.attention[0]), length(&step.attention[1])];
            assert!((slowest / longest - 1.0).abs() < 1e-9 && (middle / mean - 1.0).abs() < 1e-9);
        }
    }
}
