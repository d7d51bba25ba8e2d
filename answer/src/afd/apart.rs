//! The chart "Colocated or disaggregated?" for AFD: both deployments on the same GPUs.

use model_core::afd::own::Way;
use model_core::apart::LatencySource;
use model_core::inputs::Inputs;

use super::EvaluatedUnit;
use super::decision::{self, Decision};
use crate::apart::{self, Reached, Side, SidePoint, finding};
use crate::chart::Chart;
use crate::charts::OperatingPoint;
use crate::words::format;
use crate::words::names::gpu_of;

fn reached(way: Way) -> Reached {
    Reached {
        rate: way.per_gpu,
        batch: way.batch,
    }
}

/// Builds the chart of colocated deployment vs. closed-form AFD; both curves of the `pinned` scenario are drawn for
/// comparison. `differs` is true if the simulated AFD result deviates from the closed form.
pub fn chart(case: &EvaluatedUnit, pinned: Option<&EvaluatedUnit>, differs: bool) -> Chart {
    let EvaluatedUnit {
        inputs,
        decision,
        prompts,
        ..
    } = case;
    let both = |inputs, decision| {
        let sides = Sides { inputs, decision };
        [sides.colocated(), sides.afd()]
    };
    let Some(decision) = decision else {
        return Chart {
            finding: "Nothing to plot".into(),
            empty: match inputs.latencies {
                LatencySource::Table2 => "Table 2 latencies are not tied to a GPU",
                LatencySource::Derived => "neither deployment fits",
            }
            .into(),
            ..apart::chart(&[], &[], false, None)
        };
    };
    let sides = both(inputs, decision);
    let theirs = pinned.and_then(|of| Some(both(&of.inputs, of.decision.as_ref()?)));
    let theirs = theirs.map_or_else(Vec::new, Vec::from);
    let prompts = if *prompts {
        ", disaggregated prefill"
    } else {
        ""
    };
    let name = if differs { "AFD in closed form" } else { "AFD" };
    Chart {
        finding: finding(
            decision.users,
            decision.colocated.map(reached),
            decision.afd.map(reached),
            name,
        ),
        source: format!(
            "{} × {} on each side; colocated plan {}; each side at its best batch{prompts}; [R] and [A]",
            decision.sides.gpus,
            gpu_of(inputs),
            decision::plans(&decision.sides.colocated),
        )
        .into(),
        empty: "neither deployment fits".into(),
        ..apart::chart(
            &sides,
            &theirs,
            false,
            decision.factor().map(format::factor),
        )
    }
}

struct Sides<'a> {
    inputs: &'a Inputs,
    decision: &'a Decision,
}

/// Batch sizes per GPU to label along the colocated curve. One is labeled if a plan's batch is within 3% of it and at
/// least 10% from the current batch.
const NAMED: [f64; 10] = [1.0, 4.0, 8.0, 16.0, 32.0, 64.0, 96.0, 128.0, 256.0, 512.0];

impl Sides<'_> {
    fn point(&self, way: &Way) -> SidePoint {
        SidePoint {
            point: OperatingPoint {
                batch: way.batch,
                gpus: f64::from(self.decision.sides.gpus),
                tpot_s: 1.0 / way.users,
                per_user: way.users,
                per_gpu: way.per_gpu,
                fits: true,
            },
            tokens_per_dollar: None,
            name: match way.unit() {
                Some(parts) => format!("{} : {}", parts.attention, parts.ffn).into(),
                None => decision::schedule(way).into(),
            },
        }
    }

    fn colocated(&self) -> Side {
        let Decision {
            sides, colocated, ..
        } = self.decision;
        let gpus = f64::from(sides.gpus);
        // Label the plan with the nearest batch; the label is the candidate's round number.
        let near = |each: &f64| {
            let away = |way: &Way| (way.batch / gpus / each).max(each * gpus / way.batch);
            let nearest = { sides.colocated.iter() }.min_by(|a, b| away(a).total_cmp(&away(b)))?;
            let own = colocated.is_some_and(|now| (now.batch / nearest.batch - 1.0).abs() < 0.1);
            (away(nearest) < 1.03 && !own).then(|| (self.point(nearest), format::count(*each)))
        };
        let mut stops: Vec<(SidePoint, String)> = NAMED.iter().filter_map(near).collect();
        if let Some((_, first)) = stops.first_mut() {
            first.push_str(" per GPU");
        }
        let now = colocated.as_ref().map(|way| self.point(way));
        let changes = |way: Way| decision::change(self.inputs, &way).is_some();
        Side {
            colocated: true,
            label: "colocated",
            name: colocated.map_or_else(String::new, |way| {
                format!("{} per GPU", format::batch(way.batch / gpus))
            }),
            points: sides.colocated.iter().map(|way| self.point(way)).collect(),
            shown: now.is_some(),
            now,
            present: !colocated.is_none_or(changes),
            stops,
        }
    }

    fn afd(&self) -> Side {
        let Decision {
            sides, afd, asked, ..
        } = self.decision;
        let fastest = sides.afd.first().map_or(0.0, |way| way.users);
        let stop = { sides.afd_at(0.68 * fastest) }
            .and_then(|way| Some((self.point(way), way.unit()?)))
            .map(|(at, parts)| (at, decision::name(&parts)));
        Side {
            colocated: false,
            label: "AFD",
            name: { asked.filter(|_| afd.is_some()) }
                .map_or_else(String::new, |parts| decision::name(&parts)),
            points: sides.afd.iter().map(|way| self.point(way)).collect(),
            now: afd.as_ref().map(|way| self.point(way)),
            shown: self.decision.colocated.is_none(),
            present: false,
            stops: stop.into_iter().collect(),
        }
    }
}
