//! Bottleneck: classifies the time from one decode step to the next by the resource that limits it.
//!
//! Headlines, levers, tables and charts all use this one classification, computed from the records of an evaluation.
//! Each exposed time of a step goes to the resource that bounds it under the calibrated roofline.
//!
//! An operator's time is attributed to HBM bandwidth or compute, and its launch latency to launches. A collective's
//! transfer time is attributed to the slower network it uses, and its fixed latency to latency. Time added by uneven
//! expert load is attributed to balance. Overlapped time is not counted.

use crate::calibration::Fold;
use crate::cost::collective::{Collective, Message};
use crate::cost::roofline::{Bound, Rates};
use crate::evaluate::Evaluation;
use crate::hardware::NetworkLink;
use crate::named::named;
use crate::ops::{Kind, Load, Operator, OperatorRole};
use crate::plan::Overlap;
use crate::scenario::Scenario;
use crate::schedule::{
    Block, block_moving, block_time, core_time, covered_by_hop_b, drafter, overhead, slowing,
};
use crate::units::Seconds;

named! {
    /// A resource that limits a deployment.
    pub enum Resource {
        /// HBM bandwidth: time spent waiting for bytes.
        Hbm = "hbm",
        /// Compute: time limited by peak FLOP/s.
        Compute = "compute",
        /// Network bandwidth within a scale-up domain.
        ScaleUp = "scale_up",
        /// Network bandwidth between scale-up domains.
        ScaleOut = "scale_out",
        /// Fixed latency of collectives.
        Latency = "latency",
        /// Kernel launches, framework overhead and host time.
        Launches = "launches",
        /// Memory capacity, which limits the batch but takes no time in a step.
        Capacity = "capacity",
        /// Prefill of other requests, which delays decode in aggregated serving.
        Prefill = "prefill",
        /// Load imbalance between experts.
        Balance = "balance",
    }
}

const RESOURCES: usize = Resource::ALL.len();
const ROLES: usize = OperatorRole::ALL.len();

/// Time from one decode step to the next, split by the resource that limits each part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bottleneck {
    times: [Seconds; RESOURCES],
    /// HBM time and compute time, each split by part of the LLM.
    roles: [[Seconds; ROLES]; 2],
}

impl Bottleneck {
    /// Classifies all exposed time of an evaluation. The classified times sum to the step time plus prefill of other
    /// requests.
    pub fn of(scenario: &Scenario, evaluation: &Evaluation) -> Self {
        let mut tally = Tally {
            scenario,
            evaluation,
            busy: Self::EMPTY,
            messages: Self::EMPTY,
        };
        for block in evaluation.blocks(scenario) {
            let weight = f64::from(block.layers);
            tally.block(&block, block.role, &evaluation.load, weight);
            tally.overhead(block.role, &evaluation.load, weight);
        }
        let layers = scenario.arch.whole_layers();
        let layer = scenario.calibration.layer_overhead;
        tally.busy.add(Resource::Launches, layer * layers);
        if scenario.calibration.drafter {
            let (subject, slowed) = (scenario.subject(), slowing(scenario));
            drafter::for_each_block(scenario, &subject, &evaluation.load, slowed, |draft| {
                tally.block(&draft.block, draft.role, &draft.load, draft.passes);
                let halves = draft.halves * draft.passes;
                tally.overhead(draft.role, &draft.load, halves);
                tally.busy.add(Resource::Launches, layer * (halves / 2.0));
            });
        }
        tally.exposed()
    }

    const EMPTY: Self = Self {
        times: [Seconds::ZERO; RESOURCES],
        roles: [[Seconds::ZERO; ROLES]; 2],
    };

    fn add(&mut self, resource: Resource, time: Seconds) {
        self.times[resource as usize] += time;
    }

    fn add_of(&mut self, bound: Bound, role: OperatorRole, time: Seconds) {
        let (resource, place) = match bound {
            Bound::Memory => (Resource::Hbm, 0),
            Bound::Compute => (Resource::Compute, 1),
        };
        self.add(resource, time);
        self.roles[place][role as usize] += time;
    }

    /// Returns the sum of two breakdowns, multiplied by `factor`.
    fn sum(&self, other: &Self, factor: f64) -> Self {
        let sum =
            |one: &[Seconds], other: &[Seconds], place: usize| (one[place] + other[place]) * factor;
        Self {
            times: std::array::from_fn(|at| sum(&self.times, &other.times, at)),
            roles: std::array::from_fn(|of| {
                std::array::from_fn(|at| sum(&self.roles[of], &other.roles[of], at))
            }),
        }
    }

    /// Returns the time from one decode step to the next: the step time plus prefill of other requests.
    pub fn span(&self) -> Seconds {
        self.times.iter().copied().sum()
    }

    /// Returns a resource's share of the time from one decode step to the next; all shares sum to one.
    pub fn share(&self, resource: Resource) -> f64 {
        self.times[resource as usize] / self.span()
    }

    /// Returns the resource with the largest share; if several are equal, the first one.
    pub fn largest(&self) -> Resource {
        self.ranked()[0]
    }

    /// Returns all resources, sorted by decreasing share.
    pub fn ranked(&self) -> [Resource; RESOURCES] {
        let mut ranked: [Resource; RESOURCES] = Resource::ALL;
        let time = |resource: Resource| self.times[resource as usize].get();
        // Insertion sort: the array is short and nearly sorted.
        for end in 1..RESOURCES {
            for at in (1..=end).rev() {
                if time(ranked[at]) > time(ranked[at - 1]) {
                    ranked.swap(at, at - 1);
                }
            }
        }
        ranked
    }

    /// Returns the part of the LLM that takes more than half of the HBM time or compute time. Returns `None` if no part
    /// does, or if `resource` is neither HBM nor compute.
    pub fn most_in(&self, resource: Resource) -> Option<OperatorRole> {
        let times = match resource {
            Resource::Hbm => &self.roles[0],
            Resource::Compute => &self.roles[1],
            _ => return None,
        };
        let half = self.times[resource as usize] * 0.5;
        let mut roles = OperatorRole::ALL.into_iter();
        roles.find(|role| times[*role as usize] > half)
    }
}

/// Returns `part` as a fraction of `whole`; zero if `whole` is zero.
fn share(part: Seconds, whole: Seconds) -> f64 {
    match whole > Seconds::ZERO {
        true => part / whole,
        false => 0.0,
    }
}

/// Times of one forward pass, collected while they are classified.
struct Tally<'a> {
    scenario: &'a Scenario,
    evaluation: &'a Evaluation,
    /// GPU time of operators and engine overhead.
    busy: Bottleneck,
    messages: Bottleneck,
}

impl Tally<'_> {
    /// Adds the times of a block (the mixer or FFN part of a layer), multiplied by `weight`.
    fn block(&mut self, block: &Block, role: OperatorRole, load: &Load, weight: f64) {
        let Self {
            scenario,
            evaluation,
            ..
        } = *self;
        let rates = &evaluation.rates;
        let operators = block.operators.as_slice();
        let exchange = |message: &&Message| message.collective == Collective::HelixExchange;
        let messages = block.messages.as_slice();
        // HOP-B: the shorter of attention core and exchange is overlapped.
        let (mut core, mut sent) = (1.0, 1.0);
        if let (Overlap::HopB, Some(exchange)) =
            (scenario.plan.spec().overlap, messages.iter().find(exchange))
        {
            let covered = covered_by_hop_b(scenario, rates, block, load);
            let time = core_time(scenario, rates, block, load);
            match time < exchange.time {
                true => core -= share(covered, time),
                false => sent -= share(covered, exchange.time),
            }
        }
        for message in messages {
            let exposed = match exchange(&message) {
                true => sent,
                false => 1.0,
            };
            self.message(message, weight * exposed);
        }
        let exposed = |operator: &Operator| match operator.kind.is_attention_core() {
            true => weight * core,
            false => weight,
        };
        if scenario.calibration.fold == Fold::Operator {
            for operator in operators {
                let (start, sorting) = (rates.start(operator), rates.sorting(operator));
                let products = rates.time(operator) - start - sorting;
                let exposed = exposed(operator);
                self.operator(operator, rates.bound(operator), products * exposed);
                self.operator(operator, Bound::Memory, sorting * exposed);
                self.busy.add(Resource::Launches, start * exposed);
            }
            return;
        }
        // The whole block has one roofline. Its time is divided in proportion to the times of the separate operators.
        let moving = block_moving(scenario.arch.hidden, rates, role, &block.operators, load);
        let rows: Seconds = operators.iter().map(|one| rates.rows(one)).sum();
        let (bound, alone): (Bound, fn(&_, &_) -> Seconds) = match rows > moving {
            true => (Bound::Compute, Rates::rows),
            false => (Bound::Memory, Rates::memory),
        };
        let starts: Seconds = operators.iter().map(|one| rates.start(one)).sum();
        let products = block_time(scenario, rates, role, &block.operators, load) - starts;
        let core_of_block = core_time(scenario, rates, block, load) * (1.0 - core);
        let products = (products - core_of_block) * weight;
        let all: Seconds = operators.iter().map(|one| alone(rates, one)).sum();
        for operator in operators {
            let own = share(alone(rates, operator), all);
            self.operator(operator, bound, products * own);
        }
        self.busy.add(Resource::Launches, starts * weight);
    }

    /// Adds an operator's time to the resource that bounds it; the time added by uneven expert load is attributed to
    /// balance.
    fn operator(&mut self, operator: &Operator, bound: Bound, time: Seconds) {
        let uneven = match (operator.kind, bound) {
            (Kind::Experts, Bound::Compute) => 1.0,
            (Kind::Experts, Bound::Memory) => operator.activations / operator.bytes(),
            _ => 0.0,
        };
        let uneven = uneven * (1.0 - self.scenario.plan.beta());
        self.busy.add(Resource::Balance, time * uneven);
        let role = operator.kind.role();
        self.busy.add_of(bound, role, time * (1.0 - uneven));
    }

    fn message(&mut self, message: &Message, weight: f64) {
        let uneven = match message.collective {
            Collective::ExpertAllToAll | Collective::ExpertAllReduce => {
                1.0 - self.scenario.plan.beta()
            }
            _ => 0.0,
        };
        let link = match message.link {
            NetworkLink::ScaleUp => Resource::ScaleUp,
            NetworkLink::ScaleOut => Resource::ScaleOut,
        };
        let moving = (message.time - message.latency) * weight;
        self.messages
            .add(Resource::Latency, message.latency * weight);
        self.messages.add(Resource::Balance, moving * uneven);
        self.messages.add(link, moving * (1.0 - uneven));
    }

    /// Adds the engine overhead of kernels, for `halves` half layers (a mixer or an FFN each).
    fn overhead(&mut self, role: OperatorRole, load: &Load, halves: f64) {
        let [starts, moving] = overhead::parts_of_half(self.scenario, role, load.group_tokens);
        self.busy.add(Resource::Launches, starts * halves);
        self.busy.add_of(Bound::Memory, role, moving * halves);
    }

    /// Returns the exposed times of a whole step.
    fn exposed(&self) -> Bottleneck {
        let Self {
            scenario,
            evaluation,
            ..
        } = *self;
        let overlapped = scenario.plan.spec().overlap == Overlap::TwoBatch;
        let (busy, messages) = match overlapped {
            true if self.messages.span() > self.busy.span() => (&Bottleneck::EMPTY, &self.messages),
            true => (&self.busy, &Bottleneck::EMPTY),
            false => (&self.busy, &self.messages),
        };
        let mut all = busy.sum(messages, scenario.plan.passes());
        all.add(Resource::Launches, evaluation.breakdown.host);
        if let Some(prefills) = evaluation.prefills {
            let yielded = scenario.workload.speculation.yielded();
            all.add(Resource::Prefill, prefills.per_token * yielded);
        }
        all
    }
}
