//! A figure of a paper in its own axes: what is printed as circles, what is computed as lines.

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct CurveData {
    pub lines: Vec<CurveLine>,
    pub x: &'static str,
    pub y: &'static str,
    /// Logarithmic axes: x, and y.
    pub log: (bool, bool),
    /// A value of y that the paper names.
    pub bound: Option<(f64, &'static str)>,
    /// A value of x that the paper names.
    pub rule: Option<(f64, &'static str)>,
    pub finding: &'static str,
    pub source: String,
}

/// A computed line, and what is printed of it.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveLine {
    pub name: &'static str,
    /// Whose colour it has; ink without one.
    pub role: Option<Role>,
    /// x ascending, and y.
    pub points: Vec<(f64, f64)>,
    /// Number of points, from the first on, that fit their memory.
    pub fits: usize,
    pub printed: Vec<CurvePoint>,
}

/// A printed value, and where it is printed.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePoint {
    pub x: f64,
    pub y: f64,
    pub place: String,
}

impl CurveData {
    /// Every computed point with its line, as hits.
    fn hits(&self) -> Vec<(&CurveLine, (f64, f64))> {
        let lines = self.lines.iter();
        lines
            .flat_map(|line| line.points.iter().map(move |point| (line, *point)))
            .filter(|(_, (x, y))| x.is_finite() && y.is_finite())
            .collect()
    }

    fn plot(&self, area: Rect) -> Option<Plot> {
        let printed = self.lines.iter().flat_map(|line| &line.printed);
        let printed = printed.map(|point| (point.x, point.y));
        let computed = self.hits().into_iter().map(|(_, point)| point);
        let all: Vec<(f64, f64)> = computed.chain(printed).collect();
        let bound = self.bound.map(|(y, _)| y);
        let (left, right) = extent(all.iter().map(|(x, _)| *x));
        let (low, high) = extent(all.iter().map(|(_, y)| *y).chain(bound));
        let good = right > left && high > 0.0 && (low > 0.0 || !self.log.1);
        if !good || (self.log.0 && left <= 0.0) {
            return None;
        }
        let x = match self.log.0 {
            true => Scale::log(left, right),
            false => Scale::linear(0.0, right),
        };
        let y = match self.log.1 {
            true => Scale::log(floor_125(low / 1.3), ceil_125(high * 1.3)),
            false => Scale::linear(0.0, high * 1.18),
        };
        Some(Plot::new(area, x, y))
    }
}

impl Figure for CurveData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let small = pen.canvas.width() < SMALL_PX;
        let area = match small {
            true => rect(27.0, 5.0, pen.canvas.right - 6.0, pen.canvas.bottom - 19.0),
            false => usual_area(pen),
        };
        let Some(plot) = self.plot(area) else {
            return nothing_to_show(pen, &area, "nothing to draw");
        };
        let (y, x) = if small { ("", "") } else { (self.y, self.x) };
        si_axes(pen, &plot, y, x);
        let theme = pen.theme;
        let note = |words: &str, ink: Colour| {
            let size = if small {
                SMALL_NOTE_PX
            } else {
                size::ANNOTATION_PX
            };
            Words::sized(size).and(words, ink)
        };
        let mut xy = Xy::new(plot);
        if let Some((value, words)) = self.rule {
            xy.upright(value, RuleInk::Dashed(theme.ink_3))
                .says([note(words, theme.ink_2)]);
        }
        if let Some((value, words)) = self.bound {
            xy.level(value, RuleInk::Dashed(theme.ink_3))
                .says([note(words, theme.ink_2)]);
        }
        for line in &self.lines {
            let colours = line.role.map(|role| theme.role(role));
            let ink = colours.map_or(theme.ink_2, |of| of.line);
            let text = colours.map_or(theme.ink_1, |of| of.text);
            let points = line.points.iter().enumerate();
            let points = points.map(|(index, at)| (*at, index < line.fits));
            xy.curve_that_fits(points, CurveStroke::solid(ink, size::CURVE_PX))
                .says([note(line.name, text)]);
            let radius = if small { 2.6 } else { 3.6 };
            for printed in &line.printed {
                xy.dot((printed.x, printed.y), DotInk::Ring(radius, theme.ink_1));
            }
        }
        xy.draw(pen);
        Hits::values(&plot, self.hits().into_iter().map(|(_, at)| at))
    }

    fn finding(&self) -> String {
        self.finding.to_owned()
    }

    fn table(&self) -> Table {
        let rows = self.lines.iter().flat_map(|line| {
            let says = |p: &CurvePoint| format!("printed, {}", p.place);
            let printed = line.printed.iter().map(move |p| (line, p.x, p.y, says(p)));
            let computed = line.points.iter();
            printed.chain(computed.map(move |(x, y)| (line, *x, *y, "computed".to_owned())))
        });
        Table::of(rows)
            .col("line", "", |(line, ..)| line.name)
            .col(self.x, "", |(_, x, ..)| *x)
            .col(self.y, "", |(_, _, y, _)| *y)
            .col("value", "", |(.., says)| says.clone())
            .done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (line, (x, y)) = *self.hits().get(index)?;
        let near = |p: &&CurvePoint| (p.x - x).abs() <= 1e-6 * x.abs();
        let printed = line.printed.iter().find(near);
        let tip = Tooltip::new(line.name, "", &self.source)
            .across(format::si(x))
            .row(self.x.trim_end_matches(", log"), format::printed(x))
            .row(self.y.trim_end_matches(", log"), format::sig3(y))
            .maybe("printed", printed.map(|of| format::printed(of.y)));
        Some(tip)
    }

    fn height_px(width_px: f64) -> f64 {
        (width_px * 0.62).clamp(170.0, 340.0)
    }
}

/// Below this width a figure is one of many: no names of axes, which its caption has.
const SMALL_PX: f64 = 240.0;
const SMALL_NOTE_PX: f64 = 10.5;
