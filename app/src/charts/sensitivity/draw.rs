//! The sensitivity chart: bars to both sides of what there is now.

use super::SensitivityData;
use super::rows::{Bands, draw_row};

use crate::charts::frame::{Axis, Plot, nothing_to_show, x_axis};
use crate::charts::geometry::{point, rect};
use crate::charts::hits::{Hits, Reach};
use crate::charts::scale::Scale;
use crate::charts::sketch::{Sketch, stroke};
use crate::charts::surface::{DrawError, Surface};
use crate::charts::text::{Align, Words};
use crate::theme::{Theme, size};

/// Ratios of the axis.
const LEAST: f64 = 0.5;
const MOST: f64 = 2.0;

/// Above the rows: which side is which.
const TOP_PX: f64 = 20.0;

/// Below this width, names stand alone and labels are the shortest.
const NARROW_PX: f64 = 430.0;

/// Draws the chart; hits are the changes row by row, twice as much before half as much.
pub fn draw<S: Surface>(
    surface: &mut S,
    data: &SensitivityData,
    theme: &Theme,
    focus: Option<usize>,
) -> Result<Hits, DrawError<S>> {
    let mut sketch = Sketch::new(surface, theme);
    let canvas = sketch.canvas;
    if data.rows.is_empty() {
        nothing_to_show(&mut sketch, &canvas, "nothing to change");
        sketch.finish()?;
        return Ok(Hits::default());
    }
    let narrow = canvas.width() < NARROW_PX;
    let names = names_width(&sketch, data, narrow);
    let label = sketch.width(&Words::label("×2 → 0.000×", theme.ink_1).bold()) + 10.0;
    let label = if narrow {
        sketch.width(&Words::label("0.000×", theme.ink_1).bold()) + 14.0
    } else {
        label
    };
    let left = (names + label).min(canvas.width() * 0.6);
    let right = (canvas.right - label).max(left + 20.0);
    let bottom = (canvas.bottom - size::MARGIN_BOTTOM_PX).max(TOP_PX + 10.0);
    let plot = Plot::new(
        rect(left, TOP_PX, right, bottom),
        Scale::log(LEAST, MOST),
        Scale::linear(0.0, 1.0),
    );
    let bands = Bands {
        top: TOP_PX,
        pitch: (bottom - 4.0 - TOP_PX) / data.rows.len() as f64,
        names,
        canvas,
        narrow,
    };
    axes(&mut sketch, &plot, names);
    for (index, row) in data.rows.iter().enumerate() {
        let focused = focus.filter(|hit| hit / 2 == index).map(|hit| hit % 2);
        draw_row(&mut sketch, &plot, &bands, data, (index, row), focused);
    }
    let now = plot.x_at(1.0);
    let ink = stroke(theme.ink_1, size::HAIRLINE_PX);
    sketch.line(point(now, TOP_PX - 3.0), point(now, bottom), ink);
    sketch.finish()?;
    let sides = |index: usize, left_side: bool| {
        let (top, bottom) = bands.edges(index);
        Reach::Box {
            left_px: if left_side { 0.0 } else { now },
            top_px: top,
            right_px: if left_side { now } else { canvas.right },
            bottom_px: bottom,
        }
    };
    let reaches = data.rows.iter().enumerate().flat_map(|(index, row)| {
        let twice_is_left = row.less_is_better;
        [sides(index, twice_is_left), sides(index, !twice_is_left)]
    });
    Ok(Hits::new(reaches.collect()))
}

fn names_width<S: Surface>(sketch: &Sketch<'_, S>, data: &SensitivityData, narrow: bool) -> f64 {
    let widest = data
        .rows
        .iter()
        .map(|row| sketch.width(&super::rows::name_words(sketch.theme, row, narrow)))
        .fold(0.0, f64::max);
    (widest + 8.0).min(sketch.canvas.width() * 0.42)
}

/// Ticks at half, same and double with their grid lines, and what the two sides mean.
fn axes<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, names: f64) {
    let theme = sketch.theme;
    let grey = theme.ink_3;
    let tick = |value: f64, text: &str| (value, Words::tick(text, grey));
    let grid = stroke(theme.grid, size::HAIRLINE_PX);
    for value in [LEAST, 0.7, 1.4, MOST] {
        let x = plot.x_at(value);
        sketch.line(
            point(x, plot.area.top - 3.0),
            point(x, plot.area.bottom),
            grid,
        );
    }
    let axis = Axis {
        ticks: vec![
            (1.0, Words::tick("1×", theme.ink_1).bold()),
            tick(LEAST, "0.5×"),
            tick(MOST, "2×"),
            tick(0.7, "0.7×"),
            tick(1.4, "1.4×"),
        ],
        minor: vec![0.6, 0.8, 0.9, 1.2, 1.6, 1.8],
        name: "throughput over now, log",
    };
    x_axis(sketch, plot, &axis);
    let heading = |text: &str| Words::tick(text.to_owned(), grey);
    let now = plot.x_at(1.0);
    let baseline = plot.area.top - 9.5;
    sketch.write_if_free(&heading("now"), point(now, baseline), Align::Middle, None);
    sketch.write_if_free(
        &heading("twice as much"),
        point(sketch.canvas.right, baseline),
        Align::End,
        None,
    );
    sketch.write_if_free(
        &heading("half as much"),
        point(names, baseline),
        Align::Start,
        None,
    );
}
