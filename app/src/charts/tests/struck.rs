//! No word is struck through: by a curve, a rule, a ring or a dot.

use super::*;
use crate::picture::Shape;
use crate::picture::geometry::{Point, segments};
use crate::theme::Colour;
use model_core::scenario::preset::PRESETS;

/// A thinner line is a hairline, on which words with a rim may lie.
const HAIR_PX: f64 = 1.15;
/// So much of a line, and so much of a dot, in the capitals of words is a graze.
const GRAZE_PX: (f64, f64) = (3.0, 1.2);

/// What was looked at and reads well: a chart and how its words begin.
const READS_WELL: &[(&str, &str)] = &[
    // On the veil, through which the layers below it hardly show.
    ("latency", "out of"),
    ("latency", "memory"),
    ("latency", "> "),
];

/// How far an ink stands out from the background, 0 to 1.
fn strength(ink: Colour, paper: Colour) -> f64 {
    let part = |of: Colour, shift: u32| f64::from((of.rgb >> shift) & 255) / 255.0;
    let apart = [0, 8, 16].map(|shift| (part(ink, shift) - part(paper, shift)).abs());
    apart.into_iter().fold(0.0, f64::max) * ink.alpha
}

/// The length of a line inside a box.
fn inside_px(area: &Rect, line: &[Point], closed: bool) -> f64 {
    let back = line.last().copied().zip(line.first().copied());
    let parts = segments(line).chain(back.filter(|_| closed));
    let parts = parts.filter_map(|(from, to)| area.clip(from, to));
    parts.map(|(from, to)| from.distance(to)).sum()
}

/// Whether a mark is a fill of at least this opacity over all of a box.
fn covers(mark: &Mark, area: &Rect, opacity: f64) -> bool {
    let Mark::Shapes {
        ink,
        width_px: None,
        shapes,
    } = mark
    else {
        return false;
    };
    let over = |shape: &Shape| match shape {
        Shape::Box(own) => own.grown(1.0).holds(area),
        Shape::Line(line) => line.extent().holds(area),
        Shape::Circle(..) => false,
    };
    ink.alpha >= opacity && shapes.iter().any(over)
}

/// What strikes a text through, which is the mark at a place of a picture.
fn strikes(picture: &Picture, place: usize, text: &Text, paper: Colour) -> Option<String> {
    let area = text.capitals().grown(-1.0);
    let under = &picture.marks[..place];
    // Nothing shows through a patch that holds the words; what a veil is over is faint.
    let patch = under.iter().rposition(|mark| covers(mark, &area, 1.0));
    let veil = under.iter().rposition(|mark| covers(mark, &area, 0.3));
    let marks = picture.marks.iter().enumerate();
    for (other, mark) in marks.skip(patch.map_or(0, |patch| patch + 1)) {
        let Mark::Shapes {
            ink,
            width_px,
            shapes,
        } = mark
        else {
            continue;
        };
        let after = other > place;
        let veiled = !after && veil.is_some_and(|veil| other < veil);
        let hairline = width_px.is_some_and(|width| width < HAIR_PX) && !after;
        if veiled || hairline || strength(*ink, paper) < 0.2 {
            continue;
        }
        for shape in shapes {
            let (px, graze) = match (shape, width_px) {
                (Shape::Line(line), Some(_)) => {
                    (inside_px(&area, &line.through, line.closed), GRAZE_PX.0)
                }
                (Shape::Circle(centre, radius), _) => {
                    let deep = radius - area.nearest(*centre).distance(*centre);
                    (deep, GRAZE_PX.1)
                }
                _ => continue,
            };
            if px > graze {
                let when = if after { "over" } else { "under" };
                return Some(format!("“{}”: {px:.1} px {when} it", text.words));
            }
        }
    }
    None
}

/// The presets in every view, and what is at the ends of the sliders.
#[test]
fn no_word_is_struck_through() {
    const ENDS: [&str; 7] = [
        "v=1&slo=20",
        "v=1&gpus=4096",
        "v=1&batch=1",
        "v=1&context=1M",
        "v=1&batch=40k",
        "v=1&slo=20&scale_out=100&a.v=1",
        "v=1&model=llama-3-70b&gpus=8",
    ];
    const MODES: [&str; 5] = [
        "",
        "",
        "&batch_steps=1&search_gpus=8,64",
        "&mode=simulate&requests=20",
        "&mode=split",
    ];
    let links = PRESETS.iter().map(|preset| preset.link).chain(ENDS);
    let mut struck = Vec::new();
    for link in links {
        for ((figures, _), mode) in VIEWS.iter().zip(MODES) {
            for shown in figures(&format!("{link}{mode}")) {
                for width in [358.0, 530.0, 1000.0] {
                    let size = (width, (shown.height_px)(width));
                    let (picture, ..) = seen(shown.figure.as_ref(), (&LIGHT, 1.0), size, None);
                    for (place, mark) in picture.marks.iter().enumerate() {
                        let Mark::Text(text) = mark else { continue };
                        let reads_well = |(name, words): &(&str, &str)| {
                            *name == shown.name && text.words.starts_with(words)
                        };
                        if text.degrees != 0.0 || READS_WELL.iter().any(reads_well) {
                            continue;
                        }
                        if let Some(how) = strikes(&picture, place, text, LIGHT.background) {
                            struck.push(format!("{} {width} of {link}: {how}", shown.name));
                        }
                    }
                }
            }
        }
    }
    assert!(struck.is_empty(), "{}", struck.join("\n"));
}
