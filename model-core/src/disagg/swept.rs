//! Which ratios a simulation tries, and which instances its picture shows.

use super::bundle::Bundle;
use super::simulate::{Interval, Outcome, Setup, Step};

impl Bundle {
    /// Bundles to simulate, what is asked about first: then around the largest power of two of
    /// attention instances below the best ratio, from an eighth of it to four times. For [R]'s own
    /// bundle these are its r = 1, 2, 4, 8, 16, 24, 32.
    ///
    /// The second value counts those that are left out because they would take too long or too much memory.
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

/// Some attention instances of a recorded piece of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// Which instances, ascending, counted from zero.
    pub instances: Vec<usize>,
    /// Steps in the order they began, each with the intervals of those instances alone.
    pub steps: Vec<Step>,
}

impl Outcome {
    /// The slowest instance of each recorded step, and others up to `most` in all.
    pub fn shown(&self, most: usize) -> Shown {
        let slowest = |step: &Step| {
            let length = |interval: &Interval| interval.end - interval.start;
            (0..step.attention.len()).max_by(|a, b| {
                let (a, b) = (length(&step.attention[*a]), length(&step.attention[*b]));
                a.get().total_cmp(&b.get())
            })
        };
        let count = self.timeline.first().map_or(0, |step| step.attention.len());
        let mut instances: Vec<usize> = Vec::new();
        for instance in self.timeline.iter().filter_map(slowest).chain(0..count) {
            if instances.len() < most && !instances.contains(&instance) {
                instances.push(instance);
            }
        }
        instances.sort_unstable();
        let steps = self
            .timeline
            .iter()
            .map(|step| Step {
                attention: instances
                    .iter()
                    .map(|instance| step.attention[*instance])
                    .collect(),
                ..step.clone()
            })
            .collect();
        Shown { instances, steps }
    }
}

#[cfg(test)]
mod tests {
    use crate::disagg::simulate::Simulation;
    use crate::permalink;

    #[test]
    fn the_papers_bundle_is_swept_as_in_the_paper() {
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
    fn a_picture_has_the_slowest_instances() {
        let link = "v=1&latencies=table2&requests=300&slots=16&r=24";
        let bundle = permalink::read(link).current.bundle().unwrap();
        let outcome = Simulation::run(bundle.setup(24.0)).unwrap();
        let shown = outcome.shown(5);
        assert_eq!(shown.instances.len(), 5);
        for (step, all) in shown.steps.iter().zip(&outcome.timeline) {
            let last = |step: &crate::disagg::simulate::Step| {
                step.attention
                    .iter()
                    .map(|interval| interval.end.get())
                    .fold(0.0, f64::max)
            };
            assert_eq!(step.attention.len(), 5);
            assert!(last(step) > 0.999 * last(all));
        }
    }
}
