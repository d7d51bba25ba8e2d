//! A scenario with its inputs and evaluation (a `Case`); derivation trees and their leaves are built from it.

use super::symbol::Symbol;
use super::tree::{Account, How, Term};
use crate::calibration::term::{CalibrationTerm, TermUnit};
use crate::evaluate::Evaluation;
use crate::extrapolation::{Extrapolation, extrapolations};
use crate::inputs::{Gpu, Inputs, Model, Number};
use crate::scenario::Scenario;
use crate::source::Source;

/// A scenario with its inputs and evaluation; the basis of derivation trees.
#[derive(Debug)]
pub struct Case<'a> {
    /// The user's inputs, with every default that depends on other inputs filled in.
    pub inputs: &'a Inputs,
    /// The scenario that the inputs describe.
    pub scenario: &'a Scenario,
    /// The evaluation of the scenario.
    pub evaluation: &'a Evaluation,
    extrapolated: Vec<Extrapolation>,
}

/// Factors of a quotient, as derivation trees.
#[derive(Debug, Clone, Default)]
pub struct Factors {
    /// Factors of the numerator.
    pub above: Vec<Account>,
    /// Factors of the denominator.
    pub below: Vec<Account>,
}

impl Factors {
    /// Starts a quotient with one factor in its numerator.
    pub fn one(factor: Account) -> Self {
        Self::default().times(factor)
    }

    /// Multiplies the quotient by a factor.
    #[must_use]
    pub fn times(mut self, factor: Account) -> Self {
        self.above.push(factor);
        self
    }

    /// Divides the quotient by a factor; omits a factor of 1.
    #[must_use]
    pub fn over(mut self, factor: Account) -> Self {
        if (factor.value - 1.0).abs() > 0.0 {
            self.below.push(factor);
        }
        self
    }

    /// Multiplies the quotient by another quotient.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.above.extend(other.above);
        self.below.extend(other.below);
        self
    }

    /// Divides the quotient by another quotient.
    #[must_use]
    pub fn and_over(mut self, other: Self) -> Self {
        self.above.extend(other.below);
        self.below.extend(other.above);
        self
    }

    /// Returns the product of the numerator ÷ the product of the denominator.
    pub fn value(&self) -> f64 {
        let product = |of: &[Account]| of.iter().map(|part| part.value).product::<f64>();
        product(&self.above) / product(&self.below)
    }

    /// Turns the quotient into a tree node named `term`. A single non-leaf factor is renamed instead of wrapped.
    pub fn node(mut self, term: Term) -> Account {
        match (self.above.len(), self.below.is_empty()) {
            (1, true) => match self.above.pop() {
                Some(only) if !only.is_leaf() => only.named(term),
                only => Account::quotient(term, only.into_iter().collect(), Vec::new()),
            },
            _ => Account::quotient(term, self.above, self.below),
        }
    }
}

/// The measurements that a constant is fitted to. They decide which extrapolations affect the constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measured {
    /// Fitted to GEMM times.
    Gemm,
    /// Fitted to times of attention kernels, indexers and recurrences.
    Attention,
    /// Fitted to times of routed experts.
    Experts,
    /// Fitted to times of collectives within a scale-up domain.
    Inside,
    /// Fitted to times of collectives across scale-up domains.
    Across,
    /// Fitted to communication slowed down by overlap with compute.
    Contention,
    /// Fitted to engine overhead measurements.
    Overhead,
    /// Fitted to times of prefill passes.
    Prefill,
    /// Fitted to no specific measurement: only an uncalibrated accelerator makes the constant an extrapolation.
    Plain,
}

impl Measured {
    const fn extrapolations(self) -> &'static [Extrapolation] {
        use Extrapolation as E;
        match self {
            Self::Gemm => &[
                E::Accelerator,
                E::Compute,
                E::Fp4,
                E::Fp4OnHopper,
                E::LittleCompute,
                E::LatentExperts,
                E::Residual,
            ],
            Self::Attention => &[
                E::Accelerator,
                E::Compute,
                E::GroupedAttention,
                E::LongContext,
                E::PartialAttention,
                E::OtherKernels,
                E::QueryHeads,
                E::LittleCompute,
            ],
            Self::Experts => &[
                E::Accelerator,
                E::Compute,
                E::Fp4,
                E::Fp4OnHopper,
                E::LittleCompute,
                E::FusedBalance,
            ],
            Self::Inside => &[
                E::Accelerator,
                E::WideDomain,
                E::WideAllReduce,
                E::FewTokens,
                E::SelectionExchange,
                E::Switchless,
            ],
            Self::Across => &[E::Accelerator, E::BlackwellAcross, E::FewTokens],
            Self::Contention => &[E::Contention],
            Self::Overhead => &[
                E::EngineOverhead,
                E::SplitOverhead,
                E::Fp4Quantization,
                E::HalfLayers,
            ],
            Self::Prefill => &[E::Accelerator, E::Prefill, E::SparsePrefill],
            Self::Plain => &[E::Accelerator],
        }
    }
}

impl<'a> Case<'a> {
    /// Creates a case from a scenario with its inputs and evaluation, and collects the scenario's extrapolations.
    pub fn new(inputs: &'a Inputs, scenario: &'a Scenario, evaluation: &'a Evaluation) -> Self {
        Self {
            inputs,
            scenario,
            evaluation,
            extrapolated: extrapolations(scenario, evaluation).collect(),
        }
    }

    /// Creates a leaf for a number that a permalink key sets.
    pub fn input(&self, symbol: Symbol, number: Number, value: f64) -> Account {
        let leaf = self.chosen(symbol, number.spec().key, value);
        let default = match number {
            Number::ScaleUp | Number::ScaleOut | Number::Domain => self.gpu_source(),
            Number::Price => self.price_source(),
            _ => None,
        };
        leaf.from(default.filter(|_| self.inputs.stated(number).is_none()))
    }

    /// Creates a leaf for a value that follows from a key with named choices, such as `precision`.
    pub const fn chosen(&self, symbol: Symbol, key: &'static str, value: f64) -> Account {
        Account::of(Term::Plain(symbol), value, How::Input(key), Vec::new())
    }

    /// Creates a leaf for a parallelism factor of the plan, such as tp.
    pub fn ways(&self, symbol: Symbol, number: Number, value: u32) -> Account {
        self.input(symbol, number, f64::from(value))
    }

    /// Creates a leaf for a fact about the LLM. For a custom architecture, the leaf is instead the permalink key
    /// `arch`.
    pub fn model_fact(&self, symbol: Symbol, value: f64) -> Account {
        match self.inputs.model {
            Model::Catalog(entry) => {
                Account::new(symbol, value, How::Fact, Vec::new()).from(Some(entry.source))
            }
            Model::Custom(_) => self.chosen(symbol, "arch", value),
        }
    }

    /// Creates a leaf for a fact about the accelerator. For a custom accelerator, the leaf is instead the permalink
    /// key that sets it.
    pub fn gpu_fact(&self, symbol: Symbol, custom: Number, value: f64) -> Account {
        match self.gpu_source() {
            Some(source) => Account::new(symbol, value, How::Fact, Vec::new()).from(Some(source)),
            None => self.input(symbol, custom, value),
        }
    }

    /// Creates a leaf for a definition: a value that needs no measurement, such as seconds per hour.
    pub fn definition(&self, symbol: Symbol, value: f64) -> Account {
        const DEFINED: Source = Source::new("docs/model.md", "conventions");
        Account::new(symbol, value, How::Fact, Vec::new()).from(Some(DEFINED))
    }

    /// Returns this case with its scenario replaced by `scenario`.
    pub fn with<'b>(&'b self, scenario: &'b Scenario) -> Case<'b> {
        Case {
            inputs: self.inputs,
            scenario,
            evaluation: self.evaluation,
            extrapolated: self.extrapolated.clone(),
        }
    }

    fn gpu_source(&self) -> Option<Source> {
        match self.inputs.gpu {
            Gpu::Catalog(entry) => Some(entry.source),
            Gpu::Custom => None,
        }
    }

    fn price_source(&self) -> Option<Source> {
        match self.inputs.gpu {
            // A price that the user entered has no catalog source.
            Gpu::Catalog(entry) if self.inputs.prices.of(entry).is_none() => entry.price_source,
            Gpu::Catalog(_) | Gpu::Custom => None,
        }
    }

    fn extrapolates(&self, measured: Measured) -> bool {
        measured
            .extrapolations()
            .iter()
            .any(|one| self.extrapolated.contains(one))
    }

    /// Creates a leaf for a constant that belongs to no calibration; `source` documents the constant.
    pub fn constant(&self, symbol: Symbol, value: f64, source: Source) -> Account {
        let how = How::Constant {
            extrapolated: false,
        };
        Account {
            source: Some(source),
            ..Account::of(Term::Plain(symbol), value, how, Vec::new())
        }
    }

    /// Creates a leaf for a constant of the active calibration. The leaf uses the entry of `terms` whose value is
    /// `value`, or else the first entry. If `terms` is empty, it uses the calibration's constant for `symbol`. If the
    /// user sets `key`, which overrides the constant, the leaf is that input.
    pub fn calibrated(
        &self,
        terms: &[&'static CalibrationTerm],
        symbol: Symbol,
        key: Option<Number>,
        value: f64,
        measured: Measured,
    ) -> Account {
        let stated = key.filter(|key| self.inputs.stated(*key).is_some());
        if let Some(number) = stated {
            return self.input(symbol, number, value);
        }
        let how = How::Constant {
            extrapolated: self.extrapolates(measured),
        };
        let family = self.scenario.calibration.coverage.family_or_hopper();
        let alike = |term: &&&CalibrationTerm| {
            let own = match term.unit {
                TermUnit::Micros => term.of(family) * 1e-6,
                _ => term.of(family),
            };
            (own - value).abs() <= 1e-12 * value.abs()
        };
        let term = terms.iter().find(alike).or(terms.first());
        match term {
            Some(term) => {
                Account::of(Term::Constant(term), value, how, Vec::new()).from(Some(term.source))
            }
            None => {
                let source = self.inputs.calibration.source();
                Account::new(symbol, value, how, Vec::new()).from(Some(source))
            }
        }
    }

    /// Returns an inefficiency ε ≥ 1 (time ÷ ideal time) as factors. If calibration terms apply, ε is written as ÷
    /// efficiency σ; otherwise as × ε, left out if 1.
    pub fn inefficiency(
        &self,
        terms: &[&'static CalibrationTerm],
        key: Number,
        factor: f64,
        measured: Measured,
    ) -> Factors {
        let variable = self.scenario.correction.variable;
        let (factor, corrected) = (factor / variable, self.corrected(variable));
        let stated = self.inputs.stated(key).is_some();
        if stated || terms.is_empty() {
            if !stated && (factor - 1.0).abs() < 1e-12 {
                return corrected;
            }
            let key = Some(key);
            let own = self.calibrated(&[], Symbol::Inefficiency, key, factor, measured);
            return corrected.times(own);
        }
        let share = self.calibrated(terms, Symbol::Efficiency, None, 1.0 / factor, measured);
        Factors {
            above: corrected.above,
            below: vec![share],
        }
    }

    /// Returns a correction factor from measurements; returns no factors if the correction is 1.
    pub fn corrected(&self, factor: f64) -> Factors {
        match (factor - 1.0).abs() > 0.0 {
            true => Factors::one(self.chosen(Symbol::Correction, "measured", factor)),
            false => Factors::default(),
        }
    }

    /// Returns a fixed time as factors: the constant, its correction from measurements, and the user's `scale` factor
    /// unless that is 1.
    pub fn fixed(
        &self,
        name: Symbol,
        terms: &[&'static CalibrationTerm],
        key: Option<Number>,
        value: f64,
        (scale, symbol): (Number, Symbol),
        measured: Measured,
    ) -> Factors {
        let factor = self.inputs.get(scale).unwrap_or(1.0);
        let fixed = self.scenario.correction.fixed;
        let own = value / (factor * fixed);
        let leaf = self.calibrated(terms, name, key, own, measured);
        let scaled = (factor - 1.0).abs() > 0.0;
        let factors = Factors::one(leaf).and(self.corrected(fixed));
        match scaled {
            true => factors.times(self.input(symbol, scale, factor)),
            false => factors,
        }
    }

    /// True if the active calibration has separate terms for each kernel.
    pub const fn by_kernel(&self) -> bool {
        self.inputs.calibration.tells_kernels_apart()
    }

    /// Returns 1 ÷ HBM bandwidth as factors, including the user's factor on the bandwidth.
    pub fn hbm(&self) -> Factors {
        let own = self.inputs.accelerator().hbm.get();
        let leaf = self.gpu_fact(Symbol::Bandwidth, Number::Hbm, own);
        self.scaled_rate(leaf, Symbol::BandwidthScale, Number::HbmScale)
    }

    /// Returns 1 ÷ an accelerator rate as factors, including the user's factor on that rate.
    pub fn scaled_rate(&self, leaf: Account, symbol: Symbol, scale: Number) -> Factors {
        let factor = self.inputs.get(scale).unwrap_or(1.0);
        let factors = Factors {
            above: Vec::new(),
            below: vec![leaf],
        };
        factors.over(self.input(symbol, scale, factor))
    }
}
