//! Fills in index.html: replaces each element that names a part of the build with the HTML for that part.
//!
//! Trunk reads the same elements for `cargo xtask serve --dev`, so the elements use Trunk's attributes.

use crate::failure::{Failure, Result};

/// A part of the page, named in index.html by an element marked `data-trunk`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asset<'a> {
    /// A script of the page, given by its file name.
    Script(&'a str),
    /// A style sheet, given by its file name.
    Style(&'a str),
    /// A folder whose files are copied next to the page.
    Folder(&'a str),
    /// The table of measured runs, given by its file name.
    Runs(&'a str),
    /// The page's program.
    Page,
    /// The worker's program.
    Worker,
}

/// Returns the page with each marked element replaced by the text that `make` returns.
pub fn fill(html: &str, mut make: impl FnMut(Asset<'_>) -> Result<String>) -> Result<String> {
    const MARK: &str = " data-trunk ";
    let mut filled = String::new();
    let mut rest = html;
    while let Some(at) = rest.find(MARK) {
        let begin = rest[..at].rfind('<').unwrap_or(at);
        let end = if rest[begin..].starts_with("<script") {
            "</script>"
        } else {
            ">"
        };
        let end = rest[at..]
            .find(end)
            .map_or(rest.len(), |to| at + to + end.len());
        filled.push_str(&rest[..begin]);
        filled.push_str(&make(asset(&rest[begin..end])?)?);
        rest = &rest[end..];
    }
    filled.push_str(rest);
    Ok(filled)
}

fn asset(element: &str) -> Result<Asset<'_>> {
    let is = |name: &str| attribute(element, name);
    let asset = match (is("rel"), is("href").or(is("src")), is("data-type")) {
        (None, Some(file), None) => Some(Asset::Script(file)),
        (Some("css"), Some(file), None) => Some(Asset::Style(file)),
        (Some("copy-dir"), Some(folder), None) => Some(Asset::Folder(folder)),
        (Some("copy-file"), Some(file), None) => Some(Asset::Runs(file)),
        (Some("rust"), Some(_), None) => Some(Asset::Page),
        (Some("rust"), Some(_), Some("worker")) => Some(Asset::Worker),
        _ => None,
    };
    asset.ok_or_else(|| Failure::Wrong {
        what: format!("index.html has an element that `cargo xtask dist` does not know: {element}"),
        advice: "say in xtask/src/entry.rs what it becomes".to_owned(),
    })
}

/// Returns the value of an attribute: `css` for `rel` in `<link rel="css">`.
fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = element.split_once(&format!(" {name}=\""))?;
    value.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_elements_are_replaced() {
        let html = "<script data-trunk src=\"app/start.js\"></script>\n\
                    <link rel=\"icon\" href=\"./icon.svg\">\n\
                    <link data-trunk rel=\"css\" href=\"app/a.css\" data-integrity=\"none\">\n\
                    <link data-trunk rel=\"rust\" href=\"worker/Cargo.toml\" data-type=\"worker\">.";
        let filled = fill(html, |asset| Ok(format!("{asset:?}"))).unwrap();
        let expected = "Script(\"app/start.js\")\n<link rel=\"icon\" href=\"./icon.svg\">\n\
                        Style(\"app/a.css\")\nWorker.";
        assert_eq!(filled, expected);
    }

    #[test]
    fn unknown_elements_are_refused() {
        let unknown = "<link data-trunk rel=\"sass\" href=\"a.scss\">";
        let refused = fill(unknown, |_| Ok(String::new()))
            .unwrap_err()
            .to_string();
        assert!(refused.contains("a.scss"), "{refused}");
    }
}
