//! The chart "Reproduced?": predicted vs. measured throughput, with bands for deviations of up to 1.2× and 2×.

use crate::chart::Digits;
use crate::chart::rows::Of;
use crate::charts::prelude::*;
use crate::order::sort_by;

#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredData {
    pub points: Vec<MeasuredPoint>,
    pub finding: String,
}

/// Marker shapes for hardware generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkShape {
    /// Hopper GPUs, drawn as a disc.
    Disc,
    /// Blackwell GPUs, drawn as an open circle.
    Ring,
    /// Other hardware, drawn as a cross.
    Cross,
}

impl MarkShape {
    fn ink(self, ink: Ink) -> DotInk {
        match self {
            Self::Disc => DotInk::Disc(3.4, ink),
            Self::Ring => DotInk::Ring(3.2, ink),
            Self::Cross => DotInk::Cross(ink),
        }
    }
}

/// A measured run with its prediction, in output tok/s/GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredPoint {
    /// Model and hardware, such as `DeepSeek-R1, 4×8 H200`.
    pub name: String,
    /// Sharding, schedule and load of the run.
    pub run: String,
    /// Category of the run, such as `steady decode`.
    pub group: &'static str,
    /// Settings that the source does not publish; empty if none is missing.
    pub unknown: String,
    pub measured: f64,
    pub predicted: f64,
    /// Lowest and highest prediction over the possible values of unpublished settings.
    pub range: (f64, f64),
    /// Prediction of the previous calibration, if it is shown.
    pub formerly: Option<f64>,
    /// True if the run counts toward Ridgepoint's accuracy.
    pub counts: bool,
    pub shape: MarkShape,
    pub source: String,
}

impl MeasuredPoint {
    fn values(&self) -> [f64; 4] {
        [self.measured, self.predicted, self.range.0, self.range.1]
    }

    fn draws(&self) -> bool {
        self.values().into_iter().all(positive)
    }

    /// Returns predicted ÷ measured throughput.
    fn ratio(&self) -> f64 {
        self.predicted / self.measured
    }

    fn off(&self) -> f64 {
        self.ratio().max(1.0 / self.ratio())
    }
}

/// Deviation factor and opacity of both bands around equality, the wider one first.
const BANDS: [(f64, f64); 2] = [(2.0, 0.11), (1.2, 0.20)];
/// Maximum number of labeled runs. Runs beyond the narrower band are labeled, those with the largest deviations first.
const NAMED: usize = 4;

impl MeasuredData {
    /// Returns the points that can be drawn, in the order of their hover targets.
    fn drawn(&self) -> Vec<&MeasuredPoint> {
        self.points.iter().filter(|point| point.draws()).collect()
    }

    fn farthest_first(&self) -> Vec<&MeasuredPoint> {
        let mut points = self.drawn();
        sort_by(&mut points, |one, other| other.off().total_cmp(&one.off()));
        points
    }
}

impl MeasuredData {
    /// Height of the chart, as a function of its width.
    pub const SHAPE: Shape = Shape::Share {
        of: 0.78,
        px: [300.0, 560.0],
    };

    /// Builds the chart "Reproduced?".
    pub fn chart(self: &Arc<Self>) -> Arc<Chart> {
        Chart::painted(self, self.finding.clone(), Self::SHAPE)
    }
}

impl Painter for MeasuredData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = usual_area(pen);
        let drawn = self.drawn();
        let (least, most) = extent(drawn.iter().flat_map(|p| p.values()));
        if drawn.is_empty() {
            return nothing_to_show(pen, &area, "no measured run");
        }
        let (low, high) = (floor_125(least / 1.2), ceil_125(most * 1.2));
        let plot = Plot::new(area, Scale::log(low, high), Scale::log(low, high));
        bands(pen, &plot);
        let axes = ["predicted", "measured"].map(|what| format!("{what}, tok/s/GPU, log"));
        si_axes(pen, &plot, &axes[0], &axes[1]);
        let grey = pen.theme.ink_3;
        pen.polyline(&[plot.at(low, low), plot.at(high, high)], hair(grey));
        for p in &drawn {
            let (from, to) = p.range;
            let [from, to] = [from, to].map(|value| plot.at(p.measured, value));
            if from.distance(to) > 1.0 {
                pen.polyline(&[from, to], hair(grey));
            }
        }
        legend(pen, &plot, &drawn);
        let mut xy = Xy::on(&plot);
        for (order, p) in self.farthest_first().into_iter().enumerate() {
            let own = if p.counts { Ink::Strong } else { Ink::Faint };
            let dot = xy.dot(At::new((p.measured, p.predicted)), p.shape.ink(own));
            if order < NAMED && p.off() > BANDS[1].0 {
                let short = p.name.split(',').next().unwrap_or_default();
                dot.says([&p.name, short].map(|name| Words::label(name, Ink::Strong)));
            }
            if let Some(before) = p.formerly {
                xy.dot(At::new((p.measured, before)), DotInk::Former(Ink::Faint));
            }
        }
        xy.draw(pen, &plot, false);
        name_bands(pen, &plot);
        Hits::values(&plot, drawn.iter().map(|p| (p.measured, p.predicted)))
    }

    fn table(&self) -> Option<Table> {
        Some(columns(&self.points.iter().collect::<Vec<_>>()).done())
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let point = *self.drawn().get(index)?;
        let (low, high) = point.range;
        let range = format!("{} – {}", format::sig3(low), format::sig3(high));
        let unknown = !point.unknown.is_empty();
        let tip = Tooltip::new(&point.name, point.group, &point.source)
            .across(format::sig3(point.measured))
            .rows(columns(&[point]).tips())
            .rows(unknown.then(|| TipRow::plain("range from unpublished settings", range)));
        Some(tip)
    }
}

fn columns<'a, 'b>(of: &'a [&'b MeasuredPoint]) -> Of<'a, &'b MeasuredPoint> {
    const UNIT: &str = "tok/s/GPU";
    Rows::of(of)
        .col("system", "", |p| p.name.clone())
        .col("run", "", |p| p.run.clone())
        .col("kind", "", |p| p.group)
        .col("measured", UNIT, |p| p.measured)
        .tip(Digits::Sig3, " tok/s/GPU")
        .col("predicted", UNIT, |p| p.predicted)
        .tip(Digits::Sig3, " tok/s/GPU")
        .col("predicted, low", UNIT, |p| p.range.0)
        .col("predicted, high", UNIT, |p| p.range.1)
        .col("predicted ÷ measured", "×", |p| p.ratio())
        .tip(Digits::Factor, "")
        .col("unpublished settings", "", |p| p.unknown.clone())
        .col("source", "", |p| p.source.clone())
}

/// Draws the legend of marker shapes and hardware in the lower right corner, where runs are rare.
fn legend(pen: &mut Pen<'_>, plot: &Plot, drawn: &[&MeasuredPoint]) {
    let (grey, ink) = (pen.theme.ink_3, Ink::Soft);
    let Rect { right, bottom, .. } = plot.area;
    let has = |shape| drawn.iter().any(|p| p.shape == shape);
    let formerly = drawn.iter().any(|p| p.formerly.is_some());
    let mut y = bottom - 10.0;
    for (shown, mark, name) in [
        (
            formerly,
            DotInk::Former(Ink::Faint),
            "with aleph-alpha-2025",
        ),
        (has(MarkShape::Cross), MarkShape::Cross.ink(ink), "other"),
        (has(MarkShape::Ring), MarkShape::Ring.ink(ink), "Blackwell"),
        (has(MarkShape::Disc), MarkShape::Disc.ink(ink), "Hopper"),
    ] {
        if shown {
            let words = Words::note(name, grey);
            pen.write_about(&words, point(right - 20.0, y), Align::End, None);
            mark.draw(pen, point(right - 11.0, y));
            y -= 15.0;
        }
    }
}

/// Draws the bands around the line on which predicted equals measured, clipped to the plot.
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

/// Labels both edges of the wider band: "2× too fast" near the lower left of the plot, and "2× too slow" near the
/// upper right.
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
