//! Code that embeds a figure in another web page.

use model_core::permalink::Sliders;

/// Height of one row of sliders below an embedded figure, in CSS px. Two sliders fit side by side in a text column.
const SLIDER_ROW_PX: u32 = 65;
/// Vertical space around the rows of sliders, in CSS px.
const AROUND_SLIDERS_PX: u32 = 10;

/// Returns the height of an iframe for a figure with these sliders, in CSS px. `height_px` is the height without
/// sliders.
pub fn with_sliders(height_px: u32, sliders: Sliders) -> u32 {
    match sliders.iter().count() as u32 {
        0 => height_px,
        count => height_px + AROUND_SLIDERS_PX + SLIDER_ROW_PX * count.div_ceil(2),
    }
}

/// Returns HTML that embeds a figure in an iframe. The tag has no `style` attribute, because MDX rejects a `style` that
/// is a string. `frameBorder` is spelled as React expects.
pub fn iframe_code(url: &str, title: &str, height: u32) -> String {
    format!(
        "<iframe src=\"{}\" title=\"{title}\" width=\"100%\" height=\"{height}\" frameBorder=\"0\" loading=\"lazy\"></iframe>",
        escape(url)
    )
}

/// Returns Markdown that shows a saved picture of a figure and links the picture to the figure's permalink.
pub fn still_code(file: &str, url: &str, title: &str) -> String {
    format!("[![{title}]({file})]({url})")
}

/// Returns HTML with a custom element that sets its own height. The element's script is not a module, so that hosts
/// without CORS headers can serve it. Where scripts do not run, a permalink is shown.
pub fn element_code(script: &str, url: &str, title: &str) -> String {
    let (script, url) = (escape(script), escape(url));
    format!(
        "<script src=\"{script}\" async></script>\n<ridgepoint-figure src=\"{url}\"><a href=\"{url}\">{title} – Ridgepoint</a></ridgepoint-figure>"
    )
}

/// CSS that reserves space for an embedded figure until its script has loaded and sets the height.
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
