//! Golden cases: expected results of the model, transcribed by hand from papers and measurements.
//!
//! A case states its place in the source, a link (the scenario), a quantity, the expected value with its unit, and a
//! tolerance with its reason; cases are written in `tests/golden`. One that the model does not meet is declared as a
//! `known_gap` with its reason; once it is met, the case fails.

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

/// A file of cases from one source.
#[derive(Debug)]
pub struct File {
    /// Folder and name, as in `h/frontier.toml`.
    pub path: &'static str,
    /// The paper or publication.
    pub paper: &'static str,
    /// Subject.
    pub title: &'static str,
    /// The cases.
    pub cases: &'static [Case],
}

/// An expected result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// Place in the source.
    pub locator: &'static str,
    /// The scenario, as a link.
    pub link: &'static str,
    /// The quantity, by a name of [`measure::measure`].
    pub measure: &'static str,
    /// Factors of the quantity.
    pub times: &'static [&'static str],
    /// Divisors of the quantity.
    pub per: &'static [&'static str],
    /// Another scenario, by whose same quantity it is divided.
    pub against: Option<&'static str>,
    /// Numbers of the source, for a quantity without a scenario.
    pub given: &'static [(&'static str, f64)],
    /// The source's number; `None` if it states only a direction.
    pub expected: Option<f64>,
    /// The allowed deviation from the expected value.
    pub tolerance: Option<Tolerance>,
    /// Lower bound of the quantity.
    pub at_least: Option<f64>,
    /// Upper bound of the quantity.
    pub at_most: Option<f64>,
    /// The unit of the expected value, of the bounds and of an absolute tolerance.
    pub unit: &'static str,
    /// The reason for the tolerance.
    pub because: &'static str,
    /// Reason why the model misses it, if so.
    pub known_gap: Option<&'static str>,
}

impl Case {
    /// The simulated quantity, if it is one: it takes far longer than others and has no factors.
    pub fn simulated(&self) -> Option<&'static str> {
        self.measure.strip_prefix("simulated.")
    }

    /// Both halves of the locator: place and statement.
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

/// The allowed deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tolerance {
    /// In the case's unit.
    Absolute(f64),
    /// Percent of the expected value.
    Percent(f64),
}

impl Tolerance {
    /// The deviation in the case's unit.
    pub fn of(&self, expected: f64) -> f64 {
        match self {
            Self::Absolute(tolerance) => *tolerance,
            Self::Percent(percent) => percent / 100.0 * expected.abs(),
        }
    }
}

/// The outcome of a case.
#[derive(Debug, Clone, PartialEq)]
pub enum Judgement {
    /// Within the tolerance.
    Met,
    /// Outside the tolerance, as declared.
    Gap,
    /// Outside the tolerance.
    Missed,
    /// Within the tolerance, although a gap is declared.
    Closed,
    /// Not computable.
    Broken(String),
}

/// A case with the model's result.
#[derive(Debug)]
pub struct Judged<'a> {
    /// The case.
    pub case: &'a Case,
    /// The quantity in the case's unit; NaN where it could not be computed.
    pub found: f64,
    /// Its outcome.
    pub outcome: Judgement,
}

impl Judged<'_> {
    /// True if met, or missed as declared.
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
            Judgement::Closed => "CLOSED: the model meets it now; remove known_gap",
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
                "expected {expected} ({off:+.2} %, tolerance {tolerance:?})"
            )
        } else {
            let Case {
                at_least, at_most, ..
            } = self.case;
            write!(out, "expected from {at_least:?} to {at_most:?}")
        }
    }
}

/// Judges cases; each scenario is evaluated once and each search made once, for all of them.
#[derive(Debug, Default)]
pub struct Desk {
    subjects: RefCell<HashMap<&'static str, Result<Rc<Subject>, String>>>,
    searches: Rc<Searches>,
}

impl Desk {
    /// Computes a case's quantity and compares it with the source's.
    pub fn judge(&self, case: &'static Case) -> Judged<'static> {
        let of = |link| quantity(case, self.subject(link)?.as_ref());
        let found = complete(case).and_then(|()| ratio(case, case.against, case.link, of));
        judged(case, found)
    }

    /// The frontier of plans of some strategies, over the space that [H] searches around a link's scenario: tokens
    /// per second and user, tok/s/GPU.
    pub fn frontier(&self, link: &str, strategies: &[Strategy]) -> Option<Vec<(f64, f64)>> {
        let scenario = permalink::read(link).current.scenario().ok()?;
        Some(self.searches.frontier(&scenario, strategies))
    }

    /// Number of evaluated scenarios.
    pub fn evaluated(&self) -> usize {
        self.subjects.borrow().len()
    }

    /// Number of searches over plans.
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

/// Judges one case without sharing evaluations.
pub fn judge(case: &Case) -> Judged<'_> {
    let found = complete(case).and_then(|()| found_at(case, case.link, case.against));
    judged(case, found)
}

/// Judges a case without factors by a quantity in base units that was computed elsewhere.
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
        _ => Err("a case has an expected value with its tolerance, or a bound".into()),
    }
}

fn complete(case: &Case) -> Result<(), String> {
    if case.locator.is_empty() || case.because.is_empty() {
        return Err("a case needs its locator and a because".into());
    }
    Ok(())
}

/// A case's quantity in its unit for another scenario: a point of a curve through it.
pub fn found_at(case: &Case, link: &str, against: Option<&str>) -> Result<f64, String> {
    let searches = Rc::default();
    ratio(case, against, link, |link| {
        quantity(case, &subject(link, &searches)?)
    })
}

/// The quantity of a link, divided by that of `against` if any, in the case's unit.
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
    let unit = unit::find(case.unit).ok_or_else(|| format!("{} is no unit", case.unit))?;
    let value = value / unit;
    if value.is_finite() {
        Ok(value)
    } else {
        Err(format!("it is {value}"))
    }
}

/// The measured quantity with its factors, in base units.
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

/// The scenario of a link. Errors: any note or refusal, since a mistyped case tests nothing.
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

    /// Exact counts, so that a lost case fails; update them when adding one.
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
        // Two models at two latencies, each with the baselines, and one without latency.
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
