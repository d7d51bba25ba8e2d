//! Prefill of whole requests: the passes of a prefill replica, and prompts that are read in one pass during decode.

use super::pass;
use crate::calibration::PrefillCount;
use crate::cost::roofline::Rates;
use crate::ops::{Load, PromptForm, PromptTokens, Subject};
use crate::plan::{Overlap, Plan, PlanSpec};
use crate::refusal::Refusal;
use crate::scenario::Scenario;
use crate::units::Seconds;

/// A prefill replica, given by its passes and its request rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Replica {
    /// Prompt of the replica: n tokens to prefill, c prefix-cached tokens, J chunks.
    pub prompt: PromptTokens,
    /// Number m of prompts per pass and attention group.
    pub together: f64,
    /// Times of a pass with m prompts per attention group.
    pub pass: PassTime,
    /// Times of a pass with one prompt per attention group.
    pub alone: PassTime,
    /// Max requests per second of the prefill replica, μ_p = dp·m/(J t_p).
    pub rate: f64,
}

/// Times of one prefill pass, with and without overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassTime {
    /// Compute time of the pass without overlap, including the output head and framework overhead.
    pub compute: Seconds,
    /// Communication time of the pass without overlap.
    pub messages: Seconds,
    /// Time of a prefill pass if it is split into two overlapped micro-batches. `None` if no tokens are dispatched to
    /// experts, or if an attention group has fewer than two tokens.
    pub two_batch: Option<Seconds>,
}

impl PassTime {
    /// Returns the time of a prefill pass without overlap: compute plus communication.
    pub fn sequence(&self) -> Seconds {
        self.compute + self.messages
    }

    /// Returns the time of a prefill pass with the faster schedule: with or without two-batch overlap.
    pub fn time(&self) -> Seconds {
        let sequence = self.sequence();
        self.two_batch.map_or(sequence, |two| two.min(sequence))
    }
}

impl Replica {
    /// Returns the number of tokens per pass and attention group, T = m n/J.
    pub fn tokens(&self) -> f64 {
        self.together * self.prompt.new / self.prompt.chunks
    }

    /// Returns the prefill time of one prompt without queueing: J passes that hold only this prompt.
    pub fn first_token(&self) -> Seconds {
        self.alone.time() * self.prompt.chunks
    }

    /// Returns the prefill throughput in tok/s/GPU without cached tokens, μ_p n/G_p: request rate times new prompt
    /// tokens, divided by the GPUs.
    pub fn tokens_per_gpu(&self, gpus: u32) -> f64 {
        self.rate * self.prompt.new / f64::from(gpus)
    }
}

/// Returns true if prefill time is computed from whole passes. This holds under a calibration that always counts
/// passes, or if a permalink sets the cached share or the chunk size of prompts.
pub fn by_passes(scenario: &Scenario) -> bool {
    scenario.calibration.prefill == PrefillCount::Passes || scenario.workload.prompts.stated
}

/// Returns the plan of a prefill replica with `gpus` GPUs: data parallelism over groups of `tp` GPUs, with experts
/// over all GPUs.
///
/// Errors: the rules that are broken if this plan is invalid.
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

/// Returns a prefill replica with the scenario's plan, for prompts of `prompt` tokens.
///
/// The n = p(1 − h) new tokens of a prompt are read in J = ⌈n/C⌉ chunks. In every attention group at once, a pass
/// holds m = max(1, ⌊C/n⌋) prompts, or one chunk. `None` if the accelerator has no peak for a format in use.
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

/// Returns the time of a pass that reads one whole prompt of `prompt` tokens in every attention group, without the
/// output head. With aggregated prefill, decoding waits for this pass. `None` if the accelerator has no peak for a
/// format in use.
pub fn whole_prompt(scenario: &Scenario, prompt: f64) -> Option<Seconds> {
    let passes = Passes::of(scenario)?;
    Some(passes.time(&unchunked(scenario, prompt), 1.0, false).time())
}

/// Returns the token counts (new and cached) of a prompt of `prompt` tokens that is read in a single pass.
pub fn unchunked(scenario: &Scenario, prompt: f64) -> PromptTokens {
    let hit = scenario.workload.prompts.hit;
    PromptTokens {
        new: prompt * (1.0 - hit),
        cached: prompt * hit,
        chunks: 1.0,
    }
}

/// A scenario prepared for prefill passes: its calibration uses the terms of prefill instead of those of decode.
#[derive(Debug, Clone, Copy)]
pub struct Passes {
    /// The scenario, with the collective costs of prefill passes.
    pub scenario: Scenario,
    /// Compute and memory rates of prefill kernels.
    pub rates: Rates,
    /// Fraction of the SMs that communication occupies during prefill, ω.
    pub held: f64,
}

impl Passes {
    /// Returns the scenario prepared for prefill passes; `None` if the accelerator has no peak for a format in use.
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

    /// Returns the times of a prefill pass with `together` prompts per attention group; a fraction means that a
    /// prompt is split by tokens.
    ///
    /// Without overlap, compute and communication add up. Two micro-batches of half the prompts take 2·max(κ m₂, k₂ +
    /// ω κ m₂), with compute k₂ and communication m₂ of one micro-batch. Concurrent compute slows communication by κ,
    /// and communication occupies the fraction ω of the SMs.
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

    /// Returns the inputs from which the operators of a prefill pass are built.
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
