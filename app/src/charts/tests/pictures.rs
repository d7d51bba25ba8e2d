//! A way to look at the charts.

use super::random::{self, Dice};
use super::{apart, limits, ratio, waterfall};

use crate::charts::metrics::Inter;
use crate::charts::*;
use crate::theme::{DARK, LIGHT};

/// A figure to look at: its name, the data, its height at a width, and a hit to light up.
type Shown = (String, Box<dyn Figure>, fn(f64) -> f64, usize);

fn shown<F: Figure>(name: &str, figure: F, hit: usize) -> Shown {
    (name.to_owned(), Box::new(figure), F::height_px, hit)
}

/// The pictured scenario's figures and some of any kind.
fn figures() -> Vec<Shown> {
    let mut all = vec![
        shown("roofline-pictured", fixtures::roofline_pictured(), 3),
        shown("roofline", fixtures::roofline(), 4),
        shown("roofline-hover", fixtures::roofline_pinned(), 8),
        shown("latency", fixtures::latency(), 40),
        shown("latency-hover", fixtures::latency(), 66),
        shown("latency-sequential", fixtures::latency_sequential(), 20),
        shown("latency-compute", fixtures::latency_compute_bound(), 30),
        shown("pareto", fixtures::pareto(), 12),
        shown("pareto-worse", fixtures::pareto_out_of_memory(), 20),
        shown("memory", fixtures::memory(256.0), 1),
        shown("memory-over", fixtures::memory(512.0), 4),
        shown("memory-reserve", fixtures::memory_with_reserve(), 2),
        shown("sensitivity", fixtures::sensitivity(), 2),
        shown("sensitivity-pinned", fixtures::sensitivity_pinned(), 1),
        shown("timeline", fixtures::timeline(), 4),
        shown("timeline-pinned", fixtures::timeline_pinned(), 4),
        shown("timeline-pipeline", fixtures::timeline_pipeline(4), 5),
        shown("timeline-pipeline-16", fixtures::timeline_pipeline(16), 9),
    ];
    for seed in 1..=6_u64 {
        let name = |chart: &str| format!("random-{chart}-{seed}");
        let mut add = |figures: Vec<Shown>| all.extend(figures);
        let seeded = || Dice(seed.wrapping_mul(0xD129_0F21_77C1_3A55) | 1);
        let dice = &mut seeded();
        if seed <= 4 {
            add(vec![
                shown(&name("map"), limits::map(dice), 90),
                shown(&name("tradeoff"), limits::tradeoff(dice), 9),
                shown(&name("growth"), limits::growth(dice), 2),
                shown(&name("instances"), limits::instances(dice), 9),
                shown(&name("context"), limits::context(dice), 9),
            ]);
            let dice = &mut seeded();
            add(vec![
                shown(&name("plans"), random::plans(dice), 9),
                shown(&name("ratio"), ratio::ratio(dice), 9),
                shown(&name("waits"), ratio::waits(dice), 9),
                shown(&name("steps"), ratio::steps(dice), 4),
                shown(&name("parts"), apart::parts(dice), 2),
                shown(&name("bandwidth"), apart::bandwidth(dice), 9),
                shown(&name("degrees"), apart::degrees(dice), 9),
                shown(&name("traces"), apart::traces(dice), 3),
                shown(&name("rotation"), apart::rotation(dice), 9),
                shown(&name("apart"), apart::apart(dice), 9),
            ]);
        }
        let dice = &mut seeded();
        add(vec![
            shown(&name("roofline"), random::roofline(dice), 3),
            shown(&name("latency"), random::latency(dice), 9),
            shown(&name("pareto"), random::pareto(dice), 9),
            shown(&name("memory"), random::memory(dice), 1),
            shown(&name("sensitivity"), random::sensitivity(dice), 1),
            shown(&name("timeline"), random::timeline(dice), 3),
            shown(&name("waterfall"), waterfall::waterfall(dice), 2),
        ]);
    }
    all
}

/// Writes every fixture as SVG where `RIDGEPOINT_CHARTS` says; `cargo xtask shots` does.
#[test]
fn pictures() {
    let folder = std::env::var_os("RIDGEPOINT_CHARTS").map(std::path::PathBuf::from);
    if let Some(folder) = &folder {
        std::fs::create_dir_all(folder).unwrap();
    }
    for (scheme, theme) in [("light", LIGHT), ("dark", DARK)] {
        for (width, tag) in [
            (328.0, "small"),
            (358.0, "phone"),
            (530.0, "wide"),
            (1000.0, "huge"),
        ] {
            for (chart, figure, height_px, hit) in figures() {
                let (figure, size) = (figure.as_ref(), (width, height_px(width)));
                let font = Inter::default();
                let (picture, hits) = record(figure, &theme, &font, size);
                let glow = record_glow(figure, (hit, &hits), &theme, &font, size);
                for (state, glow) in [("", None), ("-lit", Some(&glow))] {
                    let svg = svg::document(&picture, glow, &theme, &figure.finding());
                    assert!(!svg.contains("NaN"), "{chart}");
                    if let Some(folder) = &folder {
                        let name = format!("{chart}-{tag}-{scheme}{state}.svg");
                        std::fs::write(folder.join(name), svg).unwrap();
                    }
                }
            }
        }
    }
}
