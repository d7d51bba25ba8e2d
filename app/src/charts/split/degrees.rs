//! "What does the budget buy?": every degree of parallelism by price and throughput.

use crate::charts::prelude::*;

/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct DegreesData {
    /// Splits and homogeneous clusters, by price.
    pub degrees: Vec<Degree>,
    /// US dollars per hour that may be spent.
    pub budget: Option<f64>,
    /// Whether tokens per dollar are shown, else tokens per second.
    pub per_dollar: bool,
    /// The chart's finding.
    pub finding: String,
    /// Why there is nothing to show, where there is nothing.
    pub nothing: String,
    /// Where the values come from.
    pub source: String,
}

/// One deployment.
#[derive(Clone, Debug, PartialEq)]
pub struct Degree {
    /// `(2, 4)`, or `4×` of a homogeneous cluster.
    pub label: String,
    /// `2 × H100 + 4 × H20`.
    pub name: String,
    /// Compute and memory devices of a split; `None` for a homogeneous cluster.
    pub split: Option<(u32, u32)>,
    /// Whether it is the scenario's own split.
    pub now: bool,
    /// US dollars per hour.
    pub dollars_per_hour: f64,
    /// Sequences at once.
    pub batch: f64,
    /// Tokens per second.
    pub tokens_per_s: f64,
    /// Tokens per second of one user.
    pub tokens_per_s_per_user: f64,
    /// Tokens per US dollar.
    pub tokens_per_dollar: f64,
}

impl DegreesData {
    fn value(&self, degree: &Degree) -> f64 {
        match self.per_dollar {
            true => degree.tokens_per_dollar,
            false => degree.tokens_per_s,
        }
    }

    /// Degrees that have a place, in the order of hits.
    pub fn drawn(&self) -> Vec<&Degree> {
        let good = |value: f64| value.is_finite() && value > 0.0;
        let draws = |d: &&Degree| good(d.dollars_per_hour) && good(self.value(d));
        self.degrees.iter().filter(draws).collect()
    }

    /// Those that nothing cheaper of their kind beats, as indices into what is drawn, cheapest first.
    fn best(&self, drawn: &[&Degree], split: bool) -> Vec<usize> {
        let of_kind = |index: &usize| drawn[*index].split.is_some() == split;
        let mut order: Vec<usize> = (0..drawn.len()).filter(of_kind).collect();
        order.sort_by(|a, b| {
            let (a, b) = (drawn[*a], drawn[*b]);
            let price = a.dollars_per_hour.total_cmp(&b.dollars_per_hour);
            price.then(self.value(b).total_cmp(&self.value(a)))
        });
        let mut most = 0.0;
        order.retain(|index| {
            let value = self.value(drawn[*index]);
            let better = value > most * (1.0 + 1e-9);
            most = if better { value } else { most };
            better
        });
        order
    }
}

impl Figure for DegreesData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX + 4.0, size::MARGIN_TOP_PX);
        let drawn = self.drawn();
        if drawn.is_empty() {
            nothing_to_show(pen, &area, &self.nothing);
            return Hits::default();
        }
        let prices = drawn.iter().map(|degree| degree.dollars_per_hour);
        let (_, dearest) = extent(prices.chain(self.budget));
        let (_, most) = extent(drawn.iter().map(|degree| self.value(degree)));
        let x = Scale::linear(0.0, dearest * 1.06);
        let plot = Plot::new(area, x, Scale::linear(0.0, most * 1.15));
        let at = |degree: &Degree| plot.at(degree.dollars_per_hour, self.value(degree));
        let unit = if self.per_dollar {
            "tokens per dollar"
        } else {
            "tokens/s"
        };
        si_axes(pen, &plot, unit, "$ per hour");
        let budget = self.budget.filter(|budget| plot.x.holds(*budget));
        if let Some(budget) = budget {
            marks::beyond_right(pen, &plot, budget);
        }
        let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
        let (splits, clusters) = (self.best(&drawn, true), self.best(&drawn, false));
        for (best, colour, width) in [(&clusters, grey, 1.2), (&splits, ink, 1.4)] {
            let line = best.iter().map(|index| (at(drawn[*index]), true));
            let line: Vec<(Point, bool)> = line.collect();
            marks::curve(pen, &line, marks::Line::Solid(colour, width));
        }
        // Every mark keeps its place before any is named.
        for (index, degree) in drawn.iter().enumerate() {
            let winner = splits.contains(&index).then_some(splits.len());
            mark(pen, at(degree), degree, winner);
            pen.reserve(Rect::about(at(degree), 4.0));
        }
        let now = drawn.iter().position(|degree| degree.now);
        if let Some(now) = now {
            pen.ring(at(drawn[now]), 7.8, stroke(ink, 1.4));
            pen.reserve(Rect::about(at(drawn[now]), 9.0));
        }
        pen.seam();
        let best = splits.iter().rev().filter(|index| Some(**index) != now);
        let best = now.iter().chain(best).map(|index| (index, ink));
        for (index, colour) in best.chain(clusters.iter().rev().map(|index| (index, grey))) {
            let words = Words::note(drawn[*index].label.clone(), colour);
            let words = if Some(*index) == now {
                words.bold()
            } else {
                words
            };
            name(pen, &plot, at(drawn[*index]), words);
        }
        if let Some(budget) = budget {
            let words = format!("budget {}/h", format::dollars(budget));
            let Rect { top, bottom, .. } = area;
            let heights = [bottom - 4.0, bottom - 24.0, top + 16.0];
            Label::lines([Words::note(words, pen.theme.ink_2)])
                .beside(plot.x_at(budget), 6.0, &heights, Side::Above)
                .on_lines()
                .write_in(pen, area);
        }
        Hits::points(drawn.iter().map(|degree| at(degree)))
            .on(&plot)
            .starting_at(now.unwrap_or(0))
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let row = |degree: &Degree| -> Vec<Cell> {
            vec![
                degree.name.as_str().into(),
                degree.dollars_per_hour.into(),
                degree.batch.into(),
                degree.tokens_per_s.into(),
                degree.tokens_per_s_per_user.into(),
                degree.tokens_per_dollar.into(),
            ]
        };
        Table {
            columns: vec![
                Column::new("deployment", ""),
                Column::new("price", "$/h"),
                Column::new("batch", "sequences"),
                Column::new("throughput", "tokens/s"),
                Column::new("interactivity", "tokens/s per user"),
                Column::new("tokens per dollar", ""),
            ],
            rows: self.degrees.iter().map(row).collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let degree = *self.drawn().get(index)?;
        let price = format!("{} per hour", format::dollars(degree.dollars_per_hour));
        let throughput = format!("{} tok/s", format::si(degree.tokens_per_s));
        let user = format::sig3(degree.tokens_per_s_per_user);
        let batch = format!("{} sequences", format::count(degree.batch));
        Some(Tooltip {
            title: degree.name.clone(),
            aside: if degree.now { "now" } else { "" }.to_owned(),
            rows: vec![
                TipRow::plain("price", price),
                TipRow::plain("throughput", throughput),
                TipRow::plain("interactivity", format!("{user} tok/s/user")),
                TipRow::plain("tokens per dollar", format::si(degree.tokens_per_dollar)),
                TipRow::plain("batch", batch),
            ],
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        Some(format::dollars(self.drawn().get(index)?.dollars_per_hour))
    }
}

/// More winners than this stand too close for rims.
const CROWD: usize = 16;

/// Splits are discs, clusters of one accelerator open squares; what nothing cheaper beats is dark.
fn mark(pen: &mut Pen<'_>, at: Point, degree: &Degree, winner: Option<usize>) {
    let ink = pen.theme.ink_1;
    if degree.split.is_none() {
        let square = Rect::about(at, 4.0);
        pen.fill_rect(square, pen.theme.background);
        pen.outline(square, stroke(pen.theme.ink_3, 1.4));
    } else if degree.now || winner.is_some_and(|many| many <= CROWD) {
        pen.rimmed_point(at, 3.6, ink);
    } else {
        let colour = if winner.is_some() {
            ink
        } else {
            pen.theme.strong
        };
        pen.disc(at, 2.6, colour);
    }
}

fn name(pen: &mut Pen<'_>, plot: &Plot, Point { x, y }: Point, words: Words) {
    Label::lines([words])
        .at([
            spot(point(x, y - 7.0), Align::Middle, Side::Above),
            spot(point(x - 8.0, y - 3.0), Align::End, Side::Above),
            spot(point(x + 8.0, y + 2.0), Align::Start, Side::Below),
            spot(point(x, y + 7.0), Align::Middle, Side::Below),
            spot(point(x + 10.0, y), Align::Start, Side::Level),
            spot(point(x - 10.0, y), Align::End, Side::Level),
        ])
        .write_in(pen, plot.area);
}
