//! Finds the dependencies between the files of a crate.
//!
//! Paths in `use` and in code are followed through re-exports to the file that defines the item; a `mod.rs` that only
//! re-exports is not counted. Dependencies between a module and its submodules are left out, and so are tests.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{File, files};

/// Dependencies as pairs of file paths: the first file uses the second.
pub type Arrows = BTreeSet<(String, String)>;

/// Path of an item as a list of names, from the root of the crate.
type Path = Vec<String>;

/// A source file as a module: the names of its items, its imports (name and path of each), and all paths in its code.
#[derive(Default)]
struct Module {
    file: String,
    defines: BTreeSet<String>,
    imports: Vec<(String, Path)>,
    paths: BTreeSet<Path>,
}

struct Crate(BTreeMap<Path, Module>);

/// Returns the dependencies between the files in a source folder.
pub fn of_crate(sources: &str) -> Arrows {
    Crate::read(&files(sources, ".rs"), sources).arrows()
}

impl Crate {
    fn read(files: &[File], sources: &str) -> Self {
        let modules = files.iter().filter_map(|file| {
            let inside = file.path[sources.len() + 1..].trim_end_matches(".rs");
            let mut at = path(inside, '/');
            if at.iter().any(|name| name == "tests" || name == "bin") {
                return None;
            }
            let is_root = ["lib", "main"].contains(&inside);
            at.pop_if(|name| is_root || name == "mod");
            Some((at, Module::read(file)))
        });
        Self(modules.collect())
    }

    fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (at, module) in &self.0 {
            for path in &module.paths {
                let Some(to) = self.item(at, path, 0) else {
                    continue;
                };
                if !to.starts_with(at) && !at.starts_with(&to) {
                    arrows.insert((module.file.clone(), self.0[&to].file.clone()));
                }
            }
        }
        arrows
    }

    /// Returns the module that defines the item at `path`, as seen from the module `from`; `None` for other crates. A
    /// path to a module also gives `None`, because its items are used through longer paths.
    fn item(&self, from: &Path, path: &[String], depth: usize) -> Option<Path> {
        let first = path.first().filter(|_| depth < 8)?;
        let relative = ["self", "super"].contains(&first.as_str());
        let known = self.child(from, first).is_some() || self.import(from, first).is_some();
        let mut at = match first.as_str() {
            "crate" => Path::new(),
            _ if relative || known => from.clone(),
            _ => return None,
        };
        let mut rest = if first == "crate" || first == "self" {
            &path[1..]
        } else {
            path
        };
        while let Some(name) = rest.first() {
            if name == "super" {
                at.pop()?;
            } else if let Some(child) = self.child(&at, name) {
                at = child;
            } else {
                let imported = self
                    .import(&at, name)
                    .filter(|path| **path != [name.clone()]);
                if let Some(path) = imported {
                    return self.item(&at, &[path, &rest[1..]].concat(), depth + 1);
                }
                return self.through_globs(&at, rest, depth).or(Some(at));
            }
            rest = &rest[1..];
        }
        None
    }

    fn through_globs(&self, at: &Path, rest: &[String], depth: usize) -> Option<Path> {
        let module = &self.0[at];
        let globs = module.imports.iter().filter(|(name, _)| name == "*");
        globs
            .filter(|_| !module.defines.contains(&rest[0]))
            .filter_map(|(_, path)| self.item(at, &[path, rest].concat(), depth + 1))
            .find(|found| self.0[found].defines.contains(&rest[0]))
    }

    fn child(&self, at: &Path, name: &str) -> Option<Path> {
        let child = [at.as_slice(), &[name.to_owned()]].concat();
        self.0.contains_key(&child).then_some(child)
    }

    fn import(&self, at: &Path, name: &str) -> Option<&Path> {
        let mut imports = self.0[at].imports.iter();
        imports
            .find(|(known, _)| known == name)
            .map(|(_, path)| path)
    }
}

impl Module {
    fn read(file: &File) -> Self {
        let text: String = file.code().map(|(_, line)| format!("{line}\n")).collect();
        let mut module = Self {
            file: file.path.clone(),
            ..Self::default()
        };
        for statement in text.split_inclusive([';', '{', '}']) {
            let words: Vec<&str> = statement.split_whitespace().collect();
            for pair in words.windows(2) {
                let kinds = [
                    "fn",
                    "struct",
                    "enum",
                    "trait",
                    "const",
                    "static",
                    "type",
                    "macro_rules!",
                ];
                if kinds.contains(&pair[0]) {
                    let end = |letter: char| !letter.is_alphanumeric() && letter != '_';
                    let name = pair[1].split(end).next().unwrap_or_default();
                    module.defines.insert(name.to_owned());
                }
            }
        }
        for (at, _) in text.match_indices("use ") {
            let before = text[..at].trim_end_matches(' ');
            if before.is_empty() || before.ends_with(['\n', ')']) || before.ends_with("pub") {
                let tree = text[at + 4..].split(';').next().unwrap_or_default();
                module.import(&[], &tree.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
        module
            .paths
            .extend(module.imports.iter().map(|(_, path)| path.clone()));
        let is_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
        let words = text
            .split(|letter| !is_path(letter))
            .filter(|word| word.contains("::"));
        module
            .paths
            .extend(words.map(|word| path(&word.replace("::", "/"), '/')));
        module
    }

    /// Adds the imports of a `use` tree, such as `a::{b, c as d}`, in which all paths start with `below`.
    fn import(&mut self, below: &[String], tree: &str) {
        let (stem, inner) = tree.split_once('{').unwrap_or((tree, ""));
        let (written, alias) = stem.split_once(" as ").unwrap_or((stem, ""));
        let mut path = [below, &path(&written.trim().replace("::", "/"), '/')].concat();
        if let Some(inner) = inner.trim_end().strip_suffix('}') {
            let mut depth = 0_i32;
            let branches = inner.split(|letter| {
                depth += i32::from(letter == '{') - i32::from(letter == '}');
                letter == ',' && depth == 0
            });
            for branch in branches.filter(|branch| !branch.trim().is_empty()) {
                self.import(&path, branch.trim());
            }
            return;
        }
        let glob = path.pop_if(|name| name == "*").is_some();
        path.pop_if(|name| name == "self");
        let last = path.last().map_or("", String::as_str);
        let name = [if glob { "*" } else { "" }, alias.trim(), last];
        let name = name
            .into_iter()
            .find(|name| !name.is_empty())
            .unwrap_or_default();
        self.imports.push((name.to_owned(), path.clone()));
    }
}

fn path(text: &str, between: char) -> Path {
    let names = text.split(between).filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

#[test]
fn names_are_followed_to_their_definition() {
    let file = |path: &str, text: &str| File {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let sources = [
        file("s/lib.rs", "pub mod a;\nmod b;"),
        file(
            "s/a/mod.rs",
            "mod inner;\npub use inner::{Deep, Other as Renamed};",
        ),
        file(
            "s/a/inner.rs",
            "pub struct Deep;\npub struct Other;\n// crate::b::f\n",
        ),
        file("s/b.rs", "use crate::a::{self};\nfn f() { a::Renamed; }"),
        file("s/c.rs", "use super::a::*;\nuse super::b::f;\nfn g() {}"),
    ];
    let arrows = Crate::read(&sources, "s").arrows();
    let found: Vec<(&str, &str)> = arrows
        .iter()
        .map(|(from, to)| (from.as_str(), to.as_str()))
        .collect();
    assert_eq!(found, [("s/b.rs", "s/a/inner.rs"), ("s/c.rs", "s/b.rs")]);
}
