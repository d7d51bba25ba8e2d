//! Whole instances, latencies and memory beside the charts.

use super::Half;
use crate::answer::ratio::{LatencyRow, MemoryRow, TopologyRow};
use leptos::prelude::*;
use model_core::scenario::Number;

/// A section that stands among the charts.
fn section(id: &'static str, question: &'static str, finding: AnyView, body: AnyView) -> AnyView {
    view! {
        <section class="chart half-table" id=id aria-labelledby=format!("{id}-title")>
            <div class="chart-head">
                <h2 id=format!("{id}-title")>
                    <span class="chart-question">{question}</span>
                    " "
                    <span class="chart-finding">{finding}</span>
                </h2>
            </div>
            {body}
        </section>
    }
    .into_any()
}

/// "Which whole numbers?": xA–yF near the best ratio, with what each gives away.
pub fn topologies(half: Half) -> AnyView {
    let rows = half.of(|view| view.topologies.clone());
    let per_gpu = half.of(|view| view.ratio.per_gpu);
    let finding = move || {
        let rows = rows.get().unwrap_or_default();
        let least = rows.iter().find(|row| row.least);
        least.map(|row| match row.loss.as_str() {
            "none" => format!("{} loses nothing", row.name),
            loss => format!("{} loses least: {loss}", row.name),
        })
    };
    let body = view! {
        <div class="half-scroll" tabindex="0" role="region" aria-label="Whole numbers of instances">
            <table class="topologies">
                <thead>
                    <tr>
                        <th scope="col">"Bundle"</th>
                        <th scope="col" class="numeric">"Ratio"</th>
                        <th scope="col" class="numeric">"GPUs"</th>
                        <th scope="col" class="numeric">
                            {move || if per_gpu.get() == Some(true) { "tok/s/GPU" } else { "tok/s/instance" }}
                        </th>
                        <th scope="col" class="numeric">"Against r*"</th>
                        <th scope="col"><span class="hidden">"Ask"</span></th>
                    </tr>
                </thead>
                <tbody>
                    {move || rows.get().unwrap_or_default().into_iter().map(|row| topology(half, row)).collect_view()}
                </tbody>
            </table>
        </div>
    }
    .into_any();
    section(
        "topologies",
        "Which whole numbers?",
        finding.into_any(),
        body,
    )
}

fn topology(half: Half, row: TopologyRow) -> AnyView {
    let (ratio, ffn) = (row.ratio, row.ffn);
    let name = row.name.clone();
    view! {
        <tr class:least=row.least>
            <th scope="row">
                {row.name}
                <span class="tone-muted">{(!row.note.is_empty()).then(|| format!(" {}", row.note))}</span>
            </th>
            <td class="numeric">{crate::format::sig3(ratio)}</td>
            <td class="numeric">{row.gpus}</td>
            <td class="numeric">{row.rate}</td>
            <td class="numeric">{row.loss}</td>
            <td>
                <button
                    type="button"
                    class="act"
                    aria-label=format!("Ask about {name}")
                    on:click=move |_| half.app.edit(|inputs| {
                        inputs.state(Number::FfnInstances, Some(ffn));
                        inputs.state(Number::Ratio, Some(ratio));
                    })
                >
                    "Ask"
                </button>
            </td>
        </tr>
    }
    .into_any()
}

/// "What are the latencies?": slope and intercept of each part, with their meaning.
pub fn latencies(half: Half) -> AnyView {
    let rows = half.of(|view| view.latencies.clone());
    let are = half.of(|view| view.latencies_are);
    let body = view! {
        <dl class="latencies">
            {move || rows.get().unwrap_or_default().into_iter().map(latency).collect_view()}
        </dl>
    }
    .into_any();
    section(
        "latencies",
        "What does a step cost?",
        (move || are.get()).into_any(),
        body,
    )
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

/// "Do both halves fit?"
pub fn memory(half: Half) -> AnyView {
    let rows = half.of(|view| view.memory.clone());
    let finding = move || {
        let rows = rows.get()?;
        let short = rows.iter().find(|row| !row.fits);
        Some(short.map_or_else(
            || "Both have room".to_owned(),
            |row| format!("{} does not: {}", row.name, row.excess),
        ))
    };
    let body = view! {
        <div class="half-memory">
            {move || rows.get().map(|rows| rows.map(memory_row).collect_view())}
        </div>
    }
    .into_any();
    section("both-fit", "Do both halves fit?", finding.into_any(), body)
}

fn memory_row(row: MemoryRow) -> AnyView {
    let percent = |share: f64| format!("{:.1}%", (share * 100.0).clamp(0.0, 100.0));
    let weights = percent(row.weights_share.min(1.0));
    let rest = percent((row.share - row.weights_share).min(1.0 - row.weights_share.min(1.0)));
    view! {
        <div class="half-memory-row" class:over=!row.fits>
            <p>
                <b>{row.name}</b>
                <span class="half-memory-total">
                    {row.total}
                    {(!row.fits).then(|| format!(", {} the room", row.excess))}
                </span>
            </p>
            <div class="half-memory-bar" aria-hidden="true">
                <span class="weights" style:width=weights></span>
                <span class="cache" style:width=rest></span>
            </div>
            <p class="tone-muted">{row.parts}</p>
        </div>
    }
    .into_any()
}
