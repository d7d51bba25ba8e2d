//! "How many for each?": throughput and waiting over the division between attention and the feed-forward.

use crate::charts::prelude::*;

/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioData {
    /// Ascending along the axis; every simulated division is among them.
    pub curve: Vec<RatioPoint>,
    /// What is asked about.
    pub now: RatioPoint,
    /// What the axis counts.
    pub across: Across,
    /// What throughput is counted in.
    pub rate: Rate,
    /// The chart's finding.
    pub finding: String,
    /// Why there is nothing to show, where there is nothing.
    pub nothing: String,
    /// Where the values come from.
    pub source: String,
}

/// What lies along the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Across {
    /// GPUs for attention, of so many in domains of so many.
    Gpus {
        /// All of them.
        of: u32,
        /// GPUs of a scale-up domain.
        domain: u32,
    },
    /// Attention instances for each feed-forward instance, logarithmic.
    Ratio,
}

/// What throughput is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// Tokens per second and GPU.
    PerGpu,
    /// Tokens per second and instance.
    PerInstance,
    /// Tokens per US dollar.
    PerDollar,
}

impl Rate {
    /// On an axis.
    pub const fn axis(self) -> &'static str {
        match self {
            Self::PerGpu => "tokens/s per GPU",
            Self::PerInstance => "tokens/s per instance",
            Self::PerDollar => "tokens per dollar",
        }
    }

    /// After a number.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::PerGpu => "tok/s/GPU",
            Self::PerInstance => "tok/s/instance",
            Self::PerDollar => "tok/$",
        }
    }
}

/// What sets the pace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Attention.
    Attention,
    /// The links of attention's GPUs.
    AttentionLinks,
    /// The links of the feed-forward's GPUs.
    FfnLinks,
    /// The feed-forward.
    FeedForward,
}

impl Pace {
    /// Its words, as the subject of a sentence, and its verb.
    const fn subject(self) -> (&'static str, &'static str) {
        match self {
            Self::Attention => ("attention", "sets"),
            Self::AttentionLinks => ("attention’s links", "set"),
            Self::FfnLinks => ("feed-forward’s links", "set"),
            Self::FeedForward => ("feed-forward", "sets"),
        }
    }
}

/// A division.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioPoint {
    /// Where it stands on the axis.
    pub at: f64,
    /// GPUs of the feed-forward, where the axis counts GPUs.
    pub ffn: f64,
    /// Sequences of a batch on each attention instance.
    pub slots: f64,
    /// Throughput, in what the chart counts.
    pub rate: f64,
    /// Time per output token.
    pub tpot_s: f64,
    /// Share of time that attention waits.
    pub idle_attention: f64,
    /// Share of time that the feed-forward waits.
    pub idle_ffn: f64,
    /// What sets the pace.
    pub pace: Pace,
    /// What the simulation measured here.
    pub simulated: Option<SimulatedPoint>,
}

/// A simulated division.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulatedPoint {
    /// Throughput of every token generated, over the first 80 % of completions.
    pub rate: f64,
    /// The same, counting completed requests alone.
    pub completed_rate: f64,
    /// Share of time that attention waits.
    pub idle_attention: f64,
    /// Share of time that the feed-forward waits.
    pub idle_ffn: f64,
    /// Slowest over mean attention instance.
    pub straggling: f64,
}

impl RatioPoint {
    fn draws(&self) -> bool {
        let good = |value: f64| value.is_finite() && value >= 0.0;
        self.at > 0.0 && good(self.at) && good(self.rate)
    }

    /// "32 : 40", "9.32 to 1".
    pub fn name(&self, across: Across) -> String {
        match across {
            Across::Gpus { .. } => {
                format!("{} : {}", format::count(self.at), format::count(self.ffn))
            }
            Across::Ratio => format!("{} to 1", format::sig3(self.at)),
        }
    }
}

impl RatioData {
    fn drawn(&self) -> Vec<&RatioPoint> {
        self.curve.iter().filter(|point| point.draws()).collect()
    }

    fn across(&self) -> Scale {
        let ends: Vec<f64> = self.drawn().iter().map(|point| point.at).collect();
        let (first, last) = (ends.first().copied(), ends.last().copied());
        match self.across {
            Across::Gpus { .. } => Scale::linear(first.unwrap_or(0.0), last.unwrap_or(1.0)),
            Across::Ratio => Scale::log(first.unwrap_or(1.0), last.unwrap_or(32.0)),
        }
    }

    /// The lower axis with the value of now in bold in the place of a tick.
    fn axis(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let ink = pen.theme.ink_3;
        let most = (plot.area.width() / 44.0).max(2.0) as usize;
        let (ticks, minor, name) = match self.across {
            Across::Gpus { of, domain } => {
                let span = plot.x.high() - plot.x.low();
                let domain = f64::from(domain.max(1));
                let mut step = domain;
                if span / domain < 2.0 {
                    step = nice_step(span, most).max(1.0);
                }
                while span / step > most as f64 {
                    step *= 2.0;
                }
                let name = format!("GPUs for attention, of {of}");
                (
                    multiples(plot.x.low(), plot.x.high(), step),
                    Vec::new(),
                    name,
                )
            }
            Across::Ratio => (
                plot.x.ticks(most),
                plot.x.minor_ticks(),
                "attention instances per feed-forward instance, log".to_owned(),
            ),
        };
        let own = (self.now.draws() && plot.x.holds(self.now.at)).then(|| {
            let text = match self.across {
                Across::Gpus { .. } => format::count(self.now.at),
                Across::Ratio => format::sig3(self.now.at),
            };
            (self.now.at, Words::tick(text, pen.theme.ink_1).bold())
        });
        let others = ticks
            .into_iter()
            .map(|tick| (tick, Words::tick(format::si_tick(tick), ink)));
        let axis = Axis {
            ticks: own.into_iter().chain(others).collect(),
            minor,
            name: &name,
        };
        x_axis(pen, plot, &axis);
    }

    fn table(&self) -> Table {
        let row = |point: &RatioPoint| {
            let of =
                |look: fn(&SimulatedPoint) -> f64| Cell::maybe(point.simulated.as_ref().map(look));
            vec![
                point.name(self.across).into(),
                point.slots.into(),
                point.pace.subject().0.into(),
                point.rate.into(),
                of(|simulated| simulated.rate),
                (point.tpot_s * 1e3).into(),
                (point.idle_attention * 100.0).into(),
                of(|simulated| simulated.idle_attention * 100.0),
                (point.idle_ffn * 100.0).into(),
                of(|simulated| simulated.idle_ffn * 100.0),
                of(|simulated| simulated.straggling),
            ]
        };
        let unit = self.rate.axis();
        let first = match self.across {
            Across::Gpus { .. } => "attention : feed-forward",
            Across::Ratio => "ratio",
        };
        Table {
            columns: vec![
                Column::new(first, ""),
                Column::new("slots", ""),
                Column::new("sets the pace", ""),
                Column::new("throughput", unit),
                Column::new("simulated", unit),
                Column::new("time per output token", "ms"),
                Column::new("attention waits", "%"),
                Column::new("simulated attention waits", "%"),
                Column::new("feed-forward waits", "%"),
                Column::new("simulated feed-forward waits", "%"),
                Column::new("slowest over mean", ""),
            ],
            rows: self.curve.iter().map(row).collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let point = self.curve.get(index)?;
        let rate = |value: f64| format!("{} {}", format::si(value), self.rate.unit());
        let waits = |role, name, share| TipRow::of(role, name, "", format::share(share));
        let mut rows = vec![
            TipRow::plain("throughput", rate(point.rate)),
            TipRow::plain(
                "time per output token",
                format::duration(point.tpot_s).to_string(),
            ),
            waits(Role::Attention, "attention waits", point.idle_attention),
            waits(Role::Experts, "feed-forward waits", point.idle_ffn),
        ];
        if let Across::Gpus { .. } = self.across {
            rows.push(TipRow::plain("slots each", format::count(point.slots)));
        }
        if let Some(simulated) = &point.simulated {
            let idle = [simulated.idle_attention, simulated.idle_ffn].map(format::share);
            rows.extend([
                TipRow::plain("simulated", rate(simulated.rate)),
                TipRow {
                    note: "completed requests".to_owned(),
                    ..TipRow::plain("", rate(simulated.completed_rate))
                },
                TipRow::plain("waits, simulated", idle.join(" · ")),
                TipRow::plain(
                    "slowest over mean attention",
                    format::factor(simulated.straggling),
                ),
            ]);
        }
        let (who, verb) = point.pace.subject();
        Some(Tooltip {
            title: point.name(self.across),
            aside: format!("{who} {verb} the pace"),
            rows,
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        let point = self.curve.get(index)?;
        Some(match self.across {
            Across::Gpus { .. } => format::count(point.at),
            Across::Ratio => format::sig3(point.at),
        })
    }

    /// Every point of the curve as a ruler; the keyboard begins at now.
    fn rulers(
        &self,
        plot: &Plot,
        (top, bottom): (f64, f64),
        y_at: impl Fn(&RatioPoint) -> f64,
    ) -> Hits {
        let reach = |of: &RatioPoint| Reach::Ruler {
            at: point(
                plot.x_at(of.at).clamp(plot.area.left, plot.area.right),
                y_at(of).clamp(top, bottom),
            ),
            top,
            bottom,
        };
        let least = self.now.at * (1.0 - 1e-9);
        let start = self.curve.iter().position(|point| point.at >= least);
        Hits::new(self.curve.iter().map(reach).collect())
            .on(plot)
            .starting_at(start.unwrap_or(0))
    }

    /// Throughput: the curve, what was simulated, now; what sets the pace on either side of it.
    fn throughput(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let theme = pen.theme;
        let area = plot.area;
        let ticks = plot.y.ticks((area.height() / 26.0).max(2.0) as usize);
        let axis = Axis {
            ticks: ticks
                .into_iter()
                .map(|tick| (tick, Words::tick(format::si_tick(tick), theme.ink_3)))
                .collect(),
            minor: Vec::new(),
            name: self.rate.axis(),
        };
        y_axis(pen, plot, &axis, 10.0);
        let at = |point: &RatioPoint| plot.at(point.at, point.rate);
        let line: Vec<(Point, bool)> = self.drawn().iter().map(|p| (at(p), true)).collect();
        marks::curve(pen, &line, marks::Line::Solid(theme.ink_1, size::CURVE_PX));
        pen.seam();
        let mut last = None;
        for of in self.drawn() {
            if let Some(simulated) = of.simulated.filter(|found| found.rate.is_finite()) {
                let ring = plot.at(of.at, simulated.rate.min(plot.y.high()));
                pen.open_point(ring, 3.6, stroke(theme.ink_1, 1.4));
                pen.reserve(Rect::about(ring, 4.5));
                last = Some(ring);
            }
        }
        if self.now.draws() && plot.x.holds(self.now.at) {
            let now = at(&self.now);
            pen.now(now, true);
            pen.reserve(Rect::about(now, 9.0));
            let rate = format!("{} at ", format::figure(self.now.rate));
            let words = Words::label(rate, theme.ink_1)
                .bold()
                .and_bold(self.now.name(self.across), theme.ink_1);
            let short = Words::label(format::figure(self.now.rate), theme.ink_1).bold();
            let Point { x, y } = now;
            let spots = [
                spot(point(x - 12.0, y - 2.0), Align::End, Side::Level),
                spot(point(x + 12.0, y - 2.0), Align::Start, Side::Level),
                spot(point(x - 12.0, y - 10.0), Align::End, Side::Above),
                spot(point(x + 12.0, y - 10.0), Align::Start, Side::Above),
                spot(point(x, y - 12.0), Align::Middle, Side::Above),
                spot(point(x, y + 12.0), Align::Middle, Side::Below),
            ];
            Label::lines([words, short])
                .at(spots)
                .halo(theme.background)
                .or_over_lines()
                .write(pen);
            self.paces(pen, plot, x);
        }
        if let Some(Point { x, y }) = last {
            let spots = [
                spot(point(x + 4.0, y - 9.0), Align::End, Side::Above),
                spot(point(x - 9.0, y + 10.0), Align::End, Side::Below),
                spot(point(x + 4.0, y + 9.0), Align::End, Side::Below),
            ];
            let label = Label::lines([Words::note("simulated", theme.ink_2)]).at(spots);
            label.within(area).halo(theme.background).write(pen);
        }
    }

    /// What sets the pace on either side of now, as words beside the ruler.
    fn paces(&self, pen: &mut Pen<'_>, plot: &Plot, ruler: f64) {
        let ink = pen.theme.ink_2;
        let drawn = self.drawn();
        let side = |left: bool| {
            let here = drawn.iter().filter(|of| {
                if left {
                    of.at < self.now.at
                } else {
                    of.at > self.now.at
                }
            });
            let mut counted: Vec<(Pace, usize)> = Vec::new();
            for of in here {
                match counted.iter_mut().find(|(pace, _)| *pace == of.pace) {
                    Some((_, count)) => *count += 1,
                    None => counted.push((of.pace, 1)),
                }
            }
            counted
                .into_iter()
                .max_by_key(|(_, count)| *count)
                .map(|(pace, _)| pace)
        };
        let (left, right) = (side(true), side(false));
        let foot = plot.area.bottom;
        for (pace, align, away) in [(left, Align::End, -16.0), (right, Align::Start, 16.0)] {
            let Some(pace) = pace.filter(|_| left != right || align == Align::End) else {
                continue;
            };
            let (who, verb) = pace.subject();
            let block = vec![
                Words::note(who, ink),
                Words::note(format!("{verb} the pace"), ink),
            ];
            let spots = [12.0, 24.0, 6.0]
                .map(|up| spot(point(ruler + away, foot - up), align, Side::Above));
            Label::blocks([block])
                .at(spots)
                .within(plot.area)
                .halo(pen.theme.background)
                .write(pen);
        }
    }

    /// How long attention and the feed-forward wait.
    fn waits(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let theme = pen.theme;
        let area = plot.area;
        for share in [0.0, 0.5, 1.0] {
            let y = plot.y_at(share);
            let ink = if share == 0.0 {
                theme.strong
            } else {
                theme.grid
            };
            pen.line(
                point(area.left, y),
                point(area.right, y),
                stroke(ink, size::HAIRLINE_PX),
            );
            let words = Words::tick(format::share(share), theme.ink_3);
            let at = point(area.left - 7.0, words.baseline_about(y));
            pen.write_if_free(&words, at, Align::End, None);
        }
        type Idle = fn(&RatioPoint) -> f64;
        let series: [(Role, &str, Idle); 2] = [
            (Role::Experts, "feed-forward", |of| of.idle_ffn),
            (Role::Attention, "attention", |of| of.idle_attention),
        ];
        let drawn = self.drawn();
        let at = |of: &RatioPoint, idle: Idle| plot.at(of.at, idle(of).clamp(0.0, 1.0));
        for (role, _, idle) in series {
            let line: Vec<(Point, bool)> = drawn.iter().map(|of| (at(of, idle), true)).collect();
            let ink = theme.role(role).line;
            marks::curve(pen, &line, marks::Line::Solid(ink, 1.6));
        }
        pen.seam();
        if self.now.draws() && plot.x.holds(self.now.at) {
            for (role, _, idle) in series {
                let here = at(&self.now, idle);
                pen.rimmed_point(here, 3.0, theme.role(role).line);
                pen.reserve(Rect::about(here, 4.0));
            }
            for (_, _, idle) in series {
                let Point { x, y } = at(&self.now, idle);
                let words = Words::note(format::share(idle(&self.now)), theme.ink_1).bold();
                let spots = [
                    spot(point(x + 7.0, y - 3.0), Align::Start, Side::Above),
                    spot(point(x + 7.0, y + 4.0), Align::Start, Side::Below),
                    spot(point(x - 7.0, y - 3.0), Align::End, Side::Above),
                    spot(point(x - 7.0, y + 4.0), Align::End, Side::Below),
                ];
                Label::lines([words])
                    .at(spots)
                    .halo(theme.background)
                    .or_over_lines()
                    .write(pen);
            }
        }
        for (role, name, idle) in series {
            let words = Words::note(name, theme.role(role).text);
            let near = [0.08, 0.2, 0.75, 0.6, 0.4].into_iter().filter_map(|share| {
                let of = drawn.get((share * drawn.len() as f64) as usize)?;
                Some(at(of, idle))
            });
            let spots = near.flat_map(|Point { x, y }| {
                [
                    spot(point(x, y - 5.0), Align::Start, Side::Above),
                    spot(point(x, y + 5.0), Align::Start, Side::Below),
                ]
            });
            Label::lines([words])
                .at(spots)
                .within(Rect {
                    top: area.top - 6.0,
                    ..area
                })
                .halo(theme.background)
                .write(pen);
        }
    }
}

/// Room above the curve.
const HEADROOM: f64 = 1.1;
/// Between throughput and waiting.
const BETWEEN_PX: f64 = 22.0;
/// Throughput's part of the height of both.
const UPPER: f64 = 0.58;

impl Figure for RatioData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        let drawn = self.drawn();
        let simulated = |of: &RatioPoint| of.simulated.map_or(0.0, |found| found.rate);
        let highest = drawn
            .iter()
            .map(|of| of.rate.max(simulated(of)))
            .filter(|rate| rate.is_finite())
            .fold(0.0, f64::max);
        if drawn.len() < 2 || highest <= 0.0 || area.height() < 3.0 * BETWEEN_PX {
            return nothing_to_show(pen, &area, &self.nothing);
        }
        let middle = area.top + (area.height() - BETWEEN_PX) * UPPER;
        let upper = Plot::new(
            area.down(area.top, middle),
            self.across(),
            Scale::linear(0.0, highest * HEADROOM),
        );
        let lower = Plot::new(
            area.down(middle + BETWEEN_PX, area.bottom),
            self.across(),
            Scale::linear(0.0, 1.0),
        );
        self.axis(pen, &lower);
        let words = Words::tick("time spent waiting", pen.theme.ink_3);
        let under = point(area.left, middle + 12.0);
        pen.write_if_free(&words, under, Align::Start, None);
        if self.now.draws() && upper.x.holds(self.now.at) {
            let x = upper.x_at(self.now.at);
            let (head, foot) = (point(x, area.top), point(x, area.bottom));
            pen.line(head, foot, stroke(pen.theme.ink_1, size::HAIRLINE_PX));
            pen.avoid(&[head, foot]);
        }
        self.throughput(pen, &upper);
        self.waits(pen, &lower);
        let top = |of: &RatioPoint| upper.y_at(of.rate);
        self.rulers(&upper, (area.top, area.bottom), top)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        self.table()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        self.tooltip(index)
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        self.axis_value(index)
    }
}

/// "Who waits?": the lower half alone, for embeds.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitsData {
    /// What it is the half of.
    pub of: RatioData,
    /// The chart's finding.
    pub finding: String,
}

impl Figure for WaitsData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        let data = &self.of;
        if data.drawn().len() < 2 {
            return nothing_to_show(pen, &area, &data.nothing);
        }
        let plot = Plot::new(area, data.across(), Scale::linear(0.0, 1.0));
        data.axis(pen, &plot);
        let name = Words::tick("time spent waiting", pen.theme.ink_3);
        pen.write(&name, point(0.0, 10.0), Align::Start, None);
        if data.now.draws() && plot.x.holds(data.now.at) {
            let x = plot.x_at(data.now.at);
            let (head, foot) = (point(x, area.top), point(x, area.bottom));
            pen.line(head, foot, stroke(pen.theme.ink_1, size::HAIRLINE_PX));
            pen.avoid(&[head, foot]);
        }
        data.waits(pen, &plot);
        let top = |of: &RatioPoint| plot.y_at(of.idle_attention.max(of.idle_ffn).clamp(0.0, 1.0));
        data.rulers(&plot, (area.top, area.bottom), top)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        self.of.table()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        self.of.tooltip(index)
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        self.of.axis_value(index)
    }
}
