//! What a chart draws on: a plotters backend with a grid finer than a pixel.
//!
//! plotters' coordinates are integers. A surface counts sixteenths of a CSS px, so that lines lie where they belong on
//! a screen of any density, and stroke widths and text sizes come in the same unit.

use super::geometry::Point;
use plotters_backend::{
    BackendColor, BackendCoord, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontFamily,
    FontStyle, text_anchor,
};
use std::convert::Infallible;

/// Units of the surface in one CSS px.
pub const UNITS_PER_PX: f64 = 16.0;

/// A surface's drawing error.
pub type DrawError<S> = DrawingErrorKind<<S as DrawingBackend>::ErrorType>;

/// A drawing backend that can also set text at an angle and with a halo, which plotters' trait has no words for.
pub trait Surface: DrawingBackend {
    /// Draws text turned by `degrees` (clockwise) about its anchor, over a `halo` of that colour and width if given.
    fn draw_label(
        &mut self,
        text: &str,
        style: &LabelStyle,
        at: BackendCoord,
        degrees: f64,
        halo: Option<(BackendColor, u32)>,
    ) -> Result<(), DrawError<Self>>;

    /// The size in CSS px.
    fn size_px(&self) -> (f64, f64) {
        let (width, height) = self.get_size();
        (
            f64::from(width) / UNITS_PER_PX,
            f64::from(height) / UNITS_PER_PX,
        )
    }
}

/// The parts of a `DrawingBackend` that every [`Surface`] has in common: its size, and pixels and plain
/// text in terms of its boxes and labels. For a surface with a field `size` in units.
macro_rules! surface_basics {
    () => {
        fn get_size(&self) -> (u32, u32) {
            self.size
        }

        fn ensure_prepared(&mut self) -> Drawn {
            Ok(())
        }

        fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Drawn {
            self.draw_rect((x, y), (x + 1, y + 1), &colour, true)
        }

        fn draw_text<T: BackendTextStyle>(
            &mut self,
            text: &str,
            style: &T,
            at: BackendCoord,
        ) -> Drawn {
            self.draw_label(text, &LabelStyle::of(style), at, 0.0, None)
        }
    };
}
pub(super) use surface_basics;

/// A label's type: the page's sans serif, regular or semibold, with tabular figures.
#[derive(Clone, Copy)]
pub struct LabelStyle {
    /// The colour.
    pub colour: BackendColor,
    /// The size in units of the surface.
    pub size: f64,
    /// Semibold instead of regular.
    pub bold: bool,
    /// Which point of the text is put at the given place; vertically `Bottom` means the baseline.
    pub anchor: text_anchor::Pos,
}

impl LabelStyle {
    /// The same type from any plotters text style.
    pub fn of<T: BackendTextStyle>(style: &T) -> Self {
        Self {
            colour: style.color(),
            size: style.size(),
            bold: matches!(style.style(), FontStyle::Bold),
            anchor: style.anchor(),
        }
    }
}

/// A place in CSS px in a surface's units; what lies beyond any screen is held at the edge of the grid.
pub fn units(at: Point) -> BackendCoord {
    (
        (at.x * UNITS_PER_PX).round() as i32,
        (at.y * UNITS_PER_PX).round() as i32,
    )
}

/// A length in CSS px in a surface's units, at least one.
pub fn unit_length(px: f64) -> u32 {
    (px * UNITS_PER_PX).round().max(1.0) as u32
}

impl BackendTextStyle for LabelStyle {
    type FontError = Infallible;

    fn color(&self) -> BackendColor {
        self.colour
    }

    fn size(&self) -> f64 {
        self.size
    }

    fn anchor(&self) -> text_anchor::Pos {
        self.anchor
    }

    fn style(&self) -> FontStyle {
        if self.bold {
            FontStyle::Bold
        } else {
            FontStyle::Normal
        }
    }

    fn family(&self) -> FontFamily<'_> {
        FontFamily::SansSerif
    }

    fn layout_box(&self, _text: &str) -> Result<((i32, i32), (i32, i32)), Self::FontError> {
        // Surfaces measure text themselves.
        Ok(((0, 0), (0, 0)))
    }

    fn draw<E, D: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        _text: &str,
        _pos: BackendCoord,
        _draw: D,
    ) -> Result<Result<(), E>, Self::FontError> {
        // Surfaces set text themselves, never pixel by pixel.
        Ok(Ok(()))
    }
}
