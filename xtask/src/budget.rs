//! Download sizes of a visit against their budget.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};
use crate::project::Project;

/// A file of the built page, in bytes.
#[derive(Debug)]
struct Size {
    name: String,
    raw: usize,
    gzip: usize,
    brotli: usize,
}

impl Size {
    /// Part of the page: the first load, a view loaded on demand, or the worker.
    fn part(&self) -> &'static str {
        if self.name.contains("worker") {
            "worker"
        } else if self.name.contains("_split_")
            || self.name.contains("_chunk_")
            || (self.name.ends_with(".css") && self.name != "style.css")
        {
            "parts"
        } else {
            "page"
        }
    }
}

/// Prints the size of every program and style, and refuses a page above `budget.toml`.
pub fn check(project: &Project, dist: &Path) -> Result<()> {
    let mut sizes = Vec::new();
    for path in files(dist)? {
        let bytes = read(&path)?;
        let name = path.strip_prefix(dist).unwrap_or(&path);
        sizes.push(Size {
            name: plain(&name.display().to_string()),
            raw: bytes.len(),
            gzip: gzip(&bytes),
            brotli: brotli(&bytes),
        });
    }
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
    let path = project.root.join("budget.toml");
    let budget = String::from_utf8_lossy(&read(&path)?).into_owned();
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

/// Programs, glue and styles; no icons, fonts or embed files.
fn files(dist: &Path) -> Result<Vec<PathBuf>> {
    let failed = |cause| Failure::File {
        doing: "read",
        path: dist.to_owned(),
        cause,
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(dist).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let ending = path.extension().and_then(|text| text.to_str());
        let counts = matches!(ending, Some("wasm" | "js" | "css" | "html"));
        if counts && !path.ends_with("embed.js") {
            files.push(path);
        }
    }
    Ok(files)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|cause| Failure::File {
        doing: "read",
        path: path.to_owned(),
        cause,
    })
}

/// A name without Trunk's hash.
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

/// The number of a line `part = 12 # …`.
fn allowed(budget: &str, part: &str) -> Option<f64> {
    budget.lines().find_map(|line| {
        let (name, rest) = line.split_once('=')?;
        let number = rest.split('#').next()?.trim();
        (name.trim() == part).then(|| number.parse().ok())?
    })
}

fn gzip(bytes: &[u8]) -> usize {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    // Compressing into memory cannot fail.
    let _ = packed.write_all(bytes);
    packed.finish().map_or(0, |packed| packed.len())
}

fn brotli(bytes: &[u8]) -> usize {
    let mut packed = brotli::CompressorWriter::new(Vec::new(), 1 << 16, 11, 22);
    let _ = packed.write_all(bytes);
    packed.into_inner().len()
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

    #[test]
    fn repetition_compresses() {
        let bytes = b"ridge point ".repeat(1000);
        assert!(gzip(&bytes) < 200 && brotli(&bytes) < 100);
    }
}
