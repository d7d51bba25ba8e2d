//! Serving engines of measured runs.

use super::row::Measurement;
use crate::named::named;

named! {
    /// Engine that served a run, or its publisher.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum System {
        /// NVIDIA's TensorRT-LLM.
        TensorRt = "TensorRT-LLM",
        /// `SGLang`.
        SgLang = "SGLang",
        /// vLLM.
        Vllm = "vLLM",
        /// The public benchmark.
        InferenceX = "InferenceX",
        /// Huawei's `CloudMatrix`.
        CloudMatrix = "CloudMatrix384",
        /// DeepSeek's own engine.
        DeepSeek = "DeepSeek",
        /// Any other.
        Others = "others",
    }
}

impl System {
    /// System of a run, from its publication; the engine before the model.
    pub fn of(row: &Measurement) -> Self {
        let named = |system: &Self| {
            let name = match system {
                Self::CloudMatrix => "CloudMatrix",
                _ => system.id(),
            };
            *system != Self::Others && row.source.title.contains(name)
        };
        Self::ALL.into_iter().find(named).unwrap_or(Self::Others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured::rows;

    #[test]
    fn every_system_has_runs() {
        // No publication is of other systems at present.
        for system in System::ALL.into_iter().filter(|of| *of != System::Others) {
            let found = rows().filter(|row| System::of(row) == system).count();
            assert!(found > 0, "{system:?} has no runs");
        }
    }
}
