//! Levers of a service as a strip: in requests per second for a dollar, or for a GPU where no price is known.

use crate::answer::levers::{LeverRow, Strip, gives, settings, strip_name};
use crate::format;
use model_core::inputs::{Inputs, Number};
use model_core::levers::{Change, Effect, LeverGroup};
use model_core::order::sort_by;
use worker::service::{ServedLever, ServiceLeversAnswer};

/// Levers of a row of the strip.
const OF_A_ROW: usize = 3;

/// The strip of a service's levers.
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
        first.map(|one| row(one, now, scale)).collect()
    };
    let settings = listed
        .iter()
        .filter(|one| one.lever.change.group() != LeverGroup::Hardware)
        .take(OF_A_ROW)
        .map(|one| row(one, now, scale));
    Strip {
        basis: basis(levers, now),
        hardware_basis: None,
        settings: settings.collect(),
        hardware: rows(Some(LeverGroup::Hardware)),
        first: rows(None),
        all: levers.all.len(),
    }
}

/// "requests/s per $ with a first token within 2 s and 25 tok/s per user".
fn basis(levers: &ServiceLeversAnswer, now: &Inputs) -> String {
    let priced = now.get(Number::Price).is_some_and(|price| price > 0.0);
    let unit = if priced { "$" } else { "GPU" };
    let limits = [
        now.get(Number::Ttft)
            .map(|limit| format!("a first token within {} s", format::printed(limit))),
        now.get(Number::Slo)
            .map(|least| format!("{} tok/s per user", format::printed(least))),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    let with = match limits.is_empty() {
        true => String::new(),
        false => format!(" with {}", limits.join(" and ")),
    };
    match levers.base {
        Some(_) => format!("requests/s per {unit}{with}"),
        None => format!("what serves{with}, on how many GPUs"),
    }
}

/// Now without the replica that it states, where another scenario searches for one: GPUs are an answer.
fn searched_as(now: &Inputs, then: &Inputs) -> Inputs {
    let mut open = *now;
    if then.stated(Number::Gpus).is_none() {
        open.unshard();
        open.state(Number::Gpus, None);
    }
    open
}

fn row(one: &ServedLever, now: &Inputs, scale: f64) -> LeverRow {
    let lever = &one.lever;
    let gpus = one.gpus.map(|gpus| format!("{} GPUs", format::count(gpus)));
    let serves = lever.effect == Effect::Serves && lever.factor.is_some();
    let bar = lever
        .factor
        .map(|factor| ((factor - 1.0) / scale).clamp(0.0, 1.0));
    let sets = match lever.change {
        Change::Plan => "Searches replicas of any size and plan".to_owned(),
        _ => format!("Sets {}", settings(lever, now)),
    };
    let help = match &gpus {
        Some(gpus) => format!("{sets}: {gpus}."),
        None => format!("{sets}."),
    };
    LeverRow {
        name: match lever.change {
            Change::Plan => "replicas searched".to_owned(),
            _ => strip_name(lever, &searched_as(now, &lever.inputs)),
        },
        gives: match (serves, gpus) {
            (false, Some(gpus)) => gpus,
            _ => gives(lever),
        },
        bar: bar.filter(|_| serves),
        assumed: lever.assumed(now),
        extrapolated: lever.extrapolated,
        help,
        inputs: lever.inputs,
        group: lever.change.group(),
    }
}
