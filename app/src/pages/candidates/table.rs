//! The editable table of candidates: what is compared, and what each candidate costs.

use super::edit;
use crate::controls::price::price_field;
use crate::pages::shell::words::sentence;
use crate::state::App;
use crate::state::lasting::Lasting;
use answer::candidates::{CandidateLine, CandidatesAnswer};
use answer::words::format;
use leptos::html;
use leptos::prelude::*;
use model_core::candidates::{Candidate, Limit};
use model_core::hardware::catalog;
use model_core::inputs::{Gpu, Number};
use model_core::permalink::View;
use model_core::precision::NamedPrecision;
use std::sync::Arc;

type Answered = Lasting<Memo<Option<Arc<CandidatesAnswer>>>>;

/// Draws the table, with the cheapest candidate first.
pub fn table(app: App, answer: Answered) -> AnyView {
    let candidates = Memo::new(move |_| edit::current(app));
    // Candidates in the order of the answer; candidates that the answer lacks come last.
    let order = Memo::new(move |_| {
        let count = candidates.with(Vec::len);
        let ranked: Vec<usize> = answer.with(|answer| {
            let rows = answer.as_ref().map(|answer| answer.rows.iter());
            rows.into_iter().flatten().map(|row| row.place).collect()
        });
        let known = ranked.iter().copied().filter(|place| *place < count);
        let others = (0..count).filter(|place| !ranked.contains(place));
        known.chain(others).collect::<Vec<usize>>()
    });
    let basis = move || answer.with(|answer| answer.as_ref().map(|answer| answer.basis.clone()));
    // The Plans view shows the finding in its headline, and its costs cover decode alone.
    let serves = Memo::new(move |_| app.link.with(|link| link.shown.view == View::Service));
    let cost = move || {
        if serves.get() {
            "All-in $/M output"
        } else {
            "$/M output"
        }
    };
    let finding = move || {
        answer.with(|answer| {
            let answer = answer.as_ref().filter(|_| serves.get());
            answer.map(|answer| sentence(&answer.headline))
        })
    };
    view! {
        <p class="candidates-finding" role="status">{finding}</p>
        <div class="candidates-scroll">
            <table class="candidates-table">
                <caption>
                    <span class="chart-question">"Candidates, each at its best"</span>
                    " "
                    <span class="chart-finding">{basis}</span>
                </caption>
                <thead>
                    <tr>
                        <th scope="col">"Accelerator"</th>
                        <th scope="col">"Available"</th>
                        <th scope="col">"Precision"</th>
                        <th scope="col">"$/GPU-h"</th>
                        <th scope="col">"GPUs"</th>
                        <th scope="col">{cost}</th>
                        <th scope="col">"TTFT"</th>
                        <th scope="col">"TPOT"</th>
                        <th scope="col">"J/tok"</th>
                        <th scope="col"><span class="hidden">"Open or remove"</span></th>
                    </tr>
                </thead>
                <tbody>
                    <For each=move || order.get() key=|place| *place let:place>
                        {row(app, answer, candidates, place)}
                    </For>
                </tbody>
            </table>
        </div>
        {adder(app, candidates)}
    }
    .into_any()
}

/// Returns a function that reads one value from a candidate's table row; the function returns `None` if there is no
/// such row.
fn of_line<T: Send + Sync + 'static>(
    answer: Answered,
    place: usize,
    read: fn(&CandidateLine) -> T,
) -> impl Fn() -> Option<T> + Copy + Send + Sync + 'static {
    move || {
        answer.with(|answer| {
            let rows = &answer.as_ref()?.rows;
            rows.iter().find(|row| row.place == place).map(read)
        })
    }
}

fn row(app: App, answer: Answered, candidates: Memo<Vec<Candidate>>, place: usize) -> AnyView {
    let candidate = Memo::new(move |_| candidates.with(|all| all.get(place).copied()));
    let wrong = RwSignal::new(None::<String>);
    let number = move |read: fn(&CandidateLine) -> Option<f64>, words: fn(f64) -> String| {
        let value = of_line(answer, place, read);
        move || {
            value()
                .flatten()
                .map_or_else(|| format::NONE.to_owned(), words)
        }
    };
    let misses = of_line(answer, place, |row| row.misses);
    let detail = of_line(answer, place, |row| row.detail.clone());
    let name = of_line(answer, place, |row| row.name.clone());
    let price = move || {
        candidate.get().and_then(|one| {
            app.link
                .with(|link| one.inputs(&link.current).get(Number::Price))
        })
    };
    let gpu = Memo::new(move |_| candidate.get().map(|one| one.gpu));
    let opened = move |_| {
        let inputs = of_line(answer, place, |row| row.inputs)();
        if let Some(inputs) = inputs {
            app.change(|link| link.current = inputs.normalized());
        }
    };
    view! {
        <tr class:misses=move || misses() == Some(true)>
            <th scope="row">
                {accelerator(app, place, gpu)}
                <span class="candidate-detail">{move || detail().unwrap_or_default()}</span>
                {move || wrong.get().map(|reason| view! {
                    <span class="tone-bad candidate-detail" role="alert">{reason}</span>
                })}
            </th>
            <td>{available(app, place, candidate, wrong)}</td>
            <td>{precision(app, place, candidate)}</td>
            <td>{move || gpu.get().map(|gpu| price_field(app, gpu, price, wrong))}</td>
            <td>{number(|row| row.gpus, format::count)}</td>
            <td class="best-value">{number(|row| row.dollars, format::dollars)}</td>
            <td>{number(|row| row.first_token_s, |seconds| format::duration(seconds).to_string())}</td>
            <td>{number(|row| row.tpot_s, |seconds| format::millis(seconds).to_string())}</td>
            <td>{number(|row| row.joules, format::sig3)}</td>
            <td class="candidate-acts">
                <button
                    type="button"
                    class="quiet"
                    aria-label=move || format!("Use {} in the scenario", name().unwrap_or_default())
                    on:click=opened
                >
                    "Use"
                </button>
                <button
                    type="button"
                    class="quiet"
                    aria-label=move || format!("Remove {}", name().unwrap_or_default())
                    disabled=move || candidates.with(|all| all.len() < 2)
                    on:click=move |_| edit::remove(app, place)
                >
                    "Remove"
                </button>
            </td>
        </tr>
    }
    .into_any()
}

fn options(chosen: impl Fn() -> Option<&'static str> + Copy + Send + Sync + 'static) -> AnyView {
    let entries = catalog::CATALOG.iter().map(move |entry| {
        let id = entry.id;
        view! { <option value=id selected=move || chosen() == Some(id)>{entry.name}</option> }
    });
    entries.collect_view().into_any()
}

fn accelerator(app: App, place: usize, gpu: Memo<Option<Gpu>>) -> AnyView {
    let chosen = move || gpu.get().map(|gpu| gpu.id());
    let custom = move || {
        let custom = gpu.get() == Some(Gpu::Custom);
        custom.then(|| view! { <option value="custom" selected=true>{Gpu::Custom.name()}</option> })
    };
    view! {
        <select
            class="select"
            aria-label="Accelerator"
            prop:value=move || chosen().unwrap_or_default()
            on:change=move |event| edit::set_accelerator(app, place, &event_target_value(&event))
        >
            {custom}
            {options(chosen)}
        </select>
    }
    .into_any()
}

fn available(
    app: App,
    place: usize,
    candidate: Memo<Option<Candidate>>,
    wrong: RwSignal<Option<String>>,
) -> AnyView {
    let text = move || match candidate.get().and_then(|one| one.limit) {
        Some(Limit::Gpus(gpus)) => gpus.to_string(),
        Some(Limit::Budget(dollars)) => format!("${}", format::printed(dollars)),
        None => String::new(),
    };
    let node = NodeRef::<html::Input>::new();
    let commit = move || {
        if let Some(input) = node.get_untracked() {
            let read = edit::set_available(app, place, &input.value());
            wrong.set(read.err().map(|reason| format!("Available {reason}.")));
        }
    };
    view! {
        <label class="field">
            <input
                node_ref=node
                type="text"
                autocomplete="off"
                spellcheck="false"
                placeholder="any"
                aria-label="Available: GPUs, or a budget in $/h"
                title="GPU count (such as 64) or budget per hour (such as $200)"
                prop:value=text
                on:change=move |_| commit()
            />
        </label>
    }
    .into_any()
}

fn precision(app: App, place: usize, candidate: Memo<Option<Candidate>>) -> AnyView {
    let chosen = move || {
        let precision = candidate.get().and_then(|one| one.precision);
        precision.map_or("", NamedPrecision::id)
    };
    let named = move || {
        let version = app.current.with(|inputs| inputs.version);
        let all = version.precisions().map(move |precision| {
            let id = precision.id();
            view! { <option value=id selected=move || chosen() == id>{id}</option> }
        });
        all.collect_view()
    };
    view! {
        <select
            class="select"
            aria-label="Precision"
            prop:value=chosen
            on:change=move |event| {
                let id = event_target_value(&event);
                let precision = NamedPrecision::ALL.into_iter().find(|one| one.id() == id);
                edit::set_precision(app, place, precision);
            }
        >
            <option value="" selected=move || chosen().is_empty()>"scenario"</option>
            {named}
        </select>
    }
    .into_any()
}

/// Draws a drop-down list that adds an accelerator, shown while fewer than the maximum number of candidates are
/// listed.
fn adder(app: App, candidates: Memo<Vec<Candidate>>) -> AnyView {
    let full = Memo::new(move |_| candidates.with(|all| all.len() >= Candidate::MOST));
    let select = move || {
        view! {
            <select
                class="select candidates-add"
                aria-label="Add a candidate"
                on:change=move |event| edit::add(app, &event_target_value(&event))
            >
                <option value="" selected=true>"Add a candidate…"</option>
                {options(|| None)}
            </select>
        }
    };
    view! { <p>{move || (!full.get()).then(select)}</p> }.into_any()
}
