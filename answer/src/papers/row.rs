//! One published number vs. the computed one, in words and as a mark.

use super::texts::PAPERS;
use crate::words::format;
use model_core::inputs::Mode;
use model_core::math::ln;
use model_core::measured::Run;
use model_core::permalink::{self, Paper, View};
use model_core::source::Source;
use papers::{Case, Judged, Judgement, Tolerance};

/// Outcome of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reproduction {
    /// Within its tolerance.
    Met,
    /// Outside, for a declared reason.
    Gap,
    /// Still being simulated.
    Waiting,
    /// Outside without a reason, or without a value: a test forbids it.
    Wrong,
}

/// A row's error on a log axis from half to twice, both ends included: 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorMark {
    /// Position of the computed value.
    pub at: f64,
    /// The tolerance's ends.
    pub band: (f64, f64),
    /// The value is beyond an end of the axis.
    pub beyond: bool,
}

impl ErrorMark {
    /// The mark of ln(computed/published).
    pub fn new(off: f64, band: (f64, f64)) -> Self {
        Self {
            at: along(off),
            band,
            beyond: off.abs() > ln(2.0),
        }
    }
}

/// A published number, claim or measured run vs. the computed value.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceRow {
    /// The paper of a number or claim.
    pub paper: Option<Paper>,
    /// The quantity, or the measured system.
    pub what: String,
    /// The measured run.
    pub run: &'static str,
    /// Place: "[A] Table 3", or a publication.
    pub place: String,
    /// The publication of a measured run.
    pub source: Option<Source>,
    /// The published value, with its unit.
    pub published: String,
    /// The computed value, with its unit; empty while it is simulated.
    pub computed: String,
    /// Both as numbers.
    pub amounts: (f64, f64),
    /// "+1.2%", "17×"; empty if nothing compares.
    pub error: String,
    /// The same as a mark.
    pub mark: Option<ErrorMark>,
    /// Tolerance, gap or kind of run, in a word or two.
    pub word: String,
    /// The reason for the tolerance or the gap, or what is not published of a run.
    pub reason: String,
    /// Outcome.
    pub state: Reproduction,
    /// True for a bound or a direction.
    pub claim: bool,
    /// True if it counts for the accuracy of its kind.
    pub counts: bool,
    /// The link that opens it, without its `?`.
    pub link: String,
    /// The measured run, if the page can be anchored to it.
    pub anchor: Option<&'static Run>,
    /// ln(computed/published); NaN without a comparison.
    pub(super) off: f64,
}

impl EvidenceRow {
    /// A row whose quantity is still simulated.
    pub fn waiting(paper: Paper, case: &'static Case) -> Self {
        Self::new(paper, case, f64::NAN, Reproduction::Waiting)
    }

    /// A judged case.
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

    /// True if every word occurs in the row.
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

    /// Absolute natural logarithm of the error; zero if a bound holds.
    pub fn size(&self) -> f64 {
        if self.off.is_finite() {
            self.off.abs()
        } else {
            0.0
        }
    }
}

/// ln(computed/published); for a bound, the logarithm beyond it.
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

/// Half to twice becomes 0 to 1.
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
        // The band of a bound is its side of the axis; between two bounds the error is zero.
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

/// A value of a case with its unit, in up to four digits.
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
        // 22.0M FLOP is 22.0 MFLOP: the suffix stays with the number.
        unit => format!("{digits} {unit}"),
    }
}

fn is_ratio(case: &Case) -> bool {
    case.against.is_some()
        || case.measure.starts_with("helix.")
        || case.measure.ends_with("gain")
        || case.measure == "reordering.best"
}

/// Link that opens the case in its view, with the scenario that it is divided by pinned.
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

/// The view that shows the quantity of a case.
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
