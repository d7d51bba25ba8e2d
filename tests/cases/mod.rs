//! Golden cases: what the model must give, transcribed by hand from papers and measurements.
//!
//! A case states its place in the source, a link (the scenario), a measured quantity, the expected
//! value with its unit, and a tolerance with the reason for it. What the model cannot meet is declared as a
//! `known_gap` with its reason; the day it is met, the case fails and says so.

pub mod measure;
mod ratio;
pub mod split;
pub mod study;
pub mod unit;

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use model_core::permalink;
use serde::Deserialize;

use measure::Subject;

/// A file of cases from one source.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The paper or publication.
    pub paper: String,
    /// What the file is about.
    pub title: String,
    /// What the links of the file begin with.
    #[serde(default)]
    pub base: String,
    /// Models that no catalogue has, by the name that links give them.
    #[serde(default)]
    pub shape: BTreeMap<String, toml::Value>,
    /// The cases.
    pub case: Vec<Case>,
}

impl File {
    /// Reads a file; its links are then whole, with `model=` one of its shapes written out.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut file: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut shapes = Vec::new();
        for (name, arch) in &file.shape {
            let json = serde_json::to_string(arch).map_err(|error| error.to_string())?;
            let arch = URL_SAFE_NO_PAD.encode(json);
            shapes.push((format!("model={name}"), format!("model=custom&arch={arch}")));
        }
        for case in &mut file.case {
            for link in std::iter::once(&mut case.link).chain(&mut case.against) {
                if !file.base.is_empty() {
                    *link = format!("{}&{link}", file.base);
                }
                for (named, whole) in &shapes {
                    *link = link.replace(named, whole);
                }
            }
        }
        Ok(file)
    }
}

/// One fact.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Where in the source it stands.
    pub locator: String,
    /// The scenario.
    pub link: String,
    /// The quantity, by a name of [`measure::measure`].
    pub measure: String,
    /// Quantities that it is multiplied by.
    #[serde(default)]
    pub times: Vec<String>,
    /// Quantities that it is divided by.
    #[serde(default)]
    pub per: Vec<String>,
    /// Another scenario, whose same quantity it is divided by.
    pub against: Option<String>,
    /// Numbers the source gives for a quantity that needs no scenario.
    #[serde(default)]
    pub given: BTreeMap<String, f64>,
    /// What the source states; a bound where it states only a direction.
    pub expected: Option<f64>,
    /// How far the model may be off the expected value.
    pub tolerance: Option<Tolerance>,
    /// The quantity is at least this.
    pub at_least: Option<f64>,
    /// The quantity is at most this.
    pub at_most: Option<f64>,
    /// The unit of the expected value, of the bounds and of an absolute tolerance.
    pub unit: String,
    /// Why the tolerance is what it is.
    pub because: String,
    /// Why the model does not meet it, where it does not.
    pub known_gap: Option<String>,
}

/// How far the model may be off.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Tolerance {
    /// In the case's unit.
    Absolute(f64),
    /// As in `"20 %"` of the expected value.
    Percent(String),
}

impl Tolerance {
    fn of(&self, expected: f64) -> Option<f64> {
        match self {
            Self::Absolute(tolerance) => Some(*tolerance),
            Self::Percent(text) => {
                let percent: f64 = text.strip_suffix('%')?.trim().parse().ok()?;
                Some(percent / 100.0 * expected.abs())
            }
        }
    }
}

/// How a case came out.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Within the tolerance.
    Met,
    /// Outside of it, as declared.
    Gap,
    /// Outside of it.
    Missed,
    /// Within it, although a gap is declared.
    Closed,
    /// It cannot be judged.
    Broken(String),
}

/// A case with what the model gives.
#[derive(Debug)]
pub struct Judged<'a> {
    /// The case.
    pub case: &'a Case,
    /// The quantity in the case's unit; NaN where it could not be computed.
    pub found: f64,
    /// How it came out.
    pub outcome: Outcome,
}

impl Judged<'_> {
    /// Whether the case says what it should.
    pub fn holds(&self) -> bool {
        matches!(self.outcome, Outcome::Met | Outcome::Gap)
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
            Outcome::Met => "met",
            Outcome::Gap => "known gap",
            Outcome::Missed => "MISSED",
            Outcome::Closed => "CLOSED: the model meets it now; remove known_gap",
            Outcome::Broken(why) => return write!(out, "BROKEN {locator}: {measure}: {why}"),
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

/// Computes a case's quantity and compares it with what the source says.
pub fn judge(case: &Case) -> Judged<'_> {
    match found(case).and_then(|found| Ok((found, within(case, found)?))) {
        Ok((found, within)) => {
            let outcome = match (within, &case.known_gap) {
                (true, None) => Outcome::Met,
                (false, Some(_)) => Outcome::Gap,
                (false, None) => Outcome::Missed,
                (true, Some(_)) => Outcome::Closed,
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
            outcome: Outcome::Broken(why),
        },
    }
}

fn within(case: &Case, found: f64) -> Result<bool, String> {
    match (case.expected, &case.tolerance, case.at_least, case.at_most) {
        (Some(expected), Some(tolerance), None, None) => {
            let most = tolerance
                .of(expected)
                .ok_or("the tolerance cannot be read")?;
            Ok((found - expected).abs() <= most)
        }
        (None, None, at_least, at_most) if at_least.is_some() || at_most.is_some() => Ok(at_least
            .is_none_or(|least| found >= least)
            && at_most.is_none_or(|most| found <= most)),
        _ => Err("a case has an expected value with its tolerance, or a bound".into()),
    }
}

fn found(case: &Case) -> Result<f64, String> {
    if case.locator.is_empty() || case.because.is_empty() {
        return Err("a case needs its locator and a because".into());
    }
    let unit = unit::find(&case.unit).ok_or_else(|| format!("{} is no unit", case.unit))?;
    let mut value = quantity(case, &case.link)?;
    if let Some(other) = &case.against {
        value /= quantity(case, other)?;
    }
    let value = value / unit;
    if value.is_finite() {
        Ok(value)
    } else {
        Err(format!("it is {value}"))
    }
}

/// The measured quantity with its factors, in base units.
fn quantity(case: &Case, link: &str) -> Result<f64, String> {
    let subject = subject(link)?;
    let of = |name: &str| {
        measure::measure(&subject, name, &case.given).ok_or_else(|| format!("{name} is unknown"))
    };
    let mut value = of(&case.measure)?;
    for factor in &case.times {
        value *= of(factor)?;
    }
    for divisor in &case.per {
        value /= of(divisor)?;
    }
    Ok(value)
}

/// The scenario of a link, which must be flawless: a case that tests a typing error tests nothing.
fn subject(link: &str) -> Result<Subject, String> {
    let read = permalink::read(link);
    if let Some(note) = read.notes.first() {
        return Err(format!("{link}: {note}"));
    }
    let scenario = read.current.scenario().map_err(|refusals| {
        let rules: Vec<_> = refusals.iter().map(ToString::to_string).collect();
        format!("{link}: {}", rules.join("; "))
    })?;
    Subject::of(&read.current, scenario).ok_or_else(|| format!("{link}: no finite result"))
}
