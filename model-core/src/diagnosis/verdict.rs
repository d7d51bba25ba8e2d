//! Comparison of measured times with the band of published runs.

use crate::math;
use crate::named::named;

use super::next::Next;
use super::ranges::Evidence;
use super::shape::{Shape, shape};
use super::suspects::{Observed, Suspect, named, suspects};
use super::terms::Term;

named! {
    /// Position of a measured time relative to its band.
    pub enum Side {
        /// Within the band.
        Normal = "normal",
        /// Slower than the band.
        Slower = "slower",
        /// Faster than the band.
        Faster = "faster",
    }
}

/// A measured point compared with its band.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// Ratio of measured to computed time.
    pub off: f64,
    /// Lower and upper end of the band in seconds; `None` without published runs of its class.
    pub band: Option<[f64; 2]>,
    /// Position of the point relative to its band; `None` without a band.
    pub side: Option<Side>,
}

/// The diagnosis of a set of measured points.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// Position of the point that is farthest outside its band; `None` without a band.
    pub verdict: Option<Side>,
    /// The points compared with their bands, in the order given.
    pub points: Vec<Judged>,
    /// Index of the point that is farthest outside its band or, if all are inside, nearest to an end of its band.
    /// Without bands, the last point.
    pub farthest: usize,
    /// Suspects, the likeliest first and infeasible ones last.
    pub suspects: Vec<Suspect>,
    /// The likeliest suspects, at most three. Empty if no single term explains the times.
    pub top: Vec<Term>,
    /// A term that fits several points closely: a pattern even if the times are within their bands.
    pub pattern: Option<Term>,
    /// Growth of the excess with batch and context; needs two points or more.
    pub shape: Option<Shape>,
    /// The next measurement to take.
    pub next: Next,
}

/// Root mean square below which one term fits points closely, and the least factor on that term.
const PATTERN: (f64, f64) = (0.02, 1.5);

/// Diagnoses measured points. Bands are factors on the computed times. Returns `None` without points.
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

/// Compares a point with its band. Also returns its distance outside the band as a logarithm, which is below 0 inside
/// the band.
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
