//! A chart on a `<canvas>`: the only chart file that knows the browser.

use super::surface::{DrawError, LabelStyle, Surface, UNITS_PER_PX, surface_basics};
use super::{Figure, Hits};

use crate::theme::{Colour, FONT_FAMILY, Theme};
use plotters_backend::text_anchor::HPos;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// Paints a figure over a canvas, sharp on this screen; returns what can be pointed at.
pub fn paint<F: Figure>(
    canvas: &HtmlCanvasElement,
    figure: &F,
    theme: &Theme,
    size_px: (f64, f64),
    focus: Option<usize>,
) -> Result<Hits, DrawError<CanvasSurface>> {
    let ratio = web_sys::window().map_or(1.0, |window| window.device_pixel_ratio());
    paint_scaled(canvas, figure, theme, size_px, focus, ratio.max(0.5))
}

/// As [`paint`] with `ratio` device pixels to a CSS px: a PNG export is painted larger than the screen needs.
pub fn paint_scaled<F: Figure>(
    canvas: &HtmlCanvasElement,
    figure: &F,
    theme: &Theme,
    size_px: (f64, f64),
    focus: Option<usize>,
    ratio: f64,
) -> Result<Hits, DrawError<CanvasSurface>> {
    let mut surface = CanvasSurface::new(canvas, theme.background, size_px, ratio)
        .map_err(DrawingErrorKind::DrawingError)?;
    figure.draw(&mut surface, theme, focus)
}

/// Forgets the measured widths: call it when a web font has arrived, before painting again.
pub fn forget_text_widths() {
    WIDTHS.with_borrow_mut(HashMap::clear);
}

/// What a canvas said when it could not draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanvasError(String);

impl fmt::Display for CanvasError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the canvas cannot draw: {}", self.0)
    }
}

impl std::error::Error for CanvasError {}

impl From<JsValue> for CanvasError {
    fn from(value: JsValue) -> Self {
        Self(format!("{value:?}"))
    }
}

/// A canvas as a surface. Strokes of one style in a row, and discs of one colour, become one path.
pub struct CanvasSurface {
    context: CanvasRenderingContext2d,
    size: (u32, u32),
    ratio: f64,
    pending: Option<Pending>,
    /// The fill that the context has.
    filled: Option<Ink>,
}

#[derive(Clone, Copy, PartialEq)]
enum Pending {
    Stroke { colour: Ink, width: f64 },
    Discs { colour: Ink },
}

/// A colour that can be compared: red, green, blue, and alpha in thousandths.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ink(u8, u8, u8, u16);

impl From<BackendColor> for Ink {
    fn from(colour: BackendColor) -> Self {
        let (red, green, blue) = colour.rgb;
        Self(red, green, blue, (colour.alpha * 1000.0).round() as u16)
    }
}

impl Ink {
    fn css(self) -> String {
        let Self(red, green, blue, alpha) = self;
        format!("rgba({red},{green},{blue},{})", f64::from(alpha) / 1000.0)
    }
}

type Drawn = Result<(), DrawingErrorKind<CanvasError>>;

/// Widths by type size in units and weight, then by text.
type Widths = HashMap<(u32, bool), HashMap<String, f64>>;

/// More than any page of charts shows; a drag makes new numbers all the time.
const MOST_WIDTHS: usize = 4000;

thread_local! {
    static WIDTHS: RefCell<Widths> = RefCell::new(HashMap::new());
}

impl CanvasSurface {
    /// A cleared canvas of a size in CSS px.
    fn new(
        canvas: &HtmlCanvasElement,
        background: Colour,
        (width_px, height_px): (f64, f64),
        ratio: f64,
    ) -> Result<Self, CanvasError> {
        let context = canvas
            .get_context("2d")?
            .and_then(|context| context.dyn_into::<CanvasRenderingContext2d>().ok())
            .ok_or_else(|| CanvasError("no 2d context".to_owned()))?;
        let pixels = |px: f64| (px.max(1.0) * ratio).round() as u32;
        let (width, height) = (pixels(width_px), pixels(height_px));
        // Setting a size throws the bitmap away, even when it stays the same.
        if canvas.width() != width || canvas.height() != height {
            canvas.set_width(width);
            canvas.set_height(height);
        }
        context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0)?;
        context.set_line_join("round");
        context.set_text_baseline("alphabetic");
        context.set_fill_style_str(&background.to_string());
        context.fill_rect(0.0, 0.0, width_px + 1.0, height_px + 1.0);
        let units = |px: f64| (px.max(1.0) * UNITS_PER_PX).round() as u32;
        Ok(Self {
            context,
            size: (units(width_px), units(height_px)),
            ratio,
            pending: None,
            filled: None,
        })
    }

    /// Makes the path collect marks of this kind, drawing what it holds of another.
    fn collect(&mut self, kind: Pending) {
        if self.pending != Some(kind) {
            self.flush();
            self.context.begin_path();
            self.pending = Some(kind);
        }
    }

    fn flush(&mut self) {
        match self.pending.take() {
            Some(Pending::Stroke { colour, width }) => {
                self.context.set_stroke_style_str(&colour.css());
                self.context.set_line_width(width);
                self.context.stroke();
            }
            Some(Pending::Discs { colour }) => {
                self.fill_with(colour);
                self.context.fill();
            }
            None => {}
        }
    }

    fn fill_style(&mut self, style: &impl BackendStyle) {
        self.flush();
        self.fill_with(style.color().into());
    }

    /// Sets the fill, which a browser parses as text, unless it is set already.
    fn fill_with(&mut self, ink: Ink) {
        if self.filled != Some(ink) {
            self.context.set_fill_style_str(&ink.css());
            self.filled = Some(ink);
        }
    }

    fn trace(&self, corners: impl IntoIterator<Item = BackendCoord>) {
        for (index, corner) in corners.into_iter().enumerate() {
            let (x, y) = px(corner);
            if index == 0 {
                self.context.move_to(x, y);
            } else {
                self.context.line_to(x, y);
            }
        }
    }

    /// The width of a stroke in whole device pixels, and the middle that puts its edges between pixels.
    fn sharp(&self, middle: f64, width: f64) -> (f64, f64) {
        let pixels = (width * self.ratio).round().max(1.0);
        let edge = (middle * self.ratio - pixels / 2.0).round();
        ((edge + pixels / 2.0) / self.ratio, pixels / self.ratio)
    }

    fn set_font(&self, style: &LabelStyle) {
        let weight = if style.bold { 600 } else { 400 };
        self.context.set_font(&format!(
            "{weight} {}px {FONT_FAMILY}",
            style.size / UNITS_PER_PX
        ));
    }

    fn measure(&self, text: &str, style: &LabelStyle) -> Result<f64, CanvasError> {
        let key = (style.size as u32, style.bold);
        let known = WIDTHS.with_borrow(|widths| widths.get(&key)?.get(text).copied());
        if let Some(width) = known {
            return Ok(width);
        }
        self.set_font(style);
        let width = self.context.measure_text(text)?.width();
        WIDTHS.with_borrow_mut(|widths| {
            let widths = widths.entry(key).or_default();
            if widths.len() >= MOST_WIDTHS {
                widths.clear();
            }
            widths.insert(text.to_owned(), width);
        });
        Ok(width)
    }
}

impl DrawingBackend for CanvasSurface {
    type ErrorType = CanvasError;

    surface_basics!();

    fn present(&mut self) -> Drawn {
        self.flush();
        Ok(())
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        let width = f64::from(style.stroke_width()) / UNITS_PER_PX;
        let ((mut x1, mut y1), (mut x2, mut y2)) = (px(from), px(to));
        let mut sharp_width = width;
        if from.0 == to.0 {
            (x1, sharp_width) = self.sharp(x1, width);
            x2 = x1;
        } else if from.1 == to.1 {
            (y1, sharp_width) = self.sharp(y1, width);
            y2 = y1;
        }
        self.collect(Pending::Stroke {
            colour: style.color().into(),
            width: sharp_width,
        });
        self.context.move_to(x1, y1);
        self.context.line_to(x2, y2);
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let width = f64::from(style.stroke_width()) / UNITS_PER_PX;
        self.collect(Pending::Stroke {
            colour: style.color().into(),
            width,
        });
        self.trace(path);
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        if !fill {
            let width = f64::from(style.stroke_width()) / UNITS_PER_PX;
            self.collect(Pending::Stroke {
                colour: style.color().into(),
                width,
            });
            self.trace([from, (to.0, from.1), to, (from.0, to.1)]);
            self.context.close_path();
            return Ok(());
        }
        self.fill_style(style);
        let pixel = |at: f64| (at * self.ratio).round() / self.ratio;
        let ((left, top), (right, bottom)) = (px(from), px(to));
        let (x, y) = (pixel(left), pixel(top));
        // A sliver keeps a pixel.
        let least = 1.0 / self.ratio;
        self.context.fill_rect(
            x,
            y,
            (pixel(right) - x).max(least),
            (pixel(bottom) - y).max(least),
        );
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let colour = style.color().into();
        let width = f64::from(style.stroke_width()) / UNITS_PER_PX;
        self.collect(if fill {
            Pending::Discs { colour }
        } else {
            Pending::Stroke { colour, width }
        });
        let ((x, y), radius) = (px(centre), f64::from(radius) / UNITS_PER_PX);
        self.context.move_to(x + radius, y);
        self.context
            .arc(x, y, radius, 0.0, std::f64::consts::TAU)
            .map_err(failed)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        self.fill_style(style);
        self.context.begin_path();
        self.trace(corners);
        self.context.fill();
        Ok(())
    }

    fn estimate_text_size<T: BackendTextStyle>(
        &self,
        text: &str,
        style: &T,
    ) -> Result<(u32, u32), DrawingErrorKind<CanvasError>> {
        let width = self
            .measure(text, &LabelStyle::of(style))
            .map_err(DrawingErrorKind::DrawingError)?;
        Ok(((width * UNITS_PER_PX).round() as u32, style.size() as u32))
    }
}

impl Surface for CanvasSurface {
    fn draw_label(
        &mut self,
        text: &str,
        style: &LabelStyle,
        at: BackendCoord,
        degrees: f64,
        halo: Option<(BackendColor, u32)>,
    ) -> Drawn {
        self.flush();
        let (x, y) = px(at);
        self.set_font(style);
        self.context.set_text_align(match style.anchor.h_pos {
            HPos::Left => "left",
            HPos::Center => "center",
            HPos::Right => "right",
        });
        self.context.save();
        self.context.translate(x, y).map_err(failed)?;
        self.context.rotate(degrees.to_radians()).map_err(failed)?;
        if let Some((colour, width)) = halo {
            self.context.set_stroke_style_str(&Ink::from(colour).css());
            self.context.set_line_width(f64::from(width) / UNITS_PER_PX);
            self.context.stroke_text(text, 0.0, 0.0).map_err(failed)?;
        }
        self.context
            .set_fill_style_str(&Ink::from(style.colour).css());
        self.context.fill_text(text, 0.0, 0.0).map_err(failed)?;
        self.context.restore();
        Ok(())
    }
}

fn px((x, y): BackendCoord) -> (f64, f64) {
    (f64::from(x) / UNITS_PER_PX, f64::from(y) / UNITS_PER_PX)
}

fn failed(value: JsValue) -> DrawingErrorKind<CanvasError> {
    DrawingErrorKind::DrawingError(value.into())
}
