//! "Which plan?": the frontier of each plan family over every candidate, faint.

mod draw;

use crate::charts::prelude::*;
use crate::theme::Series;
use std::sync::Arc;

/// The Plans chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct PlansData {
    /// The frontier of each family, in the order of the legend; those without points are left out.
    pub curves: Arc<Vec<PlanCurve>>,
    /// Candidates that fit, thinned.
    pub faint: Arc<Vec<FaintPlan>>,
    /// The scenario that is being edited, where it stands.
    pub now: Option<PlanNow>,
    /// The least speed a user accepts.
    pub slo_tokens_per_s_per_user: Option<f64>,
    /// The best plan under it, to be marked.
    pub best: Option<(f64, f64)>,
    /// Whether accelerators differ: then they are named.
    pub many_accelerators: bool,
    /// Whether precisions differ: then they are named.
    pub many_precisions: bool,
    /// The second half of the title.
    pub finding: String,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// How a family is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanStyle {
    /// Its colour.
    pub series: Series,
    /// Its line.
    pub line: LineStyle,
}

/// Solid, or in dashes: families can be told apart without colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineStyle {
    /// A thick line.
    Bold,
    /// A line.
    Solid,
    /// Long dashes.
    Dashed,
    /// Short dashes.
    Dotted,
}

/// One family's frontier.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanCurve {
    /// What it is called.
    pub name: &'static str,
    /// How it is drawn.
    pub style: PlanStyle,
    /// Its points, the fastest for a user first.
    pub points: Vec<PlanPoint>,
}

/// A plan on a frontier.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanPoint {
    /// Speed for one user.
    pub tokens_per_s_per_user: f64,
    /// Throughput of one GPU.
    pub tokens_per_s_per_gpu: f64,
    /// GPUs in all.
    pub gpus: f64,
    /// Sequences in all.
    pub batch: f64,
    /// Its factors: `TP 8 · KVP 8 · FFN TP 64`.
    pub sharding: String,
    /// What hides behind what: `two batches`, empty for nothing.
    pub schedule: &'static str,
    /// The accelerator.
    pub accelerator: &'static str,
    /// The precision.
    pub precision: &'static str,
    /// US dollars per million tokens, where a price is known.
    pub dollars_per_mtok: Option<f64>,
}

/// A candidate among many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaintPlan {
    /// How its family is drawn.
    pub series: Series,
    /// Speed for one user.
    pub tokens_per_s_per_user: f64,
    /// Throughput of one GPU.
    pub tokens_per_s_per_gpu: f64,
}

/// The scenario being edited.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanNow {
    /// Speed for one user.
    pub tokens_per_s_per_user: f64,
    /// Throughput of one GPU.
    pub tokens_per_s_per_gpu: f64,
    /// Whether it fits in memory.
    pub fits: bool,
    /// Its plan in a few words.
    pub label: String,
}

impl PlanPoint {
    fn draws(&self) -> bool {
        let good = |value: f64| value.is_finite() && value > 0.0;
        good(self.tokens_per_s_per_user) && good(self.tokens_per_s_per_gpu)
    }

    /// `64 GB200`, `64 GPUs`.
    pub fn machines(&self, named: bool) -> String {
        let gpus = format::count(self.gpus);
        match (named, self.gpus > 1.5) {
            (true, _) => format!("{gpus} × {}", self.accelerator),
            (false, true) => format!("{gpus} GPUs"),
            (false, false) => "one GPU".to_owned(),
        }
    }
}

impl PlansData {
    /// The points of all curves in the order of hits, each with its curve.
    pub fn hits(&self) -> impl Iterator<Item = (&PlanCurve, &PlanPoint)> {
        self.curves.iter().flat_map(|curve| {
            curve
                .points
                .iter()
                .filter(|point| point.draws())
                .map(move |point| (curve, point))
        })
    }
}

impl Figure for PlansData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        draw::draw(pen, self)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let row = |(curve, point): (&PlanCurve, &PlanPoint)| -> Vec<Cell> {
            vec![
                curve.name.into(),
                point.accelerator.into(),
                point.precision.into(),
                point.gpus.into(),
                point.sharding.clone().into(),
                point.schedule.into(),
                point.batch.into(),
                point.tokens_per_s_per_user.into(),
                point.tokens_per_s_per_gpu.into(),
                Cell::maybe(point.dollars_per_mtok),
            ]
        };
        Table {
            columns: vec![
                Column::new("family", ""),
                Column::new("accelerator", ""),
                Column::new("precision", ""),
                Column::new("GPUs", ""),
                Column::new("sharding", ""),
                Column::new("schedule", ""),
                Column::new("batch", "sequences"),
                Column::new("interactivity", "tokens/s per user"),
                Column::new("throughput", "tokens/s per GPU"),
                Column::new("cost", "$ per million tokens"),
            ],
            rows: self.hits().map(row).collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (curve, point) = self.hits().nth(index)?;
        let mut rows = vec![
            TipRow::plain("sharding", point.sharding.clone()),
            TipRow::plain(
                "batch",
                format!(
                    "{} in all, {} per GPU",
                    format::count(point.batch),
                    format::batch(point.batch / point.gpus)
                ),
            ),
        ];
        if !point.schedule.is_empty() {
            rows.push(TipRow::plain("schedule", point.schedule));
        }
        if self.many_precisions {
            rows.push(TipRow::plain("precision", point.precision));
        }
        rows.extend([
            TipRow::plain(
                "interactivity",
                format!("{} tok/s/user", format::sig3(point.tokens_per_s_per_user)),
            ),
            TipRow::plain(
                "throughput",
                format!("{} tok/s/GPU", format::si(point.tokens_per_s_per_gpu)),
            ),
        ]);
        if let Some(dollars) = point.dollars_per_mtok {
            rows.push(TipRow::plain(
                "cost",
                format!("{} per M tokens", format::dollars(dollars)),
            ));
        }
        if let Some(least) = self.slo_tokens_per_s_per_user {
            let missed = point.tokens_per_s_per_user < least;
            rows.push(TipRow::plain("SLO", if missed { "missed" } else { "met" }));
        }
        Some(Tooltip {
            title: curve.name.to_owned(),
            aside: point.machines(true),
            rows,
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        let (_, point) = self.hits().nth(index)?;
        Some(format::sig3(point.tokens_per_s_per_user))
    }

    fn glow(&self, index: usize, hits: &Hits, pen: &mut Pen<'_>) {
        let value = self.axis_value(index);
        let at = hits::rulers(pen, hits, index, value.as_deref());
        if let (Some(at), Some((curve, _))) = (at, self.hits().nth(index)) {
            let ink = pen.theme.series(curve.style.series).line;
            pen.rimmed_point(at, 4.2, ink);
        }
    }

    fn height_px(width_px: f64) -> f64 {
        (width_px * 0.7).clamp(300.0, 520.0)
    }
}
