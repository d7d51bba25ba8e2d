//! Nothing called best is beaten by a point of its own page.

use std::sync::atomic::{AtomicUsize, Ordering};

use app::answer::apart;
use app::answer::limits::limits_answer;
use app::answer::ratio::decision::{Decision, SAME, Standing};
use app::answer::{Outcome, answer};
use app::charts::apart::Mark;
use app::format;
use model_core::advice::{
    Basis, Changed, Free, Levers, Rests, WORTH, best_free, drafts, kept, most, plans, works,
    worth_naming,
};
use model_core::arch::catalog::{CATALOG, Released};
use model_core::evaluate::{Evaluation, evaluate};
use model_core::limits::lift::{Lift, Price, lifts};
use model_core::limits::{LEVEL, best_batch, enough, fullest, largest};
use model_core::permalink;
use model_core::plan::PlanSpec;
use model_core::precision::Format;
use model_core::scenario::{Inputs, Mode, Number, Scenario};
use model_core::workload::Serving;

use super::{SCENARIOS, law, pages};

/// The scenario as it is stated, evaluated; `None` where it is impossible.
fn as_stated(inputs: &Inputs) -> Option<(Scenario, Evaluation)> {
    let scenario = inputs.scenario().ok()?;
    Some((scenario, evaluate(&scenario).ok()?))
}

/// The alternative that costs nothing: it works, it gains what it says, and neither the present scenario nor
/// any other plan of the same search beats it by more than the least change is worth.
#[test]
fn what_costs_nothing_is_as_good_as_it_says() {
    law(SCENARIOS / 8, |_, inputs| {
        let now = as_stated(inputs);
        let Some(free) = worth_naming(inputs) else {
            // Then what there is now is as good as anything.
            if let (Some(best), Some((scenario, evaluation))) = (best_free(inputs), now)
                && works(&scenario, &evaluation)
            {
                assert!(best.evaluation.tokens < WORTH * evaluation.tokens);
            }
            return;
        };
        let then = free.inputs.scenario().expect("it is possible");
        let evaluation = evaluate(&then).expect("finite");
        assert!(works(&then, &evaluation));
        assert_eq!(then, free.scenario, "the inputs say it");
        assert_eq!(
            free.inputs.get(Number::Gpus),
            inputs.get(Number::Gpus),
            "on the same GPUs"
        );
        if let (Some(gain), Some((scenario, now))) = (free.gain, now) {
            assert!(gain >= WORTH);
            let before = if now.memory.fits()
                && scenario
                    .workload
                    .slo
                    .is_none_or(|slo| now.tokens_per_user >= slo)
            {
                now.tokens
            } else {
                // Without an SLO the least batch that serves as much as all that fit.
                let mut other = scenario;
                other.workload.batch = match scenario.workload.slo {
                    Some(_) => largest(&scenario).expect("there is a basis").batch,
                    None => enough(&scenario, fullest(&scenario, 0.0).expect("some fit")),
                };
                evaluate(&other).expect("finite").tokens
            };
            let ratio = evaluation.tokens / before;
            assert!((ratio / gain - 1.0).abs() < 1e-9, "{ratio} {gain}");
        }
        // And taking it leaves nothing more to gain.
        let again = best_free(&free.inputs);
        let more = again.map_or(1.0, |again| again.evaluation.tokens / evaluation.tokens);
        assert!(more < WORTH, "{more}");
    });
}

/// The weights as their authors published them are offered wherever the scenario has wider ones: they lift the limit as
/// far as the scenario that has them, and no advice is worse than they are.
#[test]
fn weights_wider_than_released_have_the_released_ones_for_a_lever() {
    let mut named = [0; 2];
    for entry in CATALOG {
        let link = |more: &str| format!("v=1&model={}{more}", entry.id);
        for (place, more) in ["", "&precision=bf16"].into_iter().enumerate() {
            for cluster in [
                "&gpu=h200&gpus=16&batch=256",
                "&gpu=b200&gpus=8&batch=64&slo=30",
            ] {
                let inputs = permalink::read(&link(&format!("{more}{cluster}"))).current;
                let weights = inputs.precision().ffn_weights;
                let released = match entry.released {
                    Released::Bf16 => 2.0,
                    Released::Fp8 | Released::Bf16AndFp8 => 1.0,
                    Released::Mxfp4 | Released::Mxfp4AndFp8 => 17.0 / 32.0,
                    Released::Int4 => 18.0 / 32.0,
                };
                let narrowed = inputs.narrowed();
                assert_eq!(narrowed.is_some(), released < weights, "{}", entry.id);
                let Some(with) = narrowed else { continue };
                assert!(with.narrowed().is_none(), "nothing is left");
                let now = inputs.scenario().expect("there is a plan");
                let then = with.scenario().expect("there is a plan");
                assert_eq!(then.precision.ffn_weights.to_bits(), f64::to_bits(released));
                // Arithmetic is the activations', never four bits.
                assert_ne!(then.precision.ffn_format, Format::Fp4);
                assert_eq!(then.precision.kv.to_bits(), now.precision.kv.to_bits());
                let lifted = lifts(&inputs, &now, &[Price::Free]);
                let lifted = lifted.iter().find(|lifted| lifted.lift == Lift::Weights);
                let lifted = lifted.expect("it is among the levers");
                assert_eq!(lifted.batch.to_bits(), best_batch(&then).to_bits());
                let best = best_free(&inputs);
                let before = evaluate(&now).expect("finite");
                let after = evaluate(&then).expect("finite");
                if works(&then, &after) {
                    let best = best.map_or(before.tokens, |best| best.evaluation.tokens);
                    assert!(best >= 0.96 * after.tokens, "{}", entry.id);
                }
                let Outcome::Possible(page) = answer(&inputs, None) else {
                    continue;
                };
                let text = page.verdict.plain_text().to_lowercase();
                let said = format!("released {} weights", entry.released.narrowest());
                let pressed = page
                    .offers
                    .iter()
                    .find(|offer| offer.label.to_lowercase().contains(&said.to_lowercase()));
                if let Some(free) = worth_naming(&inputs).filter(|free| free.changed.precision) {
                    named[place] += 1;
                    assert!(text.contains(&said.to_lowercase()), "{text}");
                    let pressed = pressed.expect("a button").inputs.scenario();
                    let arrived = evaluate(&pressed.expect("a plan")).expect("finite");
                    let same = arrived.tokens.to_bits() == free.evaluation.tokens.to_bits();
                    assert!(
                        same,
                        "{}: {} {}",
                        entry.id, arrived.tokens, free.evaluation.tokens
                    );
                }
            }
        }
    }
    assert!(named[0] >= 8 && named[1] >= 30, "{named:?}");
}

/// What rests on more than the model – a drafted token, half the bytes of the cache, no copies of experts – gives what it says
/// beyond everything that does not: it works on the same GPUs, and Explore says it and has its button.
#[test]
fn what_rests_on_more_gives_what_it_says() {
    let named = [const { AtomicUsize::new(0) }; 3];
    law(pages(), |_, inputs| {
        let levers = Levers::of(inputs);
        let Outcome::Possible(answer) = answer(inputs, None) else {
            return;
        };
        let text = answer.verdict.plain_text();
        if let Some(more) = &levers.rest {
            let then = more.inputs.scenario().expect("it is possible");
            let evaluation = evaluate(&then).expect("finite");
            assert_eq!(then, more.scenario, "the inputs say it");
            assert!(works(&then, &evaluation));
            assert_eq!(more.inputs.get(Number::Gpus), inputs.get(Number::Gpus));
            assert!(!more.changed.draft || drafts(&inputs.model));
            if let Some(free) = &levers.free {
                assert!(evaluation.tokens >= WORTH * free.evaluation.tokens);
            }
            let offered = answer
                .offers
                .iter()
                .any(|offer| offer.inputs == more.inputs);
            assert!(offered, "{:?}: {text}", answer.offers);
            if let Some(gain) = more.gain {
                assert!(text.contains(&format::factor(gain)), "{gain}: {text}");
                let kinds = [more.changed.draft, more.changed.cache, more.changed.copies];
                for (named, _) in named.iter().zip(kinds).filter(|(_, is)| *is) {
                    named.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    });
    assert!(named.into_iter().all(|named| named.into_inner() > 2));
}

/// No combination of what costs nothing has 5 % more than what is offered, and after pressing it nothing worth naming is left:
/// plans, drafts, a smaller cache and no copies are searched here anew, one by one and all together.
#[test]
fn no_combination_beats_what_is_offered() {
    let (combined, pressed_all) = (AtomicUsize::new(0), AtomicUsize::new(0));
    law(pages(), |_, inputs| {
        let levers = Levers::of(inputs);
        let offered = levers.rest.or(levers.free);
        let now = as_stated(inputs);
        let before = now.and_then(|(scenario, evaluation)| {
            Some(Basis::of(&scenario, &evaluation).evaluation()?.tokens)
        });
        let Some(best) = offered.map(|free| free.evaluation.tokens).or(before) else {
            return;
        };
        // Without an SLO users keep what they have now, or would with as much as fits.
        let speed = kept(inputs);
        for kinds in 0..1 << Rests::ALL.len() {
            let mut chosen = Rests::ALL
                .into_iter()
                .filter(|of| kinds & (1 << *of as u32) > 0);
            let Some(mut with) = chosen.try_fold(*inputs, |inputs, rests| rests.made(&inputs))
            else {
                continue;
            };
            // A speed that no SLO can be is none that can be asked for.
            if speed.is_some() && !with.state(Number::Slo, speed) {
                continue;
            }
            if let Some(found) = best_free(&with) {
                let more = found.evaluation.tokens / best;
                let link = permalink::write_inputs(&found.inputs);
                assert!(more <= WORTH, "{more} {link}");
            }
        }
        let Some(pressed) = offered else { return };
        let changed = pressed.changed;
        let several = [changed.draft, changed.cache, changed.copies];
        if several.into_iter().filter(|is| *is).count() > 1 {
            combined.fetch_add(1, Ordering::Relaxed);
        }
        // Which kinds of plan are as good as measured is another question of another plan; and released weights may come
        // with a wider cache than there was.
        let kind = |free: &PlanSpec| (free.pp > 1, free.kvp > 1);
        let was = now.map(|(scenario, _)| kind(scenario.plan.spec()));
        let alike = was == Some(kind(pressed.scenario.plan.spec())) && !changed.precision;
        if alike {
            let left = Levers::of(&pressed.inputs);
            // Where prompts are read in the same engine the batch that serves most is sought by doublings and thirds: that of
            // another search may be another.
            let aggregated = pressed.scenario.workload.serving != Serving::Decode;
            let other_batch = |changed: &Changed| aggregated && changed.only_batch();
            let left = left.first().map(|free| free.changed);
            let left = left.filter(|changed| !other_batch(changed));
            assert!(left.is_none(), "{left:?}");
            pressed_all.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert!(pressed_all.into_inner() as u64 > pages() / 8);
    assert!(combined.into_inner() as u64 > pages() / 50);
}

/// At the speed that the verdict speaks of, no point of the chart has more than the side it calls best.
#[test]
fn no_point_beats_the_winner_at_its_speed() {
    law(pages(), |_, inputs| {
        let Some(decision) = Decision::of(inputs) else {
            return;
        };
        let chart = apart::data(inputs, Mark::Ratio, false);
        let best = [decision.together, decision.apart]
            .into_iter()
            .flatten()
            .map(|way| way.per_gpu)
            .fold(0.0, f64::max);
        let mut points: Vec<_> = chart
            .curves
            .iter()
            .flat_map(|curve| &curve.points)
            .collect();
        let nows: Vec<_> = chart.curves.iter().filter_map(|curve| curve.now).collect();
        points.extend(nows.iter());
        // Where throughput is flat, the least batch that serves nearly as much is offered.
        let level = LEVEL;
        for point in points {
            let fast = point.point.per_user >= decision.users;
            assert!(!fast || !point.point.fits || point.point.per_gpu * level <= best);
        }
        // The scenario as it is, too, where it works.
        let scenario = inputs.scenario().expect("it has a decision");
        let now = evaluate(&scenario).expect("finite");
        let whole = scenario.workload.batch >= scenario.plan.micro_batches();
        let context = (scenario.workload.context
            - inputs
                .bundle()
                .expect("it has a decision")
                .lengths
                .context())
        .abs();
        if now.memory.fits() && whole && now.tokens_per_user >= decision.users && context < 1e-6 {
            assert!(
                now.tokens_per_gpu * level <= best,
                "{} {best}",
                now.tokens_per_gpu
            );
        }
    });
}

/// Where apart is said to be ahead it is, nowhere else beside it, and by no more anywhere.
#[test]
fn apart_is_ahead_where_it_is_said_to_be() {
    law(pages(), |_, inputs| {
        let Some(decision) = Decision::of(inputs) else {
            return;
        };
        let duel = &decision.duel;
        let Some(fastest) = duel.together.first().map(|way| way.users) else {
            return;
        };
        let both = || {
            let speeds = duel.speeds().into_iter().filter(|users| *users <= fastest);
            speeds.filter_map(|users| Some((users, duel.ratio_at(users)?)))
        };
        match duel.standing(SAME) {
            Some(Standing::Ahead {
                from,
                to,
                at,
                ratio,
            }) => {
                let to = to.unwrap_or(fastest);
                assert!(from <= at && at <= to && ratio >= SAME);
                assert!(both().all(|(_, other)| other <= ratio));
                assert!(
                    both()
                        .filter(|(users, _)| (from..=to).contains(users))
                        .all(|(_, ratio)| ratio >= SAME)
                );
                let below = both().rfind(|(users, _)| *users < from);
                let above = both().find(|(users, _)| *users > to);
                assert!(
                    [below, above]
                        .iter()
                        .flatten()
                        .all(|(_, ratio)| *ratio < SAME)
                );
            }
            Some(Standing::Nearest { at, ratio }) => {
                assert!(ratio < SAME && both().all(|(_, other)| other <= ratio));
                assert_eq!(duel.ratio_at(at), Some(ratio));
            }
            None => assert!(both().all(|(_, ratio)| ratio <= 0.0)),
        }
    });
}

/// Where the two sides are compared, no sharding of the same GPUs serves more together than together is said to.
#[test]
fn no_sharding_beats_what_apart_is_compared_with() {
    let compared = AtomicUsize::new(0);
    law(pages() / 4, |_, inputs| {
        let Some(decision) = Decision::of(inputs) else {
            return;
        };
        let lengths = inputs.bundle().expect("it has a decision").lengths;
        let standing = match decision.duel.standing(SAME) {
            Some(Standing::Ahead { at, from, .. }) => vec![at, from],
            _ => Vec::new(),
        };
        for users in std::iter::once(decision.users).chain(standing) {
            let Some(together) = decision.duel.together_at(users) else {
                continue;
            };
            let mut asked = inputs.with(Number::Context, lengths.context());
            asked.mode = Mode::Colocated;
            if !asked.state(Number::Slo, Some(users)) {
                continue;
            }
            let same = |best: &Free| !best.changed.precision && !best.changed.copies;
            let Some(best) = most(&asked).filter(same) else {
                continue;
            };
            compared.fetch_add(1, Ordering::Relaxed);
            assert!(
                best.evaluation.tokens_per_gpu <= SAME * together.per_gpu * (1.0 + 1e-9),
                "at {users}: {} together, {} as {:?}",
                together.per_gpu,
                best.evaluation.tokens_per_gpu,
                best.scenario.plan.spec()
            );
        }
    });
    let compared = compared.into_inner();
    assert!(
        compared as u64 * 20 >= pages(),
        "only {compared} were compared"
    );
}

/// On *Is the batch right?* nothing that fits and meets the SLO serves more than the batch that is recommended.
#[test]
fn no_point_of_the_curve_beats_the_recommended_batch() {
    law(pages(), |_, inputs| {
        let Outcome::Possible(answer) = answer(inputs, None) else {
            return;
        };
        let scenario = inputs.scenario().expect("possible");
        let (Some(slo), Ok(found)) = (scenario.workload.slo, largest(&scenario)) else {
            return;
        };
        // Prompts beside decoding take turns with it: there a smaller batch may serve more.
        if scenario.workload.serving != Serving::Decode {
            return;
        }
        let mut at = scenario;
        at.workload.batch = found.batch;
        let best = evaluate(&at).expect("finite");
        for point in &answer.pareto.curve {
            let batch = point.batch;
            let stated = batch.to_bits() == scenario.workload.batch.to_bits();
            assert!(stated || batch.fract() == 0.0, "{batch} sequences");
            let works =
                point.fits && point.per_user >= slo && batch >= scenario.plan.micro_batches();
            // A mean of sequences may fall between the recommended one and the next whole one.
            let within = batch < found.batch + 1.0;
            assert!(
                !works
                    || !within
                    || point.per_gpu <= best.tokens_per_gpu * (1.0 + 1.0 / found.batch),
                "{batch} {}",
                point.per_gpu
            );
        }
    });
}

/// Several instances on the same GPUs give what they say, in every view, and no number of them gives 5 % more than what is
/// offered: every division of the GPUs into whole domains is searched here anew, with drafts, a smaller cache and without copies.
#[test]
fn no_instances_beat_what_is_offered() {
    let named = AtomicUsize::new(0);
    law(pages(), |_, inputs| {
        let levers = Levers::of(inputs);
        let Some((scenario, now)) = as_stated(inputs) else {
            return;
        };
        let Some(speed) = kept(inputs) else {
            assert_eq!(levers.smaller, None);
            return;
        };
        let gpus = scenario.cluster.gpus;
        let rate = |free: &Free| free.evaluation.tokens_per_gpu;
        if let Some(smaller) = levers.smaller {
            let each = smaller.each;
            assert_eq!(each.scenario.plan.gpus() * smaller.instances, gpus);
            let then = each.inputs.scenario().expect("it is possible");
            assert_eq!(then, each.scenario, "the inputs say it");
            assert!(each.evaluation.memory.fits() && each.evaluation.tokens_per_user >= speed);
            if let Some(free) = &levers.free {
                assert!(rate(&each) >= WORTH * rate(free) * (1.0 - 1e-9));
            }
            let explore = answer(inputs, None);
            let Outcome::Possible(explore) = explore else {
                panic!("it is possible")
            };
            let limits = limits_answer(inputs, None).expect("it is possible");
            let gain = each.gain.map(format::factor);
            for (text, offers) in [
                (explore.verdict.plain_text(), &explore.offers),
                (limits.verdict.plain_text(), &limits.offers),
            ] {
                assert!(
                    text.contains(&format!("{} instances of ", smaller.instances)),
                    "{text}"
                );
                assert!(
                    offers.iter().any(|offer| offer.inputs == each.inputs),
                    "{text}"
                );
                // Within an SLO Limits counts from its limit.
                let same = inputs.get(Number::Slo).is_none();
                assert!(
                    !same || gain.as_ref().is_none_or(|gain| text.contains(gain)),
                    "{text}"
                );
            }
            named.fetch_add(1, Ordering::Relaxed);
        }
        let before = Basis::of(&scenario, &now)
            .evaluation()
            .map(|before| before.tokens_per_gpu);
        let offered = [
            levers.smaller.map(|smaller| smaller.each),
            levers.free,
            levers.rest,
        ];
        let offered = offered.iter().flatten().map(rate);
        let best = offered.chain(before).fold(0.0, f64::max);
        let unit = scenario.cluster.domain.max(8);
        for count in 2..=gpus / unit {
            if !gpus.is_multiple_of(count * unit) {
                continue;
            }
            let mut part = inputs.with(Number::Gpus, f64::from(gpus / count));
            part.unshard();
            let batch = (scenario.workload.batch / f64::from(count)).round();
            let part = part.with(Number::Batch, batch.max(1.0)).normalized();
            for kinds in 0..1 << Rests::ALL.len() {
                let mut chosen = Rests::ALL
                    .into_iter()
                    .filter(|of| kinds & (1 << *of as u32) > 0);
                let Some(mut asked) = chosen.try_fold(part, |inputs, rests| rests.made(&inputs))
                else {
                    continue;
                };
                if !asked.state(Number::Slo, Some(speed)) {
                    continue;
                }
                if let Some(found) = best_free(&asked) {
                    // Of plans within 3 % of the best the least change is taken, on either side.
                    let more = 0.97 * rate(&found) / best;
                    assert!(more <= WORTH, "{more}: {count} {kinds}");
                }
            }
        }
    });
    assert!(named.into_inner() as u64 > pages() / 40);
}

/// A batch that does not fit is advised as what of it fits, or so that all of it fits: as many as fit have the same levers with
/// the same gains, unless all fit with slower users; and where another plan holds all, what is offered serves as much.
#[test]
fn what_does_not_fit_is_advised_as_what_fits() {
    let (alike, held) = (AtomicUsize::new(0), AtomicUsize::new(0));
    law(pages(), |_, inputs| {
        let Some((scenario, now)) = as_stated(inputs) else {
            return;
        };
        if now.memory.fits() || scenario.workload.slo.is_some() {
            return;
        }
        let levers = Levers::of(inputs);
        let all = [
            levers.free,
            levers.rest,
            levers.smaller.map(|smaller| smaller.each),
        ];
        if let Basis::OtherBatch(batch, _) = Basis::of(&scenario, &now) {
            let fitted = inputs.with(Number::Batch, batch).normalized();
            let (asked, then) = (kept(inputs).expect("some fit"), kept(&fitted));
            let then = then.expect("it fits");
            assert!(asked <= then, "{asked} {then}");
            if asked.to_bits() == then.to_bits() {
                let fitted = Levers::of(&fitted);
                let fitted = [
                    fitted.free,
                    fitted.rest,
                    fitted.smaller.map(|smaller| smaller.each),
                ];
                // Of plans within 3 % the least change from another batch may be another.
                for (one, other) in all.iter().zip(&fitted) {
                    let gain = |free: &Option<Free>| free.and_then(|free| free.gain).unwrap_or(1.0);
                    let (one, other) = (gain(one), gain(other));
                    let near = (0.97..=1.0 / 0.97).contains(&(one / other));
                    let least = one.max(other) <= WORTH / 0.97;
                    assert!(near || least, "{one} {other}");
                }
                alike.fetch_add(1, Ordering::Relaxed);
            }
        }
        // Where throughput is flat fewer sequences serve as much.
        let all_held = plans(&scenario).into_iter().filter_map(|plan| {
            let mut there = scenario;
            there.plan = plan;
            let evaluation = evaluate(&there).ok()?;
            works(&there, &evaluation).then_some(evaluation.tokens)
        });
        if let Some(most) = all_held.reduce(f64::max) {
            let serves = |tokens: f64| tokens >= 0.97 * LEVEL * most;
            let offered = levers.iter().any(|free| serves(free.evaluation.tokens));
            let basis = Basis::of(&scenario, &now);
            let before = basis.evaluation().map_or(0.0, |before| before.tokens);
            assert!(offered || serves(WORTH * before), "{most} {before}");
            held.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert!(alike.into_inner() as u64 > pages() / 100);
    assert!(held.into_inner() as u64 > pages() / 100);
}
