//! "What would it take?": what of each thing would reach a target, in words and as inputs.

use model_core::advice::{Free, worth_naming};
use model_core::limits::growth::fewest_idle;
use model_core::needs::{Least, Lever, Need, Target, Why, needs};
use model_core::order::{sort_by, sort_by_key};
use model_core::scenario::{Inputs, Number, Scenario};

use super::advice::{Levers, Than};
use super::limits::growth;
use super::sentence::{Sentence, Tone};
use super::{Evaluated, Offer, advice};
use crate::format;

/// What it would take to reach one target.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// "20 tok/s per user with 18,432 sequences", "room for everything".
    pub asked: String,
    /// Where the scenario is: "8.51 now", "met with 32.5".
    pub now: String,
    /// Whether it is reached.
    pub met: bool,
    /// What costs nothing, then what is bought, then what does not help.
    pub rows: Vec<WantedRow>,
}

/// One thing that can be changed by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct WantedRow {
    /// "Scale-out".
    pub name: String,
    /// "50 GB/s".
    pub now: String,
    /// "96.1 GB/s", or why none does.
    pub least: String,
    /// Throughput per GPU with it.
    pub per_gpu: Option<String>,
    /// Makes it so.
    pub offer: Option<Offer>,
    /// What kind of change.
    pub kind: WantedKind,
}

/// Kinds of changes, in the order in which they are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WantedKind {
    /// Costs nothing.
    Free,
    /// Is bought.
    Bought,
    /// Reaches the target with no value.
    None,
}

/// An answer for each target that is stated, and for the memory where it is not enough; empty where nothing is asked
/// or the scenario is impossible.
pub fn wanted(inputs: &Inputs) -> Vec<Wanted> {
    let Ok(case) = Evaluated::new(inputs) else {
        return Vec::new();
    };
    let step = FreeStep::of(&case);
    let asked = |target: &Target| *target != Target::Fits || !case.evaluation.memory.fits();
    Target::stated(inputs)
        .into_iter()
        .filter(asked)
        .filter_map(|target| match &step {
            Some(step) => step.then(&case, target),
            None => one(&case, target),
        })
        .collect()
}

/// What costs nothing and leads in the headline, with the batch that is asked about: everything else is counted on top.
struct FreeStep {
    offer: Offer,
    words: String,
    after: Evaluated,
}

impl FreeStep {
    fn of(case: &Evaluated) -> Option<Self> {
        let batch = case.scenario.workload.batch;
        let free = match case.evaluation.memory.fits() {
            true => worth_naming(&case.inputs),
            // What holds all that is asked for, before what does not.
            false => {
                let levers = Levers::of(&case.inputs);
                let holds = |free: &&Free| free.scenario.workload.batch >= batch;
                levers.iter().find(holds).copied().or(levers.free)
            }
        };
        let free = free.filter(|free| !free.changed.only_batch())?;
        let inputs = free.inputs.with(Number::Batch, batch).normalized();
        let words = advice::words(&Free { inputs, ..free });
        Some(Self {
            offer: Offer {
                label: "Use".into(),
                help: words.clone(),
                inputs,
            },
            words,
            after: Evaluated::new(&inputs).ok()?,
        })
    }

    /// Whether the target is further away after the step, at the batch that is asked about: room is as near as the fewest
    /// GPUs that have it.
    fn leads_away(&self, case: &Evaluated, target: Target) -> bool {
        let room = |case: &Evaluated| growth::fewest_fit(&case.inputs).unwrap_or(f64::INFINITY);
        let of = |case: &Evaluated| target.of(&case.evaluation);
        let both = |away: fn(f64, f64) -> bool| match (of(&self.after), of(case)) {
            (Some(after), Some(now)) => away(after, now),
            _ => false,
        };
        match target {
            Target::Fits => room(&self.after) >= room(case) && !self.after.evaluation.memory.fits(),
            Target::Cost(_) => both(|after, now| after > now),
            Target::Speed(_) | Target::Throughput(_) => both(|after, now| after < now),
        }
    }

    /// The table of what is there after the step, the step itself its first row; where a target is met without, none.
    fn then(&self, case: &Evaluated, target: Target) -> Option<Wanted> {
        let now = one(case, target)?;
        let mut wanted = one(&self.after, target)?;
        if now.met && case.evaluation.memory.fits() || self.leads_away(case, target) {
            return Some(now);
        }
        let free = WantedRow {
            name: self.words.clone(),
            now: String::new(),
            least: match target.of(&self.after.evaluation) {
                Some(value) => amount(&target, value),
                None => "".into(),
            },
            per_gpu: { self.after.evaluation.memory.fits() }
                .then(|| format::figure(self.after.evaluation.tokens_per_gpu)),
            offer: Some(self.offer.clone()),
            kind: WantedKind::Free,
        };
        wanted.now = format!(
            "{}; after the free step {}",
            now.now,
            wanted.now.trim_end_matches(" now")
        );
        wanted.rows.insert(0, free);
        Some(wanted)
    }
}

fn one(case: &Evaluated, target: Target) -> Option<Wanted> {
    let found = needs(&case.inputs, target, &Lever::ALL)?;
    // Stated lengths of prompts and outputs make the context: another one would be no longer theirs.
    let lengths = [Number::MeanPrompt, Number::MeanOutput];
    let made = lengths
        .iter()
        .any(|number| case.inputs.stated(*number).is_some());
    let mut rows: Vec<WantedRow> = found
        .by
        .iter()
        .filter(|need| need.lever != Lever::Context || !made)
        .map(|need| row(case, &target, need))
        .collect();
    sort_by_key(&mut rows, |row| row.kind);
    let fits = case.evaluation.memory.fits();
    let now = match (found.met, found.now) {
        (false, Some(now)) if !fits => format!("{} if it fit", amount(&target, now)),
        (true, Some(now)) if !fits => format!("met with {} if it fit", amount(&target, now)),
        (false, Some(now)) => format!("{} now", amount(&target, now)),
        (true, Some(now)) => format!("met with {}", amount(&target, now)),
        (_, None) => {
            let memory = &case.evaluation.memory;
            let (total, has) = (memory.most().as_gib(), memory.usable.as_gib());
            format!(
                "{} of {} GiB now",
                format::figure(total),
                format::printed(has)
            )
        }
    };
    Some(Wanted {
        asked: match (target, case.scenario.workload.batch) {
            (Target::Speed(_), batch) => {
                format!("{} with {}", asked(&target), advice::sequences(batch))
            }
            _ => asked(&target),
        },
        now,
        met: found.met,
        rows,
    })
}

/// "20 tok/s per user", "$0.10 per million tokens".
fn asked(target: &Target) -> String {
    match target {
        Target::Fits => "room for everything".into(),
        Target::Speed(value) => format!("{} tok/s per user", format::printed(*value)),
        Target::Cost(value) => format!("${} per million tokens", format::printed(*value)),
        Target::Throughput(value) => format!("{} tok/s in all", format::count(*value)),
    }
}

/// The number of a target.
fn amount(target: &Target, value: f64) -> String {
    match target {
        Target::Cost(_) => format::dollars(value),
        _ => format::figure(value),
    }
}

fn name(lever: Lever) -> &'static str {
    match lever {
        Lever::ScaleOut => "Scale-out",
        Lever::ScaleUp => "Scale-up",
        Lever::Hbm => "HBM bandwidth",
        Lever::Capacity => "HBM capacity",
        Lever::Compute => "FLOP/s",
        Lever::Gpus => "GPUs",
        Lever::Batch => "Batch",
        Lever::Context => "Context",
        Lever::Balance => "Expert balance β",
        Lever::Precision => "Precision",
    }
}

fn kind(lever: Lever) -> WantedKind {
    match lever {
        Lever::Batch | Lever::Context | Lever::Balance | Lever::Precision => WantedKind::Free,
        _ => WantedKind::Bought,
    }
}

/// A value of a lever with its unit.
fn value(lever: Lever, value: f64) -> String {
    match lever {
        Lever::ScaleOut | Lever::ScaleUp | Lever::Hbm => format::bandwidth(value * 1e9).to_string(),
        Lever::Capacity => format!("{} GiB", format::printed(value)),
        Lever::Compute => format::teraflop_per_s(value * 1e12).to_string(),
        Lever::Gpus => advice::gpus(value),
        Lever::Batch => advice::sequences(value),
        Lever::Context => format!("{} tokens", format::count(value)),
        Lever::Balance | Lever::Precision => format::printed(value),
    }
}

/// The same in a row whose name says what is counted.
fn in_row(lever: Lever, number: f64) -> String {
    match lever {
        Lever::Gpus | Lever::Batch | Lever::Context => format::count(number),
        _ => value(lever, number),
    }
}

fn row(case: &Evaluated, target: &Target, need: &Need) -> WantedRow {
    let now = match need.now {
        Some(now) => in_row(need.lever, now),
        None => case.inputs.precision.id().into(),
    };
    let inputs = need.inputs(&case.inputs);
    let per_gpu = inputs.as_ref().and_then(|inputs| {
        let case = Evaluated::new(inputs).ok()?;
        Some(format::figure(case.evaluation.tokens_per_gpu))
    });
    let (least, kind) = match need.answer {
        Least::Any => ("any".into(), kind(need.lever)),
        Least::Number(least) => (in_row(need.lever, least), kind(need.lever)),
        Least::Precision(precision) => (precision.id().into(), kind(need.lever)),
        Least::None(why) => (reason(case, target, need.lever, why), WantedKind::None),
    };
    let offer = inputs
        .filter(|inputs| *inputs != case.inputs.normalized())
        .map(|inputs| Offer {
            label: "Use".into(),
            help: format!("{}: {least}", name(need.lever)),
            inputs,
        });
    WantedRow {
        name: name(need.lever).into(),
        now,
        least,
        per_gpu,
        offer,
        kind,
    }
}

/// "none: 1.00 gives 27.0".
fn reason(case: &Evaluated, target: &Target, lever: Lever, why: Why) -> String {
    let best = match why {
        Why::Memory if lever == Lever::Gpus && fewest_idle(&case.inputs).is_some() => {
            return "none: too few sequences for more".into();
        }
        Why::Memory => return "none: does not fit with any".into(),
        Why::Slo => return "none: misses the SLO".into(),
        Why::NoPrice => return "none: no price is known".into(),
        Why::Absent => return "none: nothing to change".into(),
        Why::Beyond(best) => best,
    };
    let now = target.of(&case.evaluation).unwrap_or(best);
    let few = case.scenario.workload.batch < case.scenario.plan.micro_batches();
    let searched = matches!(lever, Lever::Batch | Lever::Gpus | Lever::Precision);
    let gives = amount(target, best);
    if !searched && gives == amount(target, now) {
        return format!("none: stays at {gives}");
    }
    match lever {
        Lever::Batch | Lever::Gpus if few => {
            format!("none: at best {gives} with a sequence in each micro-batch")
        }
        Lever::Batch | Lever::Gpus | Lever::Precision => format!("none: at best {gives}"),
        Lever::Balance => format!("none: 1 gives {gives}"),
        Lever::Context => format!("none: 1 token gives {gives}"),
        _ => format!("none: without limit {gives}"),
    }
}

/// What is bought, asked of when a verdict has to be short.
const BOUGHT: [Lever; 5] = [
    Lever::ScaleOut,
    Lever::ScaleUp,
    Lever::Hbm,
    Lever::Compute,
    Lever::Gpus,
];

/// How many times as much of a resource somebody may still find in another product.
const SOLD: f64 = 4.0;

/// "It takes 96.1 GB/s of scale-out, or 206 GPUs."; `None` where nothing bought alone reaches the target.
pub(super) fn takes(
    case: &Evaluated,
    target: Target,
    after: bool,
    said: &Sentence,
) -> Option<Sentence> {
    let found = needs(&case.inputs, target, &BOUGHT)?;
    let mut reaching: Vec<(f64, &Need, f64)> = found
        .by
        .iter()
        .filter_map(|need| match (need.answer, need.now) {
            (Least::Number(least), Some(now)) => Some((least / now, need, least)),
            _ => None,
        })
        .collect();
    sort_by(&mut reaching, |left, right| left.0.total_cmp(&right.0));
    // Beyond a few times as much nothing is sold; more GPUs are.
    reaching.retain(|(times, need, _)| need.lever == Lever::Gpus || *times <= SOLD);
    let mut words = reaching.iter().take(2).map(|(_, need, least)| {
        let amount = value(need.lever, *least);
        match need.lever {
            Lever::Gpus => (amount, ""),
            Lever::ScaleOut => (amount, " of scale-out"),
            Lever::ScaleUp => (amount, " of scale-up"),
            Lever::Hbm => (amount, " of HBM bandwidth"),
            _ => (amount, ""),
        }
    });
    let (first, of) = words.next()?;
    let said = said
        .clone()
        .say(match (target, after) {
            (Target::Speed(_), _) => {
                let batch = format::count(case.scenario.workload.batch);
                format!("With {batch} it takes ")
            }
            (_, true) => "Then it takes ".to_owned(),
            (_, false) => "It takes ".to_owned(),
        })
        .then(Tone::Strong, first)
        .say(of);
    Some(match words.next() {
        Some((second, of)) => said
            .say(", or ")
            .then(Tone::Strong, second)
            .say(format!("{of}.")),
        None => said.say("."),
    })
}

/// "Misses $0.10 per million tokens: $0.166. "; `None` where every cost and throughput that is asked for is reached.
pub(super) fn missed(case: &Evaluated, levers: &Levers) -> Option<Sentence> {
    let missed = Target::stated(&case.inputs)
        .into_iter()
        .filter(|target| matches!(target, Target::Cost(_) | Target::Throughput(_)))
        .find(|target| {
            target.of(&case.evaluation).is_some() && !target.reached(&case.evaluation)
        })?;
    let now = missed.of(&case.evaluation)?;
    let said = Sentence::default()
        .then(Tone::Bad, "Misses the target")
        .say(": ")
        .then(Tone::Strong, amount(&missed, now))
        .say(format!(", not {}. ", asked(&missed)));
    let said = advice::lead(case, levers, Than::Now, said);
    // Nothing is bought for what the same GPUs do otherwise, and what is bought is counted on top of that.
    let reaches = |free: &&Free| missed.reached(&free.evaluation);
    if levers.free.as_ref().filter(reaches).is_some() {
        return Some(said.say("That reaches it."));
    }
    if levers.rest.as_ref().filter(reaches).is_some() {
        return Some(said.say(match levers.free {
            Some(_) => "The latter reaches it.",
            None => "That reaches it.",
        }));
    }
    let after = super::after(levers);
    let base = after.as_ref().unwrap_or(case);
    let takes = takes(base, missed, after.is_some(), &said);
    Some(takes.unwrap_or_else(|| said.say("Nothing bought alone reaches it.")))
}

/// The SLO that a scenario has, as a target.
pub(super) fn slo(scenario: &Scenario) -> Option<Target> {
    scenario.workload.slo.map(Target::Speed)
}
