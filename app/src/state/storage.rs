//! The browser's storage: texts that outlast the page.

use leptos::prelude::window;

/// The storage; `None` where it is blocked: in private windows and sandboxed frames, where gloo's would panic.
fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

/// The text stored under a key.
pub fn stored(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

/// Stores a text under a key, or with `None` removes it. False if the storage is blocked or full.
pub fn store(key: &str, text: Option<&str>) -> bool {
    storage().is_some_and(|storage| match text {
        Some(text) => storage.set_item(key, text).is_ok(),
        None => storage.remove_item(key).is_ok(),
    })
}
