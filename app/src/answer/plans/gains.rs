//! What Helix gains over the best baseline, as [H] reports it.

use super::Searched;
use crate::answer::sentence::{Sentence, Tone};
use crate::answer::{advice, sharding};
use crate::format;
use model_core::scenario::Inputs;
use model_core::search::Gains;
use model_core::sweep::Family;

/// The families of Helix, and the baselines that were searched.
fn asked(searched: &Searched) -> (impl Iterator<Item = Family>, Vec<Family>) {
    let families = &searched.link.search.families;
    let baselines = { Family::BASELINES.into_iter() }.filter(|family| families.contains(family));
    let helix = [Family::HelixHopB, Family::Helix].into_iter();
    (helix, baselines.collect())
}

/// A sentence for each family of Helix that was searched beside a baseline.
pub fn gains(searched: &Searched) -> Vec<Sentence> {
    let (families, baselines) = asked(searched);
    let found = &searched.answer.found;
    families
        .filter_map(|family| Some((family, found.gains(&[family], &baselines)?)))
        .map(|(family, gains)| sentence(searched, family, &gains))
        .collect()
}

/// "At 14.2 tok/s per user Helix + HOP-B as TP 8 · KVP 8 on 64 GB200: 4.12× the throughput of Medha on 64, and 1.03× the
/// greatest speed of any baseline.", of what the gains are about; and the inputs of that plan.
pub fn verdict(searched: &Searched) -> Option<(Sentence, Option<Inputs>)> {
    let (families, baselines) = asked(searched);
    let found = &searched.answer.found;
    let gains = { families }.find_map(|family| found.gains(&[family], &baselines))?;
    let space = &searched.candidates.space;
    let (family, ours) = space.scenario(gains.ours.index)?;
    let (rival, theirs) = space.scenario(gains.theirs.index)?;
    let name = searched.link.current.gpu.name();
    Some((
        Sentence::default()
            .say(format!(
                "At {} tok/s per user ",
                format::sig3(gains.at_tokens_per_user)
            ))
            .then(
                Tone::Strong,
                format!(
                    "{} as {} on {} {}: ",
                    sharding::family(family),
                    sharding::words(ours.plan.spec(), &ours.arch),
                    format::count(f64::from(ours.cluster.gpus)),
                    crate::answer::split::short_name(name)
                ),
            )
            .then(tone(gains.throughput), format::factor(gains.throughput))
            .say(format!(
                " the throughput of {} on {}, and ",
                sharding::family(rival),
                format::count(f64::from(theirs.cluster.gpus))
            ))
            .then(
                tone(gains.interactivity),
                format::factor(gains.interactivity),
            )
            .say(" the greatest speed of any baseline."),
        searched.candidates.inputs_of(&gains.ours),
    ))
}

/// What grows is a gain.
fn tone(ratio: f64) -> Tone {
    if ratio >= 1.005 {
        Tone::Help
    } else {
        Tone::Strong
    }
}

fn sentence(searched: &Searched, family: Family, gains: &Gains) -> Sentence {
    let sequences = |index: usize| {
        let candidate = searched.candidates.space.scenario(index);
        candidate.map_or_else(String::new, |(_, scenario)| {
            format::count(scenario.workload.batch)
        })
    };
    let (ours, theirs) = (sequences(gains.ours.index), sequences(gains.theirs.index));
    let served = if ours == theirs {
        format!("both with {ours} sequences")
    } else {
        format!("with {ours} sequences against {theirs}")
    };
    let nothing = gains.interactivity < 1.005 && gains.throughput < 1.005;
    let lead = if nothing {
        " gains nothing over the best baseline: "
    } else {
        " over the best baseline: "
    };
    let rival = searched
        .candidates
        .space
        .scenario(gains.theirs.index)
        .map_or_else(String::new, |(of, scenario)| {
            format!(
                "{} on {}",
                sharding::family(of),
                advice::gpus(f64::from(scenario.cluster.gpus))
            )
        });
    Sentence::default()
        .then(Tone::Strong, sharding::family(family))
        .say(lead)
        .then(
            tone(gains.interactivity),
            format::factor(gains.interactivity),
        )
        .say(" a user's speed, or at most ")
        .then(tone(gains.throughput), format::factor(gains.throughput))
        .say(format!(
            " the throughput at equal speed: at {} tok/s per user, {served} of {rival}.",
            format::sig3(gains.at_tokens_per_user),
        ))
}
