//! Lists the terms of a kernel calibration.

use crate::state::App;
use answer::controls::terms::{TermRow, rows};
use leptos::prelude::*;

/// Draws a list of all terms of the calibration with value, source and override. The list is empty if the calibration
/// uses a single efficiency for all kernels.
pub fn terms(app: App) -> AnyView {
    let rows = Memo::new(move |_| app.current.with(rows));
    view! {
        {move || {
            let rows = rows.get();
            (!rows.is_empty()).then(|| view! {
                <p class="row-note" id="terms-name">
                    "Measured values per kernel. Controls above override the matching term."
                </p>
                <dl class="terms" aria-labelledby="terms-name">
                    {rows.into_iter().map(row).collect_view()}
                </dl>
            })
        }}
    }
    .into_any()
}

fn row(row: TermRow) -> AnyView {
    let TermRow {
        term,
        value,
        stated,
    } = row;
    let source = format!("{}: {}", term.source.title, term.source.locator);
    let value = match stated {
        Some(stated) => view! { <s>{value}</s>" "<b>{stated}</b> }.into_any(),
        None => view! { {value} }.into_any(),
    };
    view! {
        <div class="term">
            <dt><i>{term.symbol}</i>" "{term.what}</dt>
            <dd>
                <span class="term-value">{value}</span>
                <span class="term-source">{source}</span>
            </dd>
        </div>
    }
    .into_any()
}
