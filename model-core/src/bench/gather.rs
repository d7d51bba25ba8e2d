//! Reads runs and settings from cleaned lines; each line goes to the first reader that recognizes it.

use super::blocks::{Blocks, OneBatch};
use super::clean::{Line, Text};
use super::command;
use super::csv::Metrics;
use super::json::{self, Parsed, Place};
use super::launch::{Launch, Object};
use super::llama::Table;
use super::logs::Logs;
use super::names;
use super::note::Note;
use super::objects;
use super::report;
use super::said::{At, number};
use super::stated::{Format, Stated};
use super::tree::Tree;
use super::typed;
use super::yaml;

/// Runs, settings and notes read from a text.
#[derive(Debug, Default)]
pub struct Gathered {
    /// Benchmark runs. Runs of the same format are in the order of the text.
    pub runs: Vec<Stated>,
    /// Engine settings; a launch command takes precedence over files.
    pub launch: Launch,
    /// Notes that the readers made on the text.
    pub notes: Vec<Note>,
    /// For each line of the text, true if a reader recognized it.
    pub taken: Vec<bool>,
    /// True if a launch command was read, or a YAML file with engine settings but no runs.
    pub commanded: bool,
}

struct Walk<'a> {
    lines: &'a [Line],
    at: usize,
    /// Remaining number of lines that failed attempts to parse JSON may scan.
    attempts: usize,
    /// Index of the first line at which a known YAML file may start; earlier lines are ruled out.
    no_yaml: usize,
    /// Lines of the current file whose values were used.
    used: Vec<u32>,
    blocks: Blocks,
    one_batch: OneBatch,
    metrics: Metrics,
    table: Table,
    logs: Logs,
    /// Settings from result files and benchmark clients.
    files: Launch,
    found: Gathered,
}

/// Reads the runs and settings in a cleaned text.
pub fn gather(text: &Text) -> Gathered {
    let mut walk = Walk {
        lines: &text.lines,
        at: 0,
        attempts: text.lines.len() + 200,
        no_yaml: 0,
        used: Vec::new(),
        blocks: Blocks::default(),
        one_batch: OneBatch::default(),
        metrics: Metrics::default(),
        table: Table::default(),
        logs: Logs::default(),
        files: Launch::default(),
        found: Gathered {
            taken: vec![false; text.lines.len()],
            ..Gathered::default()
        },
    };
    while let Some(line) = walk.lines.get(walk.at) {
        let taken = walk.step(&line.text);
        walk.mark(taken);
        walk.at += taken.max(1);
    }
    walk.finish()
}

/// True if a line of a file only opens or closes a nesting level.
fn is_structure(line: &str) -> bool {
    let line = line.trim();
    line.ends_with(['{', '[', ':']) || line.chars().all(|mark| "{}[],- ".contains(mark))
}

impl Walk<'_> {
    /// Marks `count` lines, starting with the current one, as read. If `count` exceeds 1 (a file), only structural
    /// lines and lines whose values were used are marked.
    fn mark(&mut self, count: usize) {
        let used = std::mem::take(&mut self.used);
        let block = self.lines.iter().enumerate().skip(self.at).take(count);
        for (at, line) in block {
            let read = count == 1 || is_structure(&line.text);
            if let Some(mark) = self.found.taken.get_mut(at) {
                *mark |= read;
            }
        }
        for at in used {
            if let Some(mark) = self.found.taken.get_mut(at as usize) {
                *mark = true;
            }
        }
    }

    /// Reads the text from the current line on, and returns the number of lines that were recognized.
    fn step(&mut self, text: &str) -> usize {
        let Ok(line) = u32::try_from(self.at) else {
            return 0;
        };
        let trimmed = text.trim_start();
        if trimmed.is_empty() {
            return 0;
        }
        // Try labels first, because most lines of a large paste have one.
        let taken = self.blocks.take(text, line);
        self.found.runs.append(&mut self.blocks.runs);
        let taken = taken
            || self.logs.take(text, line)
            || self.metrics.take(text, line)
            || self.table.take(text, line)
            || self.one_batch.take(text, line)
            || self.client(text, line)
            || self.command(text, line)
            || self.typed(text, line);
        if taken {
            return 1;
        }
        if trimmed.starts_with(['{', '[']) {
            let taken = self.json(text.len() - trimmed.len());
            if taken > 0 {
                return taken;
            }
        }
        if self.at >= self.no_yaml && report::starts(text) {
            return self.yaml();
        }
        0
    }

    fn command(&mut self, text: &str, line: u32) -> bool {
        let Some(launch) = command::read(text, line) else {
            return false;
        };
        self.found.launch.fill(launch);
        self.found.commanded = true;
        true
    }

    fn typed(&mut self, text: &str, line: u32) -> bool {
        let run = typed::read(text, line);
        let read = run.is_some();
        self.found.runs.extend(run);
        read
    }

    /// Reads the arguments that a benchmark client prints as `Namespace(model='…', random_input_len=1024, …)`;
    /// returns false for any other line.
    fn client(&mut self, text: &str, line: u32) -> bool {
        let Some((_, inside)) = text.split_once("Namespace(") else {
            return false;
        };
        let value = |key: &str| {
            let pairs = inside.split(", ");
            let found = pairs.filter_map(|pair| pair.split_once('='));
            let mut values = found.filter(|(name, _)| name.trim() == key);
            values.next().map(|(_, value)| value.trim_end_matches(')'))
        };
        let named = value("model").filter(|name| *name != "None");
        let model = named.map(|name| At::new(names::model(name), line));
        self.files.model = self.files.model.take().or(model);
        let random = value("dataset_name").is_none_or(|name| name.contains("random"));
        let length = value("random_output_len").and_then(number);
        let ratio = value("random_range_ratio").and_then(number);
        let lengths = length.zip(ratio).filter(|_| random);
        self.blocks.finish();
        self.found.runs.append(&mut self.blocks.runs);
        // The lengths apply to the next result only.
        self.blocks.random = lengths.map(|(length, ratio)| At::new((ratio, length), line));
        true
    }

    /// Reads JSON that starts at a byte offset in the current line; returns the number of lines read.
    fn json(&mut self, byte: usize) -> usize {
        if self.attempts == 0 {
            return 0;
        }
        let from = Place {
            line: self.at,
            byte,
        };
        match json::parse(self.lines, from) {
            Parsed::Value(tree, end) => {
                // Text after the value on its last line counts as part of the value.
                let lines = (end.line + 1).min(self.lines.len()) - self.at;
                if !self.objects(&tree) {
                    self.attempts = self.attempts.saturating_sub(lines);
                    return 0;
                }
                lines
            }
            Parsed::Broken(line) => {
                self.attempts = self.attempts.saturating_sub(1 + line - self.at);
                0
            }
            Parsed::Ends => {
                let rest = self.lines.len() - self.at;
                self.attempts = self.attempts.saturating_sub(rest);
                let known = self
                    .found
                    .notes
                    .iter()
                    .any(|note| matches!(note, Note::Broken { .. }));
                if let (false, Ok(line)) = (known, u32::try_from(self.at)) {
                    self.found.notes.push(Note::Broken { line });
                }
                0
            }
        }
    }

    /// Collects every result object written by a known benchmark tool, at any nesting depth; returns false if there
    /// is none.
    fn objects(&mut self, tree: &Tree) -> bool {
        if let Some(object) = objects::read(tree) {
            self.object(object);
            return true;
        }
        let entries = tree.entries().iter().map(|(_, value)| value);
        let mut known = false;
        for inner in entries.chain(tree.items()) {
            known |= self.objects(inner);
        }
        known
    }

    fn object(&mut self, object: Object) {
        self.used(&object);
        self.found.runs.extend(object.runs);
        self.files.fill(object.launch);
    }

    fn used(&mut self, object: &Object) {
        self.used.extend(object.runs.iter().flat_map(Stated::lines));
        self.used.extend(object.launch.lines());
    }

    /// Reads YAML that starts at the current line; returns the number of lines read.
    fn yaml(&mut self) -> usize {
        let rest = self.lines.get(self.at..).unwrap_or_default();
        let end = rest.iter().position(|line| !yaml::is_yaml(&line.text));
        let block = &rest[..end.unwrap_or(rest.len())];
        let tree = yaml::parse(block, self.at);
        let Some(object) = report::read(&tree) else {
            self.no_yaml = self.at + block.len();
            return 0;
        };
        let measured = !object.runs.is_empty();
        if measured {
            self.object(object);
        } else {
            self.used(&object);
            self.found.commanded |= object.launch.server.is_some();
            self.found.launch.fill(object.launch);
        }
        block.len()
    }

    fn finish(mut self) -> Gathered {
        self.blocks.finish();
        self.one_batch.finish();
        self.metrics.finish();
        let mut found = self.found;
        for mut runs in [
            self.blocks.runs,
            self.one_batch.runs,
            self.metrics.runs,
            self.table.runs,
        ] {
            found.runs.append(&mut runs);
        }
        for logged in self.logs.finish() {
            found.runs.push(logged.run);
            found.notes.extend(logged.notes);
            found.launch.ranks = found.launch.ranks.or(logged.ranks);
        }
        found.launch.fill(self.blocks.launch);
        found.launch.fill(self.table.launch);
        found.launch.fill(self.files);
        found.prose(self.lines);
        found
    }
}

/// Limits of the search for an accelerator name in prose: max bytes per line, and max number of lines.
const PROSE: (usize, usize) = (400, 400);

impl Gathered {
    /// Takes the accelerator, and its count if given, from prose, if no reader found an accelerator and all mentions
    /// agree.
    fn prose(&mut self, lines: &[Line]) {
        if self.launch.gpu.is_some() {
            return;
        }
        // A typed line may name the accelerator next to its time.
        let typed = |run: &&Stated| run.format == Some(Format::Typed);
        let typed: Vec<u32> = self
            .runs
            .iter()
            .filter(typed)
            .flat_map(Stated::lines)
            .collect();
        let open = lines
            .iter()
            .zip(&self.taken)
            .enumerate()
            .filter(|(at, (line, taken))| {
                let open = !**taken || u32::try_from(*at).is_ok_and(|at| typed.contains(&at));
                open && !line.text.is_empty() && line.text.len() <= PROSE.0
            });
        let named = open.take(PROSE.1).filter_map(|(at, (line, _))| {
            let (gpu, count) = names::counted_gpu(&line.text)?;
            Some((At::new(gpu, u32::try_from(at).ok()?), count))
        });
        let named: Vec<_> = named.collect();
        let Some((first, _)) = named.first() else {
            return;
        };
        if named
            .iter()
            .any(|(other, _)| other.value.id != first.value.id)
        {
            return;
        }
        self.launch.gpu = Some(*first);
        let mut counted = named
            .iter()
            .filter_map(|(at, count)| Some(At::new((*count)?, at.line)));
        self.launch.gpus = counted.next();
        for at in [Some(first.line), self.launch.gpus.map(|at| at.line)]
            .into_iter()
            .flatten()
        {
            if let Some(mark) = self.taken.get_mut(at as usize) {
                *mark = true;
            }
        }
    }

    /// Returns the distinct formats of the runs, in the order of `runs`. If there are no runs but engine settings,
    /// returns `Format::Command`.
    pub fn formats(&self) -> Vec<Format> {
        let mut formats: Vec<Format> = Vec::new();
        for format in self.runs.iter().filter_map(|run| run.format) {
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
        if formats.is_empty() && self.commanded {
            formats.push(Format::Command);
        }
        formats
    }
}
