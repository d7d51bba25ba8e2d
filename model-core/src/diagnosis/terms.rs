//! Terms of the time per output token that may take more or less time in a deployment than computed.

use crate::calibration::Fold;
use crate::cost::collective::Collective;
use crate::cost::roofline::Rates;
use crate::evaluate::Evaluation;
use crate::named::named;
use crate::ops::{Kind, Load, Operator};
use crate::plan::Overlap;
use crate::scenario::Scenario;
use crate::schedule::{self, Block, drafter};
use crate::units::{Bytes, Seconds};

named! {
    /// A possible cause of a deviation; the first seven are terms of the time per output token.
    pub enum Term {
        /// Kernel launches, framework overhead and CPU overhead.
        Start = "start",
        /// Latency of collectives.
        Latency = "latency",
        /// Time to move the bytes of collectives.
        Bytes = "bytes",
        /// Memory traffic other than that of the KV cache, such as weight reads.
        Weights = "weights",
        /// Memory traffic of attention kernels, KV-cache writes, sparse-attention indexers and recurrent states.
        Cache = "cache",
        /// Time of compute-bound operators.
        Compute = "compute",
        /// Prefill of other requests' prompts.
        Prefill = "prefill",
        /// Load of the busiest expert group, relative to the mean.
        Imbalance = "imbalance",
        /// Tokens that a step yields per sequence under speculative decoding.
        Acceptance = "acceptance",
    }
}

impl Term {
    /// Terms that add up to the time per output token, in the order of [`Terms::seconds`].
    pub const ADDENDS: [Self; 7] = [
        Self::Start,
        Self::Latency,
        Self::Bytes,
        Self::Weights,
        Self::Cache,
        Self::Compute,
        Self::Prefill,
    ];

    /// True for terms whose time is the same at any batch and context.
    pub const fn is_fixed(self) -> bool {
        matches!(self, Self::Start | Self::Latency)
    }
}

/// Terms of the time per output token, in seconds: times of a step divided by the number of tokens that the step
/// yields per sequence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terms {
    /// Times of the terms, in the order of [`Term::ADDENDS`].
    pub seconds: [f64; 7],
    /// Part of the times in `seconds` that does not lengthen the step, because it is overlapped.
    pub hidden: f64,
    /// Time of routed experts in seconds; this time is also included in `seconds`.
    pub experts: f64,
    /// Slack: the times by which compute and communication, in this order, can grow before the step does. With two
    /// overlapped batches, the shorter of compute and communication has slack.
    pub slack: [f64; 2],
    /// Times of weights, cache and compute at the hardware's peak rates, as fractions of the computed times.
    pub floors: [f64; 3],
    /// Number of collectives per step.
    pub collectives: f64,
}

impl Terms {
    /// Returns the time of a term; 0 for a term that is not in [`Term::ADDENDS`].
    pub fn of(&self, term: Term) -> f64 {
        let place = Term::ADDENDS.iter().position(|addend| *addend == term);
        place.map_or(0.0, |place| self.seconds[place])
    }

    /// Returns the time per output token: the sum of all terms minus the overlapped time.
    pub fn total(&self) -> f64 {
        self.seconds.iter().sum::<f64>() - self.hidden
    }

    /// Returns the lowest feasible factor on a term: the time at the hardware's peak rates ÷ the computed time, or 0
    /// if no peak applies.
    pub fn floor(&self, term: Term) -> f64 {
        match term {
            Term::Weights => self.floors[0],
            Term::Cache => self.floors[1],
            Term::Compute => self.floors[2],
            _ => 0.0,
        }
    }

    /// Returns the seconds by which a term can grow before the time per token starts to grow.
    pub fn slack_of(&self, term: Term) -> f64 {
        match term {
            Term::Latency | Term::Bytes => self.slack[1],
            Term::Prefill => 0.0,
            _ => self.slack[0],
        }
    }

    /// Computes the terms of the time per output token from an evaluation.
    pub fn read(scenario: &Scenario, evaluation: &Evaluation) -> Self {
        let sums = Sums::of(scenario, evaluation);
        let few = Scenario {
            calibration: scenario.calibration.scaled(FEW, 1.0),
            ..*scenario
        };
        let few = Sums::of(&few, evaluation).messages;
        let latency = (sums.messages - few) / (1.0 - FEW);
        sums.terms(evaluation, latency)
    }
}

/// Factor on the latency of collectives that removes nearly all of it. It is not zero, so that the choice between
/// all-reduce kernels remains as in engines.
const FEW: f64 = 0.01;

struct Sums<'a> {
    scenario: &'a Scenario,
    rates: &'a Rates,
    /// Rates of the GPU at the hardware's peaks.
    ideal: Option<Rates>,
    start: Seconds,
    messages: Seconds,
    /// Computed times of weights, cache and compute.
    work: [Seconds; 3],
    /// Times of weights, cache and compute at the hardware's peaks.
    peak: [Seconds; 3],
    experts: Seconds,
    collectives: f64,
}

impl<'a> Sums<'a> {
    fn new(scenario: &'a Scenario, rates: &'a Rates) -> Self {
        let ideal = scenario.calibration.at_peak();
        Self {
            scenario,
            rates,
            ideal: Rates::new(&scenario.cluster, &scenario.precision, &ideal),
            start: Seconds::ZERO,
            messages: Seconds::ZERO,
            work: [Seconds::ZERO; 3],
            peak: [Seconds::ZERO; 3],
            experts: Seconds::ZERO,
            collectives: 0.0,
        }
    }

    fn of(scenario: &'a Scenario, evaluation: &'a Evaluation) -> Self {
        let mut sums = Self::new(scenario, &evaluation.rates);
        let (subject, slowed) = (scenario.subject(), schedule::slowing(scenario));
        let load = &evaluation.load;
        schedule::for_each_block(scenario, &subject, load, slowed, |block| {
            sums.add(block, load, f64::from(block.layers));
        });
        if scenario.calibration.drafter {
            drafter::for_each_block(scenario, &subject, load, slowed, |draft| {
                sums.add(&draft.block, &draft.load, draft.passes);
            });
        }
        sums
    }

    fn add(&mut self, block: &Block, load: &Load, times: f64) {
        for message in block.messages.as_slice() {
            self.messages += message.time * times;
            // Dispatch and combine.
            let two = message.collective == Collective::ExpertAllToAll;
            self.collectives += times * if two { 2.0 } else { 1.0 };
        }
        let share = self.folded(block, load);
        for operator in block.operators.as_slice() {
            self.start += self.rates.start(operator) * times;
            self.operator(operator, times * share);
        }
    }

    /// Returns the time of a block ÷ the sum of its operators' times, both without launch latencies. The ratio is below
    /// 1 if compute and memory traffic of a whole block overlap.
    fn folded(&self, block: &Block, load: &Load) -> f64 {
        let (scenario, rates) = (self.scenario, self.rates);
        if scenario.calibration.fold == Fold::Operator {
            return 1.0;
        }
        let operators = block.operators.as_slice().iter();
        let (whole, start) = operators
            .fold((Seconds::ZERO, Seconds::ZERO), |(whole, start), one| {
                (whole + rates.time(one), start + rates.start(one))
            });
        let time = schedule::block_time(scenario, rates, block.role, &block.operators, load);
        let share = (time - start) / (whole - start);
        if share.is_finite() { share } else { 1.0 }
    }

    fn operator(&mut self, operator: &Operator, times: f64) {
        let (rates, cluster) = (self.rates, &self.scenario.cluster);
        let start = rates.start(operator);
        let own = rates.time(operator) - start;
        let by_compute = rates.compute(operator) > rates.memory(operator);
        if operator.kind == Kind::Experts {
            self.experts += own * times;
        }
        // Activation traffic of fused experts adds to their GEMM time, regardless of the resource that bounds the
        // GEMMs.
        let sorting = rates.sorting(operator);
        let place = match (by_compute, is_cache(operator.kind)) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => 0,
        };
        self.work[place] += (own - sorting) * times;
        self.work[0] += sorting * times;
        let read = |bytes: Bytes| bytes / cluster.hbm;
        let peak = match by_compute {
            true => self.ideal.map_or(own, |ideal| ideal.compute(operator)),
            false => read(operator.bytes()),
        };
        self.peak[place] += peak * times;
    }

    fn terms(self, evaluation: &Evaluation, latency: Seconds) -> Terms {
        let scenario = self.scenario;
        let yielded = scenario.workload.speculation.yielded();
        let passes = scenario.plan.passes();
        let each = |time: Seconds| time.get() * passes / yielded;
        let breakdown = &evaluation.breakdown;
        let overhead = breakdown.overhead.get() / yielded;
        let [weights, cache, compute] = self.work.map(each);
        let prefill = evaluation
            .prefills
            .map_or(0.0, |prefills| prefills.per_token.get());
        let relative = |place: usize| {
            let share = self.peak[place] / self.work[place];
            if share.is_finite() {
                share.min(1.0)
            } else {
                0.0
            }
        };
        let computing = (breakdown.compute() + breakdown.overhead - breakdown.host).get();
        let slack = match scenario.plan.spec().overlap {
            Overlap::TwoBatch => {
                let apart = (computing - breakdown.messages.get()) / yielded;
                [(-apart).max(0.0), apart.max(0.0)]
            }
            Overlap::Sequential | Overlap::HopB => [0.0; 2],
        };
        Terms {
            seconds: [
                each(self.start) + overhead,
                each(latency),
                each(self.messages - latency),
                weights,
                cache,
                compute,
                prefill,
            ],
            hidden: breakdown.hidden.get() / yielded,
            experts: each(self.experts),
            slack,
            floors: [relative(0), relative(1), relative(2)],
            collectives: self.collectives * passes,
        }
    }
}

/// True for operators whose memory traffic is that of the KV cache or recurrent state.
const fn is_cache(kind: Kind) -> bool {
    kind.is_attention_core()
        || matches!(
            kind,
            Kind::IndexScore | Kind::TopK | Kind::KvWrite | Kind::Recurrence
        )
}
