//! "How fast must the network be?": the least bandwidth of a device over the batch.

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct BandwidthData {
    /// The scenario's context first, then others; batches ascending.
    pub lines: Vec<ContextLine>,
    /// The scenario: sequences of one batch, and the least bandwidth there in bytes per second.
    pub now: (f64, f64),
    /// Bandwidth of a device.
    pub net_bytes_per_s: f64,
    /// Largest batch in flight that fits.
    pub capacity: Option<f64>,
    /// Sequences of a batch up to which the network is enough, where that ends on the plot.
    pub enough_for: Option<f64>,
    /// Share of the computation allowed for the network.
    pub slow_down: f64,
    pub source: String,
}

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
        let area = usual_area(pen);
        // Room for the names at the ends.
        let area = area.across(area.left, (area.right - END_PX).max(area.left + 1.0));
        let (true, [first, .., last]) = (self.good(), self.samples()) else {
            return nothing_to_show(pen, &area, "no bandwidth to show");
        };
        let all = self.lines.iter().flat_map(|line| &line.points);
        let seen = self.net_bytes_per_s.min(4.0 * self.now.1.max(1.0));
        let (_, most) = extent(all.map(|(_, y)| *y).chain([seen]));
        let up = Scale::linear(0.0, most * 1.15 / 1e9);
        let plot = Plot::new(area, Scale::log(first.0, last.0), up);
        let at = |(batch, bytes): (f64, f64)| plot.at(batch, bytes / 1e9);
        let (up, across) = ("GB/s per device, one way", "sequences in a batch, log");
        si_axes(pen, &plot, up, across);
        link(pen, &plot, self);
        let (ink, grey, canvas) = (pen.theme.ink_1, pen.theme.ink_3, pen.canvas);
        let style = |index: usize| match index {
            0 => (ink, size::CURVE_PX),
            _ => (grey, 1.1),
        };
        let mut things = Vec::new();
        for (index, line) in self.lines.iter().enumerate().rev() {
            let (ink, width) = style(index);
            things.insert(
                0,
                marks::solid(pen, line.points.iter().map(|p| at(*p)), ink, width),
            );
        }
        let now = plot.x.holds(self.now.0).then(|| at(self.now));
        if let Some(now) = now {
            let drop = [point(now.x, now.y + 9.0), point(now.x, area.bottom)];
            pen.dotted(&drop, 4.0, 0.8, ink);
            pen.avoid(&drop);
            pen.reserve(Rect::about(now, 9.0));
        }
        let mut unit = "";
        for (index, (line, own)) in self.lines.iter().zip(things).enumerate() {
            let through: Vec<Point> = line.points.iter().map(|p| at(*p)).collect();
            let text = format!("{}{unit}", format::count(line.context));
            unit = " tok";
            let words = Words::note(text, style(index).0);
            let words = if index == 0 { words.bold() } else { words };
            Label::lines([words])
                .along(&through, &[1.0], &[E(6, 0), E(6, -7), E(6, 7)])
                .along(&through, &[0.9, 0.75, 0.6], &[NW(2, 5), SE(2, 5)])
                .naming(own)
                .write_in(pen, canvas);
        }
        if let Some(now) = now {
            let needs = format!("now: {}", format::sig3(self.now.1 / 1e9));
            Label::lines([Words::label(needs, ink).bold()])
                .near(now, &[NW(12, 4), W(12, 0), N(0, 12), SE(12, 8)])
                .near(now, &[SW(12, 10), S(0, 14)])
                .write_over(pen, area);
        }
        let net = self.net_bytes_per_s / 1e9;
        if let Some(batch) = self.enough_for.filter(|batch| plot.holds((*batch, net))) {
            let here = plot.at(batch, net);
            marks::stop(pen, here, 3.2, stroke(ink, 1.4), 4.5);
            let text = format!("enough for {}", format::count(batch));
            Label::lines([Words::note(text, pen.theme.ink_2)])
                .near(here, &[SE(6, 6), NW(6, 6), SW(6, 6), SE(6, 18)])
                .near(here, &[NW(6, 20), SE(6, 30), NW(6, 34), NW(20, 48)])
                .write_over(pen, area);
        }
        pen.seam();
        if let Some(now) = now {
            pen.now(now, true);
        }
        let start = self.samples().iter().position(|(x, _)| *x >= self.now.0);
        Hits::rulers(self.samples().iter().map(|sample| at(*sample)), &area)
            .on(&plot)
            .starting_at(start)
    }

    fn finding(&self) -> String {
        if !self.good() {
            return "No bandwidth to compare".to_owned();
        }
        let needed = format!("{} GB/s", format::sig3(self.now.1 / 1e9));
        match self.now.1 <= self.net_bytes_per_s {
            true => {
                let has = format::bandwidth(self.net_bytes_per_s);
                format!("{needed} of the {has} it has")
            }
            false => {
                let times = format::factor(self.now.1 / self.net_bytes_per_s);
                format!("{needed}, {times} what it has")
            }
        }
    }

    fn table(&self) -> Table {
        let samples = self.samples().iter().enumerate();
        let mut table = Table::of(samples).col("sequences in a batch", "", |(_, of)| of.0);
        for line in &self.lines {
            let context = format::count(line.context);
            let name = format!("least bandwidth at {context} tokens");
            table = table.col(name, "GB/s", |(index, _)| {
                line.points.get(*index).map(|(_, bytes)| bytes / 1e9)
            });
        }
        table.done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (batch, _) = *self.samples().get(index)?;
        let row = |line: &ContextLine| {
            let needed = format!("{} GB/s", format::sig3(line.points.get(index)?.1 / 1e9));
            let tokens = format!("{} tokens", format::count(line.context));
            Some(TipRow::plain(tokens, needed))
        };
        let title = format!("{} sequences a batch", format::batch(batch));
        let fits = self.capacity.is_none_or(|most| batch <= most);
        let tip = Tooltip::new(title, if fits { "" } else { "does not fit" }, &self.source)
            .across(format::batch(batch))
            .rows(self.lines.iter().filter_map(row))
            .row("each device has", format::bandwidth(self.net_bytes_per_s));
        Some(tip)
    }
}

/// Room right of the curves for their names.
const END_PX: f64 = 52.0;

/// What the network has: a rule with ticks on the side that it cannot carry.
fn link(pen: &mut Pen<'_>, plot: &Plot, data: &BandwidthData) {
    let net = data.net_bytes_per_s / 1e9;
    let has = format!("has {}", format::printed(net));
    let Rect { top, right, .. } = plot.area;
    if !plot.y.holds(net) {
        let words = Words::note(format!("{has}, far above"), pen.theme.ink_2);
        let paper = Some(pen.theme.background);
        pen.write_if_free(&words, point(right, top + 10.0), Align::End, paper);
        return;
    }
    let [from, to] = plot.level(net);
    marks::limit(pen, &[from, to], true, 1.0);
    Label::lines([Words::note(has, pen.theme.ink_1).bold()])
        .near(from, &[NE(6, 5), SE(6, 4)])
        .near(to, &[NW(6, 5)])
        .on_lines()
        .write_in(pen, plot.area);
}
