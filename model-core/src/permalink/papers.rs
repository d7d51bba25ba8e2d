//! Permalink keys of the Papers view.

use super::choice::pick;
use super::{Evidence, Paper, PaperCurve};
use crate::named::named;

/// Permalink keys of former filters and switches that no longer exist; they are accepted and ignored.
pub(super) const FORMER: [&str; 8] = [
    "state", "kind", "order", "figures", "runs", "hardware", "system", "joined",
];

/// Filters and enlarged figure of the Papers view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// Type of evidence shown: published or measured.
    pub evidence: Evidence,
    /// Paper whose rows are shown; `None` for all papers.
    pub paper: Option<Paper>,
    /// Paper figure that is shown enlarged.
    pub figure: Option<PaperCurve>,
}

impl Listed {
    /// Default selection of the Papers view: published rows of all papers.
    pub const DEFAULT: Self = Self {
        evidence: Evidence::Published,
        paper: None,
        figure: None,
    };
}

named! {
    /// Permalink keys of the Papers view, in the order in which a permalink lists them.
    pub enum ListedKey {
        /// Permalink key of [`Listed::evidence`].
        Show = "show",
        /// Permalink key of [`Listed::paper`].
        Paper = "paper",
        /// Permalink key of [`Listed::figure`].
        Figure = "figure",
    }
}

impl ListedKey {
    /// Parses the key's value into `listed`. The error is the reason for a note; for a list of options, it gives the
    /// valid values and the value used instead.
    pub fn read(self, listed: &mut Listed, value: &str) -> Result<(), &'static str> {
        match self {
            Self::Show => {
                listed.evidence = pick(Evidence::ALL, Evidence::id, value)
                    .ok_or("options: published, measured; using published")?;
            }
            Self::Paper => {
                let paper = pick(Paper::ALL, Paper::id, value);
                listed.paper = Some(paper.ok_or("options: a, b, h, l, r; showing all papers")?);
            }
            Self::Figure => {
                let figure = PaperCurve::of_id(value);
                listed.figure = Some(figure.ok_or("is not a paper figure")?);
            }
        }
        Ok(())
    }

    /// Returns this key's value in a permalink, or `None` if it is the default.
    pub fn stated(self, listed: &Listed) -> Option<&'static str> {
        match self {
            Self::Show => {
                let stated = listed.evidence != Listed::DEFAULT.evidence;
                stated.then(|| listed.evidence.id())
            }
            Self::Paper => listed.paper.map(Paper::id),
            Self::Figure => listed.figure.map(PaperCurve::id),
        }
    }
}
