//! "What does batch buy?": throughput against the time of a token, the limits marked.

use crate::charts::prelude::*;

/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct TradeoffData {
    /// From the smallest batch to past every limit, batches ascending.
    pub curve: Vec<OperatingPoint>,
    /// The scenario's own point.
    pub now: OperatingPoint,
    /// The limits that lie on the curve.
    pub marks: Vec<TradeMark>,
    /// Batches to name along the curve, ascending, one sequence per GPU first.
    pub ticks: Vec<OperatingPoint>,
    /// The longest time per token a user accepts.
    pub slo_tpot_s: Option<f64>,
    /// The point of the largest batch that fits; `None` where none does.
    pub full: Option<OperatingPoint>,
    /// The pinned scenario.
    pub pinned: Option<PinnedTrade>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// What limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TradeKind {
    /// Memory.
    Memory,
    /// The SLO.
    Slo,
    /// Arithmetic that is full.
    Saturation,
}

/// A limit on the curve.
#[derive(Clone, Debug, PartialEq)]
pub struct TradeMark {
    /// `memory is full`; several that coincide in one.
    pub symbol: String,
    /// The part of the model whose limit it is.
    pub role: Option<Role>,
    /// What limits.
    pub kind: TradeKind,
    /// Its batch, evaluated.
    pub point: OperatingPoint,
}

/// The pinned scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct PinnedTrade {
    /// Its curve, batches ascending.
    pub curve: Vec<OperatingPoint>,
    /// The point of the largest batch that fits it.
    pub full: Option<OperatingPoint>,
}

/// An SLO beyond this many times the slowest is not worth an axis.
const FAR: f64 = 1.6;

/// Whether a point has a place on the axes.
fn worth(point: &OperatingPoint) -> bool {
    point.draws() && point.batch > 0.0 && point.per_gpu > 0.0
}

impl TradeoffData {
    /// What is drawn in the order of hits: the curve's points, then the limits on it.
    fn drawn(&self) -> Vec<(Option<&TradeMark>, OperatingPoint)> {
        let curve = self.curve.iter().map(|point| (None, *point));
        let marks = self.marks.iter().map(|mark| (Some(mark), mark.point));
        curve.chain(marks).filter(|(_, p)| worth(p)).collect()
    }

    /// A plot that holds every point and the SLO, unless that is far away.
    fn plot(&self, area: Rect) -> Plot {
        let pinned = self.pinned.iter().flat_map(|pinned| &pinned.curve);
        let limits = self.marks.iter().map(|mark| &mark.point).chain(&self.full);
        let all = || {
            self.curve
                .iter()
                .chain(pinned.clone())
                .chain(limits.clone())
        };
        let all = || all().filter(|point| worth(point));
        let (fast, slow) = extent(all().map(|point| point.tpot_s * 1e3));
        let (_, most) = extent(all().map(|point| point.per_gpu));
        let slo = self.slo_tpot_s.map(|longest| longest * 1e3);
        let slo = slo.filter(|slo| *slo <= FAR * slow);
        let (fast, slow) = slo.map_or((fast, slow), |slo| (fast.min(slo), slow.max(slo)));
        // From zero, unless that is mostly empty.
        let low = if fast > 0.5 * slow {
            (fast - 0.2 * (slow - fast)).max(0.0)
        } else {
            0.0
        };
        let x = Scale::linear(low, slow + 0.09 * (slow - low));
        Plot::new(area, x, Scale::linear(0.0, most * 1.16))
    }

    /// Whether a point meets the SLO; any does without one.
    fn keeps(&self, point: &OperatingPoint) -> bool {
        let longest = self.slo_tpot_s.map(|longest| longest * (1.0 + 1e-12));
        longest.is_none_or(|longest| point.tpot_s <= longest)
    }

    fn full_pinned(&self) -> Option<OperatingPoint> {
        self.pinned.as_ref()?.full.filter(worth)
    }
}

impl Figure for TradeoffData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        let drawn = self.drawn();
        if drawn.first().is_none_or(|(mark, _)| mark.is_some()) {
            nothing_to_show(pen, &area, "no batch can be evaluated");
            return Hits::default();
        }
        let plot = self.plot(area);
        let at = |p: &OperatingPoint| plot.at(p.tpot_s * 1e3, p.per_gpu);
        let line = |points: &[OperatingPoint]| -> Vec<(Point, bool)> {
            let points = points.iter().filter(|point| worth(point));
            points.map(|point| (at(point), point.fits)).collect()
        };
        si_axes(pen, &plot, "tokens/s per GPU", "ms per output token");
        let full = self.full.filter(worth).map(|full| (full, at(&full)));
        if let Some((_, at)) = full {
            let region = rect(at.x, area.top, area.right, area.bottom);
            pen.fill_rect(region, pen.theme.unfit);
            let hair = stroke(pen.theme.unfit_hatch, size::HAIRLINE_PX);
            pen.hatch(&region.corners(), 7.0, Hatch::Falling, hair);
            let edge = [point(at.x, area.top), point(at.x, area.bottom)];
            pen.line(edge[0], edge[1], stroke(pen.theme.ink_1, 1.2));
            pen.avoid(&edge);
        }
        let slo = self.slo_tpot_s.map(|longest| longest * 1e3);
        let slo = slo.filter(|longest| plot.x.holds(*longest));
        if let Some(longest) = slo {
            marks::beyond_right(pen, &plot, longest);
        }
        if let Some(pinned) = &self.pinned {
            marks::curve(pen, &line(&pinned.curve), marks::Line::Pinned);
        }
        let kept = self.curve.iter().filter(|point| worth(point));
        let kept = kept.take_while(|point| self.keeps(point)).count();
        let worthy: Vec<OperatingPoint> = self.curve.iter().copied().filter(worth).collect();
        let (best, beyond) = worthy.split_at(kept);
        // What misses the SLO goes on from the last that keeps it.
        let beyond: Vec<OperatingPoint> = best.last().into_iter().chain(beyond).copied().collect();
        if beyond.len() > 1 {
            let ink = marks::Line::Solid(pen.theme.ink_3, size::CURVE_PX);
            marks::curve(pen, &line(&beyond), ink);
        }
        let ink = marks::Line::Solid(pen.theme.ink_1, size::CURVE_PX);
        marks::curve(pen, &line(best), ink);
        pen.seam();
        let now = worth(&self.now).then(|| at(&self.now));
        let now = now.filter(|at| self.now.fits && area.grown(1.0).holds(&Rect::about(*at, 0.0)));
        if let Some(now) = now {
            pen.reserve(Rect::about(now, 9.5));
        }
        for (_, point) in drawn.iter().filter(|(mark, _)| mark.is_some()) {
            pen.reserve(Rect::about(at(point), 4.6));
        }
        match now {
            Some(now) => {
                let words = |text: &str| Words::label(text, pen.theme.ink_1).bold();
                let batch = format!("now: {}", format::sequences(self.now.batch));
                name(pen, &plot, (now, 12.0), [words(&batch), words("now")]);
            }
            None => name_far(pen, &plot, &self.now, full.map(|(_, at)| at.x)),
        }
        for (mark, point) in &drawn {
            if let Some(mark) = mark {
                self.draw_mark(pen, &plot, mark, at(point));
            }
        }
        if let Some(longest) = slo {
            name_slo(pen, &plot, longest);
        }
        if let Some((full, at)) = full {
            name_memory(pen, &plot, &full, at);
        }
        if let Some(full) = self.full_pinned() {
            marks::ghost(pen, at(&full));
            let a = Words::note("A", pen.theme.ink_1).bold();
            let batch = format!(" full at {}", format::sequences(full.batch));
            let words = a.clone().and(batch, pen.theme.ink_3);
            name(pen, &plot, (at(&full), 9.0), [words, a]);
        }
        let named = drawn.iter().filter(|(mark, _)| mark.is_some());
        let mut places: Vec<Point> = named.map(|(_, point)| at(point)).chain(now).collect();
        for tick in self.ticks.iter().filter(|tick| worth(tick)) {
            let place = at(tick);
            if !area.holds(&Rect::about(place, 0.0)) {
                continue;
            }
            if places
                .iter()
                .all(|other| other.distance(place) >= TICK_APART_PX)
            {
                places.push(place);
                name_tick(pen, &plot, tick, place);
            }
        }
        if let Some(now) = now {
            pen.now(now, self.now.fits);
        }
        let start = drawn.iter().position(|(_, p)| p.batch >= self.now.batch);
        Hits::points(drawn.iter().map(|(_, point)| at(point)))
            .on(&plot)
            .starting_at(start.unwrap_or(0))
    }

    fn finding(&self) -> String {
        let now = &self.now;
        if self.drawn().is_empty() || !worth(now) {
            return "Nothing to compare".to_owned();
        }
        let Some(full) = self.full.filter(worth) else {
            return "No batch fits in memory".to_owned();
        };
        if let Some(theirs) = self.full_pinned() {
            let batch = format::factor(full.batch / theirs.batch);
            let throughput = format::factor(full.per_gpu / theirs.per_gpu);
            return format!("Full: {batch} A's batch, {throughput} its throughput");
        }
        if !now.fits {
            return format!(
                "Does not fit: {} is the most",
                format::sequences(full.batch)
            );
        }
        if full.batch <= now.batch {
            return "As large as fits".to_owned();
        }
        let throughput = format::factor(full.per_gpu / now.per_gpu);
        let latency = format::factor(full.tpot_s / now.tpot_s);
        format!("Full: {throughput} throughput, {latency} latency")
    }

    fn table(&self) -> Table {
        let marks = self.marks.iter();
        let marks = marks.map(|mark| (mark.symbol.as_str(), &mark.point));
        let rows = [("now", &self.now)].into_iter().chain(marks);
        let rows = rows.chain(self.curve.iter().map(|point| ("", point)));
        let in_all = |point: &OperatingPoint| Cell::from(point.per_gpu * point.gpus);
        Table {
            columns: [
                vec![Column::new("limit", "")],
                OperatingPoint::columns(),
                vec![Column::new("throughput in all", "tokens/s")],
            ]
            .concat(),
            rows: rows
                .map(|(name, p)| [vec![name.into()], p.cells(), vec![in_all(p)]].concat())
                .collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (mark, point) = *self.drawn().get(index)?;
        let batch = format!("{} sequences", format::sequences(point.batch));
        let in_all = format!("{} tok/s", format::si(point.per_gpu * point.gpus));
        let mut rows = point.tip_rows();
        rows.push(TipRow::plain("in all", in_all));
        rows.extend(slo_row(self.slo_tpot_s.map(|_| self.keeps(&point))));
        let (title, aside) = match mark {
            Some(mark) => (mark.symbol.clone(), batch),
            None if point.fits => (batch, point.batch_words()),
            None => (batch, point.aside()),
        };
        Some(Tooltip {
            title,
            aside,
            rows,
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        Some(format::sig3(self.drawn().get(index)?.1.tpot_s * 1e3))
    }
}

/// Between batches that are named along the curve, and from them to named points.
const TICK_APART_PX: f64 = 24.0;

impl TradeoffData {
    /// A limit on the curve: memory's is named at its edge, that of the SLO is what to take.
    fn draw_mark(&self, pen: &mut Pen<'_>, plot: &Plot, mark: &TradeMark, at: Point) {
        let (line, text) = match mark.kind {
            TradeKind::Slo => (pen.theme.accent, pen.theme.accent),
            _ => marks::inks(pen.theme, mark.role),
        };
        pen.open_point(at, 4.0, stroke(line, 1.8));
        let batch = format::sequences(mark.point.batch);
        let words = match mark.kind {
            TradeKind::Memory if !mark.symbol.contains(',') => return,
            TradeKind::Slo => {
                let title = Words::note(format!("{batch} keep it"), text).bold();
                [title, Words::note(batch, text).bold()]
            }
            _ => {
                let symbol = Words::note(mark.symbol.clone(), text).bold();
                [
                    symbol.clone().and(format!(" {batch}"), pen.theme.ink_2),
                    symbol,
                ]
            }
        };
        name(pen, plot, (at, 8.0), words);
    }
}

/// A batch along the curve, in figures on the curve's upper left.
fn name_tick(pen: &mut Pen<'_>, plot: &Plot, tick: &OperatingPoint, at: Point) {
    pen.open_point(at, 2.6, stroke(pen.theme.ink_2, 1.2));
    let words = Words::note(format::sequences(tick.batch), pen.theme.ink_2);
    Label::lines([words])
        .at([
            spot(point(at.x - 7.0, at.y - 1.0), Align::End, Side::Above),
            spot(point(at.x + 4.0, at.y + 5.0), Align::Start, Side::Below),
            spot(point(at.x, at.y - 6.0), Align::Middle, Side::Above),
            spot(point(at.x - 7.0, at.y), Align::End, Side::Level),
        ])
        .write_in(pen, plot.area);
}

/// Now beyond the frame: an arrow at its edge.
fn name_far(pen: &mut Pen<'_>, plot: &Plot, now: &OperatingPoint, edge: Option<f64>) {
    if !worth(now) {
        return;
    }
    let ink = if now.fits {
        pen.theme.ink_1
    } else {
        pen.theme.bad
    };
    let y = plot
        .y_at(now.per_gpu.min(plot.y.high()))
        .max(plot.area.top + 14.0);
    let right = plot.area.right;
    let arrow = [
        point(right - 7.0, y - 4.5),
        point(right - 1.5, y),
        point(right - 7.0, y + 4.5),
    ];
    pen.polyline(&arrow, stroke(ink, 1.8));
    pen.reserve(rect(right - 9.0, y - 6.0, right, y + 6.0));
    let batch = format!("now: {}", format::sequences(now.batch));
    let time = format::millis(now.tpot_s);
    let long = format!(
        "{batch}, {time} {}",
        if now.fits { "" } else { "if it fit" }
    );
    let words = |text: &str| Words::label(text.trim().to_owned(), ink).bold();
    Label::lines([words(&long), words(&batch), words("now")])
        .at([
            spot(
                point(edge.unwrap_or(right - 8.0) - 6.0, y - 6.0),
                Align::End,
                Side::Level,
            ),
            spot(point(right - 14.0, y), Align::End, Side::Level),
            spot(point(right - 4.0, y - 9.0), Align::End, Side::Above),
            spot(point(right - 4.0, y + 9.0), Align::End, Side::Below),
        ])
        .on_lines()
        .write_in(pen, plot.area);
}

/// "memory full, 8,416", left of its edge.
fn name_memory(pen: &mut Pen<'_>, plot: &Plot, full: &OperatingPoint, at: Point) {
    let ink = pen.theme.ink_2;
    let batch = Words::note(format::sequences(full.batch), ink);
    let bottom = plot.area.bottom - 5.0;
    let spots =
        [bottom, bottom - 34.0].map(|y| spot(point(at.x - 6.0, y), Align::End, Side::Above));
    Label::blocks([
        vec![Words::note("memory full", ink), batch.clone()],
        vec![batch],
    ])
    .at(spots)
    .write_in(pen, plot.area);
}

/// Names a point of the curve, which leaves room below its right and above its left.
fn name(pen: &mut Pen<'_>, plot: &Plot, (at, reach): (Point, f64), wordings: [Words; 2]) {
    let Point { x, y } = at;
    let away = reach * 0.6;
    Label::lines(wordings)
        .at([
            spot(point(x + reach, y + 1.0), Align::Start, Side::Below),
            spot(point(x - reach, y - 1.0), Align::End, Side::Above),
            spot(point(x, y - reach), Align::Middle, Side::Above),
            spot(point(x, y + reach), Align::Middle, Side::Below),
            spot(point(x + reach, y), Align::Start, Side::Level),
            spot(point(x - reach, y), Align::End, Side::Level),
            spot(point(x - reach, y + 9.0), Align::End, Side::Below),
            spot(point(x + away, y + 22.0), Align::Start, Side::Below),
            spot(point(x - away, y - 22.0), Align::End, Side::Above),
        ])
        .or_over_lines()
        .write_in(pen, plot.area);
}

fn name_slo(pen: &mut Pen<'_>, plot: &Plot, longest: f64) {
    let note = |text: String| Words::note(text, pen.theme.ink_2);
    let rate = format!("misses {} tok/s", format::printed(1e3 / longest));
    let time = format!("per user beyond {} ms", format::sig3(longest));
    let x = plot.x_at(longest);
    let (low, high) = (plot.area.bottom - 4.0, plot.area.top + 4.0);
    Label::blocks([vec![note(rate), note(time)], vec![note("SLO".to_owned())]])
        .at([
            spot(point(x + 10.0, low), Align::Start, Side::Above),
            spot(point(x + 10.0, high), Align::Start, Side::Below),
            spot(point(x - 6.0, low), Align::End, Side::Above),
            spot(point(x - 6.0, high), Align::End, Side::Below),
        ])
        .or_over_lines()
        .write_in(pen, plot.area);
}
