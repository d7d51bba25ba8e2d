//! The plot of step time vs. batch size: stacked compute, communication on top, and the memory limit.

use super::corners::between;
use super::notes;
use super::over_batch::Areas;
use super::{LatencyData, StepSample, StepTimes};
use crate::charts::prelude::*;

/// Draws the plot of step time vs. batch size. Its hover targets are vertical rulers, one for each sample.
pub fn draw(pen: &mut Pen<'_>, area: Rect, data: &LatencyData, samples: &[StepSample]) -> Hits {
    let areas = Areas::of(area, data, samples);
    let plot = areas.plot;
    let ticks = plot.y.ticks(room(area.height(), 26.0));
    let axis = Axis::of(pen, ticks, format::printed, "ms per step");
    y_axis(pen, &plot, &axis, area.top - 6.0);
    layers(pen, &areas);
    hidden_hatch(pen, &areas);
    lines(pen, &areas);
    let ghost = stroke(pen.theme.ink_2, 1.3);
    pen.dashed(&areas.ghost(), (4.0, 3.0), ghost);
    veil(pen, &areas);
    batch_axis(pen, &areas);
    notes::write(pen, &areas);
    now_line(pen, &areas);
    let place = |sample: &StepSample| areas.at(sample.batch_per_gpu, sample.step.step_s);
    Hits::rulers(samples.iter().map(place), &area).on(&areas.plot)
}

fn batch_axis(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let plot = &areas.plot;
    let (most, now) = (plot.x.high(), areas.data.now.batch_per_gpu);
    if now.is_finite() && plot.x.holds(now) {
        let words = Words::tick(format::batch(now), pen.theme.ink_1).bold();
        tick_label(pen, &words, plot.x_at(now), plot.area.bottom + 15.0);
    }
    let step = binary_step(most, (plot.area.width() / 52.0).max(1.0) as usize);
    let ticks = multiples(0.0, most, step);
    let axis = Axis::of(pen, ticks, format::batch, "batch, sequences per GPU");
    x_axis(pen, plot, &axis);
}

/// Draws the stacked compute parts, with exposed communication above them.
fn layers(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let theme = pen.theme;
    let between = |lower: &[Point], upper: &[Point]| -> Vec<Point> {
        lower.iter().chain(upper.iter().rev()).copied().collect()
    };
    let exposed = between(
        &areas.line(StepTimes::stack_s),
        &areas.line(StepTimes::top_s),
    );
    let messages = theme.role(Role::Messages).fill;
    pen.fill(&exposed, messages.with_alpha(theme.exposed_alpha));
    let tops: Vec<Vec<Point>> = (0..=6).map(|layers| areas.top(layers)).collect();
    let roles = StepTimes::default().layers().map(|(role, _)| role);
    let each = || roles.into_iter().zip(tops.iter().zip(tops.iter().skip(1)));
    for (role, (lower, top)) in each().filter(|(_, (lower, top))| lower != top) {
        pen.fill(&between(lower, top), theme.role(role).fill);
    }
    // Draw thin layers as lines, so that they stay visible; in the dark theme, thick layers have a top edge.
    for (role, (lower, top)) in each() {
        let (_, thick) = extent(lower.iter().zip(top).map(|(low, p)| low.y - p.y));
        if thick < 0.05 {
            continue;
        }
        let line = theme.role(role).line;
        if thick <= 4.0 {
            pen.polyline(top, stroke(theme.background, 2.6));
            pen.polyline(top, stroke(line, 1.4));
        } else if theme.dark {
            let inside = top.iter().map(|p| point(p.x, p.y + size::EDGE_PX / 2.0));
            let inside: Vec<Point> = inside.collect();
            pen.polyline(&inside, stroke(line, size::EDGE_PX));
        }
    }
}

/// Returns the pieces of a line where `holds` is true, tested halfway between neighboring samples.
fn runs(
    areas: &Areas<'_>,
    value: impl Fn(&StepTimes) -> f64,
    holds: impl Fn(&StepSample) -> bool,
) -> Vec<Vec<Point>> {
    let mut runs = vec![Vec::new()];
    for (a, b) in areas.samples.iter().zip(areas.samples.iter().skip(1)) {
        let Some(run) = runs.last_mut().filter(|_| holds(&between(a, b, 0.5))) else {
            runs.push(Vec::new());
            continue;
        };
        if run.is_empty() {
            run.push(areas.at(a.batch_per_gpu, value(&a.step)));
        }
        run.push(areas.at(b.batch_per_gpu, value(&b.step)));
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// Hatches the batch ranges in which compute is overlapped. Stops at the memory limit, so that this hatch does not
/// overlap the out-of-memory hatch.
fn hidden_hatch(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let hides = |middle: &StepSample| {
        middle.step.compute_hides()
            && middle.step.overlap_s() > 0.0
            && areas.plot.x_at(middle.batch_per_gpu) < areas.memory_x
    };
    let (style, floor) = (stroke(pen.theme.hidden, 1.5), areas.plot.area.bottom);
    for mut run in runs(areas, StepTimes::busy_s, hides) {
        let ends = [run[run.len() - 1].x, run[0].x];
        run.extend(ends.map(|x| point(x, floor)));
        pen.hatch(&run, 8.0, Hatch::Rising, style);
    }
}

/// Draws the step-time curve. If the schedule overlaps, also draws the curve of communication time where it is
/// shorter than the step.
fn lines(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let sends = |sample: &StepSample| sample.step.messages_s() > 0.0;
    if areas.data.overlaps && areas.samples.iter().any(sends) {
        let below =
            |middle: &StepSample| middle.step.messages_s() < middle.step.step_s * (1.0 - 1e-6);
        let style = stroke(pen.theme.role(Role::Messages).line, 1.6);
        for run in runs(areas, StepTimes::messages_s, below) {
            pen.dashed(&run, (3.5, 2.5), style);
        }
    }
    let envelope = stroke(pen.theme.ink_1, size::ENVELOPE_PX);
    pen.polyline(&areas.line(|step| step.step_s), envelope);
}

fn veil(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let Rect { right, .. } = areas.plot.area;
    if areas.memory_x >= right - 0.5 {
        return;
    }
    let veiled = areas.plot.area.across(areas.memory_x, right);
    // Extend the veil by 1 px, so that it covers the end of the step-time curve's stroke.
    pen.fill_rect(veiled.across(veiled.left, right + 1.0), pen.theme.veil);
    let lines = hair(pen.theme.unfit_hatch);
    pen.hatch(&veiled.corners(), 9.0, Hatch::Falling, lines);
    let [head, .., foot] = veiled.corners();
    pen.line(head, foot, stroke(pen.theme.ink_2, 1.2));
}

fn now_line(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let now = &areas.data.now;
    if !(now.step.draws() && areas.plot.x.holds(now.batch_per_gpu)) {
        return;
    }
    let ink = pen.theme.ink_1;
    let at = areas.at(now.batch_per_gpu, now.step.step_s);
    let Rect { top, bottom, .. } = areas.plot.area;
    let (head, foot) = (point(at.x, top - 2.0), point(at.x, bottom));
    pen.line(head, foot, stroke(ink, 1.2));
    pen.rimmed_point(at, 4.2, ink);
}

/// Draws a vertical ruler at a batch size, with a dot at the top of each layer of the step-time stack.
pub fn glow(pen: &mut Pen<'_>, plot: &Plot, sample: &StepSample) {
    let theme = pen.theme;
    let at = |seconds: f64| plot.at(sample.batch_per_gpu, seconds * 1e3);
    let top = at(sample.step.step_s);
    let (head, foot) = (point(top.x, plot.area.top), point(top.x, plot.area.bottom));
    pen.dashed_rule(head, foot, (2.0, 2.0), stroke(theme.ink_2, 1.2));
    let value = format::batch(sample.batch_per_gpu);
    axis_box(pen, &value, top.x, foot.y + 11.5);
    let mut sum = 0.0;
    for (role, time_s) in sample.step.layers() {
        sum += time_s;
        // Omit the dots of thin layers, which would overlap those of their neighbors.
        if at(sum - time_s).y - at(sum).y > 6.0 {
            pen.rimmed_point(at(sum), 3.4, theme.role(role).line);
        }
    }
    let exposed = sample.step.step_s > sample.step.stack_s() * (1.0 + 1e-6);
    let messages = theme.role(Role::Messages).line;
    pen.rimmed_point(top, 3.8, if exposed { messages } else { theme.ink_1 });
}
