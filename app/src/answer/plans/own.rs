//! The best on the visitor's own GPUs: what a search is asked for first.

use super::{Searched, is_whole, sharding};
use crate::answer::advice;
use crate::answer::split::short_name;
use crate::format;
use model_core::advice::{best_free, most, works};
use model_core::evaluate::{Evaluation, evaluate};
use model_core::limits::{FASTER, LEVEL, enough, largest};
use model_core::plan::Overlap;
use model_core::scenario::{Inputs, Number, Scenario};

/// The best use of one's own GPUs.
#[derive(Debug, Clone, PartialEq)]
pub struct Own {
    /// The inputs that state it.
    pub inputs: Inputs,
    /// The same, complete.
    pub scenario: Scenario,
    /// What it comes to.
    pub evaluation: Evaluation,
    /// The plan that there is now, where it is possible.
    pub now: Option<(Scenario, Evaluation)>,
    /// Whether the best is the plan that there is now.
    pub is_now: bool,
    /// Whether experts are stored twice now.
    pub had_copies: bool,
    /// Whether it is in the precision that there is now.
    pub same_precision: bool,
}

/// Inputs, the same complete, and what they come to.
type Whole = (Inputs, Scenario, Evaluation);

/// The best of the present plan, of every plan on the same GPUs at the largest batch that works, to the whole
/// sequence, and of the candidates that were found on as many. A search that leaves families or batches out
/// speaks of what it searched.
pub fn own(searched: &Searched, now: &Inputs) -> Option<Own> {
    let of = |inputs: Inputs| {
        let scenario = inputs.scenario().ok()?;
        let evaluation = evaluate(&scenario).ok()?;
        Some((inputs, scenario, evaluation))
    };
    let works = |found: &Whole| works(&found.1, &found.2);
    let present = of(*now);
    let found = searched
        .answer
        .found
        .groups
        .iter()
        .filter_map(|group| group.own.best.as_ref())
        .filter_map(|point| searched.candidates.inputs_of(point))
        .filter(|inputs| inputs.gpu == now.gpu && inputs.precision == now.precision)
        .filter_map(of)
        .filter(works);
    let search = &searched.link.search;
    let own = now.get(Number::Gpus).map(|gpus| gpus as u32);
    let counts = search.gpus(&searched.link.current);
    let elsewhere = own.is_none_or(|own| !counts.contains(&own));
    let refined = (is_whole(search) || elsewhere)
        .then(|| most(now))
        .flatten()
        .and_then(|free| of(free.inputs))
        .filter(works);
    let fuller = |best: Option<Whole>, next: Whole| match &best {
        Some((_, _, evaluation)) if evaluation.tokens >= next.2.tokens => best,
        _ => Some(next),
    };
    let own_weights = found.clone().fold(None, fuller);
    let others = refined.into_iter().chain(found);
    let better = others.fold(present.filter(works), fuller);
    // Where nothing works in the present precision, the best in another that is searched.
    let elsewhere = || {
        let refined = searched.refined.iter().flatten();
        let same = refined.filter(|plan| plan.inputs.gpu == now.gpu);
        let found = same.filter_map(|plan| of(plan.inputs)).filter(works);
        found.fold(None, fuller)
    };
    let (mut inputs, mut scenario, mut evaluation) = better.or_else(elsewhere)?;
    let most = evaluation.tokens;
    // Where the throughput is flat, the least batch that serves as much.
    let batch = enough(&scenario, scenario.workload.batch);
    if batch < scenario.workload.batch {
        (inputs, scenario, evaluation) = of(inputs.with(Number::Batch, batch).normalized())?;
    }
    // What Explore and Limits offer, the present plan when it is full, or the present weights, where these serve nearly as
    // much with users as fast.
    let offered = || best_free(now).and_then(|free| of(free.inputs));
    let full = || {
        let most = largest(&present?.1).ok()?.batch;
        of(now.with(Number::Batch, most).normalized())
    };
    let other_weights = inputs.precision() != now.precision();
    let nearly = [
        refined,
        own_weights.filter(|_| other_weights),
        refined.and_then(|_| offered()),
        full(),
    ];
    for nearly in nearly.into_iter().flatten().filter(works) {
        if nearly.2.tokens >= LEVEL * most && nearly.2.tokens_per_user >= evaluation.tokens_per_user
        {
            (inputs, scenario, evaluation) = nearly;
        }
    }
    // A plan that serves nearly as much with users nearly as fast is no other to open.
    let mut level = false;
    if let Some((is, of, there)) = present.filter(works)
        && there.tokens >= LEVEL * most
        && evaluation.tokens_per_user < FASTER * there.tokens_per_user
    {
        (inputs, scenario, evaluation) = (is, of, there);
        level = true;
    }
    // Nor is there a point of the chart that serves as much with users clearly faster, or more with users as fast.
    let slo = now.get(Number::Slo).unwrap_or(0.0);
    let groups = searched.answer.found.groups.iter();
    let points = groups.flat_map(|group| group.own.points());
    let beats = |per_gpu: f64, per_user: f64| {
        let (rate, users) = (evaluation.tokens_per_gpu, evaluation.tokens_per_user);
        let more = per_gpu > rate * (1.0 + 1e-9) && per_user > users;
        let faster = per_gpu >= rate && per_user >= FASTER * users;
        (faster || more && !level) && per_user >= slo
    };
    let faster = points
        .filter(|point| beats(point.tokens_per_gpu, point.tokens_per_user))
        .filter_map(|point| searched.candidates.inputs_of(point))
        .filter(|inputs| inputs.gpu == now.gpu && inputs.precision == now.precision)
        .filter_map(of)
        .chain(offered().filter(|of| beats(of.2.tokens_per_gpu, of.2.tokens_per_user)))
        .filter(works)
        .reduce(
            |one, other| match other.2.tokens_per_user > one.2.tokens_per_user {
                true => other,
                false => one,
            },
        );
    if let Some(faster) = faster {
        (inputs, scenario, evaluation) = faster;
    }
    Some(Own {
        had_copies: { now.get(Number::Redundant) }.is_some_and(|copies| copies > 0.0)
            && now.model.arch().is_moe(),
        is_now: present.is_some_and(|(_, now, _)| now == scenario),
        same_precision: inputs.precision() == now.precision(),
        now: present.map(|(_, scenario, evaluation)| (scenario, evaluation)),
        inputs,
        scenario,
        evaluation,
    })
}

impl Own {
    /// What of the present plan it changes: "without overlap at batch 1,139", "as DP 32 · EP 32, two-batch, at
    /// batch 96"; "as they are".
    pub fn change(&self) -> String {
        let batch = format!("at batch {}", format::count(self.scenario.workload.batch));
        if self.is_now {
            let are = match self.scenario.cluster.gpus {
                1 => "it is",
                _ => "they are",
            };
            return format!("as {are}, {batch}");
        }
        let spec = self.scenario.plan.spec();
        let factors = |scenario: &Scenario| sharding::words(scenario.plan.spec(), &scenario.arch);
        let schedule = sharding::with(spec.overlap);
        let now = self.now.as_ref().map(|(scenario, _)| scenario);
        let sharded = now.is_none_or(|now| factors(now) != factors(&self.scenario));
        let scheduled = now.is_none_or(|now| now.plan.spec().overlap != spec.overlap);
        let left_out = self.had_copies && spec.redundant == 0;
        let batch = match self.same_precision {
            true => batch,
            false if self.inputs.is_released() => {
                format!("with {} {batch}", advice::released(&self.inputs))
            }
            false => format!("in {} {batch}", self.inputs.precision.id()),
        };
        let batch = match left_out {
            true if scheduled && spec.overlap == Overlap::Sequential => {
                format!("or redundant experts {batch}")
            }
            true => format!("without redundant experts {batch}"),
            false => batch,
        };
        let batch = match sharded && advice::beyond_measured(&self.scenario.calibration, spec) {
            true => format!("{batch} (not measured)"),
            false => batch,
        };
        match (sharded, scheduled) {
            (true, true) => format!("as {} {schedule} {batch}", factors(&self.scenario)),
            (true, false) => format!("as {} {batch}", factors(&self.scenario)),
            (false, true) => format!("{schedule} {batch}"),
            (false, false) => batch,
        }
    }

    /// How many times as fast users are as now, where another batch serves as much as the present one.
    pub fn faster(&self) -> Option<f64> {
        let (_, now) = self.now.as_ref()?;
        let gain = self.gain()?;
        let faster = self.evaluation.tokens_per_user / now.tokens_per_user;
        let alike = (gain - 1.0).abs() < 1.0 - LEVEL + 1e-9;
        (alike && faster >= FASTER).then_some(faster)
    }

    /// How many times as fast users are as now, where that is slower.
    pub fn slower(&self) -> Option<f64> {
        let (_, now) = self.now.as_ref()?;
        let speed = self.evaluation.tokens_per_user / now.tokens_per_user;
        (speed < 0.995).then_some(speed)
    }

    /// Throughput over the plan that there is now; `None` where that one does not fit or there is none.
    pub fn gain(&self) -> Option<f64> {
        let (_, now) = self.now.as_ref()?;
        now.memory
            .fits()
            .then(|| self.evaluation.tokens / now.tokens)
    }
}

/// "32 H200", "H200" of one.
pub fn gpus(inputs: &Inputs) -> String {
    let name = short_name(inputs.gpu.name());
    match inputs.get(Number::Gpus) {
        Some(count) if count > 1.0 => format!("{} {name}", format::count(count)),
        _ => name.to_owned(),
    }
}
