//! Linear latencies of AFD: attention, FFN and the communication between them.

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

/// The two loads through which a latency line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadSpan {
    /// The lower of the two loads.
    pub low: f64,
    /// The higher of the two loads.
    pub high: f64,
}

/// A time that grows linearly with a load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatencyLine {
    /// Time per unit of load, α.
    pub slope: Seconds,
    /// Time at zero load, β.
    pub intercept: Seconds,
}

impl LatencyLine {
    /// A latency line that is zero at every load.
    pub const ZERO: Self = Self {
        slope: Seconds::ZERO,
        intercept: Seconds::ZERO,
    };

    /// Returns the latency α·load + β.
    pub fn at(&self, load: f64) -> Seconds {
        self.slope * load + self.intercept
    }

    /// Returns the latency line through the times at two loads. If the intercept is negative, there is a kink between
    /// the loads. The result is then the line through the origin and the time at the higher load.
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
    /// Communication round-trip time t_C of an attention rank with a micro-batch of B sequences. Source: [R] eq 4.
    pub attention: LatencyLine,
    /// Communication time on the FFN rank's links, for the rB sequences of r attention ranks. This goes beyond [R],
    /// whose t_C ignores that the attention ranks share those links. Zero if the user entered the communication
    /// latency.
    pub ffn: LatencyLine,
}

/// Latency lines of one AFD step, over all layers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Latencies {
    /// Attention time t_A, as a line over the tokens T in a rank's KV caches. Source: [R] eq 2.
    pub attention: LatencyLine,
    /// FFN time t_F, as a line over the rB rows (sequences) of a step. Source: [R] eq 3. If derived, the line is a
    /// chord of the operators' time around the A:F ratio shown. [`super::bundle::Bundle::ffn_at`] gives the exact
    /// time.
    pub ffn: LatencyLine,
    /// Chord of the FFN time at few rows, where weight reads dominate. Zero if the user entered the FFN latency,
    /// because [R] has a single FFN line.
    pub weights: LatencyLine,
    /// Communication latency if the xAyF unit fits in one scale-up domain.
    pub near: Exchange,
    /// Communication latency if the xAyF unit is larger than one scale-up domain.
    pub far: Exchange,
    /// GPUs per scale-up domain. `None` if one communication latency is used for units of every size, for example if
    /// the user entered the latency.
    pub domain: Option<u32>,
}

/// The attention rank and the FFN rank of an xAyF unit, each as a scenario.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Halves {
    /// One attention rank: tp·kvp GPUs that run attention and the output head.
    pub attention: Scenario,
    /// One FFN rank: ep·ffn_tp GPUs that store one full set of FFN weights.
    pub ffn: Scenario,
}

impl Halves {
    /// Builds both ranks, sharded like the attention and FFN groups of the colocated plan.
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

    /// Builds the FFN rank, sharded like the FFN group of the colocated plan.
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

    /// Returns the step time of an attention rank, divided by the tokens that a step yields. The rank has `slots`
    /// sequences, with `tokens` tokens in their KV caches. The time includes attention, the output head,
    /// communication within the rank, and overhead.
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

    /// Returns the step time of an FFN rank for `rows` sequences, divided by the tokens that a step yields.
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

    /// Returns the network between attention and FFN ranks, with its communication cost. If `near` is true, the xAyF
    /// unit is within one scale-up domain, and the network with less time per byte is used.
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

    /// Returns the communication times between attention and FFN ranks over one network.
    ///
    /// In every MoE layer, a row (sequence) sends d elements at dispatch precision to each of min(k', ep) destinations.
    /// It receives d elements at combine precision from each. In every dense layer, it sends and receives d elements
    /// once. Each layer adds the message latency twice. On the FFN side, the busiest GPU handles 1/(ep β) of all rows
    /// sent, with expert balancedness β.
    ///
    /// Source: [R] eqs 34–38. Assumes that the GPUs of a rank share its bytes evenly, and that the faster network is
    /// used within a domain. Not modeled: node limits; rows that stay within a domain while others leave it.
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

fn alone(scenario: &Scenario, spec: PlanSpec, gpus: u32) -> Result<Scenario, Vec<Refusal>> {
    let mut half = *scenario;
    half.plan = Plan::new(spec, &scenario.arch, gpus)?;
    half.cluster.gpus = gpus;
    Ok(half)
}

/// Returns the step time of one AFD rank, divided by the tokens that a step yields. It covers the operators of `roles`,
/// communication within the rank, and the rank's half of the framework overhead.
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

/// Returns the sampling overhead per step on the attention rank; zero if the calibration has no engine terms.
fn sampling(half: &Scenario, load: &Load) -> Seconds {
    match half.calibration.engine {
        Some(_) => half.calibration.step_overhead(load.group_tokens),
        None => Seconds::ZERO,
    }
}

impl Latencies {
    /// Returns the latency lines. Coefficients come from the user or a table if given, otherwise from `derived`.
    ///
    /// An entered communication time applies to every network and to both ends of the link.
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
