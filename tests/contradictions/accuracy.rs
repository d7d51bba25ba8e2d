//! Tests that all documents and pages show the same accuracy, and that the browser tab's title agrees with the
//! headline.

use answer::around::{accuracy_line, accuracy_short};
use answer::runs;
use answer::words::names::tab;
use answer::words::{format, names};
use model_core::inputs::Number;
use model_core::permalink::{View, read};
use model_core::service::service;
use std::fs;
use std::path::Path;

/// Checks the fix of contradiction 13: the README, the list of runs and each page show the same mean error over the
/// same runs.
///
/// Previously, the README had 24.2% over 115 runs, and Evidence 14% over 30 runs.
#[test]
fn one_accuracy_everywhere() {
    let all = runs::known().and_then(|known| known.accuracy());
    let all = all.expect("runs that can be evaluated").all;
    // The sentence summarizes the errors of all runs of 2026 that are included in the accuracy score.
    assert!(all.rows > 100 && (0.05..0.5).contains(&all.mean), "{all:?}");
    let line = accuracy_line().expect("a line");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for document in ["README.md", "docs/accuracy.md"] {
        let text = fs::read_to_string(root.join(document)).expect("a document");
        assert!(text.contains(&line), "{document}: {line}");
    }
    let short = accuracy_short().expect("a line");
    let mean = format::tenths_of_percent(all.mean);
    for said in [&line, &short] {
        assert!(said.contains(&mean), "{said}: {mean}");
        assert!(said.contains(&format!("over {} ", all.rows)), "{said}");
    }
}

/// Checks the fix of contradiction 13: the browser tab's title has the GPU count of the headline. The titles of
/// Traffic, where the GPU count is a result, and of Evidence have no GPU count.
///
/// Previously, the title had 72 H200 SXM, and the headline 36 GPUs.
#[test]
fn the_tab_has_the_gpus_of_the_headline() {
    let traffic = read("v=3&view=service&gpu=h200&rate=50&prompt=4000&output=1000&ttft=2&slo=25");
    let needed = service(&traffic.current).expect("it can be planned").gpus();
    let gpus = traffic.current.get(Number::Gpus).expect("a default");
    assert_ne!(needed, Some(gpus as u64));
    assert_eq!(
        tab(&traffic.current, View::Service),
        "DeepSeek-V3 on H200 — Ridgepoint"
    );
    for link in [
        "v=2",
        "v=3&gpus=24&replicas=3&batch=4096",
        "v=3&gpu=custom&peak_bf16=900",
    ] {
        let inputs = read(link).current;
        for view in View::ALL {
            let (title, own) = (tab(&inputs, view), names::own_gpus(&inputs));
            assert_eq!(
                title.contains(&own),
                !matches!(view, View::Service | View::Papers),
                "{link}: {title}"
            );
        }
    }
}
