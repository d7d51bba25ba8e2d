//! Measured systems laid over a chart of operating points: diamonds, for they are no plan of the chart's.

use crate::charts::prelude::*;

/// A measured system of the same model and accelerator.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredMark {
    /// Its batch and GPUs: `256 per GPU on 72 H100`.
    pub name: String,
    /// The run, as it is published.
    pub run: String,
    pub point: OperatingPoint,
    /// Tokens per second and GPU that the model predicts for the run's own settings.
    pub predicted_per_gpu: f64,
    /// What it costs at the scenario's price, where there is one.
    pub dollars_per_mtok: Option<f64>,
    /// What about it is not as in the scenario: `batch 18,432 → 4,096`.
    pub differs: Vec<String>,
    pub source: String,
}

impl MeasuredMark {
    /// What it is and where it is published, for tables.
    pub fn words(&self) -> String {
        format!("{}, {}: {}", self.name, self.run, self.source)
    }
}

const HALF_PX: f64 = 4.6;

/// Draws the diamonds of a plot of throughput per GPU over speed per user.
pub fn draw<'a>(pen: &mut Pen<'_>, marks: impl Iterator<Item = (&'a MeasuredMark, Point)>) {
    for (_, Point { x, y }) in marks {
        for (half, ink) in [
            (HALF_PX + 1.8, pen.theme.background),
            (HALF_PX, pen.theme.ink_2),
        ] {
            let corners = [(0.0, -half), (half, 0.0), (0.0, half), (-half, 0.0)];
            pen.fill(&corners.map(|(dx, dy)| point(x + dx, y + dy)), ink);
        }
        pen.reserve(Rect::about(point(x, y), HALF_PX + 1.0));
    }
}

/// Names them where there is room.
pub fn name<'a>(
    pen: &mut Pen<'_>,
    area: Rect,
    marks: impl Iterator<Item = (&'a MeasuredMark, Point)>,
) {
    for (mark, at) in marks {
        let [measured, predicted] = [mark.point.per_gpu, mark.predicted_per_gpu].map(format::si);
        let words = |text: String| Words::note(text, pen.theme.ink_2);
        let both = format!("measured {measured}, predicted {predicted} as it ran");
        let named = words(format!("{}: {both}", mark.name));
        Label::lines([named, words(both), words(format!("measured {measured}"))])
            .around(at, 8.0)
            .write_in(pen, area);
    }
}

pub fn tooltip(mark: &MeasuredMark) -> Tooltip {
    // From the scenario to the run.
    let few = mark.differs.iter().take(MOST);
    let more = mark.differs.len().saturating_sub(MOST);
    Tooltip::new(format!("measured: {}", mark.name), &mark.run, &mark.source)
        .across(format::sig3(mark.point.per_user))
        .rows(mark.point.rates())
        .row("batch", mark.point.batch_words())
        .row("predicted as it ran", format::si(mark.predicted_per_gpu))
        .rows(few.map(|what| TipRow::plain("differs", "").note(what)))
        .rows((more > 0).then(|| TipRow::plain(format!("and {more} more"), "")))
}

/// Differences that a tooltip has room for.
const MOST: usize = 5;
