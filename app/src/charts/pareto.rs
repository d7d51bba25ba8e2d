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
    /// The point from which a larger batch adds no throughput.
    pub knee: Option<OperatingPoint>,
    pub pinned: Option<PinnedPareto>,
    /// Measured systems, where they are asked for.
    pub measured: Vec<MeasuredMark>,
    pub finding: String,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PinnedPareto {
    /// Its difference: `100 GB/s scale-out`.
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

    pub fn meets_slo(&self, point: &OperatingPoint) -> Option<bool> {
        let least = self.slo_tokens_per_s_per_user?;
        Some(point.per_user >= least)
    }
}

impl Figure for ParetoData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = usual_area(pen);
        let curve = self.drawn();
        let theirs = self.pinned.as_ref();
        let theirs = theirs.map_or(Vec::new(), |of| worth_drawing(&of.curve, &of.now));
        let plot = plot(self, area, [&curve, &theirs]);
        si_axes(pen, &plot, "tokens/s per GPU", "tokens/s per user");
        if curve.is_empty() {
            nothing_to_show(pen, &area, "no batch can be evaluated");
        }
        let theme = pen.theme;
        let mut xy = Xy::new(plot);
        let through = |points: &[OperatingPoint]| -> Vec<_> {
            points.iter().map(|of| (of.at(), of.fits)).collect()
        };
        xy.curve_that_fits(
            through(&curve),
            CurveStroke::solid(theme.ink_1, size::CURVE_PX),
        );
        xy.curve_that_fits(through(&theirs), CurveStroke::pinned(theme));
        if self.now.draws() {
            self.now(&mut xy, theme);
        }
        self.knee(&mut xy, theme);
        self.end(&mut xy, theme, &curve);
        xy.slo(theme, self.slo_tokens_per_s_per_user);
        self.batches(&mut xy, theme, &curve);
        for mark in &self.measured {
            overlay::dot(&mut xy, theme, mark, mark.point.at());
        }
        xy.draw(pen);
        marks::goes_on(pen, &plot, theirs.iter().map(OperatingPoint::at).collect());
        let start = curve.iter().position(|p| p.batch >= self.now.batch);
        let measured = self.measured.iter().map(|mark| &mark.point);
        let hits = curve.iter().chain(measured).map(OperatingPoint::at);
        Hits::values(&plot, hits).starting_at(start)
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
            .rows(point.tips())
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

    // The SLO belongs on the axis, unless it is far off it.
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

/// Throughput over the pinned scenario's, in words and in the colour that says so.
fn verdict(theme: &Theme, now: &OperatingPoint, then: &OperatingPoint) -> (String, Colour) {
    let factor = now.per_gpu / then.per_gpu;
    let ink = match factor {
        // A deployment that does not fit serves nothing to compare.
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

/// Labels, the more important first.
impl ParetoData {
    /// The scenario, and the pinned one with an arrow from it.
    fn now(&self, xy: &mut Xy, theme: &Theme) {
        let (now, ink) = (
            &self.now,
            if self.now.fits {
                theme.ink_1
            } else {
                theme.bad
            },
        );
        let long = match now.fits {
            true => "per GPU",
            false => "does not fit",
        };
        let batch = format::batch(now.batch_per_gpu());
        let title = |text: String| Words::label(text, ink).bold();
        let plan = Words::label(self.plan.clone(), theme.ink_2);
        xy.dot(now.at(), DotInk::Now(now.fits)).says_blocks([
            vec![title(format!("now: {batch} {long}")), plan.clone()],
            vec![title(format!("now: {batch}")), plan],
            vec![title(format!("now: {batch}"))],
        ]);
        let Some(pinned) = self
            .pinned
            .as_ref()
            .filter(|of| of.now.draws() && xy.plot.holds(of.now.at()))
        else {
            return;
        };
        let ink = theme.ink_1;
        let (saying, colour) = verdict(theme, now, &pinned.now);
        let a = || Words::label("A", ink).bold();
        let value = Words::label(saying.clone(), colour).bold();
        xy.dot(pinned.now.at(), DotInk::Ghost).says_blocks([
            vec![a().and(format!(" {}", pinned.label), ink), value],
            vec![a().and_bold(format!(" {saying}"), colour)],
            vec![a()],
        ]);
        if now.fits && pinned.now.fits {
            xy.arrow([pinned.now.at(), now.at()], stroke(colour, 1.5));
        }
    }

    /// The point from which a larger batch adds no throughput.
    fn knee(&self, xy: &mut Xy, theme: &Theme) {
        let Some(knee) = self.knee.filter(OperatingPoint::draws) else {
            return;
        };
        let apart = |of: &OperatingPoint| xy.plot.at(of.per_user, of.per_gpu);
        if apart(&knee).distance(apart(&self.now)) <= 14.0 {
            return;
        }
        let batch = format::batch(knee.batch_per_gpu());
        let speed = format::sig3(knee.per_user);
        let wordings = match self.now.batch > knee.batch {
            true => [
                [
                    format!("{batch} per GPU: the same"),
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
        let blocks =
            wordings.map(|block| block.map(|line| Words::note(line, theme.ink_2)).to_vec());
        xy.dot(knee.at(), DotInk::Ring(4.0, theme.ink_1))
            .says_blocks(blocks);
    }

    /// The end of memory, at the end of the solid curve.
    fn end(&self, xy: &mut Xy, theme: &Theme, curve: &[OperatingPoint]) {
        let Some(end) = curve.iter().position(|point| !point.fits) else {
            return;
        };
        let (ink, second) = match self.capacity_batch_per_gpu {
            Some(most) if end > 0 => {
                let ring = DotInk::Ring(3.8, theme.ink_3);
                (ring, format!("beyond {}", format::batch(most)))
            }
            Some(most) => (DotInk::Bare, format!("beyond {}", format::batch(most))),
            None => (DotInk::Bare, "at any batch".to_owned()),
        };
        let note = |text: &str| Words::note(text, theme.ink_2);
        xy.dot(curve[end.saturating_sub(1)].at(), ink).says_blocks([
            vec![note("out of memory"), note(&second)],
            vec![note(&second)],
        ]);
    }

    /// Labelled batches along the curve; one of them says what the numbers are.
    fn batches(&self, xy: &mut Xy, theme: &Theme, curve: &[OperatingPoint]) {
        let mut said = false;
        for batch in &self.marks_batch_per_gpu {
            let Some((at, fits)) = on_curve(curve, *batch) else {
                continue;
            };
            let number = format::batch(*batch);
            let full = (!said && *batch >= 48.0).then(|| format!("{number} per GPU"));
            said |= full.is_some();
            let says = full.into_iter().chain([number]);
            xy.stop(at, if fits { theme.ink_1 } else { theme.ink_3 })
                .says(says.map(|text| Words::note(text, theme.ink_3)));
        }
    }
}

/// The place of a batch on the curve, between its neighbours if need be.
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
