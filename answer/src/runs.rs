//! The measured runs used by the page, and the results derived from them. The runs are built in, or provided once the
//! page has loaded them.
//!
//! The page's first view needs no measured runs. The first download therefore contains only the trait [`Evidence`];
//! the functions behind it arrive with the table of runs.

use std::sync::OnceLock;

use model_core::calibration::NamedCalibration;
use model_core::evaluate::Evaluation;
use model_core::inputs::Inputs;
use model_core::measured::{Accuracy, Band, DraftGain, Residuals, Run, Runs, accuracy};
use model_core::scenario::Scenario;

/// The measured run nearest to a scenario, with the prediction error for that run.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// Relative error of the computed time: computed ÷ measured, minus one.
    pub error: f64,
    /// Hardware of the measured run: "9×8 H100, InfiniBand".
    pub hardware: &'static str,
    /// Title of the publication of the run.
    pub source: &'static str,
    /// Settings in which the measured run differs from the scenario: "72 GPUs → 144 GPUs".
    pub differs: Vec<String>,
    /// The measured run.
    pub run: &'static Run,
}

/// Access to the measured runs and to the results that depend on them.
pub trait Evidence: Send + Sync {
    /// Returns the measured runs.
    fn runs(&self) -> &Runs;
    /// Returns the residuals of a calibration, which are computed once and then cached.
    fn residuals(&self, name: NamedCalibration) -> Option<&Residuals>;
    /// Returns the error band of a scenario; `None` if there are no comparable runs.
    fn band(&self, inputs: &Inputs, scenario: &Scenario, evaluation: &Evaluation) -> Option<Band>;
    /// Returns the throughput gain from the scenario's draft tokens, compared with the error band of the prediction.
    fn draft_gain(
        &self,
        inputs: &Inputs,
        scenario: &Scenario,
        evaluation: &Evaluation,
    ) -> Option<DraftGain>;
    /// Returns the prediction accuracy of Ridgepoint over the measured runs.
    fn accuracy(&self) -> Option<Accuracy>;
    /// Returns the measured run nearest to a scenario.
    fn nearest(&self, inputs: &Inputs) -> Option<Nearest>;
}

const CALIBRATIONS: usize = NamedCalibration::ALL.len();

/// Function that finds the measured run nearest to a scenario.
pub type NearestOf = fn(&Inputs) -> Option<Nearest>;

/// Parsed table of measured runs; the residuals are computed on first use.
struct Known {
    runs: Runs,
    nearest: Option<NearestOf>,
    residuals: [OnceLock<Residuals>; CALIBRATIONS],
    accuracy: OnceLock<Option<Accuracy>>,
}

impl Known {
    fn evidence(runs: Runs, nearest: Option<NearestOf>) -> Box<dyn Evidence> {
        Box::new(Self {
            runs,
            nearest,
            residuals: [const { OnceLock::new() }; CALIBRATIONS],
            accuracy: OnceLock::new(),
        })
    }
}

impl Evidence for Known {
    fn runs(&self) -> &Runs {
        &self.runs
    }

    fn residuals(&self, name: NamedCalibration) -> Option<&Residuals> {
        let place = NamedCalibration::ALL.iter().position(|it| *it == name)?;
        let known = self.residuals.get(place)?;
        Some(known.get_or_init(|| Residuals::of(name, &self.runs)))
    }

    fn band(&self, inputs: &Inputs, scenario: &Scenario, evaluation: &Evaluation) -> Option<Band> {
        let residuals = self.residuals(inputs.calibration)?;
        residuals.band(inputs, scenario, evaluation)
    }

    fn draft_gain(
        &self,
        inputs: &Inputs,
        scenario: &Scenario,
        evaluation: &Evaluation,
    ) -> Option<DraftGain> {
        let residuals = self.residuals(inputs.calibration)?;
        DraftGain::of(residuals, inputs, scenario, evaluation)
    }

    fn accuracy(&self) -> Option<Accuracy> {
        *self.accuracy.get_or_init(|| accuracy(&self.runs))
    }

    fn nearest(&self, inputs: &Inputs) -> Option<Nearest> {
        self.nearest?(inputs)
    }
}

static EVIDENCE: OnceLock<Box<dyn Evidence>> = OnceLock::new();

/// Sets the table of measured runs and the function that finds the run nearest to a scenario. Later calls have no
/// effect.
pub fn provide(table: &'static str, nearest: NearestOf) {
    EVIDENCE.get_or_init(|| Known::evidence(Runs::read(table), Some(nearest)));
}

/// Returns the evidence from measured runs; `None` before the page has loaded the table.
pub fn known() -> Option<&'static dyn Evidence> {
    #[cfg(not(target_family = "wasm"))]
    EVIDENCE.get_or_init(|| Known::evidence(Runs::built_in(), None));
    EVIDENCE.get().map(AsRef::as_ref)
}

/// Returns the measured runs published in or before 2025.
pub fn rows() -> impl Iterator<Item = &'static Run> {
    known().into_iter().flat_map(|known| known.runs().rows())
}

/// Returns the measured runs published in 2026.
pub fn recent() -> impl Iterator<Item = &'static Run> {
    known().into_iter().flat_map(|known| known.runs().recent())
}
