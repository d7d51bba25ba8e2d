//! Build tools of the page. Each tool is found in the required version, or else installed.
//!
//! They are cached per user rather than per checkout, so that a fresh clone finds them. The environment variable
//! `RIDGEPOINT_TOOLS` names another cache folder.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};
use crate::process::{Task, answer};
use crate::project::Project;

/// Rust target for which the page is compiled.
pub const WASM: &str = "wasm32-unknown-unknown";
/// Cargo options that select the packages compiled natively: all except `xtask` and the page, which needs a browser.
/// They are always selected in the same way, so that cargo compiles each dependency only once.
pub const NATIVE: &str = "--locked --workspace --exclude app --exclude xtask";
/// Cargo options that select the package of the `cargo xtask` commands.
pub const COMMANDS: &str = "--locked --package xtask";
/// The newest Trunk that builds with the Rust version of this workspace.
const TRUNK: &str = "0.21.14";
/// Version of cargo-deny, which checks dependencies. The next constant is the version of cargo-cyclonedx, which
/// writes their bill of materials.
const DENY: &str = "0.20.2";
const CYCLONEDX: &str = "0.5.9";
/// Version of geckodriver, the driver of Firefox.
const GECKODRIVER: &str = "0.37.1";
/// Version of Binaryen, the size optimizer. Old versions (such as Debian's 108) silently break the page, which then
/// stays blank.
const BINARYEN: u32 = 132;

/// Tools other than Rust that the page build needs.
#[derive(Debug)]
pub struct Tools {
    /// Path of the Binaryen module for Node, which reduces the page's size.
    pub binaryen: PathBuf,
}

/// The checkout and its tools, passed to every step.
#[derive(Clone, Copy, Debug)]
pub struct Bench<'a> {
    /// The checkout to work on.
    pub project: &'a Project,
    /// The tools, ready to use.
    pub tools: &'a Tools,
}

impl Bench<'_> {
    /// Creates a cargo command that runs in the project.
    pub fn cargo(&self, doing: &str) -> Task {
        self.project.cargo(doing)
    }
}

/// Finds the tools that build the page. Missing tools are installed, with a note to the user.
pub fn set_up() -> Result<Tools> {
    wasm_target()?;
    let binaryen = binaryen(&cache_folder()?)?;
    Ok(Tools { binaryen })
}

/// Trunk, which rebuilds the page whenever a source is saved.
#[derive(Debug)]
pub struct Trunk {
    /// Value of `PATH` with the folders of Trunk and wasm-bindgen in front.
    path: OsString,
}

impl Trunk {
    /// Finds Trunk, or installs it.
    pub fn set_up(project: &Project) -> Result<Self> {
        wasm_target()?;
        let trunk = Crate {
            name: "trunk",
            program: "trunk",
            says_version: true,
            version: TRUNK,
            // Its default features are a server's TLS and updating itself.
            options: "--locked --no-default-features",
            optimise: "0",
            minutes: 3,
        };
        let path = path_with(install(&[trunk, bindgen(project)], &cache_folder()?)?)?;
        Ok(Self { path })
    }

    /// Creates a Trunk command that runs in the project; the caller adds the arguments.
    pub fn task(&self, project: &Project, doing: &str) -> Task {
        Task::new("trunk", doing)
            .advice("an error of the compiler is yours to fix; for anything else run `cargo clean`")
            .folder(&project.root)
            .env("PATH", &self.path)
            // In one piece, unless it is to be cut.
            .without_env("RIDGEPOINT_PARTS")
            // Trunk takes the usual NO_COLOR=1 for a mistake in its own flag and stops.
            .without_env("NO_COLOR")
            // Its errors are plain without the sixty lines of its own stack.
            .without_env("RUST_BACKTRACE")
    }
}

/// Returns the command line tool of wasm-bindgen, which Trunk calls.
fn bindgen(project: &Project) -> Crate<'_> {
    Crate {
        name: "wasm-bindgen-cli",
        program: "wasm-bindgen",
        says_version: true,
        version: &project.wasm_bindgen,
        // Not `--locked`: its lock file may name withdrawn versions.
        options: "",
        optimise: "1",
        minutes: 2,
    }
}

/// Returns a `PATH` with cargo-deny, which checks dependencies.
pub fn deny() -> Result<OsString> {
    of_cargo("cargo-deny", DENY, true)
}

/// Returns a `PATH` with cargo-cyclonedx, which lists dependencies.
pub fn cyclonedx() -> Result<OsString> {
    of_cargo("cargo-cyclonedx", CYCLONEDX, false)
}

/// Returns a `PATH` with geckodriver, the driver of Firefox.
pub fn geckodriver() -> Result<OsString> {
    of_cargo("geckodriver", GECKODRIVER, true)
}

/// Returns a `PATH` with a cargo program that takes about a minute to build.
fn of_cargo(name: &str, version: &str, says_version: bool) -> Result<OsString> {
    let tool = Crate {
        name,
        program: name,
        says_version,
        version,
        options: "--locked",
        optimise: "0",
        minutes: 1,
    };
    path_with(install(&[tool], &cache_folder()?)?)
}

/// Builds the missing tools, and returns the folders of all tools that are not on `PATH`.
fn install(crates: &[Crate<'_>], cache: &Path) -> Result<Vec<PathBuf>> {
    let missing = crates.iter().filter(|tool| !tool.is_there(cache));
    let minutes: u32 = missing.map(|tool| tool.minutes).sum();
    if minutes > 0 {
        eprintln!(
            "• The first time, tools are built from source: about {minutes} min on two quiet cores."
        );
        eprintln!("  They stay in {}, for every checkout.", cache.display());
    }
    let mut folders = Vec::new();
    for tool in crates {
        folders.extend(tool.ensure(cache)?);
    }
    Ok(folders)
}

fn path_with(folders: Vec<PathBuf>) -> Result<OsString> {
    let inherited = env::var_os("PATH").unwrap_or_default();
    env::join_paths(folders.into_iter().chain(env::split_paths(&inherited))).map_err(|cause| {
        Failure::Wrong {
            what: format!("the tools cannot be put on PATH: {cause}"),
            advice: "set RIDGEPOINT_TOOLS to a folder without a colon or quote in its name"
                .to_owned(),
        }
    })
}

fn cache_folder() -> Result<PathBuf> {
    let set = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    if let Some(folder) = set("RIDGEPOINT_TOOLS") {
        return Ok(folder);
    }
    let caches = set("XDG_CACHE_HOME")
        .or_else(|| set("HOME").map(|home| home.join(".cache")))
        .or_else(|| set("LOCALAPPDATA"));
    caches
        .map(|folder| folder.join("ridgepoint"))
        .ok_or_else(|| Failure::Missing {
            what: "there is no folder to keep tools in: HOME is not set".to_owned(),
            advice: "set RIDGEPOINT_TOOLS to a folder that may be written to".to_owned(),
        })
}

/// Finds rustfmt and clippy, or adds them if Rust was installed without them.
pub fn components() -> Result<()> {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if answer("cargo", &format!("{subcommand} --version")).is_some() {
            continue;
        }
        eprintln!("• {component} is missing: adding it (usually a few seconds).");
        Task::new("rustup", format!("adding {component}"))
            .args("component add")
            .arg(component)
            .advice(format!(
                "install {component} the way Rust was installed on this machine"
            ))
            .run()?;
    }
    Ok(())
}

fn wasm_target() -> Result<()> {
    let installed = || {
        answer("rustc", &format!("--print target-libdir --target {WASM}"))
            .is_some_and(|folder| Path::new(&folder).is_dir())
    };
    if installed() {
        return Ok(());
    }
    eprintln!("• The Rust target {WASM} is missing: adding it (usually a few seconds).");
    let advice = format!(
        "install Rust through https://rustup.rs and run `rustup target add {WASM}`, or install \
         your distribution's package of the standard library for {WASM}"
    );
    Task::new("rustup", "adding the WebAssembly target")
        .args("target add")
        .arg(WASM)
        .advice(advice.as_str())
        .run()?;
    if installed() {
        return Ok(());
    }
    let what = format!("rustup added {WASM}, but not to the rustc that is on PATH");
    Err(Failure::Missing { what, advice })
}

/// A tool that is distributed as a crate.
#[derive(Debug)]
struct Crate<'a> {
    name: &'a str,
    program: &'a str,
    /// True if the tool answers `--version`. If false, only the version in the cache is trusted.
    says_version: bool,
    version: &'a str,
    /// Further options for `cargo install`.
    options: &'static str,
    /// Optimization level at which the tool is built.
    optimise: &'static str,
    /// Minutes it takes to build the tool on two idle cores.
    minutes: u32,
}

impl Crate<'_> {
    /// Returns the tool's folder in the cache.
    fn home(&self, cache: &Path) -> PathBuf {
        cache.join(format!("{}-{}", self.program, self.version))
    }

    /// Returns the tool's program in the cache.
    fn cached(&self, cache: &Path) -> PathBuf {
        let file = format!("{}{}", self.program, env::consts::EXE_SUFFIX);
        self.home(cache).join("bin").join(file)
    }

    fn is_on_path(&self) -> bool {
        self.says_version && self.fits(Path::new(self.program))
    }

    fn is_there(&self, cache: &Path) -> bool {
        self.is_on_path() || self.fits(&self.cached(cache))
    }

    /// Returns the folder that contains the tool, or `None` if the right version is already on `PATH`.
    fn ensure(&self, cache: &Path) -> Result<Option<PathBuf>> {
        if self.is_on_path() {
            return Ok(None);
        }
        let (home, program) = (self.home(cache), self.cached(cache));
        let bin = home.join("bin");
        if self.fits(&program) {
            return Ok(Some(bin));
        }
        let Self {
            name,
            version,
            minutes,
            ..
        } = self;
        let usually = format!("{minutes} min");
        eprintln!("• Building {name} {version}, usually {usually}.");
        Task::new("cargo", format!("installing {name} {version}"))
            .usually(usually)
            .advice(format!(
                "check the network and the free disk space (3 GB while building), or install it \
                 yourself: cargo install {name} --version {version}"
            ))
            .args("install --version")
            .arg(version)
            .arg(name)
            .args(self.options)
            .arg("--root")
            .arg(&home)
            // Its own build folder, so that an interrupted installation resumes.
            .arg("--target-dir")
            .arg(home.join("build"))
            // Built without optimisation: they only copy files and rewrite one.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", self.optimise)
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "256")
            .env("CARGO_PROFILE_RELEASE_PANIC", "unwind")
            .run()?;
        // 2.5 GB of intermediate files; failing to remove them only costs space.
        std::fs::remove_dir_all(home.join("build")).ok();
        if self.fits(&program) {
            return Ok(Some(bin));
        }
        Err(Failure::Wrong {
            what: format!(
                "{} was installed but does not run as {version}",
                program.display()
            ),
            advice: format!("remove {} and try again", home.display()),
        })
    }

    fn fits(&self, program: &Path) -> bool {
        if !self.says_version {
            return answer(program, "--help").is_some();
        }
        answer(program, "--version")
            .is_some_and(|text| text.split_whitespace().any(|word| word == self.version))
    }
}

/// Returns the Binaryen module in the cache, installing it from npm if necessary.
fn binaryen(cache: &Path) -> Result<PathBuf> {
    let home = cache.join(format!("binaryen-{BINARYEN}"));
    let module = home.join("node_modules/binaryen/index.js");
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    for (program, name) in [("node", "Node.js"), (npm, "npm")] {
        if answer(program, "--version").is_none() {
            return Err(Failure::Missing {
                what: format!(
                    "the page is made smaller and weighed under Node, and there is no {name}"
                ),
                advice: "install Node.js 18 or newer with npm".to_owned(),
            });
        }
        if module.is_file() {
            return Ok(module);
        }
    }
    eprintln!("• Binaryen {BINARYEN} is missing: getting it from npm (usually 10 seconds).");
    Task::new(npm, "getting binaryen from npm")
        .args("install --no-audit --no-fund --no-save --prefix")
        .arg(&home)
        .arg(format!("binaryen@{BINARYEN}"))
        .advice("check the network")
        .run()?;
    if module.is_file() {
        return Ok(module);
    }
    Err(Failure::Wrong {
        what: format!("npm installed binaryen, but not {}", module.display()),
        advice: format!("remove {} and try again", home.display()),
    })
}
