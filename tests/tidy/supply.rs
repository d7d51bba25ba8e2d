//! Tests of dependencies: each is listed once, with its reason; licenses, sources and versions follow
//! `.cargo/deny.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use spdx::{Expression, LicenseReq, ParseMode};

use super::source::{files, none, read, root};

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

/// An external crate.
struct Crate {
    name: String,
    version: String,
    license: String,
    /// Text that cargo adds after the name and version: `(proc-macro)`, or an address if the crate is not from
    /// crates.io.
    origin: String,
}

/// Returns the external crates that are compiled on any platform, without those that only tests use.
fn crates() -> Vec<Crate> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--locked", "--workspace", "--target=all"]);
    cargo.args(["--edges=normal,build", "--prefix=none", "--format={p}|{l}|"]);
    let told = cargo.current_dir(root()).output().expect("cargo runs");
    let (lines, errors) = (told.stdout, String::from_utf8_lossy(&told.stderr));
    assert!(told.status.success(), "{errors}");
    let here = root().canonicalize().expect("the checkout");
    let lines = String::from_utf8_lossy(&lines).into_owned();
    let lines: BTreeSet<&str> = lines.lines().collect();
    let read = |line: &&str| {
        let (package, rest) = line.split_once('|')?;
        let mut words = package.splitn(3, ' ');
        let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
        let origin = words.next().unwrap_or_default();
        let of_ours = origin.contains(&*here.to_string_lossy());
        (!of_ours).then(|| Crate {
            name: name.to_owned(),
            version: version.to_owned(),
            license: rest.split('|').next().unwrap_or_default().to_owned(),
            origin: origin.to_owned(),
        })
    };
    lines.iter().filter_map(read).collect()
}

/// Returns the strings in a list of `.cargo/deny.toml`.
fn rules(of: &toml::Value) -> Vec<&str> {
    let rules = of.as_array().into_iter().flatten();
    rules
        .filter_map(|rule| rule.as_str().or_else(|| rule.get("crate")?.as_str()))
        .collect()
}

#[test]
fn licenses_sources_and_versions_follow_the_rules() {
    let deny: toml::Value = toml::from_str(&read(".cargo/deny.toml")).expect("rules");
    let allowed = rules(&deny["licenses"]["allow"]);
    let twice = rules(&deny["bans"]["skip"]);
    let crates = crates();
    assert!(crates.len() > 150, "{} crates", crates.len());
    let mut found = Vec::new();
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for Crate {
        name,
        version,
        license,
        origin,
    } in &crates
    {
        if !["", "(proc-macro)"].contains(&origin.as_str()) {
            found.push(format!("{name} is of {origin}"));
        }
        let may = |license: &LicenseReq| {
            license
                .license
                .id()
                .is_some_and(|id| allowed.contains(&id.name))
        };
        let parsed = Expression::parse_mode(license, ParseMode::LAX);
        if !parsed.is_ok_and(|license| license.evaluate(may)) {
            found.push(format!("{name} has the license “{license}”"));
        }
        let is_of = |rule: &str| {
            let rest = rule
                .strip_prefix(name.as_str())
                .and_then(|rest| rest.strip_prefix('@'));
            let rest = rest.and_then(|least| version.strip_prefix(least));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if !twice.iter().any(|rule| is_of(rule)) {
            versions.entry(name).or_default().insert(version);
        }
    }
    let several = versions
        .into_iter()
        .filter(|(_, versions)| versions.len() > 1);
    found.extend(several.map(|(name, versions)| format!("{name} in versions {versions:?}")));
    none("dependencies follow .cargo/deny.toml", &found);
}
