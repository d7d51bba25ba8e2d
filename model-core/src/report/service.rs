//! The service of whole requests (prefill and decode), as `ridgepoint` prints it: see `docs/links.md`.

use serde::Serialize;
use serde_json::{Map, Value};

use super::Reason;
use super::levers::set;
use crate::fields::fields;
use crate::inputs::{Inputs, Number};
use crate::permalink::write_inputs;
use crate::plan::PlanSpec;
use crate::service::aggregated::AggregatedReplica;
use crate::service::answer::{
    Aggregated, Cost, Disaggregated, LoadedPools, LoadedReplicas, ServiceState,
};
use crate::service::decode::DecodeReplica;
use crate::service::levers::{ServiceLever, ServiceLevers};
use crate::service::miss::{Miss, Missed};
use crate::service::prefill::PrefillReplica;
use crate::service::queue::Matched;
use crate::service::{Service, service};
use crate::shape::{Shape, Shaped};
use crate::units::Seconds;

fields! {
    /// The service of whole requests (prefill and decode) for a permalink; fields that do not apply are left out.
    ServiceFields(inputs: &Inputs, service: &Service, levers: Option<Vec<ServiceLeverFields>>) {
        state: &'static str = service.state().id(),
        prompt: f64 = service.requests.prompt,
        output: f64 = service.requests.output,
        #[serde(skip_serializing_if = "Option::is_none")]
        prefill: Option<PrefillFields> =
            service.disaggregated.as_ref().ok().map(|pools| PrefillFields::of(&pools.prefill)),
        #[serde(skip_serializing_if = "Option::is_none")]
        decode: Option<DecodeFields> = service
            .disaggregated
            .as_ref()
            .ok()
            .map(|pools| DecodeFields::of(&pools.decode)),
        #[serde(skip_serializing_if = "Option::is_none")]
        gpus_prefill_per_decode: Option<f64> =
            service.disaggregated.as_ref().ok().map(|pools| pools.gpus_ratio),
        #[serde(skip_serializing_if = "Option::is_none")]
        matched: Option<MatchedFields> =
            service.disaggregated.as_ref().ok().map(|pools| MatchedFields::of(&pools.matched)),
        #[serde(skip_serializing_if = "Option::is_none")]
        pools: Option<PoolsFields> = pools(service),
        #[serde(skip_serializing_if = "Option::is_none")]
        aggregated: Option<AggregatedFields> = service
            .aggregated
            .as_ref()
            .ok()
            .map(|together| AggregatedFields::of(service, together, &together.replica)),
        #[serde(skip_serializing_if = "Option::is_none")]
        best: Option<BestFields> = service.choice.map(|choice| BestFields::of(service, choice.id())),
        missed: Vec<MissedFields> = missed(inputs, service),
        #[serde(skip_serializing_if = "Option::is_none")]
        levers: Option<Vec<ServiceLeverFields>> = levers,
        notes: Vec<&'static str> = notes(inputs),
    }
}

fields! {
    /// A service lever: its gain in req/s per dollar, and the service after the change.
    ServiceLeverFields(now: &Inputs, of: &ServiceLever) {
        change: &'static str = of.lever.change.id(),
        group: &'static str = of.lever.change.group().id(),
        set: Map<String, Value> = set(now, &of.lever.inputs)
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect(),
        factor: Option<f64> = of.lever.factor,
        factor_now: Option<f64> = of.lever.factor_now,
        effect: &'static str = of.lever.effect.id(),
        gpus: Option<u64> = of.service.gpus(),
        usd_per_request: Option<f64> = of.service.cost().map(|cost| cost.per_request),
        ttft_s: Option<f64> = of.service.first_token().map(|first| first.total().get()),
        tpot_s: Option<f64> = of.service.tpot().map(Seconds::get),
        assumed: bool = of.lever.assumed(now),
        extrapolated: bool = of.lever.extrapolated,
        link: String = write_inputs(&of.lever.inputs),
    }
}

fields! {
    /// A prefill replica and the prefill passes it runs.
    PrefillFields(replica: &PrefillReplica) {
        prefill_gpus: u32 = replica.gpus,
        prefill_tp: u32 = replica.tp,
        fits: bool = replica.fits,
        new: f64 = replica.passes.prompt.new,
        cached: f64 = replica.passes.prompt.cached,
        chunks: f64 = replica.passes.prompt.chunks,
        prompts_per_pass: f64 = replica.passes.together,
        tokens_per_pass: f64 = replica.passes.tokens(),
        pairs: f64 = replica.passes.prompt.pairs(),
        rows: f64 = replica.passes.prompt.rows(),
        sequence_s: f64 = replica.passes.pass.sequence().get(),
        two_batch_s: Option<f64> = replica.passes.pass.two_batch.map(Seconds::get),
        pass_s: f64 = replica.passes.pass.time().get(),
        compute_s: f64 = replica.passes.pass.compute.get(),
        messages_s: f64 = replica.passes.pass.messages.get(),
        pass_one_prompt_s: f64 = replica.passes.alone.time().get(),
        rate: f64 = replica.rate(),
        tok_s_gpu: f64 = replica.passes.tokens_per_gpu(replica.gpus),
        tok_s_gpu_with_cached: f64 = with_cached(replica),
    }
}

fields! {
    /// The sharding and schedule of a replica's plan.
    PlanFields(spec: &PlanSpec) {
        dp: u32 = spec.dp,
        tp: u32 = spec.tp,
        kvp: u32 = spec.kvp,
        pp: u32 = spec.pp,
        ep: u32 = spec.ep,
        ffn_tp: u32 = spec.ffn_tp,
        overlap: &'static str = spec.overlap.id(),
    }
}

fields! {
    /// A decode replica: its plan, times and request rate.
    DecodeFields(replica: &DecodeReplica) {
        gpus_replica: u32 = replica.gpus,
        #[serde(flatten)]
        plan: PlanFields = PlanFields::of(&replica.spec),
        batch: f64 = replica.batch,
        tpot_s: f64 = replica.tpot.get(),
        tok_s: f64 = replica.tokens,
        rate: f64 = replica.rate,
        extrapolated: bool = replica.extrapolated,
        link: String = write_inputs(&replica.inputs),
    }
}

fields! {
    /// Numbers of whole prefill and decode replicas whose request rates match.
    MatchedFields(matched: &Matched) {
        prefill: u32 = matched.prefill,
        decode: u32 = matched.decode,
        within_3_percent: bool = matched.within,
    }
}

fields! {
    /// A prefill pool and a decode pool, sized for the request rate.
    PoolsFields(rates: &TokenRates, loaded: &LoadedPools) {
        prefill_replicas: u64 = loaded.prefill.replicas,
        decode_replicas: u64 = loaded.decode.replicas,
        gpus: u64 = loaded.gpus(),
        utilisation_prefill: f64 = loaded.prefill.utilisation,
        utilisation_decode: f64 = loaded.decode.utilisation,
        binds: &'static str = loaded.binds().id(),
        wait_s: f64 = loaded.first_token.wait.get(),
        prefill_s: f64 = loaded.first_token.prefill.get(),
        transfer_s: f64 = loaded.first_token.rest.get(),
        ttft_s: f64 = loaded.first_token.total().get(),
        output_tok_s_gpu: f64 = rates.output / loaded.gpus() as f64,
        total_tok_s_gpu: f64 = rates.total / loaded.gpus() as f64,
        #[serde(flatten)]
        cost: CostFields = CostFields::of(loaded.cost),
    }
}

fields! {
    /// Aggregated replicas, which prefill and decode on the same GPUs.
    AggregatedFields(service: &Service, together: &Aggregated, replica: &AggregatedReplica) {
        aggregated_gpus: u32 = replica.gpus,
        #[serde(flatten)]
        plan: PlanFields = PlanFields::of(&replica.spec),
        batch: f64 = replica.batch,
        step_s: f64 = replica.step.get(),
        prefill_s: f64 = replica.prefill.get(),
        tpot_s: f64 = replica.tpot.get(),
        rate: f64 = replica.rate,
        input_share: f64 = replica.input_share,
        #[serde(flatten)]
        loaded: Option<LoadedFields> = TokenRates::of(service)
            .zip(together.loaded.as_ref())
            .map(|(rates, loaded)| LoadedFields::of(&rates, loaded)),
        link: String = write_inputs(&together.inputs),
    }
}

fields! {
    /// Aggregated replicas, sized for the request rate.
    LoadedFields(rates: &TokenRates, loaded: &LoadedReplicas) {
        replicas: u64 = loaded.pool.replicas,
        gpus: u64 = loaded.pool.gpus,
        utilisation: f64 = loaded.pool.utilisation,
        wait_s: f64 = loaded.first_token.wait.get(),
        ttft_s: f64 = loaded.first_token.total().get(),
        output_tok_s_gpu: f64 = rates.output / loaded.pool.gpus as f64,
        total_tok_s_gpu: f64 = rates.total / loaded.pool.gpus as f64,
        #[serde(flatten)]
        cost: CostFields = CostFields::of(loaded.cost),
    }
}

fields! {
    /// Costs of serving in US dollars; `null` if a price is not known.
    CostFields(cost: Option<Cost>) {
        usd_per_request: Option<f64> = cost.map(|cost| cost.per_request),
        usd_per_m_new_input: Option<f64> = cost.map(|cost| cost.per_million_new),
        usd_per_m_output: Option<f64> = cost.map(|cost| cost.per_million_output),
    }
}

fields! {
    /// The chosen deployment, with the GPU counts of both alternatives: aggregated and disaggregated.
    BestFields(service: &Service, choice: &'static str) {
        choice: &'static str = choice,
        #[serde(skip_serializing_if = "Option::is_none")]
        gpus: Option<u64> = service.gpus(),
        #[serde(skip_serializing_if = "Option::is_none")]
        gpus_disaggregated: Option<u64> =
            service.disaggregated.as_ref().ok().and_then(|pools| Some(pools.loaded?.gpus())),
        #[serde(skip_serializing_if = "Option::is_none")]
        gpus_aggregated: Option<u64> =
            service.aggregated.as_ref().ok().and_then(|together| Some(together.loaded?.pool.gpus)),
        pools_over_aggregated: Option<f64> = service.pools_over_aggregated(),
        usd_per_request: Option<f64> = service.cost().map(|cost| cost.per_request),
    }
}

fields! {
    /// A deployment type (aggregated or disaggregated) that cannot serve the traffic, and the reason.
    MissedFields(missed: &Missed, key: &'static str, message: String) {
        work: &'static str = missed.work.id(),
        key: &'static str = key,
        message: String = message,
        #[serde(skip_serializing_if = "Option::is_none")]
        best: Option<f64> = missed.miss.best(),
    }
}

/// Tokens per second over all requests.
struct TokenRates {
    output: f64,
    total: f64,
}

impl TokenRates {
    fn of(service: &Service) -> Option<Self> {
        let (rate, requests) = (service.demand.rate?, &service.requests);
        Some(Self {
            output: requests.output * rate,
            total: (requests.prompt + requests.output) * rate,
        })
    }
}

impl ServiceState {
    /// Returns the identifier of the service state, as printed in results.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Aggregated { .. } => "aggregated",
            Self::Disaggregated { .. } => "disaggregated",
            Self::Matched { .. } => "matched",
            Self::FirstTokenMissed { .. } => "first_token_missed",
            Self::TooSlow { .. } => "too_slow",
            Self::NothingFits => "nothing_fits",
            Self::Refused => "refused",
        }
    }
}

impl Miss {
    /// Returns the best reachable value of the quantity whose limit is missed (TTFT or interactivity). `None` if
    /// neither limit is missed.
    const fn best(&self) -> Option<f64> {
        match self {
            Self::FirstToken { soonest } => Some(soonest.get()),
            Self::Slow { fastest } => Some(*fastest),
            Self::NothingFits | Self::Refused(_) => None,
        }
    }
}

/// Returns the prefill throughput in tok/s/GPU with cached tokens included, μ_p p/G_p: request rate times prompt
/// tokens, divided by the GPUs.
fn with_cached(replica: &PrefillReplica) -> f64 {
    let prompt = &replica.passes.prompt;
    replica.rate() * (prompt.new + prompt.cached) / f64::from(replica.gpus)
}

fn pools(service: &Service) -> Option<PoolsFields> {
    let pools: &Disaggregated = service.disaggregated.as_ref().ok()?;
    let rates = TokenRates::of(service)?;
    Some(PoolsFields::of(&rates, pools.loaded.as_ref()?))
}

/// Returns the reasons why aggregated or disaggregated serving fails. If inputs break rules, each broken rule is one
/// entry.
fn missed(inputs: &Inputs, service: &Service) -> Vec<MissedFields> {
    let both = [
        service.disaggregated.as_ref().err(),
        service.aggregated.as_ref().err(),
    ];
    both.into_iter()
        .flatten()
        .flat_map(|missed| lines(inputs, missed))
        .collect()
}

fn lines(inputs: &Inputs, missed: &Missed) -> Vec<MissedFields> {
    let one = |key, message: &str| vec![MissedFields::of(missed, key, message.to_owned())];
    match &missed.miss {
        Miss::FirstToken { .. } => one(
            Number::Ttft.spec().key,
            "TTFT limit cannot be met with any number of replicas",
        ),
        Miss::Slow { .. } => one(
            Number::Slo.spec().key,
            "no replica reaches the required tok/s/user",
        ),
        Miss::NothingFits => one("gpus", "no replica fits in memory"),
        Miss::Refused(refusals) => refusals
            .iter()
            .map(|refusal| {
                let key = missed.work.key(refusal, inputs);
                MissedFields::of(missed, key, refusal.to_string())
            })
            .collect(),
    }
}

fn notes(inputs: &Inputs) -> Vec<&'static str> {
    let mut notes = Vec::new();
    if inputs.stated(Number::Replicas).is_some() {
        notes.push("replicas is ignored: the service computes the count");
    }
    notes.push("TTFT values are means for Poisson arrivals: no percentiles, no bursts");
    if inputs.get(Number::Hit).is_some_and(|hit| hit > 0.0) {
        notes.push("prefix-cache storage is not priced");
    }
    notes
}

/// Returns the service of whole requests as fields to print, if the inputs ask for it.
pub fn fields(inputs: &Inputs, with_levers: bool) -> Option<ServiceReport> {
    let levers = || {
        let now = inputs.normalized();
        let levers = ServiceLevers::of(inputs).all;
        levers
            .iter()
            .map(|one| ServiceLeverFields::of(&now, one))
            .collect()
    };
    inputs.asks_for_service().then(|| match service(inputs) {
        Ok(found) => ServiceReport::Answer(Box::new(ServiceFields::of(
            inputs,
            &found,
            with_levers.then(levers),
        ))),
        Err(refusals) => {
            let reasons = Reason::all(&refusals, inputs);
            ServiceReport::Refused(ServiceRefused::of(reasons))
        }
    })
}

/// The service of whole requests, or the rules that its inputs break.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum ServiceReport {
    /// The service of whole requests: its pools and replicas.
    Answer(Box<ServiceFields>),
    /// The rules that the inputs of the service break.
    Refused(ServiceRefused),
}

impl Shaped for ServiceReport {
    fn shape() -> Shape {
        Shape::Either(vec![ServiceFields::shape(), ServiceRefused::shape()])
    }
}

fields! {
    /// Every rule that the inputs of the service break.
    ServiceRefused(reasons: Vec<Reason>) {
        reasons: Vec<Reason> = reasons,
    }
}
