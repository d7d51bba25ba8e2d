//! What a pointer or the keyboard can reach on a chart, and what it then says.

use crate::theme::Role;

/// A tooltip's content; the page sets it in HTML beside the ruler.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tooltip {
    /// What is pointed at: `320 per GPU`.
    pub title: String,
    /// Beside the title, lighter: `23,040 in all`.
    pub aside: String,
    /// Its values.
    pub rows: Vec<TipRow>,
    /// Where the values come from: `max(compute, messages), [A] eq 49`.
    pub source: String,
}

/// One value of a tooltip.
#[derive(Clone, Debug, PartialEq)]
pub struct TipRow {
    /// The colour of its swatch; `Role::Idle` is an outline, `None` no swatch.
    pub role: Option<Role>,
    /// What it is: `messages`.
    pub label: String,
    /// Lighter, after the label: `set the step`.
    pub note: String,
    /// The value with its unit: `99.8 ms`.
    pub value: String,
}

impl TipRow {
    /// A row with a swatch.
    pub fn of(
        role: Role,
        label: impl Into<String>,
        note: impl Into<String>,
        value: impl Into<String>,
    ) -> Self {
        Self {
            role: Some(role),
            label: label.into(),
            note: note.into(),
            value: value.into(),
        }
    }

    /// A row without a swatch.
    pub fn plain(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            role: None,
            label: label.into(),
            note: String::new(),
            value: value.into(),
        }
    }
}

/// The area in which a pointer means a hit, in CSS px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reach {
    /// A point: the nearest within a finger's width.
    Point {
        /// From the left.
        x_px: f64,
        /// From the top.
        y_px: f64,
    },
    /// A vertical ruler in a plot: the nearest in x while the pointer is inside the plot.
    Ruler {
        /// The ruler.
        x_px: f64,
        /// The plot's top.
        top_px: f64,
        /// The plot's bottom.
        bottom_px: f64,
        /// Where on the ruler the tooltip belongs.
        anchor_y_px: f64,
    },
    /// A box.
    Box {
        /// Left edge.
        left_px: f64,
        /// Top edge.
        top_px: f64,
        /// Right edge.
        right_px: f64,
        /// Bottom edge.
        bottom_px: f64,
    },
}

impl Reach {
    /// Where a tooltip stands: the point, the ruler, the middle of the box's top.
    pub fn anchor_px(&self) -> (f64, f64) {
        match *self {
            Self::Point { x_px, y_px } => (x_px, y_px),
            Self::Ruler {
                x_px, anchor_y_px, ..
            } => (x_px, anchor_y_px),
            Self::Box {
                left_px,
                top_px,
                right_px,
                ..
            } => ((left_px + right_px) / 2.0, top_px),
        }
    }

    /// How far the pointer is, `None` when it does not mean this.
    fn distance_px(&self, x: f64, y: f64) -> Option<f64> {
        match *self {
            Self::Point { x_px, y_px } => {
                let distance = ((x - x_px) * (x - x_px) + (y - y_px) * (y - y_px)).sqrt();
                (distance <= POINT_REACH_PX).then_some(distance)
            }
            Self::Ruler {
                x_px,
                top_px,
                bottom_px,
                ..
            } => {
                let inside = y >= top_px - RULER_REACH_PX && y <= bottom_px + RULER_REACH_PX;
                let distance = (x - x_px).abs();
                (inside && distance <= POINT_REACH_PX).then_some(distance)
            }
            Self::Box {
                left_px,
                top_px,
                right_px,
                bottom_px,
            } => {
                let dx = (left_px - x).max(x - right_px).max(0.0);
                let dy = (top_px - y).max(y - bottom_px).max(0.0);
                (dx.max(dy) <= BOX_REACH_PX).then_some(dx + dy)
            }
        }
    }
}

/// Half a finger: touch targets are about 44 px wide.
const POINT_REACH_PX: f64 = 28.0;
const RULER_REACH_PX: f64 = 4.0;
const BOX_REACH_PX: f64 = 6.0;

/// Everything on a chart that can be pointed at, in the order the keyboard walks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hits {
    reaches: Vec<Reach>,
    start: usize,
}

impl Hits {
    /// From reaches in the order of the chart's tooltips.
    pub fn new(reaches: Vec<Reach>) -> Self {
        Self { reaches, start: 0 }
    }

    /// The same, with the hit at which the keyboard begins.
    #[must_use]
    pub fn starting_at(self, start: usize) -> Self {
        Self { start, ..self }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.reaches.len()
    }

    /// Whether there is nothing to point at.
    pub fn is_empty(&self) -> bool {
        self.reaches.is_empty()
    }

    /// The hit that a pointer at (x, y) means.
    pub fn hover(&self, x_px: f64, y_px: f64) -> Option<usize> {
        self.reaches
            .iter()
            .enumerate()
            .filter_map(|(index, reach)| Some((index, reach.distance_px(x_px, y_px)?)))
            .min_by(|(_, a), (_, b)| a.total_cmp(b))
            .map(|(index, _)| index)
    }

    /// The hit `delta` further on from `current`, stopping at the ends; to begin with, the one that stands for now.
    pub fn step(&self, current: Option<usize>, delta: isize) -> Option<usize> {
        let last = self.reaches.len().checked_sub(1)?;
        Some(
            current
                .map_or(self.start, |index| index.saturating_add_signed(delta))
                .min(last),
        )
    }

    /// Where the tooltip of hit `index` stands, in CSS px.
    pub fn anchor_px(&self, index: usize) -> Option<(f64, f64)> {
        self.reaches.get(index).map(Reach::anchor_px)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits() -> Hits {
        Hits::new(vec![
            Reach::Point {
                x_px: 10.0,
                y_px: 10.0,
            },
            Reach::Box {
                left_px: 100.0,
                top_px: 0.0,
                right_px: 140.0,
                bottom_px: 20.0,
            },
            Reach::Ruler {
                x_px: 200.0,
                top_px: 0.0,
                bottom_px: 100.0,
                anchor_y_px: 50.0,
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
    fn the_keyboard_walks_and_stops_at_the_ends() {
        assert_eq!(hits().step(None, 1), Some(0));
        assert_eq!(hits().starting_at(1).step(None, -1), Some(1));
        assert_eq!(hits().step(Some(2), 1), Some(2));
        assert_eq!(hits().step(Some(0), -1), Some(0));
        assert_eq!(Hits::default().step(None, 1), None);
        assert_eq!(hits().anchor_px(1), Some((120.0, 0.0)));
    }
}
