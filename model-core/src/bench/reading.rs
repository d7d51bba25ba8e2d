//! The result of reading a paste: facts, points and notes, and the resulting scenario.

use crate::anchor::anchored;
use crate::inputs::{Inputs, Mode, Number};
use crate::measurement::{MeasuredTime, MeasuredTtft, Measurements, TimeUnit};
use crate::workload::Engine;

use super::fact::{Fact, How, Value};
use super::launch::Server;
use super::note::Note;
use super::point::{Point, Throughput};
use super::said::{At, four_digits};
use super::stated::Format;

/// A line of the cleaned text, marked as read or unread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadLine {
    /// Text of the line.
    pub text: String,
    /// First line of the paste that this line came from, counted from 0.
    pub first: u32,
    /// Last line of the paste that this line came from, counted from 0.
    pub last: u32,
    /// True if the line was read. No number is taken from a line that was not read.
    pub read: bool,
}

/// TTFT of a single request in an otherwise idle engine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IdleTtft {
    /// TTFT in seconds.
    pub time: f64,
    /// Prompt length in tokens.
    pub prompt: f64,
    /// Line of the cleaned text that states the TTFT.
    pub line: u32,
}

/// Everything that was read from a paste.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Lines of the cleaned text.
    pub lines: Vec<ReadLine>,
    /// Distinct formats of the runs that were found in the text.
    pub formats: Vec<Format>,
    /// Serving engine to which the stated settings belong.
    pub server: Option<Server>,
    /// Facts read from the paste, at most one per permalink key.
    pub facts: Vec<Fact>,
    /// Measured points that a permalink can hold, at most [`Measurements::MOST`].
    pub points: Vec<Point>,
    /// Measured points that do not fit in a permalink; they are listed but not used.
    pub rest: Vec<Point>,
    /// Throughputs of runs that state no time per token.
    pub throughputs: Vec<Throughput>,
    /// TTFT of a single request in an otherwise idle engine, if measured.
    pub idle_ttft: Option<IdleTtft>,
    /// Max sequences that a replica runs at once, according to the engine's settings.
    pub limit: Option<f64>,
    /// Notes on the reading, each at most once.
    pub notes: Vec<Note>,
    /// Names of flags that were not recognized.
    pub unread: Vec<At<String>>,
    /// True if the paste has a launch command or an engine settings file; the engine's defaults then apply to all
    /// other settings.
    pub commanded: bool,
}

/// Permalink keys that are listed with the scenario's value if the paste does not state them.
const ASKED: [&str; 14] = [
    "model",
    "gpu",
    "gpus",
    "dp",
    "tp",
    "kvp",
    "ep",
    "ffn_tp",
    "pp",
    "precision",
    "kv",
    "prompt",
    "output",
    "batch",
];

impl Reading {
    /// Returns the fact that the paste states for a permalink key, if any.
    pub fn fact(&self, key: &str) -> Option<&Fact> {
        self.facts.iter().find(|fact| fact.value.key() == key)
    }

    /// Returns the scenario's values for the keys of `ASKED` that the paste does not state.
    pub fn kept(&self, scenario: &Inputs) -> Vec<Fact> {
        let absent = ASKED.into_iter().filter(|key| self.fact(key).is_none());
        let of = |key| {
            Some(Fact {
                value: Value::of(scenario, key)?,
                how: How::Kept,
                lines: Vec::new(),
            })
        };
        absent.filter_map(of).collect()
    }

    /// Returns the measured points and the idle TTFT as a scenario's measurements.
    pub fn measurements(&self) -> Measurements {
        let mut measured = Measurements::of(self.points.iter().filter_map(Point::measured));
        measured.ttft = self.idle_ttft.and_then(|idle| {
            let time = MeasuredTime::new(four_digits(idle.time * 1e3), TimeUnit::Millis)?;
            let prompt = Some(idle.prompt).filter(|prompt| Number::MeanPrompt.allows(*prompt));
            Some(MeasuredTtft { time, prompt })
        });
        measured
    }

    /// Returns the colocated scenario with all values that the paste states. Related inputs, such as sharding,
    /// speculation, precision and serving mode, are reset where the stated values require it.
    pub fn applied(&self, scenario: &Inputs) -> Inputs {
        let mut inputs = scenario.in_mode(Mode::Colocated);
        let has = |key: &str| self.fact(key).is_some();
        if has("tp") {
            inputs.unshard();
        }
        if self.commanded || has("mtp") {
            // Without these flags, the engine's defaults apply.
            for number in [
                Number::SpeculationDepth,
                Number::Acceptance,
                Number::AcceptLength,
                Number::AcceptRate,
            ] {
                inputs.state(number, None);
            }
        }
        if has("prompt") {
            inputs.state(Number::Context, None);
        }
        let released = has("model") && !has("precision") && !has("w_ffn");
        if released && inputs.version.starts_as_engines_do() {
            inputs = inputs.with_precision(inputs.version.precision());
        }
        for fact in &self.facts {
            fact.value.set(&mut inputs);
        }
        let lengths = [Number::MeanPrompt, Number::MeanOutput];
        if lengths
            .iter()
            .any(|length| inputs.stated(*length).is_none())
        {
            // Aggregated serving needs request lengths.
            inputs.engine = Engine::Decode;
        }
        let measured = self.measurements();
        if !measured.is_empty() {
            inputs.measured = measured;
        }
        anchored(&inputs.with_anchored(None).normalized())
    }
}
