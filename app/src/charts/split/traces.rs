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
    /// How many times the throughput of the other deployment the split has.
    pub fn gain(&self) -> Option<f64> {
        Some(self.split?.tokens_per_s / self.other?.tokens_per_s)
    }

    fn served(&self) -> [Option<Served>; 2] {
        [self.split, self.other]
    }
}

/// Bars in the order of hits: trace by trace, the split first.
fn bars(data: &TracesData) -> Vec<(usize, usize, Served)> {
    let good = |served: &Served| served.tokens_per_s.is_finite() && served.tokens_per_s > 0.0;
    data.traces
        .iter()
        .enumerate()
        .flat_map(|(group, trace)| {
            let served = trace.served().into_iter().enumerate();
            served.filter_map(move |(which, served)| Some((group, which, served?)))
        })
        .filter(|(_, _, served)| good(served))
        .collect()
}

impl Figure for TracesData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        let bars = bars(self);
        if bars.is_empty() {
            nothing_to_show(pen, &area, &self.nothing);
            return Hits::default();
        }
        let of = |served: &Served| served.tokens_per_s;
        let most = bars
            .iter()
            .map(|(_, _, served)| of(served))
            .fold(0.0, f64::max);
        let least = bars
            .iter()
            .map(|(_, _, served)| of(served))
            .fold(most, f64::min);
        // Traces differ tenfold: on a logarithmic scale equal gains look equal.
        let log = most > 6.0 * least;
        let y = if log {
            Scale::log(least * 0.45, most * 1.6)
        } else {
            Scale::linear(0.0, most * 1.3)
        };
        let plot = Plot::new(area, Scale::linear(0.0, self.traces.len() as f64), y);
        axes(pen, &plot, log);
        let boxes: Vec<Rect> = bars
            .iter()
            .map(|(group, which, served)| {
                let bar = place(&plot, *group, *which, of(served));
                draw_bar(pen, bar, *which == 0);
                bar
            })
            .collect();
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
        let column = |what: &str, whose: &str| format!("{what}, {whose}");
        let rows = self.traces.iter().map(|trace| {
            let mut row = vec![Cell::from(trace.name.as_str()), trace.context.into()];
            for served in trace.served() {
                row.push(Cell::maybe(served.map(|served| served.batch)));
                row.push(Cell::maybe(served.map(|served| served.tokens_per_s)));
                row.push(Cell::maybe(
                    served.map(|served| served.tokens_per_s_per_user),
                ));
                row.push(Cell::maybe(
                    served.and_then(|served| served.dollars_per_hour),
                ));
            }
            row.push(Cell::maybe(trace.gain()));
            row
        });
        let mut columns = vec![
            Column::new("trace", ""),
            Column::new("mean context", "tokens"),
        ];
        for whose in [self.split.as_str(), self.other.as_str()] {
            columns.push(Column::new(column("batch", whose), ""));
            columns.push(Column::new(column("throughput", whose), "tokens/s"));
            columns.push(Column::new(
                column("interactivity", whose),
                "tokens/s per user",
            ));
            columns.push(Column::new(column("price", whose), "$/h"));
        }
        columns.push(Column::new("gain", "×"));
        Table {
            columns,
            rows: rows.collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (group, which, served) = *bars(self).get(index)?;
        let trace = self.traces.get(group)?;
        let mut rows = vec![
            TipRow::plain(
                "throughput",
                format!("{} tok/s", format::si(served.tokens_per_s)),
            ),
            TipRow::plain(
                "batch",
                format!("{} sequences", format::count(served.batch)),
            ),
            TipRow::plain(
                "interactivity",
                format!("{} tok/s/user", format::sig3(served.tokens_per_s_per_user)),
            ),
        ];
        if let Some(price) = served.dollars_per_hour {
            rows.push(TipRow::plain(
                "price",
                format!("{} per hour", format::dollars(price)),
            ));
        }
        if let Some(gain) = trace.gain() {
            rows.push(TipRow::plain(
                "split over one kind",
                format::percent_change(gain, 1.0),
            ));
        }
        Some(Tooltip {
            title: if which == 0 {
                self.split.clone()
            } else {
                self.other.clone()
            },
            aside: format!("{}, {} tokens", trace.name, format::count(trace.context)),
            rows,
            source: self.source.clone(),
        })
    }

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px)
    }
}

/// Where a bar stands: two side by side in each group.
fn place(plot: &Plot, group: usize, which: usize, value: f64) -> Rect {
    let pitch = plot.area.width() / plot.x.high().max(1.0);
    let bar = (pitch * 0.3).min(46.0);
    let middle = plot.area.left + (group as f64 + 0.5) * pitch;
    let left = middle + if which == 0 { -bar - 1.5 } else { 1.5 };
    rect(left, plot.y_at(value), left + bar, plot.area.bottom)
}

fn axes(pen: &mut Pen<'_>, plot: &Plot, log: bool) {
    let ink = pen.theme.ink_3;
    let words = |value: f64| (value, Words::tick(format::si_tick(value), ink));
    let ticks = plot.y.ticks((plot.area.height() / 30.0).max(2.0) as usize);
    y_axis(
        pen,
        plot,
        &Axis {
            ticks: ticks.into_iter().map(words).collect(),
            minor: Vec::new(),
            name: if log { "tokens/s, log" } else { "tokens/s" },
        },
        10.0,
    );
    let Rect {
        left,
        right,
        bottom,
        ..
    } = plot.area;
    let strong = stroke(pen.theme.strong, size::HAIRLINE_PX);
    pen.line(point(left, bottom), point(right, bottom), strong);
}

/// The split is filled, the other an outline.
fn draw_bar(pen: &mut Pen<'_>, bar: Rect, split: bool) {
    let (ink_2, ink_3) = (pen.theme.ink_2, pen.theme.ink_3);
    if split {
        pen.fill_rect(bar, ink_2);
    } else {
        pen.outline(bar, stroke(ink_3, 1.2));
    }
}

fn names(pen: &mut Pen<'_>, plot: &Plot, data: &TracesData) {
    let (ink, grey) = (pen.theme.ink_2, pen.theme.ink_3);
    let pitch = plot.area.width() / data.traces.len().max(1) as f64;
    for (group, trace) in data.traces.iter().enumerate() {
        let x = plot.area.left + (group as f64 + 0.5) * pitch;
        for name in [trace.name.as_str(), trace.short] {
            let words = Words::tick(name, ink);
            if pen.width(&words) < pitch - 6.0
                && pen
                    .write_if_free(
                        &words,
                        point(x, plot.area.bottom + 15.0),
                        Align::Middle,
                        None,
                    )
                    .is_some()
            {
                break;
            }
        }
        let tokens = Words::tick(format!("{} tok", format::count(trace.context)), grey);
        if pen.width(&tokens) < pitch - 6.0 {
            pen.write_if_free(
                &tokens,
                point(x, plot.area.bottom + 29.0),
                Align::Middle,
                None,
            );
        }
    }
}

fn gains(pen: &mut Pen<'_>, plot: &Plot, data: &TracesData) {
    let (help, bad, grey, paper) = (
        pen.theme.accent,
        pen.theme.bad,
        pen.theme.ink_2,
        pen.theme.background,
    );
    for (group, trace) in data.traces.iter().enumerate() {
        let value = |served: Option<Served>| served.map_or(0.0, |served| served.tokens_per_s);
        let tallest = value(trace.split).max(value(trace.other));
        let (text, colour) = match trace.gain() {
            Some(gain) if gain.is_finite() => (
                format::percent_change(gain, 1.0),
                if gain > 1.0005 {
                    help
                } else if gain < 0.9995 {
                    bad
                } else {
                    grey
                },
            ),
            _ if trace.split.is_none() => ("no room".to_owned(), bad),
            _ => continue,
        };
        let top = if tallest.is_finite() && tallest > 0.0 {
            plot.y_at(tallest)
        } else {
            plot.area.bottom
        };
        let left = place(plot, group, 0, 1.0).left;
        let right = place(plot, group, 1, 1.0).right;
        let words = Words::label(text, colour).bold();
        let at = point((left + right) / 2.0, top - 6.0);
        pen.write_if_free(&words, at, Align::Middle, Some(paper));
    }
}

/// Which bar is which, once, in words.
fn key(pen: &mut Pen<'_>, plot: &Plot, data: &TracesData) {
    let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
    for wording in [
        Words::note("filled: ", grey)
            .and(data.split.clone(), ink)
            .and(", outlined: ", grey)
            .and(data.other.clone(), ink),
        Words::note("filled: split", grey),
    ] {
        let at = point(plot.area.right, 10.0);
        if pen.write_if_free(&wording, at, Align::End, None).is_some() {
            return;
        }
    }
}
