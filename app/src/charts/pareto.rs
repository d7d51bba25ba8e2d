//! "Is the batch right?": throughput per GPU against speed per user as the batch grows.

use crate::charts::overlay::{self, MeasuredMark};
use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct ParetoData {
    /// From the smallest batch to beyond the largest that fits, batches ascending.
    pub curve: Vec<OperatingPoint>,
    pub now: OperatingPoint,
    /// Batches to mark and label on the curve: 32, 64, 96 … Those outside the curve are left out.
    pub marks_batch_per_gpu: Vec<f64>,
    /// The plan, under the current point: `DP 72 · EP 72`.
    pub plan: String,
    pub slo_tokens_per_s_per_user: Option<f64>,
    /// The largest batch that fits in memory; `None` when even one sequence does not.
    pub capacity_batch_per_gpu: Option<f64>,
    /// Where a larger batch stops paying: throughput is flat beyond.
    pub knee: Option<OperatingPoint>,
    pub pinned: Option<PinnedPareto>,
    /// Measured systems, where they are asked for.
    pub measured: Vec<MeasuredMark>,
    pub finding: String,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PinnedPareto {
    /// How it differs: `100 GB/s scale-out`.
    pub label: String,
    pub curve: Vec<OperatingPoint>,
    pub now: OperatingPoint,
}

impl ParetoData {
    /// Sequences of the deployment at a hit, whole.
    pub fn batch_at(&self, index: usize) -> Option<f64> {
        Some(libm::round(self.drawn().get(index)?.batch).max(1.0))
    }

    /// The points of the curve that are drawn: the order of hits.
    pub fn drawn(&self) -> Vec<OperatingPoint> {
        worth_drawing(&self.curve, &self.now)
    }

    /// The pinned point, where there are two to compare on a plot.
    fn compared(&self, plot: &Plot) -> Option<&PinnedPareto> {
        let pinned = self.pinned.as_ref()?;
        let here = plot.holds((pinned.now.per_user, pinned.now.per_gpu));
        (here && pinned.now.draws() && self.now.draws()).then_some(pinned)
    }

    pub fn meets_slo(&self, point: &OperatingPoint) -> Option<bool> {
        let least = self.slo_tokens_per_s_per_user?;
        Some(point.per_user >= least)
    }
}

fn place(plot: &Plot, of: &OperatingPoint) -> Point {
    plot.at(of.per_user, of.per_gpu)
}

impl Figure for ParetoData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = usual_area(pen);
        let curve = self.drawn();
        let theirs = self.pinned.as_ref();
        let theirs = theirs.map_or(Vec::new(), |of| worth_drawing(&of.curve, &of.now));
        let plot = plot(self, area, [&curve, &theirs]);
        let at = |p: &OperatingPoint| place(&plot, p);
        si_axes(pen, &plot, "tokens/s per GPU", "tokens/s per user");
        let asked = self.slo_tokens_per_s_per_user;
        let slo = asked.filter(|least| *least > 0.0 && plot.x.holds(*least));
        if let Some(least) = slo {
            marks::limit_at(pen, &plot, least, false, 0.0);
        }
        let line = |points: &[OperatingPoint]| -> Vec<(Point, bool)> {
            points.iter().map(|p| (at(p), p.fits)).collect()
        };
        marks::curve(pen, &line(&theirs), marks::Line::Pinned(area));
        let ink = marks::Line::Solid(pen.theme.ink_1, size::CURVE_PX);
        marks::curve(pen, &line(&curve), ink);
        pen.seam();
        let measured = || self.measured.iter().map(|mark| (mark, at(&mark.point)));
        overlay::draw(pen, measured());
        if self.now.draws() {
            pen.reserve(Rect::about(at(&self.now), 9.5));
        }
        arrow(pen, &plot, self);
        name_now(pen, &plot, self);
        name_pinned(pen, &plot, self);
        let values = theirs.iter().map(|of| (of.per_user, of.per_gpu));
        marks::goes_on(pen, &plot, values.collect());
        match (slo, asked) {
            (Some(least), _) => name_slo(pen, &plot, least),
            (None, Some(least)) => marks::far_slo(pen, &plot, least),
            _ => {}
        }
        name_knee(pen, &plot, self);
        name_end(pen, &plot, self, &curve);
        mark_batches(pen, &plot, self, &curve);
        overlay::name(pen, area, measured());
        if curve.is_empty() {
            nothing_to_show(pen, &area, "no batch can be evaluated");
        }
        if self.now.draws() {
            pen.now(at(&self.now), self.now.fits);
        }
        let start = curve.iter().position(|p| p.batch >= self.now.batch);
        let measured = measured().map(|(_, at)| at);
        Hits::points(curve.iter().map(at).chain(measured))
            .on(&plot)
            .starting_at(start)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let own = [&self.now].into_iter().chain(&self.curve);
        let own = own.map(|point| (None, *point));
        let measured = self.measured.iter().map(|mark| (Some(mark), mark.point));
        let table = Table::of(own.chain(measured)).point(|(_, point)| *point);
        if self.measured.is_empty() {
            return table.done();
        }
        let said = |(mark, _): &(Option<&MeasuredMark>, _)| mark.map(MeasuredMark::words);
        table.col("measured", "", said).done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let drawn = self.drawn();
        let Some(point) = drawn.get(index) else {
            let mark = self.measured.get(index.checked_sub(drawn.len())?);
            return mark.map(overlay::tooltip);
        };
        let tip = Tooltip::new(point.batch_words(), point.aside(), &self.source)
            .across(format::sig3(point.per_user))
            .rows(point.tip_rows())
            .rows(slo_row(self.meets_slo(point)));
        Some(tip)
    }
}

/// An SLO beyond this many times the fastest is an arrow at the edge.
const FAR: f64 = 1.6;
/// A pinned point further off than so many times one's own leaves the frame.
const FURTHEST: f64 = 4.0;
/// The flat top of a curve leaves room above it for its labels.
const HEADROOM: f64 = 1.25;

/// A plot that holds every point.
fn plot(data: &ParetoData, area: Rect, [curve, theirs]: [&[OperatingPoint]; 2]) -> Plot {
    let mut all = [curve, &[data.now]].concat();
    all.extend(data.measured.iter().map(|mark| mark.point));
    if let Some(pinned) = &data.pinned {
        // Its point is held where that leaves room for the curve.
        let [fastest, highest] = greatest(&all).map(|own| own * FURTHEST);
        let near = |of: &OperatingPoint| of.per_user <= fastest && of.per_gpu <= highest;
        all.extend(Some(pinned.now).filter(near));
    }
    let ([fastest, highest], [theirs, over]) = (greatest(&all), greatest(theirs));
    let (fastest, highest) = (beside(fastest, theirs), beside(highest, over));

    // What is asked for belongs on the axis, unless it is far off it.
    let slo = data.slo_tokens_per_s_per_user.unwrap_or(0.0);
    let far = slo > FAR * fastest;
    let end = if far { fastest } else { fastest.max(slo) };
    let x = Scale::linear(0.0, end * 1.07);
    Plot::new(area, x, Scale::linear(0.0, highest * HEADROOM))
}

/// The greatest speed and the greatest throughput.
fn greatest(points: &[OperatingPoint]) -> [f64; 2] {
    let drawn = || points.iter().filter(|point| point.draws());
    let fastest = extent(drawn().map(|of| of.per_user)).1;
    [fastest, extent(drawn().map(|of| of.per_gpu)).1]
}

/// What became of the pinned scenario's throughput, in words and in the colour that says so.
fn verdict(theme: &Theme, now: &OperatingPoint, then: &OperatingPoint) -> (String, Colour) {
    let factor = now.per_gpu / then.per_gpu;
    let ink = match factor {
        // What does not fit serves nothing to compare.
        _ if !then.fits => return ("does not fit".to_owned(), theme.ink_2),
        _ if !now.fits => return ("fits".to_owned(), theme.ink_2),
        _ if (factor - 1.0).abs() < 0.005 || !(factor.is_finite() && factor > 0.0) => {
            return ("now the same throughput".to_owned(), theme.ink_2);
        }
        factor if factor > 1.0 => theme.accent,
        _ => theme.bad,
    };
    (format!("now {}", format::factor(factor)), ink)
}

/// The arrow from the pinned point to now.
fn arrow(pen: &mut Pen<'_>, plot: &Plot, data: &ParetoData) {
    let Some(pinned) = data.compared(plot) else {
        return;
    };
    let (from, to) = (place(plot, &pinned.now), place(plot, &data.now));
    marks::ghost(pen, from);
    if from.distance(to) < 34.0 || !(data.now.fits && pinned.now.fits) {
        return;
    }
    let (_, colour) = verdict(pen.theme, &data.now, &pinned.now);
    let (start, tip) = (from.along(to, 8.5), to.along(from, 12.0));
    pen.polyline(&[start, tip], stroke(colour, 1.5));
    marks::arrow_head(pen, from, tip, (9.0, 3.42), stroke(colour, 1.5));
    pen.avoid(&[start, tip]);
}

fn name_now(pen: &mut Pen<'_>, plot: &Plot, data: &ParetoData) {
    if !data.now.draws() {
        return;
    }
    let (at, ink) = (place(plot, &data.now), pen.ink(data.now.fits));
    let long = if data.now.fits {
        "per GPU"
    } else {
        "does not fit"
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
    let below = [SE(-2, 11), SW(-2, 11), S(0, 11)];
    let elsewhere = [NE(13, 2), SW(13, 2), N(0, 12), NW(13, 2), E(13, 0)];
    let right = pen.canvas.right;
    let within = Rect { right, ..plot.area };
    let _ = [&below[..1], &below[1..], &elsewhere[..]]
        .into_iter()
        .any(|sides| now.clone().near(at, sides).within(within).write(pen).is_some())
        // Now is named even across a line.
        || now.near(at, &below).near(at, &elsewhere).or_over_lines().write(pen).is_some();
}

fn name_pinned(pen: &mut Pen<'_>, plot: &Plot, data: &ParetoData) {
    let Some(pinned) = data.compared(plot) else {
        return;
    };
    let ink = pen.theme.ink_1;
    let (saying, colour) = verdict(pen.theme, &data.now, &pinned.now);
    let a = || Words::label("A", ink).bold();
    let value = Words::label(saying.clone(), colour).bold();
    let label = Label::blocks([
        vec![a().and(format!(" {}", pinned.label), ink), value],
        vec![a().and_bold(format!(" {saying}"), colour)],
        vec![a()],
    ])
    .around(place(plot, &pinned.now), 10.0)
    .halo(pen.theme.background);
    if label.clone().within(plot.area).write(pen).is_none() {
        label.or_over_lines().write(pen);
    }
}

fn name_slo(pen: &mut Pen<'_>, plot: &Plot, least: f64) {
    let note = |text: String| Words::note(text, pen.theme.ink_2);
    let limit = format!("{} tok/s/user", format::printed(least));
    let short = format!("SLO {}", format::printed(least));
    let [top, foot] = plot.upright(least);
    let heights = [foot.y - 4.0, foot.y - 40.0, top.y + 32.0].map(|y| point(top.x, y));
    let inside = Label::blocks([vec![note("misses SLO".to_owned()), note(limit.clone())]]);
    let beside = Label::lines([note(format!("SLO {limit}")), note(short)]);
    let inside = inside.at(heights.map(|at| NW(6, 0).of(at)));
    let beside = beside.at(heights.map(|at| NE(6, 0).of(at)));
    let _ = [inside, beside]
        .into_iter()
        .any(|label| label.on_lines().write_in(pen, plot.area).is_some());
}

/// Where a larger batch stops paying.
fn name_knee(pen: &mut Pen<'_>, plot: &Plot, data: &ParetoData) {
    let holds = |p: &OperatingPoint| p.draws() && plot.holds((p.per_user, p.per_gpu));
    let Some(knee) = data.knee.filter(holds) else {
        return;
    };
    let at = place(plot, &knee);
    if at.distance(place(plot, &data.now)) <= 14.0 {
        return;
    }
    let batch = format::batch(knee.batch_per_gpu());
    let speed = format::sig3(knee.per_user);
    let wordings = match data.now.batch > knee.batch {
        true => [
            format!("{batch} per GPU: the same|throughput at {speed}"),
            format!("{batch}: same|at {speed}"),
        ],
        false => [
            format!("throughput levels|off at {batch} per GPU"),
            format!("levels off|at {batch}"),
        ],
    };
    let note = |line: &str| Words::note(line, pen.theme.ink_2);
    let blocks = wordings.map(|lines| lines.split('|').map(note).collect());
    let right = [NE(16, 10), NE(24, 18), NE(12, 26), NE(20, 40), SE(16, 10)];
    let left = [NW(16, 10), NW(24, 18), NW(12, 26), NW(20, 40), SW(16, 10)];
    let written = [right, left].into_iter().find_map(|sides| {
        let label = Label::blocks(blocks.clone()).near(at, &sides);
        label.write_in(pen, plot.area)
    });
    if let Some(bounds) = written {
        let x = at.x.clamp(bounds.left - 3.0, bounds.right + 3.0);
        let near = point(x, at.y.clamp(bounds.top, bounds.bottom - 2.0));
        let leader = stroke(pen.theme.ink_3, 1.0);
        let (near, foot) = (near.along(at, 2.0), at.along(near, 5.5));
        if !pen.crosses_words(near, foot) {
            pen.polyline(&[near, foot], leader);
        }
    }
    marks::stop(pen, at, 4.0, stroke(pen.theme.ink_1, 1.6), 5.0);
}

/// Says where memory ends, beside the end of the solid curve.
fn name_end(pen: &mut Pen<'_>, plot: &Plot, data: &ParetoData, curve: &[OperatingPoint]) {
    let Some(end) = curve.iter().position(|point| !point.fits) else {
        return;
    };
    let at = place(plot, &curve[end.saturating_sub(1)]);
    let most = data.capacity_batch_per_gpu;
    let second = match most {
        Some(most) => format!("beyond {}", format::batch(most)),
        None => "at any batch".to_owned(),
    };
    let [first, second] = ["out of memory", &second].map(|text| Words::note(text, pen.theme.ink_2));
    Label::blocks([vec![first, second.clone()], vec![second]])
        .near(at, &[NW(0, 12), SW(0, 22), NE(4, 12), SE(4, 14)])
        .near(at, &[W(12, 0), E(12, 0), NW(0, 26), NE(4, 26)])
        .near(
            point(plot.area.left, at.y),
            &[NE(4, 12), SE(4, 22), NE(4, 40)],
        )
        .write_in(pen, plot.area);
    if most.is_some() && end > 0 {
        marks::stop(pen, at, 3.8, stroke(pen.theme.ink_3, 1.6), 4.5);
    }
}

/// Labelled batches along the curve; one of them says what the numbers are.
fn mark_batches(pen: &mut Pen<'_>, plot: &Plot, data: &ParetoData, curve: &[OperatingPoint]) {
    let (ink, grey, right) = (pen.theme.ink_1, pen.theme.ink_3, pen.canvas.right);
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
        let ring = stroke(if fits { ink } else { grey }, 1.4);
        marks::stop(pen, at, 3.2, ring, 3.6);
        let number = format::batch(*batch);
        let full = (!said && *batch >= 48.0).then(|| format!("{number} per GPU"));
        let says = full.is_some();
        // A falling curve leaves room to the right and a little above.
        let wordings = full.into_iter().chain([number]);
        let label = Label::lines(wordings.map(|text| Words::note(text, grey)))
            .near(at, &[NE(9, -3), N(0, 6), S(0, 6), SW(7, 0)]);
        said |= label.write_in(pen, within).is_some() && says;
    }
}

/// The place of a batch on the curve, between its neighbours if need be.
fn on_curve(plot: &Plot, curve: &[OperatingPoint], batch: f64) -> Option<(Point, bool)> {
    let mut pairs = curve.iter().zip(curve.iter().skip(1));
    let (a, b) = pairs.find(|(a, b)| a.batch_per_gpu() <= batch && batch <= b.batch_per_gpu())?;
    let span = b.batch_per_gpu() - a.batch_per_gpu();
    let share = (batch - a.batch_per_gpu()) / span;
    let share = if span > 0.0 { share } else { 0.0 };
    let fits = b.fits || share <= 0.0 && a.fits;
    Some((place(plot, a).towards(place(plot, b), share), fits))
}
