//! A chapter of the guide: its source, its scenarios, and its text with computed numbers.

use crate::template::{Scenarios, parse};
use crate::value::{Desk, Shown};

/// A chapter, read from the file `N-STEM.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    /// Number of the chapter, starting at 1.
    pub number: usize,
    /// File name of the chapter's page, without `.html`.
    pub stem: String,
    /// Heading of the chapter.
    pub title: String,
    /// Markdown source of the chapter.
    pub source: String,
}

/// Relative URL of the main page as seen from a chapter.
pub const PAGE: &str = "../?";

impl Chapter {
    /// Reads a chapter; returns `None` if the file is not a chapter.
    pub fn read(file: &str, source: &str) -> Option<Self> {
        let (number, stem) = file.strip_suffix(".md")?.split_once('-')?;
        let title = source.lines().find_map(|line| line.strip_prefix("# "))?;
        Some(Self {
            number: number.parse().ok()?,
            stem: stem.to_owned(),
            title: title.trim().to_owned(),
            source: source.to_owned(),
        })
    }

    /// Returns the permalinks that the chapter defines, as in `[name]: ../?v=3&…`.
    pub fn scenarios(&self) -> Scenarios {
        let defined = self.source.lines().filter_map(|line| {
            let (name, link) = line.strip_prefix('[')?.split_once("]: ")?;
            Some((name.to_owned(), link.trim().strip_prefix(PAGE)?.to_owned()))
        });
        defined.collect()
    }

    /// Returns the Markdown without comments, with each template replaced by the text that `write` creates for its
    /// number.
    ///
    /// Errors: a message with the line and the mistake.
    pub fn filled(
        &self,
        desk: &mut Desk,
        write: impl Fn(&Shown) -> String,
    ) -> Result<String, String> {
        let scenarios = self.scenarios();
        let mut filled = String::with_capacity(self.source.len());
        let mut rest = self.source.as_str();
        while let Some((before, inside)) = rest.split_once("{{") {
            let line = 1 + self.source.len() - rest.len() + before.len();
            let line = 1 + self.source[..line].matches('\n').count();
            let failed = |why: String| format!("{}-{}.md:{line}: {why}", self.number, self.stem);
            let (template, after) = inside
                .split_once("}}")
                .ok_or_else(|| failed("a template without }}".to_owned()))?;
            let shown = parse(template, &scenarios).and_then(|template| desk.fill(&template));
            // The source marks templates as inline code, so that code-hosting sites display them. Drop the backticks.
            filled.push_str(before.strip_suffix('`').unwrap_or(before));
            if let Some(shown) = shown.map_err(failed)? {
                filled.push_str(&write(&shown));
            }
            rest = after.strip_prefix('`').unwrap_or(after);
        }
        filled.push_str(rest);
        Ok(without_comments(&filled))
    }
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("<!--");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once("-->").map_or("", |(_, after)| after));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chapter(text: &str) -> Chapter {
        let source = format!("# One step\n\n{text}\n\n[h200]: ../?v=3&gpu=h200&batch=8\n");
        Chapter::read("1-decode.md", &source).expect("a chapter")
    }

    fn filled(text: &str) -> Result<String, String> {
        let write = |shown: &Shown| format!("{} of {}", shown.text, shown.link);
        chapter(text).filled(&mut Desk::default(), write)
    }

    #[test]
    fn templates_are_replaced() {
        let one = chapter("");
        assert_eq!(
            (one.number, one.stem.as_str(), one.title.as_str()),
            (1, "decode", "One step")
        );
        assert_eq!(Chapter::read("README.md", "# Guide"), None);
        let text = filled(
            "A batch of `{{ batch h200 batch=64 }}`.<!-- {{ assert batch h200 = 8 }} --> So.",
        );
        let text = text.unwrap();
        assert!(
            text.contains("A batch of 64 of v=3&gpu=h200&batch=64. So."),
            "{text}"
        );
    }

    #[test]
    fn false_claims_fail_with_their_line() {
        let failed = filled("<!-- {{ assert tpot_s h200 > 1 }} -->").unwrap_err();
        assert!(
            failed.starts_with("1-decode.md:3: the claim does not hold"),
            "{failed}"
        );
        let failed = filled("`{{ batch ?v=3&batch=none }}`").unwrap_err();
        assert!(failed.contains("batch"), "{failed}");
    }
}
