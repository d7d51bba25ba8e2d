//! "Compute or memory?": every operator against the roof of its format.

mod labels;

use crate::charts::prelude::*;
use labels::Mark;

/// The roofline chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct RooflineData {
    /// The accelerator's roofs.
    pub roofs: Roofs,
    /// The operators of a step, in the model's order.
    pub operators: Vec<OperatorPoint>,
    /// The pinned scenario's roofs, when they differ.
    pub pinned_roofs: Option<Roofs>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// What an accelerator can do at most.
#[derive(Clone, Debug, PartialEq)]
pub struct Roofs {
    /// HBM bandwidth.
    pub hbm_bytes_per_s: f64,
    /// Peaks of the formats in use, at most a few.
    pub peaks: Vec<Peak>,
}

/// The peak of one arithmetic format.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// Its name: `FP8`.
    pub format: String,
    /// Dense arithmetic.
    pub flop_per_s: f64,
}

/// Which of its two times an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Moving bytes.
    Memory,
    /// Arithmetic.
    Compute,
}

/// A place on the roofline chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RooflinePosition {
    /// FLOP per byte moved from or to HBM; 0 for an operator that only moves bytes.
    pub intensity_flop_per_byte: f64,
    /// FLOP over the operator's own time.
    pub achieved_flop_per_s: f64,
}

/// One operator.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatorPoint {
    /// Its name, shown as it is.
    pub name: String,
    /// What it belongs to.
    pub role: Role,
    /// The roof that applies, an index into [`Roofs::peaks`].
    pub peak: usize,
    /// Where it stands.
    pub position: RooflinePosition,
    /// What its time is made of.
    pub bound: Bound,
    /// Its time in a step, all layers.
    pub time_s: f64,
    /// Its share of the compute of a step, 0 to 1.
    pub share_of_step: f64,
    /// Whether most of its bytes are KV cache: ringed in the cache's colour.
    pub reads_kv: bool,
    /// The batch at which it reaches its ridge, sequences per GPU; `None` when no batch does.
    pub ridge_batch_per_gpu: Option<f64>,
    /// The same operator in the pinned scenario.
    pub pinned: Option<RooflinePosition>,
}

impl Roofs {
    /// The intensity at which a peak takes over from the bandwidth.
    pub fn ridge_flop_per_byte(&self, peak: &Peak) -> f64 {
        peak.flop_per_s / self.hbm_bytes_per_s
    }

    fn usable(&self) -> bool {
        let good = |value: f64| value.is_finite() && value > 0.0;
        good(self.hbm_bytes_per_s)
            && !self.peaks.is_empty()
            && self.peaks.iter().all(|peak| good(peak.flop_per_s))
    }
}

impl RooflinePosition {
    /// Whether a logarithmic chart has a place for it.
    fn plots(&self) -> bool {
        let good = |value: f64| value.is_finite() && value > 0.0;
        good(self.intensity_flop_per_byte) && good(self.achieved_flop_per_s)
    }
}

impl RooflineData {
    /// Indices of the operators that the chart shows, by intensity: the order of hits. An operator that only moves
    /// bytes has no place on a logarithmic axis; the table lists it.
    fn plotted(&self) -> Vec<usize> {
        let position = |index: &usize| self.operators.get(*index).map(|operator| operator.position);
        let mut indices: Vec<usize> = (0..self.operators.len())
            .filter(|index| position(index).is_some_and(|p| p.plots()))
            .collect();
        let intensity = |index: &usize| position(index).map_or(0.0, |p| p.intensity_flop_per_byte);
        indices.sort_by(|a, b| intensity(a).total_cmp(&intensity(b)));
        indices
    }

    fn peak_of(&self, operator: &OperatorPoint) -> Option<&Peak> {
        self.roofs.peaks.get(operator.peak)
    }

    fn left_of_ridge(&self, operator: &OperatorPoint) -> bool {
        self.peak_of(operator).is_some_and(|peak| {
            operator.position.intensity_flop_per_byte < self.roofs.ridge_flop_per_byte(peak)
        })
    }
}

impl Figure for RooflineData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
        if !self.roofs.usable() {
            nothing_to_show(pen, &area, "no accelerator to compare with");
            return Hits::default();
        }
        let (x, y) = scales(self);
        let plot = Plot::new(area, x, y);
        let marks = marks(self, &plot, pen.theme);
        draw_axes(pen, &plot);
        let peaks = ascending(&self.roofs);
        draw_roofs(pen, self, &plot, &peaks);
        ghosts(pen, &marks);
        pen.seam();
        for mark in &marks {
            pen.reserve(Rect::about(mark.at, mark.radius + 1.5));
        }
        name_peaks(pen, &plot, &self.roofs, &peaks);
        for peak in &peaks {
            pen.avoid(&roof_line(&plot, &self.roofs, peak));
        }
        let ridges: Vec<[Point; 2]> = peaks
            .iter()
            .map(|peak| ridge_line(&plot, &self.roofs, peak))
            .collect();
        name_regions(pen, &plot, &ridges);
        name_ridges(pen, &plot, &self.roofs, &peaks);
        let leaders = labels::write(pen, &plot, &labels::named(&marks), &ridges);
        if let Some(peak) = peaks.last() {
            name_bandwidth(pen, &plot, &self.roofs, peak, &leaders);
        }
        for line in leaders.iter().chain(&ridges) {
            pen.avoid(line);
        }
        if marks.is_empty() {
            nothing_to_show(pen, &area, "no operators");
        }
        for mark in &marks {
            draw_point(pen, mark);
        }
        Hits::points(marks.iter().map(|mark| mark.at)).on(&plot)
    }

    fn finding(&self) -> String {
        let plotted = self.plotted();
        let total = plotted.len();
        let left = plotted
            .iter()
            .filter_map(|index| self.operators.get(*index))
            .filter(|operator| self.left_of_ridge(operator))
            .count();
        let all = format::in_words(total);
        match (left, total) {
            (_, 0) => "Nothing to compute".to_owned(),
            (1, 1) => "The only operator sits left of its ridge".to_owned(),
            (0, 1) => "The only operator sits right of its ridge".to_owned(),
            _ if left == total => format!("All {all} operators sit left of their ridge"),
            (0, _) => format!("All {all} operators sit right of their ridge"),
            (1, _) => format!("One of {all} operators sits left of its ridge"),
            _ => {
                let mut number = format::in_words(left);
                number.get_mut(..1).map(str::make_ascii_uppercase);
                format!("{number} of {all} operators sit left of their ridge")
            }
        }
    }

    fn table(&self) -> Table {
        let row = |operator: &OperatorPoint| -> Vec<Cell> {
            vec![
                operator.name.as_str().into(),
                operator.position.intensity_flop_per_byte.into(),
                (operator.position.achieved_flop_per_s / TERA).into(),
                self.peak_of(operator)
                    .map_or(Cell::Empty, |peak| peak.format.as_str().into()),
                Cell::maybe(self.peak_of(operator).map(|peak| peak.flop_per_s / TERA)),
                Cell::maybe(
                    self.peak_of(operator)
                        .map(|peak| self.roofs.ridge_flop_per_byte(peak)),
                ),
                operator.bound.words().into(),
                (operator.time_s * 1e3).into(),
                (operator.share_of_step * 100.0).into(),
                Cell::maybe(operator.ridge_batch_per_gpu),
            ]
        };
        Table {
            columns: vec![
                Column::new("operator", ""),
                Column::new("intensity", "FLOP/B"),
                Column::new("achieved", "TFLOP/s"),
                Column::new("format", ""),
                Column::new("peak", "TFLOP/s"),
                Column::new("ridge", "FLOP/B"),
                Column::new("bound", ""),
                Column::new("time", "ms"),
                Column::new("share of compute", "%"),
                Column::new("reaches its ridge at", "sequences per GPU"),
            ],
            rows: self.operators.iter().map(row).collect(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let operator = self.operators.get(*self.plotted().get(index)?)?;
        let position = operator.position;
        let of_peak = self.peak_of(operator).map_or_else(String::new, |peak| {
            format!(
                "{} of {}",
                format::share(position.achieved_flop_per_s / peak.flop_per_s),
                peak.format
            )
        });
        let intensity = format!("{} FLOP/B", format::sig3(position.intensity_flop_per_byte));
        let mut rows = vec![
            TipRow::of(operator.role, "intensity", "", intensity),
            TipRow {
                note: of_peak,
                ..TipRow::plain("achieved", teraflop(position.achieved_flop_per_s))
            },
            TipRow {
                note: format!("{} of compute", format::share(operator.share_of_step)),
                ..TipRow::plain("time", format::millis(operator.time_s).to_string())
            },
        ];
        // The roofs are what the hardware can do; what binds is as calibrated.
        let beside = match (operator.bound, self.left_of_ridge(operator)) {
            (Bound::Memory, false) => Some("its bytes take longer than the roof says"),
            (Bound::Compute, true) => Some("its arithmetic takes longer than the roof says"),
            _ => None,
        };
        if let Some(note) = beside {
            rows.push(TipRow {
                note: note.to_owned(),
                ..TipRow::plain("as calibrated", "")
            });
        }
        if let Some(batch) = operator.ridge_batch_per_gpu {
            rows.push(TipRow::plain(
                "reaches its ridge at",
                format!("{} per GPU", format::count(batch)),
            ));
        }
        if let Some(pinned) = operator.pinned {
            rows.push(TipRow::plain(
                "A achieves",
                teraflop(pinned.achieved_flop_per_s),
            ));
        }
        Some(Tooltip {
            title: operator.name.clone(),
            aside: operator.bound.words().to_owned(),
            rows,
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        let operator = self.operators.get(*self.plotted().get(index)?)?;
        Some(format::sig3(operator.position.intensity_flop_per_byte))
    }

    fn glow(&self, index: usize, hits: &Hits, pen: &mut Pen<'_>) {
        let value = self.axis_value(index);
        if let Some(at) = hits::rulers(pen, hits, index, value.as_deref()) {
            pen.ring(at, 8.0, stroke(pen.theme.ink_1, 1.3));
        }
    }

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px)
    }
}

impl Bound {
    /// In words.
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

/// The scales that hold every operator and every ridge, the pinned ones too.
fn scales(data: &RooflineData) -> (Scale, Scale) {
    let operators = data.operators.iter();
    let positions: Vec<RooflinePosition> = operators
        .flat_map(|operator| [Some(operator.position), operator.pinned])
        .flatten()
        .filter(RooflinePosition::plots)
        .collect();
    let pinned = data.pinned_roofs.as_ref().filter(|roofs| roofs.usable());
    let roofs: Vec<&Roofs> = [&data.roofs].into_iter().chain(pinned).collect();
    let ridges: Vec<f64> = roofs
        .iter()
        .flat_map(|roofs| {
            roofs
                .peaks
                .iter()
                .map(|peak| roofs.ridge_flop_per_byte(peak))
        })
        .collect();
    let intensities = || {
        positions
            .iter()
            .map(|position| position.intensity_flop_per_byte)
    };
    let least = intensities()
        .map(|x| x / 2.5)
        .chain(ridges.iter().map(|x| x / 10.0))
        .fold(f64::INFINITY, f64::min);
    let most = intensities()
        .map(|x| x * 2.0)
        .chain(ridges.iter().map(|x| x * 5.0))
        .fold(0.0, f64::max);
    let x = Scale::log(floor_125(least), most);
    let achieved = || {
        positions
            .iter()
            .map(|position| position.achieved_flop_per_s)
    };
    let peaks = || roofs.iter().flat_map(|roofs| roofs.peaks.iter());
    let starts = roofs.iter().map(|roofs| {
        let peaks = roofs.peaks.iter().map(|peak| peak.flop_per_s);
        (x.low() * roofs.hbm_bytes_per_s).min(peaks.fold(f64::INFINITY, f64::min))
    });
    let low = achieved()
        .map(|y| y * 0.8)
        .chain(starts)
        .fold(f64::INFINITY, f64::min);
    let high = achieved()
        .chain(peaks().map(|peak| peak.flop_per_s))
        .fold(0.0, f64::max);
    (x, Scale::log(floor_125(low / TERA), high / TERA * 1.4))
}

fn draw_axes(pen: &mut Pen<'_>, plot: &Plot) {
    let ink = pen.theme.ink_3;
    let worded = |scale: &Scale, most: f64| -> Vec<(f64, Words)> {
        let ticks = scale.ticks(most as usize).into_iter();
        ticks
            .map(|value| (value, Words::tick(format::printed(value), ink)))
            .collect()
    };
    let y = Axis {
        ticks: worded(&plot.y, plot.area.height() / 24.0),
        minor: Vec::new(),
        name: "TFLOP/s per GPU, log",
    };
    y_axis(pen, plot, &y, 10.0);
    let x = Axis {
        ticks: worded(&plot.x, plot.area.width() / 34.0),
        minor: plot.x.minor_ticks(),
        name: "FLOP per byte from HBM, log",
    };
    x_axis(pen, plot, &x);
}

/// The operators as they are drawn; only the one with the largest share has room for its ridge batch.
fn marks(data: &RooflineData, plot: &Plot, theme: &Theme) -> Vec<Mark> {
    let plotted = data.plotted();
    let operators = || {
        plotted
            .iter()
            .filter_map(|index| data.operators.get(*index))
    };
    let largest = operators().map(|o| o.share_of_step).fold(0.0, f64::max);
    let mark = |operator: &OperatorPoint| {
        let RooflinePosition {
            intensity_flop_per_byte: intensity,
            achieved_flop_per_s: achieved,
        } = operator.position;
        let important = operator.share_of_step >= (largest * 0.4).max(0.05);
        let at =
            |p: RooflinePosition| plot.at(p.intensity_flop_per_byte, p.achieved_flop_per_s / TERA);
        let of_peak = data.peak_of(operator).filter(|_| important).map(|peak| {
            let share = format::share(achieved / peak.flop_per_s);
            format!(", {share} of {}", peak.format)
        });
        let colours = theme.role(operator.role);
        Mark {
            at: at(operator.position),
            ghost: operator.pinned.filter(RooflinePosition::plots).map(at),
            radius: if important { 5.0 } else { 4.0 },
            important,
            share: operator.share_of_step,
            colour: colours.line,
            rim: (operator.role == Role::Head).then_some(colours.text),
            kv_ring: operator.reads_kv.then_some(theme.role(Role::Kv).line),
            name: operator.name.clone(),
            value: format::sig3(intensity),
            of_peak: of_peak.unwrap_or_default(),
            ridge_batch: operator
                .ridge_batch_per_gpu
                .filter(|_| important && operator.share_of_step >= largest),
        }
    };
    operators().map(mark).collect()
}

/// The corners of a roof: from the left edge up to the ridge and level to the right edge.
fn roof_line(plot: &Plot, roofs: &Roofs, peak: &Peak) -> [Point; 3] {
    let left = plot.x.low();
    let start = (left * roofs.hbm_bytes_per_s).min(peak.flop_per_s);
    let ridge = roofs.ridge_flop_per_byte(peak).max(left);
    let top = peak.flop_per_s / TERA;
    [
        plot.at(left, start / TERA),
        plot.at(ridge, top),
        plot.at(plot.x.high(), top),
    ]
}

/// From the ridge down to the axis.
fn ridge_line(plot: &Plot, roofs: &Roofs, peak: &Peak) -> [Point; 2] {
    let [_, ridge, _] = roof_line(plot, roofs, peak);
    [ridge, point(ridge.x, plot.area.bottom)]
}

/// The peaks from the lowest to the highest.
fn ascending(roofs: &Roofs) -> Vec<&Peak> {
    let mut peaks: Vec<&Peak> = roofs.peaks.iter().collect();
    peaks.sort_by(|a, b| a.flop_per_s.total_cmp(&b.flop_per_s));
    peaks
}

/// The shade under the memory roof, the ridges and the roofs.
fn draw_roofs(pen: &mut Pen<'_>, data: &RooflineData, plot: &Plot, peaks: &[&Peak]) {
    let theme = pen.theme;
    let roofs = &data.roofs;
    // Each format's operators are bound by memory up to its own ridge.
    for peak in peaks {
        let [start, ridge, _] = roof_line(plot, roofs, peak);
        let floor = |p: Point| point(p.x, plot.area.bottom);
        pen.fill(&[start, ridge, floor(ridge), floor(start)], theme.shade);
    }
    let pinned = data.pinned_roofs.as_ref().filter(|roofs| roofs.usable());
    for (roofs, peak) in pinned
        .into_iter()
        .flat_map(|roofs| ascending(roofs).into_iter().map(move |peak| (roofs, peak)))
    {
        let hair = stroke(theme.ink_3, size::HAIRLINE_PX);
        pen.dashed(&roof_line(plot, roofs, peak), (4.0, 3.0), hair);
    }
    for peak in peaks {
        let [ridge, foot] = ridge_line(plot, roofs, peak);
        let hair = stroke(theme.ink_2, size::HAIRLINE_PX);
        pen.dashed_rule(ridge, foot, (1.5, 3.0), hair);
    }
    for peak in peaks {
        let ink = stroke(theme.ink_1, size::ROOF_PX);
        pen.polyline(&roof_line(plot, roofs, peak), ink);
    }
}

fn ghosts(pen: &mut Pen<'_>, marks: &[Mark]) {
    let (grey, ink) = (pen.theme.ink_3, pen.theme.ink_2);
    let far = |mark: &Mark, least: f64| {
        let ghost = mark.ghost?;
        (ghost.distance(mark.at) > least).then_some(ghost)
    };
    for mark in marks {
        if let Some(ghost) = far(mark, 3.0) {
            let hair = stroke(grey, size::HAIRLINE_PX);
            pen.dashed(&[ghost.along(mark.at, 4.0), mark.at], (3.0, 2.5), hair);
            pen.dashed_ring(ghost, 3.8, stroke(grey, 1.2));
        }
    }
    let named = marks
        .iter()
        .filter_map(|mark| Some((mark, far(mark, 14.0)?)))
        .max_by(|(a, _), (b, _)| a.share.total_cmp(&b.share));
    if let Some((mark, ghost)) = named {
        let (away, align) = if ghost.x < mark.at.x {
            (-7.0, Align::End)
        } else {
            (7.0, Align::Start)
        };
        let words = Words::label("A", ink).bold();
        let at = point(ghost.x + away, words.baseline_about(ghost.y));
        pen.write_if_free(&words, at, align, Some(pen.theme.background));
    }
}

fn draw_point(pen: &mut Pen<'_>, mark: &Mark) {
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
        let [_, _, end] = roof_line(plot, roofs, peak);
        let value = format::printed(peak.flop_per_s / TERA);
        let words = Words::label(format!("{} {value}", peak.format), pen.theme.ink_2);
        Label::lines([words])
            .at([
                spot(point(end.x, end.y - 2.0), Align::End, Side::Above),
                spot(point(end.x, end.y + 3.0), Align::End, Side::Below),
            ])
            .halo(pen.theme.background)
            .write(pen);
    }
}

/// The bandwidth along the slope of the highest roof, where it is free.
fn name_bandwidth(
    pen: &mut Pen<'_>,
    plot: &Plot,
    roofs: &Roofs,
    peak: &Peak,
    leaders: &[[Point; 2]],
) {
    let [start, ridge, _] = roof_line(plot, roofs, peak);
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
        let [top, foot] = ridge_line(plot, roofs, peak);
        let value = Words::note(format::sig3(roofs.ridge_flop_per_byte(peak)), ink).bold();
        let note = |text: &str| Words::note(text, grey);
        let full = format!("{} ridge", peak.format);
        let spots = [(5.0, Align::Start), (-5.0, Align::End)];
        let spots = spots.into_iter().flat_map(|(away, align)| {
            [0.62, 0.5, 0.4, 0.3, 0.2, 0.7, 0.12].map(|share| {
                let y = top.y + (foot.y - top.y) * share;
                spot(point(top.x + away, y), align, Side::Below)
            })
        });
        let spots: Vec<Spot> = spots.collect();
        let wordings = [
            vec![note(&full), value.clone(), note("FLOP/B")],
            vec![note(&full), value],
        ];
        // Right of the ridge in any wording before left of it.
        let _ = spots.chunks(7).any(|side| {
            Label::blocks(wordings.clone())
                .at(side.iter().copied())
                .within(plot.area)
                .halo(pen.theme.background)
                .write(pen)
                .is_some()
        });
    }
}

fn name_regions(pen: &mut Pen<'_>, plot: &Plot, ridges: &[[Point; 2]]) {
    let (Some([_, first]), Some([_, last])) = (ridges.first(), ridges.last()) else {
        return;
    };
    let y = plot.area.bottom - 4.0;
    for (word, x, align) in [
        ("memory-bound", first.x - 6.0, Align::End),
        ("compute-bound", last.x + 6.0, Align::Start),
    ] {
        Label::lines([Words::label(word, pen.theme.ink_2)])
            .at([spot(point(x, y), align, Side::Above)])
            .within(plot.area)
            .write(pen);
    }
}
