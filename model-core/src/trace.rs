//! Published request traces, given by their mean prompt and output lengths.

use crate::source::Source;

/// A published trace of requests, given by its mean prompt and output lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trace {
    /// Identifier of the trace in permalinks.
    pub id: &'static str,
    /// Common name of the trace.
    pub name: &'static str,
    /// Short name of the trace, for labels with little space.
    pub short: &'static str,
    /// Number of requests in the trace.
    pub requests: u32,
    /// Mean prompt tokens per request, l_p.
    pub prompt: f64,
    /// Mean output tokens per request, l_g.
    pub output: f64,
    /// Standard deviations of the prompt tokens and of the output tokens. `None` if the whole trace was not available
    /// to compute them.
    pub deviations: Option<(f64, f64)>,
    /// Publication of the trace.
    pub source: Source,
    /// Note on disputed or missing facts about the trace, if there are any.
    pub caveat: Option<&'static str>,
}

impl Trace {
    /// Returns the mean context of a request in decode, in tokens: l_p + l_g/2.
    ///
    /// Assumes: at a random time, a request is equally likely to be at any of its output tokens. Not modeled: longer
    /// requests stay in the batch longer, which raises the mean context if lengths differ.
    ///
    /// Source: [L] 6 (Table 4).
    pub fn mean_context(&self) -> f64 {
        self.prompt + self.output / 2.0
    }
}

/// Returns the trace with this identifier; `None` if there is no such trace.
pub fn find(id: &str) -> Option<&'static Trace> {
    TRACES.iter().find(|trace| trace.id == id)
}

const AZURE: &str = "Azure Public Dataset, LLM inference traces 2023; [L] Table 4";
const MOONCAKE: &str = "Mooncake, FAST '25 traces; [L] Table 4";

const AZURE_CONV: Trace = Trace {
    id: "azure-conv",
    name: "Azure conversation",
    short: "Az. conv",
    requests: 19_366,
    prompt: 1154.7,
    output: 211.1,
    deviations: Some((1108.8, 162.9)),
    source: Source::new(AZURE, "AzureLLMInferenceTrace_conv.csv"),
    caveat: None,
};

const AZURE_CODE: Trace = Trace {
    id: "azure-code",
    name: "Azure code",
    short: "Az. code",
    requests: 8819,
    prompt: 2047.8,
    output: 27.9,
    deviations: Some((1973.8, 59.9)),
    source: Source::new(AZURE, "AzureLLMInferenceTrace_code.csv"),
    caveat: None,
};

const KIMI_CONV: Trace = Trace {
    id: "kimi-conv",
    name: "Kimi conversation",
    short: "Kimi conv",
    requests: 12_031,
    prompt: 12_035.1,
    output: 342.6,
    deviations: None,
    source: Source::new(MOONCAKE, "conversation_trace.jsonl"),
    caveat: None,
};

const KIMI_TA: Trace = Trace {
    id: "kimi-ta",
    name: "Kimi tool & agent",
    short: "Kimi agent",
    requests: 23_608,
    prompt: 8596.0,
    output: 182.0,
    deviations: None,
    source: Source::new(MOONCAKE, "README (rounded means)"),
    caveat: Some("[L] Table 4 gives means of 8560.0 and 182.1; the trace gives 8,596 and 182."),
};

const MOONCAKE_SYNTHETIC: Trace = Trace {
    id: "mooncake-synthetic",
    name: "Mooncake synthetic",
    short: "Mooncake",
    requests: 3993,
    prompt: 15_325.5,
    output: 149.1,
    deviations: None,
    source: Source::new("Mooncake, FAST '25 traces", "synthetic trace"),
    caveat: None,
};

/// All published request traces that can be selected.
pub const TRACES: &[Trace] = &[
    AZURE_CONV,
    AZURE_CODE,
    KIMI_CONV,
    KIMI_TA,
    MOONCAKE_SYNTHETIC,
];

/// Returns the four request traces for which [L] compares deployments.
pub const fn of_lamina() -> &'static [Trace] {
    &[AZURE_CONV, AZURE_CODE, KIMI_CONV, KIMI_TA]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_and_means() {
        for (index, trace) in TRACES.iter().enumerate() {
            assert!(trace.prompt > 0.0 && trace.output > 0.0);
            assert!(TRACES[..index].iter().all(|other| other.id != trace.id));
        }
    }
}
