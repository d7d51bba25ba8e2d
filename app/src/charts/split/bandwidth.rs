//! "How fast must the network be?": the least bandwidth of a device over the batch.

use crate::charts::frame::{Axis, Plot, axis_box, nothing_to_show, plot_area, x_axis, y_axis};
use crate::charts::geometry::{Hatch, Point, Rect, point, rect};
use crate::charts::hits::Reach;
use crate::charts::scale::Scale;
use crate::charts::sketch::{Sketch, stroke};
use crate::charts::text::{Align, Side, Words, spot};
use crate::charts::{
    Cell, Column, DrawError, Figure, Hits, Surface, Table, TipRow, Tooltip, chart_height_px,
};
use crate::format;
use crate::theme::{Theme, size};

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
    fn draw<S: Surface>(
        &self,
        surface: &mut S,
        theme: &Theme,
        focus: Option<usize>,
    ) -> Result<Hits, DrawError<S>> {
        let mut sketch = Sketch::new(surface, theme);
        let area = plot_area(&sketch.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        if !self.good() {
            nothing_to_show(&mut sketch, &area, "no bandwidth to show");
            sketch.finish()?;
            return Ok(Hits::default());
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
        let focused = focus.and_then(|index| samples.get(index)).copied();
        axes(&mut sketch, &plot, focused);
        link(&mut sketch, &plot, self);
        let (ink, grey) = (sketch.theme.ink_1, sketch.theme.ink_3);
        let mut segments: Vec<(Point, Point)> = Vec::new();
        for (index, line) in self.lines.iter().enumerate().rev() {
            let path: Vec<Point> = line.points.iter().map(|p| at(*p)).collect();
            segments.extend(path.iter().copied().zip(path.iter().skip(1).copied()));
            let pen = if index == 0 {
                stroke(ink, size::CURVE_PX)
            } else {
                stroke(grey, 1.1)
            };
            sketch.polyline(&path, pen);
        }
        let now = at(self.now);
        let on_axes = plot.x.holds(self.now.0);
        if on_axes {
            sketch.reserve(Rect::about(now, 9.0));
        }
        now_label(&mut sketch, &plot, self, &segments);
        for (index, line) in self.lines.iter().enumerate() {
            context_label(&mut sketch, &plot, line, index == 0);
        }
        if let Some(sample) = focused {
            let place = at(sample);
            let pen = stroke(sketch.theme.ink_2, size::HAIRLINE_PX);
            sketch.dashed_rule(place, point(place.x, plot.area.bottom), (1.5, 2.5), pen);
            sketch.rimmed_point(place, 4.2, ink);
        }
        if on_axes {
            let paper = sketch.theme.background;
            sketch.disc(now, 8.6, paper);
            sketch.ring(now, 7.8, stroke(ink, 1.4));
            sketch.disc(now, 4.0, ink);
        }
        sketch.finish()?;
        let reaches = samples
            .iter()
            .map(|sample| {
                let place = at(*sample);
                Reach::Ruler {
                    x_px: place.x,
                    top_px: area.top,
                    bottom_px: area.bottom,
                    anchor_y_px: place.y,
                }
            })
            .collect();
        let start = samples.iter().position(|sample| sample.0 >= self.now.0);
        Ok(Hits::new(reaches).starting_at(start.unwrap_or(0)))
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

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px)
    }
}

fn axes<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, focused: Option<(f64, f64)>) {
    let ink = sketch.theme.ink_3;
    if let Some((batch, _)) = focused {
        let x = plot.x_at(batch);
        axis_box(sketch, &format::batch(batch), x, plot.area.bottom + 11.5);
    }
    let words = |value: f64| (value, Words::tick(format::si_tick(value), ink));
    let y = plot.y.ticks((plot.area.height() / 30.0).max(2.0) as usize);
    y_axis(
        sketch,
        plot,
        &Axis {
            ticks: y.into_iter().map(words).collect(),
            minor: Vec::new(),
            name: "GB/s per device, one way",
        },
        10.0,
    );
    let x = plot.x.ticks((plot.area.width() / 44.0).max(2.0) as usize);
    x_axis(
        sketch,
        plot,
        &Axis {
            ticks: x.into_iter().map(words).collect(),
            minor: plot.x.minor_ticks(),
            name: "sequences in a batch, log",
        },
    );
}

/// What the network has, and the region above it that it cannot carry.
fn link<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, data: &BandwidthData) {
    let net = data.net_bytes_per_s / 1e9;
    let (ink, paper) = (sketch.theme.ink_2, sketch.theme.background);
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
        sketch.write_if_free(&words, point(right, top + 10.0), Align::End, Some(paper));
        return;
    }
    let y = plot.y_at(net);
    let beyond = rect(left, top, right, y);
    let line = stroke(sketch.theme.line, size::HAIRLINE_PX);
    sketch.hatch(&beyond.corners(), 9.0, Hatch::Rising, line);
    sketch.line(point(left, y), point(right, y), stroke(ink, 1.2));
    let words = Words::note(
        format!("each has {}", format::bandwidth(data.net_bytes_per_s)),
        ink,
    );
    let spots = [
        spot(point(left + 6.0, y - 4.0), Align::Start, Side::Above),
        spot(point(left + 6.0, y + 4.0), Align::Start, Side::Below),
        spot(point(right - 6.0, y - 4.0), Align::End, Side::Above),
    ];
    sketch.place(&[vec![words]], &spots, &plot.area, &[], Some(paper));
}

fn now_label<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    data: &BandwidthData,
    lines: &[(Point, Point)],
) {
    if !plot.x.holds(data.now.0) {
        return;
    }
    let (ink, grey, paper) = (
        sketch.theme.ink_1,
        sketch.theme.ink_2,
        sketch.theme.background,
    );
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
    if sketch
        .place(&wordings, &spots, &plot.area, lines, Some(paper))
        .is_none()
    {
        sketch.place(&wordings, &spots, &plot.area, &[], Some(paper));
    }
}

fn context_label<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    line: &ContextLine,
    is_now: bool,
) {
    let Some((batch, bytes)) = line.points.last() else {
        return;
    };
    let (ink, paper) = (
        if is_now {
            sketch.theme.ink_1
        } else {
            sketch.theme.ink_3
        },
        sketch.theme.background,
    );
    let at = plot.at(*batch, bytes / 1e9);
    let words = Words::note(format!("{} tokens", format::count(line.context)), ink);
    sketch.write_if_free(
        &words,
        point(at.x - 3.0, at.y - 5.0),
        Align::End,
        Some(paper),
    );
}
