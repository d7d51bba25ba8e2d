//! "What changed since A?": from the pinned scenario to now, term by term.

mod rows;

use crate::charts::prelude::*;
use crate::theme::Series;
use rows::Rows;

/// The waterfall's data.
#[derive(Clone, Debug, PartialEq)]
pub struct WaterfallData {
    /// The pinned scenario's total, in the axis's unit.
    pub from: f64,
    /// The total now.
    pub to: f64,
    /// The terms in the order of the model; their changes add up to `to − from`.
    pub terms: Vec<WaterfallTerm>,
    /// What the total now is made of, from the bottom; what hides is left out.
    pub stack: Vec<(Role, f64)>,
    /// The axis: "ms per step".
    pub axis: &'static str,
    /// Whether the unit is a dollar, which stands before its number.
    pub dollars: bool,
    /// The unit after a number in a tooltip: "ms".
    pub unit: &'static str,
    /// How the scenarios differ: A's side and now's, the nearest things first.
    pub sides: Vec<(String, String)>,
    /// What was changed, and what bound before and binds now: lines, the last one emphasised.
    pub notes: Vec<String>,
    /// Why there is nothing to draw.
    pub nothing: Option<&'static str>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// A term before and now.
#[derive(Clone, Debug, PartialEq)]
pub struct WaterfallTerm {
    /// Its name: "messages".
    pub name: String,
    /// Whose colour it has.
    pub role: Option<Role>,
    /// Whether it stands for what runs beside something else and counts against the rest.
    pub hides: bool,
    /// What it contributed, below zero for what hides.
    pub from: f64,
    /// What it contributes now.
    pub to: f64,
}

impl WaterfallTerm {
    fn by(&self) -> f64 {
        self.to - self.from
    }
}

/// Terms below this share of the larger total are told together.
const LITTLE: f64 = 0.02;
/// Less than this of it cannot be seen.
const NOTHING: f64 = 0.003;

/// A column of the waterfall: what it spans, and what it is.
struct Step<'a> {
    kind: Kind<'a>,
    from: f64,
    to: f64,
}

enum Kind<'a> {
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
            from: 0.0,
            to: 0.0,
            terms: Vec::new(),
            stack: Vec::new(),
            axis: "",
            dollars: false,
            unit: "",
            sides: Vec::new(),
            notes: Vec::new(),
            nothing: Some(why),
            source: String::new(),
        }
    }

    fn draws(&self) -> bool {
        let good = |value: f64| value.is_finite();
        self.nothing.is_none()
            && good(self.from)
            && good(self.to)
            && self.from.max(self.to) > 0.0
            && self.terms.iter().all(|term| good(term.by()))
    }

    /// The larger total.
    fn most(&self) -> f64 {
        self.from.max(self.to)
    }

    /// Terms with a column of their own, the largest change first and what hides last; where that would lead below
    /// nothing, what grew comes first.
    fn told(&self) -> Vec<&WaterfallTerm> {
        let large = |term: &&WaterfallTerm| term.by().abs() >= LITTLE * self.most();
        let mut told: Vec<&WaterfallTerm> = self.terms.iter().filter(large).collect();
        told.sort_by(|one, other| {
            let size = other.by().abs().total_cmp(&one.by().abs());
            one.hides.cmp(&other.hides).then(size)
        });
        let mut at = self.from;
        let below = told.iter().any(|term| {
            at += term.by();
            at < 0.0
        });
        if below {
            told.sort_by_key(|term| term.by() < 0.0);
        }
        told
    }

    /// Terms without a column.
    fn small(&self) -> impl Iterator<Item = &WaterfallTerm> {
        let most = self.most();
        self.terms
            .iter()
            .filter(move |term| term.by().abs() < LITTLE * most)
    }

    /// All columns: the order of hits.
    fn steps(&self) -> Vec<Step<'_>> {
        if !self.draws() {
            return Vec::new();
        }
        let step = |kind, from, to| Step { kind, from, to };
        let mut steps = vec![step(Kind::Before, 0.0, self.from)];
        let mut at = self.from;
        for term in self.told() {
            steps.push(step(Kind::Term(term), at, at + term.by()));
            at += term.by();
        }
        if (self.to - at).abs() > NOTHING * self.most() {
            steps.push(step(Kind::Rest, at, self.to));
        }
        steps.push(step(Kind::Now, 0.0, self.to));
        steps
    }

    fn plain(&self, value: f64) -> String {
        format::figure(value.abs())
    }

    /// "79.8", "$0.173".
    fn amount(&self, value: f64) -> String {
        let sign = if value < 0.0 { "−" } else { "" };
        let dollar = if self.dollars { "$" } else { "" };
        format!("{sign}{dollar}{}", self.plain(value))
    }

    /// "−58.6", "+$0.021".
    fn change(&self, by: f64) -> String {
        let plus = if by > 0.0 { "+" } else { "" };
        format!("{plus}{}", self.amount(by))
    }

    fn with_unit(&self, amount: String) -> String {
        if self.unit.is_empty() {
            amount
        } else {
            format!("{amount} {}", self.unit)
        }
    }
}

impl WaterfallTerm {
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

impl Step<'_> {
    fn name(&self) -> &str {
        match &self.kind {
            Kind::Before => "A",
            Kind::Term(term) => term.told(),
            Kind::Rest => "the rest",
            Kind::Now => "now",
        }
    }

    fn short(&self) -> &str {
        match &self.kind {
            Kind::Term(term) => term.short(),
            _ => self.name(),
        }
    }

    fn whole(&self) -> bool {
        matches!(self.kind, Kind::Before | Kind::Now)
    }

    fn role(&self) -> Option<Role> {
        match &self.kind {
            Kind::Term(term) => term.role,
            _ => None,
        }
    }

    /// The colour of what it says.
    fn ink(&self, theme: &Theme) -> Colour {
        self.role()
            .map_or(theme.ink_1, |role| theme.role(role).text)
    }
}

impl Figure for WaterfallData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let steps = self.steps();
        if steps.is_empty() {
            let canvas = pen.canvas;
            return nothing_to_show(pen, &canvas, self.nothing.unwrap_or("nothing to compare"));
        }
        let columns = Columns::of(pen, &steps);
        match columns.fits(pen, &steps) {
            true => columns.draw(pen, self, &steps),
            false => Rows::of(pen, &steps).draw(pen, self, &steps),
        }
    }

    fn finding(&self) -> String {
        if !self.draws() {
            return self.nothing.unwrap_or("Nothing to compare").to_owned();
        }
        let totals = format!(
            "{} → {}",
            self.amount(self.from),
            self.with_unit(self.amount(self.to))
        );
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
        let row = |name: &str, from: f64, to: f64| {
            vec![name.into(), from.into(), to.into(), (to - from).into()]
        };
        let hidden = |term: &WaterfallTerm| if term.hides { "hidden" } else { "" };
        let named = |term: &WaterfallTerm| format!("{}{}", term.name, hidden(term));
        let mut rows: Vec<Vec<Cell>> = self
            .terms
            .iter()
            .map(|term| row(&named(term), term.from, term.to))
            .collect();
        if self.draws() {
            rows.push(row("in all", self.from, self.to));
        }
        Table {
            columns: vec![
                Column::new("term", ""),
                Column::new("A", self.axis),
                Column::new("now", self.axis),
                Column::new("difference", self.axis),
            ],
            rows,
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let steps = self.steps();
        let step = steps.get(index)?;
        let amount = |value: f64| self.with_unit(self.amount(value));
        let change = |by: f64| self.with_unit(self.change(by));
        let (title, aside, rows) = match &step.kind {
            Kind::Before => {
                let rows = self.sides.iter().map(|(then, _)| TipRow::plain(then, ""));
                ("A, pinned".to_owned(), amount(self.from), rows.collect())
            }
            Kind::Now => {
                let stack = self.stack.iter().rev();
                let rows =
                    stack.map(|(role, value)| TipRow::of(*role, role.name(), "", amount(*value)));
                ("now".to_owned(), amount(self.to), rows.collect())
            }
            Kind::Term(term) => (
                step.name().to_owned(),
                change(term.by()),
                vec![
                    TipRow::plain("A", amount(term.from)),
                    TipRow::plain("now", amount(term.to)),
                ],
            ),
            Kind::Rest => {
                let rows = self.small().map(|term| {
                    let value = format!("{} → {}", self.amount(term.from), amount(term.to));
                    TipRow::plain(term.short(), value)
                });
                (
                    "the rest".to_owned(),
                    change(step.to - step.from),
                    rows.collect(),
                )
            }
        };
        Some(Tooltip {
            title,
            aside,
            rows,
            source: self.source.clone(),
        })
    }

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px).clamp(300.0, 400.0)
    }
}

/// The fill of a term, and the hatch over what hides.
fn fill(pen: &mut Pen<'_>, area: Rect, step: &Step<'_>) {
    let hides = matches!(&step.kind, Kind::Term(term) if term.hides);
    match step.role() {
        Some(role) => {
            let colours = *pen.theme.role(role);
            pen.bar(area, &colours);
        }
        None if hides => {
            let colours = *pen.theme.role(Role::Activations);
            pen.bar(area, &colours);
            let veil = stroke(pen.theme.hidden, 1.5);
            pen.hatch(&area.corners(), 7.0, Hatch::Rising, veil);
        }
        None => {
            let plain = pen.theme.series(Series::Second).line;
            pen.fill_rect(area, plain);
        }
    }
}

/// The outline of A, and now in its parts.
fn whole(
    pen: &mut Pen<'_>,
    data: &WaterfallData,
    step: &Step<'_>,
    part: impl Fn(f64, f64) -> Rect,
) {
    match step.kind {
        Kind::Before => {
            let ink = stroke(pen.theme.ink_2, 1.3);
            pen.dashed_outline(part(0.0, data.from), ink);
        }
        _ => {
            let mut at = 0.0;
            for (role, value) in &data.stack {
                let area = part(at, at + value);
                at += value;
                let colours = *pen.theme.role(*role);
                // A seam parts it from the next.
                let (long, seam) = (area.width().min(area.height()), 0.6);
                let area = if long > 3.0 {
                    area.grown(-seam / 2.0)
                } else {
                    area
                };
                pen.bar(area, &colours);
                let words = Words::note(data.plain(*value), colours.on_fill);
                let roomy = area.height() >= 15.0 && pen.width(&words) + 6.0 <= area.width();
                if roomy {
                    let Point { x, y } = area.centre();
                    let place = point(x, words.baseline_about(y));
                    pen.write_if_free(&words, place, Align::Middle, None);
                }
            }
        }
    }
}

/// Columns side by side, where there is room for their names.
struct Columns {
    area: Rect,
    pitch: f64,
}

/// Under the columns: a name, from and to, another line, and what is left over.
const FOOT_PX: f64 = 64.0;
/// Columns are at most this wide, and this much of their pitch.
const MOST_COLUMN_PX: f64 = 86.0;
const COLUMN: f64 = 0.66;

impl Columns {
    fn of(pen: &Pen<'_>, steps: &[Step<'_>]) -> Self {
        let canvas = pen.canvas;
        let area = rect(
            size::MARGIN_LEFT_PX,
            size::MARGIN_TOP_PX,
            (canvas.right - 4.0).max(size::MARGIN_LEFT_PX + 1.0),
            (canvas.bottom - FOOT_PX).max(size::MARGIN_TOP_PX + 1.0),
        );
        Self {
            area,
            pitch: area.width() / steps.len() as f64,
        }
    }

    /// Whether every name has room under its column.
    fn fits(&self, pen: &Pen<'_>, steps: &[Step<'_>]) -> bool {
        let ink = pen.theme.ink_1;
        steps.iter().all(|step| {
            let name = Words::label(step.short(), ink);
            pen.width(&name) + 6.0 <= self.pitch
        })
    }

    fn centre(&self, index: usize) -> f64 {
        self.area.left + self.pitch * (index as f64 + 0.5)
    }

    fn draw(&self, pen: &mut Pen<'_>, data: &WaterfallData, steps: &[Step<'_>]) -> Hits {
        let ends = steps.iter().flat_map(|step| [step.from, step.to]);
        let (low, high) = ends.fold((0.0_f64, 0.0_f64), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let room = high - low;
        let y = Scale::linear(
            if low < 0.0 { low - 0.1 * room } else { 0.0 },
            high + 0.14 * room,
        );
        let plot = Plot::new(self.area, Scale::linear(0.0, 1.0), y);
        si_y_axis(pen, &plot, data.axis);
        let half = (self.pitch * COLUMN).min(MOST_COLUMN_PX) / 2.0;
        let part = |index: usize, from: f64, to: f64| {
            let (x, one, other) = (self.centre(index), plot.y_at(from), plot.y_at(to));
            rect(x - half, one.min(other), x + half, one.max(other))
        };
        let base = plot.y_at(0.0);
        let strong = stroke(pen.theme.strong, size::HAIRLINE_PX);
        pen.line(
            point(self.area.left, base),
            point(self.area.right, base),
            strong,
        );
        for (index, step) in steps.iter().enumerate() {
            let area = part(index, step.from, step.to);
            if step.whole() {
                whole(pen, data, step, |from, to| part(index, from, to));
            } else {
                fill(pen, area, step);
            }
            pen.reserve(area);
            if index + 1 < steps.len() {
                let y = plot.y_at(step.to);
                let line = [
                    point(area.right, y),
                    point(self.centre(index + 1) - half, y),
                ];
                pen.line(line[0], line[1], stroke(pen.theme.ink_2, size::HAIRLINE_PX));
                pen.avoid(&line);
            }
        }
        pen.seam();
        let boxes: Vec<Rect> = (0..steps.len())
            .map(|index| {
                let area = part(index, steps[index].from, steps[index].to);
                self.name(pen, data, &steps[index], index);
                self.amount(pen, data, &steps[index], &area, (index, base));
                area
            })
            .collect();
        self.rest(pen, data);
        notes(pen, data, &self.area);
        Hits::boxes(boxes.iter().map(reachable))
    }

    /// What a column comes to: over it, or under what falls.
    fn amount(
        &self,
        pen: &mut Pen<'_>,
        data: &WaterfallData,
        step: &Step<'_>,
        area: &Rect,
        (index, base): (usize, f64),
    ) {
        let ink = step.ink(pen.theme);
        let by = step.to - step.from;
        let text = match step.whole() {
            true => data.amount(step.to),
            false => data.change(by),
        };
        let words = Words::sized(13.0).and_bold(text, ink);
        let x = self.centre(index);
        let above = point(x, area.top - 6.0);
        let below = point(x, area.bottom + 15.0);
        let falls = by < 0.0 && area.bottom + 19.0 <= base;
        let places = if falls {
            [below, above]
        } else {
            [above, below]
        };
        let halo = Some(pen.theme.background);
        for place in places {
            if pen
                .write_if_free(&words, place, Align::Middle, halo)
                .is_some()
            {
                return;
            }
        }
    }

    /// Its name, from where to where, and how the scenarios differ.
    fn name(&self, pen: &mut Pen<'_>, data: &WaterfallData, step: &Step<'_>, index: usize) {
        let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
        let x = self.centre(index);
        let line = |line: u32| self.area.bottom + 17.0 + 14.5 * f64::from(line);
        let fits = |pen: &Pen<'_>, words: &Words| pen.width(words) + 6.0 <= self.pitch;
        let mut below: Vec<String> = Vec::new();
        let names = match &step.kind {
            Kind::Before => {
                below.extend(data.sides.iter().map(|(then, _)| then.clone()));
                let a = Words::sized(size::LABEL_PX).and_bold("A", ink);
                vec![a.clone().and(" pinned", grey), a]
            }
            Kind::Now => {
                below.extend(data.sides.iter().map(|(_, now)| now.clone()));
                vec![Words::label("now", ink).bold()]
            }
            Kind::Term(term) => {
                let (from, to) = (term.from.abs(), term.to.abs());
                below.push(format!("{} → {}", data.amount(from), data.amount(to)));
                let half = term.told().replace(" is ", " ");
                let names = [term.told(), &half, term.short()];
                names.map(|name| Words::label(name, ink)).to_vec()
            }
            Kind::Rest => vec![Words::label("the rest", ink)],
        };
        if let Some(name) = names.into_iter().find(|name| fits(pen, name)) {
            pen.write_if_free(&name, point(x, line(0)), Align::Middle, None);
        }
        let below = below.into_iter().map(|text| Words::tick(text, grey));
        let below: Vec<Words> = below.filter(|words| fits(pen, words)).take(2).collect();
        for (row, words) in below.iter().enumerate() {
            pen.write_if_free(words, point(x, line(row as u32 + 1)), Align::Middle, None);
        }
    }

    /// What hardly changed, in the middle under the columns.
    fn rest(&self, pen: &mut Pen<'_>, data: &WaterfallData) {
        let Some(text) = small(data) else { return };
        let words = Words::tick(text, pen.theme.ink_3);
        let place = point(self.area.centre().x, self.area.bottom + 60.0);
        if pen.width(&words) <= self.area.width() {
            pen.write_if_free(&words, place, Align::Middle, None);
        }
    }
}

/// "dense 1.4, head 1.1: nearly as they were".
fn small(data: &WaterfallData) -> Option<String> {
    let kept = data
        .small()
        .filter(|term| term.to.abs() > NOTHING * data.most());
    let names: Vec<String> = kept
        .map(|term| format!("{} {}", term.short(), data.amount(term.to.abs())))
        .collect();
    (!names.is_empty()).then(|| format!("nearly as before: {}", names.join(", ")))
}

/// What was changed and what binds, where the plot has room.
fn notes(pen: &mut Pen<'_>, data: &WaterfallData, area: &Rect) {
    let (grey, ink) = (pen.theme.ink_2, pen.theme.ink_1);
    let last = data.notes.len().saturating_sub(1);
    let lines: Vec<Words> = data
        .notes
        .iter()
        .enumerate()
        .map(|(index, text)| {
            let words = Words::sized(size::LABEL_PX);
            match index == last {
                true => words.and_bold(text.clone(), ink),
                false => words.and(text.clone(), grey),
            }
        })
        .collect();
    if lines.is_empty() {
        return;
    }
    let shares = |count: u32| (0..=count).map(move |step| f64::from(step) / f64::from(count));
    let spots = shares(6).flat_map(|down| {
        shares(12).map(move |across| {
            let x = area.left + 8.0 + across * (area.width() - 8.0);
            spot(
                point(x, area.top + 4.0 + down * area.height() * 0.8),
                Align::Start,
                Side::Below,
            )
        })
    });
    let bound = lines
        .iter()
        .skip(lines.len().saturating_sub(2))
        .cloned()
        .collect();
    Label::blocks([lines, bound])
        .at(spots)
        .within(*area)
        .halo(pen.theme.background)
        .write(pen);
}

/// A box that a pointer can find, however small the change.
fn reachable(area: &Rect) -> Rect {
    let more = |length: f64| ((8.0 - length) / 2.0).max(0.0);
    let (across, up) = (more(area.width()), more(area.height()));
    rect(
        area.left - across,
        area.top - up,
        area.right + across,
        area.bottom + up,
    )
}
