//! Errata: contradictions of papers with themselves, each other or their sources, and the reading used here.

/// A contradiction.
#[derive(Debug, PartialEq, Eq)]
pub struct Erratum {
    /// Section, equation or figure.
    pub place: &'static str,
    /// The printed text.
    pub printed: &'static str,
    /// The reading used here.
    pub reading: &'static str,
    /// Effect of the difference.
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

/// All of them, paper by paper.
pub static ERRATA: [Erratum; 13] = [
    erratum(
        "[A] eqs 16, 17, 32, 36",
        "the P·V product at one FLOP per multiply–add",
        "two FLOP, as everywhere else",
        "up to 1.5× attention FLOP; no change in time while memory-bound",
    ),
    erratum(
        "[A] 3.3.1",
        "all-to-all in all 61 layers",
        "in the 58 MoE layers",
        "5% less communication time; 5% more throughput when communication-bound",
    ),
    erratum(
        "[A] 3.1.3",
        "both embedding matrices read in every step",
        "only the output head is read; both are stored",
        "0.93 GB fewer reads, 0.3 ms on an H100",
    ),
    erratum(
        "[A], its assumptions",
        "dispatch is BF16 in the text, FP8 in the equation",
        "the equation",
        "BF16 would send 1.33× the bytes",
    ),
    erratum(
        "[A] 2.1",
        "661B expert parameters, 98.5% of the total",
        "656.5B and 97.8%, from config.json",
        "none on time; 0.7% of expert memory",
    ),
    erratum(
        "[B] eq 11",
        "expert weights times all layers",
        "times MoE layers, as in its footnote",
        "5% fewer expert bytes, more room for KV cache",
    ),
    erratum(
        "[B] Table I",
        "TPU v7 at 7,400 GB/s, ridge point from 7,200",
        "7,400",
        "ridge point 2.4% lower",
    ),
    erratum(
        "[B] Table III",
        "K decompression in decode counts only its output",
        "input and output, as in prefill",
        "an intensity of 102 instead of 128",
    ),
    erratum(
        "[H] Appendix A",
        "output projection sharded over the TP ranks",
        "over all GPUs, as in section 2.2 and Figure 4",
        "24% fewer weight reads in Figure 1, right",
    ),
    erratum(
        "[H] Figure 3",
        "17 units with HOP-B",
        "17.2, from the figure’s numbers",
        "none: printed without decimals",
    ),
    erratum(
        "[R] 5.3",
        "a best ratio of 9.3, 9.30 and 9.34",
        "9.32 over the paper’s 10,000 requests, 9.57 in steady state",
        "2.7% on the ratio, less on throughput",
    ),
    erratum(
        "[L] 3.1, Figure 4",
        "at most 30 GB/s, scope not stated",
        "per device on the smaller side",
        "29.8 GB/s; twice that for a pool of two",
    ),
    erratum(
        "[L] Table 4",
        "8,560.0 tokens in a Kimi-TA prompt",
        "8,596, as in the trace",
        "0.4% of context",
    ),
];
