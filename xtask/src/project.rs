//! Folders of the project, and the wasm-bindgen version that it shares with its tools.

use std::env;
use std::fs;
use std::path::PathBuf;

use crate::failure::{Failure, Result};
use crate::lint;
use crate::process::Task;

/// The checkout that the commands work on.
#[derive(Clone, Debug)]
pub struct Project {
    /// Folder that contains the workspace's `Cargo.toml`.
    pub root: PathBuf,
    /// Version of the `wasm-bindgen` crate; the version of its command line tool must be exactly equal.
    pub wasm_bindgen: String,
    /// Program that lints the workspace's crates while they are compiled (`lint.rs`); `None` if they are not linted.
    linter: Option<PathBuf>,
}

impl Project {
    /// Finds the checkout from cargo's environment and reads its `Cargo.toml`.
    pub fn find() -> Result<Self> {
        let xtask = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let Some(root) = xtask.as_deref().and_then(|folder| folder.parent()) else {
            return Err(Failure::Missing {
                what: "this program does not know where the project is".to_owned(),
                advice: "start it as `cargo xtask …`, from anywhere inside the checkout".to_owned(),
            });
        };
        let path = root.join("Cargo.toml");
        let manifest = fs::read_to_string(&path).map_err(|cause| Failure::File {
            doing: "read",
            path,
            cause,
        })?;
        let wasm_bindgen =
            exact_version(&manifest, "wasm-bindgen").ok_or_else(|| Failure::Wrong {
                what: "Cargo.toml does not pin wasm-bindgen".to_owned(),
                advice:
                    "give it a line like `wasm-bindgen = \"=0.2.130\"`: crate and tool must agree"
                        .to_owned(),
            })?;
        Ok(Self {
            root: root.to_owned(),
            wasm_bindgen,
            linter: None,
        })
    }

    /// Makes later [`Self::cargo`] commands lint each crate of the workspace that they compile.
    pub fn lint(&mut self) -> Result<()> {
        let this = env::current_exe().map_err(|cause| Failure::Start {
            program: "xtask".to_owned(),
            cause,
            advice: "run `cargo clean`".to_owned(),
        })?;
        self.linter = Some(this);
        Ok(())
    }

    /// Creates a cargo command that runs in the project.
    pub fn cargo(&self, doing: impl Into<String>) -> Task {
        let task = Task::new("cargo", doing).folder(&self.root);
        match &self.linter {
            Some(linter) => task.env(lint::WRAPPER, linter),
            None => task,
        }
    }

    /// Returns the folder of the built page.
    pub fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }
}

/// Returns the version in a line `name = "=1.2.3"` of a manifest.
///
/// The lines are scanned, because a TOML parser would account for most of this program's build time.
fn exact_version(manifest: &str, name: &str) -> Option<String> {
    manifest.lines().find_map(|line| {
        let value = line.strip_prefix(name)?.trim_start().strip_prefix('=')?;
        let version = value.trim_start().strip_prefix("\"=")?;
        Some(version.split_once('"')?.0.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pinned_version_not_range() {
        let manifest = "[workspace.dependencies]\nwasm-bindgen-test = \"=9\"\nwasm-bindgen = \"=0.2.130\" # why\n";
        assert_eq!(
            exact_version(manifest, "wasm-bindgen").as_deref(),
            Some("0.2.130")
        );
        assert_eq!(
            exact_version("wasm-bindgen = \"0.2\"\n", "wasm-bindgen"),
            None
        );
    }
}
