//! Reads results of `llama-bench`: a printed table, CSV or JSON.

use super::launch::{Launch, Object};
use super::names;
use super::said::{At, leading, number};
use super::stated::{Format, Stated, TimeSource};
use super::tree::Tree;

/// Returns the run for a `llama-bench` test, which is given as prompt tokens, output tokens and context depth.
/// Returns `None` for tests with both prompt and output, and for prompt tests at a depth above 0.
fn run(test: At<[f64; 3]>, rate: f64) -> Option<Stated> {
    let [prompt, output, depth] = test.value;
    if rate <= 0.0 {
        return None;
    }
    let at = |value: f64| Some(At::new(value, test.line));
    let empty = Stated {
        decode_only: true,
        ..Stated::of(Format::LlamaBench)
    };
    if output > 0.0 && prompt <= 0.0 {
        return Some(Stated {
            source: Some(TimeSource::OneOverRate),
            tpot: at(1.0 / rate),
            running: at(1.0),
            context: at(depth + output / 2.0),
            ..empty
        });
    }
    let alone = prompt > 0.0 && output <= 0.0 && depth <= 0.0;
    alone.then(|| Stated {
        idle_ttft: Some(At::new((prompt / rate, prompt), test.line)),
        ..empty
    })
}

/// Reads one result of a `llama-bench` JSON file.
pub fn object(tree: &Tree) -> Object {
    let value = |key: &str| tree.number(key).map_or(0.0, |at| at.value);
    let test = [value("n_prompt"), value("n_gen"), value("n_depth")];
    let found = tree.number("avg_ts").and_then(|rate| {
        let line = tree.number("n_gen").map_or(rate.line, |at| at.line);
        run(At::new(test, line), rate.value)
    });
    let model = tree.text("model_type").map(|at| at.map(names::model));
    Object {
        runs: found.into_iter().collect(),
        launch: Launch {
            model,
            ..Launch::default()
        },
    }
}

/// Reader of `llama-bench` tables and CSV; holds the columns of the open table and the results so far.
#[derive(Debug, Default)]
pub struct Table {
    columns: Vec<String>,
    bars: bool,
    /// Runs read so far.
    pub runs: Vec<Stated>,
    /// Settings read so far; only the model name is read, from the table rows.
    pub launch: Launch,
}

impl Table {
    /// Reads a line; returns false if it does not belong to a `llama-bench` table.
    pub fn take(&mut self, text: &str, line: u32) -> bool {
        let bars = text.trim_start().starts_with('|');
        let cells: Vec<String> = match bars {
            true => text
                .trim()
                .trim_matches('|')
                .split('|')
                .map(|cell| cell.trim().to_owned())
                .collect(),
            false if text.contains(',') => super::csv::cells(text),
            false => return self.end(),
        };
        let has = |name: &str| cells.iter().any(|cell| cell == name);
        if bars && has("test") && has("t/s") || !bars && has("n_gen") && has("avg_ts") {
            (self.columns, self.bars) = (cells, bars);
            return true;
        }
        if self.columns.is_empty() || bars != self.bars || cells.len() != self.columns.len() {
            return self.end();
        }
        if cells.iter().all(|cell| cell.starts_with(['-', ':'])) {
            return true;
        }
        self.row(&cells, line)
    }

    fn end(&mut self) -> bool {
        self.columns.clear();
        false
    }

    fn row(&mut self, cells: &[String], line: u32) -> bool {
        let cell = |name: &str| {
            let at = self.columns.iter().position(|column| column == name)?;
            cells.get(at).map(String::as_str)
        };
        let value = |name: &str| cell(name).and_then(number).unwrap_or(0.0);
        let (test, rate) = match self.bars {
            true => (cell("test").and_then(test), cell("t/s").and_then(leading)),
            false => {
                let test = [value("n_prompt"), value("n_gen"), value("n_depth")];
                (Some(test), cell("avg_ts").and_then(number))
            }
        };
        let named = cell("model").or(cell("model_type")).map(names::model);
        let found = test
            .zip(rate)
            .and_then(|(test, rate)| run(At::new(test, line), rate));
        let Some(found) = found else {
            return false;
        };
        let model = named.map(|model| At::new(model, line));
        self.launch.model = self.launch.model.take().or(model);
        self.runs.push(found);
        true
    }
}

/// Parses a test name, such as `pp512`, `tg128` or `tg128 @ d16384`, into prompt tokens, output tokens and context
/// depth.
fn test(text: &str) -> Option<[f64; 3]> {
    let (test, depth) = match text.split_once('@') {
        Some((test, depth)) => (test.trim(), number(depth.trim().strip_prefix('d')?)?),
        None => (text.trim(), 0.0),
    };
    let of = |prefix: &str| number(test.strip_prefix(prefix)?);
    match (of("pp"), of("tg")) {
        (Some(prompt), _) => Some([prompt, 0.0, depth]),
        (_, Some(output)) => Some([0.0, output, depth]),
        _ => None,
    }
}
