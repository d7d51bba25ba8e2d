//! Renders sentences with emphasis as HTML.

use answer::page::glue::glued;
use answer::{Sentence, Tone};
use leptos::prelude::*;

/// Renders a sentence; each span gets the color of its tone.
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

/// Returns the CSS class that colors a short text.
pub const fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Help => "tone-help",
        Tone::Bad => "tone-bad",
        Tone::Strong => "tone-strong",
        Tone::Plain | Tone::Muted | Tone::Role(_) => "tone-muted",
    }
}

/// Symbols with a subscript: spelling in texts, base letter, and subscript.
const INDEXED: [(&str, &str, &str); 7] = [
    ("β_eb", "β", "eb"),
    ("βeb", "β", "eb"),
    ("B_attn", "B", "attn"),
    ("B_MoE", "B", "MoE"),
    ("B_RP", "B", "RP"),
    ("B_cap", "B", "cap"),
    ("B_SLO", "B", "SLO"),
];

/// Renders "β_eb", "B_cap" and similar symbols with a subscript; other text is unchanged.
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
