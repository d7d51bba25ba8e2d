//! "Is the batch size right?": throughput per GPU vs. interactivity, as the batch varies.

use crate::case::Evaluated;
use crate::chart::frame::beside;
use crate::chart::marks::CurveStroke;
use crate::chart::{At, Axis, Chart, Digits, DotInk, Ink, Rows, Words, Xy};
use crate::charts::{MeasuredMark, OperatingPoint, overlay};
use crate::picture::scale::extent;
use crate::theme::size;
use crate::words::format;
use crate::{compare, sharding};
use model_core::evaluate::with_batch;
use model_core::limits::{LEVEL, NoBatch};
use model_core::order::sort_numbers;

/// Name of the table column with a row's batch, in total sequences.
pub const BATCH: &str = "batch, total";

/// Number of points on the curve, which are denser at small batches, where the curve bends.
const POINTS: i32 = 96;
/// An SLO above this multiple of the highest interactivity is drawn as an arrow at the chart's edge.
const FAR: f64 = 1.6;
/// A pinned point whose values exceed this multiple of the current ones is outside the axes.
const FURTHEST: f64 = 4.0;
/// Factor by which the y-axis exceeds the highest point, to leave room for labels above a flat curve.
const HEADROOM: f64 = 1.25;
/// Share of the curve's maximum throughput below which a point would seem to be on the axis.
const ON_THE_AXIS: f64 = 0.005;
/// Distance in CSS px from the current scenario's point, within which the knee (where throughput levels off) is not
/// drawn.
const KNEE_APART_PX: f64 = 14.0;

struct Curve<'a> {
    case: &'a Evaluated,
    /// Points in ascending order of batch, from one sequence to beyond the largest batch that fits.
    points: Vec<OperatingPoint>,
    now: OperatingPoint,
    /// Indices in `points` of the points that are drawn.
    drawn: Vec<usize>,
}

impl<'a> Curve<'a> {
    fn of(case: &'a Evaluated) -> Self {
        let points = curve(case);
        let now = case.point(&case.evaluation, case.batch_per_gpu());
        let drawn = worth_drawing(&points, &now);
        Self {
            case,
            points,
            now,
            drawn,
        }
    }

    fn drawn(&self) -> impl DoubleEndedIterator<Item = &OperatingPoint> {
        self.drawn.iter().map(|place| &self.points[*place])
    }

    fn slo(&self) -> Option<f64> {
        self.case.scenario.workload.slo
    }

    fn meets_slo(&self, point: &OperatingPoint) -> Option<bool> {
        Some(point.per_user >= self.slo()?)
    }
}

/// Returns the indices of the points to draw. Batches below the current one are left out if their throughput is nearly
/// zero, since their high interactivity would stretch the axis. The table still lists them.
fn worth_drawing(curve: &[OperatingPoint], now: &OperatingPoint) -> Vec<usize> {
    let draws = |place: &usize| curve[*place].draws();
    let places = || (0..curve.len()).filter(draws);
    let most = places()
        .map(|place| curve[place].per_gpu)
        .fold(0.0, f64::max);
    let worth = |place: &usize| {
        let point = &curve[*place];
        point.per_gpu >= ON_THE_AXIS * most || point.batch_per_gpu() >= now.batch_per_gpu()
    };
    places().filter(worth).collect()
}

/// Draws the scenario's curve of operating points at varying batch, the pinned scenario's curve, and measured
/// systems.
pub fn chart(case: &Evaluated, pinned: Option<&Evaluated>, measured: &[MeasuredMark]) -> Chart {
    let own = Curve::of(case);
    let knee = knee(case);
    let points = [&own.now].into_iter().chain(&own.points);
    let mut items: Vec<(OperatingPoint, Option<&MeasuredMark>)> =
        points.map(|point| (*point, None)).collect();
    items.extend(measured.iter().map(|mark| (mark.point, Some(mark))));
    let slo = |point: &OperatingPoint| {
        own.meets_slo(point)
            .map(|met| if met { "met" } else { "missed" })
    };
    let mut rows = Rows::of(&items).point(|(point, _)| *point);
    if !measured.is_empty() {
        rows = rows.col("measured", "", |(_, mark)| mark.map(MeasuredMark::words));
    }
    let rows = rows
        .col("SLO", "", |(point, _)| slo(point))
        .tip(Digits::default(), "")
        .unlisted()
        .own(|(_, mark)| mark.map(overlay::tooltip))
        .titled(|(of, _)| of.batch_words(), |(of, _)| of.aside());
    let plot = (!own.drawn.is_empty()).then(|| {
        plot(
            &own,
            pinned.map(Curve::of).as_ref(),
            knee.as_ref(),
            measured,
        )
    });
    let from = own.points.iter().position(|of| of.batch >= own.now.batch);
    Chart {
        finding: match (case.largest, own.slo()) {
            (Err(NoBatch::Slo), Some(slo)) if case.evaluation.memory.fits() => {
                format!("No batch reaches {} tok/s/user", format::printed(slo))
            }
            (Err(NoBatch::Memory), _) => {
                run_at_once(case).unwrap_or_else(|| finding(&own, knee.as_ref()))
            }
            _ => finding(&own, knee.as_ref()),
        },
        source: "batch ÷ step time, per user and per GPU, [A] eqs 50–51".into(),
        rows,
        plots: plot.into_iter().collect(),
        empty: "no valid batch".into(),
        start: from.map(|place| 1 + place),
        ..Chart::default()
    }
}

fn plot(
    own: &Curve<'_>,
    pinned: Option<&Curve<'_>>,
    knee: Option<&OperatingPoint>,
    measured: &[MeasuredMark],
) -> Xy {
    let [x, y] = axes(own, pinned, measured);
    let mut xy = Xy::new(x, y);
    let place = |place: &usize| {
        let of = &own.points[*place];
        At::of(1 + place, of.at()).fitting(of.fits)
    };
    xy.curve(
        own.drawn.iter().map(place),
        CurveStroke::solid(Ink::Strong, size::CURVE_PX),
    );
    if let Some(pinned) = pinned {
        let theirs = pinned.drawn().map(|of| At::new(of.at()).fitting(of.fits));
        xy.curve(theirs, CurveStroke::pinned());
    }
    if own.now.draws() {
        mark_now(&mut xy, own, pinned);
    }
    if let Some(knee) = knee.filter(|knee| knee.draws()) {
        xy.dot(At::new(knee.at()), DotInk::Ring(4.0, Ink::Strong))
            .apart(KNEE_APART_PX)
            .says_blocks(knee_words(knee, own.now.batch > knee.batch));
    }
    mark_end(&mut xy, own);
    xy.slo(own.slo());
    mark_batches(&mut xy, own);
    for (place, mark) in measured.iter().enumerate() {
        let row = 1 + own.points.len() + place;
        overlay::dot(&mut xy, mark, At::of(row, mark.point.at()));
    }
    xy
}

/// Returns x- and y-axes that contain every point. A pinned point far beyond the others may be outside.
fn axes(own: &Curve<'_>, pinned: Option<&Curve<'_>>, measured: &[MeasuredMark]) -> [Axis; 2] {
    let mut all: Vec<OperatingPoint> = own.drawn().copied().collect();
    all.push(own.now);
    all.extend(measured.iter().map(|mark| mark.point));
    if let Some(pinned) = pinned {
        // Include the pinned point, unless it is far beyond the others.
        let [fastest, highest] = greatest(&all).map(|own| own * FURTHEST);
        let near = |of: &OperatingPoint| of.per_user <= fastest && of.per_gpu <= highest;
        all.extend(Some(pinned.now).filter(near));
    }
    let theirs: Vec<OperatingPoint> = pinned.iter().flat_map(|of| of.drawn()).copied().collect();
    let ([fastest, highest], [theirs, over]) = (greatest(&all), greatest(&theirs));
    let (fastest, highest) = (beside(fastest, theirs), beside(highest, over));
    // Extend the axis to the SLO, unless the SLO is far beyond the points.
    let slo = own.slo().unwrap_or(0.0);
    let far = slo > FAR * fastest;
    let end = if far { fastest } else { fastest.max(slo) };
    [
        Axis::linear("tok/s/user", 0.0, end * 1.07).written(Digits::Sig3),
        Axis::linear("tok/s/GPU", 0.0, highest * HEADROOM),
    ]
}

/// Returns the highest interactivity and the highest throughput among the points.
fn greatest(points: &[OperatingPoint]) -> [f64; 2] {
    let drawn = || points.iter().filter(|point| point.draws());
    let fastest = extent(drawn().map(|of| of.per_user)).1;
    [fastest, extent(drawn().map(|of| of.per_gpu)).1]
}

/// Compares the current throughput with the pinned scenario's, as text and color.
fn verdict(now: &OperatingPoint, then: &OperatingPoint) -> (String, Ink) {
    let factor = now.per_gpu / then.per_gpu;
    let ink = match factor {
        // A deployment that does not fit has no throughput to compare.
        _ if !then.fits => return ("out of memory".to_owned(), Ink::Soft),
        _ if !now.fits => return ("fits".to_owned(), Ink::Soft),
        _ if (factor - 1.0).abs() < 0.005 || !(factor.is_finite() && factor > 0.0) => {
            return ("same throughput".to_owned(), Ink::Soft);
        }
        factor if factor > 1.0 => Ink::Accent,
        _ => Ink::Bad,
    };
    (format!("current {}", format::factor(factor)), ink)
}

/// Marks the current scenario with its plan, and the pinned scenario with an arrow that leads to the current one.
fn mark_now(xy: &mut Xy, own: &Curve<'_>, pinned: Option<&Curve<'_>>) {
    let (now, ink) = (&own.now, Ink::of_now(own.now.fits));
    let long = match now.fits {
        true => "per GPU",
        false => "out of memory",
    };
    let batch = format::batch(now.batch_per_gpu());
    let title = |text: String| Words::label(text, ink).bold();
    let case = &own.case.scenario;
    let plan = Words::label(sharding::words(case.plan.spec(), &case.arch), Ink::Soft);
    xy.dot(At::new(now.at()), DotInk::Now(now.fits))
        .says_blocks([
            vec![title(format!("now: {batch} {long}")), plan.clone()],
            vec![title(format!("now: {batch}")), plan],
            vec![title(format!("now: {batch}"))],
        ]);
    let holds = |of: &&Curve<'_>| of.now.draws() && xy.holds(of.now.at());
    let Some(pinned) = pinned.filter(holds) else {
        return;
    };
    let name = compare::difference(&own.case.inputs, &pinned.case.inputs);
    let name = name.unwrap_or_else(|| "same settings".into());
    let (saying, colour) = verdict(now, &pinned.now);
    let a = || Words::label("A", Ink::Strong).bold();
    let value = Words::label(saying.clone(), colour).bold();
    xy.dot(At::new(pinned.now.at()), DotInk::Ghost)
        .says_blocks([
            vec![a().and(format!(" {name}"), Ink::Strong), value],
            vec![a().and_bold(format!(" {saying}"), colour)],
            vec![a()],
        ]);
    if now.fits && pinned.now.fits {
        xy.arrow([pinned.now.at(), now.at()], colour, 1.5);
    }
}

/// Returns the label of the knee, the point beyond which a larger batch adds no throughput. The second wording is
/// shorter.
fn knee_words(knee: &OperatingPoint, is_exceeded: bool) -> [Vec<Words>; 2] {
    let batch = format::batch(knee.batch_per_gpu());
    let speed = format::sig3(knee.per_user);
    let wordings = match is_exceeded {
        true => [
            [
                format!("{batch} per GPU: same"),
                format!("throughput at {speed}"),
            ],
            [format!("{batch}: same"), format!("at {speed}")],
        ],
        false => [
            [
                "throughput levels".to_owned(),
                format!("off at {batch} per GPU"),
            ],
            ["levels off".to_owned(), format!("at {batch}")],
        ],
    };
    wordings.map(|block| block.map(|line| Words::note(line, Ink::Soft)).to_vec())
}

/// Marks where memory is exhausted, at the end of the solid curve.
fn mark_end(xy: &mut Xy, own: &Curve<'_>) {
    let Some(end) = own.drawn().position(|point| !point.fits) else {
        return;
    };
    let capacity = own.case.capacity_per_gpu();
    let second = capacity.map_or_else(
        || "at any batch".to_owned(),
        |most| format!("beyond {}", format::batch(most)),
    );
    let dot = match capacity {
        Some(_) if end > 0 => DotInk::Ring(3.8, Ink::Faint),
        _ => DotInk::Bare,
    };
    let note = |text: &str| Words::note(text, Ink::Soft);
    let at = own
        .drawn()
        .nth(end.saturating_sub(1))
        .map(OperatingPoint::at);
    if let Some(at) = at {
        xy.dot(At::new(at), dot).says_blocks([
            vec![note("out of memory"), note(&second)],
            vec![note(&second)],
        ]);
    }
}

/// Labels batches along the curve. Only one of the labels includes the unit.
fn mark_batches(xy: &mut Xy, own: &Curve<'_>) {
    let curve: Vec<OperatingPoint> = own.drawn().copied().collect();
    let mut said = false;
    for batch in marks() {
        let Some((at, fits)) = on_curve(&curve, batch) else {
            continue;
        };
        let number = format::batch(batch);
        let full = (!said && batch >= 48.0).then(|| format!("{number} per GPU"));
        said |= full.is_some();
        let says = full.into_iter().chain([number]);
        xy.stop(At::new(at), if fits { Ink::Strong } else { Ink::Faint })
            .says(says.map(|text| Words::note(text, Ink::Faint)));
    }
}

/// Returns the position of a batch on the curve, interpolated between points, with a flag that is true if the batch
/// fits in memory. Returns `None` if the curve does not cover the batch.
fn on_curve(curve: &[OperatingPoint], batch: f64) -> Option<((f64, f64), bool)> {
    let mut pairs = curve.iter().zip(curve.iter().skip(1));
    let (a, b) = pairs.find(|(a, b)| a.batch_per_gpu() <= batch && batch <= b.batch_per_gpu())?;
    let span = b.batch_per_gpu() - a.batch_per_gpu();
    let share = (batch - a.batch_per_gpu()) / span;
    let share = if span > 0.0 { share } else { 0.0 };
    let fits = b.fits || share <= 0.0 && a.fits;
    let between = |a: f64, b: f64| a + (b - a) * share;
    let at = (
        between(a.per_user, b.per_user),
        between(a.per_gpu, b.per_gpu),
    );
    Some((at, fits))
}

/// Returns "Memory fits 64 of the 128 sequences needed" if memory holds some sequences, but fewer than the plan's
/// micro-batches need.
pub(super) fn run_at_once(case: &Evaluated) -> Option<String> {
    let (room, least) = (case.limits.b_cap, case.scenario.plan.micro_batches());
    let words = format!(
        "Memory fits {} of the {} sequences needed",
        format::count(room),
        format::count(least)
    );
    (room >= 1.0 && room < least).then_some(words)
}

/// Computes the curve from one sequence to beyond the memory capacity, at geometrically spaced whole batches. The
/// capacity itself is a point, because the line style changes there.
fn curve(case: &Evaluated) -> Vec<OperatingPoint> {
    let end = case.curve_end().max(2.0 / case.gpus());
    let last = (case.gpus() * end).ceil();
    let ratio = model_core::math::pow(last, 1.0 / f64::from(POINTS - 1));
    let mut batches = Vec::with_capacity(POINTS as usize + 4);
    let mut batch: f64 = 1.0;
    for _ in 0..POINTS {
        batches.push(batch.round().min(last));
        batch *= ratio;
    }
    batches.extend(Some(case.limits.b_cap).filter(|room| *room > 0.0));
    batches.push(case.scenario.workload.batch);
    batches.extend(case.largest.map(|largest| largest.batch));
    let crossing = super::latency::crossing(case, end).map(|batch| (case.gpus() * batch).round());
    batches.extend(crossing.filter(|batch| *batch >= 1.0));
    sort_numbers(&mut batches);
    batches.dedup();
    let at = |batch: f64| with_batch(&case.scenario, batch).ok();
    batches
        .into_iter()
        .filter_map(|batch| Some(case.curve_point(&at(batch)?, batch)))
        .collect()
}

/// Returns the operating point at the batch `Evaluated::less_than_largest`, beyond which throughput no longer rises.
/// `None` if there is no such batch.
fn knee(case: &Evaluated) -> Option<OperatingPoint> {
    let batch = case.per_gpu(case.less_than_largest()?);
    Some(case.point(&case.at(batch)?, batch))
}

/// Returns the batches to label, in sequences per GPU: powers of two and the values midway between them (1, 2, 3, 4,
/// 6, 8, …).
fn marks() -> Vec<f64> {
    let mut marks = vec![1.0];
    let mut power = 2.0;
    while power < 65_536.0 {
        marks.push(power);
        marks.push(power * 1.5);
        power *= 2.0;
    }
    marks
}

fn finding(own: &Curve<'_>, knee: Option<&OperatingPoint>) -> String {
    let now = &own.now;
    if !now.draws() || own.drawn.is_empty() {
        return "Nothing to plot".to_owned();
    }
    let Some(most) = own.case.capacity_per_gpu() else {
        return "No batch fits in memory".to_owned();
    };
    if !now.fits {
        let all = (most * now.gpus).round();
        return match most.fract() == 0.0 {
            true => format!("Out of memory: max {} per GPU", format::batch(most)),
            false => format!("Out of memory: max {} sequences", format::count(all)),
        };
    }
    let slo = own.slo();
    let works = |point: &&OperatingPoint| point.fits && own.meets_slo(point) != Some(false);
    if own.meets_slo(now) == Some(false) {
        return match slo {
            Some(slo) if !own.drawn().any(|of| works(&of)) => {
                format!("No batch reaches {} tok/s/user", format::printed(slo))
            }
            _ => "Misses the SLO; a smaller batch meets it".to_owned(),
        };
    }
    if let Some(knee) = knee.filter(|knee| now.batch > knee.batch) {
        return match now.per_gpu < LEVEL * knee.per_gpu {
            true => format!("Beyond {} throughput falls", knee.batch_words()),
            false => format!("Beyond {} only latency grows", knee.batch_words()),
        };
    }
    let last = own.drawn().rfind(works);
    let most = knee.or(last);
    let Some(last) = most.filter(|last| last.per_gpu > now.per_gpu * 1.005) else {
        return "Best feasible batch".to_owned();
    };
    let factor = format::factor(last.per_gpu / now.per_gpu);
    match slo {
        Some(_) => format!("A larger batch within the SLO: {factor} throughput"),
        None => format!("A larger batch: {factor} throughput"),
    }
}
