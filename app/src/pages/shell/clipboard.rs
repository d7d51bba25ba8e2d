//! Copies text to the clipboard, even if the page is not served over HTTPS.

use super::toast::Toast;
use js_sys::Promise;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Copies `text` and shows a toast. If the browser refuses, a dialog shows the text, so that the user can copy it by
/// hand.
pub fn copy(text: String, toast: Toast, done: &'static str) {
    let navigator = window().navigator();
    // Without HTTPS, the browser has no clipboard object.
    let clipboard = js_sys::Reflect::get(&navigator, &JsValue::from_str("clipboard"))
        .ok()
        .and_then(|object| object.dyn_into::<web_sys::Clipboard>().ok());
    spawn_local(async move {
        let copied = match clipboard {
            Some(clipboard) => JsFuture::from(clipboard.write_text(&text)).await.is_ok(),
            None => false,
        };
        if copied || copy_by_selection(&text) {
            toast.say(done);
        } else {
            let asked = window().prompt_with_message_and_default(
                "The clipboard is not available; copy from here:",
                &text,
            );
            // A frame of another origin cannot show dialogs.
            if !matches!(asked, Ok(Some(_))) {
                toast.say("Copy failed: clipboard not available");
            }
        }
    });
}

/// Lets a promise run without waiting for its result; a rejection is ignored.
pub fn forget(promise: Promise) {
    spawn_local(async move {
        let _ = JsFuture::from(promise).await;
    });
}

/// Copies by selecting the text in a field and running the copy command, in case the clipboard object is missing or
/// refuses. Returns true if the text was copied.
fn copy_by_selection(text: &str) -> bool {
    let Ok(element) = document().create_element("textarea") else {
        return false;
    };
    let area: web_sys::HtmlTextAreaElement = element.unchecked_into();
    area.set_value(text);
    area.set_class_name("hidden");
    let Some(body) = document().body() else {
        return false;
    };
    if body.append_child(&area).is_err() {
        return false;
    }
    area.select();
    let copied = document()
        .dyn_ref::<web_sys::HtmlDocument>()
        .is_some_and(|document| document.exec_command("copy").unwrap_or(false));
    area.remove();
    copied
}
