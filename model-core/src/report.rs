//! The public result of a link, as `evaluate` prints it: see `docs/links.md`.

pub mod levers;

use serde::Serialize;

use crate::arch::params::parameters;
use crate::arch::{Mixer, Moe};
use crate::calibration::NamedCalibration;
use crate::cost::memory::sequence_bytes;
use crate::disagg::report::{self as ratio, RatioAnswer};
use crate::disagg::split;
use crate::disagg::split::report::SplitAnswer;
use crate::evaluate::{Evaluation, evaluate, first_token};
use crate::extrapolation::{Extrapolation, extrapolations, repeats_states};
use crate::inputs::{Inputs, Mode};
use crate::limits::{Limits, limits};
use crate::measured::{Bias, Residuals};
use crate::needs::{self, NeedsFields};
use crate::ops::Place;
use crate::permalink;
use crate::refusal::Refusal;
use crate::scenario::Scenario;
use crate::units::Seconds;
use levers::LeverFields;

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

/// A report with its levers.
#[derive(Debug, Serialize)]
pub struct Advised {
    /// The report.
    #[serde(flatten)]
    pub report: Report,
    /// Every lever, of a refused link too.
    pub levers: Vec<LeverFields>,
}

/// A broken rule and the key that caused it.
#[derive(Debug, Serialize)]
pub struct Reason {
    /// The key in the link.
    pub key: &'static str,
    /// The rule, and its values here.
    pub message: String,
}

/// Times in seconds, sizes in bytes, rates per second; `null` where an input is missing (no price, no SLO).
#[derive(Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "the names are the contract; docs/links.md explains them"
)]
pub struct EvaluationAnswer {
    pub ok: bool,
    pub step_s: f64,
    pub tpot_s: f64,
    pub tok_s_user: f64,
    pub tok_s: f64,
    pub tok_s_gpu: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefill_s: Option<f64>,
    pub ttft_s: Option<f64>,
    pub usd_per_mtok: Option<f64>,
    pub joule_per_tok: Option<f64>,
    pub breakdown_s: BreakdownSeconds,
    pub memory_bytes: MemoryBytes,
    pub fits: bool,
    pub limits: LimitFields,
    pub sequence_bytes: SequenceFields,
    pub parameters: ParameterFields,
    pub mixers: Vec<String>,
    pub ffns: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_band: Option<BandFields>,
    pub needs: Vec<NeedsFields>,
    pub operators: Vec<OperatorFields>,
    pub extrapolated: Vec<&'static str>,
    pub notes: Vec<String>,
}

/// Range in which a measured system is expected.
#[derive(Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "the names are the contract; docs/links.md explains them"
)]
pub struct BandFields {
    pub low: f64,
    pub high: f64,
    pub tpot_s: [f64; 2],
    pub tok_s_user: [f64; 2],
    pub tok_s: [f64; 2],
    pub tok_s_gpu: [f64; 2],
    pub usd_per_mtok: Option<[f64; 2]>,
    pub joule_per_tok: Option<[f64; 2]>,
    pub runs: usize,
    pub region: String,
    pub widened: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
}

/// GPU time by part over one step.
#[derive(Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "the names are the contract; docs/links.md explains them"
)]
pub struct BreakdownSeconds {
    pub attention: f64,
    pub dense_ffn: f64,
    pub moe: f64,
    pub head: f64,
    pub messages: f64,
    pub overhead: f64,
    pub hidden: f64,
}

/// Memory of one GPU.
#[derive(Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "the names are the contract; docs/links.md explains them"
)]
pub struct MemoryBytes {
    pub attention_weights: f64,
    pub expert_weights: f64,
    pub dense_weights: f64,
    pub embedding: f64,
    pub kv_cache: f64,
    pub activations: f64,
    pub total: f64,
    pub capacity: f64,
}

/// Limits on the batch.
#[derive(Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "the names are the contract; docs/links.md explains them"
)]
pub struct LimitFields {
    pub ridge_point: f64,
    pub ridge_point_ffn: f64,
    pub b_attn: f64,
    pub b_moe: Option<f64>,
    pub b_rp: f64,
    pub b_cap: f64,
    pub b_slo: Option<f64>,
}

/// Cache and state of one sequence over all layers, undivided.
#[derive(Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "the names are the contract; docs/links.md explains them"
)]
pub struct SequenceFields {
    pub per_token: f64,
    pub capped: f64,
    pub state: f64,
    pub total: f64,
}

/// Parameters of the model.
#[derive(Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "the names are the contract; docs/links.md explains them"
)]
pub struct ParameterFields {
    pub total: f64,
    pub active: f64,
}

/// An operator per GPU and layer, for the batch of one pass.
#[derive(Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "the names are the contract; docs/links.md explains them"
)]
pub struct OperatorFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mixer: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ffn: Option<usize>,
    pub name: &'static str,
    pub role: &'static str,
    pub layers: u32,
    pub flop: f64,
    pub bytes: f64,
    pub intensity: f64,
    pub time_s: f64,
    pub bound: &'static str,
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

    /// Evaluates a link and lists its levers.
    pub fn advised(&mut self, text: &str) -> Advised {
        Advised {
            report: self.report(text),
            levers: levers::fields(&permalink::read(text).current),
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
                Report::Answer(fields(
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
            reasons: refusals
                .iter()
                .map(|refusal| Reason {
                    key: refusal.key(inputs),
                    message: refusal.to_string(),
                })
                .collect(),
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

fn fields(
    inputs: &Inputs,
    residuals: &Residuals,
    scenario: &Scenario,
    evaluation: &Evaluation,
    limits: &Limits,
    notes: Vec<String>,
) -> EvaluationAnswer {
    let breakdown = &evaluation.breakdown;
    let memory = &evaluation.memory;
    let sequence = sequence_bytes(scenario);
    let parameters = parameters(&scenario.arch);
    EvaluationAnswer {
        ok: true,
        step_s: evaluation.step.get(),
        tpot_s: evaluation.tpot.get(),
        tok_s_user: evaluation.tokens_per_user,
        tok_s: evaluation.tokens,
        tok_s_gpu: evaluation.tokens_per_gpu,
        prefill_s: evaluation.prefills.map(|prefills| prefills.each.get()),
        ttft_s: first_token(inputs, scenario).map(Seconds::get),
        usd_per_mtok: evaluation.dollars_per_mtok,
        joule_per_tok: evaluation.joules_per_token,
        breakdown_s: BreakdownSeconds {
            attention: breakdown.attention.get(),
            dense_ffn: breakdown.dense.get(),
            moe: breakdown.experts.get(),
            head: breakdown.head.get(),
            messages: breakdown.messages.get(),
            overhead: breakdown.overhead.get(),
            hidden: breakdown.hidden.get(),
        },
        memory_bytes: MemoryBytes {
            attention_weights: memory.attention_weights.get(),
            expert_weights: memory.expert_weights.get(),
            dense_weights: memory.dense_weights.get(),
            embedding: memory.embedding.get(),
            kv_cache: memory.kv_cache.get(),
            activations: memory.activations.get(),
            total: memory.total().get(),
            capacity: memory.capacity.get(),
        },
        fits: memory.fits(),
        limits: LimitFields {
            ridge_point: limits.ridge_attention,
            ridge_point_ffn: limits.ridge_ffn,
            b_attn: limits.b_attn,
            b_moe: limits.b_moe,
            b_rp: limits.b_rp,
            b_cap: limits.b_cap,
            b_slo: limits.b_slo,
        },
        sequence_bytes: SequenceFields {
            per_token: sequence.per_token.get(),
            capped: sequence.capped.get(),
            state: sequence.state.get(),
            total: sequence.total.get(),
        },
        parameters: ParameterFields {
            total: parameters.total,
            active: parameters.active,
        },
        mixers: scenario
            .arch
            .mixers()
            .iter()
            .map(|part| part.shape.to_string())
            .collect(),
        ffns: scenario
            .arch
            .ffns()
            .iter()
            .map(|part| part.shape.id())
            .collect(),
        error_band: error_band(inputs, residuals, scenario, evaluation),
        needs: needs::fields(inputs, scenario),
        operators: evaluation
            .timed(scenario)
            .map(|timed| OperatorFields {
                mixer: match timed.place {
                    Place::Mixer(number) => Some(number),
                    _ => None,
                },
                ffn: match timed.place {
                    Place::Ffn(number) => Some(number),
                    _ => None,
                },
                name: timed.operator.kind.id(),
                role: timed.operator.kind.role().id(),
                layers: timed.layers,
                flop: timed.operator.flop.get(),
                bytes: timed.operator.bytes().get(),
                intensity: timed.intensity,
                time_s: timed.time.get(),
                bound: timed.bound.id(),
            })
            .collect(),
        extrapolated: extrapolations(scenario, evaluation)
            .map(Extrapolation::words)
            .collect(),
        notes,
    }
}

/// Error band of every number that follows from the time per token.
fn error_band(
    inputs: &Inputs,
    residuals: &Residuals,
    scenario: &Scenario,
    evaluation: &Evaluation,
) -> Option<BandFields> {
    let band = residuals.band(inputs, scenario, evaluation)?;
    let (low, high, bias) = (band.low, band.high, band.bias());
    let times = |value: f64| [value * low, value * high];
    let rates = |value: f64| [value / high, value / low];
    Some(BandFields {
        low,
        high,
        tpot_s: times(evaluation.tpot.get()),
        tok_s_user: rates(evaluation.tokens_per_user),
        tok_s: rates(evaluation.tokens),
        tok_s_gpu: rates(evaluation.tokens_per_gpu),
        usd_per_mtok: evaluation.dollars_per_mtok.map(times),
        joule_per_tok: evaluation.joules_per_token.map(times),
        runs: band.runs,
        region: band.region,
        widened: band.given_up + band.beyond,
        note: bias.map(Bias::words),
    })
}
