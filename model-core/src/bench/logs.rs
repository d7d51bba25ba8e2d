//! Reads statistics from engine logs: the log lines at full load, summed over ranks.
//!
//! A log line is at full load if it has at least 0.9 times the rank's highest number of running sequences. If prefill
//! ran in or just before a line's step, the line is used only if all of the rank's full-load lines have such prefill.
//! TPOT is Σ running sequences ÷ Σ tokens/s, or for TensorRT-LLM the median host step time. The batch is Σ over ranks
//! of the mean running sequences.

use crate::order::sort_numbers;

use super::note::Note;
use super::said::{At, after, leading};
use super::stated::{Format, Stated, TimeSource};

/// Minimum running sequences of a log line at full load, as a fraction of the rank's highest number.
const FULL: f64 = 0.9;
/// Ratio of host time to device time per iteration, above which the host is the bottleneck.
const HOST_BOUND: f64 = 1.3;

/// Min length of a statistics line, in bytes.
const SHORTEST: usize = 40;

#[derive(Debug, Clone, Copy, Default)]
struct Sample {
    rank: u32,
    line: u32,
    running: f64,
    /// Tokens per second of the rank; 0 if the line states step times instead.
    rate: f64,
    /// Host time of an iteration and, if stated, device time, in seconds.
    times: Option<(f64, Option<f64>)>,
    /// Number of tokens in the KV cache.
    tokens: Option<f64>,
    /// Acceptance length: tokens per step.
    accepted: Option<f64>,
    /// Fraction of prompt tokens found in the prefix cache.
    hit: Option<f64>,
    waiting: bool,
    /// True if prefill ran in the logged step or just before it.
    mixed: bool,
    graph_off: bool,
}

/// Log lines read so far.
#[derive(Debug, Default)]
pub struct Logs {
    vllm: Vec<Sample>,
    sglang: Vec<Sample>,
    trtllm: Vec<Sample>,
    /// Tokens per step and number of draft tokens per step, as vLLM prints them.
    drafts: Vec<At<(f64, Option<f64>)>>,
    /// SGLang ranks whose last log line reported a prefill batch.
    prefilled: Vec<u32>,
}

/// The run read from a log, the number of ranks, and notes.
#[derive(Debug)]
pub struct Logged {
    /// Run described by the log.
    pub run: Stated,
    /// Number of ranks that printed lines; `None` if only one did.
    pub ranks: Option<At<f64>>,
    /// Notes on the log.
    pub notes: Vec<Note>,
}

impl Logs {
    /// Reads a line; returns false if the line does not belong to a known engine log.
    pub fn take(&mut self, text: &str, line: u32) -> bool {
        if text.len() < SHORTEST {
            false
        } else if text.contains("Avg generation throughput:") {
            push(&mut self.vllm, vllm(text, line))
        } else if text.contains("SpecDecoding metrics:") {
            self.drafts(text, line)
        } else if text.contains("Decode batch") && text.contains("#running-req:") {
            self.sglang(text, line)
        } else if text.contains("Prefill batch") && text.contains("#new-seq:") {
            let rank = sglang_rank(text).unwrap_or(0);
            if !self.prefilled.contains(&rank) && self.prefilled.len() < 4096 {
                self.prefilled.push(rank);
            }
            true
        } else if text.contains("host_step_time") {
            push(&mut self.trtllm, trtllm(text, line))
        } else {
            false
        }
    }

    fn drafts(&mut self, text: &str, line: u32) -> bool {
        let Some(length) = after(text, "Mean acceptance length:") else {
            return false;
        };
        let positions = text
            .split_once("Per-position acceptance rate:")
            .map(|(_, rest)| {
                let end = rest.find(", Avg").unwrap_or(rest.len());
                rest[..end]
                    .split(',')
                    .filter(|word| leading(word).is_some())
                    .count() as f64
            });
        let drafted = after(text, "Drafted:").zip(after(text, "Accepted:"));
        // y − 1 = accepted ÷ steps, and drafts = drafted ÷ steps.
        let of_totals = drafted
            .filter(|(_, accepted)| *accepted > 0.0)
            .map(|(drafted, accepted)| (drafted / accepted * (length - 1.0)).round());
        let drafts = positions.or(of_totals).filter(|drafts| *drafts >= 1.0);
        self.drafts.push(At::new((length, drafts), line));
        true
    }

    fn sglang(&mut self, text: &str, line: u32) -> bool {
        let Some(rank) = sglang_rank(text) else {
            return true;
        };
        let mixed = self.prefilled.contains(&rank);
        let tokens = ["#token:", "#full token:"];
        let tokens = tokens.iter().find_map(|words| after(text, words));
        let sample = after(text, "#running-req:")
            .zip(after(text, "gen throughput (token/s):"))
            .map(|(running, rate)| Sample {
                rank,
                line,
                running,
                rate,
                tokens,
                mixed,
                accepted: after(text, "accept len:"),
                waiting: after(text, "#queue-req:").is_some_and(|waiting| waiting > 0.0),
                graph_off: text.contains("cuda graph: False"),
                ..Sample::default()
            });
        self.prefilled.retain(|other| *other != rank);
        push(&mut self.sglang, sample)
    }

    /// Returns at most one run for each engine: vLLM, SGLang and TensorRT-LLM.
    pub fn finish(self) -> Vec<Logged> {
        let mut found = Vec::new();
        found.extend(logged(Format::VllmLog, &self.vllm, &self.drafts));
        found.extend(logged(Format::SglangLog, &self.sglang, &[]));
        found.extend(logged(Format::TrtllmLog, &self.trtllm, &[]));
        found
    }
}

fn push(samples: &mut Vec<Sample>, sample: Option<Sample>) -> bool {
    samples.extend(sample);
    sample.is_some()
}

fn vllm(text: &str, line: u32) -> Option<Sample> {
    let rank = after(text, "Engine ").unwrap_or(0.0);
    Some(Sample {
        rank: rank as u32,
        line,
        running: after(text, "Running:")?,
        rate: after(text, "Avg generation throughput:")?,
        mixed: after(text, "Avg prompt throughput:").is_some_and(|rate| rate > 0.0),
        waiting: after(text, "Waiting:").is_some_and(|waiting| waiting > 0.0),
        hit: after(text, "Prefix cache hit rate:").map(|percent| percent / 100.0),
        ..Sample::default()
    })
}

/// Returns the DP rank in a prefix such as `[… DP1 TP1]`. Without a DP rank, returns 0 for TP rank 0, and `None` for
/// other TP ranks, which repeat the lines of TP rank 0.
fn sglang_rank(text: &str) -> Option<u32> {
    let head = text.split("batch").next().unwrap_or(text);
    let of = |name: &str| after(head, name).map(|rank| rank as u32);
    match (of(" DP"), of(" TP")) {
        (Some(rank), _) => Some(rank),
        (None, Some(0) | None) => Some(0),
        (None, Some(_)) => None,
    }
}

fn trtllm(text: &str, line: u32) -> Option<Sample> {
    let prompts = after(text, "'num_ctx_requests':").unwrap_or(0.0);
    let millis = |words: &str| after(text, words).map(|time| time * 1e-3);
    Some(Sample {
        rank: after(text, "global_rank = ").unwrap_or(0.0) as u32,
        line,
        running: after(text, "num_scheduled_requests = ")?,
        times: Some((
            millis("host_step_time = ")?,
            millis("prev_device_step_time = "),
        )),
        mixed: prompts > 0.0,
        ..Sample::default()
    })
}

/// Selects the log lines of one rank that are used: those at full load and, if possible, without prefill.
fn kept(samples: &[Sample], rank: u32) -> Vec<Sample> {
    let of_rank = samples.iter().filter(|sample| sample.rank == rank);
    let most = of_rank
        .clone()
        .map(|sample| sample.running)
        .fold(0.0, f64::max);
    let full: Vec<Sample> = of_rank
        .filter(|sample| sample.running >= FULL * most && sample.running > 0.0)
        .copied()
        .collect();
    let plain = full.iter().filter(|sample| !sample.mixed);
    match plain.clone().next() {
        Some(_) => plain.copied().collect(),
        None => full,
    }
}

const MOST_RANKS: usize = 512;

fn logged(format: Format, samples: &[Sample], drafts: &[At<(f64, Option<f64>)>]) -> Option<Logged> {
    let mut ranks: Vec<u32> = samples.iter().map(|sample| sample.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks.truncate(MOST_RANKS);
    let by_rank: Vec<Vec<Sample>> = by_rank(samples, &ranks);
    let all: Vec<Sample> = by_rank.iter().flatten().copied().collect();
    let first = all.first()?;
    let sum = |of: fn(&Sample) -> f64| all.iter().map(of).sum::<f64>();
    let (running, rate) = (sum(|sample| sample.running), sum(|sample| sample.rate));
    let batch = by_rank
        .iter()
        .filter(|of_rank| !of_rank.is_empty())
        .map(|of_rank| {
            of_rank.iter().map(|sample| sample.running).sum::<f64>() / of_rank.len() as f64
        });
    let at = |value: f64| Some(At::new(value, first.line));
    let host = median(all.iter().filter_map(|sample| Some(sample.times?.0)));
    let device = median(all.iter().filter_map(|sample| sample.times?.1));
    let (source, tpot) = match host {
        Some(host) => (TimeSource::MedianHostStep, host),
        None if rate > 0.0 => (TimeSource::RunningOverRate, running / rate),
        None => return None,
    };
    let mut notes = Vec::new();
    if ranks.len() > 1 {
        notes.push(Note::RankLines { ranks: ranks.len() });
    }
    let mixed = all.iter().any(|sample| sample.mixed);
    let flagged = [
        (mixed, Note::PrefillMixed),
        (all.iter().any(|sample| sample.waiting), Note::Waiting),
        (all.iter().all(|sample| sample.graph_off), Note::GraphOff),
    ];
    notes.extend(
        flagged
            .into_iter()
            .filter(|(is, _)| *is)
            .map(|(_, note)| note),
    );
    if let (Some(host), Some(device)) = (host, device)
        && host > HOST_BOUND * device
    {
        notes.push(Note::HostBound { host, device });
    }
    let with_tokens = all.iter().filter(|sample| sample.tokens.is_some());
    let tokens: f64 = with_tokens.clone().filter_map(|sample| sample.tokens).sum();
    let sequences: f64 = with_tokens.map(|sample| sample.running).sum();
    let lengths = drafts.iter().map(|at| at.value.0);
    let accepted = mean(lengths.chain(all.iter().filter_map(|sample| sample.accepted)));
    let depth = drafts
        .iter()
        .rev()
        .find_map(|at| Some(At::new(at.value.1?, at.line)));
    let hit = mean(all.iter().filter_map(|sample| sample.hit)).filter(|hit| *hit > 0.0);
    let drafts_line = drafts.first().map_or(first.line, |at| at.line);
    let mut run = Stated {
        source: Some(source),
        tpot: at(tpot),
        running: at(batch.sum()),
        context: at(tokens / sequences).filter(|_| sequences > 0.0 && tokens >= sequences),
        accept_length: accepted
            .filter(|length| *length >= 1.0)
            .map(|length| At::new(length, drafts_line)),
        drafts: depth,
        hit: hit.and_then(at),
        decode_only: !mixed,
        ..Stated::of(format)
    };
    run.more = all
        .iter()
        .map(|sample| sample.line)
        .chain(drafts.iter().map(|at| at.line))
        .collect();
    let ranks = (ranks.len() > 1).then(|| At::new(ranks.len() as f64, first.line));
    Some(Logged { run, ranks, notes })
}

/// Returns, for each rank, the log lines that are used.
fn by_rank(samples: &[Sample], ranks: &[u32]) -> Vec<Vec<Sample>> {
    let mut apart: Vec<Vec<Sample>> = vec![Vec::new(); ranks.len()];
    for sample in samples {
        let place = ranks.binary_search(&sample.rank).ok();
        if let Some(of_rank) = place.and_then(|place| apart.get_mut(place)) {
            of_rank.push(*sample);
        }
    }
    let kept = apart
        .iter()
        .zip(ranks)
        .map(|(of_rank, rank)| kept(of_rank, *rank));
    kept.collect()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    (count > 0.0).then(|| sum / count)
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut sorted: Vec<f64> = values.collect();
    sort_numbers(&mut sorted);
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    Some(match sorted.len().is_multiple_of(2) {
        true => f64::midpoint(*sorted.get(middle.checked_sub(1)?)?, upper),
        false => upper,
    })
}
