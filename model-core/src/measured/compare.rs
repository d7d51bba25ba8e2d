//! Compares measured runs with computed results.

use super::run::{PublishedFigure, Run, RunKind};
use crate::calibration::Calibration;
use crate::evaluate::{Evaluation, evaluate};
use crate::extrapolation::{Extrapolation, extrapolations};
use crate::inputs::{Inputs, Number};
use crate::order::sort_numbers;
use crate::permalink;
use crate::scenario::Scenario;
use crate::schedule::prefill::replica;
use crate::units::Seconds;

/// Change to a run's permalink keys and to its calibration.
#[derive(Debug, Clone, Copy)]
pub struct Edit<'a> {
    /// Permalink keys that replace those of the run.
    pub keys: &'a str,
    /// Function that changes the calibration.
    pub calibration: fn(&mut Calibration),
}

impl<'a> Edit<'a> {
    /// Creates an edit that changes only permalink keys.
    pub const fn keys(keys: &'a str) -> Self {
        Self {
            keys,
            calibration: |_| (),
        }
    }
}

/// Measured run with its computed result.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// Evaluated permalink. If a run has several candidates, it is the one with the shortest computed time.
    pub link: String,
    /// Inputs of the evaluated permalink.
    pub inputs: Inputs,
    /// Scenario of the evaluated permalink.
    pub scenario: Scenario,
    /// Evaluation of the permalink's scenario.
    pub evaluation: Evaluation,
    /// Computed time per output token. For a prefill run, it is the time of a prompt. For a prefill pool, it is the
    /// batch ÷ the prompt tokens per second of all GPUs.
    pub computed: Seconds,
    /// Measured time, defined like [`Self::computed`].
    pub measured: Seconds,
}

impl Compared {
    /// Returns the relative error: computed ÷ measured time − 1. It is positive if the computed time is too long.
    pub fn error(&self) -> f64 {
        self.computed / self.measured - 1.0
    }

    /// Returns the extrapolations of the scenario, which are the parts that no measurement covers.
    pub fn extrapolated(&self) -> Vec<Extrapolation> {
        extrapolations(&self.scenario, &self.evaluation).collect()
    }
}

/// Evaluates a run after an edit; `None` if the edited permalink is refused.
pub fn compare(run: &Run, edit: &Edit<'_>) -> Option<Compared> {
    let choices: &[&str] = match run.link.contains("&overlap=") {
        true => &[""],
        false => &["overlap=two-batch", "overlap=none"],
    };
    let choices = choices.iter().map(|choice| {
        let link = with(&with(run.link, choice), edit.keys);
        let inputs = permalink::read(&link).current;
        let mut scenario = inputs.scenario().ok()?;
        (edit.calibration)(&mut scenario.calibration);
        let evaluation = evaluate(&scenario).ok()?;
        Some(Compared {
            computed: match (run.figure, run.kind) {
                (PublishedFigure::Prefill(_), _) => {
                    let prompt = inputs.get(Number::MeanPrompt)?;
                    let rate = replica(&scenario, prompt)?.tokens_per_gpu(scenario.cluster.gpus);
                    let gpus = f64::from(scenario.cluster.gpus);
                    Seconds::new(scenario.workload.batch / (gpus * rate))
                }
                (_, RunKind::Prefill) => evaluation.prefills?.each,
                _ => evaluation.tpot,
            },
            measured: run.figure.time(&scenario),
            link,
            inputs,
            scenario,
            evaluation,
        })
    });
    let faster = |best: Compared, next: Compared| {
        if next.computed < best.computed {
            next
        } else {
            best
        }
    };
    choices
        .collect::<Option<Vec<_>>>()?
        .into_iter()
        .reduce(faster)
}

/// Returns the minimum and maximum error of a run over the range of its unpublished settings. `keys` are permalink
/// keys that are edited first.
pub fn ends(run: &Run, compared: &Compared, keys: &str) -> Option<(f64, f64)> {
    let own = compared.error();
    run.open
        .iter()
        .flat_map(|open| &open.ends)
        .try_fold((own, own), |(least, most), end| {
            let error = compare(run, &Edit::keys(&with(end, keys)))?.error();
            Some((least.min(error), most.max(error)))
        })
}

/// Returns a permalink with some keys replaced.
fn with(link: &str, keys: &str) -> String {
    let name = |pair: &'_ str| pair.split('=').next().unwrap_or_default().to_owned();
    let new: Vec<String> = keys.split('&').map(name).collect();
    link.split('&')
        .filter(|pair| !new.contains(&name(pair)))
        .chain(keys.split('&'))
        .filter(|pair| !pair.is_empty())
        .collect::<Vec<_>>()
        .join("&")
}

/// Statistics of the errors on some runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Number of runs.
    pub rows: usize,
    /// Mean of the absolute errors, as a fraction.
    pub mean: f64,
    /// Median of the absolute errors, as a fraction.
    pub median: f64,
    /// Mean of the signed errors, as a fraction. It is positive if computed times are too long.
    pub bias: f64,
}

/// Computes the statistics of some errors; `None` if there are no errors.
pub fn summary(errors: impl IntoIterator<Item = f64>) -> Option<Summary> {
    let signed: Vec<f64> = errors.into_iter().collect();
    let mut sizes: Vec<f64> = signed.iter().map(|error| error.abs()).collect();
    sort_numbers(&mut sizes);
    let middle = sizes.len() / 2;
    let upper = *sizes.get(middle)?;
    let median = if sizes.len().is_multiple_of(2) {
        (sizes.get(middle.checked_sub(1)?)? + upper) / 2.0
    } else {
        upper
    };
    let count = signed.len() as f64;
    Some(Summary {
        rows: signed.len(),
        mean: sizes.iter().sum::<f64>() / count,
        median,
        bias: signed.iter().sum::<f64>() / count,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_replace_those_of_a_link() {
        assert_eq!(with("v=1&beta=0.9&ep=8", "beta=1"), "v=1&ep=8&beta=1");
        assert_eq!(with("v=1&ep=8", ""), "v=1&ep=8");
        assert_eq!(
            with("beta=0.7", "calibration=ideal"),
            "beta=0.7&calibration=ideal"
        );
    }

    #[test]
    fn a_summary_is_mean_median_and_bias() {
        let found = summary([0.1, -0.3, 0.2]).unwrap();
        assert_eq!(found.rows, 3);
        assert!((found.mean - 0.2).abs() < 1e-15);
        assert!((found.median - 0.2).abs() < 1e-15);
        assert!(found.bias.abs() < 1e-15);
        assert!((summary([0.1, -0.3]).unwrap().median - 0.2).abs() < 1e-15);
        assert_eq!(summary([]), None);
    }
}
