//! What to do about a scenario, in words and as inputs: what costs nothing before what costs money.

use model_core::advice::{Changed, Free, WORTH, best_drafted, fewest_gpus, worth_naming};
use model_core::evaluate::with_batch as evaluated;
use model_core::limits::{Largest, NoBatch, Stop, largest};
use model_core::plan::Overlap;
use model_core::scenario::{Inputs, Model, Number};

use super::sentence::{Sentence, Tone};
use super::{Evaluated, sharding};
use crate::format;

/// A change that the page offers: one click.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// On the button: "Use 1,223", "Overlap off", "Use 64 GPUs".
    pub label: String,
    /// What it does, in full.
    pub help: String,
    /// The inputs it leads to.
    pub inputs: Inputs,
}

/// An alternative in words: "Two-batch overlap off", "DP 8 · TP 4", "Released FP8 weights".
///
/// The batch is said apart, because it follows the others under an SLO.
pub fn words(free: &Free) -> String {
    parts(free, true)
}

/// The same, with what drafting rests on where that is `told`.
fn parts(free: &Free, told: bool) -> String {
    let Changed {
        draft,
        precision,
        copies,
        sharding: sharded,
        schedule,
        ..
    } = free.changed;
    let spec = free.scenario.plan.spec();
    let mut parts = Vec::new();
    if draft {
        let accepted = match told {
            true => format!(
                " ({} accepted)",
                format::share(free.scenario.workload.speculation.acceptance)
            ),
            false => String::new(),
        };
        parts.push(format!("one drafted token{accepted}"));
    }
    if precision {
        parts.push(released(&free.inputs));
    }
    if sharded {
        parts.push(sharding::words(spec, &free.scenario.arch));
    }
    if schedule {
        parts.push(
            match spec.overlap {
                Overlap::Sequential if sharded || precision || draft => "no overlap",
                Overlap::Sequential => "overlap off",
                Overlap::TwoBatch => "two-batch overlap",
                Overlap::HopB => "HOP-B overlap",
            }
            .to_owned(),
        );
    }
    if parts.is_empty() && copies {
        return "Leaving out redundant experts".to_owned();
    }
    if parts.is_empty() {
        parts.push(sequences(free.scenario.workload.batch));
    }
    // "Released FP8 weights with DP 4 · TP 8, no overlap".
    let mut said = parts.join(", ");
    if parts.len() > 1 {
        said = said.replacen(", ", " with ", 1);
    }
    if copies && said.ends_with("no overlap") {
        said += " or redundant experts";
    } else if copies {
        said += " and no redundant experts";
    }
    format::capital(&said)
}

/// Whether a change in words takes a verb of many: "Released MXFP4 weights give".
pub(super) fn plural(words: &str) -> bool {
    words.starts_with("Released")
}

/// "released MXFP4 weights".
pub(super) fn released(inputs: &Inputs) -> String {
    match inputs.model {
        Model::Catalog(entry) => format!("released {} weights", entry.released.narrowest()),
        Model::Custom(_) => "released weights".to_owned(),
    }
}

/// "1,223 sequences", "1 sequence".
pub fn sequences(batch: f64) -> String {
    if batch.to_bits() == 1_f64.to_bits() {
        "1 sequence".to_owned()
    } else {
        format!("{} sequences", format::count(batch))
    }
}

/// "1,024 GPUs", "1 GPU".
pub fn gpus(count: f64) -> String {
    if count.to_bits() == 1_f64.to_bits() {
        "1 GPU".to_owned()
    } else {
        format!("{} GPUs", format::count(count))
    }
}

/// What costs nothing: the best without drafts, and with one drafted token where that is better still.
#[derive(Debug, Clone, Copy)]
pub struct Levers {
    /// What needs no drafts.
    pub free: Option<Free>,
    /// With one drafted token.
    pub drafted: Option<Free>,
}

impl Levers {
    /// What is worth naming.
    pub fn of(inputs: &Inputs) -> Self {
        Self {
            free: worth_naming(inputs),
            drafted: best_drafted(inputs),
        }
    }

    /// What leads: without drafts, or else with.
    pub fn first(&self) -> Option<&Free> {
        self.free.as_ref().or(self.drafted.as_ref())
    }

    /// Those that `said` tells of: no button without its reason.
    pub(super) fn told(&self, said: &Sentence) -> Self {
        let said = said.plain_text().to_lowercase();
        let told = |free: &Free| match free.changed.draft {
            true => said.contains("one drafted token"),
            false => said.contains(&words(free).to_lowercase()),
        };
        Self {
            free: self.free.filter(told),
            drafted: self.drafted.filter(told),
        }
    }

    /// The same as a sentence, and what a drafted token adds: "Overlap off gives 12.7× the throughput within the SLO,
    /// with 1,223 sequences; with one drafted token (80% accepted) 17.1×. "
    pub(super) fn lead(&self, case: &Evaluated, said: Sentence) -> Sentence {
        let Some(first) = self.first() else {
            return said;
        };
        let said = lead(case, first, said);
        let more = self.drafted.filter(|_| self.free.is_some());
        let Some(more) = more else {
            return said;
        };
        let mut said = said.trimmed();
        if let Some(last) = said.0.last_mut() {
            last.text = last.text.trim_end_matches('.').to_owned();
        }
        let gain = more
            .gain
            .map_or_else(|| sequences(more.scenario.workload.batch), format::factor);
        said.say(format!("; {} ", with_draft(first, &more)))
            .then(Tone::Help, gain)
            .say(". ")
    }
}

/// "with one drafted token (80% accepted)" on top of what needs none, or what it takes instead: "two-batch overlap with
/// one drafted token (80% accepted) instead".
pub(super) fn with_draft(first: &Free, more: &Free) -> String {
    let same = first.scenario.plan == more.scenario.plan
        && first.inputs.precision == more.inputs.precision;
    if same {
        let rests = format::share(more.scenario.workload.speculation.acceptance);
        return format!("with one drafted token ({rests} accepted)");
    }
    format!("{} instead", format::lower(&words(more)))
}

/// "Overlap off gives 12.7× the throughput within the SLO, with 1,223 sequences. "
pub(super) fn lead(case: &Evaluated, free: &Free, said: Sentence) -> Sentence {
    let slo = case.scenario.workload.slo.is_some();
    let only_batch = free.changed.only_batch();
    let said = said.then(Tone::Strong, words(free));
    let Some(gain) = free.gain else {
        let what = match (slo, case.evaluation.memory.fits()) {
            (true, true) => " would meet the SLO",
            (true, false) => " would fit and meet the SLO",
            (false, _) if free.changed.only_copies() => " would make it fit",
            (false, _) => " would fit",
        };
        return with_batch(case, free, only_batch, said.say(what)).say(". ");
    };
    let gives = match (only_batch, slo) {
        (true, true) => " still meet the SLO: ",
        (true, false) => " fit: ",
        (false, _) if plural(&words(free)) => " give ",
        (false, _) => " gives ",
    };
    let said = said
        .say(gives)
        .then(Tone::Help, format::factor(gain))
        .say(" the throughput");
    if only_batch {
        return said.say(". ");
    }
    let said = said.say(if slo {
        " within the SLO"
    } else {
        " on the same GPUs"
    });
    with_batch(case, free, only_batch, said)
        .and(of_the_batch(case))
        .say(". ")
}

/// "; 7,583 as it is 2.92×": what of a gain within the SLO is the larger batch alone, of a scenario that meets it.
fn of_the_batch(case: &Evaluated) -> Sentence {
    let said = Sentence::default();
    let Some(slo) = case.scenario.workload.slo else {
        return said;
    };
    let now = &case.evaluation;
    if !now.memory.fits() || now.tokens_per_user < slo {
        return said;
    }
    let alone = case
        .enough()
        .and_then(|batch| Some((batch, evaluated(&case.scenario, batch).ok()?)));
    match alone.map(|(batch, full)| (batch, full.tokens / now.tokens)) {
        Some((batch, gain)) if gain >= WORTH => said
            .say(format!("; {} as it is ", format::count(batch)))
            .then(Tone::Help, format::factor(gain)),
        _ => said,
    }
}

fn with_batch(case: &Evaluated, free: &Free, only_batch: bool, said: Sentence) -> Sentence {
    let batch = free.scenario.workload.batch;
    if only_batch || batch.to_bits() == case.scenario.workload.batch.to_bits() {
        said
    } else {
        said.say(format!(", with {}", sequences(batch)))
    }
}

/// The button of an alternative: "Use overlap off", "Use 1,223".
pub fn offer(free: &Free) -> Offer {
    let (words, short) = (words(free), parts(free, false));
    let batch = free.scenario.workload.batch;
    let only_batch = free.changed.only_batch();
    let label = if only_batch {
        format!("Use {}", format::count(batch))
    } else {
        match (free.changed.sharding, free.changed.schedule) {
            (false, false) if free.changed.only_copies() => {
                "Leave out redundant experts".to_owned()
            }
            (false, true)
                if !free.changed.precision && !free.changed.draft && !free.changed.copies =>
            {
                match free.inputs.overlap {
                    Overlap::Sequential => "Turn overlap off".to_owned(),
                    _ => format!("Use {}", format::lower(&short)),
                }
            }
            _ => format!("Use {}", format::lower(&short)),
        }
    };
    let help = format!(
        "{words} at {}: {} tok/s per GPU, {} per user",
        sequences(batch),
        format::si(free.evaluation.tokens_per_gpu),
        format::sig3(free.evaluation.tokens_per_user)
    );
    Offer {
        label,
        help,
        inputs: free.inputs,
    }
}

/// A batch as a button.
pub(super) fn use_batch(case: &Evaluated, batch: f64, help: &str) -> Offer {
    Offer {
        label: format!("Use {}", format::count(batch)),
        help: help.to_owned(),
        inputs: case.inputs.with(Number::Batch, batch).normalized(),
    }
}

/// The batch that serves as much as the largest, where `said` tells of it and nothing `known` offers it.
pub(super) fn as_much(case: &Evaluated, said: &Sentence, known: &[Offer]) -> Option<Offer> {
    let batch = case.less_than_largest()?;
    let offer = use_batch(
        case,
        batch,
        "The least batch that serves as much as the largest that works",
    );
    let told = said.plain_text().contains(&sequences(batch));
    let other = batch.to_bits() != case.scenario.workload.batch.to_bits();
    let new = known.iter().all(|known| known.inputs != offer.inputs);
    (told && other && new && !case.serves_as_much()).then_some(offer)
}

/// The largest batch of which memory has room, whole.
fn that_fits(case: &Evaluated) -> Option<f64> {
    let room = case.limits.b_cap.min(Number::Batch.spec().most);
    (room >= case.scenario.plan.micro_batches()).then_some(room)
}

/// What is wrong with a scenario that does not work, or better on the same GPUs: the changes that help,
/// the ones that cost nothing first.
pub(super) fn offers(case: &Evaluated, levers: &Levers) -> Vec<Offer> {
    let mut offers: Vec<Offer> = Vec::new();
    let fits = case.evaluation.memory.fits();
    let batch = case.scenario.workload.batch;
    let slo = case.scenario.workload.slo;
    let mut add = |offer: Offer| {
        if offers.iter().all(|known| known.inputs != offer.inputs) {
            offers.push(offer);
        }
    };
    let own = case.largest;
    // What serves most comes first: a phone shows one.
    for lever in [&levers.free, &levers.drafted].into_iter().flatten() {
        add(offer(lever));
    }
    if let (Some(batch), Ok(Largest { batch: most, stop })) = (case.better_batch(), own) {
        let help = match stop {
            _ if batch < most => "The least batch that serves as much as the largest that works",
            Stop::Slo => "The largest batch that meets the SLO",
            _ if slo.is_some() => "The largest batch that fits and meets the SLO",
            _ => "The largest batch that fits",
        };
        add(use_batch(case, batch, help));
    }
    // What fits and misses the SLO is no way out.
    if !fits
        && slo.is_none()
        && own.is_err()
        && let Some(most) = that_fits(case).filter(|most| *most < batch)
    {
        add(use_batch(case, most, "The largest batch that fits"));
    }
    if !fits || own == Err(NoBatch::Slo) {
        offers.extend(more_gpus(&case.inputs));
    }
    offers
}

/// An impossible scenario with a plan that its GPUs do have: "Use DP 72 · EP 72".
pub fn repaired(inputs: &Inputs) -> Option<Offer> {
    inputs
        .scenario()
        .is_err()
        .then(|| worth_naming(inputs))?
        .map(|free| offer(&free))
}

/// "Use 64 GPUs", where that many make the scenario work as it is.
pub fn more_gpus(inputs: &Inputs) -> Option<Offer> {
    let enough = fewest_gpus(inputs)?;
    let count = enough.get(Number::Gpus)?;
    (Some(count) != inputs.get(Number::Gpus)).then(|| Offer {
        label: format!("Use {}", gpus(count)),
        help: "The fewest with which this batch works".to_owned(),
        inputs: enough,
    })
}

/// "Set the batch to the largest that meets the SLO" and "… that fits", as the batch's own control offers
/// them; nothing where it is there already or there is none.
pub fn batches(inputs: &Inputs) -> Vec<Offer> {
    let Ok(case) = Evaluated::new(inputs) else {
        return Vec::new();
    };
    let batch = case.scenario.workload.batch;
    let mut offers = Vec::new();
    let mut add = |most: f64, label: &str| {
        if most.to_bits() != batch.to_bits() {
            offers.push(Offer {
                label: label.to_owned(),
                help: format!("{}: {}", label, sequences(most)),
                inputs: inputs.with(Number::Batch, most).normalized(),
            });
        }
    };
    let slo = case.scenario.workload.slo;
    if let (Some(_), Ok(found)) = (slo, largest(&case.scenario)) {
        add(found.batch, "Largest that meets the SLO");
    }
    if let Some(room) = that_fits(&case) {
        add(room, "Largest that fits");
    }
    offers
}
