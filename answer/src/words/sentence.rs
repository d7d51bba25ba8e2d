//! Sentences in which some words are emphasized.

/// A run of text in one tone, as part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Text of the run, without emphasis marks.
    pub text: String,
    /// Tone of the run.
    pub tone: Tone,
}

/// Tone of a run of text: its emphasis or color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// No emphasis: the run has the style of the surrounding text.
    Plain,
    /// Emphasized text.
    Strong,
    /// Text in the color of a chart role.
    Role(crate::theme::Role),
    /// Text in the accent color, for changes that help.
    Help,
    /// Text in the color of bad news, such as a missed SLO.
    Bad,
    /// Text in a lighter color.
    Muted,
}

/// A sentence: runs of text in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sentence(pub Vec<Span>);

impl Sentence {
    /// Parses a text with emphasis marks into a sentence. The marks are `*bad*`, `**strong**` and `_help_`.
    pub fn marked(text: &str) -> Self {
        let mut said = Self::default();
        let mut tone = Tone::Plain;
        let mut rest = text;
        while let Some(at) = rest.find(['*', '_']) {
            let (words, mark) = rest.split_at(at);
            let (mark, meant) = match mark {
                mark if mark.starts_with("**") => (&mark[..2], Tone::Strong),
                mark if mark.starts_with('*') => (&mark[..1], Tone::Bad),
                mark => (&mark[..1], Tone::Help),
            };
            said = said.then(tone, words);
            tone = if tone == meant { Tone::Plain } else { meant };
            rest = &rest[at + mark.len()..];
        }
        said = said.then(tone, rest);
        said.0.retain(|span| !span.text.is_empty());
        said
    }

    /// Appends text in a tone.
    #[must_use]
    pub fn then(mut self, tone: Tone, text: impl Into<String>) -> Self {
        self.0.push(Span {
            text: text.into(),
            tone,
        });
        self
    }

    /// Appends text in the plain tone.
    #[must_use]
    pub fn say(self, text: impl Into<String>) -> Self {
        self.then(Tone::Plain, text)
    }

    /// Appends another sentence.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Removes trailing spaces from the end of the sentence.
    #[must_use]
    pub fn trimmed(mut self) -> Self {
        if let Some(last) = self.0.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        self
    }

    /// Returns the text of the sentence without emphasis.
    pub fn plain_text(&self) -> String {
        self.0.iter().map(|span| span.text.as_str()).collect()
    }
}
