//! Contour plot of a quantity over a plane: flat color bands between labeled contour lines.

use super::prelude::*;
use crate::order::sort_by_key;

/// Logarithms of a quantity on a grid of points, evenly spaced along both axes.
pub struct Surface {
    columns: usize,
    rows: usize,
    heights: Vec<Option<f64>>,
}

/// A contour line, with the possible positions of its label, best first.
pub struct Contour {
    pub segments: Vec<(Point, Point)>,
    pub words: Words,
    pub places: Vec<Point>,
}

/// Returns the box around a grid point, which contains the positions nearest to this point.
pub fn stretch(
    area: &Rect,
    (rows, columns): (usize, usize),
    (row, column): (usize, usize),
) -> Rect {
    let edge = |index: f64, count: usize| (index / (count.max(2) - 1) as f64).clamp(0.0, 1.0);
    let x = |by: f64| area.left + area.width() * edge(column as f64 + by, columns);
    let y = |by: f64| area.bottom - area.height() * edge(row as f64 + by, rows);
    rect(x(-0.5), y(0.5), x(0.5), y(-0.5))
}

impl Surface {
    /// Creates a surface from values, lowest row first. Values that are not positive or not finite are treated as
    /// missing.
    pub fn of(columns: usize, values: impl Iterator<Item = Option<f64>>) -> Self {
        let worth = |value: &f64| *value > 0.0 && value.is_finite();
        let heights: Vec<Option<f64>> = values
            .map(|value| value.filter(worth).map(libm::log))
            .collect();
        Self {
            columns,
            rows: heights.len().checked_div(columns).unwrap_or(0),
            heights,
        }
    }

    fn at(&self, row: usize, column: usize) -> Option<f64> {
        *self.heights.get(row * self.columns + column)?
    }

    /// Returns the interpolated logarithm in each grid column, at a height between 0 (bottom) and 1 (top).
    fn across(&self, up: f64) -> Vec<Option<f64>> {
        let place = up.clamp(0.0, 1.0) * (self.rows.max(2) - 1) as f64;
        let below = (place as usize).min(self.rows.saturating_sub(2));
        let rest = place - below as f64;
        (0..self.columns)
            .map(|column| {
                let low = self.at(below, column)?;
                let high = self.at(below + 1, column).unwrap_or(low);
                Some(low + (high - low) * rest)
            })
            .collect()
    }

    /// Fills the plane with flat color bands between levels, one pixel row at a time. `rising` is true if larger
    /// values are better.
    pub fn fill(&self, pen: &mut Pen<'_>, plot: &Plot, levels: &[f64], rising: bool) {
        let area = plot.area;
        if self.columns < 2 || self.rows < 2 {
            return;
        }
        let levels: Vec<f64> = levels.iter().map(|level| libm::log(*level)).collect();
        let band = |height: f64| levels.iter().filter(|level| **level <= height).count();
        let each = area.width() / (self.columns - 1) as f64;
        let mut runs: Vec<(usize, Rect)> = Vec::new();
        let lines = area.height().ceil().max(1.0) as usize;
        for line in 0..lines {
            let top = area.top + line as f64;
            let bottom = (top + 1.0).min(area.bottom);
            let up = 1.0 - (line as f64 + 0.5) / area.height();
            let row = self.across(up);
            let mut begin: Option<(usize, f64)> = None;
            let mut end = |begin: Option<(usize, f64)>, right: f64| {
                if let Some((band, left)) = begin.filter(|(_, left)| right > *left) {
                    runs.push((band, rect(left, top, right, bottom)));
                }
            };
            for (index, pair) in row.windows(2).enumerate() {
                let left = area.left + each * index as f64;
                let (Some(from), Some(to)) = (pair[0], pair[1]) else {
                    end(begin.take(), left);
                    continue;
                };
                let (first, last) = (band(from), band(to));
                begin.get_or_insert((first, left));
                let mut current = first;
                while current != last {
                    let rises = last > current;
                    let level = levels[if rises { current } else { current - 1 }];
                    let x = left + each * ((level - from) / (to - from)).clamp(0.0, 1.0);
                    end(begin.take(), x);
                    current = if rises { current + 1 } else { current - 1 };
                    begin = Some((current, x));
                }
            }
            end(begin.take(), area.right);
        }
        sort_by_key(&mut runs, |(band, _)| *band);
        let count = levels.len() + 1;
        for (band, area) in runs {
            let index = if rising { count - 1 - band } else { band };
            pen.fill_rect(area, pen.theme.band(index, count));
        }
    }

    /// Returns the line segments along which the value equals `level` (marching squares).
    pub fn crossings(&self, plot: &Plot, level: f64) -> Vec<(Point, Point)> {
        let level = libm::log(level);
        let area = &plot.area;
        let (columns, rows) = (self.columns.max(2) - 1, self.rows.max(2) - 1);
        let node = |row: usize, column: usize| {
            let height = self.at(row, column)?;
            let x = area.left + area.width() * column as f64 / columns as f64;
            let y = area.bottom - area.height() * row as f64 / rows as f64;
            Some((point(x, y), height))
        };
        let mut segments = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let below = (node(row, column), node(row, column + 1));
                let above = (node(row + 1, column + 1), node(row + 1, column));
                let ((Some(a), Some(b)), (Some(c), Some(d))) = (below, above) else {
                    continue;
                };
                let sides = [(a, b), (b, c), (c, d), (d, a)].into_iter();
                let mut cuts = sides
                    .filter(|((_, from), (_, to))| (*from <= level) != (*to <= level))
                    .map(|((p, from), (q, to))| p.towards(q, (level - from) / (to - from)));
                while let (Some(from), Some(to)) = (cuts.next(), cuts.next()) {
                    segments.push((from, to));
                }
            }
        }
        segments
    }
}

/// Draws contours, each with a gap for its label.
pub fn draw_contours(pen: &mut Pen<'_>, contours: &[Contour]) {
    let hair = hair(pen.theme.contour);
    for contour in contours {
        let words = &contour.words;
        let half = pen.width(words) / 2.0 + 4.0;
        let around = |at: &Point| rect(at.x - half, at.y - 7.0, at.x + half, at.y + 7.0);
        let clear = |at: &&Point| {
            let area = around(at);
            let crossed = |(from, to): &(Point, Point)| area.clip(*from, *to).is_some();
            pen.is_free(&area) && !pen.lines().iter().any(crossed)
        };
        let place = contour.places.iter().find(clear).copied();
        let gap = place.map(|at| {
            let baseline = point(at.x, words.baseline_about(at.y));
            pen.write(words, baseline, Align::Middle, None);
            around(&at)
        });
        for (from, to) in &contour.segments {
            match gap.and_then(|gap| gap.clip(*from, *to)) {
                None => pen.polyline(&[*from, *to], hair),
                Some((enter, leave)) => {
                    let parts = [[*from, enter], [leave, *to]];
                    for part in parts.iter().filter(|[a, b]| a.distance(*b) > 0.3) {
                        pen.polyline(part, hair);
                    }
                }
            }
        }
    }
}

/// Writes the first of several text blocks that fits, on a small rounded background. Returns the text's area.
pub fn on_chip(
    pen: &mut Pen<'_>,
    wordings: &[Vec<Words>],
    spots: &[Spot],
    avoid: &[(Point, Point)],
    (within, ground): (Rect, Colour),
) -> Option<Rect> {
    for lines in wordings {
        let size = pen.block_size(lines);
        let found = spots.iter().find_map(|spot| {
            let bounds = pen.stands(size, spot, &within, avoid)?;
            // The background extends 3 px beyond the text.
            pen.is_free(&bounds.grown(2.9)).then_some((*spot, bounds))
        });
        let Some((spot, bounds)) = found else {
            continue;
        };
        pen.fill_rounded(bounds.grown(3.0), 3.0, ground);
        pen.write_block(lines, spot, bounds, None);
        return Some(bounds);
    }
    None
}
