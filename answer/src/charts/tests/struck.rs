//! Tests that no curve, rule, circle or dot strikes through text, and that every name is next to the mark that it
//! names.

use super::*;
use crate::picture::laws::{apart, strikes};
use model_core::preset::PRESETS;

/// Labels that lines may cross, because inspection showed that they are readable. Each pair is a chart and the
/// beginning of a label.
const READS_WELL: &[(&str, &str)] = &[
    // In the out-of-memory area, where the layers below are faint.
    ("breakdown", "out of"),
    ("breakdown", "memory"),
    ("breakdown", "> "),
];

/// Calls `see` with the picture of every chart, for the presets and for extreme slider values, in every view.
fn each_picture(mut see: impl FnMut(FigureId, &str, &Picture)) {
    const ENDS: [&str; 9] = [
        "v=1&slo=20",
        "v=1&gpus=4096",
        "v=1&batch=1",
        "v=1&context=1M",
        "v=1&batch=40k",
        "v=1&slo=20&scale_out=100&a.v=1",
        "v=1&model=llama-3-70b&gpus=8",
        "v=3&model=glm-5.2&gpu=h200&gpus=8&measured=25.3ms@1x1k,37.2ms@16x1k",
        "v=3&model=deepseek-r1&gpu=h200&gpus=8&measured=40u@64&anchor=off",
    ];
    const MODES: [&str; VIEWS.len()] = [
        "",
        "",
        "&batch_steps=1&search_gpus=8,64",
        "&mode=simulate&requests=20",
        "&mode=split",
        "",
        "&rate=50&ttft=2",
    ];
    let links = PRESETS.iter().map(|preset| preset.link).chain(ENDS);
    let of_link = |link: &str| {
        let views = VIEWS.iter().zip(MODES);
        let shown = views.flat_map(|((figures, _), mode)| figures(&format!("{link}{mode}")));
        shown.collect::<Vec<_>>()
    };
    let figures = links.map(|link| (link, of_link(link)));
    for (link, figures) in figures.chain([("papers", shown::curves())]) {
        for shown in figures {
            for width in [358.0, 530.0, 1000.0] {
                let size = (width, shown.figure.shape.height_px(width));
                let (picture, ..) = seen(&shown.figure, (&LIGHT, 1.0), size, None);
                let of = format!("{} {width} of {link}", shown.id.id());
                see(shown.id, &of, &picture);
            }
        }
    }
}

#[test]
fn no_word_is_struck_through() {
    let (mut struck, mut drawn) = (Vec::new(), vec![FigureId::Explore]);
    each_picture(|id, of, picture| {
        drawn.push(id);
        for (place, mark) in picture.marks.iter().enumerate() {
            let Mark::Text(text) = mark else { continue };
            let reads_well =
                |(chart, words): &(&str, &str)| *chart == id.id() && text.words.starts_with(words);
            if text.degrees != 0.0 || READS_WELL.iter().any(reads_well) {
                continue;
            }
            if let Some(how) = strikes(picture, place, text, LIGHT.background) {
                struck.push(format!("{of}: {how}"));
            }
        }
    });
    assert!(struck.is_empty(), "{}", struck.join("\n"));
    // Every figure that a permalink can name must be drawn above.
    for id in FigureId::all() {
        assert!(drawn.contains(&id), "{id:?} is not drawn");
    }
}

/// Checks that each name is at most 24 px from its own mark and that no other mark is nearer.
#[test]
fn every_name_is_nearest_to_its_own() {
    let (mut strayed, mut names) = (Vec::new(), 0);
    each_picture(|_, of, picture| {
        names += picture.names.len();
        for name in &picture.names {
            let (own, other) = apart(name, picture);
            if own > other || own > 24.0 {
                strayed.push(format!("{of}: {:?}: {own:.1} px, {other:.1} px", name.0));
            }
        }
    });
    assert!(names > 500, "{names}");
    assert!(strayed.is_empty(), "{}", strayed.join("\n"));
}
