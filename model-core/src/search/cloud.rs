//! The candidates that a picture shows faintly: thinned, so that a million cost no more than a
//! thousand.

use std::collections::HashSet;

use crate::sweep::{Family, Point};

/// A candidate that stands for those around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Faint {
    /// Its family.
    pub family: Family,
    /// Tokens per second of one user.
    pub tokens_per_user: f64,
    /// Tokens per second of one GPU.
    pub tokens_per_gpu: f64,
}

/// At most [`Cloud::MOST`] candidates, one in each cell of a grid that grows coarser as it fills.
///
/// The grid divides every doubling of either rate into 2^`bits` equal parts and keeps families apart.
/// Of a cell the first candidate stays, so the order of candidates alone decides.
#[derive(Debug, Clone)]
pub struct Cloud {
    points: Vec<Faint>,
    cells: HashSet<(u8, u32, u32)>,
    bits: u32,
}

impl Default for Cloud {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            cells: HashSet::new(),
            bits: Self::FINEST,
        }
    }
}

impl Cloud {
    /// Candidates kept at most.
    pub const MOST: usize = 4000;
    /// Parts of a doubling to begin with, as a power of two.
    const FINEST: u32 = 6;

    /// Takes a candidate in, if its cell is empty.
    pub fn take(&mut self, point: &Point) {
        self.keep(Faint {
            family: point.family,
            tokens_per_user: point.tokens_per_user,
            tokens_per_gpu: point.tokens_per_gpu,
        });
    }

    fn keep(&mut self, faint: Faint) {
        if self.cells.insert(cell(&faint, self.bits)) {
            self.points.push(faint);
            while self.points.len() > Self::MOST && self.bits > 0 {
                self.coarsen();
            }
        }
    }

    /// A cloud of points that were thinned before.
    pub fn of(points: impl IntoIterator<Item = Faint>) -> Self {
        let mut cloud = Self::default();
        for faint in points {
            cloud.keep(faint);
        }
        cloud
    }

    /// What it holds, in the order it came.
    pub fn points(&self) -> &[Faint] {
        &self.points
    }

    fn coarsen(&mut self) {
        self.bits -= 1;
        self.cells.clear();
        let (cells, bits) = (&mut self.cells, self.bits);
        self.points.retain(|faint| cells.insert(cell(faint, bits)));
    }
}

/// Exponent and leading bits of the fraction of both rates: cells of equal share, without a logarithm.
fn cell(faint: &Faint, bits: u32) -> (u8, u32, u32) {
    let leading = |value: f64| (value.to_bits() >> (52 - bits)) as u32;
    (
        faint.family.rank() as u8,
        leading(faint.tokens_per_user),
        leading(faint.tokens_per_gpu),
    )
}
