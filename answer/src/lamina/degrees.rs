//! "What does the budget buy?": price and throughput of Lamina deployments, and of colocated clusters with one
//! accelerator type.

use super::{SplitCase, TIMES};
use crate::chart::marks::CurveStroke;
use crate::chart::{At, Axis, Chart, Digits, DotInk, Ink, Rows, RuleInk, Words, Xy};
use crate::picture::scale::{extent, positive};
use crate::theme::{Series, size};
use crate::words::format;
use model_core::afd::decision::SAME;
use model_core::inputs::Number;
use model_core::lamina::alternative::best_of_size;
use model_core::lamina::search::{Candidate, SearchedDegrees, search, sizes};
use model_core::order::sort_by;

/// Name of the column with a Lamina deployment's compute devices.
pub const COMPUTE: &str = "compute devices";
/// Name of the column with a Lamina deployment's memory devices.
pub const MEMORY: &str = "memory devices";

const UNPRICED: &str = "no price source lists both accelerators; set both prices";
/// Positions on a line at which a point may get a label, as fractions of the last point's index.
const NAMED: [f64; 5] = [0.12, 0.35, 0.6, 0.85, 1.0];

/// One set of device counts: a Lamina deployment, or a colocated cluster without memory devices.
struct Degree {
    of: Candidate,
    /// True for the current scenario's device counts.
    now: bool,
    /// True for the colocated cluster with which the headline compares Lamina.
    compared: bool,
}

impl Degree {
    fn cluster(gpus: u32, dollars_per_hour: f64, (batch, tokens, users): (f64, f64, f64)) -> Self {
        let of = Candidate {
            compute_gpus: gpus,
            memory_gpus: 0,
            dollars_per_hour,
            batch,
            tokens,
            tokens_per_user: users,
            tokens_per_dollar: tokens * 3600.0 / dollars_per_hour,
        };
        Self {
            of,
            now: false,
            compared: false,
        }
    }

    const fn is_split(&self) -> bool {
        self.of.memory_gpus > 0
    }

    /// Returns the device counts as a label: `2 + 4` for Lamina, `4` for a colocated cluster.
    fn label(&self) -> String {
        match self.is_split() {
            true => format!("{} + {}", self.of.compute_gpus, self.of.memory_gpus),
            false => self.of.compute_gpus.to_string(),
        }
    }

    /// Returns device counts and device names, such as `2 × H100 + 4 × H20`. `times` is the text between a count and
    /// its device name.
    fn name(&self, times: &str, case: &SplitCase) -> String {
        match self.is_split() {
            true => case.named(times, self.of.compute_gpus, self.of.memory_gpus),
            false => format!("{}{times}{}", self.of.compute_gpus, case.compute_name()),
        }
    }

    const fn at(&self) -> (f64, f64) {
        (self.of.dollars_per_hour, self.of.tokens)
    }

    fn draws(&self) -> bool {
        let (price, tokens) = self.at();
        positive(price) && positive(tokens)
    }
}

/// Plots throughput vs. price for Lamina deployments and for colocated clusters. Both cost at most `BEYOND_BUDGET`
/// times the budget.
pub fn chart(case: &SplitCase) -> Chart {
    let setup = &case.setup;
    let found = case.budget.map_or_else(SearchedDegrees::default, |budget| {
        search(&case.at_speed, budget * super::BEYOND_BUDGET)
    });
    let own = (setup.compute_gpus, setup.memory_gpus);
    let split = |of: &Candidate| Degree {
        of: *of,
        now: (of.compute_gpus, of.memory_gpus) == own,
        compared: false,
    };
    let mut degrees: Vec<Degree> = found.candidates.iter().map(split).collect();
    degrees.extend(clusters(case));
    degrees.extend(compared(case));
    sort_by(&mut degrees, |a, b| {
        a.of.dollars_per_hour.total_cmp(&b.of.dollars_per_hour)
    });
    let devices = |of: &Degree, devices: u32| of.is_split().then_some(f64::from(devices));
    let rows = Rows::of(&degrees)
        .col("deployment", "", |of| of.name(TIMES, case))
        .col("price", "$/h", |of| of.of.dollars_per_hour)
        .tip(Digits::Dollars, "/h")
        .col("batch", "sequences", |of| of.of.batch)
        .tip(Digits::Count, " sequences")
        .col("throughput", "tokens/s", |of| of.of.tokens)
        .tip(Digits::Si, " tok/s")
        .col("interactivity", "tok/s/user", |of| of.of.tokens_per_user)
        .tip(Digits::Sig3, " tok/s/user")
        .col("tokens per dollar", "", |of| of.of.tokens_per_dollar)
        .tip(Digits::Si, "")
        .col(COMPUTE, "", |of| devices(of, of.of.compute_gpus))
        .unlisted()
        .col(MEMORY, "", |of| devices(of, of.of.memory_gpus))
        .unlisted()
        .titled(
            |of| of.name(TIMES, case),
            |of| if of.now { "now" } else { "" },
        );
    Chart {
        finding: finding(case, &found),
        source: "all device counts (a, b) tried, [L] Figure 11".into(),
        rows,
        plots: plot(case, &degrees).into_iter().collect(),
        empty: match case.budget {
            None => UNPRICED,
            Some(_) => "the model fits on no cluster within budget",
        }
        .into(),
        start: degrees.iter().position(|of| of.now),
        beside_px: [4.0, 0.0],
        ..Chart::default()
    }
}

/// Returns colocated clusters of compute accelerators within the chart's price range, except the cluster that the
/// headline compares with Lamina.
fn clusters(case: &SplitCase) -> Vec<Degree> {
    let (Some(budget), Some(price)) = (case.budget, case.setup.compute_price) else {
        return Vec::new();
    };
    if price <= 0.0 {
        return Vec::new();
    }
    let most = (budget * super::BEYOND_BUDGET / price).min(4096.0) as u32;
    sizes(most)
        .filter(|gpus| *gpus <= 8 || gpus.is_multiple_of((most / 24).max(1)))
        .filter(|gpus| {
            let other = case.other.as_ref();
            other.is_none_or(|other| other.scenario.cluster.gpus != *gpus)
        })
        .filter_map(|gpus| {
            let (scenario, of) = best_of_size(&case.at_speed, &case.setup, gpus)?;
            let serves = (scenario.workload.batch, of.tokens, of.tokens_per_user);
            Some(Degree::cluster(gpus, price * f64::from(gpus), serves))
        })
        .collect()
}

/// Returns the colocated cluster that the headline compares Lamina with.
fn compared(case: &SplitCase) -> Option<Degree> {
    let other = case.other.as_ref()?;
    let (scenario, of) = (&other.scenario, &other.evaluation);
    let serves = (scenario.workload.batch, of.tokens, of.tokens_per_user);
    let mut cluster = Degree::cluster(scenario.cluster.gpus, other.dollars_per_hour, serves);
    cluster.of.tokens_per_dollar = other.tokens_per_dollar();
    cluster.compared = true;
    Some(cluster)
}

/// Returns the indices of the rows of one type (Lamina or colocated) whose throughput exceeds that of every cheaper
/// row, cheapest first.
fn best(degrees: &[Degree], split: bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..degrees.len())
        .filter(|row| degrees[*row].is_split() == split && degrees[*row].draws())
        .collect();
    sort_by(&mut order, |a, b| {
        let (a, b) = (&degrees[*a].of, &degrees[*b].of);
        let price = a.dollars_per_hour.total_cmp(&b.dollars_per_hour);
        price.then(b.tokens.total_cmp(&a.tokens))
    });
    let mut most = 0.0;
    order.retain(|row| {
        let tokens = degrees[*row].of.tokens;
        let better = tokens > most * (1.0 + 1e-9);
        most = if better { tokens } else { most };
        better
    });
    order
}

fn plot(case: &SplitCase, degrees: &[Degree]) -> Option<Xy> {
    let lines = [best(degrees, false), best(degrees, true)];
    let marked = |is: fn(&Degree) -> bool| {
        let row = degrees.iter().position(|of| is(of) && of.draws())?;
        Some((At::of(row, degrees[row].at()), &degrees[row]))
    };
    let (now, compared) = (marked(|of| of.now), marked(|of| of.compared));
    let points = now.iter().chain(&compared).map(|(_, of)| of.at());
    let drawn = lines.iter().flatten().map(|row| degrees[*row].at());
    let drawn: Vec<(f64, f64)> = drawn.chain(points).collect();
    if drawn.is_empty() {
        return None;
    }
    let prices = drawn.iter().map(|(price, _)| *price);
    let (least, dearest) = extent(prices.chain(case.budget));
    let (_, most) = extent(drawn.iter().map(|(_, tokens)| *tokens));
    let left = (least - 0.06 * (dearest - least)).max(0.0);
    let mut xy = Xy::new(
        Axis::linear("$/h", left, dearest * 1.04).written(Digits::Dollars),
        Axis::linear("tokens/s", 0.0, most * 1.15),
    );
    if let Some(budget) = case.budget {
        let what = match case.inputs.stated(Number::Budget) {
            None => "equal price",
            Some(_) => "budget",
        };
        let words = format!("{what}, {}", format::dollars(budget));
        xy.upright(budget, RuleInk::Hair(Ink::Soft))
            .says([Words::note(words, Ink::Soft)]);
    }
    let bold = |text: String| Words::note(text, Ink::Strong).bold();
    if let Some((at, of)) = now {
        let words = [of.name(" ", case), of.label()];
        xy.dot(at, DotInk::Now(true))
            .says(words.map(|name| bold(format!("now: {name}"))));
    }
    if let Some((at, of)) = compared {
        xy.dot(at, DotInk::Disc(4.8, Ink::Strong))
            .says([of.name(TIMES, case), of.label()].map(bold));
    }
    let rival = Ink::Series(Series::Second);
    let kinds = [
        (
            "colocated",
            CurveStroke::solid(Ink::Strong, size::CURVE_PX),
            Ink::Soft,
        ),
        ("Lamina", CurveStroke::solid(rival, 1.6), rival),
    ];
    for ((word, line, stop), best) in kinds.into_iter().zip(&lines) {
        let at = |row: &usize| At::of(*row, degrees[*row].at());
        xy.curve(best.iter().map(at), line)
            .says([Words::label(word, line.ink).bold()]);
        for share in NAMED {
            let place = (share * best.len().saturating_sub(1) as f64).round() as usize;
            let Some(row) = best.get(place) else { continue };
            let of = &degrees[*row];
            let long = (!of.is_split()).then(|| of.name(TIMES, case));
            xy.stop(at(row), line.ink).says(
                long.into_iter()
                    .chain([of.label()])
                    .map(|text| Words::note(text, stop)),
            );
        }
    }
    Some(xy)
}

/// Returns the chart's one-line finding: "30 H100 at $332/h serve more" or "16 + 32 is best at $332/h".
fn finding(case: &SplitCase, found: &SearchedDegrees) -> String {
    let Some(budget) = case.budget else {
        return "Prices missing".into();
    };
    let affordable = found
        .candidates
        .iter()
        .filter(|found| found.dollars_per_hour <= budget * (1.0 + 1e-9));
    let value = |found: &&Candidate| found.tokens_per_dollar;
    let best = affordable.reduce(|most, next| {
        if value(&next) > value(&most) {
            next
        } else {
            most
        }
    });
    let hourly = format::dollars(budget);
    let other = case.other.as_ref().map(|other| {
        let reached = other.tokens_per_dollar();
        (other.scenario.cluster.gpus, reached)
    });
    match (best, other) {
        (None, _) => format!("No cluster reaches {} tok/s/user", format::sig3(case.users)),
        (Some(best), Some((gpus, reached))) if value(&best) * SAME < reached => {
            format!("{gpus} {} at {hourly}/h serve more", case.compute_name())
        }
        (Some(best), _) => format!(
            "{} + {} is best at {hourly}/h",
            best.compute_gpus, best.memory_gpus
        ),
    }
}
