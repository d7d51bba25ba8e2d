//! The time to the first token of a prompt as long as the context.

use model_core::evaluate;
use model_core::scenario::Number;

use super::Evaluated;
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

/// One prompt in every attention group, nothing decoding beside it; of the stated prompt, else of one
/// as long as the context.
pub fn first_token(case: &Evaluated) -> Option<FirstToken> {
    let time = evaluate::first_token(&case.inputs, &case.scenario)?;
    let stated = case.inputs.stated(Number::MeanPrompt);
    let prompt = stated.unwrap_or(case.scenario.workload.context);
    let length = match stated {
        Some(_) => "the mean prompt",
        None => "a prompt as long as the context",
    };
    Some(FirstToken {
        prompt: format!("{}-token prompt", format::count(prompt)),
        time: format::duration(time.get()).to_string(),
        help: format!(
            "Prefill of {length}{}, with nothing decoding beside it. [A] 3.2, [B] V-B",
            match case.scenario.plan.spec().dp {
                1 => String::new(),
                groups => format!(
                    " in each of {} attention groups at once",
                    format::count(f64::from(groups))
                ),
            },
        ),
    })
}
