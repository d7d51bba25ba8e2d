//! Tests of computed times that are corrected by measurements of a deployment.

#![allow(clippy::expect_used, reason = "helpers of tests are tests too")]

mod carried;
mod examples;
mod laws;
mod series;
