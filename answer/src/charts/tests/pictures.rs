//! Tests that draw the charts, for inspection by eye and for comparison with recorded tables.

use super::*;
use model_core::preset::PRESETS;

fn figures() -> Vec<(String, DeclaredFigure)> {
    let mut figures = Vec::new();
    let mut add = |view: usize, link: &str, of: &str| {
        let (shown, _) = VIEWS[view];
        for (place, figure) in shown(link).into_iter().enumerate() {
            figures.push((format!("{}-{place}-{of}", figure.id.id()), figure));
        }
    };
    for (view, (_, keys)) in VIEWS.iter().enumerate() {
        let own = keys.iter().find(|(key, ..)| *key == "mode");
        let mode = own.map_or("", |_| {
            if view == 4 {
                "&mode=split"
            } else {
                "&mode=simulate"
            }
        });
        for (link, of) in [
            ("v=1&requests=50", "first"),
            ("v=1&requests=50&slo=10&scale_out=100&a.v=1", "pinned"),
            ("v=1&requests=50&batch=40k&overlap=none&reserve=0.1", "over"),
        ] {
            add(view, &format!("{link}{mode}"), of);
        }
        for seed in 1..=3 {
            let mut dice = Dice::of(seed);
            let link = [dice.link(SCENARIOS), dice.link(keys)].concat();
            add(view, &link, &format!("random-{seed}"));
        }
    }
    let curves = shown::curves().into_iter();
    figures.extend(curves.map(|figure| (figure.id.id().to_owned(), figure)));
    figures
}

/// Checks that no picture contains NaN. If the environment variable `RIDGEPOINT_CHARTS` names a folder, writes every
/// picture there as SVG, for `cargo xtask shots`.
#[test]
fn pictures() {
    let folder = std::env::var_os("RIDGEPOINT_CHARTS").map(std::path::PathBuf::from);
    if let Some(folder) = &folder {
        std::fs::create_dir_all(folder).unwrap();
    }
    let figures = figures();
    for (scheme, theme) in [("light", LIGHT), ("dark", DARK)] {
        for (width, tag) in [
            (328.0, "small"),
            (358.0, "phone"),
            (530.0, "wide"),
            (1000.0, "huge"),
        ] {
            for (chart, shown) in &figures {
                let figure = &*shown.figure;
                let size = (width, shown.figure.shape.height_px(width));
                let (_, _, hits) = seen(figure, (&theme, 1.0), size, None);
                let lit = Some(hits.len() / 3);
                let (picture, glow, _) = seen(figure, (&theme, 1.0), size, lit);
                for (state, glow) in [("", None), ("-lit", glow.as_ref())] {
                    let svg = svg::document(&picture, glow, &theme, &figure.finding);
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

/// Checks that every table equals the recorded one to the last digit, so that a failure lists the figures that a
/// changed number affects. `RIDGEPOINT_RECORD=1` records the tables again.
#[test]
fn tables_are_as_recorded() {
    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/recorded/charts.tsv");
    let line = |(name, shown): (String, DeclaredFigure)| {
        let table = shown.figure.table().csv();
        // FNV-1a, 64 bits.
        let hash = table.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let rows = table.lines().count();
        format!("{name}\t{rows}\t{hash:016x}\t{}\n", shown.figure.finding)
    };
    let mut all = figures();
    for preset in PRESETS {
        for (shown, _) in VIEWS {
            let figures = shown(&format!("{}&requests=50", preset.link)).into_iter();
            all.extend(figures.map(|figure| (format!("{}-{}", figure.id.id(), preset.id), figure)));
        }
    }
    let now: String = all.into_iter().map(line).collect();
    if std::env::var_os("RIDGEPOINT_RECORD").is_some() {
        std::fs::write(FILE, &now).unwrap();
    }
    let recorded = std::fs::read_to_string(FILE).unwrap();
    let moved = now.lines().filter(|line| !recorded.contains(line));
    let moved: Vec<&str> = moved.collect();
    assert!(
        moved.is_empty(),
        "tests/recorded/charts.tsv differs; RIDGEPOINT_RECORD=1 records anew what was meant: {moved:#?}"
    );
    assert_eq!(now.lines().count(), recorded.lines().count());
}
