//! Computes numbers for documents, such as tables of the model's errors and answers to permalinks, and inserts them
//! between markers.

mod answers;
mod recent;
pub mod series;
mod tables;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Documents with computed tables, and the names of the tables in each.
const DOCUMENTS: [(&str, &[&str]); 3] = [
    ("public/llms.txt", &["answers"]),
    ("README.md", &["line"]),
    (
        "docs/accuracy.md",
        &[
            "groups", "rows", "bands", "terms", "excluded", "absent", "line", "recent", "far",
            "engine", "pools", "series",
        ],
    ),
];

const END: &str = "<!-- /accuracy -->";

/// Names of all computed tables.
pub const TABLES: [&str; 13] = [
    "answers", "groups", "rows", "bands", "terms", "excluded", "absent", "line", "recent", "far",
    "engine", "pools", "series",
];

/// Returns the table with this name in Markdown; an error if the name is unknown or a number cannot be evaluated.
pub fn table(name: &str) -> Result<String, String> {
    match name {
        "answers" => answers::answers(),
        "line" => recent::line(),
        "groups" => tables::groups(),
        "rows" => tables::rows(),
        "bands" => Ok(tables::bands()),
        "terms" => tables::terms(),
        "excluded" => tables::excluded(),
        "absent" => Ok(tables::absent()),
        "recent" => recent::groups(),
        "far" => recent::far(),
        "engine" => recent::engine(),
        "pools" => tables::pools(),
        "series" => series::table(),
        _ => Err(format!("there is no table {name}")),
    }
}

/// Returns all tables, one after another.
pub fn all() -> Result<String, String> {
    let mut text = String::new();
    for name in TABLES {
        let _ = writeln!(text, "{}", table(name)?);
    }
    Ok(text)
}

/// Returns each document with computed tables: its path, its current text, and its text with up-to-date tables.
pub fn documents() -> Result<Vec<(PathBuf, String, String)>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    DOCUMENTS
        .iter()
        .map(|(path, names)| {
            let path = root.join(path);
            let text = fs::read_to_string(&path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            let mut right = text.clone();
            for name in *names {
                right = replaced(&right, name, &table(name)?)
                    .ok_or_else(|| format!("{} has no place for {name}", path.display()))?;
            }
            Ok((path, text, right))
        })
        .collect()
}

/// Returns the text with the table in place of whatever was between its markers; `None` if a marker is missing.
fn replaced(text: &str, name: &str, table: &str) -> Option<String> {
    let mark = format!("<!-- accuracy: {name} -->\n");
    let (before, rest) = text.split_once(&mark)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{mark}\n{table}\n{END}{after}"))
}
