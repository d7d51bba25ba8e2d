//! Page frame around the content of a guide page.

use crate::chapter::Chapter;
use crate::escape;
use site::POLICY;

/// Position of a page in the guide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The contents page.
    Contents,
    /// A chapter, by its index.
    Chapter(usize),
    /// The documentation of the performance model, which follows the chapters.
    Model,
}

/// A page: its title, its position in the guide, and its content.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// Title of the HTML document.
    pub title: &'a str,
    /// Position of the page in the guide.
    pub place: Place,
    /// HTML of the page's content.
    pub content: &'a str,
}

impl Page<'_> {
    /// Returns the complete HTML document.
    pub fn html(&self, chapters: &[Chapter]) -> String {
        let title = escape(self.title);
        let (contents, turn) = (self.contents(chapters), self.turn(chapters));
        let current = |place| match self.place == place {
            true => " aria-current=\"page\"",
            false => "",
        };
        let (guide, model) = (current(Place::Contents), current(Place::Model));
        let wide = match self.place {
            Place::Model => " class=\"wide\"",
            _ => "",
        };
        let content = self.content;
        format!(
            r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>{title} — Ridgepoint guide</title>
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<link rel="preload" href="../fonts/inter-subset.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="./guide.css">
<script src="./guide.js"></script>
<script src="../embed.js" async></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="brand" href="../" aria-label="Ridgepoint, the page">{BRAND}<span>Ridgepoint</span></a>
<a class="home" href="./"{guide}>Guide</a>
<a href="./model.html"{model}>Model</a>
<button type="button" id="theme" hidden></button>
</header>
{contents}
<main id="text" tabindex="-1"{wide}>
{content}
</main>
{turn}
</body>
</html>
"##
        )
    }

    /// Returns links to all chapters; the links up to the current chapter are marked as read.
    fn contents(&self, chapters: &[Chapter]) -> String {
        let mut items = String::new();
        for (index, chapter) in chapters.iter().enumerate() {
            let class = match self.place {
                Place::Chapter(own) if index <= own => " class=\"read\"",
                _ => "",
            };
            let current = match self.place == Place::Chapter(index) {
                true => " aria-current=\"page\"",
                false => "",
            };
            let (number, stem, title) = (chapter.number, &chapter.stem, escape(&chapter.title));
            items.push_str(&format!(
                "<li{class}><a href=\"./{stem}.html\"{current}>{number} <span>{title}</span></a></li>\n"
            ));
        }
        format!("<nav class=\"contents\" aria-label=\"Chapters\">\n<ol>\n{items}</ol>\n</nav>")
    }

    /// Returns links to the previous and the next chapter.
    fn turn(&self, chapters: &[Chapter]) -> String {
        let to = |index: Option<usize>, class: &str, lead: &str| {
            let chapter = chapters.get(index?)?;
            let (stem, title) = (&chapter.stem, escape(&chapter.title));
            Some(format!(
                "<a class=\"{class}\" href=\"./{stem}.html\">{lead}{title}</a>\n"
            ))
        };
        let (before, after) = match self.place {
            Place::Contents => (None, Some(0)),
            Place::Chapter(own) => (own.checked_sub(1), Some(own + 1)),
            Place::Model => (None, None),
        };
        let before = to(before, "before", "‹ ");
        let after = to(after, "after", "Next: ");
        let turn: String = [before, after].into_iter().flatten().collect();
        format!("<nav class=\"turn\" aria-label=\"Previous and next\">\n{turn}</nav>")
    }
}

const BRAND: &str = "<svg viewBox=\"0 0 26 16\" width=\"26\" height=\"16\" fill=\"none\" aria-hidden=\"true\">\
    <path d=\"M1.5 14.5 12 4M19 2.5h5.5\" stroke=\"currentColor\" stroke-width=\"2\" stroke-linecap=\"round\"></path>\
    <circle cx=\"15\" cy=\"2.8\" r=\"2.3\" class=\"dot\"></circle></svg>";
