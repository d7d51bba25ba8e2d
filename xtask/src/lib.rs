//! The static file server behind `cargo xtask serve`.
//!
//! A library, so that the browser tests use the same server as a developer, under a sub-path and with its request
//! log.

pub mod mime;
pub mod site;
