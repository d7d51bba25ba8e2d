//! Converts the numbers that a run states to a measured point, using Little's law, which holds for any system in
//! steady state.

use crate::measurement::{MeasuredLengths, MeasuredPoint, MeasuredTime, TimeUnit};
use crate::units::Seconds;

use super::note::Note;
use super::said::{Said, four_digits};
use super::stated::{Format, Stated, TimeSource};

/// A measured point of a deployment; values are per replica unless noted otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Format that the run was read from.
    pub format: Format,
    /// Time per output token.
    pub time: Seconds,
    /// Type of the stated number from which the time per output token was taken.
    pub source: TimeSource,
    /// Number of sequences in decode, rounded to an integer (half up) of at least 1; `None` if it cannot be
    /// determined.
    pub batch: Option<f64>,
    /// Mean prompt length and mean output length, in whole tokens.
    pub lengths: Option<(f64, f64)>,
    /// Mean context length during decode, in whole tokens.
    pub context: Option<f64>,
    /// Mean time to first token.
    pub ttft: Option<Seconds>,
    /// Fraction of a request's time spent in decode, s = 1 − TTFT/E, with the end-to-end time E.
    pub decode_share: Option<f64>,
    /// Max requests that the client has in flight, over all replicas.
    pub concurrency: Option<f64>,
    /// Number of completed requests.
    pub completed: Option<f64>,
    /// Mean requests in flight over all replicas, λE: request rate λ times end-to-end time E.
    pub in_flight: Option<f64>,
    /// Mean requests in decode over all replicas, λ(n − 1)t: request rate λ, output tokens n, time per token t.
    pub decoding: Option<f64>,
    /// Mean requests in flight ÷ the client's concurrency; below 1 because of ramp-up and drain.
    pub fill: Option<f64>,
    /// Output tokens per second per GPU.
    pub per_gpu: Option<f64>,
    /// Tokens generated per step and sequence, y.
    pub tokens_per_step: Option<f64>,
    /// Step time.
    pub step: Option<Seconds>,
    /// Lines of the cleaned text that the point was read from, counted from 0.
    pub lines: Vec<u32>,
}

impl Point {
    /// Returns the point as a value of the permalink key `measured`, with the time rounded to four digits. Returns
    /// `None` if a number is outside the range that this key allows.
    pub fn measured(&self) -> Option<MeasuredPoint> {
        let millis = four_digits(self.time.get() * 1e3);
        let point = MeasuredPoint {
            time: MeasuredTime::new(millis, TimeUnit::Millis)?,
            batch: self.batch,
            // Permalinks state lengths only after a batch.
            lengths: self.batch.and(match (self.lengths, self.context) {
                (Some((prompt, output)), _) => Some(MeasuredLengths::Request { prompt, output }),
                (None, Some(context)) => Some(MeasuredLengths::Context(context)),
                (None, None) => None,
            }),
        };
        point.is_allowed().then_some(point)
    }
}

/// Throughput of a run that states no time per token.
#[derive(Debug, Clone, PartialEq)]
pub struct Throughput {
    /// Output tokens per second, over all replicas.
    pub tokens: f64,
    /// Max requests that the client has in flight.
    pub concurrency: Option<f64>,
    /// Lines of the cleaned text that the throughput was read from.
    pub lines: Vec<u32>,
}

/// Lengths, rates and times of requests, derived from the numbers that a run states.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Derived {
    /// Mean prompt length in tokens, and true if the length is computed from rates.
    pub prompt: Option<(f64, bool)>,
    /// Mean output length in tokens, and true if the length is computed from times.
    pub output: Option<(f64, bool)>,
    /// Completed requests per second, λ.
    pub rate: Option<f64>,
    /// Mean end-to-end time of a request in seconds, E.
    pub e2e: Option<f64>,
    /// Tokens generated per step and sequence, y.
    pub yielded: Option<f64>,
    /// Draft tokens per step, δ.
    pub drafts: Option<f64>,
}

fn of(said: Said) -> Option<f64> {
    said.map(|at| at.value)
}

/// Divides `one` by `other`; `None` unless both are positive.
fn over(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    let (one, other) = (one?, other?);
    (one > 0.0 && other > 0.0).then(|| one / other)
}

impl Derived {
    /// Derives quantities that a run does not state; `commanded` is the number of draft tokens in the launch command.
    pub fn of(run: &Stated, commanded: Option<f64>) -> Self {
        let stated = |said: Said, total: Said| of(said).or(over(of(total), of(run.completed)));
        let (ttft, time) = (of(run.ttft), of(run.tpot));
        let of_times = || {
            let decode = of(run.e2e)? - ttft?;
            (decode > 0.0)
                .then(|| over(Some(decode), time))?
                .map(|after| 1.0 + after)
        };
        let output = stated(run.output, run.output_total).map(|output| (output, false));
        let output = output.or(of_times().map(|output| (output, true)));
        let output = output.filter(|(tokens, _)| *tokens > 0.0);
        let of_rates = || Some(output?.0 * over(of(run.input_rate), of(run.output_rate))?);
        let prompt = stated(run.prompt, run.input_total).map(|prompt| (prompt, false));
        let prompt = prompt.or(of_rates().map(|prompt| (prompt, true)));
        let per_second = of(run.output_rate).map(|rate| rate * of(run.rates_per).unwrap_or(1.0));
        let rate = over(of(run.completed), of(run.duration))
            .or(of(run.request_rate))
            .or(over(per_second, output.map(|(output, _)| output)));
        let e2e = of(run.e2e).or_else(|| Some(ttft? + (output?.0 - 1.0).max(0.0) * time?));
        let counted = over(of(run.draft_tokens), of(run.draft_steps)).map(f64::round);
        let drafts = of(run.drafts)
            .or(counted)
            .or(commanded)
            .filter(|drafts| *drafts >= 1.0);
        let of_rate = || Some(1.0 + drafts? * of(run.accept_rate)?);
        let yielded = of(run.accept_length)
            .filter(|length| *length >= 1.0)
            .or_else(of_rate);
        Self {
            prompt,
            output,
            rate,
            e2e,
            yielded,
            drafts,
        }
    }
}

/// Returns the range of uniformly drawn output lengths, longest − shortest, in tokens; 0 if all lengths are equal.
///
/// For a range ratio r, SGLang draws lengths from r·L to L, and vLLM from L(1 − r) to L(1 + r).
fn spread(run: &Stated) -> f64 {
    let Some(random) = run.random else { return 0.0 };
    let (ratio, length) = random.value;
    let vllm = matches!(run.format, Some(Format::VllmServe | Format::VllmServeJson));
    if !(0.0..=1.0).contains(&ratio) {
        0.0
    } else if vllm {
        2.0 * length * ratio
    } else {
        (length - (ratio * length).max(1.0)).max(0.0)
    }
}

/// Ratio of mean requests in flight to client concurrency, below which a run counts as too short.
const SHORT: f64 = 0.9;
/// Ratio of mean to requested output length, below which outputs count as ended early.
const EARLY: f64 = 0.98;

/// Returns the measured point of a run, with notes; `None` if the run states no time per token.
///
/// The batch is the number of running sequences that the engine states. Otherwise it is C·s/replicas, with decode share
/// s and the client's concurrency C (or else the stated mean requests in flight). Without C, it is λ(n − 1)t/replicas.
/// The mean context is p + (n + σ²/n)/2.
pub fn point(
    run: &Stated,
    derived: &Derived,
    replicas: f64,
    gpus: Option<f64>,
) -> Option<(Point, Vec<Note>)> {
    let time = of(run.tpot).filter(|time| *time > 0.0)?;
    let (ttft, concurrency) = (
        of(run.ttft),
        of(run.concurrency).filter(|count| *count >= 1.0),
    );
    let share = derived.e2e.zip(ttft).map(|(e2e, ttft)| 1.0 - ttft / e2e);
    let share = share.filter(|share| *share > 0.0 && *share <= 1.0);
    let output = derived.output.map(|(output, _)| output);
    let decoding = derived
        .rate
        .zip(output)
        .map(|(rate, output)| rate * (output - 1.0).max(0.0) * time);
    let in_flight = derived.rate.zip(derived.e2e).map(|(rate, e2e)| rate * e2e);
    let in_decode = |count: Option<f64>| Some(count? * share.unwrap_or(1.0) / replicas);
    let batch = of(run.running)
        .or(in_decode(concurrency))
        .or(in_decode(of(run.in_flight)))
        .or(decoding.map(|decoding| decoding / replicas))
        .map(|batch| (batch + 0.5).floor().max(1.0));
    let whole = |tokens: f64| (tokens + 0.5).floor();
    let lengths = derived.prompt.zip(derived.output);
    let range = spread(run);
    let context = lengths.map(|((prompt, _), (output, _))| {
        let variance = range * range / 12.0;
        prompt + (output + variance / output) / 2.0
    });
    let fill = in_flight
        .zip(concurrency)
        .map(|(in_flight, kept)| in_flight / kept);
    let per_second = of(run.output_rate);
    let per_gpu = match run.rates_per {
        Some(_) => per_second,
        None => over(per_second, gpus.map(|gpus| gpus * replicas)),
    };
    let point = Point {
        format: run.format?,
        time: Seconds::new(time),
        source: run.source.unwrap_or(TimeSource::MeanTpot),
        batch,
        lengths: lengths.map(|((prompt, _), (output, _))| (whole(prompt), whole(output).max(1.0))),
        context: context.or(of(run.context)).map(whole),
        ttft: ttft.map(Seconds::new),
        decode_share: share,
        concurrency,
        completed: of(run.completed),
        in_flight,
        decoding,
        fill,
        per_gpu,
        tokens_per_step: derived.yielded,
        step: derived.yielded.map(|yielded| Seconds::new(time * yielded)),
        lines: run.lines(),
    };
    let notes = notes(run, derived, &point, range);
    Some((point, notes))
}

fn notes(run: &Stated, derived: &Derived, point: &Point, range: f64) -> Vec<Note> {
    let follows = |length: Option<(f64, bool)>| length.is_some_and(|(_, follows)| follows);
    let chunks = of(run.itl).filter(|_| !run.itl_per_token);
    let steps = derived.yielded.is_some_and(|yielded| yielded > 1.0) && chunks.is_some();
    let flagged = [
        (follows(derived.output), Note::OutputDerived),
        (follows(derived.prompt), Note::PromptDerived),
        (range > 0.0, Note::LengthsSpread),
        (steps, Note::ItlIsStep),
    ];
    let mut notes: Vec<Note> = flagged
        .into_iter()
        .filter(|(is, _)| *is)
        .map(|(_, note)| note)
        .collect();
    if let Some(failed) = of(run.failed).filter(|failed| *failed > 0.0) {
        notes.push(Note::FailedRequests { failed });
    }
    if let Some(fill) = point.fill.filter(|fill| *fill < SHORT) {
        notes.push(Note::ShortRun { fill });
    }
    let asked = run.random.map(|at| at.value.1).filter(|_| range <= 0.0);
    if let (Some((output, false)), Some(asked)) = (derived.output, asked)
        && output < EARLY * asked
    {
        notes.push(Note::EarlyEnd { output, asked });
    }
    if let Some(share) = of(run.hit).filter(|hit| *hit > 0.0) {
        notes.push(Note::CacheHits { share });
    }
    notes
}
