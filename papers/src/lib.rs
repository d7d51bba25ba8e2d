//! Golden cases: expected results of Ridgepoint's model, transcribed by hand from papers and measurements.
//!
//! The cases are written in `tests/golden`. A case states its position in the source, a permalink (the scenario), a
//! quantity, the expected value with unit, and a tolerance with a reason. A case that the model does not meet is
//! declared as a `known_gap` with a reason; once the model meets it, the test fails.

pub mod figure;
pub mod measure;
pub mod ratio;
pub mod split;
pub mod study;
pub mod unit;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use model_core::permalink;
use model_core::sweep::Strategy;

use measure::Subject;
use study::Searches;

include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// A file with the golden cases from one source.
#[derive(Debug)]
pub struct File {
    /// Folder and file name, as in `h/frontier.toml`.
    pub path: &'static str,
    /// Title of the paper or publication.
    pub paper: &'static str,
    /// Subject of the golden cases in the file.
    pub title: &'static str,
    /// The cases in the file.
    pub cases: &'static [Case],
}

/// A golden case: an expected result of Ridgepoint's model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// Position of the expected result in the source.
    pub locator: &'static str,
    /// The scenario, as a permalink.
    pub link: &'static str,
    /// Name of the quantity that the case checks, as defined by [`measure::measure`].
    pub measure: &'static str,
    /// Names of quantities by which the case's quantity is multiplied.
    pub times: &'static [&'static str],
    /// Names of quantities by which the case's quantity is divided.
    pub per: &'static [&'static str],
    /// Permalink of another scenario; the case's result is divided by the same quantity of that scenario.
    pub against: Option<&'static str>,
    /// Named numbers from the source, used if the quantity needs no scenario.
    pub given: &'static [(&'static str, f64)],
    /// Value in the source; `None` if the source states only bounds or a direction.
    pub expected: Option<f64>,
    /// Allowed deviation from the expected value.
    pub tolerance: Option<Tolerance>,
    /// Lower bound of the case's quantity, if the source states a bound.
    pub at_least: Option<f64>,
    /// Upper bound of the case's quantity, if the source states a bound.
    pub at_most: Option<f64>,
    /// Unit of the expected value, the bounds and an absolute tolerance.
    pub unit: &'static str,
    /// Reason for the tolerance.
    pub because: &'static str,
    /// Reason why the model's result is outside the tolerance; `None` if no gap is declared.
    pub known_gap: Option<&'static str>,
}

impl Case {
    /// If the case's quantity is simulated, returns its name. Such a quantity takes far longer to compute than others
    /// and has no factors.
    pub fn simulated(&self) -> Option<&'static str> {
        self.measure.strip_prefix("simulated.")
    }

    /// Splits the case's locator into the position in the source and the statement made there.
    pub fn place(&self) -> (&'static str, &'static str) {
        let whole = self.locator;
        let cuts = whole
            .match_indices([',', ':'])
            .filter(|(at, _)| whole[at + 1..].starts_with(' '));
        for (at, _) in cuts {
            let what = &whole[at + 2..];
            let listed = whole.starts_with("eqs") && whole[at..].starts_with(',');
            let more = what.starts_with("Figure")
                || listed && what.starts_with(|c: char| c.is_ascii_digit());
            if !more {
                return (&whole[..at], what);
            }
        }
        (whole, "")
    }
}

/// Allowed deviation of a result from the expected value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tolerance {
    /// Deviation as a value in the case's unit.
    Absolute(f64),
    /// Deviation in percent of the expected value.
    Percent(f64),
}

impl Tolerance {
    /// Returns the allowed deviation in the case's unit.
    pub fn of(&self, expected: f64) -> f64 {
        match self {
            Self::Absolute(tolerance) => *tolerance,
            Self::Percent(percent) => percent / 100.0 * expected.abs(),
        }
    }
}

/// Outcome of comparing a golden case with the model's result.
#[derive(Debug, Clone, PartialEq)]
pub enum Judgement {
    /// The result is within the tolerance or the bounds.
    Met,
    /// The result is outside the tolerance or the bounds, as declared by a known gap.
    Gap,
    /// The result is outside the tolerance or the bounds, and no gap is declared.
    Missed,
    /// The result is within the tolerance or the bounds, although a gap is declared.
    Closed,
    /// The result cannot be computed; the text is the reason.
    Broken(String),
}

/// A case with the model's result and the outcome.
#[derive(Debug)]
pub struct Judged<'a> {
    /// The case that was judged.
    pub case: &'a Case,
    /// The model's result in the case's unit; NaN if it could not be computed.
    pub found: f64,
    /// Outcome of the comparison.
    pub outcome: Judgement,
}

impl Judged<'_> {
    /// Returns true if the case is met, or missed with a declared gap.
    pub fn holds(&self) -> bool {
        matches!(self.outcome, Judgement::Met | Judgement::Gap)
    }
}

impl fmt::Display for Judged<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case {
            locator,
            measure,
            unit,
            ..
        } = self.case;
        let word = match &self.outcome {
            Judgement::Met => "met",
            Judgement::Gap => "known gap",
            Judgement::Missed => "MISSED",
            Judgement::Closed => "CLOSED: the model now meets the case; remove known_gap",
            Judgement::Broken(why) => return write!(out, "BROKEN {locator}: {measure}: {why}"),
        };
        write!(
            out,
            "{word}: {locator}: {measure} is {:.6} {unit}, ",
            self.found
        )?;
        if let (Some(expected), Some(tolerance)) = (self.case.expected, &self.case.tolerance) {
            let off = 100.0 * (self.found / expected - 1.0);
            write!(
                out,
                "expected {expected} ({off:+.2}%, tolerance {tolerance:?})"
            )
        } else {
            let Case {
                at_least, at_most, ..
            } = self.case;
            write!(out, "expected from {at_least:?} to {at_most:?}")
        }
    }
}

/// Judges golden cases. Across all cases, each scenario is evaluated once and each search runs once.
#[derive(Debug, Default)]
pub struct Desk {
    subjects: RefCell<HashMap<&'static str, Result<Rc<Subject>, String>>>,
    searches: Rc<Searches>,
}

impl Desk {
    /// Computes a case's quantity and compares it with the value in the source.
    pub fn judge(&self, case: &'static Case) -> Judged<'static> {
        let of = |link| quantity(case, self.subject(link)?.as_ref());
        let found = complete(case).and_then(|()| ratio(case, case.against, case.link, of));
        judged(case, found)
    }

    /// Returns the Pareto frontier of plans with the given strategies, as pairs of tok/s/user and tok/s/GPU. The
    /// search space is that of [H], applied to the permalink's scenario.
    pub fn frontier(&self, link: &str, strategies: &[Strategy]) -> Option<Vec<(f64, f64)>> {
        let scenario = permalink::read(link).current.scenario().ok()?;
        Some(self.searches.frontier(&scenario, strategies))
    }

    /// Returns the number of scenarios evaluated so far.
    pub fn evaluated(&self) -> usize {
        self.subjects.borrow().len()
    }

    /// Returns the number of plan searches run so far.
    pub fn searched(&self) -> usize {
        self.searches.len()
    }

    fn subject(&self, link: &'static str) -> Result<Rc<Subject>, String> {
        let known = self.subjects.borrow().get(link).cloned();
        known.unwrap_or_else(|| {
            let found = subject(link, &self.searches).map(Rc::new);
            self.subjects.borrow_mut().insert(link, found.clone());
            found
        })
    }
}

/// Judges one case without sharing evaluations with other cases.
pub fn judge(case: &Case) -> Judged<'_> {
    let found = complete(case).and_then(|()| found_at(case, case.link, case.against));
    judged(case, found)
}

/// Judges a golden case that has no factors. `quantity` was computed elsewhere and is in base units.
pub fn judge_quantity(case: &Case, quantity: f64) -> Judged<'_> {
    judged(case, in_unit(case, quantity))
}

fn judged(case: &Case, found: Result<f64, String>) -> Judged<'_> {
    match found.and_then(|found| Ok((found, within(case, found)?))) {
        Ok((found, within)) => {
            let outcome = match (within, case.known_gap) {
                (true, None) => Judgement::Met,
                (false, Some(_)) => Judgement::Gap,
                (false, None) => Judgement::Missed,
                (true, Some(_)) => Judgement::Closed,
            };
            Judged {
                case,
                found,
                outcome,
            }
        }
        Err(why) => Judged {
            case,
            found: f64::NAN,
            outcome: Judgement::Broken(why),
        },
    }
}

fn within(case: &Case, found: f64) -> Result<bool, String> {
    match (case.expected, &case.tolerance, case.at_least, case.at_most) {
        (Some(expected), Some(tolerance), None, None) => {
            Ok((found - expected).abs() <= tolerance.of(expected))
        }
        (None, None, at_least, at_most) if at_least.is_some() || at_most.is_some() => Ok(at_least
            .is_none_or(|least| found >= least)
            && at_most.is_none_or(|most| found <= most)),
        _ => Err("a case needs an expected value with a tolerance, or a bound".into()),
    }
}

fn complete(case: &Case) -> Result<(), String> {
    if case.locator.is_empty() || case.because.is_empty() {
        return Err("a case needs a `locator` and a `because`".into());
    }
    Ok(())
}

/// Returns a case's quantity for another scenario, in the case's unit. Used to draw a curve through the case.
pub fn found_at(case: &Case, link: &str, against: Option<&str>) -> Result<f64, String> {
    let searches = Rc::default();
    ratio(case, against, link, |link| {
        quantity(case, &subject(link, &searches)?)
    })
}

/// Returns the quantity of a permalink in the case's unit. If `against` is given, the result is divided by the
/// quantity of that permalink.
fn ratio<L: Copy>(
    case: &Case,
    against: Option<L>,
    link: L,
    of: impl Fn(L) -> Result<f64, String>,
) -> Result<f64, String> {
    let mut value = of(link)?;
    if let Some(other) = against {
        value /= of(other)?;
    }
    in_unit(case, value)
}

fn in_unit(case: &Case, value: f64) -> Result<f64, String> {
    let unit = unit::find(case.unit).ok_or_else(|| format!("{} is not a unit", case.unit))?;
    let value = value / unit;
    if value.is_finite() {
        Ok(value)
    } else {
        Err(format!("the value is {value}"))
    }
}

/// Returns the case's quantity in base units, multiplied and divided by the case's factors.
fn quantity(case: &Case, subject: &Subject) -> Result<f64, String> {
    let of = |name: &str| {
        measure::measure(subject, name, case.given).ok_or_else(|| format!("{name} is unknown"))
    };
    let mut value = of(case.measure)?;
    for factor in case.times {
        value *= of(factor)?;
    }
    for divisor in case.per {
        value /= of(divisor)?;
    }
    Ok(value)
}

/// Evaluates the scenario of a permalink. Any ignored or invalid part of the permalink is an error, because a
/// mistyped case would otherwise test nothing.
fn subject(link: &str, searches: &Rc<Searches>) -> Result<Subject, String> {
    let read = permalink::read(link);
    if let Some(note) = read.notes.first() {
        return Err(format!("{link}: {note}"));
    }
    let scenario = read.current.scenario().map_err(|refusals| {
        let rules: Vec<_> = refusals.iter().map(ToString::to_string).collect();
        format!("{link}: {}", rules.join("; "))
    })?;
    Subject::of(&read.current, scenario, searches)
        .ok_or_else(|| format!("{link}: no finite result"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases() -> impl Iterator<Item = &'static Case> {
        OF_PAPERS.iter().flat_map(|file| file.cases)
    }

    /// Checks the exact number of golden cases for each paper, so that a lost case is noticed. Update the numbers
    /// after adding a case.
    #[test]
    fn cases_of_each_paper() {
        for (paper, expected) in [("a/", 126), ("b/", 66), ("h/", 39), ("l/", 36), ("r/", 23)] {
            let files = OF_PAPERS.iter().filter(|file| file.path.starts_with(paper));
            let count: usize = files.map(|file| file.cases.len()).sum();
            assert_eq!(count, expected, "{paper}");
        }
        assert_eq!(cases().count(), 290);
    }

    #[test]
    fn a_desk_evaluates_nothing_twice() {
        let desk = Desk::default();
        let plain = || cases().filter(|case| case.simulated().is_none());
        for case in plain() {
            let (shared, alone) = (desk.judge(case), judge(case));
            assert_eq!(shared.outcome, alone.outcome, "{}", case.locator);
            assert_eq!(
                shared.found.to_bits(),
                alone.found.to_bits(),
                "{}",
                case.locator
            );
        }
        let mut links: Vec<&str> = plain()
            .flat_map(|case| [Some(case.link), case.against])
            .flatten()
            .collect();
        links.sort_unstable();
        links.dedup();
        assert_eq!(desk.evaluated(), links.len());
        // Helix and the baselines, for two models at two network latencies; and Helix alone at zero latency.
        assert_eq!(desk.searched(), 9);
        for case in plain() {
            desk.judge(case);
        }
        assert_eq!((desk.evaluated(), desk.searched()), (links.len(), 9));
    }

    #[test]
    fn simulated_quantities_stand_alone() {
        for case in cases().filter(|case| case.simulated().is_some()) {
            let alone = case.times.is_empty() && case.per.is_empty() && case.against.is_none();
            assert!(alone, "{}", case.locator);
        }
    }

    #[test]
    fn every_case_is_complete() {
        for case in cases() {
            let (place, what) = case.place();
            assert!(!place.is_empty() && !what.is_empty(), "{}", case.locator);
        }
    }
}
