//! Equations of the model that are no sum, product or maximum, applied to the values of their parts.

use super::queues;
use crate::afd::bundle::IN_FLIGHT;
use crate::afd::latency::{LatencyLine, LoadSpan};
use crate::afd::lengths::{Distribution, LengthModel, renewal};
use crate::correction::LEAST_PREFILL;
use crate::cost::collective::{outside_share, remote_domains, ring_share};
use crate::lamina::step::early_query;
use crate::ops::Popularity;
use crate::ops::ffn::{Routing, experts_read};
use crate::schedule::hop_b;
use crate::schedule::neighbors::prompt_passes;
use crate::units::Seconds;
use crate::workload::Speculation;

/// An equation of several parts, by the order of its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Equation {
    /// Acceptance length y = 1 + p + … + p^δ of δ drafts and acceptance rate p.
    AcceptanceLength,
    /// Experts that the busiest GPU reads: E, k, shared ones on the grid, R, ep, β, φ, stages, passes, and the
    /// factors of all tokens.
    ExpertsRead,
    /// Share 2 (m − 1)/m of an all-reduce that passes each of m GPUs, the product of the parts.
    RingShare,
    /// Share (n − 1)/n of an all-to-all that leaves a domain: GPUs, GPUs of a domain, pipeline stages.
    OutsideShare,
    /// The rest of it, 1/n.
    InsideShare,
    /// Remote domains that a token reaches, per expert: GPUs, GPUs of a domain, stages, k′, M; 0 for any number.
    RemoteShare,
    /// Share of an exchange that comes from other ranks: (m − 1)/m.
    OtherRanks,
    /// Ranks but one: m − 1.
    Others,
    /// Results of experts that an all-gather moves: (ep − 1)·min(1, k/ep) of k and ep.
    GatheredShare,
    /// Share min(1, k/ep) of the results on an expert group, of k and ep.
    ResultShare,
    /// Time that HOP-B overlaps: exchange, sequences, and the kernels of attention.
    HopB,
    /// The same where blocks are folded: exchange, sequences, the block, and the block without its attention kernel.
    HopBFolded,
    /// Factor ⌈h/r⌉ r/h of heads that fill separate tiles: r, and h as a quotient of all heads and their shards.
    HeadPadding,
    /// Experts resident on the most loaded GPU: ⌈(E + E_s + R)/ep⌉.
    Resident,
    /// Whole sequences that fit a room: room, bytes of one.
    Fit,
    /// Whole pages of a context: tokens, shards, tokens of a page.
    Pages,
    /// Whole pages of a window: context, window, tokens of a pass, shards, tokens of a page.
    WindowPages,
    /// Aggregated prefill corrected by measurements: time, added time, factor, and how often it counts.
    CorrectedPrefill,
    /// Prompt passes per output token: B, dp, o, and ranks that wait for each other.
    PromptPasses,
    /// Time per output token of two micro-batches in flight: the larger of twice the longest part and the sum of all.
    TwoInFlight,
    /// Idle share of the first of several times in a cycle as long as the longest.
    Idle,
    /// Ratio √(β/(α B)) at which throughput peaks if a line over the rows is the bottleneck: β, α, B.
    PeakRatio,
    /// Mean context over a horizon from a fresh start: P, μ_D, requests, and sequences at a time.
    HorizonContext,
    /// Mean context in the long run: P, μ_D, E(D²).
    LongRunContext,
    /// A line whose slope is that of a chord: times at two loads, the loads, intercept, and the factors of the load.
    ChordSlope,
    /// A line whose intercept is that of a chord: times at two loads, the loads, slope, and the factors of the load.
    ChordIntercept,
    /// Time that early queries overlap: projection of keys and values, sending of queries, of keys and values, round
    /// trips, attention.
    EarlyQuery,
    /// Turnaround of a micro-batch: compute, attention, network, and the time that is overlapped.
    Turnaround,
    /// TPOT with prefill of other requests: step, y, prompt passes, a prompt; added time and factor of a correction.
    AggregatedTpot,
    /// GPUs of aggregated replicas: GPUs of one, λ, ρ, B, o, TPOT; where prompts or a TTFT limit need more of them also
    /// T_p, step, dp, and the limit.
    AggregatedGpus,
    /// Queueing of aggregated replicas: λ, ρ, B, o, TPOT, T_p, step, dp; the TTFT limit.
    AggregatedWait,
    /// GPUs of decode replicas: GPUs of one, λ, ρ, B, o, TPOT.
    DecodeGpus,
    /// GPUs of prefill replicas: GPUs of one, λ, ρ, dp, m, J, t_p; with a TTFT limit also a pass of one prompt, the KV
    /// transfer, the limit.
    PrefillGpus,
    /// Queueing of prefill replicas: as [`Self::PrefillGpus`] without the GPUs.
    PrefillWait,
    /// GPUs of the smallest balanced pools: GPUs of a prefill replica, dp, m, J, t_p; GPUs of a decode replica, B, o,
    /// TPOT.
    MatchedGpus,
    /// Cost of 1,000 requests without a rate: prices, GPUs and times of both replicas, in the order of
    /// [`Self::MatchedGpus`] with each price first.
    FullUseCost,
    /// Cost of 1,000 requests of both pools: price and GPUs of prefill, price and GPUs of decode, seconds of an hour, λ.
    PoolsCost,
    /// Cost of a million output tokens of aggregated replicas: price, GPUs, seconds of an hour, λ, o, step, y, TPOT.
    AggregatedOutputCost,
}

impl Equation {
    /// The value for these parts; `None` if they are too few.
    pub fn of(self, parts: &[f64]) -> Option<f64> {
        let domains = |gpus: f64, domain: f64, stages: f64| (gpus / stages / domain).max(1.0);
        Some(match (self, parts) {
            (Self::AcceptanceLength, [depth, acceptance]) => Speculation {
                depth: *depth as u32,
                acceptance: *acceptance,
            }
            .yielded(),
            (
                Self::ExpertsRead,
                [
                    experts,
                    per_token,
                    grid,
                    redundant,
                    groups,
                    beta,
                    skew,
                    stages,
                    passes,
                    tokens @ ..,
                ],
            ) => experts_read(
                &Routing {
                    experts: *experts,
                    per_token: *per_token,
                    on_grid: *grid,
                    groups: *groups,
                    resident: ((experts + grid + redundant) / groups).ceil(),
                    beta: *beta,
                },
                &Popularity::busiest_quarter(*skew),
                tokens.iter().product::<f64>() / (stages * passes),
            ),
            (Self::RingShare, members) => ring_share(members.iter().product()),
            (Self::OutsideShare, [gpus, domain, stages]) => {
                outside_share(domains(*gpus, *domain, *stages))
            }
            (Self::InsideShare, [gpus, domain, stages]) => 1.0 / domains(*gpus, *domain, *stages),
            (Self::RemoteShare, [gpus, domain, stages, copies, limit]) => {
                let limit = if *limit > 0.0 { *limit } else { f64::INFINITY };
                remote_domains(domains(*gpus, *domain, *stages), *copies, limit) / copies
            }
            (Self::OtherRanks, [members]) => (members - 1.0) / members,
            (Self::Others, [members]) => members - 1.0,
            (Self::GatheredShare, [per_token, groups]) => {
                (per_token / groups).min(1.0) * (groups - 1.0)
            }
            (Self::ResultShare, [per_token, groups]) => (per_token / groups).min(1.0),
            (Self::HopB, [exchange, sequences, cores @ ..]) => {
                covered(cores.iter().sum(), *exchange, *sequences)
            }
            (Self::HopBFolded, [exchange, sequences, whole, others]) => {
                covered(whole - others, *exchange, *sequences)
            }
            (Self::HeadPadding, [tile, heads, shards @ ..]) => {
                let heads = heads / shards.iter().product::<f64>();
                // Heads are whole numbers; a quotient may be off by rounding.
                (heads / tile - 1e-9).ceil() * tile / heads
            }
            (Self::Resident, [experts, grid, redundant, groups]) => {
                ((experts + grid + redundant) / groups).ceil()
            }
            (Self::Fit, [room, each]) => (room / each).floor(),
            (Self::Pages, [tokens, shards, page]) => (tokens / shards / page).ceil(),
            (Self::WindowPages, [context, window, pass, shards, page]) => {
                (context.min(window + pass) / shards / page).ceil()
            }
            (Self::CorrectedPrefill, [time, added, factor, times @ ..]) => {
                let times = times.iter().product::<f64>();
                (time + added).max(time * LEAST_PREFILL) * factor * times
            }
            (Self::PromptPasses, [batch, groups, output, waits]) => {
                let (together, apart) = prompt_passes(*batch, *groups, *output, *waits > 0.0);
                together * apart.sqrt()
            }
            (Self::TwoInFlight, times) => {
                let longest = times.iter().copied().reduce(f64::max)?;
                (longest * IN_FLIGHT).max(times.iter().sum())
            }
            (Self::Idle, times) => {
                let longest = times.iter().copied().reduce(f64::max)?;
                (1.0 - times.first()? / longest).max(0.0)
            }
            (Self::PeakRatio, [intercept, slope, slots]) => (intercept / (slope * slots)).sqrt(),
            (Self::HorizonContext, [prompt, output, requests, slots]) => LengthModel {
                prompt: Distribution::Fixed(*prompt),
                output: Distribution::Geometric(*output),
            }
            .context_over(*requests, *slots),
            (Self::LongRunContext, [prompt, output, square]) => prompt + renewal(*output, *square),
            (Self::ChordSlope, [first, second, low, high, intercept, load @ ..]) => {
                let chord = chord([*first, *second], [*low, *high]);
                chord.slope.get() * load.iter().product::<f64>() + intercept
            }
            (Self::ChordIntercept, [first, second, low, high, slope, load @ ..]) => {
                let chord = chord([*first, *second], [*low, *high]);
                slope * load.iter().product::<f64>() + chord.intercept.get()
            }
            (Self::EarlyQuery, [projection, query, sent, trips, attention]) => {
                let [projection, query, sent, trips, attention] =
                    [projection, query, sent, trips, attention].map(|time| Seconds::new(*time));
                early_query(projection, [query, sent], trips, attention).get()
            }
            (Self::Turnaround, [model, attention, network, overlapped @ ..]) => {
                model + attention + network - overlapped.iter().sum::<f64>()
            }
            (Self::AggregatedTpot, [step, yielded, passes, prompt, correction @ ..]) => {
                let prefill = match correction {
                    [added, factor] => (prompt + added).max(prompt * LEAST_PREFILL) * factor,
                    _ => *prompt,
                };
                step / yielded + prefill * passes
            }
            (Self::AggregatedGpus, parts) => queues::aggregated_gpus(parts)?,
            (Self::AggregatedWait, parts) => queues::aggregated_wait(parts)?,
            (Self::DecodeGpus, parts) => queues::decode_gpus(parts)?,
            (Self::PrefillGpus, parts) => queues::prefill_gpus(parts)?,
            (Self::PrefillWait, parts) => queues::prefill_wait(parts)?,
            (Self::MatchedGpus, parts) => queues::matched_gpus(parts)?,
            (Self::FullUseCost, parts) => queues::full_use_cost(parts)?,
            (Self::PoolsCost, parts) => queues::pools_cost(parts)?,
            (Self::AggregatedOutputCost, parts) => queues::aggregated_output_cost(parts)?,
            _ => return None,
        })
    }
}

/// The line through the times at two loads.
fn chord(times: [f64; 2], [low, high]: [f64; 2]) -> LatencyLine {
    let at = |load: f64| if load <= low { times[0] } else { times[1] };
    LatencyLine::through(LoadSpan { low, high }, |load| Seconds::new(at(load)))
}

/// Time that HOP-B overlaps.
fn covered(core: f64, exchange: f64, sequences: f64) -> f64 {
    let overlapped = hop_b(Seconds::new(core), Seconds::new(exchange), sequences);
    core + exchange - overlapped.get()
}
