//! A curve of the model beside the rows it came from.

use model_core::evaluate::{Evaluation, evaluate};
use model_core::measured::{Summary, summary};
use model_core::permalink;
use model_core::scenario::Scenario;

/// A measured time and the model's, in seconds.
#[derive(Debug)]
pub struct Point {
    /// Which row.
    pub row: String,
    /// As measured.
    pub measured: f64,
    /// In the model.
    pub model: f64,
}

impl Point {
    fn error(&self) -> f64 {
        self.model / self.measured - 1.0
    }
}

/// Prints how far a curve is off its rows and holds it to a bound on the mean of its absolute errors.
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

/// A scenario that a kernel or message was measured in, with what the model says.
pub fn run(link: &str) -> (Scenario, Evaluation) {
    whole(&format!("v=1&calibration=kernels-2026&overlap=none&{link}"))
}

/// What the model says of a whole link.
pub fn whole(link: &str) -> (Scenario, Evaluation) {
    let read = permalink::read(link);
    let notes: Vec<_> = read.notes.iter().map(ToString::to_string).collect();
    assert!(notes.is_empty(), "{link}: {notes:?}");
    let scenario = read.current.scenario().expect("a scenario");
    let evaluation = evaluate(&scenario).expect("it is evaluated");
    (scenario, evaluation)
}

/// Whether an accelerator's kernels are Blackwell's.
pub fn blackwell(gpu: &str) -> bool {
    gpu.contains('b')
}

/// Holds a number to one that was computed apart, to 1e-9 of it.
pub fn agrees(name: &str, what: &str, found: f64, expected: f64) {
    let most = 1e-9 * expected.abs();
    assert!(
        (found - expected).abs() <= most,
        "{name}: {what} is {found}, not {expected}"
    );
}
