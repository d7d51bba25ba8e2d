//! The browser's local storage: texts that outlast the page.

use leptos::prelude::window;

/// Returns the browser's local storage, or `None` if it is blocked, as in private windows and sandboxed frames. The
/// storage of the crate gloo would panic if blocked.
fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

/// Returns the text stored under a key.
pub fn stored(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

/// Stores a text under a key, or removes it for `None`. Returns false if the storage is blocked or full.
pub fn store(key: &str, text: Option<&str>) -> bool {
    storage().is_some_and(|storage| match text {
        Some(text) => storage.set_item(key, text).is_ok(),
        None => storage.remove_item(key).is_ok(),
    })
}
