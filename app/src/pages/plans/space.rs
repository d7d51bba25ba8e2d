//! What is searched: families, numbers of GPUs, accelerators, precisions, batches.

use super::Plans;
use crate::answer::plans::style;
use crate::answer::sharding;
use crate::charts::plans::LineStyle;
use crate::controls::words::shown;
use crate::pages::shell::icons;
use crate::pages::shell::popover::Popover;
use crate::state::App;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use model_core::hardware::catalog;
use model_core::permalink::search::{SearchKey, in_order};
use model_core::precision::NamedPrecision;
use model_core::scenario::{Gpu, Number};
use model_core::search::Search;
use model_core::sweep::Family;

/// The controls above the chart.
pub fn space(app: App, _plans: Plans) -> AnyView {
    view! {
        <div class="plans-space" role="group" aria-label="What is searched">
            {families(app)}
            {accelerators(app)}
            {precisions(app)}
            {list_field(app, SearchKey::Gpus, "GPU counts", "numbers of GPUs, separated by commas; empty for the usual ones", |search, app| {
                let gpus = app.current.with(|inputs| search.gpus(inputs));
                gpus.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
            })}
            {list_field(app, SearchKey::Batch, "Batches up to", "sequences in all; empty for the usual 262,144", |search, _| {
                shown(Number::Batch, search.most_batch)
            })}
            {steps(app)}
        </div>
    }
    .into_any()
}

/// Changes the search, as one entry of the history.
fn change(app: App, edit: impl FnOnce(&mut Search)) {
    app.change(|link| {
        edit(&mut link.search);
        link.search = link.search.clone().normalized(&link.current);
    });
}

/// A box that is ticked or not.
fn tick(
    chosen: impl Fn() -> bool + Copy + Send + Sync + 'static,
    label: AnyView,
    help: &'static str,
    turn: impl Fn(bool) + Copy + 'static,
) -> AnyView {
    view! {
        <label class="choice" class:chosen=chosen title=help>
            <input type="checkbox" prop:checked=chosen on:change=move |event| turn(event_target_checked(&event))/>
            {label}
        </label>
    }
    .into_any()
}

/// `list` with or without `one`.
fn turned<T: Copy + PartialEq>(list: &[T], one: T, on: bool) -> Vec<T> {
    let mut list: Vec<T> = list.iter().copied().filter(|other| *other != one).collect();
    if on {
        list.push(one);
    }
    list
}

fn families(app: App) -> AnyView {
    let boxes = Family::ALL.map(|family| {
        let chosen = move || app.link.with(|link| link.search.families.contains(&family));
        let label = view! {
            {line_sample(family)}
            {sharding::family(family)}
        };
        tick(
            chosen,
            label.into_any(),
            sharding::explained(family),
            move |on| {
                change(app, |search| {
                    let list = turned(&search.families, family, on);
                    let kept = |family: &Family| list.contains(family);
                    search.families = Family::ALL.into_iter().filter(kept).collect();
                });
            },
        )
    });
    view! {
        <fieldset class="choices plans-families">
            <legend class="row-name">"Families"</legend>
            <div class="choices-list">{boxes.collect_view()}</div>
        </fieldset>
    }
    .into_any()
}

/// A family's line as the chart draws it.
fn line_sample(family: Family) -> AnyView {
    let style = style(family);
    let (width, dashes) = match style.line {
        LineStyle::Bold => ("2.6", ""),
        LineStyle::Solid => ("1.6", ""),
        LineStyle::Dashed => ("1.6", "6 3"),
        LineStyle::Dotted => ("1.8", "2 3"),
    };
    view! {
        <svg class="line-sample" viewBox="0 0 22 8" width="22" height="8" aria-hidden="true">
            <path
                d="M0 4h22"
                style=format!("stroke: var(--{})", style.series.name())
                stroke-width=width
                stroke-dasharray=dashes
            ></path>
        </svg>
    }
    .into_any()
}

fn precisions(app: App) -> AnyView {
    let boxes = NamedPrecision::ALL.map(|precision| {
        let chosen = move || {
            let precisions = app.link.with(|link| link.search.precisions(&link.current));
            precisions.contains(&precision)
        };
        tick(
            chosen,
            precision.id().into_any(),
            "Bytes and arithmetic by name",
            move |on| {
                app.change(|link| {
                    let list = turned(&link.search.precisions(&link.current), precision, on);
                    // The last one stays: a search needs one.
                    if !list.is_empty() {
                        let kept = |precision: &NamedPrecision| list.contains(precision);
                        link.search.precisions =
                            NamedPrecision::ALL.into_iter().filter(kept).collect();
                        link.search = link.search.clone().normalized(&link.current);
                    }
                });
            },
        )
    });
    view! {
        <fieldset class="choices">
            <legend class="row-name">"Precisions"</legend>
            <div class="choices-list">{boxes.collect_view()}</div>
        </fieldset>
    }
    .into_any()
}

fn accelerators(app: App) -> AnyView {
    let popover = Popover::new();
    let chosen = Memo::new(move |_| {
        app.link
            .with(|link| in_order(&link.search.accelerators(&link.current)))
    });
    let names = move || {
        let names: Vec<&str> = chosen.with(|gpus| gpus.iter().map(Gpu::name).collect());
        names.join(", ")
    };
    let list = move || {
        let own = app.current.with(|inputs| inputs.gpu);
        let custom = (own == Gpu::Custom).then_some(Gpu::Custom);
        let all = catalog::CATALOG.iter().map(Gpu::Catalog).chain(custom);
        all.map(|gpu| {
            let is = move || chosen.with(|chosen| chosen.contains(&gpu));
            tick(
                is,
                gpu.name().into_any(),
                "Searched with its own links and price",
                move |on| {
                    app.change(|link| {
                        let list = turned(&link.search.accelerators(&link.current), gpu, on);
                        if !list.is_empty() {
                            link.search.accelerators = in_order(&list);
                            link.search = link.search.clone().normalized(&link.current);
                        }
                    });
                },
            )
        })
        .collect_view()
    };
    view! {
        <div class="plans-accelerators">
            <span class="row-name">"Accelerators"</span>
            <div class="popover" node_ref=popover.node>
                <button
                    type="button"
                    class="quiet"
                    aria-label=move || format!("Accelerators: {}", names())
                    aria-haspopup="dialog"
                    aria-expanded=move || popover.is_open().to_string()
                    on:click=move |_| popover.toggle()
                >
                    {names}
                    {icons::chevron_down()}
                </button>
                <div class="menu plans-menu" role="dialog" aria-label="Accelerators that are searched" hidden=move || !popover.is_open()>
                    {list}
                </div>
            </div>
        </div>
    }
    .into_any()
}

fn steps(app: App) -> AnyView {
    let buttons = Search::ALL_STEPS.map(|steps| {
        let chosen = move || app.link.with(|link| link.search.steps == steps);
        let label = match steps {
            1 => "powers of two",
            2 => "and halves",
            _ => "and quarters",
        };
        view! {
            <label class="choice" class:chosen=chosen>
                <input
                    type="radio"
                    name="batch_steps"
                    prop:checked=chosen
                    on:change=move |_| change(app, |search| search.steps = steps)
                />
                {label}
            </label>
        }
    });
    view! {
        <fieldset class="choices">
            <legend class="row-name">"Batch steps"</legend>
            <div class="choices-list">{buttons.collect_view()}</div>
        </fieldset>
    }
    .into_any()
}

/// A field for what a link says under a key; what cannot be read is said below it.
fn list_field(
    app: App,
    key: SearchKey,
    name: &'static str,
    help: &'static str,
    show: fn(&Search, App) -> String,
) -> AnyView {
    let text = Memo::new(move |_| show(&app.link.with(|link| link.search.clone()), app));
    let wrong = RwSignal::new(None::<String>);
    let node = NodeRef::<html::Input>::new();
    let restore = move || {
        if let Some((input, text)) =
            (|| Some((node.try_get_untracked()??, text.try_get_untracked()?)))()
        {
            input.set_value(&text);
            wrong.set(None);
        }
    };
    let commit = move || {
        let Some((input, before)) =
            (|| Some((node.try_get_untracked()??, text.try_get_untracked()?)))()
        else {
            return;
        };
        // Spaces and semicolons part numbers as well as commas do.
        let typed = input.value().replace(';', ",");
        let typed = typed.split_whitespace().collect::<Vec<_>>().join(",");
        let typed = typed.as_str();
        if input.value().trim() == before {
            restore();
            return;
        }
        let mut search = app.link.with_untracked(|link| link.search.clone());
        if typed.is_empty() {
            let default = Search::default();
            match key {
                SearchKey::Batch => search.most_batch = default.most_batch,
                _ => search.gpus = None,
            }
        } else if let Some(fault) = key.read(&mut search, typed).first() {
            let fault = fault.split("; the ").next().unwrap_or(fault);
            wrong.set(Some(format!("{name}: {fault}.")));
            return;
        }
        change(app, move |now| *now = search);
        restore();
    };
    Effect::new(move |_| {
        text.track();
        restore();
    });
    let id = format!("plans-{}", key.key());
    let help_id = format!("{id}-help");
    view! {
        <div class="plans-field" data-row=key.key()>
            <label class="row-name" for=id.clone()>{name}</label>
            <span class="field" class:wrong=move || wrong.get().is_some()>
                <input
                    id=id
                    node_ref=node
                    type="text"
                    inputmode="numeric"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby=help_id.clone()
                    on:blur=move |_| commit()
                    on:keydown=move |event: ev::KeyboardEvent| match event.key().as_str() {
                        "Enter" => commit(),
                        "Escape" => {
                            event.stop_propagation();
                            restore();
                        }
                        _ => {}
                    }
                />
            </span>
            <span class="hidden" id=help_id>{help}</span>
            {move || wrong.get().map(|reason| view! { <p class="row-wrong" role="alert">{reason}</p> })}
        </div>
    }
    .into_any()
}
