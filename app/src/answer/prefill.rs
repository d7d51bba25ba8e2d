//! The time to the first token of a prompt as long as the context.

use model_core::arch::Attention;
use model_core::evaluate::prefill;
use model_core::ops::LatentForm;

use super::Case;
use crate::format;

/// "First token of a 2,000-token prompt: 312 ms".
#[derive(Debug, Clone, PartialEq)]
pub struct FirstToken {
    /// "2,000-token prompt".
    pub prompt: String,
    /// "312 ms".
    pub time: String,
    /// How it is computed, for a hover and screen readers.
    pub help: String,
}

/// One prompt in every attention group, nothing decoding beside it; latent attention as written,
/// which is the faster form here.
pub fn first_token(case: &Case) -> Option<FirstToken> {
    let context = case.scenario.workload.context;
    let breakdown = prefill(&case.scenario, context, LatentForm::Plain).ok()?;
    let form = match case.scenario.arch.attention {
        Attention::Latent { .. } => ", latent attention not absorbed",
        Attention::Grouped { .. } => "",
    };
    Some(FirstToken {
        prompt: format!("{}-token prompt", format::count(context)),
        time: format::duration(breakdown.step().get()).to_string(),
        help: format!(
            "Prefill of a prompt as long as the context in each of {} attention groups at once, with \
             nothing decoding beside it{form}. [A] 3.2, [B] V-B",
            format::count(f64::from(case.scenario.plan.spec().dp)),
        ),
    })
}
