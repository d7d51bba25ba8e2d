//! Data of "Together or apart?": both sides of the half that is shown, on one Pareto.

use model_core::cost::memory::batch_capacity;
use model_core::disagg::latency::LatencySource;
use model_core::disagg::own::Way;
use model_core::disagg::split::alternative::{Homogeneous, homogeneous};
use model_core::disagg::split::memory::batch_capacity as split_capacity;
use model_core::disagg::split::{Setup, evaluate as evaluate_split};
use model_core::evaluate::with_batch;
use model_core::math;
use model_core::scenario::{Inputs, Number};

use super::operating_point;
use super::ratio::decision::{self, Decision, Winner};
use super::split::short_name;
use crate::charts::OperatingPoint;
use crate::charts::apart::{ApartCurve, ApartData, ApartPoint, Mark};
use crate::format;

/// Points of a curve.
const POINTS: i32 = 40;

/// The two deployments that the half compares, over their batch; `shown` says which half it is.
///
/// The ratio half has the same GPUs on either side, the split half the cluster of about the same price, so
/// that one is drawn per dollar wherever prices are known. The finding is the verdict's own comparison.
pub fn data(inputs: &Inputs, shown: Mark, per_dollar: bool) -> ApartData {
    match shown {
        Mark::Split => split_half(inputs, per_dollar),
        Mark::Ratio | Mark::Colocated => ratio_half(inputs, shown, per_dollar),
    }
}

fn ratio_half(inputs: &Inputs, shown: Mark, per_dollar: bool) -> ApartData {
    let price = price(inputs);
    let mut data = ApartData {
        finding: "Nothing to compare".into(),
        nothing: if inputs.latencies == LatencySource::Table2 {
            "a table's latencies do not say on which GPUs".into()
        } else if per_dollar && price.is_none() {
            NO_PRICE.into()
        } else {
            "neither is possible".into()
        },
        curves: Vec::new(),
        per_dollar,
        source: String::new(),
    };
    let Some(decision) = Decision::of(inputs) else {
        return data;
    };
    let duel = &decision.duel;
    let point = |way: &Way| ApartPoint {
        point: OperatingPoint {
            batch: way.batch,
            gpus: f64::from(duel.gpus),
            tpot_s: 1.0 / way.users,
            per_user: way.users,
            per_gpu: way.per_gpu,
            fits: true,
        },
        tokens_per_dollar: price
            .filter(|price| *price > 0.0)
            .map(|price| way.per_gpu * 3600.0 / price),
    };
    let name = format!("{} × {}", duel.gpus, short_name(inputs.gpu.name()));
    let curve = |mark, label: String, ways: &[Way], now: Option<&Way>| ApartCurve {
        mark,
        label,
        name: name.clone(),
        points: ways.iter().map(point).collect(),
        now: now.map(point),
        shown: shown == mark,
    };
    let parts = decision.parts().map(|parts| decision::name(&parts));
    data.curves = vec![
        curve(
            Mark::Colocated,
            "together".into(),
            &duel.together,
            decision.together.as_ref(),
        ),
        curve(
            Mark::Ratio,
            parts.unwrap_or_else(|| "apart".into()),
            &duel.apart,
            decision.apart.as_ref(),
        ),
    ];
    data.source = format!("{name} either way, each in its best way at every speed, [R] and [A]");
    data.finding = told(&decision);
    data
}

/// "At 12.5 tok/s per user together, 0.490× apart".
fn told(decision: &Decision) -> String {
    let users = format!("At {} tok/s per user", format::sig3(decision.users));
    match (decision.winner(), decision.factor()) {
        (Some(Winner::Together), Some(factor)) => {
            format!("{users} together: apart {}", format::factor(factor))
        }
        (Some(Winner::Apart), Some(factor)) => {
            format!("{users} apart gives {}", format::factor(factor))
        }
        (Some(Winner::Neither), Some(factor)) => {
            format!("{users} much the same: apart {}", format::factor(factor))
        }
        (Some(Winner::Together), None) => format!("{users} only together"),
        (Some(_), None) => format!("{users} only apart"),
        (None, _) => format!("{users} neither"),
    }
}

const NO_PRICE: &str = "no source prices these accelerators: set their prices";

fn split_half(inputs: &Inputs, per_dollar: bool) -> ApartData {
    let mut data = ApartData {
        finding: "Nothing to compare".into(),
        nothing: if per_dollar {
            NO_PRICE.into()
        } else {
            "neither of them is possible".into()
        },
        curves: Vec::new(),
        per_dollar,
        source: String::new(),
    };
    let Ok(setup) = Setup::of(inputs) else {
        return data;
    };
    let other = homogeneous(inputs, &setup);
    data.per_dollar = per_dollar || other.is_some() && setup.dollars_per_hour().is_some();
    data.source = format!(
        "about the same price, at {} tokens of context, [L] 6.1",
        format::count(setup.context())
    );
    data.finding = match super::split::per_dollar(&setup, other.as_ref()) {
        Some((Winner::Apart, factor)) => {
            format!("Split: {} the tokens per dollar", format::factor(factor))
        }
        Some((Winner::Together, factor)) => format!(
            "Together: split has {} the tokens per dollar",
            format::factor(factor)
        ),
        Some((Winner::Neither, _)) => "Much the same per dollar".into(),
        None => "No cluster of that price to compare".into(),
    };
    data.curves = [
        other.and_then(|other| together(inputs, &other)),
        split(inputs, &setup, Mark::Split),
    ]
    .into_iter()
    .flatten()
    .collect();
    data
}

/// US dollars per hour of the scenario's accelerator, from the source that also prices the split's.
fn price(inputs: &Inputs) -> Option<f64> {
    match inputs.compute_gpu {
        None => inputs.get(Number::ComputePrice),
        Some(_) => {
            let mut own = *inputs;
            own.compute_gpu = None;
            own.state(Number::ComputePrice, None);
            own.get(Number::ComputePrice)
        }
    }
    .or_else(|| inputs.get(Number::Price))
}

/// `POINTS` numbers from `first` to `last`, in equal factors.
fn spread(first: f64, last: f64) -> Vec<f64> {
    let ratio = math::pow((last / first).max(1.0), 1.0 / f64::from(POINTS - 1));
    let mut at = first;
    (0..POINTS)
        .map(|_| {
            let now = at.min(last);
            at *= ratio;
            now
        })
        .collect()
}

/// The cluster of about the split's price over its batch, in the schedule that the comparison found best.
fn together(inputs: &Inputs, other: &Homogeneous) -> Option<ApartCurve> {
    let scenario = &other.scenario;
    let most = batch_capacity(scenario);
    let gpus = f64::from(scenario.cluster.gpus);
    let at = |batch: f64| {
        let evaluation = with_batch(scenario, batch).ok()?;
        Some(ApartPoint {
            point: OperatingPoint {
                fits: batch <= most,
                ..operating_point(&evaluation, batch, gpus)
            },
            tokens_per_dollar: Some(evaluation.tokens * 3600.0 / other.dollars_per_hour),
        })
    };
    Some(ApartCurve {
        mark: Mark::Colocated,
        label: "together".into(),
        name: format!(
            "{} × {}",
            format::count(gpus),
            short_name(super::split::compute_gpu(inputs).name())
        ),
        points: spread(1.0, most.max(1.0))
            .into_iter()
            .filter_map(at)
            .collect(),
        now: at(scenario.workload.batch),
        shown: false,
    })
}

fn split(inputs: &Inputs, setup: &Setup, shown: Mark) -> Option<ApartCurve> {
    let most = split_capacity(setup);
    let gpus = f64::from(setup.compute_gpus + setup.memory_gpus);
    let at = |batch: f64| {
        let split = evaluate_split(&setup.with_batch(batch)).ok()?;
        Some(ApartPoint {
            point: OperatingPoint {
                batch,
                gpus,
                tpot_s: 1.0 / split.tokens_per_user,
                per_user: split.tokens_per_user,
                per_gpu: split.tokens / gpus,
                fits: split.fits(),
            },
            tokens_per_dollar: split.tokens_per_dollar,
        })
    };
    Some(ApartCurve {
        mark: Mark::Split,
        label: format!("split ({}, {})", setup.compute_gpus, setup.memory_gpus),
        name: format!(
            "{} × {} + {} × {}",
            setup.compute_gpus,
            short_name(super::split::compute_gpu(inputs).name()),
            setup.memory_gpus,
            short_name(inputs.memory_gpu.name)
        ),
        points: spread(1.0, most.max(1.0))
            .into_iter()
            .filter_map(at)
            .collect(),
        now: at(setup.batch()).filter(|now| now.point.fits),
        shown: shown == Mark::Split,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::Figure;
    use model_core::permalink;

    fn of(link: &str, per_dollar: bool) -> ApartData {
        data(&permalink::read(link).current, Mark::Split, per_dollar)
    }

    fn of_ratio(link: &str) -> ApartData {
        data(&permalink::read(link).current, Mark::Ratio, false)
    }

    #[test]
    fn each_half_has_its_two_sides_and_the_verdicts_finding() {
        let split = of("v=1&mode=split", false);
        let labels: Vec<_> = split.curves.iter().map(|curve| curve.mark).collect();
        assert_eq!(labels, [Mark::Colocated, Mark::Split]);
        assert!(split.per_dollar, "at about one price money is what counts");
        let ratio = of_ratio("v=1&calibration=aleph-alpha-2025");
        let labels: Vec<_> = ratio.curves.iter().map(|curve| curve.mark).collect();
        assert_eq!(labels, [Mark::Colocated, Mark::Ratio]);
        assert_eq!(
            ratio.finding(),
            "At 12.5 tok/s per user together: apart 0.490×"
        );
        assert_eq!(ratio.curves[1].label, "32 A + 40 F");
        for data in [split, ratio] {
            for curve in &data.curves {
                assert!(
                    curve.points.iter().any(|at| at.point.fits),
                    "{}",
                    curve.label
                );
            }
            assert!(data.finding().chars().count() <= 60, "{}", data.finding());
        }
    }

    #[test]
    fn one_source_prices_both_sides() {
        let data = of("v=1&mode=split", true);
        let per_dollar = |curve: &ApartCurve| {
            let now = curve.now.unwrap();
            now.tokens_per_dollar.unwrap() / now.point.per_gpu
        };
        // $11.06 of [L] Table 1 for H100, not the rental price of $2.
        assert!((per_dollar(&data.curves[0]) - 3600.0 / 11.06).abs() < 1e-6);
    }

    #[test]
    fn what_cannot_be_compared_says_so() {
        let table = permalink::read("v=1&latencies=table2").current;
        let table = data(&table, Mark::Ratio, false);
        assert!(table.curves.is_empty());
        assert!(table.nothing.starts_with("a table's latencies"));
        let unpriced = of("v=1&mode=split&gpu=h200", true);
        assert!(
            unpriced
                .curves
                .iter()
                .all(|curve| curve.mark == Mark::Split)
        );
    }
}
