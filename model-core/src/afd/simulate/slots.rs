//! Requests of one micro-batch, and the steps in which they finish.

/// Request slots of all attention ranks, with the step in which each request finishes.
///
/// A request's last step is known when the request is admitted. A timing wheel links the slots that finish in the
/// same step, modulo the wheel size. The cost of a step is therefore proportional to the number of requests that
/// finish in it.
#[derive(Debug, Clone)]
pub struct Slots {
    per_instance: usize,
    /// Cached tokens of each attention rank.
    loads: Vec<u64>,
    requests: Vec<Request>,
    /// First slot of every list in the timing wheel.
    wheel: Vec<u32>,
    step: u64,
}

#[derive(Debug, Clone, Copy)]
struct Request {
    /// Step in which the request finishes.
    last: u64,
    /// Tokens in the request's cache in its last step.
    cached: u64,
    tokens: u32,
    /// Next slot in the same list of the timing wheel.
    next: u32,
    /// Time at which the request was admitted.
    since: f64,
}

/// A finished request.
#[derive(Debug, Clone, Copy)]
pub struct Leaving {
    /// Number of tokens that the request generated.
    pub tokens: f64,
    /// Time at which the request was admitted.
    pub since: f64,
}

const NOBODY: u32 = u32::MAX;
/// Number of lists in the timing wheel: a power of two larger than most output lengths.
pub const WHEEL: usize = 4096;

impl Slots {
    /// Fills each of `instances` ranks with `per_instance` fresh requests; `draw` returns prompt and output lengths.
    pub fn full(instances: u32, per_instance: u32, mut draw: impl FnMut() -> (u32, u32)) -> Self {
        let (instances, per_instance) = (instances as usize, per_instance as usize);
        let vacant = Request {
            last: 0,
            cached: 0,
            tokens: 0,
            next: NOBODY,
            since: 0.0,
        };
        let mut slots = Self {
            per_instance,
            loads: vec![0; instances],
            requests: vec![vacant; instances * per_instance],
            wheel: vec![NOBODY; WHEEL],
            step: 0,
        };
        for slot in 0..slots.requests.len() {
            let (prompt, output) = draw();
            slots.admit(slot, 0, prompt, output, 0.0);
        }
        slots
    }

    /// Returns the cached tokens of each attention rank.
    pub fn loads(&self) -> &[u64] {
        &self.loads
    }

    /// Ends a step at time `now`: every cache grows by one token, and new requests replace finished ones.
    pub fn step(
        &mut self,
        now: f64,
        mut leave: impl FnMut(Leaving),
        mut draw: impl FnMut() -> (u32, u32),
    ) {
        for load in &mut self.loads {
            *load += self.per_instance as u64;
        }
        let list = (self.step % WHEEL as u64) as usize;
        let mut slot = std::mem::replace(&mut self.wheel[list], NOBODY);
        while slot != NOBODY {
            let index = slot as usize;
            let request = self.requests[index];
            if request.last == self.step {
                // The last step's token is counted in `loads` but not in `cached`.
                self.loads[index / self.per_instance] -= request.cached + 1;
                leave(Leaving {
                    tokens: f64::from(request.tokens),
                    since: request.since,
                });
                let (prompt, output) = draw();
                self.admit(index, self.step + 1, prompt, output, now);
            } else {
                self.hang(index);
            }
            slot = request.next;
        }
        self.step += 1;
    }

    fn admit(&mut self, slot: usize, first: u64, prompt: u32, output: u32, since: f64) {
        self.loads[slot / self.per_instance] += u64::from(prompt);
        self.requests[slot] = Request {
            last: first + u64::from(output),
            cached: u64::from(prompt) + u64::from(output),
            tokens: output + 1,
            next: NOBODY,
            since,
        };
        self.hang(slot);
    }

    fn hang(&mut self, slot: usize) {
        let list = (self.requests[slot].last % WHEEL as u64) as usize;
        self.requests[slot].next = self.wheel[list];
        self.wheel[list] = slot as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wheel_agrees_with_counting() {
        let lengths = |state: &mut u32| {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Some lengths exceed the wheel.
            (*state % 17, (*state >> 8) % 6000)
        };
        let (mut ours, mut theirs) = (1, 1);
        let mut slots = Slots::full(3, 5, || lengths(&mut ours));
        let mut plain: Vec<(u64, u32, u32)> = (0..15)
            .map(|_| {
                let (prompt, output) = lengths(&mut theirs);
                (u64::from(prompt), 0, output)
            })
            .collect();
        let mut left = Vec::new();
        for step in 0..20_000 {
            for (instance, load) in slots.loads().iter().enumerate() {
                let counted: u64 = plain[instance * 5..instance * 5 + 5]
                    .iter()
                    .map(|(prompt, done, _)| prompt + u64::from(*done))
                    .sum();
                assert_eq!(*load, counted, "step {step}");
            }
            let mut tokens = Vec::new();
            let mut drawn = Vec::new();
            slots.step(
                f64::from(step),
                |leaving| tokens.push(leaving.tokens),
                || {
                    drawn.push(lengths(&mut ours));
                    drawn[drawn.len() - 1]
                },
            );
            let mut expected = Vec::new();
            let mut vacant = Vec::new();
            for (slot, (_, done, output)) in plain.iter_mut().enumerate() {
                *done += 1;
                if *done > *output {
                    expected.push(f64::from(*done));
                    vacant.push(slot);
                }
            }
            left.extend(expected.iter().copied());
            assert_eq!(tokens.len(), expected.len(), "step {step}");
            assert!((tokens.iter().sum::<f64>() - expected.iter().sum::<f64>()).abs() < 0.5);
            // The wheel sets the order of draws within a step, so read each new request from its slot.
            for (slot, request) in slots.requests.iter().enumerate() {
                if vacant.contains(&slot) {
                    let output = request.tokens - 1;
                    plain[slot] = (request.cached - u64::from(output), 0, output);
                }
            }
        }
        assert!(left.len() > 50, "{}", left.len());
    }
}
