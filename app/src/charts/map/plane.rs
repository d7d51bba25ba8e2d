//! The map's colours: flat bands between lines of equal values, each line labelled.

use super::{Field, MapData, Metric};
use crate::charts::prelude::*;
use crate::order::sort_by_key;
use crate::order::sort_numbers;

/// Levels between which the bands lie, from good to bad.
pub struct Bands {
    levels: Vec<f64>,
    /// Larger values are better.
    rising: bool,
}

/// The share of what fits whose values are beyond either end of the bands.
const EXTREME: f64 = 0.02;
/// As many lines as there are colours between.
const MOST: usize = 7;

impl Bands {
    /// 1-2-5 numbers within what fits, the SLO among them; `None` when nothing fits.
    pub fn of(data: &MapData) -> Option<Self> {
        let fitting = data.field.points.iter().flatten();
        let fitting = fitting.filter(|at| at.point.fits);
        let mut values: Vec<f64> = fitting
            .map(|at| data.metric.of(at))
            .filter(|value| value.is_finite() && *value > 0.0)
            .collect();
        sort_numbers(&mut values);
        let last = values.len().checked_sub(1)?;
        let extreme = ((values.len() as f64 * EXTREME) as usize).min(last);
        let (low, high) = (values[extreme], values[last - extreme]);
        let mut levels = Scale::log(low, high.max(low * 1.01)).ticks(3 * MOST);
        while levels.len() > MOST {
            // The coarsest that are round: every other one goes.
            let mut keep = false;
            levels.retain(|_| {
                keep = !keep;
                keep
            });
        }
        let slo = data.slo();
        levels.extend(slo.filter(|slo| (low..high).contains(slo)));
        sort_numbers(&mut levels);
        // The SLO's line is its border: what is next to it would only blur it.
        let near = |one: f64, other: f64| libm::fabs(libm::log(one / other)) < 0.16;
        if let Some(slo) = slo {
            levels.retain(|level| level.to_bits() == slo.to_bits() || !near(*level, slo));
        }
        Some(Self {
            levels,
            rising: data.metric != Metric::Tpot,
        })
    }
}

/// The box in which a point of the grid is the nearest.
pub fn stretch(area: &Rect, field: &Field, row: usize, column: usize) -> Rect {
    let edge = |index: f64, count: usize| (index / (count.max(2) - 1) as f64).clamp(0.0, 1.0);
    let x = |by: f64| area.left + area.width() * edge(column as f64 + by, field.columns);
    let y = |by: f64| area.bottom - area.height() * edge(row as f64 + by, field.rows());
    rect(x(-0.5), y(0.5), x(0.5), y(-0.5))
}

/// Logarithms of the metric at the points of the grid.
struct Heights {
    columns: usize,
    rows: usize,
    heights: Vec<Option<f64>>,
}

impl Heights {
    fn of(data: &MapData) -> Self {
        let height = |at: &Option<super::MapPoint>| {
            let value = data.metric.of(at.as_ref()?);
            (value > 0.0 && value.is_finite()).then(|| libm::log(value))
        };
        Self {
            columns: data.field.columns,
            rows: data.field.rows(),
            heights: data.field.points.iter().map(height).collect(),
        }
    }

    fn at(&self, row: usize, column: usize) -> Option<f64> {
        *self.heights.get(row * self.columns + column)?
    }

    /// The heights of all columns at a share of the way up.
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
}

/// Fills the plane with flat bands, a line of pixels at a time; what does not fit is not shown.
pub fn fill(pen: &mut Pen<'_>, plot: &Plot, data: &MapData, bands: &Bands) {
    let area = plot.area;
    let heights = Heights::of(data);
    if heights.columns < 2 || heights.rows < 2 {
        return;
    }
    let levels: Vec<f64> = bands.levels.iter().map(|level| libm::log(*level)).collect();
    let band = |height: f64| levels.iter().filter(|level| **level <= height).count();
    let each = area.width() / (heights.columns - 1) as f64;
    let mut runs: Vec<(usize, Rect)> = Vec::new();
    let lines = area.height().ceil().max(1.0) as usize;
    for line in 0..lines {
        let top = area.top + line as f64;
        let bottom = (top + 1.0).min(area.bottom);
        let up = 1.0 - (line as f64 + 0.5) / area.height();
        let row = heights.across(up);
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
        let index = if bands.rising { count - 1 - band } else { band };
        pen.fill_rect(area, pen.theme.band(index, count));
    }
}

/// A line of equal values with where its label may stand, best first.
pub struct Contour {
    segments: Vec<(Point, Point)>,
    words: Words,
    places: Vec<Point>,
}

/// The shares of the plot's width at which contours may be labelled: below each other, if nothing is in the way.
const LABEL_AT: [f64; 8] = [0.095, 0.06, 0.16, 0.22, 0.3, 0.4, 0.5, 0.6];

/// Lines of equal values, but for the SLO's, which has a border of its own.
pub fn contours(pen: &Pen<'_>, plot: &Plot, data: &MapData, bands: &Bands) -> Vec<Contour> {
    let heights = Heights::of(data);
    let slo = data.slo();
    let is_slo = |level: f64| slo.is_some_and(|slo| (level / slo - 1.0).abs() < 1e-9);
    let capacity = |context: f64| -> f64 {
        let after = data.field.capacity.iter().find(|(at, _)| *at >= context);
        after.map_or(0.0, |(_, batch)| *batch)
    };
    let time = data.metric == Metric::Tpot;
    let levels = bands.levels.iter().copied().filter(|level| !is_slo(*level));
    let first = levels.clone().next();
    levels
        .map(|level| {
            let segments = crossings(plot, &heights, libm::log(level));
            let place = |share: f64| {
                let x = plot.area.left + share * plot.area.width();
                let room = plot.y_at(capacity(plot.x.value(share)).max(plot.y.low()));
                let (from, to) = segments
                    .iter()
                    .find(|(from, to)| (from.x.min(to.x)..=from.x.max(to.x)).contains(&x))?;
                let span = to.x - from.x;
                let upright = span.abs() <= 1e-9;
                let y = from
                    .towards(*to, if upright { 0.5 } else { (x - from.x) / span })
                    .y;
                (y > room + 8.0 && y < plot.area.bottom - 8.0).then_some(point(x, y))
            };
            // One says the unit for all.
            let unit = if time && Some(level) == first {
                " ms"
            } else {
                ""
            };
            Contour {
                words: Words::tick(format!("{}{unit}", format::si_tick(level)), pen.theme.ink_1),
                places: LABEL_AT.into_iter().filter_map(place).collect(),
                segments,
            }
        })
        .collect()
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

/// Segments along which the height is `level` (marching squares).
fn crossings(plot: &Plot, heights: &Heights, level: f64) -> Vec<(Point, Point)> {
    let area = &plot.area;
    let (columns, rows) = (heights.columns.max(2) - 1, heights.rows.max(2) - 1);
    let node = |row: usize, column: usize| {
        let height = heights.at(row, column)?;
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
