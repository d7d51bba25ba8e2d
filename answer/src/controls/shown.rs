//! Texts of a number's control for a given scenario: labels, value and hint.

use super::table::{FIRST, slider_of};
use super::words::ControlWords;
use crate::words::format;
use model_core::afd::decision::divided;
use model_core::afd::derive::entered_whole;
use model_core::inputs::{Gpu, Inputs, Mode, Number};
use model_core::number::Notation;
use model_core::permalink::{Link, View, write_number};
use model_core::service::Requests;

/// Returns the text that a number's control shows if the number has no value.
pub fn absent(number: Number) -> &'static str {
    slider_of(number).absent
}

/// Returns the labels of a number's control.
pub fn words_of(number: Number) -> ControlWords {
    slider_of(number).words
}

/// Formats a value for the number's input field, which accepts the same format as input.
pub fn shown(number: Number, value: f64) -> String {
    match number.spec().notation {
        Notation::Count => format::count(value),
        Notation::Context if value >= 4096.0 && value % 1024.0 == 0.0 => {
            write_number(number, value)
        }
        Notation::Context => format::count(value),
        Notation::Bandwidth | Notation::Tera => format::printed(value),
        Notation::Plain => match number {
            Number::Beta | Number::Acceptance | Number::Reserve => {
                let hundredths = 100.0 * value;
                match (hundredths - hundredths.round()).abs() < 1e-12 {
                    true => format!("{value:.2}"),
                    false => format::printed(value),
                }
            }
            _ => format::printed(value),
        },
    }
}

/// Returns the text of a number's input field. An AFD ratio that splits the scenario's GPUs is shown as "32 : 40".
/// Sequences per micro-batch are shown as "best" if the view optimizes them.
pub fn shown_in(number: Number, inputs: &Inputs) -> String {
    let own = || divided(inputs, inputs.get(Number::Ratio).unwrap_or(1.0));
    match (number, inputs.stated(number)) {
        (Number::Ratio, Some(_)) => {
            if let Some((attention, ffn)) = own() {
                return format!("{attention} : {ffn}");
            }
        }
        (Number::Slots, None) if own().is_some() => return "best".to_owned(),
        _ => {}
    }
    inputs
        .get(number)
        .map_or_else(|| absent(number).to_owned(), |value| shown(number, value))
}

/// Returns the value of a number in the view on screen. Service has separate default prompt and output lengths.
pub fn value_in_view(number: Number, link: &Link) -> Option<f64> {
    if link.shown.view != View::Service {
        return link.current.get(number);
    }
    let requests = Requests::of(&link.current);
    match number {
        Number::MeanPrompt => Some(requests.prompt),
        Number::MeanOutput => Some(requests.output),
        _ => link.current.get(number),
    }
}

/// Returns the default of a number in the view on screen.
pub fn default_in_view(number: Number, link: &Link) -> Option<f64> {
    match (link.shown.view, number) {
        (View::Service, Number::MeanPrompt | Number::MeanOutput) => {
            let current = link.current.without(number);
            let open = Link {
                current,
                ..link.clone()
            };
            value_in_view(number, &open)
        }
        _ => link.current.default_of(number),
    }
}

/// Returns the text of a number's input field in the view on screen.
pub fn shown_in_view(number: Number, link: &Link) -> String {
    match (link.shown.view, number) {
        (View::Service, Number::MeanPrompt | Number::MeanOutput) => value_in_view(number, link)
            .map_or_else(|| absent(number).to_owned(), |value| shown(number, value)),
        _ => shown_in(number, &link.current),
    }
}

/// True if the view on screen ignores the main sliders, because all AFD latencies are entered by hand or taken from a
/// table.
pub fn unused_in_view(link: &Link) -> bool {
    link.shown.view == View::Disaggregation
        && link.current.mode != Mode::Split
        && entered_whole(&link.current)
}

/// Returns the hint in the view on screen. If latencies are entered by hand, the main sliders are marked "not used
/// here".
pub fn hint_in_view(number: Number, link: &Link) -> String {
    match number {
        _ if unused_in_view(link) && FIRST.contains(&number) => "not used here".to_owned(),
        Number::Slo if link.shown.view == View::Service => match link.current.get(number) {
            Some(least) => format!("per user, TPOT {}", format::millis(1.0 / least)),
            None => "per user; or TPOT, e.g. “40 ms”".to_owned(),
        },
        _ => live_hint(number, &link.current),
    }
}

/// Returns a hint derived from the current value, such as "9 nodes of 8" or "256 per GPU". If there is none, returns
/// the fixed qualifier, [`ControlWords::whose`].
pub fn live_hint(number: Number, inputs: &Inputs) -> String {
    let get = |number| inputs.get(number).unwrap_or(1.0);
    let replicas = get(Number::Replicas);
    match number {
        Number::Gpus if replicas > 1.0 => format!(
            "× {} replicas = {}",
            format::count(replicas),
            format::count(replicas * get(Number::Gpus))
        ),
        Number::Gpus => {
            let (gpus, domain) = (get(Number::Gpus), get(Number::Domain));
            let size = format::count(domain);
            if domain <= 1.0 {
                "no scale-up domain".to_owned()
            } else if gpus <= domain {
                if domain > 16.0 {
                    format!("1 domain of {size}")
                } else {
                    format!("1 node of {size}")
                }
            } else {
                let word = if domain > 16.0 { "domains" } else { "nodes" };
                format!("{} {word} of {size}", format::printed(gpus / domain))
            }
        }
        Number::Batch => format!(
            "{} per GPU",
            format::batch(get(Number::Batch) / get(Number::Gpus))
        ),
        Number::Beta if !inputs.model.arch().is_moe() => "not used".to_owned(),
        Number::ScaleOut if get(Number::Gpus) <= get(Number::Domain) => "not used".to_owned(),
        Number::Price if inputs.prices.of_gpu(inputs.gpu).is_some() => "your price".to_owned(),
        Number::Price => match inputs.gpu {
            Gpu::Catalog(entry) if inputs.stated(number).is_none() => entry
                .price_source
                .map_or_else(|| "no list price".into(), |_| "list price".into()),
            _ => words_of(number).whose.to_owned(),
        },
        Number::Budget if inputs.stated(number).is_some() => "all devices".to_owned(),
        Number::Ratio if divided(inputs, 1.0).is_some() => {
            format!("attention : FFN, {} GPUs", format::count(get(Number::Gpus)))
        }
        _ => words_of(number).whose.to_owned(),
    }
}

/// Returns the label of a button that applies a fix: "Use EP 72", "Use 64 GPUs".
pub fn remedy_words(number: Number, becomes: f64) -> String {
    let value = shown(number, becomes);
    match number {
        Number::Gpus => format!("Use {value} GPUs"),
        number => format!("Use {} {value}", words_of(number).short),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink::{read, read_number};

    /// Checks that the sliders show the prompt and output lengths that Service computes with, including its defaults.
    #[test]
    fn traffic_names_the_requests_that_it_computes() {
        for link in ["v=3&rate=50&view=service", "v=3&prompt=8k&view=service"] {
            let link = read(link);
            let requests = Requests::of(&link.current);
            for (number, tokens) in [
                (Number::MeanPrompt, requests.prompt),
                (Number::MeanOutput, requests.output),
            ] {
                assert_eq!(shown_in_view(number, &link), shown(number, tokens));
            }
        }
    }

    #[test]
    fn what_a_field_shows_it_also_reads() {
        for (number, value, text) in [
            (Number::Batch, 18_432.0, "18,432"),
            (Number::Context, 2000.0, "2,000"),
            (Number::Context, 32_768.0, "32k"),
            (Number::Beta, 0.8, "0.80"),
            (Number::Beta, 0.123, "0.123"),
            (Number::ScaleOut, 62.5, "62.5"),
            (Number::MemoryFactor, 1.65, "1.65"),
        ] {
            assert_eq!(shown(number, value), text);
            assert_eq!(read_number(number, text), Ok(value));
        }
    }

    #[test]
    fn hints_follow_the_scenario() {
        let hint = |number, link: &str| live_hint(number, &read(link).current);
        assert_eq!(hint(Number::Gpus, "v=1"), "9 nodes of 8");
        assert_eq!(hint(Number::Gpus, "gpus=4"), "1 node of 8");
        assert_eq!(
            hint(Number::Gpus, "gpu=gb200&gpus=108"),
            "1.5 domains of 72"
        );
        assert_eq!(hint(Number::Batch, "v=1"), "256 per GPU");
        assert_eq!(hint(Number::Beta, "model=llama-3-70b"), "not used");
        let viewed = |link: &str| FIRST.map(|number| hint_in_view(number, &read(link)));
        let entered = viewed("latencies=table2&view=disagg");
        assert!(entered.iter().all(|hint| hint == "not used here"));
        assert_eq!(viewed("latencies=table2"), viewed("view=disagg"));
    }

    #[test]
    fn remedies_in_words() {
        assert_eq!(remedy_words(Number::Ep, 72.0), "Use EP 72");
        assert_eq!(remedy_words(Number::Gpus, 1024.0), "Use 1,024 GPUs");
    }
}
