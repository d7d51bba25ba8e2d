//! Draws marks and text onto a picture, in CSS px, and prevents labels from overlapping.

mod writing;

use super::geometry::{Hatch, Point, Rect, dashes, hatch, point, rect, segments};
use super::{Measure, Picture, Recorded, UNITS_PER_PX, unit_length, units};

use crate::theme::{Colour, Theme, size};
use plotters::element::{Circle, Drawable, PathElement, Polygon, Rectangle};
use plotters::style::{Color, RGBAColor, ShapeStyle};
use plotters_backend::{BackendColor, BackendCoord, DrawingBackend};

#[derive(Clone, Copy, Debug)]
pub struct Stroke {
    pub colour: Colour,
    pub width_px: f64,
}

pub const fn stroke(colour: Colour, width_px: f64) -> Stroke {
    Stroke { colour, width_px }
}

pub const fn hair(colour: Colour) -> Stroke {
    stroke(colour, size::HAIRLINE_PX)
}

pub struct Pen<'a> {
    pub(super) picture: Picture,
    measure: &'a dyn Measure,
    pub theme: &'a Theme,
    pub canvas: Rect,
    /// Boxes that labels must avoid.
    taken: Vec<Rect>,
    /// Boxes of written text, which leader lines avoid.
    written: Vec<Rect>,
    /// Lines that labels avoid: curves, rules and outlines of the pinned scenario.
    lines: Vec<(Point, Point)>,
    /// Lines of each thing (curve or point) that a label may name.
    pub(super) things: Vec<Vec<Vec<Point>>>,
    /// For each thing that a label may name, the distance in px from it at which a leader line ends.
    pub(super) reaches: Vec<f64>,
}

impl<'a> Pen<'a> {
    pub fn new(size_px: (f64, f64), theme: &'a Theme, measure: &'a dyn Measure) -> Self {
        // Round to the integer units of plotters.
        let whole = |px: f64| (px.max(0.0) * UNITS_PER_PX).round() / UNITS_PER_PX;
        let (width, height) = (whole(size_px.0), whole(size_px.1));
        Self {
            picture: Picture::sized((width, height)),
            measure,
            theme,
            canvas: rect(0.0, 0.0, width, height),
            taken: Vec::with_capacity(64),
            written: Vec::with_capacity(64),
            lines: Vec::with_capacity(128),
            things: Vec::new(),
            reaches: Vec::new(),
        }
    }

    pub fn finish(self) -> Picture {
        self.picture
    }

    /// Starts the upper layer. In a chart, marks drawn after this call are painted above a highlight's crosshair lines;
    /// in a highlight, they are painted above the chart's text.
    pub fn seam(&mut self) {
        self.picture.seam = self.picture.marks.len();
    }

    pub fn avoid(&mut self, line: &[Point]) {
        self.lines.extend(segments(line));
    }

    pub fn lines(&self) -> &[(Point, Point)] {
        &self.lines
    }

    /// Records a box in which a highlight covers the picture. The picture's text is not painted there.
    pub fn cover(&mut self, area: Rect) {
        self.picture.covers.push(area);
    }

    fn draw(
        &mut self,
        element: &impl Drawable<Picture>,
        through: impl Iterator<Item = BackendCoord>,
    ) {
        let size = self.picture.get_size();
        let recorded: Recorded = element.draw(through, &mut self.picture, size);
        // Recording in memory cannot fail.
        debug_assert!(recorded.is_ok());
    }

    /// Draws a straight line. A horizontal or vertical line is centered in a row or column of pixels, so that a
    /// hairline fills whole pixels.
    pub fn line(&mut self, from: Point, to: Point, stroke: Stroke) {
        let level = (from.y - to.y).abs() < 1e-6;
        let upright = (from.x - to.x).abs() < 1e-6;
        let (from, to) = match (level, upright) {
            (true, false) => (point(from.x, snap(from.y)), point(to.x, snap(from.y))),
            (false, true) => (point(snap(from.x), from.y), point(snap(from.x), to.y)),
            _ => (from, to),
        };
        let _ = self
            .picture
            .draw_line(units(from), units(to), &style(stroke));
    }

    pub fn polyline(&mut self, line: &[Point], stroke: Stroke) {
        if line.len() > 1 {
            let path = PathElement::<BackendCoord>::new(Vec::new(), style(stroke));
            self.draw(&path, line.iter().copied().map(units));
        }
    }

    /// Draws a line in dashes of `on` px with gaps of `off` px.
    pub fn dashed(&mut self, line: &[Point], (on, off): (f64, f64), stroke: Stroke) {
        for dash in dashes(line, on, off) {
            self.polyline(&dash, stroke);
        }
    }

    /// Draws a horizontal or vertical dashed hairline, snapped to whole pixels.
    pub fn dashed_rule(&mut self, from: Point, to: Point, pattern: (f64, f64), stroke: Stroke) {
        let upright = (from.x - to.x).abs() < 1e-6;
        let snapped = |p: Point| {
            if upright {
                point(snap(p.x), p.y)
            } else {
                point(p.x, snap(p.y))
            }
        };
        self.dashed(&[snapped(from), snapped(to)], pattern, stroke);
    }

    pub fn dotted(&mut self, line: &[Point], gap: f64, radius: f64, colour: Colour) {
        for dot in dashes(line, 0.01, gap) {
            if let Some(centre) = dot.first() {
                self.disc(*centre, radius, colour);
            }
        }
    }

    pub fn fill(&mut self, corners: &[Point], colour: Colour) {
        if corners.len() > 2 {
            let polygon = Polygon::<BackendCoord>::new(Vec::new(), rgba(colour));
            self.draw(&polygon, corners.iter().copied().map(units));
        }
    }

    pub fn fill_rect(&mut self, area: Rect, colour: Colour) {
        if area.width() > 0.0 && area.height() > 0.0 {
            self.rectangle(area, filled(colour));
        }
    }

    fn rectangle(&mut self, area: Rect, style: ShapeStyle) {
        let corners = [
            units(point(area.left, area.top)),
            units(point(area.right, area.bottom)),
        ];
        let rectangle = Rectangle::<BackendCoord>::new(corners, style);
        self.draw(&rectangle, corners.into_iter());
    }

    pub fn fill_rounded(&mut self, area: Rect, radius: f64, colour: Colour) {
        // Four points per corner look round at the size of a label.
        const ARC: [(f64, f64); 4] = [(0.0, 1.0), (0.5, 0.866), (0.866, 0.5), (1.0, 0.0)];
        let [first, second, third, fourth] = area.grown(-radius).corners();
        let arc = |(corner, across, up): (Point, f64, f64)| {
            ARC.map(|(a, b)| point(corner.x + across * a * radius, corner.y + up * b * radius))
        };
        let mut corners = [
            (second, 1.0, -1.0),
            (third, 1.0, 1.0),
            (fourth, -1.0, 1.0),
            (first, -1.0, -1.0),
        ]
        .map(arc);
        // Reverse two arcs, so that each arc starts where the previous one ends.
        corners[1].reverse();
        corners[3].reverse();
        self.fill(corners.as_flattened(), colour);
    }

    /// Draws the outline of a box; the stroke is entirely inside the box.
    pub fn outline(&mut self, area: Rect, stroke: Stroke) {
        let inner = area.grown(-stroke.width_px / 2.0);
        if inner.width() > 0.0 && inner.height() > 0.0 {
            self.rectangle(inner, style(stroke));
        }
    }

    /// Draws the dashed outline of a box, used for free memory, idle time and the pinned scenario.
    pub fn dashed_outline(&mut self, area: Rect, stroke: Stroke) {
        if area.width() < 2.0 || area.height() < 2.0 {
            return;
        }
        let [a, b, c, d] = area.corners();
        for (from, to) in [(a, b), (b, c), (d, c), (a, d)] {
            let inset = |p: Point| {
                point(
                    p.x.clamp(area.left + 0.5, area.right - 0.5),
                    p.y.clamp(area.top + 0.5, area.bottom - 0.5),
                )
            };
            self.dashed_rule(inset(from), inset(to), (3.5, 2.5), stroke);
        }
    }

    pub fn hatch(&mut self, polygon: &[Point], spacing: f64, direction: Hatch, stroke: Stroke) {
        for (from, to) in hatch(polygon, spacing, direction) {
            self.polyline(&[from, to], stroke);
        }
    }

    pub fn disc(&mut self, centre: Point, radius: f64, colour: Colour) {
        self.circle(centre, radius, filled(colour));
    }

    pub fn ring(&mut self, centre: Point, radius: f64, stroke: Stroke) {
        self.circle(centre, radius, style(stroke));
    }

    fn circle(&mut self, centre: Point, radius: f64, style: ShapeStyle) {
        let centre = units(centre);
        let circle = Circle::<BackendCoord, u32>::new(centre, unit_length(radius), style);
        self.draw(&circle, [centre].into_iter());
    }

    /// Draws a dashed circle, used as the mark of the pinned scenario.
    pub fn dashed_ring(&mut self, centre: Point, radius: f64, stroke: Stroke) {
        const CORNERS: usize = 24;
        // Cosine and sine of 15°, the angle between adjacent corners.
        const TURN: (f64, f64) = (0.965_925_826_289_068_3, 0.258_819_045_102_520_74);
        let further = |(x, y): &(f64, f64)| {
            let (along, across) = TURN;
            Some((x * along - y * across, x * across + y * along))
        };
        let corners = std::iter::successors(Some((radius, 0.0)), further).take(CORNERS + 1);
        let circle: Vec<Point> = corners
            .map(|(x, y)| point(centre.x + x, centre.y + y))
            .collect();
        let dash = radius * std::f64::consts::TAU / 16.0;
        self.dashed(&circle, (dash * 1.1, dash * 0.9), stroke);
    }

    /// Draws an open point: a ring filled with the background color.
    pub fn open_point(&mut self, centre: Point, radius: f64, stroke: Stroke) {
        self.disc(centre, radius, self.theme.background);
        self.ring(centre, radius, stroke);
    }

    /// Draws a point with a rim in the background color, which separates the point from the marks under it.
    pub fn rimmed_point(&mut self, centre: Point, radius: f64, colour: Colour) {
        self.disc(centre, radius + 1.6, self.theme.background);
        self.disc(centre, radius, colour);
    }

    /// Draws a filled bar. In the dark theme, the bar's top edge has the line color of the bar's role.
    pub fn bar(&mut self, area: Rect, colours: &crate::theme::RoleColours) {
        self.fill_rect(area, colours.fill);
        if self.theme.dark {
            let bottom = area.top + size::EDGE_PX;
            self.fill_rect(Rect { bottom, ..area }, colours.line);
        }
    }

    /// Returns the color for the current scenario, which depends on whether the scenario fits in memory.
    pub fn ink(&self, fits: bool) -> Colour {
        if fits {
            self.theme.ink_1
        } else {
            self.theme.bad
        }
    }

    /// Draws the point of the current scenario: a ring around a disc, or around a smaller ring if the scenario is out
    /// of memory.
    pub fn now(&mut self, at: Point, fits: bool) {
        let ink = self.ink(fits);
        self.disc(at, 8.6, self.theme.background);
        self.ring(at, 7.8, stroke(ink, 1.4));
        if fits {
            self.disc(at, 4.0, ink);
        } else {
            self.ring(at, 3.4, stroke(ink, 1.4));
        }
    }
}

/// Returns the middle of the pixel that contains `at`. A hairline drawn there fills the whole pixel.
pub fn snap(at: f64) -> f64 {
    at.floor() + 0.5
}

fn rgba(colour: Colour) -> RGBAColor {
    let BackendColor {
        alpha,
        rgb: (red, green, blue),
    } = colour.into();
    RGBAColor(red, green, blue, alpha)
}

fn style(stroke: Stroke) -> ShapeStyle {
    rgba(stroke.colour).stroke_width(unit_length(stroke.width_px))
}

fn filled(colour: Colour) -> ShapeStyle {
    rgba(colour).filled()
}
