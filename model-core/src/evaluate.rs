//! Evaluation of a scenario: the single entry point of the performance model.

use crate::calibration::PrefillCount;
use crate::cost::collective::Message;
use crate::cost::memory::{Memory, memory};
use crate::cost::roofline::{Bound, Rates};
use crate::inputs::{Inputs, Number};
use crate::ops::{Kernel, LatentForm, Load, Operator, Place, PromptForm, Subject};
use crate::plan::{Overlap, Plan};
use crate::refusal::Refusal;
use crate::scenario::Scenario;
use crate::schedule::neighbors::PromptShare;
use crate::schedule::{self, Block, Breakdown, prefill};
use crate::units::Seconds;
use crate::workload::Serving;

/// Results of an evaluated scenario: times, rates, cost, memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// Time of one decode step.
    pub step: Seconds,
    /// Time per output token (TPOT): step time ÷ tokens that a step yields per sequence, plus prefill of other
    /// requests.
    pub tpot: Seconds,
    /// Times of aggregated prefill; `None` if the engine only decodes.
    pub prefills: Option<Prefills>,
    /// Tokens per second that one sequence receives.
    pub tokens_per_user: f64,
    /// Throughput of all replicas, in tokens per second.
    pub tokens: f64,
    /// Throughput in tok/s/GPU.
    pub tokens_per_gpu: f64,
    /// US dollars per million output tokens; `None` without a known price.
    pub dollars_per_mtok: Option<f64>,
    /// Joules per output token at board power; `None` without a known power.
    pub joules_per_token: Option<f64>,
    /// Times of the parts that make up a step.
    pub breakdown: Breakdown,
    /// Memory of a GPU by part.
    pub memory: Memory,
    /// Rates and kernel latencies from which operator times are computed.
    pub rates: Rates,
    /// Load of one forward pass: its sequences and tokens.
    pub load: Load,
}

/// Aggregated prefill: times to prefill prompts on the engine that also decodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prefills {
    /// Time to prefill one prompt in every attention group at once.
    pub each: Seconds,
    /// Time added to every output token by the prefill of other sequences' prompts.
    pub per_token: Seconds,
}

/// Lower and upper bounds on the time per output token with aggregated prefill.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrefillEnds {
    /// TPOT if all DP ranks prefill at the same time, then TPOT if they prefill independently. Both are equal if
    /// ranks do not wait for each other.
    pub ranks: [Seconds; 2],
    /// TPOT if prefill runs outside CUDA graphs: first with the scenario's overlap of prefill among DP ranks, then
    /// with ranks that prefill independently. `None` if the user sets the host time of prefill.
    pub eager: Option<[Seconds; 2]>,
}

/// Value of the permalink key `prefill_us` for engines that run prefill outside CUDA graphs, in µs per layer.
///
/// Source: a one-token forward pass takes 1.0 ms per layer longer outside CUDA graphs than inside (SGLang PR 12160).
/// Other measurements: up to 2.9 ms (vLLM issue 56975); 1.3 ms per MoE layer for single prompts of 1,024 tokens on one
/// H200.
pub const EAGER_PREFILL_MICROS: f64 = 1350.0;

/// An operator with its time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timed {
    /// The operator as it runs on one GPU in one layer.
    pub operator: Operator,
    /// The part of the LLM that the operator belongs to.
    pub place: Place,
    /// Number of layers in the LLM that have this operator.
    pub layers: u32,
    /// Arithmetic intensity in FLOP per byte; 0 for an operator without compute.
    pub intensity: f64,
    /// Time of this operator in one layer.
    pub time: Seconds,
    /// Resource that bounds the operator's time: compute or memory.
    pub bound: Bound,
}

/// Min time that an engine's host loop needs for a step, however short its kernels are.
///
/// Source: vLLM 0.24.0 on one H200, three layers of DeepSeek-V3 at batches 1 and 8. No published run comes near this
/// limit.
pub const HOST_LOOP: Seconds = Seconds::from_micros(2400.0);

impl Evaluation {
    /// True if a step is shorter than [`HOST_LOOP`], under a calibration that models engine overhead. Always false
    /// for engines that run one persistent kernel, which have no host overhead.
    pub fn beats_host_loops(&self, scenario: &Scenario) -> bool {
        let knows = scenario.calibration.engine.is_some();
        knows && self.breakdown.host > Seconds::ZERO && self.step < HOST_LOOP
    }

    /// Returns bounds on the time per output token with aggregated prefill; `None` if prefill is not aggregated or
    /// the calibration does not model engines.
    pub fn prefill_ends(&self, scenario: &Scenario) -> Option<PrefillEnds> {
        let (prefills, plan) = (self.prefills?, &scenario.plan);
        let Serving::Aggregated(lengths) = scenario.workload.serving else {
            return None;
        };
        scenario.calibration.engine?;
        let batch = self.load.sequences * plan.passes() * f64::from(plan.spec().dp);
        let share = PromptShare::of(scenario, batch, lengths.output);
        let own = self.step / scenario.workload.speculation.yielded();
        let at = |each: Seconds, share: f64| own + each * share;
        let host = Seconds::from_micros(EAGER_PREFILL_MICROS) * scenario.arch.whole_layers();
        let late = prefills.each + host;
        let unstated = scenario.workload.prompts.host.is_none();
        Some(PrefillEnds {
            ranks: share.ends.map(|end| at(prefills.each, end)),
            eager: unstated.then(|| [at(late, share.taken), at(late, share.ends[1])]),
        })
    }

    /// Returns the blocks of one forward pass: mixers, FFNs and the output head.
    pub fn blocks(&self, scenario: &Scenario) -> Vec<Block> {
        let mut blocks = Vec::new();
        let (subject, slowed) = (scenario.subject(), schedule::slowing(scenario));
        schedule::for_each_block(scenario, &subject, &self.load, slowed, |block| {
            blocks.push(*block);
        });
        blocks
    }

    /// Returns every operator of one forward pass with its separate time, regardless of the rule (fold) that combines
    /// the times of a block.
    pub fn timed(&self, scenario: &Scenario) -> impl Iterator<Item = Timed> + use<> {
        let rates = self.rates;
        self.blocks(scenario).into_iter().flat_map(move |block| {
            let timed = |operator: &Operator| Timed {
                operator: *operator,
                place: block.place,
                layers: block.layers,
                intensity: operator.flop / operator.bytes(),
                time: rates.time(operator),
                bound: rates.bound(operator),
            };
            block
                .operators
                .as_slice()
                .iter()
                .map(timed)
                .collect::<Vec<_>>()
        })
    }

    /// Returns the collectives of one forward pass; equal collectives of different layers are merged.
    pub fn messages(&self, scenario: &Scenario) -> Vec<Message> {
        let mut all: Vec<Message> = Vec::new();
        for block in self.blocks(scenario) {
            for message in block.messages.as_slice() {
                let alike = |other: &&mut Message| {
                    let layers = other.layers;
                    **other == Message { layers, ..*message }
                };
                match all.iter_mut().find(alike) {
                    Some(other) => other.layers += message.layers,
                    None => all.push(*message),
                }
            }
        }
        all
    }
}

/// Evaluates a scenario.
///
/// TPOT = T_step/y, tok/s/user = 1/TPOT, tok/s = B/TPOT, where a step yields y tokens per sequence and B is the
/// batch. With aggregated prefill, each sequence has B/dp − 1 neighbors. Each neighbor is prefilled once, in time
/// T_p, while the sequence decodes o tokens: TPOT = T_step/y + max(0, B/dp − 1)/o · T_p. Data-parallel groups that
/// wait for each other have a longer TPOT ([`PromptShare`]). A batch that does not fit in memory is evaluated anyway;
/// see [`Memory::fits`].
///
/// Source: [A] eqs 46–51. Errors: a result that is not finite and positive, or aggregated prefill under a plan whose
/// prefill is not modeled.
pub fn evaluate(scenario: &Scenario) -> Result<Evaluation, Refusal> {
    let batch = scenario.workload.batch;
    // `Rates` is large, so it is not returned through a `Result`.
    let Some(rates) = rates(scenario) else {
        return Err(Refusal::NotFinite);
    };
    let Timing {
        load,
        breakdown,
        prefills,
        pace,
    } = timing(scenario, &rates, batch)?;
    let Pace {
        tpot,
        tokens,
        tokens_per_user,
        tokens_per_gpu,
        ..
    } = pace;
    let gpus = f64::from(scenario.cluster.gpus);
    let memory = memory(scenario, batch);
    // Replicas multiply tokens, price and power by the same factor, so cost and energy per token come from one replica.
    let each = tokens;
    let dollars_per_mtok = scenario
        .dollars_per_hour
        .map(|price| price * gpus / 3600.0 / each * 1e6);
    let joules_per_token = scenario.board_watts.map(|watts| watts * gpus / each);
    let tokens = each * f64::from(scenario.replicas);
    let finite = [
        dollars_per_mtok.unwrap_or(0.0),
        joules_per_token.unwrap_or(0.0),
        memory.total().get(),
    ];
    if !finite.iter().all(|value| value.is_finite()) {
        return Err(Refusal::NotFinite);
    }
    Ok(Evaluation {
        step: breakdown.step(),
        tpot,
        prefills,
        tokens_per_user,
        tokens,
        tokens_per_gpu,
        dollars_per_mtok,
        joules_per_token,
        breakdown,
        memory,
        rates,
        load,
    })
}

/// Speed of a scenario: its times and throughput, whether or not the batch fits in memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Time of one decode step.
    pub step: Seconds,
    /// Time per output token.
    pub tpot: Seconds,
    /// Throughput of one replica, in tokens per second.
    pub tokens: f64,
    /// Tokens per second that one sequence receives.
    pub tokens_per_user: f64,
    /// Throughput in tok/s/GPU.
    pub tokens_per_gpu: f64,
}

/// Computes the speed of `scenario` at another batch; faster to compute than [`with_batch`], for searches over
/// batches.
pub fn pace_with_batch(scenario: &Scenario, batch: f64) -> Result<Pace, Refusal> {
    timed(scenario, batch).map(|timing| timing.pace)
}

/// Returns an upper bound on tok/s/user at `batch` and at every larger batch.
///
/// Interactivity falls as the batch grows, with one exception. With more requests, HOP-B overlaps a larger fraction of
/// communication: (b − 1)/b for b requests. The bound therefore counts all HOP-B communication as overlapped.
pub fn fastest_from(scenario: &Scenario, batch: f64) -> Result<f64, Refusal> {
    let Timing {
        load,
        breakdown,
        pace,
        ..
    } = timed(scenario, batch)?;
    Ok(match scenario.plan.spec().overlap {
        Overlap::Sequential | Overlap::TwoBatch => pace.tokens_per_user,
        Overlap::HopB if load.sequences > 1.0 => {
            let exposed = breakdown.hidden / (load.sequences - 1.0);
            1.0 / (pace.tpot - exposed / scenario.workload.speculation.yielded()).get()
        }
        Overlap::HopB => f64::INFINITY,
    })
}

/// Returns the rates of decode; `None` if the accelerator has no peak rate for a number format in use.
#[inline]
fn rates(scenario: &Scenario) -> Option<Rates> {
    let Scenario {
        cluster,
        precision,
        calibration,
        ..
    } = scenario;
    Rates::new(cluster, precision, calibration)
}

struct Timing {
    load: Load,
    breakdown: Breakdown,
    prefills: Option<Prefills>,
    pace: Pace,
}

fn timed(scenario: &Scenario, batch: f64) -> Result<Timing, Refusal> {
    let rates = rates(scenario).ok_or(Refusal::NotFinite)?;
    timing(scenario, &rates, batch)
}

fn timing(scenario: &Scenario, rates: &Rates, batch: f64) -> Result<Timing, Refusal> {
    let Scenario {
        plan,
        cluster,
        workload,
        ..
    } = scenario;
    let passing = batch / (f64::from(plan.spec().pp) * plan.passes());
    let load = Load::decode(passing, plan, workload);
    let breakdown = schedule::step(scenario, rates, &load);

    let step = breakdown.step();
    let own = step / workload.speculation.yielded();
    let prefills = match workload.serving {
        Serving::Decode => None,
        Serving::Aggregated(lengths) => {
            prefill_is_modelled(plan)?;
            let each = prefill_time(scenario, lengths.prompt)?;
            let share = PromptShare::of(scenario, batch, lengths.output);
            Some(Prefills {
                each,
                per_token: each * share.taken,
            })
        }
    };
    let tpot = prefills.map_or(own, |prefills| own + prefills.per_token);
    let tokens = batch / tpot.get();
    let tokens_per_user = 1.0 / tpot.get();
    let finite = [step.get(), tokens_per_user, tokens, breakdown.hidden.get()];
    if !(finite.iter().all(|value| value.is_finite()) && step.get() > 0.0) {
        return Err(Refusal::NotFinite);
    }
    Ok(Timing {
        load,
        breakdown,
        prefills,
        pace: Pace {
            step,
            tpot,
            tokens,
            tokens_per_user,
            tokens_per_gpu: tokens / f64::from(cluster.gpus),
        },
    })
}

/// Evaluates `scenario` at another batch.
pub fn with_batch(scenario: &Scenario, batch: f64) -> Result<Evaluation, Refusal> {
    let mut other = *scenario;
    other.workload.batch = batch;
    evaluate(&other)
}

/// Returns the time for which aggregated prefill of one prompt of `prompt` tokens in every attention group stalls
/// decode. It is also the TTFT of an idle engine. The host time set per layer for prefill is added once per layer to
/// [`computed_prefill`]. If prefill is counted by kernels, as in version 1 permalinks, there is no host time.
///
/// Errors: a result that is not finite.
pub fn prefill_time(scenario: &Scenario, prompt: f64) -> Result<Seconds, Refusal> {
    let computed = computed_prefill(scenario, prompt)?;
    let correction = &scenario.correction;
    if scenario.calibration.prefill == PrefillCount::Kernels && !prefill::by_passes(scenario) {
        return Ok(correction.prefill(computed));
    }
    let host = scenario.workload.prompts.host.unwrap_or(Seconds::ZERO);
    Ok(correction.prefill(computed + host * scenario.arch.whole_layers()))
}

/// Returns the prefill time of one prompt of `prompt` tokens in every attention group, without concurrent decode and
/// without the output head.
///
/// Adds up the kernels that engines run if the calibration has their terms, else uses the papers' equations with
/// decompressed keys and values. Errors: a result that is not finite.
fn computed_prefill(scenario: &Scenario, prompt: f64) -> Result<Seconds, Refusal> {
    if prefill::by_passes(scenario) {
        let time = prefill::whole_prompt(scenario, prompt).ok_or(Refusal::NotFinite)?;
        return if time.get().is_finite() {
            Ok(time)
        } else {
            Err(Refusal::NotFinite)
        };
    }
    let breakdown = match scenario.calibration.prefill {
        PrefillCount::Equations => {
            let breakdown = prefill(scenario, prompt, LatentForm::Plain)?;
            Breakdown {
                head: Seconds::ZERO,
                ..breakdown
            }
        }
        PrefillCount::Kernels | PrefillCount::Passes => prefill_kernels(scenario, prompt)?,
    };
    Ok(breakdown.step())
}

/// Returns the time to first token (TTFT) of a request whose prompt has the set length, or else the length of the
/// context. `None` where TTFT is not modeled or not finite. If the engine also decodes, TTFT is the prefill time of the
/// whole prompt. Otherwise, if prefill is counted by passes, it is the TTFT of a prefill replica with the scenario's
/// plan, including the output head.
pub fn first_token(inputs: &Inputs, scenario: &Scenario) -> Option<Seconds> {
    let by_passes = prefill::by_passes(scenario);
    if scenario.calibration.prefill == PrefillCount::Kernels || by_passes {
        prefill_is_modelled(&scenario.plan).ok()?;
    }
    let prompt = inputs.stated(Number::MeanPrompt);
    let prompt = prompt.unwrap_or(scenario.workload.context);
    if scenario.workload.serving != Serving::Decode {
        return prefill_time(scenario, prompt).ok();
    }
    if by_passes {
        let time = prefill::replica(scenario, prompt)?.first_token();
        return Some(time).filter(|time| time.get().is_finite());
    }
    computed_prefill(scenario, prompt).ok()
}

/// Checks that prefill is modeled for a plan: the plan must have no pipeline stages and must not split the context.
pub fn prefill_is_modelled(plan: &Plan) -> Result<(), Refusal> {
    let spec = plan.spec();
    for (number, ways) in [(Number::Pp, spec.pp), (Number::Kvp, spec.kvp)] {
        if ways > 1 {
            return Err(Refusal::AggregatedPlan { number, ways });
        }
    }
    Ok(())
}

/// Computes prefill time from kernels. Every mixer and FFN runs in sequence, with its communication and half of the
/// layer overhead o_L.
fn prefill_kernels(scenario: &Scenario, prompt: f64) -> Result<Breakdown, Refusal> {
    let (subject, load) = prompt_of_kernels(scenario, prompt);
    one_prompt(scenario, &subject, &load)
}

/// Returns the operators and the load for a prompt whose prefill time is computed from kernels.
pub fn prompt_of_kernels(scenario: &Scenario, prompt: f64) -> (Subject<'_>, Load) {
    let subject = Subject {
        prompts: PromptForm::Kernels,
        ..scenario.subject()
    };
    let load = Load {
        head_tokens: 0.0,
        ..Load::prefill(prompt, &scenario.plan)
    };
    (subject, load)
}

/// Computes prefill of a prompt of `prompt` tokens in every attention group by the papers' equations, including the
/// output head.
///
/// All operators and collectives run in sequence. `form` is the form of MLA: decompressed keys and values are faster
/// in prefill, because absorbing widens every head from d_h to r_kv ([B] V-B). With an indexer, MLA is absorbed for
/// any `form`.
///
/// Source: [A] 3.2 (prefill equations), [B] V-B. Assumes: the calibration of decode. Not modeled: chunking, prefix
/// caches, overlap of communication.
pub fn prefill(scenario: &Scenario, prompt: f64, form: LatentForm) -> Result<Breakdown, Refusal> {
    let (subject, load) = prompt_of_equations(scenario, prompt, form);
    one_prompt(scenario, &subject, &load)
}

/// Returns the operators and the load for a prompt whose prefill time is computed from the papers' equations.
pub fn prompt_of_equations(
    scenario: &Scenario,
    prompt: f64,
    form: LatentForm,
) -> (Subject<'_>, Load) {
    let subject = Subject {
        kernel: Kernel {
            latent: form,
            ..scenario.kernel
        },
        ..scenario.subject()
    };
    (subject, Load::prefill(prompt, &scenario.plan))
}

fn one_prompt(
    scenario: &Scenario,
    subject: &Subject<'_>,
    load: &Load,
) -> Result<Breakdown, Refusal> {
    let uncorrected;
    let scenario = match scenario.correction.is_none() {
        true => scenario,
        false => {
            uncorrected = scenario.uncorrected();
            &uncorrected
        }
    };
    let rates = rates(scenario).ok_or(Refusal::NotFinite)?;
    let rates = rates.without_added_tokens();
    finite(schedule::pass(scenario, subject, &rates, load, 1.0).in_sequence(1.0))
}

fn finite(breakdown: Breakdown) -> Result<Breakdown, Refusal> {
    if breakdown.step().get().is_finite() {
        Ok(breakdown)
    } else {
        Err(Refusal::NotFinite)
    }
}
