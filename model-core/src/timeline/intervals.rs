//! Intervals of work on the lanes of a timeline.

use crate::cost::collective::Collective;
use crate::ops::Kind;
use crate::units::Seconds;

/// Work in an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// One operator.
    Operator(Kind),
    /// Dispatch of tokens to experts.
    Dispatch,
    /// Combine of the experts' outputs.
    Combine,
    /// Any other collective.
    Message(Collective),
    /// Kernel launches and framework overhead.
    Overhead,
    /// Everything a pipeline stage does for one micro-batch.
    Stage,
}

impl Work {
    /// The collective that carries it; `None` for work of the GPU itself.
    pub const fn collective(self) -> Option<Collective> {
        match self {
            Self::Dispatch | Self::Combine => Some(Collective::ExpertAllToAll),
            Self::Message(collective) => Some(collective),
            Self::Operator(_) | Self::Overhead | Self::Stage => None,
        }
    }
}

/// Lane of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Compute and memory of the GPU.
    Compute,
    /// Communication of the GPU.
    Network,
    /// One stage of a pipeline.
    Stage(u32),
}

/// Unit of [`Interval::batch`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Portion {
    /// The whole batch, undivided.
    Whole,
    /// Half batches.
    Half,
    /// Requests, or groups of equally many.
    Requests,
    /// Micro-batches of a pipeline.
    MicroBatch,
}

/// One interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lane.
    pub lane: Lane,
    /// Work.
    pub work: Work,
    /// Half batch, request or micro-batch, from 0.
    pub batch: u32,
    /// Start time.
    pub start: Seconds,
    /// End time.
    pub end: Seconds,
}

impl Interval {
    /// Duration.
    pub fn time(&self) -> Seconds {
        self.end - self.start
    }
}

/// One layer (or, under pipelining, one round of micro-batches).
#[derive(Debug, Clone, PartialEq)]
pub struct Timeline {
    /// Intervals by lane and start.
    pub intervals: Vec<Interval>,
    /// Total duration.
    pub span: Seconds,
    /// Unit of the batches.
    pub portion: Portion,
    /// Number of batches drawn separately.
    pub drawn: u32,
    /// Number of batches.
    pub batches: f64,
}

impl Timeline {
    /// The lanes, in order.
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

    /// The intervals of one lane, by start.
    pub fn lane(&self, lane: Lane) -> impl Iterator<Item = &Interval> {
        self.intervals.iter().filter(move |i| i.lane == lane)
    }

    /// Busy time of a lane.
    pub fn busy(&self, lane: Lane) -> Seconds {
        self.lane(lane).map(Interval::time).sum()
    }

    /// Idle intervals of a lane, start and end, ignoring rounding.
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

/// Most requests, micro-batches or stages drawn separately; more are grouped into this many.
pub const DRAWN: u32 = 16;
