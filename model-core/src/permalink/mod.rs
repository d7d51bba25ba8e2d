//! The link: a scenario as `?v=1&key=value&…`, read tolerantly and written briefly.
//!
//! A key left out has its default, a value equal to the default is left out, order does not matter. Unreadable parts
//! are ignored with a [`Note`] and the default of the link's version holds; `a.KEY` is the same key for the pinned scenario.

mod choice;
mod number;
mod papers;
mod quote;
mod read;
pub mod search;
mod sliders;
mod write;

pub use choice::NO_TRACE;
pub use number::{ReadError, read_number, write_number};
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
    pub lines: Option<Lines>,
    /// Scales of the frontiers' axes.
    pub axes: Axes,
    /// Interconnect of the one deployment that is compared with replicas.
    pub joined: Joined,
    /// A single figure without the page around it.
    pub embed: Option<FigureId>,
    /// Sliders below the embedded figure.
    pub sliders: Sliders,
    /// Layer of the timeline, if not the most frequent.
    pub layer: Option<Layer>,
    /// Theme, if the link sets one.
    pub theme: Option<Theme>,
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
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum View {
        /// One scenario: limits and levers.
        Explore = "explore",
        /// Limits of batch and context.
        Limits = "limits",
        /// Search for the best plan.
        Plans = "plans",
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
            Self::Disaggregation => "AFD",
            Self::Papers => "Papers",
        }
    }
}

named! {
    /// A quantity that a map can show.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Evidence {
        /// Numbers and claims of papers.
        Published = "published",
        /// Systems that were measured.
        Measured = "measured",
    }
}

named! {
    /// A paper that the model implements.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Per {
        /// Tokens per second, per GPU where the numbers of GPUs differ.
        Gpu = "gpu",
        /// Tokens per dollar.
        Dollar = "dollar",
    }
}

named! {
    /// Grouping of plans into frontiers.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Lines {
        /// By parallelism strategy.
        Family = "family",
        /// By accelerator.
        Accelerator = "accelerator",
        /// By precision.
        Precision = "precision",
    }
}

named! {
    /// Scales of a chart's axes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Axes {
        /// From zero, in equal steps.
        Linear = "linear",
        /// In equal ratios.
        Log = "log",
    }
}

named! {
    /// Interconnect of one large deployment that is compared with replicas.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Joined {
        /// The scenario's own links: scale-up domains, and scale-out between them.
        Own = "own",
        /// One domain of all its GPUs, as [B] VII-C varies it; a stated `interconnect` implies it.
        Domain = "domain",
    }
}

/// A figure, or a page without its controls, that can be embedded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureId {
    /// The roofline.
    Roofline,
    /// The latency breakdown.
    Breakdown,
    /// Throughput over interactivity.
    Pareto,
    /// Memory per GPU.
    Memory,
    /// The timeline of one layer.
    Timeline,
    /// Every lever.
    Levers,
    /// Change since the pinned scenario, term by term.
    Waterfall,
    /// A step under model–attention disaggregation beside one of a homogeneous cluster.
    SplitTime,
    /// Batches rotating between model and attention devices.
    SplitRotation,
    /// Least bandwidth between model and attention devices.
    SplitBandwidth,
    /// Degrees of parallelism under a budget.
    SplitDegrees,
    /// Colocated, AFD ratio and Lamina on one Pareto.
    Apart,
    /// Frontiers of plans.
    Plans,
    /// Throughput over the AFD ratio.
    Ratio,
    /// Idle time over the AFD ratio.
    Waits,
    /// A few steps of the simulation.
    Steps,
    /// Verdict, figures and all charts.
    Explore,
    /// Context × batch with the limits.
    Map,
    /// Time and KV cache over the context.
    Context,
    /// Memory per GPU over the number of GPUs.
    Growth,
    /// One large deployment against replicas.
    Instances,
    /// Predicted against measured.
    Measured,
    /// A curve of a paper.
    Curve(Curve),
}

named! {
    /// A figure of a paper, drawn anew.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Curve {
        /// [A] Figure 10: experts in use by tokens.
        A10 = "a-figure-10",
        /// [A] Figure 13: throughput of three systems, beside what was measured.
        A13 = "a-figure-13",
        /// [A] Figure 14: throughput per GPU by batch.
        A14 = "a-figure-14",
        /// [A] Figure 15: Kimi K2 beside DeepSeek-V3.
        A15 = "a-figure-15",
        /// [A] Figure 16: TPOT by context.
        A16 = "a-figure-16",
        /// [A] Figure 17: the largest batch under an SLO.
        A17 = "a-figure-17",
        /// [B] Figure 3: DeepSeek-R1 over GPT-3 by context.
        B3 = "b-figure-3",
        /// [B] Figure 7: latency of attention by tensor parallelism.
        B7 = "b-figure-7",
        /// [B] Figure 8: memory per GPU by number of GPUs.
        B8 = "b-figure-8",
        /// [B] Figure 9: throughput against latency.
        B9 = "b-figure-9",
        /// [B] Figure 10: throughput of 64 GPUs by batch.
        B10 = "b-figure-10",
        /// [B] Figure 11: `InfiniBand` beside `NVLink` by batch.
        B11 = "b-figure-11",
        /// [B] Figure 12: one instance over eight, by interconnect.
        B12 = "b-figure-12",
        /// [H] Figure 1, left: memory reads by tensor parallelism.
        H1 = "h-figure-1",
        /// [H] Figure 1, middle: memory reads by context.
        H1Context = "h-figure-1-context",
        /// [H] Figure 1, right: memory reads by KV parallelism.
        H1Split = "h-figure-1-split",
        /// [H] Figure 3: HOP-B by requests.
        H3 = "h-figure-3",
        /// [H] Figure 5: frontiers of DeepSeek-R1.
        H5 = "h-figure-5",
        /// [H] Figure 6: frontiers of Llama 3.1 405B.
        H6 = "h-figure-6",
        /// [H] Figure 7: Helix with and without HOP-B.
        H7 = "h-figure-7",
        /// [R] Figure 4: throughput by ratio.
        R4 = "r-figure-4",
        /// [R] Figure 5: idle time by ratio.
        R5 = "r-figure-5",
        /// [R] Figure 6: the best ratio by micro-batch size.
        R6 = "r-figure-6",
        /// [R] Figure 7: the best ratio by output length.
        R7 = "r-figure-7",
        /// [R] Figure 8: latencies by micro-batch size.
        R8 = "r-figure-8",
        /// [L] Figure 2: utilisation by batch.
        L2 = "l-figure-2",
        /// [L] Figure 3: bandwidth in use by batch.
        L3 = "l-figure-3",
        /// [L] Figure 4: least bandwidth by batch.
        L4 = "l-figure-4",
        /// [L] Figure 10: throughput over the homogeneous cluster by trace.
        L10 = "l-figure-10",
        /// [L] Figure 11: throughput by price.
        L11 = "l-figure-11",
        /// [L] Figure 12: parts of a step by batch.
        L12 = "l-figure-12",
    }
}

impl Curve {
    /// The paper whose figure it is.
    pub const fn paper(self) -> Paper {
        match self.id().as_bytes() {
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
    pub const ALL: [Self; 53] = [
        Self::Roofline,
        Self::Breakdown,
        Self::Pareto,
        Self::Memory,
        Self::Timeline,
        Self::Levers,
        Self::Waterfall,
        Self::SplitTime,
        Self::SplitRotation,
        Self::SplitBandwidth,
        Self::SplitDegrees,
        Self::Apart,
        Self::Plans,
        Self::Ratio,
        Self::Waits,
        Self::Steps,
        Self::Explore,
        Self::Map,
        Self::Context,
        Self::Growth,
        Self::Instances,
        Self::Measured,
        Self::Curve(Curve::A10),
        Self::Curve(Curve::A13),
        Self::Curve(Curve::A14),
        Self::Curve(Curve::A15),
        Self::Curve(Curve::A16),
        Self::Curve(Curve::A17),
        Self::Curve(Curve::B3),
        Self::Curve(Curve::B7),
        Self::Curve(Curve::B8),
        Self::Curve(Curve::B9),
        Self::Curve(Curve::B10),
        Self::Curve(Curve::B11),
        Self::Curve(Curve::B12),
        Self::Curve(Curve::H1),
        Self::Curve(Curve::H1Context),
        Self::Curve(Curve::H1Split),
        Self::Curve(Curve::H3),
        Self::Curve(Curve::H5),
        Self::Curve(Curve::H6),
        Self::Curve(Curve::H7),
        Self::Curve(Curve::R4),
        Self::Curve(Curve::R5),
        Self::Curve(Curve::R6),
        Self::Curve(Curve::R7),
        Self::Curve(Curve::R8),
        Self::Curve(Curve::L2),
        Self::Curve(Curve::L3),
        Self::Curve(Curve::L4),
        Self::Curve(Curve::L10),
        Self::Curve(Curve::L11),
        Self::Curve(Curve::L12),
    ];

    /// The figure with this identifier in a link; renamed ones lead to their successor.
    pub fn of_id(id: &str) -> Option<Self> {
        let id = match id {
            "sensitivity" => "levers",
            "tradeoff" => "pareto",
            "split-traces" => "split-degrees",
            _ => id,
        };
        Self::ALL.into_iter().find(|figure| figure.id() == id)
    }

    /// The identifier in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Roofline => "roofline",
            Self::Breakdown => "breakdown",
            Self::Pareto => "pareto",
            Self::Memory => "memory",
            Self::Timeline => "timeline",
            Self::Levers => "levers",
            Self::Waterfall => "waterfall",
            Self::SplitTime => "split-time",
            Self::SplitRotation => "split-rotation",
            Self::SplitBandwidth => "split-bandwidth",
            Self::SplitDegrees => "split-degrees",
            Self::Apart => "apart",
            Self::Plans => "plans",
            Self::Ratio => "ratio",
            Self::Waits => "waits",
            Self::Steps => "steps",
            Self::Explore => "explore",
            Self::Map => "map",
            Self::Context => "context",
            Self::Growth => "growth",
            Self::Instances => "instances",
            Self::Measured => "measured",
            Self::Curve(curve) => curve.id(),
        }
    }

    /// The view that shows the figure.
    pub const fn view(self) -> View {
        match self {
            Self::Roofline
            | Self::Breakdown
            | Self::Pareto
            | Self::Memory
            | Self::Timeline
            | Self::Levers
            | Self::Waterfall
            | Self::Explore => View::Explore,
            Self::Map | Self::Context | Self::Growth => View::Limits,
            Self::SplitTime
            | Self::SplitRotation
            | Self::SplitBandwidth
            | Self::SplitDegrees
            | Self::Apart => View::Disaggregation,
            Self::Plans | Self::Instances => View::Plans,
            Self::Measured | Self::Curve(_) => View::Papers,
            Self::Ratio | Self::Waits | Self::Steps => View::Disaggregation,
        }
    }
}

/// The layer of a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The most frequent layer with experts.
    Moe,
    /// The most frequent layer with a dense feed-forward.
    Dense,
    /// A round of a pipeline.
    Pipeline,
    /// A layer of this group of the shape, from 0.
    Group(u8),
}

impl Layer {
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
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Theme {
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
