//! Finds a browser and its driver for the tests, or installs them on Debian.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use site::Driver;

use crate::failure::{Failure, Result};
use crate::process::{Task, answer};

/// Chrome or Chromium, with the matching chromedriver.
#[derive(Debug)]
pub struct Browser {
    /// Path of the browser's program.
    pub chrome: PathBuf,
    /// Path of the driver's program.
    pub driver: PathBuf,
}

impl Browser {
    /// Starts the driver; dropping the driver closes its browsers.
    pub fn drive(&self) -> Result<Driver> {
        Driver::start(&self.driver).map_err(|cause| Failure::Start {
            program: self.driver.display().to_string(),
            cause,
            advice: "check that browser and driver are of the same version".to_owned(),
        })
    }
}

/// Program names of Chrome and Chromium, in order of preference. The headless shell comes first, because opening a
/// page in it takes half the time.
const CHROMES: [&str; 9] = [
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const DRIVERS: [&str; 3] = [
    "chromedriver",
    "/usr/lib/chromium/chromedriver",
    "/usr/lib/chromium-browser/chromedriver",
];

/// Finds the browser and its driver; as root on Debian, installs them if they are missing. The environment variables
/// `CHROME` and `CHROMEDRIVER` override the paths.
pub fn set_up() -> Result<Browser> {
    if let Some(browser) = find() {
        return Ok(browser);
    }
    if is_debian() && answer("id", "-u").as_deref() == Some("0") {
        eprintln!("• Chromium and its driver are missing: installing Debian's (usually 1 minute).");
        apt("reading the list of packages", "update")?;
        let install = "install -y --no-install-recommends chromium-headless-shell chromium-driver";
        apt("installing Chromium and its driver", install)?;
    }
    find().ok_or_else(|| Failure::Missing {
        what: format!("the browser tests need {}", missing()),
        advice: "on Debian run `apt-get install chromium-headless-shell chromium-driver` as root; elsewhere \
                 install Chrome and the chromedriver of the same version, and name them in \
                 CHROME and CHROMEDRIVER if they are not on PATH. `cargo xtask test --fast` \
                 leaves the browser out"
            .to_owned(),
    })
}

/// Finds Firefox, to test a second browser engine; the environment variable `FIREFOX` overrides its path.
pub fn firefox() -> Option<PathBuf> {
    named("FIREFOX").or_else(|| first(&["firefox-esr", "firefox"]))
}

/// Finds the driver of WebKitGTK, and the virtual screen that it needs.
pub fn webkit() -> Option<[PathBuf; 2]> {
    Some([first(&["WebKitWebDriver"])?, first(&["Xvfb"])?])
}

fn find() -> Option<Browser> {
    let chrome = named("CHROME").or_else(|| first(&CHROMES))?;
    let driver = named("CHROMEDRIVER").or_else(|| first(&DRIVERS))?;
    Some(Browser { chrome, driver })
}

fn missing() -> &'static str {
    let chrome = named("CHROME").or_else(|| first(&CHROMES));
    let driver = named("CHROMEDRIVER").or_else(|| first(&DRIVERS));
    match (chrome, driver) {
        (None, Some(_)) => "Chrome or Chromium, and found only chromedriver",
        (Some(_), None) => "chromedriver, and found only the browser",
        _ => "Chrome or Chromium, and chromedriver",
    }
}

/// Returns the program whose path an environment variable states.
fn named(variable: &str) -> Option<PathBuf> {
    let value = env::var_os(variable).filter(|value| !value.is_empty())?;
    on_path(Path::new(&value))
}

fn first(names: &[&str]) -> Option<PathBuf> {
    names.iter().find_map(|name| on_path(Path::new(name)))
}

/// Returns the file of a program. A plain name is looked up in `PATH`; a name with a folder is used as a path.
fn on_path(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.is_file().then(|| program.to_owned());
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .flat_map(|folder| {
            [
                folder.join(program),
                folder.join(program).with_extension("exe"),
            ]
        })
        .find(|file| file.is_file())
}

/// Returns true on Debian, but not on Ubuntu, whose Chromium package is a snap that cannot run as root in a
/// container.
fn is_debian() -> bool {
    fs::read_to_string("/etc/os-release")
        .is_ok_and(|text| text.lines().any(|line| line.trim() == "ID=debian"))
}

fn apt(doing: &str, words: &str) -> Result<()> {
    Task::new("apt-get", doing)
        .args(words)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .usually("30 seconds")
        .advice("check the network and /etc/apt/sources.list, then try again")
        .run()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_looked_up_as_a_shell_does() {
        let cargo = on_path(Path::new("cargo")).unwrap();
        assert_eq!(on_path(&cargo), Some(cargo));
        assert_eq!(on_path(Path::new("no-such-program")), None);
    }
}
