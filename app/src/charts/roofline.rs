//! "Compute or memory?": every operator against the roof of its format.

mod draw;
mod labels;
mod roofs;

use crate::charts::prelude::*;
/// The roofline chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct RooflineData {
    /// The accelerator's roofs.
    pub roofs: Roofs,
    /// The operators of a step, in the model's order.
    pub operators: Vec<OperatorPoint>,
    /// The pinned scenario's roofs, when they differ.
    pub pinned_roofs: Option<Roofs>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// What an accelerator can do at most.
#[derive(Clone, Debug, PartialEq)]
pub struct Roofs {
    /// HBM bandwidth.
    pub hbm_bytes_per_s: f64,
    /// Peaks of the formats in use, at most a few.
    pub peaks: Vec<Peak>,
}

/// The peak of one arithmetic format.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// Its name: `FP8`.
    pub format: String,
    /// Dense arithmetic.
    pub flop_per_s: f64,
}

/// Which of its two times an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Moving bytes.
    Memory,
    /// Arithmetic.
    Compute,
}

/// A place on the roofline chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RooflinePosition {
    /// FLOP per byte moved from or to HBM; 0 for an operator that only moves bytes.
    pub intensity_flop_per_byte: f64,
    /// FLOP over the operator's own time.
    pub achieved_flop_per_s: f64,
}

/// One operator.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatorPoint {
    /// Its name, shown as it is.
    pub name: String,
    /// What it belongs to.
    pub role: Role,
    /// The roof that applies, an index into [`Roofs::peaks`].
    pub peak: usize,
    /// Where it stands.
    pub position: RooflinePosition,
    /// What its time is made of.
    pub bound: Bound,
    /// Its time in a step, all layers.
    pub time_s: f64,
    /// Its share of the compute of a step, 0 to 1.
    pub share_of_step: f64,
    /// Whether most of its bytes are KV cache: ringed in the cache's colour.
    pub reads_kv: bool,
    /// The batch at which it reaches its ridge, sequences per GPU; `None` when no batch does.
    pub ridge_batch_per_gpu: Option<f64>,
    /// The same operator in the pinned scenario.
    pub pinned: Option<RooflinePosition>,
}

impl Roofs {
    /// The intensity at which a peak takes over from the bandwidth.
    pub fn ridge_flop_per_byte(&self, peak: &Peak) -> f64 {
        peak.flop_per_s / self.hbm_bytes_per_s
    }

    fn usable(&self) -> bool {
        let good = |value: f64| value.is_finite() && value > 0.0;
        good(self.hbm_bytes_per_s)
            && !self.peaks.is_empty()
            && self.peaks.iter().all(|peak| good(peak.flop_per_s))
    }
}

impl RooflinePosition {
    /// Whether a logarithmic chart has a place for it.
    fn plots(&self) -> bool {
        let good = |value: f64| value.is_finite() && value > 0.0;
        good(self.intensity_flop_per_byte) && good(self.achieved_flop_per_s)
    }
}

impl RooflineData {
    /// Indices of the operators that the chart shows, by intensity: the order of hits. An operator that only moves
    /// bytes has no place on a logarithmic axis; the table lists it.
    fn plotted(&self) -> Vec<usize> {
        let position = |index: &usize| self.operators.get(*index).map(|operator| operator.position);
        let mut indices: Vec<usize> = (0..self.operators.len())
            .filter(|index| position(index).is_some_and(|p| p.plots()))
            .collect();
        let intensity = |index: &usize| position(index).map_or(0.0, |p| p.intensity_flop_per_byte);
        indices.sort_by(|a, b| intensity(a).total_cmp(&intensity(b)));
        indices
    }

    fn peak_of(&self, operator: &OperatorPoint) -> Option<&Peak> {
        self.roofs.peaks.get(operator.peak)
    }

    fn left_of_ridge(&self, operator: &OperatorPoint) -> bool {
        self.peak_of(operator).is_some_and(|peak| {
            operator.position.intensity_flop_per_byte < self.roofs.ridge_flop_per_byte(peak)
        })
    }
}

impl Figure for RooflineData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        draw::draw(pen, self)
    }

    fn finding(&self) -> String {
        let plotted = self.plotted();
        let total = plotted.len();
        let left = plotted
            .iter()
            .filter_map(|index| self.operators.get(*index))
            .filter(|operator| self.left_of_ridge(operator))
            .count();
        match (left, total) {
            (_, 0) => "Nothing to compute".to_owned(),
            (1, 1) => "The only operator sits left of its ridge".to_owned(),
            (0, 1) => "The only operator sits right of its ridge".to_owned(),
            _ if left == total => format!(
                "All {} operators sit left of their ridge",
                format::in_words(total)
            ),
            (0, _) => format!(
                "All {} operators sit right of their ridge",
                format::in_words(total)
            ),
            (1, _) => format!(
                "One of {} operators sits left of its ridge",
                format::in_words(total)
            ),
            _ => {
                let mut number = format::in_words(left);
                number.get_mut(..1).map(str::make_ascii_uppercase);
                format!(
                    "{number} of {} operators sit left of their ridge",
                    format::in_words(total)
                )
            }
        }
    }

    fn table(&self) -> Table {
        let row = |operator: &OperatorPoint| -> Vec<Cell> {
            vec![
                operator.name.as_str().into(),
                operator.position.intensity_flop_per_byte.into(),
                (operator.position.achieved_flop_per_s / TERA).into(),
                self.peak_of(operator)
                    .map_or(Cell::Empty, |peak| peak.format.as_str().into()),
                Cell::maybe(self.peak_of(operator).map(|peak| peak.flop_per_s / TERA)),
                Cell::maybe(
                    self.peak_of(operator)
                        .map(|peak| self.roofs.ridge_flop_per_byte(peak)),
                ),
                operator.bound.words().into(),
                (operator.time_s * 1e3).into(),
                (operator.share_of_step * 100.0).into(),
                Cell::maybe(operator.ridge_batch_per_gpu),
            ]
        };
        Table {
            columns: vec![
                Column::new("operator", ""),
                Column::new("intensity", "FLOP/B"),
                Column::new("achieved", "TFLOP/s"),
                Column::new("format", ""),
                Column::new("peak", "TFLOP/s"),
                Column::new("ridge", "FLOP/B"),
                Column::new("bound", ""),
                Column::new("time", "ms"),
                Column::new("share of compute", "%"),
                Column::new("reaches its ridge at", "sequences per GPU"),
            ],
            rows: self.operators.iter().map(row).collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let operator = self.operators.get(*self.plotted().get(index)?)?;
        let position = operator.position;
        let of_peak = self.peak_of(operator).map_or_else(String::new, |peak| {
            format!(
                "{} of {}",
                format::share(position.achieved_flop_per_s / peak.flop_per_s),
                peak.format
            )
        });
        let intensity = format!("{} FLOP/B", format::sig3(position.intensity_flop_per_byte));
        let mut rows = vec![
            TipRow::of(operator.role, "intensity", "", intensity),
            TipRow {
                note: of_peak,
                ..TipRow::plain("achieved", teraflop(position.achieved_flop_per_s))
            },
            TipRow {
                note: format!("{} of compute", format::share(operator.share_of_step)),
                ..TipRow::plain("time", format::millis(operator.time_s).to_string())
            },
        ];
        if let Some(batch) = operator.ridge_batch_per_gpu {
            rows.push(TipRow::plain(
                "reaches its ridge at",
                format!("{} per GPU", format::count(batch)),
            ));
        }
        if let Some(pinned) = operator.pinned {
            rows.push(TipRow::plain(
                "A achieves",
                teraflop(pinned.achieved_flop_per_s),
            ));
        }
        Some(Tooltip {
            title: operator.name.clone(),
            aside: operator.bound.words().to_owned(),
            rows,
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        let operator = self.operators.get(*self.plotted().get(index)?)?;
        Some(format::sig3(operator.position.intensity_flop_per_byte))
    }

    fn glow(&self, index: usize, hits: &Hits, pen: &mut Pen<'_>) {
        let value = self.axis_value(index);
        if let Some(at) = hits::rulers(pen, hits, index, value.as_deref()) {
            pen.ring(at, 8.0, stroke(pen.theme.ink_1, 1.3));
        }
    }

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px)
    }
}

impl Bound {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Memory => "memory-bound",
            Self::Compute => "compute-bound",
        }
    }
}

fn teraflop(flop_per_s: f64) -> String {
    format!("{} TFLOP/s", format::sig3(flop_per_s / TERA))
}

const TERA: f64 = 1e12;
