//! Tests that there are no circular dependencies between files or folders of a crate.

use std::collections::BTreeSet;

use super::arrows::{Arrows, of_crate};

const CRATES: [&str; 8] = [
    "model-core/src",
    "papers/src",
    "answer/src",
    "guide/src",
    "app/src",
    "ridgepoint/src",
    "worker/src",
    "xtask/src",
];

#[test]
fn files_have_no_circles() {
    no_circle(&CRATES.iter().flat_map(|it| of_crate(it)).collect());
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
    no_circle(&arrows.filter(|(from, to)| from != to).collect());
}

/// Fails if the dependencies contain a cycle, and lists the dependencies of the cycle.
fn no_circle(arrows: &Arrows) {
    let circles = arrows.iter().filter(|(from, to)| leads(arrows, to, from));
    let circles: Vec<String> = circles.map(|(from, to)| format!("{from} → {to}")).collect();
    assert!(
        circles.is_empty(),
        "parts of circles:\n  {}",
        circles.join("\n  ")
    );
}

/// Returns true if dependencies lead from one file or folder to another.
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
