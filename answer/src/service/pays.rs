//! The chart "Is disaggregation cheaper?": cost of disaggregated ÷ cost of aggregated replicas, across a plane of
//! prompt and output lengths.

use super::ServiceShown;
use crate::chart::surface::{self, Contour, Surface};
use crate::charts::prelude::*;
use model_core::inputs::{Inputs, Number};
use model_core::service::answer::ComparedCosts;
use worker::pays::PaysAnswer;

const SOURCE: &str = "fractional replicas, at least one per pool";

/// Height of the chart; it is the same at any width.
pub const SHAPE: Shape = Shape::Px(284.0);

/// Builds the chart: a plane of computed cost ratios, and the current scenario on it. If there is no answer yet, the
/// plane is missing.
pub fn pays(answer: Option<&PaysAnswer>, shown: &ServiceShown, inputs: &Inputs) -> Arc<Chart> {
    let finding = match shown.over {
        Some(over) => format!("disaggregated costs {}", format::factor(over)),
        None => "only one alternative is feasible".to_owned(),
    };
    let of = |axis: fn(&PaysAnswer) -> Vec<f64>| answer.map_or_else(Vec::new, axis);
    let (prompt, output) = shown.lengths;
    let plane = Pays {
        prompts: of(|answer| answer.lengths.prompts.clone()),
        outputs: of(|answer| answer.lengths.outputs.clone()),
        points: answer.map_or_else(Vec::new, |answer| answer.found.clone()),
        now: shown.over.map(|over| (prompt, output, over)),
        in_gpus: !inputs.get(Number::Price).is_some_and(|price| price > 0.0),
    };
    Chart::painted(&Arc::new(plane), finding, SHAPE)
}

#[derive(Clone, Debug, PartialEq)]
struct Pays {
    /// Prompt and output lengths in tokens, ascending and evenly spaced on logarithmic axes.
    prompts: Vec<f64>,
    outputs: Vec<f64>,
    /// Costs in row order: for each output length, one entry per prompt length. Empty until the first plane is
    /// computed.
    points: Vec<ComparedCosts>,
    /// Prompt length, output length and cost ratio of the current scenario.
    now: Option<(f64, f64, f64)>,
    /// True if GPUs are compared instead of costs, because no price is known.
    in_gpus: bool,
}

/// Returns a note if only one alternative, or neither, is feasible; `None` if both are.
const fn only(of: &ComparedCosts) -> Option<&'static str> {
    match (of.pools, of.aggregated) {
        (Some(_), None) => Some("only disagg. feasible"),
        (None, Some(_)) => Some("only agg. feasible"),
        (None, None) => Some("neither feasible"),
        (Some(_), Some(_)) => None,
    }
}

/// Cost ratios at the edges of the color bands.
const LEVELS: [f64; 11] = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 4.0];
const SAME: f64 = 1.0;
/// Positions at which contours may be labeled, as fractions of the plot's width.
const LABEL_AT: [f64; 7] = [0.12, 0.25, 0.4, 0.55, 0.7, 0.82, 0.92];

fn times(ratio: f64) -> String {
    format!("{ratio:.2}×")
}

impl Pays {
    fn draws(&self) -> bool {
        let axis = |values: &[f64]| values.len() > 1 && values.iter().all(|at| positive(*at));
        axis(&self.prompts) && axis(&self.outputs) && !self.points.is_empty()
    }

    /// Returns the prompt and the output length of the plane's point at an index.
    fn lengths(&self, index: usize) -> Option<(f64, f64)> {
        let columns = self.prompts.len().max(1);
        let prompt = *self.prompts.get(index % columns)?;
        Some((prompt, *self.outputs.get(index / columns)?))
    }

    fn surface(&self) -> Surface {
        let all = self.prompts.len() * self.outputs.len();
        let point = |index| self.points.get(index).and_then(ComparedCosts::over);
        Surface::of(self.prompts.len(), (0..all).map(point))
    }

    /// Returns the cost ratios of band edges that occur on the plane.
    fn levels(&self) -> Vec<f64> {
        let (low, high) = extent(self.points.iter().filter_map(ComparedCosts::over));
        let within = |level: &f64| (low..high).contains(level);
        LEVELS.into_iter().filter(within).collect()
    }

    /// Returns the contours of equal cost ratio, except the one at which both alternatives cost the same.
    fn contours(
        &self,
        pen: &Pen<'_>,
        plot: &Plot,
        surface: &Surface,
        levels: &[f64],
    ) -> Vec<Contour> {
        let others = levels.iter().filter(|level| (*level - SAME).abs() > 1e-9);
        others
            .map(|level| {
                let segments = surface.crossings(plot, *level);
                Contour {
                    words: Words::tick(format::printed(*level), pen.theme.ink_1),
                    places: places(plot, &segments),
                    segments,
                }
            })
            .collect()
    }
}

/// Returns the points of a contour at which a label may be placed. They are more than 8 px away from the top and the
/// bottom of the plot.
fn places(plot: &Plot, segments: &[(Point, Point)]) -> Vec<Point> {
    let place = |share: f64| {
        let x = plot.area.left + share * plot.area.width();
        let holds =
            |(from, to): &&(Point, Point)| (from.x.min(to.x)..=from.x.max(to.x)).contains(&x);
        let (from, to) = segments.iter().find(holds)?;
        let span = to.x - from.x;
        let along = if span.abs() <= 1e-9 {
            0.5
        } else {
            (x - from.x) / span
        };
        let y = from.towards(*to, along).y;
        (y > plot.area.top + 8.0 && y < plot.area.bottom - 8.0).then_some(point(x, y))
    };
    LABEL_AT.into_iter().filter_map(place).collect()
}

fn tokens_axis(pen: &Pen<'_>, scale: Scale) -> Vec<(f64, Words)> {
    let powers = std::iter::successors(Some(125.0), |at| Some(at * 2.0)).take(20);
    let held = powers.filter(|at| scale.holds(*at));
    held.map(|at| {
        let text = if at < 1000.0 {
            format::count(at)
        } else {
            format!("{}k", at / 1000.0)
        };
        (at, Words::tick(text, pen.theme.ink_3))
    })
    .collect()
}

impl Painter for Pays {
    /// Draws the chart. The hover targets are the cells of the plane, in the order of the plane's points, and then
    /// the current scenario.
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = usual_area(pen);
        if !self.draws() {
            return nothing_to_show(pen, &area, "computing…");
        }
        let (left, right) = extent(self.prompts.iter().copied());
        let (low, high) = extent(self.outputs.iter().copied());
        let plot = Plot::new(area, Scale::log(left, right), Scale::log(low, high));
        let (ticks, minor) = (tokens_axis(pen, plot.x), Vec::new());
        let name = "prompt tokens, log";
        x_axis(pen, &plot, &Axis { ticks, minor, name });
        let (ticks, minor) = (tokens_axis(pen, plot.y), Vec::new());
        let name = "output tokens, log";
        y_axis(pen, &plot, &Axis { ticks, minor, name }, 10.0);
        let surface = self.surface();
        let levels = self.levels();
        surface.fill(pen, &plot, &levels, false);
        let now = self.now.filter(|(x, y, _)| plot.holds((*x, *y)));
        let here = now.map(|(x, y, _)| plot.at(x, y));
        if let Some(at) = here {
            pen.reserve(Rect::about(at, 9.5));
        }
        let contours = self.contours(pen, &plot, &surface, &levels);
        surface::draw_contours(pen, &contours);
        let same = surface.crossings(&plot, SAME);
        for (from, to) in &same {
            pen.polyline(&[*from, *to], stroke(pen.theme.ink_1, 1.6));
        }
        let ink = pen.theme.ink_1;
        let bold = |text: String| vec![Words::label(text, ink).bold()];
        let ground = (area.grown(-3.0), pen.theme.background);
        if let (Some(at), Some((_, _, over))) = (here, now) {
            let wordings = [bold(format!("now {}", times(over))), bold("now".to_owned())];
            let sides = [E(15, 0), W(15, 0), NE(12, 14), NW(12, 14), S(0, 15)];
            surface::on_chip(pen, &wordings, &sides.map(|side| side.of(at)), &[], ground);
        }
        let wordings = ["1.00×, equal cost", "1.00×"].map(|text| bold(text.to_owned()));
        let on_line = places(&plot, &same).into_iter();
        let on_line = on_line.map(|at| spot(at, Align::Middle, Side::Level));
        let on_line: Vec<Spot> = on_line.collect();
        surface::on_chip(pen, &wordings, &on_line, &[], ground);
        let worse = if pen.theme.dark { "lighter" } else { "darker" };
        let what = if self.in_gpus { "GPUs" } else { "cost" };
        let key = [
            format!("{what}, disagg. ÷ agg.; {worse}: costs more"),
            format!("{what}, disagg. ÷ agg."),
        ];
        let key = key.map(|text| Words::tick(text, pen.theme.ink_3));
        pen.write_first(key, point(area.right, 10.0), Align::End);
        pen.seam();
        if let Some(at) = here {
            pen.now(at, true);
        }
        let grid = (self.outputs.len(), self.prompts.len());
        let boxes = (0..self.points.len()).map(|index| {
            let place = (index / grid.1, index % grid.1);
            HitArea::Box(surface::stretch(&area, grid, place))
        });
        let reaches: Vec<HitArea> = boxes.chain(here.map(HitArea::Point)).collect();
        let start = reaches.len().saturating_sub(1);
        Hits::new(reaches).on(&plot).starting_at(start)
    }

    fn table(&self) -> Option<Table> {
        let now = self
            .now
            .map(|(prompt, output, over)| (prompt, output, Some(over), None));
        let points = self.points.iter().enumerate().filter_map(|(index, at)| {
            let (prompt, output) = self.lengths(index)?;
            Some((prompt, output, at.over(), only(at)))
        });
        let rows: Vec<_> = now.into_iter().chain(points).collect();
        Some(
            Rows::of(&rows)
                .col("prompt", "tokens", |row| row.0)
                .col("output", "tokens", |row| row.1)
                .col("disagg. ÷ agg.", "×", |row| row.2)
                .col("note", "", |row| row.3.unwrap_or_default())
                .done(),
        )
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let title = |prompt: f64, output: f64| {
            let [prompt, output] = [prompt, output].map(format::si);
            format!("{prompt} in, {output} out")
        };
        let Some(at) = self.points.get(index) else {
            let (prompt, output, over) = self.now?;
            let tip = Tooltip::new(title(prompt, output), "now", "integer replicas");
            return Some(tip.row("disagg. ÷ agg.", times(over)));
        };
        let (prompt, output) = self.lengths(index)?;
        let tip = Tooltip::new(title(prompt, output), "", SOURCE);
        let said = at.over().map(times);
        let said = said.unwrap_or_else(|| only(at).unwrap_or_default().to_owned());
        Some(tip.row("disagg. ÷ agg.", said))
    }
}
