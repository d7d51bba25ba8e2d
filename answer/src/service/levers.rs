//! The list of levers (changes that help) of a service. Gains are in req/s per dollar, or per GPU if no price is
//! known.

use crate::compare::sides;
use crate::figures::{Better, FigureCell, versus};
use crate::levers::{LeverRow, Strip, gives, name, settings};
use crate::words::format;
use crate::words::sentence::Tone;
use model_core::inputs::{Inputs, Number};
use model_core::levers::{Change, Effect, LeverGroup};
use model_core::order::sort_by;
use worker::service::{ServedFigures, ServedLever, ServiceLeversAnswer};

/// Maximum number of levers in each short list.
const OF_A_ROW: usize = 3;

/// Builds the short lists of the best levers of a service.
pub fn strip(levers: &ServiceLeversAnswer, now: &Inputs) -> Strip {
    let listed = levers.all.iter().filter(|one| one.listed);
    let mut listed: Vec<&ServedLever> = listed.collect();
    sort_by(&mut listed, |one, other| {
        let factor = |one: &ServedLever| one.lever.factor.or(one.worth).unwrap_or(0.0);
        factor(other).total_cmp(&factor(one))
    });
    let factors = listed.iter().filter_map(|one| one.lever.factor);
    let scale = factors.fold(2.0, f64::max) - 1.0;
    let rows = |group: Option<LeverGroup>| -> Vec<LeverRow> {
        let of = |one: &&&ServedLever| group.is_none_or(|group| one.lever.change.group() == group);
        let first = listed.iter().filter(of).take(OF_A_ROW);
        first.map(|one| row(levers, one, now, scale)).collect()
    };
    let settings = listed
        .iter()
        .filter(|one| one.lever.change.group() != LeverGroup::Hardware)
        .take(OF_A_ROW)
        .map(|one| row(levers, one, now, scale));
    Strip {
        basis: basis(levers, now),
        hardware_basis: None,
        settings: settings.collect(),
        hardware: rows(Some(LeverGroup::Hardware)),
        first: rows(None),
        all: levers.all.len(),
    }
}

/// Describes the unit of the gains and the limits that apply: "req/s per $ at TTFT ≤ 2 s and ≥ 25 tok/s/user".
fn basis(levers: &ServiceLeversAnswer, now: &Inputs) -> String {
    let unit = unit(now);
    let limits = [
        now.get(Number::Ttft)
            .map(|limit| format!("TTFT ≤ {} s", format::printed(limit))),
        now.get(Number::Slo)
            .map(|least| format!("≥ {} tok/s/user", format::printed(least))),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    let with = match limits.is_empty() {
        true => String::new(),
        false => format!(" at {}", limits.join(" and ")),
    };
    match levers.base {
        Some(_) => format!("req/s per {unit}{with}"),
        None => format!("feasible changes{with}, and their GPU count"),
    }
}

/// Returns the unit per which requests are counted: "$" if there is a price, else "GPU".
fn unit(now: &Inputs) -> &'static str {
    let priced = now.get(Number::Price).is_some_and(|price| price > 0.0);
    if priced { "$" } else { "GPU" }
}

/// Returns the current inputs as the baseline for a changed scenario. If the change starts a search of replicas, the
/// baseline omits the replica that the user has set.
fn searched_as(now: &Inputs, then: &Inputs) -> Inputs {
    let mut open = *now;
    if then.stated(Number::Gpus).is_none() {
        open.unshard();
        open.state(Number::Gpus, None);
        if then.stated(Number::Batch).is_none() {
            open.state(Number::Batch, None);
        }
    }
    open
}

fn row(levers: &ServiceLeversAnswer, one: &ServedLever, now: &Inputs, scale: f64) -> LeverRow {
    let lever = &one.lever;
    let gpus = one
        .then
        .gpus
        .map(|gpus| format!("{} GPUs", format::count(gpus)));
    let serves = lever.effect == Effect::Serves && lever.factor.is_some();
    let bar = lever
        .factor
        .map(|factor| ((factor - 1.0) / scale).clamp(0.0, 1.0));
    let stated = searched_as(now, &lever.inputs);
    let sets = match lever.change {
        Change::Plan => "Searches replica sizes and plans".to_owned(),
        _ if stated != *now => format!("Searches replicas and sets {}", settings(lever, &stated)),
        _ => format!("Sets {}", settings(lever, now)),
    };
    let gained = gives(lever);
    let gain = match serves {
        true => format!("{gained} req/s per {}", unit(now)),
        false => gained.clone(),
    };
    let before = levers.now.gpus.map(format::count);
    let help = match (&gpus, before) {
        (Some(gpus), Some(before)) => format!("{sets}: {gpus} instead of {before}, {gain}."),
        (Some(gpus), None) => format!("{sets}: {gpus}, {gain}."),
        (None, _) => format!("{sets}: {gain}."),
    };
    LeverRow {
        name: match lever.change {
            Change::Plan => "search replicas".to_owned(),
            _ => name(lever, &stated),
        },
        gives: match (serves, gpus, one.fewer) {
            (false, Some(gpus), _) => gpus,
            (true, _, Some(1)) => "one replica fewer".to_owned(),
            _ => gained,
        },
        tone: Tone::Help,
        bar: bar.filter(|_| serves),
        assumed: lever.assumed(now),
        extrapolated: lever.extrapolated,
        help,
        changes: changes(&lever.inputs, now),
        results: results(&levers.now, &one.then),
        inputs: lever.inputs,
        group: lever.change.group(),
    }
}

/// Returns every setting that a change makes, as texts before and after. A search of replicas counts as one setting.
fn changes(then: &Inputs, now: &Inputs) -> Vec<(String, String)> {
    let stated = searched_as(now, then);
    let searched = (stated != *now).then(|| {
        let [before, after] = ["replica as set", "all replica sizes and plans searched"];
        (before.to_owned(), after.to_owned())
    });
    searched.into_iter().chain(sides(then, &stated)).collect()
}

/// Returns the figures after a change (GPUs, cost, TTFT and TPOT), compared with the current ones.
fn results(now: &ServedFigures, then: &ServedFigures) -> Vec<FigureCell> {
    let cell = |name: &str, [before, after]: [Option<f64>; 2], better, text: fn(f64) -> String| {
        let after = after?;
        Some(FigureCell {
            name: name.to_owned(),
            value: text(after),
            unit: String::new(),
            help: "",
            versus: before.map(|before| versus(after, before, better, text)),
            state: None,
            around: None,
        })
    };
    let time = |seconds: f64| format::duration(seconds).to_string();
    let cost = [now.per_million_output, then.per_million_output];
    [
        cell("GPUs", [now.gpus, then.gpus], Better::Less, format::count),
        cell("$/M output", cost, Better::Less, format::dollars),
        cell("TTFT", [now.ttft_s, then.ttft_s], Better::Sooner, time),
        cell("TPOT", [now.tpot_s, then.tpot_s], Better::Sooner, time),
    ]
    .into_iter()
    .flatten()
    .collect()
}
