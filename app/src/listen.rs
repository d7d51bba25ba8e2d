//! Listening to the window for as long as a view lives.

use gloo_events::EventListener;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent};

/// Runs at each event of the window until the view that calls this is gone.
pub fn on_window(name: &'static str, run: impl FnMut(&Event) + 'static) {
    let _ = StoredValue::new_local(EventListener::new(&window(), name, run));
}

/// Runs when a key is pressed anywhere, until the view that calls this is gone.
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
