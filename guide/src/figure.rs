//! Figures of the guide: interactive if scripts run, otherwise shown as still images.

use std::path::Path;

use answer::render::Still;

use crate::chapter::PAGE;
use crate::escape;
use crate::value::valid;

/// Widths of still images in CSS px: next to the text, and on a phone.
const WIDTHS: [(f64, &str); 2] = [(720.0, ""), (350.0, "-narrow")];
/// Media query for screens on which the narrow still image is shown.
const NARROW: &str = "(max-width: 600px)";

/// A figure of the guide: its permalink without `?`, its caption, and the name of its image files.
#[derive(Debug, Clone, Copy)]
pub struct Figure<'a> {
    /// Permalink with `embed`; an interactive figure also has `sliders`.
    pub link: &'a str,
    /// Caption below the figure.
    pub words: &'a str,
    /// File name of the figure's still images, without theme and extension.
    pub name: &'a str,
}

impl Figure<'_> {
    /// Writes the still images into `folder` and returns the figure's HTML element.
    ///
    /// Errors: the reason why the permalink is invalid or has no figure, or why an image cannot be written.
    pub fn write(&self, folder: &Path) -> Result<String, String> {
        valid(self.link)?;
        let still = Still::of(self.link).map_err(|why| format!("?{}: {why}", self.link))?;
        let title = match still.question() {
            "" => still.finding(),
            question => question,
        };
        let mut pictures = String::new();
        for (dark, theme) in [(false, "light"), (true, "dark")] {
            let mut sources = String::new();
            for (width, suffix) in WIDTHS.into_iter().rev() {
                let drawn = still.drawn(dark, width);
                let file = format!("{}-{theme}{suffix}.svg", self.name);
                let path = folder.join(&file);
                std::fs::write(&path, drawn.svg)
                    .map_err(|why| format!("{}: {why}", path.display()))?;
                let [width, height] = drawn.size_px.map(|px| px.round());
                let size = format!("width=\"{width}\" height=\"{height}\"");
                let address = format!("./figures/{file}");
                sources.push_str(&match suffix {
                    "" => format!(
                        "<img src=\"{address}\" {size} loading=\"lazy\" alt=\"{}\">",
                        escape(&format!("{title} {}", still.finding())),
                    ),
                    _ => format!("<source media=\"{NARROW}\" srcset=\"{address}\" {size}>"),
                });
            }
            pictures.push_str(&format!(
                "<picture class=\"still-{theme}\">{sources}</picture>\n"
            ));
        }
        let (link, title) = (escape(self.link), escape(title));
        let home = escape(&format!("{}&view={}", alone(self.link), still.view().id()));
        let words = self.words;
        Ok(format!(
            "<figure>\n<ridgepoint-figure src=\"{PAGE}{link}\" title=\"{title}\">\n{pictures}\
             <a href=\"{PAGE}{home}\">Open in Ridgepoint</a>\n</ridgepoint-figure>\n\
             <figcaption>{words}</figcaption>\n</figure>\n"
        ))
    }
}

/// Returns the permalink of a figure's scenario, without `embed` and `sliders`.
fn alone(link: &str) -> String {
    let of_figure = |pair: &&str| !pair.starts_with("embed=") && !pair.starts_with("sliders=");
    link.split('&')
        .filter(of_figure)
        .collect::<Vec<_>>()
        .join("&")
}
