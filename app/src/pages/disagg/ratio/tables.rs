//! Divisions and step costs in rows.

use super::{Half, state};
use crate::answer::ratio::{BundleRow, LatencyRow};
use leptos::prelude::*;

/// Divisions of the GPUs near the best one, or whole instances near the best ratio.
pub fn bundles(half: Half) -> AnyView {
    let rows = half.of(|view| view.bundles.clone());
    let own = half.of(|view| view.own);
    let app = half.app;
    let gpus = Memo::new(move |_| {
        app.current.with(|inputs| {
            inputs
                .get(model_core::scenario::Number::Gpus)
                .unwrap_or(1.0)
        })
    });
    let domain = Memo::new(move |_| {
        app.current.with(|inputs| {
            inputs
                .get(model_core::scenario::Number::Domain)
                .unwrap_or(1.0)
        })
    });
    let per_dollar = half.of(|view| view.per_dollar);
    // Of entered latencies the first figure is the best ratio, which is seldom one of whole instances.
    let ratio = half.of(|view| view.figures[0].value.clone());
    let capacity = Memo::new(move |_| {
        app.current.with(|inputs| {
            let scenario = inputs.scenario().ok()?;
            Some(crate::format::printed(scenario.cluster.capacity.as_gib()))
        })
    });
    let count = crate::format::count;
    let body = move || {
        let own = own.get().unwrap_or(true);
        let rows = rows.get().unwrap_or_default();
        if rows.is_empty() {
            return ().into_any();
        }
        let title = if own {
            format!("Bundles of {} GPUs", count(gpus.get()))
        } else {
            format!("Whole instances near {}", ratio.get().unwrap_or_default())
        };
        let domains = if own {
            let word = if domain.get() > 16.0 {
                "domains"
            } else {
                "nodes"
            };
            format!("{word} of {}", count(domain.get()))
        } else {
            "ratio".to_owned()
        };
        let unit = match (own, per_dollar.get()) {
            (true, Some(true)) => "tok/$",
            (true, _) => "tok/s/GPU",
            (false, _) => "tok/s/instance",
        };
        let memory = |half: &str| {
            capacity.get().map_or_else(
                || format!("{half} GiB"),
                |most| format!("{half} GiB of {most}"),
            )
        };
        let numeric = |text: String| view! { <th scope="col" class="numeric">{text}</th> };
        let label = title.clone();
        view! {
            <div class="half-scroll" tabindex="0" role="region" aria-label=label>
                <table class="topologies" class:own=own>
                    <thead>
                        <tr>
                            <th scope="col" class="bundle-title">{title}</th>
                            <th scope="col" class:numeric=!own>{domains}</th>
                            {own.then(|| numeric("instances".into()))}
                            {numeric(unit.into())}
                            {numeric("against best".into())}
                            {numeric("slots".into())}
                            {numeric("tok/s/user".into())}
                            {numeric("attn waits".into())}
                            {numeric("FFN waits".into())}
                            {own.then(|| view! { {numeric(memory("attn"))} {numeric(memory("FFN"))} })}
                            <th scope="col" class="numeric" aria-label="Use"></th>
                        </tr>
                    </thead>
                    <tbody>{rows.into_iter().map(|row| bundle(half, row, own, unit)).collect_view()}</tbody>
                </table>
            </div>
        }
        .into_any()
    };
    view! { <div class="half-table">{body}</div> }.into_any()
}

fn bundle(half: Half, row: BundleRow, own: bool, unit: &'static str) -> AnyView {
    let app = half.app;
    let numeric = |text: String| view! { <td class="numeric">{text}</td> };
    // What a number counts, where rows are lines of words.
    let counted = |text: String, before: &'static str, after: &'static str| {
        view! { <td class="numeric" data-before=before data-after=after>{text}</td> }
    };
    let [attention, ffn] = row.waits;
    let [of_attention, of_ffn] = row.gib;
    let name = row.name.clone();
    let states = row.states;
    view! {
        <tr class:least=row.best>
            <th scope="row">{row.name}</th>
            <td class:numeric=!own>{row.domains}</td>
            {own.then(|| numeric(row.instances))}
            <td class="numeric bundle-rate" data-after=format!(" {unit}")>{row.rate}</td>
            <td class="numeric bundle-against">{row.against}</td>
            {counted(row.slots, "", " slots")}
            {counted(row.users, "", " tok/s/user")}
            {counted(attention, "attention waits ", "")}
            {counted(ffn, "FFN waits ", "")}
            {own.then(|| view! { {counted(of_attention, "attention ", " GiB")} {counted(of_ffn, "FFN ", " GiB")} })}
            <td class="numeric bundle-use">
                {if row.shown {
                    view! { <span class="tone-muted">"shown"</span> }.into_any()
                } else {
                    view! {
                        <button
                            type="button"
                            class="act"
                            aria-label=format!("Use {name}")
                            on:click=move |_| state(app, &states)
                        >
                            "Use"
                        </button>
                    }
                    .into_any()
                }}
            </td>
        </tr>
    }
    .into_any()
}

/// Slope and intercept of each part, with their meaning.
pub fn latencies(half: Half) -> AnyView {
    let rows = half.of(|view| view.latencies.clone());
    view! {
        <dl class="latencies">
            {move || rows.get().unwrap_or_default().into_iter().map(latency).collect_view()}
        </dl>
    }
    .into_any()
}

fn latency(row: LatencyRow) -> AnyView {
    let swatch = format!("background: var(--{}-fill)", row.role.name());
    view! {
        <div>
            <dt>
                <span class="swatch" style=swatch></span>
                {row.name}
                <b>{row.time}</b>
            </dt>
            <dd>
                {row.formula}
                <span class="tone-muted">{row.meaning}</span>
            </dd>
        </div>
    }
    .into_any()
}
