//! The table "What was read": the facts found in a pasted benchmark, by subject, with their line numbers.

use super::notes::format_name;
use crate::words::format;
use crate::words::names::{counted, schedule, short_name};
use model_core::bench::{At, Fact, How, Point, Reading, TimeSource, Value};
use model_core::inputs::{Inputs, Number};
use model_core::workload::Engine;

/// A table row: a subject and the value read from the pasted benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadRow {
    /// Name of the subject, such as "Parallelism".
    pub name: &'static str,
    /// Value in words, such as "TP 8 · EP 1".
    pub value: String,
    /// Source of the value: "line 3", "default, not in the paste", or "not in the paste: unchanged".
    pub from: String,
    /// Key of the input control for this subject, such as `gpus`.
    pub key: &'static str,
    /// True if the verdict depends on this value and the paste lacks it.
    pub missing: bool,
}

/// Subjects of the table, each with the keys of its inputs. The first key identifies the subject's control.
const SUBJECTS: [(&str, &[&str]); 9] = [
    ("Model", &["model"]),
    ("Accelerator", &["gpu"]),
    ("GPUs", &["gpus", "replicas"]),
    (
        "Parallelism",
        &[
            "tp",
            "dp",
            "kvp",
            "pp",
            "ep",
            "ffn_tp",
            "redundant",
            "overlap",
        ],
    ),
    ("Formats", &["precision", "w_attn", "w_ffn", "w_emb", "kv"]),
    ("Drafts", &["mtp", "acceptance", "accept_len"]),
    ("Lengths", &["prompt", "output", "context", "hit"]),
    ("Batch", &["batch"]),
    ("Prefill", &["serving", "chunk", "reserve"]),
];

/// Lists the formats found and counts the runs: "SGLang serving benchmark, 2 runs".
pub fn what(reading: &Reading) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in reading.formats.iter().copied().map(format_name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let runs = reading.points.len() + reading.rest.len();
    match runs {
        0 => names.join(", "),
        runs => format!("{}, {}", names.join(", "), counted(runs as f64, "run")),
    }
}

/// Returns the rows of the table "What was read": the subjects in order, then the times.
pub fn rows(reading: &Reading, scenario: &Inputs) -> Vec<ReadRow> {
    let kept = reading.kept(scenario);
    let facts = || reading.facts.iter().chain(&kept);
    let mut rows: Vec<ReadRow> = SUBJECTS
        .iter()
        .filter_map(|(name, keys)| {
            let of = keys.iter().filter_map(|key| {
                let mut all = facts();
                all.find(|fact| fact.value.key() == *key)
            });
            subject(reading, name, keys[0], &of.collect::<Vec<_>>())
        })
        .collect();
    rows.extend(times(reading));
    rows
}

fn subject(
    reading: &Reading,
    name: &'static str,
    key: &'static str,
    facts: &[&Fact],
) -> Option<ReadRow> {
    let stated: Vec<&&Fact> = facts.iter().filter(|fact| fact.how != How::Kept).collect();
    let missing = stated.is_empty();
    // If the paste states a value of this subject, list only stated values.
    let shown: Vec<String> = match missing {
        true => facts.iter().filter_map(|fact| words(&fact.value)).collect(),
        false => stated
            .iter()
            .filter_map(|fact| words(&fact.value))
            .collect(),
    };
    if shown.is_empty() {
        return None;
    }
    let lines = stated.iter().flat_map(|fact| fact.lines.iter().copied());
    let lines = line_words(reading, lines);
    let assumed = stated
        .iter()
        .filter(|fact| fact.how == How::Assumed)
        .count();
    let from = match (missing, assumed, lines) {
        (true, ..) => "not in the paste: unchanged".to_owned(),
        (false, 0, Some(lines)) => lines,
        (false, some, Some(lines)) if some < stated.len() => format!("{lines}; rest: default"),
        (false, ..) => "default, not in the paste".to_owned(),
    };
    Some(ReadRow {
        name,
        value: shown.join(" · "),
        from,
        key,
        missing: missing && matches!(key, "model" | "gpu" | "gpus" | "tp"),
    })
}

/// Returns the range of these lines within the paste, such as "line 3" or "lines 3–8".
fn line_words(reading: &Reading, lines: impl Iterator<Item = u32>) -> Option<String> {
    let numbers = lines.filter_map(|line| {
        let line = reading.lines.get(line as usize)?;
        Some([line.first + 1, line.last + 1])
    });
    let [first, last] =
        numbers.reduce(|[first, last], [from, to]| [first.min(from), last.max(to)])?;
    Some(match first == last {
        true => format!("line {first}"),
        false => format!("lines {first}–{last}"),
    })
}

/// Writes a value in words; `None` if it needs no mention.
fn words(value: &Value) -> Option<String> {
    Some(match *value {
        Value::Model(entry) => entry.name.to_owned(),
        Value::Gpu(entry) => short_name(entry.name).to_owned(),
        Value::Precision(precision) => precision.id().to_owned(),
        Value::Overlap(overlap) => schedule(overlap).to_owned(),
        Value::Serving(Engine::Decode) => "decode only".to_owned(),
        Value::Serving(Engine::Aggregated) => "aggregated".to_owned(),
        Value::Cache(layout) => format!("{} KV cache", layout.id()),
        Value::Number(number, value) => number_words(number, value)?,
    })
}

fn number_words(number: Number, value: f64) -> Option<String> {
    let plain = format::count(value);
    Some(match number {
        Number::Gpus => plain,
        Number::Replicas => counted(value, "replica"),
        Number::Batch => counted(value, "sequence"),
        Number::MeanPrompt => format!("prompt {plain}"),
        Number::MeanOutput => format!("output {plain}"),
        Number::Context => format!("context {plain}"),
        Number::Hit => format!("{} cached", format::share(value)),
        Number::SpeculationDepth => counted(value, "draft"),
        Number::Acceptance => format!("acceptance {}", format::printed(value)),
        Number::Redundant => format!("{plain} redundant"),
        Number::KvBytes => format!("{} KV cache", format_of(value)),
        Number::Chunk => format!("chunk {plain}"),
        Number::Reserve => format!("{} reserved", format::share(value)),
        Number::Tp => format!("TP {plain}"),
        Number::Dp => format!("DP {plain}"),
        Number::Kvp => format!("KVP {plain}"),
        Number::Pp => format!("PP {plain}"),
        Number::Ep => format!("EP {plain}"),
        Number::FfnTp => format!("FFN TP {plain}"),
        _ => format!("{} {}", number.spec().key, format::printed(value)),
    })
}

/// Returns the number format that has this many bytes per element, such as FP8 for 1.
fn format_of(bytes: f64) -> String {
    match bytes {
        2.0 => "BF16".to_owned(),
        1.0 => "FP8".to_owned(),
        0.5 => "FP4".to_owned(),
        other => format!("{} B", format::printed(other)),
    }
}

/// Returns table rows with the TPOT of each measured point, the running batch, and the TTFT of an idle engine.
fn times(reading: &Reading) -> Vec<ReadRow> {
    let mut rows = Vec::new();
    if let Some(first) = reading.points.first() {
        let values = reading
            .points
            .iter()
            .map(|point| format::figure(point.time.as_millis()));
        let lines = reading.points.iter().flat_map(|point| point.lines.iter());
        let lines = line_words(reading, lines.copied());
        rows.push(ReadRow {
            name: "TPOT",
            value: format!("{} ms", values.collect::<Vec<_>>().join(" · ")),
            from: [Some(source(first.source).to_owned()), lines]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(", "),
            key: "batch",
            missing: false,
        });
    }
    rows.extend(running(&reading.points));
    rows.extend(reading.idle_ttft.map(|idle| ReadRow {
        name: "TTFT, idle",
        value: format::duration(idle.time).to_string(),
        from: format!(
            "one request of {} tokens, line {}",
            format::count(idle.prompt),
            idle.line + 1
        ),
        key: "prompt",
        missing: false,
    }));
    rows
}

/// Returns a table row with the running batch of each measured point; `None` if no point has one.
fn running(points: &[Point]) -> Option<ReadRow> {
    let batches: Vec<String> = points
        .iter()
        .filter_map(|point| Some(format::count(point.batch?)))
        .collect();
    let shares: Vec<String> = points
        .iter()
        .filter_map(|point| Some(format::share(point.decode_share?)))
        .collect();
    if batches.is_empty() {
        return None;
    }
    Some(ReadRow {
        name: "Running batch",
        value: batches.join(" · "),
        from: match shares.is_empty() {
            true => "stated".to_owned(),
            false => format!(
                "Little’s law: {} of request time in decode",
                shares.join(" · ")
            ),
        },
        key: "batch",
        missing: false,
    })
}

const fn source(source: TimeSource) -> &'static str {
    match source {
        TimeSource::MeanTpot => "mean TPOT",
        TimeSource::MeanInterToken => "mean inter-token latency",
        TimeSource::OneOverRate => "1 ÷ tok/s",
        TimeSource::RunningOverRate => "running ÷ throughput",
        TimeSource::BatchOverRate => "batch ÷ output throughput",
        TimeSource::MedianStep => "median step",
        TimeSource::MedianHostStep => "median host step",
    }
}

/// Lists the flags in the paste that Ridgepoint does not model.
pub fn ignored(reading: &Reading) -> Option<String> {
    let names: Vec<&str> = reading
        .unread
        .iter()
        .map(|At { value, .. }| value.as_str())
        .collect();
    (!names.is_empty()).then(|| format!("Not modeled: {}.", names.join(", ")))
}
