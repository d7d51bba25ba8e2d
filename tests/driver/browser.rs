//! A shared Chromium for the tests: each test has a separate context, free of state from earlier tests.
//!
//! Like a new profile, a context has separate storage, cookies, cache, permissions and processes. It opens in a tenth
//! of the time that a browser takes to start. Between two tests, a browser waits in `IDLE`. After the last test, the
//! driver that `cargo xtask` started closes all browsers.

use std::net::TcpStream;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use super::failure::{Failure, Result};
use super::session::{Wire, variable};

/// Running browsers that no test currently uses.
static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());

/// A browser with its first window, which stays empty.
#[derive(Debug)]
struct Browser {
    wire: Wire,
    home: Value,
    devtools: WebSocket<TcpStream>,
    calls: u64,
}

/// A context in a browser, with a window for one test.
#[derive(Debug)]
pub(super) struct Context {
    browser: Option<Browser>,
    id: Value,
}

impl Context {
    /// Opens a context in an idle browser, or in a new one.
    pub(super) fn open() -> Result<(Wire, Self)> {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let (browser, id) = match idle.map(Browser::open) {
            Some(Ok(opened)) => opened,
            // The idle browser may have crashed.
            Some(Err(_)) | None => Browser::start()?.open()?,
        };
        let wire = browser.wire.clone();
        let browser = Some(browser);
        Ok((wire, Self { browser, id }))
    }

    /// Sends a DevTools command about this context to the browser.
    pub(super) fn call(&mut self, command: &str, mut parameters: Value) -> Result<Value> {
        parameters["browserContextId"] = self.id.clone();
        let gone = || Failure::Transport("the browser is gone".to_owned());
        let browser = self.browser.as_mut().ok_or_else(gone)?;
        browser.call(command, &parameters)
    }

    /// Closes the context. If the test passed, the browser waits for the next test; if the test failed, the browser
    /// is closed.
    pub(super) fn close(&mut self, failed: bool) {
        let closed = self.call("Target.disposeBrowserContext", json!({}));
        let Some(browser) = self.browser.take() else {
            return;
        };
        if failed || closed.is_err() {
            browser.wire.end();
        } else {
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push(browser);
        }
    }
}

impl Browser {
    fn start() -> Result<Self> {
        let mut wire = Wire::new(variable("WEBDRIVER")?);
        let begun = wire.begin(&capabilities(&variable("CHROME")?))?;
        let home = wire.get("/window")?;
        let address = &begun["capabilities"]["goog:chromeOptions"]["debuggerAddress"];
        let address = address.as_str().unwrap_or_default();
        let about = wire.fetch(&format!("http://{address}/json/version"))?;
        let url = about["webSocketDebuggerUrl"].as_str().unwrap_or_default();
        let failed = |cause: &dyn std::fmt::Display| Failure::Setup(format!("{url}: {cause}"));
        let stream = TcpStream::connect(address).map_err(|cause| failed(&cause))?;
        let (devtools, _) = tungstenite::client(url, stream).map_err(|cause| failed(&cause))?;
        Ok(Self {
            wire,
            home,
            devtools,
            calls: 0,
        })
    }

    /// Opens a new context with a window; later commands go to this window.
    fn open(mut self) -> Result<(Self, Value)> {
        self.wire.post("/window", &json!({ "handle": self.home }))?;
        let made = self.call(
            "Target.createBrowserContext",
            &json!({ "disposeOnDetach": true }),
        )?;
        let id = made["browserContextId"].clone();
        let target = json!({ "url": "about:blank", "newWindow": true, "browserContextId": id });
        let window = self.call("Target.createTarget", &target)?;
        let handle = json!({ "handle": window["targetId"] });
        self.wire.post("/window", &handle)?;
        // Clear logs and held keys of the previous test.
        for kind in ["browser", "performance"] {
            self.wire.post("/se/log", &json!({ "type": kind }))?;
        }
        self.wire.delete("/actions")?;
        Ok((self, id))
    }

    /// Sends a DevTools command to the whole browser; commands through the driver go to a page.
    fn call(&mut self, command: &str, parameters: &Value) -> Result<Value> {
        let lost =
            |cause: &dyn std::fmt::Display| Failure::Transport(format!("{command}: {cause}"));
        self.calls += 1;
        let asked = json!({ "id": self.calls, "method": command, "params": parameters });
        self.devtools
            .send(Message::text(asked.to_string()))
            .map_err(|cause| lost(&cause))?;
        loop {
            let told = self.devtools.read().map_err(|cause| lost(&cause))?;
            let text = told.to_text().map_err(|cause| lost(&cause))?;
            let mut told: Value = serde_json::from_str(text).map_err(|cause| lost(&cause))?;
            // Messages with other ids are events.
            if told["id"] == self.calls {
                let error = &told["error"];
                return match error.is_null() {
                    true => Ok(told["result"].take()),
                    false => Err(lost(error)),
                };
            }
        }
    }
}

fn capabilities(chrome: &str) -> Value {
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
                // Letter widths are as in a window, in fractions of a pixel.
                "--font-render-hinting=none",
                // Tests compare script heaps, so the engine must not drop code and compile it again.
                "--js-flags=--no-flush-bytecode",
                // Only the server of the test can be reached.
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            ],
        },
    })
}
