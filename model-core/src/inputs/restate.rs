//! Expresses a changed scenario as inputs, so that the change can be applied.

use super::{Gpu, Inputs, Number};
use crate::calibration::Calibration;
use crate::hardware::{Cluster, Coverage, Family};
use crate::scenario::Scenario;

/// Returns `before` with its inputs changed to give the scenario `after`; `None` if a permalink cannot express the
/// changes.
///
/// `after` is the scenario of `before` with other hardware, load, fixed times, β, redundant experts or reserve. A
/// catalog accelerator becomes a custom one if its hardware numbers change. Defaults that the change would alter are
/// set explicitly, so that the plan does not change.
pub fn restate(before: &Inputs, after: &Scenario) -> Option<Inputs> {
    let original = before.scenario().ok()?;
    let mut inputs = *before;
    if !same_chip(&original.cluster, &after.cluster) {
        state_chip(&mut inputs, after)?;
    }
    // A permalink cannot express changed latencies of single collectives or kernels.
    let (was, is) = (&original.calibration, &after.calibration);
    if before.calibration.tells_kernels_apart()
        && (was.messages != is.messages || was.starts != is.starts || was.operators != is.operators)
    {
        return None;
    }
    // It cannot express changed engine overhead per layer or step either.
    let around = |of: &Calibration| (of.engine, of.layer_overhead, of.host);
    if was.engine.is_some() && around(was) != around(is) {
        return None;
    }
    for number in CHANGING {
        let (was, is) = (value(&original, number)?, value(after, number)?);
        if was.total_cmp(&is).is_ne() {
            let scaled = SCALED.contains(&number);
            // Microseconds are multiplied directly: a round trip through seconds is not exact.
            let stated = match inputs.get(number) {
                Some(now) if scaled && was > 0.0 => now * (is / was),
                _ => is,
            };
            state(&mut inputs, number, stated)?;
        }
    }
    for number in KEPT {
        let wanted = value(after, number)?;
        if inputs.get(number) != Some(wanted) {
            state(&mut inputs, number, wanted)?;
        }
    }
    let overlap = after.plan.spec().overlap;
    if inputs.schedule() != overlap {
        inputs.overlap = Some(overlap);
    }
    Some(inputs.normalized())
}

/// Numeric inputs that a change of the scenario may affect.
const CHANGING: [Number; 11] = [
    Number::Batch,
    Number::Context,
    Number::Domain,
    Number::ScaleUp,
    Number::ScaleOut,
    Number::Beta,
    Number::Redundant,
    Number::LatencyMicros,
    Number::OverheadMicros,
    Number::LayerMicros,
    Number::HostMicros,
];

/// Numeric inputs whose defaults depend on other numbers, in dependency order.
const KEPT: [Number; 12] = [
    Number::Domain,
    Number::ScaleUp,
    Number::ScaleOut,
    Number::Pp,
    Number::Kvp,
    Number::Tp,
    Number::Dp,
    Number::Ep,
    Number::FfnTp,
    Number::Gpus,
    Number::Redundant,
    Number::Batch,
];

/// Numeric inputs in microseconds, which a change of the scenario multiplies by a factor.
const SCALED: [Number; 4] = [
    Number::LatencyMicros,
    Number::OverheadMicros,
    Number::LayerMicros,
    Number::HostMicros,
];

/// Returns the value that a numeric input has in a scenario; `None` if changes of a scenario never affect it.
fn value(scenario: &Scenario, number: Number) -> Option<f64> {
    let spec = scenario.plan.spec();
    let cluster = &scenario.cluster;
    Some(match number {
        Number::Batch => scenario.workload.batch,
        Number::Context => scenario.workload.context,
        Number::Domain => f64::from(cluster.domain),
        Number::ScaleUp => cluster.scale_up.as_gb(),
        Number::ScaleOut => cluster.scale_out.as_gb(),
        Number::Gpus => f64::from(cluster.gpus),
        Number::Beta => spec.beta,
        Number::Redundant => f64::from(spec.redundant),
        Number::Dp => f64::from(spec.dp),
        Number::Tp => f64::from(spec.tp),
        Number::Kvp => f64::from(spec.kvp),
        Number::Ep => f64::from(spec.ep),
        Number::FfnTp => f64::from(spec.ffn_tp),
        Number::Pp => f64::from(spec.pp),
        Number::LatencyMicros => scenario.calibration.messages.across.start.as_micros(),
        Number::OverheadMicros => scenario.calibration.starts.operator.as_micros(),
        Number::LayerMicros => scenario.calibration.layer_overhead.as_micros(),
        Number::HostMicros => scenario.calibration.host.as_micros(),
        _ => return None,
    })
}

fn same_chip(left: &Cluster, right: &Cluster) -> bool {
    left.peaks == right.peaks && left.hbm == right.hbm && left.capacity == right.capacity
}

/// Makes the accelerator of `inputs` a custom one, with the peaks, memory, price and power of `after`.
fn state_chip(inputs: &mut Inputs, after: &Scenario) -> Option<()> {
    match inputs.gpu.coverage(inputs.family) {
        Coverage::Borrowed(Family::Hopper) | Coverage::Unclaimed => {}
        Coverage::Measured(family) | Coverage::MemoryOnly(family) | Coverage::Borrowed(family) => {
            inputs.family = Some(family);
        }
        Coverage::Range(family) if inputs.calibration.tells_operators_apart() => {
            inputs.family = Some(family);
        }
        Coverage::Range(_) => {}
    }
    inputs.gpu = Gpu::Custom;
    let cluster = &after.cluster;
    let peaks = &cluster.peaks;
    for (number, value) in [
        (Number::PeakBf16, peaks.bf16.map(|peak| peak.as_tera())),
        (Number::PeakFp8, peaks.fp8.map(|peak| peak.as_tera())),
        (Number::PeakFp4, peaks.fp4.map(|peak| peak.as_tera())),
        (Number::Hbm, Some(cluster.hbm.as_gb())),
        (Number::Capacity, Some(cluster.capacity.as_gib())),
        (Number::Watts, after.board_watts),
        (Number::Price, after.dollars_per_hour),
    ] {
        match value {
            Some(value) => state(inputs, number, value)?,
            None => {
                inputs.state(number, None);
            }
        }
    }
    // The numbers set above already include the multipliers.
    for number in Number::CHIP_SCALES {
        inputs.state(number, None);
    }
    Some(())
}

fn state(inputs: &mut Inputs, number: Number, value: f64) -> Option<()> {
    inputs.state(number, Some(value)).then_some(())
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::permalink::{read, write_inputs};

    fn edited(link: &str, change: impl FnOnce(&mut Scenario)) -> String {
        let inputs = read(link).current;
        let mut other = inputs.scenario().unwrap();
        change(&mut other);
        write_inputs(&restate(&inputs, &other).unwrap())
    }

    #[test]
    fn one_change_is_one_key() {
        let twice = |other: &mut Scenario| other.cluster.scale_out = other.cluster.scale_out * 2.0;
        assert_eq!(edited("v=1", twice), "v=1&scale_out=100");
        let slower = |other: &mut Scenario| {
            other.calibration.messages = other.calibration.messages.with_starts_scaled(2.0);
        };
        let latency = edited("v=1&calibration=helix", slower);
        assert_eq!(latency, "v=1&calibration=helix&alpha_us=23");
    }

    #[test]
    fn another_chip_keeps_links_and_price() {
        let hbm = |other: &mut Scenario| other.cluster.hbm = other.cluster.hbm * 2.0;
        let link = edited("v=1&gpu=gb200", hbm);
        for part in ["gpu=custom", "hbm=16000", "domain=72", "scale_up=900"] {
            assert!(link.contains(part), "{link}");
        }
    }
}
