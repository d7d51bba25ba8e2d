//! A hand that draws in CSS px on any surface and remembers where it has written.

mod writing;

use super::geometry::{Hatch, Point, Rect, dashes, hatch, point, rect};
use super::surface::{DrawError, Surface, unit_length, units};

use crate::theme::{Colour, Theme};
use plotters::style::{RGBAColor, ShapeStyle};
use plotters_backend::BackendColor;

/// A stroke's colour and width.
#[derive(Clone, Copy, Debug)]
pub struct Stroke {
    /// The colour.
    pub colour: Colour,
    /// The width in CSS px.
    pub width_px: f64,
}

/// A stroke.
pub const fn stroke(colour: Colour, width_px: f64) -> Stroke {
    Stroke { colour, width_px }
}

/// Draws, measures and keeps labels apart. The first error is kept and reported by [`Sketch::finish`], so that the
/// drawing code reads as a list of marks.
pub struct Sketch<'a, S: Surface> {
    surface: &'a mut S,
    /// The colours.
    pub theme: &'a Theme,
    /// The whole canvas.
    pub canvas: Rect,
    /// Where labels may not stand.
    taken: Vec<Rect>,
    /// Where words are, which lines had better not cross.
    written: Vec<Rect>,
    error: Option<DrawError<S>>,
}

impl<'a, S: Surface> Sketch<'a, S> {
    /// Begins on a surface.
    pub fn new(surface: &'a mut S, theme: &'a Theme) -> Self {
        let (width, height) = surface.size_px();
        let error = surface.ensure_prepared().err();
        Self {
            surface,
            theme,
            canvas: rect(0.0, 0.0, width, height),
            taken: Vec::with_capacity(64),
            written: Vec::with_capacity(64),
            error,
        }
    }

    /// Presents the drawing, or says what went wrong first.
    pub fn finish(mut self) -> Result<(), DrawError<S>> {
        self.attempt(|surface| surface.present());
        self.error.map_or(Ok(()), Err)
    }

    fn attempt(&mut self, mark: impl FnOnce(&mut S) -> Result<(), DrawError<S>>) {
        if self.error.is_none() {
            self.error = mark(self.surface).err();
        }
    }

    /// A straight line; a level or upright hairline is snapped so that it fills whole pixels.
    pub fn line(&mut self, from: Point, to: Point, stroke: Stroke) {
        let level = (from.y - to.y).abs() < 1e-6;
        let upright = (from.x - to.x).abs() < 1e-6;
        let (from, to) = match (level, upright) {
            (true, false) => (point(from.x, snap(from.y)), point(to.x, snap(from.y))),
            (false, true) => (point(snap(from.x), from.y), point(snap(from.x), to.y)),
            _ => (from, to),
        };
        self.attempt(|surface| surface.draw_line(units(from), units(to), &style(stroke)));
    }

    /// A line through places.
    pub fn polyline(&mut self, line: &[Point], stroke: Stroke) {
        if line.len() > 1 {
            self.attempt(|surface| {
                surface.draw_path(line.iter().copied().map(units), &style(stroke))
            });
        }
    }

    /// A line in dashes of `on` px and gaps of `off`.
    pub fn dashed(&mut self, line: &[Point], (on, off): (f64, f64), stroke: Stroke) {
        for dash in dashes(line, on, off) {
            self.polyline(&dash, stroke);
        }
    }

    /// An upright or level dashed hairline, snapped.
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

    /// A line in round dots.
    pub fn dotted(&mut self, line: &[Point], gap: f64, radius: f64, colour: Colour) {
        for dot in dashes(line, 0.01, gap) {
            if let Some(centre) = dot.first() {
                self.disc(*centre, radius, colour);
            }
        }
    }

    /// A filled polygon.
    pub fn fill(&mut self, corners: &[Point], colour: Colour) {
        if corners.len() > 2 {
            self.attempt(|surface| {
                surface.fill_polygon(corners.iter().copied().map(units), &rgba(colour))
            });
        }
    }

    /// A filled box.
    pub fn fill_rect(&mut self, area: Rect, colour: Colour) {
        if area.width() > 0.0 && area.height() > 0.0 {
            let (from, to) = (
                units(point(area.left, area.top)),
                units(point(area.right, area.bottom)),
            );
            self.attempt(|surface| surface.draw_rect(from, to, &rgba(colour), true));
        }
    }

    /// A filled box with rounded corners.
    pub fn fill_rounded(&mut self, area: Rect, radius: f64, colour: Colour) {
        let inner = area.grown(-radius);
        // An octagon's worth of points per corner looks round at the sizes of a label.
        const ARC: [(f64, f64); 4] = [(0.0, 1.0), (0.5, 0.866), (0.866, 0.5), (1.0, 0.0)];
        let arc = |corner: (f64, f64), sign: (f64, f64), back: bool| {
            let at = move |(a, b): (f64, f64)| {
                point(
                    corner.0 + sign.0 * a * radius,
                    corner.1 + sign.1 * b * radius,
                )
            };
            let mut points: Vec<Point> = ARC.into_iter().map(at).collect();
            if back {
                points.reverse();
            }
            points
        };
        let corners = [
            arc((inner.right, inner.top), (1.0, -1.0), false),
            arc((inner.right, inner.bottom), (1.0, 1.0), true),
            arc((inner.left, inner.bottom), (-1.0, 1.0), false),
            arc((inner.left, inner.top), (-1.0, -1.0), true),
        ];
        self.fill(&corners.concat(), colour);
    }

    /// The outline of a box, drawn inside its edges.
    pub fn outline(&mut self, area: Rect, stroke: Stroke) {
        let inner = area.grown(-stroke.width_px / 2.0);
        if inner.width() > 0.0 && inner.height() > 0.0 {
            let (from, to) = (
                units(point(inner.left, inner.top)),
                units(point(inner.right, inner.bottom)),
            );
            self.attempt(|surface| surface.draw_rect(from, to, &style(stroke), false));
        }
    }

    /// The dashed outline of a box: free, idle, pinned.
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

    /// A hatch over a polygon.
    pub fn hatch(&mut self, polygon: &[Point], spacing: f64, direction: Hatch, stroke: Stroke) {
        for (from, to) in hatch(polygon, spacing, direction) {
            self.polyline(&[from, to], stroke);
        }
    }

    /// A filled circle.
    pub fn disc(&mut self, centre: Point, radius: f64, colour: Colour) {
        self.attempt(|surface| {
            surface.draw_circle(units(centre), unit_length(radius), &rgba(colour), true)
        });
    }

    /// A circle's outline.
    pub fn ring(&mut self, centre: Point, radius: f64, stroke: Stroke) {
        self.attempt(|surface| {
            surface.draw_circle(units(centre), unit_length(radius), &style(stroke), false)
        });
    }

    /// A circle in dashes: pinned.
    pub fn dashed_ring(&mut self, centre: Point, radius: f64, stroke: Stroke) {
        const CORNERS: usize = 24;
        let corner = |i: usize| {
            let angle = i as f64 / CORNERS as f64 * std::f64::consts::TAU;
            point(
                centre.x + radius * libm::cos(angle),
                centre.y + radius * libm::sin(angle),
            )
        };
        let circle: Vec<Point> = (0..=CORNERS).map(corner).collect();
        let dash = radius * std::f64::consts::TAU / 16.0;
        self.dashed(&circle, (dash * 1.1, dash * 0.9), stroke);
    }

    /// An open point: background inside, a ring around.
    pub fn open_point(&mut self, centre: Point, radius: f64, stroke: Stroke) {
        let background = self.theme.background;
        self.disc(centre, radius, background);
        self.ring(centre, radius, stroke);
    }

    /// A point with a rim of background, so that it stands out from what lies under it.
    pub fn rimmed_point(&mut self, centre: Point, radius: f64, colour: Colour) {
        let background = self.theme.background;
        self.disc(centre, radius + 1.6, background);
        self.disc(centre, radius, colour);
    }
}

/// The middle of the nearest pixel, where a hairline fills it.
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
    ShapeStyle {
        color: rgba(stroke.colour),
        filled: false,
        stroke_width: unit_length(stroke.width_px),
    }
}
