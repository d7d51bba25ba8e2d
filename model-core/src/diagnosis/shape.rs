//! Fits the growth of excess time with batch and context. The excess is the measured minus the computed step time.

use super::suspects::Observed;

/// Fit of the excess of measured over computed step times: a + b·B + c·B·S in seconds, with batch B and context S.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Measured minus computed step time at each point, in seconds.
    pub excess: Vec<f64>,
    /// Fixed part `a` of the excess time, in seconds.
    pub fixed: f64,
    /// Excess `b` per sequence; `None` if all points have the same batch.
    pub per_sequence: Option<f64>,
    /// Excess `c` per context token of each sequence. `None` if all points have the same context, or if there are only
    /// two points, which differ in both batch and context.
    pub per_token: Option<f64>,
    /// Largest part of the excess, at the point that has the largest excess.
    pub mostly: Mostly,
}

/// The largest part of the excess time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mostly {
    /// Fixed part: latency of collectives, kernel launches, host time.
    Fixed,
    /// Part per sequence: weights of more experts, compute, bytes over links.
    PerSequence,
    /// Part per token of context: KV-cache reads.
    PerContext,
}

impl Mostly {
    /// Returns the identifier used in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::PerSequence => "per_sequence",
            Self::PerContext => "per_context",
        }
    }
}

/// Min ratio of two batches, or of two contexts, that count as different.
const DIFFERS: f64 = 1.25;

/// True if the largest of several positive values is more than 1.25 times the smallest.
pub fn differs(values: impl Iterator<Item = f64>) -> bool {
    let (least, most) = values.fold((f64::INFINITY, 0.0_f64), |(least, most), value| {
        (least.min(value), most.max(value))
    });
    most > DIFFERS * least
}

/// Fits the excess by least squares. Returns `None` if there are fewer points than parts, or if the points do not
/// separate the parts.
pub fn shape(points: &[Observed]) -> Option<Shape> {
    let excess = |point: &Observed| (point.measured - point.terms.total()) * point.yielded;
    let batches = differs(points.iter().map(|point| point.batch));
    let contexts = differs(points.iter().map(|point| point.context));
    // If there are only two points and both batch and context differ, the fit uses batch only.
    let by_context = contexts && (!batches || points.len() > 2);
    if points.len() < 2 || !batches && !by_context {
        return None;
    }
    let columns = |point: &Observed| {
        [
            1.0,
            if batches { point.batch } else { 0.0 },
            if by_context {
                point.batch * point.context
            } else {
                0.0
            },
        ]
    };
    let rows: Vec<([f64; 3], f64)> = points
        .iter()
        .map(|point| (columns(point), excess(point)))
        .collect();
    let parts = least_squares(&rows, [true, batches, by_context])?;
    let largest = rows
        .iter()
        .max_by(|one, other| one.1.abs().total_cmp(&other.1.abs()))?;
    let mut shares = [Mostly::Fixed, Mostly::PerSequence, Mostly::PerContext]
        .into_iter()
        .zip(
            parts
                .iter()
                .zip(&largest.0)
                .map(|(part, column)| (part * column).abs()),
        );
    let first = shares.next()?;
    let (mostly, _) = shares.fold(
        first,
        |best, next| if next.1 > best.1 { next } else { best },
    );
    let [fixed, sequence, token] = parts;
    Some(Shape {
        excess: rows.iter().map(|(_, excess)| *excess).collect(),
        fixed,
        per_sequence: batches.then_some(sequence),
        per_token: by_context.then_some(token),
        mostly,
    })
}

/// Returns the least-squares coefficients of the columns in use. The columns are scaled first, so that their
/// magnitudes do not matter.
fn least_squares(rows: &[([f64; 3], f64)], used: [bool; 3]) -> Option<[f64; 3]> {
    let mut scale = [1.0_f64; 3];
    for (place, scale) in scale.iter_mut().enumerate() {
        *scale = rows
            .iter()
            .map(|(row, _)| row[place].abs())
            .fold(0.0, f64::max);
    }
    let mut matrix = [[0.0_f64; 4]; 3];
    for (at, line) in matrix.iter_mut().enumerate() {
        if !used[at] {
            line[at] = 1.0;
            continue;
        }
        for (row, value) in rows {
            let column = |place: usize| row[place] / scale[place];
            for (place, cell) in line.iter_mut().take(3).enumerate() {
                if used[place] {
                    *cell += column(at) * column(place);
                }
            }
            line[3] += column(at) * value;
        }
    }
    let solved = solve(matrix)?;
    let mut parts = [0.0; 3];
    for (place, part) in parts.iter_mut().enumerate() {
        if used[place] {
            *part = solved[place] / scale[place];
        }
    }
    Some(parts)
}

/// Pivot below which the equations count as singular, because the points do not separate the unknowns.
const SINGULAR: f64 = 1e-9;

/// Solves three linear equations by elimination with pivoting; `None` if they are singular.
fn solve(mut matrix: [[f64; 4]; 3]) -> Option<[f64; 3]> {
    for at in 0..3 {
        let pivot = (at..3)
            .max_by(|one, other| matrix[*one][at].abs().total_cmp(&matrix[*other][at].abs()))?;
        matrix.swap(at, pivot);
        if matrix[at][at].abs() < SINGULAR {
            return None;
        }
        let pivot = matrix[at];
        for (row, line) in matrix.iter_mut().enumerate() {
            if row != at {
                let share = line[at] / pivot[at];
                for (cell, of_pivot) in line.iter_mut().zip(pivot) {
                    *cell -= share * of_pivot;
                }
            }
        }
    }
    Some([0, 1, 2].map(|at| matrix[at][3] / matrix[at][at]))
}
