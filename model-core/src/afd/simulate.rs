//! Step-by-step simulation of an xAyF unit. The unit has two micro-batches in flight and a barrier after attention; new
//! requests replace finished ones at once.

use super::bundle::Bundle;
use super::latency::LatencyLine;
use super::lengths::{LengthModel, Sampler};
use super::random::Random;
use crate::units::Seconds;

mod guard;
mod slots;

use slots::Slots;

/// Configuration of an AFD simulation: the xAyF unit, its times, and the horizon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setup {
    /// Number of attention ranks, x.
    pub attention_instances: u32,
    /// Number of FFN ranks, y.
    pub ffn_instances: u32,
    /// Sequences per attention rank in one micro-batch, B.
    pub slots: u32,
    /// Attention time of a rank as a line over the rank's cached tokens.
    pub attention: LatencyLine,
    /// FFN time of a step.
    pub ffn: Seconds,
    /// Communication round-trip time of a step.
    pub messages: Seconds,
    /// Distributions of prompt and output lengths.
    pub lengths: LengthModel,
    /// Number N of requests to complete per attention rank; individual ranks may complete more or fewer.
    pub requests: u32,
    /// Random seed for the request lengths.
    pub seed: u64,
}

impl Bundle {
    /// Configures the simulation of an xAyF unit at A:F ratio `ratio`, rounded to a whole number of attention ranks
    /// (at least one).
    pub fn setup(&self, ratio: f64) -> Setup {
        let ffn = self.ffn_instances;
        let instances = (ratio * f64::from(ffn) + 0.5).floor().max(1.0) as u32;
        let point = self.at(f64::from(instances) / f64::from(ffn));
        Setup {
            attention_instances: instances,
            ffn_instances: ffn,
            slots: self.slots as u32,
            attention: self.latencies.attention,
            ffn: point.ffn,
            messages: point.messages,
            lengths: self.lengths,
            requests: self.requests,
            seed: u64::from(self.seed),
        }
    }
}

impl Setup {
    /// Returns the A:F ratio r = x/y.
    pub fn ratio(&self) -> f64 {
        f64::from(self.attention_instances) / f64::from(self.ffn_instances)
    }

    /// Returns the number of requests to complete on all attention ranks.
    pub fn target(&self) -> u64 {
        u64::from(self.requests) * u64::from(self.attention_instances)
    }
}

/// Result of a finished simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulationEnd {
    /// A:F ratio r = x/y of the simulated unit.
    pub ratio: f64,
    /// Tokens per second ÷ ranks until 80% of requests are completed, counting only tokens of completed requests.
    /// Source: [R] eq 21.
    pub per_instance: f64,
    /// Tokens per second ÷ ranks until 80% of requests are completed, counting every generated token, as in [R] eq 6.
    /// Eq 21 omits the tokens of requests that are still running.
    pub per_instance_generated: f64,
    /// Mean TPOT of completed requests. Source: [R] eq 22.
    pub tpot: Seconds,
    /// Share of time in which attention ranks are idle, averaged over ranks. Source: [R] eq 23.
    pub idle_attention: f64,
    /// Share of time in which the FFN is idle. Source: [R] eq 23.
    pub idle_ffn: f64,
    /// Cost of the barrier: attention time of the slowest rank ÷ mean over ranks, each summed over all steps.
    pub straggling: f64,
    /// Number of steps, counting both micro-batches.
    pub steps: u64,
    /// Number of completed requests.
    pub completed: u64,
    /// Simulated time until the last request is completed.
    pub elapsed: Seconds,
    /// A few recorded steps from the middle of the simulation.
    pub timeline: Vec<SimulatedStep>,
}

impl SimulationEnd {
    /// Returns six summary numbers of a simulation: throughput with and without unfinished requests, TPOT in seconds,
    /// the idle shares of attention and FFN, and straggling.
    pub const fn means(&self) -> [f64; 6] {
        [
            self.per_instance,
            self.per_instance_generated,
            self.tpot.get(),
            self.idle_attention,
            self.idle_ffn,
            self.straggling,
        ]
    }
}

/// A time interval within a step of the simulation.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct StepInterval {
    /// Start of the interval.
    pub start: Seconds,
    /// End of the interval.
    pub end: Seconds,
}

/// Timeline of one step of one micro-batch.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SimulatedStep {
    /// Index of the micro-batch, 0 or 1.
    pub batch: usize,
    /// Attention interval of each attention rank.
    pub attention: Vec<StepInterval>,
    /// Transfer of activations to the FFN. It starts when the slowest attention rank has finished and the link is
    /// free.
    pub out: StepInterval,
    /// FFN interval of the step.
    pub ffn: StepInterval,
    /// Transfer of results back to the attention ranks.
    pub back: StepInterval,
}

impl SimulatedStep {
    const fn empty(batch: usize) -> Self {
        let never = StepInterval {
            start: Seconds::ZERO,
            end: Seconds::ZERO,
        };
        Self {
            batch,
            attention: Vec::new(),
            out: never,
            ffn: never,
            back: never,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Attention,
    Out,
    Ffn,
    Back,
}

/// One of the two micro-batches in flight.
#[derive(Debug, Clone)]
struct Batch {
    phase: Phase,
    /// Time at which the micro-batch is ready for its next resource.
    ready: f64,
    slots: Slots,
    /// Timeline of the current step, if the step is recorded.
    step: Option<SimulatedStep>,
}

/// A simulation that can be advanced a few steps at a time.
///
/// Each of two micro-batches repeats these phases: attention on every rank, a barrier, send, FFN, return. A rank's
/// attention time depends on its cached tokens. After the return, new requests replace the finished ones. Ranks, FFN
/// and link each serve one micro-batch at a time, in order of arrival. A round trip occupies the link for all of t_C,
/// as in [R] eq 5. A request of output length D runs for D + 1 steps, and its cache grows by one token in each step
/// ([R] eqs 7–8). Each request counts D + 1 tokens, as in [R] eq 6; [R] eq 21 counts only D. Requests never run out,
/// so micro-batches stay full to the end.
///
/// All requests are drawn from one [`Random`] sequence in the order they are admitted, prompt length before output
/// length.
///
/// Source: [R] 5.1–5.2. Not modeled: individual layers (a step's latencies cover all layers), prefill, and load
/// balancing between ranks.
#[derive(Debug, Clone)]
pub struct Simulation {
    setup: Setup,
    random: Random,
    prompt: Sampler,
    output: Sampler,
    batches: [Batch; 2],
    /// Time at which each attention rank becomes free.
    free: Vec<f64>,
    ffn_free: f64,
    link_free: f64,
    attention_busy: f64,
    ffn_busy: f64,
    /// Sum over steps of the slowest rank's attention time.
    slowest: f64,
    mean: f64,
    steps: u64,
    completed: u64,
    tokens: f64,
    generated: f64,
    tpot: f64,
    stable: Option<Stable>,
    elapsed: f64,
    timeline: Vec<SimulatedStep>,
}

/// Totals recorded when 80% of the requests are completed.
#[derive(Debug, Clone, Copy)]
struct Stable {
    time: f64,
    tokens: f64,
    generated: f64,
}

/// Number of steps recorded in the timeline, counting both micro-batches.
const RECORDED: usize = 6;

impl Simulation {
    /// Starts a simulation at time zero with two full micro-batches of new requests.
    pub fn new(setup: Setup) -> Self {
        let mut random = Random::new(setup.seed);
        let prompt = setup.lengths.prompt.sampler();
        let output = setup.lengths.output.sampler();
        let mut batch = || Batch {
            phase: Phase::Attention,
            ready: 0.0,
            slots: Slots::full(setup.attention_instances, setup.slots, || {
                (prompt.draw(&mut random), output.draw(&mut random))
            }),
            step: None,
        };
        let batches = [batch(), batch()];
        Self {
            setup,
            random,
            prompt,
            output,
            batches,
            free: vec![0.0; setup.attention_instances as usize],
            ffn_free: 0.0,
            link_free: 0.0,
            attention_busy: 0.0,
            ffn_busy: 0.0,
            slowest: 0.0,
            mean: 0.0,
            steps: 0,
            completed: 0,
            tokens: 0.0,
            generated: 0.0,
            tpot: 0.0,
            stable: None,
            elapsed: 0.0,
            timeline: Vec::new(),
        }
    }

    /// Returns the configuration of the simulation.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the share of requests completed, from 0 to 1.
    pub fn progress(&self) -> f64 {
        (self.completed as f64 / self.setup.target() as f64).min(1.0)
    }

    /// True once the required number of requests are completed.
    pub fn is_done(&self) -> bool {
        self.completed >= self.setup.target()
    }

    /// Advances by at most `steps` steps; returns true when the simulation is done.
    pub fn advance(&mut self, steps: u32) -> bool {
        let last = self.steps + u64::from(steps);
        while !self.is_done() && self.steps < last {
            let [first, second] = &self.batches;
            self.proceed(usize::from(second.ready < first.ready));
        }
        self.is_done()
    }

    /// Runs the simulation to its end.
    pub fn run(setup: Setup) -> Option<SimulationEnd> {
        let mut simulation = Self::new(setup);
        simulation.advance(u32::MAX);
        simulation.outcome()
    }

    /// Returns the result; `None` until the simulation is done.
    pub fn outcome(&self) -> Option<SimulationEnd> {
        let stable = self.stable?;
        if !self.is_done() {
            return None;
        }
        let setup = &self.setup;
        let instances = f64::from(setup.attention_instances);
        let weight = stable.time * f64::from(setup.ffn_instances) * (setup.ratio() + 1.0);
        // Work beyond the end does not count.
        let late = |free: f64| (free - self.elapsed).max(0.0);
        let attention = self.attention_busy - self.free.iter().map(|free| late(*free)).sum::<f64>();
        let ffn = self.ffn_busy - late(self.ffn_free);
        Some(SimulationEnd {
            ratio: setup.ratio(),
            per_instance: stable.tokens / weight,
            per_instance_generated: stable.generated / weight,
            tpot: Seconds::new(self.tpot / self.completed as f64),
            idle_attention: (1.0 - attention / (instances * self.elapsed)).max(0.0),
            idle_ffn: (1.0 - ffn / self.elapsed).max(0.0),
            straggling: if self.mean > 0.0 {
                self.slowest / self.mean
            } else {
                1.0
            },
            steps: self.steps,
            completed: self.completed,
            elapsed: Seconds::new(self.elapsed),
            timeline: self.timeline.clone(),
        })
    }

    /// Runs the next phase of a micro-batch as soon as the resource it needs is free. Resources serve micro-batches
    /// in order of arrival.
    fn proceed(&mut self, index: usize) {
        match self.batches[index].phase {
            Phase::Attention => self.attend(index),
            Phase::Out => self.send(index, Phase::Ffn),
            Phase::Ffn => self.feed_forward(index),
            Phase::Back => {
                self.send(index, Phase::Attention);
                self.finish(index);
            }
        }
    }

    fn attend(&mut self, index: usize) {
        let batch = &mut self.batches[index];
        let (mut barrier, mut longest, mut sum) = (0.0_f64, 0.0_f64, 0.0);
        let LatencyLine { slope, intercept } = self.setup.attention;
        let (slope, intercept) = (slope.get(), intercept.get());
        let ready = batch.ready;
        for (free, load) in self.free.iter_mut().zip(batch.slots.loads()) {
            let time = slope * (*load as f64) + intercept;
            *free = free.max(ready) + time;
            barrier = barrier.max(*free);
            longest = longest.max(time);
            sum += time;
        }
        let wanted = self.timeline.len() < RECORDED && self.completed * 2 >= self.setup.target();
        if wanted {
            let mut step = SimulatedStep::empty(index);
            step.attention = self
                .free
                .iter()
                .zip(batch.slots.loads())
                .map(|(end, load)| StepInterval {
                    start: Seconds::new(end - (slope * (*load as f64) + intercept)),
                    end: Seconds::new(*end),
                })
                .collect();
            batch.step = Some(step);
        }
        self.attention_busy += sum;
        self.slowest += longest;
        self.mean += sum / self.free.len() as f64;
        batch.ready = barrier;
        batch.phase = Phase::Out;
    }

    /// Sends a micro-batch over the link in half a round-trip time. A transfer to the FFN also reserves the link for
    /// the transfer back.
    fn send(&mut self, index: usize, next: Phase) {
        let batch = &mut self.batches[index];
        let round_trip = self.setup.messages.get();
        let start = match next {
            Phase::Ffn => {
                let start = batch.ready.max(self.link_free);
                self.link_free = start + round_trip;
                start
            }
            _ => batch.ready,
        };
        let end = start + round_trip / 2.0;
        if let Some(step) = &mut batch.step {
            let interval = StepInterval {
                start: Seconds::new(start),
                end: Seconds::new(end),
            };
            if next == Phase::Ffn {
                step.out = interval;
            } else {
                step.back = interval;
            }
        }
        batch.ready = end;
        batch.phase = next;
    }

    fn feed_forward(&mut self, index: usize) {
        let batch = &mut self.batches[index];
        let start = batch.ready.max(self.ffn_free);
        let end = start + self.setup.ffn.get();
        self.ffn_free = end;
        self.ffn_busy += self.setup.ffn.get();
        if let Some(step) = &mut batch.step {
            step.ffn = StepInterval {
                start: Seconds::new(start),
                end: Seconds::new(end),
            };
        }
        batch.ready = end;
        batch.phase = Phase::Back;
    }

    /// Ends a step: every sequence gains a token, and new requests replace finished ones.
    fn finish(&mut self, index: usize) {
        let target = self.setup.target();
        let stable_at = target - target / 5;
        let Self {
            random,
            prompt,
            output,
            batches,
            ..
        } = self;
        let batch = &mut batches[index];
        let now = batch.ready;
        self.steps += 1;
        self.generated += f64::from(self.setup.slots) * f64::from(self.setup.attention_instances);
        let (completed, tokens, tpot) = (&mut self.completed, &mut self.tokens, &mut self.tpot);
        let (stable, generated, elapsed) = (&mut self.stable, self.generated, &mut self.elapsed);
        batch.slots.step(
            now,
            |leaving| {
                // Requests that finish in the same step beyond the target are ignored.
                if *completed == target {
                    return;
                }
                *completed += 1;
                *tokens += leaving.tokens;
                *tpot += (now - leaving.since) / leaving.tokens;
                if *completed == stable_at {
                    *stable = Some(Stable {
                        time: now,
                        tokens: *tokens,
                        generated,
                    });
                }
                if *completed == target {
                    *elapsed = now;
                }
            },
            || (prompt.draw(random), output.draw(random)),
        );
        if let Some(step) = batch.step.take()
            && self.timeline.len() < RECORDED
        {
            self.timeline.push(step);
        }
    }
}
