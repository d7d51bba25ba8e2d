//! What Helix gains over the best baseline, as [H] reports it.

use super::Searched;
use crate::answer::sentence::{Sentence, Tone};
use crate::answer::{advice, sharding};
use crate::format;
use model_core::search::Gains;
use model_core::sweep::Family;

/// A sentence for each family of Helix that was searched beside a baseline.
pub fn gains(searched: &Searched) -> Vec<Sentence> {
    let families = &searched.link.search.families;
    let baselines: Vec<Family> = Family::BASELINES
        .into_iter()
        .filter(|family| families.contains(family))
        .collect();
    let found = &searched.answer.found;
    [Family::HelixHopB, Family::Helix]
        .into_iter()
        .filter_map(|family| Some((family, found.gains(&[family], &baselines)?)))
        .map(|(family, gains)| sentence(searched, family, &gains))
        .collect()
}

fn sentence(searched: &Searched, family: Family, gains: &Gains) -> Sentence {
    let tone = |ratio: f64| {
        if ratio >= 1.005 {
            Tone::Help
        } else {
            Tone::Strong
        }
    };
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
