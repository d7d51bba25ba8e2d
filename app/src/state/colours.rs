//! Light or dark: the link's, else the reader's choice here, else the system's.

use super::address::in_browser;
use super::storage::{store, stored};
use gloo_events::EventListener;
use js_sys::{Object, Reflect};
use leptos::prelude::*;
use model_core::permalink;
use wasm_bindgen::JsValue;
use web_sys::MessageEvent;

const STORED: &str = "ridgepoint-theme";
const DARK_QUERY: &str = "(prefers-color-scheme: dark)";

/// Color scheme chosen by the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preference {
    /// As the system has it.
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Preference {
    /// The one after this, as the button in the top bar goes round.
    pub const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// In words, after "Colors:".
    pub const fn words(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    const fn id(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }

    /// True for dark, given the link's scheme and the system's.
    pub const fn is_dark(self, link: Option<permalink::ThemeChoice>, system_dark: bool) -> bool {
        match (link, self) {
            (Some(permalink::ThemeChoice::Dark), _) | (None, Self::Dark) => true,
            (Some(permalink::ThemeChoice::Light), _) | (None, Self::Light) => false,
            (None, Self::System) => system_dark,
        }
    }
}

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
    if in_browser()
        && let Ok(Some(query)) = window().match_media(DARK_QUERY)
    {
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
    if in_browser() {
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
    }
    around
}

/// True while the page is printed, always in light colors.
///
/// A browser may take its picture right after `beforeprint`, before any effect has run: the colors are applied at
/// once here, as charts repaint at once (see `pages::figure::plot`).
pub fn printing() -> ReadSignal<bool> {
    let (printing, set_printing) = signal(false);
    if in_browser() {
        // Both listen as long as the page lives.
        let _ = window_event_listener_untyped("beforeprint", move |_| {
            set_printing.set(true);
            apply(false);
        });
        let _ = window_event_listener_untyped("afterprint", move |_| set_printing.set(false));
    }
    printing
}

/// Sets the scheme on the root element, where the style sheet reads it.
pub fn apply(dark: bool) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-theme", if dark { "dark" } else { "light" });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_wins_then_the_reader_then_the_system() {
        use permalink::ThemeChoice::{Dark, Light};
        assert!(Preference::Light.is_dark(Some(Dark), false));
        assert!(!Preference::Dark.is_dark(Some(Light), true));
        assert!(Preference::Dark.is_dark(None, false));
        assert!(Preference::System.is_dark(None, true));
        assert!(!Preference::System.is_dark(None, false));
    }
}
