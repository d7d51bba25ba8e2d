//! "Where does the time go?": a step of the split beside one of the homogeneous cluster, part by part.

use crate::charts::prelude::*;
use crate::order::sort_by;

#[derive(Clone, Debug, PartialEq)]
pub struct PartsData {
    /// The split first, then what it is compared with.
    pub rows: Vec<PartsRow>,
    pub finding: String,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PartsRow {
    pub title: &'static str,
    /// `2 × H100 + 4 × H20`.
    pub name: String,
    /// `each of two batches of 51`.
    pub aside: String,
    /// Parts one after the other; they make the step.
    pub parts: Vec<PartOfStep>,
    /// Time that runs beside other parts.
    pub hidden_s: f64,
    pub hidden_name: &'static str,
    pub tokens_per_s: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PartOfStep {
    /// `attention over the cache`.
    pub name: String,
    /// On a narrow bar: `attention`.
    pub short: &'static str,
    /// Its colour; idle for waiting.
    pub role: Role,
    /// Its devices: `on 32 H20`.
    pub place: String,
    pub time_s: f64,
}

impl PartsRow {
    pub fn step_s(&self) -> f64 {
        self.parts.iter().map(|part| part.time_s).sum()
    }

    fn drawn(&self) -> impl Iterator<Item = &PartOfStep> {
        self.parts.iter().filter(|part| part.time_s > 0.0)
    }

    fn draws(&self) -> bool {
        self.step_s().is_finite() && self.step_s() > 0.0
    }
}

const ROW_PITCH_PX: f64 = 104.0;
const BAR_TOP_PX: f64 = 22.0;
const BAR_PX: f64 = 27.0;
/// Of what a row is higher than usual, its bar takes so much.
const BAR_GROWS: f64 = 0.4;
/// Narrower blocks are named in the line below.
const NAMED_PX: f64 = 45.0;
const STRIP_PX: f64 = 8.0;

impl PartsData {
    fn drawn(&self) -> impl Iterator<Item = &PartsRow> {
        self.rows.iter().filter(|row| row.draws())
    }
}

impl Figure for PartsData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, 1.0, 8.0);
        let longest = self.drawn().map(PartsRow::step_s).fold(0.0, f64::max);
        if longest <= 0.0 {
            return nothing_to_show(pen, &area, "no step to show");
        }
        let time = Scale::linear(0.0, longest);
        let plot = Plot::new(area, time, Scale::linear(0.0, 1.0));
        lanes::time_axis(pen, &plot, (1e3, ""), "ms per step", 60.0, Vec::new());
        let mut boxes = Vec::new();
        let pitch = (area.height() / self.drawn().count() as f64).max(ROW_PITCH_PX);
        let bar = BAR_PX + BAR_GROWS * (pitch - ROW_PITCH_PX);
        for (index, row) in self.drawn().enumerate() {
            let top = area.top + index as f64 * pitch;
            head(pen, &area, row, top + 15.0);
            let bar = area.down(top + BAR_TOP_PX, top + BAR_TOP_PX + bar);
            boxes.extend(draw_row(pen, &plot, row, &bar));
        }
        Hits::boxes(boxes)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let rows = self.rows.iter().flat_map(|row| {
            let part = move |of: &PartOfStep| (row, of.name.clone(), of.place.clone(), of.time_s);
            let parts = row.parts.iter().map(part);
            let beside = "hidden, not part of the step".to_owned();
            let hidden = (row, row.hidden_name.to_owned(), beside, row.hidden_s);
            parts.chain((row.hidden_s > 0.0).then_some(hidden))
        });
        Table::of(rows)
            .col("deployment", "", |(row, ..)| row.name.clone())
            .col("part", "", |(_, part, ..)| part.clone())
            .col("where", "", |(_, _, place, _)| place.clone())
            .col("time", "ms", |(.., time_s)| time_s * 1e3)
            .done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let mut all = self
            .drawn()
            .flat_map(|row| row.drawn().map(move |part| (row, part)));
        let (row, part) = all.nth(index)?;
        let hidden = (row.hidden_s > 0.0).then(|| format::millis(row.hidden_s));
        let tokens = format!("{} tok/s", format::si(row.tokens_per_s));
        let time = TipRow::of(part.role, &part.name, format::millis(part.time_s));
        let tip = Tooltip::new(&row.name, &row.aside, &self.source)
            .rows([time.note(&part.place)])
            .rows(TipRow::stands_for(part.role))
            .row("of the step", format::share(part.time_s / row.step_s()))
            .row("step", format::millis(row.step_s()))
            .row("throughput", tokens)
            .maybe(format!("hidden {}", row.hidden_name), hidden);
        Some(tip)
    }

    fn height_px(_width_px: f64) -> f64 {
        8.0 + 2.0 * ROW_PITCH_PX + size::MARGIN_BOTTOM_PX
    }
}

/// Over a bar: whose it is, and what it comes to.
fn head(pen: &mut Pen<'_>, area: &Rect, row: &PartsRow, baseline: f64) {
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

/// The parts one after the other, whose time they are below, and the small ones by name; returns their boxes.
fn draw_row(pen: &mut Pen<'_>, plot: &Plot, row: &PartsRow, bar: &Rect) -> Vec<Rect> {
    let mut boxes = Vec::new();
    let (mut clock, mut longest, mut beside) = (0.0, 0.0, None);
    let mut small: Vec<&PartOfStep> = Vec::new();
    // Neighbours at one place: what it is called, from where to where, and how long.
    let mut places: Vec<(&str, f64, f64, f64)> = Vec::new();
    for part in row.drawn() {
        let left = plot.x_at(clock);
        clock += part.time_s;
        let area = bar.across(left, plot.x_at(clock));
        lanes::stretch(pen, area, part.role, 0.0);
        let (ink, _) = lanes::inks(pen.theme, part.role);
        let time = format::millis(part.time_s).value;
        let words = [&part.name, part.short];
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
        // A hidden part runs beside the longest one that is not waiting.
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

/// Whose time it is, under brackets.
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

/// "projections 22, experts 34": blocks too small for a name, in their colours.
fn names(pen: &mut Pen<'_>, plot: &Plot, parts: &[&PartOfStep], baseline: f64) {
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

/// The strip of what is hidden, below the part it runs beside.
fn hidden(pen: &mut Pen<'_>, plot: &Plot, row: &PartsRow, beside: &Rect) {
    let Rect { left, right, .. } = plot.area;
    let width = plot.x_at(row.hidden_s) - left;
    // Never beyond the step's end, as far as the step is long enough.
    let from = beside.left.min(plot.x_at(row.step_s()) - width).max(left);
    let top = beside.bottom + 2.0;
    let strip = rect(from, top, (from + width).min(right), top + STRIP_PX);
    pen.fill_rect(strip, pen.theme.role(Role::Messages).fill);
    let veil = stroke(pen.theme.hidden, 2.2);
    pen.hatch(&strip.corners(), 5.0, Hatch::Rising, veil);
    let time = format::millis(row.hidden_s);
    let says = format!("hidden: {time} {}", row.hidden_name);
    let words = Words::tick(says, pen.theme.ink_2);
    let baseline = strip.bottom + 12.0;
    let _ = [(from, Align::Start), (right, Align::End)]
        .into_iter()
        .any(|(x, align)| {
            let at = point(x, baseline);
            pen.write_if_free(&words, at, align, None).is_some()
        });
}
