//! Tests of the calibration `kernels-2026` on its measurements, and of `kernels-2026-12` on the engine whose
//! measurements gave its constants. Both calibrations, `kernels-2026-11`, and prefill are also compared with
//! independent computations.
//!
//! Each test of a curve runs the model's code on a measured kernel or collective, prints the error, and has an error
//! bound with a reason.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests are tests too"
)]

mod attention;
mod collectives;
mod curve;
mod dispatch;
mod engine;
mod examples;
mod experts;
mod gemm;
mod load;
mod systems;

/// Checks that every file of kernel and service measurements is read by some test.
#[test]
fn every_file_is_read() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests = ["kernels", "service"].into_iter();
    let text: String = tests
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("the folder is there"))
        .map(|file| {
            let path = file.expect("it can be listed").path();
            std::fs::read_to_string(path).expect("it can be read")
        })
        .collect();
    for folder in [
        "kernels-2026",
        "kernels-2026-11",
        "kernels-2026-12",
        "service",
    ] {
        let files = std::fs::read_dir(root.join("golden").join(folder));
        for file in files.expect("the folder is there") {
            let name = file.expect("it can be listed").file_name();
            let read = format!("golden/{folder}/{}\")", name.to_string_lossy());
            assert!(text.contains(&read), "{read} is not read");
        }
    }
}
