//! Combines the runs and settings found in a text into a `Reading`.

use crate::inputs::{Inputs, Number};
use crate::measurement::Measurements;
use crate::workload::Speculation;

use super::checks::checks;
use super::clean::{Text, clean};
use super::fact::{Fact, How, Value};
use super::gather::{Gathered, gather};
use super::launch::Launch;
use super::note::Note;
use super::point::{Derived, Point, Throughput, point};
use super::reading::{IdleTtft, ReadLine, Reading};
use super::said::{At, four_digits};
use super::stated::{Format, Stated};

/// Reads a paste; if the paste names no model, the model of the scenario is used.
pub fn read(paste: &str, scenario: &Inputs) -> Reading {
    let text = clean(paste);
    let gathered = gather(&text);
    let model = gathered.launch.model.as_ref().and_then(|at| at.value.entry);
    let arch = model.map_or(scenario.model.arch(), |entry| &entry.arch);
    Reader::new(text, gathered, arch.is_moe()).finish()
}

struct Reader {
    text: Text,
    launch: Launch,
    runs: Vec<Stated>,
    taken: Vec<bool>,
    moe: bool,
    reading: Reading,
}

impl Reader {
    fn new(text: Text, gathered: Gathered, moe: bool) -> Self {
        let formats = gathered.formats();
        let Gathered {
            runs,
            launch,
            notes,
            taken,
            commanded,
        } = gathered;
        let reading = Reading {
            lines: Vec::new(),
            formats,
            server: launch.server,
            facts: Vec::new(),
            points: Vec::new(),
            rest: Vec::new(),
            throughputs: Vec::new(),
            idle_ttft: None,
            limit: launch.most_sequences(moe),
            notes,
            unread: launch.unread.clone(),
            commanded: commanded || launch.program.is_some(),
        };
        Self {
            text,
            launch,
            runs,
            taken,
            moe,
            reading,
        }
    }

    fn finish(mut self) -> Reading {
        self.points();
        self.facts();
        self.deployment_notes();
        let mut notes: Vec<Note> = Vec::new();
        for note in std::mem::take(&mut self.reading.notes) {
            if !notes.iter().any(|other| other.id() == note.id()) {
                notes.push(note);
            }
        }
        let mut reading = self.reading;
        reading.notes = notes;
        reading.lines = self
            .text
            .lines
            .into_iter()
            .zip(self.taken)
            .map(|(line, read)| ReadLine {
                text: line.text,
                first: line.first,
                last: line.last,
                read,
            })
            .collect();
        reading
    }

    fn note(&mut self, is: bool, note: Note) {
        if is {
            self.reading.notes.push(note);
        }
    }

    /// Computes the measured points of all runs; points that a permalink cannot hold become `rest`.
    fn points(&mut self) {
        let sharding = self.launch.sharding(self.moe);
        let stated = |key: Number| {
            let mut facts = sharding.iter();
            facts.find_map(|fact| match fact.value {
                Value::Number(number, value) if number == key => Some(value),
                _ => None,
            })
        };
        let replicas = stated(Number::Replicas).unwrap_or(1.0);
        let gpus = stated(Number::Gpus);
        let commanded = self
            .launch
            .drafts
            .or(self.launch.draft_steps)
            .map(|at| at.value);
        let mut points = Vec::new();
        let runs = std::mem::take(&mut self.runs);
        for run in &runs {
            let derived = Derived::of(run, commanded);
            if let Some((point, notes)) = point(run, &derived, replicas, gpus) {
                self.reading.notes.extend(notes);
                self.reading.notes.extend(checks(run, &derived));
                let idle = run.idle_ttft.or(single(run, &derived, replicas));
                keep_first(&mut self.reading.idle_ttft, idle);
                points.push(point);
            } else {
                keep_first(&mut self.reading.idle_ttft, run.idle_ttft);
                self.without_time(run);
            }
        }
        self.runs = runs;
        let (kept, rest) = chosen(points);
        let read = kept.len() + rest.len();
        self.note(!rest.is_empty(), Note::MorePoints { read });
        self.reading.points = kept;
        self.reading.rest = rest;
    }

    fn without_time(&mut self, run: &Stated) {
        let Some(format) = run.format else { return };
        let tokens = run
            .output_rate
            .map(|at| at.value * run.rates_per.map_or(1.0, |gpus| gpus.value));
        if let Some(tokens) = tokens.filter(|tokens| *tokens > 0.0) {
            self.reading.throughputs.push(Throughput {
                tokens,
                concurrency: run.concurrency.map(|at| at.value),
                lines: run.lines(),
            });
        }
        if run.idle_ttft.is_none() {
            let line = run.lines().first().copied().unwrap_or(0);
            self.reading.notes.push(Note::NoTime { format, line });
        }
    }

    fn facts(&mut self) {
        let mut facts = Vec::new();
        if let Some(at) = &self.launch.model
            && let Some(entry) = at.value.entry
        {
            facts.push(Fact::new(Value::Model(entry), vec![at.line]));
        }
        if let Some(at) = self.launch.gpu {
            facts.push(Fact::new(Value::Gpu(at.value), vec![at.line]));
        }
        facts.extend(self.launch.formats());
        facts.extend(self.launch.sharding(self.moe));
        let settings = self.launch.settings();
        facts.extend(settings);
        facts.extend(self.load());
        facts.retain(|fact| match fact.value {
            Value::Number(number, value) => number.allows(value),
            _ => true,
        });
        for fact in facts {
            let known = self
                .reading
                .facts
                .iter()
                .any(|other| other.value.key() == fact.value.key());
            if !known {
                self.reading.facts.push(fact);
            }
        }
    }

    /// Returns the facts about the load: draft tokens, serving mode, prefix cache hit rate, and the lengths and batch
    /// of the point with the largest batch.
    fn load(&mut self) -> Vec<Fact> {
        let mut facts = self.drafts();
        let largest = largest(&self.reading.points).cloned();
        let decode_only = match &largest {
            Some(point) => self
                .runs
                .iter()
                .any(|run| run.decode_only && run.format == Some(point.format)),
            None => false,
        };
        // A time per token alone does not imply a serving mode.
        let of_requests = |point: &Point| {
            decode_only
                || point.lengths.is_some()
                || point.concurrency.is_some()
                || point.in_flight.is_some()
        };
        let served = largest.as_ref().is_some_and(of_requests);
        if served || self.launch.program.is_some() || self.launch.is_sharded() {
            let mut serving = self.launch.serving(decode_only);
            if let Some(point) = &largest
                && serving.lines.is_empty()
            {
                serving.lines.clone_from(&point.lines);
                serving.how = How::Assumed;
            }
            facts.push(serving);
        }
        let Some(point) = largest else {
            return facts;
        };
        let computed = |number: Number, value: f64| Fact {
            value: Value::Number(number, value),
            how: How::Computed,
            lines: point.lines.clone(),
        };
        match (point.lengths, point.context) {
            (Some((prompt, output)), _) => {
                facts.push(computed(Number::MeanPrompt, prompt));
                facts.push(computed(Number::MeanOutput, output));
            }
            (None, Some(context)) => facts.push(computed(Number::Context, context)),
            (None, None) => {}
        }
        facts.extend(point.batch.map(|batch| computed(Number::Batch, batch)));
        let mut hits = self.runs.iter().filter_map(|run| run.hit);
        let hit = hits.find(|at| at.value > 0.0);
        facts.extend(hit.map(|at| {
            let share = (at.value.min(0.999) * 1000.0).round() / 1000.0;
            Fact::new(Value::Number(Number::Hit, share), vec![at.line])
        }));
        facts
    }

    /// Returns the number of draft tokens, and the acceptance rate at which they yield the stated tokens per step.
    /// Returns no facts if either number is unknown or more than 8 draft tokens are stated; omits the acceptance rate
    /// if no rate yields that many tokens.
    fn drafts(&mut self) -> Vec<Fact> {
        let commanded = self
            .launch
            .drafts
            .or(self.launch.draft_steps)
            .map(|at| at.value);
        let found = self.runs.iter().rev().find_map(|run| {
            let derived = Derived::of(run, commanded);
            Some((run.lines(), derived.yielded?, derived.drafts))
        });
        let open = self.launch.drafts_open.is_some() && commanded.is_none();
        let Some((lines, yielded, drafts)) = found else {
            self.note(open, Note::DraftsUnknown);
            return Vec::new();
        };
        let Some(depth) = drafts.filter(|depth| (1.0..=8.0).contains(depth)) else {
            self.note(yielded > 1.0, Note::DraftsUnknown);
            return Vec::new();
        };
        let computed = |number: Number, value: f64| Fact {
            value: Value::Number(number, value),
            how: How::Computed,
            lines: lines.clone(),
        };
        let mut facts = vec![computed(Number::SpeculationDepth, depth)];
        if yielded > depth + 1.0 {
            self.note(true, Note::AcceptanceImpossible);
        } else {
            let acceptance = acceptance(depth, yielded);
            facts.push(computed(
                Number::Acceptance,
                four_digits(acceptance).min(1.0),
            ));
        }
        facts
    }

    fn deployment_notes(&mut self) {
        let launch_notes = self.launch.notes();
        self.reading.notes.extend(launch_notes);
        self.note(self.text.cut, Note::Cut);
        let measured = !self.runs.is_empty();
        let nothing = !measured && self.reading.facts.is_empty();
        self.note(nothing, Note::NothingRead);
        let model = self.launch.model.as_ref().map(|at| at.value.clone());
        match model {
            None => self.note(measured, Note::NoModel),
            Some(model) if model.entry.is_none() => {
                self.note(model.weights.is_none(), Note::DtypeUnknown);
                self.note(true, Note::UnknownModel { name: model.name });
            }
            Some(_) => {}
        }
        self.note(measured && self.launch.gpu.is_none(), Note::NoGpu);
        let sharded = self.launch.is_sharded() || self.launch.program.is_some();
        self.note(measured && !sharded, Note::NoSharding);
        let llama = self.reading.formats.contains(&Format::LlamaBench);
        self.note(llama, Note::UnknownEngine);
        let most = self.reading.points.iter().chain(&self.reading.rest);
        let most = most
            .filter_map(|point| point.concurrency)
            .fold(0.0, f64::max);
        if let Some(limit) = self.reading.limit
            && most > limit
        {
            let concurrency = most;
            self.note(true, Note::EngineLimit { concurrency, limit });
        }
    }
}

/// Returns the acceptance rate at which `depth` draft tokens yield `yielded` tokens per step.
pub fn acceptance(depth: f64, yielded: f64) -> f64 {
    if yielded <= 1.0 {
        return 0.0;
    }
    Speculation::acceptance_of(depth as u32, yielded)
}

/// Returns the TTFT and prompt length from a run whose client sends one request at a time to a single replica;
/// otherwise `None`.
fn single(run: &Stated, derived: &Derived, replicas: f64) -> Option<At<(f64, f64)>> {
    let one = run.concurrency.is_some_and(|at| at.value <= 1.0) && replicas <= 1.0;
    let (ttft, (prompt, _)) = run.ttft.zip(derived.prompt)?;
    one.then(|| ttft.map(|ttft| (ttft, (prompt + 0.5).floor())))
}

fn keep_first(slot: &mut Option<IdleTtft>, found: Option<At<(f64, f64)>>) {
    let known = found.filter(|at| at.value.0 > 0.0 && at.value.1 >= 1.0);
    if let (None, Some(at)) = (*slot, known) {
        let (time, prompt) = at.value;
        *slot = Some(IdleTtft {
            time,
            prompt,
            line: at.line,
        });
    }
}

/// Returns the point with the largest batch; if several are equal, the first one.
fn largest(points: &[Point]) -> Option<&Point> {
    points
        .iter()
        .reduce(|best, next| match next.batch > best.batch {
            true => next,
            false => best,
        })
}

/// Splits the points into those that a permalink holds and the remaining ones. If there are too many, sorts them by
/// batch; the permalink gets the first, the last and evenly spaced ones between them.
fn chosen(mut points: Vec<Point>) -> (Vec<Point>, Vec<Point>) {
    let most = Measurements::MOST;
    if points.len() <= most {
        return (points, Vec::new());
    }
    let batch = |point: &Point| point.batch.unwrap_or(0.0);
    crate::order::sort_by(&mut points, |one, other| {
        batch(one).total_cmp(&batch(other))
    });
    let last = points.len() - 1;
    let places: Vec<usize> = (0..most)
        .map(|at| (at * last + (most - 1) / 2) / (most - 1))
        .collect();
    let (mut kept, mut rest) = (Vec::new(), Vec::new());
    for (at, point) in points.into_iter().enumerate() {
        match places.contains(&at) {
            true => kept.push(point),
            false => rest.push(point),
        }
    }
    (kept, rest)
}
