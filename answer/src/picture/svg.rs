//! Writes pictures as SVG, for exports and tests.

use super::geometry::Point;
use super::{Mark, Picture, Shape, Text};

use crate::theme::{Colour, FONT_FAMILY, Theme};
use std::fmt::Write;

/// Returns a picture as an SVG document with a title, optionally with a highlight drawn over the picture.
pub fn document(picture: &Picture, glow: Option<&Picture>, theme: &Theme, title: &str) -> String {
    let (width, height) = picture.size_px;
    let mut body = String::with_capacity(16_384);
    for mark in picture.lit(glow) {
        // Writing into a String cannot fail.
        let _ = element(&mut body, mark);
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" font-family=\"{}\" \
         font-variant=\"tabular-nums\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n{body}</svg>\n",
        escape(FONT_FAMILY),
        escape(title),
        theme.background,
    )
}

fn element(body: &mut String, mark: &Mark) -> std::fmt::Result {
    let (ink, width_px, shapes) = match mark {
        Mark::Text(text) => return words(body, text),
        Mark::Shapes {
            ink,
            width_px,
            shapes,
        } => (*ink, width_px, shapes),
    };
    let paint = match width_px {
        Some(width_px) => {
            let (width, paint) = (px(*width_px), paint("stroke", ink));
            format!(" fill=\"none\" stroke-width=\"{width}\"{paint}")
        }
        None => paint("fill", ink),
    };
    let mut path = String::new();
    for shape in shapes {
        match shape {
            Shape::Line(line) => outline(&mut path, &line.through, line.closed),
            Shape::Box(area) => {
                let [x, y] = [area.left, area.top].map(px);
                let [width, height] = [area.width(), area.height()].map(px);
                let size = format!("width=\"{width}\" height=\"{height}\"");
                writeln!(body, "<rect x=\"{x}\" y=\"{y}\" {size}{paint}/>")?;
            }
            Shape::Circle(Point { x, y }, radius) => {
                let [x, y, r] = [*x, *y, *radius].map(px);
                writeln!(body, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{paint}/>")?;
            }
        }
    }
    if path.is_empty() {
        return Ok(());
    }
    writeln!(body, "<path d=\"{path}\"{paint}/>")
}

fn words(body: &mut String, text: &Text) -> std::fmt::Result {
    let (x, y) = (px(text.at.x), px(text.at.y));
    let mut attributes = String::new();
    if text.bold {
        attributes.push_str(" font-weight=\"600\"");
    }
    if text.degrees != 0.0 {
        write!(
            attributes,
            " transform=\"rotate({:.2} {x} {y})\"",
            text.degrees
        )?;
    }
    if let Some(halo) = text.halo {
        let (width, paint) = (px(crate::theme::size::HALO_PX), paint("stroke", halo));
        write!(
            attributes,
            " paint-order=\"stroke\" stroke-linejoin=\"round\" stroke-width=\"{width}\"{paint}"
        )?;
    }
    let (size, fill) = (px(text.size_px), paint("fill", text.ink));
    writeln!(
        body,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" textLength=\"{:.1}\" \
         lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\"{attributes}{fill}>{}</text>",
        text.width_px,
        escape(&text.words),
    )
}

/// Formats a length in CSS px with at most two decimals, without trailing zeros.
fn px(px: f64) -> String {
    let text = format!("{px:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn outline(path: &mut String, corners: &[Point], closed: bool) {
    for (index, Point { x, y }) in corners.iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{command}{} {}", px(*x), px(*y));
    }
    if closed {
        path.push('Z');
    }
}

fn paint(attribute: &str, ink: Colour) -> String {
    let mut text = format!(" {attribute}=\"#{:06X}\"", ink.rgb);
    if ink.alpha < 1.0 {
        let alpha = (ink.alpha * 1000.0).round() / 1000.0;
        let _ = write!(text, " {attribute}-opacity=\"{alpha}\"");
    }
    text
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
