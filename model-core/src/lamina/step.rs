//! Computes the time per output token of a Lamina deployment, and its bottleneck.

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

/// Times of one micro-batch, summed over all layers, without overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Times {
    /// Time on a replica for everything but attention, including communication and overheads: MTIME(B) in [L].
    pub model: Seconds,
    /// Operator times that are part of [`Self::model`], without communication, in the order of [`OperatorRole::ALL`].
    pub roles: [Seconds; 4],
    /// Communication time among the devices of a replica, part of [`Self::model`].
    pub collectives: Seconds,
    /// Time of kernel launches and of framework and CPU overhead, part of [`Self::model`].
    pub overhead: Seconds,
    /// Time to project the new keys and values, part of [`Self::model`].
    pub key_value: Seconds,
    /// Attention time on the memory devices: ATIME(B, l) in [L].
    pub attention: Seconds,
    /// Time to send the queries to the memory devices, without latency.
    pub send_query: Seconds,
    /// Time to send the new keys and values to the memory devices, without latency.
    pub send_key_value: Seconds,
    /// Time to send the attention outputs back to the compute devices, without latency.
    pub send_output: Seconds,
    /// Network round-trip latency, summed over all layers.
    pub latency: Seconds,
}

impl Times {
    /// Returns the total network time, latency included. It does not depend on whether queries are sent early.
    pub fn network(&self) -> Seconds {
        self.send_query + self.send_key_value + self.send_output + self.latency
    }

    /// Returns the time saved by overlap when queries are sent early.
    pub fn hidden_by_early_query(&self) -> Seconds {
        let sent = [self.send_query, self.send_key_value];
        early_query(self.key_value, sent, self.latency, self.attention)
    }
}

/// Returns the time saved by overlap when queries are sent early. Attention over the earlier tokens starts once the
/// query arrives. Meanwhile, key and value are still projected (`key_value`) and sent (`sent`).
///
/// Let q and kv be the times to send query and KV, p the time to project KV, and h half a round trip. The time from
/// sending the query to the end of attention is max(q + h + attention, max(p, q) + kv + h). Without early queries, the
/// time is p + q + kv + h + attention.
///
/// Source: [L] 4.2.2, Figure 7. Not modeled: attention to the new token itself, and combining the two partial
/// results.
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

/// Bottleneck of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitBound {
    /// The latency of one micro-batch through both sides; no device is busy all the time.
    Turnaround,
    /// The compute devices are busy all the time.
    Model,
    /// The memory devices are busy all the time.
    Attention,
    /// The network links between the sides are busy all the time.
    Network,
}

impl SplitBound {
    /// Returns the bottleneck's identifier in JSON results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Turnaround => "turnaround",
            Self::Model => "model",
            Self::Attention => "attention",
            Self::Network => "network",
        }
    }
}

/// Results of evaluating a Lamina deployment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    /// Times of one micro-batch, without overlap.
    pub times: Times,
    /// Time saved per step by overlap because queries are sent early.
    pub hidden: Seconds,
    /// Time per step that a micro-batch waits for busy devices.
    pub waiting: Seconds,
    /// Time per step for which each compute device is busy.
    pub model_busy: Seconds,
    /// Time per step for which each memory device is busy.
    pub attention_busy: Seconds,
    /// Time per step for which the network links are busy, on the side with fewer devices.
    pub network_busy: Seconds,
    /// Step time of one micro-batch, waiting included.
    pub step: Seconds,
    /// Bottleneck of the step.
    pub bound: SplitBound,
    /// Time per output token (TPOT).
    pub tpot: Seconds,
    /// Tokens per second for one user.
    pub tokens_per_user: f64,
    /// Tokens per second over all micro-batches.
    pub tokens: f64,
    /// Output tokens per US dollar; `None` if either price is unknown.
    pub tokens_per_dollar: Option<f64>,
    /// Network traffic of one micro-batch in one layer, in bytes.
    pub traffic: Traffic,
    /// Memory use of one compute device, then of one memory device.
    pub memory: [SideMemory; 2],
    /// Largest number of sequences that fits on both sides.
    pub capacity: f64,
}

impl Split {
    /// Returns the time for a micro-batch to pass through every layer on both sides, without waiting.
    pub fn turnaround(&self) -> Seconds {
        self.times.model + self.times.attention + self.times.network() - self.hidden
    }

    /// Returns true if the deployment fits in memory on both sides.
    pub fn fits(&self) -> bool {
        self.memory.iter().all(SideMemory::fits)
    }

    /// Returns the pipeline balance: attention time ÷ (t_m/(j − 1)), where t_m is the model time. The value is 1 if
    /// balanced, and above 1 if the memory devices are the slower side. Source: [L] 4.3.
    pub fn balance(&self) -> f64 {
        self.attention_busy / self.model_busy
    }
}

/// Evaluates a Lamina deployment.
///
/// The step time is the longer of two times: the turnaround of a micro-batch, and the time for which the busiest
/// resource works on all j micro-batches. Let t_m be the model time and t_a the attention time. A replica is busy for
/// j/(j−1)·t_m, the memory devices for j·t_a, and the links for the transfer time of all traffic. With t_a = t_m/(j−1)
/// and a network that takes no time, the turnaround and both device times are equal.
///
/// A batch that does not fit in memory is evaluated too; see [`Split::fits`].
///
/// Source: [L] 3.1, 4.3. Assumes that prefill does not interrupt decode, and that the model is cut into equal slices
/// (the output head is spread over the layers).
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

/// Returns the times of one micro-batch, with each operator on the accelerator of its side. `None` if an accelerator
/// does not support a number format in use.
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

    fn total(&self) -> Seconds {
        self.roles.iter().copied().sum()
    }

    /// Returns the time to project keys and values, summed over all layers. For a joint QKV projection, counts its time
    /// in proportion to the output columns for keys and values; otherwise, counts the time of the separate operator.
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

/// Returns the fraction of a joint projection's output columns that are keys and values.
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
