//! "How far can it go?": one quantity over context × batch, and the limits that cut the plane.

mod limits;
mod plane;

use crate::charts::prelude::*;
use std::sync::Arc;

/// The map's data.
#[derive(Clone, Debug, PartialEq)]
pub struct MapData {
    /// What the colours say.
    pub metric: Metric,
    /// The plane, the same wherever the current point stands.
    pub field: Arc<Field>,
    /// The scenario's own point.
    pub now: MapPoint,
    /// The least speed a user accepts.
    pub slo_tokens_per_s_per_user: Option<f64>,
    /// The pinned scenario.
    pub pinned: Option<PinnedMap>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// A quantity of every point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Time per output token.
    Tpot,
    /// Throughput of one GPU.
    PerGpu,
    /// Speed for one user.
    PerUser,
}

/// Everything that does not depend on the current point.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The range of contexts, in tokens.
    pub contexts: (f64, f64),
    /// The range of batches, in sequences of the deployment.
    pub batches: (f64, f64),
    /// Columns of the grid, evenly spaced on the logarithmic axis.
    pub columns: usize,
    /// Points of the grid at the middles of its boxes, smallest batch first, within a row by context;
    /// `None` where a result is no number.
    pub points: Vec<Option<MapPoint>>,
    /// Largest batch that fits over the context, as pairs; 0 where none does.
    pub capacity: Vec<(f64, f64)>,
    /// What fits but misses the SLO, over the context; empty without an SLO.
    pub missed: Vec<Missed>,
    /// The limits, as lines to draw.
    pub limits: Vec<LimitLine>,
}

/// Batches that fit at one context but miss the SLO.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Missed {
    /// Mean tokens per sequence.
    pub context: f64,
    /// The largest batch that meets the SLO.
    pub above: f64,
    /// The largest batch that fits.
    pub to: f64,
}

/// One limit on the batch.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitLine {
    /// What it means: `memory is full`.
    pub meaning: &'static str,
    /// Its symbol: `B_cap`.
    pub symbol: String,
    /// The part of the model whose limit it is.
    pub role: Option<Role>,
    /// Context and batch along it.
    pub line: Vec<(f64, f64)>,
}

/// One point of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapPoint {
    /// Mean tokens per sequence.
    pub context: f64,
    /// What the deployment does there.
    pub point: OperatingPoint,
    /// Whether it meets the SLO.
    pub meets_slo: bool,
}

/// The pinned scenario on the same plane.
#[derive(Clone, Debug, PartialEq)]
pub struct PinnedMap {
    /// Its largest batch that fits, over the context.
    pub capacity: Vec<(f64, f64)>,
    /// Its own context and batch.
    pub now: (f64, f64),
    /// Context at which now, full, has most of the pinned one's throughput, also full, and how much.
    pub advantage: Option<(f64, f64)>,
}

impl Metric {
    /// Every metric, in the order of the switch.
    pub const ALL: [Self; 3] = [Self::Tpot, Self::PerGpu, Self::PerUser];

    /// In words, with its unit.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tpot => "ms per output token",
            Self::PerGpu => "tokens/s per GPU",
            Self::PerUser => "tokens/s per user",
        }
    }

    /// Its value at a point, in the unit of [`Self::name`].
    pub const fn of(self, MapPoint { point, .. }: &MapPoint) -> f64 {
        match self {
            Self::Tpot => point.tpot_s * 1e3,
            Self::PerGpu => point.per_gpu,
            Self::PerUser => point.per_user,
        }
    }

    /// Its value at a point as a label says it.
    fn said(self, at: &MapPoint) -> String {
        let value = self.of(at);
        match self {
            Self::Tpot => format!("{} ms", format::sig3(value)),
            Self::PerGpu => format!("{} tok/s/GPU", format::si(value)),
            Self::PerUser => format!("{} tok/s/user", format::sig3(value)),
        }
    }
}

impl Field {
    /// Rows of the grid.
    pub fn rows(&self) -> usize {
        self.points.len().checked_div(self.columns).unwrap_or(0)
    }

    /// Every fourth point across and up.
    fn coarse(&self) -> impl Iterator<Item = &MapPoint> {
        const EVERY: usize = 4;
        let rows = self.points.chunks(self.columns.max(1));
        rows.skip(EVERY / 2)
            .step_by(EVERY)
            .flat_map(|row| row.iter().skip(EVERY / 2).step_by(EVERY).flatten())
    }

    fn draws(&self) -> bool {
        let range = |(low, high): (f64, f64)| low > 0.0 && high > low && high.is_finite();
        range(self.contexts) && range(self.batches) && self.rows() > 0
    }

    /// Whether not even one sequence fits, whatever the context.
    fn is_full(&self) -> bool {
        self.capacity.iter().all(|(_, batch)| *batch < 1.0)
    }
}

/// "2,000 tokens".
fn tokens(context: f64) -> String {
    format!("{} tokens", format::tokens(context))
}

/// Room for the legend above the plot.
const TOP_PX: f64 = 38.0;

impl Figure for MapData {
    /// Hits are the boxes of the grid in the order of its points, then now.
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, TOP_PX);
        let field = &self.field;
        if !field.draws() {
            nothing_to_show(pen, &area, "nothing to map");
            return Hits::default();
        }
        let x = Scale::log(field.contexts.0, field.contexts.1);
        let plot = Plot::new(area, x, Scale::log(field.batches.0, field.batches.1));
        let (context, batch) = (self.now.context, self.now.point.batch);
        let here = plot.x.holds(context) && plot.y.holds(batch);
        let now = here.then(|| plot.at(context, batch));

        let colours = plane::Colours::of(self);
        if let Some(colours) = &colours {
            plane::fill(pen, &plot, self, colours);
            plane::contours(pen, &plot, self, colours);
        }
        limits::out_of_reach(pen, &plot, field);
        limits::draw(pen, &plot, self);
        axes(pen, &plot);
        if let Some(colours) = &colours {
            plane::legend(pen, self, colours);
        }
        if let Some(at) = now {
            pen.reserve(Rect::about(at, 11.0));
            name_now(pen, &plot, self, at);
        }
        limits::label(pen, &plot, self);
        limits::label_regions(pen, &plot, field);
        if colours.is_none() {
            name_nothing(pen, &plot);
        }
        pen.seam();
        if let Some(at) = now {
            pen.now(at, self.now.point.fits);
        }

        let boxes = (0..field.points.len()).map(|index| {
            let (row, column) = (index / field.columns, index % field.columns);
            Reach::Box(plane::stretch(&area, field, row, column..column + 1))
        });
        let reaches: Vec<Reach> = boxes.chain(now.map(Reach::Point)).collect();
        let start = field.points.len().min(reaches.len().saturating_sub(1));
        Hits::new(reaches)
            .on(&plot)
            .starting_at(start)
            .with_handle(now.map(|_| Handle::on(&plot, context, batch)))
    }

    fn finding(&self) -> String {
        if !self.field.draws() {
            return "Nothing to map".to_owned();
        }
        if self.field.is_full() {
            return "No batch fits at any context".to_owned();
        }
        let advantage = self.pinned.as_ref().and_then(|pinned| pinned.advantage);
        if let Some((context, times)) = advantage {
            let (times, context) = (format::factor(times), format::tokens(context));
            return format!("Full, up to {times} A's throughput, at {context}");
        }
        if !self.now.point.fits {
            return "Now is out of memory".to_owned();
        }
        if !self.now.meets_slo {
            return "Now misses the SLO".to_owned();
        }
        let capacity = self.field.capacity.iter();
        let room = capacity.filter(|(_, batch)| *batch >= self.now.point.batch);
        let (_, room) = extent(room.map(|(context, _)| *context));
        if room >= self.field.contexts.1 * 0.99 {
            "This batch fits at every context".to_owned()
        } else if room > 0.0 {
            // Between the contexts people state: to three digits.
            format!("This batch fits up to {} tokens", format::si(room))
        } else {
            "Now is in reach".to_owned()
        }
    }

    fn table(&self) -> Table {
        let slo = |at: &MapPoint| match (self.slo_tokens_per_s_per_user, at.meets_slo) {
            (None, _) => Cell::Empty,
            (_, true) => "yes".into(),
            (_, false) => "no".into(),
        };
        // Every point would be thousands of rows that nobody reads.
        let points = [&self.now].into_iter().chain(self.field.coarse());
        let row = |at: &MapPoint| [vec![at.context.into()], at.point.cells(), vec![slo(at)]];
        Table {
            columns: [
                vec![Column::new("context", "tokens")],
                OperatingPoint::columns(),
                vec![Column::new("meets the SLO", "")],
            ]
            .concat(),
            rows: points.map(|at| row(at).concat()).collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (now, at) = match self.field.points.get(index) {
            Some(Some(at)) => ("", at),
            Some(None) => {
                return Some(Tooltip {
                    title: "too large to compute".to_owned(),
                    ..Tooltip::default()
                });
            }
            None if index == self.field.points.len() => ("now: ", &self.now),
            None => return None,
        };
        let mut rows = at.point.tip_rows();
        let fits = if at.point.fits {
            "fits"
        } else {
            "does not fit"
        };
        rows.push(TipRow::plain("memory", fits));
        if let Some(least) = self.slo_tokens_per_s_per_user {
            let word = if at.meets_slo { "met" } else { "missed" };
            let slo = format!("SLO {} tok/s", format::printed(least));
            rows.push(TipRow::plain(slo, word));
        }
        let batch = format::sequences(at.point.batch);
        Some(Tooltip {
            title: format!("{now}{batch} × {}", tokens(at.context)),
            aside: at.point.batch_words(),
            rows,
            source: self.source.clone(),
        })
    }

    /// Rulers from the point of the grid to both axes; the box around it would say less.
    fn glow(&self, index: usize, hits: &Hits, pen: &mut Pen<'_>) {
        let at = self.field.points.get(index).copied().flatten();
        let (Some(MapPoint { context, point, .. }), Some(plot)) = (at, hits.plot()) else {
            return pen.seam();
        };
        let there = Hits::points([plot.at(context, point.batch)]).on(&plot);
        hits::rulers(pen, &there, 0, Some(&format::tokens(context)));
    }

    fn height_px(width_px: f64) -> f64 {
        (width_px * 0.62).clamp(320.0, 560.0)
    }
}

/// Powers of four of context below; beside the plane, which has no grid, the batch.
fn axes(pen: &mut Pen<'_>, plot: &Plot) {
    let (ink, strong) = (pen.theme.ink_3, stroke(pen.theme.strong, size::HAIRLINE_PX));
    let powers = std::iter::successors(Some(1.0), |power| Some(power * 4.0))
        .skip_while(|power| *power < plot.x.low() * 0.999_999)
        .take_while(|power| *power <= plot.x.high() * 1.000_001);
    let contexts = powers.map(|value| (value, Words::tick(format::tokens(value), ink)));
    let axis = Axis {
        ticks: contexts.collect(),
        minor: Vec::new(),
        name: "context, tokens, log",
    };
    x_axis(pen, plot, &axis);
    let name = Words::tick("sequences in all, log", ink);
    pen.write(&name, point(0.0, 10.0), Align::Start, None);
    let left = plot.area.left;
    for value in plot.y.ticks((plot.area.height() / 26.0) as usize) {
        let y = plot.y_at(value);
        pen.line(point(left - 4.0, y), point(left, y), strong);
        let words = Words::tick(format::si_tick(value), ink);
        let at = point(left - 7.0, words.baseline_about(y));
        pen.write_if_free(&words, at, Align::End, None);
    }
}

fn name_now(pen: &mut Pen<'_>, plot: &Plot, data: &MapData, at: Point) {
    let now = &data.now;
    let ink = if now.point.fits {
        pen.theme.ink_1
    } else {
        pen.theme.bad
    };
    let state = match (now.point.fits, now.meets_slo) {
        (false, _) => "now: does not fit".to_owned(),
        (true, false) => "now: misses the SLO".to_owned(),
        _ => format!("now: {}", data.metric.said(now)),
    };
    let title = Words::label(state, ink).bold();
    let batch = format::sequences(now.point.batch);
    let batch = format!("{batch} × {}", tokens(now.context));
    let short = vec![Words::label("now", ink).bold()];
    let batch = Words::note(batch, pen.theme.ink_1);
    Label::blocks([vec![title.clone(), batch], vec![title], short])
        .at([
            spot(point(at.x + 14.0, at.y), Align::Start, Side::Level),
            spot(point(at.x - 14.0, at.y), Align::End, Side::Level),
            spot(point(at.x, at.y + 13.0), Align::Middle, Side::Below),
            spot(point(at.x, at.y - 13.0), Align::Middle, Side::Above),
        ])
        .on_lines()
        .write_in(pen, plot.area);
}

fn name_nothing(pen: &mut Pen<'_>, plot: &Plot) {
    let ink = pen.theme.ink_2;
    let title = |text: &str| Words::label(text, ink).bold();
    let why = Words::note("not even one sequence fits beside the weights", ink);
    let centre = plot.area.centre();
    let (top, bottom) = (plot.area.top + 12.0, plot.area.bottom - 12.0);
    let long = vec![title("out of memory everywhere"), why];
    Label::blocks([long, vec![title("nothing fits")]])
        .at([
            spot(centre, Align::Middle, Side::Level),
            spot(point(centre.x, top), Align::Middle, Side::Below),
            spot(point(centre.x, bottom), Align::Middle, Side::Above),
        ])
        .on_lines()
        .write_in(pen, plot.area);
}
