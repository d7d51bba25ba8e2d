//! A real browser, driven the way a person does, for the tests in `tests/browser`.
//!
//! Raw WebDriver through chromedriver: no framework, so that a test compiles in seconds. A test is
//!
//! ```no_run
//! use ridgepoint_tests::driver::{Result, View, on_page};
//!
//! #[test]
//! fn the_link_holds_the_accelerator() -> Result {
//!     on_page(View::DESKTOP, |page| {
//!         page.open("gpu=h200")?;
//!         let verdict = page.css("[role=status]")?;
//!         page.wait_for("a verdict", || verdict.text(), |text| text.starts_with("Bound by"))?;
//!         page.named("slider", "Interconnect")?.type_keys("50")?;
//!         Ok(())
//!     })
//! }
//! ```
//!
//! The page is served from a sub-path, on a port of its own, to a browser of its own. When a test
//! fails or panics, a picture of the page is left in `target/browser` and its path printed; when it
//! passes, [`Page::check_manners`] still has to hold.

mod element;
mod failure;
mod input;
mod observed;
mod session;
mod view;

use std::env;
use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use xtask::site::{Request, Server};

pub use element::{Element, Rect};
pub use failure::{Failure, Result};
pub use input::{Point, Pointer, key};
pub use observed::Line;
pub use view::View;

use observed::Observed;
use session::{Session, variable};

/// Where the page is served: some hosts put a site here, and it must not mind.
const BASE: &str = "/some/sub/path/";
/// How long the page may take to become what a test waits for.
const PATIENCE: Duration = Duration::from_secs(15);
const GLANCE: Duration = Duration::from_millis(40);

/// Runs a test on a page of its own: see the module's description.
pub fn on_page(view: View, test: impl FnOnce(&Page) -> Result) -> Result {
    let page = Page::start(view)?;
    let outcome = test(&page).and_then(|()| page.check_manners());
    if outcome.is_err() {
        page.leave_evidence();
    }
    outcome
}

/// A browser with the built page in it.
#[derive(Debug)]
pub struct Page {
    session: Session,
    server: Server,
    observed: Observed,
}

impl Page {
    /// Serves the built page and starts a browser; nothing is open yet.
    pub fn start(view: View) -> Result<Self> {
        let dist = variable("RIDGEPOINT_DIST")?;
        let server = Server::start(Path::new(&dist), BASE, 0)
            .map_err(|cause| Failure::Setup(format!("{dist} cannot be served: {cause}")))?;
        let page = Self {
            session: Session::start()?,
            server,
            observed: Observed::default(),
        };
        page.set_view(view)?;
        Ok(page)
    }

    /// Opens the page with what a link holds after the `?`, and waits until it is loaded.
    ///
    /// The page's own program starts after that: find things with what waits for them.
    pub fn open(&self, query: &str) -> Result {
        let question = if query.is_empty() { "" } else { "?" };
        self.open_url(&format!("{}{question}{query}", self.server.url()))
    }

    /// Opens any address.
    pub fn open_url(&self, url: &str) -> Result {
        self.session.post("/url", &json!({ "url": url })).map(drop)
    }

    /// The address of the page without a query.
    pub fn home(&self) -> String {
        self.server.url()
    }

    /// The address in the address bar.
    pub fn url(&self) -> Result<String> {
        Ok(self
            .session
            .get("/url")?
            .as_str()
            .unwrap_or_default()
            .to_owned())
    }

    /// What the link in the address bar holds after the `?`.
    pub fn query(&self) -> Result<String> {
        Ok(self
            .url()?
            .split_once('?')
            .map(|(_, query)| query.to_owned())
            .unwrap_or_default())
    }

    /// The back button.
    pub fn back(&self) -> Result {
        self.session.post("/back", &json!({})).map(drop)
    }

    /// The forward button.
    pub fn forward(&self) -> Result {
        self.session.post("/forward", &json!({})).map(drop)
    }

    /// The reload button.
    pub fn reload(&self) -> Result {
        self.session.post("/refresh", &json!({})).map(drop)
    }

    /// Looks at the page on another screen.
    pub fn set_view(&self, view: View) -> Result {
        for (command, parameters) in view.commands() {
            self.session.devtools(command, &parameters)?;
        }
        Ok(())
    }

    /// The first element that matches a selector, as soon as there is one.
    pub fn css(&self, selector: &str) -> Result<Element<'_>> {
        let wanted = format!("an element `{selector}`");
        self.wait_until(&wanted, || {
            let found = self.css_all(selector)?.into_iter().next();
            Ok(found.ok_or_else(|| "no such element".to_owned()))
        })
    }

    /// All elements that match a selector now.
    pub fn css_all(&self, selector: &str) -> Result<Vec<Element<'_>>> {
        let body = json!({ "using": "css selector", "value": selector });
        let found = self.session.post("/elements", &body)?;
        let found = found.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(found
            .iter()
            .filter_map(|one| Element::from_answer(&self.session, one))
            .collect())
    }

    /// The element with this role and accessible name, as a screen reader finds it, as soon as
    /// there is one: `named("slider", "Batch")`, `named("button", "Copy link")`.
    pub fn named(&self, role: &str, name: &str) -> Result<Element<'_>> {
        self.wait_until(&format!("a {role} named “{name}”"), || {
            let mut names = Vec::new();
            for element in self.css_all(&candidates(role))? {
                if element.role()? == role && element.is_shown()? {
                    let found = element.name()?;
                    if found.trim() == name {
                        return Ok(Ok(element));
                    }
                    names.push(found);
                }
            }
            Ok(Err(format!("of role {role}, there are {names:?}")))
        })
    }

    /// All text on the page that can be seen.
    pub fn text(&self) -> Result<String> {
        self.css("body")?.text()
    }

    /// Runs a script in the page, with `arguments`, and gives back what it returns.
    pub fn run(&self, script: &str, arguments: &[Value]) -> Result<Value> {
        self.session.post(
            "/execute/sync",
            &json!({ "script": script, "args": arguments }),
        )
    }

    /// Looks again and again until what is seen is right, and gives it back; the failure says what
    /// was seen last. A look that fails, because the page is just replacing something, is no harm.
    pub fn wait_for<T: Debug>(
        &self,
        wanted: &str,
        mut look: impl FnMut() -> Result<T>,
        right: impl Fn(&T) -> bool,
    ) -> Result<T> {
        self.wait_until(wanted, || {
            let seen = look()?;
            Ok(if right(&seen) {
                Ok(seen)
            } else {
                Err(format!("{seen:?}"))
            })
        })
    }

    /// Like [`Self::wait_for`] for a look that judges itself: what was wanted, or what was there.
    pub fn wait_until<T>(
        &self,
        wanted: &str,
        mut look: impl FnMut() -> Result<std::result::Result<T, String>>,
    ) -> Result<T> {
        let began = Instant::now();
        loop {
            let seen = match look() {
                Ok(Ok(found)) => return Ok(found),
                Ok(Err(seen)) => seen,
                Err(Failure::Refused { error, message, .. }) => format!("{error}: {message}"),
                Err(failure) => return Err(failure),
            };
            if began.elapsed() > PATIENCE {
                return Err(Failure::Waited {
                    wanted: wanted.to_owned(),
                    seen,
                });
            }
            thread::sleep(GLANCE);
        }
    }

    /// What the server of the page was asked for, and what it answered.
    pub fn served(&self) -> Vec<Request> {
        self.server.requests()
    }

    /// A picture of what is in view, as PNG.
    pub fn picture(&self, file: &Path) -> Result {
        self.capture(file, &json!({ "format": "png" }))
    }

    /// A picture of the whole page from top to bottom, as PNG.
    pub fn full_picture(&self, file: &Path) -> Result {
        let size = self.session.devtools("Page.getLayoutMetrics", &json!({}))?;
        let side = |name: &str| size["cssContentSize"][name].as_f64().unwrap_or_default();
        let (width, height) = (side("width"), side("height"));
        let clip = json!({ "x": 0, "y": 0, "width": width, "height": height, "scale": 1 });
        let whole = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        self.capture(file, &whole)
    }

    fn capture(&self, file: &Path, parameters: &Value) -> Result {
        let answer = self
            .session
            .devtools("Page.captureScreenshot", parameters)?;
        let png = STANDARD
            .decode(answer["data"].as_str().unwrap_or_default())
            .map_err(|cause| Failure::Transport(format!("a picture is not base64: {cause}")))?;
        let written = file.parent().map_or(Ok(()), fs::create_dir_all);
        written
            .and_then(|()| fs::write(file, png))
            .map_err(|cause| Failure::File(file.to_owned(), cause))
    }

    /// A picture and the console, for whoever has to find out why the test failed.
    fn leave_evidence(&self) {
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
        eprintln!("address: {}", self.url().unwrap_or_default());
    }
}

/// An assertion that fails panics: its test leaves evidence too.
impl Drop for Page {
    fn drop(&mut self) {
        if thread::panicking() {
            self.leave_evidence();
        }
    }
}

/// `target/browser` of the checkout.
fn pictures() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"))
        .join("browser")
}

/// A selector that holds everything of a role, and little else: asking the browser for the role
/// and name of an element takes a moment each.
fn candidates(role: &str) -> String {
    let native = match role {
        "button" => "button, summary, input[type=button], input[type=submit]",
        "link" => "a[href]",
        "slider" => "input[type=range]",
        "textbox" => "input, textarea",
        "spinbutton" => "input[type=number]",
        "combobox" | "listbox" => "select, input[list]",
        "checkbox" => "input[type=checkbox]",
        "radio" => "input[type=radio]",
        "heading" => "h1, h2, h3, h4, h5, h6",
        "img" | "image" => "img, svg, canvas",
        "dialog" => "dialog",
        "table" => "table",
        "navigation" => "nav",
        "main" => "main",
        "region" => "section",
        "group" => "fieldset, details",
        _ => "*",
    };
    format!("{native}, [role={role}]")
}
