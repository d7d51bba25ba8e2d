//! Converts engine settings to permalink keys, following each engine's rules for dividing GPUs.

use crate::hardware::catalog::Entry as GpuEntry;
use crate::inputs::Number;
use crate::plan::Overlap;
use crate::precision::{KvLayout, NamedPrecision};
use crate::workload::Engine;

use super::fact::{Fact, Value};
use super::launch::{Cache, Launch, Role, Server};
use super::names::Weights;
use super::note::Note;
use super::said::Said;

/// vLLM's default limits on running sequences: the minimum GPU memory in GiB for the larger limit, the larger limit,
/// and the smaller limit.
///
/// Source: vLLM `EngineArgs`, default of `max_num_seqs` by device memory; the A100 always has the smaller limit.
const VLLM_LIMITS: (f64, f64, f64) = (70.0, 1024.0, 256.0);
/// TensorRT-LLM's default `max_batch_size`, in sequences per rank.
const TRTLLM_LIMIT: f64 = 2048.0;

/// Parallelism sizes after an engine's rules are applied.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ways {
    gpus: f64,
    dp: f64,
    tp: f64,
    kvp: f64,
    pp: f64,
    ep: f64,
    ffn_tp: f64,
    replicas: f64,
    /// Number of ranks per replica, where each rank has a separate limit on running sequences.
    ranks: f64,
}

fn count(said: Said) -> f64 {
    said.map_or(1.0, |at| at.value)
}

impl Launch {
    /// Returns the parallelism sizes; `None` if they are unknown or do not divide evenly.
    fn ways(&self, moe: bool) -> Option<Ways> {
        if !self.is_sharded() && self.program.is_none() {
            return None;
        }
        let (tp, dp, pp, kvp) = (
            count(self.tp),
            count(self.dp),
            count(self.pp),
            count(self.dcp),
        );
        let attention_dp = self.attention_dp.is_some_and(|at| at.value);
        let spread = self.spread.is_some_and(|at| at.value);
        let copies = count(self.replicas);
        let one_group = Ways {
            gpus: tp * pp,
            dp: 1.0,
            tp: tp / kvp,
            kvp,
            pp,
            ep: 1.0,
            ffn_tp: tp,
            replicas: copies,
            ranks: 1.0,
        };
        let grouped = |ways: Ways, groups: f64| Ways {
            dp: groups,
            tp: ways.tp / groups,
            ranks: groups,
            ..ways
        };
        let server = self
            .server
            .filter(|_| !self.world)
            .unwrap_or(Server::Trtllm);
        let ways = match server {
            Server::Vllm if moe => Ways {
                gpus: tp * dp * pp,
                dp,
                ranks: dp,
                ep: if spread { tp * dp } else { 1.0 },
                ffn_tp: if spread { 1.0 } else { tp * dp },
                ..one_group
            },
            Server::Vllm => Ways {
                replicas: dp * copies,
                ..one_group
            },
            Server::Sglang | Server::Trtllm => {
                let own = if server == Server::Sglang { dp } else { tp };
                let ways = if attention_dp {
                    grouped(one_group, own)
                } else {
                    let apart = if server == Server::Sglang { dp } else { 1.0 };
                    Ways {
                        replicas: apart * copies,
                        ..one_group
                    }
                };
                let ep = match (moe, spread) {
                    (false, _) => 1.0,
                    (true, true) => tp,
                    (true, false) => count(self.ep),
                };
                Ways {
                    ep,
                    ffn_tp: tp / ep,
                    ..ways
                }
            }
        };
        let whole = [ways.tp, ways.ffn_tp, ways.dp]
            .iter()
            .all(|way| *way >= 1.0 && way.fract() == 0.0);
        whole.then_some(ways)
    }

    /// Returns the facts about parallelism and two-batch overlap. If the parallelism is unknown, returns only the
    /// number of DP ranks in the log and the GPU count named in prose.
    pub fn sharding(&self, moe: bool) -> Vec<Fact> {
        let Some(ways) = self.ways(moe) else {
            let ranks = self
                .ranks
                .map(|at| Fact::new(number(Number::Dp, at.value), vec![at.line]));
            let gpus = self
                .gpus
                .map(|at| Fact::new(number(Number::Gpus, at.value), vec![at.line]));
            return ranks.into_iter().chain(gpus).collect();
        };
        let dp_flag = self.attention_dp.map(|at| at.map(|_| 1.0)).or(self.dp);
        let spread = self.spread.map(|at| at.map(|_| 1.0));
        let all = lines_of(&[self.tp, self.dp, self.pp]);
        let of_ep = lines_of(&[self.ep, spread]);
        let ffn = match of_ep.is_empty() {
            true => all.clone(),
            false => of_ep.clone(),
        };
        let mut facts = vec![
            Fact::new(number(Number::Gpus, ways.gpus), all.clone()),
            Fact::new(number(Number::Dp, ways.dp), lines_of(&[dp_flag])),
            Fact::new(number(Number::Tp, ways.tp), lines_of(&[self.tp, self.dcp])),
            Fact::new(number(Number::Ep, ways.ep), of_ep),
            Fact::new(number(Number::FfnTp, ways.ffn_tp), ffn),
        ];
        for (key, ways, said) in [
            (Number::Kvp, ways.kvp, self.dcp),
            (Number::Pp, ways.pp, self.pp),
            (Number::Replicas, ways.replicas, self.replicas.or(self.dp)),
        ] {
            if ways > 1.0 {
                facts.push(Fact::new(number(key, ways), lines_of(&[said])));
            }
        }
        if moe {
            let redundant = self.redundant.map_or(0.0, |at| at.value);
            let lines = lines_of(&[self.redundant]);
            facts.push(Fact::new(number(Number::Redundant, redundant), lines));
        }
        let two = self.two_batch.filter(|at| at.value);
        let overlap = match two {
            Some(_) => Overlap::TwoBatch,
            None => Overlap::Sequential,
        };
        let lines = two.map(|at| at.line).into_iter().collect();
        facts.push(Fact::new(Value::Overlap(overlap), lines));
        facts
    }

    /// Returns the facts about number formats: first the weight format, from a flag or the model name, then the
    /// KV-cache format. The latter defaults to 16 bits if a launch command, a parallelism size or FP4 weights are
    /// stated.
    pub fn formats(&self) -> Vec<Fact> {
        let of_name = self.model.as_ref().and_then(|at| {
            let weights = at.value.weights?;
            Some((weights, at.line))
        });
        let weights = self.weights.map(|at| (at.value, at.line)).or(of_name);
        let mut facts = Vec::new();
        if let Some((weights, line)) = weights {
            let value = match weights {
                Weights::Fp8 => Value::Precision(NamedPrecision::DeepseekFp8),
                Weights::Fp4 => Value::Precision(NamedPrecision::Fp4),
                Weights::Bf16 => Value::Precision(NamedPrecision::Bf16),
                Weights::FourBits => Value::Number(Number::FfnWeightBytes, FOUR_BITS),
            };
            facts.push(Fact::new(value, vec![line]));
        }
        let fp4 = matches!(weights, Some((Weights::Fp4, _)));
        let known = self.is_sharded() || self.program.is_some();
        match self.cache {
            Some(at) => {
                let value = match at.value {
                    Cache::Bytes(bytes) => Value::Number(Number::KvBytes, bytes),
                    Cache::Fp8DsMla => Value::Cache(KvLayout::Fp8DsMla),
                };
                facts.push(Fact::new(value, vec![at.line]));
            }
            None if known || fp4 => {
                facts.push(Fact::new(Value::Number(Number::KvBytes, 2.0), Vec::new()));
            }
            None => {}
        }
        facts
    }

    /// Returns the facts about draft tokens, prefill chunk size and reserved memory.
    pub fn settings(&self) -> Vec<Fact> {
        let mut facts = Vec::new();
        let mut push = |key: Number, said: Said, to: &dyn Fn(f64) -> f64| {
            let Some(at) = said else { return };
            let value = (to(at.value) * 1e6).round() / 1e6;
            if key.allows(value) {
                facts.push(Fact::new(number(key, value), vec![at.line]));
            }
        };
        push(
            Number::SpeculationDepth,
            self.drafts.or(self.draft_steps),
            &|drafts| drafts,
        );
        let shared =
            self.server == Some(Server::Sglang) && self.attention_dp.is_some_and(|at| at.value);
        let groups = if shared { count(self.dp) } else { 1.0 };
        push(Number::Chunk, self.chunk, &|chunk| (chunk / groups).round());
        push(Number::Reserve, self.utilization, &|share| 1.0 - share);
        facts
    }

    /// Returns the serving mode as a fact: decode or aggregated. The mode is decode if `decode_only` is set, the
    /// worker has only one role, or PP or DCP exceeds 1.
    pub fn serving(&self, decode_only: bool) -> Fact {
        let apart = self.role.filter(|at| at.value != Role::Both);
        let split = [self.pp, self.dcp]
            .into_iter()
            .flatten()
            .find(|at| at.value > 1.0);
        let decode = decode_only || apart.is_some() || split.is_some();
        let lines = apart.map(|at| at.line).or(split.map(|at| at.line));
        let engine = if decode {
            Engine::Decode
        } else {
            Engine::Aggregated
        };
        Fact::new(Value::Serving(engine), lines.into_iter().collect())
    }

    /// Returns the max number of sequences that a replica runs at once. Returns `None` if the parallelism or the
    /// engine is unknown. Without a stated limit, also returns `None` for SGLang, and for vLLM on an unknown
    /// accelerator.
    pub fn most_sequences(&self, moe: bool) -> Option<f64> {
        let ways = self.ways(moe)?;
        let gpu = self.gpu.map(|at| at.value);
        let default = match self.server? {
            Server::Vllm => gpu.map(vllm_limit),
            Server::Sglang => None,
            Server::Trtllm => Some(TRTLLM_LIMIT),
        };
        let each = self.limit.map(|at| at.value).or(default)?;
        Some(match self.server? {
            Server::Sglang => each,
            Server::Vllm | Server::Trtllm => each * ways.ranks,
        })
    }

    /// Returns notes on the engine settings.
    pub fn notes(&self) -> Vec<Note> {
        let role = self.role.map(|at| at.value);
        let is = |flag: Option<super::said::At<bool>>| flag.is_some_and(|at| at.value);
        let above_one = |said: Said| said.is_some_and(|at| at.value > 1.0);
        let trtllm = self.server == Some(Server::Trtllm) && !self.world;
        let share = self.share.map(|at| at.value);
        let flagged = [
            (role == Some(Role::Decode), Note::Disaggregated),
            (role == Some(Role::Prefill), Note::PrefillWorker),
            (
                above_one(self.pp) || above_one(self.dcp),
                Note::PrefillNotModelled,
            ),
            (is(self.graph_off), Note::GraphOff),
            (is(self.p2p_off), Note::P2pOff),
            (share == Some(Server::Sglang), Note::StaticMemoryShare),
            (share == Some(Server::Trtllm), Note::FreeMemoryShare),
            (above_one(self.draft_width), Note::DraftTree),
            (
                trtllm && self.attention_dp.is_none() && above_one(self.tp),
                Note::AttentionDpUnknown,
            ),
        ];
        let mut notes: Vec<Note> = flagged
            .into_iter()
            .filter(|(is, _)| *is)
            .map(|(_, note)| note)
            .collect();
        notes.extend(self.drafter.map(|at| Note::Drafter(at.value)));
        notes.extend(self.graph_max.map(|at| Note::GraphMax(at.value)));
        notes
    }
}

/// Bytes per element of 4-bit weights, including a scale per 32 elements.
const FOUR_BITS: f64 = 0.53125;

const fn number(key: Number, value: f64) -> Value {
    Value::Number(key, value)
}

fn vllm_limit(gpu: &GpuEntry) -> f64 {
    let (large, most, least) = VLLM_LIMITS;
    match gpu.accelerator.usable.as_gib() >= large && gpu.id != "a100" {
        true => most,
        false => least,
    }
}

/// Returns the sorted, distinct lines on which the settings in `said` are stated.
fn lines_of(said: &[Said]) -> Vec<u32> {
    let mut lines: Vec<u32> = said.iter().flatten().map(|at| at.line).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}
