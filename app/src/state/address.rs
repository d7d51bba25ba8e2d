//! The address bar: read at the start and when the user goes back or forward, written when a change ends.

use answer::page::history::Write;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

/// Returns the part of the page's URL after `?`.
pub fn query() -> String {
    let search = window().location().search();
    search
        .map(|search| search.trim_start_matches('?').to_owned())
        .unwrap_or_default()
}

/// Returns the URL of this page with `text` as its query.
pub fn absolute(text: &str) -> String {
    let page = window().location().href().unwrap_or_default();
    let page = page.split(['?', '#']).next().unwrap_or_default();
    format!("{page}?{text}")
}

/// Returns the URL of a file in the same folder as the page.
pub fn beside(file: &str) -> String {
    let page = absolute("");
    let page = page.trim_end_matches('?');
    let folder = page.rfind('/').map_or("", |end| &page[..=end]);
    format!("{folder}{file}")
}

/// Returns the current time in milliseconds, for timing gestures.
pub fn now_ms() -> f64 {
    js_sys::Date::now()
}

/// Writes a permalink into the address bar. A relative URL preserves the sub-path that the page is served from.
pub fn set(text: &str, how: Write) {
    if query() == text {
        return;
    }
    let Ok(history) = window().history() else {
        return;
    };
    let url = format!("?{text}");
    // A sandboxed frame may refuse; the page then works without updating its address.
    let _ = match how {
        Write::Push => history.push_state_with_url(&JsValue::NULL, "", Some(&url)),
        Write::Replace => history.replace_state_with_url(&JsValue::NULL, "", Some(&url)),
    };
}
