//! "What helps?": every lever as a row, for what leaves the page; on the page it is a table of links.

use crate::charts::prelude::*;
use crate::{FigureCell, Tone};
use model_core::inputs::Inputs;
use model_core::levers::LeverGroup;

/// The list of changes.
#[derive(Clone, Debug, PartialEq)]
pub struct LeversData {
    /// One row per change, in ranked order.
    pub rows: Vec<LeverLine>,
    /// The quantity of the factors: `tok/s/GPU at 8.51 tok/s/user`.
    pub basis: String,
    /// Second half of the title.
    pub finding: String,
    /// Origin of the values.
    pub source: String,
}

/// A lever in words and numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct LeverRow {
    /// "3 replicas of 24 GPUs".
    pub name: String,
    /// "1.31×", "fits", "meets 40 tok/s".
    pub gives: String,
    /// Its tone: a gain, none, or a loss.
    pub tone: Tone,
    /// Length of its bar, 0 to 1; `None` without a factor.
    pub bar: Option<f64>,
    /// It needs an assumed setting.
    pub assumed: bool,
    /// Its kind of plan was never measured.
    pub extrapolated: bool,
    /// Everything it changes, its batch and interactivity, assumptions.
    pub help: String,
    /// Everything it changes, before and after: "72 GPUs" and "24 GPUs".
    pub changes: Vec<(String, String)>,
    /// Results of a service, with what they were; empty where the preview of the figures has them.
    pub results: Vec<FigureCell>,
    /// Inputs after the change, in the current mode.
    pub inputs: Inputs,
    /// Settings or hardware.
    pub group: LeverGroup,
}

/// A change with the numbers of its table row.
#[derive(Clone, Debug, PartialEq)]
pub struct LeverLine {
    /// The change.
    pub lever: LeverRow,
    /// Throughput per GPU over the base.
    pub factor: Option<f64>,
    /// Throughput with half the part, or twice the latency, vs. the best plan; 0 if infeasible.
    pub half: Option<f64>,
    /// "half", or "twice" of a latency.
    pub half_is: &'static str,
    /// Tokens per second and GPU.
    pub per_gpu: f64,
    /// Tokens per second and user.
    pub per_user: f64,
    /// TPOT at the current batch with the current plan.
    pub tpot_ms: Option<f64>,
    /// Concurrent sequences.
    pub batch: f64,
    /// US dollars per million output tokens; `None` without a price.
    pub dollars_per_mtok: Option<f64>,
    /// `setting, assumed`.
    pub notes: String,
    /// Everything it changes.
    pub settings: String,
    /// Without effect, or with none but that of the best batch: folded.
    pub idle: bool,
}

/// Columns next to the name: heading, width in px, and the text of a row. The first are dropped last.
type Column = (&'static str, f64, fn(&LeverLine) -> String);

const COLUMNS: [Column; 7] = [
    ("× tok/s/GPU", 96.0, |row| row.lever.gives.clone()),
    ("tok/s/user", 84.0, |row| format::sig3(row.per_user)),
    ("batch", 66.0, |row| format::count(row.batch)),
    ("TPOT, ms", 84.0, |row| {
        row.tpot_ms.map_or_else(none, format::figure)
    }),
    ("$/M tok", 60.0, |row| {
        row.dollars_per_mtok.map_or_else(none, format::dollars)
    }),
    ("½ (latency 2×)", 96.0, |row| {
        row.half.map_or_else(none, format::factor)
    }),
    ("", 130.0, |row| row.notes.clone()),
];

fn none() -> String {
    format::NONE.to_owned()
}

/// Room for the names.
const NAMES_PX: f64 = 190.0;
const HEAD_PX: f64 = 34.0;
const MOST_PITCH_PX: f64 = 20.0;

impl LeversData {
    /// The rows that have room, and what each takes.
    fn layout(&self, height_px: f64) -> (usize, f64) {
        let room = (height_px - HEAD_PX).max(0.0);
        let pitch = (room / self.rows.len().max(1) as f64).clamp(14.0, MOST_PITCH_PX);
        (self.rows.len().min((room / pitch) as usize), pitch)
    }
}

impl LeversData {
    /// Its height.
    pub const SHAPE: Shape = Shape::Share {
        of: 0.42,
        px: [HEAD_PX + 20.0 * MOST_PITCH_PX, 440.0],
    };

    /// The chart.
    pub fn chart(self: &Arc<Self>) -> Arc<Chart> {
        Chart::painted(self, self.finding.clone(), Self::SHAPE)
    }
}

impl Painter for LeversData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let canvas = pen.canvas;
        if self.rows.is_empty() {
            return nothing_to_show(pen, &canvas, "no change to plot");
        }
        let (ink, soft) = (pen.theme.ink_1, pen.theme.ink_3);
        pen.write_if_free(
            &Words::note(self.basis.clone(), soft),
            point(0.0, 11.0),
            Align::Start,
            None,
        );
        let room = canvas.width() - NAMES_PX;
        let mut used = 0.0;
        let columns: Vec<&Column> = COLUMNS
            .iter()
            .take_while(|column| {
                used += column.1;
                used <= room
            })
            .collect();
        let (count, pitch) = self.layout(canvas.height());
        let mut right = NAMES_PX;
        for (heading, width, text) in columns {
            right += width;
            let words = Words::tick(*heading, soft);
            pen.write_if_free(&words, point(right, HEAD_PX - 6.0), Align::End, None);
            for (index, row) in self.rows.iter().take(count).enumerate() {
                let baseline = HEAD_PX + pitch * (index as f64 + 1.0) - 5.0;
                let words = Words::tick(text(row), ink);
                pen.write_if_free(&words, point(right, baseline), Align::End, None);
            }
        }
        let mut boxes = Vec::new();
        for (index, row) in self.rows.iter().take(count).enumerate() {
            let top = HEAD_PX + pitch * index as f64;
            let words = Words::label(row.lever.name.clone(), ink);
            pen.write_if_free(&words, point(0.0, top + pitch - 5.0), Align::Start, None);
            let area = rect(0.0, top, canvas.right, top + pitch);
            pen.line(
                point(0.0, area.bottom),
                point(canvas.right, area.bottom),
                hair(pen.theme.grid),
            );
            boxes.push(area);
        }
        Hits::boxes(boxes)
    }

    fn table(&self) -> Option<Table> {
        Some(
            Rows::of(&self.rows)
                .col("change", "", |row| row.lever.name.clone())
                .col("effect", "", |row| row.lever.gives.clone())
                .col("throughput per GPU", "× current", |row| row.factor)
                .col("throughput per GPU", "tok/s", |row| row.per_gpu)
                .col(
                    "at half the resource, or twice the latency",
                    "× best",
                    |row| row.half,
                )
                .col("interactivity", "tok/s", |row| row.per_user)
                .col("TPOT at current batch", "ms", |row| row.tpot_ms)
                .col("batch", "", |row| row.batch)
                .col("cost", "$/M tok", |row| row.dollars_per_mtok)
                .col("notes", "", |row| row.notes.clone())
                .col("sets", "", |row| row.settings.clone())
                .done(),
        )
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let row = self.rows.get(index)?;
        let tip = Tooltip::new(
            row.lever.name.clone(),
            row.lever.gives.clone(),
            &self.source,
        );
        Some(tip.rows([TipRow::plain("sets", row.settings.clone())]))
    }
}
