//! Together or apart: the one comparison that the verdict, the figures and the chart speak of.
//!
//! The same GPUs, the same users' speed, each side in its best way there.

use model_core::disagg::own::{Duel, How, Parts, Way};
use model_core::evaluate::evaluate;
use model_core::plan::Overlap;
use model_core::scenario::Inputs;

/// Sides whose throughput is within this of each other are the same.
pub const SAME: f64 = 1.03;

/// The comparison at the speed that matters.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Both sides at every speed.
    pub duel: Duel,
    /// Users get at least this: the SLO, else what they have together, else what they would.
    pub users: f64,
    /// The best together there.
    pub together: Option<Way>,
    /// The best apart there.
    pub apart: Option<Way>,
}

/// Which side it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Winner {
    /// Every GPU does everything.
    Together,
    /// Attention and feed-forward on GPUs of their own.
    Apart,
    /// It makes no difference.
    Neither,
}

impl Decision {
    /// The comparison for `inputs`; `None` where the latencies are not of these GPUs, or neither side
    /// has a way.
    pub fn of(inputs: &Inputs) -> Option<Self> {
        let duel = Duel::of(inputs)?;
        let scenario = inputs.scenario().ok()?;
        let now = evaluate(&scenario)
            .ok()
            .filter(|now| now.memory.fits())
            .map(|now| now.tokens_per_user);
        let most = |ways: &[Way]| ways.last().map(|way| way.users);
        let users = scenario
            .workload
            .slo
            .or(now)
            .or_else(|| most(&duel.together))
            .or_else(|| most(&duel.apart))?;
        // The present batch may be none of the ways tried, and a hair faster than the next of them.
        let users = users * (1.0 - 1e-9);
        let (together, apart) = (
            duel.together_at(users).copied(),
            duel.apart_at(users).copied(),
        );
        Some(Self {
            duel,
            users,
            together,
            apart,
        })
    }

    /// Throughput apart over together.
    pub fn factor(&self) -> Option<f64> {
        Some(self.apart?.per_gpu / self.together?.per_gpu)
    }

    /// The side with more; `None` where neither reaches the speed.
    pub fn winner(&self) -> Option<Winner> {
        match (&self.together, &self.apart) {
            (None, None) => None,
            (Some(_), None) => Some(Winner::Together),
            (None, Some(_)) => Some(Winner::Apart),
            (Some(together), Some(apart)) => {
                let factor = apart.per_gpu / together.per_gpu;
                Some(if factor >= SAME {
                    Winner::Apart
                } else if factor > 1.0 / SAME {
                    Winner::Neither
                } else {
                    Winner::Together
                })
            }
        }
    }

    /// The parts of the best way apart.
    pub fn parts(&self) -> Option<Parts> {
        parts(self.apart.as_ref()?)
    }
}

/// The parts of a way apart.
pub const fn parts(way: &Way) -> Option<Parts> {
    match way.how {
        How::Apart(parts) => Some(parts),
        How::Together(_) => None,
    }
}

/// "32 A + 40 F".
pub fn name(parts: &Parts) -> String {
    format!("{} A + {} F", parts.attention, parts.ffn)
}

/// A schedule together, after its name.
pub const fn schedule(way: &Way) -> &'static str {
    match way.how {
        How::Together(Overlap::TwoBatch) => "overlapped",
        How::Together(Overlap::HopB) => "HOP-B",
        How::Together(Overlap::Sequential) | How::Apart(_) => "no overlap",
    }
}
