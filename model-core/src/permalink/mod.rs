//! The link: a scenario as `?v=1&key=value&…`, read tolerantly and written briefly.
//!
//! A key left out has its default, a value equal to the default is left out, order does not matter. Unreadable parts
//! are ignored with a [`Note`] and the default of the link's version holds; `a.KEY` is the same key for the pinned scenario.

mod choice;
mod figure;
mod number;
mod papers;
mod quote;
mod read;
pub mod search;
mod sliders;
mod write;

pub use choice::NO_TRACE;
pub use figure::{FigureId, PaperCurve};
pub use number::{ReadError, read_number, read_per_token, write_number};
pub use papers::{Listed, ListedKey};
pub use read::read;
pub use sliders::Sliders;
pub use write::{stated, write, write_inputs};

use crate::named::named;
use std::borrow::Cow;

use crate::arch::MOST_GROUPS;
use crate::compare::Quantity;
use crate::inputs::Inputs;
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
    /// State of the page.
    pub shown: Shown,
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
            shown: Shown::DEFAULT,
            notes: Vec::new(),
        }
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
    /// Interconnect of the one deployment that is compared with replicas.
    pub joined: Joined,
    /// A single figure without the page around it.
    pub embed: Option<FigureId>,
    /// Sliders below the embedded figure.
    pub sliders: Sliders,
    /// True where an embedded figure leaves out its question.
    pub untitled: bool,
    /// Layer of the timeline, if not the most frequent.
    pub layer: Option<TimelineLayer>,
    /// Theme, if the link sets one.
    pub theme: Option<ThemeChoice>,
    /// Contents of the Papers view.
    pub listed: Listed,
    /// Quantity that the comparison of two scenarios breaks down.
    pub change: Quantity,
    /// True where measured systems are drawn with the computed ones.
    pub overlay: bool,
    /// Catalogue id of the model that costs of context are compared with; unstated, the pinned scenario's.
    pub against: Option<&'static str>,
}

impl Shown {
    /// The whole page, theme unset.
    pub const DEFAULT: Self = Self {
        view: View::Explore,
        metric: Metric::Tpot,
        per: Per::Gpu,
        lines: None,
        axes: Axes::Linear,
        joined: Joined::Own,
        embed: None,
        sliders: Sliders::NONE,
        untitled: false,
        layer: None,
        theme: None,
        listed: Listed::DEFAULT,
        change: Quantity::Step,
        overlay: false,
        against: None,
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
        /// Published and measured results beside computed ones.
        Papers = "papers",
    }
}

impl View {
    /// The name on its tab.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Explore => "Explore",
            Self::Limits => "Limits",
            Self::Plans => "Plans",
            Self::Service => "Service",
            Self::Disaggregation => "AFD",
            Self::Papers => "Papers",
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
        /// Tokens per second, per GPU where the numbers of GPUs differ.
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

named! {
    /// Interconnect of one large deployment that is compared with replicas.
    pub enum Joined {
        /// The scenario's own links: scale-up domains, and scale-out between them.
        Own = "own",
        /// One domain of all its GPUs, as [B] VII-C varies it; a stated `interconnect` implies it.
        Domain = "domain",
    }
}

/// The layer of a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimelineLayer {
    /// The most frequent layer with experts.
    Moe,
    /// The most frequent layer with a dense feed-forward.
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
