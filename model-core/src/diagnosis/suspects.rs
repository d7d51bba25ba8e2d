//! Search for a single term that explains a measured time, and for the factor by which this term must differ from its
//! computed value.

use crate::math;

use super::ranges::{Evidence, score};
use super::terms::{Term, Terms};

/// A measured point with its computed terms. Times are in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observed {
    /// Measured time per output token, m.
    pub measured: f64,
    /// Computed terms; their total is c, the computed time per output token.
    pub terms: Terms,
    /// Number of sequences in the batch, B.
    pub batch: f64,
    /// Mean context of a sequence in tokens, S.
    pub context: f64,
    /// Tokens that a step yields per sequence, y.
    pub yielded: f64,
    /// Number of draft tokens per step, δ.
    pub drafts: f64,
    /// Expert balancedness, β.
    pub beta: f64,
    /// Number of expert groups, EP.
    pub ep: f64,
}

impl Observed {
    /// Returns the ratio of measured to computed time per output token.
    pub fn off(&self) -> f64 {
        self.measured / self.terms.total()
    }

    /// Returns the part of the time per token that grows with a suspected cause. Also returns its slack: the time by
    /// which the part can grow without lengthening the step.
    fn part(&self, term: Term) -> (f64, f64) {
        let terms = &self.terms;
        match term {
            Term::Imbalance => (terms.experts, terms.slack_of(term)),
            Term::Acceptance => (terms.total() - terms.of(Term::Prefill), 0.0),
            _ => (terms.of(term), terms.slack_of(term)),
        }
    }

    /// Returns the factor by which a suspected cause alone would explain the measured time: k = 1 + (m − c +
    /// slack)/q, for measured time m, computed time c and the cause's part q.
    pub fn factor(&self, term: Term) -> f64 {
        let (part, slack) = self.part(term);
        1.0 + (self.measured - self.terms.total() + slack) / part
    }

    /// Returns the time per token after the part that grows with a suspected cause is multiplied by `factor`.
    pub fn time(&self, term: Term, factor: f64) -> f64 {
        let (part, slack) = self.part(term);
        self.terms.total() + (factor - 1.0) * part - slack
    }

    /// Returns the reason why a term cannot differ by `factor`; `None` if it can.
    fn impossible(&self, term: Term, factor: f64, evidence: &[Evidence]) -> Option<Impossible> {
        match term {
            Term::Imbalance => {
                let beta = self.beta / factor;
                let possible = factor > 0.0 && beta <= 1.0 && beta >= 1.0 / self.ep;
                (!possible).then_some(Impossible::Balance)
            }
            Term::Acceptance => {
                let open = self.drafts < 1.0 && !evidence.contains(&Evidence::NoDrafts);
                let most = if open { MOST_DRAFTS } else { self.drafts } + 1.0;
                let yielded = self.yielded / factor;
                let possible = factor > 0.0 && (1.0..=most).contains(&yielded);
                (!possible).then_some(Impossible::Tokens)
            }
            _ if factor <= 0.0 => Some(Impossible::Negative),
            _ => {
                let floor = self.terms.floor(term);
                (factor < floor).then(|| Impossible::BeyondPeak {
                    peaks: floor / factor,
                })
            }
        }
    }
}

/// Max draft tokens per step that are considered feasible if the number of draft tokens is unknown.
const MOST_DRAFTS: f64 = 8.0;
/// Fraction of the total time below which a term is too small to matter.
const TOO_SMALL: f64 = 0.005;
/// Min score of a suspect that is named, as a fraction of the top suspect's score.
const NAMED: f64 = 0.05;
const MOST_NAMED: usize = 3;

/// Reason why a term cannot explain a measured time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Impossible {
    /// The term would be faster than the hardware's peak.
    BeyondPeak {
        /// Rate that the term would need, as a multiple of the hardware's peak.
        peaks: f64,
    },
    /// The term's time would be negative, because the other terms alone take longer than the measured time.
    Negative,
    /// Expert balancedness would be outside 1/EP to 1.
    Balance,
    /// Tokens per step would be outside 1 to δ + 1, with δ draft tokens.
    Tokens,
}

/// A suspected term, with the factors by which a deviation of this term alone explains the measured times.
#[derive(Debug, Clone, PartialEq)]
pub struct Suspect {
    /// The suspected term.
    pub term: Term,
    /// Factor on the term that explains the measured time, for each point.
    pub factors: Vec<f64>,
    /// Reason why the term cannot be the cause, found at one of the points; `None` if the term can be the cause.
    pub impossible: Option<Impossible>,
    /// Factor on the term that best fits all points.
    pub factor: f64,
    /// Root mean square of ln(measured/computed) after correcting the term by `factor`. For terms with fixed time, a
    /// constant excess per step is used instead if it fits better.
    pub rms: f64,
    /// Score for the likelihood that the term is the cause.
    pub score: f64,
    /// For latency only: seconds per collective at the first point, first as computed, then as needed to explain the
    /// measured time.
    pub each: Option<[f64; 2]>,
    /// For imbalance only: the expert balancedness that explains the first point.
    pub beta: Option<f64>,
    /// For acceptance only: the tokens per step that explain the first point.
    pub yielded: Option<f64>,
}

/// Returns every suspect whose term is large enough to matter, the likeliest first and infeasible ones last. Empty
/// without points.
pub fn suspects(points: &[Observed], evidence: &[Evidence]) -> Vec<Suspect> {
    let mut all: Vec<Suspect> = Term::ALL
        .into_iter()
        .filter_map(|term| suspect(points, term, evidence))
        .collect();
    crate::order::sort_by(&mut all, |one, other| {
        let least = |suspect: &Suspect| math::ln(suspect.factor.max(f64::MIN_POSITIVE)).abs();
        let last = |suspect: &Suspect| suspect.impossible.is_some();
        last(one)
            .cmp(&last(other))
            .then(other.score.total_cmp(&one.score))
            .then(least(one).total_cmp(&least(other)))
    });
    all
}

/// Returns the likeliest feasible suspects, at most three.
pub fn named(suspects: &[Suspect]) -> Vec<Term> {
    let first = suspects.first().map_or(0.0, |suspect| suspect.score);
    let likely = |suspect: &&Suspect| {
        suspect.impossible.is_none() && suspect.score > 0.0 && suspect.score >= NAMED * first
    };
    let named = suspects.iter().filter(likely).take(MOST_NAMED);
    named.map(|suspect| suspect.term).collect()
}

fn suspect(points: &[Observed], term: Term, evidence: &[Evidence]) -> Option<Suspect> {
    let first = points.first()?;
    let matters = |point: &Observed| point.part(term).0 >= TOO_SMALL * point.terms.total();
    if !points.iter().all(matters) || term == Term::Imbalance && first.ep <= 1.0 {
        return None;
    }
    let factors: Vec<f64> = points.iter().map(|point| point.factor(term)).collect();
    let mut reasons = points.iter().zip(&factors);
    let impossible = reasons.find_map(|(point, factor)| point.impossible(term, *factor, evidence));
    let (factor, rms) = common(points, term, &factors);
    let mean = points.iter().map(Observed::off).sum::<f64>() / points.len() as f64;
    let score = match impossible {
        Some(_) => 0.0,
        None => score(term, factor, rms, mean >= 1.0, evidence),
    };
    let own = factors.first().copied().unwrap_or(1.0);
    let each = first.terms.of(term) * first.yielded / first.terms.collectives;
    Some(Suspect {
        term,
        impossible,
        factor,
        rms,
        score,
        each: (term == Term::Latency && each.is_finite()).then_some([each, each * own]),
        beta: (term == Term::Imbalance).then_some(first.beta / own),
        yielded: (term == Term::Acceptance).then_some(first.yielded / own),
        factors,
    })
}

/// Fits one factor on a term to all points, by least squares of the log residuals. Also returns the root mean square
/// of these residuals.
fn common(points: &[Observed], term: Term, factors: &[f64]) -> (f64, f64) {
    let [only] = factors else {
        let (least, most) = ends(factors);
        let off = |factor: f64| rms(points, |point| point.time(term, factor));
        let factor = lowest(least.max(0.0), most.max(0.0), off);
        if !term.is_fixed() {
            return (factor, off(factor));
        }
        let of_step = |point: &Observed| (point.measured - point.terms.total()) * point.yielded;
        let excess: Vec<f64> = points.iter().map(of_step).collect();
        let (least, most) = ends(&excess);
        let off_by =
            |excess: f64| rms(points, |point| point.terms.total() + excess / point.yielded);
        let best = lowest(least, most, off_by);
        return (factor, off(factor).min(off_by(best)));
    };
    (*only, 0.0)
}

fn ends(values: &[f64]) -> (f64, f64) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (least, most)
}

/// Returns the root mean square of ln(m/T), with measured time m and computed time T; infinite if a time is not
/// positive.
fn rms(points: &[Observed], time: impl Fn(&Observed) -> f64) -> f64 {
    let squares = points.iter().map(|point| {
        let ratio = point.measured / time(point);
        if ratio > 0.0 {
            let log = math::ln(ratio);
            log * log
        } else {
            f64::INFINITY
        }
    });
    (squares.sum::<f64>() / points.len() as f64).sqrt()
}

/// Iterations of the golden-section search, enough for full precision.
const STEPS: usize = 100;

/// Returns the argument between `least` and `most` at which a function with a single minimum is lowest.
fn lowest(least: f64, most: f64, of: impl Fn(f64) -> f64) -> f64 {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (least, most);
    for _ in 0..STEPS {
        let reach = (high - low) * golden;
        let (left, right) = (high - reach, low + reach);
        if of(left) <= of(right) {
            high = right;
        } else {
            low = left;
        }
    }
    f64::midpoint(low, high)
}
