//! The chart "Which pool is the bottleneck?": capacity of each pool vs. demand.

use crate::chart::prelude::*;
use model_core::order::sort_by;
use model_core::service::miss::ReplicaWork;
use model_core::service::recipes::{RECIPES, Recipe};
use model_core::service::{Planner, Service};

/// Height of the chart; it is the same at any width.
pub const SHAPE: Shape = Shape::Px(284.0);

#[derive(Clone, Debug, PartialEq)]
struct Pool {
    name: &'static str,
    role: Role,
    replicas: f64,
    /// Number of GPUs in one replica of the pool.
    gpus: f64,
    /// Request rate that one replica can serve, in requests per second.
    rate: f64,
}

impl Pool {
    fn capacity(&self) -> f64 {
        self.replicas * self.rate
    }

    /// Returns the utilization of the pool: demand ÷ capacity.
    fn used(&self, rate: f64) -> f64 {
        rate / self.capacity()
    }

    fn tooltip(&self, rate: f64) -> Tooltip {
        let [replicas, gpus] = [self.replicas, self.gpus].map(format::count);
        let [each, all] = [self.rate, self.capacity()].map(format::si);
        let title = format!("{}: {replicas} × {gpus} GPUs", self.name);
        Tooltip::new(title, "", "replicas × req/s per replica vs. demand")
            .row("capacity per replica", format!("{each} req/s"))
            .row("total capacity", format!("{all} req/s"))
            .row("utilization", format::share(self.used(rate)))
    }
}

/// Returns the point of a published deployment on the plot of ratios: prompt ÷ output tokens, and prefill GPUs per
/// decode GPU.
const fn at_of(of: &Recipe) -> (f64, f64) {
    (of.prompt_per_output, of.prefill_per_decode)
}

enum Row<'a> {
    Pool(&'a Pool),
    Now((f64, f64)),
    Recipe(&'a Recipe),
    Line((f64, f64)),
}

impl Row<'_> {
    const fn name(&self) -> &'static str {
        match self {
            Self::Pool(pool) => pool.name,
            Self::Now(_) => "now",
            Self::Recipe(of) => of.name,
            Self::Line(_) => "line",
        }
    }

    const fn pool(&self) -> Option<&Pool> {
        match self {
            Self::Pool(pool) => Some(pool),
            _ => None,
        }
    }

    const fn ratio(&self) -> Option<(f64, f64)> {
        match self {
            Self::Pool(_) => None,
            Self::Now(pair) | Self::Line(pair) => Some(*pair),
            Self::Recipe(of) => Some(at_of(of)),
        }
    }

    fn tooltip(&self, rate: f64) -> Tooltip {
        let tip = match self {
            Self::Pool(pool) => return pool.tooltip(rate),
            Self::Recipe(of) => Tooltip::new(of.name, of.of, of.source.title),
            _ => Tooltip::new(self.name(), "", "both pools fully utilized"),
        };
        let (share, ratio) = self.ratio().unwrap_or_default();
        tip.row("prefill : decode GPUs", ratio_words(ratio))
            .row("prompt ÷ output", format::sig3(share))
    }
}

/// Builds the chart: the request rate that each pool can serve, and prefill GPUs per decode GPU vs. prompt ÷ output
/// tokens.
pub fn chart(planner: &Planner, service: &Service) -> Chart {
    let disaggregated = service.disaggregated.as_ref().ok();
    let replicas = service.aggregated.as_ref().ok();
    let apart = disaggregated.and_then(|of| {
        let loaded = of.loaded?;
        let bar = |name, role, replicas: u64, gpus, rate| Pool {
            name,
            role,
            replicas: replicas as f64,
            gpus: f64::from(gpus),
            rate,
        };
        let (one, other) = (&of.prefill, &of.decode);
        Some([
            bar(
                "prefill",
                Role::Prompts,
                loaded.prefill.replicas,
                one.gpus,
                one.rate(),
            ),
            bar(
                "decode",
                Role::Weights,
                loaded.decode.replicas,
                other.gpus,
                other.rate,
            ),
        ])
    });
    let together = replicas.and_then(|of| {
        Some(Pool {
            name: "aggregated",
            role: Role::Overhead,
            replicas: of.loaded?.pool.replicas as f64,
            gpus: f64::from(of.replica.gpus),
            rate: of.replica.rate,
        })
    });
    let loaded = disaggregated.and_then(|of| of.loaded);
    let finding = match (loaded, together.as_ref()) {
        (Some(loaded), _) => {
            let most = loaded.prefill.utilisation.max(loaded.decode.utilisation);
            let binds = match loaded.binds() {
                ReplicaWork::Prefill => "prefill",
                _ => "decode",
            };
            format!("the {binds} pool, {} utilized", format::share(most))
        }
        (None, _) => match (disaggregated, together.as_ref()) {
            (Some(of), _) => {
                format!(
                    "{} prefill GPUs per decode GPU",
                    format::sig3(of.gpus_ratio)
                )
            }
            (None, Some(_)) => "only aggregated is feasible".to_owned(),
            (None, None) => "neither is feasible".to_owned(),
        },
    };
    let pools: Vec<Pool> = apart.into_iter().flatten().chain(together).collect();
    let of = Pools {
        rate: service.demand.rate.unwrap_or(0.0),
        ratios: ratios(planner, service),
        now: disaggregated.map(|of| {
            let share = service.requests.prompt / service.requests.output;
            (share, of.gpus_ratio)
        }),
        bars: Vec::new(),
    };
    let line = of.ratios.iter().map(|pair| Row::Line(*pair));
    let rows: Vec<Row<'_>> = { pools.iter().map(Row::Pool) }
        .chain(of.now.map(Row::Now))
        .chain(RECIPES.iter().map(Row::Recipe))
        .chain(line)
        .collect();
    // Order of the hover targets: bars, published deployments, current scenario.
    let worth = |pool: &Pool| positive(pool.capacity());
    let draws = positive(of.rate) && pools.iter().all(worth);
    let bars = if draws { pools.len() } else { 0 };
    let ratios = pools.len() + usize::from(of.now.is_some());
    let hits = (0..bars)
        .chain(ratios..ratios + RECIPES.len())
        .chain(pools.len()..ratios);
    let hits: Vec<usize> = hits.filter(|row| of.now.is_some() || *row < bars).collect();
    let rows = Rows::of(&rows)
        .col("pool", "", Row::name)
        .col("replicas", "", |row| row.pool().map(|pool| pool.replicas))
        .col("GPUs each", "", |row| row.pool().map(|pool| pool.gpus))
        .col("req/s per replica", "req/s", |row| {
            row.pool().map(|pool| pool.rate)
        })
        .col("utilization", "", |row| {
            row.pool().map(|pool| pool.used(of.rate))
        })
        .col("prompt ÷ output", "", |row| row.ratio().map(|pair| pair.0))
        .col("prefill GPUs per decode GPU", "", |row| {
            row.ratio().map(|pair| pair.1)
        })
        .telling(|row| row.tooltip(of.rate));
    let bars = if draws { pools } else { Vec::new() };
    let painter = (!hits.is_empty()).then(|| Own::new(Pools { bars, ..of }, hits));
    Chart {
        finding,
        rows,
        own: painter,
        empty: "no feasible replica".into(),
        shape: SHAPE,
        ..Chart::default()
    }
}

/// Number of steps on the curve of GPU ratios. The values of prompt ÷ output tokens are evenly spaced on a log axis
/// over three decades.
const SHARES: u32 = 12;

/// Returns prefill GPUs per decode GPU vs. prompt ÷ output tokens as a curve, for the pools of a service.
fn ratios(planner: &Planner, service: &Service) -> Vec<(f64, f64)> {
    if service.disaggregated.is_err() {
        return Vec::new();
    }
    let output = service.requests.output;
    let at = |index| libm::pow(10.0, 3.0 * f64::from(index) / f64::from(SHARES) - 1.0);
    let own = service.requests.prompt / output;
    let mut shares: Vec<f64> = (0..=SHARES).map(at).chain([own]).collect();
    sort_by(&mut shares, f64::total_cmp);
    let ratio = |share: f64| Some((share, planner.ratio_at(share * output, service)?));
    shares.into_iter().filter_map(ratio).collect()
}

/// A chart of two parts: the bars of the pools above the plot of GPU ratios.
#[derive(Clone, Debug, PartialEq)]
struct Pools {
    bars: Vec<Pool>,
    /// Request rate to be served, in requests per second.
    rate: f64,
    /// Points of the curve, in ascending order: prompt ÷ output tokens, and prefill GPUs per decode GPU.
    ratios: Vec<(f64, f64)>,
    /// The current scenario's point on the plot of ratios: prompt ÷ output tokens, and prefill GPUs per decode GPU.
    now: Option<(f64, f64)>,
}

const NAMES_PX: f64 = 78.0;
/// Height of the demand label above the bars, in px.
const ABOVE_PX: f64 = 20.0;
const LANE_PX: f64 = 25.0;
/// Height of the axis names between the bars and the plot of ratios, in px; `AXIS_PX` is the height of the axis below
/// that plot.
const BETWEEN_PX: f64 = 34.0;
const AXIS_PX: f64 = 34.0;
/// Maximum number of replicas that are drawn one by one in a bar.
const SEEN: f64 = 40.0;
/// Maximum fraction of the width that is used for the text after the bars.
const WORDS: f64 = 0.5;

fn ratio_words(ratio: f64) -> String {
    match ratio >= 1.0 {
        true => format!("{} : 1", format::sig3(ratio)),
        false => format!("1 : {}", format::sig3(1.0 / ratio)),
    }
}

impl Painter for Pools {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let bars = self.bars.len() as f64;
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
}

impl Pools {
    fn says(&self, pool: &Pool) -> [String; 3] {
        let used = format::share(pool.used(self.rate));
        let sum = format!(
            "{} × {} = {}",
            format::count(pool.replicas),
            format::si(pool.rate),
            format::si(pool.capacity())
        );
        [
            format!("{sum}, {used} utilized"),
            format!("{used} utilized"),
            used,
        ]
    }

    /// Draws the bars of the pools, each followed by its text. Returns the hover targets of the bars.
    fn draw_bars(&self, pen: &mut Pen<'_>, area: Rect) -> Vec<HitArea> {
        let bars = &self.bars;
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
        let (_, most) = extent(bars.iter().map(Pool::capacity));
        // Limit the axis: the capacity of a barely utilized pool is far beyond the demand.
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
            let unit = Words::tick("req/s", pen.theme.ink_3);
            pen.write_if_free(&unit, point(0.0, area.top - 5.0), Align::Start, None);
        }
        boxes.into_iter().map(HitArea::Box).collect()
    }

    /// Draws the curve of GPU ratios, and the current and the published ratios as points. Returns their hover
    /// targets.
    fn draw_ratios(&self, pen: &mut Pen<'_>, area: Rect) -> Vec<HitArea> {
        let points = RECIPES.iter().map(at_of);
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
        let mut xy = Xy::on(&plot);
        if line.len() > 1 {
            xy.curve(
                line.into_iter().map(At::new),
                CurveStroke::solid(Ink::Strong, size::CURVE_PX),
            );
        }
        if let Some(now) = self.now.filter(|now| worth(&now)) {
            let words = format!("now {}", ratio_words(now.1));
            xy.dot(At::new(now), DotInk::Now(true))
                .says([Words::label(words, Ink::Strong).bold()]);
        }
        // Draw points from left to right, the upper of two first, so that each label has space next to its point.
        let mut recipes = RECIPES;
        sort_by(&mut recipes, |one, other| {
            let (one, other) = (at_of(one), at_of(other));
            one.0.total_cmp(&other.0).then(other.1.total_cmp(&one.1))
        });
        for recipe in recipes {
            xy.dot(At::new(at_of(&recipe)), DotInk::Diamond(Ink::Accent))
                .says([Words::tick(recipe.name, Ink::Soft)]);
        }
        xy.draw(pen, &plot, false);
        let places = points.iter().map(|(x, y)| HitArea::Point(plot.at(*x, *y)));
        places.collect()
    }
}
