//! The pieces of one layer and pass, and the three ways of laying them out.

use super::{DRAWN, Interval, Lane, Portion, Timeline, Work};
use crate::cost::calibration::Fold;
use crate::cost::collective::Collective;
use crate::evaluate::{Evaluation, Timed};
use crate::ops::Role;
use crate::plan::Overlap;
use crate::scenario::Scenario;
use crate::schedule::hop_b;
use crate::units::Seconds;

/// The pieces in order: attention before its core, the core, the exchange that may overlap it, and
/// everything after.
pub struct Parts {
    before: Vec<(Work, Seconds)>,
    core: Vec<(Work, Seconds)>,
    exchange: Option<(Work, Seconds)>,
    after: Vec<(Lane, Work, Seconds)>,
}

impl Parts {
    /// The pieces of a layer with this feed-forward.
    pub fn new(scenario: &Scenario, evaluation: &Evaluation, feed_forward: Role) -> Self {
        let messages = evaluation.messages.as_slice();
        let find = |wanted| messages.iter().find(|message| message.collective == wanted);
        let exchange = find(Collective::HelixExchange)
            .map(|message| (Work::Message(message.collective), message.time));
        let overlapped = exchange.is_some() && scenario.plan.spec().overlap == Overlap::HopB;

        let (mut before, mut core, mut after) = (Vec::new(), Vec::new(), Vec::new());
        for (timed, time) in times(scenario, evaluation, Role::Attention, overlapped) {
            let work = Work::Operator(timed.operator.kind);
            if timed.operator.kind.is_attention_core() {
                core.push((work, time));
            } else if core.is_empty() {
                before.push((work, time));
            } else {
                after.push((Lane::Compute, work, time));
            }
        }
        let sent = |wanted| {
            let message = find(wanted)?;
            Some((Lane::Network, Work::Message(wanted), message.time))
        };
        after.extend(sent(Collective::AttentionAllReduce));
        // Dispatch before the experts, combine after them, in proportion to their bytes.
        let bytes = &scenario.precision;
        let dispatch = bytes.dispatch / (bytes.dispatch + bytes.combine);
        let all_to_all = find(Collective::ExpertAllToAll)
            .filter(|_| feed_forward == Role::Experts)
            .map(|message| message.time);
        after.extend(all_to_all.map(|time| (Lane::Network, Work::Dispatch, time * dispatch)));
        after.extend(
            times(scenario, evaluation, feed_forward, false)
                .into_iter()
                .map(|(timed, time)| (Lane::Compute, Work::Operator(timed.operator.kind), time)),
        );
        let trailing = match feed_forward {
            Role::Experts => [Collective::ExpertAllReduce, Collective::ExpertAllGather].as_slice(),
            _ => [Collective::DenseAllReduce].as_slice(),
        };
        after.extend(trailing.iter().filter_map(|wanted| sent(*wanted)));
        after
            .extend(all_to_all.map(|time| (Lane::Network, Work::Combine, time * (1.0 - dispatch))));
        after.push((
            Lane::Compute,
            Work::Overhead,
            scenario.calibration.layer_overhead,
        ));
        Self {
            before,
            core,
            exchange,
            after,
        }
    }

    /// Every piece after the one before it.
    pub fn sequential(&self) -> Timeline {
        let mut line = Line::default();
        self.attention_until_core(&mut line);
        for (work, time) in &self.core {
            line.then(Lane::Compute, *work, *time);
        }
        if let Some((work, time)) = self.exchange {
            line.then(Lane::Network, work, time);
        }
        self.rest(&mut line);
        line.finish(Portion::Whole, 1, 1.0)
    }

    /// Two half batches: while one computes its layer, the other sends its messages, then they swap.
    ///
    /// Source: [A] eq 49, which takes no account of what waits for what within a layer.
    pub fn two_batch(&self) -> Timeline {
        let pass = self.sequential();
        let half = pass.busy(Lane::Compute).max(pass.busy(Lane::Network));
        let mut line = Line::default();
        for (lane, first) in [(Lane::Compute, 0), (Lane::Network, 1)] {
            for turn in 0..2_u32 {
                line.at = half * f64::from(turn);
                line.batch = (first + turn) % 2;
                for piece in pass.lane(lane) {
                    line.then(lane, piece.work, piece.time());
                }
            }
        }
        line.at = half * 2.0;
        line.finish(Portion::Half, 2, 2.0)
    }

    /// Attention's core and Helix's exchange, request by request; of many requests, groups.
    ///
    /// The group that ends the longer of the two leaves one request's share of the other: the span
    /// is that of [`hop_b`] however many groups are told apart.
    ///
    /// Source: [H] Figure 3.
    pub fn hop_b(&self, requests: f64) -> Timeline {
        let Some((exchange, exchange_time)) = self.exchange else {
            return self.sequential();
        };
        let requests = requests.max(1.0);
        let groups = requests.ceil().min(f64::from(DRAWN));
        let core_time: Seconds = self.core.iter().map(|(_, time)| *time).sum();
        let mut line = Line::default();
        self.attention_until_core(&mut line);
        let start = line.at;
        for group in 0..groups as u32 {
            line.batch = group;
            for (work, time) in &self.core {
                line.then(Lane::Compute, *work, *time / groups);
            }
        }
        let each = exchange_time / groups;
        for group in 0..groups as u32 {
            let begin = if core_time >= exchange_time {
                // A group's last request is exchanged when its attention is done.
                let computed = core_time * (f64::from(group + 1) / groups);
                computed + exchange_time / requests - each
            } else {
                core_time / requests + each * f64::from(group)
            };
            line.at = start + begin;
            line.batch = group;
            line.then(Lane::Network, exchange, each);
        }
        line.at = start + hop_b(core_time, exchange_time, requests);
        line.batch = 0;
        self.rest(&mut line);
        line.finish(Portion::Requests, groups as u32, requests)
    }

    fn attention_until_core(&self, line: &mut Line) {
        for (work, time) in &self.before {
            line.then(Lane::Compute, *work, *time);
        }
    }

    fn rest(&self, line: &mut Line) {
        for (lane, work, time) in &self.after {
            line.then(*lane, *work, *time);
        }
    }
}

/// The operators of a block with the time each takes of it in one layer and pass.
///
/// In the block fold, the block's time in proportion to the operators' own times; where HOP-B
/// overlaps the core, it is the core's own time that overlaps and the rest of the block shares what
/// is left, as [`super::super::step`] counts it.
fn times(
    scenario: &Scenario,
    evaluation: &Evaluation,
    role: Role,
    core_apart: bool,
) -> Vec<(Timed, Seconds)> {
    let of_role = |timed: &Timed| timed.operator.kind.role() == role;
    let apart = |timed: &Timed| core_apart && timed.operator.kind.is_attention_core();
    let block: Vec<Timed> = evaluation.timed(scenario).filter(of_role).collect();
    let sum = |apart_too: bool| -> Seconds {
        let counted = block.iter().filter(|timed| apart_too || !apart(timed));
        counted.map(|timed| timed.time).sum()
    };
    let share = match scenario.calibration.fold {
        Fold::Operator => 1.0,
        Fold::Block => {
            let layers = f64::from(role.layers(&scenario.arch)) * scenario.plan.passes();
            let whole = evaluation.breakdown.of(role) / layers;
            let own = sum(true) - sum(false);
            let shared = sum(false);
            if shared > Seconds::ZERO {
                ((whole - own) / shared).max(0.0)
            } else {
                0.0
            }
        }
    };
    block
        .iter()
        .map(|timed| {
            let share = if apart(timed) { 1.0 } else { share };
            (*timed, timed.time * share)
        })
        .collect()
}

/// Intervals in the making.
#[derive(Default)]
struct Line {
    intervals: Vec<Interval>,
    at: Seconds,
    batch: u32,
}

impl Line {
    fn then(&mut self, lane: Lane, work: Work, time: Seconds) {
        let end = self.at + time;
        if end > self.at {
            self.intervals.push(Interval {
                lane,
                work,
                batch: self.batch,
                start: self.at,
                end,
            });
        }
        self.at = end;
    }

    fn finish(self, portion: Portion, drawn: u32, batches: f64) -> Timeline {
        Timeline {
            intervals: self.intervals,
            span: self.at,
            portion,
            drawn,
            batches,
        }
    }
}
