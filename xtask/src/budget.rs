//! Compares the download sizes of a visit to the page with their budget.

use std::path::Path;

use crate::failure::{Failure, Result};
use crate::files::{names, text};
use crate::process::Task;
use crate::project::Project;

/// Node script that compresses files with Node's reference encoders and prints a line with name and sizes for each.
const WEIGH: &str = include_str!("weigh.mjs");

/// Sizes of a file of the built page, in bytes.
#[derive(Debug)]
struct Size {
    name: String,
    raw: usize,
    gzip: usize,
    brotli: usize,
}

impl Size {
    /// Returns the group of the page that a file belongs to: the first load, the parts loaded on demand, or the
    /// worker.
    fn part(&self) -> &'static str {
        if self.name.contains("worker") {
            "worker"
        } else if self.name.contains("_split_")
            || self.name.contains("_chunk")
            || self.name.ends_with(".tsv")
            || (self.name.ends_with(".css") && self.name != "style.css")
        {
            "parts"
        } else {
            "page"
        }
    }
}

/// Prints the size of every program, script, style sheet, HTML file and table of the page; fails if a group exceeds
/// `budget.toml`.
pub fn check(project: &Project, dist: &Path) -> Result<()> {
    let mut sizes = weigh(dist)?;
    sizes.sort_by_key(|size| std::cmp::Reverse(size.brotli));
    eprintln!("  {:<28} {:>9} {:>9} {:>9}", "kB", "raw", "gzip", "brotli");
    let line = |name: &str, raw: usize, gzip: usize, brotli: usize| {
        let kb = |bytes: usize| bytes as f64 / 1e3;
        eprintln!(
            "  {name:<28} {:>9.1} {:>9.1} {:>9.1}",
            kb(raw),
            kb(gzip),
            kb(brotli)
        );
    };
    for size in &sizes {
        line(&size.name, size.raw, size.gzip, size.brotli);
    }
    let budget = text(&project.root.join("budget.toml"))?;
    for part in ["page", "parts", "worker"] {
        let of_part = || sizes.iter().filter(|size| size.part() == part);
        let has: usize = of_part().map(|size| size.brotli).sum();
        line(
            part,
            of_part().map(|size| size.raw).sum(),
            of_part().map(|size| size.gzip).sum(),
            has,
        );
        let Some(may) = allowed(&budget, part) else {
            return Err(Failure::Wrong {
                what: format!("budget.toml says nothing of `{part}`"),
                advice: format!("add a line `{part} = <kB after brotli>`"),
            });
        };
        if has as f64 > may * 1e3 {
            return Err(Failure::Wrong {
                what: format!(
                    "the {part} weighs {:.1} kB, more than its {may} kB",
                    has as f64 / 1e3
                ),
                advice: "see what has grown, or raise budget.toml with a reason".to_owned(),
            });
        }
    }
    Ok(())
}

/// Returns the sizes of the page's WebAssembly, JavaScript, CSS, HTML and TSV files; `embed.js` and `sw.js` are not
/// counted.
fn weigh(dist: &Path) -> Result<Vec<Size>> {
    let mut task = Task::new("node", "weighing the page")
        .args("--input-type=module --eval")
        .arg(WEIGH)
        .folder(dist);
    for name in names(dist)? {
        let counts = [".wasm", ".js", ".css", ".html", ".tsv"];
        // Not of the page: asked for by others, or after it.
        let other = ["embed.js", "sw.js"].contains(&name.as_str());
        if counts.iter().any(|ending| name.ends_with(ending)) && !other {
            task = task.arg(name);
        }
    }
    let mut sizes = Vec::new();
    task.run_reading(|line| {
        let mut words = line.split_whitespace();
        let name = words.next().map(plain);
        let mut bytes = || words.next().and_then(|word| word.parse().ok());
        if let (Some(name), Some(raw), Some(gzip), Some(brotli)) = (name, bytes(), bytes(), bytes())
        {
            sizes.push(Size {
                name,
                raw,
                gzip,
                brotli,
            });
        }
        false
    })?;
    Ok(sizes)
}

/// Returns a file name without its hash.
fn plain(name: &str) -> String {
    // Sixteen digits, less the zeros it would begin with.
    let is_hash = |part: &&str| {
        (12..=16).contains(&part.len()) && part.chars().all(|c| c.is_ascii_hexdigit())
    };
    let hash = name.split(['-', '_', '.']).find(is_hash);
    hash.map_or_else(
        || name.to_owned(),
        |hash| name.replace(&format!("-{hash}"), ""),
    )
}

/// Returns the number in a line `part = 12 # …` of the budget.
fn allowed(budget: &str, part: &str) -> Option<f64> {
    budget.lines().find_map(|line| {
        let (name, rest) = line.split_once('=')?;
        let number = rest.split('#').next()?.trim();
        (name.trim() == part).then(|| number.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_and_plain_names() {
        let budget = "# first\npage = 480 # kB\nworker = 105.5\n";
        assert_eq!(allowed(budget, "page"), Some(480.0));
        assert_eq!(allowed(budget, "worker"), Some(105.5));
        assert_eq!(allowed(budget, "fonts"), None);
        let hashed = "ridgepoint-4397b37eb94e942b_bg.wasm";
        assert_eq!(plain(hashed), "ridgepoint_bg.wasm");
        assert_eq!(plain("embed.js"), "embed.js");
    }

    #[test]
    fn parts_of_files() {
        for (name, part) in [
            ("index.html", "page"),
            ("style-4397b37eb94e942b.css", "page"),
            ("style-397b37eb94e942b.css", "page"),
            ("plans-397b37eb94e942b.css", "parts"),
            ("ridgepoint-397b37eb94e942b_bg.wasm", "page"),
            ("ridgepoint-397b37eb94e942b_split_plans_part.wasm", "parts"),
            ("ridgepoint-4397b37eb94e942b_chunk_3.wasm", "parts"),
            ("ridgepoint-worker_bg.wasm", "worker"),
        ] {
            let size = Size {
                name: plain(name),
                raw: 0,
                gzip: 0,
                brotli: 0,
            };
            assert_eq!(size.part(), part, "{name}");
        }
    }
}
