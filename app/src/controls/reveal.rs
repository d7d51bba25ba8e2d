//! Leads the user from a number on the page to the control that sets it.

use super::show::show_element;
use answer::controls::table::PanelGroup;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Opens the panel (on a phone) and the control's group if they are closed. Then moves the keyboard focus to the
/// control.
pub fn reveal(key: &'static str) {
    let group = PanelGroup::ALL.into_iter().find(|group| group.holds(key));
    let group = group.map(|group| format!("group-{}", group.name().to_ascii_lowercase()));
    if let Some(sheet) =
        element(".dock .icon-button").filter(|button| button.offset_parent().is_some())
    {
        sheet.click();
    }
    if let (None, Some(group)) = (row(key), &group)
        && let Some(head) = element(&format!(
            "[aria-controls=\"{group}\"][aria-expanded=\"false\"]"
        ))
    {
        head.click();
    }
    look(key, group, PATIENCE);
}

/// Max number of animation frames to wait for a control that is not on the page yet, as its program part may be
/// loading.
const PATIENCE: u32 = 300;

fn look(key: &'static str, group: Option<String>, frames: u32) {
    request_animation_frame(move || {
        let place = row(key).or_else(|| {
            let group = group.as_ref().filter(|_| frames == 0)?;
            element(&format!("#{group}"))
        });
        match place {
            Some(place) => enter(&place),
            None if frames > 0 => look(key, group, frames - 1),
            None => {}
        }
    });
}

/// Opens a collapsed `<details>` around the element, scrolls to the element and focuses the first control in it.
fn enter(place: &web_sys::HtmlElement) {
    if let Ok(Some(folded)) = place.closest("details:not([open])") {
        let _ = folded.set_attribute("open", "");
    }
    show_element(place);
    let inner = place.query_selector("input, select, button").ok().flatten();
    if let Some(inner) = inner.and_then(|inner| inner.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = inner.focus();
    }
}

fn row(key: &str) -> Option<web_sys::HtmlElement> {
    element(&format!(".panel [data-row=\"{key}\"]"))
}

fn element(selector: &str) -> Option<web_sys::HtmlElement> {
    let found = document().query_selector(selector).ok().flatten()?;
    found.dyn_into().ok()
}
