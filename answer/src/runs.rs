//! The measured runs of the page, and the results derived from them. The runs are built in, or provided once the page
//! has loaded them.
//!
//! The first picture needs no measured runs. The first load therefore contains only the trait [`Evidence`], whose
//! functions arrive with the table of runs.

use std::sync::OnceLock;

use model_core::calibration::NamedCalibration;
use model_core::evaluate::Evaluation;
use model_core::inputs::Inputs;
use model_core::measured::{Accuracy, Band, DraftGain, Residuals, Run, Runs, accuracy};
use model_core::scenario::Scenario;

/// The measured run nearest to a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// Computed ÷ measured time, minus one.
    pub error: f64,
    /// Hardware of the run: "9×8 H100, InfiniBand".
    pub hardware: &'static str,
    /// Publication of the run.
    pub source: &'static str,
    /// Settings in which the run differs from the scenario: "72 GPUs → 144 GPUs".
    pub differs: Vec<String>,
    /// The measured run.
    pub run: &'static Run,
}

/// Measured runs, and the results that depend on them.
pub trait Evidence: Send + Sync {
    /// Returns the measured runs.
    fn runs(&self) -> &Runs;
    /// Returns the residuals of a calibration, which are computed once.
    fn residuals(&self, name: NamedCalibration) -> Option<&Residuals>;
    /// Returns the error band of a scenario; `None` if there are no comparable runs.
    fn band(&self, inputs: &Inputs, scenario: &Scenario, evaluation: &Evaluation) -> Option<Band>;
    /// Returns the throughput gain from the scenario's draft tokens, compared with the error band.
    fn draft_gain(
        &self,
        inputs: &Inputs,
        scenario: &Scenario,
        evaluation: &Evaluation,
    ) -> Option<DraftGain>;
    /// Returns the accuracy of the model over the measured runs.
    fn accuracy(&self) -> Option<Accuracy>;
    /// Returns the measured run nearest to a scenario.
    fn nearest(&self, inputs: &Inputs) -> Option<Nearest>;
}

const CALIBRATIONS: usize = NamedCalibration::ALL.len();

/// Function that finds the measured run nearest to a scenario.
pub type NearestOf = fn(&Inputs) -> Option<Nearest>;

/// Measured runs that have been read, with residuals computed on first use.
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

/// Sets the table of measured runs and the function that finds the nearest run. Later calls have no effect.
pub fn provide(table: &'static str, nearest: NearestOf) {
    EVIDENCE.get_or_init(|| Known::evidence(Runs::read(table), Some(nearest)));
}

/// Returns the evidence from measured runs; `None` before the page has loaded the table.
pub fn known() -> Option<&'static dyn Evidence> {
    #[cfg(not(target_family = "wasm"))]
    EVIDENCE.get_or_init(|| Known::evidence(Runs::built_in(), None));
    EVIDENCE.get().map(AsRef::as_ref)
}

/// Returns the measured runs published until 2025.
pub fn rows() -> impl Iterator<Item = &'static Run> {
    known().into_iter().flat_map(|known| known.runs().rows())
}

/// Returns the measured runs published in 2026.
pub fn recent() -> impl Iterator<Item = &'static Run> {
    known().into_iter().flat_map(|known| known.runs().recent())
}
