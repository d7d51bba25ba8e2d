//! The table next to the chart: the best plan of each line. It is also the chart's legend.

use super::lines::{LineKey, PlanFrontier, own_strategy, series, stated};
use super::{Look, Searched, ShownPlan};
use crate::around::{Around, Range};
use crate::picture::scale::extent;
use crate::sharding;
use crate::theme::Series;
use crate::words::format;
use crate::words::names;
use model_core::evaluate::evaluate;
use model_core::inputs::{Gpu, Inputs, Number};
use model_core::order::sort_by_key;
use model_core::permalink::PlanLines;
use model_core::plan::Plan as Sharding;
use model_core::refusal::Refusal;
use model_core::search::on_another;
use model_core::sweep::{Exclusion, Exclusions, Strategy};

/// The marker in front of a table row, the same as in the chart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowMark {
    /// Marker of a line of the chart; the flag is true if the line is dashed.
    Line(Series, bool),
    /// Marker of the current scenario.
    Now,
    /// Marker of the pinned scenario.
    Pinned,
    /// Marker of the best plan on the user’s GPUs, if it is not the best plan of any line.
    Best,
}

/// A row of the table of best plans: the best plan of a line, or a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct BestRow {
    /// Marker in front of the table row.
    pub mark: RowMark,
    /// Name of the line or scenario: "GB200 NVL72".
    pub name: String,
    /// True if this row is the best plan on the user’s GPUs, to which the ratios of all rows refer.
    pub is_own: bool,
    /// Details of the plan: "batch 5,566", "DP 32 · EP 32", "no overlap".
    pub detail: Vec<String>,
    /// True if the plan misses the SLO or cannot run.
    pub misses: bool,
    /// Throughput of the plan, in tok/s/GPU; `None` without a plan.
    pub rate: Option<f64>,
    /// Error band of the plan's throughput.
    pub around: Option<Range>,
    /// Length of the row's bar, 0 to 1; `None` if the plan misses the SLO.
    pub bar: Option<f64>,
    /// Throughput per GPU ÷ throughput per GPU of the best plan on the user’s GPUs.
    pub ratio: Option<f64>,
    /// Cost of the plan in US dollars per million tokens; `None` without a price.
    pub dollars: Option<f64>,
    /// True if this row has the lowest cost of the rows that meet the SLO. Always false if all of them have the same
    /// price per GPU.
    pub least: bool,
    /// Index of the chart line for which this row is the legend.
    pub line: Option<usize>,
    /// The accelerator of the line, with its price per GPU-hour.
    pub priced: Option<(Gpu, Option<f64>)>,
    /// Inputs of the scenario that a click on the row opens.
    pub inputs: Option<Inputs>,
}

/// The table of best plans, which is also the chart's legend.
#[derive(Debug, Clone, PartialEq)]
pub struct BestTable {
    /// Title of the table: "Best plan at ≥ 30 tok/s/user".
    pub title: String,
    /// Meaning of ratio 1×, if no row has this ratio: "1× = 2.24k, best plan on your 72 H100".
    pub base: Option<String>,
    /// Details that all rows have in common: "32 GPUs each, DP 32 · EP 32".
    pub caption: String,
    /// Rows of the table. Rows that miss the SLO are last.
    pub rows: Vec<BestRow>,
    /// Searched strategies, accelerators or precisions for which no plan is left, each with the rule that excludes most
    /// plans.
    pub absent: Vec<(&'static str, &'static str)>,
}

impl BestRow {
    fn of(mark: RowMark, name: &str, plan: &ShownPlan) -> Self {
        Self {
            mark,
            name: name.to_owned(),
            is_own: false,
            detail: Vec::new(),
            misses: false,
            rate: Some(plan.point.per_gpu),
            around: around(&plan.inputs),
            bar: None,
            ratio: None,
            dollars: plan.dollars,
            least: false,
            line: None,
            priced: None,
            inputs: Some(plan.inputs),
        }
    }

    /// Creates a table row without a plan; the reason is shown instead.
    fn without(mark: RowMark, name: &str, why: String) -> Self {
        Self {
            mark,
            name: name.to_owned(),
            is_own: false,
            detail: vec![why],
            misses: true,
            rate: None,
            around: None,
            bar: None,
            ratio: None,
            dollars: None,
            least: false,
            line: None,
            priced: None,
            inputs: None,
        }
    }
}

/// Returns the error band of the throughput per GPU of the scenario with these inputs.
fn around(inputs: &Inputs) -> Option<Range> {
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    let around = Around::of(inputs, &scenario, &evaluation)?;
    Some(around.rate(evaluation.tokens_per_gpu, format::si))
}

/// Returns the value that all items have in common; `None` if they differ or there are none.
fn shared<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// Builds the table of best plans. It has a row for each line, for the current scenario and for the pinned one. The
/// best plan on the user’s GPUs gets a separate row if it is not a line's best plan. Rows that miss the SLO are last.
pub fn best(
    searched: &Searched,
    look: &Look,
    lines: &[PlanFrontier],
    own: Option<&ShownPlan>,
) -> BestTable {
    let slo = look.now.get(Number::Slo);
    let bests: Vec<Option<&ShownPlan>> = lines
        .iter()
        .map(|line| line.best.and_then(|best| line.plans.get(best)))
        .collect();
    let there = || bests.iter().flatten().copied();
    // Parts that all plans share are shown once, in the caption.
    let factors = shared(there().map(|plan| sharding::brief(&plan.spec)));
    let factors = factors.filter(|_| lines.len() > 1);
    let gpus = shared(there().map(|plan| plan.point.gpus as u32));
    let factors = factors.filter(|_| there().all(|plan| plan.split().is_none()));
    let detail = |plan: &ShownPlan| {
        let single = || gpus.is_none().then(|| names::gpus(plan.point.gpus));
        let gpus = plan.split().or_else(single);
        let sharding = factors.is_none().then(|| sharding::brief(&plan.spec));
        let batch = format!("batch {}", format::count(plan.point.batch));
        let schedule = plan.schedule().to_owned();
        let parts = [Some(batch), gpus, sharding, Some(schedule)];
        parts.into_iter().flatten().collect::<Vec<_>>()
    };
    let keys: Vec<LineKey> = lines.iter().map(|line| line.key).collect();
    let series = series(&keys, &look.now, own_strategy(&look.now, own));
    let is_own = |plan: &ShownPlan| own.is_some_and(|own| same_plan(own, plan));
    let mut rows: Vec<BestRow> = Vec::new();
    for (index, (line, (series, dashed))) in lines.iter().zip(series).enumerate() {
        let (name, _) = line.key.names();
        let mark = RowMark::Line(series, dashed);
        let row = match bests.get(index).copied().flatten() {
            Some(plan) => BestRow {
                is_own: is_own(plan) && !rows.iter().any(|row| row.is_own),
                detail: detail(plan),
                ..BestRow::of(mark, name, plan)
            },
            None => {
                let fastest = line.plans.first().map(|plan| plan.point.per_user);
                BestRow::without(mark, name, misses(fastest, slo))
            }
        };
        let price = |gpu| on_another(&look.now, gpu, look.now.precision).get(Number::Price);
        rows.push(BestRow {
            line: Some(index),
            priced: match line.key {
                LineKey::Accelerator(gpu) => Some((gpu, price(gpu))),
                LineKey::Strategy(_) | LineKey::Precision(_) => None,
            },
            ..row
        });
    }
    if let Some(own) = own.filter(|_| !rows.iter().any(|row| row.is_own)) {
        let less = |row: &BestRow| row.rate.is_none_or(|rate| rate < own.point.per_gpu);
        let place = rows.iter().position(less).unwrap_or(rows.len());
        let row = BestRow {
            is_own: true,
            detail: { [Some(format!("batch {}", format::count(own.point.batch)))].into_iter() }
                .chain([own.split(), Some(sharding::brief(&own.spec))])
                .chain([Some(own.schedule().to_owned())])
                .flatten()
                .collect(),
            ..BestRow::of(
                RowMark::Best,
                &format!(
                    "{} on your {}",
                    sharding::strategy(own.strategy),
                    names::all_gpus(&look.now)
                ),
                own,
            )
        };
        rows.insert(place, row);
    }
    let scenarios = [
        Some((RowMark::Now, "Current plan", look.now)),
        look.pinned
            .map(|pinned| (RowMark::Pinned, "A (pinned)", pinned)),
    ];
    for (mark, name, inputs) in scenarios.into_iter().flatten() {
        rows.push(scenario(mark, name, &inputs, slo));
    }
    let counts = |row: &&BestRow| !row.misses;
    let rates = rows.iter().filter(counts).filter_map(|row| row.rate);
    let longest = rates.fold(f64::MIN_POSITIVE, f64::max);
    let costs = || rows.iter().filter(counts).filter_map(|row| row.dollars);
    let least = costs().fold(f64::INFINITY, f64::min);
    // At one price per GPU, the plan with the highest throughput is the cheapest, so the lowest cost is not marked.
    let price = |row: &BestRow| Some(row.dollars? * row.rate?);
    let (lowest, highest) = extent(rows.iter().filter(counts).filter_map(price));
    let priced = highest > lowest * 1.001;
    let reference = own.map(|own| own.point.per_gpu);
    for row in rows.iter_mut().filter(|row| !row.misses) {
        row.bar = row.rate.map(|rate| rate / longest);
        row.ratio = row.rate.zip(reference).map(|(rate, own)| rate / own);
        row.least = priced && row.dollars.is_some_and(|dollars| dollars <= least);
    }
    sort_by_key(&mut rows, |row| row.misses);
    let shows_own = rows.iter().any(|row| row.is_own && !row.misses);
    let caption = [
        gpus.map(|gpus| match look.lines(searched) {
            PlanLines::Accelerator => format!("{} GPUs each", format::count(gpus.into())),
            _ => format!("on {}", names::gpus(gpus.into())),
        }),
        // On 1 GPU, parallelism factors are not listed.
        factors.filter(|_| gpus != Some(1)),
    ];
    BestTable {
        title: match slo {
            Some(slo) => format!("Best plan at ≥ {} tok/s/user", format::printed(slo)),
            None => "Best plan, no SLO".to_owned(),
        },
        base: reference.filter(|_| !shows_own).map(|rate| {
            let gpus = names::all_gpus(&look.now);
            format!("1× = {}, best plan on your {gpus}", format::si(rate))
        }),
        caption: caption.into_iter().flatten().collect::<Vec<_>>().join(", "),
        rows,
        absent: absent(searched, look, lines),
    }
}

/// True if the plans of two strategies are identical, for example if Helix does not split the context.
fn same_plan(one: &ShownPlan, other: &ShownPlan) -> bool {
    let rate = one.point.per_gpu / other.point.per_gpu;
    (one.inputs.gpu, one.inputs.precision) == (other.inputs.gpu, other.inputs.precision)
        && (one.point.gpus, one.point.batch) == (other.point.gpus, other.point.batch)
        && sharding::brief(&one.spec) == sharding::brief(&other.spec)
        && (rate - 1.0).abs() < 1e-9
}

fn scenario(mark: RowMark, name: &str, inputs: &Inputs, slo: Option<f64>) -> BestRow {
    let Some(plan) = stated(inputs) else {
        return BestRow::without(mark, name, "invalid".to_owned());
    };
    let point = plan.point;
    if !point.fits {
        return BestRow::without(mark, name, "out of memory".to_owned());
    }
    let late = slo.is_some_and(|slo| point.per_user < slo);
    BestRow {
        detail: match late {
            true => vec![misses(Some(point.per_user), slo)],
            false => { plan.split().into_iter() }
                .chain([
                    sharding::brief(&plan.spec),
                    plan.schedule().to_owned(),
                    format!("batch {}", format::count(point.batch)),
                ])
                .collect(),
        },
        misses: late,
        inputs: None,
        ..BestRow::of(mark, name, &plan)
    }
}

/// Returns the reason why a row shows no plan: "misses the SLO" or "no feasible plan".
fn misses(fastest: Option<f64>, slo: Option<f64>) -> String {
    match (fastest, slo) {
        (Some(_), Some(_)) => "misses the SLO".to_owned(),
        _ => "no feasible plan".to_owned(),
    }
}

/// Returns the searched strategies, accelerators or precisions without a line, each with the main reason; empty until
/// the search is done.
fn absent(
    searched: &Searched,
    look: &Look,
    lines: &[PlanFrontier],
) -> Vec<(&'static str, &'static str)> {
    if searched.stage != worker::Stage::Done {
        return Vec::new();
    }
    let (search, current) = (&searched.search, &searched.inputs);
    let keys: Vec<LineKey> = match look.lines(searched) {
        PlanLines::Strategy => search
            .strategies
            .iter()
            .copied()
            .map(LineKey::Strategy)
            .collect(),
        PlanLines::Accelerator => {
            let gpus = search.accelerators(current).into_iter();
            gpus.map(LineKey::Accelerator).collect()
        }
        PlanLines::Precision => {
            let precisions = search.precisions(current).into_iter();
            precisions.map(LineKey::Precision).collect()
        }
    };
    keys.into_iter()
        .filter(|key| !lines.iter().any(|line| line.key == *key))
        .map(|key| (key.names().0, why(searched, look, key)))
        .collect()
}

/// Returns the main reason why a strategy, an accelerator or a precision has no plan. It is an unsupported format or
/// model, or the rule that excludes most plans.
pub(super) fn why(searched: &Searched, look: &Look, key: LineKey) -> &'static str {
    let current = &searched.inputs;
    let own = look.now.get(Number::Gpus).map(|gpus| gpus as u32);
    let formatless = |gpu: Option<Gpu>| {
        let mut bases = searched.candidates.bases().iter();
        !bases.any(|base| gpu.is_none_or(|gpu| base.gpu == gpu) && key_of(key, base))
    };
    match key {
        LineKey::Accelerator(gpu) if formatless(Some(gpu)) => return "format not supported",
        LineKey::Precision(_) if formatless(None) => return "format not supported",
        LineKey::Strategy(Strategy::Medha) if current.model.arch().is_moe() => {
            return "dense models only";
        }
        _ => {}
    }
    let mut excluded = Exclusions::default();
    for (base, inputs) in searched.candidates.bases().iter().enumerate() {
        for strategy in Strategy::ALL {
            let of_key = match key {
                LineKey::Strategy(of) => of == strategy,
                _ => key_of(key, inputs),
            };
            let group = searched.answer.found.group(base, strategy);
            let Some(group) = group.filter(|_| of_key) else {
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
    if let (0, LineKey::Strategy(strategy), Some(own)) = (excluded.total(), key, own) {
        excluded = refused(current, strategy, own);
    }
    excluded.most().map_or("no plan", |(rule, _)| short(rule))
}

/// True if the base inputs of a search have this accelerator or precision; always true for a strategy.
fn key_of(key: LineKey, base: &Inputs) -> bool {
    match key {
        LineKey::Accelerator(gpu) => base.gpu == gpu,
        LineKey::Precision(precision) => base.precision == precision,
        LineKey::Strategy(_) => true,
    }
}

/// Counts the rule-breaking plans of a strategy on this GPU count, grouped by the first broken rule. If the scenario
/// itself is invalid, counts the scenario's violations instead.
fn refused(current: &Inputs, strategy: Strategy, gpus: u32) -> Exclusions {
    let mut rules = Exclusions::default();
    let arch = current.model.arch();
    match current.scenario() {
        Ok(base) => strategy.shardings(arch, base.plan.spec(), gpus, |spec| {
            if let Err(broken) = Sharding::new(spec, arch, gpus) {
                let rule = broken.first().map_or(Exclusion::Sharding, Exclusion::of);
                rules.add(rule, 1);
            }
        }),
        Err(refusals) => {
            for refusal in refusals
                .iter()
                .filter(|of| !matches!(of, Refusal::Lengths { .. }))
            {
                rules.add(Exclusion::of(refusal), 1);
            }
        }
    }
    rules
}

/// Returns a rule in a few words, to be put in parentheses after a name.
const fn short(rule: Exclusion) -> &'static str {
    match rule {
        Exclusion::Format => "format not supported",
        Exclusion::Heads => "heads not divisible",
        Exclusion::Stages => "more stages than layers",
        Exclusion::ExpertGroups => "more EP ranks than experts",
        Exclusion::Sharding => "invalid parallelism",
        Exclusion::TooFewSequences => "batch too small",
        Exclusion::NotFinite => "overflow",
        Exclusion::OutOfMemory => "out of memory",
        Exclusion::MissesSlo => "misses the SLO",
    }
}
