//! Errata: passages in which a paper contradicts itself, another paper or its sources, each with the reading that
//! Ridgepoint uses.

/// A contradiction in a paper, with the reading that Ridgepoint uses and the effect of that reading.
#[derive(Debug, PartialEq, Eq)]
pub struct Erratum {
    /// Section, equation, figure or table of the paper that contains the contradiction.
    pub place: &'static str,
    /// The statement as printed in the paper.
    pub printed: &'static str,
    /// The reading that Ridgepoint uses instead of the printed statement.
    pub reading: &'static str,
    /// Effect of this reading on the results, compared with the printed statement.
    pub effect: &'static str,
}

const fn erratum(
    place: &'static str,
    printed: &'static str,
    reading: &'static str,
    effect: &'static str,
) -> Erratum {
    Erratum {
        place,
        printed,
        reading,
        effect,
    }
}

/// All errata, grouped by paper.
pub static ERRATA: [Erratum; 13] = [
    erratum(
        "[A] eqs 16, 17, 32, 36",
        "the P·V product at one FLOP per multiply–add",
        "two FLOP per multiply–add, as elsewhere",
        "up to 1.5× attention FLOP; no change in time while memory-bound",
    ),
    erratum(
        "[A] 3.3.1",
        "all-to-all in all 61 layers",
        "only in the 58 MoE layers",
        "5% less communication time; 5% more throughput when communication-bound",
    ),
    erratum(
        "[A] 3.1.3",
        "both embedding matrices read in every step",
        "only the output head read; both matrices stored",
        "0.93 GB less to read, 0.3 ms on an H100",
    ),
    erratum(
        "[A], assumptions",
        "dispatch is BF16 in the text, FP8 in the equation",
        "FP8, as in the equation",
        "BF16 would send 1.33× the bytes",
    ),
    erratum(
        "[A] 2.1",
        "661B expert parameters, 98.5% of the total",
        "656.5B and 97.8%, from config.json",
        "no effect on time; 0.7% of expert memory",
    ),
    erratum(
        "[B] eq 11",
        "expert weights × number of layers",
        "× number of MoE layers, as in the footnote",
        "5% fewer expert bytes, more room for KV cache",
    ),
    erratum(
        "[B] Table I",
        "TPU v7 at 7,400 GB/s, but the ridge point uses 7,200",
        "7,380 GB/s, as the vendor publishes",
        "ridge point 2.4% lower",
    ),
    erratum(
        "[B] Table III",
        "decode intensity of K decompression counts only outputs",
        "counts inputs and outputs, as in prefill",
        "arithmetic intensity 102 instead of 128",
    ),
    erratum(
        "[H] Appendix A",
        "output projection sharded over the TP ranks",
        "sharded over all GPUs, as in section 2.2 and Figure 4",
        "24% fewer weight reads in Figure 1 (right)",
    ),
    erratum(
        "[H] Figure 3",
        "17 time units with HOP-B",
        "17.2, from the figure’s numbers",
        "none: the paper prints no decimals",
    ),
    erratum(
        "[R] 5.3",
        "best ratio printed as 9.3, 9.30 and 9.34",
        "9.32 over the paper’s 10,000 requests, 9.57 in steady state",
        "ratio changes by 2.7%, throughput by less",
    ),
    erratum(
        "[L] 3.1, Figure 4",
        "at most 30 GB/s, unclear if per device or in total",
        "per device of the smaller pool",
        "29.8 GB/s per device, twice that for a pool of two",
    ),
    erratum(
        "[L] Table 4",
        "8,560.0 tokens in a Kimi-TA prompt",
        "8,596, as in the trace",
        "0.4% longer context",
    ),
];
