//! Figures, each declared once: identifier in links, view and question.

use super::{Paper, View};

/// Declares the page's own figures, and those of papers.
macro_rules! figures {
    ($($name:ident = $id:literal, $view:ident, $question:literal;)+ => $($curve:literal)+) => {
        /// A figure that can be embedded.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum FigureId {
            $(#[doc = concat!("`", $id, "`: ", $question)] $name,)+
            /// A figure of a paper.
            Curve(PaperCurve),
        }

        impl FigureId {
            /// The page's own figures.
            pub const OWN: [Self; [$($id),+].len()] = [$(Self::$name),+];

            /// The identifier in links.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)+
                    Self::Curve(curve) => curve.id(),
                }
            }

            /// The view that shows the figure.
            pub const fn view(self) -> View {
                match self {
                    $(Self::$name => View::$view,)+
                    Self::Curve(_) => View::Papers,
                }
            }

            /// The question it answers, of the page's own.
            pub const fn question(self) -> &'static str {
                match self {
                    $(Self::$name => $question,)+
                    Self::Curve(_) => "",
                }
            }
        }

        impl PaperCurve {
            /// Every figure of a paper.
            pub const ALL: [Self; [$($curve),+].len()] = [$(Self($curve)),+];
        }
    };
}

figures! {
    Roofline = "roofline", Explore, "Compute or memory?";
    Breakdown = "breakdown", Explore, "Where does a step go?";
    Pareto = "pareto", Explore, "Is the batch right?";
    Memory = "memory", Explore, "Does it fit?";
    Timeline = "timeline", Explore, "What runs when?";
    Levers = "levers", Explore, "What helps?";
    Waterfall = "waterfall", Explore, "What changed since A?";
    SplitTime = "split-time", Disaggregation, "Where does the time go?";
    SplitRotation = "split-rotation", Disaggregation, "Idle time";
    SplitBandwidth = "split-bandwidth", Disaggregation, "How fast must the network be?";
    SplitDegrees = "split-degrees", Disaggregation, "What does the budget buy?";
    Apart = "apart", Disaggregation, "Colocated or disaggregated?";
    Plans = "plans", Plans, "Which plan?";
    Ratio = "ratio", Disaggregation, "How many for each?";
    Steps = "steps", Disaggregation, "What happens in a step?";
    // Headline, figures and all charts of the view: no chart of its own.
    Explore = "explore", Explore, "";
    Map = "map", Limits, "How far can it go?";
    Context = "context", Limits, "What does context cost?";
    Growth = "growth", Limits, "How many GPUs?";
    Instances = "instances", Plans, "One large or many?";
    Stairs = "stairs", Service, "How many GPUs?";
    Request = "request", Service, "Where does a request’s time go?";
    Binds = "binds", Service, "Which pool binds?";
    Pays = "pays", Service, "Do pools pay?";
    Measured = "measured", Papers, "Reproduced?";

    // By paper and figure; `tests/golden/figures.tsv` says what is drawn.
    =>
    "a-figure-10" "a-figure-13" "a-figure-14" "a-figure-15" "a-figure-16" "a-figure-17"
    "b-figure-3" "b-figure-7" "b-figure-8" "b-figure-9" "b-figure-10" "b-figure-11" "b-figure-12"
    "h-figure-1" "h-figure-1-context" "h-figure-1-split" "h-figure-3" "h-figure-5" "h-figure-6" "h-figure-7"
    "r-figure-4" "r-figure-5" "r-figure-6" "r-figure-7" "r-figure-8"
    "l-figure-2" "l-figure-3" "l-figure-4" "l-figure-10" "l-figure-11" "l-figure-12"
}

/// A figure of a paper, drawn anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PaperCurve(&'static str);

impl PaperCurve {
    /// The identifier in links.
    pub const fn id(self) -> &'static str {
        self.0
    }

    /// The figure with this identifier in a link.
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|curve| curve.0 == id)
    }

    /// The paper whose figure it is.
    pub const fn paper(self) -> Paper {
        match self.0.as_bytes() {
            [b'a', ..] => Paper::A,
            [b'b', ..] => Paper::B,
            [b'h', ..] => Paper::H,
            [b'l', ..] => Paper::L,
            _ => Paper::R,
        }
    }
}

impl FigureId {
    /// Every figure.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::OWN
            .into_iter()
            .chain(PaperCurve::ALL.map(Self::Curve))
    }

    /// The figure with this identifier in a link; former ones lead to their successor.
    pub fn of_id(id: &str) -> Option<Self> {
        let id = match id {
            "sensitivity" => "levers",
            "tradeoff" => "pareto",
            "split-traces" => "split-degrees",
            "waits" => "ratio",
            _ => id,
        };
        Self::all().find(|figure| figure.id() == id)
    }
}
