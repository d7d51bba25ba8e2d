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
    /// The longest time per token a user accepts.
    pub slo_tpot_s: Option<f64>,
    /// The point of the largest batch that fits; `None` where none does.
    pub full: Option<OperatingPoint>,
    /// The pinned scenario.
    pub pinned: Option<PinnedTrade>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// A limit on the curve.
#[derive(Clone, Debug, PartialEq)]
pub struct TradeMark {
    /// `B_cap`; several that coincide in one: `B_attn = B_MoE`.
    pub symbol: String,
    /// The part of the model whose limit it is.
    pub role: Option<Role>,
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

/// Whether a point has a place on logarithmic axes.
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

    /// A plot that holds every point; throughput of next to nothing does not stretch it.
    fn plot(&self, area: Rect) -> Plot {
        let pinned = self.pinned.iter().flat_map(|pinned| &pinned.curve);
        let all = || self.curve.iter().chain([&self.now]).chain(pinned.clone());
        let all = || all().filter(|point| worth(point));
        let (fast, slow) = extent(all().map(|point| point.tpot_s * 1e3));
        let (least, most) = extent(all().map(|point| point.per_gpu));
        let x = Scale::log(fast / 1.15, slow * 1.15);
        Plot::new(
            area,
            x,
            Scale::log(least.max(most * 1e-4) / 1.1, most * 1.7),
        )
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
        // A point below the axes stands on them.
        let at = |p: &OperatingPoint| plot.at(p.tpot_s * 1e3, p.per_gpu.max(plot.y.low()));
        let line = |points: &[OperatingPoint]| -> Vec<(Point, bool)> {
            let points = points.iter().filter(|point| worth(point));
            points.map(|point| (at(point), point.fits)).collect()
        };
        si_axes(
            pen,
            &plot,
            "tokens/s per GPU, log",
            "ms per output token, log",
        );
        let slo = self.slo_tpot_s.map(|longest| longest * 1e3);
        let slo = slo.filter(|longest| plot.x.holds(*longest));
        if let Some(longest) = slo {
            marks::beyond_right(pen, &plot, longest);
        }
        if let Some(pinned) = &self.pinned {
            marks::curve(pen, &line(&pinned.curve), marks::Line::Pinned);
        }
        let ink = marks::Line::Solid(pen.theme.ink_1, size::CURVE_PX);
        marks::curve(pen, &line(&self.curve), ink);
        pen.seam();
        let now = worth(&self.now).then(|| at(&self.now));
        if let Some(now) = now {
            pen.reserve(Rect::about(now, 9.5));
        }
        for (_, point) in drawn.iter().filter(|(mark, _)| mark.is_some()) {
            pen.reserve(Rect::about(at(point), 4.6));
        }
        if let Some(longest) = slo {
            name_slo(pen, &plot, longest);
        }
        if let Some(now) = now {
            let ink = if self.now.fits {
                pen.theme.ink_1
            } else {
                pen.theme.bad
            };
            let words = |text: &str| Words::label(text, ink).bold();
            let batch = format!("now: {}", format::sequences(self.now.batch));
            name(pen, &plot, (now, 12.0), [words(&batch), words("now")]);
        }
        for (mark, point) in &drawn {
            if let Some(mark) = mark {
                let (line, text) = marks::inks(pen.theme, mark.role);
                pen.open_point(at(point), 4.0, stroke(line, 1.8));
                let symbol = Words::note(mark.symbol.clone(), text).bold();
                let batch = format!(" {}", format::sequences(point.batch));
                let full = symbol.clone().and(batch, pen.theme.ink_2);
                name(pen, &plot, (at(point), 8.0), [full, symbol]);
            }
        }
        if let Some(full) = self.full_pinned() {
            marks::ghost(pen, at(&full));
            let a = Words::note("A", pen.theme.ink_1).bold();
            let batch = format!(" full at {}", format::sequences(full.batch));
            let words = a.clone().and(batch, pen.theme.ink_3);
            name(pen, &plot, (at(&full), 9.0), [words, a]);
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
        let longest = self.slo_tpot_s.map(|longest| longest * (1.0 + 1e-12));
        rows.extend(slo_row(longest.map(|longest| point.tpot_s <= longest)));
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

    /// As tall as the map beside it with its switch.
    fn height_px(width_px: f64) -> f64 {
        super::MapData::height_px(width_px) + 32.0
    }
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
            spot(point(x + away, y + 22.0), Align::Start, Side::Below),
            spot(point(x - away, y - 22.0), Align::End, Side::Above),
        ])
        .or_over_lines()
        .write_in(pen, plot.area);
}

fn name_slo(pen: &mut Pen<'_>, plot: &Plot, longest: f64) {
    let note = |text: String| Words::note(text, pen.theme.ink_2);
    let of = note(format!("of {} ms", format::printed(longest)));
    let x = plot.x_at(longest);
    let (low, high) = (plot.area.bottom - 4.0, plot.area.top + 4.0);
    Label::blocks([
        vec![note("misses SLO".to_owned()), of],
        vec![note("SLO".to_owned())],
    ])
    .beside(x, 6.0, &[low], Side::Above)
    .at([spot(point(x + 6.0, high), Align::Start, Side::Below)])
    .on_lines()
    .write_in(pen, plot.area);
}
