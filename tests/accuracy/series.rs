//! Predicts each row of a published measurement series from other rows of the series. This shows how much a
//! deployment's measurements improve the accuracy of its predictions.

use std::fmt::Write as _;

use model_core::anchor::{Parts, factors};
use model_core::calibration::NamedCalibration;
use model_core::correction::Correction;
use model_core::evaluate::evaluate;
use model_core::inputs::{Anchored, Inputs, MeasuredLoad};
use model_core::math;
use model_core::measured::{Edit, Run};
use model_core::scenario::Scenario;
use model_core::units::Seconds;

use super::tables::{compared, percent};
use crate::runs;

/// Minimum number of rows in a measurement series.
const ROWS: usize = 3;
/// Maximum number of rows used to correct another row.
const MOST: usize = 3;

/// A row of a measured series, with its computed times.
struct Row {
    inputs: Inputs,
    scenario: Scenario,
    parts: Parts,
    measured: Seconds,
    load: MeasuredLoad,
}

/// Errors of predictions that use a given number of other rows of the measurement series.
#[derive(Debug, Clone, Copy)]
pub struct Left {
    /// Number of other rows from which each row is predicted.
    pub given: usize,
    /// Number of measurement series with more than `given` rows.
    pub series: usize,
    /// Mean absolute relative error of the predictions, averaged within each measurement series and then across all
    /// series.
    pub mean: f64,
    /// Share of predictions with an error band that contains the measured time, averaged across the series; `None` if
    /// `given` is 0, because there is no band then.
    pub held: Option<f64>,
}

/// Returns every measurement series with at least [`ROWS`] runs that are included in the accuracy score.
fn series() -> Vec<Vec<&'static Run>> {
    let mut all: Vec<(Vec<&str>, Vec<&Run>)> = Vec::new();
    let counting = runs::rows().chain(runs::RUNS.recent());
    for run in counting.filter(|run| run.kind.counts()) {
        let key = run.series();
        match all.iter_mut().find(|(known, _)| *known == key) {
            Some((_, rows)) => rows.push(run),
            None => all.push((key, vec![run])),
        }
    }
    let rows = all.into_iter().map(|(_, rows)| rows);
    rows.filter(|rows| rows.len() >= ROWS).collect()
}

fn row(run: &Run, calibration: NamedCalibration) -> Result<Row, String> {
    let keys = format!("calibration={}", calibration.id());
    let found = compared(run, &Edit::keys(&keys))?;
    let parts = Parts::of(&found.scenario).map_err(|refusal| refusal.to_string())?;
    let workload = &found.scenario.workload;
    Ok(Row {
        inputs: found.inputs,
        parts,
        measured: found.measured,
        load: MeasuredLoad {
            batch: workload.batch,
            context: workload.context,
        },
        scenario: found.scenario,
    })
}

impl Row {
    /// Returns ln(measured/computed) for this row after a correction by the given other rows, and the half-width of
    /// its error band. Returns `None` if the corrected scenario cannot be evaluated.
    fn off(&self, given: &[&Row]) -> Option<(f64, Option<f64>)> {
        let points: Vec<(Parts, Seconds)> =
            given.iter().map(|row| (row.parts, row.measured)).collect();
        let [fixed, variable, prefill] = factors::logarithms(&points, false).map(math::exp);
        let correction = Correction {
            fixed,
            variable,
            prefill,
            ..Correction::NONE
        };
        let corrected = Scenario {
            calibration: self.scenario.calibration.corrected(fixed, variable),
            correction,
            ..self.scenario
        };
        let tpot = evaluate(&corrected).ok()?.tpot;
        let loads = given.iter().map(|row| row.load);
        let anchored = Anchored::new(&self.inputs, correction, loads);
        Some((
            math::ln(self.measured / tpot),
            anchored.half_width(self.load),
        ))
    }
}

/// Calls `each` with every combination of `count` different numbers below `most`.
fn choices(most: usize, count: usize, each: &mut impl FnMut(&[usize])) {
    fn from(
        first: usize,
        most: usize,
        left: usize,
        chosen: &mut Vec<usize>,
        each: &mut impl FnMut(&[usize]),
    ) {
        if left == 0 {
            return each(chosen);
        }
        for next in first..most {
            chosen.push(next);
            from(next + 1, most, left - 1, chosen, each);
            chosen.pop();
        }
    }
    from(0, most, count, &mut Vec::new(), each);
}

/// Returns the errors of predictions from 0, 1, … up to [`MOST`] other rows of a series; an error names a row that
/// could not be evaluated.
pub fn left_out(calibration: NamedCalibration) -> Result<Vec<Left>, String> {
    let all: Vec<Vec<Row>> = series()
        .into_iter()
        .map(|rows| rows.into_iter().map(|run| row(run, calibration)).collect())
        .collect::<Result<_, String>>()?;
    (0..=MOST).map(|given| one(&all, given)).collect()
}

fn one(all: &[Vec<Row>], given: usize) -> Result<Left, String> {
    let (mut means, mut shares) = (Vec::new(), Vec::new());
    for rows in all.iter().filter(|rows| rows.len() > given) {
        let (mut sum, mut held, mut count, mut refused) = (0.0, 0.0, 0.0, false);
        for (at, row) in rows.iter().enumerate() {
            let others: Vec<&Row> = rows
                .iter()
                .enumerate()
                .filter_map(|(other, row)| (other != at).then_some(row))
                .collect();
            choices(others.len(), given, &mut |chosen| {
                let given: Vec<&Row> = chosen.iter().map(|other| others[*other]).collect();
                let Some((off, width)) = row.off(&given) else {
                    refused = true;
                    return;
                };
                sum += (math::exp(-off) - 1.0).abs();
                count += 1.0;
                held += f64::from(u8::from(width.is_some_and(|width| off.abs() <= width)));
            });
        }
        if refused {
            return Err(format!(
                "{} cannot be corrected",
                rows[0].inputs.model.name()
            ));
        }
        means.push(sum / count);
        shares.push(held / count);
    }
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    Ok(Left {
        given,
        series: means.len(),
        mean: mean(&means),
        held: (given > 0).then(|| mean(&shares)),
    })
}

/// Returns a table of prediction errors under each kernel calibration, by the number of rows from which each
/// prediction is made.
pub fn table() -> Result<String, String> {
    const CALIBRATIONS: [NamedCalibration; 3] = [
        NamedCalibration::Kernels2026,
        NamedCalibration::Kernels202611,
        NamedCalibration::Kernels202612,
    ];
    let mut text = String::from("| rows given | series |");
    for calibration in CALIBRATIONS {
        let _ = write!(text, " `{}`: mean error | in the band |", calibration.id());
    }
    text.push_str("\n|---|---|");
    text.push_str(&"---|---|".repeat(CALIBRATIONS.len()));
    let all: Vec<Vec<Left>> = CALIBRATIONS
        .into_iter()
        .map(left_out)
        .collect::<Result<_, _>>()?;
    for given in 0..=MOST {
        let _ = write!(text, "\n| {given} | {} |", all[0][given].series);
        for left in &all {
            let held = left[given].held.map_or("–".to_owned(), percent);
            let _ = write!(text, " {} | {held} |", percent(left[given].mean));
        }
    }
    text.push('\n');
    Ok(text)
}
