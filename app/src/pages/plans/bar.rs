//! The filter bar of the plan search: SLO, GPU counts, accelerators, precisions, parallelism strategies and batches.

use crate::controls::choice::radio;
use crate::controls::field::field;
use crate::controls::slider::slider;
use crate::icons;
use crate::pages::shell::popover::Popover;
use crate::state::App;
use crate::state::own_prices::recall_price;
use answer::controls::shown::shown;
use answer::controls::table::scale_of;
use answer::plans::is_whole;
use answer::sharding;
use answer::words::format;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use model_core::hardware::catalog;
use model_core::inputs::{Gpu, Number};
use model_core::permalink::search::{SearchKey, in_order};
use model_core::precision::NamedPrecision;
use model_core::search::Search;
use model_core::sweep::Strategy;

/// Returns true if only plans with the user's GPU count are shown.
fn shows_own(app: App) -> bool {
    app.link.with(|link| link.search.shows_own(&link.current))
}

/// Shows plans with any of the usual GPU counts.
fn any_number(app: App) {
    change(app, |search| (search.gpus, search.any_gpus) = (None, true));
}

/// Changes the plan search as one undo step.
fn change(app: App, edit: impl FnOnce(&mut Search)) {
    app.change(|link| {
        edit(&mut link.search);
        link.search = link.search.clone().normalized(&link.current);
    });
}

/// Draws the filter bar.
pub fn bar(app: App) -> AnyView {
    let wrong = RwSignal::new(None::<String>);
    let scale = Memo::new(move |_| app.current.with(|inputs| scale_of(Number::Slo, inputs)));
    let searched = Memo::new(move |_| {
        app.link.with(|link| {
            let stated = |key: SearchKey| key.stated(&link.search, &link.current).is_some();
            SearchKey::ALL.into_iter().any(stated)
        })
    });
    view! {
        <div class="plans-bar" role="group" aria-label="Search space">
            <div class="bar-slo" data-row="plans-slo" on:focusin=move |_| app.helped.set(Number::Slo)>
                <label for="plans-slo"><span class="bar-long">"SLO "</span>"at least"</label>
                {field(app, Number::Slo, "plans-slo".to_owned(), "plans-slo-help".to_owned(), wrong)}
                {slider(app, Number::Slo, scale, "plans-slo-help".to_owned())}
                <span class="hidden" id="plans-slo-help">
                    "Minimum tok/s/user; slower plans are excluded."
                </span>
            </div>
            {counts(app)}
            {menu("bar-gpus", "Accelerators", move || summary_of_accelerators(app), accelerators(app))}
            {menu("bar-precision", "Precisions", move || summary_of_precisions(app), precisions(app))}
            {menu("bar-families", "Parallelism strategies", move || summary_of_strategies(app), strategies(app))}
            {menu("bar-batch", "Batches", move || summary_of_batches(app), batches(app))}
            {menu("bar-more", "More search settings", || "more".to_owned(), view! {
                <div class="more-gpus"><h3>"Accelerators"</h3>{accelerators(app)}</div>
                <div class="more-precision"><h3>"Precisions"</h3>{precisions(app)}</div>
                <div class="more-families"><h3>"Parallelism strategies"</h3>{strategies(app)}</div>
                <div class="more-batch"><h3>"Batches"</h3>{batches_again(app)}</div>
            }.into_any())}
            <button
                type="button"
                class="quiet bar-reset"
                disabled=move || !searched.get()
                on:click=move |_| app.change(|link| link.search = Search::default())
            >
                "reset"
            </button>
        </div>
        {move || wrong.get().map(|reason| view! { <p class="row-wrong" role="alert">{reason}</p> })}
    }
    .into_any()
}

/// Draws the choice of GPU counts: "on my 32 GPUs", "any count", or the counts stated in the permalink.
fn counts(app: App) -> AnyView {
    let own = move || {
        app.current
            .with(|inputs| inputs.get(Number::Gpus).unwrap_or(1.0))
    };
    let stated = Memo::new(move |_| {
        app.link.with(|link| {
            let own = link.search.shows_own(&link.current);
            link.search.gpus.clone().filter(|_| !own)
        })
    });
    let any = move || stated.with(Option::is_none) && !shows_own(app);
    view! {
        <div class="bar-counts" role="group" aria-label="GPU counts">
            <button
                type="button"
                class="choice"
                class:chosen=move || shows_own(app)
                aria-pressed=move || shows_own(app).to_string()
                on:click=move |_| change(app, |search| (search.gpus, search.any_gpus) = (None, false))
            >
                <span class="bar-on">"on\u{a0}"</span>
                {move || format!("my {}", answer::words::names::gpus(own()))}
            </button>
            <button
                type="button"
                class="choice"
                class:chosen=any
                aria-pressed=move || any().to_string()
                on:click=move |_| any_number(app)
            >
                "any count"
            </button>
            {move || stated.get().map(|stated| view! {
                <span class="choice chosen bar-stated" title=list(&stated)>
                    {match stated.as_slice() {
                        [one] => format::count(f64::from(*one)),
                        several => format!("{} counts", several.len()),
                    }}
                </span>
            })}
        </div>
    }
    .into_any()
}

fn list(numbers: &[u32]) -> String {
    numbers
        .iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

fn menu(
    class: &'static str,
    name: &'static str,
    summary: impl Fn() -> String + Copy + Send + Sync + 'static,
    content: AnyView,
) -> AnyView {
    let popover = Popover::new();
    view! {
        <div class=format!("popover bar-menu {class}") node_ref=popover.node>
            <button
                type="button"
                class="bar-button"
                aria-label=move || format!("{name}: {}", summary())
                aria-haspopup="dialog"
                aria-expanded=move || popover.is_open().to_string()
                on:click=move |_| popover.toggle()
            >
                {summary}
                {icons::chevron_down()}
            </button>
            <div class="menu plans-menu" role="dialog" aria-label=name hidden=move || !popover.is_open()>
                {content}
            </div>
        </div>
    }
    .into_any()
}

fn summary_of_accelerators(app: App) -> String {
    app.link.with(|link| {
        let gpus = link.search.accelerators(&link.current);
        match gpus.as_slice() {
            [one] => answer::words::names::short_name(one.name()).to_owned(),
            several => format!("{} accelerators", several.len()),
        }
    })
}

fn summary_of_precisions(app: App) -> String {
    app.link.with(|link| {
        let precisions = link.search.precisions(&link.current);
        match precisions.as_slice() {
            [one] => one.id().to_owned(),
            several => format!("{} precisions", several.len()),
        }
    })
}

fn summary_of_strategies(app: App) -> String {
    app.link
        .with(|link| match link.search.strategies.as_slice() {
            [] => "no strategy".to_owned(),
            [one] => sharding::strategy(*one).to_owned(),
            several => format!("{} strategies", several.len()),
        })
}

fn summary_of_batches(app: App) -> String {
    app.link.with(|link| match link.search.most_batch {
        // The default limit ends the frontiers, but does not restrict the best plan.
        usual if usual == Search::MOST_BATCH && is_whole(&link.search) => "any batch".to_owned(),
        few if few < 1e4 => format!("batch ≤ {}", format::count(few)),
        many => format!("batch ≤ {}", format::si(many)),
    })
}

/// Draws a checkbox.
fn tick(
    chosen: impl Fn() -> bool + Copy + Send + Sync + 'static,
    label: &'static str,
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

/// Returns `list` with `one` added if `on` is true, and with `one` removed otherwise.
fn turned<T: Copy + PartialEq>(list: &[T], one: T, on: bool) -> Vec<T> {
    let mut list: Vec<T> = list.iter().copied().filter(|other| *other != one).collect();
    if on {
        list.push(one);
    }
    list
}

fn strategies(app: App) -> AnyView {
    let boxes = Strategy::ALL.map(|strategy| {
        let chosen = move || {
            app.link
                .with(|link| link.search.strategies.contains(&strategy))
        };
        let (name, help) = (sharding::strategy(strategy), sharding::explained(strategy));
        tick(chosen, name, help, move |on| {
            change(app, |search| {
                let list = turned(&search.strategies, strategy, on);
                let kept = |strategy: &Strategy| list.contains(strategy);
                search.strategies = Strategy::ALL.into_iter().filter(kept).collect();
            });
        })
    });
    let two_batch = tick(
        move || app.link.with(|link| link.search.two_batch),
        "also with two-batch overlap",
        "Search every plan with and without two-batch overlap",
        move |on| change(app, |search| search.two_batch = on),
    );
    view! { <div class="menu-list">{boxes.collect_view()}{two_batch}</div> }.into_any()
}

fn precisions(app: App) -> AnyView {
    let version = app.link.with_untracked(|link| link.current.version);
    let boxes = version.precisions().map(|precision| {
        let chosen = move || {
            let precisions = app.link.with(|link| link.search.precisions(&link.current));
            precisions.contains(&precision)
        };
        tick(
            chosen,
            precision.id(),
            "Storage and compute formats, by name",
            move |on| {
                app.change(|link| {
                    let list = turned(&link.search.precisions(&link.current), precision, on);
                    // The last precision cannot be turned off, because a search needs at least one.
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
    let boxes: Vec<_> = boxes.collect();
    view! { <div class="menu-list">{boxes.collect_view()}</div> }.into_any()
}

fn accelerators(app: App) -> AnyView {
    let chosen = Memo::new(move |_| {
        app.link
            .with(|link| in_order(&link.search.accelerators(&link.current)))
    });
    let own = Memo::new(move |_| app.current.with(|inputs| inputs.gpu));
    let list = move || {
        let custom = (own.get() == Gpu::Custom).then_some(Gpu::Custom);
        let all = catalog::CATALOG.iter().map(Gpu::Catalog).chain(custom);
        all.map(|gpu| {
            let is = move || chosen.with(|chosen| chosen.contains(&gpu));
            tick(
                is,
                gpu.name(),
                "Uses this accelerator’s interconnect and price",
                move |on| {
                    app.change(|link| {
                        let list = turned(&link.search.accelerators(&link.current), gpu, on);
                        if !list.is_empty() {
                            link.search.accelerators = in_order(&list);
                            link.search = link.search.clone().normalized(&link.current);
                            if on {
                                recall_price(link, gpu);
                            }
                        }
                    });
                },
            )
        })
        .collect_view()
    };
    view! { <div class="menu-list menu-columns">{list}</div> }.into_any()
}

fn batches(app: App) -> AnyView {
    batch_rows(app, "")
}

fn batches_again(app: App) -> AnyView {
    batch_rows(app, "more-")
}

fn batch_rows(app: App, prefix: &'static str) -> AnyView {
    let steps = Search::ALL_STEPS.map(|steps| {
        let chosen = move || app.link.with(|link| link.search.steps == steps);
        let label = match steps {
            1 => "powers of two",
            2 => "+ half steps",
            _ => "+ quarter steps",
        };
        let choose = move || change(app, |search| search.steps = steps);
        radio(format!("{prefix}batch_steps"), "", chosen, choose, label)
    });
    view! {
        {list_field(app, SearchKey::Batch, prefix, "Batches up to", "total sequences; empty: frontiers up to 262,144, best plan unlimited", |search, _| {
            shown(Number::Batch, search.most_batch)
        })}
        <fieldset class="choices">
            <legend class="row-name">"Steps"</legend>
            <div class="choices-list">{steps.collect_view()}</div>
        </fieldset>
        {list_field(app, SearchKey::Gpus, prefix, "GPU counts", "comma-separated; empty: defaults", |search, app| {
            let gpus = app.current.with(|inputs| search.gpus(inputs));
            list(&gpus)
        })}
    }
    .into_any()
}

/// Draws a text field for one setting of the plan search, identified by its permalink key: the largest batch or the
/// GPU counts. Parse errors are shown below.
fn list_field(
    app: App,
    key: SearchKey,
    prefix: &'static str,
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
        // Numbers may be separated by spaces, commas or semicolons.
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
                _ => (search.gpus, search.any_gpus) = (None, true),
            }
        } else if let Some(fault) = key.read(&mut search, typed).first() {
            wrong.set(Some(format!("{name}: {}.", fault.what)));
            return;
        }
        change(app, move |now| *now = search);
        restore();
    };
    Effect::new(move |_| {
        text.track();
        restore();
    });
    let id = format!("{prefix}plans-{}", key.id());
    let help_id = format!("{id}-help");
    view! {
        <div class="plans-field" data-row=key.id()>
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
