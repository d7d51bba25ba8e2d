//! Scales a calibration's fixed times and inefficiency factors to match measurements.

use super::terms::{Calibration, MessageCost, MessageCosts, PromptTerms};

impl Calibration {
    /// Multiplies every fixed time by `fixed` and every inefficiency factor by `variable`. This is equivalent to
    /// scaling fixed times by `fixed`/`variable`, then the whole step time by `variable`.
    #[must_use]
    pub fn corrected(self, fixed: f64, variable: f64) -> Self {
        let slowed = |messages: MessageCosts| {
            messages.map(|cost| MessageCost {
                factor: cost.factor * variable,
                ..cost
            })
        };
        let mut corrected = self.scaled(fixed, fixed);
        for factor in [
            &mut corrected.memory,
            &mut corrected.attention,
            &mut corrected.projections,
            &mut corrected.ffn,
        ] {
            *factor *= variable;
        }
        corrected.messages = slowed(corrected.messages);
        corrected.prompts = corrected.prompts.map(|prompts| PromptTerms {
            gemms: prompts.gemms.map(|factor| factor * variable),
            experts: prompts.experts.map(|factor| factor * variable),
            cores: prompts.cores.map(|factor| factor * variable),
            messages: slowed(prompts.messages),
            ..prompts
        });
        if let Some(terms) = &mut corrected.operators {
            terms.scale_factors(variable);
        }
        if let Some(engine) = &mut corrected.engine {
            engine.memory *= variable;
        }
        corrected
    }
}
