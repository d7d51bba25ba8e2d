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

    /// The points that fit, from the best plan on, though a faster one may reach as much.
    fn line(&self) -> Vec<(f64, f64)> {
        let fits = |of: &&InstancePoint| of.point.fits;
        let mut line: Vec<(f64, f64)> = self.drawn().filter(fits).map(|of| of.point.at()).collect();
        let slower = |best: &&InstancePoint| {
            best.point.fits && line.iter().all(|of| best.point.per_user < of.0)
        };
        line.extend(self.best.iter().find(slower).map(|of| of.point.at()));
        sort_by(&mut line, |one, other| one.0.total_cmp(&other.0));
        line
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

impl Figure for InstancesData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = usual_area(pen);
        let drawn = self.drawn();
        if drawn.is_empty() {
            let why = self.trouble.as_deref();
            return nothing_to_show(pen, &area, why.unwrap_or("nothing can be evaluated"));
        }
        if self.small.best.is_none() && self.large.best.is_none() {
            return nothing_to_show(pen, &area, "neither has a batch that works");
        }
        let plot = self.plot(area);
        si_axes(pen, &plot, "tokens/s per GPU", "tokens/s per user");
        let (ink, soft) = (pen.theme.ink_1, pen.theme.ink_2);
        let grey = pen.theme.series(Series::Second);
        let mut xy = Xy::new(plot);
        xy.slo(pen.theme, self.slo_tokens_per_s_per_user);
        let curves = [
            (true, &self.large, CurveStroke::solid(ink, 2.2), ink),
            (
                false,
                &self.small,
                CurveStroke::solid(grey.line, 1.7),
                grey.text,
            ),
        ];
        for (large, curve, line, text) in curves {
            xy.curve(curve.line(), line);
            let name = match self.joined {
                Large::OneDomain { .. } if large => format!("{} in one domain", self.name(true)),
                _ => self.name(large),
            };
            let title = Words::label(name, text).bold();
            if let Some(best) = &curve.best {
                let rate = format!(" {}", format::si(best.point.per_gpu));
                let short = title.clone().and(rate, soft);
                let batch = format!(", batch {}", format::count(best.point.batch));
                xy.dot(best.point.at(), DotInk::Ring(4.2, line.ink)).says([
                    short.clone().and(batch, soft),
                    short,
                    title,
                ]);
            } else if let Some(last) = curve.points.last().filter(|of| of.point.draws()) {
                let long = title.clone().and(" nothing works", soft);
                xy.dot(last.point.at(), DotInk::Bare).says([long, title]);
            }
        }
        xy.draw(pen);
        Hits::values(&plot, drawn.iter().map(|(_, of)| of.point.at()))
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
        self.columns(rows).done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (large, of) = *self.drawn().get(index)?;
        let fits = of.point.fits_words();
        let tip = Tooltip::new(self.long_name(large), fits, &self.source)
            .across(format::sig3(of.point.per_user))
            .row("batch", of.point.batch_words())
            .rows(self.columns([(large, "", of)]).tips());
        Some(tip)
    }

    fn height_px(width_px: f64) -> f64 {
        (width_px * 0.42).clamp(178.0, 320.0)
    }
}

/// A point of the large deployment or of a small one, and what is said of it.
type Row<'a> = (bool, &'static str, &'a InstancePoint);

impl InstancesData {
    fn columns<'a>(&self, rows: impl IntoIterator<Item = Row<'a>>) -> Columns<Row<'a>> {
        Table::of(rows)
            .col("deployment", "", |(large, best, _)| {
                format!("{}{best}", self.long_name(*large))
            })
            .col("plan", "", |(.., of)| of.plan.clone())
            .tip(format::sig3)
            .point(|(.., of)| of.point)
    }
}
