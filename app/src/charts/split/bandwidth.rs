//! "How fast must the network be?": the least bandwidth of a device over the batch.

use crate::charts::prelude::*;

/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct BandwidthData {
    /// The scenario's context first, then others; batches ascending.
    pub lines: Vec<ContextLine>,
    /// The scenario: sequences of one batch, and the least bandwidth there in bytes per second.
    pub now: (f64, f64),
    /// Bandwidth of a device, bytes per second.
    pub net_bytes_per_s: f64,
    /// Largest batch in flight that fits.
    pub capacity: Option<f64>,
    /// Sequences of a batch up to which the network is enough, where that ends on the plot.
    pub enough_for: Option<f64>,
    /// Share of the computation allowed for the network.
    pub slow_down: f64,
    /// Where the values come from.
    pub source: String,
}

/// One context.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextLine {
    /// Tokens.
    pub context: f64,
    /// Sequences in one batch, bytes per second of a device.
    pub points: Vec<(f64, f64)>,
}

impl BandwidthData {
    fn samples(&self) -> &[(f64, f64)] {
        self.lines.first().map_or(&[], |line| &line.points)
    }

    fn good(&self) -> bool {
        let mut all = self.lines.iter().flat_map(|line| &line.points);
        self.samples().len() > 1
            && all.all(|(x, y)| x.is_finite() && y.is_finite() && *x > 0.0 && *y >= 0.0)
            && self.net_bytes_per_s.is_finite()
            && self.now.0 > 0.0
            && self.now.1.is_finite()
    }
}

impl Figure for BandwidthData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        // Room for the names at the ends.
        let right = (area.right - END_PX).max(area.left + 1.0);
        let area = Rect { right, ..area };
        let (true, [first, .., last]) = (self.good(), self.samples()) else {
            return nothing_to_show(pen, &area, "no bandwidth to show");
        };
        let all = self.lines.iter().flat_map(|line| &line.points);
        let seen = self.net_bytes_per_s.min(4.0 * self.now.1.max(1.0));
        let most = all.map(|(_, y)| *y).fold(seen, f64::max);
        let up = Scale::linear(0.0, most * 1.15 / 1e9);
        let plot = Plot::new(area, Scale::log(first.0, last.0), up);
        let at = |(batch, bytes): (f64, f64)| plot.at(batch, bytes / 1e9);
        let (up, across) = ("GB/s per device, one way", "sequences in a batch, log");
        si_axes(pen, &plot, up, across);
        link(pen, &plot, self);
        let (ink, grey, paper) = (pen.theme.ink_1, pen.theme.ink_3, pen.theme.background);
        let style = |index: usize| match index {
            0 => (ink, size::CURVE_PX),
            _ => (grey, 1.1),
        };
        for (index, line) in self.lines.iter().enumerate().rev() {
            let path: Vec<(Point, bool)> = line.points.iter().map(|p| (at(*p), true)).collect();
            let (ink, width) = style(index);
            marks::curve(pen, &path, marks::Line::Solid(ink, width));
        }
        let mut ends: Vec<(Point, Words)> = Vec::new();
        for (index, line) in self.lines.iter().enumerate() {
            if let Some(end) = line.points.last().map(|end| at(*end)) {
                let unit = if ends.is_empty() { "" } else { " tok" };
                let text = format!("{}{unit}", format::count(line.context));
                let words = Words::note(text, style(index).0);
                let words = if index == 0 { words.bold() } else { words };
                ends.push((end, words));
            }
        }
        for (end, words) in ends {
            let place = point(end.x + 6.0, words.baseline_about(end.y));
            pen.write_if_free(&words, place, Align::Start, Some(paper));
        }
        let on_axes = plot.x.holds(self.now.0);
        if on_axes {
            let now = at(self.now);
            pen.dotted(
                &[point(now.x, now.y + 9.0), point(now.x, area.bottom)],
                4.0,
                0.8,
                ink,
            );
            pen.reserve(Rect::about(now, 9.0));
            name_now(pen, &plot, self);
        }
        if let Some(batch) = self.enough_for.filter(|batch| plot.x.holds(*batch)) {
            let here = plot.at(batch, self.net_bytes_per_s / 1e9);
            if plot.y.holds(self.net_bytes_per_s / 1e9) {
                pen.open_point(here, 3.2, stroke(ink, 1.4));
                pen.reserve(Rect::about(here, 4.5));
                let text = format!("enough for {}", format::count(batch));
                Label::lines([Words::note(text, pen.theme.ink_2)])
                    .at([
                        spot(point(here.x + 6.0, here.y + 6.0), Align::Start, Side::Below),
                        spot(point(here.x - 6.0, here.y - 6.0), Align::End, Side::Above),
                        spot(point(here.x - 6.0, here.y + 6.0), Align::End, Side::Below),
                    ])
                    .within(plot.area)
                    .halo(paper)
                    .or_over_lines()
                    .write(pen);
            }
        }
        pen.seam();
        if on_axes {
            pen.now(at(self.now), true);
        }
        let reach = |sample: &(f64, f64)| Reach::Ruler {
            at: at(*sample),
            top: area.top,
            bottom: area.bottom,
        };
        let start = self.samples().iter().position(|(x, _)| *x >= self.now.0);
        Hits::new(self.samples().iter().map(reach).collect())
            .on(&plot)
            .starting_at(start.unwrap_or(0))
    }

    fn finding(&self) -> String {
        if !self.good() {
            return "No bandwidth to compare".to_owned();
        }
        let needed = format!("{} GB/s", format::sig3(self.now.1 / 1e9));
        let times = format::factor(self.now.1 / self.net_bytes_per_s);
        if self.now.1 <= self.net_bytes_per_s {
            format!(
                "{needed} of the {} it has",
                format::bandwidth(self.net_bytes_per_s)
            )
        } else {
            format!("{needed}, {times} what it has")
        }
    }

    fn table(&self) -> Table {
        let mut columns = vec![Column::new("sequences in a batch", "")];
        columns.extend(self.lines.iter().map(|line| {
            let context = format::count(line.context);
            Column::new(format!("least bandwidth at {context} tokens"), "GB/s")
        }));
        let row = |(index, (batch, _)): (usize, &(f64, f64))| {
            let at = |line: &ContextLine| Some(line.points.get(index)?.1 / 1e9);
            let least = self.lines.iter().map(|line| Cell::maybe(at(line)));
            std::iter::once(Cell::from(*batch)).chain(least).collect()
        };
        let rows = self.samples().iter().enumerate().map(row).collect();
        Table { columns, rows }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (batch, _) = *self.samples().get(index)?;
        let row = |line: &ContextLine| {
            let bytes = line.points.get(index)?.1;
            let tokens = format!("{} tokens", format::count(line.context));
            let needed = format!("{} GB/s", format::sig3(bytes / 1e9));
            Some(TipRow::plain(tokens, needed))
        };
        let mut rows: Vec<TipRow> = self.lines.iter().filter_map(row).collect();
        let has = format::bandwidth(self.net_bytes_per_s).to_string();
        rows.push(TipRow::plain("each device has", has));
        let fits = self.capacity.is_none_or(|most| batch <= most);
        Some(Tooltip {
            title: format!("{} sequences a batch", format::batch(batch)),
            aside: if fits { "" } else { "does not fit" }.to_owned(),
            rows,
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        Some(format::batch(self.samples().get(index)?.0))
    }
}

/// Room right of the curves for their names.
const END_PX: f64 = 52.0;
/// From one tick of a limit to the next, and their reach.
const EDGE_STEP_PX: f64 = 16.0;
const EDGE_TICK: (f64, f64) = (4.0, 3.0);

/// What the network has: a rule with ticks on the side that it cannot carry.
fn link(pen: &mut Pen<'_>, plot: &Plot, data: &BandwidthData) {
    let net = data.net_bytes_per_s / 1e9;
    let Rect {
        left, top, right, ..
    } = plot.area;
    let has = format!("has {}", format::printed(net));
    let paper = pen.theme.background;
    if !plot.y.holds(net) {
        let words = Words::note(format!("{has}, far above"), pen.theme.ink_2);
        pen.write_if_free(&words, point(right, top + 10.0), Align::End, Some(paper));
        return;
    }
    let y = plot.y_at(net);
    let (from, to) = (point(left, y), point(right, y));
    let ink = stroke(pen.theme.ink_2, size::HAIRLINE_PX);
    pen.line(from, to, ink);
    let (across, up) = EDGE_TICK;
    let mut x = left + EDGE_STEP_PX / 2.0;
    while x + across < right {
        pen.line(point(x, y), point(x + across, y - up), ink);
        x += EDGE_STEP_PX;
    }
    pen.avoid(&[from, to]);
    let spots = [
        spot(point(left + 6.0, y - 5.0), Align::Start, Side::Above),
        spot(point(left + 6.0, y + 4.0), Align::Start, Side::Below),
        spot(point(right - 6.0, y - 5.0), Align::End, Side::Above),
    ];
    let words = Words::note(has, pen.theme.ink_1).bold();
    let label = Label::lines([words]).at(spots);
    label.within(plot.area).halo(paper).on_lines().write(pen);
}

fn name_now(pen: &mut Pen<'_>, plot: &Plot, data: &BandwidthData) {
    let ink = pen.theme.ink_1;
    let Point { x, y } = plot.at(data.now.0, data.now.1 / 1e9);
    let needs = format!("now: {}", format::sig3(data.now.1 / 1e9));
    Label::lines([Words::label(needs, ink).bold()])
        .at([
            spot(point(x - 12.0, y - 4.0), Align::End, Side::Above),
            spot(point(x - 12.0, y), Align::End, Side::Level),
            spot(point(x, y - 12.0), Align::Middle, Side::Above),
            spot(point(x + 12.0, y + 8.0), Align::Start, Side::Below),
            spot(point(x - 12.0, y + 10.0), Align::End, Side::Below),
            spot(point(x, y + 14.0), Align::Middle, Side::Below),
        ])
        .within(plot.area)
        .halo(pen.theme.background)
        .or_over_lines()
        .write(pen);
}
