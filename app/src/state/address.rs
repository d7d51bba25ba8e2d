//! The address bar: read at the start and on back and forward, written on every change.

use super::history::Write;
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

/// Browsers refuse more than about a hundred address changes in ten seconds.
const WRITE_INTERVAL_MS: u32 = 150;

/// The part of the address after `?`; empty outside a browser.
pub fn query() -> String {
    location()
        .and_then(|location| location.search().ok())
        .map(|search| search.trim_start_matches('?').to_owned())
        .unwrap_or_default()
}

/// Address of this page with `text` as its query.
pub fn absolute(text: &str) -> String {
    let page = location()
        .and_then(|location| location.href().ok())
        .unwrap_or_default();
    let page = page.split(['?', '#']).next().unwrap_or_default();
    format!("{page}?{text}")
}

/// The address of a file beside the page.
pub fn beside(file: &str) -> String {
    let page = absolute("");
    let page = page.trim_end_matches('?');
    let folder = page.rfind('/').map_or("", |end| &page[..=end]);
    format!("{folder}{file}")
}

fn location() -> Option<web_sys::Location> {
    in_browser().then(|| window().location())
}

/// True in a browser, false in native tests.
pub const fn in_browser() -> bool {
    cfg!(target_family = "wasm")
}

/// Milliseconds since an arbitrary moment, for timing gestures.
pub fn now_ms() -> f64 {
    if in_browser() {
        js_sys::Date::now()
    } else {
        0.0
    }
}

/// Writes links into the address bar, spaced as browsers demand.
#[derive(Clone, Copy)]
pub struct Address {
    waiting: StoredValue<Option<String>>,
    timer: StoredValue<Option<Timeout>, LocalStorage>,
}

impl Address {
    /// A writer with nothing to write.
    pub fn new() -> Self {
        Self {
            waiting: StoredValue::new(None),
            timer: StoredValue::new_local(None),
        }
    }

    /// Writes `text`; a replacement may wait a moment for the next one to take its place.
    pub fn write(self, text: String, how: Write) {
        if !in_browser() {
            return;
        }
        match how {
            Write::Push => {
                self.flush();
                set(&text, Write::Push);
                self.pause();
            }
            Write::Replace => {
                self.waiting.set_value(Some(text));
                if self.timer.with_value(Option::is_none) {
                    self.flush();
                    self.pause();
                }
            }
        }
    }

    /// Writes the waiting text now.
    pub fn flush(self) {
        if let Some(text) = self.waiting.try_update_value(Option::take).flatten() {
            set(&text, Write::Replace);
        }
    }

    /// Drops the waiting text: the reader went back or forward.
    pub fn forget(self) {
        self.waiting.set_value(None);
    }

    fn pause(self) {
        // Replaces the timer of the write before.
        let rest = Timeout::new(WRITE_INTERVAL_MS, move || {
            self.timer.set_value(None);
            self.flush();
        });
        self.timer.set_value(Some(rest));
    }
}

impl Default for Address {
    fn default() -> Self {
        Self::new()
    }
}

/// A relative address keeps the sub-path that the page is served from.
fn set(text: &str, how: Write) {
    if query() == text {
        return;
    }
    let Ok(history) = window().history() else {
        return;
    };
    let url = format!("?{text}");
    // A sandboxed frame may refuse; the page works on without its address.
    let _ = match how {
        Write::Push => history.push_state_with_url(&JsValue::NULL, "", Some(&url)),
        Write::Replace => history.replace_state_with_url(&JsValue::NULL, "", Some(&url)),
    };
}
