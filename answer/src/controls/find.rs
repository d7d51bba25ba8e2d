//! Search over all settings of the panel.

use super::table::{CONTROLS, Control, Home, Widget};

/// Maximum number of settings that a search lists.
const LISTED: usize = 8;

/// Returns a setting's label, its permalink key and its help text, as the search lists them.
pub fn named(control: &'static Control) -> (&'static str, &'static str, &'static str) {
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

/// Returns the panel group of a setting, or an empty text for a slider above the groups. Returns `None` if the
/// setting is not in the panel.
pub fn place(control: &Control) -> Option<&'static str> {
    match control.home {
        Home::First => Some(""),
        Home::Group(group) => Some(group.name()),
        Home::View | Home::Link => None,
    }
}

/// Returns the settings whose label, key or help contains every word of `sought`. Matches in label or key come first.
pub fn found(sought: &str) -> Vec<&'static Control> {
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
