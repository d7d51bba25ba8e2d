//! The public result of evaluating a permalink, as `ridgepoint` prints it: see `docs/links.md`.

pub mod account;
mod anchored;
mod diagnosed;
pub mod levers;
pub mod pasted;
pub mod search;
pub mod service;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::afd::report::{self as ratio, RatioAnswer};
use crate::arch::params::{Parameters, parameters};
use crate::arch::{Mixer, Moe};
use crate::bottleneck::Bottleneck;
use crate::calibration::NamedCalibration;
use crate::cost::engine::pool_band;
use crate::cost::memory::{Memory, SequenceBytes, sequence_bytes};
use crate::engine_memory::MemoryModel;
use crate::evaluate::{Evaluation, Timed, evaluate, first_token};
use crate::extrapolation::{Extrapolation, extrapolations, repeats_states};
use crate::fields::fields;
use crate::inputs::remedy::remedies;
use crate::inputs::{Inputs, Mode, Number};
use crate::lamina::report::SplitAnswer;
use crate::lamina::{self, SplitRefusal};
use crate::limits::{Limits, limits};
use crate::measured::{Band, Bias, DraftGain, Residuals, Runs};
use crate::needs::{self, NeedsFields};
use crate::ops::Place;
use crate::permalink::{self, write_number};
use crate::precision::Format;
use crate::refusal::{Half, Refusal};
use crate::scenario::Scenario;
use crate::schedule::Breakdown;
use crate::shape::{Shape, Shaped, Valid};
use crate::units::Seconds;
use anchored::AnchoredFields;
use diagnosed::DiagnosisFields;
use levers::LeverFields;
use service::ServiceReport;

/// The public result of evaluating a permalink: an answer, or the reasons why its scenario is invalid.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[allow(
    clippy::large_enum_variant,
    reason = "only one is built at a time, then printed"
)]
pub enum Report {
    /// Result of a colocated deployment.
    Answer(EvaluationAnswer),
    /// Result of Lamina (model–attention disaggregation).
    Split(Box<SplitAnswer>),
    /// Result of an AFD (attention–FFN disaggregation) ratio, in closed form or simulated.
    Ratio(Box<RatioAnswer>),
    /// Result of an invalid scenario.
    Refused(Refused),
}

impl Shaped for Report {
    fn shape() -> Shape {
        Shape::Either(vec![
            EvaluationAnswer::shape(),
            SplitAnswer::shape(),
            RatioAnswer::shape(),
            Refused::shape(),
        ])
    }
}

impl Report {
    /// Returns true if the scenario is valid.
    pub const fn is_valid(&self) -> bool {
        !matches!(self, Self::Refused(_))
    }
}

fields! {
    /// Result of an invalid scenario: every broken rule, and notes on the ignored parts of the permalink.
    Refused(reasons: Vec<Reason>, notes: Vec<String>) {
        ok: Valid<false> = Valid::IS,
        reasons: Vec<Reason> = reasons,
        notes: Vec<String> = notes,
    }
}

fields! {
    /// A report with two optional parts. The service of whole requests is included if the permalink requests it. The
    /// levers are included even for an invalid scenario; `None` leaves them out.
    Advised(report: Report, service: Option<ServiceReport>, levers: Option<Vec<LeverFields>>) {
        #[serde(flatten)]
        report: Report = report,
        #[serde(skip_serializing_if = "Option::is_none")]
        service: Option<ServiceReport> = service,
        #[serde(skip_serializing_if = "Option::is_none")]
        levers: Option<Vec<LeverFields>> = levers,
    }
}

fields! {
    /// A broken rule: the permalink key that caused it, and a message. The message gives the rule, the values that
    /// break it, and a valid value if one is found.
    Reason(key: &'static str, message: String) {
        key: &'static str = key,
        message: String = message,
    }
}

impl Reason {
    pub(crate) fn all(refusals: &[Refusal], inputs: &Inputs) -> Vec<Self> {
        let reason = |refusal: &Refusal| {
            let works = working(inputs, refusal);
            let works = works.map_or_else(String::new, |works| format!("; {works} works"));
            Self::of(refusal.key(inputs), format!("{refusal}{works}"))
        };
        refusals.iter().map(reason).collect()
    }
}

/// Returns one change that makes the scenario valid, as `key=value`. Other missing request lengths count as filled in.
/// `None` if no single change does, or if the refusal already names the change.
fn working(inputs: &Inputs, refusal: &Refusal) -> Option<String> {
    let named = matches!(
        refusal,
        Refusal::AcceptLength { .. } | Refusal::PlainWithIndex
    );
    // If the scenario is valid, the rule is broken in a later step, and a remedy cannot be checked here.
    if named || inputs.scenario().is_ok() {
        return None;
    }
    let set = |number: Number, value: f64| {
        let works = inputs.with(number, value).scenario().is_ok();
        works.then(|| format!("{}={}", number.spec().key, write_number(number, value)))
    };
    match refusal {
        Refusal::Lengths { number } => {
            const TOKENS: f64 = 1024.0;
            let lengths = [Number::MeanPrompt, Number::MeanOutput];
            let absent = lengths
                .into_iter()
                .filter(|it| inputs.stated(*it).is_none());
            let with = absent.fold(*inputs, |with, number| with.with(number, TOKENS));
            let works = with.scenario().is_ok();
            works.then(|| format!("{}={}", number.spec().key, write_number(*number, TOKENS)))
        }
        Refusal::NoPeak { half, .. } => {
            let works = |format: &Format| {
                let mut with = *inputs;
                match half {
                    Half::Attention => with.attention_format = Some(*format),
                    Half::Ffn => with.ffn_format = Some(*format),
                }
                with.scenario().is_ok()
            };
            let format = Format::ALL.into_iter().find(works)?;
            Some(format!("{}={}", refusal.key(inputs), format.id()))
        }
        _ => {
            let repaired = remedies(inputs, refusal, 1);
            let (number, repaired) = repaired.first()?;
            set(*number, repaired.get(*number)?)
        }
    }
}

fields! {
    /// Result of a colocated deployment: times in seconds, sizes in bytes, rates per second. A value is `null` if an
    /// input for it is missing, such as a price or an SLO.
    EvaluationAnswer(
        inputs: &Inputs,
        residuals: &Residuals,
        scenario: &Scenario,
        evaluation: &Evaluation,
        limits: &Limits,
        anchored: Option<AnchoredFields>,
        notes: Vec<String>,
    ) {
        ok: Valid<true> = Valid::IS,
        step_s: f64 = evaluation.step.get(),
        tpot_s: f64 = evaluation.tpot.get(),
        tok_s_user: f64 = evaluation.tokens_per_user,
        tok_s: f64 = evaluation.tokens,
        tok_s_gpu: f64 = evaluation.tokens_per_gpu,
        #[serde(skip_serializing_if = "Option::is_none")]
        prefill_s: Option<f64> = evaluation.prefills.map(|prefills| prefills.each.get()),
        #[serde(skip_serializing_if = "Option::is_none")]
        tpot_ends_s: Option<[f64; 2]> = evaluation
            .prefill_ends(scenario)
            .map(|ends| ends.ranks.map(Seconds::get)),
        #[serde(skip_serializing_if = "Option::is_none")]
        tpot_eager_s: Option<f64> = evaluation
            .prefill_ends(scenario)
            .and_then(|ends| ends.eager)
            .map(|[tpot, _]| tpot.get()),
        ttft_s: Option<f64> = first_token(inputs, scenario).map(Seconds::get),
        usd_per_mtok: Option<f64> = evaluation.dollars_per_mtok,
        joule_per_tok: Option<f64> = evaluation.joules_per_token,
        breakdown_s: BreakdownSeconds = BreakdownSeconds::of(&evaluation.breakdown),
        limited_by: BTreeMap<&'static str, f64> = limited_by(&Bottleneck::of(scenario, evaluation)),
        memory_bytes: MemoryBytes = MemoryBytes::of(scenario, &evaluation.memory),
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
        #[serde(skip_serializing_if = "Option::is_none")]
        anchored: Option<AnchoredFields> = anchored,
        #[serde(skip_serializing_if = "Option::is_none")]
        diagnosis: Option<DiagnosisFields> = diagnosed::fields(inputs, residuals),
        needs: Vec<NeedsFields> = needs::fields(inputs, scenario),
        operators: Vec<OperatorFields> =
            evaluation.timed(scenario).map(OperatorFields::of).collect(),
        extrapolated: Vec<&'static str> =
            extrapolations(scenario, evaluation).map(Extrapolation::words).collect(),
        notes: Vec<String> = notes,
    }
}

fields! {
    /// Ranges in which a measured system is expected to be, for every value that depends on the time per output
    /// token.
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
        region: String = band.region.clone().unwrap_or_else(|| "your measurements".to_owned()),
        widened: usize = band.given_up + band.beyond + usize::from(band.overridden),
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<&'static str> = band.bias.map(Bias::words),
    }
}

fields! {
    /// GPU time of each part of the model over one step.
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
    /// Memory used on one GPU, by purpose.
    MemoryBytes(scenario: &Scenario, memory: &Memory) {
        attention_weights: f64 = memory.attention_weights.get(),
        expert_weights: f64 = memory.expert_weights.get(),
        dense_weights: f64 = memory.dense_weights.get(),
        embedding: f64 = memory.embedding.get(),
        kv_cache: f64 = memory.kv_cache.get(),
        activations: f64 = memory.activations.get(),
        #[serde(skip_serializing_if = "Option::is_none")]
        beside: Option<f64> = engine_of(scenario).map(|()| memory.beside.get()),
        #[serde(skip_serializing_if = "Option::is_none")]
        engine: Option<EngineBytes> = engine_of(scenario).map(|()| EngineBytes::of(scenario, memory)),
        total: f64 = memory.total().get(),
        capacity: f64 = memory.capacity.get(),
    }
}

fields! {
    /// Engine memory of one GPU, its memory pool for the KV cache, and the uncertainty of the pool's size.
    EngineBytes(scenario: &Scenario, memory: &Memory) {
        outside: f64 = memory.engine.outside.get(),
        pass: f64 = memory.engine.pass.get(),
        graphs: f64 = memory.engine.graphs.get(),
        total: f64 = memory.engine.total.get(),
        pool: f64 = memory.pool().get(),
        pool_band: f64 = pool_band(scenario).get(),
    }
}

/// Returns, for each limiting resource, its share of the time between two tokens of a sequence; the shares sum to
/// one.
fn limited_by(bottleneck: &Bottleneck) -> BTreeMap<&'static str, f64> {
    let ranked = bottleneck.ranked().into_iter();
    let shares = ranked.map(|of| (of.id(), bottleneck.share(of)));
    shares.filter(|(_, share)| *share > 0.0).collect()
}

/// Returns `Some(())` if the memory model includes engine memory.
fn engine_of(scenario: &Scenario) -> Option<()> {
    matches!(scenario.memory_model, MemoryModel::Engine(_)).then_some(())
}

fields! {
    /// Limits on the batch, from ridge points, memory and the SLO.
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
    /// Size of the KV cache and recurrent state of one sequence over all layers, before sharding.
    SequenceFields(sequence: &SequenceBytes) {
        per_token: f64 = sequence.per_token.get(),
        capped: f64 = sequence.capped.get(),
        state: f64 = sequence.state.get(),
        total: f64 = sequence.total.get(),
    }
}

fields! {
    /// Total and active parameter counts of the model.
    ParameterFields(parameters: &Parameters) {
        total: f64 = parameters.total,
        active: f64 = parameters.active,
    }
}

fields! {
    /// Work and time of one operator on each GPU, in one layer, for the batch of one pass.
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

/// Returns the value of a time or a cost at the low and high ends of an error band.
fn times(band: &Band, value: f64) -> [f64; 2] {
    [value * band.low, value * band.high]
}

/// Returns the value of a rate at the low and high ends of an error band.
fn rates(band: &Band, value: f64) -> [f64; 2] {
    [value / band.high, value / band.low]
}

/// Reads a permalink, evaluates its scenario and returns the report.
pub fn report(text: &str) -> Report {
    Reporter::default().report(text)
}

/// Reports on many permalinks; caches the errors of each calibration on measured runs (its residuals).
#[derive(Debug, Clone, Default)]
pub struct Reporter {
    residuals: Vec<(NamedCalibration, Residuals)>,
}

impl Reporter {
    /// Returns the errors of a calibration on measured runs (its residuals), computing them only once.
    fn residuals(&mut self, calibration: NamedCalibration) -> &Residuals {
        let known = self
            .residuals
            .iter()
            .position(|(name, _)| *name == calibration);
        let place = known.unwrap_or(self.residuals.len());
        if known.is_none() {
            let residuals = Residuals::of(calibration, &Runs::built_in());
            self.residuals.push((calibration, residuals));
        }
        &self.residuals[place].1
    }

    /// Evaluates a permalink, with its levers and, if the permalink requests it, its service of whole requests.
    pub fn advised(&mut self, text: &str) -> Advised {
        let inputs = permalink::read(text).current;
        let service = service::fields(&inputs, true);
        Advised::of(self.report(text), service, Some(levers::fields(&inputs)))
    }

    /// Evaluates a permalink without levers. If the permalink requests it, includes its service of whole requests.
    pub fn unadvised(&mut self, text: &str) -> Advised {
        let service = service::fields(&permalink::read(text).current, false);
        Advised::of(self.report(text), service, None)
    }

    /// Reads a permalink, evaluates its scenario and returns the report.
    pub fn report(&mut self, text: &str) -> Report {
        let link = permalink::read(text);
        let mut notes: Vec<String> = link.notes.iter().map(ToString::to_string).collect();
        let inputs = &link.current;
        notes.extend(layer_notes(text, inputs));
        notes.extend(start_notes(inputs));
        let answered = match inputs.mode {
            Mode::Split => return split_report(inputs, notes),
            Mode::Ratio | Mode::Simulate => {
                ratio::report(inputs, notes.clone()).map(|answer| Report::Ratio(Box::new(answer)))
            }
            Mode::Colocated => answer(inputs).map(|(scenario, evaluation, limits)| {
                if evaluation.beats_host_loops(&scenario) {
                    notes.push(HOST_LOOPS.to_owned());
                }
                if scenario.calibration.engine.is_some() {
                    let residuals = self.residuals(inputs.calibration);
                    let gain = DraftGain::of(residuals, inputs, &scenario, &evaluation);
                    let unsure = gain.filter(DraftGain::may_be_loss);
                    notes.extend(unsure.map(|_| MAY_BE_LOSS.to_owned()));
                }
                Report::Answer(EvaluationAnswer::of(
                    inputs,
                    self.residuals(inputs.calibration),
                    &scenario,
                    &evaluation,
                    &limits,
                    anchored::fields(&link, &scenario, &mut notes),
                    notes.clone(),
                ))
            }),
        };
        answered.unwrap_or_else(|refusals| {
            Report::Refused(Refused::of(Reason::all(&refusals, inputs), notes))
        })
    }
}

/// Returns notes for deployments chosen by default that use a fallback or do not fit in memory.
fn start_notes(inputs: &Inputs) -> Vec<String> {
    let fall_backs = inputs.fall_backs().into_iter().map(|one| one.to_string());
    let nothing = inputs.nothing_fits().map(|why| why.to_string());
    fall_backs.chain(nothing).collect()
}

/// Note printed if the computed gain from draft tokens is within the error band, so that draft tokens may slow
/// decoding.
pub const MAY_BE_LOSS: &str =
    "the computed gain from draft tokens is within the error band: the gain may be a loss";
/// Note printed if a step of an engine with CPU overhead is shorter than [`crate::evaluate::HOST_LOOP`], the measured
/// engine's host time per step.
pub const HOST_LOOPS: &str =
    "step below 2.4 ms: the measured engine's host loop needed 2.4 ms per step";

/// Returns notes on plan settings that some layer types treat differently, on idle data-parallel groups, and on
/// attention time that is not linear in context.
fn layer_notes(text: &str, inputs: &Inputs) -> Vec<String> {
    let Ok(scenario) = inputs.scenario() else {
        return Vec::new();
    };
    let mut notes = Vec::new();
    if repeats_states(&scenario) {
        notes.push(
            "kvp does not shard recurrent state: recurrent layers are replicated on every rank, which no engine does"
                .to_owned(),
        );
    }
    let (batch, groups) = (scenario.workload.batch, scenario.plan.spec().dp);
    if inputs.mode == Mode::Colocated && batch < f64::from(groups) {
        let idle = f64::from(groups) - batch;
        notes.push(format!(
            "{idle} of {groups} data-parallel groups are idle: the batch is smaller than dp"
        ));
    }
    let stated = text
        .split(['?', '&'])
        .any(|pair| pair.trim() == "shared=distributed");
    let beside = |moe: &Moe| moe.shared_experts > 0 && !moe.shared_alike();
    if stated && scenario.arch.moes().any(|part| beside(&part.shape)) {
        notes.push(
            "shared experts whose shape differs from that of routed experts are replicated"
                .to_owned(),
        );
    }
    let bends = |mixer: &Mixer| !mixer.is_full();
    if matches!(inputs.mode, Mode::Ratio | Mode::Simulate)
        && scenario.arch.mixers().iter().any(|part| bends(&part.shape))
    {
        notes.push(
            "attention time is not linear in context with windowed, sparse or recurrent layers; the fitted line is \
                a secant of the curve"
                .to_owned(),
        );
    }
    notes
}

fn split_report(inputs: &Inputs, notes: Vec<String>) -> Report {
    match lamina::report::answer(inputs, notes.clone()) {
        Ok(answer) => Report::Split(Box::new(answer)),
        Err(refusals) => {
            let reason = |refusal: &SplitRefusal| Reason::of(refusal.key(), refusal.to_string());
            let reasons = refusals.iter().map(reason).collect();
            Report::Refused(Refused::of(reasons, notes))
        }
    }
}

fn answer(inputs: &Inputs) -> Result<(Scenario, Evaluation, Limits), Vec<Refusal>> {
    let scenario = inputs.scenario()?;
    let evaluation = evaluate(&scenario).map_err(|refusal| vec![refusal])?;
    let limits = limits(&scenario).ok_or_else(|| vec![Refusal::NotFinite])?;
    Ok((scenario, evaluation, limits))
}
