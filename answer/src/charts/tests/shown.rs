//! Builds the figures that the page shows for a permalink, and generates random permalinks, for tests.

use crate::benchmark::measured_chart;
use crate::chart::Chart;
use crate::charts::*;
use crate::levers::{LeversData, table};
use crate::render::figures;
use crate::service::ServiceShown;
use crate::{Below, FirstScreen, Outcome, Sizing, afd, answer, lamina, limits, overlay, papers};
use model_core::levers::Levers;
use model_core::permalink::{self, FigureId, Link};
use model_core::service::pays::LengthGrid;
use std::sync::Arc;
use worker::pays::PaysAnswer;

pub struct DeclaredFigure {
    pub id: FigureId,
    pub figure: Arc<Chart>,
}

pub fn shown(id: FigureId, figure: Arc<Chart>) -> DeclaredFigure {
    DeclaredFigure { id, figure }
}

/// Returns every figure identifier for which `answer` has a chart, with this chart.
fn declared(answer: impl Fn(FigureId) -> Option<Arc<Chart>>) -> Vec<DeclaredFigure> {
    let shown = |id| answer(id).map(|figure| DeclaredFigure { id, figure });
    FigureId::all().filter_map(shown).collect()
}

/// Returns the figures of a view for a permalink; empty if the permalink is invalid.
pub type View = fn(&str) -> Vec<DeclaredFigure>;

/// Returns Explore's first screen for a permalink; `None` if the scenario is invalid.
pub fn say(link: &str) -> Option<FirstScreen> {
    let link = permalink::read(link);
    match answer(&link.current, link.pinned.as_ref()) {
        Outcome::Possible(answer) => Some(*answer),
        Outcome::Impossible(_) => None,
    }
}

/// Returns Explore's charts about batch size, memory and the roofline for a permalink.
pub fn sizing(link: &str) -> Option<Sizing> {
    sized(&permalink::read(link), &[])
}

/// Like `sizing`, with measured systems overlaid on the batch-size chart.
fn sized(link: &Link, measured: &[MeasuredMark]) -> Option<Sizing> {
    crate::sizing(&link.current, link.pinned.as_ref(), measured)
}

/// Returns the charts further down in Explore, for a permalink.
pub fn below(link: &str) -> Option<Below> {
    let link = permalink::read(link);
    crate::below(&link.current, link.pinned.as_ref())
}

pub fn levers(link: &str) -> LeversData {
    let inputs = permalink::read(link).current;
    table(&Levers::of(&inputs), &inputs)
}

pub fn explore(link: &str) -> Vec<DeclaredFigure> {
    let Some(plain) = say(link) else {
        return Vec::new();
    };
    let marks = overlay::marks(&read(link).current);
    let mut figures = declared(|id| plain.figure(id));
    let overlaid = sized(&read(link), &marks);
    if let Some((plain, overlaid)) = sizing(link).zip(overlaid) {
        figures.insert(0, shown(FigureId::Roofline, plain.roofline.chart()));
        figures.push(shown(FigureId::Pareto, plain.pareto));
        figures.push(shown(FigureId::Memory, plain.memory.chart()));
        figures.push(shown(FigureId::Pareto, overlaid.pareto));
    }
    figures.push(shown(FigureId::Levers, Arc::new(levers(link)).chart()));
    let Some(below) = below(link) else {
        return Vec::new();
    };
    let layers = below.timelines.choices();
    let layers = layers
        .iter()
        .filter_map(|(layer, ..)| below.timelines.pick(Some(*layer)));
    figures.extend(layers.map(|of| shown(FigureId::Timeline, Arc::clone(&of.chart))));
    let link = read(link);
    let account = crate::explain::chart::chart(&link);
    figures.extend(account.map(|chart| shown(FigureId::Explain, Arc::new(chart))));
    let drafts = crate::drafts(&link.current, link.pinned.as_ref());
    figures.extend(drafts.map(|chart| shown(FigureId::Drafts, Arc::new(chart))));
    let bandwidth = crate::bandwidth::chart(&link.current, link.pinned.as_ref());
    figures.extend(bandwidth.map(|chart| shown(FigureId::Bandwidth, Arc::new(chart))));
    figures.extend(below.changed.map(|data| shown(FigureId::Waterfall, data)));
    if !link.current.measured.is_empty() {
        let chart = measured_chart(&link.current, &marks);
        figures.extend(chart.map(|chart| shown(FigureId::Benchmark, Arc::new(chart))));
    }
    figures
}

pub fn read(link: &str) -> Link {
    permalink::read(link)
}

/// Returns the map of context and batch for a permalink, on a grid coarse enough to be computed often.
pub fn map(link: &Link) -> Option<MapData> {
    figures::map(link, limits::Resolution::COARSE)
}

pub fn limits_charts(link: &str) -> Option<limits::LimitsCharts> {
    let read = read(link);
    limits::limits_charts(&read.current, read.pinned.as_ref(), read.shown.against)
}

pub fn limits(link: &str) -> Vec<DeclaredFigure> {
    let Some(charts) = limits_charts(link) else {
        return Vec::new();
    };
    let map = map(&read(link));
    let map = map.map(|map| shown(FigureId::Map, Arc::new(map).chart()));
    map.into_iter()
        .chain(declared(|id| charts.figure(id)))
        .collect()
}

pub fn plans(link: &str) -> Vec<DeclaredFigure> {
    let chart = figures::plans(&read(link)).into_iter();
    chart.map(|chart| shown(FigureId::Plans, chart)).collect()
}

/// Returns the content of the mode *AFD ratio* for a permalink, with its simulation.
pub fn say_ratio(link: &str) -> Option<afd::RatioView> {
    figures::ratio(&read(link))
}

pub fn ratio(link: &str) -> Vec<DeclaredFigure> {
    let Some(view) = say_ratio(link) else {
        return Vec::new();
    };
    declared(|id| view.figure(id))
}

pub fn say_split(link: &str) -> Option<lamina::SplitAnswer> {
    figures::split(&read(link))
}

pub fn degrees(link: &str) -> Option<Chart> {
    lamina::degrees(&read(link).current)
}

pub fn split(link: &str) -> Vec<DeclaredFigure> {
    let Some(said) = say_split(link) else {
        return Vec::new();
    };
    let mut all = declared(|id| said.figure(id));
    all.extend(degrees(link).map(|degrees| shown(FigureId::SplitDegrees, Arc::new(degrees))));
    all
}

pub fn say_service(link: &str) -> Option<ServiceShown> {
    figures::serve(&read(link))?.shown
}

pub fn service(link: &str) -> Vec<DeclaredFigure> {
    let read = read(link);
    let Some(answer) = figures::serve(&read) else {
        return Vec::new();
    };
    let mut all = declared(|id| answer.figure(id));
    let plane = answer
        .shown
        .filter(|_| read.shown.view == permalink::View::Service);
    let compared = figures::candidates(&read);
    all.extend(compared.map(|of| shown(FigureId::Candidates, of.chart)));
    all.extend(plane.map(|of| shown(FigureId::Pays, pays(&read, &of))));
    all
}

/// Returns the chart of a service vs. prompt and output lengths, on a grid coarse enough to be computed often.
pub fn pays(link: &Link, of: &ServiceShown) -> Arc<Chart> {
    let lengths = LengthGrid::with(&link.current, (4, 3));
    let found = (0..lengths.len()).map(|index| lengths.compared(&link.current, index));
    let found = found.collect();
    crate::service::pays::pays(Some(&PaysAnswer { lengths, found }), of, &link.current)
}

/// Returns the chart of measured runs, predicted with the permalink's calibration. The scenarios of the runs do not
/// come from the permalink.
pub fn papers(link: &str) -> Vec<DeclaredFigure> {
    let read = permalink::read(link);
    let calibration = read.current.calibration.id();
    let rows = papers::measured::measured_rows(calibration);
    let formerly = papers::measured::formerly(&rows, calibration);
    let measured = papers::measured::chart(&rows, &formerly);
    vec![shown(FigureId::Measured, Arc::new(measured).chart())]
}

/// Returns the paper figures that have computed curves.
pub fn curves() -> Vec<DeclaredFigure> {
    let book = papers::Book::default();
    declared(|id| match id {
        FigureId::Curve(curve) => book.curve(curve),
        _ => None,
    })
}

/// A small generator of reproducible random numbers (xorshift).
pub struct Dice(pub u64);

impl Dice {
    pub fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a random number between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + self.unit() * (high - low)
    }

    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[(self.unit() * of.len() as f64) as usize % of.len()]
    }

    /// Returns a random width of a chart: a usual one or any other.
    pub fn width(&mut self) -> f64 {
        let any = self.between(300.0, 1300.0).round();
        self.one(&[328.0, 358.0, 530.0, 1000.0, any])
    }

    /// Returns a random permalink that sets some of these keys, in half of the cases also for a pinned scenario.
    pub fn link(&mut self, keys: &[Key]) -> String {
        let mut link = "v=1".to_owned();
        self.state(keys, "", &mut link);
        if self.unit() < 0.5 {
            link.push_str("&a.v=1");
            self.state(keys, "a.", &mut link);
        }
        link
    }

    fn state(&mut self, keys: &[Key], whose: &str, link: &mut String) {
        for (key, share, value) in keys {
            if self.unit() >= *share {
                continue;
            }
            let value = match value {
                One(of) => self.one(of).to_owned(),
                // Uniform in the logarithm.
                Within(low, high) => (low * libm::pow(high / low, self.unit())).to_string(),
                Whole(low, high) => {
                    let value = low * libm::pow(high / low, self.unit());
                    value.round().to_string()
                }
            };
            link.push_str(&format!("&{whose}{key}={value}"));
        }
    }
}

/// A permalink key, the probability that it is set, and its values.
pub type Key = (&'static str, f64, Value);

pub enum Value {
    One(&'static [&'static str]),
    Within(f64, f64),
    Whole(f64, f64),
}

use Value::{One, Whole, Within};

/// Permalink keys for random scenarios of any size, both likely and unlikely ones.
pub const SCENARIOS: &[Key] = &[
    ("model", 0.7, One(MODELS)),
    ("gpu", 0.6, One(ACCELERATORS)),
    // Used only with a custom accelerator.
    ("peak_bf16", 1.0, Within(1.0, 1e6)),
    ("peak_fp8", 0.7, Within(1.0, 1e6)),
    ("hbm", 0.9, Within(1.0, 1e6)),
    ("capacity", 0.9, Within(1.0, 1e5)),
    (
        "gpus",
        0.8,
        One(&["1", "2", "8", "16", "32", "64", "72", "144", "512", "4096"]),
    ),
    ("batch", 0.8, Whole(1.0, 1e7)),
    ("context", 0.6, Whole(1.0, 1.6e7)),
    ("slo", 0.5, Within(0.01, 1e4)),
    ("overlap", 0.6, One(&["none", "two-batch", "hop-b"])),
    ("precision", 0.4, One(&["deepseek-fp8", "bf16", "fp4"])),
    (
        "calibration",
        0.5,
        One(&[
            "ideal",
            "aleph-alpha-2025",
            "helix",
            "lamina",
            "kernels-2026",
        ]),
    ),
    ("pp", 0.15, One(&["2", "4", "16"])),
    ("kvp", 0.1, One(&["2", "8"])),
    ("beta", 0.2, Within(0.1, 1.0)),
    ("reserve", 0.2, Within(0.01, 0.9)),
    ("scale_up", 0.3, Within(1e-2, 1e5)),
    ("scale_out", 0.4, Within(1e-3, 1e5)),
    ("price", 0.3, Within(0.01, 1e3)),
    ("layer_us", 0.2, Within(0.1, 1e3)),
    ("host_us", 0.2, Within(0.1, 1e5)),
    ("mtp", 0.1, One(&["1", "3"])),
    ("metric", 0.6, One(&["tok_s_gpu", "tok_s_user"])),
    ("against", 0.3, One(MODELS)),
    ("per", 0.4, One(&["dollar"])),
];

const MODELS: &[&str] = &[
    "deepseek-r1",
    "deepseek-v4-pro",
    "kimi-linear-48b",
    "qwen3-next-80b-a3b",
    "qwen3-30b-a3b",
    "gpt-oss-120b",
    "minimax-m1",
    "llama-3-70b",
    "mixtral-8x22b",
    "gemma-4-31b",
    "nemotron-3-nano-30b-a3b",
    "gpt-3-175b",
];

const ACCELERATORS: &[&str] = &[
    "h200",
    "gb200",
    "mi300x",
    "a100",
    "tpu-v5p",
    "ascend-910c",
    "trainium2",
    "custom",
];

/// Additional permalink keys for random plan searches, which are limited to small sizes.
pub const SEARCHES: &[Key] = &[
    ("search_gpus", 1.0, One(&["8", "8,64", "32", "72"])),
    ("search_batch", 1.0, One(&["256", "4096"])),
    ("batch_steps", 1.0, One(&["1"])),
    (
        "accelerators",
        0.6,
        One(&["h200,b200,gb200,mi300x", "tpu-v5p,ascend-910c", "h20"]),
    ),
    ("families", 0.3, One(&["tp,helix", "none", "dp-ep"])),
    ("axes", 0.4, One(&["log"])),
    ("overlay", 0.4, One(&["measured"])),
];

/// Additional permalink keys for random AFD scenarios, with attention and FFN ranks.
pub const RATIOS: &[Key] = &[
    ("mode", 1.0, One(&["simulate"])),
    ("requests", 1.0, One(&["20"])),
    ("latencies", 0.4, One(&["table2"])),
    ("slots", 0.4, Whole(1.0, 65_536.0)),
    ("lengths", 0.4, One(&["fixed", "azure-conv", "kimi-ta"])),
    ("r", 0.3, Within(0.1, 100.0)),
];

/// Additional permalink keys for random request traffic, for the view *Service*.
pub const TRAFFIC: &[Key] = &[
    ("rate", 0.8, Within(0.01, 1e5)),
    ("prompt", 0.6, Whole(1.0, 1e6)),
    ("output", 0.6, Whole(1.0, 1e5)),
    ("hit", 0.4, One(&["0.3", "0.56", "0.95"])),
    ("ttft", 0.5, Within(0.01, 100.0)),
    ("pools", 0.3, One(&["aggregated", "disaggregated"])),
];

/// Additional permalink keys for random Lamina scenarios, with attention on memory devices.
pub const SPLITS: &[Key] = &[
    ("mode", 1.0, One(&["split"])),
    ("memory_gpu", 0.5, One(ACCELERATORS)),
    ("compute_gpus", 0.3, Whole(1.0, 64.0)),
    ("memory_gpus", 0.3, Whole(1.0, 512.0)),
    ("net", 0.3, Within(0.1, 1e5)),
    ("batches", 0.5, One(&["1", "3", "9"])),
    ("slow_down", 0.3, Within(0.01, 10.0)),
    ("trace", 0.4, One(&["azure-conv", "kimi-conv", "kimi-ta"])),
    ("memory_price", 0.3, Within(0.01, 100.0)),
    ("budget", 0.3, Within(1.0, 1e4)),
];
