//! Tests φ, the share of routing choices that goes to the hottest quarter of experts. The model's two classes of
//! experts are compared with a rank^−0.6 popularity law, and this law is compared with measurements.

use model_core::math;
use serde::Deserialize;

use crate::curve::{Point, holds, run};

#[derive(Deserialize)]
struct File {
    popularity: Popularity,
}

#[derive(Deserialize)]
struct Popularity {
    slot_imbalance: f64,
}

const EXPONENT: f64 = 0.6;

/// Returns each expert's share of routing choices, proportional to rank^−0.6; the most popular expert comes first.
fn shares(experts: u32) -> Vec<f64> {
    let weights: Vec<f64> = (1..=experts)
        .map(|rank| math::pow(f64::from(rank), -EXPONENT))
        .collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

#[test]
fn busiest_expert_load() {
    let file: File =
        toml::from_str(include_str!("../golden/kernels-2026/all_to_all.toml")).expect("it is TOML");
    let busiest = shares(256)[0] * 256.0;
    let measured = 1.0 + file.popularity.slot_imbalance;
    println!("φ: busiest over mean {busiest:.2} with rank^−0.6, measured {measured:.2}");
    assert!((busiest / measured - 1.0).abs() < 0.03);
    let quarter = math::pow(0.25, 1.0 - EXPONENT);
    println!("φ: the busiest quarter takes {quarter:.3}; 0.57 is used");
    assert!((quarter - 0.57).abs() < 0.005);
}

#[test]
fn two_classes_against_power_law() {
    let (scenario, _) = run("gpu=h100&gpus=8");
    let mut points = Vec::new();
    for (experts, per_token) in [(256_u32, 8.0), (384, 8.0), (128, 8.0)] {
        for tokens in [1.0, 4.0, 16.0, 64.0, 256.0, 1024.0] {
            let exact: f64 = shares(experts)
                .iter()
                .map(|share| 1.0 - math::pow(1.0 - (share * per_token).min(1.0), tokens))
                .sum();
            points.push(Point {
                row: format!("{experts} experts, {tokens} tokens"),
                measured: exact,
                model: scenario.calibration.popularity.experts_active(
                    f64::from(experts),
                    per_token,
                    tokens,
                ),
            });
        }
    }
    holds(
        "φ, two classes against the power law",
        &points,
        0.06,
        "two classes keep it in closed form",
    );
    for point in points {
        let error = point.model / point.measured - 1.0;
        assert!(error.abs() <= 0.065, "{}: {error}", point.row);
    }
}
