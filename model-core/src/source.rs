//! Where a fact comes from.

/// A citation: a publication and the place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The publication or page, as a person would look it up.
    pub title: &'static str,
    /// The place in it: a section, table, equation or file.
    pub locator: &'static str,
}

impl Source {
    /// A citation of `locator` in `title`.
    pub const fn new(title: &'static str, locator: &'static str) -> Self {
        Self { title, locator }
    }
}

/// The five papers, by the letter the documentation uses.
pub mod paper {
    /// [A] DeepSeek inference theoretical model (Aleph Alpha, September 2025).
    pub const A: &str = "[A] DeepSeek Inference Theoretical Model";
    /// [B] The new LLM bottleneck.
    pub const B: &str = "[B] The New LLM Bottleneck";
    /// [H] Helix parallelism.
    pub const H: &str = "[H] Helix Parallelism";
    /// [R] Attention/FFN ratios.
    pub const R: &str = "[R] Attention/FFN Ratios";
    /// [L] Model–attention disaggregation (Lamina).
    pub const L: &str = "[L] Model-Attention Disaggregation";
}
