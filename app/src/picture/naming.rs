//! Names of what could be taken for something else: each stands nearest to its own curve or point, or leads to it.

use super::geometry::{Point, Rect, point, segments, share_along};
use super::pen::{Pen, stroke};
use super::text::{Align, Side, Spot, Words, spot};
use crate::theme::Colour;

/// A curve or a point that a label may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thing(usize);

/// A name is nearer to its own by so much than to anything else, and no further off than this.
const NEARER_PX: f64 = 3.0;
const REACH_PX: f64 = 22.0;
/// Lines no further apart are one to the eye.
const SAME_PX: f64 = 2.0;
/// A leader ends so far from any other thing, and has one of these lengths.
const ALONE_PX: f64 = 6.0;
const LEADERS_PX: [f64; 7] = [14.0, 20.0, 28.0, 38.0, 52.0, 70.0, 95.0];
const LED_AT: [f64; 9] = [0.8, 0.6, 0.4, 0.9, 0.7, 0.5, 0.3, 0.2, 0.1];

impl Pen<'_> {
    /// What a label may name, as it is drawn: labels keep clear of it, names of others further off than of their own.
    pub fn thing(&mut self, line: &[Point]) -> Thing {
        self.avoid(line);
        self.things.push(vec![line.to_vec()]);
        Thing(self.things.len() - 1)
    }

    /// A point that a label may name.
    pub fn dot(&mut self, at: Point) -> Thing {
        self.thing(&[at, at])
    }

    /// One more line of a thing.
    pub fn part_of(&mut self, Thing(thing): Thing, line: &[Point]) {
        self.avoid(line);
        self.things[thing].push(line.to_vec());
    }

    /// Whether nearly all of a thing lies on another.
    pub fn lies_on(&self, Thing(thing): Thing, Thing(other): Thing) -> bool {
        let on = |at: &Point| self.things[other].iter().any(|line| at.off(line) < SAME_PX);
        let places = || {
            let lines = self.things[thing].iter();
            lines.flat_map(|line| (0..=12).filter_map(|i| share_along(line, f64::from(i) / 12.0)))
        };
        let all = places().count();
        all > 0 && places().filter(on).count() as f64 >= 0.9 * all as f64
    }

    /// Things by what is one to the eye, as places among them: the first of each is drawn on top and lends its name a
    /// colour, the last lies on all others.
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

    /// The lines of everything that a thing does not lie on.
    fn others(&self, own: Thing) -> Vec<(Point, Point)> {
        let all = (0..self.things.len()).map(Thing);
        let others = all.filter(|of| *of != own && !self.lies_on(own, *of));
        others.flat_map(|Thing(of)| self.parts(of)).collect()
    }

    /// For the law that a name is nearest to its own.
    #[cfg(test)]
    pub fn note_name(&mut self, Thing(own): Thing, bounds: Rect) {
        let lines = self.parts(own).collect();
        self.picture.names.push((bounds, lines));
    }

    fn parts(&self, of: usize) -> impl Iterator<Item = (Point, Point)> + '_ {
        self.things[of].iter().flat_map(|line| segments(line))
    }
}

/// How far a box is from the nearest of some lines.
fn off(bounds: &Rect, lines: impl IntoIterator<Item = (Point, Point)>) -> f64 {
    let off = lines.into_iter().map(|(from, to)| bounds.off(from, to));
    off.fold(f64::INFINITY, f64::min)
}

/// What a name belongs to, and what else there is.
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

    /// Whether a name in this box is its own's and nobody else's.
    pub fn has(&self, bounds: &Rect) -> bool {
        let own = off(bounds, self.lines.iter().copied());
        own <= REACH_PX && off(bounds, self.others.iter().copied()) >= own + NEARER_PX
    }

    /// The first wording that finds a spot some way off, with a leader that crosses nothing.
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
        let alone =
            |at: &Point| off(&Rect::about(*at, 0.0), self.others.iter().copied()) > ALONE_PX;
        let places: Vec<Point> = places.filter(alone).collect();
        for words in wordings {
            let ways = LEADERS_PX
                .iter()
                .flat_map(|by| places.iter().map(move |at| (*by, *at)));
            let ways = ways.flat_map(|(by, at)| leads(at, by).map(|spot| (at, spot)));
            for (at, spot) in ways {
                let Some((spot, bounds)) = pen.find_spot(words, &[spot], within, pen.lines())
                else {
                    continue;
                };
                let foot = bounds.nearest(at);
                let foot = point(foot.x, foot.y.clamp(bounds.top + 4.0, bounds.bottom - 4.0));
                let (foot, tip) = (foot.along(at, 2.0), at.along(foot, 1.5));
                let crosses = |(a, b): &(Point, Point)| foot.crosses(tip, *a, *b);
                if pen.is_taken_along(foot, tip) || pen.lines().iter().any(crosses) {
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

/// Spots so far from a place, all around.
fn leads(at: Point, by: f64) -> [Spot; 8] {
    let slant = by * 0.7;
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
    ]
}
