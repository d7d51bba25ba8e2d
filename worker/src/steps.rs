//! Computations step by step.

/// A computation in steps of at most a few milliseconds.
pub trait Steps {
    /// Takes the next step; false once none is left.
    fn step(&mut self) -> bool;

    /// The results so far as numbers; `done` once no step is left, `seconds` the time spent.
    fn answer(&self, done: bool, seconds: f64) -> Vec<f64>;
}
