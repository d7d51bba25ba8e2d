//! Error band of a result, derived from the errors of Ridgepoint's performance model on measured runs.
//!
//! Basic rule: The residual of a run is the log of its measured time per token divided by the computed one. Only
//! published runs of kinds that count toward accuracy are used. A scenario belongs to a [`Region`] with four
//! conditions: aggregated prefill or not, communication across domains or not, sequences per GPU, and accelerator
//! family. The band of a region spans the tenth to the ninetieth percentile of its residuals. It extends at least 0.1
//! (natural log) to each side of its midpoint. A region with fewer than ten runs drops its last condition,
//! repeatedly, until it has ten. Every dropped condition makes the band 1.15 times as wide. So does every
//! extrapolation of the scenario that occurs in no run of the region.
//!
//! Calibrations with per-operator costs: The runs of [`recent`] are added, including runs with unpublished settings.
//! The conditions are aggregated prefill or not, and sparse attention or not. Runs of one publication have similar
//! errors, so each publication counts once, however many runs it has. The band spans the fifth to the ninety-fifth
//! percentile. A region with runs of fewer than six publications drops its last condition. Engines that run as one
//! persistent kernel have no band: they set the layer overhead o_L to zero, which is an override. AFD has no band
//! either.
//!
//! Calibrations that model engine overhead: Only the runs of [`recent`] are used. The only condition is aggregated
//! prefill or not, and the band spans the tenth to the ninetieth percentile. Every listed page or line of a source
//! counts as a publication. The band always contains the estimate itself, and every bound that is known for the
//! estimate ([`ends_of`]). An accelerator that uses another family's kernels and has no run has the widest band, up
//! to [`UNMEASURED`].
//!
//! Each calibration has separate residuals. If constants of a calibration are overridden, its band is 1.15 times as
//! wide. A deployment corrected by the user's measurements has the band of these measurements, with any calibration
//! ([`crate::inputs::Anchored::half_width`]).

use super::compare::{Edit, compare};
use super::ends::ends_of;
use super::region::Region;
use super::run::{Run, Runs};
use crate::calibration::NamedCalibration;
use crate::evaluate::Evaluation;
use crate::extrapolation::{Extrapolation, extrapolations};
use crate::hardware::Coverage;
use crate::inputs::{Gpu, Inputs, Number};
use crate::math;
use crate::order::{sort_by, sort_numbers};
use crate::scenario::Scenario;

/// Minimum number of runs in a region; with fewer, the region drops a condition.
const ENOUGH: usize = 10;
/// Percentiles at which an error band ends, as fractions.
const ENDS: (f64, f64) = (0.1, 0.9);
/// Minimum number of publications in a region; with fewer, the region drops a condition.
const ENOUGH_PUBLICATIONS: usize = 6;
/// Minimum half-width of a band, as a natural logarithm.
const AT_LEAST: f64 = 0.1;
/// Factor on a band's width for each dropped condition and each extrapolation.
const WIDER: f64 = 1.15;

/// Upper end of the error band, as a factor on the computed time, for an accelerator with neither measured kernels
/// nor runs. It is the larger of two public cases, in which the computed time was 67% and 77% too short.
///
/// Source: Qwen3.6-35B-A3B on Strix Halo, 40.7 ms (kyuz0/amd-strix-halo-vllm-toolboxes #53), and a second
/// accelerator.
const UNMEASURED: f64 = 1.0 / (1.0 - 0.77);

/// Rule by which the error bands of a calibration are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    /// Every run counts once; regions of similar runs have four conditions.
    Runs,
    /// Every publication counts once, however many runs it has.
    Publications {
        conditions: usize,
        /// Percentiles at which the band ends, as fractions.
        ends: (f64, f64),
        /// True for a calibration that models engine overhead.
        engine: bool,
    },
}

impl Rule {
    const fn of(calibration: NamedCalibration) -> Self {
        match calibration {
            NamedCalibration::Kernels202611 => Self::Publications {
                conditions: 2,
                ends: (0.05, 0.95),
                engine: false,
            },
            NamedCalibration::Kernels202612 => Self::Publications {
                conditions: 1,
                ends: ENDS,
                engine: true,
            },
            _ => Self::Runs,
        }
    }

    fn runs(self, all: &Runs) -> impl Iterator<Item = &Run> {
        let older = !matches!(self, Self::Publications { engine: true, .. });
        let newer = matches!(self, Self::Publications { .. });
        let older = older.then(|| all.rows()).into_iter().flatten();
        older.chain(newer.then(|| all.recent()).into_iter().flatten())
    }
}

/// Error of the computed time of one measured run.
#[derive(Debug, Clone, PartialEq)]
pub struct Residual {
    /// Identifier of the run.
    pub id: &'static str,
    /// Publication of the run. Cross-validation leaves out all runs of a publication at once.
    pub system: &'static str,
    /// Region of the run's scenario.
    pub region: Region,
    /// Natural log of measured time ÷ computed time.
    pub log: f64,
    extrapolated: Vec<Extrapolation>,
    /// Accelerator of the run, if another family's kernels are used for it.
    stand_in: Option<&'static str>,
    /// Factors on the computed time that the run's band must contain.
    ends: (f64, f64),
}

/// Errors of a calibration on all runs that count toward accuracy.
#[derive(Debug, Clone, PartialEq)]
pub struct Residuals {
    all: Vec<Residual>,
    rule: Rule,
}

/// Error band: range of the ratio of measured to computed time.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// Lower end, as a factor on the computed time.
    pub low: f64,
    /// Upper end, as a factor on the computed time.
    pub high: f64,
    /// Number of runs on which the error band is based.
    pub runs: usize,
    /// Number of conditions that the region dropped because too few runs met them.
    pub given_up: usize,
    /// Number of the scenario's extrapolations that occur in none of the runs behind the band.
    pub beyond: usize,
    /// Remaining conditions of the region of comparable runs, as text; `None` for a band from the user's measurements.
    pub region: Option<String>,
    /// True for an accelerator with neither measured kernels nor measured runs.
    pub unmeasured: bool,
    /// True under a calibration that models engine overhead.
    pub engine: bool,
    /// True if constants of the calibration are overridden, which makes the band wider.
    pub overridden: bool,
    /// Direction in which almost all runs deviate, if the estimate is at an end of the band.
    pub bias: Option<Bias>,
}

/// Returns the accelerator of the inputs if another family's kernels are used for it, otherwise `None`.
fn stand_in(inputs: &Inputs) -> Option<&'static str> {
    match (inputs.gpu.coverage(inputs.family), inputs.gpu) {
        (Coverage::Borrowed(_), Gpu::Catalog(entry)) => Some(entry.id),
        (Coverage::Borrowed(_), Gpu::Custom) => Some("custom"),
        _ => None,
    }
}

impl Residuals {
    /// Computes the residuals of every run that counts toward accuracy.
    pub fn of(calibration: NamedCalibration, runs: &Runs) -> Self {
        let keys = format!("calibration={}", calibration.id());
        let rule = Rule::of(calibration);
        let counting = rule.runs(runs).filter(|run| run.kind.counts());
        let residuals = counting.filter_map(|run| {
            let found = compare(run, &Edit::keys(&keys))?;
            Some(Residual {
                id: run.id,
                system: match rule {
                    Rule::Publications { engine: true, .. } => run.publication,
                    _ => run.source.title,
                },
                region: Region::of(&found.inputs, &found.scenario, &found.evaluation),
                log: math::ln(found.measured / found.computed),
                extrapolated: found.extrapolated(),
                stand_in: stand_in(&found.inputs),
                ends: ends_of(&found.scenario, &found.evaluation),
            })
        });
        Self {
            all: residuals.collect(),
            rule,
        }
    }

    /// Returns all residuals.
    pub fn as_slice(&self) -> &[Residual] {
        &self.all
    }

    /// Returns the residuals without those of the publication `system`.
    #[must_use]
    pub fn without(&self, system: &str) -> Self {
        let others = self.all.iter().filter(|other| other.system != system);
        Self {
            all: others.cloned().collect(),
            rule: self.rule,
        }
    }

    /// Returns the error band of an evaluation's times. If the user's measurements correct these times, it is the
    /// band of the measurements. `None` for an engine that runs as one persistent kernel, or if there are no runs.
    pub fn band(
        &self,
        inputs: &Inputs,
        scenario: &Scenario,
        evaluation: &Evaluation,
    ) -> Option<Band> {
        if let (Some(reach), Some(anchored)) =
            (inputs.measured_half_width(scenario), inputs.anchored())
        {
            return Some(Band::of_measurements(reach, anchored.measurements()));
        }
        // Zero layer overhead means an engine that runs as one persistent kernel; no run was measured on one.
        let overridden = inputs.calibration() != inputs.named_calibration();
        let layer = inputs.stated(Number::LayerMicros);
        if overridden && layer.is_some_and(|micros| micros <= 0.0) {
            return None;
        }
        let region = Region::of(inputs, scenario, evaluation);
        let extrapolated: Vec<_> = extrapolations(scenario, evaluation).collect();
        let held = ends_of(scenario, evaluation);
        let band = self.around(&region, &extrapolated, held, stand_in(inputs))?;
        let band = match overridden {
            true => band.overridden(),
            false => band,
        };
        Some(band.with_estimate())
    }

    /// Returns the error band for the scenario of `left_out`, from the residuals in `self`. For cross-validation,
    /// `self` must not contain the residuals of that run's publication (see [`Self::without`]).
    pub fn band_of(&self, left_out: &Residual) -> Option<Band> {
        let Residual {
            region,
            extrapolated,
            stand_in,
            ends,
            ..
        } = left_out;
        self.around(region, extrapolated, *ends, *stand_in)
    }

    fn around(
        &self,
        region: &Region,
        extrapolated: &[Extrapolation],
        held: (f64, f64),
        stand_in: Option<&str>,
    ) -> Option<Band> {
        if let Rule::Publications {
            conditions,
            ends,
            engine,
        } = self.rule
        {
            let band = self.among_publications(region, extrapolated, conditions, ends)?;
            if !engine {
                return Some(band);
            }
            let ran = |name| self.all.iter().any(|run| run.stand_in == Some(name));
            let unmeasured = stand_in.is_some_and(|name| !ran(name));
            let band = band.holding(held);
            return Some(if unmeasured { band.widest() } else { band });
        }
        let having = |conditions: usize| -> Vec<&Residual> {
            let near = self.all.iter();
            near.filter(|other| region.shares(&other.region, conditions))
                .collect()
        };
        let (near, conditions) = (0..=Region::CONDITIONS)
            .rev()
            .map(|conditions| (having(conditions), conditions))
            .find(|(near, conditions)| near.len() >= ENOUGH || *conditions == 0)?;
        let mut logs: Vec<f64> = near.iter().map(|other| other.log).collect();
        sort_numbers(&mut logs);
        let ends = (percentile(&logs, ENDS.0)?, percentile(&logs, ENDS.1)?);
        let given_up = Region::CONDITIONS - conditions;
        Some(Band::over(
            ends,
            &near,
            extrapolated,
            given_up,
            region.words(conditions),
        ))
    }

    /// Returns the band between the given percentiles of the residuals, in which each publication counts once. A
    /// region starts with `all` conditions.
    fn among_publications(
        &self,
        region: &Region,
        extrapolated: &[Extrapolation],
        all: usize,
        percentiles: (f64, f64),
    ) -> Option<Band> {
        let having = |conditions: usize| -> Vec<&Residual> {
            let near = self.all.iter();
            near.filter(|other| region.serves_alike(&other.region, conditions))
                .collect()
        };
        let (near, conditions) = (0..=all)
            .rev()
            .map(|conditions| (having(conditions), conditions))
            .find(|(near, conditions)| {
                publications(near) >= ENOUGH_PUBLICATIONS || *conditions == 0
            })?;
        let of_publication = |residual: &Residual| {
            let alike = near.iter().filter(|other| other.system == residual.system);
            1.0 / alike.count() as f64
        };
        let mut logs: Vec<(f64, f64)> = near
            .iter()
            .map(|residual| (residual.log, of_publication(residual)))
            .collect();
        sort_by(&mut logs, |one, other| one.0.total_cmp(&other.0));
        let ends = (
            weighted_percentile(&logs, percentiles.0)?,
            weighted_percentile(&logs, percentiles.1)?,
        );
        Some(Band::over(
            ends,
            &near,
            extrapolated,
            all - conditions,
            region.serving_words(conditions),
        ))
    }
}

fn publications(residuals: &[&Residual]) -> usize {
    let first = |at: usize| {
        let earlier = &residuals[..at];
        earlier
            .iter()
            .all(|other| other.system != residuals[at].system)
    };
    (0..residuals.len()).filter(|at| first(*at)).count()
}

/// Bias of a calibration on the runs of a band.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bias {
    /// Computed times are too short.
    TooFast,
    /// Computed times are too long.
    TooSlow,
}

impl Bias {
    /// Returns a sentence that describes the bias.
    pub const fn words(self) -> &'static str {
        match self {
            Self::TooFast => {
                "almost all measured runs are slower than this calibration predicts: rely on the band, not on the \
                    estimate"
            }
            Self::TooSlow => {
                "almost all measured runs are faster than this calibration predicts: rely on the band, not on the \
                    estimate"
            }
        }
    }
}

impl Band {
    /// Returns the error band between two logs of measured ÷ computed time. Each of the `given_up` conditions makes
    /// the band wider, and so does each extrapolation that occurs in no run of the region.
    fn over(
        (low, high): (f64, f64),
        near: &[&Residual],
        extrapolated: &[Extrapolation],
        given_up: usize,
        region: String,
    ) -> Self {
        let shared = |kind: &Extrapolation| near.iter().any(|it| it.extrapolated.contains(kind));
        let beyond = extrapolated.iter().filter(|kind| !shared(kind)).count();
        let wider = (0..given_up + beyond).fold(1.0, |wider, _| wider * WIDER);
        let middle = (low + high) / 2.0;
        let reach = ((high - low) / 2.0).max(AT_LEAST) * wider;
        Self {
            low: math::exp(middle - reach),
            high: math::exp(middle + reach),
            runs: near.len(),
            given_up,
            beyond,
            region: Some(region),
            unmeasured: false,
            engine: false,
            overridden: false,
            bias: None,
        }
    }

    fn of_measurements(reach: f64, runs: usize) -> Self {
        Self {
            low: math::exp(-reach),
            high: math::exp(reach),
            runs,
            given_up: 0,
            beyond: 0,
            region: None,
            unmeasured: false,
            engine: false,
            overridden: false,
            bias: None,
        }
    }

    fn overridden(self) -> Self {
        let ends = [self.low, self.high].map(math::ln);
        let (middle, reach) = (
            f64::midpoint(ends[0], ends[1]),
            (ends[1] - ends[0]) / 2.0 * WIDER,
        );
        Self {
            low: math::exp(middle - reach),
            high: math::exp(middle + reach),
            overridden: true,
            ..self
        }
    }

    /// Returns the band of an accelerator with neither measured kernels nor runs.
    fn widest(self) -> Self {
        Self {
            unmeasured: true,
            ..self.holding((1.0, UNMEASURED))
        }
    }

    /// Returns the error band widened to contain these factors on the computed time, for a calibration that models
    /// engine overhead.
    fn holding(self, (low, high): (f64, f64)) -> Self {
        Self {
            low: self.low.min(low),
            high: self.high.max(high),
            engine: true,
            ..self
        }
    }

    /// Returns the band, extended to contain the estimate. If almost all runs are on one side of the estimate, `bias`
    /// records the side.
    fn with_estimate(self) -> Self {
        let bias = if self.low > 1.0 {
            Some(Bias::TooFast)
        } else if self.high < 1.0 {
            Some(Bias::TooSlow)
        } else {
            None
        };
        Self {
            low: self.low.min(1.0),
            high: self.high.max(1.0),
            bias,
            ..self
        }
    }

    /// Tests whether the band contains a residual.
    pub fn holds(&self, residual: &Residual) -> bool {
        let factor = math::exp(residual.log);
        (self.low..=self.high).contains(&factor)
    }
}

/// Returns a percentile of sorted values by linear interpolation between the two nearest ones; `share` is the
/// percentile as a fraction.
fn percentile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = (sorted.len().checked_sub(1)? as f64) * share;
    let below = place.floor();
    let left = *sorted.get(below as usize)?;
    let right = *sorted.get(place.ceil() as usize)?;
    Some(left + (right - left) * (place - below))
}

/// Returns a percentile of sorted values with weights, interpolating between the midpoints of their weights.
fn weighted_percentile(sorted: &[(f64, f64)], share: f64) -> Option<f64> {
    let total: f64 = sorted.iter().map(|(_, weight)| weight).sum();
    let mut passed = 0.0;
    let mut before: Option<(f64, f64)> = None;
    for (value, weight) in sorted {
        let place = (passed + weight / 2.0) / total;
        if share <= place {
            return Some(match before {
                Some((at, below)) => below + (value - below) * (share - at) / (place - at),
                None => *value,
            });
        }
        passed += weight;
        before = Some((place, *value));
    }
    before.map(|(_, value)| value)
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::evaluate::evaluate;
    use crate::measured::RunKind;
    use crate::permalink;

    fn band(link: &str) -> Option<Band> {
        let inputs = permalink::read(link).current;
        let scenario = inputs.scenario().unwrap();
        let evaluation = evaluate(&scenario).unwrap();
        Residuals::of(inputs.calibration, &Runs::built_in()).band(&inputs, &scenario, &evaluation)
    }

    #[test]
    fn left_out_systems_lie_in_their_bands() {
        let all = Residuals::of(NamedCalibration::Kernels2026, &Runs::built_in());
        let inside = all.as_slice().iter().filter(|residual| {
            let others = all.without(residual.system);
            let band = others.band_of(residual);
            band.is_some_and(|band| band.holds(residual))
        });
        let share = inside.count() as f64 / all.as_slice().len() as f64;
        assert!((0.7..=0.9).contains(&share), "{share}");
    }

    /// Leave-one-out test over publications: about 80% of the runs are in the band that the other publications give.
    /// For every kind of run with at least 15 runs, at least 70% are in that band.
    #[test]
    fn left_out_publications_lie_in_their_bands() {
        let all = Residuals::of(NamedCalibration::Kernels202611, &Runs::built_in());
        let inside = |has: &dyn Fn(&Residual) -> bool| {
            let own: Vec<&Residual> = all.as_slice().iter().filter(|it| has(it)).collect();
            let held = own.iter().filter(|residual| {
                let others = all.without(residual.system);
                let band = others.band_of(residual);
                band.is_some_and(|band| band.holds(residual))
            });
            (held.count() as f64 / own.len() as f64, own.len())
        };
        let kind = |wanted: RunKind| {
            move |residual: &Residual| {
                Runs::built_in()
                    .recent()
                    .any(|run| run.id == residual.id && run.kind == wanted)
            }
        };
        let amd = |residual: &Residual| {
            Runs::built_in()
                .recent()
                .any(|run| run.id == residual.id && run.hardware.contains("MI3"))
        };
        let drafts = |residual: &Residual| {
            Runs::built_in()
                .recent()
                .any(|run| run.id == residual.id && run.link.contains("&mtp="))
        };
        let everything = inside(&|_| true);
        println!("all: {everything:?}");
        assert!((0.73..=0.87).contains(&everything.0), "{everything:?}");
        for (name, share) in [
            ("aggregated", inside(&kind(RunKind::Aggregated))),
            ("steady", inside(&kind(RunKind::Steady))),
            ("disaggregated", inside(&kind(RunKind::Disaggregated))),
            ("AMD", inside(&amd)),
            ("drafts", inside(&drafts)),
            ("sparse", inside(&|residual| residual.region.sparse)),
            ("not sparse", inside(&|residual| !residual.region.sparse)),
        ] {
            println!("{name}: {share:?}");
            assert!(share.0 >= 0.7 || share.1 < 15, "{name}: {share:?}");
        }
    }

    /// Under the calibration with engine overhead, about 80% of the runs of each region are in the band of the other
    /// publications. The mean ratio of a band's upper to its lower end is at most 2.2.
    #[test]
    fn left_out_publications_of_both_regions() {
        let all = Residuals::of(NamedCalibration::Kernels202612, &Runs::built_in());
        let mut widths = Vec::new();
        for (prefills, runs, sources) in [(true, 133, 35), (false, 52, 8)] {
            let own: Vec<&Residual> = all
                .as_slice()
                .iter()
                .filter(|it| it.region.prefills == prefills)
                .collect();
            assert_eq!((own.len(), publications(&own)), (runs, sources));
            let bands = own
                .iter()
                .map(|residual| all.without(residual.system).band_of(residual).unwrap());
            let bands: Vec<Band> = bands.collect();
            let shown = own.iter().filter_map(|residual| all.band_of(residual));
            widths.extend(shown.map(|band| band.high / band.low));
            let held = bands.iter().zip(&own);
            let held = held.filter(|(band, residual)| band.holds(residual)).count();
            let share = held as f64 / own.len() as f64;
            println!("aggregated {prefills}: {share:.3} of {runs}");
            assert!((0.75..=0.85).contains(&share), "{prefills}: {share}");
        }
        let mean = widths.iter().sum::<f64>() / widths.len() as f64;
        println!("ends {mean:.3} apart");
        assert!(mean <= 2.2, "{mean}");
    }

    /// Runs of stock engines with one sequence and sparse MLA on TP 8 are in the error band.
    #[test]
    fn stock_engines_lie_in_the_band_of_an_index() {
        const KEYS: &str = "v=2&calibration=kernels-2026-12&gpus=8&dp=1&tp=8&ep=1&ffn_tp=8&overlap=none&redundant=0\
            &beta=1&context=1536&batch=1";
        for (model, millis) in [
            ("model=glm-5.2&gpu=h200", 19.0),
            ("model=glm-5.2&gpu=h200&mtp=3&acceptance=0.7", 9.1),
            ("model=glm-5&gpu=b200", 20.22),
        ] {
            let link = format!("{KEYS}&{model}");
            let inputs = permalink::read(&link).current;
            let scenario = inputs.scenario().unwrap();
            let evaluation = evaluate(&scenario).unwrap();
            let times = millis * 1e-3 / evaluation.tpot.get();
            let band = band(&link).unwrap();
            assert!(
                (band.low..=band.high).contains(&times),
                "{link}: {times}, {band:?}"
            );
        }
    }

    #[test]
    fn unmeasured_accelerators_have_the_widest_band() {
        const KEYS: &str = "v=3&model=qwen3.6-35b-a3b&gpus=1&batch=1&context=2k&gpu=";
        let of = |gpu: &str| band(&format!("{KEYS}{gpu}")).unwrap();
        let width = |band: &Band| band.high / band.low;
        let widest = of("strix-halo");
        assert!(widest.unmeasured && widest.low <= 1.0 && widest.high >= UNMEASURED);
        for gpu in ["h200", "b200", "mi300x", "gb10", "h20", "vr200"] {
            let near = of(gpu);
            assert!(!near.unmeasured && width(&near) < width(&widest), "{gpu}");
        }
    }

    #[test]
    fn bands_widen_beyond_measurements() {
        let width = |band: &Band| band.high / band.low;
        let near = band("v=1").unwrap();
        assert!(near.low < 1.0 && near.high > 1.0, "{near:?}");
        assert_eq!(near.bias, None);
        let far = band("v=1&gpu=mi300x&context=100000&batch=72").unwrap();
        assert!(far.beyond + far.given_up > near.beyond + near.given_up);
        assert!(width(&far) > width(&near));
        let overridden = band("v=1&layer_us=1").unwrap();
        assert!(overridden.overridden && width(&overridden) > width(&near));
        assert_eq!(band("v=1&layer_us=0"), None);
        // A calibration without losses is too fast for every measurement.
        let ideal = band("v=1&calibration=ideal").unwrap();
        assert_eq!((ideal.bias, ideal.low), (Some(Bias::TooFast), 1.0));
    }

    #[test]
    fn percentiles_lie_between_their_neighbours() {
        assert_eq!(percentile(&[], 0.5), None);
        assert_eq!(percentile(&[3.0], 0.9), Some(3.0));
        assert_eq!(percentile(&[1.0, 2.0, 4.0], 0.75), Some(3.0));
    }
}
