//! A plot's frame: where values stand, the grid, the axes with their ticks and names.

use super::geometry::{Point, Rect, point, rect};
use super::scale::Scale;
use super::sketch::{Sketch, stroke};
use super::surface::{Surface, UNITS_PER_PX};
use super::text::{Align, Words};

use crate::format;
use crate::theme::size;
use plotters::coord::CoordTranslate;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::ranged1d::Ranged;

/// A plot: an area of the canvas with a scale across and a scale up.
pub struct Plot {
    /// The area.
    pub area: Rect,
    /// Across.
    pub x: Scale,
    /// Up.
    pub y: Scale,
    coordinates: Cartesian2d<Scale, Scale>,
}

impl Plot {
    /// A plot in an area.
    pub fn new(area: Rect, x: Scale, y: Scale) -> Self {
        let unit = |px: f64| (px * UNITS_PER_PX).round() as i32;
        let across = unit(area.left)..unit(area.right);
        let up = unit(area.bottom)..unit(area.top);
        Self {
            area,
            x,
            y,
            coordinates: Cartesian2d::new(x, y, (across, up)),
        }
    }

    /// Where a pair of values stands.
    pub fn at(&self, x: f64, y: f64) -> Point {
        let (x, y) = self.coordinates.translate(&(x, y));
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
pub fn y_axis<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    axis: &Axis<'_>,
    name_baseline: f64,
) {
    let (grid, ink) = (sketch.theme.grid, sketch.theme.ink_3);
    for (value, _) in &axis.ticks {
        let y = plot.y_at(*value);
        sketch.line(
            point(plot.area.left, y),
            point(plot.area.right, y),
            stroke(grid, size::HAIRLINE_PX),
        );
    }
    sketch.write(
        &Words::tick(axis.name, ink),
        point(0.0, name_baseline),
        Align::Start,
        None,
    );
    for (value, words) in &axis.ticks {
        let at = point(
            plot.area.left - 7.0,
            words.baseline_about(plot.y_at(*value)),
        );
        sketch.write_if_free(words, at, Align::End, None);
    }
}

/// The lower axis: its line, its ticks with labels below, and its name level at the right end.
pub fn x_axis<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, axis: &Axis<'_>) {
    let Rect {
        left,
        right,
        bottom,
        ..
    } = plot.area;
    let (strong, ink) = (
        stroke(sketch.theme.strong, size::HAIRLINE_PX),
        sketch.theme.ink_3,
    );
    sketch.line(point(left, bottom), point(right, bottom), strong);
    for value in &axis.minor {
        let x = plot.x_at(*value);
        sketch.line(point(x, bottom), point(x, bottom + MINOR_LENGTH_PX), strong);
    }
    let name = Words::tick(axis.name, ink);
    sketch.write_if_free(&name, point(right, bottom + 29.5), Align::End, None);
    for (value, words) in &axis.ticks {
        let x = plot.x_at(*value);
        sketch.line(point(x, bottom), point(x, bottom + TICK_LENGTH_PX), strong);
        tick_label(sketch, words, x, bottom + 15.0);
    }
}

/// A label centred under a tick, moved inward at the canvas's edges, left out without room.
pub fn tick_label<S: Surface>(sketch: &mut Sketch<'_, S>, words: &Words, x: f64, baseline: f64) {
    let half = sketch.width(words) / 2.0;
    let x = x.clamp(half, (sketch.canvas.right - half).max(half));
    let bounds = words.bounds(point(x, baseline), Align::Middle, 2.0 * half);
    if sketch.is_free_by(&bounds, TICK_GAP_PX) {
        sketch.write(words, point(x, baseline), Align::Middle, None);
    }
}

/// The value under a ruler, in a box on the axis.
pub fn axis_box<S: Surface>(sketch: &mut Sketch<'_, S>, text: &str, x: f64, centre_y: f64) {
    let (ink, paper) = (sketch.theme.ink_1, sketch.theme.background);
    let words = Words::tick(text, paper).bold();
    let half = sketch.width(&words) / 2.0 + 6.0;
    let x = x.clamp(half, (sketch.canvas.right - half).max(half));
    sketch.fill_rounded(
        rect(x - half, centre_y - 7.5, x + half, centre_y + 7.5),
        3.0,
        ink,
    );
    sketch.write(
        &words,
        point(x, words.baseline_about(centre_y)),
        Align::Middle,
        None,
    );
}

/// A message in the middle of a plot that has nothing to show.
pub fn nothing_to_show<S: Surface>(sketch: &mut Sketch<'_, S>, area: &Rect, why: &str) {
    let words = Words::label(why, sketch.theme.ink_3);
    let centre = area.centre();
    sketch.write_if_free(
        &words,
        point(centre.x, words.baseline_about(centre.y)),
        Align::Middle,
        None,
    );
}

/// Ticks in SI words on both axes, as many as have room, and the axes' names.
pub fn si_axes<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, y_name: &str, x_name: &str) {
    let ink = sketch.theme.ink_3;
    let words = |value: f64| (value, Words::tick(format::si_tick(value), ink));
    let axis = |ticks: Vec<f64>, name| Axis {
        ticks: ticks.into_iter().map(words).collect(),
        minor: Vec::new(),
        name,
    };
    let y = plot.y.ticks((plot.area.height() / 30.0).max(2.0) as usize);
    y_axis(sketch, plot, &axis(y, y_name), 10.0);
    let x = plot.x.ticks((plot.area.width() / 48.0).max(2.0) as usize);
    x_axis(sketch, plot, &axis(x, x_name));
}
