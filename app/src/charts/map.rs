//! "How far can it go?": one quantity over context × batch, and the limits that cut the plane.

mod cells;
mod draw;
mod lines;

use crate::charts::prelude::*;
use std::sync::Arc;

/// The map's data.
#[derive(Clone, Debug, PartialEq)]
pub struct MapData {
    /// What the colours say.
    pub metric: Metric,
    /// The plane, the same wherever the current point stands.
    pub field: Arc<Field>,
    /// The scenario's own point.
    pub now: MapPoint,
    /// GPUs in all: batches are said per GPU too.
    pub gpus: f64,
    /// The least speed a user accepts.
    pub slo_tokens_per_s_per_user: Option<f64>,
    /// The pinned scenario.
    pub pinned: Option<PinnedMap>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// A quantity of every point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Time per output token.
    Tpot,
    /// Throughput of one GPU.
    PerGpu,
    /// Speed for one user.
    PerUser,
}

/// Everything that does not depend on the current point.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The range of contexts, in tokens.
    pub contexts: (f64, f64),
    /// The range of batches, in sequences of the deployment.
    pub batches: (f64, f64),
    /// Columns of the grid, evenly spaced on the logarithmic axis.
    pub columns: usize,
    /// Points of the grid at the middles of its boxes, smallest batch first, within a row by context;
    /// `None` where a result is no number.
    pub points: Vec<Option<MapPoint>>,
    /// Largest batch that fits over the context, as pairs; 0 where none does.
    pub capacity: Vec<(f64, f64)>,
    /// What fits but misses the SLO, over the context; empty without an SLO.
    pub missed: Vec<Missed>,
    /// The limits, as lines to draw.
    pub limits: Vec<LimitLine>,
}

/// Batches that fit at one context but miss the SLO.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Missed {
    /// Mean tokens per sequence.
    pub context: f64,
    /// The largest batch that meets the SLO.
    pub above: f64,
    /// The largest batch that fits.
    pub to: f64,
}

/// One limit on the batch.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitLine {
    /// What it means: `memory is full`.
    pub meaning: &'static str,
    /// Its symbol: `B_cap`.
    pub symbol: String,
    /// The part of the model whose limit it is.
    pub role: Option<Role>,
    /// Context and batch along it.
    pub line: Vec<(f64, f64)>,
}

/// One point of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapPoint {
    /// Mean tokens per sequence.
    pub context: f64,
    /// Sequences of the deployment.
    pub batch: f64,
    /// Time per output token.
    pub tpot_s: f64,
    /// Speed for one user.
    pub tokens_per_s_per_user: f64,
    /// Throughput of one GPU.
    pub tokens_per_s_per_gpu: f64,
    /// Whether it fits in memory.
    pub fits: bool,
    /// Whether it meets the SLO.
    pub meets_slo: bool,
}

/// The pinned scenario on the same plane.
#[derive(Clone, Debug, PartialEq)]
pub struct PinnedMap {
    /// Its largest batch that fits, over the context.
    pub capacity: Vec<(f64, f64)>,
    /// Its own context and batch.
    pub now: (f64, f64),
    /// Context at which now, full, has most of the pinned one's throughput, also full, and how much.
    pub advantage: Option<(f64, f64)>,
}

impl Metric {
    /// Every metric, in the order of the switch.
    pub const ALL: [Self; 3] = [Self::Tpot, Self::PerGpu, Self::PerUser];

    /// In words, with its unit.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tpot => "ms per output token, log",
            Self::PerGpu => "tokens/s per GPU, log",
            Self::PerUser => "tokens/s per user, log",
        }
    }

    /// Its value at a point, in the unit of [`Self::name`].
    pub fn of(self, point: &MapPoint) -> f64 {
        match self {
            Self::Tpot => point.tpot_s * 1e3,
            Self::PerGpu => point.tokens_per_s_per_gpu,
            Self::PerUser => point.tokens_per_s_per_user,
        }
    }
}

impl Field {
    /// Rows of the grid.
    pub fn rows(&self) -> usize {
        self.points.len().checked_div(self.columns).unwrap_or(0)
    }

    /// Every fourth point across and up.
    fn coarse(&self) -> impl Iterator<Item = &MapPoint> {
        const EVERY: usize = 4;
        let columns = self.columns.max(1);
        self.points
            .iter()
            .enumerate()
            .filter(move |(index, _)| {
                let (row, column) = (index / columns, index % columns);
                row % EVERY == EVERY / 2 && column % EVERY == EVERY / 2
            })
            .filter_map(|(_, point)| point.as_ref())
    }

    fn draws(&self) -> bool {
        let range = |(low, high): (f64, f64)| low > 0.0 && high > low && high.is_finite();
        range(self.contexts) && range(self.batches) && self.rows() > 0
    }
}

impl MapData {
    /// The range of the colours: what fits without its extremes, widened to 1-2-5 numbers; `None` when
    /// nothing fits.
    pub(super) fn range(&self) -> Option<ColourRange> {
        let mut values: Vec<f64> = self
            .field
            .points
            .iter()
            .flatten()
            .filter(|point| point.fits)
            .map(|point| self.metric.of(point))
            .filter(|value| value.is_finite() && *value > 0.0)
            .collect();
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        let extreme = (values.len() as f64 * EXTREME) as usize;
        let low = floor_125(values[extreme.min(last)]);
        let high = ceil_125(values[last - extreme.min(last)]);
        let high = high.max(low * 2.0);
        Some(ColourRange {
            low,
            high,
            below: values[0] < low,
            above: values[last] > high,
        })
    }

    fn per_gpu(&self, batch: f64) -> String {
        format!("{} per GPU", format::batch(batch / self.gpus))
    }
}

/// The share of what fits whose values are beyond either end of the colours.
const EXTREME: f64 = 0.03;

/// What the colours stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ColourRange {
    low: f64,
    high: f64,
    /// Whether smaller values have the first colour too.
    below: bool,
    /// Whether larger values have the last colour too.
    above: bool,
}

/// "2,000 tokens".
fn tokens(context: f64) -> String {
    format!("{} tokens", format::tokens(context))
}

impl Figure for MapData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        draw::draw(pen, self)
    }

    fn finding(&self) -> String {
        if !self.field.draws() {
            return "Nothing to map".to_owned();
        }
        if self.field.capacity.iter().all(|(_, batch)| *batch < 1.0) {
            return "No batch fits at any context".to_owned();
        }
        let advantage = self.pinned.as_ref().and_then(|pinned| pinned.advantage);
        if let Some((context, times)) = advantage {
            return format!(
                "Full, up to {} A's throughput, at {}",
                format::factor(times),
                format::tokens(context)
            );
        }
        if !self.now.fits {
            return "Now is out of memory".to_owned();
        }
        if !self.now.meets_slo {
            return "Now misses the SLO".to_owned();
        }
        let room = self
            .field
            .capacity
            .iter()
            .filter(|(_, batch)| *batch >= self.now.batch)
            .map(|(context, _)| *context)
            .fold(0.0, f64::max);
        if room >= self.field.contexts.1 * 0.99 {
            "This batch fits at every context".to_owned()
        } else if room > 0.0 {
            format!("This batch fits up to {}", tokens_rounded(room))
        } else {
            "Now is in reach".to_owned()
        }
    }

    fn table(&self) -> Table {
        let row = |point: &MapPoint| -> Vec<Cell> {
            vec![
                point.context.into(),
                point.batch.into(),
                (point.batch / self.gpus).into(),
                (point.tpot_s * 1e3).into(),
                point.tokens_per_s_per_user.into(),
                point.tokens_per_s_per_gpu.into(),
                if point.fits { "yes" } else { "no" }.into(),
                match (self.slo_tokens_per_s_per_user, point.meets_slo) {
                    (None, _) => Cell::Empty,
                    (_, true) => "yes".into(),
                    (_, false) => "no".into(),
                },
            ]
        };
        Table {
            columns: vec![
                Column::new("context", "tokens"),
                Column::new("batch in all", "sequences"),
                Column::new("batch", "sequences per GPU"),
                Column::new("time per output token", "ms"),
                Column::new("interactivity", "tokens/s per user"),
                Column::new("throughput", "tokens/s per GPU"),
                Column::new("fits in memory", ""),
                Column::new("meets the SLO", ""),
            ],
            // Every point would be thousands of rows that nobody reads.
            rows: std::iter::once(&self.now)
                .chain(self.field.coarse())
                .map(row)
                .collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let cells = self.field.points.len();
        let point = if index == cells {
            self.now
        } else {
            match *self.field.points.get(index)? {
                Some(point) => point,
                None => {
                    return Some(Tooltip {
                        title: "too large to compute".to_owned(),
                        ..Tooltip::default()
                    });
                }
            }
        };
        let mut rows = vec![
            TipRow::plain(
                "time per output token",
                format::millis(point.tpot_s).to_string(),
            ),
            TipRow::plain(
                "interactivity",
                format!("{} tok/s/user", format::sig3(point.tokens_per_s_per_user)),
            ),
            TipRow::plain(
                "throughput",
                format!("{} tok/s/GPU", format::si(point.tokens_per_s_per_gpu)),
            ),
            TipRow::plain("memory", if point.fits { "fits" } else { "does not fit" }),
        ];
        if let Some(least) = self.slo_tokens_per_s_per_user {
            let word = if point.meets_slo { "met" } else { "missed" };
            let slo = format!("SLO {} tok/s", format::printed(least));
            rows.push(TipRow::plain(slo, word));
        }
        let batch = format::sequences(point.batch);
        let now = if index == cells { "now: " } else { "" };
        Some(Tooltip {
            title: format!("{now}{batch} × {}", tokens(point.context)),
            aside: self.per_gpu(point.batch),
            rows,
            source: self.source.clone(),
        })
    }

    fn glow(&self, index: usize, hits: &Hits, pen: &mut Pen<'_>) {
        if let Some(plot) = hits.plot() {
            draw::glow(pen, self, index, &plot);
        }
    }

    fn height_px(width_px: f64) -> f64 {
        (width_px * 0.62).clamp(320.0, 560.0)
    }
}

/// A context along a curve, to three digits: it lies between the values people state.
fn tokens_rounded(context: f64) -> String {
    format!("{} tokens", format::si(context))
}
