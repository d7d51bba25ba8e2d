//! The headline of the Service view: one sentence for each state of a service.

use crate::sharding;
use crate::words::format;
use crate::words::headline::Headline;
use crate::words::names::{gpu_of, of_gpu, short_name};
use crate::words::sentence::Sentence;
use model_core::inputs::{Inputs, Number};
use model_core::refusal::Refusal;
use model_core::service::answer::LoadedReplicas;
use model_core::service::limit::Crossover;
use model_core::service::miss::Miss;
use model_core::service::{Service, ServiceState};
use model_core::units::Seconds;
use model_core::workload::Pools;

/// Returns the sentence about broken rules that no plan can repair; it names the first of them.
pub fn impossible(refusals: &[Refusal]) -> Sentence {
    let rule = refusals.first().map(|refusal| refusal.rule().0);
    Headline::impossible(&rule.unwrap_or_default()).sentence()
}

/// Returns the sentence about the state of a service, in at most 18 words.
pub fn sentence(service: &Service, inputs: &Inputs) -> Sentence {
    let said = match service.state() {
        ServiceState::Aggregated { over } => aggregated(service, inputs, over),
        ServiceState::Disaggregated { over } => disaggregated(service, inputs, over),
        ServiceState::Matched { choice, over } => matched(service, inputs, choice, over),
        ServiceState::FirstTokenMissed { soonest, limit } => {
            Some(first_token_missed(inputs, soonest, limit))
        }
        ServiceState::TooSlow { fastest, least } => Some(too_slow(inputs, fastest, least)),
        ServiceState::NothingFits => Some(nothing_fits(inputs)),
        ServiceState::Refused => None,
    };
    said.map_or_else(
        || impossible(&refusals(service)),
        |said| Sentence::marked(&said),
    )
}

/// Returns the rules that are broken by the replicas that the user has set.
fn refusals(service: &Service) -> Vec<Refusal> {
    let pools = service.disaggregated.as_ref().err();
    let together = service.aggregated.as_ref().err();
    let broken = |missed: &model_core::service::miss::Missed| match &missed.miss {
        Miss::Refused(refusals) => refusals.clone(),
        _ => Vec::new(),
    };
    let both = [pools, together].into_iter().flatten();
    both.flat_map(broken).collect()
}

/// Returns the name of the prefill pool's accelerator, if it differs from the decode pool's accelerator.
pub fn of_prefill(inputs: &Inputs) -> Option<&'static str> {
    let entry = inputs.prefill_gpu?;
    (entry.name != inputs.gpu.name()).then(|| short_name(entry.name))
}

fn rate(inputs: &Inputs) -> String {
    let rate = inputs.get(Number::Rate).unwrap_or(0.0);
    format!("{} req/s", format::printed(rate))
}

fn replicas(count: u64) -> &'static str {
    if count > 1 { "replicas" } else { "replica" }
}

/// Returns the verb that follows a number of GPUs: "1 H200 serves", "48 H200 serve".
const fn serve(gpus: u64) -> &'static str {
    if gpus > 1 { "serve" } else { "serves" }
}

fn aggregated(service: &Service, inputs: &Inputs, over: Option<f64>) -> Option<String> {
    let LoadedReplicas { pool, .. } = service.aggregated.as_ref().ok()?.loaded?;
    let more = match over.filter(|_| inputs.pools == Pools::Best) {
        Some(over) if over > 1.005 => {
            let more = format::share(over - 1.0);
            format!("; disaggregated needs **{more} more**")
        }
        _ => String::new(),
    };
    Some(format!(
        "**{}** {} {} as {} {}{more}.",
        of_gpu(pool.gpus as f64, inputs),
        serve(pool.gpus),
        rate(inputs),
        format::count(pool.replicas as f64),
        replicas(pool.replicas)
    ))
}

fn disaggregated(service: &Service, inputs: &Inputs, over: Option<f64>) -> Option<String> {
    let pools = service.disaggregated.as_ref().ok()?;
    let loaded = pools.loaded.as_ref()?;
    let rate = rate(inputs);
    let said = match of_prefill(inputs) {
        Some(other) => format!(
            "**{} {other} + {}** serve {rate}",
            format::count(loaded.prefill.gpus as f64),
            of_gpu(loaded.decode.gpus as f64, inputs)
        ),
        None => format!(
            "**{}** serve {rate} as {}",
            of_gpu(loaded.gpus() as f64, inputs),
            both(loaded.prefill.replicas, loaded.decode.replicas)
        ),
    };
    // Say "fewer" if the cost ratio equals the ratio of GPU counts, else "cheaper".
    let same = service
        .aggregated
        .as_ref()
        .ok()
        .and_then(|other| other.loaded);
    let counted = same.map(|other| loaded.gpus() as f64 / other.pool.gpus as f64);
    let fewer =
        counted.is_some_and(|counted| over.is_some_and(|over| (counted - over).abs() < 1e-6));
    // If the user has chosen the pools, no comparison is stated.
    let than = match over {
        _ if inputs.pools != Pools::Best => String::new(),
        Some(over) if over < 0.995 => {
            let word = if fewer { "fewer" } else { "cheaper" };
            let share = format::share(1.0 - over);
            format!(", **{share} {word}** than aggregated")
        }
        Some(over) if over > 1.005 => {
            let more = format::share(over - 1.0);
            format!(", **{more} more** than aggregated")
        }
        Some(_) => ", the same as aggregated".to_owned(),
        None => format!("; aggregated{} is infeasible", on_set(inputs)),
    };
    Some(format!("{said}{than}."))
}

/// Returns the numbers of prefill and decode replicas as text: "3P2D".
fn both(prefill: u64, decode: u64) -> String {
    let [prefill, decode] = [prefill, decode].map(|replicas| format::count(replicas as f64));
    format!("{prefill}P{decode}D")
}

fn matched(service: &Service, inputs: &Inputs, choice: Pools, over: Option<f64>) -> Option<String> {
    if choice == Pools::Aggregated {
        let replica = &service.aggregated.as_ref().ok()?.replica;
        let more = match over {
            Some(over) if over > 2.0 => format::factor(over),
            Some(over) if over > 1.005 => format!("{} more", format::share(over - 1.0)),
            _ => String::new(),
        };
        let more = match more.is_empty() {
            true => more,
            false => format!("; disaggregated costs **{more}**"),
        };
        return Some(format!(
            "**Aggregated**: {} {} {} req/s{more}.",
            of_gpu(replica.gpus.into(), inputs),
            serve(replica.gpus.into()),
            format::si(replica.rate)
        ));
    }
    let matched = &service.disaggregated.as_ref().ok()?.matched;
    let name = gpu_of(inputs);
    let whose = match of_prefill(inputs) {
        Some(other) => format!("{other} and {name}"),
        None => name.to_owned(),
    };
    let pools = both(matched.prefill.into(), matched.decode.into());
    Some(match over {
        Some(over) if inputs.pools == Pools::Best && over < 0.995 => {
            let less = format::share(1.0 - over);
            format!("**{pools}** on {whose} costs **{less} less** than aggregated.")
        }
        _ => format!("**{pools}** on {whose} is balanced."),
    })
}

/// Returns the sentence about the TTFT limit at which disaggregated or aggregated replicas become the cheaper ones.
pub fn limit(crossover: &Crossover) -> Sentence {
    // At equal cost, aggregated replicas are chosen.
    let (cost, then) = match crossover.lenient {
        Pools::Aggregated => ("aggregated costs no more", "disaggregated is cheaper"),
        _ => ("disaggregated is cheaper", "aggregated is cheaper"),
    };
    let soonest = format::duration(crossover.soonest.get());
    Sentence::marked(&match crossover.down_to {
        Some(limit) => {
            let limit = format::duration(rounded_up(limit.get()));
            format!(
                "At a TTFT limit of **{limit}** or more, {cost}; below that, down to {soonest}, {then}."
            )
        }
        None => format!("{} at any TTFT limit ≥ {soonest}.", format::capital(cost)),
    })
}

/// Returns the limit that is missed, with the nearest value of this limit that a replica meets.
pub fn remedy(service: &Service) -> Option<(Number, f64)> {
    match service.state() {
        ServiceState::FirstTokenMissed { soonest, .. } => {
            Some((Number::Ttft, rounded_up(soonest.get())))
        }
        // Rounded down, because a replica must meet the offered limit.
        ServiceState::TooSlow { fastest, .. } => {
            Some((Number::Slo, 1.0 / rounded_up(1.0 / fastest)))
        }
        _ => None,
    }
}

/// Rounds a time upward, to three significant digits, so that "at this limit or more" still holds.
fn rounded_up(seconds: f64) -> f64 {
    let mut unit = 1e-6;
    while seconds / unit >= 1000.0 {
        unit *= 10.0;
    }
    (seconds / unit).ceil() * unit
}

/// Returns a phrase for the part of a replica that the user has set: " on this plan", " on 16 GPUs". Empty if all
/// replicas are searched.
fn on_set(inputs: &Inputs) -> String {
    match inputs.stated(Number::Gpus) {
        _ if inputs.is_planned() => " on this plan".to_owned(),
        Some(gpus) => format!(" on {} GPUs", format::count(gpus)),
        None => String::new(),
    }
}

fn first_token_missed(inputs: &Inputs, soonest: Seconds, limit: Seconds) -> String {
    let [soonest, limit] = [soonest, limit].map(|time| format::duration(time.get()));
    let on = on_set(inputs);
    format!(
        "*TTFT limit missed*: {soonest} at best{on}, limit **{limit}**. More replicas do not help."
    )
}

fn too_slow(inputs: &Inputs, fastest: f64, least: f64) -> String {
    let (fastest, least) = (format::below(fastest, least), format::printed(least));
    let on = on_set(inputs);
    format!("*Too slow*: the fastest replica{on} reaches {fastest} of **{least} tok/s/user**.")
}

fn nothing_fits(inputs: &Inputs) -> String {
    let (model, on) = (inputs.model_name(), on_set(inputs));
    format!("*Nothing fits*: no replica{on} has room for {model} plus one request.")
}

/// Returns the sentence about the replica that the user has set; `None` if all replicas are searched. Example:
/// "Replica as set: 16 GPUs, DP 4 · TP 4 · EP 16, batch 1,176."
pub fn replica_as_set(inputs: &Inputs) -> Option<String> {
    let gpus = inputs
        .get(Number::Gpus)
        .filter(|_| !on_set(inputs).is_empty())?;
    let mut parts = vec![match gpus > 1.0 {
        true => format!("{} GPUs", format::count(gpus)),
        false => "1 GPU".to_owned(),
    }];
    if inputs.is_planned() {
        parts.push(sharding::brief(inputs.scenario().ok()?.plan.spec()));
    }
    if let Some(batch) = inputs.stated(Number::Batch) {
        parts.push(format!("batch {}", format::count(batch)));
    }
    Some(format!("Replica as set: {}.", parts.join(", ")))
}
