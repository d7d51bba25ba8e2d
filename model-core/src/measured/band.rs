//! Error band of a result, from the model's errors on measured runs.
//!
//! The rule. The residual of a published run that counts is the logarithm of measured over computed time per token. A
//! scenario belongs to a [`Region`]: aggregated prefill or not, communication across domains or not, sequences per
//! GPU, family of the accelerator. The band of a region spans the tenth to the ninetieth percentile of its residuals,
//! and at least a tenth to each side of their middle. A region with fewer than ten runs drops its last condition
//! until it has ten; every dropped condition, and every extrapolation of the scenario that occurs in no run of the
//! region, makes the band 1.15 times as wide.
//!
//! Under a calibration with costs by operator the residuals are those of the runs of [`recent`] too, also of runs
//! that leave something open, and the region is aggregated prefill or not, and sparse attention or not. Runs of one
//! publication err alike, so each publication counts once, whatever its number of runs; the band spans the fifth to
//! the ninety-fifth percentile, and a region with runs of fewer than six publications drops its last condition.
//! Engines of one persistent kernel have no band: they leave o_L out, which is an override. AFD has none either.
//!
//! Each calibration has its own residuals. An overridden one has none, and no band.

use super::compare::{Edit, compare};
use super::run::{recent, rows};
use crate::arch::Mixer;
use crate::calibration::NamedCalibration;
use crate::evaluate::Evaluation;
use crate::extrapolation::{Extrapolation, extrapolations};
use crate::hardware::Coverage;
use crate::hardware::NetworkLink;
use crate::inputs::Inputs;
use crate::math;
use crate::order::{sort_by, sort_numbers};
use crate::scenario::Scenario;
use crate::workload::Serving;

/// Least number of runs of a region.
const ENOUGH: usize = 10;
/// Percentiles of a band's ends, as shares.
const ENDS: (f64, f64) = (0.1, 0.9);
/// The same where publications count.
const PUBLISHED_ENDS: (f64, f64) = (0.05, 0.95);
/// Least number of publications of a region.
const ENOUGH_PUBLICATIONS: usize = 6;
/// Least half-width of a band, as a logarithm.
const AT_LEAST: f64 = 0.1;
/// Factor on the width for each dropped condition and each extrapolation.
const WIDER: f64 = 1.15;

/// Conditions that a scenario shares with measured runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// Aggregated prefill.
    pub prefills: bool,
    /// Communication across domains.
    pub across: bool,
    /// Sequences per GPU: up to 4, up to 64, more.
    pub load: LoadClass,
    /// Family of the kernels; [`Kernels::Others`] where another family's are used.
    pub kernels: Kernels,
    /// Attention to selected or compressed rows.
    pub sparse: bool,
}

/// Classes of sequences per GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadClass {
    /// Up to four: fixed times dominate.
    Few,
    /// Up to sixty-four.
    Some,
    /// More.
    Many,
}

/// Classes of accelerator families.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernels {
    /// A measured family.
    Family(crate::hardware::Family),
    /// Any other.
    Others,
}

impl Region {
    /// Number of conditions of a region; the last is dropped first.
    pub const CONDITIONS: usize = 4;

    /// The region of a scenario.
    pub fn of(inputs: &Inputs, scenario: &Scenario, evaluation: &Evaluation) -> Self {
        let sent = evaluation.messages(scenario);
        let each = scenario.workload.batch / f64::from(scenario.cluster.gpus);
        Self {
            prefills: matches!(scenario.workload.serving, Serving::Aggregated(_)),
            across: sent
                .iter()
                .any(|message| message.link == NetworkLink::ScaleOut),
            load: match each {
                each if each <= 4.0 => LoadClass::Few,
                each if each <= 64.0 => LoadClass::Some,
                _ => LoadClass::Many,
            },
            kernels: match inputs.gpu.coverage(inputs.family) {
                Coverage::Measured(family) | Coverage::MemoryOnly(family) => {
                    Kernels::Family(family)
                }
                Coverage::Range(_) | Coverage::Borrowed(_) | Coverage::Unclaimed => Kernels::Others,
            },
            sparse: scenario.arch.mixers().iter().any(|part| {
                part.shape.index().is_some() || matches!(part.shape, Mixer::Compressed(_))
            }),
        }
    }

    /// Tests whether the first `conditions` of aggregated prefill and sparse attention agree with another region's.
    fn serves_alike(&self, other: &Self, conditions: usize) -> bool {
        let same = [self.prefills == other.prefills, self.sparse == other.sparse];
        same.into_iter().take(conditions).all(|same| same)
    }

    /// Those conditions in words.
    fn serving_words(&self, conditions: usize) -> String {
        let all = [
            match self.prefills {
                true => "aggregated prefill",
                false => "decode alone",
            },
            match self.sparse {
                true => "sparse attention",
                false => "no sparse attention",
            },
        ];
        match conditions {
            0 => "every run".into(),
            _ => all[..conditions.min(all.len())].join(", "),
        }
    }

    /// Tests whether the first `conditions` agree with another region's.
    fn shares(&self, other: &Self, conditions: usize) -> bool {
        [
            self.prefills == other.prefills,
            self.across == other.across,
            self.load == other.load,
            self.kernels == other.kernels,
        ]
        .into_iter()
        .take(conditions)
        .all(|same| same)
    }

    /// The first `conditions` in words: "decode alone, across domains, above 64 sequences per GPU, Hopper".
    pub fn words(&self, conditions: usize) -> String {
        let all = [
            match self.prefills {
                true => "aggregated prefill",
                false => "decode alone",
            },
            match self.across {
                true => "across domains",
                false => "within a domain",
            },
            match self.load {
                LoadClass::Few => "up to 4 sequences per GPU",
                LoadClass::Some => "5 to 64 sequences per GPU",
                LoadClass::Many => "above 64 sequences per GPU",
            },
            match self.kernels {
                Kernels::Family(family) => family.name(),
                Kernels::Others => "other accelerators",
            },
        ];
        if conditions == 0 {
            return "every run".into();
        }
        all[..conditions.min(all.len())].join(", ")
    }
}

/// Error of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Residual {
    /// Identifier of the run.
    pub id: &'static str,
    /// Publication; its runs are left out together in cross-validation.
    pub system: &'static str,
    /// Its region.
    pub region: Region,
    /// Natural logarithm of measured over computed time.
    pub log: f64,
    extrapolated: Vec<Extrapolation>,
}

/// The residuals of a calibration.
#[derive(Debug, Clone, PartialEq)]
pub struct Residuals {
    all: Vec<Residual>,
    by_publication: bool,
}

/// Range of measured over computed times.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// Lower end, as a factor on the computed time.
    pub low: f64,
    /// Upper end, as a factor on the computed time.
    pub high: f64,
    /// Number of runs behind it.
    pub runs: usize,
    /// Dropped conditions of the region.
    pub given_up: usize,
    /// Extrapolations of the scenario that occur in none of the runs.
    pub beyond: usize,
    /// The remaining conditions of the region, in words.
    pub region: String,
}

impl Residuals {
    /// Residuals of every run that counts.
    pub fn of(calibration: NamedCalibration) -> Self {
        let keys = format!("calibration={}", calibration.id());
        let by_publication = calibration == NamedCalibration::Kernels202611;
        let newer = by_publication.then(recent).into_iter().flatten();
        let counting = rows().chain(newer).filter(|run| run.kind.counts());
        let residuals = counting.filter_map(|run| {
            let found = compare(&run, &Edit::keys(&keys))?;
            Some(Residual {
                id: run.id,
                system: run.source.title,
                region: Region::of(&found.inputs, &found.scenario, &found.evaluation),
                log: math::ln(found.measured / found.computed),
                extrapolated: found.extrapolated(),
            })
        });
        Self {
            all: residuals.collect(),
            by_publication,
        }
    }

    /// All residuals.
    pub fn as_slice(&self) -> &[Residual] {
        &self.all
    }

    /// Residuals of all but one system.
    #[must_use]
    pub fn without(&self, system: &str) -> Self {
        let others = self.all.iter().filter(|other| other.system != system);
        Self {
            all: others.cloned().collect(),
            by_publication: self.by_publication,
        }
    }

    /// The band of an evaluation's times; `None` for an overridden calibration, or without runs.
    pub fn band(
        &self,
        inputs: &Inputs,
        scenario: &Scenario,
        evaluation: &Evaluation,
    ) -> Option<Band> {
        if inputs.calibration() != inputs.named_calibration() {
            return None;
        }
        let region = Region::of(inputs, scenario, evaluation);
        let extrapolated: Vec<_> = extrapolations(scenario, evaluation).collect();
        self.around(&region, &extrapolated)
    }

    /// The band of one of the residuals, as if that run had not been measured.
    pub fn band_of(&self, left_out: &Residual) -> Option<Band> {
        self.around(&left_out.region, &left_out.extrapolated)
    }

    fn around(&self, region: &Region, extrapolated: &[Extrapolation]) -> Option<Band> {
        if self.by_publication {
            return self.among_publications(region, extrapolated);
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

    /// The band in which each publication counts once.
    fn among_publications(&self, region: &Region, extrapolated: &[Extrapolation]) -> Option<Band> {
        const CONDITIONS: usize = 2;
        let having = |conditions: usize| -> Vec<&Residual> {
            let near = self.all.iter();
            near.filter(|other| region.serves_alike(&other.region, conditions))
                .collect()
        };
        let (near, conditions) = (0..=CONDITIONS)
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
            weighted_percentile(&logs, PUBLISHED_ENDS.0)?,
            weighted_percentile(&logs, PUBLISHED_ENDS.1)?,
        );
        Some(Band::over(
            ends,
            &near,
            extrapolated,
            CONDITIONS - conditions,
            region.serving_words(conditions),
        ))
    }
}

/// Number of publications of some residuals.
fn publications(residuals: &[&Residual]) -> usize {
    let first = |at: usize| {
        let earlier = &residuals[..at];
        earlier
            .iter()
            .all(|other| other.system != residuals[at].system)
    };
    (0..residuals.len()).filter(|at| first(*at)).count()
}

/// Bias of a calibration over the runs of a band.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bias {
    /// Computed times are shorter than measured ones.
    TooFast,
    /// Computed times are longer than measured ones.
    TooSlow,
}

impl Bias {
    /// The bias in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::TooFast => {
                "this calibration was faster than nearly every system measured: expect the band, not the estimate"
            }
            Self::TooSlow => {
                "this calibration was slower than nearly every system measured: expect the band, not the estimate"
            }
        }
    }
}

impl Band {
    /// The band between two logarithms, wider for each condition `given_up` and each extrapolation that no run near
    /// has.
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
            region,
        }
    }

    /// The bias where the estimate lies outside its own band, else `None`.
    pub fn bias(&self) -> Option<Bias> {
        if self.low > 1.0 {
            Some(Bias::TooFast)
        } else if self.high < 1.0 {
            Some(Bias::TooSlow)
        } else {
            None
        }
    }

    /// Tests whether it contains a residual.
    pub fn holds(&self, residual: &Residual) -> bool {
        let factor = math::exp(residual.log);
        (self.low..=self.high).contains(&factor)
    }
}

/// Linear interpolation between the two nearest of sorted values.
fn percentile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = (sorted.len().checked_sub(1)? as f64) * share;
    let below = place.floor();
    let left = *sorted.get(below as usize)?;
    let right = *sorted.get(place.ceil() as usize)?;
    Some(left + (right - left) * (place - below))
}

/// Percentile of sorted values with weights, between the middles of their weights.
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
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;
    use crate::evaluate::evaluate;
    use crate::measured::RunKind;
    use crate::permalink;

    fn band(link: &str) -> Option<Band> {
        let inputs = permalink::read(link).current;
        let scenario = inputs.scenario().unwrap();
        let evaluation = evaluate(&scenario).unwrap();
        Residuals::of(inputs.calibration).band(&inputs, &scenario, &evaluation)
    }

    #[test]
    fn left_out_systems_lie_in_their_bands() {
        let all = Residuals::of(NamedCalibration::Kernels2026);
        let inside = all.as_slice().iter().filter(|residual| {
            let others = all.without(residual.system);
            let band = others.band_of(residual);
            band.is_some_and(|band| band.holds(residual))
        });
        let share = inside.count() as f64 / all.as_slice().len() as f64;
        assert!((0.7..=0.9).contains(&share), "{share}");
    }

    /// Every publication left out in turn: four of five runs lie in the band of the others, and in each kind of run
    /// that has at least fifteen more than two of three.
    #[test]
    fn left_out_publications_lie_in_their_bands() {
        let all = Residuals::of(NamedCalibration::Kernels202611);
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
                recent().any(|run| run.id == residual.id && run.kind == wanted)
            }
        };
        let amd = |residual: &Residual| {
            recent().any(|run| run.id == residual.id && run.hardware.contains("MI3"))
        };
        let drafts = |residual: &Residual| {
            recent().any(|run| run.id == residual.id && run.link.contains("&mtp="))
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

    #[test]
    fn bands_widen_beyond_measurements() {
        let width = |band: Band| band.high / band.low;
        let near = band("v=1").unwrap();
        assert!(near.low < 1.0 && near.high > 1.0, "{near:?}");
        assert_eq!(near.bias(), None);
        let far = band("v=1&gpu=mi300x&context=100000&batch=72").unwrap();
        assert!(far.beyond + far.given_up > near.beyond + near.given_up);
        assert!(width(far) > width(near));
        assert_eq!(band("v=1&layer_us=1"), None);
        // A calibration without losses is too fast for every measurement.
        let ideal = band("v=1&calibration=ideal").unwrap();
        assert_eq!(ideal.bias(), Some(Bias::TooFast));
    }

    #[test]
    fn percentiles_lie_between_their_neighbours() {
        assert_eq!(percentile(&[], 0.5), None);
        assert_eq!(percentile(&[3.0], 0.9), Some(3.0));
        assert_eq!(percentile(&[1.0, 2.0, 4.0], 0.75), Some(3.0));
    }
}
