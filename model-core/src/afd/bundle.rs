//! An xAyF unit of AFD: its attention ranks, its FFN ranks, and its workload.

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

/// Number of micro-batches in flight: while one runs attention, the other runs the FFN. Source: [R] 5.1.
pub const IN_FLIGHT: f64 = 2.0;

/// Complete, checked inputs of [R]'s AFD model for one xAyF unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bundle {
    /// Latency lines in use, each entered by the user or derived from the operators.
    pub latencies: Latencies,
    /// Latency lines derived from the operators; `None` if the user entered all latencies.
    pub derived: Option<Derived>,
    /// True if attention time comes directly from the operators, not from a latency line.
    pub own_attention: bool,
    /// True if FFN time comes directly from the operators, not from a latency line.
    pub own_ffn: bool,
    /// The attention rank and the FFN rank, each as a separate scenario.
    pub halves: Halves,
    /// Sequences per attention rank in one micro-batch, B.
    pub slots: f64,
    /// Distributions of prompt and output lengths.
    pub lengths: LengthModel,
    /// Choice of how request lengths scatter around their means.
    pub scatter: Scatter,
    /// Requests per attention rank, N: the horizon of the averages and of the simulation.
    pub requests: u32,
    /// Random seed of the simulation.
    pub seed: u32,
    /// Number of FFN ranks, y.
    pub ffn_instances: u32,
    /// The A:F ratio x/y that the user set; `None` to use the best ratio.
    pub ratio: Option<f64>,
}

impl Inputs {
    /// Completes and checks the xAyF unit that these inputs describe. Errors: every rule that the inputs break.
    pub fn bundle(&self) -> Result<Bundle, Vec<Refusal>> {
        self.bundle_before_lines().map(Bundle::with_lines)
    }

    /// Builds the xAyF unit. If FFN time comes from the operators, the unit's FFN latency lines are placeholders until
    /// [`Bundle::with_lines`] draws the lines to display.
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
    /// Returns the attention time of a rank whose KV caches store `tokens` tokens.
    pub fn attention_at(&self, tokens: f64) -> Seconds {
        let own = self.own_attention.then(|| {
            self.halves
                .attention_time(self.slots, tokens.max(f64::MIN_POSITIVE))
        });
        own.flatten()
            .unwrap_or_else(|| self.latencies.attention.at(tokens))
    }

    /// Returns the FFN time of a step with `rows` sequences.
    ///
    /// If the user entered no FFN latency, this is the operators' time. As rows grow, it is concave, then flat, then
    /// linear, so no single line fits it.
    pub fn ffn_at(&self, rows: f64) -> Seconds {
        let own = self.own_ffn.then(|| self.halves.ffn_time(rows));
        own.flatten().unwrap_or_else(|| {
            let Latencies { ffn, weights, .. } = &self.latencies;
            ffn.at(rows).max(weights.at(rows))
        })
    }

    /// Returns the relative errors of the displayed attention and FFN latency lines vs. the operators' times. Attention
    /// is compared at the mean load over the horizon; the FFN is compared at A:F ratio `ratio`. An error is `None` if
    /// the time comes from the line, not from the operators.
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

    /// Sets the FFN's two latency lines to chords of the curve of operator time over rows: one around the rows at the
    /// selected A:F ratio, one at few rows. Does nothing if the user entered an FFN latency.
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

    /// Returns the GPUs per attention rank and per FFN rank. If the user entered all latencies, the hardware is
    /// unknown, so each rank counts as 1, as in [R].
    pub fn weights(&self) -> (f64, f64) {
        match self.derived {
            Some(_) => self.gpus(),
            None => (1.0, 1.0),
        }
    }

    /// Returns the GPUs per attention rank, tp·kvp, and per FFN rank, ep·ffn_tp.
    pub fn gpus(&self) -> (f64, f64) {
        let of = |half: &Scenario| f64::from(half.plan.gpus());
        (of(&self.halves.attention), of(&self.halves.ffn))
    }

    /// Returns the largest A:F ratio at which `ffn` FFN ranks and their attention ranks fit in one scale-up domain.
    /// The ratio is infinite if one network connects units of every size.
    pub fn ratio_within_domain(&self, ffn: u32) -> f64 {
        let (attention, feed_forward) = self.gpus();
        match self.latencies.domain {
            None => f64::INFINITY,
            Some(domain) => (f64::from(domain) / f64::from(ffn) - feed_forward) / attention,
        }
    }

    /// Returns the communication times of a unit with A:F ratio `ratio` and `ffn` FFN ranks.
    pub fn exchange(&self, ratio: f64, ffn: u32) -> &Exchange {
        if ratio <= self.ratio_within_domain(ffn) {
            &self.latencies.near
        } else {
            &self.latencies.far
        }
    }

    /// Returns the memory per GPU of an attention rank: mainly attention weights, embedding, output head and KV cache.
    /// The cache holds both micro-batches in flight, at the long-run mean context.
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

    /// Returns the memory of an FFN rank's most loaded GPU at A:F ratio `ratio`: mainly FFN weights.
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

/// Returns the size of the largest activation of any operator that has one of `roles`.
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
