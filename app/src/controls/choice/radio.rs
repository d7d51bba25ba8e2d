//! A radio button for one option of a group.

use leptos::prelude::*;

/// Draws a native radio button with its label. A native button works with arrow keys and screen readers.
pub fn radio(
    group: impl Into<String>,
    value: &'static str,
    chosen: impl Fn() -> bool + Send + Sync + 'static,
    choose: impl Fn() + Send + Sync + 'static,
    words: impl IntoView + 'static,
) -> AnyView {
    let choose = Callback::new(move |()| choose());
    let chosen = Signal::derive(chosen);
    drawn(group.into(), value, chosen, choose, words.into_any())
}

// Not generic, so that it is compiled only once.
fn drawn(
    group: String,
    value: &'static str,
    chosen: Signal<bool>,
    choose: Callback<()>,
    words: AnyView,
) -> AnyView {
    view! {
        <label class="choice" class:chosen=chosen>
            <input
                type="radio"
                name=group
                value=value
                prop:checked=chosen
                on:change=move |_| choose.run(())
            />
            {words}
        </label>
    }
    .into_any()
}
