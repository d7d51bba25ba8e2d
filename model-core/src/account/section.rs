//! Anchors in `docs/model.md` at which equations are documented.

use crate::named::named;

named! {
    /// A section of `docs/model.md` in which an equation is documented, with its anchor.
    pub enum Section {
        /// The table of symbols, for quantities without an equation.
        Symbols = "symbols" => "–",
        /// The time of a decode step: sums over its parts, and overlap.
        Step = "the-step" => "step",
        /// The time that HOP-B (overlap of attention with the KV-parallel exchange) saves.
        HopB = "hop-b" => "HOP-B",
        /// The roofline time of an operator.
        Operators = "operators" => "operators",
        /// The number of experts that a GPU reads.
        ExpertsRead = "experts-read" => "experts read",
        /// The latency and transfer time of a collective.
        Collectives = "collectives" => "collectives",
        /// The memory of a GPU, part by part.
        Memory = "memory" => "memory",
        /// The memory that an inference engine takes.
        EngineMemory = "engine-memory" => "engine memory",
        /// The KV cache of a sequence, in whole pages.
        KvCache = "kv-cache" => "KV cache",
        /// The largest batch that fits in memory.
        Capacity = "max-batch" => "max batch",
        /// TPOT, interactivity and throughput.
        Rates = "rates" => "rates",
        /// The tokens that a step yields per sequence.
        AcceptanceLength = "acceptance-length" => "acceptance length",
        /// The time added to decode by other requests' prefill.
        OtherPrefill = "prefill-of-others" => "prefill of others",
        /// The cost of tokens.
        Cost = "cost" => "cost",
        /// Times of prefill passes, and TTFT.
        Ttft = "ttft" => "TTFT",
        /// The replicas, GPUs and cost of serving whole requests.
        Pools = "pools" => "pools",
        /// The wait of a request for a prefill slot.
        Queueing = "queueing" => "queueing",
        /// The times of AFD attention and FFN ranks.
        AfdLatencies = "afd-latencies" => "AFD latencies",
        /// The cached tokens of an AFD attention rank.
        AfdLoad = "afd-load" => "AFD load",
        /// The AFD cycle time and the A:F ratio.
        AfdRatio = "afd-ratio" => "AFD ratio",
        /// AFD with two micro-batches in flight.
        AfdInFlight = "afd-in-flight" => "two micro-batches",
        /// The step-by-step simulation of AFD.
        AfdSimulation = "afd-simulation" => "simulation",
        /// The memory of AFD attention and FFN ranks.
        AfdMemory = "afd-memory" => "AFD memory",
        /// Lamina's compute and memory devices.
        Lamina = "attention-on-memory-devices-lamina" => "Lamina",
        /// The traffic and time of Lamina's network.
        LaminaNetwork = "lamina-network" => "Lamina network",
        /// The rotation of Lamina's micro-batches.
        LaminaRotation = "lamina-rotation" => "rotation",
        /// The memory of both Lamina sides, and the largest batch that fits.
        LaminaBatch = "lamina-batch" => "Lamina batch",
        /// Corrections from measurements of the user’s deployment.
        Anchoring = "anchoring" => "anchoring",
        /// The constants of the calibration and their accuracy.
        Accuracy = "accuracy" => "calibration",
    }
}
