//! Checks a run's stated numbers for contradictions.

use super::note::{Contradiction, Note};
use super::point::Derived;
use super::said::Said;
use super::stated::{Format, Stated};

/// Relative difference above which two stated rates contradict each other.
const RATES: f64 = 0.02;
const END_TO_END: f64 = 0.03;
const CHUNKS: f64 = 0.10;
/// Ratio of mean TPOT to median TPOT above which a run is reported as stalled.
const STALLS: f64 = 1.15;
/// Half a unit of the last digit in printed rates, which have two decimals.
const LAST_DIGIT: f64 = 0.005;

/// Returns notes on stated numbers that contradict each other, and on stalls. Allows for the rounding of printed
/// digits, which matters for small rates.
pub fn checks(run: &Stated, derived: &Derived) -> Vec<Note> {
    let of = |said: Said| said.map(|at| at.value);
    let mut notes = Vec::new();
    let mut compare =
        |what: Contradiction, used: Option<f64>, other: Option<f64>, share: f64, digit: f64| {
            let Some((used, other)) = used.zip(other) else {
                return;
            };
            if (used - other).abs() > (share * other).max(digit) && other > 0.0 {
                notes.push(Note::Contradicts { what, used, other });
            }
        };
    let duration = of(run.duration).filter(|duration| *duration > 0.0);
    let per_second = |total: Option<f64>| {
        total
            .zip(duration)
            .map(|(total, duration)| total / duration)
    };
    let by_output = per_second(of(run.output_total));
    compare(
        Contradiction::OutputRate,
        of(run.output_rate),
        by_output,
        RATES,
        LAST_DIGIT,
    );
    let by_count = per_second(of(run.completed));
    compare(
        Contradiction::RequestRate,
        of(run.request_rate),
        by_count,
        RATES,
        LAST_DIGIT,
    );
    let output = derived
        .output
        .filter(|(_, follows)| !follows)
        .map(|(output, _)| output);
    let decode = output
        .zip(of(run.tpot))
        .map(|(output, time)| (output - 1.0).max(0.0) * time);
    let by_parts = decode.zip(of(run.ttft)).map(|(decode, ttft)| decode + ttft);
    compare(
        Contradiction::EndToEnd,
        of(run.e2e),
        by_parts,
        END_TO_END,
        0.0,
    );
    let decoding = derived.rate.zip(decode).map(|(rate, decode)| rate * decode);
    let kept = of(run.concurrency).filter(|kept| *kept >= 1.0);
    if let Some((decoding, kept)) = decoding.zip(kept)
        && decoding > (1.0 + RATES) * kept
    {
        notes.push(Note::Contradicts {
            what: Contradiction::InFlight,
            used: kept,
            other: decoding,
        });
    }
    chunks(run, derived, &mut notes);
    let ratio = of(run.tpot)
        .zip(of(run.median_tpot))
        .map(|(mean, median)| mean / median);
    if let Some(ratio) = ratio.filter(|ratio| ratio.is_finite() && *ratio > STALLS) {
        notes.push(Note::Stalls { ratio });
    }
    notes
}

/// Checks the stated time between stream chunks (ITL), which is per step in vLLM and per token in SGLang. Other
/// formats are not checked, as their chunks can have any number of tokens.
fn chunks(run: &Stated, derived: &Derived, notes: &mut Vec<Note>) {
    let vllm = matches!(run.format, Some(Format::VllmServe | Format::VllmServeJson));
    let sglang = matches!(
        run.format,
        Some(Format::SglangServing | Format::SglangServingJson)
    );
    let (Some(itl), Some(time)) = (run.itl, run.tpot) else {
        return;
    };
    let expected = match (vllm, sglang) {
        (true, _) => time.value * derived.yielded.unwrap_or(1.0),
        (_, true) => time.value,
        _ => return,
    };
    // A longer step may come from drafts that are not stated, so it is no contradiction.
    let drafts = vllm && derived.yielded.is_none() && itl.value > expected;
    if expected > 0.0 && (itl.value / expected - 1.0).abs() > CHUNKS && !drafts {
        notes.push(Note::Contradicts {
            what: Contradiction::Chunks,
            used: time.value,
            other: itl.value,
        });
    }
}
