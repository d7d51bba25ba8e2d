//! From a scenario to an evaluation: the one entry point of the model.

use crate::cost::calibration::PrefillCount;
use crate::cost::collective::Message;
use crate::cost::memory::{Memory, memory};
use crate::cost::roofline::{Bound, Rates};
use crate::ops::{Kernel, LatentForm, Load, Operator, Place, Subject};
use crate::plan::Plan;
use crate::scenario::refusal::Refusal;
use crate::scenario::{Inputs, Number, Scenario};
use crate::schedule::{self, Block, Breakdown};
use crate::units::Seconds;
use crate::workload::Serving;

/// What a scenario comes to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// One step of the whole deployment.
    pub step: Seconds,
    /// Time per output token: the step over the tokens it yields per sequence, and what other
    /// requests' prompts add.
    pub tpot: Seconds,
    /// Prompts read in the same engine; `None` where they are read elsewhere.
    pub prefills: Option<Prefills>,
    /// Tokens per second that one sequence receives.
    pub tokens_per_user: f64,
    /// Tokens per second of all replicas.
    pub tokens: f64,
    /// Tokens per second and GPU.
    pub tokens_per_gpu: f64,
    /// US dollars per million output tokens, where a price is known.
    pub dollars_per_mtok: Option<f64>,
    /// Joules of board power per output token, where the power is known.
    pub joules_per_token: Option<f64>,
    /// Where the step goes.
    pub breakdown: Breakdown,
    /// What lies in memory.
    pub memory: Memory,
    /// Rates that give an operator its time.
    pub rates: Rates,
    /// What one pass carries.
    pub load: Load,
}

/// Prompts read by the engine that decodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prefills {
    /// Time of one prompt in every attention group.
    pub each: Seconds,
    /// What the neighbours' prompts add to every output token.
    pub per_token: Seconds,
}

/// An operator with its time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timed {
    /// The operator, per GPU and layer.
    pub operator: Operator,
    /// The part of the model it belongs to.
    pub place: Place,
    /// Layers of the model that have it.
    pub layers: u32,
    /// FLOP per byte; 0 for an operator without arithmetic.
    pub intensity: f64,
    /// Its own time in one layer.
    pub time: Seconds,
    /// What sets that time.
    pub bound: Bound,
}

impl Evaluation {
    /// The parts of one pass: mixers, feed-forwards, the head.
    pub fn blocks(&self, scenario: &Scenario) -> Vec<Block> {
        let mut blocks = Vec::new();
        let (subject, slowed) = (Subject::of(scenario), schedule::slowing(scenario));
        schedule::for_each_block(scenario, &subject, &self.load, slowed, |block| {
            blocks.push(*block);
        });
        blocks
    }

    /// Every operator of one pass with its own time, whatever the fold.
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

    /// The messages of one pass; those that different layers send alike are one.
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
/// TPOT = T_step/y, tokens/s/user = 1/TPOT, tokens/s = B/TPOT. Where prompts are read by the same
/// engine, each of a sequence's B/dp − 1 neighbours is read once while it decodes o tokens:
/// TPOT = T_step/y + max(0, B/dp − 1)/o · T_p. A batch that does not fit the memory is evaluated all the
/// same; [`Memory::fits`] says so.
///
/// Source: [A] eqs 46–51. Errors: a result that is not finite and positive, or prompts in the same engine
/// under a plan whose prefill is not modelled.
pub fn evaluate(scenario: &Scenario) -> Result<Evaluation, Refusal> {
    let batch = scenario.workload.batch;
    let Timing {
        rates,
        load,
        breakdown,
        prefills,
        pace,
    } = timing(scenario, batch)?;
    let Pace {
        tpot,
        tokens,
        tokens_per_user,
        tokens_per_gpu,
    } = pace;
    let gpus = f64::from(scenario.cluster.gpus);
    let memory = memory(scenario, batch);
    // Replicas multiply tokens, price and power alike.
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

/// How fast a scenario is, whatever lies in memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Time per output token.
    pub tpot: Seconds,
    /// Tokens per second of one replica.
    pub tokens: f64,
    /// Tokens per second that one sequence receives.
    pub tokens_per_user: f64,
    /// Tokens per second and GPU.
    pub tokens_per_gpu: f64,
}

/// The pace of `scenario` with another batch, as [`with_batch`] has it: what is searched along batches asks nothing more.
pub fn pace_with_batch(scenario: &Scenario, batch: f64) -> Result<Pace, Refusal> {
    timing(scenario, batch).map(|timing| timing.pace)
}

/// All of an evaluation that takes time.
struct Timing {
    rates: Rates,
    load: Load,
    breakdown: Breakdown,
    prefills: Option<Prefills>,
    pace: Pace,
}

fn timing(scenario: &Scenario, batch: f64) -> Result<Timing, Refusal> {
    let Scenario {
        plan,
        cluster,
        precision,
        calibration,
        workload,
        ..
    } = scenario;
    let rates = Rates::new(cluster, precision, calibration).ok_or(Refusal::NotFinite)?;
    let passing = batch / (f64::from(plan.spec().pp) * plan.passes());
    let load = Load::decode(passing, plan, workload);
    let breakdown = schedule::step(scenario, &rates, &load);

    let step = breakdown.step();
    let own = step / workload.speculation.yielded();
    let prefills = match workload.serving {
        Serving::Decode => None,
        Serving::Aggregated(lengths) => {
            prefill_is_modelled(plan)?;
            let each = prefill_time(scenario, lengths.prompt)?;
            let neighbours = (batch / f64::from(plan.spec().dp) - 1.0).max(0.0);
            Some(Prefills {
                each,
                per_token: each * (neighbours / lengths.output),
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
        rates,
        load,
        breakdown,
        prefills,
        pace: Pace {
            tpot,
            tokens,
            tokens_per_user,
            tokens_per_gpu: tokens / f64::from(cluster.gpus),
        },
    })
}

/// An evaluation of `scenario` with another batch: what curves over batch are made of.
pub fn with_batch(scenario: &Scenario, batch: f64) -> Result<Evaluation, Refusal> {
    let mut other = *scenario;
    other.workload.batch = batch;
    evaluate(&other)
}

/// Time of one prompt of `prompt` tokens in every attention group, nothing decoding beside it and
/// without the head: how long a first token takes, and how long decoding stands still for it.
///
/// Where the calibration knows kernels, the kernels that engines run are counted; else the papers'
/// equations with keys and values as written. Errors: a result that is not finite.
pub fn prefill_time(scenario: &Scenario, prompt: f64) -> Result<Seconds, Refusal> {
    let breakdown = match scenario.calibration.prefill {
        PrefillCount::Equations => {
            let breakdown = prefill(scenario, prompt, LatentForm::Plain)?;
            Breakdown {
                head: Seconds::ZERO,
                ..breakdown
            }
        }
        PrefillCount::Kernels => prefill_kernels(scenario, prompt)?,
    };
    Ok(breakdown.step())
}

/// Time to the first token of a request with the stated prompt, else with a prompt as long as the context;
/// `None` where it is not modelled or not finite.
pub fn first_token(inputs: &Inputs, scenario: &Scenario) -> Option<Seconds> {
    if scenario.calibration.prefill == PrefillCount::Kernels {
        prefill_is_modelled(&scenario.plan).ok()?;
    }
    let prompt = inputs.stated(Number::MeanPrompt);
    prefill_time(scenario, prompt.unwrap_or(scenario.workload.context)).ok()
}

/// A prompt belongs to one GPU group: its prefill is not modelled in stages or over parts of the context.
pub fn prefill_is_modelled(plan: &Plan) -> Result<(), Refusal> {
    let spec = plan.spec();
    for (number, ways) in [(Number::Pp, spec.pp), (Number::Kvp, spec.kvp)] {
        if ways > 1 {
            return Err(Refusal::AggregatedPlan { number, ways });
        }
    }
    Ok(())
}

/// A prompt as kernels: every mixer and feed-forward with its messages and its half of o_L, in sequence.
fn prefill_kernels(scenario: &Scenario, prompt: f64) -> Result<Breakdown, Refusal> {
    let subject = Subject {
        prompt_kernels: true,
        ..Subject::of(scenario)
    };
    one_prompt(scenario, &subject, prompt)
}

/// A prompt of `prompt` tokens in every attention group by the papers' equations, the head included.
///
/// Everything runs in sequence: `form` says how latent attention is computed; keys and values as
/// written are the faster way here, because reordering widens every head from d_h to r_kv ([B] V-B).
/// With an index it is absorbed whatever `form` says.
///
/// Source: [A] 3.2 (prefill equations), [B] V-B. Assumes: the calibration of decode.
/// Not modelled: chunking, prefix caches, overlap of messages.
pub fn prefill(scenario: &Scenario, prompt: f64, form: LatentForm) -> Result<Breakdown, Refusal> {
    let subject = Subject {
        kernel: Kernel {
            latent: form,
            ..scenario.kernel
        },
        ..Subject::of(scenario)
    };
    one_prompt(scenario, &subject, prompt)
}

fn one_prompt(
    scenario: &Scenario,
    subject: &Subject<'_>,
    prompt: f64,
) -> Result<Breakdown, Refusal> {
    let Scenario {
        plan,
        cluster,
        precision,
        calibration,
        ..
    } = scenario;
    let rates = Rates::new(cluster, precision, calibration).ok_or(Refusal::NotFinite)?;
    let load = Load::prefill(prompt, plan);
    finite(schedule::pass(scenario, subject, &rates, &load, 1.0).in_sequence(1.0))
}

fn finite(breakdown: Breakdown) -> Result<Breakdown, Refusal> {
    if breakdown.step().get().is_finite() {
        Ok(breakdown)
    } else {
        Err(Refusal::NotFinite)
    }
}
