//! "What does context cost?": the time of a token and the cache of a sequence over the context.

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct ContextData {
    /// Contexts ascending.
    pub curve: Vec<ContextPoint>,
    pub now: ContextPoint,
    /// The pinned scenario, or another model.
    pub beside: Option<Beside>,
    /// Layers by kind: cache that grows with the context, is capped, or constant.
    pub layers: String,
    pub finding: String,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// Contexts ascending; empty where it cannot run like this.
    pub curve: Vec<ContextPoint>,
    /// Name at its curve.
    pub long: String,
    /// Name in a sentence.
    pub short: String,
    /// Its own point, if it is the same deployment at another context.
    pub now: Option<ContextPoint>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContextPoint {
    /// Tokens.
    pub context: f64,
    /// Time per output token of the scenario's batch.
    pub tpot_s: f64,
    /// Cache of one sequence, whole.
    pub cache_bytes: f64,
    /// The batch fits in memory.
    pub fits: bool,
}

const MIB: f64 = 1_048_576.0;
/// Between the two plots, with the name of the lower axis up.
const BETWEEN_PX: f64 = 28.0;

/// From this width on the plots stand side by side.
const WIDE_PX: f64 = 720.0;

type Value = fn(&ContextPoint) -> f64;
/// The two plots, the upper first.
const PLOTS: [(&str, Value); 2] = [
    ("ms per output token, log", |point| point.tpot_s * 1e3),
    ("MiB of cache per sequence, log", |point| {
        point.cache_bytes / MIB
    }),
];

fn mebi(point: &ContextPoint) -> String {
    format::mebi(point.cache_bytes)
}

/// A point with a place on logarithmic axes.
pub fn worth(point: &ContextPoint) -> bool {
    positive(point.context) && positive(point.tpot_s) && positive(point.cache_bytes)
}

fn columns<'a>(points: impl IntoIterator<Item = &'a ContextPoint>) -> Columns<&'a ContextPoint> {
    let [(_, time), (_, cache)] = PLOTS;
    Table::of(points)
        .col("context", "tokens", |of| of.context)
        .col("time per output token", "ms", |of| time(of))
        .tip(points::millis)
        .col("cache of a sequence", "MiB", |of| cache(of))
        .tip_of(Role::Kv, |mebi| format::mebi(mebi * MIB))
        .col("fits in memory", "", |of| of.fits)
}

impl ContextData {
    pub fn drawn(&self) -> Vec<ContextPoint> {
        self.curve.iter().copied().filter(worth).collect()
    }

    /// The point of a hit: each plot has its own.
    fn at(&self, index: usize) -> Option<ContextPoint> {
        let drawn = self.drawn();
        let place = index.checked_rem(drawn.len())?;
        (index < PLOTS.len() * drawn.len()).then(|| drawn[place])
    }

    pub fn theirs(&self) -> Vec<ContextPoint> {
        let curve = self.beside.iter().flat_map(|beside| &beside.curve);
        curve.copied().filter(worth).collect()
    }

    fn plots(&self, whole: Rect) -> [(Plot, &'static str, Value); 2] {
        let (drawn, theirs) = (self.drawn(), self.theirs());
        let all = || {
            drawn
                .iter()
                .chain(&theirs)
                .chain([&self.now])
                .filter(|of| worth(of))
        };
        let (first, last) = extent(all().map(|point| point.context));
        let mut areas = if whole.width() >= WIDE_PX {
            let half = (whole.width() - size::MARGIN_LEFT_PX - BETWEEN_PX) / 2.0;
            let left = whole.across(whole.left, whole.left + half);
            [left, whole.across(whole.right - half, whole.right)]
        } else {
            let each = ((whole.height() - BETWEEN_PX) / 2.0).max(1.0);
            let upper = whole.down(whole.top, whole.top + each);
            [upper, whole.down(whole.bottom - each, whole.bottom)]
        }
        .into_iter();
        PLOTS.map(|(name, value)| {
            let (least, most) = extent(all().map(value));
            let area = areas.next().unwrap_or(whole);
            // A nearly flat curve looks flat.
            let widen = libm::sqrt((8.0 * least / most).max(1.6));
            let y = Scale::log(least / widen, most * widen);
            (Plot::new(area, Scale::log(first, last), y), name, value)
        })
    }
}

impl Figure for ContextData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let whole = usual_area(pen);
        let (drawn, theirs) = (self.drawn(), self.theirs());
        if drawn.len() < 2 {
            return nothing_to_show(pen, &whole, "no context can be evaluated");
        }
        let plots = self.plots(whole);
        for (plot, name, _) in &plots {
            let ticks = plot.y.ticks(room(plot.area.height(), 24.0));
            let axis = Axis::of(pen, ticks, format::si_tick, "");
            y_axis(pen, plot, &axis, 0.0);
            let name = Words::tick(*name, pen.theme.ink_3);
            let at = point(plot.area.left - size::MARGIN_LEFT_PX, plot.area.top - 10.0);
            pen.write(&name, at, Align::Start, None);
        }
        let [(upper, ..), (lower, ..)] = &plots;
        let wide = upper.area.left < lower.area.left;
        let powers = (8..=20).step_by(2).map(|power| f64::from(1_u32 << power));
        let ticks = powers.filter(|at| lower.x.holds(*at));
        let axis = Axis::of(pen, ticks, format::tokens, "context, tokens, log");
        x_axis(pen, lower, &axis);
        if wide {
            x_axis(pen, upper, &axis);
        }
        let inks = [pen.theme.ink_1, pen.theme.role(Role::Kv).line];
        let said = [format::millis(self.now.tpot_s).to_string(), mebi(&self.now)];
        let (ink, soft) = (pen.theme.ink_1, pen.theme.ink_2);
        for (((plot, _, value), line), says) in plots.iter().zip(inks).zip(said) {
            let at = |of: &ContextPoint| (of.context, value(of));
            let mut xy = Xy::new(*plot);
            let through = |points: &[ContextPoint]| -> Vec<_> {
                points.iter().map(|of| (at(of), of.fits)).collect()
            };
            let own = xy.curve_that_fits(through(&drawn), CurveStroke::solid(line, size::CURVE_PX));
            if let (Some(beside), false) = (&self.beside, theirs.is_empty()) {
                own.says(["now", "now"].map(|text| Words::note(text, ink)));
                let names = [&beside.long, &beside.short];
                xy.curve_that_fits(through(&theirs), CurveStroke::pinned(pen.theme))
                    .says(names.map(|name| Words::note(name, soft)));
            }
            if worth(&self.now) {
                xy.dot(at(&self.now), DotInk::Now(self.now.fits))
                    .says([Words::label(says, ink).bold()]);
            }
            xy.draw(pen);
        }
        // One ruler through both plots, or one in each.
        let each = if wide { &plots[..] } else { &plots[..1] };
        let places = each.iter().flat_map(|(plot, _, value)| {
            let place = |of: &ContextPoint| plot.at(of.context, value(of));
            drawn.iter().map(place)
        });
        let start = drawn.iter().position(|of| of.context >= self.now.context);
        Hits::rulers(places, &whole.down(upper.area.top, lower.area.bottom))
            .on(lower)
            .starting_at(start)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        columns(&self.curve).done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let at = self.at(index)?;
        let aside = match at.fits {
            true => "",
            false => "the batch does not fit",
        };
        let title = format!("{} tokens", format::tokens(at.context));
        let tip = Tooltip::new(title, aside, &self.source)
            .across(format::tokens(at.context))
            .rows(columns([&at]).tips())
            .row("layers", &self.layers);
        Some(tip)
    }

    /// Room for two plots, one above the other or side by side.
    fn height_px(width_px: f64) -> f64 {
        if width_px >= WIDE_PX + size::MARGIN_LEFT_PX + size::MARGIN_RIGHT_PX {
            chart_height_px(width_px / 2.0)
        } else {
            chart_height_px(width_px) + 40.0
        }
    }
}
