//! WebDriver connection: one driver, one browser, commands as JSON.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;

use super::failure::{Failure, Result};

/// Timeout of a command, longer than any takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Distinguishes the browsers of one test program.
static SERIAL: AtomicU32 = AtomicU32::new(0);

/// A browser with its driver, each named by an environment variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// `CHROME` and `CHROMEDRIVER`.
    Chromium,
    /// `FIREFOX` and `GECKODRIVER`; it has no DevTools.
    Firefox,
    /// WebKitGTK's own small browser, which `WEBKITDRIVER` starts on a screen of `XVFB`; it has no DevTools.
    WebKit,
}

impl Engine {
    /// True if there is a driver.
    pub fn is_there(self) -> bool {
        variable(self.driver()).is_ok()
    }

    const fn driver(self) -> &'static str {
        match self {
            Self::Chromium => "CHROMEDRIVER",
            Self::Firefox => "GECKODRIVER",
            Self::WebKit => "WEBKITDRIVER",
        }
    }
}

/// A running browser; ended, with its profile removed, when dropped.
#[derive(Debug)]
pub struct Session {
    driver: Child,
    screen: Option<Child>,
    // Kept open: a driver whose stdout is closed dies of its next line.
    _stdout: BufReader<ChildStdout>,
    profile: PathBuf,
    agent: Agent,
    address: String,
    id: String,
}

impl Session {
    /// Starts a headless browser with a fresh profile.
    pub fn start(engine: Engine) -> Result<Self> {
        let program = variable(engine.driver())?;
        let (screen, (driver, stdout, port)) = match engine {
            Engine::WebKit => {
                let (mut screen, display) = start_screen(&variable("XVFB")?)?;
                let started = start_webkit(&program, &display).inspect_err(|_| {
                    screen.kill().ok();
                });
                (Some(screen), started?)
            }
            Engine::Chromium | Engine::Firefox => (None, start_driver(&program)?),
        };
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let name = format!("ridgepoint-browser-{}-{serial}", std::process::id());
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .proxy(None)
            .build();
        let mut session = Self {
            driver,
            screen,
            _stdout: stdout,
            profile: env::temp_dir().join(name),
            agent: config.into(),
            address: format!("http://127.0.0.1:{port}"),
            id: String::new(),
        };
        let wanted = match engine {
            Engine::Chromium => session.chromium(&variable("CHROME")?),
            Engine::Firefox => json!({
                "browserName": "firefox",
                // The driver makes a profile, and removes it.
                "moz:firefoxOptions": { "binary": variable("FIREFOX")?, "args": ["-headless"] },
            }),
            Engine::WebKit => json!({}),
        };
        let wanted = json!({ "capabilities": { "alwaysMatch": wanted } });
        let answer = session.send("POST", "/session", &wanted)?;
        let id = answer["sessionId"].as_str().unwrap_or_default();
        id.clone_into(&mut session.id);
        Ok(session)
    }

    fn chromium(&self, chrome: &str) -> Value {
        json!({
            "browserName": "chrome",
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
            "goog:chromeOptions": {
                "binary": chrome,
                "perfLoggingPrefs": { "enableNetwork": true, "enablePage": false },
                "args": [
                    "--headless",
                    "--no-sandbox", // root in a container has no other way
                    "--disable-gpu",
                    "--disable-quic",
                    "--disable-dev-shm-usage",
                    "--no-first-run",
                    "--no-proxy-server",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    "--force-color-profile=srgb",
                    "--hide-scrollbars",
                    // Only the server of the test can be reached.
                    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                    format!("--user-data-dir={}", self.profile.display()),
                ],
            },
        })
    }

    /// A WebDriver command.
    pub fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.send("POST", &format!("/session/{}{path}", self.id), body)
    }

    /// A WebDriver query.
    pub fn get(&self, path: &str) -> Result<Value> {
        self.send("GET", &format!("/session/{}{path}", self.id), &Value::Null)
    }

    /// A command of the DevTools protocol, for functions that WebDriver lacks.
    pub fn devtools(&self, command: &str, parameters: &Value) -> Result<Value> {
        let body = json!({ "cmd": command, "params": parameters });
        self.post("/goog/cdp/execute", &body)
    }

    /// The profile folder, removed with the browser.
    pub fn profile(&self) -> &Path {
        &self.profile
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let url = format!("{}{path}", self.address);
        let response = match method {
            "GET" => self.agent.get(&url).call(),
            "DELETE" => self.agent.delete(&url).call(),
            _ => self.agent.post(&url).send_json(body),
        };
        let transport = |cause: ureq::Error| Failure::Transport(format!("{path}: {cause}"));
        // A picture of a long page at scale 2 is larger than ureq's default limit.
        let mut answer: Value = response
            .map_err(transport)?
            .body_mut()
            .with_config()
            .limit(256 << 20)
            .read_json()
            .map_err(transport)?;
        let value = answer["value"].take();
        let Some(error) = value["error"].as_str() else {
            return Ok(value);
        };
        Err(Failure::Refused {
            command: format!("{method} {}", path.trim_start_matches("/session/")),
            error: error.to_owned(),
            message: value["message"].as_str().unwrap_or_default().to_owned(),
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.id.is_empty() {
            // Ends the browser; killing the driver alone would leave it running.
            self.send("DELETE", &format!("/session/{}", self.id), &Value::Null)
                .ok();
        }
        for program in std::iter::once(&mut self.driver).chain(&mut self.screen) {
            program.kill().ok();
            program.wait().ok();
        }
        fs::remove_dir_all(&self.profile).ok();
    }
}

/// An environment variable that `cargo xtask test` sets.
pub fn variable(name: &str) -> Result<String> {
    env::var(name).map_err(|_| {
        Failure::Setup(format!(
            "{name} is not set: run this as `cargo xtask test` or `… shots`"
        ))
    })
}

/// Attempts to start a driver. It takes the first free port of IPv6, and exits where another program holds the same
/// number in IPv4, which happens on a machine with many connections.
const STARTS: usize = 5;

fn start_driver(program: &str) -> Result<(Child, BufReader<ChildStdout>, u16)> {
    let mut heard = String::new();
    for _ in 0..STARTS {
        match start_driver_once(program)? {
            Ok(started) => return Ok(started),
            Err(said) => heard = said,
        }
    }
    Err(Failure::Setup(format!(
        "{program} did not start, {STARTS} times: {heard}"
    )))
}

/// A screen that nobody sees, and its name.
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

/// WebKit's driver; it takes the port that it is told, and says nothing.
fn start_webkit(program: &str, display: &str) -> Result<(Child, BufReader<ChildStdout>, u16)> {
    let failed = |cause| Failure::Setup(format!("{program} did not start: {cause}"));
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|any| any.local_addr());
    let port = free.map_err(failed)?.port();
    let mut driver = Command::new(program)
        .args(["--host=127.0.0.1".to_owned(), format!("--port={port}")])
        .env("DISPLAY", display)
        // Without a GPU; and root in a container has no sandbox.
        .env("WEBKIT_DISABLE_COMPOSITING_MODE", "1")
        .env("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let stdout = driver.stdout.take().map(BufReader::new);
    for _ in 0..200 {
        if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    let silent = || Failure::Setup(format!("{program} has no output"));
    Ok((driver, stdout.ok_or_else(silent)?, port))
}

/// The driver, or its output before it exited.
type Start = std::result::Result<(Child, BufReader<ChildStdout>, u16), String>;

fn start_driver_once(program: &str) -> Result<Start> {
    let mut driver = Command::new(program)
        .arg("--port=0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|cause| Failure::Setup(format!("{program} did not start: {cause}")))?;
    let mut said = String::new();
    if let Some(stdout) = driver.stdout.take() {
        let mut lines = BufReader::new(stdout);
        // "Starting ChromeDriver … on port 0" comes first.
        while lines.read_line(&mut said).is_ok_and(|read| read > 0) {
            let port = ["successfully on port ", "Listening on 127.0.0.1:"];
            let port = port.iter().find_map(|before| {
                let (_, port) = said.rsplit_once(before)?;
                port.trim_end().trim_end_matches('.').parse().ok()
            });
            if let Some(port) = port {
                return Ok(Ok((driver, lines, port)));
            }
        }
    }
    driver.kill().ok();
    driver.wait().ok();
    Ok(Err(said))
}
