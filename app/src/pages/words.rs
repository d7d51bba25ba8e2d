//! Sentences with emphasis, as markup.

use crate::answer::{Sentence, Tone};
use leptos::prelude::*;

/// A sentence with each run of words in its tone.
pub fn sentence(sentence: &Sentence) -> AnyView {
    sentence
        .0
        .iter()
        .map(|span| {
            let text = glued(&span.text);
            match span.tone {
                Tone::Plain => text.into_any(),
                Tone::Strong => view! { <b>{text}</b> }.into_any(),
                Tone::Help => view! { <b class="tone-help">{text}</b> }.into_any(),
                Tone::Bad => view! { <b class="tone-bad">{text}</b> }.into_any(),
                Tone::Muted => view! { <span class="tone-muted">{text}</span> }.into_any(),
                Tone::Role(role) => {
                    let colour = format!("color: var(--{}-text)", role.name());
                    view! { <b style=colour>{text}</b> }.into_any()
                }
            }
        })
        .collect_view()
        .into_any()
}

/// Keeps a value and its unit on one line: "24.5 ms", "100 GB/s".
fn glued(text: &str) -> String {
    const UNITS: [&str; 6] = ["ms", "GB/s", "TB/s", "GiB", "per", "GPUs"];
    let mut glued = text.to_owned();
    for unit in UNITS.into_iter().filter(|unit| text.contains(*unit)) {
        for digit in '0'..='9' {
            glued = glued.replace(&format!("{digit} {unit}"), &format!("{digit}\u{a0}{unit}"));
        }
    }
    glued.replace("per GPU", "per\u{a0}GPU")
}

/// The class that colours a short text.
pub const fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Help => "tone-help",
        Tone::Bad => "tone-bad",
        Tone::Strong => "tone-strong",
        Tone::Plain | Tone::Muted | Tone::Role(_) => "tone-muted",
    }
}

/// Sets "βeb" and "β_eb" with a real index; other texts as they are.
pub fn with_index(text: &str) -> AnyView {
    for spelt in ["β_eb", "βeb"] {
        if let Some((before, after)) = text.split_once(spelt) {
            let (before, after) = (before.to_owned(), after.to_owned());
            return view! { {before} "β" <sub>"eb"</sub> {after} }.into_any();
        }
    }
    text.to_owned().into_any()
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
