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
        let gb = |(batch, bytes): &(f64, f64)| (*batch, bytes / 1e9);
        let net = self.net_bytes_per_s / 1e9;
        let all = self.lines.iter().flat_map(|line| &line.points);
        let seen = net.min(4.0 * (self.now.1 / 1e9).max(1e-9));
        let (_, most) = extent(all.map(|of| gb(of).1).chain([seen]));
        let plot = Plot::new(
            area,
            Scale::log(first.0, last.0),
            Scale::linear(0.0, most * 1.15),
        );
        si_axes(
            pen,
            &plot,
            "GB/s per device, one way",
            "sequences in a batch, log",
        );
        let (theme, ink) = (pen.theme, pen.theme.ink_1);
        let bold = |text: String| Words::note(text, ink).bold();
        let mut xy = Xy::new(plot);
        xy.upright(self.now.0, RuleInk::Dashed(theme.ink_3));
        xy.level(net, RuleInk::Limit)
            .says([bold(format!("has {}", format::printed(net)))]);
        let needs = format!("now: {}", format::sig3(self.now.1 / 1e9));
        xy.dot(gb(&self.now), DotInk::Now(true)).says([bold(needs)]);
        if let Some(batch) = self.enough_for {
            let text = format!("enough for {}", format::count(batch));
            xy.dot((batch, net), DotInk::Ring(3.2, ink))
                .says([Words::note(text, theme.ink_2)]);
        }
        for (index, line) in self.lines.iter().enumerate() {
            let tokens = format::count(line.context);
            let (says, line_ink) = match index {
                0 => (
                    bold(format!("{tokens} tok")),
                    CurveStroke::solid(ink, size::CURVE_PX),
                ),
                _ => (
                    Words::note(tokens, theme.ink_3),
                    CurveStroke::solid(theme.ink_3, 1.1),
                ),
            };
            xy.curve(line.points.iter().map(gb), line_ink).says([says]);
        }
        xy.draw(pen);
        let start = self.samples().iter().position(|(x, _)| *x >= self.now.0);
        let places = self.samples().iter().map(gb).map(|(x, y)| plot.at(x, y));
        Hits::rulers(places, &area).on(&plot).starting_at(start)
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
        self.columns(0..self.samples().len()).done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (batch, _) = *self.samples().get(index)?;
        let title = format!("{} sequences a batch", format::batch(batch));
        let fits = self.capacity.is_none_or(|most| batch <= most);
        let tip = Tooltip::new(title, if fits { "" } else { "does not fit" }, &self.source)
            .across(format::batch(batch))
            .rows(self.columns([index]).tips())
            .row("each device has", format::bandwidth(self.net_bytes_per_s));
        Some(tip)
    }
}

impl BandwidthData {
    /// Columns of samples, by their places.
    fn columns(&self, samples: impl IntoIterator<Item = usize>) -> Columns<usize> {
        let batches =
            Table::of(samples).col("sequences in a batch", "", |of| self.samples()[*of].0);
        self.lines.iter().fold(batches, |columns, line| {
            let tokens = format::count(line.context);
            let name = format!("least bandwidth at {tokens} tokens");
            let bytes = |of: &usize| Some(line.points.get(*of)?.1 / 1e9);
            columns
                .col(name, "GB/s", bytes)
                .tip(|gb| format!("{} GB/s", format::sig3(gb)))
        })
    }
}

/// Room right of the curves for their names.
const END_PX: f64 = 52.0;
