//! Data of "Colocated or disaggregated?": both sides on the same GPUs.

use model_core::apart::LatencySource;
use model_core::disagg::own::Way;
use model_core::inputs::Inputs;

use super::decision::{self, Decision};
use crate::answer::apart::finding;
use crate::answer::names::short_name;
use crate::charts::OperatingPoint;
use crate::charts::apart::{self as chart, ApartCurve, ApartData, ApartPoint, DeploymentKind};
use crate::format;

/// Colocated and AFD.
pub fn data(inputs: &Inputs, decision: Option<&Decision>, prompts: bool) -> ApartData {
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
            way: match way.unit() {
                Some(parts) => chart::WayKind::Divided(parts.attention, parts.ffn),
                None => chart::WayKind::Scheduled(decision::schedule(way)),
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
            mark: DeploymentKind::Colocated,
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
            .and_then(|way| Some((self.point(way), way.unit()?)))
            .map(|(at, parts)| (at, decision::name(&parts)));
        ApartCurve {
            mark: DeploymentKind::Ratio,
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
