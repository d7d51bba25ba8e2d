//! What each number is called, whose it is, and what it means.

use crate::format;
use model_core::arch::Ffn;
use model_core::permalink::write_number;
use model_core::scenario::number::Notation;
use model_core::scenario::{Gpu, Inputs, Number};

/// The words around a number's control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// Beside the slider: "Scale-out".
    pub name: &'static str,
    /// In a button or a sentence: "EP", "GPUs".
    pub short: &'static str,
    /// Whose it is and which way, lighter: "per GPU, one way".
    pub whose: &'static str,
    /// After the value: "GB/s".
    pub unit: &'static str,
    /// The papers' symbol and its index: ("W", "out").
    pub symbol: (&'static str, &'static str),
    /// What it means and does.
    pub help: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

const fn words(
    name: &'static str,
    short: &'static str,
    whose: &'static str,
    unit: &'static str,
    symbol: (&'static str, &'static str),
    help: &'static str,
    source: &'static str,
) -> Words {
    Words {
        name,
        short,
        whose,
        unit,
        symbol,
        help,
        source,
    }
}

/// What stands where a number has no value: its own is taken, or there is none.
pub const fn absent(number: Number) -> &'static str {
    match number {
        Number::Ratio => "best",
        Number::AttentionSlopeMicros
        | Number::AttentionInterceptMicros
        | Number::FfnSlopeMicros
        | Number::FfnInterceptMicros
        | Number::MessageSlopeMicros
        | Number::MessageInterceptMicros => "derived",
        _ => "none",
    }
}

/// The words of a number.
#[rustfmt::skip]
pub const fn words_of(number: Number) -> Words {
    match number {
        Number::Gpus => words("GPUs", "GPUs", "", "", ("N", ""), "Accelerators of the whole deployment.", "[A] 3.3"),
        Number::Domain => words("Domain", "domain", "GPUs each", "", ("G", ""), "GPUs joined by the scale-up network: 8 in a node, 72 in an NVL72 rack.", "[A] 3.3"),
        Number::ScaleUp => words("Scale-up", "scale-up", "per GPU, one way", "GB/s", ("W", "in"), "Bandwidth of each GPU inside its domain, one direction.", "[A] 3.3"),
        Number::ScaleOut => words("Scale-out", "scale-out", "per GPU, one way", "GB/s", ("W", "out"), "Bandwidth of each GPU to other nodes, one direction. Divides the message time.", "[A] 3.3"),
        Number::Batch => words("Batch", "batch", "", "seq", ("B", ""), "Sequences decoded at once over the whole deployment.", "[A] 3.1"),
        Number::Context => words("Context", "context", "mean", "tok", ("S", ""), "Mean tokens of context per sequence: what attention reads for each new token.", "[A] 3.1"),
        Number::Beta => words("Expert balance", "β_eb", "mean ÷ max", "", ("β", "eb"), "Mean load of a GPU's experts over the greatest. Divides the tokens that the busiest GPU computes and receives.", "[A] 3.4"),
        Number::Redundant => words("Redundant experts", "redundant", "", "", ("R", ""), "Extra copies of busy experts, placed on the expert grid beside the others.", "[A] 3.4"),
        Number::AttentionWeightBytes => words("Attention weights", "w_attn", "", "B/elem", ("w", "a"), "Bytes per attention weight.", "[A] 3.5"),
        Number::FfnWeightBytes => words("Feed-forward weights", "w_ffn", "", "B/elem", ("w", "f"), "Bytes per weight of experts and dense layers.", "[A] 3.5"),
        Number::KvBytes => words("KV cache", "kv", "", "B/elem", ("c", ""), "Bytes per element of the cache.", "[A] 3.5"),
        Number::ActivationBytes => words("Activations", "act", "", "B/elem", ("x", ""), "Bytes per element between operators.", "[A] 3.5"),
        Number::DispatchBytes => words("Dispatch", "dispatch", "to the experts", "B/elem", ("x", "d"), "Bytes per element of a token sent to its experts.", "[A] 3.3"),
        Number::CombineBytes => words("Combine", "combine", "from the experts", "B/elem", ("x", "c"), "Bytes per element of an expert's result sent back.", "[A] 3.3"),
        Number::Dp => words("DP attention", "DP", "", "", ("dp", ""), "Attention groups that each hold their own sequences. DP × TP × KVP × PP must equal GPUs.", "[H] 2.1"),
        Number::Tp => words("TP attention", "TP", "", "", ("tp", ""), "GPUs that the query heads of a group are split over.", "[H] 2.1"),
        Number::Kvp => words("KV parallel", "KVP", "", "", ("kvp", ""), "GPUs that the context of a group is split over.", "[H] 2.1"),
        Number::FfnTp => words("FFN TP", "FFN TP", "", "", ("tp", "f"), "GPUs that each feed-forward matrix is split over.", "[H] 2.2"),
        Number::Ep => words("EP experts", "EP", "", "", ("ep", ""), "GPUs that the experts are spread over. EP × FFN TP × PP must equal GPUs.", "[A] 3.3"),
        Number::Pp => words("Pipeline PP", "PP", "", "", ("pp", ""), "Stages that the layers are cut into.", "[H] 3"),
        Number::MemoryFactor => words("Memory", "ε memory", "ε, × ideal", "×", ("ε", "m"), "How much longer memory traffic takes than at the printed bandwidth.", "[A] 3.5"),
        Number::AttentionFactor => words("Attention arithmetic", "ε attention", "ε", "×", ("ε", "a"), "How much longer attention's arithmetic takes than at the peak.", "[A] 3.5"),
        Number::FfnFactor => words("FFN arithmetic", "ε FFN", "ε", "×", ("ε", "f"), "How much longer the experts' and dense layers' arithmetic takes than at the peak.", "[A] 3.5"),
        Number::NetworkFactor => words("Messages", "ε messages", "ε", "×", ("ε", "n"), "How much longer messages take than at the link's bandwidth.", "[A] 3.5"),
        Number::LatencyMicros => words("Latency", "latency", "per collective", "µs", ("α", ""), "Fixed time of each collective, whatever its size; empty where kinds of messages start differently.", "[H] fit"),
        Number::OverheadMicros => words("Overhead", "overhead", "per operator", "µs", ("", ""), "Fixed time of each operator, or of a matrix product where kernels are told apart.", "not in the papers"),
        Number::LayerMicros => words("Serving overhead", "overhead", "per layer and pass", "µs", ("o", "L"), "Launches and serving around the kernels of a layer: norms, rotary, quantisation, top-k, sampling, gaps.", "fitted to measured systems"),
        Number::HostMicros => words("Host", "host", "per step", "µs", ("o", "H"), "Host time of a step that nothing hides; about 6,100 µs where the engine does not schedule ahead.", "SGLang on 16 H200"),
        Number::SpeculationDepth => words("Speculation", "speculation", "tokens ahead", "", ("δ", ""), "Tokens guessed ahead and checked in the same step (multi-token prediction).", "[A] 1"),
        Number::Acceptance => words("Acceptance", "acceptance", "per token", "", ("p", ""), "Chance that a guessed token is kept, given the one before it was.", "[A] 1"),
        Number::NodeLimit => words("Node limit", "node limit", "domains per token", "", ("M", ""), "Scale-up domains that a token's experts may lie in; fewer means fewer messages.", "[A] 2.3"),
        Number::Reserve => words("Reserve", "reserve", "share kept free", "", ("", ""), "Share of the memory kept free for what is not modelled.", "[A] 4"),
        Number::Slo => words("SLO", "SLO", "least per user", "tok/s", ("", ""), "The slowest speed that a user accepts.", "[B] VI"),
        Number::Price => words("Price", "price", "per GPU", "$/h", ("", ""), "Dollars per GPU-hour, for the cost of a million tokens.", "as the accelerator's list says"),
        Number::PeakBf16 => words("BF16 peak", "BF16", "dense", "TFLOP/s", ("", ""), "Dense arithmetic in BF16.", "vendor"),
        Number::PeakFp8 => words("FP8 peak", "FP8", "dense", "TFLOP/s", ("", ""), "Dense arithmetic in FP8; none means that the format is not there.", "vendor"),
        Number::PeakFp4 => words("FP4 peak", "FP4", "dense", "TFLOP/s", ("", ""), "Dense arithmetic in FP4; none means that the format is not there.", "vendor"),
        Number::Hbm => words("HBM bandwidth", "HBM", "per GPU", "GB/s", ("", ""), "Bandwidth of a GPU's own memory.", "vendor"),
        Number::Capacity => words("Memory", "memory", "per GPU", "GiB", ("", ""), "Memory of a GPU; the printed gigabytes are read as GiB.", "vendor"),
        Number::Instances => words("Instances", "instances", "of this deployment", "", ("", ""), "How many deployments like this one, against one large one on the GPUs of all.", "[B] VII-C"),
        Number::Interconnect => words("Interconnect", "interconnect", "per GPU, one way", "GB/s", ("", ""), "Bandwidth that joins all GPUs of the one large deployment, per GPU and direction.", "[B] VII-C"),
        Number::Watts => words("Board power", "watts", "per GPU", "W", ("", ""), "Power of the board, for the energy of a token.", "vendor"),
        Number::AttentionSlopeMicros => words("Attention slope", "attention slope", "per cached token", "µs", ("α_A", ""), "Time that a token in the cache adds to a step of attention: reading it.", "[R] eqs 2, 26"),
        Number::AttentionInterceptMicros => words("Attention intercept", "attention intercept", "per step", "µs", ("β_A", ""), "Time of a step of attention that does not depend on the cache: projections, head, launches.", "[R] eq 2"),
        Number::FfnSlopeMicros => words("FFN slope", "FFN slope", "per row", "µs", ("α_F", ""), "Time that a sequence adds to a step of the feed-forward: its arithmetic on the busiest GPU.", "[R] eqs 3, 33"),
        Number::FfnInterceptMicros => words("FFN intercept", "FFN intercept", "per step", "µs", ("β_F", ""), "Time of a step of the feed-forward that does not depend on its rows: weights, launches.", "[R] eq 3"),
        Number::MessageSlopeMicros => words("Message slope", "message slope", "per slot", "µs", ("α_C", ""), "Time that a slot adds to the round trip between attention and feed-forward: its bytes.", "[R] eqs 4, 38"),
        Number::MessageInterceptMicros => words("Message intercept", "message intercept", "per step", "µs", ("β_C", ""), "Latency of the round trips of a step.", "[R] eq 4"),
        Number::Slots => words("Slots", "slots", "per batch and attention instance", "", ("B", ""), "Sequences of one of the two batches in flight on one attention instance.", "[R] 3.1"),
        Number::MeanPrompt => words("Prompt", "prompt", "tokens, mean", "", ("μ_P", ""), "Mean tokens that a request brings along.", "[R] 3.3"),
        Number::MeanOutput => words("Output", "output", "tokens, mean", "", ("μ_D", ""), "Mean tokens that a request generates.", "[R] 3.3"),
        Number::Ratio => words("Ratio", "ratio", "attention per FFN instance", "", ("r", ""), "Attention instances for each feed-forward instance; empty for the best.", "[R] 3.1"),
        Number::FfnInstances => words("FFN instances", "FFN instances", "in a bundle", "", ("y", ""), "Feed-forward instances of a bundle that run in step.", "[R] 3.1"),
        Number::Requests => words("Requests", "requests", "per attention instance", "", ("N", ""), "The horizon of the averages, and what a simulation completes.", "[R] 4.2, 5.3"),
        Number::Seed => words("Seed", "seed", "of the lengths", "", ("", ""), "The same seed draws the same requests, on every machine.", ""),
        Number::ComputeGpus => words("Compute devices", "compute", "all replicas", "", ("a", ""), "Accelerators that hold the weights and run everything but attention.", "[L] 3.1"),
        Number::MemoryGpus => words("Memory devices", "memory", "", "", ("b", ""), "Accelerators that hold the cache and run attention.", "[L] 3.1"),
        Number::Net => words("Network", "network", "per device, one way", "GB/s", ("W", ""), "Bandwidth of each device to the other side, one direction.", "[L] 6"),
        Number::NetMicros => words("Round trip", "round trip", "per layer", "µs", ("", ""), "Time of an empty message there and back: 33 µs with a stack that bypasses the host, 66.6 with NCCL.", "[L] 6.3"),
        Number::SlowDown => words("Allowed slow-down", "slow-down", "of the computation", "×", ("α", ""), "Share of the computation that the network may add; it sets the least bandwidth.", "[L] 3.1"),
        Number::Batches => words("Batches in flight", "batches", "", "", ("j", ""), "Batches that take turns on both sides, over one replica of the model fewer.", "[L] 4.3"),
        Number::Budget => words("Budget", "budget", "none: equal price", "$/h", ("", ""), "Dollars per hour that the search over devices may spend; without one, what the cluster of compute accelerators costs.", "[L] 6.1"),
        Number::ComputePrice => words("Compute price", "compute price", "per device", "$/h", ("", ""), "Dollars per hour of a compute device.", "one source for both sides"),
        Number::MemoryPrice => words("Memory price", "memory price", "per device", "$/h", ("", ""), "Dollars per hour of a memory device.", "one source for both sides"),
    }
}

/// A value as its field shows it: readable, and read back by the same field.
pub fn shown(number: Number, value: f64) -> String {
    match number.spec().notation {
        Notation::Count => format::count(value),
        Notation::Context if value >= 4096.0 && value % 1024.0 == 0.0 => {
            write_number(number, value)
        }
        Notation::Context => format::count(value),
        Notation::Bandwidth | Notation::Tera => format::printed(value),
        Notation::Plain => match number {
            Number::Beta | Number::Acceptance | Number::Reserve => {
                let two = format!("{value:.2}");
                let exact = two.parse() == Ok(value);
                if exact { two } else { format::printed(value) }
            }
            _ => format::printed(value),
        },
    }
}

/// What a value means here, lighter, in place of [`Words::whose`]: "9 nodes of 8", "256 per GPU".
pub fn live_hint(number: Number, inputs: &Inputs) -> String {
    let get = |number| inputs.get(number).unwrap_or(1.0);
    match number {
        Number::Gpus => {
            let (gpus, domain) = (get(Number::Gpus), get(Number::Domain));
            let size = format::count(domain);
            if domain <= 1.0 {
                "each on its own".to_owned()
            } else if gpus <= domain {
                if domain > 16.0 {
                    format!("in a domain of {size}")
                } else {
                    format!("in a node of {size}")
                }
            } else {
                let word = if domain > 16.0 { "domains" } else { "nodes" };
                format!("{} {word} of {size}", format::printed(gpus / domain))
            }
        }
        Number::Batch => format!(
            "{} per GPU",
            format::batch(get(Number::Batch) / get(Number::Gpus))
        ),
        Number::Beta if matches!(inputs.model.arch().ffn, Ffn::Dense { .. }) => {
            "not used".to_owned()
        }
        Number::ScaleOut if get(Number::Gpus) <= get(Number::Domain) => "not used".to_owned(),
        Number::Price => match inputs.gpu {
            Gpu::Catalog(entry) if inputs.stated(number).is_none() => entry
                .price_source
                .map_or_else(|| "not known".into(), |_| "from the catalogue".into()),
            _ => words_of(number).whose.to_owned(),
        },
        Number::Budget if inputs.stated(number).is_some() => "all devices".to_owned(),
        _ => words_of(number).whose.to_owned(),
    }
}

/// "289 experts on 72 GPUs: 5 on the fullest, 71 slots unused", where they do not divide evenly.
pub fn placement_hint(inputs: &Inputs) -> Option<String> {
    let plan = inputs.scenario().ok()?.plan;
    let (placed, ep) = (plan.experts_placed(), plan.spec().ep);
    if placed == 0 || placed.is_multiple_of(ep) {
        return None;
    }
    let fullest = placed.div_ceil(ep);
    let unused = fullest * ep - placed;
    let slots = if unused == 1 { "slot" } else { "slots" };
    Some(format!(
        "{} experts on {} GPUs: {fullest} on the fullest, {} {slots} unused",
        format::count(f64::from(placed)),
        format::count(f64::from(ep)),
        format::count(f64::from(unused)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink::{read, read_number};

    #[test]
    fn what_a_field_shows_it_also_reads() {
        for (number, value, text) in [
            (Number::Batch, 18_432.0, "18,432"),
            (Number::Context, 2000.0, "2,000"),
            (Number::Context, 32_768.0, "32k"),
            (Number::Beta, 0.8, "0.80"),
            (Number::Beta, 0.123, "0.123"),
            (Number::ScaleOut, 62.5, "62.5"),
            (Number::MemoryFactor, 1.65, "1.65"),
        ] {
            assert_eq!(shown(number, value), text);
            assert_eq!(read_number(number, text), Ok(value));
        }
    }

    #[test]
    fn hints_follow_the_scenario() {
        let hint = |number, link: &str| live_hint(number, &read(link).current);
        assert_eq!(hint(Number::Gpus, "v=1"), "9 nodes of 8");
        assert_eq!(hint(Number::Gpus, "gpus=4"), "in a node of 8");
        assert_eq!(
            hint(Number::Gpus, "gpu=gb200&gpus=108"),
            "1.5 domains of 72"
        );
        assert_eq!(hint(Number::Batch, "v=1"), "256 per GPU");
        assert_eq!(hint(Number::Beta, "model=llama-3-70b"), "not used");
        assert_eq!(
            placement_hint(&read("v=1").current).as_deref(),
            Some("289 experts on 72 GPUs: 5 on the fullest, 71 slots unused")
        );
        assert_eq!(
            placement_hint(&read("gpus=32&redundant=31&batch=1024").current),
            None
        );
        assert_eq!(placement_hint(&read("ep=64").current), None);
    }

    #[test]
    fn every_number_has_words() {
        for number in Number::ALL {
            let words = words_of(number);
            assert!(
                !words.name.is_empty() && words.help.ends_with('.'),
                "{number:?}"
            );
        }
    }
}
