//! The search field that finds settings in the panel.

use super::reveal::reveal;
use crate::state::App;
use answer::controls::find::{found, named, place};
use answer::controls::table::Control;
use leptos::prelude::*;

/// Draws the search field and the settings that it finds.
pub fn find(app: App) -> AnyView {
    let sought = RwSignal::new(String::new());
    let one = move |control: &'static Control| {
        let (name, key, _) = named(control);
        view! {
            <li>
                <button type="button" class="found" on:click=move |_| { sought.set(String::new()); reveal(key) }>
                    <span class="found-name">{name}</span>
                    <span class="found-place">{place(control)}</span>
                </button>
            </li>
        }
    };
    let list = move || {
        let sought = sought.get();
        let found: Vec<_> = found(&sought)
            .into_iter()
            .filter(|control| app.current.with_untracked(control.when))
            .collect();
        let nothing = found.is_empty() && !sought.trim().is_empty();
        view! {
            {found.into_iter().map(one).collect_view()}
            {nothing.then(|| view! { <li class="tone-muted">"No setting has this name"</li> })}
        }
    };
    view! {
        <div class="find">
            <input
                type="search"
                aria-label="Find a setting"
                placeholder="Find a setting"
                prop:value=move || sought.get()
                on:input=move |event| sought.set(event_target_value(&event))
            />
            <ul class="find-list" aria-live="polite">{list}</ul>
        </div>
    }
    .into_any()
}
