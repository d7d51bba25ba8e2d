//! The scale of a slider: its stops, and their positions on the track.

use libm::{exp, log};
use model_core::order::sort_numbers;

/// Mapping of values to the track.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TrackCurve {
    /// Equal steps, equal lengths.
    Linear,
    /// Equal factors, equal lengths; needs values above zero.
    Log,
    /// Linear near zero and logarithmic beyond this value.
    FromZero(f64),
}

impl TrackCurve {
    fn bend(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Log => log(value.max(f64::MIN_POSITIVE)),
            Self::FromZero(knee) => log(1.0 + value / knee),
        }
    }

    fn unbend(self, bent: f64) -> f64 {
        match self {
            Self::Linear => bent,
            Self::Log => exp(bent),
            Self::FromZero(knee) => (exp(bent) - 1.0) * knee,
        }
    }
}

/// Position of "none" on the track, for a number that may be absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absent {
    /// It cannot be absent.
    Never,
    /// Below the minimum.
    Left,
    /// Above the greatest value.
    Right,
}

/// Fraction of the track for "none".
const ABSENT_SHARE: f64 = 0.08;

/// Values and their places on a track from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct TrackScale {
    stops: Vec<f64>,
    curve: TrackCurve,
    absent: Absent,
}

impl TrackScale {
    /// A scale over `stops`, which are put in order and freed of doubles.
    pub fn new(curve: TrackCurve, mut stops: Vec<f64>) -> Self {
        stops.retain(|stop| stop.is_finite());
        sort_numbers(&mut stops);
        stops.dedup();
        Self {
            stops,
            curve,
            absent: Absent::Never,
        }
    }

    /// The same scale with a place for "none".
    #[must_use]
    pub fn or_absent(mut self, absent: Absent) -> Self {
        self.absent = absent;
        self
    }

    /// The minimum and maximum value.
    pub fn ends(&self) -> (f64, f64) {
        let first = self.stops.first().copied().unwrap_or(0.0);
        (first, self.stops.last().copied().unwrap_or(first))
    }

    /// Position of "none".
    pub const fn absent(&self) -> Absent {
        self.absent
    }

    /// The share of the track that values take.
    const fn span(&self) -> (f64, f64) {
        match self.absent {
            Absent::Never => (0.0, 1.0),
            Absent::Left => (ABSENT_SHARE, 1.0),
            Absent::Right => (0.0, 1.0 - ABSENT_SHARE),
        }
    }

    /// Position of a value on the track, 0 to 1, clamped to its ends.
    pub fn fraction(&self, value: Option<f64>) -> f64 {
        let Some(value) = value else {
            return match self.absent {
                Absent::Right => 1.0,
                Absent::Never | Absent::Left => 0.0,
            };
        };
        let (least, most) = self.ends();
        let (low, high) = (self.curve.bend(least), self.curve.bend(most));
        let (start, end) = self.span();
        if high <= low {
            return start;
        }
        let within = (self.curve.bend(value.clamp(least, most)) - low) / (high - low);
        start + within * (end - start)
    }

    /// The value at a place of the track, between the stops.
    pub fn value_at(&self, fraction: f64) -> f64 {
        let (least, most) = self.ends();
        let (low, high) = (self.curve.bend(least), self.curve.bend(most));
        let (start, end) = self.span();
        let within = ((fraction - start) / (end - start)).clamp(0.0, 1.0);
        self.curve.unbend(low + within * (high - low))
    }

    /// The stop nearest to a place of the track; `None` if "none" is.
    pub fn nearest(&self, fraction: f64) -> Option<f64> {
        let (start, end) = self.span();
        let absent = match self.absent {
            Absent::Never => false,
            Absent::Left => fraction < start / 2.0,
            Absent::Right => fraction > (end + 1.0) / 2.0,
        };
        if absent {
            return None;
        }
        let aimed = self.curve.bend(self.value_at(fraction));
        self.stops.iter().copied().min_by(|left, right| {
            let distance = |stop: f64| (self.curve.bend(stop) - aimed).abs();
            distance(*left).total_cmp(&distance(*right))
        })
    }

    /// The stop `by` steps from a value, which need not be a stop itself.
    pub fn step(&self, value: Option<f64>, by: isize) -> Option<f64> {
        let last = self.stops.len().saturating_sub(1);
        let Some(value) = value else {
            return match (self.absent, by.signum()) {
                (Absent::Left, 1) => self.stops.first().copied(),
                (Absent::Right, -1) => self.stops.last().copied(),
                _ => None,
            };
        };
        // Tolerant, so that a stop typed with fewer digits is not a separate step.
        let close = |stop: f64| (stop - value).abs() <= 1e-9 * value.abs().max(1e-9);
        let below = self
            .stops
            .iter()
            .filter(|stop| **stop < value && !close(**stop))
            .count();
        let on_stop = self.stops.get(below).is_some_and(|stop| close(*stop));
        let target = if by >= 0 {
            below as isize + by - isize::from(!on_stop)
        } else {
            below as isize + by
        };
        match self.absent {
            Absent::Left if target < 0 => None,
            Absent::Right if target > last as isize => None,
            _ => self
                .stops
                .get(target.clamp(0, last as isize) as usize)
                .copied(),
        }
    }

    /// The value at the left end (`Home`).
    pub fn first(&self) -> Option<f64> {
        (self.absent != Absent::Left).then_some(self.ends().0)
    }

    /// The value at the right end (`End`).
    pub fn last(&self) -> Option<f64> {
        (self.absent != Absent::Right).then_some(self.ends().1)
    }

    /// Stops that `PageUp` moves: about a tenth of the track.
    pub fn page(&self) -> isize {
        (self.stops.len() as isize / 10).max(2)
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "the ends of a track are exact")]
mod tests {
    use super::*;

    fn scales() -> Vec<TrackScale> {
        vec![
            TrackScale::new(TrackCurve::Linear, vec![0.1, 0.2, 0.5, 1.0]),
            TrackScale::new(TrackCurve::Log, vec![1.0, 2.0, 5.0, 10.0, 4096.0]),
            TrackScale::new(TrackCurve::FromZero(2.0), vec![0.0, 1.0, 5.0, 100.0]),
            TrackScale::new(TrackCurve::Log, vec![1.0, 10.0, 100.0]).or_absent(Absent::Left),
            TrackScale::new(TrackCurve::Linear, vec![1.0, 2.0, 3.0]).or_absent(Absent::Right),
        ]
    }

    #[test]
    fn places_and_values_invert_each_other() {
        for scale in scales() {
            for stop in scale.stops.clone() {
                let fraction = scale.fraction(Some(stop));
                assert!((0.0..=1.0).contains(&fraction), "{scale:?} {stop}");
                assert!((scale.value_at(fraction) - stop).abs() < 1e-9 * (1.0 + stop));
                assert_eq!(scale.nearest(fraction), Some(stop), "{scale:?}");
            }
        }
    }

    #[test]
    fn values_beyond_the_ends_stand_at_the_ends() {
        let scale = TrackScale::new(TrackCurve::Log, vec![5.0, 1000.0]);
        assert_eq!(scale.fraction(Some(1.0)), 0.0);
        assert_eq!(scale.fraction(Some(1e6)), 1.0);
        assert_eq!(scale.step(Some(1e6), -1), Some(1000.0));
        assert_eq!(scale.step(Some(1.0), 1), Some(5.0));
    }

    #[test]
    fn keys_walk_the_stops_and_stay_at_the_ends() {
        let scale = TrackScale::new(TrackCurve::Log, vec![1.0, 2.0, 5.0, 10.0]);
        assert_eq!(scale.step(Some(2.0), 1), Some(5.0));
        assert_eq!(scale.step(Some(2.0), -1), Some(1.0));
        assert_eq!(scale.step(Some(3.0), 1), Some(5.0));
        assert_eq!(scale.step(Some(3.0), -1), Some(2.0));
        assert_eq!(scale.step(Some(10.0), 1), Some(10.0));
        assert_eq!(scale.step(Some(1.0), -4), Some(1.0));
    }

    #[test]
    fn none_has_a_place_of_its_own() {
        let left = TrackScale::new(TrackCurve::Log, vec![1.0, 10.0]).or_absent(Absent::Left);
        assert_eq!(left.fraction(None), 0.0);
        assert_eq!(left.nearest(0.01), None);
        assert_eq!(left.nearest(0.08), Some(1.0));
        assert_eq!(left.step(None, 1), Some(1.0));
        assert_eq!(left.step(None, -1), None);
        assert_eq!(left.step(Some(1.0), -1), None);
        assert_eq!((left.first(), left.last()), (None, Some(10.0)));
        let right = TrackScale::new(TrackCurve::Log, vec![1.0, 10.0]).or_absent(Absent::Right);
        assert_eq!(right.fraction(None), 1.0);
        assert_eq!(right.nearest(0.99), None);
        assert_eq!(right.step(Some(10.0), 1), None);
        assert_eq!(right.step(None, -1), Some(10.0));
    }

    #[test]
    fn an_empty_or_single_scale_does_not_divide_by_zero() {
        assert_eq!(
            TrackScale::new(TrackCurve::Log, vec![3.0]).fraction(Some(3.0)),
            0.0
        );
        assert_eq!(TrackScale::new(TrackCurve::Log, vec![]).nearest(0.5), None);
    }
}
