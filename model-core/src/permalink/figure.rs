//! Figures of the page: each is declared once, with its permalink identifier, view and question.

use super::{Paper, View};
use crate::inputs::Number;

/// Declares two lists: the figures of the page, and the figures redrawn from papers.
macro_rules! figures {
    ($($name:ident = $id:literal, $view:ident, $question:literal;)+ => $($curve:literal)+) => {
        /// A figure that can be embedded in another page.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum FigureId {
            $(#[doc = concat!("`", $id, "`: ", $question)] $name,)+
            /// A figure from a paper.
            Curve(PaperCurve),
        }

        impl FigureId {
            /// Figures of the page that are not from a paper.
            pub const OWN: [Self; [$($id),+].len()] = [$(Self::$name),+];

            /// Returns the figure's identifier in permalinks.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)+
                    Self::Curve(curve) => curve.id(),
                }
            }

            /// Returns the view that shows the figure.
            pub const fn view(self) -> View {
                match self {
                    $(Self::$name => View::$view,)+
                    Self::Curve(_) => View::Papers,
                }
            }

            /// Returns the question that the figure answers; empty for a figure from a paper, and for the whole
            /// Explore view.
            pub const fn question(self) -> &'static str {
                match self {
                    $(Self::$name => $question,)+
                    Self::Curve(_) => "",
                }
            }
        }

        impl PaperCurve {
            /// All figures from papers.
            pub const ALL: [Self; [$($curve),+].len()] = [$(Self($curve)),+];
        }
    };
}

figures! {
    Roofline = "roofline", Explore, "Compute or memory?";
    Breakdown = "breakdown", Explore, "Where does the step time go?";
    Pareto = "pareto", Explore, "Is the batch size right?";
    Memory = "memory", Explore, "Does it fit?";
    Timeline = "timeline", Explore, "What overlaps?";
    Drafts = "drafts", Explore, "Best draft length at each load?";
    Bandwidth = "bandwidth", Explore, "How much bandwidth?";
    Benchmark = "benchmark", Explore, "Does your benchmark match?";
    Explain = "explain", Explore, "Why this number?";
    Levers = "levers", Explore, "What helps?";
    Waterfall = "waterfall", Explore, "What changed since A?";
    SplitTime = "split-time", Disaggregation, "Where does the step time go?";
    SplitRotation = "split-rotation", Disaggregation, "Idle time";
    SplitBandwidth = "split-bandwidth", Disaggregation, "How fast must the network be?";
    SplitDegrees = "split-degrees", Disaggregation, "What does the budget buy?";
    Apart = "apart", Disaggregation, "Colocated or disaggregated?";
    Plans = "plans", Plans, "Which plan?";
    Ratio = "ratio", Disaggregation, "Which A:F ratio?";
    Steps = "steps", Disaggregation, "What happens in a step?";
    // Headline, metrics and all charts of the view, not a single chart.
    Explore = "explore", Explore, "";
    Map = "map", Limits, "Max batch and context?";
    Context = "context", Limits, "What does context cost?";
    Growth = "growth", Limits, "Which GPU count fits?";
    Stairs = "stairs", Service, "How many GPUs?";
    Request = "request", Service, "Where does request latency come from?";
    Binds = "binds", Service, "Which pool is the bottleneck?";
    Pays = "pays", Service, "Is disaggregation cheaper?";
    Candidates = "candidates", Service, "Which accelerator is cheapest?";
    Measured = "measured", Papers, "Reproduced?";

    // Figures redrawn from papers, by paper and figure; `tests/golden/figures.tsv` defines their content.
    =>
    "a-figure-10" "a-figure-13" "a-figure-14" "a-figure-15" "a-figure-16" "a-figure-17"
    "b-figure-3" "b-figure-7" "b-figure-8" "b-figure-9" "b-figure-10" "b-figure-11" "b-figure-12"
    "h-figure-1" "h-figure-1-context" "h-figure-1-split" "h-figure-3" "h-figure-5" "h-figure-6" "h-figure-7"
    "r-figure-4" "r-figure-5" "r-figure-6" "r-figure-7" "r-figure-8"
    "l-figure-2" "l-figure-3" "l-figure-4" "l-figure-10" "l-figure-11" "l-figure-12"
}

impl FigureId {
    /// Returns the numeric inputs offered as sliders of an embedded figure; each of them changes the figure. A
    /// permalink may name other inputs. A figure of the Papers view has no sliders, because its scenarios are fixed.
    pub const fn sliders(self) -> &'static [Number] {
        use Number::{
            Batch, Batches, Beta, Context, Gpus, HbmScale, Hit, MeanOutput, MeanPrompt, Net, Rate,
            Ratio, ScaleOut, ScaleUp, Slo, Util,
        };
        match self {
            Self::Measured | Self::Curve(_) => &[],
            Self::Benchmark => &[Gpus, Context],
            Self::Memory => &[Gpus, Batch, Context],
            Self::Roofline => &[Gpus, Batch, Context, Beta, HbmScale],
            Self::Bandwidth => &[Gpus, ScaleOut, ScaleUp, Batch, Context, Beta],
            Self::Breakdown
            | Self::Timeline
            | Self::Drafts
            | Self::Explain
            | Self::Waterfall
            | Self::Context => &[Gpus, ScaleOut, Batch, Context, Beta, HbmScale],
            Self::Stairs | Self::Request | Self::Binds | Self::Pays | Self::Candidates => {
                &[Rate, MeanPrompt, MeanOutput, Hit, Slo, Util]
            }
            Self::Ratio | Self::Steps => &[Ratio, MeanPrompt, MeanOutput, Batch],
            Self::SplitTime | Self::SplitDegrees => &[Net, Batches, Context, Batch],
            Self::SplitRotation | Self::SplitBandwidth => &[Net, Batches],
            _ => &[Gpus, ScaleOut, Batch, Context, Beta, Slo],
        }
    }
}

/// A figure from a paper, redrawn with computed results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PaperCurve(&'static str);

impl PaperCurve {
    /// Returns the paper figure's identifier in permalinks.
    pub const fn id(self) -> &'static str {
        self.0
    }

    /// Returns the paper figure with this permalink identifier.
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|curve| curve.0 == id)
    }

    /// Returns the paper from which the figure is taken.
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
    /// Returns all figures: those of the page and those from papers.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::OWN
            .into_iter()
            .chain(PaperCurve::ALL.map(Self::Curve))
    }

    /// Returns the figure with this permalink identifier. For a former identifier, returns the figure that replaced
    /// the old one.
    pub fn of_id(id: &str) -> Option<Self> {
        let id = match id {
            "sensitivity" => "levers",
            "tradeoff" => "pareto",
            "split-traces" => "split-degrees",
            "waits" => "ratio",
            "instances" => "b-figure-12",
            _ => id,
        };
        Self::all().find(|figure| figure.id() == id)
    }
}
