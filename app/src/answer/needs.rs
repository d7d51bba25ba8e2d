//! "What would it take?": the least change of each number alone that reaches a target, with plan and batch as stated.

use model_core::inputs::{Inputs, Number};
use model_core::needs::{Least, Need, Target, Why, asked as numbers, needs};

use super::Evaluated;
use super::names::sequences;
use crate::format;

/// Answers for one target.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// "20 tok/s per user with 18,432 sequences", "room for everything".
    pub asked: String,
    /// Current value: "8.51 now", "met with 32.5".
    pub now: String,
    /// The target is met.
    pub met: bool,
    /// Numbers that can reach it, hardware last.
    pub rows: Vec<WantedRow>,
    /// Numbers that reach it with any value.
    pub any: Vec<&'static str>,
    /// Numbers that cannot reach it.
    pub none: Vec<&'static str>,
}

/// A number that can reach a target.
#[derive(Debug, Clone, PartialEq)]
pub struct WantedRow {
    /// "Scale-out".
    pub name: &'static str,
    /// "50 GB/s".
    pub now: String,
    /// "96.1 GB/s".
    pub least: String,
    /// Throughput per GPU with it.
    pub per_gpu: String,
    /// Key and value of the change: "scale_out 96.13".
    pub set: String,
    /// The complete inputs with it; `None` where they are those of now.
    pub inputs: Option<Inputs>,
}

/// An answer for each stated target, and for the memory where it is too small; empty without a target or for an
/// invalid scenario.
pub fn wanted(inputs: &Inputs) -> Vec<Wanted> {
    let Ok(case) = Evaluated::new(inputs) else {
        return Vec::new();
    };
    let asked = |target: &Target| *target != Target::Fits || !case.evaluation.memory.fits();
    Target::stated(inputs)
        .into_iter()
        .filter(asked)
        .filter_map(|target| one(&case, target))
        .collect()
}

fn one(case: &Evaluated, target: Target) -> Option<Wanted> {
    let found = needs(&case.inputs, target, &numbers(&case.scenario))?;
    // Stated prompt and output lengths define the context, so it is no number to change.
    let lengths = [Number::MeanPrompt, Number::MeanOutput];
    let made = lengths
        .iter()
        .any(|number| case.inputs.stated(*number).is_some());
    let (mut rows, mut bought) = (Vec::new(), Vec::new());
    let (mut any, mut none) = (Vec::new(), Vec::new());
    for need in &found.by {
        let name = name(need.number);
        match need.answer {
            _ if need.number == Some(Number::Context) && made => {}
            Least::None(Why::Absent) => {}
            Least::Any => any.push(name),
            Least::None(_) => none.push(name),
            Least::Number(_) | Least::Precision(_) => match is_bought(need.number) {
                true => bought.extend(row(case, need)),
                false => rows.extend(row(case, need)),
            },
        }
    }
    rows.extend(bought);
    let asked = asked(&target);
    Some(Wanted {
        asked: match target {
            Target::Speed(_) => {
                let batch = sequences(case.scenario.workload.batch);
                format!("{asked} with {batch}")
            }
            _ => asked,
        },
        now: now(case, &target, found.met),
        met: found.met,
        rows,
        any,
        none,
    })
}

/// "8.51 now", "met with 32.5", "105 of 80 GiB now".
fn now(case: &Evaluated, target: &Target, met: bool) -> String {
    let memory = &case.evaluation.memory;
    let Some(now) = target.of(&case.evaluation) else {
        let (total, has) = (memory.most().as_gib(), memory.usable.as_gib());
        return format!(
            "{} of {} GiB now",
            format::figure(total),
            format::printed(has)
        );
    };
    let now = amount(target, now);
    match (met, memory.fits()) {
        (false, true) => format!("{now} now"),
        (true, true) => format!("met with {now}"),
        (false, false) => format!("{now} if it fit"),
        (true, false) => format!("met with {now} if it fit"),
    }
}

/// "20 tok/s per user", "$0.10 per million tokens".
pub(super) fn asked(target: &Target) -> String {
    match target {
        Target::Fits => "room for everything".into(),
        Target::Speed(value) => format!("{} tok/s per user", format::printed(*value)),
        Target::Cost(value) => format!("${} per million tokens", format::printed(*value)),
        Target::Throughput(value) => format!("{} tok/s in all", format::count(*value)),
    }
}

/// The number of a target.
pub(super) fn amount(target: &Target, value: f64) -> String {
    match target {
        Target::Cost(_) => format::dollars(value),
        _ => format::figure(value),
    }
}

const fn name(number: Option<Number>) -> &'static str {
    match number {
        Some(Number::ScaleOut) => "Scale-out",
        Some(Number::ScaleUp) => "Scale-up",
        Some(Number::Hbm) => "HBM bandwidth",
        Some(Number::Capacity) => "HBM capacity",
        Some(Number::Gpus) => "GPUs",
        Some(Number::Batch) => "Batch",
        Some(Number::Context) => "Context",
        Some(Number::Beta) => "Expert balancedness",
        Some(_) => "FLOP/s",
        None => "Precision",
    }
}

const fn is_bought(number: Option<Number>) -> bool {
    !matches!(
        number,
        None | Some(Number::Batch | Number::Context | Number::Beta)
    )
}

/// A value of a number with its unit, if its name does not imply it.
fn value(number: Number, value: f64) -> String {
    match number {
        Number::ScaleOut | Number::ScaleUp | Number::Hbm => {
            format::bandwidth(value * 1e9).to_string()
        }
        Number::Capacity => format!("{} GiB", format::printed(value)),
        Number::Gpus | Number::Batch | Number::Context => format::count(value),
        Number::Beta => format::printed(value),
        _ => format::teraflop_per_s(value * 1e12).to_string(),
    }
}

fn row(case: &Evaluated, need: &Need) -> Option<WantedRow> {
    let inputs = need.inputs(&case.inputs)?;
    let (least, set) = match (need.answer, need.number) {
        (Least::Precision(precision), _) => (precision.id().into(), precision.id().into()),
        (Least::Number(least), Some(number)) => (value(number, least), format::printed(least)),
        _ => return None,
    };
    let now = match (need.number, need.now) {
        (Some(number), Some(now)) => value(number, now),
        _ => case.inputs.precision.id().into(),
    };
    let with = Evaluated::new(&inputs).ok()?;
    Some(WantedRow {
        name: name(need.number),
        now,
        least,
        per_gpu: format::figure(with.evaluation.tokens_per_gpu),
        set: format!("{} {set}", need.key()),
        inputs: (inputs != case.inputs.normalized()).then_some(inputs),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink::read;

    fn said(link: &str) -> Vec<Wanted> {
        wanted(&read(link).current)
    }

    #[test]
    fn target_rows_reach_it() {
        for link in [
            "v=1&slo=20",
            "v=1&slo=20&target_usd=0.1&target_tok_s=300000",
            "v=1&batch=60000&context=64k",
        ] {
            for (wanted, target) in said(link).iter().zip(stated(link)) {
                for row in &wanted.rows {
                    let inputs = row.inputs.unwrap_or(read(link).current);
                    let case = Evaluated::new(&inputs).expect("possible");
                    assert!(target.reached(&case.evaluation), "{link}: {}", row.set);
                }
            }
        }
    }

    /// The targets of a link that are answered.
    fn stated(link: &str) -> Vec<Target> {
        let inputs = read(link).current;
        let fits = Evaluated::new(&inputs).unwrap().evaluation.memory.fits();
        let mut stated = Target::stated(&inputs);
        stated.retain(|target| *target != Target::Fits || !fits);
        stated
    }

    #[test]
    fn numbers_without_effect_are_folded() {
        let unmet = &said("v=1&slo=1000")[0];
        assert!(!unmet.met && unmet.none.len() + unmet.rows.len() + unmet.any.len() == 10);
        assert!(unmet.none.contains(&"Precision"));
        let met = &said("v=1&slo=5&model=llama-3-70b&gpus=1&precision=fp4&gpu=b200&batch=8")[0];
        assert!(met.met && met.any.contains(&"Scale-out"));
        assert_eq!(said("v=1").len(), 0);
    }
}
