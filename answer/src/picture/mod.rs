//! A picture: a list of marks, recorded once and then replayed to a canvas, to SVG and to tests. Replaying a picture
//! needs no knowledge of the chart.
//!
//! The plotters library draws its elements on a picture. Its coordinates are integers in sixteenths of a CSS px, so
//! lines are exact on a screen of any density. Marks store CSS px again, without loss.

#![allow(
    missing_docs,
    reason = "a field whose name and unit are clear needs no comment"
)]

pub mod caption;
pub mod geometry;
pub mod label;
#[cfg(test)]
pub mod laws;
pub mod metrics;
pub mod naming;
pub mod pen;
pub mod scale;
pub mod svg;
pub mod table;
pub mod text;

use crate::theme::{Colour, size};
use geometry::{Point, Rect, point, rect};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::convert::Infallible;

/// Number of coordinate units of the plotters library in one CSS px.
pub const UNITS_PER_PX: f64 = 16.0;

/// One thing to paint, in CSS px. Consecutive shapes of the same style and type share a mark. This needs fewer paths,
/// and a translucent hatch does not become darker where its lines meet.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    Shapes {
        ink: Colour,
        /// Width of the outlines in CSS px; `None` fills the shapes.
        width_px: Option<f64>,
        shapes: Vec<Shape>,
    },
    Text(Text),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Line(Line),
    /// A filled box, snapped to device pixels.
    Box(Rect),
    /// A circle: its center and its radius in CSS px.
    Circle(Point, f64),
}

impl Mark {
    /// Returns this mark with every point mapped by `to`.
    #[must_use]
    pub fn moved(mut self, to: impl Fn(Point) -> Point) -> Self {
        match &mut self {
            Self::Shapes { shapes, .. } => shapes.iter_mut().for_each(|shape| shape.shift(&to)),
            Self::Text(text) => text.at = to(text.at),
        }
        self
    }

    /// Returns one box for each shape of the mark. The boxes contain everything that the mark paints.
    pub fn extents(&self) -> Vec<Rect> {
        match self {
            Self::Shapes {
                width_px, shapes, ..
            } => {
                // Half the width, and one px of blur.
                let rim = width_px.unwrap_or(0.0) / 2.0 + 1.0;
                shapes
                    .iter()
                    .map(|shape| shape.extent().grown(rim))
                    .collect()
            }
            Self::Text(text) => vec![text.extent()],
        }
    }
}

impl Shape {
    fn shift(&mut self, to: impl Fn(Point) -> Point) {
        match self {
            Self::Line(line) => line.through.iter_mut().for_each(|at| *at = to(*at)),
            Self::Box(area) => {
                let [a, _, b, _] = area.corners().map(to);
                *area = rect(a.x, a.y, b.x, b.y);
            }
            Self::Circle(centre, _) => *centre = to(*centre),
        }
    }

    fn extent(&self) -> Rect {
        match self {
            Self::Line(line) => line.extent(),
            Self::Box(area) => *area,
            Self::Circle(centre, radius) => Rect::about(*centre, *radius),
        }
    }
}

fn extent(places: &[Point]) -> Rect {
    let none = rect(
        f64::INFINITY,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NEG_INFINITY,
    );
    let all = places.iter().map(|at| Rect::about(*at, 0.0));
    all.fold(none, |area, at| area.joined(&at))
}

#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub through: Vec<Point>,
    pub closed: bool,
    /// True if the line is a horizontal or vertical rule, which fills whole device pixels.
    pub rule: bool,
}

impl Line {
    fn through(path: impl IntoIterator<Item = BackendCoord>, closed: bool) -> Shape {
        Shape::Line(Self {
            through: path.into_iter().map(place).collect(),
            closed,
            rule: false,
        })
    }

    pub fn extent(&self) -> Rect {
        extent(&self.through)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    pub words: String,
    /// Left end of the text's baseline.
    pub at: Point,
    pub width_px: f64,
    pub size_px: f64,
    pub bold: bool,
    pub ink: Colour,
    /// Clockwise rotation of the text about `at`, in degrees.
    pub degrees: f64,
    pub halo: Option<Colour>,
}

impl Text {
    /// Returns the box around the capital letters and digits of a horizontal text.
    pub fn capitals(&self) -> Rect {
        let Point { x, y } = self.at;
        rect(x, y - 0.73 * self.size_px, x + self.width_px, y)
    }

    /// Returns a box that contains every stroke of the text, at any angle.
    fn extent(&self) -> Rect {
        let rim = self.halo.map_or(1.0, |_| size::HALO_PX / 2.0 + 1.0);
        if self.degrees != 0.0 {
            return Rect::about(self.at, self.width_px + self.size_px + rim);
        }
        let Point { x, y } = self.at;
        let (above, below) = (self.size_px, 0.35 * self.size_px);
        rect(x - 1.0, y - above, x + self.width_px + 1.0, y + below).grown(rim)
    }
}

/// Measures text in a font, in CSS px.
pub trait Measure {
    fn width_px(&self, words: &str, size_px: f64, bold: bool) -> f64;
}

/// A picture: its marks, in the order of painting.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    pub size_px: (f64, f64),
    pub marks: Vec<Mark>,
    /// Number of marks that are painted before the rulers of a highlight, and thus below them.
    pub seam: usize,
    /// For a highlight, the boxes in which it covers text of the picture below it.
    pub covers: Vec<Rect>,
    /// Boxes of the names of curves and points, each with the lines of the thing it names.
    #[cfg(test)]
    pub names: Vec<(Rect, Vec<(Point, Point)>)>,
}

/// Result of recording a mark in memory, which cannot fail.
pub type Recorded = Result<(), DrawingErrorKind<Infallible>>;

impl Picture {
    pub fn sized(size_px: (f64, f64)) -> Self {
        Self {
            size_px,
            marks: Vec::with_capacity(96),
            ..Self::default()
        }
    }

    /// Returns the marks in the order of painting. The marks of a highlight are inserted between the two layers of
    /// the picture and on top. Text that the highlight covers is left out.
    pub fn lit<'a>(&'a self, glow: Option<&'a Self>) -> impl Iterator<Item = &'a Mark> {
        let (under, over) = self.marks.split_at(self.seam.min(self.marks.len()));
        let (below, above) = glow.map_or((&[][..], &[][..]), |glow| {
            glow.marks.split_at(glow.seam.min(glow.marks.len()))
        });
        let covers = glow.map_or(&[][..], |glow| &glow.covers);
        let seen = move |mark: &&Mark| match mark {
            Mark::Text(text) if text.degrees == 0.0 => {
                let words = text.capitals();
                !covers.iter().any(|cover| cover.overlaps(&words))
            }
            _ => true,
        };
        under
            .iter()
            .filter(seen)
            .chain(below)
            .chain(over.iter().filter(seen))
            .chain(above)
    }

    /// Returns the boxes to repaint when one highlight replaces another.
    pub fn patches(&self, glows: [Option<&Self>; 2]) -> Vec<Rect> {
        let glows = || glows.into_iter().flatten();
        let mut patches: Vec<Rect> = Vec::new();
        let own = glows().flat_map(|glow| glow.marks.iter().flat_map(Mark::extents));
        let covers = || glows().flat_map(|glow| &glow.covers);
        let hidden = self.marks.iter().filter_map(|mark| match mark {
            Mark::Text(text) => {
                let words = text.capitals();
                let hidden = covers().any(|cover| cover.overlaps(&words));
                hidden.then(|| text.extent())
            }
            _ => None,
        });
        for extent in own.chain(hidden) {
            // Join adjacent boxes, such as those of a ruler's dashes.
            let near = patches.iter_mut().rev().take(4);
            let joined = near
                .map(|patch| (patch.joined(&extent), patch))
                .find(|(both, patch)| both.surface() <= 2.5 * (patch.surface() + extent.surface()));
            match joined {
                Some((both, patch)) => *patch = both,
                None => patches.push(extent),
            }
        }
        patches
    }

    /// Returns the last mark, to which a shape may be added; `None` if the seam follows that mark, because a highlight
    /// is painted there.
    fn last(&mut self) -> Option<&mut Mark> {
        if self.seam == self.marks.len() {
            return None;
        }
        self.marks.last_mut()
    }

    /// Adds a shape to the last mark if style and type match; otherwise adds a new mark. Every filled polygon is a
    /// separate mark, since it may be translucent.
    fn add(&mut self, ink: BackendColor, width: Option<u32>, shape: Shape) -> Recorded {
        let (own, width_px) = (colour(ink), width.map(px));
        let kind = |of: &Shape| std::mem::discriminant(of);
        let polygon = width.is_none() && matches!(shape, Shape::Line(_));
        match self.last() {
            Some(Mark::Shapes {
                ink,
                width_px: last,
                shapes,
            }) if !polygon
                && *ink == own
                && *last == width_px
                && shapes.last().map(kind) == Some(kind(&shape)) =>
            {
                shapes.push(shape);
            }
            _ => self.marks.push(Mark::Shapes {
                ink: own,
                width_px,
                shapes: vec![shape],
            }),
        }
        Ok(())
    }
}

/// Converts a point from CSS px to the picture's integer units.
pub fn units(at: Point) -> BackendCoord {
    (
        (at.x * UNITS_PER_PX).round() as i32,
        (at.y * UNITS_PER_PX).round() as i32,
    )
}

/// Converts a length in CSS px to the picture's units, at least one unit.
pub fn unit_length(px: f64) -> u32 {
    (px * UNITS_PER_PX).round().max(1.0) as u32
}

fn place((x, y): BackendCoord) -> Point {
    point(f64::from(x) / UNITS_PER_PX, f64::from(y) / UNITS_PER_PX)
}

fn px(units: u32) -> f64 {
    f64::from(units) / UNITS_PER_PX
}

fn colour(BackendColor { alpha, rgb }: BackendColor) -> Colour {
    let (red, green, blue) = rgb;
    Colour::opaque(u32::from_be_bytes([0, red, green, blue])).with_alpha(alpha)
}

impl DrawingBackend for Picture {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        let (width, height) = self.size_px;
        (unit_length(width), unit_length(height))
    }

    fn ensure_prepared(&mut self) -> Recorded {
        Ok(())
    }

    fn present(&mut self) -> Recorded {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, ink: BackendColor) -> Recorded {
        self.draw_rect((x, y), (x + 1, y + 1), &ink, true)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Recorded {
        let line = Line::through(path, false);
        self.add(style.color(), Some(style.stroke_width()), line)
    }

    /// Records a line. A horizontal or vertical line is recorded as a rule.
    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Recorded {
        let line = Line {
            through: vec![place(from), place(to)],
            closed: false,
            rule: (from.0 == to.0) != (from.1 == to.1),
        };
        self.add(style.color(), Some(style.stroke_width()), Shape::Line(line))
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Recorded {
        if !fill {
            let line = Line::through([from, (to.0, from.1), to, (from.0, to.1)], true);
            return self.add(style.color(), Some(style.stroke_width()), line);
        }
        let (a, b) = (place(from), place(to));
        self.add(style.color(), None, Shape::Box(rect(a.x, a.y, b.x, b.y)))
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Recorded {
        let circle = Shape::Circle(place(centre), px(radius));
        self.add(style.color(), (!fill).then(|| style.stroke_width()), circle)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Recorded {
        self.add(style.color(), None, Line::through(corners, true))
    }

    /// Draws nothing. Text is drawn by the pen instead, which supports halos, weights and angles.
    fn draw_text<T: BackendTextStyle>(&mut self, _: &str, _: &T, _: BackendCoord) -> Recorded {
        Ok(())
    }
}
