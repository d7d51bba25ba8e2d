//! "Who waits?": the share of time that attention and feed-forward stand idle, over their ratio.

use super::ratio::{
    RatioPoint, RegimeSpan, over_ratios, ratio_text, rulers, table, tooltip, x_scale,
};
use crate::charts::prelude::*;

/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitsData {
    /// The closed form, ratios ascending.
    pub curve: Vec<RatioPoint>,
    /// What sets the pace where.
    pub regimes: Vec<RegimeSpan>,
    /// The ratio that is asked about.
    pub now: f64,
    /// Whether throughput is per GPU, else per instance.
    pub per_gpu: bool,
    /// The chart's finding.
    pub finding: String,
    /// Why there is nothing to show, where there is nothing.
    pub nothing: String,
    /// Where the values come from.
    pub source: String,
}

/// Who waits, for what share of time, and for what share when simulated.
type Waiting = (
    Role,
    &'static str,
    fn(&RatioPoint) -> f64,
    fn(&RatioPoint) -> Option<f64>,
);

/// In the order of drawing.
const WAITING: [Waiting; 2] = [
    (
        Role::Experts,
        "feed-forward waits",
        |point| point.idle_ffn,
        |point| Some(point.simulated?.idle_ffn),
    ),
    (
        Role::Attention,
        "attention waits",
        |point| point.idle_attention,
        |point| Some(point.simulated?.idle_attention),
    ),
];

impl Figure for WaitsData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let theme = pen.theme;
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        let good = |of: &&RatioPoint| {
            let shares = of.idle_attention.is_finite() && of.idle_ffn.is_finite();
            of.ratio.is_finite() && of.ratio > 0.0 && shares
        };
        let drawn: Vec<&RatioPoint> = self.curve.iter().filter(good).collect();
        if drawn.len() < 2 {
            return nothing_to_show(pen, &area, &self.nothing);
        }
        let plot = Plot::new(area, x_scale(&drawn), Scale::linear(0.0, 1.12));
        let tick = |share: f64| (share, Words::tick(format::share(share), theme.ink_3));
        let axis = Axis {
            ticks: [0.0, 0.25, 0.5, 0.75, 1.0].map(tick).into(),
            minor: Vec::new(),
            name: "share of time",
        };
        over_ratios(pen, &plot, &self.regimes, |pen| {
            y_axis(pen, &plot, &axis, 10.0);
        });
        if plot.x.holds(self.now) {
            let x = plot.x_at(self.now);
            let hair = stroke(theme.ink_1, size::HAIRLINE_PX);
            pen.line(point(x, area.top + 20.0), point(x, area.bottom), hair);
        }
        pen.seam();
        let at = |ratio: f64, share: f64| plot.at(ratio, share.clamp(0.0, 1.0));
        let lines = WAITING.map(|(role, name, share, simulated)| {
            let colour = theme.role(role).line;
            let place = |point: &&RatioPoint| (at(point.ratio, share(point)), true);
            let line: Vec<(Point, bool)> = drawn.iter().map(place).collect();
            marks::curve(pen, &line, marks::Line::Solid(colour, size::CURVE_PX));
            for point in &drawn {
                if let Some(share) = simulated(point).filter(|share| share.is_finite()) {
                    let at = at(point.ratio, share);
                    pen.open_point(at, 3.6, stroke(colour, 1.4));
                    pen.reserve(Rect::about(at, 4.4));
                }
            }
            (Words::label(name, theme.role(role).text), line)
        });
        for (words, line) in lines {
            let spots = [0.85, 0.65, 0.5, 0.35, 0.15, 0.92, 0.08].map(|share| {
                let (Point { x, y }, _) = line[((line.len() - 1) as f64 * share) as usize];
                [
                    spot(point(x, y - 9.0), Align::Middle, Side::Above),
                    spot(point(x, y + 9.0), Align::Middle, Side::Below),
                    spot(point(x - 8.0, y - 4.0), Align::End, Side::Above),
                    spot(point(x + 8.0, y + 4.0), Align::Start, Side::Below),
                ]
            });
            let label = Label::lines([words]).at(spots.into_iter().flatten());
            label.within(area).halo(theme.background).write(pen);
        }
        let top = |point: &RatioPoint| plot.y_at(point.idle_attention.max(point.idle_ffn));
        rulers(&plot, &self.curve, self.now, top)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        table(&self.curve, self.per_gpu)
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        Some(tooltip(self.curve.get(index)?, self.per_gpu, &self.source))
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        Some(ratio_text(self.curve.get(index)?.ratio))
    }
}
