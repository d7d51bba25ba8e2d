//! The page in its browser: opening the page, finding elements, and waiting.

use std::fmt::Debug;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use site::{Request, Server};

use super::element::Element;
use super::failure::{Failure, Result};
use super::observed::Observed;
use super::picture::BUSY;
use super::session::{Engine, Session, variable};
use super::view::View;

/// Sub-path at which the page is served, as on some hosts.
const BASE: &str = "/some/sub/path/";
/// Longest time to wait until the page reaches an expected state.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);
const GLANCE: Duration = Duration::from_millis(40);
/// Number of garbage collections before a measurement; a finalizer may hold an object for one more collection.
const COLLECTIONS: usize = 3;

/// A browser window for the built page, and the server that serves the page.
#[derive(Debug)]
pub struct Page {
    pub(super) session: Session,
    pub(super) server: Server,
    pub(super) observed: Observed,
}

impl Page {
    /// Serves the built page and starts a browser, in which nothing is open yet. Service workers are disabled, so
    /// that each request reaches the server.
    pub fn start(view: View) -> Result<Self> {
        let page = Self::start_kept(view)?;
        page.at_every_start("delete Navigator.prototype.serviceWorker")?;
        Ok(page)
    }

    /// Like `start`, but with service workers enabled.
    pub fn start_kept(view: View) -> Result<Self> {
        let page = Self::start_in(Engine::Chromium)?;
        page.set_view(view)?;
        Ok(page)
    }

    /// Like `start_kept`, in another browser engine with a laptop's screen size; `None` if the engine is not
    /// installed.
    pub fn start_in_other(engine: Engine) -> Result<Option<Self>> {
        if !engine.is_there() {
            return Ok(None);
        }
        let page = Self::start_in(engine)?;
        let size = json!({ "width": View::DESKTOP.width, "height": View::DESKTOP.height });
        page.session.post("/window/rect", &size)?;
        Ok(Some(page))
    }

    fn start_in(engine: Engine) -> Result<Self> {
        let dist = variable("RIDGEPOINT_DIST")?;
        let server = Server::start(Path::new(&dist), BASE, 0)
            .map_err(|cause| Failure::Setup(format!("{dist} cannot be served: {cause}")))?;
        Ok(Self {
            session: Session::start(engine)?,
            server,
            observed: Observed::default(),
        })
    }

    /// Opens the page with a URL query and waits until its program runs. An empty query gives the defaults of
    /// permalink version 1.
    pub fn open(&self, query: &str) -> Result {
        let query = if query.is_empty() { "v=1" } else { query };
        self.open_address(&format!("{}?{query}", self.server.url()))
    }

    /// Opens an address of the page and waits until the page's program runs.
    pub fn open_address(&self, url: &str) -> Result {
        self.open_url(url)?;
        self.wait_for(
            "the page's program to start",
            // index.html stores the program's exports here when its `main` has run.
            || self.run("return 'wasmBindings' in window", &[]),
            |there| there == true,
        )?;
        Ok(())
    }

    /// Changes the URL query of the open page, as the back button does, and waits until all computations for the
    /// query have finished.
    pub fn follow(&self, query: &str) -> Result {
        let script = "history.pushState(null, '', '?' + arguments[0]);\
            dispatchEvent(new PopStateEvent('popstate'));\
            return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";
        self.run(script, &[query.into()])?;
        let idle = || {
            let look = || self.run(&format!("return !({BUSY})"), &[]);
            self.wait_for("an idle page", look, |idle| idle == true)
        };
        // On a busy machine, the largest allowed simulation takes several times the time limit.
        let again = || (0..10).find_map(|_| idle().ok());
        again().map_or_else(|| idle().map(drop), |_| Ok(()))
    }

    /// Opens any address in the browser.
    pub fn open_url(&self, url: &str) -> Result {
        self.session.post("/url", &json!({ "url": url })).map(drop)
    }

    /// Returns the address of the page without a query.
    pub fn home(&self) -> String {
        self.server.url()
    }

    /// Returns the address in the address bar.
    pub fn url(&self) -> Result<String> {
        Ok(self
            .session
            .get("/url")?
            .as_str()
            .unwrap_or_default()
            .to_owned())
    }

    /// Returns the query in the address bar.
    pub fn query(&self) -> Result<String> {
        Ok(self
            .url()?
            .split_once('?')
            .map(|(_, query)| query.to_owned())
            .unwrap_or_default())
    }

    /// Presses the browser's back button.
    pub fn back(&self) -> Result {
        self.session.post("/back", &json!({})).map(drop)
    }

    /// Presses the browser's forward button.
    pub fn forward(&self) -> Result {
        self.session.post("/forward", &json!({})).map(drop)
    }

    /// Presses the browser's reload button.
    pub fn reload(&self) -> Result {
        self.session.post("/refresh", &json!({})).map(drop)
    }

    /// Makes a script run in every new document before the document's scripts.
    pub fn at_every_start(&self, script: &str) -> Result {
        let source = json!({ "source": script });
        self.session
            .devtools("Page.addScriptToEvaluateOnNewDocument", &source)
            .map(drop)
    }

    /// Returns the page's weight after garbage collection: nodes, listeners, bytes of script heap, and bytes of
    /// WebAssembly memory.
    pub fn weight(&self) -> Result<[f64; 4]> {
        for _ in 0..COLLECTIONS {
            self.session
                .devtools("HeapProfiler.collectGarbage", &json!({}))?;
        }
        self.session.devtools("Performance.enable", &json!({}))?;
        let told = self
            .session
            .devtools("Performance.getMetrics", &json!({}))?;
        let metrics = told["metrics"].as_array().cloned().unwrap_or_default();
        let of = |name: &str| {
            let found = metrics.iter().find(|metric| metric["name"] == name);
            found
                .and_then(|metric| metric["value"].as_f64())
                .unwrap_or(f64::NAN)
        };
        // The program's initializer returns the exports at every call.
        let script = "const [done] = arguments;\
            wasmBindings.default().then(({ memory }) => done(memory.buffer.byteLength))";
        let memory = self.run_async(script, &[])?.as_f64().unwrap_or(f64::NAN);
        Ok([
            of("Nodes"),
            of("JSEventListeners"),
            of("JSHeapUsedSize"),
            memory,
        ])
    }

    /// Switches to the screen that `view` describes.
    pub fn set_view(&self, view: View) -> Result {
        for (command, parameters) in view.commands() {
            self.session.devtools(command, &parameters)?;
        }
        Ok(())
    }

    /// Waits for the first element that matches a selector, and returns it.
    pub fn css(&self, selector: &str) -> Result<Element<'_>> {
        let wanted = format!("an element `{selector}`");
        self.wait_until(&wanted, || {
            let found = self.css_all(selector)?.into_iter().next();
            Ok(found.ok_or_else(|| "no such element".to_owned()))
        })
    }

    /// Returns all elements that currently match a selector.
    pub fn css_all(&self, selector: &str) -> Result<Vec<Element<'_>>> {
        let body = json!({ "using": "css selector", "value": selector });
        let found = self.session.post("/elements", &body)?;
        let found = found.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(found
            .iter()
            .filter_map(|one| Element::from_answer(&self.session, one))
            .collect())
    }

    /// Runs a script and returns the elements in its result.
    pub fn find(&self, script: &str, arguments: &[Value]) -> Result<Vec<Element<'_>>> {
        let found = self.run(script, arguments)?;
        let found = found.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(found
            .iter()
            .filter_map(|one| Element::from_answer(&self.session, one))
            .collect())
    }

    /// Waits for the element with this role and accessible name, and returns it. Examples:
    /// `named("slider", "Batch")`, `named("button", "Copy link")`.
    pub fn named(&self, role: &str, name: &str) -> Result<Element<'_>> {
        // Each driver command takes time, so likely elements come first. A transparent input under a drawing counts as
        // present.
        let script = "const [selector, name] = arguments;\
            const likely = e => (e.ariaLabel || e.innerText || '').trim() === name;\
            return [...document.querySelectorAll(selector)]\
              .filter(e => e.checkVisibility({ visibilityProperty: true }))\
              .sort((a, b) => likely(b) - likely(a))";
        let candidates = [json!(candidates(role)), json!(name)];
        self.wait_until(&format!("a {role} named “{name}”"), || {
            let mut names = Vec::new();
            for element in self.find(script, &candidates)? {
                if element.role()? == role {
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

    /// Returns the visible text of the page.
    pub fn text(&self) -> Result<String> {
        self.css("body")?.text()
    }

    /// Runs a script in the page with `arguments`, and returns its result.
    pub fn run(&self, script: &str, arguments: &[Value]) -> Result<Value> {
        self.session.post(
            "/execute/sync",
            &json!({ "script": script, "args": arguments }),
        )
    }

    /// Evaluates a JavaScript expression and returns its value; a promise is awaited. Works in Chromium only. Unlike
    /// `run`, it leaves nothing in the page; each WebDriver script leaves 68 bytes, which would add up in long use.
    pub fn evaluate(&self, expression: &str) -> Result<Value> {
        let parameters =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let told = self.session.devtools("Runtime.evaluate", &parameters)?;
        match told.get("exceptionDetails") {
            Some(thrown) => Err(Failure::Manners(vec![thrown.to_string()])),
            None => Ok(told["result"]["value"].clone()),
        }
    }

    /// Runs a script that receives a callback as its last argument, and returns the value that the script passes to the
    /// callback.
    pub fn run_async(&self, script: &str, arguments: &[Value]) -> Result<Value> {
        self.session.post(
            "/execute/async",
            &json!({ "script": script, "args": arguments }),
        )
    }

    /// Repeats `look` until its result satisfies `right`, and returns that result. After a timeout, the failure
    /// contains the last result. An attempt is also repeated if WebDriver refuses a command, for example because the
    /// page is replacing an element.
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

    /// Like [`Self::wait_for`], but `look` decides when the wait is over: its inner result is `Ok` with the final
    /// value, or `Err` with the state that it found.
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

    /// Connects the page to the network or disconnects it.
    pub fn set_online(&self, online: bool) -> Result {
        let network = json!({
            "offline": !online, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
        });
        self.session
            .devtools("Network.emulateNetworkConditions", &network)
            .map(drop)
    }

    /// Sends these headers with every answer, instead of the default headers, which forbid caching and contain the
    /// page's security policy.
    pub fn set_headers(&self, headers: &[&str]) {
        self.server.set_headers(headers);
    }

    /// From now on, returns this status and text for every requested path that ends with `ending`.
    pub fn replace_file(&self, ending: &str, status: u16, text: &str) {
        self.server.replace(ending, status, text);
    }

    /// From now on, sends this media type for every file with a path that ends with `ending`.
    pub fn retype_file(&self, ending: &str, media_type: &str) {
        self.server.retype(ending, media_type);
    }

    /// Delays the answers to all later requests by `time` if the requested path ends with `ending`.
    pub fn delay_file(&self, ending: &str, time: Duration) {
        self.server.delay(ending, time);
    }

    /// From now on, serves another build of the page.
    pub fn deploy(&self, dist: &Path) -> Result {
        let failed = |cause: std::io::Error| Failure::Setup(format!("{}: {cause}", dist.display()));
        self.server.deploy(dist).map_err(failed)
    }

    /// Stops the server, so that no further request is answered.
    pub fn stop_server(&self) {
        self.server.stop();
    }

    /// Directs further commands to the document of a frame.
    pub fn enter_frame(&self, frame: &Element<'_>) -> Result {
        self.session
            .post("/frame", &json!({ "id": frame.reference() }))
            .map(drop)
    }

    /// Directs further commands to the page again.
    pub fn leave_frame(&self) -> Result {
        self.session.post("/frame/parent", &json!({})).map(drop)
    }

    /// Returns the requests to the page's server, with their answers.
    pub fn served(&self) -> Vec<Request> {
        self.server.requests()
    }
}

/// Returns a selector that matches all elements with an ARIA role, and few others. Asking the browser for the role
/// and name of every element would be slow.
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
