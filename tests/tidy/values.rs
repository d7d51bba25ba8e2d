//! Tests that the crate `answer` never examines text that the program itself wrote; its sentences depend on values
//! instead.

use super::source::{files, none};

/// Code patterns that compare or search text.
const READS: [&str; 22] = [
    "== \"",
    "!= \"",
    "== Some(\"",
    "!= Some(\"",
    "\" =>",
    "\") =>",
    ".split('",
    ".split(\"",
    ".split_once(",
    ".starts_with(",
    ".ends_with(",
    ".strip_prefix(",
    ".strip_suffix(",
    ".contains('",
    ".contains(\"",
    ".find('",
    ".find(\"",
    ".trim_start_matches(",
    ".trim_end_matches(",
    ".replace('",
    ".replace(\"",
    ".parse(",
];

/// Files that are allowed to examine text, each with a description of that text.
const MAY: [(&str, &str); 14] = [
    (
        "answer/src/words/format.rs",
        "digits of the number it writes",
    ),
    ("answer/src/words/names.rs", "names of the catalogs"),
    ("answer/src/controls/typed.rs", "typed texts"),
    ("answer/src/controls/rows.rs", "identifiers of mixers"),
    ("answer/src/page/glue.rs", "places of line breaks"),
    ("answer/src/page/embed.rs", "quotes of HTML"),
    ("answer/src/picture/", "quotes of CSV and SVG"),
    ("answer/src/papers/", "data files and links"),
    ("answer/src/compare.rs", "links and their keys"),
    ("answer/src/levers.rs", "keys of links"),
    ("answer/src/lamina/problems.rs", "keys of links"),
    ("answer/src/afd/curve.rs", "a number rounded to digits"),
    ("answer/src/charts/measured.rs", "shorter names of runs"),
    ("answer/src/words/sentence.rs", "marks of emphasis"),
];

#[test]
fn no_code_reads_text_the_program_wrote() {
    let may = |path: &str| MAY.iter().any(|(place, _)| path.starts_with(place));
    let all = files("answer/src", ".rs");
    let read = all.iter().filter(|file| !may(&file.path));
    let found: Vec<String> = read.flat_map(|file| file.lines_with(&READS)).collect();
    none("a value instead of its text", &found);
}
