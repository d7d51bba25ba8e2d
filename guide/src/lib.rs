//! Builds the guide as static pages: the chapters in `docs/guide`, filled with computed numbers, and `docs/model.md`.
//!
//! A chapter is Markdown; [`template`] defines the grammar of its numbers and claims. A paragraph that consists of
//! one link to a figure (`[words](../?v=3&…&embed=pareto&sliders=batch)`) becomes that figure: interactive, with
//! still images as a fallback.

mod chapter;
mod figure;
mod html;
mod page;
pub mod template;
pub mod value;

pub use chapter::Chapter;

use std::fs;
use std::path::Path;

use page::{Page, Place};
use value::Desk;

const STYLE: &str = include_str!("guide.css");
const SCRIPT: &str = include_str!("guide.js");

/// The guide's sources: its contents page, its chapters in order, and the model's documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guide {
    /// Markdown of the contents page.
    pub start: String,
    /// The chapters in order.
    pub chapters: Vec<Chapter>,
    /// Markdown of the model's documentation, `docs/model.md`.
    pub model: String,
}

impl Guide {
    /// Reads a folder of chapters, and the model's documentation from the parent folder.
    ///
    /// Errors: a message about a file or folder that cannot be read.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let failed = |why: std::io::Error| format!("{}: {why}", folder.display());
        let mut chapters = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            let text = fs::read_to_string(&path).map_err(failed)?;
            chapters.extend(Chapter::read(&name.unwrap_or_default(), &text));
        }
        chapters.sort_by_key(|chapter| chapter.number);
        let read = |file| fs::read_to_string(folder.join(file)).map_err(failed);
        Ok(Self {
            start: read("README.md")?,
            chapters,
            model: read("../model.md")?,
        })
    }

    /// Writes the pages with their still images, style sheet and script into a folder.
    ///
    /// Errors: a message about a claim that does not hold, an invalid permalink, or a file that cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), String> {
        let figures = folder.join("figures");
        fs::create_dir_all(&figures).map_err(|why| format!("{}: {why}", figures.display()))?;
        let put = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).map_err(|why| format!("{}: {why}", path.display()))
        };
        let mut desk = Desk::default();
        let mut write = |chapter: &Chapter, place: Place| {
            let filled = chapter.filled(&mut desk, html::number)?;
            let page = Page {
                title: &chapter.title,
                place,
                content: &html::sections(chapter, &filled, &figures)?,
            };
            put(
                &format!("{}.html", chapter.stem),
                &page.html(&self.chapters),
            )
        };
        for (index, chapter) in self.chapters.iter().enumerate() {
            write(chapter, Place::Chapter(index))?;
        }
        for (file, text, place) in [
            ("0-index.md", &self.start, Place::Contents),
            ("0-model.md", &self.model, Place::Model),
        ] {
            let document = Chapter::read(file, text).ok_or(format!("{file} has no heading"))?;
            write(&document, place)?;
        }
        put(
            "guide.css",
            &format!("{}{STYLE}", answer::theme::stylesheet()),
        )?;
        put("guide.js", SCRIPT)
    }
}

/// Escapes a text for HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
