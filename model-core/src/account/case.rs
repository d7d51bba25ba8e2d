//! A scenario with its records, and the leaves of its trees.

use super::symbol::Symbol;
use super::tree::{Account, How, Term};
use crate::calibration::term::{CalibrationTerm, TermUnit};
use crate::evaluate::Evaluation;
use crate::extrapolation::{Extrapolation, extrapolations};
use crate::inputs::{Gpu, Inputs, Model, Number};
use crate::scenario::Scenario;
use crate::source::Source;

/// A scenario, its inputs and its evaluation.
#[derive(Debug)]
pub struct Case<'a> {
    /// The inputs, every default that others follow stated.
    pub inputs: &'a Inputs,
    /// The scenario of the inputs.
    pub scenario: &'a Scenario,
    /// Its evaluation.
    pub evaluation: &'a Evaluation,
    extrapolated: Vec<Extrapolation>,
}

/// Factors of a quotient.
#[derive(Debug, Clone, Default)]
pub struct Factors {
    /// Numerator.
    pub above: Vec<Account>,
    /// Denominator.
    pub below: Vec<Account>,
}

impl Factors {
    /// One factor in the numerator.
    pub fn one(factor: Account) -> Self {
        Self::default().times(factor)
    }

    /// Multiplied by a factor.
    #[must_use]
    pub fn times(mut self, factor: Account) -> Self {
        self.above.push(factor);
        self
    }

    /// Divided by a factor; a factor of 1 is omitted.
    #[must_use]
    pub fn over(mut self, factor: Account) -> Self {
        if (factor.value - 1.0).abs() > 0.0 {
            self.below.push(factor);
        }
        self
    }

    /// Multiplied by other factors.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.above.extend(other.above);
        self.below.extend(other.below);
        self
    }

    /// Divided by other factors.
    #[must_use]
    pub fn and_over(mut self, other: Self) -> Self {
        self.above.extend(other.below);
        self.below.extend(other.above);
        self
    }

    /// Product of the numerator ÷ product of the denominator.
    pub fn value(&self) -> f64 {
        let product = |of: &[Account]| of.iter().map(|part| part.value).product::<f64>();
        product(&self.above) / product(&self.below)
    }

    /// The quotient as a node; a single factor is its own node.
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

/// Measurements that a constant stands on, for its extrapolations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measured {
    /// GEMMs.
    Gemm,
    /// Attention kernels, indexers and recurrences.
    Attention,
    /// Routed experts.
    Experts,
    /// Collectives in a domain.
    Inside,
    /// Collectives across domains.
    Across,
    /// Communication under overlap.
    Contention,
    /// Engine overhead.
    Overhead,
    /// Prefill passes.
    Prefill,
    /// Nothing more than the accelerator.
    Plain,
}

impl Measured {
    /// Extrapolations that concern these measurements.
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
    /// A scenario with its records.
    pub fn new(inputs: &'a Inputs, scenario: &'a Scenario, evaluation: &'a Evaluation) -> Self {
        Self {
            inputs,
            scenario,
            evaluation,
            extrapolated: extrapolations(scenario, evaluation).collect(),
        }
    }

    /// A leaf that a key sets.
    pub fn input(&self, symbol: Symbol, number: Number, value: f64) -> Account {
        let leaf = self.chosen(symbol, number.spec().key, value);
        let default = match number {
            Number::ScaleUp | Number::ScaleOut | Number::Domain => self.gpu_source(),
            Number::Price => self.price_source(),
            _ => None,
        };
        leaf.from(default.filter(|_| self.inputs.stated(number).is_none()))
    }

    /// A leaf that a key of choices sets.
    pub const fn chosen(&self, symbol: Symbol, key: &'static str, value: f64) -> Account {
        Account::of(Term::Plain(symbol), value, How::Input(key), Vec::new())
    }

    /// A factor of the plan.
    pub fn ways(&self, symbol: Symbol, number: Number, value: u32) -> Account {
        self.input(symbol, number, f64::from(value))
    }

    /// A fact about the model; of a custom shape, the key that states it.
    pub fn model_fact(&self, symbol: Symbol, value: f64) -> Account {
        match self.inputs.model {
            Model::Catalog(entry) => {
                Account::new(symbol, value, How::Fact, Vec::new()).from(Some(entry.source))
            }
            Model::Custom(_) => self.chosen(symbol, "arch", value),
        }
    }

    /// A fact about the accelerator; of a custom one, the key that states it.
    pub fn gpu_fact(&self, symbol: Symbol, custom: Number, value: f64) -> Account {
        match self.gpu_source() {
            Some(source) => Account::new(symbol, value, How::Fact, Vec::new()).from(Some(source)),
            None => self.input(symbol, custom, value),
        }
    }

    /// A definition: a fact that needs no measurement.
    pub fn definition(&self, symbol: Symbol, value: f64) -> Account {
        const DEFINED: Source = Source::new("docs/model.md", "conventions");
        Account::new(symbol, value, How::Fact, Vec::new()).from(Some(DEFINED))
    }

    /// The same case with another scenario.
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
            // A price that the user gives is not the catalog's.
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

    /// A constant of no calibration, from `source`.
    pub fn constant(&self, symbol: Symbol, value: f64, source: Source) -> Account {
        let how = How::Constant {
            extrapolated: false,
        };
        Account {
            source: Some(source),
            ..Account::of(Term::Plain(symbol), value, how, Vec::new())
        }
    }

    /// A constant of the active calibration: of `terms` the one that has the value, else the first; without terms, the
    /// calibration’s own number, of this symbol. The key that overrides it makes it an input.
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

    /// A factor ε ≥ 1 on a time: a share σ of a term in the denominator, or ε itself; nothing for ε = 1 without a term.
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

    /// A correction from measurements as a factor; none for 1.
    pub fn corrected(&self, factor: f64) -> Factors {
        match (factor - 1.0).abs() > 0.0 {
            true => Factors::one(self.chosen(Symbol::Correction, "measured", factor)),
            false => Factors::default(),
        }
    }

    /// A fixed time under the factor of `scale`; `launches` of them.
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

    /// True if the calibration has separate terms per kernel.
    pub const fn by_kernel(&self) -> bool {
        self.inputs.calibration.tells_kernels_apart()
    }

    /// HBM bandwidth as a denominator.
    pub fn hbm(&self) -> Factors {
        let own = self.inputs.accelerator().hbm.get();
        let leaf = self.gpu_fact(Symbol::Bandwidth, Number::Hbm, own);
        self.scaled_rate(leaf, Symbol::BandwidthScale, Number::HbmScale)
    }

    /// A rate of the accelerator and the factor on it, both as denominators.
    pub fn scaled_rate(&self, leaf: Account, symbol: Symbol, scale: Number) -> Factors {
        let factor = self.inputs.get(scale).unwrap_or(1.0);
        let factors = Factors {
            above: Vec::new(),
            below: vec![leaf],
        };
        factors.over(self.input(symbol, scale, factor))
    }
}
