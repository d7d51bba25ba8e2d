//! Legibility checks for tests of a picture: text struck through by a line, and names that are nearer to another mark
//! than to the one they name.

use super::geometry::{Point, Rect, segments};
use super::{Mark, Picture, Shape, Text};
use crate::theme::Colour;

/// Line width in px below which a line is a hairline. Text with a halo may cover hairlines.
const HAIR_PX: f64 = 1.15;
/// A mark strikes through a text if more than this is inside the capitals, in px: the length of a line, the depth of a
/// dot.
const GRAZE_PX: (f64, f64) = (3.0, 1.2);

/// Returns the contrast between an ink color and the background, 0 to 1.
fn strength(ink: Colour, paper: Colour) -> f64 {
    let part = |of: Colour, shift: u32| f64::from((of.rgb >> shift) & 255) / 255.0;
    let apart = [0, 8, 16].map(|shift| (part(ink, shift) - part(paper, shift)).abs());
    apart.into_iter().fold(0.0, f64::max) * ink.alpha
}

/// Returns the length of a polyline inside a box, in px.
fn inside_px(area: &Rect, line: &[Point], closed: bool) -> f64 {
    let back = line.last().copied().zip(line.first().copied());
    let parts = segments(line).chain(back.filter(|_| closed));
    let parts = parts.filter_map(|(from, to)| area.clip(from, to));
    parts.map(|(from, to)| from.distance(to)).sum()
}

/// True if a filled mark covers all of a box with at least this opacity.
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

/// Describes the first mark that strikes through a text; `None` if there is none. `place` is the index of the text
/// among the marks.
pub fn strikes(picture: &Picture, place: usize, text: &Text, paper: Colour) -> Option<String> {
    let area = text.capitals().grown(-1.0);
    let under = &picture.marks[..place];
    // Marks under an opaque patch are hidden; those under a veil are faint.
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
                return Some(format!("“{}”: {px:.1} px of a mark {when} it", text.words));
            }
        }
    }
    None
}

/// Returns the line segments of curves. Hairlines, teeth, markers and arrow heads are left out.
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

/// Returns two distances of a name. The first is to the named curve or point, or to its leader line. The second is to
/// the nearest other curve, or for the name of a point, to the nearest other point.
pub fn apart((bounds, own): &(Rect, Vec<(Point, Point)>), picture: &Picture) -> (f64, f64) {
    let off = |(from, to): &(Point, Point)| bounds.off(*from, *to);
    let point = own.first().is_some_and(|(from, to)| from == to);
    // Points that nearly touch look like one.
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

/// Returns the centers of filled points.
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
