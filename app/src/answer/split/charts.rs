//! Chart data of a split's time: parts of a step, the network it needs, and the rotation of batches.

use model_core::disagg::split::bandwidth::minimum_bandwidth;
use model_core::disagg::split::timeline::{self, SplitWork as Work, timeline};
use model_core::math;
use model_core::ops::OperatorRole;
use model_core::order::sort_by;
use model_core::order::sort_numbers;

use super::SplitCase;
use crate::answer::names;
use crate::charts::split::{
    BandwidthData, ContextLine, PartOfStep, PartsData, PartsRow, RotationBar, RotationData,
    RotationLane,
};
use crate::format;
use crate::theme::Role;

/// A step of the split beside one of the homogeneous cluster.
pub fn parts(case: &SplitCase) -> PartsData {
    let mut rows = vec![split_row(case)];
    rows.extend(other_row(case));
    let split = &case.split;
    let finding = match &case.other {
        Some(other) => {
            let factor = split.step / other.evaluation.step;
            let batch = case.setup.batch() / other.scenario.workload.batch;
            format!(
                "{} the step for {} the batch",
                format::factor(factor),
                format::factor(batch)
            )
        }
        None => format!(
            "{} on the network, of {}",
            format::millis(split.times.network().get()),
            format::millis(split.step.get())
        ),
    };
    PartsData {
        rows,
        finding,
        source: "MTIME, ATIME and traffic, [L] 3.1".into(),
    }
}

/// Projections, feed-forward, head: what [`model_core::ops::Role`] calls them, with attention's core apart.
fn part(role: OperatorRole, time_s: f64, place: &str) -> PartOfStep {
    let (name, short) = match role {
        OperatorRole::Attention => ("projections", "proj."),
        OperatorRole::Dense => ("dense layers", "dense"),
        OperatorRole::Experts => ("experts", "experts"),
        OperatorRole::Head => ("output head", "head"),
    };
    PartOfStep {
        name: name.into(),
        short,
        role: names::role(role),
        place: place.to_owned(),
        time_s,
    }
}

/// "on 16 H100".
fn side_name(gpus: u32, name: &str) -> String {
    format!("on {gpus} {name}")
}

fn split_row(case: &SplitCase) -> PartsRow {
    let (setup, split) = (&case.setup, &case.split);
    let times = &split.times;
    // Overlap covers the network first, then the projection of keys and values.
    let hidden = split.hidden.get();
    let network = times.network().get();
    let of_network = hidden.min(network);
    let of_model = hidden - of_network;
    let compute = side_name(setup.compute_gpus, case.compute_name());
    let memory = side_name(setup.memory_gpus, case.memory_name());
    let mut parts: Vec<PartOfStep> = OperatorRole::ALL
        .into_iter()
        .zip(times.roles)
        .map(|(role, time)| {
            let less = if role == OperatorRole::Attention {
                of_model
            } else {
                0.0
            };
            part(role, (time.get() - less).max(0.0), &compute)
        })
        .collect();
    parts.push(PartOfStep {
        name: "their communication".into(),
        short: "comm.",
        role: Role::Messages,
        place: compute.clone(),
        time_s: times.collectives.get(),
    });
    parts.push(PartOfStep {
        name: "kernel launch and framework overhead".into(),
        short: "overhead",
        role: Role::Overhead,
        place: compute.clone(),
        time_s: times.overhead.get(),
    });
    parts.push(PartOfStep {
        name: "network".into(),
        short: "net",
        role: Role::Messages,
        place: "between them".into(),
        time_s: network - of_network,
    });
    parts.push(PartOfStep {
        name: "attention over the cache".into(),
        short: "attention",
        role: Role::Attention,
        place: memory,
        time_s: times.attention.get(),
    });
    parts.push(PartOfStep {
        name: "idle".into(),
        short: "idle",
        role: Role::Idle,
        place: "for a busy device".into(),
        time_s: split.waiting.get(),
    });
    PartsRow {
        title: "Lamina",
        name: case.name(),
        aside: match setup.batches {
            1 => format!("{} sequences", format::count(setup.batch())),
            j => format!(
                "each of {} batches of {}",
                format::in_words(j as usize),
                format::batch(setup.batch_each())
            ),
        },
        parts,
        hidden_s: hidden,
        hidden_name: "of the network",
        tokens_per_s: split.tokens,
    }
}

fn other_row(case: &SplitCase) -> Option<PartsRow> {
    let other = case.other.as_ref()?;
    let breakdown = &other.evaluation.breakdown;
    let core = other.attention().get();
    let place = format!("on each of {}", case.other_name()?);
    let mut parts: Vec<PartOfStep> = OperatorRole::ALL
        .into_iter()
        .map(|role| {
            let less = if role == OperatorRole::Attention {
                core
            } else {
                0.0
            };
            part(role, (breakdown.of(role).get() - less).max(0.0), &place)
        })
        .collect();
    parts.push(PartOfStep {
        name: "communication".into(),
        short: "comm.",
        role: Role::Messages,
        place: "between them".into(),
        time_s: (breakdown.messages - breakdown.hidden).get().max(0.0),
    });
    parts.push(PartOfStep {
        name: "kernel launch and framework overhead".into(),
        short: "overhead",
        role: Role::Overhead,
        place: place.clone(),
        time_s: breakdown.overhead.get(),
    });
    parts.push(PartOfStep {
        name: "attention over the cache".into(),
        short: "attention",
        role: Role::Attention,
        place,
        time_s: core,
    });
    Some(PartsRow {
        title: "Colocated",
        name: case.other_name()?,
        aside: format!("{} sequences", format::count(other.scenario.workload.batch)),
        parts,
        hidden_s: breakdown.hidden.get(),
        hidden_name: "of communication",
        tokens_per_s: other.evaluation.tokens,
    })
}

/// Samples over the batch.
const SAMPLES: i32 = 48;

/// The least bandwidth over the batch, at the context and at a quarter and four times of it.
pub fn bandwidth(case: &SplitCase) -> BandwidthData {
    let setup = &case.setup;
    let each = f64::from(setup.batches);
    let now = setup.batch_each();
    let most = case.split.capacity / each;
    let last = (2.0 * now).max(most).max(8.0);
    let ratio = math::pow(last, 1.0 / f64::from(SAMPLES - 1));
    let mut batch = 1.0;
    let mut batches: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let at = batch;
            batch *= ratio;
            f64::min(at, last)
        })
        .collect();
    batches.push(now);
    sort_numbers(&mut batches);
    batches.dedup();
    batches.retain(|batch| *batch >= now.min(1.0));
    let at = |context: f64, batch: f64| {
        let there = setup.with_context(context).with_batch(batch * each);
        minimum_bandwidth(&there).map(|bandwidth| bandwidth.get())
    };
    let context = setup.context();
    let lines = [context, context / 4.0, context * 4.0]
        .into_iter()
        .filter(|tokens| *tokens >= 1.0)
        .map(|context| ContextLine {
            context,
            points: batches
                .iter()
                .filter_map(|batch| Some((*batch, at(context, *batch)?)))
                .collect(),
        })
        .collect();
    BandwidthData {
        lines,
        now: (now, at(context, now).unwrap_or(0.0)),
        net_bytes_per_s: setup.net.get(),
        capacity: (case.split.capacity >= 1.0).then_some(most),
        enough_for: enough_for(&at, context, setup.net.get(), last),
        slow_down: setup.slow_down,
        source: "(2 + 2/G)·e·d·B·L ÷ α(MTIME + ATIME), [L] 3.1".into(),
    }
}

/// The most sequences of a batch for which the network is enough, where that ends within the plot.
fn enough_for(
    at: &impl Fn(f64, f64) -> Option<f64>,
    context: f64,
    net: f64,
    last: f64,
) -> Option<f64> {
    let enough = |batch: f64| at(context, batch).is_some_and(|bytes| bytes <= net);
    if !enough(1.0) || enough(last) {
        return None;
    }
    let (mut low, mut high) = (1.0, last);
    while high / low > 1.001 && high - low > 0.5 {
        let middle = (low * high).sqrt();
        if enough(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low.floor().max(1.0))
}

/// Rounds in the window: two of two batches, one of many.
const fn rounds(batches: u32) -> u32 {
    if batches <= 3 { 2 } else { 1 }
}

/// Rotational staggered pipelining over replicas, network and memory devices.
pub fn rotation(case: &SplitCase) -> RotationData {
    let (setup, split) = (&case.setup, &case.split);
    let line = timeline(setup, split, rounds(setup.batches));
    let step = split.step.get();
    let batches = f64::from(setup.batches);
    let share = |busy: f64| (busy / step).min(1.0);
    let times = &split.times;
    let mut lanes: Vec<RotationLane> = (1..=setup.replicas)
        .map(|replica| RotationLane {
            name: if setup.replicas == 1 {
                "compute".into()
            } else {
                format!("replica {replica}")
            },
            short: if setup.replicas == 1 {
                "comp".into()
            } else {
                format!("R{replica}")
            },
            busy: share(split.model_busy.get()),
        })
        .collect();
    let sent = (times.send_query + times.send_key_value).get() * batches;
    let rest = [
        ("network out", "out", sent),
        ("memory", "mem", split.attention_busy.get()),
        ("network back", "back", times.send_output.get() * batches),
    ];
    lanes.extend(rest.map(|(name, short, busy)| RotationLane {
        name: name.into(),
        short: short.into(),
        busy: share(busy),
    }));
    let replicas = setup.replicas as usize;
    let feed_forward = if setup.compute.arch.is_moe() {
        Role::Experts
    } else {
        Role::Dense
    };
    let origin = line.start.get();
    let mut bars: Vec<RotationBar> = line
        .intervals
        .iter()
        .map(|interval| {
            let lane = match interval.lane {
                timeline::SplitLane::Replica(replica) => replica as usize,
                timeline::SplitLane::Send => replicas,
                timeline::SplitLane::Memory => replicas + 1,
                timeline::SplitLane::Return => replicas + 2,
            };
            let (role, what) = match interval.work {
                Work::Slice => (feed_forward, "slice of the model"),
                Work::KeyValue => (Role::Attention, "key and value projection"),
                Work::Inputs => (Role::Messages, "query, key, value"),
                Work::Attention => (Role::Attention, "attention"),
                Work::Output => (Role::Messages, "attention's output"),
            };
            RotationBar {
                lane,
                role,
                batch: interval.batch,
                what,
                layer: interval.layer + 1,
                start_s: interval.start.get() - origin,
                end_s: interval.end.get() - origin,
            }
        })
        .filter(|bar| bar.end_s > 0.0 && bar.start_s < (line.end - line.start).get())
        .collect();
    sort_by(&mut bars, |a, b| {
        a.lane.cmp(&b.lane).then(a.start_s.total_cmp(&b.start_s))
    });
    let (compute, memory) = (
        format::share(share(split.model_busy.get())),
        format::share(share(split.attention_busy.get())),
    );
    RotationData {
        lanes,
        bars,
        window_s: (line.end - line.start).get(),
        finding: format!("Compute is busy {compute}, memory {memory}"),
        source: "rotational staggered pipelining, [L] 4.3".into(),
    }
}
