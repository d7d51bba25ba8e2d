//! A way to look at the charts.

use super::limits;
use super::random::{self, Dice};

use crate::charts::*;
use crate::theme::{DARK, LIGHT, Theme};

/// Writes every fixture as SVG to look at: `cargo test -p app --lib charts -- --ignored pictures`.
#[test]
#[ignore = "writes files to look at"]
fn pictures() {
    let folder = std::env::temp_dir().join("ridgepoint-charts");
    std::fs::create_dir_all(&folder).unwrap();
    for (scheme, theme) in [("light", LIGHT), ("dark", DARK)] {
        for (width, tag) in [
            (328.0, "small"),
            (358.0, "phone"),
            (530.0, "wide"),
            (1000.0, "huge"),
        ] {
            fn save<F: Figure>(
                folder: &std::path::Path,
                name: &str,
                figure: &F,
                theme: &Theme,
                width: f64,
                focus: Option<usize>,
            ) {
                let mut surface = svg::SvgSurface::new(width, F::height_px(width));
                figure.draw(&mut surface, theme, focus).unwrap();
                std::fs::write(
                    folder.join(name),
                    surface.document(theme, &figure.finding()),
                )
                .unwrap();
            }
            let name = |chart: &str| format!("{chart}-{tag}-{scheme}.svg");
            let at = |index: usize| Some(index);
            save(
                &folder,
                &name("roofline-pictured"),
                &fixtures::roofline_pictured(),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("roofline"),
                &fixtures::roofline(),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("roofline-hover"),
                &fixtures::roofline_pinned(),
                &theme,
                width,
                at(8),
            );
            save(
                &folder,
                &name("latency"),
                &fixtures::latency(),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("latency-hover"),
                &fixtures::latency(),
                &theme,
                width,
                at(40),
            );
            save(
                &folder,
                &name("latency-sequential"),
                &fixtures::latency_sequential(),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("latency-compute"),
                &fixtures::latency_compute_bound(),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("pareto"),
                &fixtures::pareto(),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("pareto-worse"),
                &fixtures::pareto_out_of_memory(),
                &theme,
                width,
                at(20),
            );
            save(
                &folder,
                &name("memory"),
                &fixtures::memory(256.0),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("memory-over"),
                &fixtures::memory(512.0),
                &theme,
                width,
                at(4),
            );
            save(
                &folder,
                &name("memory-reserve"),
                &fixtures::memory_with_reserve(),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("sensitivity"),
                &fixtures::sensitivity(),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("sensitivity-pinned"),
                &fixtures::sensitivity_pinned(),
                &theme,
                width,
                at(1),
            );
            save(
                &folder,
                &name("timeline"),
                &fixtures::timeline(),
                &theme,
                width,
                None,
            );
            save(
                &folder,
                &name("timeline-pinned"),
                &fixtures::timeline_pinned(),
                &theme,
                width,
                at(4),
            );
            save(
                &folder,
                &name("timeline-pipeline"),
                &fixtures::timeline_pipeline(4),
                &theme,
                width,
                at(5),
            );
            save(
                &folder,
                &name("timeline-pipeline-16"),
                &fixtures::timeline_pipeline(16),
                &theme,
                width,
                None,
            );
            for seed in 1..=4_u64 {
                let dice = &mut Dice(seed.wrapping_mul(0xD129_0F21_77C1_3A55) | 1);
                let name = |chart: &str| name(&format!("random-{chart}-{seed}"));
                save(
                    &folder,
                    &name("map"),
                    &limits::map(dice),
                    &theme,
                    width,
                    None,
                );
                save(
                    &folder,
                    &name("tradeoff"),
                    &limits::tradeoff(dice),
                    &theme,
                    width,
                    at(9),
                );
                save(
                    &folder,
                    &name("growth"),
                    &limits::growth(dice),
                    &theme,
                    width,
                    at(2),
                );
                save(
                    &folder,
                    &name("instances"),
                    &limits::instances(dice),
                    &theme,
                    width,
                    None,
                );
            }
            for seed in 1..=6_u64 {
                let dice = &mut Dice(seed.wrapping_mul(0xD129_0F21_77C1_3A55) | 1);
                save(
                    &folder,
                    &name(&format!("random-roofline-{seed}")),
                    &random::roofline(dice),
                    &theme,
                    width,
                    None,
                );
                save(
                    &folder,
                    &name(&format!("random-latency-{seed}")),
                    &random::latency(dice),
                    &theme,
                    width,
                    None,
                );
                save(
                    &folder,
                    &name(&format!("random-pareto-{seed}")),
                    &random::pareto(dice),
                    &theme,
                    width,
                    None,
                );
                save(
                    &folder,
                    &name(&format!("random-memory-{seed}")),
                    &random::memory(dice),
                    &theme,
                    width,
                    None,
                );
                save(
                    &folder,
                    &name(&format!("random-sensitivity-{seed}")),
                    &random::sensitivity(dice),
                    &theme,
                    width,
                    None,
                );
                save(
                    &folder,
                    &name(&format!("random-timeline-{seed}")),
                    &random::timeline(dice),
                    &theme,
                    width,
                    None,
                );
            }
        }
    }
}
