//! Prefill of whole requests: passes of a prefill replica, and a prompt as one pass during decode.

use super::pass;
use crate::calibration::PrefillCount;
use crate::cost::roofline::Rates;
use crate::ops::{Load, PromptForm, PromptTokens, Subject};
use crate::plan::{Overlap, Plan, PlanSpec};
use crate::refusal::Refusal;
use crate::scenario::Scenario;
use crate::units::Seconds;

/// A prefill replica: its passes and its rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Replica {
    /// Tokens of a prompt that are prefilled, n, those in the prefix cache, c, and the chunks, J.
    pub prompt: PromptTokens,
    /// Prompts of a pass in an attention group, m.
    pub together: f64,
    /// A pass of m prompts.
    pub pass: PassTime,
    /// A pass of one prompt.
    pub alone: PassTime,
    /// Requests per second, μ_p = dp·m/(J t_p).
    pub rate: f64,
}

/// Times of a prefill pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassTime {
    /// Compute in sequence, with head and framework overhead.
    pub compute: Seconds,
    /// Communication in sequence.
    pub messages: Seconds,
    /// Two micro-batches, where experts are dispatched to.
    pub two_batch: Option<Seconds>,
}

impl PassTime {
    /// Everything in sequence.
    pub fn sequence(&self) -> Seconds {
        self.compute + self.messages
    }

    /// The faster schedule.
    pub fn time(&self) -> Seconds {
        let sequence = self.sequence();
        self.two_batch.map_or(sequence, |two| two.min(sequence))
    }
}

impl Replica {
    /// Tokens of a pass in an attention group, T = m n/J.
    pub fn tokens(&self) -> f64 {
        self.together * self.prompt.new / self.prompt.chunks
    }

    /// Prefill time of a prompt without queueing: J passes with this prompt only.
    pub fn first_token(&self) -> Seconds {
        self.alone.time() * self.prompt.chunks
    }

    /// Prefill tok/s/GPU, without cached ones: μ_p n/G_p.
    pub fn tokens_per_gpu(&self, gpus: u32) -> f64 {
        self.rate * self.prompt.new / f64::from(gpus)
    }
}

/// True if prefill is counted by passes: under a calibration that always does, or where a link states how much of
/// a prompt is cached or how it is cut.
pub fn by_passes(scenario: &Scenario) -> bool {
    scenario.calibration.prefill == PrefillCount::Passes || scenario.workload.prompts.stated
}

/// Plan of a prefill replica of `gpus` GPUs: tensor parallelism `tp` within data parallelism, experts over all GPUs.
///
/// Errors: broken rules of plans.
pub fn replica_plan(scenario: &Scenario, gpus: u32, tp: u32) -> Result<Plan, Vec<Refusal>> {
    let moe = scenario.arch.is_moe();
    let spec = PlanSpec {
        dp: (gpus / tp.max(1)).max(1),
        tp,
        kvp: 1,
        pp: 1,
        overlap: Overlap::Sequential,
        ..*scenario.plan.spec()
    };
    let (ffn_tp, ep) = if moe { (1, gpus) } else { (tp, 1) };
    Plan::new(spec.over_experts(ffn_tp, ep), &scenario.arch, gpus)
}

/// The scenario's plan as a prefill replica of prompts of `prompt` tokens.
///
/// A prompt's n = p(1 − h) new tokens are read in J = ⌈n/C⌉ chunks; a pass holds m = max(1, ⌊C/n⌋) prompts, or one
/// chunk, in every attention group at once. `None` if the accelerator has no peak for a format in use.
pub fn replica(scenario: &Scenario, prompt: f64) -> Option<Replica> {
    let prompts = scenario.workload.prompts;
    let new = prompt * (1.0 - prompts.hit);
    let prompt = PromptTokens {
        new,
        cached: prompt * prompts.hit,
        chunks: (new / prompts.chunk).ceil().max(1.0),
    };
    let together = (prompts.chunk / new).floor().max(1.0);
    let together = if together.is_finite() { together } else { 1.0 };
    let passes = Passes::of(scenario)?;
    let pass = passes.time(&prompt, together, true);
    let alone = if together > 1.0 {
        passes.time(&prompt, 1.0, true)
    } else {
        pass
    };
    let groups = f64::from(scenario.plan.spec().dp);
    Some(Replica {
        prompt,
        together,
        pass,
        alone,
        rate: groups * together / (prompt.chunks * pass.time().get()),
    })
}

/// Time of a whole prompt of `prompt` tokens as one pass in every attention group, the head not counted: what decode
/// waits for where the engine prefills too. `None` if the accelerator has no peak for a format in use.
pub fn whole_prompt(scenario: &Scenario, prompt: f64) -> Option<Seconds> {
    let passes = Passes::of(scenario)?;
    Some(passes.time(&unchunked(scenario, prompt), 1.0, false).time())
}

/// A prompt of `prompt` tokens as one pass.
pub fn unchunked(scenario: &Scenario, prompt: f64) -> PromptTokens {
    let hit = scenario.workload.prompts.hit;
    PromptTokens {
        new: prompt * (1.0 - hit),
        cached: prompt * hit,
        chunks: 1.0,
    }
}

/// A scenario with prefill terms of its calibration instead of decode terms.
#[derive(Debug, Clone, Copy)]
pub struct Passes {
    /// The scenario, with costs of collectives of prefill.
    pub scenario: Scenario,
    /// Rates of prefill.
    pub rates: Rates,
    /// Share of the SMs that communication uses, ω.
    pub held: f64,
}

impl Passes {
    /// The passes of a scenario; `None` if the accelerator has no peak for a format in use.
    pub fn of(scenario: &Scenario) -> Option<Self> {
        let uncorrected;
        let scenario = match scenario.correction.is_none() {
            true => scenario,
            false => {
                uncorrected = scenario.uncorrected();
                &uncorrected
            }
        };
        let calibration = &scenario.calibration;
        let rates = Rates::of_prompts(&scenario.cluster, &scenario.precision, calibration)?;
        Some(Self {
            scenario: Scenario {
                calibration: calibration.in_prefill(),
                ..*scenario
            },
            rates,
            held: calibration.prompts.map_or(0.0, |prompts| prompts.held),
        })
    }

    /// A pass of `together` prompts per group; a fraction is a prompt cut by tokens.
    ///
    /// In sequence compute and communication add up. Two micro-batches of half the prompts take
    /// 2·max(κ m₂, k₂ + ω κ m₂): communication is slowed by concurrent compute and uses the fraction ω of the SMs.
    pub fn time(&self, prompt: &PromptTokens, together: f64, head: bool) -> PassTime {
        let (compute, messages) = self.parts(prompt, together, head);
        let scenario = &self.scenario;
        let plan = &scenario.plan;
        let tokens = together * prompt.new / prompt.chunks;
        let dispatches = scenario.arch.is_moe() && !plan.tokens_replicated();
        let two_batch = (dispatches && tokens >= 2.0).then(|| {
            let (half, sent) = self.parts(prompt, together / 2.0, head);
            let sent = sent * scenario.calibration.contention;
            sent.max(half + sent * self.held) * 2.0
        });
        PassTime {
            compute,
            messages,
            two_batch,
        }
    }

    /// Inputs of the operators of a pass.
    pub const fn subject(&self) -> Subject<'_> {
        Subject {
            prompts: PromptForm::Pass,
            ..self.scenario.subject()
        }
    }

    fn parts(&self, prompt: &PromptTokens, together: f64, head: bool) -> (Seconds, Seconds) {
        let scenario = &self.scenario;
        let subject = self.subject();
        let load = Load::chunk(prompt, together, head, &scenario.plan);
        let times = pass(scenario, &subject, &self.rates, &load, 1.0).in_sequence(1.0);
        (times.compute() + times.overhead, times.messages)
    }
}
