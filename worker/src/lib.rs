//! Long computations beside the page: requests, answers, and jobs that run in slices.
//!
//! Pure and native: the program of the web worker (`main.rs`) and the page itself run the same
//! [`Job`]s; neither this library nor a job knows a clock or a browser. A request is a name and a
//! link, an answer is a list of numbers, so that both cross to another thread without a translation.
//!
//! A new kind of computation is a variant of [`Request`], [`Answer`] and [`Job`], with a module like
//! [`search`] that says how its answer becomes numbers and back.

mod job;
pub mod levers;
mod message;
pub mod numbers;
pub mod quantity;
pub mod search;
pub mod simulate;

pub use job::Job;
pub use message::{Answer, Request, Stage};

/// What was built: a page and a worker of different sources must not talk, because a browser may keep
/// one of them longer than the other.
pub const PROTOCOL: u32 = decimal(env!("WORKER_FINGERPRINT"));

/// The number that `build.rs` wrote.
const fn decimal(text: &str) -> u32 {
    let (digits, mut index, mut number) = (text.as_bytes(), 0, 0_u32);
    while index < digits.len() {
        number = number * 10 + (digits[index] - b'0') as u32;
        index += 1;
    }
    number
}

/// The file that starts the web worker, beside the page.
pub const LOADER: &str = "ridgepoint-worker_loader.js";
