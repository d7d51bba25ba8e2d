//! Link keys of the Papers view.

use super::choice::pick;
use super::{Evidence, Paper, PaperCurve};
use crate::named::named;

/// Former keys, of filters and switches that are gone: accepted and ignored.
pub(super) const FORMER: [&str; 8] = [
    "state", "kind", "order", "figures", "runs", "hardware", "system", "joined",
];

/// Contents of the Papers view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// Evidence: published or measured.
    pub evidence: Evidence,
    /// Filter by paper.
    pub paper: Option<Paper>,
    /// The figure that is enlarged.
    pub figure: Option<PaperCurve>,
}

impl Listed {
    /// Published rows of all papers.
    pub const DEFAULT: Self = Self {
        evidence: Evidence::Published,
        paper: None,
        figure: None,
    };
}

named! {
    /// A link key of the Papers view, in the order a link writes them.
    pub enum ListedKey {
        /// [`Listed::evidence`].
        Show = "show",
        /// [`Listed::paper`].
        Paper = "paper",
        /// [`Listed::figure`].
        Figure = "figure",
    }
}

impl ListedKey {
    /// Reads the key's value. Errors: a note with the valid values and the active one.
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

    /// The key's value, if it is not the default.
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
