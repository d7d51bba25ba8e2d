//! "What does the budget buy?": the best split and the best cluster of one accelerator, by price and throughput.

use crate::charts::prelude::*;

/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct DegreesData {
    /// Splits and homogeneous clusters, by price.
    pub degrees: Vec<Degree>,
    /// US dollars per hour that may be spent.
    pub budget: Option<f64>,
    /// Whether that is the split's own price.
    pub equal_price: bool,
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
    /// `2 + 4`, or `4 ×` of a homogeneous cluster.
    pub label: String,
    /// `2 × H100 + 4 × H20`.
    pub name: String,
    /// Compute and memory devices of a split; `None` for a homogeneous cluster.
    pub split: Option<(u32, u32)>,
    /// Whether it is the scenario's own split.
    pub now: bool,
    /// Whether it is what the verdict compares that with.
    pub compared: bool,
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

    /// What is drawn, in the order of hits: splits, then clusters, that nothing cheaper of their kind beats, and
    /// what is compared.
    pub fn drawn(&self) -> Vec<&Degree> {
        let mut drawn = self.best(true);
        drawn.extend(self.best(false));
        let compared = self
            .degrees
            .iter()
            .filter(|degree| degree.now || degree.compared);
        for degree in compared.filter(|degree| self.draws(degree)) {
            if !drawn.iter().any(|known| std::ptr::eq(*known, degree)) {
                drawn.push(degree);
            }
        }
        drawn
    }

    fn draws(&self, degree: &Degree) -> bool {
        let good = |value: f64| value.is_finite() && value > 0.0;
        good(degree.dollars_per_hour) && good(self.value(degree))
    }

    /// Those that nothing cheaper of their kind beats, cheapest first.
    fn best(&self, split: bool) -> Vec<&Degree> {
        let mut order: Vec<&Degree> = self
            .degrees
            .iter()
            .filter(|degree| degree.split.is_some() == split && self.draws(degree))
            .collect();
        order.sort_by(|a, b| {
            let price = a.dollars_per_hour.total_cmp(&b.dollars_per_hour);
            price.then(b.tokens_per_s.total_cmp(&a.tokens_per_s))
        });
        // By what they serve, also where a dollar's worth is drawn: the same ones either way.
        let mut most = 0.0;
        order.retain(|degree| {
            let better = degree.tokens_per_s > most * (1.0 + 1e-9);
            most = if better { degree.tokens_per_s } else { most };
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
        let prices = || drawn.iter().map(|degree| degree.dollars_per_hour);
        let (least, dearest) = extent(prices().chain(self.budget));
        let (_, most) = extent(drawn.iter().map(|degree| self.value(degree)));
        let x = Scale::linear((least - 0.06 * (dearest - least)).max(0.0), dearest * 1.04);
        let plot = Plot::new(area, x, Scale::linear(0.0, most * 1.15));
        let at = |degree: &Degree| plot.at(degree.dollars_per_hour, self.value(degree));
        let unit = if self.per_dollar {
            "tokens per dollar"
        } else {
            "tokens/s"
        };
        si_axes(pen, &plot, unit, "$ per hour");
        self.budget_rule(pen, &plot);
        let rival = *pen.theme.series(Series::Second);
        let ink = pen.theme.ink_1;
        let kinds = [
            (false, ink, ink, size::CURVE_PX),
            (true, rival.line, rival.text, 1.6),
        ];
        for (split, line_ink, _, width) in kinds {
            let line: Vec<(Point, bool)> = self
                .best(split)
                .into_iter()
                .map(|of| (at(of), true))
                .collect();
            marks::curve(pen, &line, marks::Line::Solid(line_ink, width));
        }
        let now = drawn.iter().position(|degree| degree.now);
        let mut named: Vec<(&Degree, bool)> = Vec::new();
        pen.seam();
        for (split, line_ink, ..) in kinds {
            let best = self.best(split);
            for share in NAMED {
                let index = (share * (best.len().saturating_sub(1)) as f64).round() as usize;
                let Some(degree) = best.get(index) else {
                    continue;
                };
                let near = |other: &Degree| at(other).distance(at(degree)) < 34.0;
                let crowded = drawn
                    .iter()
                    .any(|other| (other.now || other.compared) && near(other))
                    || named.iter().any(|(other, _)| near(other));
                if !crowded {
                    pen.open_point(at(degree), 3.0, stroke(line_ink, 1.3));
                    pen.reserve(Rect::about(at(degree), 4.0));
                    named.push((degree, split));
                }
            }
        }
        if let Some(other) = drawn.iter().find(|degree| degree.compared) {
            pen.disc(at(other), 4.8, ink);
            pen.reserve(Rect::about(at(other), 6.0));
        }
        if let Some(now) = now {
            pen.now(at(drawn[now]), true);
            pen.reserve(Rect::about(at(drawn[now]), 9.0));
        }
        if let Some(own) = now.map(|now| drawn[now]) {
            let text = format!("now: {}", own.name.replace(" × ", " "));
            let short = format!("now: {}", own.label);
            name(pen, &plot, at(own), &[text, short], ink, true);
        }
        if let Some(other) = drawn.iter().find(|degree| degree.compared) {
            name(
                pen,
                &plot,
                at(other),
                &[other.name.clone(), other.label.clone()],
                ink,
                true,
            );
        }
        for (split, _, text_ink, _) in kinds {
            let word = if split { "split" } else { "together" };
            let best = self.best(split);
            let along = [0.9, 0.75, 0.6, 0.45].into_iter().filter_map(|share| {
                let index = (share * (best.len().max(1) - 1) as f64) as usize;
                Some(at(best.get(index)?))
            });
            let spots = along.flat_map(|Point { x, y }| {
                [
                    spot(point(x, y - 12.0), Align::End, Side::Above),
                    spot(point(x, y + 12.0), Align::Start, Side::Below),
                ]
            });
            Label::lines([Words::label(word, text_ink).bold()])
                .at(spots)
                .write_in(pen, area);
        }
        for (degree, split) in named {
            let grey = if split { rival.text } else { pen.theme.ink_2 };
            name(
                pen,
                &plot,
                at(degree),
                std::slice::from_ref(&degree.label),
                grey,
                false,
            );
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

/// Where along a line points are named.
const NAMED: [f64; 5] = [0.12, 0.35, 0.6, 0.85, 1.0];

impl DegreesData {
    /// What may be spent, or the split's own price.
    fn budget_rule(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let Some(budget) = self.budget.filter(|budget| plot.x.holds(*budget)) else {
            return;
        };
        let Rect { top, bottom, .. } = plot.area;
        let x = plot.x_at(budget);
        let (head, foot) = (point(x, top), point(x, bottom));
        pen.line(head, foot, stroke(pen.theme.ink_2, size::HAIRLINE_PX));
        pen.avoid(&[head, foot]);
        let what = if self.equal_price {
            "equal price"
        } else {
            "budget"
        };
        let words = format!("{what}, {}", format::dollars(budget));
        Label::lines([Words::note(words, pen.theme.ink_2)])
            .beside(x, 6.0, &[top + 6.0, bottom - 12.0], Side::Level)
            .write_in(pen, plot.area);
    }
}

fn name(
    pen: &mut Pen<'_>,
    plot: &Plot,
    Point { x, y }: Point,
    texts: &[String],
    ink: Colour,
    bold: bool,
) {
    let reach = if bold { 11.0 } else { 6.0 };
    let words = texts.iter().map(|text| {
        let words = Words::note(text.clone(), ink);
        if bold { words.bold() } else { words }
    });
    let label = Label::lines(words).at([
        spot(point(x, y + reach), Align::End, Side::Below),
        spot(point(x - 4.0, y + 2.2 * reach), Align::End, Side::Below),
        spot(point(x - 4.0, y + 3.6 * reach), Align::End, Side::Below),
        spot(point(x - reach, y - reach * 0.6), Align::End, Side::Above),
        spot(point(x + reach, y + reach * 0.6), Align::Start, Side::Below),
        spot(point(x, y - reach), Align::Middle, Side::Above),
        spot(point(x, y + reach), Align::Middle, Side::Below),
        spot(point(x + reach, y), Align::Start, Side::Level),
        spot(point(x - reach, y), Align::End, Side::Level),
    ]);
    let label = if bold { label.or_over_lines() } else { label };
    label.write_in(pen, plot.area);
}
