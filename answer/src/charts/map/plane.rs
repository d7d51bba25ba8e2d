//! Colors of the map: flat bands between contour lines, each line labeled.

use super::{MapData, MapMetric};
use crate::chart::surface::{Contour, Surface};
use crate::charts::prelude::*;
use crate::order::sort_numbers;

/// Values at the edges of the color bands, in ascending order.
pub struct Bands {
    pub levels: Vec<f64>,
    /// True if larger values are better.
    pub rising: bool,
}

/// Fraction of the points that is ignored at each end of the value range when color bands are chosen. Only points
/// that fit in memory count.
const EXTREME: f64 = 0.02;
/// Maximum number of contour lines, not counting the one at the SLO; each separates two color bands.
const MOST: usize = 7;

impl Bands {
    /// Selects round numbers (1, 2 or 5 times a power of ten) in the range of values that fit in memory, and adds the
    /// SLO; `None` if nothing fits.
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
            // Drop every other level.
            let mut keep = false;
            levels.retain(|_| {
                keep = !keep;
                keep
            });
        }
        let slo = data.slo();
        levels.extend(slo.filter(|slo| (low..high).contains(slo)));
        sort_numbers(&mut levels);
        // Drop levels close to the SLO, whose line separates the color bands there.
        let near = |one: f64, other: f64| libm::fabs(libm::log(one / other)) < 0.16;
        if let Some(slo) = slo {
            levels.retain(|level| level.to_bits() == slo.to_bits() || !near(*level, slo));
        }
        Some(Self {
            levels,
            rising: data.metric != MapMetric::Tpot,
        })
    }
}

/// Returns the quantity that the map shows, as a surface.
pub fn surface(data: &MapData) -> Surface {
    let value = |at: &Option<super::MapPoint>| at.as_ref().map(|at| data.metric.of(at));
    Surface::of(data.field.columns, data.field.points.iter().map(value))
}

/// Possible x-positions of contour labels, as fractions of the plot's width, best first. If nothing is in the way,
/// all labels are in one column.
const LABEL_AT: [f64; 8] = [0.095, 0.06, 0.16, 0.22, 0.3, 0.4, 0.5, 0.6];

/// Returns the contour lines, except that at the SLO, which is drawn as a limit.
pub fn contours(
    pen: &Pen<'_>,
    plot: &Plot,
    data: &MapData,
    (surface, bands): (&Surface, &Bands),
) -> Vec<Contour> {
    let slo = data.slo();
    let is_slo = |level: f64| slo.is_some_and(|slo| (level / slo - 1.0).abs() < 1e-9);
    let capacity = |context: f64| -> f64 {
        let after = data.field.capacity.iter().find(|(at, _)| *at >= context);
        after.map_or(0.0, |(_, batch)| *batch)
    };
    let time = data.metric == MapMetric::Tpot;
    let levels = bands.levels.iter().copied().filter(|level| !is_slo(*level));
    let first = levels.clone().next();
    levels
        .map(|level| {
            let segments = surface.crossings(plot, level);
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
            // Only the first label shows the unit.
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
