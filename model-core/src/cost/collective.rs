//! Communication of a layer: its collectives and their times.
//!
//! A collective takes `t = α + bytes·ε/bandwidth`, where α and ε depend on the type of collective and on the network.
//! A group of one GPU sends nothing. A group within one scale-up domain uses the scale-up network; every other group
//! uses the scale-out network. Only the expert all-to-all uses both.

use crate::arch::{Ffn, Mixer, Moe};
use crate::calibration::{Calibration, MessageCost};
use crate::hardware::{Cluster, NetworkLink};
use crate::math;
use crate::ops::{Load, Place, PromptForm, Subject, ffn, index};
use crate::plan::Plan;
use crate::scenario::Scenario;
use crate::units::{Bytes, Seconds};

/// Type of collective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Collective {
    /// All-to-all that dispatches tokens to experts and combines the results. Source: [A] 3.3.
    ExpertAllToAll,
    /// All-reduce of the partial results of experts that are sharded over tp_f GPUs.
    ExpertAllReduce,
    /// All-gather of the results of all expert groups, used where every GPU holds every token.
    ExpertAllGather,
    /// Helix exchange of partial attention outputs between KV shards. Source: [H] 2.1.
    HelixExchange,
    /// Exchange of top-k selection candidates between the ranks of a KVP-sharded context.
    SelectionExchange,
    /// All-reduce, over an attention group, of a mixer's output after the output projection. Source: [H] 2.1.
    AttentionAllReduce,
    /// All-reduce of a dense FFN's output over the GPUs that share the FFN.
    DenseAllReduce,
}

/// One collective of a layer, from the point of view of one GPU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Message {
    /// Type of collective.
    pub collective: Collective,
    /// Number of layers of the LLM with this collective.
    pub layers: u32,
    /// The network that limits the collective's time.
    pub link: NetworkLink,
    /// Bytes that one GPU moves over the network that limits the collective.
    pub bytes: Bytes,
    /// Latency part of the collective's time; the rest is transfer time.
    pub latency: Seconds,
    /// Time of the collective, latency included.
    pub time: Seconds,
}

impl Message {
    const NONE: Self = Self {
        collective: Collective::ExpertAllToAll,
        layers: 0,
        link: NetworkLink::ScaleUp,
        bytes: Bytes::ZERO,
        latency: Seconds::ZERO,
        time: Seconds::ZERO,
    };
}

/// Max number of collectives in one part (mixer or FFN) of a layer: selection exchange, Helix exchange, all-reduce.
const CAPACITY: usize = 3;

/// Collectives of one part (mixer or FFN) of a layer, in a fixed array so that a sweep never allocates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Messages {
    items: [Message; CAPACITY],
    len: usize,
}

impl Messages {
    /// An empty list of collectives.
    pub const EMPTY: Self = Self {
        items: [Message::NONE; CAPACITY],
        len: 0,
    };

    /// Returns the collectives of one part of a layer for one pass of `load`. If every GPU holds every token, prefill
    /// by kernels or passes sums the experts' results in one all-reduce over the pipeline stage.
    pub fn of(scenario: &Scenario, subject: &Subject<'_>, place: Place, load: &Load) -> Self {
        let mut list = Self::EMPTY;
        list.fill(scenario, subject, place, load);
        list
    }

    /// Replaces the contents of this list with the collectives that [`Self::of`] returns.
    pub fn fill(&mut self, scenario: &Scenario, subject: &Subject<'_>, place: Place, load: &Load) {
        self.len = 0;
        let arch = &scenario.arch;
        let mut network = Network {
            cluster: &scenario.cluster,
            calibration: &scenario.calibration,
            subject,
            layers: place.layers(arch),
            list: self,
        };
        match place {
            Place::Mixer(number) => {
                if let Some(part) = arch.mixers().get(number) {
                    mixer_messages(&mut network, &part.shape, load);
                }
            }
            Place::Ffn(number) => match arch.ffns().get(number).map(|part| part.shape) {
                Some(Ffn::Dense(_)) => dense_messages(&mut network, load),
                Some(Ffn::Moe(moe)) => expert_messages(&mut network, &moe, load),
                None => {}
            },
            Place::Head => {}
        }
    }

    /// Multiplies the time and latency of each collective by `factor`.
    pub fn slow(&mut self, factor: f64) {
        for message in &mut self.items[..self.len] {
            message.latency = message.latency * factor;
            message.time = message.time * factor;
        }
    }

    /// Returns the collectives in the order in which they were added.
    pub fn as_slice(&self) -> &[Message] {
        &self.items[..self.len]
    }

    /// Returns the time of all collectives in one layer.
    pub fn each_layer(&self) -> Seconds {
        self.as_slice().iter().map(|message| message.time).sum()
    }

    /// Returns the time of all collectives, summed over all layers that have them.
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
    subject: &'a Subject<'a>,
    layers: u32,
    list: &'a mut Messages,
}

impl Network<'_> {
    const fn cost(&self, collective: Collective, link: NetworkLink) -> MessageCost {
        let costs = &self.calibration.messages;
        match (link, collective) {
            (NetworkLink::ScaleOut, _) => costs.across,
            (NetworkLink::ScaleUp, Collective::ExpertAllToAll | Collective::HelixExchange) => {
                costs.all_to_all
            }
            (NetworkLink::ScaleUp, Collective::ExpertAllGather | Collective::SelectionExchange) => {
                costs.all_gather
            }
            (
                NetworkLink::ScaleUp,
                Collective::ExpertAllReduce
                | Collective::AttentionAllReduce
                | Collective::DenseAllReduce,
            ) => costs.all_reduce,
        }
    }

    /// Returns the time to move a collective's bytes over a link, excluding latency.
    fn moving(&self, collective: Collective, link: NetworkLink, bytes: Bytes) -> Seconds {
        bytes / self.cluster.bandwidth(link) * self.cost(collective, link).factor
    }

    fn send(&mut self, collective: Collective, link: NetworkLink, bytes: Bytes) {
        let cost = self.cost(collective, link);
        let moving = self.moving(collective, link, bytes);
        self.record(collective, link, cost.start, bytes, moving);
    }

    /// Adds a collective of `bytes` that takes `latency` plus `moving`.
    fn record(
        &mut self,
        collective: Collective,
        link: NetworkLink,
        latency: Seconds,
        bytes: Bytes,
        moving: Seconds,
    ) {
        let time = latency + moving;
        if self.layers > 0 && self.list.len < CAPACITY {
            self.list.items[self.list.len] = Message {
                collective,
                layers: self.layers,
                link,
                bytes,
                latency,
                time,
            };
            self.list.len += 1;
        }
    }

    /// Adds a ring all-reduce of `bytes` over `members` GPUs, where each of the m GPUs transfers 2 (m−1)/m of the
    /// bytes. Within a scale-up domain, uses the faster of the engine's and the library's all-reduce kernel if the
    /// calibration has both.
    fn all_reduce(&mut self, collective: Collective, members: u32, bytes: Bytes) {
        if members > 1 {
            let m = f64::from(members);
            let moved = bytes * ring_share(m);
            let link = self.cluster.link(members);
            let bulk = self.calibration.messages.bulk_all_reduce;
            if let (Some(bulk), NetworkLink::ScaleUp) = (bulk, link) {
                let own = self.calibration.messages.all_reduce;
                let alone = moved / self.cluster.bandwidth(link);
                let time = |cost: MessageCost| cost.start + alone * cost.factor;
                let cost = if time(bulk) < time(own) { bulk } else { own };
                self.record(collective, link, cost.start, moved, alone * cost.factor);
            } else {
                self.send(collective, link, moved);
            }
        }
    }
}

/// Adds a mixer's collectives: selection exchange, Helix exchange, and the all-reduce of `T d x` bytes after the
/// output projection. Here T is tokens, d the hidden size and x bytes per element. The Helix exchange moves
/// `T O_w/tp x (kvp−1)/kvp` bytes, where `O_w` is the width of attention's output. Every rank of a KVP-sharded
/// context has a copy of all recurrent states, so recurrent mixers need neither of the two exchanges.
///
/// Source: [H] 2.1.
fn mixer_messages(network: &mut Network<'_>, mixer: &Mixer, load: &Load) {
    let (arch, plan, precision) = network.subject.parts();
    let spec = plan.spec();
    let link = network.cluster.link(plan.group());
    if let Some(bytes) = index::exchanged(mixer, network.subject, load) {
        network.send(Collective::SelectionExchange, link, bytes);
    }
    let width = match mixer {
        Mixer::Grouped(shape) => f64::from(shape.heads) * f64::from(shape.value_dim),
        Mixer::Latent(shape) => f64::from(shape.heads) * f64::from(shape.value_dim),
        Mixer::Compressed(shape) => f64::from(shape.heads) * f64::from(shape.head_dim),
        Mixer::GatedDelta(_) | Mixer::Kda(_) | Mixer::Lightning(_) | Mixer::Mamba2(_) => 0.0,
    };
    if spec.kvp > 1 && width > 0.0 {
        let kvp = f64::from(spec.kvp);
        let outputs = width / f64::from(spec.tp);
        let bytes = load.group_tokens * outputs * precision.activations * ((kvp - 1.0) / kvp);
        network.send(Collective::HelixExchange, link, Bytes::new(bytes));
    }
    let hidden = elements(load.group_tokens, arch.hidden, precision.activations);
    network.all_reduce(Collective::AttentionAllReduce, plan.group(), hidden);
}

/// Adds the all-reduce of a dense FFN's output, which has `T d x` bytes (tokens × hidden size × bytes per element).
/// It spans tp_f GPUs; for the dense layers of an MoE, it spans the attention group.
fn dense_messages(network: &mut Network<'_>, load: &Load) {
    let (arch, plan, precision) = network.subject.parts();
    let hidden = elements(load.group_tokens, arch.hidden, precision.activations);
    network.all_reduce(Collective::DenseAllReduce, plan.dense_shards(), hidden);
}

/// Adds dispatch, combine, and an all-reduce of partial results over tp_f GPUs, in the experts' latent or hidden width.
/// If every GPU holds every token, adds only the collectives that sum the experts' results, in the hidden width.
fn expert_messages(network: &mut Network<'_>, moe: &Moe, load: &Load) {
    let Subject {
        arch,
        plan,
        precision,
        prompts,
        ..
    } = network.subject;
    let spec = plan.spec();
    if plan.stage_gpus() == 1 {
        return;
    }
    let x = precision.activations;
    if !plan.tokens_replicated() {
        match prompts {
            PromptForm::Pass => bandwidth_all_to_all(network, moe, load),
            PromptForm::Equations | PromptForm::Kernels => all_to_all(network, moe, load),
        }
        let tokens = ffn::expert_tokens(moe, plan, load);
        let partial = elements(tokens, moe.working_width(arch.hidden), x);
        network.all_reduce(Collective::ExpertAllReduce, spec.ffn_tp, partial);
        return;
    }
    if *prompts != PromptForm::Equations {
        let results = elements(load.tokens, arch.hidden, x);
        network.all_reduce(Collective::ExpertAllReduce, plan.stage_gpus(), results);
        return;
    }
    // Every GPU holds every token: each expert group has at most min(1, k/ep) of the results.
    let share = (f64::from(moe.experts_per_token) / f64::from(spec.ep)).min(1.0);
    let results = elements(load.tokens, arch.hidden, x) * share;
    network.all_reduce(Collective::ExpertAllReduce, spec.ffn_tp, results);
    if spec.ep > 1 {
        let link = network.cluster.link(spec.ffn_tp * spec.ep);
        let gathered = results * (f64::from(spec.ep) - 1.0);
        network.send(Collective::ExpertAllGather, link, gathered);
    }
}

/// Adds dispatch and combine: V = t z (x_d + x_c) bytes per GPU and layer. A GPU has t = B k'/(ep β) expert tokens of
/// width z; x_d and x_c are the bytes per element of dispatch and combine. If the GPUs span n domains, (n−1)/n of V
/// uses scale-out and, concurrently, 1/n uses scale-up.
///
/// With a node limit, a token crosses once per remote domain, not once per expert.
///
/// Source: [A] 3.3. [A] multiplies by all 61 layers, but only the 58 layers with experts communicate; this changes
/// the 0.0118 GB·B/N in [A] to 0.0112. Assumes: bytes that a GPU would send to itself are not deducted.
fn all_to_all(network: &mut Network<'_>, moe: &Moe, load: &Load) {
    let (arch, plan, precision) = network.subject.parts();
    let width = f64::from(moe.working_width(arch.hidden));
    let per_token = width * (precision.dispatch + precision.combine);
    let volume = ffn::expert_tokens(moe, plan, load) * per_token;
    let domains = network.cluster.domains(f64::from(plan.stage_gpus()));
    let copies = ffn::experts_per_token(moe, plan);
    let outside = match plan.spec().node_limit {
        None => volume * outside_share(domains),
        Some(limit) => volume / copies * remote_domains(domains, copies, f64::from(limit)),
    };
    let inside = volume / domains;
    exchange(network, plan, inside, outside);
}

/// Adds dispatch and combine of a prefill pass. A token is sent once to each other GPU that has one of the token's
/// experts. Across domains, it is sent once per domain and forwarded there.
///
/// V is the bytes of all k' copies, n the number of domains, N the number of GPUs and M the node limit. With r(N) =
/// (N−1)(1 − (1−1/N)^k'), V r(N)/k' moves within a domain and, concurrently, V min(M, r(n))/k' moves across domains.
///
/// Source: DeepEP's normal kernels (README; DeepSeek-V3 report §3.2.2). Assumes: routing is uniform.
fn bandwidth_all_to_all(network: &mut Network<'_>, moe: &Moe, load: &Load) {
    let (arch, plan, precision) = network.subject.parts();
    let width = f64::from(moe.working_width(arch.hidden));
    let copies = ffn::experts_per_token(moe, plan);
    let each = ffn::expert_tokens(moe, plan, load) / copies
        * (width * (precision.dispatch + precision.combine));
    let gpus = f64::from(plan.stage_gpus());
    let inside = each * remote_domains(gpus, copies, f64::INFINITY);
    let domains = network.cluster.domains(gpus);
    let limit = plan.spec().node_limit.map_or(f64::INFINITY, f64::from);
    let outside = each * remote_domains(domains, copies, limit);
    exchange(network, plan, inside, outside);
}

/// Adds dispatch and combine. Their bytes move within a domain and across domains concurrently, so the longer of the
/// two transfers determines the time.
fn exchange(network: &mut Network<'_>, plan: &Plan, inside: f64, outside: f64) {
    let collective = Collective::ExpertAllToAll;
    let over = |bytes: f64, link| network.moving(collective, link, Bytes::new(bytes));
    let (across, within) = (NetworkLink::ScaleOut, NetworkLink::ScaleUp);
    let (link, bytes) = if over(outside, across) > over(inside, within) {
        (across, outside)
    } else {
        (within, inside)
    };
    // Dispatch and combine each have a latency. It is the scale-out latency if the group exceeds a domain, regardless
    // of the link that limits the transfer.
    let reach = network.cluster.link(plan.stage_gpus());
    let starts = network.cost(collective, reach).start * 2.0;
    let moving = over(bytes, link);
    network.record(collective, link, starts, Bytes::new(bytes), moving);
}

/// Returns the expected number of distinct remote domains that a token's k' `copies` reach: (n−1)(1 − (1 − 1/n)^k'),
/// but at most `limit`. Assumes: the domain of each copy is drawn uniformly from n `domains`.
///
/// Source: [A] 2.3 (node-limited routing).
pub fn remote_domains(domains: f64, copies: f64, limit: f64) -> f64 {
    ((domains - 1.0) * (1.0 - math::pow(1.0 - 1.0 / domains, copies))).min(limit)
}

/// Returns the fraction of a ring all-reduce's bytes that each of its m `members` transfers: 2 (m−1)/m.
pub fn ring_share(members: f64) -> f64 {
    2.0 * (members - 1.0) / members
}

/// Returns the fraction of an all-to-all's bytes that leaves a scale-up domain, for a group that spans n `domains`:
/// (n−1)/n.
pub fn outside_share(domains: f64) -> f64 {
    (domains - 1.0) / domains
}

fn elements(tokens: f64, width: u32, bytes: f64) -> Bytes {
    Bytes::new(tokens * f64::from(width) * bytes)
}
