//! Timeline of one layer: its operators and communication as time intervals.
//!
//! The intervals are the times that [`crate::schedule::step`] adds up, so that a layer's duration is its share of the
//! step. If the operators of a block share one roofline, the block's time is divided among these operators in
//! proportion to their individual times.

mod intervals;
mod parts;

pub use intervals::{Interval, Lane, Portion, Timeline, Work};

use crate::arch::{Arch, LayerGroup};
use crate::evaluate::Evaluation;
use crate::ops::{OperatorRole, Place};
use crate::plan::Overlap;
use crate::scenario::Scenario;
use intervals::DRAWN;
use parts::StepParts;

/// Returns the FFN types (MoE, dense) of the layers of `arch`; the most frequent type comes first.
pub fn kinds(arch: &Arch) -> Vec<OperatorRole> {
    let mut kinds = vec![OperatorRole::Experts, OperatorRole::Dense];
    kinds.retain(|role| role.layers(arch) > 0);
    if OperatorRole::Dense.layers(arch) > OperatorRole::Experts.layers(arch) {
        kinds.reverse();
    }
    kinds
}

/// Returns the largest group of identical layers with this type of FFN (see [`kinds`]). If no layer has this type,
/// returns the largest group.
pub fn group_of(arch: &Arch, feed_forward: OperatorRole) -> LayerGroup {
    let role = |group: &LayerGroup| group.ffn.map(|ffn| Place::Ffn(usize::from(ffn)).role(arch));
    let most = |wanted: &dyn Fn(&&LayerGroup) -> bool| {
        // Of equal counts, `min_by_key` returns the first.
        let groups = arch.groups().iter().filter(wanted);
        groups
            .min_by_key(|group| std::cmp::Reverse(group.count))
            .copied()
    };
    most(&|group| role(group) == Some(feed_forward))
        .or_else(|| most(&|_| true))
        .unwrap_or(LayerGroup {
            count: 0,
            mixer: None,
            ffn: None,
        })
}

/// Returns the timeline of one layer of a layer group.
///
/// Assumes for two-batch overlap: a layer takes the longer of its compute and its communication time. The step takes
/// the longer of total compute and total communication time over all layers ([A] eq 49). It can therefore be shorter
/// than the sum of its layers, but never longer. Not modeled: HOP-B on blocks in which the attention core alone takes
/// longer than the block.
pub fn layer_of(scenario: &Scenario, evaluation: &Evaluation, group: &LayerGroup) -> Timeline {
    let parts = StepParts::new(scenario, evaluation, group);
    match scenario.plan.spec().overlap {
        Overlap::Sequential => parts.sequential(),
        Overlap::TwoBatch => parts.two_batch(),
        Overlap::HopB => parts.hop_b(evaluation.load.sequences),
    }
}

/// Returns the timeline of one round of a full pipeline, in which every stage processes one micro-batch and then
/// passes it on.
///
/// Every stage is always busy: in decode, a micro-batch that leaves the last stage enters the first stage with its
/// next token. Assumes: as many micro-batches as stages, and the same time for all stages. Not modeled: pipeline fill
/// and drain, transfer time between stages.
pub fn pipeline(scenario: &Scenario, evaluation: &Evaluation) -> Timeline {
    let all = scenario.plan.spec().pp;
    let stages = all.min(DRAWN);
    let time = evaluation.step / f64::from(all);
    let mut intervals = Vec::new();
    for stage in 0..stages {
        for turn in 0..stages {
            intervals.push(Interval {
                lane: Lane::Stage(stage),
                work: Work::Stage,
                batch: (turn + stages - stage) % stages,
                start: time * f64::from(turn),
                end: time * f64::from(turn + 1),
            });
        }
    }
    Timeline {
        intervals,
        span: time * f64::from(stages),
        portion: Portion::MicroBatch,
        drawn: stages,
        batches: f64::from(all),
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::evaluate::evaluate;
    use crate::ops::Kind;
    use crate::permalink;
    use crate::units::Seconds;

    fn of(link: &str, role: OperatorRole) -> (Evaluation, Scenario, Timeline) {
        let scenario = permalink::read(link).current.scenario().unwrap();
        let evaluation = evaluate(&scenario).unwrap();
        let line = layer_of(&scenario, &evaluation, &group_of(&scenario.arch, role));
        (evaluation, scenario, line)
    }

    #[test]
    fn two_half_batches_change_places() {
        let (_, _, line) = of("v=1", OperatorRole::Experts);
        let batches = |lane| line.lane(lane).map(|i| i.batch).collect::<Vec<_>>();
        assert!(batches(Lane::Compute).is_sorted());
        assert_eq!(batches(Lane::Network), [1, 1, 0, 0]);
        // Communication fills the layer; after each half batch the GPU waits for it.
        assert!(line.gaps(Lane::Network).is_empty());
        let gaps = line.gaps(Lane::Compute);
        assert_eq!(gaps.len(), 2);
        let idle: Seconds = gaps.iter().map(|(from, to)| *to - *from).sum();
        assert!((idle / (line.span - line.busy(Lane::Compute)) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn operators_in_the_block_fold() {
        let (evaluation, scenario, line) = of("v=1", OperatorRole::Experts);
        let named = |kind| Work::Operator(kind);
        let time = |kind| -> Seconds {
            let same = line.lane(Lane::Compute).filter(|i| i.work == named(kind));
            same.map(Interval::time).sum()
        };
        assert!(time(Kind::Attention) > time(Kind::QueryUp));
        let layers = f64::from(scenario.arch.expert_layers());
        let experts = evaluation.breakdown.experts / layers;
        let drawn = time(Kind::Experts) + time(Kind::Router);
        assert!((drawn / experts - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_dense_layer_has_no_experts() {
        let (_, _, line) = of("v=1", OperatorRole::Dense);
        assert!(line.lane(Lane::Network).next().is_none());
        let experts = Work::Operator(Kind::Experts);
        assert!(!line.intervals.iter().any(|i| i.work == experts));
        let arch = permalink::read("v=1").current.model.arch().to_owned();
        assert_eq!(kinds(&arch), [OperatorRole::Experts, OperatorRole::Dense]);
    }

    #[test]
    fn full_pipeline_has_no_bubbles() {
        let link = "v=1&model=llama-3-70b&gpus=8&tp=2&pp=4&precision=bf16&batch=64";
        let (evaluation, scenario, _) = of(link, OperatorRole::Dense);
        let line = pipeline(&scenario, &evaluation);
        assert_eq!(line.lanes().len(), 4);
        assert!((line.span / evaluation.step - 1.0).abs() < 1e-9);
        for batch in 0..4 {
            let mut stages: Vec<_> = line.intervals.iter().filter(|i| i.batch == batch).collect();
            stages.sort_by(|a, b| a.start.get().total_cmp(&b.start.get()));
            let order: Vec<_> = stages.iter().map(|i| i.lane).collect();
            let from = |first: u32| -> Vec<Lane> {
                (0..4).map(|step| Lane::Stage((first + step) % 4)).collect()
            };
            assert!((0..4).any(|first| order == from(first)), "{order:?}");
        }
        assert!(line.lanes().iter().all(|lane| line.gaps(*lane).is_empty()));
    }
}
