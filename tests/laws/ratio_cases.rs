//! Regression tests of xAyF units (AFD with x attention ranks and y FFN ranks).

use model_core::afd::bundle::Bundle;
use model_core::afd::latency::{Exchange, LatencyLine as Line};
use model_core::afd::lengths::LengthModel;
use model_core::afd::simulate::Simulation;
use model_core::apart::Scatter;
use model_core::permalink;
use model_core::units::Seconds;

use super::ratio::{best_is_best, entered};
use super::{CASES, law};

/// Permalinks to MoE models, whose FFN time as a function of rows is concave, then flat, then linear.
const GROWING: [&str; 3] = [
    "v=1&mode=ratio&model=gpt-oss-120b&gpu=h200&gpus=16&tp=1&calibration=aleph-alpha-2025&context=2000&overlap=none&slots=8&mu_d=500",
    "v=1&mode=ratio&model=deepseek-v3&gpu=h200&gpus=32&batch=512&r=40",
    "v=1&mode=ratio&model=qwen3-30b-a3b&gpu=h200&gpus=8&calibration=ideal&slots=256&r=16",
];

fn bundle_of(link: &str) -> Bundle {
    permalink::read(link)
        .current
        .bundle()
        .expect("a possible bundle")
}

/// Checks that at every A:F ratio the derived FFN time is that of the FFN operators, and that no ratio beats the
/// reported best one.
#[test]
fn derived_feed_forward_times() {
    for link in GROWING {
        let bundle = bundle_of(link);
        let mut most: f64 = 0.0;
        for step in 0..4000 {
            let ratio = model_core::math::pow(10.0, f64::from(step) / 600.0 - 2.0);
            let point = bundle.at(ratio);
            let own = bundle.halves.ffn_time(ratio * bundle.slots);
            assert_eq!(Some(point.ffn), own, "{link} at {ratio}");
            most = most.max(point.per_weight);
        }
        let best = bundle.answer().best;
        assert!(
            best.per_weight >= most,
            "{link}: {} < {most}",
            best.per_weight
        );
        assert!(best.per_weight < most * 1.01, "{link}");
        let (attention, ffn) = bundle.line_errors(bundle.asked().ratio);
        assert!(attention.is_some_and(|error| error.abs() < 1e-9), "{link}");
        assert!(
            ffn.is_some_and(|error| error.abs() < 0.05),
            "{link}: {ffn:?}"
        );
        best_is_best(&bundle);
    }
}

/// Checks that with the latencies of Table 2 of [R] the best A:F ratio r* is that of [R]. With two micro-batches in
/// flight, throughput peaks at another ratio, and its maximum is lower.
#[test]
fn two_batches_keep_the_papers_ratio() {
    let bundle = bundle_of("v=1&mode=ratio&latencies=table2");
    let answer = bundle.answer();
    assert!((answer.best.ratio - 9.32009).abs() < 1e-5);
    let flight = answer.best_in_flight;
    assert!(flight.per_instance_in_flight > answer.best.per_instance_in_flight);
    assert!(flight.per_instance_in_flight < answer.best.per_instance);
}

/// Checks a round computed by hand. Attention, communication and FFN take 300 µs each, so a round takes 900 µs. Two
/// micro-batches give 2·64 tokens per round on two ranks: 71,111 tokens/s on each rank, not 106,667.
#[test]
fn two_batches_bound_by_turnaround() {
    let link = "v=1&mode=simulate&latencies=table2&alpha_a_us=0&beta_a_us=300&alpha_f_us=0.0001&beta_f_us=300&alpha_c_us=0&beta_c_us=300&slots=64&mu_p=100&mu_d=50&lengths=fixed&requests=5000&r=1";
    let bundle = bundle_of(link);
    let point = bundle.at(1.0);
    assert!(
        (point.per_instance / 106_666.0 - 1.0).abs() < 1e-3,
        "{point:?}"
    );
    assert!((point.per_instance_in_flight / 71_111.0 - 1.0).abs() < 1e-3);
    let simulated = Simulation::run(bundle.setup(1.0)).expect("it ends");
    let gap = simulated.per_instance_generated / point.per_instance_in_flight - 1.0;
    assert!(gap.abs() < 1e-3, "{gap}");
}

/// Checks xAyF units with similar attention, communication and FFN times, so that none of the three is long enough to
/// overlap the other two. The simulated throughput equals the closed form for two micro-batches in flight, which is
/// below that of [R] eq 6.
#[test]
fn simulation_without_full_overlap() {
    const OUTPUT: f64 = 50.0;
    law(CASES / 20, |case| {
        let mut bundle = entered(&case.draws);
        let time = |draw: u32| Line {
            slope: Seconds::new(1e-12),
            intercept: Seconds::new(1e-4 * (1.0 + f64::from(draw % 900) / 1000.0)),
        };
        let exchange = Exchange {
            attention: time(case.draws[2]),
            ffn: Line::ZERO,
        };
        bundle.latencies.attention = time(case.draws[0]);
        bundle.latencies.ffn = time(case.draws[1]);
        (bundle.latencies.near, bundle.latencies.far) = (exchange, exchange);
        bundle.slots = 1.0 + f64::from(case.draws[3] % 8);
        bundle.lengths = LengthModel::of(Scatter::Fixed, f64::from(case.draws[0] % 3000), OUTPUT);
        bundle.requests = 40 * bundle.slots as u32;
        let point = bundle.at(f64::from(1 + case.draws[1] % 12));
        let once = point.attention + point.messages + point.ffn;
        assert!(once > point.cycle * 2.0, "{point:?}");
        assert_eq!(point.tpot, once);
        let outcome = Simulation::run(bundle.setup(point.ratio)).expect("it ends");
        // Filling and draining: at most three rounds of all generations.
        let tolerance = 3.0 / (16.0 * (OUTPUT + 1.0));
        let gap = outcome.per_instance / point.per_instance_in_flight - 1.0;
        assert!(gap.abs() <= tolerance, "{gap}: {point:?}");
        assert!((outcome.tpot / point.tpot - 1.0).abs() < 0.01, "{point:?}");
    });
}

#[test]
fn huge_latencies_have_topologies() {
    for link in [
        "v=1&mode=ratio&latencies=table2&alpha_f_us=1e-16",
        "v=1&mode=ratio&latencies=table2&alpha_f_us=1e-6&alpha_a_us=1e9",
    ] {
        let found = bundle_of(link).topologies();
        assert!(
            !found.is_empty() && found.len() < 20,
            "{link}: {}",
            found.len()
        );
    }
}

/// Checks that entering all six latencies of Table 2 of [R] reproduces the best A:F ratio of [R], with every rank
/// weighted equally. If only five are entered, ranks are weighted by their numbers of GPUs.
#[test]
fn six_entered_latencies_weigh_by_ranks() {
    let bundle = bundle_of(
        "v=1&mode=ratio&alpha_a_us=0.00165&beta_a_us=50&alpha_f_us=0.083&beta_f_us=100&alpha_c_us=0.022&beta_c_us=20&slots=256&mu_p=100&mu_d=500",
    );
    assert_eq!(bundle.weights(), (1.0, 1.0));
    assert!((bundle.answer().best.ratio - 9.32009).abs() < 1e-5);
    // With five entered latencies, the sixth is that of the operators, which run on known GPUs.
    let five = bundle_of(
        "v=1&mode=ratio&alpha_a_us=0.00165&beta_a_us=50&alpha_f_us=0.083&beta_f_us=100&alpha_c_us=0.022&slots=256&mu_p=100&mu_d=500",
    );
    assert_eq!(five.weights(), five.gpus());
}

/// Checks that rounding never makes idle times negative.
#[test]
fn idle_times_are_not_negative() {
    law(CASES / 10, |case| {
        let mut bundle = entered(&case.draws);
        bundle.slots = 1.0 + f64::from(case.draws[3] % 8);
        bundle.lengths = LengthModel::of(Scatter::Fixed, f64::from(case.draws[0] % 3000), 20.0);
        bundle.requests = 20 * bundle.slots as u32;
        let outcome = Simulation::run(bundle.setup(2.0)).expect("it ends");
        assert!(outcome.idle_attention >= 0.0 && outcome.idle_ffn >= 0.0);
    });
}

fn answered(link: &str) -> serde_json::Value {
    serde_json::to_value(model_core::report::report(link)).expect("a result is JSON")
}

fn notes(answer: &serde_json::Value) -> String {
    answer["notes"].to_string()
}

/// Checks that with entered latencies there are no results per GPU and no colocated plan, because the latencies were
/// measured on other machines.
#[test]
fn entered_latencies_compare_with_no_gpu() {
    let answer = answered("v=1&mode=ratio&latencies=table2");
    assert_eq!(answer["ok"], true);
    assert!(answer["colocated_tok_s_gpu"].is_null());
    assert!(answer["topologies"][0]["gpus"].is_null());
    assert!(answer["best"]["tok_s_gpu_in_flight"].is_null());
    assert!(notes(&answer).contains("cycles"), "{answer}");
    let derived = answered("v=1&mode=ratio");
    assert!(derived["colocated_tok_s_gpu"].is_number());
    assert!(derived["topologies"][0]["gpus"].is_number());
    assert!(derived["latencies"]["ffn_loads"]["error"].is_number());
    assert_eq!(notes(&derived), "[]");
}

#[test]
fn notes_on_a_ratio() {
    let short = answered("v=1&mode=ratio&context=200");
    assert!(
        notes(&short).contains("prompt = context − output"),
        "{short}"
    );
    assert_eq!(
        notes(&answered("v=1&mode=ratio&context=200&mu_d=100")),
        "[]"
    );
    let stages = answered("v=1&mode=ratio&gpus=64&pp=2");
    assert!(notes(&stages).contains("pp applies only"), "{stages}");
}
