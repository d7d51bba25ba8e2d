//! The measured runs of a page, and what is known by them: built in, or provided once they are there.
//!
//! The first picture needs none of it, so the first load only asks through [`Evidence`], whose functions come with the
//! table.

use std::sync::OnceLock;

use model_core::calibration::NamedCalibration;
use model_core::evaluate::Evaluation;
use model_core::inputs::Inputs;
use model_core::measured::{Accuracy, Band, DraftGain, Residuals, Run, Runs, accuracy};
use model_core::scenario::Scenario;

/// The measured run nearest to a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// Computed over measured time, less one.
    pub error: f64,
    /// "9×8 H100, InfiniBand".
    pub hardware: &'static str,
    /// Its publication.
    pub source: &'static str,
    /// Settings in which it differs: "72 GPUs → 144 GPUs".
    pub differs: Vec<String>,
    /// The run.
    pub run: &'static Run,
}

/// Measured runs, and the answers that depend on them.
pub trait Evidence: Send + Sync {
    /// The runs.
    fn runs(&self) -> &Runs;
    /// Residuals of a calibration, computed once.
    fn residuals(&self, name: NamedCalibration) -> Option<&Residuals>;
    /// Band of a scenario; `None` without comparable runs.
    fn band(&self, inputs: &Inputs, scenario: &Scenario, evaluation: &Evaluation) -> Option<Band>;
    /// Gain of the scenario's draft tokens vs. the band.
    fn draft_gain(
        &self,
        inputs: &Inputs,
        scenario: &Scenario,
        evaluation: &Evaluation,
    ) -> Option<DraftGain>;
    /// The project's accuracy.
    fn accuracy(&self) -> Option<Accuracy>;
    /// The measured run nearest to a scenario.
    fn nearest(&self, inputs: &Inputs) -> Option<Nearest>;
}

const CALIBRATIONS: usize = NamedCalibration::ALL.len();

/// Finds the measured run nearest to a scenario.
pub type NearestOf = fn(&Inputs) -> Option<Nearest>;

/// Runs that are read, with residuals as they are asked for.
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

/// Takes the text of their table, and how to find the nearest one; a second text changes nothing.
pub fn provide(table: &'static str, nearest: NearestOf) {
    EVIDENCE.get_or_init(|| Known::evidence(Runs::read(table), Some(nearest)));
}

/// All that is known; `None` before the page has the table.
pub fn known() -> Option<&'static dyn Evidence> {
    #[cfg(not(target_family = "wasm"))]
    EVIDENCE.get_or_init(|| Known::evidence(Runs::built_in(), None));
    EVIDENCE.get().map(AsRef::as_ref)
}

/// Those published until 2025.
pub fn rows() -> impl Iterator<Item = &'static Run> {
    known().into_iter().flat_map(|known| known.runs().rows())
}

/// Those published in 2026.
pub fn recent() -> impl Iterator<Item = &'static Run> {
    known().into_iter().flat_map(|known| known.runs().recent())
}
