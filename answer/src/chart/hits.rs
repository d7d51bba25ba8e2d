//! Hover targets of a chart (`Hits`): the marks that a pointer or the keyboard can select, with their tooltips.

use super::frame::{Plot, axis_box};
use crate::picture::geometry::{Point, Rect, point};
use crate::picture::pen::{Pen, hair, stroke};
pub use crate::picture::table::TipRow;
use crate::picture::text::{Align, Words};

use crate::theme::Role;

/// Content of a tooltip, which the page shows in HTML next to the selected mark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tooltip {
    /// Title that names the selected mark: `320 per GPU`.
    pub title: String,
    /// Lighter note next to the title: `23,040 total`.
    pub aside: String,
    pub rows: Vec<TipRow>,
    /// Source of the values, a formula or a publication: `max(compute, communication), [A] eq 49`.
    pub source: String,
    /// Value of the selected mark on the horizontal axis, shown in a box on that axis.
    pub across: Option<String>,
}

impl Tooltip {
    /// Creates a tooltip without rows.
    pub fn new(title: impl ToString, aside: impl ToString, source: &str) -> Self {
        Self {
            title: title.to_string(),
            aside: aside.to_string(),
            source: source.to_owned(),
            ..Self::default()
        }
    }

    /// Returns this tooltip with a value for the box on the horizontal axis.
    #[must_use]
    pub fn across(self, value: impl ToString) -> Self {
        let across = Some(value.to_string());
        Self { across, ..self }
    }

    /// Adds a tooltip row without a color swatch.
    #[must_use]
    pub fn row(mut self, label: impl ToString, value: impl ToString) -> Self {
        self.rows.push(TipRow::plain(label, value));
        self
    }

    /// Adds a tooltip row without a color swatch, if there is a value.
    #[must_use]
    pub fn maybe(self, label: impl ToString, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.row(label, value),
            None => self,
        }
    }

    /// Adds a tooltip row with the color swatch of a role (such as attention or communication).
    #[must_use]
    pub fn part(mut self, role: Role, label: impl ToString, value: impl ToString) -> Self {
        self.rows.push(TipRow::of(role, label, value));
        self
    }

    /// Adds a tooltip row whose label is followed by a lighter note.
    #[must_use]
    pub fn noted(
        mut self,
        label: impl ToString,
        note: impl ToString,
        value: impl ToString,
    ) -> Self {
        self.rows.push(TipRow::plain(label, value).note(note));
        self
    }

    /// Adds these rows to the tooltip.
    #[must_use]
    pub fn rows(mut self, rows: impl IntoIterator<Item = TipRow>) -> Self {
        self.rows.extend(rows);
        self
    }
}

/// The area in which a pointer selects a hover target, in CSS px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HitArea {
    /// A point: the nearest one within a finger's width is selected.
    Point(Point),
    /// A vertical ruler in a plot: the horizontally nearest one is selected while the pointer is inside the plot.
    Ruler {
        /// Position of the tooltip on the ruler.
        at: Point,
        top: f64,
        bottom: f64,
    },
    Box(Rect),
}

impl HitArea {
    /// Returns the position of the tooltip: at the point, on the ruler, or in the middle of the box's top edge.
    pub fn anchor(&self) -> Point {
        match *self {
            Self::Point(at) | Self::Ruler { at, .. } => at,
            Self::Box(area) => point(area.centre().x, area.top),
        }
    }

    /// Returns the distance in px from this area to the pointer; `None` if the pointer is out of reach.
    fn distance_px(&self, x: f64, y: f64) -> Option<f64> {
        match *self {
            Self::Point(at) => {
                let distance = at.distance(point(x, y));
                (distance <= POINT_REACH_PX).then_some(distance)
            }
            Self::Ruler { at, top, bottom } => {
                let inside = y >= top - RULER_REACH_PX && y <= bottom + RULER_REACH_PX;
                let distance = (x - at.x).abs();
                (inside && distance <= POINT_REACH_PX).then_some(distance)
            }
            Self::Box(area) => {
                let dx = (area.left - x).max(x - area.right).max(0.0);
                let dy = (area.top - y).max(y - area.bottom).max(0.0);
                (dx.max(dy) <= BOX_REACH_PX).then_some(dx + dy)
            }
        }
    }
}

/// Distance in px within which a pointer selects a point: about half a finger, since touch targets are about 44 px
/// wide.
const POINT_REACH_PX: f64 = 28.0;
const RULER_REACH_PX: f64 = 4.0;
const BOX_REACH_PX: f64 = 6.0;

/// All hover targets of a chart, in the order in which the keyboard visits them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hits {
    reaches: Vec<HitArea>,
    start: usize,
    plot: Option<Plot>,
    handle: Option<Handle>,
}

/// A point that the user can drag over a plot, with the scales that convert its position to values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle {
    pub x_px: f64,
    pub y_px: f64,
    plot: Plot,
}

impl Handle {
    /// Creates a draggable point at a pair of values on a plot.
    pub fn on(plot: &Plot, x: f64, y: f64) -> Self {
        let at = plot.at(x, y);
        Self {
            x_px: at.x,
            y_px: at.y,
            plot: *plot,
        }
    }

    /// Returns true if a position in CSS px is inside the plot.
    pub fn holds(&self, x_px: f64, y_px: f64) -> bool {
        self.plot.area.holds(&Rect::about(point(x_px, y_px), 0.0))
    }

    /// Returns the pair of values at a position in CSS px, clamped to the plot.
    pub fn values_at(&self, x_px: f64, y_px: f64) -> (f64, f64) {
        let share = |at: f64, from: f64, to: f64| ((at - from) / (to - from)).clamp(0.0, 1.0);
        let across = share(x_px, self.plot.area.left, self.plot.area.right);
        let up = share(y_px, self.plot.area.bottom, self.plot.area.top);
        (self.plot.x.value(across), self.plot.y.value(up))
    }
}

impl Hits {
    /// Creates hover targets from areas, in the order of the chart's tooltips.
    pub fn new(reaches: Vec<HitArea>) -> Self {
        Self {
            reaches,
            ..Self::default()
        }
    }

    /// Creates hover targets at points, in the order of the chart's tooltips.
    pub fn points(points: impl IntoIterator<Item = Point>) -> Self {
        Self::new(points.into_iter().map(HitArea::Point).collect())
    }

    /// Creates hover targets at pairs of values on a plot. Values outside the plot get a target at its edge.
    pub fn values(plot: &Plot, values: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let place = |(x, y)| plot.area.nearest(plot.at(x, y));
        Self::points(values.into_iter().map(place)).on(plot)
    }

    /// Creates hover targets that are vertical rulers: each passes through one of the points and spans the area's
    /// height.
    pub fn rulers(through: impl IntoIterator<Item = Point>, area: &Rect) -> Self {
        let Rect { top, bottom, .. } = *area;
        let reach = |at| HitArea::Ruler { at, top, bottom };
        Self::new(through.into_iter().map(reach).collect())
    }

    /// Creates hover targets from boxes, in the order of the chart's tooltips.
    pub fn boxes(boxes: impl IntoIterator<Item = Rect>) -> Self {
        Self::new(boxes.into_iter().map(HitArea::Box).collect())
    }

    /// Appends the hover targets of `others`.
    #[must_use]
    pub fn then(mut self, others: Self) -> Self {
        self.reaches.extend(others.reaches);
        self
    }

    /// Sets the hover target at which keyboard navigation starts; `None` selects the first one.
    #[must_use]
    pub fn starting_at(self, start: impl Into<Option<usize>>) -> Self {
        let start = start.into().unwrap_or(0);
        Self { start, ..self }
    }

    /// Sets the plot whose axes get rulers from the selected hover target.
    #[must_use]
    pub fn on(self, plot: &Plot) -> Self {
        let plot = Some(*plot);
        Self { plot, ..self }
    }

    /// Returns the plot whose axes get rulers from the selected hover target.
    pub fn plot(&self) -> Option<Plot> {
        self.plot
    }

    pub fn reach(&self, index: usize) -> Option<HitArea> {
        self.reaches.get(index).copied()
    }

    /// Adds a point that the user can drag.
    #[must_use]
    pub fn with_handle(self, handle: Option<Handle>) -> Self {
        Self { handle, ..self }
    }

    /// Returns the point that the user can drag.
    pub fn handle(&self) -> Option<Handle> {
        self.handle
    }

    pub fn len(&self) -> usize {
        self.reaches.len()
    }

    pub fn is_empty(&self) -> bool {
        self.reaches.is_empty()
    }

    /// Returns the hover target that a pointer at (x, y) selects. Inside the plot, the nearest point or ruler is
    /// selected from any distance.
    pub fn hover(&self, x_px: f64, y_px: f64) -> Option<usize> {
        self.aimed(x_px, y_px).or_else(|| {
            let at = point(x_px, y_px);
            let inside = self.plot?.area.holds(&Rect::about(at, 0.0));
            let off = |reach: &HitArea| match reach {
                HitArea::Point(mark) => Some(mark.distance(at)),
                HitArea::Ruler { at: mark, .. } => Some((mark.x - x_px).abs()),
                HitArea::Box(_) => None,
            };
            self.nearest(|reach| off(reach).filter(|_| inside))
        })
    }

    /// Returns the hover target within reach of a pointer at (x, y).
    pub fn aimed(&self, x_px: f64, y_px: f64) -> Option<usize> {
        self.nearest(|reach| reach.distance_px(x_px, y_px))
    }

    fn nearest(&self, off: impl Fn(&HitArea) -> Option<f64>) -> Option<usize> {
        let reaches = self.reaches.iter().enumerate();
        let far = reaches.filter_map(|(index, reach)| Some((index, off(reach)?)));
        let nearest = far.min_by(|(_, a), (_, b)| a.total_cmp(b));
        nearest.map(|(index, _)| index)
    }

    /// Returns the hover target `delta` steps from `current` in keyboard order, clamped to the first and the last.
    /// Without a current target, returns the one at which keyboard navigation starts.
    pub fn step(&self, current: Option<usize>, delta: isize) -> Option<usize> {
        let last = self.reaches.len().checked_sub(1)?;
        Some(
            current
                .map_or(self.start, |index| index.saturating_add_signed(delta))
                .min(last),
        )
    }

    /// Returns the position of a hover target's tooltip, in CSS px.
    pub fn anchor_px(&self, index: usize) -> Option<(f64, f64)> {
        let at = self.reaches.get(index)?.anchor();
        Some((at.x, at.y))
    }
}

/// Writes a message in the middle of a plot without data; returns an empty set of hover targets.
pub fn nothing_to_show(pen: &mut Pen<'_>, area: &Rect, why: &str) -> Hits {
    let words = Words::label(why, pen.theme.ink_3);
    pen.write_about(&words, area.centre(), Align::Middle, None);
    Hits::default()
}

/// The selected hover target, with all targets and the tooltip; used by both the page and the chart.
#[derive(Clone, Copy)]
pub struct Pointed<'a> {
    pub index: usize,
    pub hits: &'a Hits,
    pub tip: Option<&'a Tooltip>,
}

/// Draws rulers from the selected hover target to the axes, with a box for its value on the horizontal axis. A target
/// that is a box is outlined instead. Returns the target's position.
pub fn rulers(pen: &mut Pen<'_>, pointed: Pointed<'_>) -> Option<Point> {
    let Pointed { index, hits, tip } = pointed;
    let hair = hair(pen.theme.ink_2);
    let reach = hits.reach(index)?;
    match (reach, hits.plot()) {
        (HitArea::Box(area), _) => {
            pen.outline(area.grown(1.0), stroke(pen.theme.ink_1, 1.5));
        }
        (HitArea::Point(at), Some(plot)) => {
            let (foot, side) = (point(at.x, plot.area.bottom), point(plot.area.left, at.y));
            pen.dashed_rule(at, foot, (1.5, 2.5), hair);
            pen.dashed_rule(side, at, (1.5, 2.5), hair);
        }
        (HitArea::Ruler { at, top, bottom }, _) => {
            pen.dashed_rule(point(at.x, top), point(at.x, bottom), (1.5, 2.5), hair);
        }
        (HitArea::Point(_), None) => {}
    }
    pen.seam();
    let value = tip.and_then(|tip| tip.across.as_ref());
    if let (Some(value), Some(plot)) = (value, hits.plot()) {
        axis_box(pen, value, reach.anchor().x, plot.area.bottom + 11.5);
    }
    (!matches!(reach, HitArea::Box(_))).then(|| reach.anchor())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::geometry::rect;
    use crate::picture::scale::Scale;

    fn hits() -> Hits {
        Hits::new(vec![
            HitArea::Point(point(10.0, 10.0)),
            HitArea::Box(rect(100.0, 0.0, 140.0, 20.0)),
            HitArea::Ruler {
                at: point(200.0, 50.0),
                top: 0.0,
                bottom: 100.0,
            },
        ])
    }

    #[test]
    fn the_nearest_is_meant_and_far_away_nothing() {
        assert_eq!(hits().hover(12.0, 15.0), Some(0));
        assert_eq!(hits().hover(138.0, 10.0), Some(1));
        assert_eq!(hits().hover(190.0, 99.0), Some(2));
        assert_eq!(hits().hover(60.0, 60.0), None);
        assert_eq!(Hits::default().hover(0.0, 0.0), None);
    }

    #[test]
    fn in_a_plot_the_nearest_point_answers_anywhere() {
        let area = rect(0.0, 0.0, 300.0, 100.0);
        let plot = Plot::new(area, Scale::linear(0.0, 1.0), Scale::linear(0.0, 1.0));
        let hits = hits().on(&plot);
        assert_eq!(hits.hover(60.0, 60.0), Some(0));
        assert_eq!(hits.aimed(60.0, 60.0), None);
        assert_eq!(hits.hover(60.0, 160.0), None, "not outside");
    }

    #[test]
    fn a_handle_knows_what_places_mean() {
        let area = rect(40.0, 20.0, 440.0, 220.0);
        let plot = Plot::new(area, Scale::log(1.0, 1e4), Scale::log(1.0, 100.0));
        let handle = Handle::on(&plot, 100.0, 10.0);
        assert!((handle.x_px - 240.0).abs() < 0.1 && (handle.y_px - 120.0).abs() < 0.1);
        let (x, y) = handle.values_at(340.0, 70.0);
        assert!((x / 1000.0 - 1.0).abs() < 1e-9 && (y / 31.622_776_6 - 1.0).abs() < 1e-6);
        assert_eq!(handle.values_at(-50.0, 900.0), (1.0, 1.0));
        assert!(handle.holds(41.0, 219.0) && !handle.holds(30.0, 100.0));
    }

    #[test]
    fn the_keyboard_walks_and_stops_at_the_ends() {
        assert_eq!(hits().step(None, 1), Some(0));
        assert_eq!(hits().starting_at(1).step(None, -1), Some(1));
        assert_eq!(hits().step(Some(2), 1), Some(2));
        assert_eq!(hits().step(Some(0), -1), Some(0));
        assert_eq!(Hits::default().step(None, 1), None);
        assert_eq!(hits().anchor_px(1), Some((120.0, 0.0)));
    }
}
