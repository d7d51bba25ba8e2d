//! The headline above every view: a state with its facts, and one sentence for each state.

use model_core::afd::decision::{Winner, winner};
use model_core::bottleneck::Resource;
use model_core::plan::Overlap;
use model_core::sweep::Exclusion;

use super::names::{resource, schedule, sequences};
use super::sentence::{Sentence, Tone};
use crate::theme::Role;
use crate::words::format;

/// The state of a view, with the facts that its sentence names.
#[derive(Debug, Clone, PartialEq)]
pub enum Headline {
    /// The batch needs more memory than there is.
    DoesNotFit {
        /// Batch of the scenario.
        batch: f64,
        /// GiB of the most loaded GPU, and what it has.
        gib: [f64; 2],
        /// Sequences that fit and meet the SLO; `None` if no batch does.
        fits: Option<f64>,
        /// The SLO, where batches fit.
        slo: Option<f64>,
    },
    /// Users get less than the SLO.
    MissesSlo {
        /// Tokens per second and user, now and wanted.
        rate: [f64; 2],
        /// The largest limit of the time between two tokens.
        limit: Limit,
        /// The change of least cost that meets it.
        remedy: Option<Remedy>,
    },
    /// One resource limits at least half of the time between two tokens.
    Limited {
        /// The resource.
        limit: Limit,
        /// The next one, where it limits at least a quarter.
        next: Option<Limit>,
        /// Part of the model with most of that time.
        most_in: Option<&'static str>,
        /// Time between the tokens of one step, in seconds.
        span_s: f64,
        /// Idle time of compute, where communication is the bottleneck.
        idle_s: Option<f64>,
    },
    /// No resource limits half.
    NoBottleneck {
        /// Time between the tokens of one step, in seconds.
        span_s: f64,
        /// The largest limits.
        limits: Vec<Limit>,
    },
    /// A is pinned.
    Compared {
        /// Difference of A, where it is short: "DeepSeek-V3".
        pinned: Option<String>,
        /// Throughput per GPU over A's.
        throughput: f64,
        /// Interactivity over A's.
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
        /// Batch that fits in memory, if memory is the limit.
        room: Option<f64>,
        /// The SLO.
        slo: Option<f64>,
    },
    /// The best parallelism strategy.
    BestPlan {
        /// Its name: "DP + EP".
        strategy: &'static str,
        /// "3 × 24" of several replicas.
        replicas: Option<String>,
        /// GPUs: "72 H100".
        gpus: String,
        /// Tokens per second and GPU, and per user.
        rates: [f64; 2],
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
    /// Colocated vs. disaggregated at equal interactivity.
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
    /// A custom accelerator lacks a number.
    Incomplete {
        /// The missing number in words.
        lacks: String,
    },
    /// The disaggregation is invalid.
    Impossible {
        /// The broken rule.
        rule: String,
    },
}

/// Colocated vs. disaggregated at equal interactivity.
#[derive(Debug, Clone, PartialEq)]
pub struct AfdComparison {
    /// Kind of disaggregation.
    pub mode: Disaggregation,
    /// Deployment: "AFD 32 : 40", "2 × H100 + 4 × H20".
    pub deployed: String,
    /// u*: tokens per second of one user.
    pub users: f64,
    /// Throughput of colocated at u*, in the mode's unit; `None` if it is too slow or does not fit.
    pub colocated: Option<f64>,
    /// Throughput of the disaggregated side at u*.
    pub disaggregated: Option<f64>,
    /// The disaggregated side fits in memory.
    pub fits: bool,
    /// Its numbers are those of a simulation.
    pub simulated: bool,
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

    /// The quantity that is compared.
    const fn of(self) -> &'static str {
        match self {
            Self::Afd => "",
            Self::Lamina => " per $",
        }
    }

    fn rate(self, value: f64) -> String {
        match self {
            Self::Afd => format!("{} tok/s/GPU", format::si(value)),
            Self::Lamina => format!("{} tok/$", format::si(value)),
        }
    }
}

/// The sentence of a pinned scenario: "A: …".
pub fn of_pinned(headline: &Headline) -> Sentence {
    Sentence::marked("**A**: ").and(headline.sentence())
}

impl AfdComparison {
    fn sentence(&self) -> Sentence {
        let Self { mode, deployed, .. } = self;
        let speed = format!("{} tok/s/user", format::sig3(self.users));
        let simulated = if self.simulated { " (simulated)" } else { "" };
        Sentence::marked(&match (self.colocated, self.disaggregated) {
            (Some(colocated), Some(rate)) => {
                let factor = rate / colocated;
                let wins = match winner(factor) {
                    Winner::Disaggregated => format!("_{} wins_", mode.name()),
                    Winner::Colocated => "**Colocated wins**".to_owned(),
                    Winner::Neither => "**About equal**".to_owned(),
                };
                let at = match self.users > 0.0 {
                    true => format!(" at ≥ {speed}"),
                    false => String::new(),
                };
                let factor = format::factor(factor);
                let of = mode.of();
                format!("{wins}{at}: {deployed} serves **{factor}**{of}{simulated}.")
            }
            (Some(colocated), None) if self.fits && self.users > 0.0 => {
                let colocated = mode.rate(colocated);
                format!("**Only colocated** reaches {speed}: {colocated}{simulated}.")
            }
            (Some(colocated), None) => {
                let colocated = mode.rate(colocated);
                format!("**Colocated wins**: {colocated}; {deployed} is out of memory.")
            }
            (None, Some(rate)) => {
                let what = match self.users > 0.0 {
                    true => format!("reaches {speed}"),
                    false => "fits".to_owned(),
                };
                format!(
                    "**Only {deployed}** {what}: {}{simulated}.",
                    mode.rate(rate)
                )
            }
            (None, None) => {
                let what = match self.fits {
                    true => format!("reaches {speed}"),
                    false => "fits".to_owned(),
                };
                format!("*Neither* colocated nor {deployed} {what}.")
            }
        })
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

/// A resource with its share of the time between two tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    /// The resource.
    pub resource: Resource,
    /// Its color.
    pub role: Role,
    /// Its share of that time, 0–1.
    pub share: f64,
}

/// A change that meets the SLO.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Remedy {
    /// Another schedule of the same plan.
    Overlap(Overlap),
    /// A smaller batch: the most sequences that meet it.
    Batch(f64),
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
        Sentence::marked(&match self {
            Self::Disaggregated(comparison) => return comparison.sentence(),
            Self::Limited {
                limit,
                next: Some(next),
                span_s,
                ..
            } => return both_limited(limit, next, *span_s),
            Self::Limited {
                limit,
                next: None,
                most_in,
                span_s,
                idle_s,
            } => return limited(limit, *most_in, *span_s, *idle_s),
            Self::NoBottleneck { span_s, limits } => return no_bottleneck(*span_s, limits),
            Self::MissesSlo {
                rate: [now, slo],
                limit,
                remedy,
            } => {
                let meets = match remedy {
                    Some(Remedy::Overlap(overlap)) => {
                        format!(" {} meets it.", format::capital(schedule(*overlap)))
                    }
                    Some(Remedy::Batch(batch)) => {
                        format!(" Batch ≤ **{}** meets it.", format::count(*batch))
                    }
                    None => String::new(),
                };
                let any = if remedy.is_some() {
                    ""
                } else {
                    " at any batch"
                };
                let (now, slo) = (format::below(*now, *slo), format::printed(*slo));
                let start = format!("*Misses the SLO*{any}: {now} of **{slo} tok/s/user**; ");
                return Sentence::marked(&start)
                    .and(limits(limit, resource(limit.resource)))
                    .and(Sentence::marked(&format!(".{meets}")));
            }
            Self::BestRatio {
                ratio,
                pace,
                cycle_s,
            } => return best_ratio(*ratio, pace, *cycle_s),
            Self::Incomplete { lacks } => {
                return Sentence::default()
                    .then(Tone::Bad, format::capital(lacks))
                    .say(".");
            }
            Self::Impossible { rule } => {
                return Sentence::marked("*Invalid plan*: ").say(format!("{rule}."));
            }
            Self::DoesNotFit {
                batch,
                gib: [needs, has],
                fits,
                slo,
            } => {
                let who = match slo {
                    Some(_) => format!("batch {} needs", format::sequences(*batch)),
                    None => format!("{} need{}", sequences(*batch), s(*batch)),
                };
                let gib = format!(
                    "{} of {} GiB",
                    format::figure(*needs),
                    format::printed(*has)
                );
                let most = match fits {
                    Some(fits) => format!("at most **{}**", format::count(*fits)),
                    None => "no batch".to_owned(),
                };
                let s = s(fits.unwrap_or(1.0));
                let does = match slo {
                    Some(_) => format!("meet{s} the SLO"),
                    None => format!("fit{s}"),
                };
                format!("*Out of memory*: {who} **{gib}**; {most} {does}.")
            }
            Self::Compared {
                pinned,
                throughput,
                users,
                fits,
            } => {
                let [throughput, users] = [throughput, users].map(|of| format::factor(*of));
                let named = match (pinned, fits) {
                    (_, false) => ", which is out of memory".to_owned(),
                    (Some(pinned), true) => format!(" ({pinned})"),
                    (None, true) => String::new(),
                };
                format!("**{throughput}** tok/s/GPU at **{users}** interactivity vs. A{named}.")
            }
            Self::Reach {
                batch,
                per_gpu,
                slo,
                flat_from,
            } => {
                let (most, s) = (sequences(*batch), s(*batch));
                let does = match (slo, per_gpu.filter(|_| *batch < MILLIONS)) {
                    (Some(slo), _) => format!("meet{s} {} tok/s/user", format::printed(*slo)),
                    (None, Some(each)) => format!("fit{s}, {} per GPU", format::count(each)),
                    (None, None) => format!("fit{s}"),
                };
                let flat = flat_from.map_or_else(String::new, |flat| {
                    format!("; output levels off at **{}**", format::count(flat))
                });
                format!("At most **{most}** {does}{flat}.")
            }
            Self::TooFew { least, room, slo } => {
                let least = format::count(*least);
                let but = match (room, slo) {
                    (Some(room), _) => format!("memory holds **{}**", format::count(*room)),
                    (None, Some(slo)) => {
                        format!("that batch misses {} tok/s/user", format::printed(*slo))
                    }
                    (None, None) => "that batch is infeasible".to_owned(),
                };
                format!("*Batch too small*: this plan needs ≥ {least} sequences; {but}.")
            }
            Self::BestPlan {
                strategy,
                replicas,
                gpus,
                rates: [rate, users],
                slo,
            } => {
                // A phone has no room for the GPUs and the SLO.
                let (of, users) = match slo {
                    Some(slo) => {
                        let of = format!("at ≥ {} tok/s/user", format::printed(*slo));
                        (of, String::new())
                    }
                    None => (
                        format!("on {gpus}"),
                        format!(", {} per user", format::sig3(*users)),
                    ),
                };
                let rate = format::si(*rate);
                let plan = match replicas {
                    Some(replicas) => format!("{replicas}, {strategy}"),
                    None => (*strategy).to_owned(),
                };
                format!("Best plan {of}: **{plan}**, **{rate} tok/s/GPU**{users}.")
            }
            Self::NoPlan { gpus, why } => {
                let why = match why {
                    NoPlan::NothingSearched => ": no parallelism strategy is selected".to_owned(),
                    NoPlan::TooSlow { slo, fastest } => format!(
                        " reaches {} tok/s/user; the fastest reaches **{}**",
                        format::printed(*slo),
                        format::below(*fastest, *slo)
                    ),
                    NoPlan::Rule { rule, share } => format!(
                        " is feasible: **{}** {}",
                        format::share(*share),
                        excluded_by(*rule)
                    ),
                };
                format!("*No plan* on your {gpus}{why}.")
            }
            Self::Unpriced { deployed, rate } => {
                let rate = format::si(*rate);
                format!("**No prices set**: {deployed} serves **{rate} tok/s**.")
            }
        })
    }
}

/// "HBM bandwidth limits 61%", "scale-out links limit all".
fn limits(limit: &Limit, name: impl Into<String>) -> Sentence {
    let s = match limit.resource {
        Resource::ScaleUp | Resource::ScaleOut => "",
        _ => "s",
    };
    let share = match limit.share > 0.995 {
        true => "all".to_owned(),
        false => format!("**{}**", format::share(limit.share)),
    };
    Sentence::default()
        .then(Tone::Role(limit.role), name)
        .and(Sentence::marked(&format!(" limit{s} {share}")))
}

/// "HBM bandwidth limits 61% of the 40.0 ms step, most in attention."
fn limited(
    limit: &Limit,
    most_in: Option<&'static str>,
    span_s: f64,
    idle_s: Option<f64>,
) -> Sentence {
    let span = format::duration(span_s);
    let more = match (idle_s, most_in) {
        (Some(idle), _) => format!("; compute idles **{}**", format::duration(idle)),
        (None, Some(part)) => format!(", most in {part}"),
        (None, None) => String::new(),
    };
    limits(limit, format::capital(resource(limit.resource)))
        .and(Sentence::marked(&format!(" of the **{span}** step{more}.")))
}

/// "Scale-out links limit 52% and expert imbalance 45% of 168 ms."
fn both_limited(limit: &Limit, next: &Limit, span_s: f64) -> Sentence {
    limits(limit, format::capital(resource(limit.resource)))
        .say(" and ")
        .then(Tone::Role(next.role), resource(next.resource))
        .say(" ")
        .then(Tone::Strong, format::share(next.share))
        .say(format!(" of {}.", format::duration(span_s)))
}

/// "No single bottleneck in 40.0 ms: HBM bandwidth 34%, compute 28%."
fn no_bottleneck(span_s: f64, limits: &[Limit]) -> Sentence {
    let span = format::duration(span_s);
    let mut said = Sentence::marked(&format!("No single bottleneck in **{span}**"));
    for (place, limit) in limits.iter().enumerate() {
        said = said
            .say(if place == 0 { ": " } else { ", " })
            .then(Tone::Role(limit.role), resource(limit.resource))
            .say(" ")
            .then(Tone::Strong, format::share(limit.share));
    }
    said.say(".")
}

/// "Best A:F ratio 9.32 : 1: attention and FFN each take 298 µs per step."
fn best_ratio(ratio: f64, pace: &[(Role, &'static str)], cycle_s: f64) -> Sentence {
    let ratio = format::sig3(ratio);
    let mut said = Sentence::marked(&format!("Best A:F ratio **{ratio} : 1**: "));
    for (place, (role, name)) in pace.iter().enumerate() {
        said = said.say(if place == 0 { "" } else { " and " });
        said = said.then(Tone::Role(*role), *name);
    }
    let take = match pace.len() {
        1 => "takes",
        _ => "each take",
    };
    said.say(format!(" {take} {} per step.", format::duration(cycle_s)))
}

/// Ending of a verb whose subject is a count.
const fn s(count: f64) -> &'static str {
    if count > 1.0 { "" } else { "s" }
}

/// From this batch on, the batch per GPU is omitted, to fit two lines on a phone.
const MILLIONS: f64 = 1e6;

/// Plans that a rule excludes, as a sentence's end: "do not fit in memory".
const fn excluded_by(rule: Exclusion) -> &'static str {
    match rule {
        Exclusion::Format => "need a format this GPU lacks",
        Exclusion::Heads => "cannot split the query heads evenly",
        Exclusion::Stages => "have more pipeline stages than layers",
        Exclusion::ExpertGroups => "have more EP ranks than experts",
        Exclusion::Sharding => "violate a parallelism constraint",
        Exclusion::TooFewSequences => "have fewer sequences than micro-batches",
        Exclusion::NotFinite => "overflow",
        Exclusion::OutOfMemory => "do not fit in memory",
        Exclusion::MissesSlo => "miss the SLO",
    }
}
