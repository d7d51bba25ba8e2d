//! What is written on the frontiers: values at the SLO, now, names of lines, and where they go on to.

use super::{PlanNow, PlansData, Value, axes};
use crate::charts::prelude::*;
use crate::theme::Series;

/// A phone's chart, and how much of its first line the switch of the axes takes.
const NARROW_PX: f64 = 420.0;
const SWITCH_PX: f64 = 84.0;
/// Words keep off the rule by this.
const OFF_RULE_PX: f64 = 9.0;
/// A marker's half width.
const MARKER_PX: f64 = 4.4;

/// Writes everything, what matters most first.
pub fn write(pen: &mut Pen<'_>, plot: &Plot, data: &PlansData, rule: Option<f64>) {
    match (rule, data.slo_tokens_per_s_per_user) {
        (Some(least), _) => slo(pen, plot, least),
        (None, Some(least)) if least > plot.x.high() => {
            let text = format!("SLO {} →", format::printed(least));
            let words = Words::label(text, pen.theme.ink_1).bold();
            let at = point(plot.area.right, plot.area.top - 6.0);
            Label::lines([words])
                .at([spot(at, Align::End, Side::Above)])
                .write(pen);
        }
        _ => {}
    }
    let bests = bests(plot, data);
    for (at, ..) in &bests {
        pen.reserve(Rect::about(*at, 5.0));
    }
    let now = data.now.as_ref().and_then(|now| place(plot, data, now));
    if let Some((at, true)) = now {
        pen.reserve(Rect::about(at, 9.0));
    }
    let pinned = data.pinned.as_ref().and_then(|of| place(plot, data, of));
    if let Some((at, inside)) = pinned {
        if inside {
            marks::ghost(pen, at);
        }
        let words = Words::label("A", pen.theme.ink_1).bold();
        let label = Label::lines([words]).around(at, 9.0);
        label.write_in(pen, plot.area);
    }
    for (order, best) in bests.iter().enumerate() {
        value(pen, plot, data, best, order == 0, rule);
    }
    if let (Some(now), Some((at, inside))) = (&data.now, now) {
        name_now(pen, plot, data, now, at, inside);
    }
    marked(pen, plot, data);
    for index in 0..data.lines.len() {
        name(pen, plot, data, index);
    }
    goes_on(pen, plot, data);
    for (at, series, _, yours, _) in bests {
        let ink = match yours {
            true => pen.theme.accent,
            false => pen.theme.series(series).line,
        };
        axes::marker_in(pen, at, series, MARKER_PX, ink, false);
    }
}

/// What each line reaches at the SLO: place, series, value, whether it is one's own, the batch; best first.
type Best = (Point, Series, f64, bool, f64);

fn bests(plot: &Plot, data: &PlansData) -> Vec<Best> {
    let mut bests: Vec<Best> = data
        .lines
        .iter()
        .filter(|line| !line.hidden)
        .filter_map(|line| {
            let plan = line.points.get(line.best?)?;
            let value = plan.value(data.value)?;
            let speed = plan.point.per_user;
            let holds = plot.x.holds(speed) && plot.y.holds(value);
            let yours = line.series == Series::Own;
            holds.then(|| {
                let at = plot.at(speed, value);
                (at, line.series, value, yours, plan.point.batch)
            })
        })
        .collect();
    bests.sort_by(|one, other| {
        let worth = |best: &Best| data.value.worth(best.2);
        worth(other).total_cmp(&worth(one))
    });
    bests
}

/// The words above the rule.
fn slo(pen: &mut Pen<'_>, plot: &Plot, least: f64) {
    let (x, y) = (plot.x_at(least), plot.area.top - 6.0);
    let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
    // On a phone the switch of the axes stands at the end of this line.
    let narrow = pen.canvas.width() < NARROW_PX;
    let right = Rect {
        top: 0.0,
        right: pen.canvas.right - if narrow { SWITCH_PX } else { 0.0 },
        ..plot.area
    };
    let speed = format!("{} tok/s per user", format::printed(least));
    let long = format!("{speed} or faster");
    let words = [long, speed, "SLO".to_owned()].map(|text| Words::label(text, ink).bold());
    Label::lines(words)
        .at([
            spot(point(x + OFF_RULE_PX, y), Align::Start, Side::Above),
            spot(point(x - OFF_RULE_PX, y), Align::End, Side::Above),
        ])
        .on_lines()
        .within(right)
        .write(pen);
    Label::lines([Words::label("misses it", grey)])
        .at([spot(point(x - OFF_RULE_PX, y), Align::End, Side::Above)])
        .on_lines()
        .within(right)
        .write(pen);
}

/// The value of a line at the rule; with its batch for the one that leads.
fn value(
    pen: &mut Pen<'_>,
    plot: &Plot,
    data: &PlansData,
    best: &Best,
    leads: bool,
    rule: Option<f64>,
) {
    let (at, series, value, yours, batch) = *best;
    let ink = match yours {
        true => pen.theme.accent,
        false => pen.theme.ink_1,
    };
    let text = data.value.words(value);
    let bold = Words::label(text, ink).bold();
    let long = bold
        .clone()
        .and(format!(" batch {}", format::count(batch)), pen.theme.ink_2);
    let wordings = leads.then_some(long).into_iter().chain([bold]);
    let off = rule.map_or(at.x, |least| plot.x_at(least)).max(at.x) + OFF_RULE_PX;
    let _ = series;
    Label::lines(wordings)
        .at([
            spot(point(off, at.y - 1.0), Align::Start, Side::Above),
            spot(point(off, at.y), Align::Start, Side::Level),
            spot(point(off, at.y + 4.0), Align::Start, Side::Below),
            spot(point(off, at.y + 12.0), Align::Start, Side::Below),
            spot(point(off, at.y - 10.0), Align::Start, Side::Above),
        ])
        .or_over_lines()
        .write_in(pen, plot.area);
}

/// Where a scenario stands: its place, or the nearest one on the frame.
fn place(plot: &Plot, data: &PlansData, now: &PlanNow) -> Option<(Point, bool)> {
    let value = data.value.of(&now.point, now.dollars_per_mtok)?;
    let speed = now.point.per_user;
    let at = plot.at(
        speed.min(plot.x.high() * 4.0),
        value.min(plot.y.high() * 4.0),
    );
    let inside = plot.x.holds(speed) && plot.y.holds(value);
    let frame = plot.area.grown(-10.0);
    let within = point(
        at.x.clamp(frame.left, frame.right.max(frame.left)),
        at.y.clamp(frame.top, frame.bottom.max(frame.top)),
    );
    Some((if inside { at } else { within }, inside))
}

/// The scenario being edited: its mark and its words, or an arrow at the frame with its values.
fn name_now(
    pen: &mut Pen<'_>,
    plot: &Plot,
    data: &PlansData,
    now: &PlanNow,
    at: Point,
    inside: bool,
) {
    let ink = match now.point.fits {
        true => pen.theme.ink_1,
        false => pen.theme.bad,
    };
    let bold = |text: String| Words::label(text, ink).bold();
    if inside {
        pen.now(at, now.point.fits);
        let batch = format!("now: batch {}", format::count(now.point.batch));
        let second = match now.point.fits {
            true => now.label.clone(),
            false => "does not fit".to_owned(),
        };
        let second = Words::note(second, pen.theme.ink_2);
        let words = || {
            Label::blocks([
                vec![bold(batch.clone()), second.clone()],
                vec![bold(batch.clone())],
                vec![bold("now".to_owned())],
            ])
        };
        let Point { x, y } = at;
        let left = [
            spot(point(x - 12.0, y), Align::End, Side::Level),
            spot(point(x - 12.0, y - 4.0), Align::End, Side::Above),
            spot(point(x - 12.0, y + 4.0), Align::End, Side::Below),
        ];
        words()
            .at(left)
            .around(at, 12.0)
            .or_over_lines()
            .write_in(pen, plot.area);
        return;
    }
    let value = data.value.of(&now.point, now.dollars_per_mtok);
    let Some(value) = value else { return };
    let to = plot.at(
        now.point.per_user.min(plot.x.high() * 4.0),
        value.min(plot.y.high() * 4.0),
    );
    let tip = at.along(to, 8.0);
    let back = at.along(to, -2.0);
    pen.polyline(&[back, tip], stroke(ink, 1.6));
    let wing = |turn: f64| {
        let (dx, dy) = (tip.x - back.x, tip.y - back.y);
        point(
            tip.x - 0.5 * dx - turn * 0.4 * dy,
            tip.y - 0.5 * dy + turn * 0.4 * dx,
        )
    };
    pen.polyline(&[wing(1.0), tip, wing(-1.0)], stroke(ink, 1.6));
    pen.reserve(Rect::about(at, 8.0));
    let speed = format::sig3(now.point.per_user);
    let words = format!("now: {} at {speed} tok/s", data.value.words(value));
    Label::lines([bold(words), bold("now".to_owned())])
        .around(at, 11.0)
        .or_over_lines()
        .write_in(pen, plot.area);
}

/// The plan that the reader looks at in the table.
fn marked(pen: &mut Pen<'_>, plot: &Plot, data: &PlansData) {
    let hit = data.marked.and_then(|hit| data.hits().nth(hit));
    let Some((line, plan, value)) = hit else {
        return;
    };
    if !(plot.x.holds(plan.point.per_user) && plot.y.holds(value)) {
        return;
    }
    let Some(line) = data.lines.get(line) else {
        return;
    };
    let at = plot.at(plan.point.per_user, value);
    axes::marker(pen, at, line.series, MARKER_PX, true);
    pen.reserve(Rect::about(at, 5.0));
    let bold = Words::label(data.value.words(value), pen.theme.ink_1).bold();
    let batch = format!(" batch {}", format::count(plan.point.batch));
    let long = bold.clone().and(batch, pen.theme.ink_2);
    Label::lines([long, bold])
        .around(at, 9.0)
        .or_over_lines()
        .write_in(pen, plot.area);
}

/// Shares of a line's length in the frame at which its name may stand.
const NAME_AT: [f64; 7] = [0.45, 0.3, 0.6, 0.2, 0.75, 0.9, 0.1];

/// A line's name: right of it, one's own left of it; without room its marker in the table stands for it.
fn name(pen: &mut Pen<'_>, plot: &Plot, data: &PlansData, index: usize) {
    let Some(line) = data.lines.get(index) else {
        return;
    };
    let through: Vec<Point> = line
        .drawn(data.value)
        .map(|(plan, value)| plot.at(plan.point.per_user, value))
        .collect();
    let pieces = axes::cut(&plot.area, &through);
    let Some(piece) = pieces.iter().max_by_key(|piece| piece.len()) else {
        return;
    };
    let along = |share: f64| -> Option<Point> {
        let lengths = piece.windows(2).map(|pair| pair[0].distance(pair[1]));
        let mut left = share * lengths.clone().sum::<f64>();
        for (pair, length) in piece.windows(2).zip(lengths) {
            if left <= length {
                return Some(pair[0].along(pair[1], left));
            }
            left -= length;
        }
        piece.last().copied()
    };
    let own = line.series == Series::Own;
    let ink = pen.theme.series(line.series).text;
    let spots = NAME_AT.into_iter().filter_map(along).flat_map(|at| {
        let right = [
            spot(point(at.x + 10.0, at.y - 2.0), Align::Start, Side::Above),
            spot(point(at.x + 12.0, at.y), Align::Start, Side::Level),
            spot(point(at.x + 4.0, at.y - 6.0), Align::Start, Side::Above),
        ];
        let left = [
            spot(point(at.x - 12.0, at.y), Align::End, Side::Level),
            spot(point(at.x - 10.0, at.y + 4.0), Align::End, Side::Below),
            spot(point(at.x - 6.0, at.y + 6.0), Align::End, Side::Below),
        ];
        if own {
            [left, right].concat()
        } else {
            [right, left].concat()
        }
    });
    let words = [&line.name, &line.short].map(|name| Words::label(name.clone(), ink).bold());
    Label::lines(words).at(spots).write_in(pen, plot.area);
}

/// What lies beyond the frame's right edge: "TP goes on to 535 →".
fn goes_on(pen: &mut Pen<'_>, plot: &Plot, data: &PlansData) {
    let fastest = data.hits().reduce(|most, next| {
        if next.1.point.per_user > most.1.point.per_user {
            next
        } else {
            most
        }
    });
    let Some((_, plan, _)) = fastest else { return };
    let speed = plan.point.per_user;
    if plot.x.holds(speed) || data.log {
        return;
    }
    let (name, speed) = (plan.family, format::sig3(speed));
    let words = [
        format!("{name} goes on to {speed} →"),
        format!("{name} to {speed} →"),
    ]
    .map(|text| Words::note(text, pen.theme.ink_3));
    let Rect {
        right, bottom, top, ..
    } = plot.area;
    let height = bottom - top;
    let heights = match data.value {
        Value::PerGpu => [0.16, 0.24, 0.34, 0.5, 0.7, 0.05],
        Value::Dollars => [0.8, 0.9, 0.5, 0.3, 0.15, 0.05],
    };
    let spots = heights.map(|share| {
        spot(
            point(right, bottom - share * height),
            Align::End,
            Side::Level,
        )
    });
    Label::lines(words).at(spots).write_in(pen, plot.area);
}
