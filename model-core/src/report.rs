//! The public result of a link, as `evaluate` prints it: see `docs/links.md`.

pub mod levers;
pub mod service;

use serde::Serialize;

use crate::arch::params::{Parameters, parameters};
use crate::arch::{Mixer, Moe};
use crate::calibration::NamedCalibration;
use crate::cost::memory::{Memory, SequenceBytes, sequence_bytes};
use crate::disagg::report::{self as ratio, RatioAnswer};
use crate::disagg::split;
use crate::disagg::split::report::SplitAnswer;
use crate::evaluate::{Evaluation, Timed, evaluate, first_token};
use crate::extrapolation::{Extrapolation, extrapolations, repeats_states};
use crate::fields::fields;
use crate::inputs::{Inputs, Mode};
use crate::limits::{Limits, limits};
use crate::measured::{Band, Bias, Residuals};
use crate::needs::{self, NeedsFields};
use crate::ops::Place;
use crate::permalink;
use crate::refusal::Refusal;
use crate::scenario::Scenario;
use crate::schedule::Breakdown;
use crate::units::Seconds;
use levers::LeverFields;
use service::ServiceReport;

/// The public result of a link: an answer, or the reasons for a refusal.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[allow(
    clippy::large_enum_variant,
    reason = "one is made at a time, and printed"
)]
pub enum Report {
    /// One colocated deployment.
    Answer(EvaluationAnswer),
    /// Lamina: model–attention disaggregation.
    Split(Box<SplitAnswer>),
    /// AFD ratio, in closed form or simulated.
    Ratio(Box<RatioAnswer>),
    /// An impossible scenario.
    Refused {
        /// Always false.
        ok: bool,
        /// Every broken rule.
        reasons: Vec<Reason>,
        /// Parts of the link that were ignored.
        notes: Vec<String>,
    },
}

/// A report with all that goes beside it.
#[derive(Debug, Serialize)]
pub struct Advised {
    /// The report.
    #[serde(flatten)]
    pub report: Report,
    /// Service of whole requests, where the link asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<ServiceReport>,
    /// Every lever, of a refused link too; `None` to leave them out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levers: Option<Vec<LeverFields>>,
}

/// A broken rule and the key that caused it.
#[derive(Debug, Serialize)]
pub struct Reason {
    /// The key in the link.
    pub key: &'static str,
    /// The rule, and its values here.
    pub message: String,
}

impl Reason {
    pub(crate) fn of(refusals: &[Refusal], inputs: &Inputs) -> Vec<Self> {
        let reason = |refusal: &Refusal| Self {
            key: refusal.key(inputs),
            message: refusal.to_string(),
        };
        refusals.iter().map(reason).collect()
    }
}

fields! {
    /// Times in seconds, sizes in bytes, rates per second; `null` where an input is missing (no price, no SLO).
    EvaluationAnswer(
        inputs: &Inputs,
        residuals: &Residuals,
        scenario: &Scenario,
        evaluation: &Evaluation,
        limits: &Limits,
        notes: Vec<String>,
    ) {
        ok: bool = true,
        step_s: f64 = evaluation.step.get(),
        tpot_s: f64 = evaluation.tpot.get(),
        tok_s_user: f64 = evaluation.tokens_per_user,
        tok_s: f64 = evaluation.tokens,
        tok_s_gpu: f64 = evaluation.tokens_per_gpu,
        #[serde(skip_serializing_if = "Option::is_none")]
        prefill_s: Option<f64> = evaluation.prefills.map(|prefills| prefills.each.get()),
        ttft_s: Option<f64> = first_token(inputs, scenario).map(Seconds::get),
        usd_per_mtok: Option<f64> = evaluation.dollars_per_mtok,
        joule_per_tok: Option<f64> = evaluation.joules_per_token,
        breakdown_s: BreakdownSeconds = BreakdownSeconds::of(&evaluation.breakdown),
        memory_bytes: MemoryBytes = MemoryBytes::of(&evaluation.memory),
        fits: bool = evaluation.memory.fits(),
        limits: LimitFields = LimitFields::of(limits),
        sequence_bytes: SequenceFields = SequenceFields::of(&sequence_bytes(scenario)),
        parameters: ParameterFields = ParameterFields::of(&parameters(&scenario.arch)),
        mixers: Vec<String> =
            scenario.arch.mixers().iter().map(|part| part.shape.to_string()).collect(),
        ffns: Vec<&'static str> = scenario.arch.ffns().iter().map(|part| part.shape.id()).collect(),
        #[serde(skip_serializing_if = "Option::is_none")]
        error_band: Option<BandFields> = residuals
            .band(inputs, scenario, evaluation)
            .map(|band| BandFields::of(band, evaluation)),
        needs: Vec<NeedsFields> = needs::fields(inputs, scenario),
        operators: Vec<OperatorFields> =
            evaluation.timed(scenario).map(OperatorFields::of).collect(),
        extrapolated: Vec<&'static str> =
            extrapolations(scenario, evaluation).map(Extrapolation::words).collect(),
        notes: Vec<String> = notes,
    }
}

fields! {
    /// Range in which a measured system is expected, of every number that follows from the time per token.
    BandFields(band: Band, evaluation: &Evaluation) {
        low: f64 = band.low,
        high: f64 = band.high,
        tpot_s: [f64; 2] = times(&band, evaluation.tpot.get()),
        tok_s_user: [f64; 2] = rates(&band, evaluation.tokens_per_user),
        tok_s: [f64; 2] = rates(&band, evaluation.tokens),
        tok_s_gpu: [f64; 2] = rates(&band, evaluation.tokens_per_gpu),
        usd_per_mtok: Option<[f64; 2]> =
            evaluation.dollars_per_mtok.map(|dollars| times(&band, dollars)),
        joule_per_tok: Option<[f64; 2]> =
            evaluation.joules_per_token.map(|joules| times(&band, joules)),
        runs: usize = band.runs,
        region: String = band.region.clone(),
        widened: usize = band.given_up + band.beyond,
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<&'static str> = band.bias().map(Bias::words),
    }
}

fields! {
    /// GPU time by part over one step.
    BreakdownSeconds(breakdown: &Breakdown) {
        attention: f64 = breakdown.attention.get(),
        dense_ffn: f64 = breakdown.dense.get(),
        moe: f64 = breakdown.experts.get(),
        head: f64 = breakdown.head.get(),
        messages: f64 = breakdown.messages.get(),
        overhead: f64 = breakdown.overhead.get(),
        hidden: f64 = breakdown.hidden.get(),
    }
}

fields! {
    /// Memory of one GPU.
    MemoryBytes(memory: &Memory) {
        attention_weights: f64 = memory.attention_weights.get(),
        expert_weights: f64 = memory.expert_weights.get(),
        dense_weights: f64 = memory.dense_weights.get(),
        embedding: f64 = memory.embedding.get(),
        kv_cache: f64 = memory.kv_cache.get(),
        activations: f64 = memory.activations.get(),
        total: f64 = memory.total().get(),
        capacity: f64 = memory.capacity.get(),
    }
}

fields! {
    /// Limits on the batch.
    LimitFields(limits: &Limits) {
        ridge_point: f64 = limits.ridge_attention,
        ridge_point_ffn: f64 = limits.ridge_ffn,
        b_attn: f64 = limits.b_attn,
        b_moe: Option<f64> = limits.b_moe,
        b_rp: f64 = limits.b_rp,
        b_cap: f64 = limits.b_cap,
        b_slo: Option<f64> = limits.b_slo,
    }
}

fields! {
    /// Cache and state of one sequence over all layers, undivided.
    SequenceFields(sequence: &SequenceBytes) {
        per_token: f64 = sequence.per_token.get(),
        capped: f64 = sequence.capped.get(),
        state: f64 = sequence.state.get(),
        total: f64 = sequence.total.get(),
    }
}

fields! {
    /// Parameters of the model.
    ParameterFields(parameters: &Parameters) {
        total: f64 = parameters.total,
        active: f64 = parameters.active,
    }
}

fields! {
    /// An operator per GPU and layer, for the batch of one pass.
    OperatorFields(timed: Timed) {
        #[serde(skip_serializing_if = "Option::is_none")]
        mixer: Option<usize> = match timed.place {
            Place::Mixer(number) => Some(number),
            _ => None,
        },
        #[serde(skip_serializing_if = "Option::is_none")]
        ffn: Option<usize> = match timed.place {
            Place::Ffn(number) => Some(number),
            _ => None,
        },
        name: &'static str = timed.operator.kind.id(),
        role: &'static str = timed.operator.kind.role().id(),
        layers: u32 = timed.layers,
        flop: f64 = timed.operator.flop.get(),
        bytes: f64 = timed.operator.bytes().get(),
        intensity: f64 = timed.intensity,
        time_s: f64 = timed.time.get(),
        bound: &'static str = timed.bound.id(),
    }
}

/// A time or a cost at both ends of a band.
fn times(band: &Band, value: f64) -> [f64; 2] {
    [value * band.low, value * band.high]
}

/// A rate at both ends of a band.
fn rates(band: &Band, value: f64) -> [f64; 2] {
    [value / band.high, value / band.low]
}

/// Reads a link and evaluates it.
pub fn report(text: &str) -> Report {
    Reporter::default().report(text)
}

/// Reporter of many links; caches the residuals of each calibration.
#[derive(Debug, Clone, Default)]
pub struct Reporter {
    residuals: Vec<(NamedCalibration, Residuals)>,
}

impl Reporter {
    /// Residuals of a calibration, computed once.
    fn residuals(&mut self, calibration: NamedCalibration) -> &Residuals {
        let known = self
            .residuals
            .iter()
            .position(|(name, _)| *name == calibration);
        let place = known.unwrap_or(self.residuals.len());
        if known.is_none() {
            let residuals = Residuals::of(calibration);
            self.residuals.push((calibration, residuals));
        }
        &self.residuals[place].1
    }

    /// Evaluates a link, its service and its levers.
    pub fn advised(&mut self, text: &str) -> Advised {
        let inputs = permalink::read(text).current;
        Advised {
            report: self.report(text),
            service: service::fields(&inputs, true),
            levers: Some(levers::fields(&inputs)),
        }
    }

    /// Evaluates a link and its service.
    pub fn unadvised(&mut self, text: &str) -> Advised {
        Advised {
            report: self.report(text),
            service: service::fields(&permalink::read(text).current, false),
            levers: None,
        }
    }

    /// Reads a link and evaluates it.
    pub fn report(&mut self, text: &str) -> Report {
        let link = permalink::read(text);
        let mut notes: Vec<String> = link.notes.iter().map(ToString::to_string).collect();
        let inputs = &link.current;
        notes.extend(layer_notes(text, inputs));
        let answered = match inputs.mode {
            Mode::Split => return split_report(inputs, notes),
            Mode::Ratio | Mode::Simulate => {
                ratio::report(inputs, notes.clone()).map(|answer| Report::Ratio(Box::new(answer)))
            }
            Mode::Colocated => answer(inputs).map(|(scenario, evaluation, limits)| {
                Report::Answer(EvaluationAnswer::of(
                    inputs,
                    self.residuals(inputs.calibration),
                    &scenario,
                    &evaluation,
                    &limits,
                    notes.clone(),
                ))
            }),
        };
        answered.unwrap_or_else(|refusals| Report::Refused {
            ok: false,
            reasons: Reason::of(&refusals, inputs),
            notes,
        })
    }
}

/// Notes on plan settings that act otherwise in some kinds of layers.
fn layer_notes(text: &str, inputs: &Inputs) -> Vec<String> {
    let Ok(scenario) = inputs.scenario() else {
        return Vec::new();
    };
    let mut notes = Vec::new();
    if repeats_states(&scenario) {
        notes.push(
            "kvp divides no state: recurrent layers repeat their work on every rank, which no engine does"
                .to_owned(),
        );
    }
    let stated = text
        .split(['?', '&'])
        .any(|pair| pair.trim() == "shared=distributed");
    let beside = |moe: &Moe| moe.shared_experts > 0 && !moe.shared_alike();
    if stated && scenario.arch.moes().any(|part| beside(&part.shape)) {
        notes
            .push("shared experts of another shape than the routed ones are replicated".to_owned());
    }
    let bends = |mixer: &Mixer| !mixer.is_full();
    if matches!(inputs.mode, Mode::Ratio | Mode::Simulate)
        && scenario.arch.mixers().iter().any(|part| bends(&part.shape))
    {
        notes.push(
            "attention's time bends over the context where layers keep windows, selections or states; its line is a chord"
                .to_owned(),
        );
    }
    notes
}

fn split_report(inputs: &Inputs, notes: Vec<String>) -> Report {
    match split::report::answer(inputs, notes.clone()) {
        Ok(answer) => Report::Split(Box::new(answer)),
        Err(refusals) => Report::Refused {
            ok: false,
            reasons: refusals
                .iter()
                .map(|refusal| Reason {
                    key: refusal.key(),
                    message: refusal.to_string(),
                })
                .collect(),
            notes,
        },
    }
}

fn answer(inputs: &Inputs) -> Result<(Scenario, Evaluation, Limits), Vec<Refusal>> {
    let scenario = inputs.scenario()?;
    let evaluation = evaluate(&scenario).map_err(|refusal| vec![refusal])?;
    let limits = limits(&scenario).ok_or_else(|| vec![Refusal::NotFinite])?;
    Ok((scenario, evaluation, limits))
}
