//! Parses text that the user types into a number's input field.

use super::shown::{absent, shown_in};
use model_core::afd::decision::{divided, ratio_of};
use model_core::inputs::{Inputs, Number};
use model_core::permalink::{read_number, read_per_token};

/// Change requested by the typed text.
#[derive(Debug, Clone, PartialEq)]
pub enum Typed {
    /// No change: the text equals the previous one.
    Same,
    /// Resets the number to its default, or to no value if it has no default.
    Clear,
    /// Sets the number to this value.
    Value(f64),
    /// Rejects the text, with the reason as a sentence.
    Wrong(String),
}

/// Parses `text`, typed into a field that showed `before`.
pub fn read_typed(number: Number, before: &str, text: &str) -> Typed {
    let text = text.trim();
    if text == before {
        return Typed::Same;
    }
    if matches!(text, "" | "none" | "default" | "best" | "–" | "-") || text == absent(number) {
        return Typed::Clear;
    }
    if has_decimal_comma(text) {
        return Typed::Wrong(format!("“{text}”: use a decimal point, as in 1.5."));
    }
    let read = match (number, text.strip_suffix("ms")) {
        // The SLO can also be typed as milliseconds per token.
        (Number::Slo, Some(_)) => read_per_token(text),
        (Number::Ttft, Some(millis)) => read_number(number, &format!("{}e-3", millis.trim())),
        (Number::Ttft, None) => read_number(number, text.trim_end_matches('s')),
        (Number::Capacity, _) => {
            read_number(number, text.trim_end_matches("GiB").trim_end_matches("GB"))
        }
        _ => read_number(number, text),
    };
    match read {
        Ok(value) => Typed::Value(value),
        Err(reason) => Typed::Wrong(format!("“{text}” {reason}.")),
    }
}

/// Parses a split of the GPUs ("32 : 40"), or attention's GPU count alone, into an AFD ratio. Returns `None` for
/// other texts and for numbers other than the ratio.
pub fn read_division(number: Number, inputs: &Inputs, text: &str) -> Option<Typed> {
    if number != Number::Ratio {
        return None;
    }
    let count = |text: &str| text.trim().parse::<u32>().ok().filter(|count| *count > 0);
    let (attention, ffn) = match text.split_once(':') {
        Some((attention, ffn)) => (count(attention), count(ffn)),
        None => {
            let attention = count(text).filter(|_| divided(inputs, 1.0).is_some())?;
            let rest = inputs.get(Number::Gpus)? - f64::from(attention);
            (Some(attention), (rest >= 1.0).then_some(rest as u32))
        }
    };
    let ratio = attention
        .zip(ffn)
        .and_then(|(attention, ffn)| ratio_of(inputs, attention, ffn));
    Some(ratio.map_or_else(
        || {
            Typed::Wrong(format!(
                "“{}” is not an A:F split; enter e.g. 32 : 40.",
                text.trim()
            ))
        },
        |ratio| {
            if divided(inputs, ratio).map(|(a, f)| format!("{a} : {f}"))
                == inputs.stated(number).map(|_| shown_in(number, inputs))
            {
                Typed::Same
            } else {
                Typed::Value(ratio)
            }
        },
    ))
}

/// True if a comma in the text is not a thousands separator. Permalinks ignore commas, so `1,5` would become 15.
fn has_decimal_comma(text: &str) -> bool {
    text.split(',').skip(1).any(|group| {
        let digits = group.chars().take_while(char::is_ascii_digit).count();
        digits != 3
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_attentions_part_of_the_split() {
        let inputs = model_core::permalink::read("v=3&gpus=64&view=disagg").current;
        let read = |text: &str| match read_division(Number::Ratio, &inputs, text) {
            Some(Typed::Value(ratio)) => divided(&inputs, ratio),
            _ => None,
        };
        assert_eq!(read("42"), Some((42, 22)));
        assert_eq!(read("42 : 22"), Some((42, 22)));
        assert_eq!(read("64"), None);
        assert_eq!(read_division(Number::Ratio, &inputs, "1.5"), None);
    }

    #[test]
    fn typed_texts_are_read_or_refused_with_a_reason() {
        assert_eq!(read_typed(Number::Context, "2,000", "2,000"), Typed::Same);
        assert_eq!(
            read_typed(Number::Context, "2,000", " 32k "),
            Typed::Value(32_768.0)
        );
        assert_eq!(
            read_typed(Number::ScaleOut, "50", "400Gb"),
            Typed::Value(50.0)
        );
        assert_eq!(
            read_typed(Number::ScaleOut, "50", "0.08T"),
            Typed::Value(80.0)
        );
        assert_eq!(read_typed(Number::Slo, "10", ""), Typed::Clear);
        assert_eq!(read_typed(Number::Slo, "10", "40 ms"), Typed::Value(25.0));
        assert!(matches!(
            read_typed(Number::Slo, "10", "ms"),
            Typed::Wrong(_)
        ));
        let Typed::Wrong(reason) = read_typed(Number::Beta, "0.80", "2") else {
            panic!("2 is out of range");
        };
        assert_eq!(reason, "“2” must be > 0 and ≤ 1.");
        assert!(matches!(
            read_typed(Number::ScaleOut, "50", "1,5"),
            Typed::Wrong(_)
        ));
        assert_eq!(
            read_typed(Number::Batch, "1", "18,432"),
            Typed::Value(18_432.0)
        );
    }
}
