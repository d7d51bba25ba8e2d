//! Permalinks: a scenario as `?v=1&key=value&…`, which is read leniently and written in its shortest form.
//!
//! An omitted key has its default value, default values are omitted, and order does not matter. Unreadable parts are
//! ignored with a [`Note`], and use the default of the permalink's version. `a.KEY` sets the key KEY of the pinned
//! scenario.

mod candidates;
mod choice;
mod figure;
mod list;
mod number;
mod papers;
mod points;
mod prices;
mod quote;
mod read;
pub mod search;
mod sliders;
mod write;

pub use candidates::{CANDIDATES, read_candidate, write_candidate};
pub use choice::NO_TRACE;
pub use figure::{FigureId, PaperCurve};
pub use number::{ReadError, read_number, read_per_token, write_number};
pub use papers::{Listed, ListedKey};
pub use points::{UnreadPoint, write_point};
pub use prices::{PRICES, read_prices, write_prices};
pub use read::read;
pub use sliders::Sliders;
pub use write::{stated, write, write_inputs};

use crate::named::named;
use std::borrow::Cow;

use crate::account::Explained;
use crate::arch::MOST_GROUPS;
use crate::candidates::Candidate;
use crate::compare::Quantity;
use crate::hardware::catalog::Entry;
use crate::inputs::{Gpu, Inputs, Number};
use crate::search::Search;

/// Contents of a permalink: scenarios, plan search, page state, and notes.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Current scenario.
    pub current: Inputs,
    /// Scenario that is pinned for comparison.
    pub pinned: Option<Inputs>,
    /// Settings of the plan search.
    pub search: Search,
    /// Accelerators to compare, each with its best plan; empty for the default accelerators.
    pub candidates: Vec<Candidate>,
    /// State of the page: view, figures, filters.
    pub shown: Shown,
    /// Parts of the current scenario's `measured` key that cannot be read. They are listed in [`Self::notes`] too.
    pub unread: Vec<UnreadPoint>,
    /// Notes on the parts of the permalink that were ignored, with reasons.
    pub notes: Vec<Note>,
}

impl Link {
    /// Creates a permalink to one scenario, with the page in its default state.
    pub fn to(current: Inputs) -> Self {
        Self {
            current,
            pinned: None,
            search: Search::default(),
            candidates: Vec::new(),
            shown: Shown::DEFAULT,
            unread: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Sets the price of an accelerator in the current and the pinned scenario; `None` restores the catalog price. If
    /// the current scenario uses this accelerator, a price set directly in that scenario is removed. Returns false if
    /// the price is out of range.
    pub fn set_price(&mut self, gpu: &'static Entry, price: Option<f64>) -> bool {
        let allowed = self.current.prices.state(gpu, price);
        if allowed {
            if self.current.gpu == Gpu::Catalog(gpu) {
                self.current.state(Number::Price, None);
            }
            if let Some(pinned) = &mut self.pinned {
                pinned.prices = self.current.prices;
            }
        }
        allowed
    }
}

/// State of the page: view, figures, filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Selected view.
    pub view: View,
    /// Quantity shown by the map in the Limits view.
    pub metric: Metric,
    /// Basis on which deployments are compared: per GPU or per dollar.
    pub per: Per,
    /// Grouping of plans into frontiers. If unset, it follows from what [`crate::search::Search`] compares:
    /// strategies, accelerators or precisions.
    pub lines: Option<PlanLines>,
    /// Scale of the frontier axes: linear or log.
    pub axes: Axes,
    /// The figure to show alone, without the page around it; set for embedding.
    pub embed: Option<FigureId>,
    /// Sliders shown below the embedded figure.
    pub sliders: Sliders,
    /// True if the embedded figure is shown without its question.
    pub untitled: bool,
    /// Layer drawn in the timeline; if unset, the most frequent layer.
    pub layer: Option<TimelineLayer>,
    /// Color theme, if the permalink sets one.
    pub theme: Option<ThemeChoice>,
    /// Filters and enlarged figure of the Papers view.
    pub listed: Listed,
    /// Quantity for which the comparison of two scenarios shows a breakdown.
    pub change: Quantity,
    /// True if measured runs are drawn on top of the computed results.
    pub overlay: bool,
    /// Catalog id of the model with which the cost of context is compared. If unset, the model of the pinned scenario
    /// is used.
    pub against: Option<&'static str>,
    /// Value whose explanation (tree of terms) is open.
    pub explain: Option<Explained>,
}

impl Shown {
    /// Default page state: the whole page is shown, with no theme set.
    pub const DEFAULT: Self = Self {
        view: View::Explore,
        metric: Metric::Tpot,
        per: Per::Gpu,
        lines: None,
        axes: Axes::Linear,
        embed: None,
        sliders: Sliders::NONE,
        untitled: false,
        layer: None,
        theme: None,
        listed: Listed::DEFAULT,
        change: Quantity::Step,
        overlay: false,
        against: None,
        explain: None,
    };
}

named! {
    /// View of the page.
    pub enum View {
        /// Evaluation of one scenario: its bottleneck, its limits, and the changes that help (levers).
        Explore = "explore",
        /// Limits on batch and context length, from memory, ridge points and the SLO.
        Limits = "limits",
        /// Search for the best plan.
        Plans = "plans",
        /// Serving of whole requests: the GPUs needed for a request rate.
        Service = "service",
        /// Attention–FFN disaggregation (AFD) and model–attention disaggregation (Lamina).
        Disaggregation = "disagg",
        /// Published and measured results, compared with computed ones.
        Papers = "papers",
    }
}

impl View {
    /// Returns the name of the view, which is unique within its section of the page.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Limits => "Limits",
            Self::Disaggregation => "AFD",
            _ => self.place(),
        }
    }

    /// Returns the name of the page section to which the view belongs.
    pub const fn place(self) -> &'static str {
        match self {
            Self::Explore | Self::Limits => "Bottleneck",
            Self::Plans | Self::Disaggregation => "Plans",
            Self::Service => "Traffic",
            Self::Papers => "Evidence",
        }
    }
}

named! {
    /// Quantity that a map of batch and context can show.
    pub enum Metric {
        /// Time per output token (TPOT).
        Tpot = "tpot",
        /// Throughput in tok/s/GPU.
        PerGpu = "tok_s_gpu",
        /// Interactivity in tok/s/user.
        PerUser = "tok_s_user",
    }
}

named! {
    /// Type of evidence shown in the Papers view.
    pub enum Evidence {
        /// Numbers and claims published in papers.
        Published = "published",
        /// Systems whose performance was measured.
        Measured = "measured",
    }
}

named! {
    /// A paper whose equations Ridgepoint implements.
    pub enum Paper {
        /// Paper [A]: DeepSeek inference theoretical model.
        A = "a",
        /// Paper [B]: the new LLM bottleneck.
        B = "b",
        /// Paper [H]: Helix parallelism.
        H = "h",
        /// Paper [L]: Lamina, model–attention disaggregation.
        L = "l",
        /// Paper [R]: attention/FFN ratios.
        R = "r",
    }
}

named! {
    /// Basis on which deployments are compared.
    pub enum Per {
        /// Comparison by throughput: tokens per second, or tok/s/GPU if the GPU counts differ.
        Gpu = "gpu",
        /// Comparison by cost: tokens per dollar.
        Dollar = "dollar",
    }
}

named! {
    /// Grouping of plans into frontiers, one line per group.
    pub enum PlanLines {
        /// One frontier line per parallelism strategy.
        Strategy = "family",
        /// One frontier line per accelerator.
        Accelerator = "accelerator",
        /// One frontier line per precision.
        Precision = "precision",
    }
}

named! {
    /// Scale of a chart's axes.
    pub enum Axes {
        /// Linear scale that starts at zero.
        Linear = "linear",
        /// Logarithmic scale.
        Log = "log",
    }
}

/// The layer that a timeline shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimelineLayer {
    /// The most frequent MoE layer.
    Moe,
    /// The most frequent layer with a dense FFN.
    Dense,
    /// One round of a pipeline, which is drawn instead of a layer.
    Pipeline,
    /// A layer of one layer group, given by the group's index in the architecture, from 0.
    Group(u8),
}

impl TimelineLayer {
    /// Returns the timeline layer with this permalink identifier.
    pub fn of_id(id: &str) -> Option<Self> {
        let group = |id: &str| {
            let number: u8 = id.strip_prefix("group-")?.parse().ok()?;
            let exists = (1..=MOST_GROUPS).contains(&usize::from(number));
            exists.then(|| Self::Group(number - 1))
        };
        [Self::Moe, Self::Dense, Self::Pipeline]
            .into_iter()
            .find(|layer| layer.id() == id)
            .or_else(|| group(id))
    }

    /// Returns the timeline layer's identifier in permalinks.
    pub fn id(self) -> Cow<'static, str> {
        match self {
            Self::Moe => "moe".into(),
            Self::Dense => "dense".into(),
            Self::Pipeline => "pipeline".into(),
            Self::Group(number) => format!("group-{}", number + 1).into(),
        }
    }
}

named! {
    /// Color theme of the page: light or dark.
    pub enum ThemeChoice {
        /// Dark text on a light background.
        Light = "light",
        /// Light text on a dark background.
        Dark = "dark",
    }
}

/// A note on a part of a permalink that was ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Permalink key as written, shortened if it is long.
    pub key: String,
    /// Reason, phrased to follow the key in a sentence: "is not a known key".
    pub reason: String,
}

impl std::fmt::Display for Note {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} {}", self.key, self.reason)
    }
}
