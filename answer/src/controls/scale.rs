//! Scale of a slider: the values it stops at, and their positions on the track.

use libm::{exp, log};
use model_core::order::sort_numbers;

/// Mapping from values to positions on the slider's track.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TrackCurve {
    /// Linear: equal differences take equal lengths of the track.
    Linear,
    /// Logarithmic: equal ratios take equal lengths of the track. Requires values above zero.
    Log,
    /// About linear from zero up to this value, about logarithmic above it.
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

/// Position of "none" on the track, for numbers that may have no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absent {
    /// The number always has a value.
    Never,
    /// "None" is at the left end, below the minimum.
    Left,
    /// "None" is at the right end, above the maximum.
    Right,
}

/// Fraction of the track reserved for "none".
const ABSENT_SHARE: f64 = 0.08;

/// Maps a slider's values to positions on its track, from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct TrackScale {
    stops: Vec<f64>,
    curve: TrackCurve,
    absent: Absent,
}

impl TrackScale {
    /// Creates a scale over `stops`, which are sorted and deduplicated.
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

    /// Returns the scale with a position for "none".
    #[must_use]
    pub fn or_absent(mut self, absent: Absent) -> Self {
        self.absent = absent;
        self
    }

    /// Returns the minimum and the maximum value.
    pub fn ends(&self) -> (f64, f64) {
        let first = self.stops.first().copied().unwrap_or(0.0);
        (first, self.stops.last().copied().unwrap_or(first))
    }

    /// Returns the position of "none" on the track.
    pub const fn absent(&self) -> Absent {
        self.absent
    }

    /// Returns the start and end of the part of the track that holds values, as fractions.
    const fn span(&self) -> (f64, f64) {
        match self.absent {
            Absent::Never => (0.0, 1.0),
            Absent::Left => (ABSENT_SHARE, 1.0),
            Absent::Right => (0.0, 1.0 - ABSENT_SHARE),
        }
    }

    /// Returns a value's position on the track, from 0 to 1. Values outside the scale are clamped to its ends.
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

    /// Returns the exact value at a position on the track, not rounded to a stop.
    pub fn value_at(&self, fraction: f64) -> f64 {
        let (least, most) = self.ends();
        let (low, high) = (self.curve.bend(least), self.curve.bend(most));
        let (start, end) = self.span();
        let within = ((fraction - start) / (end - start)).clamp(0.0, 1.0);
        self.curve.unbend(low + within * (high - low))
    }

    /// Returns the stop nearest to a position on the track; `None` if "none" is nearer.
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

    /// Returns the stop `by` steps away from `value`, which may be between two stops. Returns `None` past the end at
    /// which "none" is.
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

    /// Returns the value at the left end of the track (`Home` key); `None` if "none" is there.
    pub fn first(&self) -> Option<f64> {
        (self.absent != Absent::Left).then_some(self.ends().0)
    }

    /// Returns the value at the right end of the track (`End` key); `None` if "none" is there.
    pub fn last(&self) -> Option<f64> {
        (self.absent != Absent::Right).then_some(self.ends().1)
    }

    /// Returns the number of stops that `PageUp` moves: about a tenth of all stops, at least 2.
    pub fn page(&self) -> isize {
        (self.stops.len() as isize / 10).max(2)
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "the compared values are exact")]
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
