//! The table of suggested changes (“What helps?”). Each name links to the changed scenario. A click on the heading of a
//! numeric column sorts the table.

use crate::pages::figure::{Chart, Made};
use crate::pages::helps::Helps;
use crate::pages::shell::words::tone_class;
use crate::pages::strip::{OpenedLever, lever_link, sheet};
use crate::state::App;
use answer::levers::table;
use answer::levers::{LeverLine, LeversData};
use answer::words::format;
use leptos::prelude::*;
use model_core::order::sort_by;
use model_core::permalink::FigureId;
use std::sync::Arc;

/// Returns the data of the table of suggested changes, for file export.
pub fn made(app: App, _: FigureId) -> Made {
    let helps = Helps::of_page(app);
    helps.follow(app);
    let data = Memo::new(move |_| {
        helps.list.with(|list| {
            let (inputs, answer) = &**list.as_ref()?;
            Some(Arc::new(table(&answer.levers, inputs)))
        })
    });
    Made::of(move || data.with(|data| data.as_ref().map(LeversData::chart)))
}

/// Function that returns the sort key of a row in one column.
type Key = fn(&LeverLine) -> f64;

/// Column headings with unit and sort key; smaller keys are better values.
const COLUMNS: [(&str, Option<Key>); 7] = [
    ("change", None),
    ("tok/s/GPU ×", Some(|row| -row.factor.unwrap_or(0.0))),
    ("tok/s/user", Some(|row| -row.per_user)),
    (
        "TPOT at current batch",
        Some(|row| row.tpot_ms.unwrap_or(f64::INFINITY)),
    ),
    ("batch", Some(|row| row.batch)),
    (
        "$/M tok",
        Some(|row| row.dollars_per_mtok.unwrap_or(f64::INFINITY)),
    ),
    ("notes", None),
];

/// Draws the table of suggested changes.
pub fn body(app: App, _: Chart) -> AnyView {
    let helps = Helps::of_page(app);
    let sorted = RwSignal::new(None::<usize>);
    let open = RwSignal::new(false);
    let opened = OpenedLever::new(None);
    let rows = Memo::new(move |_| {
        helps.list.with(|list| {
            let (inputs, answer) = &**list.as_ref()?;
            let LeversData { rows, basis, .. } = table(&answer.levers, inputs);
            Some((basis, rows))
        })
    });
    let fresh = helps.fresh;
    let head = COLUMNS.into_iter().enumerate().map(|(index, (name, key))| {
        let sort =
            move |_| sorted.update(|sorted| *sorted = (*sorted != Some(index)).then_some(index));
        match key {
            None => view! { <th scope="col">{name}</th> }.into_any(),
            Some(_) => view! {
                <th
                    scope="col"
                    class="numeric"
                    aria-sort=move || if sorted.get() == Some(index) { "ascending" } else { "none" }
                >
                    <button type="button" on:click=sort>{name}</button>
                </th>
            }
            .into_any(),
        }
    });
    let head = head.collect_view();
    view! {
        <div class="levers-table" class:stale=move || !fresh.get() tabindex="0" role="region" aria-label="All changes">
            <table>
                <caption>{move || rows.with(|rows| rows.as_ref().map(|rows| rows.0.clone()))}</caption>
                <thead><tr>{head}</tr></thead>
                <tbody>
                    {move || {
                        let Some((_, mut lines)) = rows.get() else { return ().into_any() };
                        if let Some(key) = sorted.get().and_then(|column| COLUMNS[column].1) {
                            sort_by(&mut lines, |one, other| key(one).total_cmp(&key(other)));
                        }
                        let idle = lines.iter().filter(|line| line.idle).count();
                        let shown = open.get();
                        let seen = lines.into_iter()
                            .filter(|line| shown || !line.idle)
                            .map(|line| {
                                let half = line.half.map(|half| match half > 0.0 {
                                    true => format!("; {}: {}", line.half_is, format::factor(half)),
                                    false => format!("; {}: not feasible", line.half_is),
                                });
                                view! {
                                    <tr>
                                        <th scope="row">
                                            {lever_link(app, helps, line.lever.clone(), opened)}
                                            {sheet(app, helps, line.lever.clone(), opened)}
                                        </th>
                                        <td class=format!("numeric lever-gives {}", tone_class(line.lever.tone))>{line.lever.gives}</td>
                                        <td class="numeric">{format::sig3(line.per_user)}</td>
                                        <td class="numeric">
                                            {line.tpot_ms.map_or_else(|| format::NONE.to_owned(), |ms| format!("{} ms", format::figure(ms)))}
                                        </td>
                                        <td class="numeric">{format::count(line.batch)}</td>
                                        <td class="numeric">
                                            {line.dollars_per_mtok.map_or_else(|| format::NONE.to_owned(), format::dollars)}
                                        </td>
                                        <td class="levers-notes">{line.notes}{half}</td>
                                    </tr>
                                }
                            })
                            .collect_view();
                        view! {
                            {seen}
                            {(idle > 0).then(|| view! {
                                <tr>
                                    <td colspan="7">
                                        <button type="button" class="quiet" on:click=move |_| open.update(|open| *open = !*open)>
                                            {move || format!("{} {idle} without effect", if open.get() { "Hide" } else { "Show" })}
                                        </button>
                                    </td>
                                </tr>
                            })}
                        }
                        .into_any()
                    }}
                </tbody>
            </table>
        </div>
    }
    .into_any()
}
