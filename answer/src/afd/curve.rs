//! The chart "Which A:F ratio?": throughput and idle time for each A:F split. A split divides GPUs or ranks between
//! attention and the FFN.

use super::decision::{self, Decision};
use super::{EvaluatedUnit, Stated};
use crate::chart::marks::CurveStroke;
use crate::chart::{
    At, Axis, Chart, Digits, DotInk, Ink, Rows, RuleInk, SHARED_BETWEEN_PX, Ticks, Words, Xy,
};
use crate::picture::scale::extent;
use crate::theme::{Role, size};
use crate::words::format;
use model_core::afd::own::AfdUnit;
use model_core::afd::ratio::{RatioPoint as Point, Regime};
use model_core::inputs::{Inputs, Number};
use model_core::order::sort_numbers;
use worker::simulate::{SimulateAnswer, Simulated};

/// The chart "Which A:F ratio?", the inputs that a click on each of its points sets, and the simulated throughput of
/// the current A:F ratio.
pub struct RatioChart {
    pub chart: Chart,
    pub asks: Asks,
    pub simulated: Option<f64>,
}

/// Builds the chart of throughput and idle time vs. A:F ratio. `simulated` must be the simulation of the inputs in
/// `case`.
pub fn ratio(case: &EvaluatedUnit, simulated: Option<&SimulateAnswer>) -> RatioChart {
    let own = case.decision.as_ref();
    let own = own.and_then(|decision| Some((decision, decision.asked.as_ref()?)));
    let (splits, asks) = match own {
        Some((decision, asked)) => divisions(case, decision, asked, simulated),
        None => open(case, simulated),
    };
    let now = splits.now.simulated.as_ref();
    RatioChart {
        simulated: now.map(Simulation::rate),
        chart: splits.chart(),
        asks: Asks::of(case.inputs, asks),
    }
}

/// The A:F split that a click on a point selects.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ask {
    Best,
    /// The number of GPUs for attention and the number of GPUs for the FFN.
    Divided(u32, u32),
    /// The A:F ratio of an xAyF unit with entered latencies.
    Ratio(f64),
}

/// The inputs that a click on each point of the A:F ratio chart sets, computed on demand.
#[derive(Debug, Clone, PartialEq)]
pub struct Asks {
    inputs: Inputs,
    points: Vec<Ask>,
}

impl Asks {
    const fn of(inputs: Inputs, points: Vec<Ask>) -> Self {
        Self { inputs, points }
    }

    /// Returns the inputs that a click on chart point `index` sets; `None` if there is no such point.
    pub fn get(&self, index: usize) -> Option<Stated> {
        self.points.get(index).map(|ask| stated(&self.inputs, *ask))
    }
}

fn stated(inputs: &Inputs, ask: Ask) -> Stated {
    let ratio = match ask {
        Ask::Best => None,
        Ask::Divided(attention, ffn) => decision::ratio_of(inputs, attention, ffn).map(four_digits),
        Ask::Ratio(ratio) => Some(three_digits(ratio)),
    };
    vec![(Number::Ratio, ratio)]
}

/// Number of intervals between sampled A:F ratios, if latencies are entered instead of derived from GPUs.
const SAMPLES: u32 = 96;
const SOURCE: &str = "[R] eqs 5, 6 and 19; simulation as in [R] 5.1";
const OWN_SOURCE: &str = "two micro-batches in flight; each split at its best number of sequences per micro-batch \
    and rank; simulation as in [R] 5.1";
const HEADROOM: f64 = 1.1;
/// Fraction of the chart's height for the throughput plot; the idle-time plot gets the remainder.
const UPPER: f64 = 0.58;
/// Difference between the idle-time fractions of attention and the FFN below which only one of the two is labeled.
const ALIKE: f64 = 0.06;
/// Throughput unit: alone, and as a suffix to a number.
const PER_GPU: [&str; 2] = ["tok/s/GPU", " tok/s/GPU"];
const PER_RANK: [&str; 2] = ["tok/s/rank", " tok/s/rank"];

struct Split<'a> {
    /// Position on the horizontal axis: attention GPUs, or attention ranks per FFN rank.
    at: f64,
    /// Label of the A:F split: "32 : 40" in GPUs, or "9.32 : 1" in ranks.
    name: String,
    /// Sequences per attention rank in one micro-batch.
    slots: f64,
    /// Throughput in the chart's unit, tok/s/GPU or tok/s/rank.
    rate: f64,
    point: Point,
    simulated: Option<Simulation<'a>>,
}

/// A simulated A:F split. The factor and the divisor convert throughput per rank to the chart's unit.
struct Simulation<'a>(&'a Simulated, [f64; 2]);

impl Simulation<'_> {
    fn of_chart(&self, per_instance: f64) -> f64 {
        per_instance * self.1[0] / self.1[1]
    }

    /// Returns the throughput in the chart's unit, counting every token generated until 80% of the requests are
    /// complete.
    fn rate(&self) -> f64 {
        self.of_chart(self.0.per_instance_generated)
    }
}

impl Split<'_> {
    fn draws(&self) -> bool {
        let good = |value: f64| value.is_finite() && value >= 0.0;
        self.at > 0.0 && good(self.at) && good(self.rate)
    }
}

/// Returns a bottleneck's name and its matching verb, as used in a sentence: "FFN" and "is".
const fn subject(regime: Regime) -> (&'static str, &'static str) {
    match regime {
        Regime::Attention => ("attention", "is"),
        Regime::Communication => ("attention links", "are"),
        Regime::FeedForwardLinks => ("FFN links", "are"),
        Regime::FeedForward => ("FFN", "is"),
    }
}

struct Splits<'a> {
    /// The A:F splits in ascending order along the horizontal axis, including every simulated split.
    curve: Vec<Split<'a>>,
    now: Split<'a>,
    /// Number of GPUs to split, and GPUs per scale-up domain; `None` if the axis is a ratio of ranks.
    gpus: Option<[f64; 2]>,
    unit: [&'static str; 2],
    finding: String,
    nothing: String,
}

/// Returns all A:F splits of the user’s GPUs as a curve, and the split that a click on each point selects.
fn divisions<'a>(
    case: &EvaluatedUnit,
    decision: &Decision,
    asked: &AfdUnit,
    simulated: Option<&'a SimulateAnswer>,
) -> (Splits<'a>, Vec<Ask>) {
    let gpus = f64::from(decision.sides.gpus);
    let split = |parts: &AfdUnit| {
        let instances = f64::from(parts.instances);
        let near = |found: &&Simulated| (found.attention_instances - instances).abs() < 0.5;
        let found = simulated.and_then(|answer| answer.points.iter().find(near));
        Split {
            at: f64::from(parts.attention),
            name: decision::name(parts),
            slots: parts.slots,
            rate: parts.point.per_weight_in_flight,
            point: parts.point,
            simulated: found.map(|found| Simulation(found, [instances + 1.0, gpus])),
        }
    };
    // If the user set the micro-batch size, the split shown may differ from its entry in `divisions`.
    let shown = |parts: &'_ AfdUnit| parts.attention == asked.attention;
    let all = decision.divisions.iter();
    let curve: Vec<&AfdUnit> = all.map(|of| if shown(of) { asked } else { of }).collect();
    let domain = case.inputs.get(Number::Domain).unwrap_or(1.0);
    let splits = Splits {
        curve: curve.iter().map(|of| split(of)).collect(),
        now: split(asked),
        gpus: Some([gpus, domain.floor().max(1.0)]),
        unit: PER_GPU,
        finding: own_finding(decision, asked),
        nothing: match curve.len() {
            1 => format!("{} is the only possible split", decision::name(asked)),
            _ => "no valid A:F split".to_owned(),
        },
    };
    let asks = curve.iter().map(|of| ask(case, decision, of));
    (splits, asks.collect())
}

/// Returns the inputs that select this A:F split. For the best split, the ratio input is reset to its default
/// (`None`), unless the user set the micro-batch size.
pub fn states(case: &EvaluatedUnit, decision: &Decision, parts: &AfdUnit) -> Stated {
    stated(&case.inputs, ask(case, decision, parts))
}

fn ask(case: &EvaluatedUnit, decision: &Decision, parts: &AfdUnit) -> Ask {
    let best = decision.best.or(decision.asked);
    let slots_stated = case.inputs.stated(Number::Slots).is_some();
    if best.is_some_and(|best| best.attention == parts.attention) && !slots_stated {
        return Ask::Best;
    }
    Ask::Divided(parts.attention, parts.ffn)
}

/// Rounds a ratio to four significant digits, enough to identify its A:F split.
fn four_digits(ratio: f64) -> f64 {
    format!("{ratio:.3e}").parse().unwrap_or(ratio)
}

/// Returns the chart's finding (its one-line result), such as "32 of the 72 GPUs for attention; 36 loses 10%".
fn own_finding(decision: &Decision, asked: &AfdUnit) -> String {
    let gpus = decision.sides.gpus;
    if decision.afd.is_none() {
        return format!("Misses {} tok/s/user", format::sig3(decision.users));
    }
    let best = decision.best.or(decision.asked);
    let count = |gpus: u32| format::count(f64::from(gpus));
    // With 1,000 GPUs or more, omit the total to keep the line short.
    let of = match gpus < 1000 {
        true => format!(" of the {gpus}"),
        false => String::new(),
    };
    let lead = format!("{}{of} GPUs for attention", count(asked.attention));
    let Some(best) = best else {
        return lead;
    };
    let rate = |parts: &AfdUnit| parts.point.per_weight_in_flight;
    if asked.attention != best.attention {
        let change = format::percent_change(rate(asked), rate(&best));
        return format!("{lead}: {change} vs. {}", count(best.attention));
    }
    let more = f64::from(best.attention) * 1.125;
    let away = |parts: &&AfdUnit| (f64::from(parts.attention) - more).abs();
    let other = decision
        .divisions
        .iter()
        .filter(|parts| parts.attention > best.attention)
        .min_by(|a, b| away(a).total_cmp(&away(b)));
    match other {
        Some(other) if rate(other) < 0.995 * rate(&best) => format!(
            "{lead}; {} would lose {}",
            count(other.attention),
            format::share(1.0 - rate(other) / rate(&best))
        ),
        _ => lead,
    }
}

/// Returns the curve of A:F ratios for an xAyF unit with entered latencies, and the ratio that a click on each point
/// selects.
fn open<'a>(case: &EvaluatedUnit, simulated: Option<&'a SimulateAnswer>) -> (Splits<'a>, Vec<Ask>) {
    let (w_a, w_f) = case.bundle.weights();
    let split = |point: Point| {
        let near = |found: &&Simulated| (found.ratio / point.ratio - 1.0).abs() < 1e-9;
        let found = simulated.and_then(|answer| answer.points.iter().find(near));
        Split {
            at: point.ratio,
            name: format!("{} : 1", format::sig3(point.ratio)),
            slots: case.bundle.slots,
            rate: match case.per_gpu() {
                true => point.per_weight,
                false => point.per_instance,
            },
            point,
            simulated: found.map(|of| Simulation(of, [of.ratio + 1.0, of.ratio * w_a + w_f])),
        }
    };
    let best = case.answer().best.ratio;
    let ask = |at: f64| match (at / best - 1.0).abs() < 0.002 {
        true => Ask::Best,
        false => Ask::Ratio(at),
    };
    let ratios = ratios(case);
    let splits = Splits {
        curve: ratios.iter().map(|at| split(case.bundle.at(*at))).collect(),
        now: split(case.asked),
        gpus: None,
        unit: if case.per_gpu() { PER_GPU } else { PER_RANK },
        finding: format!("Best A:F ratio {} : 1", format::sig3(best)),
        nothing: "no valid A:F ratio".to_owned(),
    };
    (splits, ratios.into_iter().map(ask).collect())
}

fn three_digits(ratio: f64) -> f64 {
    format!("{ratio:.2e}").parse().unwrap_or(ratio)
}

/// Returns the A:F ratios to evaluate, evenly spaced on a logarithmic axis. The range covers the current, the best and
/// the simulated ratios with a margin. These exact ratios are added, as are those at which the bottleneck changes.
fn ratios(case: &EvaluatedUnit) -> Vec<f64> {
    let bundle = &case.bundle;
    let (setups, _) = bundle.swept();
    let least_of = |ratios: &[f64]| ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most_of = |ratios: &[f64]| ratios.iter().copied().fold(0.0, f64::max);
    let mut named: Vec<f64> = setups.iter().map(|setup| setup.ratio()).collect();
    named.extend([case.asked.ratio, case.answer().best.ratio]);
    let (least, most) = (least_of(&named) / 1.15, most_of(&named) * 1.15);
    named.extend([case.answer().r_attention, case.answer().r_communication]);
    named.extend(case.answer().r_links);
    named.push(case.answer().r_peak);
    let edge = bundle.ratio_within_domain(bundle.ffn_instances);
    named.extend([edge, edge * (1.0 + 1e-9)]);
    let span = libm::log(most / least);
    let step = |index: u32| least * libm::exp(span * f64::from(index) / f64::from(SAMPLES));
    let mut ratios: Vec<f64> = (0..=SAMPLES)
        .map(step)
        .chain(named)
        .filter(|ratio| (least * 0.999..=most * 1.001).contains(ratio))
        .collect();
    sort_numbers(&mut ratios);
    ratios.dedup_by(|a, b| (*a / *b - 1.0).abs() < 1e-12);
    ratios
}

impl<'a> Splits<'a> {
    fn rows(&self) -> Rows {
        type Look = fn(&Simulation<'_>) -> f64;
        let simulated = |look: Look| move |of: &Split<'_>| of.simulated.as_ref().map(look);
        let [unit, after] = self.unit;
        let first = if self.gpus.is_some() {
            "attention : FFN"
        } else {
            "ratio"
        };
        Rows::of(&self.curve)
            .col(first, "", |of| of.name.clone())
            .col("sequences per micro-batch and rank", "", |of| of.slots)
            .tip(Digits::Count, "")
            .col("bottleneck", "", |of| subject(of.point.regime).0)
            .col("throughput", unit, |of| of.rate)
            .tip(Digits::Si, after)
            .col("simulated", unit, simulated(|of| of.rate()))
            .tip(Digits::Si, after)
            .col("TPOT", "ms", |of| of.point.tpot.get() * 1e3)
            .tip(Digits::Duration, "")
            .col("attention idle", "%", |of| of.point.idle_attention * 100.0)
            .tip_of(Role::Attention, Digits::Percent)
            .col(
                "simulated attention idle",
                "%",
                simulated(|of| of.0.idle_attention * 100.0),
            )
            .tip(Digits::Percent, "")
            .col("FFN idle", "%", |of| of.point.idle_ffn * 100.0)
            .tip_of(Role::Experts, Digits::Percent)
            .col(
                "simulated FFN idle",
                "%",
                simulated(|of| of.0.idle_ffn * 100.0),
            )
            .tip(Digits::Percent, "")
            .col("slowest ÷ mean", "", simulated(|of| of.0.straggling))
            .tip(Digits::Factor, "")
            .col(
                "completed requests",
                unit,
                simulated(|of| of.of_chart(of.0.per_instance)),
            )
            .tip(Digits::Si, after)
            .unlisted()
            .titled(
                |of| of.name.clone(),
                |of| {
                    let (who, verb) = subject(of.point.regime);
                    format!("{who} {verb} the bottleneck")
                },
            )
    }

    fn chart(self) -> Chart {
        let rows = self.rows();
        let drawn = self.drawn();
        let simulated = |of: &Split<'_>| of.simulated.as_ref().map_or(0.0, Simulation::rate);
        let rates = drawn.iter().map(|(_, of)| of.rate.max(simulated(of)));
        let (_, highest) = extent(rates.filter(|rate| rate.is_finite()));
        let draws = drawn.len() > 1 && highest > 0.0;
        let plots = draws.then(|| [self.throughput(&drawn, highest), self.idle(&drawn)]);
        let least = self.now.at * (1.0 - 1e-9);
        Chart {
            source: if self.gpus.is_some() {
                OWN_SOURCE
            } else {
                SOURCE
            }
            .into(),
            plots: plots.into_iter().flatten().collect(),
            start: self.curve.iter().position(|of| of.at >= least),
            upper: Some(UPPER),
            rows,
            finding: self.finding,
            empty: self.nothing.into(),
            ..Chart::default()
        }
    }

    /// Returns the A:F splits to draw, with their row numbers. Omits splits with outlying low throughput, caused by
    /// rounding to whole scale-up domains. The current split is never omitted.
    fn drawn(&self) -> Vec<(usize, &Split<'a>)> {
        const FAR_BELOW: f64 = 0.85;
        let all = self.curve.iter().enumerate();
        let mut drawn: Vec<_> = all.filter(|(_, of)| of.draws()).collect();
        loop {
            let before = drawn.len();
            let mut kept: Vec<(usize, &Split<'a>)> = Vec::with_capacity(before);
            for (index, (row, of)) in drawn.iter().enumerate() {
                let beside = kept.last().zip(drawn.get(index + 1));
                let least = beside.map(|((_, last), (_, next))| last.rate.min(next.rate));
                let own = (of.at - self.now.at).abs() < 1e-9 * of.at;
                if own || least.is_none_or(|least| of.rate >= FAR_BELOW * least) {
                    kept.push((*row, of));
                }
            }
            drawn = kept;
            if drawn.len() == before {
                return drawn;
            }
        }
    }

    /// Returns the horizontal axis, with the current A:F split in bold.
    fn across(&self, drawn: &[(usize, &Split<'_>)]) -> Axis {
        let (first, last) = extent(drawn.iter().map(|(_, of)| of.at));
        let axis = match self.gpus {
            Some([of, domain]) => {
                let name = format!("attention GPUs (of {})", format::count(of));
                let axis = Axis::linear(name, first, last).written(Digits::Count);
                axis.ticked(Ticks::Every(domain))
            }
            None => {
                Axis::log("attention ranks per FFN rank, log", first, last).written(Digits::Sig3)
            }
        };
        let now = Some(self.now.at).filter(|at| self.now.draws() && axis.scale.holds(*at));
        let bold = now.map(|at| (at, axis.digits.words(at)));
        Axis { bold, ..axis }
    }

    /// Returns the throughput plot: the curve, the simulated points, the current A:F split, and the bottleneck to the
    /// left and right of the current split.
    fn throughput(&self, drawn: &[(usize, &Split<'_>)], highest: f64) -> Xy {
        let (ink, soft) = (Ink::Strong, Ink::Soft);
        let y = Axis::linear(self.unit[0], 0.0, highest * HEADROOM);
        let mut xy = Xy::new(self.across(drawn), y);
        xy.ruler = true;
        let place = |(row, of): (usize, &Split<'_>)| At::of(row, (of.at, of.rate));
        let line = CurveStroke::solid(ink, size::CURVE_PX);
        xy.curve(drawn.iter().copied().map(place), line);
        if let Some((at, _)) = xy.x.bold {
            let paces = self.paces(drawn).map(|pace| {
                let block = pace.map(|pace| {
                    let (who, verb) = subject(pace);
                    let verb = format!("{verb} the bottleneck");
                    [who, &verb].map(|line| Words::note(line, soft)).to_vec()
                });
                block.into_iter().collect()
            });
            xy.upright(at, RuleInk::Hair(ink)).beside(paces);
            let rate = Words::label(format::figure(self.now.rate), ink).bold();
            let name = format!(" at {}", self.now.name);
            xy.dot(At::new((at, self.now.rate)), DotInk::Now(true))
                .says([rate.clone().and_bold(name, ink), rate]);
        }
        let simulated = |(_, of): &(usize, &Split<'_>)| {
            let rate = of.simulated.as_ref()?.rate();
            rate.is_finite()
                .then_some((of.at, rate.min(xy.y.scale.high())))
        };
        let simulated: Vec<_> = drawn.iter().rev().filter_map(simulated).collect();
        for (index, at) in simulated.into_iter().enumerate() {
            let dot = xy.dot(At::new(at), DotInk::Ring(3.6, ink));
            if index == 0 {
                dot.says([Words::note("simulated", soft)]);
            }
        }
        // All splits are hover targets, including outliers that the curve omits.
        for of in self.curve.iter().enumerate().filter(|(_, of)| of.draws()) {
            xy.dot(place(of), DotInk::Bare);
        }
        xy
    }

    /// Returns the most frequent bottleneck to the left and to the right of the current ratio. The second one is
    /// `None` if both are equal.
    fn paces(&self, drawn: &[(usize, &Split<'_>)]) -> [Option<Regime>; 2] {
        let most = |here: fn(&f64, &f64) -> bool| {
            let side = drawn.iter().filter(|(_, of)| here(&of.at, &self.now.at));
            let paces = side.map(|(_, of)| of.point.regime);
            let count = |pace: &Regime| paces.clone().filter(|of| of == pace).count();
            paces.clone().max_by_key(count)
        };
        let (left, right) = (most(f64::lt), most(f64::gt));
        [left, right.filter(|_| left != right)]
    }

    fn idle(&self, drawn: &[(usize, &Split<'_>)]) -> Xy {
        type Idle = fn(&Point) -> f64;
        let both: [(Role, &str, Idle); 2] = [
            (Role::Experts, "FFN", |of| of.idle_ffn),
            (Role::Attention, "attention", |of| of.idle_attention),
        ];
        let ink = Ink::Strong;
        let y = Axis::linear("idle time", 0.0, 1.0).ticked(Ticks::Shares);
        let mut xy = Xy::new(self.across(drawn), y);
        xy.ruler = true;
        let now = xy.x.bold.as_ref().map(|_| &self.now);
        if let Some(now) = now {
            xy.upright(now.at, RuleInk::Hair(ink))
                .rising(SHARED_BETWEEN_PX);
        }
        let apart = self.now.point.idle_attention - self.now.point.idle_ffn;
        let told = if apart.abs() < ALIKE { 1 } else { 2 };
        for (index, (role, name, idle)) in both.into_iter().enumerate() {
            let at = |of: &Split<'_>| At::new((of.at, idle(&of.point).clamp(0.0, 1.0)));
            let line = CurveStroke::solid(Ink::Role(role), 1.6);
            xy.curve(drawn.iter().map(|(_, of)| at(of)), line)
                .says([Words::note(name, Ink::Role(role))]);
            if let Some(now) = now {
                let says = Words::note(format::share(idle(&now.point)), ink).bold();
                xy.dot(at(now), DotInk::Disc(3.0, Ink::Role(role)))
                    .says((index < told).then_some(says));
            }
        }
        xy
    }
}
