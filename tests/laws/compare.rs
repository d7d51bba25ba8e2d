//! Property tests of the comparison of two scenarios: the terms of a change add up.

use model_core::compare::{Quantity, Term, compare};
use ridgepoint_tests::space;

use super::{CASES, evaluated, law};

/// Allowed rounding error, relative to the sum of the absolute values of all terms.
const DUST: f64 = 1e-12;

/// Checks, for random pairs of scenarios, that the changes of the terms add up to the change of a quantity (step time,
/// memory or cost). The parts of the quantity add up to the quantity.
#[test]
fn terms_add_up_to_the_difference() {
    law(CASES, |case| {
        let seed = u64::from(case.draws[0]) << 32 | u64::from(case.draws[1]);
        let before = space::inputs(&mut space::seeded(seed));
        let before = before.scenario().expect("a possible scenario");
        let now = case.scenario();
        let (then, is) = (evaluated(&before), evaluated(&now));
        for quantity in [Quantity::Step, Quantity::Memory, Quantity::Cost] {
            let shown = |of: &model_core::evaluate::Evaluation, yielded: f64| match quantity {
                Quantity::Step => Some(of.tpot.get() * yielded),
                Quantity::Memory => Some(of.memory.most().get()),
                Quantity::Cost => of.dollars_per_mtok,
            };
            let yielded = [&before, &now].map(|of| of.workload.speculation.yielded());
            let both = shown(&then, yielded[0]).zip(shown(&is, yielded[1]));
            let found = compare(quantity, (&before, &then), (&now, &is));
            assert_eq!(found.is_some(), both.is_some(), "{quantity:?}");
            let (Some(found), Some((from, to))) = (found, both) else {
                continue;
            };
            let parts: f64 = found.parts.iter().map(|(_, value)| value).sum();
            let moved: f64 = found.changes.iter().map(|change| change.by()).sum();
            let size = |values: &mut dyn Iterator<Item = f64>| values.map(f64::abs).sum::<f64>();
            let large = size(&mut found.changes.iter().flat_map(|c| [c.from, c.to])) + from + to;
            for (what, off) in [
                ("from", found.from - from),
                ("to", found.to - to),
                ("parts", parts - to),
                ("changes", moved - (to - from)),
            ] {
                assert!(
                    off.abs() <= DUST * large,
                    "{quantity:?} {what}: {off} of {large}"
                );
            }
            for change in &found.changes {
                let hides = change.term == Term::Hidden;
                assert!(
                    hides || change.from >= 0.0 && change.to >= 0.0,
                    "{change:?}"
                );
                assert!(
                    !hides || change.from <= 0.0 && change.to <= 0.0,
                    "{change:?}"
                );
            }
        }
    });
}

/// Checks that a scenario compared with itself has no change, and that after a price change the price is the largest
/// term.
#[test]
fn equal_scenarios_have_no_change() {
    law(200, |case| {
        let mut now = case.scenario();
        let is = evaluated(&now);
        for quantity in [Quantity::Step, Quantity::Memory, Quantity::Cost] {
            if let Some(found) = compare(quantity, (&now, &is), (&now, &is)) {
                assert!(
                    found.changes.iter().all(|change| change.by() == 0.0),
                    "{found:?}"
                );
            }
        }
        let before = now;
        now.dollars_per_hour = Some(before.dollars_per_hour.unwrap_or(2.0) * 3.0 + 1.0);
        let dearer = evaluated(&now);
        if let Some(found) = compare(Quantity::Cost, (&before, &is), (&now, &dearer)) {
            let largest = found.largest().map(|change| change.term);
            assert_eq!(largest, Some(Term::Price), "{found:?}");
        }
    });
}
