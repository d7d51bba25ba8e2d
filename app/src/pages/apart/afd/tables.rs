//! Tables of the A:F splits and of the step costs.

use super::super::opening;
use super::{RatioHalf, state};
use answer::afd::{BundleRow, LatencyRow};
use answer::theme::Role;
use leptos::prelude::*;
use model_core::account::Quantity;

/// Draws the table of A:F (attention-to-FFN) splits near the best one. If the user has entered latencies, it lists
/// xAyF units with whole numbers of ranks near the best ratio.
pub fn bundles(half: RatioHalf) -> AnyView {
    let rows = half.of(|view| view.bundles.clone());
    let own = half.of(|view| view.own);
    let app = half.app;
    let gpus = Memo::new(move |_| {
        app.current
            .with(|inputs| inputs.get(model_core::inputs::Number::Gpus).unwrap_or(1.0))
    });
    let domain = Memo::new(move |_| {
        app.current.with(|inputs| {
            inputs
                .get(model_core::inputs::Number::Domain)
                .unwrap_or(1.0)
        })
    });
    // With entered latencies, the first metric is the best ratio, which is seldom a ratio of whole ranks.
    let ratio = half.of(|view| view.figures[0].value.clone());
    let capacity = Memo::new(move |_| {
        app.current.with(|inputs| {
            let scenario = inputs.scenario().ok()?;
            Some(answer::words::format::printed(
                scenario.cluster.capacity.as_gib(),
            ))
        })
    });
    let count = answer::words::format::count;
    let length = Memo::new(move |_| rows.with(|rows| rows.as_ref().map_or(0, Vec::len)));
    let own = Memo::new(move |_| own.get().unwrap_or(true));
    let title = Memo::new(move |_| match own.get() {
        true => format!("A:F splits of {} GPUs", count(gpus.get())),
        false => format!(
            "Integer xAyF units near {} : 1",
            ratio.get().unwrap_or_default()
        ),
    });
    let domains = move || match own.get() {
        true => {
            let word = if domain.get() > 16.0 {
                "domains"
            } else {
                "nodes"
            };
            format!("{word} of {}", count(domain.get()))
        }
        false => "ratio".to_owned(),
    };
    let unit = Memo::new(move |_| match own.get() {
        true => "tok/s/GPU",
        false => "tok/s/rank",
    });
    let memory = move |half: &'static str| {
        move || {
            capacity.get().map_or_else(
                || format!("{half} GiB"),
                |most| format!("{half} GiB of {most}"),
            )
        }
    };
    // Rows are created once and updated in place, which is faster than rebuilding them.
    let body = move || {
        let length = length.get();
        if length == 0 {
            return ().into_any();
        }
        let own = own.get();
        let fixed = |text: &'static str| view! { <th scope="col" class="numeric">{text}</th> };
        let moving = |text: AnyView| view! { <th scope="col" class="numeric">{text}</th> };
        let row = |index: usize| {
            let row = Memo::new(move |_| rows.with(|rows| rows.as_ref()?.get(index).cloned()));
            bundle(half, row, own, unit)
        };
        view! {
            <div
                class="half-scroll"
                tabindex="0"
                role="region"
                aria-label=move || title.get()
            >
                <table class="topologies" class:own=own>
                    <thead>
                        <tr>
                            <th scope="col" class="bundle-title">{move || title.get()}</th>
                            <th scope="col" class:numeric=!own>{domains}</th>
                            {own.then(|| fixed("xAyF"))}
                            {moving((move || unit.get()).into_any())}
                            {fixed("vs. best")}
                            {fixed("seq/micro-batch")}
                            {fixed("tok/s/user")}
                            {fixed("attn idle")}
                            {fixed("FFN idle")}
                            {own.then(|| {
                                let halves = ["attn", "FFN"].map(memory);
                                halves.map(|half| moving(half.into_any()))
                            })}
                            <th scope="col" class="numeric"><span class="hidden">"Apply"</span></th>
                        </tr>
                    </thead>
                    <tbody>{(0..length).map(row).collect_view()}</tbody>
                </table>
            </div>
        }
        .into_any()
    };
    view! { <div class="half-table">{body}</div> }.into_any()
}

fn bundle(
    half: RatioHalf,
    row: Memo<Option<BundleRow>>,
    own: bool,
    unit: Memo<&'static str>,
) -> AnyView {
    let app = half.app;
    let said = move |of: fn(&BundleRow) -> &str| {
        (move || {
            row.with(|row| {
                row.as_ref()
                    .map_or_else(String::new, |row| of(row).to_owned())
            })
        })
        .into_any()
    };
    let is = move |of: fn(&BundleRow) -> bool| {
        Memo::new(move |_| row.with(|row| row.as_ref().is_some_and(of)))
    };
    let numeric = move |of| view! { <td class="numeric">{said(of)}</td> };
    // A cell with its label and unit, for narrow screens, where each row is a line of text.
    let counted = move |of, before: &'static str, after: &'static str| {
        view! { <td class="numeric" data-before=before data-after=after>{said(of)}</td> }
    };
    let (best, shown) = (is(|row| row.best), is(|row| row.shown));
    let name = move || {
        row.with(|row| {
            row.as_ref()
                .map_or_else(String::new, |row| row.name.clone())
        })
    };
    let shows = move |_| {
        if let Some(states) = row.with_untracked(|row| Some(row.as_ref()?.states.clone())) {
            state(app, &states);
        }
    };
    // Only the split that is shown can open the derivation of its memory.
    let memory = move |side: usize| {
        let (name, before, what) = [
            ("attention memory", "attention ", Quantity::AfdMemory),
            ("FFN memory", "FFN ", Quantity::AfdFfnMemory),
        ][side];
        let value = move || {
            let of = row.with(|row| row.as_ref().map(|row| row.gib[side].clone()));
            let opens = shown.get().then_some(what);
            opening(app, of.unwrap_or_default(), name, opens)
        };
        view! { <td class="numeric" data-before=before data-after=" GiB">{value}</td> }
    };
    view! {
        <tr class:least=move || best.get()>
            <th scope="row">{said(|row| &row.name)}</th>
            <td class:numeric=!own>{said(|row| &row.domains)}</td>
            {own.then(|| numeric(|row| &row.unit))}
            <td class="numeric bundle-rate" data-after=move || format!(" {}", unit.get())>
                {said(|row| &row.rate)}
            </td>
            <td class="numeric bundle-against">{said(|row| &row.against)}</td>
            {counted(|row| &row.slots, "", " seq per micro-batch per rank")}
            {counted(|row| &row.users, "", " tok/s/user")}
            {counted(|row| &row.idle[0], "attention idle ", "")}
            {counted(|row| &row.idle[1], "FFN idle ", "")}
            {own.then(|| view! {
                {memory(0)}
                {memory(1)}
            })}
            <td class="numeric bundle-use">
                {move || if shown.get() {
                    view! { <span class="tone-muted">"shown"</span> }.into_any()
                } else {
                    view! {
                        <button
                            type="button"
                            class="act"
                            aria-label=move || format!("Apply {}", name())
                            on:click=shows
                        >
                            "Apply"
                        </button>
                    }
                    .into_any()
                }}
            </td>
        </tr>
    }
    .into_any()
}

/// Draws the attention, communication and FFN latencies with their slopes and intercepts and the meaning of both.
pub fn latencies(half: RatioHalf) -> AnyView {
    let rows = half.of(|view| view.latencies.clone());
    let parts = Memo::new(move |_| {
        rows.with(|rows| {
            let rows = rows.as_deref().unwrap_or_default();
            rows.iter()
                .map(|row| (row.role, row.name))
                .collect::<Vec<_>>()
        })
    });
    let latency = move |(index, (role, name))| {
        let row = Memo::new(move |_| rows.with(|rows| rows.as_ref()?.get(index).cloned()));
        latency(role, name, row)
    };
    view! {
        <dl class="latencies">
            {move || parts.get().into_iter().enumerate().map(latency).collect_view()}
        </dl>
    }
    .into_any()
}

fn latency(role: Role, name: &'static str, row: Memo<Option<LatencyRow>>) -> AnyView {
    let swatch = format!("var(--{}-fill)", role.name());
    let said = move |of: fn(&LatencyRow) -> &str| {
        move || {
            row.with(|row| {
                row.as_ref()
                    .map_or_else(String::new, |row| of(row).to_owned())
            })
        }
    };
    view! {
        <div>
            <dt>
                <span class="swatch" style:background=swatch></span>
                {name}
                <b>{said(|row| &row.time)}</b>
            </dt>
            <dd>
                {said(|row| &row.formula)}
                <span class="tone-muted">{said(|row| &row.meaning)}</span>
            </dd>
        </div>
    }
    .into_any()
}
