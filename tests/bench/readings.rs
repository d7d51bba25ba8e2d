//! Tests the reading of benchmark samples and launch commands, each with its expected result.

use model_core::bench::{self, Reading};
use model_core::measurement::{MeasuredLengths, Measurements};
use model_core::permalink;
use model_core::plan::{Overlap, PlanSpec};
use model_core::service::flags::{EngineReplica, Software, command};
use model_core::service::miss::ReplicaWork;
use serde_json::Value;

use super::{golden, id, near, read, sample, samples, start};

/// Returns the time (as text of four significant digits), batch and lengths of each measured point.
fn points(measured: &Measurements) -> Vec<(String, Option<f64>, Option<MeasuredLengths>)> {
    let point = |point: model_core::measurement::MeasuredPoint| {
        let time = format!("{:.3e}", point.time.seconds().get());
        (time, point.batch, point.lengths)
    };
    measured.points().map(point).collect()
}

fn check_keys(what: &str, reading: &Reading, expected: &Value) {
    let keys = expected.as_object().unwrap();
    let mut link = String::from("v=3");
    for (key, value) in keys {
        if key.starts_with("measured") {
            link += &format!("&{key}={}", value.as_str().unwrap());
            continue;
        }
        let found = reading
            .fact(key)
            .unwrap_or_else(|| panic!("{what}: no {key}"));
        match (id(found), value) {
            (Value::Number(found), Value::Number(expected)) => {
                let (found, expected) = (found.as_f64().unwrap(), expected.as_f64().unwrap());
                assert!(
                    near(found, expected, 1e-4),
                    "{what}: {key} {found}, not {expected}"
                );
            }
            (found, _) if key == "model" => {
                let row = model_core::arch::catalog::find(value.as_str().unwrap()).unwrap();
                assert_eq!(found, row.id, "{what}");
            }
            (found, expected) => assert_eq!(&found, expected, "{what}: {key}"),
        }
    }
    for fact in &reading.facts {
        let key = fact.value.key();
        assert!(
            keys.contains_key(key),
            "{what}: {key} {:?} is not expected",
            fact.value
        );
    }
    let expected = permalink::read(&link).current.measured;
    let found = reading.measurements();
    assert_eq!(points(&found), points(&expected), "{what}");
    let ttft = |measured: &Measurements| {
        measured
            .ttft
            .map(|ttft| (format!("{:.3e}", ttft.time.seconds().get()), ttft.prompt))
    };
    assert_eq!(ttft(&found), ttft(&expected), "{what}");
}

fn check_notes(what: &str, reading: &Reading, expected: &Value) {
    let mut found: Vec<String> = reading
        .notes
        .iter()
        .map(|note| note.id().into_owned())
        .collect();
    let mut expected: Vec<String> = serde_json::from_value(expected.clone()).unwrap();
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{what}: notes");
}

#[test]
fn samples_are_read() {
    for (file, expected) in samples() {
        let reading = read(&sample(&file));
        let formats: Vec<&str> = reading.formats.iter().map(|format| format.id()).collect();
        assert_eq!(formats, [expected["format"].as_str().unwrap()], "{file}");
        check_keys(&file, &reading, &expected["keys"]);
        check_notes(&file, &reading, &expected["notes"]);
        let points = expected["points"].as_array().unwrap();
        assert_eq!(reading.points.len(), points.len(), "{file}");
        for (point, expected) in reading.points.iter().zip(points) {
            let seconds =
                |time: Option<model_core::units::Seconds>| time.map(|time| time.get() * 1e3);
            for (key, value) in expected.as_object().unwrap() {
                let found = match key.as_str() {
                    "source" => {
                        assert_eq!(point.source.id(), value.as_str().unwrap(), "{file}");
                        continue;
                    }
                    "time_ms" => Some(point.time.get() * 1e3),
                    "batch" => point.batch,
                    "prompt" => point.lengths.map(|(prompt, _)| prompt),
                    "output" => point.lengths.map(|(_, output)| output),
                    "context" => point.context,
                    "ttft_ms" => seconds(point.ttft),
                    "decode_share" => point.decode_share,
                    "in_flight" => point.in_flight,
                    "decoding" => point.decoding,
                    "fill" => point.fill,
                    "tok_s_gpu" => point.per_gpu,
                    "tokens_per_step" => point.tokens_per_step,
                    "step_ms" => seconds(point.step),
                    key => panic!("{file}: {key} is unknown"),
                };
                let found = found.unwrap_or_else(|| panic!("{file}: no {key}"));
                let expected = value.as_f64().unwrap();
                // Golden times have four digits, other golden numbers five.
                let share = if key.ends_with("_ms") { 5e-4 } else { 1e-4 };
                assert!(
                    near(found, expected, share),
                    "{file}: {key} {found}, not {expected}"
                );
            }
        }
    }
}

#[test]
fn launch_commands_are_read() {
    for row in golden("readings.json")["commands"].as_array().unwrap() {
        let text = row["text"].as_str().unwrap();
        let reading = read(text);
        let server = reading.server.map(|server| server.id());
        assert_eq!(server, row["engine"].as_str(), "{text}");
        check_keys(text, &reading, &row["keys"]);
        check_notes(text, &reading, &row["notes"]);
        assert_eq!(reading.limit, row["limit"].as_f64(), "{text}");
        let unread: Vec<&str> = reading
            .unread
            .iter()
            .map(|flag| flag.value.as_str())
            .collect();
        let expected: Vec<&str> = row["unread"]
            .as_array()
            .unwrap()
            .iter()
            .map(|flag| flag.as_str().unwrap())
            .collect();
        assert_eq!(unread, expected, "{text}");
    }
}

#[test]
fn acceptances_are_bisected() {
    for row in golden("readings.json")["acceptance"].as_array().unwrap() {
        let of = |key: &str| row[key].as_f64().unwrap();
        let found = bench::acceptance(of("drafts"), of("tokens_per_step"));
        assert!((found - of("acceptance")).abs() < 1e-4, "{row}: {found}");
    }
}

#[test]
fn a_typed_time_changes_nothing_else() {
    let start = start();
    for text in ["62 ms", "TPOT: 62 ms", "Mean TPOT (ms): 62"] {
        let reading = read(text);
        let applied = reading.applied(&start);
        let point = applied.measured.points().next().expect(text);
        assert!(
            (point.time.seconds().as_millis() - 62.0).abs() < 1e-9,
            "{text}"
        );
        assert!(reading.facts.is_empty(), "{text}: {:?}", reading.facts);
        assert_eq!(applied.engine, start.engine, "{text}");
    }
}

/// Checks that launch commands written by the Service view are read back: sharding, schedule, draft tokens, cache and
/// batch.
#[test]
fn written_commands_are_read_back() {
    let scenario = permalink::read("v=3&model=deepseek-r1&gpus=8")
        .current
        .scenario();
    let spec = *scenario.unwrap().plan.spec();
    let mut read_back = 0;
    for (tp, dp, kvp, pp) in [
        (8, 1, 1, 1),
        (1, 16, 1, 1),
        (4, 2, 1, 1),
        (2, 1, 4, 1),
        (4, 1, 1, 2),
    ] {
        for spread in [false, true] {
            for overlap in [Overlap::Sequential, Overlap::TwoBatch] {
                let stage = tp * dp * kvp;
                let (ep, ffn_tp) = if spread { (stage, 1) } else { (1, stage) };
                let redundant = if spread && dp > 1 { 32 } else { 0 };
                let spec = PlanSpec {
                    tp,
                    dp,
                    kvp,
                    pp,
                    ep,
                    ffn_tp,
                    overlap,
                    redundant,
                    ..spec
                };
                for work in [ReplicaWork::Decode, ReplicaWork::Aggregated] {
                    let setup = EngineReplica {
                        spec,
                        work,
                        experts: 256 + redundant,
                        batch: Some(f64::from(dp * 64)),
                        chunk: Some(8192.0),
                        drafts: 2,
                        narrow_cache: true,
                    };
                    for software in Software::ALL {
                        let written = command(software, &setup);
                        if written.unexpressed.is_empty() {
                            check_command(&written.text("deepseek-ai/DeepSeek-R1"), &setup);
                            read_back += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(read_back > 30, "{read_back}");
}

fn check_command(text: &str, setup: &EngineReplica) {
    let reading = read(text);
    let spec = &setup.spec;
    let number = |key: &str, default: f64| {
        reading
            .fact(key)
            .map_or(default, |fact| id(fact).as_f64().unwrap())
    };
    for (key, expected) in [
        ("dp", spec.dp),
        ("tp", spec.tp),
        ("kvp", spec.kvp),
        ("pp", spec.pp),
        ("ep", spec.ep),
        ("ffn_tp", spec.ffn_tp),
        ("gpus", spec.dp * spec.tp * spec.kvp * spec.pp),
        ("redundant", spec.redundant),
        ("mtp", setup.drafts),
        ("chunk", 8192),
        ("kv", 1),
    ] {
        let (found, expected) = (number(key, 1.0), f64::from(expected));
        assert!(near(found, expected, 1e-12), "{key} {found} of {text}");
    }
    assert_eq!(reading.limit, setup.batch, "{text}");
    let overlap = reading.fact("overlap").map(id).unwrap();
    assert_eq!(overlap, spec.overlap.id(), "{text}");
    let apart = setup.work == ReplicaWork::Decode || spec.kvp > 1 || spec.pp > 1;
    let serving = if apart { "decode" } else { "aggregated" };
    assert_eq!(reading.fact("serving").map(id).unwrap(), serving, "{text}");
}
