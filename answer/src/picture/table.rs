//! The data table that is the text equivalent of a chart.

use crate::order::sort_by;
use crate::theme::Role;
use crate::words::format;
use std::borrow::Cow;
use std::cmp::Ordering;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    /// Unit of the column's values; empty if the values have no unit.
    pub unit: &'static str,
}

impl Column {
    pub fn new(name: impl Into<String>, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            unit,
        }
    }

    /// Returns the column heading: `HBM bandwidth (GB/s)`.
    pub fn heading(&self) -> String {
        if self.unit.is_empty() {
            self.name.clone()
        } else {
            format!("{} ({})", self.name, self.unit)
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Text(Cow<'static, str>),
    /// A number in the column's unit. Integers are exact; other numbers are rounded on the page, but not in the CSV.
    Number(f64),
    Empty,
}

impl Cell {
    pub fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone().into_owned(),
            Self::Number(value) if value.fract() == 0.0 => format::count(*value),
            Self::Number(value) => format::sig3(*value),
            Self::Empty => String::new(),
        }
    }
}

impl From<&'static str> for Cell {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<Cow<'static, str>> for Cell {
    fn from(text: Cow<'static, str>) -> Self {
        Self::Text(text)
    }
}

impl From<f64> for Cell {
    /// Creates a number cell. Values no larger than the rounding error of a sum become zero.
    fn from(value: f64) -> Self {
        Self::Number(if value.abs() < format::NOISE {
            0.0
        } else {
            value
        })
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Empty, Into::into)
    }
}

impl From<bool> for Cell {
    fn from(yes: bool) -> Self {
        if yes { "yes" } else { "no" }.into()
    }
}

/// A line of a tooltip: the name of a column, and the row's value in that column as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TipRow {
    /// Role that gives the swatch its color. `Role::Idle` is an outline; `None` means no swatch.
    pub role: Option<Role>,
    pub label: String,
    /// Note in lighter type after the label: `set the step`.
    pub note: String,
    /// The value with its unit: `99.8 ms`.
    pub value: String,
}

impl TipRow {
    pub fn of(role: Role, label: impl ToString, value: impl ToString) -> Self {
        let role = Some(role);
        let plain = Self::plain(label, value);
        Self { role, ..plain }
    }

    /// Returns a tooltip line that explains a role; `None` if the role's name needs no explanation.
    pub fn stands_for(role: Role) -> Option<Self> {
        Some(Self::default().note(role.stands_for()?))
    }

    /// Creates a tooltip line without a swatch.
    pub fn plain(label: impl ToString, value: impl ToString) -> Self {
        Self {
            label: label.to_string(),
            value: value.to_string(),
            ..Self::default()
        }
    }

    #[must_use]
    pub fn note(self, note: impl ToString) -> Self {
        let note = note.to_string();
        Self { note, ..self }
    }
}

/// Columns and rows of a data table; every row has one cell for each column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    pub columns: Vec<Column>,
    /// The rows, in the order of the chart's data.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Returns the row indices sorted by a column. The sort is stable, with empty cells last.
    pub fn order(&self, column: usize, descending: bool) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.rows.len()).collect();
        sort_by(&mut places, |one, other| {
            let cell = |row: &usize| self.rows[*row].get(column);
            let order = match (cell(one), cell(other)) {
                (Some(Cell::Number(a)), Some(Cell::Number(b))) => a.total_cmp(b),
                (Some(Cell::Text(a)), Some(Cell::Text(b))) => a.cmp(b),
                (Some(Cell::Empty) | None, Some(Cell::Empty) | None) => Ordering::Equal,
                (Some(Cell::Empty) | None, _) => return Ordering::Greater,
                (_, Some(Cell::Empty) | None) => return Ordering::Less,
                (Some(Cell::Number(_)), _) => Ordering::Less,
                (Some(Cell::Text(_)), _) => Ordering::Greater,
            };
            if descending { order.reverse() } else { order }
        });
        places
    }

    /// Returns the table as CSV according to RFC 4180, with unrounded numbers and a decimal point. Text that a
    /// spreadsheet would read as a formula is escaped.
    pub fn csv(&self) -> String {
        let mut csv = join(self.columns.iter().map(Column::heading));
        for row in &self.rows {
            csv.push_str(&join(row.iter().map(|cell| match cell {
                Cell::Number(value) if value.is_finite() => value.to_string(),
                Cell::Number(_) => String::new(),
                other => other.shown(),
            })));
        }
        csv
    }
}

fn join(fields: impl Iterator<Item = String>) -> String {
    let quoted: Vec<String> = fields
        .map(|field| {
            let field = if is_formula(&field) {
                format!("'{field}")
            } else {
                field
            };
            if field.contains([',', '"', '\n', '\r']) {
                format!("\"{}\"", field.replace('"', "\"\""))
            } else {
                field
            }
        })
        .collect();
    quoted.join(",") + "\r\n"
}

/// True for text that a spreadsheet would evaluate: it begins like a formula and is not a signed number or
/// percentage.
fn is_formula(text: &str) -> bool {
    let is_number = |rest: &str| {
        rest.chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '%' | ' '))
    };
    match text.chars().next() {
        Some('=' | '@' | '\t' | '\r') => true,
        Some('+' | '-') => !is_number(&text[1..]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_a_csv_is_a_formula() {
        let table = |text: &str| Table {
            columns: vec![Column::new("model", "")],
            rows: vec![vec![text.to_owned().into()]],
        };
        for text in [
            "=1+1",
            "@sum(1)",
            "+1+cmd|' /C calc'!A0",
            "-2+3",
            "\t=1",
            "\r=1",
        ] {
            let csv = table(text).csv();
            let cell = csv.split_once("\r\n").unwrap().1.trim_start_matches('"');
            assert!(cell.starts_with('\''), "{csv}");
        }
        assert_eq!(table("+44%").csv(), "model\r\n+44%\r\n");
        assert_eq!(table("a=b").csv(), "model\r\na=b\r\n");
    }

    #[test]
    fn rows_sort_by_any_column_and_what_does_not_apply_comes_last() {
        let row = |name: &str, size: Cell| vec![name.to_owned().into(), size];
        let table = Table {
            columns: vec![Column::new("part", ""), Column::new("size", "GiB")],
            rows: vec![
                row("b", 2.0.into()),
                row("a", Cell::Empty),
                row("c", 10.0.into()),
                row("a", 2.0.into()),
            ],
        };
        assert_eq!(table.order(1, false), [0, 3, 2, 1]);
        assert_eq!(table.order(1, true), [2, 0, 3, 1]);
        assert_eq!(table.order(0, false), [1, 3, 0, 2]);
        assert_eq!(table.order(7, false), [0, 1, 2, 3]);
    }

    #[test]
    fn csv_quotes_what_needs_it_and_keeps_every_digit() {
        let table = Table {
            columns: vec![Column::new("part", ""), Column::new("size", "GiB")],
            rows: vec![
                vec!["embedding, \"head\"".into(), 1.732_050_8.into()],
                vec!["free".into(), Cell::Empty],
                vec!["x".into(), f64::NAN.into()],
            ],
        };
        assert_eq!(
            table.csv(),
            "part,size (GiB)\r\n\"embedding, \"\"head\"\"\",1.7320508\r\nfree,\r\nx,\r\n"
        );
    }
}
