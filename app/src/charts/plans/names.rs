//! Labels of the frontiers: values at the SLO, now, names of lines, and where they go on to.

use super::{NARROW_PX, PlanLine, PlanNow, PlansData, Value, axes};
use crate::charts::prelude::*;
use crate::order::sort_by;

/// Width of the axes' switch in the first line of a phone's chart.
const SWITCH_PX: f64 = 84.0;
const MARKER_PX: f64 = 4.4;

/// Writes everything, what matters most first.
pub fn write(
    pen: &mut Pen<'_>,
    plot: &Plot,
    data: &PlansData,
    (rule, things): (Option<f64>, &[Thing]),
) {
    match (rule, data.slo_tokens_per_s_per_user) {
        (Some(least), _) => slo(pen, plot, least),
        (None, Some(least)) => marks::far_slo(pen, plot, least),
        _ => {}
    }
    let bests = bests(plot, data);
    for best in &bests {
        pen.reserve(Rect::about(best.at, 5.0));
    }
    let now = data
        .now
        .as_ref()
        .zip(data.now.as_ref().and_then(|of| place(plot, data, of)));
    if let Some((_, Place { at, to: None, .. })) = now {
        pen.reserve(Rect::about(at, 9.0));
    }
    let pinned = data.pinned.as_ref().and_then(|of| place(plot, data, of));
    if let Some(Place { at, to, .. }) = pinned {
        if to.is_none() {
            marks::ghost(pen, at);
        }
        marks::name_ghost(pen, at, plot.area);
    }
    // At the rule each line's value; with its batch for the one that leads.
    for (order, best) in bests.iter().enumerate() {
        let long = (order == 0).then_some(best.batch);
        let ink = best.ink(pen.theme, pen.theme.ink_1);
        let wordings = value_words(pen, data, (best.value, long), ink);
        let x = rule
            .map_or(best.at.x, |least| plot.x_at(least))
            .max(best.at.x);
        let label = Label::lines(wordings).near(
            point(x, best.at.y),
            &[NE(9, 1), E(9, 0), SE(9, 4), SE(9, 12), NE(9, 10)],
        );
        // The table says the others, too.
        match order {
            0 => label.write_over(pen, plot.area),
            _ => label.write_in(pen, plot.area),
        };
    }
    if let Some((now, place)) = now {
        name_now(pen, plot, data, now, place);
    }
    told(pen, plot, data, &bests);
    for group in pen.grouped(things) {
        name(pen, plot, data, (&group, things));
    }
    goes_on(pen, plot, data);
    for best in bests {
        let ink = best.ink(pen.theme, pen.theme.series(best.series).line);
        axes::marker_in(pen, best.at, best.series, MARKER_PX, ink, false);
    }
}

/// The best point of a line at the SLO.
struct Best {
    at: Point,
    series: Series,
    value: f64,
    batch: f64,
    /// The plan that the headline is about.
    told: bool,
}

impl Best {
    /// The accent for the headline's plan, else another.
    fn ink(&self, theme: &Theme, other: Colour) -> Colour {
        if self.told { theme.accent } else { other }
    }
}

fn bests(plot: &Plot, data: &PlansData) -> Vec<Best> {
    let shown = data.lines.iter().filter(|line| !line.hidden);
    let best = shown.filter_map(|line| {
        let plan = line.points.get(line.best?)?;
        let (speed, value) = (plan.point.per_user, plan.value(data.value)?);
        plot.holds((speed, value)).then(|| Best {
            at: plot.at(speed, value),
            series: line.series,
            value,
            batch: plan.point.batch,
            told: { data.told.as_ref() }.is_some_and(|told| told.point == plan.point),
        })
    });
    let mut bests: Vec<Best> = best.collect();
    let worth = |best: &Best| data.value.worth(best.value);
    sort_by(&mut bests, |one, other| worth(other).total_cmp(&worth(one)));
    bests
}

/// A value with its batch where that is asked for, and alone.
fn value_words(
    pen: &Pen<'_>,
    data: &PlansData,
    (value, batch): (f64, Option<f64>),
    ink: Colour,
) -> impl Iterator<Item = Words> + use<> {
    let grey = pen.theme.ink_2;
    let bold = Words::label(data.value.words(value), ink).bold();
    let batch = batch.map(|batch| format!(" batch {}", format::count(batch)));
    let long = batch.map(|batch| bold.clone().and(batch, grey));
    long.into_iter().chain([bold])
}

fn slo(pen: &mut Pen<'_>, plot: &Plot, least: f64) {
    let at = point(plot.x_at(least), plot.area.top - 6.0);
    let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
    // On a phone the switch of the axes stands at the end of this line.
    let narrow = pen.canvas.width() < NARROW_PX;
    let right = Rect {
        top: 0.0,
        right: pen.canvas.right - if narrow { SWITCH_PX } else { 0.0 },
        ..plot.area
    };
    let least = format::printed(least);
    // Only the side that it names has the speeds that keep it.
    let keeps = [
        format!("{least} tok/s per user or faster"),
        format!("≥ {least} tok/s per user"),
        format!("≥ {least} tok/s"),
        format!("≥ {least}"),
    ];
    let keeps = Label::lines(keeps.map(|text| Words::label(text, ink).bold())).on_lines();
    let above = keeps.clone().near(at, &[NE(9, 0)]).within(right).write(pen);
    if above.is_none() {
        let head = point(at.x, plot.area.top);
        let inside = keeps.near(head, &[SE(9, 6), SE(9, 24), SE(9, 42)]);
        inside.write_in(pen, plot.area);
    }
    Label::lines([Words::label("misses it", grey)])
        .near(at, &[NW(9, 0)])
        .on_lines()
        .within(right)
        .write(pen);
}

/// The place of a scenario, or the nearest one on the frame and its direction from there.
#[derive(Clone, Copy)]
struct Place {
    at: Point,
    to: Option<Point>,
    value: f64,
}

fn place(plot: &Plot, data: &PlansData, now: &PlanNow) -> Option<Place> {
    let value = data.value.of(&now.point, now.dollars_per_mtok)?;
    let (speed, far) = (now.point.per_user, 4.0);
    let at = plot.at(
        speed.min(plot.x.high() * far),
        value.min(plot.y.high() * far),
    );
    let inside = plot.holds((speed, value));
    let within = plot.area.grown(-10.0).nearest(at);
    Some(Place {
        at: if inside { at } else { within },
        to: (!inside).then_some(at),
        value,
    })
}

/// The scenario being edited: its mark and its words, or an arrow at the frame with its values.
fn name_now(pen: &mut Pen<'_>, plot: &Plot, data: &PlansData, now: &PlanNow, place: Place) {
    let (ink, at) = (pen.ink(now.point.fits), place.at);
    let bold = |text: &str| Words::label(text, ink).bold();
    let Some(to) = place.to else {
        pen.now(at, now.point.fits);
        let batch = bold(&format!("now: batch {}", format::count(now.point.batch)));
        let second = match now.point.fits {
            true => now.label,
            false => "does not fit",
        };
        let second = Words::note(second, pen.theme.ink_2);
        Label::blocks([vec![batch.clone(), second], vec![batch], vec![bold("now")]])
            .near(at, &[W(12, 0), NW(12, 4), SW(12, 4)])
            .around(at, 12.0)
            .write_over(pen, plot.area);
        return;
    };
    let (tip, back) = (at.along(to, 8.0), at.along(to, -2.0));
    pen.polyline(&[back, tip], stroke(ink, 1.6));
    marks::arrow_head(pen, back, tip, (5.0, 4.0), stroke(ink, 1.6));
    pen.reserve(Rect::about(at, 8.0));
    let speed = format::sig3(now.point.per_user);
    let words = format!("now: {} at {speed} tok/s", data.value.words(place.value));
    Label::lines([bold(&words), bold("now")])
        .around(at, 11.0)
        .write_over(pen, plot.area);
}

/// The plan that the headline is about, where it is no line's best.
fn told(pen: &mut Pen<'_>, plot: &Plot, data: &PlansData, bests: &[Best]) {
    let Some(told) = &data.told else { return };
    let value = data.value.of(&told.point, told.dollars_per_mtok);
    let value = value.filter(|value| plot.holds((told.point.per_user, *value)));
    let Some(value) = value else { return };
    let at = plot.at(told.point.per_user, value);
    if bests.iter().any(|best| best.told) {
        return;
    }
    let accent = pen.theme.accent;
    axes::marker_in(pen, at, told.series, MARKER_PX, accent, false);
    pen.reserve(Rect::about(at, 5.0));
    let value = (value, Some(told.point.batch));
    Label::lines(value_words(pen, data, value, accent))
        .around(at, 9.0)
        .write_over(pen, plot.area);
}

/// Shares of a line's length in the frame at which its name may stand.
const NAME_AT: [f64; 9] = [0.45, 0.55, 0.35, 0.65, 0.25, 0.75, 0.15, 0.85, 0.95];

/// The name of a line, or of lines that are one: right of it, one's own left of it; else its marker in the table stands
/// for it.
fn name(pen: &mut Pen<'_>, plot: &Plot, data: &PlansData, (group, things): (&[usize], &[Thing])) {
    let (Some(first), Some(last)) = (group.first(), group.last()) else {
        return;
    };
    let (line, own) = (&data.lines[*first], things[*last]);
    let pieces = plot.area.cut(&data.lines[*last].through(plot, data.value));
    let Some(piece) = pieces.iter().max_by_key(|piece| piece.len()) else {
        return;
    };
    let mut sides = [NE(10, 2), E(12, 0), NE(4, 6), W(12, 0), SW(10, 4), SW(6, 6)];
    if line.series == Series::Own {
        sides.rotate_left(3);
    }
    let ink = pen.theme.series(line.series).text;
    let names = |of: &PlanLine| [of.name.clone(), of.short.clone()];
    let names = group.iter().map(|at| names(&data.lines[*at]));
    let words = names.reduce(|all, [long, short]| {
        let [first, brief] = all;
        [format!("{first}, {long}"), format!("{brief}, {short}")]
    });
    let words = words.into_iter().flatten();
    let words = words.map(|name| Words::label(name, ink).bold());
    Label::lines(words)
        .along(piece, &NAME_AT, &sides)
        .naming(own)
        .write_in(pen, plot.area);
}

/// The fastest line beyond the frame's right edge: "TP goes on to 535 →".
fn goes_on(pen: &mut Pen<'_>, plot: &Plot, data: &PlansData) {
    let speed = |(_, plan, _): &(usize, &super::PlanPoint, f64)| plan.point.per_user;
    // Of equals the first line, which lies on top.
    let fastest = { data.hits() }.reduce(|one, other| match speed(&other) > speed(&one) {
        true => other,
        false => one,
    });
    let Some(fastest) = fastest.filter(|of| !plot.x.holds(speed(of)) && !data.log) else {
        return;
    };
    let (name, speed) = (fastest.1.family, format::sig3(speed(&fastest)));
    let words = [
        format!("{name} goes on to {speed} →"),
        format!("{name} to {speed} →"),
    ];
    let Rect { right, bottom, .. } = plot.area;
    let heights = match data.value {
        Value::PerGpu => [0.16, 0.24, 0.34, 0.5, 0.7, 0.05],
        Value::Dollars => [0.8, 0.9, 0.5, 0.3, 0.15, 0.05],
    };
    let at = |share: f64| W(0, 0).of(point(right, bottom - share * plot.area.height()));
    Label::lines(words.map(|text| Words::note(text, pen.theme.ink_3)))
        .at(heights.map(at))
        .write_in(pen, plot.area);
}
