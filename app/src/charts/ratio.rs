//! "How many for each?": throughput over the ratio of attention to feed-forward instances.

use crate::charts::prelude::*;

/// The ratio chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioData {
    /// The closed form, ratios ascending; every simulated ratio is among them.
    pub curve: Vec<RatioPoint>,
    /// What sets the pace where, ratios ascending.
    pub regimes: Vec<RegimeSpan>,
    /// Ratios with a name, the most important one first.
    pub marks: Vec<RatioMark>,
    /// The ratio that is asked about.
    pub now: RatioPoint,
    /// Whether throughput is per GPU, else per instance.
    pub per_gpu: bool,
    /// The chart's finding.
    pub finding: String,
    /// Why there is nothing to show, where there is nothing.
    pub nothing: String,
    /// Where the values come from.
    pub source: String,
}

/// A bundle at one ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioPoint {
    /// Attention instances for each feed-forward instance.
    pub ratio: f64,
    /// Tokens per second and GPU, or instance.
    pub tokens_per_s: f64,
    /// Time per output token.
    pub tpot_s: f64,
    /// Share of time that attention waits.
    pub idle_attention: f64,
    /// Share of time that the feed-forward waits.
    pub idle_ffn: f64,
    /// What sets the pace.
    pub pace: Role,
    /// What the simulation measured here.
    pub simulated: Option<SimulatedPoint>,
}

/// A simulated bundle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulatedPoint {
    /// Tokens per second and GPU, or instance, over the first 80 % of completions.
    pub tokens_per_s: f64,
    /// The same, counting requests still running.
    pub generated_per_s: f64,
    /// Mean time per output token.
    pub tpot_s: f64,
    /// Share of time that attention waits.
    pub idle_attention: f64,
    /// Share of time that the feed-forward waits.
    pub idle_ffn: f64,
    /// Slowest over mean attention instance.
    pub straggling: f64,
}

/// Ratios at which one part sets the pace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegimeSpan {
    /// The least of them.
    pub from: f64,
    /// The greatest of them.
    pub to: f64,
    /// The part.
    pub pace: Role,
}

/// A ratio with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioMark {
    /// The ratio.
    pub ratio: f64,
    /// `r*`, `r_A`.
    pub name: String,
    /// Whether it is the best one.
    pub best: bool,
}

impl RatioPoint {
    fn draws(&self) -> bool {
        let good = |value: f64| value.is_finite() && value >= 0.0;
        self.ratio > 0.0 && good(self.ratio) && good(self.tokens_per_s)
    }
}

/// What a part is called where it sets the pace.
const fn pace_name(role: Role) -> &'static str {
    match role {
        Role::Attention => "attention",
        Role::Messages => "messages",
        _ => "feed-forward",
    }
}

/// "attention sets the pace".
fn sets_the_pace(role: Role) -> String {
    let plural = role == Role::Messages;
    let verb = if plural { "set" } else { "sets" };
    format!("{} {verb} the pace", pace_name(role))
}

/// `9.32`, `57.7`: a ratio as people say it.
pub(super) fn ratio_text(ratio: f64) -> String {
    format::sig3(ratio)
}

/// The table of charts over r.
pub(super) fn table(curve: &[RatioPoint], per_gpu: bool) -> Table {
    let unit = if per_gpu {
        "tokens/s per GPU"
    } else {
        "tokens/s per instance"
    };
    let row = |point: &RatioPoint| {
        let of = |look: fn(&SimulatedPoint) -> f64| Cell::maybe(point.simulated.as_ref().map(look));
        vec![
            point.ratio.into(),
            pace_name(point.pace).into(),
            point.tokens_per_s.into(),
            of(|simulated| simulated.tokens_per_s),
            (point.tpot_s * 1e3).into(),
            (point.idle_attention * 100.0).into(),
            of(|simulated| simulated.idle_attention * 100.0),
            (point.idle_ffn * 100.0).into(),
            of(|simulated| simulated.idle_ffn * 100.0),
            of(|simulated| simulated.straggling),
        ]
    };
    Table {
        columns: vec![
            Column::new("ratio", ""),
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
        rows: curve.iter().map(row).collect(),
    }
}

/// The tooltip of charts over r.
pub(super) fn tooltip(point: &RatioPoint, per_gpu: bool, source: &str) -> Tooltip {
    let unit = if per_gpu { "GPU" } else { "instance" };
    let rate = |value: f64| format!("{} tok/s/{unit}", format::si(value));
    let tpot = format::duration(point.tpot_s).to_string();
    let waits = |role, name, share| TipRow::of(role, name, "", format::share(share));
    let noted = |label: &str, note: &str, value: f64| TipRow {
        note: note.to_owned(),
        ..TipRow::plain(label, rate(value))
    };
    let mut rows = vec![
        TipRow::plain("closed form", rate(point.tokens_per_s)),
        TipRow::plain("time per output token", tpot),
        waits(Role::Attention, "attention waits", point.idle_attention),
        waits(Role::Experts, "feed-forward waits", point.idle_ffn),
    ];
    if let Some(simulated) = &point.simulated {
        let idle = [simulated.idle_attention, simulated.idle_ffn].map(format::share);
        let straggling = format::factor(simulated.straggling);
        let running = "with those still running";
        rows.extend([
            noted("simulated", "first 80 %", simulated.tokens_per_s),
            noted("", running, simulated.generated_per_s),
            TipRow::plain("waits, simulated", idle.join(" · ")),
            TipRow::plain("slowest over mean attention", straggling),
        ]);
    }
    Tooltip {
        title: format!("{} to 1", ratio_text(point.ratio)),
        aside: sets_the_pace(point.pace),
        rows,
        source: source.to_owned(),
    }
}

impl Figure for RatioData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let theme = pen.theme;
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        let drawn: Vec<&RatioPoint> = self.curve.iter().filter(|point| point.draws()).collect();
        let simulated = |point: &RatioPoint| {
            let rate = point.simulated?.tokens_per_s;
            rate.is_finite().then_some(rate)
        };
        let highest = drawn
            .iter()
            .map(|point| point.tokens_per_s.max(simulated(point).unwrap_or(0.0)))
            .fold(0.0, f64::max);
        if drawn.len() < 2 || highest <= 0.0 {
            return nothing_to_show(pen, &area, &self.nothing);
        }
        let up = Scale::linear(0.0, highest * HEADROOM);
        let plot = Plot::new(area, x_scale(&drawn), up);
        let name = if self.per_gpu {
            "tokens/s per GPU"
        } else {
            "tokens/s per instance"
        };
        over_ratios(pen, &plot, &self.regimes, |pen| {
            si_y_axis(pen, &plot, name);
        });
        for mark in self.marks.iter().filter(|mark| plot.x.holds(mark.ratio)) {
            named_ratio(pen, &plot, mark);
        }
        let at = |point: &RatioPoint| plot.at(point.ratio, point.tokens_per_s);
        let line: Vec<(Point, bool)> = drawn.iter().map(|point| (at(point), true)).collect();
        let ink = marks::Line::Solid(theme.ink_1, size::CURVE_PX);
        marks::curve(pen, &line, ink);
        pen.seam();
        let mut last = None;
        for point in &drawn {
            if let Some(rate) = simulated(point) {
                let at = plot.at(point.ratio, rate);
                pen.open_point(at, 4.0, stroke(theme.ink_1, 1.4));
                pen.reserve(Rect::about(at, 5.0));
                last = Some(at);
            }
        }
        if self.now.draws() && plot.x.holds(self.now.ratio) {
            let Point { x, y } = at(&self.now);
            pen.now(point(x, y), true);
            pen.reserve(Rect::about(point(x, y), 9.0));
            let rate = format::si(self.now.tokens_per_s);
            let spots = [
                spot(point(x, y - 12.0), Align::Middle, Side::Above),
                spot(point(x + 12.0, y - 10.0), Align::Start, Side::Above),
                spot(point(x - 12.0, y - 10.0), Align::End, Side::Above),
                spot(point(x, y + 12.0), Align::Middle, Side::Below),
            ];
            let label = Label::lines([Words::label(rate, theme.ink_1).bold()]).at(spots);
            label.within(area).halo(theme.background).write(pen);
        }
        if let Some(Point { x, y }) = last {
            let spots = [
                spot(point(x - 9.0, y + 12.0), Align::End, Side::Level),
                spot(point(x, y + 9.0), Align::Middle, Side::Below),
                spot(point(x - 9.0, y - 12.0), Align::End, Side::Level),
            ];
            let label = Label::lines([Words::note("simulated", theme.ink_2)]).at(spots);
            label.within(area).halo(theme.background).write(pen);
        }
        let top = |point: &RatioPoint| plot.y_at(point.tokens_per_s);
        rulers(&plot, &self.curve, self.now.ratio, top)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        table(&self.curve, self.per_gpu)
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        Some(tooltip(self.curve.get(index)?, self.per_gpu, &self.source))
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        Some(ratio_text(self.curve.get(index)?.ratio))
    }
}

/// Room above the curve for the names of the regimes and of ratios.
const HEADROOM: f64 = 1.3;
/// Strength of a regime's wash.
const WASH: f64 = 0.09;
/// Below the plot's top, the baseline of the regimes' names.
const REGIME_BASELINE_PX: f64 = 13.0;

/// The ratios of a curve, logarithmic.
pub(super) fn x_scale(drawn: &[&RatioPoint]) -> Scale {
    let ratio = |point: Option<&&RatioPoint>, or: f64| point.map_or(or, |point| point.ratio);
    Scale::log(ratio(drawn.first(), 1.0), ratio(drawn.last(), 32.0))
}

/// A wash over the ratios at which each part sets the pace with its name, and both axes.
pub(super) fn over_ratios(
    pen: &mut Pen<'_>,
    plot: &Plot,
    spans: &[RegimeSpan],
    y_axis: impl FnOnce(&mut Pen<'_>),
) {
    let Rect { top, bottom, .. } = plot.area;
    let within = |ratio: f64| plot.x_at(ratio.clamp(plot.x.low(), plot.x.high()));
    let ends = |span: &RegimeSpan| (within(span.from), within(span.to));
    for span in spans {
        let (left, right) = ends(span);
        let wash = pen.theme.role(span.pace).fill.with_alpha(WASH);
        pen.fill_rect(rect(left, top, right, bottom), wash);
    }
    for span in spans.iter().skip(1) {
        let (left, _) = ends(span);
        let hair = stroke(pen.theme.line, size::HAIRLINE_PX);
        pen.line(point(left, top), point(left, bottom), hair);
    }
    y_axis(pen);
    let name = "attention instances per feed-forward instance, log";
    si_x_axis(pen, plot, name);
    for span in spans {
        let (left, right) = ends(span);
        let ink = pen.theme.role(span.pace).text;
        let words = [sets_the_pace(span.pace), pace_name(span.pace).to_owned()];
        let mut words = words.into_iter().map(|text| Words::note(text, ink));
        if let Some(words) = words.find(|words| pen.width(words) + 10.0 <= right - left) {
            let at = point((left + right) / 2.0, top + REGIME_BASELINE_PX);
            pen.write(&words, at, Align::Middle, None);
        }
    }
}

/// A rule at a ratio with a name, and the name beside it.
fn named_ratio(pen: &mut Pen<'_>, plot: &Plot, mark: &RatioMark) {
    let theme = pen.theme;
    let Rect { top, bottom, .. } = plot.area;
    let x = plot.x_at(mark.ratio);
    let (head, foot) = (point(x, top + 20.0), point(x, bottom));
    let ink = if mark.best {
        pen.line(head, foot, stroke(theme.ink_1, size::HAIRLINE_PX));
        theme.ink_1
    } else {
        let hair = stroke(theme.ink_3, size::HAIRLINE_PX);
        pen.dashed_rule(head, foot, (3.0, 3.0), hair);
        theme.ink_2
    };
    let name = Words::note(format!("{} ", mark.name), ink);
    let heights = [top + 28.0, top + 43.0, bottom - 18.0, bottom - 33.0];
    Label::lines([name.and_bold(ratio_text(mark.ratio), ink)])
        .beside(x, 5.0, &heights, Side::Level)
        .within(plot.area)
        .halo(theme.background)
        .on_lines()
        .write(pen);
}

/// Every point of a curve as a ruler; the keyboard begins at `now`.
pub(super) fn rulers(
    plot: &Plot,
    curve: &[RatioPoint],
    now: f64,
    y_at: impl Fn(&RatioPoint) -> f64,
) -> Hits {
    let Rect {
        left,
        right,
        top,
        bottom,
    } = plot.area;
    let reach = |of: &RatioPoint| Reach::Ruler {
        at: point(
            plot.x_at(of.ratio).clamp(left, right),
            y_at(of).clamp(top, bottom),
        ),
        top,
        bottom,
    };
    let least = now * (1.0 - 1e-9);
    let start = curve.iter().position(|point| point.ratio >= least);
    Hits::new(curve.iter().map(reach).collect())
        .on(plot)
        .starting_at(start.unwrap_or(0))
}
