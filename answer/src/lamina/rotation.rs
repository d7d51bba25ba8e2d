//! "Idle time": how batches rotate over model replicas, network and memory devices.

use super::SplitCase;
use crate::chart::prelude::*;
use crate::explain::OpeningChart;
use model_core::account::Quantity;
use model_core::lamina::timeline::{self, SplitWork as Work, timeline};
use model_core::order::sort_by;

const SOURCE: &str = "rotational staggered pipelining, [L] 4.3";

/// Height of the chart, in CSS px. It does not depend on the number of lanes, so that content below the chart does
/// not shift.
pub const SHAPE: Shape = Shape::Px(268.0);
const LEAST_LANES: f64 = 4.0;

#[derive(Clone, Debug, PartialEq)]
struct Rotation {
    lanes: Vec<Lane>,
    /// Bars ordered by lane and start time. When drawn, they are clipped to the plotted time window.
    bars: Vec<Bar>,
    window_s: f64,
}

#[derive(Clone, Debug, PartialEq)]
struct Lane {
    name: String,
    /// Short lane name for narrow charts: `R1`.
    short: String,
    /// Fraction of the time for which the lane is busy.
    busy: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Bar {
    lane: usize,
    role: Role,
    batch: u32,
    what: &'static str,
    /// Quantity whose derivation opens when the bar is clicked; it includes the bar's time.
    opens: Quantity,
    /// Index of the layer among the drawn layers, starting at 1.
    layer: u32,
    /// Start time in seconds from the start of the plotted time window; may be negative.
    start_s: f64,
    /// End time in seconds from the start of the plotted time window; may be after the window's end.
    end_s: f64,
}

const fn rounds(batches: u32) -> u32 {
    if batches <= 3 { 2 } else { 1 }
}

fn batch_name(batch: u32) -> String {
    (batch + 1).to_string()
}

pub(super) fn chart(case: &SplitCase) -> OpeningChart {
    let (setup, split) = (&case.setup, &case.split);
    let line = timeline(setup, split, rounds(setup.batches));
    let step = split.step.get();
    let batches = f64::from(setup.batches);
    let share = |busy: f64| (busy / step).min(1.0);
    let times = &split.times;
    let mut lanes: Vec<Lane> = (1..=setup.replicas)
        .map(|replica| Lane {
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
        ("network, to memory", "out", sent),
        ("memory", "mem", split.attention_busy.get()),
        (
            "network, to compute",
            "back",
            times.send_output.get() * batches,
        ),
    ];
    lanes.extend(rest.map(|(name, short, busy)| Lane {
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
    let mut rotation = Rotation {
        lanes,
        bars: Vec::new(),
        window_s: (line.end - line.start).get(),
    };
    let mut bars: Vec<Bar> = line
        .intervals
        .iter()
        .map(|interval| {
            let lane = match interval.lane {
                timeline::SplitLane::Replica(replica) => replica as usize,
                timeline::SplitLane::Send => replicas,
                timeline::SplitLane::Memory => replicas + 1,
                timeline::SplitLane::Return => replicas + 2,
            };
            use Quantity as Q;
            let (role, what, opens) = match interval.work {
                Work::Slice => (feed_forward, "model slice", Q::LaminaModel),
                Work::KeyValue => (Role::Attention, "K, V projection", Q::LaminaModel),
                Work::Inputs => (Role::Messages, "Q, K, V", Q::LaminaNetwork),
                Work::Attention => (Role::Attention, "attention", Q::LaminaAttention),
                Work::Output => (Role::Messages, "attention output", Q::LaminaNetwork),
            };
            Bar {
                lane,
                role,
                batch: interval.batch,
                what,
                opens,
                layer: interval.layer + 1,
                start_s: interval.start.get() - origin,
                end_s: interval.end.get() - origin,
            }
        })
        .filter(|bar| rotation.shows(bar))
        .collect();
    sort_by(&mut bars, |a, b| {
        a.lane.cmp(&b.lane).then(a.start_s.total_cmp(&b.start_s))
    });
    rotation.bars = bars;
    let (compute, memory) = (
        format::share(share(split.model_busy.get())),
        format::share(share(split.attention_busy.get())),
    );
    let lane = |bar: &Bar| &rotation.lanes[bar.lane];
    let rows = Rows::of(&rotation.bars)
        .col("lane", "", |bar| lane(bar).name.clone())
        .col("batch", "", |bar| batch_name(bar.batch))
        .col("layer", "", |bar| f64::from(bar.layer))
        .col("work", "", |bar| bar.what)
        .col("begin", "µs", |bar| bar.start_s * 1e6)
        .col("end", "µs", |bar| bar.end_s * 1e6)
        .telling(|bar| {
            let title = format!("Batch {}", batch_name(bar.batch));
            let busy = format!("busy {}", format::share(lane(bar).busy));
            Tooltip::new(title, format!("layer {}", bar.layer), SOURCE)
                .part(
                    bar.role,
                    bar.what,
                    format::duration(bar.end_s - bar.start_s),
                )
                .row(&lane(bar).name, busy)
        });
    let all = 0..rows.len();
    let opens = rotation.bars.iter().map(|bar| Some(bar.opens)).collect();
    let chart = Chart {
        finding: format!("Utilization: compute {compute}, memory {memory}"),
        own: (!rows.is_empty()).then(|| Own::new(rotation, all)),
        rows,
        empty: "no step to show".into(),
        shape: SHAPE,
        ..Chart::default()
    };
    OpeningChart::new(chart, opens)
}

impl Rotation {
    /// Returns the start and end of a bar, clipped to the plotted time window.
    const fn shown(&self, bar: &Bar) -> [f64; 2] {
        [bar.start_s.max(0.0), bar.end_s.min(self.window_s)]
    }

    fn shows(&self, bar: &Bar) -> bool {
        let [start, end] = self.shown(bar);
        (end - start).is_finite() && end - start > self.window_s * 1e-6
    }
}

impl Painter for Rotation {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let narrow = pen.canvas.width() < 430.0;
        let left = if narrow { 44.0 } else { 92.0 };
        let area = plot_area(&pen.canvas, left, 8.0);
        let window = Scale::linear(0.0, self.window_s);
        let plot = Plot::new(area, window, Scale::linear(0.0, 1.0));
        lanes::time_axis(pen, &plot, lanes::unit(self.window_s), "", 56.0, Vec::new());
        let pitch = (area.height() - 6.0) / (self.lanes.len() as f64).max(LEAST_LANES);
        let bar_px = (pitch * 0.66).min(34.0);
        let row = |lane: usize| {
            let top = area.top + lane as f64 * pitch + (pitch - bar_px) / 2.0;
            rect(area.left, top, area.right, top + bar_px)
        };
        for (index, lane) in self.lanes.iter().enumerate() {
            lane_name(pen, lane, &row(index), narrow);
            marks::idle(pen, row(index), 0.0);
        }
        let mut boxes = Vec::new();
        for bar in &self.bars {
            let [start, end] = self.shown(bar).map(|at| plot.x_at(at));
            let place = row(bar.lane).across(start, end);
            lanes::stretch(pen, place, bar.role, 0.0);
            let ink = pen.theme.role(bar.role).on_fill;
            let name = Words::label(batch_name(bar.batch), ink).bold();
            marks::inside(pen, &place.grown(2.0), [name], Align::Middle, None);
            boxes.push(place);
        }
        Hits::boxes(boxes)
    }
}

/// Writes a lane's name at the left edge and, if there is room, the lane's busy fraction below the name.
fn lane_name(pen: &mut Pen<'_>, lane: &Lane, row: &Rect, narrow: bool) {
    let name = if narrow { &lane.short } else { &lane.name };
    let name = Words::tick(name.as_str(), pen.theme.ink_2);
    let middle = row.centre().y;
    if narrow || row.height() <= 21.0 {
        let at = point(0.0, middle);
        pen.write_about(&name, at, Align::Start, None);
        return;
    }
    let busy = format!("{} busy", format::share(lane.busy));
    let busy = Words::tick(busy, pen.theme.ink_3);
    for (words, baseline) in [(name, middle - 2.0), (busy, middle + 11.0)] {
        pen.write_if_free(&words, point(0.0, baseline), Align::Start, None);
    }
}
