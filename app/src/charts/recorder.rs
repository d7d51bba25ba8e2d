//! A surface for tests: it draws nothing and remembers every text's box and every mark's extent.

use super::geometry::{Rect, rect};
use super::metrics;
use super::surface::{LabelStyle, Surface, UNITS_PER_PX, surface_basics};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::convert::Infallible;

/// One text as it was set.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Boxes that cover it: one when it is level, several along it when it is turned.
    pub boxes: Vec<Rect>,
}

/// Remembers what is drawn.
pub struct Recorder {
    size: (u32, u32),
    /// Every text in order.
    pub texts: Vec<Written>,
    /// Every corner, centre and end of every mark, in CSS px.
    pub places: Vec<(f64, f64)>,
    /// Widths come out this much larger than the table's: another visitor's font.
    pub stretch: f64,
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl Recorder {
    /// A surface of a size in CSS px.
    pub fn new(width_px: f64, height_px: f64) -> Self {
        let units = |px: f64| (px * UNITS_PER_PX).round() as u32;
        Self {
            size: (units(width_px), units(height_px)),
            texts: Vec::new(),
            places: Vec::new(),
            stretch: 1.0,
        }
    }

    fn place(&mut self, (x, y): BackendCoord) {
        self.places
            .push((f64::from(x) / UNITS_PER_PX, f64::from(y) / UNITS_PER_PX));
    }
}

impl DrawingBackend for Recorder {
    type ErrorType = Infallible;

    surface_basics!();

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, _: &S) -> Drawn {
        self.place(from);
        self.place(to);
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        _style: &S,
    ) -> Drawn {
        path.into_iter().for_each(|at| self.place(at));
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        _style: &S,
        _fill: bool,
    ) -> Drawn {
        self.place(from);
        self.place(to);
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        _radius: u32,
        _style: &S,
        _fill: bool,
    ) -> Drawn {
        self.place(centre);
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        _style: &S,
    ) -> Drawn {
        corners.into_iter().for_each(|at| self.place(at));
        Ok(())
    }

    fn estimate_text_size<T: BackendTextStyle>(
        &self,
        text: &str,
        style: &T,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let width = metrics::width(text, LabelStyle::of(style).bold) * style.size() * self.stretch;
        Ok((width.round() as u32, style.size() as u32))
    }
}

impl Surface for Recorder {
    fn draw_label(
        &mut self,
        text: &str,
        style: &LabelStyle,
        (x, y): BackendCoord,
        degrees: f64,
        _halo: Option<(BackendColor, u32)>,
    ) -> Drawn {
        let size = style.size / UNITS_PER_PX;
        let (x, y) = (f64::from(x) / UNITS_PER_PX, f64::from(y) / UNITS_PER_PX);
        let width = metrics::width(text, style.bold) * size * self.stretch;
        let boxes = if degrees.abs() < 1e-9 {
            // Capitals and figures: what must not touch, whatever a line's leading.
            vec![rect(x, y - 0.73 * size, x + width, y)]
        } else {
            let (sin, cos) = (
                libm::sin(degrees.to_radians()),
                libm::cos(degrees.to_radians()),
            );
            let steps = (width / 4.0).ceil() as usize;
            (0..=steps)
                .map(|i| {
                    let along = width * i as f64 / steps.max(1) as f64;
                    let (cx, cy) = (x + along * cos + 4.0 * sin, y + along * sin - 4.0 * cos);
                    rect(cx - 3.0, cy - 3.0, cx + 3.0, cy + 3.0)
                })
                .collect()
        };
        self.texts.push(Written {
            text: text.to_owned(),
            boxes,
        });
        Ok(())
    }
}
