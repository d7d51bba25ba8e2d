//! What a picture says of itself once it has left the page: question, finding, scenario and link.

use super::{Figure, record};
use crate::picture::geometry::{Point, point};
use crate::picture::{Mark, Measure, Picture, Text};
use crate::theme::{Colour, Theme};

/// The words around a saved picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// "Is the batch right?"
    pub question: String,
    pub finding: String,
    /// "DeepSeek-V3 · 72 × H100 · 256 per GPU · 2,000 tokens".
    pub scenario: String,
    /// Where it can be opened.
    pub link: String,
}

/// Room beside the words, in CSS px.
const MARGIN: f64 = 14.0;
/// Heights of lines: the question with its finding, and those at the foot.
const HEAD: f64 = 22.0;
const FOOT: f64 = 17.0;
const TITLE_PX: f64 = 13.5;
const NOTE_PX: f64 = 11.0;

/// A chart with its caption: the chart has the size, the picture is as much higher as the words need.
pub fn captioned(
    figure: &dyn Figure,
    caption: &Caption,
    theme: &Theme,
    measure: &dyn Measure,
    size_px: (f64, f64),
) -> Picture {
    let (chart, _) = record(figure, theme, measure, size_px);
    let width = size_px.0 + 2.0 * MARGIN;
    let room = width - 2.0 * MARGIN;
    let fit = |words: &str, size: f64, bold: bool| {
        cut(words, room, |words| measure.width_px(words, size, bold))
    };
    let mut head = vec![(fit(&caption.question, TITLE_PX, true), true, theme.ink_1)];
    if !caption.finding.is_empty() {
        head.push((fit(&caption.finding, TITLE_PX, false), false, theme.ink_2));
    }
    // Beside each other where there is room.
    let gap = 8.0;
    let widths = head.iter();
    let widths = widths.map(|(words, bold, _)| measure.width_px(words, TITLE_PX, *bold));
    let widths: f64 = widths.sum();
    let one_line = widths + gap <= room;
    let rows = if one_line { 1.0 } else { head.len() as f64 };
    let above = MARGIN + rows * HEAD;
    let mut foot = vec![fit(&caption.scenario, NOTE_PX, false)];
    // An address is of use whole or not at all.
    foot.extend(wrapped(&caption.link, room, |words| {
        measure.width_px(words, NOTE_PX, false)
    }));
    foot.retain(|words| !words.is_empty());
    let below = foot.len() as f64 * FOOT + MARGIN;
    let mut picture = Picture::sized((width, above + size_px.1 + below));
    let mut write = |words: String, at: Point, size_px: f64, bold: bool, ink: Colour| {
        picture.marks.push(Mark::Text(Text {
            width_px: measure.width_px(&words, size_px, bold),
            words,
            at,
            size_px,
            bold,
            ink,
            degrees: 0.0,
            halo: None,
        }));
    };
    let mut at = point(MARGIN, MARGIN + 0.6 * HEAD);
    for (words, bold, ink) in head {
        let width = measure.width_px(&words, TITLE_PX, bold);
        write(words, at, TITLE_PX, bold, ink);
        at = match one_line {
            true => point(at.x + width + gap, at.y),
            false => point(at.x, at.y + HEAD),
        };
    }
    let mut at = point(MARGIN, above + size_px.1 + FOOT);
    for words in foot {
        write(words, at, NOTE_PX, false, theme.ink_3);
        at = point(at.x, at.y + FOOT);
    }
    let to = |at: Point| point(at.x + MARGIN, at.y + above);
    let marks = chart.marks.into_iter().map(|mark| mark.moved(to));
    picture.marks.extend(marks);
    picture.seam = picture.marks.len();
    picture
}

/// An address in as many lines as it takes, broken before a key where there is one.
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

/// Words cut so that they fit, with a mark that they were.
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
    /// The same in front of a table's text, as comments in its first column.
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
    use crate::charts::SensitivityData;
    use crate::picture::metrics::Inter;
    use crate::theme::LIGHT;

    #[test]
    fn a_saved_picture_says_what_it_shows() {
        let caption = Caption {
            question: "What to buy?".into(),
            finding: "Scale-out ×2 gives 1.44×".into(),
            scenario: "DeepSeek-V3 · 72 × H100 · 256 per GPU · 2,000 tokens".into(),
            link: "https://example.org/?v=1".into(),
        };
        let data = SensitivityData {
            rows: Vec::new(),
            fits: true,
            pinned: None,
            source: String::new(),
        };
        let measure = Inter::default();
        for width in [240.0, 720.0] {
            let picture = captioned(&data, &caption, &LIGHT, &measure, (width, 300.0));
            let words: Vec<&Text> = picture
                .marks
                .iter()
                .filter_map(|mark| match mark {
                    Mark::Text(text) => Some(text),
                    _ => None,
                })
                .collect();
            for wanted in ["What to buy?", "Scale-out", "DeepSeek-V3", "https://"] {
                let found = words.iter().find(|text| text.words.starts_with(wanted));
                let found = found.expect("it is written");
                assert!(found.at.x + found.width_px <= picture.size_px.0);
                assert!(found.at.y < picture.size_px.1);
            }
            assert!(picture.size_px.1 > 300.0 + HEAD + 2.0 * FOOT);
        }
        // A long address is whole, within the picture, in lines of its own.
        let long = Caption {
            link: format!(
                "https://example.org/?v=1{}",
                "&accelerators=h200,b200".repeat(20)
            ),
            ..caption.clone()
        };
        let picture = captioned(&data, &long, &LIGHT, &measure, (300.0, 300.0));
        let lines = picture.marks.iter().filter_map(|mark| match mark {
            Mark::Text(text) if text.words.starts_with("https") || text.words.starts_with('&') => {
                assert!(text.at.x + text.width_px <= picture.size_px.0);
                assert!(text.at.y < picture.size_px.1);
                Some(text.words.as_str())
            }
            _ => None,
        });
        assert_eq!(lines.collect::<String>(), long.link);
        let csv = caption.before_csv("a,b\r\n");
        assert!(csv.starts_with("\"# What to buy? Scale-out") && csv.ends_with("a,b\r\n"));
        assert_eq!(csv.lines().count(), 4);
    }
}
