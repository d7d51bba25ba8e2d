//! Screenshots of the page, for documentation and for failed tests.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::Page;
use super::failure::{Failure, Result};
use super::view::View;

/// Script expression that is true while the page computes or loads something.
pub const BUSY: &str = "Number(document.documentElement.dataset.busy ?? 0) > 0\
                        || document.querySelector('[aria-busy=true]') !== null";

/// Script that waits until nothing has changed for 150 ms, and then until the next frame is drawn. It waits at most
/// 5 s, or longer while the page computes. Pages with frames wait longer, because changes in a frame's document
/// cannot be observed.
const SETTLE: &str = "const [done] = arguments, began = performance.now();\
    const rest = document.querySelector('iframe') ? 600 : 150;\
    let changed = began;\
    const watch = new MutationObserver(() => changed = performance.now());\
    watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });\
    const moves = () => document.fonts.status !== 'loaded'\
        || document.getAnimations().some(animation => animation.playState === 'running');\
    const look = () => {\
        const now = performance.now(), works = busy();\
        if (works || moves()) changed = now;\
        if (now - changed < rest && (works || now - began < 5000)) return setTimeout(look, 30);\
        watch.disconnect();\
        requestAnimationFrame(() => requestAnimationFrame(() => done(true)));\
    };\
    look()";

impl Page {
    /// Waits until nothing is being computed, loaded or animated, and no element has changed for a while.
    pub fn settle(&self) -> Result {
        self.run_async(&format!("const busy = () => {BUSY}; {SETTLE}"), &[])
            .map(drop)
    }

    /// Saves a screenshot of the viewport as PNG.
    pub fn picture(&self, file: &Path) -> Result {
        write(file, self.capture(&json!({ "format": "png" }))?)
    }

    /// Saves a screenshot of the whole page, from top to bottom, as PNG.
    pub fn full_picture(&self, file: &Path) -> Result {
        let size = self.session.devtools("Page.getLayoutMetrics", &json!({}))?;
        let side = |name: &str| size["cssContentSize"][name].as_f64().unwrap_or_default();
        let (width, height) = (side("width"), side("height"));
        let clip = json!({ "x": 0, "y": 0, "width": width, "height": height, "scale": 1 });
        let whole = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        write(file, self.capture(&whole)?)
    }

    /// Prints the page on A4 paper and returns the PDF.
    pub fn print(&self) -> Result<Vec<u8>> {
        let paper = json!({ "page": { "width": 21.0, "height": 29.7 } });
        decode(&self.session.post("/print", &paper)?)
    }

    /// Shows the page as it is printed on A4 paper, between its margins, until another view is set.
    pub fn show_as_printed(&self) -> Result {
        self.set_view(View::PAPER)?;
        let media = json!({ "media": "print" });
        self.session
            .devtools("Emulation.setEmulatedMedia", &media)
            .map(drop)
    }

    fn capture(&self, parameters: &Value) -> Result<Vec<u8>> {
        let answer = self
            .session
            .devtools("Page.captureScreenshot", parameters)?;
        decode(&answer["data"])
    }

    /// Saves a screenshot of the page and prints the page's console after a failed test.
    pub(super) fn leave_evidence(&self) {
        let thread = thread::current();
        let name = thread.name().unwrap_or("test").replace("::", "-");
        let file = pictures().join(format!("{name}.png"));
        match self.picture(&file) {
            Ok(()) => eprintln!("a picture of the page: {}", file.display()),
            Err(failure) => eprintln!("no picture of the page: {failure}"),
        }
        for line in self.console().unwrap_or_default() {
            eprintln!("console {}: {}", line.level, line.text);
        }
        // Some tests open links of a hundred kilobytes.
        let address = self.url().unwrap_or_default();
        eprintln!("address: {:.400}", address);
    }
}

/// Saves a screenshot and prints the console if an assertion failed, because such a test panics instead of returning
/// a failure.
impl Drop for Page {
    fn drop(&mut self) {
        if thread::panicking() {
            self.leave_evidence();
        }
    }
}

fn decode(data: &Value) -> Result<Vec<u8>> {
    STANDARD
        .decode(data.as_str().unwrap_or_default())
        .map_err(|cause| Failure::Transport(format!("a picture is not base64: {cause}")))
}

fn write(file: &Path, png: Vec<u8>) -> Result {
    let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
    let written = folder.and_then(|()| fs::write(file, png));
    written.map_err(|cause| Failure::File(file.to_owned(), cause))
}

/// Returns `target/browser` in the checkout that contains the built page.
fn pictures() -> PathBuf {
    let dist = env::var_os("RIDGEPOINT_DIST").map(PathBuf::from);
    let root = dist
        .as_deref()
        .and_then(Path::parent)
        .unwrap_or(Path::new("."));
    root.join("target/browser")
}
