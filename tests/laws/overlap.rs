//! Property tests of overlap: bounds on the overlapped time.

use model_core::cost::collective::{Collective, remote_domains};
use model_core::evaluate::Evaluation;
use model_core::plan::{Overlap, Plan};
use model_core::scenario::Scenario;
use model_core::schedule::hop_b;
use model_core::units::Seconds;

use ridgepoint_tests::check::{ROUNDING, at_most, same};

use super::{CASES, Case, evaluated, law};

fn scheduled(case: &Case, overlap: Overlap) -> Scenario {
    let mut scenario = case.scenario();
    let mut spec = *scenario.plan.spec();
    spec.overlap = overlap;
    scenario.plan =
        Plan::new(spec, &scenario.arch, scenario.cluster.gpus).expect("a schedule breaks no rule");
    scenario
}

#[test]
fn two_batches_hide_the_shorter_side() {
    law(CASES, |case| {
        if case.has_drafter() {
            return;
        }
        let evaluation = evaluated(&scheduled(case, Overlap::TwoBatch));
        let breakdown = &evaluation.breakdown;
        let beside = (breakdown.compute() + breakdown.overhead - breakdown.host).get();
        let messages = breakdown.messages.get();
        let step = beside.max(messages) + breakdown.host.get();
        assert!(same(evaluation.step.get(), step), "[A] eq 49");
        let hidden = breakdown.hidden.get() - beside.min(messages);
        // The rounding error of a difference of overheads grows with the overheads.
        let dust = ROUNDING * (beside + breakdown.overhead.get());
        assert!(hidden.abs() <= dust, "hidden");
    });
}

/// Compares a two-batch step with a sequential step on half the batch. Compute takes twice as long; communication takes
/// twice as long, times the slowdown κ under overlap. Without that slowdown, a two-batch step is no slower than two
/// half-batch steps.
#[test]
fn half_batch_is_a_sequential_pass() {
    law(CASES, |case| {
        let both = evaluated(&scheduled(case, Overlap::TwoBatch));
        let mut half = scheduled(case, Overlap::Sequential);
        half.workload.batch /= 2.0;
        let half = evaluated(&half);
        let (whole, part) = (&both.breakdown, &half.breakdown);
        let contention = case.scenario().calibration.contention;
        assert!(
            same(whole.compute().get(), 2.0 * part.compute().get()),
            "compute"
        );
        assert!(
            same(whole.messages.get(), 2.0 * contention * part.messages.get()),
            "messages"
        );
        if contention <= 1.0 {
            assert!(
                at_most(both.step.get(), 2.0 * half.step.get()),
                "slower than no overlap"
            );
        }
    });
}

fn exchange(scenario: &Scenario, evaluation: &Evaluation) -> f64 {
    evaluation
        .messages(scenario)
        .iter()
        .filter(|message| message.collective == Collective::HelixExchange)
        .map(|message| message.time.get() * f64::from(message.layers))
        .sum()
}

#[test]
fn hop_b_bounds() {
    law(CASES, |case| {
        if case.has_drafter() {
            return;
        }
        let sequential = evaluated(&scheduled(case, Overlap::Sequential));
        let overlapped = evaluated(&scheduled(case, Overlap::HopB));
        assert!(
            at_most(overlapped.step.get(), sequential.step.get()),
            "slower than in sequence"
        );
        let hidden = overlapped.breakdown.hidden.get();
        let exchange = exchange(&case.scenario(), &overlapped);
        assert!(
            at_most(hidden, exchange),
            "hides {hidden} of an exchange of {exchange}"
        );
        if case.scenario().plan.spec().kvp == 1 {
            assert_eq!(hidden.to_bits(), 0, "nothing is exchanged");
        }
    });
}

/// Compares the closed form of HOP-B with a request-by-request simulation of [H] 2.1.3. The exchange of each request
/// starts when its attention and the previous exchange are done.
#[test]
fn hop_b_against_request_pipeline() {
    for requests in 1..=40_u32 {
        for (attention, exchange) in [(2.0, 1.2), (1.2, 2.0), (1.0, 1.0), (0.0, 3.0), (3.0, 0.0)] {
            let (mut computed, mut sent) = (0.0_f64, 0.0_f64);
            for _ in 0..requests {
                computed += attention;
                sent = computed.max(sent) + exchange;
            }
            let count = f64::from(requests);
            let all = |each: f64| Seconds::new(each * count);
            let closed = hop_b(all(attention), all(exchange), count).get();
            assert!(same(closed, sent), "{requests} requests: {closed} ≠ {sent}");
        }
    }
}

/// Checks HOP-B with at most one request on average: nothing is overlapped, because a request cannot overlap with
/// itself.
#[test]
fn hop_b_of_half_a_request_hides_nothing() {
    for (core, exchange) in [(2.0, 1.2), (1.2, 2.0)] {
        let (core, exchange) = (Seconds::new(core), Seconds::new(exchange));
        assert_eq!(hop_b(core, exchange, 0.5), core + exchange);
        assert_eq!(hop_b(core, exchange, 1.0), core + exchange);
    }
}

/// Checks that a step with two-batch overlap is never shorter than the compute of the sequential step.
#[test]
fn overlap_saves_at_most_communication() {
    law(CASES, |case| {
        let sequential = evaluated(&scheduled(case, Overlap::Sequential));
        let overlapped = evaluated(&scheduled(case, Overlap::TwoBatch));
        let compute = sequential.breakdown.compute().get();
        assert!(
            at_most(compute, overlapped.step.get()),
            "two half batches read the weights twice"
        );
    });
}

/// Checks the mean number of remote scale-up domains to which a token is sent ([A] 2.3). It is at most the number of
/// other domains, the number of drawn experts, and the routing limit.
#[test]
fn visited_domains_are_bounded() {
    for domains in [1.0, 1.5, 2.0, 9.0, 64.0] {
        for copies in [1.0, 8.0, 9.0] {
            for limit in [1.0, 4.0, 1000.0] {
                let remote = remote_domains(domains, copies, limit);
                assert!(remote >= 0.0 && remote <= limit);
                assert!(at_most(remote, domains - 1.0) && at_most(remote, copies));
            }
        }
    }
    // With two domains and one draw, the token leaves its domain in half of the cases.
    assert!(same(remote_domains(2.0, 1.0, 4.0), 0.5));
}
