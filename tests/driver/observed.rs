//! Records of the page's console lines and requests.

use std::cell::RefCell;

use serde_json::{Value, json};

use super::Page;
use super::failure::{Failure, Result};

/// Everything recorded so far; it is stored here because the driver deletes its logs once they are read.
#[derive(Debug, Default)]
pub(super) struct Observed {
    console: RefCell<Vec<Line>>,
    requests: RefCell<Vec<String>>,
}

/// A line in the browser's console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// `SEVERE` for errors, uncaught exceptions and failed requests; otherwise `WARNING`, `INFO` or `DEBUG`.
    pub level: String,
    /// Source location and text of the console line.
    pub text: String,
}

impl Page {
    /// Returns all console lines since the page was opened.
    pub fn console(&self) -> Result<Vec<Line>> {
        let mut console = self.observed.console.borrow_mut();
        for entry in self.log("browser")? {
            let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
            console.push(Line {
                level: text("level"),
                text: text("message"),
            });
        }
        Ok(console.clone())
    }

    /// Returns the addresses of all requests that the page sent, whether or not they were answered.
    pub fn requests(&self) -> Result<Vec<String>> {
        let mut requests = self.observed.requests.borrow_mut();
        for entry in self.log("performance")? {
            // A string of JSON: { "message": { "method": …, "params": … } }
            let event: Value = entry["message"]
                .as_str()
                .and_then(|text| serde_json::from_str(text).ok())
                .unwrap_or_default();
            let event = &event["message"];
            if event["method"] != "Network.requestWillBeSent" {
                continue;
            }
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            // The browser's start page and its frames make requests before the tested page is open.
            let of = text(&event["params"]["documentURL"]);
            let own = ["chrome:", "chrome-untrusted:"].map(|scheme| of.starts_with(scheme));
            if own == [false, false] {
                requests.push(text(&event["params"]["request"]["url"]));
            }
        }
        Ok(requests.clone())
    }

    /// Requires that the page logged no error, contacted only its own server, and requested nothing that is missing.
    /// [`super::on_page`] checks this at the end of every test.
    pub fn check_manners(&self) -> Result {
        let origin = format!("{}/", self.server.origin());
        let errors = self
            .console()?
            .into_iter()
            .filter(|line| line.level == "SEVERE")
            // Browsers request the icon at any time, even without a network.
            .filter(|line| !(line.text.contains("icon.svg") && line.text.contains("DISCONNECTED")));
        let errors = errors.map(|line| format!("error in the console: {}", line.text));
        let elsewhere = self.requests()?.into_iter().filter(|url| {
            !url.starts_with(&origin) && !url.starts_with("data:") && !url.starts_with("blob:")
        });
        let elsewhere = elsewhere.map(|url| format!("request off its own origin: {url}"));
        let missing = self
            .server
            .requests()
            .into_iter()
            .filter(|request| request.status >= 400);
        let missing = missing.map(|r| format!("{} for {} {}", r.status, r.method, r.target));
        let faults: Vec<String> = errors.chain(elsewhere).chain(missing).collect();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Failure::Manners(faults))
        }
    }

    fn log(&self, kind: &str) -> Result<Vec<Value>> {
        let mut entries = self.session.post("/se/log", &json!({ "type": kind }))?;
        Ok(entries
            .as_array_mut()
            .map(std::mem::take)
            .unwrap_or_default())
    }
}
