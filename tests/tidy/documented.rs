//! Tests that `docs/links.md` is complete: it contains every key, every identifier and every result field, and
//! nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use model_core::account::Explained;
use model_core::arch::catalog as models;
use model_core::hardware::catalog as accelerators;
use model_core::inputs::{Number, NumberOf};
use model_core::permalink;
use model_core::report::account::explained;
use model_core::report::search::search;
use model_core::report::{Reporter, pasted};
use model_core::shape::Presence;
use serde::Serialize;
use serde_json::Value;

use super::source::{files, none, read};
use super::typed::{accepts, all_results, objects};

type Words = BTreeSet<String>;

/// Permalinks whose results contain every documented field.
const LINKS: [&str; 16] = [
    "v=1",
    "v=3",
    "v=1&model=kimi-linear-48b&slo=20&target_usd=1&target_tok_s=1000",
    "v=1&model=llama-3-70b&gpus=8&batch=16&slo=1000000",
    "v=1&serving=aggregated&prompt=1000&output=500&mtp=1&calibration=helix",
    "v=1&serving=aggregated&prompt=1000&output=500&calibration=kernels-2026-12",
    "v=2&serving=aggregated&prompt=1000&output=500&measured=90ms@9216&measured_ttft=1s",
    "v=2&model=llama-3-70b&gpus=4&tp=4&measured=12ms@4x1k,14ms@32x1k,32ms@32x16k",
    "v=1&gpus=71&ep=3",
    "v=1&rate=50&ttft=5",
    "v=1&rate=50&ttft=0.001",
    "v=1&rate=50&output=0",
    "v=1&mode=ratio",
    "v=1&mode=ratio&latencies=table2",
    "v=1&mode=simulate&latencies=table2&r=2&slots=8&requests=100",
    "v=1&mode=split&model=llama-3-70b&compute_gpus=2&memory_gpus=4&trace=azure-conv",
];

/// Benchmark outputs whose readings contain every documented field.
const PASTES: [&str; 1] = [
    "vllm serve org/model -tp 8\n==== Serving Benchmark Result ====\nSuccessful requests: 80\nMaximum request \
     concurrency: 4\nBenchmark duration (s): 109.23\nTotal input tokens: 81920\nTotal generated tokens: 81920\nOutput \
     token throughput (tok/s): 750\nMean TTFT (ms): 131.7\nMean TPOT (ms): 5.05\nAcceptance length: 2.84",
];

/// Numbers to explain, each with a permalink. Their accounts (trees of formulas) contain every documented field.
const EXPLAINED: [(&str, &str); 2] = [
    ("tpot", "v=2"),
    ("step", "v=1&model=llama-3-70b&gpus=8&batch=16"),
];

#[test]
fn link_keys() {
    // `a.` pins a second scenario, by the same keys.
    let own = words_of_model()
        .into_iter()
        .filter(|word| !word.starts_with("a."));
    let is_key = |word: &String| {
        let notes = permalink::read(&format!("{word}=@")).notes;
        notes
            .iter()
            .all(|note| note.reason != "is an unknown parameter")
    };
    same(
        "keys",
        &own.filter(is_key).collect(),
        &rows().into_keys().collect(),
    );
}

#[test]
fn link_values() {
    let (rows, words) = (rows(), words_of_model());
    let ids = ids("Models:")
        .into_iter()
        .chain(ids("Accelerators:"))
        .collect::<Words>();
    // Former keys accept and ignore any value; names are any text.
    let checked = |(key, row): &(&String, &String)| {
        *key != "arch" && !row.contains("| former ") && !row.contains("| text of ")
    };
    for (key, row) in rows.iter().filter(checked) {
        let mut named = spans(row);
        for other in rows
            .keys()
            .filter(|other| row.contains(&format!("as `{other}`")))
        {
            named.extend(spans(&rows[other]));
        }
        // Some keys apply only to custom accelerators, or only to calibrations without kernel curves.
        let takes = |word: &String| {
            ["v=1", "v=3", "v=1&gpu=custom", "v=1&calibration=ideal"]
                .into_iter()
                .any(|link| {
                    permalink::read(&format!("{link}&{key}={word}"))
                        .notes
                        .is_empty()
                })
        };
        // Only `sliders` takes names of keys as values, and `none` is the default, an empty list.
        let is_value = |word: &&String| {
            let is_word = word.starts_with(char::is_alphabetic) && !word.contains('=');
            is_word && !rows.contains_key(*word) && !["none", "custom"].contains(&word.as_str())
        };
        let taken = words
            .iter()
            .filter(is_value)
            .filter(|word| !ids.contains(*word) && takes(word));
        let values = spans(row.split('|').nth(3).unwrap_or_default());
        let said = values
            .iter()
            .filter(is_value)
            .filter(|word| !ids.contains(*word));
        let taken: Words = taken.cloned().collect();
        let in_prose = named.intersection(&taken).cloned();
        same(
            &format!("values of {key}"),
            &taken,
            &said.cloned().chain(in_prose).collect(),
        );
    }
}

#[test]
fn limits_and_defaults_of_numbers() {
    let rows = rows();
    let mut wrong = Vec::new();
    for number in Number::ALL {
        let spec = number.spec();
        let key = spec.key;
        let row = &rows[key];
        let column = |at: usize| {
            row.split('|')
                .nth(at)
                .unwrap_or_default()
                .replace(", to", " to")
        };
        let numbers = column(1);
        let numbers: Vec<&str> = numbers.split('`').filter(|key| is_number(key)).collect();
        // A cell has one entry for each number of its row, or one entry for all of them.
        let of_number = |cell: &str| {
            let cells: Vec<&str> = cell.split([',', ';']).map(str::trim).collect();
            let at = numbers.iter().position(|other| *other == key);
            let at = at.filter(|_| cells.len() >= numbers.len()).unwrap_or(0);
            cells.get(at).copied().unwrap_or_default().to_owned()
        };
        let read = |text: &str| {
            // Only permalink version 3 has engine memory.
            let version = if spec.of == NumberOf::EngineMemory {
                3
            } else {
                1
            };
            let link = format!("v={version}&gpu=custom&calibration=ideal&{key}={text}");
            permalink::read(&link).current.stated(number)
        };
        let limits = of_number(&column(3));
        let least = spec.least;
        let (from, to) = match spec.above_least {
            true => (format!("above {least}"), format!("above {least} to ")),
            false => (format!("from {least}"), format!("{least} – ")),
        };
        let met = match limits.strip_prefix(&to) {
            Some(most) => read(most) == Some(spec.most),
            None => limits.split(' ').take(2).eq(from.split(' ')),
        };
        if !met {
            wrong.push(format!(
                "`{key}` takes {least} to {}, not {limits}",
                spec.most
            ));
        }
        // Defaults that depend on other keys are described in words; those of a custom accelerator are numbers.
        let default = of_number(&column(4));
        let own = default.rsplit("custom ").next().unwrap_or_default();
        let stated = own
            .split('`')
            .nth(1)
            .and_then(|text| text.parse::<f64>().ok());
        let begins = own.starts_with('`') && stated.is_some();
        let real = permalink::read("v=1&gpu=custom").current.default_of(number);
        if (begins || default == "none") && real != stated {
            wrong.push(format!("`{key}` is {real:?} by default, not {default}"));
        }
    }
    none("docs/links.md, numbers", &wrong);
}

fn is_number(key: &str) -> bool {
    Number::ALL.iter().any(|number| number.spec().key == key)
}

#[test]
fn catalogue_identifiers() {
    let other = |names: &[(&str, &str)]| -> Vec<String> {
        names.iter().map(|(name, _)| (*name).to_owned()).collect()
    };
    let models = models::CATALOG.iter().map(|entry| entry.id.to_owned());
    let models = models.chain(other(&models::SAME_SHAPE));
    let gpus = accelerators::CATALOG
        .iter()
        .map(|entry| entry.id.to_owned());
    let gpus = gpus.chain(other(&accelerators::PACKAGES));
    same("models", &models.collect(), &ids("Models:"));
    same("accelerators", &gpus.collect(), &ids("Accelerators:"));
}

#[test]
fn result_fields() {
    let text = read("docs/links.md");
    let results = text.split("\n## Results").nth(1).unwrap_or_default();
    let results = results.split("\n## ").next().unwrap_or_default();
    let last = |name: String| name.rsplit('.').next().unwrap_or_default().to_owned();
    let rows = results.lines().filter(|line| line.starts_with("| `"));
    let listed = rows.flat_map(|row| spans(row.split('|').nth(1).unwrap_or_default()));
    let named: Words = spans(results).into_iter().map(last).collect();
    let values = values();
    let mut found = Words::new();
    for (kind, value) in &values {
        collect(value, &mut found);
        assert_eq!(accepts(&all_results()[*kind], value), Ok(()));
    }
    let described = found.intersection(&named).cloned();
    same(
        "results",
        &found,
        &listed.map(last).chain(described).collect(),
    );
    // Every typed field is in a result.
    let typed = objects(&all_results());
    let typed = typed.values().flat_map(|object| (object.fields)());
    let typed = typed.filter(|field| field.presence != Presence::Flat);
    let absent = typed.filter(|field| !found.contains(field.name));
    let absent: Vec<String> = absent.map(|field| field.name.to_owned()).collect();
    none("no result of these tests has", &absent);
}

/// Checks that `public/llms.txt` is short, that its keys are in docs/links.md, and that its fields occur in results.
#[test]
fn assistants_read_real_names() {
    let text = read("public/llms.txt");
    assert!(text.lines().count() <= 200);
    let named = |heading: &str| -> Words {
        let part = text.split(&format!("\n## {heading}\n")).nth(1);
        let part = part.and_then(|rest| rest.split("\n## ").next());
        let rows = part.unwrap_or_default().lines();
        let rows = rows.filter(|line| line.starts_with("| `"));
        rows.flat_map(|row| spans(row.split('|').nth(1).unwrap_or_default()))
            .collect()
    };
    let mut fields = Words::new();
    values()
        .iter()
        .for_each(|(_, value)| collect(value, &mut fields));
    for (heading, real) in [("Keys", rows().into_keys().collect()), ("Fields", fields)] {
        let named = named(heading);
        assert!(named.len() > 15, "{named:?}");
        let unknown: Vec<String> = named.difference(&real).cloned().collect();
        none("public/llms.txt names what does not exist", &unknown);
    }
}

/// Fails with words that the documentation lacks, and with words that exist only in the documentation.
fn same(what: &str, real: &Words, documented: &Words) {
    let missing = real
        .difference(documented)
        .map(|word| format!("`{word}` is missing"));
    let stale = documented
        .difference(real)
        .map(|word| format!("`{word}` does not exist"));
    none(
        &format!("docs/links.md, {what}"),
        &missing.chain(stale).collect::<Vec<_>>(),
    );
}

/// Returns the rows of the key tables in `docs/links.md`, indexed by each key that a row contains.
fn rows() -> BTreeMap<String, String> {
    let text = read("docs/links.md");
    let keys = text.split("\n## Keys").nth(1).unwrap_or_default();
    let keys = keys.split("\n### Ids").next().unwrap_or_default();
    let rows = keys.lines().filter(|line| line.starts_with("| `"));
    let names = |row: &str| spans(row.split('|').nth(1).unwrap_or_default());
    rows.flat_map(|row| names(row).into_iter().map(|key| (key, row.to_owned())))
        .collect()
}

/// Returns the identifiers listed in the paragraph of `docs/links.md` that begins with `begin`.
fn ids(begin: &str) -> Words {
    let text = read("docs/links.md");
    let paragraph = text.split(&format!("\n{begin}")).nth(1).unwrap_or_default();
    let list = paragraph.split("\n\n").next().unwrap_or_default();
    spans(list.split(". ").next().unwrap_or_default())
}

/// Returns every word in the strings of the model's source.
fn words_of_model() -> Words {
    let is_part = |letter: char| {
        letter.is_ascii_lowercase() || letter.is_ascii_digit() || "_-.".contains(letter)
    };
    let mut words = Words::new();
    for file in files("model-core/src", ".rs") {
        for text in file
            .code()
            .flat_map(|(_, line)| line.split('"').skip(1).step_by(2))
        {
            words.extend(text.split(|letter| !is_part(letter)).map(str::to_owned));
        }
    }
    words.remove("");
    words
}

/// Adds the names of all fields of a result to a set.
fn collect(value: &Value, into: &mut Words) {
    if let Some(fields) = value.as_object() {
        into.extend(fields.keys().cloned());
        // The field `set` of a lever contains permalink keys, not result fields.
        let values = fields.iter().filter(|(name, _)| *name != "set");
        values.for_each(|(_, value)| collect(value, into));
    }
    let values = value.as_array().into_iter().flatten();
    values.for_each(|value| collect(value, into));
}

/// Returns results, each with the index of its type in [`all_results`].
fn values() -> Vec<(usize, Value)> {
    fn json(result: &impl Serialize) -> Value {
        serde_json::to_value(result).expect("a result is JSON")
    }
    let mut reporter = Reporter::default();
    let mut all: Vec<(usize, Value)> = LINKS
        .iter()
        .map(|link| (0, json(&reporter.advised(link))))
        .collect();
    all.push((1, json(&search("v=3&model=qwen3-8b&gpu=h100"))));
    for (number, link) in EXPLAINED {
        let number = Explained::of_id(number).expect("a number");
        let inputs = permalink::read(link).current;
        let found = explained(&inputs, number).expect("the link has this number");
        all.push((2, json(&found)));
    }
    all.extend(PASTES.iter().map(|paste| (3, json(&pasted::read(paste)))));
    all
}

/// Returns the parts of a text between backticks.
fn spans(text: &str) -> Words {
    text.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// Checks that the examples named by commands in documents and in xtask exist, and that every example is named.
#[test]
fn examples_exist() {
    let documents = ["README.md", "docs/links.md"].map(read);
    let sources = files("xtask/src", ".rs");
    let texts = documents
        .iter()
        .chain(sources.iter().map(|file| &file.text));
    let named = texts.flat_map(|text| text.split("-p model-core --example ").skip(1));
    let end = |c: char| !c.is_alphanumeric() && c != '_';
    let named: Words = named
        .filter_map(|rest| rest.split(end).next())
        .map(str::to_owned)
        .collect();
    let there = files("model-core/examples", ".rs");
    let there = there
        .iter()
        .filter_map(|file| Path::new(&file.path).file_stem()?.to_str());
    same("examples", &there.map(str::to_owned).collect(), &named);
}
