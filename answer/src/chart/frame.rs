//! The frame of a plot: positions of values, the grid, and the axes with their ticks and names.

use crate::picture::UNITS_PER_PX;
use crate::picture::geometry::{Point, Rect, point, rect};
use crate::picture::pen::{Pen, hair};
use crate::picture::scale::Scale;
use crate::picture::text::{Align, Words};

use crate::theme::size;
use crate::words::format;
use plotters::coord::CoordTranslate;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::ranged1d::Ranged;

/// A plot: an area of the canvas with a horizontal and a vertical scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plot {
    pub area: Rect,
    pub x: Scale,
    pub y: Scale,
}

impl Plot {
    pub fn new(area: Rect, x: Scale, y: Scale) -> Self {
        Self { area, x, y }
    }

    /// Returns the position on the canvas of a pair of values.
    pub fn at(&self, x: f64, y: f64) -> Point {
        let unit = |px: f64| (px * UNITS_PER_PX).round() as i32;
        let across = unit(self.area.left)..unit(self.area.right);
        let up = unit(self.area.bottom)..unit(self.area.top);
        let (x, y) =
            Cartesian2d::<Scale, Scale>::new(self.x, self.y, (across, up)).translate(&(x, y));
        point(f64::from(x) / UNITS_PER_PX, f64::from(y) / UNITS_PER_PX)
    }

    pub fn x_at(&self, value: f64) -> f64 {
        let [left, right] = [self.area.left, self.area.right].map(|px| px * UNITS_PER_PX);
        f64::from(self.x.map(&value, (left as i32, right as i32))) / UNITS_PER_PX
    }

    pub fn y_at(&self, value: f64) -> f64 {
        self.at(self.x.low(), value).y
    }

    pub fn holds(&self, (x, y): (f64, f64)) -> bool {
        self.x.holds(x) && self.y.holds(y)
    }

    /// Returns the ends of a vertical line at a value on the horizontal axis.
    pub fn upright(&self, value: f64) -> [Point; 2] {
        let x = self.x_at(value);
        [point(x, self.area.top), point(x, self.area.bottom)]
    }

    /// Returns the ends of a horizontal line at a value on the vertical axis.
    pub fn level(&self, value: f64) -> [Point; 2] {
        let y = self.y_at(value);
        [point(self.area.left, y), point(self.area.right, y)]
    }
}

/// Returns the plot area inside the default margins.
pub fn usual_area(pen: &Pen<'_>) -> Rect {
    plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX)
}

/// Returns the end of an axis that shows all of the user’s values. Pinned values extend the axis by at most 60%, since
/// a longer axis would flatten the user’s curve.
pub fn beside(own: f64, pinned: f64) -> f64 {
    match own > 0.0 {
        true => own.max(pinned.min(own * 1.6)),
        false => pinned,
    }
}

/// Returns how many items fit in a length in px if they are at least `apart` px from each other. The result is at
/// least 2.
pub fn room(length: f64, apart: f64) -> usize {
    (length / apart).max(2.0) as usize
}

/// Returns the plot area inside the default margins, but with `left` px for tick labels and a top margin of `top` px.
pub fn plot_area(canvas: &Rect, left: f64, top: f64) -> Rect {
    let right = (canvas.right - size::MARGIN_RIGHT_PX).max(left + 1.0);
    let bottom = (canvas.bottom - size::MARGIN_BOTTOM_PX).max(top + 1.0);
    rect(left, top, right, bottom)
}

/// An axis: labeled ticks, shorter ticks without labels, and a name.
pub struct Axis<'a> {
    /// Labeled ticks, the more important ones first; a label that does not fit is left out.
    pub ticks: Vec<(f64, Words)>,
    pub minor: Vec<f64>,
    /// Name of the axis, with its unit and "log" if it is logarithmic.
    pub name: &'a str,
}

impl<'a> Axis<'a> {
    pub fn of(
        pen: &Pen<'_>,
        values: impl IntoIterator<Item = f64>,
        says: impl Fn(f64) -> String,
        name: &'a str,
    ) -> Self {
        let ink = pen.theme.ink_3;
        let tick = |value| (value, Words::tick(says(value), ink));
        Self {
            ticks: values.into_iter().map(tick).collect(),
            minor: Vec::new(),
            name,
        }
    }

    /// Returns this axis with additional values in bold, which take precedence where there is little room.
    #[must_use]
    pub fn first(mut self, pen: &Pen<'_>, own: impl IntoIterator<Item = (f64, String)>) -> Self {
        let ink = pen.theme.ink_1;
        let bold = |(value, text)| (value, Words::tick(text, ink).bold());
        self.ticks.splice(0..0, own.into_iter().map(bold));
        self
    }
}

const TICK_GAP_PX: f64 = 5.0;
const TICK_LENGTH_PX: f64 = 4.0;
const MINOR_LENGTH_PX: f64 = 2.5;

/// Draws the vertical axis: horizontal grid lines with labels on the left, and the axis name above, at the left edge of
/// the canvas.
pub fn y_axis(pen: &mut Pen<'_>, plot: &Plot, axis: &Axis<'_>, name_baseline: f64) {
    let (grid, ink) = (pen.theme.grid, pen.theme.ink_3);
    for (value, _) in &axis.ticks {
        let [from, to] = plot.level(*value);
        pen.line(from, to, hair(grid));
    }
    if !axis.name.is_empty() {
        let name = Words::tick(axis.name, ink);
        pen.write(&name, point(0.0, name_baseline), Align::Start, None);
    }
    for (value, words) in &axis.ticks {
        let y = words.baseline_about(plot.y_at(*value));
        let at = point(plot.area.left - 7.0, y);
        pen.write_if_free(words, at, Align::End, None);
    }
}

/// Draws the horizontal axis: its line, the ticks, their labels below, and the name at the right end.
pub fn x_axis(pen: &mut Pen<'_>, plot: &Plot, axis: &Axis<'_>) {
    let [.., corner, origin] = plot.area.corners();
    let (right, bottom) = (corner.x, corner.y);
    let (strong, ink) = (hair(pen.theme.strong), pen.theme.ink_3);
    pen.line(origin, corner, strong);
    for value in &axis.minor {
        let x = plot.x_at(*value);
        pen.line(point(x, bottom), point(x, bottom + MINOR_LENGTH_PX), strong);
    }
    if !axis.name.is_empty() {
        let name = Words::tick(axis.name, ink);
        pen.write_if_free(&name, point(right, bottom + 29.5), Align::End, None);
    }
    for (value, words) in &axis.ticks {
        let x = plot.x_at(*value);
        pen.line(point(x, bottom), point(x, bottom + TICK_LENGTH_PX), strong);
        tick_label(pen, words, x, bottom + 15.0);
    }
}

/// Writes a label centered under a tick. The label moves inward at the edges of the canvas and is left out if it does
/// not fit.
pub fn tick_label(pen: &mut Pen<'_>, words: &Words, x: f64, baseline: f64) {
    let half = pen.width(words) / 2.0;
    let x = x.clamp(half, (pen.canvas.right - half).max(half));
    let bounds = words.bounds(point(x, baseline), Align::Middle, 2.0 * half);
    if pen.is_free_by(&bounds, TICK_GAP_PX) {
        pen.write(words, point(x, baseline), Align::Middle, None);
    }
}

/// Writes the value at a vertical ruler in a box on the horizontal axis, covering tick labels.
pub fn axis_box(pen: &mut Pen<'_>, text: &str, x: f64, centre_y: f64) {
    let (ink, paper) = (pen.theme.ink_1, pen.theme.background);
    let words = Words::tick(text, paper).bold();
    let half = pen.width(&words) / 2.0 + 6.0;
    let x = x.clamp(half, (pen.canvas.right - half).max(half));
    let area = rect(x - half, centre_y - 7.5, x + half, centre_y + 7.5);
    pen.cover(Rect {
        left: area.left - TICK_GAP_PX,
        right: area.right + TICK_GAP_PX,
        ..area
    });
    pen.fill_rounded(area, 3.0, ink);
    let baseline = words.baseline_about(centre_y);
    pen.write(&words, point(x, baseline), Align::Middle, None);
}

/// Draws both axes with their names and with as many SI ticks as fit.
pub fn si_axes(pen: &mut Pen<'_>, plot: &Plot, y_name: &str, x_name: &str) {
    si_y_axis(pen, plot, y_name);
    si_x_axis(pen, plot, x_name);
}

/// Draws the vertical axis with its grid lines and with as many SI ticks as fit.
pub fn si_y_axis(pen: &mut Pen<'_>, plot: &Plot, name: &str) {
    let ticks = plot.y.ticks(room(plot.area.height(), 26.0));
    let axis = Axis::of(pen, ticks, format::si_tick, name);
    y_axis(pen, plot, &axis, 10.0);
}

/// Draws the horizontal axis with as many SI ticks as fit.
pub fn si_x_axis(pen: &mut Pen<'_>, plot: &Plot, name: &str) {
    let ticks = plot.x.ticks(room(plot.area.width(), 44.0));
    let mut axis = Axis::of(pen, ticks, format::si_tick, name);
    axis.minor = plot.x.minor_ticks();
    x_axis(pen, plot, &axis);
}
