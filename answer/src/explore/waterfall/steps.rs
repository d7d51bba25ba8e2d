//! Columns of the waterfall chart, with the text of each.

use crate::chart::prelude::*;
use crate::order::{sort_by, sort_by_key};

#[derive(Clone, Debug, PartialEq)]
pub struct Waterfall {
    /// Total of the pinned scenario A, in the axis unit.
    pub from: f64,
    pub to: f64,
    /// Terms of the total, in the model's order. The changes of the terms add up to `to − from`.
    pub terms: Vec<Term>,
    /// Parts of the current scenario's total, from the bottom, excluding overlapped time.
    pub stack: Vec<(Role, f64)>,
    /// Axis label: "ms per step".
    pub axis: &'static str,
    /// True if values are in dollars, with "$" before the number.
    pub dollars: bool,
    /// Unit after a number in a tooltip: "ms".
    pub unit: &'static str,
    /// Differences between the scenarios as pairs: A's value, then the current value. The most relevant differences
    /// come first.
    pub sides: Vec<(String, String)>,
    /// Lines that describe the changes from A. The last line is emphasized.
    pub notes: Vec<String>,
    /// True if scenario A fits in memory. If it does not, its values are shown as if it did.
    pub fits: bool,
    pub source: &'static str,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    pub name: String,
    pub role: Option<Role>,
    /// True if the term is overlapped time, which is subtracted from the other terms.
    pub hides: bool,
    /// Value of the term in the pinned scenario, in the axis unit; negative for overlapped time.
    pub from: f64,
    pub to: f64,
}

/// Terms that change by less than this share of the larger of the two totals are merged into one column.
const LITTLE: f64 = 0.02;
/// Share of the larger of the two totals below which a change is not visible.
pub const NOTHING: f64 = 0.003;

/// A column of the waterfall: its kind, and the values at its two ends.
pub struct Bar<'a> {
    pub kind: Shows<'a>,
    pub from: f64,
    pub to: f64,
}

pub enum Shows<'a> {
    Before,
    Term(&'a Term),
    /// The sum of all terms whose change is too small for a separate column.
    Rest,
    Now,
}

impl Waterfall {
    pub fn draws(&self) -> bool {
        let mut by = self.terms.iter().map(Term::by);
        let all = self.from.is_finite() && self.to.is_finite() && by.all(f64::is_finite);
        all && self.most() > 0.0
    }

    pub fn most(&self) -> f64 {
        self.from.max(self.to)
    }

    /// True if the term's change is large enough for a separate column.
    fn large(&self, term: &Term) -> bool {
        term.by().abs() >= LITTLE * self.most()
    }

    /// Returns the terms with separate columns, the largest change first and overlap last. If the running total would
    /// be negative anywhere in this order, increases come first.
    fn told(&self) -> Vec<&Term> {
        let large = self.terms.iter().filter(|term| self.large(term));
        let mut told: Vec<&Term> = large.collect();
        sort_by(&mut told, |one, other| {
            let size = other.by().abs().total_cmp(&one.by().abs());
            one.hides.cmp(&other.hides).then(size)
        });
        let mut at = self.from;
        let below = told.iter().any(|term| {
            at += term.by();
            at < 0.0
        });
        if below {
            sort_by_key(&mut told, |term| term.by() < 0.0);
        }
        told
    }

    /// Returns the terms without a separate column.
    pub fn small(&self) -> impl Iterator<Item = &Term> {
        self.terms.iter().filter(|term| !self.large(term))
    }

    /// Returns all columns, from left to right; empty if a total or a change is not finite. The chart numbers its
    /// clickable areas in this order.
    pub fn steps(&self) -> Vec<Bar<'_>> {
        if !self.draws() {
            return Vec::new();
        }
        let step = |kind, from, to| Bar { kind, from, to };
        let mut steps = vec![step(Shows::Before, 0.0, self.from)];
        let mut at = self.from;
        for term in self.told() {
            steps.push(step(Shows::Term(term), at, at + term.by()));
            at += term.by();
        }
        if (self.to - at).abs() > NOTHING * self.most() {
            steps.push(step(Shows::Rest, at, self.to));
        }
        steps.push(step(Shows::Now, 0.0, self.to));
        steps
    }

    pub fn amount(&self, value: f64) -> String {
        let sign = if value < 0.0 { "−" } else { "" };
        let dollar = if self.dollars { "$" } else { "" };
        format!("{sign}{dollar}{}", format::figure(value.abs()))
    }

    pub fn change(&self, by: f64) -> String {
        let plus = if by > 0.0 { "+" } else { "" };
        format!("{plus}{}", self.amount(by))
    }

    pub fn with_unit(&self, amount: String) -> String {
        format!("{amount} {}", self.unit).trim_end().to_owned()
    }

    /// Formats the value of a column: a total, or a change with its sign.
    pub fn says(&self, step: &Bar<'_>) -> String {
        match step.whole() {
            true => self.amount(step.to),
            false => self.change(step.to - step.from),
        }
    }
}

impl Term {
    pub fn by(&self) -> f64 {
        self.to - self.from
    }

    /// Returns the column's name: the term's name, or "less overlap" or "more overlap" for overlapped time.
    pub fn told(&self) -> &str {
        match (self.hides, self.by() > 0.0) {
            (false, _) => &self.name,
            (true, true) => "less overlap",
            (true, false) => "more overlap",
        }
    }

    /// Returns the shortest name of the column.
    pub fn short(&self) -> &str {
        if self.hides { "hidden" } else { &self.name }
    }
}

impl Bar<'_> {
    pub fn name(&self) -> &str {
        match &self.kind {
            Shows::Before => "A",
            Shows::Term(term) => term.told(),
            Shows::Rest => "other",
            Shows::Now => "now",
        }
    }

    pub fn short(&self) -> &str {
        match &self.kind {
            Shows::Term(term) => term.short(),
            _ => self.name(),
        }
    }

    pub fn whole(&self) -> bool {
        matches!(self.kind, Shows::Before | Shows::Now)
    }

    pub fn role(&self) -> Option<Role> {
        match &self.kind {
            Shows::Term(term) => term.role,
            _ => None,
        }
    }

    /// Returns the text color of the column's role, or the default text color if it has no role.
    pub fn ink(&self, theme: &Theme) -> Colour {
        let role = self.role();
        role.map_or(theme.ink_1, |role| theme.role(role).text)
    }
}

impl Waterfall {
    /// Returns the chart's one-line finding: both totals, and the term with the largest change. Overlapped time is not
    /// considered.
    pub fn finding(&self) -> String {
        let to = self.with_unit(self.amount(self.to));
        let so = if self.fits { "" } else { "If A fit, " };
        let totals = format!("{so}{} → {to}", self.amount(self.from));
        let own = self.terms.iter().filter(|term| !term.hides);
        let largest = own.max_by(|one, other| one.by().abs().total_cmp(&other.by().abs()));
        match largest {
            Some(term) if term.by().abs() > NOTHING * self.most() => {
                let by = self.with_unit(self.change(term.by()));
                format!("{totals}: {} {by}", term.name)
            }
            _ => format!("{totals}: no change"),
        }
    }

    /// Returns the tooltip of a waterfall column.
    pub fn tooltip(&self, step: &Bar<'_>) -> Tooltip {
        let amount = |value: f64| self.with_unit(self.amount(value));
        let change = |by: f64| self.with_unit(self.change(by));
        let tip = |title, aside| Tooltip::new(title, aside, self.source);
        match &step.kind {
            Shows::Before => {
                let sides = self.sides.iter().map(|(then, _)| TipRow::plain(then, ""));
                tip("A (pinned)", amount(self.from)).rows(sides)
            }
            Shows::Now => {
                let stack = self.stack.iter().rev();
                let part =
                    |(role, value): &(Role, f64)| TipRow::of(*role, role.name(), amount(*value));
                tip("now", amount(self.to)).rows(stack.map(part))
            }
            Shows::Term(term) => tip(step.name(), change(term.by()))
                .row("A", amount(term.from))
                .row("now", amount(term.to)),
            Shows::Rest => {
                let small = self.small().map(|term| {
                    let value = format!("{} → {}", self.amount(term.from), amount(term.to));
                    TipRow::plain(term.short(), value)
                });
                tip("other", change(step.to - step.from)).rows(small)
            }
        }
    }
}
