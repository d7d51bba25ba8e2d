//! Tests of permalinks: a corpus with expected meanings, and arbitrary text.

#![allow(clippy::expect_used, reason = "helpers of tests are tests too")]

use std::cell::RefCell;
use std::collections::BTreeMap;

use model_core::arch::catalog as models;
use model_core::hardware::catalog as accelerators;
use model_core::inputs::{Inputs, Number};
use model_core::permalink::{self, Link};
use model_core::report::{Reporter, report};
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    link: Vec<Entry>,
}

/// A permalink with its expected meaning.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The rule that this permalink illustrates.
    why: String,
    text: String,
    /// Expected values of inputs, whether they are set in the permalink or have their defaults.
    #[serde(default)]
    means: BTreeMap<String, f64>,
    /// Expected values of inputs in the pinned scenario; if absent, the permalink must not pin a scenario.
    pinned: Option<BTreeMap<String, f64>>,
    /// Expected permalink when the scenario that was read is written back.
    writes: String,
    /// Another form of the permalink, which must have an equal meaning.
    accepts: Option<String>,
    /// Expected beginning of each note about the permalink, in order.
    #[serde(default)]
    notes: Vec<String>,
    /// Expected key of each refusal, in order.
    #[serde(default)]
    refused: Vec<String>,
}

fn holds(entry: &Entry) {
    let link = permalink::read(&entry.text);
    numbers_are(&link.current, &entry.means);
    match (&entry.pinned, &link.pinned) {
        (Some(means), Some(pinned)) => numbers_are(pinned, means),
        (expected, found) => assert_eq!(expected.is_some(), found.is_some(), "pinned"),
    }
    let notes: Vec<String> = link.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes.len(), entry.notes.len(), "{notes:#?}");
    for (note, beginning) in notes.iter().zip(&entry.notes) {
        assert!(
            note.starts_with(beginning),
            "note {note:?}, not {beginning:?}"
        );
    }
    if let Some(other) = &entry.accepts {
        assert_eq!(permalink::read(other).current, link.current);
    }
    writes_back(&link, &entry.writes, entry.accepts.as_deref());

    let json = serde_json::to_value(report(&entry.text)).expect("a result is JSON");
    let reasons = json["reasons"].as_array().cloned().unwrap_or_default();
    let keys: Vec<_> = reasons
        .iter()
        .filter_map(|reason| reason["key"].as_str())
        .collect();
    assert_eq!(keys, entry.refused, "{json}");
    assert_eq!(json["ok"], entry.refused.is_empty());
}

fn numbers_are(inputs: &Inputs, means: &BTreeMap<String, f64>) {
    for (key, value) in means {
        let number = Number::find(key).expect("the corpus names numeric keys");
        assert_eq!(inputs.get(number), Some(*value), "{key}");
    }
}

fn writes_back(link: &Link, expected: &str, accepted: Option<&str>) {
    let written = permalink::write(link);
    assert!(
        written == expected || Some(written.as_str()) == accepted,
        "{written} ≠ {expected}"
    );
    let again = permalink::read(&written);
    assert!(again.notes.is_empty(), "{:?}", again.notes);
    assert_eq!(permalink::write(&again), written);
}

fn corpus_holds(text: &str) {
    let corpus: Corpus = toml::from_str(text).expect("the corpus is TOML of the documented form");
    for entry in &corpus.link {
        println!("{}: {}", entry.why, entry.text);
        holds(entry);
    }
}

macro_rules! corpora {
    ($($name:ident = $file:literal;)+) => {
        $(#[test]
        fn $name() {
            corpus_holds(include_str!(concat!("golden/links/", $file, ".toml")));
        })+
    };
}

corpora! {
    numbers_are_read_as_people_write_them = "numbers";
    links_have_their_documented_shape = "shape";
    papers_filters_in_links = "papers";
    measurements_travel_in_links = "measured";
    searches_travel_in_links = "search";
    unreadable_parts_are_noted = "bad";
    impossible_scenarios_have_reasons = "refused";
}

/// Checks that a key of docs/links.md gets a note if its value is missing or contains only commas. An empty list does
/// not silently become the default.
#[test]
fn empty_values_are_noted() {
    let document = include_str!("../docs/links.md");
    let (_, keys) = document
        .split_once("## Keys")
        .expect("the document has keys");
    let (keys, _) = keys
        .split_once("### Ids")
        .expect("identifiers follow the keys");
    let rows = keys.lines().filter(|line| line.starts_with("| `"));
    let former = |row: &&str| row.contains("former filters");
    // Names may be any text, so they are left out.
    let named = ["model_name", "gpu_name"];
    let mut seen = 0;
    for row in rows.filter(|row| !former(row)) {
        let cell = row.split('|').nth(1).unwrap_or_default();
        for key in cell.split('`').skip(1).step_by(2) {
            if named.contains(&key) {
                continue;
            }
            seen += 1;
            for value in ["", ",", " , ,", "none,none"] {
                let notes = permalink::read(&format!("v=3&{key}={value}")).notes;
                assert!(
                    notes.iter().any(|note| note.key == key),
                    "{key}={value}: {notes:?}"
                );
            }
        }
    }
    assert!(seen > 120, "{seen} keys");
}

/// Checks that every default can be set explicitly, so that typing it in changes nothing. Only efficiency factors of
/// Lamina and of kernels, which are quotients (1/0.65), may differ in their last digits.
#[test]
fn every_default_can_be_stated() {
    let links = accelerators::CATALOG
        .iter()
        .map(|entry| format!("v=1&gpu={}", entry.id))
        .chain(
            models::CATALOG
                .iter()
                .map(|entry| format!("v=1&model={}", entry.id)),
        )
        .chain(["ideal", "helix"].map(|id| format!("v=1&calibration={id}")))
        .chain(["bf16", "fp4"].map(|id| format!("v=1&precision={id}")));
    for text in links {
        let inputs = permalink::read(&text).current;
        for number in Number::ALL {
            let Some(default) = inputs.default_of(number) else {
                continue;
            };
            let written = permalink::write_number(number, default);
            let read = permalink::read_number(number, &written).expect("a default is a number");
            let quotient = number.spec().key.starts_with("e_");
            let dust = if quotient { default * 1e-14 } else { 0.0 };
            assert!((read - default).abs() <= dust, "{text} {number:?}: {read}");
        }
    }
}

/// Generates texts that resemble permalinks: keys, numbers, escapes, and foreign characters.
fn texts() -> impl Strategy<Value = String> {
    let key = proptest::sample::select(
        Number::ALL
            .map(|number| number.spec().key)
            .into_iter()
            .chain([
                "model",
                "gpu",
                "arch",
                "v",
                "a.v",
                "a.gpus",
                "overlap",
                "fold",
                "embed",
                "view",
                "layer",
                "families",
                "search_gpus",
                "accelerators",
                "precisions",
                "search_batch",
                "batch_steps",
                "mode",
                "latencies",
                "lengths",
                "metric",
                "change",
                "show",
                "paper",
                "lines",
                "axes",
                "per",
            ])
            .collect::<Vec<_>>(),
    );
    let value = prop_oneof![
        "[0-9]{1,9}[.]?[0-9]{0,3}[kMGTb%]{0,2}",
        "[-+]?[0-9.eE]{1,12}",
        "(custom|h100|kimi-k2|none|block|ratio|simulate|table2|fixed|NaN|inf|e30|eyJ9|%[0-9a-f]{2})",
        "(custom|h100|tp|helix|none|fp4|8|16,?|72|,){1,6}",
        any::<f64>().prop_map(|number| number.to_string()),
        any::<String>(),
    ];
    let pair =
        (key.prop_map(str::to_owned), value).prop_map(|(key, value)| format!("{key}={value}"));
    let part = prop_oneof![8 => pair, 1 => any::<String>(), 1 => Just("&?#=%".to_owned())];
    proptest::collection::vec(part, 0..12).prop_map(|parts| parts.join("&"))
}

#[test]
fn no_text_upsets_the_reader() {
    let config = Config {
        cases: 3000,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let reporter = RefCell::new(Reporter::default());
    let outcome = TestRunner::new_with_rng(config, rng).run(&texts(), |text| {
        let link = permalink::read(&text);
        let written = permalink::write(&link);
        let again = permalink::read(&written);
        assert!(again.notes.is_empty(), "{written}: {:?}", again.notes);
        assert_eq!(permalink::write(&again), written);
        assert_eq!(again.current, link.current.normalized());
        assert_eq!(again.pinned, link.pinned.map(Inputs::normalized));
        // Any link is answered, with finite numbers or with reasons.
        let answer = reporter.borrow_mut().report(&text);
        let json = serde_json::to_value(answer).expect("a result is JSON");
        let refused = json["reasons"]
            .as_array()
            .is_some_and(|reasons| !reasons.is_empty());
        assert!(json["ok"] == true && answered(&json) || json["ok"] == false && refused);
        Ok::<(), TestCaseError>(())
    });
    assert!(
        outcome.is_ok(),
        "{}",
        outcome
            .err()
            .map_or(String::new(), |error| error.to_string())
    );
}

/// Returns true if a result contains the main number of its mode: the step time or the best A:F ratio.
fn answered(json: &serde_json::Value) -> bool {
    json["step_s"].is_f64() || json["r_star"].is_f64()
}

/// Returns hostile permalinks of about `size` bytes.
fn hostile(size: usize) -> Vec<String> {
    let fill = |part: &str| part.repeat(size / part.len());
    vec![
        fill("x"),
        fill("&"),
        fill("="),
        fill("?"),
        fill("%"),
        fill("%00"),
        fill("gpus=1&"),
        format!("v=1&search_gpus={}", fill("9,x,")),
        format!("v=1&accelerators={}", fill("custom,h100,é,")),
        fill("zz=1&"),
        fill("a.gpus=x&"),
        fill("\u{1F600}=\u{202E}&"),
        format!("v=1&gpus={}", fill("9")),
        format!("v=1&batch=1e{}", fill("9")),
        format!("v=1&context={}", fill("_")),
        format!("v=1&model={}", fill("é")),
        format!("v=1&model=custom&arch={}", fill("W1tb")),
        format!("v=1&model=custom&{}", fill("arch=e30&")),
        String::from_utf8_lossy(&(0..size).map(|i| (i * 131 % 256) as u8).collect::<Vec<_>>())
            .into_owned(),
    ]
}

/// Checks that a meaningless value in a permalink is ignored with a note that names its key, and that the other
/// values apply.
#[test]
fn meaningless_values_are_left_out() {
    let long = "A".repeat(100_000);
    for (key, value) in [
        ("beta", "1e-300"),
        ("compute_price", "1e-308"),
        ("scale_out", "1e-19"),
        ("price", "5e-324"),
        ("sliders", ""),
        ("sliders", "model"),
        ("arch", &long),
    ] {
        let link = permalink::read(&format!("v=2&gpus=144&{key}={value}"));
        let notes: Vec<String> = link.notes.iter().map(ToString::to_string).collect();
        assert!(
            notes.iter().any(|note| note.starts_with(key)),
            "{key}: {notes:?}"
        );
        assert!(!permalink::write(&link).contains(key), "{key}");
        assert_eq!(link.current.get(Number::Gpus), Some(144.0));
    }
    // Old permalinks keep their results, so this tiny value applies, without a note.
    let old = permalink::read("v=2&beta=1e-17");
    assert_eq!(old.current.stated(Number::Beta), Some(1e-17));
    assert!(old.notes.is_empty());
}

#[test]
fn peaks_are_read_in_their_units() {
    for text in ["1500", "1500T", "1.5P", "1.5k", "1.5PFLOPS"] {
        let link = permalink::read(&format!("v=2&gpu=custom&peak_fp8={text}"));
        assert_eq!(link.current.stated(Number::PeakFp8), Some(1500.0), "{text}");
    }
}

/// Checks that the notes about a permalink are few and short even if the permalink is long, because the page shows
/// the notes.
#[test]
fn a_hostile_link_is_answered_briefly() {
    for text in hostile(100_000) {
        let json = serde_json::to_string(&report(&text)).expect("a result is JSON");
        let beginning: String = text.chars().take(30).collect();
        assert!(
            json.len() < 20_000,
            "{} bytes of answer to {beginning}…",
            json.len()
        );
        let link = permalink::read(&text);
        assert!(link.notes.len() <= 21, "{} notes", link.notes.len());
        for note in &link.notes {
            assert!(note.to_string().chars().count() < 400, "{note}");
            assert!(!note.to_string().contains(char::is_control), "{note:?}");
        }
    }
}

/// Checks that reading a 64 times longer permalink allocates at most 150 times as much memory; copying everything for
/// every key would allocate 4096 times as much. Allocations are counted instead of measuring time, which depends on
/// the load of the machine. `cargo xtask fuzz` prints the slowest permalink.
#[test]
fn reading_is_linear() {
    let allocated = |text: &str| {
        let read = || {
            drop(std::hint::black_box(permalink::read(std::hint::black_box(
                text,
            ))))
        };
        allocation_counter::measure(read).bytes_total
    };
    for (short, long) in hostile(2_000).iter().zip(hostile(128_000)) {
        let beginning: String = short.chars().take(30).collect();
        let (short, long) = (allocated(short), allocated(&long));
        assert!(
            long <= 150 * short.max(2_000),
            "{beginning}…: {short} → {long}"
        );
    }
}

/// Key of the accelerator whose scale-up bandwidth in the catalog was corrected after release 0.1.
const CORRECTED: &str = "gpu=mi355x&";
/// Keys of accelerators whose memory capacity was changed to the vendor's figure after release 0.1; `OF_CAPACITY`
/// lists the result fields that depend on it.
const CAPACITY_AS_PRINTED: [&str; 1] = ["gpu=b300&"];
const OF_CAPACITY: [&str; 1] = ["limits/b_cap"];

/// Checks that the figures of a permalink equal the recorded ones to the bit, except for the fields in `changed`.
fn keeps(link: &str, figures: &str, changed: &[&str]) {
    let now = serde_json::to_value(report(link)).expect("a result is JSON");
    for figure in figures.split(' ') {
        let (place, then) = figure.split_once('=').expect("a place and a number");
        if changed.contains(&place) {
            continue;
        }
        let then: f64 = then.parse().expect("a number");
        let found = now
            .pointer(&format!("/{place}"))
            .and_then(|now| now.as_f64());
        let found = found.expect("the place is still there");
        assert_eq!(
            found.to_bits(),
            then.to_bits(),
            "{link}: {place} {then} → {found}"
        );
    }
}

/// Checks that permalinks with an explicit calibration give the same bits as release 0.1, except on accelerators
/// whose catalog values were corrected later. Each line of `recorded/release-0.1.tsv` has a permalink and its
/// figures, as that release printed them.
#[test]
fn results_of_release_0_1() {
    let recorded = include_str!("recorded/release-0.1.tsv");
    assert!(recorded.lines().count() >= 300);
    for line in recorded.lines() {
        let (link, figures) = line.split_once('\t').expect("a link and its figures");
        if link.contains(CORRECTED) {
            continue;
        }
        let as_printed = CAPACITY_AS_PRINTED.iter().any(|row| link.contains(row));
        keeps(link, figures, if as_printed { &OF_CAPACITY } else { &[] });
    }
}

/// Checks that the results of version-1 permalinks are bit-identical to those when version 2 was introduced.
/// `recorded/version-1.tsv` has the permalinks and their figures: every preset, and a range of models, accelerators,
/// plans and overrides.
#[test]
fn version_1_keeps_its_results() {
    let recorded = include_str!("recorded/version-1.tsv");
    assert!(recorded.lines().count() >= 200);
    for line in recorded.lines() {
        let (link, figures) = line.split_once('\t').expect("a link and its figures");
        keeps(link, figures, &[]);
    }
}

/// Checks that a scenario is written in the permalink version in which it was read, with that version's defaults.
#[test]
fn versions_keep_their_defaults() {
    for (link, written) in [
        ("v=2", "v=2"),
        ("batch=64&v=2&reserve=0.1", "v=2&batch=64"),
        ("v=2&calibration=kernels-2026-11", "v=2"),
        (
            "v=2&calibration=kernels-2026&reserve=0",
            "v=2&calibration=kernels-2026&reserve=0",
        ),
        (
            "v=1&calibration=kernels-2026-11&reserve=0.1",
            "v=1&calibration=kernels-2026-11&reserve=0.1",
        ),
        ("batch=64", "v=1&batch=64"),
        ("v=2&a.batch=64", "v=2&a.batch=64"),
        ("v=2&a.v=2", "v=2&a.v=2"),
        ("v=2&a.v=1&a.batch=64", "v=2&a.v=1&a.batch=64"),
        ("v=1&a.v=2", "v=1&a.v=2"),
        ("v=1&hit=0", "v=1&hit=0"),
    ] {
        let read = permalink::read(link);
        assert_eq!(permalink::write(&read), written, "{link}");
        assert!(read.notes.is_empty(), "{link}: {:?}", read.notes);
    }
    let later = permalink::read("v=4&batch=64");
    assert_eq!(permalink::write(&later), "v=1&batch=64");
    assert_eq!(later.notes.len(), 1);
}
