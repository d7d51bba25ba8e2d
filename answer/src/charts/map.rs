//! "Max batch and context?": one quantity over context × batch, and the limits that cut the plane.

mod limits;
mod plane;

use crate::chart::surface;
use crate::charts::prelude::*;

use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub struct MapData {
    pub metric: MapMetric,
    /// The plane, the same wherever the current point stands.
    pub field: Arc<Field>,
    pub now: MapPoint,
    pub slo_tokens_per_s_per_user: Option<f64>,
    /// The largest batch that fits at the scenario's context.
    pub capacity_now: f64,
    /// Memory of the most loaded GPU over what may be used: above 1 it does not fit.
    pub filled_now: f64,
    /// The largest that fits and meets the SLO there; `None` without an SLO or without such a batch.
    pub largest_now: Option<f64>,
    pub pinned: Option<PinnedMap>,
    pub finding: String,
    pub source: String,
}

/// A quantity of every point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapMetric {
    Tpot,
    PerGpu,
    PerUser,
}

/// Everything that does not depend on the current point.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The range of contexts, in tokens.
    pub contexts: (f64, f64),
    /// The range of batches, in sequences of the deployment.
    pub batches: (f64, f64),
    /// Columns of the grid, evenly spaced on the logarithmic axis from end to end.
    pub columns: usize,
    /// Points of the grid, smallest batch first, within a row by context; `None` if a result is no number.
    pub points: Vec<Option<MapPoint>>,
    /// Largest batch that fits over the context, as pairs; 0 if none does.
    pub capacity: Vec<(f64, f64)>,
    /// Largest batch that meets the SLO, in the stretches of contexts where memory would hold more.
    pub kept: Vec<Vec<(f64, f64)>>,
    pub full: Vec<FullLine>,
}

/// The batch from which a part of the model computes longer than it reads.
#[derive(Clone, Debug, PartialEq)]
pub struct FullLine {
    /// `experts saturate`.
    pub name: &'static str,
    pub role: Role,
    pub batch: f64,
    /// Context and batch along it, up to memory capacity.
    pub line: Vec<(f64, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapPoint {
    /// Mean tokens per sequence.
    pub context: f64,
    pub point: OperatingPoint,
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

impl MapMetric {
    /// Every metric, in the order of the switch.
    pub const ALL: [Self; 3] = [Self::Tpot, Self::PerGpu, Self::PerUser];

    /// In words, with its unit.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tpot => "TPOT, ms",
            Self::PerGpu => "tok/s/GPU",
            Self::PerUser => "tok/s/user",
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

    /// Its value at a point, as a label.
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

    /// Every fourth point across and up.
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

    /// No context has room for a single sequence.
    pub fn is_full(&self) -> bool {
        self.capacity.iter().all(|(_, batch)| *batch < 1.0)
    }
}

fn tokens(context: f64) -> String {
    format!("{} tokens", format::tokens(context))
}

impl MapData {
    /// Its height.
    pub const SHAPE: Shape = Shape::Plane;

    /// The chart.
    pub fn chart(self: &Arc<Self>) -> Arc<Chart> {
        Chart::painted(self, self.finding.clone(), Self::SHAPE)
    }
}

impl Painter for MapData {
    /// Hits are the boxes of the grid in the order of its points, then now.
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
        // Every point would be thousands of rows that nobody reads.
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

    /// Rulers from the point of the grid to both axes; the box around it would say less.
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
    /// The SLO in what the colors say.
    fn slo(&self) -> Option<f64> {
        let slo = self.slo_tokens_per_s_per_user?;
        match self.metric {
            MapMetric::Tpot => Some(1e3 / slo),
            MapMetric::PerUser => Some(slo),
            MapMetric::PerGpu => None,
        }
    }

    /// The place of the largest batch that meets the SLO, at now's context.
    fn best(&self, plot: &Plot) -> Option<Point> {
        let batch = self.largest_now?;
        let apart = (batch / self.now.point.batch - 1.0).abs() > 0.01;
        let here = apart && plot.holds((self.now.context, batch));
        here.then(|| plot.at(self.now.context, batch))
    }
}

/// Powers of four of context below, the batch on the left; the plane has no grid.
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

/// "now: 46.0 ms" on a chip.
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

/// The line from the current point to the largest feasible batch at its context, and on to the axis.
fn draw_best(pen: &mut Pen<'_>, plot: &Plot, at: Point, now: Option<Point>) {
    let ink = pen.theme.ink_2;
    let foot = point(at.x, plot.area.bottom);
    let down = now.is_none_or(|now| now.y < at.y);
    if down {
        // The words at the foot of the plot stand left of it.
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
