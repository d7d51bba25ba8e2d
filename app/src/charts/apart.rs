//! "Colocated or disaggregated?": both deployments on one Pareto.

use crate::charts::prelude::*;
use crate::order::sort_by_key;

#[derive(Clone, Debug, PartialEq)]
pub struct ApartData {
    pub curves: Vec<ApartCurve>,
    /// Tokens per dollar up, else tokens per second and GPU.
    pub per_dollar: bool,
    pub finding: String,
    /// The reason for an empty chart.
    pub nothing: String,
    /// Disaggregated over colocated throughput at equal user speed: an arrow between them.
    pub factor: Option<String>,
    pub source: String,
}

/// Deployments of the curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeploymentKind {
    /// Everything on every GPU.
    Colocated,
    /// Attention and feed-forward instances.
    Ratio,
    /// Attention on memory devices.
    Split,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ApartCurve {
    pub mark: DeploymentKind,
    /// `colocated`, `AFD`, `Lamina`.
    pub label: String,
    /// `72 × H100`, `32 : 40`.
    pub name: String,
    /// In the order of their speed.
    pub points: Vec<ApartPoint>,
    pub now: Option<ApartPoint>,
    /// The other one is measured against it.
    pub shown: bool,
    /// Its point is the scenario.
    pub present: bool,
    /// Points with a name: `144 per GPU`, `96`.
    pub stops: Vec<(ApartPoint, String)>,
}

/// An operating point and what it earns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApartPoint {
    pub point: OperatingPoint,
    /// Tokens per US dollar, where a price is known.
    pub tokens_per_dollar: Option<f64>,
    pub way: WayKind,
}

/// Plan, division or schedule of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WayKind {
    /// As its curve is named.
    Only,
    /// GPUs of attention, and of the feed-forward.
    Divided(u32, u32),
    /// `two-batch`, `no overlap`.
    Scheduled(&'static str),
}

impl ApartPoint {
    /// `32 : 40`, `two-batch`, `16 × H100 + 32 × H20`.
    fn name(&self, curve: &ApartCurve) -> String {
        match self.way {
            WayKind::Only => curve.name.clone(),
            WayKind::Divided(attention, ffn) => format!("{attention} : {ffn}"),
            WayKind::Scheduled(schedule) => schedule.to_owned(),
        }
    }
}

impl ApartData {
    /// The values of a point across and up, if it has a place.
    fn place(&self, at: &ApartPoint) -> Option<(f64, f64)> {
        let value = match self.per_dollar {
            true => at.tokens_per_dollar?,
            false => at.point.per_gpu,
        };
        let draws = at.point.fits && positive(value) && positive(at.point.per_user);
        draws.then_some((at.point.per_user, value))
    }

    /// Points with a place, in the order of hits.
    fn drawn(&self) -> Vec<(&ApartCurve, &ApartPoint, (f64, f64))> {
        let of = |curve| move |at| Some((curve, at, self.place(at)?));
        let curves = self.curves.iter();
        curves
            .flat_map(|curve| curve.points.iter().filter_map(of(curve)))
            .collect()
    }

    fn own(&self, curve: &ApartCurve) -> Option<(f64, f64)> {
        self.place(curve.now.as_ref()?)
    }

    fn plot(&self, area: Rect) -> Plot {
        let nows = || self.curves.iter().filter_map(|curve| self.own(curve));
        let drawn: Vec<(f64, f64)> = self.drawn().into_iter().map(|(.., at)| at).collect();
        let (_, most) = extent(drawn.iter().copied().chain(nows()).map(|at| at.1));
        // Beyond a twentieth of the most throughput a user's speed costs nearly everything.
        let worth = drawn.iter().copied().filter(|at| at.1 >= most / 20.0);
        let (_, fastest) = extent(worth.chain(nows()).map(|at| at.0));
        let x = Scale::linear(0.0, fastest.max(f64::MIN_POSITIVE) * 1.07);
        Plot::new(area, x, Scale::linear(0.0, most * 1.2))
    }
}

impl Figure for ApartData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX + 4.0, size::MARGIN_TOP_PX);
        let drawn = self.drawn();
        if drawn.is_empty() {
            return nothing_to_show(pen, &area, &self.nothing);
        }
        let plot = self.plot(area);
        let unit = match self.per_dollar {
            true => "tokens per dollar",
            false => "tokens/s per GPU",
        };
        si_axes(pen, &plot, unit, "tokens/s per user");
        let (theme, soft) = (pen.theme, pen.theme.ink_2);
        let mut xy = Xy::new(plot);
        for curve in self.shown_first() {
            let (ink, text, stop, width) = match curve.mark {
                DeploymentKind::Colocated => (theme.ink_1, theme.ink_1, soft, size::CURVE_PX),
                DeploymentKind::Ratio | DeploymentKind::Split => {
                    let rival = theme.series(Series::Second);
                    (rival.line, rival.text, rival.text, 1.6)
                }
            };
            let through: Vec<_> = curve
                .points
                .iter()
                .filter_map(|of| self.place(of))
                .collect();
            let own = self.own(curve);
            let (dot, now) = match (own, curve.present) {
                (None, _) => (DotInk::Bare, ""),
                (Some(_), true) => (DotInk::Now(true), "now: "),
                (Some(_), false) => (DotInk::Ring(4.2, ink), ""),
            };
            let title = Words::label(format!("{now}{}", curve.label), text).bold();
            let long = title.clone().and(format!("  {}", curve.name), soft);
            if let Some(at) = own.or(through.iter().rfind(|at| plot.x.holds(at.0)).copied()) {
                xy.dot(at, dot).says([long, title]);
            }
            xy.curve(through, CurveStroke::solid(ink, width));
            for (of, name) in &curve.stops {
                if let Some(at) = self.place(of) {
                    xy.stop(at, ink).says([Words::note(name.clone(), stop)]);
                }
            }
        }
        if let Some((factor, ends)) = self.gain() {
            let says = Words::label(factor, theme.ink_1).bold();
            xy.arrow(ends, stroke(soft, 1.1)).says([says]);
        }
        xy.draw(pen);
        let now = |curve: &ApartCurve| curve.now.map_or(f64::INFINITY, |now| now.point.per_user);
        let away = |index: &usize| {
            let (curve, at, _) = &drawn[*index];
            let away = (at.point.per_user - now(curve)).abs();
            if curve.shown { away } else { f64::INFINITY }
        };
        let nearest = (0..drawn.len()).min_by(|a, b| away(a).total_cmp(&away(b)));
        Hits::values(&plot, drawn.iter().map(|(.., at)| *at)).starting_at(nearest)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let rows = self.curves.iter().flat_map(|curve| {
            let points = curve.now.iter().chain(&curve.points);
            points.map(move |at| (curve, at))
        });
        columns(rows).done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (curve, at, (across, _)) = *self.drawn().get(index)?;
        let batch = format!("{} sequences", format::batch(at.point.batch));
        let tip = Tooltip::new(&curve.label, at.name(curve), &self.source)
            .across(format::sig3(across))
            .row("batch", batch)
            .rows(columns([(curve, at)]).tips());
        Some(tip)
    }
}

/// A curve and one of its points.
type Row<'a> = (&'a ApartCurve, &'a ApartPoint);

fn columns<'a>(rows: impl IntoIterator<Item = Row<'a>>) -> Columns<Row<'a>> {
    Table::of(rows)
        .col("deployment", "", |(curve, at)| {
            format!("{}, {}", curve.label, at.name(curve))
        })
        .point(|(_, at)| at.point)
        .col("tokens per dollar", "", |(_, at)| at.tokens_per_dollar)
        .tip(format::si)
}

impl ApartData {
    /// The curves, what the other one is measured against before it.
    fn shown_first(&self) -> Vec<&ApartCurve> {
        let mut curves: Vec<&ApartCurve> = self.curves.iter().collect();
        sort_by_key(&mut curves, |curve| !curve.shown);
        curves
    }

    /// The factor from one side to the other at equal user speed, and where both stand.
    fn gain(&self) -> Option<(String, [(f64, f64); 2])> {
        let own = |shown| {
            self.curves
                .iter()
                .find(|of| of.shown == shown)
                .and_then(|of| self.own(of))
        };
        let (from, to) = (own(true)?, own(false)?);
        Some((self.factor.clone()?, [from, (from.0, to.1)]))
    }
}
