//! Light or dark: the link's, else the reader's choice here, else the system's.

use super::storage::{store, stored};
use answer::page::scheme::Preference;
use gloo_events::EventListener;
use js_sys::{Object, Reflect};
use leptos::prelude::*;
use model_core::permalink;
use wasm_bindgen::JsValue;
use web_sys::MessageEvent;

const STORED: &str = "ridgepoint-theme";
const DARK_QUERY: &str = "(prefers-color-scheme: dark)";

/// The choice of an earlier visit.
pub fn remembered() -> Preference {
    match stored(STORED).as_deref() {
        Some("light") => Preference::Light,
        Some("dark") => Preference::Dark,
        _ => Preference::System,
    }
}

/// Stores the choice for the next visit; where that is blocked it lasts as long as the page.
pub fn remember(preference: Preference) {
    store(STORED, preference.id());
}

/// True while the system is dark.
pub fn system_dark() -> ReadSignal<bool> {
    let (dark, set_dark) = signal(false);
    if let Ok(Some(query)) = window().match_media(DARK_QUERY) {
        set_dark.set(query.matches());
        let heard = query.clone();
        // Listens as long as the page lives.
        EventListener::new(&query, "change", move |_| set_dark.set(heard.matches())).forget();
    }
    dark
}

/// Colors of the page around an embedded figure, if it sends them; `embed.js` does, for browsers whose frames do not
/// take them over.
pub fn around() -> ReadSignal<Option<permalink::ThemeChoice>> {
    let (around, set_around) = signal(None);
    let hear = move |event: MessageEvent| {
        let field = |name: &str| Reflect::get(&event.data(), &JsValue::from_str(name)).ok();
        let from_parent = window().parent().ok().flatten().is_some_and(|parent| {
            !Object::is(&parent, &window())
                && event
                    .source()
                    .is_some_and(|from| Object::is(&from, &parent))
        });
        if from_parent && field("ridgepoint").is_some_and(|kind| kind == "scheme") {
            let dark = field("dark").is_some_and(|dark| dark.is_truthy());
            set_around.set(Some(if dark {
                permalink::ThemeChoice::Dark
            } else {
                permalink::ThemeChoice::Light
            }));
        }
    };
    // Listens as long as the page lives.
    let _ = window_event_listener(leptos::ev::message, hear);
    around
}

/// True while the page is printed, always in light colors.
///
/// A browser may take its picture right after `beforeprint`, before any effect has run: the colors are applied at
/// once here, as charts repaint at once (see `pages::figure::plot`).
pub fn printing() -> ReadSignal<bool> {
    let (printing, set_printing) = signal(false);
    // Both listen as long as the page lives.
    let _ = window_event_listener_untyped("beforeprint", move |_| {
        set_printing.set(true);
        apply(false);
    });
    let _ = window_event_listener_untyped("afterprint", move |_| set_printing.set(false));
    printing
}

/// Sets the scheme on the root element, where the style sheet reads it.
pub fn apply(dark: bool) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-theme", if dark { "dark" } else { "light" });
    }
}
