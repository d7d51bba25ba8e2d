//! Description of a plot: curves and points on two axes, drawn in a fixed order and labeled by common rules.

use super::axis::Axis;
use super::frame::Plot;
use super::ink::{Ink, Words};
use super::marks::{self, CurveStroke};
use crate::order::sort_by;
use crate::picture::geometry::{Point, Rect, point};
use crate::picture::label::{Label, Toward, Toward::*};
use crate::picture::naming::Thing;
use crate::picture::pen::{Pen, Stroke, hair, stroke};
use crate::picture::scale::Scale;
use crate::picture::text;
use crate::picture::text::Spot;
use crate::theme::{Series, Theme};
use crate::words::format;
use std::collections::BTreeSet;
/// A plot with two axes: curves, rules (straight lines across the plot), points and arrows in data coordinates.
/// Within each type, the more important ones come first.
#[derive(Clone, Debug, PartialEq)]
pub struct Xy {
    pub x: Axis,
    pub y: Axis,
    /// True if the hover targets are vertical rulers through the plot instead of points.
    pub ruler: bool,
    curves: Vec<Said<Curve>>,
    rules: Vec<Said<Rule>>,
    dots: Vec<Said<Dot>>,
    arrows: Vec<Said<Arrow>>,
    /// Wordings of a label at the right edge, and its candidate vertical positions (as fractions of the plot). The first
    /// free position is used.
    beyond: Option<(Vec<Words>, [f64; 6])>,
}

/// A point in data coordinates, with its table row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At {
    pub x: f64,
    pub y: f64,
    pub row: Option<usize>,
    /// False if the batch at this point of a curve does not fit in memory; the curve is dotted from here on.
    pub fits: bool,
}

impl At {
    /// Creates a point in data coordinates, without a table row.
    pub const fn new((x, y): (f64, f64)) -> Self {
        Self {
            x,
            y,
            row: None,
            fits: true,
        }
    }

    /// Creates the point of a table row, in data coordinates.
    pub const fn of(row: usize, at: (f64, f64)) -> Self {
        Self {
            row: Some(row),
            ..Self::new(at)
        }
    }

    /// Sets whether the batch at this point fits in memory.
    #[must_use]
    pub const fn fitting(self, fits: bool) -> Self {
        Self { fits, ..self }
    }

    const fn values(&self) -> (f64, f64) {
        (self.x, self.y)
    }
}

/// A mark with alternative wordings of its label, longest first; each wording is a block of lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Said<T> {
    of: T,
    says: Vec<Vec<Words>>,
    /// Alternative wordings for the left and for the right side of a rule (a line across the plot).
    sides: [Vec<Vec<Words>>; 2],
}

/// A line through points in data coordinates, with its stroke.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve(Vec<At>, CurveStroke);

/// A rule: a vertical or horizontal line across the plot at a value. `rise_px` is how far it extends above the plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    upright: bool,
    at: f64,
    ink: RuleInk,
    rise_px: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RuleInk {
    Hair(Ink),
    Dashed(Ink),
    /// A solid line with teeth: to the left of a vertical rule, or above a horizontal one.
    Limit,
}

/// A point. If `stop` is true, it labels a value along a curve, and is left out if another mark is near.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    at: At,
    ink: DotInk,
    stop: bool,
    /// The point is left out if it is within this distance of the scenario’s point.
    apart_px: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DotInk {
    /// The current scenario's point; the flag is true if the scenario fits in memory. Outside the plot, the point
    /// becomes an arrow at the frame.
    Now(bool),
    /// The pinned scenario's point. Outside the plot, it becomes an arrow at the frame.
    Ghost,
    /// An open circle with this radius.
    Ring(f64, Ink),
    Disc(f64, Ink),
    Cross(Ink),
    /// An earlier prediction, drawn as a dashed circle.
    Former(Ink),
    /// The marker of a data series.
    Series(Series, Ink),
    /// A measured system, drawn as a diamond.
    Diamond(Ink),
    /// A label without a point.
    Bare,
}

/// An arrow from one point to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    ends: [(f64, f64); 2],
    ink: Ink,
    width_px: f64,
}

impl Xy {
    /// Creates a plot with two axes and no marks.
    pub const fn new(x: Axis, y: Axis) -> Self {
        Self {
            x,
            y,
            ruler: false,
            curves: Vec::new(),
            rules: Vec::new(),
            dots: Vec::new(),
            arrows: Vec::new(),
            beyond: None,
        }
    }

    /// Creates a plot with the axes of a plot that is already laid out.
    pub fn on(plot: &Plot) -> Self {
        Self::new(Axis::new("", plot.x), Axis::new("", plot.y))
    }

    /// Returns true if a pair of values is within the ranges of both axes.
    pub fn holds(&self, (x, y): (f64, f64)) -> bool {
        self.x.scale.holds(x) && self.y.scale.holds(y)
    }

    /// Returns the points that have a table row, each row once: first those on curves, then others. With vertical
    /// rulers, points are sorted by x; of a row's points at the same x, the lowest is used.
    pub fn hits(&self) -> Vec<At> {
        let on_curves = self.curves.iter().flat_map(|curve| &curve.of.0);
        let points = self.dots.iter().map(|dot| &dot.of.at);
        let mut hits: Vec<At> = on_curves.chain(points).copied().collect();
        if self.ruler {
            sort_by(&mut hits, |one, other| {
                one.x.total_cmp(&other.x).then(one.y.total_cmp(&other.y))
            });
        }
        let mut seen = BTreeSet::new();
        hits.retain(|at| at.row.is_some_and(|row| seen.insert(row)));
        hits
    }

    /// Returns the data series whose curve contains this point.
    pub fn series_of(&self, at: At) -> Option<Series> {
        let has = |curve: &&Said<Curve>| curve.of.0.iter().any(|of| of.row == at.row);
        match self.curves.iter().find(has)?.of.1.ink {
            Ink::Series(series) | Ink::Behind(series) => Some(series),
            _ => None,
        }
    }

    /// Returns the x-values of the vertical rules (lines across the plot).
    pub fn uprights(&self) -> impl Iterator<Item = f64> {
        let upright = self.rules.iter().filter(|rule| rule.of.upright);
        upright.map(|rule| rule.of.at)
    }

    #[cfg(test)]
    pub(crate) fn lines(&self) -> impl Iterator<Item = &[At]> {
        self.curves.iter().map(|curve| curve.of.0.as_slice())
    }

    /// Adds a curve, which is dotted from the first point that does not fit in memory.
    pub fn curve<I>(&mut self, through: I, line: CurveStroke) -> &mut Said<Curve>
    where
        I: IntoIterator<Item = At>,
    {
        Said::push(&mut self.curves, Curve(through.into_iter().collect(), line))
    }

    pub fn upright(&mut self, at: f64, ink: RuleInk) -> &mut Said<Rule> {
        let (upright, rise_px) = (true, 0.0);
        Said::push(
            &mut self.rules,
            Rule {
                upright,
                at,
                ink,
                rise_px,
            },
        )
    }

    pub fn level(&mut self, at: f64, ink: RuleInk) -> &mut Said<Rule> {
        let rule = self.upright(at, ink);
        rule.of.upright = false;
        rule
    }

    /// Adds the SLO, the minimum interactivity, to a plot whose horizontal axis is interactivity.
    pub fn slo(&mut self, least: Option<f64>) {
        let Some(least) = least.filter(|least| *least > 0.0) else {
            return;
        };
        let note = |text: String| vec![Words::note(text, Ink::Soft)];
        let least_words = format::printed(least);
        let keeps = [" tok/s/user", " tok/s", ""].map(|unit| format!("≥ {least_words}{unit}"));
        self.upright(least, RuleInk::Limit)
            .beside([
                vec![note("misses SLO".to_owned())],
                keeps.map(note).to_vec(),
            ])
            .says([Words::note(format!("SLO {least_words}"), Ink::Soft)]);
    }

    /// Adds a point. Outside the plot, only the current and the pinned scenario are marked, by an arrow at the frame.
    pub fn dot(&mut self, at: At, ink: DotInk) -> &mut Said<Dot> {
        let (stop, apart_px) = (false, -1.0);
        let dot = Dot {
            at,
            ink,
            stop,
            apart_px,
        };
        Said::push(&mut self.dots, dot)
    }

    /// Adds a labeled point along a curve, left out if another mark is near.
    pub fn stop(&mut self, at: At, ink: Ink) -> &mut Said<Dot> {
        let dot = self.dot(at, DotInk::Ring(3.2, ink));
        dot.of.stop = true;
        dot
    }

    /// Adds an arrow between two points, left out if they nearly touch.
    pub fn arrow(&mut self, ends: [(f64, f64); 2], ink: Ink, width_px: f64) -> &mut Said<Arrow> {
        let arrow = Arrow {
            ends,
            ink,
            width_px,
        };
        Said::push(&mut self.arrows, arrow)
    }

    /// Adds a label for a curve that continues beyond the right edge, with alternative wordings. The label is written
    /// at the first of these heights (fractions of the plot) that is free.
    pub fn beyond(&mut self, wordings: impl IntoIterator<Item = Words>, heights: [f64; 6]) {
        self.beyond = Some((wordings.into_iter().collect(), heights));
    }

    /// Draws rules, curves, arrows and points; then the labels of points, arrows, rules and curves; then the labeled
    /// points along curves. On a `small` plot, text and points are smaller.
    pub fn draw(&self, pen: &mut Pen<'_>, plot: &Plot, small: bool) {
        let theme = pen.theme;
        let inked = Inked { theme, small };
        let top = plot.area.top - 6.0;
        let right = pen.canvas.right;
        let within = Rect {
            top,
            right,
            ..plot.area
        };
        for rule in self.rules.iter().filter(|rule| rule.of.holds(plot)) {
            rule.of.draw(pen, plot);
        }
        // Draw in reverse, so that the first curve is on top.
        let backwards = self.curves.iter().rev();
        let mut things: Vec<Thing> = backwards.map(|curve| curve.of.draw(pen, plot)).collect();
        things.reverse();
        let draw = |arrow: &Said<Arrow>| {
            Some(
                inked
                    .label(&arrow.says)
                    .near(arrow.of.draw(pen, plot)?, &[E(8, 0), W(8, 0)]),
            )
        };
        let arrows: Vec<Label> = self.arrows.iter().filter_map(draw).collect();
        pen.seam();
        let (stops, dots): (Vec<_>, Vec<_>) = self.dots.iter().partition(|dot| dot.of.stop);
        let place = |dot: &&Said<Dot>| plot.at(dot.of.at.x, dot.of.at.y);
        let alone = |(index, dot): &(usize, &&Said<Dot>)| {
            let near = |other: &&Said<Dot>| place(other).distance(place(dot)) <= dot.of.apart_px;
            let now = |other: &&&Said<Dot>| matches!(other.of.ink, DotInk::Now(_));
            !dots[..*index].iter().filter(now).any(near)
        };
        let shown: Vec<_> = dots.iter().enumerate().filter(alone).collect();
        let drawn = { shown.into_iter() }
            .rev()
            .filter_map(|(_, dot)| Some((dot, dot.of.draw_on(pen, plot, small)?)));
        let mut drawn: Vec<_> = drawn.collect();
        drawn.reverse();
        for (dot, at) in drawn {
            let label = inked.label(&dot.says);
            let label = label.around(at, dot.of.ink.keep_px() + 3.0);
            label.write_over(pen, within);
        }
        for label in arrows {
            label.write_over(pen, plot.area);
        }
        for rule in &self.rules {
            rule.name(pen, plot, within, inked);
        }
        for group in pen.grouped(&things) {
            self.name_curves(pen, plot, &group, &things, within, inked);
        }
        for stop in stops
            .into_iter()
            .filter(|stop| plot.holds(stop.of.at.values()))
        {
            let at = plot.at(stop.of.at.x, stop.of.at.y);
            if pen.is_free(&Rect::about(at, STOPS_APART_PX)) {
                stop.of.ink.draw(pen, at);
                inked
                    .label(&stop.says)
                    .around(at, stop.of.ink.keep_px() + 3.0)
                    .write_in(pen, within);
            }
        }
        for curve in &self.curves {
            if curve.of.1 == CurveStroke::pinned() {
                let through = curve.of.0.iter().map(At::values);
                marks::goes_on(pen, plot, "A", through.collect());
            }
        }
        if let Some((wordings, heights)) = &self.beyond {
            let Rect { right, bottom, .. } = plot.area;
            let at = |share: f64| W(0, 0).of(point(right, bottom - share * plot.area.height()));
            Label::lines(wordings.iter().map(|line| inked.words(line)))
                .at(heights.map(at))
                .write_in(pen, plot.area);
        }
    }

    /// Labels curves. Curves that coincide share one label, in which the topmost curve is named first.
    fn name_curves(
        &self,
        pen: &mut Pen<'_>,
        plot: &Plot,
        group: &[usize],
        things: &[Thing],
        within: Rect,
        inked: Inked<'_>,
    ) {
        let curves = group.iter().map(|at| &self.curves[*at]);
        let names = curves
            .map(|curve| curve.says.clone())
            .filter(|says| !says.is_empty());
        let names = names.reduce(|all, more| {
            let joined = all
                .iter()
                .zip(more.iter().chain(more.last().into_iter().cycle()));
            joined
                .map(|(one, other)| vec![one[0].listing(&other[0])])
                .collect()
        });
        let (Some(names), Some(last)) = (names, group.last()) else {
            return;
        };
        let Curve(through, _) = &self.curves[*last].of;
        let line: Vec<Point> = through.iter().map(|at| plot.at(at.x, at.y)).collect();
        let pieces = plot.area.cut(&line);
        if let Some(piece) = pieces.iter().max_by_key(|piece| piece.len()) {
            inked
                .label(&names)
                .along(piece, &[1.0], &[E(6, 0), E(6, -7), E(6, 7)])
                .along(piece, &NAME_AT, &[NE(3, 5), NW(0, 7), SE(2, 6), SW(-3, 5)])
                .naming(things[*last])
                .write_over(pen, within);
        }
    }
}

/// Possible positions of a curve's name, as fractions of the curve's length. The list starts with positions near the
/// end.
const NAME_AT: [f64; 8] = [0.9, 0.7, 0.5, 0.3, 0.8, 0.6, 0.4, 0.2];
const STOPS_APART_PX: f64 = 7.0;
const DIAMOND_PX: f64 = 4.6;
const MARKER_PX: f64 = 4.4;

impl<T> Said<T> {
    fn push(all: &mut Vec<Self>, of: T) -> &mut Self {
        let place = all.len();
        let (says, sides) = (Vec::new(), Default::default());
        all.push(Self { of, says, sides });
        &mut all[place]
    }

    /// Sets alternative wordings of the label, longest first; each is a single line.
    pub fn says(&mut self, lines: impl IntoIterator<Item = Words>) -> &mut Self {
        self.says_blocks(lines.into_iter().map(|line| vec![line]))
    }

    /// Sets alternative wordings of the label, longest first; each is a block of lines.
    pub fn says_blocks(&mut self, blocks: impl IntoIterator<Item = Vec<Words>>) -> &mut Self {
        self.says = blocks.into_iter().collect();
        self
    }
}

impl Said<Dot> {
    /// Leaves the point out if it is within this distance of the scenario’s point.
    pub fn apart(&mut self, by_px: f64) -> &mut Self {
        self.of.apart_px = by_px;
        self
    }
}

/// Resolves the colors of text with a theme. On a small plot, the text is smaller.
#[derive(Clone, Copy)]
struct Inked<'a> {
    theme: &'a Theme,
    small: bool,
}

impl Inked<'_> {
    fn words(self, line: &Words) -> text::Words {
        let mut words = line.inked(|ink| ink.text(self.theme));
        if self.small {
            words.size_px = SMALL_NOTE_PX;
        }
        words
    }

    fn label(self, says: &[Vec<Words>]) -> Label {
        let block = |block: &Vec<Words>| block.iter().map(|line| self.words(line)).collect();
        Label::blocks(says.iter().map(block))
    }
}

const SMALL_NOTE_PX: f64 = 10.5;
/// Decrease, in px, in the radius of an open circle on a small plot.
const SMALL_RING_PX: f64 = 1.0;

impl Curve {
    fn draw(&self, pen: &mut Pen<'_>, plot: &Plot) -> Thing {
        let Self(through, line) = self;
        let through = through.iter().map(|at| (plot.at(at.x, at.y), at.fits));
        marks::curve(pen, &plot.area, &through.collect::<Vec<_>>(), *line)
    }
}

impl Rule {
    fn scale(&self, plot: &Plot) -> Scale {
        if self.upright { plot.x } else { plot.y }
    }

    fn holds(&self, plot: &Plot) -> bool {
        self.scale(plot).holds(self.at)
    }

    fn ends(&self, plot: &Plot) -> [Point; 2] {
        match self.upright {
            true => plot.upright(self.at),
            false => plot.level(self.at),
        }
    }

    fn draw(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let [from, to] = self.ends(plot);
        let from = point(from.x, from.y - self.rise_px);
        match self.ink {
            RuleInk::Hair(ink) => marks::rule(pen, [from, to], hair(ink.line(pen.theme))),
            RuleInk::Dashed(ink) => {
                let ink = hair(ink.line(pen.theme));
                pen.dashed_rule(from, to, (4.0, 3.0), ink);
                pen.avoid(&[from, to]);
            }
            RuleInk::Limit => marks::limit(pen, &[from, to], !self.upright, 1.2),
        }
    }
}

impl Said<Rule> {
    /// Sets wordings to the left and right of a vertical rule. The rule's label is written only if neither side has
    /// room.
    pub fn beside(&mut self, sides: [Vec<Vec<Words>>; 2]) -> &mut Self {
        self.sides = sides;
        self
    }

    /// Extends a vertical rule above the plot by this distance in px.
    pub fn rising(&mut self, by_px: f64) {
        self.of.rise_px = by_px;
    }

    /// Writes a rule's label next to the rule or, if the rule is beyond the end of the axis, in the corner with an
    /// arrow.
    fn name(&self, pen: &mut Pen<'_>, plot: &Plot, within: Rect, inked: Inked<'_>) {
        if !self.of.holds(plot) {
            let arrow = if self.of.upright { " →" } else { " ↑" };
            let far = |block: &Vec<Words>| vec![block[0].clone().and_bold(arrow, Ink::Strong)];
            if self.of.at > self.of.scale(plot).high() {
                let far: Vec<_> = self.says.last().map(far).into_iter().collect();
                inked
                    .label(&far)
                    .near(plot.area.corners()[1], &[SW(2, 4), SW(2, 22), SW(2, 40)])
                    .write_over(pen, plot.area);
            }
            return;
        }
        let [from, to] = self.of.ends(plot);
        let heights = [to.y - 4.0, to.y - 32.0, from.y + 32.0];
        let beside = |side: Toward| heights.map(|y| side.of(point(to.x, y))).to_vec();
        let spots: [Vec<Spot>; 2] = match self.of.upright {
            true => [NW(7, 0), NE(7, 0)].map(beside),
            false => [
                vec![NE(6, 7).of(from), NW(4, 7).of(to)],
                vec![SE(6, 4).of(from), SW(4, 4).of(to)],
            ],
        };
        let any = inked.label(&self.says).at(spots.concat());
        let mut written = false;
        for (wordings, spots) in self.sides.iter().zip(spots) {
            let label = inked.label(wordings).at(spots);
            written |= label.write_over(pen, within).is_some();
        }
        if !written {
            any.write_over(pen, within);
        }
    }
}

impl Arrow {
    /// Draws the arrow and returns its midpoint. Returns `None`, without drawing, if an end is outside the plot or
    /// the ends nearly touch.
    fn draw(&self, pen: &mut Pen<'_>, plot: &Plot) -> Option<Point> {
        let [from, to] = self.ends.map(|(x, y)| plot.at(x, y));
        if !self.ends.into_iter().all(|end| plot.holds(end)) || from.distance(to) < 34.0 {
            return None;
        }
        let (start, tip) = (from.along(to, 9.5), to.along(from, 11.5));
        let ink = stroke(self.ink.line(pen.theme), self.width_px);
        arrow(pen, start, tip, ink);
        Some(start.towards(tip, 0.5))
    }
}

fn arrow(pen: &mut Pen<'_>, from: Point, tip: Point, ink: Stroke) {
    pen.polyline(&[from, tip], ink);
    pen.avoid(&[from, tip]);
    marks::arrow_head(pen, from, tip, (7.0, 3.3), ink);
}

impl Dot {
    /// Draws the point if it is inside the plot. Outside, the current and the pinned scenario are drawn as an arrow
    /// at the edge, and other points are left out. Returns the position of what is drawn.
    fn draw_on(&self, pen: &mut Pen<'_>, plot: &Plot, small: bool) -> Option<Point> {
        let (x, y) = self.at.values();
        if plot.holds((x, y)) {
            let at = plot.at(x, y);
            match self.ink {
                DotInk::Ring(radius, ink) if small => DotInk::Ring(radius - SMALL_RING_PX, ink),
                ink => ink,
            }
            .draw(pen, at);
            return Some(at);
        }
        let ink = match self.ink {
            DotInk::Now(fits) => pen.ink(fits),
            DotInk::Ghost => pen.theme.ink_3,
            _ => return None,
        };
        let far = plot.at(x.min(plot.x.high() * 4.0), y.min(plot.y.high() * 4.0));
        let at = plot.area.grown(-10.0).nearest(far);
        arrow(
            pen,
            at.along(far, -4.0),
            at.along(far, 8.0),
            stroke(ink, 1.6),
        );
        pen.reserve(Rect::about(at, 8.0));
        Some(at)
    }
}

impl DotInk {
    /// Draws the point and reserves its area, so that labels avoid it.
    pub fn draw(self, pen: &mut Pen<'_>, at: Point) {
        let theme = pen.theme;
        match self {
            Self::Now(fits) => pen.now(at, fits),
            Self::Ghost => marks::ghost(pen, at),
            Self::Ring(radius, ink) => pen.open_point(at, radius, stroke(ink.line(theme), 1.5)),
            Self::Disc(radius, ink) => pen.disc(at, radius, ink.line(theme)),
            Self::Cross(ink) => {
                for dy in [3.2, -3.2] {
                    let arm = [point(at.x - 3.2, at.y - dy), point(at.x + 3.2, at.y + dy)];
                    pen.polyline(&arm, stroke(ink.line(theme), 1.6));
                }
            }
            Self::Series(series, ink) => {
                marks::series(pen, at, series, MARKER_PX, (ink.line(theme), false))
            }
            Self::Diamond(ink) => {
                for (half, ink) in [
                    (DIAMOND_PX + 1.8, theme.background),
                    (DIAMOND_PX, ink.line(theme)),
                ] {
                    let corners = [(0.0, -half), (half, 0.0), (0.0, half), (-half, 0.0)];
                    pen.fill(&corners.map(|(dx, dy)| point(at.x + dx, at.y + dy)), ink);
                }
            }
            Self::Former(ink) => return pen.dashed_ring(at, 3.4, hair(ink.line(theme))),
            Self::Bare => return,
        }
        pen.reserve(Rect::about(at, self.keep_px()));
    }

    /// Returns the minimum distance in px between the point and labels.
    const fn keep_px(self) -> f64 {
        match self {
            Self::Now(_) => 9.0,
            Self::Ghost => 6.5,
            Self::Ring(radius, _) | Self::Disc(radius, _) => radius + 1.0,
            Self::Diamond(_) | Self::Series(..) => DIAMOND_PX + 1.0,
            Self::Bare | Self::Cross(_) | Self::Former(_) => 5.0,
        }
    }
}
