//! Computations step by step.

/// A computation in steps of at most a few milliseconds.
pub trait Steps {
    /// Its results.
    type Answer;

    /// Takes the next step; false at the end.
    fn step(&mut self) -> bool;

    /// The results so far, if any; `done` once no step is left, `seconds` the time spent.
    fn answer(&self, done: bool, seconds: f64) -> Option<Self::Answer>;
}
