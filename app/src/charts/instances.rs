//! "One large or many?": the same GPUs as one deployment or as several.

use crate::charts::prelude::*;

/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct InstancesData {
    /// One of the small deployments.
    pub small: InstanceCurve,
    /// The large one.
    pub large: InstanceCurve,
    /// How many small ones there are.
    pub count: f64,
    /// GPUs of each small one.
    pub small_gpus: f64,
    /// What joins the GPUs of the large one, per GPU and direction.
    pub interconnect_bytes_per_s: f64,
    /// From which interconnect on the large one wins.
    pub break_even: WinsFrom,
    /// Why there are no two to compare; then both curves are empty.
    pub trouble: Option<String>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// From which interconnect on the large deployment does at least as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WinsFrom {
    /// Any.
    Any,
    /// This one, in bytes per second.
    Bandwidth(f64),
    /// None.
    Never,
}

/// Throughput over the batch, and the best point that fits and meets the SLO.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstanceCurve {
    /// Batches ascending.
    pub points: Vec<OperatingPoint>,
    /// The best; `None` where nothing fits or meets the SLO.
    pub best: Option<OperatingPoint>,
}

impl InstanceCurve {
    fn drawn(&self) -> impl Iterator<Item = &OperatingPoint> {
        let worth = |point: &&OperatingPoint| point.draws() && point.batch > 0.0;
        self.points.iter().filter(worth)
    }
}

impl InstancesData {
    /// The points in the order of hits, each with whether it is of the large one.
    fn drawn(&self) -> Vec<(bool, &OperatingPoint)> {
        let small = self.small.drawn().map(|point| (false, point));
        small.chain(self.large.drawn().map(|p| (true, p))).collect()
    }

    /// "8 × 72 GPUs", "1 × 576 GPUs".
    fn name(&self, large: bool) -> String {
        let (count, gpus) = match large {
            true => (1.0, self.count * self.small_gpus),
            false => (self.count, self.small_gpus),
        };
        format!("{} × {} GPUs", format::count(count), format::count(gpus))
    }

    /// "1 × 576 GPUs at 50 GB/s".
    fn large_name(&self) -> String {
        let link = format::bandwidth(self.interconnect_bytes_per_s);
        format!("{} at {link}", self.name(true))
    }

    /// "from 188 GB/s", "at any link", "at no link".
    fn wins(&self) -> String {
        match self.break_even {
            WinsFrom::Any => "at any link".to_owned(),
            WinsFrom::Bandwidth(bytes) => format!("from {} GB/s", format::sig3(bytes / 1e9)),
            WinsFrom::Never => "at no link".to_owned(),
        }
    }
}

impl Figure for InstancesData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        let drawn = self.drawn();
        if drawn.is_empty() {
            let why = self.trouble.as_deref();
            nothing_to_show(pen, &area, why.unwrap_or("nothing can be evaluated"));
            return Hits::default();
        }
        let (fewest, most) = extent(drawn.iter().map(|(_, p)| p.batch_per_gpu()));
        let (_, highest) = extent(drawn.iter().map(|(_, point)| point.per_gpu));
        // Labels have room above the higher curve.
        let top = if highest > 0.0 { highest * 1.3 } else { 1.0 };
        let x = Scale::log(fewest, most * 1.1);
        let plot = Plot::new(area, x, Scale::linear(0.0, top));
        let at = |p: &OperatingPoint| plot.at(p.batch_per_gpu(), p.per_gpu);
        si_axes(
            pen,
            &plot,
            "tokens/s per GPU",
            "batch, sequences per GPU, log",
        );
        let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_2);
        for (curve, colour, width) in [(&self.small, grey, 1.4), (&self.large, ink, 2.2)] {
            let line: Vec<(Point, bool)> = curve.drawn().map(|p| (at(p), p.fits)).collect();
            marks::curve(pen, &line, marks::Line::Solid(colour, width));
        }
        pen.seam();
        for best in [self.small.best, self.large.best].iter().flatten() {
            pen.reserve(Rect::about(at(best), 5.0));
        }
        let large = [self.large_name(), self.name(true)];
        name(pen, &plot, &self.large, &large, ink);
        name(pen, &plot, &self.small, &[self.name(false)], grey);
        Hits::points(drawn.iter().map(|(_, point)| at(point))).on(&plot)
    }

    fn finding(&self) -> String {
        if self.trouble.is_some() {
            return "There are no two to compare".to_owned();
        }
        let (small, large) = match (self.small.best, self.large.best) {
            (Some(small), Some(large)) => (small, large),
            (None, Some(_)) => return "Only the large one fits".to_owned(),
            (Some(_), None) => return "Only the small ones fit".to_owned(),
            (None, None) => return "Neither fits".to_owned(),
        };
        let (gain, wins) = (large.per_gpu / small.per_gpu, self.wins());
        if !gain.is_finite() || (gain - 1.0).abs() < 0.005 {
            format!("The same; one wins {wins}")
        } else if gain > 1.0 {
            format!("One: {}, wins {wins}", format::factor(gain))
        } else {
            format!("Many: {}; one wins {wins}", format::factor(1.0 / gain))
        }
    }

    fn table(&self) -> Table {
        let both = [(false, &self.small), (true, &self.large)];
        let rows = both.into_iter().flat_map(|(large, curve)| {
            let named = move |end: &str| format!("{}{end}", self.name(large));
            let best = curve.best.iter().map(move |p| (named(", best"), p));
            best.chain(curve.points.iter().map(move |p| (named(""), p)))
        });
        Table {
            columns: [
                vec![Column::new("deployment", "")],
                OperatingPoint::columns(),
            ]
            .concat(),
            rows: rows
                .map(|(name, p)| [vec![name.into()], p.cells()].concat())
                .collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (large, point) = *self.drawn().get(index)?;
        let mut rows = vec![TipRow::plain("batch", point.batch_words())];
        rows.extend(point.tip_rows());
        Some(Tooltip {
            title: if large {
                self.large_name()
            } else {
                self.name(false)
            },
            aside: if point.fits { "fits" } else { "does not fit" }.to_owned(),
            rows,
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        Some(format::batch(self.drawn().get(index)?.1.batch_per_gpu()))
    }
}

/// Names a curve at its best point, or at its end where nothing fits.
fn name(pen: &mut Pen<'_>, plot: &Plot, curve: &InstanceCurve, names: &[String], ink: Colour) {
    let named = curve.best.as_ref().or(curve.points.last());
    let here = |p: &&OperatingPoint| p.draws() && plot.x.holds(p.batch_per_gpu());
    let Some(named) = named.filter(here) else {
        return;
    };
    let at = plot.at(named.batch_per_gpu(), named.per_gpu);
    let detail = match curve.best {
        Some(best) => format!(
            "best {} at {}",
            format::si(best.per_gpu),
            best.batch_words()
        ),
        None => "nothing fits or meets the SLO".to_owned(),
    };
    let detail = Words::note(detail, pen.theme.ink_2);
    let title = |name: &String| Words::label(name.clone(), ink).bold();
    let full = names.iter().map(|name| vec![title(name), detail.clone()]);
    let Point { x, y } = at;
    Label::blocks(full.chain(names.iter().map(|name| vec![title(name)])))
        .at([
            spot(point(x - 6.0, y - 7.0), Align::End, Side::Above),
            spot(point(x + 6.0, y + 7.0), Align::Start, Side::Below),
            spot(point(x + 6.0, y - 7.0), Align::Start, Side::Above),
            spot(point(x - 6.0, y + 9.0), Align::End, Side::Below),
            spot(point(x - 30.0, y - 26.0), Align::End, Side::Above),
            spot(point(x - 30.0, y + 30.0), Align::End, Side::Below),
            spot(point(x, y + 48.0), Align::Middle, Side::Below),
        ])
        .or_over_lines()
        .write_in(pen, plot.area);
    if curve.best.is_some() {
        pen.open_point(at, 4.0, stroke(ink, 1.6));
    }
}
