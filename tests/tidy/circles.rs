//! No circular dependencies between files or folders of a crate.

use std::collections::BTreeSet;

use super::arrows::{Arrows, of_crate};

/// Crates, by their folder of sources.
const CRATES: [&str; 5] = [
    "model-core/src",
    "papers/src",
    "app/src",
    "worker/src",
    "xtask/src",
];

/// Known arrows between files that close a circle. The list only shrinks: one that closes none must go.
const FILES: &[&str] = &[
    "app/src/controls/own_model.rs → app/src/pages/part.rs",
    "app/src/controls/picker.rs → app/src/pages/part.rs",
    "app/src/controls/shown.rs → app/src/controls/panel.rs",
    "app/src/pages/disagg/ratio/mod.rs → app/src/pages/figure/catalog.rs",
    "app/src/pages/disagg/split.rs → app/src/pages/figure/catalog.rs",
    "app/src/pages/disagg/split.rs → app/src/pages/part.rs",
    "app/src/pages/explore/mod.rs → app/src/pages/figure/catalog.rs",
    "app/src/pages/figure/tools.rs → app/src/pages/part.rs",
    "app/src/pages/helps.rs → app/src/pages/part.rs",
    "app/src/pages/limits/mod.rs → app/src/pages/figure/catalog.rs",
    "app/src/pages/papers/measured.rs → app/src/pages/figure/catalog.rs",
    "app/src/pages/papers/mod.rs → app/src/pages/part.rs",
    "app/src/pages/plans/mod.rs → app/src/pages/figure/catalog.rs",
    "app/src/pages/plans/mod.rs → app/src/pages/part.rs",
    "app/src/pages/shell/about.rs → app/src/pages/part.rs",
];

/// Known arrows between folders and files at the top of a crate that close a circle.
const FOLDERS: &[&str] = &["app/src/controls → app/src/pages"];

#[test]
fn files_have_no_circles() {
    holds(&CRATES.iter().flat_map(|it| of_crate(it)).collect(), FILES);
}

#[test]
fn folders_have_no_circles() {
    // `model-core/src/limits/map.rs` → `model-core/src/limits`; `None` for roots, which all may use.
    let top = |file: &str| {
        let end = file.find("/src/")? + 5;
        let name = file[end..].split('/').next()?.trim_end_matches(".rs");
        (!["lib", "main"].contains(&name)).then(|| format!("{}{name}", &file[..end]))
    };
    let arrows = CRATES.iter().flat_map(|it| of_crate(it));
    let arrows = arrows.filter_map(|(from, to)| Some((top(&from)?, top(&to)?)));
    holds(&arrows.filter(|(from, to)| from != to).collect(), FOLDERS);
}

/// Prints the known arrows; fails with the circles that remain without them, and with those that close none.
fn holds(arrows: &Arrows, known: &[&str]) {
    println!("{} arrows; known to close circles:", arrows.len());
    known.iter().for_each(|arrow| println!("  {arrow}"));
    let known = known.iter().filter_map(|arrow| arrow.split_once(" → "));
    let known: Arrows = known
        .map(|(from, to)| (from.to_owned(), to.to_owned()))
        .collect();
    let open: Arrows = arrows.difference(&known).cloned().collect();
    let circles = open.iter().filter(|(from, to)| leads(&open, to, from));
    let circles = circles.map(|(from, to)| format!("part of a circle: {from} → {to}"));
    let idle = known
        .iter()
        .filter(|arrow| !arrows.contains(arrow) || !leads(&open, &arrow.1, &arrow.0));
    let idle =
        idle.map(|(from, to)| format!("closes no circle any more, remove it: {from} → {to}"));
    let wrong: Vec<String> = circles.chain(idle).collect();
    assert!(wrong.is_empty(), "one way only\n  {}", wrong.join("\n  "));
}

/// Tests whether arrows lead from one place to another.
fn leads(arrows: &Arrows, from: &str, to: &str) -> bool {
    let mut reached = BTreeSet::from([from]);
    let mut front = vec![from];
    while let Some(place) = front.pop() {
        let first = (place.to_owned(), String::new());
        let ends = arrows
            .range(first..)
            .take_while(|(start, _)| start == place);
        front.extend(
            ends.map(|(_, end)| end.as_str())
                .filter(|end| reached.insert(end)),
        );
    }
    reached.contains(to)
}

#[test]
fn a_ring_leads_back() {
    let arrow = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let arrows = Arrows::from([
        arrow("a", "b"),
        arrow("b", "c"),
        arrow("c", "a"),
        arrow("c", "d"),
    ]);
    assert!(leads(&arrows, "b", "a"));
    assert!(!leads(&arrows, "d", "c"));
}
