//! An xAyF unit of AFD: attention ranks, FFN ranks, and their workload.

use super::derive::{Derived, around, derive, entered_whole};
use super::latency::{Exchange, Halves, Latencies, LatencyLine};
use super::lengths::LengthModel;
use crate::apart::Scatter;
use crate::cost::memory::largest_of;
use crate::cost::memory::{Memory, memory};
use crate::inputs::{Inputs, Number};
use crate::ops::{Load, OperatorRole, Operators, Place};
use crate::refusal::Refusal;
use crate::scenario::Scenario;
use crate::units::{Bytes, Seconds};

/// Micro-batches in flight: one in attention while the other is in the FFN. Source: [R] 5.1.
pub const IN_FLIGHT: f64 = 2.0;

/// Inputs of [R] for an xAyF unit, complete and checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bundle {
    /// Active latencies.
    pub latencies: Latencies,
    /// Latencies read off the operators; `None` if all are entered.
    pub derived: Option<Derived>,
    /// True if attention time is computed by operators, not by a line.
    pub own_attention: bool,
    /// True if FFN time is computed by operators, not by a line.
    pub own_ffn: bool,
    /// The attention rank and the FFN rank, each as a scenario.
    pub halves: Halves,
    /// Sequences per micro-batch and attention rank, B.
    pub slots: f64,
    /// Prompt and output lengths.
    pub lengths: LengthModel,
    /// Scatter of the lengths.
    pub scatter: Scatter,
    /// Requests per attention rank, N: the horizon of averages and of the simulation.
    pub requests: u32,
    /// Seed of the simulation.
    pub seed: u32,
    /// FFN ranks, y.
    pub ffn_instances: u32,
    /// The stated ratio x/y; `None` for the best one.
    pub ratio: Option<f64>,
}

impl Inputs {
    /// Completes and checks the unit of these inputs. Errors: every broken rule.
    pub fn bundle(&self) -> Result<Bundle, Vec<Refusal>> {
        self.bundle_before_lines().map(Bundle::with_lines)
    }

    /// The unit without FFN lines if the FFN time is computed exactly; those lines only illustrate it.
    pub fn bundle_before_lines(&self) -> Result<Bundle, Vec<Refusal>> {
        let scenario = self.with_anchored(None).scenario()?;
        let halves = Halves::of(&scenario)?;
        let real = |number: Number| self.get(number).unwrap_or(number.spec().least);
        let slots = real(Number::Slots);
        let (prompt, output) = (real(Number::MeanPrompt), real(Number::MeanOutput));
        let lengths = LengthModel::of(self.lengths, prompt, output);
        let requests = real(Number::Requests);
        let unstated =
            |slope, intercept| self.get(slope).is_none() && self.get(intercept).is_none();
        let own_ffn = unstated(Number::FfnSlopeMicros, Number::FfnInterceptMicros);
        let derived = if entered_whole(self) {
            None
        } else {
            let tokens = slots * lengths.context_over(requests, slots);
            derive(&halves, slots, tokens, own_ffn)
        };
        let latencies = Latencies::entered(self, derived.map(|derived| derived.latencies))
            .ok_or_else(|| vec![Refusal::NotFinite])?;
        let (slope, intercept) = (
            Number::AttentionSlopeMicros,
            Number::AttentionInterceptMicros,
        );
        Ok(Bundle {
            latencies,
            derived,
            own_attention: derived.is_some() && unstated(slope, intercept),
            own_ffn: derived.is_some() && own_ffn,
            halves,
            slots,
            lengths,
            scatter: self.lengths,
            requests: requests as u32,
            seed: real(Number::Seed) as u32,
            ffn_instances: real(Number::FfnInstances) as u32,
            ratio: self.get(Number::Ratio),
        })
    }
}

impl Bundle {
    /// Time of attention over `tokens` tokens in a rank's caches.
    pub fn attention_at(&self, tokens: f64) -> Seconds {
        let own = self.own_attention.then(|| {
            self.halves
                .attention_time(self.slots, tokens.max(f64::MIN_POSITIVE))
        });
        own.flatten()
            .unwrap_or_else(|| self.latencies.attention.at(tokens))
    }

    /// Time of the FFN over `rows` rows.
    ///
    /// The operators' own time where nothing is entered: over rows it is concave, then flat, then linear, so no line
    /// fits it.
    pub fn ffn_at(&self, rows: f64) -> Seconds {
        let own = self.own_ffn.then(|| self.halves.ffn_time(rows));
        own.flatten().unwrap_or_else(|| {
            let Latencies { ffn, weights, .. } = &self.latencies;
            ffn.at(rows).max(weights.at(rows))
        })
    }

    /// Relative errors of the shown lines vs. the operators' own times: attention's at the horizon's load, the
    /// FFN's at `ratio`; `None` if the line itself is the active time.
    pub fn line_errors(&self, ratio: f64) -> (Option<f64>, Option<f64>) {
        let (tokens, rows) = (self.token_load(), ratio * self.slots);
        let Latencies { attention, ffn, .. } = &self.latencies;
        let error = |line: &LatencyLine, load: f64, time: Seconds| line.at(load) / time - 1.0;
        (
            self.own_attention
                .then(|| error(attention, tokens, self.attention_at(tokens))),
            self.own_ffn.then(|| error(ffn, rows, self.ffn_at(rows))),
        )
    }

    /// Adds the FFN's chords around the ratio in question.
    #[must_use]
    pub fn with_lines(mut self) -> Self {
        if !self.own_ffn {
            return self;
        }
        let ratio = self.asked().ratio;
        let (rows, few_rows) = around(ratio * self.slots, self.slots);
        let line = |span| LatencyLine::through(span, |rows| self.ffn_at(rows));
        (self.latencies.ffn, self.latencies.weights) = (line(rows), line(few_rows));
        if let Some(derived) = &mut self.derived {
            derived.latencies.ffn = self.latencies.ffn;
            derived.latencies.weights = self.latencies.weights;
            derived.rows = rows;
            derived.few_rows = few_rows;
        }
        self
    }

    /// GPUs of an attention rank and of an FFN rank, where latencies are derived. All six entered do not tell the
    /// hardware they were measured on, so ranks then count 1 each, as in [R].
    pub fn weights(&self) -> (f64, f64) {
        match self.derived {
            Some(_) => self.gpus(),
            None => (1.0, 1.0),
        }
    }

    /// GPUs of an attention rank, tp·kvp, and of an FFN rank, ep·ffn_tp.
    pub fn gpus(&self) -> (f64, f64) {
        let of = |half: &Scenario| f64::from(half.plan.gpus());
        (of(&self.halves.attention), of(&self.halves.ffn))
    }

    /// The greatest ratio at which `ffn` FFN ranks and their attention ranks fit one scale-up domain; infinite where
    /// one network carries every unit.
    pub fn ratio_within_domain(&self, ffn: u32) -> f64 {
        let (attention, feed_forward) = self.gpus();
        match self.latencies.domain {
            None => f64::INFINITY,
            Some(domain) => (f64::from(domain) / f64::from(ffn) - feed_forward) / attention,
        }
    }

    /// Communication of a unit of ratio `ratio`.
    pub fn exchange(&self, ratio: f64, ffn: u32) -> &Exchange {
        if ratio <= self.ratio_within_domain(ffn) {
            &self.latencies.near
        } else {
            &self.latencies.far
        }
    }

    /// Memory of a GPU of an attention rank: attention weights, embedding and head, and the KV cache of both
    /// micro-batches in flight at the long-run context.
    pub fn attention_memory(&self) -> Memory {
        let mut half = self.halves.attention;
        half.workload.context = self.lengths.context();
        Memory {
            expert_weights: Bytes::ZERO,
            dense_weights: Bytes::ZERO,
            activations: largest(
                &half,
                self.slots,
                [OperatorRole::Attention, OperatorRole::Head],
            ),
            ..memory(&half, IN_FLIGHT * self.slots)
        }
    }

    /// Memory of the most loaded GPU of an FFN rank at `ratio`: its FFN weights.
    pub fn ffn_memory(&self, ratio: f64) -> Memory {
        let rows = ratio * self.slots;
        let half = &self.halves.ffn;
        Memory {
            attention_weights: Bytes::ZERO,
            embedding: Bytes::ZERO,
            kv_cache: Bytes::ZERO,
            activations: largest(half, rows, [OperatorRole::Dense, OperatorRole::Experts]),
            whole: 1.0,
            ..memory(half, rows)
        }
    }
}

/// The largest activations of an operator with one of these roles, in bytes.
fn largest(half: &Scenario, sequences: f64, roles: [OperatorRole; 2]) -> Bytes {
    let load = Load::decode(sequences, &half.plan, &half.workload);
    let subject = half.subject();
    let mut operators = Operators::EMPTY;
    Place::all(&half.arch)
        .filter(|place| roles.contains(&place.role(&half.arch)))
        .map(|place| {
            subject.fill(&mut operators, place, &load);
            largest_of(&operators)
        })
        .fold(Bytes::ZERO, Bytes::max)
}
