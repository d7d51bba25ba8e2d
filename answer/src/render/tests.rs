//! Tests that every figure of every preset is drawn in both themes.

use super::figures::{Detail, drawn};
use super::{NoPicture, Still};
use crate::chart::record;
use crate::limits::Resolution;
use crate::picture::metrics::Inter;
use crate::picture::svg as document;
use crate::theme::{DARK, LIGHT};
use model_core::permalink::{self, FigureId};
use model_core::preset::PRESETS;

/// Coarse resolution, so that the figures of all presets are drawn within seconds.
const COARSE: Detail = Detail {
    map: Resolution::COARSE,
    lengths: Some((4, 3)),
};

#[test]
fn every_figure_of_every_preset_is_drawn() {
    let mut seen = Vec::new();
    for preset in PRESETS {
        let link = permalink::read(&format!("{}&requests=50", preset.link));
        for id in FigureId::OWN {
            let Some(chart) = drawn(&link, id, COARSE) else {
                continue;
            };
            seen.push(id.id());
            for theme in [LIGHT, DARK] {
                let size = (760.0, chart.shape.height_px(760.0));
                let (picture, _) = record(&chart, &theme, &Inter::default(), size);
                let text = document::document(&picture, None, &theme, &chart.finding);
                assert!(
                    text.starts_with("<svg") && !text.contains("NaN"),
                    "{}",
                    id.id()
                );
            }
        }
    }
    // `explore` is a whole view, not a chart, and `benchmark` needs measurements.
    let missing = FigureId::OWN.iter().map(|id| id.id());
    let missing: Vec<_> = missing.filter(|id| !seen.contains(id)).collect();
    assert_eq!(missing, ["benchmark", "explore"]);
}

fn svg(text: &str, dark: bool, width_px: f64) -> Result<String, NoPicture> {
    let still = Still::of(text)?;
    Ok(still.drawn(dark || still.is_dark(), width_px).svg)
}

#[test]
fn links_become_pictures() {
    for (link, dark) in [("?v=3&embed=pareto", false), ("?v=3&embed=roofline", true)] {
        let text = svg(link, dark, 760.0).unwrap();
        let background = if dark {
            DARK.background
        } else {
            LIGHT.background
        };
        assert!(text.contains(&background.to_string()), "{link}");
    }
    let light = svg("?v=3&embed=memory&a.v=3&a.batch=8", false, 760.0).unwrap();
    assert_ne!(
        light,
        svg("?v=3&embed=memory&theme=dark", false, 760.0).unwrap()
    );
    assert_eq!(svg("?v=3", false, 760.0), Err(NoPicture::Unnamed));
    assert_eq!(
        svg("?v=3&embed=explore", false, 760.0),
        Err(NoPicture::View)
    );
    let waterfall = svg("?v=3&embed=waterfall", false, 760.0);
    assert_eq!(waterfall, Err(NoPicture::Nothing(FigureId::Waterfall)));
    for curve in FigureId::all().skip(FigureId::OWN.len()).step_by(5) {
        let text = svg(&format!("?v=3&embed={}", curve.id()), false, 760.0);
        assert!(text.is_ok(), "{}", curve.id());
    }
}

/// Returns a permalink for a figure. In the permalink's scenario, every slider offered with the figure has an effect.
fn link_with(id: FigureId) -> &'static str {
    match id {
        FigureId::Benchmark => {
            "v=3&model=minimax-m3&gpu=h200&gpus=8&batch=30&context=8000&measured=9.43ms@4x8000,46.91ms@63x8000"
        }
        FigureId::Context | FigureId::Waterfall => "v=3&gpus=72&batch=2304&context=2000&a.v=3",
        FigureId::Stairs
        | FigureId::Request
        | FigureId::Binds
        | FigureId::Pays
        | FigureId::Candidates => {
            "v=3&gpu=h200&rate=50&prompt=4000&output=1000&hit=0.3&ttft=2&slo=25&view=service"
        }
        FigureId::Ratio | FigureId::Steps => {
            "v=3&gpus=72&mode=ratio&r=8&prompt=2000&output=500&view=disagg"
        }
        FigureId::SplitTime
        | FigureId::SplitRotation
        | FigureId::SplitBandwidth
        | FigureId::SplitDegrees => {
            "v=1&model=llama-3-70b&gpus=4&batch=42&context=12206&precision=bf16&overlap=none\
             &calibration=lamina&reserve=0.1&mode=split&trace=kimi-conv"
        }
        _ => "v=3&gpus=72&batch=2304&context=2000&slo=20",
    }
}

#[test]
fn offered_sliders_change_their_figure() {
    let mut idle = Vec::new();
    for id in FigureId::OWN {
        let link = permalink::read(link_with(id));
        assert!(link.notes.is_empty(), "{:?}", link.notes);
        if id.sliders().is_empty() || id == FigureId::Explore {
            continue;
        }
        let before = drawn(&link, id, COARSE).unwrap();
        for number in id.sliders() {
            let changes = |factor: f64| {
                let mut link = link.clone();
                let value = link.current.get(*number).unwrap_or(1.0) * factor;
                link.current.edit(*number, Some(value));
                drawn(&link, id, COARSE).is_some_and(|after| after != before)
            };
            if !changes(2.0) && !changes(0.5) {
                idle.push(format!("{} of {}", number.spec().key, id.id()));
            }
        }
    }
    assert!(idle.is_empty(), "{idle:#?}");
}
