//! Linear latencies of attention, FFN and the communication between them.

use crate::calibration::MessageCost;
use crate::cost::collective::Collective;
use crate::cost::roofline::Rates;
use crate::hardware::NetworkLink;
use crate::inputs::{Inputs, Number};
use crate::ops::{Load, OperatorRole, ffn};
use crate::plan::{Overlap, Plan, PlanSpec};
use crate::refusal::Refusal;
use crate::scenario::Scenario;
use crate::schedule::{self, overhead};
use crate::units::{Bytes, Seconds};

/// The two loads through which a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadSpan {
    /// The lower load.
    pub low: f64,
    /// The higher load.
    pub high: f64,
}

/// A time that is linear in a load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatencyLine {
    /// Time per unit of the load, α.
    pub slope: Seconds,
    /// Time without any load, β.
    pub intercept: Seconds,
}

impl LatencyLine {
    /// No time at all.
    pub const ZERO: Self = Self {
        slope: Seconds::ZERO,
        intercept: Seconds::ZERO,
    };

    /// α·load + β.
    pub fn at(&self, load: f64) -> Seconds {
        self.slope * load + self.intercept
    }

    /// The line through a time at two loads; where its intercept would be negative (a kink between the two), the one
    /// through the origin and the higher load.
    pub fn through(span: LoadSpan, time: impl Fn(f64) -> Seconds) -> Self {
        let LoadSpan { low, high } = span;
        let (first, second) = (time(low), time(high));
        let slope = (second - first) / (high - low);
        let intercept = first - slope * low;
        if intercept >= Seconds::ZERO {
            Self { slope, intercept }
        } else {
            Self {
                slope: second / high,
                intercept: Seconds::ZERO,
            }
        }
    }
}

/// Communication between attention and FFN ranks over one network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exchange {
    /// Round trip of an attention rank over its micro-batch B, t_C. Source: [R] eq 4.
    pub attention: LatencyLine,
    /// The same bytes over the FFN rank's own links, over rB: beyond [R], whose t_C ignores that r ranks share those
    /// links. Zero where latencies are entered.
    pub ffn: LatencyLine,
}

/// Latencies of one step, all layers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Latencies {
    /// Attention over the tokens T in a rank's caches, t_A. Source: [R] eq 2.
    pub attention: LatencyLine,
    /// FFN over the rB rows of a step, t_F. Source: [R] eq 3. Where it is derived, a chord of the operators'
    /// own time around the ratio in question; the time itself is [`super::bundle::Bundle::ffn_at`].
    pub ffn: LatencyLine,
    /// FFN at few rows, where weight reads dominate, as a chord. Zero where latencies are entered, as [R]
    /// has one line.
    pub weights: LatencyLine,
    /// Communication while the unit fits one scale-up domain.
    pub near: Exchange,
    /// Communication of a larger unit.
    pub far: Exchange,
    /// GPUs of a scale-up domain; `None` if one network carries all units.
    pub domain: Option<u32>,
}

/// The two ranks of a unit as scenarios.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Halves {
    /// One attention rank: tp·kvp GPUs with attention and the head.
    pub attention: Scenario,
    /// One FFN rank: ep·ffn_tp GPUs with a full set of FFN weights.
    pub ffn: Scenario,
}

impl Halves {
    /// Both ranks, sharded like the groups of the colocated plan.
    pub fn of(scenario: &Scenario) -> Result<Self, Vec<Refusal>> {
        let spec = *scenario.plan.spec();
        let moe = scenario.arch.expert_layers() > 0;
        let group = scenario.plan.group();
        let attention = PlanSpec {
            dp: 1,
            pp: 1,
            ep: 1,
            ffn_tp: if moe { group } else { 1 },
            overlap: Overlap::Sequential,
            ..spec
        };
        Ok(Self {
            attention: alone(scenario, attention, group)?,
            ffn: Self::ffn_of(scenario)?,
        })
    }

    /// The FFN rank, sharded like that of the colocated plan.
    pub(super) fn ffn_of(scenario: &Scenario) -> Result<Scenario, Vec<Refusal>> {
        let spec = *scenario.plan.spec();
        let moe = scenario.arch.expert_layers() > 0;
        let gpus = spec.ep * spec.ffn_tp;
        let ffn = PlanSpec {
            dp: if moe { gpus } else { 1 },
            tp: 1,
            kvp: if moe { 1 } else { gpus },
            pp: 1,
            overlap: Overlap::Sequential,
            ..spec
        };
        alone(scenario, ffn, gpus)
    }

    /// Step time of an attention rank with `slots` sequences and `tokens` in their caches: attention, the head, and
    /// communication within the rank.
    pub fn attention_time(&self, slots: f64, tokens: f64) -> Option<Seconds> {
        let mut half = self.attention;
        half.workload.context = tokens / slots;
        let part = |collective| {
            matches!(
                collective,
                Collective::AttentionAllReduce
                    | Collective::HelixExchange
                    | Collective::SelectionExchange
            )
        };
        step(
            &half,
            slots,
            [OperatorRole::Attention, OperatorRole::Head],
            part,
        )
    }

    /// Step time of an FFN rank over `rows` sequences.
    pub fn ffn_time(&self, rows: f64) -> Option<Seconds> {
        let part = |collective| {
            matches!(
                collective,
                Collective::ExpertAllReduce | Collective::DenseAllReduce
            )
        };
        step(
            &self.ffn,
            rows,
            [OperatorRole::Dense, OperatorRole::Experts],
            part,
        )
    }

    /// The network of a unit and its cost: within a domain (`near`) the one that takes less time per byte.
    pub fn network(&self, near: bool) -> (NetworkLink, MessageCost) {
        let cluster = &self.ffn.cluster;
        let costs = &self.ffn.calibration.messages;
        let out = (NetworkLink::ScaleOut, costs.across);
        let inside = (NetworkLink::ScaleUp, costs.all_to_all);
        let time =
            |(link, cost): (NetworkLink, MessageCost)| cost.factor / cluster.bandwidth(link).get();
        match near && time(inside) < time(out) {
            true => inside,
            false => out,
        }
    }

    /// Communication over one network.
    ///
    /// A row sends d elements at dispatch and receives d at combine precision, in every layer with experts for each
    /// of min(k', ep) destinations; in dense layers once each. Two latencies a layer. On the FFN side the busiest GPU
    /// has 1/(ep β) of all rows sent.
    ///
    /// Source: [R] eqs 34–38. Assumes: GPUs of a rank share its bytes evenly; within a domain the faster network
    /// carries them.
    /// Not modeled: node limits; rows that stay within a domain while others leave it.
    pub(super) fn exchange(&self, near: bool) -> Exchange {
        let Scenario {
            arch,
            precision,
            cluster,
            workload,
            ..
        } = &self.ffn;
        let plan = &self.ffn.plan;
        let spec = plan.spec();
        let d = f64::from(arch.hidden);
        let dense = f64::from(OperatorRole::Dense.layers(arch));
        let whole = 2.0 * d * precision.activations * dense;
        let places = f64::from(spec.ep);
        let (mut sent, mut met) = (0.0, 0.0);
        for part in arch.moes() {
            let width = f64::from(part.shape.working_width(arch.hidden));
            let layers = f64::from(part.layers);
            let routed = width * (precision.dispatch + precision.combine) * layers;
            let copies = ffn::experts_per_token(&part.shape, plan);
            sent += routed * copies.min(places);
            met += routed * copies / (places * plan.beta());
        }
        sent += whole;
        met += whole / f64::from(plan.gpus());
        let carried = workload.speculation.carried() / workload.speculation.yielded();
        let (link, cost) = self.network(near);
        let bandwidth = cluster.bandwidth(link);
        let over = |bytes: f64| Bytes::new(bytes * carried) / bandwidth * cost.factor;
        let latency = cost.start
            * (2.0 * f64::from(arch.dense_layers() + arch.expert_layers())
                / workload.speculation.yielded());
        Exchange {
            attention: LatencyLine {
                slope: over(sent / f64::from(self.attention.plan.gpus())),
                intercept: latency,
            },
            ffn: LatencyLine {
                slope: over(met),
                intercept: latency,
            },
        }
    }
}

/// The scenario on `gpus` GPUs, with a separate plan.
fn alone(scenario: &Scenario, spec: PlanSpec, gpus: u32) -> Result<Scenario, Vec<Refusal>> {
    let mut half = *scenario;
    half.plan = Plan::new(spec, &scenario.arch, gpus)?;
    half.cluster.gpus = gpus;
    Ok(half)
}

/// Step time of one rank: its roles, its own communication and its half of the framework overhead, per token that a
/// step yields.
fn step(
    half: &Scenario,
    sequences: f64,
    roles: [OperatorRole; 2],
    own: impl Fn(Collective) -> bool,
) -> Option<Seconds> {
    let Scenario {
        plan,
        cluster,
        precision,
        calibration,
        workload,
        ..
    } = half;
    let rates = Rates::new(cluster, precision, calibration)?;
    let load = Load::decode(sequences, plan, workload);
    let subject = half.subject();
    let mut times = [Seconds::ZERO; 2];
    let mut sent = Seconds::ZERO;
    let wanted = |role| roles.contains(&role);
    schedule::for_blocks_of(half, &subject, &load, 1.0, wanted, |block| {
        let layers = f64::from(block.layers);
        let time = schedule::block_time(half, &rates, block.role, &block.operators, &load);
        times[usize::from(block.role == roles[1])] += time * layers;
        for message in block.messages.as_slice() {
            if own(message.collective) {
                sent += message.time * f64::from(message.layers);
            }
        }
    });
    let (mut halves, mut added) = (0.0, Seconds::ZERO);
    if calibration.drafter {
        schedule::drafter::for_each_block(half, &subject, &load, 1.0, |draft| {
            if !wanted(draft.role) {
                return;
            }
            let block = &draft.block;
            let time =
                schedule::block_time(half, &rates, draft.role, &block.operators, &draft.load);
            times[usize::from(draft.role == roles[1])] += time * draft.passes;
            for message in block.messages.as_slice() {
                if own(message.collective) {
                    sent += message.time * draft.passes;
                }
            }
            halves += draft.halves * draft.passes;
            added += draft.engine_overhead(half);
        });
    }
    let work: Seconds = times.into_iter().sum();
    // Half of a layer's framework overhead belongs to its mixer, half to its FFN.
    let mut layers = 0;
    for role in roles {
        if role == OperatorRole::Head {
            added += sampling(half, &load);
        } else {
            let own = role.layers(&half.arch);
            added += overhead::of_half(half, role, load.group_tokens) * f64::from(own);
            layers += own;
        }
    }
    let overhead = calibration.layer_overhead * ((f64::from(layers) + halves) / 2.0) + added;
    Some((work + sent + overhead) / workload.speculation.yielded())
}

/// Overhead of a step on the rank that samples, where an engine's is known.
fn sampling(half: &Scenario, load: &Load) -> Seconds {
    match half.calibration.engine {
        Some(_) => half.calibration.step_overhead(load.group_tokens),
        None => Seconds::ZERO,
    }
}

impl Latencies {
    /// Stated or tabulated lines, in place of `derived` ones.
    ///
    /// An entered communication time covers every network and both ends of the link.
    pub fn entered(inputs: &Inputs, derived: Option<Latencies>) -> Option<Self> {
        let stated = |number| inputs.get(number).map(Seconds::from_micros);
        let line = |slope, intercept, derived: Option<LatencyLine>| {
            Some(LatencyLine {
                slope: stated(slope).or(derived.map(|line| line.slope))?,
                intercept: stated(intercept).or(derived.map(|line| line.intercept))?,
            })
        };
        let attention = line(
            Number::AttentionSlopeMicros,
            Number::AttentionInterceptMicros,
            derived.map(|lines| lines.attention),
        )?;
        let ffn = line(
            Number::FfnSlopeMicros,
            Number::FfnInterceptMicros,
            derived.map(|lines| lines.ffn),
        )?;
        let (slope, intercept) = (Number::MessageSlopeMicros, Number::MessageInterceptMicros);
        let own = stated(Number::FfnSlopeMicros)
            .or(stated(Number::FfnInterceptMicros))
            .is_some();
        let weights = match derived {
            Some(lines) if !own => lines.weights,
            _ => LatencyLine::ZERO,
        };
        let messages = stated(slope).is_some() || stated(intercept).is_some();
        match derived {
            Some(lines) if !messages => Some(Self {
                attention,
                ffn,
                weights,
                ..lines
            }),
            _ => {
                let exchange = Exchange {
                    attention: line(slope, intercept, derived.map(|lines| lines.far.attention))?,
                    ffn: LatencyLine::ZERO,
                };
                Some(Self {
                    attention,
                    ffn,
                    weights,
                    near: exchange,
                    far: exchange,
                    domain: None,
                })
            }
        }
    }
}
