//! Factors an operator's work (FLOP, bytes) into the quantities that the work is proportional to. The quantities are
//! found by recomputing the operator with a different load, precision or plan.

use super::case::{Case, Factors};
use super::load::{Loaded, Variable};
use super::symbol::Symbol;
use super::tree::Account;
use crate::inputs::Number;
use crate::ops::{Kind, Load, Operator, Place, PromptTokens, Subject};
use crate::plan::{Plan, PlanSpec};
use crate::precision::Precision;

/// A measure of an operator's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// FLOP of the operator.
    Flop,
    /// FLOP added by one more token of context in every sequence.
    FlopPerContext,
    /// Bytes of KV cache, index keys or state that the operator reads and writes.
    Cache,
    /// KV-cache bytes added by one more token of context in every sequence.
    CachePerContext,
    /// Bytes of activations that the operator reads and writes.
    Activations,
    /// Bytes of weights that the operator reads.
    Weights,
    /// Rows of the operator's GEMM.
    Rows,
}

/// Precision setting that determines the bytes per element in one [`Monomial`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Width {
    None,
    Kv,
    Index,
    Activations,
    Attention,
    Ffn,
    Dense,
    Head,
}

/// One term of an operator's work: model fact × bytes per element × load variable × context quantity.
#[derive(Debug, Clone, Copy)]
struct Monomial {
    width: Width,
    variable: Option<Variable>,
    span: Span,
    value: f64,
}

/// A context quantity to which work may be proportional.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Span {
    /// Independent of the context length.
    Free,
    /// Context length, or whole prompt length in prefill.
    Context,
    /// Key rows that one chunk of a prompt reads.
    Rows,
    /// Query–key pairs of one chunk of a prompt.
    Pairs,
}

impl Span {
    const OF_PROMPTS: [Self; 4] = [Self::Free, Self::Context, Self::Rows, Self::Pairs];

    fn of(self, load: &Load) -> f64 {
        let prompt = PromptTokens {
            new: load.context - load.prefix,
            cached: load.prefix,
            chunks: load.chunks,
        };
        match self {
            Self::Free => 1.0,
            Self::Context => load.context,
            Self::Rows => prompt.rows(),
            Self::Pairs => prompt.pairs(),
        }
    }
}

/// Recomputes one operator with a different load or precision.
struct Probe<'a> {
    subject: Subject<'a>,
    precision: Precision,
    place: Place,
    kind: Kind,
    drafter: bool,
}

impl Work {
    const fn of(self, operator: &Operator) -> f64 {
        match self {
            Self::Flop => operator.flop.get(),
            Self::FlopPerContext => operator.per_context_token.flop.get(),
            Self::Cache => operator.kv.get(),
            Self::CachePerContext => operator.per_context_token.kv.get(),
            Self::Activations => operator.activations.get(),
            Self::Weights => operator.weights.get(),
            Self::Rows => operator.rows,
        }
    }

    const fn widths(self) -> &'static [Width] {
        match self {
            Self::Flop | Self::FlopPerContext | Self::Rows => &[Width::None],
            Self::Cache | Self::CachePerContext | Self::Activations => {
                &[Width::None, Width::Kv, Width::Index, Width::Activations]
            }
            Self::Weights => &[
                Width::None,
                Width::Attention,
                Width::Ffn,
                Width::Dense,
                Width::Head,
            ],
        }
    }

    fn symbol(self, monomial: &Monomial) -> Symbol {
        match (self, monomial.width) {
            (Self::Flop, _) if monomial.span != Span::Free => Symbol::FlopPair,
            (Self::Flop, _) => Symbol::FlopEach,
            (Self::FlopPerContext, _) => Symbol::FlopPair,
            (Self::Rows, _) => Symbol::Heads,
            (Self::Weights, _) => Symbol::Weights,
            (_, Width::Kv) => Symbol::CacheEach,
            (_, Width::Index) => Symbol::IndexEach,
            (_, Width::Activations) => Symbol::ActivationEach,
            _ => match monomial.variable {
                Some(Variable::Sequences) => Symbol::BytesSequence,
                _ => Symbol::BytesEach,
            },
        }
    }
}

impl Width {
    /// Returns `of` with the bytes per element of every format except this one set to zero.
    const fn alone(self, of: &Precision) -> Precision {
        let mut only = Precision {
            attention_weights: 0.0,
            ffn_weights: 0.0,
            dense_weights: 0.0,
            kv: 0.0,
            kv_index: 0.0,
            activations: 0.0,
            ..*of
        };
        match self {
            Self::None | Self::Head => {}
            Self::Kv => only.kv = of.kv,
            Self::Index => only.kv_index = of.kv_index,
            Self::Activations => only.activations = of.activations,
            Self::Attention => only.attention_weights = of.attention_weights,
            Self::Ffn => only.ffn_weights = of.ffn_weights,
            Self::Dense => only.dense_weights = of.dense_weights,
        }
        only
    }
}

impl Probe<'_> {
    /// Measures the operator's work under `load`, with only the bytes per element of `width` nonzero.
    fn measure(&self, work: Work, width: Width, load: &Load) -> f64 {
        let precision = width.alone(&self.precision);
        let subject = Subject {
            precision: &precision,
            head_bytes: if width == Width::Head {
                self.subject.head_bytes
            } else {
                0.0
            },
            ..self.subject
        };
        find(&subject, self.place, self.kind, self.drafter, load)
            .map_or(0.0, |operator| work.of(&operator))
    }

    fn monomials(&self, work: Work, load: &Load) -> Vec<Monomial> {
        let mut found = Vec::new();
        let fixed = self.measure(work, Width::None, load);
        for width in work.widths() {
            let of = |load: &Load| {
                let all = self.measure(work, *width, load);
                match width {
                    Width::None => all,
                    _ => all - self.measure(work, Width::None, load),
                }
            };
            let value = of(load);
            let noise = 1e-13 * fixed.abs();
            if value.abs() <= noise || !value.is_finite() {
                continue;
            }
            for (variable, value) in variables(&of, load, value) {
                let at = |load: &Load| match variable {
                    Some(variable) => of(&variable.alone(load)),
                    None => of(load),
                };
                // If several variables act jointly, keep all of them while the context varies.
                let joint = !near(at(load), value);
                let at = |load: &Load| if joint { of(load) } else { at(load) };
                for (span, value) in over_context(&at, load, value) {
                    found.push(Monomial {
                        width: *width,
                        variable,
                        span,
                        value,
                    });
                }
            }
        }
        found
    }
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
}

/// Splits a value into parts, each proportional to one load variable (or to none).
fn variables(of: &impl Fn(&Load) -> f64, load: &Load, value: f64) -> Vec<(Option<Variable>, f64)> {
    let alone: Vec<(Variable, f64)> = Variable::ALL
        .into_iter()
        .map(|variable| (variable, of(&variable.alone(load))))
        .filter(|(_, value)| value.is_finite() && value.abs() > 0.0)
        .collect();
    let sum: f64 = alone.iter().map(|(_, value)| value).sum();
    match alone.as_slice() {
        [(only, one)] if near(*one, value) => vec![(Some(*only), value)],
        [_, ..] if near(sum, value) => alone
            .into_iter()
            .map(|(variable, value)| (Some(variable), value))
            .collect(),
        _ => {
            let grows = |variable: &Variable| {
                let more = variable.set(*load, variable.of(load) * 2.0);
                near(of(&more), 2.0 * value)
            };
            let joint = Variable::ALL.into_iter().find(grows);
            vec![(joint, value)]
        }
    }
}

/// Splits a value into parts, each proportional to one context quantity.
fn over_context(of: &impl Fn(&Load) -> f64, load: &Load, value: f64) -> Vec<(Span, f64)> {
    if load.prompt {
        let other = Load {
            context: load.context * 2.0,
            prefix: load.prefix * 2.0,
            chunks: load.chunks * 3.0,
            ..*load
        };
        let grows = of(&other) / of(load);
        let alike = |span: &Span| near(span.of(&other) / span.of(load), grows);
        let span = Span::OF_PROMPTS.into_iter().find(alike);
        return vec![(span.unwrap_or(Span::Free), value)];
    }
    const STEP: f64 = 1.0 / 1024.0;
    let more = Load {
        context: load.context * (1.0 + STEP),
        ..*load
    };
    let growing = (of(&more) - of(load)) / STEP;
    if growing.abs() <= 1e-9 * value.abs() {
        vec![(Span::Free, value)]
    } else if near(growing, value) {
        vec![(Span::Context, value)]
    } else {
        vec![(Span::Context, growing), (Span::Free, value - growing)]
    }
}

/// Finds the operator of this kind in one part of the model, for the given load.
pub fn find(
    subject: &Subject<'_>,
    place: Place,
    kind: Kind,
    drafter: bool,
    load: &Load,
) -> Option<Operator> {
    if drafter && kind == Kind::InProj && place == Place::Head {
        return Some(crate::ops::drafter_projection(kind, subject, load));
    }
    let list = subject.operators(place, load);
    list.as_slice()
        .iter()
        .find(|operator| operator.kind == kind)
        .copied()
}

/// Factors an operator's work into a sum of quotients. Each is a model fact × load × bytes per element ÷ parallelism
/// factors of the plan.
pub fn factors(
    case: &Case<'_>,
    subject: &Subject<'_>,
    loaded: &Loaded,
    (place, kind, drafter): (Place, Kind, bool),
    work: Work,
) -> Vec<Factors> {
    let load = &loaded.load;
    let measured = |subject: &Subject<'_>, load: &Load| {
        let probe = Probe {
            precision: *subject.precision,
            subject: *subject,
            place,
            kind,
            drafter,
        };
        probe.monomials(work, load)
    };
    let local = measured(subject, load);
    let whole = whole_plan(subject).map(|plan| {
        let subject = Subject {
            plan: &plan,
            ..*subject
        };
        measured(
            &subject,
            &Load {
                shards: 1.0,
                ..*load
            },
        )
    });
    let alike = |one: &Monomial, other: &Monomial| {
        one.width == other.width && one.variable == other.variable && one.span == other.span
    };
    local
        .iter()
        .map(|monomial| {
            let same = whole.iter().flatten().find(|other| alike(monomial, other));
            let ratio = same.map_or(1.0, |same| same.value / monomial.value);
            let shards = shards(case, work, ratio);
            product(case, subject, loaded, work, monomial, shards)
        })
        .collect()
}

/// Returns a plan that puts the whole model on one GPU.
pub fn whole_plan(subject: &Subject<'_>) -> Option<Plan> {
    let spec = PlanSpec {
        dp: 1,
        tp: 1,
        kvp: 1,
        ffn_tp: 1,
        ep: 1,
        pp: 1,
        ..*subject.plan.spec()
    };
    Plan::new(spec, subject.arch, 1).ok()
}

/// Returns the plan's parallelism factors that multiply to `ratio`, as divisors. If no combination does, because KV
/// heads are replicated, returns tp, or tp·kvp for KV-cache work under KV parallelism.
fn shards(case: &Case<'_>, work: Work, ratio: f64) -> Factors {
    let plan = &case.scenario.plan;
    let spec = plan.spec();
    let tp = || case.ways(Symbol::Tp, Number::Tp, spec.tp);
    let kvp = || case.ways(Symbol::Kvp, Number::Kvp, spec.kvp);
    let ffn_tp = || case.ways(Symbol::FfnTp, Number::FfnTp, spec.ffn_tp);
    let gpus = || case.ways(Symbol::Gpus, Number::Gpus, plan.gpus());
    let pp = || case.ways(Symbol::Pp, Number::Pp, spec.pp);
    let one = Factors::default;
    let candidates = [
        one(),
        one().over(tp()),
        one().over(kvp()),
        one().over(tp()).over(kvp()),
        one().over(ffn_tp()),
        one().over(gpus()).and_over(one().over(pp())),
    ];
    let fits = |factors: &Factors| near(1.0 / factors.value(), ratio);
    let found = candidates.into_iter().find(fits);
    match (found, work) {
        (Some(found), _) => found,
        (None, Work::Cache | Work::CachePerContext) if spec.kvp > 1 => one().over(tp()).over(kvp()),
        (None, _) => one().over(tp()),
    }
}

fn product(
    case: &Case<'_>,
    subject: &Subject<'_>,
    loaded: &Loaded,
    work: Work,
    monomial: &Monomial,
    shards: Factors,
) -> Factors {
    let mut rest = shards;
    if let Some(variable) = monomial.variable {
        rest = loaded.factors(variable).and(rest);
    }
    rest = rest.and(match monomial.span {
        Span::Free => Factors::default(),
        Span::Context => loaded.context.clone(),
        Span::Rows => loaded.rows.clone(),
        Span::Pairs => loaded.pairs.clone(),
    });
    if let Some(width) = width_leaf(case, subject, monomial.width) {
        rest = rest.times(width);
    }
    let value = monomial.value / rest.value();
    Factors::one(case.model_fact(work.symbol(monomial), value)).and(rest)
}

fn width_leaf(case: &Case<'_>, subject: &Subject<'_>, width: Width) -> Option<Account> {
    let precision = subject.precision;
    let of = |symbol, number, value| Some(case.input(symbol, number, value));
    let ffn = || {
        of(
            Symbol::WeightBytes,
            Number::FfnWeightBytes,
            precision.ffn_weights,
        )
    };
    let attention = |bytes| of(Symbol::WeightBytes, Number::AttentionWeightBytes, bytes);
    let same = |one: f64, other: f64| (one - other).abs() <= 0.0;
    match width {
        Width::None => None,
        Width::Kv => of(Symbol::KvBytes, Number::KvBytes, precision.kv),
        Width::Index => of(
            Symbol::IndexBytes,
            Number::IndexKeyBytes,
            precision.kv_index,
        ),
        Width::Activations => of(
            Symbol::ActivationBytes,
            Number::ActivationBytes,
            precision.activations,
        ),
        Width::Attention => attention(precision.attention_weights),
        Width::Ffn => ffn(),
        Width::Dense if same(precision.dense_weights, precision.ffn_weights) => ffn(),
        Width::Dense => {
            Some(case.chosen(Symbol::WeightBytes, "precision", precision.dense_weights))
        }
        Width::Head if same(subject.head_bytes, precision.attention_weights) => {
            attention(precision.attention_weights)
        }
        Width::Head => Some(case.chosen(Symbol::WeightBytes, "calibration", subject.head_bytes)),
    }
}
