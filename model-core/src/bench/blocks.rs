//! Reads results that benchmark tools print as `label: value` lines.

use super::launch::{Cache, Launch, Server};
use super::names::{self, Weights};
use super::said::{At, Said, leading};
use super::stated::{Format, Stated, TimeSource};

/// A printed label, the factor that converts its unit to SI, and the field of [`Stated`] that receives the value.
type Label = (&'static str, f64, fn(&mut Stated) -> &mut Said);

const SERVING: &[Label] = &[
    ("successful requests", 1.0, |run| &mut run.completed),
    ("failed requests", 1.0, |run| &mut run.failed),
    ("maximum request concurrency", 1.0, |run| {
        &mut run.concurrency
    }),
    ("max request concurrency", 1.0, |run| &mut run.concurrency),
    ("concurrency", 1.0, |run| &mut run.in_flight),
    ("benchmark duration (s)", 1.0, |run| &mut run.duration),
    ("total input tokens", 1.0, |run| &mut run.input_total),
    ("total generated tokens", 1.0, |run| &mut run.output_total),
    ("request throughput (req/s)", 1.0, |run| {
        &mut run.request_rate
    }),
    ("input token throughput (tok/s)", 1.0, |run| {
        &mut run.input_rate
    }),
    ("output token throughput (tok/s)", 1.0, |run| {
        &mut run.output_rate
    }),
    ("mean e2e latency (ms)", 1e-3, |run| &mut run.e2e),
    ("mean e2el (ms)", 1e-3, |run| &mut run.e2e),
    ("mean ttft (ms)", 1e-3, |run| &mut run.ttft),
    ("mean tpot (ms)", 1e-3, |run| &mut run.tpot),
    ("median tpot (ms)", 1e-3, |run| &mut run.median_tpot),
    ("mean itl (ms)", 1e-3, |run| &mut run.itl),
    ("acceptance rate (%)", 1e-2, |run| &mut run.accept_rate),
    ("acceptance length", 1.0, |run| &mut run.accept_length),
    ("accept length", 1.0, |run| &mut run.accept_length),
    ("drafts", 1.0, |run| &mut run.draft_steps),
    ("draft tokens", 1.0, |run| &mut run.draft_tokens),
];

const ONE_BATCH_SERVER: &[Label] = &[
    ("batch size", 1.0, |run| &mut run.running),
    ("input_len", 1.0, |run| &mut run.prompt),
    ("output_len", 1.0, |run| &mut run.output),
    ("output throughput", 1.0, |run| &mut run.output_rate),
    ("last_ttft", 1.0, |run| &mut run.ttft),
    ("acc_length", 1.0, |run| &mut run.accept_length),
];

const TRTLLM: &[Label] = &[
    ("number of requests", 1.0, |run| &mut run.completed),
    ("number of concurrent requests", 1.0, |run| {
        &mut run.in_flight
    }),
    ("average input length (tokens)", 1.0, |run| &mut run.prompt),
    ("average output length (tokens)", 1.0, |run| &mut run.output),
    ("request throughput (req/sec)", 1.0, |run| {
        &mut run.request_rate
    }),
    ("total output throughput (tokens/sec)", 1.0, |run| {
        &mut run.output_rate
    }),
    ("total latency (ms)", 1e-3, |run| &mut run.duration),
    ("average request latency (ms)", 1e-3, |run| &mut run.e2e),
    ("average time-to-first-token [ttft] (ms)", 1e-3, |run| {
        &mut run.ttft
    }),
    ("average time-per-output-token [tpot] (ms)", 1e-3, |run| {
        &mut run.tpot
    }),
];

/// Labels of `trtllm-bench` that state engine settings, each with the name of the equivalent flag.
const TRTLLM_SETTINGS: [(&str, &str); 4] = [
    ("tp size", "tp_size"),
    ("pp size", "pp_size"),
    ("ep size", "ep_size"),
    ("max runtime batch size", "max_batch_size"),
];

/// Header lines that start a block of labels, each with the format of the block.
const HEADERS: [(&str, Format); 6] = [
    ("Serving Benchmark Result", Format::VllmServe),
    ("PYTORCH BACKEND", Format::TrtllmBench),
    ("TENSORRT BACKEND", Format::TrtllmBench),
    ("ENGINE DETAILS", Format::TrtllmBench),
    ("REQUEST DETAILS", Format::TrtllmBench),
    ("PERFORMANCE OVERVIEW", Format::TrtllmBench),
];

/// Reader of printed result blocks; holds the block that is currently open, and the finished runs.
#[derive(Debug, Default)]
pub struct Blocks {
    open: Option<Stated>,
    /// Range ratio and output length of random requests, as printed by the benchmark client; they apply to the next
    /// result block.
    pub random: Option<At<(f64, f64)>>,
    /// Runs whose result blocks have been read completely.
    pub runs: Vec<Stated>,
    /// Engine settings that `trtllm-bench` printed.
    pub launch: Launch,
}

impl Blocks {
    /// Reads a line; returns false if the line does not belong to a result block.
    pub fn take(&mut self, text: &str, line: u32) -> bool {
        let trimmed = text.trim();
        if let Some(format) = header(trimmed) {
            self.begin(format);
            return true;
        }
        if self.open.is_some() && is_rule(trimmed) {
            return true;
        }
        let Some((label, rest)) = trimmed.split_once(':') else {
            return self.machine(trimmed, line);
        };
        let label = label.trim().to_ascii_lowercase();
        self.label(&label, rest.trim(), line)
    }

    fn format(&self) -> Option<Format> {
        self.open.as_ref().and_then(|run| run.format)
    }

    /// Finishes the open block and starts a new one, unless the header is a further section of an open `trtllm-bench`
    /// block.
    fn begin(&mut self, format: Format) {
        let sections = format == Format::TrtllmBench && self.format() == Some(format);
        if !sections {
            self.finish();
            self.open = Some(Stated {
                random: self.random.take(),
                ..Stated::of(format)
            });
        }
    }

    /// Finishes the open block, if any.
    pub fn finish(&mut self) {
        if let Some(mut run) = self.open.take() {
            if run.format == Some(Format::SglangOneBatchServerText) {
                run.decode_only = true;
                one_batch_server(&mut run);
            }
            self.runs.push(run);
        }
    }

    fn label(&mut self, label: &str, rest: &str, line: u32) -> bool {
        let format = self.format();
        if label == "backend" && matches!(format, Some(Format::VllmServe)) {
            if let Some(run) = &mut self.open {
                run.format = Some(Format::SglangServing);
                run.itl_per_token = true;
            }
            return true;
        }
        if format == Some(Format::TrtllmBench) && self.setting(label, rest, line) {
            return true;
        }
        // Use the labels of the open block; without one, the header may be missing, so the label itself decides.
        let (table, own): (&[Label], Format) = match format {
            Some(Format::TrtllmBench) => (TRTLLM, Format::TrtllmBench),
            Some(Format::SglangOneBatchServerText) => {
                (ONE_BATCH_SERVER, Format::SglangOneBatchServerText)
            }
            _ if label == "batch size" => (ONE_BATCH_SERVER, Format::SglangOneBatchServerText),
            _ => (SERVING, Format::VllmServe),
        };
        let Some((_, factor, field)) = table.iter().find(|(known, _, _)| *known == label) else {
            let other = format != Some(Format::VllmServe) && format != Some(Format::SglangServing);
            let serving = SERVING
                .iter()
                .any(|(known, _, _)| *known == label && known.contains("(ms)"));
            if other && serving && format.is_some() {
                self.begin(Format::VllmServe);
                return self.label(label, rest, line);
            }
            return false;
        };
        let Some(value) = leading(rest) else {
            return false;
        };
        let headless =
            format.is_none() || format != Some(own) && own == Format::SglangOneBatchServerText;
        if headless {
            // Progress lines before a result also have these labels.
            if own == Format::VllmServe && !label.ends_with("(ms)") {
                return false;
            }
            self.begin(own);
        }
        let repeated = self.open.as_mut().is_some_and(|run| field(run).is_some());
        if repeated {
            let format = self.format().unwrap_or(own);
            self.finish();
            self.open = Some(Stated {
                itl_per_token: format == Format::SglangServing,
                ..Stated::of(format)
            });
        }
        if let Some(run) = &mut self.open {
            *field(run) = Some(At::new(value * factor, line));
        }
        true
    }

    /// Reads a setting that `trtllm-bench` prints; returns false if the label or the weight format is unknown.
    fn setting(&mut self, label: &str, rest: &str, line: u32) -> bool {
        let launch = &mut self.launch;
        launch.server = Some(Server::Trtllm);
        match label {
            "model" => launch.model = Some(At::new(names::model(rest), line)),
            "kv cache dtype" => {
                let eight = rest.to_ascii_lowercase().starts_with("fp8");
                let bytes = if eight { 1.0 } else { 2.0 };
                launch.cache = Some(At::new(Cache::Bytes(bytes), line));
            }
            "quantization" => {
                launch.weights = Weights::of(rest).map(|of| At::new(of, line));
                return launch.weights.is_some();
            }
            _ => {
                let row = TRTLLM_SETTINGS.iter().find(|(known, _)| *known == label);
                return row.is_some_and(|(_, name)| launch.take(Server::Trtllm, name, rest, line));
            }
        }
        true
    }

    /// Reads the line of `trtllm-bench` that names the GPU; returns false for any other line.
    fn machine(&mut self, text: &str, line: u32) -> bool {
        let named = self.format() == Some(Format::TrtllmBench) && text.contains(", memory ");
        let gpu = names::gpu(text).filter(|_| named);
        if let Some(gpu) = gpu {
            self.launch.gpu = Some(At::new(gpu, line));
        }
        gpu.is_some()
    }
}

/// Derives the time per token of a static batch as batch size ÷ output tokens/s. The stated TTFT is used only at
/// batch 1.
pub fn one_batch_server(run: &mut Stated) {
    run.source = Some(TimeSource::BatchOverRate);
    run.accept_length = run.accept_length.filter(|at| at.value >= 1.0);
    if let (Some(batch), Some(rate)) = (run.running, run.output_rate.filter(|at| at.value > 0.0)) {
        run.tpot = Some(rate.map(|rate| batch.value / rate));
        if let (Some(ttft), Some(prompt)) = (run.ttft.filter(|_| batch.value <= 1.0), run.prompt) {
            run.idle_ttft = Some(ttft.map(|ttft| (ttft, prompt.value)));
        }
    }
    // TTFT and output rate apply to the whole batch, not to one request.
    run.ttft = None;
    run.output_rate = None;
}

fn header(text: &str) -> Option<Format> {
    let ruled = text.starts_with('=');
    let mut rows = HEADERS.iter();
    rows.find(|(words, _)| ruled && text.contains(words))
        .map(|(_, format)| *format)
}

/// True for a separator line of `=` or `-` characters, which may contain a heading.
fn is_rule(text: &str) -> bool {
    ["====", "----"].iter().any(|rule| text.starts_with(rule))
}

/// Reader of `bench_one_batch` output, which has the lines `Prefill. latency`, `Decode.  median latency` and
/// `Total. latency`.
#[derive(Debug, Default)]
pub struct OneBatch {
    batch: Said,
    prefill: Option<At<(f64, f64)>>,
    median: Option<At<(f64, f64)>>,
    /// Number of runs read before the current warm-up; results of the warm-up are discarded.
    warm: Option<usize>,
    /// Runs that have been read completely.
    pub runs: Vec<Stated>,
}

impl OneBatch {
    /// Reads a line; returns false if it does not belong to a `bench_one_batch` run.
    pub fn take(&mut self, text: &str, line: u32) -> bool {
        let text = text.trim();
        let after = |words: &str| super::said::after(text, words);
        let pair = |time: &str, rate: &str| Some(At::new((after(time)?, after(rate)?), line));
        // A warm-up prints the same lines.
        if text == "Warmup ..." {
            self.warm = Some(self.runs.len());
            return true;
        }
        if text == "Benchmark ..." {
            self.runs
                .truncate(self.warm.take().unwrap_or(self.runs.len()));
            (self.batch, self.prefill, self.median) = (None, None, None);
            return true;
        }
        if text.starts_with("Prefill. latency:") {
            self.prefill = pair("latency:", "throughput:");
            (self.batch, self.median) = (None, None);
            return self.prefill.is_some();
        }
        if text.starts_with("Decode.") && text.contains("median latency:") {
            self.median = pair("median latency:", "median throughput:");
            return self.median.is_some();
        }
        if text.starts_with("Decode ") && text.contains("Batch size:") {
            self.batch = after("Batch size:").map(|batch| At::new(batch, line));
            return self.batch.is_some();
        }
        if text.starts_with("Total. latency:") {
            let total = pair("latency:", "throughput:");
            self.push(total);
            return total.is_some();
        }
        false
    }

    /// Finishes a run whose total latency was not printed.
    pub fn finish(&mut self) {
        self.push(None);
    }

    fn push(&mut self, total: Option<At<(f64, f64)>>) {
        let prefill = self.prefill.take();
        let batch = self.batch.take();
        let Some(median) = self.median.take() else {
            return;
        };
        let (step, rate) = median.value;
        let batch = batch.unwrap_or_else(|| median.map(|_| (step * rate).round().max(1.0)));
        let each = |at: At<(f64, f64)>| at.map(|(time, rate)| (time * rate / batch.value).round());
        let prompt = prefill.map(each);
        let both = total.map(each).zip(prompt);
        let output = both.map(|(all, prompt)| all.map(|all| (all - prompt.value).max(0.0)));
        self.runs.push(Stated {
            source: Some(TimeSource::MedianStep),
            tpot: Some(median.map(|_| step)),
            running: Some(batch),
            prompt,
            output: output.filter(|at| at.value >= 1.0),
            decode_only: true,
            idle_ttft: prefill
                .zip(prompt)
                .filter(|_| batch.value <= 1.0)
                .map(|(prefill, prompt)| prefill.map(|(time, _)| (time, prompt.value))),
            ..Stated::of(Format::SglangOneBatch)
        });
    }
}
