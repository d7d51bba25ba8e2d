//! The link: a scenario as `?v=1&key=value&…`, read tolerantly and written briefly.
//!
//! An omitted key has its default, a default value is omitted, order does not matter. Unreadable parts
//! are ignored with a [`Note`] and the default of the link's version holds; `a.KEY` is the same key for the pinned
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

/// The contents of a link.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The current scenario.
    pub current: Inputs,
    /// The scenario pinned for comparison.
    pub pinned: Option<Inputs>,
    /// Search for plans.
    pub search: Search,
    /// Accelerators that are compared, each at its best; empty for the default ones.
    pub candidates: Vec<Candidate>,
    /// State of the page.
    pub shown: Shown,
    /// Parts of the current scenario's `measured` that cannot be read; [`Self::notes`] has them too.
    pub unread: Vec<UnreadPoint>,
    /// Parts that were ignored, with reasons.
    pub notes: Vec<Note>,
}

impl Link {
    /// A link to one scenario, shown by default.
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

    /// Gives an accelerator a price, in both scenarios; with `None` returns to the catalog's. A price stated for the
    /// current accelerator goes. False for a price out of range.
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
    /// View.
    pub view: View,
    /// Quantity of the map in the Limits view.
    pub metric: Metric,
    /// Basis on which deployments are compared.
    pub per: Per,
    /// Lines of the frontiers of plans; unstated, as [`crate::search::Search`] compares.
    pub lines: Option<PlanLines>,
    /// Scales of the frontiers' axes.
    pub axes: Axes,
    /// A single figure without the page around it.
    pub embed: Option<FigureId>,
    /// Sliders below the embedded figure.
    pub sliders: Sliders,
    /// True if an embedded figure leaves out its question.
    pub untitled: bool,
    /// Layer of the timeline, if not the most frequent.
    pub layer: Option<TimelineLayer>,
    /// Theme, if the link sets one.
    pub theme: Option<ThemeChoice>,
    /// Contents of the Papers view.
    pub listed: Listed,
    /// Quantity that the comparison of two scenarios breaks down.
    pub change: Quantity,
    /// True if measured runs are drawn with the computed ones.
    pub overlay: bool,
    /// Catalog id of the model that costs of context are compared with; unstated, the pinned scenario's.
    pub against: Option<&'static str>,
    /// The number whose account is open.
    pub explain: Option<Explained>,
}

impl Shown {
    /// The whole page, theme unset.
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
    /// A view of the page.
    pub enum View {
        /// One scenario: limits and levers.
        Explore = "explore",
        /// Limits of batch and context.
        Limits = "limits",
        /// Search for the best plan.
        Plans = "plans",
        /// Whole requests: GPUs for their rate.
        Service = "service",
        /// Attention–FFN disaggregation (AFD) and model–attention disaggregation (Lamina).
        Disaggregation = "disagg",
        /// Published and measured results vs. computed ones.
        Papers = "papers",
    }
}

impl View {
    /// Its name among the views of a place.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Limits => "Limits",
            Self::Disaggregation => "AFD",
            _ => self.place(),
        }
    }

    /// The name of the place that it is in.
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
    /// A quantity that a map can show.
    pub enum Metric {
        /// Time per output token.
        Tpot = "tpot",
        /// Tokens per second and GPU.
        PerGpu = "tok_s_gpu",
        /// Tokens per second of one user.
        PerUser = "tok_s_user",
    }
}

named! {
    /// Evidence shown in the Papers view.
    pub enum Evidence {
        /// Numbers and claims of papers.
        Published = "published",
        /// Systems that were measured.
        Measured = "measured",
    }
}

named! {
    /// A paper that the model implements.
    pub enum Paper {
        /// DeepSeek inference theoretical model.
        A = "a",
        /// The new LLM bottleneck.
        B = "b",
        /// Helix parallelism.
        H = "h",
        /// Lamina: model–attention disaggregation.
        L = "l",
        /// Attention/FFN ratios.
        R = "r",
    }
}

named! {
    /// Basis on which deployments are compared.
    pub enum Per {
        /// Tokens per second, per GPU where the GPU counts differ.
        Gpu = "gpu",
        /// Tokens per dollar.
        Dollar = "dollar",
    }
}

named! {
    /// Grouping of plans into frontiers.
    pub enum PlanLines {
        /// By parallelism strategy.
        Strategy = "family",
        /// By accelerator.
        Accelerator = "accelerator",
        /// By precision.
        Precision = "precision",
    }
}

named! {
    /// Scales of a chart's axes.
    pub enum Axes {
        /// From zero, in equal steps.
        Linear = "linear",
        /// In equal ratios.
        Log = "log",
    }
}

/// The layer of a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimelineLayer {
    /// The most frequent layer with experts.
    Moe,
    /// The most frequent layer with a dense FFN.
    Dense,
    /// A round of a pipeline.
    Pipeline,
    /// A layer of this group of the shape, from 0.
    Group(u8),
}

impl TimelineLayer {
    /// The layer with this identifier in a link.
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

    /// The identifier in links.
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
    /// Light or dark.
    pub enum ThemeChoice {
        /// Dark on light.
        Light = "light",
        /// Light on dark.
        Dark = "dark",
    }
}

/// A part of a link that was ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The key as the link has it, shortened if it is long.
    pub key: String,
    /// The reason, as a predicate of the key: "is not a known key".
    pub reason: String,
}

impl std::fmt::Display for Note {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} {}", self.key, self.reason)
    }
}
