//! From a scenario to an evaluation: the one entry point of the model.

use crate::cost::collective::Messages;
use crate::cost::memory::{Memory, memory};
use crate::cost::roofline::{Bound, Rates};
use crate::ops::{Kernel, LatentForm, Load, Operator, Operators};
use crate::scenario::Scenario;
use crate::scenario::refusal::Refusal;
use crate::schedule::{self, Breakdown};
use crate::units::Seconds;

/// What a scenario comes to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// One step of the whole deployment.
    pub step: Seconds,
    /// Time per output token: the step over the tokens it yields per sequence.
    pub tpot: Seconds,
    /// Tokens per second that one sequence receives.
    pub tokens_per_user: f64,
    /// Tokens per second of the deployment.
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
    /// Operators of one pass, per GPU and layer.
    pub operators: Operators,
    /// Messages of one pass, per GPU and layer.
    pub messages: Messages,
    /// Rates that give an operator its time.
    pub rates: Rates,
    /// What one pass carries.
    pub load: Load,
}

/// An operator with its time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timed {
    /// The operator, per GPU and layer.
    pub operator: Operator,
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
    /// Every operator with its own time, whatever the fold.
    pub fn timed(&self, scenario: &Scenario) -> impl Iterator<Item = Timed> + '_ {
        let arch = scenario.arch;
        self.operators.as_slice().iter().map(move |operator| Timed {
            operator: *operator,
            layers: operator.kind.role().layers(&arch),
            intensity: operator.flop / operator.bytes(),
            time: self.rates.time(operator),
            bound: self.rates.bound(operator),
        })
    }
}

/// Evaluates a scenario.
///
/// TPOT = T_step/y, tokens/s/user = 1/TPOT, tokens/s = B/TPOT. A batch that does not fit the memory
/// is evaluated all the same; [`Memory::fits`] says so.
///
/// Source: [A] eqs 46–51. Errors: a result that is not finite and positive.
pub fn evaluate(scenario: &Scenario) -> Result<Evaluation, Refusal> {
    let Scenario {
        arch,
        plan,
        cluster,
        precision,
        calibration,
        workload,
        ..
    } = scenario;
    let rates = Rates::new(cluster, precision, calibration).ok_or(Refusal::NotFinite)?;
    let batch = workload.batch / (f64::from(plan.spec().pp) * plan.passes());
    let load = Load::decode(batch, arch, plan, workload);
    let operators = Operators::of(arch, plan, precision, scenario.kernel, &load);
    let messages = Messages::of(arch, plan, cluster, precision, calibration, &load);
    let breakdown = schedule::step(
        arch,
        plan,
        calibration.fold,
        &rates,
        &operators,
        &messages,
        &load,
    );

    let step = breakdown.step();
    let tpot = step / workload.speculation.yielded();
    let tokens = workload.batch / tpot.get();
    let gpus = f64::from(cluster.gpus);
    let memory = memory(scenario, workload.batch);
    let tokens_per_user = 1.0 / tpot.get();
    let dollars_per_mtok = scenario
        .dollars_per_hour
        .map(|price| price * gpus / 3600.0 / tokens * 1e6);
    let joules_per_token = scenario.board_watts.map(|watts| watts * gpus / tokens);
    let finite = [
        step.get(),
        tokens_per_user,
        tokens,
        dollars_per_mtok.unwrap_or(0.0),
        joules_per_token.unwrap_or(0.0),
        memory.total().get(),
        breakdown.hidden.get(),
    ];
    if !(finite.iter().all(|value| value.is_finite()) && step.get() > 0.0) {
        return Err(Refusal::NotFinite);
    }
    Ok(Evaluation {
        step,
        tpot,
        tokens_per_user,
        tokens,
        tokens_per_gpu: tokens / gpus,
        dollars_per_mtok,
        joules_per_token,
        breakdown,
        memory,
        operators,
        messages,
        rates,
        load,
    })
}

/// An evaluation of `scenario` with another batch: what curves over batch are made of.
pub fn with_batch(scenario: &Scenario, batch: f64) -> Result<Evaluation, Refusal> {
    let mut other = *scenario;
    other.workload.batch = batch;
    evaluate(&other)
}

/// Time to the first token of a prompt of `prompt` tokens, one prompt in every attention group and
/// no decoding beside it.
///
/// Everything runs in sequence: `form` says how latent attention is computed; keys and values as
/// written are the faster way here, because reordering widens every head from d_h to r_kv ([B] V-B).
///
/// Source: [A] 3.2 (prefill equations), [B] V-B. Assumes: the calibration of decode.
/// Not modelled: chunking, prefix caches, overlap of messages.
pub fn prefill(scenario: &Scenario, prompt: f64, form: LatentForm) -> Result<Breakdown, Refusal> {
    let Scenario {
        arch,
        plan,
        cluster,
        precision,
        calibration,
        kernel,
        ..
    } = scenario;
    let rates = Rates::new(cluster, precision, calibration).ok_or(Refusal::NotFinite)?;
    let load = Load::prefill(prompt, arch, plan);
    let kernel = Kernel {
        latent: form,
        ..*kernel
    };
    let operators = Operators::of(arch, plan, precision, kernel, &load);
    let messages = Messages::of(arch, plan, cluster, precision, calibration, &load);
    let pass = schedule::pass(arch, calibration.fold, &rates, &operators, &messages, &load);
    let breakdown = pass.in_sequence(1.0);
    let finite = breakdown.step().get().is_finite();
    if finite {
        Ok(breakdown)
    } else {
        Err(Refusal::NotFinite)
    }
}
