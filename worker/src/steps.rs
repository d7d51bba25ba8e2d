//! Interface of computations that run step by step.

/// A computation in steps of at most a few milliseconds each.
pub trait Steps {
    /// Type of the computation's results.
    type Answer;

    /// Runs the next step; returns false if no step is left.
    fn step(&mut self) -> bool;

    /// Returns the results so far, if any. `done` is true once no step is left; `seconds` is the time spent.
    fn answer(&self, done: bool, seconds: f64) -> Option<Self::Answer>;
}
