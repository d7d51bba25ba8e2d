//! "What does context cost?": TPOT and KV cache per sequence vs. context length, at a constant batch.

use crate::chart::marks::CurveStroke;
use crate::chart::{At, Axis, Chart, Digits, DotInk, Ink, Rows, Shape, Ticks, Words, Xy};
use crate::picture::scale::{extent, positive};
use crate::theme::{Role, size};
use crate::words::format;
use crate::words::names;
use crate::{Evaluated, compare};
use model_core::arch::catalog;
use model_core::cost::memory::sequence_bytes;
use model_core::evaluate::evaluate;
use model_core::math::pow;
use model_core::order::sort_numbers;

/// Range of context lengths on the curve, in tokens: 2⁸ to 2²⁰. The current context is added even if it is outside
/// this range.
const CONTEXTS: (f64, f64) = (256.0, 1_048_576.0);
/// Number of intervals between the points of a curve: four per doubling of the context.
const POINTS: i32 = 48;
const MIB: f64 = 1_048_576.0;

#[derive(Clone, Copy, Default, PartialEq)]
struct ContextPoint {
    /// Context length of the point, in tokens.
    context: f64,
    /// Time per output token at the scenario's batch, in seconds.
    tpot_s: f64,
    /// KV cache of one sequence, unsharded, in bytes.
    cache_bytes: f64,
    fits: bool,
}

/// Reference curve to compare the scenario with: that of the pinned scenario or of another model.
struct Beside {
    /// Points by ascending context. Empty if the other model cannot run in this configuration.
    curve: Vec<ContextPoint>,
    /// Name written next to the curve.
    long: String,
    /// Short name used in the finding, the sentence next to the chart's question.
    short: String,
    /// Operating point of the pinned scenario, if it differs from the current scenario only in context length.
    now: Option<ContextPoint>,
}

impl ContextPoint {
    /// True if the point can be drawn on logarithmic axes: all its values are positive.
    fn draws(&self) -> bool {
        positive(self.context) && positive(self.tpot_s) && positive(self.cache_bytes)
    }
}

type Value = fn(&ContextPoint) -> f64;

/// Draws the curves of the scenario and of the model `against`. If no such model is given, the pinned scenario takes
/// its place.
pub fn chart(case: &Evaluated, pinned: Option<&Evaluated>, against: Option<&str>) -> Chart {
    let curve = curve(case);
    let now = at(case, case.scenario.workload.context).unwrap_or_default();
    let other = against
        .and_then(catalog::find)
        .map(|entry| another(case, entry));
    let beside = other.or_else(|| pinned.and_then(|pinned| beside(case, pinned)));
    let rows = Rows::of(&curve)
        .col("context", "tokens", |of| of.context)
        .col("TPOT", "ms", |of| of.tpot_s * 1e3)
        .tip(Digits::Sig3, " ms")
        .col("KV cache per sequence", "MiB", |of| of.cache_bytes / MIB)
        .tip_of(Role::Kv, Digits::Mebi)
        .col("fits in memory", "", |of| of.fits)
        .always("layers", names::layers(&case.scenario.arch))
        .titled(
            |of| format!("{} tokens", format::tokens(of.context)),
            |of| if of.fits { "" } else { "out of memory" },
        );
    let of = Curves {
        own: &curve,
        now: &now,
        beside: beside.as_ref(),
    };
    let draws = curve.iter().filter(|of| of.draws()).count() > 1;
    Chart {
        finding: of.finding(),
        source: "same batch at other context lengths; KV cache per sequence, unsharded".into(),
        plots: if draws { of.plots() } else { Vec::new() },
        start: curve.iter().position(|of| of.context >= now.context),
        rows,
        empty: "no valid context length".into(),
        shape: Shape::Pair,
        ..Chart::default()
    }
}

struct Curves<'a> {
    own: &'a [ContextPoint],
    now: &'a ContextPoint,
    beside: Option<&'a Beside>,
}

impl Curves<'_> {
    fn theirs(&self) -> impl Iterator<Item = &ContextPoint> {
        let curve = self.beside.into_iter().flat_map(|beside| &beside.curve);
        curve.filter(|of| of.draws())
    }

    fn plots(&self) -> Vec<Xy> {
        let now = [
            format::millis(self.now.tpot_s).to_string(),
            format::mebi(self.now.cache_bytes),
        ];
        let [time, cache] = now;
        vec![
            self.plot("TPOT, ms, log", |of| of.tpot_s * 1e3, Ink::Strong, time),
            self.plot(
                "KV cache per sequence, MiB, log",
                |of| of.cache_bytes / MIB,
                Ink::Role(Role::Kv),
                cache,
            ),
        ]
    }

    fn plot(&self, name: &'static str, value: Value, line: Ink, now: String) -> Xy {
        let own = self.own.iter().chain([self.now]).filter(|of| of.draws());
        let all: Vec<&ContextPoint> = own.chain(self.theirs()).collect();
        let (first, last) = extent(all.iter().map(|of| of.context));
        let (least, most) = extent(all.iter().map(|of| value(of)));
        // Widen the axis range so that a nearly flat curve looks flat.
        let widen = libm::sqrt((8.0 * least / most).max(1.6));
        let x = Axis::log("context, tokens, log", first, last).written(Digits::Tokens);
        let mut xy = Xy::new(
            x.ticked(Ticks::Tokens),
            Axis::log(name, least / widen, most * widen),
        );
        xy.ruler = true;
        let place = |of: &ContextPoint| (of.context, value(of));
        let own = self.own.iter().enumerate().filter(|(_, of)| of.draws());
        let own = own.map(|(row, of)| At::of(row, place(of)).fitting(of.fits));
        let curve = xy.curve(own, CurveStroke::solid(line, size::CURVE_PX));
        if let Some(beside) = self.beside.filter(|_| self.theirs().next().is_some()) {
            curve.says(["now", "now"].map(|text| Words::note(text, Ink::Strong)));
            let names = [&beside.long, &beside.short];
            let theirs = self.theirs().map(|of| At::new(place(of)).fitting(of.fits));
            xy.curve(theirs, CurveStroke::pinned())
                .says(names.map(|name| Words::note(name, Ink::Soft)));
        }
        if self.now.draws() {
            xy.dot(At::new(place(self.now)), DotInk::Now(self.now.fits))
                .says([Words::label(now, Ink::Strong).bold()]);
        }
        xy
    }

    fn finding(&self) -> String {
        let first = self.own.iter().find(|of| of.draws());
        let (Some(first), true) = (first, self.now.draws()) else {
            return "Nothing to plot".to_owned();
        };
        let context = format::tokens(self.now.context);
        if let Some(Beside { short, now, .. }) = self.beside {
            let there = now.as_ref().filter(|of| of.draws());
            let off = |of: &&ContextPoint| libm::fabs(libm::log(of.context / self.now.context));
            let near = || {
                self.theirs()
                    .min_by(|one, other| off(one).total_cmp(&off(other)))
            };
            let Some(theirs) = there.or_else(near) else {
                return format!("{short} does not run in this configuration");
            };
            let time = format::factor(self.now.tpot_s / theirs.tpot_s);
            let cache = format::factor(self.now.cache_bytes / theirs.cache_bytes);
            let tokens = format::tokens(theirs.context);
            return match there {
                Some(_) => {
                    format!("{context} vs. {short} at {tokens}: TPOT {time}, KV cache {cache}")
                }
                None => format!("vs. {short}: TPOT {time}, KV {cache}"),
            };
        }
        let time = format::factor_of(self.now.tpot_s / first.tpot_s, "TPOT");
        let least = format::tokens(first.context);
        format!("At {context}: {time} at {least} tokens")
    }
}

/// Computes the curve of another catalog model in the same deployment. Number formats that the user chose are
/// preserved; default or released formats become those of the other model.
fn another(case: &Evaluated, entry: &'static catalog::Entry) -> Beside {
    let mut inputs = case.inputs;
    inputs.choose_model(entry);
    let curve = Evaluated::new(&inputs).map(|other| curve(&other));
    Beside {
        curve: curve.unwrap_or_default(),
        long: entry.name.into(),
        short: entry.name.into(),
        now: None,
    }
}

/// Returns the pinned scenario's curve; `None` if the pinned and the current scenario are the same point on the chart.
fn beside(case: &Evaluated, pinned: &Evaluated) -> Option<Beside> {
    let (context, theirs) = (
        case.scenario.workload.context,
        pinned.scenario.workload.context,
    );
    let here = at(pinned, context);
    let same = here.is_some() && here == at(case, context);
    if same && context.to_bits() == theirs.to_bits() {
        return None;
    }
    let alike = pinned.inputs.model == case.inputs.model;
    let name = alike.then(|| compare::difference(&case.inputs, &pinned.inputs));
    let name = name.flatten();
    let name = name.unwrap_or_else(|| pinned.inputs.model_name().to_owned());
    Some(Beside {
        curve: curve(pinned),
        long: format!("A ({name})"),
        short: "A".into(),
        now: same.then(|| at(pinned, theirs)).flatten(),
    })
}

fn at(case: &Evaluated, context: f64) -> Option<ContextPoint> {
    let mut scenario = case.scenario;
    scenario.workload.context = context;
    let evaluation = evaluate(&scenario).ok()?;
    Some(ContextPoint {
        context,
        tpot_s: evaluation.tpot.get(),
        cache_bytes: sequence_bytes(&scenario).total.get(),
        fits: evaluation.memory.fits(),
    })
}

fn curve(case: &Evaluated) -> Vec<ContextPoint> {
    let (first, last) = CONTEXTS;
    let step = |index: i32| first * pow(last / first, f64::from(index) / f64::from(POINTS));
    let mut contexts: Vec<f64> = (0..=POINTS).map(step).map(f64::round).collect();
    contexts.push(case.scenario.workload.context);
    sort_numbers(&mut contexts);
    contexts.dedup();
    contexts
        .into_iter()
        .filter_map(|context| at(case, context))
        .collect()
}
