//! "How many for each?": throughput over the ratio of attention to feed-forward instances.

pub(super) mod draw;

use crate::charts::prelude::*;
/// The ratio chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioData {
    /// The closed form, ratios ascending; every simulated ratio is among them.
    pub curve: Vec<RatioPoint>,
    /// What sets the pace where, ratios ascending.
    pub regimes: Vec<RegimeSpan>,
    /// Ratios with a name, the most important one first.
    pub marks: Vec<RatioMark>,
    /// The ratio that is asked about.
    pub now: RatioPoint,
    /// Whether throughput is per GPU, else per instance.
    pub per_gpu: bool,
    /// The chart's finding.
    pub finding: String,
    /// Why there is nothing to show, where there is nothing.
    pub nothing: String,
    /// Where the values come from.
    pub source: String,
}

/// A bundle at one ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioPoint {
    /// Attention instances for each feed-forward instance.
    pub ratio: f64,
    /// Tokens per second and GPU, or instance.
    pub tokens_per_s: f64,
    /// Time per output token.
    pub tpot_s: f64,
    /// Share of time that attention waits.
    pub idle_attention: f64,
    /// Share of time that the feed-forward waits.
    pub idle_ffn: f64,
    /// What sets the pace.
    pub pace: Role,
    /// What the simulation measured here.
    pub simulated: Option<SimulatedPoint>,
}

/// A simulated bundle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulatedPoint {
    /// Tokens per second and GPU, or instance, over the first 80 % of completions.
    pub tokens_per_s: f64,
    /// The same, counting requests still running.
    pub generated_per_s: f64,
    /// Mean time per output token.
    pub tpot_s: f64,
    /// Share of time that attention waits.
    pub idle_attention: f64,
    /// Share of time that the feed-forward waits.
    pub idle_ffn: f64,
    /// Slowest over mean attention instance.
    pub straggling: f64,
}

/// Ratios at which one part sets the pace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegimeSpan {
    /// The least of them.
    pub from: f64,
    /// The greatest of them.
    pub to: f64,
    /// The part.
    pub pace: Role,
}

/// A ratio with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioMark {
    /// The ratio.
    pub ratio: f64,
    /// `r*`, `r_A`.
    pub name: String,
    /// Whether it is the best one.
    pub best: bool,
}

impl RatioPoint {
    fn draws(&self) -> bool {
        self.ratio.is_finite()
            && self.ratio > 0.0
            && self.tokens_per_s.is_finite()
            && self.tokens_per_s >= 0.0
    }
}

/// What a part is called where it sets the pace.
pub(super) const fn pace_name(role: Role) -> &'static str {
    match role {
        Role::Attention => "attention",
        Role::Messages => "messages",
        _ => "feed-forward",
    }
}

/// "attention sets the pace".
pub(super) fn sets_the_pace(role: Role) -> String {
    let verb = if role == Role::Messages {
        "set"
    } else {
        "sets"
    };
    format!("{} {verb} the pace", pace_name(role))
}

/// `9.32`, `57.7`: a ratio as people say it.
pub(super) fn ratio_text(ratio: f64) -> String {
    format::sig3(ratio)
}

/// What every chart over r says of a point.
pub(super) fn point_rows(point: &RatioPoint, per_gpu: bool) -> Vec<TipRow> {
    let rate = |value: f64| {
        let unit = if per_gpu { "GPU" } else { "instance" };
        format!("{} tok/s/{unit}", format::si(value))
    };
    let mut rows = vec![
        TipRow::plain("closed form", rate(point.tokens_per_s)),
        TipRow::plain(
            "time per output token",
            format::duration(point.tpot_s).to_string(),
        ),
        TipRow::of(
            Role::Attention,
            "attention waits",
            "",
            format::share(point.idle_attention),
        ),
        TipRow::of(
            Role::Experts,
            "feed-forward waits",
            "",
            format::share(point.idle_ffn),
        ),
    ];
    if let Some(simulated) = &point.simulated {
        rows.push(TipRow {
            note: "first 80 %".to_owned(),
            ..TipRow::plain("simulated", rate(simulated.tokens_per_s))
        });
        rows.push(TipRow {
            note: "with those still running".to_owned(),
            ..TipRow::plain("", rate(simulated.generated_per_s))
        });
        rows.push(TipRow::plain(
            "waits, simulated",
            format!(
                "{} · {}",
                format::share(simulated.idle_attention),
                format::share(simulated.idle_ffn)
            ),
        ));
        rows.push(TipRow::plain(
            "slowest over mean attention",
            format::factor(simulated.straggling),
        ));
    }
    rows
}

/// What the tables of charts over r hold.
pub(super) fn table(curve: &[RatioPoint], per_gpu: bool) -> Table {
    let unit = if per_gpu {
        "tokens/s per GPU"
    } else {
        "tokens/s per instance"
    };
    let of = |point: &RatioPoint, look: fn(&SimulatedPoint) -> f64| {
        Cell::maybe(point.simulated.as_ref().map(look))
    };
    Table {
        columns: vec![
            Column::new("ratio", ""),
            Column::new("sets the pace", ""),
            Column::new("throughput", unit),
            Column::new("simulated", unit),
            Column::new("time per output token", "ms"),
            Column::new("attention waits", "%"),
            Column::new("simulated attention waits", "%"),
            Column::new("feed-forward waits", "%"),
            Column::new("simulated feed-forward waits", "%"),
            Column::new("slowest over mean", ""),
        ],
        rows: curve
            .iter()
            .map(|point| {
                vec![
                    point.ratio.into(),
                    pace_name(point.pace).into(),
                    point.tokens_per_s.into(),
                    of(point, |simulated| simulated.tokens_per_s),
                    (point.tpot_s * 1e3).into(),
                    (point.idle_attention * 100.0).into(),
                    of(point, |simulated| simulated.idle_attention * 100.0),
                    (point.idle_ffn * 100.0).into(),
                    of(point, |simulated| simulated.idle_ffn * 100.0),
                    of(point, |simulated| simulated.straggling),
                ]
            })
            .collect(),
    }
}

/// The tooltip of a point.
pub(super) fn tooltip(point: &RatioPoint, per_gpu: bool, source: &str) -> Tooltip {
    Tooltip {
        title: format!("{} to 1", ratio_text(point.ratio)),
        aside: sets_the_pace(point.pace),
        rows: point_rows(point, per_gpu),
        source: source.to_owned(),
    }
}

impl Figure for RatioData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        draw::draw(pen, self)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        table(&self.curve, self.per_gpu)
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        Some(tooltip(self.curve.get(index)?, self.per_gpu, &self.source))
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        Some(ratio_text(self.curve.get(index)?.ratio))
    }

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px)
    }
}
