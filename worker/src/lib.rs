//! Long computations outside the page's thread: requests, answers, and jobs that run in slices.
//!
//! Pure and native: the web worker (`main.rs`) and the page run the same [`Job`]s, and neither this library nor a job
//! depends on a clock or a browser. Both cross as bytes ([`write`], [`read`]).
//!
//! A new kind of computation is a variant of [`Request`], [`Answer`] and [`Job`], with a module like [`search`].

mod candidates;
mod job;
pub mod levers;
mod message;
pub mod pays;
pub mod quantity;
pub mod queue;
pub mod replicas;
pub mod search;
pub mod service;
pub mod simulate;
mod steps;
pub mod turns;

pub use job::Job;
pub use message::{Answer, FromWorker, Request, Stage, ToWorker, read, write};

/// Fingerprint of the sources: a page and a worker of different builds must not talk to each other, and a browser may
/// cache one of them longer than the other.
pub const PROTOCOL: u32 = decimal(env!("WORKER_FINGERPRINT"));

/// The number written by `build.rs`.
const fn decimal(text: &str) -> u32 {
    let (digits, mut index, mut number) = (text.as_bytes(), 0, 0_u32);
    while index < digits.len() {
        number = number * 10 + (digits[index] - b'0') as u32;
        index += 1;
    }
    number
}
