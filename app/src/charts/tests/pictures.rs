//! A way to look at the charts.

use super::*;

/// A figure to look at: its name, and a hit to light up.
type Pictured = (String, Shown, usize);

/// The pictured scenario's figures and some of any kind.
fn figures() -> Vec<Pictured> {
    let pictured: [(&str, Shown, usize); 18] = [
        ("roofline-pictured", fixtures::roofline_pictured().into(), 3),
        ("roofline", fixtures::roofline().into(), 4),
        ("roofline-hover", fixtures::roofline_pinned().into(), 8),
        ("latency", fixtures::latency().into(), 40),
        ("latency-hover", fixtures::latency().into(), 66),
        (
            "latency-sequential",
            fixtures::latency_sequential().into(),
            20,
        ),
        (
            "latency-compute",
            fixtures::latency_compute_bound().into(),
            30,
        ),
        ("pareto", fixtures::pareto().into(), 12),
        ("pareto-worse", fixtures::pareto_out_of_memory().into(), 20),
        ("memory", fixtures::memory(256.0).into(), 1),
        ("memory-over", fixtures::memory(512.0).into(), 4),
        ("memory-reserve", fixtures::memory_with_reserve().into(), 2),
        ("sensitivity", fixtures::sensitivity().into(), 2),
        (
            "sensitivity-pinned",
            fixtures::sensitivity_pinned().into(),
            1,
        ),
        ("timeline", fixtures::timeline().into(), 4),
        ("timeline-pinned", fixtures::timeline_pinned().into(), 4),
        (
            "timeline-pipeline",
            fixtures::timeline_pipeline(4).into(),
            5,
        ),
        (
            "timeline-pipeline-16",
            fixtures::timeline_pipeline(16).into(),
            9,
        ),
    ];
    let pictured = pictured.map(|(name, figure, hit)| (name.to_owned(), figure, hit));
    let any = (1..=6_u64).flat_map(|seed| {
        KINDS.iter().map(move |(kind, make, hit)| {
            let figure = make(&mut Dice(seed.wrapping_mul(0xD129_0F21_77C1_3A55) | 1));
            (format!("random-{kind}-{seed}"), figure, *hit)
        })
    });
    pictured.into_iter().chain(any).collect()
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
            for (chart, Shown { figure, height_px }, hit) in figures() {
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
