//! "Why this number?" as a figure: the first levels of a number's derivation, one line per quantity.

use super::{ExplainLine, Leaf, explained, filled};
use crate::chart::prelude::*;
use model_core::account::{Explained, Quantity, open};
use model_core::permalink::Link;

/// Height of a line, in CSS px.
const LINE_PX: f64 = 24.0;
/// Maximum number of lines in the figure.
const LINES: usize = 12;
/// Indentation per level, in CSS px.
const LEVEL_PX: f64 = 14.0;
/// Width of the bar for a share of 100%, in CSS px.
const BAR_PX: f64 = 64.0;
/// Chart width, in CSS px, below which only names and values are shown.
const NARROW_PX: f64 = 430.0;

/// Shape of the figure. Its height is the same for every derivation, so that content below it does not shift.
pub const SHAPE: Shape = Shape::Px(LINES as f64 * LINE_PX + 8.0);

#[derive(Clone, Debug, PartialEq)]
struct DrawnLine {
    level: usize,
    /// Name, with a multiplier if any: "58 × dispatch".
    name: String,
    value: String,
    /// Share of the parent's value, 0 to 1.
    share: Option<f64>,
    /// Formula with values filled in, or the origin of a leaf.
    note: String,
}

#[derive(Clone, Debug, PartialEq)]
struct DrawnAccount {
    lines: Vec<DrawnLine>,
}

/// Draws the derivation of the number that a permalink names or, if it names none, of TPOT. Returns `None` if the
/// scenario has no such number.
pub fn chart(link: &Link) -> Option<Chart> {
    let what = link.shown.explain;
    let what = what.unwrap_or(Explained::Quantity(Quantity::Tpot));
    let root = explained(&open(&link.current, what)?);
    Some(of_lines(&root))
}

fn of_lines(root: &ExplainLine) -> Chart {
    let account = DrawnAccount { lines: drawn(root) };
    let rows = Rows::of(&account.lines)
        .col("level", "", |line| line.level as f64)
        .col("number", "", |line| line.name.clone())
        .col("value", "", |line| line.value.clone())
        .col("share", "%", |line| line.share.map(|share| share * 100.0))
        .col("formula or origin", "", |line| line.note.clone())
        .telling(|line| {
            let share = line.share.map(format::share);
            Tooltip::new(&line.name, &line.value, "").maybe("share", share)
        });
    let all = 0..rows.len();
    Chart {
        finding: format!("{} is {}", root.name, root.value),
        own: Some(Own::new(account, all)),
        rows,
        empty: "no such number".into(),
        shape: SHAPE,
        ..Chart::default()
    }
}

/// Returns the lines of the derivation to draw: the root, its parts, and the parts of its largest parts while there
/// is room.
fn drawn(root: &ExplainLine) -> Vec<DrawnLine> {
    let size = |line: &ExplainLine| line.share.unwrap_or(0.0);
    let mut room = LINES.saturating_sub(1 + root.parts.len());
    let mut largest: Vec<usize> = (0..root.parts.len()).collect();
    largest.sort_by(|one, other| size(&root.parts[*other]).total_cmp(&size(&root.parts[*one])));
    let mut opened = Vec::new();
    for at in largest {
        let parts = root.parts[at].parts.len();
        if parts > 0 && parts <= room {
            room -= parts;
            opened.push(at);
        }
    }
    let mut lines = vec![line(root, 0)];
    for (at, part) in root.parts.iter().enumerate() {
        lines.push(line(part, 1));
        if opened.contains(&at) {
            lines.extend(part.parts.iter().map(|part| line(part, 2)));
        }
    }
    lines.truncate(LINES);
    lines
}

fn line(of: &ExplainLine, level: usize) -> DrawnLine {
    let times = of.times.as_deref().map(|times| format!("{times} "));
    let note = match &of.leaf {
        None => format!("= {}", filled(&of.formula)),
        Some(Leaf::Input(key)) => format!("input {key}"),
        Some(Leaf::Fact(source)) | Some(Leaf::Constant(source, _)) => {
            source.map_or_else(String::new, |source| source.short())
        }
    };
    DrawnLine {
        level,
        name: format!("{}{}", times.unwrap_or_default(), of.name),
        value: of.value.clone(),
        share: of.share,
        note,
    }
}

impl Painter for DrawnAccount {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let width = pen.canvas.width();
        let narrow = width < NARROW_PX;
        let value_at = if narrow { width - 4.0 } else { width * 0.5 };
        let mut boxes = Vec::new();
        for (number, line) in self.lines.iter().enumerate() {
            let top = 4.0 + number as f64 * LINE_PX;
            let row = rect(0.0, top, width, top + LINE_PX - 2.0);
            let middle = row.centre().y;
            let indent = line.level as f64 * LEVEL_PX;
            let ink = pen.theme.ink_1;
            let worded = |text: &str| {
                let words = Words::label(text, ink);
                if line.level == 0 { words.bold() } else { words }
            };
            let value = worded(&line.value);
            let value_px = pen.width(&value);
            pen.write_about(&value, point(value_at, middle), Align::End, None);
            let room = value_at - value_px - 12.0 - indent;
            if let Some(name) = fitting(pen, &line.name, room, worded) {
                pen.write_about(&name, point(indent, middle), Align::Start, None);
            }
            if !narrow {
                let left = value_at + 12.0;
                if let Some(share) = line.share {
                    let end = left + BAR_PX * share.clamp(0.0, 1.0);
                    let bar = rect(left, middle - 3.0, end.max(left + 1.0), middle + 3.0);
                    let colour = pen.theme.strong;
                    pen.fill_rect(bar, colour);
                }
                let from = left + BAR_PX + 10.0;
                let note = |text: &str| Words::note(text, pen.theme.ink_2);
                if let Some(note) = fitting(pen, &line.note, width - from - 4.0, note) {
                    pen.write_about(&note, point(from, middle), Align::Start, None);
                }
            }
            boxes.push(row);
        }
        Hits::boxes(boxes)
    }
}

/// Truncates the text to the available width. Returns `None` if not even a few letters fit.
fn fitting(pen: &Pen<'_>, text: &str, room: f64, worded: impl Fn(&str) -> Words) -> Option<Words> {
    let fits = |text: &str| Some(worded(text)).filter(|words| pen.width(words) <= room);
    if text.is_empty() {
        return None;
    }
    let cut = |letters: usize| {
        let cut: String = text.chars().take(letters).collect();
        fits(&format!("{}…", cut.trim_end()))
    };
    let letters = text.chars().count();
    fits(text).or_else(|| (3..letters).rev().find_map(cut))
}
