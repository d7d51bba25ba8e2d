//! Sentences with emphasis, as markup.

use answer::{Sentence, Tone};
use leptos::prelude::*;

/// A sentence with each run of words in its tone.
pub fn sentence(sentence: &Sentence) -> AnyView {
    sentence
        .0
        .iter()
        .map(|span| {
            let text = glued(&span.text);
            match span.tone {
                Tone::Plain => with_index(&text),
                Tone::Strong => view! { <b>{text}</b> }.into_any(),
                Tone::Help => view! { <b class="tone-help">{text}</b> }.into_any(),
                Tone::Bad => view! { <b class="tone-bad">{text}</b> }.into_any(),
                Tone::Muted => view! { <span class="tone-muted">{text}</span> }.into_any(),
                Tone::Role(role) => {
                    let colour = format!("var(--{}-text)", role.name());
                    view! { <b style:color=colour>{text}</b> }.into_any()
                }
            }
        })
        .collect_view()
        .into_any()
}

/// Holds a value and its unit on one line: "24.5 ms", "100 GB/s".
fn glued(text: &str) -> String {
    const UNITS: [&str; 6] = ["ms", "GB/s", "TB/s", "GiB", "per", "GPUs"];
    let mut glued = String::with_capacity(text.len() + 8);
    let mut digit = false;
    for (at, letter) in text.char_indices() {
        let before_unit = || UNITS.iter().any(|unit| text[at + 1..].starts_with(unit));
        match letter {
            ' ' if digit && before_unit() => glued.push('\u{a0}'),
            _ => glued.push(letter),
        }
        digit = letter.is_ascii_digit();
    }
    glued.replace("per GPU", "per\u{a0}GPU")
}

/// The class that colors a short text.
pub const fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Help => "tone-help",
        Tone::Bad => "tone-bad",
        Tone::Strong => "tone-strong",
        Tone::Plain | Tone::Muted | Tone::Role(_) => "tone-muted",
    }
}

/// Symbols whose second part is an index, as texts spell them.
const INDEXED: [(&str, &str, &str); 7] = [
    ("β_eb", "β", "eb"),
    ("βeb", "β", "eb"),
    ("B_attn", "B", "attn"),
    ("B_MoE", "B", "MoE"),
    ("B_RP", "B", "RP"),
    ("B_cap", "B", "cap"),
    ("B_SLO", "B", "SLO"),
];

/// Renders "β_eb", "B_cap" and similar with a subscript; other texts unchanged.
pub fn with_index(text: &str) -> AnyView {
    let first = INDEXED
        .into_iter()
        .filter_map(|symbol| Some((text.find(symbol.0)?, symbol)))
        .min_by_key(|(at, _)| *at);
    let Some((at, (spelt, base, index))) = first else {
        return text.to_owned().into_any();
    };
    let before = text[..at].to_owned();
    let after = with_index(&text[at + spelt.len()..]);
    view! { {before} {base} <sub>{index}</sub> {after} }.into_any()
}

#[cfg(test)]
mod tests {
    use super::glued;

    #[test]
    fn values_keep_their_units() {
        assert_eq!(glued("for 24.5 ms of it"), "for 24.5\u{a0}ms of it");
        assert_eq!(glued("to 100 GB/s gives "), "to 100\u{a0}GB/s gives ");
        assert_eq!(glued("415 per GPU"), "415\u{a0}per\u{a0}GPU");
    }
}
