//! Limits on the running time and memory of a simulation.

use super::Setup;
use super::slots::WHEEL;
use crate::afd::lengths::Distribution;
use crate::refusal::Refusal;

impl Setup {
    /// Returns the expected number of steps to serve all requests, counting both micro-batches; at least
    /// [`Self::first_end`].
    fn turns(&self) -> f64 {
        let steps = self.lengths.steps();
        let in_turn = f64::from(self.requests) * steps / f64::from(self.slots);
        in_turn.max(self.first_end())
    }

    /// Returns the expected number of steps until the first requests finish, counting both micro-batches. A request
    /// takes D + 1 steps; a geometric output may end in the first step.
    fn first_end(&self) -> f64 {
        match self.lengths.output {
            Distribution::Geometric(_) => 1.0,
            Distribution::Fixed(_) | Distribution::Weibull { .. } => 2.0 * self.lengths.steps(),
        }
    }

    /// Returns the expected work of a simulation in arbitrary units: 1 per step of a rank, 4 per completed request, 8
    /// per request slot. Each visit to a request in the timing wheel, except at its last step,
    /// adds 2.
    pub fn work(&self) -> f64 {
        let instances = f64::from(self.attention_instances);
        let requests = f64::from(self.requests);
        let slots = f64::from(self.slots);
        let turns = self.turns();
        let early = turns * slots / WHEEL as f64;
        instances * (turns + 4.0 * requests + 8.0 * slots + 2.0 * early)
    }

    /// Returns the number of requests in flight. All of them are stored in memory.
    pub fn seats(&self) -> f64 {
        2.0 * f64::from(self.attention_instances) * f64::from(self.slots)
    }

    /// Maximum work of a simulation, in arbitrary units; this much takes a few seconds on a desktop computer.
    pub const MOST_WORK: f64 = 4e8;
    /// Maximum number of requests in flight; this many take a few hundred megabytes.
    pub const MOST_SEATS: f64 = 8e6;

    /// Returns the limit that the simulation exceeds, if any.
    pub fn refusal(&self) -> Option<Refusal> {
        let instances = self.attention_instances;
        if self.seats() > Self::MOST_SEATS {
            Some(Refusal::LargeSimulation {
                instances,
                slots: self.slots,
            })
        } else if self.work() <= Self::MOST_WORK {
            None
        } else if self.turns() <= self.first_end() {
            Some(Refusal::EndlessSimulation {
                instances,
                steps: self.lengths.steps() as u64,
            })
        } else {
            Some(Refusal::LongSimulation {
                instances,
                requests: self.requests,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::permalink;
    use crate::refusal::Refusal;

    fn refusal(link: &str) -> Option<Refusal> {
        let bundle = permalink::read(link).current.bundle().unwrap();
        bundle.setup(bundle.asked().ratio).refusal()
    }

    #[test]
    fn the_papers_simulation_is_run() {
        assert_eq!(refusal("v=1&mode=simulate&latencies=table2&r=32"), None);
        assert_eq!(
            refusal("v=1&mode=simulate&latencies=table2&r=32&requests=100k"),
            None
        );
    }

    #[test]
    fn endless_simulations_are_refused() {
        let long =
            "v=1&mode=simulate&latencies=table2&lengths=fixed&mu_d=1M&requests=1&slots=1000&r=3000";
        let found = refusal(long);
        assert!(
            matches!(found, Some(Refusal::EndlessSimulation { instances: 3000, steps }) if steps > 1_000_000 - 1),
            "{found:?}"
        );
        let text = found.unwrap().to_string();
        assert!(
            text.contains("output") && text.contains("lower r"),
            "{text}"
        );
        assert_eq!(
            refusal(&long.replace("1M", "50").replace("1000", "100")),
            None
        );
    }

    #[test]
    fn too_many_requests_in_flight() {
        let link = "v=1&mode=simulate&lengths=fixed&mu_d=100&requests=2&alpha_c_us=0&ffn_instances=3&alpha_us=10000&alpha_f_us=0.1&mu_p=3";
        let found = refusal(link);
        assert!(
            matches!(found, Some(Refusal::LargeSimulation { .. })),
            "{found:?}"
        );
        let text = found.unwrap().to_string();
        assert!(text.contains("fewer sequences"), "{text}");
        assert_eq!(refusal(&format!("{link}&r=2")), None);
    }
}
