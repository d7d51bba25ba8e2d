//! "What does batch buy?": throughput against the time of a token, the limits marked.

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct TradeoffData {
    /// From the smallest batch to past every limit, batches ascending.
    pub curve: Vec<OperatingPoint>,
    pub now: OperatingPoint,
    /// The limits that lie on the curve.
    pub marks: Vec<TradeMark>,
    /// Batches to name along the curve, ascending, one sequence per GPU first.
    pub ticks: Vec<OperatingPoint>,
    /// The longest time per token a user accepts.
    pub slo_tpot_s: Option<f64>,
    /// The point of the largest batch that fits; `None` where none does.
    pub full: Option<OperatingPoint>,
    pub pinned: Option<PinnedTrade>,
    pub finding: String,
    pub source: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TradeKind {
    Memory,
    Slo,
    /// Arithmetic that is full.
    Saturation,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TradeMark {
    /// `memory is full`; several that coincide in one.
    pub symbol: String,
    /// The part of the model whose limit it is.
    pub role: Option<Role>,
    pub kind: TradeKind,
    pub point: OperatingPoint,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PinnedTrade {
    pub curve: Vec<OperatingPoint>,
    /// The point of the largest batch that fits it.
    pub full: Option<OperatingPoint>,
}

/// An SLO beyond this many times the slowest is not worth an axis.
const FAR: f64 = 1.6;

/// Whether a point has a place on the axes.
fn worth(point: &&OperatingPoint) -> bool {
    point.draws() && point.batch > 0.0 && point.per_gpu > 0.0
}

fn place(plot: &Plot, of: &OperatingPoint) -> Point {
    plot.at(of.tpot_s * 1e3, of.per_gpu)
}

fn line<'a>(
    plot: &Plot,
    points: impl IntoIterator<Item = &'a OperatingPoint>,
) -> Vec<(Point, bool)> {
    let points = points.into_iter().filter(worth);
    points.map(|of| (place(plot, of), of.fits)).collect()
}

impl TradeoffData {
    /// What is drawn in the order of hits: the curve's points, then the limits on it.
    pub fn drawn(&self) -> Vec<(Option<&TradeMark>, &OperatingPoint)> {
        let curve = self.curve.iter().map(|point| (None, point));
        let marks = self.marks.iter().map(|mark| (Some(mark), &mark.point));
        curve.chain(marks).filter(|(_, p)| worth(p)).collect()
    }

    /// A plot that holds every point and the SLO, unless that is far away.
    fn plot(&self, area: Rect) -> Plot {
        let limits = self.marks.iter().map(|mark| &mark.point).chain(&self.full);
        let own = self.curve.iter().chain(limits).filter(worth);
        let (fast, slow) = extent(own.clone().map(|point| point.tpot_s * 1e3));
        let (_, most) = extent(own.map(|point| point.per_gpu));
        let most = beside(most, extent(self.pinned().map(|of| of.per_gpu)).1);
        let held = self.pinned().filter(|of| of.per_gpu <= most);
        let (earlier, later) = extent(held.map(|point| point.tpot_s * 1e3));
        let slow = beside(slow, later);
        let fast = fast.min(earlier);
        let slo = self.slo_ms().filter(|slo| *slo <= FAR * slow);
        let (fast, slow) = slo.map_or((fast, slow), |slo| (fast.min(slo), slow.max(slo)));
        // From zero, unless that is mostly empty.
        let tight = (fast - 0.2 * (slow - fast)).max(0.0);
        let low = if fast > 0.5 * slow { tight } else { 0.0 };
        let x = Scale::linear(low, slow + 0.09 * (slow - low));
        Plot::new(area, x, Scale::linear(0.0, most * 1.16))
    }

    fn pinned(&self) -> impl Iterator<Item = &OperatingPoint> {
        self.pinned.iter().flat_map(|of| &of.curve).filter(worth)
    }

    fn slo_ms(&self) -> Option<f64> {
        self.slo_tpot_s.map(|longest| longest * 1e3)
    }

    /// Whether a point meets the SLO; any does without one.
    fn keeps(&self, point: &OperatingPoint) -> bool {
        let longest = self.slo_tpot_s.map(|longest| longest * (1.0 + 1e-12));
        longest.is_none_or(|longest| point.tpot_s <= longest)
    }

    pub fn full(&self) -> Option<&OperatingPoint> {
        self.full.as_ref().filter(worth)
    }

    pub fn full_pinned(&self) -> Option<&OperatingPoint> {
        self.pinned.as_ref()?.full.as_ref().filter(worth)
    }
}

impl Figure for TradeoffData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = usual_area(pen);
        let drawn = self.drawn();
        if drawn.first().is_none_or(|(mark, _)| mark.is_some()) {
            return nothing_to_show(pen, &area, "no batch can be evaluated");
        }
        let plot = self.plot(area);
        si_axes(pen, &plot, "tokens/s per GPU", "ms per output token");
        let full = self.full().map(|full| (full, place(&plot, full)));
        if let Some((full, at)) = full {
            marks::unfit(pen, &area.across(at.x, area.right).corners());
            let edge = plot.upright(full.tpot_s * 1e3);
            marks::rule(pen, edge, stroke(pen.theme.ink_1, 1.2));
        }
        let slo = self.slo_ms().filter(|longest| plot.x.holds(*longest));
        if let Some(longest) = slo {
            marks::limit_at(pen, &plot, longest, true, 0.0);
        }
        marks::curve(pen, &line(&plot, self.pinned()), marks::Line::Pinned(area));
        let worthy: Vec<&OperatingPoint> = self.curve.iter().filter(worth).collect();
        let kept = worthy.iter().take_while(|point| self.keeps(point)).count();
        let (best, beyond) = worthy.split_at(kept);
        // What misses the SLO goes on from the last that keeps it.
        let beyond = line(&plot, best.last().into_iter().chain(beyond).copied());
        if beyond.len() > 1 {
            let ink = marks::Line::Solid(pen.theme.ink_3, size::CURVE_PX);
            marks::curve(pen, &beyond, ink);
        }
        let ink = marks::Line::Solid(pen.theme.ink_1, size::CURVE_PX);
        marks::curve(pen, &line(&plot, best.iter().copied()), ink);
        pen.seam();
        let now = { Some(&self.now).filter(worth) }.map(|now| place(&plot, now));
        let now = now.filter(|at| area.grown(1.0).holds(&Rect::about(*at, 0.0)));
        if let Some(now) = now {
            pen.reserve(Rect::about(now, 9.5));
        }
        let limits = || {
            let all = self.marks.iter().filter(|mark| worth(&&mark.point));
            all.map(|mark| (mark, place(&plot, &mark.point)))
        };
        for (_, at) in limits() {
            pen.reserve(Rect::about(at, 4.6));
        }
        match now {
            Some(now) => {
                let ink = pen.ink(self.now.fits);
                let words = |text: String| vec![Words::label(text, ink).bold()];
                let fits = if self.now.fits { "" } else { " does not fit" };
                let batch = format!("now: {}{fits}", format::sequences(self.now.batch));
                let names = vec![words(batch), words("now".into())];
                name(pen, &plot, (now, 12), names);
            }
            None => name_far(pen, &plot, &self.now, full.map(|(_, at)| at.x)),
        }
        for (mark, at) in limits() {
            draw_mark(pen, &plot, mark, at);
        }
        if let Some(longest) = slo {
            name_slo(pen, &plot, longest);
        }
        if let Some((full, at)) = full {
            // "memory full, 8,416", left of its edge.
            let note = |text: &str| Words::note(text, pen.theme.ink_2);
            let batch = note(&format::sequences(full.batch));
            let full = ["memory full", "full"].map(|full| vec![note(full), batch.clone()]);
            Label::blocks(full.into_iter().chain([vec![batch]]))
                .near(point(at.x, area.bottom), &[NW(6, 5), NW(6, 39)])
                .write_in(pen, area);
        }
        let theirs = self.full_pinned();
        if let Some(full) = theirs.filter(|of| plot.holds((of.tpot_s * 1e3, of.per_gpu))) {
            let at = place(&plot, full);
            marks::ghost(pen, at);
            let a = Words::note("A", pen.theme.ink_1).bold();
            let batch = format!(" full at {}", format::sequences(full.batch));
            let words = a.clone().and(batch, pen.theme.ink_3);
            name(pen, &plot, (at, 9), vec![vec![words], vec![a]]);
        } else {
            let curve = self.pinned().map(|of| (of.tpot_s * 1e3, of.per_gpu));
            marks::goes_on(pen, &plot, curve.collect());
        }
        let mut places: Vec<Point> = limits().map(|(_, at)| at).chain(now).collect();
        for tick in self.ticks.iter().filter(worth) {
            let here = place(&plot, tick);
            let near = |other: &Point| other.distance(here) < TICK_APART_PX;
            if area.holds(&Rect::about(here, 0.0)) && !places.iter().any(near) {
                places.push(here);
                // In figures on the curve's upper left.
                pen.open_point(here, 2.6, stroke(pen.theme.ink_2, 1.2));
                Label::lines([Words::note(format::sequences(tick.batch), pen.theme.ink_2)])
                    .near(here, &[NW(7, 1), SE(4, 5), N(0, 6), W(7, 0)])
                    .write_in(pen, area);
            }
        }
        if let Some(now) = now {
            pen.now(now, self.now.fits);
        }
        let start = drawn.iter().position(|(_, p)| p.batch >= self.now.batch);
        Hits::points(drawn.iter().map(|(_, of)| place(&plot, of)))
            .on(&plot)
            .starting_at(start)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let marks = { self.marks.iter() }.map(|mark| (mark.symbol.as_str(), &mark.point));
        let rows = [("now", &self.now)].into_iter().chain(marks);
        Table::of(rows.chain(self.curve.iter().map(|point| ("", point))))
            .col("limit", "", |(name, _)| *name)
            .point(|(_, point)| **point)
            .col("throughput in all", "tokens/s", |(_, p)| p.per_gpu * p.gpus)
            .done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (mark, point) = *self.drawn().get(index)?;
        let batch = format!("{} sequences", format::sequences(point.batch));
        let in_all = format!("{} tok/s", format::si(point.per_gpu * point.gpus));
        let (title, aside) = match mark {
            Some(mark) => (mark.symbol.clone(), batch),
            None if point.fits => (batch, point.batch_words()),
            None => (batch, point.aside()),
        };
        let tip = Tooltip::new(title, aside, &self.source)
            .across(format::sig3(point.tpot_s * 1e3))
            .rows(point.tip_rows())
            .row("in all", in_all)
            .rows(slo_row(self.slo_tpot_s.map(|_| self.keeps(point))));
        Some(tip)
    }
}

/// Between batches that are named along the curve, and from them to named points.
const TICK_APART_PX: f64 = 24.0;

/// A limit on the curve: memory's is named at its edge, that of the SLO is what to take.
fn draw_mark(pen: &mut Pen<'_>, plot: &Plot, mark: &TradeMark, at: Point) {
    let (line, text) = match mark.kind == TradeKind::Slo {
        true => (pen.theme.accent, pen.theme.accent),
        false => marks::inks(pen.theme, mark.role),
    };
    pen.open_point(at, 4.0, stroke(line, 1.8));
    let batch = format::sequences(mark.point.batch);
    let bold = |words: String| Words::note(words, text).bold();
    let words = match mark.kind {
        TradeKind::Memory if !mark.symbol.contains(',') => return,
        TradeKind::Slo => vec![vec![bold(format!("{batch} keep it"))], vec![bold(batch)]],
        _ => {
            let symbol = bold(mark.symbol.clone());
            let ink = pen.theme.ink_2;
            let long = symbol.clone().and(format!(" {batch}"), ink);
            let two = vec![symbol.clone(), Words::note(batch, ink)];
            vec![vec![long], two, vec![symbol]]
        }
    };
    name(pen, plot, (at, 8), words);
}

/// Now beyond the frame: an arrow at its edge.
fn name_far(pen: &mut Pen<'_>, plot: &Plot, now: &OperatingPoint, edge: Option<f64>) {
    if !worth(&now) {
        return;
    }
    let ink = pen.ink(now.fits);
    let y = plot.y_at(now.per_gpu.min(plot.y.high()));
    let (right, y) = (plot.area.right, y.max(plot.area.top + 14.0));
    let tip = point(right - 1.5, y);
    marks::arrow_head(pen, point(0.0, y), tip, (5.5, 4.5), stroke(ink, 1.8));
    pen.reserve(rect(right - 9.0, y - 6.0, right, y + 6.0));
    let batch = format!("now: {}", format::sequences(now.batch));
    let time = format::millis(now.tpot_s);
    let fits = if now.fits { "" } else { " if it fit" };
    let words = |text: &str| Words::label(text, ink).bold();
    Label::lines([
        words(&format!("{batch}, {time}{fits}")),
        words(&batch),
        words("now"),
    ])
    .near(point(edge.unwrap_or(right - 8.0), y), &[W(6, -6)])
    .near(point(right, y), &[W(14, 0), NW(4, 9), SW(4, 9)])
    .write_over(pen, plot.area);
}

/// Names a point of the curve, which leaves room below its right and above its left.
fn name(pen: &mut Pen<'_>, plot: &Plot, (at, reach): (Point, i8), words: Vec<Vec<Words>>) {
    let (all, away) = (reach, f64::from(reach) * 0.6);
    Label::blocks(words)
        .near(at, &[SE(all, 1), NW(all, 1), N(0, all), S(0, all)])
        .near(at, &[SW(all, 9), SE(all, 9), NW(all, 14), SW(all, 22)])
        .near(at, &[SE(all, 22), NW(all, 26), E(all, 0), W(all, 0)])
        .near(point(at.x + away, at.y), &[SE(0, 22)])
        .near(point(at.x - away, at.y), &[NW(0, 22)])
        .write_over(pen, plot.area);
}

fn name_slo(pen: &mut Pen<'_>, plot: &Plot, longest: f64) {
    let note = |text: String| Words::note(text, pen.theme.ink_2);
    let rate = format!("misses {} tok/s", format::printed(1e3 / longest));
    let time = format!("per user beyond {} ms", format::sig3(longest));
    let [top, foot] = plot.upright(longest);
    Label::blocks([vec![note(rate), note(time)], vec![note("SLO".to_owned())]])
        .at([NE(10, 4).of(foot), SE(10, 4).of(top)])
        .at([NW(6, 4).of(foot), SW(6, 4).of(top)])
        .write_over(pen, plot.area);
}
