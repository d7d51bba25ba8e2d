//! Search over all settings of the panel.

use super::reveal::reveal;
use super::table::{CONTROLS, Control, Home, Widget};
use crate::state::App;
use leptos::prelude::*;

/// Settings listed at once.
const LISTED: usize = 8;

/// A setting as the search lists it: label, key of its row, what it means.
fn named(control: &'static Control) -> (&'static str, &'static str, &'static str) {
    match control.kind {
        Widget::Slider(slider) => (
            slider.words.name,
            slider.number.spec().key,
            slider.words.help,
        ),
        Widget::Choice(choice) => (choice.name, choice.key, choice.help),
        Widget::Custom(keys, _) => {
            let key = keys.first().copied().unwrap_or_default();
            (key, key, "")
        }
    }
}

/// The group of a setting, empty for the first sliders.
fn place(control: &Control) -> Option<&'static str> {
    match control.home {
        Home::First => Some(""),
        Home::Group(group) => Some(group.name()),
        Home::View | Home::Link => None,
    }
}

/// Settings whose label, key or help has every word; labels first.
fn found(sought: &str) -> Vec<&'static Control> {
    let words: Vec<String> = sought.split_whitespace().map(str::to_lowercase).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let has = |text: &str| words.iter().all(|word| text.to_lowercase().contains(word));
    let by_label = |control: &&'static Control| {
        let (name, key, _) = named(control);
        has(name) || has(key)
    };
    let by_help = |control: &&'static Control| has(named(control).2);
    let here = || CONTROLS.iter().filter(|control| place(control).is_some());
    let labels = here().filter(by_label);
    let others = here().filter(move |control| !by_label(control) && by_help(control));
    labels.chain(others).take(LISTED).collect()
}

/// The field, and what it finds.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_found_by_label_key_and_help() {
        let keys = |sought: &str| -> Vec<_> {
            found(sought)
                .into_iter()
                .map(|control| named(control).1)
                .collect()
        };
        assert_eq!(keys("overlap")[0], "overlap");
        assert!(keys("redundant").contains(&"redundant"));
        assert!(keys("price")[0].starts_with("price"), "{:?}", keys("price"));
        assert!(keys("no such setting").is_empty() && keys(" ").is_empty());
    }
}
