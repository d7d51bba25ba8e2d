//! The verdict: what one's own GPUs could do first, then what others would.

use super::lines::{Candidate, fuller, plans};
use super::own::gpus;
use super::{Look, Own, Plan, Searched, sharding};
use crate::answer::Evaluated;
use crate::answer::advice::{self, Levers, Than, words};
use crate::answer::around::Around;
use crate::answer::sentence::{Sentence, Tone};
use crate::answer::split::short_name;
use crate::format;
use model_core::advice::{Free, Smaller, fewest_gpus};
use model_core::scenario::Number;

/// Less than this many times as much is not worth naming.
const WORTH: f64 = 1.01;
/// Users within this of each other are as fast.
const SAME: f64 = model_core::advice::WORTH;

/// The verdict, and the same for a narrow screen.
pub fn sentences(
    searched: &Searched,
    look: &Look,
    own: Option<&Own>,
    beside: &Levers,
) -> (Sentence, Sentence) {
    let Some(own) = own else {
        let said = match (&beside.smaller, Evaluated::new(&look.now)) {
            (Some(_), Ok(case)) => {
                let said = no_plan(look, " as one instance");
                advice::in_instances(&case, beside, Than::Now, said)
            }
            _ => without_own(searched, look),
        };
        return (said.clone(), said);
    };
    // Fewer of one's own GPUs are nothing to buy where several instances of them serve as much.
    let in_instances = |plan: &Plan| {
        let same = plan.inputs.gpu == look.now.gpu && plan.inputs.precision == look.now.precision;
        let fewer = same && plan.point.gpus < f64::from(own.scenario.cluster.gpus);
        let most = |smaller: Smaller| WORTH * smaller.each.evaluation.tokens_per_gpu;
        fewer && plan.point.per_gpu <= beside.smaller.map_or(0.0, most)
    };
    let others = beyond(searched, look, own).filter(|plan| !in_instances(plan));
    let said = |long: bool| {
        let said = on_own(look, own, beside, long);
        let said = match &others {
            Some(plan) => than_own(look, own, plan, said, long),
            None => said.trimmed(),
        };
        let case = at_speed(look);
        let said = match (&case, beside.rest) {
            (Some(case), _) => advice::in_short(case, beside, said.trimmed().say(" ")).trimmed(),
            (None, Some(more)) => said.trimmed().say(" ").and(resting(own, &more, long)),
            (None, None) => said,
        };
        match (&beside.smaller, case) {
            (Some(smaller), None) => said.trimmed().say(" ").and(in_parts(own, smaller, long)),
            _ => said,
        }
    };
    (said(true), said(false))
}

/// "Your 32 H200 keep 30 tok/s per user without overlap at batch 1,139: 1.07k tok/s per GPU, 1.28× your plan now. "
fn on_own(look: &Look, own: &Own, beside: &Levers, long: bool) -> Sentence {
    let slo = look.now.get(Number::Slo);
    let gpus = gpus(&look.now);
    let s = match look.now.get(Number::Gpus) {
        Some(count) if count > 1.0 => "",
        _ => "s",
    };
    // What is no plan of one instance may give more.
    let yours = match (slo, beside) {
        (
            _,
            Levers {
                smaller: Some(_), ..
            },
        ) => "As one instance your",
        (None, Levers { rest: Some(_), .. }) if own.same_precision => "By plan alone your",
        (None, Levers { rest: Some(_), .. }) => "By plan and weights alone your",
        _ => "Your",
    };
    let lead = match slo {
        Some(slo) => format!(
            "{yours} {gpus} keep{s} {} tok/s per user ",
            format::printed(slo)
        ),
        None => format!("{yours} {gpus} serve{s} most "),
    };
    let computed = format::si(own.evaluation.tokens_per_gpu);
    let band = Around::of(&own.inputs, &own.scenario, &own.evaluation);
    let band = band.map(|band| band.rate(own.evaluation.tokens_per_gpu, format::si));
    let rate = match band.filter(|band| band.leads) {
        Some(band) => format!("{} tok/s per GPU, computed {computed}", band.text),
        None => format!("{computed} tok/s per GPU"),
    };
    let said = Sentence::default()
        .say(lead)
        .then(Tone::Strong, own.change())
        .say(": ");
    if own.is_now {
        return said.say(rate).say(". ");
    }
    let misses = own.now.as_ref().is_some_and(|(_, now)| {
        let speed = now.tokens_per_user;
        slo.is_some_and(|slo| speed < slo)
    });
    if let (Some(faster), false) = (own.faster(), misses) {
        return said
            .say(format!("{rate}, as much as your plan now with users "))
            .then(Tone::Help, format::factor(faster))
            .say(" as fast. ");
    }
    match own.gain() {
        // What is not allowed is no measure.
        Some(_) if misses && long => said.say(rate).say("; your plan misses it. "),
        Some(_) if misses => said.say(rate).say(". "),
        Some(gain) => {
            let said = match long {
                true => said.say(rate).say(", "),
                false => said,
            };
            let said = said
                .then(Tone::Help, format::factor(gain))
                .say(" your plan now");
            match own.slower().filter(|_| slo.is_none() && long) {
                Some(slower) => {
                    said.say(format!(" with users {} as fast. ", format::factor(slower)))
                }
                None => said.say(". "),
            }
        }
        None if own.now.is_some() => said.say(rate).say("; your plan does not fit. "),
        None => said.say(rate).say(". "),
    }
}

/// The scenario, where levers keep its users' speed and plans do not: some batch of it works, and it has no SLO.
fn at_speed(look: &Look) -> Option<Evaluated> {
    { Evaluated::new(&look.now).ok() }.filter(advice::keeps_users)
}

/// What Explore and Limits tell of, too, but the plan that is told already, and what gives less than that at the same speed.
pub fn beside(look: &Look, own: &Own) -> Levers {
    let Levers {
        free,
        rest,
        smaller,
    } = Levers::of(&look.now);
    match at_speed(look) {
        Some(_) => Levers {
            free: free.filter(|free| free.inputs != own.inputs),
            rest,
            smaller,
        },
        None => {
            let more = |free: &Free| {
                free.evaluation.tokens_per_gpu >= WORTH * own.evaluation.tokens_per_gpu
            };
            Levers {
                free: None,
                rest: rest.filter(more),
                smaller: smaller.filter(|smaller| more(&smaller.each)),
            }
        }
    }
}

/// "One drafted token (80% accepted) with two-batch overlap gives 2.14k, 2.01× that."
fn resting(own: &Own, more: &Free, long: bool) -> Sentence {
    let rate = format::si(more.evaluation.tokens_per_gpu);
    if !long {
        // Where the factor alone is told of the plan, no unit stands before.
        let missed = own.now.as_ref().is_some_and(|(_, now)| {
            let slo = own.scenario.workload.slo;
            slo.is_some_and(|slo| now.tokens_per_user < slo)
        });
        let unit = match own.gain() {
            Some(_) if !own.is_now && !missed && own.faster().is_none() => " tok/s per GPU",
            _ => "",
        };
        return Sentence::default().say(format!(
            "{}: {rate}{unit}.",
            format::capital(&advice::briefly(more))
        ));
    }
    let than = match own.is_now {
        true => " your plan now.",
        false => " that.",
    };
    let verb = if advice::plural(more) {
        "give"
    } else {
        "gives"
    };
    // What holds the batch that is asked for is not compared at the plan's.
    let fits = { &own.now }
        .as_ref()
        .is_some_and(|(_, now)| now.memory.fits());
    let at = match own.scenario.workload.slo {
        None if !fits => {
            let batch = format::count(more.scenario.workload.batch);
            let faster = more.evaluation.tokens_per_user / own.evaluation.tokens_per_user;
            let users = match (1.0 / SAME..SAME).contains(&faster) {
                true => String::new(),
                false => format!(" with users {} as fast", format::factor(faster)),
            };
            format!(" at batch {batch}{users}")
        }
        _ => String::new(),
    };
    Sentence::default()
        .say(format!("{} {verb} {rate}{at}, ", words(more)))
        .then(
            Tone::Help,
            format::factor(more.evaluation.tokens / own.evaluation.tokens),
        )
        .say(than)
}

/// "4 instances of 72 GPUs give 7.00k, 1.53× that."
fn in_parts(own: &Own, smaller: &Smaller, long: bool) -> Sentence {
    let rate = smaller.each.evaluation.tokens_per_gpu;
    let gives = match long {
        true => format!(" give {}, ", format::si(rate)),
        false => " give ".to_owned(),
    };
    Sentence::default()
        .say(advice::instances(smaller))
        .say(gives)
        .then(
            Tone::Help,
            format::factor(rate / own.evaluation.tokens_per_gpu),
        )
        .say(match own.is_now {
            true => " your plan now.",
            false => " that.",
        })
}

/// The best of what is shown beside one's own accelerator and GPUs, where it is worth naming.
fn beyond(searched: &Searched, look: &Look, own: &Own) -> Option<Plan> {
    let slo = look.now.get(Number::Slo);
    let mine = f64::from(own.scenario.cluster.gpus);
    let other = |plan: &Candidate<'_>| {
        plan.base() != (look.now.gpu, look.now.precision)
            || !look.own_gpus && plan.gpus().to_bits() != mine.to_bits()
    };
    let others = plans(searched, look).filter(|plan| other(plan) && plan.meets(slo));
    let best = others.reduce(fuller)?.plan()?;
    let more = best.point.per_gpu / own.evaluation.tokens_per_gpu;
    let cheaper = cost(&best, own).is_some_and(|cost| cost * WORTH < 1.0);
    (more >= WORTH || cheaper).then_some(best)
}

/// Cost per token over one's own, where both have a price.
fn cost(plan: &Plan, own: &Own) -> Option<f64> {
    Some(plan.dollars? / own.evaluation.dollars_per_mtok?)
}

/// "32 GB200 would serve 4.89× that, at 0.42× the cost per token."
fn than_own(look: &Look, own: &Own, plan: &Plan, said: Sentence, long: bool) -> Sentence {
    let ratio = plan.point.per_gpu / own.evaluation.tokens_per_gpu;
    let mut who = gpus(&plan.inputs);
    if plan.inputs.precision != look.now.precision {
        who += &format!(" in {}", plan.inputs.precision.id());
    }
    let same = (plan.point.gpus - f64::from(own.scenario.cluster.gpus)).abs() < 0.5;
    let (that, cost_of) = match same {
        true => (" that", "cost per token"),
        false => (" that per GPU", "cost"),
    };
    let tone = if ratio >= 1.0 {
        Tone::Help
    } else {
        Tone::Strong
    };
    let said = said
        .say(format!("{who} would serve "))
        .then(tone, format::factor(ratio))
        .say(that);
    match cost(plan, own).filter(|_| long || ratio < WORTH) {
        Some(cost) => said.say(format!(", at {} the {cost_of}.", format::factor(cost))),
        None => said.say("."),
    }
}

/// "No plan on your 144 GB200 keeps 100 tok/s per user as one instance. "
fn no_plan(look: &Look, so: &str) -> Sentence {
    let under = match look.now.get(Number::Slo) {
        Some(slo) => format!("keeps {} tok/s per user", format::printed(slo)),
        None => "fits".to_owned(),
    };
    Sentence::default().say(format!("No plan on your {} {under}{so}. ", gpus(&look.now)))
}

/// One's own GPUs have no plan: what has.
fn without_own(searched: &Searched, look: &Look) -> Sentence {
    let slo = look.now.get(Number::Slo);
    let anywhere = Look {
        own_gpus: false,
        ..*look
    };
    let best = plans(searched, &anywhere)
        .filter(|plan| plan.meets(slo))
        .reduce(fuller)
        .and_then(|best| best.plan());
    let said = no_plan(look, "");
    // As many as Explore and Limits offer come before what others serve.
    if let Some(enough) = fewest_gpus(&look.now) {
        let batch = advice::sequences(enough.get(Number::Batch).unwrap_or(1.0));
        return said
            .then(Tone::Strong, gpus(&enough))
            .say(format!(" would do, with {batch}."));
    }
    match best {
        Some(plan) => said
            .then(
                Tone::Strong,
                format!(
                    "{} on {} {}",
                    sharding::family(plan.family),
                    format::count(plan.point.gpus),
                    short_name(plan.inputs.gpu.name())
                ),
            )
            .say(format!(
                " serves {} tok/s per GPU, {} per user.",
                format::si(plan.point.per_gpu),
                format::sig3(plan.point.per_user)
            )),
        None => Sentence::default().say("Nothing that works so far."),
    }
}
