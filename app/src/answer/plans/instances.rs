//! Data of "One large or many?": the same GPUs as one deployment or as several.

use model_core::limits::instances::{BreakEven, Instances, NoInstances, Reached, best, reach};
use model_core::math::pow;
use model_core::scenario::{Inputs, Number, Scenario};
use model_core::units::BytesPerSecond;

use crate::charts::{InstanceCurve, InstancesData, OperatingPoint, WinsFrom};
use crate::format;

/// Points of each curve.
const POINTS: i32 = 48;

/// Both curves; `None` where the scenario itself is impossible.
pub fn data(inputs: &Inputs) -> Option<InstancesData> {
    let small = inputs.scenario().ok()?;
    let count = inputs.get(Number::Instances).unwrap_or(1.0);
    let link = inputs
        .get(Number::Interconnect)
        .map_or(small.cluster.scale_out, BytesPerSecond::from_gb);
    let mut data = InstancesData {
        small: InstanceCurve::default(),
        large: InstanceCurve::default(),
        count,
        small_gpus: f64::from(small.cluster.gpus),
        interconnect_bytes_per_s: link.get(),
        break_even: WinsFrom::Never,
        slo_tokens_per_s_per_user: inputs.get(Number::Slo),
        trouble: None,
        source: "each at the largest batch that fits and meets the SLO, [B] Figure 12".into(),
    };
    match Instances::new(inputs) {
        Ok(pair) => {
            data.break_even = match pair.break_even() {
                BreakEven::Always => WinsFrom::Any,
                BreakEven::At(link) => WinsFrom::Bandwidth(link.get()),
                BreakEven::Never => WinsFrom::Never,
            };
            let end = end(&pair.small).max(end(&pair.large));
            data.small = curve(&pair.small, end);
            data.large = curve(&pair.large, end);
        }
        Err(NoInstances::TooManyGpus { gpus }) => {
            data.trouble = Some(format!("{} GPUs are too many for one", format::count(gpus)));
        }
        Err(NoInstances::Refused(_)) => {
            data.trouble = Some("the large one has no plan".to_owned());
        }
    }
    Some(data)
}

/// What there is of an impossible scenario: its numbers, and that it is.
pub fn impossible(inputs: &Inputs) -> InstancesData {
    let link = inputs.get(Number::Interconnect).unwrap_or(0.0);
    InstancesData {
        small: InstanceCurve::default(),
        large: InstanceCurve::default(),
        count: inputs.get(Number::Instances).unwrap_or(1.0),
        small_gpus: inputs.get(Number::Gpus).unwrap_or(1.0),
        interconnect_bytes_per_s: BytesPerSecond::from_gb(link).get(),
        break_even: WinsFrom::Never,
        slo_tokens_per_s_per_user: None,
        trouble: Some("the scenario is impossible".to_owned()),
        source: String::new(),
    }
}

/// Past the best batch, on a grid of powers of two so that the axis rests while a slider moves.
fn end(scenario: &Scenario) -> f64 {
    let wanted = best(scenario).map_or(1.0, |best| 1.5 * best.batch_per_gpu);
    let mut end = 1.0;
    while end < wanted {
        end *= 2.0;
    }
    end
}

fn curve(scenario: &Scenario, end: f64) -> InstanceCurve {
    // From one sequence for every eight GPUs on: fewer are next to nothing.
    let gpus = f64::from(scenario.cluster.gpus);
    let first = (1.0 / gpus).max(0.125).min(end / 2.0);
    let best = best(scenario);
    let mut batches: Vec<f64> = (0..POINTS)
        .map(|index| first * pow(end / first, f64::from(index) / f64::from(POINTS - 1)))
        .collect();
    batches.extend(best.map(|best| best.batch_per_gpu));
    batches.sort_by(f64::total_cmp);
    batches.dedup();
    InstanceCurve {
        points: batches
            .into_iter()
            .filter_map(|batch| reach(scenario, batch))
            .map(|reached| point(reached, gpus))
            .collect(),
        best: best.map(|best| point(best, gpus)),
    }
}

fn point(reached: Reached, gpus: f64) -> OperatingPoint {
    OperatingPoint {
        batch: reached.batch_per_gpu * gpus,
        gpus,
        tpot_s: 1.0 / reached.tokens_per_user,
        per_user: reached.tokens_per_user,
        per_gpu: reached.tokens_per_gpu,
        fits: reached.fits,
    }
}
