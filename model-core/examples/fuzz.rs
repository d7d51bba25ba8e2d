//! Mutated links, files and scenarios, by the million: `cargo xtask fuzz`.
//!
//! A case is a seed and a number, so that what fails is found again: `fuzz TARGET CASES SEED`. A crash, a figure that
//! is not finite and a broken round trip stop the run; the slowest case is printed.

use std::cell::RefCell;
use std::fmt::Debug;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs, panic, process};

use model_core::arch::{self, hf_config};
use model_core::disagg::{report as ratio, split};
use model_core::evaluate::evaluate;
use model_core::inputs::{Inputs, Number};
use model_core::levers::Levers;
use model_core::limits::limits;
use model_core::permalink;
use model_core::preset::PRESETS;
use model_core::service::service;

/// The longest that one piece of work may take: longer ones are cut into slices.
const HANG: Duration = Duration::from_millis(10);

type Outcome = Result<(), String>;

/// Something that takes text from outside.
struct Target {
    name: &'static str,
    /// Its share of a run, in cases.
    cases: u64,
    corpus: fn() -> Vec<String>,
    run: fn(&str) -> Outcome,
}

const TARGETS: [Target; 8] = [
    Target::new("link", 10_000_000, links, link),
    Target::new("config", 1_000_000, configs, config),
    Target::new("arch", 1_000_000, shapes, shape),
    Target::new("evaluation", 1_000_000, links, evaluation),
    Target::new("levers", 100_000, links, levers),
    Target::new("service", 100_000, links, of_service),
    Target::new("simulator", 100_000, links, simulator),
    Target::new("split", 100_000, links, of_split),
];

impl Target {
    const fn new(
        name: &'static str,
        cases: u64,
        corpus: fn() -> Vec<String>,
        run: fn(&str) -> Outcome,
    ) -> Self {
        Self {
            name,
            cases,
            corpus,
            run,
        }
    }
}

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(path).unwrap_or_default()
}

fn links() -> Vec<String> {
    let recorded = file("../tests/recorded/release-0.1.tsv");
    let recorded = recorded.lines().filter_map(|line| line.split('\t').next());
    let presets = PRESETS.iter().map(|preset| preset.link);
    presets.chain(recorded).map(str::to_owned).collect()
}

fn configs() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/configs");
    let mut files: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .collect();
    files.sort_by_key(fs::DirEntry::path);
    let texts = files.iter().map(|file| fs::read_to_string(file.path()));
    texts.map(Result::unwrap_or_default).collect()
}

fn shapes() -> Vec<String> {
    let read = configs()
        .into_iter()
        .filter_map(|text| hf_config::read(&text).ok());
    read.map(|read| arch::json::write(&read.arch)).collect()
}

/// Splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
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

/// Ends of what is a value in a link or in JSON.
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

fn mutated(corpus: &[String], random: &mut Random) -> String {
    let mut text = random.of(corpus).clone().into_bytes();
    let is_link = !text.starts_with(b"{");
    for _ in 0..1 + random.below(4) {
        let at = random.below(text.len());
        match random.below(if is_link { 12 } else { 8 }) {
            0 if !text.is_empty() => text[at] ^= 1 << random.below(8),
            1 => drop(text.drain(at..text.len().min(at + random.below(20)))),
            2 => {
                let other = random.of(corpus).as_bytes();
                let from = random.below(other.len());
                let part = &other[from..other.len().min(from + random.below(60))];
                text.splice(at..at, part.iter().copied());
            }
            3 => {
                let end = text.len().min(at + random.below(60));
                let part = text[at..end].to_vec();
                text.splice(at..at, part);
            }
            4..8 => {
                let (start, end) = value_at(&text, at);
                let value = *random.of(&VALUES);
                text.splice(start..end, value.bytes());
            }
            _ => {
                let spec = random.of(&Number::ALL).spec();
                let value = match random.below(3) {
                    0 => (*random.of(&VALUES)).to_owned(),
                    1 => (random.next() % 100_000).to_string(),
                    _ => format!("{:e}", f64::from_bits(random.next())),
                };
                text.extend(format!("&{}={value}", spec.key).bytes());
            }
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// A case with figures: their text names none that is not finite.
fn finite(what: &impl Debug) -> Outcome {
    // A kernel whose rate of computation binds nothing has no limit there.
    let text = format!("{what:?}").replace("FlopPerSecond(inf)", "");
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    match words.any(|word| word == "NaN" || word == "inf") {
        true => Err(format!("not finite: {text}")),
        false => Ok(()),
    }
}

fn same<T: PartialEq + Debug>(what: &str, one: &T, other: &T) -> Outcome {
    match one == other {
        true => Ok(()),
        false => Err(format!("{what}: {one:?} and {other:?}")),
    }
}

fn link(text: &str) -> Outcome {
    let link = permalink::read(text);
    let written = permalink::write(&link);
    let again = permalink::read(&written);
    same("notes of what was written", &again.notes, &Vec::new())?;
    same("written again", &permalink::write(&again), &written)
}

fn config(text: &str) -> Outcome {
    let Ok(read) = hf_config::read(text) else {
        return Ok(());
    };
    let again = arch::json::read(arch::json::write(&read.arch).as_bytes())?;
    same("read again", &again, &read.arch)?;
    finite(&arch::params::parameters(&again))
}

fn shape(text: &str) -> Outcome {
    let Ok(read) = arch::json::read(text.as_bytes()) else {
        return Ok(());
    };
    let again = arch::json::read(arch::json::write(&read).as_bytes())?;
    same("read again", &again, &read)?;
    finite(&arch::params::parameters(&read))
}

fn inputs(text: &str) -> Inputs {
    permalink::read(text).current
}

fn evaluation(text: &str) -> Outcome {
    if let Ok(scenario) = inputs(text).scenario()
        && let Ok(evaluation) = evaluate(&scenario)
    {
        finite(&evaluation)?;
        finite(&limits(&scenario))?;
    }
    Ok(())
}

fn levers(text: &str) -> Outcome {
    finite(&Levers::of(&inputs(text)))
}

fn of_service(text: &str) -> Outcome {
    service(&inputs(text)).map_or(Ok(()), |service| finite(&service))
}

fn simulator(text: &str) -> Outcome {
    let inputs = inputs(&format!("{text}&mode=simulate&requests=100"));
    ratio::report(&inputs, Vec::new()).map_or(Ok(()), |answer| finite(&answer))
}

fn of_split(text: &str) -> Outcome {
    let inputs = inputs(&format!("{text}&mode=split"));
    split::report::answer(&inputs, Vec::new()).map_or(Ok(()), |answer| finite(&answer))
}

thread_local! {
    /// The case under way, for whoever reads of a panic.
    static CASE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs cases until their number or the time is over.
fn run(target: &Target, cases: u64, seed: u64, time: Duration) {
    let corpus = (target.corpus)();
    let began = Instant::now();
    let (mut done, mut slow, mut slowest) = (0, 0_u64, (Duration::ZERO, String::new()));
    while done < cases && began.elapsed() < time {
        let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ done);
        let text = mutated(&corpus, &mut random);
        CASE.with_borrow_mut(|case| case.clone_from(&text));
        let timed = || {
            let start = Instant::now();
            ((target.run)(&text), start.elapsed())
        };
        let (outcome, mut took) = timed();
        // Other programs may have had the processor.
        for _ in 0..if took > HANG { 4 } else { 0 } {
            took = took.min(timed().1);
        }
        slow += u64::from(took > HANG);
        if let Err(why) = outcome {
            eprintln!("{}, seed {seed}, case {done}: {why}\n{text}", target.name);
            process::exit(1);
        }
        if took > slowest.0 {
            slowest = (took, text);
        }
        done += 1;
    }
    let (took, text) = slowest;
    println!(
        "{}: {done} cases in {:.0} s; {slow} over {HANG:?}, slowest {took:.1?}: {text:.300}",
        target.name,
        began.elapsed().as_secs_f64()
    );
}

fn main() {
    let ordinary = panic::take_hook();
    panic::set_hook(Box::new(move |why| {
        CASE.with_borrow(|case| eprintln!("the case: {case}"));
        ordinary(why);
    }));
    let words: Vec<String> = env::args().skip(1).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
    let (cases, seed) = (number(1), number(2).unwrap_or(1));
    let minutes = number(3).map_or(Duration::MAX, |minutes| Duration::from_secs(60 * minutes));
    let chosen = |target: &&Target| {
        words
            .first()
            .is_none_or(|name| name == "all" || name == target.name)
    };
    let chosen: Vec<&Target> = TARGETS.iter().filter(chosen).collect();
    for target in &chosen {
        let time = minutes / chosen.len() as u32;
        run(target, cases.unwrap_or(target.cases), seed, time);
    }
}
