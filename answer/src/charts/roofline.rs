//! The chart "Compute or memory?": a roofline that compares every operator with the roof of its number format.

mod labels;

use crate::charts::prelude::*;
use crate::order::sort_by;
use labels::OperatorMark;

#[derive(Clone, Debug, PartialEq)]
pub struct RooflineData {
    pub roofs: Roofs,
    /// Operators of a step, in the order of Ridgepoint's cost model.
    pub operators: Vec<OperatorPoint>,
    /// Roofs of the pinned scenario, if they differ from the current ones.
    pub pinned_roofs: Option<Roofs>,
    pub source: String,
}

/// Memory bandwidth and compute peaks of an accelerator.
#[derive(Clone, Debug, PartialEq)]
pub struct Roofs {
    pub hbm_bytes_per_s: f64,
    /// Compute peaks of the number formats in use; usually only a few.
    pub peaks: Vec<Peak>,
}

/// Compute peak of one number format.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// Name of the number format, such as `FP8`.
    pub format: String,
    /// Peak of dense arithmetic, in FLOP/s.
    pub flop_per_s: f64,
    /// Calibrated intensity, in FLOP per byte, up to which operators of this format are memory-bound.
    pub bound_flop_per_byte: f64,
}

/// The resource that limits an operator: memory or compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorBound {
    /// Memory-bound: moving bytes takes longer than arithmetic.
    Memory,
    /// Compute-bound: arithmetic takes longer than moving bytes.
    Compute,
}

/// Position of an operator on the roofline chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RooflinePosition {
    /// FLOP per byte moved to or from HBM; 0 for an operator that only moves bytes.
    pub intensity_flop_per_byte: f64,
    /// Achieved rate: FLOP of the operator ÷ its time in seconds.
    pub achieved_flop_per_s: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct OperatorPoint {
    pub name: String,
    pub role: Role,
    /// Index into [`Roofs::peaks`] of the roof that applies.
    pub peak: usize,
    pub position: RooflinePosition,
    pub bound: OperatorBound,
    /// Time of the operator in one step, in seconds, over all layers.
    pub time_s: f64,
    /// Share of the step's compute time, 0 to 1.
    pub share_of_step: f64,
    /// True if most bytes of the operator are KV cache; its point then has an outline in the color of the KV cache.
    pub reads_kv: bool,
    /// Batch per GPU at which the operator reaches its ridge point; `None` if no batch does.
    pub ridge_batch_per_gpu: Option<f64>,
    /// Position of the same operator in the pinned scenario.
    pub pinned: Option<RooflinePosition>,
}

impl Roofs {
    /// Returns the ridge point of a compute peak: the intensity above which this peak, and no longer the bandwidth,
    /// is the limit.
    pub fn ridge_flop_per_byte(&self, peak: &Peak) -> f64 {
        peak.flop_per_s / self.hbm_bytes_per_s
    }

    fn usable(&self) -> bool {
        let peaks = self.peaks.iter().map(|peak| peak.flop_per_s);
        !self.peaks.is_empty() && peaks.chain([self.hbm_bytes_per_s]).all(positive)
    }

    /// Returns the peaks from the lowest to the highest.
    fn ascending(&self) -> Vec<&Peak> {
        let mut peaks: Vec<&Peak> = self.peaks.iter().collect();
        sort_by(&mut peaks, |a, b| a.flop_per_s.total_cmp(&b.flop_per_s));
        peaks
    }

    /// Returns the corners of the memory-bound area under a peak's roof, up to the calibrated ridge point.
    fn shade(&self, plot: &Plot, peak: &Peak) -> Vec<Point> {
        let [start, ridge, _] = self.corners(plot, peak);
        let end = self.ridge(plot, peak)[1];
        let mut corners = vec![start];
        if end.x > ridge.x {
            corners.extend([ridge, point(end.x, ridge.y)]);
        } else {
            corners.push(self.ridge(plot, peak)[0]);
        }
        corners.extend([end, point(start.x, plot.area.bottom)]);
        corners
    }

    /// Returns the corners of a roof: at the left edge, at the ridge point, and at the right edge.
    fn corners(&self, plot: &Plot, peak: &Peak) -> [Point; 3] {
        let left = plot.x.low();
        let start = (left * self.hbm_bytes_per_s).min(peak.flop_per_s);
        let ridge = self.ridge_flop_per_byte(peak).max(left);
        let top = peak.flop_per_s / TERA;
        [(left, start / TERA), (ridge, top), (plot.x.high(), top)].map(|(x, y)| plot.at(x, y))
    }

    /// Returns the ends of the line from the roof down to the axis, at the calibrated ridge point.
    fn ridge(&self, plot: &Plot, peak: &Peak) -> [Point; 2] {
        let at = peak.bound_flop_per_byte;
        let at = at.clamp(plot.x.low(), plot.x.high());
        let top = (at * self.hbm_bytes_per_s).min(peak.flop_per_s);
        let top = plot.at(at, top / TERA);
        [top, point(top.x, plot.area.bottom)]
    }
}

impl RooflinePosition {
    /// Returns true if the position can be drawn on logarithmic axes.
    fn plots(&self) -> bool {
        positive(self.intensity_flop_per_byte) && positive(self.achieved_flop_per_s)
    }

    fn at(self, plot: &Plot) -> Point {
        let up = self.achieved_flop_per_s / TERA;
        plot.at(self.intensity_flop_per_byte, up)
    }
}

impl RooflineData {
    /// Returns the operators drawn on the chart in ascending order of intensity, which is the order of their hover
    /// targets. Operators that only move bytes have no position on the logarithmic axis and are only in the table.
    fn plotted(&self) -> Vec<&OperatorPoint> {
        let plots = self.operators.iter().filter(|of| of.position.plots());
        let mut plotted: Vec<&OperatorPoint> = plots.collect();
        let intensity = |of: &OperatorPoint| of.position.intensity_flop_per_byte;
        sort_by(&mut plotted, |a, b| intensity(a).total_cmp(&intensity(b)));
        plotted
    }

    /// Returns the index in `operators` of the operator at a hover target.
    pub fn operator(&self, hit: usize) -> Option<usize> {
        let plotted = self.plotted();
        let of = plotted.get(hit)?;
        self.operators
            .iter()
            .position(|other| std::ptr::eq(other, *of))
    }

    /// Returns the roofs of the pinned scenario, if they differ from the current ones and can be drawn.
    fn pinned(&self) -> Option<&Roofs> {
        self.pinned_roofs.as_ref().filter(|roofs| roofs.usable())
    }

    fn peak_of(&self, operator: &OperatorPoint) -> Option<&Peak> {
        self.roofs.peaks.get(operator.peak)
    }

    fn ridge_of(&self, operator: &OperatorPoint) -> Option<f64> {
        Some(self.roofs.ridge_flop_per_byte(self.peak_of(operator)?))
    }

    /// Returns two ridge points of an operator's format, each as label and value. Example: "FP8 ridge point at peak"
    /// with "591 FLOP/B". The second one is labeled "as achieved" and comes from calibrated kernels.
    fn ridges_of(&self, operator: &OperatorPoint) -> Option<[(String, String); 2]> {
        let peak = self.peak_of(operator)?;
        let value = |ridge| format!("{} FLOP/B", format::sig3(ridge));
        let at_peak = value(self.roofs.ridge_flop_per_byte(peak));
        Some([
            (format!("{} ridge point at peak", peak.format), at_peak),
            (
                format!("{} ridge point as achieved", peak.format),
                value(peak.bound_flop_per_byte),
            ),
        ])
    }

    fn left_of_bound(&self, operator: &OperatorPoint) -> bool {
        let intensity = operator.position.intensity_flop_per_byte;
        let peak = self.peak_of(operator);
        peak.is_some_and(|peak| intensity < peak.bound_flop_per_byte)
    }

    fn of_peak(&self, operator: &OperatorPoint) -> Option<String> {
        let peak = self.peak_of(operator)?;
        let share = format::share(operator.position.achieved_flop_per_s / peak.flop_per_s);
        Some(format!("{share} of {}", peak.format))
    }
}

impl RooflineData {
    /// Height of the chart, as a function of its width.
    pub const SHAPE: Shape = Shape::Wide;

    /// Returns the chart's result in a few words. Its counts include operators that are only in the table.
    pub fn finding(&self) -> String {
        let all = &self.operators;
        let total = all.len();
        let reads = |of: &&OperatorPoint| of.bound == OperatorBound::Memory;
        let bound = all.iter().filter(reads).count();
        match (total, bound) {
            (0, _) => "Nothing to plot".to_owned(),
            (1, _) => format!("The only operator is {}", all[0].bound.words()),
            _ => format!(
                "{} of {} operators memory-bound",
                format::count(bound as f64),
                format::count(total as f64)
            ),
        }
    }

    /// Builds the chart "Compute or memory?".
    pub fn chart(self: &Arc<Self>) -> Arc<Chart> {
        Chart::painted(self, self.finding(), Self::SHAPE)
    }
}

impl Painter for RooflineData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = usual_area(pen);
        if !self.roofs.usable() {
            return nothing_to_show(pen, &area, "no GPU to plot");
        }
        let (x, y) = scales(self);
        let plot = Plot::new(area, x, y);
        let marks = marks(self, &plot, pen.theme);
        let (up, across) = ("TFLOP/s per GPU, log", "FLOP per HBM byte, log");
        si_axes(pen, &plot, up, across);
        let peaks = self.roofs.ascending();
        draw_roofs(pen, self, &plot, &peaks);
        for mark in &marks {
            pen.reserve(Rect::about(mark.at, mark.radius + 1.5));
            pen.dot(mark.at, mark.radius + 2.0);
        }
        ghosts(pen, &marks);
        pen.seam();
        for peak in &peaks {
            pen.avoid(&self.roofs.corners(&plot, peak));
        }
        let roofs = pen.lines().to_vec();
        let ridges = peaks.iter().map(|peak| self.roofs.ridge(&plot, peak));
        let ridges: Vec<[Point; 2]> = ridges.collect();
        // Labels should avoid these lines, but leader lines may cross them.
        if let Some(pinned) = self.pinned() {
            for peak in &pinned.peaks {
                pen.avoid(&pinned.corners(&plot, peak));
            }
        }
        for way in ways(&marks) {
            pen.avoid(&way);
        }
        for ridge in &ridges {
            pen.avoid(ridge);
        }
        name_ghost(pen, &marks, &plot);
        name_peaks(pen, &plot, &self.roofs, &peaks);
        name_regions(pen, &plot, &ridges);
        name_ridges(pen, &plot, &self.roofs, &peaks);
        let named = labels::named(&marks);
        let leaders = labels::write(pen, &plot, &named, (&ridges, &roofs));
        if let Some(peak) = peaks.last() {
            name_bandwidth(pen, &plot, &self.roofs, peak, &leaders);
        }
        if marks.is_empty() {
            nothing_to_show(pen, &area, "no operators");
        }
        for mark in &marks {
            draw_point(pen, mark);
        }
        Hits::points(marks.iter().map(|mark| mark.at)).on(&plot)
    }

    fn table(&self) -> Option<Table> {
        Some(
            Rows::of(&self.operators)
                .col("operator", "", |of| of.name.clone())
                .col("intensity", "FLOP/B", |of| {
                    of.position.intensity_flop_per_byte
                })
                .col("achieved", "TFLOP/s", |of| {
                    of.position.achieved_flop_per_s / TERA
                })
                .col("format", "", |of| {
                    self.peak_of(of).map(|peak| peak.format.clone())
                })
                .col("peak", "TFLOP/s", |of| {
                    self.peak_of(of).map(|peak| peak.flop_per_s / TERA)
                })
                .col("ridge point at peak", "FLOP/B", |of| self.ridge_of(of))
                .col("ridge point as achieved", "FLOP/B", |of| {
                    self.peak_of(of).map(|peak| peak.bound_flop_per_byte)
                })
                .col("bound", "", |of| of.bound.words())
                .col("time", "ms", |of| of.time_s * 1e3)
                .col("share of compute", "%", |of| of.share_of_step * 100.0)
                .col("compute-bound (ideal) from", "sequences per GPU", |of| {
                    of.ridge_batch_per_gpu
                })
                .done(),
        )
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let operator = *self.plotted().get(index)?;
        let position = operator.position;
        let intensity = format!("{} FLOP/B", format::sig3(position.intensity_flop_per_byte));
        let of_compute = format!("{} of compute time", format::share(operator.share_of_step));
        // The shaded area ends at the ridge point of the kernels that take the most time.
        let beside = match (operator.bound, self.left_of_bound(operator)) {
            (OperatorBound::Memory, false) => Some("lower bandwidth than other kernels"),
            (OperatorBound::Compute, true) => Some("lower FLOP/s than other kernels"),
            _ => None,
        };
        let ridge = operator.ridge_batch_per_gpu;
        let ridge = ridge.map(|batch| format!("{} per GPU", format::count(batch)));
        let ridges = self.ridges_of(operator);
        let pinned = operator.pinned.map(|of| teraflop(of.achieved_flop_per_s));
        let of_peak = self.of_peak(operator).unwrap_or_default();
        let achieved = teraflop(position.achieved_flop_per_s);
        let tip = Tooltip::new(&operator.name, operator.bound.words(), &self.source)
            .across(format::sig3(position.intensity_flop_per_byte))
            .part(operator.role, "intensity", intensity)
            .noted("achieved", of_peak, achieved)
            .noted("time", of_compute, format::millis(operator.time_s))
            .rows(
                ridges
                    .into_iter()
                    .flatten()
                    .map(|(name, ridge)| TipRow::plain(name, ridge)),
            )
            .rows(beside.map(|note| TipRow::plain("calibrated", "").note(note)))
            .maybe("compute-bound (ideal) from", ridge)
            .maybe("A, achieved", pinned);
        Some(tip)
    }

    fn glow(&self, pointed: Pointed<'_>, pen: &mut Pen<'_>) {
        if let Some(at) = hits::rulers(pen, pointed) {
            pen.ring(at, 8.0, stroke(pen.theme.ink_1, 1.3));
        }
    }
}

impl OperatorBound {
    pub const fn words(self) -> &'static str {
        match self {
            Self::Memory => "memory-bound",
            Self::Compute => "compute-bound",
        }
    }
}

fn teraflop(flop_per_s: f64) -> String {
    format!("{} TFLOP/s", format::sig3(flop_per_s / TERA))
}

const TERA: f64 = 1e12;

/// Returns scales that cover every operator and every ridge point, including those of the pinned scenario.
fn scales(data: &RooflineData) -> (Scale, Scale) {
    let operators = data.operators.iter();
    let positions = operators.flat_map(|of| [Some(of.position), of.pinned]);
    let positions = positions.flatten().filter(RooflinePosition::plots);
    let positions: Vec<RooflinePosition> = positions.collect();
    let intensities = || positions.iter().map(|of| of.intensity_flop_per_byte);
    let achieved = || positions.iter().map(|of| of.achieved_flop_per_s);
    let roofs = || [&data.roofs].into_iter().chain(data.pinned());
    let ridges = || roofs().flat_map(|of| of.peaks.iter().map(|peak| of.ridge_flop_per_byte(peak)));
    let lows = intensities().map(|x| x / 2.5);
    let (least, _) = extent(lows.chain(ridges().map(|x| x / 10.0)));
    let highs = intensities().map(|x| x * 2.0);
    let (_, most) = extent(highs.chain(ridges().map(|x| x * 5.0)));
    let x = Scale::log(floor_125(least), most);
    let starts = roofs().map(|roofs| {
        let (lowest, _) = extent(roofs.peaks.iter().map(|peak| peak.flop_per_s));
        (x.low() * roofs.hbm_bytes_per_s).min(lowest)
    });
    let peaks = roofs().flat_map(|roofs| roofs.peaks.iter().map(|peak| peak.flop_per_s));
    let (low, _) = extent(achieved().map(|y| y * 0.8).chain(starts));
    let (_, high) = extent(achieved().chain(peaks));
    (x, Scale::log(floor_125(low / TERA), high / TERA * 1.4))
}

/// Returns the marks of the operators. Only the operator with the largest share also shows the batch at its ridge
/// point.
fn marks(data: &RooflineData, plot: &Plot, theme: &Theme) -> Vec<OperatorMark> {
    let operators = data.plotted();
    let (_, largest) = extent(operators.iter().map(|of| of.share_of_step));
    let mark = |operator: &&OperatorPoint| {
        let important = operator.share_of_step >= (largest * 0.4).max(0.05);
        let ridge_batch = operator.ridge_batch_per_gpu;
        let colours = theme.role(operator.role);
        let pinned = operator.pinned.filter(RooflinePosition::plots);
        OperatorMark {
            at: operator.position.at(plot),
            ghost: pinned.map(|of| of.at(plot)),
            radius: if important { 5.0 } else { 4.0 },
            important,
            share: operator.share_of_step,
            colour: colours.line,
            rim: (operator.role == Role::Head).then_some(colours.text),
            kv_ring: operator.reads_kv.then_some(theme.role(Role::Kv).line),
            name: operator.name.clone(),
            ridge_batch: ridge_batch.filter(|_| important && operator.share_of_step >= largest),
        }
    };
    operators.iter().map(mark).collect()
}

fn draw_roofs(pen: &mut Pen<'_>, data: &RooflineData, plot: &Plot, peaks: &[&Peak]) {
    let (theme, roofs) = (pen.theme, &data.roofs);
    // Operators of each format are memory-bound up to the ridge point of that format.
    for peak in peaks {
        pen.fill(&roofs.shade(plot, peak), theme.shade);
    }
    if let Some(pinned) = data.pinned() {
        for peak in pinned.ascending() {
            pen.dashed(&pinned.corners(plot, peak), (4.0, 3.0), hair(theme.ink_3));
        }
    }
    for peak in peaks {
        let [ridge, foot] = roofs.ridge(plot, peak);
        pen.dashed_rule(ridge, foot, (1.5, 3.0), hair(theme.ink_2));
    }
    for peak in peaks {
        let roof = stroke(theme.ink_1, size::ROOF_PX);
        pen.polyline(&roofs.corners(plot, peak), roof);
    }
}

/// Returns lines from the pinned to the current positions of operators: all lines if they are few, otherwise only
/// those of operators that take much time.
fn ways(marks: &[OperatorMark]) -> impl Iterator<Item = [Point; 2]> + '_ {
    const FEW: usize = 4;
    let many = marks.iter().filter(|mark| mark.way().is_some()).count() > FEW;
    let shown = marks.iter().filter(move |mark| mark.important || !many);
    shown.filter_map(OperatorMark::way)
}

fn ghosts(pen: &mut Pen<'_>, marks: &[OperatorMark]) {
    let grey = pen.theme.ink_3;
    for way in ways(marks) {
        pen.dashed(&way, (3.0, 2.5), hair(grey));
    }
    for mark in marks {
        if let Some((ghost, _)) = mark.ghost.zip(mark.way()) {
            pen.dashed_ring(ghost, 3.8, stroke(grey, 1.2));
        }
    }
}

/// Writes "A" at the pinned position of the operator that has the largest share of the step among those that moved.
fn name_ghost(pen: &mut Pen<'_>, marks: &[OperatorMark], plot: &Plot) {
    let far = |mark: &OperatorMark| mark.ghost.filter(|ghost| ghost.distance(mark.at) > 14.0);
    let named = marks.iter().filter_map(|mark| Some((mark, far(mark)?)));
    if let Some((mark, ghost)) = named.max_by(|(a, _), (b, _)| a.share.total_cmp(&b.share)) {
        let words = Words::label("A", pen.theme.ink_2).bold();
        let first = if ghost.x < mark.at.x {
            W(7, 0)
        } else {
            E(7, 0)
        };
        Label::lines([words])
            .near(ghost, &[first, W(7, 0), E(7, 0), N(0, 6), S(0, 6)])
            .write_in(pen, plot.area);
    }
}

fn draw_point(pen: &mut Pen<'_>, mark: &OperatorMark) {
    pen.rimmed_point(mark.at, mark.radius, mark.colour);
    if let Some(rim) = mark.rim {
        pen.ring(mark.at, mark.radius - 0.4, stroke(rim, 1.0));
    }
    if let Some(kv) = mark.kv_ring {
        pen.ring(mark.at, mark.radius + 1.3, stroke(kv, 2.0));
    }
}

fn name_peaks(pen: &mut Pen<'_>, plot: &Plot, roofs: &Roofs, peaks: &[&Peak]) {
    for peak in peaks.iter().rev() {
        let [_, ridge, end] = roofs.corners(plot, peak);
        let value = format::printed(peak.flop_per_s / TERA);
        let words = Words::label(format!("{} {value}", peak.format), pen.theme.ink_2);
        let along = [0.0, 0.25, 0.45, 0.65].map(|share| end.towards(ridge, share));
        let spots = along
            .into_iter()
            .flat_map(|at| [NW(0, 2), SW(0, 3)].map(|side| side.of(at)));
        let label = Label::lines([words]).at(spots);
        label.halo(pen.theme.background).or_over_lines().write(pen);
    }
}

/// Writes the bandwidth along the slope of the highest roof, where there is room.
fn name_bandwidth(
    pen: &mut Pen<'_>,
    plot: &Plot,
    roofs: &Roofs,
    peak: &Peak,
    leaders: &[[Point; 2]],
) {
    let [start, ridge, _] = roofs.corners(plot, peak);
    let text = format!("HBM {}", format::bandwidth(roofs.hbm_bytes_per_s));
    let words = Words::note(text, pen.theme.ink_2);
    let (length, slope) = (pen.width(&words), start.distance(ridge));
    let along = slope.max(1.0);
    let (dx, dy) = ((ridge.x - start.x) / along, (ridge.y - start.y) / along);
    // The baseline runs parallel to the roof, a little above it.
    let boxes = |from: f64| {
        let steps = (length / 6.0).ceil() as usize + 1;
        (0..steps).map(move |i| {
            let m = start.along(ridge, from + i as f64 * 6.0);
            Rect::about(point(m.x + dy * 9.5, m.y - dx * 9.5), 4.0)
        })
    };
    let mut from = 4.0_f64.max((slope - length) * 0.04);
    while from + length < slope {
        let clear = |part: &Rect| leaders.iter().all(|[a, b]| part.clip(*a, *b).is_none());
        if boxes(from).all(|part| pen.is_free(&part) && clear(&part)) {
            let p = start.along(ridge, from);
            let at = point(p.x + dy * 5.0, p.y - dx * 5.0);
            let degrees = libm::atan2(dy, dx).to_degrees();
            pen.write_turned(&words, at, degrees, Some(pen.theme.background));
            boxes(from).for_each(|part| pen.reserve(part));
            return;
        }
        from += 4.0;
    }
}

fn name_ridges(pen: &mut Pen<'_>, plot: &Plot, roofs: &Roofs, peaks: &[&Peak]) {
    let (grey, ink) = (pen.theme.ink_2, pen.theme.ink_1);
    for peak in peaks.iter().rev() {
        let [top, foot] = roofs.ridge(plot, peak);
        let value = Words::note(format::sig3(peak.bound_flop_per_byte), ink).bold();
        let note = |text: &str| Words::note(text, grey);
        let full = format!("{} ridge point as achieved", peak.format);
        let short = format!("{} ridge, achieved", peak.format);
        let along =
            [0.62, 0.5, 0.4, 0.3, 0.2, 0.7, 0.12, 0.8].map(|share| top.towards(foot, share));
        let wordings = [
            vec![note(&full), value.clone(), note("FLOP/B")],
            vec![note(&short), value.clone(), note("FLOP/B")],
            vec![note(&short), value.clone()],
            vec![note(&peak.format), value],
        ];
        let on = |side: Toward| Label::blocks(wordings.clone()).at(along.map(|at| side.of(at)));
        // Try all wordings to the right of the ridge line, then all to the left.
        let written = on(SE(5, 0)).write_in(pen, plot.area);
        let written = written.or_else(|| on(SW(5, 0)).write_in(pen, plot.area));
        if let Some(of) = written.or_else(|| on(SE(5, 0)).write_over(pen, plot.area)) {
            // Reserve extra height, so that no operator's name reads as a continuation of this label.
            pen.reserve(of.down(of.top - 4.0, of.bottom + 4.0));
        }
    }
}

fn name_regions(pen: &mut Pen<'_>, plot: &Plot, ridges: &[[Point; 2]]) {
    let (Some([_, first]), Some([_, last])) = (ridges.first(), ridges.last()) else {
        return;
    };
    let regions = [
        (OperatorBound::Memory, first, NW(6, 4)),
        (OperatorBound::Compute, last, NE(6, 4)),
    ];
    for (bound, foot, side) in regions {
        let words = Words::label(bound.words(), pen.theme.ink_2);
        let label = Label::lines([words]).near(*foot, &[side]);
        label.or_over_lines().within(plot.area).write(pen);
    }
}
