//! Regression tests of contradictions that the page once had, one function each, on computed values.

use answer::afd::{EvaluatedUnit, RatioView};
use answer::picture::table::Cell;
use answer::words::headline::{AfdComparison, Headline};
use answer::{FigureCell, Outcome, answer as answer_of};
use model_core::inputs::{Gpu, Mode, Number};
use model_core::permalink::{read, write_inputs};
use model_core::preset::PRESETS;
use worker::simulate::SimulateAnswer;
use worker::{Answer, Job, Request};

/// Returns the AFD view of a permalink, and the answer of its simulation.
fn simulated(link: &str) -> (RatioView, SimulateAnswer) {
    let inputs = read(link).current;
    let mut job = Job::new(&Request::Simulate(
        inputs.in_mode(Mode::Simulate).normalized(),
    ));
    job.advance(|| false);
    let Some(Answer::Simulate(answer)) = job.answer(0.1) else {
        panic!("no simulation of {link}");
    };
    let unit = EvaluatedUnit::new(&inputs).expect("valid");
    (unit.view(Some(&answer), None), answer)
}

fn compared(view: &RatioView) -> &AfdComparison {
    match &view.headline {
        Headline::Disaggregated(compared) => compared,
        other => panic!("{other:?}"),
    }
}

/// Checks the fix of contradiction 5: if the closed form is off by more than a tenth, the headline has the AFD result
/// and SLO verdict of the simulation.
#[test]
fn afd_has_one_verdict() {
    let link = "v=2&gpu=custom&peak_bf16=750&peak_fp8=1500&hbm=6000&capacity=192&gpus=64&domain=16\
                &scale_up=400&batch=240&context=128k&slo=25&view=disagg";
    let (view, answer) = simulated(link);
    let point = &answer.points[0];
    let (users, of) = (1.0 / point.tpot_s, compared(&view));
    let closed = EvaluatedUnit::new(&read(link).current).expect("valid");
    let closed = compared(&closed.view(None, None)).disaggregated;
    let closed = closed.expect("the closed form meets the SLO");
    let per_gpu = point.per_instance_generated * (point.attention_instances + 1.0) / 64.0;
    assert!((per_gpu / closed - 1.0).abs() > 0.1, "{per_gpu} {closed}");
    assert!(of.simulated);
    assert_eq!(of.disaggregated.is_some(), users >= 25.0, "{users}");
    let cell = &view.figures[1];
    assert_eq!(cell.value, answer::words::format::figure(per_gpu));
    let (said, _) = cell.state.as_ref().expect("a note");
    assert_eq!(said.starts_with("misses"), users < 25.0, "{said}");
    let reason = view.simulated.expect("a reason");
    assert!(reason.contains("Closed form"), "{reason}");
    // A reason is shown only if the headline uses the simulation.
    let (plain, _) = simulated("v=2&view=disagg&lengths=fixed&prompt=2000&output=500&slo=10");
    assert_eq!(plain.simulated.is_some(), compared(&plain).simulated);
}

/// Checks the fix of contradiction 13, an idle time of 3.47e-15: no table of the AFD view shows the rounding error of
/// a sum.
///
/// Permalink: `?v=2&view=disagg`
#[test]
fn idle_is_zero_or_more() {
    let presets = PRESETS
        .iter()
        .map(|preset| write_inputs(&preset.opened().current));
    for link in presets.chain(["v=2".to_owned(), "v=1".to_owned()]) {
        let Ok(unit) = EvaluatedUnit::new(&read(&link).current) else {
            continue;
        };
        let view = unit.view(None, None);
        for chart in [&view.ratio, &view.steps.chart, &view.apart] {
            for cell in chart.rows.table().rows.iter().flatten() {
                if let Cell::Number(value) = cell {
                    assert!(*value == 0.0 || value.abs() >= 1e-9, "{link}: {value}");
                }
            }
        }
    }
}

/// Returns the key figure for cost that the first screen shows for a permalink's scenario.
fn cost(link: &str) -> FigureCell {
    let figures = match answer_of(&read(link).current, None) {
        Outcome::Possible(screen) => screen.figures,
        Outcome::Impossible(problems) => panic!("{problems:?}"),
    };
    let cost = figures
        .into_iter()
        .find(|cell| cell.name.starts_with("Cost"));
    cost.expect("a cost")
}

/// Checks the fix of contradiction 14: a custom accelerator has only the name, price and power that the user gives.
///
/// Permalink: `?v=2&gpu=custom`, opened from the menu on the opening page.
#[test]
fn a_custom_accelerator_is_the_users() {
    let mut inputs = read("v=2").current;
    inputs.customize_gpu();
    assert_eq!(inputs.get(Number::Price), None);
    let scenario = inputs.scenario().expect("valid");
    assert_eq!(
        (scenario.board_watts, scenario.dollars_per_hour),
        (None, None)
    );
    // All other values are unchanged: a custom accelerator starts from the one that it replaces.
    let before = read("v=2").current.scenario().expect("valid");
    assert_eq!(scenario.cluster, before.cluster);
    let link = write_inputs(&inputs);
    let none = cost(&link);
    assert_eq!(none.value, "–");
    assert_eq!(none.state.expect("a note").0, "set a price");
    assert_ne!(cost(&format!("{link}&price=2")).value, "–");
    // The capacity is the printed one: 192 GB are 192 in permalink versions 1 and 2.
    for version in [1, 2] {
        let link = format!("v={version}&gpu=custom&peak_bf16=900&peak_fp8=900&capacity=192");
        let capacity = read(&link)
            .current
            .scenario()
            .expect("valid")
            .cluster
            .capacity;
        assert_eq!(capacity.as_gib().to_bits(), 192_f64.to_bits());
    }
    // A name with any characters is restored from the permalink.
    let named = read("v=2&gpu=custom&gpu_name=My+ASIC,%20v2%C3%BC").current;
    assert_eq!(named.gpu_name(), "My ASIC, v2ü");
    assert_eq!(read(&write_inputs(&named)).current, named);
    assert_eq!(read("v=2&gpu_name=x").current.gpu_label, None);
}

/// Checks the fix of defect 31: if a custom accelerator has no peak FLOP/s, the page asks for it at the peak's field.
#[test]
fn a_missing_speed_is_asked_for() {
    let inputs = read("v=2&gpu=custom").current;
    assert_eq!(inputs.gpu, Gpu::Custom);
    let Outcome::Impossible(problems) = answer_of(&inputs, None) else {
        panic!("valid");
    };
    let found: Vec<(&str, &str)> = problems
        .iter()
        .map(|problem| (problem.key, problem.rule.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("peak_bf16", "this accelerator has no BF16 peak yet"),
            ("peak_fp8", "this accelerator has no FP8 peak yet"),
        ]
    );
}
