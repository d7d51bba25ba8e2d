//! A bundle simulated step by step: two batches in flight, a barrier, continuous refill.

use super::bundle::Bundle;
use super::latency::LatencyLine;
use super::lengths::{LengthModel, Sampler};
use super::random::Random;
use crate::units::Seconds;

mod guard;
mod slots;

use slots::Slots;

/// The simulated unit and its horizon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setup {
    /// Attention instances, x.
    pub attention_instances: u32,
    /// Feed-forward instances, y.
    pub ffn_instances: u32,
    /// Slots per batch and attention instance, B.
    pub slots: u32,
    /// Attention over an instance's token load.
    pub attention: LatencyLine,
    /// Feed-forward of a step.
    pub ffn: Seconds,
    /// Round trip of a step's messages.
    pub messages: Seconds,
    /// Prompts and outputs.
    pub lengths: LengthModel,
    /// Requests to complete per attention instance, N.
    pub requests: u32,
    /// Seed of the lengths.
    pub seed: u64,
}

impl Bundle {
    /// The bundle at the whole number of attention instances nearest `ratio`, at least one.
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
    /// r = x/y.
    pub fn ratio(&self) -> f64 {
        f64::from(self.attention_instances) / f64::from(self.ffn_instances)
    }

    /// Requests that complete before the end.
    pub fn target(&self) -> u64 {
        u64::from(self.requests) * u64::from(self.attention_instances)
    }
}

/// Outcome of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulationEnd {
    /// r = x/y.
    pub ratio: f64,
    /// Tokens per second and instance over the first 80 % of completions, counting the tokens of
    /// completed requests. Source: [R] eq 21.
    pub per_instance: f64,
    /// Throughput counting every token generated until then: what [R] eq 6 means, which requests still
    /// running hide from eq 21.
    pub per_instance_generated: f64,
    /// Mean time per output token of completed requests. Source: [R] eq 22.
    pub tpot: Seconds,
    /// Share of time an attention instance waits, mean over instances. Source: [R] eq 23.
    pub idle_attention: f64,
    /// Share of time the feed-forward waits. Source: [R] eq 23.
    pub idle_ffn: f64,
    /// Time of the slowest attention instance over that of the mean one, averaged over steps: what the
    /// barrier costs.
    pub straggling: f64,
    /// Steps of both batches together.
    pub steps: u64,
    /// Requests completed.
    pub completed: u64,
    /// Time that passed.
    pub elapsed: Seconds,
    /// A few steps from the middle.
    pub timeline: Vec<SimulatedStep>,
}

/// An interval of time.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StepInterval {
    /// Start time.
    pub start: Seconds,
    /// End time.
    pub end: Seconds,
}

/// One step of one batch, as it passed through the bundle.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedStep {
    /// Batch, 0 or 1.
    pub batch: usize,
    /// Every attention instance at work.
    pub attention: Vec<StepInterval>,
    /// Activations to the feed-forward; it begins when the slowest instance is done.
    pub out: StepInterval,
    /// The feed-forward at work.
    pub ffn: StepInterval,
    /// Results on their way back.
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

/// Stage of a batch in its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Attention,
    Out,
    Ffn,
    Back,
}

/// One of the two batches in flight.
#[derive(Debug, Clone)]
struct Batch {
    phase: Phase,
    /// When it asks for its next resource.
    ready: f64,
    slots: Slots,
    /// The step under way, while the timeline is recorded.
    step: Option<SimulatedStep>,
}

/// A simulation that can be advanced piece by piece.
///
/// Each of two batches repeats: attention on every instance (time by the instance's own token load),
/// a barrier, messages out, feed-forward, messages back; then finished requests leave and new ones take
/// their slots. Instances, feed-forward and the link serve one batch at a time, in order of arrival;
/// a round trip keeps the link for all of t_C, as [R] eq 5 has it. A request of output length D keeps its slot
/// for D + 1 steps and its cache grows by a token in each ([R] eqs 7–8); it counts D + 1 tokens, as eq
/// 6 does, one more than eq 21's D. Requests never run out, so that batches stay full to the end.
///
/// All requests are drawn from one [`Random`] sequence in the order they are admitted, prompt first.
///
/// Source: [R] 5.1–5.2. Not modelled: layers one by one (a step's latencies are those of all layers),
/// prefill, load balancing between instances.
#[derive(Debug, Clone)]
pub struct Simulation {
    setup: Setup,
    random: Random,
    prompt: Sampler,
    output: Sampler,
    batches: [Batch; 2],
    /// When each attention instance is free.
    free: Vec<f64>,
    ffn_free: f64,
    link_free: f64,
    attention_busy: f64,
    ffn_busy: f64,
    /// Sums over steps of the slowest and of the mean instance's time.
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

/// The first 80 % of completions.
#[derive(Debug, Clone, Copy)]
struct Stable {
    time: f64,
    tokens: f64,
    generated: f64,
}

/// Steps of the timeline, both batches together.
const RECORDED: usize = 6;

impl Simulation {
    /// Two full batches at time zero, every request fresh.
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

    /// The simulated unit and its horizon.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Share of the requests that have completed.
    pub fn progress(&self) -> f64 {
        (self.completed as f64 / self.setup.target() as f64).min(1.0)
    }

    /// Enough requests have completed.
    pub fn is_done(&self) -> bool {
        self.completed >= self.setup.target()
    }

    /// Advances by at most `steps` steps of a batch; true when the simulation is done.
    pub fn advance(&mut self, steps: u32) -> bool {
        let last = self.steps + u64::from(steps);
        while !self.is_done() && self.steps < last {
            let [first, second] = &self.batches;
            self.proceed(usize::from(second.ready < first.ready));
        }
        self.is_done()
    }

    /// Runs to the end.
    pub fn run(setup: Setup) -> Option<SimulationEnd> {
        let mut simulation = Self::new(setup);
        simulation.advance(u32::MAX);
        simulation.outcome()
    }

    /// The result; `None` until the simulation is done.
    pub fn outcome(&self) -> Option<SimulationEnd> {
        let stable = self.stable?;
        if !self.is_done() {
            return None;
        }
        let setup = &self.setup;
        let instances = f64::from(setup.attention_instances);
        let weight = stable.time * f64::from(setup.ffn_instances) * (setup.ratio() + 1.0);
        // Work that reaches beyond the end does not count.
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

    /// Lets a batch have the resource it asks for; batches ask in order of time.
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

    /// Half a round trip over the link, which the way out reserves for the way back as well.
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

    /// Ends a batch's step: every slot has a token more, finished requests make room for new ones.
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
                // Requests beyond the last that count leave in the same step; they are not looked at.
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
