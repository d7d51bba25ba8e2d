//! Dependencies: each stands once, with its reason. Licenses and duplicates are cargo-deny's.

use super::source::{files, none, read};

#[test]
fn every_dependency_has_a_reason() {
    let workspace = read("Cargo.toml");
    let manifests = files("", "Cargo.toml");
    let list = workspace.split("\n[workspace.dependencies]\n").nth(1);
    let list = list.and_then(|rest| rest.split("\n[").next());
    let lines = list.unwrap_or_default().lines();
    let foreign = lines.filter_map(|line| Some((line.split_once(" = ")?.0, line)));
    let foreign: Vec<_> = foreign
        .filter(|(_, line)| !line.starts_with('#') && !line.contains("path ="))
        .collect();
    assert!(foreign.len() > 15, "{foreign:?}");
    let mut found = Vec::new();
    for (name, line) in foreign {
        if !line.contains(" # ") {
            found.push(format!("{name} has no reason"));
        }
        let uses = [format!("\n{name}.workspace"), format!("ies.{name}]\n")];
        if !manifests
            .iter()
            .any(|manifest| uses.iter().any(|text| manifest.text.contains(text)))
        {
            found.push(format!("{name} is in no crate"));
        }
    }
    let is_version = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || c == '=');
    for manifest in manifests.iter().filter(|file| file.path != "Cargo.toml") {
        let own = |line: &&str| line.split(" = \"").skip(1).any(is_version);
        let own = manifest.text.lines().filter(own);
        found.extend(own.map(|line| format!("{}: {line}", manifest.path)));
    }
    none(
        "dependencies stand once, with their reason, in Cargo.toml",
        &found,
    );
}
