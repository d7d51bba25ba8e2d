//! A popover: content that opens next to its button and closes on Escape or on a click elsewhere.

use crate::listen::{on_key, on_window};
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// State of a popover, and the element that contains the popover's button and content.
#[derive(Clone, Copy)]
pub struct Popover {
    /// Element that contains button and content; a click outside it closes the popover.
    pub node: NodeRef<html::Div>,
    open: RwSignal<bool>,
}

impl Popover {
    /// Creates a closed popover. Call this while building a view, because the popover's listeners last as long as
    /// that view.
    pub fn new() -> Self {
        Self::around(NodeRef::new())
    }

    /// Like [`Self::new`], but for an existing element that contains the button of another popover.
    pub fn around(node: NodeRef<html::Div>) -> Self {
        let open = RwSignal::new(false);
        let popover = Self { node, open };
        on_window("pointerdown", move |event| {
            if !popover.open.get_untracked() {
                return;
            }
            let target = event
                .target()
                .and_then(|target| target.dyn_into::<web_sys::Node>().ok());
            let inside = popover
                .node
                .get_untracked()
                .is_some_and(|node| node.contains(target.as_ref()));
            if !inside {
                popover.open.set(false);
            }
        });
        on_key("Escape", move || {
            if popover.open.get_untracked() {
                popover.close();
            }
        });
        popover
    }

    /// Returns true while the popover is open.
    pub fn is_open(self) -> bool {
        self.open.get()
    }

    /// Opens the popover.
    pub fn open(self) {
        self.open.set(true);
    }

    /// Closes the popover and returns the focus to its button.
    pub fn close(self) {
        self.open.set(false);
        if let Some(button) = self
            .node
            .get_untracked()
            .and_then(|node| node.query_selector("button").ok().flatten())
            .and_then(|button| button.dyn_into::<web_sys::HtmlElement>().ok())
        {
            let _ = button.focus();
        }
    }

    /// Handles the keys of a menu: arrow keys, Home and End move among the items, and the first key press enters the
    /// menu.
    pub fn key(self, event: &web_sys::KeyboardEvent) {
        let Some(node) = self
            .node
            .get_untracked()
            .filter(|_| self.open.get_untracked())
        else {
            return;
        };
        let Ok(found) = node.query_selector_all("[role=menuitem]") else {
            return;
        };
        let items: Vec<web_sys::HtmlElement> = (0..found.length())
            .filter_map(|index| found.get(index)?.dyn_into().ok())
            .collect();
        let focused = document().active_element();
        let at = items
            .iter()
            .position(|item| focused.as_ref() == Some(item.unchecked_ref()));
        let count = items.len();
        let next = match (event.key().as_str(), at) {
            ("ArrowDown", Some(at)) => (at + 1) % count.max(1),
            ("ArrowUp", Some(at)) => (at + count).saturating_sub(1) % count.max(1),
            ("ArrowDown" | "Home", _) => 0,
            ("ArrowUp" | "End", _) => count.saturating_sub(1),
            _ => return,
        };
        if let Some(item) = items.get(next) {
            event.prevent_default();
            let _ = item.focus();
        }
    }

    /// Opens the popover if it is closed, and closes it otherwise.
    pub fn toggle(self) {
        if self.open.get_untracked() {
            self.close();
        } else {
            self.open();
        }
    }
}

impl Default for Popover {
    fn default() -> Self {
        Self::new()
    }
}
