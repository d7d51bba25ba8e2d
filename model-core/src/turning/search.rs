//! Finds, for any verdict that depends on a number, the nearest value of the number at which the verdict changes.

use crate::math::ln;
use crate::needs::four_digits;

/// The range of values to search around the current value of a number.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Range {
    /// The current value of the number; it must be positive.
    pub now: f64,
    /// The smallest value of the number to try.
    pub least: f64,
    /// The largest value of the number to try.
    pub most: f64,
    /// True if only whole numbers are tried.
    pub whole: bool,
    /// Factor between consecutive values tried; it is above 1. If the verdict changes and changes back within a
    /// narrower range, the change may be missed.
    pub ring: f64,
    /// Relative precision with which a change is found. For whole numbers, the change is found to within one at best.
    pub fine: f64,
}

/// A change of the verdict, enclosed by two close values.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Turn {
    /// The value after the change, at which the verdict differs from the current one. It is within [`Range::fine`] of
    /// the change. It is rounded to four digits, unless only whole numbers are tried.
    pub at: f64,
    /// Value between the current one and `at` at which the current verdict still holds.
    pub before: f64,
}

impl Range {
    /// Returns the next value to try after `last`, away from the current value; `None` at the end of the range.
    fn beyond(&self, last: f64, up: bool) -> Option<f64> {
        let next = match (up, self.whole) {
            (true, false) => last * self.ring,
            (false, false) => last / self.ring,
            (true, true) => (last * self.ring).floor().max(last.floor() + 1.0),
            (false, true) => (last / self.ring).ceil().min(last.ceil() - 1.0),
        };
        match up {
            true => (last < self.most).then(|| next.min(self.most)),
            false => (last > self.least).then(|| next.max(self.least)),
        }
    }

    /// Returns a value that divides the interval from `one` to `other`. `None` if the ends are already close enough, or
    /// if there is no whole number between them and only whole numbers are tried.
    fn between(&self, one: f64, other: f64) -> Option<f64> {
        let (low, high) = (one.min(other), one.max(other));
        if high <= low * (1.0 + self.fine) {
            return None;
        }
        if self.whole {
            let middle = f64::midpoint(low, high).floor();
            return (middle > low && middle < high).then_some(middle);
        }
        Some((low * high).sqrt())
    }

    /// Returns the value to display for a change at the value `at`: four digits, rounded away from the current value.
    fn written(&self, at: f64) -> f64 {
        match self.whole {
            true => at,
            false => four_digits(at, at > self.now).clamp(self.least, self.most),
        }
    }
}

/// State of the search in one direction, up or down.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// No change found yet. Holds the farthest value tried, at which the current verdict still holds.
    Open(f64),
    /// The verdict changes between the values `same` and `other`.
    Bracket {
        same: f64,
        other: f64,
    },
    Found(Turn),
    /// The search in this direction ended without a change.
    Closed,
}

/// A search for the nearest change of a verdict. It runs in steps, each of which computes at most two verdicts.
#[derive(Debug, Clone, Copy)]
pub struct TurnSearch<V> {
    range: Range,
    verdict: V,
    ways: [Way; 2],
}

impl<V: PartialEq> TurnSearch<V> {
    /// Starts the search, given the verdict at the current value.
    pub const fn new(range: Range, verdict: V) -> Self {
        Self {
            range,
            verdict,
            ways: [Way::Open(range.now); 2],
        }
    }

    /// Tries the next value in each direction, or halves an interval in which the verdict changes. Returns false at
    /// the end of the search. If `judge` returns `None`, the search in that direction ends.
    pub fn step(&mut self, mut judge: impl FnMut(f64) -> Option<V>) -> bool {
        for up in [false, true] {
            self.ways[usize::from(up)] = self.advanced(up, &mut judge);
        }
        let is_open = |way: &Way| matches!(way, Way::Open(_));
        let changes = |way: &Way| matches!(way, Way::Bracket { .. } | Way::Found(_));
        if self.ways.iter().any(changes) {
            // A change farther away is not the nearest one, so searches without a change end here.
            for way in self.ways.iter_mut().filter(|way| is_open(way)) {
                *way = Way::Closed;
            }
        }
        !self
            .ways
            .iter()
            .all(|way| matches!(way, Way::Found(_) | Way::Closed))
    }

    fn advanced(&self, up: bool, judge: &mut impl FnMut(f64) -> Option<V>) -> Way {
        match self.ways[usize::from(up)] {
            Way::Open(same) => match self.range.beyond(same, up) {
                None => Way::Closed,
                Some(other) => match judge(other) {
                    None => Way::Closed,
                    Some(verdict) if verdict == self.verdict => Way::Open(other),
                    Some(_) => Way::Bracket { same, other },
                },
            },
            Way::Bracket { same, other } => match self.range.between(same, other) {
                None => self.found(same, other, judge),
                Some(middle) => match judge(middle) {
                    None => Way::Closed,
                    Some(verdict) if verdict == self.verdict => Way::Bracket {
                        same: middle,
                        other,
                    },
                    Some(_) => Way::Bracket {
                        same,
                        other: middle,
                    },
                },
            },
            way => way,
        }
    }

    fn found(&self, before: f64, exact: f64, judge: &mut impl FnMut(f64) -> Option<V>) -> Way {
        let written = self.range.written(exact);
        let turned = judge(written).is_some_and(|verdict| verdict != self.verdict);
        let at = if turned { written } else { exact };
        Way::Found(Turn { at, before })
    }

    /// Returns the nearest change of the verdict found; `None` if the verdict does not change in range.
    pub fn turn(&self) -> Option<Turn> {
        let far = |turn: &Turn| ln(turn.at / self.range.now).abs();
        let found = self.ways.iter().filter_map(|way| match way {
            Way::Found(turn) => Some(*turn),
            _ => None,
        });
        found.min_by(|one, other| far(one).total_cmp(&far(other)))
    }
}

/// Searches for the nearest change of the verdict that `judge` returns. `None` if there is none in range, or if there
/// is no verdict at the current value.
pub fn turning<V: PartialEq>(
    range: &Range,
    mut judge: impl FnMut(f64) -> Option<V>,
) -> Option<Turn> {
    let mut search = TurnSearch::new(*range, judge(range.now)?);
    while search.step(&mut judge) {}
    search.turn()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REAL: Range = Range {
        now: 10.0,
        least: 0.1,
        most: 1000.0,
        whole: false,
        ring: 1.2,
        fine: 2e-5,
    };
    const WHOLE: Range = Range {
        whole: true,
        least: 1.0,
        fine: 0.0,
        ..REAL
    };

    fn at(range: &Range, judge: impl Fn(f64) -> Option<bool>) -> Option<[f64; 2]> {
        turning(range, judge).map(|turn| [turn.before, turn.at])
    }

    #[test]
    fn nearest_of_both_directions() {
        let [before, turned] = at(&REAL, |x| Some(!(2.0..=31.4159).contains(&x))).unwrap();
        assert!((31.41..31.4159).contains(&before), "{before}");
        assert_eq!(turned.to_bits(), 31.42_f64.to_bits());
        let [before, turned] = at(&REAL, |x| Some(!(2.0..=80.0).contains(&x))).unwrap();
        assert!(turned < 2.0 && turned > 1.99 && before >= 2.0);
    }

    #[test]
    fn whole_numbers_are_exact() {
        assert_eq!(at(&WHOLE, |x| Some(x >= 73.0)), Some([72.0, 73.0]));
        assert_eq!(at(&WHOLE, |x| Some(x <= 9.0)), Some([10.0, 9.0]));
        assert_eq!(at(&WHOLE, |x| Some(x <= 1.0)), Some([2.0, 1.0]));
        let between = Range { now: 10.5, ..WHOLE };
        assert_eq!(at(&between, |x| Some(x >= 11.0)), Some([10.5, 11.0]));
    }

    #[test]
    fn coarse_is_cheap() {
        let coarse = Range { fine: 5e-3, ..REAL };
        let mut tried = 0;
        let above = |x: f64| {
            tried += 1;
            Some(x >= 31.4159)
        };
        let found = turning(&coarse, above).unwrap();
        assert!(found.before < 31.4159 && found.at >= 31.4159);
        assert!(found.at / found.before < 1.006 && tried < 30, "{tried}");
    }

    #[test]
    fn none_in_range() {
        assert_eq!(at(&REAL, |_| Some(true)), None);
        assert_eq!(at(&REAL, |_| None), None);
        assert_eq!(at(&REAL, |x| (x < 20.0).then_some(x > 30.0)), None);
    }
}
