//! Reads start-up logs of inference engines: the memory of one GPU, as the engine prints it.
//!
//! Formats: vLLM since 0.6, SGLang, TensorRT-LLM. Engines label GiB values as GB. If the log has several ranks, the
//! most loaded rank is used: the largest weights and the smallest KV-cache pool.

use crate::arch::Mixer;
use crate::cost::memory::memory;
use crate::engine_memory::MemoryModel;
use crate::inputs::{Inputs, Number};
use core::fmt;

/// Maximum length of a log that is read, in bytes.
pub const MOST_BYTES: usize = 1_000_000;
/// Upper bound, in GiB, for sizes read from a log; larger values are ignored.
const MOST_GIB: f64 = 4096.0;

/// Memory figures of a start-up log, per GPU; `None` for figures that the log does not have.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StartupLog {
    /// Size of the weights as loaded on one GPU, in GiB.
    pub weights: Option<f64>,
    /// Size of the memory pool for the KV cache on one GPU, in GiB.
    pub pool: Option<f64>,
    /// Number of tokens that fit in the KV cache of one GPU.
    pub tokens: Option<f64>,
    /// Memory of CUDA graphs on one GPU, in GiB.
    pub graphs: Option<f64>,
    /// Fraction of GPU memory that the engine may use, as set in its memory utilization option.
    pub utilization: Option<f64>,
}

/// Reasons why a start-up log cannot be applied to a scenario.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LogError {
    /// The log is longer than [`MOST_BYTES`].
    TooLong,
    /// The log contains no memory figure.
    NothingRead,
    /// The log does not give the size of the weights.
    NoWeights,
    /// The log does not give the size of the KV-cache pool in GiB, and the size cannot be computed from the log's
    /// token count.
    NoPool,
    /// Weights and KV cache exceed the memory of the selected accelerator.
    TooLarge {
        /// Size of the weights plus the KV-cache pool, in GiB.
        needs: f64,
        /// Memory of the selected accelerator, in GiB.
        has: f64,
    },
    /// The scenario is invalid, or the permalink version does not model engine memory.
    NoMemoryModel,
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "Text longer than 1 MB; paste the start-up lines only"),
            Self::NothingRead => write!(
                f,
                "No memory sizes found; paste lines such as “Model loading took 14.99 GiB” and “Available KV cache \
                 memory: 51.38 GiB”"
            ),
            Self::NoWeights => write!(
                f,
                "Weights missing; add the line “Model loading took” (vLLM) or “Load weight end” (SGLang)"
            ),
            Self::NoPool => write!(
                f,
                "KV cache size in GiB missing; add the line “Available KV cache memory” (vLLM) or “KV Cache is \
                 allocated” (SGLang)"
            ),
            Self::TooLarge { needs, has } => write!(
                f,
                "Weights and KV cache need {needs:.1} GiB, but this GPU has {has:.1}; select the log’s accelerator"
            ),
            Self::NoMemoryModel => write!(
                f,
                "Engine memory needs a valid plan and a version-3 permalink"
            ),
        }
    }
}

/// Reads the memory figures of a start-up log.
pub fn read(text: &str) -> Result<StartupLog, LogError> {
    if text.len() > MOST_BYTES {
        return Err(LogError::TooLong);
    }
    let mut log = StartupLog::default();
    for line in text.lines() {
        log.take(&line.to_lowercase());
    }
    match log == StartupLog::default() {
        true => Err(LogError::NothingRead),
        false => Ok(log),
    }
}

impl StartupLog {
    /// Returns name, unit and value of each memory figure: weights, KV cache, KV cache tokens, CUDA graphs and
    /// utilization.
    pub const fn figures(&self) -> [(&'static str, &'static str, Option<f64>); 5] {
        [
            ("weights", " GiB", self.weights),
            ("KV cache", " GiB", self.pool),
            ("KV cache tokens", "", self.tokens),
            ("CUDA graphs", " GiB", self.graphs),
            ("utilization", "", self.utilization),
        ]
    }

    fn take(&mut self, line: &str) {
        let size = |after: &str| gib_after(line, after);
        let weights = [
            "model loading took",
            "model weights take",
            "actual usage is",
            "model weights (inside torch) in memory usage profiling:",
            "loaded engine size:",
        ];
        let weights = weights.iter().find_map(|after| size(after));
        let weights = weights.or_else(|| match line.contains("load weight end") {
            true => size("mem usage="),
            false => None,
        });
        most(&mut self.weights, weights);
        let keys_and_values = || Some(size("k size:")? + size("v size:")?);
        let latent = || match line.contains("kv cache is allocated") {
            true => size("kv size:"),
            false => None,
        };
        let pool = size("available kv cache memory:")
            .or_else(|| size("reserved for kv cache is"))
            .or_else(keys_and_values)
            .or_else(latent);
        least(&mut self.pool, pool);
        let tokens = ["kv cache size:", "#tokens:", "max_total_num_tokens="];
        let tokens = tokens.iter().find_map(|after| number_after(line, after));
        least(&mut self.tokens, tokens.map(|(number, _)| number));
        // TensorRT-LLM first allocates a small pool to profile its memory.
        if let Some((tokens, _)) = number_after(line, "max tokens in paged kv cache (") {
            most(&mut self.pool, size("allocated"));
            most(&mut self.tokens, Some(tokens));
        }
        let graphs = match line.contains("graph") {
            true => ["secs, took", "mem usage="]
                .iter()
                .find_map(|after| size(after)),
            false => None,
        };
        most(&mut self.graphs, graphs);
        let shares = [
            "gpu_memory_utilization=",
            "gpu_memory_utilization (",
            "gpu_memory_utilization': ",
            "gpu-memory-utilization ",
            "gpu memory utilization is (",
            "mem_fraction_static=",
            "mem-fraction-static ",
        ];
        let share = shares.iter().find_map(|after| number_after(line, after));
        let share = share.map(|(share, _)| share);
        let share = share.filter(|share| *share > 0.0 && *share <= 1.0);
        self.utilization = self.utilization.or(share);
    }

    /// Returns the inputs with reserve, weights and engine memory set from the log: engine = (1 − reserve) · usable −
    /// weights − pool.
    ///
    /// The reserve is 1 minus the log's utilization; without a utilization, it is unchanged. In both cases it is
    /// lowered if weights and pool leave too little memory for it.
    pub fn applied(&self, inputs: &Inputs) -> Result<Inputs, LogError> {
        let scenario = inputs.scenario().map_err(|_| LogError::NoMemoryModel)?;
        if scenario.memory_model == MemoryModel::Model {
            return Err(LogError::NoMemoryModel);
        }
        let weights = self.weights.ok_or(LogError::NoWeights)?;
        let pool = self.pool.or_else(|| self.pool_of_tokens(inputs));
        let needs = weights + pool.ok_or(LogError::NoPool)?;
        let has = inputs.usable().as_gib();
        if needs > has {
            return Err(LogError::TooLarge { needs, has });
        }
        let reserve = self.utilization.map(|share| 1.0 - share);
        let reserve = reserve.or_else(|| inputs.get(Number::Reserve));
        let reserve = reserve.unwrap_or(0.0).min(1.0 - needs / has);
        let tidy = |value: f64| (value * 1000.0).round() / 1000.0;
        let mut set = *inputs;
        set.state(Number::WeightsGib, Some(tidy(weights)));
        set.state(Number::Reserve, Some(tidy(reserve)));
        let engine = ((1.0 - reserve) * has - needs).max(0.0);
        set.state(Number::EngineGib, Some(tidy(engine)));
        Ok(set)
    }

    /// Computes the size of the KV-cache pool in GiB from the log's token count. `None` if the model has windowed or
    /// recurrent layers, for which engines derive the token count differently.
    fn pool_of_tokens(&self, inputs: &Inputs) -> Option<f64> {
        let scenario = inputs.scenario().ok()?;
        let whole = |mixer: &Mixer| mixer.is_full() && !mixer.is_recurrent();
        if !scenario.arch.mixers().iter().all(|part| whole(&part.shape)) {
            return None;
        }
        let (batch, workload) = (scenario.workload.batch, &scenario.workload);
        let sequences = batch / f64::from(scenario.plan.spec().dp);
        let token = memory(&scenario, batch).kv_cache.as_gib() / (sequences * workload.context);
        Some(self.tokens? * token)
    }
}

fn most(value: &mut Option<f64>, found: Option<f64>) {
    *value = (*value).into_iter().chain(found).reduce(f64::max);
}

fn least(value: &mut Option<f64>, found: Option<f64>) {
    *value = (*value).into_iter().chain(found).reduce(f64::min);
}

/// Returns the size that follows `words` in a line of the log, in GiB. Accepts "14.99 GiB", "14.99GiB", "14.99 GB"
/// and "512 MiB".
fn gib_after(line: &str, words: &str) -> Option<f64> {
    let (value, rest) = number_after(line, words)?;
    let unit = rest.trim_start();
    let gib = match unit {
        _ if unit.starts_with('g') => value,
        _ if unit.starts_with('m') => value / 1024.0,
        _ => return None,
    };
    (gib > 0.0 && gib < MOST_GIB).then_some(gib)
}

/// Returns the number that follows `words` in a line of the log, and the text after this number; commas may group
/// digits.
fn number_after<'a>(line: &'a str, words: &str) -> Option<(f64, &'a str)> {
    let start = line.find(words)? + words.len();
    let text = line.get(start..)?.trim_start();
    let part = |mark: char| mark.is_ascii_digit() || mark == '.' || mark == ',';
    let end = text.find(|mark: char| !part(mark)).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let digits = digits.trim_end_matches([',', '.']).replace(',', "");
    let value: f64 = digits.parse().ok()?;
    (value.is_finite() && value < 1e15).then_some((value, rest))
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::permalink;

    const VLLM: &str = "\
        INFO Model loading took 14.9889 GiB and 3.39 seconds\n\
        INFO Available KV cache memory: 51.38 GiB\n\
        INFO GPU KV cache size: 420,912 tokens\n\
        INFO Graph capturing finished in 22 secs, took 0.39 GiB\n\
        INFO gpu_memory_utilization=0.9,";
    const OLD_VLLM: &str = "the current vLLM instance can use total_gpu_memory (79.18GiB) x gpu_memory_utilization \
        (0.90) = 71.27GiB\nmodel weights take 14.99GiB; non_torch_memory takes 0.13GiB; PyTorch activation peak memory \
        takes 4.76GiB; the rest of the memory reserved for KV Cache is 51.38GiB.";
    const SGLANG: &str = "Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.88 GB, mem \
        usage=14.98 GB.\nKV Cache is allocated. #tokens: 446432, K size: 27.25 GB, V size: 27.25 GB\n\
        Capture cuda graph end. Time elapsed: 9.3 s. mem usage=0.35 GB. avail mem=8.1 GB.\nmem_fraction_static=0.88";

    const TENSORRT: &str = "\
        [TRT-LLM] [RANK 0] Loaded engine size: 15337 MiB\n\
        [TensorRT-LLM][INFO] [MemUsageChange] Allocated 0.56 GiB for max tokens in paged KV cache (4608).\n\
        [TensorRT-LLM][INFO] [MemUsageChange] Allocated 51.38 GiB for max tokens in paged KV cache (420896).";
    const TENSORRT_TORCH: &str = "\
        [TRT-LLM] [I] Memory used after loading model weights (inside torch) in memory usage profiling: 14.98 GiB\n\
        [TRT-LLM] [I] Memory used after loading model weights (outside torch) in memory usage profiling: 2.10 GiB\n\
        [TRT-LLM] [I] Memory dynamically allocated during inference (inside torch) in memory usage profiling: 0.85 \
        GiB\n\
        [TensorRT-LLM][INFO] [MemUsageChange] Allocated 51.38 GiB for max tokens in paged KV cache (420896).";

    fn bits(log: &StartupLog) -> [Option<f64>; 5] {
        log.figures().map(|(_, _, value)| value)
    }

    #[test]
    fn logs_of_engines_are_read() {
        let read = |text| bits(&read(text).unwrap());
        assert_eq!(
            read(VLLM),
            [
                Some(14.9889),
                Some(51.38),
                Some(420_912.0),
                Some(0.39),
                Some(0.9)
            ]
        );
        assert_eq!(
            read(OLD_VLLM),
            [Some(14.99), Some(51.38), None, None, Some(0.9)]
        );
        assert_eq!(
            read(SGLANG),
            [
                Some(14.98),
                Some(54.5),
                Some(446_432.0),
                Some(0.35),
                Some(0.88)
            ]
        );
    }

    #[test]
    fn tensorrt_llm_counts_after_profiling() {
        let read = |text| bits(&read(text).unwrap());
        let pool = [Some(51.38), Some(420_896.0), None, None];
        assert_eq!(read(TENSORRT)[1..], pool);
        assert_eq!(read(TENSORRT)[0], Some(15_337.0 / 1024.0));
        assert_eq!(read(TENSORRT_TORCH)[1..], pool);
        assert_eq!(read(TENSORRT_TORCH)[0], Some(14.98));
    }

    #[test]
    fn a_log_sets_the_pool_it_states() {
        let inputs = permalink::read("v=3&model=llama-3.1-8b&gpu=h100&gpus=1").current;
        for text in [VLLM, OLD_VLLM, SGLANG, TENSORRT, TENSORRT_TORCH] {
            let log = read(text).unwrap();
            let set = log.applied(&inputs).unwrap();
            let scenario = set.scenario().unwrap();
            let found = memory(&scenario, 1.0);
            assert!((found.pool().as_gib() - log.pool.unwrap()).abs() < 0.1);
            assert!((found.weights().as_gib() - log.weights.unwrap()).abs() < 0.01);
        }
    }

    #[test]
    fn tokens_give_the_pool_of_plain_attention() {
        let text = "Model loading took 14.99 GiB\nGPU KV cache size: 400,000 tokens";
        let log = read(text).unwrap();
        let plain = permalink::read("v=3&model=llama-3.1-8b&gpu=h100&gpus=1").current;
        // 131,072 B per token.
        let set = log.applied(&plain).unwrap().scenario().unwrap();
        let pool = memory(&set, 1.0).pool().as_gib();
        assert!(
            (pool - 400_000.0 * 131_072.0 / 1_073_741_824.0).abs() < 0.1,
            "{pool}"
        );
        let hybrid = permalink::read("v=3&model=qwen3-next-80b-a3b&gpu=h100&gpus=2").current;
        assert_eq!(log.applied(&hybrid), Err(LogError::NoPool));
    }

    #[test]
    fn broken_and_huge_texts_are_refused() {
        let inputs = permalink::read("v=3&model=llama-3.1-8b&gpu=h100&gpus=1").current;
        for text in [
            "",
            "hello",
            "model loading took",
            "Available KV cache memory: ∞ GiB",
            "\0\u{fffd}é,,,.",
        ] {
            assert_eq!(read(text), Err(LogError::NothingRead), "{text}");
        }
        assert_eq!(read(&"x".repeat(MOST_BYTES + 1)), Err(LogError::TooLong));
        assert_eq!(
            read("Model loading took 9e99 GiB"),
            Err(LogError::NothingRead)
        );
        let applied = |text: &str| read(text).unwrap().applied(&inputs);
        assert_eq!(applied("Model loading took 15 GiB"), Err(LogError::NoPool));
        assert_eq!(
            applied("Available KV cache memory: 15 GiB"),
            Err(LogError::NoWeights)
        );
        let large = "Model loading took 60 GiB\nAvailable KV cache memory: 60 GiB";
        assert!(matches!(applied(large), Err(LogError::TooLarge { .. })));
        let old = permalink::read("v=2").current;
        assert_eq!(
            read(VLLM).unwrap().applied(&old),
            Err(LogError::NoMemoryModel)
        );
    }
}
