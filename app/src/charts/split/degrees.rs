//! "What does the budget buy?": Lamina and the best cluster of one accelerator, by price and throughput.

use crate::charts::prelude::*;
use crate::order::sort_by;

#[derive(Clone, Debug, PartialEq)]
pub struct DegreesData {
    /// Splits and homogeneous clusters, by price.
    pub degrees: Vec<Degree>,
    /// US dollars per hour that may be spent.
    pub budget: Option<f64>,
    /// Whether that is the split's own price.
    pub equal_price: bool,
    pub finding: String,
    /// Why there is nothing to show, where there is nothing.
    pub nothing: String,
    pub source: String,
}

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
    /// Whether it is the cluster that the headline compares with.
    pub compared: bool,
    pub dollars_per_hour: f64,
    pub batch: f64,
    pub tokens_per_s: f64,
    pub tokens_per_s_per_user: f64,
    pub tokens_per_dollar: f64,
}

impl DegreesData {
    /// Points in the order of hits: splits, then clusters, that nothing cheaper of their kind beats, and those compared.
    pub fn drawn(&self) -> Vec<&Degree> {
        let mut drawn = self.best(true);
        drawn.extend(self.best(false));
        let compared = self.degrees.iter().filter(|of| of.now || of.compared);
        for degree in compared.filter(|degree| self.draws(degree)) {
            if !drawn.iter().any(|known| std::ptr::eq(*known, degree)) {
                drawn.push(degree);
            }
        }
        drawn
    }

    fn draws(&self, degree: &Degree) -> bool {
        positive(degree.dollars_per_hour) && positive(degree.tokens_per_s)
    }

    /// Those that nothing cheaper of their kind beats, cheapest first.
    fn best(&self, split: bool) -> Vec<&Degree> {
        let mut order: Vec<&Degree> = self
            .degrees
            .iter()
            .filter(|degree| degree.split.is_some() == split && self.draws(degree))
            .collect();
        sort_by(&mut order, |a, b| {
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
            return nothing_to_show(pen, &area, &self.nothing);
        }
        let prices = drawn.iter().map(|degree| degree.dollars_per_hour);
        let (least, dearest) = extent(prices.chain(self.budget));
        let (_, most) = extent(drawn.iter().map(|degree| degree.tokens_per_s));
        let x = Scale::linear((least - 0.06 * (dearest - least)).max(0.0), dearest * 1.04);
        let plot = Plot::new(area, x, Scale::linear(0.0, most * 1.15));
        let at = |degree: &Degree| plot.at(degree.dollars_per_hour, degree.tokens_per_s);
        si_axes(pen, &plot, "tokens/s", "$ per hour");
        let rule = self.budget_rule(&plot);
        if let Some((rule, _)) = rule {
            marks::rule(pen, rule, hair(pen.theme.ink_2));
        }
        let (ink, rival) = (pen.theme.ink_1, *pen.theme.series(Series::Second));
        let kinds = [(false, ink, size::CURVE_PX), (true, rival.line, 1.6)];
        for (split, line_ink, width) in kinds {
            let best = self.best(split);
            marks::solid(pen, best.into_iter().map(at), line_ink, width);
        }
        if let Some(([head, foot], words)) = rule {
            let heights = [head.y + 6.0, foot.y - 12.0];
            Label::lines([Words::note(words, pen.theme.ink_2)])
                .beside(head.x, 6.0, &heights, Side::Level)
                .write_in(pen, area);
        }
        let now = drawn.iter().position(|degree| degree.now);
        let own = now.map(|now| drawn[now]);
        let other = drawn.iter().find(|degree| degree.compared);
        let mut named: Vec<(&Degree, bool)> = Vec::new();
        pen.seam();
        for (split, line_ink, _) in kinds {
            let best = self.best(split);
            for share in NAMED {
                let index = (share * (best.len().saturating_sub(1)) as f64).round() as usize;
                let Some(degree) = best.get(index) else {
                    continue;
                };
                let near = |other: &Degree| at(other).distance(at(degree)) < 34.0;
                let important = drawn.iter().any(|of| (of.now || of.compared) && near(of));
                if !important && !named.iter().any(|(other, _)| near(other)) {
                    marks::stop(pen, at(degree), 3.0, stroke(line_ink, 1.3), 4.0);
                    named.push((degree, split));
                }
            }
        }
        if let Some(other) = other {
            pen.disc(at(other), 4.8, ink);
            pen.reserve(Rect::about(at(other), 6.0));
        }
        if let Some(own) = own {
            pen.now(at(own), true);
            pen.reserve(Rect::about(at(own), 9.0));
            let name = own.name.replace(" × ", " ");
            let words = [name, own.label.clone()].map(|name| format!("now: {name}"));
            name_important(pen, area, at(own), words);
        }
        if let Some(other) = other {
            let words = [other.name.clone(), other.label.clone()];
            name_important(pen, area, at(other), words);
        }
        for (split, word, text_ink) in [(false, "colocated", ink), (true, "Lamina", rival.text)] {
            let line: Vec<Point> = self.best(split).into_iter().map(at).collect();
            Label::lines([Words::label(word, text_ink).bold()])
                .along(&line, &[0.9, 0.75, 0.6, 0.45], &[NW(0, 12), SE(0, 12)])
                .write_in(pen, area);
        }
        for (degree, split) in named {
            let grey = if split { rival.text } else { pen.theme.ink_2 };
            let colocated = (!split).then_some(&degree.name).into_iter();
            let words = colocated.chain([&degree.label]);
            let words = words.map(|text| Words::note(text.clone(), grey));
            name(Label::lines(words), at(degree), 6).write_in(pen, area);
        }
        Hits::points(drawn.iter().map(|degree| at(degree)))
            .on(&plot)
            .starting_at(now)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        Table::of(&self.degrees)
            .col("deployment", "", |of| of.name.clone())
            .col("price", "$/h", |of| of.dollars_per_hour)
            .col("batch", "sequences", |of| of.batch)
            .col("throughput", "tokens/s", |of| of.tokens_per_s)
            .col("interactivity", "tokens/s per user", |of| {
                of.tokens_per_s_per_user
            })
            .col("tokens per dollar", "", |of| of.tokens_per_dollar)
            .done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let of = *self.drawn().get(index)?;
        let price = format!("{} per hour", format::dollars(of.dollars_per_hour));
        let user = format!("{} tok/s/user", format::sig3(of.tokens_per_s_per_user));
        let tokens = format!("{} tok/s", format::si(of.tokens_per_s));
        let tip = Tooltip::new(&of.name, if of.now { "now" } else { "" }, &self.source)
            .across(format::dollars(of.dollars_per_hour))
            .row("price", price)
            .row("throughput", tokens)
            .row("interactivity", user)
            .row("tokens per dollar", format::si(of.tokens_per_dollar))
            .row("batch", format!("{} sequences", format::count(of.batch)));
        Some(tip)
    }
}

/// Where along a line points are named.
const NAMED: [f64; 5] = [0.12, 0.35, 0.6, 0.85, 1.0];

impl DegreesData {
    /// What may be spent, or the split's own price, and its words.
    fn budget_rule(&self, plot: &Plot) -> Option<([Point; 2], String)> {
        let budget = self.budget.filter(|budget| plot.x.holds(*budget))?;
        let what = match self.equal_price {
            true => "equal price",
            false => "budget",
        };
        let words = format!("{what}, {}", format::dollars(budget));
        Some((plot.upright(budget), words))
    }
}

/// Now, or what it is compared with.
fn name_important(pen: &mut Pen<'_>, area: Rect, at: Point, texts: [String; 2]) {
    let words = texts.map(|text| Words::note(text, pen.theme.ink_1).bold());
    let label = name(Label::lines(words), at, 11);
    label.write_over(pen, area);
}

/// A label about a point of a rising curve.
fn name(label: Label, at: Point, reach: i8) -> Label {
    let (r, half) = (reach, reach / 2);
    label
        .near(
            at,
            &[SW(4, r), SE(4, r), SW(4, 2 * r), SW(4, 4 * r), NW(r, half)],
        )
        .near(at, &[SE(r, half), N(0, r), S(0, r), E(r, 0), W(r, 0)])
}
