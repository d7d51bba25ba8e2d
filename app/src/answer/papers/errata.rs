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
        "the product with the values at one FLOP per multiply and add",
        "two, as everywhere else",
        "up to 1.5× the compute of attention; no time while memory binds it",
    ),
    erratum(
        "[A] 3.3.1",
        "all-to-all in all 61 layers",
        "in the 58 that have experts",
        "communication 5 % shorter; where it binds, 5 % more throughput",
    ),
    erratum(
        "[A] 3.1.3",
        "both embedding matrices read in every step",
        "the head alone is read, both are stored",
        "0.93 GB less to read, 0.3 ms on an H100",
    ),
    erratum(
        "[A], its assumptions",
        "dispatch in BF16 in words, in FP8 in the equation",
        "the equation",
        "BF16 would send 1.33× as many bytes",
    ),
    erratum(
        "[A] 2.1",
        "661 billion parameters in experts, 98.5 % of all",
        "656.5 billion and 97.8 %, from the configuration",
        "none on time; 0.7 % of the memory of experts",
    ),
    erratum(
        "[B] eq 11",
        "expert weights times all layers",
        "times the layers with experts, as its own footnote says",
        "5 % fewer bytes of experts, the more room for the cache",
    ),
    erratum(
        "[B] Table I",
        "TPU v7 with 7,400 GB/s, its ridge point made of 7,200",
        "7,400",
        "a ridge point 2.4 % lower",
    ),
    erratum(
        "[B] Table III",
        "K decompression in decode counts its output alone",
        "input and output, as in prefill",
        "an intensity of 102 instead of 128",
    ),
    erratum(
        "[H] Appendix A",
        "the output projection split over the heads' GPUs",
        "over all GPUs, as section 2.2 and Figure 4 have it",
        "24 % fewer weights to read in Figure 1, right",
    ),
    erratum(
        "[H] Figure 3",
        "17 units with HOP-B",
        "17.2, of the figure's own numbers",
        "none: printed without decimals",
    ),
    erratum(
        "[R] 5.3",
        "a best ratio of 9.3, 9.30 and 9.34",
        "9.32 over the paper's 10,000 requests, 9.57 in the limit of many",
        "2.7 % on the ratio, less on throughput",
    ),
    erratum(
        "[L] 3.1, Figure 4",
        "at most 30 GB/s, not said of what",
        "of each device on the narrower side",
        "29.8 GB/s; twice that for the pool of two",
    ),
    erratum(
        "[L] Table 4",
        "8,560.0 tokens in a Kimi-TA prompt",
        "8,596, as the trace itself says",
        "0.4 % on its context",
    ),
];
