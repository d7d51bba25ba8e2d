//! WebDriver client: a session with a browser, and commands as JSON.

use std::cell::RefCell;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use site::Driver;
use ureq::Agent;

use super::browser::Context;
use super::failure::{Failure, Result};

/// Timeout of a command, longer than any command takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Counter that gives each browser session of a test program a distinct number.
static SERIAL: AtomicU32 = AtomicU32::new(0);

/// A browser engine; environment variables name the browser and driver of each engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Chromium: the browser at `CHROME`, controlled by the driver that runs at the address `WEBDRIVER`.
    Chromium,
    /// Firefox: the browser at `FIREFOX`, controlled by the driver at `GECKODRIVER`; it has no DevTools.
    Firefox,
    /// WebKit: the small browser of WebKitGTK, which `WEBKITDRIVER` starts on a virtual screen of `XVFB`; it has no
    /// DevTools.
    WebKit,
}

impl Engine {
    /// Returns true if a driver for the engine is configured.
    pub fn is_there(self) -> bool {
        let driver = match self {
            Self::Chromium => "WEBDRIVER",
            Self::Firefox => "GECKODRIVER",
            Self::WebKit => "WEBKITDRIVER",
        };
        variable(driver).is_ok()
    }
}

/// A connection to a WebDriver server, and the identifier of its session.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    agent: Agent,
    address: String,
    id: String,
}

impl Wire {
    /// Creates a connection to the driver at an address, without a session.
    pub(super) fn new(address: String) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .proxy(None)
            .build();
        Self {
            agent: config.into(),
            address,
            id: String::new(),
        }
    }

    /// Starts a browser and returns the driver's description of it.
    pub(super) fn begin(&mut self, capabilities: &Value) -> Result<Value> {
        let wanted = json!({ "capabilities": { "alwaysMatch": capabilities } });
        let url = format!("{}/session", self.address);
        let begun = self.read("POST /session", self.agent.post(&url).send_json(wanted))?;
        let id = begun["sessionId"].as_str().unwrap_or_default();
        id.clone_into(&mut self.id);
        Ok(begun)
    }

    /// Ends the browser; killing the driver alone would leave the browser running.
    pub(super) fn end(&self) {
        if !self.id.is_empty() {
            self.delete("").ok();
        }
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Result<Value> {
        let answer = self.agent.post(self.url(path)).send_json(body);
        self.read(&format!("POST {path}"), answer)
    }

    pub(super) fn get(&self, path: &str) -> Result<Value> {
        let answer = self.agent.get(self.url(path)).call();
        self.read(&format!("GET {path}"), answer)
    }

    pub(super) fn delete(&self, path: &str) -> Result<Value> {
        let answer = self.agent.delete(self.url(path)).call();
        self.read(&format!("DELETE {path}"), answer)
    }

    pub(super) fn fetch(&self, url: &str) -> Result<Value> {
        json_of(url, self.agent.get(url).call())
    }

    fn url(&self, path: &str) -> String {
        format!("{}/session/{}{path}", self.address, self.id)
    }

    fn read(&self, command: &str, answer: Answer) -> Result<Value> {
        let value = json_of(command, answer)?["value"].take();
        let Some(error) = value["error"].as_str() else {
            return Ok(value);
        };
        Err(Failure::Refused {
            command: command.to_owned(),
            error: error.to_owned(),
            message: value["message"].as_str().unwrap_or_default().to_owned(),
        })
    }
}

type Answer = std::result::Result<ureq::http::Response<ureq::Body>, ureq::Error>;

fn json_of(what: &str, answer: Answer) -> Result<Value> {
    let transport = |cause: ureq::Error| Failure::Transport(format!("{what}: {cause}"));
    // A picture of a long page at scale 2 is larger than ureq's default limit.
    let mut answer = answer.map_err(transport)?;
    let body = answer.body_mut().with_config().limit(256 << 20);
    body.read_json().map_err(transport)
}

/// A browser session for one test; dropping it closes the session and removes its files.
#[derive(Debug)]
pub struct Session {
    wire: Wire,
    host: Host,
    folder: PathBuf,
}

/// The processes that run a browser session.
#[derive(Debug)]
enum Host {
    /// A browser that tests use in turn.
    Shared(Box<RefCell<Context>>),
    /// A driver that runs for this session alone.
    Driver { _driver: Driver },
    /// A driver that runs for this session alone, and the virtual screen on which its browser is shown.
    Screened { driver: Child, screen: Child },
}

impl Session {
    /// Starts a headless browser without any state from earlier sessions.
    pub fn start(engine: Engine) -> Result<Self> {
        let (wire, host) = match engine {
            Engine::Chromium => {
                let (wire, context) = Context::open()?;
                (wire, Host::Shared(Box::new(RefCell::new(context))))
            }
            Engine::Firefox => {
                let program = variable("GECKODRIVER")?;
                let failed = |cause| Failure::Setup(format!("{program} did not start: {cause}"));
                let driver = Driver::start(Path::new(&program)).map_err(failed)?;
                let mut wire = Wire::new(driver.address());
                // The driver makes a profile, and removes it.
                let options = json!({ "binary": variable("FIREFOX")?, "args": ["-headless"] });
                wire.begin(&json!({ "browserName": "firefox", "moz:firefoxOptions": options }))?;
                (wire, Host::Driver { _driver: driver })
            }
            Engine::WebKit => {
                let (mut screen, display) = start_screen(&variable("XVFB")?)?;
                let started = start_webkit(&variable("WEBKITDRIVER")?, &display);
                let (driver, port) = started.inspect_err(|_| drop(screen.kill()))?;
                let mut wire = Wire::new(format!("http://127.0.0.1:{port}"));
                let host = Host::Screened { driver, screen };
                wire.begin(&json!({}))?;
                (wire, host)
            }
        };
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let name = format!("ridgepoint-browser-{}-{serial}", std::process::id());
        let folder = env::temp_dir().join(name);
        Ok(Self { wire, host, folder })
    }

    /// Sends a WebDriver command and returns its result.
    pub fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.wire.post(path, body)
    }

    /// Sends a WebDriver query and returns its result.
    pub fn get(&self, path: &str) -> Result<Value> {
        self.wire.get(path)
    }

    /// Sends a DevTools command to the page, for functions that WebDriver lacks.
    pub fn devtools(&self, command: &str, parameters: &Value) -> Result<Value> {
        let body = json!({ "cmd": command, "params": parameters });
        self.post("/goog/cdp/execute", &body)
    }

    /// Sends the browser a DevTools command that affects only this session; fails in browsers other than Chromium.
    pub fn browser(&self, command: &str, parameters: Value) -> Result<Value> {
        match &self.host {
            Host::Shared(context) => context.borrow_mut().call(command, parameters),
            _ => Err(Failure::Setup(format!("no DevTools for {command}"))),
        }
    }

    /// Returns the folder for files of this session; it is removed with the session.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        match &mut self.host {
            Host::Shared(context) => context.get_mut().close(thread::panicking()),
            Host::Driver { .. } => self.wire.end(),
            Host::Screened { driver, screen } => {
                self.wire.end();
                for program in [driver, screen] {
                    program.kill().ok();
                    program.wait().ok();
                }
            }
        }
        fs::remove_dir_all(&self.folder).ok();
    }
}

/// Returns the value of an environment variable that `cargo xtask test` sets.
pub fn variable(name: &str) -> Result<String> {
    env::var(name).map_err(|_| {
        Failure::Setup(format!(
            "{name} is not set: run this as `cargo xtask test` or `… shots`"
        ))
    })
}

/// Starts a virtual screen, and returns its process and its name.
fn start_screen(program: &str) -> Result<(Child, String)> {
    let mut screen = Command::new(program)
        .args(["-displayfd", "1", "-screen", "0", "1600x1200x24"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|cause| Failure::Setup(format!("{program} did not start: {cause}")))?;
    let mut number = String::new();
    if let Some(stdout) = screen.stdout.take() {
        BufReader::new(stdout).read_line(&mut number).ok();
    }
    Ok((screen, format!(":{}", number.trim())))
}

/// Starts WebKit's driver, and returns its process and port. The port has to be selected here, because the driver
/// prints nothing.
fn start_webkit(program: &str, display: &str) -> Result<(Child, u16)> {
    let failed = |cause| Failure::Setup(format!("{program} did not start: {cause}"));
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|any| any.local_addr());
    let port = free.map_err(failed)?.port();
    let driver = Command::new(program)
        .args(["--host=127.0.0.1".to_owned(), format!("--port={port}")])
        .env("DISPLAY", display)
        // There is no GPU, and root in a container cannot use the sandbox.
        .env("WEBKIT_DISABLE_COMPOSITING_MODE", "1")
        .env("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    for _ in 0..200 {
        if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok((driver, port))
}
