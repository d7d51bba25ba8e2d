//! Splits the page's program into the first load and its parts (`app/src/part/mod.rs`).
//!
//! Trunk builds the page whole. The program is then split at its marks, before wasm-bindgen, which processes the
//! first load only, and replaces the whole one.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};
use crate::process::Task;
use crate::project::Project;
use crate::tools::{Tools, WASM};

/// File that loads parts, as named by the splitter.
const LOADER: &str = "__wasm_split.js";
/// Call of the loader that starts a part, only with the media type `application/wasm`; [`FETCHED`] replaces it and
/// works with any.
const STREAMED: &str = "WebAssembly.instantiateStreaming(src, imports)";
const FETCHED: &str = "src.then((part) => part.ok ? part.arrayBuffer() : Promise.reject(part.statusText))\
                       .then((part) => WebAssembly.instantiate(part, imports))";

/// Replaces the whole program in `dist` by its parts.
pub fn cut(project: &Project, tools: &Tools, dist: &Path) -> Result<()> {
    eprintln!("• Cutting the program into its parts (usually 30 seconds).");
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| project.root.join("target"), PathBuf::from);
    let whole = target.join(WASM).join("release/ridgepoint.wasm");
    let name = name_in(dist)?;
    let cut = target.join("parts");
    fs::remove_dir_all(&cut).ok();
    let tool = |program: &str, doing: &str| {
        Task::new(program, doing)
            .folder(&project.root)
            .env("PATH", &tools.path)
    };
    tool("wasm-split-cli", "cutting the program")
        .arg(&whole)
        .arg(&cut)
        .args("--target web --out-name")
        .arg(&name)
        .run()?;
    let bound = cut.join("bound");
    tool("wasm-bindgen", "binding what comes first")
        .arg(cut.join(format!("{name}.wasm")))
        .args("--target web --no-typescript --keep-lld-exports --out-name")
        .arg(&name)
        .arg("--out-dir")
        .arg(&bound)
        .run()?;
    // The first load is optimised for size, long computations for speed.
    let shrink = |how: &str, from: &Path, to: &Path| {
        tool("wasm-opt", "making the program smaller")
            .args(how)
            .args("--strip-debug")
            .arg(from)
            .arg("-o")
            .arg(to)
            .run_silently()
    };
    let worker = dist.join("ridgepoint-worker_bg.wasm");
    shrink("-O4", &worker, &worker)?;
    let first = format!("{name}_bg.wasm");
    shrink("-O2", &bound.join(&first), &dist.join(&first))?;
    // Content-hashed names: a browser may cache a file for long.
    let loader = format!("{name}_parts.js");
    let glue = read(&bound.join(format!("{name}.js")))?;
    write(
        &dist.join(format!("{name}.js")),
        // Only in the import: the program keeps calling it by its own name.
        &glue.replace(
            &format!("from \"./{LOADER}\""),
            &format!("from \"./{loader}\""),
        ),
    )?;
    let mut text = read(&cut.join(LOADER))?;
    for part in parts(&cut, &name)? {
        let named = format!("{name}_{part}");
        shrink("-O2", &cut.join(&part), &dist.join(&named))?;
        text = text.replace(&format!("\"./{part}\""), &format!("\"./{named}\""));
    }
    write(&dist.join(&loader), &text.replace(STREAMED, FETCHED))
}

/// The program's name with its hash, from Trunk.
fn name_in(dist: &Path) -> Result<String> {
    let names = names(dist)?;
    let found = names
        .iter()
        .filter_map(|name| name.strip_suffix("_bg.wasm"))
        .find(|name| name.starts_with("ridgepoint-") && !name.contains("worker"));
    found.map(str::to_owned).ok_or_else(|| Failure::Wrong {
        what: format!("there is no program in {}", dist.display()),
        advice: "run `cargo clean` and try again".to_owned(),
    })
}

/// The parts other than the first load.
fn parts(folder: &Path, first: &str) -> Result<Vec<String>> {
    let first = format!("{first}.wasm");
    let mut parts = names(folder)?;
    parts.retain(|name| name.ends_with(".wasm") && *name != first);
    Ok(parts)
}

fn names(folder: &Path) -> Result<Vec<String>> {
    let failed = |cause| Failure::File {
        doing: "read",
        path: folder.to_owned(),
        cause,
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        names.extend(path.file_name().and_then(OsStr::to_str).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|cause| Failure::File {
        doing: "read",
        path: path.to_owned(),
        cause,
    })
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|cause| Failure::File {
        doing: "write",
        path: path.to_owned(),
        cause,
    })
}
