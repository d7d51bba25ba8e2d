//! A figure of a paper in its own axes: what is printed as circles, what is computed as lines.

use crate::charts::prelude::*;

/// A figure's data.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveData {
    /// Its lines.
    pub lines: Vec<CurveLine>,
    /// The x axis's name.
    pub x: &'static str,
    /// The y axis's name.
    pub y: &'static str,
    /// Whether x, and y, are logarithmic.
    pub log: (bool, bool),
    /// A value of y that the paper names.
    pub bound: Option<(f64, &'static str)>,
    /// A value of x that the paper names.
    pub rule: Option<(f64, &'static str)>,
    /// The second half of the title.
    pub finding: &'static str,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// A computed line, and what is printed of it.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveLine {
    /// Its name.
    pub name: &'static str,
    /// Whose colour it has; ink without one.
    pub role: Option<Role>,
    /// x ascending, and y.
    pub points: Vec<(f64, f64)>,
    /// How many of them, from the first on, fit their memory.
    pub fits: usize,
    /// What the paper prints.
    pub printed: Vec<CurvePoint>,
}

/// A printed value.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePoint {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// Where it is printed.
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
        let all = self
            .hits()
            .into_iter()
            .map(|(_, point)| point)
            .chain(printed.map(|point| (point.x, point.y)));
        let xs: Vec<f64> = all.clone().map(|(x, _)| x).collect();
        let bound = self.bound.map(|(y, _)| y);
        let ys: Vec<f64> = all.map(|(_, y)| y).chain(bound).collect();
        let ends = |values: &[f64]| {
            values
                .iter()
                .fold((f64::INFINITY, 0.0_f64), |(least, most), value| {
                    (least.min(*value), most.max(*value))
                })
        };
        let ((left, right), (low, high)) = (ends(&xs), ends(&ys));
        let good = right > left && high > 0.0 && (low > 0.0 || !self.log.1);
        if !good || (self.log.0 && left <= 0.0) {
            return None;
        }
        let x = if self.log.0 {
            Scale::log(left, right)
        } else {
            Scale::linear(0.0, right)
        };
        let y = if self.log.1 {
            Scale::log(floor_125(low / 1.3), ceil_125(high * 1.3))
        } else {
            Scale::linear(0.0, high * 1.18)
        };
        Some(Plot::new(area, x, y))
    }
}

impl Figure for CurveData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let small = pen.canvas.width() < SMALL_PX;
        let area = if small {
            let canvas = pen.canvas;
            rect(27.0, 5.0, canvas.right - 6.0, canvas.bottom - 19.0)
        } else {
            plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX)
        };
        let Some(plot) = self.plot(area) else {
            nothing_to_show(pen, &area, "nothing to draw");
            return Hits::points([]);
        };
        if small {
            si_axes(pen, &plot, "", "");
        } else {
            si_axes(pen, &plot, self.y, self.x);
        }
        if let Some((value, _)) = self.rule.filter(|(value, _)| plot.x.holds(*value)) {
            let x = plot.x_at(value);
            let (top, foot) = (point(x, area.top), point(x, area.bottom));
            pen.dashed_rule(top, foot, (4.0, 3.0), stroke(pen.theme.ink_3, 1.0));
            pen.avoid(&[top, foot]);
        }
        if let Some((value, _)) = self.bound {
            let y = plot.y_at(value);
            let line = [point(area.left, y), point(area.right, y)];
            pen.dashed(&line, (4.0, 3.0), stroke(pen.theme.ink_3, 1.0));
            pen.avoid(&line);
        }
        for line in &self.lines {
            let at: Vec<(Point, bool)> = line
                .points
                .iter()
                .enumerate()
                .map(|(index, (x, y))| (plot.at(*x, *y), index < line.fits))
                .collect();
            let ink = line
                .role
                .map_or(pen.theme.ink_2, |role| pen.theme.role(role).line);
            marks::curve(pen, &at, marks::Line::Solid(ink, size::CURVE_PX));
        }
        pen.seam();
        for line in &self.lines {
            for printed in &line.printed {
                let at = plot.at(printed.x, printed.y);
                if area.holds(&Rect::about(at, 0.0)) {
                    pen.reserve(Rect::about(at, 5.0));
                    let (radius, width) = if small { (2.6, 1.3) } else { (3.6, 1.6) };
                    pen.open_point(at, radius, stroke(pen.theme.ink_1, width));
                }
            }
        }
        for line in &self.lines {
            name(pen, &plot, line, small);
        }
        if let Some((value, words)) = self.rule.filter(|(value, _)| plot.x.holds(*value)) {
            let heights = [area.top + 12.0, area.bottom - 8.0, area.centre().y];
            let note = if small {
                SMALL_NOTE_PX
            } else {
                size::ANNOTATION_PX
            };
            Label::lines([Words::sized(note).and(words, pen.theme.ink_2)])
                .beside(plot.x_at(value), 6.0, &heights, Side::Above)
                .within(area)
                .halo(pen.theme.background)
                .write(pen);
        }
        if let Some((value, words)) = self.bound {
            let y = plot.y_at(value);
            let spots = [
                (area.left + 6.0, Align::Start),
                (area.right - 4.0, Align::End),
            ]
            .map(|(x, align)| spot(point(x, y - 4.0), align, Side::Above));
            let note = if small {
                SMALL_NOTE_PX
            } else {
                size::ANNOTATION_PX
            };
            Label::lines([Words::sized(note).and(words, pen.theme.ink_2)])
                .at(spots)
                .within(area)
                .halo(pen.theme.background)
                .or_over_lines()
                .write(pen);
        }
        let points = self.hits();
        Hits::points(points.iter().map(|(_, (x, y))| plot.at(*x, *y))).on(&plot)
    }

    fn finding(&self) -> String {
        self.finding.to_owned()
    }

    fn table(&self) -> Table {
        let row = |line: &CurveLine, x: f64, y: f64, what: &str| {
            vec![line.name.into(), x.into(), y.into(), what.into()]
        };
        Table {
            columns: vec![
                Column::new("line", ""),
                Column::new(self.x, ""),
                Column::new(self.y, ""),
                Column::new("value", ""),
            ],
            rows: self
                .lines
                .iter()
                .flat_map(|line| {
                    let printed = line
                        .printed
                        .iter()
                        .map(move |p| row(line, p.x, p.y, &format!("printed, {}", p.place)));
                    let computed = line
                        .points
                        .iter()
                        .map(move |(x, y)| row(line, *x, *y, "computed"));
                    printed.chain(computed)
                })
                .collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (line, (x, y)) = *self.hits().get(index)?;
        let near = |p: &&CurvePoint| (p.x - x).abs() <= 1e-6 * x.abs();
        let mut rows = vec![
            TipRow::plain(self.x.trim_end_matches(", log"), format::printed(x)),
            TipRow::plain(self.y.trim_end_matches(", log"), format::sig3(y)),
        ];
        if let Some(printed) = line.printed.iter().find(near) {
            rows.push(TipRow::plain("printed", format::printed(printed.y)));
        }
        Some(Tooltip {
            title: line.name.to_owned(),
            aside: String::new(),
            rows,
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        self.hits().get(index).map(|(_, (x, _))| format::si(*x))
    }

    fn height_px(width_px: f64) -> f64 {
        (width_px * 0.62).clamp(170.0, 340.0)
    }
}

/// Below this width a figure is one of many: no names of axes, which its caption has.
const SMALL_PX: f64 = 240.0;
/// Words in it.
const SMALL_NOTE_PX: f64 = 10.5;

/// The line's name, near where it ends.
fn name(pen: &mut Pen<'_>, plot: &Plot, line: &CurveLine, small: bool) {
    let spots = [0.9, 0.7, 0.5, 0.3].into_iter().filter_map(|share| {
        let index = (share * (line.points.len().max(1) - 1) as f64) as usize;
        let (x, y) = *line.points.get(index)?;
        Some(plot.at(x, y))
    });
    let size = if small {
        SMALL_NOTE_PX
    } else {
        size::ANNOTATION_PX
    };
    let words = Words::sized(size).and(line.name, pen.theme.ink_1);
    let around = spots.flat_map(|at| {
        [
            spot(point(at.x, at.y - 7.0), Align::End, Side::Above),
            spot(point(at.x, at.y + 7.0), Align::Start, Side::Below),
        ]
    });
    Label::lines([words])
        .at(around)
        .within(plot.area)
        .halo(pen.theme.background)
        .or_over_lines()
        .write(pen);
}
