//! The web worker: runs the newest request in slices and reports progress.
//!
//! Messages in: `[id, name, link]`, or `[id]` to cancel. Messages out: `[id, stage, numbers]`; `[0,
//! version]` once, when it is ready; `[0, version, text]` when it fails.

#[cfg(target_family = "wasm")]
mod web;

fn main() {
    #[cfg(target_family = "wasm")]
    web::start();
}
