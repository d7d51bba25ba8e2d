//! Converts a page from Markdown to HTML sections, each with its text, figures and questions.

use std::path::Path;

use answer::papers::cited;
use pulldown_cmark::{
    BrokenLink, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd,
    TextMergeStream, html,
};

use crate::chapter::{Chapter, PAGE};
use crate::escape;
use crate::figure::Figure;
use crate::value::Shown;

/// Returns the HTML of a computed number: a link to the number's scenario, where the reader can open its derivation.
pub fn number(shown: &Shown) -> String {
    let (link, text) = (escape(&shown.link), escape(&shown.text));
    format!(
        "<a class=\"number\" href=\"{PAGE}{link}\">{}</a>",
        text.replace(' ', "\u{a0}")
    )
}

/// Writes the still images of a chapter into `folder` and returns its sections.
///
/// `filled` is the chapter's Markdown with computed numbers.
///
/// Errors: a message that names a broken link, or a figure without an image.
pub fn sections(chapter: &Chapter, filled: &str, folder: &Path) -> Result<String, String> {
    let failed = |why: String| format!("{}-{}.md: {why}", chapter.number, chapter.stem);
    let mut page = Sections::default();
    let mut figures = 0;
    // Citations such as [A] have no definition in a chapter.
    let mut paper = |link: BrokenLink<'_>| {
        let (title, address) = cited(&format!("[{}] 1", link.reference))?;
        Some((CowStr::from(address), CowStr::from(title)))
    };
    let options = Options::ENABLE_TABLES;
    let parser = Parser::new_with_broken_link_callback(filled, options, Some(&mut paper));
    let events: Vec<Event<'_>> = with_indices(TextMergeStream::new(parser));
    let mut at = 0;
    while let Some(event) = events.get(at) {
        if let Some((link, words, after)) = figure(&events, at) {
            figures += 1;
            let name = format!("{}-{figures}", chapter.stem);
            let figure = Figure {
                link: &link,
                words: &words,
                name: &name,
            };
            page.figures
                .push_str(&figure.write(folder).map_err(failed)?);
            at = after;
            continue;
        }
        page.take(event).map_err(failed)?;
        // `take` has converted the whole citation, so skip its text and its end.
        at += if is_citation(event) { 3 } else { 1 };
    }
    page.end_section();
    Ok(page.html)
}

/// Renders symbols such as t_comp with a subscript; code is unchanged.
fn with_indices<'a>(events: impl Iterator<Item = Event<'a>>) -> Vec<Event<'a>> {
    let mut all = Vec::new();
    for event in events {
        match event {
            Event::Text(text) if text.contains('_') => {
                all.push(Event::InlineHtml(indexed(&text).into()));
            }
            other => all.push(other),
        }
    }
    all
}

/// Converts a text to HTML, with the part after `_` as a subscript.
fn indexed(text: &str) -> String {
    let mut html = String::new();
    let mut parts = text.split('_');
    html.push_str(&escape(parts.next().unwrap_or_default()));
    for part in parts {
        let index = &part[..index_length(part)];
        let rest = escape(&part[index.len()..]);
        match index {
            "" => html.push('_'),
            index => html.push_str(&format!("<sub>{}</sub>", escape(index))),
        }
        html.push_str(&rest);
    }
    html
}

/// Returns the length of a subscript such as `model,busy`: letters and digits, with commas between them.
fn index_length(text: &str) -> usize {
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters
            .peek()
            .is_some_and(|(_, next)| next.is_alphanumeric());
        if !(letter.is_alphanumeric() || (letter == ',' && next)) {
            return at;
        }
    }
    text.len()
}

/// Reads a paragraph that consists of one link to a figure. Returns the permalink, the caption, and the index of the
/// first event after the paragraph.
fn figure(events: &[Event<'_>], at: usize) -> Option<(String, String, usize)> {
    let [
        Event::Start(Tag::Paragraph),
        Event::Start(Tag::Link { dest_url, .. }),
        ..,
    ] = events.get(at..)?
    else {
        return None;
    };
    let link = dest_url.strip_prefix(PAGE)?;
    let is_figure = link.split('&').any(|pair| pair.starts_with("embed="));
    let inside = events.get(at + 2..)?;
    let length = inside
        .iter()
        .position(|event| *event == Event::End(TagEnd::Link))?;
    let ends = inside.get(length + 1) == Some(&Event::End(TagEnd::Paragraph));
    let mut words = String::new();
    html::push_html(&mut words, inside[..length].iter().cloned());
    (is_figure && ends).then(|| (link.to_owned(), words, at + length + 4))
}

/// The page converted so far, and the section being converted.
#[derive(Default)]
struct Sections<'a> {
    html: String,
    words: Vec<Event<'a>>,
    figures: String,
    questions: Vec<Event<'a>>,
    heading: Option<String>,
    in_question: bool,
}

impl<'a> Sections<'a> {
    fn take(&mut self, event: &Event<'a>) -> Result<(), String> {
        if let Event::Start(Tag::Heading { level, .. }) = event {
            if *level != HeadingLevel::H1 {
                self.end_section();
            }
            self.heading = Some(String::new());
        }
        if let (Event::Text(text), Some(heading)) = (event, self.heading.as_mut()) {
            heading.push_str(text);
        }
        if let Event::End(TagEnd::Heading(level)) = event {
            let id = slug(&self.heading.take().unwrap_or_default());
            self.name_heading(*level, id);
        }
        let text = match event {
            Event::Html(text) => text.as_ref(),
            _ => "",
        };
        self.in_question |= text.trim_start().starts_with("<details");
        let event = rewritten(event)?;
        if self.in_question {
            self.questions.push(event);
        } else {
            self.words.push(event);
        }
        self.in_question &= !text.contains("</details>");
        Ok(())
    }

    /// Sets the anchor of the last heading.
    fn name_heading(&mut self, of: HeadingLevel, name: String) {
        let start = self.words.iter_mut().rev().find_map(|event| match event {
            Event::Start(Tag::Heading { level, id, .. }) if *level == of => Some(id),
            _ => None,
        });
        if let Some(id) = start {
            *id = Some(name.into());
        }
    }

    fn end_section(&mut self) {
        let render = |events: &mut Vec<Event<'a>>| {
            let mut text = String::new();
            html::push_html(&mut text, events.drain(..));
            text
        };
        let (words, questions) = (render(&mut self.words), render(&mut self.questions));
        if words.is_empty() && questions.is_empty() && self.figures.is_empty() {
            return;
        }
        self.html.push_str("<section>\n");
        let mut put = |class: &str, inside: &str| {
            if !inside.trim().is_empty() {
                let div = format!("<div class=\"{class}\">\n{inside}</div>\n");
                self.html.push_str(&div);
            }
        };
        put("words", &words);
        put("figures", &self.figures);
        put("questions", &questions);
        self.html.push_str("</section>\n");
        self.figures.clear();
    }
}

/// Returns true at the start of a citation, as in “[A] 3.1”.
fn is_citation(event: &Event<'_>) -> bool {
    matches!(event, Event::Start(Tag::Link { link_type, .. }) if *link_type == LinkType::ShortcutUnknown)
}

/// Rewrites a link event: links to files become links to pages, links to sources without a page lose their target,
/// and citations get brackets.
///
/// Errors: a message with the address, if it leads to no page, file, scenario or website.
fn rewritten<'a>(event: &Event<'a>) -> Result<Event<'a>, String> {
    let Event::Start(Tag::Link {
        link_type,
        dest_url,
        title,
        id,
    }) = event
    else {
        return Ok(event.clone());
    };
    if is_citation(event) {
        let (address, title, letter) = (escape(dest_url), escape(title), escape(id));
        let cite = format!("<a href=\"{address}\" title=\"{title}\">[{letter}]</a>");
        return Ok(Event::InlineHtml(cite.into()));
    }
    let page = |stem: &str| CowStr::from(format!("./{stem}"));
    let dest_url = match dest_url.strip_suffix(".md") {
        Some("README" | "guide/README") => page(""),
        Some("../model") => page("model.html"),
        Some(file) => match file.split_once('-') {
            Some((_, stem)) => page(&format!("{stem}.html")),
            // A source file without a page: the link loses its target.
            None => return Ok(Event::InlineHtml("<a>".into())),
        },
        None if dest_url.starts_with("../") && !dest_url.starts_with(PAGE) => {
            return Ok(Event::InlineHtml("<a>".into()));
        }
        None if [PAGE, "https://", "#"]
            .iter()
            .any(|start| dest_url.starts_with(start)) =>
        {
            dest_url.clone()
        }
        None => return Err(format!("the link {dest_url} leads nowhere")),
    };
    Ok(Event::Start(Tag::Link {
        link_type: *link_type,
        dest_url,
        title: title.clone(),
        id: id.clone(),
    }))
}

/// Returns the anchor of a heading, for example `why-batch-helps`.
fn slug(heading: &str) -> String {
    let letters = heading.to_lowercase();
    let words = letters.split(|letter: char| !letter.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-")
}
