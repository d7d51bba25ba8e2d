//! Data of "One large or many?": the same GPUs as one deployment or as several replicas.

use super::lines::{PlanCandidate, ShownPlan, unbeaten};
use super::{Look, Searched, asked, best as best_plan, lay_out, lines, sharding};
use crate::answer::operating_point;
use crate::answer::sentence::{Sentence, Tone};
use crate::charts::{InstanceCurve, InstancePoint, InstancesData, Large, OperatingPoint, WinsFrom};
use crate::format;
use model_core::evaluate::with_batch;
use model_core::inputs::{Inputs, Number};
use model_core::limits::instances::{BreakEven, Instances, NoInstances, best};
use model_core::limits::largest;
use model_core::math::pow;
use model_core::order::sort_numbers;
use model_core::permalink::{Joined, Link, Per};
use model_core::scenario::Scenario;
use model_core::search::{Found, Search};
use model_core::units::BytesPerSecond;
use std::sync::Arc;
use worker::Stage;
use worker::search::SearchAnswer;

/// Points of each curve in one domain.
const POINTS: i32 = 48;

/// True if the large deployment is in one scale-up domain, as [B] varies it.
pub fn in_one_domain(link: &Link) -> bool {
    link.shown.joined == Joined::Domain || link.current.stated(Number::Interconnect).is_some()
}

/// The part of a link that the comparison depends on, so that other changes do not recompute it.
pub fn compared(link: &Link) -> Link {
    let mut compared = Link::to(link.current);
    // Searched between two frames, so no finer than the default grid; the best plan is refined in any case.
    compared.search = Search {
        gpus: None,
        any_gpus: false,
        accelerators: Vec::new(),
        precisions: Vec::new(),
        steps: link.search.steps.min(Search::STEPS),
        most_batch: link.search.most_batch.min(Search::MOST_BATCH),
        ..link.search.clone()
    };
    compared.shown.joined = link.shown.joined;
    compared
}

/// Both curves: the best plans of either deployment, or [B]'s comparison in one domain. `None` where no plan is
/// valid.
pub fn data(link: &Link) -> Option<InstancesData> {
    let mut data = both(link)?;
    data.finding = finding(&data);
    Some(data)
}

fn both(link: &Link) -> Option<InstancesData> {
    let link = compared(link);
    let inputs = link.search.scheduled(&link.current);
    if in_one_domain(&link) {
        return in_domain(&inputs);
    }
    let small_gpus = inputs.get(Number::Gpus)?;
    let mut data = InstancesData {
        small_gpus,
        source: "each the best plan on its GPUs, as Which plan? finds it".into(),
        ..impossible(&link)
    };
    data.slo_tokens_per_s_per_user = inputs.get(Number::Slo);
    data.trouble = None;
    let gpus = small_gpus * data.count;
    if !Number::Gpus.allows(gpus) {
        data.trouble = Some(too_many(gpus));
        return Some(data);
    }
    data.small = searched(&link, &link.current)?;
    data.large = searched(&link, &grown(&link.current, gpus))?;
    Some(data)
}

/// The inputs on as many GPUs, their sharding left open.
fn grown(inputs: &Inputs, gpus: f64) -> Inputs {
    let mut grown = inputs.with(Number::Gpus, gpus);
    grown.unshard();
    grown
}

/// The frontier that the GPUs of `inputs` reach over every plan of the view's search, and the best one.
fn searched(link: &Link, inputs: &Inputs) -> Option<InstanceCurve> {
    let mut there = link.clone();
    there.current = *inputs;
    let gpus = inputs.get(Number::Gpus)? as u32;
    there.search.gpus = Some(vec![gpus]);
    let text = asked(&there);
    let (read, candidates) = lay_out(&text);
    if candidates.bases().is_empty() {
        return None;
    }
    let found = Found::all(&candidates.space, gpus);
    let answer = SearchAnswer {
        seconds: 0.0,
        candidates: candidates.space.len(),
        found,
    };
    let searched = Searched::new(&text, read, Arc::new(candidates), answer, Stage::Done);
    let look = Look::of(&there);
    let mine = best_plan::own(&searched, &look, &best_plan::around_now(&searched, &look));
    let plans = lines::plans(&searched, &look).chain(mine.as_ref().map(PlanCandidate::Ready));
    let best = mine.as_ref().map(point);
    let points = unbeaten(plans.collect(), Per::Gpu);
    let points = straightened(points.iter().map(point).collect());
    Some(InstanceCurve {
        points: through(points, best.as_ref()),
        best,
    })
}

/// Adds the best point to the curve, where another batch took its place because of rounding.
fn through(mut points: Vec<InstancePoint>, best: Option<&InstancePoint>) -> Vec<InstancePoint> {
    if let Some(best) = best.filter(|best| !points.contains(best)) {
        let slower = |of: &InstancePoint| of.point.per_user < best.point.per_user;
        let place = points.iter().position(slower).unwrap_or(points.len());
        points.insert(place, best.clone());
    }
    points
}

/// Removes points of other plans below the line between two batches of one plan: a batch between them is better.
fn straightened(points: Vec<InstancePoint>) -> Vec<InstancePoint> {
    let mut kept: Vec<InstancePoint> = Vec::with_capacity(points.len());
    for next in points {
        while let [.., before, last] = kept.as_slice()
            && before.plan == next.plan
            && last.plan != next.plan
            && last.point.per_gpu < between(&before.point, &next.point, last.point.per_user)
        {
            kept.pop();
        }
        kept.push(next);
    }
    kept
}

/// Throughput on the line between two points at a speed.
fn between(one: &OperatingPoint, other: &OperatingPoint, per_user: f64) -> f64 {
    let share = (per_user - one.per_user) / (other.per_user - one.per_user);
    one.per_gpu + share * (other.per_gpu - one.per_gpu)
}

fn point(plan: &ShownPlan) -> InstancePoint {
    InstancePoint {
        point: plan.point,
        plan: format!("{} · {}", plan.sharding, plan.schedule()),
    }
}

fn too_many(gpus: f64) -> String {
    format!("{} GPUs are too many for one", format::count(gpus))
}

/// [B]'s comparison: the scenario's own plan, and all GPUs of the large deployment in one domain.
fn in_domain(inputs: &Inputs) -> Option<InstancesData> {
    let small = inputs.scenario().ok()?;
    let link = inputs
        .get(Number::Interconnect)
        .map_or(small.cluster.scale_out, BytesPerSecond::from_gb);
    let domain = |wins| Large::OneDomain {
        bytes_per_s: link.get(),
        wins,
    };
    let mut data = InstancesData {
        small: InstanceCurve::default(),
        large: InstanceCurve::default(),
        count: inputs.get(Number::Instances).unwrap_or(1.0),
        small_gpus: f64::from(small.cluster.gpus),
        joined: domain(WinsFrom::Never),
        slo_tokens_per_s_per_user: inputs.get(Number::Slo),
        trouble: None,
        finding: String::new(),
        source: "each at the largest batch that fits and meets the SLO, all GPUs of the large one in one domain, [B] Figure 12".into(),
    };
    match Instances::new(inputs) {
        Ok(pair) => {
            data.joined = domain(match pair.break_even() {
                BreakEven::Always => WinsFrom::Any,
                BreakEven::At(link) => WinsFrom::Bandwidth(link.get()),
                BreakEven::Never => WinsFrom::Never,
            });
            let end = end(&pair.small).max(end(&pair.large));
            data.small = curve(&pair.small, end);
            data.large = curve(&pair.large, end);
        }
        Err(NoInstances::TooManyGpus { gpus }) => data.trouble = Some(too_many(gpus)),
        Err(NoInstances::Refused(_)) => {
            data.trouble = Some("the large one has no plan".to_owned());
        }
    }
    Some(data)
}

/// The numbers of an impossible scenario, without curves.
pub fn impossible(link: &Link) -> InstancesData {
    let inputs = &link.current;
    let bandwidth = inputs.get(Number::Interconnect).unwrap_or(0.0);
    InstancesData {
        small: InstanceCurve::default(),
        large: InstanceCurve::default(),
        count: inputs.get(Number::Instances).unwrap_or(1.0),
        small_gpus: inputs.get(Number::Gpus).unwrap_or(1.0),
        joined: match in_one_domain(link) {
            true => Large::OneDomain {
                bytes_per_s: BytesPerSecond::from_gb(bandwidth).get(),
                wins: WinsFrom::Never,
            },
            false => Large::OwnLinks,
        },
        slo_tokens_per_s_per_user: None,
        trouble: Some("the scenario is impossible".to_owned()),
        finding: NOT_TWO.to_owned(),
        source: String::new(),
    }
}

/// End of the batch axis: past the best batch, on a grid of powers of two so that it rests while a slider moves.
fn end(scenario: &Scenario) -> f64 {
    let wanted = best(scenario).map_or(1.0, |best| 1.5 * best.batch_per_gpu);
    let mut end = 1.0;
    while end < wanted {
        end *= 2.0;
    }
    end
}

fn curve(scenario: &Scenario, end: f64) -> InstanceCurve {
    // Starts at one sequence for every eight GPUs.
    let gpus = f64::from(scenario.cluster.gpus);
    let first = (1.0 / gpus).max(0.125).min(end / 2.0) * gpus;
    let end = end * gpus;
    let best = largest(scenario).ok().map(|best| best.batch);
    let mut batches: Vec<f64> = (0..POINTS)
        .map(|index| first * pow(end / first, f64::from(index) / f64::from(POINTS - 1)))
        .collect();
    batches.extend(best);
    sort_numbers(&mut batches);
    batches.dedup();
    let spec = scenario.plan.spec();
    let plan = format!(
        "{} · {}",
        sharding::words(spec, &scenario.arch),
        sharding::overlap(spec.overlap)
    );
    let at = |batch: f64| {
        let evaluation = with_batch(scenario, batch).ok()?;
        Some(InstancePoint {
            point: operating_point(&evaluation, batch, gpus),
            plan: plan.clone(),
        })
    };
    InstanceCurve {
        points: batches.into_iter().filter_map(at).collect(),
        best: best.and_then(at),
    }
}

/// Links that ask for the comparison: its preset, and those that state one of its numbers.
pub fn asks_for_replicas(link: &Link) -> bool {
    in_one_domain(link) || link.current.stated(Number::Instances).is_some()
}

/// "One domain of 256 serves 1.02× 8 replicas of 32; it wins from 270 GB/s."
pub fn one_or_many(inputs: &Inputs) -> Option<Sentence> {
    let pair = Instances::new(inputs).ok()?;
    let gain = pair.gain()?;
    let gpus = |of: &Scenario| format::count(f64::from(of.cluster.gpus));
    let many = format!(
        "{} replicas of {}",
        format::count(f64::from(pair.count)),
        gpus(&pair.small)
    );
    let one = format!("one domain of {}", gpus(&pair.large));
    let said = match gain >= 1.0 {
        true => Sentence::default()
            .then(Tone::Strong, format::capital(&one))
            .say(" serves ")
            .then(Tone::Strong, format::factor(gain))
            .say(format!(" {many}; ")),
        false => Sentence::default()
            .then(Tone::Strong, many)
            .say(" serve ")
            .then(Tone::Strong, format::factor(1.0 / gain))
            .say(format!(" {one}; ")),
    };
    Some(match pair.break_even() {
        BreakEven::At(link) => said.say("it wins from ").then(
            Tone::Strong,
            format!("{} GB/s.", format::sig3(link.as_gb())),
        ),
        BreakEven::Always => said.say("it wins over any link."),
        BreakEven::Never => said.say("it never wins."),
    })
}

const NOT_TWO: &str = "There are no two to compare";

/// The finding beside the question.
fn finding(data: &InstancesData) -> String {
    if data.trouble.is_some() {
        return NOT_TWO.to_owned();
    }
    let (small, large) = match (&data.small.best, &data.large.best) {
        (Some(small), Some(large)) => (small.point, large.point),
        (None, Some(_)) => return "Only the large one works".to_owned(),
        (Some(_), None) => return "Only the small ones work".to_owned(),
        (None, None) => return "Neither works".to_owned(),
    };
    let at = match data.slo_tokens_per_s_per_user {
        Some(slo) => format!(" at {} tok/s", format::printed(slo)),
        None => String::new(),
    };
    let gain = large.per_gpu / small.per_gpu;
    // The domain goes first, as the rule in the plot has the speed.
    let (one, than, at) = match data.joined {
        Large::OwnLinks => ("One", "", at),
        Large::OneDomain { .. } => ("One domain", " one domain", String::new()),
    };
    if !gain.is_finite() || (gain - 1.0).abs() < 0.005 {
        format!("The same{at}")
    } else if gain > 1.0 {
        format!("{one}: {}{at}", format::factor(gain))
    } else {
        format!("Many: {}{than}{at}", format::factor(1.0 / gain))
    }
}
