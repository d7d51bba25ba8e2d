//! Calibration terms that apply to a kernel, as leaves of derivation trees.

use super::case::{Case, Factors, Measured};
use super::symbol::Symbol;
use super::tree::{Account, How, Term};
use crate::calibration::term::CalibrationTerm;
use crate::calibration::{NamedCalibration, by_operator, engine, kernels, prefill};
use crate::cost::formats::ProductFormats;
use crate::cost::roofline::RooflineTerms;
use crate::inputs::Number;
use crate::ops::KernelClass;
use crate::precision::Format;
use crate::schedule::prefill::by_passes;

/// Calibration terms of one kernel, in lookup order.
pub struct KernelTerms {
    start: Vec<&'static CalibrationTerm>,
    launches: f64,
    compute: Vec<&'static CalibrationTerm>,
    memory: Vec<&'static CalibrationTerm>,
    tokens: Vec<&'static CalibrationTerm>,
    compute_key: Number,
    start_key: Option<Number>,
    measured: Measured,
}

/// Returns the calibration terms of a kernel under the active named calibration; `prompt` is true for prefill.
pub fn terms(case: &Case<'_>, class: KernelClass, prompt: bool) -> KernelTerms {
    use KernelClass as Class;
    let measured = match class {
        Class::Projection | Class::Head | Class::Ffn | Class::FfnPair | Class::Residual => {
            Measured::Gemm
        }
        Class::Experts | Class::FusedExperts => Measured::Experts,
        Class::Copy => Measured::Plain,
        _ => Measured::Attention,
    };
    let attends = measured == Measured::Attention || class == Class::Copy;
    let gemm = matches!(
        class,
        Class::Projection | Class::Head | Class::Ffn | Class::FfnPair
    );
    let core = matches!(
        class,
        Class::GroupedCore | Class::LatentCore | Class::SparsePrefill
    );
    let mut found = KernelTerms {
        start: Vec::new(),
        launches: 1.0,
        compute: Vec::new(),
        memory: Vec::new(),
        tokens: Vec::new(),
        // Without terms per kernel, the attention factor also covers the attention projections and the output head.
        compute_key: match measured {
            Measured::Gemm | Measured::Experts
                if case.by_kernel()
                    || matches!(
                        class,
                        Class::Ffn | Class::FfnPair | Class::Experts | Class::FusedExperts
                    ) =>
            {
                Number::FfnFactor
            }
            _ => Number::AttentionFactor,
        },
        start_key: Some(Number::OverheadMicros),
        measured,
    };
    if !case.by_kernel() {
        return found;
    }
    found.launches = match class {
        Class::FfnPair => 2.0,
        Class::Residual if case.scenario.calibration.operators.is_none() => 2.0,
        _ => 1.0,
    };
    found.start = match class {
        Class::Experts | Class::FusedExperts => vec![&kernels::EXPERTS_START],
        Class::Copy => Vec::new(),
        _ if core => vec![&kernels::CORE_START],
        _ => vec![&kernels::GEMM_START],
    };
    found.start_key = found.start_key.filter(|_| gemm || !core);
    if core || measured == Measured::Experts {
        found.start_key = None;
    }
    found.compute = vec![if attends {
        &kernels::CORE
    } else {
        &kernels::GEMM
    }];
    found.memory = vec![&kernels::MEMORY];
    found.tokens = vec![&kernels::CORE_TOKENS];
    if case.scenario.calibration.operators.is_some() {
        by_operator_terms(case, class, &mut found);
    }
    if prompt && by_passes(case.scenario) {
        prompt_terms(case, class, &mut found);
    }
    found
}

/// Inserts a kernel's prefill terms before its decode terms, which remain as a fallback.
fn prompt_terms(case: &Case<'_>, class: KernelClass, found: &mut KernelTerms) {
    use KernelClass as Class;
    let precision = &case.scenario.precision;
    let first = |terms: &mut Vec<&'static CalibrationTerm>, term| terms.insert(0, term);
    found.measured = Measured::Prefill;
    match class {
        Class::Projection | Class::Head | Class::Ffn | Class::FfnPair | Class::Residual => {
            for term in &prefill::GEMM {
                first(&mut found.compute, term);
            }
        }
        Class::Experts => {
            let four = usize::from(precision.ffn_format == Format::Fp4);
            first(&mut found.compute, &prefill::EXPERTS[four]);
        }
        Class::GroupedCore | Class::LatentCore | Class::SparsePrefill => {
            for eight in 0..prefill::CORE.len() {
                first(&mut found.compute, &prefill::CORE[eight]);
                first(&mut found.tokens, &prefill::CORE_TOKENS[eight]);
            }
            first(&mut found.start, &kernels::CORE_START);
            first(&mut found.memory, &kernels::MEMORY);
        }
        Class::Recurrence => first(&mut found.memory, &kernels::MEMORY),
        _ => {}
    }
}

/// Replaces a kernel's terms by operator- and format-specific terms where the calibration has them.
fn by_operator_terms(case: &Case<'_>, class: KernelClass, found: &mut KernelTerms) {
    use KernelClass as Class;
    let precision = &case.scenario.precision;
    let own = case.inputs.calibration == NamedCalibration::Kernels202612;
    match class {
        Class::Projection | Class::Head | Class::Ffn | Class::FfnPair => {
            let format = format_of(case, class) as usize;
            found.start = vec![&by_operator::gemm::START[format]];
            let share = if own {
                &engine::SHARE[format]
            } else {
                &by_operator::gemm::SHARE[format]
            };
            let more = [&by_operator::gemm::SHARE[format], &kernels::GEMM];
            found.compute = [share].into_iter().chain(more).collect();
            let memory = engine::PRODUCT_MEMORY.get(format).filter(|_| own);
            found.memory = memory.into_iter().chain([&kernels::MEMORY]).collect();
        }
        Class::Residual => {
            found.start = vec![&by_operator::gemm::RESIDUAL_START];
            found.start_key = None;
        }
        Class::GroupedCore | Class::LatentCore => {
            let narrow = usize::from(precision.kv < 1.5);
            let eight = usize::from(precision.attention_format == Format::Fp8);
            let grouped = class == Class::GroupedCore;
            let core = match (grouped, own) {
                (true, true) => &engine::GROUPED[narrow],
                (true, false) => &by_operator::attention::GROUPED[narrow],
                (false, _) => &by_operator::attention::LATENT[narrow],
            };
            found.start = vec![&core.start];
            found.memory = vec![&core.memory];
            found.tokens = vec![&core.tokens];
            if !grouped {
                found.compute = vec![&by_operator::attention::LATENT_SHARE[eight], &kernels::CORE];
            }
        }
        Class::SparsePrefill => {
            found.start = vec![&by_operator::attention::SPARSE_PREFILL_START];
            found.compute = vec![&by_operator::attention::SPARSE_PREFILL];
        }
        Class::IndexScore => found.compute = vec![&by_operator::attention::INDEX_SCORE],
        Class::TopK => found.memory = vec![&by_operator::attention::TOP_K],
        Class::Recurrence => found.memory = vec![&by_operator::attention::RECURRENCE],
        Class::FusedExperts => {
            let row = match precision.ffn_format {
                Format::Bf16 => 0,
                Format::Fp8 if precision.ffn_weights < 0.75 => 2,
                Format::Fp8 => 1,
                Format::Fp4 => 3,
            };
            let fused = &by_operator::experts::FUSED[row];
            found.start = vec![&fused.start];
            found.compute = vec![&fused.compute, &kernels::GEMM];
            found.memory = vec![&fused.memory];
        }
        Class::Conv | Class::Experts | Class::Copy => {}
    }
}

fn format_of(case: &Case<'_>, class: KernelClass) -> Format {
    let scenario = case.scenario;
    let formats = ProductFormats::of(
        &scenario.cluster,
        &scenario.precision,
        &scenario.calibration,
    );
    let stated = scenario.precision.attention_format;
    match class {
        KernelClass::Projection => formats.map_or(stated, |formats| formats.projections.format),
        KernelClass::Head => formats.map_or(stated, |formats| formats.head.format),
        _ => scenario.precision.ffn_format,
    }
}

impl KernelTerms {
    /// Returns inefficiency ε ÷ peak FLOP/s, as factors.
    pub fn compute(&self, case: &Case<'_>, terms: &RooflineTerms) -> Factors {
        let peaks = case.scenario.cluster.peaks;
        let rate = terms.compute.get();
        let ideal = |format: Format| Some((format, peaks.of(format)?.get()));
        let shares = self.factors();
        let own = |peak: f64| {
            let factor = peak / rate / case.scenario.correction.variable;
            let known = |term: &&f64| (**term - factor).abs() <= 1e-9 * factor;
            shares(case).iter().any(|term| known(&term))
        };
        let formats: Vec<(Format, f64)> = Format::ALL.into_iter().filter_map(ideal).collect();
        let exact = formats.iter().find(|(_, peak)| own(*peak));
        let least = formats
            .iter()
            .find(|(_, peak)| *peak >= rate * (1.0 - 1e-9));
        let Some((format, peak)) = exact.or(least).or(formats.first()).copied() else {
            return Factors::default();
        };
        let factor = peak / rate;
        let custom = match format {
            Format::Bf16 => Number::PeakBf16,
            Format::Fp8 => Number::PeakFp8,
            Format::Fp4 => Number::PeakFp4,
        };
        let scale = case.inputs.get(Number::PeakScale).unwrap_or(1.0);
        let leaf = case.gpu_fact(Symbol::Peak, custom, peak / scale);
        let peak = case.scaled_rate(leaf, Symbol::PeakScale, Number::PeakScale);
        case.inefficiency(&self.compute, self.compute_key, factor, self.measured)
            .and(peak)
    }

    /// Returns a function that lists the compute inefficiency factors this kernel may have.
    fn factors(&self) -> impl Fn(&Case<'_>) -> Vec<f64> {
        let (terms, key) = (self.compute.clone(), self.compute_key);
        move |case| {
            let calibration = &case.scenario.calibration;
            let family = calibration.coverage.family_or_hopper();
            match case.inputs.stated(key) {
                Some(stated) => vec![stated],
                None if terms.is_empty() => [calibration.attention, calibration.ffn]
                    .map(|factor| factor / case.scenario.correction.variable)
                    .to_vec(),
                None => terms.iter().map(|term| 1.0 / term.of(family)).collect(),
            }
        }
    }

    /// Returns inefficiency ε ÷ HBM bandwidth, as factors.
    pub fn memory(&self, case: &Case<'_>, terms: &RooflineTerms) -> Factors {
        let factor = case.scenario.cluster.hbm / terms.memory;
        case.inefficiency(&self.memory, Number::MemoryFactor, factor, self.measured)
            .and(case.hbm())
    }

    /// Derives the kernel launch latency; `None` if it is zero.
    pub fn launch(&self, case: &Case<'_>, terms: &RooflineTerms) -> Option<Account> {
        let time = terms.start.get();
        if time <= 0.0 {
            return None;
        }
        let each = time / self.launches;
        let scale = (Number::OverheadScale, Symbol::OverheadScale);
        let factors = case.fixed(
            Symbol::FixedTime,
            &self.start,
            self.start_key,
            each,
            scale,
            self.measured,
        );
        let term = Term::Plain(Symbol::Launch);
        let how = How::LayerSum(vec![self.launches]);
        Some(match factors.above.as_slice() {
            [only] => Account::folded(term, how, vec![only.clone()]),
            _ => {
                let one = Account::folded(term, How::Product, factors.above);
                match self.launches > 1.0 {
                    true => Account::folded(term, how, vec![one]),
                    false => one,
                }
            }
        })
    }

    /// Creates a leaf for s₀, the attention kernel's padding tokens per sequence.
    pub fn padding(&self, case: &Case<'_>, terms: &RooflineTerms) -> Account {
        let symbol = Symbol::PaddingTokens;
        case.calibrated(
            &self.tokens,
            symbol,
            None,
            terms.added_tokens,
            self.measured,
        )
    }

    /// Creates a leaf for the heads per tile in sparse prefill.
    pub fn head_tile(&self, case: &Case<'_>) -> Account {
        let terms = &[&by_operator::attention::HEAD_TILE];
        let operators = case.scenario.calibration.operators;
        let heads = operators.map_or(0.0, |terms| terms.head_tile);
        case.calibrated(terms, Symbol::Tile, None, heads, self.measured)
    }

    /// Creates a leaf for the rows per GEMM tile.
    pub fn tile(&self, case: &Case<'_>) -> Account {
        let rows = case.scenario.calibration.tile_rows;
        case.calibrated(&[&kernels::TILE], Symbol::Tile, None, rows, self.measured)
    }
}
