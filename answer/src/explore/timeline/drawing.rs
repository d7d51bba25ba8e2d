//! Drawing of a timeline: lanes with labeled bars, idle time, and the pinned scenario below each lane.

use crate::chart::prelude::*;
use crate::order::sort_by;

/// Data of one timeline: a layer or a pipeline round.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Lanes, from top to bottom.
    pub lanes: Vec<LaneBars>,
    pub span_s: f64,
    /// Time at which the two half batches switch between compute and communication.
    pub swap_s: Option<f64>,
    /// Note on what the timeline omits: `steady state: no pipeline fill or drain`.
    pub note: String,
    pub pinned: Option<Pinned>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LaneBars {
    /// Name of the lane: `compute`, `comm.`, `stage 3`.
    pub name: String,
    /// Bars of the lane by start time, including idle intervals.
    pub marks: Vec<Stretch>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// Role (such as attention) that sets the bar's color; `None` for a pipeline stage, which combines several roles.
    pub role: Option<Role>,
    /// Name of the work: `attention`, `dispatch`, `idle`.
    pub name: String,
    pub start_s: f64,
    pub end_s: f64,
    /// Index of the half batch, request or micro-batch, from 0; also 0 for idle time and for an undivided batch.
    pub batch: u32,
    /// Name of the bar's half batch, request or micro-batch: `half batch 1`. Empty if the batch is not divided.
    pub portion: String,
    /// Limit of the work: `memory-bound`, `over scale-out`; empty if unknown.
    pub bound: String,
    /// Standalone time of the operator, in seconds. Set only if it differs from the bar's time, because the
    /// operator's block shares one roofline.
    pub own_s: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Pinned {
    pub span_s: f64,
    /// Busy intervals of each lane: (start, end), in seconds.
    pub busy: Vec<Vec<(f64, f64)>>,
}

impl Stretch {
    pub fn time_s(&self) -> f64 {
        self.end_s - self.start_s
    }

    pub fn is_idle(&self) -> bool {
        self.role == Some(Role::Idle)
    }

    /// Returns the lines of the bar's tooltip, including `share`, the bar's fraction of the layer time.
    pub fn tips(&self, share: TipRow) -> impl Iterator<Item = TipRow> {
        let time = TipRow::plain("time", format::duration(self.time_s()));
        let alone = self.own_s.map(|own| {
            TipRow::plain("standalone", format::duration(own))
                .note("timed per block, not per operator")
        });
        let bound = (!self.bound.is_empty()).then(|| TipRow::plain(&self.bound, ""));
        let time = TipRow {
            role: self.role,
            ..time
        };
        let role = self.role.and_then(TipRow::stands_for);
        [Some(time), Some(share), role, bound, alone]
            .into_iter()
            .flatten()
    }
}

impl Line {
    pub fn draws(&self) -> bool {
        self.span_s.is_finite() && self.span_s > 0.0 && self.marks().next().is_some()
    }

    /// Returns every bar with the index of its lane, in lane order. The chart numbers its clickable areas in this
    /// order.
    pub fn marks(&self) -> impl Iterator<Item = (usize, &Stretch)> {
        let lanes = self.lanes.iter().enumerate();
        let marks = lanes.flat_map(|(lane, of)| of.marks.iter().map(move |mark| (lane, mark)));
        marks.filter(|(_, mark)| mark.time_s().is_finite() && mark.time_s() > 0.0)
    }

    pub fn share(&self, time_s: f64) -> String {
        format::share(time_s / self.span_s)
    }
}

impl Painter for Line {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let layout = Layout::of(pen, self);
        let place = |(lane, mark)| layout.mark(lane, mark);
        let boxes: Vec<Rect> = self.marks().map(place).collect();
        for ((_, mark), area) in self.marks().zip(&boxes) {
            fill(pen, mark, *area, 0);
        }
        pen.seam();
        ghosts(pen, self, &layout);
        axis(pen, self, &layout);
        for (lane, of) in self.lanes.iter().enumerate() {
            let words = Words::label(of.name.clone(), pen.theme.ink_1);
            lanes::name(pen, &layout.row(lane), &words);
        }
        swap(pen, self, &layout);
        for lane in 0..self.lanes.len() {
            name_marks(pen, self, &layout, lane);
        }
        Hits::boxes(boxes)
    }

    /// Outlines the bar under the pointer. In a pipeline, darkens the bars of that bar's micro-batch; by default, those
    /// of the first micro-batch are dark.
    fn glow(&self, pointed: Pointed<'_>, pen: &mut Pen<'_>) {
        let Pointed { index, hits, .. } = pointed;
        let Some((_, focused)) = self.marks().nth(index) else {
            return;
        };
        for (place, (_, mark)) in self.marks().enumerate() {
            let other = mark.batch == 0 || mark.batch == focused.batch;
            if let (None, true, Some(HitArea::Box(area))) = (mark.role, other, hits.reach(place)) {
                fill(pen, mark, area, focused.batch);
            }
        }
        hits::rulers(pen, pointed);
    }
}

/// Height in CSS px left free above the lanes, where the page shows the buttons that select the layer.
const TOP_PX: f64 = 18.0;

/// Height in CSS px reserved above each of two lanes, for names that do not fit in their bars.
const ABOVE_PX: [f64; 2] = [31.0, 18.0];

/// Height in CSS px reserved below each of two lanes, for half-batch labels and the pinned scenario.
const BELOW_PX: f64 = 24.0;

/// Maximum bar height in CSS px: with two lanes, and with more than two.
const MOST_BAR_PX: [f64; 2] = [36.0, 26.0];
/// In a tall chart with two lanes, the maximum bar height is the chart's height divided by this number.
const MOST_OF_HEIGHT: f64 = 5.0;

/// Height of the pinned scenario's bars below each lane, in CSS px.
const GHOST_PX: f64 = 6.0;

/// Maps times to x-positions, and lanes to y-positions.
struct Layout {
    plot: Plot,
    /// Y-position of the top of each lane's bars.
    tops: Vec<f64>,
    bar: f64,
}

impl Layout {
    fn of(pen: &Pen<'_>, data: &Line) -> Self {
        let canvas = pen.canvas;
        let name = |lane: &LaneBars| Words::label(lane.name.clone(), pen.theme.ink_1);
        let (_, names) = extent(data.lanes.iter().map(|lane| pen.width(&name(lane))));
        let left = (names + 9.0).max(36.0).min(canvas.width() * 0.4);
        let right = (canvas.right - size::MARGIN_RIGHT_PX).max(left + 20.0);
        let bottom = (canvas.bottom - size::MARGIN_BOTTOM_PX).max(TOP_PX + 20.0);
        let area = rect(left, TOP_PX, right, bottom);
        let number = data.lanes.len().max(1);
        let pitch = area.height() / number as f64;
        let count = number as f64;
        let few = number <= ABOVE_PX.len();
        let kept = |lanes: usize| -> f64 { ABOVE_PX.iter().take(lanes).sum() };
        let bar = match few {
            true => (pitch - kept(number) / count - BELOW_PX)
                .min(MOST_BAR_PX[0].max(area.height() / MOST_OF_HEIGHT)),
            false => (pitch - 3.0).min(MOST_BAR_PX[1]),
        };
        let bar = bar.max(2.0);
        // Distribute spare height above each lane and below the last.
        let slack = area.height() - kept(number) - (bar + BELOW_PX) * count;
        let slack = slack.max(0.0) / (count + 1.0);
        let tops = (0..number).map(|lane| match few {
            true => kept(lane + 1) + (bar + BELOW_PX + slack) * lane as f64 + slack,
            false => pitch * lane as f64 + (pitch - bar) / 2.0,
        });
        let pinned = data.pinned.as_ref().map_or(0.0, |pinned| pinned.span_s);
        let longest = Scale::linear(0.0, data.span_s.max(pinned));
        Self {
            plot: Plot::new(area, longest, Scale::linear(0.0, 1.0)),
            tops: tops.map(|top| area.top + top).collect(),
            bar,
        }
    }

    fn at(&self, time_s: f64) -> f64 {
        self.plot.x_at(time_s)
    }

    fn row(&self, lane: usize) -> Rect {
        let top = self.tops.get(lane).copied().unwrap_or(TOP_PX);
        self.plot.area.down(top, top + self.bar)
    }

    fn mark(&self, lane: usize, mark: &Stretch) -> Rect {
        let (left, right) = (self.at(mark.start_s), self.at(mark.end_s));
        self.row(lane).across(left, right)
    }
}

/// Fills a bar with the color of its role. A pipeline stage's cell is darker if it belongs to micro-batch `dark`.
fn fill(pen: &mut Pen<'_>, mark: &Stretch, area: Rect, dark: u32) {
    let Some(role) = mark.role else {
        let (strong, grid) = (pen.theme.strong, pen.theme.grid);
        let seam = if area.width() > 3.0 { 0.75 } else { 0.0 };
        let cell = area.across(area.left, (area.right - seam).max(area.left + 0.6));
        pen.fill_rect(cell, if mark.batch == dark { strong } else { grid });
        return pen.outline(cell, hair(strong));
    };
    lanes::stretch(pen, area, role, 0.0);
}

/// Draws the pinned scenario: the busy intervals of its lanes, and a mark at the end of its layer.
fn ghosts(pen: &mut Pen<'_>, data: &Line, layout: &Layout) {
    let some = |pinned: &&Pinned| pinned.span_s.is_finite() && pinned.span_s > 0.0;
    let Some(pinned) = data.pinned.as_ref().filter(some) else {
        return;
    };
    let hair = hair(pen.theme.ink_3);
    for (lane, busy) in pinned.busy.iter().enumerate().take(data.lanes.len()) {
        let top = layout.row(lane).bottom + 2.0;
        for (start, end) in busy {
            let ghost = rect(layout.at(*start), top, layout.at(*end), top + GHOST_PX);
            pen.dashed_outline(ghost, hair);
        }
        let whose = Words::tick("A", pen.theme.ink_2).bold();
        let at = point(layout.plot.area.left - 7.0, top + GHOST_PX / 2.0);
        pen.write_about(&whose, at, Align::End, None);
    }
    let (x, bottom) = (layout.at(pinned.span_s), layout.plot.area.bottom);
    marks::ghost_tick(pen, "A", x, bottom + 2.0, bottom + 18.0);
}

fn axis(pen: &mut Pen<'_>, data: &Line, layout: &Layout) {
    let theme = pen.theme;
    let Rect { left, bottom, .. } = layout.plot.area;
    let top = layout.row(0).top;
    let hair = hair(theme.strong);
    pen.line(point(left, top - 4.0), point(left, bottom), hair);
    // A layer takes microseconds; a pipeline round takes milliseconds.
    let unit = lanes::unit(data.span_s / 5.0);
    let end = Words::tick(format::figure(data.span_s * unit.0), theme.ink_1).bold();
    let apart = 76.0_f64.max(layout.plot.area.width() / 6.0);
    let first = vec![(data.span_s, end)];
    lanes::time_axis(pen, &layout.plot, unit, "", apart, first);
    let x = layout.at(data.span_s);
    let (head, foot) = (point(x, top - 6.0), point(x, bottom + 4.0));
    pen.line(head, foot, stroke(theme.ink_1, size::ROOF_PX));
    pen.reserve(rect(x - 2.0, head.y, x + 2.0, bottom));
    if !data.note.is_empty() {
        let note = Words::tick(data.note.clone(), theme.ink_3);
        pen.write_if_free(&note, point(left, bottom + 29.5), Align::Start, None);
    }
}

/// Draws the time at which the half batches switch lanes, and labels the half batch in each lane.
fn swap(pen: &mut Pen<'_>, data: &Line, layout: &Layout) {
    let Some(swap) = data.swap_s else { return };
    let grey = pen.theme.ink_3;
    let x = layout.at(swap);
    let (head, foot) = (layout.row(0).top - 6.0, layout.plot.area.bottom);
    let hair = hair(grey);
    pen.dashed_rule(point(x, head), point(x, foot), (2.0, 3.0), hair);
    let ghost = data.pinned.as_ref().map_or(0.0, |_| GHOST_PX + 3.0);
    for (lane, of) in data.lanes.iter().enumerate() {
        let baseline = layout.row(lane).bottom + 12.0 + ghost;
        for (from, to) in [(0.0, swap), (swap, data.span_s)] {
            let within = |mark: &&Stretch| {
                let inside = from - swap * 1e-9 <= mark.start_s && mark.end_s <= to * (1.0 + 1e-9);
                inside && !mark.is_idle()
            };
            let Some(mark) = of.marks.iter().find(within) else {
                continue;
            };
            let words = Words::tick(mark.portion.clone(), grey);
            let (left, right) = (layout.at(from) + 4.0, layout.at(to) - 4.0);
            if pen.width(&words) <= right - left {
                pen.write_if_free(&words, point(left, baseline), Align::Start, None);
            }
        }
    }
}

/// Minimum share of the layer time for which a bar is labeled. Shorter bars are named only in the tooltip.
const LEAST_NAMED: f64 = 0.06;

/// Adjacent bars with the same name, such as one operator's bars for several requests.
struct Run<'a> {
    mark: &'a Stretch,
    area: Rect,
    time_s: f64,
}

/// Labels each operation in a lane once, at its longest bar. The label is inside the bar, or above it with a leader
/// line.
fn name_marks(pen: &mut Pen<'_>, data: &Line, layout: &Layout, lane: usize) {
    let mut named: Vec<Run<'_>> = Vec::new();
    for run in runs(data, layout, lane) {
        if run.mark.role.is_none() {
            // Label every cell of a stage with its micro-batch.
            level(pen, &run);
            continue;
        }
        match named.iter_mut().find(|of| of.mark.name == run.mark.name) {
            // If times are equal except for rounding, keep the first.
            Some(of) if run.time_s > of.time_s * (1.0 + 1e-6) => *of = run,
            Some(_) => {}
            None => named.push(run),
        }
    }
    named.retain(|run| run.time_s >= data.span_s * LEAST_NAMED);
    let swap = data.swap_s.map(|swap| layout.at(swap));
    for run in &mut named {
        let Rect { left, right, .. } = run.area;
        // If a bar spans the time at which the half batches switch, label its longer part.
        if let Some(x) = swap.filter(|x| left + 1.0 < *x && *x < right - 1.0) {
            let later = right - x > x - left;
            run.area = if later {
                run.area.across(x, right)
            } else {
                run.area.across(left, x)
            };
        }
    }
    // Idle intervals without room for a label stay unlabeled.
    named.retain(|run| !level(pen, run) && !run.mark.is_idle());
    sort_by(&mut named, |one, other| {
        one.area.left.total_cmp(&other.area.left)
    });
    let called = named.into_iter().map(|run| {
        let name = Words::note(format!("{} ", run.mark.name), pen.theme.ink_2);
        let time = format::duration(run.time_s).to_string();
        (run.time_s, name.and_bold(time, pen.theme.ink_1), run.area)
    });
    let called: Vec<(f64, Words, Rect)> = called.collect();
    let edges = (layout.plot.area.left - 3.0, layout.at(data.span_s) - 3.0);
    call_out(pen, edges, layout.row(lane).top, called);
}

fn runs<'a>(data: &'a Line, layout: &Layout, lane: usize) -> Vec<Run<'a>> {
    // A label does not extend across the time at which the half batches switch.
    let near = |at: f64, swap: f64| (at - swap).abs() <= swap * 1e-9;
    let swaps = |at: f64| data.swap_s.is_some_and(|swap| near(at, swap));
    let mut runs: Vec<Run<'a>> = Vec::new();
    for (_, mark) in data.marks().filter(|(of, _)| *of == lane) {
        let (area, time_s) = (layout.mark(lane, mark), mark.time_s());
        let goes_on = |last: &&mut Run<'_>| {
            let touches = (area.left - last.area.right).abs() < 1.0;
            last.mark.name == mark.name && touches && !swaps(mark.start_s)
        };
        match runs.last_mut().filter(goes_on) {
            Some(last) => {
                last.area.right = area.right;
                last.time_s += time_s;
            }
            None => runs.push(Run { mark, area, time_s }),
        }
    }
    runs
}

/// Writes "attention" and "230 µs", or the name alone, inside the bar. Returns false if neither fits.
fn level(pen: &mut Pen<'_>, run: &Run<'_>) -> bool {
    let theme = pen.theme;
    let (ink, rim) = match run.mark.role {
        Some(role) => lanes::inks(theme, role),
        None => (theme.ink_1, theme.grid),
    };
    let (width, centre) = (run.area.width(), run.area.centre());
    let name = Words::label(run.mark.name.as_str(), ink);
    let time = Words::label(format::duration(run.time_s).to_string(), ink).bold();
    let widest = pen.width(&name).max(pen.width(&time));
    let fits = run.area.height() >= 32.0 && widest + 8.0 <= width;
    if run.mark.role.is_none() || !fits {
        let height = name.bounds(centre, Align::Start, 1.0).height();
        let within = run.area.across(run.area.left - 1.0, run.area.right + 1.0);
        let high = height <= run.area.height();
        return high && marks::inside(pen, &within, [name], Align::Middle, Some(rim));
    }
    // Cover the gaps between requests, which would cross the label.
    let (Point { x, y }, across) = (centre, widest / 2.0 + 3.0);
    pen.fill_rect(rect(x - across, y - 15.0, x + across, y + 15.0), rim);
    for (words, dy) in [(name, -7.5), (time, 7.5)] {
        let at = point(centre.x, words.baseline_about(centre.y + dy));
        pen.write(&words, at, Align::Middle, Some(rim));
    }
    true
}
