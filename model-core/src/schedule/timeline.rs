//! A schedule as data: which interval of attention, feed-forward and messages runs when in one layer.
//!
//! The intervals are those the times of [`super::step`] are made of, so that their span is the
//! layer's share of the step.

use super::hop_b;
use crate::cost::calibration::Fold;
use crate::cost::collective::{Collective, Message};
use crate::evaluate::Evaluation;
use crate::ops::{Kind, Role};
use crate::plan::Overlap;
use crate::scenario::Scenario;
use crate::units::Seconds;

/// What occupies a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// One operator (operator fold).
    Operator(Kind),
    /// A whole block, whose operators the block fold does not tell apart.
    Block(Role),
    /// A collective.
    Message(Collective),
    /// Everything a pipeline stage does for one micro-batch.
    Stage,
}

/// Where an interval is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Arithmetic and memory of the GPU.
    Compute,
    /// Its links.
    Network,
    /// One stage of a pipeline.
    Stage(u32),
}

/// One interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Where.
    pub lane: Lane,
    /// What.
    pub work: Work,
    /// Half batch, request or micro-batch, from 0.
    pub batch: u32,
    /// Begin.
    pub start: Seconds,
    /// End.
    pub end: Seconds,
}

/// One layer (or, under pipelining, one round of micro-batches).
#[derive(Debug, Clone, PartialEq)]
pub struct Timeline {
    /// Intervals by lane and begin.
    pub intervals: Vec<Interval>,
    /// How long it takes in all.
    pub span: Seconds,
}

/// Requests, micro-batches or stages drawn one by one; more are drawn as this many.
const DRAWN: u32 = 16;

/// The timeline of a layer with experts (or, where there are none, with a dense feed-forward).
pub fn layer(scenario: &Scenario, evaluation: &Evaluation) -> Timeline {
    let feed_forward = if scenario.arch.expert_layers() > 0 {
        Role::Experts
    } else {
        Role::Dense
    };
    let parts = Parts::new(scenario, evaluation, feed_forward);
    match scenario.plan.spec().overlap {
        Overlap::Sequential => parts.sequential(),
        Overlap::TwoBatch => parts.two_batch(),
        Overlap::HopB => parts.hop_b(evaluation.load.sequences),
    }
}

/// One round of a pipeline: every stage works on another micro-batch, then hands it on.
pub fn pipeline(scenario: &Scenario, evaluation: &Evaluation) -> Timeline {
    let stages = scenario.plan.spec().pp.min(DRAWN);
    let time = evaluation.step / f64::from(scenario.plan.spec().pp);
    let mut intervals = Vec::new();
    for stage in 0..stages {
        for turn in 0..stages {
            intervals.push(Interval {
                lane: Lane::Stage(stage),
                work: Work::Stage,
                batch: (turn + stages - stage) % stages,
                start: time * f64::from(turn),
                end: time * f64::from(turn + 1),
            });
        }
    }
    Timeline {
        intervals,
        span: time * f64::from(stages),
    }
}

/// The pieces of one layer and pass, in order.
struct Parts {
    before: Vec<(Work, Seconds)>,
    core: Vec<(Work, Seconds)>,
    exchange: Option<(Work, Seconds)>,
    after: Vec<(Work, Seconds, Lane)>,
}

impl Parts {
    fn new(scenario: &Scenario, evaluation: &Evaluation, feed_forward: Role) -> Self {
        let mut before = Vec::new();
        let mut core = Vec::new();
        let mut after = Vec::new();
        let passes = scenario.plan.passes();
        let per_layer = |role: Role| {
            let layers = f64::from(role.layers(&scenario.arch)) * passes;
            evaluation.breakdown.of(role) / layers
        };
        match scenario.calibration.fold {
            Fold::Block => {
                // HOP-B overlaps the core's own time; the rest of the block surrounds it.
                let own: Seconds = core_times(scenario, evaluation).map(|(_, time)| time).sum();
                let block = per_layer(Role::Attention);
                before.push((
                    Work::Block(Role::Attention),
                    (block - own).max(Seconds::ZERO),
                ));
                core.push((Work::Block(Role::Attention), own.min(block)));
            }
            Fold::Operator => {
                let mut passed = false;
                for timed in evaluation.timed(scenario) {
                    let kind = timed.operator.kind;
                    if kind.is_attention_core() {
                        passed = true;
                        core.push((Work::Operator(kind), timed.time));
                    } else if kind.role() == Role::Attention && !passed {
                        before.push((Work::Operator(kind), timed.time));
                    } else if kind.role() == Role::Attention {
                        after.push((Work::Operator(kind), timed.time, Lane::Compute));
                    }
                }
            }
        }
        let messages = evaluation.messages.as_slice();
        let find = |wanted| messages.iter().find(|message| message.collective == wanted);
        let send = |message: &Message, share: f64| {
            (
                Work::Message(message.collective),
                message.time * share,
                Lane::Network,
            )
        };
        after.extend(find(Collective::AttentionAllReduce).map(|message| send(message, 1.0)));
        // Dispatch before the experts, combine after them, in proportion to their bytes.
        let precision = &scenario.precision;
        let dispatch = precision.dispatch / (precision.dispatch + precision.combine);
        let all_to_all = find(Collective::ExpertAllToAll).filter(|_| feed_forward == Role::Experts);
        after.extend(all_to_all.map(|message| send(message, dispatch)));
        match scenario.calibration.fold {
            Fold::Block => {
                let time = per_layer(feed_forward);
                after.push((Work::Block(feed_forward), time, Lane::Compute));
            }
            Fold::Operator => after.extend(
                evaluation
                    .timed(scenario)
                    .filter(|timed| timed.operator.kind.role() == feed_forward)
                    .map(|timed| {
                        (
                            Work::Operator(timed.operator.kind),
                            timed.time,
                            Lane::Compute,
                        )
                    }),
            ),
        }
        let trailing = match feed_forward {
            Role::Experts => [Collective::ExpertAllReduce, Collective::ExpertAllGather].as_slice(),
            _ => [Collective::DenseAllReduce].as_slice(),
        };
        after.extend(
            trailing
                .iter()
                .filter_map(|wanted| find(*wanted))
                .map(|m| send(m, 1.0)),
        );
        after.extend(all_to_all.map(|message| send(message, 1.0 - dispatch)));
        let exchange = find(Collective::HelixExchange)
            .map(|message| (Work::Message(message.collective), message.time));
        Self {
            before,
            core,
            exchange,
            after,
        }
    }

    /// Every piece after the one before it.
    fn sequential(&self) -> Timeline {
        let mut line = Line::default();
        for (work, time) in self.before.iter().chain(&self.core) {
            line.then(Lane::Compute, *work, 0, *time);
        }
        if let Some((work, time)) = self.exchange {
            line.then(Lane::Network, work, 0, time);
        }
        for (work, time, lane) in &self.after {
            line.then(*lane, *work, 0, *time);
        }
        line.finish()
    }

    /// Two half batches: while one computes its layer, the other sends its messages, then they swap.
    ///
    /// Source: [A] eq 49, which takes no account of what waits for what within a layer.
    fn two_batch(&self) -> Timeline {
        let pieces: Vec<Interval> = self.sequential().intervals;
        let mut intervals = Vec::new();
        let length = |lane: Lane| -> Seconds {
            pieces
                .iter()
                .filter(|p| p.lane == lane)
                .map(|p| p.end - p.start)
                .sum()
        };
        let half = length(Lane::Compute).max(length(Lane::Network));
        for (lane, first) in [(Lane::Compute, 0), (Lane::Network, 1)] {
            for turn in 0..2_u32 {
                let mut at = half * f64::from(turn);
                for piece in pieces.iter().filter(|piece| piece.lane == lane) {
                    let end = at + (piece.end - piece.start);
                    let batch = (first + turn) % 2;
                    intervals.push(Interval {
                        batch,
                        start: at,
                        end,
                        ..*piece
                    });
                    at = end;
                }
            }
        }
        Timeline {
            intervals,
            span: half * 2.0,
        }
    }

    /// Attention's core and Helix's exchange, request by request.
    ///
    /// Source: [H] Figure 3.
    fn hop_b(&self, requests: f64) -> Timeline {
        let Some((exchange, exchange_time)) = self.exchange else {
            return self.sequential();
        };
        let mut line = Line::default();
        for (work, time) in &self.before {
            line.then(Lane::Compute, *work, 0, *time);
        }
        let core_time: Seconds = self.core.iter().map(|(_, time)| *time).sum();
        let start = line.at;
        let count = (requests.max(1.0).round() as u32).min(DRAWN);
        let (mut computed, mut sent) = (start, start);
        for request in 0..count {
            for (work, time) in &self.core {
                let end = computed + *time / f64::from(count);
                line.place(Lane::Compute, *work, request, computed, end);
                computed = end;
            }
            let begin = computed.max(sent);
            sent = begin + exchange_time / f64::from(count);
            line.place(Lane::Network, exchange, request, begin, sent);
        }
        line.at = if f64::from(count) < requests {
            start + hop_b(core_time, exchange_time, f64::from(count))
        } else {
            sent
        };
        for (work, time, lane) in &self.after {
            line.then(*lane, *work, 0, *time);
        }
        line.finish()
    }
}

fn core_times<'a>(
    scenario: &'a Scenario,
    evaluation: &'a Evaluation,
) -> impl Iterator<Item = (Kind, Seconds)> + 'a {
    evaluation
        .timed(scenario)
        .filter(|timed| timed.operator.kind.is_attention_core())
        .map(|timed| (timed.operator.kind, timed.time))
}

/// Intervals in the making.
#[derive(Default)]
struct Line {
    intervals: Vec<Interval>,
    at: Seconds,
}

impl Line {
    fn then(&mut self, lane: Lane, work: Work, batch: u32, time: Seconds) {
        let end = self.at + time;
        self.place(lane, work, batch, self.at, end);
        self.at = end;
    }

    fn place(&mut self, lane: Lane, work: Work, batch: u32, start: Seconds, end: Seconds) {
        if end > start {
            self.intervals.push(Interval {
                lane,
                work,
                batch,
                start,
                end,
            });
        }
    }

    fn finish(self) -> Timeline {
        Timeline {
            intervals: self.intervals,
            span: self.at,
        }
    }
}
