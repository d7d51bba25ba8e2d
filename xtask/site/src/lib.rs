//! Code shared by the browser tests and `cargo xtask`: the static file server, and the start of a browser driver.
//!
//! The tests use the server that developers use, but under a sub-path and with its request log.

mod driver;
mod mime;
mod server;

pub use driver::Driver;
pub use server::{POLICY, Request, Server};
