//! Listeners for window events. A listener is removed when the view that added it is.

use gloo_events::EventListener;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent};

/// Calls `run` at each window event with this name until the calling view is removed.
pub fn on_window(name: &'static str, run: impl FnMut(&Event) + 'static) {
    let _ = StoredValue::new_local(EventListener::new(&window(), name, run));
}

/// Calls `run` when this key is pressed anywhere, until the calling view is removed.
pub fn on_key(key: &'static str, run: impl Fn() + 'static) {
    on_window("keydown", move |event| {
        if event
            .dyn_ref::<KeyboardEvent>()
            .is_some_and(|event| event.key() == key)
        {
            run();
        }
    });
}
