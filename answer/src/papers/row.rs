//! A row of the table of evidence: one published number and the computed one, in words and as a mark on an error
//! axis.

use super::texts::PAPERS;
use crate::words::format;
use model_core::inputs::Mode;
use model_core::math::ln;
use model_core::measured::Run;
use model_core::permalink::{self, Paper, View};
use model_core::source::Source;
use papers::{Case, Judged, Judgement, Tolerance};

/// Outcome of comparing a row's computed value with the published one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reproduction {
    /// The computed value is within the tolerance, or the published bound holds.
    Met,
    /// The computed value is outside the tolerance, for a declared reason.
    Gap,
    /// The computed value is not known yet; it is still being simulated.
    Waiting,
    /// There is no computed value, or it is outside the tolerance without a declared gap, or it is within the tolerance
    /// although a gap is declared. A test forbids this outcome.
    Wrong,
}

/// A row's error as a mark on a log axis from 0.5× to 2×. Positions on the axis are from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorMark {
    /// Position of the computed ÷ published value on the axis, 0 to 1.
    pub at: f64,
    /// Positions of the lower and the upper end of the tolerance on the axis, 0 to 1.
    pub band: (f64, f64),
    /// True if computed ÷ published is beyond an end of the axis.
    pub beyond: bool,
}

impl ErrorMark {
    /// Creates the mark for the error `off`, which is ln(computed/published), with the tolerance `band`.
    pub fn new(off: f64, band: (f64, f64)) -> Self {
        Self {
            at: along(off),
            band,
            beyond: off.abs() > ln(2.0),
        }
    }
}

/// A published number, claim or measured run, with the value that Ridgepoint computes for it.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceRow {
    /// Paper that published the number or claim; `None` for a measured run.
    pub paper: Option<Paper>,
    /// Name of the published quantity, or of the measured system.
    pub what: String,
    /// Settings of the measured run; empty for a paper's number or claim.
    pub run: &'static str,
    /// Location of the published value: "[A] Table 3", or the title of the publication.
    pub place: String,
    /// Publication of the measured run; `None` for a paper's number or claim.
    pub source: Option<Source>,
    /// The published value, with its unit.
    pub published: String,
    /// The computed value, with its unit; empty while it is being simulated.
    pub computed: String,
    /// The published and the computed value, as numbers, in the same unit.
    pub amounts: (f64, f64),
    /// Error of the computed value: "+1.2%", "17×", or "holds" for a bound; empty if there is no computed value.
    pub error: String,
    /// The error as a mark on an axis; `None` if there is no computed value.
    pub mark: Option<ErrorMark>,
    /// The tolerance, "gap", or the type of the measured run, in one or two words.
    pub word: String,
    /// For a paper's number or claim, the reason for its tolerance or gap. For a measured run, the unpublished
    /// settings and notes.
    pub reason: String,
    /// Outcome of the comparison.
    pub state: Reproduction,
    /// True if the row compares a bound or a direction rather than a number.
    pub claim: bool,
    /// True if the row counts toward an accuracy score.
    pub counts: bool,
    /// Permalink of the row's scenario, without the leading `?`.
    pub link: String,
    /// Measured run behind the row's "start here" button; `None` if the row has no button. The button loads the run's
    /// measured series as the user's measurements.
    pub anchor: Option<&'static Run>,
    /// ln(computed/published); NaN if there is no computed value.
    pub(super) off: f64,
}

impl EvidenceRow {
    /// Creates a row whose computed value is still being simulated.
    pub fn waiting(paper: Paper, case: &'static Case) -> Self {
        Self::new(paper, case, f64::NAN, Reproduction::Waiting)
    }

    /// Creates the row of a golden case that has been computed and judged.
    pub fn of(paper: Paper, judged: &Judged<'static>) -> Self {
        let state = match judged.outcome {
            Judgement::Met => Reproduction::Met,
            Judgement::Gap => Reproduction::Gap,
            Judgement::Missed | Judgement::Closed | Judgement::Broken(_) => Reproduction::Wrong,
        };
        Self::new(paper, judged.case, judged.found, state)
    }

    fn new(paper: Paper, case: &'static Case, found: f64, state: Reproduction) -> Self {
        let (place, what) = case.place();
        let off = off(case, found);
        let tolerance = || match case.tolerance {
            None => "bound".to_owned(),
            Some(Tolerance::Percent(percent)) => format!("{}%", format::printed(percent)),
            Some(Tolerance::Absolute(0.0)) => "exact".to_owned(),
            Some(Tolerance::Absolute(value)) => format!("±{}", quantity(case, value)),
        };
        let stated = case.expected.or(case.at_least).or(case.at_most);
        Self {
            paper: Some(paper),
            what: what.to_owned(),
            run: "",
            place: format!("[{}] {place}", paper.id().to_uppercase()),
            source: None,
            published: published(case),
            computed: if found.is_finite() {
                quantity(case, found)
            } else {
                String::new()
            },
            amounts: (stated.unwrap_or(f64::NAN), found),
            error: error(case, off),
            mark: mark(case, off),
            word: case.known_gap.map_or_else(tolerance, |_| "gap".to_owned()),
            reason: case.known_gap.unwrap_or(case.because).to_owned(),
            state,
            claim: case.expected.is_none(),
            counts: true,
            link: link(case),
            anchor: None,
            off,
        }
    }

    /// True if the texts of the row contain every search word.
    pub fn holds(&self, words: &str) -> bool {
        let paper = PAPERS.iter().find(|text| Some(text.id) == self.paper);
        let text = [
            paper.map_or("", |text| text.name),
            &self.place,
            &self.what,
            self.run,
            &self.word,
            &self.reason,
        ];
        let text = text.join(" ").to_lowercase();
        let words = words.to_lowercase();
        words.split_whitespace().all(|word| text.contains(word))
    }

    /// Returns the size of the row's error: the absolute value of ln(computed/published). It is zero for a bound that
    /// holds, or if there is no computed value.
    pub fn size(&self) -> f64 {
        if self.off.is_finite() {
            self.off.abs()
        } else {
            0.0
        }
    }
}

/// Returns ln(computed/published) for a number. For a bound, returns ln(computed/bound) if it is violated, else zero.
fn off(case: &Case, found: f64) -> f64 {
    let from = |stated: f64| {
        let ratio = found / stated;
        if ratio > 0.0 { ln(ratio) } else { f64::NAN }
    };
    if let Some(expected) = case.expected {
        return from(expected);
    }
    match (case.at_least, case.at_most) {
        (Some(least), _) if found < least => from(least),
        (_, Some(most)) if found > most => from(most),
        _ if found.is_finite() => 0.0,
        _ => f64::NAN,
    }
}

fn error(case: &Case, off: f64) -> String {
    if !off.is_finite() {
        return String::new();
    }
    if case.expected.is_none() && off.abs() < 1e-12 {
        return "holds".to_owned();
    }
    let ratio = model_core::math::exp(off);
    if (0.5..=2.0).contains(&ratio) {
        return match format::changes(ratio, 1.0) {
            true => format::percent_change(ratio, 1.0),
            false => "0%".to_owned(),
        };
    }
    format::factor(ratio)
}

/// Maps the log of a ratio between 0.5× and 2× to a position from 0 to 1.
pub(super) fn along(log: f64) -> f64 {
    (0.5 + log / (2.0 * ln(2.0))).clamp(0.0, 1.0)
}

fn mark(case: &Case, off: f64) -> Option<ErrorMark> {
    if !off.is_finite() {
        return None;
    }
    let band = match (case.expected, case.tolerance) {
        (Some(expected), Some(tolerance)) => {
            let share = (tolerance.of(expected) / expected).abs();
            let low = if share < 1.0 {
                along(ln(1.0 - share))
            } else {
                0.0
            };
            (low, along(ln(1.0 + share)))
        }
        // For one bound, the band is the side of the axis on which the bound holds. Between two bounds, the error is
        // zero.
        _ => match (case.at_least, case.at_most) {
            (Some(_), None) => (0.5, 1.0),
            (None, Some(_)) => (0.0, 0.5),
            _ => (0.5, 0.5),
        },
    };
    Some(ErrorMark::new(off, band))
}

fn published(case: &Case) -> String {
    match (case.expected, case.at_least, case.at_most) {
        (Some(expected), ..) => quantity(case, expected),
        (_, Some(least), Some(most)) => {
            format!("{}–{}", format::printed(least), quantity(case, most))
        }
        (_, Some(least), None) => format!("≥ {}", quantity(case, least)),
        (_, None, Some(most)) => format!("≤ {}", quantity(case, most)),
        _ => String::new(),
    }
}

/// Formats a value of a golden case with its unit, in up to four digits.
fn quantity(case: &Case, value: f64) -> String {
    let large = value.abs() >= 1e6;
    let digits = if large {
        format::si(value)
    } else {
        format::printed(value)
    };
    match case.unit {
        "1" if is_ratio(case) => format!("{digits}{}", format::TIMES),
        "1" => digits,
        "%" => format!("{digits}%"),
        // The SI suffix stays with the number: "22.0M FLOP", not "22.0 MFLOP".
        unit => format!("{digits} {unit}"),
    }
}

fn is_ratio(case: &Case) -> bool {
    case.against.is_some()
        || case.measure.starts_with("helix.")
        || case.measure.ends_with("gain")
        || case.measure == "reordering.best"
}

/// Returns the permalink that opens a golden case in the matching view. If the case is a ratio of two scenarios, the
/// reference scenario is pinned.
pub(super) fn link(case: &Case) -> String {
    let mut text = case.link.to_owned();
    if let Some(against) = case.against {
        for pair in against.split('&').filter(|pair| *pair != "v=1") {
            text += &format!("&a.{pair}");
        }
        text += "&a.v=1";
    }
    let view = view(case);
    if view != View::Explore {
        text += &format!("&view={}", view.id());
    }
    text
}

fn view(case: &Case) -> View {
    match permalink::read(case.link).current.mode {
        Mode::Ratio | Mode::Simulate | Mode::Split => return View::Disaggregation,
        Mode::Colocated => {}
    }
    let group = case.measure.split('.').next().unwrap_or_default();
    match group {
        "limits" | "at_capacity" => View::Limits,
        "instances" => View::Papers,
        "helix" => View::Plans,
        _ => View::Explore,
    }
}
