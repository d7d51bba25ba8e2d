//! Tests that every crate enables the lints on which the invariants of ARCHITECTURE.md rely.

use super::source::{files, read};

#[test]
fn every_crate_takes_the_workspace_lints() {
    let manifests = files("", "Cargo.toml");
    assert!(manifests.len() >= 5);
    for manifest in manifests {
        let package = manifest.text.contains("[package]");
        let lints = manifest.text.contains("[lints]\nworkspace = true");
        assert!(!package || lints, "{} takes no lints", manifest.path);
    }
}

#[test]
fn required_lints_are_on() {
    let workspace = read("Cargo.toml");
    for lint in [
        "unsafe_code = \"forbid\"",
        "missing_docs = \"warn\"",
        "unwrap_used = \"warn\"",
        "expect_used = \"warn\"",
        "panic = \"warn\"",
        "float_cmp = \"warn\"",
        "disallowed_methods = \"warn\"",
    ] {
        assert!(workspace.contains(lint), "{lint}");
    }
    // Warnings during work, errors in checks.
    assert!(read("xtask/src/lint.rs").contains("-D__CLIPPY_HACKERY__warnings"));
    let clippy = read("clippy.toml");
    for method in ["ln", "log2", "log10", "exp", "powf", "powi", "sin", "cos"] {
        assert!(clippy.contains(&format!("\"f64::{method}\"")), "{method}");
    }
}

/// Checks that every `allow` of a lint has a reason.
#[test]
fn exceptions_have_reasons() {
    for folder in [
        "answer",
        "guide",
        "model-core",
        "papers",
        "ridgepoint",
        "app",
        "tests",
        "xtask",
        "worker",
    ] {
        for file in files(folder, ".rs") {
            // In two pieces, or this line would count.
            let allowed: usize = ["#[", "#!["]
                .iter()
                .map(|open| file.text.matches(&format!("{open}allow(")).count())
                .sum();
            let reasons = file.text.matches("reason = \"").count();
            assert!(
                reasons >= allowed,
                "{}: {allowed} allowed, {reasons} reasons",
                file.path
            );
        }
    }
}
