//! "Does it pay for real requests?": each trace as a dumbbell, split and together at about one price.

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct TracesData {
    pub traces: Vec<TraceBars>,
    /// Whether there is a cluster to compare with: not without prices.
    pub compared: bool,
    /// Whether tokens per dollar are shown, else tokens per second.
    pub per_dollar: bool,
    pub axis: String,
    /// The split: `2 × H100 + 4 × H20`.
    pub split: String,
    /// What it is compared with: `4 × H100`.
    pub other: String,
    pub finding: String,
    /// Why there is nothing to show, where there is nothing.
    pub nothing: String,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TraceBars {
    pub name: String,
    /// On a narrow chart: `Az. conv`.
    pub short: &'static str,
    /// Mean tokens of context.
    pub context: f64,
    /// The split; `None` where it has no room or is too slow.
    pub split: Option<Served>,
    /// The homogeneous cluster; `None` where it has no room, no price, or is too slow.
    pub other: Option<Served>,
    /// Why either is missing where it is: "no room", "too slow".
    pub missing: [&'static str; 2],
}

/// What a deployment makes of a trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Served {
    pub batch: f64,
    pub tokens_per_s: f64,
    pub tokens_per_s_per_user: f64,
    pub dollars_per_hour: Option<f64>,
}

impl TraceBars {
    /// How many times the tokens per dollar of the other deployment the split has; without prices, per second.
    pub fn gain(&self) -> Option<f64> {
        let (split, other) = (self.split?, self.other?);
        let dearer = split.dollars_per_hour.zip(other.dollars_per_hour);
        let dearer = dearer.map_or(1.0, |(split, other)| split / other);
        Some(split.tokens_per_s / other.tokens_per_s / dearer)
    }

    fn served(&self) -> [Option<Served>; 2] {
        [self.split, self.other]
    }
}

impl TracesData {
    fn value(&self, served: &Served) -> Option<f64> {
        let value = if self.per_dollar {
            served.tokens_per_s * 3600.0 / served.dollars_per_hour?
        } else {
            served.tokens_per_s
        };
        (value.is_finite() && value > 0.0).then_some(value)
    }

    /// Traces that either serves, in the order of hits.
    fn drawn(&self) -> Vec<&TraceBars> {
        let draws = |trace: &&TraceBars| {
            let served = trace.served().into_iter().flatten();
            served.filter_map(|served| self.value(&served)).count() > 0
        };
        self.traces.iter().filter(draws).collect()
    }
}

/// Room for the traces' names, and where there is little room.
const NAMES_PX: f64 = 146.0;
const SHORT_NAMES_PX: f64 = 98.0;
const COLUMN_PX: f64 = 68.0;
/// Narrower than this there is the gain alone.
const NARROW_PX: f64 = 430.0;

impl Figure for TracesData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let narrow = pen.canvas.width() < NARROW_PX;
        let names = if narrow { SHORT_NAMES_PX } else { NAMES_PX };
        let columns = match (narrow, self.compared) {
            (false, true) => 3.0,
            _ => 1.0,
        };
        let area = plot_area(&pen.canvas, names, size::MARGIN_TOP_PX);
        let drawn = self.drawn();
        if drawn.is_empty() {
            return nothing_to_show(pen, &area, &self.nothing);
        }
        let plotted = area.across(area.left, area.right - columns * COLUMN_PX);
        let values = drawn.iter().flat_map(|trace| trace.served());
        let (_, most) = extent(values.filter_map(|served| self.value(&served?)));
        let x = Scale::linear(0.0, most * 1.04);
        let plot = Plot::new(plotted, x, Scale::linear(0.0, 1.0));
        for tick in plot.x.ticks(room(plotted.width(), 44.0)) {
            let [head, foot] = plot.upright(tick);
            pen.line(head, foot, hair(pen.theme.grid));
        }
        si_x_axis(pen, &plot, &self.axis);
        if self.compared {
            header(pen, &area, narrow);
        }
        let pitch = area.height() / drawn.len() as f64;
        let mut boxes = Vec::new();
        for (index, trace) in drawn.iter().enumerate() {
            let top = area.top + index as f64 * pitch;
            let middle = top + pitch / 2.0;
            self.dumbbell(pen, &plot, trace, middle);
            name(pen, trace, (area.left - 12.0, middle), narrow);
            self.values(pen, &area, trace, middle, narrow);
            boxes.push(rect(0.0, top, pen.canvas.right, top + pitch));
        }
        Hits::boxes(boxes)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let mut table = Table::of(&self.traces)
            .col("trace", "", |trace| trace.name.clone())
            .col("mean context", "tokens", |trace| trace.context);
        let sides = if self.compared { 2 } else { 1 };
        for (whose, name) in [&self.split, &self.other]
            .into_iter()
            .enumerate()
            .take(sides)
        {
            let of = |trace: &&TraceBars| trace.served()[whose];
            let rate = |trace: &&TraceBars| of(trace).map(|served| served.tokens_per_s);
            let user = |trace: &&TraceBars| of(trace).map(|served| served.tokens_per_s_per_user);
            table = table
                .col(format!("batch, {name}"), "", |trace| {
                    of(trace).map(|served| served.batch)
                })
                .col(format!("throughput, {name}"), "tokens/s", rate)
                .col(format!("interactivity, {name}"), "tokens/s per user", user)
                .col(format!("price, {name}"), "$/h", |trace| {
                    of(trace)?.dollars_per_hour
                });
        }
        match self.compared {
            true => table.col("gain", "×", |trace| trace.gain()).done(),
            false => table.done(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let trace = *self.drawn().get(index)?;
        let tokens = format!("{} tokens", format::count(trace.context));
        let mut tip = Tooltip::new(&trace.name, tokens, &self.source);
        let sides = if self.compared { 2 } else { 1 };
        let both = [&self.split, &self.other].into_iter().zip(trace.served());
        for ((whose, served), missing) in both.zip(trace.missing).take(sides) {
            let Some(served) = served else {
                tip = tip.row(whose, missing);
                continue;
            };
            let user = format!("{} tok/s/user", format::sig3(served.tokens_per_s_per_user));
            let batch = format!("{} sequences", format::count(served.batch));
            let price = served.dollars_per_hour.map(format::dollars);
            tip = tip
                .row(whose, format!("{} tok/s", format::si(served.tokens_per_s)))
                .noted("", batch, user)
                .rows(price.map(|price| TipRow::plain("", price).note("per hour")));
        }
        let gain = trace.gain().map(|gain| format::percent_change(gain, 1.0));
        Some(tip.rows(gain.map(|gain| TipRow::plain("split per dollar", gain))))
    }
}

/// Which mark is which, over their columns.
fn header(pen: &mut Pen<'_>, area: &Rect, narrow: bool) {
    let (ink, rival) = (pen.theme.ink_1, *pen.theme.series(Series::Second));
    let baseline = 11.0;
    let (split_at, together_at) = match narrow {
        true => (area.left + 56.0, area.left + 132.0),
        false => (area.right - 2.0 * COLUMN_PX, area.right - COLUMN_PX),
    };
    for (text, at, ink) in [
        ("split", split_at, rival.text),
        ("together", together_at, ink),
    ] {
        let words = Words::note(text, ink);
        let dot = point(at - pen.width(&words) - 8.0, baseline - 4.0);
        let written = pen.write_if_free(&words, point(at, baseline), Align::End, None);
        match (written, text) {
            (None, _) => {}
            (_, "split") => pen.open_point(dot, 3.8, stroke(rival.line, 1.6)),
            _ => pen.disc(dot, 4.0, ink),
        }
    }
}

/// A trace's name, and how long its contexts are.
fn name(pen: &mut Pen<'_>, trace: &TraceBars, (right, middle): (f64, f64), narrow: bool) {
    let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
    let name = if narrow { trace.short } else { &trace.name };
    let tokens = format!("{} tokens", format::count(trace.context));
    for (words, baseline) in [
        (Words::label(name, ink), middle - 1.0),
        (Words::tick(tokens, grey), middle + 12.0),
    ] {
        pen.write_if_free(&words, point(right, baseline), Align::End, None);
    }
}

impl TracesData {
    fn dumbbell(&self, pen: &mut Pen<'_>, plot: &Plot, trace: &TraceBars, middle: f64) {
        let at = |served: Option<Served>| {
            let value = self.value(&served?)?;
            Some(point(plot.x_at(value), middle))
        };
        let (split, other) = (at(trace.split), at(trace.other));
        let (ink, rival) = (pen.theme.ink_1, pen.theme.series(Series::Second).line);
        if let (Some(split), Some(other)) = (split, other) {
            pen.line(split, other, stroke(rival, 2.0));
        }
        if let Some(at) = split {
            pen.open_point(at, 4.6, stroke(rival, 2.0));
        }
        if let Some(at) = other {
            pen.disc(at, 5.2, ink);
        }
    }

    /// Both values and the gain in their columns.
    fn values(&self, pen: &mut Pen<'_>, area: &Rect, trace: &TraceBars, middle: f64, narrow: bool) {
        let theme = pen.theme;
        let value = |side: usize| {
            let value = trace.served()[side].and_then(|served| self.value(&served));
            value.map_or_else(|| trace.missing[side].to_owned(), format::si)
        };
        let (gain, ink) = match trace.gain().filter(|gain| gain.is_finite()) {
            Some(gain) if gain > 1.0005 => (format::percent_change(gain, 1.0), theme.accent),
            Some(gain) if gain < 0.9995 => (format::percent_change(gain, 1.0), theme.bad),
            Some(gain) => (format::percent_change(gain, 1.0), theme.ink_2),
            None => (String::new(), theme.ink_2),
        };
        if !self.compared {
            let words = Words::label(value(0), theme.ink_1);
            pen.write_about(&words, point(area.right, middle), Align::End, None);
            return;
        }
        let mut columns = vec![Words::label(gain, ink).bold()];
        if !narrow {
            columns.push(Words::label(value(1), theme.ink_1));
            columns.push(Words::label(value(0), theme.ink_2));
        }
        for (index, words) in columns.into_iter().enumerate() {
            let x = area.right - index as f64 * COLUMN_PX;
            pen.write_about(&words, point(x, middle), Align::End, None);
        }
    }
}
