//! Model equations that are not a plain sum, product or maximum, applied to the values of their inputs.

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

/// An equation of the performance model with several inputs. Each variant lists its inputs in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Equation {
    /// Acceptance length y = 1 + p + … + p^δ. Inputs: draft tokens δ, acceptance rate p.
    AcceptanceLength,
    /// Experts that the busiest GPU reads. Inputs: routed experts, experts per token, shared experts on the EP grid,
    /// redundant experts, ep, balancedness β, the share φ of routing choices that the busiest quarter of experts
    /// receives, pipeline stages, passes, and the factors of the token count.
    ExpertsRead,
    /// Bytes sent per GPU ÷ payload, in a ring all-reduce over m GPUs: 2 (m − 1)/m. Inputs: the factors whose product
    /// is m.
    RingShare,
    /// Share of an all-to-all's traffic that leaves a scale-up domain: (n − 1)/n for n domains. Inputs: GPUs, GPUs per
    /// domain, pipeline stages.
    OutsideShare,
    /// Share of an all-to-all's traffic that stays inside a scale-up domain: 1/n. Inputs: as for
    /// [`Self::OutsideShare`].
    InsideShare,
    /// Mean number of remote domains that a token reaches ÷ k′, the number of its experts on the EP grid. Inputs: GPUs,
    /// GPUs per domain, pipeline stages, k′, and the maximum number of domains (0 means no limit).
    RemoteShare,
    /// Share of an exchange that comes from other ranks: (m − 1)/m for m ranks. Input: m.
    OtherRanks,
    /// Number of other ranks in a group of m ranks: m − 1. Input: m.
    Others,
    /// Expert outputs per token that an all-gather moves: (ep − 1)·min(1, k/ep). Inputs: experts per token k, expert
    /// parallelism ep.
    GatheredShare,
    /// Maximum share of tokens that get an output from a given expert group: min(1, k/ep). Inputs: experts per token k,
    /// expert parallelism ep.
    ResultShare,
    /// Time saved by overlap under HOP-B. Inputs: exchange time, sequences, and the times of the attention kernels.
    HopB,
    /// Time saved by overlap under HOP-B if the calibration is fitted to whole blocks. Inputs: exchange time,
    /// sequences, block time, and block time without the attention kernel.
    HopBFolded,
    /// Padding factor ⌈h/r⌉ r/h for h heads per GPU in tiles of r. Inputs: r, all heads, and the parallelism factors
    /// that shard the heads.
    HeadPadding,
    /// Experts resident on the most loaded GPU: ⌈(E + E_s + R)/ep⌉. Inputs: routed experts E, shared experts on the EP
    /// grid E_s, redundant experts R, expert parallelism ep.
    Resident,
    /// Whole sequences that fit in the available memory. Inputs: available bytes, bytes per sequence.
    Fit,
    /// Whole KV-cache pages for a context. Inputs: tokens, shards, tokens per page.
    Pages,
    /// Whole KV-cache pages for a sliding window. Inputs: context, window, tokens of a pass, shards, tokens per page.
    WindowPages,
    /// Aggregated prefill time corrected by measurements. Inputs: uncorrected time, added time, correction factor,
    /// and optional multipliers.
    CorrectedPrefill,
    /// Prompt passes per output token. Inputs: batch, dp, output length, and whether DP ranks wait for each other (1
    /// or 0).
    PromptPasses,
    /// TPOT with two micro-batches in flight: twice the longest stage time or the sum of all stage times, whichever
    /// is larger. Inputs: the stage times.
    TwoInFlight,
    /// Idle share of one resource in a cycle whose length the slowest resource sets. Inputs: the time of this
    /// resource, then the times of the other resources.
    Idle,
    /// A:F ratio √(β/(α B)) at peak throughput where the FFN is the bottleneck. Inputs: intercept β and slope α of
    /// the FFN latency line, sequences B per micro-batch and attention rank.
    PeakRatio,
    /// Mean context over the horizon if all requests start fresh. Inputs: mean prompt length, mean output length,
    /// requests, sequences in flight.
    HorizonContext,
    /// Long-run mean context. Inputs: mean prompt length, mean output length, mean square of the output length.
    LongRunContext,
    /// Latency from a line whose slope comes from a chord. Inputs: times at two loads, the two loads, the intercept,
    /// and the factors whose product is the load.
    ChordSlope,
    /// Latency from a line whose intercept comes from a chord. Inputs: times at two loads, the two loads, the slope,
    /// and the factors whose product is the load.
    ChordIntercept,
    /// Time that a Lamina micro-batch saves by sending queries early. Inputs: times of the K/V projection, of sending
    /// queries, of sending keys and values, of round trips, and of attention.
    EarlyQuery,
    /// Turnaround time of a Lamina micro-batch. Inputs: times of compute, attention and network, and the overlapped
    /// time, which is subtracted.
    Turnaround,
    /// TPOT including the prefill of other requests. Inputs: step time, acceptance length, prompt passes per output
    /// token, prefill time of a prompt. Optional inputs: a correction's added time and factor.
    AggregatedTpot,
    /// GPUs of all aggregated replicas. Inputs: GPUs per replica, request rate, utilization, batch, output length,
    /// TPOT. If prompts or a TTFT limit require more GPUs: also prefill time of a prompt, step time, dp, and the
    /// limit.
    AggregatedGpus,
    /// Queueing time of aggregated replicas. Inputs: request rate, utilization, batch, output length, TPOT, prefill
    /// time of a prompt, step time, dp, and the TTFT limit if there is one.
    AggregatedWait,
    /// GPUs of all decode replicas. Inputs: GPUs per replica, request rate, utilization, batch, output length, TPOT.
    DecodeGpus,
    /// GPUs of all prefill replicas. Inputs: GPUs per replica, request rate, utilization, dp, prompts per pass and
    /// attention group, chunks per prompt, pass time. With a TTFT limit: also the pass time of a single prompt, the
    /// KV transfer time, and the limit.
    PrefillGpus,
    /// Queueing time of prefill replicas. Inputs: as for [`Self::PrefillGpus`], without the GPUs per replica.
    PrefillWait,
    /// GPUs of the smallest balanced pools. Inputs for prefill: GPUs per replica, dp, prompts per pass and attention
    /// group, chunks per prompt, pass time. Inputs for decode: GPUs per replica, batch, output length, TPOT.
    MatchedGpus,
    /// Cost of 1,000 requests at full utilization, without a request rate. Inputs: as for [`Self::MatchedGpus`], with
    /// the GPU-hour price of each pool before its GPUs per replica.
    FullUseCost,
    /// Cost of 1,000 requests on both pools. Inputs: prefill price and GPUs, decode price and GPUs, seconds per hour,
    /// request rate.
    PoolsCost,
    /// Cost of a million output tokens on aggregated replicas. Inputs: price, GPUs, seconds per hour, request rate,
    /// output length, step time, acceptance length, TPOT.
    AggregatedOutputCost,
}

impl Equation {
    /// Returns the equation's value for these inputs; `None` if the number of inputs is wrong.
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

fn chord(times: [f64; 2], [low, high]: [f64; 2]) -> LatencyLine {
    let at = |load: f64| if load <= low { times[0] } else { times[1] };
    LatencyLine::through(LoadSpan { low, high }, |load| Seconds::new(at(load)))
}

/// Returns the time saved by overlap under HOP-B.
fn covered(core: f64, exchange: f64, sequences: f64) -> f64 {
    let overlapped = hop_b(Seconds::new(core), Seconds::new(exchange), sequences);
    core + exchange - overlapped.get()
}
