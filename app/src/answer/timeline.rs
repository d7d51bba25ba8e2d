//! Data of "What runs when?": one layer of each kind, and a round of the pipeline, as lanes.

use model_core::arch::{Ffn, LayerGroup as Group};
use model_core::cost::collective::Collective;
use model_core::cost::roofline::Bound;
use model_core::evaluate::Timed;
use model_core::hardware::NetworkLink as Link;
use model_core::ops::{Kind, OperatorRole, Place};
use model_core::order::sort_by;
use model_core::permalink::TimelineLayer;
use model_core::plan::Overlap;
use model_core::timeline::{
    Interval, Lane, Portion, Timeline, Work, group_of, kinds, layer_of, pipeline,
};
use std::sync::Arc;

use super::{Evaluated, names};
use crate::charts::{PinnedTimeline, TimelineData, TimelineLane, TimelineMark};
use crate::format;
use crate::theme::Role;

/// Every timeline there is, the first one shown where none is chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Timelines(Vec<(TimelineLayer, Arc<TimelineData>)>);

impl Timelines {
    /// The chosen timeline if it exists, else the first.
    pub fn pick(&self, chosen: Option<TimelineLayer>) -> Option<&Arc<TimelineData>> {
        let found = self.0.iter().find(|(layer, _)| Some(*layer) == chosen);
        found.or(self.0.first()).map(|(_, data)| data)
    }

    /// Layers to choose from, each with its name and its count per step.
    pub fn choices(&self) -> Vec<(TimelineLayer, String, String)> {
        let words = |(layer, data): &(TimelineLayer, Arc<TimelineData>)| {
            let name = match layer {
                TimelineLayer::Pipeline => "pipeline".into(),
                TimelineLayer::Moe | TimelineLayer::Dense | TimelineLayer::Group(_) => {
                    data.what.clone()
                }
            };
            (*layer, name, data.often.clone())
        };
        self.0.iter().map(words).collect()
    }
}

/// The timelines of a case, the pinned one's as ghosts.
pub fn data(case: &Evaluated, pinned: Option<&Evaluated>) -> Timelines {
    let mut all: Vec<TimelineLayer> = kinds(&case.scenario.arch)
        .into_iter()
        .map(|part| match part {
            OperatorRole::Experts => TimelineLayer::Moe,
            _ => TimelineLayer::Dense,
        })
        .collect();
    let named: Vec<Option<Group>> = all.iter().map(|layer| group(case, *layer)).collect();
    // Layers of other kinds than the most frequent ones, by their group.
    let others = (0..).zip(case.scenario.arch.groups());
    all.extend(
        others
            .filter(|(_, group)| !named.contains(&Some(**group)))
            .map(|(number, _)| TimelineLayer::Group(number)),
    );
    if case.scenario.plan.spec().pp > 1 {
        all.push(TimelineLayer::Pipeline);
    }
    let one = |layer: TimelineLayer| (layer, Arc::new(timeline(case, pinned, layer)));
    Timelines(all.into_iter().map(one).collect())
}

fn timeline(case: &Evaluated, pinned: Option<&Evaluated>, kind: TimelineLayer) -> TimelineData {
    let line = line(case, kind);
    let lanes = line.lanes();
    let theirs = pinned
        .filter(|pinned| has(pinned, kind) && same(case, pinned, kind))
        .map(|pinned| self::line(pinned, kind));
    let mut data = TimelineData {
        what: what(case, kind),
        often: often(case, kind),
        span_s: line.span.get(),
        swap_s: (line.portion == Portion::Half).then(|| line.span.get() / 2.0),
        note: note(case, &line),
        pinned: theirs.map(|theirs| PinnedTimeline {
            span_s: theirs.span.get(),
            busy: if kind == TimelineLayer::Pipeline {
                Vec::new()
            } else {
                lanes.iter().map(|lane| busy(&theirs, *lane)).collect()
            },
        }),
        lanes: lanes
            .into_iter()
            .map(|lane| TimelineLane {
                name: lane_name(lane),
                marks: marks(case, kind, &line, lane),
            })
            .collect(),
        source: source(case, kind).into(),
        finding: String::new(),
    };
    data.finding = finding(&data);
    data
}

/// "MoE layer"; of a model with several mixers "MoE layer, window 128".
fn what(case: &Evaluated, kind: TimelineLayer) -> String {
    let arch = &case.scenario.arch;
    let Some(group) = group(case, kind) else {
        return "round".into();
    };
    let name = match arch.ffn_of(&group) {
        Some(Ffn::Moe(_)) => "MoE layer",
        Some(Ffn::Dense(_)) if arch.expert_layers() > 0 => "dense layer",
        Some(Ffn::Dense(_)) => "layer",
        None => "layer without FFN",
    };
    match arch.mixer_of(&group) {
        Some(mixer) if names::mixers(arch).len() > 1 => {
            format!("{name}, {}", names::mixer_name(mixer))
        }
        None => format!("{name}, no attention"),
        Some(_) => name.into(),
    }
}

/// The layers that are drawn.
fn group(case: &Evaluated, kind: TimelineLayer) -> Option<Group> {
    let of = |part| Some(group_of(&case.scenario.arch, part));
    match kind {
        TimelineLayer::Moe => of(OperatorRole::Experts),
        TimelineLayer::Dense => of(OperatorRole::Dense),
        TimelineLayer::Group(number) => {
            let groups = case.scenario.arch.groups();
            groups.get(usize::from(number)).copied()
        }
        TimelineLayer::Pipeline => None,
    }
}

/// An operator of the layers that are drawn.
fn timed(case: &Evaluated, drawn: TimelineLayer, kind: Kind) -> Option<Timed> {
    let group = group(case, drawn)?;
    let here = |place: Place| match place {
        Place::Mixer(number) => group.mixer.map(usize::from) == Some(number),
        Place::Ffn(number) => group.ffn.map(usize::from) == Some(number),
        Place::Head => true,
    };
    let mut all = case.evaluation.timed(&case.scenario);
    all.find(|timed| timed.operator.kind == kind && here(timed.place))
}

fn has(case: &Evaluated, kind: TimelineLayer) -> bool {
    match kind {
        TimelineLayer::Moe => case.scenario.arch.expert_layers() > 0,
        TimelineLayer::Dense => case.scenario.arch.dense_layers() > 0,
        TimelineLayer::Pipeline => case.scenario.plan.spec().pp > 1,
        TimelineLayer::Group(_) => group(case, kind).is_some(),
    }
}

/// True if a layer group by number can be compared: the models have the same shape.
fn same(case: &Evaluated, pinned: &Evaluated, kind: TimelineLayer) -> bool {
    !matches!(kind, TimelineLayer::Group(_)) || case.scenario.arch == pinned.scenario.arch
}

fn line(case: &Evaluated, kind: TimelineLayer) -> Timeline {
    match group(case, kind) {
        Some(group) => layer_of(&case.scenario, &case.evaluation, &group),
        None => pipeline(&case.scenario, &case.evaluation),
    }
}

fn often(case: &Evaluated, kind: TimelineLayer) -> String {
    let arch = &case.scenario.arch;
    let of_all = |some: u32| {
        if some == arch.layers() {
            format!("all {some} layers")
        } else {
            format!("{some} of {} layers", arch.layers())
        }
    };
    match kind {
        TimelineLayer::Moe | TimelineLayer::Dense | TimelineLayer::Group(_)
            if names::mixers(arch).len() > 1 =>
        {
            of_all(group(case, kind).map_or(0, |group| group.count))
        }
        TimelineLayer::Group(_) => of_all(group(case, kind).map_or(0, |group| group.count)),
        TimelineLayer::Moe => of_all(arch.expert_layers()),
        TimelineLayer::Dense => of_all(arch.dense_layers()),
        TimelineLayer::Pipeline => format!("{} stages", case.scenario.plan.spec().pp),
    }
}

fn note(case: &Evaluated, line: &Timeline) -> String {
    let drawn = f64::from(line.drawn);
    match line.portion {
        Portion::MicroBatch if line.batches > drawn => {
            format!("{} of {} stages; always full", line.drawn, line.batches)
        }
        Portion::MicroBatch => "always full: no fill or drain counted".into(),
        Portion::Requests if line.batches > drawn => format!(
            "{} requests in {} groups",
            format::batch(line.batches),
            line.drawn
        ),
        _ if case.scenario.plan.spec().pp > 1 => "of one micro-batch".into(),
        _ => String::new(),
    }
}

fn source(case: &Evaluated, kind: TimelineLayer) -> &'static str {
    match (kind, case.scenario.plan.spec().overlap) {
        (TimelineLayer::Pipeline, _) => "a step over its stages, as many micro-batches as stages",
        (_, Overlap::TwoBatch) => "2 × max(compute, communication) of half the batch, [A] eq 49",
        (_, Overlap::Sequential) => "one after the other, [A] eq 48",
        (_, Overlap::HopB) => "attention overlaps its exchange by request, [H] 2.1.3",
    }
}

fn lane_name(lane: Lane) -> String {
    match lane {
        Lane::Compute => "compute".into(),
        Lane::Network => "comm.".into(),
        Lane::Stage(stage) => format!("stage {}", stage + 1),
    }
}

/// Busy stretches, neighbours joined.
fn busy(line: &Timeline, lane: Lane) -> Vec<(f64, f64)> {
    let least = line.span.get() * 1e-9;
    let mut busy: Vec<(f64, f64)> = Vec::new();
    for interval in line.lane(lane) {
        let (start, end) = (interval.start.get(), interval.end.get());
        match busy.last_mut() {
            Some(last) if start - last.1 <= least => last.1 = end,
            _ => busy.push((start, end)),
        }
    }
    busy
}

/// A lane's work and its bubbles, by begin.
fn marks(case: &Evaluated, kind: TimelineLayer, line: &Timeline, lane: Lane) -> Vec<TimelineMark> {
    let mut marks: Vec<TimelineMark> = line
        .lane(lane)
        .map(|interval| mark(case, kind, line, interval))
        .collect();
    marks.extend(line.gaps(lane).into_iter().map(|(from, to)| TimelineMark {
        role: Some(Role::Idle),
        name: "idle".into(),
        start_s: from.get(),
        end_s: to.get(),
        batch: 0,
        portion: String::new(),
        bound: String::new(),
        own_s: None,
    }));
    sort_by(&mut marks, |left, right| {
        left.start_s.total_cmp(&right.start_s)
    });
    marks
}

fn mark(
    case: &Evaluated,
    drawn: TimelineLayer,
    line: &Timeline,
    interval: &Interval,
) -> TimelineMark {
    let (role, name) = match interval.work {
        Work::Operator(kind) => (Some(names::role(kind.role())), kind.id().to_owned()),
        Work::Dispatch => (Some(Role::Messages), "dispatch".into()),
        Work::Combine => (Some(Role::Messages), "combine".into()),
        Work::Message(collective) => (Some(Role::Messages), collective_name(collective).into()),
        Work::Overhead => (Some(Role::Overhead), "overhead".into()),
        Work::Stage => (None, format!("{}", interval.batch + 1)),
    };
    let own = own_time(case, drawn, line, interval);
    let time = interval.time().get();
    TimelineMark {
        role,
        name,
        start_s: interval.start.get(),
        end_s: interval.end.get(),
        batch: interval.batch,
        portion: portion(line, interval.batch),
        bound: bound(case, drawn, interval.work),
        own_s: own.filter(|own| (own / time - 1.0).abs() > 1e-3),
    }
}

/// A collective's name, as short as a mark.
const fn collective_name(collective: Collective) -> &'static str {
    match collective {
        Collective::ExpertAllToAll => "all-to-all",
        Collective::HelixExchange => "exchange",
        Collective::ExpertAllGather => "gather",
        Collective::SelectionExchange => "selection",
        Collective::AttentionAllReduce
        | Collective::DenseAllReduce
        | Collective::ExpertAllReduce => "all-reduce",
    }
}

/// Time of an operator on its own roof.
fn own_time(
    case: &Evaluated,
    drawn: TimelineLayer,
    line: &Timeline,
    interval: &Interval,
) -> Option<f64> {
    let Work::Operator(kind) = interval.work else {
        return None;
    };
    let own = timed(case, drawn, kind)?.time.get();
    // HOP-B cuts attention's core into requests.
    let cut = line.portion == Portion::Requests && kind.is_attention_core();
    Some(if cut {
        own / f64::from(line.drawn)
    } else {
        own
    })
}

fn portion(line: &Timeline, batch: u32) -> String {
    let grouped = line.batches > f64::from(line.drawn);
    match line.portion {
        Portion::Whole => String::new(),
        Portion::Half => format!("half batch {}", batch + 1),
        Portion::Requests if grouped => format!("group {} of {}", batch + 1, line.drawn),
        Portion::Requests => format!("request {} of {}", batch + 1, line.drawn),
        Portion::MicroBatch => format!("micro-batch {}", batch + 1),
    }
}

fn bound(case: &Evaluated, drawn: TimelineLayer, work: Work) -> String {
    if let Work::Operator(kind) = work {
        return match timed(case, drawn, kind).map(|timed| timed.bound) {
            Some(Bound::Memory) => "memory-bound".into(),
            Some(Bound::Compute) => "compute-bound".into(),
            None => String::new(),
        };
    }
    let messages = case.evaluation.messages(&case.scenario);
    let message = work
        .collective()
        .and_then(|wanted| messages.iter().find(|message| message.collective == wanted));
    match message {
        Some(message) if message.latency / message.time > 0.5 => "mostly latency (α)".into(),
        Some(message) => match message.link {
            Link::ScaleOut => "over scale-out".into(),
            Link::ScaleUp => "over scale-up".into(),
        },
        None => String::new(),
    }
}

/// The finding, next to the question.
fn finding(data: &TimelineData) -> String {
    if !data.draws() {
        return "Nothing to time".to_owned();
    }
    let vowel = data.what.starts_with('M');
    let article = if vowel { "An" } else { "A" };
    let time = format::duration(data.span_s);
    let takes = format!("{article} {} takes {time}", data.what);
    // Pipeline stages have both compute and communication.
    let mut marks = data.lanes.iter().flat_map(|lane| &lane.marks);
    let (compute, messages) = (idle_s(data, 0), idle_s(data, 1));
    let least = data.span_s * NOTICED;
    let idles = if marks.any(|mark| mark.role.is_none()) {
        ", no stage idles".to_owned()
    } else if compute >= least {
        format!(", compute idles {}", data.share(compute))
    } else if messages >= data.span_s * (1.0 - NOTICED) {
        " without communication".to_owned()
    } else if messages >= least {
        format!(", links idle {}", data.share(messages))
    } else {
        ", and nothing idles".to_owned()
    };
    match takes.chars().count() + idles.chars().count() > LONGEST {
        true => takes,
        false => takes + &idles,
    }
}

/// Idle time of a lane.
fn idle_s(data: &TimelineData, lane: usize) -> f64 {
    let marks = data.lanes.get(lane).map_or(&[][..], |lane| &lane.marks);
    let idle = marks.iter().filter(|mark| mark.is_idle());
    idle.map(TimelineMark::time_s).sum()
}

/// Characters that fit beside the question.
const LONGEST: usize = 50;

/// Idle share of a layer from which the title says so.
const NOTICED: f64 = 0.005;
