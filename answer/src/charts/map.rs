//! The chart "Max batch and context?": a map of one quantity vs. context (horizontal) and batch (vertical), with the
//! limits on both.

mod limits;
mod plane;

use crate::chart::surface;
use crate::charts::prelude::*;

use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub struct MapData {
    pub metric: MapMetric,
    /// Grid and limits of the map, which do not depend on the current point.
    pub field: Arc<Field>,
    pub now: MapPoint,
    pub slo_tokens_per_s_per_user: Option<f64>,
    /// Largest batch that fits in memory at the scenario's context.
    pub capacity_now: f64,
    /// Memory needed on the most loaded GPU ÷ usable memory; above 1, the scenario does not fit.
    pub filled_now: f64,
    /// Largest batch that fits and meets the SLO at the scenario's context; `None` if there is no SLO, or if no batch
    /// meets it.
    pub largest_now: Option<f64>,
    pub pinned: Option<PinnedMap>,
    pub finding: String,
    pub source: String,
}

/// The quantity that the colors of the map show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapMetric {
    Tpot,
    PerGpu,
    PerUser,
}

/// Grid, ranges and limits of the map of context and batch, which do not depend on the current point.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Range of contexts, in tokens.
    pub contexts: (f64, f64),
    /// Range of batches, in sequences of the whole deployment.
    pub batches: (f64, f64),
    /// Number of grid columns, evenly spaced along the logarithmic context axis.
    pub columns: usize,
    /// Grid points row by row, smallest batch first; within a row, by ascending context. `None` if a result is not a
    /// number.
    pub points: Vec<Option<MapPoint>>,
    /// Pairs of context and the largest batch that fits at this context; 0 if none fits.
    pub capacity: Vec<(f64, f64)>,
    /// Pairs of context and the largest batch that meets the SLO, for context ranges where memory would allow a
    /// larger batch.
    pub kept: Vec<Vec<(f64, f64)>>,
    pub full: Vec<FullLine>,
}

/// A line of compute saturation: from this batch, a part of the LLM is compute-bound, so its arithmetic takes longer
/// than reading its bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct FullLine {
    /// Label of the compute-bound line, such as `experts saturate`.
    pub name: &'static str,
    pub role: Role,
    pub batch: f64,
    /// Pairs of context and batch along the line, up to the memory limit.
    pub line: Vec<(f64, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapPoint {
    /// Mean context, in tokens per sequence.
    pub context: f64,
    pub point: OperatingPoint,
    pub meets_slo: bool,
}

/// The pinned scenario, drawn on the same map as the current one.
#[derive(Clone, Debug, PartialEq)]
pub struct PinnedMap {
    /// Pairs of context and the largest batch that fits in the pinned scenario.
    pub capacity: Vec<(f64, f64)>,
    /// Context and batch of the pinned scenario.
    pub now: (f64, f64),
    /// Context at which the throughput ratio of the current to the pinned scenario is largest, and this ratio. Each
    /// scenario uses its largest batch that fits.
    pub advantage: Option<(f64, f64)>,
}

impl MapMetric {
    /// All quantities, in the order of the buttons that switch between them.
    pub const ALL: [Self; 3] = [Self::Tpot, Self::PerGpu, Self::PerUser];

    /// Returns the name of the quantity, with its unit.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tpot => "TPOT, ms",
            Self::PerGpu => "tok/s/GPU",
            Self::PerUser => "tok/s/user",
        }
    }

    /// Returns the value of the quantity at a point, in the unit of [`Self::name`].
    pub const fn of(self, MapPoint { point, .. }: &MapPoint) -> f64 {
        match self {
            Self::Tpot => point.tpot_s * 1e3,
            Self::PerGpu => point.per_gpu,
            Self::PerUser => point.per_user,
        }
    }

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
    pub fn rows(&self) -> usize {
        self.points.len().checked_div(self.columns).unwrap_or(0)
    }

    /// Returns every fourth grid point in both directions.
    fn coarse(&self) -> impl Iterator<Item = &MapPoint> {
        const EVERY: usize = 4;
        let rows = self.points.chunks(self.columns.max(1));
        rows.skip(EVERY / 2)
            .step_by(EVERY)
            .flat_map(|row| row.iter().skip(EVERY / 2).step_by(EVERY).flatten())
    }

    pub fn draws(&self) -> bool {
        let range = |(low, high): (f64, f64)| low > 0.0 && high > low && high.is_finite();
        range(self.contexts) && range(self.batches) && self.rows() > 0
    }

    /// Returns true if not even one sequence fits in memory, at any context.
    pub fn is_full(&self) -> bool {
        self.capacity.iter().all(|(_, batch)| *batch < 1.0)
    }
}

fn tokens(context: f64) -> String {
    format!("{} tokens", format::tokens(context))
}

impl MapData {
    /// Height of the chart, as a function of its width.
    pub const SHAPE: Shape = Shape::Plane;

    /// Builds the chart "Max batch and context?".
    pub fn chart(self: &Arc<Self>) -> Arc<Chart> {
        Chart::painted(self, self.finding.clone(), Self::SHAPE)
    }
}

impl Painter for MapData {
    /// Draws the map. Returns hover targets in this order: the boxes around the grid points, then the current point.
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = usual_area(pen);
        let field = &self.field;
        if !field.draws() {
            return nothing_to_show(pen, &area, "nothing to plot");
        }
        let x = Scale::log(field.contexts.0, field.contexts.1);
        let plot = Plot::new(area, x, Scale::log(field.batches.0, field.batches.1));
        let here = (self.now.context, self.now.point.batch);
        let now = plot.holds(here).then(|| plot.at(here.0, here.1));
        let best = self.best(&plot);

        let bands = plane::Bands::of(self);
        let mut contours = Vec::new();
        if let Some(bands) = &bands {
            let surface = plane::surface(self);
            surface.fill(pen, &plot, &bands.levels, bands.rising);
            contours = plane::contours(pen, &plot, self, (&surface, bands));
        }
        for at in [now, best].into_iter().flatten() {
            pen.reserve(Rect::about(at, 9.5));
        }
        limits::avoid(pen, &plot, self);
        surface::draw_contours(pen, &contours);
        limits::out_of_memory(pen, &plot, field);
        limits::draw(pen, &plot, self);
        axes(pen, &plot, self);
        if let Some(at) = best {
            draw_best(pen, &plot, at, now);
        }
        if let Some(at) = now {
            name_now(pen, &plot, self, at);
        }
        if let Some((at, batch)) = best.zip(self.largest_now) {
            let words = Words::label(format::sequences(batch), pen.theme.accent).bold();
            Label::lines([words])
                .near(at, &[SW(9, 31), SE(9, 8), NE(9, 8), NW(9, 8)])
                .write_over(pen, area);
        }
        limits::label(pen, &plot, self, now.zip(best));
        if bands.is_none() {
            name_nothing(pen, &area);
        }
        pen.seam();
        if let Some(at) = now {
            pen.now(at, self.now.point.fits);
        }

        let boxes = (0..field.points.len()).map(|index| {
            let place = (index / field.columns, index % field.columns);
            HitArea::Box(surface::stretch(
                &area,
                (field.rows(), field.columns),
                place,
            ))
        });
        let reaches: Vec<HitArea> = boxes.chain(now.map(HitArea::Point)).collect();
        let start = field.points.len().min(reaches.len().saturating_sub(1));
        Hits::new(reaches)
            .on(&plot)
            .starting_at(start)
            .with_handle(now.map(|_| Handle::on(&plot, here.0, here.1)))
    }

    fn table(&self) -> Option<Table> {
        let slo = self.slo_tokens_per_s_per_user;
        let all: Vec<_> = [&self.now].into_iter().chain(self.field.coarse()).collect();
        // All points would be thousands of rows, so list every fourth in both directions.
        Some(
            Rows::of(&all)
                .col("context", "tokens", |at| at.context)
                .point(|at| at.point)
                .col("meets the SLO", "", |at| {
                    slo.map_or(Cell::Empty, |_| at.meets_slo.into())
                })
                .done(),
        )
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let points = &self.field.points;
        let (now, at) = match points.get(index) {
            Some(Some(at)) => ("", at),
            Some(None) => return Some(Tooltip::new("out of range", "", "")),
            None if index == points.len() => ("now: ", &self.now),
            None => return None,
        };
        let batch = format::sequences(at.point.batch);
        let title = format!("{now}{batch} × {}", tokens(at.context));
        let slo = self.slo_tokens_per_s_per_user.map(|least| {
            let slo = format!("SLO {} tok/s/user", format::printed(least));
            TipRow::plain(slo, if at.meets_slo { "met" } else { "missed" })
        });
        let tip = Tooltip::new(title, at.point.batch_words(), &self.source)
            .across(format::tokens(at.context))
            .rows(at.point.tips())
            .row("memory", at.point.fits_words())
            .rows(slo);
        Some(tip)
    }

    /// Draws rulers from the grid point under the pointer to both axes; outlining its box would be less informative.
    fn glow(&self, pointed: Pointed<'_>, pen: &mut Pen<'_>) {
        let Pointed { index, hits, tip } = pointed;
        let at = self.field.points.get(index).copied().flatten();
        let (Some(MapPoint { context, point, .. }), Some(plot)) = (at, hits.plot()) else {
            return pen.seam();
        };
        let hits = &Hits::points([plot.at(context, point.batch)]).on(&plot);
        let index = 0;
        hits::rulers(pen, Pointed { index, hits, tip });
    }
}

impl MapData {
    /// Returns the SLO in the unit of the colors; `None` if they show throughput per GPU or there is no SLO.
    fn slo(&self) -> Option<f64> {
        let slo = self.slo_tokens_per_s_per_user?;
        match self.metric {
            MapMetric::Tpot => Some(1e3 / slo),
            MapMetric::PerUser => Some(slo),
            MapMetric::PerGpu => None,
        }
    }

    /// Returns the position of the largest batch that meets the SLO at the current context. `None` if it is within 1%
    /// of the current batch or outside the plot.
    fn best(&self, plot: &Plot) -> Option<Point> {
        let batch = self.largest_now?;
        let apart = (batch / self.now.point.batch - 1.0).abs() > 0.01;
        let here = apart && plot.holds((self.now.context, batch));
        here.then(|| plot.at(self.now.context, batch))
    }
}

/// Draws the axes of the map: context below, with ticks at powers of four, and batch on the left. The map has no grid
/// lines.
fn axes(pen: &mut Pen<'_>, plot: &Plot, data: &MapData) {
    let (ink, strong) = (pen.theme.ink_3, hair(pen.theme.strong));
    let [top, right, _, origin] = plot.area.corners();
    pen.line(top, origin, strong);
    let (low, high) = (plot.x.low() * 0.999_999, plot.x.high() * 1.000_001);
    let powers = std::iter::successors(Some(1.0), |power| Some(power * 4.0));
    let powers = powers.skip_while(|power| *power < low);
    let powers = powers.take_while(|power| *power <= high);
    let axis = Axis::of(pen, powers, format::tokens, "context, tokens, log");
    x_axis(pen, plot, &axis);
    let name = Words::tick("batch, log", ink);
    pen.write(&name, point(0.0, 10.0), Align::Start, None);
    let worse = match (data.metric, pen.theme.dark) {
        (MapMetric::Tpot | MapMetric::PerUser, false) => "darker is slower",
        (MapMetric::Tpot | MapMetric::PerUser, true) => "lighter is slower",
        (MapMetric::PerGpu, false) => "darker is less",
        (MapMetric::PerGpu, true) => "lighter is less",
    };
    let name = data.metric.name();
    let colours = [format!("{name}, {worse}"), name.to_owned()];
    let colours = colours.map(|text| Words::tick(text, ink));
    pen.write_first(colours, point(right.x, 10.0), Align::End);
    for value in [plot.y.low()].into_iter().chain(plot.y.ticks(6)) {
        let y = plot.y_at(value);
        pen.line(point(origin.x - 4.0, y), point(origin.x, y), strong);
        let words = Words::tick(format::si_tick(value), ink);
        let at = point(origin.x - 7.0, y);
        pen.write_about(&words, at, Align::End, None);
    }
    if (plot.y.low() / data.now.point.gpus - 1.0).abs() < 1e-9 {
        let words = Words::note("one sequence per GPU", pen.theme.ink_2);
        let at = point(origin.x + 8.0, origin.y - 8.0);
        pen.write_if_free(&words, at, Align::Start, None);
    }
}

/// Labels the current point, such as "now: 46.0 ms", on a small background.
fn name_now(pen: &mut Pen<'_>, plot: &Plot, data: &MapData, at: Point) {
    let now = &data.now;
    let ink = pen.ink(now.point.fits);
    let bold = |text: String| vec![Words::label(text, ink).bold()];
    let mut wordings = match now.point.fits {
        true => vec![bold(format!("now: {}", data.metric.said(now)))],
        false => {
            let title = bold(format!(
                "now: out of memory, {}",
                format::factor(data.filled_now)
            ));
            let batch = format::sequences(now.point.batch);
            let batch = format!("{batch} × {}", tokens(now.context));
            let batch = vec![Words::note(batch, pen.theme.ink_2)];
            vec![[title.clone(), batch].concat(), title]
        }
    };
    wordings.push(bold("now".to_owned()));
    let ground = (plot.area.grown(-3.0), pen.theme.background);
    let sides = [W(15, 0), E(15, 0), NE(12, 14), NW(12, 14), S(0, 15)];
    surface::on_chip(pen, &wordings, &sides.map(|side| side.of(at)), &[], ground);
}

/// Draws an arrow from the current point to the largest feasible batch at its context. If the arrow points down, a
/// dotted line continues to the context axis.
fn draw_best(pen: &mut Pen<'_>, plot: &Plot, at: Point, now: Option<Point>) {
    let ink = pen.theme.ink_2;
    let foot = point(at.x, plot.area.bottom);
    let down = now.is_none_or(|now| now.y < at.y);
    if down {
        // End the line above the labels at the bottom of the plot.
        let foot = point(foot.x, foot.y - 18.0);
        let way = [point(at.x, at.y + 6.0), foot];
        pen.dotted(&way, 4.0, 0.9, ink);
        pen.avoid(&way);
    }
    let accent = stroke(pen.theme.accent, 1.5);
    if let Some(now) = now.filter(|now| (now.y - at.y).abs() > 22.0) {
        let sign = if now.y < at.y { 1.0 } else { -1.0 };
        let from = point(now.x, now.y + sign * 10.0);
        let tip = point(at.x, at.y - sign * 7.0);
        pen.polyline(&[from, tip], accent);
        pen.avoid(&[from, tip]);
        marks::arrow_head(pen, from, tip, (5.0, 4.0), accent);
    }
    pen.open_point(at, 4.6, stroke(pen.theme.accent, 1.8));
}

fn name_nothing(pen: &mut Pen<'_>, area: &Rect) {
    let ink = pen.theme.ink_2;
    let title = |text: &str| Words::label(text, ink).bold();
    let why = Words::note("the weights leave no room for a sequence", ink);
    let centre = area.centre();
    let long = vec![title("out of memory everywhere"), why];
    Label::blocks([long, vec![title("out of memory")]])
        .at([spot(centre, Align::Middle, Side::Level)])
        .near(point(centre.x, area.top), &[S(0, 12)])
        .near(point(centre.x, area.bottom), &[N(0, 12)])
        .on_lines()
        .write_in(pen, *area);
}
