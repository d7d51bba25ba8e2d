//! Layout of the waterfall: columns side by side, or stacked rows on a phone.

use super::steps::{Bar, NOTHING, Shows, Term, Waterfall};
use crate::chart::prelude::*;

impl Painter for Waterfall {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let steps = self.steps();
        let columns = Columns::of(pen, &steps);
        match columns.fits(pen, &steps) {
            true => columns.draw(pen, self, &steps),
            false => Lines::of(pen, &steps).draw(pen, self, &steps),
        }
    }
}

/// Returns the range of values that the columns span, including zero.
fn ends(steps: &[Bar<'_>]) -> (f64, f64) {
    let ends = steps.iter().flat_map(|step| [step.from, step.to]);
    ends.fold((0.0_f64, 0.0_f64), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// Draws every column, and a connecting line from each column's end to the next column. Returns the bounding boxes of
/// the columns.
fn draw_all(
    pen: &mut Pen<'_>,
    data: &Waterfall,
    steps: &[Bar<'_>],
    part: &dyn Fn(usize, f64, f64) -> Rect,
) -> Vec<Rect> {
    for (index, step) in steps.iter().enumerate() {
        fill(pen, data, step, &|from, to| part(index, from, to));
        if index + 1 < steps.len() {
            let [.., end, _] = part(index, step.to, step.to).corners();
            let [next, ..] = part(index + 1, step.to, step.to).corners();
            marks::rule(pen, [end, next], hair(pen.theme.ink_2));
        }
    }
    let all = steps.iter().enumerate();
    all.map(|(index, step)| part(index, step.from, step.to))
        .collect()
}

/// Fills a column: scenario A as an outline, the current total as stacked parts, a term in its color, and overlap
/// hatched.
fn fill(pen: &mut Pen<'_>, data: &Waterfall, step: &Bar<'_>, part: &dyn Fn(f64, f64) -> Rect) {
    let area = part(step.from, step.to);
    match &step.kind {
        Shows::Before => pen.dashed_outline(area, stroke(pen.theme.ink_2, 1.3)),
        Shows::Now => stack(pen, data, part),
        Shows::Term(term) if term.role.is_some() || term.hides => {
            pen.bar(area, pen.theme.role(term.role.unwrap_or(Role::Activations)));
            if term.role.is_none() {
                let veil = stroke(pen.theme.hidden, 1.5);
                pen.hatch(&area.corners(), 7.0, Hatch::Rising, veil);
            }
        }
        Shows::Term(_) | Shows::Rest => pen.fill_rect(area, pen.theme.series(Series::Second).line),
    }
    pen.reserve(area);
}

fn stack(pen: &mut Pen<'_>, data: &Waterfall, part: &dyn Fn(f64, f64) -> Rect) {
    let mut at = 0.0;
    for (role, value) in &data.stack {
        let area = part(at, at + value);
        at += value;
        // Leave a gap before the next part.
        let long = area.width().min(area.height()) > 3.0;
        let area = if long { area.grown(-0.3) } else { area };
        let colours = pen.theme.role(*role);
        pen.bar(area, colours);
        let words = Words::note(format::figure(value.abs()), colours.on_fill);
        if area.height() >= 15.0 && pen.width(&words) + 6.0 <= area.width() {
            pen.write_about(&words, area.centre(), Align::Middle, None);
        }
    }
}

/// Enlarges a column's box so that even a small change can be pointed at.
fn reachable(area: &Rect) -> Rect {
    let more = |length: f64| ((8.0 - length) / 2.0).max(0.0);
    let (across, up) = (more(area.width()), more(area.height()));
    area.across(area.left - across, area.right + across)
        .down(area.top - up, area.bottom + up)
}

/// Layout with columns side by side, used if their names fit.
struct Columns {
    area: Rect,
    pitch: f64,
}

/// Height reserved below the columns, in CSS px: for a column's name, two more lines of text, and the list of nearly
/// unchanged terms.
const FOOT_PX: f64 = 64.0;
const MOST_COLUMN_PX: f64 = 86.0;
const COLUMN: f64 = 0.66;

impl Columns {
    fn of(pen: &Pen<'_>, steps: &[Bar<'_>]) -> Self {
        let (left, top) = (size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        let right = (pen.canvas.right - 4.0).max(left + 1.0);
        let bottom = (pen.canvas.bottom - FOOT_PX).max(top + 1.0);
        let area = rect(left, top, right, bottom);
        let pitch = area.width() / steps.len() as f64;
        Self { area, pitch }
    }

    /// True if every name fits below its column.
    fn fits(&self, pen: &Pen<'_>, steps: &[Bar<'_>]) -> bool {
        let name = |step: &Bar<'_>| Words::label(step.short(), pen.theme.ink_1);
        steps.iter().all(|step| self.has_room(pen, &name(step)))
    }

    fn has_room(&self, pen: &Pen<'_>, words: &Words) -> bool {
        pen.width(words) + 6.0 <= self.pitch
    }

    fn centre(&self, index: usize) -> f64 {
        self.area.left + self.pitch * (index as f64 + 0.5)
    }

    fn draw(&self, pen: &mut Pen<'_>, data: &Waterfall, steps: &[Bar<'_>]) -> Hits {
        let (low, high) = ends(steps);
        let more = high - low;
        let foot = if low < 0.0 { low - 0.1 * more } else { 0.0 };
        let y = Scale::linear(foot, high + 0.14 * more);
        let plot = Plot::new(self.area, Scale::linear(0.0, 1.0), y);
        si_y_axis(pen, &plot, data.axis);
        let half = (self.pitch * COLUMN).min(MOST_COLUMN_PX) / 2.0;
        let part = |index: usize, from: f64, to: f64| {
            let (x, one, other) = (self.centre(index), plot.y_at(from), plot.y_at(to));
            rect(x - half, one.min(other), x + half, one.max(other))
        };
        let [base, right] = plot.level(0.0);
        pen.line(base, right, hair(pen.theme.strong));
        let boxes = draw_all(pen, data, steps, &part);
        pen.seam();
        for (index, (step, area)) in steps.iter().zip(&boxes).enumerate() {
            self.name(pen, data, step, index);
            let says = data.says(step);
            amount(pen, step, says, area, base.y);
        }
        self.rest(pen, data);
        notes(pen, data, &self.area);
        Hits::boxes(boxes.iter().map(reachable))
    }

    /// Writes the text below a column. A term gets its name and its old and new value; a total gets its scenario's
    /// name and distinguishing settings.
    fn name(&self, pen: &mut Pen<'_>, data: &Waterfall, step: &Bar<'_>, index: usize) {
        let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
        let x = self.centre(index);
        let line = |line: usize| self.area.bottom + 17.0 + 14.5 * line as f64;
        let mut below: Vec<String> = Vec::new();
        let names = match &step.kind {
            Shows::Before => {
                below.extend(data.sides.iter().map(|(then, _)| then.clone()));
                let a = Words::label("A", ink).bold();
                vec![a.clone().and(" pinned", grey), a]
            }
            Shows::Now => {
                below.extend(data.sides.iter().map(|(_, now)| now.clone()));
                vec![Words::label("now", ink).bold()]
            }
            Shows::Term(term) => {
                let [from, to] = [term.from, term.to].map(|value| data.amount(value.abs()));
                below.push(format!("{from} → {to}"));
                let names = [term.told(), term.short()];
                names.map(|name| Words::label(name, ink)).to_vec()
            }
            Shows::Rest => vec![Words::label("other", ink)],
        };
        let name = names.into_iter().find(|name| self.has_room(pen, name));
        if let Some(name) = name {
            pen.write_if_free(&name, point(x, line(0)), Align::Middle, None);
        }
        let below = below.into_iter().map(|text| Words::tick(text, grey));
        let below = below.filter(|words| self.has_room(pen, words)).take(2);
        for (row, words) in below.collect::<Vec<_>>().iter().enumerate() {
            pen.write_if_free(words, point(x, line(row + 1)), Align::Middle, None);
        }
    }

    /// Lists the terms that hardly changed, centered below the columns: "nearly unchanged: dense 1.4, head 1.1".
    fn rest(&self, pen: &mut Pen<'_>, data: &Waterfall) {
        let seen = |term: &f64| *term > NOTHING * data.most();
        let kept = data.small().filter(|term| seen(&term.to.abs()));
        let name = |term: &Term| format!("{} {}", term.short(), data.amount(term.to.abs()));
        let names: Vec<String> = kept.map(name).collect();
        let text = format!("nearly unchanged: {}", names.join(", "));
        let words = Words::tick(text, pen.theme.ink_3);
        let place = point(self.area.centre().x, self.area.bottom + 60.0);
        if !names.is_empty() && pen.width(&words) <= self.area.width() {
            pen.write_if_free(&words, place, Align::Middle, None);
        }
    }
}

/// Writes a column's value above the column, or preferably below it if the column decreases the total.
fn amount(pen: &mut Pen<'_>, step: &Bar<'_>, says: String, area: &Rect, base: f64) {
    let words = Words::sized(13.0).and_bold(says, step.ink(pen.theme));
    let x = area.centre().x;
    let mut places = [area.top - 6.0, area.bottom + 15.0];
    if step.to < step.from && area.bottom + 19.0 <= base {
        places.reverse();
    }
    let halo = Some(pen.theme.background);
    let mut places = places.into_iter().map(|y| point(x, y));
    places.find(|at| {
        pen.write_if_free(&words, *at, Align::Middle, halo)
            .is_some()
    });
}

fn notes(pen: &mut Pen<'_>, data: &Waterfall, area: &Rect) {
    let grey = |text: &String| Words::label(text.clone(), pen.theme.ink_2);
    let mut lines: Vec<Words> = data.notes.iter().map(grey).collect();
    let Some((last, text)) = lines.last_mut().zip(data.notes.last()) else {
        return;
    };
    *last = Words::label(text.clone(), pen.theme.ink_1).bold();
    let shares = |count: u32| (0..=count).map(move |step| f64::from(step) / f64::from(count));
    let spots = shares(6).flat_map(|down| {
        shares(12).map(move |across| {
            let x = area.left + 8.0 + across * (area.width() - 8.0);
            SE(0, 4).of(point(x, area.top + down * area.height() * 0.8))
        })
    });
    let bound = lines[lines.len().saturating_sub(2)..].to_vec();
    Label::blocks([lines, bound]).at(spots).write_in(pen, *area);
}

/// Waterfall layout with one row per term, one below the other; used on a phone.
struct Lines {
    area: Rect,
    pitch: f64,
}

impl Lines {
    fn of(pen: &Pen<'_>, steps: &[Bar<'_>]) -> Self {
        let name = |step: &Bar<'_>| Words::label(step.short(), pen.theme.ink_1);
        let (_, longest) = extent(steps.iter().map(|step| pen.width(&name(step))));
        let left = (longest + 8.0).min(pen.canvas.width() * 0.4);
        let right = (pen.canvas.right - 52.0).max(left + 20.0);
        let area = rect(left, 16.0, right, (pen.canvas.bottom - 34.0).max(17.0));
        let pitch = area.height() / steps.len() as f64;
        Self { area, pitch }
    }

    fn draw(&self, pen: &mut Pen<'_>, data: &Waterfall, steps: &[Bar<'_>]) -> Hits {
        let (low, high) = ends(steps);
        let x = Scale::linear(low, high * 1.02);
        let plot = Plot::new(self.area, x, Scale::linear(0.0, 1.0));
        for tick in plot.x.ticks(room(plot.area.width(), 48.0)) {
            let [top, foot] = plot.upright(tick);
            pen.line(top, foot, hair(pen.theme.grid));
        }
        si_x_axis(pen, &plot, data.axis);
        let half = (self.pitch * 0.62).min(22.0) / 2.0;
        let part = |index: usize, from: f64, to: f64| {
            let y = self.area.top + self.pitch * (index as f64 + 0.5);
            let (one, other) = (plot.x_at(from), plot.x_at(to));
            rect(one.min(other), y - half, one.max(other), y + half)
        };
        pen.seam();
        let boxes = draw_all(pen, data, steps, &part);
        for (step, area) in steps.iter().zip(&boxes) {
            let name = Words::label(step.short(), pen.theme.ink_1);
            let name = if step.whole() { name.bold() } else { name };
            pen.write_about(&name, point(0.0, area.centre().y), Align::Start, None);
            let says = Words::label(data.says(step), step.ink(pen.theme)).bold();
            let halo = Some(pen.theme.background);
            let sides = [
                (area.right + 6.0, Align::Start),
                (area.left - 6.0, Align::End),
            ];
            let _ = sides.into_iter().any(|(x, align)| {
                let at = point(x, area.centre().y);
                pen.write_about(&says, at, align, halo).is_some()
            });
        }
        Hits::boxes(boxes.iter().map(reachable))
    }
}
