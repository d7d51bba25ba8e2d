//! Tests of the command line as a program: its output and its exit codes.

#![allow(clippy::expect_used, reason = "helpers of tests are tests too")]

use std::process::{Command, Output};

fn run(words: &[&str]) -> Output {
    let program = Command::new(env!("CARGO_BIN_EXE_ridgepoint"))
        .args(words)
        .output();
    program.expect("it runs")
}

#[test]
fn links_are_answered_or_refused() {
    let answered = run(&["--no-levers", "?v=3&model=qwen3-8b&gpu=h100"]);
    assert_eq!(answered.status.code(), Some(0));
    assert!(answered.stdout.starts_with(b"{") && answered.stdout.ends_with(b"}\n"));
    let refused = run(&["--no-levers", "?v=3&gpus=71&ep=3"]);
    assert_eq!(refused.status.code(), Some(1));
}

#[test]
fn unknown_options_are_named() {
    let wrong = run(&["--serach"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("--serach"));
}
