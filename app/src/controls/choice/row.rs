//! A choice as buttons in a row.

use super::Choice;
use crate::controls::row::trouble;
use crate::state::App;
use leptos::prelude::*;

/// The buttons of a choice: native radio buttons, so that arrows and screen readers work.
pub fn choice_row(app: App, choice: Choice) -> AnyView {
    let chosen = Memo::new(move |_| app.current.with(|inputs| choice.of(inputs)));
    let pinned = Memo::new(move |_| {
        app.pinned
            .with(|pinned| pinned.as_ref().map(|inputs| choice.of(inputs)))
    });
    let key = choice.key();
    let buttons = choice
        .options()
        .iter()
        .map(|option| {
            let id = option.id;
            view! {
                <label class="choice" class:chosen=move || chosen.get() == id class:pinned=move || pinned.get() == Some(id)>
                    <input
                        type="radio"
                        name=key
                        value=id
                        prop:checked=move || chosen.get() == id
                        on:change=move |_| app.edit(|inputs| choice.choose(inputs, id))
                    />
                    {option.label}
                </label>
            }
        })
        .collect_view();
    let long = matches!(
        choice,
        Choice::Calibration | Choice::Trace | Choice::Lengths
    );
    view! {
        <div class="row choices-row" data-row=key>
            <fieldset class="choices" class:long=long title=choice.help()>
                <legend class="row-name">{choice.name()}</legend>
                <div class="choices-list">{buttons}</div>
            </fieldset>
            {trouble(app, key)}
        </div>
    }
    .into_any()
}
