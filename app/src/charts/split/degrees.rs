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
        if self.per_dollar {
            degree.tokens_per_dollar
        } else {
            degree.tokens_per_s
        }
    }

    /// Degrees that have a place, in the order of hits.
    pub fn drawn(&self) -> Vec<&Degree> {
        self.degrees
            .iter()
            .filter(|degree| {
                let good = |value: f64| value.is_finite() && value > 0.0;
                good(degree.dollars_per_hour) && good(self.value(degree))
            })
            .collect()
    }

    /// Those that nothing cheaper of their kind beats.
    fn best(&self, split: bool) -> Vec<usize> {
        let drawn = self.drawn();
        let mut order: Vec<usize> = (0..drawn.len())
            .filter(|index| drawn[*index].split.is_some() == split)
            .collect();
        order.sort_by(|a, b| {
            let (a, b) = (drawn[*a], drawn[*b]);
            a.dollars_per_hour
                .total_cmp(&b.dollars_per_hour)
                .then(self.value(b).total_cmp(&self.value(a)))
        });
        let mut most = 0.0;
        order.retain(|index| {
            let better = self.value(drawn[*index]) > most * (1.0 + 1e-9);
            if better {
                most = self.value(drawn[*index]);
            }
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
        let dearest = drawn
            .iter()
            .map(|degree| degree.dollars_per_hour)
            .fold(self.budget.unwrap_or(0.0), f64::max);
        let most = drawn.iter().map(|d| self.value(d)).fold(0.0, f64::max);
        let plot = Plot::new(
            area,
            Scale::linear(0.0, dearest * 1.06),
            Scale::linear(0.0, most * 1.15),
        );
        let at = |degree: &Degree| plot.at(degree.dollars_per_hour, self.value(degree));
        si_axes(
            pen,
            &plot,
            if self.per_dollar {
                "tokens per dollar"
            } else {
                "tokens/s"
            },
            "$ per hour",
        );
        let budget = self.budget.filter(|budget| plot.x.holds(*budget));
        if let Some(budget) = budget {
            beyond(pen, &plot, budget);
        }
        let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
        let mut lines = Vec::new();
        for split in [false, true] {
            let best = self.best(split);
            let path: Vec<Point> = best.iter().map(|index| at(drawn[*index])).collect();
            lines.extend(path.iter().copied().zip(path.iter().skip(1).copied()));
            let style = if split {
                stroke(ink, 1.4)
            } else {
                stroke(grey, 1.2)
            };
            pen.polyline(&path, style);
        }
        let winners = self.best(true);
        for (index, degree) in drawn.iter().enumerate() {
            let winner = winners.contains(&index).then_some(winners.len());
            mark(pen, at(degree), degree, winner);
        }
        if let Some(now) = drawn.iter().find(|degree| degree.now) {
            pen.ring(at(now), 7.8, stroke(ink, 1.4));
            pen.reserve(Rect::about(at(now), 9.0));
        }
        pen.seam();
        labels(pen, &plot, self, &drawn, &lines);
        if let Some(budget) = budget {
            budget_label(pen, &plot, budget);
        }
        let start = drawn.iter().position(|degree| degree.now).unwrap_or(0);
        Hits::points(drawn.iter().map(|degree| at(degree))).starting_at(start)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        Table {
            columns: vec![
                Column::new("deployment", ""),
                Column::new("price", "$/h"),
                Column::new("batch", "sequences"),
                Column::new("throughput", "tokens/s"),
                Column::new("interactivity", "tokens/s per user"),
                Column::new("tokens per dollar", ""),
            ],
            rows: self
                .degrees
                .iter()
                .map(|degree| {
                    vec![
                        Cell::from(degree.name.as_str()),
                        degree.dollars_per_hour.into(),
                        degree.batch.into(),
                        degree.tokens_per_s.into(),
                        degree.tokens_per_s_per_user.into(),
                        degree.tokens_per_dollar.into(),
                    ]
                })
                .collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let drawn = self.drawn();
        let degree = drawn.get(index)?;
        Some(Tooltip {
            title: degree.name.clone(),
            aside: if degree.now {
                "now".into()
            } else {
                String::new()
            },
            rows: vec![
                TipRow::plain(
                    "price",
                    format!("{} per hour", format::dollars(degree.dollars_per_hour)),
                ),
                TipRow::plain(
                    "throughput",
                    format!("{} tok/s", format::si(degree.tokens_per_s)),
                ),
                TipRow::plain(
                    "interactivity",
                    format!("{} tok/s/user", format::sig3(degree.tokens_per_s_per_user)),
                ),
                TipRow::plain("tokens per dollar", format::si(degree.tokens_per_dollar)),
                TipRow::plain(
                    "batch",
                    format!("{} sequences", format::count(degree.batch)),
                ),
            ],
            source: self.source.clone(),
        })
    }

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px)
    }
}

/// What lies beyond the budget.
fn beyond(pen: &mut Pen<'_>, plot: &Plot, budget: f64) {
    let Rect {
        right, top, bottom, ..
    } = plot.area;
    let x = plot.x_at(budget);
    let area = rect(x, top, right, bottom);
    let line = stroke(pen.theme.line, size::HAIRLINE_PX);
    pen.hatch(&area.corners(), 9.0, Hatch::Rising, line);
    let style = stroke(pen.theme.ink_2, 1.2);
    pen.line(point(x, top), point(x, bottom), style);
}

fn budget_label(pen: &mut Pen<'_>, plot: &Plot, budget: f64) {
    let (grey, paper) = (pen.theme.ink_2, pen.theme.background);
    let x = plot.x_at(budget);
    let words = Words::note(format!("budget {}/h", format::dollars(budget)), grey);
    let heights = [
        plot.area.bottom - 4.0,
        plot.area.bottom - 24.0,
        plot.area.top + 16.0,
    ];
    let spots: Vec<_> = heights
        .into_iter()
        .flat_map(|y| {
            [
                spot(point(x - 6.0, y), Align::End, Side::Above),
                spot(point(x + 6.0, y), Align::Start, Side::Above),
            ]
        })
        .collect();
    pen.place(&[vec![words]], &spots, &plot.area, &[], Some(paper));
}

/// More winners than this stand too close for rims.
const CROWD: usize = 16;

/// Splits are discs, clusters of one accelerator open squares; what nothing cheaper beats is dark.
fn mark(pen: &mut Pen<'_>, at: Point, degree: &Degree, winner: Option<usize>) {
    let (ink, grey, faint, paper) = (
        pen.theme.ink_1,
        pen.theme.ink_3,
        pen.theme.strong,
        pen.theme.background,
    );
    if degree.split.is_none() {
        let square = Rect::about(at, 4.0);
        pen.fill_rect(square, paper);
        pen.outline(square, stroke(grey, 1.4));
    } else if degree.now || winner.is_some_and(|many| many <= CROWD) {
        pen.rimmed_point(at, 3.6, ink);
    } else if winner.is_some() {
        pen.disc(at, 2.6, ink);
    } else {
        pen.disc(at, 2.6, faint);
    }
}

fn labels(
    pen: &mut Pen<'_>,
    plot: &Plot,
    data: &DegreesData,
    drawn: &[&Degree],
    lines: &[(Point, Point)],
) {
    let (ink, grey, paper) = (pen.theme.ink_1, pen.theme.ink_3, pen.theme.background);
    let at = |degree: &Degree| plot.at(degree.dollars_per_hour, data.value(degree));
    // Every mark keeps its place before any is named.
    for degree in drawn {
        pen.reserve(Rect::about(at(degree), 4.0));
    }
    let mut write = |degree: &Degree, bold: bool, colour| {
        let Point { x, y } = at(degree);
        let words = Words::note(degree.label.clone(), colour);
        let words = if bold { words.bold() } else { words };
        let spots = [
            spot(point(x, y - 7.0), Align::Middle, Side::Above),
            spot(point(x - 8.0, y - 3.0), Align::End, Side::Above),
            spot(point(x + 8.0, y + 2.0), Align::Start, Side::Below),
            spot(point(x, y + 7.0), Align::Middle, Side::Below),
            spot(point(x + 10.0, y), Align::Start, Side::Level),
            spot(point(x - 10.0, y), Align::End, Side::Level),
        ];
        pen.place(&[vec![words]], &spots, &plot.area, lines, Some(paper));
    };
    for degree in drawn.iter().filter(|degree| degree.now) {
        write(degree, true, ink);
    }
    let mut best = data.best(true);
    best.reverse();
    for index in best {
        if !drawn[index].now {
            write(drawn[index], false, ink);
        }
    }
    let mut others = data.best(false);
    others.reverse();
    for index in others {
        write(drawn[index], false, grey);
    }
}
