//! What a chart draws on: a list of marks, recorded once and replayed to a canvas, to SVG and to tests.
//!
//! plotters' elements draw on it. Their coordinates are integers, so a picture counts sixteenths of a CSS px: lines lie
//! where they belong on a screen of any density. Marks say them in CSS px again, without loss.

use super::geometry::{Point, Rect, point, rect};
use crate::theme::{Colour, size};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::convert::Infallible;

/// Units of plotters' coordinates in one CSS px.
pub const UNITS_PER_PX: f64 = 16.0;

/// One thing to paint, in CSS px. Neighbours of one look are one mark: fewer paths, and a translucent hatch does not
/// darken where its lines meet.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    Stroke {
        ink: Colour,
        width_px: f64,
        lines: Vec<Line>,
    },
    Fill {
        ink: Colour,
        corners: Vec<Point>,
    },
    /// Filled boxes, which lie on whole pixels where there are pixels.
    Boxes {
        ink: Colour,
        areas: Vec<Rect>,
    },
    /// Filled circles, each with its radius.
    Discs {
        ink: Colour,
        discs: Vec<(Point, f64)>,
    },
    Ring {
        ink: Colour,
        width_px: f64,
        centre: Point,
        radius: f64,
    },
    Text(Text),
}

impl Mark {
    /// The same mark with every place moved.
    #[must_use]
    pub fn moved(mut self, to: impl Fn(Point) -> Point) -> Self {
        match &mut self {
            Self::Stroke { lines, .. } => {
                let places = lines.iter_mut().flat_map(|line| &mut line.through);
                places.for_each(|at| *at = to(*at));
            }
            Self::Fill { corners, .. } => corners.iter_mut().for_each(|at| *at = to(*at)),
            Self::Boxes { areas, .. } => {
                for area in areas {
                    let [a, _, b, _] = area.corners().map(&to);
                    *area = rect(a.x, a.y, b.x, b.y);
                }
            }
            Self::Discs { discs, .. } => discs.iter_mut().for_each(|(at, _)| *at = to(*at)),
            Self::Ring { centre, .. } => *centre = to(*centre),
            Self::Text(text) => text.at = to(text.at),
        }
        self
    }

    /// Boxes that hold everything it paints, one for each of its lines, boxes or discs.
    pub fn extents(&self) -> Vec<Rect> {
        let about = |(centre, radius): &(Point, f64)| Rect::about(*centre, *radius);
        let (exact, width_px): (Vec<Rect>, f64) = match self {
            Self::Stroke {
                width_px, lines, ..
            } => (lines.iter().map(Line::extent).collect(), *width_px),
            Self::Fill { corners, .. } => (vec![extent(corners)], 0.0),
            Self::Boxes { areas, .. } => (areas.clone(), 0.0),
            Self::Discs { discs, .. } => (discs.iter().map(about).collect(), 0.0),
            Self::Ring {
                width_px,
                centre,
                radius,
                ..
            } => (vec![about(&(*centre, *radius))], *width_px),
            Self::Text(text) => return vec![text.extent()],
        };
        // Half a width, and what an edge may blur.
        exact
            .iter()
            .map(|area| area.grown(width_px / 2.0 + 1.0))
            .collect()
    }
}

/// The least box about places.
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

/// A line through places.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub through: Vec<Point>,
    pub closed: bool,
    /// Whether it is a level or upright rule, which fills whole pixels where there are pixels.
    pub rule: bool,
}

impl Line {
    /// The least box about its places.
    pub fn extent(&self) -> Rect {
        extent(&self.through)
    }
}

/// Words as they are set.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    pub words: String,
    /// The left end of the baseline.
    pub at: Point,
    pub width_px: f64,
    pub size_px: f64,
    pub bold: bool,
    pub ink: Colour,
    /// Clockwise about `at`.
    pub degrees: f64,
    /// A rim of this colour.
    pub halo: Option<Colour>,
}

impl Text {
    /// The box of a level line: capitals and figures.
    pub fn capitals(&self) -> Rect {
        let Point { x, y } = self.at;
        rect(x, y - 0.73 * self.size_px, x + self.width_px, y)
    }

    /// A box that holds every stroke of it, at any angle.
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

/// How wide words are in a face, in CSS px.
pub trait Measure {
    /// The width of words of a size, semibold or not.
    fn width_px(&self, words: &str, size_px: f64, bold: bool) -> f64;
}

/// Marks in the order of painting.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    pub size_px: (f64, f64),
    pub marks: Vec<Mark>,
    /// How many marks lie under the rulers of what is pointed at.
    pub seam: usize,
    /// Boxes of a glow under which no words of the picture show.
    pub covers: Vec<Rect>,
}

/// Recording in memory does not fail.
pub type Recorded = Result<(), DrawingErrorKind<Infallible>>;

impl Picture {
    /// An empty picture of a size in CSS px.
    pub fn sized(size_px: (f64, f64)) -> Self {
        Self {
            size_px,
            marks: Vec::with_capacity(96),
            ..Self::default()
        }
    }

    /// The marks with those of a glow between and over them, in the order of painting.
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

    /// Boxes outside which the picture stays as it is when one of the glows gives way to the other.
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
            // The dashes of a ruler are one box.
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

    /// The last mark, unless something may come to lie over it.
    fn last(&mut self) -> Option<&mut Mark> {
        if self.seam == self.marks.len() {
            return None;
        }
        self.marks.last_mut()
    }

    fn stroke(&mut self, ink: Colour, width_px: f64, line: Line) {
        match self.last() {
            Some(Mark::Stroke {
                ink: last,
                width_px: width,
                lines,
            }) if *last == ink && (*width - width_px).abs() < 1e-9 => lines.push(line),
            _ => self.marks.push(Mark::Stroke {
                ink,
                width_px,
                lines: vec![line],
            }),
        }
    }
}

/// A place in a picture's units; what lies beyond any screen is held at the edge of the grid.
pub fn units(at: Point) -> BackendCoord {
    (
        (at.x * UNITS_PER_PX).round() as i32,
        (at.y * UNITS_PER_PX).round() as i32,
    )
}

/// A length in CSS px in a picture's units, at least one.
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
        let line = Line {
            through: path.into_iter().map(place).collect(),
            closed: false,
            rule: false,
        };
        self.stroke(colour(style.color()), px(style.stroke_width()), line);
        Ok(())
    }

    /// A level or upright line is a rule.
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
        self.stroke(colour(style.color()), px(style.stroke_width()), line);
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Recorded {
        let ink = colour(style.color());
        let (a, b) = (place(from), place(to));
        if !fill {
            let line = Line {
                through: vec![a, point(b.x, a.y), b, point(a.x, b.y)],
                closed: true,
                rule: false,
            };
            self.stroke(ink, px(style.stroke_width()), line);
            return Ok(());
        }
        let area = rect(a.x, a.y, b.x, b.y);
        match self.last() {
            Some(Mark::Boxes { ink: last, areas }) if *last == ink => areas.push(area),
            _ => self.marks.push(Mark::Boxes {
                ink,
                areas: vec![area],
            }),
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Recorded {
        let (ink, centre, radius) = (colour(style.color()), place(centre), px(radius));
        if !fill {
            self.marks.push(Mark::Ring {
                ink,
                width_px: px(style.stroke_width()),
                centre,
                radius,
            });
            return Ok(());
        }
        match self.last() {
            Some(Mark::Discs { ink: last, discs }) if *last == ink => discs.push((centre, radius)),
            _ => self.marks.push(Mark::Discs {
                ink,
                discs: vec![(centre, radius)],
            }),
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Recorded {
        self.marks.push(Mark::Fill {
            ink: colour(style.color()),
            corners: corners.into_iter().map(place).collect(),
        });
        Ok(())
    }

    /// Words are set by the pen, which knows halos, weights and angles.
    fn draw_text<T: BackendTextStyle>(&mut self, _: &str, _: &T, _: BackendCoord) -> Recorded {
        Ok(())
    }
}
