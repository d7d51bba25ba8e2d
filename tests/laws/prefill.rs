//! Property tests of prefill: it takes as many FLOP as running the prompt's tokens through the model one by one.

use model_core::evaluate::prefill;
use model_core::ops::{Kernel, Kind, LatentForm, Load, Operator, Place, Subject};
use model_core::scenario::Scenario;

use ridgepoint_tests::check::{at_most, same};

use super::{CASES, Case, law};

const FORMS: [LatentForm; 2] = LatentForm::ALL;

/// Returns the number of tokens in a random prompt.
fn prompt(case: &Case) -> f64 {
    f64::from(case.draws[0] % 100_000 + 1)
}

/// Returns the operators of a pass in which MLA has the form `latent`, each with the number of layers that run it.
fn operators(scenario: &Scenario, latent: LatentForm, load: &Load) -> Vec<(Operator, u32)> {
    let subject = Subject {
        kernel: Kernel {
            latent,
            ..scenario.kernel
        },
        ..scenario.subject()
    };
    let arch = &scenario.arch;
    Place::all(arch)
        .flat_map(|place| {
            let operators = subject.operators(place, load);
            let each = |operator: &Operator| (*operator, place.layers(arch));
            operators.as_slice().iter().map(each).collect::<Vec<_>>()
        })
        .collect()
}

/// Checks that a prefill takes the same FLOP as processing its tokens one at a time. Attention is causal: a token of a
/// T-token prompt attends to T/2 others on average. Every token passes all weight matrices, except the output head,
/// which only the last token passes.
#[test]
fn prefill_work_equals_token_by_token() {
    law(CASES, |case| {
        let mut scenario = case.scenario();
        let tokens = prompt(case);
        if !scenario.arch.attends_to_all() {
            return;
        }
        scenario.workload.context = tokens / 2.0;
        scenario.workload.speculation.depth = 0;
        let Scenario { plan, workload, .. } = &scenario;
        let groups = f64::from(plan.spec().dp);
        let whole = Load::prefill(tokens, plan);
        let one = Load::decode(groups, plan, workload);
        for form in FORMS {
            let pairs = operators(&scenario, form, &whole);
            let steps = operators(&scenario, form, &one);
            for ((at_once, _), (step, _)) in pairs.iter().zip(&steps) {
                assert_eq!(at_once.kind, step.kind);
                let flop = |operator: &Operator| operator.flop.get();
                let times = match step.kind {
                    // Only the last token is projected onto the vocabulary.
                    Kind::Head => 1.0,
                    // Prefill decompresses each key and value once; decoding, those of half the prompt at every step.
                    Kind::KeyUp | Kind::ValueUp => 2.0,
                    _ => tokens,
                };
                let expected = flop(step) * times;
                assert!(same(flop(at_once), expected), "{:?}: {expected}", step.kind);
            }
        }
    });
}

/// Checks that a longer prompt never takes less time, and that no prefill is faster than reading the weights.
#[test]
fn a_longer_prompt_is_never_read_sooner() {
    law(CASES, |case| {
        let scenario = case.scenario();
        let tokens = prompt(case);
        for form in FORMS {
            let time = |tokens: f64| {
                let breakdown = prefill(&scenario, tokens, form).expect("finite");
                breakdown.step().get()
            };
            assert!(at_most(time(tokens), time(tokens * 1.5)), "{form:?}");
            let load = Load::prefill(tokens, &scenario.plan);
            let list = operators(&scenario, form, &load);
            let weights: f64 = list
                .iter()
                .map(|(each, layers)| each.weights.get() * f64::from(*layers))
                .sum();
            let least = weights / scenario.cluster.hbm.get();
            assert!(at_most(least, time(tokens)), "{form:?}");
        }
    });
}
