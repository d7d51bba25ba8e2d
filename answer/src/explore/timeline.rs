//! "What overlaps?": one layer of each type and one pipeline round over time, as lanes of compute and communication
//! with their bubbles.

mod drawing;

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

use crate::case::Evaluated;
use crate::chart::prelude::*;
use crate::words::names;
use drawing::{LaneBars, Line, Pinned, Stretch};

/// Shape of the chart. On a phone, it is below the buttons that select the layer type.
pub const SHAPE: Shape = Shape::Phone {
    to: 430.0,
    px: 234.0,
    of: 0.42,
    between: [268.0, 320.0],
};

/// Timelines of all layer types; the first is shown by default.
#[derive(Debug, Clone, PartialEq)]
pub struct Timelines(Vec<ShownLayer>);

/// Timeline of one layer type, which the user can choose.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownLayer {
    /// Identifier of the layer type.
    pub layer: TimelineLayer,
    /// Name of the timeline: `MoE layer`, `round`.
    pub what: String,
    /// Number of layers of this type in a step: `58 of 61 layers`.
    pub often: String,
    /// Chart of the timeline's lanes.
    pub chart: Arc<Chart>,
}

impl Timelines {
    /// Returns the chosen timeline if it exists, else the first.
    pub fn pick(&self, chosen: Option<TimelineLayer>) -> Option<&ShownLayer> {
        let found = self.0.iter().find(|of| Some(of.layer) == chosen);
        found.or(self.0.first())
    }

    /// Lists the timelines to choose from, each with its name and its number of layers per step.
    pub fn choices(&self) -> Vec<(TimelineLayer, String, String)> {
        let words = |of: &ShownLayer| {
            let name = match of.layer {
                TimelineLayer::Pipeline => "pipeline".into(),
                TimelineLayer::Moe | TimelineLayer::Dense | TimelineLayer::Group(_) => {
                    of.what.clone()
                }
            };
            (of.layer, name, of.often.clone())
        };
        self.0.iter().map(words).collect()
    }
}

/// Computes the timelines of a scenario, with the pinned scenario's timelines for comparison.
pub fn data(case: &Evaluated, pinned: Option<&Evaluated>) -> Timelines {
    let mut all: Vec<TimelineLayer> = kinds(&case.scenario.arch)
        .into_iter()
        .map(|part| match part {
            OperatorRole::Experts => TimelineLayer::Moe,
            _ => TimelineLayer::Dense,
        })
        .collect();
    let named: Vec<Option<Group>> = all.iter().map(|layer| group(case, *layer)).collect();
    // Add the layer groups that are not listed yet.
    let others = (0..).zip(case.scenario.arch.groups());
    all.extend(
        others
            .filter(|(_, group)| !named.contains(&Some(**group)))
            .map(|(number, _)| TimelineLayer::Group(number)),
    );
    if case.scenario.plan.spec().pp > 1 {
        all.push(TimelineLayer::Pipeline);
    }
    let one = |layer: TimelineLayer| timeline(case, pinned, layer);
    Timelines(all.into_iter().map(one).collect())
}

fn timeline(case: &Evaluated, pinned: Option<&Evaluated>, kind: TimelineLayer) -> ShownLayer {
    let line = line(case, kind);
    let lanes = line.lanes();
    let theirs = pinned
        .filter(|pinned| has(pinned, kind) && same(case, pinned, kind))
        .map(|pinned| self::line(pinned, kind));
    let drawn = Line {
        span_s: line.span.get(),
        swap_s: (line.portion == Portion::Half).then(|| line.span.get() / 2.0),
        note: note(case, &line),
        pinned: theirs.map(|theirs| Pinned {
            span_s: theirs.span.get(),
            busy: match kind {
                TimelineLayer::Pipeline => Vec::new(),
                _ => lanes.iter().map(|lane| busy(&theirs, *lane)).collect(),
            },
        }),
        lanes: lanes
            .into_iter()
            .map(|lane| LaneBars {
                name: lane_name(lane),
                marks: stretches(case, kind, &line, lane),
            })
            .collect(),
    };
    let ffn = group(case, kind).and_then(|group| case.scenario.arch.ffn_of(&group));
    let article = match ffn {
        Some(Ffn::Moe(_)) => "An",
        _ => "A",
    };
    let (what, often) = (what(case, kind), often(case, kind));
    let marks: Vec<(usize, &Stretch)> = drawn.marks().collect();
    let rows = Rows::of(&marks)
        .col("lane", "", |(lane, _)| drawn.lanes[*lane].name.clone())
        .col("what", "", |(_, mark)| mark.name.clone())
        .col("of", "", |(_, mark)| mark.portion.clone())
        .col("start", "µs", |(_, mark)| mark.start_s * 1e6)
        .col("end", "µs", |(_, mark)| mark.end_s * 1e6)
        .col("time", "µs", |(_, mark)| mark.time_s() * 1e6)
        .col("fraction of layer", "%", |(_, mark)| {
            mark.time_s() / drawn.span_s * 100.0
        })
        .col("bound", "", |(_, mark)| mark.bound.clone())
        .telling(|(_, mark)| {
            let aside = if mark.portion.is_empty() {
                &often
            } else {
                &mark.portion
            };
            let share = TipRow::plain(format!("of one {what}"), drawn.share(mark.time_s()));
            let tip = Tooltip::new(&mark.name, aside, source(case, kind));
            tip.rows(mark.tips(share))
        });
    let all = 0..rows.len();
    let chart = Chart {
        finding: finding(&drawn, article, &what),
        rows,
        own: drawn.draws().then(|| Own::new(drawn, all)),
        empty: "no layer to show".into(),
        shape: SHAPE,
        ..Chart::default()
    };
    ShownLayer {
        layer: kind,
        what,
        often,
        chart: Arc::new(chart),
    }
}

/// Names a timeline: "MoE layer", or "MoE layer, window 128" if the LLM has several attention types.
fn what(case: &Evaluated, kind: TimelineLayer) -> String {
    let arch = &case.scenario.arch;
    let Some(group) = group(case, kind) else {
        return "round".into();
    };
    let name = match arch.ffn_of(&group) {
        Some(Ffn::Moe(_)) => "MoE layer",
        Some(Ffn::Dense(_)) if arch.expert_layers() > 0 => "dense layer",
        Some(Ffn::Dense(_)) => "layer",
        None => "no-FFN layer",
    };
    match arch.mixer_of(&group) {
        Some(mixer) if names::mixers(arch).len() > 1 => {
            format!("{name}, {}", names::mixer_name(mixer))
        }
        None => format!("{name}, no attention"),
        Some(_) => name.into(),
    }
}

/// Returns the layer group that a timeline shows; `None` for the pipeline.
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

/// Returns the timed operator of this kind in the layers that a timeline shows.
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

/// True if the timelines of both scenarios can be compared. If a layer group is identified by its index, both LLMs
/// must have the same architecture.
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
            format!("{} of {} stages; steady state", line.drawn, line.batches)
        }
        Portion::MicroBatch => "steady state: no pipeline fill or drain".into(),
        Portion::Requests if line.batches > drawn => format!(
            "{} requests in {} groups",
            format::batch(line.batches),
            line.drawn
        ),
        _ if case.scenario.plan.spec().pp > 1 => "per micro-batch".into(),
        _ => String::new(),
    }
}

fn source(case: &Evaluated, kind: TimelineLayer) -> &'static str {
    match (kind, case.scenario.plan.spec().overlap) {
        (TimelineLayer::Pipeline, _) => "one step over all stages, one micro-batch per stage",
        (_, Overlap::TwoBatch) => "2 × max(compute, communication) at half batch, [A] eq 49",
        (_, Overlap::Sequential) => "sequential, [A] eq 48",
        (_, Overlap::HopB) => "attention overlaps the KVP exchange request by request, [H] 2.1.3",
    }
}

fn lane_name(lane: Lane) -> String {
    match lane {
        Lane::Compute => "compute".into(),
        Lane::Network => "comm.".into(),
        Lane::Stage(stage) => format!("stage {}", stage + 1),
    }
}

/// Returns the busy intervals of a lane; adjacent intervals are merged.
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

/// Returns the work and the idle intervals of a lane, ordered by start time.
fn stretches(case: &Evaluated, kind: TimelineLayer, line: &Timeline, lane: Lane) -> Vec<Stretch> {
    let mut marks: Vec<Stretch> = line
        .lane(lane)
        .map(|interval| mark(case, kind, line, interval))
        .collect();
    marks.extend(line.gaps(lane).into_iter().map(|(from, to)| Stretch {
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

fn mark(case: &Evaluated, drawn: TimelineLayer, line: &Timeline, interval: &Interval) -> Stretch {
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
    Stretch {
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

/// Returns a collective's name, short enough for a bar of the timeline.
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

/// Returns the time of an operator under its own roofline, even if a block of several operators is timed as a whole.
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
    // HOP-B splits the attention kernel by request.
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
        Some(message) if message.latency / message.time > 0.5 => "latency-bound (α)".into(),
        Some(message) => match message.link {
            Link::ScaleOut => "over scale-out".into(),
            Link::ScaleUp => "over scale-up".into(),
        },
        None => String::new(),
    }
}

fn finding(data: &Line, article: &str, what: &str) -> String {
    if !data.draws() {
        return "No step to show".to_owned();
    }
    let time = format::duration(data.span_s);
    let takes = format!("{article} {what} takes {time}");
    // Pipeline stages have both compute and communication.
    let mut marks = data.lanes.iter().flat_map(|lane| &lane.marks);
    let (compute, messages) = (idle_s(data, 0), idle_s(data, 1));
    let least = data.span_s * NOTICED;
    let idles = if marks.any(|mark| mark.role.is_none()) {
        ", no idle stage".to_owned()
    } else if compute >= least {
        format!(", compute idle {}", data.share(compute))
    } else if messages >= data.span_s * (1.0 - NOTICED) {
        " without communication".to_owned()
    } else if messages >= least {
        format!(", links idle {}", data.share(messages))
    } else {
        ", no idle time".to_owned()
    };
    match takes.chars().count() + idles.chars().count() > LONGEST {
        true => takes,
        false => takes + &idles,
    }
}

fn idle_s(data: &Line, lane: usize) -> f64 {
    let marks = data.lanes.get(lane).map_or(&[][..], |lane| &lane.marks);
    let idle = marks.iter().filter(|mark| mark.is_idle());
    idle.map(Stretch::time_s).sum()
}

/// Maximum length, in characters, of the chart's finding (its one-line result) next to its question.
const LONGEST: usize = 50;

/// Smallest idle fraction of a layer's time that the chart's finding reports.
const NOTICED: f64 = 0.005;
