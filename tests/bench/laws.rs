//! Property tests of the benchmark reader: any text is read or explained, and no number comes from a line that is
//! shown as unread.

use model_core::bench;
use model_core::measurement::Measurements;
use model_core::permalink;

use super::{golden, read, sample, samples, start};

/// Returns the text with its lines shuffled by a small pseudorandom generator.
fn shuffled(text: &str, seed: u64) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for at in (1..lines.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        lines.swap(at, (state % (at as u64 + 1)) as usize);
    }
    lines.join("\n")
}

/// Checks that any text yields a measured point, a fact (a setting of the deployment) or a note. Facts and measured
/// points may come only from lines marked as read.
fn check_any(what: &str, text: &str) {
    let reading = read(text);
    let says = !reading.points.is_empty() || !reading.notes.is_empty() || !reading.facts.is_empty();
    assert!(says, "{what}: silence");
    for fact in &reading.facts {
        for line in &fact.lines {
            assert!(
                reading.lines[*line as usize].read,
                "{what}: {:?} of a gray line",
                fact.value
            );
        }
    }
    for point in reading.points.iter().chain(&reading.rest) {
        assert!(!point.lines.is_empty(), "{what}: a point without lines");
        assert!(
            point
                .lines
                .iter()
                .all(|line| reading.lines[*line as usize].read),
            "{what}"
        );
    }
}

/// Checks that the permalink of a benchmark reading restores its scenario, and that applying the reading twice
/// changes nothing.
fn check_link(what: &str, text: &str) {
    let reading = read(text);
    let inputs = reading.applied(&start());
    let link = permalink::write_inputs(&inputs);
    let again = permalink::read(&link);
    assert_eq!(again.notes, [], "{what}: {link}");
    assert!(again.current == inputs, "{what}: {link}");
    assert!(reading.applied(&inputs) == inputs, "{what}: {link}");
}

#[test]
fn any_prefix_and_any_order_is_read_or_explained() {
    for (file, _) in samples() {
        let text = sample(&file);
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            check_any(&format!("{file} to {end}"), &text[..end]);
        }
        for seed in 0..50 {
            check_any(&format!("{file} by {seed}"), &shuffled(&text, seed));
        }
        check_link(&file, &text);
        check_link(&file, &text[..text.floor_char_boundary(text.len() / 2)]);
        check_link(&file, &shuffled(&text, 1));
    }
    for row in golden("readings.json")["commands"].as_array().unwrap() {
        let text = row["text"].as_str().unwrap();
        check_link(text, text);
    }
}

/// Checks that the reader explains a broken JSON file, even though it mistakes the file for a launch command without
/// settings.
#[test]
fn a_command_without_facts_is_explained() {
    check_any(
        "a broken file",
        "{\"gpu\": 32409, \"benchmark:\ntensor_parallel_size\": \"4\", \"mean_tpot_ms\": 24.9}\n",
    );
}

#[test]
fn gray_lines_are_not_read() {
    for (file, _) in samples() {
        let text = sample(&file);
        for seed in 0..10 {
            let text = match seed {
                0 => text.clone(),
                _ => shuffled(&text, seed),
            };
            let reading = read(&text);
            let other = |line: &bench::ReadLine| match line.read {
                true => line.text.clone(),
                false => line.text.replace(|mark: char| mark.is_ascii_digit(), "7"),
            };
            let changed: Vec<String> = reading.lines.iter().map(other).collect();
            let again = read(&changed.join("\n"));
            assert_eq!(again.points, reading.points, "{file} by {seed}");
            assert!(again.facts == reading.facts, "{file} by {seed}");
        }
    }
}

#[test]
fn long_texts_are_cut_and_read_at_once() {
    let sweep = sample("vllm-sweep.txt");
    let long = sweep.repeat(50_000_000 / sweep.len());
    let brackets = "[1,\n".repeat(50_000_000 / 4);
    let started = std::time::Instant::now();
    let reading = read(&long);
    let took = started.elapsed();
    assert_eq!(reading.points.len(), Measurements::MOST);
    assert!(reading.rest.len() > 100);
    assert!(reading.notes.iter().any(|note| note.id() == "cut"));
    read(&brackets);
    println!(
        "50 MB of results: {took:.1?}; of brackets: {:.1?}",
        started.elapsed() - took
    );
}

#[test]
fn eight_points_span_a_sweep() {
    let row = |batch: u32| {
        format!(
            "{{\"batch_size\": {batch}, \"input_len\": 100, \"output_len\": 100, \"output_throughput\": {}, \"last_ttft\": 0.1}}\n",
            batch * 10
        )
    };
    let text: String = (1..=20).map(row).collect();
    let reading = read(&text);
    let batches: Vec<f64> = reading
        .points
        .iter()
        .filter_map(|point| point.batch)
        .collect();
    assert_eq!(batches, [1.0, 4.0, 6.0, 9.0, 12.0, 15.0, 17.0, 20.0]);
    assert_eq!(reading.rest.len(), 12);
}
