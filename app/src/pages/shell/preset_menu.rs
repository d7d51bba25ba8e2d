//! The menu of presets, one question each.

use super::popover::Popover;
use crate::icons;
use crate::state::{App, presets};
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use model_core::permalink::{Shown, View};
use model_core::preset::{PRESETS, Preset};
use wasm_bindgen::JsCast;

/// The menu of presets; its button names the one shown.
pub fn preset_menu(app: App) -> AnyView {
    let popover = Popover::new();
    let list = NodeRef::<html::Div>::new();
    let current = Memo::new(move |_| app.link.with(presets::matching).map(|preset| preset.id));
    let title = move || {
        current
            .get()
            .and_then(|id| PRESETS.iter().find(|preset| preset.id == id))
            .map_or("Custom scenario", |preset| preset.title)
    };
    let sought = RwSignal::new(String::new());
    let open = move |preset: &'static Preset| {
        let wanted = preset.opened();
        app.notes.set(Vec::new());
        // Replaces the whole link except the reader's colours.
        app.change(|link| {
            link.current = wanted.current;
            link.pinned = wanted.pinned;
            link.search = wanted.search;
            link.shown = Shown {
                theme: link.shown.theme,
                ..wanted.shown
            };
        });
        sought.set(String::new());
        popover.close();
        window().scroll_to_with_x_and_y(0.0, 0.0);
    };
    // Arrows walk the list, as in any menu.
    let walk = move |event: ev::KeyboardEvent| {
        let by: i32 = match event.key().as_str() {
            "ArrowDown" => 1,
            "ArrowUp" => -1,
            _ => return,
        };
        event.prevent_default();
        if !popover.is_open() {
            popover.open();
        }
        request_animation_frame(move || step(list, by));
    };
    let item = move |preset: &'static Preset| {
        view! {
            <button
                type="button"
                class="preset"
                role="menuitemradio"
                aria-checked=move || (current.get() == Some(preset.id)).to_string()
                title=format!("{}, {}", preset.source.title, preset.source.locator)
                hidden=move || sought.with(|sought| !preset.found_by(sought))
                on:click=move |_| open(preset)
            >
                <span class="preset-title">{preset.title}</span>
                <span class="preset-detail">{preset.detail}</span>
            </button>
        }
    };
    // Grouped by the view that answers, in the order of the tabs.
    let groups = View::ALL
        .into_iter()
        .map(|view| {
            let members: Vec<&'static Preset> = PRESETS
                .iter()
                .filter(|preset| preset.view() == view)
                .collect();
            let shown = members.clone();
            let none =
                move || sought.with(|sought| !shown.iter().any(|preset| preset.found_by(sought)));
            view! {
                <div class="preset-group" role="group" aria-label=view.name() hidden=none>
                    <p class="preset-heading" aria-hidden="true">{view.name()}</p>
                    {members.into_iter().map(item).collect_view()}
                </div>
            }
        })
        .collect_view();
    view! {
        <div class="preset-menu" node_ref=popover.node on:keydown=walk>
            <button
                type="button"
                class="preset-button"
                title=title
                aria-haspopup="menu"
                aria-expanded=move || popover.is_open().to_string()
                on:click=move |_| popover.toggle()
            >
                <span>{title}</span>
                {icons::chevron_down()}
            </button>
            <div class="menu preset-list" hidden=move || !popover.is_open()>
                <input
                    type="search"
                    class="preset-search"
                    placeholder="Search questions"
                    aria-label="Search questions"
                    prop:value=move || sought.get()
                    on:input=move |event| sought.set(event_target_value(&event))
                />
                <div class="preset-groups" role="menu" aria-label="Scenarios" node_ref=list>
                    {groups}
                </div>
            </div>
        </div>
    }
    .into_any()
}

/// Moves the focus to the next or previous button of a menu.
pub fn step(list: NodeRef<html::Div>, by: i32) {
    let Some(list) = list.try_get_untracked().flatten() else {
        return;
    };
    let Ok(found) = list.query_selector_all("button:not([hidden])") else {
        return;
    };
    let buttons: Vec<web_sys::HtmlElement> = (0..found.length())
        .filter_map(|index| found.item(index)?.dyn_into().ok())
        .collect();
    if buttons.is_empty() {
        return;
    }
    let active = document().active_element();
    let at = buttons
        .iter()
        .position(|button| active.as_ref() == Some(button.as_ref()));
    let count = buttons.len() as i32;
    let next = match at {
        Some(at) => (at as i32 + by).rem_euclid(count),
        None if by > 0 => 0,
        None => count - 1,
    };
    if let Some(button) = buttons.get(next as usize) {
        let _ = button.focus();
    }
}
