//! The Plans chart's data.

use super::Searched;
use crate::answer::{operating_point, sharding};
use crate::charts::plans::{FaintPlan, LineStyle, PlanCurve, PlanNow, PlanPoint, PlanStyle};
use crate::charts::{OperatingPoint, PlansData};
use crate::format;
use crate::theme::Series;
use model_core::evaluate::evaluate;
use model_core::scenario::{Inputs, Number};
use model_core::search::{Candidates, Found};
use model_core::sweep::{Family, Point};
use std::sync::Arc;

/// How a family is drawn: kin share a colour, and every line differs in colour or dashes.
pub const fn style(family: Family) -> PlanStyle {
    let (series, line) = match family {
        Family::Tensor => (Series::Plain, LineStyle::Solid),
        Family::TensorPipeline => (Series::Plain, LineStyle::Dashed),
        Family::DataExpert => (Series::First, LineStyle::Solid),
        Family::Medha => (Series::Second, LineStyle::Dotted),
        Family::Helix => (Series::Third, LineStyle::Dashed),
        Family::HelixHopB => (Series::Third, LineStyle::Bold),
    };
    PlanStyle { series, line }
}

/// The frontier of each family that has one.
pub fn curves(candidates: &Candidates, found: &Found) -> Vec<PlanCurve> {
    Family::ALL
        .into_iter()
        .zip(&found.frontiers)
        .filter(|(_, frontier)| !frontier.points().is_empty())
        .map(|(family, frontier)| PlanCurve {
            name: sharding::family(family),
            style: style(family),
            points: frontier
                .points()
                .iter()
                .map(|found| point(candidates, found))
                .collect(),
        })
        .collect()
}

fn point(candidates: &Candidates, found: &Point) -> PlanPoint {
    let scenario = candidates.space.scenario(found.index).map(|(_, s)| s);
    let setting = candidates.setting(found.index);
    let spec = scenario.as_ref().map(|scenario| *scenario.plan.spec());
    PlanPoint {
        point: OperatingPoint {
            batch: scenario.as_ref().map_or(0.0, |s| s.workload.batch),
            gpus: scenario.as_ref().map_or(0.0, |s| f64::from(s.cluster.gpus)),
            tpot_s: 1.0 / found.tokens_per_user,
            per_user: found.tokens_per_user,
            per_gpu: found.tokens_per_gpu,
            fits: true,
        },
        sharding: scenario
            .as_ref()
            .map_or_else(String::new, |s| sharding::words(s.plan.spec(), &s.arch)),
        schedule: spec.map_or("", |spec| sharding::schedule(spec.overlap)),
        accelerator: setting.map_or("", |(gpu, _)| gpu.name()),
        precision: setting.map_or("", |(_, precision)| precision.id()),
        dollars_per_mtok: found.dollars_per_mtok,
    }
}

/// The candidate of a hit: the points of the frontiers in the order of the curves.
pub fn candidate(found: &Found, hit: usize) -> Option<usize> {
    let points = found
        .frontiers
        .iter()
        .flat_map(|frontier| frontier.points());
    points.map(|point| point.index).nth(hit)
}

/// Every candidate that fits, thinned.
pub fn faint(found: &Found) -> Vec<FaintPlan> {
    let points = found.cloud.points().iter();
    points
        .map(|faint| FaintPlan {
            series: style(faint.family).series,
            per_user: faint.tokens_per_user,
            per_gpu: faint.tokens_per_gpu,
        })
        .collect()
}

/// The chart with the scenario that is being edited on it.
pub fn data(searched: &Searched, now: &Inputs) -> PlansData {
    PlansData {
        curves: Arc::clone(&searched.curves),
        faint: Arc::clone(&searched.faint),
        now: self::now(now),
        slo_tokens_per_s_per_user: now.get(Number::Slo),
        best: best(searched, now),
        many_precisions: searched.many_precisions(),
        finding: finding(searched),
        source: "frontiers of [H] 3.2, batch ÷ step over users and GPUs".into(),
    }
}

/// What the verdict and the first award call best: of what was found, or one's own GPUs to the whole sequence.
fn best(searched: &Searched, now: &Inputs) -> Option<(f64, f64)> {
    let found = searched.answer.found.best.first;
    let found = found.map(|best| (best.tokens_per_user, best.tokens_per_gpu));
    let own = super::own::own(searched, now).map(|own| {
        (
            own.evaluation.tokens_per_user,
            own.evaluation.tokens_per_gpu,
        )
    });
    match (found, own) {
        (Some(found), Some(own)) if own.1 > found.1 => Some(own),
        (Some(found), _) => Some(found),
        (None, own) => own,
    }
}

fn now(inputs: &Inputs) -> Option<PlanNow> {
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    Some(PlanNow {
        point: operating_point(
            &evaluation,
            scenario.workload.batch,
            f64::from(scenario.cluster.gpus),
        ),
        label: format!(
            "{} · batch {}",
            sharding::words(scenario.plan.spec(), &scenario.arch),
            format::count(scenario.workload.batch)
        ),
    })
}

/// Which family leads where.
fn finding(searched: &Searched) -> String {
    let found = &searched.answer.found;
    let whole = found.frontier(&Family::ALL);
    let (Some(fastest), Some(fullest)) = (whole.points().first(), whole.points().last()) else {
        return "No plan fits".to_owned();
    };
    let (fast, full) = (fastest.family, fullest.family);
    if fast == full {
        format!("{} leads at both ends", sharding::family(fast))
    } else {
        format!(
            "{} is fastest, {} serves most",
            sharding::family(fast),
            sharding::family(full)
        )
    }
}
