//! Shows a chart's numbers as a table.

use answer::picture::table::{Cell, Table};
use leptos::prelude::*;

/// Draws a chart's numbers as a table.
pub fn table(caption: &'static str, table: &Table) -> AnyView {
    let numeric = |column: usize| {
        table
            .rows
            .iter()
            .any(|row| matches!(row.get(column), Some(Cell::Number(_))))
    };
    let headings = table
        .columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            view! { <th scope="col" class:numeric=numeric(index)>{column.heading()}</th> }
        })
        .collect_view();
    let rows = table
        .rows
        .iter()
        .map(|row| {
            let cells = row
                .iter()
                .enumerate()
                .map(|(index, cell)| {
                    let text = cell.shown();
                    if index == 0 {
                        view! { <th scope="row" class:numeric=numeric(0)>{text}</th> }.into_any()
                    } else {
                        view! { <td class:numeric=numeric(index)>{text}</td> }.into_any()
                    }
                })
                .collect_view();
            view! { <tr>{cells}</tr> }
        })
        .collect_view();
    view! {
        <div class="chart-table" tabindex="0" role="region" aria-label=format!("{caption} (table)")>
            <table>
                <caption class="hidden">{caption}</caption>
                <thead>
                    <tr>{headings}</tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}
