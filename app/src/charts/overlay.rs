//! Measured systems laid over a chart of operating points: diamonds, for they are no plan of the chart's.

use crate::charts::prelude::*;

/// A measured system of the same model and accelerator.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredMark {
    /// Its batch and GPUs: `256 per GPU on 72 H100`.
    pub name: String,
    /// The run, as it is published.
    pub run: String,
    /// What was measured.
    pub point: OperatingPoint,
    /// What about it is not as in the scenario: `batch 18,432 → 4,096`.
    pub differs: Vec<String>,
    /// Where it is published.
    pub source: String,
}

/// Half of a diamond's width.
const HALF_PX: f64 = 4.6;

/// Draws the diamonds of a plot of throughput per GPU over speed per user.
pub fn draw(pen: &mut Pen<'_>, at: impl Fn(&OperatingPoint) -> Point, marks: &[MeasuredMark]) {
    for mark in marks {
        let Point { x, y } = at(&mark.point);
        let corners = |half: f64| {
            [
                point(x, y - half),
                point(x + half, y),
                point(x, y + half),
                point(x - half, y),
            ]
        };
        pen.fill(&corners(HALF_PX + 1.8), pen.theme.background);
        pen.fill(&corners(HALF_PX), pen.theme.ink_2);
        pen.reserve(Rect::about(point(x, y), HALF_PX + 1.0));
    }
}

/// Names them where there is room.
pub fn name(
    pen: &mut Pen<'_>,
    area: Rect,
    at: impl Fn(&OperatingPoint) -> Point,
    marks: &[MeasuredMark],
) {
    for mark in marks {
        let ink = pen.theme.ink_2;
        let long = Words::note(format!("measured: {}", mark.name), ink);
        let batch = mark.name.split(" per").next().unwrap_or_default();
        let short = Words::note(format!("measured: {batch}"), ink);
        Label::lines([long, short])
            .around(at(&mark.point), 8.0)
            .write_in(pen, area);
    }
}

/// What a diamond says.
pub fn tooltip(mark: &MeasuredMark) -> Tooltip {
    let mut rows = vec![
        TipRow::plain(
            "throughput",
            format!("{} tok/s/GPU", format::si(mark.point.per_gpu)),
        ),
        TipRow::plain(
            "interactivity",
            format!("{} tok/s/user", format::sig3(mark.point.per_user)),
        ),
        TipRow::plain("batch", mark.point.batch_words()),
    ];
    // From the scenario to the run.
    let few = mark.differs.iter().take(MOST);
    rows.extend(few.map(|what| TipRow {
        note: what.clone(),
        ..TipRow::plain("differs", "")
    }));
    let more = mark.differs.len().saturating_sub(MOST);
    if more > 0 {
        rows.push(TipRow::plain(format!("and {more} more"), ""));
    }
    Tooltip {
        title: format!("measured: {}", mark.name),
        aside: mark.run.clone(),
        rows,
        source: mark.source.clone(),
    }
}

/// Differences that a tooltip has room for.
const MOST: usize = 5;
