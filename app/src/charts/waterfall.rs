//! "What changed since A?": from the pinned scenario to now, term by term.

mod layout;

use crate::charts::prelude::*;
use crate::order::{sort_by, sort_by_key};
use layout::{Rows, WaterfallColumns};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct WaterfallData {
    /// The pinned scenario's total, in the axis's unit.
    pub from: f64,
    pub to: f64,
    /// The terms in the order of the model; their changes add up to `to − from`.
    pub terms: Vec<WaterfallTerm>,
    /// Parts of the total now, from the bottom, without those that hide.
    pub stack: Vec<(Role, f64)>,
    /// The axis: "ms per step".
    pub axis: &'static str,
    /// The unit is a dollar, which stands before its number.
    pub dollars: bool,
    /// The unit after a number in a tooltip: "ms".
    pub unit: &'static str,
    /// Differences of the scenarios: A's side and now's, the nearest things first.
    pub sides: Vec<(String, String)>,
    /// The change, and the bound before and now: lines, the last one emphasised.
    pub notes: Vec<String>,
    /// A has room in memory; else it is shown as if it fit.
    pub fits: bool,
    /// The reason for an empty chart.
    pub nothing: Option<&'static str>,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct WaterfallTerm {
    pub name: String,
    pub role: Option<Role>,
    /// A part that runs beside another one and counts against the rest.
    pub hides: bool,
    /// Its share of the total, below zero for what hides.
    pub from: f64,
    pub to: f64,
}

/// Terms below this share of the larger total are told together.
const LITTLE: f64 = 0.02;
/// Less than this of it cannot be seen.
const NOTHING: f64 = 0.003;

/// A column of the waterfall: what it spans, and what it is.
struct Bar<'a> {
    kind: Shows<'a>,
    from: f64,
    to: f64,
}

enum Shows<'a> {
    Before,
    Term(&'a WaterfallTerm),
    /// Everything too small for a column of its own.
    Rest,
    Now,
}

impl WaterfallData {
    /// A waterfall of nothing, and why.
    pub fn empty(why: &'static str) -> Self {
        Self {
            nothing: Some(why),
            ..Self::default()
        }
    }

    fn draws(&self) -> bool {
        let mut by = self.terms.iter().map(WaterfallTerm::by);
        let all = self.from.is_finite() && self.to.is_finite() && by.all(f64::is_finite);
        self.nothing.is_none() && all && self.most() > 0.0
    }

    fn most(&self) -> f64 {
        self.from.max(self.to)
    }

    /// A term with a column of its own.
    fn large(&self, term: &WaterfallTerm) -> bool {
        term.by().abs() >= LITTLE * self.most()
    }

    /// Terms with a column of their own, the largest change first and what hides last; where that would lead below
    /// nothing, what grew comes first.
    fn told(&self) -> Vec<&WaterfallTerm> {
        let large = self.terms.iter().filter(|term| self.large(term));
        let mut told: Vec<&WaterfallTerm> = large.collect();
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

    /// Terms without a column.
    fn small(&self) -> impl Iterator<Item = &WaterfallTerm> {
        self.terms.iter().filter(|term| !self.large(term))
    }

    /// All columns: the order of hits.
    fn steps(&self) -> Vec<Bar<'_>> {
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

    fn amount(&self, value: f64) -> String {
        let sign = if value < 0.0 { "−" } else { "" };
        let dollar = if self.dollars { "$" } else { "" };
        format!("{sign}{dollar}{}", format::figure(value.abs()))
    }

    fn change(&self, by: f64) -> String {
        let plus = if by > 0.0 { "+" } else { "" };
        format!("{plus}{}", self.amount(by))
    }

    fn with_unit(&self, amount: String) -> String {
        format!("{amount} {}", self.unit).trim_end().to_owned()
    }

    /// The value of a column.
    fn says(&self, step: &Bar<'_>) -> String {
        match step.whole() {
            true => self.amount(step.to),
            false => self.change(step.to - step.from),
        }
    }
}

impl WaterfallTerm {
    fn by(&self) -> f64 {
        self.to - self.from
    }

    /// "messages"; what hides by what it did.
    fn told(&self) -> &str {
        match (self.hides, self.by() > 0.0) {
            (false, _) => &self.name,
            (true, true) => "less is hidden",
            (true, false) => "more is hidden",
        }
    }

    /// The same as short as it gets.
    fn short(&self) -> &str {
        if self.hides { "hidden" } else { &self.name }
    }
}

impl Bar<'_> {
    fn name(&self) -> &str {
        match &self.kind {
            Shows::Before => "A",
            Shows::Term(term) => term.told(),
            Shows::Rest => "the rest",
            Shows::Now => "now",
        }
    }

    fn short(&self) -> &str {
        match &self.kind {
            Shows::Term(term) => term.short(),
            _ => self.name(),
        }
    }

    fn whole(&self) -> bool {
        matches!(self.kind, Shows::Before | Shows::Now)
    }

    fn role(&self) -> Option<Role> {
        match &self.kind {
            Shows::Term(term) => term.role,
            _ => None,
        }
    }

    /// The colour of what it says.
    fn ink(&self, theme: &Theme) -> Colour {
        let role = self.role();
        role.map_or(theme.ink_1, |role| theme.role(role).text)
    }
}

impl Figure for WaterfallData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let steps = self.steps();
        if steps.is_empty() {
            let canvas = pen.canvas;
            return nothing_to_show(pen, &canvas, self.nothing.unwrap_or("nothing to compare"));
        }
        let columns = WaterfallColumns::of(pen, &steps);
        match columns.fits(pen, &steps) {
            true => columns.draw(pen, self, &steps),
            false => Rows::of(pen, &steps).draw(pen, self, &steps),
        }
    }

    fn finding(&self) -> String {
        if !self.draws() {
            return self.nothing.unwrap_or("Nothing to compare").to_owned();
        }
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
            _ => format!("{totals}: the same"),
        }
    }

    fn table(&self) -> Table {
        let hidden = |term: &WaterfallTerm| if term.hides { "hidden" } else { "" };
        let terms = self.terms.iter();
        let terms = terms.map(|of| (format!("{}{}", of.name, hidden(of)), of.from, of.to));
        let all = self
            .draws()
            .then(|| ("in all".to_owned(), self.from, self.to));
        Table::of(terms.chain(all))
            .col("term", "", |(name, ..)| name.clone())
            .col("A", self.axis, |(_, from, _)| *from)
            .col("now", self.axis, |(.., to)| *to)
            .col("difference", self.axis, |(_, from, to)| to - from)
            .done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let steps = self.steps();
        let step = steps.get(index)?;
        let amount = |value: f64| self.with_unit(self.amount(value));
        let change = |by: f64| self.with_unit(self.change(by));
        let tip = |title, aside| Tooltip::new(title, aside, &self.source);
        Some(match &step.kind {
            Shows::Before => {
                let sides = self.sides.iter().map(|(then, _)| TipRow::plain(then, ""));
                tip("A, pinned", amount(self.from)).rows(sides)
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
                tip("the rest", change(step.to - step.from)).rows(small)
            }
        })
    }

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px).clamp(300.0, 400.0)
    }
}
