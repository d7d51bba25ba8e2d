//! Filters by evidence type and by paper, and the search field, above the rows.

use super::Papers;
use crate::state::App;
use answer::papers::{OutcomeCounts, PAPERS, published};
use answer::words::format;
use answer::words::names;
use leptos::prelude::*;
use model_core::permalink::{Evidence, Paper};

/// Draws the filters and the search field.
pub fn tools(app: App, page: Papers) -> AnyView {
    let half = Memo::new(move |_| page.listed.with(|listed| listed.evidence));
    let evidence = |evidence: Evidence, name: &'static str, count: usize| {
        button(
            name,
            move || Some(format::count(count as f64)),
            move || half.get() == evidence,
            move || {
                page.words.set(String::new());
                page.sort.set(None);
                page.list(app, |listed| listed.evidence = evidence);
            },
        )
    };
    let paper = move |name: String, id: Option<Paper>| {
        let gaps = move || {
            let rows = page.rows.read();
            let tally =
                OutcomeCounts::of(rows.iter().filter(|row| id.is_none() || row.paper == id));
            let gaps = names::counted(tally.gaps as f64, "gap");
            Some(format!("{}, {gaps}", tally.rows))
        };
        button(
            name,
            gaps,
            move || page.listed.with(|listed| listed.paper == id),
            move || page.list(app, |listed| listed.paper = id),
        )
    };
    view! {
        <div class="papers-tools">
            <div class="papers-choices" role="group" aria-label="Evidence">
                {evidence(Evidence::Measured, "Measured runs", answer::runs::rows().count())}
                {evidence(Evidence::Published, "Published numbers", published())}
            </div>
            <input
                type="search"
                class="preset-search papers-search"
                placeholder="Search: gap, H200, Table 3…"
                aria-label="Search rows"
                prop:value=move || page.words.get()
                on:input=move |event| page.words.set(event_target_value(&event))
            />
            {move || (half.get() == Evidence::Published).then(|| view! {
                {narrow(app, page)}
                <div class="papers-choices papers-wide" role="group" aria-label="Papers">
                    {paper("All papers".to_owned(), None)}
                    {PAPERS
                        .iter()
                        .map(|text| paper(format!("{} {}", text.letter, text.name), Some(text.id)))
                        .collect_view()}
                </div>
            })}
        </div>
    }
    .into_any()
}

/// Draws the papers as one drop-down list, for phones.
fn narrow(app: App, page: Papers) -> AnyView {
    let chosen = move || page.listed.with(|listed| listed.paper);
    let option = move |name: String, id: Option<Paper>| {
        view! { <option value=id.map_or("", Paper::id) selected=move || chosen() == id>{name}</option> }
    };
    view! {
        <select
            class="select papers-narrow"
            aria-label="Paper"
            on:change=move |event| {
                let id = event_target_value(&event);
                let paper = Paper::ALL.iter().find(|paper| paper.id() == id).copied();
                page.list(app, |listed| listed.paper = paper);
            }
        >
            {option("All papers".to_owned(), None)}
            {PAPERS
                .iter()
                .map(|text| option(format!("{} {}", text.letter, text.name), Some(text.id)))
                .collect_view()}
        </select>
    }
    .into_any()
}

/// Draws a choice button with a count.
pub fn button(
    name: impl Into<String>,
    count: impl Fn() -> Option<String> + Send + Sync + 'static,
    chosen: impl Fn() -> bool + Send + Sync + 'static,
    choose: impl Fn() + 'static,
) -> AnyView {
    let name: String = name.into();
    view! {
        <button
            type="button"
            class="papers-choice"
            aria-pressed=move || chosen().to_string()
            on:click=move |_| choose()
        >
            <span>{name}</span>
            <span class="papers-count">{count}</span>
        </button>
    }
    .into_any()
}
