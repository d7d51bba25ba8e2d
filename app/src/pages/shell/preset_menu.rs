//! The menu of presets (example scenarios); each preset answers one question.

use super::own;
use super::popover::Popover;
use super::toast::Toast;
use crate::controls::reveal::reveal;
use crate::icons;
use crate::state::App;
use answer::page::presets;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use model_core::inputs::{Inputs, Version};
use model_core::permalink::View;
use model_core::preset::{PRESETS, Preset};
use wasm_bindgen::JsCast;

/// Draws the menu of presets; its button names the current preset.
pub fn preset_menu(app: App, toast: Toast) -> AnyView {
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
        app.open_link(preset.opened());
        sought.set(String::new());
        popover.close();
    };
    // The up and down arrow keys move through the list, as in any menu.
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
    // Resets to the default scenario and opens the list of models.
    let own = move |_| {
        popover.close();
        app.change(|link| link.current = Inputs::defaults_of(Version::NEWEST));
        reveal("model");
    };
    let list_open = Popover::around(popover.node);
    let to_list = move |_| {
        popover.close();
        list_open.open();
    };
    let first = move || {
        view! {
            <div class="preset-group" hidden=move || sought.with(|sought| !sought.trim().is_empty())>
                <button type="button" class="preset" role="menuitem" on:click=own>
                    <span class="preset-title">"My own model and GPUs"</span>
                    <span class="preset-detail">"Pick a model and an accelerator, or paste a config.json"</span>
                </button>
                <button type="button" class="preset" role="menuitem" on:click=to_list>
                    <span class="preset-title">"Your scenarios"</span>
                    <span class="preset-detail">"Save this scenario; open, export and import saved ones; your \
                        prices"</span>
                </button>
                <a class="preset" role="menuitem" href="./guide/">
                    <span class="preset-title">"Learn"</span>
                    <span class="preset-detail">"Seven short chapters with live figures"</span>
                </a>
            </div>
        }
    };
    let group =
        move |name: &'static str, note: Option<&'static str>, members: Vec<&'static Preset>| {
            let shown = members.clone();
            let none =
                move || sought.with(|sought| !shown.iter().any(|preset| preset.found_by(sought)));
            view! {
                <div class="preset-group" role="group" aria-label=name hidden=none>
                    <p class="preset-heading" aria-hidden="true">{name}</p>
                    {note.map(|note| view! { <p class="preset-detail preset-note">{note}</p> })}
                    {members.into_iter().map(item).collect_view()}
                </div>
            }
        };
    // First the presets that are not from a paper, grouped by view in the order of the tabs; then those from the
    // papers.
    let today = View::ALL.into_iter().map(|view| {
        let of_view = |preset: &&Preset| preset.view() == view && !preset.is_of_paper();
        (view.name(), None, PRESETS.iter().filter(of_view).collect())
    });
    let of_papers = PRESETS
        .iter()
        .filter(|preset| preset.is_of_paper())
        .collect();
    let note = Some("Computed with the paper’s own efficiencies");
    let groups: Vec<(_, _, Vec<&'static Preset>)> = today
        .chain([("From the papers", note, of_papers)])
        .collect();
    let groups = groups
        .into_iter()
        .filter(|(_, _, members)| !members.is_empty())
        .map(|(name, note, members)| group(name, note, members))
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
                    placeholder="Search scenarios"
                    aria-label="Search scenarios"
                    prop:value=move || sought.get()
                    on:input=move |event| sought.set(event_target_value(&event))
                />
                <div class="preset-groups" role="menu" aria-label="Scenarios" node_ref=list>
                    {first()}
                    {groups}
                </div>
            </div>
            {own::dialog(app, toast, list_open)}
        </div>
    }
    .into_any()
}

/// Moves the focus by one button forward or backward in a menu.
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
