//! Comparison of measured times with the error bands of published runs.

use crate::math;
use crate::named::named;

use super::next::Next;
use super::ranges::Evidence;
use super::shape::{Shape, shape};
use super::suspects::{Observed, Suspect, named, suspects};
use super::terms::Term;

named! {
    /// Position of a measured time relative to its error band.
    pub enum Side {
        /// Within the error band.
        Normal = "normal",
        /// Slower than the error band.
        Slower = "slower",
        /// Faster than the error band.
        Faster = "faster",
    }
}

/// A measured point, compared with the error band around its computed time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// Ratio of measured to computed time.
    pub off: f64,
    /// Lower and upper end of the error band, in seconds; `None` if there are no published runs of the point's class.
    pub band: Option<[f64; 2]>,
    /// Position of the point relative to its error band; `None` without a band.
    pub side: Option<Side>,
}

/// The diagnosis of a set of measured points.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// Position of the point `farthest` relative to its error band; `None` without a band.
    pub verdict: Option<Side>,
    /// The points compared with their error bands, in the order given.
    pub points: Vec<Judged>,
    /// Index of the point that is farthest outside its error band. If all points are inside, the point nearest to an
    /// end of its band; without bands, the last point.
    pub farthest: usize,
    /// Suspects, the likeliest first and infeasible ones last.
    pub suspects: Vec<Suspect>,
    /// The likeliest suspects, at most three; empty if no single term explains the measured times.
    pub top: Vec<Term>,
    /// A term that closely fits several points; this is a pattern even if the times are within their error bands.
    pub pattern: Option<Term>,
    /// Growth of the excess time with batch and context; `None` with fewer than two points, or if batch and context
    /// hardly vary.
    pub shape: Option<Shape>,
    /// The next measurement to take.
    pub next: Next,
}

/// Limits for reporting one term as a pattern: max root mean square of the residuals, and min factor on the term.
const PATTERN: (f64, f64) = (0.02, 1.5);

/// Diagnoses measured points. The error bands are given as factors on the computed times. Returns `None` without
/// points.
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

/// Compares a point with its error band. Also returns the log of its distance outside the band, which is below 0
/// inside the band.
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
