//! Bars in lanes: stretches of time that belong to a role, and the time below them.

use super::prelude::*;

/// Fills a stretch: a bar of its role, hatched over its first `hidden_px`; a dashed outline where nothing happens.
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

/// The ink of words on a stretch, and their rim.
pub fn inks(theme: &Theme, role: Role) -> (Colour, Colour) {
    match role {
        Role::Idle => (theme.ink_2, theme.background),
        role => (theme.role(role).on_fill, theme.role(role).fill),
    }
}

/// A lane's name, left of it.
pub fn name(pen: &mut Pen<'_>, row: &Rect, words: &Words) {
    let at = point(row.left - 7.0, row.centre().y);
    pen.write_about(words, at, Align::End, None);
}

/// A unit of time and its number in a second: µs up to a few ms.
pub fn unit(span_s: f64) -> (f64, &'static str) {
    if span_s < 2e-3 {
        (1e6, "µs")
    } else {
        (1e3, "ms")
    }
}

/// The lower axis of a plot in seconds, its ticks at least `apart_px` from each other; if the axis has no name, the
/// unit is written at zero.
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

/// The same above a plot: its ticks are hairs through the lanes.
pub fn time_axis_above(pen: &mut Pen<'_>, plot: &Plot, unit: (f64, &str), apart_px: f64) {
    for (at, words) in time_marks(pen, plot, unit, true, apart_px) {
        let [from, to] = plot.upright(at);
        pen.line(from, to, hair(pen.theme.grid));
        tick_label(pen, &words, from.x, from.y - 6.0);
    }
}

/// Ticks in a unit of time; zero first, if the unit is written there.
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
