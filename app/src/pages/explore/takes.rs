//! "What would it take?", under the charts.

use crate::answer::needs::{Wanted, WantedKind, WantedRow, wanted};
use crate::pages::explore::headline::one_offer;
use crate::state::App;
use leptos::prelude::*;

/// A table for every target that is stated: a click makes it so.
pub fn takes(app: App) -> AnyView {
    // Searched anew when a slider is let go: what is below the charts may wait.
    let found = Memo::new(move |earlier: Option<&Vec<Wanted>>| match earlier {
        Some(earlier) if app.held.get() => earlier.clone(),
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
                            "State an SLO, a target cost or a target throughput under Workload: what of each thing would reach it stands here."
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
    let mut before = None;
    let rows: Vec<AnyView> = wanted
        .rows
        .into_iter()
        .map(|row| {
            let first = before.is_some_and(|before| before != row.kind);
            before = Some(row.kind);
            one_row(app, row, first)
        })
        .collect();
    view! {
        <table>
            <caption>"For "<b>{wanted.asked}</b>{format!(", {}", wanted.now)}</caption>
            <thead>
                <tr>
                    <th scope="col">"alone"</th>
                    <th scope="col">"now"</th>
                    <th scope="col">{if wanted.met { "it may go to" } else { "it takes" }}</th>
                    <th scope="col">"tok/s/GPU"</th>
                    <th scope="col"><span class="hidden">"make it so"</span></th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

fn one_row(app: App, row: WantedRow, first: bool) -> AnyView {
    let none = row.kind == WantedKind::None;
    // A reason has room to the end of the row.
    let span = if none { "3" } else { "1" };
    view! {
        <tr class:takes-none=none class:takes-first=first>
            <th scope="row">{row.name}</th>
            <td class="takes-now">{row.now}</td>
            <td class="takes-least" colspan=span>{row.least}</td>
            {(!none).then(|| view! {
                <td>{row.per_gpu}</td>
                <td>{row.offer.map(|offer| one_offer(app, offer))}</td>
            })}
        </tr>
    }
    .into_any()
}
