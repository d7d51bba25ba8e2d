//! "How many GPUs?": memory of one GPU as their number grows.

mod draw;

use crate::charts::prelude::*;
/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct GrowthData {
    /// One for each number of GPUs that has a plan, ascending.
    pub bars: Vec<GrowthBar>,
    /// What of a GPU's memory may be used.
    pub usable_bytes: f64,
    /// The accelerator's name, at the capacity.
    pub accelerator: String,
    /// The scenario's own number of GPUs.
    pub now_gpus: f64,
    /// Sequences of the deployment, the same for every bar.
    pub batch: f64,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// The memory of one GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct GrowthBar {
    /// GPUs in all.
    pub gpus: f64,
    /// What is stored, weights first.
    pub parts: Vec<(Role, f64)>,
    /// The largest batch that fits.
    pub capacity_batch: f64,
}

impl GrowthBar {
    fn total_bytes(&self) -> f64 {
        self.parts.iter().map(|(_, bytes)| bytes).sum()
    }
}

impl GrowthData {
    fn draws(&self) -> bool {
        self.usable_bytes > 0.0 && self.usable_bytes.is_finite() && !self.bars.is_empty()
    }

    fn fits(&self, bar: &GrowthBar) -> bool {
        bar.total_bytes() <= self.usable_bytes
    }
}

/// Bytes in a GiB.
const GIB: f64 = 1_073_741_824.0;

impl Figure for GrowthData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        draw::draw(pen, self)
    }

    fn finding(&self) -> String {
        if !self.draws() {
            return "No number of GPUs has a plan".to_owned();
        }
        // From there on: growth may make a bar fit that a larger one does not.
        let first = self
            .bars
            .iter()
            .rposition(|bar| !self.fits(bar))
            .map_or(0, |last| last + 1);
        let batch = format::sequences(self.batch);
        match self.bars.get(first) {
            None => format!("{batch} sequences fit none of these"),
            Some(_) if first == 0 => format!("{batch} sequences fit any number"),
            Some(bar) => format!("{batch} sequences fit from {} on", format::count(bar.gpus)),
        }
    }

    fn table(&self) -> Table {
        let names: Vec<Role> = self
            .bars
            .first()
            .map(|bar| bar.parts.iter().map(|(role, _)| *role).collect())
            .unwrap_or_default();
        let mut columns = vec![Column::new("GPUs", "")];
        columns.extend(
            names
                .iter()
                .map(|role| Column::new(part_name(*role), "GiB")),
        );
        columns.push(Column::new("in all", "GiB"));
        columns.push(Column::new("largest batch that fits", "sequences"));
        let rows = self.bars.iter().map(|bar| {
            let mut row: Vec<Cell> = vec![bar.gpus.into()];
            row.extend(bar.parts.iter().map(|(_, bytes)| Cell::from(bytes / GIB)));
            row.push((bar.total_bytes() / GIB).into());
            row.push(bar.capacity_batch.into());
            row
        });
        let rows = rows.collect();
        Table { columns, rows }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let bar = self.bars.get(index)?;
        let mut rows: Vec<TipRow> = bar
            .parts
            .iter()
            .filter(|(_, bytes)| *bytes > 0.0)
            .map(|(role, bytes)| {
                TipRow::of(*role, part_name(*role), "", format::gib(*bytes).to_string())
            })
            .collect();
        rows.push(TipRow::plain(
            "in all",
            format!(
                "{} of {} GiB",
                format::sig3(bar.total_bytes() / GIB),
                format::printed(self.usable_bytes / GIB)
            ),
        ));
        rows.push(TipRow::plain(
            "largest batch",
            if bar.capacity_batch >= 1.0 {
                format::sequences(bar.capacity_batch)
            } else {
                "none fits".to_owned()
            },
        ));
        let word = if bar.gpus > 1.0 { "GPUs" } else { "GPU" };
        Some(Tooltip {
            title: format!("{} {word}", format::count(bar.gpus)),
            aside: if self.fits(bar) {
                "fits"
            } else {
                "does not fit"
            }
            .to_owned(),
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
        chart_height_px(width_px)
    }
}

/// A part's name where roles stand for what is stored.
fn part_name(role: Role) -> &'static str {
    match role {
        Role::Head => "embedding, head",
        Role::Kv => "KV cache",
        other => other.name(),
    }
}
