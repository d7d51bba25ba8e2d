//! "Where does the time go?": a step of the split beside one of the homogeneous cluster, part by part.

use crate::charts::prelude::*;
/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct PartsData {
    /// The split first, then what it is compared with.
    pub rows: Vec<PartsRow>,
    /// The chart's finding.
    pub finding: String,
    /// Where the values come from.
    pub source: String,
}

/// One deployment's step.
#[derive(Clone, Debug, PartialEq)]
pub struct PartsRow {
    /// `2 × H100 + 4 × H20`.
    pub name: String,
    /// `51 sequences per batch`.
    pub aside: String,
    /// Parts one after the other; they make the step.
    pub parts: Vec<Part>,
    /// Time that runs beside other parts, in seconds.
    pub hidden_s: f64,
    /// What is hidden.
    pub hidden_name: &'static str,
    /// Tokens per second of all.
    pub tokens_per_s: f64,
}

/// A part of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// `attention over the cache`.
    pub name: String,
    /// On a narrow bar: `attention`.
    pub short: &'static str,
    /// Its colour; idle for waiting.
    pub role: Role,
    /// Where it runs: `on the memory devices`.
    pub place: &'static str,
    /// In seconds.
    pub time_s: f64,
}

impl PartsRow {
    /// The step in seconds.
    pub fn step_s(&self) -> f64 {
        self.parts.iter().map(|part| part.time_s).sum()
    }

    fn draws(&self) -> bool {
        self.step_s().is_finite() && self.step_s() > 0.0
    }
}

const ROW_PITCH_PX: f64 = 92.0;
const BAR_TOP_PX: f64 = 24.0;
const BAR_PX: f64 = 34.0;
const STRIP_PX: f64 = 8.0;

/// Parts in the order of hits: row by row.
fn parts_of(data: &PartsData) -> Vec<(&PartsRow, &Part)> {
    data.rows
        .iter()
        .filter(|row| row.draws())
        .flat_map(|row| row.parts.iter().map(move |part| (row, part)))
        .filter(|(_, part)| part.time_s > 0.0)
        .collect()
}

impl Figure for PartsData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, 1.0, 8.0);
        let longest = self
            .rows
            .iter()
            .filter(|row| row.draws())
            .map(PartsRow::step_s)
            .fold(0.0, f64::max);
        if longest <= 0.0 {
            nothing_to_show(pen, &area, "no step to show");
            return Hits::default();
        }
        let plot = Plot::new(
            area,
            Scale::linear(0.0, longest * 1e3),
            Scale::linear(0.0, 1.0),
        );
        draw_axis(pen, &plot);
        let mut boxes = Vec::new();
        for (index, row) in self.rows.iter().filter(|row| row.draws()).enumerate() {
            let top = area.top + index as f64 * ROW_PITCH_PX;
            draw_row(pen, &plot, row, top, &mut boxes);
        }
        Hits::boxes(boxes)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let rows = self.rows.iter().flat_map(|row| {
            let parts = row.parts.iter().map(|part| {
                vec![
                    Cell::from(row.name.as_str()),
                    Cell::from(part.name.as_str()),
                    Cell::from(part.place),
                    Cell::from(part.time_s * 1e3),
                ]
            });
            let hidden = (row.hidden_s > 0.0).then(|| {
                vec![
                    Cell::from(row.name.as_str()),
                    Cell::from(row.hidden_name),
                    Cell::from("hidden, not part of the step"),
                    Cell::from(row.hidden_s * 1e3),
                ]
            });
            parts.chain(hidden).collect::<Vec<_>>()
        });
        Table {
            columns: vec![
                Column::new("deployment", ""),
                Column::new("part", ""),
                Column::new("where", ""),
                Column::new("time", "ms"),
            ],
            rows: rows.collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let parts = parts_of(self);
        let (row, part) = parts.get(index)?;
        let mut rows = vec![
            TipRow::of(
                part.role,
                part.name.clone(),
                part.place,
                format::millis(part.time_s).to_string(),
            ),
            TipRow::plain("of the step", format::share(part.time_s / row.step_s())),
            TipRow::plain("step", format::millis(row.step_s()).to_string()),
            TipRow::plain(
                "throughput",
                format!("{} tok/s", format::si(row.tokens_per_s)),
            ),
        ];
        if row.hidden_s > 0.0 {
            rows.push(TipRow::plain(
                format!("hidden {}", row.hidden_name),
                format::millis(row.hidden_s).to_string(),
            ));
        }
        Some(Tooltip {
            title: row.name.clone(),
            aside: row.aside.clone(),
            rows,
            source: self.source.clone(),
        })
    }

    fn height_px(_width_px: f64) -> f64 {
        8.0 + 2.0 * ROW_PITCH_PX + size::MARGIN_BOTTOM_PX
    }
}

fn draw_axis(pen: &mut Pen<'_>, plot: &Plot) {
    let ink = pen.theme.ink_3;
    let ticks = plot
        .x
        .ticks((plot.area.width() / 60.0).max(2.0) as usize)
        .into_iter()
        .map(|value| (value, Words::tick(format::si_tick(value), ink)))
        .collect();
    x_axis(
        pen,
        plot,
        &Axis {
            ticks,
            minor: Vec::new(),
            name: "ms per step",
        },
    );
}

fn draw_row(pen: &mut Pen<'_>, plot: &Plot, row: &PartsRow, top: f64, boxes: &mut Vec<Rect>) {
    let (ink_1, ink_2, ink_3) = (pen.theme.ink_1, pen.theme.ink_2, pen.theme.ink_3);
    let left = plot.area.left;
    let says = format!(
        "{} · {} tok/s",
        format::millis(row.step_s()),
        format::si(row.tokens_per_s)
    );
    let head = top + 15.0;
    pen.write_if_free(
        &Words::label(says, ink_1).bold(),
        point(plot.area.right, head),
        Align::End,
        None,
    );
    let name = || Words::sized(size::LABEL_PX).and_bold(row.name.clone(), ink_1);
    let long = name().and(format!("  {}", row.aside), ink_3);
    if pen
        .write_if_free(&long, point(left, head), Align::Start, None)
        .is_none()
    {
        pen.write_if_free(&name(), point(left, head), Align::Start, None);
    }
    let bar = |from: f64, to: f64| {
        rect(
            plot.x_at(from * 1e3),
            top + BAR_TOP_PX,
            plot.x_at(to * 1e3),
            top + BAR_TOP_PX + BAR_PX,
        )
    };
    let mut at = 0.0;
    let mut hidden_under: Option<Rect> = None;
    let mut longest = 0.0;
    for part in row.parts.iter().filter(|part| part.time_s > 0.0) {
        let area = bar(at, at + part.time_s);
        at += part.time_s;
        draw_part(pen, part, area);
        // What is hidden runs beside the longest part that is not waiting.
        if part.role != Role::Idle && part.time_s > longest {
            longest = part.time_s;
            hidden_under = Some(area);
        }
        boxes.push(area);
    }
    if let Some(beside) = hidden_under.filter(|_| row.hidden_s > 0.0) {
        let width = plot.x_at(row.hidden_s * 1e3) - plot.area.left;
        // Never beyond the step's end, as far as the step is long enough.
        let end = plot.x_at(row.step_s() * 1e3);
        let left = beside.left.min(end - width).max(plot.area.left);
        let right = (left + width).min(plot.area.right);
        let strip = rect(
            left,
            beside.bottom + 2.0,
            right,
            beside.bottom + 2.0 + STRIP_PX,
        );
        let fill = pen.theme.role(Role::Messages).fill;
        pen.fill_rect(strip, fill);
        let veil = pen.theme.hidden;
        pen.hatch(&strip.corners(), 5.0, Hatch::Rising, stroke(veil, 2.2));
        let words = Words::tick(
            format!(
                "hidden: {} {}",
                format::millis(row.hidden_s),
                row.hidden_name
            ),
            ink_2,
        );
        let baseline = strip.bottom + 12.0;
        if pen
            .write_if_free(&words, point(strip.left, baseline), Align::Start, None)
            .is_none()
        {
            pen.write_if_free(&words, point(plot.area.right, baseline), Align::End, None);
        }
    }
}

fn draw_part(pen: &mut Pen<'_>, part: &Part, area: Rect) {
    let (strong, ink_2) = (pen.theme.strong, pen.theme.ink_2);
    let colours = *pen.theme.role(part.role);
    let seam = pen.theme.background;
    if part.role == Role::Idle {
        pen.dashed_outline(area.grown(-0.5), stroke(strong, size::HAIRLINE_PX));
    } else {
        pen.fill_rect(area, colours.fill);
        if pen.theme.dark {
            let edge = rect(area.left, area.top, area.right, area.top + size::EDGE_PX);
            pen.fill_rect(edge, colours.line);
        }
        pen.line(
            point(area.right, area.top),
            point(area.right, area.bottom),
            stroke(seam, size::HAIRLINE_PX),
        );
    }
    let ink = if part.role == Role::Idle {
        ink_2
    } else {
        colours.on_fill
    };
    let time = format::millis(part.time_s).value;
    let fits = |pen: &Pen<'_>, words: &Words| pen.width(words) <= area.width() - 8.0;
    for text in [
        format!("{} {time}", part.name),
        format!("{} {time}", part.short),
        part.short.to_owned(),
        time.clone(),
    ] {
        let words = Words::label(text, ink);
        if fits(pen, &words) {
            let at = point(area.left + 5.0, words.baseline_about(area.centre().y));
            pen.write_if_free(&words, at, Align::Start, None);
            break;
        }
    }
}
