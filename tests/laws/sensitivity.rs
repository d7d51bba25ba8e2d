//! What more or less of a resource can do.

use model_core::permalink::{read, write_inputs};
use model_core::plan::Overlap;
use model_core::scenario::restate::restate;
use model_core::sensitivity::{
    Change, Compared, Effect, Obstacle, Resource, Sensitivity, changed, effect, sensitivities,
};
use model_core::workload::Serving;

use ridgepoint_tests::check::{at_most, hop_b_in_blocks};

use super::{CASES, Case, evaluated, law};

fn rows(case: &Case) -> Vec<Sensitivity> {
    let scenario = case.scenario();
    sensitivities(&scenario, &evaluated(&scenario))
}

/// Twice a rate is never slower, half of it never faster, and neither by more than the factor.
/// (HOP-B on blocks is the exception that `growth` pins.)
#[test]
fn rates_move_the_throughput_the_right_way_and_no_further_than_they_move() {
    law(CASES, |case| {
        let scenario = case.scenario();
        // Under an SLO the batch follows, and with it the prompts that everybody waits for.
        if hop_b_in_blocks(&scenario) || scenario.workload.serving != Serving::Decode {
            return;
        }
        for row in rows(case) {
            let less_is_better = match row.resource {
                Resource::Compute | Resource::Hbm | Resource::ScaleUp | Resource::ScaleOut => false,
                Resource::Balance => false,
                Resource::Latency => true,
                _ => continue,
            };
            // Under an SLO the batch moves too, and with it the throughput as far as it likes.
            let slo = case.scenario().workload.slo.is_some();
            let bounds = |change| match (change, less_is_better) {
                (Change::Twice, false) | (Change::Half, true) if slo => (1.0, f64::MAX),
                (Change::Twice, false) | (Change::Half, true) => (1.0, 2.0),
                _ if slo => (0.0, 1.0),
                _ => (0.5, 1.0),
            };
            for change in Change::ALL {
                let (least, most) = bounds(change);
                if let Effect::Throughput(ratio) = row.of(change) {
                    let within = at_most(least, ratio) && at_most(ratio, most);
                    assert!(within, "{row:?}");
                }
            }
        }
    });
}

/// More memory is never worse, less never better: a larger share of a step that also grows.
///
/// Where HOP-B divides fixed times among requests a larger batch can even shorten a step (see
/// `growth`), which only helps; on blocks it is the pinned exception.
#[test]
fn more_capacity_never_costs_throughput() {
    law(CASES, |case| {
        let scenario = case.scenario();
        // Each further sequence brings a prompt that all others wait for, where one engine reads them.
        let aggregated = scenario.workload.serving != Serving::Decode;
        if hop_b_in_blocks(&scenario) || aggregated {
            return;
        }
        let before = evaluated(&scenario);
        for change in Change::ALL {
            let effect = effect(&scenario, &before, Resource::Capacity, change);
            if let Effect::Throughput(ratio) = effect {
                let right = match change {
                    Change::Twice => at_most(1.0, ratio),
                    Change::Half => at_most(ratio, 1.0),
                };
                assert!(right, "{change:?} {ratio}");
            }
            if change == Change::Twice && before.memory.fits() {
                assert!(matches!(effect, Effect::Throughput(_)), "{effect:?}");
            }
        }
    });
}

/// Rows are sorted by the better change, and nothing that fits now is told as if it did not.
#[test]
fn the_most_worth_having_comes_first() {
    law(CASES, |case| {
        let rows = rows(case);
        let gain = |row: &Sensitivity| {
            let ratios = Change::ALL.map(|change| row.of(change).throughput().unwrap_or(1.0));
            ratios[0].max(ratios[1])
        };
        // Rows within half a percent of each other count as equal.
        assert!(
            rows.is_sorted_by(|left, right| gain(left) >= gain(right) - 0.0051),
            "{rows:?}"
        );
        for row in &rows {
            assert!(row.resource.exists(&case.scenario()));
            for change in Change::ALL {
                if let Some(ratio) = row.of(change).throughput() {
                    assert!(ratio.is_finite() && ratio > 0.0, "{row:?}");
                }
            }
        }
    });
}

/// The edit that a row stands for has the throughput that the row says, through a link and back.
#[test]
fn a_row_opens_as_the_link_it_stands_for() {
    law(CASES / 2, |case| {
        let scenario = case.scenario();
        let now = evaluated(&scenario);
        let before = Compared::of(&scenario, &now).evaluation;
        for resource in Resource::ALL {
            for change in Change::ALL {
                let Effect::Throughput(ratio) = effect(&scenario, &now, resource, change) else {
                    continue;
                };
                let Ok(other) = changed(&scenario, resource, change.factor()) else {
                    continue;
                };
                // A link holds no number beyond its range.
                let Some(inputs) = restate(&case.inputs, &other) else {
                    continue;
                };
                let link = read(&write_inputs(&inputs));
                assert!(link.notes.is_empty(), "{:?}", link.notes);
                let opened = link.current.scenario().expect("a possible scenario");
                assert_eq!(opened.plan, other.plan);
                let then = evaluated(&opened).tokens / before.tokens;
                assert!(
                    (then / ratio - 1.0).abs() < 1e-9,
                    "{resource:?} {change:?}: {ratio}, opened {then}"
                );
            }
        }
    });
}

/// Under every schedule but HOP-B only what fills the critical path matters: if neither links nor
/// fixed times change a step, it is compute that fills it, and then compute or memory do matter.
#[test]
fn something_always_matters() {
    law(CASES, |case| {
        let scenario = case.scenario();
        if scenario.plan.spec().overlap == Overlap::HopB {
            return;
        }
        let rows = rows(case);
        let moved = rows.iter().any(|row| {
            Change::ALL.iter().any(|change| match row.of(*change) {
                Effect::Throughput(ratio) => (ratio - 1.0).abs() > 1e-6,
                Effect::Obstacle(Obstacle::Bound) => false,
                Effect::Obstacle(_) | Effect::OutOfMemory { .. } => true,
            })
        });
        assert!(moved, "{rows:?}");
    });
}
