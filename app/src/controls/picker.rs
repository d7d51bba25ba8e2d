//! Pickers for models and accelerators from the catalogs, with their key numbers, sources and caveats.

use super::own_model::own_model;
use crate::part::Part;
use crate::state::App;
use crate::state::own_prices::recall_price;
use answer::controls::rows::{accelerator_line, model_line, published_line};
use answer::lamina::compute_gpu;
use answer::page::presets;
use answer::words::format;
use answer::words::names;
use leptos::html;
use leptos::prelude::*;
use model_core::arch;
use model_core::hardware;
use model_core::inputs::{Gpu, Inputs, Model, Number};
use model_core::label::Label;
use model_core::lamina::SplitSide;
use model_core::specs::{Specs, specs};

struct PickerRow {
    id: &'static str,
    /// Heading of the picker section that this entry belongs to; empty if there is none.
    family: &'static str,
    name: String,
    /// `announced` for an accelerator that is not shipping yet; otherwise empty.
    status: &'static str,
    line: String,
    choose: fn(&mut Inputs, &'static str),
}

/// Draws a bar of the model's layers by token-mixer type (full attention, sliding window, linear…), with a text
/// equivalent. Draws nothing if all layers have full attention.
pub fn layer_strip(app: App) -> AnyView {
    let kinds = Memo::new(move |_| {
        app.current.with(|inputs| {
            let arch = inputs.model.arch();
            (!arch.attends_to_all()).then(|| (names::mixers(arch), names::layers(arch)))
        })
    });
    let shade = |at: usize| format!("{}", 1.0 / (1.0 + at as f64));
    view! {
        {move || kinds.get().map(|(kinds, words)| {
            let stretch = |(at, (name, count)): (usize, &(String, u32))| view! {
                <span title=format!("{count} × {name}") style:flex=count.to_string() style:opacity=shade(at)></span>
            };
            let word = |(at, (name, count)): (usize, &(String, u32))| view! {
                <span><i style:opacity=shade(at)></i>{format!("{count} × {name}")}</span>
            };
            view! {
                <div class="layer-strip" role="img" aria-label=format!("Layers: {words}")>
                    <div>{kinds.iter().enumerate().map(stretch).collect_view()}</div>
                    <p>{kinds.iter().enumerate().map(word).collect_view()}</p>
                </div>
            }
        })}
    }
    .into_any()
}

const PICKERS: Part = Part {
    name: "The catalog",
    styles: &[],
    load: Some(|| Box::pin(load_picker())),
};

#[derive(Clone, Copy)]
enum Catalogue {
    Models,
    Accelerators,
}

part!(beside, picker_part, load_picker, picker(app: App, of: Catalogue) -> AnyView);

fn picker(app: App, of: Catalogue) -> AnyView {
    match of {
        Catalogue::Models => models(app),
        Catalogue::Accelerators => accelerators(app),
    }
}

/// Draws the list of models.
pub fn model_picker(app: App) -> AnyView {
    PICKERS.shown(true, move || picker_part(app, Catalogue::Models))
}

/// Draws the list of accelerators.
pub fn accelerator_picker(app: App) -> AnyView {
    PICKERS.shown(true, move || picker_part(app, Catalogue::Accelerators))
}

fn models(app: App) -> AnyView {
    let rows: Vec<PickerRow> = arch::catalog::CATALOG
        .iter()
        .map(|entry| PickerRow {
            id: entry.id,
            family: entry.family,
            name: entry.name.to_owned(),
            status: "",
            line: model_line(&entry.arch),
            choose: |inputs, id| {
                if let Some(entry) = arch::catalog::find(id) {
                    inputs.choose_model(entry);
                }
            },
        })
        .collect();
    let id_of = |inputs: &Inputs| match inputs.model {
        Model::Catalog(entry) => entry.id,
        Model::Custom(_) => "custom",
    };
    let about = move || {
        app.current.with(|inputs| match &inputs.model {
            Model::Catalog(entry) => {
                let mut sources = vec![("Shape", entry.source.title, entry.source.locator)];
                if let Some(published) = entry.published {
                    sources.push(("Parameter count", published.source, ""));
                }
                let line = format!(
                    "{}; released in {}",
                    published_line(entry),
                    entry.released.name()
                );
                about(entry.name, &line, &sources, entry.caveat)
            }
            Model::Custom(arch) => about(
                inputs.model_name(),
                &model_line(arch),
                &[("Shape", "this permalink", "arch")],
                None,
            ),
        })
    };
    view! { <div class="picker">{list(app, "Model", rows, id_of)} {about} {own_model(app)}</div> }
        .into_any()
}

fn accelerators(app: App) -> AnyView {
    let mut rows: Vec<PickerRow> = hardware::catalog::CATALOG
        .iter()
        .map(|entry| PickerRow {
            id: entry.id,
            family: "",
            name: entry.name.to_owned(),
            status: status(entry),
            line: accelerator_line(&entry.accelerator),
            choose: |inputs, id| {
                if let Some(entry) = hardware::catalog::find(id) {
                    inputs.choose_gpu(entry);
                }
            },
        })
        .collect();
    rows.push(PickerRow {
        id: "custom",
        family: "",
        name: "Custom".to_owned(),
        status: "",
        line: "paste or enter its specs below".to_owned(),
        choose: |inputs, _| inputs.customize_gpu(),
    });
    let id_of = |inputs: &Inputs| match inputs.gpu {
        Gpu::Catalog(entry) => entry.id,
        Gpu::Custom => "custom",
    };
    // Declared here so that it outlives the fields, which are rebuilt at every change.
    let unread = RwSignal::new(String::new());
    let about = move || {
        app.current.with(|inputs| match inputs.gpu {
            Gpu::Catalog(entry) => {
                let mut sources = vec![("Specs", entry.source.title, entry.source.locator)];
                if let Some(price) = entry.price_source {
                    sources.push(("Price", price.title, price.locator));
                }
                let mut line = accelerator_line(&entry.accelerator);
                line.push_str(match entry.status {
                    hardware::catalog::Status::Announced => "; announced, not yet shipping",
                    hardware::catalog::Status::Shipping => "; shipping",
                });
                if let Some(owned) = entry.dollars_owned {
                    line.push_str(&format!(
                        "; rental price; ${}/h if owned at scale",
                        format::printed(owned)
                    ));
                }
                about(entry.name, &line, &sources, entry.caveat)
            }
            Gpu::Custom => custom_gpu(app, unread),
        })
    };
    view! { <div class="picker">{list(app, "Accelerator", rows, id_of)} {about}</div> }.into_any()
}

/// Draws two fields for a custom accelerator: its name, and its specs as one line of text. `unread` receives assumed
/// values and the parts of the line that could not be read.
fn custom_gpu(app: App, unread: RwSignal<String>) -> AnyView {
    let name = app
        .current
        .with_untracked(|inputs| inputs.gpu_label.map(|label| label.as_str().to_owned()));
    let read = move |text: String| {
        let Specs {
            numbers,
            unread: rest,
            assumed_bf16,
        } = specs(&text);
        let assumed = assumed_bf16.map(|_| "BF16 peak taken as half of FP8.".to_owned());
        let rest = (!rest.is_empty()).then(|| format!("Not read: {}.", rest.join(", ")));
        let said: Vec<String> = assumed.into_iter().chain(rest).collect();
        unread.set(said.join(" "));
        app.edit(|inputs| {
            // A custom accelerator inherits the BF16 peak of another one, which would not match a new FP8 peak.
            let assumed = assumed_bf16.map(|peak| (Number::PeakBf16, peak));
            for (number, value) in numbers.into_iter().chain(assumed) {
                inputs.state(number, Some(value));
            }
        });
    };
    view! {
        <label class="origin">
            "Specs "
            <input
                type="text"
                class="preset-search"
                placeholder="1.5 PFLOPS FP8, 192 GB at 6 TB/s, 16 × 400 GB/s, 50 GB/s out"
                on:change=move |event| read(event_target_value(&event))
            />
        </label>
        <p class="tone-muted" aria-live="polite" hidden=move || unread.with(String::is_empty)>{unread}</p>
        <label class="origin">
            "Name "
            <input
                type="text"
                class="preset-search"
                maxlength="32"
                placeholder="Custom accelerator"
                prop:value=name.unwrap_or_default()
                on:change=move |event| {
                    let label = Label::of(&event_target_value(&event));
                    app.edit(|inputs| inputs.gpu_label = label);
                }
            />
        </label>
    }
    .into_any()
}

fn status(entry: &hardware::catalog::Entry) -> &'static str {
    match entry.status {
        hardware::catalog::Status::Announced => "announced",
        hardware::catalog::Status::Shipping => "",
    }
}

/// Draws a native drop-down list for the accelerator of one side of a Lamina deployment.
pub fn side_select(app: App, side: SplitSide) -> AnyView {
    match side {
        SplitSide::Compute => select(
            app,
            ("Compute accelerator", true),
            compute_gpu,
            |inputs| inputs.compute_gpu,
            |inputs, entry| inputs.compute_gpu = entry,
        ),
        SplitSide::Memory => select(
            app,
            ("Memory accelerator", false),
            |inputs| Gpu::Catalog(inputs.memory_gpu),
            |inputs| Some(inputs.memory_gpu),
            |inputs, entry| inputs.memory_gpu = entry.unwrap_or(inputs.memory_gpu),
        ),
    }
}

/// Draws a native drop-down list for the accelerator of the prefill pool. A new choice clears the prefill price.
pub fn prefill_select(app: App) -> AnyView {
    select(
        app,
        ("Prefill accelerator", true),
        |inputs| inputs.prefill_gpu.map_or(inputs.gpu, Gpu::Catalog),
        |inputs| inputs.prefill_gpu,
        |inputs, entry| {
            if inputs.prefill_gpu != entry {
                inputs.state(Number::PrefillPrice, None);
            }
            inputs.prefill_gpu = entry;
        },
    )
}

/// Draws a native drop-down list of accelerators. If `follows` is true, the first option is the scenario's
/// accelerator.
fn select(
    app: App,
    (name, follows): (&'static str, bool),
    gpu_of: fn(&Inputs) -> Gpu,
    entry_of: fn(&Inputs) -> Option<&'static hardware::catalog::Entry>,
    choose: fn(&mut Inputs, Option<&'static hardware::catalog::Entry>),
) -> AnyView {
    let chosen = Memo::new(move |_| {
        let entry = app.current.with(entry_of);
        entry.map_or(SCENARIOS_OWN, |entry| entry.id)
    });
    let own = Memo::new(move |_| app.current.with(|inputs| inputs.gpu.name()));
    let line = Memo::new(move |_| {
        app.current.with(|inputs| match gpu_of(inputs) {
            Gpu::Catalog(entry) => accelerator_line(&entry.accelerator),
            Gpu::Custom => accelerator_line(&inputs.accelerator()),
        })
    });
    view! {
        <select
            class="select"
            aria-label=name
            title=move || line.get()
            prop:value=move || chosen.get()
            on:change=move |event| {
                let entry = hardware::catalog::find(&event_target_value(&event));
                app.edit(|inputs| choose(inputs, entry));
            }
        >
            {follows.then(|| view! {
                <option value=SCENARIOS_OWN selected=move || chosen.get() == SCENARIOS_OWN>
                    {move || own.get()}
                </option>
            })}
            {hardware::catalog::CATALOG
                .iter()
                .map(|entry| {
                    let id = entry.id;
                    view! { <option value=id selected=move || chosen.get() == id>{entry.name}</option> }
                })
                .collect_view()}
        </select>
    }
    .into_any()
}

/// Option value that means “the scenario's accelerator”.
const SCENARIOS_OWN: &str = "scenario";

/// Applies the model or accelerator chosen in a picker. If the accelerator changes and the user has set a price for
/// the new one, that price applies.
fn choose_row(app: App, choose: fn(&mut Inputs, &'static str), id: &'static str) {
    app.change(|link| {
        let before = link.current.gpu;
        presets::leave(link);
        choose(&mut link.current, id);
        if link.current.gpu != before {
            recall_price(link, link.current.gpu);
        }
    });
}

fn list(
    app: App,
    name: &'static str,
    rows: Vec<PickerRow>,
    id_of: fn(&Inputs) -> &'static str,
) -> AnyView {
    let chosen = Memo::new(move |_| app.current.with(id_of));
    let pinned = Memo::new(move |_| app.pinned.with(|pinned| pinned.as_ref().map(id_of)));
    let familied = rows.iter().any(|row| !row.family.is_empty());
    let sought = RwSignal::new(String::new());
    let pick = move |row: PickerRow| {
        let PickerRow {
            id,
            family,
            name: title,
            status,
            line,
            choose,
        } = row;
        let words = format!("{family} {title} {id} {status} {line}").to_ascii_lowercase();
        let found = Memo::new(move |_| {
            sought.with(|sought| sought.split_whitespace().all(|word| words.contains(word)))
        });
        let label = view! {
            <label class="pick" class:chosen=move || chosen.get() == id hidden=move || !found.get()>
                <input
                    type="radio"
                    name=name
                    value=id
                    prop:checked=move || chosen.get() == id
                    on:change=move |_| choose_row(app, choose, id)
                />
                <span class="pick-name">
                    {title}
                    {(!status.is_empty()).then(|| view! { <span class="pick-a">{status}</span> })}
                    {move || (pinned.get() == Some(id)).then(|| view! { <span class="pick-a" title="Pinned">"A"</span> })}
                </span>
                <span class="pick-line" title=line.clone()>{line.clone()}</span>
            </label>
        };
        (found, label.into_any())
    };
    let mut families: Vec<(&'static str, Vec<Pick>)> = Vec::new();
    let mut choices = Vec::new();
    for row in rows {
        let (family, id, choose) = (row.family, row.id, row.choose);
        let picked = pick(row);
        choices.push((picked.0, id, choose));
        match families.last_mut() {
            Some((last, rows)) if *last == family => rows.push(picked),
            _ => families.push((family, vec![picked])),
        }
    }
    let rows = families
        .into_iter()
        .map(|(family, rows)| {
            let (found, rows): (Vec<Memo<bool>>, Vec<AnyView>) = rows.into_iter().unzip();
            let heading = (!family.is_empty()).then(|| {
                let none = move || !found.iter().any(|found| found.get());
                view! { <p class="pick-family" hidden=none>{family}</p> }
            });
            view! { {heading} {rows} }
        })
        .collect_view();
    // The list scrolls: when it opens, scroll to the chosen row.
    let node = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        if node.get().is_some() {
            request_animation_frame(move || show_chosen(node));
        }
    });
    let enter = move || {
        let found = |choice: &&(Memo<bool>, _, _)| choice.0.get_untracked();
        let mut found = choices.iter().filter(found);
        if let (Some((_, id, choose)), None) = (found.next(), found.next()) {
            choose_row(app, *choose, id);
        }
    };
    let search = familied.then(|| {
        view! {
            <input
                type="search"
                class="preset-search pick-search"
                placeholder="Search"
                aria-label=format!("Search: {name}")
                on:input=move |event| sought.set(event_target_value(&event).to_ascii_lowercase())
                on:keydown=move |event| if event.key() == "Enter" { enter() }
            />
        }
    });
    view! {
        {search}
        <div class="picks" role="radiogroup" aria-label=name node_ref=node>
            {rows}
        </div>
    }
    .into_any()
}

/// Entry of a picker: a memo and the entry's view. The memo is true if the entry matches the search.
type Pick = (Memo<bool>, AnyView);

fn show_chosen(node: NodeRef<html::Div>) {
    let Some(list) = node.try_get_untracked().flatten() else {
        return;
    };
    if let Some(chosen) = list.query_selector(".chosen").ok().flatten() {
        let (outer, inner) = (
            list.get_bounding_client_rect(),
            chosen.get_bounding_client_rect(),
        );
        let beyond = inner.bottom() - outer.bottom();
        if beyond > 0.0 {
            list.set_scroll_top(list.scroll_top() + beyond.ceil() as i32);
        }
    }
}

fn about(
    name: &str,
    line: &str,
    sources: &[(&'static str, &'static str, &'static str)],
    caveat: Option<&'static str>,
) -> AnyView {
    let sources = sources
        .iter()
        .map(|(what, title, locator)| {
            view! {
                <p class="origin-source">
                    {format!("{what}: {title}")}
                    {(!locator.is_empty()).then(|| format!(", {locator}"))}
                </p>
            }
        })
        .collect_view();
    view! {
        <div class="origin">
            <p><b>{name.to_owned()}</b>" "{line.to_owned()}</p>
            {caveat.map(|caveat| view! { <p class="origin-caveat">{caveat}</p> })}
            {sources}
        </div>
    }
    .into_any()
}
