//! Rotational staggered pipelining as intervals.
//!
//! Source: [L] 4.3, Figure 8.

use super::setup::SplitSetup;
use super::step::Split;
use crate::apart::QEarly;
use crate::units::Seconds;

/// Lane of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitLane {
    /// A replica of the model, from 0.
    Replica(u32),
    /// Network from the compute to the memory devices.
    Send,
    /// The memory devices.
    Memory,
    /// Network from the memory to the compute devices.
    Return,
}

/// Work in an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitWork {
    /// A slice of the model: a layer without attention.
    Slice,
    /// The part of a slice that projects keys and values, after the query was sent.
    KeyValue,
    /// Sending of query, key and value.
    Inputs,
    /// Attention.
    Attention,
    /// Sending of attention's output.
    Output,
}

/// One interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplitInterval {
    /// Device or link.
    pub lane: SplitLane,
    /// Work.
    pub work: SplitWork,
    /// Micro-batch, from 0.
    pub batch: u32,
    /// Drawn layer, from 0.
    pub layer: u32,
    /// Start time.
    pub start: Seconds,
    /// End time.
    pub end: Seconds,
}

/// Some layers of all micro-batches in the steady state.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitTimeline {
    /// Intervals by micro-batch, layer and start.
    pub intervals: Vec<SplitInterval>,
    /// Start of the window in which every micro-batch is in flight.
    pub start: Seconds,
    /// End of the window, a whole number of rounds later.
    pub end: Seconds,
    /// One layer of one micro-batch, waiting included.
    pub round: Seconds,
}

/// `rounds` layers of every micro-batch, mean times over the layers.
///
/// Micro-batch q begins its layer k at (q/j + k)·τ with τ the step over the layers, on replica (q + k) mod (j − 1).
/// Spacing is equal, so while τ is at least each device's work for all micro-batches, no two of them meet on a
/// device.
///
/// Source: [L] 4.3. Assumes: the steady state; the output head is spread over the layers.
pub fn timeline(setup: &SplitSetup, split: &Split, rounds: u32) -> SplitTimeline {
    let layers = f64::from(setup.compute.arch.mixer_layers());
    let each = |time: Seconds| time / layers;
    let times = &split.times;
    let round = each(split.step);
    let stagger = round / f64::from(setup.batches);
    let half = each(times.latency) / 2.0;
    let model = each(times.model);
    let attention = each(times.attention);
    let query = each(times.send_query);
    let both = query + each(times.send_key_value);
    let output = each(times.send_output);
    let ahead = match setup.q_early {
        QEarly::On => each(times.key_value),
        QEarly::Off => Seconds::ZERO,
    };
    let mut intervals = Vec::new();
    // One more round on either side fills the window from its start.
    for batch in 0..setup.batches {
        for layer in 0..rounds + 2 {
            let begin = stagger * f64::from(batch) + round * f64::from(layer);
            let mut place = |lane, work, start: Seconds, time: Seconds| {
                if time > Seconds::ZERO {
                    intervals.push(SplitInterval {
                        lane,
                        work,
                        batch,
                        layer,
                        start,
                        end: start + time,
                    });
                }
                start + time
            };
            let replica = SplitLane::Replica((batch + layer) % setup.replicas);
            let known = place(replica, SplitWork::Slice, begin, model - ahead);
            let done = place(replica, SplitWork::KeyValue, known, ahead);
            let attended = match setup.q_early {
                QEarly::Off => {
                    let sent = place(SplitLane::Send, SplitWork::Inputs, done, both);
                    place(
                        SplitLane::Memory,
                        SplitWork::Attention,
                        sent + half,
                        attention,
                    )
                }
                QEarly::On => {
                    let sent = place(SplitLane::Send, SplitWork::Inputs, known, query);
                    let rest = place(
                        SplitLane::Send,
                        SplitWork::Inputs,
                        done.max(sent),
                        both - query,
                    );
                    let worked = place(
                        SplitLane::Memory,
                        SplitWork::Attention,
                        sent + half,
                        attention,
                    );
                    worked.max(rest + half)
                }
            };
            place(SplitLane::Return, SplitWork::Output, attended, output);
        }
    }
    SplitTimeline {
        intervals,
        start: round,
        end: round * f64::from(rounds + 1),
        round,
    }
}
