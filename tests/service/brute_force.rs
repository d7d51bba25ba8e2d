//! Tests the smallest GPU count that serves a demand, by brute force over every replica size, tensor parallelism,
//! schedule and batch.

use model_core::cost::memory::memory;
use model_core::evaluate::{evaluate, prefill_time};
use model_core::inputs::{Inputs, Number};
use model_core::plan::{Overlap, Plan, PlanSpec};
use model_core::scenario::Scenario;
use model_core::schedule::prefill::{replica, replica_plan};
use model_core::service::{Demand, Planner, Requests};
use model_core::workload::{Engine, Lengths, Serving};

use super::{demands, law};

/// Maximum number of GPUs with which brute force tries to serve a demand.
const MOST: f64 = 64.0;
/// Ratio of each tried batch to the previous one.
const STEP: f64 = 1.03;
/// Tolerance factor on request rates and GPU counts. It allows for batches between the tried ones, and for replicas
/// that count as equally good.
const ASIDE: f64 = 1.01;

/// Returns the mean waiting time in a queue, by Sakasegawa's approximation.
fn wait(service: f64, places: f64, used: f64) -> f64 {
    if used >= 1.0 {
        return f64::INFINITY;
    }
    let power = (2.0 * (places + 1.0)).sqrt() - 1.0;
    service * model_core::math::pow(used, power) / (2.0 * places * (1.0 - used))
}

/// A demand, with the values that brute force needs.
struct Asked {
    requests: Requests,
    rate: f64,
    most_used: f64,
    limit: f64,
}

impl Asked {
    /// Returns the smallest number of GPUs that serve the demand in replicas of `each` GPUs, or infinity if no number
    /// up to [`MOST`] does.
    fn gpus(&self, each: u32, rate: f64, first_token: impl Fn(f64) -> f64) -> f64 {
        let each = f64::from(each);
        let mut replicas = (self.rate / (self.most_used * rate) - 1e-9).ceil().max(1.0);
        while replicas * each <= MOST {
            let first = first_token(replicas);
            if first.is_finite() && first <= self.limit {
                return replicas * each;
            }
            replicas += 1.0;
        }
        f64::INFINITY
    }
}

fn base(inputs: &Inputs, requests: &Requests) -> Scenario {
    let mut open = inputs.without_service();
    open.unshard();
    open.engine = Engine::Decode;
    let open = open
        .with(Number::Gpus, 1.0)
        .with(Number::MeanPrompt, requests.prompt)
        .with(Number::MeanOutput, requests.output)
        .with(Number::Hit, requests.hit);
    open.scenario().expect("a valid base")
}

const SIZES: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

fn tensor_parallels(gpus: u32) -> impl Iterator<Item = u32> {
    (1..=gpus).filter(move |tp| gpus.is_multiple_of(*tp))
}

fn prefill_pool(base: &Scenario, asked: &Asked) -> f64 {
    let mut best = f64::INFINITY;
    for gpus in SIZES {
        for tp in tensor_parallels(gpus) {
            let Ok(plan) = replica_plan(base, gpus, tp) else {
                continue;
            };
            let mut scenario = *base;
            scenario.plan = plan;
            scenario.cluster.gpus = gpus;
            let Some(found) = replica(&scenario, asked.requests.prompt) else {
                continue;
            };
            if !pass_fits(&scenario, &found.prompt, found.together) {
                continue;
            }
            scenario.workload.context = asked.requests.prompt;
            let bytes = model_core::cost::memory::sequence_bytes(&scenario)
                .total
                .get();
            let across = scenario.calibration.messages.across;
            let transfer = across.start.get()
                + bytes * across.factor / scenario.cluster.scale_out.get() / f64::from(tp);
            let pass = found.pass.time().get();
            let first = |replicas: f64| {
                let used = asked.rate / (replicas * found.rate);
                let places = replicas * f64::from(gpus / tp) * found.together;
                wait(found.prompt.chunks * pass, places, used)
                    + used * pass / 2.0
                    + found.first_token().get()
                    + transfer
            };
            best = best.min(asked.gpus(gpus, found.rate, first));
        }
    }
    best
}

fn pass_fits(scenario: &Scenario, prompt: &model_core::ops::PromptTokens, together: f64) -> bool {
    let load = model_core::ops::Load::chunk(prompt, together, true, &scenario.plan);
    model_core::cost::memory::pass_memory(scenario, &load).fits()
}

/// Returns the smallest number of GPUs for decode replicas or, if `engine` is true, for aggregated replicas.
fn decode_pool(base: &Scenario, asked: &Asked, engine: bool) -> f64 {
    let Requests {
        prompt,
        output,
        users,
        ..
    } = asked.requests;
    let mut best = f64::INFINITY;
    for gpus in SIZES {
        for tp in tensor_parallels(gpus) {
            for overlap in [Overlap::Sequential, Overlap::TwoBatch] {
                let moe = base.arch.is_moe();
                let spec = PlanSpec {
                    dp: gpus / tp,
                    tp,
                    kvp: 1,
                    pp: 1,
                    ep: if moe { gpus } else { 1 },
                    ffn_tp: if moe { 1 } else { tp },
                    overlap,
                    ..*base.plan.spec()
                };
                let Ok(plan) = Plan::new(spec, &base.arch, gpus) else {
                    continue;
                };
                let mut scenario = *base;
                scenario.plan = plan;
                scenario.cluster.gpus = gpus;
                if engine {
                    scenario.workload.serving = Serving::Aggregated(Lengths { prompt, output });
                }
                let each = prefill_time(&scenario, prompt).map_or(f64::NAN, |time| time.get());
                let mut batch = plan.micro_batches();
                while memory(&scenario, batch).fits() && batch <= 1e7 {
                    scenario.workload.batch = batch;
                    let Ok(found) = evaluate(&scenario) else {
                        break;
                    };
                    if found.tokens_per_user < users {
                        break;
                    }
                    let (rate, step) = (found.tokens / output, found.step.get());
                    let first = |replicas: f64| {
                        if !engine {
                            return 0.0;
                        }
                        let groups = replicas * f64::from(gpus / tp);
                        let used = asked.rate / (replicas * rate);
                        wait(each, groups, asked.rate * each / groups)
                            + step * used / 2.0
                            + each
                            + step
                    };
                    best = best.min(asked.gpus(gpus, rate, first));
                    batch = (batch * STEP).floor().max(batch + 1.0);
                }
            }
        }
    }
    best
}

/// Request rates that are tried, as shares of the rate that 64 GPUs serve. They are relative because the rate that
/// needs more than [`MOST`] GPUs differs between demands.
const SHARES: [f64; 5] = [0.05, 0.2, 0.45, 0.7, 0.95];

#[test]
fn no_pool_is_larger_than_by_brute_force() {
    law(demands(), |inputs| {
        let mut planner = Planner::new(inputs).expect("it can be planned");
        let demand = Demand::of(inputs);
        let matched = planner.answer(&Demand {
            rate: None,
            first_token: None,
            ..demand
        });
        let each = [
            matched
                .disaggregated
                .as_ref()
                .map_or(f64::INFINITY, |pools| pools.gpus_per_rate),
            matched
                .aggregated
                .as_ref()
                .map_or(f64::INFINITY, |one| one.gpus_per_rate),
        ];
        let each = each.into_iter().fold(f64::INFINITY, f64::min);
        if !each.is_finite() {
            return;
        }
        let share = SHARES[(each.to_bits() % 5) as usize];
        let rate = (MOST * demand.utilisation / each * share).clamp(0.001, 1e6);
        let requests = Requests::of(inputs);
        let base = base(inputs, &requests);
        // A replica near the best counts as equally good, so brute force has to serve a 1% higher rate.
        let asked = Asked {
            requests,
            rate: rate * ASIDE,
            most_used: demand.utilisation,
            limit: demand
                .first_token
                .map_or(f64::INFINITY, |limit| limit.get()),
        };
        let prefill = prefill_pool(&base, &asked);
        let decode = decode_pool(&base, &asked, false);
        let together = decode_pool(&base, &asked, true);
        let found = planner.answer(&Demand {
            rate: Some(rate),
            ..demand
        });
        let pools = found
            .disaggregated
            .as_ref()
            .map_or([f64::INFINITY; 2], |pools| {
                let loaded = pools.loaded.expect("a rate");
                [loaded.prefill.gpus as f64, loaded.decode.gpus as f64]
            });
        let aggregated = found.aggregated.as_ref().map_or(f64::INFINITY, |one| {
            one.loaded.expect("a rate").pool.gpus as f64
        });
        let pairs = [
            ("prefill", pools[0], prefill),
            ("decode", pools[1], decode),
            ("aggregated", aggregated, together),
        ];
        for (name, planned, brute) in pairs {
            // Pools are reported as a pair: if one pool is infeasible, neither is reported.
            if name != "aggregated" && pools[0].is_infinite() {
                assert!(prefill.is_infinite() || decode.is_infinite(), "{found:?}");
                continue;
            }
            assert!(
                planned <= ASIDE * brute,
                "{name} at {rate}: {planned} of {brute}"
            );
        }
    });
}
