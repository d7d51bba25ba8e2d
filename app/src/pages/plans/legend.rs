//! The tables next to the plans chart; the first table is the chart's legend.

use super::{PlansSearch, open_inputs};
use crate::controls::price::price_field;
use crate::state::App;
use crate::state::own_prices::recall_price;
use answer::plans::{BestRow, BestTable, OtherRow, RowMark};
use answer::theme::Series;
use answer::words::format;
use leptos::prelude::*;
use model_core::candidates::rivals;
use model_core::permalink::search::in_order;

/// Draws the column of tables next to the chart.
pub fn tables(app: App, plans: PlansSearch) -> AnyView {
    let of = move |select: fn(&BestTable) -> String| {
        move || {
            plans
                .said
                .with(|said| said.as_ref().map(|said| select(&said.best)))
        }
    };
    let caption = of(|best| best.caption.clone());
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
                <caption>
                    <span class="chart-question">{of(|best| best.title.clone())}</span>
                    " "
                    <span class="chart-finding">{of(|best| best.base.clone().unwrap_or_default())}</span>
                </caption>
                <thead>
                    <tr>
                        <th scope="col" colspan="2" title=caption>{caption}</th>
                        <th scope="col">"tok/s/GPU"</th>
                        <th scope="col" class="best-ratio">"vs. your best"</th>
                        <th scope="col">"$/M tok"</th>
                        <th scope="col"><span class="hidden">"Open"</span></th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            {move || plans.said.with(|said| said.as_ref().map(|said| absent(&said.best.absent)))}
            {move || compare(app)}
            {move || others(app, plans)}
        </div>
    }
    .into_any()
}

/// Draws the list of strategies without a plan, for example "Infeasible: TP, Medha". Expanded, the list shows the
/// reasons.
fn absent(absent: &[(&'static str, &'static str)]) -> Option<AnyView> {
    let names: Vec<_> = absent.iter().map(|(name, _)| *name).collect();
    let whys = absent.iter();
    let whys = whys.map(|(name, why)| view! { <li>{format!("{name}: {why}")}</li> });
    (!names.is_empty()).then(|| {
        view! {
            <details class="plans-absent">
                <summary>{format!("Infeasible: {}", names.join(", "))}</summary>
                <ul>{whys.collect_view()}</ul>
            </details>
        }
        .into_any()
    })
}

fn best_row(app: App, plans: PlansSearch, row: BestRow) -> AnyView {
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
                title=move || if hidden() { "Show line" } else { "Hide line" }
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
                aria-label=format!("Open in Bottleneck: {}", row.name)
                on:click=move |event| {
                    event.stop_propagation();
                    open_inputs(app, inputs);
                }
            >
                "Open"
            </button>
        }
    });
    let wrong = RwSignal::new(None::<String>);
    let priced = row
        .priced
        .map(|(gpu, price)| price_field(app, gpu, move || price, wrong));
    let colour = match row.mark {
        RowMark::Line(series, _) => format!("var(--{})", series.name()),
        RowMark::Now | RowMark::Pinned | RowMark::Best => "var(--ink-3)".to_owned(),
    };
    let last = row.detail.len().saturating_sub(1);
    // A separator follows its part directly, so that no line starts with a separator.
    let detail = { row.detail.iter().enumerate() }
        .map(|(place, part)| {
            let part = match place == last {
                true => part.clone(),
                false => format!("{part} ·"),
            };
            view! { <span class="best-part">{part}</span> " " }
        })
        .collect_view();
    let text = |value: Option<f64>, of: fn(f64) -> String| {
        value.map_or_else(|| format::NONE.to_owned(), of)
    };
    let bar = row.bar.map(|bar| {
        view! { <span style:width=format!("{:.2}%", bar * 100.0) style:background=colour></span> }
    });
    let ratio = match row.is_own {
        true => format!("1{}", format::TIMES),
        false => text(row.ratio, format::factor),
    };
    let around = row.around.as_ref().map(|around| {
        view! {
            <div class="figure-band" title=around.source.clone()>
                {around.text.clone()}
                <span class="hidden">{format!(" ({})", around.source)}</span>
            </div>
        }
    });
    view! {
        <tr
            class:own=row.is_own
            class:legend=line.is_some()
            class:off=hidden
            class:misses=row.misses
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
                        {bar}
                    </span>
                </span>
                <span class="best-detail" class:tone-bad=row.misses title=row.detail.join(" · ")>{detail}</span>
            </th>
            <td class="best-value">
                {text(row.rate, format::si)}
                {around}
            </td>
            <td class="best-ratio">{ratio}</td>
            <td class="best-cost">
                {text(row.dollars, format::dollars)}
                {priced}
                {move || wrong.get().map(|reason| view! { <span class="tone-bad" role="alert">{reason}</span> })}
                {row.least.then(|| view! { " " <span class="best-second best-least">"cheapest"</span> })}
            </td>
            <td class="best-opens">{opens}</td>
        </tr>
    }
    .into_any()
}

/// Draws the legend sample of a row: its line and marker as in the chart.
fn sample(mark: RowMark) -> AnyView {
    let (series, dashed) = match mark {
        RowMark::Best => return point(RowMark::Line(Series::Own, false)),
        RowMark::Now => {
            return view! {
                <svg class="sample" viewBox="0 0 22 20" width="22" height="20" aria-hidden="true">
                    <circle cx="11" cy="10" r="7" class="sample-ring"></circle>
                    <circle cx="11" cy="10" r="3.6" class="sample-dot"></circle>
                </svg>
            }
            .into_any();
        }
        RowMark::Pinned => {
            return view! {
                <svg class="sample" viewBox="0 0 22 20" width="22" height="20" aria-hidden="true">
                    <circle cx="11" cy="10" r="5.5" class="sample-pinned"></circle>
                </svg>
            }
            .into_any();
        }
        RowMark::Line(series, dashed) => (series, dashed),
    };
    let stroke = format!("var(--{})", series.name());
    view! {
        <svg class="sample" viewBox="0 0 22 20" width="22" height="20" aria-hidden="true">
            <path d="M0 10h22" style:stroke=stroke.clone() stroke-dasharray=if dashed { "4 2" } else { "" }></path>
            {marker(series, stroke)}
        </svg>
    }
    .into_any()
}

/// Draws the legend sample of a row with its marker only.
fn point(mark: RowMark) -> AnyView {
    let RowMark::Line(series, _) = mark else {
        return ().into_any();
    };
    view! {
        <svg class="sample" viewBox="4 3 14 14" width="14" height="14" aria-hidden="true">
            {marker(series, format!("var(--{})", series.name()))}
        </svg>
    }
    .into_any()
}

/// Draws a series' marker at the center of a legend sample.
fn marker(series: Series, stroke: String) -> AnyView {
    let corners = series.marker((11.0, 10.0), 4.2);
    if corners.is_empty() {
        return view! { <circle cx="11" cy="10" r="4.2" style:stroke=stroke></circle> }.into_any();
    }
    let points: Vec<String> = corners
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    view! { <polygon points=points.join(" ") style:stroke=stroke></polygon> }.into_any()
}

/// Draws a button that adds other accelerators to the search; the button is shown while only one accelerator is
/// searched.
fn compare(app: App) -> Option<AnyView> {
    let rivals = app.link.with(|link| {
        let one = link.search.accelerators(&link.current).len() == 1;
        one.then(|| rivals(&link.current))
    })?;
    let names: Vec<&str> = rivals[1..]
        .iter()
        .map(|gpu| answer::words::names::short_name(gpu.name()))
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
                        for gpu in &rivals {
                            recall_price(link, *gpu);
                        }
                    })
                >
                    {format!("Compare {}", names.join(", "))}
                </button>
            </p>
        }
        .into_any(),
    )
}

fn others(app: App, plans: PlansSearch) -> Option<AnyView> {
    let table = plans
        .said
        .with(|said| said.as_ref().and_then(|said| said.others.clone()))?;
    let missing = absent(&table.absent);
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
            {missing}
        }
        .into_any(),
    )
}

fn other_row(app: App, row: OtherRow) -> AnyView {
    let inputs = row.inputs;
    view! {
        <tr>
            <th scope="row">{row.name}</th>
            <td class="other-detail" title=row.detail.clone()>{row.detail.clone()}</td>
            <td class="best-bar" aria-hidden="true">
                <span style:width=format!("{:.2}%", row.bar * 100.0)></span>
            </td>
            <td class="best-value">{format::si(row.rate)}</td>
            <td class="best-cost">{row.dollars.map_or_else(|| format::NONE.to_owned(), format::dollars)}</td>
            <td class="other-open">
                <button
                    type="button"
                    class="quiet best-open"
                    aria-label=format!("Open in Bottleneck: {}", row.name)
                    on:click=move |_| open_inputs(app, inputs)
                >
                    "Open"
                </button>
            </td>
        </tr>
    }
    .into_any()
}
