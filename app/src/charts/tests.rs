//! What holds for every chart, and a way to look at them.

use super::*;
use crate::theme::{DARK, LIGHT};

/// Writes every fixture as SVG to look at: `cargo test -p app --lib charts -- --ignored pictures`.
#[test]
#[ignore = "writes files to look at"]
fn pictures() {
    let folder = std::env::temp_dir().join("ridgepoint-charts");
    std::fs::create_dir_all(&folder).unwrap();
    for (scheme, theme) in [("light", LIGHT), ("dark", DARK)] {
        let save = |name: &str, svg: String| {
            std::fs::write(folder.join(format!("{name}-{scheme}.svg")), svg).unwrap()
        };
        for (width, tag) in [(530.0, "wide"), (358.0, "phone")] {
            let size = (width, RooflineData::height_px(width));
            save(
                &format!("roofline-pictured-{tag}"),
                svg::render(&fixtures::roofline_pictured(), &theme, size),
            );
            save(
                &format!("roofline-{tag}"),
                svg::render(&fixtures::roofline(), &theme, size),
            );
            let size = (width, LatencyData::height_px(width));
            save(
                &format!("latency-{tag}"),
                svg::render(&fixtures::latency(), &theme, size),
            );
            save(
                &format!("latency-sequential-{tag}"),
                svg::render(&fixtures::latency_sequential(), &theme, size),
            );
            let size = (width, ParetoData::height_px(width));
            save(
                &format!("pareto-{tag}"),
                svg::render(&fixtures::pareto(), &theme, size),
            );
            let size = (width, MemoryData::height_px(width));
            save(
                &format!("memory-{tag}"),
                svg::render(&fixtures::memory(256.0), &theme, size),
            );
            save(
                &format!("memory-over-{tag}"),
                svg::render(&fixtures::memory(512.0), &theme, size),
            );
        }
    }
}
