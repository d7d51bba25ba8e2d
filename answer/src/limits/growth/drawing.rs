//! Drawing of the GPU-count chart: stacked memory bars and the capacity line, with rows of GPU counts and largest
//! batches below.

use super::*;

/// Height of the plot ÷ height of the capacity line. Taller bars are cut and labeled with their total.
const HEADROOM: f64 = 1.22;
const NAMES_PX: f64 = 74.0;
/// Height reserved below the bars, in CSS px: for the GPU counts, the heading of the batch row, and the batch row.
const BELOW_PX: f64 = 52.0;
const ABOVE_PX: f64 = 30.0;
/// Bar width as a fraction of the pitch between bars.
const BAR_SHARE: f64 = 0.66;

impl Growth {
    /// Returns every bar with its rectangle, which is clipped to the plot's height.
    fn placed<'a>(&'a self, plot: &'a Plot) -> impl Iterator<Item = (&'a Bar, Rect)> {
        self.bars.iter().enumerate().map(|(index, bar)| {
            let (from, to) = (plot.x_at(index as f64), plot.x_at(index as f64 + 1.0));
            let gap = (to - from) * (1.0 - BAR_SHARE) / 2.0;
            let top = plot.y_at((bar.total_gib()).min(plot.y.high()));
            (bar, rect(from + gap, top, to - gap, plot.area.bottom))
        })
    }
}

impl Painter for Growth {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, ABOVE_PX);
        let right = (area.right + size::MARGIN_RIGHT_PX - NAMES_PX).max(area.left + 1.0);
        let bottom = (pen.canvas.bottom - BELOW_PX).max(area.top + 1.0);
        let area = area.across(area.left, right).down(area.top, bottom);
        let count = self.bars.len() as f64;
        let most = self.usable_gib() * HEADROOM;
        let plot = Plot::new(area, Scale::linear(0.0, count), Scale::linear(0.0, most));
        y_ticks(pen, &plot, self);
        let line = plot.y_at(self.usable_gib());
        for (bar, at) in self.placed(&plot) {
            draw_bar(pen, &plot, bar, at);
            if at.top < line - 0.5 {
                marks::veil(pen, &Rect { bottom: line, ..at }.corners(), 6.0);
            }
            if bar.total_gib() > plot.y.high() {
                draw_break(pen, at, (at.top + line) / 2.0);
            }
        }
        pen.seam();
        name_numbers(pen, &plot, self);
        name_capacity(pen, &plot, self);
        name_totals(pen, &plot, self);
        name_largest(pen, &plot, self);
        name_parts(pen, &plot, self);
        let gap = area.width() / count * (1.0 - BAR_SHARE) / 2.0;
        let column = |(_, at): (_, Rect)| rect(at.left - gap, area.top, at.right + gap, at.bottom);
        Hits::boxes(self.placed(&plot).map(column)).on(&plot)
    }

    fn glow(&self, pointed: Pointed<'_>, pen: &mut Pen<'_>) {
        let Pointed { index, hits, .. } = pointed;
        let Some(plot) = hits.plot() else { return };
        if let Some((bar, at)) = self.placed(&plot).nth(index) {
            pen.outline(at.grown(1.5), stroke(pen.theme.ink_1, 1.5));
            pen.seam();
            let (x, y) = (at.centre().x, plot.area.bottom + 11.0);
            axis_box(pen, &format::count(bar.gpus), x, y);
        }
    }
}

fn draw_bar(pen: &mut Pen<'_>, plot: &Plot, bar: &Bar, at: Rect) {
    let mut bottom = at.bottom;
    let mut below = 0.0;
    for (role, bytes) in bar.parts.iter().filter(|(_, bytes)| *bytes > 0.0) {
        below += bytes / GIB;
        let top = plot.y_at(below.min(plot.y.high()));
        let part = Rect { top, bottom, ..at };
        pen.bar(part, pen.theme.role(*role));
        if part.height() > 3.0 && !pen.theme.dark {
            // Draw a seam between adjacent parts.
            let bottom = top + 1.0;
            pen.fill_rect(Rect { bottom, ..part }, pen.theme.background);
        }
        bottom = top;
        if below >= plot.y.high() {
            break;
        }
    }
}

/// Draws the break across a bar that is cut off at the top of the plot.
fn draw_break(pen: &mut Pen<'_>, at: Rect, y: f64) {
    let (left, right) = (at.left - 2.0, at.right + 2.0);
    let edge = |dy: f64| [point(left, y + 3.0 + dy), point(right, y - 3.0 + dy)];
    let ([a, b], [d, c]) = (edge(-2.0), edge(2.0));
    pen.fill(&[a, b, c, d], pen.theme.background);
    for [from, to] in [[a, b], [d, c]] {
        pen.polyline(&[from, to], hair(pen.theme.ink_2));
    }
}

/// Draws y-axis ticks up to the capacity, which has a separate line and label.
fn y_ticks(pen: &mut Pen<'_>, plot: &Plot, data: &Growth) {
    let most = data.usable_gib();
    let ticks = Scale::linear(0.0, most).ticks(room(plot.area.height(), 36.0));
    let ticks = ticks.into_iter().filter(|tick| *tick <= most * 0.97);
    let axis = Axis::of(pen, ticks, format::si_tick, "GiB per GPU");
    y_axis(pen, plot, &axis, 10.0);
    if let Some(fewest) = data.weights_from.filter(|fewest| *fewest > 1.0) {
        let words = format!("weights need ≥ {} GPUs", format::count(fewest));
        let words = Words::tick(words, pen.theme.ink_3);
        let right = plot.area.right;
        pen.write_if_free(&words, point(right, 10.0), Align::End, None);
    }
}

fn pitch(plot: &Plot, data: &Growth) -> f64 {
    plot.area.width() / data.bars.len().max(1) as f64
}

/// Returns every bar with its rectangle, and a flag that is true for the current GPU count. The current count's bar
/// comes first.
fn now_first<'a>(plot: &'a Plot, data: &'a Growth) -> Vec<(&'a Bar, Rect, bool)> {
    let is_now = |bar: &Bar| bar.gpus.total_cmp(&data.now_gpus).is_eq();
    let placed = data.placed(plot).map(|(bar, at)| (bar, at, is_now(bar)));
    let mut bars: Vec<(&Bar, Rect, bool)> = placed.collect();
    if let Some(now) = bars.iter().position(|(.., now)| *now) {
        bars[..=now].rotate_right(1);
    }
    bars
}

/// Writes centered text below a bar if the text fits; `set` gives its color and whether it is bold.
fn under(pen: &mut Pen<'_>, at: &Rect, y: f64, text: &str, set: (Colour, bool)) {
    let words = set_in(text, set);
    pen.write_if_free(&words, point(at.centre().x, y), Align::Middle, None);
}

fn set_in(text: &str, (ink, bold): (Colour, bool)) -> Words {
    let words = Words::tick(text, ink);
    if bold { words.bold() } else { words }
}

fn short_count(value: f64) -> String {
    match value < 999.5 {
        true => format::count(value),
        false => format::si2(value),
    }
}

/// Returns the first number format in which all values fit in one row. If there is none, returns the last format.
fn said(
    pen: &Pen<'_>,
    pitch: f64,
    values: &[f64],
    ways: &[fn(f64) -> String],
) -> fn(f64) -> String {
    let ink = (pen.theme.ink_1, true);
    let widest = |way: &fn(f64) -> String| {
        let width = |value: &f64| pen.width(&set_in(&way(*value), ink));
        values.iter().map(width).fold(0.0, f64::max)
    };
    let fits = |way: &&fn(f64) -> String| widest(way) + 6.5 <= pitch;
    let found = ways.iter().find(fits).or(ways.last());
    found.copied().unwrap_or(format::si)
}

/// Writes the GPU counts below the bars. The current count is written first, so that it has priority.
fn name_numbers(pen: &mut Pen<'_>, plot: &Plot, data: &Growth) {
    let [.., corner, origin] = plot.area.corners();
    pen.line(origin, corner, hair(pen.theme.strong));
    let baseline = corner.y + 15.0;
    let words = Words::tick("GPUs, total", pen.theme.ink_3);
    let right = pen.canvas.right;
    pen.write_if_free(&words, point(right, baseline), Align::End, None);
    let numbers: Vec<f64> = data.bars.iter().map(|bar| bar.gpus).collect();
    let ways = [format::count, short_count];
    let say = said(pen, pitch(plot, data), &numbers, &ways);
    for (bar, at, now) in now_first(plot, data) {
        let ink = [pen.theme.ink_3, pen.theme.ink_1][usize::from(now)];
        under(pen, &at, baseline, &say(bar.gpus), (ink, now));
    }
}

fn name_capacity(pen: &mut Pen<'_>, plot: &Plot, data: &Growth) {
    let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_2);
    let [left, right] = plot.level(data.usable_gib());
    let line = [left, point(right.x + 4.0, right.y)];
    marks::rule(pen, line, stroke(ink, 1.5));
    let gib = format!("{} GiB", format::printed(data.usable_gib()));
    let gib = Words::label(gib, ink).bold();
    let whose = format!("of {} {}", article(&data.accelerator), data.accelerator);
    let [whose, short] = [whose, data.accelerator.clone()].map(|text| Words::note(text, grey));
    Label::blocks([
        vec![gib.clone(), whose],
        vec![gib.clone(), short],
        vec![gib],
    ])
    .near(right, &[SE(8, -7)])
    .on_lines()
    .write(pen);
}

/// Returns "a" or "an" for an accelerator name. Names such as "H200" and "B200" are read letter by letter: "an H200",
/// "a B200".
fn article(name: &str) -> &'static str {
    let mut letters = name.chars();
    let first = letters.next().unwrap_or('x').to_ascii_uppercase();
    let spelt = letters.next().is_none_or(|next| !next.is_ascii_lowercase());
    let vowel = if spelt { "AEFHILMNORSX" } else { "AEIOU" };
    if vowel.contains(first) { "an" } else { "a" }
}

/// Writes each bar's total in GiB above the bar, or inside it if the label would touch the capacity line.
fn name_totals(pen: &mut Pen<'_>, plot: &Plot, data: &Growth) {
    let line = plot.y_at(data.usable_gib());
    let totals: Vec<f64> = data.bars.iter().map(Bar::total_gib).collect();
    let long = |total: f64| match total < 9999.5 {
        true => format::figure(total),
        false => format::si(total),
    };
    let say = said(pen, pitch(plot, data), &totals, &[long, format::si2]);
    for (bar, at, now) in now_first(plot, data) {
        let total = bar.total_gib();
        let text = say(total);
        let over = !data.fits(bar);
        if !over && at.top < line + 14.0 {
            let seen = |(_, bytes): &&(Role, f64)| *bytes > 0.02 * bar.total_bytes();
            let top = bar.parts.iter().rfind(seen);
            let ink = top.map_or(pen.theme.ink_1, |(role, _)| pen.theme.role(*role).on_fill);
            let narrow = |text: &String| pen.width(&set_in(text, (ink, true))) <= at.width() + 1.0;
            if let Some(text) = [text, format::si2(total)].into_iter().find(narrow) {
                under(pen, &at, at.top + 13.0, &text, (ink, true));
            }
            continue;
        }
        let (ink, top) = match (over, now) {
            (true, _) => (pen.theme.bad, plot.area.top),
            (false, true) => (pen.theme.ink_1, at.top),
            (false, false) => (pen.theme.ink_2, at.top),
        };
        under(pen, &at, top - 4.0, &text, (ink, over || now));
    }
}

/// Writes the largest batch of every GPU count in a row below the bars. Batches at least as large as the scenario's
/// batch are highlighted.
fn name_largest(pen: &mut Pen<'_>, plot: &Plot, data: &Growth) {
    let Rect { left, bottom, .. } = plot.area;
    let what = match data.slo_tokens_per_s_per_user.map(format::printed) {
        Some(slo) => [
            format!("max batch at {slo} tok/s/user"),
            format!("batch at {slo} tok/s/user"),
        ],
        None => ["max batch".to_owned(), "sequences".to_owned()],
    };
    let what = what.map(|text| Words::tick(text, pen.theme.ink_2));
    pen.write_first(what, point(left, bottom + 31.0), Align::Start);
    let batches: Vec<f64> = data.bars.iter().map(|bar| bar.largest_batch).collect();
    let long = |most: f64| match most {
        most if most < 1.0 => format::NONE.to_owned(),
        most if most < 9999.5 => format::sequences(most),
        most => format::si(most),
    };
    let short = |most: f64| match most {
        most if most < 1.0 => format::NONE.to_owned(),
        most => short_count(most),
    };
    let say = said(pen, pitch(plot, data), &batches, &[long, short]);
    for (bar, at, now) in now_first(plot, data) {
        let text = say(bar.largest_batch);
        let set = match (now, bar.largest_batch >= data.batch) {
            (true, _) => (pen.theme.ink_1, true),
            (false, true) => (pen.theme.accent, true),
            (false, false) => (pen.theme.ink_3, false),
        };
        under(pen, &at, bottom + 46.0, &text, set);
    }
}

/// Writes the names of the parts of the memory in a column right of the last bar, with elbow leader lines.
fn name_parts(pen: &mut Pen<'_>, plot: &Plot, data: &Growth) {
    let Some((bar, at)) = data.placed(plot).last() else {
        return;
    };
    let right = plot.area.right;
    let mut below = 0.0;
    let mut last = plot.area.bottom + 2.0;
    for (role, bytes) in &bar.parts {
        let low = below;
        below = (low + bytes / GIB).min(plot.y.high());
        if *role == Role::Activations || *bytes <= 0.0 {
            continue;
        }
        // Use the role's short name: "embedding, head" would be too wide.
        let name = match role {
            Role::Head => role.name(),
            role => part_name(*role),
        };
        let words = Words::note(name, pen.theme.role(*role).text);
        let middle = plot.y_at((low + below) / 2.0);
        let y = middle.min(last - size::LABEL_PITCH_PX);
        let baseline = point(right + 8.0, words.baseline_about(y));
        let mut write = || pen.write_if_free(&words, baseline, Align::Start, None);
        if y < plot.area.top || write().is_none() {
            continue;
        }
        last = y;
        let (near, far) = (at.right + 1.0, right + 2.0);
        let [from, to] = [point(near, middle), point(far + 3.0, y)];
        let elbow = [from, point(near + 3.0, middle), point(far, y), to];
        pen.polyline(&elbow, hair(pen.theme.strong));
    }
}
