//! "Colocated or disaggregated?": both deployments on one Pareto.

use crate::charts::prelude::*;
use crate::order::sort_by_key;

#[derive(Clone, Debug, PartialEq)]
pub struct ApartData {
    pub curves: Vec<ApartCurve>,
    /// Whether tokens per dollar are shown, else tokens per second and GPU.
    pub per_dollar: bool,
    pub finding: String,
    /// Why there is nothing to show, where there is nothing.
    pub nothing: String,
    /// Disaggregated over colocated throughput at equal user speed: an arrow between them.
    pub factor: Option<String>,
    pub source: String,
}

/// Deployments of the curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Everything on every GPU.
    Colocated,
    /// Attention and feed-forward instances.
    Ratio,
    /// Attention on memory devices.
    Split,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ApartCurve {
    pub mark: Mark,
    /// `colocated`, `AFD`, `Lamina`.
    pub label: String,
    /// `72 × H100`, `32 : 40`.
    pub name: String,
    /// In the order of their speed.
    pub points: Vec<ApartPoint>,
    pub now: Option<ApartPoint>,
    /// Whether the other one is measured against it.
    pub shown: bool,
    /// Whether its point is what the visitor has now.
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
    pub way: Way,
}

/// Plan, division or schedule of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
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
            Way::Only => curve.name.clone(),
            Way::Divided(attention, ffn) => format!("{attention} : {ffn}"),
            Way::Scheduled(schedule) => schedule.to_owned(),
        }
    }
}

impl ApartCurve {
    /// Colocated is ink, its rival plain: line and words.
    fn inks(&self, theme: &Theme) -> (Colour, Colour) {
        match self.mark {
            Mark::Colocated => (theme.ink_1, theme.ink_1),
            Mark::Ratio | Mark::Split => {
                let colours = theme.series(Series::Second);
                (colours.line, colours.text)
            }
        }
    }
}

impl ApartData {
    /// Where a point belongs, across and up, if it has a place.
    fn place(&self, at: &ApartPoint) -> Option<(f64, f64)> {
        let value = match self.per_dollar {
            true => at.tokens_per_dollar?,
            false => at.point.per_gpu,
        };
        let draws = at.point.fits && positive(value) && positive(at.point.per_user);
        draws.then_some((at.point.per_user, value))
    }

    /// The same on a plot whose axis it may pass.
    fn on(&self, plot: &Plot, at: &ApartPoint) -> Option<Point> {
        let (x, y) = self.place(at)?;
        plot.x.holds(x).then(|| plot.at(x, y))
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
        self.axes(pen, &plot);
        for curve in &self.curves {
            let on = |points: &[ApartPoint]| -> Vec<Point> {
                points.iter().filter_map(|at| self.on(&plot, at)).collect()
            };
            let (ink, _) = curve.inks(pen.theme);
            let colocated = curve.mark == Mark::Colocated;
            let width = if colocated { size::CURVE_PX } else { 1.6 };
            marks::solid(pen, on(&curve.points), ink, width);
        }
        let stops = self.stop_points(pen, &plot);
        self.arrow(pen, &plot);
        // Rings of now lie over everything.
        pen.seam();
        for curve in &self.curves {
            let now = curve.now.as_ref().and_then(|now| self.on(&plot, now));
            let Some(at) = now else { continue };
            let (ink, _) = curve.inks(pen.theme);
            match curve.present {
                true => pen.now(at, true),
                false => pen.open_point(at, 4.2, stroke(ink, 1.6)),
            }
        }
        let mut named: Vec<&ApartCurve> = self.curves.iter().collect();
        sort_by_key(&mut named, |curve| !curve.shown);
        for curve in named {
            self.name(pen, &plot, curve);
        }
        for (at, words) in stops {
            Label::lines([words])
                .near(at, &[NE(7, 2), E(7, 0), SW(5, 5)])
                .write_in(pen, area);
        }
        let places = drawn
            .iter()
            .map(|(.., (x, y))| plot.at(x.min(plot.x.high()), *y));
        let now = |curve: &ApartCurve| curve.now.map_or(f64::INFINITY, |now| now.point.per_user);
        let away = |index: &usize| {
            let (curve, at, _) = &drawn[*index];
            let away = (at.point.per_user - now(curve)).abs();
            if curve.shown { away } else { f64::INFINITY }
        };
        let nearest = (0..drawn.len()).min_by(|a, b| away(a).total_cmp(&away(b)));
        Hits::points(places).on(&plot).starting_at(nearest)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let rows = self.curves.iter().flat_map(|curve| {
            let points = curve.now.iter().chain(&curve.points);
            points.map(move |at| (curve, at))
        });
        Table::of(rows)
            .col("deployment", "", |(curve, at)| {
                format!("{}, {}", curve.label, at.name(curve))
            })
            .point(|(_, at)| at.point)
            .col("tokens per dollar", "", |(_, at)| at.tokens_per_dollar)
            .done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (curve, at, (across, _)) = *self.drawn().get(index)?;
        let dollar = at.tokens_per_dollar.map(format::si);
        let batch = format!("{} sequences", format::batch(at.point.batch));
        let tip = Tooltip::new(&curve.label, at.name(curve), &self.source)
            .across(format::sig3(across))
            .rows(at.point.tip_rows())
            .maybe("tokens per dollar", dollar)
            .row("batch", batch);
        Some(tip)
    }
}

impl ApartData {
    fn axes(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let unit = match self.per_dollar {
            true => "tokens per dollar",
            false => "tokens/s per GPU",
        };
        si_y_axis(pen, plot, unit);
        let ticks = plot.x.ticks(room(plot.area.width(), 44.0));
        let axis = Axis::of(pen, ticks, format::si_tick, "tokens/s per user");
        x_axis(pen, plot, &axis);
    }

    /// An arrow from colocated to the other side at equal user speed, with the factor.
    fn arrow(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let own = |shown: bool| {
            let curve = self.curves.iter().find(|curve| curve.shown == shown)?;
            self.own(curve)
        };
        let (Some(factor), Some((users, from)), Some((_, to))) =
            (&self.factor, own(true), own(false))
        else {
            return;
        };
        let (from, to) = (plot.at(users, from), plot.at(users, to));
        let down = if to.y > from.y { 1.0 } else { -1.0 };
        let (head, foot) = (from.y + 11.0 * down, to.y - 9.0 * down);
        if (foot - head) * down < 12.0 || !plot.x.holds(users) {
            return;
        }
        let [head, foot] = [head, foot].map(|y| point(from.x, y));
        let ink = stroke(pen.theme.ink_2, 1.1);
        marks::rule(pen, [head, foot], ink);
        marks::arrow_head(pen, head, foot, (5.0, 3.5), ink);
        Label::lines([Words::label(factor.clone(), pen.theme.ink_1).bold()])
            .near(head.towards(foot, 0.5), &[E(8, 0), W(8, 0)])
            .write_over(pen, plot.area);
    }

    /// Marks the points with a name; they are named last, where there is room.
    fn stop_points(&self, pen: &mut Pen<'_>, plot: &Plot) -> Vec<(Point, Words)> {
        let mut stops = Vec::new();
        for curve in &self.curves {
            let (ink, text) = curve.inks(pen.theme);
            let colocated = curve.mark == Mark::Colocated;
            let text = if colocated { pen.theme.ink_2 } else { text };
            for (stop, name) in &curve.stops {
                if let Some(at) = self.on(plot, stop) {
                    marks::stop(pen, at, 2.8, stroke(ink, 1.3), 3.6);
                    stops.push((at, Words::note(name.clone(), text)));
                }
            }
        }
        stops
    }

    /// What a curve is, at its own point, or its end where it has none.
    fn name(&self, pen: &mut Pen<'_>, plot: &Plot, curve: &ApartCurve) {
        let (_, ink) = curve.inks(pen.theme);
        let own = curve.now.as_ref().and_then(|now| self.on(plot, now));
        let mut points = curve.points.iter().filter_map(|at| self.on(plot, at));
        let Some(at) = own.or_else(|| points.next_back()) else {
            return;
        };
        let now = if curve.present && own.is_some() {
            "now: "
        } else {
            ""
        };
        let title = Words::label(format!("{now}{}", curve.label), ink).bold();
        let long = title
            .clone()
            .and(format!("  {}", curve.name), pen.theme.ink_2);
        let above = [NE(-12, 11), N(0, 11), SE(-12, 11), S(0, 11)];
        let label = Label::lines([long, title]).near(at, &above);
        let label = label.near(at, &[E(12, 0), W(12, 0), SE(12, 12)]);
        let canvas = pen.canvas;
        if label.clone().write_in(pen, plot.area).is_none() {
            label.write_over(pen, canvas);
        }
    }
}
