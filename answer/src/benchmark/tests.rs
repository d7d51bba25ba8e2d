//! Tests of the texts that describe sample benchmarks.

use super::*;
use model_core::bench::read;
use model_core::inputs::{Inputs, Version};
use model_core::permalink;
use std::path::Path;

fn samples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/bench/samples");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap());
    let text = |file: std::fs::DirEntry| {
        let name = file.file_name().into_string().unwrap();
        (name, std::fs::read_to_string(file.path()).unwrap())
    };
    files.map(text).collect()
}

#[test]
fn every_sample_is_told_in_words() {
    let start = Inputs::defaults_of(Version::NEWEST);
    let all = samples();
    assert!(all.len() >= 20);
    for (file, text) in all {
        let reading = read(&text, &start);
        assert!(!what(&reading).is_empty(), "{file}");
        let rows = rows(&reading, &start);
        assert!(
            rows.iter().any(|row| row.name == "Model"),
            "{file}: {rows:?}"
        );
        for row in &rows {
            assert!(
                !row.value.is_empty() && !row.from.is_empty(),
                "{file}: {row:?}"
            );
        }
        for note in &reading.notes {
            let sentence = note_sentence(note);
            assert!(sentence.ends_with(['.', '?']), "{file}: {sentence}");
        }
    }
}

/// Checks that the chart has every measured point, and an anchored curve only while measurements correct the times.
#[test]
fn measured_points_are_on_the_figure() {
    let link = "v=3&model=glm-5.2&gpu=h200&gpus=8&measured=25.3ms@1x1k,37.2ms@16x1k";
    let inputs = |link: &str| permalink::read(link).current;
    let on = measured_chart(&inputs(link), &[]).unwrap();
    let off = measured_chart(&inputs(&format!("{link}&anchor=off")), &[]).unwrap();
    let none = measured_chart(&inputs("v=3&model=glm-5.2&gpu=h200&gpus=8"), &[]).unwrap();
    assert!(on.rows.len() > off.rows.len());
    let points = |chart: &crate::chart::Chart| {
        let titles = (0..chart.rows.len()).filter_map(|row| chart.rows.title(row));
        titles.filter(|title| *title == "your measurement").count()
    };
    assert_eq!([&on, &off, &none].map(points), [2, 2, 0]);
    assert!(anchored_line(&inputs(link)).unwrap().change.is_some());
    assert!(
        anchored_line(&inputs(&format!("{link}&anchor=off")))
            .unwrap()
            .change
            .is_none()
    );
    assert_eq!(anchored_line(&inputs("v=3")), None);
}

/// Checks that every sample benchmark with measurements has a verdict in complete sentences, with all marks within
/// the axis. Samples whose plan is invalid on the accelerator are skipped.
#[test]
fn every_measured_sample_has_a_verdict() {
    let start = permalink::read("v=3&model=deepseek-r1&gpu=h200").current;
    let mut judged = 0;
    for (file, text) in samples() {
        let reading = read(&text, &start);
        let inputs = reading.applied(&start);
        if inputs.measured.is_empty() {
            continue;
        }
        let Some(found) = verdict(&inputs, Some(&reading)) else {
            // A missing verdict means that the plan is invalid on this accelerator.
            assert!(inputs.scenario().is_err(), "{file}");
            continue;
        };
        judged += 1;
        let said: String = found
            .headline
            .0
            .iter()
            .map(|span| span.text.as_str())
            .collect();
        assert!(
            said.ends_with(['.', '?']) && !said.contains('–'),
            "{file}: {said}"
        );
        assert!(!found.points.is_empty(), "{file}");
        let strips = found.points.iter().map(|row| &row.strip);
        for strip in strips.chain(found.suspects.iter().map(|row| &row.strip)) {
            let mut all = strip
                .ranges
                .iter()
                .flatten()
                .chain(&strip.tick)
                .chain(&strip.dots);
            assert!(all.all(|at| (0.0..=1.0).contains(at)), "{file}: {strip:?}");
        }
    }
    assert!(judged > 10, "{judged}");
}

#[test]
fn a_throughput_alone_is_a_running_batch() {
    let inputs =
        permalink::read("v=3&model=llama-3.1-8b&gpu=h100&gpus=1&batch=200&context=1k").current;
    let scenario = inputs.scenario().unwrap();
    let tpot = model_core::evaluate::with_batch(&scenario, 8.0)
        .unwrap()
        .tpot
        .get();
    let text = format!(
        "============ Serving Benchmark Result ============\nMaximum request concurrency: 200\n\
        Output token throughput (tok/s): {:.2}\n",
        8.0 / tpot
    );
    let reading = read(&text, &inputs);
    let told = throughput(&inputs, &reading);
    assert_eq!(told.len(), 1, "{reading:?}");
    assert!(told[0].contains("about 8 of your 200"), "{told:?}");
}
