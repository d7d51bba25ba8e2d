//! Reads user-typed lines that state a time per token, such as `62 ms`, `TPOT 62 ms at batch 64`, or
//! `16 tok/s/user with context 4,000`.

use super::said::{At, Said, number};
use super::stated::{Format, Stated};

/// Max length of a line that is read, in bytes.
const LONGEST: usize = 200;

/// Words that name a time per output token.
const NAMES: [&str; 5] = ["tpot", "itl", "token", "per-token", "/token"];

/// Words for times other than TPOT, or for statistics other than the mean; a line with one of these words is rejected.
const OTHERS: [&str; 10] = [
    "ttft", "e2e", "e2el", "first", "request", "p50", "p90", "p95", "p99", "max",
];

const FILLERS: [&str; 20] = [
    "i", "we", "measured", "measure", "see", "get", "got", "mean", "average", "avg", "decode",
    "per", "output", "time", "is", "of", "at", "with", "a", "and",
];

/// Words that name a count, and the field of [`Stated`] that receives the count.
type Count = (&'static [&'static str], Field);

type Field = fn(&mut Stated) -> &mut Said;

/// Counts that a typed line may state, each with the words that may precede or follow the number.
const COUNTS: &[Count] = &[
    (&["batch", "sequences", "seqs", "seq", "streams"], |run| {
        &mut run.running
    }),
    (&["concurrency", "concurrent", "users", "requests"], |run| {
        &mut run.concurrency
    }),
    (&["context", "ctx"], |run| &mut run.context),
    (&["prompt", "input", "isl"], |run| &mut run.prompt),
    (&["output", "osl"], |run| &mut run.output),
];

/// Reads a line that states exactly one time per token. If no word such as `tpot` or `itl` names this time, all words
/// of the line must be known.
pub fn read(text: &str, line: u32) -> Option<Stated> {
    if text.len() > LONGEST || !text.contains(|mark: char| mark.is_ascii_digit()) {
        return None;
    }
    let lower = text.to_lowercase();
    let apart = |mark: char| mark.is_whitespace() || ":=;()~≈@".contains(mark);
    let words = lower
        .split(apart)
        .map(|word| word.trim_end_matches([',', '.']));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut run = Stated::of(Format::Typed);
    let (mut named, mut unknown) = (false, false);
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let next = words.get(at + 1).copied().unwrap_or_default();
        at += 1;
        if OTHERS.contains(word) {
            return None;
        }
        named |= NAMES.contains(word);
        if let Some((value, unit, taken)) = quantity(word, next) {
            at += taken;
            if let Some(time) = time(value, unit) {
                if run.tpot.is_some() {
                    return None;
                }
                run.tpot = Some(At::new(time, line));
            } else if let Some(field) = count(unit) {
                *field(&mut run) = Some(At::new(value, line));
            } else {
                unknown = true;
            }
        } else if let (Some(field), Some(value)) = (count(word), number(next)) {
            *field(&mut run) = Some(At::new(value, line));
            at += 1;
        } else {
            unknown |= !NAMES.contains(word) && !FILLERS.contains(word);
        }
    }
    (run.tpot.is_some() && (named || !unknown)).then_some(run)
}

/// Reads a number and its unit, which may be the next word. Returns the number, the unit, and how many words after
/// the first were used.
fn quantity<'a>(word: &'a str, next: &'a str) -> Option<(f64, &'a str, usize)> {
    let end = word.find(|mark: char| !mark.is_ascii_digit() && mark != '.' && mark != ',');
    match end {
        None => Some((number(word)?, next, usize::from(is_unit(next)))),
        Some(end) => Some((number(&word[..end])?, &word[end..], 0)),
    }
}

fn is_unit(word: &str) -> bool {
    time(1.0, word).is_some() || count(word).is_some()
}

/// Converts a time per token, or a speed in tok/s/user, to seconds per token.
fn time(value: f64, unit: &str) -> Option<f64> {
    let unit = unit.strip_suffix("/token").unwrap_or(unit);
    let seconds = match unit {
        "ms" => value * 1e-3,
        "s" | "sec" | "seconds" => value,
        "us" | "µs" => value * 1e-6,
        "tok/s/user" | "tokens/s/user" | "t/s/user" => 1.0 / value,
        _ => return None,
    };
    (seconds.is_finite() && seconds > 0.0).then_some(seconds)
}

fn count(word: &str) -> Option<Field> {
    let mut rows = COUNTS.iter();
    rows.find(|(words, _)| words.contains(&word))
        .map(|(_, field)| *field)
}

#[cfg(test)]
mod tests {

    use super::*;

    fn said(text: &str) -> Option<(f64, Option<f64>, Option<f64>)> {
        let run = read(text, 0)?;
        let value = |said: Said| said.map(|at| at.value);
        Some((
            run.tpot?.value * 1e3,
            value(run.running.or(run.concurrency)),
            value(run.context),
        ))
    }

    #[test]
    fn people_type_a_time() {
        for (text, time, batch, context) in [
            ("62 ms", 62.0, None, None),
            ("62ms", 62.0, None, None),
            ("TPOT 62 ms", 62.0, None, None),
            ("TPOT: 0.062 s", 62.0, None, None),
            ("I measured 62 ms/token", 62.0, None, None),
            ("16 tok/s/user", 62.5, None, None),
            (
                "mean ITL = 62 ms at batch 64, context 4,000",
                62.0,
                Some(64.0),
                Some(4000.0),
            ),
            ("batch 64: 62 ms", 62.0, Some(64.0), None),
            ("64 concurrent requests, TPOT 62 ms", 62.0, Some(64.0), None),
            ("DeepSeek-V3 on 8 H200, TPOT of 62 ms", 62.0, None, None),
        ] {
            let (found, running, mean) = said(text).expect(text);
            assert!((found - time).abs() < 1e-9, "{text}: {found}");
            assert_eq!((running, mean), (batch, context), "{text}");
        }
    }

    #[test]
    fn other_lines_are_not_taken_for_a_time() {
        for text in [
            "",
            "62",
            "TTFT 62 ms",
            "TPOT 62 ms, TTFT 300 ms",
            "TPOT p99 62 ms",
            "I measured TPOT 62 ms, you say 47 ms",
            "load took 62 s",
            "800 tok/s",
            "TPOT 0 ms",
            "-62 ms",
        ] {
            assert!(said(text).is_none(), "{text}");
        }
    }
}
