//! An SVG of a chart: what exports and tests look at.

use super::surface::{LabelStyle, Surface, UNITS_PER_PX, surface_basics};
use super::{Figure, metrics};

use crate::theme::{FONT_FAMILY, Theme};
use plotters_backend::text_anchor::HPos;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::convert::Infallible;
use std::fmt::Write;

/// A chart as a complete SVG document of a size in CSS px, with its finding as the accessible name.
pub fn render<F: Figure>(figure: &F, theme: &Theme, (width_px, height_px): (f64, f64)) -> String {
    let mut surface = SvgSurface::new(width_px, height_px);
    // An SVG in memory cannot fail to be drawn on.
    let _ = figure.draw(&mut surface, theme, None);
    surface.document(theme, &figure.finding())
}

/// Collects SVG elements. Strokes of one style in a row become one path: smaller, and a translucent hatch does not
/// darken where its lines meet.
pub struct SvgSurface {
    size: (u32, u32),
    body: String,
    pending: Option<Pending>,
}

struct Pending {
    path: String,
    colour: BackendColor,
    width: u32,
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl SvgSurface {
    /// An empty surface of a size in CSS px.
    pub fn new(width_px: f64, height_px: f64) -> Self {
        let units = |px: f64| (px.max(0.0) * UNITS_PER_PX).round() as u32;
        Self {
            size: (units(width_px), units(height_px)),
            body: String::with_capacity(16_384),
            pending: None,
        }
    }

    /// The finished document.
    pub fn document(mut self, theme: &Theme, title: &str) -> String {
        self.flush();
        let (width, height) = (
            f64::from(self.size.0) / UNITS_PER_PX,
            f64::from(self.size.1) / UNITS_PER_PX,
        );
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" font-family=\"{}\" \
             style=\"font-variant-numeric:tabular-nums\">\n<title>{}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n{}</svg>\n",
            escape(FONT_FAMILY),
            escape(title),
            theme.background,
            self.body,
        )
    }

    fn stroke(
        &mut self,
        path: impl IntoIterator<Item = BackendCoord>,
        closed: bool,
        style: &impl BackendStyle,
    ) {
        let (colour, width) = (style.color(), style.stroke_width());
        if self
            .pending
            .as_ref()
            .is_some_and(|p| p.width != width || !same(p.colour, colour))
        {
            self.flush();
        }
        let pending = self.pending.get_or_insert_with(|| Pending {
            path: String::new(),
            colour,
            width,
        });
        outline(&mut pending.path, path, closed);
    }

    fn flush(&mut self) {
        let Some(pending) = self.pending.take() else {
            return;
        };
        let _ = writeln!(
            self.body,
            "<path d=\"{}\" fill=\"none\" stroke-width=\"{}\"{}/>",
            pending.path,
            px(pending.width as i32),
            paint("stroke", pending.colour),
        );
    }

    fn element(&mut self, arguments: std::fmt::Arguments<'_>) {
        self.flush();
        let _ = self.body.write_fmt(arguments);
        self.body.push('\n');
    }
}

impl DrawingBackend for SvgSurface {
    type ErrorType = Infallible;

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
        self.stroke([from, to], false, style);
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.stroke(path, false, style);
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
            self.stroke([from, (to.0, from.1), to, (from.0, to.1)], true, style);
            return Ok(());
        }
        let (x, y, width, height) = (px(from.0), px(from.1), px(to.0 - from.0), px(to.1 - from.1));
        let paint = paint("fill", style.color());
        self.element(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{paint}/>"
        ));
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let (x, y, radius) = (px(centre.0), px(centre.1), px(radius as i32));
        if fill {
            let paint = paint("fill", style.color());
            self.element(format_args!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{paint}/>"
            ));
        } else {
            let (paint, width) = (
                paint("stroke", style.color()),
                px(style.stroke_width() as i32),
            );
            self.element(format_args!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"none\" stroke-width=\"{width}\"{paint}/>"
            ));
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        let mut path = String::new();
        outline(&mut path, corners, true);
        let paint = paint("fill", style.color());
        self.element(format_args!("<path d=\"{path}\"{paint}/>"));
        Ok(())
    }

    fn estimate_text_size<T: BackendTextStyle>(
        &self,
        text: &str,
        style: &T,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let bold = LabelStyle::of(style).bold;
        Ok((
            (metrics::width(text, bold) * style.size()).round() as u32,
            style.size() as u32,
        ))
    }
}

impl Surface for SvgSurface {
    fn draw_label(
        &mut self,
        text: &str,
        style: &LabelStyle,
        at: BackendCoord,
        degrees: f64,
        halo: Option<(BackendColor, u32)>,
    ) -> Drawn {
        let (x, y) = (px(at.0), px(at.1));
        let length = metrics::width(text, style.bold) * style.size / UNITS_PER_PX;
        let mut attributes = String::new();
        match style.anchor.h_pos {
            HPos::Left => {}
            HPos::Center => attributes.push_str(" text-anchor=\"middle\""),
            HPos::Right => attributes.push_str(" text-anchor=\"end\""),
        }
        if style.bold {
            attributes.push_str(" font-weight=\"600\"");
        }
        if degrees != 0.0 {
            let _ = write!(attributes, " transform=\"rotate({degrees:.2} {x} {y})\"");
        }
        if let Some((colour, width)) = halo {
            let width = px(width as i32);
            let paint = paint("stroke", colour);
            let _ = write!(
                attributes,
                " paint-order=\"stroke\" stroke-linejoin=\"round\" stroke-width=\"{width}\"{paint}"
            );
        }
        let (size, fill) = (px(style.size as i32), paint("fill", style.colour));
        self.element(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" textLength=\"{length:.1}\" \
             lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\"{attributes}{fill}>{}</text>",
            escape(text),
        ));
        Ok(())
    }
}

/// Units as CSS px, with the digits that a sixteenth needs at most.
fn px(units: i32) -> String {
    let text = format!("{:.2}", f64::from(units) / UNITS_PER_PX);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn outline(path: &mut String, corners: impl IntoIterator<Item = BackendCoord>, closed: bool) {
    for (index, (x, y)) in corners.into_iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{command}{} {}", px(x), px(y));
    }
    if closed {
        path.push('Z');
    }
}

fn paint(attribute: &str, colour: BackendColor) -> String {
    let (red, green, blue) = colour.rgb;
    let mut text = format!(" {attribute}=\"#{red:02X}{green:02X}{blue:02X}\"");
    if colour.alpha < 1.0 {
        let _ = write!(
            text,
            " {attribute}-opacity=\"{}\"",
            (colour.alpha * 1000.0).round() / 1000.0
        );
    }
    text
}

fn same(a: BackendColor, b: BackendColor) -> bool {
    a.rgb == b.rgb && (a.alpha - b.alpha).abs() < 1e-6
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
