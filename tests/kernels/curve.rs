//! Compares a calibrated curve of the model with the measurements behind the curve.

use model_core::evaluate::{Evaluation, evaluate};
use model_core::measured::{Summary, summary};
use model_core::permalink;
use model_core::scenario::Scenario;

/// A measured time and the time that the model computes, in seconds.
#[derive(Debug)]
pub struct Point {
    /// Name of the measured row.
    pub row: String,
    /// Measured time, in seconds.
    pub measured: f64,
    /// Time that the model computes, in seconds.
    pub model: f64,
}

impl Point {
    fn error(&self) -> f64 {
        self.model / self.measured - 1.0
    }
}

/// Prints the errors of a curve, and requires that their mean absolute value is at most `at_most`.
pub fn holds(curve: &str, points: &[Point], at_most: f64, because: &str) {
    let Some(Summary {
        rows,
        mean,
        median,
        bias,
    }) = summary(points.iter().map(Point::error))
    else {
        panic!("{curve} has no rows");
    };
    let worst = points
        .iter()
        .max_by(|one, other| one.error().abs().total_cmp(&other.error().abs()))
        .expect("there are rows");
    println!(
        "{curve}: {rows} rows, mean error {:.1} %, median {:.1} %, bias {:+.1} %; worst {:+.1} % ({}); bound {:.0} %: {because}",
        100.0 * mean,
        100.0 * median,
        100.0 * bias,
        100.0 * worst.error(),
        worst.row,
        100.0 * at_most,
    );
    assert!(
        points
            .iter()
            .all(|point| point.model > 0.0 && point.measured > 0.0),
        "{curve}: a time is missing"
    );
    assert!(mean <= at_most, "{curve}: {mean} > {at_most} ({because})");
}

/// Returns the scenario of a measured kernel or collective under `kernels-2026` without overlap, with its evaluation.
pub fn run(link: &str) -> (Scenario, Evaluation) {
    whole(&format!("v=1&calibration=kernels-2026&overlap=none&{link}"))
}

/// Returns the scenario of a permalink that needs no additional keys, with its evaluation.
pub fn whole(link: &str) -> (Scenario, Evaluation) {
    let read = permalink::read(link);
    let notes: Vec<_> = read.notes.iter().map(ToString::to_string).collect();
    assert!(notes.is_empty(), "{link}: {notes:?}");
    let scenario = read.current.scenario().expect("a scenario");
    let evaluation = evaluate(&scenario).expect("it is evaluated");
    (scenario, evaluation)
}

/// Returns true for Blackwell accelerators.
pub fn blackwell(gpu: &str) -> bool {
    gpu.contains('b')
}

/// Requires agreement with an independently computed number, to a relative difference of 1e-9.
pub fn agrees(name: &str, what: &str, found: f64, expected: f64) {
    let most = 1e-9 * expected.abs();
    assert!(
        (found - expected).abs() <= most,
        "{name}: {what} is {found}, not {expected}"
    );
}
