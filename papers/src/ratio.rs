//! AFD quantities of an xAyF unit (x attention ranks, y FFN ranks), both in closed form and simulated.

use model_core::afd::bundle::Bundle;
use model_core::afd::simulate::{Simulation, SimulationEnd};
use model_core::inputs::Inputs;

/// The attention-to-FFN ratios that [R] sweeps.
const SWEPT: [f64; 7] = [1.0, 2.0, 4.0, 8.0, 16.0, 24.0, 32.0];

/// Returns the closed-form AFD quantity named `what`.
pub fn closed(inputs: &Inputs, what: &str) -> Option<f64> {
    let bundle = inputs.bundle().ok()?;
    let answer = bundle.answer();
    Some(match what {
        "best" => answer.best.ratio,
        "limit" => answer.limit.ratio,
        "token_load" => answer.token_load,
        "r_attention" => answer.r_attention,
        "r_communication" => answer.r_communication,
        "r_peak" => answer.r_peak,
        // Tokens per thousand cycles and rank; a cycle is read as a microsecond.
        "throughput" => answer.best.per_instance / 1e3,
        // At the link's own ratio: throughput, times and idle shares.
        "per_instance" => bundle.asked().per_instance / 1e3,
        "idle_attention" => bundle.asked().idle_attention,
        "idle_ffn" => bundle.asked().idle_ffn,
        "t_attention" => bundle.asked().attention.get(),
        "t_communication" => bundle.asked().messages.get(),
        "t_ffn" => bundle.asked().ffn.get(),
        _ => return None,
    })
}

/// Returns the simulated AFD quantity named `what`, at the permalink's ratio or across the swept ratios.
pub fn simulated(inputs: &Inputs, what: &str) -> Option<f64> {
    let bundle = inputs.bundle().ok()?;
    match what {
        "best" => {
            let mut best = run(&bundle, SWEPT[0])?;
            for ratio in SWEPT {
                let other = run(&bundle, ratio)?;
                if other.per_instance > best.per_instance {
                    best = other;
                }
            }
            Some(best.ratio)
        }
        "gap" => SWEPT
            .into_iter()
            .map(|ratio| {
                let theory = bundle.at(ratio).per_instance;
                Some((run(&bundle, ratio)?.per_instance / theory - 1.0).abs())
            })
            .try_fold(0.0, |most, gap| Some(f64::max(most, gap?))),
        "crossing" => crossing(&bundle),
        "idle_ffn" => Some(run(&bundle, bundle.ratio?)?.idle_ffn),
        "idle_attention" => Some(run(&bundle, bundle.ratio?)?.idle_attention),
        _ => None,
    }
}

fn run(bundle: &Bundle, ratio: f64) -> Option<SimulationEnd> {
    Simulation::run(bundle.setup(ratio))
}

/// Returns the attention-to-FFN ratio above which attention is idle longer than the FFN, interpolated between integer
/// ratios.
fn crossing(bundle: &Bundle) -> Option<f64> {
    let excess = |ratio: u32| {
        let outcome = run(bundle, f64::from(ratio))?;
        Some(outcome.idle_attention - outcome.idle_ffn)
    };
    let mut before = excess(1)?;
    for ratio in 2..=32 {
        let after = excess(ratio)?;
        if before < 0.0 && after >= 0.0 {
            return Some(f64::from(ratio) - after / (after - before));
        }
        before = after;
    }
    None
}
