//! "What helps?" as a table of links: every lever, sorted by any column.

use crate::answer::levers::{in_table, table};
use crate::charts::AnyFigure;
use crate::charts::levers::{LeverLine, LeversData};
use crate::format;
use crate::pages::figure::{Chart, Made};
use crate::pages::helps::{Helps, lever_link};
use crate::state::App;
use leptos::prelude::*;
use model_core::order::sort_by;
use model_core::permalink::FigureId;
use std::sync::Arc;

/// The data of the table, for exports.
pub fn made(app: App, _: FigureId) -> Made {
    let helps = Helps::of_page(app);
    helps.follow(app);
    let data = Memo::new(move |_| {
        helps.list.with(|list| {
            let (inputs, answer) = &**list.as_ref()?;
            Some(Arc::new(table(&answer.levers, inputs)))
        })
    });
    Made::of(move || data.with(|data| data.as_ref().map(AnyFigure::of)))
}

/// Sort key of a column.
type Key = fn(&LeverLine) -> f64;

/// Heading with unit, and sort key, the better value first.
const COLUMNS: [(&str, Option<Key>); 7] = [
    ("change", None),
    ("tok/s per GPU ×", Some(|row| -row.factor.unwrap_or(0.0))),
    ("tok/s per user", Some(|row| -row.per_user)),
    (
        "TPOT at this batch",
        Some(|row| row.tpot_ms.unwrap_or(f64::INFINITY)),
    ),
    ("batch", Some(|row| row.batch)),
    (
        "$/M tok",
        Some(|row| row.dollars_per_mtok.unwrap_or(f64::INFINITY)),
    ),
    ("notes", None),
];

/// The table.
pub fn body(app: App, _: Chart) -> AnyView {
    let helps = Helps::of_page(app);
    let sorted = RwSignal::new(None::<usize>);
    let rows = Memo::new(move |_| {
        helps.list.with(|list| {
            let (inputs, answer) = &**list.as_ref()?;
            let LeversData { rows, basis, .. } = table(&answer.levers, inputs);
            Some((basis, rows, in_table(&answer.levers, inputs)))
        })
    });
    let stale = helps.fresh;
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
        <div class="levers-table" class:stale=move || !stale.get() tabindex="0" role="region" aria-label="Every lever">
            <table>
                <caption>{move || rows.with(|rows| rows.as_ref().map(|rows| rows.0.clone()))}</caption>
                <thead><tr>{head}</tr></thead>
                <tbody>
                    {move || {
                        let Some((_, lines, levers)) = rows.get() else { return ().into_any() };
                        let mut both: Vec<_> = lines.into_iter().zip(levers).collect();
                        if let Some(key) = sorted.get().and_then(|column| COLUMNS[column].1) {
                            sort_by(&mut both, |one, other| key(&one.0).total_cmp(&key(&other.0)));
                        }
                        both.into_iter()
                            .map(|(line, lever)| {
                                let half = line.half.map(|half| match half > 0.0 {
                                    true => format!("; {}: {}", line.half_is, format::factor(half)),
                                    false => format!("; {}: nothing works", line.half_is),
                                });
                                view! {
                                    <tr>
                                        <th scope="row">{lever_link(app, helps, lever)}</th>
                                        <td class="numeric lever-gives">{line.gives}</td>
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
                            .collect_view()
                            .into_any()
                    }}
                </tbody>
            </table>
        </div>
    }
    .into_any()
}
