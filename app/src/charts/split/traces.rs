//! "Does it pay for real requests?": four traces, split and homogeneous side by side at equal price.

use crate::charts::prelude::*;

/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct TracesData {
    /// One group of bars each.
    pub traces: Vec<TraceBars>,
    /// The split: `2 × H100 + 4 × H20`.
    pub split: String,
    /// What it is compared with: `4 × H100`.
    pub other: String,
    /// The chart's finding.
    pub finding: String,
    /// Why there is nothing to show, where there is nothing.
    pub nothing: String,
    /// Where the values come from.
    pub source: String,
}

/// One trace.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceBars {
    /// `Azure conversation`.
    pub name: String,
    /// On a narrow chart: `Az. conv`.
    pub short: &'static str,
    /// Mean tokens of context.
    pub context: f64,
    /// The split; `None` where it has no room.
    pub split: Option<Served>,
    /// The homogeneous cluster; `None` where it has no room or no price.
    pub other: Option<Served>,
}

/// What a deployment makes of a trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Served {
    /// Sequences at once.
    pub batch: f64,
    /// Tokens per second.
    pub tokens_per_s: f64,
    /// Tokens per second of one user.
    pub tokens_per_s_per_user: f64,
    /// US dollars per hour, where known.
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
    /// Bars in the order of hits: trace by trace, the split first.
    fn bars(&self) -> Vec<(usize, usize, Served)> {
        let good = |served: &Served| served.tokens_per_s.is_finite() && served.tokens_per_s > 0.0;
        let traces = self.traces.iter().enumerate();
        let bars = traces.flat_map(|(group, trace)| {
            let served = trace.served().into_iter().enumerate();
            served.filter_map(move |(which, served)| Some((group, which, served?)))
        });
        bars.filter(|(.., served)| good(served)).collect()
    }
}

impl Figure for TracesData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        let bars = self.bars();
        if bars.is_empty() {
            return nothing_to_show(pen, &area, &self.nothing);
        }
        let rates = || bars.iter().map(|(.., served)| served.tokens_per_s);
        let most = rates().fold(0.0, f64::max);
        let least = rates().fold(most, f64::min);
        // Traces differ tenfold: on a logarithmic scale equal gains look equal.
        let (y, name) = if most > 6.0 * least {
            (Scale::log(least * 0.45, most * 1.6), "tokens/s, log")
        } else {
            (Scale::linear(0.0, most * 1.3), "tokens/s")
        };
        let plot = Plot::new(area, Scale::linear(0.0, self.traces.len() as f64), y);
        si_y_axis(pen, &plot, name);
        let strong = stroke(pen.theme.strong, size::HAIRLINE_PX);
        let (from, to) = (
            point(area.left, area.bottom),
            point(area.right, area.bottom),
        );
        pen.line(from, to, strong);
        let mut boxes = Vec::new();
        for (group, which, served) in bars {
            let bar = place(&plot, group, which, served.tokens_per_s);
            if which == 0 {
                pen.fill_rect(bar, pen.theme.ink_2);
            } else {
                pen.outline(bar, stroke(pen.theme.ink_3, 1.2));
            }
            boxes.push(bar);
        }
        pen.seam();
        names(pen, &plot, self);
        gains(pen, &plot, self);
        key(pen, &plot, self);
        Hits::boxes(boxes)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let mut columns = vec![
            Column::new("trace", ""),
            Column::new("mean context", "tokens"),
        ];
        for whose in [&self.split, &self.other] {
            columns.extend([
                Column::new(format!("batch, {whose}"), ""),
                Column::new(format!("throughput, {whose}"), "tokens/s"),
                Column::new(format!("interactivity, {whose}"), "tokens/s per user"),
                Column::new(format!("price, {whose}"), "$/h"),
            ]);
        }
        columns.push(Column::new("gain", "×"));
        let row = |trace: &TraceBars| {
            let mut row = vec![Cell::from(trace.name.as_str()), trace.context.into()];
            row.extend(trace.served().into_iter().flat_map(|served| {
                [
                    served.map(|served| served.batch),
                    served.map(|served| served.tokens_per_s),
                    served.map(|served| served.tokens_per_s_per_user),
                    served.and_then(|served| served.dollars_per_hour),
                ]
                .map(Cell::maybe)
            }));
            row.push(Cell::maybe(trace.gain()));
            row
        };
        let rows = self.traces.iter().map(row).collect();
        Table { columns, rows }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (group, which, served) = *self.bars().get(index)?;
        let trace = self.traces.get(group)?;
        let rate = format!("{} tok/s", format::si(served.tokens_per_s));
        let batch = format!("{} sequences", format::count(served.batch));
        let user = format!("{} tok/s/user", format::sig3(served.tokens_per_s_per_user));
        let price = served.dollars_per_hour;
        let price = price.map(|price| format!("{} per hour", format::dollars(price)));
        let gain = trace.gain().map(|gain| format::percent_change(gain, 1.0));
        let rows = [
            ("throughput", Some(rate)),
            ("batch", Some(batch)),
            ("interactivity", Some(user)),
            ("price", price),
            ("split over one kind", gain),
        ];
        let whose = [&self.split, &self.other];
        Some(Tooltip {
            title: (*whose.get(which)?).clone(),
            aside: format!("{}, {} tokens", trace.name, format::count(trace.context)),
            rows: rows
                .into_iter()
                .filter_map(|(label, value)| Some(TipRow::plain(label, value?)))
                .collect(),
            source: self.source.clone(),
        })
    }
}

/// How wide a group is, and where its middle is.
fn group_at(plot: &Plot, group: usize) -> (f64, f64) {
    let pitch = plot.area.width() / plot.x.high().max(1.0);
    (pitch, plot.area.left + (group as f64 + 0.5) * pitch)
}

/// Where a bar stands: two side by side in each group. The split is filled, the other an outline.
fn place(plot: &Plot, group: usize, which: usize, value: f64) -> Rect {
    let (pitch, middle) = group_at(plot, group);
    let bar = (pitch * 0.3).min(46.0);
    let left = middle + if which == 0 { -bar - 1.5 } else { 1.5 };
    rect(left, plot.y_at(value), left + bar, plot.area.bottom)
}

/// Below each group: its trace, and how long its contexts are.
fn names(pen: &mut Pen<'_>, plot: &Plot, data: &TracesData) {
    let (ink, grey) = (pen.theme.ink_2, pen.theme.ink_3);
    for (group, trace) in data.traces.iter().enumerate() {
        let (pitch, x) = group_at(plot, group);
        let mut write = |text: &str, ink: Colour, below: f64| {
            let words = Words::tick(text, ink);
            let at = point(x, plot.area.bottom + below);
            pen.width(&words) < pitch - 6.0
                && pen.write_if_free(&words, at, Align::Middle, None).is_some()
        };
        let _ = write(&trace.name, ink, 15.0) || write(trace.short, ink, 15.0);
        let tokens = format!("{} tok", format::count(trace.context));
        write(&tokens, grey, 29.0);
    }
}

/// Over each group: what the split gains.
fn gains(pen: &mut Pen<'_>, plot: &Plot, data: &TracesData) {
    let theme = pen.theme;
    for (group, trace) in data.traces.iter().enumerate() {
        let (text, colour) = match trace.gain().filter(|gain| gain.is_finite()) {
            Some(gain) => {
                let colour = if gain > 1.0005 {
                    theme.accent
                } else if gain < 0.9995 {
                    theme.bad
                } else {
                    theme.ink_2
                };
                (format::percent_change(gain, 1.0), colour)
            }
            None if trace.split.is_none() => ("no room".to_owned(), theme.bad),
            None => continue,
        };
        let rates = trace.served().into_iter().flatten();
        let tallest = rates.map(|served| served.tokens_per_s).fold(0.0, f64::max);
        let top = if tallest.is_finite() && tallest > 0.0 {
            plot.y_at(tallest)
        } else {
            plot.area.bottom
        };
        let (_, x) = group_at(plot, group);
        let words = Words::label(text, colour).bold();
        let paper = Some(theme.background);
        pen.write_if_free(&words, point(x, top - 6.0), Align::Middle, paper);
    }
}

/// Which bar is which, once, in words.
fn key(pen: &mut Pen<'_>, plot: &Plot, data: &TracesData) {
    let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
    let long = Words::note("filled: ", grey)
        .and(data.split.clone(), ink)
        .and(", outlined: ", grey)
        .and(data.other.clone(), ink);
    let at = point(plot.area.right, 10.0);
    let _ = [long, Words::note("filled: split", grey)]
        .iter()
        .any(|words| pen.write_if_free(words, at, Align::End, None).is_some());
}
