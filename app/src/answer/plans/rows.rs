//! The table beside the chart: what each line reaches, which is its legend.

use super::lines::{Key, Line, own_family, scenario_point, series};
use super::{Look, Own, Plan, Searched, trouble};
use crate::answer::around::{Around, Range};
use crate::answer::ratio::decision::alike;
use crate::answer::{advice, sharding};
use crate::charts::plans::PlanNow;
use crate::format;
use crate::theme::Series;
use model_core::evaluate::evaluate;
use model_core::permalink::Lines;
use model_core::plan::{Plan as Sharding, PlanSpec};
use model_core::scenario::refusal::Refusal;
use model_core::scenario::{Inputs, Number};
use model_core::sweep::{Exclusion, Exclusions, Family};
use model_core::workload::Engine;

/// What stands before a row, as the chart draws it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mark {
    /// A line's marker; whether its line is dashed.
    Line(Series, bool),
    /// The scenario that is edited.
    Now,
    /// The pinned one.
    Pinned,
    /// Nothing: the chart has no line for it.
    None,
}

/// What a line reaches.
#[derive(Debug, Clone, PartialEq)]
pub struct BestRow {
    /// What stands before it.
    pub mark: Mark,
    /// "GB200 NVL72".
    pub name: String,
    /// "yours", or on any number of GPUs "your GPU", where it is the line of what the scenario has.
    pub tag: &'static str,
    /// "batch 5,566 · no overlap".
    pub detail: String,
    /// What is wrong with it: "misses it: 26.0 of 30 tok/s".
    pub wrong: bool,
    /// "5.22k".
    pub value: String,
    /// From where to where a measured system may lie.
    pub around: Option<Range>,
    /// Its bar, of the longest.
    pub bar: f64,
    /// "4.89×".
    pub ratio: String,
    /// "$0.176".
    pub cost: String,
    /// Whether nothing costs less.
    pub least: bool,
    /// The line it is the legend of.
    pub line: Option<usize>,
    /// What opening it opens.
    pub inputs: Option<Inputs>,
}

/// The chart's legend.
#[derive(Debug, Clone, PartialEq)]
pub struct BestTable {
    /// "Best at 30 tok/s per user".
    pub title: String,
    /// What all rows share: "32 of each, DP 32 · EP 32".
    pub caption: String,
    /// The rows.
    pub rows: Vec<BestRow>,
}

/// What measurements say of the throughput of a GPU.
fn around(inputs: &Inputs) -> Option<Range> {
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    let around = Around::of(inputs, &scenario, &evaluation)?;
    Some(around.rate(evaluation.tokens_per_gpu, format::si))
}

pub(super) fn dollars(cost: Option<f64>) -> String {
    cost.map_or_else(|| format::NONE.to_owned(), format::dollars)
}

/// The legend: a row for each line, for what has none and why, for now and for the pinned scenario.
pub fn best(searched: &Searched, look: &Look, lines: &[Line], own: Option<&Own>) -> BestTable {
    let slo = look.now.get(Number::Slo);
    let bests: Vec<Option<&Plan>> = lines
        .iter()
        .map(|line| line.best.and_then(|best| line.plans.get(best)))
        .collect();
    let there = || bests.iter().flatten().copied();
    let now = scenario_point(&look.now);
    let pinned = look.pinned.as_ref().map(scenario_point);
    let values = there().map(|plan| plan.point.per_gpu);
    let values = values.chain(now.iter().filter_map(runs));
    let longest = values.fold(f64::MIN_POSITIVE, f64::max);
    let least = there()
        .filter_map(|plan| plan.dollars)
        .fold(f64::INFINITY, f64::min);
    let priced = there().filter(|plan| plan.dollars.is_some()).count();
    let reference = own.map(|own| own.evaluation.tokens_per_gpu);
    let ratio = |value: f64| match reference {
        Some(own) if (value / own - 1.0).abs() < 1e-9 => format!("1{}", format::TIMES),
        Some(own) => format::factor(value / own),
        None => format::NONE.to_owned(),
    };
    // What all of them share stands above them.
    let shared = |of: fn(&Plan) -> String| {
        let mut words = there().map(of);
        let first = words.next()?;
        words.all(|other| other == first).then_some(first)
    };
    let factors = shared(|plan| sharding::brief(&plan.spec)).filter(|_| lines.len() > 1);
    let gpus = shared(|plan| format::count(plan.point.gpus));
    let copies = look.now.model.arch().is_moe() && { look.now.get(Number::Redundant) }
        .is_some_and(|copies| copies > 0.0);
    let detail = |plan: &Plan| {
        let mut parts = vec![format!("batch {}", format::count(plan.point.batch))];
        if gpus.is_none() {
            parts.push(advice::gpus(plan.point.gpus));
        }
        if factors.is_none() {
            parts.push(sharding::brief(&plan.spec));
        }
        parts.push(plan.schedule().to_owned());
        // Of the others it is said above the chart.
        if plan.inputs.is_released() && !look.now.is_released() {
            parts.push(advice::released(&plan.inputs));
        }
        if copies && plan.spec.redundant == 0 {
            parts.push("no copies".to_owned());
        }
        parts.join(" · ")
    };
    let keys: Vec<Key> = lines.iter().map(|line| line.key).collect();
    let family = own_family(&look.now, own);
    // The line of the best has the visitor's colour; "yours" is what the plan now is.
    let present = super::scenario_family(&look.now);
    let series = series(&keys, &look.now, family);
    let scenario = look.now.scenario().ok();
    let own_sharding = |spec: &PlanSpec| scenario.is_some_and(|now| alike(spec, now.plan.spec()));
    let mut rows: Vec<BestRow> = Vec::new();
    for (index, (line, (series, dashed))) in lines.iter().zip(series).enumerate() {
        let (name, _) = line.key.names();
        let plan = bests.get(index).copied().flatten();
        let earlier = bests.iter().take(index).position(|earlier| {
            let pair = earlier.zip(plan);
            pair.is_some_and(|(earlier, plan)| same_plan(earlier, plan))
        });
        if let Some(earlier) = earlier.and_then(|earlier| lines.get(earlier)) {
            let (of, _) = earlier.key.names();
            rows.push(BestRow {
                mark: Mark::Line(series, dashed),
                line: Some(index),
                ..nothing_of(name, format!("the same plan as {of}"))
            });
            continue;
        }
        let value = plan.map(|plan| plan.point.per_gpu);
        rows.push(BestRow {
            mark: Mark::Line(series, dashed),
            name: name.to_owned(),
            tag: if line.key.is_own(&look.now, present) {
                let mine = plan.is_none_or(|plan| own_sharding(&plan.spec));
                tag(line.key, look.own_gpus, mine)
            } else {
                ""
            },
            detail: match plan {
                Some(plan) => detail(plan),
                None => misses(line.plans.first().map(|plan| plan.point.per_user), slo),
            },
            wrong: plan.is_none(),
            value: value.map_or_else(|| format::NONE.to_owned(), format::si),
            around: plan.and_then(|plan| around(&plan.inputs)),
            bar: value.unwrap_or(0.0) / longest,
            ratio: value.map_or_else(|| format::NONE.to_owned(), ratio),
            cost: plan.map_or_else(|| format::NONE.to_owned(), |plan| dollars(plan.dollars)),
            least: priced > 1
                && plan.is_some_and(|plan| plan.dollars.is_some_and(|cost| cost <= least)),
            line: Some(index),
            inputs: plan.map(|plan| plan.inputs),
        });
    }
    rows.extend(absent(searched, look, lines));
    let scenario = |mark, name: &str, point: Option<PlanNow>, inputs: &Inputs| {
        let value = point.as_ref().and_then(runs);
        let (detail, wrong) = state(point.as_ref(), inputs, slo);
        BestRow {
            mark,
            name: name.to_owned(),
            tag: "",
            detail,
            wrong,
            value: value.map_or_else(|| format::NONE.to_owned(), format::si),
            around: value.and_then(|_| around(inputs)),
            bar: (value.unwrap_or(0.0) / longest).min(1.0),
            // What is not allowed is no multiple of the best that is.
            ratio: value
                .filter(|_| !wrong)
                .map_or_else(|| format::NONE.to_owned(), ratio),
            cost: dollars(value.and(point).and_then(|point| point.dollars_per_mtok)),
            least: false,
            line: None,
            inputs: None,
        }
    };
    rows.push(scenario(Mark::Now, "Your plan now", now, &look.now));
    if let (Some(pinned), Some(point)) = (&look.pinned, pinned) {
        rows.push(scenario(Mark::Pinned, "Pinned, A", point, pinned));
    }
    let caption = [
        gpus.as_ref().map(|gpus| match look.lines(searched) {
            Lines::Accelerator => format!("{gpus} of each"),
            _ if gpus == "1" => "on 1 GPU".to_owned(),
            _ => format!("on {gpus} GPUs"),
        }),
        // "On 1 GPU" says it.
        factors.filter(|_| gpus.as_deref() != Some("1")),
    ];
    BestTable {
        title: match slo {
            Some(slo) => format!("Best at {} tok/s per user", format::printed(slo)),
            None => "Best at any speed".to_owned(),
        },
        caption: caption.into_iter().flatten().collect::<Vec<_>>().join(", "),
        rows,
    }
}

/// Whether two families come to one plan, as where Helix has no context to split: the schedule then hides nothing.
pub(super) fn same_plan(one: &Plan, other: &Plan) -> bool {
    let rate = one.point.per_gpu / other.point.per_gpu;
    (one.inputs.gpu, one.inputs.precision) == (other.inputs.gpu, other.inputs.precision)
        && (one.point.gpus, one.point.batch) == (other.point.gpus, other.point.batch)
        && sharding::brief(&one.spec) == sharding::brief(&other.spec)
        && (rate - 1.0).abs() < 1e-9
}

/// A row without a value, and why.
fn nothing_of(name: &str, why: String) -> BestRow {
    BestRow {
        mark: Mark::None,
        name: name.to_owned(),
        tag: "",
        detail: why,
        wrong: false,
        value: String::new(),
        around: None,
        bar: 0.0,
        ratio: String::new(),
        cost: String::new(),
        least: false,
        line: None,
        inputs: None,
    }
}

/// What the line of the scenario's own is called: on any number of GPUs its best need not be on as many as there are, and of
/// a family it need not be sharded alike.
const fn tag(key: Key, own_gpus: bool, own_sharding: bool) -> &'static str {
    match key {
        Key::Family(_) if !own_sharding => "your family",
        _ if own_gpus => "yours",
        Key::Family(_) => "your family",
        Key::Accelerator(_) => "your GPU",
        Key::Precision(_) => "your precision",
    }
}

/// Throughput per GPU of a plan that can run; what does not fit serves nothing.
fn runs(now: &PlanNow) -> Option<f64> {
    now.point.fits.then_some(now.point.per_gpu)
}

/// "misses it: 26.0 of 30 tok/s".
pub(super) fn misses(fastest: Option<f64>, slo: Option<f64>) -> String {
    match (fastest, slo) {
        (Some(fastest), Some(slo)) => format!(
            "misses it: {} of {} tok/s",
            format::below(fastest, slo),
            format::printed(slo)
        ),
        _ => "no plan works".to_owned(),
    }
}

/// A scenario's plan in words, or what is wrong with it.
fn state(point: Option<&PlanNow>, inputs: &Inputs, slo: Option<f64>) -> (String, bool) {
    let Some(now) = point else {
        return ("impossible as it is stated".to_owned(), true);
    };
    if !now.point.fits {
        return ("does not fit the memory".to_owned(), true);
    }
    if slo.is_some_and(|slo| now.point.per_user < slo) {
        return (misses(Some(now.point.per_user), slo), true);
    }
    let scenario = inputs.scenario().ok();
    let factors = scenario.map_or_else(String::new, |scenario| {
        let words = sharding::brief(scenario.plan.spec());
        let overlap = sharding::overlap(scenario.plan.spec().overlap);
        format!("{words} · {overlap} · ")
    });
    let batch = format::count(now.point.batch);
    (format!("{factors}batch {batch}"), false)
}

/// Rows of what was searched and has no line, with the reason.
fn absent(searched: &Searched, look: &Look, lines: &[Line]) -> Vec<BestRow> {
    let search = &searched.link.search;
    let link = &searched.link;
    let drawn = |key: &Key| lines.iter().any(|line| line.key == *key);
    if searched.stage != worker::Stage::Done {
        return Vec::new();
    }
    match look.lines(searched) {
        Lines::Family => search
            .families
            .iter()
            .filter(|family| !drawn(&Key::Family(**family)))
            .map(|family| nothing_of(sharding::family(*family), why(searched, look, *family)))
            .collect(),
        Lines::Accelerator => search
            .accelerators(&link.current)
            .into_iter()
            .filter(|gpu| !drawn(&Key::Accelerator(*gpu)))
            .map(|gpu| {
                let formatless = searched.candidates.formatless();
                let format = formatless.iter().any(|(of, _)| *of == gpu);
                let base = searched.candidates.bases();
                let there = base.iter().any(|base| base.gpu == gpu);
                let why = match (there, format) {
                    (false, true) => "has no arithmetic in this precision".to_owned(),
                    _ => nothing(searched, look, |inputs, _| inputs.gpu == gpu),
                };
                nothing_of(gpu.name(), why)
            })
            .collect(),
        Lines::Precision => search
            .precisions(&link.current)
            .into_iter()
            .filter(|precision| !drawn(&Key::Precision(*precision)))
            .map(|precision| {
                let bases = searched.candidates.bases();
                let there = bases.iter().any(|base| base.precision == precision);
                let why = match there {
                    false => "no accelerator here computes in it".to_owned(),
                    true => nothing(searched, look, |inputs, _| inputs.precision == precision),
                };
                nothing_of(precision.id(), why)
            })
            .collect(),
    }
}

/// Why nothing of some groups works: the rule that excluded most of it.
fn nothing(searched: &Searched, look: &Look, of: impl Fn(&Inputs, Family) -> bool) -> String {
    let mut excluded = Exclusions::default();
    for (base, inputs) in searched.candidates.bases().iter().enumerate() {
        for family in Family::ALL.into_iter().filter(|family| of(inputs, *family)) {
            let Some(group) = searched.answer.found.group(base, family) else {
                continue;
            };
            let scope = if look.own_gpus {
                &group.own
            } else {
                &group.any
            };
            for rule in Exclusion::ALL {
                excluded.add(rule, scope.excluded.of(rule));
            }
        }
    }
    match excluded.most() {
        Some((Exclusion::OutOfMemory, _)) => "does not fit the memory".to_owned(),
        Some((Exclusion::TooFewSequences, _)) => "has fewer sequences than groups".to_owned(),
        Some((rule, _)) => trouble::short(rule).to_owned(),
        None => "has no plan here".to_owned(),
    }
}

/// Why a family has no plan.
pub fn why(searched: &Searched, look: &Look, family: Family) -> String {
    let current = &searched.link.current;
    let arch = current.model.arch();
    let own = look.now.get(Number::Gpus).map(|gpus| gpus as u32);
    let mut plans = searched.candidates.space.plans().iter();
    let here = |sharding: &Sharding| !look.own_gpus || Some(sharding.gpus()) == own;
    if plans.any(|(of, sharding)| *of == family && here(sharding)) {
        let why = nothing(searched, look, |_, of| of == family);
        if current.engine == Engine::Aggregated && why == trouble::short(Exclusion::Sharding) {
            return "has no form for prompts beside decoding".to_owned();
        }
        return match (family, arch.is_moe()) {
            (Family::DataExpert, false) => format!("is DP alone without experts, and {why}"),
            _ => why,
        };
    }
    match (family, arch.is_moe()) {
        (Family::Medha, true) => "has no plan for a model with experts".to_owned(),
        _ => {
            let base = current.scenario();
            let refused = { base.as_ref().err() }.and_then(|refusals| refusals.first());
            if refused.map(Exclusion::of) == Some(Exclusion::Format) {
                return "needs another number format".to_owned();
            }
            if let Some(Refusal::Lengths { .. }) = refused {
                return "needs the lengths of requests".to_owned();
            }
            let base = base.ok();
            let mut rules = Exclusions::default();
            if let (Some(base), Some(gpus)) = (base, own) {
                family.shardings(arch, base.plan.spec(), gpus, |spec| {
                    if let Err(broken) = Sharding::new(spec, arch, gpus) {
                        let rule = broken.first().map_or(Exclusion::Sharding, Exclusion::of);
                        rules.add(rule, 1);
                    }
                });
            }
            match rules.most() {
                Some((Exclusion::Heads, _)) => "would split the heads unevenly".to_owned(),
                Some((Exclusion::Stages, _)) => "has more stages than there are layers".to_owned(),
                _ => "has no plan on this many GPUs".to_owned(),
            }
        }
    }
}
