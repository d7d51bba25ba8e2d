//! The parts of one step along a time axis, as bars in lanes.

use super::{LatencyData, StepTimes};
use crate::charts::prelude::*;

/// A part of the step, as a bar in a lane.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'a> {
    pub role: Role,
    /// Name of the part in the tooltip.
    pub name: &'a str,
    /// Short name of the part, for its label.
    pub label: &'a str,
    /// Lane of the part: 0 for compute, 1 for communication.
    pub lane: usize,
    pub start_s: f64,
    pub time_s: f64,
    /// Overlapped time in seconds, counted from the start of the part.
    pub hidden_s: f64,
}

impl<'a> Stretch<'a> {
    /// Creates a part that is fully exposed, with its name as the label.
    fn new(role: Role, name: &'a str, lane: usize, (start_s, time_s): (f64, f64)) -> Self {
        Self {
            role,
            name,
            label: name,
            lane,
            start_s,
            time_s,
            hidden_s: 0.0,
        }
    }
}

/// Returns the step's parts in the order of the chart's hover targets. Compute and its idle time are first, then
/// communication and its idle time. CPU overhead and prefill of other requests are last.
pub fn parts(data: &LatencyData) -> Vec<Stretch<'_>> {
    let step = &data.now.step;
    let mut parts = Vec::with_capacity(8);
    let mut clock: f64 = 0.0;
    let overlap = step.overlap_s();
    let compute_hidden = if step.compute_hides() { overlap } else { 0.0 };
    for (role, whole_s) in step.layers() {
        // CPU time and prefill of other requests are appended last, after compute and communication.
        let whole_s = match role {
            Role::Overhead => step.overhead_s,
            Role::Prompts => 0.0,
            _ => whole_s,
        };
        // If there are several attention types, each is a separate part.
        let mut pieces = vec![(role.name(), whole_s)];
        if role == Role::Attention && !data.attention.is_empty() {
            let kinds = data.attention.iter();
            pieces = kinds
                .map(|(name, share)| (name.as_str(), share * whole_s))
                .collect();
        }
        for (name, time_s) in pieces.into_iter().filter(|(_, time_s)| *time_s > 0.0) {
            parts.push(Stretch {
                hidden_s: (compute_hidden - clock).clamp(0.0, time_s),
                ..Stretch::new(role, name, 0, (clock, time_s))
            });
            clock += time_s;
        }
    }
    let idle = step.idle_s();
    if data.overlaps && idle > step.step_s * 1e-6 {
        parts.push(Stretch::new(Role::Idle, "idle", 0, (clock, idle)));
    }
    parts.extend(message_parts(data.overlaps, step, overlap));
    let prompts = step.step_s - step.prompts_s;
    let host = (prompts - step.host_s, step.host_s);
    let prompts = (prompts, step.prompts_s);
    for (role, name, label, at) in [
        (Role::Overhead, "CPU overhead", "host", host),
        (Role::Prompts, "prefill", "prompts", prompts),
    ] {
        if at.1 > 0.0 {
            let part = Stretch::new(role, name, 0, at);
            parts.push(Stretch { label, ..part });
        }
    }
    parts
}

fn message_parts(overlaps: bool, step: &StepTimes, overlap_s: f64) -> Vec<Stretch<'static>> {
    let lane = usize::from(overlaps);
    let messages = step.messages_s();
    let mut hidden = if step.compute_hides() { 0.0 } else { overlap_s };
    // Communication that is partly overlapped ends with the step. If none or all of it is overlapped, it starts with
    // the step.
    let wholly = hidden <= 0.0 || hidden >= messages * (1.0 - 1e-9);
    let mut clock = match (overlaps, wholly) {
        (false, _) => step.busy_s(),
        (true, true) => 0.0,
        (true, false) => step.step_s - step.host_s - step.prompts_s - messages,
    };
    let mut parts = Vec::with_capacity(3);
    for (label, name, time_s) in step.networks() {
        let hidden_s = hidden.min(time_s);
        parts.push(Stretch {
            label,
            hidden_s,
            ..Stretch::new(Role::Messages, name, lane, (clock, time_s))
        });
        hidden -= hidden_s;
        clock += time_s;
    }
    let rest = step.step_s - clock;
    if overlaps && rest > step.step_s * 1e-6 {
        parts.push(Stretch::new(Role::Idle, "link idle", lane, (clock, rest)));
    }
    parts
}
