//! Measured times vs. the band of published runs.

use crate::math;
use crate::named::named;

use super::next::Next;
use super::ranges::Evidence;
use super::shape::{Shape, shape};
use super::suspects::{Observed, Suspect, named, suspects};
use super::terms::Term;

named! {
    /// Side of a band.
    pub enum Side {
        /// Within it.
        Normal = "normal",
        /// Longer times.
        Slower = "slower",
        /// Shorter times.
        Faster = "faster",
    }
}

/// A point vs. its band.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// Measured over computed.
    pub off: f64,
    /// Ends of the band in seconds; `None` without published runs of its class.
    pub band: Option<[f64; 2]>,
    /// Its side of the band.
    pub side: Option<Side>,
}

/// Measured points, diagnosed.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// Side of the point that is farthest outside its band; `None` without a band.
    pub verdict: Option<Side>,
    /// The points, in the order given.
    pub points: Vec<Judged>,
    /// Place of the point that is farthest outside its band, or nearest to its end; without bands, of the last.
    pub farthest: usize,
    /// Suspects, the likeliest first, those that cannot be last.
    pub suspects: Vec<Suspect>,
    /// The likeliest, at most three; none: no single term explains it.
    pub top: Vec<Term>,
    /// A term that several points inside their bands fit closely: a pattern, though the times are normal.
    pub pattern: Option<Term>,
    /// Growth of the excess, of two points or more.
    pub shape: Option<Shape>,
    /// The next measurement.
    pub next: Next,
}

/// Root mean square below which points fit one term closely, and its least factor.
const PATTERN: (f64, f64) = (0.02, 1.5);

/// Diagnoses measured points; bands are factors on the computed times. `None` without points.
pub fn diagnose(
    points: &[Observed],
    bands: &[Option<[f64; 2]>],
    evidence: &[Evidence],
) -> Option<Diagnosis> {
    if points.is_empty() {
        return None;
    }
    let bands = bands.iter().copied().chain(std::iter::repeat(None));
    let judged: Vec<(Judged, f64)> = points
        .iter()
        .zip(bands)
        .map(|(point, band)| judge(point, band))
        .collect();
    let outside = |place: &usize| judged[*place].1;
    let farthest =
        (0..judged.len()).max_by(|one, other| outside(one).total_cmp(&outside(other)))?;
    let verdict = judged[farthest].0.side;
    let suspects = suspects(points, evidence);
    let top = named(&suspects);
    let first = suspects.first().filter(|first| {
        let (rms, factor) = PATTERN;
        points.len() > 1
            && first.impossible.is_none()
            && first.rms < rms
            && first.factor >= factor
            && top.first() == Some(&first.term)
    });
    Some(Diagnosis {
        verdict,
        farthest,
        points: judged.into_iter().map(|(judged, _)| judged).collect(),
        pattern: first.map(|first| first.term),
        next: Next::of(points, &top, evidence),
        shape: shape(points),
        suspects,
        top,
    })
}

/// A point vs. its band, and its distance outside as a logarithm: below 0 inside.
fn judge(point: &Observed, band: Option<[f64; 2]>) -> (Judged, f64) {
    let off = point.off();
    let Some([low, high]) = band else {
        let judged = Judged {
            off,
            band: None,
            side: None,
        };
        return (judged, f64::NEG_INFINITY);
    };
    let (below, above) = (math::ln(low / off), math::ln(off / high));
    let side = if above > 0.0 {
        Side::Slower
    } else if below > 0.0 {
        Side::Faster
    } else {
        Side::Normal
    };
    let computed = point.terms.total();
    let judged = Judged {
        off,
        band: Some([low * computed, high * computed]),
        side: Some(side),
    };
    (judged, above.max(below))
}
