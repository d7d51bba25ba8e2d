//! What one step is made of, in time: the stretches of its lanes.

use super::{LatencyData, Step};
use crate::charts::prelude::*;

/// A stretch of time in a lane.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// What it belongs to.
    pub role: Role,
    /// Its name in the tooltip.
    pub name: &'a str,
    /// Its first wording as a label, longest first.
    pub label: &'a str,
    /// Its lane: 0 compute, 1 messages.
    pub lane: usize,
    /// When it begins.
    pub start_s: f64,
    /// How long it takes.
    pub time_s: f64,
    /// How much of its beginning hides behind the other lane.
    pub hidden_s: f64,
}

/// The parts of the step, lane by lane: the order of hits.
pub fn parts(data: &LatencyData) -> Vec<Part<'_>> {
    let step = &data.now.step;
    let mut parts = Vec::with_capacity(8);
    let mut clock: f64 = 0.0;
    let overlap = step.overlap_s();
    let compute_hidden = if step.compute_hides() { overlap } else { 0.0 };
    // The host's time and others' prompts come last, behind whatever ends the step.
    let mut occupying = step.layers();
    for (role, time_s) in &mut occupying {
        match role {
            Role::Overhead => *time_s = step.overhead_s,
            Role::Prompts => *time_s = 0.0,
            _ => {}
        }
    }
    for (role, whole_s) in occupying {
        // Attention of several kinds comes kind by kind.
        let kinds: &[(String, f64)] = match role {
            Role::Attention => &data.attention,
            _ => &[],
        };
        let whole = [(role.name(), whole_s)];
        let kinds = kinds
            .iter()
            .map(|(name, share)| (name.as_str(), share * whole_s));
        let pieces = kinds.chain(
            whole
                .into_iter()
                .filter(|_| role != Role::Attention || data.attention.is_empty()),
        );
        for (name, time_s) in pieces.filter(|(_, time_s)| *time_s > 0.0) {
            let hidden_s = (compute_hidden - clock).clamp(0.0, time_s);
            parts.push(Part {
                role,
                name,
                label: name,
                lane: 0,
                start_s: clock,
                time_s,
                hidden_s,
            });
            clock += time_s;
        }
    }
    if data.overlaps && step.idle_s() > step.step_s * 1e-6 {
        let idle = step.idle_s();
        parts.push(Part {
            role: Role::Idle,
            name: "idle",
            label: "idle",
            lane: 0,
            start_s: clock,
            time_s: idle,
            hidden_s: 0.0,
        });
    }
    parts.extend(message_parts(data.overlaps, step, overlap));
    if step.host_s > 0.0 {
        parts.push(Part {
            role: Role::Overhead,
            name: "host overhead",
            label: "host",
            lane: 0,
            start_s: step.step_s - step.host_s - step.prompts_s,
            time_s: step.host_s,
            hidden_s: 0.0,
        });
    }
    if step.prompts_s > 0.0 {
        parts.push(Part {
            role: Role::Prompts,
            name: "others’ prompts",
            label: "prompts",
            lane: 0,
            start_s: step.step_s - step.prompts_s,
            time_s: step.prompts_s,
            hidden_s: 0.0,
        });
    }
    parts
}

fn message_parts(overlaps: bool, step: &Step, overlap_s: f64) -> Vec<Part<'static>> {
    let lane = usize::from(overlaps);
    let messages = step.messages_s();
    let mut hidden = if step.compute_hides() { 0.0 } else { overlap_s };
    // Messages that are hidden in part come out behind the compute; else they start with the step.
    let wholly = hidden <= 0.0 || hidden >= messages * (1.0 - 1e-9);
    let mut clock = if !overlaps {
        step.busy_s()
    } else if wholly {
        0.0
    } else {
        step.step_s - step.host_s - step.prompts_s - messages
    };
    let mut parts = Vec::with_capacity(3);
    for (network, time_s) in step.networks() {
        let name = if network == "scale-out" {
            "scale-out messages"
        } else {
            "scale-up messages"
        };
        let hidden_s = hidden.min(time_s);
        parts.push(Part {
            role: Role::Messages,
            name,
            label: network,
            lane,
            start_s: clock,
            time_s,
            hidden_s,
        });
        hidden -= hidden_s;
        clock += time_s;
    }
    let rest = step.step_s - clock;
    if overlaps && rest > step.step_s * 1e-6 {
        parts.push(Part {
            role: Role::Idle,
            name: "link idle",
            label: "link idle",
            lane,
            start_s: clock,
            time_s: rest,
            hidden_s: 0.0,
        });
    }
    parts
}
