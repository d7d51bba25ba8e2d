//! Factors by which deployments deviate from computed times in practice, and the effect of evidence on a suspicion.
//! All values are judgment: nothing here is fitted.

use crate::math;
use crate::named::named;

use super::terms::Term;

named! {
    /// A fact about a deployment that helps to explain its measured times.
    pub enum Evidence {
        /// CUDA graphs are off.
        GraphOff = "graph_off",
        /// CUDA graphs are on.
        GraphOn = "graph_on",
        /// The host takes longer for a step than the GPU does.
        HostBound = "host_bound",
        /// Links within the scale-up domain are PCIe.
        Pcie = "pcie",
        /// GPUs cannot transfer data to each other directly, or the engine's custom all-reduce is disabled.
        P2pOff = "p2p_off",
        /// A parallelism group of GPUs spans more than one scale-up domain.
        TpAcrossDomains = "tp_across_domains",
        /// GPU clocks are below their rated values.
        ClocksLow = "clocks_low",
        /// Speculative decoding is on, and its acceptance is set in the scenario's inputs.
        AcceptanceStated = "acceptance_stated",
        /// Speculative decoding is on, and its acceptance is assumed.
        AcceptanceAssumed = "acceptance_assumed",
        /// The engine drafts no tokens.
        NoDrafts = "no_drafts",
        /// The deployment only decodes: no prompts are prefilled on it.
        DecodeOnly = "decode_only",
        /// The log includes prefill, but the computed times are for decode only.
        PrefillMixed = "prefill_mixed",
        /// The number format of the weights is unknown.
        DtypeUnknown = "dtype_unknown",
    }
}

/// A range of factors on a term, from lowest to highest.
type Range = (f64, f64);

struct Practice {
    term: Term,
    /// Suspicion that the term is slower than computed: weight, and ranges of factors met in practice.
    slower: (f64, &'static [Range]),
    /// Suspicion that the term is faster than computed: weight, and ranges of factors met in practice.
    faster: (f64, &'static [Range]),
    /// Range of factors on the term if GPUs are connected by a slow path; used if evidence shows such a path.
    slow_path: Option<Range>,
}

/// Factors met in practice, by term. Separate ranges cover FP8 and FP4 weights that are read as BF16, and a KV cache
/// that is twice as wide as assumed.
const PRACTICE: [Practice; 9] = [
    practice(Term::Start, (1.0, &[(1.1, 12.0)]), (1.0, &[(0.2, 0.9)])),
    Practice {
        slow_path: Some((2.0, 40.0)),
        ..practice(Term::Latency, (0.8, &[(1.3, 4.0)]), (0.3, &[(0.3, 0.9)]))
    },
    Practice {
        slow_path: Some((1.5, 16.0)),
        ..practice(Term::Bytes, (0.8, &[(1.2, 3.0)]), (0.3, &[(0.3, 0.9)]))
    },
    practice(
        Term::Weights,
        (0.8, &[(1.05, 1.5), (1.7, 2.3), (3.4, 4.6)]),
        (0.6, &[(0.45, 0.95), (0.22, 0.3)]),
    ),
    practice(
        Term::Cache,
        (0.5, &[(1.05, 1.5), (1.7, 2.3)]),
        (0.3, &[(0.45, 0.95)]),
    ),
    practice(Term::Compute, (0.6, &[(1.2, 4.0)]), (0.4, &[(0.4, 0.95)])),
    practice(Term::Prefill, (1.0, &[(1.2, 6.0)]), (0.8, &[(0.02, 0.9)])),
    practice(
        Term::Imbalance,
        (0.5, &[(1.05, 3.2)]),
        (0.4, &[(0.5, 0.95)]),
    ),
    practice(
        Term::Acceptance,
        (0.8, &[(1.05, 4.0)]),
        (0.8, &[(0.2, 0.95)]),
    ),
];

const fn practice(
    term: Term,
    slower: (f64, &'static [Range]),
    faster: (f64, &'static [Range]),
) -> Practice {
    Practice {
        term,
        slower,
        faster,
        slow_path: None,
    }
}

/// Factors by which a piece of evidence multiplies the score of a term.
const MULTIPLIERS: [(Evidence, Term, f64); 17] = [
    (Evidence::GraphOff, Term::Start, 8.0),
    (Evidence::HostBound, Term::Start, 8.0),
    (Evidence::GraphOn, Term::Start, 0.3),
    (Evidence::Pcie, Term::Latency, 3.0),
    (Evidence::Pcie, Term::Bytes, 3.0),
    (Evidence::P2pOff, Term::Latency, 8.0),
    (Evidence::P2pOff, Term::Bytes, 4.0),
    (Evidence::TpAcrossDomains, Term::Latency, 6.0),
    (Evidence::TpAcrossDomains, Term::Bytes, 6.0),
    (Evidence::ClocksLow, Term::Compute, 6.0),
    (Evidence::AcceptanceStated, Term::Acceptance, 0.0),
    (Evidence::NoDrafts, Term::Acceptance, 0.0),
    (Evidence::AcceptanceAssumed, Term::Acceptance, 3.0),
    (Evidence::DecodeOnly, Term::Prefill, 0.0),
    (Evidence::PrefillMixed, Term::Prefill, 3.0),
    (Evidence::DtypeUnknown, Term::Weights, 2.0),
    (Evidence::DtypeUnknown, Term::Cache, 2.0),
];

/// Ratio between a factor and the nearest end of the range met in practice, at which the factor's plausibility
/// halves.
const HALVES: f64 = 1.5;
/// Root mean square of the log residuals at which a score halves. Large residuals mean that the points disagree.
const DISAGREES: f64 = 0.05;

impl Evidence {
    const fn is_slow_path(self) -> bool {
        matches!(self, Self::Pcie | Self::P2pOff | Self::TpAcrossDomains)
    }

    /// True if this evidence makes a term a more likely cause.
    pub fn names(self, term: Term) -> bool {
        let mut rows = MULTIPLIERS.iter();
        rows.any(|(evidence, named, factor)| *evidence == self && *named == term && *factor > 1.0)
    }
}

/// Returns the weight of a term, and the ranges of the term's factors that are met in practice.
pub fn met(term: Term, slower: bool, evidence: &[Evidence]) -> (f64, Vec<Range>) {
    let Some(practice) = PRACTICE.iter().find(|practice| practice.term == term) else {
        return (0.0, Vec::new());
    };
    let (weight, ranges) = if slower {
        practice.slower
    } else {
        practice.faster
    };
    let slow = evidence.iter().any(|evidence| evidence.is_slow_path());
    match practice.slow_path.filter(|_| slow && slower) {
        Some(range) => (weight, vec![range]),
        None => (weight, ranges.to_vec()),
    }
}

/// Returns the score of a term: weight · 2^−(d/ln 1.5)² · evidence · 2^−(rms/0.05)². Here, d is the distance of ln
/// `factor` from the log of the nearest range met in practice. `evidence` is the product of the term's multipliers for
/// the known evidence.
pub fn score(term: Term, factor: f64, rms: f64, slower: bool, evidence: &[Evidence]) -> f64 {
    if factor <= 0.0 {
        return 0.0;
    }
    let (weight, ranges) = met(term, slower, evidence);
    let log = math::ln(factor);
    let distance = ranges
        .iter()
        .map(|(low, high)| (math::ln(*low) - log).max(log - math::ln(*high)).max(0.0))
        .fold(f64::INFINITY, f64::min);
    let halvings = |ratio: f64| math::pow(2.0, -ratio * ratio);
    let known = MULTIPLIERS
        .iter()
        .filter(|(of, named, _)| *named == term && evidence.contains(of))
        .map(|(_, _, factor)| factor)
        .product::<f64>();
    weight * halvings(distance / math::ln(HALVES)) * known * halvings(rms / DISAGREES)
}
