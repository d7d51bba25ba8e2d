//! The verdict and the advice.

use super::charts::{pace, to_one};
use super::rows::MemoryRow;
use super::{Case, WayOut};
use crate::answer::sentence::{Sentence, Tone};
use crate::format;
use crate::theme::Role;
use model_core::disagg::ratio::{Point, Regime};
use model_core::scenario::Number;

/// Times within this of each other are the same to a reader.
const SAME: f64 = 0.005;

/// The best ratio and why; what is asked about; whether apart beats together.
pub fn sentence(case: &Case, memory: &[MemoryRow; 2]) -> Sentence {
    if let Some(short) = memory.iter().find(|half| !half.fits) {
        return Sentence::default()
            .then(Tone::Bad, format!("Does not fit: {}.", short.excess))
            .say(format!(
                " {} would need {}: {}.",
                with_article(short.name),
                short.total,
                short.parts
            ));
    }
    let best = &case.answer.best;
    let mut said = Sentence::default()
        .then(Tone::Strong, to_one(best.ratio))
        .say(" is the best ratio: ");
    said = because(said, case, best);
    if !case.at_best() {
        said = asked(said, case);
    }
    if let Some(together) = case.together.filter(|_| case.per_gpu()) {
        let factor = case.asked.per_weight_in_flight / together.tokens_per_gpu;
        said = if factor >= 1.0 {
            said.say(" Apart, a GPU makes ")
                .then(Tone::Help, format::factor(factor))
                .say(" the tokens of the same plan together.")
        } else {
            said.say(" Together, the same plan makes ")
                .then(Tone::Strong, format::factor(1.0 / factor))
                .say(" the tokens per GPU.")
        };
    }
    said
}

fn with_article(name: &str) -> String {
    if name.starts_with('A') {
        format!("An {}", lower(name))
    } else {
        format!("A {}", lower(name))
    }
}

fn lower(name: &str) -> String {
    let mut letters = name.chars();
    letters
        .next()
        .map(|first| first.to_lowercase().chain(letters).collect())
        .unwrap_or_default()
}

/// What is full at the best ratio.
fn because(said: Sentence, case: &Case, best: &Point) -> Sentence {
    let full = |time: f64| time >= best.cycle.get() * (1.0 - SAME);
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

fn at_edge(case: &Case, point: &Point) -> bool {
    let edge = case.bundle.ratio_within_domain(case.bundle.ffn_instances);
    (point.ratio / edge - 1.0).abs() < 1e-6
}

/// What sets the pace at the ratio that is asked about, and what the best would give.
fn asked(said: Sentence, case: &Case) -> Sentence {
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

/// What to do.
pub fn advice(case: &Case, memory: &[MemoryRow; 2]) -> Sentence {
    let [attention, ffn] = memory;
    if !attention.fits {
        return Sentence::default().say(match slots_that_fit(case) {
            Some(_) => "Fewer slots, or attention instances of more GPUs (TP, KVP).",
            None => "Attention's weights alone are too large: spread them over more GPUs (TP).",
        });
    }
    if !ffn.fits {
        return Sentence::default().say(
            "Spread the feed-forward over more GPUs: EP for experts, FFN TP for dense layers.",
        );
    }
    let best = &case.answer.best;
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
        Regime::Communication | Regime::FeedForwardLinks => faster_link(case),
        _ if at_edge(case, best) => Sentence::default().say(
            "A larger scale-up domain would let attention grow to where both halves are busy.",
        ),
        _ => {
            let slack = 1.0 - best.messages / best.cycle;
            Sentence::default().say(format!(
                "Messages hide: the link is free {} of the time. Longer contexts or more slots ask for more attention instances, shorter ones for fewer.",
                format::share(slack.max(0.0))
            ))
        }
    }
}

/// What twice the link brings, by evaluating it.
fn faster_link(case: &Case) -> Sentence {
    let near = case.answer.best.ratio <= case.bundle.ratio_within_domain(case.bundle.ffn_instances);
    let (number, name) = if near {
        (Number::ScaleUp, "scale-up")
    } else {
        (Number::ScaleOut, "scale-out")
    };
    let gain = case.inputs.get(number).and_then(|link| {
        let faster = case.inputs.with(number, 2.0 * link).bundle().ok()?;
        Some(faster.answer().best.per_weight / case.answer.best.per_weight)
    });
    let said = Sentence::default().say(
        "Every token visits its experts over the network: fewer bytes (FP8 or FP4 dispatch) or a faster link help. ",
    );
    match gain.filter(|gain| *gain > 1.005) {
        Some(gain) => said
            .say(format!("Twice the {name} link gives "))
            .then(Tone::Help, format::factor(gain))
            .say("."),
        None => said,
    }
}

/// The most slots that fit an attention GPU.
fn slots_that_fit(case: &Case) -> Option<f64> {
    let memory = case.bundle.attention_memory();
    let each = (memory.kv_cache + memory.activations) / case.bundle.slots;
    let room = (memory.usable - memory.weights()) / each;
    let slots = room.floor();
    (slots >= 1.0 && slots.is_finite()).then_some(slots)
}

/// One click that helps.
pub fn way_out(case: &Case, memory: &[MemoryRow; 2]) -> Option<WayOut> {
    if !memory[0].fits {
        let slots = slots_that_fit(case)?;
        return Some(WayOut {
            number: Number::Slots,
            value: Some(slots),
            words: format!("Use {} slots", format::count(slots)),
        });
    }
    (memory[1].fits && !case.at_best()).then(|| WayOut {
        number: Number::Ratio,
        value: None,
        words: "Use the best ratio".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use crate::answer::ratio::ratio_view;
    use model_core::permalink;

    fn said(link: &str) -> (String, String) {
        let view = ratio_view(&permalink::read(link).current, None).unwrap();
        (view.verdict.plain_text(), view.advice.plain_text())
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
    fn a_scenario_is_compared_with_the_same_plan_together() {
        let (verdict, advice) = said("v=1");
        assert!(verdict.contains("messages fill the links"), "{verdict}");
        assert!(
            verdict.ends_with("Together, the same plan makes 2.04× the tokens per GPU."),
            "{verdict}"
        );
        assert!(
            advice.contains("Twice the scale-out link gives"),
            "{advice}"
        );
    }

    #[test]
    fn what_does_not_fit_says_so_and_how_it_would() {
        let link = permalink::read("v=1&gpu=gb200&gpus=32&slots=1024&context=8k").current;
        let view = ratio_view(&link, None).unwrap();
        let text = view.verdict.plain_text();
        assert!(text.starts_with("Does not fit: "), "{text}");
        assert!(text.contains("attention GPU would need"), "{text}");
        let way_out = view.way_out.expect("a way out");
        let repaired = link.with(way_out.number, way_out.value.unwrap());
        let repaired = ratio_view(&repaired, None).unwrap();
        assert!(repaired.fits, "{}", repaired.verdict.plain_text());
        // One feed-forward GPU cannot hold every expert.
        let crowded = permalink::read("v=1&gpus=8&ep=1&ffn_tp=8&slots=8").current;
        assert!(ratio_view(&crowded, None).is_ok_and(|view| !view.fits));
    }
}
