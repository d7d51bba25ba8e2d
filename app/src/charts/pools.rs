//! "Which pool binds?": the rate that each pool could serve beside the demand.

use crate::charts::prelude::*;
use crate::order::sort_by;

#[derive(Clone, Debug, PartialEq)]
pub struct PoolsData {
    /// Prefill, decode, aggregated replicas.
    pub pools: Vec<PoolBar>,
    /// Requests per second that arrive.
    pub rate: f64,
    /// GPUs of prefill per GPU of decode over prompt ÷ output, as pairs ascending.
    pub ratios: Vec<(f64, f64)>,
    /// The pair of the scenario.
    pub now: Option<(f64, f64)>,
    /// Published ones.
    pub recipes: Vec<PoolRecipe>,
    pub finding: String,
    pub source: String,
}

/// A published ratio of pools.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolRecipe {
    pub name: &'static str,
    /// Model, accelerator and replicas.
    pub of: &'static str,
    /// Prompt ÷ output, and GPUs of prefill per GPU of decode.
    pub at: (f64, f64),
    pub source: &'static str,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PoolBar {
    pub name: &'static str,
    pub role: Role,
    pub replicas: f64,
    /// GPUs of each replica.
    pub gpus: f64,
    /// Requests per second of each replica.
    pub rate: f64,
}

impl PoolBar {
    fn capacity(&self) -> f64 {
        self.replicas * self.rate
    }
}

const HEIGHT_PX: f64 = 284.0;
const NAMES_PX: f64 = 78.0;
/// The demand's name above the bars.
const ABOVE_PX: f64 = 20.0;
const LANE_PX: f64 = 25.0;
/// The axes' names between the bars and the ratios, and the axis below.
const BETWEEN_PX: f64 = 34.0;
const AXIS_PX: f64 = 34.0;
/// Replicas up to which each is seen.
const SEEN: f64 = 40.0;
/// The share of the width that words after bars may take.
const WORDS: f64 = 0.5;

/// "10 : 1", "1 : 4".
fn ratio_words(ratio: f64) -> String {
    match ratio >= 1.0 {
        true => format!("{} : 1", format::sig3(ratio)),
        false => format!("1 : {}", format::sig3(1.0 / ratio)),
    }
}

impl PoolsData {
    /// Bars to be drawn: none without a rate.
    fn bars(&self) -> &[PoolBar] {
        let worth = |pool: &PoolBar| positive(pool.capacity());
        match positive(self.rate) && self.pools.iter().all(worth) {
            true => &self.pools,
            false => &[],
        }
    }

    /// Used of demand over capacity.
    fn used(&self, pool: &PoolBar) -> f64 {
        self.rate / pool.capacity()
    }

    fn says(&self, pool: &PoolBar) -> [String; 3] {
        let used = format::share(self.used(pool));
        let sum = format!(
            "{} × {} = {}",
            format::count(pool.replicas),
            format::si(pool.rate),
            format::si(pool.capacity())
        );
        [format!("{sum}, {used} used"), format!("{used} used"), used]
    }

    /// Bars with the words after them; their hits.
    fn draw_bars(&self, pen: &mut Pen<'_>, area: Rect) -> Vec<HitArea> {
        let bars = self.bars();
        let said: Vec<[Words; 3]> = bars
            .iter()
            .map(|pool| {
                self.says(pool)
                    .map(|text| Words::tick(text, pen.theme.ink_2))
            })
            .collect();
        let widest = |wording: usize| {
            let widths = said.iter().map(|says| pen.width(&says[wording]));
            widths.fold(0.0, f64::max) + 10.0
        };
        let room = area.width() * WORDS;
        let wording = (0..2).find(|wording| widest(*wording) <= room).unwrap_or(2);
        let right = (area.right - widest(wording)).max(area.left + 1.0);
        let (_, most) = extent(bars.iter().map(PoolBar::capacity));
        // A pool that is hardly used reaches far beyond the demand.
        let end = most.min(3.0 * self.rate).max(1.05 * self.rate);
        let plot = Plot::new(
            area.across(area.left, right),
            Scale::linear(0.0, end),
            Scale::linear(0.0, 1.0),
        );
        let mut boxes = Vec::new();
        for (index, (pool, says)) in bars.iter().zip(said).enumerate() {
            let top = area.top + LANE_PX * index as f64 + 3.0;
            let row = rect(area.left, top, right, top + LANE_PX - 7.0);
            lanes::name(pen, &row, &Words::tick(pool.name, pen.theme.ink_1));
            let whole = row.across(area.left, plot.x_at(pool.capacity().min(end)));
            let used = row.across(area.left, plot.x_at(self.rate.min(pool.capacity())));
            marks::idle(pen, whole, 0.0);
            lanes::stretch(pen, used, pool.role, 0.0);
            let replicas = if pool.replicas <= SEEN {
                pool.replicas
            } else {
                1.0
            };
            let mut at = pool.rate;
            for _ in 1..replicas as u32 {
                if at < end {
                    let x = plot.x_at(at);
                    let seam = [point(x, row.top), point(x, row.bottom)];
                    pen.line(seam[0], seam[1], hair(pen.theme.background));
                }
                at += pool.rate;
            }
            let after = point(whole.right + 8.0, row.centre().y);
            pen.write_about(&says[wording], after, Align::Start, None);
            boxes.push(whole);
        }
        pen.seam();
        if let (Some(first), Some(last)) = (boxes.first(), boxes.last()) {
            let x = plot.x_at(self.rate);
            let ink = stroke(pen.theme.ink_1, 1.5);
            pen.line(point(x, first.top - 3.0), point(x, last.bottom + 3.0), ink);
            let words = Words::label(format!("demand {}", format::si(self.rate)), pen.theme.ink_1);
            tick_label(pen, &words.bold(), x, area.top - 5.0);
            let unit = Words::tick("requests/s", pen.theme.ink_3);
            pen.write_if_free(&unit, point(0.0, area.top - 5.0), Align::Start, None);
        }
        boxes.into_iter().map(HitArea::Box).collect()
    }

    /// The line of ratios, the scenario's own and published ones; their hits.
    fn draw_ratios(&self, pen: &mut Pen<'_>, area: Rect) -> Vec<HitArea> {
        let points = self.recipes.iter().map(|of| of.at);
        let points: Vec<(f64, f64)> = points.chain(self.now).collect();
        let worth = |(x, y): &&(f64, f64)| positive(*x) && positive(*y);
        let line: Vec<(f64, f64)> = self.ratios.iter().filter(worth).copied().collect();
        let every = || points.iter().chain(&line).filter(worth);
        let (left, right) = extent(every().map(|(x, _)| *x));
        let (low, high) = extent(every().map(|(_, y)| *y));
        let decade = |value: f64, round: fn(f64) -> f64| libm::pow(10.0, round(libm::log10(value)));
        let plot = Plot::new(
            area,
            Scale::log(left.min(0.1), right.max(100.0)),
            Scale::log(
                decade(low, libm::floor).min(0.1),
                decade(high, libm::ceil).max(10.0),
            ),
        );
        let decades = std::iter::successors(Some(1e-9), |at| Some(at * 10.0));
        let held = decades.take(19).filter(|at| {
            let (low, high) = (plot.y.low() * 0.999, plot.y.high() * 1.001);
            (low..=high).contains(at)
        });
        let name = "prefill GPUs per decode GPU, log; ◇ published";
        let said = |at: f64| match at >= 1.0 {
            true => format!("{} : 1", format::printed(at)),
            false => format!("1 : {}", format::printed((1.0 / at).round())),
        };
        let axis = Axis::of(pen, held, said, name);
        y_axis(pen, &plot, &axis, area.top - 9.0);
        si_x_axis(pen, &plot, "prompt ÷ output tokens, log");
        let ink = pen.theme.ink_1;
        let mut xy = Xy::new(plot);
        if line.len() > 1 {
            xy.curve(line, CurveStroke::solid(ink, size::CURVE_PX));
        }
        if let Some(now) = self.now.filter(|now| worth(&now)) {
            let words = format!("now {}", ratio_words(now.1));
            xy.dot(now, DotInk::Now(true))
                .says([Words::label(words, ink).bold()]);
        }
        // From the left, the upper of two first, so that each label finds room beside its own.
        let mut recipes: Vec<_> = self.recipes.iter().collect();
        sort_by(&mut recipes, |one, other| {
            let across = one.at.0.total_cmp(&other.at.0);
            across.then(other.at.1.total_cmp(&one.at.1))
        });
        for recipe in recipes {
            xy.dot(recipe.at, DotInk::Diamond(pen.theme.accent))
                .says([Words::tick(recipe.name, pen.theme.ink_2)]);
        }
        xy.draw(pen);
        let places = points.iter().map(|(x, y)| HitArea::Point(plot.at(*x, *y)));
        places.collect()
    }
}

/// A row of the table: a pool, or a ratio of pools.
enum Row<'a> {
    Pool(&'a PoolBar),
    Ratio(&'a str, (f64, f64)),
}

impl Row<'_> {
    const fn pool(&self) -> Option<&PoolBar> {
        match self {
            Self::Pool(pool) => Some(pool),
            Self::Ratio(..) => None,
        }
    }

    const fn ratio(&self) -> Option<(f64, f64)> {
        match self {
            Self::Pool(_) => None,
            Self::Ratio(_, pair) => Some(*pair),
        }
    }
}

impl Figure for PoolsData {
    /// Hits are the bars, the published recipes, and now.
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let bars = self.bars().len() as f64;
        if bars < 1.0 && self.now.is_none() {
            let area = plot_area(&pen.canvas, NAMES_PX, ABOVE_PX);
            return nothing_to_show(pen, &area, "no replica serves these requests");
        }
        let canvas = pen.canvas;
        let right = canvas.right.max(NAMES_PX + 1.0);
        let above = if bars > 0.0 { ABOVE_PX } else { 0.0 };
        let top = canvas.top + above;
        let bars = rect(NAMES_PX, top, right, top + LANE_PX * bars);
        let mut reaches = self.draw_bars(pen, bars);
        if self.now.is_some() {
            let bottom = (canvas.bottom - AXIS_PX).max(bars.bottom + BETWEEN_PX + 1.0);
            let area = rect(NAMES_PX, bars.bottom + BETWEEN_PX, right - 8.0, bottom);
            reaches.extend(self.draw_ratios(pen, area));
        }
        Hits::new(reaches)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let pools = self.pools.iter().map(Row::Pool);
        let now = self.now.map(|now| Row::Ratio("now", now));
        let recipes = self.recipes.iter().map(|of| Row::Ratio(of.name, of.at));
        let line = self.ratios.iter().map(|pair| Row::Ratio("line", *pair));
        let rows: Vec<Row<'_>> = pools.chain(now).chain(recipes).chain(line).collect();
        Table::of(&rows)
            .col("pool", "", |row| match row {
                Row::Pool(pool) => pool.name,
                Row::Ratio(name, _) => name,
            })
            .col("replicas", "", |row| row.pool().map(|pool| pool.replicas))
            .col("GPUs each", "", |row| row.pool().map(|pool| pool.gpus))
            .col("rate each", "requests/s", |row| {
                row.pool().map(|pool| pool.rate)
            })
            .col("used", "", |row| row.pool().map(|pool| self.used(pool)))
            .col("prompt ÷ output", "", |row| row.ratio().map(|pair| pair.0))
            .col("prefill GPUs per decode GPU", "", |row| {
                row.ratio().map(|pair| pair.1)
            })
            .done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let bars = self.bars();
        let Some(pool) = bars.get(index) else {
            let recipe = self.recipes.get(index - bars.len());
            let (share, ratio) = recipe.map(|of| of.at).or(self.now)?;
            let tip = match recipe {
                Some(of) => Tooltip::new(of.name, of.of, of.source),
                None => Tooltip::new("now", "", "both pools fully used"),
            };
            return Some(
                tip.row("prefill : decode GPUs", ratio_words(ratio))
                    .row("prompt ÷ output", format::sig3(share)),
            );
        };
        let title = format!(
            "{}: {} × {} GPUs",
            pool.name,
            format::count(pool.replicas),
            format::count(pool.gpus)
        );
        let tip = Tooltip::new(title, "", &self.source)
            .row(
                "each serves",
                format!("{} requests/s", format::si(pool.rate)),
            )
            .row(
                "all serve",
                format!("{} requests/s", format::si(pool.capacity())),
            )
            .row("used", format::share(self.used(pool)));
        Some(tip)
    }

    fn height_px(_width_px: f64) -> f64 {
        HEIGHT_PX
    }
}
