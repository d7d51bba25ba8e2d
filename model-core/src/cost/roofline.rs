//! Roofline time of an operator: the longer of its compute time and its memory time.

use super::formats::{PeakFormat, ProductFormats};
use crate::calibration::{Calibration, OperatorTerms};
use crate::hardware::Cluster;
use crate::ops::{KernelClass, Operator};
use crate::precision::{Format, Precision};
use crate::units::{Bytes, BytesPerSecond, Flop, FlopPerSecond, Seconds};

/// A GPU's rates and fixed kernel latencies, by kernel class; the rates include kernel inefficiency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    kernels: [KernelRates; KernelClass::COUNT],
    /// Rate at which fused experts move activations, counted in the bytes that enter and leave the experts. `None` if
    /// this traffic is part of the roofline maximum.
    sorting: Option<BytesPerSecond>,
    memory: BytesPerSecond,
    tile_rows: f64,
    /// True if a GEMM with few rows may run as matrix–vector products.
    by_rows: bool,
    head_tile: f64,
    /// Padding tokens added to the context, s₀: first in GQA kernels, then in MLA kernels.
    added_tokens: [f64; 2],
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct KernelRates {
    start: Seconds,
    compute: FlopPerSecond,
    memory: BytesPerSecond,
}

/// Terms that make up the roofline time of one operator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RooflineTerms {
    /// Form in which the compute time is counted: rows, tiles or matrix–vector products.
    pub form: ComputeForm,
    /// Padding factor π of partly filled tiles.
    pub padding: f64,
    /// Compute rate in FLOP/s, inefficiency included.
    pub compute: FlopPerSecond,
    /// HBM bandwidth, inefficiency included.
    pub memory: BytesPerSecond,
    /// Fixed latency of the operator's kernel.
    pub start: Seconds,
    /// Padding tokens added to the context in the attention kernel, s₀.
    pub added_tokens: f64,
    /// Rate at which fused experts move activations; `None` if this traffic is part of the roofline maximum.
    pub sorting: Option<BytesPerSecond>,
}

/// Form in which an operator's compute time is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComputeForm {
    /// Counts the operator's FLOP without tile padding.
    Rows,
    /// Counts the operator's FLOP, with partly filled tiles counted as full.
    Tiles,
    /// Counts each row of the operator as a matrix–vector product.
    Vectors,
}

/// Compute rate of operators that are never compute-bound.
const UNBOUNDED: FlopPerSecond = FlopPerSecond::new(f64::INFINITY);
/// Min bytes per element of a KV cache that counts as two bytes wide, and of index keys that count as BF16.
const WIDE: f64 = 1.5;
/// Bytes per weight below which FP8 experts count as having four-bit weights.
const FOUR_BITS: f64 = 0.75;

/// The resource that bounds an operator in the roofline model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Bound by memory bandwidth.
    Memory,
    /// Bound by compute.
    Compute,
}

impl Bound {
    /// Returns the identifier used in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Compute => "compute",
        }
    }
}

impl Rates {
    /// Returns the rates of decode under a calibration; `None` if the accelerator has no peak rate for a number
    /// format in use.
    #[inline]
    pub fn new(
        cluster: &Cluster,
        precision: &Precision,
        calibration: &Calibration,
    ) -> Option<Self> {
        let formats = ProductFormats::of(cluster, precision, calibration)?;
        Self::with_formats(cluster, precision, calibration, &formats)
    }

    #[inline]
    fn with_formats(
        cluster: &Cluster,
        precision: &Precision,
        calibration: &Calibration,
        formats: &ProductFormats,
    ) -> Option<Self> {
        let attention = cluster.peaks.of(precision.attention_format)?;
        let starts = &calibration.starts;
        let memory = cluster.hbm / calibration.memory;
        let with = |start: Seconds, compute: FlopPerSecond| KernelRates {
            start: starts.operator + start,
            compute,
            memory,
        };
        let core_rate = attention / calibration.attention;
        let product_of = |of: PeakFormat, factor: f64| with(starts.gemm, of.peak / factor);
        let projection = product_of(formats.projections, calibration.projections);
        let head = product_of(formats.head, calibration.projections);
        let product = product_of(formats.ffn, calibration.ffn);
        let core = with(starts.core, core_rate);
        let other = with(starts.gemm, core_rate);
        let twice = starts.operator + starts.gemm * 2.0;
        let experts = with(starts.experts, product.compute);
        let mut rates = Self {
            // In the order of `KernelClass`.
            kernels: [
                projection,
                head,
                product,
                KernelRates {
                    start: twice,
                    ..product
                },
                KernelRates {
                    start: twice,
                    ..projection
                },
                core,
                core,
                core,
                other,
                other,
                other,
                other,
                experts,
                experts,
                with(Seconds::ZERO, core_rate),
            ],
            sorting: None,
            memory,
            tile_rows: calibration.tile_rows,
            by_rows: calibration.engine.is_some(),
            head_tile: 0.0,
            added_tokens: [calibration.core_tokens; 2],
        };
        if let Some(terms) = &calibration.operators {
            rates.by_operator(terms, cluster, precision, formats, attention);
        }
        Some(rates)
    }

    /// Replaces the rates that differ by operator. These are GEMMs by number format, attention kernels by type and
    /// cache width, fused experts by number format, the indexer, recurrences, and residual maps.
    fn by_operator(
        &mut self,
        terms: &OperatorTerms,
        cluster: &Cluster,
        precision: &Precision,
        formats: &ProductFormats,
        attention: FlopPerSecond,
    ) {
        let hbm = cluster.hbm;
        let narrow = usize::from(precision.kv < WIDE);
        let mut set = |class: KernelClass, change: &dyn Fn(&mut KernelRates)| {
            change(&mut self.kernels[class as usize]);
        };
        let product = |of: PeakFormat, launches: f64| {
            let cost = terms.gemms[of.format as usize];
            move |kernel: &mut KernelRates| {
                kernel.start = cost.start * launches;
                kernel.compute = of.peak / cost.compute;
                kernel.memory = hbm / cost.memory;
            }
        };
        set(KernelClass::Projection, &product(formats.projections, 1.0));
        set(KernelClass::Head, &product(formats.head, 1.0));
        set(KernelClass::Ffn, &product(formats.ffn, 1.0));
        set(KernelClass::FfnPair, &product(formats.ffn, 2.0));
        set(KernelClass::Residual, &|kernel| {
            kernel.start = terms.residual_start;
            kernel.compute = UNBOUNDED;
        });
        let eight = usize::from(precision.attention_format == Format::Fp8);
        for (class, core, compute) in [
            (
                KernelClass::GroupedCore,
                &terms.grouped[narrow],
                terms.grouped_compute,
            ),
            (
                KernelClass::LatentCore,
                &terms.latent[narrow],
                terms.latent_compute[eight],
            ),
        ] {
            set(class, &|kernel| {
                *kernel = KernelRates {
                    start: core.start,
                    compute: attention / compute,
                    memory: hbm / core.memory,
                };
            });
        }
        self.added_tokens = [
            terms.grouped[narrow].added_tokens,
            terms.latent[narrow].added_tokens,
        ];
        let scored = index_peak(cluster, precision).unwrap_or(attention);
        set(KernelClass::IndexScore, &|kernel| {
            kernel.compute = scored / terms.index_score;
        });
        set(KernelClass::TopK, &|kernel| {
            kernel.memory = hbm / terms.top_k;
        });
        set(KernelClass::Recurrence, &|kernel| {
            kernel.memory = hbm / terms.recurrence;
        });
        let experts = &terms.experts[expert_row(precision)];
        set(KernelClass::FusedExperts, &|kernel| {
            kernel.start = experts.start;
            kernel.compute = formats.ffn.peak / experts.compute;
            kernel.memory = hbm / experts.memory;
        });
        let boundary = precision.dispatch + precision.combine;
        self.sorting = Some(hbm / terms.expert_activations * (boundary / experts.activation_bytes));
    }

    /// Returns the rates of a prefill pass; `None` if the accelerator has no peak rate for a number format in use. An
    /// attention kernel set to FP4 runs in FP8.
    pub fn of_prompts(
        cluster: &Cluster,
        precision: &Precision,
        calibration: &Calibration,
    ) -> Option<Self> {
        let formats = ProductFormats::of_prompts(cluster, precision, calibration)?;
        let mut rates = Self::with_formats(cluster, precision, calibration, &formats)?;
        let peak = |format| cluster.peaks.of(format);
        let (stated, ffn) = (precision.attention_format, formats.ffn);
        let cored = match (stated, peak(Format::Fp8)) {
            (Format::Fp4, Some(_)) => Format::Fp8,
            _ => stated,
        };
        let Some(terms) = &calibration.prompts else {
            let cores = peak(cored)? / calibration.attention;
            for class in [
                KernelClass::GroupedCore,
                KernelClass::LatentCore,
                KernelClass::SparsePrefill,
            ] {
                rates.at_mut(class).compute = cores;
            }
            return Some(rates.without_added_tokens());
        };
        let by_operator = calibration.operators.as_ref();
        for (class, of) in [
            (KernelClass::Projection, formats.projections),
            (KernelClass::Residual, formats.projections),
            (KernelClass::Head, formats.head),
            (KernelClass::Ffn, ffn),
            (KernelClass::FfnPair, ffn),
        ] {
            if class != KernelClass::Residual || by_operator.is_none() {
                rates.at_mut(class).compute = of.peak / terms.gemms[of.format as usize];
            }
        }
        rates.at_mut(KernelClass::Experts).compute = ffn.peak / terms.experts[ffn.format as usize];
        let eight = usize::from(cored == Format::Fp8);
        let core = KernelRates {
            start: terms.core_start,
            compute: peak(cored)? / terms.cores[eight],
            memory: rates.memory,
        };
        rates.added_tokens = [terms.core_tokens[eight]; 2];
        *rates.at_mut(KernelClass::GroupedCore) = core;
        *rates.at_mut(KernelClass::LatentCore) = KernelRates {
            start: terms.latent_start,
            ..core
        };
        rates.at_mut(KernelClass::Recurrence).memory = core.memory;
        *rates.at_mut(KernelClass::SparsePrefill) = core;
        if let Some(by_operator) = by_operator {
            let (start, compute) = by_operator.sparse_prefill;
            let kernel = rates.at_mut(KernelClass::SparsePrefill);
            kernel.start = start;
            kernel.compute = peak(Format::Bf16).or(peak(cored))? / compute;
            rates.head_tile = by_operator.head_tile;
        }
        Some(rates)
    }

    const fn at_mut(&mut self, class: KernelClass) -> &mut KernelRates {
        &mut self.kernels[class as usize]
    }

    const fn at(&self, operator: &Operator) -> &KernelRates {
        &self.kernels[operator.kernel as usize]
    }

    /// Returns these rates with no padding tokens in the attention kernel.
    #[must_use]
    pub const fn without_added_tokens(mut self) -> Self {
        self.added_tokens = [0.0; 2];
        self
    }

    /// Returns the number of padding tokens added to the context in the attention kernel; they have no effect on
    /// other operators.
    fn added_tokens(&self, operator: &Operator) -> f64 {
        self.added_tokens[usize::from(operator.kernel == KernelClass::LatentCore)]
    }

    /// Returns the compute time π·FLOP·ε_c/peak for the operator's number format and kernel. Here π = max(1,
    /// tile/rows), because a partly filled tile takes as long as a full one. In sparse prefill, the heads of each
    /// token fill whole tiles.
    ///
    /// Under a calibration that models engines, a GEMM with few rows may run as one matrix–vector product per row.
    /// Each product reads the weights. This form is used where it is faster; for experts, only if each expert has one
    /// row.
    ///
    /// Source of the matrix–vector form: 51 shapes on one H200, where kernels with one row read weights at full
    /// bandwidth.
    #[inline]
    pub fn compute(&self, operator: &Operator) -> Seconds {
        let padding = if operator.kernel == KernelClass::SparsePrefill {
            self.head_padding(operator.rows)
        } else {
            (self.tile_rows / operator.rows).max(1.0)
        };
        let tiled = self.flop(operator) * padding / self.at(operator).compute;
        if self.by_rows && padding > 1.0 && operator.rows <= operator.kernel.most_vectors() {
            self.few_rows(operator, tiled)
        } else {
            tiled
        }
    }

    /// Returns the time of a partly filled tile or, if faster, the time of the same rows as matrix–vector products.
    #[inline(never)]
    fn few_rows(&self, operator: &Operator, tiled: Seconds) -> Seconds {
        let kernel = self.at(operator);
        let vectors = operator.weights / kernel.memory * operator.rows.max(1.0);
        tiled.min(vectors.max(operator.flop / kernel.compute))
    }

    /// Returns the terms that make up the roofline time ([`Self::time`]) of an operator.
    pub fn terms(&self, operator: &Operator) -> RooflineTerms {
        let kernel = self.at(operator);
        let tiles = operator.kernel != KernelClass::SparsePrefill;
        let padding = if tiles {
            (self.tile_rows / operator.rows).max(1.0)
        } else {
            self.head_padding(operator.rows)
        };
        let tiled = self.flop(operator) * padding / kernel.compute;
        let few = self.by_rows && padding > 1.0 && operator.rows <= operator.kernel.most_vectors();
        let vectors = operator.weights / kernel.memory * operator.rows.max(1.0);
        let alone = operator.flop / kernel.compute;
        let form = match few {
            true if tiled <= vectors.max(alone) => ComputeForm::Tiles,
            true if vectors >= alone => ComputeForm::Vectors,
            true => ComputeForm::Rows,
            false if padding > 1.0 => ComputeForm::Tiles,
            false => ComputeForm::Rows,
        };
        RooflineTerms {
            form,
            padding,
            compute: kernel.compute,
            memory: kernel.memory,
            start: kernel.start,
            added_tokens: self.added_tokens(operator),
            sorting: self.sorting.filter(|_| self.sorts(operator)),
        }
    }

    /// Returns the FLOP of the operator, including the FLOP of padding tokens.
    fn flop(&self, operator: &Operator) -> Flop {
        operator.flop + operator.per_context_token.flop * self.added_tokens(operator)
    }

    /// Returns the padding factor of h heads in tiles of r heads: ⌈h/r⌉ r/h.
    fn head_padding(&self, heads: f64) -> f64 {
        if self.head_tile > 0.0 {
            (heads / self.head_tile).ceil() * self.head_tile / heads
        } else {
            1.0
        }
    }

    /// Returns the memory time bytes·ε_m/bandwidth, counting weights, KV and activations; for fused MoE, only
    /// weights.
    pub fn memory(&self, operator: &Operator) -> Seconds {
        let kernel = self.at(operator);
        let bytes = if self.sorts(operator) {
            operator.weights
        } else {
            operator.bytes()
        };
        (bytes + operator.per_context_token.kv * self.added_tokens(operator)) / kernel.memory
    }

    /// True if the operator moves its activations before and after its GEMMs.
    fn sorts(&self, operator: &Operator) -> bool {
        operator.kernel == KernelClass::FusedExperts && self.sorting.is_some()
    }

    /// Returns the time that fused experts take to move activations before and after their GEMMs: `a·t·z/(σ·W_m)`.
    /// Here, t expert tokens of width z move `a` bytes per element at a fraction σ of HBM bandwidth W_m. The time is
    /// zero for other operators.
    pub fn sorting(&self, operator: &Operator) -> Seconds {
        match self.sorting {
            Some(rate) if operator.kernel == KernelClass::FusedExperts => {
                operator.activations / rate
            }
            _ => Seconds::ZERO,
        }
    }

    /// Returns the time to move `bytes` through HBM: bytes·ε_m/bandwidth.
    pub fn moving(&self, bytes: Bytes) -> Seconds {
        bytes / self.memory
    }

    /// Returns the fixed latency of one operator.
    pub const fn start(&self, operator: &Operator) -> Seconds {
        self.at(operator).start
    }

    /// Returns the operator's time: fixed latency + max(π·FLOP·ε_c/peak, bytes·ε_m/bandwidth). Here π is the padding
    /// factor of partly filled tiles; ε_c and ε_m are the inefficiency factors of compute and of memory traffic. For
    /// fused experts, the time of their activation traffic is added.
    ///
    /// Source: roofline model as in [A] eqs 46–47, [B] III.
    #[inline]
    pub fn time(&self, operator: &Operator) -> Seconds {
        let products = self.compute(operator).max(self.memory(operator)) + self.start(operator);
        if operator.kernel == KernelClass::FusedExperts {
            products + self.sorting(operator)
        } else {
            products
        }
    }

    /// Returns the resource that bounds [`Self::time`]. Only the filled rows of a tile count as compute, because
    /// additional rows in the tile would take no more time.
    pub fn bound(&self, operator: &Operator) -> Bound {
        if self.rows(operator) > self.memory(operator) {
            Bound::Compute
        } else {
            Bound::Memory
        }
    }

    /// Returns the compute time without padding: FLOP·ε_c/peak.
    pub fn rows(&self, operator: &Operator) -> Seconds {
        self.flop(operator) / self.at(operator).compute
    }
}

/// Returns the peak FLOP/s for index scores: FP8 if the index keys are FP8 or narrower and the accelerator has FP8,
/// else BF16.
fn index_peak(cluster: &Cluster, precision: &Precision) -> Option<FlopPerSecond> {
    let wide = cluster.peaks.bf16;
    if precision.kv_index < WIDE {
        cluster.peaks.fp8.or(wide)
    } else {
        wide
    }
}

/// Returns the index of the fused-expert costs that apply: BF16, FP8, FP8 arithmetic on narrower weights, or FP4.
fn expert_row(precision: &Precision) -> usize {
    match precision.ffn_format {
        Format::Bf16 => 0,
        Format::Fp8 if precision.ffn_weights < FOUR_BITS => 2,
        Format::Fp8 => 1,
        Format::Fp4 => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that [`Rates::new`] lists the kernel classes in this order.
    #[test]
    fn order_of_the_classes() {
        let order = [
            KernelClass::Projection,
            KernelClass::Head,
            KernelClass::Ffn,
            KernelClass::FfnPair,
            KernelClass::Residual,
            KernelClass::GroupedCore,
            KernelClass::LatentCore,
            KernelClass::SparsePrefill,
            KernelClass::IndexScore,
            KernelClass::TopK,
            KernelClass::Conv,
            KernelClass::Recurrence,
            KernelClass::Experts,
            KernelClass::FusedExperts,
            KernelClass::Copy,
        ];
        assert_eq!(
            order.map(|class| class as usize),
            std::array::from_fn(|at| at)
        );
        assert_eq!(order.len(), KernelClass::COUNT);
    }
}
