//! "Together or apart?": the colocated plan, the attention/FFN bundle and the split on one Pareto.

use crate::charts::prelude::*;
/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct ApartData {
    /// The deployments compared.
    pub curves: Vec<ApartCurve>,
    /// Whether tokens per dollar are shown, else tokens per second and GPU.
    pub per_dollar: bool,
    /// The chart's finding.
    pub finding: String,
    /// Why there is nothing to show, where there is nothing.
    pub nothing: String,
    /// Where the values come from.
    pub source: String,
}

/// How a deployment is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Everything on every GPU: a square.
    Colocated,
    /// Attention and feed-forward instances: a diamond.
    Ratio,
    /// Attention on memory devices: a disc.
    Split,
}

/// One deployment over its batch.
#[derive(Clone, Debug, PartialEq)]
pub struct ApartCurve {
    /// How it is marked.
    pub mark: Mark,
    /// `colocated`, `8A–1F`, `(2, 4)`.
    pub label: String,
    /// `72 × H100`.
    pub name: String,
    /// Batches ascending.
    pub points: Vec<ApartPoint>,
    /// Its own operating point.
    pub now: Option<ApartPoint>,
    /// Whether the half that is shown is about it.
    pub shown: bool,
}

/// An operating point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApartPoint {
    /// Sequences in all.
    pub batch: f64,
    /// Speed for one user.
    pub tokens_per_s_per_user: f64,
    /// Throughput of one GPU.
    pub tokens_per_s_per_gpu: f64,
    /// Tokens per US dollar, where a price is known.
    pub tokens_per_dollar: Option<f64>,
    /// Whether it fits in memory.
    pub fits: bool,
}

impl ApartData {
    fn value(&self, point: &ApartPoint) -> Option<f64> {
        let value = if self.per_dollar {
            point.tokens_per_dollar?
        } else {
            point.tokens_per_s_per_gpu
        };
        let good = value.is_finite() && value > 0.0 && point.tokens_per_s_per_user.is_finite();
        (good && point.fits && point.tokens_per_s_per_user > 0.0).then_some(value)
    }

    /// Points with a place, in the order of hits.
    fn drawn(&self) -> Vec<(&ApartCurve, &ApartPoint, f64)> {
        self.curves
            .iter()
            .flat_map(|curve| curve.points.iter().map(move |point| (curve, point)))
            .filter_map(|(curve, point)| Some((curve, point, self.value(point)?)))
            .collect()
    }
}

impl Figure for ApartData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX + 4.0, size::MARGIN_TOP_PX);
        let drawn = self.drawn();
        if drawn.is_empty() {
            nothing_to_show(pen, &area, &self.nothing);
            return Hits::default();
        }
        let own = |curve: &ApartCurve| {
            let now = curve.now?;
            Some((now.tokens_per_s_per_user, self.value(&now)?))
        };
        let nows: Vec<(f64, f64)> = self.curves.iter().filter_map(own).collect();
        let most = drawn
            .iter()
            .map(|(_, _, value)| *value)
            .chain(nows.iter().map(|now| now.1))
            .fold(0.0, f64::max);
        // Beyond a twentieth of the most throughput a user's speed costs nearly everything.
        let fastest = drawn
            .iter()
            .filter(|(_, _, value)| *value >= most / 20.0)
            .map(|(_, point, _)| point.tokens_per_s_per_user)
            .chain(nows.iter().map(|now| now.0))
            .fold(0.0, f64::max);
        let plot = Plot::new(
            area,
            Scale::linear(0.0, fastest.max(f64::MIN_POSITIVE) * 1.07),
            Scale::linear(0.0, most * 1.2),
        );
        si_axes(
            pen,
            &plot,
            if self.per_dollar {
                "tokens per dollar"
            } else {
                "tokens/s per GPU"
            },
            "tokens/s per user",
        );
        let mut lines: Vec<(Point, Point)> = Vec::new();
        let mut ends = Vec::new();
        for curve in &self.curves {
            let path: Vec<Point> = curve
                .points
                .iter()
                .filter_map(|point| Some((point.tokens_per_s_per_user, self.value(point)?)))
                .filter(|(users, _)| plot.x.holds(*users))
                .map(|(users, value)| plot.at(users, value))
                .collect();
            let style = if curve.shown {
                stroke(pen.theme.ink_1, size::CURVE_PX)
            } else {
                stroke(pen.theme.ink_3, 1.3)
            };
            lines.extend(path.iter().copied().zip(path.iter().skip(1).copied()));
            pen.polyline(&path, style);
            if let Some(end) = path.last() {
                ends.push((curve, *end));
            }
        }
        let marked: Vec<(&ApartCurve, Point)> = self
            .curves
            .iter()
            .filter_map(|curve| {
                let (users, value) = own(curve)?;
                plot.x.holds(users).then(|| (curve, plot.at(users, value)))
            })
            .collect();
        for (_, at) in &marked {
            pen.reserve(Rect::about(*at, 8.0));
        }
        for (curve, at) in &marked {
            draw_mark(pen, curve, *at);
        }
        pen.seam();
        labels(pen, &plot, &marked, &ends, &lines);
        let hits = Hits::points(drawn.iter().map(|(_, point, value)| {
            let users = point.tokens_per_s_per_user.min(plot.x.high());
            plot.at(users, *value)
        }));
        let start = drawn
            .iter()
            .position(|(curve, point, _)| {
                curve.shown && curve.now.is_some_and(|now| point.batch >= now.batch)
            })
            .unwrap_or(0);
        hits.starting_at(start)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let rows = self.curves.iter().flat_map(|curve| {
            curve.now.iter().chain(&curve.points).map(|point| {
                vec![
                    Cell::from(format!("{}, {}", curve.label, curve.name)),
                    point.batch.into(),
                    point.tokens_per_s_per_user.into(),
                    point.tokens_per_s_per_gpu.into(),
                    Cell::maybe(point.tokens_per_dollar),
                    Cell::from(if point.fits { "yes" } else { "no" }),
                ]
            })
        });
        Table {
            columns: vec![
                Column::new("deployment", ""),
                Column::new("batch", "sequences"),
                Column::new("interactivity", "tokens/s per user"),
                Column::new("throughput", "tokens/s per GPU"),
                Column::new("tokens per dollar", ""),
                Column::new("fits in memory", ""),
            ],
            rows: rows.collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let drawn = self.drawn();
        let (curve, point, _) = drawn.get(index)?;
        let mut rows = vec![
            TipRow::plain(
                "interactivity",
                format!("{} tok/s/user", format::sig3(point.tokens_per_s_per_user)),
            ),
            TipRow::plain(
                "throughput",
                format!("{} tok/s/GPU", format::si(point.tokens_per_s_per_gpu)),
            ),
        ];
        if let Some(value) = point.tokens_per_dollar {
            rows.push(TipRow::plain("tokens per dollar", format::si(value)));
        }
        rows.push(TipRow::plain(
            "batch",
            format!("{} sequences", format::batch(point.batch)),
        ));
        Some(Tooltip {
            title: curve.label.clone(),
            aside: curve.name.clone(),
            rows,
            source: self.source.clone(),
        })
    }

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px)
    }
}

/// A deployment's own point, by its shape; the one that is looked at has the ring of now.
fn draw_mark(pen: &mut Pen<'_>, curve: &ApartCurve, at: Point) {
    let (ink, grey, paper) = (pen.theme.ink_1, pen.theme.ink_3, pen.theme.background);
    let colour = if curve.shown { ink } else { grey };
    if curve.shown {
        pen.disc(at, 8.6, paper);
        pen.ring(at, 7.8, stroke(ink, 1.4));
    }
    match curve.mark {
        Mark::Split => pen.rimmed_point(at, 4.0, colour),
        Mark::Colocated => {
            pen.fill_rect(Rect::about(at, 5.0), paper);
            pen.fill_rect(Rect::about(at, 3.6), colour);
        }
        Mark::Ratio => {
            let diamond = |reach: f64| {
                [
                    point(at.x, at.y - reach),
                    point(at.x + reach, at.y),
                    point(at.x, at.y + reach),
                    point(at.x - reach, at.y),
                ]
            };
            pen.fill(&diamond(6.6), paper);
            pen.fill(&diamond(5.0), colour);
        }
    }
}

fn labels(
    pen: &mut Pen<'_>,
    plot: &Plot,
    marked: &[(&ApartCurve, Point)],
    ends: &[(&ApartCurve, Point)],
    lines: &[(Point, Point)],
) {
    let paper = pen.theme.background;
    let mut order: Vec<(&ApartCurve, Point)> = marked.to_vec();
    order.sort_by_key(|(curve, _)| !curve.shown);
    // A curve without a point of its own is named at its end.
    let unmarked = |curve: &ApartCurve| !marked.iter().any(|(other, _)| other.mark == curve.mark);
    order.extend(ends.iter().filter(|(curve, _)| unmarked(curve)));
    for (curve, Point { x, y }) in order {
        let (ink, grey) = if curve.shown {
            (pen.theme.ink_1, pen.theme.ink_2)
        } else {
            (pen.theme.ink_2, pen.theme.ink_3)
        };
        let label = || Words::label(curve.label.clone(), ink).bold();
        let wordings = [
            vec![label(), Words::note(curve.name.clone(), grey)],
            vec![label()],
        ];
        let spots = [
            spot(point(x + 11.0, y - 6.0), Align::Start, Side::Above),
            spot(point(x + 12.0, y), Align::Start, Side::Level),
            spot(point(x - 11.0, y + 6.0), Align::End, Side::Below),
            spot(point(x, y + 12.0), Align::Middle, Side::Below),
            spot(point(x, y - 12.0), Align::Middle, Side::Above),
            spot(point(x + 11.0, y + 6.0), Align::Start, Side::Below),
            spot(point(x - 11.0, y - 6.0), Align::End, Side::Above),
        ];
        if pen
            .place(&wordings, &spots, &plot.area, lines, Some(paper))
            .is_none()
        {
            pen.place(&wordings, &spots, &pen.canvas.clone(), &[], Some(paper));
        }
    }
}
