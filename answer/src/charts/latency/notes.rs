//! Labels in the plot of step time vs. batch size.

use super::StepTimes;
use super::over_batch::Areas;
use crate::charts::prelude::*;
use crate::order::sort_by;

/// Line segments that labels avoid.
type Lines = Vec<(Point, Point)>;

/// Writes the labels in the plot of step time vs. batch size, the more important ones first.
pub fn write(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let now = &areas.data.now;
    let now_at = areas.at(now.batch_per_gpu, now.step.step_s);
    let Rect { top, bottom, .. } = areas.plot.area;
    let upright = |x: f64| (point(x, top), point(x, bottom));
    let ghost = areas.ghost();
    let envelope = areas.line(|step| step.step_s);
    let mut obstacles: Lines = vec![upright(now_at.x), upright(areas.memory_x)];
    obstacles.extend(segments(&ghost));
    let (head, foot) = upright(areas.memory_x);
    pen.avoid(&[head, foot]);
    pen.avoid(&ghost);
    self::now(pen, areas, now_at.x);
    // Keep labels off the current point.
    pen.reserve(Rect::about(now_at, 6.0));
    let outline: Lines = segments(&envelope).chain(obstacles.clone()).collect();
    crossing(pen, areas, &envelope, &outline);
    let mut line = vec![upright(now_at.x)];
    line.extend(segments(&ghost));
    out_of_memory(pen, areas, line, &envelope);
    pinned(pen, areas);
    obstacles.extend(segments(&areas.line(StepTimes::messages_s)));
    layers(pen, areas, now_at.x, &obstacles);
}

fn now(pen: &mut Pen<'_>, areas: &Areas<'_>, x: f64) {
    let batch = areas.data.now.batch_per_gpu;
    if !areas.data.now.step.draws() {
        return;
    }
    let held = areas.plot.x.holds(batch);
    let fits = areas.data.fits(batch);
    let long = if fits { " per GPU" } else { " out of memory" };
    // If the batch is beyond the axis, the label ends with an arrow.
    let arrow = if held { "" } else { " →" };
    let batch = format::batch(batch);
    let words = [long, ""].map(|more| format!("now: {batch}{more}{arrow}"));
    let x = if held { x } else { areas.plot.area.right + 6.0 };
    Label::lines(words.map(|text| Words::label(text, pen.ink(fits)).bold()))
        .near(point(x, areas.plot.area.top), &[SW(6, -4), SE(6, -4)])
        .halo(pen.theme.background)
        .or_over_lines()
        .write(pen);
}

fn crossing(pen: &mut Pen<'_>, areas: &Areas<'_>, envelope: &[Point], avoid: &[(Point, Point)]) {
    let crossing = areas.data.crossing_batch_per_gpu;
    let Some(batch) = crossing.filter(|batch| areas.plot.x.holds(*batch)) else {
        return;
    };
    let x = areas.plot.x_at(batch);
    let height = height_at(envelope, x).filter(|_| x < areas.memory_x);
    let Some(at) = height.map(|y| point(x, y)) else {
        return;
    };
    let last = areas.samples.last();
    let messages_win = last.is_some_and(|sample| sample.step.compute_hides());
    let number = format::batch(if batch >= 1.0 { batch.round() } else { batch });
    let (long, short) = (format!("from batch {number}"), format!("from {number}"));
    let wordings = match messages_win {
        true => [("comm.-bound", long), ("comm.-bound", short)],
        false => {
            let long = format!("from batch {number}");
            [("compute-bound", long), ("compute-bound", short)]
        }
    };
    let note = |text: &str| Words::note(text, pen.theme.ink_2);
    let wordings = wordings.map(|(one, two)| vec![note(one), note(&two)]);
    let above = [36, 26, 50, 66, 84, 104].map(|up| [NW(-4, up), NE(-4, up)].map(|to| to.of(at)));
    let top = areas.plot.area.top - 8.0;
    let within = areas.plot.area.across(0.0, areas.plot.area.right);
    let within = within.down(top, within.bottom);
    let halo = Some(pen.theme.background);
    if let Some(bounds) = pen.place(&wordings, above.as_flattened(), &within, avoid, halo) {
        let (from, to) = (point(x, bounds.bottom + 1.5), point(x, at.y - 5.0));
        pen.line(from, to, stroke(pen.theme.ink_3, 1.0));
    }
    pen.open_point(at, 3.8, stroke(pen.theme.ink_1, 1.5));
}

fn out_of_memory(pen: &mut Pen<'_>, areas: &Areas<'_>, mut line: Lines, envelope: &[Point]) {
    let area = areas.plot.area;
    let x = areas.memory_x;
    if x >= area.right - 0.5 {
        return;
    }
    let note = |text: &str| Words::note(text, pen.theme.ink_2);
    let wordings = match areas.data.capacity_batch_per_gpu {
        Some(most) => {
            let number = format::batch(most);
            let bold = Words::note(format!("> {number}"), pen.theme.ink_1).bold();
            vec![
                vec![note("out of memory"), note(&format!("beyond {number}"))],
                vec![note("out of"), note("memory"), bold.clone()],
                vec![bold],
            ]
        }
        None => vec![
            vec![note("does not fit"), note("at any batch size")],
            vec![note("does not fit")],
        ],
    };
    let halo = Some(pen.theme.background);
    let veiled = rect(x, area.top - 4.0, area.right, area.bottom);
    let (head, foot) = (point(x, area.top), point(x, area.bottom));
    let inside = [NE(4, 3).of(foot), NE(4, 20).of(foot), NE(4, -60).of(head)];
    if pen
        .place(&wordings, &inside, &veiled, &line, halo)
        .is_some()
    {
        return;
    }
    // If the out-of-memory area is too narrow, write the label to its left, above the curve.
    line.extend(segments(envelope));
    // Also avoid the area under the curve.
    line.extend(envelope.iter().map(|at| (*at, point(at.x, area.bottom))));
    let beside = [SW(5, -4), SW(5, 14), SW(5, 30), SW(5, 50)].map(|side| side.of(head));
    let within = area.down(area.top - 4.0, area.bottom);
    pen.place(&wordings, &beside, &within, &line, halo);
}

fn pinned(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let Some(pinned) = &areas.data.pinned else {
        return;
    };
    let envelope = pinned.envelope.iter();
    let held = envelope.filter(|(batch, _)| areas.plot.x.holds(*batch));
    let held = held.map(|(batch, step_s)| (*batch, step_s * 1e3));
    pen.avoid(&areas.plot.upright(areas.data.now.batch_per_gpu));
    let name = pinned.name();
    let on = marks::goes_on(pen, &areas.plot, name, held.collect());
    if let Some(last) = areas.ghost().last().filter(|_| on.is_none()) {
        Label::lines([Words::label(name, pen.theme.ink_1).bold()])
            .near(*last, &[NW(3, 2), SW(3, 4), NW(30, 2)])
            .write_over(pen, areas.plot.area);
    }
}

/// A layer of the step-time stack that needs a label. It has possible wordings (best first), the colors of text and
/// halo, and the lower and upper boundary.
struct Layer<'n> {
    names: &'n [&'static str],
    ink: Colour,
    halo: Option<Colour>,
    lower: Vec<Point>,
    upper: Vec<Point>,
}

fn layers(pen: &mut Pen<'_>, areas: &Areas<'_>, now_x: f64, obstacles: &[(Point, Point)]) {
    let theme = pen.theme;
    for (index, (role, _)) in StepTimes::default().layers().into_iter().enumerate() {
        let colours = theme.role(role);
        let layer = Layer {
            names: &[role.name()],
            ink: colours.on_fill,
            halo: Some(colours.fill),
            lower: areas.top(index),
            upper: areas.top(index + 1),
        };
        name_layer(pen, areas, &layer, now_x, obstacles);
    }
    let messages = Layer {
        names: match areas.data.overlaps {
            true => &["comm., exposed", "comm."],
            false => &["comm."],
        },
        ink: theme.role(Role::Messages).text,
        halo: None,
        lower: areas.line(StepTimes::stack_s),
        upper: areas.line(StepTimes::top_s),
    };
    name_layer(pen, areas, &messages, now_x, obstacles);
}

/// Writes the first wording that fits inside the layer, preferably a little past the middle between the current batch
/// and the memory limit.
fn name_layer(
    pen: &mut Pen<'_>,
    areas: &Areas<'_>,
    layer: &Layer<'_>,
    now_x: f64,
    obstacles: &[(Point, Point)],
) {
    const STEP_PX: f64 = 8.0;
    let Rect { left, right, .. } = areas.plot.area;
    let memory_x = areas.memory_x;
    let end = if memory_x > left + 40.0 {
        memory_x
    } else {
        right
    };
    // Labels are left of the memory limit, unless the whole plot is out of memory.
    let some = memory_x > left + 1.0;
    let last = if some { end.min(right) } else { right };
    let (grey, paper) = (pen.theme.ink_2, pen.theme.background);
    for name in layer.names {
        let words = Words::label(*name, layer.ink);
        let half = pen.width(&words) / 2.0;
        let wish = match end - now_x > 2.0 * half + 16.0 {
            true => now_x + (end - now_x) * 0.6,
            false => (left + now_x.min(end)) / 2.0,
        };
        let (from, to) = (left + half + 4.0, last - half - 3.0);
        let places = (0..).map(|step| from + STEP_PX * f64::from(step));
        let places = places.take_while(|x| *x < to);
        let places = places.filter_map(|x| Some(point(x, middle(layer, x, half)?)));
        let mut places: Vec<Point> = places.collect();
        let off = |at: &Point| (at.x - wish).abs();
        sort_by(&mut places, |one, other| off(one).total_cmp(&off(other)));
        // Prefer a distant position to one in the out-of-memory area.
        for (veiled, words, halo) in [
            (false, words, layer.halo),
            (true, Words::label(*name, grey), Some(paper)),
        ] {
            let here = places.iter().filter(|at| (at.x > memory_x) == veiled);
            let spots = here.map(|at| spot(*at, Align::Middle, Side::Level));
            let spots: Vec<Spot> = spots.collect();
            let within = areas.plot.area.grown(3.0);
            if pen
                .place(&[vec![words]], &spots, &within, obstacles, halo)
                .is_some()
            {
                return;
            }
        }
    }
}

/// Returns the vertical middle of a layer, for a label that is centered at `x` and extends by `half` to each side.
/// `None` if the label does not fit there.
fn middle(layer: &Layer<'_>, x: f64, half: f64) -> Option<f64> {
    const NEEDED_PX: f64 = 11.0;
    let (mut top, mut bottom) = (f64::NEG_INFINITY, f64::INFINITY);
    for at in [x - half, x, x + half] {
        top = top.max(height_at(&layer.upper, at)?);
        bottom = bottom.min(height_at(&layer.lower, at)?);
    }
    let inside = rect(0.0, top, 1.0, bottom);
    (inside.height() >= NEEDED_PX).then(|| inside.centre().y)
}
