//! What to do about a scenario as inputs, one click each: what costs nothing before what costs money.

use model_core::advice::{Changed, Free, fewest_gpus, works, worth_naming};
use model_core::evaluate::evaluate;
use model_core::limits::growth::inputs_on;
use model_core::limits::{Largest, NoBatch, Stop, largest};
use model_core::plan::Overlap;
use model_core::scenario::{Inputs, Number};

use super::{Levers, briefly, gpus, parts, sequences, words};
use crate::answer::Evaluated;
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

/// The button of an alternative: "Use overlap off", "Use 1,223"; of what rests on more only that, whatever plan goes with it.
pub fn offer(free: &Free) -> Offer {
    let words = words(free);
    let short = match free.changed.draft || free.changed.cache {
        true => briefly(free),
        false => parts(free, false),
    };
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
                if free.changed
                    == (Changed {
                        schedule: true,
                        batch: free.changed.batch,
                        ..Changed::default()
                    }) =>
            {
                match free.inputs.overlap {
                    Overlap::Sequential => "Turn overlap off".to_owned(),
                    _ => format!("Use {}", format::lower(&short)),
                }
            }
            _ => format!("Use {}", format::lower(&short)),
        }
    };
    let at = match only_batch {
        true => String::new(),
        false => format!(" at {}", sequences(batch)),
    };
    let help = format!(
        "{words}{at}: {} tok/s per GPU, {} per user",
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
pub(in crate::answer) fn use_batch(case: &Evaluated, batch: f64, help: &str) -> Offer {
    Offer {
        label: format!("Use {}", format::count(batch)),
        help: help.to_owned(),
        inputs: case.inputs.with(Number::Batch, batch).normalized(),
    }
}

/// The batch that serves as much as the largest, where nothing `known` offers it.
pub(in crate::answer) fn as_much(case: &Evaluated, known: &[Offer]) -> Option<Offer> {
    let batch = case.less_than_largest()?;
    let offer = use_batch(
        case,
        batch,
        "The least batch that serves as much as the largest that works",
    );
    let other = batch.to_bits() != case.scenario.workload.batch.to_bits();
    let new = known.iter().all(|known| known.inputs != offer.inputs);
    (other && new && !case.serves_as_much()).then_some(offer)
}

/// The largest batch of which memory has room, whole.
fn that_fits(case: &Evaluated) -> Option<f64> {
    let room = case.limits.b_cap.min(Number::Batch.spec().most);
    (room >= case.scenario.plan.micro_batches()).then_some(room)
}

/// What is wrong with a scenario that does not work, or better on the same GPUs: the changes that help,
/// the ones that cost nothing first.
pub(in crate::answer) fn offers(case: &Evaluated, levers: &Levers) -> Vec<Offer> {
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
    // In the order in which they are told.
    for lever in levers.iter() {
        add(offer(lever));
    }
    if let Some(smaller) = &levers.smaller {
        add(super::offer_of(smaller));
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
    // Nothing is bought for what the same GPUs do otherwise.
    let otherwise = levers.smaller.is_some() || { levers.first() }
        .is_some_and(|free| !free.changed.only_batch());
    if (!fits || own == Err(NoBatch::Slo)) && !otherwise {
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

/// "Use 64 GPUs", "Use 7 × 8 GPUs", where that many make the scenario work as it is: whole scale-up domains, or a power of two of one.
pub fn more_gpus(inputs: &Inputs) -> Option<Offer> {
    let fewest = fewest_gpus(inputs)?;
    let enough = whole_domains(inputs, &fewest);
    let (count, least) = (enough.get(Number::Gpus)?, fewest.get(Number::Gpus)?);
    let domain = inputs.get(Number::Domain).unwrap_or(1.0);
    // Why it is not the least number that is named beside it.
    let label = match count > least && count > domain && (count / domain).fract() == 0.0 {
        true => format!("Use {} × {}", format::count(count / domain), gpus(domain)),
        false => format!("Use {}", gpus(count)),
    };
    (Some(count) != inputs.get(Number::Gpus)).then(|| Offer {
        label,
        help: "The fewest whole servers with which this batch works".to_owned(),
        inputs: enough,
    })
}

/// The next number of GPUs that people have, from `enough` on, that works as well; `enough` where none near it does.
fn whole_domains(inputs: &Inputs, enough: &Inputs) -> Inputs {
    let count = enough.get(Number::Gpus).map_or(1, |value| value as u32);
    let domain = inputs.get(Number::Domain).map_or(1, |value| value as u32);
    let first = match count > domain {
        true => count.next_multiple_of(domain),
        false => count.next_power_of_two().min(domain),
    };
    let full = first.next_multiple_of(domain);
    let mut counts = [first]
        .into_iter()
        .chain((0..8).map(|more| full + more * domain));
    let whole = counts.find_map(|gpus| {
        let with = inputs_on(inputs, gpus).ok()?;
        let scenario = with.scenario().ok()?;
        let works_there = works(&scenario, &evaluate(&scenario).ok()?);
        works_there.then_some(with)
    });
    whole.unwrap_or(*enough)
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
