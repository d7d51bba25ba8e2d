//! "Who waits?": the share of time that attention and feed-forward stand idle, over their ratio.

use super::ratio::draw::{name_regimes, ratio_axis, regimes, rulers, x_scale};
use super::ratio::{RatioPoint, RegimeSpan, ratio_text, table, tooltip};
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

/// Who waits, in the order of drawing.
const WAITING: [(Role, &str); 2] = [
    (Role::Experts, "feed-forward waits"),
    (Role::Attention, "attention waits"),
];

fn share_of(role: Role, point: &RatioPoint) -> f64 {
    match role {
        Role::Attention => point.idle_attention,
        _ => point.idle_ffn,
    }
}

fn simulated_of(role: Role, point: &RatioPoint) -> Option<f64> {
    let simulated = point.simulated?;
    let share = match role {
        Role::Attention => simulated.idle_attention,
        _ => simulated.idle_ffn,
    };
    share.is_finite().then_some(share.clamp(0.0, 1.0))
}

impl Figure for WaitsData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let theme = pen.theme;
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        let good = |point: &&RatioPoint| {
            point.ratio.is_finite()
                && point.ratio > 0.0
                && point.idle_attention.is_finite()
                && point.idle_ffn.is_finite()
        };
        let drawn: Vec<&RatioPoint> = self.curve.iter().filter(good).collect();
        if drawn.len() < 2 {
            nothing_to_show(pen, &area, &self.nothing);
            return Hits::default();
        }
        let plot = Plot::new(area, x_scale(&drawn), Scale::linear(0.0, 1.12));
        regimes(pen, &plot, &self.regimes);
        let ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
            .map(|value| (value, Words::tick(format::share(value), theme.ink_3)));
        y_axis(
            pen,
            &plot,
            &Axis {
                ticks: ticks.into(),
                minor: Vec::new(),
                name: "share of time",
            },
            10.0,
        );
        ratio_axis(pen, &plot);
        name_regimes(pen, &plot, &self.regimes);
        if plot.x.holds(self.now) {
            let x = plot.x_at(self.now);
            pen.line(
                point(x, area.top + 20.0),
                point(x, area.bottom),
                stroke(theme.ink_1, size::HAIRLINE_PX),
            );
        }
        pen.seam();
        let mut segments = Vec::new();
        let mut lines = Vec::new();
        for (role, name) in WAITING {
            let line: Vec<Point> = drawn
                .iter()
                .map(|point| plot.at(point.ratio, share_of(role, point).clamp(0.0, 1.0)))
                .collect();
            let colour = theme.role(role).line;
            pen.polyline(&line, stroke(colour, size::CURVE_PX));
            for point in &drawn {
                if let Some(share) = simulated_of(role, point) {
                    let at = plot.at(point.ratio, share);
                    pen.open_point(at, 3.6, stroke(colour, 1.4));
                    pen.reserve(Rect::about(at, 4.4));
                }
            }
            segments.extend(line.windows(2).map(|pair| (pair[0], pair[1])));
            lines.push((role, name, line));
        }
        for (role, name, line) in lines {
            let words = vec![Words::label(name, theme.role(role).text)];
            let along = |share: f64| line[((line.len() - 1) as f64 * share) as usize];
            let spots: Vec<_> = [0.85, 0.65, 0.5, 0.35, 0.15, 0.92, 0.08]
                .into_iter()
                .flat_map(|share| {
                    let at = along(share);
                    [
                        spot(point(at.x, at.y - 9.0), Align::Middle, Side::Above),
                        spot(point(at.x, at.y + 9.0), Align::Middle, Side::Below),
                        spot(point(at.x - 8.0, at.y - 4.0), Align::End, Side::Above),
                        spot(point(at.x + 8.0, at.y + 4.0), Align::Start, Side::Below),
                    ]
                })
                .collect();
            pen.place(&[words], &spots, &area, &segments, Some(theme.background));
        }
        rulers(&plot, &self.curve, self.now, |point| {
            plot.y_at(point.idle_attention.max(point.idle_ffn))
        })
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

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px)
    }
}
