//! Pictures of the page, for people and for failures.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::Page;
use super::failure::{Failure, Result};
use super::page::PATIENCE;
use super::view::View;

/// Time without change after which a page counts as settled; several times the duration of a picture on a busy
/// machine.
const REST: Duration = Duration::from_millis(200);
const PICTURES: u32 = 3;
/// A page that never settles is taken as it is after this time.
const RESTLESS: Duration = Duration::from_secs(5);
/// Something is computed or loaded, as an expression.
pub const BUSY: &str = "Number(document.documentElement.dataset.busy ?? 0) > 0\
                        || document.querySelector('[aria-busy=true]') !== null";

impl Page {
    /// Waits until nothing is computed or loaded and the page looks the same twice: the worker's answers drawn, fonts
    /// loaded, animations over.
    pub fn settle(&self) -> Result {
        let began = Instant::now();
        let mut before = None;
        loop {
            let asked = Instant::now();
            let busy = self.run(&format!("return {BUSY}"), &[])? == true;
            let limit = if busy { PATIENCE } else { RESTLESS };
            let now = self.capture(&json!({ "format": "png" }))?;
            let now = (!busy).then_some(now);
            if began.elapsed() > limit || now.is_some() && now == before {
                return Ok(());
            }
            before = now;
            thread::sleep(REST.max(PICTURES * asked.elapsed()));
        }
    }

    /// A picture of the viewport, as PNG.
    pub fn picture(&self, file: &Path) -> Result {
        write(file, self.capture(&json!({ "format": "png" }))?)
    }

    /// A picture of the whole page from top to bottom, as PNG.
    pub fn full_picture(&self, file: &Path) -> Result {
        let size = self.session.devtools("Page.getLayoutMetrics", &json!({}))?;
        let side = |name: &str| size["cssContentSize"][name].as_f64().unwrap_or_default();
        let (width, height) = (side("width"), side("height"));
        let clip = json!({ "x": 0, "y": 0, "width": width, "height": height, "scale": 1 });
        let whole = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        write(file, self.capture(&whole)?)
    }

    /// The page printed on A4 paper, as PDF.
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

    /// Saves a picture and the console of a failed test.
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

/// A failed assertion panics, and leaves evidence too.
impl Drop for Page {
    fn drop(&mut self) {
        if thread::panicking() {
            self.leave_evidence();
        }
    }
}

/// The bytes of a picture or document.
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

/// `target/browser` of the checkout, which holds the built page.
fn pictures() -> PathBuf {
    let dist = env::var_os("RIDGEPOINT_DIST").map(PathBuf::from);
    let root = dist
        .as_deref()
        .and_then(Path::parent)
        .unwrap_or(Path::new("."));
    root.join("target/browser")
}
