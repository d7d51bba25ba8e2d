//! Light or dark theme: set by the permalink, else by the user's choice in this browser, else by the system.

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

/// Returns the color choice stored by an earlier visit.
pub fn remembered() -> Preference {
    match stored(STORED).as_deref() {
        Some("light") => Preference::Light,
        Some("dark") => Preference::Dark,
        _ => Preference::System,
    }
}

/// Stores the color choice for the next visit. If storage is blocked, the choice lasts only as long as the page.
pub fn remember(preference: Preference) {
    store(STORED, preference.id());
}

/// Returns a signal that is true while the system uses a dark theme.
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

/// Returns the theme of the page around an embedded figure, if that page sends its theme. `embed.js` sends the theme,
/// for browsers whose iframes do not inherit it.
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

/// Returns a signal that is true while the page is printed, always in light colors.
///
/// A browser may capture the page right after `beforeprint`, before any effect has run. Colors are therefore applied
/// at once here, and charts repaint at once (see `pages::figure::live`).
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

/// Sets the theme on the root element, where the style sheet reads it.
pub fn apply(dark: bool) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-theme", if dark { "dark" } else { "light" });
    }
}
