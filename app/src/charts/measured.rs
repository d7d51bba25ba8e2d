//! "Does it come out?": predicted against measured throughput, with bands of 1.2× and 2×.

use crate::charts::prelude::*;

/// The data of predicted against measured.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredData {
    /// The runs.
    pub points: Vec<MeasuredPoint>,
    /// The second half of the title.
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

/// A measured run.
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
    /// Output tokens per second and GPU, as measured.
    pub measured: f64,
    /// The same as predicted.
    pub predicted: f64,
    /// From where to where the prediction goes over what is not published.
    pub range: (f64, f64),
    /// Whether it counts for accuracy.
    pub counts: bool,
    /// On which kind of hardware.
    pub shape: Shape,
    /// Where it is published.
    pub source: String,
}

impl MeasuredPoint {
    fn draws(&self) -> bool {
        let good = |value: f64| value.is_finite() && value > 0.0;
        good(self.measured) && good(self.predicted) && good(self.range.0) && good(self.range.1)
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
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        let drawn = self.drawn();
        let ends = drawn
            .iter()
            .flat_map(|p| [p.measured, p.predicted, p.range.0, p.range.1]);
        let (least, most) = ends.fold((f64::INFINITY, 0.0_f64), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        if drawn.is_empty() {
            nothing_to_show(pen, &area, "no such run was measured");
            return Hits::points([]);
        }
        let (low, high) = (floor_125(least / 1.2), ceil_125(most * 1.2));
        let plot = Plot::new(area, Scale::log(low, high), Scale::log(low, high));
        bands(pen, &plot);
        si_axes(
            pen,
            &plot,
            "predicted, tokens/s per GPU, log",
            "measured, tokens/s per GPU, log",
        );
        let equal = [plot.at(low, low), plot.at(high, high)];
        pen.polyline(&equal, stroke(pen.theme.ink_3, size::HAIRLINE_PX));
        let thin = stroke(pen.theme.ink_3, size::HAIRLINE_PX);
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
            let at = plot.at(p.measured, p.predicted);
            pen.reserve(Rect::about(at, 4.0));
            let ink = if p.counts {
                pen.theme.ink_1
            } else {
                pen.theme.ink_3
            };
            mark(pen, at, p.shape, ink);
        }
        pen.seam();
        legend(pen, &plot, &drawn);
        name_bands(pen, &plot);
        name_farthest(pen, &plot, &drawn);
        Hits::points(drawn.iter().map(|p| plot.at(p.measured, p.predicted)))
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        Table {
            columns: vec![
                Column::new("system", ""),
                Column::new("run", ""),
                Column::new("kind", ""),
                Column::new("measured", "tokens/s per GPU"),
                Column::new("predicted", "tokens/s per GPU"),
                Column::new("least predicted", "tokens/s per GPU"),
                Column::new("most predicted", "tokens/s per GPU"),
                Column::new("predicted over measured", "×"),
                Column::new("not published", ""),
                Column::new("source", ""),
            ],
            rows: self
                .points
                .iter()
                .map(|p| {
                    vec![
                        p.name.clone().into(),
                        p.run.clone().into(),
                        p.group.into(),
                        p.measured.into(),
                        p.predicted.into(),
                        p.range.0.into(),
                        p.range.1.into(),
                        p.ratio().into(),
                        p.unknown.clone().into(),
                        p.source.clone().into(),
                    ]
                })
                .collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let point = *self.drawn().get(index)?;
        let rate = |value: f64| format!("{} tok/s/GPU", format::sig3(value));
        let mut rows = vec![
            TipRow::plain("measured", rate(point.measured)),
            TipRow::plain("predicted", rate(point.predicted)),
            TipRow::plain("over measured", format::factor(point.ratio())),
        ];
        if !point.unknown.is_empty() {
            let (low, high) = point.range;
            let range = format!("{} – {}", format::sig3(low), format::sig3(high));
            rows.push(TipRow::plain("range of the unknown", range));
        }
        Some(Tooltip {
            title: point.name.clone(),
            aside: point.group.to_owned(),
            rows,
            source: point.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        Some(format::sig3(self.drawn().get(index)?.measured))
    }

    fn height_px(width_px: f64) -> f64 {
        (width_px * 0.78).clamp(300.0, 560.0)
    }
}

fn mark(pen: &mut Pen<'_>, at: Point, shape: Shape, ink: Colour) {
    match shape {
        Shape::Disc => pen.disc(at, 3.4, ink),
        Shape::Ring => pen.open_point(at, 3.2, stroke(ink, 1.5)),
        Shape::Cross => {
            let arm = |dx: f64, dy: f64| [point(at.x - dx, at.y - dy), point(at.x + dx, at.y + dy)];
            pen.polyline(&arm(3.2, 3.2), stroke(ink, 1.6));
            pen.polyline(&arm(3.2, -3.2), stroke(ink, 1.6));
        }
    }
}

/// Which shape is which hardware, in the corner that runs seldom reach.
fn legend(pen: &mut Pen<'_>, plot: &Plot, drawn: &[&MeasuredPoint]) {
    let names = [
        (Shape::Disc, "Hopper"),
        (Shape::Ring, "Blackwell"),
        (Shape::Cross, "other"),
    ];
    let (ink, grey) = (pen.theme.ink_2, pen.theme.ink_3);
    let mut y = plot.area.bottom - 10.0;
    for (shape, name) in names.into_iter().rev() {
        if !drawn.iter().any(|p| p.shape == shape) {
            continue;
        }
        let words = Words::note(name, grey);
        let right = plot.area.right - 8.0;
        let place = point(right - 12.0, words.baseline_about(y));
        if pen.write_if_free(&words, place, Align::End, None).is_some() {
            mark(pen, point(right - 3.0, y), shape, ink);
            y -= 15.0;
        }
    }
}

/// The bands about the line of equals, cut by the plot.
fn bands(pen: &mut Pen<'_>, plot: &Plot) {
    let (low, high) = (plot.x.low(), plot.x.high());
    for (factor, alpha) in BANDS {
        let corners = [
            plot.at(low, low),
            plot.at(low, (low * factor).min(high)),
            plot.at((high / factor).max(low), high),
            plot.at(high, high),
            plot.at(high, (high / factor).max(low)),
            plot.at((low * factor).min(high), low),
        ];
        pen.fill(&corners, pen.theme.ink_3.with_alpha(alpha));
    }
}

/// What lies above and below the wider band.
fn name_bands(pen: &mut Pen<'_>, plot: &Plot) {
    let (low, high) = (plot.x.low(), plot.x.high());
    let ink = pen.theme.ink_3;
    let note = |text: &str| Words::note(text.to_owned(), ink);
    let corners = [
        (low * 2.0, "2× too fast", Align::End, Side::Above, true),
        (high / 2.0, "2× too slow", Align::Start, Side::Below, false),
    ];
    for (value, text, align, side, above) in corners {
        let spots = [0.25, 0.4, 0.1].map(|share| {
            // Along the band's edge, from its own end of the plot.
            let log = model_ratio(high / low, share);
            let x = if above { low * log } else { value / log };
            let y = if above { x * 2.0 } else { x / 2.0 };
            let at = plot.at(x, y.clamp(low, high));
            let aside = if above { -6.0 } else { 6.0 };
            spot(point(at.x + aside, at.y - aside / 2.0), align, side)
        });
        Label::lines([note(text)])
            .at(spots)
            .within(plot.area)
            .halo(pen.theme.background)
            .or_over_lines()
            .write(pen);
    }
}

/// `ratio` to the power of `share`, by the scale's own logarithm.
fn model_ratio(ratio: f64, share: f64) -> f64 {
    Scale::log(1.0, ratio).value(share)
}

/// The runs that are farthest off, by name.
fn name_farthest(pen: &mut Pen<'_>, plot: &Plot, drawn: &[&MeasuredPoint]) {
    let mut far: Vec<&&MeasuredPoint> = drawn.iter().filter(|p| p.off() > BANDS[1].0).collect();
    far.sort_by(|one, other| other.off().total_cmp(&one.off()));
    let ink = pen.theme.ink_1;
    for p in far.into_iter().take(NAMED) {
        let at = plot.at(p.measured, p.predicted);
        let words = |text: &str| Words::label(text.to_owned(), ink);
        let short = p.name.split(',').next().unwrap_or_default();
        Label::lines([words(&p.name), words(short)])
            .around(at, 8.0)
            .within(plot.area)
            .halo(pen.theme.background)
            .or_over_lines()
            .write(pen);
    }
}
