//! Data of "Colocated or disaggregated?": both sides of the mode shown, on one Pareto.

use model_core::apart::LatencySource;
use model_core::cost::memory::batch_capacity;
use model_core::disagg::own::Way;
use model_core::disagg::split::evaluate as evaluate_split;
use model_core::disagg::split::memory::batch_capacity as split_capacity;
use model_core::evaluate::with_batch;
use model_core::inputs::Inputs;
use model_core::math;

use super::operating_point;
use super::ratio::decision::{self, Decision, Winner};
use super::split::{SplitCase, short_name};
use crate::charts::OperatingPoint;
use crate::charts::apart::{self as chart, ApartCurve, ApartData, ApartPoint, Mark};
use crate::format;

/// Points of a curve.
const POINTS: i32 = 40;

/// The mode *AFD ratio*: both sides on the same GPUs.
pub(super) fn of_decision(
    inputs: &Inputs,
    decision: Option<&Decision>,
    prompts: bool,
) -> ApartData {
    let empty = ApartData {
        finding: "Nothing to compare".into(),
        nothing: match inputs.latencies {
            LatencySource::Table2 => "a table’s latencies do not say on which GPUs".into(),
            LatencySource::Derived => "neither fits".into(),
        },
        curves: Vec::new(),
        per_dollar: false,
        factor: None,
        source: String::new(),
    };
    let Some(decision) = decision else {
        return empty;
    };
    let sides = Sides { inputs, decision };
    ApartData {
        curves: vec![sides.colocated(), sides.afd()],
        factor: decision.factor().map(format::factor),
        source: format!(
            "{} × {} either way, colocated as {}, each at its best at every speed{}, [R] and [A]",
            decision.sides.gpus,
            short_name(inputs.gpu.name()),
            decision::plans(&decision.sides.colocated),
            if prompts {
                ", disaggregated prefill"
            } else {
                ""
            }
        ),
        finding: finding(
            decision.users,
            decision.colocated.map(|way| way.per_gpu),
            decision.afd.map(|way| way.per_gpu),
            "AFD",
        ),
        ..empty
    }
}

/// "At 8.51 tok/s per user: AFD 0.753×".
fn finding(users: f64, colocated: Option<f64>, other: Option<f64>, name: &str) -> String {
    let says = match (colocated, other) {
        (Some(colocated), Some(rate)) => format!("{name} {}", format::factor(rate / colocated)),
        (Some(_), None) => "only colocated".to_owned(),
        (None, Some(_)) => format!("only {name}"),
        (None, None) => "neither".to_owned(),
    };
    format!("At {} tok/s per user: {says}", format::sig3(users))
}

/// The curves of a comparison on the same GPUs.
struct Sides<'a> {
    inputs: &'a Inputs,
    decision: &'a Decision,
}

/// Batches per GPU that are named along the colocated curve.
const NAMED: [f64; 10] = [1.0, 4.0, 8.0, 16.0, 32.0, 64.0, 96.0, 128.0, 256.0, 512.0];

impl Sides<'_> {
    fn point(&self, way: &Way) -> ApartPoint {
        ApartPoint {
            point: OperatingPoint {
                batch: way.batch,
                gpus: f64::from(self.decision.sides.gpus),
                tpot_s: 1.0 / way.users,
                per_user: way.users,
                per_gpu: way.per_gpu,
                fits: true,
            },
            tokens_per_dollar: None,
            way: match decision::parts(way) {
                Some(parts) => chart::Way::Divided(parts.attention, parts.ffn),
                None => chart::Way::Scheduled(decision::schedule(way)),
            },
        }
    }

    fn colocated(&self) -> ApartCurve {
        let Decision {
            sides, colocated, ..
        } = self.decision;
        let gpus = f64::from(sides.gpus);
        // Fast ways lie densely in batch: one batch in four digits is as good as its neighbour.
        let near = |each: &f64| {
            let away = |way: &Way| (way.batch / gpus / each).max(each * gpus / way.batch);
            let nearest = { sides.colocated.iter() }.min_by(|a, b| away(a).total_cmp(&away(b)))?;
            let own = colocated.is_some_and(|now| (now.batch / nearest.batch - 1.0).abs() < 0.1);
            (away(nearest) < 1.03 && !own).then(|| (self.point(nearest), format::count(*each)))
        };
        let mut stops: Vec<(ApartPoint, String)> = NAMED.iter().filter_map(near).collect();
        if let Some((_, first)) = stops.first_mut() {
            first.push_str(" per GPU");
        }
        let now = colocated.as_ref().map(|way| self.point(way));
        let changes = |way: Way| decision::change(self.inputs, &way).is_some();
        ApartCurve {
            mark: Mark::Colocated,
            label: "colocated".into(),
            name: colocated.map_or_else(String::new, |way| {
                format!("{} per GPU", format::batch(way.batch / gpus))
            }),
            points: sides.colocated.iter().map(|way| self.point(way)).collect(),
            now,
            shown: now.is_some(),
            present: !colocated.is_none_or(changes),
            stops,
        }
    }

    fn afd(&self) -> ApartCurve {
        let Decision {
            sides, afd, asked, ..
        } = self.decision;
        let fastest = sides.afd.first().map_or(0.0, |way| way.users);
        let stop = { sides.afd_at(0.68 * fastest) }
            .and_then(|way| Some((self.point(way), decision::parts(way)?)))
            .map(|(at, parts)| (at, decision::name(&parts)));
        ApartCurve {
            mark: Mark::Ratio,
            label: "AFD".into(),
            name: { asked.filter(|_| afd.is_some()) }
                .map_or_else(String::new, |parts| decision::name(&parts)),
            points: sides.afd.iter().map(|way| self.point(way)).collect(),
            now: afd.as_ref().map(|way| self.point(way)),
            shown: self.decision.colocated.is_none(),
            present: false,
            stops: stop.into_iter().collect(),
        }
    }
}

/// The mode *Lamina*: a cluster of about the same price, so that throughput is per dollar where prices are known.
pub(super) fn of_split(case: &SplitCase) -> ApartData {
    let [colocated, lamina] = case.compared();
    let unpriced = case.setup.dollars_per_hour().is_none();
    let curves = [colocated_cluster(case), split(case)];
    ApartData {
        finding: match unpriced {
            true => "No price: Lamina alone".into(),
            false => finding(case.users, colocated, lamina, "Lamina"),
        },
        nothing: "neither fits".into(),
        per_dollar: !unpriced,
        factor: { lamina.zip(colocated) }.map(|(lamina, other)| format::factor(lamina / other)),
        source: format!(
            "about the same price, context {}{}, [L] 6.1",
            format::count(case.setup.context()),
            if case.prompts {
                ", disaggregated prefill"
            } else {
                ""
            }
        ),
        curves: curves.into_iter().flatten().collect(),
    }
}

/// `POINTS` numbers from 1 to `last`, in equal factors.
fn spread(last: f64) -> Vec<f64> {
    let ratio = math::pow(last.max(1.0), 1.0 / f64::from(POINTS - 1));
    let mut at = 1.0;
    (0..POINTS)
        .map(|_| {
            let now = f64::min(at, last.max(1.0));
            at *= ratio;
            now
        })
        .collect()
}

/// The cluster of about the split's price over its batch.
fn colocated_cluster(case: &SplitCase) -> Option<ApartCurve> {
    let other = case.other.as_ref()?;
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
            way: chart::Way::Only,
        })
    };
    let now = at(scenario.workload.batch).filter(|_| case.compared()[0].is_some());
    Some(ApartCurve {
        mark: Mark::Colocated,
        label: "colocated".into(),
        name: case.other_name()?,
        points: spread(most).into_iter().filter_map(at).collect(),
        now,
        shown: now.is_some(),
        present: false,
        stops: Vec::new(),
    })
}

fn split(case: &SplitCase) -> Option<ApartCurve> {
    let setup = &case.setup;
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
            way: chart::Way::Only,
        })
    };
    Some(ApartCurve {
        mark: Mark::Split,
        label: "Lamina".into(),
        name: case.name(),
        points: spread(most).into_iter().filter_map(at).collect(),
        now: at(setup.batch()).filter(|now| now.point.fits),
        shown: case.compared()[0].is_none(),
        present: true,
        stops: Vec::new(),
    })
}

/// Colour of the disaggregated side beside the other, the same in every figure.
pub(super) fn tone(compared: [Option<f64>; 2]) -> super::Tone {
    use super::Tone;
    match compared {
        [Some(colocated), Some(other)] => match decision::winner(other / colocated) {
            Winner::Disaggregated => Tone::Help,
            Winner::Colocated => Tone::Bad,
            Winner::Neither => Tone::Muted,
        },
        _ => Tone::Muted,
    }
}
