//! Shows a choice as a row of buttons or as a drop-down list.

use super::overlap::picture;
use crate::controls::row::trouble;
use crate::state::App;
use answer::controls::table::choice_of;
use leptos::prelude::*;

/// Draws the options of a choice as native radio buttons, which work with arrow keys and screen readers. `key` is the
/// choice's permalink key.
pub fn choice_row(app: App, key: &'static str) -> AnyView {
    let Some(choice) = choice_of(key) else {
        return ().into_any();
    };
    let chosen = Memo::new(move |_| app.current.with(|inputs| (choice.of)(inputs)));
    let pinned = Memo::new(move |_| {
        app.pinned
            .with(|pinned| pinned.as_ref().map(|inputs| (choice.of)(inputs)))
    });
    let buttons = choice
        .options
        .iter()
        .map(|option| {
            let id = option.id;
            let has = Memo::new(move |_| app.current.with(|inputs| (choice.has)(inputs, id)));
            view! {
                <label class="choice" hidden=move || !has.get() class:chosen=move || chosen.get() == id class:pinned=move || pinned.get() == Some(id)>
                    <input
                        type="radio"
                        name=key
                        value=id
                        prop:checked=move || chosen.get() == id
                        on:change=move |_| app.edit(|inputs| (choice.choose)(inputs, id))
                    />
                    {option.label}
                </label>
            }
        })
        .collect_view();
    view! {
        <div class="row choices-row" data-row=key>
            <fieldset class="choices" class:long=choice.long title=choice.help>
                <legend class="row-name">{choice.name}</legend>
                <div class="choices-list">{buttons}</div>
            </fieldset>
            {(key == "overlap").then(|| picture(chosen))}
            <span class="row-help">{choice.help}</span>
            {trouble(app, key)}
        </div>
    }
    .into_any()
}

/// Draws the choice with this key as a native drop-down list on one line.
pub fn select_row(app: App, key: &'static str, name: &'static str) -> AnyView {
    let Some(choice) = choice_of(key) else {
        return ().into_any();
    };
    let chosen = Memo::new(move |_| app.current.with(|inputs| (choice.of)(inputs)));
    view! {
        <div class="row compact-row" data-row=key title=choice.help>
            <span class="row-name">{name}</span>
            <select
                class="select"
                aria-label=choice.name
                prop:value=move || chosen.get()
                on:change=move |event| {
                    let id = event_target_value(&event);
                    app.edit(|inputs| (choice.choose)(inputs, &id));
                }
            >
                {choice
                    .options
                    .iter()
                    .map(|option| {
                        let id = option.id;
                        view! { <option value=id selected=move || chosen.get() == id>{option.label}</option> }
                    })
                    .collect_view()}
            </select>
            {trouble(app, key)}
        </div>
    }
    .into_any()
}
