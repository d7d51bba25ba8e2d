//! Label placement: finds the first wording and spot that are clear of other text and of the chart's lines.

use super::geometry::{Point, Rect, point, share_along};
use super::naming::{Own, Thing};
use super::pen::Pen;
use super::text::{Align, Side, Spot, Words, spot};
use crate::theme::Colour;

/// A label with alternative wordings, longest first, and the spots where it may be placed, best first.
#[derive(Clone, Debug)]
pub struct Label {
    wordings: Vec<Vec<Words>>,
    spots: Vec<Spot>,
    within: Option<Rect>,
    halo: Option<Colour>,
    avoids_lines: bool,
    over_lines: bool,
    own: Option<Thing>,
}

impl Label {
    /// Creates a label from alternative wordings, each of one or more lines, the longest first.
    pub fn blocks(wordings: impl IntoIterator<Item = Vec<Words>>) -> Self {
        Self {
            wordings: wordings.into_iter().collect(),
            spots: Vec::new(),
            within: None,
            halo: None,
            avoids_lines: true,
            over_lines: false,
            own: None,
        }
    }

    /// Creates a label from alternative wordings of one line each, the longest first.
    pub fn lines(wordings: impl IntoIterator<Item = Words>) -> Self {
        Self::blocks(wordings.into_iter().map(|words| vec![words]))
    }

    /// Adds candidate positions (spots) for the label, which are tried after the existing ones.
    #[must_use]
    pub fn at(mut self, spots: impl IntoIterator<Item = Spot>) -> Self {
        self.spots.extend(spots);
        self
    }

    /// Adds spots on all sides of a point, `reach` px away from it.
    #[must_use]
    pub fn around(self, at: Point, reach: f64) -> Self {
        self.at(around(at, reach))
    }

    /// Adds spots on the given sides of a point, best first.
    #[must_use]
    pub fn near(self, at: Point, sides: &[Toward]) -> Self {
        self.at(sides.iter().map(|side| side.of(at)))
    }

    /// Adds candidate positions along a line. `shares` are fractions of the line's length; at each of these points,
    /// the label may be on any of `sides`.
    #[must_use]
    pub fn along(self, line: &[Point], shares: &[f64], sides: &[Toward]) -> Self {
        let places = shares.iter().filter_map(|share| share_along(line, *share));
        places.fold(self, |label, at| label.near(at, sides))
    }

    /// Adds spots to the right and left of a vertical rule, `away` px from it, at the given heights.
    #[must_use]
    pub fn beside(self, x: f64, away: f64, heights: &[f64], side: Side) -> Self {
        let on = |y: f64, (x, align)| spot(point(x, y), align, side);
        let both = [(x + away, Align::Start), (x - away, Align::End)];
        self.at(heights.iter().flat_map(|y| both.map(|end| on(*y, end))))
    }

    /// Makes this label the name of a curve or point. The label is left out unless it is nearest to that thing or has a
    /// leader line to it.
    #[must_use]
    pub fn naming(self, own: Thing) -> Self {
        Self {
            own: Some(own),
            ..self
        }
    }

    #[must_use]
    pub fn within(self, area: Rect) -> Self {
        Self {
            within: Some(area),
            ..self
        }
    }

    #[must_use]
    pub fn halo(self, halo: Colour) -> Self {
        Self {
            halo: Some(halo),
            ..self
        }
    }

    /// Allows more spots before the label is left out: first farther away, then on top of lines, with a background
    /// patch behind the text.
    #[must_use]
    pub fn or_over_lines(self) -> Self {
        Self {
            over_lines: true,
            ..self
        }
    }

    #[must_use]
    pub fn on_lines(self) -> Self {
        Self {
            avoids_lines: false,
            ..self
        }
    }

    /// Writes the label inside an area, with a halo in the background color. Returns the label's box, or `None` if it
    /// is left out.
    pub fn write_in(self, pen: &mut Pen<'_>, area: Rect) -> Option<Rect> {
        let paper = pen.theme.background;
        self.within(area).halo(paper).write(pen)
    }

    /// Like [`Self::write_in`], but writes the label on top of lines rather than leaving it out.
    pub fn write_over(self, pen: &mut Pen<'_>, area: Rect) -> Option<Rect> {
        self.or_over_lines().write_in(pen, area)
    }

    /// Writes the label inside an area, with a halo in the background color. The label must avoid the given lines, but
    /// may cross other lines.
    pub fn write_clear_of(
        &self,
        pen: &mut Pen<'_>,
        area: Rect,
        lines: &[(Point, Point)],
    ) -> Option<Rect> {
        let halo = Some(pen.theme.background);
        pen.place(&self.wordings, &self.spots, &area, lines, halo)
    }

    /// Writes the label in the first spot where it fits. Returns the label's box, or `None` if it is left out.
    pub fn write(&self, pen: &mut Pen<'_>) -> Option<Rect> {
        let within = self.within.unwrap_or(pen.canvas);
        let halo = self.halo;
        let lines = if self.avoids_lines {
            pen.lines().to_vec()
        } else {
            Vec::new()
        };
        let own = self.own.map(|own| Own::of(pen, own));
        let at = |pen: &mut Pen<'_>, spots: &[Spot]| {
            let own = own.as_ref();
            pen.place_by(own, &self.wordings, spots, &within, &lines, halo)
        };
        let further = |pen: &mut Pen<'_>| {
            FURTHER_PX.iter().find_map(|by| {
                let spots: Vec<Spot> = self.spots.iter().map(|spot| spot.further(*by)).collect();
                at(pen, &spots)
            })
        };
        let lead = |pen: &mut Pen<'_>| own.as_ref()?.lead(pen, &self.wordings, &within, halo);
        let mut written = at(pen, &self.spots);
        if self.over_lines {
            written = written.or_else(|| further(pen));
        }
        written = written.or_else(|| lead(pen));
        if self.over_lines {
            let across = |pen: &mut Pen<'_>| {
                pen.place_across(own.as_ref(), &self.wordings, &self.spots, &within, halo)
            };
            written = written.or_else(|| across(pen));
        }
        #[cfg(test)]
        if let Some((own, bounds)) = self.own.zip(written) {
            pen.note_name(own, bounds);
        }
        written
    }
}

/// Additional distances from the labeled point, in px, that are tried before a label may cross a line.
const FURTHER_PX: [f64; 3] = [5.0, 10.0, 16.0];

/// Side of a point on which a label is placed, with the horizontal and vertical offset in px. For `E` and `W`, the
/// vertical offset is downward. For `N` and `S`, the horizontal offset is to the right.
#[derive(Clone, Copy, Debug)]
pub enum Toward {
    N(i8, i8),
    NE(i8, i8),
    E(i8, i8),
    SE(i8, i8),
    S(i8, i8),
    SW(i8, i8),
    W(i8, i8),
    NW(i8, i8),
}

impl Toward {
    pub fn of(self, Point { x, y }: Point) -> Spot {
        use {Align::*, Side::*};
        let (dx, dy, align, side) = match self {
            Self::N(dx, up) => (i16::from(dx), -i16::from(up), Middle, Above),
            Self::NE(dx, up) => (i16::from(dx), -i16::from(up), Start, Above),
            Self::E(dx, dy) => (i16::from(dx), i16::from(dy), Start, Level),
            Self::SE(dx, dy) => (i16::from(dx), i16::from(dy), Start, Below),
            Self::S(dx, dy) => (i16::from(dx), i16::from(dy), Middle, Below),
            Self::SW(left, dy) => (-i16::from(left), i16::from(dy), End, Below),
            Self::W(left, dy) => (-i16::from(left), i16::from(dy), End, Level),
            Self::NW(left, up) => (-i16::from(left), -i16::from(up), End, Above),
        };
        spot(point(x + f64::from(dx), y + f64::from(dy)), align, side)
    }
}

/// Returns label spots on all sides of a point, starting at the upper right.
pub fn around(at: Point, reach: f64) -> [Spot; 8] {
    let Point { x, y } = at;
    [
        spot(point(x + reach, y - reach * 0.2), Align::Start, Side::Above),
        spot(point(x + reach, y), Align::Start, Side::Level),
        spot(point(x + reach, y + reach * 0.2), Align::Start, Side::Below),
        spot(point(x - reach, y - reach * 0.2), Align::End, Side::Above),
        spot(point(x, y - reach), Align::Middle, Side::Above),
        spot(point(x, y + reach), Align::Middle, Side::Below),
        spot(point(x - reach, y), Align::End, Side::Level),
        spot(point(x - reach, y + reach * 0.2), Align::End, Side::Below),
    ]
}
