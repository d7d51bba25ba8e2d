//! "What does the budget buy?": Lamina and the best cluster of one accelerator, by price and throughput.

use crate::charts::prelude::*;
use crate::order::sort_by;

#[derive(Clone, Debug, PartialEq)]
pub struct DegreesData {
    /// Splits and homogeneous clusters, by price.
    pub degrees: Vec<Degree>,
    /// US dollars per hour that may be spent.
    pub budget: Option<f64>,
    /// The budget is the split's own price.
    pub equal_price: bool,
    pub finding: String,
    /// The reason for an empty chart.
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
    /// The scenario's own split.
    pub now: bool,
    /// The cluster that the headline compares with.
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
        si_axes(pen, &plot, "tokens/s", "$ per hour");
        let (theme, ink) = (pen.theme, pen.theme.ink_1);
        let at = |of: &Degree| (of.dollars_per_hour, of.tokens_per_s);
        let mut xy = Xy::new(plot);
        if let Some(budget) = self.budget {
            let what = match self.equal_price {
                true => "equal price",
                false => "budget",
            };
            let words = format!("{what}, {}", format::dollars(budget));
            xy.upright(budget, RuleInk::Hair(theme.ink_2))
                .says([Words::note(words, theme.ink_2)]);
        }
        let bold = |text: String| Words::note(text, ink).bold();
        let now = drawn.iter().position(|of| of.now);
        if let Some(own) = now.map(|now| drawn[now]) {
            let words = [own.name.replace(" × ", " "), own.label.clone()];
            xy.dot(at(own), DotInk::Now(true))
                .says(words.map(|name| bold(format!("now: {name}"))));
        }
        if let Some(other) = drawn.iter().find(|of| of.compared) {
            xy.dot(at(other), DotInk::Disc(4.8, ink))
                .says([&other.name, &other.label].map(|name| bold(name.clone())));
        }
        let rival = theme.series(Series::Second);
        for (split, word, line, text, stop) in [
            (
                false,
                "colocated",
                CurveStroke::solid(ink, size::CURVE_PX),
                ink,
                theme.ink_2,
            ),
            (
                true,
                "Lamina",
                CurveStroke::solid(rival.line, 1.6),
                rival.text,
                rival.text,
            ),
        ] {
            let best = self.best(split);
            xy.curve(best.iter().map(|of| at(of)), line)
                .says([Words::label(word, text).bold()]);
            for share in NAMED {
                let index = (share * best.len().saturating_sub(1) as f64).round() as usize;
                if let Some(of) = best.get(index) {
                    let colocated = (!split).then_some(&of.name).into_iter();
                    let words = colocated.chain([&of.label]);
                    xy.stop(at(of), line.ink)
                        .says(words.map(|text| Words::note(text.clone(), stop)));
                }
            }
        }
        xy.draw(pen);
        Hits::values(&plot, drawn.into_iter().map(at)).starting_at(now)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        columns(&self.degrees).done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let of = *self.drawn().get(index)?;
        let tip = Tooltip::new(&of.name, if of.now { "now" } else { "" }, &self.source)
            .across(format::dollars(of.dollars_per_hour))
            .rows(columns([of]).tips());
        Some(tip)
    }
}

fn columns<'a>(of: impl IntoIterator<Item = &'a Degree>) -> Columns<&'a Degree> {
    Table::of(of)
        .col("deployment", "", |of| of.name.clone())
        .col("price", "$/h", |of| of.dollars_per_hour)
        .tip(|price| format!("{} per hour", format::dollars(price)))
        .col("batch", "sequences", |of| of.batch)
        .tip(points::sequences)
        .col("throughput", "tokens/s", |of| of.tokens_per_s)
        .tip(|rate| format!("{} tok/s", format::si(rate)))
        .col("interactivity", "tokens/s per user", |of| {
            of.tokens_per_s_per_user
        })
        .tip(points::per_user)
        .col("tokens per dollar", "", |of| of.tokens_per_dollar)
        .tip(format::si)
}

/// Shares of a line's points that are named.
const NAMED: [f64; 5] = [0.12, 0.35, 0.6, 0.85, 1.0];
