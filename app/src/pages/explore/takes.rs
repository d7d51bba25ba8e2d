//! "What would it take?", under the charts.

use crate::answer::needs::{Wanted, WantedRow, wanted};
use crate::pages::helps::{Helps, address_of, plain};
use crate::state::App;
use leptos::prelude::*;

/// A table for every target that is stated.
pub fn takes(app: App) -> AnyView {
    // Computed when a drag ends: it is below the charts.
    let found = Memo::new(move |earlier: Option<&Vec<Wanted>>| match earlier {
        Some(earlier) if app.moving.get() => earlier.clone(),
        _ => app.current.with(wanted),
    });
    view! {
        <section class="takes" class:takes-unstated=move || found.with(Vec::is_empty) aria-labelledby="takes-name">
            <h2 id="takes-name">"What would it take?"</h2>
            {move || {
                let found = found.get();
                if found.is_empty() {
                    view! {
                        <p class="tone-muted">
                            "Set an SLO, a target cost or a target throughput under Workload to see which value of each number reaches it."
                        </p>
                    }
                    .into_any()
                } else {
                    view! {
                        <div class="takes-targets">
                            {found.into_iter().map(|wanted| target(app, wanted)).collect_view()}
                        </div>
                    }
                    .into_any()
                }
            }}
        </section>
    }
    .into_any()
}

fn target(app: App, wanted: Wanted) -> AnyView {
    let no_rows = wanted.rows.is_empty();
    let rows = wanted.rows.into_iter().map(|row| one_row(app, row));
    let folded = |lead: &'static str, names: Vec<&'static str>, end: &'static str| {
        let text = format!("{lead}{}{end}", names.join(", "));
        (!names.is_empty()).then(|| view! { <p class="takes-folded">{text}</p> })
    };
    let none = folded("No single value of these reaches it: ", wanted.none, ".");
    let any = folded("Any value does of: ", wanted.any, ".");
    view! {
        <div>
            <table>
                <caption>
                    "For "<b>{wanted.asked}</b>
                    {format!(", {}; your plan and batch as stated, each number alone", wanted.now)}
                </caption>
                <thead hidden=no_rows>
                    <tr>
                        <th scope="col">"number"</th>
                        <th scope="col">"now"</th>
                        <th scope="col">{if wanted.met { "it may go to" } else { "it takes" }}</th>
                        <th scope="col">"tok/s/GPU"</th>
                        <th scope="col"><span class="hidden">"Apply"</span></th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
            {none}
            {any}
        </div>
    }
    .into_any()
}

fn one_row(app: App, row: WantedRow) -> AnyView {
    let set = row.set;
    let apply = row.inputs.map(|inputs| {
        view! {
            <a
                class="takes-apply"
                href=move || address_of(Helps::of_page(app), inputs)
                title=format!("Sets {set}")
                aria-label=format!("Apply {set}")
                on:click=move |event| {
                    if plain(&event) {
                        event.prevent_default();
                        app.edit(|current| *current = inputs);
                    }
                }
            >
                "Apply"
            </a>
        }
    });
    view! {
        <tr>
            <th scope="row">{row.name}</th>
            <td class="takes-now">{row.now}</td>
            <td class="takes-least">{row.least}</td>
            <td>{row.per_gpu}</td>
            <td>{apply}</td>
        </tr>
    }
    .into_any()
}
