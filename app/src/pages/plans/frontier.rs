//! The plans on the frontiers as a table that sorts, opens and exports.

use super::legend;
use super::{Plans, open};
use crate::answer::plans::Mark;
use crate::charts::Figure;
use crate::charts::PlansData;
use crate::format;
use crate::pages::figure::export::save_table;
use crate::pages::shell::toast::Toast;
use crate::picture::table::{Cell, Table};
use crate::state::App;
use leptos::prelude::*;

/// Rows before "Show all": more beside other tables on a tall screen, as many as it has room for.
fn first_rows() -> usize {
    const FEWEST: usize = 7;
    let [wide, tall] = [window().inner_width(), window().inner_height()]
        .map(|side| side.ok().and_then(|px| px.as_f64()).unwrap_or(0.0));
    match wide > 1120.0 {
        true => FEWEST + ((tall - 820.0) / 48.0).clamp(0.0, 14.0) as usize,
        false => FEWEST,
    }
}
/// The column that is sorted by to begin with: throughput, most first.
const THROUGHPUT: usize = 8;
/// The column of users' speeds.
const SPEED: usize = 7;
/// Columns that name a family.
const FAMILY: [usize; 2] = [2, 5];
/// Columns of words: where all rows say the same, the title says it.
const WORDS: [usize; 6] = [0, 1, 2, 3, 4, 5];

/// What of the chart's table is shown.
#[derive(Clone, Default, PartialEq)]
struct Shown {
    table: Table,
    /// Rows that meet the SLO, by their hits.
    meets: Vec<usize>,
    /// What stands before each row.
    marks: Vec<Mark>,
    /// Columns that rows differ in.
    columns: Vec<usize>,
    /// What all rows share: "all on 32 GPUs in deepseek-fp8".
    shared: String,
    slo: Option<f64>,
}

fn shown(plans: Plans) -> Shown {
    let Some(data) = plans.data.get() else {
        return Shown::default();
    };
    // What was measured is no plan.
    let plans_alone = PlansData {
        measured: Vec::new(),
        ..(*data).clone()
    };
    let table = plans_alone.table();
    let slo = data.slo_tokens_per_s_per_user;
    let number =
        |row: usize, column: usize| match table.rows.get(row).and_then(|row| row.get(column)) {
            Some(Cell::Number(value)) => *value,
            _ => 0.0,
        };
    let meets: Vec<usize> = (0..table.rows.len())
        .filter(|row| slo.is_none_or(|slo| number(*row, SPEED) >= slo))
        .collect();
    // A plan that several families come to is one row: their names and schedules are all that differ.
    let same = |one: usize, other: usize| {
        let cells = |row: usize| table.rows.get(row).map(|row| row.iter().enumerate());
        let told =
            |(column, cell): (usize, &Cell)| (!FAMILY.contains(&column)).then(|| cell.shown());
        match (cells(one), cells(other)) {
            (Some(one), Some(other)) => one.map(told).eq(other.map(told)),
            _ => false,
        }
    };
    let meets: Vec<usize> = { meets.iter().enumerate() }
        .filter(|(place, row)| !meets[..*place].iter().any(|before| same(*before, **row)))
        .map(|(_, row)| *row)
        .collect();
    let alike = |column: &usize| {
        let cell = |row: &usize| table.rows.get(*row).and_then(|row| row.get(*column));
        let first = meets.first().and_then(cell);
        meets.iter().all(|row| cell(row) == first)
    };
    let constant: Vec<usize> = WORDS.into_iter().filter(alike).collect();
    // Nor does a column say anything of which nothing is known: costs without prices.
    let known = |column: &usize| {
        let cells = meets
            .iter()
            .filter_map(|row| table.rows.get(*row)?.get(*column));
        { cells }.any(|cell| !cell.shown().is_empty())
    };
    let columns = (0..table.columns.len()).filter(|column| !constant.contains(column));
    let columns = columns.filter(known);
    let columns = columns.collect();
    let first = |column: usize| {
        let row = meets.first().and_then(|row| table.rows.get(*row));
        let cell = row.and_then(|row| row.get(column));
        cell.filter(|_| constant.contains(&column)).map(Cell::shown)
    };
    let gpus = first(3).map(|_| {
        let count = meets.first().map_or(0.0, |row| number(*row, 3));
        match first(0) {
            Some(own) if own.starts_with("Custom") => {
                format!("on {} custom GPUs", format::count(count))
            }
            Some(accelerator) => format!("on {} {accelerator}", format::count(count)),
            None => format!("on {}", crate::answer::advice::gpus(count)),
        }
    });
    let gpus = gpus.or_else(|| first(0).map(|accelerator| format!("on {accelerator}")));
    let parts = [
        first(2),
        first(4),
        gpus,
        first(1).map(|precision| format!("in {precision}")),
        first(5),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    let shared = match parts.as_slice() {
        [] => String::new(),
        parts => format!("; all {}", parts.join(" ")),
    };
    let marks = data.hits().map(|(line, ..)| {
        let line = data.lines.get(line);
        line.map_or(Mark::None, |line| Mark::Line(line.series, line.dashed))
    });
    let marks = marks.collect();
    Shown {
        meets,
        marks,
        columns,
        shared,
        slo,
        table,
    }
}

/// The table below the chart.
pub fn table(app: App, toast: Toast, plans: Plans) -> AnyView {
    let sort = RwSignal::new((THROUGHPUT, true));
    let all = RwSignal::new(false);
    // What is pointed at changes nothing here.
    let shown = Memo::new(move |_| shown(plans));
    let count = move || shown.with(|shown| shown.meets.len());
    let title = move || {
        shown.with(|shown| {
            let count = format::count(shown.meets.len() as f64);
            let shared = &shown.shared;
            match shown.slo {
                Some(slo) => format!("{count} keep {} tok/s{shared}", format::printed(slo)),
                None => format!("{count} in all{shared}"),
            }
        })
    };
    let save = move |_| {
        let (column, descending) = sort.get_untracked();
        let csv = shown.with_untracked(|shown| {
            let rows = shown.table.order(column, descending);
            let rows = rows
                .into_iter()
                .filter(|row| shown.meets.binary_search(row).is_ok());
            Table {
                columns: shown.table.columns.clone(),
                rows: rows.map(|row| shown.table.rows[row].clone()).collect(),
            }
            .csv()
        });
        let saved = save_table(
            app,
            "Frontier plans",
            untrack(title),
            &csv,
            "ridgepoint-plans.csv",
        );
        toast.say(if saved {
            "Saved"
        } else {
            "There is nothing to save"
        });
    };
    view! {
        <section class="plans-table" aria-label="Plans on the frontiers" hidden=move || count() == 0>
            <div class="plans-table-head">
                <h2 title=title>
                    <span class="chart-question">"Frontier plans"</span>
                    " "
                    <span class="chart-finding">{title}</span>
                </h2>
                <button
                    type="button"
                    class="quiet"
                    hidden=move || count() <= first_rows()
                    on:click=move |_| all.update(|all| *all = !*all)
                >
                    {move || if all.get() { "Show fewer" } else { "Show all" }}
                </button>
                <button type="button" class="quiet" on:click=save>"CSV"</button>
            </div>
            <div class="plans-scroll" tabindex="0" role="region" aria-label="Table of plans">
                <table>
                    <thead>
                        <tr>
                            <th class="plan-mark"><span class="hidden">"Line"</span></th>
                            {move || shown.with(|shown| headings(shown, sort))}
                            <th scope="col"><span class="hidden">"Open"</span></th>
                        </tr>
                    </thead>
                    <tbody on:pointerleave=move |_| plans.marked.set(None)>
                        {move || shown.with(|shown| rows(app, plans, shown, sort.get(), all.get()))}
                    </tbody>
                </table>
            </div>
        </section>
    }
    .into_any()
}

/// The head of a column, short: its unit says the rest.
fn head(column: usize, name: &str) -> String {
    match column {
        SPEED => "tok/s per user".to_owned(),
        THROUGHPUT => "tok/s per GPU".to_owned(),
        9 => "per M tok".to_owned(),
        _ => name.to_owned(),
    }
}

fn headings(shown: &Shown, sort: RwSignal<(usize, bool)>) -> AnyView {
    let columns = shown.columns.iter().copied();
    columns
        .filter_map(|index| Some((index, shown.table.columns.get(index)?)))
        .map(|(index, column)| {
            let numeric = is_numeric(&shown.table, index);
            let by = move || sort.get().0 == index;
            let order = move || match (by(), sort.get().1) {
                (true, true) => "descending",
                (true, false) => "ascending",
                (false, _) => "none",
            };
            let turn = move |_| {
                sort.update(|(column, descending)| {
                    // Numbers are wanted largest first, words from A.
                    *descending = if *column == index {
                        !*descending
                    } else {
                        numeric
                    };
                    *column = index;
                });
            };
            view! {
                <th scope="col" class=format!("plan-{index}") class:numeric=numeric aria-sort=order>
                    <button type="button" on:click=turn>
                        {head(index, &column.name)}
                        <span class="sorted" aria-hidden="true">
                            {move || match (by(), sort.get().1) {
                                (true, true) => " ↓",
                                (true, false) => " ↑",
                                (false, _) => "",
                            }}
                        </span>
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

/// "GB200" for "GB200 NVL72": the legend says the rest.
fn short(name: &str) -> String {
    let named = model_core::hardware::catalog::CATALOG.iter();
    let found = { named }.find(|entry| entry.name == name);
    found
        .map_or(name, |entry| crate::answer::split::short_name(entry.name))
        .to_owned()
}

fn cell(column: usize, cell: &Cell) -> String {
    match (column, cell) {
        (SPEED, Cell::Number(value)) => format::sig3(*value),
        (THROUGHPUT, Cell::Number(value)) => format::si(*value),
        (9, Cell::Number(value)) => format::dollars(*value),
        // Whole numbers are counts, whatever their size.
        (0, Cell::Text(name)) => short(name),
        (_, Cell::Number(value)) if value.fract() == 0.0 => format::count(*value),
        (_, cell) => cell.shown(),
    }
}

fn rows(
    app: App,
    plans: Plans,
    shown: &Shown,
    (column, descending): (usize, bool),
    all: bool,
) -> AnyView {
    let most = if all { usize::MAX } else { first_rows() };
    shown
        .table
        .order(column, descending)
        .into_iter()
        .filter(|row| shown.meets.binary_search(row).is_ok())
        .take(most)
        .map(|hit| {
            let row = &shown.table.rows[hit];
            let mark = shown.marks.get(hit).copied().unwrap_or(Mark::None);
            let cells = shown
                .columns
                .iter()
                .enumerate()
                .filter_map(|(place, column)| Some((place, *column, row.get(*column)?)))
                .map(|(place, column, value)| {
                    let text = cell(column, value);
                    let numeric = matches!(value, Cell::Number(_));
                    let strong = column == THROUGHPUT;
                    let class = format!("plan-{column}");
                    // Where rows are lines of words a number says what it counts.
                    let unit = match value {
                        Cell::Number(one) if one.to_bits() == 1_f64.to_bits() => " GPU",
                        _ => " GPUs",
                    };
                    if place == 0 {
                        view! { <th scope="row" class=class class:numeric=numeric data-unit=unit>{text}</th> }
                            .into_any()
                    } else {
                        view! { <td class=class class:numeric=numeric class:strong=strong data-unit=unit>{text}</td> }
                            .into_any()
                    }
                })
                .collect_view();
            view! {
                <tr
                    on:pointerenter=move |_| plans.marked.set(Some(hit))
                    on:focusin=move |_| plans.marked.set(Some(hit))
                    on:focusout=move |_| plans.marked.set(None)
                >
                    <td class="plan-mark">{legend::point(mark)}</td>
                    {cells}
                    <td class="plan-open">
                        <button
                            type="button"
                            class="act"
                            aria-label="Open in Explore"
                            on:click=move |_| open(app, plans, hit)
                        >
                            "Open"
                        </button>
                    </td>
                </tr>
            }
        })
        .collect_view()
        .into_any()
}
