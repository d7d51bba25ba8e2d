//! Link keys of the Papers view.

use super::choice::pick;
use super::{Curve, Evidence, Paper};
use crate::hardware::catalog;
use crate::measured::runs::{Runs, System};
use crate::named::named;

/// An accelerator that the catalogue does not have.
pub const CUSTOM: &str = "custom";

named! {
    /// Filter of published rows by result.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum State {
        /// All.
        All = "all",
        /// Within their tolerance.
        Met = "met",
        /// Declared gaps.
        Gaps = "gaps",
    }
}

named! {
    /// Filter of published rows by kind.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Stated {
        /// All.
        All = "all",
        /// Numbers.
        Numbers = "numbers",
        /// Bounds and directions.
        Claims = "claims",
    }
}

named! {
    /// Order of published rows.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Order {
        /// Gaps first, then by error; the rest is folded.
        Largest = "largest",
        /// As in the paper.
        Printed = "printed",
    }
}

/// Contents of the Papers view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// Evidence: published or measured.
    pub evidence: Evidence,
    /// Filter by paper.
    pub paper: Option<Paper>,
    /// Filter of published rows by result.
    pub state: State,
    /// Filter of published rows by kind.
    pub kind: Stated,
    /// Order of published rows.
    pub order: Order,
    /// True where every figure is shown.
    pub every_figure: bool,
    /// The figure that is enlarged.
    pub figure: Option<Curve>,
    /// Filter of measured runs by kind.
    pub runs: Runs,
    /// Filter by accelerator: an identifier of the catalogue, or [`CUSTOM`].
    pub hardware: Option<&'static str>,
    /// Filter by serving system.
    pub system: Option<System>,
}

impl Listed {
    /// All published rows, and the measured runs that count.
    pub const DEFAULT: Self = Self {
        evidence: Evidence::Published,
        paper: None,
        state: State::All,
        kind: Stated::All,
        order: Order::Largest,
        every_figure: false,
        figure: None,
        runs: Runs::Counting,
        hardware: None,
        system: None,
    };
}

/// A link key of the Papers view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListedKey {
    /// [`Listed::evidence`].
    Show,
    /// [`Listed::paper`].
    Paper,
    /// [`Listed::state`].
    State,
    /// [`Listed::kind`].
    Kind,
    /// [`Listed::order`].
    Order,
    /// [`Listed::every_figure`].
    Figures,
    /// [`Listed::figure`].
    Figure,
    /// [`Listed::runs`].
    Runs,
    /// [`Listed::hardware`].
    Hardware,
    /// [`Listed::system`].
    System,
}

impl ListedKey {
    /// All keys, in the order a link writes them.
    pub const ALL: [Self; 10] = [
        Self::Show,
        Self::Paper,
        Self::State,
        Self::Kind,
        Self::Order,
        Self::Figures,
        Self::Figure,
        Self::Runs,
        Self::Hardware,
        Self::System,
    ];

    /// The key in a link.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Show => "show",
            Self::Paper => "paper",
            Self::State => "state",
            Self::Kind => "kind",
            Self::Order => "order",
            Self::Figures => "figures",
            Self::Figure => "figure",
            Self::Runs => "runs",
            Self::Hardware => "hardware",
            Self::System => "system",
        }
    }

    /// Reads the key's value. Errors: a note with the valid values and the one in force.
    pub fn read(self, listed: &mut Listed, value: &str) -> Result<(), String> {
        let read = match self {
            Self::Show => set(
                &mut listed.evidence,
                pick(Evidence::ALL, Evidence::id, value),
            ),
            Self::Paper => set(
                &mut listed.paper,
                pick(Paper::ALL, Paper::id, value).map(Some),
            ),
            Self::State => set(&mut listed.state, pick(State::ALL, State::id, value)),
            Self::Kind => set(&mut listed.kind, pick(Stated::ALL, Stated::id, value)),
            Self::Order => set(&mut listed.order, pick(Order::ALL, Order::id, value)),
            Self::Figures => set(
                &mut listed.every_figure,
                match value {
                    "all" => Some(true),
                    "some" => Some(false),
                    _ => None,
                },
            ),
            Self::Figure => set(
                &mut listed.figure,
                pick(Curve::ALL, Curve::id, value).map(Some),
            ),
            Self::Runs => set(&mut listed.runs, pick(Runs::ALL, Runs::id, value)),
            Self::Hardware => set(
                &mut listed.hardware,
                match value {
                    CUSTOM => Some(Some(CUSTOM)),
                    _ => catalog::find(value).map(|entry| Some(entry.id)),
                },
            ),
            Self::System => set(
                &mut listed.system,
                pick(System::ALL, System::id, value).map(Some),
            ),
        };
        if read { Ok(()) } else { Err(self.takes()) }
    }

    fn takes(self) -> String {
        match self {
            Self::Show => "takes published or measured; published holds".into(),
            Self::Paper => "takes a, b, h, l or r; all papers are shown".into(),
            Self::State => "takes all, met or gaps; all rows are shown".into(),
            Self::Kind => "takes all, numbers or claims; all rows are shown".into(),
            Self::Order => "takes largest or printed; largest holds".into(),
            Self::Figures => "takes some or all; some holds".into(),
            Self::Figure => "is not a figure of a paper; none is enlarged".into(),
            Self::Runs => format!(
                "takes {}; counting holds",
                Runs::ALL.map(Runs::id).join(", ")
            ),
            Self::Hardware => "takes an accelerator’s id or custom; runs on all are shown".into(),
            Self::System => format!(
                "takes {}; runs of all are shown",
                System::ALL.map(System::id).join(", ")
            ),
        }
    }

    /// The key's value, if it is not the default.
    pub fn stated(self, listed: &Listed) -> Option<&'static str> {
        let default = Listed::DEFAULT;
        match self {
            Self::Show => differs(listed.evidence, default.evidence, Evidence::id),
            Self::Paper => listed.paper.map(Paper::id),
            Self::State => differs(listed.state, default.state, State::id),
            Self::Kind => differs(listed.kind, default.kind, Stated::id),
            Self::Order => differs(listed.order, default.order, Order::id),
            Self::Figures => listed.every_figure.then_some("all"),
            Self::Figure => listed.figure.map(Curve::id),
            Self::Runs => differs(listed.runs, default.runs, Runs::id),
            Self::Hardware => listed.hardware,
            Self::System => listed.system.map(System::id),
        }
    }
}

fn set<T>(slot: &mut T, value: Option<T>) -> bool {
    let found = value.is_some();
    if let Some(value) = value {
        *slot = value;
    }
    found
}

fn differs<T: PartialEq + Copy>(
    value: T,
    default: T,
    id: fn(T) -> &'static str,
) -> Option<&'static str> {
    (value != default).then(|| id(value))
}
