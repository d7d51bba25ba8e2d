//! "How many for each?": throughput and idle time over the division between attention and the feed-forward.

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct RatioData {
    /// Ascending along the axis; every simulated division is among them.
    pub curve: Vec<RatioMark>,
    pub now: RatioMark,
    pub across: Across,
    pub rate: Rate,
    pub finding: String,
    /// The reason for an empty chart.
    pub nothing: String,
    pub source: String,
}

/// The quantity along the axis.
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
pub enum RatioPace {
    Attention,
    /// The links of attention's GPUs.
    AttentionLinks,
    /// The links of the feed-forward's GPUs.
    FfnLinks,
    FeedForward,
}

impl RatioPace {
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
pub struct RatioMark {
    /// Its place on the axis.
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
    pub pace: RatioPace,
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

impl RatioMark {
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
type Idle = (Role, &'static str, fn(&RatioMark) -> f64);

const IDLE: [Idle; 2] = [
    (Role::Experts, "FFN", |of| of.idle_ffn),
    (Role::Attention, "attention", |of| of.idle_attention),
];

impl RatioData {
    /// Points to draw: drops outliers caused by domain rounding.
    fn drawn(&self) -> Vec<&RatioMark> {
        const FAR_BELOW: f64 = 0.85;
        let mut drawn: Vec<&RatioMark> = self.curve.iter().filter(|of| of.draws()).collect();
        loop {
            let before = drawn.len();
            let mut kept: Vec<&RatioMark> = Vec::with_capacity(before);
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
    fn now_on(&self, plot: &Plot) -> Option<&RatioMark> {
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

    /// Every point of the curve as a ruler; the keyboard begins at now.
    fn rulers(&self, plot: &Plot, whole: Rect, y_at: impl Fn(&RatioMark) -> f64) -> Hits {
        let place = |of: &RatioMark| whole.nearest(point(plot.x_at(of.at), y_at(of)));
        let least = self.now.at * (1.0 - 1e-9);
        let start = self.curve.iter().position(|point| point.at >= least);
        Hits::rulers(self.curve.iter().map(place), &whole)
            .on(plot)
            .starting_at(start)
    }

    /// Throughput: the curve, what was simulated, now; what sets the pace on either side of it.
    fn throughput(&self, pen: &mut Pen<'_>, plot: &Plot) {
        si_y_axis(pen, plot, self.rate.axis());
        let (ink, soft) = (pen.theme.ink_1, pen.theme.ink_2);
        let drawn = self.drawn();
        let mut xy = Xy::new(*plot);
        let through = drawn.iter().map(|of| (of.at, of.rate));
        xy.curve(through, CurveStroke::solid(ink, size::CURVE_PX));
        if let Some(now) = self.now_on(plot) {
            let paces = self.paces().map(|pace| {
                let block = pace.map(|pace| {
                    let (who, verb) = pace.subject();
                    let verb = format!("{verb} the pace");
                    [who, &verb].map(|line| Words::note(line, soft)).to_vec()
                });
                block.into_iter().collect()
            });
            xy.upright(now.at, RuleInk::Hair(ink)).beside(paces);
            let rate = Words::label(format::figure(now.rate), ink).bold();
            let whole = rate
                .clone()
                .and_bold(format!(" at {}", now.name(self.across)), ink);
            xy.dot((now.at, now.rate), DotInk::Now(true))
                .says([whole, rate]);
        }
        let simulated = |of: &&RatioMark| {
            let rate = of.simulated?.rate;
            rate.is_finite().then_some((of.at, rate.min(plot.y.high())))
        };
        for (index, at) in drawn.iter().rev().filter_map(simulated).enumerate() {
            let dot = xy.dot(at, DotInk::Ring(3.6, ink));
            if index == 0 {
                dot.says([Words::note("simulated", soft)]);
            }
        }
        xy.draw(pen);
    }

    /// The parts that set the pace left and right of now; once if it is the same.
    fn paces(&self) -> [Option<RatioPace>; 2] {
        let drawn = self.drawn();
        let most = |here: fn(&f64, &f64) -> bool| {
            let side = drawn.iter().filter(|of| here(&of.at, &self.now.at));
            let paces = side.map(|of| of.pace);
            let count = |pace: &RatioPace| paces.clone().filter(|of| of == pace).count();
            paces.clone().max_by_key(count)
        };
        let (left, right) = (most(f64::lt), most(f64::gt));
        [left, right.filter(|_| left != right)]
    }

    /// Idle shares of attention and the FFN.
    fn idle(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let axis = Axis::of(pen, [0.0, 0.5, 1.0], format::share, "");
        y_axis(pen, plot, &axis, 0.0);
        self.axis(pen, plot);
        let ink = pen.theme.ink_1;
        let mut xy = Xy::new(*plot);
        let now = self.now_on(plot);
        if let Some(now) = now {
            xy.upright(now.at, RuleInk::Hair(ink)).rising(BETWEEN_PX);
        }
        // One number for both if they are idle as long.
        let apart = self.now.idle_attention - self.now.idle_ffn;
        let told = if apart.abs() * plot.area.height() < 6.0 {
            1
        } else {
            2
        };
        for (index, (role, name, idle)) in IDLE.into_iter().enumerate() {
            let colours = pen.theme.role(role);
            let at = |of: &RatioMark| (of.at, idle(of).clamp(0.0, 1.0));
            xy.curve(
                self.drawn().into_iter().map(at),
                CurveStroke::solid(colours.line, 1.6),
            )
            .says([Words::note(name, colours.text)]);
            if let Some(now) = now {
                let says = Words::note(format::share(idle(now)), ink).bold();
                xy.dot(at(now), DotInk::Disc(3.0, colours.line))
                    .says((index < told).then_some(says));
            }
        }
        xy.draw(pen);
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
        let simulated = |of: &RatioMark| of.simulated.map_or(0.0, |found| found.rate);
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
        // On the side that the rule of now does not cross.
        let width = pen.width(&title);
        let now = self.now_on(&upper).map(|now| upper.x_at(now.at));
        let (x, align) = match now.is_some_and(|x| x < area.left + width + 4.0) {
            true => (area.right, Align::End),
            false => (area.left, Align::Start),
        };
        pen.write_if_free(&title, point(x, middle + 12.0), align, None);
        self.throughput(pen, &upper);
        self.idle(pen, &lower);
        self.rulers(&upper, area, |of| upper.y_at(of.rate))
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        self.columns(&self.curve).done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let of = self.curve.get(index)?;
        let (who, verb) = of.pace.subject();
        let name = of.name(self.across);
        let tip = Tooltip::new(name, format!("{who} {verb} the pace"), &self.source)
            .across(self.across.says(of.at))
            .rows(self.columns([of]).tips());
        Some(match of.simulated {
            Some(simulated) => tip.noted(
                "",
                "completed requests",
                self.rate(simulated.completed_rate),
            ),
            None => tip,
        })
    }
}

impl RatioData {
    /// "2.18k tok/s/GPU".
    fn rate(&self, value: f64) -> String {
        format!("{} {}", format::si(value), self.rate.unit())
    }

    fn columns<'a>(
        &self,
        points: impl IntoIterator<Item = &'a RatioMark>,
    ) -> Columns<&'a RatioMark> {
        let unit = self.rate.axis();
        let first = match self.across {
            Across::Gpus { .. } => "attention : FFN",
            Across::Ratio => "ratio",
        };
        type Look = fn(&SimulatedPoint) -> f64;
        let simulated = |look: Look| move |of: &&RatioMark| of.simulated.as_ref().map(look);
        let percent = |percent: f64| format::share(percent / 100.0);
        Table::of(points)
            .col(first, "", |of| of.name(self.across))
            .col("sequences per micro-batch and rank", "", |of| of.slots)
            .tip(format::count)
            .col("sets the pace", "", |of| of.pace.subject().0)
            .col("throughput", unit, |of| of.rate)
            .tip(|rate| self.rate(rate))
            .col("simulated", unit, simulated(|of| of.rate))
            .tip(|rate| self.rate(rate))
            .col("time per output token", "ms", |of| of.tpot_s * 1e3)
            .tip(|ms| format::duration(ms / 1e3))
            .col("attention idle", "%", |of| of.idle_attention * 100.0)
            .tip_of(Role::Attention, percent)
            .col(
                "simulated attention idle",
                "%",
                simulated(|of| of.idle_attention * 100.0),
            )
            .tip(percent)
            .col("FFN idle", "%", |of| of.idle_ffn * 100.0)
            .tip_of(Role::Experts, percent)
            .col(
                "simulated FFN idle",
                "%",
                simulated(|of| of.idle_ffn * 100.0),
            )
            .tip(percent)
            .col("slowest over mean", "", simulated(|of| of.straggling))
            .tip(format::factor)
    }
}
