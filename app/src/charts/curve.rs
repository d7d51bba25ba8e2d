//! A figure of a paper in its own axes: what is printed as circles, what is computed as lines.

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct CurveData {
    pub lines: Vec<CurveLine>,
    pub x: &'static str,
    pub y: &'static str,
    /// Whether x, and y, are logarithmic.
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
    /// How many of them, from the first on, fit their memory.
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
        let dash = stroke(pen.theme.ink_3, 1.0);
        let named = self.rule.filter(|(value, _)| plot.x.holds(*value));
        let rule = named.map(|(value, words)| (plot.upright(value), words));
        let bound = self.bound.map(|(value, words)| (plot.level(value), words));
        if let Some(([top, foot], _)) = rule {
            pen.dashed_rule(top, foot, (4.0, 3.0), dash);
            pen.avoid(&[top, foot]);
        }
        if let Some((line, _)) = bound {
            pen.dashed(&line, (4.0, 3.0), dash);
            pen.avoid(&line);
        }
        let mut things = Vec::new();
        for line in self.lines.iter().rev() {
            let points = line.points.iter().enumerate();
            let at = points.map(|(index, (x, y))| (plot.at(*x, *y), index < line.fits));
            let role = line.role.map(|role| pen.theme.role(role).line);
            let ink = marks::Line::Solid(role.unwrap_or(pen.theme.ink_2), size::CURVE_PX);
            things.push(marks::curve(pen, &at.collect::<Vec<_>>(), ink));
        }
        things.reverse();
        pen.seam();
        for printed in self.lines.iter().flat_map(|line| &line.printed) {
            let at = plot.at(printed.x, printed.y);
            if area.holds(&Rect::about(at, 0.0)) {
                let (radius, width) = if small { (2.6, 1.3) } else { (3.6, 1.6) };
                marks::stop(pen, at, radius, stroke(pen.theme.ink_1, width), 5.0);
            }
        }
        let size = if small {
            SMALL_NOTE_PX
        } else {
            size::ANNOTATION_PX
        };
        let note = |words: &str, ink: Colour| Label::lines([Words::sized(size).and(words, ink)]);
        for group in pen.grouped(&things) {
            let [first, .., last] = [&group[..1], &group[..]].concat()[..] else {
                continue;
            };
            let names: Vec<&str> = group.iter().map(|at| self.lines[*at].name).collect();
            let (line, own) = (&self.lines[first], things[last]);
            let points = self.lines[last].points.iter();
            let points: Vec<Point> = points.map(|(x, y)| plot.at(*x, *y)).collect();
            let role = line.role.map(|role| pen.theme.role(role).text);
            note(&names.join(", "), role.unwrap_or(pen.theme.ink_1))
                .along(
                    &points,
                    &NAME_AT,
                    &[NW(0, 7), SE(0, 7), NE(3, 5), SW(-3, 5)],
                )
                .naming(own)
                .write_over(pen, area);
        }
        if let Some(([top, foot], words)) = rule {
            let heights = [top.y + 12.0, foot.y - 8.0, area.centre().y];
            note(words, pen.theme.ink_2)
                .beside(top.x, 6.0, &heights, Side::Above)
                .write_in(pen, area);
        }
        if let Some(([left, right], words)) = bound {
            note(words, pen.theme.ink_2)
                .at([NE(6, 4).of(left), NW(4, 4).of(right), SW(4, 4).of(right)])
                .write_over(pen, area);
        }
        Hits::points(self.hits().iter().map(|(_, (x, y))| plot.at(*x, *y))).on(&plot)
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

/// Shares of a line at which it may be named, near its end first.
const NAME_AT: [f64; 8] = [0.9, 0.7, 0.5, 0.3, 0.8, 0.6, 0.4, 0.2];
/// Below this width a figure is one of many: no names of axes, which its caption has.
const SMALL_PX: f64 = 240.0;
const SMALL_NOTE_PX: f64 = 10.5;
