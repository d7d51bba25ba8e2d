//! "What helps?": every lever as a row, for what leaves the page; on the page it is a table of links.

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct LeversData {
    pub rows: Vec<LeverLine>,
    /// The quantity of the factors: `tokens/s per GPU for users as fast as now, 8.51 tok/s`.
    pub basis: String,
    pub finding: String,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LeverLine {
    pub name: String,
    /// `1.31×`, `fits`.
    pub gives: String,
    /// Throughput per GPU over the base.
    pub factor: Option<f64>,
    /// Throughput with half the part, or twice the latency, over the best plan; 0 where nothing works.
    pub half: Option<f64>,
    /// "half", or "twice" of a latency.
    pub half_is: &'static str,
    pub per_gpu: f64,
    pub per_user: f64,
    /// TPOT at now's batch with now's plan.
    pub tpot_ms: Option<f64>,
    pub batch: f64,
    pub dollars_per_mtok: Option<f64>,
    /// `setting, assumed`.
    pub notes: String,
    /// Everything it changes.
    pub settings: String,
}

/// Columns beside the name: heading, width in px, and the text of a row. The first are dropped last.
type Column = (&'static str, f64, fn(&LeverLine) -> String);

const COLUMNS: [Column; 7] = [
    ("× tok/s per GPU", 96.0, |row| row.gives.clone()),
    ("tok/s per user", 84.0, |row| format::sig3(row.per_user)),
    ("batch", 66.0, |row| format::count(row.batch)),
    ("TPOT here, ms", 84.0, |row| {
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

impl Figure for LeversData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let canvas = pen.canvas;
        if self.rows.is_empty() {
            return nothing_to_show(pen, &canvas, "nothing to change");
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
            let words = Words::label(row.name.clone(), ink);
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

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        Table::of(self.rows.iter())
            .col("change", "", |row| row.name.clone())
            .col("effect", "", |row| row.gives.clone())
            .col("throughput per GPU", "× base", |row| row.factor)
            .col("throughput per GPU", "tok/s", |row| row.per_gpu)
            .col(
                "with half of the part, or twice the latency",
                "× best",
                |row| row.half,
            )
            .col("user speed", "tok/s", |row| row.per_user)
            .col("TPOT at this batch", "ms", |row| row.tpot_ms)
            .col("batch", "", |row| row.batch)
            .col("cost", "$/M tok", |row| row.dollars_per_mtok)
            .col("notes", "", |row| row.notes.clone())
            .col("sets", "", |row| row.settings.clone())
            .done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let row = self.rows.get(index)?;
        let tip = Tooltip::new(row.name.clone(), row.gives.clone(), &self.source);
        Some(tip.rows([TipRow::plain("sets", row.settings.clone())]))
    }

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px).max(HEAD_PX + 20.0 * MOST_PITCH_PX)
    }
}
