//! "Is the batch right?": throughput per GPU against speed per user as the batch grows.

mod draw;
mod labels;

use crate::charts::prelude::*;
/// The Pareto chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct ParetoData {
    /// Operating points from the smallest batch to beyond the largest that fits, batches ascending.
    pub curve: Vec<ParetoPoint>,
    /// The scenario's own point.
    pub now: ParetoPoint,
    /// Batches to mark and label on the curve, sequences per GPU: 32, 64, 96 … Those outside the curve are left out.
    pub marks_batch_per_gpu: Vec<f64>,
    /// The plan, under the current point: `DP 72 · EP 72`.
    pub plan: String,
    /// GPUs in all: the tooltip says the batch per GPU and in all.
    pub gpus: f64,
    /// The least speed a user accepts.
    pub slo_tokens_per_s_per_user: Option<f64>,
    /// The largest batch that fits in memory; `None` when even one sequence does not.
    pub capacity_batch_per_gpu: Option<f64>,
    /// Where a larger batch stops paying.
    pub knee: Option<Knee>,
    /// The pinned scenario.
    pub pinned: Option<PinnedPareto>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// One operating point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParetoPoint {
    /// Sequences per GPU.
    pub batch_per_gpu: f64,
    /// Speed for one user.
    pub tokens_per_s_per_user: f64,
    /// Throughput of one GPU.
    pub tokens_per_s_per_gpu: f64,
    /// Whether it fits in memory.
    pub fits: bool,
}

/// The batch beyond which throughput hardly grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knee {
    /// Where it stands.
    pub point: ParetoPoint,
    /// Whether throughput is flat beyond it (else it only grows less).
    pub flat_beyond: bool,
}

/// The pinned scenario's curve.
#[derive(Clone, Debug, PartialEq)]
pub struct PinnedPareto {
    /// How it differs: `100 GB/s scale-out`.
    pub label: String,
    /// Its curve, batches ascending.
    pub curve: Vec<ParetoPoint>,
    /// Its own point.
    pub now: ParetoPoint,
}

impl ParetoPoint {
    fn draws(&self) -> bool {
        let good = |value: f64| value.is_finite() && value >= 0.0;
        good(self.batch_per_gpu)
            && good(self.tokens_per_s_per_user)
            && good(self.tokens_per_s_per_gpu)
    }
}

/// Throughput, as a share of the curve's greatest, below which a point lies on the axis.
const ON_THE_AXIS: f64 = 0.005;

/// The points of a curve that have a place on it: all but the smallest batches, whose throughput is
/// next to nothing and whose speed would stretch the axis over empty space. The table has them.
fn worth_drawing(curve: &[ParetoPoint], now: &ParetoPoint) -> Vec<ParetoPoint> {
    let points = || curve.iter().filter(|point| point.draws());
    let most = points()
        .map(|point| point.tokens_per_s_per_gpu)
        .fold(0.0, f64::max);
    points()
        .filter(|point| {
            point.tokens_per_s_per_gpu >= ON_THE_AXIS * most
                || point.batch_per_gpu >= now.batch_per_gpu
        })
        .copied()
        .collect()
}

impl ParetoData {
    /// The points of the curve that are drawn: the order of hits.
    fn drawn(&self) -> Vec<ParetoPoint> {
        worth_drawing(&self.curve, &self.now)
    }

    /// How much throughput the pinned scenario has, relative to now.
    fn pinned_factor(&self) -> Option<f64> {
        let pinned = self.pinned.as_ref()?;
        let factor = pinned.now.tokens_per_s_per_gpu / self.now.tokens_per_s_per_gpu;
        (factor.is_finite() && factor > 0.0).then_some(factor)
    }
}

impl Figure for ParetoData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        draw::draw(pen, self)
    }

    fn finding(&self) -> String {
        let now = &self.now;
        if !now.draws() || self.drawn().is_empty() {
            return "Nothing to compare".to_owned();
        }
        let Some(most) = self.capacity_batch_per_gpu else {
            return "No batch fits in memory".to_owned();
        };
        if !now.fits {
            return format!("Does not fit: {} per GPU is the most", format::batch(most));
        }
        if self
            .slo_tokens_per_s_per_user
            .is_some_and(|least| now.tokens_per_s_per_user < least)
        {
            return "Too slow for the SLO: a smaller batch".to_owned();
        }
        match &self.knee {
            Some(knee) if now.batch_per_gpu > knee.point.batch_per_gpu => {
                let what = if knee.flat_beyond {
                    "only latency grows"
                } else {
                    "throughput grows slowly"
                };
                format!(
                    "Beyond {} per GPU {what}",
                    format::batch(knee.point.batch_per_gpu)
                )
            }
            _ => match self.drawn().iter().rfind(|point| point.fits) {
                Some(last) if last.tokens_per_s_per_gpu > now.tokens_per_s_per_gpu * 1.005 => {
                    let factor =
                        format::factor(last.tokens_per_s_per_gpu / now.tokens_per_s_per_gpu);
                    format!("Memory has room for {factor} the throughput")
                }
                _ => "As large as pays".to_owned(),
            },
        }
    }

    fn table(&self) -> Table {
        let row = |point: &ParetoPoint| {
            vec![
                point.batch_per_gpu.into(),
                (point.batch_per_gpu * self.gpus).into(),
                point.tokens_per_s_per_user.into(),
                point.tokens_per_s_per_gpu.into(),
                (1e3 / point.tokens_per_s_per_user).into(),
                if point.fits { "yes" } else { "no" }.into(),
            ]
        };
        Table {
            columns: vec![
                Column::new("batch", "sequences per GPU"),
                Column::new("batch in all", "sequences"),
                Column::new("interactivity", "tokens/s per user"),
                Column::new("throughput", "tokens/s per GPU"),
                Column::new("time per output token", "ms"),
                Column::new("fits in memory", ""),
            ],
            rows: std::iter::once(&self.now)
                .chain(&self.curve)
                .map(row)
                .collect::<Vec<Vec<Cell>>>(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let point = *self.drawn().get(index)?;
        let mut rows = vec![
            TipRow::plain(
                "throughput",
                format!("{} tok/s/GPU", format::si(point.tokens_per_s_per_gpu)),
            ),
            TipRow::plain(
                "interactivity",
                format!("{} tok/s/user", format::sig3(point.tokens_per_s_per_user)),
            ),
            TipRow::plain(
                "time per output token",
                format::millis(1.0 / point.tokens_per_s_per_user).to_string(),
            ),
        ];
        if let Some(least) = self.slo_tokens_per_s_per_user {
            let word = if point.tokens_per_s_per_user < least {
                "missed"
            } else {
                "met"
            };
            rows.push(TipRow::plain("SLO", word));
        }
        let in_all = format!("{} in all", format::count(point.batch_per_gpu * self.gpus));
        Some(Tooltip {
            title: format!("{} per GPU", format::batch(point.batch_per_gpu)),
            aside: if point.fits {
                in_all
            } else {
                "does not fit".to_owned()
            },
            rows,
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        let point = *self.drawn().get(index)?;
        Some(format::sig3(point.tokens_per_s_per_user))
    }

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px)
    }
}
