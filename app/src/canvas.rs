//! Draws a picture on a `<canvas>`. This is the only drawing code that calls browser APIs.
//!
//! Curves, polygons and circles go through plotters' canvas backend, on a context whose unit is 1/16 of a device
//! pixel. With this backend, redrawing during a slider drag is as fast as with direct calls to the canvas context, to
//! within 2%. A thin layer adds what the backend lacks: text with halos, weights and angles; many lines as one path;
//! lines and boxes on whole pixels.

use answer::picture::geometry::{Point, Rect, rect};
use answer::picture::{Line, Mark, Measure, Picture, Shape, Text, UNITS_PER_PX};

use answer::theme::{Colour, FONT_FAMILY, size};
use plotters::style::{RGBAColor, ShapeStyle};
use plotters_backend::{BackendColor, BackendCoord, DrawingBackend};
use plotters_canvas::CanvasBackend;
use std::cell::RefCell;
use std::collections::BTreeMap;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// Paints a picture over the whole canvas at `ratio` device pixels per CSS px; returns `None` if the canvas has no 2D
/// context.
pub fn paint(
    canvas: &HtmlCanvasElement,
    picture: &Picture,
    glow: Option<&Picture>,
    background: Colour,
    ratio: f64,
) -> Option<()> {
    let ratio = ratio.max(0.5);
    let (width, height) = pixels(picture, ratio);
    // Setting a canvas's size clears its bitmap, even if the size does not change.
    if canvas.width() != width || canvas.height() != height {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    let mut replay = Replay::on(canvas, ratio)?;
    replay.ground(
        background,
        rect(0.0, 0.0, f64::from(width), f64::from(height)),
    );
    for mark in picture.lit(glow) {
        replay.mark(mark);
    }
    Some(())
}

/// Repaints only the areas that the previous or the new highlight covers. Returns `None` without painting if the canvas
/// size differs from the picture's.
pub fn repaint(
    canvas: &HtmlCanvasElement,
    picture: &Picture,
    (before, now): (Option<&Picture>, Option<&Picture>),
    background: Colour,
    ratio: f64,
) -> Option<()> {
    let ratio = ratio.max(0.5);
    if (canvas.width(), canvas.height()) != pixels(picture, ratio) {
        return None;
    }
    let patches = picture.patches([before, now]);
    let mut replay = Replay::on(canvas, ratio)?;
    // Patches cover whole device pixels, so that each is painted exactly as in a full repaint.
    for patch in &patches {
        let whole = rect(
            (patch.left * ratio).floor(),
            (patch.top * ratio).floor(),
            (patch.right * ratio).ceil(),
            (patch.bottom * ratio).ceil(),
        );
        replay.context.save();
        replay.context.begin_path();
        let [x, y, across, down] =
            [whole.left, whole.top, whole.width(), whole.height()].map(|px| px * UNITS_PER_PX);
        replay.context.rect(x, y, across, down);
        replay.context.clip();
        replay.ground(background, whole);
        replay.within = Some(rect(
            whole.left / ratio,
            whole.top / ratio,
            whole.right / ratio,
            whole.bottom / ratio,
        ));
        for mark in picture.lit(now) {
            replay.mark(mark);
        }
        replay.context.restore();
        replay.bold = None;
    }
    Some(())
}

/// Returns the width and height of a picture in device pixels.
fn pixels(picture: &Picture, ratio: f64) -> (u32, u32) {
    let pixels = |px: f64| (px.max(1.0) * ratio).round() as u32;
    (pixels(picture.size_px.0), pixels(picture.size_px.1))
}

/// Returns the number of device pixels per CSS px on this screen.
pub fn density() -> f64 {
    web_sys::window().map_or(1.0, |window| window.device_pixel_ratio())
}

fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}

/// Scales the context to [`UNITS_PER_PX`] units per device pixel; everything except text is drawn in these units.
fn in_units(context: &CanvasRenderingContext2d) -> Result<(), wasm_bindgen::JsValue> {
    let scale = 1.0 / UNITS_PER_PX;
    context.set_transform(scale, 0.0, 0.0, scale, 0.0, 0.0)
}

/// Font size, in px, at which text is measured: large enough that no glyph is hinted.
const FACE_PX: f64 = 160.0;

struct Replay {
    context: CanvasRenderingContext2d,
    backend: CanvasBackend,
    /// Units of the scaled canvas context per CSS px.
    units: f64,
    /// Box, in CSS px, to which painting is limited; `None` means the whole canvas.
    within: Option<Rect>,
    /// True if the active font is bold; `None` if no font is set yet. All text is set at one size and scaled, because
    /// changing the font takes longer than drawing a word.
    bold: Option<bool>,
}

impl Replay {
    fn on(canvas: &HtmlCanvasElement, ratio: f64) -> Option<Self> {
        let context = context(canvas)?;
        in_units(&context).ok()?;
        context.set_line_join("round");
        context.set_text_baseline("alphabetic");
        context.set_text_align("left");
        Some(Self {
            context,
            backend: CanvasBackend::with_canvas_object(canvas.clone())?,
            units: ratio * UNITS_PER_PX,
            within: None,
            bold: None,
        })
    }

    /// Fills a box, given in device pixels, with the background color.
    fn ground(&self, background: Colour, area: Rect) {
        self.context.set_fill_style_str(&background.to_string());
        let [x, y, across, down] =
            [area.left, area.top, area.width(), area.height()].map(|px| px * UNITS_PER_PX);
        self.context.fill_rect(x, y, across, down);
    }

    fn reaches(&self, extent: &Rect) -> bool {
        self.within.is_none_or(|area| area.overlaps(extent))
    }

    // Ignores canvas errors: the chart's table still has the numbers.
    fn mark(&mut self, mark: &Mark) {
        if self.within.is_some() && !mark.extents().iter().any(|extent| self.reaches(extent)) {
            return;
        }
        let (ink, width_px, shapes) = match mark {
            Mark::Text(text) => {
                let _ = self.words(text);
                return;
            }
            Mark::Shapes {
                ink,
                width_px,
                shapes,
            } => (*ink, *width_px, shapes.as_slice()),
        };
        match (shapes, width_px) {
            ([Shape::Line(line)], Some(width_px)) if !line.rule && !line.closed => {
                let path: Vec<BackendCoord> = line.through.iter().map(|at| self.at(*at)).collect();
                let style = self.style(ink, width_px, false);
                let _ = self.backend.draw_path(path, &style);
            }
            ([Shape::Line(_), ..], Some(width_px)) => self.strokes(ink, width_px, shapes),
            ([Shape::Line(line), ..], None) => {
                let corners = line.through.iter().map(|at| self.at(*at));
                let corners: Vec<BackendCoord> = corners.collect();
                let style = self.style(ink, 1.0, true);
                let _ = self.backend.fill_polygon(corners, &style);
            }
            ([_, _, ..], None) | ([Shape::Box(_)], _) => self.fills(ink, shapes),
            _ => {
                for shape in shapes {
                    if let Shape::Circle(centre, radius) = shape {
                        let filled = width_px.is_none();
                        self.circle(ink, width_px.unwrap_or(1.0), *centre, *radius, filled);
                    }
                }
            }
        }
    }

    fn circle(&mut self, ink: Colour, width_px: f64, centre: Point, radius: f64, fill: bool) {
        let style = self.style(ink, width_px, fill);
        let radius = (radius * self.units).round() as u32;
        let centre = self.at(centre);
        let _ = self.backend.draw_circle(centre, radius, &style, fill);
    }

    /// Fills shapes of one color: boxes one by one, discs as a single path.
    fn fills(&self, ink: Colour, shapes: &[Shape]) {
        let context = &self.context;
        context.set_fill_style_str(&css(ink));
        context.begin_path();
        for shape in shapes {
            match shape {
                Shape::Line(_) => {}
                Shape::Box(area) => {
                    let (x, y) = (self.pixel(area.left), self.pixel(area.top));
                    // Thin boxes are at least one device pixel wide and high.
                    let across = (self.pixel(area.right) - x).max(UNITS_PER_PX);
                    let down = (self.pixel(area.bottom) - y).max(UNITS_PER_PX);
                    context.fill_rect(x, y, across, down);
                }
                Shape::Circle(centre, radius) => {
                    let [x, y, radius] = [centre.x, centre.y, *radius].map(|px| px * self.units);
                    context.move_to(x + radius, y);
                    let _ = context.arc(x, y, radius, 0.0, std::f64::consts::TAU);
                }
            }
        }
        context.fill();
    }

    /// Strokes lines of one color and width. Horizontal and vertical rules form one path, a whole number of device
    /// pixels wide; all other lines form a second path.
    fn strokes(&self, ink: Colour, width_px: f64, shapes: &[Shape]) {
        let context = &self.context;
        context.set_stroke_style_str(&css(ink));
        let width = width_px * self.units;
        let sharp = (width / UNITS_PER_PX).round().max(1.0) * UNITS_PER_PX;
        let is_rule = |line: &&Line| line.rule;
        let lines = shapes.iter().filter_map(|shape| match shape {
            Shape::Line(line) => Some(line),
            _ => None,
        });
        let (rules, others): (Vec<&Line>, Vec<&Line>) = lines.partition(is_rule);
        for (lines, width) in [(others, width), (rules, sharp)] {
            if lines.is_empty() {
                continue;
            }
            context.begin_path();
            for line in lines {
                if !self.reaches(&line.extent().grown(width_px + 1.0)) {
                    continue;
                }
                for (index, at) in line.through.iter().enumerate() {
                    let (mut x, mut y) = (at.x * self.units, at.y * self.units);
                    if line.rule {
                        // A rule is horizontal or vertical. Snap its edges to boundaries between device pixels.
                        let first = line.through.first().unwrap_or(at);
                        let last = line.through.last().unwrap_or(at);
                        let edge = |middle: f64| {
                            let edge = (middle - width / 2.0) / UNITS_PER_PX;
                            edge.round() * UNITS_PER_PX + width / 2.0
                        };
                        if (first.x - last.x).abs() < 1e-9 {
                            x = edge(x);
                        } else {
                            y = edge(y);
                        }
                    }
                    if index == 0 {
                        context.move_to(x, y);
                    } else {
                        context.line_to(x, y);
                    }
                }
                if line.closed {
                    context.close_path();
                }
            }
            context.set_line_width(width);
            context.stroke();
        }
    }

    fn words(&mut self, text: &Text) -> Result<(), wasm_bindgen::JsValue> {
        let context = &self.context;
        if self.bold != Some(text.bold) {
            context.set_font(&face(FACE_PX, text.bold));
            self.bold = Some(text.bold);
        }
        let ratio = self.units / UNITS_PER_PX;
        let scale = text.size_px * ratio / FACE_PX;
        let (x, y) = (text.at.x * ratio, text.at.y * ratio);
        context.set_transform(scale, 0.0, 0.0, scale, x, y)?;
        if text.degrees != 0.0 {
            context.rotate(text.degrees.to_radians())?;
        }
        if let Some(halo) = text.halo {
            context.set_stroke_style_str(&css(halo));
            context.set_line_width(size::HALO_PX * ratio / scale);
            context.stroke_text(&text.words, 0.0, 0.0)?;
        }
        context.set_fill_style_str(&css(text.ink));
        context.fill_text(&text.words, 0.0, 0.0)?;
        in_units(context)
    }

    fn at(&self, at: Point) -> BackendCoord {
        (
            (at.x * self.units).round() as i32,
            (at.y * self.units).round() as i32,
        )
    }

    /// Returns the nearest boundary between device pixels, in context units.
    fn pixel(&self, px: f64) -> f64 {
        (px * self.units / UNITS_PER_PX).round() * UNITS_PER_PX
    }

    fn style(&self, ink: Colour, width_px: f64, filled: bool) -> ShapeStyle {
        let BackendColor {
            alpha,
            rgb: (red, green, blue),
        } = ink.into();
        ShapeStyle {
            color: RGBAColor(red, green, blue, alpha),
            filled,
            stroke_width: (width_px * self.units).round().max(1.0) as u32,
        }
    }
}

fn css(ink: Colour) -> String {
    ink.to_string()
}

fn face(size: f64, bold: bool) -> String {
    let weight = if bold { 600 } else { 400 };
    format!("{weight} {size}px {FONT_FAMILY}")
}

/// Measures the width of text in the page's font.
pub struct PageFont;

/// Text widths measured at [`FACE_PX`] for one font weight. The cache key is the text with every digit replaced by 0,
/// because all digits have the same width. The invisible canvas used for measuring is attached to the page.
struct Face {
    canvas: Option<HtmlCanvasElement>,
    context: Option<CanvasRenderingContext2d>,
    widths: BTreeMap<String, f64>,
}

/// Maximum number of cached widths per font weight; no page of charts needs more.
const MOST_WIDTHS: usize = 4000;

thread_local! {
    /// Text-width caches for the regular and the bold font.
    static FACES: RefCell<[Option<Face>; 2]> = const { RefCell::new([None, None]) };
    /// Reused text buffer in which every digit is replaced by 0.
    static ZEROS: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Discards the measured widths. Call this after a web font has loaded, before drawing again.
pub fn forget_text_widths() {
    FACES.with_borrow_mut(|faces| *faces = [None, None]);
}

impl Face {
    fn of(bold: bool) -> Self {
        let document = web_sys::window().and_then(|window| window.document());
        let canvas = document.and_then(|document| {
            let canvas = document.create_element("canvas").ok()?;
            let canvas: HtmlCanvasElement = canvas.unchecked_into();
            canvas.set_hidden(true);
            document.body()?.append_child(&canvas).ok()?;
            Some(canvas)
        });
        let context = canvas.as_ref().and_then(context);
        if let Some(context) = &context {
            context.set_font(&face(FACE_PX, bold));
        }
        Self {
            canvas,
            context,
            widths: BTreeMap::new(),
        }
    }

    /// Returns the width of `words`, in multiples of the font size. Every digit in `words` must already be replaced
    /// by 0.
    fn width(&mut self, words: &str) -> f64 {
        if let Some(width) = self.widths.get(words) {
            return *width;
        }
        let measured = self.context.as_ref();
        let measured = measured.and_then(|context| context.measure_text(words).ok());
        // If measuring fails, assume wide letters: a label may then be omitted, but is never clipped.
        let wide = words.chars().count() as f64 * 0.7;
        let width = measured.map_or(wide, |metrics| metrics.width() / FACE_PX);
        if self.widths.len() >= MOST_WIDTHS {
            self.widths.clear();
        }
        self.widths.insert(words.to_owned(), width);
        width
    }
}

impl Drop for Face {
    fn drop(&mut self) {
        if let Some(canvas) = &self.canvas {
            canvas.remove();
        }
    }
}

impl Measure for PageFont {
    fn width_px(&self, words: &str, size_px: f64, bold: bool) -> f64 {
        let width = ZEROS.with_borrow_mut(|zeros| {
            zeros.clear();
            let digits_as_0 = |letter: char| if letter.is_ascii_digit() { '0' } else { letter };
            zeros.extend(words.chars().map(digits_as_0));
            FACES.with_borrow_mut(|faces| {
                let face = faces[usize::from(bold)].get_or_insert_with(|| Face::of(bold));
                face.width(zeros)
            })
        });
        width * size_px
    }
}
