//! Chart data of a service: its GPUs over the rate, and the time of a request.

use crate::charts::{
    PoolBar, PoolRecipe, PoolsData, RequestData, RequestPart, RequestWay, StairMark, StairNow,
    StairsData,
};
use crate::format;
use crate::theme::Role;
use model_core::order::sort_by;
use model_core::service::answer::{Aggregated, Disaggregated};
use model_core::service::miss::ReplicaWork;
use model_core::service::recipes::{RECIPES, Recipe};
use model_core::service::{Planner, Service, stairs as model};
use model_core::workload::Pools;

const fn stair(of: &model::Stair) -> StairMark {
    StairMark {
        rate: of.rate,
        pools: of.pools,
        aggregated: of.aggregated,
    }
}

/// The stairs with the point of now.
pub fn stairs_data(found: &[model::Stair], service: &Service) -> StairsData {
    let mut steps: Vec<StairMark> = found.iter().map(stair).collect();
    let own = stair(&model::Stair::of(service));
    let rate = service.demand.rate;
    let gpus = service.gpus();
    if rate.is_some() {
        steps.push(own);
        sort_by(&mut steps, |one, other| one.rate.total_cmp(&other.rate));
    }
    let finding = match (own.pools, own.aggregated, rate) {
        (_, _, None) => "set a rate to mark your own".to_owned(),
        (Some(pools), Some(together), _) if pools < together => {
            format!("{} fewer in pools", format::count(together - pools))
        }
        (Some(pools), Some(together), _) if pools > together => {
            format!("{} fewer aggregated", format::count(pools - together))
        }
        (Some(_), Some(_), _) => "the same either way".to_owned(),
        (Some(_), None, _) => "only pools can".to_owned(),
        (None, Some(_), _) => "only aggregated can".to_owned(),
        (None, None, _) => "none can".to_owned(),
    };
    let now = rate.zip(gpus).map(|(rate, gpus)| StairNow {
        rate,
        gpus: gpus as f64,
        pools: service.choice != Some(Pools::Aggregated),
    });
    StairsData {
        steps,
        now,
        finding,
        source: "replicas searched for each rate".to_owned(),
    }
}

fn part(role: Role, name: &'static str, seconds: f64) -> RequestPart {
    RequestPart {
        role,
        name,
        seconds,
        after: false,
    }
}

/// Decode of all tokens after the first.
fn decode(service: &Service, tpot_s: f64) -> RequestPart {
    RequestPart {
        after: true,
        ..part(
            // Slate, as the frontier of decode elsewhere.
            Role::Weights,
            "decode",
            (service.requests.output - 1.0).max(0.0) * tpot_s,
        )
    }
}

fn apart(service: &Service, of: &Disaggregated) -> RequestWay {
    let (wait, prefill, transfer) = match &of.loaded {
        Some(loaded) => {
            let first = loaded.first_token;
            (first.wait.get(), first.prefill.get(), first.rest.get())
        }
        None => {
            let transfer = of.prefill.transfer.get();
            (0.0, of.prefill.alone().get() - transfer, transfer)
        }
    };
    RequestWay {
        name: "pools",
        chosen: service
            .choice
            .is_some_and(|choice| choice != Pools::Aggregated),
        parts: vec![
            part(Role::Idle, "wait", wait),
            part(Role::Prompts, "prefill", prefill),
            part(Role::Messages, "transfer", transfer),
            decode(service, of.decode.tpot.get()),
        ],
    }
}

fn together(service: &Service, of: &Aggregated) -> RequestWay {
    let (wait, prefill, step) = match &of.loaded {
        Some(loaded) => {
            let first = loaded.first_token;
            (first.wait.get(), first.prefill.get(), first.rest.get())
        }
        None => (0.0, of.replica.prefill.get(), of.replica.step.get()),
    };
    RequestWay {
        name: "aggregated",
        chosen: service.choice == Some(Pools::Aggregated),
        parts: vec![
            part(Role::Idle, "wait", wait),
            part(Role::Prompts, "prefill", prefill),
            part(Role::Weights, "first step", step),
            decode(service, of.replica.tpot.get()),
        ],
    }
}

/// The time of a request, served by pools and by aggregated replicas.
pub fn request_data(service: &Service) -> RequestData {
    let pools = service.disaggregated.as_ref().ok();
    let replicas = service.aggregated.as_ref().ok();
    let pools = pools.map(|of| apart(service, of));
    let replicas = replicas.map(|of| together(service, of));
    let ways: Vec<RequestWay> = pools.into_iter().chain(replicas).collect();
    let chosen = ways.iter().find(|way| way.chosen);
    let finding = chosen.map_or_else(
        || "none can serve it".to_owned(),
        |way| {
            let of = |name| {
                let parts = way.parts.iter().filter(|part| part.name == name);
                parts.map(|part| part.seconds).sum::<f64>()
            };
            let all: f64 = way.parts.iter().map(|part| part.seconds).sum();
            let (decode, wait) = (of("decode") / all, of("wait") / all);
            match format::share(decode).as_str() {
                "100%" => "nearly all is decode".to_owned(),
                decode => format!("decode is {decode}, waiting {}", format::share(wait)),
            }
        },
    );
    RequestData {
        ways,
        limit_s: service.demand.first_token.map(|limit| limit.get()),
        finding,
        source: "means of Poisson arrivals; no percentile".to_owned(),
    }
}

/// Prompts over outputs of the line of ratios, equally many in each of three decades.
const SHARES: u32 = 12;

/// GPUs of prefill per GPU of decode over prompt ÷ output, of the pools of a service.
pub fn ratios(planner: &Planner, service: &Service) -> Vec<(f64, f64)> {
    if service.disaggregated.is_err() {
        return Vec::new();
    }
    let output = service.requests.output;
    let at = |index| libm::pow(10.0, 3.0 * f64::from(index) / f64::from(SHARES) - 1.0);
    let own = service.requests.prompt / output;
    let mut shares: Vec<f64> = (0..=SHARES).map(at).chain([own]).collect();
    sort_by(&mut shares, f64::total_cmp);
    let ratio = |share: f64| Some((share, planner.ratio_at(share * output, service)?));
    shares.into_iter().filter_map(ratio).collect()
}

fn recipe(of: Recipe) -> PoolRecipe {
    PoolRecipe {
        name: of.name,
        of: of.of,
        at: (of.prompt_per_output, of.prefill_per_decode),
        source: of.source.title,
    }
}

/// The rate that each pool could serve, and the line of [`ratios`].
pub fn pools_data(service: &Service, ratios: Vec<(f64, f64)>) -> PoolsData {
    let pools = service.disaggregated.as_ref().ok();
    let replicas = service.aggregated.as_ref().ok();
    let apart = pools.and_then(|of| {
        let loaded = of.loaded?;
        let bar = |name, role, replicas: u64, gpus, rate| PoolBar {
            name,
            role,
            replicas: replicas as f64,
            gpus: f64::from(gpus),
            rate,
        };
        let (one, other) = (&of.prefill, &of.decode);
        Some([
            bar(
                "prefill",
                Role::Prompts,
                loaded.prefill.replicas,
                one.gpus,
                one.rate(),
            ),
            bar(
                "decode",
                Role::Weights,
                loaded.decode.replicas,
                other.gpus,
                other.rate,
            ),
        ])
    });
    let together = replicas.and_then(|of| {
        Some(PoolBar {
            name: "aggregated",
            role: Role::Overhead,
            replicas: of.loaded?.pool.replicas as f64,
            gpus: f64::from(of.replica.gpus),
            rate: of.replica.rate,
        })
    });
    let loaded = pools.and_then(|of| of.loaded);
    let finding = match (loaded, together.as_ref()) {
        (Some(loaded), _) => {
            let most = loaded.prefill.utilisation.max(loaded.decode.utilisation);
            let binds = match loaded.binds() {
                ReplicaWork::Prefill => "prefill",
                _ => "decode",
            };
            format!("{binds} of pools, at {} of its rate", format::share(most))
        }
        (None, _) => match (pools, together.as_ref()) {
            (Some(of), _) => {
                format!(
                    "a decode GPU matches {} of prefill",
                    format::sig3(of.gpus_ratio)
                )
            }
            (None, Some(_)) => "only aggregated replicas serve".to_owned(),
            (None, None) => "none serves".to_owned(),
        },
    };
    PoolsData {
        pools: apart.into_iter().flatten().chain(together).collect(),
        rate: service.demand.rate.unwrap_or(0.0),
        ratios,
        now: pools.map(|of| {
            let share = service.requests.prompt / service.requests.output;
            (share, of.gpus_ratio)
        }),
        recipes: RECIPES.map(recipe).into(),
        finding,
        source: "replicas × the rate of one, against the demand".to_owned(),
    }
}
