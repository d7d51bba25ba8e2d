//! "How many GPUs?": memory of one GPU as their number grows.

use crate::charts::prelude::*;

/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct GrowthData {
    /// One for each number of GPUs that has a plan, ascending.
    pub bars: Vec<GrowthBar>,
    /// What of a GPU's memory may be used.
    pub usable_bytes: f64,
    /// The accelerator's name, at the capacity.
    pub accelerator: String,
    /// The scenario's own number of GPUs.
    pub now_gpus: f64,
    /// Sequences of the deployment, the same for every bar.
    pub batch: f64,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// The memory of one GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct GrowthBar {
    /// GPUs in all.
    pub gpus: f64,
    /// What is stored, weights first.
    pub parts: Vec<(Role, f64)>,
    /// The largest batch that fits.
    pub capacity_batch: f64,
}

impl GrowthBar {
    fn total_bytes(&self) -> f64 {
        self.parts.iter().map(|(_, bytes)| bytes).sum()
    }
}

/// Bytes in a GiB.
const GIB: f64 = 1_073_741_824.0;
/// How far above the capacity bars are shown; taller ones are cut and say how tall they are.
const HEADROOM: f64 = 1.45;
/// Room for the names of the parts.
const NAMES_PX: f64 = 56.0;
/// Of a bar's pitch.
const BAR_SHARE: f64 = 0.66;

impl GrowthData {
    fn draws(&self) -> bool {
        self.usable_bytes > 0.0 && self.usable_bytes.is_finite() && !self.bars.is_empty()
    }

    fn fits(&self, bar: &GrowthBar) -> bool {
        bar.total_bytes() <= self.usable_bytes
    }

    fn usable_gib(&self) -> f64 {
        self.usable_bytes / GIB
    }

    /// Every bar with where it stands, as tall as the plot shows it.
    fn placed<'a>(&'a self, plot: &'a Plot) -> impl Iterator<Item = (&'a GrowthBar, Rect)> {
        self.bars.iter().enumerate().map(|(index, bar)| {
            let (from, to) = (plot.x_at(index as f64), plot.x_at(index as f64 + 1.0));
            let gap = (to - from) * (1.0 - BAR_SHARE) / 2.0;
            let top = plot.y_at((bar.total_bytes() / GIB).min(plot.y.high()));
            (bar, rect(from + gap, top, to - gap, plot.area.bottom))
        })
    }
}

impl Figure for GrowthData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let whole = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        let right = (whole.right - NAMES_PX).max(whole.left + 1.0);
        let area = Rect { right, ..whole };
        if !self.draws() {
            nothing_to_show(pen, &area, "no number of GPUs has a plan");
            return Hits::default();
        }
        let count = self.bars.len() as f64;
        let most = self.usable_gib() * HEADROOM;
        let plot = Plot::new(area, Scale::linear(0.0, count), Scale::linear(0.0, most));
        si_y_axis(pen, &plot, "GiB per GPU");
        let line = plot.y_at(self.usable_gib());
        for (bar, at) in self.placed(&plot) {
            draw_bar(pen, &plot, bar, at);
            if at.top < line - 0.5 {
                marks::veil(pen, &Rect { bottom: line, ..at }.corners(), 6.0);
            }
        }
        pen.seam();
        name_numbers(pen, &plot, self);
        name_capacity(pen, &plot, self);
        name_cut(pen, &plot, self);
        name_parts(pen, &plot, self);
        let gap = area.width() / count * (1.0 - BAR_SHARE) / 2.0;
        let column = |(_, at): (_, Rect)| rect(at.left - gap, area.top, at.right + gap, at.bottom);
        let start = self.bars.iter().position(|bar| bar.gpus >= self.now_gpus);
        Hits::boxes(self.placed(&plot).map(column))
            .on(&plot)
            .starting_at(start.unwrap_or(0))
    }

    fn finding(&self) -> String {
        if !self.draws() {
            return "No number of GPUs has a plan".to_owned();
        }
        // From there on: growth may make a bar fit that a larger one does not.
        let last = self.bars.iter().rposition(|bar| !self.fits(bar));
        let first = last.map_or(0, |last| last + 1);
        let batch = format::sequences(self.batch);
        match self.bars.get(first) {
            None => format!("{batch} sequences fit none of these"),
            Some(_) if first == 0 => format!("{batch} sequences fit any number"),
            Some(bar) => format!("{batch} sequences fit from {} on", format::count(bar.gpus)),
        }
    }

    fn table(&self) -> Table {
        let parts = self.bars.first().into_iter().flat_map(|bar| &bar.parts);
        let mut columns = vec![Column::new("GPUs", "")];
        columns.extend(parts.map(|(role, _)| Column::new(part_name(*role), "GiB")));
        columns.push(Column::new("in all", "GiB"));
        columns.push(Column::new("largest batch that fits", "sequences"));
        let row = |bar: &GrowthBar| -> Vec<Cell> {
            let parts = bar.parts.iter().map(|(_, bytes)| bytes / GIB);
            let ends = [bar.total_bytes() / GIB, bar.capacity_batch];
            let all = [bar.gpus].into_iter().chain(parts).chain(ends);
            all.map(Cell::from).collect()
        };
        let rows = self.bars.iter().map(row).collect();
        Table { columns, rows }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let bar = self.bars.get(index)?;
        let stored = bar.parts.iter().filter(|(_, bytes)| *bytes > 0.0);
        let row = |(role, bytes): &(Role, f64)| {
            TipRow::of(*role, part_name(*role), "", format::gib(*bytes).to_string())
        };
        let mut rows: Vec<TipRow> = stored.map(row).collect();
        let total = format::sig3(bar.total_bytes() / GIB);
        let total = format!("{total} of {} GiB", format::printed(self.usable_gib()));
        rows.push(TipRow::plain("in all", total));
        let largest = if bar.capacity_batch >= 1.0 {
            format::sequences(bar.capacity_batch)
        } else {
            "none fits".to_owned()
        };
        rows.push(TipRow::plain("largest batch", largest));
        let word = if bar.gpus > 1.0 { "GPUs" } else { "GPU" };
        let fits = self.fits(bar);
        Some(Tooltip {
            title: format!("{} {word}", format::count(bar.gpus)),
            aside: if fits { "fits" } else { "does not fit" }.to_owned(),
            rows,
            source: self.source.clone(),
        })
    }

    /// Outlines the bar in its column, and says its number below.
    fn glow(&self, index: usize, hits: &Hits, pen: &mut Pen<'_>) {
        let Some(plot) = hits.plot() else { return };
        if let Some((bar, at)) = self.placed(&plot).nth(index) {
            pen.outline(at.grown(1.5), stroke(pen.theme.ink_1, 1.5));
            pen.seam();
            let (x, y) = (at.centre().x, plot.area.bottom + 11.5);
            axis_box(pen, &format::count(bar.gpus), x, y);
        }
    }
}

/// A part's name where roles stand for what is stored.
fn part_name(role: Role) -> &'static str {
    match role {
        Role::Head => "embedding, head",
        Role::Kv => "KV cache",
        other => other.name(),
    }
}

fn draw_bar(pen: &mut Pen<'_>, plot: &Plot, bar: &GrowthBar, at: Rect) {
    let mut bottom = at.bottom;
    let mut below = 0.0;
    for (role, bytes) in bar.parts.iter().filter(|(_, bytes)| *bytes > 0.0) {
        below += bytes / GIB;
        let top = plot.y_at(below.min(plot.y.high()));
        let part = Rect { top, bottom, ..at };
        pen.bar(part, pen.theme.role(*role));
        if part.height() > 3.0 && !pen.theme.dark {
            // A seam between neighbours.
            let bottom = top + 1.0;
            pen.fill_rect(Rect { bottom, ..part }, pen.theme.background);
        }
        bottom = top;
        if below >= plot.y.high() {
            break;
        }
    }
}

/// The numbers of GPUs below the bars, now's first.
fn name_numbers(pen: &mut Pen<'_>, plot: &Plot, data: &GrowthData) {
    let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
    let now = |bar: &GrowthBar| bar.gpus.total_cmp(&data.now_gpus).is_eq();
    let tick = |(index, bar): (usize, &GrowthBar)| {
        let text = format::count(bar.gpus);
        let words = match now(bar) {
            true => Words::tick(text, ink).bold(),
            false => Words::tick(text, grey),
        };
        (index as f64 + 0.5, words)
    };
    let mut ticks: Vec<(f64, Words)> = data.bars.iter().enumerate().map(tick).collect();
    let now = data.bars.iter().position(now);
    if let Some(now) = now {
        ticks[..=now].rotate_right(1);
    }
    let axis = Axis {
        ticks,
        minor: Vec::new(),
        name: "GPUs in all",
    };
    x_axis(pen, plot, &axis);
    if let Some(now) = now {
        let words = Words::tick("now", ink).bold();
        let right = pen.canvas.right - pen.width(&words) / 2.0;
        let x = plot.x_at(now as f64 + 0.5).min(right);
        let at = point(x, plot.area.bottom + 29.5);
        pen.write_if_free(&words, at, Align::Middle, None);
    }
}

fn name_capacity(pen: &mut Pen<'_>, plot: &Plot, data: &GrowthData) {
    let (ink, y) = (pen.theme.ink_1, plot.y_at(data.usable_gib()));
    let Rect { left, right, .. } = plot.area;
    pen.line(point(left, y), point(right, y), stroke(ink, 1.5));
    let gib = format!("{} GiB", format::printed(data.usable_gib()));
    let wordings = [format!("{} {gib}", data.accelerator), gib];
    Label::lines(wordings.map(|text| Words::label(text, ink).bold()))
        .at([spot(point(right - 2.0, y - 3.0), Align::End, Side::Above)])
        .write_in(pen, plot.area);
}

/// How tall a bar is that the plot cuts.
fn name_cut(pen: &mut Pen<'_>, plot: &Plot, data: &GrowthData) {
    for (bar, at) in data.placed(plot) {
        let total = bar.total_bytes() / GIB;
        if total <= plot.y.high() {
            continue;
        }
        let place = point(at.centre().x, plot.area.top + 1.5);
        Label::lines([Words::tick(format::si(total), pen.theme.ink_2)])
            .at([spot(place, Align::Middle, Side::Below)])
            .write_in(pen, pen.canvas);
    }
}

/// Names of the parts in a column beside the last bar, with elbow leaders.
fn name_parts(pen: &mut Pen<'_>, plot: &Plot, data: &GrowthData) {
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
        // Where there is little room the head's weights are the head.
        let name = part_name(*role).trim_start_matches("embedding, ");
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
        let elbow = [
            (near, middle),
            (near + 3.0, middle),
            (far, y),
            (far + 3.0, y),
        ];
        let hair = stroke(pen.theme.strong, size::HAIRLINE_PX);
        pen.polyline(&elbow.map(|(x, y)| point(x, y)), hair);
    }
}
