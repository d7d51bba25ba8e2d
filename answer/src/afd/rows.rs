//! Tables of the mode *AFD ratio*: latencies, A:F splits and memory.

use super::decision::{self, Decision};
use super::{EvaluatedUnit, Stated};
use crate::theme::Role;
use crate::words::format;
use model_core::afd::latency::{LatencyLine as Line, LoadSpan};
use model_core::afd::lengths::Distribution;
use model_core::afd::own::AfdUnit;
use model_core::afd::topology::Topology;
use model_core::cost::memory::Memory;
use model_core::inputs::Number;
use model_core::order::sort_by_key;
use model_core::units::Seconds;
use worker::simulate::{SimulateAnswer, Simulated};

/// A table row with a latency, its formula and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct LatencyRow {
    /// Part of the LLM that the latency belongs to; sets the row's color.
    pub role: Role,
    /// Name of the latency, such as "Attention".
    pub name: &'static str,
    /// Linear formula, such as "42.0 ns per cached token + 7.44 ms".
    pub formula: String,
    /// Meaning of the formula's slope and intercept.
    pub meaning: String,
    /// Time that the formula gives at the current A:F ratio.
    pub time: String,
}

/// A table row: an A:F split near the best one or, with entered latencies, a unit of whole ranks near the best ratio.
#[derive(Debug, Clone, PartialEq)]
pub struct BundleRow {
    /// Name of the A:F split, such as "32 : 40"; with entered latencies "37A4F".
    pub name: String,
    /// Scale-up domains of attention and FFN: "4 + 5", "shared" if a domain has GPUs of both, or "one" if one domain
    /// has all GPUs. With entered latencies, the A:F ratio.
    pub domains: String,
    /// The xAyF unit, such as "32A1F".
    pub unit: String,
    /// Sequences per attention rank in one micro-batch.
    pub slots: String,
    /// Throughput per GPU or, with entered latencies, per rank.
    pub rate: String,
    /// Throughput compared with the best row: "−0.3%", "best", or "misses SLO" if the row is too slow.
    pub against: String,
    /// Interactivity, in tok/s/user.
    pub users: String,
    /// Fractions of time that attention and the FFN are idle.
    pub idle: [String; 2],
    /// Memory in GiB on an attention GPU and on an FFN GPU; a dash if the GPU is unknown.
    pub gib: [String; 2],
    /// True if this row is the best A:F split.
    pub best: bool,
    /// True if this row is the A:F split shown.
    pub shown: bool,
    /// The inputs that the row's *Apply* button sets.
    pub states: Stated,
}

/// Formats a short time in a suitable unit, down to nanoseconds.
fn short(time: Seconds) -> String {
    let seconds = time.get();
    if seconds > 0.0 && seconds < 1e-6 {
        format!("{} ns", format::sig3(seconds * 1e9))
    } else {
        format::duration(seconds).to_string()
    }
}

fn formula(line: &Line, per: &str) -> String {
    let slope = format!("{} per {per}", short(line.slope));
    if line.intercept > Seconds::ZERO {
        format!("{slope} + {}", short(line.intercept))
    } else {
        slope
    }
}

/// Returns three table rows: the latencies of attention, communication and the FFN.
pub fn latencies(case: &EvaluatedUnit) -> Vec<LatencyRow> {
    let bundle = &case.bundle;
    let lines = &bundle.latencies;
    let exchange = bundle.exchange(case.asked.ratio, bundle.ffn_instances);
    let read_at = |span: Option<LoadSpan>, of: &str| {
        span.map_or_else(String::new, |LoadSpan { low, high }| {
            let (low, high) = (format::si(low), format::si(high));
            format!("; fitted at {low} and {high} {of}")
        })
    };
    let mut rows = vec![LatencyRow {
        role: Role::Attention,
        name: "Attention",
        formula: formula(&lines.attention, "cached token"),
        meaning: format!(
            "per token: KV-cache reads; fixed: projections and head{}",
            read_at(bundle.derived.map(|derived| derived.tokens), "tokens")
        ),
        time: short(case.asked.attention),
    }];
    let links = exchange.ffn != Line::ZERO;
    rows.push(LatencyRow {
        role: Role::Messages,
        name: "Communication",
        formula: formula(&exchange.attention, "sequence"),
        meaning: if links {
            format!(
                "per sequence: bytes sent both ways; fixed: latency. FFN links: {}",
                formula(&exchange.ffn, "row")
            )
        } else {
            "per sequence: bytes sent both ways; fixed: latency".to_owned()
        },
        time: short(case.asked.messages),
    });
    let weights = if lines.weights == Line::ZERO {
        String::new()
    } else {
        format!(", at least {}", short(lines.weights.at(bundle.slots)))
    };
    rows.push(LatencyRow {
        role: Role::Experts,
        name: "FFN",
        formula: format!("{}{weights}", formula(&lines.ffn, "row")),
        meaning: format!(
            "per row: compute on the busiest GPU; fixed: weight reads{}",
            read_at(bundle.derived.map(|derived| derived.rows), "rows")
        ),
        time: short(case.asked.ffn),
    });
    rows
}

/// Maximum number of table rows.
const ROWS: usize = 5;

/// Returns rows for the A:F splits near the best one or, with entered latencies, for whole ranks near the best ratio.
pub fn bundles(case: &EvaluatedUnit) -> Vec<BundleRow> {
    match &case.decision {
        Some(_) if !case.has_division() => Vec::new(),
        Some(decision) => divisions(case, decision),
        None if case.per_gpu() => Vec::new(),
        None => topologies(case),
    }
}

/// Returns rows for the best A:F split, the current split, and nearby splits. Nearby splits are multiples of a scale-up
/// domain or, with fewer than three domains, of about 1/9 of the GPUs.
fn divisions(case: &EvaluatedUnit, decision: &Decision) -> Vec<BundleRow> {
    let Some(best) = decision.best.or(decision.asked) else {
        return Vec::new();
    };
    let (gpus, users) = (decision.sides.gpus, decision.users);
    let domain = case.inputs.get(Number::Domain).unwrap_or(1.0).max(1.0) as u32;
    let step = if domain * 3 <= gpus {
        domain
    } else {
        gpus.div_ceil(9).max(1)
    };
    let mut rows = vec![best];
    rows.extend(
        decision
            .asked
            .filter(|asked| asked.attention != best.attention),
    );
    let mut others: Vec<AfdUnit> = decision
        .divisions
        .iter()
        .filter(|parts| parts.attention % step == 0)
        .copied()
        .collect();
    sort_by_key(&mut others, |parts| {
        parts.attention.abs_diff(best.attention)
    });
    for parts in others {
        if rows.len() < ROWS && rows.iter().all(|row| row.attention != parts.attention) {
            rows.push(parts);
        }
    }
    sort_by_key(&mut rows, |parts| parts.attention);
    let row = |parts: &AfdUnit| {
        let gib = |memory: Memory| format::figure(memory.most().as_gib());
        let memory = parts.memory(&case.inputs);
        let change = parts.point.per_weight_in_flight / best.point.per_weight_in_flight;
        let is_best = parts.attention == best.attention;
        BundleRow {
            name: decision::name(parts),
            domains: if gpus <= domain {
                "one".to_owned()
            } else if parts.attention.is_multiple_of(domain) {
                format!(
                    "{} + {}",
                    parts.attention / domain,
                    parts.ffn.div_ceil(domain)
                )
            } else {
                "shared".to_owned()
            },
            unit: decision::unit(parts),
            slots: format::count(parts.slots),
            rate: format::figure(parts.point.per_weight_in_flight),
            against: if is_best {
                "best".to_owned()
            } else if parts.users() < users {
                // Throughput below the required interactivity is not compared.
                "misses SLO".to_owned()
            } else {
                format::percent_change(change, 1.0)
            },
            users: format::sig3(parts.users()),
            idle: [parts.point.idle_attention, parts.point.idle_ffn].map(format::share),
            gib: memory.map_or_else(
                || [format::NONE, format::NONE].map(str::to_owned),
                |of| of.map(gib),
            ),
            best: is_best,
            shown: decision.asked == Some(*parts),
            states: super::curve::states(case, decision, parts),
        }
    };
    rows.iter().map(row).collect()
}

/// Returns table rows for xAyF units, which have whole numbers of attention and FFN ranks. Their A:F ratios are close
/// to the best ratio.
fn topologies(case: &EvaluatedUnit) -> Vec<BundleRow> {
    let found = case.bundle.topologies();
    // If losses are equal, keep the first topology, which has the fewest ranks.
    let best = found
        .iter()
        .reduce(|best, next| if next.loss < best.loss { next } else { best });
    let is_best = |of: &Topology| best.is_some_and(|best| std::ptr::eq(best, of));
    let least = best.map_or(0.0, |best| best.loss);
    let row = |topology: &Topology| BundleRow {
        name: format!("{}A{}F", topology.attention, topology.ffn),
        domains: format::sig3(topology.point.ratio),
        unit: format!("{}A{}F", topology.attention, topology.ffn),
        slots: format::count(case.bundle.slots),
        rate: format::figure(topology.point.per_instance),
        against: if is_best(topology) {
            "best".to_owned()
        } else {
            format::percent_change(1.0 - topology.loss, 1.0 - least)
        },
        users: format::figure(1.0 / topology.point.tpot.get()),
        idle: [topology.point.idle_attention, topology.point.idle_ffn].map(format::share),
        gib: [format::NONE, format::NONE].map(str::to_owned),
        best: is_best(topology),
        shown: (topology.point.ratio / case.asked.ratio - 1.0).abs() < 1e-6
            && topology.ffn == case.bundle.ffn_instances,
        states: vec![
            (Number::FfnInstances, Some(f64::from(topology.ffn))),
            (Number::Ratio, Some(topology.point.ratio)),
        ],
    };
    found.iter().map(row).collect()
}

/// Describes the assumptions about request lengths.
pub fn lengths(case: &EvaluatedUnit) -> String {
    let model = &case.bundle.lengths;
    let scatter = match model.output {
        Distribution::Fixed(_) => "all requests equal",
        Distribution::Geometric(_) if case.bundle.scatter.trace().is_some() => {
            "trace gives only means; lengths assumed geometric"
        }
        Distribution::Geometric(_) => "geometric",
        Distribution::Weibull { .. } => "Weibull with the trace’s mean and standard deviation",
    };
    format!(
        "mean context {} in steady state, {} over {} requests; {scatter}",
        format::si(model.context()),
        format::si(case.bundle.token_load() / case.bundle.slots),
        format::count(f64::from(case.bundle.requests)),
    )
}

/// Explains why simulated throughput is below the closed form: requests still in flight, and waits for the slowest
/// attention rank at each barrier.
pub fn gap(simulated: &SimulateAnswer) -> String {
    let points = &simulated.points;
    let by_size =
        |a: &&Simulated, b: &&Simulated| a.attention_instances.total_cmp(&b.attention_instances);
    let (Some(asked), Some(most)) = (points.first(), points.iter().max_by(by_size)) else {
        return String::new();
    };
    let running = 1.0 - asked.per_instance / asked.per_instance_generated;
    let mut said = format!(
        "Simulated points count every generated token; requests still in flight hold {} of them.",
        format::share(running)
    );
    let slowest = |point: &Simulated| {
        format!(
            "{} the mean of {} ranks",
            format::factor(point.straggling),
            format::count(point.attention_instances)
        )
    };
    if most.attention_instances > 1.5 {
        said.push_str(&format!(
            " Each step waits for the slowest attention rank: {}",
            slowest(asked)
        ));
        if most.attention_instances > asked.attention_instances {
            said.push_str(&format!(" and {}", slowest(most)));
        }
        said.push('.');
    }
    said
}

#[cfg(test)]
mod tests {
    use super::gap;
    use worker::simulate::{SimulateAnswer, Simulated};

    #[test]
    fn the_gap_is_told_by_its_two_causes() {
        let point = |instances: f64, straggling: f64| Simulated {
            attention_instances: instances,
            ratio: instances,
            per_instance: 679.0,
            per_instance_generated: 727.0,
            tpot_s: 6e-4,
            idle_attention: 0.08,
            idle_ffn: 0.08,
            straggling,
            completed: 90_000.0,
            steps: 19_446.0,
        };
        let mut answer = SimulateAnswer {
            seconds: 0.1,
            progress: 1.0,
            wanted: 2,
            too_long: 0,
            points: vec![point(9.0, 1.06), point(32.0, 1.089)],
            timeline: None,
        };
        assert_eq!(
            gap(&answer),
            "Simulated points count every generated token; requests still in flight hold 7% of them. \
             Each step waits for the slowest attention rank: 1.06× the mean of 9 ranks and 1.09× the mean of 32 ranks."
        );
        answer.points.clear();
        assert_eq!(gap(&answer), "");
    }
}
