//! Property tests of the minimum input values that reach a target, by comparison with enumeration over a grid.

use model_core::evaluate::{Evaluation, evaluate};
use model_core::inputs::{Gpu, Inputs, Number};
use model_core::limits::growth::inputs_on;
use model_core::math;
use model_core::needs::{Least, Need, Target, Why, asked, fewest_gpus, needs};
use model_core::precision::NamedPrecision;
use model_core::scenario::Scenario;

use super::{CASES, Case, evaluated, law};

/// Returns a target near the case's result, so that some cases meet their target and others miss it.
fn target(case: &Case, now: &Evaluation) -> Target {
    let factor = [0.6, 0.95, 1.05, 1.3, 2.5, 20.0][case.draws[1] as usize % 6];
    match case.draws[0] % 4 {
        0 => Target::Fits,
        1 => Target::Speed(now.tokens_per_user * factor),
        2 => Target::Throughput(now.tokens * factor),
        _ => match now.dollars_per_mtok {
            Some(cost) if cost > 0.0 => Target::Cost(cost / factor),
            _ => Target::Speed(now.tokens_per_user * factor),
        },
    }
}

/// Returns true if the inputs meet a target, computed independently of the library.
fn reaches(inputs: &Inputs, target: &Target, slo: Option<f64>) -> bool {
    let Ok(scenario) = inputs.scenario() else {
        return false;
    };
    let Ok(found) = evaluate(&scenario) else {
        return false;
    };
    let met = match target {
        Target::Fits => return found.memory.most() <= found.memory.usable,
        Target::Speed(least) => found.tokens_per_user >= *least,
        Target::Cost(most) => found.dollars_per_mtok.is_some_and(|cost| cost <= *most),
        Target::Throughput(least) => found.tokens >= *least,
    };
    met && found.memory.fits() && slo.is_none_or(|slo| found.tokens_per_user >= slo)
}

/// Returns the inputs with their accelerator turned into a custom one, whose numbers can be changed.
fn own_chip(inputs: &Inputs, scenario: &Scenario) -> Inputs {
    let mut other = *inputs;
    let cluster = &scenario.cluster;
    let entry = inputs.gpu.coverage(inputs.family);
    other.gpu = Gpu::Custom;
    other.family = entry.family();
    for (number, value) in [
        (Number::PeakBf16, cluster.peaks.bf16.map(|p| p.as_tera())),
        (Number::PeakFp8, cluster.peaks.fp8.map(|p| p.as_tera())),
        (Number::PeakFp4, cluster.peaks.fp4.map(|p| p.as_tera())),
        (Number::Hbm, Some(cluster.hbm.as_gb())),
        (Number::Capacity, Some(cluster.capacity.as_gib())),
        (Number::Domain, Some(f64::from(cluster.domain))),
        (Number::ScaleUp, Some(cluster.scale_up.as_gb())),
        (Number::ScaleOut, Some(cluster.scale_out.as_gb())),
        (Number::Price, scenario.dollars_per_hour),
    ] {
        other.state(number, value);
    }
    other
}

/// Returns test values of the needed input, each with the inputs in which it is set.
fn grid(case: &Case, scenario: &Scenario, need: &Need) -> Vec<(f64, Inputs)> {
    let inputs = &case.inputs;
    let around = |now: f64| (-6..=6).map(move |step| now * math::pow(2.0, f64::from(step) * 0.75));
    let number = need.number;
    let stated = |values: Vec<f64>| -> Vec<(f64, Inputs)> {
        let Some(number) = number else {
            return Vec::new();
        };
        let allowed = values.into_iter().filter(|value| number.allows(*value));
        allowed
            .map(|value| (value, inputs.with(number, value)))
            .collect()
    };
    let now = need.now.unwrap_or(1.0);
    let Some(number) = number else {
        return Vec::new();
    };
    match number {
        Number::Hbm | Number::Capacity => {
            let chip = own_chip(inputs, scenario);
            around(now)
                .map(|value| (value, chip.with(number, value)))
                .collect()
        }
        Number::PeakBf16 | Number::PeakFp8 | Number::PeakFp4 => {
            let chip = own_chip(inputs, scenario);
            around(now)
                .map(|value| {
                    let mut other = chip;
                    for number in [Number::PeakBf16, Number::PeakFp8, Number::PeakFp4] {
                        let peak = chip.stated(number).map(|peak| peak * (value / now));
                        other.state(number, peak);
                    }
                    (value, other)
                })
                .collect()
        }
        Number::Gpus => [
            1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 72, 96, 128, 256, 512,
        ]
        .into_iter()
        .filter_map(|gpus| Some((f64::from(gpus), inputs_on(inputs, gpus).ok()?)))
        .filter(|(_, other)| {
            let plan = other.scenario().expect("it has a plan").plan;
            scenario.workload.batch >= plan.micro_batches()
        })
        .collect(),
        Number::Batch => {
            let least = scenario.plan.micro_batches();
            // The memory limit on the batch is a multiple of dp, because every group may be as full as the fullest.
            let dp = f64::from(scenario.plan.spec().dp);
            let whole = |batch: f64| (batch / dp).ceil() * dp;
            let values = around(now).map(whole).chain([least, least * 3.0]);
            stated(values.filter(|batch| *batch >= least).collect())
        }
        Number::Context => stated(around(now).map(f64::floor).collect()),
        Number::Beta => stated((1..=16).map(|step| f64::from(step) / 16.0).collect()),
        _ => stated(around(now).collect()),
    }
}

/// Tolerance factor for needed values: answers are rounded to four digits, and a grid point next to an answer may
/// differ in its last bits.
const SLACK: f64 = 1.002;

#[test]
fn needs_equal_enumeration() {
    law(CASES, |case| {
        if case.is_by_operator() {
            return;
        }
        let scenario = case.scenario();
        let now = evaluated(&scenario);
        let target = target(case, &now);
        let slo = match target {
            Target::Cost(_) | Target::Throughput(_) => scenario
                .workload
                .slo
                .filter(|slo| now.tokens_per_user >= *slo),
            _ => None,
        };
        let found = needs(&case.inputs, target, &asked(&scenario)).expect("it is possible");
        for need in &found.by {
            if let Least::None(Why::Beyond(best)) = need.answer
                && let Some(now) = target.of(&now).filter(|_| now.memory.fits())
            {
                let better = match target {
                    Target::Cost(_) => best <= now,
                    _ => best >= now,
                };
                assert!(better, "{target:?} {need:?}: {now} now");
            }
            if need.number.is_none() {
                precisions(case, need, &target, slo);
                continue;
            }
            let grid = grid(case, &scenario, need);
            let reaching = grid
                .iter()
                .filter(|(_, inputs)| reaches(inputs, &target, slo));
            match need.answer {
                Least::Any => assert_eq!(
                    reaching.count(),
                    grid.len(),
                    "{target:?} {need:?}: not everything reaches it"
                ),
                // A single group of experts is balanced, whatever β.
                Least::None(Why::Absent) if need.number == Some(Number::Beta) => {
                    let one = scenario.plan.spec().ep == 1;
                    assert!(one || !scenario.arch.is_moe());
                }
                Least::None(_) => {
                    let found = reaching.map(|(value, _)| *value).next();
                    assert_eq!(found, None, "{target:?} {need:?}: it reaches it");
                }
                Least::Number(least) => {
                    let other = need.inputs(&case.inputs);
                    if let Some(other) = other {
                        assert!(
                            reaches(&other, &target, slo),
                            "{target:?} {need:?}: does not reach it"
                        );
                    }
                    for (value, _) in reaching {
                        let beyond = match target.wants_most(need.number) {
                            true => *value > least * SLACK,
                            false => *value < least / SLACK,
                        };
                        assert!(!beyond, "{target:?} {need:?}: {value} reaches it too");
                    }
                }
                Least::Precision(_) => panic!("{need:?}"),
            }
        }
    });
}

fn precisions(case: &Case, need: &Need, target: &Target, slo: Option<f64>) {
    let widest = [
        NamedPrecision::Bf16,
        NamedPrecision::DeepseekFp8,
        NamedPrecision::Fp4,
    ]
    .into_iter()
    .find(|precision| reaches(&case.inputs.with_precision(*precision), target, slo));
    match (need.answer, widest) {
        (Least::Precision(found), Some(widest)) => assert_eq!(found, widest),
        (Least::None(_), None) => {}
        other => panic!("{target:?}: {other:?}"),
    }
}

#[test]
fn fewest_gpus_are_one_answer() {
    law(CASES / 4, |case| {
        let slo = case.scenario().workload.slo;
        let target = slo.map_or(Target::Fits, Target::Speed);
        let Some(fewest) = fewest_gpus(&case.inputs) else {
            return;
        };
        let found =
            needs(&case.inputs, target, &[Some(Number::Gpus)]).expect("a possible scenario");
        assert_eq!(found.by[0].answer, Least::Number(f64::from(fewest)));
    });
}
