//! "Does it come out?": predicted against measured throughput, with bands of 1.2× and 2×.

use crate::charts::prelude::*;
use crate::order::sort_by;

#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredData {
    pub points: Vec<MeasuredPoint>,
    pub finding: String,
}

/// What stands for a kind of hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Hopper.
    Disc,
    /// Blackwell.
    Ring,
    /// Neither.
    Cross,
}

/// A measured run; output tokens per second and GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredPoint {
    /// The system: `DeepSeek-R1, 4×8 H200`.
    pub name: String,
    /// Sharding, schedule, load.
    pub run: String,
    /// What kind of run: `steady decode`.
    pub group: &'static str,
    /// What is not published about it, empty where nothing is missing.
    pub unknown: String,
    pub measured: f64,
    pub predicted: f64,
    /// From where to where the prediction goes over what is not published.
    pub range: (f64, f64),
    /// What the calibration before this one predicts, where that is shown.
    pub formerly: Option<f64>,
    /// Whether it counts for accuracy.
    pub counts: bool,
    pub shape: Shape,
    pub source: String,
}

impl MeasuredPoint {
    fn values(&self) -> [f64; 4] {
        [self.measured, self.predicted, self.range.0, self.range.1]
    }

    fn draws(&self) -> bool {
        self.values().into_iter().all(positive)
    }

    fn at(&self, plot: &Plot) -> Point {
        plot.at(self.measured, self.predicted)
    }

    /// Predicted over measured.
    fn ratio(&self) -> f64 {
        self.predicted / self.measured
    }

    fn off(&self) -> f64 {
        self.ratio().max(1.0 / self.ratio())
    }
}

/// Both bands, the wider first, each with its opacity.
const BANDS: [(f64, f64); 2] = [(2.0, 0.11), (1.2, 0.20)];
/// How many of the farthest runs are named.
const NAMED: usize = 4;

impl MeasuredData {
    /// What is drawn: the order of hits.
    fn drawn(&self) -> Vec<&MeasuredPoint> {
        self.points.iter().filter(|point| point.draws()).collect()
    }
}

impl Figure for MeasuredData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = usual_area(pen);
        let drawn = self.drawn();
        let (least, most) = extent(drawn.iter().flat_map(|p| p.values()));
        if drawn.is_empty() {
            return nothing_to_show(pen, &area, "no such run was measured");
        }
        let (low, high) = (floor_125(least / 1.2), ceil_125(most * 1.2));
        let plot = Plot::new(area, Scale::log(low, high), Scale::log(low, high));
        bands(pen, &plot);
        let axes = ["predicted", "measured"].map(|what| format!("{what}, tokens/s per GPU, log"));
        si_axes(pen, &plot, &axes[0], &axes[1]);
        let thin = hair(pen.theme.ink_3);
        pen.polyline(&[plot.at(low, low), plot.at(high, high)], thin);
        for p in &drawn {
            let (from, to) = (
                plot.at(p.measured, p.range.0),
                plot.at(p.measured, p.range.1),
            );
            if from.distance(to) > 1.0 {
                pen.polyline(&[from, to], thin);
            }
        }
        for p in &drawn {
            if let Some(before) = p.formerly.filter(|value| plot.y.holds(*value)) {
                mark(pen, plot.at(p.measured, before), None, thin.colour);
            }
        }
        for p in &drawn {
            let at = p.at(&plot);
            pen.reserve(Rect::about(at, 4.0));
            let ink = if p.counts {
                pen.theme.ink_1
            } else {
                pen.theme.ink_3
            };
            mark(pen, at, Some(p.shape), ink);
        }
        pen.seam();
        legend(pen, &plot, &drawn);
        name_bands(pen, &plot);
        name_farthest(pen, &plot, &drawn);
        Hits::points(drawn.iter().map(|p| p.at(&plot)))
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        const UNIT: &str = "tokens/s per GPU";
        Table::of(&self.points)
            .col("system", "", |p| p.name.clone())
            .col("run", "", |p| p.run.clone())
            .col("kind", "", |p| p.group)
            .col("measured", UNIT, |p| p.measured)
            .col("predicted", UNIT, |p| p.predicted)
            .col("least predicted", UNIT, |p| p.range.0)
            .col("most predicted", UNIT, |p| p.range.1)
            .col("predicted over measured", "×", |p| p.ratio())
            .col("not published", "", |p| p.unknown.clone())
            .col("source", "", |p| p.source.clone())
            .done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let point = *self.drawn().get(index)?;
        let rate = |value: f64| format!("{} tok/s/GPU", format::sig3(value));
        let (low, high) = point.range;
        let range = format!("{} – {}", format::sig3(low), format::sig3(high));
        let unknown = !point.unknown.is_empty();
        let tip = Tooltip::new(&point.name, point.group, &point.source)
            .across(format::sig3(point.measured))
            .row("measured", rate(point.measured))
            .row("predicted", rate(point.predicted))
            .row("over measured", format::factor(point.ratio()))
            .rows(unknown.then(|| TipRow::plain("range of the unknown", range)));
        Some(tip)
    }

    fn height_px(width_px: f64) -> f64 {
        (width_px * 0.78).clamp(300.0, 560.0)
    }
}

/// What stands for hardware, or without one for a former prediction.
fn mark(pen: &mut Pen<'_>, at: Point, shape: Option<Shape>, ink: Colour) {
    match shape {
        None => pen.dashed_ring(at, 3.4, stroke(ink, size::HAIRLINE_PX)),
        Some(Shape::Disc) => pen.disc(at, 3.4, ink),
        Some(Shape::Ring) => pen.open_point(at, 3.2, stroke(ink, 1.5)),
        Some(Shape::Cross) => {
            for dy in [3.2, -3.2] {
                let arm = [point(at.x - 3.2, at.y - dy), point(at.x + 3.2, at.y + dy)];
                pen.polyline(&arm, stroke(ink, 1.6));
            }
        }
    }
}

/// Which shape is which hardware, in the corner that runs seldom reach.
fn legend(pen: &mut Pen<'_>, plot: &Plot, drawn: &[&MeasuredPoint]) {
    let (grey, ink) = (pen.theme.ink_3, pen.theme.ink_2);
    let Rect { right, bottom, .. } = plot.area;
    let mut y = bottom - 10.0;
    for (shape, name, ink) in [
        (None, "with aleph-alpha-2025 instead", grey),
        (Some(Shape::Cross), "other", ink),
        (Some(Shape::Ring), "Blackwell", ink),
        (Some(Shape::Disc), "Hopper", ink),
    ] {
        let is = |p: &&MeasuredPoint| match shape {
            None => p.formerly.is_some(),
            shape => shape == Some(p.shape),
        };
        let words = Words::note(name, grey);
        let place = point(right - 20.0, y);
        let written = || pen.write_about(&words, place, Align::End, None);
        if let Some(bounds) = drawn.iter().any(is).then(written).flatten() {
            let left = bounds.left - 10.0;
            pen.reserve(Rect { left, ..bounds });
            mark(pen, point(right - 11.0, y), shape, ink);
            y -= 15.0;
        }
    }
}

/// The bands about the line of equals, cut by the plot.
fn bands(pen: &mut Pen<'_>, plot: &Plot) {
    let (low, high) = (plot.x.low(), plot.x.high());
    for (factor, alpha) in BANDS {
        let (up, down) = ((low * factor).min(high), (high / factor).max(low));
        let upper = [(low, low), (low, up), (down, high)];
        let lower = [(high, high), (high, down), (up, low)];
        let corners = [upper, lower].concat();
        let corners: Vec<Point> = corners.into_iter().map(|(x, y)| plot.at(x, y)).collect();
        pen.fill(&corners, pen.theme.ink_3.with_alpha(alpha));
    }
}

/// What lies above and below the wider band, along its edge from its own end of the plot.
fn name_bands(pen: &mut Pen<'_>, plot: &Plot) {
    let (low, high) = (plot.x.low(), plot.x.high());
    for (text, above) in [("2× too fast", true), ("2× too slow", false)] {
        let spots = [0.25, 0.4, 0.1].map(|share| {
            let way = Scale::log(1.0, high / low).value(share);
            let (x, y) = match above {
                true => (low * way, low * way * 2.0),
                false => (high / 2.0 / way, high / 2.0 / way / 2.0),
            };
            let at = plot.at(x, y.clamp(low, high));
            if above {
                NW(6, -3).of(at)
            } else {
                SE(6, -3).of(at)
            }
        });
        Label::lines([Words::note(text, pen.theme.ink_3)])
            .at(spots)
            .write_over(pen, plot.area);
    }
}

/// The runs that are farthest off, by name.
fn name_farthest(pen: &mut Pen<'_>, plot: &Plot, drawn: &[&MeasuredPoint]) {
    let far = drawn.iter().filter(|p| p.off() > BANDS[1].0);
    let mut far: Vec<&&MeasuredPoint> = far.collect();
    sort_by(&mut far, |one, other| other.off().total_cmp(&one.off()));
    for p in far.into_iter().take(NAMED) {
        let words = |text: &str| Words::label(text, pen.theme.ink_1);
        let short = p.name.split(',').next().unwrap_or_default();
        Label::lines([words(&p.name), words(short)])
            .around(p.at(plot), 8.0)
            .write_over(pen, plot.area);
    }
}
