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
    /// Whose narrower: `per compute device`.
    pub whose: String,
    /// Largest batch in flight that fits.
    pub capacity: Option<f64>,
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
        self.samples().len() > 1
            && self
                .lines
                .iter()
                .flat_map(|line| &line.points)
                .all(|(x, y)| x.is_finite() && y.is_finite() && *x > 0.0 && *y >= 0.0)
            && self.net_bytes_per_s.is_finite()
            && self.now.0 > 0.0
            && self.now.1.is_finite()
    }
}

impl Figure for BandwidthData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        if !self.good() {
            nothing_to_show(pen, &area, "no bandwidth to show");
            return Hits::default();
        }
        let samples = self.samples();
        let first = samples[0].0;
        let last = samples[samples.len() - 1].0;
        let most = self
            .lines
            .iter()
            .flat_map(|line| line.points.iter().map(|(_, y)| *y))
            .fold(
                self.net_bytes_per_s.min(4.0 * self.now.1.max(1.0)),
                f64::max,
            );
        let plot = Plot::new(
            area,
            Scale::log(first, last),
            Scale::linear(0.0, most * 1.15 / 1e9),
        );
        let at = |(batch, bytes): (f64, f64)| plot.at(batch, bytes / 1e9);
        si_axes(
            pen,
            &plot,
            "GB/s per device, one way",
            "sequences in a batch, log",
        );
        link(pen, &plot, self);
        let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
        let mut segments: Vec<(Point, Point)> = Vec::new();
        for (index, line) in self.lines.iter().enumerate().rev() {
            let path: Vec<Point> = line.points.iter().map(|p| at(*p)).collect();
            segments.extend(path.iter().copied().zip(path.iter().skip(1).copied()));
            let style = if index == 0 {
                stroke(ink, size::CURVE_PX)
            } else {
                stroke(grey, 1.1)
            };
            pen.polyline(&path, style);
        }
        let now = at(self.now);
        let on_axes = plot.x.holds(self.now.0);
        if on_axes {
            pen.reserve(Rect::about(now, 9.0));
        }
        now_label(pen, &plot, self, &segments);
        for (index, line) in self.lines.iter().enumerate() {
            context_label(pen, &plot, line, index == 0);
        }
        pen.seam();
        if on_axes {
            pen.now(now, true);
        }
        let reach = |sample: &(f64, f64)| Reach::Ruler {
            at: at(*sample),
            top: area.top,
            bottom: area.bottom,
        };
        let hits = Hits::new(samples.iter().map(reach).collect()).on(&plot);
        let start = samples.iter().position(|sample| sample.0 >= self.now.0);
        hits.starting_at(start.unwrap_or(0))
    }

    fn finding(&self) -> String {
        if !self.good() {
            return "No bandwidth to compare".to_owned();
        }
        let needed = format::sig3(self.now.1 / 1e9);
        let has = format::bandwidth(self.net_bytes_per_s);
        if self.now.1 <= self.net_bytes_per_s {
            format!("Takes {needed} of {has}")
        } else {
            format!("Takes {needed}, has {has}")
        }
    }

    fn table(&self) -> Table {
        let mut columns = vec![Column::new("sequences in a batch", "")];
        columns.extend(self.lines.iter().map(|line| {
            Column::new(
                format!("least bandwidth at {} tokens", format::count(line.context)),
                "GB/s",
            )
        }));
        let rows =
            self.samples()
                .iter()
                .enumerate()
                .map(|(index, (batch, _))| {
                    let mut row = vec![Cell::from(*batch)];
                    row.extend(self.lines.iter().map(|line| {
                        Cell::maybe(line.points.get(index).map(|(_, bytes)| bytes / 1e9))
                    }));
                    row
                });
        Table {
            rows: rows.collect(),
            columns,
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (batch, _) = *self.samples().get(index)?;
        let mut rows: Vec<TipRow> = self
            .lines
            .iter()
            .filter_map(|line| {
                let (_, bytes) = line.points.get(index)?;
                Some(TipRow::plain(
                    format!("{} tokens", format::count(line.context)),
                    format!("{} GB/s", format::sig3(bytes / 1e9)),
                ))
            })
            .collect();
        rows.push(TipRow::plain(
            "each device has",
            format::bandwidth(self.net_bytes_per_s).to_string(),
        ));
        let fits = self.capacity.is_none_or(|most| batch <= most);
        Some(Tooltip {
            title: format!("{} sequences a batch", format::batch(batch)),
            aside: if fits {
                String::new()
            } else {
                "does not fit".to_owned()
            },
            rows,
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        let (batch, _) = self.samples().get(index)?;
        Some(format::batch(*batch))
    }

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px)
    }
}

/// What the network has, and the region above it that it cannot carry.
fn link(pen: &mut Pen<'_>, plot: &Plot, data: &BandwidthData) {
    let net = data.net_bytes_per_s / 1e9;
    let (ink, paper) = (pen.theme.ink_2, pen.theme.background);
    let Rect {
        left, top, right, ..
    } = plot.area;
    if !plot.y.holds(net) {
        let words = Words::note(
            format!(
                "each has {}, far above",
                format::bandwidth(data.net_bytes_per_s)
            ),
            ink,
        );
        pen.write_if_free(&words, point(right, top + 10.0), Align::End, Some(paper));
        return;
    }
    let y = plot.y_at(net);
    let beyond = rect(left, top, right, y);
    let line = stroke(pen.theme.line, size::HAIRLINE_PX);
    pen.hatch(&beyond.corners(), 9.0, Hatch::Rising, line);
    pen.line(point(left, y), point(right, y), stroke(ink, 1.2));
    let words = Words::note(
        format!("each has {}", format::bandwidth(data.net_bytes_per_s)),
        ink,
    );
    let spots = [
        spot(point(left + 6.0, y - 4.0), Align::Start, Side::Above),
        spot(point(left + 6.0, y + 4.0), Align::Start, Side::Below),
        spot(point(right - 6.0, y - 4.0), Align::End, Side::Above),
    ];
    pen.place(&[vec![words]], &spots, &plot.area, &[], Some(paper));
}

fn now_label(pen: &mut Pen<'_>, plot: &Plot, data: &BandwidthData, lines: &[(Point, Point)]) {
    if !plot.x.holds(data.now.0) {
        return;
    }
    let (ink, grey, paper) = (pen.theme.ink_1, pen.theme.ink_2, pen.theme.background);
    let at = plot.at(data.now.0, data.now.1 / 1e9);
    let needs = format!("{} GB/s", format::sig3(data.now.1 / 1e9));
    let wordings = [
        vec![
            Words::label(needs.clone(), ink).bold(),
            Words::note(
                format!("for at most {} more time", format::share(data.slow_down)),
                grey,
            ),
        ],
        vec![Words::label(needs, ink).bold()],
    ];
    let spots = [
        spot(point(at.x - 12.0, at.y - 8.0), Align::End, Side::Above),
        spot(point(at.x + 12.0, at.y + 8.0), Align::Start, Side::Below),
        spot(point(at.x - 12.0, at.y + 10.0), Align::End, Side::Below),
        spot(point(at.x + 12.0, at.y - 8.0), Align::Start, Side::Above),
        spot(point(at.x, at.y + 14.0), Align::Middle, Side::Below),
        spot(point(at.x, at.y - 14.0), Align::Middle, Side::Above),
    ];
    if pen
        .place(&wordings, &spots, &plot.area, lines, Some(paper))
        .is_none()
    {
        pen.place(&wordings, &spots, &plot.area, &[], Some(paper));
    }
}

fn context_label(pen: &mut Pen<'_>, plot: &Plot, line: &ContextLine, is_now: bool) {
    let Some((batch, bytes)) = line.points.last() else {
        return;
    };
    let (ink, paper) = (
        if is_now {
            pen.theme.ink_1
        } else {
            pen.theme.ink_3
        },
        pen.theme.background,
    );
    let at = plot.at(*batch, bytes / 1e9);
    let words = Words::note(format!("{} tokens", format::count(line.context)), ink);
    pen.write_if_free(
        &words,
        point(at.x - 3.0, at.y - 5.0),
        Align::End,
        Some(paper),
    );
}
