//! Lanes of bars along a time axis, with a color for each role (such as attention or communication).

use super::prelude::*;

/// Draws a bar in the color of its role. Its first `hidden_px` are hatched, since this part is overlapped. Idle time
/// is a dashed outline.
pub fn stretch(pen: &mut Pen<'_>, area: Rect, role: Role, hidden_px: f64) {
    if role == Role::Idle {
        return marks::idle(pen, area, 1.0);
    }
    let colours = *pen.theme.role(role);
    let filled = marks::bar(pen, area, &colours);
    if hidden_px > 0.0 {
        let edge = if pen.theme.dark { size::EDGE_PX } else { 0.0 };
        let hidden = Rect {
            top: filled.top + edge,
            right: filled.right.min(filled.left + hidden_px),
            ..filled
        };
        let veil = stroke(pen.theme.hidden, 1.5);
        pen.hatch(&hidden.corners(), 7.0, Hatch::Rising, veil);
    }
}

/// Returns the color of text on a bar, and the color of the text's outline.
pub fn inks(theme: &Theme, role: Role) -> (Colour, Colour) {
    match role {
        Role::Idle => (theme.ink_2, theme.background),
        role => (theme.role(role).on_fill, theme.role(role).fill),
    }
}

/// Writes the name of a lane to its left.
pub fn name(pen: &mut Pen<'_>, row: &Rect, words: &Words) {
    let at = point(row.left - 7.0, row.centre().y);
    pen.write_about(words, at, Align::End, None);
}

/// Returns the number of time units per second and the unit's name: µs for spans below 2 ms, otherwise ms.
pub fn unit(span_s: f64) -> (f64, &'static str) {
    if span_s < 2e-3 {
        (1e6, "µs")
    } else {
        (1e3, "ms")
    }
}

/// Draws the time axis below a plot whose horizontal scale is in seconds, with ticks at least `apart_px` from each
/// other. If the axis has no name, the tick at zero shows the unit.
pub fn time_axis(
    pen: &mut Pen<'_>,
    plot: &Plot,
    unit: (f64, &str),
    name: &str,
    apart_px: f64,
    first: Vec<(f64, Words)>,
) {
    let marks = time_marks(pen, plot, unit, name.is_empty(), apart_px);
    let axis = Axis {
        ticks: first.into_iter().chain(marks).collect(),
        minor: Vec::new(),
        name,
    };
    x_axis(pen, plot, &axis);
}

/// Draws the time axis above a plot, with its ticks as thin lines through the lanes.
pub fn time_axis_above(pen: &mut Pen<'_>, plot: &Plot, unit: (f64, &str), apart_px: f64) {
    for (at, words) in time_marks(pen, plot, unit, true, apart_px) {
        let [from, to] = plot.upright(at);
        pen.line(from, to, hair(pen.theme.grid));
        tick_label(pen, &words, from.x, from.y - 6.0);
    }
}

/// Returns the axis ticks in a unit of time. If `zero` is true, the first tick is at zero and names the unit.
fn time_marks(
    pen: &Pen<'_>,
    plot: &Plot,
    (per_s, unit): (f64, &str),
    zero: bool,
    apart_px: f64,
) -> Vec<(f64, Words)> {
    let longest = plot.x.high() * per_s;
    let step = nice_step(longest, room(plot.area.width(), apart_px));
    let zero = zero.then(|| (0.0, format!("0 {unit}")));
    let values = multiples(0.0, longest, step).into_iter();
    let marks = values.map(|tick| (tick / per_s, format::si_tick(tick)));
    let words = |(at, text)| (at, Words::tick(text, pen.theme.ink_3));
    zero.into_iter().chain(marks).map(words).collect()
}
