//! Points, boxes, hatches and dashes as plain geometry, so that any drawing surface can draw them.

use crate::order::sort_by;

/// A point in CSS px, measured from the top left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

pub const fn point(x: f64, y: f64) -> Point {
    Point { x, y }
}

impl Point {
    pub fn distance(self, other: Self) -> f64 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        (dx * dx + dy * dy).sqrt()
    }

    /// Returns the point at the fraction `share` of the way from this point to another one.
    pub fn towards(self, other: Self, share: f64) -> Self {
        point(
            self.x + (other.x - self.x) * share,
            self.y + (other.y - self.y) * share,
        )
    }

    /// Returns the shortest distance from this point to a polyline.
    pub fn off(self, line: &[Self]) -> f64 {
        let nearest = segments(line).map(|(from, to)| {
            let (dx, dy) = (to.x - from.x, to.y - from.y);
            let along = (self.x - from.x) * dx + (self.y - from.y) * dy;
            let share = along / (dx * dx + dy * dy).max(1e-9);
            self.distance(from.towards(to, share.clamp(0.0, 1.0)))
        });
        nearest.fold(f64::INFINITY, f64::min)
    }

    /// True if the segment from this point to `to` crosses the segment from `a` to `b`.
    pub fn crosses(self, to: Self, a: Self, b: Self) -> bool {
        let side =
            |p: Self, q: Self, r: Self| (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
        side(self, to, a) * side(self, to, b) < 0.0 && side(a, b, self) * side(a, b, to) < 0.0
    }

    /// Returns the point that is `length` px from this point on the way to another one.
    pub fn along(self, other: Self, length: f64) -> Self {
        let distance = self.distance(other);
        if distance > 0.0 {
            self.towards(other, length / distance)
        } else {
            self
        }
    }
}

/// An axis-aligned box in CSS px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

pub const fn rect(left: f64, top: f64, right: f64, bottom: f64) -> Rect {
    Rect {
        left,
        top,
        right,
        bottom,
    }
}

impl Rect {
    /// Creates a square around a center; `reach` is half its edge length in px.
    pub fn about(centre: Point, reach: f64) -> Self {
        rect(
            centre.x - reach,
            centre.y - reach,
            centre.x + reach,
            centre.y + reach,
        )
    }

    /// Returns this box with its left and right edges replaced.
    pub fn across(&self, left: f64, right: f64) -> Self {
        rect(left, self.top, right, self.bottom)
    }

    /// Returns this box with its top and bottom edges replaced.
    pub fn down(&self, top: f64, bottom: f64) -> Self {
        rect(self.left, top, self.right, bottom)
    }

    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub fn surface(&self) -> f64 {
        self.width() * self.height()
    }

    pub fn joined(&self, other: &Self) -> Self {
        rect(
            self.left.min(other.left),
            self.top.min(other.top),
            self.right.max(other.right),
            self.bottom.max(other.bottom),
        )
    }

    pub fn centre(&self) -> Point {
        point(
            (self.left + self.right) / 2.0,
            (self.top + self.bottom) / 2.0,
        )
    }

    pub fn nearest(&self, Point { x, y }: Point) -> Point {
        let x = x.clamp(self.left, self.right.max(self.left));
        point(x, y.clamp(self.top, self.bottom.max(self.top)))
    }

    /// Returns the distance from this box to a line segment; zero if the segment enters the box.
    pub fn off(&self, from: Point, to: Point) -> f64 {
        if self.clip(from, to).is_some() {
            return 0.0;
        }
        let corners = self.corners().map(|corner| corner.off(&[from, to]));
        let ends = [from, to].map(|end| self.nearest(end).distance(end));
        corners
            .into_iter()
            .chain(ends)
            .fold(f64::INFINITY, f64::min)
    }

    pub fn grown(&self, by: f64) -> Self {
        rect(
            self.left - by,
            self.top - by,
            self.right + by,
            self.bottom + by,
        )
    }

    /// True if the two boxes overlap; boxes that only share an edge do not.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    pub fn holds(&self, other: &Self) -> bool {
        self.left <= other.left
            && self.top <= other.top
            && self.right >= other.right
            && self.bottom >= other.bottom
    }

    /// Returns the corners of the box, clockwise from the top left.
    pub fn corners(&self) -> [Point; 4] {
        [
            point(self.left, self.top),
            point(self.right, self.top),
            point(self.right, self.bottom),
            point(self.left, self.bottom),
        ]
    }

    /// Returns the part of a segment that is inside the box; `None` if the segment misses the box.
    pub fn clip(&self, from: Point, to: Point) -> Option<(Point, Point)> {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for (step, gap) in [
            (-dx, from.x - self.left),
            (dx, self.right - from.x),
            (-dy, from.y - self.top),
            (dy, self.bottom - from.y),
        ] {
            if step == 0.0 {
                if gap < 0.0 {
                    return None;
                }
            } else if step < 0.0 {
                enter = enter.max(gap / step);
            } else {
                leave = leave.min(gap / step);
            }
        }
        (enter <= leave).then(|| (from.towards(to, enter), from.towards(to, leave)))
    }

    /// Returns the pieces of a polyline that are inside this box.
    pub fn cut(&self, line: &[Point]) -> Vec<Vec<Point>> {
        let mut pieces: Vec<Vec<Point>> = Vec::new();
        let mut joined = false;
        for (from, to) in segments(line) {
            let Some((start, end)) = self.clip(from, to) else {
                joined = false;
                continue;
            };
            match pieces.last_mut() {
                Some(piece) if joined => piece.push(end),
                _ => pieces.push(vec![start, end]),
            }
            joined = end.distance(to) < 1e-6;
        }
        pieces
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hatch {
    /// Lines at 45°, which rise to the right; used for overlapped time.
    Rising,
    /// Lines at −45°, which fall to the right; used for out of memory.
    Falling,
}

/// Returns the hatch lines inside a polygon, spaced by `spacing` px horizontally. The hatch lines of neighboring
/// polygons line up.
pub fn hatch(polygon: &[Point], spacing: f64, direction: Hatch) -> Vec<(Point, Point)> {
    // A rising line has a constant x + y on a screen, a falling one a constant x − y.
    let sign = match direction {
        Hatch::Rising => 1.0,
        Hatch::Falling => -1.0,
    };
    let offset = |p: &Point| p.x + sign * p.y;
    let low = polygon.iter().map(offset).fold(f64::INFINITY, f64::min);
    let high = polygon.iter().map(offset).fold(f64::NEG_INFINITY, f64::max);
    if polygon.len() < 3 || !(high - low).is_finite() || spacing <= 0.0 {
        return Vec::new();
    }
    let number = ((high - low) / spacing).min(MOST_HATCH_LINES) as usize + 1;
    let first = (low / spacing).ceil();
    let mut lines = Vec::with_capacity(number);
    let mut crossings: Vec<Point> = Vec::with_capacity(8);
    for i in 0..number {
        let constant = (first + i as f64) * spacing;
        crossings.clear();
        for (a, b) in edges(polygon) {
            let (at_a, at_b) = (offset(&a), offset(&b));
            // Half-open, so that a corner on the line counts once.
            if (at_a <= constant) != (at_b <= constant) {
                crossings.push(a.towards(b, (constant - at_a) / (at_b - at_a)));
            }
        }
        sort_by(&mut crossings, |a, b| a.x.total_cmp(&b.x));
        lines.extend(crossings.chunks_exact(2).filter_map(|pair| match pair {
            [a, b] => Some((*a, *b)),
            _ => None,
        }));
    }
    lines
}

/// Maximum number of lines in one hatch. No chart is so wide that it needs more.
const MOST_HATCH_LINES: f64 = 2000.0;

fn edges(polygon: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    polygon
        .iter()
        .copied()
        .zip(polygon.iter().copied().cycle().skip(1))
}

pub fn segments(line: &[Point]) -> impl Iterator<Item = (Point, Point)> + Clone + '_ {
    line.iter().copied().zip(line.iter().copied().skip(1))
}

/// Returns the point on a polyline at the fraction `share` of the polyline's length.
pub fn share_along(line: &[Point], share: f64) -> Option<Point> {
    let lengths = segments(line).map(|(from, to)| from.distance(to));
    let mut left = share * lengths.clone().sum::<f64>();
    for ((from, to), length) in segments(line).zip(lengths) {
        if left <= length {
            return Some(from.along(to, left));
        }
        left -= length;
    }
    line.last().copied()
}

/// Returns the y coordinate of a polyline at a given `x`; `None` if no segment reaches `x`. The polyline's points
/// must be ordered from left to right.
pub fn height_at(line: &[Point], x: f64) -> Option<f64> {
    let (a, b) = segments(line).find(|(a, b)| a.x <= x && x <= b.x)?;
    let share = (x - a.x) / (b.x - a.x);
    Some(if b.x <= a.x {
        a.y
    } else {
        a.towards(b, share).y
    })
}

/// Cuts a polyline into dashes of `on` px, separated by gaps of `off` px.
pub fn dashes(line: &[Point], on: f64, off: f64) -> Vec<Vec<Point>> {
    let mut dashes = Vec::new();
    let mut dash: Vec<Point> = line.first().copied().into_iter().collect();
    let (mut drawing, mut left) = (true, on);
    for (a, b) in segments(line) {
        let (mut from, mut length) = (a, a.distance(b));
        if !length.is_finite() {
            continue;
        }
        while length > left {
            from = from.along(b, left);
            length -= left;
            if drawing {
                dash.push(from);
                dashes.push(std::mem::take(&mut dash));
            } else {
                dash = vec![from];
            }
            drawing = !drawing;
            left = if drawing { on } else { off };
        }
        left -= length;
        if drawing {
            dash.push(b);
        }
    }
    if drawing && dash.len() > 1 {
        dashes.push(dash);
    }
    dashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hatch_stays_inside_and_at_its_angle() {
        let polygon = [
            point(10.0, 10.0),
            point(90.0, 30.0),
            point(90.0, 70.0),
            point(10.0, 70.0),
        ];
        for (direction, slope) in [(Hatch::Rising, -1.0), (Hatch::Falling, 1.0)] {
            let lines = hatch(&polygon, 6.0, direction);
            assert!(lines.len() > 15);
            for (a, b) in lines {
                assert!(((b.y - a.y) - slope * (b.x - a.x)).abs() < 1e-9);
                for p in [a, b] {
                    assert!(
                        rect(10.0, 10.0, 90.0, 70.0)
                            .grown(1e-9)
                            .holds(&Rect::about(p, 0.0))
                    );
                }
            }
        }
        assert!(hatch(&polygon[..2], 6.0, Hatch::Rising).is_empty());
    }

    #[test]
    fn dashes_have_their_length_and_go_round_corners() {
        let line = [point(0.0, 0.0), point(7.0, 0.0), point(7.0, 13.0)];
        let cut = dashes(&line, 4.0, 2.0);
        let lengths: Vec<f64> = cut
            .iter()
            .map(|dash| dash.windows(2).map(|pair| pair[0].distance(pair[1])).sum())
            .collect();
        assert_eq!(lengths, [4.0, 4.0, 4.0, 2.0]);
        assert_eq!(cut[1].len(), 3);
        assert!(dashes(&[], 4.0, 2.0).is_empty());
    }

    #[test]
    fn ways_cross_between_their_ends_only() {
        let (a, b) = (point(0.0, 0.0), point(10.0, 10.0));
        assert!(a.crosses(b, point(0.0, 10.0), point(10.0, 0.0)));
        assert!(!a.crosses(b, point(6.0, 0.0), point(10.0, 4.0)));
        assert!(!a.crosses(point(4.0, 4.0), point(0.0, 10.0), point(10.0, 0.0)));
    }

    #[test]
    fn a_segment_is_clipped_to_a_box() {
        let area = rect(0.0, 0.0, 10.0, 10.0);
        assert_eq!(
            area.clip(point(-5.0, 5.0), point(15.0, 5.0)),
            Some((point(0.0, 5.0), point(10.0, 5.0)))
        );
        assert_eq!(area.clip(point(-5.0, 5.0), point(-1.0, 5.0)), None);
        assert_eq!(
            area.clip(point(2.0, 2.0), point(2.0, 20.0)),
            Some((point(2.0, 2.0), point(2.0, 10.0)))
        );
    }
}
