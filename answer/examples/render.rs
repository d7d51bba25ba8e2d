//! Renders the figure of a permalink as SVG or PNG, without a browser.
//!
//! ```text
//! cargo run --release -p answer --example render -- '?v=3&embed=pareto' out.svg
//! cargo run --release -p answer --example render -- '?v=3&embed=pareto' --dark out-dark.png
//! ```
//!
//! `--width 530` sets the width in CSS px. With `title=off` in the permalink, the picture has no title and no
//! scenario line. A PNG has two pixels per CSS px and uses the page's font; no system font is needed or read.

use answer::render::{Still, WIDTH_PX};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::process::ExitCode;
use std::sync::Arc;

const USAGE: &str = "usage: render LINK OUT.svg|OUT.png [--dark] [--width PX]";
/// PNG pixels per CSS px.
const PIXELS: f32 = 2.0;
/// The page's font, in the compressed format (WOFF2) that browsers load.
const INTER: &[u8] = include_bytes!("../../public/fonts/inter-subset.woff2");

fn main() -> ExitCode {
    match render(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn render(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let (mut named, mut dark, mut width) = (Vec::new(), false, WIDTH_PX);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--dark" => dark = true,
            "--width" => {
                let text = arguments.next().ok_or(USAGE)?;
                let number: f64 = text.parse().map_err(|_| USAGE)?;
                width = number.clamp(200.0, 4000.0);
            }
            _ => named.push(argument),
        }
    }
    let [link, out] = named.as_slice() else {
        return Err(USAGE.to_owned());
    };
    let still = Still::of(link).map_err(|why| why.to_string())?;
    let svg = still.drawn(dark || still.is_dark(), width).svg;
    let picture = match out.rsplit_once('.') {
        Some((_, "svg")) => svg.into_bytes(),
        Some((_, "png")) => png(&svg)?,
        _ => return Err(format!("{out}: the file name must end in .svg or .png")),
    };
    std::fs::write(out, picture).map_err(|why| format!("{out}: {why}"))
}

fn png(svg: &str) -> Result<Vec<u8>, String> {
    let font = wuff::decompress_woff2(INTER)
        .map_err(|why| format!("public/fonts/inter-subset.woff2 is not a font: {why}"))?;
    let mut options = Options::default();
    let fonts = Arc::make_mut(&mut options.fontdb);
    fonts.load_font_data(font);
    // The subset's family name differs from the one in the SVG, so make it the sans-serif fallback.
    let face = fonts.faces().next().and_then(|face| face.families.first());
    let (name, _) = face.ok_or("no font: public/fonts/inter-subset.woff2 has no face")?;
    let name = name.clone();
    fonts.set_sans_serif_family(name);
    let tree = Tree::from_str(svg, &options).map_err(|why| format!("cannot render: {why}"))?;
    let size = tree.size().to_int_size().scale_by(PIXELS);
    let size = size.ok_or("cannot render: the picture has no size")?;
    let mut pixels = Pixmap::new(size.width(), size.height())
        .ok_or("cannot render: the picture is too large")?;
    let scale = Transform::from_scale(PIXELS, PIXELS);
    resvg::render(&tree, scale, &mut pixels.as_mut());
    pixels.encode_png().map_err(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that text leaves pixels in the PNG, although no system font is loaded.
    #[test]
    fn texts_have_letters() {
        let of = |words: &str| {
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 90 20\" width=\"90\" height=\"20\" \
                 font-family=\"Inter, sans-serif\"><text x=\"2\" y=\"15\">{words}</text></svg>"
            )
        };
        assert_ne!(png(&of("tok/s")).unwrap(), png(&of("")).unwrap());
    }

    #[test]
    fn mistakes_are_named() {
        let run = |words: &str| render(words.split(' ').map(str::to_owned));
        assert!(run("?v=3&embed=pareto").unwrap_err().starts_with("usage"));
        assert!(run("?v=3 out.svg").unwrap_err().contains("embed=FIGURE"));
        let ending = run("?v=3&embed=roofline out.gif").unwrap_err();
        assert!(ending.contains(".svg or .png"), "{ending}");
    }
}
