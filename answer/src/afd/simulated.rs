//! The simulated AFD result, used in the verdict if it is far from the closed form.

use super::decision::Decision;
use crate::words::format;
use model_core::afd::bundle::Bundle;
use model_core::afd::lengths::Distribution;
use worker::simulate::{SimulateAnswer, Simulated};

/// Relative difference from the closed form above which the verdict uses the simulation.
const TRUSTED: f64 = 0.1;
/// If the slowest attention rank takes more than this multiple of the mean time, it is named as a reason.
const SLOWEST: f64 = 1.05;
/// Largest micro-batch that is considered small, in sequences per rank.
const SMALL: f64 = 64.0;

/// The simulation of the A:F split shown, if it differs from the closed form by more than 10%.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimulatedSide {
    /// Throughput, in tok/s/GPU.
    pub per_gpu: f64,
    /// Interactivity, in tok/s/user.
    pub users: f64,
    /// Simulated throughput ÷ closed-form throughput.
    pub throughput: f64,
    /// Simulated interactivity ÷ closed-form interactivity.
    pub interactivity: f64,
    /// True if simulated AFD reaches the interactivity at which both sides are compared.
    pub meets: bool,
    point: Simulated,
    slots: f64,
    closed: [f64; 2],
}

impl SimulatedSide {
    /// Returns the simulation of the A:F split shown; `None` if there is none or it is near the closed form.
    pub fn of(decision: &Decision, simulated: Option<&SimulateAnswer>) -> Option<Self> {
        let asked = decision.asked?;
        let point = *simulated?.points.first()?;
        let instances = f64::from(asked.instances);
        if (point.attention_instances - instances).abs() > 0.5 {
            return None;
        }
        let ranks = instances + 1.0;
        let per_gpu = point.per_instance_generated * ranks / f64::from(decision.sides.gpus);
        let users = 1.0 / point.tpot_s;
        let closed = [asked.point.per_weight_in_flight, asked.users()];
        let [throughput, interactivity] = [per_gpu / closed[0], users / closed[1]];
        let differs = |ratio: f64| (ratio - 1.0).abs() > TRUSTED;
        (differs(throughput) || differs(interactivity)).then_some(Self {
            per_gpu,
            users,
            throughput,
            interactivity,
            meets: users >= decision.users * (1.0 - 1e-9),
            point,
            slots: asked.slots,
            closed,
        })
    }

    /// Describes both results and why they differ: "Simulated AFD: 1.02k tok/s/GPU at 17.2 tok/s/user. Closed form:
    /// 1.84k at 25.0; …".
    pub fn reason(&self, bundle: &Bundle) -> String {
        let [per_gpu, users] = self.closed;
        let varied = !matches!(bundle.lengths.output, Distribution::Fixed(_));
        let mut why = Vec::new();
        if self.point.straggling > SLOWEST {
            let cause = if varied { ", as lengths vary" } else { "" };
            why.push(format!(
                "each step waits for the slowest of {} attention ranks, {} the mean time{cause}",
                format::count(self.point.attention_instances),
                format::factor(self.point.straggling)
            ));
        }
        if self.slots <= SMALL {
            why.push(format!(
                "micro-batches of {} average over few lengths",
                crate::words::names::sequences(self.slots)
            ));
        }
        if why.is_empty() {
            why.push("the closed form assumes mean loads in every step".to_owned());
        }
        format!(
            "Simulated AFD: {} tok/s/GPU at {} tok/s/user. Closed form: {} at {}; {}",
            format::figure(self.per_gpu),
            format::sig3(self.users),
            format::figure(per_gpu),
            format::sig3(users),
            why.join("; ")
        )
    }
}
