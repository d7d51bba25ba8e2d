//! The nearest value at which a verdict changes, of any verdict over one number.

use crate::math::ln;
use crate::needs::four_digits;

/// Values of a number to search, around the current one.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Range {
    /// The current value, above zero.
    pub now: f64,
    /// The least value.
    pub least: f64,
    /// The greatest value.
    pub most: f64,
    /// True for whole numbers only.
    pub whole: bool,
    /// Factor between rings, above 1: changes that last less may be missed.
    pub ring: f64,
    /// Relative width to which a change is found; of whole numbers at least one.
    pub fine: f64,
}

/// A change of the verdict.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Turn {
    /// A value with the other verdict, within the width of the range: a real one has four digits.
    pub at: f64,
    /// A value with the current verdict, between the current value and `at`.
    pub before: f64,
}

impl Range {
    /// The value of the next ring; `None` at the end of the range.
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

    /// A value between two; `None` if there is none, or they are close enough.
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

    /// A value to write for a change at `at`: four digits, away from the current value.
    fn written(&self, at: f64) -> f64 {
        match self.whole {
            true => at,
            false => four_digits(at, at > self.now).clamp(self.least, self.most),
        }
    }
}

/// The search in one direction.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// The farthest value with the current verdict.
    Open(f64),
    /// A change between both values.
    Bracket { same: f64, other: f64 },
    /// The change.
    Found(Turn),
    /// No change.
    Closed,
}

/// A running search, in steps of at most two verdicts.
#[derive(Debug, Clone, Copy)]
pub struct TurnSearch<V> {
    range: Range,
    verdict: V,
    ways: [Way; 2],
}

impl<V: PartialEq> TurnSearch<V> {
    /// Starts with the verdict at the current value.
    pub const fn new(range: Range, verdict: V) -> Self {
        Self {
            range,
            verdict,
            ways: [Way::Open(range.now); 2],
        }
    }

    /// Tries the next ring, or halves brackets; false at the end. A value without a verdict ends its direction.
    pub fn step(&mut self, mut judge: impl FnMut(f64) -> Option<V>) -> bool {
        for up in [false, true] {
            self.ways[usize::from(up)] = self.advanced(up, &mut judge);
        }
        let is_open = |way: &Way| matches!(way, Way::Open(_));
        let changes = |way: &Way| matches!(way, Way::Bracket { .. } | Way::Found(_));
        if self.ways.iter().any(changes) {
            // A change beyond this ring is not the nearest.
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

    /// The nearest change found; `None` if there is none in range.
    pub fn turn(&self) -> Option<Turn> {
        let far = |turn: &Turn| ln(turn.at / self.range.now).abs();
        let found = self.ways.iter().filter_map(|way| match way {
            Way::Found(turn) => Some(*turn),
            _ => None,
        });
        found.min_by(|one, other| far(one).total_cmp(&far(other)))
    }
}

/// The nearest value at which the verdict of `judge` changes; `None` without one in range, or without a verdict now.
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

    /// A coarse search tries few values, and both sides still confirm the change.
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
