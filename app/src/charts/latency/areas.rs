//! Steps over the batch: stacked compute, messages on top, and where memory ends.

use super::axes::{draw_x_axis, draw_y_axis, x_scale, y_scale};
use super::corners::{between, refine};
use super::notes;
use super::{LatencyData, Step, StepSample};
use crate::charts::prelude::*;

/// The plot with the samples refined: one more where messages and compute cross, and one where memory ends.
pub struct Areas<'a> {
    /// The chart's data.
    pub data: &'a LatencyData,
    /// The plot; up are milliseconds.
    pub plot: Plot,
    /// Batches ascending.
    pub samples: Vec<StepSample>,
    /// Where memory ends across, the right edge if it does not.
    pub memory_x: f64,
}

impl Areas<'_> {
    /// The place of a time at a batch.
    pub fn at(&self, batch: f64, seconds: f64) -> Point {
        self.plot.at(batch, seconds * 1e3)
    }

    /// The line of one value of the step over the batch.
    pub fn line(&self, value: impl Fn(&Step) -> f64) -> Vec<Point> {
        self.samples
            .iter()
            .map(|sample| self.at(sample.batch_per_gpu, value(&sample.step)))
            .collect()
    }

    /// The pinned scenario's steps, as far as the axis goes.
    pub fn ghost(&self) -> Vec<Point> {
        let pinned = self.data.pinned.iter();
        let held = |(batch, step_s): &&(f64, f64)| self.plot.x.holds(*batch) && step_s.is_finite();
        let steps = pinned.flat_map(|pinned| pinned.envelope.iter().filter(held));
        steps
            .map(|(batch, step_s)| self.at(*batch, *step_s))
            .collect()
    }

    /// The height of a line at a place across.
    pub fn height(line: &[Point], x: f64) -> Option<f64> {
        line.iter()
            .zip(line.iter().skip(1))
            .find(|(a, b)| a.x <= x && x <= b.x)
            .map(|(a, b)| {
                if b.x > a.x {
                    a.towards(*b, (x - a.x) / (b.x - a.x)).y
                } else {
                    a.y
                }
            })
    }
}

/// Draws the plot; returns a ruler per given sample.
pub fn draw(
    pen: &mut Pen<'_>,
    area: Rect,
    data: &LatencyData,
    samples: &[StepSample],
) -> (Vec<Reach>, Plot) {
    let plot = Plot::new(area, x_scale(data, samples), y_scale(data, samples));
    let memory_x = match data.capacity_batch_per_gpu {
        Some(most) => plot.x_at(most).clamp(area.left, area.right),
        None => area.left,
    };
    let areas = Areas {
        data,
        plot,
        samples: refine(samples, data.capacity_batch_per_gpu),
        memory_x,
    };

    draw_y_axis(pen, &areas);
    layers(pen, &areas);
    hidden_hatch(pen, &areas);
    lines(pen, &areas);
    ghost(pen, &areas);
    veil(pen, &areas);
    draw_x_axis(pen, &areas);
    notes::write(pen, &areas);
    now_line(pen, &areas);
    let reach = |sample: &StepSample| Reach::Ruler {
        at: areas.at(sample.batch_per_gpu, sample.step.step_s),
        top: area.top,
        bottom: area.bottom,
    };
    (samples.iter().map(reach).collect(), areas.plot)
}

/// The compute parts stacked, and the exposed messages above them.
fn layers(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let theme = pen.theme;
    let between = |lower: &[Point], upper: &[Point]| -> Vec<Point> {
        lower.iter().chain(upper.iter().rev()).copied().collect()
    };
    let compute = areas.line(Step::stack_s);
    let step = areas.line(|step| step.step_s.max(step.stack_s()));
    let messages = *theme.role(Role::Messages);
    pen.fill(
        &between(&compute, &step),
        messages.fill.with_alpha(theme.exposed_alpha),
    );
    let tops: Vec<(Role, Vec<Point>)> = (0..5)
        .map(|layer| {
            let role = Step::default()
                .layers()
                .get(layer)
                .map_or(Role::Attention, |(role, _)| *role);
            let top = areas.line(|step| {
                step.layers()
                    .iter()
                    .take(layer + 1)
                    .map(|(_, time)| time)
                    .sum()
            });
            (role, top)
        })
        .collect();
    let mut lower = areas.line(|_| 0.0);
    for (role, top) in &tops {
        if lower != *top {
            pen.fill(&between(&lower, top), theme.role(*role).fill);
        }
        lower.clone_from(top);
    }
    // Seams between the large layers; the thin ones last, never thinner than a line.
    for (index, (role, top)) in tops.iter().enumerate() {
        let below = index
            .checked_sub(1)
            .and_then(|index| tops.get(index))
            .map(|(_, line)| line.as_slice());
        let thick = thickest(below, top, areas);
        if thick < 0.05 {
            continue;
        }
        if theme.dark && thick > 4.0 {
            let inside: Vec<Point> = top
                .iter()
                .map(|p| point(p.x, p.y + size::EDGE_PX / 2.0))
                .collect();
            pen.polyline(&inside, stroke(theme.role(*role).line, size::EDGE_PX));
        } else if thick <= 4.0 {
            pen.polyline(top, stroke(theme.background, 2.6));
            pen.polyline(top, stroke(theme.role(*role).line, 1.4));
        }
    }
}

/// The greatest thickness of a layer, in px.
fn thickest(below: Option<&[Point]>, top: &[Point], areas: &Areas<'_>) -> f64 {
    let floor = areas.plot.area.bottom;
    let lower = |i: usize| below.and_then(|line| line.get(i)).map_or(floor, |p| p.y);
    top.iter()
        .enumerate()
        .map(|(i, p)| lower(i) - p.y)
        .fold(0.0, f64::max)
}

/// Runs of the batch over which compute hides, as far as memory reaches: hatches never overlap.
fn hidden_hatch(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let hides = |a: &StepSample, b: &StepSample| {
        let middle = between(a, b, 0.5);
        middle.step.compute_hides()
            && middle.step.overlap_s() > 0.0
            && areas.plot.x_at(middle.batch_per_gpu) < areas.memory_x
    };
    let mut run: Vec<Point> = Vec::new();
    let pairs = areas.samples.iter().zip(areas.samples.iter().skip(1));
    let style = stroke(pen.theme.hidden, 1.5);
    let mut flush = |run: &mut Vec<Point>| {
        if let (Some(first), Some(last)) = (run.first().copied(), run.last().copied()) {
            let floor = areas.plot.area.bottom;
            run.extend([point(last.x, floor), point(first.x, floor)]);
            pen.hatch(run, 8.0, Hatch::Rising, style);
            run.clear();
        }
    };
    for (a, b) in pairs {
        if hides(a, b) {
            if run.is_empty() {
                run.push(areas.at(a.batch_per_gpu, a.step.busy_s()));
            }
            run.push(areas.at(b.batch_per_gpu, b.step.busy_s()));
        } else {
            flush(&mut run);
        }
    }
    flush(&mut run);
}

/// The envelope, and the messages where they lie below it.
fn lines(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let theme = pen.theme;
    if areas.data.overlaps
        && areas
            .samples
            .iter()
            .any(|sample| sample.step.messages_s() > 0.0)
    {
        let mut run: Vec<Point> = Vec::new();
        let style = stroke(theme.role(Role::Messages).line, 1.6);
        for (a, b) in areas.samples.iter().zip(areas.samples.iter().skip(1)) {
            let middle = between(a, b, 0.5).step;
            if middle.messages_s() < middle.step_s * (1.0 - 1e-6) {
                if run.is_empty() {
                    run.push(areas.at(a.batch_per_gpu, a.step.messages_s()));
                }
                run.push(areas.at(b.batch_per_gpu, b.step.messages_s()));
            } else {
                pen.dashed(&std::mem::take(&mut run), (3.5, 2.5), style);
            }
        }
        pen.dashed(&run, (3.5, 2.5), style);
    }
    pen.polyline(
        &areas.line(|step| step.step_s),
        stroke(theme.ink_1, size::ENVELOPE_PX),
    );
}

fn ghost(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    pen.dashed(&areas.ghost(), (4.0, 3.0), stroke(pen.theme.ink_2, 1.3));
}

fn veil(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let Rect {
        top, right, bottom, ..
    } = areas.plot.area;
    if areas.memory_x >= right - 0.5 {
        return;
    }
    let theme = pen.theme;
    let veiled = rect(areas.memory_x, top, right, bottom);
    // The envelope may rise a stroke's width above the plot.
    pen.fill_rect(
        Rect {
            right: right + 1.0,
            ..veiled
        },
        theme.veil,
    );
    pen.hatch(
        &veiled.corners(),
        9.0,
        Hatch::Falling,
        hair(theme.unfit_hatch),
    );
    pen.line(
        point(areas.memory_x, top),
        point(areas.memory_x, bottom),
        stroke(theme.ink_2, 1.2),
    );
}

fn now_line(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let now = &areas.data.now;
    if !(now.step.draws() && areas.plot.x.holds(now.batch_per_gpu)) {
        return;
    }
    let ink = pen.theme.ink_1;
    let at = areas.at(now.batch_per_gpu, now.step.step_s);
    let Rect { top, bottom, .. } = areas.plot.area;
    pen.line(
        point(at.x, top - 2.0),
        point(at.x, bottom),
        stroke(ink, 1.2),
    );
    pen.rimmed_point(at, 4.2, ink);
}

/// A ruler through a step, with a dot at the top of each of its layers.
pub fn glow(pen: &mut Pen<'_>, plot: &Plot, sample: &StepSample) {
    let theme = pen.theme;
    let at = |seconds: f64| plot.at(sample.batch_per_gpu, seconds * 1e3);
    let top = at(sample.step.step_s);
    let style = stroke(theme.ink_2, 1.2);
    pen.dashed_rule(
        point(top.x, plot.area.top),
        point(top.x, plot.area.bottom),
        (2.0, 2.0),
        style,
    );
    let value = format::batch(sample.batch_per_gpu);
    axis_box(pen, &value, top.x, plot.area.bottom + 11.5);
    let mut sum = 0.0;
    for (role, time_s) in sample.step.layers() {
        sum += time_s;
        // Thin layers would hide under the dots of their neighbours.
        if at(sum - time_s).y - at(sum).y > 6.0 {
            pen.rimmed_point(at(sum), 3.4, theme.role(role).line);
        }
    }
    let exposed = sample.step.step_s > sample.step.stack_s() * (1.0 + 1e-6);
    let colour = if exposed {
        theme.role(Role::Messages).line
    } else {
        theme.ink_1
    };
    pen.rimmed_point(top, 3.8, colour);
}
