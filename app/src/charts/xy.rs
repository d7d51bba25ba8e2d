//! A chart of curves and points over two axes as it is described: drawn in one order, labelled by one rule.

use super::prelude::*;

/// Curves, rules, points and arrows of a plot, in its values; of each kind, what matters more comes first.
pub struct Xy {
    pub plot: Plot,
    curves: Vec<Said<Curve>>,
    rules: Vec<Said<Rule>>,
    dots: Vec<Said<Dot>>,
    arrows: Vec<Said<Arrow>>,
}

/// A part of a chart and the wordings of its label, longest first, each a block of lines.
pub struct Said<T> {
    of: T,
    says: Vec<Vec<Words>>,
    /// Said on the left of a rule, and on its right.
    sides: [Vec<Vec<Words>>; 2],
}

/// A line through values, each with whether it fits in memory.
pub struct Curve(Vec<((f64, f64), bool)>, CurveStroke);

/// A line across the plot at a value, upright or level; it begins so far out of the plot.
pub struct Rule {
    upright: bool,
    at: f64,
    ink: RuleInk,
    rise_px: f64,
}

#[derive(Clone, Copy, Debug)]
pub enum RuleInk {
    Hair(Colour),
    Dashed(Colour),
    /// With teeth on the left or above.
    Limit,
}

/// A point; a stop is left out where another is near.
pub struct Dot {
    at: (f64, f64),
    ink: DotInk,
    stop: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum DotInk {
    /// The scenario, which fits in memory or not; an arrow at the frame where it lies beyond.
    Now(bool),
    /// The pinned scenario, likewise.
    Ghost,
    /// An open point of a radius.
    Ring(f64, Colour),
    Disc(f64, Colour),
    Cross(Colour),
    /// An earlier prediction.
    Former(Colour),
    /// The marker of a series.
    Series(Series, Colour),
    /// A measured system.
    Diamond(Colour),
    /// Words alone.
    Bare,
}

/// An arrow from one point to another.
pub struct Arrow {
    ends: [(f64, f64); 2],
    ink: Stroke,
}

impl Xy {
    pub fn new(plot: Plot) -> Self {
        Self {
            plot,
            curves: Vec::new(),
            rules: Vec::new(),
            dots: Vec::new(),
            arrows: Vec::new(),
        }
    }

    /// A curve all of which fits.
    pub fn curve<I: IntoIterator<Item = (f64, f64)>>(
        &mut self,
        through: I,
        line: CurveStroke,
    ) -> &mut Said<Curve> {
        self.curve_that_fits(through.into_iter().map(|at| (at, true)), line)
    }

    /// A curve, dotted from where it does not fit.
    pub fn curve_that_fits<I>(&mut self, through: I, line: CurveStroke) -> &mut Said<Curve>
    where
        I: IntoIterator<Item = ((f64, f64), bool)>,
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

    /// The least speed of a user, on an axis of speeds.
    pub fn slo(&mut self, theme: &Theme, least: Option<f64>) {
        let Some(least) = least.filter(|least| *least > 0.0) else {
            return;
        };
        let note = |text: String| vec![Words::note(text, theme.ink_2)];
        let least_words = format::printed(least);
        let keeps = [" tok/s per user", " tok/s", ""].map(|unit| format!("≥ {least_words}{unit}"));
        self.upright(least, RuleInk::Limit)
            .beside([
                vec![note("misses SLO".to_owned())],
                keeps.map(note).to_vec(),
            ])
            .says([Words::note(format!("SLO {least_words}"), theme.ink_2)]);
    }

    /// A point, drawn where it lies in the plot.
    pub fn dot(&mut self, at: (f64, f64), ink: DotInk) -> &mut Said<Dot> {
        let stop = false;
        Said::push(&mut self.dots, Dot { at, ink, stop })
    }

    /// A point along a curve, left out where another is near.
    pub fn stop(&mut self, at: (f64, f64), ink: Colour) -> &mut Said<Dot> {
        let dot = self.dot(at, DotInk::Ring(3.2, ink));
        dot.of.stop = true;
        dot
    }

    /// An arrow from one point to another, unless they nearly touch.
    pub fn arrow(&mut self, ends: [(f64, f64); 2], ink: Stroke) -> &mut Said<Arrow> {
        Said::push(&mut self.arrows, Arrow { ends, ink })
    }

    /// Draws everything: rules, curves, arrows and points; then words: of points, arrows, rules and curves; then stops.
    pub fn draw(self, pen: &mut Pen<'_>) {
        let plot = &self.plot;
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
        // The first lies on top.
        let backwards = self.curves.iter().rev();
        let mut things: Vec<Thing> = backwards.map(|curve| curve.of.draw(pen, plot)).collect();
        things.reverse();
        let draw = |arrow: &Said<Arrow>| {
            Some(
                arrow
                    .label()
                    .near(arrow.of.draw(pen, plot)?, &[E(8, 0), W(8, 0)]),
            )
        };
        let arrows: Vec<Label> = self.arrows.iter().filter_map(draw).collect();
        pen.seam();
        let (stops, dots): (Vec<_>, Vec<_>) = self.dots.iter().partition(|dot| dot.of.stop);
        let drawn = dots
            .iter()
            .rev()
            .filter_map(|dot| Some((dot, dot.of.draw_on(pen, plot)?)));
        let mut drawn: Vec<_> = drawn.collect();
        drawn.reverse();
        for (dot, at) in drawn {
            let label = dot.label().around(at, dot.of.ink.keep_px() + 3.0);
            label.write_over(pen, within);
        }
        for label in arrows {
            label.write_over(pen, plot.area);
        }
        for rule in &self.rules {
            rule.name(pen, plot, within);
        }
        for group in pen.grouped(&things) {
            self.name_curves(pen, &group, &things, within);
        }
        for stop in stops.into_iter().filter(|stop| plot.holds(stop.of.at)) {
            let at = plot.at(stop.of.at.0, stop.of.at.1);
            if pen.is_free(&Rect::about(at, STOPS_APART_PX)) {
                stop.of.ink.draw(pen, at);
                stop.label()
                    .around(at, stop.of.ink.keep_px() + 3.0)
                    .write_in(pen, within);
            }
        }
    }

    /// One name for curves that are one to the eye: the first's, which lies on top, then the others'.
    fn name_curves(&self, pen: &mut Pen<'_>, group: &[usize], things: &[Thing], within: Rect) {
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
        let line: Vec<Point> = through
            .iter()
            .map(|((x, y), _)| self.plot.at(*x, *y))
            .collect();
        let pieces = self.plot.area.cut(&line);
        if let Some(piece) = pieces.iter().max_by_key(|piece| piece.len()) {
            Label::blocks(names)
                .along(piece, &[1.0], &[E(6, 0), E(6, -7), E(6, 7)])
                .along(piece, &NAME_AT, &[NE(3, 5), NW(0, 7), SE(2, 6), SW(-3, 5)])
                .naming(things[*last])
                .write_over(pen, within);
        }
    }
}

/// Shares of a curve's length at which its name may stand, near its end first.
const NAME_AT: [f64; 8] = [0.9, 0.7, 0.5, 0.3, 0.8, 0.6, 0.4, 0.2];
const STOPS_APART_PX: f64 = 7.0;
const DIAMOND_PX: f64 = 4.6;
/// The reach of a series' marker.
const MARKER_PX: f64 = 4.4;

impl<T> Said<T> {
    fn push(all: &mut Vec<Self>, of: T) -> &mut Self {
        let place = all.len();
        let (says, sides) = (Vec::new(), Default::default());
        all.push(Self { of, says, sides });
        &mut all[place]
    }

    /// Its label in single lines, longest first.
    pub fn says(&mut self, lines: impl IntoIterator<Item = Words>) -> &mut Self {
        self.says_blocks(lines.into_iter().map(|line| vec![line]))
    }

    /// Its label in blocks of lines, longest first.
    pub fn says_blocks(&mut self, blocks: impl IntoIterator<Item = Vec<Words>>) -> &mut Self {
        self.says = blocks.into_iter().collect();
        self
    }

    fn label(&self) -> Label {
        Label::blocks(self.says.clone())
    }
}

impl Curve {
    fn draw(&self, pen: &mut Pen<'_>, plot: &Plot) -> Thing {
        let Self(through, line) = self;
        let through = through
            .iter()
            .map(|((x, y), fits)| (plot.at(*x, *y), *fits));
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
            RuleInk::Hair(ink) => marks::rule(pen, [from, to], hair(ink)),
            RuleInk::Dashed(ink) => {
                pen.dashed_rule(from, to, (4.0, 3.0), hair(ink));
                pen.avoid(&[from, to]);
            }
            RuleInk::Limit => marks::limit(pen, &[from, to], !self.upright, 1.2),
        }
    }
}

impl Said<Rule> {
    /// Said left and right of an upright rule, before its other words.
    pub fn beside(&mut self, sides: [Vec<Vec<Words>>; 2]) -> &mut Self {
        self.sides = sides;
        self
    }

    /// Beginning so far above the plot.
    pub fn rising(&mut self, by_px: f64) {
        self.of.rise_px = by_px;
    }

    /// Its words beside it; in the corner with an arrow where it is beyond the axis.
    fn name(&self, pen: &mut Pen<'_>, plot: &Plot, within: Rect) {
        if !self.of.holds(plot) {
            let arrow = if self.of.upright { " →" } else { " ↑" };
            let ink = pen.theme.ink_1;
            let far = |block: &Vec<Words>| block[0].clone().and_bold(arrow, ink);
            if self.of.at > self.of.scale(plot).high() {
                Label::lines(self.says.last().map(far))
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
        let any = self.label().at(spots.concat());
        let mut written = false;
        for (wordings, spots) in self.sides.clone().into_iter().zip(spots) {
            let label = Label::blocks(wordings).at(spots);
            written |= label.write_over(pen, within).is_some();
        }
        if !written {
            any.write_over(pen, within);
        }
    }
}

impl Arrow {
    /// Draws it unless its ends nearly touch; returns its middle.
    fn draw(&self, pen: &mut Pen<'_>, plot: &Plot) -> Option<Point> {
        let [from, to] = self.ends.map(|(x, y)| plot.at(x, y));
        if !self.ends.into_iter().all(|end| plot.holds(end)) || from.distance(to) < 34.0 {
            return None;
        }
        let (start, tip) = (from.along(to, 9.5), to.along(from, 11.5));
        arrow(pen, start, tip, self.ink);
        Some(start.towards(tip, 0.5))
    }
}

fn arrow(pen: &mut Pen<'_>, from: Point, tip: Point, ink: Stroke) {
    pen.polyline(&[from, tip], ink);
    pen.avoid(&[from, tip]);
    marks::arrow_head(pen, from, tip, (7.0, 3.3), ink);
}

impl Dot {
    /// Draws it where it lies in the plot, the scenario also beyond; returns its place.
    fn draw_on(&self, pen: &mut Pen<'_>, plot: &Plot) -> Option<Point> {
        let (x, y) = self.at;
        if plot.holds(self.at) {
            let at = plot.at(x, y);
            self.ink.draw(pen, at);
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
    /// Draws the point, which words keep off.
    pub fn draw(self, pen: &mut Pen<'_>, at: Point) {
        match self {
            Self::Now(fits) => pen.now(at, fits),
            Self::Ghost => marks::ghost(pen, at),
            Self::Ring(radius, ink) => pen.open_point(at, radius, stroke(ink, 1.5)),
            Self::Disc(radius, ink) => pen.disc(at, radius, ink),
            Self::Cross(ink) => {
                for dy in [3.2, -3.2] {
                    let arm = [point(at.x - 3.2, at.y - dy), point(at.x + 3.2, at.y + dy)];
                    pen.polyline(&arm, stroke(ink, 1.6));
                }
            }
            Self::Series(series, ink) => marks::series(pen, at, series, MARKER_PX, (ink, false)),
            Self::Diamond(ink) => {
                for (half, ink) in [(DIAMOND_PX + 1.8, pen.theme.background), (DIAMOND_PX, ink)] {
                    let corners = [(0.0, -half), (half, 0.0), (0.0, half), (-half, 0.0)];
                    pen.fill(&corners.map(|(dx, dy)| point(at.x + dx, at.y + dy)), ink);
                }
            }
            Self::Former(ink) => return pen.dashed_ring(at, 3.4, hair(ink)),
            Self::Bare => return,
        }
        pen.reserve(Rect::about(at, self.keep_px()));
    }

    /// The distance that words keep.
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
