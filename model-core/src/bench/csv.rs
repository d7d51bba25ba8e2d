//! Reads the CSV files of AIPerf and genai-perf: a table of means, a blank line, and a table of single values.

use super::said::{At, Said, factor, number};
use super::stated::{Format, Stated, TimeSource};

/// Splits a line into cells; commas within quotes do not separate cells.
pub fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for mark in line.trim().chars() {
        match mark {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(mark);
                }
            }
        }
    }
    cells
}

/// Name of a metric, and the field of [`Stated`] that receives its value.
type Metric = (&'static str, fn(&mut Stated) -> &mut Said);

const METRICS: &[Metric] = &[
    ("inter token latency", |run| &mut run.tpot),
    ("inter chunk latency", |run| &mut run.itl),
    ("time to first token", |run| &mut run.ttft),
    ("request latency", |run| &mut run.e2e),
    ("output sequence length", |run| &mut run.output),
    ("input sequence length", |run| &mut run.prompt),
    ("output token throughput", |run| &mut run.output_rate),
    ("request throughput", |run| &mut run.request_rate),
    ("request count", |run| &mut run.completed),
    ("benchmark duration", |run| &mut run.duration),
];

/// Reader of metric tables; holds the table that is currently open, and the finished runs.
#[derive(Debug, Default)]
pub struct Metrics {
    open: Option<Stated>,
    /// Index of the column that holds the mean or the value.
    column: usize,
    /// Runs whose metric tables have been read completely.
    pub runs: Vec<Stated>,
}

impl Metrics {
    /// Reads a line; returns false if it does not belong to a metric table.
    pub fn take(&mut self, text: &str, line: u32) -> bool {
        if text.trim().is_empty() {
            return false;
        }
        let starts = text.trim_start().starts_with("Metric,");
        if !starts && self.open.is_none() {
            return false;
        }
        let cells = cells(text);
        if starts {
            return self.header(&cells);
        }
        let name = cells.first().map_or("", String::as_str);
        let (name, unit) = match name.split_once('(') {
            Some((name, unit)) => (name.trim().to_ascii_lowercase(), unit.trim_end_matches(')')),
            None => (name.trim().to_ascii_lowercase(), ""),
        };
        let metric = METRICS.iter().find(|(known, _)| *known == name);
        let value = cells.get(self.column).and_then(|cell| number(cell));
        let (Some((_, field)), Some(value), Some(run)) = (metric, value, &mut self.open) else {
            return false;
        };
        *field(run) = Some(At::new(value * factor(unit), line));
        true
    }

    /// Reads a table header: a table of means starts a new run, and a table of values continues the open run.
    fn header(&mut self, cells: &[String]) -> bool {
        let column = |name: &str| cells.iter().position(|cell| cell == name);
        if let Some(column) = column("avg") {
            self.finish();
            let percentiles = (column_of(cells, "p99"), column_of(cells, "p50"));
            let downward = matches!(percentiles, (Some(high), Some(low)) if high < low);
            let format = match downward {
                true => Format::GenaiPerfCsv,
                false => Format::AiperfCsv,
            };
            self.column = column;
            self.open = Some(Stated {
                source: Some(TimeSource::MeanInterToken),
                ..Stated::of(format)
            });
            return true;
        }
        let value = column("Value").or(column("value"));
        self.column = value.unwrap_or(1);
        value.is_some() && self.open.is_some()
    }

    /// Finishes the open table, if any.
    pub fn finish(&mut self) {
        self.runs.extend(self.open.take());
    }
}

fn column_of(cells: &[String], name: &str) -> Option<usize> {
    cells.iter().position(|cell| cell == name)
}
