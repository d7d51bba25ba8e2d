//! "Together or apart?": everything on every GPU and what is set apart, on one Pareto.

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
    /// What the other side has of this one's throughput at the speed that is compared: an arrow between them.
    pub factor: Option<String>,
    /// Speeds at which something changes.
    pub turns: Vec<Turn>,
    /// Where the values come from.
    pub source: String,
}

/// A speed at which something changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Where.
    pub at: ApartPoint,
    /// What, in lines; the first one begins with the speed.
    pub says: Vec<String>,
    /// In one line.
    pub short: String,
    /// Whether one side passes the other: a ring, down to the axis.
    pub crossing: bool,
}

/// Which deployment it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Everything on every GPU.
    Colocated,
    /// Attention and feed-forward instances.
    Ratio,
    /// Attention on memory devices.
    Split,
}

/// One deployment over its batch.
#[derive(Clone, Debug, PartialEq)]
pub struct ApartCurve {
    /// Which it is.
    pub mark: Mark,
    /// `together`, `apart`, `split`.
    pub label: String,
    /// `72 × H100`, `32 A + 40 F`.
    pub name: String,
    /// In the order of their speed.
    pub points: Vec<ApartPoint>,
    /// Its own operating point.
    pub now: Option<ApartPoint>,
    /// Whether that is what the visitor has now.
    pub shown: bool,
    /// Points with a name: `144 per GPU`, `96`.
    pub stops: Vec<(ApartPoint, String)>,
    /// Where it would go on in a schedule that another one passes.
    pub beyond: Vec<ApartPoint>,
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
        self.axes(pen, &plot);
        let inside = |at: &ApartPoint| {
            let (x, y) = self.place(at)?;
            plot.x.holds(x).then(|| plot.at(x, y))
        };
        for curve in &self.curves {
            let beyond: Vec<Point> = curve.beyond.iter().filter_map(inside).collect();
            let line: Vec<(Point, bool)> = curve
                .points
                .iter()
                .filter_map(inside)
                .map(|at| (at, true))
                .collect();
            let (ink, _) = inks(pen.theme, curve);
            pen.dashed(&beyond, (3.0, 3.0), stroke(ink, 1.2));
            pen.avoid(&beyond);
            let width = if curve.mark == Mark::Colocated {
                size::CURVE_PX
            } else {
                1.6
            };
            marks::curve(pen, &line, marks::Line::Solid(ink, width));
        }
        self.arrow(pen, &plot);
        self.turn_points(pen, &plot);
        let stops = self.stop_points(pen, &plot);
        // Rings of now lie over everything.
        pen.seam();
        for curve in &self.curves {
            let Some(at) = curve.now.as_ref().and_then(inside) else {
                continue;
            };
            let (ink, _) = inks(pen.theme, curve);
            if curve.shown {
                pen.now(at, true);
            } else {
                pen.open_point(at, 4.2, stroke(ink, 1.6));
            }
        }
        let mut named: Vec<&ApartCurve> = self.curves.iter().collect();
        named.sort_by_key(|curve| !curve.shown);
        for curve in named {
            self.name(pen, &plot, curve);
        }
        self.turn_words(pen, &plot);
        for (at, text, ink) in stops {
            let words = Words::note(text, ink);
            Label::lines([words])
                .at([
                    spot(point(at.x + 7.0, at.y - 2.0), Align::Start, Side::Above),
                    spot(point(at.x + 7.0, at.y), Align::Start, Side::Level),
                    spot(point(at.x - 5.0, at.y + 5.0), Align::End, Side::Below),
                ])
                .write_in(pen, area);
        }
        let places = drawn
            .iter()
            .map(|(_, _, (x, y))| plot.at(x.min(plot.x.high()), *y));
        let now = |curve: &ApartCurve| curve.now.map_or(f64::INFINITY, |now| now.point.per_user);
        let away = |(curve, at, _): &(&ApartCurve, &ApartPoint, (f64, f64))| {
            let away = (at.point.per_user - now(curve)).abs();
            if curve.shown { away } else { f64::INFINITY }
        };
        let nearest = (0..drawn.len()).min_by(|a, b| away(&drawn[*a]).total_cmp(&away(&drawn[*b])));
        Hits::points(places)
            .on(&plot)
            .starting_at(nearest.unwrap_or(0))
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

/// Together is ink, what is set apart its plain rival: line and words.
fn inks(theme: &Theme, curve: &ApartCurve) -> (Colour, Colour) {
    if curve.mark == Mark::Colocated {
        (theme.ink_1, theme.ink_1)
    } else {
        let colours = theme.series(Series::Second);
        (colours.line, colours.text)
    }
}

impl ApartData {
    /// Both axes; a speed at which one side passes the other takes the place of a tick.
    fn axes(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let unit = if self.per_dollar {
            "tokens per dollar"
        } else {
            "tokens/s per GPU"
        };
        si_y_axis(pen, plot, unit);
        let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
        let most = (plot.area.width() / 44.0).max(2.0) as usize;
        let crossings = self.turns.iter().filter(|turn| turn.crossing);
        let bold = crossings
            .filter_map(|turn| self.place(&turn.at))
            .filter(|(users, _)| plot.x.holds(*users))
            .map(|(users, _)| (users, Words::tick(format::speed(users), ink).bold()));
        let usual = plot.x.ticks(most).into_iter();
        let axis = Axis {
            ticks: bold
                .chain(usual.map(|tick| (tick, Words::tick(format::si_tick(tick), grey))))
                .collect(),
            minor: Vec::new(),
            name: "tokens/s per user",
        };
        x_axis(pen, plot, &axis);
    }

    /// From what there is now to the other side at the same speed, with what that is of it.
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
        let (head, foot) = (
            point(from.x, from.y + 11.0 * down),
            point(to.x, to.y - 9.0 * down),
        );
        if (foot.y - head.y) * down < 12.0 || !plot.x.holds(users) {
            return;
        }
        let ink = stroke(pen.theme.ink_2, 1.1);
        pen.line(head, foot, ink);
        for side in [-3.5, 3.5] {
            pen.line(point(foot.x + side, foot.y - 5.0 * down), foot, ink);
        }
        pen.avoid(&[head, foot]);
        let words = Words::label(factor.clone(), pen.theme.ink_1).bold();
        let middle = (head.y + foot.y) / 2.0;
        Label::lines([words])
            .at([
                spot(point(head.x + 8.0, middle), Align::Start, Side::Level),
                spot(point(head.x - 8.0, middle), Align::End, Side::Level),
            ])
            .or_over_lines()
            .write_in(pen, plot.area);
    }

    fn turn_points(&self, pen: &mut Pen<'_>, plot: &Plot) {
        for turn in &self.turns {
            let Some((users, value)) = self.place(&turn.at).filter(|at| plot.x.holds(at.0)) else {
                continue;
            };
            let at = plot.at(users, value);
            let ink = pen.theme.ink_1;
            if turn.crossing {
                let foot = point(at.x, plot.area.bottom);
                pen.dotted(&[point(at.x, at.y + 8.0), foot], 4.0, 0.8, ink);
                pen.avoid(&[at, foot]);
                pen.disc(at, 5.6, pen.theme.background);
                pen.ring(at, 5.4, stroke(ink, 1.4));
                pen.reserve(Rect::about(at, 6.5));
            } else {
                pen.open_point(at, 3.4, stroke(ink, 1.4));
                pen.reserve(Rect::about(at, 4.5));
            }
        }
    }

    fn turn_words(&self, pen: &mut Pen<'_>, plot: &Plot) {
        for turn in &self.turns {
            let Some((users, value)) = self.place(&turn.at).filter(|at| plot.x.holds(at.0)) else {
                continue;
            };
            let Point { x, y } = plot.at(users, value);
            let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_2);
            let speed = format::speed(users);
            let block = |lines: &[String]| {
                let lines = lines.iter().enumerate().map(|(index, line)| {
                    if index == 0 {
                        let bold = Words::note(speed.clone(), ink).bold();
                        bold.and(format!(": {line}"), grey)
                    } else {
                        Words::note(line.clone(), grey)
                    }
                });
                lines.collect::<Vec<_>>()
            };
            let spots = if turn.crossing {
                [
                    spot(point(x - 12.0, y + 8.0), Align::End, Side::Below),
                    spot(point(x - 14.0, y), Align::End, Side::Level),
                    spot(point(x - 20.0, y + 22.0), Align::End, Side::Below),
                    spot(point(x + 12.0, y - 10.0), Align::Start, Side::Above),
                ]
            } else {
                [
                    spot(point(x + 14.0, y - 10.0), Align::Start, Side::Above),
                    spot(point(x + 12.0, y - 2.0), Align::Start, Side::Level),
                    spot(point(x + 30.0, y - 24.0), Align::Start, Side::Above),
                    spot(point(x - 12.0, y + 10.0), Align::End, Side::Below),
                ]
            };
            Label::blocks([block(&turn.says), block(std::slice::from_ref(&turn.short))])
                .at(spots)
                .write_in(pen, plot.area);
        }
    }

    /// Marks the points with a name; they are named last, where there is room.
    fn stop_points(&self, pen: &mut Pen<'_>, plot: &Plot) -> Vec<(Point, String, Colour)> {
        let mut stops = Vec::new();
        for curve in &self.curves {
            let (ink, text) = inks(pen.theme, curve);
            for (stop, name) in &curve.stops {
                let Some((users, value)) = self.place(stop).filter(|at| plot.x.holds(at.0)) else {
                    continue;
                };
                let at = plot.at(users, value);
                pen.open_point(at, 2.8, stroke(ink, 1.3));
                pen.reserve(Rect::about(at, 3.6));
                let text = if curve.mark == Mark::Colocated {
                    pen.theme.ink_2
                } else {
                    text
                };
                stops.push((at, name.clone(), text));
            }
        }
        stops
    }

    /// What a curve is, at its own point, or its end where it has none.
    fn name(&self, pen: &mut Pen<'_>, plot: &Plot, curve: &ApartCurve) {
        let (_, ink) = inks(pen.theme, curve);
        let grey = pen.theme.ink_2;
        let own = self.own(curve).filter(|(users, _)| plot.x.holds(*users));
        let last = || {
            let mut places = curve.points.iter().filter_map(|at| self.place(at));
            places.rfind(|(users, _)| plot.x.holds(*users))
        };
        let Some((x, y)) = own.or_else(last) else {
            return;
        };
        let Point { x, y } = plot.at(x, y);
        let lead = if curve.shown && own.is_some() {
            format!("now: {}", curve.label)
        } else {
            curve.label.clone()
        };
        let title = Words::label(lead.clone(), ink).bold();
        let long = Words::label(lead, ink)
            .bold()
            .and(format!("  {}", curve.name), grey);
        let spots = [
            spot(point(x - 12.0, y - 11.0), Align::Start, Side::Above),
            spot(point(x, y - 11.0), Align::Middle, Side::Above),
            spot(point(x - 12.0, y + 11.0), Align::Start, Side::Below),
            spot(point(x, y + 11.0), Align::Middle, Side::Below),
            spot(point(x + 12.0, y), Align::Start, Side::Level),
            spot(point(x - 12.0, y), Align::End, Side::Level),
            spot(point(x + 12.0, y + 12.0), Align::Start, Side::Below),
        ];
        let label = Label::lines([long, title]).at(spots);
        let canvas = pen.canvas;
        if label.clone().write_in(pen, plot.area).is_none() {
            label.or_over_lines().write_in(pen, canvas);
        }
    }
}
