//! Rows of a chart: the numbers for its table, CSV and tooltips, organized by column.

use super::axis::Digits;
use super::hits::Tooltip;
use crate::picture::table::{self, Cell, Table, TipRow};
use crate::theme::Role;
use std::borrow::Cow;

/// A table organized by column, with the tooltips of its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    count: usize,
    columns: Vec<Column>,
    /// Title and secondary note of the tooltip of each row.
    titles: Vec<[Cow<'static, str>; 2]>,
    /// Lines added at the end of every row's tooltip.
    always: Vec<TipRow>,
    /// Rows that have a custom tooltip.
    own: Vec<(usize, Tooltip)>,
    /// Number of rows that the table lists; `None` for all. The other rows have only tooltips.
    listed: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
struct Column {
    name: Cow<'static, str>,
    unit: &'static str,
    cells: Vec<Cell>,
    tip: Option<Tip>,
    /// True if the column is part of the table and the CSV.
    listed: bool,
}

/// A column's line in a tooltip: number format, text after the number, and the role for the color swatch.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tip {
    digits: Digits,
    after: &'static str,
    role: Option<Role>,
}

impl Rows {
    /// Starts a table with one row per item, without columns.
    pub fn of<T>(items: &[T]) -> Of<'_, T> {
        let rows = Self {
            count: items.len(),
            ..Self::default()
        };
        Of { items, rows }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the number in a column of a row, even if the column is not listed in the table.
    pub fn number(&self, column: &str, row: usize) -> Option<f64> {
        let column = self.columns.iter().find(|of| of.name == column)?;
        match column.cells.get(row)? {
            Cell::Number(value) => Some(*value),
            Cell::Text(_) | Cell::Empty => None,
        }
    }

    /// Returns the title of a row's tooltip.
    pub fn title(&self, row: usize) -> Option<&str> {
        self.titles.get(row).map(|[title, _]| title.as_ref())
    }

    /// Returns the listed columns as a table.
    pub fn table(&self) -> Table {
        let listed = || self.columns.iter().filter(|of| of.listed);
        let column = |of: &Column| table::Column::new(of.name.as_ref(), of.unit);
        let row = |row: usize| listed().map(|of| of.cells[row].clone()).collect();
        Table {
            columns: listed().map(column).collect(),
            rows: (0..self.listed.unwrap_or(self.count)).map(row).collect(),
        }
    }

    /// Returns the tooltip of a row.
    pub fn tooltip(&self, row: usize, source: &str) -> Option<Tooltip> {
        if let Ok(place) = self.own.binary_search_by_key(&row, |(of, _)| *of) {
            return Some(self.own[place].1.clone());
        }
        let [title, aside] = self.titles.get(row)?;
        let tips = self.columns.iter().filter_map(|of| of.told(row));
        let tip = Tooltip::new(title, aside, source).rows(tips);
        Some(tip.rows(self.always.iter().cloned()))
    }

    /// Returns true if every column has a cell for each row, and all rows have titles or all have custom tooltips.
    #[cfg(test)]
    pub(crate) fn is_whole(&self) -> bool {
        let mut columns = self.columns.iter();
        let told = self.titles.len() == self.count || self.own.len() == self.count;
        columns.all(|of| of.cells.len() == self.count) && told
    }
}

impl Column {
    /// Returns this column's line in the tooltip of a row; `None` if the cell is empty or the column is not part of
    /// tooltips.
    fn told(&self, row: usize) -> Option<TipRow> {
        let Tip {
            digits,
            after,
            role,
        } = self.tip?;
        let value = match self.cells.get(row)? {
            Cell::Number(value) => format!("{}{after}", digits.words(*value)),
            cell => cell.shown(),
        };
        let told = TipRow::plain(&self.name, value);
        (!told.value.is_empty()).then_some(TipRow { role, ..told })
    }
}

/// Builder of table rows from items of one type.
pub struct Of<'a, T> {
    items: &'a [T],
    rows: Rows,
}

impl<T> Of<'_, T> {
    /// Appends a column and its unit, which may be empty; `cell` returns the cell of an item.
    #[must_use]
    pub fn col<C: Into<Cell>>(
        mut self,
        name: impl Into<Cow<'static, str>>,
        unit: &'static str,
        cell: impl Fn(&T) -> C,
    ) -> Self {
        self.push(name.into(), unit, &|of| cell(of).into());
        self
    }

    /// Appends a column; separate from `col`, so that it is compiled once per item type, not once per column.
    fn push(&mut self, name: Cow<'static, str>, unit: &'static str, cell: &dyn Fn(&T) -> Cell) {
        self.rows.columns.push(Column {
            name,
            unit,
            cells: self.items.iter().map(cell).collect(),
            tip: None,
            listed: true,
        });
    }

    /// Adds the column appended last to the tooltips.
    #[must_use]
    pub fn tip(self, digits: Digits, after: &'static str) -> Self {
        self.told(Tip {
            digits,
            after,
            role: None,
        })
    }

    /// Adds the column appended last to the tooltips, with the color swatch of a role.
    #[must_use]
    pub fn tip_of(self, role: Role, digits: Digits) -> Self {
        self.told(Tip {
            digits,
            after: "",
            role: Some(role),
        })
    }

    fn told(mut self, tip: Tip) -> Self {
        if let Some(last) = self.rows.columns.last_mut() {
            last.tip = Some(tip);
        }
        self
    }

    /// Leaves the column appended last out of the table.
    #[must_use]
    pub fn unlisted(mut self) -> Self {
        if let Some(last) = self.rows.columns.last_mut() {
            last.listed = false;
        }
        self
    }

    /// Lists only the first `first` rows in the table; the others have only tooltips.
    #[must_use]
    pub fn listing(mut self, first: usize) -> Self {
        self.rows.listed = Some(first);
        self
    }

    /// Adds a line to the end of every tooltip.
    #[must_use]
    pub fn always(mut self, label: &'static str, value: impl ToString) -> Self {
        self.rows.always.push(TipRow::plain(label, value));
        self
    }

    /// Sets a custom tooltip for each row for which `tooltip` returns one.
    #[must_use]
    pub fn own(mut self, tooltip: impl Fn(&T) -> Option<Tooltip>) -> Self {
        let all = self.items.iter().enumerate();
        let own = all.filter_map(|(row, of)| Some((row, tooltip(of)?)));
        self.rows.own = own.collect();
        self
    }

    /// Returns the finished rows as a table, without tooltips.
    pub fn done(self) -> Table {
        self.rows.table()
    }

    /// Returns the tooltip lines of the first row.
    pub fn tips(self) -> Vec<TipRow> {
        let columns = self.rows.columns.iter();
        columns.filter_map(|of| of.told(0)).collect()
    }

    /// Returns the finished rows, with a custom tooltip for each row.
    pub fn telling(mut self, tooltip: impl Fn(&T) -> Tooltip) -> Rows {
        let own = self.items.iter().map(tooltip).enumerate();
        self.rows.own = own.collect();
        self.rows
    }

    /// Returns the finished rows, with a title and a secondary note for each row's tooltip.
    pub fn titled<A, B>(mut self, title: impl Fn(&T) -> A, aside: impl Fn(&T) -> B) -> Rows
    where
        A: Into<Cow<'static, str>>,
        B: Into<Cow<'static, str>>,
    {
        let both = |of| [title(of).into(), aside(of).into()];
        self.rows.titles = self.items.iter().map(both).collect();
        self.rows
    }
}
