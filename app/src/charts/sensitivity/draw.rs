//! The sensitivity chart: bars to both sides of what there is now.

use super::SensitivityData;
use super::rows::{Bands, draw_row};
use crate::charts::prelude::*;

/// Ratios of the axis.
const LEAST: f64 = 0.5;
const MOST: f64 = 2.0;

/// Above the rows: which side is which.
const TOP_PX: f64 = 20.0;

/// Below this width, names stand alone and labels are the shortest.
const NARROW_PX: f64 = 430.0;

/// Draws the chart; hits are the changes row by row, twice as much before half as much.
pub fn draw(pen: &mut Pen<'_>, data: &SensitivityData) -> Hits {
    let theme = pen.theme;
    let canvas = pen.canvas;
    if data.rows.is_empty() {
        nothing_to_show(pen, &canvas, "nothing to change");
        return Hits::default();
    }
    let narrow = canvas.width() < NARROW_PX;
    let names = names_width(pen, data, narrow);
    let label = pen.width(&Words::label("×2 → 0.000×", theme.ink_1).bold()) + 10.0;
    let label = if narrow {
        pen.width(&Words::label("0.000×", theme.ink_1).bold()) + 14.0
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
    // A band lies under everything.
    pen.seam();
    axes(pen, &plot, names);
    for (index, row) in data.rows.iter().enumerate() {
        draw_row(pen, &plot, &bands, data, (index, row));
    }
    let now = plot.x_at(1.0);
    let ink = stroke(theme.ink_1, size::HAIRLINE_PX);
    pen.line(point(now, TOP_PX - 3.0), point(now, bottom), ink);
    let sides = |index: usize, left_side: bool| {
        let (top, bottom) = bands.edges(index);
        let (left, right) = if left_side {
            (0.0, now)
        } else {
            (now, canvas.right)
        };
        rect(left, top, right, bottom)
    };
    let boxes = data.rows.iter().enumerate().flat_map(|(index, row)| {
        let twice_is_left = row.less_is_better;
        [sides(index, twice_is_left), sides(index, !twice_is_left)]
    });
    Hits::boxes(boxes).on(&plot)
}

fn names_width(pen: &Pen<'_>, data: &SensitivityData, narrow: bool) -> f64 {
    let widest = data
        .rows
        .iter()
        .map(|row| pen.width(&super::rows::name_words(pen.theme, row, narrow)))
        .fold(0.0, f64::max);
    (widest + 8.0).min(pen.canvas.width() * 0.42)
}

/// Ticks at half, same and double with their grid lines, and what the two sides mean.
fn axes(pen: &mut Pen<'_>, plot: &Plot, names: f64) {
    let theme = pen.theme;
    let grey = theme.ink_3;
    let tick = |value: f64, text: &str| (value, Words::tick(text, grey));
    let grid = stroke(theme.grid, size::HAIRLINE_PX);
    for value in [LEAST, 0.7, 1.4, MOST] {
        let x = plot.x_at(value);
        pen.line(
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
    x_axis(pen, plot, &axis);
    let heading = |text: &str| Words::tick(text.to_owned(), grey);
    let now = plot.x_at(1.0);
    let baseline = plot.area.top - 9.5;
    pen.write_if_free(&heading("now"), point(now, baseline), Align::Middle, None);
    pen.write_if_free(
        &heading("twice as much"),
        point(pen.canvas.right, baseline),
        Align::End,
        None,
    );
    pen.write_if_free(
        &heading("half as much"),
        point(names, baseline),
        Align::Start,
        None,
    );
}
