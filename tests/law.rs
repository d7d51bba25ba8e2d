//! Properties that are tested on many scenarios; a failure names the scenario.

use std::panic::{AssertUnwindSafe, catch_unwind};

use model_core::inputs::Inputs;
use model_core::permalink::write_inputs;

/// Number of threads among which the scenarios are divided.
const THREADS: u64 = 2;

/// Returns the number of scenarios to try: the value of `RIDGEPOINT_SCENARIOS`, or `default` if the variable is not
/// set.
pub fn tried(default: u64) -> u64 {
    let stated = std::env::var("RIDGEPOINT_SCENARIOS").ok();
    let stated = stated.and_then(|count| count.parse().ok());
    stated.unwrap_or(default)
}

/// Tries the property `law` on the scenarios that `make` builds for numbers from 0 up to `count`.
///
/// # Panics
///
/// If a scenario violates the property; the message names the first such scenario of each thread.
pub fn law(count: u64, make: impl Fn(u64) -> Inputs + Sync, law: impl Fn(&Inputs) + Sync) {
    let (law, make) = (&law, &make);
    let first_broken = |thread: u64| {
        let mut numbers = (thread..count).step_by(THREADS as usize);
        numbers.find_map(|number| {
            let inputs = make(number);
            let broken = catch_unwind(AssertUnwindSafe(|| law(&inputs))).is_err();
            broken.then(|| format!("scenario {number}: {}", write_inputs(&inputs)))
        })
    };
    let broken: Vec<String> = std::thread::scope(|scope| {
        let started = |thread| scope.spawn(move || first_broken(thread));
        let threads: Vec<_> = (0..THREADS).map(started).collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined.filter_map(|broken| broken.unwrap_or(None)).collect()
    });
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
