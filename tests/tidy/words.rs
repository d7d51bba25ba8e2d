//! Tests of wording in user-visible strings and in doc comments: each thing is always called by the same word.
//!
//! A literal without a space is an identifier, a key or a class, and is not checked.

use super::source::{File, files, none, read};

/// Banned phrases, each with the wording to use instead. `*` matches letters, `#` a digit.
const BANNED: &[(&str, &str)] = &[
    ("in all", "total"),
    ("user speed*", "interactivity, tok/s/user"),
    ("users as fast", "at the same tok/s/user"),
    ("tok/s per", "tok/s/user, tok/s/GPU"),
    ("tokens/s per", "tok/s/user, tok/s/GPU"),
    ("first token", "TTFT"),
    ("as now", "unchanged"),
    ("of now", "current"),
    ("over now", "vs. current"),
    ("keep", "meet, use, store"),
    ("keeps", "meets, uses, stores"),
    ("kept", "met, used, stored"),
    ("pay", "help, cost less"),
    ("pays", "helps, costs less"),
    ("mends", "helps"),
    ("do as well", "levels off at"),
    ("does as well", "levels off at"),
    ("as many miss", "that batch misses"),
    ("as many do", "that batch"),
    ("nothing works", "infeasible"),
    ("none works", "infeasible"),
    ("neither works", "neither is feasible"),
    ("that work", "feasible"),
    ("that works", "feasible"),
    ("impossible", "invalid, infeasible"),
    ("stand in", "is used for"),
    ("stands in", "is used for"),
    ("stand-in*", "assumed"),
    ("stand for", "is"),
    ("stands for", "is"),
    ("lie", "is"),
    ("lies", "is"),
    ("told", "shown"),
    ("tells", "shows"),
    ("says", "shows, is"),
    ("come out", "is reproduced"),
    ("comes out", "is reproduced"),
    ("fullest", "most loaded"),
    ("hide", "overlap"),
    ("hides", "overlaps"),
    ("hidden *", "overlapped"),
    ("messages", "communication"),
    ("matrix product*", "GEMM"),
    ("feed-forward*", "FFN"),
    ("latent attention", "MLA"),
    ("grouped attention", "GQA"),
    ("attention's core", "attention kernel"),
    ("mixture of experts", "MoE"),
    ("apart", "separate, AFD"),
    ("together", "colocated, both"),
    ("instance*", "replica, rank"),
    ("bundle*", "xAyF unit"),
    ("as stated", "as set"),
    ("is stated", "is set"),
    ("unless stated", "by default"),
    ("default holds", "using the default"),
    ("of its own", "separate"),
    ("of their own", "separate"),
    ("of our own", "our"),
    ("one's own", "the user's"),
    ("beside", "next to, vs."),
    ("against", "vs."),
    ("nothing to draw", "nothing to plot"),
    ("nothing to map", "nothing to plot"),
    ("nothing to time", "nothing to plot"),
    ("nothing to store", "nothing to plot"),
    ("nothing to compare", "nothing to plot"),
    ("# %", "5%"),
    ("modell*", "model*"),
    ("colour*", "color"),
    ("grey*", "gray"),
    ("catalogue*", "catalog"),
    ("cancelled", "canceled"),
    ("licence*", "license"),
    ("behaviour*", "behavior"),
    ("neighbour*", "neighbor"),
    ("favour*", "favor"),
    ("slow-down*", "slowdown"),
    ("utilis*", "utiliz*"),
    ("quantis*", "quantiz*"),
    ("normalis*", "normaliz*"),
    ("specialis*", "specializ*"),
    ("recognis*", "recogniz*"),
];

/// Phrases that contain a banned phrase but are allowed, because it has its plain meaning there.
const ALLOWED: &[&str] = &[
    "time to first token",
    "in all ## layers",
    "hide line",
    // A table's columns, as classes.
    "numeric bundle",
    "hidden element",
    "hidden lines",
    "role=messages",
    "hidden size",
    "hidden states",
    "hidden width",
    "multi-head latent attention",
    // A choice of the Limits view, as a class.
    "switch-right against",
];

/// Source folders with user-visible strings.
const READ: [&str; 7] = [
    "answer/src",
    "guide/src",
    "app/src",
    "model-core/src",
    "papers/src",
    "ridgepoint/src",
    "worker/src",
];
/// Table files that contain user-visible text.
const TABLES: [&str; 3] = [
    "model-core/src/measured/absent.tsv",
    "model-core/src/measured/runs.tsv",
    "tests/golden/figures.tsv",
];

/// Returns the first banned phrase in a text, with its replacement.
fn banned(text: &str) -> Option<&'static (&'static str, &'static str)> {
    let plain: String = text
        .to_lowercase()
        .chars()
        .map(|letter| match letter {
            '’' => '\'',
            digit if digit.is_ascii_digit() => '#',
            letter => letter,
        })
        .collect();
    let plain = ALLOWED
        .iter()
        .fold(plain, |text, allowed| text.replace(allowed, ""));
    let letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '#');
    BANNED.iter().find(|(phrase, _)| {
        let (stem, open) = match phrase.strip_suffix('*') {
            Some(stem) => (stem, true),
            None => (*phrase, false),
        };
        plain.match_indices(stem).any(|(at, _)| {
            let before = plain[..at].chars().next_back();
            let after = plain[at + stem.len()..].chars().next();
            (stem.starts_with('#') || !before.is_some_and(letter))
                && (open || !after.is_some_and(letter))
        })
    })
}

/// A text in a source file, with the number of its first line.
struct Said {
    line: usize,
    text: String,
}

/// Returns the checked texts of a source file: its doc comments line by line, without code spans and parenthesized
/// text, and its string literals, without format arguments.
fn said(source: &str) -> (Vec<Said>, Vec<Said>) {
    let (mut docs, mut literals) = (Vec::new(), Vec::new());
    let (mut rest, mut line) = (source, 1);
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            let comment = rest.lines().next().unwrap_or_default();
            if comment.starts_with("///") || comment.starts_with("//!") {
                let text = without(&without(comment, '`', '`'), '(', ')');
                docs.push(Said { line, text });
            }
            comment.len()
        } else if rest.starts_with("r\"") || rest.starts_with("r#\"") {
            let (hashes, _) = rest[1..].split_once('"').unwrap_or_default();
            let begin = hashes.len() + 2;
            let end = rest[begin..].find(&format!("\"{hashes}"));
            end.map_or(rest.len(), |end| begin + end + 1 + hashes.len())
        } else if first == '"' {
            let text = literal(&rest[1..]);
            let length = text.len() + 2;
            let text = without(text, '{', '}');
            literals.push(Said { line, text });
            length
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            4.min(rest.len()) - usize::from(rest.starts_with("'\"'"))
        } else {
            first.len_utf8()
        };
        let (passed, next) = rest.split_at(length.min(rest.len()));
        line += passed.matches('\n').count();
        rest = next;
    }
    (docs, literals)
}

/// Returns a string literal up to its closing quote.
fn literal(text: &str) -> &str {
    let mut escaped = false;
    let end = text.find(|letter| {
        let closes = letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        closes
    });
    &text[..end.unwrap_or(text.len())]
}

/// Returns a text without the parts between `open` and `close`.
fn without(text: &str, open: char, close: char) -> String {
    let mut inside = false;
    let mut kept = String::new();
    for letter in text.chars() {
        if !inside {
            kept.push(letter);
        }
        inside = if inside {
            letter != close
        } else {
            letter == open
        };
    }
    kept
}

fn offender(path: &str, said: &Said) -> Option<String> {
    let (phrase, better) = banned(&said.text)?;
    let text = said.text.trim();
    Some(format!(
        "{path}:{}: “{phrase}”, say {better}: {text}",
        said.line
    ))
}

#[test]
fn strings_have_the_words_of_the_field() {
    let mut found = Vec::new();
    for File { path, text } in READ.iter().flat_map(|folder| files(folder, ".rs")) {
        let tests = path.ends_with("tests.rs") || path.contains("/tests/");
        let program = text.split("\n#[cfg(test)]\nmod tests {").next();
        let (_, literals) = said(program.filter(|_| !tests).unwrap_or_default());
        let prose = literals.iter().filter(|said| said.text.contains(' '));
        found.extend(prose.filter_map(|said| offender(&path, said)));
        let dots = |said: &&Said| said.text.contains(" …");
        let spaced = literals.iter().filter(dots);
        found.extend(spaced.map(|said| format!("{path}:{}: a space before …", said.line)));
    }
    for path in TABLES {
        for (number, row) in read(path).lines().enumerate() {
            let fields = row.split('\t').filter(|field| !field.contains("link="));
            found.extend(fields.filter_map(|field| {
                let (line, text) = (number + 1, field.to_owned());
                offender(path, &Said { line, text })
            }));
        }
    }
    none("a wording that a native speaker would not use", &found);
}

#[test]
fn doc_comments_have_the_words_of_the_field() {
    let mut found = Vec::new();
    for File { path, text } in files("", ".rs") {
        let docs = said(&text).0;
        found.extend(docs.iter().filter_map(|said| offender(&path, said)));
    }
    none("a wording that a native speaker would not use", &found);
}

#[test]
fn banned_phrases_are_found() {
    for text in [
        "18,432 in all",
        "Colours of it",
        "is 5 % more",
        "It’s attention’s core",
    ] {
        assert!(banned(text).is_some(), "{text}");
    }
    for text in [
        "Installed",
        "time to first token",
        "5% more",
        "recolor",
        "switch-right against",
    ] {
        assert!(banned(text).is_none(), "{text}");
    }
    let (docs, literals) =
        said("/// Says `told` it.\nlet a = '\"'; // kept\nlet b = \"{told} \\\" lies\";\n");
    assert_eq!((docs.len(), docs[0].line, literals[0].line), (1, 1, 3));
    assert!(banned(&docs[0].text).is_some() && banned(&literals[0].text).is_some());
}
