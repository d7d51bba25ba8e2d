//! Compiles programs to WebAssembly, binds them to JavaScript, and reduces their size. The page's program is split
//! into the first load and its parts (`app/src/part/mod.rs`).

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use wasm_bindgen_cli_support::Bindgen;
use wasm_split_cli_support::Options;

use crate::failure::{Failure, Result};
use crate::files::{failed, hash, names, read, text, write};
use crate::process::Task;
use crate::project::Project;
use crate::tools::WASM;

/// Cargo targets of the page and its worker.
pub const PAGE: &str = "--bin ridgepoint-page --bin ridgepoint-worker";
/// Cargo target of the npm package's program.
pub const PACKAGE: &str = "--bin ridgepoint";
/// All cargo targets, used by the tests. Compiling a different set would recompile the shared libraries, because some
/// targets need fewer of their features.
pub const ALL: &str =
    "--bin ridgepoint-page --bin ridgepoint-worker --bin ridgepoint --example parity";
/// Packages of all programs. They are always selected in the same way, so that shared crates have the same features
/// and are compiled once.
const PACKAGES: &str = "-p app -p worker -p ridgepoint -p ridgepoint-tests";

/// File that loads the parts of the page's program, under the name that the splitter gives it.
const LOADER: &str = "__wasm_split.js";
/// Loader call that instantiates a part; it requires the media type `application/wasm`. [`FETCHED`] replaces it and
/// works with any media type; `app/start.js` records files that the host refuses.
const STREAMED: &str = "WebAssembly.instantiateStreaming(src, imports)";
const FETCHED: &str = "src.then((part) => part.ok ? part.arrayBuffer() : Promise.reject(ridgepoint.refused(part)))\
                       .then((part) => WebAssembly.instantiate(part, imports))";
/// Suffix of the loader's name in a built page.
const PARTS: &str = "_parts.js";
/// Min size, in bytes, of a chunk in a separate file. Smaller chunks share one file, because two hundred requests
/// would take longer than the transfer itself.
const SMALL: usize = 8 << 10;
/// JavaScript that takes a chunk from the shared file of small chunks, as a response to a request for that chunk.
const CHUNK: &str = r#"
let bundle;
const chunk = (name) => {
    bundle ??= fetch(new URL("./BUNDLE", import.meta.url))
        .then((file) => file.ok ? file.arrayBuffer() : Promise.reject(ridgepoint.refused(file)))
        .then((bytes) => WebAssembly.compile(bytes));
    bundle.catch(() => bundle = undefined);
    return bundle.then((chunks) => new Response(WebAssembly.Module.customSections(chunks, name)[0]));
};
"#;
/// Node script that reduces the size of WebAssembly programs; its first argument is the Binaryen module.
const SHRINK: &str = include_str!("shrink.mjs");
/// Number of processes that run the size-reduction script in parallel. It is the same on every machine, because names
/// chosen by Binaryen depend on the programs that a process has already handled.
const SHRINKERS: usize = 2;

/// Compiles programs for release and returns their folder.
pub fn compile(project: &Project, targets: &str) -> Result<PathBuf> {
    project
        .cargo("compiling for WebAssembly")
        .usually("2 minutes")
        .advice("an error of the compiler is yours to fix; for anything else run `cargo clean`")
        .args("build --locked --release")
        .args(PACKAGES)
        .args(targets)
        .arg("--target")
        .arg(WASM)
        // Split into a part per view: app/build.rs.
        .env("RIDGEPOINT_PARTS", "1")
        .run()?;
    Ok(target(project).join(WASM).join("release"))
}

/// Returns cargo's build folder.
pub fn target(project: &Project) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| project.root.join("target"), PathBuf::from)
}

/// Writes the page's program into `dist` as a first load and its parts, and returns its name with a hash.
///
/// The program is split at its marked functions before wasm-bindgen runs. wasm-bindgen then processes only the first
/// load.
pub fn page(whole: &Path, scratch: &Path, dist: &Path) -> Result<String> {
    let bytes = read(whole)?;
    let name = format!("ridgepoint-{:016x}", hash(&bytes));
    fs::remove_dir_all(scratch).ok();
    let first = scratch.join(format!("{name}.wasm"));
    let glue = format!("./{name}.js");
    let mut options = Options::new(&bytes);
    options.output_dir = scratch;
    options.main_out_path = &first;
    options.main_module = &glue;
    let split = wasm_split_cli_support::transform(options);
    let split = split.map_err(|cause| wrong("splitting the program", &cause))?;
    bind(&first, &name, dist, |bindgen| {
        bindgen.keep_lld_exports(true);
        bindgen.web(true)
    })?;
    // Content-hashed names: a browser may cache a file for long.
    let loader = format!("{name}{PARTS}");
    let glue = dist.join(format!("{name}.js"));
    // Only in the import: the program keeps calling it by its own name.
    let from = [LOADER, &loader].map(|file| format!("from \"./{file}\""));
    write(&glue, text(&glue)?.replace(&from[0], &from[1]))?;
    let mut parts = text(&scratch.join(LOADER))?;
    for part in &split.split_modules {
        let file = part.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let named = format!("{name}_{file}");
        write(&dist.join(&named), read(part)?)?;
        parts = parts.replace(&format!("\"./{file}\""), &format!("\"./{named}\""));
    }
    write(&dist.join(&loader), parts.replace(STREAMED, FETCHED))?;
    Ok(name)
}

/// Writes the worker's program into `dist`, with a script that starts it, and returns its name with a hash.
pub fn worker(program: &Path, dist: &Path) -> Result<String> {
    let name = format!("ridgepoint-worker-{:016x}", hash(&read(program)?));
    bind(program, &name, dist, |bindgen| {
        // Its loader names no file.
        bindgen.omit_default_module_path(false);
        bindgen.web(true)
    })?;
    let loader = format!("import init from './{name}.js';await init();");
    write(&dist.join(format!("{name}_loader.js")), loader)?;
    Ok(name)
}

/// Writes a program with its JavaScript glue code, like wasm-bindgen's command line does.
pub fn bind(
    program: &Path,
    name: &str,
    to: &Path,
    set: impl FnOnce(&mut Bindgen) -> std::result::Result<&mut Bindgen, anyhow::Error>,
) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(program).out_name(name).typescript(false);
    let bound = set(&mut bindgen).and_then(|bindgen| bindgen.generate(to));
    bound.map_err(|cause| wrong("binding the program", &cause))
}

/// Optimizes every program in `dist` with Binaryen, which also reduces its size: the worker's program at level 4, all
/// others at level 2.
pub fn shrink(dist: &Path, binaryen: &Path) -> Result<()> {
    let mut programs: Vec<(usize, String)> = Vec::new();
    for name in names(dist)?
        .into_iter()
        .filter(|name| name.ends_with(".wasm"))
    {
        programs.push((read(&dist.join(&name))?.len(), name));
    }
    programs.sort();
    // The largest first, each to who has least.
    let mut shares: [(usize, Task); SHRINKERS] = std::array::from_fn(|_| {
        let node = Task::new("node", "making the program smaller")
            .args("--input-type=module --eval")
            .arg(SHRINK)
            .arg(binaryen)
            .folder(dist);
        (0, node)
    });
    for (size, name) in programs.into_iter().rev() {
        shares.sort_by_key(|(load, _)| *load);
        let level = if name.contains("worker") { "4" } else { "2" };
        let [(load, task), ..] = &mut shares;
        *load += size;
        task.add(level).add(name);
    }
    thread::scope(|scope| {
        let running = shares.map(|(_, task)| scope.spawn(|| task.run_silently()));
        running.into_iter().try_for_each(|one| {
            let stopped = Failure::Told;
            one.join().unwrap_or(Err(stopped))
        })
    })
}

/// Moves small chunks that several parts share into one file: a WebAssembly program that consists of one custom
/// section per chunk.
pub fn bundle(dist: &Path) -> Result<()> {
    let mut names = names(dist)?;
    names.sort();
    let page = names.iter().find_map(|name| name.strip_suffix(PARTS));
    let Some(page) = page else {
        return Ok(());
    };
    let loader = dist.join(format!("{page}{PARTS}"));
    let mut script = text(&loader)?;
    let mut bundle = b"\0asm\x01\0\0\0".to_vec();
    for name in &names {
        let file = dist.join(name);
        let number = name.strip_prefix(&format!("{page}_chunk_"));
        let Some(number) = number.and_then(|rest| rest.strip_suffix(".wasm")) else {
            continue;
        };
        let chunk = read(&file)?;
        if chunk.len() < SMALL {
            push_section(&mut bundle, number, &chunk);
            let request = format!("fetch(new URL(\"./{name}\", import.meta.url))");
            script = script.replace(&request, &format!("chunk(\"{number}\")"));
            fs::remove_file(&file).map_err(failed("remove", &file))?;
        }
    }
    let name = format!("{page}_chunks.wasm");
    write(&loader, script + &CHUNK.replace("BUNDLE", &name))?;
    write(&dist.join(name), bundle)
}

/// Appends a custom section to a WebAssembly program: the byte 0, the length, the length of the name, the name, and
/// the content.
fn push_section(program: &mut Vec<u8>, name: &str, content: &[u8]) {
    let mut length = 1 + name.len() + content.len();
    program.push(0);
    while length > 0x7f {
        program.push(length as u8 | 0x80);
        length >>= 7;
    }
    program.push(length as u8);
    // Shorter than 128 bytes.
    program.push(name.len() as u8);
    program.extend(name.bytes());
    program.extend(content);
}

fn wrong(doing: &str, cause: &dyn std::fmt::Display) -> Failure {
    Failure::Wrong {
        what: format!("{doing} failed: {cause:#}"),
        advice: "run `cargo clean` and try again".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_their_length() {
        let mut program = Vec::new();
        push_section(&mut program, "17", &[7; 200]);
        assert_eq!(program[..6], [0, 203 | 0x80, 1, 2, b'1', b'7']);
        assert_eq!(program.len(), 3 + 203);
    }
}
