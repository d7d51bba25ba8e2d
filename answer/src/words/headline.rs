//! The headline above every view: the state of the view with its values, and one sentence for each state.

use model_core::afd::decision::{Winner, winner};
use model_core::bottleneck::Resource;
use model_core::plan::Overlap;
use model_core::sweep::Exclusion;

use super::names::{resource, schedule, sequences};
use super::sentence::{Sentence, Tone};
use crate::theme::Role;
use crate::words::format;

/// The state of a view, with the values that its sentence contains.
#[derive(Debug, Clone, PartialEq)]
pub enum Headline {
    /// Out of memory: the batch needs more memory than the GPUs have.
    DoesNotFit {
        /// Batch of the scenario, in sequences.
        batch: f64,
        /// Memory needed by the most loaded GPU, and its usable memory, in GiB.
        gib: [f64; 2],
        /// Maximum batch that fits and meets the SLO, in sequences; `None` if no batch does.
        fits: Option<f64>,
        /// The SLO, in tok/s/user; `None` if no SLO is set or no batch fits.
        slo: Option<f64>,
    },
    /// The interactivity of the scenario is below the SLO.
    MissesSlo {
        /// Current and required interactivity, in tok/s/user.
        rate: [f64; 2],
        /// The resource that limits the largest share of the time between two tokens.
        limit: Limit,
        /// The cheapest change that meets the SLO.
        remedy: Option<Remedy>,
    },
    /// One resource limits at least half of the time between two tokens.
    Limited {
        /// The limiting resource, with the share of time that it limits.
        limit: Limit,
        /// The resource with the second-largest share, if it limits at least a quarter of the time.
        next: Option<Limit>,
        /// Part of the model in which the limiting resource limits the most time.
        most_in: Option<&'static str>,
        /// Time between two tokens of a sequence, in seconds.
        span_s: f64,
        /// Time per step in which compute is idle, in seconds, if communication is the bottleneck.
        idle_s: Option<f64>,
    },
    /// No resource limits half of the time between two tokens.
    NoBottleneck {
        /// Time between two tokens, in seconds.
        span_s: f64,
        /// The resources that limit the largest shares of the time.
        limits: Vec<Limit>,
    },
    /// The current scenario is compared with the pinned scenario A.
    Compared {
        /// Difference of scenario A from the current one in a few words: "DeepSeek-V3"; `None` if a few words do not
        /// suffice.
        pinned: Option<String>,
        /// Throughput per GPU ÷ that of scenario A.
        throughput: f64,
        /// Interactivity ÷ that of scenario A.
        users: f64,
        /// True if scenario A fits in memory.
        fits: bool,
    },
    /// The largest feasible batch of the plan.
    Reach {
        /// Maximum batch that fits in memory and meets the SLO, in sequences.
        batch: f64,
        /// Maximum batch in sequences per GPU, if this is a whole number.
        per_gpu: Option<f64>,
        /// The SLO in tok/s/user, if one is set.
        slo: Option<f64>,
        /// Batch above which additional sequences add less than 0.5% throughput.
        flat_from: Option<f64>,
    },
    /// The batch is too small: no feasible batch has at least one sequence per micro-batch.
    TooFew {
        /// Minimum batch of the plan, in sequences: one for each micro-batch.
        least: f64,
        /// Maximum batch that fits in memory, in sequences; `None` if memory is not the limit.
        room: Option<f64>,
        /// The SLO in tok/s/user, if one is set.
        slo: Option<f64>,
    },
    /// The best plan of a search, with its parallelism strategy.
    BestPlan {
        /// Name of the parallelism strategy: "DP + EP".
        strategy: &'static str,
        /// Number of replicas and number of GPUs of each, "3 × 24"; `None` for a single replica.
        replicas: Option<String>,
        /// GPU count and accelerator: "72 H100".
        gpus: String,
        /// Throughput in tok/s/GPU and interactivity in tok/s/user of the best plan.
        rates: [f64; 2],
        /// The SLO in tok/s/user, if one is set.
        slo: Option<f64>,
    },
    /// No plan is feasible.
    NoPlan {
        /// GPU count and accelerator: "72 H100".
        gpus: String,
        /// The reason why there is no plan.
        why: NoPlan,
    },
    /// A colocated deployment is compared with a disaggregated one at equal interactivity.
    Disaggregated(AfdComparison),
    /// A price of the Lamina deployment is missing, so that its cost cannot be compared.
    Unpriced {
        /// Devices of the deployment: "2 × H200 + 4 × H20".
        deployed: String,
        /// Throughput of the whole deployment, in tok/s.
        rate: f64,
    },
    /// The best ratio of attention to FFN ranks, given latencies that the user has entered.
    BestRatio {
        /// Number of attention ranks per FFN rank.
        ratio: f64,
        /// Roles and names of the parts that are the bottleneck; several if they take equally long.
        pace: Vec<(Role, &'static str)>,
        /// Time that the bottleneck takes per step, in seconds.
        cycle_s: f64,
    },
    /// A custom accelerator lacks a required number.
    Incomplete {
        /// The missing number of the accelerator, as text.
        lacks: String,
    },
    /// The scenario breaks a rule.
    Impossible {
        /// The broken rule, as text.
        rule: String,
    },
}

/// Comparison of a colocated and a disaggregated deployment at equal interactivity, as shown in a headline.
#[derive(Debug, Clone, PartialEq)]
pub struct AfdComparison {
    /// The kind of disaggregation: AFD or Lamina.
    pub mode: Disaggregation,
    /// The disaggregated deployment: "AFD 32 : 40", "2 × H100 + 4 × H20".
    pub deployed: String,
    /// Interactivity u* at which the deployments are compared, in tok/s/user.
    pub users: f64,
    /// Throughput of the colocated deployment at u*: in tok/s/GPU for AFD, in tok/$ for Lamina. `None` if it is too
    /// slow or out of memory.
    pub colocated: Option<f64>,
    /// Throughput of the disaggregated deployment at u*: in tok/s/GPU for AFD, in tok/$ for Lamina. `None` if it is
    /// too slow or out of memory.
    pub disaggregated: Option<f64>,
    /// True if the disaggregated deployment fits in memory.
    pub fits: bool,
    /// True if the values of the disaggregated deployment come from a simulation.
    pub simulated: bool,
}

/// The two kinds of disaggregation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disaggregation {
    /// Attention–FFN disaggregation (AFD).
    Afd,
    /// Model–attention disaggregation (Lamina).
    Lamina,
}

impl Disaggregation {
    const fn name(self) -> &'static str {
        match self {
            Self::Afd => "AFD",
            Self::Lamina => "Lamina",
        }
    }

    /// Returns the suffix of the factor by which the deployments differ: " per $" for Lamina.
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

/// Returns the headline sentence of the pinned scenario: "A: …".
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

/// Reasons why a search finds no plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NoPlan {
    /// No selected parallelism strategy has a plan to try.
    NothingSearched,
    /// Every plan that fits misses the SLO.
    TooSlow {
        /// Interactivity that the SLO requires, in tok/s/user.
        slo: f64,
        /// Highest interactivity of any plan, in tok/s/user.
        fastest: f64,
    },
    /// One rule excluded most plans.
    Rule {
        /// The rule that excluded most plans.
        rule: Exclusion,
        /// Share of all excluded plans that were excluded by this rule, 0–1.
        share: f64,
    },
}

/// A resource, with the share of the time between two tokens that it limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    /// The limiting resource.
    pub resource: Resource,
    /// Role that gives the resource its color.
    pub role: Role,
    /// Share of the time between two tokens that the resource limits, 0–1.
    pub share: f64,
}

/// A change that meets the SLO.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Remedy {
    /// Another overlap schedule for the same plan.
    Overlap(Overlap),
    /// A smaller batch: the largest one that meets the SLO, in sequences.
    Batch(f64),
}

impl Headline {
    /// Creates the headline of a scenario that breaks this rule.
    pub fn impossible(rule: &str) -> Self {
        Self::Impossible {
            rule: rule.to_owned(),
        }
    }

    /// Returns the sentence for this state, with at most 18 words, including numbers.
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
                // On a phone, the sentence has space for the GPUs or the SLO, but not for both.
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

/// Returns the sentence part on a resource with the share of time that it limits: "HBM bandwidth limits 61%",
/// "scale-out links limit all".
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

/// Returns the sentence on a single bottleneck: "HBM bandwidth limits 61% of the 40.0 ms step, most in attention."
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

/// Returns the sentence on two bottlenecks: "Scale-out links limit 52% and expert imbalance 45% of 168 ms."
fn both_limited(limit: &Limit, next: &Limit, span_s: f64) -> Sentence {
    limits(limit, format::capital(resource(limit.resource)))
        .say(" and ")
        .then(Tone::Role(next.role), resource(next.resource))
        .say(" ")
        .then(Tone::Strong, format::share(next.share))
        .say(format!(" of {}.", format::duration(span_s)))
}

/// Returns the sentence for a step without a main bottleneck: "No single bottleneck in 40.0 ms: HBM bandwidth 34%,
/// compute 28%."
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

/// Returns the sentence on the best A:F ratio: "Best A:F ratio 9.32 : 1: attention and FFN each take 298 µs per
/// step."
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

/// Returns the ending of a verb that follows a count: "s" for one, else empty.
const fn s(count: f64) -> &'static str {
    if count > 1.0 { "" } else { "s" }
}

/// Smallest batch for which the headline omits the batch per GPU, to fit in two lines on a phone.
const MILLIONS: f64 = 1e6;

/// Returns the end of a sentence about the plans that a rule excludes: "do not fit in memory".
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
