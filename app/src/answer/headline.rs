//! The headline above every view: a state with its facts, and one sentence for each state.

use model_core::disagg::decision::{Winner, winner};
use model_core::evaluate::Evaluation;
use model_core::hardware::NetworkLink as Link;
use model_core::levers::served;
use model_core::limits::NoBatch;
use model_core::ops::OperatorRole;
use model_core::order::sort_by;
use model_core::plan::Overlap;
use model_core::scenario::Scenario;
use model_core::sweep::Exclusion;
use model_core::units::Seconds;

use super::Evaluated;
use super::names::{self, part_name, sequences};
use super::sentence::{Sentence, Tone};
use crate::format;
use crate::theme::Role;

/// The state of a view, with the facts that its sentence names.
#[derive(Debug, Clone, PartialEq)]
pub enum Headline {
    /// The batch needs more memory than there is.
    DoesNotFit {
        /// Sequences asked for.
        batch: f64,
        /// GiB of the fullest GPU, and what it has.
        gib: [f64; 2],
        /// Sequences that fit and meet the SLO; `None` where no batch does.
        fits: Option<f64>,
        /// The SLO, where batches fit.
        slo: Option<f64>,
    },
    /// Users get less than the SLO.
    MissesSlo {
        /// Tokens per second and user, now and wanted.
        rate: [f64; 2],
        /// The most sequences that meet it.
        batch: Option<f64>,
    },
    /// One part takes at least half of the time between two tokens.
    OnePart {
        /// The part.
        part: StepPart,
        /// Time between the tokens of one step, in seconds.
        span_s: f64,
        /// Idle time of compute, where communication is the bottleneck.
        idle_s: Option<f64>,
    },
    /// No part takes half.
    NoBottleneck {
        /// Time between the tokens of one step, in seconds.
        span_s: f64,
        /// The three largest parts.
        parts: Vec<StepPart>,
    },
    /// A is pinned.
    Compared {
        /// Throughput per GPU over A's.
        throughput: f64,
        /// User speed over A's.
        users: f64,
        /// A fits in memory.
        fits: bool,
    },
    /// The largest batch.
    Reach {
        /// The most sequences that fit, and meet the SLO.
        batch: f64,
        /// The same per GPU, where each has whole ones.
        per_gpu: Option<f64>,
        /// The SLO.
        slo: Option<f64>,
        /// Sequences beyond which more add less than half a percent.
        flat_from: Option<f64>,
    },
    /// The scenario works, but no smaller batch than its micro-batches does.
    TooFew {
        /// Sequences that the plan runs at once: one of each micro-batch.
        least: f64,
        /// Sequences that fit, where memory keeps it from as many.
        room: Option<f64>,
        /// The SLO.
        slo: Option<f64>,
    },
    /// The best parallelism strategy.
    BestPlan {
        /// Its name: "DP + EP".
        strategy: &'static str,
        /// GPUs: "72 H100".
        gpus: String,
        /// Tokens per second and GPU.
        rate: f64,
        /// The SLO.
        slo: Option<f64>,
    },
    /// No plan is feasible.
    NoPlan {
        /// GPUs: "72 H100".
        gpus: String,
        /// The reason.
        why: NoPlan,
    },
    /// Colocated beside disaggregated at equal user speed.
    Disaggregated(AfdComparison),
    /// Lamina without prices to compare by.
    Unpriced {
        /// "2 × H200 + 4 × H20".
        deployed: String,
        /// Tokens per second of all of it.
        rate: f64,
    },
    /// The best ratio of entered latencies.
    BestRatio {
        /// Attention ranks for each FFN rank.
        ratio: f64,
        /// The bottleneck parts.
        pace: Vec<(Role, &'static str)>,
        /// Their time, in seconds.
        cycle_s: f64,
    },
    /// The disaggregation is impossible.
    Impossible {
        /// The broken rule.
        rule: String,
    },
    /// Answer to a preset's question.
    Answer(Sentence),
}

/// Colocated beside disaggregated at equal user speed.
#[derive(Debug, Clone, PartialEq)]
pub struct AfdComparison {
    /// Kind of disaggregation.
    pub mode: Disaggregation,
    /// Deployment: "AFD 32 : 40", "2 × H100 + 4 × H20".
    pub deployed: String,
    /// u*: tokens per second of one user.
    pub users: f64,
    /// Throughput of colocated at u*, in the mode's unit; `None` where it is too slow or does not fit.
    pub colocated: Option<f64>,
    /// Throughput of the disaggregated side at u*.
    pub disaggregated: Option<f64>,
    /// The disaggregated side fits in memory.
    pub fits: bool,
}

/// The two kinds of disaggregation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disaggregation {
    /// Attention–FFN disaggregation.
    Afd,
    /// Model–attention disaggregation.
    Lamina,
}

impl Disaggregation {
    const fn name(self) -> &'static str {
        match self {
            Self::Afd => "AFD",
            Self::Lamina => "Lamina",
        }
    }

    fn rate(self, value: f64) -> String {
        match self {
            Self::Afd => format!("{} tok/s/GPU", format::si(value)),
            Self::Lamina => format!("{} tok/$", format::si(value)),
        }
    }
}

impl AfdComparison {
    fn sentence(&self) -> Sentence {
        let said = Sentence::default();
        let Self { mode, deployed, .. } = self;
        let speed = format!("{} tok/s per user", format::sig3(self.users));
        match (self.colocated, self.disaggregated) {
            (Some(colocated), Some(rate)) => {
                let factor = rate / colocated;
                let colocated = mode.rate(colocated);
                let said = match winner(factor) {
                    Winner::Disaggregated => said
                        .then(Tone::Help, format!("{} pays", mode.name()))
                        .say(format!(": colocated {colocated}")),
                    Winner::Colocated => said
                        .then(Tone::Strong, "Colocated serves more")
                        .say(format!(": {colocated}")),
                    Winner::Neither => said
                        .then(Tone::Strong, "About equal")
                        .say(format!(": colocated {colocated}")),
                };
                said.say(format!("; {deployed} gives "))
                    .then(Tone::Strong, format::factor(factor))
                    .say(".")
            }
            (Some(colocated), None) => {
                let why = match self.fits {
                    true => format!("misses {} tok/s", format::sig3(self.users)),
                    false => "does not fit".to_owned(),
                };
                said.then(Tone::Strong, "Colocated serves more")
                    .say(format!(": {}; {deployed} {why}.", mode.rate(colocated)))
            }
            (None, Some(rate)) => {
                let what = match self.users > 0.0 {
                    true => format!("reaches {speed}"),
                    false => "fits".to_owned(),
                };
                said.then(Tone::Strong, format!("Only {deployed}"))
                    .say(format!(" {what}: {}.", mode.rate(rate)))
            }
            (None, None) => said
                .then(Tone::Bad, "Neither")
                .say(format!(" colocated nor {deployed} "))
                .say(match self.fits {
                    true => format!("reaches {speed}."),
                    false => "fits.".to_owned(),
                }),
        }
    }
}

/// Reasons for which a search finds no plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NoPlan {
    /// No parallelism strategy has a plan to try.
    NothingSearched,
    /// Every plan that fits misses the SLO.
    TooSlow {
        /// Tokens per second that a user needs.
        slo: f64,
        /// The most that any plan gives.
        fastest: f64,
    },
    /// One rule excluded most plans.
    Rule {
        /// The rule.
        rule: Exclusion,
        /// Its share of all plans.
        share: f64,
    },
}

/// A part of the time between two tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct StepPart {
    /// As a sentence's subject: "Scale-out communication", "Attention’s HBM reads".
    pub name: String,
    /// In a list: "communication", "attention".
    pub short: &'static str,
    /// Its name is a plural.
    pub plural: bool,
    /// Its colour.
    pub role: Role,
    /// Its share of that time, 0 … 1.
    pub share: f64,
}

impl Headline {
    /// The state of a scenario that breaks this rule.
    pub fn impossible(rule: &str) -> Self {
        Self::Impossible {
            rule: rule.to_owned(),
        }
    }

    /// The sentence of the state: at most 18 words, numbers among them.
    pub fn sentence(&self) -> Sentence {
        let said = Sentence::default();
        match self {
            Self::DoesNotFit {
                batch,
                gib,
                fits,
                slo,
            } => {
                let [needs, has] = gib;
                let said = said
                    .then(Tone::Bad, "Does not fit")
                    .say(match slo {
                        Some(_) if *batch < MILLIONS => {
                            format!(": batch {} needs ", format::count(*batch))
                        }
                        Some(_) => format!(": batch {} needs ", format::si(*batch)),
                        None => format!(": {} {} ", sequences(*batch), need(*batch)),
                    })
                    .then(
                        Tone::Strong,
                        format!(
                            "{} of {} GiB",
                            format::figure(*needs),
                            format::printed(*has)
                        ),
                    )
                    .say("; ");
                let s = if fits.is_some_and(|fits| fits > 1.0) {
                    ""
                } else {
                    "s"
                };
                let does = match slo {
                    Some(_) => format!("meet{s} the SLO."),
                    None => format!("fit{s}."),
                };
                match fits {
                    Some(fits) => said
                        .then(Tone::Strong, format::count(*fits))
                        .say(format!(" {does}")),
                    None => said.say(format!("none {does}")),
                }
            }
            Self::MissesSlo { rate, batch } => {
                let [now, slo] = rate;
                let said = said
                    .then(Tone::Bad, "Misses the SLO")
                    .say(format!(": {} of ", format::below(*now, *slo)))
                    .then(Tone::Strong, format!("{} tok/s", format::printed(*slo)))
                    .say(" per user. ");
                match batch {
                    Some(batch) => said
                        .say("Up to ")
                        .then(Tone::Strong, sequences(*batch))
                        .say(if *batch > 1.0 {
                            " meet it."
                        } else {
                            " meets it."
                        }),
                    None => said.say("No batch meets it."),
                }
            }
            Self::OnePart {
                part,
                span_s,
                idle_s,
            } => {
                let span = format::duration(*span_s).to_string();
                let said = said.then(Tone::Role(part.role), part.name.clone());
                let said = match part.share > 0.995 {
                    true => said.say(if part.plural {
                        " fill the "
                    } else {
                        " fills the "
                    }),
                    false => said
                        .say(if part.plural { " take " } else { " takes " })
                        .then(Tone::Strong, format::share(part.share))
                        .say(" of the "),
                };
                let said = said.then(Tone::Strong, span).say(" step");
                match idle_s {
                    Some(idle) => said
                        .say("; compute idles ")
                        .then(Tone::Strong, format::duration(*idle).to_string())
                        .say("."),
                    None => said.say("."),
                }
            }
            Self::NoBottleneck { span_s, parts } => {
                let mut said = said
                    .say("No bottleneck in ")
                    .then(Tone::Strong, format::duration(*span_s).to_string());
                for (place, part) in parts.iter().enumerate() {
                    let mark = if place == 0 { ": " } else { ", " };
                    said = said
                        .say(mark)
                        .then(Tone::Role(part.role), part.short)
                        .say(" ")
                        .then(Tone::Strong, format::share(part.share));
                }
                said.say(".")
            }
            Self::Compared {
                throughput,
                users,
                fits,
            } => said
                .then(Tone::Strong, format::factor(*throughput))
                .say(" A’s throughput per GPU at ")
                .then(Tone::Strong, format::factor(*users))
                .say(match fits {
                    true => " its user speed.",
                    false => " its user speed, if A fit.",
                }),
            Self::Reach {
                batch,
                per_gpu,
                slo,
                flat_from,
            } => {
                let verb = match (slo, *batch > 1.0) {
                    (None, true) => " fit",
                    (None, false) => " fits",
                    (Some(_), true) => " keep ",
                    (Some(_), false) => " keeps ",
                };
                let mut said = said
                    .say("Up to ")
                    .then(Tone::Strong, sequences(*batch))
                    .say(verb);
                if let Some(slo) = slo {
                    said = said.say(format!("{} tok/s per user", format::printed(*slo)));
                } else if let Some(each) = per_gpu.filter(|_| *batch < MILLIONS) {
                    said = said.say(format!(", {} per GPU", format::count(each)));
                }
                match flat_from {
                    Some(flat) => said
                        .say("; ")
                        .then(Tone::Strong, format::count(*flat))
                        .say(" do as well."),
                    None => said.say("."),
                }
            }
            Self::TooFew { least, room, slo } => {
                let said = said.then(Tone::Bad, "Too few sequences").say(format!(
                    ": this plan runs {} at once; ",
                    format::count(*least)
                ));
                match (room, slo) {
                    (Some(room), _) => said
                        .say("memory holds ")
                        .then(Tone::Strong, format!("{}.", format::count(*room))),
                    (None, Some(slo)) => said.say(format!(
                        "as many miss {} tok/s per user.",
                        format::printed(*slo)
                    )),
                    (None, None) => said.say("as many do not work."),
                }
            }
            Self::BestPlan {
                strategy,
                gpus,
                rate,
                slo,
            } => said
                .say(match slo {
                    // A phone has no room for the GPUs too.
                    Some(slo) => {
                        format!("Best sharding at ≥ {} tok/s/user: ", format::printed(*slo))
                    }
                    None => format!("Best sharding of {gpus}: "),
                })
                .then(Tone::Strong, *strategy)
                .say(", ")
                .then(Tone::Strong, format!("{} tok/s/GPU", format::si(*rate)))
                .say("."),
            Self::NoPlan { gpus, why } => {
                let said = said
                    .then(Tone::Bad, "No plan")
                    .say(format!(" on your {gpus}"));
                match why {
                    NoPlan::NothingSearched => {
                        said.say(": no parallelism strategy has one to search.")
                    }
                    NoPlan::TooSlow { slo, fastest } => said
                        .say(format!(
                            " keeps {} tok/s/user; fastest: ",
                            format::printed(*slo)
                        ))
                        .then(Tone::Strong, format::below(*fastest, *slo))
                        .say("."),
                    NoPlan::Rule { rule, share } => said
                        .say(" works: ")
                        .then(Tone::Strong, format::share(*share))
                        .say(format!(" {}.", excluded_by(*rule))),
                }
            }
            Self::Disaggregated(comparison) => comparison.sentence(),
            Self::Unpriced { deployed, rate } => said
                .then(Tone::Strong, "No prices")
                .say(format!(": {deployed} serves "))
                .then(Tone::Strong, format!("{} tok/s", format::si(*rate)))
                .say("."),
            Self::BestRatio {
                ratio,
                pace,
                cycle_s,
            } => {
                let mut said = said
                    .say("Best ratio ")
                    .then(Tone::Strong, format!("{} : 1", format::sig3(*ratio)))
                    .say(": ");
                for (place, (role, name)) in pace.iter().enumerate() {
                    said = said.say(if place == 0 { "" } else { " and " });
                    said = said.then(Tone::Role(*role), *name);
                }
                let each = match pace.len() {
                    1 => "takes",
                    _ => "each take",
                };
                let cycle = format::duration(*cycle_s);
                said.say(format!(" {each} {cycle} of a step."))
            }
            Self::Impossible { rule } => {
                said.then(Tone::Bad, "Impossible").say(format!(": {rule}."))
            }
            Self::Answer(answer) => answer.clone(),
        }
    }
}

/// A batch this large stands alone: its share per GPU would take a third line of a phone.
const MILLIONS: f64 = 1e6;

/// Plans that a rule excludes, as a sentence's end: "do not fit the memory".
const fn excluded_by(rule: Exclusion) -> &'static str {
    match rule {
        Exclusion::Format => "need a format that the accelerator lacks",
        Exclusion::Heads => "would split the query heads unevenly",
        Exclusion::Stages => "have more pipeline stages than layers",
        Exclusion::ExpertGroups => "have more expert groups than experts",
        Exclusion::Sharding => "break a rule of sharding",
        Exclusion::TooFewSequences => "have fewer sequences than micro-batches",
        Exclusion::NotFinite => "come to no finite number",
        Exclusion::OutOfMemory => "do not fit the memory",
        Exclusion::MissesSlo => "miss the SLO",
    }
}

const fn need(batch: f64) -> &'static str {
    if batch > 1.0 { "need" } else { "needs" }
}

/// The state of a scenario that does not work, the same above every view.
pub fn trouble(case: &Evaluated) -> Option<Headline> {
    let memory = &case.evaluation.memory;
    let workload = &case.scenario.workload;
    let least = case.scenario.plan.micro_batches();
    if !memory.fits() {
        let room = Some(case.limits.b_cap).filter(|room| *room >= least);
        let slo = workload.slo.filter(|_| room.is_some());
        return Some(Headline::DoesNotFit {
            batch: workload.batch,
            gib: [memory.most().as_gib(), memory.usable.as_gib()],
            fits: match slo {
                Some(_) => case.largest.ok().map(|largest| largest.batch),
                None => room,
            },
            slo,
        });
    }
    let slo = workload
        .slo
        .filter(|slo| case.evaluation.tokens_per_user < *slo)?;
    Some(Headline::MissesSlo {
        rate: [case.evaluation.tokens_per_user, slo],
        batch: case.largest.ok().map(|largest| largest.batch),
    })
}

/// Bottleneck of the time between two tokens.
pub fn bottleneck(scenario: &Scenario, evaluation: &Evaluation) -> Headline {
    let (span, mut parts) = parts(scenario, evaluation);
    sort_by(&mut parts, |one, other| other.share.total_cmp(&one.share));
    let breakdown = &evaluation.breakdown;
    let idle = evaluation.step - breakdown.compute() - breakdown.overhead;
    parts.truncate(3);
    match parts.first() {
        Some(part) if part.share >= 0.5 => Headline::OnePart {
            idle_s: (part.role == Role::Messages && idle / evaluation.step > 0.005)
                .then_some(idle.get()),
            part: part.clone(),
            span_s: span.get(),
        },
        _ => Headline::NoBottleneck {
            span_s: span.get(),
            parts,
        },
    }
}

/// Every part of the time between the tokens of one step, on the side of the schedule that sets its length; together
/// they are that time.
fn parts(scenario: &Scenario, evaluation: &Evaluation) -> (Seconds, Vec<StepPart>) {
    let breakdown = &evaluation.breakdown;
    let yielded = scenario.workload.speculation.yielded();
    let prompts = evaluation
        .prefills
        .map_or(Seconds::ZERO, |prefills| prefills.per_token * yielded);
    let span = evaluation.step + prompts;
    let host = scenario.calibration.host;
    let overlapped = scenario.plan.spec().overlap == Overlap::TwoBatch;
    let compute = breakdown.compute() + breakdown.overhead - host;
    let communication_binds = overlapped && breakdown.messages > compute;
    let part = |name: String, short, plural, role, time: Seconds| StepPart {
        name,
        short,
        plural,
        role,
        share: time / span,
    };
    let mut all = vec![part(
        "Prefill of other requests".into(),
        "prefill",
        false,
        Role::Prompts,
        prompts,
    )];
    let exposed = match (overlapped, communication_binds) {
        (true, false) => Seconds::ZERO,
        (true, true) => breakdown.messages,
        // HOP-B overlaps a part of it.
        (false, _) => breakdown.messages - breakdown.hidden,
    };
    all.push(part(
        format!("{} communication", link(scenario, evaluation)),
        "communication",
        false,
        Role::Messages,
        exposed,
    ));
    let overhead = if communication_binds {
        host
    } else {
        breakdown.overhead
    };
    all.push(part(
        "Framework overhead".into(),
        "overhead",
        false,
        Role::Overhead,
        overhead,
    ));
    if !communication_binds {
        all.extend(OperatorRole::ALL.map(|of| {
            let (what, plural) = spends(scenario, evaluation, of);
            let short = match of {
                OperatorRole::Head => "head",
                _ => part_name(of),
            };
            let name = format!("{} {what}", possessive(of));
            part(name, short, plural, names::role(of), breakdown.of(of))
        }));
    }
    (span, all)
}

const fn possessive(of: OperatorRole) -> &'static str {
    match of {
        OperatorRole::Attention => "Attention’s",
        OperatorRole::Dense => "Dense layers’",
        OperatorRole::Experts => "Experts’",
        OperatorRole::Head => "The output head’s",
    }
}

/// The busiest network link.
fn link(scenario: &Scenario, evaluation: &Evaluation) -> &'static str {
    let over = |link: Link| {
        let messages = evaluation.messages(scenario);
        let times = messages.iter().filter(|message| message.link == link);
        times.fold(0.0, |all, message| {
            all + message.time.get() * f64::from(message.layers)
        })
    };
    match over(Link::ScaleOut) >= over(Link::ScaleUp) {
        true => "Scale-out",
        false => "Scale-up",
    }
}

/// Resource on which a part of the model spends most of its time, and true if its name is a plural.
fn spends(scenario: &Scenario, evaluation: &Evaluation, of: OperatorRole) -> (&'static str, bool) {
    let mut times = [0.0; 3];
    for timed in evaluation
        .timed(scenario)
        .filter(|timed| timed.operator.kind.role() == of)
    {
        let layers = f64::from(timed.layers);
        let start = evaluation.rates.start(&timed.operator).get();
        let (reads, computes) = (
            evaluation.rates.memory(&timed.operator).get(),
            evaluation.rates.compute(&timed.operator).get(),
        );
        times[usize::from(computes > reads)] += reads.max(computes) * layers;
        times[2] += start * layers;
    }
    match times {
        [reads, computes, starts] if starts > reads.max(computes) => ("kernel launches", true),
        [reads, computes, _] if computes > reads => ("compute", false),
        _ => ("HBM reads", true),
    }
}

/// The largest batch of the plan, for a scenario that works.
pub fn reach(case: &Evaluated) -> Headline {
    let slo = case.scenario.workload.slo;
    let most = match case.largest {
        Ok(largest) => largest.batch,
        Err(why) => {
            let room = Some(case.limits.b_cap).filter(|_| why == NoBatch::Memory);
            return Headline::TooFew {
                least: case.scenario.plan.micro_batches(),
                room,
                slo,
            };
        }
    };
    let flat = served(&case.scenario, slo.unwrap_or(0.0)).map(|served| served.batch);
    Headline::Reach {
        batch: most,
        per_gpu: case.whole_per_gpu(most),
        slo,
        flat_from: flat.filter(|flat| flat * 1.05 < most),
    }
}
