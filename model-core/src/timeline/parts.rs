//! The parts of one layer in one pass, and their timelines under the three schedules: sequential, two-batch, HOP-B.

use super::intervals::{DRAWN, Interval, Lane, Portion, Timeline, Work};
use crate::arch::LayerGroup;
use crate::cost::collective::Collective;
use crate::evaluate::Evaluation;
use crate::ops::{Kind, Operator, OperatorRole, Place};
use crate::plan::Overlap;
use crate::scenario::Scenario;
use crate::schedule::{Block, block_time, core_time, hop_b, overhead};
use crate::units::Seconds;

/// Parts of one layer in order: work before the attention core, the core, the exchange that may overlap the core, and
/// everything after.
pub struct StepParts {
    before: Vec<(Lane, Work, Seconds)>,
    core: Vec<(Work, Seconds)>,
    exchange: Option<(Work, Seconds)>,
    after: Vec<(Lane, Work, Seconds)>,
}

impl StepParts {
    /// Computes the parts of one layer in this layer group.
    pub fn new(scenario: &Scenario, evaluation: &Evaluation, group: &LayerGroup) -> Self {
        let blocks = evaluation.blocks(scenario);
        let block = |place: Option<Place>| {
            let place = place?;
            blocks.iter().find(|block| block.place == place)
        };
        let mixer = block(group.mixer.map(|number| Place::Mixer(usize::from(number))));
        let ffn = block(group.ffn.map(|number| Place::Ffn(usize::from(number))));
        let found = |block: Option<&Block>, wanted| {
            let mut messages = block?.messages.as_slice().iter();
            messages
                .find(|message| message.collective == wanted)
                .copied()
        };
        let find = |block, wanted| found(block, wanted).map(|message| message.time);
        let exchange = find(mixer, Collective::HelixExchange)
            .map(|time| (Work::Message(Collective::HelixExchange), time));
        let overlapped = exchange.is_some() && scenario.plan.spec().overlap == Overlap::HopB;

        let (mut before, mut core, mut after) = (Vec::new(), Vec::new(), Vec::new());
        let selection = find(mixer, Collective::SelectionExchange);
        let sent = |wanted, time: Option<Seconds>| {
            time.map(|time| (Lane::Network, Work::Message(wanted), time))
        };
        for (kind, time) in mixer.map_or(Vec::new(), |mixer| {
            times(scenario, evaluation, mixer, overlapped)
        }) {
            let work = Work::Operator(kind);
            if kind.is_attention_core() {
                core.push((work, time));
            } else if core.is_empty() {
                before.push((Lane::Compute, work, time));
                if kind == Kind::TopK {
                    before.extend(sent(Collective::SelectionExchange, selection));
                }
            } else {
                after.push((Lane::Compute, work, time));
            }
        }
        let reduce = Collective::AttentionAllReduce;
        after.extend(sent(reduce, find(mixer, reduce)));
        // Dispatch precedes the experts, and combine follows them. Each has half of the latency, and a share of the
        // remaining time in proportion to its bytes.
        let bytes = &scenario.precision;
        let dispatch = bytes.dispatch / (bytes.dispatch + bytes.combine);
        let all_to_all = found(ffn, Collective::ExpertAllToAll).map(|message| {
            let moving = message.time - message.latency;
            [dispatch, 1.0 - dispatch].map(|share| message.latency * 0.5 + moving * share)
        });
        after.extend(all_to_all.map(|[time, _]| (Lane::Network, Work::Dispatch, time)));
        let computed = ffn.map_or(Vec::new(), |ffn| times(scenario, evaluation, ffn, false));
        after.extend(
            computed
                .into_iter()
                .map(|(kind, time)| (Lane::Compute, Work::Operator(kind), time)),
        );
        let trailing = match ffn.map(|ffn| ffn.role) {
            Some(OperatorRole::Experts) => {
                [Collective::ExpertAllReduce, Collective::ExpertAllGather].as_slice()
            }
            _ => [Collective::DenseAllReduce].as_slice(),
        };
        let last = trailing.iter();
        after.extend(last.filter_map(|wanted| sent(*wanted, find(ffn, *wanted))));
        after.extend(all_to_all.map(|[_, time]| (Lane::Network, Work::Combine, time)));
        let halves = u32::from(mixer.is_some()) + u32::from(ffn.is_some());
        let added = [mixer, ffn].into_iter().flatten();
        let added: Seconds = added
            .map(|half| overhead::of_half(scenario, half.role, evaluation.load.group_tokens))
            .sum();
        after.push((
            Lane::Compute,
            Work::Overhead,
            scenario.calibration.layer_overhead * (f64::from(halves) / 2.0) + added,
        ));
        Self {
            before,
            core,
            exchange,
            after,
        }
    }

    /// Returns the timeline of the layer without overlap: each part starts when the previous one ends.
    pub fn sequential(&self) -> Timeline {
        let mut line = LaneWriter::default();
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

    /// Returns the timeline of two half batches: while one computes its layer, the other communicates; then they
    /// swap.
    ///
    /// Source: [A] eq 49, which ignores dependencies within a layer.
    pub fn two_batch(&self) -> Timeline {
        let pass = self.sequential();
        let half = pass.busy(Lane::Compute).max(pass.busy(Lane::Network));
        let mut line = LaneWriter::default();
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

    /// Returns the timeline in which the attention kernel and Helix's exchange overlap, request by request. If there
    /// are many requests, they overlap by groups of requests.
    ///
    /// The shorter of kernel and exchange is overlapped, except for one request's share of its time. The total time
    /// therefore equals [`hop_b`] for any number of groups.
    ///
    /// Source: [H] Figure 3.
    pub fn hop_b(&self, requests: f64) -> Timeline {
        let Some((exchange, exchange_time)) = self.exchange else {
            return self.sequential();
        };
        let requests = requests.max(1.0);
        let groups = requests.ceil().min(f64::from(DRAWN));
        let core_time: Seconds = self.core.iter().map(|(_, time)| *time).sum();
        let mut line = LaneWriter::default();
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
                // The exchange of a group ends one request's exchange time after the group's attention.
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

    fn attention_until_core(&self, line: &mut LaneWriter) {
        for (lane, work, time) in &self.before {
            line.then(*lane, *work, *time);
        }
    }

    fn rest(&self, line: &mut LaneWriter) {
        for (lane, work, time) in &self.after {
            line.then(*lane, *work, *time);
        }
    }
}

/// Returns each operator of a block with its share of the block's time in one layer and pass. Shares are in
/// proportion to the individual times of the operators. Under HOP-B, operators of the attention core share
/// [`core_time`], and the other operators share the remaining time.
fn times(
    scenario: &Scenario,
    evaluation: &Evaluation,
    block: &Block,
    core_apart: bool,
) -> Vec<(Kind, Seconds)> {
    let (rates, load) = (&evaluation.rates, &evaluation.load);
    let whole = block_time(scenario, rates, block.role, &block.operators, load);
    let core = match core_apart {
        true => core_time(scenario, rates, block, load),
        false => Seconds::ZERO,
    };
    let apart = |kind: Kind| core_apart && kind.is_attention_core();
    let operators = block.operators.as_slice();
    let own = |core: bool| -> Seconds {
        let counted = operators
            .iter()
            .filter(|operator| apart(operator.kind) == core);
        counted.map(|operator| rates.time(operator)).sum()
    };
    let share = |time: Seconds, own: Seconds| if own > Seconds::ZERO { time / own } else { 0.0 };
    let shares = [share(whole - core, own(false)), share(core, own(true))];
    let time =
        |operator: &Operator| rates.time(operator) * shares[usize::from(apart(operator.kind))];
    operators
        .iter()
        .map(|operator| (operator.kind, time(operator)))
        .collect()
}

/// Collects the intervals of a timeline while the parts of a layer are placed one after another.
#[derive(Default)]
struct LaneWriter {
    intervals: Vec<Interval>,
    at: Seconds,
    batch: u32,
}

impl LaneWriter {
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
