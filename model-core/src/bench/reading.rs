//! The reading of a paste: facts, points and notes, and the scenario that they make.

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

/// A line of the cleaned text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadLine {
    /// Its text.
    pub text: String,
    /// First line of the paste that it came from, from 0.
    pub first: u32,
    /// Last line of the paste that it came from.
    pub last: u32,
    /// True if it was read. No number is taken from any other line.
    pub read: bool,
}

/// Time to first token of one request in an idle engine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IdleTtft {
    /// Seconds.
    pub time: f64,
    /// Tokens of its prompt.
    pub prompt: f64,
    /// Line of the cleaned text.
    pub line: u32,
}

/// Contents of a paste.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The cleaned text.
    pub lines: Vec<ReadLine>,
    /// Formats, in the order of the text.
    pub formats: Vec<Format>,
    /// Engine whose settings are stated.
    pub server: Option<Server>,
    /// Facts, each key once.
    pub facts: Vec<Fact>,
    /// Points, at most [`Measurements::MOST`].
    pub points: Vec<Point>,
    /// Further points, which are only listed.
    pub rest: Vec<Point>,
    /// Runs that have a throughput, but no time per token.
    pub throughputs: Vec<Throughput>,
    /// Time to first token of a single request.
    pub idle_ttft: Option<IdleTtft>,
    /// Most sequences that a replica runs at once, by the engine's settings.
    pub limit: Option<f64>,
    /// Notes, each once.
    pub notes: Vec<Note>,
    /// Flags that are not mapped, by name.
    pub unread: Vec<At<String>>,
    /// True if settings of an engine are stated, whose defaults then hold for what is not.
    pub commanded: bool,
}

/// Keys that are asked for first; where the paste does not have them, the scenario's values hold.
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
    /// The fact of a key.
    pub fn fact(&self, key: &str) -> Option<&Fact> {
        self.facts.iter().find(|fact| fact.value.key() == key)
    }

    /// Values of the scenario for keys that the paste does not state.
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

    /// Contradictions among its statements: from two on it is not anchored until confirmed.
    pub fn contradictions(&self) -> usize {
        let contradicts = |note: &&Note| matches!(note, Note::Contradicts { .. });
        self.notes.iter().filter(contradicts).count()
    }

    /// The measurements that its points make.
    pub fn measurements(&self) -> Measurements {
        let mut measured = Measurements::of(self.points.iter().filter_map(Point::measured));
        measured.ttft = self.idle_ttft.and_then(|idle| {
            let time = MeasuredTime::new(four_digits(idle.time * 1e3), TimeUnit::Millis)?;
            let prompt = Some(idle.prompt).filter(|prompt| Number::MeanPrompt.allows(*prompt));
            Some(MeasuredTtft { time, prompt })
        });
        measured
    }

    /// The scenario with everything that the paste states; the rest is unchanged.
    pub fn applied(&self, scenario: &Inputs) -> Inputs {
        let mut inputs = scenario.in_mode(Mode::Colocated);
        let has = |key: &str| self.fact(key).is_some();
        if has("tp") {
            inputs.unshard();
        }
        if self.commanded || has("mtp") {
            // An engine without these flags has its defaults.
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
            // Prefill beside decode needs lengths.
            inputs.engine = Engine::Decode;
        }
        let measured = self.measurements();
        if !measured.is_empty() {
            inputs.measured = measured;
        }
        anchored(&inputs.with_anchored(None).normalized())
    }
}
