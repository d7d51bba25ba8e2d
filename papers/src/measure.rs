//! Named quantities of an evaluated scenario, in base SI units.
//!
//! A name consists of a group and members, as in `operator.q_up.weights`. Quantities of operators and communication
//! are for one GPU, one layer and one pass; multiply them by counts such as `layers`.

use std::cell::OnceCell;
use std::rc::Rc;

use model_core::arch::params::{Parameters, parameters};
use model_core::arch::{Arch, Ffn, Latent, Layered, Mixer, Moe, params};
use model_core::cost::collective::Collective;
use model_core::cost::memory::sequence_bytes;
use model_core::evaluate::{Evaluation, evaluate, with_batch};
use model_core::inputs::Inputs;
use model_core::limits::growth::on_gpus;
use model_core::limits::{Limits, limits};
use model_core::ops::Operator;
use model_core::ops::ffn::{expert_tokens, experts_loaded, experts_on_busiest, experts_resident};
use model_core::scenario::Scenario;
use model_core::schedule::hop_b;
use model_core::units::Seconds;

use crate::study::Searches;
use crate::{ratio, split, study};

/// An evaluated scenario, with further results computed on demand.
#[derive(Debug)]
pub struct Subject {
    /// Inputs of the scenario, for quantities that need an evaluation with another GPU count or accelerator.
    inputs: Option<Inputs>,
    scenario: Scenario,
    evaluation: Evaluation,
    /// Limits of the scenario, computed on first use because few quantities need them.
    limits: OnceCell<Option<Limits>>,
    parameters: OnceCell<Parameters>,
    gains: OnceCell<Option<Vec<split::Gain>>>,
    searches: Rc<Searches>,
}

impl Subject {
    /// Evaluates a scenario.
    pub fn new(scenario: Scenario) -> Option<Self> {
        Some(Self {
            evaluation: evaluate(&scenario).ok()?,
            limits: OnceCell::new(),
            parameters: OnceCell::new(),
            gains: OnceCell::new(),
            searches: Rc::default(),
            inputs: None,
            scenario,
        })
    }

    /// Evaluates the scenario of a permalink; `searches` are shared between subjects.
    pub fn of(inputs: &Inputs, scenario: Scenario, searches: &Rc<Searches>) -> Option<Self> {
        Some(Self {
            inputs: Some(*inputs),
            searches: Rc::clone(searches),
            ..Self::new(scenario)?
        })
    }

    /// Returns the scenario.
    pub const fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    fn limits(&self) -> Option<&Limits> {
        let found = self.limits.get_or_init(|| limits(&self.scenario));
        found.as_ref()
    }

    fn parameters(&self) -> &Parameters {
        let found = || parameters(&self.scenario.arch);
        self.parameters.get_or_init(found)
    }

    fn gains(&self) -> Option<&[split::Gain]> {
        let found = || split::gains(&self.inputs?);
        self.gains.get_or_init(found).as_deref()
    }
}

/// Returns the quantity called `name`. `given` has the numbers that the source states, for quantities that need no
/// scenario.
pub fn measure(subject: &Subject, name: &str, given: &[(&str, f64)]) -> Option<f64> {
    let parts: Vec<&str> = name.split('.').collect();
    match parts.as_slice() {
        ["matrix", symbol] => matrix(subject, symbol),
        ["operator", kind, what] => operator(subject, kind, what),
        ["prefill", "attention"] => study::prefill_attention(&subject.scenario),
        ["prefill", kind, what] => work(&study::prefill_operator(&subject.scenario, kind)?, what),
        ["message", collective, what] => message(subject, collective, what),
        ["memory", part] => memory(subject, part),
        ["parameters", part] => parameter(subject, part),
        ["experts", what] => experts(subject, what),
        ["calibration", factor] => calibration(subject, factor),
        ["cluster", what] => cluster(subject, what),
        ["breakdown", part] => breakdown(subject, part),
        ["limits", which] => limit(subject, which),
        ["hop_b", form] => requests(form, given),
        ["at_capacity", name] => rate(&Subject::new(study::at_capacity(&subject.scenario))?, name),
        ["reordering", "best"] => study::best_reordering(&subject.scenario),
        ["helix", gain] => subject.searches.helix(&subject.scenario, gain),
        ["split", what] => match split::over_gains(what) {
            Some(of) => of(subject.gains()?),
            None => split::measure(&subject.inputs?, what),
        },
        ["instances", what] => study::instances(&subject.inputs?, what),
        ["on_gpus", gpus, rest] => {
            let scenario = on_gpus(&subject.inputs?, gpus.parse().ok()?).ok()?;
            memory(&Subject::new(scenario)?, rest)
        }
        ["ratio", what] => ratio::closed(&subject.inputs?, what),
        ["simulated", what] => ratio::simulated(&subject.inputs?, what),
        ["given", key] => stated(given, key),
        [other] => rate(subject, other).or_else(|| count(subject, other)),
        _ => None,
    }
}

/// Returns the number that the source states under this key.
fn stated(given: &[(&str, f64)], key: &str) -> Option<f64> {
    let found = given.iter().find(|(name, _)| *name == key)?;
    Some(found.1)
}

/// Returns the bytes of a weight matrix, named by its symbol in [A] Table 1 and computed only from the LLM's shape
/// and precision.
fn matrix(subject: &Subject, symbol: &str) -> Option<f64> {
    let Scenario {
        arch, precision, ..
    } = &subject.scenario;
    let d = f64::from(arch.hidden);
    if let (
        [
            Layered {
                shape: Mixer::Latent(shape),
                ..
            },
        ],
        true,
    ) = (arch.mixers(), symbol != "W_E" && symbol != "W_router")
    {
        let Latent {
            heads,
            q_rank,
            kv_rank,
            head_dim,
            rope_dim,
            value_dim,
            ..
        } = *shape;
        let h = f64::from(heads);
        let (r_q, r_kv) = (f64::from(q_rank?), f64::from(kv_rank));
        let (d_h, d_r, d_v) = (
            f64::from(head_dim),
            f64::from(rope_dim),
            f64::from(value_dim),
        );
        let elements = match symbol {
            "W_DQ" => r_q * d,
            "W_UQ" => d_h * h * r_q,
            "W_QR" => d_r * h * r_q,
            "W_DKV" => r_kv * d,
            "W_UK" => d_h * h * r_kv,
            "W_UV" => d_v * h * r_kv,
            "W_KR" => d_r * d,
            "W_O" => d * d_v * h,
            _ => return None,
        };
        return Some(elements * precision.attention_weights);
    }
    let moe = arch.moes().next()?.shape;
    let elements = match symbol {
        "W_E" => expert(arch, &moe),
        "W_router" => d * f64::from(moe.experts),
        _ => return None,
    };
    Some(elements * precision.ffn_weights)
}

/// Returns a quantity of one operator. Also accepts a sum over several operators (`score+context`), or over all
/// operators with a role (`role:attention`).
fn operator(subject: &Subject, kind: &str, what: &str) -> Option<f64> {
    let role = kind.strip_prefix("role:");
    let mut found = false;
    let mut sum = 0.0;
    for timed in subject.evaluation.timed(&subject.scenario) {
        let operator = &timed.operator;
        let chosen = match role {
            Some(role) => operator.kind.role().id() == role,
            None => kind.split('+').any(|kind| operator.kind.id() == kind),
        };
        if chosen {
            found = true;
            sum += match what {
                "time" => timed.time.get(),
                _ => work(operator, what)?,
            };
        }
    }
    found.then_some(sum)
}

/// Returns an operator's FLOP, or the bytes of one type of its memory traffic.
fn work(operator: &Operator, what: &str) -> Option<f64> {
    Some(match what {
        "flop" => operator.flop.get(),
        "weights" => operator.weights.get(),
        "kv" => operator.kv.get(),
        "activations" => operator.activations.get(),
        "bytes" => operator.bytes().get(),
        _ => return None,
    })
}

fn message(subject: &Subject, collective: &str, what: &str) -> Option<f64> {
    let collective = match collective {
        "expert_all_to_all" => Collective::ExpertAllToAll,
        "expert_all_reduce" => Collective::ExpertAllReduce,
        "expert_all_gather" => Collective::ExpertAllGather,
        "helix_exchange" => Collective::HelixExchange,
        "attention_all_reduce" => Collective::AttentionAllReduce,
        "dense_all_reduce" => Collective::DenseAllReduce,
        _ => return None,
    };
    let messages = subject.evaluation.messages(&subject.scenario);
    let message = messages
        .iter()
        .find(|message| message.collective == collective)?;
    match what {
        "bytes" => Some(message.bytes.get()),
        "time" => Some(message.time.get()),
        _ => None,
    }
}

fn memory(subject: &Subject, part: &str) -> Option<f64> {
    let memory = &subject.evaluation.memory;
    let bytes = match part {
        "attention_weights" => memory.attention_weights,
        "expert_weights" => memory.expert_weights,
        "dense_weights" => memory.dense_weights,
        "embedding" => memory.embedding,
        "kv_cache" => memory.kv_cache,
        "activations" => memory.activations,
        "total" => memory.total(),
        "capacity" => memory.capacity,
        // Usable capacity minus the weights.
        "room" => memory.usable - memory.weights(),
        _ => return None,
    };
    Some(bytes.get())
}

fn parameter(subject: &Subject, part: &str) -> Option<f64> {
    let count = subject.parameters();
    let arch = &subject.scenario.arch;
    let moe = arch.moes().next().map(|part| part.shape);
    Some(match part {
        "total" => count.total,
        "active" => count.active,
        "attention_layer" => params::mixer(&arch.mixers().first()?.shape, arch.hidden),
        "dense_layer" => arch.ffns().iter().find_map(|part| match part.shape {
            Ffn::Dense(dense) => {
                Some(f64::from(dense.matrices) * f64::from(arch.hidden) * f64::from(dense.width))
            }
            Ffn::Moe(_) => None,
        })?,
        "expert" => expert(arch, &moe?),
        "embeddings" => count.embeddings,
        // Parameters of the experts of all layers, including shared experts.
        "experts" => {
            let moe = moe?;
            let held = f64::from(moe.experts + moe.shared_experts);
            f64::from(arch.expert_layers()) * held * expert(arch, &moe)
        }
        _ => return None,
    })
}

/// Returns the number of weights of one expert.
fn expert(arch: &Arch, moe: &Moe) -> f64 {
    f64::from(moe.matrices) * f64::from(arch.hidden) * f64::from(moe.expert_width)
}

fn experts(subject: &Subject, what: &str) -> Option<f64> {
    let Scenario { arch, plan, .. } = &subject.scenario;
    let load = &subject.evaluation.load;
    let moe = arch.moes().next()?.shape;
    let popularity = &subject.scenario.calibration.popularity;
    let active = popularity.experts_active(
        f64::from(moe.experts),
        f64::from(moe.experts_per_token),
        load.tokens,
    );
    Some(match what {
        "active" => active,
        "on_busiest" => experts_on_busiest(active, f64::from(plan.spec().ep)),
        "loaded" => experts_loaded(&moe, plan, popularity, load),
        "resident" => experts_resident(&moe, plan),
        "tokens" => expert_tokens(&moe, plan, load),
        _ => return None,
    })
}

fn calibration(subject: &Subject, factor: &str) -> Option<f64> {
    let calibration = &subject.scenario.calibration;
    Some(match factor {
        "memory" => calibration.memory,
        "attention" => calibration.attention,
        "ffn" => calibration.ffn,
        "network" => calibration.messages.across.factor,
        _ => return None,
    })
}

fn cluster(subject: &Subject, what: &str) -> Option<f64> {
    let cluster = &subject.scenario.cluster;
    Some(match what {
        "scale_up" => cluster.scale_up.get(),
        "scale_out" => cluster.scale_out.get(),
        "hbm" => cluster.hbm.get(),
        "fp8" => cluster.peaks.fp8?.get(),
        "domains" => cluster.domains(f64::from(cluster.gpus)),
        _ => return None,
    })
}

fn breakdown(subject: &Subject, part: &str) -> Option<f64> {
    let breakdown = &subject.evaluation.breakdown;
    let time = match part {
        "attention" => breakdown.attention,
        "dense" => breakdown.dense,
        "experts" => breakdown.experts,
        "head" => breakdown.head,
        "messages" => breakdown.messages,
        "hidden" => breakdown.hidden,
        "compute" => breakdown.compute(),
        _ => return None,
    };
    Some(time.get())
}

fn limit(subject: &Subject, limit: &str) -> Option<f64> {
    let limits = subject.limits()?;
    Some(match limit {
        "ridge_point" => limits.ridge_attention,
        "ridge_point_ffn" => limits.ridge_ffn,
        "b_attn" => limits.b_attn,
        "b_moe" => limits.b_moe?,
        "b_rp" => limits.b_rp,
        "b_cap" => limits.b_cap,
        "b_slo" => limits.b_slo?,
        // The largest batch that meets the SLO when evaluated; `b_slo` is only a best-case bound.
        "batch_at_slo" => largest_batch(&subject.scenario)?,
        _ => return None,
    })
}

/// Returns the largest batch below 2²⁴ sequences that meets the scenario's SLO; 0 if none does, and `None` if there
/// is no SLO.
fn largest_batch(scenario: &Scenario) -> Option<f64> {
    let slo = scenario.workload.slo?;
    let meets = |batch: f64| {
        with_batch(scenario, batch).is_ok_and(|evaluation| evaluation.tokens_per_user >= slo)
    };
    let (mut low, mut high) = (0.0, 16_777_216.0);
    while high - low > 1.0 {
        let middle = ((low + high) / 2.0_f64).floor();
        if meets(middle) {
            low = middle
        } else {
            high = middle
        }
    }
    Some(low)
}

/// Returns the time of attention and exchange for several requests, sequential or overlapped (HOP-B), given the times
/// for one request.
fn requests(form: &str, given: &[(&str, f64)]) -> Option<f64> {
    let get = |key| stated(given, key);
    let requests = get("requests")?;
    let core = Seconds::new(get("attention")? * requests);
    let exchange = Seconds::new(get("exchange")? * requests);
    match form {
        "sequential" => Some((core + exchange).get()),
        "overlapped" => Some(hop_b(core, exchange, requests).get()),
        _ => None,
    }
}

fn rate(subject: &Subject, name: &str) -> Option<f64> {
    let evaluation = &subject.evaluation;
    Some(match name {
        "step" => evaluation.step.get(),
        "tpot" => evaluation.tpot.get(),
        "tok_s" => evaluation.tokens,
        "tok_s_user" => evaluation.tokens_per_user,
        "tok_s_gpu" => evaluation.tokens_per_gpu,
        // For a node of eight GPUs, as H100 and H800 measurements state it.
        "tok_s_node" => 8.0 * evaluation.tokens_per_gpu,
        _ => return None,
    })
}

fn count(subject: &Subject, name: &str) -> Option<f64> {
    let Scenario {
        arch,
        workload,
        cluster,
        plan,
        ..
    } = &subject.scenario;
    let spec = plan.spec();
    Some(match name {
        "layers" => f64::from(arch.layers()),
        "expert_layers" => f64::from(arch.expert_layers()),
        "dense_layers" => f64::from(arch.dense_layers()),
        "gpus" => f64::from(cluster.gpus),
        "batch" => workload.batch,
        "context" => workload.context,
        "passes" => plan.passes(),
        "kv_per_token" => sequence_bytes(&subject.scenario).per_token.get(),
        "copies" => f64::from(cluster.gpus) / f64::from(spec.ep),
        _ => return None,
    })
}
