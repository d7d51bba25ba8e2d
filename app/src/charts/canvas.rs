//! A picture on a `<canvas>`: the only chart file that knows the browser.
//!
//! Curves, polygons and circles go through plotters' own canvas backend, on a context whose unit is a sixteenth of a
//! device pixel. What the backend cannot do lies in a thin layer beside it: words with halos, weights and angles;
//! many lines as one path; rules and boxes on whole device pixels.

use super::geometry::Point;
use super::picture::{Line, Mark, Measure, Picture, Text, UNITS_PER_PX};

use crate::theme::{Colour, FONT_FAMILY, size};
use plotters::style::{RGBAColor, ShapeStyle};
use plotters_backend::{BackendColor, BackendCoord, DrawingBackend};
use plotters_canvas::CanvasBackend;
use std::cell::RefCell;
use std::collections::HashMap;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// Paints a picture over a canvas, `ratio` device pixels to a CSS px; a canvas without a context stays as it is.
pub fn paint(
    canvas: &HtmlCanvasElement,
    picture: &Picture,
    glow: Option<&Picture>,
    background: Colour,
    ratio: f64,
) -> Option<()> {
    let ratio = ratio.max(0.5);
    let pixels = |px: f64| (px.max(1.0) * ratio).round() as u32;
    let (width, height) = (pixels(picture.size_px.0), pixels(picture.size_px.1));
    // Setting a size throws the bitmap away, even when it stays the same.
    if canvas.width() != width || canvas.height() != height {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    let mut replay = Replay {
        context: context(canvas)?,
        backend: CanvasBackend::with_canvas_object(canvas.clone())?,
        units: ratio * UNITS_PER_PX,
    };
    let scale = 1.0 / UNITS_PER_PX;
    let context = &replay.context;
    context
        .set_transform(scale, 0.0, 0.0, scale, 0.0, 0.0)
        .ok()?;
    context.set_line_join("round");
    context.set_text_baseline("alphabetic");
    context.set_text_align("left");
    context.set_fill_style_str(&background.to_string());
    let (across, down) = (f64::from(width), f64::from(height));
    context.fill_rect(0.0, 0.0, across / scale, down / scale);
    for mark in picture.lit(glow) {
        replay.mark(mark);
    }
    Some(())
}

/// Device pixels in a CSS px of this screen.
pub fn density() -> f64 {
    web_sys::window().map_or(1.0, |window| window.device_pixel_ratio())
}

fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}

struct Replay {
    context: CanvasRenderingContext2d,
    backend: CanvasBackend,
    /// Units of the context in a CSS px.
    units: f64,
}

impl Replay {
    // A mark that a canvas refuses is left out; the chart's table has its number.
    fn mark(&mut self, mark: &Mark) {
        match mark {
            Mark::Stroke {
                ink,
                width_px,
                lines,
            } => match lines.as_slice() {
                [line] if !line.rule && !line.closed => {
                    let style = self.style(*ink, *width_px, false);
                    let path: Vec<BackendCoord> =
                        line.through.iter().map(|at| self.at(*at)).collect();
                    let _ = self.backend.draw_path(path, &style);
                }
                lines => self.strokes(*ink, *width_px, lines),
            },
            Mark::Fill { ink, corners } => {
                let corners: Vec<BackendCoord> = corners.iter().map(|at| self.at(*at)).collect();
                let _ = self
                    .backend
                    .fill_polygon(corners, &self.style(*ink, 1.0, true));
            }
            Mark::Boxes { ink, areas } => {
                self.context.set_fill_style_str(&css(*ink));
                for area in areas {
                    let (x, y) = (self.pixel(area.left), self.pixel(area.top));
                    // A sliver keeps a pixel.
                    let across = (self.pixel(area.right) - x).max(UNITS_PER_PX);
                    let down = (self.pixel(area.bottom) - y).max(UNITS_PER_PX);
                    self.context.fill_rect(x, y, across, down);
                }
            }
            Mark::Discs { ink, discs } => match discs.as_slice() {
                [(centre, radius)] => self.circle(*ink, 1.0, *centre, *radius, true),
                discs => self.discs(*ink, discs),
            },
            Mark::Ring {
                ink,
                width_px,
                centre,
                radius,
            } => self.circle(*ink, *width_px, *centre, *radius, false),
            Mark::Text(text) => {
                let _ = self.words(text);
            }
        }
    }

    fn circle(&mut self, ink: Colour, width_px: f64, centre: Point, radius: f64, fill: bool) {
        let style = self.style(ink, width_px, fill);
        let radius = (radius * self.units).round() as u32;
        let centre = self.at(centre);
        let _ = self.backend.draw_circle(centre, radius, &style, fill);
    }

    /// Many discs of one colour as one path.
    fn discs(&self, ink: Colour, discs: &[(Point, f64)]) {
        let context = &self.context;
        context.set_fill_style_str(&css(ink));
        context.begin_path();
        for (centre, radius) in discs {
            let (x, y, radius) = (
                centre.x * self.units,
                centre.y * self.units,
                radius * self.units,
            );
            context.move_to(x + radius, y);
            let _ = context.arc(x, y, radius, 0.0, std::f64::consts::TAU);
        }
        context.fill();
    }

    /// Lines of one look: rules in one path, a whole number of device pixels wide, the others in another.
    fn strokes(&self, ink: Colour, width_px: f64, lines: &[Line]) {
        let context = &self.context;
        context.set_stroke_style_str(&css(ink));
        let width = width_px * self.units;
        let sharp = (width / UNITS_PER_PX).round().max(1.0) * UNITS_PER_PX;
        let is_rule = |line: &&Line| line.rule;
        let (rules, others): (Vec<&Line>, Vec<&Line>) = lines.iter().partition(is_rule);
        for (lines, width) in [(others, width), (rules, sharp)] {
            if lines.is_empty() {
                continue;
            }
            context.begin_path();
            for line in lines {
                for (index, at) in line.through.iter().enumerate() {
                    let (mut x, mut y) = (at.x * self.units, at.y * self.units);
                    if line.rule {
                        // Of a rule one coordinate stays the same, and its edges lie between pixels.
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

    fn words(&self, text: &Text) -> Result<(), wasm_bindgen::JsValue> {
        let context = &self.context;
        let (x, y) = (text.at.x * self.units, text.at.y * self.units);
        context.set_font(&face(text.size_px * self.units, text.bold));
        let turned = text.degrees != 0.0;
        let (x, y) = if turned {
            context.save();
            context.translate(x, y)?;
            context.rotate(text.degrees.to_radians())?;
            (0.0, 0.0)
        } else {
            (x, y)
        };
        if let Some(halo) = text.halo {
            context.set_stroke_style_str(&css(halo));
            context.set_line_width(size::HALO_PX * self.units);
            context.stroke_text(&text.words, x, y)?;
        }
        context.set_fill_style_str(&css(text.ink));
        context.fill_text(&text.words, x, y)?;
        if turned {
            context.restore();
        }
        Ok(())
    }

    fn at(&self, at: Point) -> BackendCoord {
        (
            (at.x * self.units).round() as i32,
            (at.y * self.units).round() as i32,
        )
    }

    /// The nearest edge between device pixels, in units.
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

/// Measures words with the page's font, on the canvas that will show them.
pub struct PageFont(CanvasRenderingContext2d);

impl PageFont {
    /// On a canvas; `None` where it has no context.
    pub fn of(canvas: &HtmlCanvasElement) -> Option<Self> {
        context(canvas).map(Self)
    }
}

/// Widths by type size in sixteenths and weight, then by text.
type Widths = HashMap<(u32, bool), HashMap<String, f64>>;

/// More than any page of charts shows; a drag makes new numbers all the time.
const MOST_WIDTHS: usize = 4000;

thread_local! {
    static WIDTHS: RefCell<Widths> = RefCell::new(HashMap::new());
}

/// Forgets the measured widths: call it when a web font has arrived, before drawing again.
pub fn forget_text_widths() {
    WIDTHS.with_borrow_mut(HashMap::clear);
}

impl Measure for PageFont {
    fn width_px(&self, words: &str, size_px: f64, bold: bool) -> f64 {
        let key = ((size_px * UNITS_PER_PX) as u32, bold);
        let known = WIDTHS.with_borrow(|widths| widths.get(&key)?.get(words).copied());
        known.unwrap_or_else(|| {
            self.0.set_font(&face(size_px, bold));
            // Where nothing can be measured, letters are taken for wide: labels are left out, never clipped.
            let wide = words.chars().count() as f64 * size_px * 0.7;
            let width = self
                .0
                .measure_text(words)
                .map_or(wide, |metrics| metrics.width());
            WIDTHS.with_borrow_mut(|widths| {
                let widths = widths.entry(key).or_default();
                if widths.len() >= MOST_WIDTHS {
                    widths.clear();
                }
                widths.insert(words.to_owned(), width);
            });
            width
        })
    }
}
