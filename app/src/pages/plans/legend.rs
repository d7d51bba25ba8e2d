//! The tables beside the chart: the first is its legend.

use super::{Plans, open_inputs};
use crate::answer::plans::{BestRow, Mark, OtherRow, rivals};
use crate::pages::explore::headline::{first, range};
use crate::state::App;
use crate::theme::Series;
use leptos::prelude::*;
use model_core::permalink::search::in_order;

/// The column beside the chart.
pub fn tables(app: App, plans: Plans) -> AnyView {
    let title = move || {
        plans
            .said
            .with(|said| said.as_ref().map(|said| said.best.title.clone()))
    };
    let caption = move || {
        plans
            .said
            .with(|said| said.as_ref().map(|said| said.best.caption.clone()))
    };
    let rows = move || {
        plans.said.with(|said| {
            let rows = said.as_ref().map(|said| said.best.rows.clone());
            let rows = rows.unwrap_or_default().into_iter();
            rows.map(|row| best_row(app, plans, row)).collect_view()
        })
    };
    view! {
        <div class="plans-tables">
            <table class="plans-best">
                <caption><span class="chart-question">{title}</span></caption>
                <thead>
                    <tr>
                        <th scope="col" colspan="2" title=caption>{caption}</th>
                        <th scope="col">"tok/s per GPU"</th>
                        <th scope="col" class="best-ratio" title="Times the best on your own GPUs, which is 1×">"of your best"</th>
                        <th scope="col">"per M tok"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            {move || compare(app)}
            {move || others(app, plans)}
            {move || gains(plans)}
        </div>
    }
    .into_any()
}

fn best_row(app: App, plans: Plans, row: BestRow) -> AnyView {
    let line = row.line;
    let name = StoredValue::new(row.name.clone());
    let hidden = move || {
        let hides = |hidden: &Vec<String>| name.with_value(|name| hidden.contains(name));
        line.is_some() && plans.hidden.with(hides)
    };
    let light = move |on: bool| {
        if line.is_some() {
            plans.lit.set(line.filter(|_| on));
        }
    };
    let turn = move |_| {
        if line.is_some() {
            name.with_value(|name| plans.turn(name));
        }
    };
    let heading = match line {
        Some(_) => view! {
            <button
                type="button"
                class="best-name"
                aria-pressed=move || (!hidden()).to_string()
                title=move || if hidden() { "Click shows its line" } else { "Click hides its line" }
            >
                {row.name.clone()}
            </button>
        }
        .into_any(),
        None => view! { <span class="best-name">{row.name.clone()}</span> }.into_any(),
    };
    let opens = row.inputs.map(|inputs| {
        view! {
            <button
                type="button"
                class="quiet best-open"
                aria-label=format!("Open in Explore: {}", row.name)
                on:click=move |event| {
                    event.stop_propagation();
                    open_inputs(app, inputs);
                }
            >
                "Open"
            </button>
        }
    });
    let colour = match row.mark {
        Mark::Line(series, _) => format!("var(--{})", series.name()),
        _ => "var(--ink-3)".to_owned(),
    };
    let said = [row.tag, &row.detail]
        .into_iter()
        .filter(|said| !said.is_empty());
    let said = said.collect::<Vec<_>>().join(" · ");
    // The sign between parts ends a line, and begins none.
    let detail = said
        .split_inclusive(" ·")
        .map(|part| view! { <span class="best-part">{part.trim().to_owned()}</span> " " })
        .collect_view();
    let nothing = row.value.is_empty();
    view! {
        <tr
            class:own=!row.tag.is_empty()
            class:legend=line.is_some()
            class:off=hidden
            class:absent=nothing
            on:pointerenter=move |_| light(true)
            on:pointerleave=move |_| light(false)
            on:focusin=move |_| light(true)
            on:focusout=move |_| light(false)
            on:click=turn
        >
            <td class="best-mark">{sample(row.mark)}</td>
            <th scope="row">
                <span class="best-line">
                    {heading}
                    <span class="best-bar" aria-hidden="true">
                        <span style:width=format!("{:.2}%", row.bar * 100.0) style:background=colour></span>
                    </span>
                </span>
                <span class="best-detail" class:tone-bad=row.wrong title=row.detail.clone()>{detail}</span>
            </th>
            <td class="best-value">
                {first(&row.value, row.around.as_ref()).0}
                {row.around.as_ref().map(|around| range(&row.value, around))}
            </td>
            <td class="best-ratio">
                {row.ratio.clone()}
                <span class="best-second">{opens}</span>
            </td>
            <td class="best-cost">
                {row.cost.clone()}
                {row.least.then(|| view! { " " <span class="best-second best-least">"cheapest"</span> })}
            </td>
        </tr>
    }
    .into_any()
}

/// A row's sign, as the chart draws it.
pub fn sample(mark: Mark) -> AnyView {
    let (series, dashed) = match mark {
        Mark::None => return ().into_any(),
        Mark::Now => {
            return view! {
                <svg class="sample" viewBox="0 0 22 20" width="22" height="20" aria-hidden="true">
                    <circle cx="11" cy="10" r="7" class="sample-ring"></circle>
                    <circle cx="11" cy="10" r="3.6" class="sample-dot"></circle>
                </svg>
            }
            .into_any();
        }
        Mark::Pinned => {
            return view! {
                <svg class="sample" viewBox="0 0 22 20" width="22" height="20" aria-hidden="true">
                    <circle cx="11" cy="10" r="5.5" class="sample-pinned"></circle>
                </svg>
            }
            .into_any();
        }
        Mark::Line(series, dashed) => (series, dashed),
    };
    let style = format!("stroke: var(--{})", series.name());
    view! {
        <svg class="sample" viewBox="0 0 22 20" width="22" height="20" aria-hidden="true">
            <path d="M0 10h22" style=style.clone() stroke-dasharray=if dashed { "4 2" } else { "" }></path>
            {marker(series, style)}
        </svg>
    }
    .into_any()
}

/// The marker alone, for a plan on a line.
pub fn point(mark: Mark) -> AnyView {
    let Mark::Line(series, _) = mark else {
        return ().into_any();
    };
    view! {
        <svg class="sample" viewBox="4 3 14 14" width="14" height="14" aria-hidden="true">
            {marker(series, format!("stroke: var(--{})", series.name()))}
        </svg>
    }
    .into_any()
}

/// A series' marker about the middle of a sample.
fn marker(series: Series, style: String) -> AnyView {
    let corners = series.marker((11.0, 10.0), 4.2);
    if corners.is_empty() {
        return view! { <circle cx="11" cy="10" r="4.2" style=style></circle> }.into_any();
    }
    let points: Vec<String> = corners
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    view! { <polygon points=points.join(" ") style=style></polygon> }.into_any()
}

/// Where one accelerator is searched, others to compare it with.
fn compare(app: App) -> Option<AnyView> {
    let rivals = app.link.with(|link| {
        let one = link.search.accelerators(&link.current).len() == 1;
        one.then(|| rivals(&link.current))
    })?;
    let names: Vec<&str> = rivals[1..]
        .iter()
        .map(|gpu| crate::answer::split::short_name(gpu.name()))
        .collect();
    Some(
        view! {
            <p class="plans-compare">
                <button
                    type="button"
                    class="quiet"
                    on:click=move |_| app.change(|link| {
                        link.search.accelerators = in_order(&rivals);
                        link.search = link.search.clone().normalized(&link.current);
                    })
                >
                    {format!("Compare with {}", names.join(", "))}
                </button>
            </p>
        }
        .into_any(),
    )
}

fn others(app: App, plans: Plans) -> Option<AnyView> {
    let table = plans
        .said
        .with(|said| said.as_ref().and_then(|said| said.others.clone()))?;
    let rows = table.rows.into_iter().map(|row| other_row(app, row));
    Some(
        view! {
            <table class="plans-others">
                <caption>
                    <span class="chart-question">{table.title}</span>
                    " "
                    <span class="chart-finding">{table.caption}</span>
                </caption>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        }
        .into_any(),
    )
}

fn other_row(app: App, row: OtherRow) -> AnyView {
    let Some(bar) = row.bar else {
        return view! {
            <tr class="absent">
                <th scope="row">{row.name}</th>
                <td colspan="5">{row.detail}</td>
            </tr>
        }
        .into_any();
    };
    let opens = row.inputs.map(|inputs| {
        view! {
            <button
                type="button"
                class="quiet best-open"
                aria-label=format!("Open in Explore: {}", row.name)
                on:click=move |_| open_inputs(app, inputs)
            >
                "Open"
            </button>
        }
    });
    view! {
        <tr>
            <th scope="row">{row.name}</th>
            <td class="other-detail" title=row.detail.clone()>{row.detail.clone()}</td>
            <td class="best-bar" aria-hidden="true">
                <span style:width=format!("{:.2}%", bar * 100.0)></span>
            </td>
            <td class="best-value">{row.value}</td>
            <td class="best-cost">{row.cost}</td>
            <td class="other-open">{opens}</td>
        </tr>
    }
    .into_any()
}

/// What Helix gains, where it was searched beside what it is compared with.
fn gains(plans: Plans) -> Option<AnyView> {
    let said = plans.said.get()?;
    let gains = said
        .gains
        .first()
        .map(
            |gain| view! { <p class="plans-gain">{crate::pages::shell::words::sentence(gain)}</p> },
        )
        .collect_view();
    Some(gains.into_any())
}
