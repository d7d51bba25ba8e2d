//! Tests of the guide: every number in it can be computed, every claim holds, and no number is typed by hand.

#![allow(clippy::expect_used, reason = "helpers of tests are tests too")]

use std::fs;
use std::path::{Path, PathBuf};

use answer::lamina::{SplitOutcome, split_answer};
use answer::words::format;
use answer::words::headline::Headline;
use answer::words::names::chapter;
use guide::{Chapter, Guide};
use model_core::account::Section;
use model_core::lamina::report;
use model_core::permalink::{self, View};

/// Maximum number of words in a chapter of the guide.
const WORDS: usize = 700;

/// Names that contain digits. A longer name comes before a name that it contains, because the names are removed in this
/// order.
const NAMES: &[&str] = &[
    "Llama 3.1 405B",
    "Llama 3.1 8B",
    "Llama 3 70B",
    "DeepSeek-V3",
    "GPT-3",
    "MiniMax M3",
    "GB200",
    "H200",
    "H100",
    "H20",
    "FP8",
    "BF16",
];

fn guide() -> Guide {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide");
    Guide::read(&sources).expect("the sources of the guide")
}

/// Returns the text without the parts that begin with `open` and end with `close`.
fn without(text: &str, open: &str, close: &str) -> String {
    let mut parts = text.split(open);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once(close).map_or("", |(_, after)| after));
    }
    plain
}

/// Returns the prose of a chapter, without templates, code, addresses, comments and definitions of scenarios.
fn prose(chapter: &Chapter) -> String {
    let text = without(&chapter.source, "<!--", "-->");
    let lines = text.lines().filter(|line| !line.contains("]: ../?"));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    let code_free: Vec<&str> = text.split('`').step_by(2).collect();
    let text = code_free.concat().replace("](", "] (");
    without(&without(&text, " (../?", ")"), " (./", ")")
}

/// Folder with the generated guide; it is deleted on drop.
struct Written(PathBuf);

impl Written {
    fn new(name: &str) -> Self {
        let id = std::process::id();
        let folder = std::env::temp_dir().join(format!("ridgepoint-guide-{name}-{id}"));
        guide().write(&folder).expect("a guide whose claims hold");
        Self(folder)
    }

    fn pages(&self) -> Vec<(String, String)> {
        let names = guide().chapters.into_iter().map(|chapter| chapter.stem);
        let names = names.chain(["index", "model"].map(str::to_owned));
        let page = |name: String| {
            let path = self.0.join(format!("{name}.html"));
            let html = fs::read_to_string(path).expect("a page of a chapter");
            (name, html)
        };
        names.map(page).collect()
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let begins = format!(" {name}=\"");
    let parts = html.split(&begins).skip(1);
    parts.filter_map(|part| part.split('"').next()).collect()
}

#[test]
fn templates_compute_and_claims_hold() {
    let written = Written::new("whole");
    for (name, html) in written.pages() {
        assert!(!html.contains("{{") && !html.contains("}}"), "{name}");
        assert!(!html.contains("NaN") && !html.contains("inf "), "{name}");
        for inline in ["style=", "<style", "javascript:", " onclick", "<script>"] {
            assert!(!html.contains(inline), "{name}: {inline}");
        }
        assert_eq!(html.matches("<h1").count(), 1, "{name}");
        for address in attributes(&html, "href")
            .iter()
            .chain(&attributes(&html, "src"))
        {
            if let Some(link) = address.strip_prefix("../?") {
                let notes = permalink::read(&link.replace("&amp;", "&")).notes;
                assert!(notes.is_empty(), "{name}: ?{link}: {notes:?}");
            }
            let address = address.split(['?', '#']).next().unwrap_or_default();
            let local = address.strip_prefix("./").filter(|rest| !rest.is_empty());
            let exists = local.is_none_or(|file| written.0.join(file).is_file());
            assert!(exists, "{name}: {address}");
        }
        let images = html.matches("<img ").count();
        let named = attributes(&html, "alt")
            .into_iter()
            .filter(|alt| !alt.trim().is_empty());
        assert_eq!(named.count(), images, "{name}: images with words");
        // Each figure has a light and a dark image, each wide and narrow.
        assert_eq!(
            images,
            2 * html.matches("<ridgepoint-figure ").count(),
            "{name}"
        );
        for address in attributes(&html, "srcset") {
            let file = address.trim_start_matches("./");
            assert!(written.0.join(file).is_file(), "{name}: {address}");
        }
    }
}

#[test]
fn chapters_are_short_and_ask_two_questions() {
    let guide = guide();
    assert_eq!(guide.chapters.len(), 7);
    for (index, chapter) in guide.chapters.iter().enumerate() {
        let name = &chapter.stem;
        assert_eq!(chapter.number, index + 1, "{name}");
        let words =
            prose(chapter).split_whitespace().count() + chapter.source.matches("{{").count();
        assert!((250..=WORDS).contains(&words), "{name} has {words} words");
        let figures = chapter.source.matches("&embed=").count();
        assert!((2..=3).contains(&figures), "{name} has {figures} figures");
        let questions: Vec<&str> = chapter.source.split("<details>").skip(1).collect();
        assert_eq!(questions.len(), 2, "{name}");
        for question in questions {
            let answer = question.split("</details>").next().unwrap_or_default();
            assert!(answer.contains("<summary>"), "{name}: {answer}");
            let shown = without(answer, "<!--", "-->");
            assert!(
                shown.contains("`{{"),
                "{name}: an answer without a number: {shown}"
            );
        }
        let file = format!("({}-{name}.md)", chapter.number);
        assert!(
            guide.start.contains(&file),
            "README.md does not name {file}"
        );
    }
}

/// Checks that digits occur in the guide only in templates, code, addresses, section references to papers, and names.
#[test]
fn no_number_is_typed() {
    for chapter in guide().chapters {
        // Section references to papers have the form ([A] 3.1, [B] VI-A, eq 10).
        let mut text = without(&prose(&chapter), "([", ")");
        for name in NAMES {
            text = text.replace(name, "");
        }
        let typed: Vec<&str> = text
            .split_whitespace()
            .filter(|word| word.chars().any(|letter| letter.is_ascii_digit()))
            .collect();
        assert!(typed.is_empty(), "{}: {typed:?}", chapter.stem);
    }
}

/// Checks that the guide cites each of the five papers at least twice, with section references such as `([A] 3.1)`.
#[test]
fn papers_are_cited_by_section() {
    let all: String = guide()
        .chapters
        .iter()
        .map(|one| one.source.clone())
        .collect();
    for letter in ["A", "B", "H", "L", "R"] {
        assert!(
            all.matches(&format!("([{letter}] ")).count() > 1,
            "[{letter}]"
        );
    }
}

/// Checks that the guide's page on the model contains every section that the accounts (trees of formulas) link to.
#[test]
fn equations_have_their_place() {
    let written = Written::new("model");
    let html = fs::read_to_string(written.0.join("model.html")).expect("the model's page");
    let names = attributes(&html, "id");
    for section in Section::ALL {
        assert!(names.contains(&section.id()), "{}", section.id());
    }
    assert!(html.contains("t<sub>comp</sub>") && !html.contains("t_comp"));
}

/// Checks that the Lamina scenario linked in chapter 5 gives a headline with the numbers of that chapter.
#[test]
fn the_lamina_scenario_has_the_chapters_headline() {
    let guide = guide();
    let chapter = guide.chapters.iter().find(|one| one.number == 5);
    let chapter = chapter.expect("a chapter on separate GPUs");
    let of_scenario = |line: &str| line.strip_prefix("[lamina]: ../").map(str::to_owned);
    let link = chapter.source.lines().find_map(of_scenario);
    let inputs = permalink::read(&link.expect("a scenario")).current;
    let SplitOutcome::Possible(shown) = split_answer(&inputs, None) else {
        unreachable!("it is possible");
    };
    let Headline::Disaggregated(headline) = &shown.headline else {
        unreachable!("it has prices");
    };
    let stated = report::answer(&inputs, Vec::new()).expect("it is possible");
    let other = stated.homogeneous.expect("a cluster of its price");
    assert_eq!(headline.disaggregated, stated.tok_per_usd);
    assert_eq!(headline.colocated, Some(other.tok_per_usd));
    let ratio = headline.disaggregated.unwrap_or(0.0) / other.tok_per_usd;
    let ratio = format::factor(ratio);
    let sentence = shown.headline.sentence().plain_text();
    assert!(sentence.contains(&ratio), "{sentence}");
    let pages = Written::new("lamina").pages();
    let page = pages.iter().find(|(name, _)| *name == chapter.stem);
    let (_, html) = page.expect("its page");
    assert!(html.contains(&ratio), "{ratio}");
}

#[test]
fn views_have_their_chapter() {
    let chapters = guide().chapters;
    for view in View::ALL {
        let stem = chapter(view);
        assert!(chapters.iter().any(|one| one.stem == stem), "{stem}");
    }
}
