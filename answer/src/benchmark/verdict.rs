//! The verdict on measured times: whether they are normal, which cost term would explain them, and what to measure
//! next.

use super::strip::{Strip, log_strip};
use crate::runs;
use crate::words::format;
use crate::words::names::sequences;
use crate::words::sentence::Sentence;
use model_core::anchor::{Fit, fit};
use model_core::bench::Reading;
use model_core::diagnosis::{
    Diagnosis, Evidence, Impossible, Judged, Mostly, Next, Side, Suspect, Term, diagnosed,
    evidence, evidence_of, met, running_batch,
};
use model_core::inputs::{Inputs, Number};
use model_core::measured::Band;

/// Verdict on a scenario's measurements.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The verdict in one or two sentences.
    pub headline: Sentence,
    /// Table rows: each measured point, compared with its error band.
    pub points: Vec<PointRow>,
    /// Axis ticks for the measured points, in ms.
    pub axis: Vec<(f64, String)>,
    /// The cost terms. Each has the factor that would explain the deviation if only this term were scaled.
    pub suspects: Vec<SuspectRow>,
    /// Axis ticks for the factors of the cost terms.
    pub factors: Vec<(f64, String)>,
    /// True if the table of cost terms is collapsed. All points are then inside their error bands, and no single cost
    /// term clearly explains their pattern.
    pub folded: bool,
    /// The next measurement to take; `None` if the table of cost terms is collapsed.
    pub next: Option<String>,
}

/// A measured point, compared with the computed time and its error band.
#[derive(Debug, Clone, PartialEq)]
pub struct PointRow {
    /// Batch of the point, such as "16 sequences".
    pub batch: String,
    /// Measured TPOT, such as "37.2 ms".
    pub measured: String,
    /// Computed TPOT in ms, such as "22.7".
    pub computed: String,
    /// Measured ÷ computed TPOT, such as "1.64×".
    pub off: String,
    /// Error band of the computed TPOT in ms, such as "16.0 – 41.4".
    pub band: String,
    /// True if the measured TPOT is outside the error band.
    pub outside: bool,
    /// Small plot of the error band, the computed TPOT and the measured TPOT.
    pub strip: Strip,
}

/// A cost term, with the factor that would explain the measurements if this term alone were scaled.
#[derive(Debug, Clone, PartialEq)]
pub struct SuspectRow {
    /// Name of the cost term, such as "collective latency".
    pub name: &'static str,
    /// Required value of the term: a factor, such as "14.2×", or a time, such as "93.5 µs each instead of 5.10 µs".
    pub factor: String,
    /// Assessment of the term, such as "fits both points" or "ruled out: needs 1.3× the hardware’s peak".
    pub state: String,
    /// A check that the engineer can make; empty unless the term is one of the likeliest explanations.
    pub check: &'static str,
    /// True if the term is one of the likeliest explanations.
    pub named: bool,
    /// Small plot of the required factors as points, with the ranges of factors that occur in practice.
    pub strip: Strip,
}

/// Returns the verdict on a scenario's measurements; a pasted benchmark provides additional evidence. `None` without
/// measurements, with an invalid scenario, or before the published runs are loaded.
pub fn verdict(inputs: &Inputs, reading: Option<&Reading>) -> Option<Verdict> {
    let known: Vec<Evidence> = reading.map(evidence_of).unwrap_or_default();
    let residuals = runs::known()?.residuals(inputs.calibration)?;
    let (found, band) = diagnosed(inputs, residuals, &known)?;
    let mut fitting = *inputs;
    fitting.anchor = model_core::inputs::Anchoring::Off;
    let fit = fit(&fitting)?;
    let mut all = evidence(inputs);
    all.extend(known);
    let (points, axis) = point_rows(&found, &fit);
    let (suspects, factors) = suspect_rows(&found, &all, inputs);
    let normal = found.verdict == Some(Side::Normal);
    Some(Verdict {
        headline: headline(&found, band.as_ref(), &fit),
        points,
        axis,
        suspects,
        factors,
        folded: normal && found.pattern.is_none(),
        next: (!normal || found.pattern.is_some()).then(|| next(&found, inputs)),
    })
}

fn headline(found: &Diagnosis, band: Option<&Band>, fit: &Fit) -> Sentence {
    let places = (
        found.points.get(found.farthest),
        fit.points.get(found.farthest),
    );
    let (Some(judged), Some(point)) = places else {
        return Sentence::marked("None of your measurements is valid here.");
    };
    let at = match found.points.len() {
        1 => String::new(),
        _ => format!("At {} y", sequences(point.load.batch)),
    };
    let your = match at.is_empty() {
        true => "Your deployment".to_owned(),
        false => format!("{at}our deployment"),
    };
    let times = format::factor(judged.off);
    match (judged.side, judged.band) {
        (Some(Side::Normal), Some([low, high])) => {
            let runs = band.map_or(0, |band| band.runs);
            let millis = |seconds: f64| format::figure(1e3 * seconds);
            let normal = format!(
                "_Normal_ for this hardware and engine class: {runs} published runs give {} to {} ms, and you \
                    measured **{}**.",
                millis(low),
                millis(high),
                millis(point.measured().get()),
            );
            let pattern = found.pattern.and_then(|term| {
                let suspect = found.suspects.iter().find(|suspect| suspect.term == term)?;
                Some(format!(
                    " But the pattern of your points suggests {}, at {}.",
                    name(term),
                    format::factor(suspect.factor)
                ))
            });
            Sentence::marked(&format!("{normal}{}", pattern.unwrap_or_default()))
        }
        (Some(side), _) => {
            let takes = match side {
                Side::Faster => format!(
                    "{your} is _faster_ than published runs: **{times}** the computed time."
                ),
                _ => format!("{your} takes *{times}* the computed time, outside the band."),
            };
            let suspects = match found.top.as_slice() {
                [] => " No single term explains it. Do model, formats, number of GPUs and TP match your run?".to_owned(),
                [first, ..] if !agrees(found, *first) => format!(
                    " No single term fits all points; the closest is **{}**.",
                    name(*first)
                ),
                [first] => format!(" Suspect **{}**.", name(*first)),
                [first, second, ..] => {
                    format!(" Suspect **{}**, then {}.", name(*first), name(*second))
                }
            };
            Sentence::marked(&format!("{takes}{}{suspects}", shape(found)))
        }
        (None, _) => Sentence::marked(&format!(
            "{your} takes **{times}** the computed time. No published run is comparable, so it is unknown whether that is normal."
        )),
    }
}

/// Describes the excess over the computed time, such as " The excess is about the same 13.8 ms per step at each
/// point."
fn shape(found: &Diagnosis) -> String {
    let Some(shape) = &found.shape else {
        return String::new();
    };
    match shape.mostly {
        Mostly::Fixed => format!(
            " The excess is about the same **{}** per step at each point.",
            format::millis(shape.fixed)
        ),
        Mostly::PerSequence => " The excess grows with the batch.".to_owned(),
        Mostly::PerContext => " The excess grows with batch and context.".to_owned(),
    }
}

fn point_rows(found: &Diagnosis, fit: &Fit) -> (Vec<PointRow>, Vec<(f64, String)>) {
    let millis = |seconds: f64| 1e3 * seconds;
    let points: Vec<(&Judged, f64, f64)> = found
        .points
        .iter()
        .zip(&fit.points)
        .map(|(judged, point)| {
            let measured = millis(point.measured().get());
            (judged, measured, measured / judged.off)
        })
        .collect();
    let bands = points.iter().filter_map(|(judged, ..)| judged.band);
    let ends = bands.flatten().map(millis);
    let values = points
        .iter()
        .flat_map(|(_, measured, computed)| [*measured, *computed]);
    let (scale, axis) = log_strip(&values.chain(ends).collect::<Vec<_>>(), &format::printed);
    let rows = points
        .iter()
        .zip(&fit.points)
        .map(|((judged, measured, computed), point)| {
            let band = judged.band.map(|ends| ends.map(millis));
            PointRow {
                batch: sequences(point.load.batch),
                measured: format!("{} ms", format::figure(*measured)),
                computed: format::figure(*computed),
                off: format::factor(judged.off),
                band: band.map_or_else(
                    || format::NONE.to_owned(),
                    |[low, high]| format!("{} – {}", format::figure(low), format::figure(high)),
                ),
                outside: matches!(judged.side, Some(Side::Slower | Side::Faster)),
                strip: Strip {
                    ranges: band.into_iter().map(|ends| ends.map(&scale)).collect(),
                    tick: Some(scale(*computed)),
                    dots: vec![scale(*measured)],
                },
            }
        });
    (rows.collect(), axis)
}

fn suspect_rows(
    found: &Diagnosis,
    evidence: &[Evidence],
    inputs: &Inputs,
) -> (Vec<SuspectRow>, Vec<(f64, String)>) {
    /// Largest factor on the axis; larger factors are drawn at its end.
    const FARTHEST: f64 = 100.0;
    let mean = found.points.iter().map(|point| point.off).sum::<f64>() / found.points.len() as f64;
    let slower = mean >= 1.0;
    let near = |factor: f64| factor.clamp(1.0 / FARTHEST, FARTHEST);
    let ranges = |term: Term| met(term, slower, evidence).1;
    let needed = found
        .suspects
        .iter()
        .flat_map(|suspect| suspect.factors.iter().copied())
        .filter(|factor| *factor > 0.0)
        .map(near);
    let practice = found
        .suspects
        .iter()
        .flat_map(|suspect| ranges(suspect.term))
        .flat_map(<[f64; 2]>::from);
    let all: Vec<f64> = needed.chain(practice).chain([1.0]).collect();
    let (scale, axis) = log_strip(&all, &|factor| {
        format!("{}{}", format::printed(factor), format::TIMES)
    });
    let rows = found.suspects.iter().map(|suspect| SuspectRow {
        name: name(suspect.term),
        factor: factor_words(suspect),
        state: state(suspect, found),
        check: match found.top.contains(&suspect.term) {
            true => check(suspect.term, reduces(inputs)),
            false => "",
        },
        named: found.top.contains(&suspect.term),
        strip: Strip {
            ranges: ranges(suspect.term)
                .into_iter()
                .map(|range| <[f64; 2]>::from(range).map(&scale))
                .collect(),
            tick: None,
            dots: suspect
                .factors
                .iter()
                .filter(|factor| **factor > 0.0)
                .map(|factor| scale(near(*factor)))
                .collect(),
        },
    });
    (rows.collect(), axis)
}

fn factor_words(suspect: &Suspect) -> String {
    if let Some([now, needed]) = suspect.each {
        let words = |seconds: f64| format::duration(seconds).to_string();
        return match needed > 0.0 {
            true => format!("{} each instead of {}", words(needed), words(now)),
            false => format::NONE.to_owned(),
        };
    }
    if let Some(beta) = suspect.beta.filter(|beta| *beta > 0.0) {
        return format!(
            "{}; β_eb {}",
            format::factor(suspect.factor),
            format::sig3(beta)
        );
    }
    if let Some(yielded) = suspect.yielded.filter(|yielded| *yielded > 0.0) {
        return format!("{} tokens per step", format::sig3(yielded));
    }
    match suspect.factor > 0.0 {
        true => format::factor(suspect.factor),
        false => format::NONE.to_owned(),
    }
}

/// RMS deviation from which the measured points are considered to disagree on the factor of a cost term.
const AGREE: f64 = 0.05;

/// Returns true if a single factor on this cost term explains every measured point.
fn agrees(found: &Diagnosis, term: Term) -> bool {
    let mut suspects = found.suspects.iter();
    suspects.any(|suspect| suspect.term == term && suspect.rms < AGREE)
}

fn state(suspect: &Suspect, found: &Diagnosis) -> String {
    match suspect.impossible {
        Some(Impossible::BeyondPeak { peaks }) => {
            return format!(
                "ruled out: needs {} the hardware’s peak",
                format::factor(peaks)
            );
        }
        Some(Impossible::Negative) => {
            return "ruled out: the other terms alone exceed the measured time".to_owned();
        }
        Some(Impossible::Balance) => {
            return "ruled out: balancedness outside 1/EP to 1".to_owned();
        }
        Some(Impossible::Tokens) => {
            return "ruled out: a step cannot yield that many tokens".to_owned();
        }
        None => {}
    }
    match (found.points.len(), agrees(found, suspect.term)) {
        (1, _) if found.top.contains(&suspect.term) => "plausible".to_owned(),
        (1, _) => "unlikely".to_owned(),
        (2, true) => "fits both points".to_owned(),
        (_, true) => "fits all points".to_owned(),
        (_, false) => "the points disagree".to_owned(),
    }
}

/// Returns the name of a cost term.
pub const fn name(term: Term) -> &'static str {
    match term {
        Term::Start => "kernel launches and framework",
        Term::Latency => "collective latency",
        Term::Bytes => "link bandwidth",
        Term::Weights => "weights",
        Term::Cache => "KV cache",
        Term::Compute => "arithmetic",
        Term::Prefill => "prefill of other requests",
        Term::Imbalance => "expert imbalance",
        Term::Acceptance => "draft acceptance",
    }
}

/// Returns a check that the engineer can make for a cost term. `reduces` is true for a plan with all-reduces, and
/// false for one that has only all-to-alls.
const fn check(term: Term, reduces: bool) -> &'static str {
    match term {
        Term::Start => {
            "CUDA graphs on for this batch; gaps in a profile of one step; CPU governor and other load"
        }
        Term::Latency if reduces => {
            "peer-to-peer and custom all-reduce on; topology; TP inside one scale-up domain"
        }
        Term::Latency => {
            "low-latency all-to-all kernels on; peer-to-peer; topology; InfiniBand, not TCP"
        }
        Term::Bytes => "link test; NVLink or InfiniBand active, not TCP or PCIe",
        Term::Weights => "dtype and kernel in the engine’s log; checkpoint size ÷ parameters",
        Term::Cache => {
            "KV cache dtype and tokens in the log; KV heads are duplicated if TP exceeds them"
        }
        Term::Compute => "clocks, power cap and temperature under load; kernel names in a profile",
        Term::Prefill => "repeat with 64-token prompts; chunk size; CUDA graphs in prefill",
        Term::Imbalance => "expert counts per rank; EPLB",
        Term::Acceptance => "acceptance length in the log; the same run without drafts",
    }
}

fn next(found: &Diagnosis, inputs: &Inputs) -> String {
    match found.next {
        Next::AllReduceTest => all_reduce(found, inputs),
        Next::GraphsOn => "the same run with CUDA graphs on".to_owned(),
        Next::DtypeFromLog => "nothing yet: read dtype and kernels in the engine’s log".to_owned(),
        Next::AcceptanceFromLog => {
            "nothing yet: read the acceptance length in the engine’s log".to_owned()
        }
        Next::Clocks => "clocks and power cap under load".to_owned(),
        Next::DraftsOff => "the same run without drafts".to_owned(),
        Next::ShortPrompts => "the same run with 64-token prompts".to_owned(),
        Next::ContextTimes4 => "the same batch at four times the context".to_owned(),
        Next::OneSequence => "one sequence: it separates fixed times from other times".to_owned(),
        Next::BatchTimes16 => {
            "16 times the batch: it separates fixed times from other times".to_owned()
        }
        Next::StepProfile => {
            "a profile of one step: gaps between kernels are launches or the CPU".to_owned()
        }
        Next::KernelProfile => "a profile of the kernels of one step".to_owned(),
        Next::Repeat => "the same run again, warm".to_owned(),
    }
}

fn reduces(inputs: &Inputs) -> bool {
    let many = |number| inputs.get(number).is_some_and(|count| count > 1.0);
    many(Number::Tp) || many(Number::FfnTp)
}

/// Describes a collective test, such as "an all-reduce of a step’s message size over the 8 GPUs: it should take
/// 5.10 µs; …".
fn all_reduce(found: &Diagnosis, inputs: &Inputs) -> String {
    let gpus = inputs.get(Number::Gpus).unwrap_or(1.0);
    let latency = found
        .suspects
        .iter()
        .find(|suspect| suspect.term == Term::Latency);
    let each = latency.and_then(|suspect| suspect.each);
    let collective = if reduces(inputs) {
        "an all-reduce"
    } else {
        "an all-to-all"
    };
    let test = format!(
        "{collective} of a step’s message size over the {} GPUs",
        format::count(gpus)
    );
    match each {
        Some([now, needed]) if needed > now => format!(
            "{test}: it should take {}; if it takes {}, this is the cause. If it does not, profile one step: gaps \
                between kernels mean CUDA graphs are off",
            format::duration(now),
            format::duration(needed)
        ),
        _ => test,
    }
}

/// Infers the running batch from each throughput that has no time per token: "773 tok/s is what 8 sequences give: the
/// scheduler ran about 8 of your 200".
pub fn throughput(inputs: &Inputs, reading: &Reading) -> Vec<String> {
    let Ok(scenario) = inputs.scenario() else {
        return Vec::new();
    };
    let most = inputs.get(Number::Batch).unwrap_or(1.0).max(4096.0);
    let told = reading.throughputs.iter().map(|run| {
        let rate = format!("{} tok/s", format::sig3(run.tokens));
        let Some(batch) = running_batch(&scenario, run.tokens, most) else {
            return format!("{rate}: this plan does not reach that rate at any batch.");
        };
        let ran = sequences(batch.round().max(1.0));
        match run.concurrency {
            Some(kept) => format!(
                "{rate} is what {ran} give: the scheduler ran about {} of your {}.",
                format::count(batch.round().max(1.0)),
                format::count(kept)
            ),
            None => format!("{rate} is what {ran} give."),
        }
    });
    told.collect()
}
