//! The messages of a layer and their times.
//!
//! `t = α + bytes·ε/bandwidth` per collective, both by the kind of collective and the network; a group of one GPU sends nothing and waits for
//! nothing. A group that fits one scale-up domain uses that, every other the scale-out network;
//! only the all-to-all of experts is spread over both.

use super::calibration::{Calibration, MessageCost};
use crate::arch::{Arch, Ffn};
use crate::hardware::{Cluster, Link};
use crate::math;
use crate::ops::{Load, ffn};
use crate::plan::Plan;
use crate::precision::Precision;
use crate::units::{Bytes, Seconds};

/// Which collective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Collective {
    /// Tokens to experts and back. Source: [A] 3.3.
    ExpertAllToAll,
    /// Sum of the parts of experts that are split over tp_f.
    ExpertAllReduce,
    /// Results of all expert groups, where every GPU holds every token.
    ExpertAllGather,
    /// Helix's exchange of attention outputs over KV shards. Source: [H] 2.1.
    HelixExchange,
    /// Sum of the output projection over an attention group. Source: [H] 2.1.
    AttentionAllReduce,
    /// Sum of a dense feed-forward over its shards.
    DenseAllReduce,
}

/// One collective of a layer, as one GPU sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Message {
    /// Which collective.
    pub collective: Collective,
    /// Layers of the model that have it.
    pub layers: u32,
    /// The network that its time is set by.
    pub link: Link,
    /// Bytes that this GPU moves over that network.
    pub bytes: Bytes,
    /// The part of its time that is latency.
    pub latency: Seconds,
    /// Its time, latency included.
    pub time: Seconds,
}

impl Message {
    const NONE: Self = Self {
        collective: Collective::ExpertAllToAll,
        layers: 0,
        link: Link::ScaleUp,
        bytes: Bytes::ZERO,
        latency: Seconds::ZERO,
        time: Seconds::ZERO,
    };
}

const CAPACITY: usize = 6;

/// The messages of one pass; a fixed array, so that a sweep never allocates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Messages {
    items: [Message; CAPACITY],
    len: usize,
}

impl Messages {
    /// The messages one pass of `load` causes.
    pub fn of(
        arch: &Arch,
        plan: &Plan,
        cluster: &Cluster,
        precision: &Precision,
        calibration: &Calibration,
        load: &Load,
    ) -> Self {
        let mut network = Network {
            cluster,
            calibration,
            list: Self {
                items: [Message::NONE; CAPACITY],
                len: 0,
            },
        };
        attention_messages(&mut network, arch, plan, precision, load);
        dense_messages(&mut network, arch, plan, precision, load);
        expert_messages(&mut network, arch, plan, precision, load);
        network.list
    }

    /// The messages of one prompt in every attention group: as [`Self::of`], but where every GPU holds
    /// every token, experts' results are summed by one all-reduce over the stage.
    pub fn of_prompt(
        arch: &Arch,
        plan: &Plan,
        cluster: &Cluster,
        precision: &Precision,
        calibration: &Calibration,
        load: &Load,
    ) -> Self {
        let mut network = Network {
            cluster,
            calibration,
            list: Self {
                items: [Message::NONE; CAPACITY],
                len: 0,
            },
        };
        attention_messages(&mut network, arch, plan, precision, load);
        dense_messages(&mut network, arch, plan, precision, load);
        if plan.tokens_replicated() {
            let results = hidden_states(load.tokens, arch, precision);
            let layers = arch.expert_layers();
            network.all_reduce(
                Collective::ExpertAllReduce,
                layers,
                plan.stage_gpus(),
                results,
            );
        } else {
            expert_messages(&mut network, arch, plan, precision, load);
        }
        network.list
    }

    /// The same messages, each taking `factor` times as long.
    #[must_use]
    pub fn slowed(mut self, factor: f64) -> Self {
        for message in &mut self.items[..self.len] {
            message.latency = message.latency * factor;
            message.time = message.time * factor;
        }
        self
    }

    /// The messages in order.
    pub fn as_slice(&self) -> &[Message] {
        &self.items[..self.len]
    }

    /// Time of all of them over the layers they occur in.
    pub fn time(&self) -> Seconds {
        self.as_slice()
            .iter()
            .map(|message| message.time * f64::from(message.layers))
            .sum()
    }
}

struct Network<'a> {
    cluster: &'a Cluster,
    calibration: &'a Calibration,
    list: Messages,
}

impl Network<'_> {
    /// What a collective costs over a link.
    const fn cost(&self, collective: Collective, link: Link) -> MessageCost {
        let costs = &self.calibration.messages;
        match (link, collective) {
            (Link::ScaleOut, _) => costs.across,
            (Link::ScaleUp, Collective::ExpertAllToAll | Collective::HelixExchange) => {
                costs.all_to_all
            }
            (Link::ScaleUp, Collective::ExpertAllGather) => costs.all_gather,
            (
                Link::ScaleUp,
                Collective::ExpertAllReduce
                | Collective::AttentionAllReduce
                | Collective::DenseAllReduce,
            ) => costs.all_reduce,
        }
    }

    /// Time of a collective's bytes over a link, without its start.
    fn moving(&self, collective: Collective, link: Link, bytes: Bytes) -> Seconds {
        bytes / self.cluster.bandwidth(link) * self.cost(collective, link).factor
    }

    /// Records a collective whose bytes go over one link.
    fn send(&mut self, collective: Collective, layers: u32, link: Link, bytes: Bytes) {
        let start = self.cost(collective, link).start;
        self.record(collective, layers, link, start, bytes);
    }

    fn record(
        &mut self,
        collective: Collective,
        layers: u32,
        link: Link,
        latency: Seconds,
        bytes: Bytes,
    ) {
        let time = latency + self.moving(collective, link, bytes);
        if layers > 0 && self.list.len < CAPACITY {
            self.list.items[self.list.len] = Message {
                collective,
                layers,
                link,
                bytes,
                latency,
                time,
            };
            self.list.len += 1;
        }
    }

    /// Ring all-reduce of `bytes` over `members`: 2 (m−1)/m of them pass each GPU.
    fn all_reduce(&mut self, collective: Collective, layers: u32, members: u32, bytes: Bytes) {
        if members > 1 {
            let m = f64::from(members);
            let moved = bytes * (2.0 * (m - 1.0) / m);
            self.send(collective, layers, self.cluster.link(members), moved);
        }
    }
}

/// Helix's exchange of b (n_h d_v/tp) x (kvp−1)/kvp bytes, and the all-reduce of b d x after `out`.
///
/// Source: [H] 2.1.
fn attention_messages(
    network: &mut Network<'_>,
    arch: &Arch,
    plan: &Plan,
    precision: &Precision,
    load: &Load,
) {
    let spec = plan.spec();
    let group = plan.group();
    if spec.kvp > 1 {
        let kvp = f64::from(spec.kvp);
        let outputs = f64::from(arch.attention.heads()) * f64::from(arch.attention.value_dim())
            / f64::from(spec.tp);
        let bytes = load.group_tokens * outputs * precision.activations * ((kvp - 1.0) / kvp);
        let link = network.cluster.link(group);
        network.send(
            Collective::HelixExchange,
            arch.layers,
            link,
            Bytes::new(bytes),
        );
    }
    let hidden = hidden_states(load.group_tokens, arch, precision);
    network.all_reduce(Collective::AttentionAllReduce, arch.layers, group, hidden);
}

/// All-reduce of b d x over the shards of a dense feed-forward: tp_f, or the attention group for
/// the leading dense layers of a mixture of experts.
fn dense_messages(
    network: &mut Network<'_>,
    arch: &Arch,
    plan: &Plan,
    precision: &Precision,
    load: &Load,
) {
    let shards = match arch.ffn {
        Ffn::Dense { .. } => plan.spec().ffn_tp,
        Ffn::Moe { .. } => plan.group(),
    };
    let hidden = hidden_states(load.group_tokens, arch, precision);
    network.all_reduce(
        Collective::DenseAllReduce,
        arch.dense_layers(),
        shards,
        hidden,
    );
}

fn expert_messages(
    network: &mut Network<'_>,
    arch: &Arch,
    plan: &Plan,
    precision: &Precision,
    load: &Load,
) {
    let Ffn::Moe {
        experts_per_token, ..
    } = arch.ffn
    else {
        return;
    };
    let spec = plan.spec();
    let layers = arch.expert_layers();
    if plan.stage_gpus() == 1 {
        return;
    }
    if !plan.tokens_replicated() {
        all_to_all(network, arch, plan, precision, load);
        let partial = hidden_states(load.expert_tokens, arch, precision);
        network.all_reduce(Collective::ExpertAllReduce, layers, spec.ffn_tp, partial);
        return;
    }
    // Every GPU holds every token: each expert group has at most min(1, k/ep) of the results.
    let share = (f64::from(experts_per_token) / f64::from(spec.ep)).min(1.0);
    let results = hidden_states(load.tokens, arch, precision) * share;
    network.all_reduce(Collective::ExpertAllReduce, layers, spec.ffn_tp, results);
    if spec.ep > 1 {
        let link = network.cluster.link(spec.ffn_tp * spec.ep);
        let gathered = results * (f64::from(spec.ep) - 1.0);
        network.send(Collective::ExpertAllGather, layers, link, gathered);
    }
}

/// Dispatch and combine: V = t d (x_d + x_c) bytes per GPU and layer with t = B k'/(ep β); of n
/// domains, (n−1)/n of V leave the domain over scale-out while 1/n stays on scale-up, at once.
///
/// With a node limit a token crosses once per remote domain it visits, not once per expert.
///
/// Source: [A] 3.3. [A] multiplies by all 61 layers; only the 58 with experts send, which makes its
/// 0.0118 GB·B/N into 0.0112. Assumes: a GPU's own share is not deducted.
fn all_to_all(
    network: &mut Network<'_>,
    arch: &Arch,
    plan: &Plan,
    precision: &Precision,
    load: &Load,
) {
    let per_token = f64::from(arch.hidden) * (precision.dispatch + precision.combine);
    let volume = load.expert_tokens * per_token;
    let domains = network.cluster.domains(f64::from(plan.stage_gpus()));
    let copies = ffn::experts_per_token(arch, plan);
    let outside = match plan.spec().node_limit {
        None => volume * ((domains - 1.0) / domains),
        Some(limit) => volume / copies * remote_domains(domains, copies, f64::from(limit)),
    };
    let inside = volume / domains;
    let collective = Collective::ExpertAllToAll;
    let over = |bytes: f64, link| network.moving(collective, link, Bytes::new(bytes));
    let (link, bytes) = if over(outside, Link::ScaleOut) > over(inside, Link::ScaleUp) {
        (Link::ScaleOut, outside)
    } else {
        (Link::ScaleUp, inside)
    };
    // Dispatch and combine each start; one that leaves the domain starts there, wherever its bytes bind.
    let reach = network.cluster.link(plan.stage_gpus());
    let starts = network.cost(collective, reach).start * 2.0;
    network.record(
        collective,
        arch.expert_layers(),
        link,
        starts,
        Bytes::new(bytes),
    );
}

/// Expected distinct remote domains that `copies` uniform draws among `domains` visit, at most
/// `limit`: (n−1)(1 − (1 − 1/n)^k').
///
/// Source: [A] 2.3 (node-limited routing).
pub fn remote_domains(domains: f64, copies: f64, limit: f64) -> f64 {
    ((domains - 1.0) * (1.0 - math::pow(1.0 - 1.0 / domains, copies))).min(limit)
}

fn hidden_states(tokens: f64, arch: &Arch, precision: &Precision) -> Bytes {
    Bytes::new(tokens * f64::from(arch.hidden) * precision.activations)
}
