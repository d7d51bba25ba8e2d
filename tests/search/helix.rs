//! Tests the one constant of [H] that is not published: the latency of a collective.

use papers::study::Searches;

/// Largest gains of Helix in interactivity and in throughput, for the two models of [H] 3.2.
const GAINS: [(&str, f64, f64); 2] = [("deepseek-r1", 1.5, 32.0), ("llama-3.1-405b", 1.13, 4.0)];

/// Checks that a collective latency of 11.5 µs gives gains nearest to the four published in [H], by the sum of
/// squared log ratios. The golden cases of [H] use this latency.
#[test]
fn fitted_latency_is_11_5_us() {
    let mut nearest = (f64::INFINITY, 0.0);
    println!("| µs | R1 interactivity | R1 throughput | 405B interactivity | 405B throughput |");
    for half in 0..=40_u8 {
        let latency = f64::from(half) / 2.0;
        let mut misfit = 0.0;
        let mut row = format!("| {latency:.1} |");
        for (model, interactivity, throughput) in GAINS {
            let link = format!(
                "v=1&model={model}&gpu=gb200&precision=fp4&calibration=helix&overlap=none\
                 &context=1M&gpus=64&batch=4096&beta=1&redundant=0&alpha_us={latency}"
            );
            let scenario = super::base(&link);
            let searches = Searches::default();
            for (gain, expected) in [("interactivity", interactivity), ("throughput", throughput)] {
                let found = searches
                    .helix(&scenario, gain)
                    .expect("both frontiers have points");
                let off = model_core::math::ln(found / expected);
                misfit += off * off;
                row += &format!(" {found:.2} |");
            }
        }
        println!("{row}");
        if misfit < nearest.0 {
            nearest = (misfit, latency);
        }
    }
    assert!((nearest.1 - 11.5).abs() < 0.1, "{nearest:?}");
}
