//! Builds the timeline of rotational staggered pipelining as a list of intervals.
//!
//! Source: [L] 4.3, Figure 8.

use super::setup::SplitSetup;
use super::step::Split;
use crate::apart::QEarly;
use crate::units::Seconds;

/// Timeline lane in which an interval is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitLane {
    /// Lane of the model replica with this number, from 0.
    Replica(u32),
    /// Lane of the network from the compute devices to the memory devices.
    Send,
    /// Lane of the memory devices.
    Memory,
    /// Lane of the network from the memory devices to the compute devices.
    Return,
}

/// Kind of work done in an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitWork {
    /// A slice of the model: one layer without its attention.
    Slice,
    /// The last part of a slice, which projects keys and values while the query is already being sent.
    KeyValue,
    /// Sending query, key and value to the memory devices.
    Inputs,
    /// Attention on the memory devices.
    Attention,
    /// Sending the attention output back to the compute devices.
    Output,
}

/// One interval of the timeline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplitInterval {
    /// Device or network lane that is busy in this interval.
    pub lane: SplitLane,
    /// Kind of work done in the interval.
    pub work: SplitWork,
    /// Index of the micro-batch, from 0.
    pub batch: u32,
    /// Index of the drawn layer, from 0.
    pub layer: u32,
    /// Time at which the interval starts.
    pub start: Seconds,
    /// Time at which the interval ends.
    pub end: Seconds,
}

/// Timeline of a few layers of all micro-batches, in the steady state.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitTimeline {
    /// Intervals, ordered by micro-batch, then by layer.
    pub intervals: Vec<SplitInterval>,
    /// Start of the drawn window; from here on, every micro-batch is in flight.
    pub start: Seconds,
    /// End of the drawn window, a whole number of rounds after its start.
    pub end: Seconds,
    /// Duration of a round: the time of one layer of one micro-batch, including waiting.
    pub round: Seconds,
}

/// Returns the timeline of `rounds` layers of every micro-batch, with times averaged over the layers. The list has
/// two extra layers, so that the drawn window is full from its start.
///
/// Let j be the number of micro-batches, and τ the step time divided by the number of layers. Micro-batch q begins
/// its layer k at (q/j + k)·τ, on replica (q + k) mod (j − 1). Micro-batches are evenly spaced, so two of them never
/// meet on a device if τ covers the device's work for all micro-batches.
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
