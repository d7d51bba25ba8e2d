//! A scenario that starts from a published run, with the runs of its series as measurements.

use crate::runs::{recent, rows};
use model_core::inputs::{Inputs, Measurements, Number};
use model_core::measured::{Edit, Run, compare};
use model_core::measurement::{MeasuredLengths, MeasuredPoint, MeasuredTime, TimeUnit};
use model_core::order::sort_by;
use model_core::permalink;

/// Returns a published run's scenario, anchored to all runs of its series; `None` if the run does not count toward
/// accuracy.
pub fn started_from(run: &Run) -> Option<Inputs> {
    if !run.kind.counts() {
        return None;
    }
    let series = run.series();
    let alike = rows()
        .chain(recent())
        .filter(|other| other.kind.counts() && other.series() == series);
    let mut points: Vec<(f64, MeasuredPoint)> = alike.filter_map(point).collect();
    sort_by(&mut points, |one, other| one.0.total_cmp(&other.0));
    let mut inputs = permalink::read(run.link).current;
    inputs.measured = Measurements::of(spread(points));
    (!inputs.measured.is_empty()).then_some(inputs)
}

/// Selects at most as many points as a permalink can hold, spread evenly from the smallest to the largest batch.
fn spread(points: Vec<(f64, MeasuredPoint)>) -> impl Iterator<Item = MeasuredPoint> {
    let (count, most) = (points.len(), Measurements::MOST);
    let kept = move |place: usize| {
        count <= most || (0..most).any(|of| of * (count - 1) / (most - 1) == place)
    };
    let all = points.into_iter().enumerate();
    all.filter(move |(place, _)| kept(*place))
        .map(|(_, (_, point))| point)
}

/// Converts a published run to a measurement; returns it with its batch.
fn point(run: &'static Run) -> Option<(f64, MeasuredPoint)> {
    let compared = compare(run, &Edit::keys(""))?;
    let batch = compared.scenario.workload.batch;
    let number = |number| compared.inputs.get(number);
    let lengths = match (number(Number::MeanPrompt), number(Number::MeanOutput)) {
        (Some(prompt), Some(output)) => MeasuredLengths::Request { prompt, output },
        _ => MeasuredLengths::Context(compared.scenario.workload.context),
    };
    let time = MeasuredTime::new(compared.measured.as_millis(), TimeUnit::Millis)?;
    Some((
        batch,
        MeasuredPoint {
            time,
            batch: Some(batch),
            lengths: Some(lengths),
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::anchor::fit;

    /// Checks that a scenario can start from every run that counts toward accuracy, and that its permalink contains
    /// every measured point.
    #[test]
    fn every_counting_run_can_be_started_from() {
        let mut several = 0;
        for run in rows().chain(recent()).filter(|run| run.kind.counts()) {
            let inputs = started_from(run).unwrap();
            let again = permalink::read(&permalink::write_inputs(&inputs)).current;
            assert_eq!(again.measured, inputs.measured, "{}", run.id);
            let fit = fit(&inputs).unwrap();
            assert_eq!(fit.dropped, [], "{}", run.id);
            several += usize::from(fit.points.len() > 1);
        }
        assert!(several > 50, "{several}");
    }
}
