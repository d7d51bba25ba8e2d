//! A text field that shows a number and reads the value typed into it.

use super::show::show_element;
use crate::state::App;
use answer::controls::shown::{absent, shown_in_view, words_of};
use answer::controls::typed::{Typed, read_division, read_typed};
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use model_core::inputs::Number;

/// Names, ids and texts of a text field.
#[derive(Default)]
pub struct FieldNames {
    /// Id of the input element.
    pub id: Option<String>,
    /// Name of the field for screen readers.
    pub name: String,
    /// Id of the element that describes the field.
    pub help: Option<String>,
    /// Tooltip of the field.
    pub title: Option<&'static str>,
    /// Placeholder text, shown while the field is empty.
    pub placeholder: Option<&'static str>,
}

/// Draws a text field that shows `text` and passes the typed value to `enter`. Clearing the field passes `None`,
/// which restores the default. An error in the typed text goes to `wrong`.
pub fn typed_input(
    names: FieldNames,
    text: Memo<String>,
    wrong: RwSignal<Option<String>>,
    read: impl Fn(&str, &str) -> Typed + Copy + 'static,
    enter: impl Fn(Option<f64>) + Copy + 'static,
) -> AnyView {
    let node = NodeRef::<html::Input>::new();
    // Removing a focused field fires a blur event; there is nothing left to commit then.
    let alive = move || Some((node.try_get_untracked()??, text.try_get_untracked()?));
    let show = move || {
        if let Some((input, text)) = alive() {
            input.set_value(&text);
            wrong.set(None);
        }
    };
    let commit = move || {
        let Some((input, before)) = alive() else {
            return;
        };
        match read(&before, &input.value()) {
            Typed::Same => show(),
            Typed::Clear => {
                enter(None);
                show();
            }
            Typed::Value(value) => {
                enter(Some(value));
                show();
            }
            Typed::Wrong(reason) => {
                wrong.set(Some(reason));
                // The error may appear below the visible part of the panel.
                request_animation_frame(move || show_element(&input));
            }
        }
    };
    // While the text is invalid, the old value stays in effect. The error disappears once the text is valid.
    let typing = move |event: ev::Event| {
        if wrong.with_untracked(Option::is_some) {
            let typed = read(&text.get_untracked(), &event_target_value(&event));
            wrong.set(match typed {
                Typed::Wrong(reason) => Some(reason),
                _ => None,
            });
        }
    };
    let keyboard = move |event: ev::KeyboardEvent| match event.key().as_str() {
        "Enter" => commit(),
        "Escape" => {
            // Escape reverts the field, and must not also close a group or dialog.
            event.stop_propagation();
            show();
        }
        _ => {}
    };
    // A change made elsewhere (slider, back button) replaces the text, even an invalid one.
    Effect::new(move |_| {
        text.track();
        show();
    });
    view! {
        <input
            node_ref=node
            id=names.id
            type="text"
            inputmode="decimal"
            autocomplete="off"
            spellcheck="false"
            placeholder=names.placeholder
            style:width=move || format!("{}.3ch", text.get().chars().count().max(2))
            prop:value=move || text.get()
            aria-label=names.name
            aria-describedby=names.help
            title=names.title
            aria-invalid=move || wrong.get().is_some().then_some("true")
            on:focus:target=move |event| event.target().select()
            on:blur=move |_| commit()
            on:input=typing
            on:keydown=keyboard
        />
    }
    .into_any()
}

/// Draws the text field of `number`; an error in the typed text goes to `wrong`.
pub fn field(
    app: App,
    number: Number,
    id: String,
    help: String,
    wrong: RwSignal<Option<String>>,
) -> AnyView {
    let words = words_of(number);
    let text = Memo::new(move |_| app.link.with(|link| shown_in_view(number, link)));
    let names = FieldNames {
        id: Some(id),
        name: match words.unit {
            "" => words.name.to_owned(),
            unit => format!("{}, {unit}", words.name),
        },
        help: Some(help),
        ..FieldNames::default()
    };
    let read = move |before: &str, typed: &str| {
        app.current
            .with_untracked(|inputs| read_division(number, inputs, typed))
            .unwrap_or_else(|| read_typed(number, before, typed))
    };
    let enter = move |value| app.type_in(number, value);
    view! {
        <label
            class="field"
            class:wrong=move || wrong.get().is_some()
            class:absent=move || text.with(|text| text == absent(number))
        >
            {typed_input(names, text, wrong, read, enter)}
            {(!words.unit.is_empty()).then(|| view! { <span class="unit">{words.unit}</span> })}
        </label>
    }
    .into_any()
}
