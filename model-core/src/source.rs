//! Citations of publications.

/// A citation: a publication and a location in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// Title of the publication or page.
    pub title: &'static str,
    /// Section, table, equation or file within the publication.
    pub locator: &'static str,
}

impl Source {
    /// Creates a citation of `locator` in the publication `title`.
    pub const fn new(title: &'static str, locator: &'static str) -> Self {
        Self { title, locator }
    }

    /// Returns a short citation: paper letter and locator, such as "[L] Table 1", for one of the five papers; else
    /// the title.
    pub fn short(&self) -> String {
        match self.title.split_once(' ') {
            Some((letter, _)) if letter.starts_with('[') => {
                let place = self.locator.split(':').next().unwrap_or_default();
                format!("{letter} {place}")
            }
            _ => self.title.to_owned(),
        }
    }

    /// Returns the web address of the citation, taken from the title or from the start of the locator; `None` if
    /// neither has one. A locator may start with `host/path`, `arXiv number`, or a repository with a file at a
    /// revision.
    pub fn address(&self) -> Option<String> {
        if self.title.starts_with("https://") {
            return self.title.split(' ').next().map(str::to_owned);
        }
        let (first, rest) = self.locator.split_once(", ").unwrap_or((self.locator, ""));
        if let Some(number) = first.strip_prefix("arXiv ") {
            return Some(format!("https://arxiv.org/abs/{number}"));
        }
        let (host, path) = first.split_once('/')?;
        if !host.contains('.') || path.contains(' ') {
            return None;
        }
        let file = rest.split(", ").next().and_then(|file| {
            let (file, revision) = file.split_once(" at ")?;
            let revision = revision.split([';', ' ']).next()?;
            (host == "github.com").then(|| format!("/blob/{revision}/{file}"))
        });
        Some(format!("https://{first}{}", file.unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn locators_lead_to_what_they_cite() {
        let address = |locator| Source::new("", locator).address();
        for (locator, wanted) in [
            (
                "arXiv 2506.12708, abstract",
                "https://arxiv.org/abs/2506.12708",
            ),
            (
                "lmsys.org/blog/2025-05-05-large-scale-ep, decode",
                "https://lmsys.org/blog/2025-05-05-large-scale-ep",
            ),
            (
                "github.com/sgl-project/sglang/pull/11854, log lines",
                "https://github.com/sgl-project/sglang/pull/11854",
            ),
            (
                "github.com/deepseek-ai/profile-data, README.md at 449602428a1b; its rate elsewhere",
                "https://github.com/deepseek-ai/profile-data/blob/449602428a1b/README.md",
            ),
        ] {
            assert_eq!(address(locator).as_deref(), Some(wanted));
        }
        assert_eq!(address("Table 1"), None);
        for row in crate::measured::Runs::built_in().rows() {
            let address = row.source.address().unwrap();
            assert!(!address.contains(' '), "{address}");
            let file = !address.starts_with("https://github.com/")
                || address.contains("/blob/")
                || address.contains("/pull/");
            assert!(file, "{address}");
        }
    }
}

/// Titles of the five papers, each with the letter that the documentation uses for the paper.
pub mod paper {
    /// Title of paper [A], DeepSeek inference theoretical model (Aleph Alpha, September 2025).
    pub const A: &str = "[A] DeepSeek Inference Theoretical Model";
    /// Title of paper [B], the new LLM bottleneck.
    pub const B: &str = "[B] The New LLM Bottleneck";
    /// Title of paper [H], Helix parallelism.
    pub const H: &str = "[H] Helix Parallelism";
    /// Title of paper [R], attention/FFN ratios.
    pub const R: &str = "[R] Attention/FFN Ratios";
    /// Title of paper [L], model–attention disaggregation (Lamina).
    pub const L: &str = "[L] Model-Attention Disaggregation";
}
