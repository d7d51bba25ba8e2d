//! The static file server behind `cargo xtask serve`.
//!
//! It is a library so that the browser tests look at the page through the very server a developer
//! uses, under a sub-path and with its request log.

pub mod mime;
pub mod site;
