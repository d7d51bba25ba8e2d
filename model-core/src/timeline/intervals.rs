//! Timelines: time intervals of work, each on one lane (row).

use crate::cost::collective::Collective;
use crate::ops::Kind;
use crate::units::Seconds;

/// The work done in an interval of a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// One operator of the layer, such as a projection.
    Operator(Kind),
    /// Dispatch of tokens to experts.
    Dispatch,
    /// Combine of the experts' outputs.
    Combine,
    /// A collective other than dispatch and combine.
    Message(Collective),
    /// Framework and engine overhead of the layer. Kernel launches are part of the operators' times.
    Overhead,
    /// All work of a pipeline stage for one micro-batch.
    Stage,
}

impl Work {
    /// Returns the collective that performs this work; `None` if it is compute, overhead or a whole pipeline stage.
    pub const fn collective(self) -> Option<Collective> {
        match self {
            Self::Dispatch | Self::Combine => Some(Collective::ExpertAllToAll),
            Self::Message(collective) => Some(collective),
            Self::Operator(_) | Self::Overhead | Self::Stage => None,
        }
    }
}

/// Lane (row) of the timeline on which an interval is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Compute and memory accesses of the GPU.
    Compute,
    /// Communication of the GPU with other GPUs.
    Network,
    /// One stage of a pipeline, given by its index.
    Stage(u32),
}

/// The unit of work that [`Interval::batch`] counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Portion {
    /// The whole batch as one unit.
    Whole,
    /// Each half batch is a unit.
    Half,
    /// Each request, or each group of several requests, is a unit.
    Requests,
    /// Each micro-batch of a pipeline is a unit.
    MicroBatch,
}

/// A time interval of work on one lane of a timeline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lane (row) on which the interval is drawn.
    pub lane: Lane,
    /// Work done in the interval.
    pub work: Work,
    /// Index of the half batch, request or micro-batch that is processed, from 0.
    pub batch: u32,
    /// Start time of the interval.
    pub start: Seconds,
    /// End time of the interval.
    pub end: Seconds,
}

impl Interval {
    /// Returns the duration of the interval.
    pub fn time(&self) -> Seconds {
        self.end - self.start
    }
}

/// Timeline of one layer or, with pipeline parallelism, of one round of micro-batches.
#[derive(Debug, Clone, PartialEq)]
pub struct Timeline {
    /// Time intervals of the timeline; within each lane, they are ordered by start time.
    pub intervals: Vec<Interval>,
    /// Total duration of the timeline.
    pub span: Seconds,
    /// The unit of work that [`Interval::batch`] counts.
    pub portion: Portion,
    /// Number of units (half batches, requests or micro-batches) that are drawn separately.
    pub drawn: u32,
    /// Number of units (half batches, requests or micro-batches), including units that are not drawn separately.
    pub batches: f64,
}

impl Timeline {
    /// Returns the lanes of the timeline in drawing order.
    pub fn lanes(&self) -> Vec<Lane> {
        let stages = self.intervals.iter().filter_map(|i| match i.lane {
            Lane::Stage(stage) => Some(stage),
            _ => None,
        });
        match stages.max() {
            Some(last) => (0..=last).map(Lane::Stage).collect(),
            None => vec![Lane::Compute, Lane::Network],
        }
    }

    /// Iterates over the intervals of one lane, ordered by start time.
    pub fn lane(&self, lane: Lane) -> impl Iterator<Item = &Interval> {
        self.intervals.iter().filter(move |i| i.lane == lane)
    }

    /// Returns the total busy time of a lane, the sum of its intervals.
    pub fn busy(&self, lane: Lane) -> Seconds {
        self.lane(lane).map(Interval::time).sum()
    }

    /// Returns the start and end times of the idle intervals of a lane. Gaps due to rounding are ignored.
    pub fn gaps(&self, lane: Lane) -> Vec<(Seconds, Seconds)> {
        let least = self.span * 1e-9;
        let mut gaps = Vec::new();
        let mut at = Seconds::ZERO;
        for interval in self.lane(lane) {
            if interval.start - at > least {
                gaps.push((at, interval.start));
            }
            at = at.max(interval.end);
        }
        if self.span - at > least {
            gaps.push((at, self.span));
        }
        gaps
    }
}

/// Max number of requests, micro-batches or stages drawn separately. If there are more, they are grouped into this
/// many.
pub const DRAWN: u32 = 16;
