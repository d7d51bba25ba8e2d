//! Code that embeds a figure elsewhere.

use model_core::permalink::Sliders;

/// Height of a row of sliders below a figure; two sliders fit side by side in a text column.
const SLIDER_ROW_PX: u32 = 65;
/// Space around the rows.
const AROUND_SLIDERS_PX: u32 = 10;

/// Height of a frame for a figure with this many sliders.
pub fn with_sliders(height_px: u32, sliders: Sliders) -> u32 {
    match sliders.iter().count() as u32 {
        0 => height_px,
        count => height_px + AROUND_SLIDERS_PX + SLIDER_ROW_PX * count.div_ceil(2),
    }
}

/// A figure in a frame. No `style`, which MDX refuses as text, and the spelling of the border that React knows.
pub fn iframe_code(url: &str, title: &str, height: u32) -> String {
    format!(
        "<iframe src=\"{}\" title=\"{title}\" width=\"100%\" height=\"{height}\" frameBorder=\"0\" loading=\"lazy\"></iframe>",
        escape(url)
    )
}

/// A saved picture with a link, in Markdown.
pub fn still_code(file: &str, url: &str, title: &str) -> String {
    format!("[![{title}]({file})]({url})")
}

/// A figure as an element that sizes itself; a plain script, which a host without CORS headers may serve, and a link
/// where it does not run.
pub fn element_code(script: &str, url: &str, title: &str) -> String {
    let (script, url) = (escape(script), escape(url));
    format!(
        "<script src=\"{script}\" async></script>\n<ridgepoint-figure src=\"{url}\"><a href=\"{url}\">{title} – Ridgepoint</a></ridgepoint-figure>"
    )
}

/// Styles that hold the place of an element until its script, which loads late, knows its height.
pub const PLACE: &str = "ridgepoint-figure:not(:defined) {\n  display: block; aspect-ratio: 2; min-height: 400px; max-height: 520px;\n}";

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::inputs::Number;

    #[test]
    fn code_to_embed_is_escaped() {
        let code = iframe_code("https://a.b/?v=1&embed=memory", "Does it fit?", 420);
        assert!(
            code.contains("src=\"https://a.b/?v=1&amp;embed=memory\""),
            "{code}"
        );
        assert!(!code.contains("style="), "MDX takes no text for a style");
        let few = Sliders::NONE.with(Number::Batch, true);
        assert_eq!(with_sliders(420, Sliders::NONE), 420);
        assert_eq!(with_sliders(420, few), 495);
        let still = still_code("figure.svg", "https://a.b/?v=1", "Why?");
        assert_eq!(still, "[![Why?](figure.svg)](https://a.b/?v=1)");
        let code = element_code("https://a.b/embed.js", "https://a.b/?v=1&x=\"", "Why?");
        let link = "<a href=\"https://a.b/?v=1&amp;x=&quot;\">Why? – Ridgepoint</a>";
        assert!(
            code.contains("src=\"https://a.b/?v=1&amp;x=&quot;\">") && code.contains(link),
            "{code}"
        );
    }
}
