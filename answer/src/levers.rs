//! Levers (changes that may raise throughput) as the page shows them: names, gain factors, changed settings, and the
//! baseline of the factors.

use model_core::evaluate::Evaluation;
use model_core::inputs::{Inputs, Model, Number};
use model_core::levers::{Base, Change, Effect, HardwarePart, LISTED, Lever, LeverGroup, Levers};
use model_core::scenario::Scenario;

use super::compare::sides;
use super::sharding;
use crate::around::Around;
use crate::{Evaluated, Tone};
mod chart;

use crate::words::format;
use crate::words::names::{self, gpus, schedule, sequences};
pub use chart::{LeverLine, LeverRow, LeversData};

/// Short lists of the best levers: settings in the upper list, hardware in the lower one.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    /// The baseline that the gain factors are relative to, as text.
    pub basis: String,
    /// The baseline of the hardware factors, as text, if it differs from `basis`.
    pub hardware_basis: Option<&'static str>,
    /// Best changes of settings. Changes that make an infeasible scenario feasible come first.
    pub settings: Vec<LeverRow>,
    /// Best hardware changes, including the GPU count that makes an infeasible scenario feasible.
    pub hardware: Vec<LeverRow>,
    /// Best levers of both groups, settings and hardware, in one list.
    pub first: Vec<LeverRow>,
    /// Total number of levers found, including those that are not listed.
    pub all: usize,
}

/// Maximum number of levers in each short list.
const OF_A_ROW: usize = 3;

/// Returns the short lists of the best settings and hardware levers.
pub fn strip(answer: &Levers, now: &Inputs) -> Strip {
    let listed: Vec<&Lever> = answer.listed();
    let listed: Vec<&Lever> = listed
        .into_iter()
        .filter(|lever| is_near(lever, now))
        .collect();
    let factors = listed.iter().filter_map(|lever| lever.factor);
    let scale = factors.fold(2.0, f64::max) - 1.0;
    let in_hardware = |lever: &&&Lever| {
        let group = lever.change.group();
        group == LeverGroup::Hardware || lever.change == Change::FitGpus
    };
    let rows = |levers: Vec<&&Lever>| -> Vec<LeverRow> {
        let first = levers.into_iter().take(OF_A_ROW);
        first.map(|lever| row(answer, lever, now, scale)).collect()
    };
    Strip {
        basis: basis(&answer.base, now) + &shared_step(&listed),
        hardware_basis: hardware_basis(answer),
        settings: rows(listed.iter().filter(|lever| !in_hardware(lever)).collect()),
        hardware: rows(listed.iter().filter(in_hardware).collect()),
        first: rows(listed.iter().collect()),
        all: answer.all.len(),
    }
}

/// Describes in one line the baseline that the gain factors are relative to.
pub fn basis(base: &Base, now: &Inputs) -> String {
    let slo = now.get(Number::Slo);
    let users = format::sig3(base.users);
    match (base.tokens_per_gpu, base.batch, slo) {
        (None, ..) => {
            "no batch of this plan is feasible; hardware gains vs. the best plan on these GPUs"
                .to_owned()
        }
        (Some(_), Some(batch), None) => format!(
            "tok/s/GPU vs. the {} that fit, at the same {users} tok/s/user",
            sequences(batch)
        ),
        (Some(_), Some(batch), Some(slo)) => format!(
            "tok/s/GPU vs. the {} that meet {} tok/s/user",
            sequences(batch),
            format::printed(slo)
        ),
        (Some(_), None, Some(slo)) => format!(
            "tok/s/GPU vs. current, at ≥ {} tok/s/user",
            format::printed(slo)
        ),
        (Some(_), None, None) => {
            format!("tok/s/GPU at {users} tok/s/user")
        }
    }
}

/// Describes the baseline of the hardware factors; `None` if it is the baseline of the settings factors.
pub fn hardware_basis(answer: &Levers) -> Option<&'static str> {
    let best = answer.best? / answer.base.tokens_per_gpu?;
    (best > LISTED).then_some("; hardware vs. the best plan on these GPUs")
}

/// Returns the table row of a lever. `scale` is the gain (factor − 1) of a full-length bar.
fn row(answer: &Levers, lever: &Lever, now: &Inputs, scale: f64) -> LeverRow {
    LeverRow {
        name: name(lever, now),
        gives: gives(lever),
        tone: tone(lever, now),
        bar: match lever.effect {
            Effect::Serves if !may_be_loss(lever, now) => lever
                .factor
                .map(|factor| ((factor - 1.0) / scale).clamp(0.0, 1.0)),
            _ => None,
        },
        assumed: lever.assumed(now),
        extrapolated: lever.extrapolated,
        help: help(answer, lever, now),
        changes: sides(
            &lever.inputs.in_mode(now.mode).unmeasured(),
            &now.unmeasured(),
        ),
        results: Vec::new(),
        inputs: lever.inputs.in_mode(now.mode),
        group: lever.change.group(),
    }
}

/// True if the lever adds draft tokens and its gain is within the error band, so that the change may be a loss.
fn may_be_loss(lever: &Lever, now: &Inputs) -> bool {
    let depth = |inputs: &Inputs| inputs.get(Number::SpeculationDepth).unwrap_or(0.0);
    if depth(&lever.inputs) <= depth(now) {
        return false;
    }
    let least = || {
        let case = Evaluated::new(now).ok()?;
        let around = Around::of(&case.inputs, &case.scenario, &case.evaluation)?;
        Some(around.least_gain())
    };
    lever
        .factor
        .zip(least())
        .is_some_and(|(factor, least)| factor < least)
}

/// Returns the tone of a lever's effect. Green is a gain or a scenario made feasible, red a loss, and gray no gain or
/// a possible loss.
fn tone(lever: &Lever, now: &Inputs) -> Tone {
    match lever.factor.filter(|_| lever.effect == Effect::Serves) {
        Some(factor) if is_one(factor) || may_be_loss(lever, now) => Tone::Muted,
        Some(factor) if factor < 1.0 => Tone::Bad,
        _ => Tone::Help,
    }
}

/// A lever is listed only if it uses at most this multiple of the current GPU count.
const NEAR: f64 = 4.0;

fn is_near(lever: &Lever, now: &Inputs) -> bool {
    let all = |inputs: &Inputs| {
        let [gpus, replicas] = [Number::Gpus, Number::Replicas].map(|number| inputs.get(number));
        gpus.unwrap_or(1.0) * replicas.unwrap_or(1.0)
    };
    all(&lever.inputs) <= NEAR * all(now)
}

/// A note about equal gains is shown if at least this many levers have the same gain at the same batch.
const ALIKE: usize = 3;

/// Returns a note if several levers have the same gain at the same batch: "; 4 changes gain equally, all at batch
/// 512".
fn shared_step(listed: &[&Lever]) -> String {
    let step = |lever: &Lever| Some((lever.factor?, lever.reached?.batch));
    let alike = |one: &Lever| {
        let same = listed.iter().filter(|other| {
            let (one, other) = (step(one), step(other));
            one.zip(other)
                .is_some_and(|((factor, batch), (other, theirs))| {
                    (factor / other - 1.0).abs() < 1e-3 && batch.to_bits() == theirs.to_bits()
                })
        });
        (
            same.count(),
            one.reached.map_or(0.0, |reached| reached.batch),
        )
    };
    let most = listed
        .iter()
        .map(|lever| alike(lever))
        .max_by_key(|(count, _)| *count);
    match most {
        Some((count, batch)) if count >= ALIKE => {
            let batch = format::count(batch);
            format!("; {count} changes gain equally, all at batch {batch}")
        }
        _ => String::new(),
    }
}

/// Describes the effect of a lever: "1.31×", "no gain", "fits", "meets 40 tok/s/user, 17% less", "runs".
pub fn gives(lever: &Lever) -> String {
    let factor = lever.factor.filter(|factor| !is_one(*factor));
    let and = |what: String| match factor {
        Some(factor) => format!("{what}, {}", format::factor(factor)),
        None => what,
    };
    match (lever.effect, lever.factor) {
        (Effect::Fits, _) => and("fits".to_owned()),
        (Effect::Meets(slo), _) => and(format!("meets {} tok/s/user", format::printed(slo))),
        (Effect::Runs, _) => and("runs".to_owned()),
        (Effect::Serves, Some(same)) if is_one(same) => "no gain".to_owned(),
        (Effect::Serves, Some(factor)) => format::factor(factor),
        (Effect::Serves, None) => format::NONE.to_owned(),
    }
}

/// True if a gain factor counts as neither gain nor loss. The tolerance exists because the chosen batch's throughput
/// may be up to 0.5% below the maximum.
fn is_one(factor: f64) -> bool {
    (0.99..1.005).contains(&factor)
}

/// Names a lever by what it changes. A combined change lists all changed settings except the batch, the most
/// important first.
pub fn name(lever: &Lever, now: &Inputs) -> String {
    let then = &lever.inputs;
    let get = |number| then.get(number).unwrap_or(1.0);
    match lever.change {
        Change::FitBatch | Change::Batch => format!("batch {}", format::count(get(Number::Batch))),
        Change::FitGpus => match get(Number::Replicas) {
            count if count > 1.0 => {
                format!("{} × {}", format::count(count), gpus(get(Number::Gpus)))
            }
            _ => gpus(get(Number::Gpus)),
        },
        Change::FitValue(Number::Gpus) => gpus(get(Number::Gpus)),
        Change::FitValue(number) => {
            let key = number.spec().key.replace('_', " ");
            let key = match Number::SHARDING.contains(&number) {
                true => key.to_uppercase(),
                false => key,
            };
            format!("{key} {}", format::printed(get(number)))
        }
        Change::Overlap(overlap) => schedule(overlap).to_owned(),
        Change::Replicas => match get(Number::Replicas) {
            count if count > 1.0 => format!(
                "{} replicas of {}",
                format::count(count),
                gpus(get(Number::Gpus))
            ),
            _ => format!("1 replica of {}", gpus(get(Number::Gpus))),
        },
        Change::Precision => released(then),
        Change::Mtp => drafts(then),
        Change::Kv => "FP8 KV".to_owned(),
        Change::Redundant => "no redundant experts".to_owned(),
        Change::Beta => "perfect expert balance".to_owned(),
        Change::Plan | Change::FitOther | Change::All | Change::AllAssumed => {
            let parts = changed(now, then);
            match parts.is_empty() {
                true => format!("batch {}", format::count(get(Number::Batch))),
                false => parts.join(" + "),
            }
        }
        Change::Part(part) => part_name(part, then),
        Change::Pair(one, other) => {
            format!("{} + {}", short_part(one, then), short_part(other, then))
        }
        Change::Context => "½ context".to_owned(),
    }
}

fn released(inputs: &Inputs) -> String {
    match inputs.model {
        Model::Catalog(entry) => format!("released {} weights", entry.released.narrowest()),
        Model::Custom(_) => "released checkpoint".to_owned(),
    }
}

fn drafts(inputs: &Inputs) -> String {
    match inputs.get(Number::SpeculationDepth) {
        Some(depth) if depth > 0.0 => format!("MTP {}", format::count(depth)),
        _ => "MTP off".to_owned(),
    }
}

fn part_name(part: HardwarePart, then: &Inputs) -> String {
    match part {
        HardwarePart::Hbm => "2× HBM bandwidth".to_owned(),
        HardwarePart::Capacity => "2× HBM capacity".to_owned(),
        HardwarePart::Peak => "2× FLOP/s".to_owned(),
        HardwarePart::ScaleOut => "2× scale-out BW".to_owned(),
        HardwarePart::ScaleUp => "2× scale-up BW".to_owned(),
        HardwarePart::Domain => format!(
            "scale-up domain of {}",
            then.get(Number::Domain)
                .map_or_else(String::new, format::count)
        ),
        HardwarePart::Gpus => {
            let all =
                [Number::Gpus, Number::Replicas].map(|number| then.get(number).unwrap_or(1.0));
            gpus(all[0] * all[1])
        }
        HardwarePart::Alpha => "½ collective latency".to_owned(),
        HardwarePart::Overhead => "½ framework overhead".to_owned(),
    }
}

/// Like [`part_name`], but returns a shorter name: "2× scale-out".
fn short_part(part: HardwarePart, then: &Inputs) -> String {
    match part {
        HardwarePart::Hbm => "2× HBM".to_owned(),
        HardwarePart::Capacity => "2× capacity".to_owned(),
        HardwarePart::ScaleOut => "2× scale-out".to_owned(),
        HardwarePart::ScaleUp => "2× scale-up".to_owned(),
        HardwarePart::Domain => format!(
            "domain {}",
            then.get(Number::Domain)
                .map_or_else(String::new, format::count)
        ),
        HardwarePart::Alpha => "½ latency".to_owned(),
        HardwarePart::Overhead => "½ overhead".to_owned(),
        HardwarePart::Peak | HardwarePart::Gpus => part_name(part, then),
    }
}

/// Lists the settings of `then` that differ from `now`, except the batch: "3 × 24", "FP8 KV", "MTP 1".
fn changed(now: &Inputs, then: &Inputs) -> Vec<String> {
    let differs = |number| now.get(number) != then.get(number);
    let get = |number| then.get(number).unwrap_or(1.0);
    let mut parts = Vec::new();
    let divided = differs(Number::Replicas) || differs(Number::Gpus);
    if divided {
        parts.push(format!(
            "{} × {}",
            format::count(get(Number::Replicas)),
            format::count(get(Number::Gpus))
        ));
    }
    let spec = |inputs: &Inputs| Some(*inputs.scenario().ok()?.plan.spec());
    if let Some(planned) = spec(then) {
        let as_default = || {
            let mut open = *then;
            open.unshard();
            spec(&open) == Some(planned)
        };
        let same = spec(now).is_some_and(|own| sharding::brief(&own) == sharding::brief(&planned));
        if !(same || divided && as_default()) {
            parts.push(sharding::brief(&planned));
        }
    }
    if now.schedule() != then.schedule() {
        parts.push(schedule(then.schedule()).to_owned());
    }
    if now.precision != then.precision {
        parts.push(then.precision.id().to_owned());
    } else if differs(Number::FfnWeightBytes) {
        parts.push(match then.model {
            Model::Catalog(entry) => format!("{} weights", entry.released.narrowest()),
            Model::Custom(_) => "released checkpoint".to_owned(),
        });
    }
    if differs(Number::SpeculationDepth) {
        parts.push(drafts(then));
    }
    if differs(Number::KvBytes) {
        parts.push("FP8 KV".to_owned());
    }
    if differs(Number::Redundant) {
        parts.push("no redundant experts".to_owned());
    }
    parts
}

/// Lists all settings that a lever changes: "replicas 3, 24 GPUs, batch 6,146".
pub fn settings(lever: &Lever, now: &Inputs) -> String {
    let sides = sides(&lever.inputs.in_mode(now.mode), now).into_iter();
    sides.map(|(_, then)| then).collect::<Vec<_>>().join(", ")
}

fn help(answer: &Levers, lever: &Lever, now: &Inputs) -> String {
    let mut said = vec![format!("Sets {}", settings(lever, now))];
    if let Some(reached) = lever.reached {
        said.push(format!(
            "{} tok/s/GPU at {} tok/s/user",
            format::si(reached.tokens_per_gpu),
            format::sig3(reached.tokens_per_user)
        ));
    }
    let over_now = |part: f64, what: &str| {
        let (now, part) = (format::factor(lever.factor_now?), format::factor(part));
        (now != part).then(|| format!("{now} vs. current, {part} vs. the best {what}"))
    };
    said.extend(match (lever.change.group(), lever.factor) {
        (LeverGroup::Hardware, Some(part)) => over_now(part, "plan on these GPUs"),
        _ => answer
            .over_batch(lever)
            .and_then(|own| over_now(own, "batch size")),
    });
    if lever.change.group() == LeverGroup::Hardware {
        said.push("price and power unchanged".to_owned());
    }
    if lever.assumed(now) {
        said.push(format!("assumed: {}", assumptions(lever, now).join(", ")));
    }
    if may_be_loss(lever, now) {
        said.push("within the error band, may be a loss".to_owned());
    }
    if lever.extrapolated {
        said.push("extrapolated: no measured run covers this".to_owned());
    }
    said.join(". ")
}

fn assumptions(lever: &Lever, now: &Inputs) -> Vec<&'static str> {
    let conditions = [
        (Number::SpeculationDepth, "acceptance rate as set"),
        (Number::KvBytes, "unchanged output quality"),
        (Number::Redundant, "unchanged expert balancedness"),
        (Number::Beta, "perfectly balanced experts"),
    ];
    let differs = |number| lever.inputs.get(number) != now.get(number);
    let conditions = conditions
        .into_iter()
        .filter(|(number, _)| differs(*number));
    conditions.map(|(_, condition)| condition).collect()
}

/// Evaluates the scenario with a lever applied, for the key figures that preview the lever's effect.
pub fn previewed(lever: &LeverRow) -> Option<(Scenario, Evaluation)> {
    let scenario = lever.inputs.scenario().ok()?;
    let evaluation = model_core::evaluate::evaluate(&scenario).ok()?;
    Some((scenario, evaluation))
}

/// Returns the table of all levers that reach a feasible batch on at most `NEAR` times the current GPUs. Levers that
/// make the scenario feasible come first; the others are ranked by factor.
pub fn table(answer: &Levers, now: &Inputs) -> LeversData {
    let all = answer.ranked().into_iter();
    let all: Vec<&Lever> = all.filter(|lever| is_near(lever, now)).collect();
    let lines = all.iter().filter_map(|lever| line(answer, lever, now));
    let listed = answer.listed();
    LeversData {
        rows: lines.collect(),
        basis: format!(
            "{}{}{}",
            basis(&answer.base, now),
            hardware_basis(answer).unwrap_or_default(),
            shared_step(&listed),
        ),
        finding: match listed.first().map(|lever| gives(lever)) {
            Some(first) => {
                let all = names::counted(all.len() as f64, "change");
                format!("{all}; best: {first}")
            }
            None => "no change gains ≥ 2%".to_owned(),
        },
        source: "each row at its best batch for this tok/s/user".to_owned(),
    }
}

/// Returns the label of [`LeverLine::half`]: "half", or "twice" for a latency or overhead.
const fn half_is(change: Change) -> &'static str {
    match change {
        Change::Part(HardwarePart::Alpha | HardwarePart::Overhead) => "twice",
        _ => "half",
    }
}

fn line(answer: &Levers, lever: &Lever, now: &Inputs) -> Option<LeverLine> {
    let reached = lever.reached?;
    let dollars = lever.evaluation()?.1.dollars_per_mtok;
    let group = match lever.change.group() {
        LeverGroup::Fit => "makes it feasible",
        LeverGroup::Settings => "setting",
        LeverGroup::Hardware => "hardware",
        LeverGroup::Workload => "workload",
    };
    let by_batch = answer.over_batch(lever).is_some_and(is_one);
    let marks = [
        (lever.assumed(now), "assumed"),
        (lever.extrapolated, "extrapolated"),
    ];
    let marks = marks.into_iter().filter(|mark| mark.0).map(|mark| mark.1);
    Some(LeverLine {
        lever: row(answer, lever, now, 1.0),
        factor: lever.factor,
        half: lever.half,
        half_is: half_is(lever.change),
        per_gpu: reached.tokens_per_gpu,
        per_user: reached.tokens_per_user,
        tpot_ms: lever.tpot_same_batch(now).map(|tpot| tpot.as_millis()),
        batch: reached.batch,
        dollars_per_mtok: dollars,
        notes: [group]
            .into_iter()
            .chain(marks)
            .collect::<Vec<_>>()
            .join(", "),
        settings: settings(lever, now),
        idle: by_batch || lever.effect == Effect::Serves && lever.factor.is_some_and(is_one),
    })
}
