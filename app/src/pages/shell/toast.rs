//! Toasts: short notes that disappear after a few seconds.

use std::time::Duration;

use leptos::prelude::*;

const SHOWN_FOR: Duration = Duration::from_millis(2200);

/// The toast at the bottom of the page.
#[derive(Clone, Copy)]
pub struct Toast {
    text: RwSignal<String>,
    said: RwSignal<u32>,
}

impl Toast {
    /// Creates an empty toast.
    pub fn new() -> Self {
        Self {
            text: RwSignal::new(String::new()),
            said: RwSignal::new(0),
        }
    }

    /// Shows `text` for a few seconds.
    pub fn say(self, text: impl Into<String>) {
        self.text.set(text.into());
        let turn = self.said.get_untracked().wrapping_add(1);
        self.said.set(turn);
        let end = move || {
            if self.said.try_get_untracked() == Some(turn) {
                self.text.set(String::new());
            }
        };
        set_timeout(end, SHOWN_FOR);
    }

    /// Draws the toast.
    pub fn view(self) -> AnyView {
        view! {
            <div class="toast" role="status" class:shown=move || !self.text.with(String::is_empty)>
                {move || self.text.get()}
            </div>
        }
        .into_any()
    }
}

impl Default for Toast {
    fn default() -> Self {
        Self::new()
    }
}
