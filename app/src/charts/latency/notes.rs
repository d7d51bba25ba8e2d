//! What is written into the plot of steps over the batch.

use super::Step;
use super::areas::Areas;
use crate::charts::prelude::*;

/// Writes the notes, the more important first.
pub fn write(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let now_x = areas.plot.x_at(areas.data.now.batch_per_gpu);
    let Rect { top, bottom, .. } = areas.plot.area;
    let mut obstacles: Vec<(Point, Point)> = vec![(point(now_x, top), point(now_x, bottom))];
    obstacles.push((point(areas.memory_x, top), point(areas.memory_x, bottom)));
    let envelope = areas.line(|step| step.step_s);
    let ghost = areas.ghost();
    obstacles.extend(ghost.iter().copied().zip(ghost.iter().copied().skip(1)));
    now(pen, areas, now_x);
    // The point itself stays clear of words.
    let now = areas.at(areas.data.now.batch_per_gpu, areas.data.now.step.step_s);
    pen.reserve(Rect::about(now, 6.0));
    let outline: Vec<(Point, Point)> = envelope
        .iter()
        .copied()
        .zip(envelope.iter().copied().skip(1))
        .chain(obstacles.clone())
        .collect();
    crossing(pen, areas, &outline);
    out_of_memory(pen, areas, now_x);
    pinned(pen, areas);
    layers(pen, areas, now_x, &obstacles);
}

fn now(pen: &mut Pen<'_>, areas: &Areas<'_>, x: f64) {
    let batch = areas.data.now.batch_per_gpu;
    if !areas.data.now.step.draws() {
        return;
    }
    let held = areas.plot.x.holds(batch);
    let fits = areas
        .data
        .capacity_batch_per_gpu
        .is_some_and(|most| batch <= most);
    let (ink, background) = (
        if fits { pen.theme.ink_1 } else { pen.theme.bad },
        pen.theme.background,
    );
    let words = |text: String| vec![Words::label(text, ink).bold()];
    let long = if fits { "per GPU" } else { "does not fit" };
    // Beyond the axis: an arrow to it.
    let arrow = if held { "" } else { " →" };
    let wordings = [
        words(format!("now: {} {long}{arrow}", format::batch(batch))),
        words(format!("now: {}{arrow}", format::batch(batch))),
    ];
    let top = areas.plot.area.top - 4.0;
    let x = if held { x } else { areas.plot.area.right + 6.0 };
    let spots = [
        spot(point(x - 6.0, top), Align::End, Side::Below),
        spot(point(x + 6.0, top), Align::Start, Side::Below),
    ];
    pen.place(
        &wordings,
        &spots,
        &pen.canvas.clone(),
        &[],
        Some(background),
    );
}

fn crossing(pen: &mut Pen<'_>, areas: &Areas<'_>, avoid: &[(Point, Point)]) {
    let Some(batch) = areas
        .data
        .crossing_batch_per_gpu
        .filter(|batch| areas.plot.x.holds(*batch))
    else {
        return;
    };
    let x = areas.plot.x_at(batch);
    let envelope = areas.line(|step| step.step_s);
    let Some(y) = Areas::height(&envelope, x).filter(|_| x < areas.memory_x) else {
        return;
    };
    let messages_win = areas
        .samples
        .last()
        .is_some_and(|sample| sample.step.compute_hides());
    let (grey, ink, background) = (pen.theme.ink_2, pen.theme.ink_1, pen.theme.background);
    let words =
        |lines: [String; 2]| -> Vec<Words> { lines.map(|line| Words::note(line, grey)).into() };
    let number = format::batch(batch.round());
    let wordings = if messages_win {
        [
            words(["messages overtake".into(), format!("compute at {number}")]),
            words(["messages pass".into(), format!("at {number}")]),
        ]
    } else {
        [
            words(["compute overtakes".into(), format!("messages at {number}")]),
            words(["compute passes".into(), format!("at {number}")]),
        ]
    };
    let spots: Vec<Spot> = [36.0, 26.0, 50.0, 66.0, 84.0, 104.0]
        .into_iter()
        .flat_map(|up| {
            [
                spot(point(x + 4.0, y - up), Align::End, Side::Above),
                spot(point(x - 4.0, y - up), Align::Start, Side::Above),
            ]
        })
        .collect();
    let within = Rect {
        left: 0.0,
        top: areas.plot.area.top - 8.0,
        ..areas.plot.area
    };
    if let Some(bounds) = pen.place(&wordings, &spots, &within, avoid, Some(background)) {
        pen.line(
            point(x, bounds.bottom + 1.5),
            point(x, y - 5.0),
            stroke(pen.theme.ink_3, 1.0),
        );
    }
    pen.open_point(point(x, y), 3.8, stroke(ink, 1.5));
}

fn out_of_memory(pen: &mut Pen<'_>, areas: &Areas<'_>, now_x: f64) {
    let Rect {
        top, right, bottom, ..
    } = areas.plot.area;
    let x = areas.memory_x;
    if x >= right - 0.5 {
        return;
    }
    let (grey, ink, background) = (pen.theme.ink_2, pen.theme.ink_1, pen.theme.background);
    let note = |text: &str| Words::note(text, grey);
    let wordings = match areas.data.capacity_batch_per_gpu {
        Some(most) => {
            let number = format::batch(most);
            vec![
                vec![note("out of memory"), note(&format!("beyond {number}"))],
                vec![
                    note("out of"),
                    note("memory"),
                    Words::note(format!("> {number}"), ink).bold(),
                ],
                vec![Words::note(format!("> {number}"), ink).bold()],
            ]
        }
        None => vec![
            vec![note("does not fit"), note("at any batch")],
            vec![note("does not fit")],
        ],
    };
    let veiled = Rect {
        left: x,
        top: top - 4.0,
        ..areas.plot.area
    };
    let inside = [bottom - 3.0, bottom - 20.0, top + 60.0]
        .map(|y| spot(point(x + 4.0, y), Align::Start, Side::Above));
    let ghost = areas.ghost();
    let mut line = vec![(point(now_x, top), point(now_x, bottom))];
    line.extend(ghost.iter().copied().zip(ghost.iter().copied().skip(1)));
    if pen
        .place(&wordings, &inside, &veiled, &line, Some(background))
        .is_some()
    {
        return;
    }
    // Too narrow a veil: above the steps beside it, in words that name the line.
    let envelope = areas.line(|step| step.step_s);
    line.extend(
        envelope
            .iter()
            .copied()
            .zip(envelope.iter().copied().skip(1)),
    );
    let beside: Vec<Spot> = [top + 14.0, top + 30.0, top + 50.0]
        .into_iter()
        .map(|y| spot(point(x - 5.0, y), Align::End, Side::Below))
        .collect();
    pen.place(
        &wordings,
        &beside,
        &areas.plot.area,
        &line,
        Some(background),
    );
}

fn pinned(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let held = |(batch, time): &&(f64, f64)| areas.plot.x.holds(*batch) && time.is_finite();
    let Some(last) = areas
        .data
        .pinned
        .iter()
        .flat_map(|pinned| pinned.envelope.iter().rev())
        .find(held)
    else {
        return;
    };
    let at = areas.at(last.0, last.1);
    let words = vec![Words::label("A", pen.theme.ink_1).bold()];
    let spots = [
        spot(point(at.x - 3.0, at.y - 2.0), Align::End, Side::Above),
        spot(point(at.x - 3.0, at.y + 4.0), Align::End, Side::Below),
        spot(point(at.x - 30.0, at.y - 2.0), Align::End, Side::Above),
    ];
    pen.place(
        &[words],
        &spots,
        &areas.plot.area,
        &[],
        Some(pen.theme.background),
    );
}

/// A layer to name: its wordings, colours, and the lines it lies between.
struct Layer {
    names: Vec<&'static str>,
    ink: Colour,
    halo: Option<Colour>,
    lower: Vec<Point>,
    upper: Vec<Point>,
}

fn layers(pen: &mut Pen<'_>, areas: &Areas<'_>, now_x: f64, obstacles: &[(Point, Point)]) {
    let theme = pen.theme;
    let sum = |layers: usize| {
        areas.line(|step| {
            step.layers()
                .iter()
                .take(layers)
                .map(|(_, time)| time)
                .sum()
        })
    };
    let compute = Step::default().layers().map(|(role, _)| role);
    let mut named: Vec<Layer> = compute
        .into_iter()
        .enumerate()
        .map(|(index, role)| {
            let colours = theme.role(role);
            let (lower, upper) = (sum(index), sum(index + 1));
            Layer {
                names: vec![role.name()],
                ink: colours.on_fill,
                halo: Some(colours.fill),
                lower,
                upper,
            }
        })
        .collect();
    let exposed = |step: &Step| step.step_s.max(step.stack_s());
    let names = if areas.data.overlaps {
        vec!["messages, exposed", "messages"]
    } else {
        vec!["messages"]
    };
    let (lower, upper) = (areas.line(Step::stack_s), areas.line(exposed));
    named.push(Layer {
        names,
        ink: theme.role(Role::Messages).text,
        halo: None,
        lower,
        upper,
    });
    for layer in named {
        name_layer(pen, areas, &layer, now_x, obstacles);
    }
}

/// The first wording that fits between a layer's lines, as near as possible to the middle of what lies right of now.
fn name_layer(
    pen: &mut Pen<'_>,
    areas: &Areas<'_>,
    layer: &Layer,
    now_x: f64,
    obstacles: &[(Point, Point)],
) {
    const STEP_PX: f64 = 8.0;
    /// Farther than any place on a screen.
    const UNDER_VEIL: f64 = 1e5;
    let Rect { left, right, .. } = areas.plot.area;
    let end = if areas.memory_x > left + 40.0 {
        areas.memory_x
    } else {
        right
    };
    for name in &layer.names {
        let words = Words::label(*name, layer.ink);
        let half = pen.width(&words) / 2.0;
        let wish = if end - now_x > 2.0 * half + 16.0 {
            now_x + (end - now_x) * 0.6
        } else {
            (left + now_x.min(end)) / 2.0
        };
        let mut best: Option<(f64, Rect, f64)> = None;
        let mut x = left + half + 4.0;
        // What is out of memory names no parts, unless all of it is.
        let last = if areas.memory_x > left + 1.0 {
            end.min(right)
        } else {
            right
        };
        while x + half + 3.0 < last {
            if let Some(y) = middle(layer, x, half) {
                let baseline = words.baseline_about(y);
                let bounds = words.bounds(point(x, baseline), Align::Middle, 2.0 * half);
                let clear = obstacles
                    .iter()
                    .all(|(a, b)| bounds.grown(3.0).clip(*a, *b).is_none());
                // A label under the veil is worse than a distant one.
                let cost = (x - wish).abs() + if x > areas.memory_x { UNDER_VEIL } else { 0.0 };
                if clear && pen.is_free(&bounds) && best.is_none_or(|(_, _, least)| cost < least) {
                    best = Some((baseline, bounds, cost));
                }
            }
            x += STEP_PX;
        }
        if let Some((baseline, bounds, cost)) = best {
            let place = point(bounds.centre().x, baseline);
            if cost < UNDER_VEIL {
                pen.write(&words, place, Align::Middle, layer.halo);
            } else {
                let veiled = Words::label(*name, pen.theme.ink_2);
                pen.write(&veiled, place, Align::Middle, Some(pen.theme.background));
            }
            return;
        }
    }
}

/// The middle between a layer's lines over a label's width, if the label fits there.
fn middle(layer: &Layer, x: f64, half: f64) -> Option<f64> {
    const NEEDED_PX: f64 = 11.0;
    let (mut top, mut bottom) = (f64::NEG_INFINITY, f64::INFINITY);
    for at in [x - half, x, x + half] {
        top = top.max(Areas::height(&layer.upper, at)?);
        bottom = bottom.min(Areas::height(&layer.lower, at)?);
    }
    let inside = rect(0.0, top, 1.0, bottom);
    (inside.height() >= NEEDED_PX).then(|| inside.centre().y)
}
