//! Places of equations in `docs/model.md`.

use crate::named::named;

named! {
    /// Place of an equation: a heading or an anchor of `docs/model.md`.
    pub enum Section {
        /// The table of symbols: a quantity without an equation.
        Symbols = "symbols" => "–",
        /// Sums and overlap of a step.
        Step = "the-step" => "step",
        /// Time that HOP-B overlaps.
        HopB = "hop-b" => "HOP-B",
        /// Roofline of an operator.
        Operators = "operators" => "operators",
        /// Experts that a GPU reads.
        ExpertsRead = "experts-read" => "experts read",
        /// Latency and transfer of a collective.
        Collectives = "collectives" => "collectives",
        /// Memory of a GPU by part.
        Memory = "memory" => "memory",
        /// Memory that an engine takes.
        EngineMemory = "engine-memory" => "engine memory",
        /// Pages and KV cache of a sequence.
        KvCache = "kv-cache" => "KV cache",
        /// The largest batch that fits.
        Capacity = "max-batch" => "max batch",
        /// TPOT and throughput.
        Rates = "rates" => "rates",
        /// Tokens that a step yields.
        AcceptanceLength = "acceptance-length" => "acceptance length",
        /// Prefill of other requests.
        OtherPrefill = "prefill-of-others" => "prefill of others",
        /// Cost of tokens.
        Cost = "cost" => "cost",
        /// Prefill passes and TTFT.
        Ttft = "ttft" => "TTFT",
        /// Replicas, GPUs and cost of whole requests.
        Pools = "pools" => "pools",
        /// Wait for a prefill slot.
        Queueing = "queueing" => "queueing",
        /// Times of both ranks of AFD.
        AfdLatencies = "afd-latencies" => "AFD latencies",
        /// Cached tokens of an attention rank.
        AfdLoad = "afd-load" => "AFD load",
        /// Cycle and ratio.
        AfdRatio = "afd-ratio" => "AFD ratio",
        /// Two micro-batches in flight.
        AfdInFlight = "afd-in-flight" => "two micro-batches",
        /// Simulated steps.
        AfdSimulation = "afd-simulation" => "simulation",
        /// Memory of both ranks.
        AfdMemory = "afd-memory" => "AFD memory",
        /// Sides of a Lamina deployment.
        Lamina = "attention-on-memory-devices-lamina" => "Lamina",
        /// Traffic and time of its network.
        LaminaNetwork = "lamina-network" => "Lamina network",
        /// Its micro-batches in rotation.
        LaminaRotation = "lamina-rotation" => "rotation",
        /// Memory of both sides, and the batch.
        LaminaBatch = "lamina-batch" => "Lamina batch",
        /// Measurements of the user’s deployment.
        Anchoring = "anchoring" => "anchoring",
        /// Constants of the calibration.
        Accuracy = "accuracy" => "calibration",
    }
}
