//! The chart "What happens in a step?": a timeline of two periods of an A:F split. In each period, every sequence
//! gains one token.

use super::EvaluatedUnit;
use crate::chart::prelude::*;
use crate::explain::OpeningChart;
use model_core::account::Quantity;
use model_core::afd::latency::LatencyLine as Line;
use model_core::afd::lengths::LengthModel;
use model_core::afd::ratio::RatioPoint as Point;
use model_core::afd::simulate::{Setup, SimulatedStep, Simulation, SimulationEnd, StepInterval};
use model_core::apart::Scatter;
use model_core::units::Seconds;
use worker::simulate::SimulateAnswer;

/// A lane of the timeline: name, short name, role, its time interval in a step, and the quantity that a click
/// explains.
type Lane = (
    &'static str,
    &'static str,
    Role,
    fn(&SimulatedStep) -> Option<StepInterval>,
    Quantity,
);

const LANES: [Lane; 4] = [
    (
        "attention",
        "attn",
        Role::Attention,
        |step| step.attention.first().copied(),
        Quantity::AfdAttention,
    ),
    (
        "A→F links",
        "out",
        Role::Messages,
        |step| Some(step.out),
        Quantity::AfdCommunication,
    ),
    (
        "FFN",
        "FFN",
        Role::Experts,
        |step| Some(step.ffn),
        Quantity::AfdFfn,
    ),
    (
        "F→A links",
        "back",
        Role::Messages,
        |step| Some(step.back),
        Quantity::AfdCommunication,
    ),
];

/// Number of requests to simulate for the timeline; each has one output token.
const DERIVED: u32 = 40;
const SOURCE: &str = "analytical; all attention ranks identical";

/// Builds the timeline of two periods of the current A:F split from analytical times. The chart's finding (its
/// one-line result) also states the simulated TPOT.
pub fn steps(case: &EvaluatedUnit, simulated: Option<&SimulateAnswer>) -> OpeningChart {
    let outcome = derived(case).filter(|_| case.has_division());
    let steps = outcome.and_then(|of| Steps::of(&of.timeline));
    let takes = format::duration(case.asked.tpot.get());
    let finding = match (simulated.and_then(|answer| answer.points.first()), &steps) {
        (_, None) => "No A:F split".to_owned(),
        (Some(point), _) => format!("{takes}; simulated {}", format::duration(point.tpot_s)),
        (None, _) => format!("{takes} per token for every sequence"),
    };
    let bars = steps.as_ref().map_or(&[][..], |steps| &steps.bars);
    let rows = Rows::of(bars)
        .col("what", "", |bar| LANES[bar.lane].0)
        .col("batch", "", |bar| bar.batch as f64 + 1.0)
        .col("begins", "ms", |bar| bar.start_s * 1e3)
        .col("takes", "ms", |bar| bar.takes_s * 1e3)
        .telling(|bar| {
            let (name, _, role, ..) = LANES[bar.lane];
            Tooltip::new(name, format!("batch {}", bar.batch + 1), SOURCE)
                .part(role, "takes", format::duration(bar.takes_s))
                .row("starts at", format::duration(bar.start_s))
        });
    let all = 0..rows.len();
    let opens = bars.iter().map(|bar| Some(LANES[bar.lane].4)).collect();
    let chart = Chart {
        finding,
        rows,
        own: steps.map(|steps| Own::new(steps, all)),
        empty: "no A:F split to plot".into(),
        shape: SHAPE,
        ..Chart::default()
    };
    OpeningChart::new(chart, opens)
}

/// Simulates one attention rank and one FFN rank with the analytical times.
fn derived(case: &EvaluatedUnit) -> Option<SimulationEnd> {
    let Point {
        attention,
        messages,
        ffn,
        ..
    } = case.asked;
    Simulation::run(Setup {
        attention_instances: 1,
        ffn_instances: 1,
        slots: 1,
        attention: Line {
            slope: Seconds::ZERO,
            intercept: attention,
        },
        ffn,
        messages,
        lengths: LengthModel::of(Scatter::Fixed, 1.0, 1.0),
        requests: DERIVED,
        seed: 1,
    })
}

/// The timeline's bars for two periods; it starts when the batch labeled 1 starts attention.
#[derive(Clone, Debug, PartialEq)]
struct Steps {
    /// Bars ordered by lane and, within a lane, by time.
    bars: Vec<Bar>,
    /// End of each period, in seconds from the start of the chart; the chart ends with the second period.
    periods_s: [f64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Bar {
    lane: usize,
    /// Start of the bar in seconds from the left edge of the chart, clipped to the chart.
    start_s: f64,
    end_s: f64,
    /// Index of the batch, 0 or 1; two batches are in flight.
    batch: usize,
    /// Full duration of the bar, including any clipped part.
    takes_s: f64,
}

impl Steps {
    fn of(steps: &[SimulatedStep]) -> Option<Self> {
        let begins = |index: usize| Some(steps.get(index)?.attention.first()?.start.get());
        // The chart starts at step 1, while step 0 is still running.
        let (begin, middle, end) = (begins(1)?, begins(3)?, begins(5)?);
        let ascending = begin < middle && middle < end && (end - begin).is_finite();
        let bar = |lane: usize, step: &SimulatedStep| {
            let interval = LANES[lane].3(step)?;
            let (start, stop) = (interval.start.get(), interval.end.get());
            let (from, to) = (start.max(begin), stop.min(end));
            (to > from).then(|| Bar {
                lane,
                start_s: from - begin,
                end_s: to - begin,
                batch: usize::from(step.batch != steps[1].batch),
                takes_s: stop - start,
            })
        };
        let lane = |lane| steps.iter().filter_map(move |step| bar(lane, step));
        ascending.then(|| Self {
            bars: (0..LANES.len()).flat_map(lane).collect(),
            periods_s: [middle - begin, end - begin],
        })
    }
}

/// Fraction of background color in the fill of the second batch's bars.
const SECOND: f64 = 0.42;
/// Distance in px from one lane to the next: on a phone, and on wider screens.
const PITCH_PX: [f64; 2] = [23.0, 34.0];
const GAP_PX: f64 = 5.0;
const PHONE_PX: f64 = 440.0;
const TOP_PX: f64 = 4.0;
const FOOT_PX: f64 = 20.0;
const NAMES_PX: f64 = 118.0;
const SHORT_NAMES_PX: f64 = 62.0;
/// Chart width in px below which lanes have short names.
const NARROW_PX: f64 = 560.0;

/// Height of the chart, computed from the number of lanes; smaller on a phone.
pub const SHAPE: Shape = Shape::Phone {
    to: PHONE_PX,
    px: height_px(PITCH_PX[0]),
    of: 0.0,
    between: [height_px(PITCH_PX[1]); 2],
};

const fn height_px(pitch: f64) -> f64 {
    TOP_PX + LANES.len() as f64 * pitch + FOOT_PX
}

impl Painter for Steps {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let narrow = pen.canvas.width() < NARROW_PX;
        let names = if narrow { SHORT_NAMES_PX } else { NAMES_PX };
        let area = plot_area(&pen.canvas, names, TOP_PX);
        let bottom = (pen.canvas.bottom - FOOT_PX).max(TOP_PX + 1.0);
        let area = Rect { bottom, ..area };
        let [first, span] = self.periods_s;
        let plot = Plot::new(area, Scale::linear(0.0, span), Scale::linear(0.0, 1.0));
        self.axis(pen, &plot);
        // In a taller chart, each lane is higher.
        let pitch = area.height() / LANES.len() as f64;
        for at in self.periods_s {
            let x = plot.x_at(at);
            pen.reserve(rect(x - 1.5, area.top, x + 1.5, area.bottom));
        }
        let mut boxes = Vec::new();
        for (index, (name, short, role, ..)) in LANES.into_iter().enumerate() {
            let top = area.top + index as f64 * pitch + GAP_PX / 2.0;
            let row = area.down(top, top + pitch - GAP_PX);
            let name = if narrow { short } else { name };
            lanes::name(pen, &row, &Words::note(name, pen.theme.ink_2));
            let bars: Vec<&Bar> = self.bars.iter().filter(|bar| bar.lane == index).collect();
            idle(pen, &plot, &row, &bars, first);
            let mut free = row.left;
            for bar in bars {
                let named = bar.end_s <= first * 1.02;
                let [left, right] = [bar.start_s, bar.end_s].map(|time| plot.x_at(time));
                // Leave a gap of 0.8 px between adjacent bars.
                let area = row.across(left, (right - 0.8).max(left + 0.5));
                draw_bar(pen, (area, free), role, bar, named);
                free = area.right;
                boxes.push(area);
            }
        }
        for at in [0.0, first, span] {
            let x = plot.x_at(at);
            let ink = stroke(pen.theme.ink_1, size::ROOF_PX);
            pen.line(point(x, area.top - 2.0), point(x, area.bottom), ink);
        }
        Hits::boxes(boxes)
    }
}

impl Steps {
    /// Draws the time axis, with the end times of both periods in bold. The first end time is labeled "per token for
    /// every sequence".
    fn axis(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let [first, span] = self.periods_s;
        let unit = lanes::unit(span);
        let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
        let end = |at: f64| Words::tick(format::sig3(at * unit.0), ink).bold();
        let says = end(first).and(" per token for every sequence", grey);
        let ends = vec![(first, says), (first, end(first)), (span, end(span))];
        lanes::time_axis(pen, plot, unit, "", 90.0, ends);
    }
}

/// Draws a dashed outline where a lane is idle. In the first period, the outline is labeled
/// with the idle time if the label fits.
fn idle(pen: &mut Pen<'_>, plot: &Plot, row: &Rect, bars: &[&Bar], first_s: f64) {
    let hair = hair(pen.theme.role(Role::Idle).line);
    let ends = bars.iter().map(|bar| bar.end_s);
    let starts = bars.iter().map(|bar| bar.start_s);
    let span = plot.x.high();
    let gaps = std::iter::once(0.0)
        .chain(ends)
        .zip(starts.chain(std::iter::once(span)));
    for (from, to) in gaps {
        let (left, right) = (plot.x_at(from), plot.x_at(to));
        if right - left <= 3.0 {
            continue;
        }
        let idle = row.across(left + 1.0, right - 1.0);
        pen.dashed_outline(idle, hair);
        if to <= first_s * 1.02 {
            let time = format::duration(to - from);
            let ink = pen.theme.ink_2;
            let words = [format!("idle {time}"), time.to_string()];
            let words = words.map(|text| Words::tick(text, ink));
            marks::inside(pen, &idle, words, Align::Middle, None);
        }
    }
}

/// Draws a bar of the timeline; its label avoids the part that an earlier bar covers.
fn draw_bar(pen: &mut Pen<'_>, (area, free): (Rect, f64), role: Role, bar: &Bar, named: bool) {
    let theme = pen.theme;
    let colours = theme.role(role);
    let (fill, ink) = match bar.batch {
        0 => (colours.fill, colours.on_fill),
        _ => (colours.fill.with_alpha(1.0 - SECOND), theme.ink_1),
    };
    let bottom = area.top + size::EDGE_PX;
    pen.fill_rect(area, fill);
    pen.fill_rect(Rect { bottom, ..area }, colours.line);
    if area.height() >= 12.0 {
        let number = bar.batch + 1;
        let time = format::duration(bar.takes_s);
        let long = ["batch ", ""].map(|batch| format!("{batch}{number}  {time}"));
        let words = long.into_iter().filter(|_| named);
        let words = words.chain([number.to_string()]);
        let words = words.map(|text| Words::tick(text, ink));
        let below = area.down(area.top + 2.0, area.bottom);
        let below = below.across(below.left.max(free), below.right);
        marks::inside(pen, &below, words, Align::Start, None);
    }
}
