//! Searches for the smallest value of each number that reaches a target.

use super::{Least, Target, Why};
use crate::calibration::Fold;
use crate::cost::memory::memory;
use crate::evaluate::{Evaluation, evaluate, with_batch};
use crate::hardware::Peaks;
use crate::inputs::{Inputs, Number};
use crate::limits::growth::{fewest_idle, on_gpus};
use crate::limits::largest;
use crate::math::bisect;
use crate::plan::{Overlap, Plan};
use crate::precision::{Format, NamedPrecision};
use crate::scenario::Scenario;
use crate::units::{Bytes, BytesPerSecond, FlopPerSecond};

/// Smallest bandwidth, peak or capacity that is tried, in the unit of its key.
const LEAST: f64 = 1e-3;
/// Ratio between successive trial values, for inputs where a larger value never hurts.
const WIDE: f64 = 16.0;
/// Ratio between successive trial values, for inputs where a larger value may hurt.
const NARROW: f64 = 1.0625;
/// Number of bisection steps. They give far more than four significant digits if the two ends have the ratio [`WIDE`].
const HALVINGS: u32 = 40;

pub(super) struct NeedTarget {
    inputs: Inputs,
    scenario: Scenario,
    pub(super) evaluation: Evaluation,
    target: Target,
    /// SLO that the values found must meet, if the scenario already meets it.
    slo: Option<f64>,
}

struct Tried {
    reached: bool,
    fits: bool,
    kept: bool,
    value: Option<f64>,
}

impl Tried {
    const fn works(&self) -> bool {
        self.reached && self.fits && self.kept
    }
}

impl NeedTarget {
    pub(super) fn new(inputs: &Inputs, target: Target) -> Option<Self> {
        let scenario = inputs.scenario().ok()?;
        let evaluation = evaluate(&scenario).ok()?;
        let met = |slo: &f64| evaluation.tokens_per_user >= *slo;
        let slo = match target {
            Target::Cost(_) | Target::Throughput(_) => scenario.workload.slo.filter(met),
            Target::Fits | Target::Speed(_) => None,
        };
        Some(Self {
            inputs: inputs.with_its_batch(),
            scenario,
            evaluation,
            target,
            slo,
        })
    }

    pub(super) fn now(&self, number: Number) -> Option<f64> {
        let cluster = &self.scenario.cluster;
        let peak = |format| Some(cluster.peaks.of(format)?.as_tera());
        Some(match number {
            Number::ScaleOut => cluster.scale_out.as_gb(),
            Number::ScaleUp => cluster.scale_up.as_gb(),
            Number::Hbm => cluster.hbm.as_gb(),
            Number::Capacity => cluster.capacity.as_gib(),
            Number::PeakBf16 => peak(Format::Bf16)?,
            Number::PeakFp8 => peak(Format::Fp8)?,
            Number::PeakFp4 => peak(Format::Fp4)?,
            Number::Gpus => f64::from(cluster.gpus),
            Number::Batch => self.scenario.workload.batch,
            Number::Context => self.scenario.workload.context,
            Number::Beta => self.scenario.plan.beta(),
            _ => return None,
        })
    }

    pub(super) fn answer(&self, number: Option<Number>) -> Least {
        if let (Target::Cost(_), None) = (self.target, self.scenario.dollars_per_hour) {
            return Least::None(Why::NoPrice);
        }
        if self.target == Target::Fits && number.is_some_and(|number| !takes_memory(number)) {
            return match self.target.reached(&self.evaluation) {
                true => Least::Any,
                false => Least::None(Why::Memory),
            };
        }
        match number {
            Some(Number::Gpus) => self.gpus(),
            Some(Number::Batch) => self.batch(),
            Some(Number::Context) => self.context(),
            Some(number) => self.real(number),
            None => self.precision(),
        }
    }

    fn evaluated(&self, evaluation: &Evaluation) -> Tried {
        Tried {
            reached: self.target.reached(evaluation),
            fits: evaluation.memory.fits(),
            kept: self.slo.is_none_or(|slo| evaluation.tokens_per_user >= slo),
            value: self.target.of(evaluation),
        }
    }

    fn tried(&self, scenario: Option<Scenario>) -> Option<Tried> {
        let evaluation = evaluate(&scenario?).ok()?;
        Some(self.evaluated(&evaluation))
    }

    fn works(&self, scenario: Option<Scenario>) -> bool {
        self.tried(scenario).is_some_and(|tried| tried.works())
    }

    /// Returns the reason why even the best value tried does not reach the target. The scenario's current value is
    /// considered too, because it may be better.
    fn why(&self, best: Option<Tried>) -> Least {
        let now = self.evaluated(&self.evaluation);
        let best = best.map(|best| match self.nearer(&now, &best) {
            true => now,
            false => best,
        });
        Least::None(match best {
            None => Why::Absent,
            Some(tried) if !tried.fits => Why::Memory,
            Some(tried) if tried.reached => Why::Slo,
            Some(tried) => tried.value.map_or(Why::Memory, Why::Beyond),
        })
    }

    /// Solves for bandwidths, capacity, peaks and balancedness, where a larger value never hurts. The exception is
    /// HOP-B with block-wise times, where faster memory can leave less compute to overlap.
    fn real(&self, number: Number) -> Least {
        let scenario = &self.scenario;
        let balanced = !scenario.arch.is_moe() || scenario.plan.spec().ep == 1;
        if number == Number::Beta && balanced {
            return Least::None(Why::Absent);
        }
        let most = number.spec().most;
        let works = |value: f64| self.works(with(scenario, number, value));
        if works(LEAST) {
            return Least::Any;
        }
        let hop_b = scenario.plan.spec().overlap == Overlap::HopB;
        let step = match scenario.calibration.fold {
            Fold::Block if hop_b => NARROW,
            _ => WIDE,
        };
        let (mut low, mut high) = (LEAST, LEAST);
        while !works(high) {
            if high >= most {
                return self.why(self.tried(with(scenario, number, most)));
            }
            low = high;
            high = (high * step).min(most);
        }
        for _ in 0..HALVINGS {
            let middle = (low * high).sqrt();
            if works(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        let written = four_digits(high, true);
        Least::Number(if written <= most && works(written) {
            written
        } else {
            high
        })
    }

    /// Finds the longest context that reaches the target; a longer context is never faster and never needs less
    /// memory.
    fn context(&self) -> Least {
        let spec = Number::Context.spec();
        let at = |value: f64| with(&self.scenario, Number::Context, value);
        if !self.works(at(spec.least)) {
            return self.why(self.tried(at(spec.least)));
        }
        if self.works(at(spec.most)) {
            return Least::Any;
        }
        let [last, _] = bisect(spec.least, spec.most, |value| self.works(at(value)));
        Least::Number(last)
    }

    /// Finds the largest batch that fits and meets the SLO, or the smallest batch with enough throughput, depending
    /// on the target.
    fn batch(&self) -> Least {
        let mut scenario = self.scenario;
        scenario.workload.slo = match self.target {
            Target::Speed(slo) => Some(slo),
            _ => self.slo,
        };
        let try_batch = |batch: f64| {
            let evaluation = with_batch(&scenario, batch).ok()?;
            Some(self.evaluated(&evaluation))
        };
        let least = scenario.plan.micro_batches();
        let most = match largest(&scenario) {
            Ok(largest) => largest.batch,
            Err(_) => return self.why(try_batch(least)),
        };
        if self.target.wants_most(Some(Number::Batch)) {
            return Least::Number(most);
        }
        let works = |batch: f64| try_batch(batch).is_some_and(|tried| tried.works());
        let (mut low, mut high) = (least, least);
        while !works(high) {
            if high >= most {
                return self.why(try_batch(most));
            }
            low = high;
            high = (high * NARROW).ceil().min(most);
        }
        let [_, first] = bisect(low, high, |value| !works(value));
        Least::Number(first)
    }

    fn gpus(&self) -> Least {
        let mut best: Option<Tried> = None;
        let most = Number::Gpus.spec().most as u32;
        let own = Some(self.scenario.cluster.gpus);
        let fewest = fewest(&self.inputs, own, most, |scenario, fits| {
            if !fits && best.is_some() {
                return false;
            }
            let Some(tried) = self.tried(Some(scenario)) else {
                return false;
            };
            let works = tried.works();
            if best.as_ref().is_none_or(|best| self.nearer(&tried, best)) {
                best = Some(tried);
            }
            works
        });
        // If the target is to fit in memory, the plan may run more micro-batches than there are sequences.
        let fewest = fewest.or_else(|| match self.target {
            Target::Fits => fewest_idle(&self.inputs),
            _ => None,
        });
        fewest.map_or_else(|| self.why(best), |gpus| Least::Number(f64::from(gpus)))
    }

    /// Finds the widest precision that reaches the target. The widest is preferred as the closest to the training
    /// precision.
    fn precision(&self) -> Least {
        const WIDEST_FIRST: [NamedPrecision; 3] = [
            NamedPrecision::Bf16,
            NamedPrecision::DeepseekFp8,
            NamedPrecision::Fp4,
        ];
        let mut best: Option<Tried> = None;
        for precision in WIDEST_FIRST {
            let scenario = self.inputs.with_precision(precision).scenario().ok();
            let Some(tried) = self.tried(scenario) else {
                continue;
            };
            if tried.works() {
                return Least::Precision(precision);
            }
            if best.as_ref().is_none_or(|best| self.nearer(&tried, best)) {
                best = Some(tried);
            }
        }
        self.why(best)
    }

    /// Tests whether one failed attempt is nearer to the target than another. Attempts that fit in memory rank first;
    /// then the target's quantity decides.
    fn nearer(&self, tried: &Tried, best: &Tried) -> bool {
        let less = matches!(self.target, Target::Cost(_));
        match (tried.fits, best.fits) {
            (true, false) => true,
            (false, true) => false,
            _ => match (tried.value, best.value) {
                (Some(value), Some(best)) if less => value < best,
                (Some(value), Some(best)) => value > best,
                _ => false,
            },
        }
    }
}

/// Returns the smallest GPU count, up to `most`, that satisfies `works`. Every count is tried, because divisors
/// matter. Counts at which the plan has more micro-batches than sequences are skipped, except the current count
/// `own`. `works` receives the scenario, and true if it fits in memory.
pub(crate) fn fewest(
    inputs: &Inputs,
    own: Option<u32>,
    most: u32,
    mut works: impl FnMut(Scenario, bool) -> bool,
) -> Option<u32> {
    (1..=most).find(|gpus| {
        let Ok(scenario) = on_gpus(inputs, *gpus) else {
            return false;
        };
        let batch = scenario.workload.batch;
        if own != Some(*gpus) && batch < scenario.plan.micro_batches() {
            return false;
        }
        // Memory first: it is cheaper than evaluating.
        let fits = memory(&scenario, batch).fits();
        works(scenario, fits)
    })
}

const fn takes_memory(number: Number) -> bool {
    !matches!(
        number,
        Number::ScaleOut
            | Number::ScaleUp
            | Number::Hbm
            | Number::PeakBf16
            | Number::PeakFp8
            | Number::PeakFp4
    )
}

/// Returns the scenario with another value of one number and everything else unchanged. A new peak for one
/// format scales the peaks of all formats by the same factor.
pub(crate) fn with(scenario: &Scenario, number: Number, value: f64) -> Option<Scenario> {
    let mut other = *scenario;
    let cluster = &mut other.cluster;
    let mut scale_peaks = |format: Format| {
        let now = cluster.peaks.of(format)?;
        let factor = value / now.as_tera();
        let times = |peak: Option<FlopPerSecond>| {
            peak.map(|peak| FlopPerSecond::from_tera(peak.as_tera() * factor))
        };
        cluster.peaks = Peaks {
            bf16: times(cluster.peaks.bf16),
            fp8: times(cluster.peaks.fp8),
            fp4: times(cluster.peaks.fp4),
        };
        Some(())
    };
    match number {
        Number::PeakBf16 => scale_peaks(Format::Bf16)?,
        Number::PeakFp8 => scale_peaks(Format::Fp8)?,
        Number::PeakFp4 => scale_peaks(Format::Fp4)?,
        Number::ScaleOut => cluster.scale_out = BytesPerSecond::from_gb(value),
        Number::ScaleUp => cluster.scale_up = BytesPerSecond::from_gb(value),
        Number::Hbm => cluster.hbm = BytesPerSecond::from_gb(value),
        Number::Capacity => cluster.capacity = Bytes::from_gib(value),
        Number::Batch => other.workload.batch = value,
        Number::Context => other.workload.context = value,
        Number::Beta => {
            let mut spec = *scenario.plan.spec();
            spec.beta = value;
            other.plan = Plan::new(spec, &scenario.arch, cluster.gpus).ok()?;
        }
        _ => return None,
    }
    Some(other)
}

/// Rounds to four significant digits, up if `up` is true and down otherwise.
pub(crate) fn four_digits(value: f64, up: bool) -> f64 {
    let text = format!("{value:.3e}");
    let near: f64 = text.parse().unwrap_or(value);
    if near.total_cmp(&value).is_eq() || (near > value) == up {
        return near;
    }
    let step = if up { 0.001 } else { -0.001 };
    let mut parts = text.split('e');
    let digits: Option<f64> = parts.next().and_then(|digits| digits.parse().ok());
    let power = parts.next().unwrap_or("0");
    digits
        .and_then(|digits| format!("{:.3}e{power}", digits + step).parse().ok())
        .unwrap_or(value)
}

#[cfg(test)]
mod tests {

    use super::four_digits;

    #[test]
    fn four_digits_are_on_the_asked_side() {
        for (value, written) in [
            (96.1234, 96.13),
            (96.12, 96.12),
            (0.999_99, 1.0),
            (99_991.0, 100_000.0),
            (1234.1, 1235.0),
            (0.001, 0.001),
        ] {
            let found: f64 = four_digits(value, true);
            assert!(
                (found / written - 1.0_f64).abs() < 1e-12,
                "{value}: {found}"
            );
        }
        for (value, written) in [(96.1234, 96.12), (96.127, 96.12), (96.12, 96.12)] {
            let found: f64 = four_digits(value, false);
            assert!((found - written).abs() < 1e-9_f64, "{value}: {found}");
        }
    }
}
