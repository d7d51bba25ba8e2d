//! Time per output token of a Lamina deployment, and its bottleneck.

use super::SplitSide;
use super::memory::{SideMemory, batch_capacity, operators, side_memory};
use super::refusal::SplitRefusal;
use super::setup::SplitSetup;
use super::traffic::{Traffic, kv_elements, sending, traffic, traffic_of};
use crate::apart::QEarly;
use crate::arch::Mixer;
use crate::cost::roofline::Rates;
use crate::ops::{Kind, Load, OperatorRole, Operators, Place};
use crate::scenario::Scenario;
use crate::schedule;
use crate::units::Seconds;

/// Times of one micro-batch over all layers, without overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Times {
    /// Everything but attention on a replica, communication and overheads included: MTIME(B).
    pub model: Seconds,
    /// The model's time by part, without communication, in the order of [`OperatorRole::ALL`].
    pub roles: [Seconds; 4],
    /// Communication among a replica's devices, part of [`Self::model`].
    pub collectives: Seconds,
    /// Kernel launches, framework and CPU overhead, part of [`Self::model`].
    pub overhead: Seconds,
    /// Projection of the new keys and values, part of [`Self::model`].
    pub key_value: Seconds,
    /// Attention on the memory devices: ATIME(B, l).
    pub attention: Seconds,
    /// Sending of queries, without latency.
    pub send_query: Seconds,
    /// Sending of keys and values, without latency.
    pub send_key_value: Seconds,
    /// Sending of outputs, without latency.
    pub send_output: Seconds,
    /// Round trips of all layers.
    pub latency: Seconds,
}

impl Times {
    /// Network time, both alternatives.
    pub fn network(&self) -> Seconds {
        self.send_query + self.send_key_value + self.send_output + self.latency
    }

    /// Time that early queries overlap.
    pub fn hidden_by_early_query(&self) -> Seconds {
        let sent = [self.send_query, self.send_key_value];
        early_query(self.key_value, sent, self.latency, self.attention)
    }
}

/// Time that early queries overlap: attention over the earlier tokens starts with the query, while key and value
/// are still projected and sent (`key_value`, and `sent` with the query first).
///
/// With h half a round trip, the time from the query to attention's end is max(q + h + attention, max(kv
/// projection, q) + kv + h) instead of their sum.
///
/// Source: [L] 4.2.2, Figure 7. Not modeled: attention to the new token itself, and combining.
pub fn early_query(
    key_value: Seconds,
    [query, sent]: [Seconds; 2],
    latency: Seconds,
    attention: Seconds,
) -> Seconds {
    let half = latency / 2.0;
    let apart = key_value + query + sent + half + attention;
    let early = query + half + attention;
    let late = key_value.max(query) + sent + half;
    apart - early.max(late)
}

/// The bottleneck of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitBound {
    /// A micro-batch's own turnaround: no device is busy all the time.
    Turnaround,
    /// The compute devices, busy all the time.
    Model,
    /// The memory devices, busy all the time.
    Attention,
    /// The links, busy all the time.
    Network,
}

impl SplitBound {
    /// Identifier in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Turnaround => "turnaround",
            Self::Model => "model",
            Self::Attention => "attention",
            Self::Network => "network",
        }
    }
}

/// Results of a Lamina deployment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    /// Times of one micro-batch, without overlap.
    pub times: Times,
    /// Time that early queries overlap.
    pub hidden: Seconds,
    /// Time that a micro-batch waits for busy devices.
    pub waiting: Seconds,
    /// Busy time of each compute device in a step.
    pub model_busy: Seconds,
    /// Busy time of each memory device in a step.
    pub attention_busy: Seconds,
    /// Busy time of the narrower side's links in a step.
    pub network_busy: Seconds,
    /// One step of a micro-batch.
    pub step: Seconds,
    /// Bottleneck.
    pub bound: SplitBound,
    /// Time per output token.
    pub tpot: Seconds,
    /// Tokens per second of one user.
    pub tokens_per_user: f64,
    /// Tokens per second of all micro-batches.
    pub tokens: f64,
    /// Tokens per US dollar, if both prices are known.
    pub tokens_per_dollar: Option<f64>,
    /// Bytes of one micro-batch and layer.
    pub traffic: Traffic,
    /// Memory of a device of either side, compute first.
    pub memory: [SideMemory; 2],
    /// Max sequences that fit on both sides.
    pub capacity: f64,
}

impl Split {
    /// Turnaround of a micro-batch through both sides, without waiting.
    pub fn turnaround(&self) -> Seconds {
        self.times.model + self.times.attention + self.times.network() - self.hidden
    }

    /// True if both sides fit their memory.
    pub fn fits(&self) -> bool {
        self.memory.iter().all(SideMemory::fits)
    }

    /// Balance of the pipeline: attention's time over t_m/(j − 1); 1 is balanced,
    /// above it the memory devices are the slower side. Source: [L] 4.3.
    pub fn balance(&self) -> f64 {
        self.attention_busy / self.model_busy
    }
}

/// Evaluates a Lamina deployment.
///
/// A step of a micro-batch is the longest of its turnaround and of the busiest device's work for all j
/// micro-batches: j/(j−1)·t_m on a replica, j·t_a on the memory devices, and all the traffic on the links. With t_a =
/// t_m/(j−1) and a free network all are equal.
///
/// A batch that does not fit the memory is evaluated too; see [`Split::fits`].
///
/// Source: [L] 3.1, 4.3. Assumes: no interruption by prefill, equal slices of the model (the output head is spread
/// over the layers).
pub fn evaluate(setup: &SplitSetup) -> Result<Split, SplitRefusal> {
    let times = times(setup).ok_or(SplitRefusal::NotFinite)?;
    let traffic = traffic(setup, setup.batch_each());
    let hidden = match setup.q_early {
        QEarly::On => times.hidden_by_early_query(),
        QEarly::Off => Seconds::ZERO,
    };
    let batches = f64::from(setup.batches);
    let model_busy = times.model * (batches / f64::from(setup.replicas));
    let attention_busy = times.attention * batches;
    let all_links = f64::from(setup.compute_gpus.min(setup.memory_gpus));
    let network_busy =
        (times.network() - times.latency) * (batches * super::traffic::links(setup) / all_links);
    let turnaround = times.model + times.attention + times.network() - hidden;
    let (step, bound) = [
        (turnaround, SplitBound::Turnaround),
        (model_busy, SplitBound::Model),
        (attention_busy, SplitBound::Attention),
        (network_busy, SplitBound::Network),
    ]
    .into_iter()
    .fold((Seconds::ZERO, SplitBound::Turnaround), |most, next| {
        if next.0 > most.0 { next } else { most }
    });
    let tpot = step / setup.compute.workload.speculation.yielded();
    let tokens = setup.batch() / tpot.get();
    let tokens_per_user = 1.0 / tpot.get();
    let tokens_per_dollar = setup
        .dollars_per_hour()
        .filter(|price| *price > 0.0)
        .map(|price| tokens * 3600.0 / price);
    let memory = [SplitSide::Compute, SplitSide::Memory].map(|side| side_memory(setup, side));
    let finite = [
        step.get(),
        tokens,
        tokens_per_user,
        tokens_per_dollar.unwrap_or(0.0),
        memory[0].total().get(),
        memory[1].total().get(),
        hidden.get(),
    ];
    if !(finite.iter().all(|value| value.is_finite()) && step.get() > 0.0) {
        return Err(SplitRefusal::NotFinite);
    }
    Ok(Split {
        times,
        hidden,
        waiting: step - turnaround,
        model_busy,
        attention_busy,
        network_busy,
        step,
        bound,
        tpot,
        tokens_per_user,
        tokens,
        tokens_per_dollar,
        traffic,
        memory,
        capacity: batch_capacity(setup),
    })
}

/// Times of one micro-batch, each operator on the accelerator of its side; `None` if an accelerator lacks a
/// format.
///
/// Source: [L] 3.1, MTIME(B) and ATIME(B, l).
pub fn times(setup: &SplitSetup) -> Option<Times> {
    let batch = setup.batch_each();
    let compute = Loaded::new(&setup.compute, SplitSide::Compute, batch)?;
    let memory = Loaded::new(&setup.memory, SplitSide::Memory, batch)?;
    let scenario = &setup.compute;
    let subject = scenario.subject();
    let mut collectives = Seconds::ZERO;
    schedule::for_each_block(scenario, &subject, &compute.load, 1.0, |block| {
        for message in block.messages.as_slice() {
            collectives += message.time * f64::from(message.layers);
        }
    });
    let (mut query, mut key_value, mut output) = (Seconds::ZERO, Seconds::ZERO, Seconds::ZERO);
    for part in scenario.arch.mixers() {
        let traffic = traffic_of(setup, &part.shape, batch);
        let layers = f64::from(part.layers);
        query += sending(setup, traffic.query) * layers;
        key_value += sending(setup, traffic.key_value) * layers;
        output += sending(setup, traffic.output) * layers;
    }
    let arch = &scenario.arch;
    let layers = f64::from(arch.mixer_layers());
    let calibration = &scenario.calibration;
    let overhead = calibration.layer_overhead * arch.whole_layers()
        + schedule::overhead::of_layers(scenario, compute.load.group_tokens)
        + calibration.step_overhead(compute.load.group_tokens);
    Some(Times {
        model: compute.total() + collectives + overhead,
        roles: compute.roles,
        collectives,
        overhead,
        key_value: compute.key_value(),
        attention: memory.total(),
        send_query: query,
        send_key_value: key_value,
        send_output: output,
        latency: setup.round_trip * layers,
    })
}

/// One side's operators at a load.
struct Loaded<'a> {
    scenario: &'a Scenario,
    rates: Rates,
    operators: Vec<(Place, Operators)>,
    load: Load,
    roles: [Seconds; 4],
}

impl<'a> Loaded<'a> {
    fn new(scenario: &'a Scenario, side: SplitSide, batch: f64) -> Option<Self> {
        let Scenario {
            arch,
            plan,
            cluster,
            precision,
            calibration,
            workload,
            ..
        } = scenario;
        let rates = Rates::new(cluster, precision, calibration)?;
        let load = Load::decode(batch, plan, workload);
        let operators = operators(scenario, side, batch);
        let mut roles = [Seconds::ZERO; 4];
        for (place, operators) in &operators {
            let role = place.role(arch);
            let time = schedule::block_time(scenario, &rates, role, operators, &load);
            roles[role as usize] += time * f64::from(place.layers(arch));
        }
        Some(Self {
            scenario,
            rates,
            operators,
            load,
            roles,
        })
    }

    /// Time of all layers.
    fn total(&self) -> Seconds {
        self.roles.iter().copied().sum()
    }

    /// Projection of keys and values, all layers: their share of a joint projection's columns, or their own operator.
    fn key_value(&self) -> Seconds {
        let tp = self.scenario.plan.spec().tp;
        let mut all = Seconds::ZERO;
        for (place, operators) in &self.operators {
            let Place::Mixer(number) = *place else {
                continue;
            };
            let Some(part) = self.scenario.arch.mixers().get(number) else {
                continue;
            };
            let share = key_value_share(&part.shape, tp);
            let one: Seconds = operators
                .as_slice()
                .iter()
                .map(|operator| match operator.kind {
                    Kind::Qkv => self.rates.time(operator) * share,
                    Kind::KvDown => self.rates.time(operator),
                    _ => Seconds::ZERO,
                })
                .sum();
            all += one * f64::from(part.layers);
        }
        all.min(self.roles[OperatorRole::Attention as usize])
    }
}

/// Share of keys and values in the columns of a joint projection.
pub fn key_value_share(mixer: &Mixer, tp: u32) -> f64 {
    let own = kv_elements(mixer, tp);
    let queries = match mixer {
        Mixer::Grouped(shape) => {
            let gate = if shape.gate { shape.value_dim } else { 0 };
            let sharded = |width| f64::from(shape.heads) * f64::from(width) / f64::from(tp);
            match shape.q_rank {
                Some(rank) => f64::from(rank) + sharded(gate),
                None => sharded(shape.head_dim + gate),
            }
        }
        _ => 0.0,
    };
    own / (own + queries)
}
