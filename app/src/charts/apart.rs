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

/// An operating point and what it earns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApartPoint {
    /// What the deployment does.
    pub point: OperatingPoint,
    /// Tokens per US dollar, where a price is known.
    pub tokens_per_dollar: Option<f64>,
}

impl ApartData {
    /// Where a point belongs, across and up, if it has a place.
    fn place(&self, at: &ApartPoint) -> Option<(f64, f64)> {
        let value = if self.per_dollar {
            at.tokens_per_dollar?
        } else {
            at.point.per_gpu
        };
        let good = |value: f64| value.is_finite() && value > 0.0;
        let draws = at.point.fits && good(value) && good(at.point.per_user);
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
        let drawn: Vec<(f64, f64)> = self.drawn().into_iter().map(|(_, _, at)| at).collect();
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
            nothing_to_show(pen, &area, &self.nothing);
            return Hits::default();
        }
        let plot = self.plot(area);
        let unit = if self.per_dollar {
            "tokens per dollar"
        } else {
            "tokens/s per GPU"
        };
        si_axes(pen, &plot, unit, "tokens/s per user");
        // Every curve with its own point, or its end where it has none.
        let mut named = Vec::new();
        for curve in &self.curves {
            let places = curve.points.iter().filter_map(|at| self.place(at));
            let inside = places.filter(|(users, _)| plot.x.holds(*users));
            let line: Vec<(Point, bool)> = inside.map(|(x, y)| (plot.at(x, y), true)).collect();
            let style = match curve.shown {
                true => marks::Line::Solid(pen.theme.ink_1, size::CURVE_PX),
                false => marks::Line::Solid(pen.theme.ink_3, 1.3),
            };
            marks::curve(pen, &line, style);
            let own = self.own(curve).filter(|(users, _)| plot.x.holds(*users));
            let end = line.last().map(|(at, _)| (curve, false, *at));
            named.extend(own.map(|(x, y)| (curve, true, plot.at(x, y))).or(end));
        }
        for (_, _, at) in named.iter().filter(|(_, own, _)| *own) {
            pen.reserve(Rect::about(*at, 8.0));
        }
        for (curve, _, at) in named.iter().filter(|(_, own, _)| *own) {
            draw_mark(pen, curve, *at);
        }
        pen.seam();
        named.sort_by_key(|(curve, own, _)| (!own, !curve.shown));
        for (curve, _, at) in named {
            name(pen, &plot, curve, at);
        }
        let places = drawn
            .iter()
            .map(|(_, _, (x, y))| plot.at(x.min(plot.x.high()), *y));
        let now = |curve: &ApartCurve| curve.now.map_or(f64::INFINITY, |now| now.point.batch);
        let start = drawn
            .iter()
            .position(|(curve, at, _)| curve.shown && at.point.batch >= now(curve));
        Hits::points(places)
            .on(&plot)
            .starting_at(start.unwrap_or(0))
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let rows = self.curves.iter().flat_map(|curve| {
            let name = format!("{}, {}", curve.label, curve.name);
            curve.now.iter().chain(&curve.points).map(move |at| {
                let mut row = vec![name.as_str().into()];
                row.extend(at.point.cells());
                row.push(Cell::maybe(at.tokens_per_dollar));
                row
            })
        });
        let mut columns = vec![Column::new("deployment", "")];
        columns.extend(OperatingPoint::columns());
        columns.push(Column::new("tokens per dollar", ""));
        Table {
            columns,
            rows: rows.collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (curve, at, _) = *self.drawn().get(index)?;
        let mut rows = at.point.tip_rows();
        let dollar = at.tokens_per_dollar;
        rows.extend(dollar.map(|value| TipRow::plain("tokens per dollar", format::si(value))));
        let batch = format!("{} sequences", format::batch(at.point.batch));
        rows.push(TipRow::plain("batch", batch));
        Some(Tooltip {
            title: curve.label.clone(),
            aside: curve.name.clone(),
            rows,
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        Some(format::sig3(self.drawn().get(index)?.2.0))
    }
}

/// A deployment's own point, by its shape; the one that is looked at has the ring of now.
fn draw_mark(pen: &mut Pen<'_>, curve: &ApartCurve, at: Point) {
    let (ink, paper) = (pen.theme.ink_1, pen.theme.background);
    let colour = if curve.shown { ink } else { pen.theme.ink_3 };
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
            for (reach, colour) in [(6.6, paper), (5.0, colour)] {
                let corners = [(0.0, -reach), (reach, 0.0), (0.0, reach), (-reach, 0.0)];
                pen.fill(&corners.map(|(dx, dy)| point(at.x + dx, at.y + dy)), colour);
            }
        }
    }
}

fn name(pen: &mut Pen<'_>, plot: &Plot, curve: &ApartCurve, at: Point) {
    let (ink, grey) = match curve.shown {
        true => (pen.theme.ink_1, pen.theme.ink_2),
        false => (pen.theme.ink_2, pen.theme.ink_3),
    };
    let title = Words::label(curve.label.clone(), ink).bold();
    let name = Words::note(curve.name.clone(), grey);
    let label = Label::titled(title, name).around(at, 11.0);
    if label.clone().write_in(pen, plot.area).is_none() {
        label.on_lines().write_in(pen, pen.canvas);
    }
}
