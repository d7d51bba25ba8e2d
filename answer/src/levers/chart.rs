//! "What helps?" drawn as a chart with one row per lever, for export. On the page itself, it is an HTML table.

use crate::charts::prelude::*;
use crate::{FigureCell, Tone};
use model_core::inputs::Inputs;
use model_core::levers::LeverGroup;

/// The table of levers.
#[derive(Clone, Debug, PartialEq)]
pub struct LeversData {
    /// One row per lever, in ranked order.
    pub rows: Vec<LeverLine>,
    /// Quantity that the gain factors compare: `tok/s/GPU at 8.51 tok/s/user`.
    pub basis: String,
    /// One-line finding: the second half of the chart's title.
    pub finding: String,
    /// Note on how the values are computed.
    pub source: String,
}

/// Texts and numbers of a lever.
#[derive(Debug, Clone, PartialEq)]
pub struct LeverRow {
    /// Name of the change: "3 replicas of 24 GPUs".
    pub name: String,
    /// Effect of the change: "1.31×", "fits", "meets 40 tok/s/user".
    pub gives: String,
    /// Tone of the effect: a gain, no gain, or a loss.
    pub tone: Tone,
    /// Length of the gain's bar, 0 to 1; `None` if no bar is drawn.
    pub bar: Option<f64>,
    /// True if the gain depends on an assumed setting.
    pub assumed: bool,
    /// True if no measured run covers this type of plan.
    pub extrapolated: bool,
    /// Tooltip: all changed settings, the throughput per GPU and interactivity reached, and the assumptions.
    pub help: String,
    /// All changed settings, each as a pair of texts, before and after: "72 GPUs" and "24 GPUs".
    pub changes: Vec<(String, String)>,
    /// In the Service view, the key figures after the change, compared with the current ones. Empty in other views,
    /// where the page's four key figures preview the change.
    pub results: Vec<FigureCell>,
    /// Inputs after the lever's change, in the current mode of the page.
    pub inputs: Inputs,
    /// Group of the lever, such as settings or hardware.
    pub group: LeverGroup,
}

/// A lever and the numbers of its table row.
#[derive(Clone, Debug, PartialEq)]
pub struct LeverLine {
    /// The lever, with the texts that the page shows.
    pub lever: LeverRow,
    /// Throughput per GPU after the change ÷ throughput per GPU of the baseline.
    pub factor: Option<f64>,
    /// For hardware levers: throughput with half the resource (or twice the latency) ÷ throughput of the best plan; 0
    /// if infeasible. `None` for other levers.
    pub half: Option<f64>,
    /// Label of the value in `half`: "half", or "twice" for a latency or overhead.
    pub half_is: &'static str,
    /// Throughput with the lever applied, in tok/s/GPU.
    pub per_gpu: f64,
    /// Interactivity with the lever applied, in tok/s/user.
    pub per_user: f64,
    /// TPOT in ms with the lever applied, at the current batch and plan; `None` if infeasible or if the GPU count
    /// changes.
    pub tpot_ms: Option<f64>,
    /// Batch with the lever applied, in concurrent sequences.
    pub batch: f64,
    /// Cost with the lever applied, in US dollars per million output tokens; `None` without a price.
    pub dollars_per_mtok: Option<f64>,
    /// Group of the lever, and flags such as "assumed": `setting, assumed`.
    pub notes: String,
    /// All settings that the lever changes, as text.
    pub settings: String,
    /// True if the change itself gains nothing: any gain comes from the best batch alone. Such rows are collapsed.
    pub idle: bool,
}

/// A column to the right of the names: heading, width in CSS px, and the function that formats a row. On narrow
/// charts, the last columns are dropped first.
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

const NAMES_PX: f64 = 190.0;
const HEAD_PX: f64 = 34.0;
const MOST_PITCH_PX: f64 = 20.0;

impl LeversData {
    /// Returns the number of rows that fit, and the row height in CSS px.
    fn layout(&self, height_px: f64) -> (usize, f64) {
        let room = (height_px - HEAD_PX).max(0.0);
        let pitch = (room / self.rows.len().max(1) as f64).clamp(14.0, MOST_PITCH_PX);
        (self.rows.len().min((room / pitch) as usize), pitch)
    }
}

impl LeversData {
    /// Height of the lever table: a fraction of its width, within limits in CSS px.
    pub const SHAPE: Shape = Shape::Share {
        of: 0.42,
        px: [HEAD_PX + 20.0 * MOST_PITCH_PX, 440.0],
    };

    /// Returns the table of levers as a chart.
    pub fn chart(self: &Arc<Self>) -> Arc<Chart> {
        Chart::painted(self, self.finding.clone(), Self::SHAPE)
    }
}

impl Painter for LeversData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let canvas = pen.canvas;
        if self.rows.is_empty() {
            return nothing_to_show(pen, &canvas, "no changes to plot");
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
