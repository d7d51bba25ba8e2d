//! Generates the golden cases (expected results, transcribed from papers) as Rust constants from the TOML files in
//! `tests/golden`.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;

const GOLDEN: &str = "../tests/golden";
/// Folders with the golden cases of the five papers; `OTHERS` lists the folders of all other cases. Both are in
/// alphabetical order.
const PAPERS: [&str; 5] = ["a", "b", "h", "l", "r"];
const OTHERS: [&str; 3] = ["equations", "measured", "model"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    paper: String,
    title: String,
    #[serde(default)]
    base: String,
    #[serde(default)]
    shape: BTreeMap<String, toml::Value>,
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    locator: String,
    link: String,
    measure: String,
    #[serde(default)]
    times: Vec<String>,
    #[serde(default)]
    per: Vec<String>,
    against: Option<String>,
    #[serde(default)]
    given: BTreeMap<String, f64>,
    expected: Option<f64>,
    tolerance: Option<Tolerance>,
    at_least: Option<f64>,
    at_most: Option<f64>,
    unit: String,
    because: String,
    known_gap: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Tolerance {
    Absolute(f64),
    Percent(String),
}

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    println!("cargo:rerun-if-changed={GOLDEN}");
    let mut text = String::new();
    for (name, doc, folders) in [
        (
            "OF_PAPERS",
            "Golden cases from the five papers.",
            &PAPERS[..],
        ),
        (
            "OTHERS",
            "Golden cases from hand-evaluated equations, published configurations and measured systems.",
            &OTHERS[..],
        ),
    ] {
        writeln!(text, "/// {doc}\npub static {name}: &[File] = &[")?;
        for folder in folders {
            for path in sorted(&Path::new(GOLDEN).join(folder))? {
                println!("cargo:rerun-if-changed={}", path.display());
                write_file(&mut text, folder, &path)
                    .map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
        text.push_str("];\n");
    }
    let out = PathBuf::from(std::env::var("OUT_DIR")?).join("cases.rs");
    fs::write(out, text)?;
    Ok(())
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn write_file(text: &mut String, folder: &str, path: &Path) -> Result<()> {
    let mut file: File = toml::from_str(&fs::read_to_string(path)?)?;
    let mut shapes = Vec::new();
    for (name, arch) in &file.shape {
        let arch = URL_SAFE_NO_PAD.encode(serde_json::to_string(arch)?);
        shapes.push((format!("model={name}"), format!("model=custom&arch={arch}")));
    }
    for case in &mut file.case {
        for link in std::iter::once(&mut case.link).chain(&mut case.against) {
            if !file.base.is_empty() {
                *link = format!("{}&{link}", file.base);
            }
            for (named, whole) in &shapes {
                *link = link.replace(named, whole);
            }
        }
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    writeln!(
        text,
        "File {{ path: {:?}, paper: {:?}, title: {:?}, cases: &[",
        format!("{folder}/{name}"),
        file.paper,
        file.title
    )?;
    for case in &file.case {
        let tolerance = match &case.tolerance {
            None => "None".to_owned(),
            Some(Tolerance::Absolute(value)) => format!("Some(Tolerance::Absolute({value:?}))"),
            Some(Tolerance::Percent(words)) => {
                let number = words
                    .strip_suffix('%')
                    .ok_or("a tolerance must be a number or a percentage")?;
                let percent: f64 = number.trim().parse()?;
                format!("Some(Tolerance::Percent({percent:?}))")
            }
        };
        let given: Vec<(&String, &f64)> = case.given.iter().collect();
        writeln!(
            text,
            "Case {{ locator: {:?}, link: {:?}, measure: {:?}, times: &{:?}, per: &{:?}, against: {:?}, given: &{:?}, \
             expected: {:?}, tolerance: {tolerance}, at_least: {:?}, at_most: {:?}, unit: {:?}, because: {:?}, \
             known_gap: {:?} }},",
            case.locator,
            case.link,
            case.measure,
            case.times,
            case.per,
            case.against,
            given,
            case.expected,
            case.at_least,
            case.at_most,
            case.unit,
            case.because,
            case.known_gap,
        )?;
    }
    text.push_str("] },\n");
    Ok(())
}
