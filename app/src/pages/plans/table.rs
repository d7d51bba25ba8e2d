//! The plans on the frontiers as a table that sorts, opens and exports.

use super::{Plans, open};
use crate::charts::{Cell, Figure, Table};
use crate::format;
use crate::pages::figure::export::save_text;
use crate::pages::shell::toast::Toast;
use crate::state::App;
use leptos::prelude::*;

/// Rows before "Show all".
const FIRST: usize = 10;
/// The column that is sorted by to begin with: throughput, most first.
const THROUGHPUT: usize = 8;

/// The table below the chart.
pub fn table(app: App, toast: Toast, plans: Plans) -> AnyView {
    let sort = RwSignal::new((THROUGHPUT, true));
    let all = RwSignal::new(false);
    let table = Memo::new(move |_| {
        plans
            .data
            .with(|data| data.as_ref().map(|data| data.table()))
            .unwrap_or_default()
    });
    let count = move || table.with(|table| table.rows.len());
    let save = move |_| {
        let (column, descending) = sort.get_untracked();
        let csv = table.with_untracked(|table| {
            let rows = table.order(column, descending);
            let rows = rows.into_iter().map(|row| table.rows[row].clone());
            Table {
                columns: table.columns.clone(),
                rows: rows.collect(),
            }
            .csv()
        });
        let saved = save_text(&csv, "text/csv", "ridgepoint-plans.csv");
        toast.say(if saved {
            "Saved"
        } else {
            "There is nothing to save"
        });
    };
    view! {
        <section class="plans-table" aria-label="Plans on the frontiers" hidden=move || count() == 0>
            <div class="plans-table-head">
                <h2>
                    <span class="chart-question">"Plans on the frontiers"</span>
                    " "
                    <span class="chart-finding">{move || format!("{} in all", format::count(count() as f64))}</span>
                </h2>
                <button type="button" class="quiet" on:click=save>"CSV"</button>
            </div>
            <div class="plans-scroll" tabindex="0" role="region" aria-label="Table of plans">
                <table>
                    <thead>
                        <tr>{move || headings(&table.get(), sort)}<th scope="col"><span class="hidden">"Open"</span></th></tr>
                    </thead>
                    <tbody>{move || rows(app, plans, &table.get(), sort.get(), all.get())}</tbody>
                </table>
            </div>
            <button
                type="button"
                class="quiet"
                hidden=move || count() <= FIRST
                on:click=move |_| all.update(|all| *all = !*all)
            >
                {move || if all.get() {
                    format!("Show the first {FIRST}")
                } else {
                    format!("Show all {}", format::count(count() as f64))
                }}
            </button>
        </section>
    }
    .into_any()
}

fn headings(table: &Table, sort: RwSignal<(usize, bool)>) -> AnyView {
    table
        .columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            let numeric = is_numeric(table, index);
            let by = move || sort.get().0 == index;
            let order = move || match (by(), sort.get().1) {
                (true, true) => "descending",
                (true, false) => "ascending",
                (false, _) => "none",
            };
            let turn = move |_| {
                sort.update(|(column, descending)| {
                    // Numbers are wanted largest first, words from A.
                    *descending = if *column == index { !*descending } else { numeric };
                    *column = index;
                });
            };
            view! {
                <th scope="col" class:numeric=numeric aria-sort=order>
                    <button type="button" on:click=turn>
                        {column.name.clone()}
                        <span class="sorted" aria-hidden="true">
                            {move || match (by(), sort.get().1) {
                                (true, true) => " ↓",
                                (true, false) => " ↑",
                                (false, _) => "",
                            }}
                        </span>
                        {(!column.unit.is_empty()).then(|| view! { <span class="unit">{column.unit}</span> })}
                    </button>
                </th>
            }
        })
        .collect_view()
        .into_any()
}

fn is_numeric(table: &Table, column: usize) -> bool {
    table
        .rows
        .iter()
        .any(|row| matches!(row.get(column), Some(Cell::Number(_))))
}

fn rows(
    app: App,
    plans: Plans,
    table: &Table,
    (column, descending): (usize, bool),
    all: bool,
) -> AnyView {
    let shown = if all { usize::MAX } else { FIRST };
    table
        .order(column, descending)
        .into_iter()
        .take(shown)
        .map(|hit| {
            let row = &table.rows[hit];
            let cells = row
                .iter()
                .enumerate()
                .map(|(index, cell)| {
                    let text = match cell {
                        // Whole numbers are counts, whatever their size.
                        Cell::Number(value) if value.fract() == 0.0 => format::count(*value),
                        cell => cell.shown(),
                    };
                    let numeric = matches!(cell, Cell::Number(_));
                    if index == 0 {
                        view! { <th scope="row">{text}</th> }.into_any()
                    } else {
                        view! { <td class:numeric=numeric>{text}</td> }.into_any()
                    }
                })
                .collect_view();
            let opens = move |_| {
                let candidate = plans
                    .searched
                    .with_untracked(|searched| searched.as_ref()?.candidate(hit));
                if let Some(index) = candidate {
                    open(app, plans, index);
                }
            };
            view! {
                <tr>
                    {cells}
                    <td>
                        <button type="button" class="quiet" aria-label="Open in Explore" on:click=opens>
                            "Open"
                        </button>
                    </td>
                </tr>
            }
        })
        .collect_view()
        .into_any()
}
