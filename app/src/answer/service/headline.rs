//! The headline of Service: one sentence for each state.

use crate::answer::headline::Headline;
use crate::answer::names::{of_gpu, short_name};
use crate::answer::sentence::{Sentence, Tone};
use crate::format;
use model_core::inputs::{Inputs, Number};
use model_core::refusal::Refusal;
use model_core::service::answer::LoadedReplicas;
use model_core::service::limit::Crossover;
use model_core::service::miss::Miss;
use model_core::service::{Service, ServiceState};
use model_core::units::Seconds;
use model_core::workload::Pools;

/// The sentence of broken rules that no plan repairs.
pub fn impossible(refusals: &[Refusal]) -> Sentence {
    let rule = refusals.first().map(|refusal| refusal.rule().0);
    Headline::impossible(&rule.unwrap_or_default()).sentence()
}

/// The sentence of a service's state: at most 18 words.
pub fn sentence(service: &Service, inputs: &Inputs) -> Sentence {
    let said = match service.state() {
        ServiceState::Aggregated { over } => aggregated(service, inputs, over),
        ServiceState::Disaggregated { over } => disaggregated(service, inputs, over),
        ServiceState::Matched { choice, over } => matched(service, inputs, choice, over),
        ServiceState::FirstTokenMissed { soonest, limit } => {
            Some(first_token_missed(soonest, limit))
        }
        ServiceState::TooSlow { fastest, least } => Some(too_slow(fastest, least)),
        ServiceState::NothingFits => Some(nothing_fits(inputs)),
        ServiceState::Refused => None,
    };
    said.unwrap_or_else(|| impossible(&refusals(service)))
}

/// The rules that stated replicas break.
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

/// The accelerator of the prefill pool, where it is another one.
pub fn of_prefill(inputs: &Inputs) -> Option<&'static str> {
    let entry = inputs.prefill_gpu?;
    (entry.name != inputs.gpu.name()).then(|| short_name(entry.name))
}

/// "50 req/s".
fn rate(inputs: &Inputs) -> String {
    let rate = inputs.get(Number::Rate).unwrap_or(0.0);
    format!("{} req/s", format::printed(rate))
}

fn replicas(count: u64) -> &'static str {
    if count > 1 { "replicas" } else { "replica" }
}

/// "1 H200 serves", "48 H200 serve".
const fn serve(gpus: u64) -> &'static str {
    if gpus > 1 { "serve" } else { "serves" }
}

/// "17% fewer", "9% cheaper", "equal".
fn saving(over: f64, word: &str) -> String {
    match format::share(1.0 - over).as_str() {
        "0%" => "no fewer".to_owned(),
        share => format!("{share} {word}"),
    }
}

fn aggregated(service: &Service, inputs: &Inputs, over: Option<f64>) -> Option<Sentence> {
    let LoadedReplicas { pool, .. } = service.aggregated.as_ref().ok()?.loaded?;
    let said = Sentence::default()
        .then(Tone::Strong, of_gpu(pool.gpus as f64, inputs.gpu))
        .say(format!(
            " {} {} as {} {}",
            serve(pool.gpus),
            rate(inputs),
            format::count(pool.replicas as f64),
            replicas(pool.replicas)
        ));
    Some(match over.filter(|_| inputs.pools == Pools::Best) {
        Some(over) if over > 1.005 => said
            .say("; pools take ")
            .then(Tone::Strong, format!("{} more", format::share(over - 1.0)))
            .say("."),
        _ => said.say("."),
    })
}

fn disaggregated(service: &Service, inputs: &Inputs, over: Option<f64>) -> Option<Sentence> {
    let pools = service.disaggregated.as_ref().ok()?;
    let loaded = pools.loaded.as_ref()?;
    let said = match of_prefill(inputs) {
        Some(other) => Sentence::default()
            .then(
                Tone::Strong,
                format!(
                    "{} {other} + {}",
                    format::count(loaded.prefill.gpus as f64),
                    of_gpu(loaded.decode.gpus as f64, inputs.gpu)
                ),
            )
            .say(format!(" serve {}", rate(inputs))),
        None => Sentence::default()
            .then(Tone::Strong, of_gpu(loaded.gpus() as f64, inputs.gpu))
            .say(format!(
                " serve {} as {}",
                rate(inputs),
                both(loaded.prefill.replicas, loaded.decode.replicas)
            )),
    };
    // Fewer of the same GPUs, or cheaper ones.
    let same = service
        .aggregated
        .as_ref()
        .ok()
        .and_then(|other| other.loaded);
    let counted = same.map(|other| loaded.gpus() as f64 / other.pool.gpus as f64);
    let fewer =
        counted.is_some_and(|counted| over.is_some_and(|over| (counted - over).abs() < 1e-6));
    // Who asks for pools asks for no comparison.
    let over = match over {
        _ if inputs.pools != Pools::Best => return Some(said.say(".")),
        Some(over) if over < 0.995 => saving(over, if fewer { "fewer" } else { "cheaper" }),
        Some(over) if over > 1.005 => format!("{} more", format::share(over - 1.0)),
        Some(_) => return Some(said.say(", as many as aggregated.")),
        None => return Some(said.say("; aggregated cannot.")),
    };
    let said = said.say(", ").then(Tone::Strong, over);
    Some(said.say(" than aggregated."))
}

/// Replicas that prefill and that decode: "3P2D".
fn both(prefill: u64, decode: u64) -> String {
    let [prefill, decode] = [prefill, decode].map(|replicas| format::count(replicas as f64));
    format!("{prefill}P{decode}D")
}

fn matched(
    service: &Service,
    inputs: &Inputs,
    choice: Pools,
    over: Option<f64>,
) -> Option<Sentence> {
    let said = Sentence::default();
    if choice == Pools::Aggregated {
        let replica = &service.aggregated.as_ref().ok()?.replica;
        let said = said.then(Tone::Strong, "Aggregated").say(format!(
            ": {} {} {} req/s",
            of_gpu(replica.gpus.into(), inputs.gpu),
            serve(replica.gpus.into()),
            format::si(replica.rate)
        ));
        let more = match over {
            Some(over) if over > 2.0 => format::factor(over),
            Some(over) if over > 1.005 => format!("{} more", format::share(over - 1.0)),
            _ => return Some(said.say(".")),
        };
        return Some(said.say("; pools cost ").then(Tone::Strong, more).say("."));
    }
    let matched = &service.disaggregated.as_ref().ok()?.matched;
    let name = short_name(inputs.gpu.name());
    let whose = match of_prefill(inputs) {
        Some(other) => format!("{other} and {name}"),
        None => name.to_owned(),
    };
    let pools = both(matched.prefill.into(), matched.decode.into());
    let said = said.then(Tone::Strong, pools).say(format!(" of {whose}"));
    Some(match over {
        Some(over) if inputs.pools == Pools::Best && over < 0.995 => said
            .say(" cost ")
            .then(Tone::Strong, format!("{} less", format::share(1.0 - over)))
            .say(" than aggregated."),
        _ => said.say(" match."),
    })
}

/// The limit of the first token at which the cheaper way changes.
pub fn limit(crossover: &Crossover) -> Sentence {
    // Of equal ones aggregated replicas are taken.
    let (cost, then) = match crossover.lenient {
        Pools::Aggregated => ("aggregated replicas cost no more", "pools win"),
        _ => ("pools cost less", "aggregated replicas do"),
    };
    let soonest = format::duration(crossover.soonest.get());
    let Some(limit) = crossover.down_to else {
        return Sentence::default().say(format!(
            "{} at any limit of the first token, down to the soonest, {soonest}.",
            format::capital(cost)
        ));
    };
    Sentence::default()
        .say("At a first token of ")
        .then(
            Tone::Strong,
            format::duration(rounded_up(limit.get())).to_string(),
        )
        .say(format!(
            " or later {cost}; below that, down to {soonest}, {then}."
        ))
}

/// The next value of three digits: at the limit itself the statement has to hold.
fn rounded_up(seconds: f64) -> f64 {
    let mut unit = 1e-6;
    while seconds / unit >= 1000.0 {
        unit *= 10.0;
    }
    (seconds / unit).ceil() * unit
}

fn first_token_missed(soonest: Seconds, limit: Seconds) -> Sentence {
    Sentence::default()
        .then(Tone::Bad, "First token missed")
        .say(format!(": {} against ", format::duration(soonest.get())))
        .then(Tone::Strong, format::duration(limit.get()).to_string())
        .say(", and no number of replicas mends it.")
}

fn too_slow(fastest: f64, least: f64) -> Sentence {
    Sentence::default()
        .then(Tone::Bad, "Too slow")
        .say(format!(
            ": the fastest replica gives a user {} of ",
            format::below(fastest, least)
        ))
        .then(Tone::Strong, format!("{} tok/s", format::printed(least)))
        .say(".")
}

fn nothing_fits(inputs: &Inputs) -> Sentence {
    Sentence::default()
        .then(Tone::Bad, "Nothing fits")
        .say(format!(
            ": no replica holds {} and one request.",
            inputs.model.name()
        ))
}
