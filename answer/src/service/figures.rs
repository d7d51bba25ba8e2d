//! The row of key figures of the Service view: GPUs, costs, TTFT, interactivity and utilization.

use super::headline::of_prefill;
use crate::figures::{Better, FigureCell, versus};
use crate::words::format;
use crate::words::names::gpu_of;
use crate::words::sentence::Tone;
use model_core::inputs::{Inputs, Number};
use model_core::service::Service;
use model_core::service::answer::{Aggregated, Disaggregated};
use model_core::workload::Pools;

const HOUR: f64 = 3600.0;

/// Figures of the pools that serve the requests. Without a request rate, the figures are those of a balanced set of
/// replicas at full utilization.
#[derive(Default)]
struct Numbers {
    gpus: Option<f64>,
    /// Replicas and GPUs per replica of each pool: "3×8 prefill + 1×16 decode". For an aggregated replica without a
    /// request rate, the rate that it serves: "2.5 req/s".
    made_of: String,
    per_request: Option<f64>,
    per_million_output: Option<f64>,
    per_million_new: Option<f64>,
    first_token_s: Option<f64>,
    /// True if the TTFT is that of idle replicas, without queueing.
    idle: bool,
    tpot_s: Option<f64>,
    /// Names of the pools, each with its utilization; the busier pool is first.
    used: Vec<(&'static str, f64)>,
}

impl Numbers {
    fn of(service: &Service) -> Self {
        let cost = service.cost();
        let common = Self {
            per_million_output: cost.map(|cost| cost.per_million_output),
            per_million_new: cost.map(|cost| cost.per_million_new),
            tpot_s: service.tpot().map(|tpot| tpot.get()),
            ..Self::default()
        };
        let known = match service.choice {
            Some(Pools::Aggregated) => service.aggregated.as_ref().ok().map(Self::together),
            Some(_) => service.disaggregated.as_ref().ok().map(Self::apart),
            None => None,
        };
        let known = known.unwrap_or_default();
        Self {
            per_request: cost.map(|cost| cost.per_request).or(known.per_request),
            per_million_output: common.per_million_output,
            per_million_new: common.per_million_new,
            tpot_s: common.tpot_s,
            ..known
        }
    }

    fn together(of: &Aggregated) -> Self {
        let size = format::count(f64::from(of.replica.gpus));
        let per_request = of.dollars_per_rate.map(|dollars| dollars / HOUR);
        match &of.loaded {
            Some(loaded) => Self {
                gpus: Some(loaded.pool.gpus as f64),
                made_of: format!(
                    "{}×{size} aggregated",
                    format::count(loaded.pool.replicas as f64)
                ),
                first_token_s: Some(loaded.first_token.total().get()),
                used: vec![("aggregated", loaded.pool.utilisation)],
                ..Self::default()
            },
            None => Self {
                gpus: Some(f64::from(of.replica.gpus)),
                made_of: format!("{} req/s", format::sig3(of.replica.rate)),
                per_request,
                first_token_s: Some(of.replica.alone().get()),
                idle: true,
                ..Self::default()
            },
        }
    }

    fn apart(of: &Disaggregated) -> Self {
        let made_of = |prefill: u64, decode: u64| {
            let [x, y] = [prefill, decode].map(|replicas| format::count(replicas as f64));
            let [prefill, decode] =
                [of.prefill.gpus, of.decode.gpus].map(|gpus| format::count(gpus.into()));
            format!("{x}×{prefill} prefill + {y}×{decode} decode")
        };
        match &of.loaded {
            Some(loaded) => {
                let mut used = vec![
                    ("prefill", loaded.prefill.utilisation),
                    ("decode", loaded.decode.utilisation),
                ];
                if used[0].1 < used[1].1 {
                    used.reverse();
                }
                Self {
                    gpus: Some(loaded.gpus() as f64),
                    made_of: made_of(loaded.prefill.replicas, loaded.decode.replicas),
                    first_token_s: Some(loaded.first_token.total().get()),
                    used,
                    ..Self::default()
                }
            }
            None => {
                let prefill = of.matched.prefill * of.prefill.gpus;
                let decode = of.matched.decode * of.decode.gpus;
                Self {
                    gpus: Some(f64::from(prefill + decode)),
                    made_of: made_of(of.matched.prefill.into(), of.matched.decode.into()),
                    per_request: of.dollars_per_rate.map(|dollars| dollars / HOUR),
                    first_token_s: Some(of.prefill.alone().get()),
                    idle: true,
                    ..Self::default()
                }
            }
        }
    }
}

/// Returns the key figures: GPUs, cost of requests, cost of output, TTFT, interactivity and utilization.
pub fn cells(now: &Service, then: Option<&Service>, inputs: &Inputs) -> [FigureCell; 6] {
    let (now, then) = (Numbers::of(now), then.map(Numbers::of));
    let theirs = |of: fn(&Numbers) -> Option<f64>| then.as_ref().and_then(of);
    let per_thousand = |of: &Numbers| of.per_request.map(|dollars| dollars * 1e3);
    let users = |of: &Numbers| of.tpot_s.map(|tpot| 1.0 / tpot);
    let whose = match of_prefill(inputs) {
        Some(_) => "of both types".to_owned(),
        None => gpu_of(inputs).to_owned(),
    };
    [
        FigureCell {
            state: note(now.made_of.clone()),
            ..cell(
                "GPUs",
                whose,
                "GPUs of all replicas; without a request rate, of the smallest balanced set",
                (now.gpus, theirs(|of| of.gpus)),
                Better::Less,
                format::count,
            )
        },
        FigureCell {
            state: hourly(&now, inputs),
            ..cell(
                "Cost per 1,000 requests",
                String::new(),
                "Cost of all GPUs for 1,000 requests; without a request rate, at full utilization",
                (per_thousand(&now), then.as_ref().and_then(per_thousand)),
                Better::Less,
                format::dollars,
            )
        },
        FigureCell {
            state: match now.per_million_new {
                Some(new) => note(format!(
                    "prefill {}/M uncached input tok",
                    format::dollars(new)
                )),
                None if now.per_request.is_some() => note("needs a request rate".to_owned()),
                None if inputs.get(Number::Price).is_none() => {
                    note("needs a request rate and prices".to_owned())
                }
                None => None,
            },
            ..cell(
                "Decode cost",
                "/M tok".to_owned(),
                "Cost of the decode GPUs per million output tokens; prefill is priced per million uncached input \
                    tokens",
                (now.per_million_output, theirs(|of| of.per_million_output)),
                Better::Less,
                format::dollars,
            )
        },
        first_token(&now, theirs(|of| of.first_token_s), inputs),
        FigureCell {
            state: now.tpot_s.and_then(|tpot| {
                let least = inputs.get(Number::Slo).map(format::printed);
                let least = least.map_or_else(String::new, |least| format!("; ≥ {least}"));
                note(format!("TPOT {}{least}", format::millis(tpot)))
            }),
            ..cell(
                "Interactivity",
                "tok/s/user".to_owned(),
                "Tokens per second per user: 1 ÷ TPOT",
                (users(&now), then.as_ref().and_then(users)),
                Better::More,
                format::si,
            )
        },
        utilisation(&now, inputs),
    ]
}

fn note(text: String) -> Option<(String, Tone)> {
    (!text.is_empty()).then_some((text, Tone::Muted))
}

/// Creates the cell of one key figure. The cell shows "–" if the value is unknown, for example because the service is
/// infeasible.
fn cell(
    name: &str,
    unit: String,
    help: &'static str,
    (now, then): (Option<f64>, Option<f64>),
    better: Better,
    text: fn(f64) -> String,
) -> FigureCell {
    let versus = now
        .zip(then)
        .map(|(now, then)| versus(now, then, better, text));
    FigureCell {
        name: name.to_owned(),
        value: now.map_or_else(|| format::NONE.to_owned(), text),
        unit: now.map_or_else(String::new, |_| unit),
        help,
        versus,
        state: None,
        around: None,
    }
}

/// Returns a note with the cost of the service per hour, "$116/h", or "set a price" if no price is set. Returns `None`
/// if the cost is otherwise unknown or no request rate is set.
fn hourly(now: &Numbers, inputs: &Inputs) -> Option<(String, Tone)> {
    let Some(per_request) = now.per_request else {
        let unknown = inputs.get(Number::Price).is_none();
        return unknown.then(|| note("set a price".to_owned()))?;
    };
    let rate = inputs.get(Number::Rate)?;
    note(format!("{}/h", format::dollars(per_request * rate * HOUR)))
}

fn first_token(now: &Numbers, then: Option<f64>, inputs: &Inputs) -> FigureCell {
    let limit = inputs.get(Number::Ttft).map(format::printed);
    let limit = limit.map_or_else(String::new, |limit| format!("limit {limit} s; "));
    let of = if now.idle { "no queueing" } else { "mean" };
    let state = now.first_token_s.and_then(|_| note(format!("{limit}{of}")));
    let quantity = now.first_token_s.map(format::duration);
    let seconds: fn(f64) -> String = |seconds| format::duration(seconds).to_string();
    let unit = quantity.as_ref().map_or("", |quantity| quantity.unit);
    let shown = cell(
        "Time to first token",
        unit.to_owned(),
        "Mean TTFT: queueing, prefill, and KV transfer or first step. For Poisson arrivals; no percentiles. \
            Measured prefill takes 1.05–2.3× as long",
        (now.first_token_s, then),
        Better::Sooner,
        seconds,
    );
    FigureCell {
        value: quantity.map_or_else(|| format::NONE.to_owned(), |quantity| quantity.value),
        state,
        ..shown
    }
}

fn utilisation(now: &Numbers, inputs: &Inputs) -> FigureCell {
    let most = format::share(inputs.get(Number::Util).unwrap_or(1.0));
    let fuller = now.used.first();
    let others = now.used.iter().skip(1);
    let mut notes: Vec<String> = others
        .map(|(name, used)| format!("{name} {}", format::share(*used)))
        .collect();
    notes.push(format!("max {most}"));
    FigureCell {
        state: note(notes.join("; ")),
        ..cell(
            "Utilization",
            fuller.map_or_else(String::new, |(name, _)| (*name).to_owned()),
            "Utilization of the busier pool: demand ÷ capacity",
            (fuller.map(|(_, used)| *used), None),
            Better::Neither,
            format::share,
        )
    }
}
