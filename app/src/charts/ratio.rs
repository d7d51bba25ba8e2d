//! "How many for each?": throughput and idle time over the division between attention and the feed-forward.

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct RatioData {
    /// Ascending along the axis; every simulated division is among them.
    pub curve: Vec<RatioPoint>,
    pub now: RatioPoint,
    pub across: Across,
    pub rate: Rate,
    pub finding: String,
    /// Why there is nothing to show, where there is nothing.
    pub nothing: String,
    pub source: String,
}

/// What lies along the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Across {
    /// GPUs for attention, of so many in scale-up domains of so many.
    Gpus { of: u32, domain: u32 },
    /// Attention ranks for each FFN rank, logarithmic.
    Ratio,
}

impl Across {
    fn says(self, value: f64) -> String {
        match self {
            Self::Gpus { .. } => format::count(value),
            Self::Ratio => format::sig3(value),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    PerGpu,
    /// Of entered latencies.
    PerRank,
}

impl Rate {
    /// On an axis.
    pub const fn axis(self) -> &'static str {
        match self {
            Self::PerGpu => "tokens/s per GPU",
            Self::PerRank => "tokens/s per rank",
        }
    }

    /// After a number.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::PerGpu => "tok/s/GPU",
            Self::PerRank => "tok/s/rank",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    Attention,
    /// The links of attention's GPUs.
    AttentionLinks,
    /// The links of the feed-forward's GPUs.
    FfnLinks,
    FeedForward,
}

impl Pace {
    /// Its words, as the subject of a sentence, and its verb.
    const fn subject(self) -> (&'static str, &'static str) {
        match self {
            Self::Attention => ("attention", "sets"),
            Self::AttentionLinks => ("attention’s links", "set"),
            Self::FfnLinks => ("FFN’s links", "set"),
            Self::FeedForward => ("FFN", "sets"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioPoint {
    /// Where it stands on the axis.
    pub at: f64,
    /// GPUs of the feed-forward, where the axis counts GPUs.
    pub ffn: f64,
    /// Sequences per micro-batch and attention rank.
    pub slots: f64,
    /// Throughput, in what the chart counts.
    pub rate: f64,
    pub tpot_s: f64,
    /// Share of time that attention is idle.
    pub idle_attention: f64,
    /// Share of time that the FFN is idle.
    pub idle_ffn: f64,
    pub pace: Pace,
    pub simulated: Option<SimulatedPoint>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulatedPoint {
    /// Throughput of every token generated, over the first 80 % of completions.
    pub rate: f64,
    /// The same, counting completed requests alone.
    pub completed_rate: f64,
    pub idle_attention: f64,
    pub idle_ffn: f64,
    /// Time of the slowest over the mean attention rank.
    pub straggling: f64,
}

impl RatioPoint {
    fn draws(&self) -> bool {
        let good = |value: f64| value.is_finite() && value >= 0.0;
        self.at > 0.0 && good(self.at) && good(self.rate)
    }

    /// "32 : 40", "9.32 : 1".
    pub fn name(&self, across: Across) -> String {
        let at = across.says(self.at);
        match across {
            Across::Gpus { .. } => format!("{at} : {}", format::count(self.ffn)),
            Across::Ratio => format!("{at} : 1"),
        }
    }
}

/// Role, name, and the share of time.
type Idle = (Role, &'static str, fn(&RatioPoint) -> f64);

const IDLE: [Idle; 2] = [
    (Role::Experts, "FFN", |of| of.idle_ffn),
    (Role::Attention, "attention", |of| of.idle_attention),
];

impl RatioData {
    /// Points to draw: drops outliers caused by domain rounding.
    fn drawn(&self) -> Vec<&RatioPoint> {
        const FAR_BELOW: f64 = 0.85;
        let mut drawn: Vec<&RatioPoint> = self.curve.iter().filter(|of| of.draws()).collect();
        loop {
            let before = drawn.len();
            let mut kept: Vec<&RatioPoint> = Vec::with_capacity(before);
            for (index, of) in drawn.iter().enumerate() {
                let beside = kept.last().zip(drawn.get(index + 1));
                let least = beside.map(|(last, next)| last.rate.min(next.rate));
                let own = (of.at - self.now.at).abs() < 1e-9 * of.at;
                if own || least.is_none_or(|least| of.rate >= FAR_BELOW * least) {
                    kept.push(of);
                }
            }
            drawn = kept;
            if drawn.len() == before {
                return drawn;
            }
        }
    }

    fn across(&self) -> Scale {
        let (first, last) = extent(self.drawn().into_iter().map(|of| of.at));
        match self.across {
            Across::Gpus { .. } => Scale::linear(first, last),
            Across::Ratio => Scale::log(first, last),
        }
    }

    /// Now, where it has a place on a plot.
    fn now_on(&self, plot: &Plot) -> Option<&RatioPoint> {
        let now = Some(&self.now);
        now.filter(|now| now.draws() && plot.x.holds(now.at))
    }

    /// The lower axis with the value of now in bold in the place of a tick.
    fn axis(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let most = room(plot.area.width(), 44.0);
        let (low, high) = (plot.x.low(), plot.x.high());
        let (ticks, name) = match self.across {
            Across::Gpus { of, domain } => {
                let (span, domain) = (high - low, f64::from(domain.max(1)));
                let whole = span >= 2.0 * domain;
                let mut step = if whole {
                    domain
                } else {
                    nice_step(span, most).max(1.0)
                };
                while span / step > most as f64 {
                    step *= 2.0;
                }
                (
                    multiples(low, high, step),
                    format!("GPUs for attention, of {}", format::count(f64::from(of))),
                )
            }
            Across::Ratio => {
                let name = "attention ranks per FFN rank, log";
                (plot.x.ticks(most), name.to_owned())
            }
        };
        let own = self.now_on(plot);
        let own = own.map(|now| (now.at, self.across.says(now.at)));
        let says: fn(f64) -> String = match self.across {
            Across::Gpus { .. } => format::count,
            Across::Ratio => format::si_tick,
        };
        let mut axis = Axis::of(pen, ticks, says, &name).first(pen, own);
        axis.minor = plot.x.minor_ticks();
        x_axis(pen, plot, &axis);
    }

    /// A rule through now over a whole area.
    fn now_rule(&self, pen: &mut Pen<'_>, plot: &Plot, area: Rect) {
        if let Some(now) = self.now_on(plot) {
            let through = Plot { area, ..*plot }.upright(now.at);
            marks::rule(pen, through, hair(pen.theme.ink_1));
        }
    }

    /// Every point of the curve as a ruler; the keyboard begins at now.
    fn rulers(&self, plot: &Plot, whole: Rect, y_at: impl Fn(&RatioPoint) -> f64) -> Hits {
        let place = |of: &RatioPoint| whole.nearest(point(plot.x_at(of.at), y_at(of)));
        let least = self.now.at * (1.0 - 1e-9);
        let start = self.curve.iter().position(|point| point.at >= least);
        Hits::rulers(self.curve.iter().map(place), &whole)
            .on(plot)
            .starting_at(start)
    }

    /// Throughput: the curve, what was simulated, now; what sets the pace on either side of it.
    fn throughput(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let theme = pen.theme;
        si_y_axis(pen, plot, self.rate.axis());
        let at = |point: &RatioPoint| plot.at(point.at, point.rate);
        let drawn = self.drawn();
        let line = drawn.iter().map(|of| at(of));
        marks::solid(pen, line, theme.ink_1, size::CURVE_PX);
        pen.seam();
        let simulated = |of: &&RatioPoint| {
            let rate = of.simulated?.rate;
            let ring = plot.at(of.at, rate.min(plot.y.high()));
            rate.is_finite().then_some(ring)
        };
        let rings: Vec<Point> = drawn.iter().filter_map(simulated).collect();
        for ring in &rings {
            marks::stop(pen, *ring, 3.6, stroke(theme.ink_1, 1.4), 4.5);
        }
        if let Some(now) = self.now_on(plot) {
            let here = at(now);
            pen.now(here, true);
            pen.reserve(Rect::about(here, 9.0));
            let bold = |text: &str| Words::label(text, theme.ink_1).bold();
            let rate = format::figure(now.rate);
            let words = bold(&format!("{rate} at ")).and_bold(now.name(self.across), theme.ink_1);
            Label::lines([words, bold(&rate)])
                .near(here, &[W(12, -2), E(12, -2), NW(12, 10), NE(12, 10)])
                .near(here, &[N(0, 12), S(0, 12)])
                .halo(theme.background)
                .or_over_lines()
                .write(pen);
            self.paces(pen, plot, here.x);
        }
        if let Some(last) = rings.last() {
            Label::lines([Words::note("simulated", theme.ink_2)])
                .near(*last, &[NW(-4, 9), SW(9, 10), SW(-4, 9)])
                .write_in(pen, plot.area);
        }
    }

    /// What sets the pace on either side of now, as words beside the ruler.
    fn paces(&self, pen: &mut Pen<'_>, plot: &Plot, ruler: f64) {
        let drawn = self.drawn();
        let most = |here: fn(&f64, &f64) -> bool| {
            let side = drawn.iter().filter(|of| here(&of.at, &self.now.at));
            let paces = side.map(|of| of.pace);
            let count = |pace: &Pace| paces.clone().filter(|of| of == pace).count();
            paces.clone().max_by_key(count)
        };
        let (left, right) = (most(f64::lt), most(f64::gt));
        let foot = point(ruler, plot.area.bottom);
        for (pace, up) in [
            (left, [NW(16, 12), NW(16, 24), NW(16, 6)]),
            (
                right.filter(|_| left != right),
                [NE(16, 12), NE(16, 24), NE(16, 6)],
            ),
        ] {
            if let Some((who, verb)) = pace.map(Pace::subject) {
                let verb = format!("{verb} the pace");
                let block = [who, &verb].map(|line| Words::note(line, pen.theme.ink_2));
                let label = Label::blocks([block.to_vec()]).near(foot, &up);
                label.write_in(pen, plot.area);
            }
        }
    }

    /// How long attention and the FFN are idle.
    fn idle(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let theme = pen.theme;
        for share in [0.0, 0.5, 1.0] {
            let ink = if share == 0.0 {
                theme.strong
            } else {
                theme.grid
            };
            let [left, right] = plot.level(share);
            pen.line(left, right, hair(ink));
            let words = Words::tick(format::share(share), theme.ink_3);
            let at = point(left.x - 7.0, left.y);
            pen.write_about(&words, at, Align::End, None);
        }
        let drawn = self.drawn();
        let at = |of: &RatioPoint, share: f64| plot.at(of.at, share.clamp(0.0, 1.0));
        for (role, _, idle) in IDLE {
            let line = drawn.iter().map(|of| at(of, idle(of)));
            marks::solid(pen, line, theme.role(role).line, 1.6);
        }
        pen.seam();
        if let Some(now) = self.now_on(plot) {
            for (role, _, idle) in IDLE {
                let here = at(now, idle(now));
                pen.rimmed_point(here, 3.0, theme.role(role).line);
                pen.reserve(Rect::about(here, 4.0));
            }
            let [one, other] = IDLE.map(|(.., idle)| at(now, idle(now)));
            // Where both are idle as long, one number says it.
            let told = if one.distance(other) < 6.0 { 1 } else { 2 };
            for (.., idle) in IDLE.into_iter().take(told) {
                let words = Words::note(format::share(idle(now)), theme.ink_1).bold();
                let here = at(now, idle(now));
                let above = [one, other].map(|at| here.y - at.y);
                let close = above.iter().any(|by| *by > 1.0 && *by < 44.0);
                // Never below the axis, where it would pass for a tick, nor above the other's number.
                let below: &[Toward] = match here.y + 18.0 > plot.area.bottom {
                    true if close => &[],
                    true => &[NE(5, 14), NW(5, 14), NE(5, 26), NW(5, 26)],
                    false => &[SE(7, 4), SW(7, 4)],
                };
                Label::lines([words])
                    .near(here, &[NE(7, 3), NW(7, 3)])
                    .near(here, below)
                    .halo(theme.background)
                    .or_over_lines()
                    .write(pen);
            }
        }
        for (role, name, idle) in IDLE {
            let line: Vec<Point> = drawn.iter().map(|of| at(of, idle(of))).collect();
            let label = Label::lines([Words::note(name, theme.role(role).text)]);
            let label = label.along(&line, &[0.08, 0.2, 0.75, 0.6, 0.4], &[NE(0, 5), SE(0, 5)]);
            let top = plot.area.top - 6.0;
            label.write_in(pen, Rect { top, ..plot.area });
        }
    }
}

const HEADROOM: f64 = 1.1;
const BETWEEN_PX: f64 = 22.0;
/// Throughput's part of the height of both.
const UPPER: f64 = 0.58;

impl Figure for RatioData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = usual_area(pen);
        let drawn = self.drawn();
        let simulated = |of: &RatioPoint| of.simulated.map_or(0.0, |found| found.rate);
        let rates = drawn.iter().map(|of| of.rate.max(simulated(of)));
        let (_, highest) = extent(rates.filter(|rate| rate.is_finite()));
        let least = 3.0 * BETWEEN_PX;
        if drawn.len() < 2 || highest <= 0.0 || area.height() < least {
            return nothing_to_show(pen, &area, &self.nothing);
        }
        let middle = area.top + (area.height() - BETWEEN_PX) * UPPER;
        let plot = |top: f64, bottom: f64, most: f64| {
            let area = area.down(top, bottom);
            Plot::new(area, self.across(), Scale::linear(0.0, most))
        };
        let title = Words::tick("idle time", pen.theme.ink_3);
        let upper = plot(area.top, middle, highest * HEADROOM);
        let lower = plot(middle + BETWEEN_PX, area.bottom, 1.0);
        self.axis(pen, &lower);
        // On the side that the rule of now does not cross.
        let width = pen.width(&title);
        let now = self.now_on(&upper).map(|now| upper.x_at(now.at));
        let (x, align) = match now.is_some_and(|x| x < area.left + width + 4.0) {
            true => (area.right, Align::End),
            false => (area.left, Align::Start),
        };
        pen.write_if_free(&title, point(x, middle + 12.0), align, None);
        self.now_rule(pen, &upper, area);
        self.throughput(pen, &upper);
        self.idle(pen, &lower);
        self.rulers(&upper, area, |of| upper.y_at(of.rate))
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let unit = self.rate.axis();
        let first = match self.across {
            Across::Gpus { .. } => "attention : FFN",
            Across::Ratio => "ratio",
        };
        let simulated =
            |of: &&RatioPoint, look: fn(&SimulatedPoint) -> f64| of.simulated.as_ref().map(look);
        Table::of(&self.curve)
            .col(first, "", |of| of.name(self.across))
            .col("sequences per micro-batch and rank", "", |of| of.slots)
            .col("sets the pace", "", |of| of.pace.subject().0)
            .col("throughput", unit, |of| of.rate)
            .col("simulated", unit, |of| simulated(of, |of| of.rate))
            .col("time per output token", "ms", |of| of.tpot_s * 1e3)
            .col("attention idle", "%", |of| of.idle_attention * 100.0)
            .col("simulated attention idle", "%", |of| {
                simulated(of, |of| of.idle_attention * 100.0)
            })
            .col("FFN idle", "%", |of| of.idle_ffn * 100.0)
            .col("simulated FFN idle", "%", |of| {
                simulated(of, |of| of.idle_ffn * 100.0)
            })
            .col("slowest over mean", "", |of| {
                simulated(of, |of| of.straggling)
            })
            .done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let of = self.curve.get(index)?;
        let rate = |value: f64| format!("{} {}", format::si(value), self.rate.unit());
        let (who, verb) = of.pace.subject();
        let gpus = matches!(self.across, Across::Gpus { .. });
        let [attention, ffn] = [of.idle_attention, of.idle_ffn].map(format::share);
        let name = of.name(self.across);
        let tip = Tooltip::new(name, format!("{who} {verb} the pace"), &self.source)
            .across(self.across.says(of.at))
            .row("throughput", rate(of.rate))
            .row("time per output token", format::duration(of.tpot_s))
            .part(Role::Attention, "attention idle", attention)
            .part(Role::Experts, "FFN idle", ffn)
            .maybe(
                "sequences per micro-batch and rank",
                gpus.then(|| format::count(of.slots)),
            );
        let Some(simulated) = of.simulated else {
            return Some(tip);
        };
        let idle = [simulated.idle_attention, simulated.idle_ffn].map(format::share);
        let slowest = format::factor(simulated.straggling);
        let tip = tip
            .row("simulated", rate(simulated.rate))
            .noted("", "completed requests", rate(simulated.completed_rate))
            .row("idle, simulated", idle.join(" · "))
            .row("slowest over mean rank", slowest);
        Some(tip)
    }
}
