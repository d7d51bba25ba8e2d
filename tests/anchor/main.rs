//! Tests how measurements of a deployment correct its computed times.

#![allow(clippy::expect_used, reason = "helpers of tests are tests too")]

mod carried;
mod examples;
mod laws;
mod series;
