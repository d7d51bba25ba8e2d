//! Clippy in the same pass as the compiler.
//!
//! `cargo clippy` would check every dependency a second time, natively and for WebAssembly. Instead, cargo starts this
//! program in place of rustc for the workspace's crates (`RUSTC_WORKSPACE_WRAPPER`). It runs clippy on the crate while
//! rustc compiles it, and fails if either does. Cargo caches these crates separately.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{self, Command, ExitCode, ExitStatus, Output, Stdio};

/// Environment variable with the program that cargo starts in place of rustc.
pub const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";
/// Clippy's options, in the form in which `cargo clippy` passes them to its driver.
const DENY: &str = "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__";

/// Returns true if cargo started this program in place of rustc.
pub fn is_rustc() -> bool {
    let this = env::current_exe().ok();
    this.is_some_and(|this| env::var_os(WRAPPER).is_some_and(|wrapper| this == Path::new(&wrapper)))
}

/// Lints and compiles a crate; the arguments are rustc and its arguments.
pub fn rustc(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let rustc = arguments.next().unwrap_or_else(|| "rustc".into());
    let arguments: Vec<_> = arguments.collect();
    let done = match emits(&arguments) {
        true => lint_and_compile(&rustc, &arguments),
        // Questions about the compiler.
        false => Command::new(&rustc).args(&arguments).status(),
    };
    match done.map(|status| status.code()) {
        Ok(Some(0)) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(cause) => {
            eprintln!("error: {} or clippy-driver: {cause}", rustc.display());
            ExitCode::FAILURE
        }
    }
}

fn lint_and_compile(rustc: &OsStr, arguments: &[OsString]) -> io::Result<ExitStatus> {
    let scratch = env::temp_dir().join(format!("ridgepoint-lint-{}", process::id()));
    fs::create_dir_all(&scratch)?;
    let clippy = Command::new("clippy-driver")
        .arg(rustc)
        .args(checking(arguments, &scratch))
        .env("CLIPPY_ARGS", DENY)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let compiled = Command::new(rustc).args(arguments).status();
    let Output { status, stderr, .. } = clippy.wait_with_output()?;
    fs::remove_dir_all(&scratch).ok();
    let compiled = compiled?;
    // An error of the compiler is clippy's too, and printed by now.
    if !compiled.success() || status.success() {
        return Ok(compiled);
    }
    io::stderr().write_all(&stderr)?;
    Ok(status)
}

fn emits(arguments: &[OsString]) -> bool {
    arguments.iter().any(|argument| starts(argument, "--emit"))
}

/// Returns arguments that check the same crate but write no program. Other output and the compiler's cache go to a
/// scratch folder.
fn checking(arguments: &[OsString], scratch: &Path) -> Vec<OsString> {
    let mut checking = Vec::new();
    let mut is_folder = false;
    for argument in arguments {
        checking.push(if is_folder {
            scratch.into()
        } else if starts(argument, "--emit=") {
            "--emit=metadata".into()
        } else if starts(argument, "incremental=") {
            let folder: PathBuf = scratch.join("incremental");
            let mut option = OsString::from("incremental=");
            option.push(folder);
            option
        } else {
            argument.clone()
        });
        is_folder = argument == "--out-dir";
    }
    checking
}

fn starts(argument: &OsStr, with: &str) -> bool {
    argument.as_encoded_bytes().starts_with(with.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checking_writes_to_the_scratch_folder_alone() {
        let words = |text: &str| -> Vec<OsString> { text.split(' ').map(Into::into).collect() };
        let compiling =
            words("--crate-name x --emit=dep-info,link -C incremental=a --out-dir b --extern c=d");
        let expected =
            "--crate-name x --emit=metadata -C incremental=s/incremental --out-dir s --extern c=d";
        assert_eq!(checking(&compiling, Path::new("s")), words(expected));
        assert!(emits(&compiling) && !emits(&words("- --print=cfg")));
    }
}
