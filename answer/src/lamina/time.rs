//! "Where does the step time go?": one decode step of Lamina vs. one of the colocated cluster.

use super::SplitCase;
use crate::chart::prelude::*;
use crate::explain::OpeningChart;
use crate::words::names;
use model_core::account::Quantity;
use model_core::ops::OperatorRole;
use model_core::order::sort_by;

const SOURCE: &str = "MTIME, ATIME and traffic, [L] 3.1";

/// Height of the chart, in CSS px; it is the same at any width.
pub const SHAPE: Shape = Shape::Px(8.0 + 2.0 * ROW_PITCH_PX + size::MARGIN_BOTTOM_PX);

pub(super) fn chart(case: &SplitCase) -> OpeningChart {
    let split = &case.split;
    let finding = match &case.other {
        Some(other) => {
            let factor = split.step / other.evaluation.step;
            let batch = case.setup.batch() / other.scenario.workload.batch;
            format!(
                "step time {}, batch {}",
                format::factor(factor),
                format::factor(batch)
            )
        }
        None => format!(
            "network takes {} of {}",
            format::millis(split.times.network().get()),
            format::millis(split.step.get())
        ),
    };
    let sides: Vec<Side> = sides(case).into_iter().flatten().collect();
    let items: Vec<(&Side, Option<&Part>)> = { sides.iter() }
        .flat_map(|side| {
            let parts = side.parts.iter().map(Some);
            let hidden = (side.hidden_s > 0.0).then_some(None);
            parts.chain(hidden).map(move |part| (side, part))
        })
        .collect();
    let drawn = |(side, part): &(&Side, Option<&Part>)| {
        side.draws() && part.is_some_and(|part| part.time_s > 0.0)
    };
    let hits: Vec<usize> = (0..items.len()).filter(|row| drawn(&items[*row])).collect();
    let opens = items.iter().map(|(side, part)| side.opens(*part)).collect();
    let rows = Rows::of(&items)
        .col("deployment", "", |(side, _)| side.name.clone())
        .col("part", "", |(side, part)| {
            part.map_or(side.hidden_name, |part| part.name)
        })
        .col("where", "", |(_, part)| {
            let beside = "overlapped, not in the step time".to_owned();
            part.map_or(beside, |part| part.place.clone())
        })
        .col("time", "ms", |(side, part)| {
            part.map_or(side.hidden_s, |part| part.time_s) * 1e3
        })
        .telling(|(side, part)| side.tooltip(*part));
    let sides: Vec<Side> = sides.into_iter().filter(Side::draws).collect();
    let chart = Chart {
        finding,
        rows,
        own: (!hits.is_empty()).then(|| Own::new(Sides(sides), hits)),
        empty: "no step to show".into(),
        shape: SHAPE,
        ..Chart::default()
    };
    OpeningChart::new(chart, opens)
}

/// Returns the Lamina deployment, then the colocated cluster that it is compared with, if there is one.
pub(super) fn sides(case: &SplitCase) -> [Option<Side>; 2] {
    [Some(split_row(case)), other_row(case)]
}

fn part((name, short): (&'static str, &'static str), role: Role, place: &str, time_s: f64) -> Part {
    Part {
        name,
        short,
        role,
        place: place.to_owned(),
        time_s,
        opens: Quantity::LaminaModel,
    }
}

impl Part {
    fn opening(self, opens: Quantity) -> Self {
        Self { opens, ..self }
    }
}

/// Returns the parts of a step that run on compute devices: projections, dense layers, experts and output head.
/// `less_s` is subtracted from the time of [`OperatorRole::Attention`].
fn compute_parts(
    place: &str,
    time_s: impl Fn(OperatorRole) -> f64,
    less_s: f64,
) -> impl Iterator<Item = Part> {
    OperatorRole::ALL.into_iter().map(move |role| {
        let (names, less) = match role {
            OperatorRole::Attention => (("projections", "proj."), less_s),
            OperatorRole::Dense => (("dense layers", "dense"), 0.0),
            OperatorRole::Experts => (("experts", "experts"), 0.0),
            OperatorRole::Head => (("output head", "head"), 0.0),
        };
        let time_s = (time_s(role) - less).max(0.0);
        part(names, names::role(role), place, time_s)
    })
}

const OVERHEAD: (&str, &str) = ("kernel launch and framework overhead", "overhead");
const ATTENTION: (&str, &str) = ("attention", "attention");

fn split_row(case: &SplitCase) -> Side {
    let (setup, split) = (&case.setup, &case.split);
    let times = &split.times;
    // Overlap covers the network first, then the projection of keys and values.
    let hidden = split.hidden.get();
    let network = times.network().get();
    let of_network = hidden.min(network);
    let on = |gpus: u32, name: &str| format!("on {gpus} {name}");
    let compute = on(setup.compute_gpus, case.compute_name());
    let memory = on(setup.memory_gpus, case.memory_name());
    let between = "between devices";
    let role_s = |role| times.roles[role as usize].get();
    let parts = compute_parts(&compute, role_s, hidden - of_network).chain([
        part(
            ("collectives", "comm."),
            Role::Messages,
            &compute,
            times.collectives.get(),
        ),
        part(OVERHEAD, Role::Overhead, &compute, times.overhead.get()),
        part(
            ("network", "net"),
            Role::Messages,
            between,
            network - of_network,
        )
        .opening(Quantity::LaminaNetwork),
        part(ATTENTION, Role::Attention, &memory, times.attention.get())
            .opening(Quantity::LaminaAttention),
        part(
            ("idle", "idle"),
            Role::Idle,
            "waiting for the busy device",
            split.waiting.get(),
        )
        .opening(Quantity::LaminaStep),
    ]);
    Side {
        title: "Lamina",
        name: case.name(),
        aside: match setup.batches {
            1 => format!("{} sequences", format::count(setup.batch())),
            j => format!(
                "one of {} batches of {} sequences",
                format::in_words(j as usize),
                format::batch(setup.batch_each())
            ),
        },
        parts: parts.collect(),
        hidden_s: hidden,
        hidden_name: "network",
        tokens_per_s: split.tokens,
        opens: true,
    }
}

fn other_row(case: &SplitCase) -> Option<Side> {
    let other = case.other.as_ref()?;
    let breakdown = &other.evaluation.breakdown;
    let core = other.attention().get();
    let place = format!("on {}", case.other_name()?);
    let exposed = (breakdown.messages - breakdown.hidden).get().max(0.0);
    let role_s = |role| breakdown.of(role).get();
    let parts = compute_parts(&place, role_s, core).chain([
        part(
            ("communication", "comm."),
            Role::Messages,
            "between devices",
            exposed,
        ),
        part(OVERHEAD, Role::Overhead, &place, breakdown.overhead.get()),
        part(ATTENTION, Role::Attention, &place, core),
    ]);
    Some(Side {
        title: "Colocated",
        name: case.other_name()?,
        aside: format!("{} sequences", format::count(other.scenario.workload.batch)),
        parts: parts.collect(),
        hidden_s: breakdown.hidden.get(),
        hidden_name: "communication",
        tokens_per_s: other.evaluation.tokens,
        opens: false,
    })
}

#[derive(Clone, Debug, PartialEq)]
struct Sides(Vec<Side>);

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Side {
    title: &'static str,
    /// Devices of the deployment: `2 × H100 + 4 × H20`.
    name: String,
    /// Batch of the deployment: `51 sequences`, `one of two batches of 51 sequences`.
    aside: String,
    /// Consecutive parts of a step, whose times add up to the step time.
    parts: Vec<Part>,
    /// Overlapped time, in seconds. It passes while other parts run, so it is not in the step time.
    hidden_s: f64,
    hidden_name: &'static str,
    tokens_per_s: f64,
    /// True for the Lamina deployment: only its parts open a derivation when clicked.
    opens: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Part {
    name: &'static str,
    /// Short name of the part, for a narrow bar: `proj.`.
    short: &'static str,
    /// Role that sets the part's color; waiting time has the idle role.
    role: Role,
    /// Devices that the part runs on: `on 32 H20`.
    place: String,
    time_s: f64,
    /// Quantity of the Lamina deployment whose derivation opens when this part is clicked.
    opens: Quantity,
}

impl Side {
    pub(super) fn step_s(&self) -> f64 {
        self.parts.iter().map(|part| part.time_s).sum()
    }

    fn drawn(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| part.time_s > 0.0)
    }

    fn tooltip(&self, part: Option<&Part>) -> Tooltip {
        let hidden = (self.hidden_s > 0.0).then(|| format::millis(self.hidden_s));
        let part = part.into_iter().flat_map(|part| {
            let time = TipRow::of(part.role, part.name, format::millis(part.time_s));
            let share = TipRow::plain("of step", format::share(part.time_s / self.step_s()));
            let time = Some(time.note(&part.place));
            [time, TipRow::stands_for(part.role), Some(share)]
        });
        Tooltip::new(&self.name, &self.aside, SOURCE)
            .rows(part.flatten())
            .row("step", format::millis(self.step_s()))
            .row(
                "throughput",
                format!("{} tok/s", format::si(self.tokens_per_s)),
            )
            .maybe(format!("overlapped {}", self.hidden_name), hidden)
    }

    /// Returns the quantity whose derivation opens when a part is clicked, or the overlapped time if `part` is `None`.
    /// Returns `None` for the colocated cluster.
    fn opens(&self, part: Option<&Part>) -> Option<Quantity> {
        let quantity = match part {
            None => Quantity::LaminaOverlapped,
            Some(part) => part.opens,
        };
        self.opens.then_some(quantity)
    }

    fn draws(&self) -> bool {
        self.step_s().is_finite() && self.step_s() > 0.0
    }
}

const ROW_PITCH_PX: f64 = 104.0;
const BAR_TOP_PX: f64 = 22.0;
const BAR_PX: f64 = 27.0;
/// Growth of the bar height per px of row height above `ROW_PITCH_PX`.
const BAR_GROWS: f64 = 0.4;
/// Minimum width, in CSS px, of a part that is named inside the bar. Narrower parts are named in a line below the bar.
const NAMED_PX: f64 = 45.0;
const STRIP_PX: f64 = 8.0;

impl Painter for Sides {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, 1.0, 8.0);
        let longest = self.0.iter().map(Side::step_s).fold(0.0, f64::max);
        let time = Scale::linear(0.0, longest);
        let plot = Plot::new(area, time, Scale::linear(0.0, 1.0));
        lanes::time_axis(pen, &plot, (1e3, ""), "ms per step", 60.0, Vec::new());
        let mut boxes = Vec::new();
        let pitch = (area.height() / self.0.len() as f64).max(ROW_PITCH_PX);
        let bar = BAR_PX + BAR_GROWS * (pitch - ROW_PITCH_PX);
        for (index, row) in self.0.iter().enumerate() {
            let top = area.top + index as f64 * pitch;
            head(pen, &area, row, top + 15.0);
            let bar = area.down(top + BAR_TOP_PX, top + BAR_TOP_PX + bar);
            boxes.extend(draw_row(pen, &plot, row, &bar));
        }
        Hits::boxes(boxes)
    }
}

/// Writes the label above a bar: the deployment and its step time.
fn head(pen: &mut Pen<'_>, area: &Rect, row: &Side, baseline: f64) {
    let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_2);
    let step = format::millis(row.step_s()).to_string();
    let says = Words::label(step, ink).bold();
    pen.write_if_free(&says, point(area.right, baseline), Align::End, None);
    let title = Words::label(row.title, ink).bold();
    let name = title.clone().and(format!("  {}", row.name), grey);
    let long = name.clone().and(format!(", {}", row.aside), grey);
    let start = point(area.left, baseline);
    pen.write_first([long, name, title], start, Align::Start);
}

/// Draws a deployment's parts as one bar and returns their boxes. Below the bar are the overlapped time, or device
/// brackets if no time is overlapped, and the names of small parts.
fn draw_row(pen: &mut Pen<'_>, plot: &Plot, row: &Side, bar: &Rect) -> Vec<Rect> {
    let mut boxes = Vec::new();
    let (mut clock, mut longest, mut beside) = (0.0, 0.0, None);
    let mut small: Vec<&Part> = Vec::new();
    // Runs of consecutive parts on the same devices: device text, left and right edge in px, total time in seconds.
    let mut places: Vec<(&str, f64, f64, f64)> = Vec::new();
    for part in row.drawn() {
        let left = plot.x_at(clock);
        clock += part.time_s;
        let area = bar.across(left, plot.x_at(clock));
        lanes::stretch(pen, area, part.role, 0.0);
        let (ink, _) = lanes::inks(pen.theme, part.role);
        let time = format::millis(part.time_s).value;
        let words = [part.name, part.short];
        let words = words.map(|name| Words::label(format!("{name} {time}"), ink));
        let wide = area.width() >= NAMED_PX;
        if !(wide && marks::inside(pen, &area, words, Align::Start, None)) {
            small.push(part);
        }
        match places.last_mut() {
            Some((place, _, to, sum)) if *place == part.place => {
                *to = area.right;
                *sum += part.time_s;
            }
            _ => places.push((&part.place, area.left, area.right, part.time_s)),
        }
        // The overlapped time is drawn below the longest part that is not idle time.
        if part.role != Role::Idle && part.time_s > longest {
            (longest, beside) = (part.time_s, Some(area));
        }
        boxes.push(area);
    }
    let foot = bar.bottom;
    let mut line = foot + 15.0;
    if let Some(beside) = beside.filter(|_| row.hidden_s > 0.01 * row.step_s()) {
        hidden(pen, plot, row, &beside);
        line = foot + STRIP_PX + 27.0;
    } else if places.len() > 2 {
        brackets(pen, &places, foot);
        line = foot + 34.0;
    }
    names(pen, plot, &small, line);
    boxes
}

/// Draws brackets below the bar that show which devices each part of the step runs on.
fn brackets(pen: &mut Pen<'_>, places: &[(&str, f64, f64, f64)], foot: f64) {
    let hair = hair(pen.theme.ink_3);
    for (place, left, right, sum) in places {
        let (left, right) = (left + 1.0, right - 1.5);
        if right - left < 8.0 {
            continue;
        }
        let y = foot + 5.0;
        let bracket = [(left, y - 3.0), (left, y), (right, y), (right, y - 3.0)];
        pen.polyline(&bracket.map(|(x, y)| point(x, y)), hair);
        let text = format!("{place}: {}", format::millis(*sum).value);
        let words = Words::note(text, pen.theme.ink_2);
        let half = pen.width(&words) / 2.0;
        let middle = ((left + right) / 2.0).clamp(half, (pen.canvas.right - half).max(half));
        pen.write_if_free(&words, point(middle, foot + 18.0), Align::Middle, None);
    }
}

/// Lists the parts that are too small to be named in the bar, each in its color: "projections 22, experts 34". Omits
/// the shortest ones if the line is too long.
fn names(pen: &mut Pen<'_>, plot: &Plot, parts: &[&Part], baseline: f64) {
    let grey = pen.theme.ink_2;
    let mut shown = parts.to_vec();
    sort_by(&mut shown, |a, b| b.time_s.total_cmp(&a.time_s));
    while !shown.is_empty() {
        let mut words = Words::note("", grey);
        for (index, part) in parts.iter().filter(|part| shown.contains(part)).enumerate() {
            if index > 0 {
                words = words.and(", ", grey);
            }
            let ink = match part.role {
                Role::Idle => grey,
                role => pen.theme.role(role).text,
            };
            let time = format::millis(part.time_s).value;
            words = words.and(format!("{} {time}", part.name), ink);
        }
        let at = point(plot.area.left, baseline);
        let fits = plot.area.left + pen.width(&words) <= pen.canvas.right;
        if fits && pen.write_if_free(&words, at, Align::Start, None).is_some() {
            return;
        }
        shown.pop();
    }
}

/// Draws the overlapped time as a thin bar below the longest part of the step that is not idle time.
fn hidden(pen: &mut Pen<'_>, plot: &Plot, row: &Side, beside: &Rect) {
    let Rect { left, right, .. } = plot.area;
    let width = plot.x_at(row.hidden_s) - left;
    // Keep the strip inside the step, unless the overlapped time is longer than the step.
    let from = beside.left.min(plot.x_at(row.step_s()) - width).max(left);
    let top = beside.bottom + 2.0;
    let strip = rect(from, top, (from + width).min(right), top + STRIP_PX);
    pen.fill_rect(strip, pen.theme.role(Role::Messages).fill);
    let veil = stroke(pen.theme.hidden, 2.2);
    pen.hatch(&strip.corners(), 5.0, Hatch::Rising, veil);
    let time = format::millis(row.hidden_s);
    let says = format!("overlapped: {time} {}", row.hidden_name);
    let words = Words::tick(says, pen.theme.ink_2);
    let baseline = strip.bottom + 12.0;
    let _ = [(from, Align::Start), (right, Align::End)]
        .into_iter()
        .any(|(x, align)| {
            let at = point(x, baseline);
            pen.write_if_free(&words, at, align, None).is_some()
        });
}
