//! Version 1 of the link: a scenario as `?v=1&key=value&…`, read tolerantly and written briefly.
//!
//! A key left out has its default, a value equal to the default is left out, order does not matter.
//! What cannot be read is ignored with a [`Note`] and the default holds; `a.KEY` is the same key for
//! the pinned scenario.

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
pub use papers::{CUSTOM, Listed, ListedKey, Order, State, Stated};
pub use read::read;
pub use sliders::Sliders;
pub use write::{stated, write, write_inputs};

use crate::named::named;
use std::borrow::Cow;

use crate::arch::MOST_GROUPS;
use crate::compare::Quantity;
use crate::scenario::Inputs;
use crate::search::Search;

/// Everything a link says.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The current scenario.
    pub current: Inputs,
    /// The scenario pinned for comparison.
    pub pinned: Option<Inputs>,
    /// What is searched for plans.
    pub search: Search,
    /// How it is shown.
    pub shown: Shown,
    /// What was ignored, and why.
    pub notes: Vec<Note>,
}

impl Link {
    /// A link to one scenario, shown as the reader likes.
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

/// How the page shows a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Which view.
    pub view: View,
    /// What the map of the Limits view shows.
    pub metric: Metric,
    /// What deployments of different kinds are compared by.
    pub per: Per,
    /// What the frontiers of plans have a line for; unstated, as [`crate::search::Search`] compares.
    pub lines: Option<Lines>,
    /// How their axes count.
    pub axes: Axes,
    /// What joins the one deployment that is set against many.
    pub joined: Joined,
    /// A single figure without the page around it.
    pub embed: Option<FigureId>,
    /// The sliders that stay below it.
    pub sliders: Sliders,
    /// Whose timeline is drawn, where it is not the most frequent layer's.
    pub layer: Option<Layer>,
    /// Light or dark, where the link decides.
    pub theme: Option<Theme>,
    /// What the Papers view lists.
    pub listed: Listed,
    /// What is taken apart where two scenarios are compared.
    pub change: Quantity,
    /// Whether measured systems are laid over what is computed.
    pub overlay: bool,
    /// The catalogue's id of the model that costs of context are set against; unstated, the pinned scenario's.
    pub against: Option<&'static str>,
}

impl Shown {
    /// The whole page, in the reader's own colours.
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
        /// One scenario: what limits it, and what would help.
        Explore = "explore",
        /// How far batch and context can go.
        Limits = "limits",
        /// Which plan is best.
        Plans = "plans",
        /// Attention and feed-forward on separate machines.
        Disaggregation = "disagg",
        /// What papers print and systems measure, beside what is computed.
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
    /// What the model is held against in the Papers view.
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
    /// What deployments of different kinds are compared by.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Per {
        /// Tokens per second, of each GPU where their numbers differ.
        Gpu = "gpu",
        /// Tokens per dollar.
        Dollar = "dollar",
    }
}

named! {
    /// What frontiers of plans have a line for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Lines {
        /// Each way of sharding.
        Family = "family",
        /// Each accelerator.
        Accelerator = "accelerator",
        /// Each precision.
        Precision = "precision",
    }
}

named! {
    /// How a chart's axes count.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Axes {
        /// From zero, in equal steps.
        Linear = "linear",
        /// In equal ratios.
        Log = "log",
    }
}

named! {
    /// What joins the GPUs of one large deployment that is set against many small ones.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Joined {
        /// The scenario's own links: scale-up domains, and scale-out between them.
        Own = "own",
        /// One domain of all its GPUs, as [B] VII-C varies it; a stated `interconnect` says so, too.
        Domain = "domain",
    }
}

/// What can be embedded.
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
    /// What changed since the pinned scenario, term by term.
    Waterfall,
    /// A step of a split beside one of a homogeneous cluster.
    SplitTime,
    /// Batches of a split in rotation.
    SplitRotation,
    /// The least bandwidth between the sides of a split.
    SplitBandwidth,
    /// Degrees of parallelism under a budget.
    SplitDegrees,
    /// Colocated, in a ratio, and split on one Pareto.
    Apart,
    /// Frontiers of plans.
    Plans,
    /// Throughput over the ratio of attention to feed-forward instances.
    Ratio,
    /// Who waits over that ratio.
    Waits,
    /// A few simulated steps.
    Steps,
    /// Verdict, figures and all charts.
    Explore,
    /// Context × batch with the limits.
    Map,
    /// Time and cache over the context.
    Context,
    /// Memory per GPU as GPUs grow.
    Growth,
    /// One large deployment against many small ones.
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
        /// [A] Figure 16: time per token by context.
        A16 = "a-figure-16",
        /// [A] Figure 17: the largest batch under an SLO.
        A17 = "a-figure-17",
        /// [B] Figure 3: DeepSeek-R1 over GPT-3 by context.
        B3 = "b-figure-3",
        /// [B] Figure 7: latency of attention by tensor parallelism.
        B7 = "b-figure-7",
        /// [B] Figure 8: memory of a GPU by their number.
        B8 = "b-figure-8",
        /// [B] Figure 9: throughput against latency.
        B9 = "b-figure-9",
        /// [B] Figure 10: throughput of 64 GPUs by batch.
        B10 = "b-figure-10",
        /// [B] Figure 11: `InfiniBand` beside `NVLink` by batch.
        B11 = "b-figure-11",
        /// [B] Figure 12: one instance over eight by interconnect.
        B12 = "b-figure-12",
        /// [H] Figure 1, left: reading by tensor parallelism.
        H1 = "h-figure-1",
        /// [H] Figure 1, middle: reading by context.
        H1Context = "h-figure-1-context",
        /// [H] Figure 1, right: reading by KV parallelism.
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
        /// [R] Figure 5: who waits by ratio.
        R5 = "r-figure-5",
        /// [R] Figure 6: the best ratio by slots.
        R6 = "r-figure-6",
        /// [R] Figure 7: the best ratio by output.
        R7 = "r-figure-7",
        /// [R] Figure 8: latencies by slots.
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
    /// Everything that can be embedded.
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

    /// The figure that a link names, or the one that replaced it.
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

    /// The view that the figure is part of.
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

/// Whose timeline is drawn.
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
    /// The one that a link names.
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
    /// Why, as a sentence without its first words: "is not a known key".
    pub reason: String,
}

impl std::fmt::Display for Note {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} {}", self.key, self.reason)
    }
}
