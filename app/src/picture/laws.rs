//! What a reader trips over in a picture, found in its marks.

use super::geometry::{Point, Rect, segments};
use super::{Mark, Picture, Shape, Text};
use crate::theme::Colour;

/// A thinner line is a hairline, on which words with a rim may lie.
const HAIR_PX: f64 = 1.15;
/// So much of a line, and so much of a dot, in the capitals of words is a graze.
const GRAZE_PX: (f64, f64) = (3.0, 1.2);

/// How far an ink stands out from the background, 0 to 1.
fn strength(ink: Colour, paper: Colour) -> f64 {
    let part = |of: Colour, shift: u32| f64::from((of.rgb >> shift) & 255) / 255.0;
    let apart = [0, 8, 16].map(|shift| (part(ink, shift) - part(paper, shift)).abs());
    apart.into_iter().fold(0.0, f64::max) * ink.alpha
}

/// The length of a line inside a box.
fn inside_px(area: &Rect, line: &[Point], closed: bool) -> f64 {
    let back = line.last().copied().zip(line.first().copied());
    let parts = segments(line).chain(back.filter(|_| closed));
    let parts = parts.filter_map(|(from, to)| area.clip(from, to));
    parts.map(|(from, to)| from.distance(to)).sum()
}

/// Whether a mark is a fill of at least this opacity over all of a box.
fn covers(mark: &Mark, area: &Rect, opacity: f64) -> bool {
    let Mark::Shapes {
        ink,
        width_px: None,
        shapes,
    } = mark
    else {
        return false;
    };
    let over = |shape: &Shape| match shape {
        Shape::Box(own) => own.grown(1.0).holds(area),
        Shape::Line(line) => line.extent().holds(area),
        Shape::Circle(..) => false,
    };
    ink.alpha >= opacity && shapes.iter().any(over)
}

/// What strikes a text through, which is the mark at a place of a picture.
pub fn strikes(picture: &Picture, place: usize, text: &Text, paper: Colour) -> Option<String> {
    let area = text.capitals().grown(-1.0);
    let under = &picture.marks[..place];
    // Nothing shows through a patch that holds the words; what a veil is over is faint.
    let patch = under.iter().rposition(|mark| covers(mark, &area, 1.0));
    let veil = under.iter().rposition(|mark| covers(mark, &area, 0.3));
    let marks = picture.marks.iter().enumerate();
    for (other, mark) in marks.skip(patch.map_or(0, |patch| patch + 1)) {
        let Mark::Shapes {
            ink,
            width_px,
            shapes,
        } = mark
        else {
            continue;
        };
        let after = other > place;
        let veiled = !after && veil.is_some_and(|veil| other < veil);
        let hairline = width_px.is_some_and(|width| width < HAIR_PX) && !after;
        if veiled || hairline || strength(*ink, paper) < 0.2 {
            continue;
        }
        for shape in shapes {
            let (px, graze) = match (shape, width_px) {
                (Shape::Line(line), Some(_)) => {
                    (inside_px(&area, &line.through, line.closed), GRAZE_PX.0)
                }
                (Shape::Circle(centre, radius), _) => {
                    let deep = radius - area.nearest(*centre).distance(*centre);
                    (deep, GRAZE_PX.1)
                }
                _ => continue,
            };
            if px > graze {
                let when = if after { "over" } else { "under" };
                return Some(format!("“{}”: {px:.1} px {when} it", text.words));
            }
        }
    }
    None
}

/// Lines that are drawn as curves: neither hairlines nor teeth, markers and heads of arrows.
fn curves(picture: &Picture) -> impl Iterator<Item = (Point, Point)> + '_ {
    let shapes = picture.marks.iter().filter_map(|mark| match mark {
        Mark::Shapes {
            width_px: Some(width),
            shapes,
            ..
        } if *width >= 1.25 => Some(shapes),
        _ => None,
    });
    shapes.flatten().flat_map(|shape| match shape {
        Shape::Line(line) if line.extent().width() > 24.0 => segments(&line.through).collect(),
        _ => Vec::new(),
    })
}

/// How far a name is from its own curve, point or leader, and from any other curve or point that is not on its own.
pub fn apart((bounds, own): &(Rect, Vec<(Point, Point)>), picture: &Picture) -> (f64, f64) {
    let off = |(from, to): &(Point, Point)| bounds.off(*from, *to);
    let point = own.first().is_some_and(|(from, to)| from == to);
    // Points that nearly touch are one to the eye.
    let same = if point { 7.0 } else { 2.5 };
    let on_own = |at: Point| own.iter().any(|(from, to)| at.off(&[*from, *to]) < same);
    let others: Vec<(Point, Point)> = match point {
        true => points(picture).map(|at| (at, at)).collect(),
        false => curves(picture).collect(),
    };
    let others = others
        .iter()
        .filter(|(from, to)| !on_own(from.towards(*to, 0.5)));
    let nearest = |least: f64, px: f64| least.min(px);
    (
        own.iter().map(off).fold(f64::INFINITY, nearest),
        others.map(off).fold(f64::INFINITY, nearest),
    )
}

/// The centres of filled points.
fn points(picture: &Picture) -> impl Iterator<Item = Point> + '_ {
    let shapes = picture.marks.iter().filter_map(|mark| match mark {
        Mark::Shapes {
            width_px: None,
            shapes,
            ..
        } => Some(shapes),
        _ => None,
    });
    shapes.flatten().filter_map(|shape| match shape {
        Shape::Circle(centre, radius) if *radius > 2.0 => Some(*centre),
        _ => None,
    })
}
