//! A hand that draws in CSS px on any surface and remembers where it has written.

use super::geometry::{Hatch, Point, Rect, dashes, hatch, point, rect};
use super::surface::{DrawError, LabelStyle, Surface, unit_length, units};
use super::text::{ASCENT, Align, Run, Spot, Words};
use crate::theme::{Colour, Theme, size};
use plotters::style::{RGBAColor, ShapeStyle};
use plotters_backend::BackendColor;
use plotters_backend::text_anchor::{HPos, Pos, VPos};

/// A stroke's colour and width.
#[derive(Clone, Copy, Debug)]
pub struct Stroke {
    /// The colour.
    pub colour: Colour,
    /// The width in CSS px.
    pub width_px: f64,
}

/// A stroke.
pub const fn stroke(colour: Colour, width_px: f64) -> Stroke {
    Stroke { colour, width_px }
}

/// Draws, measures and keeps labels apart. The first error is kept and reported by [`Sketch::finish`], so that the
/// drawing code reads as a list of marks.
pub struct Sketch<'a, S: Surface> {
    surface: &'a mut S,
    /// The colours.
    pub theme: &'a Theme,
    /// The whole canvas.
    pub canvas: Rect,
    taken: Vec<Rect>,
    error: Option<DrawError<S>>,
}

impl<'a, S: Surface> Sketch<'a, S> {
    /// Begins on a surface.
    pub fn new(surface: &'a mut S, theme: &'a Theme) -> Self {
        let (width, height) = surface.size_px();
        let error = surface.ensure_prepared().err();
        Self {
            surface,
            theme,
            canvas: rect(0.0, 0.0, width, height),
            taken: Vec::with_capacity(64),
            error,
        }
    }

    /// Presents the drawing, or says what went wrong first.
    pub fn finish(mut self) -> Result<(), DrawError<S>> {
        self.attempt(|surface| surface.present());
        self.error.map_or(Ok(()), Err)
    }

    fn attempt(&mut self, mark: impl FnOnce(&mut S) -> Result<(), DrawError<S>>) {
        if self.error.is_none() {
            self.error = mark(self.surface).err();
        }
    }

    /// A straight line; a level or upright hairline is snapped so that it fills whole pixels.
    pub fn line(&mut self, from: Point, to: Point, stroke: Stroke) {
        let level = (from.y - to.y).abs() < 1e-6;
        let upright = (from.x - to.x).abs() < 1e-6;
        let (from, to) = match (level, upright) {
            (true, false) => (point(from.x, snap(from.y)), point(to.x, snap(from.y))),
            (false, true) => (point(snap(from.x), from.y), point(snap(from.x), to.y)),
            _ => (from, to),
        };
        self.attempt(|surface| surface.draw_line(units(from), units(to), &style(stroke)));
    }

    /// A line through places.
    pub fn polyline(&mut self, line: &[Point], stroke: Stroke) {
        if line.len() > 1 {
            self.attempt(|surface| {
                surface.draw_path(line.iter().copied().map(units), &style(stroke))
            });
        }
    }

    /// A line in dashes of `on` px and gaps of `off`.
    pub fn dashed(&mut self, line: &[Point], (on, off): (f64, f64), stroke: Stroke) {
        for dash in dashes(line, on, off) {
            self.polyline(&dash, stroke);
        }
    }

    /// An upright or level dashed hairline, snapped.
    pub fn dashed_rule(&mut self, from: Point, to: Point, pattern: (f64, f64), stroke: Stroke) {
        let upright = (from.x - to.x).abs() < 1e-6;
        let snapped = |p: Point| {
            if upright {
                point(snap(p.x), p.y)
            } else {
                point(p.x, snap(p.y))
            }
        };
        self.dashed(&[snapped(from), snapped(to)], pattern, stroke);
    }

    /// A line in round dots.
    pub fn dotted(&mut self, line: &[Point], gap: f64, radius: f64, colour: Colour) {
        for dot in dashes(line, 0.01, gap) {
            if let Some(centre) = dot.first() {
                self.disc(*centre, radius, colour);
            }
        }
    }

    /// A filled polygon.
    pub fn fill(&mut self, corners: &[Point], colour: Colour) {
        if corners.len() > 2 {
            self.attempt(|surface| {
                surface.fill_polygon(corners.iter().copied().map(units), &rgba(colour))
            });
        }
    }

    /// A filled box.
    pub fn fill_rect(&mut self, area: Rect, colour: Colour) {
        if area.width() > 0.0 && area.height() > 0.0 {
            let (from, to) = (
                units(point(area.left, area.top)),
                units(point(area.right, area.bottom)),
            );
            self.attempt(|surface| surface.draw_rect(from, to, &rgba(colour), true));
        }
    }

    /// A filled box with rounded corners.
    pub fn fill_rounded(&mut self, area: Rect, radius: f64, colour: Colour) {
        let inner = area.grown(-radius);
        // An octagon's worth of points per corner looks round at the sizes of a label.
        const ARC: [(f64, f64); 4] = [(0.0, 1.0), (0.5, 0.866), (0.866, 0.5), (1.0, 0.0)];
        let arc = |corner: (f64, f64), sign: (f64, f64), back: bool| {
            let at = move |(a, b): (f64, f64)| {
                point(
                    corner.0 + sign.0 * a * radius,
                    corner.1 + sign.1 * b * radius,
                )
            };
            let mut points: Vec<Point> = ARC.into_iter().map(at).collect();
            if back {
                points.reverse();
            }
            points
        };
        let corners = [
            arc((inner.right, inner.top), (1.0, -1.0), false),
            arc((inner.right, inner.bottom), (1.0, 1.0), true),
            arc((inner.left, inner.bottom), (-1.0, 1.0), false),
            arc((inner.left, inner.top), (-1.0, -1.0), true),
        ];
        self.fill(&corners.concat(), colour);
    }

    /// The outline of a box, drawn inside its edges.
    pub fn outline(&mut self, area: Rect, stroke: Stroke) {
        let inner = area.grown(-stroke.width_px / 2.0);
        if inner.width() > 0.0 && inner.height() > 0.0 {
            let (from, to) = (
                units(point(inner.left, inner.top)),
                units(point(inner.right, inner.bottom)),
            );
            self.attempt(|surface| surface.draw_rect(from, to, &style(stroke), false));
        }
    }

    /// The dashed outline of a box: free, idle, pinned.
    pub fn dashed_outline(&mut self, area: Rect, stroke: Stroke) {
        if area.width() < 2.0 {
            return;
        }
        let [a, b, c, d] = area.corners();
        for (from, to) in [(a, b), (b, c), (d, c), (a, d)] {
            let inset = |p: Point| {
                point(
                    p.x.clamp(area.left + 0.5, area.right - 0.5),
                    p.y.clamp(area.top + 0.5, area.bottom - 0.5),
                )
            };
            self.dashed_rule(inset(from), inset(to), (3.5, 2.5), stroke);
        }
    }

    /// A hatch over a polygon.
    pub fn hatch(&mut self, polygon: &[Point], spacing: f64, direction: Hatch, stroke: Stroke) {
        for (from, to) in hatch(polygon, spacing, direction) {
            self.polyline(&[from, to], stroke);
        }
    }

    /// A filled circle.
    pub fn disc(&mut self, centre: Point, radius: f64, colour: Colour) {
        self.attempt(|surface| {
            surface.draw_circle(units(centre), unit_length(radius), &rgba(colour), true)
        });
    }

    /// A circle's outline.
    pub fn ring(&mut self, centre: Point, radius: f64, stroke: Stroke) {
        self.attempt(|surface| {
            surface.draw_circle(units(centre), unit_length(radius), &style(stroke), false)
        });
    }

    /// A circle in dashes: pinned.
    pub fn dashed_ring(&mut self, centre: Point, radius: f64, stroke: Stroke) {
        const CORNERS: usize = 24;
        let corner = |i: usize| {
            let angle = i as f64 / CORNERS as f64 * std::f64::consts::TAU;
            point(
                centre.x + radius * libm::cos(angle),
                centre.y + radius * libm::sin(angle),
            )
        };
        let circle: Vec<Point> = (0..=CORNERS).map(corner).collect();
        let dash = radius * std::f64::consts::TAU / 16.0;
        self.dashed(&circle, (dash * 1.1, dash * 0.9), stroke);
    }

    /// An open point: background inside, a ring around.
    pub fn open_point(&mut self, centre: Point, radius: f64, stroke: Stroke) {
        let background = self.theme.background;
        self.disc(centre, radius, background);
        self.ring(centre, radius, stroke);
    }

    /// A point with a rim of background, so that it stands out from what lies under it.
    pub fn rimmed_point(&mut self, centre: Point, radius: f64, colour: Colour) {
        let background = self.theme.background;
        self.disc(centre, radius + 1.6, background);
        self.disc(centre, radius, colour);
    }

    /// The width of a line of text.
    pub fn width(&self, words: &Words) -> f64 {
        words
            .runs
            .iter()
            .map(|run| self.run_width(run, words.size_px))
            .sum()
    }

    fn run_width(&self, run: &Run, size_px: f64) -> f64 {
        let style = label_style(run, size_px);
        // A surface that cannot measure is treated as if letters were wide: labels are left out, never clipped.
        let estimate = || run.text.chars().count() as f64 * size_px * 0.7;
        self.surface
            .estimate_text_size(&run.text, &style)
            .map_or_else(
                |_| estimate(),
                |(width, _)| f64::from(width) / super::surface::UNITS_PER_PX,
            )
    }

    /// Writes a line and keeps its place; returns its box.
    pub fn write(
        &mut self,
        words: &Words,
        baseline: Point,
        align: Align,
        halo: Option<Colour>,
    ) -> Rect {
        let bounds = words.bounds(baseline, align, self.width(words));
        self.taken.push(bounds);
        let mut x = bounds.left;
        let mut placed = Vec::with_capacity(words.runs.len());
        for run in &words.runs {
            placed.push((run, point(x, baseline.y)));
            x += self.run_width(run, words.size_px);
        }
        for (run, at) in placed {
            self.write_run(run, words.size_px, at, 0.0, halo);
        }
        bounds
    }

    /// Writes a line turned by `degrees` about the start of its baseline. Its place is not kept: see [`Self::reserve`].
    pub fn write_turned(
        &mut self,
        words: &Words,
        start: Point,
        degrees: f64,
        halo: Option<Colour>,
    ) {
        if let [run] = words.runs.as_slice() {
            self.write_run(run, words.size_px, start, degrees, halo);
        }
    }

    fn write_run(
        &mut self,
        run: &Run,
        size_px: f64,
        at: Point,
        degrees: f64,
        halo: Option<Colour>,
    ) {
        let style = label_style(run, size_px);
        let halo = halo.map(|colour| (BackendColor::from(colour), unit_length(size::HALO_PX)));
        self.attempt(|surface| surface.draw_label(&run.text, &style, units(at), degrees, halo));
    }

    /// Keeps labels out of a box.
    pub fn reserve(&mut self, area: Rect) {
        self.taken.push(area);
    }

    /// Whether a label may stand in a box: on the canvas and clear of every other.
    pub fn is_free(&self, area: &Rect) -> bool {
        self.is_free_by(area, 0.0)
    }

    /// Whether a label may stand in a box with `gap` px to its neighbours left and right.
    pub fn is_free_by(&self, area: &Rect, gap: f64) -> bool {
        let apart = Rect {
            left: area.left - gap,
            right: area.right + gap,
            ..*area
        };
        self.canvas.grown(0.01).holds(area)
            && !self.taken.iter().any(|other| other.overlaps(&apart))
    }

    /// Writes a line if its place is free.
    pub fn write_if_free(
        &mut self,
        words: &Words,
        baseline: Point,
        align: Align,
        halo: Option<Colour>,
    ) -> Option<Rect> {
        let bounds = words.bounds(baseline, align, self.width(words));
        self.is_free_by(&bounds, LABEL_GAP_PX)
            .then(|| self.write(words, baseline, align, halo))
    }

    /// The size of a block of lines.
    pub fn block_size(&self, lines: &[Words]) -> (f64, f64) {
        let width = lines
            .iter()
            .map(|line| self.width(line))
            .fold(0.0, f64::max);
        (width, lines.len() as f64 * size::LINE_PITCH_PX)
    }

    /// The first spot where a block stands free, inside `within` and clear of the lines in `avoid`.
    pub fn find_spot(
        &self,
        lines: &[Words],
        spots: &[Spot],
        within: &Rect,
        avoid: &[(Point, Point)],
    ) -> Option<(Spot, Rect)> {
        let (width, height) = self.block_size(lines);
        spots.iter().find_map(|spot| {
            let bounds = spot.bounds(width, height);
            let clear = |(from, to): &(Point, Point)| bounds.grown(1.5).clip(*from, *to).is_none();
            (within.grown(0.01).holds(&bounds)
                && self.is_free_by(&bounds, LABEL_GAP_PX)
                && avoid.iter().all(clear))
            .then_some((*spot, bounds))
        })
    }

    /// Writes a block of lines into its box.
    pub fn write_block(&mut self, lines: &[Words], spot: Spot, bounds: Rect, halo: Option<Colour>) {
        let x = match spot.align {
            Align::Start => bounds.left,
            Align::Middle => bounds.centre().x,
            Align::End => bounds.right,
        };
        for (index, line) in lines.iter().enumerate() {
            let top = bounds.top + index as f64 * size::LINE_PITCH_PX;
            let baseline =
                top + (size::LINE_PITCH_PX - line.size_px) / 2.0 + (ASCENT + 0.05) * line.size_px;
            self.write(line, point(x, baseline), spot.align, halo);
        }
    }

    /// Writes the first of several wordings of a block, longest first, that finds a spot; returns its box.
    pub fn place(
        &mut self,
        wordings: &[Vec<Words>],
        spots: &[Spot],
        within: &Rect,
        avoid: &[(Point, Point)],
        halo: Option<Colour>,
    ) -> Option<Rect> {
        for lines in wordings {
            if let Some((spot, bounds)) = self.find_spot(lines, spots, within, avoid) {
                self.write_block(lines, spot, bounds, halo);
                return Some(bounds);
            }
        }
        None
    }
}

/// Least distance between labels side by side.
const LABEL_GAP_PX: f64 = 3.0;

/// The middle of the nearest pixel, where a hairline fills it.
pub fn snap(at: f64) -> f64 {
    at.floor() + 0.5
}

fn rgba(colour: Colour) -> RGBAColor {
    let BackendColor {
        alpha,
        rgb: (red, green, blue),
    } = colour.into();
    RGBAColor(red, green, blue, alpha)
}

fn style(stroke: Stroke) -> ShapeStyle {
    ShapeStyle {
        color: rgba(stroke.colour),
        filled: false,
        stroke_width: unit_length(stroke.width_px),
    }
}

fn label_style(run: &Run, size_px: f64) -> LabelStyle {
    LabelStyle {
        colour: run.colour.into(),
        size: size_px * super::surface::UNITS_PER_PX,
        bold: run.bold,
        anchor: Pos::new(HPos::Left, VPos::Bottom),
    }
}
