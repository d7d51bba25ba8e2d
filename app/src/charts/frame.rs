//! A plot's frame: where values stand, the grid, the axes with their ticks and names.

use super::geometry::{Point, Rect, point, rect};
use super::hits::Hits;
use super::pen::{Pen, stroke};
use super::picture::UNITS_PER_PX;
use super::scale::Scale;
use super::text::{Align, Words};

use crate::format;
use crate::theme::size;
use plotters::coord::CoordTranslate;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::ranged1d::Ranged;

/// A plot: an area of the canvas with a scale across and a scale up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plot {
    /// The area.
    pub area: Rect,
    /// Across.
    pub x: Scale,
    /// Up.
    pub y: Scale,
}

impl Plot {
    /// A plot in an area.
    pub fn new(area: Rect, x: Scale, y: Scale) -> Self {
        Self { area, x, y }
    }

    /// Where a pair of values stands.
    pub fn at(&self, x: f64, y: f64) -> Point {
        let unit = |px: f64| (px * UNITS_PER_PX).round() as i32;
        let across = unit(self.area.left)..unit(self.area.right);
        let up = unit(self.area.bottom)..unit(self.area.top);
        let (x, y) =
            Cartesian2d::<Scale, Scale>::new(self.x, self.y, (across, up)).translate(&(x, y));
        point(f64::from(x) / UNITS_PER_PX, f64::from(y) / UNITS_PER_PX)
    }

    /// Where a value stands across.
    pub fn x_at(&self, value: f64) -> f64 {
        let (left, right) = (
            self.area.left * UNITS_PER_PX,
            self.area.right * UNITS_PER_PX,
        );
        f64::from(self.x.map(&value, (left as i32, right as i32))) / UNITS_PER_PX
    }

    /// Where a value stands up.
    pub fn y_at(&self, value: f64) -> f64 {
        self.at(self.x.low(), value).y
    }
}

/// The plot area inside the usual margins, with `left` px for the tick labels.
pub fn plot_area(canvas: &Rect, left: f64, top: f64) -> Rect {
    let right = (canvas.right - size::MARGIN_RIGHT_PX).max(left + 1.0);
    let bottom = (canvas.bottom - size::MARGIN_BOTTOM_PX).max(top + 1.0);
    rect(left, top, right, bottom)
}

/// An axis: its ticks with their labels, the short ones without, and its name.
pub struct Axis<'a> {
    /// Labelled ticks, the more important ones first: a label without room is left out.
    pub ticks: Vec<(f64, Words)>,
    /// Unlabelled ticks.
    pub minor: Vec<f64>,
    /// Its name with unit and "log".
    pub name: &'a str,
}

/// Least distance between tick labels.
const TICK_GAP_PX: f64 = 5.0;
const TICK_LENGTH_PX: f64 = 4.0;
const MINOR_LENGTH_PX: f64 = 2.5;

/// The level grid lines with their labels on the left, and the axis name above, at the canvas's edge.
pub fn y_axis(pen: &mut Pen<'_>, plot: &Plot, axis: &Axis<'_>, name_baseline: f64) {
    let (grid, ink) = (pen.theme.grid, pen.theme.ink_3);
    for (value, _) in &axis.ticks {
        let y = plot.y_at(*value);
        pen.line(
            point(plot.area.left, y),
            point(plot.area.right, y),
            stroke(grid, size::HAIRLINE_PX),
        );
    }
    if !axis.name.is_empty() {
        let name = Words::tick(axis.name, ink);
        pen.write(&name, point(0.0, name_baseline), Align::Start, None);
    }
    for (value, words) in &axis.ticks {
        let at = point(
            plot.area.left - 7.0,
            words.baseline_about(plot.y_at(*value)),
        );
        pen.write_if_free(words, at, Align::End, None);
    }
}

/// The lower axis: its line, its ticks with labels below, and its name level at the right end.
pub fn x_axis(pen: &mut Pen<'_>, plot: &Plot, axis: &Axis<'_>) {
    let Rect {
        left,
        right,
        bottom,
        ..
    } = plot.area;
    let (strong, ink) = (stroke(pen.theme.strong, size::HAIRLINE_PX), pen.theme.ink_3);
    pen.line(point(left, bottom), point(right, bottom), strong);
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

/// A label centred under a tick, moved inward at the canvas's edges, left out without room.
pub fn tick_label(pen: &mut Pen<'_>, words: &Words, x: f64, baseline: f64) {
    let half = pen.width(words) / 2.0;
    let x = x.clamp(half, (pen.canvas.right - half).max(half));
    let bounds = words.bounds(point(x, baseline), Align::Middle, 2.0 * half);
    if pen.is_free_by(&bounds, TICK_GAP_PX) {
        pen.write(words, point(x, baseline), Align::Middle, None);
    }
}

/// The value under a ruler, in a box on the axis; what it says hides the tick labels it meets.
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

/// A message in the middle of a plot that has nothing to show, nor to point at.
pub fn nothing_to_show(pen: &mut Pen<'_>, area: &Rect, why: &str) -> Hits {
    let words = Words::label(why, pen.theme.ink_3);
    let Point { x, y } = area.centre();
    let place = point(x, words.baseline_about(y));
    pen.write_if_free(&words, place, Align::Middle, None);
    Hits::default()
}

/// Ticks in SI words on both axes, as many as have room, and the axes' names.
pub fn si_axes(pen: &mut Pen<'_>, plot: &Plot, y_name: &str, x_name: &str) {
    si_y_axis(pen, plot, y_name);
    si_x_axis(pen, plot, x_name);
}

/// The level grid lines with ticks in SI words, as many as have room.
pub fn si_y_axis(pen: &mut Pen<'_>, plot: &Plot, name: &str) {
    let ticks = plot.y.ticks((plot.area.height() / 26.0).max(2.0) as usize);
    let axis = Axis {
        ticks: si_ticks(pen, ticks),
        minor: Vec::new(),
        name,
    };
    y_axis(pen, plot, &axis, 10.0);
}

/// The lower axis with ticks in SI words, as many as have room.
pub fn si_x_axis(pen: &mut Pen<'_>, plot: &Plot, name: &str) {
    let ticks = plot.x.ticks((plot.area.width() / 44.0).max(2.0) as usize);
    let axis = Axis {
        ticks: si_ticks(pen, ticks),
        minor: plot.x.minor_ticks(),
        name,
    };
    x_axis(pen, plot, &axis);
}

fn si_ticks(pen: &Pen<'_>, ticks: Vec<f64>) -> Vec<(f64, Words)> {
    let ink = pen.theme.ink_3;
    ticks
        .into_iter()
        .map(|value| (value, Words::tick(format::si_tick(value), ink)))
        .collect()
}
