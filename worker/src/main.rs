//! The web worker: runs the newest request in time slices and reports progress.
//!
//! It receives [`worker::ToWorker`] and sends [`worker::FromWorker`].

#[cfg(target_family = "wasm")]
mod web;

fn main() {
    #[cfg(target_family = "wasm")]
    web::start();
}
