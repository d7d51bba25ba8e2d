//! Mutated texts for fuzzing: fuzz cases, the corpus from which they start, and code that the fuzz targets share.

use std::fmt::Debug;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use answer::own::OwnList;
use bolero::{TypeGenerator, produce};
use model_core::arch::{self, hf_config};
use model_core::inputs::Number;
use model_core::permalink::read_prices;
use model_core::preset::PRESETS;

/// A fuzz case: a text of the corpus and its edits. An index past the end of a list or text wraps around.
#[derive(Debug, TypeGenerator)]
pub struct Case {
    text: usize,
    #[generator(produce::<Vec<Edit>>().with().len(1..=4_usize))]
    edits: Vec<Edit>,
}

/// An edit of a text in a fuzz case.
#[derive(Debug, TypeGenerator)]
pub enum Edit {
    /// Flips a bit.
    Flip(usize, u8),
    /// Removes some bytes of the text.
    Cut(usize, u8),
    /// Inserts part of another text of the corpus.
    Insert(usize, usize, usize, u8),
    /// Repeats some bytes of the text.
    Repeat(usize, u8),
    /// Replaces a value in the text, which is a permalink or JSON.
    Replace(usize, Value),
    /// Appends an input and its value to a permalink.
    State(usize, Value),
}

/// A value that an edit writes into the text.
#[derive(Debug, TypeGenerator)]
pub enum Value {
    /// Index into a list of values that are often special cases, such as 0 and −1.
    Known(usize),
    /// A whole number.
    Count(u32),
    /// Any floating-point number, given by its bits.
    Bits(u64),
}

const VALUES: [&str; 24] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "64",
    "4096",
    "1000000",
    "4294967296",
    "18446744073709551616",
    "0.5",
    "1e-9",
    "1e9",
    "1e15",
    "1e300",
    "1e-300",
    "true",
    "null",
    "[]",
    "{}",
    "\"\"",
    "custom",
    "none",
];

fn of<T>(all: &[T], index: usize) -> Option<&T> {
    all.get(index.checked_rem(all.len())?)
}

impl Value {
    fn written(&self) -> String {
        match self {
            Self::Known(index) => {
                of(&VALUES, *index).map_or_else(String::new, |text| (*text).to_owned())
            }
            Self::Count(count) => (count % 100_000).to_string(),
            Self::Bits(bits) => format!("{:e}", f64::from_bits(*bits)),
        }
    }
}

impl Edit {
    fn apply(&self, text: &mut Vec<u8>, corpus: &[String]) {
        let within = |at: usize| at.checked_rem(text.len()).unwrap_or(0);
        let ending = |at: usize, length: u8| text.len().min(at + usize::from(length % 60));
        match self {
            Self::Flip(at, bit) => {
                let at = within(*at);
                if let Some(byte) = text.get_mut(at) {
                    *byte ^= 1 << (bit % 8);
                }
            }
            Self::Cut(at, length) => {
                let at = within(*at);
                drop(text.drain(at..ending(at, *length)));
            }
            Self::Insert(at, other, from, length) => {
                let at = within(*at);
                let other = of(corpus, *other).map_or(&[] as &[u8], String::as_bytes);
                let from = from.checked_rem(other.len()).unwrap_or(0);
                let end = other.len().min(from + usize::from(length % 60));
                text.splice(at..at, other[from..end].iter().copied());
            }
            Self::Repeat(at, length) => {
                let at = within(*at);
                let part = text[at..ending(at, *length)].to_vec();
                text.splice(at..at, part);
            }
            Self::Replace(at, value) => {
                let (start, end) = value_at(text, within(*at));
                text.splice(start..end, value.written().bytes());
            }
            Self::State(number, value) if !text.starts_with(b"{") => {
                let key = of(&Number::ALL, *number).map_or("", |number| number.spec().key);
                text.extend(format!("&{key}={}", value.written()).bytes());
            }
            Self::State(..) => {}
        }
    }
}

/// Returns the start and end of the first value after position `from` in a permalink or in JSON.
fn value_at(text: &[u8], from: usize) -> (usize, usize) {
    let opens = |byte: &u8| b"=:[, &".contains(byte);
    let closes = |byte: &u8| b"&,]}\n ".contains(byte);
    let start = text[from..]
        .iter()
        .position(opens)
        .map_or(from, |at| from + at + 1);
    let end = text[start..]
        .iter()
        .position(closes)
        .map_or(text.len(), |at| start + at);
    (start, end)
}

#[derive(Default)]
struct Seen {
    cases: u64,
    slowest: Duration,
    text: String,
}

/// A fuzz target: its corpus, and the function that checks a text.
pub struct Target {
    corpus: Vec<String>,
    check: fn(&str),
    seen: Mutex<Seen>,
}

impl Target {
    /// Creates a target over a corpus, which must not be empty.
    pub fn new(corpus: Vec<String>, check: fn(&str)) -> Self {
        assert!(!corpus.is_empty(), "no text to begin with");
        let seen = Mutex::default();
        Self {
            corpus,
            check,
            seen,
        }
    }

    /// Applies the edits of a case and checks the resulting text.
    pub fn run(&self, case: &Case) {
        let first = of(&self.corpus, case.text).map_or(&[] as &[u8], String::as_bytes);
        let mut text = first.to_vec();
        for edit in &case.edits {
            edit.apply(&mut text, &self.corpus);
        }
        let text = String::from_utf8_lossy(&text);
        let timed = || {
            let start = Instant::now();
            (self.check)(&text);
            start.elapsed()
        };
        let mut took = timed();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.cases += 1;
        // A slow case is timed again, because other programs may have used the processor.
        for _ in 0..4 {
            if took > seen.slowest {
                took = took.min(timed());
            }
        }
        if took > seen.slowest {
            (seen.slowest, seen.text) = (took, text.into_owned());
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let Seen {
            cases,
            slowest,
            text,
        } = &*seen;
        println!("{cases} cases, the slowest {slowest:.1?}: {text:.300}");
    }
}

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(path).unwrap_or_default()
}

/// Returns permalinks: those of the presets and those recorded with an earlier release.
pub fn links() -> Vec<String> {
    let recorded = file("../recorded/release-0.1.tsv");
    let recorded = recorded.lines().filter_map(|line| line.split('\t').next());
    let presets = PRESETS.iter().map(|preset| preset.link);
    presets.chain(recorded).map(str::to_owned).collect()
}

/// Returns files with a user's saved scenarios and prices.
pub fn own_lists() -> Vec<String> {
    let all = links();
    let lists = all.chunks(5).map(|links| {
        let mut list = OwnList::default();
        for (at, link) in links.iter().enumerate() {
            let _full = list.add(PRESETS[at % PRESETS.len()].title, link);
        }
        list.write(&read_prices("h100:2.5,b200:4,mi300x:1.75").0)
    });
    lists.collect()
}

/// Returns the config.json files of published models.
pub fn configs() -> Vec<String> {
    texts("../../model-core/tests/configs")
}

/// Returns the contents of the files in a folder, sorted by name.
fn texts(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = files.map(|file| file.path()).collect();
    paths.sort();
    let texts = paths
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok());
    texts.collect()
}

/// Returns sample outputs of benchmark tools.
pub fn pastes() -> Vec<String> {
    texts("../golden/bench/samples")
}

/// Returns the model shapes in the `config.json` files of published models, as written in permalinks.
pub fn shapes() -> Vec<String> {
    let read = configs()
        .into_iter()
        .filter_map(|text| hf_config::read(&text).ok());
    read.map(|read| arch::json::write(&read.arch)).collect()
}

/// Checks that the debug text of computed figures contains only finite numbers.
///
/// # Panics
///
/// If a number is not finite.
pub fn finite(what: &impl Debug) {
    // A kernel that compute cannot limit has an infinite rate.
    let text = format!("{what:?}").replace("FlopPerSecond(inf)", "");
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let odd = words.any(|word| word == "NaN" || word == "inf");
    assert!(!odd, "not finite: {text}");
}
