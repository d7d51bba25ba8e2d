//! "Which accelerator is cheapest?": compares the best plan on each candidate accelerator, and finds the request rate
//! beyond which another candidate is cheaper.

mod chart;
mod sentence;

use crate::chart::Chart;
use crate::plans;
use crate::sharding;
use crate::words::format;
use crate::words::names::short_name;
use crate::words::sentence::Sentence;
use model_core::candidates::{
    Candidate, CandidateBest, CandidateMiss, CandidateRow, CandidatesFound, Limit, MadeOf, compared,
};
use model_core::inputs::{Inputs, Number};
use model_core::permalink::Link;
use model_core::search::Search;
use std::sync::Arc;

/// The comparison of candidate accelerators as the page shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidatesAnswer {
    /// The result in one sentence, such as "H200 is cheaper at every rate tried up to 420 req/s, GB200 beyond."
    pub headline: Sentence,
    /// The traffic and the limits that every candidate has to meet.
    pub basis: String,
    /// One row for each candidate, the cheapest first.
    pub rows: Vec<CandidateLine>,
    /// The chart of cost vs. request rate or, if no request rate is set, vs. interactivity.
    pub chart: Arc<Chart>,
}

/// A row of the table of candidates.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateLine {
    /// Index in the list of candidates, in the order in which the user wrote it.
    pub place: usize,
    /// Name of the candidate: "GB200", or "GB200 fp4" if another row has the same accelerator.
    pub name: String,
    /// Replicas and sharding, such as "6 × 4 prefill + 4 × 8 decode" or "3 × 24, DP 24 · EP 24". If the candidate is
    /// infeasible, the reason.
    pub detail: String,
    /// True if the candidate is infeasible or needs more GPUs than are available.
    pub misses: bool,
    /// Total GPUs of the candidate's best deployment.
    pub gpus: Option<f64>,
    /// Cost in US dollars per million output tokens.
    pub dollars: Option<f64>,
    /// This candidate's cost ÷ the cost of the cheapest feasible candidate.
    pub ratio: Option<f64>,
    /// Mean TTFT in seconds; `None` without a request rate.
    pub first_token_s: Option<f64>,
    /// TPOT, in seconds.
    pub tpot_s: Option<f64>,
    /// Energy in joules per output token, at board power.
    pub joules: Option<f64>,
    /// Price in US dollars per GPU-hour.
    pub price: Option<f64>,
    /// Inputs of the scenario that opens from this candidate's row.
    pub inputs: Inputs,
}

/// Returns the parts of a permalink that the comparison depends on: inputs, search and candidates. The returned inputs
/// include no batch and no plan, so changing either requires no new comparison.
pub fn asked(link: &Link) -> (Inputs, Search, Vec<Candidate>) {
    let (inputs, _) = plans::asked(link);
    let search = Search {
        gpus: None,
        ..link.search.clone()
    };
    let candidates = compared(&link.candidates, &search, &link.current);
    (inputs, search, candidates)
}

impl CandidatesAnswer {
    /// Builds the comparison of these candidates from their results.
    pub fn of(found: &CandidatesFound, candidates: &[Candidate], now: &Inputs) -> Self {
        let names = names(candidates);
        let feasible = |row: &&CandidateRow| {
            let best = row.found.as_ref();
            best.is_ok_and(CandidateBest::is_available)
        };
        let costs = found.rows.iter().filter(feasible);
        let costs = costs.filter_map(|row| row.found.as_ref().ok()?.dollars_per_mtok);
        let least = costs.reduce(f64::min);
        let rows = found.rows.iter();
        let rows: Vec<CandidateLine> = rows.map(|row| line(row, &names, least)).collect();
        let finding = sentence::finding(found, &rows, &names, now);
        let chart = chart::chart(found, &rows, &names, finding.short(), now);
        Self {
            headline: finding.headline(),
            basis: basis(now),
            rows,
            chart: Arc::new(chart),
        }
    }
}

/// Returns the names of the candidates. Precision and limit are added for an accelerator that is listed several times.
pub fn names(candidates: &[Candidate]) -> Vec<String> {
    let twice = |one: &Candidate| candidates.iter().filter(|of| of.gpu == one.gpu).count() > 1;
    let name = |one: &Candidate| {
        let name = short_name(one.gpu.name()).to_owned();
        let precision = one.precision.map(|precision| precision.id().to_owned());
        let parts = [precision, one.limit.map(limit)];
        let parts = parts.into_iter().flatten().filter(|_| twice(one));
        std::iter::once(name)
            .chain(parts)
            .collect::<Vec<_>>()
            .join(" ")
    };
    candidates.iter().map(name).collect()
}

/// Formats the limit of a candidate: "≤ 64 GPUs" or "≤ $200/h".
fn limit(limit: Limit) -> String {
    match limit {
        Limit::Gpus(gpus) => format!("≤ {} GPUs", format::count(gpus.into())),
        Limit::Budget(dollars) => format!("≤ ${}/h", format::printed(dollars)),
    }
}

fn line(row: &CandidateRow, names: &[String], least: Option<f64>) -> CandidateLine {
    let best = row.found.as_ref().ok();
    let dollars = best.and_then(|best| best.dollars_per_mtok);
    CandidateLine {
        place: row.place,
        name: names.get(row.place).cloned().unwrap_or_default(),
        detail: match &row.found {
            Ok(best) => detail(best),
            Err(miss) => why(*miss),
        },
        misses: !best.is_some_and(CandidateBest::is_available),
        gpus: best.map(|best| best.gpus),
        dollars,
        ratio: dollars.zip(least).map(|(cost, least)| cost / least),
        first_token_s: best.and_then(|best| Some(best.first_token?.get())),
        tpot_s: best.map(|best| best.tpot.get()),
        joules: best.and_then(|best| best.joules),
        price: row.price,
        inputs: row.inputs,
    }
}

fn detail(best: &CandidateBest) -> String {
    let times = |count: f64, each: u32| {
        format!("{} × {}", format::count(count), format::count(each.into()))
    };
    let made_of = match &best.made_of {
        MadeOf::Plan(count, each, spec) if *count > 1.0 => {
            format!("{}, {}", times(*count, *each), sharding::brief(spec))
        }
        MadeOf::Plan(_, _, spec) => sharding::brief(spec),
        MadeOf::Aggregated(count, each) => format!("{} aggregated", times(*count as f64, *each)),
        MadeOf::Pools(prefill, decode) => format!(
            "{} prefill + {} decode",
            times(prefill.0 as f64, prefill.1),
            times(decode.0 as f64, decode.1)
        ),
    };
    match best.available.filter(|_| !best.is_available()) {
        Some(gpus) => format!("{made_of}; only {} available", format::count(gpus.into())),
        None => made_of,
    }
}

fn why(miss: CandidateMiss) -> String {
    match miss {
        CandidateMiss::Refused => "format not supported".to_owned(),
        CandidateMiss::NoPlan => "no feasible plan".to_owned(),
        CandidateMiss::Memory => "out of memory".to_owned(),
        CandidateMiss::Slow(fastest) => {
            format!("max {} tok/s/user", format::sig3(fastest))
        }
        CandidateMiss::FirstToken(soonest) => {
            format!("TTFT min {}", format::duration(soonest.get()))
        }
        CandidateMiss::NoPrice => "a budget needs a price".to_owned(),
        CandidateMiss::Budget => "budget below the price of one GPU".to_owned(),
    }
}

/// Describes the traffic and limits: "50 req/s, TTFT ≤ 2 s, ≥ 25 tok/s/user".
fn basis(now: &Inputs) -> String {
    let rate = now.get(Number::Rate);
    let parts = [
        rate.map(|rate| format!("{} req/s", format::printed(rate))),
        now.get(Number::Ttft)
            .filter(|_| rate.is_some())
            .map(|limit| format!("TTFT ≤ {} s", format::printed(limit))),
        now.get(Number::Slo)
            .map(|least| format!("≥ {} tok/s/user", format::printed(least))),
    ];
    let parts = parts.into_iter().flatten();
    let decode = rate.is_none().then(|| "decode only".to_owned());
    decode
        .into_iter()
        .chain(parts)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests;
