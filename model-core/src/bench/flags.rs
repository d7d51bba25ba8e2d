//! Reads the command-line flags of engines; `service::flags` writes them.
//!
//! Each engine has one table that maps names to settings. The names cover flags, dotted flags, environment variables
//! and configuration files.

use super::clean::Line;
use super::json::{self, Parsed, Place};
use super::launch::{Cache, Launch, Role, Server};
use super::names::{self, Weights};
use super::said::{At, number};
use super::tree::{Node, Tree};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Setting {
    Model,
    Tp,
    Dp,
    Pp,
    Dcp,
    Ep,
    Spread,
    AttentionDp,
    AllToAll,
    Redundant,
    TwoBatch,
    Cache,
    DraftMethod,
    Drafts,
    DraftTokens,
    DraftSteps,
    DraftWidth,
    Chunk,
    Utilization,
    StaticShare,
    FreeShare,
    Limit,
    Transfer,
    Role,
    Quantization,
    GraphOff,
    GraphConfig,
    GraphMax,
    P2pOff,
    /// A flag whose value is JSON; each key of the JSON is a setting named `flag.key`.
    Nested,
    /// A setting that is recognized but does not affect the performance model.
    Silent,
}

use Setting as S;

const VLLM: &[(&str, Setting)] = &[
    ("model", S::Model),
    ("tp", S::Tp),
    ("tensor-parallel-size", S::Tp),
    ("dp", S::Dp),
    ("data-parallel-size", S::Dp),
    ("pp", S::Pp),
    ("pipeline-parallel-size", S::Pp),
    ("dcp", S::Dcp),
    ("decode-context-parallel-size", S::Dcp),
    ("ep", S::Spread),
    ("enable-expert-parallel", S::Spread),
    ("eplb-config", S::Nested),
    ("eplb-config.num-redundant-experts", S::Redundant),
    ("num-redundant-experts", S::Redundant),
    ("enable-eplb", S::Silent),
    ("all2all-backend", S::Silent),
    ("enable-dbo", S::TwoBatch),
    ("kv-cache-dtype", S::Cache),
    ("speculative-config", S::Nested),
    ("sc", S::Nested),
    ("speculative-config.method", S::DraftMethod),
    ("speculative-config.num-speculative-tokens", S::Drafts),
    ("max-num-batched-tokens", S::Chunk),
    ("gpu-memory-utilization", S::Utilization),
    ("max-num-seqs", S::Limit),
    ("kv-transfer-config", S::Transfer),
    ("quantization", S::Quantization),
    ("q", S::Quantization),
    ("enforce-eager", S::GraphOff),
    ("disable-custom-all-reduce", S::P2pOff),
];

const SGLANG: &[(&str, Setting)] = &[
    ("model-path", S::Model),
    ("model", S::Model),
    ("tp", S::Tp),
    ("tp-size", S::Tp),
    ("tensor-parallel-size", S::Tp),
    ("dp", S::Dp),
    ("dp-size", S::Dp),
    ("data-parallel-size", S::Dp),
    ("pp", S::Pp),
    ("pp-size", S::Pp),
    ("pipeline-parallel-size", S::Pp),
    ("ep", S::Ep),
    ("ep-size", S::Ep),
    ("expert-parallel-size", S::Ep),
    ("enable-dp-attention", S::AttentionDp),
    ("moe-a2a-backend", S::AllToAll),
    ("enable-deepep-moe", S::Spread),
    ("enable-eplb", S::Silent),
    ("ep-num-redundant-experts", S::Redundant),
    ("enable-two-batch-overlap", S::TwoBatch),
    ("kv-cache-dtype", S::Cache),
    ("speculative-algorithm", S::DraftMethod),
    ("speculative-num-draft-tokens", S::DraftTokens),
    ("speculative-num-steps", S::DraftSteps),
    ("speculative-eagle-topk", S::DraftWidth),
    ("chunked-prefill-size", S::Chunk),
    ("mem-fraction-static", S::StaticShare),
    ("max-running-requests", S::Limit),
    ("disaggregation-mode", S::Role),
    ("quantization", S::Quantization),
    ("disable-cuda-graph", S::GraphOff),
    ("cuda-graph-max-bs", S::GraphMax),
    ("disable-custom-all-reduce", S::P2pOff),
];

const TRTLLM: &[(&str, Setting)] = &[
    ("model", S::Model),
    ("tp-size", S::Tp),
    ("tp", S::Tp),
    ("tensor-parallel-size", S::Tp),
    ("pp-size", S::Pp),
    ("pp", S::Pp),
    ("pipeline-parallel-size", S::Pp),
    ("ep-size", S::Ep),
    ("ep", S::Ep),
    ("moe-expert-parallel-size", S::Ep),
    ("enable-attention-dp", S::AttentionDp),
    ("kv-cache-config.dtype", S::Cache),
    ("kv-cache-dtype", S::Cache),
    ("speculative-config.decoding-type", S::DraftMethod),
    ("speculative-config.num-nextn-predict-layers", S::Drafts),
    ("speculative-config.max-draft-len", S::Drafts),
    ("max-num-tokens", S::Chunk),
    ("max-batch-size", S::Limit),
    ("cuda-graph-config", S::GraphConfig),
    ("kv-cache-free-gpu-memory-fraction", S::FreeShare),
    ("free-gpu-memory-fraction", S::FreeShare),
    ("kv-cache-config.free-gpu-memory-fraction", S::FreeShare),
    ("quantization", S::Quantization),
];

/// Values of the speculative-decoding flag that name no separate drafter: layers of the LLM itself, such as MTP, and
/// `none`.
const OF_THE_MODEL: [&str; 5] = ["mtp", "nextn", "eagle", "deepseek_mtp", "none"];
/// Names of separate drafters in the speculative-decoding flag; of their settings, only the number of draft tokens is
/// used.
const OTHERS: [&str; 6] = [
    "eagle3",
    "ngram",
    "draft_model",
    "medusa",
    "lookahead",
    "suffix",
];

impl Server {
    const fn table(self) -> &'static [(&'static str, Setting)] {
        match self {
            Self::Vllm => VLLM,
            Self::Sglang => SGLANG,
            Self::Trtllm => TRTLLM,
        }
    }

    fn find(self, name: &str) -> Option<Setting> {
        let mut rows = self.table().iter();
        rows.find(|(known, _)| *known == name)
            .map(|(_, setting)| *setting)
    }
}

/// Converts a flag name to the form used in the tables: lower case, no leading dashes, and dashes instead of
/// underscores.
fn plain(name: &str) -> String {
    name.trim_start_matches('-')
        .to_ascii_lowercase()
        .replace('_', "-")
}

/// True if the flag with this name takes no value.
pub fn is_switch(server: Server, name: &str) -> bool {
    let switches = [
        S::AttentionDp,
        S::Spread,
        S::TwoBatch,
        S::GraphOff,
        S::P2pOff,
    ];
    let name = plain(name);
    let setting = server.find(&name);
    setting.is_some_and(|setting| switches.contains(&setting))
        || name == "enable-eplb"
        || name == "trust-remote-code"
}

impl Launch {
    /// Applies a flag to the settings; returns false if the flag's name is not in the engine's table.
    pub fn take(&mut self, server: Server, name: &str, value: &str, line: u32) -> bool {
        let name = plain(name);
        let Some(setting) = server.find(&name) else {
            return false;
        };
        if setting == S::Nested {
            self.nested(server, &name, value, line);
        } else {
            self.set(server, setting, value, line);
        }
        true
    }

    /// Applies the settings of a file; names of nested levels are joined by dots. Unknown names are ignored.
    pub fn take_tree(&mut self, server: Server, prefix: &str, tree: &Tree) {
        for (key, value) in tree.entries() {
            let name = match prefix {
                "" => plain(key),
                _ => format!("{prefix}.{}", plain(key)),
            };
            match &value.node {
                Node::Map(_) if prefix.len() < 200 => self.take_tree(server, &name, value),
                Node::Text(text) => drop(self.take(server, &name, text, value.line)),
                Node::Number(number) => {
                    self.take(server, &name, &number.to_string(), value.line);
                }
                Node::Flag(truth) => {
                    self.take(server, &name, &truth.to_string(), value.line);
                }
                Node::Null if server.find(&name) == Some(S::GraphConfig) => {
                    self.graph_off = Some(At::new(true, value.line));
                }
                Node::Null | Node::Map(_) | Node::List(_) => {}
            }
        }
    }

    fn nested(&mut self, server: Server, name: &str, value: &str, line: u32) {
        let text = [Line {
            text: value.to_owned(),
            first: line,
            last: line,
        }];
        if let Parsed::Value(tree, _) = json::parse(&text, Place { line: 0, byte: 0 }) {
            let mut inner = Self::default();
            inner.take_tree(
                server,
                if name == "sc" {
                    "speculative-config"
                } else {
                    name
                },
                &tree,
            );
            inner.move_to(line);
            inner.fill(std::mem::take(self));
            *self = inner;
        }
    }

    /// Sets the line number of all settings read from a flag's JSON to the line of the flag.
    fn move_to(&mut self, line: u32) {
        let said = [&mut self.redundant, &mut self.drafts];
        for at in said.into_iter().flatten() {
            at.line = line;
        }
        if let Some(at) = &mut self.drafter {
            at.line = line;
        }
    }

    fn set(&mut self, server: Server, setting: Setting, value: &str, line: u32) {
        let value = value.trim().trim_matches(['"', '\'']);
        let lower = value.to_ascii_lowercase();
        let truth = !matches!(lower.as_str(), "false" | "0" | "none" | "null" | "no");
        let said = number(value).map(|value| At::new(value, line));
        let whole = said.filter(|at| at.value >= 1.0 && at.value.fract() == 0.0);
        let share = said.filter(|at| at.value > 0.0 && at.value <= 1.0);
        let flag = Some(At::new(truth, line));
        match setting {
            S::Model => self.model = Some(At::new(names::model(value), line)),
            S::Tp => self.tp = whole.or(self.tp),
            S::Dp => self.dp = whole.or(self.dp),
            S::Pp => self.pp = whole.or(self.pp),
            S::Dcp => self.dcp = whole.or(self.dcp),
            S::Ep => self.ep = whole.or(self.ep),
            S::Spread | S::AllToAll => self.spread = flag.filter(|_| truth).or(self.spread),
            S::AttentionDp => self.attention_dp = flag,
            S::Redundant => self.redundant = said.or(self.redundant),
            S::TwoBatch => self.two_batch = flag,
            S::Cache => self.cache = cache(&lower).map(|of| At::new(of, line)).or(self.cache),
            S::DraftMethod => self.drafter = drafter(&lower).map(|of| At::new(of, line)),
            S::Drafts => self.drafts = said.or(self.drafts),
            S::DraftTokens => {
                let drafts = whole.map(|at| at.map(|count| count - 1.0));
                self.drafts = drafts.or(self.drafts);
            }
            S::DraftSteps => self.draft_steps = whole,
            S::DraftWidth => self.draft_width = whole,
            S::Chunk => self.chunk = whole.or(self.chunk),
            S::Utilization => self.utilization = share,
            S::StaticShare | S::FreeShare => self.share = share.map(|at| at.map(|_| server)),
            S::Limit => self.limit = whole.or(self.limit),
            S::Transfer => self.role = Some(At::new(Role::Decode, line)),
            S::Role => {
                let role = match lower.as_str() {
                    "decode" => Role::Decode,
                    "prefill" => Role::Prefill,
                    _ => Role::Both,
                };
                self.role = Some(At::new(role, line));
            }
            S::Quantization => self.weights = Weights::of(value).map(|of| At::new(of, line)),
            S::GraphOff => self.graph_off = flag,
            S::GraphConfig => self.graph_off = flag.filter(|_| !truth).map(|at| at.map(|_| true)),
            S::GraphMax => self.graph_max = whole,
            S::P2pOff => self.p2p_off = flag,
            S::Nested | S::Silent => {}
        }
    }
}

fn cache(lower: &str) -> Option<Cache> {
    Some(match lower {
        "fp8_ds_mla" => Cache::Fp8DsMla,
        "auto" | "bf16" | "bfloat16" | "fp16" | "float16" => Cache::Bytes(2.0),
        _ if lower.starts_with("fp8") || lower == "int8" => Cache::Bytes(1.0),
        "nvfp4" | "fp4" | "fp4_e2m1" => Cache::Bytes(0.5),
        _ => return None,
    })
}

/// Returns the name of a separate drafter, or `other` if the name is unknown. Returns `None` if the value means
/// layers of the LLM itself, or `none`.
fn drafter(lower: &str) -> Option<&'static str> {
    if OF_THE_MODEL.contains(&lower) || lower.ends_with("_mtp") {
        return None;
    }
    OTHERS
        .into_iter()
        .find(|name| *name == lower)
        .or(Some("other"))
}
