//! A notice that lists the ignored parts of a permalink, with reasons.

use crate::icons;
use crate::state::App;
use leptos::prelude::*;

/// Draws the notice if any part of the permalink was ignored.
pub fn notice(app: App) -> AnyView {
    view! {
        {move || {
            let notes = app.notes.get();
            (!notes.is_empty())
                .then(|| {
                    let lead = if notes.len() == 1 {
                        "One permalink parameter was ignored:"
                    } else {
                        "Some permalink parameters were ignored:"
                    };
                    let items = notes
                        .iter()
                        .map(|note| view! { <li><b>{note.key.clone()}</b>" "{note.reason.clone()}</li> })
                        .collect_view();
                    view! {
                        <section class="notice" role="status">
                            <p>{lead}</p>
                            <ul>{items}</ul>
                            <button
                                type="button"
                                class="icon-button"
                                aria-label="Dismiss"
                                title="Dismiss"
                                on:click=move |_| app.notes.set(Vec::new())
                            >
                                {icons::close()}
                            </button>
                        </section>
                    }
                })
        }}
    }
    .into_any()
}
