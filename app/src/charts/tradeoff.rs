//! "What does batch buy?": throughput against the time of a token, the limits marked.

mod draw;

use crate::charts::prelude::*;
/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct TradeoffData {
    /// From the smallest batch to past every limit, batches ascending.
    pub curve: Vec<TradePoint>,
    /// The scenario's own point.
    pub now: TradePoint,
    /// The limits that lie on the curve.
    pub marks: Vec<TradeMark>,
    /// The longest time per token a user accepts.
    pub slo_tpot_s: Option<f64>,
    /// The point of the largest batch that fits; `None` where none does.
    pub full: Option<TradePoint>,
    /// GPUs in all.
    pub gpus: f64,
    /// The pinned scenario.
    pub pinned: Option<PinnedTrade>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// One batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TradePoint {
    /// Sequences of the deployment.
    pub batch: f64,
    /// Time per output token.
    pub tpot_s: f64,
    /// Throughput of one GPU.
    pub tokens_per_s_per_gpu: f64,
    /// Whether it fits in memory.
    pub fits: bool,
}

/// A limit on the curve.
#[derive(Clone, Debug, PartialEq)]
pub struct TradeMark {
    /// `B_cap`; several that coincide in one: `B_attn = B_MoE`.
    pub symbol: String,
    /// The part of the model whose limit it is.
    pub role: Option<Role>,
    /// Its batch, evaluated.
    pub point: TradePoint,
}

/// The pinned scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct PinnedTrade {
    /// Its curve, batches ascending.
    pub curve: Vec<TradePoint>,
    /// The point of the largest batch that fits it.
    pub full: Option<TradePoint>,
}

impl TradePoint {
    fn draws(&self) -> bool {
        let good = |value: f64| value.is_finite() && value > 0.0;
        good(self.batch) && good(self.tpot_s) && good(self.tokens_per_s_per_gpu)
    }
}

impl TradeoffData {
    /// The points that are drawn: the order of hits, the marks after them.
    fn drawn(&self) -> Vec<TradePoint> {
        let points = self.curve.iter().filter(|point| point.draws());
        points.copied().collect()
    }

    /// The point of a hit.
    fn point_of(&self, index: usize) -> Option<TradePoint> {
        let drawn = self.drawn();
        let marks = self.marks.iter().map(|mark| &mark.point);
        let marks = marks.filter(|point| point.draws());
        drawn.iter().chain(marks).nth(index).copied()
    }
}

impl Figure for TradeoffData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        draw::draw(pen, self)
    }

    fn finding(&self) -> String {
        let now = &self.now;
        if self.drawn().is_empty() || !now.draws() {
            return "Nothing to compare".to_owned();
        }
        let Some(full) = self.full.filter(TradePoint::draws) else {
            return "No batch fits in memory".to_owned();
        };
        let theirs = self.pinned.as_ref().and_then(|pinned| pinned.full);
        if let Some(theirs) = theirs.filter(TradePoint::draws) {
            return format!(
                "Full: {} A's batch, {} its throughput",
                format::factor(full.batch / theirs.batch),
                format::factor(full.tokens_per_s_per_gpu / theirs.tokens_per_s_per_gpu)
            );
        }
        if !now.fits {
            return format!(
                "Does not fit: {} is the most",
                format::sequences(full.batch)
            );
        }
        if full.batch <= now.batch {
            return "As large as fits".to_owned();
        }
        format!(
            "Full: {} throughput, {} latency",
            format::factor(full.tokens_per_s_per_gpu / now.tokens_per_s_per_gpu),
            format::factor(full.tpot_s / now.tpot_s)
        )
    }

    fn table(&self) -> Table {
        let row = |name: &str, point: &TradePoint| -> Vec<Cell> {
            vec![
                name.into(),
                point.batch.into(),
                (point.tpot_s * 1e3).into(),
                point.tokens_per_s_per_gpu.into(),
                (point.tokens_per_s_per_gpu * self.gpus).into(),
                if point.fits { "yes" } else { "no" }.into(),
            ]
        };
        let marks = self.marks.iter().map(|mark| row(&mark.symbol, &mark.point));
        Table {
            columns: vec![
                Column::new("limit", ""),
                Column::new("batch in all", "sequences"),
                Column::new("time per output token", "ms"),
                Column::new("throughput", "tokens/s per GPU"),
                Column::new("throughput in all", "tokens/s"),
                Column::new("fits in memory", ""),
            ],
            rows: std::iter::once(row("now", &self.now))
                .chain(marks)
                .chain(self.curve.iter().map(|point| row("", point)))
                .collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let drawn = self.drawn();
        let mark = index
            .checked_sub(drawn.len())
            .and_then(|index| self.marks.get(index));
        let point = match mark {
            Some(mark) => mark.point,
            None => *drawn.get(index)?,
        };
        let batch = format!("{} sequences", format::sequences(point.batch));
        let mut rows = vec![
            TipRow::plain(
                "time per output token",
                format::millis(point.tpot_s).to_string(),
            ),
            TipRow::plain(
                "throughput",
                format!("{} tok/s/GPU", format::si(point.tokens_per_s_per_gpu)),
            ),
            TipRow::plain(
                "in all",
                format!(
                    "{} tok/s",
                    format::si(point.tokens_per_s_per_gpu * self.gpus)
                ),
            ),
        ];
        if let Some(longest) = self.slo_tpot_s {
            let met = point.tpot_s <= longest * (1.0 + 1e-12);
            rows.push(TipRow::plain("SLO", if met { "met" } else { "missed" }));
        }
        Some(Tooltip {
            title: mark.map_or_else(|| batch.clone(), |mark| mark.symbol.clone()),
            aside: match (mark, point.fits) {
                (Some(_), _) => batch,
                (None, true) => format!("{} per GPU", format::batch(point.batch / self.gpus)),
                (None, false) => "does not fit".to_owned(),
            },
            rows,
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        Some(format::sig3(self.point_of(index)?.tpot_s * 1e3))
    }

    /// As tall as the map beside it with its switch.
    fn height_px(width_px: f64) -> f64 {
        super::MapData::height_px(width_px) + 32.0
    }
}
