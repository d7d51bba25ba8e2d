//! The verdict and the advice.

use super::charts::{pace, to_one};
use super::decided::{
    asked as shown, decided, elsewhere, faster, held, instances, otherwise, own_gpus,
};
use super::decision::Decision;
use super::rows::MemoryRow;
use super::{Advice, Evaluated, WayOut};
use crate::answer::advice::{plural, sequences, words};
use crate::answer::asked;
use crate::answer::sentence::{Sentence, Tone};
use crate::format;
use crate::theme::Role;
use model_core::disagg::ratio::{Point, Regime};
use model_core::scenario::Number;

/// Times within this of each other are the same to a reader.
const ALIKE: f64 = 0.005;

/// The best ratio and why; what is asked about; whether apart beats together.
///
/// `simulated` is what apart serves over together once it is simulated.
pub fn sentence(case: &Evaluated, memory: &[MemoryRow; 2], simulated: Option<f64>) -> Sentence {
    if case.no_room() {
        return Sentence::default()
            .then(Tone::Bad, "Does not fit.")
            .say(format!(
                " {}, {} {} no room. Of as many as it takes, ",
                match case.levers.is_empty() {
                    false => "Stored as now, together or divided",
                    true => "Together or divided",
                },
                own_gpus(&case.inputs),
                match case.inputs.get(Number::Gpus) {
                    Some(gpus) if gpus > 1.0 => "have",
                    _ => "has",
                },
            ))
            .then(Tone::Strong, to_one(case.answer().best.ratio))
            .say(" would be the best ratio.");
    }
    // Where no division is fast enough, what its parts would need is no answer.
    let short = memory.iter().find(|half| !half.fits);
    if let Some(short) = short.filter(|_| case.reached()) {
        return Sentence::default()
            .then(Tone::Bad, format!("Does not fit: {}.", short.excess))
            .say(format!(
                " {} would need {}: {}.",
                with_article(short.name),
                short.total,
                short.parts
            ));
    }
    if let Some(decision) = &case.decision {
        return decided(case, decision, simulated);
    }
    let best = &case.answer().best;
    let said = asked::in_ratio(&case.inputs, best.ratio)
        .unwrap_or_default()
        .then(Tone::Strong, to_one(best.ratio))
        .say(" is the best ratio: ");
    let said = because(said, case, best);
    if case.at_best() {
        said
    } else {
        at_ratio(said, case)
    }
}

fn with_article(name: &str) -> String {
    if name.starts_with('A') {
        format!("An {}", format::lower(name))
    } else {
        format!("A {}", format::lower(name))
    }
}

/// What is full at the best ratio.
fn because(said: Sentence, case: &Evaluated, best: &Point) -> Sentence {
    let full = |time: f64| time >= best.cycle.get() * (1.0 - ALIKE);
    let parts = [
        (Role::Attention, "attention", best.attention),
        (Role::Messages, "messages", best.messages),
        (Role::Experts, "the feed-forward", best.ffn),
    ];
    let mut busy = parts.into_iter().filter(|(_, _, time)| full(time.get()));
    let cycle = format::duration(best.cycle.get());
    match (busy.next(), busy.next()) {
        (Some((first, name, _)), Some((second, other, _))) => said
            .then(Tone::Role(first), name)
            .say(" and ")
            .then(Tone::Role(second), other)
            .say(format!(" both take {cycle} of a step.")),
        (Some((role, name, _)), None) => {
            let said = said.then(Tone::Role(role), name);
            match best.regime {
                Regime::FeedForward => said.say(format!(
                    " sets the pace with {cycle}, and more attention would share the same tokens among more."
                )),
                Regime::FeedForwardLinks => said.say(format!(
                    " fill the links of both halves for {cycle} of a step."
                )),
                _ if at_edge(case, best) => said.say(format!(
                    " takes {cycle} of a step, and one instance more would no longer fit the scale-up domain."
                )),
                Regime::Communication => said.say(format!(
                    " fill the links of both halves for {cycle} of a step."
                )),
                Regime::Attention => said.say(format!(" takes {cycle} of a step.")),
            }
        }
        _ => said.say(format!("a step takes {cycle}.")),
    }
}

fn at_edge(case: &Evaluated, point: &Point) -> bool {
    let edge = case.bundle.ratio_within_domain(case.bundle.ffn_instances);
    (point.ratio / edge - 1.0).abs() < 1e-6
}

/// What sets the pace at the ratio that is asked about, and what the best would give.
fn at_ratio(said: Sentence, case: &Evaluated) -> Sentence {
    let asked = &case.asked;
    let (waits, share) = if asked.idle_ffn >= asked.idle_attention {
        ("the feed-forward", asked.idle_ffn)
    } else {
        ("attention", asked.idle_attention)
    };
    let role = pace(asked.regime);
    let (who, sets) = match role {
        Role::Attention => ("attention", "sets"),
        Role::Messages => ("messages", "set"),
        _ => ("the feed-forward", "sets"),
    };
    said.say(format!(" At {} ", to_one(asked.ratio)))
        .then(Tone::Role(role), who)
        .say(format!(
            " {sets} the pace and {waits} waits {} of the time.",
            format::share(share)
        ))
}

/// Whether both sides are spoken of, not what a division lacks.
pub fn told(case: &Evaluated, memory: &[MemoryRow; 2]) -> bool {
    case.no_room() || !case.reached() || memory.iter().all(|half| half.fits)
}

/// Why, and what helps.
pub fn advice(case: &Evaluated, memory: &[MemoryRow; 2]) -> Vec<Advice> {
    if let (Some(decision), true) = (&case.decision, told(case, memory)) {
        let said = shown(case, decision).into_iter();
        return said
            .chain(elsewhere(case, decision))
            .chain(faster(case, decision))
            .chain(held(case))
            .chain(otherwise(case))
            .chain(instances(case))
            .collect();
    }
    vec![Advice {
        says: alone(case, memory),
        wide: false,
    }]
}

/// What to do about a bundle that does not fit, or that is not compared.
fn alone(case: &Evaluated, memory: &[MemoryRow; 2]) -> Sentence {
    if let (true, Some(free)) = (case.no_room(), case.levers.first()) {
        let makes = if plural(free) { "make" } else { "makes" };
        return Sentence::default()
            .say(format!("{} {makes} room for ", words(free)))
            .then(Tone::Help, sequences(free.scenario.workload.batch))
            .say(" together, without another GPU.");
    }
    let [attention, ffn] = memory;
    if !attention.fits {
        return Sentence::default().say(match slots_that_fit(case) {
            Some(_) if way_out(case, memory).is_none() => {
                "Fewer slots would fit, and no division of these GPUs reaches that speed with them."
            }
            Some(_) => "Fewer slots, or attention instances of more GPUs (TP, KVP).",
            None if weights_fit(case) => {
                "The cache of one slot alone is too large: split it over more GPUs of an instance (TP, KVP)."
            }
            None => "Attention's weights alone are too large: spread them over more GPUs (TP).",
        });
    }
    if !ffn.fits {
        return Sentence::default().say(
            "Spread the feed-forward over more GPUs: EP for experts, FFN TP for dense layers.",
        );
    }
    let best = &case.answer().best;
    if !case.at_best() {
        let gain = best.per_weight / case.asked.per_weight;
        let less = case.asked.ratio > best.ratio;
        return Sentence::default()
            .say(if less {
                "Fewer attention instances for each feed-forward instance: "
            } else {
                "More attention instances for each feed-forward instance: "
            })
            .then(Tone::Help, format::factor(gain))
            .say(" the throughput.");
    }
    match best.regime {
        Regime::Communication | Regime::FeedForwardLinks => Sentence::default().say(
            "Every token visits its experts over the network: fewer bytes (FP8 or FP4 dispatch) or a faster link help.",
        ),
        _ if at_edge(case, best) => Sentence::default().say(
            "A larger scale-up domain would let attention grow to where both halves are busy.",
        ),
        _ => {
            let slack = 1.0 - best.messages / best.cycle;
            Sentence::default().say(format!(
                "Messages hide, and {} of the time no message is on its way. Longer contexts or more slots ask for more attention instances, shorter ones for fewer.",
                format::share(slack.max(0.0))
            ))
        }
    }
}

fn weights_fit(case: &Evaluated) -> bool {
    let memory = case.bundle.attention_memory();
    memory.weights() < memory.usable
}

/// The most slots that fit an attention GPU.
fn slots_that_fit(case: &Evaluated) -> Option<f64> {
    let memory = case.bundle.attention_memory();
    let each = (memory.kv_cache + memory.activations) / case.bundle.slots;
    let room = (memory.usable - memory.weights()) / each;
    let slots = room.floor();
    (slots >= 1.0 && slots.is_finite()).then_some(slots)
}

/// One click that helps.
pub fn way_out(case: &Evaluated, memory: &[MemoryRow; 2]) -> Option<WayOut> {
    if !case.reached() {
        return None;
    }
    if !memory[0].fits {
        // Fewer slots leave a feed-forward whose weights do not fit as it is.
        if !memory[1].fits {
            return None;
        }
        let slots = slots_that_fit(case)?;
        // What fits and is too slow in every division is no way out.
        let fewer = case.inputs.with(Number::Slots, slots);
        let decision = case.decision.as_ref().and(Decision::of(&fewer));
        if decision.is_some_and(|decision| decision.apart.is_none()) {
            return None;
        }
        return Some(WayOut {
            numbers: vec![(Number::Slots, Some(slots))],
            words: format!("Use {} slots", format::count(slots)),
        });
    }
    (memory[1].fits && !case.at_best()).then(|| WayOut {
        numbers: match &case.decision {
            Some(_) => vec![(Number::Ratio, None), (Number::Slots, None)],
            None => vec![(Number::Ratio, None)],
        },
        words: match &case.decision {
            Some(_) => "Use the best bundle".to_owned(),
            None => "Use the best ratio".to_owned(),
        },
    })
}

#[cfg(test)]
mod tests {
    use crate::answer::advice::sequences;
    use crate::answer::ratio::Evaluated;
    use crate::answer::ratio::decision::DECODE_ALONE;
    use crate::answer::ratio::decision::Decision;
    use crate::answer::ratio::ratio_view;
    use model_core::evaluate::evaluate;
    use model_core::permalink;

    fn said(link: &str) -> (String, String) {
        let view = ratio_view(&permalink::read(link).current, None, false).unwrap();
        let advice = view.advice.iter().map(|piece| piece.says.plain_text());
        (view.verdict.plain_text(), advice.collect())
    }

    #[test]
    fn the_papers_bundle_is_balanced_and_asked_about() {
        let (verdict, advice) = said("v=1&latencies=table2");
        assert_eq!(
            verdict,
            "9.32 to 1 is the best ratio: attention and the feed-forward both take 298 µs of a step."
        );
        assert!(advice.starts_with("Messages hide"), "{advice}");
        let (verdict, advice) = said("v=1&latencies=table2&r=2");
        assert!(
            verdict.ends_with(
                "At 2.00 to 1 attention sets the pace and the feed-forward waits 52% of the time."
            ),
            "{verdict}"
        );
        assert_eq!(
            advice,
            "More attention instances for each feed-forward instance: 1.35× the throughput."
        );
        let (verdict, _) = said("v=1&latencies=table2&mu_d=100");
        assert!(
            verdict.contains("2.17 to 1 is the best ratio: the feed-forward sets the pace"),
            "{verdict}"
        );
    }

    #[test]
    fn the_same_gpus_are_compared_at_the_same_speed() {
        let (verdict, advice) = said("v=1&calibration=aleph-alpha-2025");
        assert_eq!(
            verdict,
            "Keep them together, apart 0.493×: at 12.5 tok/s per user your 72 H100 would serve 3,190 tok/s each at \
             batch 10,295; split into 32 and 40, 1,570."
        );
        assert_eq!(
            advice,
            "The gap is least at 35 tok/s per user, 0.659×. Messages set the pace: at that speed twice the link gives together 1.85×, apart 1.81×. 3 instances \
             of 24 GPUs with an FP8 KV cache serve 4.28k tok/s per GPU."
        );
    }

    #[test]
    fn what_has_no_room_says_so_and_what_would_make_some() {
        for (link, what) in [
            (
                "v=1&gpu=h100&gpus=8&batch=64&context=4k",
                "your 8 H100 have",
            ),
            (
                "v=1&model=gpt-oss-120b&gpu=h100&gpus=1&batch=64&context=8k",
                "your H100 has",
            ),
        ] {
            let inputs = permalink::read(link).current;
            let view = ratio_view(&inputs, None, false).unwrap();
            let verdict = view.verdict.plain_text();
            let start =
                format!("Does not fit. Stored as now, together or divided, {what} no room.");
            assert!(verdict.starts_with(&start), "{verdict}");
            let advice = view.advice[0].says.plain_text();
            let offer = view.offers.first().cloned().expect("a button");
            let there = offer.inputs.scenario().unwrap();
            assert!(evaluate(&there).unwrap().memory.fits());
            let room = sequences(there.workload.batch);
            assert!(advice.contains(&format!("room for {room}")), "{advice}");
        }
    }

    #[test]
    fn what_waits_take_is_no_reason_to_take_gpus_apart() {
        let link = "v=1&model=qwen3-235b-a22b&gpu=gb200&overlap=none&mode=ratio&batch=1525&context=32k&kv=1&slo=40";
        let inputs = permalink::read(link).current;
        let decision = Decision::of(&inputs).unwrap();
        let case = Evaluated::new(&inputs, false).unwrap();
        let memory = crate::answer::ratio::rows::memory(&case);
        let said = |simulated| super::sentence(&case, &memory, simulated).plain_text();
        let derived = said(None);
        assert!(derived.starts_with("Take them apart, 1.0"), "{derived}");
        let waits = said(Some(0.797));
        assert!(
            waits.starts_with("Keep them together, apart simulated 0.797×: at 40.0 tok/s per user"),
            "{waits}"
        );
        assert!(waits.ends_with(" before it waits."), "{waits}");
        assert_eq!(said(Some(1.02)), derived);
        let finding = crate::answer::ratio::decision::turned(&decision, Some(0.797));
        assert_eq!(finding, Some(0.797));
    }

    #[test]
    fn apart_is_ahead_level_or_behind_and_never_two_of_them() {
        for (link, says) in [
            (
                "v=1&gpu=gb200&mode=ratio&gpus=72",
                "At best apart is level, 1.01× at 40 tok/s per user. ",
            ),
            (
                "v=1&model=deepseek-r1&gpu=h200&overlap=none&gpus=32&batch=1136&context=6000&slo=30",
                "The gap is least at 25 tok/s per user, 0.656×. ",
            ),
        ] {
            let (verdict, advice) = said(link);
            assert!(
                verdict.starts_with("Keep them together, apart "),
                "{verdict}"
            );
            assert!(advice.starts_with(says), "{advice}");
        }
    }

    /// Neither side reads prompts: of an engine that does, both are compared without.
    #[test]
    fn both_sides_leave_prompts_to_others() {
        let link = "v=1&model=deepseek-r1&gpu=h200&gpus=16&batch=512&prompt=4k&output=1k&slo=20&view=disagg";
        let (decoding, _) = said(link);
        assert!(
            decoding.starts_with("Keep them together, apart 0.419×: at 20.0 tok/s per user "),
            "{decoding}"
        );
        let (reading, _) = said(&format!("{link}&serving=aggregated"));
        assert_eq!(reading, format!("{decoding}{DECODE_ALONE}"));
    }

    #[test]
    fn one_gpu_is_not_each_of_many() {
        let (verdict, _) =
            said("v=1&model=gpt-oss-20b&gpu=l40s&gpus=1&batch=16&context=4k&redundant=0");
        assert_eq!(
            verdict,
            "Keep them together: your L40S would serve 1,450 tok/s without overlap at batch 60 at 24.1 tok/s per user; \
             a single GPU has no parts."
        );
    }

    /// What together does in another schedule or at another batch is not what there is now; a batch that does not fit
    /// is said to.
    #[test]
    fn together_says_what_it_changes() {
        let (verdict, _) = said("v=1&gpus=4096");
        assert_eq!(
            verdict,
            "Take them apart, 2.86×: at 11.1 tok/s per user your 4,096 H100 would serve 71.7 tok/s each without overlap at \
             batch 26,572; split into 2,368 and 1,728, 205."
        );
        let link = permalink::read("v=1&gpus=4096").current;
        let view = ratio_view(&link, None, false).unwrap();
        assert!(view.apart.curves.iter().all(|curve| !curve.present));
        assert_eq!(
            view.open,
            "Open bundle, with the 2 slots each of your batch: more GPUs add nothing."
        );
        let (verdict, _) = said("v=1&batch=9000000");
        assert!(
            verdict.starts_with(
                "Batch 9,000,000 does not fit. Keep them together, apart "
            ) && verdict.contains(
                ": at 5.40 tok/s per user your 72 H100 would serve 2,240 tok/s each at batch 29,880; "
            ),
            "{verdict}"
        );
        let link = permalink::read("v=1&batch=9000000").current;
        assert_eq!(
            ratio_view(&link, None, false).unwrap().open,
            "Open bundle: the 62,500 slots each of your batch do not fit."
        );
        let now = ratio_view(&permalink::read("v=1").current, None, false).unwrap();
        assert!(now.apart.curves[0].present);
    }

    /// The bold row is the best one, and the only one that is called so.
    #[test]
    fn one_row_is_the_best() {
        for link in [
            "v=1&latencies=table2",
            "v=1&latencies=table2&prompt=500",
            "v=1&latencies=table2&r=9&ffn_instances=2",
            "v=1&gpu=gb200&gpus=72",
            "v=1&gpus=32&r=3&slots=64",
        ] {
            let view = ratio_view(&permalink::read(link).current, None, false).unwrap();
            let called: Vec<bool> = view
                .bundles
                .iter()
                .map(|row| row.against == "best")
                .collect();
            let bold: Vec<bool> = view.bundles.iter().map(|row| row.best).collect();
            assert_eq!(called, bold, "{link}");
            assert_eq!(called.iter().filter(|best| **best).count(), 1, "{link}");
        }
    }

    #[test]
    fn what_does_not_fit_says_so_and_how_it_would() {
        let link = permalink::read("v=1&gpu=gb200&gpus=32&slots=1024&context=8k").current;
        let view = ratio_view(&link, None, false).unwrap();
        let text = view.verdict.plain_text();
        assert!(text.starts_with("Does not fit: "), "{text}");
        assert!(text.contains("attention GPU would need"), "{text}");
        let way_out = view.way_out.expect("a way out");
        let mut repaired = link;
        for (number, value) in way_out.numbers {
            repaired.state(number, value);
        }
        let repaired = ratio_view(&repaired, None, false).unwrap();
        assert!(repaired.fits, "{}", repaired.verdict.plain_text());
        // One feed-forward GPU cannot hold every expert.
        let crowded = permalink::read("v=1&gpus=8&ep=1&ffn_tp=8&slots=8").current;
        assert!(ratio_view(&crowded, None, false).is_ok_and(|view| !view.fits));
    }
}
