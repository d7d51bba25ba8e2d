//! Names of curves and points. Each name is nearest to the thing it names, or has a leader line to it.

use super::geometry::{Point, Rect, point, segments, share_along};
use super::pen::{Pen, stroke};
use super::text::{Align, Side, Spot, Words, spot};
use crate::theme::Colour;

/// A curve or a point that a label may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thing(usize);

/// A name must be at least this many px nearer to the thing it names than to any other curve or point. `REACH_PX` is
/// the maximum distance to the named thing.
const NEARER_PX: f64 = 3.0;
const REACH_PX: f64 = 22.0;
/// Two lines that are closer than this many px look like one line.
const SAME_PX: f64 = 2.0;
/// If at least this share of a line coincides with another line, the two lines share a name.
const ONE: f64 = 0.6;
/// A leader line meets a curve at least this many px from any other curve or point. `LEADERS_PX` lists the possible
/// lengths of a leader line.
const ALONE_PX: f64 = 6.0;
const LEADERS_PX: [f64; 7] = [14.0, 20.0, 28.0, 38.0, 52.0, 70.0, 95.0];
const LED_AT: [f64; 9] = [0.8, 0.6, 0.4, 0.9, 0.7, 0.5, 0.3, 0.2, 0.1];

impl Pen<'_> {
    /// Adds a curve that a label may name and that labels avoid.
    pub fn thing(&mut self, line: &[Point]) -> Thing {
        self.avoid(line);
        self.things.push(vec![line.to_vec()]);
        self.reaches.push(1.5);
        Thing(self.things.len() - 1)
    }

    /// Adds a point that a label may name. The label's leader line ends `reach` px from the point's center.
    pub fn dot(&mut self, at: Point, reach: f64) -> Thing {
        self.things.push(vec![vec![at, at]]);
        self.reaches.push(reach);
        Thing(self.things.len() - 1)
    }

    /// Adds one more line to a curve or point that a label may name.
    pub fn part_of(&mut self, Thing(thing): Thing, line: &[Point]) {
        self.avoid(line);
        self.things[thing].push(line.to_vec());
    }

    /// True if at least the fraction [`ONE`] of the first thing's lines coincides with the other thing.
    pub fn lies_on(&self, Thing(thing): Thing, Thing(other): Thing) -> bool {
        let same = SAME_PX.max(self.reaches[other]);
        let on = |at: &Point| self.things[other].iter().any(|line| at.off(line) < same);
        let places = || {
            let lines = self.things[thing].iter();
            lines.flat_map(|line| (0..=12).filter_map(|i| share_along(line, f64::from(i) / 12.0)))
        };
        let all = places().count();
        all > 0 && places().filter(on).count() as f64 >= ONE * all as f64
    }

    /// Groups the indices of `things`: things that look like one line share a group. The first thing of a group is
    /// drawn on top and sets the color of the group's name.
    pub fn grouped(&self, things: &[Thing]) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (place, thing) in things.iter().enumerate() {
            let same = |group: &&mut Vec<usize>| self.lies_on(*thing, things[group[0]]);
            match groups.iter_mut().find(same) {
                Some(group) => group.push(place),
                None => groups.push(vec![place]),
            }
        }
        groups
    }

    /// Returns the lines of all other things, except the parts that coincide with the thing `own`.
    fn others(&self, own: Thing) -> Vec<(Point, Point)> {
        let lines: Vec<(Point, Point)> = self.parts(own.0).collect();
        let is_point = self.reaches[own.0] > 2.0;
        let on_own = |(from, to): &(Point, Point)| {
            let middle = from.towards(*to, 0.5);
            is_point || lines.iter().any(|(a, b)| middle.off(&[*a, *b]) < SAME_PX)
        };
        let all = (0..self.things.len()).map(Thing).filter(|of| *of != own);
        let others = all.flat_map(|of| {
            let same = self.lies_on(own, of);
            self.parts(of.0).filter(move |part| !(same && on_own(part)))
        });
        others.collect()
    }

    /// Records the box of a name, for the test that each name is nearest to the thing it names.
    #[cfg(test)]
    pub fn note_name(&mut self, Thing(own): Thing, bounds: Rect) {
        let lines = self.parts(own).collect();
        self.picture.names.push((bounds, lines));
    }

    fn parts(&self, of: usize) -> impl Iterator<Item = (Point, Point)> + '_ {
        self.things[of].iter().flat_map(|line| segments(line))
    }
}

fn off(bounds: &Rect, lines: impl IntoIterator<Item = (Point, Point)>) -> f64 {
    let off = lines.into_iter().map(|(from, to)| bounds.off(from, to));
    off.fold(f64::INFINITY, f64::min)
}

/// A named curve or point: its own lines, and the lines of all other things.
pub struct Own {
    thing: Thing,
    lines: Vec<(Point, Point)>,
    others: Vec<(Point, Point)>,
}

impl Own {
    pub fn of(pen: &Pen<'_>, thing: Thing) -> Self {
        let Thing(own) = thing;
        Self {
            thing,
            lines: pen.parts(own).collect(),
            others: pen.others(thing),
        }
    }

    /// True if a name in this box is near the thing it names, and nearer to it than to any other curve or point.
    pub fn has(&self, bounds: &Rect) -> bool {
        let own = off(bounds, self.lines.iter().copied());
        own <= REACH_PX && off(bounds, self.others.iter().copied()) >= own + NEARER_PX
    }

    /// Writes the first wording that fits at a distance from the named thing, with a leader line to it. The leader
    /// crosses no other line if possible, else one.
    pub fn lead(
        &self,
        pen: &mut Pen<'_>,
        wordings: &[Vec<Words>],
        within: &Rect,
        halo: Option<Colour>,
    ) -> Option<Rect> {
        let Thing(own) = self.thing;
        let pieces = pen.things[own].iter().flat_map(|line| within.cut(line));
        let pieces: Vec<Vec<Point>> = pieces.collect();
        let places = LED_AT.iter().flat_map(|share| {
            let on = |piece: &Vec<Point>| share_along(piece, *share);
            pieces.iter().filter_map(on)
        });
        let others = |at: &Point| off(&Rect::about(*at, 0.0), self.others.iter().copied());
        // Points are exempt: their leader lines can start at only one place.
        let reach = pen.reaches[own];
        let alone = |at: &Point| reach > 2.0 || others(at) > ALONE_PX;
        let places: Vec<Point> = places.filter(alone).take(9).collect();
        // Crosses a line only if there is no other way.
        for (most, words) in [0, 1]
            .into_iter()
            .flat_map(|most| wordings.iter().map(move |of| (most, of)))
        {
            let ways = LEADERS_PX
                .iter()
                .flat_map(|by| places.iter().map(move |at| (*by, *at)));
            let ways = ways.flat_map(|(by, at)| leads(at, by).map(|spot| (at, spot)));
            let size = pen.block_size(words);
            for (at, spot) in ways {
                let Some(bounds) = pen.stands(size, &spot, within, pen.lines()) else {
                    continue;
                };
                let foot = bounds.nearest(at);
                let foot = point(foot.x, foot.y.clamp(bounds.top + 4.0, bounds.bottom - 4.0));
                let (foot, tip) = (foot.along(at, 2.0), at.along(foot, reach));
                let crosses = |(a, b): &&(Point, Point)| foot.crosses(tip, *a, *b);
                let crossed = pen.lines().iter().filter(crosses).count();
                if crossed > most || pen.is_taken_along(foot, tip, at) {
                    continue;
                }
                pen.polyline(&[foot, tip], stroke(pen.theme.ink_3, 0.8));
                pen.part_of(self.thing, &[foot, tip]);
                pen.write_block(words, spot, bounds, halo);
                return Some(bounds);
            }
        }
        None
    }
}

/// Returns label spots all around a point, `by` px away from it.
fn leads(at: Point, by: f64) -> [Spot; 12] {
    let (slant, steep) = (by * 0.7, by * 0.3);
    let on = |dx: f64, dy: f64, align, side| spot(point(at.x + dx, at.y + dy), align, side);
    [
        on(slant, -slant, Align::Start, Side::Above),
        on(-slant, -slant, Align::End, Side::Above),
        on(slant, slant, Align::Start, Side::Below),
        on(-slant, slant, Align::End, Side::Below),
        on(by, 0.0, Align::Start, Side::Level),
        on(-by, 0.0, Align::End, Side::Level),
        on(0.0, -by, Align::Middle, Side::Above),
        on(0.0, by, Align::Middle, Side::Below),
        on(-steep, by, Align::End, Side::Below),
        on(steep, by, Align::Start, Side::Below),
        on(-steep, -by, Align::End, Side::Above),
        on(steep, -by, Align::Start, Side::Above),
    ]
}

/// Writes names in a row above a lane, between the x positions `left` and `right`, each with a leader line to its
/// part. If there is no room for all names, the shortest parts get none.
pub fn call_out(
    pen: &mut Pen<'_>,
    (left, right): (f64, f64),
    top: f64,
    mut parts: Vec<(f64, Words, Rect)>,
) {
    while !parts.is_empty() {
        // Place names from left to right, each as close to its part as the previous name allows. Then shift them left
        // from the right edge.
        let mut free = left;
        let mut places: Vec<(f64, f64)> = Vec::new();
        for (_, words, area) in &parts {
            let width = pen.width(words);
            let start = (area.centre().x - width / 2.0).max(free);
            free = start + width + CALLOUT_GAP_PX;
            places.push((start, width));
        }
        let mut limit = right;
        for (start, width) in places.iter_mut().rev() {
            *start = start.min(limit - *width);
            limit = *start - CALLOUT_GAP_PX;
        }
        if places.first().is_none_or(|(start, _)| *start >= left) {
            let hair = stroke(pen.theme.ink_3, 0.8);
            for ((_, words, area), (start, width)) in parts.iter().zip(places) {
                let foot = point(area.centre().x, area.top - 0.5);
                let under = foot.x.max(start + 3.0).min(start + width - 3.0);
                pen.polyline(&[point(under, top - 5.5), foot], hair);
                let at = point(start, top - 8.0);
                pen.write(words, at, Align::Start, Some(pen.theme.background));
            }
            return;
        }
        let times = parts.iter().enumerate();
        let least = times.min_by(|(_, (a, ..)), (_, (b, ..))| a.total_cmp(b));
        let least = least.map_or(0, |(index, _)| index);
        parts.remove(least);
    }
}

const CALLOUT_GAP_PX: f64 = 8.0;
