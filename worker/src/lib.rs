//! Long computations outside the page's thread: requests, answers, and jobs that run in time slices.
//!
//! The library is pure and native, and depends on neither a clock nor a browser: the web worker (`main.rs`) and the
//! page run the same [`Job`]s. Requests and answers are sent as bytes ([`write`], [`read`]).
//!
//! A new type of computation needs a variant of [`Request`] and [`Answer`], a case in [`Job`], and a module like
//! [`search`].

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

/// Fingerprint of the sources, compared when a worker starts. A page and a worker of different builds must not
/// communicate, but a browser may cache one longer than the other.
pub const PROTOCOL: u32 = decimal(env!("WORKER_FINGERPRINT"));

/// Parses the number written by `build.rs`.
const fn decimal(text: &str) -> u32 {
    let (digits, mut index, mut number) = (text.as_bytes(), 0, 0_u32);
    while index < digits.len() {
        number = number * 10 + (digits[index] - b'0') as u32;
        index += 1;
    }
    number
}
