//! "Is the batch right?": throughput per GPU against speed per user as the batch grows.

use crate::charts::overlay::{self, MeasuredMark};
use crate::charts::prelude::*;

/// The Pareto chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct ParetoData {
    /// From the smallest batch to beyond the largest that fits, batches ascending.
    pub curve: Vec<OperatingPoint>,
    /// The scenario's own point.
    pub now: OperatingPoint,
    /// Batches to mark and label on the curve, sequences per GPU: 32, 64, 96 … Those outside the curve are left out.
    pub marks_batch_per_gpu: Vec<f64>,
    /// The plan, under the current point: `DP 72 · EP 72`.
    pub plan: String,
    /// The least speed a user accepts.
    pub slo_tokens_per_s_per_user: Option<f64>,
    /// The largest batch that fits in memory; `None` when even one sequence does not.
    pub capacity_batch_per_gpu: Option<f64>,
    /// Where a larger batch stops paying: throughput is flat beyond.
    pub knee: Option<OperatingPoint>,
    /// The pinned scenario.
    pub pinned: Option<PinnedPareto>,
    /// Measured systems, where they are asked for.
    pub measured: Vec<MeasuredMark>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// The pinned scenario's curve.
#[derive(Clone, Debug, PartialEq)]
pub struct PinnedPareto {
    /// How it differs: `100 GB/s scale-out`.
    pub label: String,
    /// Its curve, batches ascending.
    pub curve: Vec<OperatingPoint>,
    /// Its own point.
    pub now: OperatingPoint,
}

impl ParetoData {
    /// Sequences of the deployment at a hit, whole.
    pub fn batch_at(&self, index: usize) -> Option<f64> {
        Some(libm::round(self.drawn().get(index)?.batch).max(1.0))
    }

    /// The points of the curve that are drawn: the order of hits.
    fn drawn(&self) -> Vec<OperatingPoint> {
        worth_drawing(&self.curve, &self.now)
    }

    /// Both points that are compared, where there are two.
    fn compared(&self) -> Option<&PinnedPareto> {
        let pinned = self.pinned.as_ref()?;
        (pinned.now.draws() && self.now.draws()).then_some(pinned)
    }

    /// How much throughput there is now, relative to the pinned scenario.
    fn over_pinned(&self) -> Option<f64> {
        let factor = self.now.per_gpu / self.pinned.as_ref()?.now.per_gpu;
        (factor.is_finite() && factor > 0.0).then_some(factor)
    }

    fn meets_slo(&self, point: &OperatingPoint) -> Option<bool> {
        let least = self.slo_tokens_per_s_per_user?;
        Some(point.per_user >= least)
    }
}

impl Figure for ParetoData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        let curve = self.drawn();
        let plot = plot(self, area, &curve);
        let at = |p: &OperatingPoint| plot.at(p.per_user, p.per_gpu);
        si_axes(pen, &plot, "tokens/s per GPU", "tokens/s per user");
        let slo = self
            .slo_tokens_per_s_per_user
            .filter(|least| *least > 0.0 && plot.x.holds(*least));
        if let Some(least) = slo {
            marks::beyond_left(pen, &plot, least);
        }
        let line = |points: &[OperatingPoint]| -> Vec<(Point, bool)> {
            points.iter().map(|p| (at(p), p.fits)).collect()
        };
        if let Some(pinned) = &self.pinned {
            let drawn = worth_drawing(&pinned.curve, &pinned.now);
            marks::curve(pen, &line(&drawn), marks::Line::Pinned);
        }
        let ink = marks::Line::Solid(pen.theme.ink_1, size::CURVE_PX);
        marks::curve(pen, &line(&curve), ink);
        pen.seam();
        overlay::draw(pen, at, &self.measured);
        if self.now.draws() {
            pen.reserve(Rect::about(at(&self.now), 9.5));
        }
        arrow(pen, &plot, self);
        name_now(pen, &plot, self);
        name_pinned(pen, &plot, self);
        if let Some(least) = slo {
            name_slo(pen, &plot, least);
        }
        if let Some(least) = self.slo_tokens_per_s_per_user.filter(|_| slo.is_none()) {
            name_far_slo(pen, &plot, least);
        }
        name_knee(pen, &plot, self);
        name_end(pen, &plot, self, &curve);
        mark_batches(pen, &plot, self, &curve);
        overlay::name(pen, area, at, &self.measured);
        if curve.is_empty() {
            nothing_to_show(pen, &area, "no batch can be evaluated");
        }
        if self.now.draws() {
            pen.now(at(&self.now), self.now.fits);
        }
        let start = curve.iter().position(|p| p.batch >= self.now.batch);
        let measured = self.measured.iter().map(|mark| at(&mark.point));
        Hits::points(curve.iter().map(at).chain(measured))
            .on(&plot)
            .starting_at(start.unwrap_or(0))
    }

    fn finding(&self) -> String {
        let now = &self.now;
        if !now.draws() || self.drawn().is_empty() {
            return "Nothing to compare".to_owned();
        }
        let Some(most) = self.capacity_batch_per_gpu else {
            return "No batch fits in memory".to_owned();
        };
        if !now.fits {
            return format!("Does not fit: {} per GPU is the most", format::batch(most));
        }
        let works = |point: &OperatingPoint| point.fits && self.meets_slo(point) != Some(false);
        if self.meets_slo(now) == Some(false) {
            return match self.slo_tokens_per_s_per_user {
                Some(slo) if !self.drawn().iter().any(works) => {
                    format!("No batch reaches {} tok/s", format::printed(slo))
                }
                _ => "Too slow for the SLO: a smaller batch".to_owned(),
            };
        }
        match &self.knee {
            Some(knee) if now.batch > knee.batch => {
                format!("Beyond {} only latency grows", knee.batch_words())
            }
            _ => match self.drawn().iter().rfind(|point| works(point)) {
                Some(last) if last.per_gpu > now.per_gpu * 1.005 => {
                    let factor = format::factor(last.per_gpu / now.per_gpu);
                    match self.slo_tokens_per_s_per_user {
                        Some(_) => format!("Memory and SLO have room for {factor}"),
                        None => format!("Memory has room for {factor} the throughput"),
                    }
                }
                _ => "As large as pays".to_owned(),
            },
        }
    }

    fn table(&self) -> Table {
        let points = std::iter::once(&self.now).chain(&self.curve);
        let mut columns = OperatingPoint::columns();
        let mut rows: Vec<Vec<Cell>> = points.map(OperatingPoint::cells).collect();
        if !self.measured.is_empty() {
            columns.push(Column::new("measured", ""));
            rows.iter_mut().for_each(|row| row.push(Cell::Empty));
            rows.extend(self.measured.iter().map(|mark| {
                let mut cells = mark.point.cells();
                cells.push(format!("{}, {}: {}", mark.name, mark.run, mark.source).into());
                cells
            }));
        }
        Table { columns, rows }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let drawn = self.drawn();
        let Some(point) = drawn.get(index).copied() else {
            return self
                .measured
                .get(index.checked_sub(drawn.len())?)
                .map(overlay::tooltip);
        };
        let mut rows = point.tip_rows();
        rows.extend(slo_row(self.meets_slo(&point)));
        Some(Tooltip {
            title: point.batch_words(),
            aside: point.aside(),
            rows,
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        let drawn = self.drawn();
        let measured = self.measured.iter().map(|mark| mark.point);
        let point = drawn.into_iter().chain(measured).nth(index)?;
        Some(format::sig3(point.per_user))
    }
}

/// An SLO beyond this many times the fastest is an arrow at the edge.
const FAR: f64 = 1.6;
/// The flat top of a curve leaves room above it for its labels.
const HEADROOM: f64 = 1.25;

/// A plot that holds every point.
fn plot(data: &ParetoData, area: Rect, curve: &[OperatingPoint]) -> Plot {
    let pinned = data.pinned.iter().flat_map(|pinned| {
        let drawn = worth_drawing(&pinned.curve, &pinned.now);
        drawn.into_iter().chain([pinned.now])
    });
    let all: Vec<OperatingPoint> = curve
        .iter()
        .copied()
        .chain([data.now])
        .chain(pinned)
        .chain(data.measured.iter().map(|mark| mark.point))
        .filter(OperatingPoint::draws)
        .collect();
    let most = |of: fn(&OperatingPoint) -> f64| all.iter().map(of).fold(0.0, f64::max);
    let (fastest, highest) = (most(|p| p.per_user), most(|p| p.per_gpu));
    let top = if highest > 0.0 {
        highest * HEADROOM
    } else {
        1.0
    };
    // What is asked for belongs on the axis, unless it is far off it.
    let slo = data.slo_tokens_per_s_per_user.unwrap_or(0.0);
    let fastest = if slo <= FAR * fastest {
        fastest.max(slo)
    } else {
        fastest
    };
    Plot::new(
        area,
        Scale::linear(0.0, fastest * 1.07),
        Scale::linear(0.0, top),
    )
}

/// What became of the pinned scenario's throughput, in words and in the colour that says so.
fn verdict(theme: &Theme, data: &ParetoData) -> (String, Colour) {
    let factor = data.over_pinned().unwrap_or(1.0);
    if (factor - 1.0).abs() < 0.005 {
        return ("now the same throughput".to_owned(), theme.ink_2);
    }
    let colour = if factor > 1.0 {
        theme.accent
    } else {
        theme.bad
    };
    (format!("now {}", format::factor(factor)), colour)
}

/// The arrow from the pinned point to now.
fn arrow(pen: &mut Pen<'_>, plot: &Plot, data: &ParetoData) {
    let Some(pinned) = data.compared() else {
        return;
    };
    let place = |p: &OperatingPoint| plot.at(p.per_user, p.per_gpu);
    let (from, to) = (place(&pinned.now), place(&data.now));
    marks::ghost(pen, from);
    if from.distance(to) < 34.0 {
        return;
    }
    let (_, colour) = verdict(pen.theme, data);
    let (start, tip) = (from.along(to, 8.5), to.along(from, 12.0));
    pen.polyline(&[start, tip], stroke(colour, 1.5));
    let back = tip.along(from, 9.0);
    let (dx, dy) = ((tip.y - back.y) * 0.38, (back.x - tip.x) * 0.38);
    let (one, other) = (
        point(back.x + dx, back.y + dy),
        point(back.x - dx, back.y - dy),
    );
    pen.polyline(&[one, tip, other], stroke(colour, 1.5));
    pen.avoid(&[start, tip]);
}

fn name_now(pen: &mut Pen<'_>, plot: &Plot, data: &ParetoData) {
    if !data.now.draws() {
        return;
    }
    let Point { x, y } = plot.at(data.now.per_user, data.now.per_gpu);
    let (ink, long) = if data.now.fits {
        (pen.theme.ink_1, "per GPU")
    } else {
        (pen.theme.bad, "does not fit")
    };
    let batch = format::batch(data.now.batch_per_gpu());
    let title = |text: String| Words::label(text, ink).bold();
    let plan = Words::label(data.plan.clone(), pen.theme.ink_2);
    let now = Label::blocks([
        vec![title(format!("now: {batch} {long}")), plan.clone()],
        vec![title(format!("now: {batch}")), plan],
        vec![title(format!("now: {batch}"))],
    ])
    .halo(pen.theme.background);
    let below = [
        spot(point(x - 2.0, y + 11.0), Align::Start, Side::Below),
        spot(point(x + 2.0, y + 11.0), Align::End, Side::Below),
        spot(point(x, y + 11.0), Align::Middle, Side::Below),
    ];
    let elsewhere = [
        spot(point(x + 13.0, y - 2.0), Align::Start, Side::Above),
        spot(point(x - 13.0, y + 2.0), Align::End, Side::Below),
        spot(point(x, y - 12.0), Align::Middle, Side::Above),
        spot(point(x - 13.0, y - 2.0), Align::End, Side::Above),
        spot(point(x + 13.0, y), Align::Start, Side::Level),
    ];
    let right = pen.canvas.right;
    let within = Rect { right, ..plot.area };
    let _ = [&below[..1], &below[1..], &elsewhere]
        .into_iter()
        .any(|spots| {
            let label = now.clone().at(spots.iter().copied()).within(within);
            label.write(pen).is_some()
        })
        // Now is named even across a line.
        || now.at(below).at(elsewhere).on_lines().write(pen).is_some();
}

fn name_pinned(pen: &mut Pen<'_>, plot: &Plot, data: &ParetoData) {
    let Some(pinned) = data.compared() else {
        return;
    };
    let to = plot.at(pinned.now.per_user, pinned.now.per_gpu);
    let ink = pen.theme.ink_1;
    let (saying, colour) = verdict(pen.theme, data);
    let a = || Words::sized(size::LABEL_PX).and_bold("A", ink);
    let value = Words::label(saying.clone(), colour).bold();
    let label = Label::blocks([
        vec![a().and(format!(" {}", pinned.label), ink), value],
        vec![a().and_bold(format!(" {saying}"), colour)],
        vec![a()],
    ])
    .around(to, 10.0)
    .halo(pen.theme.background);
    if label.clone().within(plot.area).write(pen).is_none() {
        label.on_lines().write(pen);
    }
}

fn name_slo(pen: &mut Pen<'_>, plot: &Plot, least: f64) {
    let note = |text: String| Words::note(text, pen.theme.ink_2);
    let limit = format!("{} tok/s/user", format::printed(least));
    let short = format!("SLO {}", format::printed(least));
    let Rect { top, bottom, .. } = plot.area;
    let heights = [bottom - 4.0, bottom - 40.0, top + 32.0];
    let x = plot.x_at(least);
    let left = heights.map(|y| spot(point(x - 6.0, y), Align::End, Side::Above));
    let right = heights.map(|y| spot(point(x + 6.0, y), Align::Start, Side::Above));
    let inside = Label::blocks([vec![note("misses SLO".to_owned()), note(limit.clone())]]);
    let beside = Label::lines([note(format!("SLO {limit}")), note(short)]);
    for label in [inside.at(left), beside.at(right)] {
        let label = label.within(plot.area).halo(pen.theme.background);
        if label.on_lines().write(pen).is_some() {
            return;
        }
    }
}

/// "SLO 1,000 →", where it lies beyond the axis.
fn name_far_slo(pen: &mut Pen<'_>, plot: &Plot, least: f64) {
    if least <= plot.x.high() {
        return;
    }
    let words = Words::note(format!("SLO {} →", format::printed(least)), pen.theme.ink_1);
    let Rect { right, top, .. } = plot.area;
    let spots = [top + 4.0, top + 22.0, top + 40.0];
    Label::lines([words.bold()])
        .at(spots.map(|y| spot(point(right - 2.0, y), Align::End, Side::Below)))
        .or_over_lines()
        .write_in(pen, plot.area);
}

/// Where a larger batch stops paying.
fn name_knee(pen: &mut Pen<'_>, plot: &Plot, data: &ParetoData) {
    let holds =
        |p: &&OperatingPoint| p.draws() && plot.x.holds(p.per_user) && plot.y.holds(p.per_gpu);
    let Some(knee) = data.knee.as_ref().filter(holds) else {
        return;
    };
    let at = plot.at(knee.per_user, knee.per_gpu);
    let now = plot.at(data.now.per_user, data.now.per_gpu);
    if at.distance(now) <= 14.0 {
        return;
    }
    let batch = format::batch(knee.batch_per_gpu());
    let speed = format::sig3(knee.per_user);
    let [long, short] = if data.now.batch > knee.batch {
        [
            [
                format!("{batch} per GPU: the same"),
                format!("throughput at {speed}"),
            ],
            [format!("{batch}: same"), format!("at {speed}")],
        ]
    } else {
        [
            [
                "throughput levels".to_owned(),
                format!("off at {batch} per GPU"),
            ],
            ["levels off".to_owned(), format!("at {batch}")],
        ]
    };
    let grey = pen.theme.ink_2;
    let beside = |sign: f64, align: Align| {
        let above = [
            (16.0, -10.0),
            (24.0, -18.0),
            (12.0, -26.0),
            (34.0, -8.0),
            (20.0, -40.0),
        ];
        let near = move |dx: f64, dy: f64| point(at.x + sign * dx, at.y + dy);
        let above = above.map(|(dx, dy)| spot(near(dx, dy), align, Side::Above));
        let below = spot(near(16.0, 10.0), align, Side::Below);
        above.into_iter().chain([below])
    };
    let label = |align, sign| {
        Label::blocks([long.clone(), short.clone()].map(|lines| {
            let lines = lines.into_iter();
            lines.map(|line| Words::note(line, grey)).collect()
        }))
        .at(beside(sign, align))
        .within(plot.area)
        .halo(pen.theme.background)
    };
    let (right, left) = (label(Align::Start, 1.0), label(Align::End, -1.0));
    if let Some(bounds) = right.write(pen).or_else(|| left.write(pen)) {
        let x = at.x.clamp(bounds.left - 3.0, bounds.right + 3.0);
        let near = point(x, at.y.clamp(bounds.top, bounds.bottom - 2.0));
        let leader = stroke(pen.theme.ink_3, 1.0);
        pen.polyline(&[near, at.along(near, 5.5)], leader);
    }
    pen.open_point(at, 4.0, stroke(pen.theme.ink_1, 1.6));
    pen.reserve(Rect::about(at, 5.0));
}

/// Says where memory ends, beside the end of the solid curve.
fn name_end(pen: &mut Pen<'_>, plot: &Plot, data: &ParetoData, curve: &[OperatingPoint]) {
    let end = curve.iter().position(|point| !point.fits);
    let (Some(end), Some(first)) = (end, curve.first()) else {
        return;
    };
    let last = curve.get(end.saturating_sub(1)).unwrap_or(first);
    let at = plot.at(last.per_user, last.per_gpu);
    let grey = pen.theme.ink_2;
    let second = match data.capacity_batch_per_gpu {
        Some(most) => format!("beyond {}", format::batch(most)),
        None => "at any batch".to_owned(),
    };
    let second = Words::note(second, grey);
    let (left, y) = (plot.area.left + 4.0, at.y);
    Label::blocks([
        vec![Words::note("out of memory", grey), second.clone()],
        vec![second],
    ])
    .at([
        spot(point(at.x, y - 12.0), Align::End, Side::Above),
        spot(point(left, y - 12.0), Align::Start, Side::Above),
        spot(point(at.x, y + 22.0), Align::End, Side::Below),
        spot(point(left, y + 22.0), Align::Start, Side::Below),
        spot(point(at.x + 4.0, y - 12.0), Align::Start, Side::Above),
        spot(point(left, y - 40.0), Align::Start, Side::Above),
        spot(point(at.x + 4.0, y + 14.0), Align::Start, Side::Below),
    ])
    .within(plot.area)
    .halo(pen.theme.background)
    .write(pen);
    if data.capacity_batch_per_gpu.is_some() && end > 0 {
        pen.open_point(at, 3.8, stroke(pen.theme.ink_3, 1.6));
        pen.reserve(Rect::about(at, 4.5));
    }
}

/// Labelled batches along the curve; one of them says what the numbers are.
fn mark_batches(pen: &mut Pen<'_>, plot: &Plot, data: &ParetoData, curve: &[OperatingPoint]) {
    let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
    let right = pen.canvas.right;
    let within = Rect { right, ..plot.area };
    let mut said = false;
    let mut last: Option<Point> = None;
    for batch in &data.marks_batch_per_gpu {
        let Some((at, fits)) = on_curve(plot, curve, *batch) else {
            continue;
        };
        let near = last.is_some_and(|last| last.distance(at) < 9.0);
        if near || !pen.is_free(&Rect::about(at, 1.0)) {
            continue;
        }
        last = Some(at);
        pen.open_point(at, 3.2, stroke(if fits { ink } else { grey }, 1.4));
        pen.reserve(Rect::about(at, 3.6));
        let number = format::batch(*batch);
        let full = (!said && *batch >= 48.0).then(|| format!("{number} per GPU"));
        let says = full.is_some();
        let Point { x, y } = at;
        // A falling curve leaves room to the right and a little above.
        let wordings = full.into_iter().chain([number]);
        let label = Label::lines(wordings.map(|text| Words::note(text, grey)))
            .at([
                spot(point(x + 9.0, y + 3.0), Align::Start, Side::Above),
                spot(point(x, y - 6.0), Align::Middle, Side::Above),
                spot(point(x, y + 6.0), Align::Middle, Side::Below),
                spot(point(x - 7.0, y), Align::End, Side::Below),
            ])
            .within(within)
            .halo(pen.theme.background);
        said |= label.write(pen).is_some() && says;
    }
}

/// The place of a batch on the curve, between its neighbours if need be.
fn on_curve(plot: &Plot, curve: &[OperatingPoint], batch: f64) -> Option<(Point, bool)> {
    let place = |p: &OperatingPoint| plot.at(p.per_user, p.per_gpu);
    let pairs = curve.iter().zip(curve.iter().skip(1));
    let holds = |(a, b): &(&OperatingPoint, &OperatingPoint)| {
        a.batch_per_gpu() <= batch && batch <= b.batch_per_gpu()
    };
    let (a, b) = { pairs }.find(holds)?;
    let span = b.batch_per_gpu() - a.batch_per_gpu();
    let share = if span > 0.0 {
        (batch - a.batch_per_gpu()) / span
    } else {
        0.0
    };
    let fits = b.fits || share <= 0.0 && a.fits;
    Some((place(a).towards(place(b), share), fits))
}
