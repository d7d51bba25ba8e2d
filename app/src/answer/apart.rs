//! Data of "Together or apart?": the colocated plan, the attention/FFN bundle and the split on one Pareto.

use model_core::cost::memory::batch_capacity;
use model_core::disagg::bundle::Bundle;
use model_core::disagg::latency::LatencySource;
use model_core::disagg::lengths::Lengths;
use model_core::disagg::split::memory::batch_capacity as split_capacity;
use model_core::disagg::split::{Setup, evaluate as evaluate_split};
use model_core::evaluate::with_batch;
use model_core::math;
use model_core::scenario::{Inputs, Number};

use super::split::short_name;
use crate::charts::apart::{ApartCurve, ApartData, ApartPoint, Mark};
use crate::format;

/// Points of a curve.
const POINTS: i32 = 40;

/// The three deployments over their batch, at one context; `shown` is the one that is looked at.
pub fn data(inputs: &Inputs, shown: Mark, per_dollar: bool) -> ApartData {
    let setup = Setup::of(inputs).ok();
    let context = setup
        .as_ref()
        .map(Setup::context)
        .or_else(|| inputs.get(Number::Context))
        .unwrap_or(1.0);
    let price = price(inputs);
    let curves: Vec<ApartCurve> = [
        colocated(inputs, context, price, shown),
        ratio(inputs, context, price, shown),
        setup.and_then(|setup| split(inputs, &setup, shown)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let mut data = ApartData {
        finding: String::new(),
        nothing: if per_dollar {
            "no source prices these accelerators: set their prices".into()
        } else {
            "none of them is possible".into()
        },
        curves,
        per_dollar,
        source: format!("each at {} tokens of context", format::count(context)),
    };
    data.finding = finding(&data);
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

fn colocated(inputs: &Inputs, context: f64, price: Option<f64>, shown: Mark) -> Option<ApartCurve> {
    let mut scenario = inputs.scenario().ok()?;
    scenario.workload.context = context;
    let gpus = f64::from(scenario.cluster.gpus);
    let most = batch_capacity(&scenario);
    let at = |batch: f64| {
        let evaluation = with_batch(&scenario, batch).ok()?;
        Some(ApartPoint {
            batch,
            tokens_per_s_per_user: evaluation.tokens_per_user,
            tokens_per_s_per_gpu: evaluation.tokens_per_gpu,
            tokens_per_dollar: price
                .filter(|price| *price > 0.0)
                .map(|price| evaluation.tokens_per_gpu * 3600.0 / price),
            fits: batch <= most,
        })
    };
    let batch = scenario.workload.batch;
    Some(ApartCurve {
        mark: Mark::Colocated,
        label: "together".into(),
        name: format!(
            "{} × {}",
            format::count(gpus),
            short_name(inputs.gpu.name())
        ),
        points: spread(1.0, most.max(1.0))
            .into_iter()
            .filter_map(at)
            .collect(),
        now: at(batch.min(most.max(1.0))),
        shown: shown == Mark::Colocated,
    })
}

/// The bundle of whole instances nearest to the best ratio, at the same context, latencies derived
/// from the scenario.
fn ratio(inputs: &Inputs, context: f64, price: Option<f64>, shown: Mark) -> Option<ApartCurve> {
    let mut asked = *inputs;
    asked.latencies = LatencySource::Derived;
    asked.lengths = Lengths::Fixed;
    asked.state(Number::MeanPrompt, Some(context));
    asked.state(Number::MeanOutput, Some(0.0));
    let bundle = asked.bundle().ok()?;
    let (each, feed_forward) = bundle.gpus();
    let gpus = |x: f64, y: f64| x * each + y * feed_forward;
    let (x, y) = match bundle.ratio {
        Some(ratio) => {
            let y = f64::from(bundle.ffn_instances);
            (ratio * y, y)
        }
        None => {
            let best = bundle.topologies().into_iter().reduce(|best, next| {
                if next.loss_in_flight < best.loss_in_flight {
                    next
                } else {
                    best
                }
            })?;
            (f64::from(best.attention), f64::from(best.ffn))
        }
    };
    let at = |bundle: &Bundle| {
        let point = bundle.at(x / y);
        let tokens = point.per_instance_in_flight * (x + y);
        let per_gpu = tokens / gpus(x, y);
        ApartPoint {
            batch: bundle.slots * x * 2.0,
            tokens_per_s_per_user: 1.0 / point.tpot.get(),
            tokens_per_s_per_gpu: per_gpu,
            tokens_per_dollar: price
                .filter(|price| *price > 0.0)
                .map(|price| per_gpu * 3600.0 / price),
            fits: bundle.attention_memory().fits() && bundle.ffn_memory(x / y).fits(),
        }
    };
    let most = Number::Slots.spec().most;
    // The instances stay: no other ratio is looked for at every point.
    asked.state(Number::Ratio, Some(x / y));
    let points: Vec<ApartPoint> = spread(1.0, most)
        .into_iter()
        .filter_map(|slots| asked.with(Number::Slots, slots.round()).bundle().ok())
        .map(|bundle| at(&bundle))
        .collect();
    let points = undominated(points);
    let whole = |count: f64| format::printed(count);
    Some(ApartCurve {
        mark: Mark::Ratio,
        label: format!("{}A–{}F", whole(x), whole(y)),
        name: format!(
            "{} × {}",
            format::count(gpus(x, y)),
            short_name(inputs.gpu.name())
        ),
        points,
        now: Some(at(&bundle)).filter(|now| now.fits),
        shown: shown == Mark::Ratio,
    })
}

/// The points that no other beats in both speed and throughput: latencies of a bundle are derived anew
/// for every number of slots, so that its curve need not be one line.
fn undominated(points: Vec<ApartPoint>) -> Vec<ApartPoint> {
    let beaten = |point: &ApartPoint| {
        points.iter().any(|other| {
            other.fits >= point.fits
                && other.tokens_per_s_per_user >= point.tokens_per_s_per_user
                && other.tokens_per_s_per_gpu > point.tokens_per_s_per_gpu
        })
    };
    let mut kept: Vec<ApartPoint> = points.iter().filter(|p| !beaten(p)).copied().collect();
    kept.sort_by(|a, b| b.tokens_per_s_per_user.total_cmp(&a.tokens_per_s_per_user));
    kept
}

fn split(inputs: &Inputs, setup: &Setup, shown: Mark) -> Option<ApartCurve> {
    let most = split_capacity(setup);
    let gpus = f64::from(setup.compute_gpus + setup.memory_gpus);
    let at = |batch: f64| {
        let split = evaluate_split(&setup.with_batch(batch)).ok()?;
        Some(ApartPoint {
            batch,
            tokens_per_s_per_user: split.tokens_per_user,
            tokens_per_s_per_gpu: split.tokens / gpus,
            tokens_per_dollar: split.tokens_per_dollar,
            fits: split.fits(),
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
        now: at(setup.batch()).filter(|now| now.fits),
        shown: shown == Mark::Split,
    })
}

/// Which has the most at the speed that a user has together, or the most at all.
fn finding(data: &ApartData) -> String {
    let value = |point: &ApartPoint| {
        if data.per_dollar {
            point.tokens_per_dollar
        } else {
            Some(point.tokens_per_s_per_gpu)
        }
    };
    let best_at_least = |users: f64| {
        data.curves
            .iter()
            .filter_map(|curve| {
                curve
                    .points
                    .iter()
                    .filter(|point| point.fits && point.tokens_per_s_per_user >= users)
                    .filter_map(value)
                    .reduce(f64::max)
                    .map(|most| (curve, most))
            })
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
    };
    let users = data
        .curves
        .iter()
        .find(|curve| curve.shown)
        .and_then(|curve| curve.now)
        .map_or(0.0, |now| now.tokens_per_s_per_user);
    match best_at_least(users) {
        None => "Nothing to compare".into(),
        Some((best, _)) if users > 0.0 => format!(
            "At {} tok/s per user {} gives the most",
            format::sig3(users),
            best.label
        ),
        Some((best, _)) => format!("{} gives the most", best.label),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::Figure;
    use model_core::permalink;

    fn of(link: &str, per_dollar: bool) -> ApartData {
        data(&permalink::read(link).current, Mark::Split, per_dollar)
    }

    #[test]
    fn three_deployments_stand_on_one_chart() {
        let data = of("v=1&mode=split", false);
        let labels: Vec<_> = data.curves.iter().map(|curve| curve.mark).collect();
        assert_eq!(labels, [Mark::Colocated, Mark::Ratio, Mark::Split]);
        for curve in &data.curves {
            assert!(
                curve.points.iter().any(|point| point.fits),
                "{}",
                curve.label
            );
        }
        assert!(data.finding().chars().count() <= 60, "{}", data.finding());
    }

    #[test]
    fn the_colocated_point_is_the_scenarios_own() {
        let data = of("v=1&mode=split", false);
        let now = data.curves[0].now.unwrap();
        assert!((now.tokens_per_s_per_user - 12.5).abs() < 0.1);
        assert!((now.tokens_per_s_per_gpu - 3210.0).abs() < 5.0);
    }

    #[test]
    fn one_source_prices_all_of_them() {
        let data = of("v=1&mode=split", true);
        let per_dollar = |curve: &ApartCurve| {
            let now = curve.now.unwrap();
            now.tokens_per_dollar.unwrap() / now.tokens_per_s_per_gpu
        };
        // $11.06 of [L] Table 1 for H100, not the rental price of $1.30.
        assert!((per_dollar(&data.curves[0]) - 3600.0 / 11.06).abs() < 1e-6);
    }

    #[test]
    fn a_dense_model_and_an_impossible_plan_still_compare_what_there_is() {
        let data = of(
            "v=1&mode=split&model=llama-3-70b&precision=bf16&gpus=5&tp=3",
            false,
        );
        assert_eq!(data.curves.len(), 1);
        let data = of("v=1&mode=split&gpu=h200", true);
        assert!(data.curves.iter().all(|curve| curve.mark != Mark::Split
            || curve.now.is_none_or(|now| now.tokens_per_dollar.is_none())));
    }
}
