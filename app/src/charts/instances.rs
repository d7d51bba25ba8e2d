//! "One large or many?": the same GPUs as one deployment or as several replicas.

use crate::charts::prelude::*;
use crate::order::sort_by;

#[derive(Clone, Debug, PartialEq)]
pub struct InstancesData {
    /// One of the small deployments.
    pub small: InstanceCurve,
    pub large: InstanceCurve,
    /// Number of small ones.
    pub count: f64,
    /// GPUs of each small one.
    pub small_gpus: f64,
    /// Links between the GPUs of the large one.
    pub joined: Large,
    pub slo_tokens_per_s_per_user: Option<f64>,
    /// The reason for which there are no two to compare; then both curves are empty.
    pub trouble: Option<String>,
    pub finding: String,
    pub source: String,
}

/// Links between the GPUs of the large one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Large {
    /// The same links as the small ones have.
    OwnLinks,
    /// One domain of all of them, as [B] varies it, at so much per GPU and direction.
    OneDomain { bytes_per_s: f64, wins: WinsFrom },
}

/// From which interconnect on the large deployment does at least as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WinsFrom {
    Any,
    /// This one, in bytes per second.
    Bandwidth(f64),
    Never,
}

/// An operating point of a deployment and its plan.
#[derive(Clone, Debug, PartialEq)]
pub struct InstancePoint {
    pub point: OperatingPoint,
    /// `DP 32 · EP 32 · no overlap`.
    pub plan: String,
}

/// Operating points of a deployment, and the best one that fits and meets the SLO.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstanceCurve {
    pub points: Vec<InstancePoint>,
    /// The best; `None` where nothing fits or meets the SLO.
    pub best: Option<InstancePoint>,
}

impl InstanceCurve {
    fn drawn(&self) -> impl Iterator<Item = &InstancePoint> {
        let worth = |of: &&InstancePoint| of.point.draws() && of.point.batch > 0.0;
        self.points.iter().filter(worth)
    }
}

impl InstancesData {
    /// The points in the order of hits, each with whether it is of the large one.
    fn drawn(&self) -> Vec<(bool, &InstancePoint)> {
        let small = self.small.drawn().map(|point| (false, point));
        small.chain(self.large.drawn().map(|p| (true, p))).collect()
    }

    fn name(&self, large: bool) -> String {
        let (count, gpus) = match large {
            true => (1.0, self.count * self.small_gpus),
            false => (self.count, self.small_gpus),
        };
        format!("{} × {}", format::count(count), format::count(gpus))
    }

    /// "8 × 72 GPUs", "1 × 576 GPUs in one domain at 50 GB/s".
    fn long_name(&self, large: bool) -> String {
        let name = self.name(large);
        match self.joined {
            Large::OneDomain { bytes_per_s, .. } if large => {
                let link = format::bandwidth(bytes_per_s);
                format!("{name} GPUs in one domain at {link}")
            }
            _ => format!("{name} GPUs"),
        }
    }

    /// "wins from 188", "wins at any", "never wins" of one domain; nothing of the same links.
    pub fn wins(&self) -> String {
        let Large::OneDomain { wins, .. } = self.joined else {
            return String::new();
        };
        match wins {
            _ if self.trouble.is_some() => "not to be had".to_owned(),
            _ if self.large.best.is_none() => "does not work".to_owned(),
            WinsFrom::Any => "wins at any".to_owned(),
            WinsFrom::Bandwidth(bytes) => format!("wins from {}", format::sig3(bytes / 1e9)),
            WinsFrom::Never => "never wins".to_owned(),
        }
    }

    /// A plot that ends where the better curve has sunk next to nothing.
    fn plot(&self, area: Rect) -> Plot {
        let drawn = self.drawn();
        let (_, highest) = extent(drawn.iter().map(|(_, of)| of.point.per_gpu));
        let high = drawn
            .iter()
            .filter(|(_, of)| of.point.per_gpu >= SUNK * highest);
        let (_, reach) = extent(high.map(|(_, of)| of.point.per_user));
        let (_, fastest) = extent(drawn.iter().map(|(_, of)| of.point.per_user));
        let past = self.slo_tokens_per_s_per_user.unwrap_or(0.0) * 1.25;
        // An SLO that is far beyond both is left out.
        let end = reach.max(if past > 2.0 * fastest { 0.0 } else { past });
        // Labels have room above the higher curve.
        let top = if highest > 0.0 { highest * 1.3 } else { 1.0 };
        Plot::new(area, Scale::linear(0.0, end), Scale::linear(0.0, top))
    }
}

/// The share of the greatest throughput at which the axis ends.
const SUNK: f64 = 0.12;
/// Room above the plot for the rule's words.
const TOP_PX: f64 = 30.0;

impl Figure for InstancesData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, TOP_PX);
        let drawn = self.drawn();
        if drawn.is_empty() {
            let why = self.trouble.as_deref();
            return nothing_to_show(pen, &area, why.unwrap_or("nothing can be evaluated"));
        }
        if self.small.best.is_none() && self.large.best.is_none() {
            return nothing_to_show(pen, &area, "neither has a batch that works");
        }
        let plot = self.plot(area);
        let at = |of: &InstancePoint| plot.at(of.point.per_user, of.point.per_gpu);
        si_axes(pen, &plot, "tokens/s per GPU", "tokens/s per user");
        let slo = self.slo_tokens_per_s_per_user;
        if let Some(least) = slo.filter(|least| plot.x.holds(*least)) {
            marks::limit_at(pen, &plot, least, false, 8.0);
        }
        let ink = pen.theme.ink_1;
        let grey = *pen.theme.series(Series::Second);
        let curves = [&self.small, &self.large];
        let things = curves.map(|curve| {
            let best = curve.best.as_ref().or(curve.points.last());
            pen.thing(&best.map_or(Vec::new(), |best| vec![at(best); 2]))
        });
        let inks = [(grey.line, 1.7), (ink, 2.2)];
        for ((curve, (colour, width)), thing) in curves.into_iter().zip(inks).zip(things) {
            let mut fits: Vec<&InstancePoint> = curve.drawn().filter(|of| of.point.fits).collect();
            // From the best plan on, though a faster one may reach as much.
            let slower = |best: &&InstancePoint| {
                let slowest = |of: &&InstancePoint| best.point.per_user < of.point.per_user;
                best.point.fits && fits.iter().all(slowest)
            };
            fits.extend(curve.best.as_ref().filter(slower));
            sort_by(&mut fits, |one, other| {
                one.point.per_user.total_cmp(&other.point.per_user)
            });
            let fits = fits.into_iter().map(at);
            for piece in area.cut(&fits.collect::<Vec<_>>()) {
                pen.polyline(&piece, stroke(colour, width));
                pen.part_of(thing, &piece);
            }
        }
        pen.seam();
        for best in [&self.small.best, &self.large.best].into_iter().flatten() {
            pen.reserve(Rect::about(at(best), 5.0));
        }
        let rule = slo.map_or(f64::NEG_INFINITY, |least| plot.x_at(least));
        let large = match self.joined {
            Large::OwnLinks => self.name(true),
            Large::OneDomain { .. } => format!("{} in one domain", self.name(true)),
        };
        let [small_own, large_own] = things;
        name(pen, &plot, (&self.large, large_own), &large, ink, rule);
        let small = self.name(false);
        name(
            pen,
            &plot,
            (&self.small, small_own),
            &small,
            grey.text,
            rule,
        );
        for (best, colour) in [(&self.small.best, grey.line), (&self.large.best, ink)] {
            if let Some(best) = best {
                pen.open_point(at(best), 4.2, stroke(colour, 1.6));
            }
        }
        let places = drawn.iter().map(|(_, of)| area.nearest(at(of)));
        Hits::points(places).on(&plot)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let both = [(false, &self.small), (true, &self.large)];
        let rows = both.into_iter().flat_map(|(large, curve)| {
            let best = curve.best.iter().map(move |of| (large, ", best", of));
            best.chain(curve.points.iter().map(move |of| (large, "", of)))
        });
        Table::of(rows)
            .col("deployment", "", |(large, end, _)| {
                format!("{}{end}", self.long_name(*large))
            })
            .col("plan", "", |(.., of)| of.plan.clone())
            .point(|(.., of)| of.point)
            .done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (large, InstancePoint { point, plan }) = *self.drawn().get(index)?;
        let tip = Tooltip::new(self.long_name(large), point.fits_words(), &self.source)
            .across(format::sig3(point.per_user))
            .row("plan", plan.as_str())
            .row("batch", point.batch_words())
            .rows(point.tip_rows());
        Some(tip)
    }

    fn height_px(width_px: f64) -> f64 {
        (width_px * 0.42).clamp(178.0, 320.0)
    }
}

/// Names a curve at its best point: "1 × 256 1.40k, batch 11,954".
fn name(
    pen: &mut Pen<'_>,
    plot: &Plot,
    (curve, own): (&InstanceCurve, Thing),
    name: &str,
    ink: Colour,
    rule: f64,
) {
    let named = curve.best.as_ref().or(curve.points.last());
    let named = named.map(|of| of.point);
    let here = |p: &OperatingPoint| p.draws() && plot.x.holds(p.per_user);
    let Some(named) = named.filter(here) else {
        return;
    };
    let at = plot.at(named.per_user, named.per_gpu);
    let title = Words::label(name, ink).bold();
    let grey = pen.theme.ink_2;
    let wordings = match &curve.best {
        Some(InstancePoint { point: best, .. }) => {
            let short = title
                .clone()
                .and(format!(" {}", format::si(best.per_gpu)), grey);
            let batch = format!(", batch {}", format::count(best.batch));
            vec![short.clone().and(batch, grey), short, title]
        }
        None => vec![title.clone().and(" nothing works", grey), title],
    };
    let off = if (at.x - rule).abs() < 12.0 { 12 } else { 8 };
    Label::lines(wordings)
        .near(at, &[NE(off, 4), SW(off, 4), SE(off, 6), NE(off, 16)])
        .near(at, &[NW(off, 6), SE(off, 20), SW(off, 20)])
        .naming(own)
        .write_over(pen, plot.area);
}
