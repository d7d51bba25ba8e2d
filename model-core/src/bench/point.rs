//! From a stated run to a measured point: arithmetic that holds for every system in steady state (Little's law).

use crate::measurement::{MeasuredLengths, MeasuredPoint, MeasuredTime, TimeUnit};
use crate::units::Seconds;

use super::note::Note;
use super::said::{Said, four_digits};
use super::stated::{Format, Stated, TimeSource};

/// A measured point of a deployment, per replica where not stated otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Format of its run.
    pub format: Format,
    /// Time per output token.
    pub time: Seconds,
    /// The statement it was taken from.
    pub source: TimeSource,
    /// Sequences in decode, rounded half up, at least 1; `None` if nothing states them.
    pub batch: Option<f64>,
    /// Mean prompt and output in whole tokens.
    pub lengths: Option<(f64, f64)>,
    /// Mean context during decode in whole tokens.
    pub context: Option<f64>,
    /// Mean time to first token.
    pub ttft: Option<Seconds>,
    /// Share of a request's time in decode, s = 1 − TTFT/E.
    pub decode_share: Option<f64>,
    /// Max requests of the client in flight, over all replicas.
    pub concurrency: Option<f64>,
    /// Completed requests.
    pub completed: Option<f64>,
    /// Requests in flight, λE, over all replicas.
    pub in_flight: Option<f64>,
    /// Requests in decode, λ(n − 1)t, over all replicas.
    pub decoding: Option<f64>,
    /// Requests in flight over the client's concurrency: below 1 by ramp-up and drain.
    pub fill: Option<f64>,
    /// Output tokens per second and GPU.
    pub per_gpu: Option<f64>,
    /// Tokens of a step, y.
    pub tokens_per_step: Option<f64>,
    /// Time of a step.
    pub step: Option<Seconds>,
    /// Lines of the cleaned text that it was read from, from 0.
    pub lines: Vec<u32>,
}

impl Point {
    /// The point as the link key `measured` states it: its time to four digits; `None` if a number is outside the
    /// range of its key.
    pub fn measured(&self) -> Option<MeasuredPoint> {
        let millis = four_digits(self.time.get() * 1e3);
        let point = MeasuredPoint {
            time: MeasuredTime::new(millis, TimeUnit::Millis)?,
            batch: self.batch,
            // A link states lengths behind a batch.
            lengths: self.batch.and(match (self.lengths, self.context) {
                (Some((prompt, output)), _) => Some(MeasuredLengths::Request { prompt, output }),
                (None, Some(context)) => Some(MeasuredLengths::Context(context)),
                (None, None) => None,
            }),
        };
        point.is_allowed().then_some(point)
    }
}

/// Output tokens per second of a run without a time per token.
#[derive(Debug, Clone, PartialEq)]
pub struct Throughput {
    /// Output tokens per second of all replicas.
    pub tokens: f64,
    /// Max requests of the client in flight.
    pub concurrency: Option<f64>,
    /// Lines of the cleaned text.
    pub lines: Vec<u32>,
}

/// Quantities that follow from a run's statements: lengths, rate and times of its requests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Derived {
    /// Mean prompt and whether it follows from a rate.
    pub prompt: Option<(f64, bool)>,
    /// Mean output and whether it follows from times.
    pub output: Option<(f64, bool)>,
    /// Completed requests per second, λ.
    pub rate: Option<f64>,
    /// End-to-end time, E.
    pub e2e: Option<f64>,
    /// Tokens of a step, y.
    pub yielded: Option<f64>,
    /// Draft tokens of a step, δ.
    pub drafts: Option<f64>,
}

fn of(said: Said) -> Option<f64> {
    said.map(|at| at.value)
}

/// Quotient of two positive numbers.
fn over(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    let (one, other) = (one?, other?);
    (one > 0.0 && other > 0.0).then(|| one / other)
}

impl Derived {
    /// Derives what a run does not state; `commanded`: draft tokens of a launch command.
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

/// Range of output lengths that are drawn evenly, longest − shortest in tokens; 0 for equal lengths.
///
/// The share r: SGLang draws from r·L to L, vLLM from L(1 − r) to L(1 + r).
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

/// Share of concurrency below which a run counts as short.
const SHORT: f64 = 0.9;
/// Output below this share of the length asked for ended early.
const EARLY: f64 = 0.98;

/// The point of a run, with its notes; `None` without a time per token.
///
/// Running batch: stated by the engine; closed loop C·s; else λ(n − 1)t, over `replicas`. Context p + (n + σ²/n)/2.
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
    let asked = of(run.asked_output).or(asked);
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
