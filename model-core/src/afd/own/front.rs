//! The Pareto front of one side (colocated or AFD), and the search for batch or micro-batch sizes that may extend it.

use super::Way;

/// Candidates of one side (colocated or AFD), with the indices of those that are Pareto-optimal.
#[derive(Debug, Default)]
pub struct Front {
    /// Every candidate, in the order in which it was computed.
    pub ways: Vec<Way>,
    /// Indices of the Pareto-optimal candidates, in order of falling interactivity and rising throughput.
    best: Vec<usize>,
}

impl Front {
    /// Returns the Pareto-optimal candidates, highest interactivity first.
    pub fn best(&self) -> Vec<Way> {
        self.best.iter().map(|index| self.ways[*index]).collect()
    }

    /// Adds a candidate and returns its index. The candidate is Pareto-optimal unless another one has at least the
    /// same interactivity and throughput.
    pub fn take(&mut self, way: Way) -> usize {
        let index = self.ways.len();
        self.ways.push(way);
        let finite = way.users.is_finite() && way.per_gpu.is_finite() && way.per_gpu > 0.0;
        if !finite || self.beats(way.users, way.per_gpu) {
            return index;
        }
        let Self { ways, best } = self;
        let at = best.partition_point(|known| ways[*known].users > way.users);
        let beaten = best[at..].partition_point(|known| ways[*known].per_gpu <= way.per_gpu);
        best.splice(at..at + beaten, [index]);
        index
    }

    /// True if a known candidate has at least interactivity `users` and throughput `per_gpu`.
    fn beats(&self, users: f64, per_gpu: f64) -> bool {
        let as_fast = self
            .best
            .partition_point(|known| self.ways[*known].users >= users);
        let last = as_fast.checked_sub(1);
        last.is_some_and(|last| self.ways[self.best[last]].per_gpu >= per_gpu)
    }

    /// Adds candidates for some of `count` ascending (micro-)batch sizes; returns their indices, sorted by size. Sizes
    /// between two computed sizes are skipped if they cannot extend the front and are not `wanted`.
    ///
    /// This assumes that interactivity never rises as the size grows. It also assumes that throughput never falls,
    /// except where the rows start another GEMM tile.
    pub fn take_sizes(
        &mut self,
        count: usize,
        wanted: &dyn Fn(&Way, &Way) -> bool,
        at: &mut dyn FnMut(usize) -> Option<Way>,
    ) -> Vec<usize> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        let mut open: Vec<[(usize, usize); 2]> = Vec::new();
        let ends = [0, count.saturating_sub(1)];
        for size in ends.into_iter().take(count) {
            if let Some(way) = at(size) {
                found.push((size, self.take(way)));
            }
        }
        if let [first, last] = found[..] {
            open.push([first, last]);
        }
        while let Some([low, high]) = open.pop() {
            let middle = usize::midpoint(low.0, high.0);
            let (slow, fast) = (&self.ways[high.1], &self.ways[low.1]);
            let extends = !self.beats(fast.users, fast.per_gpu.max(slow.per_gpu));
            if middle == low.0 || !extends && !wanted(fast, slow) {
                continue;
            }
            if let Some(way) = at(middle) {
                let middle = (middle, self.take(way));
                found.push(middle);
                open.extend([[low, middle], [middle, high]]);
            }
        }
        found.sort_unstable();
        found.into_iter().map(|(_, index)| index).collect()
    }
}
