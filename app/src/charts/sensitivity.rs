//! "What to buy?": the throughput with twice and half of every resource.

mod draw;
mod rows;

use crate::charts::prelude::*;
/// The sensitivity chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct SensitivityData {
    /// A row per resource, the most worth having first.
    pub rows: Vec<SensitivityRow>,
    /// Whether the scenario fits its memory; if not, ratios compare what would be if it did.
    pub fits: bool,
    /// How the pinned scenario differs, at its marks.
    pub pinned: Option<String>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// One resource.
#[derive(Clone, Debug, PartialEq)]
pub struct SensitivityRow {
    /// Its name: `Scale-out`.
    pub name: String,
    /// How much there is now, lighter: `50 GB/s`.
    pub now: String,
    /// With more of it (of fixed times: with twice as much).
    pub twice: Swing,
    /// With less.
    pub half: Swing,
    /// Whether less of it is better: then half stands on the right.
    pub less_is_better: bool,
}

/// One change of a resource.
#[derive(Clone, Debug, PartialEq)]
pub struct Swing {
    /// What is done: `×2`, `×½`, `to 1`.
    pub change: String,
    /// What there then is: `100 GB/s`.
    pub then: String,
    /// What it comes to.
    pub outcome: SwingOutcome,
    /// The same change of the pinned scenario, where it has a ratio.
    pub pinned: Option<f64>,
    /// More about it, for the tooltip: name and value.
    pub details: Vec<(String, String)>,
}

/// What a change comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum SwingOutcome {
    /// Throughput then over throughput now.
    Ratio(f64),
    /// It cannot be changed, and why in a word or two: `is 1 already`.
    Bound(String),
    /// It no longer runs, and why: `out of memory`, `impossible`.
    Lost(String),
}

/// A change below this is none.
const NOTHING: f64 = 0.005;

impl Swing {
    /// The ratio, where it is one.
    pub fn ratio(&self) -> Option<f64> {
        match self.outcome {
            SwingOutcome::Ratio(ratio) if ratio.is_finite() && ratio > 0.0 => Some(ratio),
            _ => None,
        }
    }
}

impl SensitivityRow {
    /// Both changes: the order of hits.
    fn swings(&self) -> [&Swing; 2] {
        [&self.twice, &self.half]
    }

    /// The change that gains more, and what it gains.
    fn best(&self) -> (&Swing, f64) {
        let gain = |swing: &Swing| swing.ratio().unwrap_or(1.0);
        if gain(&self.half) > gain(&self.twice) {
            (&self.half, gain(&self.half))
        } else {
            (&self.twice, gain(&self.twice))
        }
    }
}

impl SensitivityData {
    /// The row and the change of a hit.
    pub fn swing(&self, index: usize) -> Option<(&SensitivityRow, &Swing)> {
        let row = self.rows.get(index / 2)?;
        Some((row, row.swings()[index % 2]))
    }
}

impl Figure for SensitivityData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        draw::draw(pen, self)
    }

    fn finding(&self) -> String {
        let Some(first) = self.rows.first() else {
            return "Nothing to change".to_owned();
        };
        if !self.fits {
            return "Does not fit; these are if it did".to_owned();
        }
        let (swing, gain) = first.best();
        if gain < 1.0 + NOTHING {
            return "Nothing here alone would help".to_owned();
        }
        let named = |row: &SensitivityRow, swing: &Swing| format!("{} {}", row.name, swing.change);
        let said = format!("{} gives {}", named(first, swing), format::factor(gain));
        let second = self.rows.get(1).map(|row| (row, row.best().1));
        let more = match second {
            Some((row, next)) if next >= 1.05 => {
                format!(
                    ", then {} {}",
                    in_a_sentence(&row.name),
                    format::factor(next)
                )
            }
            Some((_, next)) if next >= 1.0 + NOTHING => {
                format!(", the rest up to {}", format::factor(next))
            }
            _ => ", nothing else helps".to_owned(),
        };
        let whole = format!("{said}{more}");
        if whole.chars().count() <= LONGEST {
            whole
        } else {
            said
        }
    }

    fn table(&self) -> Table {
        let mut columns = vec![
            Column::new("resource", ""),
            Column::new("now", ""),
            Column::new("change", ""),
            Column::new("then", ""),
            Column::new("throughput", "× now"),
            Column::new("note", ""),
        ];
        if self.pinned.is_some() {
            columns.push(Column::new("throughput of A", "× now"));
        }
        let mut rows = Vec::new();
        for row in &self.rows {
            for swing in row.swings() {
                let note = match &swing.outcome {
                    SwingOutcome::Ratio(_) => "",
                    SwingOutcome::Bound(why) | SwingOutcome::Lost(why) => why,
                };
                let mut cells: Vec<Cell> = vec![
                    row.name.clone().into(),
                    row.now.clone().into(),
                    swing.change.clone().into(),
                    swing.then.clone().into(),
                    Cell::maybe(swing.ratio()),
                    note.into(),
                ];
                if self.pinned.is_some() {
                    cells.push(Cell::maybe(swing.pinned));
                }
                rows.push(cells);
            }
        }
        Table { columns, rows }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (row, swing) = self.swing(index)?;
        let result = match &swing.outcome {
            SwingOutcome::Ratio(ratio) => TipRow {
                note: if self.fits {
                    String::new()
                } else {
                    "if it fit".to_owned()
                },
                ..TipRow::plain("throughput", format::factor(*ratio))
            },
            SwingOutcome::Bound(why) | SwingOutcome::Lost(why) => TipRow::plain(why.clone(), ""),
        };
        let mut rows = vec![result];
        rows.extend(
            swing
                .details
                .iter()
                .map(|(name, value)| TipRow::plain(name.clone(), value.clone())),
        );
        if let (Some(label), Some(ratio)) = (&self.pinned, swing.pinned) {
            rows.push(TipRow {
                note: label.clone(),
                ..TipRow::plain("A", format::factor(ratio))
            });
        }
        let aside = if swing.then.is_empty() || swing.then == row.now {
            row.now.clone()
        } else {
            format!("{} → {}", row.now, swing.then)
        };
        Some(Tooltip {
            title: format!("{} {}", row.name, swing.change),
            aside,
            rows,
            source: self.source.clone(),
        })
    }

    fn glow(&self, index: usize, hits: &Hits, pen: &mut Pen<'_>) {
        let (Some(plot), Some(Reach::Box(side))) = (hits.plot(), hits.reach(index)) else {
            return;
        };
        if let Some((_, swing)) = self.swing(index) {
            rows::glow(pen, &plot, side, swing);
        }
    }

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px).min(320.0)
    }
}

/// Of a finding, in letters: what a title has room for.
const LONGEST: usize = 50;

/// "Balance β" as "balance β", but "HBM" and "FLOP/s" as they are.
fn in_a_sentence(name: &str) -> String {
    let mut letters = name.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => name.to_owned(),
    }
}
