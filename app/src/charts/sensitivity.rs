//! "What to buy?": the throughput with twice and half of every resource.

use crate::charts::prelude::*;
use crate::order::sort_by;

#[derive(Clone, Debug, PartialEq)]
pub struct SensitivityData {
    /// A row per resource, the most worth having first.
    pub rows: Vec<SensitivityRow>,
    /// Whether the scenario fits its memory; if not, ratios compare what would be if it did.
    pub fits: bool,
    /// How the pinned scenario differs, at its marks.
    pub pinned: Option<String>,
    pub finding: String,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SensitivityRow {
    /// Its name: `Scale-out`.
    pub name: String,
    /// How much there is now, lighter: `50 GB/s`.
    pub now: String,
    /// With more of it (of fixed times: with twice as much).
    pub twice: Swing,
    pub half: Swing,
    /// Whether less of it is better: then half stands on the right.
    pub less_is_better: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Swing {
    /// What is done: `×2`, `×½`, `to 1`.
    pub change: String,
    /// What there then is: `100 GB/s`.
    pub then: String,
    pub outcome: SwingOutcome,
    /// The same change of the pinned scenario, where it has a ratio.
    pub pinned: Option<f64>,
    /// More about it, for the tooltip: name and value.
    pub details: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum SwingOutcome {
    /// Throughput then over throughput now.
    Ratio(f64),
    /// It cannot be changed, and why in a word or two: `is 1 already`.
    Bound(String),
    /// It no longer runs, and why: `out of memory`, `impossible`.
    Lost(String),
}

/// A change below this is none.
pub const NOTHING: f64 = 0.005;

fn moves(ratio: f64) -> bool {
    (ratio - 1.0).abs() > NOTHING
}

impl Swing {
    /// The ratio, where it is one.
    pub fn ratio(&self) -> Option<f64> {
        match self.outcome {
            SwingOutcome::Ratio(ratio) if ratio.is_finite() && ratio > 0.0 => Some(ratio),
            _ => None,
        }
    }

    /// How far it goes on a logarithmic axis, up or down.
    fn moved(&self) -> f64 {
        self.ratio().map_or(0.0, libm::log)
    }
}

impl SensitivityRow {
    /// Both changes: the order of hits.
    fn swings(&self) -> [&Swing; 2] {
        [&self.twice, &self.half]
    }

    /// Which labels stand right of now: those of bars that go there; where both bars go the same way, the lesser one's
    /// label takes the other side.
    fn rightwards(&self) -> [bool; 2] {
        let usual = [!self.less_is_better, self.less_is_better];
        let of = |swing: &Swing, usual: bool| match swing.ratio() {
            Some(ratio) if moves(ratio) => ratio > 1.0,
            _ => usual,
        };
        let [twice, half] = [of(&self.twice, usual[0]), of(&self.half, usual[1])];
        let lesser = self.half.moved().abs() <= self.twice.moved().abs();
        match (twice != half, lesser) {
            (true, _) => [twice, half],
            (false, true) => [twice, !half],
            (false, false) => [!twice, half],
        }
    }

    /// Whether a change of it, here or in the pinned scenario, does anything or cannot be made.
    fn matters(&self) -> bool {
        self.swings().into_iter().any(|swing| {
            let bound = matches!(swing.outcome, SwingOutcome::Bound(_));
            swing.pinned.is_some_and(moves) || !bound && swing.ratio().is_none_or(moves)
        })
    }

    /// "Scale-out 50 GB/s", or the name alone.
    fn words(&self, theme: &Theme, narrow: bool) -> Words {
        let name = Words::label(self.name.clone(), theme.ink_1);
        match narrow || self.now.is_empty() {
            true => name,
            false => name.and(format!(" {}", self.now), theme.ink_3),
        }
    }
}

impl SensitivityData {
    /// The row and the change of a hit.
    pub fn swing(&self, index: usize) -> Option<(&SensitivityRow, &Swing)> {
        let row = self.shown().nth(index / 2)?;
        Some((row, row.swings()[index % 2]))
    }

    /// The place of a hit among all changes, those that are not drawn included.
    pub fn place(&self, hit: usize) -> Option<usize> {
        let shown = self.shown().nth(hit / 2)?;
        let row = self.rows.iter().position(|row| std::ptr::eq(row, shown))?;
        Some(row * 2 + hit % 2)
    }

    /// The rows with something to show, and at least one.
    fn shown(&self) -> impl Iterator<Item = &SensitivityRow> {
        let none = !self.rows.iter().any(SensitivityRow::matters);
        let first = self.rows.iter().take(usize::from(none));
        first.chain(self.rows.iter().filter(|row| row.matters()))
    }

    /// What changes nothing, neither more nor less of it.
    fn idle(&self) -> Vec<&str> {
        let shown: Vec<_> = self.shown().map(|row| row.name.as_str()).collect();
        let names = self.rows.iter().map(|row| row.name.as_str());
        names.filter(|name| !shown.contains(name)).collect()
    }
}

impl Figure for SensitivityData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let canvas = pen.canvas;
        if self.rows.is_empty() {
            return nothing_to_show(pen, &canvas, "nothing to change");
        }
        let layout = Layout::of(pen, self);
        let Layout { plot, now, .. } = layout;
        // A band lies under everything.
        pen.seam();
        axes(pen, &layout);
        let mut boxes = Vec::new();
        for (index, row) in self.shown().enumerate() {
            let band = layout.band(pen, index);
            draw_row(pen, &layout, row, &band, (index, self.fits));
            let (left, right) = (Rect { right: now, ..band }, Rect { left: now, ..band });
            boxes.extend(match row.less_is_better {
                true => [left, right],
                false => [right, left],
            });
        }
        let (head, foot) = (point(now, TOP_PX - 3.0), point(now, plot.area.bottom));
        pen.line(head, foot, hair(pen.theme.ink_1));
        for (index, words) in idle_lines(pen, self).iter().enumerate() {
            let y = plot.area.bottom + size::MARGIN_BOTTOM_PX + size::LINE_PITCH_PX * index as f64;
            pen.write_if_free(words, point(0.0, y + 9.0), Align::Start, None);
        }
        Hits::boxes(boxes).on(&plot)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let rows = self
            .rows
            .iter()
            .flat_map(|row| row.swings().map(|swing| (row, swing)));
        let table = Table::of(rows)
            .col("resource", "", |(row, _)| row.name.clone())
            .col("now", "", |(row, _)| row.now.clone())
            .col("change", "", |(_, swing)| swing.change.clone())
            .col("then", "", |(_, swing)| swing.then.clone())
            .col("throughput", "× now", |(_, swing)| swing.ratio())
            .col("note", "", |(_, swing)| match &swing.outcome {
                SwingOutcome::Ratio(_) => String::new(),
                SwingOutcome::Bound(why) | SwingOutcome::Lost(why) => why.clone(),
            });
        match self.pinned {
            Some(_) => table
                .col("throughput of A", "× now", |(_, swing)| swing.pinned)
                .done(),
            None => table.done(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (row, swing) = self.swing(index)?;
        let first = match &swing.outcome {
            SwingOutcome::Ratio(ratio) => TipRow::plain("throughput", format::factor(*ratio))
                .note(if self.fits { "" } else { "if it fit" }),
            SwingOutcome::Bound(why) | SwingOutcome::Lost(why) => TipRow::plain(why, ""),
        };
        let details = swing.details.iter();
        let pinned = self.pinned.as_ref().zip(swing.pinned);
        let aside = match swing.then.is_empty() || swing.then == row.now {
            true => row.now.clone(),
            false => format!("{} → {}", row.now, swing.then),
        };
        let title = format!("{} {}", row.name, swing.change);
        let tip = Tooltip::new(title, aside, &self.source)
            .rows([first])
            .rows(details.map(|(name, value)| TipRow::plain(name, value)))
            .rows(
                pinned.map(|(label, ratio)| TipRow::plain("A", format::factor(ratio)).note(label)),
            );
        Some(tip)
    }

    /// Shades the band of a change, and outlines its bar.
    fn glow(&self, pointed: Pointed<'_>, pen: &mut Pen<'_>) {
        let Pointed { index, hits, .. } = pointed;
        let (Some(plot), Some(Reach::Box(side))) = (hits.plot(), hits.reach(index)) else {
            return;
        };
        pen.fill_rect(side.across(0.0, pen.canvas.right), pen.theme.shade);
        pen.seam();
        let ratio = self.swing(index).and_then(|(_, swing)| swing.ratio());
        if let Some(ratio) = ratio.filter(|ratio| moves(*ratio)) {
            let bar = bar_box(&plot, ratio, &side, 0.0);
            pen.outline(bar.grown(1.0), stroke(pen.theme.ink_1, 1.5));
        }
    }

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px).min(320.0)
    }
}

const LEAST: f64 = 0.5;
const MOST: f64 = 2.0;

/// Above the rows: which side is which.
const TOP_PX: f64 = 20.0;

/// Below this width, names stand alone and labels are the shortest.
const NARROW_PX: f64 = 430.0;

/// Bars are at most this high or half their row, and leave at least this much between them.
const MOST_BAR_PX: f64 = 15.0;
const GAP_PX: f64 = 7.0;

/// Of the picture's height a row takes at most one part in so many.
const LEAST_ROWS: f64 = 6.0;

/// At most so many lines say what changes nothing.
const MOST_IDLE_LINES: usize = 2;

/// "no change with more or less: Scale-up, HBM", in lines as wide as the canvas.
fn idle_lines(pen: &Pen<'_>, data: &SensitivityData) -> Vec<Words> {
    let names = data.idle();
    let mut lines: Vec<String> = Vec::new();
    let words = |text: &str| Words::note(text, pen.theme.ink_3);
    for (index, name) in names.iter().enumerate() {
        let comma = if index + 1 < names.len() { "," } else { "" };
        let next = match lines.last() {
            None => format!("no change with more or less: {name}{comma}"),
            Some(line) => format!("{line} {name}{comma}"),
        };
        let fits = pen.width(&words(&next)) <= pen.canvas.width();
        match lines.last_mut() {
            Some(line) if fits => *line = next,
            None => lines.push(next),
            Some(_) => lines.push(format!("{name}{comma}")),
        }
    }
    let fitting = lines.iter().map(|line| words(line));
    let fitting = fitting.filter(|line| pen.width(line) <= pen.canvas.width());
    fitting.take(MOST_IDLE_LINES).collect()
}

#[derive(Clone, Copy)]
struct Layout {
    plot: Plot,
    /// Where nothing changes.
    now: f64,
    pitch: f64,
    names: f64,
    narrow: bool,
}

impl Layout {
    fn of(pen: &Pen<'_>, data: &SensitivityData) -> Self {
        let (theme, canvas) = (pen.theme, pen.canvas);
        let narrow = canvas.width() < NARROW_PX;
        let widths = data.shown().map(|row| pen.width(&row.words(theme, narrow)));
        let names = (widths.fold(0.0, f64::max) + 8.0).min(canvas.width() * 0.42);
        let (longest, gap) = match narrow {
            true => ("0.000×", 14.0),
            false => ("×2 → 0.000×", 10.0),
        };
        let label = pen.width(&Words::label(longest, theme.ink_1).bold()) + gap;
        let left = (names + label).min(canvas.width() * 0.6);
        let right = (canvas.right - label).max(left + 20.0);
        let below = idle_lines(pen, data).len() as f64 * size::LINE_PITCH_PX;
        let bottom = (canvas.bottom - size::MARGIN_BOTTOM_PX - below).max(TOP_PX + 10.0);
        let number = data.shown().count().max(1) as f64;
        let pitch = ((bottom - 4.0 - TOP_PX) / number).min(canvas.height() / LEAST_ROWS);
        let area = rect(left, TOP_PX, right, TOP_PX + pitch * number + 4.0);
        let plot = Plot::new(area, Scale::log(LEAST, MOST), Scale::linear(0.0, 1.0));
        Self {
            plot,
            now: plot.x_at(1.0),
            pitch,
            names,
            narrow,
        }
    }

    /// A row from edge to edge of the canvas.
    fn band(&self, pen: &Pen<'_>, index: usize) -> Rect {
        let top = TOP_PX + self.pitch * index as f64;
        rect(0.0, top, pen.canvas.right, top + self.pitch)
    }
}

/// Where a ratio stands, at the axis's end when it lies beyond, and whether it does: −1 below, 1 above.
fn end_of(plot: &Plot, ratio: f64) -> (f64, f64) {
    let beyond = match ratio {
        _ if ratio > MOST * 1.001 => 1.0,
        _ if ratio < LEAST * 0.999 => -1.0,
        _ => 0.0,
    };
    (plot.x_at(ratio.clamp(LEAST, MOST)), beyond)
}

/// The bar of a ratio in a band, `more` px higher on both sides.
fn bar_box(plot: &Plot, ratio: f64, band: &Rect, more: f64) -> Rect {
    let most = (MOST_BAR_PX / 2.0).max(band.height() / 4.0);
    let half = ((band.height() - GAP_PX) / 2.0).clamp(2.0, most) + more;
    let (now, (end, _)) = (plot.x_at(1.0), end_of(plot, ratio));
    let middle = band.centre().y;
    rect(now.min(end), middle - half, now.max(end), middle + half)
}

/// Ticks at half, same and double with their grid lines, and what the two sides mean.
fn axes(pen: &mut Pen<'_>, layout: &Layout) {
    let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
    let plot = &layout.plot;
    let Rect { top, bottom, .. } = plot.area;
    let grid = hair(pen.theme.grid);
    for value in [LEAST, 0.7, 1.4, MOST] {
        let x = plot.x_at(value);
        pen.line(point(x, top - 3.0), point(x, bottom), grid);
    }
    let others = [(LEAST, "0.5×"), (MOST, "2×"), (0.7, "0.7×"), (1.4, "1.4×")];
    let mut ticks = vec![(1.0, Words::tick("1×", ink).bold())];
    ticks.extend(others.map(|(value, text)| (value, Words::tick(text, grey))));
    let axis = Axis {
        ticks,
        minor: vec![0.6, 0.8, 0.9, 1.2, 1.6, 1.8],
        name: "throughput over now, log",
    };
    x_axis(pen, plot, &axis);
    // Beside the line that they lie on the two sides of.
    for (heading, x, align) in [
        ("now", layout.now, Align::Middle),
        ("double →", layout.now + HEADING_PX, Align::Start),
        ("← half", layout.now - HEADING_PX, Align::End),
    ] {
        let words = Words::tick(heading, grey);
        pen.write_if_free(&words, point(x, top - 9.5), align, None);
    }
}

/// From the line of now to what its sides are.
const HEADING_PX: f64 = 20.0;

/// A row: its name, both bars, and what they come to.
fn draw_row(
    pen: &mut Pen<'_>,
    layout: &Layout,
    row: &SensitivityRow,
    band: &Rect,
    (index, fits): (usize, bool),
) {
    let theme = pen.theme;
    if index > 0 {
        let [from, to, ..] = band.corners();
        pen.line(from, to, hair(theme.grid));
    }
    let mut words = row.words(theme, layout.narrow);
    if pen.width(&words) > layout.names {
        words = row.words(theme, true);
    }
    let left = point(0.0, band.centre().y);
    pen.write_about(&words, left, Align::Start, None);
    // The longer bar first, so that the other shows on top of it where both go the same way.
    let mut order = row.swings();
    sort_by(&mut order, |one, other| {
        other.moved().abs().total_cmp(&one.moved().abs())
    });
    for swing in order {
        if let Some(ratio) = swing.ratio() {
            fill_bar(pen, &layout.plot, ratio, band, fits);
        }
        if let Some(pinned) = swing.pinned.filter(|ratio| moves(*ratio)) {
            // Where A's bar ends; a bar of its own would be one too many.
            let ghost = bar_box(&layout.plot, pinned, band, 3.0);
            let (x, _) = end_of(&layout.plot, pinned);
            let (head, foot) = (point(x, ghost.top), point(x, ghost.bottom));
            pen.dashed_rule(head, foot, (3.0, 2.0), stroke(theme.ink_2, 1.2));
        }
    }
    for (swing, right) in row.swings().into_iter().zip(row.rightwards()) {
        // The headings say which side doubles and which halves, where the row keeps to them.
        let usual = right == (swing.change == "×2");
        let named = swing.change.starts_with('×');
        let brief = named && usual || layout.narrow && !row.less_is_better;
        let wordings = wordings(theme, swing, brief);
        label(pen, layout, swing, right, band.centre().y, wordings);
    }
}

fn fill_bar(pen: &mut Pen<'_>, plot: &Plot, ratio: f64, band: &Rect, fits: bool) {
    if !moves(ratio) {
        return;
    }
    let (bar, (end, beyond)) = (bar_box(plot, ratio, band, 0.0), end_of(plot, ratio));
    let colour = match ratio > 1.0 {
        true => pen.theme.accent,
        false => pen.theme.strong,
    };
    pen.fill_rect(bar, colour);
    if !fits {
        let veil = stroke(pen.theme.hidden, 1.5);
        pen.hatch(&bar.corners(), 7.0, Hatch::Falling, veil);
    }
    // An arrowhead where the axis ends before the bar does.
    if beyond != 0.0 {
        let (x, y) = (end + beyond, bar.centre().y);
        let tip = point(x + beyond * 5.0, y);
        pen.fill(&[point(x, y - 4.0), tip, point(x, y + 4.0)], colour);
    }
}

/// At the end of its bar, beyond the pinned one's where that is in the way, whatever has room.
fn label(
    pen: &mut Pen<'_>,
    layout: &Layout,
    swing: &Swing,
    right: bool,
    middle: f64,
    wordings: Vec<Words>,
) {
    let sign = if right { 1.0 } else { -1.0 };
    let end = |ratio: f64| {
        let (end, beyond) = end_of(&layout.plot, ratio);
        sign * end + 7.0 * beyond.abs()
    };
    let mut far = swing.ratio().map_or(sign * layout.now, end);
    far = far.max(sign * layout.now) + 5.0;
    let widest = wordings.iter().map(|words| pen.width(words));
    let widest = widest.fold(0.0, f64::max);
    if let Some(pinned) = swing.pinned.map(end)
        && (far - 4.0..far + widest + 4.0).contains(&pinned)
    {
        far = pinned + 5.0;
    }
    let (x, align) = (sign * far, if right { Align::Start } else { Align::End });
    let room = match right {
        true => pen.canvas.right - x,
        false => x - layout.names,
    };
    if let Some(words) = wordings.into_iter().find(|words| pen.width(words) <= room) {
        let halo = Some(pen.theme.background);
        pen.write_about(&words, point(x, middle), align, halo);
    }
}

/// What a bar says, longest first: "×2 → 1.44×", "1.44×".
fn wordings(theme: &Theme, swing: &Swing, brief: bool) -> Vec<Words> {
    let grey = theme.ink_3;
    let change = Words::label(format!("{} ", swing.change), grey);
    let (why, ink) = match &swing.outcome {
        SwingOutcome::Ratio(ratio) => {
            let text = format::factor(*ratio);
            let value = match *ratio {
                ratio if !moves(ratio) => Words::label(text, grey),
                ratio if ratio > 1.0 => Words::label(text, theme.accent).bold(),
                _ => Words::label(text, theme.ink_2).bold(),
            };
            let mut long = change.and("→ ", grey);
            long.runs.extend(value.runs.iter().cloned());
            let long = (!brief).then_some(long);
            return long.into_iter().chain([value]).collect();
        }
        SwingOutcome::Bound(why) => (why.as_str(), grey),
        SwingOutcome::Lost(why) => (why.split(':').next().unwrap_or(why), theme.bad),
    };
    let alone = [why, format::NONE].map(|text| Words::label(text, ink));
    [change.and(why, ink)].into_iter().chain(alone).collect()
}
