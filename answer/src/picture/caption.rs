//! Caption of a saved picture: question, finding, scenario and permalink.

use super::geometry::{Point, point};
use super::pen::Pen;
use super::text::{Align, Words};
use super::{Measure, Picture};
use crate::theme::Theme;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// Question that the chart answers: "Is the batch size right?"
    pub question: String,
    pub finding: String,
    /// Scenario in one line: "DeepSeek-V3 · 72 × H100 · 256 per GPU · 2,000 tokens".
    pub scenario: String,
    pub link: String,
}

/// Margin around the chart and its texts, in CSS px.
const MARGIN: f64 = 14.0;
/// Gap between the question and the finding if both are on one line, in CSS px.
const GAP: f64 = 8.0;
/// Line height of the texts above the chart, in CSS px; `FOOT` is the line height of the texts below the chart.
const HEAD: f64 = 22.0;
const FOOT: f64 = 17.0;
const TITLE_PX: f64 = 13.5;
const NOTE_PX: f64 = 11.0;

/// Returns the chart's picture with its caption. The picture is enlarged by the margins and the text lines.
pub fn captioned(
    chart: Picture,
    caption: &Caption,
    theme: &Theme,
    measure: &dyn Measure,
) -> Picture {
    let (room, height) = chart.size_px;
    let mut pen = Pen::new((room + 2.0 * MARGIN, height), theme, measure);
    let asked = |text: &str| Words::sized(TITLE_PX).and_bold(text, theme.ink_1);
    let found = |text: &str| Words::sized(TITLE_PX).and(text, theme.ink_2);
    let noted = |text: &str| Words::sized(NOTE_PX).and(text, theme.ink_3);
    let question = asked(&cut(&caption.question, room, |text| {
        pen.width(&asked(text))
    }));
    let finding = found(&cut(&caption.finding, room, |text| pen.width(&found(text))));
    // Question and finding share a line if both fit.
    let beside = pen.width(&question) + GAP;
    let one_line = caption.finding.is_empty() || beside + pen.width(&finding) <= room;
    let above = MARGIN + if one_line { HEAD } else { 2.0 * HEAD };
    let note = |text: &str| pen.width(&noted(text));
    let mut foot = vec![cut(&caption.scenario, room, note)];
    // Wrap the permalink instead of truncating it: a truncated address does not work.
    foot.extend(wrapped(&caption.link, room, note));
    foot.retain(|line| !line.is_empty());
    let at = point(MARGIN, MARGIN + 0.6 * HEAD);
    let next = match one_line {
        true => point(at.x + beside, at.y),
        false => point(at.x, at.y + HEAD),
    };
    pen.write(&question, at, Align::Start, None);
    pen.write(&finding, next, Align::Start, None);
    for (line, text) in foot.iter().enumerate() {
        let y = above + height + FOOT * (line + 1) as f64;
        pen.write(&noted(text), point(MARGIN, y), Align::Start, None);
    }
    let mut picture = pen.finish();
    picture.size_px.1 = above + height + FOOT * foot.len() as f64 + MARGIN;
    let to = |at: Point| point(at.x + MARGIN, at.y + above);
    let marks = chart.marks.into_iter().map(|mark| mark.moved(to));
    picture.marks.extend(marks);
    picture.seam = picture.marks.len();
    picture
}

/// Splits an address into as many lines as it needs. If possible, each line break is before a key of the query.
fn wrapped(address: &str, room: f64, width: impl Fn(&str) -> f64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = address;
    while width(rest) > room {
        let ends = rest.char_indices().map(|(at, _)| at).skip(1);
        let end = ends.take_while(|end| width(&rest[..*end]) <= room).last();
        let Some(end) = end else { break };
        let key = rest[..end].rfind('&').filter(|at| *at > 0);
        let (line, after) = rest.split_at(key.unwrap_or(end));
        lines.push(line.to_owned());
        rest = after;
    }
    lines.push(rest.to_owned());
    lines
}

/// Shortens a text to the available width. If anything was cut, the text ends in an ellipsis.
fn cut(words: &str, room: f64, width: impl Fn(&str) -> f64) -> String {
    if width(words) <= room {
        return words.to_owned();
    }
    let mut short: String = words.to_owned();
    while short.pop().is_some() {
        let marked = format!("{}…", short.trim_end());
        if width(&marked) <= room {
            return marked;
        }
    }
    String::new()
}

impl Caption {
    /// Returns the CSV with the caption above it. Each line of the caption is a comment in the first column.
    pub fn before_csv(&self, csv: &str) -> String {
        let quoted = |words: &str| format!("\"# {}\"", words.replace('"', "\"\""));
        let lines = [
            format!("{} {}", self.question, self.finding),
            self.scenario.clone(),
            self.link.clone(),
        ];
        let mut text = String::with_capacity(csv.len() + 400);
        for line in lines.iter().filter(|line| !line.trim().is_empty()) {
            text.push_str(&quoted(line.trim()));
            text.push_str("\r\n");
        }
        text.push_str(csv);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::metrics::Inter;
    use crate::picture::{Mark, Text};
    use crate::theme::LIGHT;

    /// Returns the texts around an empty chart of this width. Asserts that all texts are inside the picture.
    fn around(caption: &Caption, width: f64) -> Vec<Text> {
        let chart = Picture::sized((width, 300.0));
        let picture = captioned(chart, caption, &LIGHT, &Inter::default());
        assert!(picture.size_px.1 > 300.0 + HEAD + 2.0 * FOOT);
        let words = picture.marks.into_iter().filter_map(|mark| match mark {
            Mark::Text(text) => Some(text),
            Mark::Shapes { .. } => None,
        });
        let words: Vec<Text> = words.collect();
        for text in &words {
            assert!(text.at.x + text.width_px <= picture.size_px.0);
            assert!(text.at.y < picture.size_px.1);
        }
        words
    }

    #[test]
    fn a_saved_picture_says_what_it_shows() {
        let caption = Caption {
            question: "What helps?".into(),
            finding: "Scale-out ×2 gives 1.44×".into(),
            scenario: "DeepSeek-V3 · 72 × H100 · 256 per GPU · 2,000 tokens".into(),
            link: "https://example.org/?v=1".into(),
        };
        for width in [240.0, 720.0] {
            let words = around(&caption, width);
            for wanted in ["What helps?", "Scale-out", "DeepSeek-V3", "https://"] {
                let mut words = words.iter();
                assert!(words.any(|text| text.words.starts_with(wanted)), "{wanted}");
            }
        }
        // A long address is wrapped over several lines, not truncated.
        let keys = "&accelerators=h200,b200".repeat(20);
        let link = format!("https://example.org/?v=1{keys}");
        let long = Caption {
            link,
            ..caption.clone()
        };
        let words = around(&long, 300.0).into_iter().map(|text| text.words);
        let lines = words.filter(|text| text.starts_with("https") || text.starts_with('&'));
        assert_eq!(lines.collect::<String>(), long.link);
        let csv = caption.before_csv("a,b\r\n");
        assert!(csv.starts_with("\"# What helps? Scale-out") && csv.ends_with("a,b\r\n"));
        assert_eq!(csv.lines().count(), 4);
    }
}
